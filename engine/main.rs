//! The `activate` command.
fn main() {}
