//! When rules of the user are read.

use super::FIXED;
use crate::{CacheChoice, Engine, Options, Request, RuleFile, UserRules};
use repo::testing::Scratch;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

#[test]
fn rules_of_the_user_are_read_once_and_only_for_an_answer_with_them() {
    let (repository, n_read) = (Scratch::new(), Arc::new(AtomicU32::new(0)));
    repository.write(FIXED.0, FIXED.1);
    let counted = Arc::clone(&n_read);
    let rules = UserRules::new(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let text = "item(/supervisor, \"of the user\", X, 90) :- target(X).".to_owned();
        vec![RuleFile { name: "a.dl".to_owned(), text, lacks: None, is_named: false }]
    });
    let options = Options { cache: CacheChoice::Off, rules, n_threads: 1, ..Options::default() };
    let engine = Engine::open_with(repository.path(), options).expect("an engine");
    let n_items = |without_user_rules: bool| {
        let request = Request { without_user_rules, ..Request::new("fix Fixed") };
        engine.activate(&request).expect("an answer").found.custom.items.len()
    };
    engine.snapshot().expect("a snapshot");
    assert_eq!((n_items(true), n_read.load(Ordering::Relaxed)), (0, 0));
    assert_eq!((n_items(false), n_items(false), n_read.load(Ordering::Relaxed)), (1, 1, 1));
}
