//! What customers owe. It has nothing to do with signing in.

mod report;

pub use report::Report;
