//! Methods that Rust calls without their names: operators, conversions, formatting, iteration.
//!
//! A table of words and nothing else.

/// By name: those of the traits of the standard library, and of serde's.
#[rustfmt::skip]
pub(super) const IMPLICIT_METHODS: [&str; 52] = [
    "add", "add_assign", "as_mut", "as_ref", "bitand", "bitor", "bitxor", "borrow", "call", "call_mut", "call_once",
    "clone", "cmp", "default", "deref", "deref_mut", "deserialize", "div", "div_assign", "drop", "eq", "extend",
    "flush", "fmt", "from", "from_iter", "from_str", "hash", "index", "index_mut", "into", "into_iter", "mul",
    "mul_assign", "ne", "neg", "next", "next_back", "not", "partial_cmp", "poll", "read", "rem", "serialize", "shl",
    "shr", "source", "sub", "sub_assign", "try_from", "try_into", "write",
];
