//! Fixtures: what gives the parameters of tests their values, by its name. The nearest is meant: of the test's own class, of its module, then
//! of the files that hold fixtures for a folder, from its own folder upwards.

use super::imports::Seen;
use super::index::{Index, Member};
use super::{FileId, Item, Name, Sym};
use activate_grammars::facts::Traits;
use activate_grammars::project::{folder_of, join};

/// The most folders upwards that are looked through.
const MAX_FOLDERS: usize = 64;

/// The fixtures of a name for what stands in a file; `by` is what takes it, which may have the name itself and stands for another then.
pub(super) fn given(index: &Index<'_>, file: FileId, name: Name, by: Option<Sym>) -> Vec<Sym> {
    let Some(holder) = index.rules(file).and_then(|rules| rules.given_in) else { return Vec::new() };
    let is_fixture =
        |sym: &Sym| Some(*sym) != by && index.symbol(*sym).1.traits.has(Traits::FIXTURE) && !has_other_name(index, *sym);
    let of_class = by.and_then(|by| index.member_of[by.0 as usize]).map_or_else(Vec::new, |class| {
        let members = index.find_members(class, name).into_iter();
        let own = members.filter_map(|member| if let Member::Symbol(sym) = member { Some(sym) } else { None }).filter(is_fixture);
        let above = index.with_supers(class).into_iter();
        let renamed = above.flat_map(|above| {
            let of = |sym: &Sym| index.member_of[sym.0 as usize] == Some(above);
            called(index, index.symbol(above).0, name).filter(of).collect::<Vec<_>>()
        });
        own.chain(renamed).collect()
    });
    if !of_class.is_empty() {
        return of_class;
    }
    let of_file = |of: FileId| -> Vec<Sym> {
        let items = index.module_items(index.file_module[of.0 as usize], name, &mut Seen::default()).into_iter();
        let own = items.filter_map(|item| if let Item::Symbol(sym) = item { Some(sym) } else { None }).filter(is_fixture);
        own.chain(called(index, of, name).filter(|sym| index.member_of[sym.0 as usize].is_none())).collect()
    };
    let own = of_file(file);
    if !own.is_empty() {
        return own;
    }
    holders(index, file, holder).map(of_file).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The fixtures of a file that are asked for by a name that is not their own.
fn called(index: &Index<'_>, file: FileId, name: Name) -> impl Iterator<Item = Sym> {
    let first = index.first_symbol[file.0 as usize];
    let fixtures = index.facts(file).fixtures.iter().filter(move |(other, _)| index.name(file, *other) == name);
    fixtures.map(move |(_, of)| Sym(first + of.0))
}

/// Whether a fixture is not asked for by its own name.
fn has_other_name(index: &Index<'_>, fixture: Sym) -> bool {
    let (file, _) = index.symbol(fixture);
    let id = fixture.0 - index.first_symbol[file.0 as usize];
    index.facts(file).fixtures.iter().any(|(_, of)| of.0 == id)
}

/// The files that hold fixtures for the tests of a file, from its own folder upwards, without itself.
pub(super) fn holders<'i>(index: &'i Index<'_>, file: FileId, holder: &'static str) -> impl Iterator<Item = FileId> + 'i {
    let own = folder_of(index.files[file.0 as usize].path);
    let folders = std::iter::successors(Some(own), |folder| (!folder.is_empty()).then(|| folder_of(folder)));
    let above = folders.take(MAX_FOLDERS).filter_map(move |folder| index.file_at(&join(folder, holder)?));
    above.filter(move |above| *above != file)
}
