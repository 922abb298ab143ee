//! The rules on facts that are written as text, the dataflow kept running, and what a sync keeps where the store is not as it was.

mod facts;
mod kept;
mod parts;
mod resident;
mod rules;
