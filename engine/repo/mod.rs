//! Host side of a repository: list its files, read them, ask its git history.
//!
//! The only code that opens repository files or its git data. Must not know facts, rules or packets.

mod path;

pub use path::RepoPath;
