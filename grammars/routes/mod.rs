//! Routes and requests of one file: which calls, decorators and attributes say them, and what they say.
//!
//! The walk over the tree hands over the calls that may mean something; they are read as text, by the words of the language. Prefixes are joined
//! as far as the file shows them: what is put together in other files is for the index to find. Must not know other files.

mod add;
mod annotated;
mod ask;
mod contract;
mod expression;
mod files;
mod generators;
mod give;
mod handler;
mod pattern;
mod proto;
mod read;
mod register;
mod source;
mod text;
mod words;

#[cfg(test)]
mod edges;
#[cfg(test)]
#[expect(clippy::needless_raw_string_hashes, reason = "that is how expected texts are written again")]
mod frameworks;
#[cfg(test)]
#[expect(clippy::needless_raw_string_hashes, reason = "that is how expected texts are written again")]
mod tests;

pub use contract::contract;
pub use files::serves_files;
pub use generators::{Origin, PROTO, origin, types_of_service};
pub use pattern::{Segment, join, segments, serves};
pub(crate) use read::read;
pub use register::has_method;
pub(crate) use source::sources;
pub use text::HOLE;
pub use words::{Adds, Asks, At, By, GO, JAVA, Makes, Mounts, PYTHON, RUST, RouteWords, TYPESCRIPT};

use crate::facts::{FileFacts, Method, SymbolId, Web};

/// The most calls of a file that are looked at.
pub(crate) const MAX_CALLS: usize = 8_192;
/// The most routes of a file, and of one with annotations the most routes and requests: of more a few say as much as all.
const MAX_ROUTES: usize = 8_192;

/// A call, a decorator or an attribute that may say something of routes or requests: byte ranges of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said {
    /// All of it.
    pub(crate) bytes: (u32, u32),
    /// What is called; all of an attribute.
    pub(crate) callee: (u32, u32),
    /// The arguments with their brackets; nothing of an attribute.
    pub(crate) arguments: Option<(u32, u32)>,
    /// The row in which it begins, from 0.
    pub(crate) row: u32,
    /// The innermost symbol around it.
    pub(crate) from: Option<SymbolId>,
}

/// Adds the routes that the path of a file says in a language.
pub(crate) fn by_path(words: &RouteWords, path: &str, source: &str, facts: &FileFacts, web: &mut Web) {
    if words.by_files {
        files::add(path, source, facts, web);
    }
}
