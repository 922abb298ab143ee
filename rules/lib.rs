//! The activation policy: a Datalog program that decides which parts of a repository matter for a task, and why.
//!
//! Facts go in, scores and places come out: [`facts::run`]. The page to read first is `policy.rs`; every number it uses stands in
//! [`weights`]. This crate must not know text, files, parsers, clocks or budgets: its columns are ids, small enums and integers.
//!
//! ```
//! use activate_rules::atoms::{NodeId, Thousandths};
//! use activate_rules::facts::{Facts, run};
//! use activate_rules::weights::Weights;
//! use activate_rules::context::{Graph, PolicyContext};
//!
//! let weights = Weights::default();
//! let policy = PolicyContext::new(Graph::default(), &weights, weights.depth);
//! let facts = Facts { exact: vec![(NodeId(7), Thousandths::ONE)], ..Facts::default() };
//! let derived = run(&policy, &facts);
//! assert_eq!(derived.score(NodeId(7)).map(|score| score.to_string()).as_deref(), Some("100"));
//! ```

mod policy;
mod support;

pub mod atoms;
pub mod best;
pub mod columns;
pub mod context;
pub mod explain;
pub mod facts;
pub mod features;
pub mod items;
pub mod learnt;
pub mod links;
pub mod order;
pub mod passage_features;
pub mod rank;
pub mod sections;
pub mod weights;
pub mod why;
pub mod written;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod properties;
