//! What a text can be about: places of the repository, as they are written.

use activate_rules::atoms::NodeId;

/// The most definitions of one name that an item is about; a name that more share says nothing.
pub(super) const MAX_NAMESAKES: usize = 4;

/// A place of the repository, as a text names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A path of a file, perhaps with a line, or of a folder.
    Path(String, Option<u32>),
    /// A name of a symbol.
    Name(String),
    /// A place that was located already.
    Node(NodeId),
    /// A topic of one word or one path.
    Topic(String),
}
