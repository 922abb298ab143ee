//! What locks of Rust pass on.

use super::check_only;

#[test]
fn methods_that_locks_have_and_traits_give_may_be_those_of_the_type() {
    check_only(
        &["call"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
channel = \"1\"
futures = \"1\"
//- src/lib.rs
use channel::Sender;
use futures::SinkExt;

pub fn all(sender: Sender) {
    sender.deliver(1);
    sender.context().end();
}
",
        "
call src/lib.rs:5 in \"all\": <cargo channel>.Sender{}.deliver, of site 1 by rank 0
call src/lib.rs:5 in \"all\": <cargo futures>.SinkExt.deliver, of site 1 by rank 1
call src/lib.rs:6 in \"all\": <cargo channel>.Sender{}.context, of site 2 by rank 0
call src/lib.rs:6 in \"all\": <cargo futures>.SinkExt.context, of site 2 by rank 1
call src/lib.rs:6 in \"all\": <cargo channel>.Sender{}.end, of site 3 by rank 0
call src/lib.rs:6 in \"all\": <cargo channel>.Sender{}.context().end, of site 3 by rank 0
call src/lib.rs:6 in \"all\": <cargo futures>.SinkExt.end, of site 3 by rank 1
",
    );
}
