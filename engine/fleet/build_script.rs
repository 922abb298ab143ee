//! Hashes the sources that decide what shards hold and what follows from them.

#![expect(clippy::disallowed_macros, reason = "a build script talks to cargo")]

/// The sources.
const ALL: [&str; 14] = [
    "catalog.rs",
    "columns.rs",
    "commits.rs",
    "dataflow.rs",
    "derived.rs",
    "derived/parts.rs",
    "key.rs",
    "load.rs",
    "owners.rs",
    "publish.rs",
    "routes.rs",
    "rules.rs",
    "secrets.rs",
    "tables.rs",
];

fn main() {
    println!("cargo::rerun-if-changed=build_script.rs");
    println!("cargo::rustc-env=ACTIVATE_FLEET_HASH={:016x}", sources::hash(&ALL, &[]));
    // Processes that work together must be the same program, and be built with the same engine.
    let program = sources::hash(&[".", "../../Cargo.lock"], &["./examples", "./tests"]);
    println!("cargo::rustc-env=ACTIVATE_FLEET_PROGRAM={program:016x}");
}
