//! All integration tests in one binary, a module per area.
//!
//! Must not test what a unit test can: only what holds for the project as a whole, or from text to answer.

#![expect(clippy::disallowed_methods, reason = "tests read fixtures and write temporary folders")]

mod action;
mod ahead;
mod check;
mod check_stopped;
mod cli;
mod damage;
mod edits;
mod eval;
mod first_answer;
mod first_words;
mod help;
mod hostile;
mod library;
mod packet;
mod packets;
mod pages;
mod pasted;
mod picture;
mod query;
mod questions;
mod replay;
mod rules;
mod secrets;
mod sections;
mod serve;
mod setup;
mod tidy;
mod tools;
mod truth;
