//! The rules on facts that are written as text, and the dataflow kept running.

mod facts;
mod resident;
mod rules;
