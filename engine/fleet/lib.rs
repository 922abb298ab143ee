//! Many repositories as one graph.
//!
//! Each repository of a fleet is a shard with a fact base of its own. A shard publishes its boundary: what others can see of it and what it needs of
//! others. A dataflow joins the boundaries of all shards, and questions follow what it found from one shard into the next.

#![expect(clippy::disallowed_methods, reason = "a host module: the one that keeps the files of a fleet")]

pub mod access;
mod ask;
pub mod catalog;
mod choose;
mod columns;
pub mod commits;
mod dataflow;
mod derived;
pub mod fetch;
mod host;
mod impact;
mod key;
mod left_out;
mod load;
pub mod manifest;
mod meet;
mod opened;
mod owners;
mod passed_on;
mod peer;
mod publish;
mod resident;
mod routes;
mod rules;
mod run;
pub mod secrets;
mod shard_notes;
mod shards;
pub mod store;
pub mod sync;
mod tables;
mod target;

pub use ask::{Asked, Open, ProgressFn, ask};
pub use choose::{Choice, choose};
pub use dataflow::Derived;
pub use derived::{Links, write};
pub use host::text as host_text;
pub use impact::{Impact, Way, impact, importers, lines_of_users, unsure_users};
pub use left_out::LeftOut;
pub use opened::{Fleet, is_changed};
pub use resident::{Last, Resident};
pub use rules::{Node, UseKind};
pub use run::{Source, Workers, derive};
pub use shards::{Owner, Shard, Shards, Shared};
pub use target::find;

#[cfg(test)]
mod tests;
