//! What a topic touches: the places of a repository that one plain word, or one path, is about; and the file that a name without a folder is.
//!
//! Looks at every path once for all topics and names of a state, and at none where there are none.

use super::place::{MAX_NAMESAKES, Place};
use activate_rules::atoms::NodeId;
use index::base::FactBase;
use rustc_hash::FxHashMap;

/// The most places that one topic touches, the nearest first: what touches more is about the repository as a whole.
pub(super) const MAX_TOUCHED: usize = 128;

/// The places of the topics of a state, in lower case.
///
/// A word touches the definitions of exactly that name and, in any case of letters, packages whose path ends with it and the files and
/// folders that are called so, files with or without their ending. A path touches the files below a folder, or a package; a file is a
/// place like any other.
pub(super) struct Topics {
    touched: FxHashMap<String, Touched>,
    /// The first files of the names that are written without a folder, as many as show that there are several.
    named: FxHashMap<String, Vec<NodeId>>,
}

/// How many files of one name show that it says none.
const SEVERAL: usize = 2;

/// What a topic touches, by how near that is.
#[derive(Default)]
struct Touched {
    /// Packages and files that are called so.
    called: Vec<NodeId>,
    /// Files in a folder that is called so.
    within: Vec<NodeId>,
    /// Files in folders below such a folder.
    below: Vec<NodeId>,
}

impl Topics {
    /// Finds the places of the topics among what items are about.
    pub(super) fn find<'p>(base: &FactBase, about: impl IntoIterator<Item = &'p Place>) -> Self {
        let mut topics = Self { touched: FxHashMap::default(), named: FxHashMap::default() };
        for place in about {
            match place {
                Place::Topic(topic) => drop(topics.touched.entry(plain(topic)).or_default()),
                Place::Path(name, _) if !name.contains('/') && !topics.named.contains_key(name) => {
                    topics.named.insert(name.clone(), Vec::new());
                }
                _ => {}
            }
        }
        // A topic of nothing but slashes.
        topics.touched.remove("");
        if !topics.touched.is_empty() {
            topics.add_packages(base);
            topics.add_files(base);
        }
        if !topics.named.is_empty() {
            topics.add_named(base);
        }
        topics
    }

    fn add_named(&mut self, base: &FactBase) {
        for file in base.files() {
            let name = base.path(file).rsplit('/').next().unwrap_or_default();
            if let Some(files) = self.named.get_mut(name).filter(|files| files.len() < SEVERAL) {
                files.push(file);
            }
        }
    }

    /// The file of a name without a folder, where there is only one: people leave out its folder.
    pub(super) fn only_file(&self, name: &str) -> Option<NodeId> {
        self.named.get(name).and_then(|files| <[NodeId; 1]>::try_from(files.as_slice()).ok()).map(|[file]| file)
    }

    fn add_packages(&mut self, base: &FactBase) {
        for package in (base.n_files() + base.n_symbols()..base.n_nodes()).map(NodeId) {
            let path = base.package(package).to_lowercase();
            let path = without_version(&path);
            let ends = path.match_indices('/').map(|(at, _)| at + 1);
            for end in ends.chain([0]).filter_map(|start| path.get(start..)) {
                if let Some(touched) = self.touched.get_mut(end) {
                    add(&mut touched.called, package);
                }
            }
        }
    }

    fn add_files(&mut self, base: &FactBase) {
        // The files of a folder stand together, so that its path is taken apart once.
        let (mut folder, mut above) = (String::new(), Vec::new());
        for file in base.files() {
            let (parent, name) = base.path(file).rsplit_once('/').unwrap_or(("", base.path(file)));
            if parent != folder {
                parent.clone_into(&mut folder);
                let names = parent.rsplit('/').map(str::to_lowercase).zip(std::iter::once(true).chain(std::iter::repeat(false)));
                above = names.filter(|(name, _)| self.touched.contains_key(name)).collect();
            }
            let name = name.to_lowercase();
            let stem = |part: Option<(&str, &str)>| part.map_or(name.len(), |(stem, _)| stem.len());
            let mut ends = [name.len(), stem(name.rsplit_once('.')), stem(name.split_once('.'))];
            ends.sort_unstable();
            for end in ends {
                if let Some(touched) = name.get(..end).and_then(|name| self.touched.get_mut(name)) {
                    add(&mut touched.called, file);
                }
            }
            for (name, is_own) in &above {
                if let Some(touched) = self.touched.get_mut(name) {
                    add(if *is_own { &mut touched.within } else { &mut touched.below }, file);
                }
            }
        }
    }

    /// The places that a topic touches, the nearest first.
    pub(super) fn nodes(&self, base: &FactBase, topic: &str) -> Vec<NodeId> {
        let mut nodes = base.symbols_named(topic);
        nodes.retain(|node| base.symbol(*node).is_some_and(|symbol| symbol.name == topic));
        if nodes.len() > MAX_NAMESAKES {
            nodes.clear();
        }
        if let Some(Touched { called, within, below }) = self.touched.get(&plain(topic)) {
            nodes.extend(called.iter().chain(within).chain(below));
        }
        if topic.contains('/') {
            nodes.extend(files_below(base, topic).take(MAX_TOUCHED));
        }
        nodes.truncate(MAX_TOUCHED);
        nodes
    }
}

/// A topic as it is looked up.
fn plain(topic: &str) -> String {
    topic.trim_start_matches("./").trim_end_matches('/').to_lowercase()
}

/// Adds a place, unless it is there already as the last or there are enough.
fn add(nodes: &mut Vec<NodeId>, node: NodeId) {
    if nodes.len() < MAX_TOUCHED && nodes.last() != Some(&node) {
        nodes.push(node);
    }
}

/// The path of a package without the major version that Go writes behind it: `github.com/golang-jwt/jwt/v4`.
fn without_version(path: &str) -> &str {
    let is_version = |end: &str| end.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    path.rsplit_once('/').filter(|(_, end)| is_version(end)).map_or(path, |(path, _)| path)
}

/// The files below a folder; none below the root itself.
pub(super) fn files_below(base: &FactBase, folder: &str) -> impl Iterator<Item = NodeId> {
    let prefix = format!("{}/", folder.trim_start_matches("./").trim_end_matches('/'));
    let (mut low, mut high) = (0, base.n_files());
    while low < high {
        let middle = low.midpoint(high);
        if base.path(NodeId(middle)) < prefix.as_str() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (low..base.n_files()).map(NodeId).take_while(move |file| base.path(*file).starts_with(&prefix))
}
