//! Many repositories as one graph.
//!
//! Each repository of a fleet is a shard with a fact base of its own. A shard publishes its boundary: what others can see of it and what it needs of
//! others. A dataflow joins the boundaries of all shards, and questions follow what it found from one shard into the next.

mod dataflow;
mod key;
mod rules;

#[cfg(test)]
mod tests;
