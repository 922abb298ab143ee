//! What is known of a repository as relations: one table of them with their columns, their rows one by one, and the same as questions in Datalog
//! find them.
//!
//! Must not know files, commands or formats.

mod given;
mod table;

pub use given::{Given, relations};
pub use table::{Column, End, MAX_TESTS, RELATIONS, Relation, Row, Take};
