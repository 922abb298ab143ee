//! Hashes the sources that decide what facts say, so that cached facts of another build are never mistaken for this one's.

#![expect(clippy::disallowed_macros, reason = "a build script talks to cargo")]

/// Sources that decide what facts and the history that is kept with them say.
const FACTS: [&str; 6] = ["../../grammars", "../../rules/atoms.rs", "../../rules/links.rs", ".", "../repo/git", "../redact"];

/// Sources among them that only read facts.
const READERS: [&str; 12] = [
    "./checks.rs",
    "./completeness",
    "./passages.rs",
    "./past_lines.rs",
    "./snapshot/first.rs",
    "./snapshot/first",
    "./text/fields.rs",
    "./text/forms.rs",
    "./text/languages.rs",
    "./text/nearest.rs",
    "./text/query.rs",
    "./text/search.rs",
];

fn main() {
    println!("cargo::rerun-if-changed=build_script.rs");
    println!("cargo::rustc-env=ACTIVATE_FACTS_HASH={:016x}", sources::hash(&FACTS, &READERS));
}
