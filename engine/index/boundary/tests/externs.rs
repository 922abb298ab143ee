//! Packages to which the root of a crate of Rust gives other names.

use super::check_only;

#[test]
fn a_package_that_the_root_gives_another_name_is_known_by_it_in_all_modules() {
    check_only(
        &["call", "import"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
serde_core = \"1\"
serde = \"1\"
one = \"1\"
//- src/lib.rs
extern crate serde_core as serde;
#[cfg(feature = \"a\")]
extern crate one as two;
#[cfg(not(feature = \"a\"))]
extern crate serde as two;
mod de;
//- src/de.rs
use serde::Deserializer;
fn read(from: Deserializer) { serde::forward(from.kind()); ::serde::whole(); two::unknown(); }
",
        "
import src/de.rs:1 in \"\": <cargo serde_core>.Deserializer
import src/lib.rs:1 in \"\": <cargo serde_core>
import src/lib.rs:3 in \"\": <cargo one>
import src/lib.rs:5 in \"\": <cargo serde>
call src/de.rs:2 in \"read\": <cargo serde_core>.forward
call src/de.rs:2 in \"read\": <cargo serde_core>.Deserializer{}.kind
call src/de.rs:2 in \"read\": <cargo serde_core>.whole
",
    );
}
