//! The rules on facts that are written as text.

mod facts;
mod rules;
