//! From places as texts name them to nodes: symbols and files, and the files below folders.
//!
//! Must not guess: what is not there letter by letter is nothing.

use super::places::Place;
use crate::{Spelling, spelled};
use activate_rules::atoms::NodeId;
use index::base::FactBase;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most definitions of one name that a text is about; a name that more share says nothing.
const MAX_NAMESAKES: usize = 4;

/// The most files of one folder that a text is about: one that holds more is most of a repository, of which nothing special is said.
const MAX_FOLDER_FILES: usize = 256;

/// What a text is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct About {
    /// Symbols and files that it names, in its order.
    pub(super) named: Vec<NodeId>,
    /// Files of the folders that it names.
    pub(super) below: Vec<NodeId>,
}

/// Ends of paths, as guides write them who speak of one folder of many: `core/regexes.ts`. Each with the one file whose path ends so.
#[derive(Debug, Default)]
pub(super) struct Ends(FxHashMap<String, Option<NodeId>>);

impl Ends {
    /// Looks for all such ends among these places at once: every file is looked at.
    pub(super) fn find<'p>(base: &FactBase, places: impl Iterator<Item = &'p Place>) -> Self {
        let paths = places.filter_map(|place| if let Place::Path(path, _) = place { Some(path.as_str()) } else { None });
        let ends =
            paths.map(|path| path.trim_start_matches("./")).filter(|path| path.contains('/') && !path.starts_with(['/', '.']));
        let is_file = |path: &&str| last_component(path.as_bytes()).contains(&b'.');
        let missing = ends.filter(|path| is_file(path) && base.file_at(path).is_none());
        let mut found: FxHashMap<String, Option<NodeId>> = missing.map(|path| (path.to_owned(), None)).collect();
        if found.is_empty() {
            return Self(found);
        }
        let mut by_name: FxHashMap<Vec<u8>, Vec<String>> = FxHashMap::default();
        for end in found.keys() {
            by_name.entry(last_component(end.as_bytes()).to_vec()).or_default().push(end.clone());
        }
        let mut n_found: FxHashMap<&str, u32> = FxHashMap::default();
        for file in base.files() {
            let path = base.path_bytes(file);
            for end in by_name.get(last_component(path)).into_iter().flatten() {
                if path.strip_suffix(end.as_bytes()).is_some_and(|front| front.ends_with(b"/")) {
                    *n_found.entry(end).or_default() += 1;
                    found.insert(end.clone(), Some(file));
                }
            }
        }
        // What several paths end with says nothing.
        found.retain(|end, _| n_found.get(end.as_str()) == Some(&1));
        Self(found)
    }

    fn get(&self, written: &str) -> Option<NodeId> {
        self.0.get(written.trim_start_matches("./")).copied().flatten()
    }
}

fn last_component(path: &[u8]) -> &[u8] {
    path.iter().rposition(|b| *b == b'/').map_or(path, |slash| &path[slash + 1..])
}

/// Resolves the places of a text in a file of the folder `own` that speaks of the folder `scope`.
pub(super) fn about(base: &FactBase, ends: &Ends, places: &[Place], own: &str, scope: &str) -> About {
    let folders = [own, scope, ""];
    let mut about = About::default();
    for place in places {
        match place {
            Place::Path(path, line) => about.add_path(base, ends, path, *line, folders),
            Place::Name(name) => about.add_names(spelled(base, name, Spelling::Code), MAX_NAMESAKES),
            // A word that is no more than a word must be the name of one thing.
            Place::Word(word) => about.add_names(spelled(base, word, Spelling::Word), 1),
            Place::Dotted(name) => {
                let n_before = about.named.len();
                about.add_path(base, ends, name, None, folders);
                if about.named.len() == n_before {
                    about.add_names(spelled(base, name, Spelling::Code), MAX_NAMESAKES);
                }
            }
        }
    }
    let mut seen = FxHashSet::default();
    about.named.retain(|node| seen.insert(*node));
    about.below.retain(|node| seen.insert(*node));
    about
}

impl About {
    fn add_names(&mut self, nodes: Vec<NodeId>, most: usize) {
        if nodes.len() <= most {
            self.named.extend(nodes);
        }
    }

    /// Adds the file at a path, or the files below a folder: seen from the first of these folders from which there is one, else the one file
    /// whose path ends so.
    fn add_path(&mut self, base: &FactBase, ends: &Ends, written: &str, line: Option<u32>, folders: [&str; 3]) {
        for folder in folders {
            let Some(path) = joined(folder, written) else { continue };
            if let Some(file) = base.file_at(&path) {
                self.named.push(line.and_then(|line| base.symbol_at(file, line)).unwrap_or(file));
                return;
            }
            let files = below(base, &path);
            if !files.is_empty() {
                if files.len() <= MAX_FOLDER_FILES {
                    self.below.extend(files.map(NodeId));
                }
                return;
            }
        }
        if let Some(file) = ends.get(written) {
            self.named.push(line.and_then(|line| base.symbol_at(file, line)).unwrap_or(file));
        }
    }
}

/// A path as it is written in a folder, from the root; nothing for the root itself and for what lies outside.
fn joined(folder: &str, written: &str) -> Option<String> {
    // A path that starts with a slash is meant from the root.
    let start = if written.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(written.split('/')) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// The files below a folder, by number: files are in the order of their paths, so they stand together.
fn below(base: &FactBase, folder: &str) -> std::ops::Range<u32> {
    let start = format!("{folder}/");
    let first = first_file(base, |path| path < start.as_str());
    let end = first_file(base, |path| path < start.as_str() || path.starts_with(&start));
    first..end
}

/// The first file whose path is not before what is looked for.
fn first_file(base: &FactBase, is_before: impl Fn(&str) -> bool) -> u32 {
    let (mut low, mut high) = (0, base.n_files());
    while low < high {
        let middle = low.midpoint(high);
        if is_before(base.path(NodeId(middle))) { low = middle + 1 } else { high = middle }
    }
    low
}
