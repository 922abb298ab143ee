//! Git objects of bounded size: commits, trees and blobs by id.
//!
//! Sizes are looked up before anything is decoded.

use super::unreadable;
use error::Problem;
use gix::objs::{CommitRef, Data, Find, FindHeader, Kind, TreeRefIter};
use gix::{ObjectId, oid};
use std::cell::{Cell, RefCell};

/// Largest object that is decoded, in bytes; whoever asks for the content of a file says how large that may be.
pub(super) const MAX_OBJECT_BYTES: u64 = 1 << 20;

/// Largest tree: one folder of half a million files.
const MAX_TREE_BYTES: u64 = 32 << 20;

/// How much of the trees that were met is kept, per thread: neighbouring commits share most of theirs.
const TREE_CACHE_BYTES: usize = 8 << 20;

/// A thread's view of the object database.
pub(super) struct Objects<'a> {
    repository: &'a gix::Repository,
    trees: RefCell<TreeCache>,
    /// How many bytes of trees may still be handed out, a tree that is asked for again counted again.
    tree_bytes_left: Cell<usize>,
}

#[derive(Default)]
struct TreeCache {
    trees: gix::hashtable::HashMap<ObjectId, Box<[u8]>>,
    bytes: usize,
}

/// Longest author and subject, and longest body, that are kept of a commit, in bytes: a message can be as long as an object.
const MAX_SUBJECT_BYTES: usize = 1024;
const MAX_BODY_BYTES: usize = 8 * 1024;

/// The parts of a commit that need no diff, its texts cut.
#[derive(Debug, Clone)]
pub(super) struct CommitParts {
    pub(super) tree: ObjectId,
    pub(super) parents: Vec<ObjectId>,
    /// When the commit was made, in seconds since 1970.
    pub(super) time: i64,
    pub(super) author: String,
    /// The message's first paragraph as one line.
    pub(super) subject: String,
    /// The rest of the message.
    pub(super) body: String,
}

impl<'a> Objects<'a> {
    pub(super) fn new(repository: &'a gix::Repository) -> Self {
        Self::with_budget(repository, usize::MAX)
    }

    /// Hands out at most `tree_bytes` of trees; beyond, every tree is refused.
    pub(super) fn with_budget(repository: &'a gix::Repository, tree_bytes: usize) -> Self {
        Self { repository, trees: RefCell::default(), tree_bytes_left: Cell::new(tree_bytes) }
    }

    /// Whether a tree was refused because others took all that may be handed out.
    pub(super) fn is_spent(&self) -> bool {
        self.tree_bytes_left.get() == 0
    }

    /// Whether the clone was cut off, so that older commits are not there.
    pub(super) fn are_shallow(&self) -> bool {
        self.repository.is_shallow().unwrap_or(false)
    }

    fn spend(&self, tree: &[u8]) -> gix::Result<()> {
        let left = self.tree_bytes_left.get().checked_sub(tree.len());
        self.tree_bytes_left.set(left.unwrap_or(0));
        #[cfg(test)]
        work::add(left.map_or(0, |_| tree.len()));
        left.map(drop).ok_or_else(|| gix::error::message!("too many trees").into())
    }

    /// The commit `id`. Text that is not UTF-8 has replacement characters.
    pub(super) fn commit(&self, id: &oid) -> Result<CommitParts, Problem> {
        let failed = |error: gix::Error| unreadable(&format!("commit {id}"), error);
        let mut buffer = Vec::new();
        let data = self.find(id, Kind::Commit, &mut buffer)?;
        let commit = CommitRef::from_bytes(data, id.kind()).map_err(failed)?;
        let author = commit.author().map_or_else(|_| String::new(), |author| lossy(author.name));
        let author = beginning(author.trim(), MAX_SUBJECT_BYTES).to_owned();
        let (subject, body) = subject_and_body(&lossy(commit.message));
        let time = commit.committer().map(|committer| committer.seconds()).unwrap_or_default();
        Ok(CommitParts { tree: commit.tree(), parents: commit.parents().collect(), time, author, subject, body })
    }

    /// Whether there is an object `id`, readable or not.
    pub(super) fn has(&self, id: &oid) -> bool {
        !matches!(self.repository.objects.try_header(id), Ok(None))
    }

    /// The blob `id`, if it has at most `max_bytes`.
    pub(super) fn blob(&self, id: &oid, max_bytes: u64) -> Result<Vec<u8>, Problem> {
        let mut buffer = Vec::new();
        of_kind(id, Kind::Blob, self.decode(id, &mut buffer, max_bytes))?;
        Ok(buffer)
    }

    /// The entries of the tree `id`, which stand in `buffer`.
    pub(super) fn tree<'b>(&self, id: &oid, buffer: &'b mut Vec<u8>) -> Result<TreeRefIter<'b>, Problem> {
        Ok(TreeRefIter::from_bytes(self.find(id, Kind::Tree, buffer)?, id.kind()))
    }

    fn find<'b>(&self, id: &oid, kind: Kind, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Problem> {
        of_kind(id, kind, self.try_find(id, buffer))
    }

    fn decode<'b>(&self, id: &oid, buffer: &'b mut Vec<u8>, max_bytes: u64) -> gix::Result<Option<Data<'b>>> {
        let Some(header) = self.repository.objects.try_header(id)? else { return Ok(None) };
        let max_bytes = if header.kind == Kind::Tree { max_bytes.max(MAX_TREE_BYTES) } else { max_bytes };
        if header.size > max_bytes {
            return Err(gix::error::message!("object {id} is larger than {max_bytes} bytes").corrupted().into());
        }
        Find::try_find(&self.repository.objects, id, buffer)
    }
}

/// The content of what was found for `id`, if it is a `kind`.
fn of_kind<'b>(id: &oid, kind: Kind, found: gix::Result<Option<Data<'b>>>) -> Result<&'b [u8], Problem> {
    let what = format!("{kind} {id}");
    match found {
        Ok(Some(data)) if data.kind == kind => Ok(data.data),
        Ok(Some(_)) => Err(unreadable(&what, "it is an object of another kind")),
        Ok(None) => Err(unreadable(&what, "it is missing")),
        Err(error) => Err(unreadable(&what, error)),
    }
}

/// The first paragraph of a message as one line, as git's `%s` has it, and the rest: a line of blanks ends a paragraph like an empty one.
fn subject_and_body(message: &str) -> (String, String) {
    let is_blank = |line: &&str| line.trim_ascii().is_empty();
    let message = message.trim_ascii_start();
    let n_bytes: usize = message.split_inclusive('\n').take_while(|line| !is_blank(line)).map(str::len).sum();
    let (paragraph, body) = message.split_at(n_bytes);
    let mut subject = String::new();
    for line in paragraph.lines() {
        subject.push_str(if subject.is_empty() { "" } else { " " });
        subject.push_str(line.trim_ascii_end());
    }
    let subject = subject.replace('\r', " ");
    (beginning(&subject, MAX_SUBJECT_BYTES).to_owned(), beginning(body.trim(), MAX_BODY_BYTES).to_owned())
}

/// The start of `text`, at most `max` bytes, cut between characters.
pub fn beginning(text: &str, max: usize) -> &str {
    let end = (0..=max.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Lookup with the size limit, as gix's own algorithms need it.
impl Find for Objects<'_> {
    fn try_find<'a>(&self, id: &oid, buffer: &'a mut Vec<u8>) -> gix::Result<Option<Data<'a>>> {
        if let Some(tree) = self.trees.borrow().trees.get(id) {
            self.spend(tree)?;
            buffer.clear();
            buffer.extend_from_slice(tree);
            return Ok(Some(Data { kind: Kind::Tree, object_hash: id.kind(), data: buffer }));
        }
        let found = self.decode(id, buffer, MAX_OBJECT_BYTES)?;
        if let Some(tree) = found.as_ref().filter(|data| data.kind == Kind::Tree) {
            self.spend(tree.data)?;
            self.trees.borrow_mut().keep(id, tree.data);
        }
        Ok(found)
    }
}

impl TreeCache {
    fn keep(&mut self, id: &oid, tree: &[u8]) {
        if self.bytes + tree.len() > TREE_CACHE_BYTES {
            self.trees.clear();
            self.bytes = 0;
        }
        self.bytes += tree.len();
        self.trees.insert(id.to_owned(), tree.into());
    }
}
