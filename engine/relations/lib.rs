//! What is known of a repository as relations: one table of them with their columns, their rows one by one, and the same as questions in Datalog
//! find them.
//!
//! Must not know files, commands or formats.

mod given;
mod more;
mod names;
mod table;

pub use given::{Given, of_tasks, relations};
pub use more::{Answered, HEAD_TYPES, Task};
pub use table::{Column, End, MAX_TESTS, RELATIONS, Relation, Row, Take};
