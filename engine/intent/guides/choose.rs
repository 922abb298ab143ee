//! Which files are read: those that say something by their names, the nearest to the task first, within bounds.

use super::Source;
use crate::Intent;
use crate::failures::Failures;
use activate_rules::atoms::NodeId;
use index::base::{FactBase, FileFlags};

/// The most files that are read.
const MAX_FILES: usize = 64;

/// The most bytes of one file. The longest that are written by hand are manifests of extensions of editors, with half of this.
const MAX_FILE_BYTES: u64 = 256 << 10;

/// The most bytes of all of them.
const MAX_BYTES: u64 = 512 << 10;

/// Files of which nothing is taken: what they say is not said of this repository, or by nobody.
const FOREIGN: [u32; 3] = [FileFlags::VENDORED, FileFlags::GENERATED, FileFlags::BINARY];

/// The most files that a task most likely concerns, the nearest tools of which are always on.
const MAX_LIKELY: usize = 3;

/// The files that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// The files, the nearest first.
    pub(super) files: Vec<(NodeId, Source)>,
    /// How many more there are.
    pub(super) n_left_out: usize,
}

/// The files that a task most likely concerns: those that it names and those where something fails; where there are none, those for which most
/// speaks.
pub fn likely(base: &FactBase, intent: &Intent, failures: &Failures) -> Vec<NodeId> {
    let named = intent.targets.iter().map(|target| base.file_of(target.node));
    let failing = failures.nodes().into_iter().map(|node| base.file_of(node));
    let likely = first(named.chain(failing));
    if likely.is_empty() { first(intent.files.iter().copied()) } else { likely }
}

/// The first few of some files, each once.
fn first(files: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut likely: Vec<NodeId> = Vec::new();
    for file in files {
        if likely.len() < MAX_LIKELY && !likely.contains(&file) {
            likely.push(file);
        }
    }
    likely
}

/// Chooses the files for a task that most likely concerns these files: first those that speak of a folder with one of them, then by depth and
/// path. Of files with the same content the first is read.
pub(super) fn choose(base: &FactBase, likely: &[NodeId]) -> Choice {
    let candidates = base.files().filter(|file| Source::may_be(base.path_bytes(*file)));
    let sources = candidates.filter_map(|file| Some((file, Source::of(base.path(file))?)));
    let is_own = |file: NodeId| !FOREIGN.iter().any(|foreign| base.flags(file).has(*foreign));
    let mut sources: Vec<(NodeId, Source)> = sources.filter(|(file, _)| is_own(*file)).collect();
    sources.sort_by_cached_key(|(file, source)| {
        let path = base.path(*file);
        let scope = source.scope(path);
        let is_near = likely.iter().any(|likely| is_below(base.path(*likely), scope));
        (!is_near, path.matches('/').count(), *file)
    });
    let mut choice = Choice::default();
    let mut hashes = Vec::new();
    let mut n_bytes = 0;
    for (file, source) in sources {
        let size = base.size(file);
        if choice.files.len() == MAX_FILES || size > MAX_FILE_BYTES || n_bytes + size > MAX_BYTES {
            choice.n_left_out += 1;
        } else if hashes.contains(&base.hash(file)) && matches!(source, Source::Guide | Source::Decision) {
            // One guide under several names says no more than one.
        } else {
            hashes.push(base.hash(file));
            n_bytes += size;
            choice.files.push((file, source));
        }
    }
    choice
}

/// Whether a path lies below a folder; everything lies below the root.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}
