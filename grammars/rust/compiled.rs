//! Which packages of a workspace compile with their tests, by what `cargo check` or `cargo clippy` wrote as JSON, and how these are tested.
//!
//! Text in, command out.

use crate::check::Narrowed;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a target that `cargo test` does not compile unless its manifest says so.
const BENCH: &str = "bench";
/// The kind of a target that is run before a package is compiled.
const BUILD_SCRIPT: &str = "custom-build";
/// What the names of lints begin with that keep no code from being compiled.
const LINT: &str = "clippy::";
/// The level of messages that keep code from being compiled.
const ERROR: &str = "error";
/// What stands in the ids of packages of the repository, as opposed to those of registries.
const LOCAL: &str = "path+file:";

/// A line, as far as it is looked at: the rest of it can be long.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    reason: String,
    package_id: Option<String>,
    target: Target,
    profile: Profile,
    message: Message,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Target {
    kind: Vec<String>,
    /// Whether it has tests that are run.
    test: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Profile {
    test: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message {
    level: String,
    code: Option<Code>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Code {
    code: String,
}

/// What was said of a package.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that a line says, in any order")]
struct PackageBuild {
    /// Something of it was compiled.
    is_compiled: bool,
    /// What was compiled of it has tests, in whatever way it was compiled.
    is_tested: bool,
    /// A target was compiled with its tests.
    has_tests: bool,
    /// A target that is compiled for tests has an error.
    has_error: bool,
    /// Its build script was compiled, and not run to its end.
    is_unprepared: bool,
}

impl PackageBuild {
    /// Adds what a line says of the package.
    fn add(&mut self, line: &Line) {
        let is_kind = |kind: &str| line.target.kind.iter().any(|known| known == kind);
        let is_tested = !is_kind(BENCH) || line.target.test;
        match line.reason.as_str() {
            "build-script-executed" => self.is_unprepared = false,
            "compiler-artifact" if is_kind(BUILD_SCRIPT) => self.is_unprepared = true,
            "compiler-artifact" => {
                self.is_compiled = true;
                self.is_tested |= line.target.test;
                self.has_tests |= is_tested && line.profile.test;
            }
            "compiler-message" => self.has_error |= is_tested && line.message.level == ERROR,
            _ => {}
        }
    }

    /// Whether it does not compile by itself.
    fn is_broken(&self) -> bool {
        self.has_error || self.is_unprepared
    }

    /// Whether it was to be compiled with its tests and was not: what these need does not compile.
    fn is_blocked(&self) -> bool {
        !self.is_broken() && self.is_tested && !self.has_tests
    }
}

/// The command for the packages that compile with their tests, and which of `packages` do not. What needs a package that does not compile shows
/// without its tests where these alone need it, and else not at all, as packages do that the workspace does not have.
pub(super) fn tests_that_compile(packages: &[String], lines: &mut dyn Iterator<Item = Vec<u8>>) -> Option<Narrowed> {
    let mut said: BTreeMap<String, PackageBuild> = BTreeMap::new();
    for line in lines {
        // Other lines are for people.
        let Ok(line) = serde_json::from_slice::<Line>(&line) else { continue };
        let is_lint = line.message.code.as_ref().is_some_and(|code| code.code.starts_with(LINT));
        if is_lint && line.message.level == ERROR {
            // What a linter refuses is not looked into any further, and what needs it neither: nobody knows what compiles.
            return None;
        }
        if let Some(id) = &line.package_id {
            said.entry(id.clone()).or_default().add(&line);
        }
    }
    let is_own = |id: &str| id.contains(LOCAL) && packages.iter().any(|package| package == name(id));
    let without: BTreeSet<&str> =
        said.iter().filter(|(id, said)| said.is_broken() || said.is_blocked() && is_own(id)).map(|(id, _)| name(id)).collect();
    if without.is_empty() {
        return None;
    }
    // Only packages of the workspace are compiled with tests. What has none may have some in its documentation.
    let is_good = |id: &str, said: &PackageBuild| said.has_tests || is_own(id) && said.is_compiled && !said.is_tested;
    let good: Vec<&str> =
        said.iter().filter(|(id, said)| !said.is_broken() && is_good(id, said)).map(|(id, _)| id.as_str()).collect();
    let named: BTreeSet<&str> = said.keys().filter(|id| is_own(id)).map(|id| name(id)).chain(without.iter().copied()).collect();
    let all: BTreeSet<&str> = packages.iter().map(String::as_str).collect();
    let is_unique = |id: &str| said.keys().filter(|other| name(other) == name(id)).count() == 1;
    let chosen = good.iter().flat_map(|id| ["-p", if is_unique(id) { name(id) } else { *id }]);
    let words = ["cargo", "test"].into_iter().chain(chosen).chain(["--no-fail-fast"]);
    let owned = |names: &mut dyn Iterator<Item = &&str>| names.map(|name| (*name).to_owned()).collect();
    Some(Narrowed {
        command: if good.is_empty() { Vec::new() } else { words.map(str::to_owned).collect() },
        without: owned(&mut without.iter()),
        unknown: owned(&mut all.difference(&named)),
    })
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

    /// The command, what it leaves out, and of what nothing is known.
    fn of(packages: &[&str], said: &str) -> String {
        let packages: Vec<String> = packages.iter().map(|name| (*name).to_owned()).collect();
        let narrowed = tests_that_compile(&packages, &mut said.lines().map(|line| line.as_bytes().to_vec()));
        let text = |narrowed: Narrowed| {
            let lists = [narrowed.command, narrowed.without, narrowed.unknown].map(|list| list.join(" "));
            lists.join(" | ")
        };
        narrowed.map_or_else(|| "as it is".to_owned(), text)
    }

    /// The lines of [`SAID`] about this package.
    fn about(package: &str) -> String {
        let is_about = |line: &&str| line.contains(&format!("/{package}#"));
        SAID.lines().filter(is_about).map(|line| line.to_owned() + "\n").collect()
    }

    /// A line about something of a package that was compiled.
    fn artifact(package: &str, kind: &str, is_tested: bool, with_tests: bool) -> String {
        format!(
            "{{\"reason\":\"compiler-artifact\",\"package_id\":\"path+file:///w/{package}#0.1.0\",\"target\":{{\"kind\":[\"{kind}\"],\
             \"test\":{is_tested}}},\"profile\":{{\"test\":{with_tests}}}}}\n"
        )
    }

    #[test]
    fn packages_that_compile_with_their_tests_are_tested() {
        assert_eq!(of(&PACKAGES, SAID), "cargo test -p benched -p good -p quiet --no-fail-fast | broken needs tested | ");
        assert_eq!(of(&["broken", "needs"], &(about("broken") + &about("needs"))), " | broken needs | ");
        // An error counts though no manifest was read.
        assert_eq!(of(&[], &(about("broken") + &about("good"))), "cargo test -p good --no-fail-fast | broken | ");
    }

    #[test]
    fn what_has_no_tests_of_its_own_compiles_and_of_what_is_not_named_nothing_is_known() {
        let said = SAID.to_owned()
            + &artifact("notest", "lib", false, false)
            + &artifact("benchonly", "bench", false, true)
            + &artifact("dep", "lib", false, false);
        let packages = [&PACKAGES[..], &["behind", "benchonly", "notest", "tpl"]].concat();
        assert_eq!(
            of(&packages, &said),
            "cargo test -p benched -p benchonly -p good -p notest -p quiet --no-fail-fast | broken needs tested | behind tpl"
        );
    }

    #[test]
    fn a_build_script_that_fails_breaks_its_package() {
        let script = |name: &str| artifact(name, "custom-build", false, false);
        let executed = r#"{"reason":"build-script-executed","package_id":"path+file:///w/quiet#0.1.0","linked_libs":[]}"#;
        let said = script("quiet") + executed + "\n" + &about("quiet") + &script("failing") + &about("good");
        assert_eq!(
            of(&["behind", "failing", "good", "quiet"], &said),
            "cargo test -p good -p quiet --no-fail-fast | failing | behind"
        );
    }

    #[test]
    fn a_command_stays_as_it_is_where_all_that_is_tested_compiles_or_nobody_knows() {
        assert_eq!(of(&["benched", "good"], &(about("benched") + &about("good"))), "as it is");
        assert_eq!(of(&["benched", "good", "tpl"], &(about("benched") + &about("good"))), "as it is");
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
        let same = r#"{"reason":"compiler-artifact","package_id":"registry+https://example.com/index#good@1.0.0","target":{"kind":["lib"],"test":true},"profile":{"test":false}}"#;
        let said = about("broken") + &about("good") + same;
        assert_eq!(of(&["broken", "good"], &said), "cargo test -p path+file:///w/good#0.1.0 --no-fail-fast | broken | ");
        assert_eq!(name("path+file:///w/a-folder#a-name@0.1.0"), "a-name");
        assert_eq!(name("git+https://example.com/x/shelf?branch=main#0.2.0"), "shelf");
        assert_eq!(name("shelf 0.2.0 (path+file:///w/x)"), "shelf");
    }
}
