//! Which packages of a workspace compile with their tests, by what `cargo check` or `cargo clippy` wrote as JSON, and how these are tested.
//!
//! Text in, command out. Must not know where the text comes from.

use crate::check::Narrowed;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a target that `cargo test` does not compile unless its manifest says so.
const BENCH: &str = "bench";
/// What the names of lints begin with that keep no code from being compiled.
const LINT: &str = "clippy::";

/// What was said of a package.
#[derive(Debug, Default)]
struct Said {
    /// A target was compiled with its tests.
    has_tests: bool,
    /// A target that is compiled for tests has an error.
    has_error: bool,
}

/// The command for the packages that compile with their tests, and which of `packages` do not.
pub(super) fn tests_that_compile(packages: &[String], lines: &mut dyn Iterator<Item = Vec<u8>>) -> Option<Narrowed> {
    let mut said: BTreeMap<String, Said> = BTreeMap::new();
    for line in lines {
        // Other lines are for people.
        let Ok(message) = serde_json::from_slice::<Value>(&line) else { continue };
        let (Some(id), target) = (message["package_id"].as_str(), &message["target"]) else { continue };
        let is_tested = target["kind"][0] != BENCH || target["test"] == true;
        let is_error = message["message"]["level"] == "error";
        if is_error && message["message"]["code"]["code"].as_str().is_some_and(|code| code.starts_with(LINT)) {
            // What a linter refuses is not looked into any further, and what needs it neither: nobody knows what compiles.
            return None;
        }
        let said = said.entry(id.to_owned()).or_default();
        said.has_tests |= is_tested && message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
        said.has_error |= is_tested && message["reason"] == "compiler-message" && is_error;
    }
    let is_good = |said: &Said| said.has_tests && !said.has_error;
    let good: Vec<&str> = said.iter().filter(|(_, said)| is_good(said)).map(|(id, _)| id.as_str()).collect();
    let tested: BTreeSet<&str> = good.iter().map(|id| name(id)).collect();
    let broken = said.iter().filter(|(_, said)| said.has_error).map(|(id, _)| name(id));
    // Of what needs a package that does not compile, nothing is said.
    let all: BTreeSet<&str> = packages.iter().map(String::as_str).chain(broken).collect();
    let without: Vec<String> = all.difference(&tested).map(|name| (*name).to_owned()).collect();
    if said.is_empty() || without.is_empty() {
        return None;
    }
    let is_unique = |id: &str| said.keys().filter(|other| name(other) == name(id)).count() == 1;
    let named = good.iter().flat_map(|id| ["-p", if is_unique(id) { name(id) } else { *id }]);
    let words = ["cargo", "test"].into_iter().chain(named).chain(["--no-fail-fast"]);
    let command = if good.is_empty() { Vec::new() } else { words.map(str::to_owned).collect() };
    Some(Narrowed { command, without })
}

/// The name of a package by its id: `path+file:///a/shelf#0.2.0`, `path+file:///a/b#shelf@0.2.0`, and as older versions of Cargo write it,
/// `shelf 0.2.0 (path+file:///a/b)`.
fn name(id: &str) -> &str {
    match id.split_once('#') {
        Some((_, rest)) if rest.contains('@') => rest.split_once('@').map_or(rest, |(name, _)| name),
        Some((place, _)) => {
            let place = place.split_once('?').map_or(place, |(place, _)| place);
            place.rsplit('/').next().unwrap_or(place)
        }
        None => id.split_once(' ').map_or(id, |(name, _)| name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `cargo check --workspace --all-targets --keep-going --message-format=json` wrote (Cargo 1.9x), without what is not read: the library of
    /// `broken` has an error, `needs` needs it for its tests, `tested` has an error in its tests and `benched` in a benchmark.
    const SAID: &str = r#"    Checking good v0.1.0 (/w/good)
{"reason":"compiler-artifact","package_id":"path+file:///w/benched#0.1.0","target":{"kind":["lib"],"name":"benched","test":true},"profile":{"test":false}}
{"reason":"compiler-artifact","package_id":"path+file:///w/tested#0.1.0","target":{"kind":["lib"],"name":"tested","test":true},"profile":{"test":false}}
{"reason":"compiler-message","package_id":"path+file:///w/broken#0.1.0","target":{"kind":["lib"],"name":"broken","test":true},"message":{"message":"mismatched types","level":"error"}}
{"reason":"compiler-message","package_id":"path+file:///w/tested#0.1.0","target":{"kind":["test"],"name":"t","test":true},"message":{"message":"mismatched types","level":"error"}}
{"reason":"compiler-artifact","package_id":"path+file:///w/quiet#0.1.0","target":{"kind":["lib"],"name":"quiet","test":false},"profile":{"test":true}}
{"reason":"compiler-message","package_id":"path+file:///w/benched#0.1.0","target":{"kind":["bench"],"name":"t","test":false},"message":{"message":"mismatched types","level":"error"}}
{"reason":"compiler-message","package_id":"path+file:///w/good#0.1.0","target":{"kind":["lib"],"name":"good","test":true},"message":{"message":"unused","level":"warning"}}
{"reason":"compiler-artifact","package_id":"path+file:///w/good#0.1.0","target":{"kind":["lib"],"name":"good","test":true},"profile":{"test":true}}
{"reason":"compiler-artifact","package_id":"path+file:///w/needs#0.1.0","target":{"kind":["lib"],"name":"needs","test":true},"profile":{"test":false}}
{"reason":"compiler-artifact","package_id":"path+file:///w/tested#0.1.0","target":{"kind":["lib"],"name":"tested","test":true},"profile":{"test":true}}
{"reason":"compiler-artifact","package_id":"path+file:///w/benched#0.1.0","target":{"kind":["lib"],"name":"benched","test":true},"profile":{"test":true}}
{"reason":"compiler-artifact","package_id":"registry+https://example.com/index#dep@1.0.0","target":{"kind":["lib"],"name":"dep","test":true},"profile":{"test":false}}
error: could not compile `broken` (lib) due to 1 previous error
{"reason":"build-finished","success":false}
"#;

    const PACKAGES: [&str; 6] = ["benched", "broken", "good", "needs", "quiet", "tested"];

    /// The command, and what it leaves out.
    fn of(packages: &[&str], said: &str) -> String {
        let packages: Vec<String> = packages.iter().map(|name| (*name).to_owned()).collect();
        let narrowed = tests_that_compile(&packages, &mut said.lines().map(|line| line.as_bytes().to_vec()));
        let text = |narrowed: Narrowed| format!("{} | {}", narrowed.command.join(" "), narrowed.without.join(" "));
        narrowed.map_or_else(|| "as it is".to_owned(), text)
    }

    /// The lines of [`SAID`] about this package.
    fn about(package: &str) -> String {
        let is_about = |line: &&str| line.contains(&format!("/{package}#"));
        SAID.lines().filter(is_about).map(|line| line.to_owned() + "\n").collect()
    }

    #[test]
    fn packages_that_compile_with_their_tests_are_tested() {
        assert_eq!(of(&PACKAGES, SAID), "cargo test -p benched -p good -p quiet --no-fail-fast | broken needs tested");
        assert_eq!(of(&["broken", "needs"], &(about("broken") + &about("needs"))), " | broken needs");
        // An error counts though no manifest was read.
        assert_eq!(of(&[], &(about("broken") + &about("good"))), "cargo test -p good --no-fail-fast | broken");
    }

    #[test]
    fn a_command_stays_as_it_is_where_all_compiles_or_nobody_knows() {
        assert_eq!(of(&["benched", "good"], &(about("benched") + &about("good"))), "as it is");
        for nothing in
            ["", "error: no matching package named `x` found\n", "[]\n{}\n{\"reason\":\"build-finished\",\"success\":false}\n"]
        {
            assert_eq!(of(&PACKAGES, nothing), "as it is", "{nothing}");
        }
        let lint = r#"{"reason":"compiler-message","package_id":"path+file:///w/good#0.1.0","target":{"kind":["lib"]},"message":{"level":"error","code":{"code":"clippy::panic"}}}"#;
        assert_eq!(of(&PACKAGES, &format!("{SAID}{lint}\n")), "as it is");
    }

    #[test]
    fn a_name_that_is_not_unique_gives_way_to_the_id() {
        let same = r#"{"reason":"compiler-artifact","package_id":"registry+https://example.com/index#good@1.0.0","target":{"kind":["lib"]},"profile":{"test":false}}"#;
        let said = about("broken") + &about("good") + same;
        assert_eq!(of(&["broken", "good"], &said), "cargo test -p path+file:///w/good#0.1.0 --no-fail-fast | broken");
        assert_eq!(name("path+file:///w/a-folder#a-name@0.1.0"), "a-name");
        assert_eq!(name("git+https://example.com/x/shelf?branch=main#0.2.0"), "shelf");
        assert_eq!(name("shelf 0.2.0 (path+file:///w/x)"), "shelf");
    }
}
