//! A cache that was damaged on disk: answers are those of a whole one.
//!
//! Must not know what a file of the cache looks like inside.

use crate::cli::Scratch;
use crate::replay::corpus;
use activate::{Budget, CacheChoice, Engine, Options, Request};
use std::fs;
use std::path::{Path, PathBuf};

/// How many places of the fact base are damaged, one at a time.
const N_PLACES: usize = 120;

/// What a process that knows nothing but the cache answers, and whether it built the fact base anew.
fn answer(cache: &Path) -> (String, bool) {
    let options = Options { cache: CacheChoice::Folder(cache.to_owned()), ..Options::default() };
    let engine = Engine::open_with(corpus().join("auth-go"), options).expect("a repository");
    let activation = engine.activate(&Request::new("fix ValidateToken in the login handler")).expect("an answer");
    let context = activation.session_context(&Budget::default()).expect("a context");
    (activation.packet(&context).json(), activation.snapshot.effort.rebuilt)
}

fn base_file(cache: &Path) -> PathBuf {
    let files = fs::read_dir(cache).expect("a folder").flatten().map(|entry| entry.path());
    files.into_iter().find(|path| path.extension().is_some_and(|part| part == "base")).expect("a fact base")
}

#[test]
fn a_damaged_fact_base_is_built_anew_and_nothing_is_answered_from_it() {
    let scratch = Scratch::new();
    let cache = scratch.0.join("cache");
    let (expected, _) = answer(&cache);
    let file = base_file(&cache);
    // Files of the corpus may be so young that their times prove nothing, and then the base is written again with the next run.
    let (again, _) = answer(&cache);
    assert_eq!(again, expected);
    let mut n_rebuilt = 0;
    for place in 0..N_PLACES {
        let mut bytes = fs::read(&file).expect("a file");
        let at = place * bytes.len() / N_PLACES;
        // Many rows of numbers are small: the highest bit leads far out of them.
        bytes[at] ^= if place % 2 == 0 { 0x01 } else { 0x80 };
        // A new file under the name, as after a copy: what is mapped by another test is left alone.
        fs::remove_file(&file).expect("a file to remove");
        fs::write(&file, &bytes).expect("a file");
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&file, permissions).expect("a file of our own");
        let (found, rebuilt) = answer(&cache);
        assert!(found == expected, "another answer after damage at byte {at}");
        n_rebuilt += usize::from(rebuilt);
    }
    // The gaps between sections hold nothing.
    assert!(n_rebuilt > N_PLACES / 2, "{n_rebuilt} of {N_PLACES} places were noticed");
}
