//! Tables as lists of numbers: where what stands, and what becomes of damage.

use super::*;
use crate::resolve::{FileId, ModuleId, Name, Sym};
use serde::Deserialize;

#[derive(Debug, PartialEq, Eq, serde::Serialize, Deserialize)]
enum Choice {
    None,
    One(Sym),
    Two(FileId, u32),
    Named { name: Name, is_set: bool },
}

#[derive(Debug, Default, PartialEq, Eq, serde::Serialize, Deserialize)]
struct Tables<'a> {
    #[serde(borrow)]
    texts: Vec<&'a str>,
    choices: Vec<Choice>,
    modules: Vec<Option<ModuleId>>,
    #[serde(serialize_with = "map_by_key")]
    by_name: FxHashMap<(ModuleId, Name), Vec<Sym>>,
    #[serde(serialize_with = "set_in_order")]
    set: FxHashSet<(usize, Name)>,
    large: u32,
}

fn tables() -> Tables<'static> {
    let by_name = |module, name, syms: &[u32]| ((ModuleId(module), Name(name)), syms.iter().copied().map(Sym).collect());
    Tables {
        texts: vec!["one", "", "größer"],
        choices: vec![
            Choice::None,
            Choice::One(Sym(70_000)),
            Choice::Two(FileId(3), 200),
            Choice::Named { name: Name(4), is_set: true },
        ],
        modules: vec![None, Some(ModuleId(9))],
        by_name: [by_name(2, 1, &[5, 6]), by_name(1, 7, &[]), by_name(1, 3, &[8])].into_iter().collect(),
        set: [(300, Name(2)), (1, Name(11))].into_iter().collect(),
        large: u32::MAX,
    }
}

#[test]
fn what_numbers_name_decides_where_they_stand() {
    let lists = to_lists(&tables()).expect("lists");
    assert_eq!(lists.numbers, [vec![70_000, 8, 5, 6], vec![4, 3, 7, 1, 11, 2], vec![9, 1, 1, 2], vec![3]]);
    assert_eq!(lists.text, "onegrößer".as_bytes());
    assert_eq!(from_lists::<Tables<'_>>(lists.as_ref()).expect("tables"), tables());
    // What begins as the tables do can be read alone.
    let (texts, choices): (Vec<&str>, Vec<Choice>) = from_lists(lists.as_ref()).expect("the beginning");
    assert_eq!((texts, choices), (tables().texts, tables().choices));
}

#[test]
fn damaged_lists_are_an_error_and_take_no_memory() {
    let lists = to_lists(&tables()).expect("lists");
    for end in 0..lists.rest.len() {
        let cut = Lists { rest: lists.rest[..end].to_vec(), ..lists.clone() };
        assert!(from_lists::<Tables<'_>>(cut.as_ref()).is_err(), "{end} bytes");
    }
    for list in 0..N_LISTS {
        let mut cut = lists.clone();
        cut.numbers[list].pop();
        assert!(from_lists::<Tables<'_>>(cut.as_ref()).is_err(), "list {list}");
    }
    for at in 0..lists.rest.len() {
        let mut other = lists.clone();
        other.rest[at] ^= 0xff;
        // Whatever it is read as, it is no more than there is.
        let _ = from_lists::<Tables<'_>>(other.as_ref());
    }
    let mut endless = lists.clone();
    endless.rest.splice(0..1, [0xff, 0xff, 0xff, 0xff, 0x0f]);
    let error = from_lists::<Tables<'_>>(endless.as_ref()).expect_err("a list without end");
    assert_eq!(error.to_string(), "a list is longer than what there is");
    let cut = Lists { text: lists.text[..5].to_vec(), ..lists };
    assert!(from_lists::<Tables<'_>>(cut.as_ref()).is_err());
}
