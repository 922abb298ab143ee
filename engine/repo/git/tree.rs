//! The files of one commit, and what they hold.

use super::history::{MAX_COMMITS, SHALLOW};
use super::objects::Objects;
use super::{Git, guarded, head_id, unreadable};
use error::Problem;
use gix::ObjectId;
use gix::objs::tree::EntryKind;
use gix::objs::{Find, FindHeader, Kind, TagRef};
use rustc_hash::FxHashMap;

/// Most bytes of paths collected from a commit's trees: a forged tree can hold more files than there are atoms. Two million files have 240 MB.
const MAX_PATH_BYTES: usize = 256 << 20;

/// What an entry of a tree costs besides its path, against the limit above.
const ENTRY_BYTES: usize = 64;

/// Fewest digits of an id by which a commit may be called, as git has it.
const MIN_ID_DIGITS: usize = 4;

/// Most tags that lead from one to the next before a commit must come: git makes one.
const MAX_TAGS: usize = 8;

/// Where refs are looked for by their short name, in this order; one that begins with the first of them is a full name.
const REF_FOLDERS: [&str; 4] = ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];

/// Most parents that a name may go back: as far as a history is read.
const MAX_BACK: usize = MAX_COMMITS;

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Blob {
    /// Its name from the top, as git has it.
    pub(in super::super) path: Vec<u8>,
    pub(in super::super) id: ObjectId,
    /// Length in bytes; 0 where it cannot be known, since the object is missing.
    pub(in super::super) size: u64,
}

/// The files of a commit.
#[derive(Debug, Default)]
pub(in super::super) struct Tree {
    pub(in super::super) blobs: Vec<Blob>,
    /// Symbolic links, which are left out.
    pub(in super::super) n_links: u64,
}

impl Git {
    /// The same git data with another commit in the place of `HEAD`: nothing newer is seen, and nothing has changed since.
    ///
    /// `name` is `HEAD`, an id or its first digits, a tag, a branch, or the full name of a reference; behind it may stand `~N`, `^`, `^N`,
    /// `^{}` and `^{commit}`, any number of times, with git's meaning.
    ///
    /// # Errors
    ///
    /// That there is no such commit, or that git's objects cannot be read.
    pub fn at(&self, name: &str) -> Result<Self, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let unknown = |why: &str| Problem::new("git", format!("there is no commit `{name}`{why}"));
            let (start, steps) = expression(name)?;
            let mut id = find(&repository, self, start)?.ok_or_else(|| unknown(""))?;
            id = peel(&objects, id)?.ok_or_else(|| unknown(""))?;
            for step in steps {
                let parents = objects.commit(&id)?.parents;
                let parent = step.checked_sub(1).map_or(Some(id), |at| parents.get(at).copied());
                id = parent.ok_or_else(|| unknown(&format!(": {id} has {} parents", parents.len())))?;
                if !objects.has(&id) {
                    let is_shallow = repository.is_shallow().unwrap_or(false);
                    return Err(unknown(&if is_shallow { format!(": {SHALLOW}") } else { format!(": {id} is missing") }));
                }
            }
            Ok(Self { at: Some(id), ..self.clone() })
        })
    }

    /// The files of the last commit, in no order. Sizes that are `known` are not looked up.
    pub(in super::super) fn tree(&self, known: &FxHashMap<ObjectId, u64>) -> Result<Tree, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let Some(commit) = head_id(self, &repository)? else { return Ok(Tree::default()) };
            let mut tree = Tree::default();
            let mut n_bytes = 0;
            let mut buffer = Vec::new();
            // Of a forged tree many files are the same.
            let mut sizes: FxHashMap<ObjectId, u64> = FxHashMap::default();
            let mut pending = vec![(Vec::new(), objects.commit(&commit)?.tree)];
            while let Some((folder, id)) = pending.pop() {
                for entry in objects.tree(&id, &mut buffer)? {
                    let entry = entry.map_err(|error| unreadable(&format!("tree {id}"), error))?;
                    let mut path = [folder.as_slice(), entry.filename].concat();
                    n_bytes += path.len() + ENTRY_BYTES;
                    if n_bytes > MAX_PATH_BYTES {
                        return Err(unreadable("the commit", "it has too many files; ask in a checkout of what matters"));
                    }
                    match entry.mode.kind() {
                        EntryKind::Tree => {
                            path.push(b'/');
                            pending.push((path, entry.oid.to_owned()));
                        }
                        EntryKind::Blob | EntryKind::BlobExecutable => {
                            let id = entry.oid.to_owned();
                            let size = known.get(&id).copied();
                            let look_up = || repository.objects.try_header(&id).ok().flatten().map(|header| header.size);
                            let size = size.unwrap_or_else(|| *sizes.entry(id).or_insert_with(|| look_up().unwrap_or_default()));
                            tree.blobs.push(Blob { path, id, size });
                        }
                        EntryKind::Link => tree.n_links += 1,
                        // A submodule is another repository.
                        EntryKind::Commit => {}
                    }
                }
            }
            Ok(tree)
        })
    }

    /// The content of a file of at most `max_bytes`.
    pub(in super::super) fn blob(&self, id: &ObjectId, max_bytes: u64) -> Result<Vec<u8>, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            Objects::new(&repository).blob(id, max_bytes)
        })
    }
}

/// The name that a text begins with, and which parent is taken of each commit after another, from 1; 0 is the commit itself.
fn expression(text: &str) -> Result<(&str, Vec<usize>), Problem> {
    let refused = |why: &str| Problem::new("git", format!("`{text}` is not a name of a commit that is understood: {why}"));
    if text.contains("@{") || text.contains("..") || text.contains(':') {
        return Err(refused(
            "give a name, then `~N`, `^`, `^N`, `^{}` or `^{commit}`; reflogs, ranges and `:` are not supported",
        ));
    }
    let (start, mut rest) = text.split_at(text.find(['^', '~']).unwrap_or(text.len()));
    let mut steps = Vec::new();
    while let Some(mark) = rest.chars().next() {
        rest = &rest[mark.len_utf8()..];
        if let Some(behind) = rest.strip_prefix("{}").or_else(|| rest.strip_prefix("{commit}")).filter(|_| mark == '^') {
            rest = behind;
            continue;
        }
        let (digits, behind) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let number = if digits.is_empty() { Some(1) } else { digits.parse().ok() };
        let n_left = MAX_BACK - steps.len();
        match (mark, number.filter(|number| *number <= n_left)) {
            ('~', Some(number)) => steps.extend(std::iter::repeat_n(1, number)),
            ('^', Some(number)) if n_left > 0 => steps.push(number),
            ('~' | '^', _) => return Err(refused(&format!("it goes back more than {MAX_BACK} commits"))),
            _ => {
                return Err(refused(
                    "of what git writes behind a name, only `~N`, `^`, `^N`, `^{}` and `^{commit}` are supported",
                ));
            }
        }
        rest = behind;
    }
    Ok((if start == "@" { "HEAD" } else { start }, steps))
}

/// The object that is called `name`.
fn find(repository: &gix::Repository, git: &Git, name: &str) -> Result<Option<ObjectId>, Problem> {
    if name == "HEAD" {
        return head_id(git, repository);
    }
    if name.len() >= MIN_ID_DIGITS
        && let Ok(prefix) = gix::hash::Prefix::from_hex(name)
    {
        match repository.objects.lookup_prefix(prefix, None) {
            Ok(Some(Ok(id))) => return Ok(Some(id)),
            Ok(Some(Err(()))) => {
                return Err(Problem::new("git", format!("`{name}` begins more than one object's id; give more digits")));
            }
            Ok(None) => {}
            Err(error) => return Err(unreadable(&format!("`{name}`"), error)),
        }
    }
    let full = name.starts_with(REF_FOLDERS[0]).then_some("");
    for folder in full.into_iter().chain(REF_FOLDERS) {
        let Ok(full) = gix::refs::FullName::try_from(format!("{folder}{name}")) else { return Ok(None) };
        let found = repository.try_find_reference(full.as_ref()).map_err(|error| unreadable(&format!("`{name}`"), error))?;
        if let Some(id) = found.and_then(|reference| reference.try_id().map(gix::Id::detach)) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// The commit that an object is, or that tags lead to.
fn peel(objects: &Objects<'_>, id: ObjectId) -> Result<Option<ObjectId>, Problem> {
    let mut id = id;
    let mut buffer = Vec::new();
    for _ in 0..MAX_TAGS {
        let found = objects.try_find(&id, &mut buffer).map_err(|error| unreadable(&format!("object {id}"), error))?;
        match found {
            Some(data) if data.kind == Kind::Commit => return Ok(Some(id)),
            Some(data) if data.kind == Kind::Tag => match TagRef::from_bytes(data.data, id.kind()) {
                Ok(tag) => id = tag.target(),
                Err(error) => return Err(unreadable(&format!("tag {id}"), error)),
            },
            _ => break,
        }
    }
    Ok(None)
}
