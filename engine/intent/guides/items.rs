//! What was found as items for a task: which nodes each is about, how near it is, and which tools every task needs.
//!
//! Must not know scores: whether an item concerns the task is for the policy to say.

use super::choose::is_below;
use super::resolve::{Ends, about};
use super::{Found, Hint, Source, Tool};
use activate_rules::atoms::NodeId;
use activate_rules::items::ItemKind;
use index::base::FactBase;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most tools and hints whose places are looked up, and the most nodes that they are about in all. A lookup takes microseconds.
const MAX_ITEMS: usize = 2_000;
const MAX_ABOUT: usize = 20_000;

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundItem {
    /// What it is.
    pub content: Content,
    /// The file that says it.
    pub file: NodeId,
    /// The line there.
    pub line: u32,
    /// Folders on the way from the folder that it speaks of to the nearest of the likeliest files.
    pub distance: usize,
    /// Whether every task near it needs it.
    pub is_always_on: bool,
    /// Symbols and files that it names.
    pub named: Vec<NodeId>,
    /// Files of folders that it names.
    pub below: Vec<NodeId>,
}

impl FoundItem {
    /// Whether a task of these words may see it: a tool that installs, publishes or deletes something only where the task names that.
    pub fn suits(&self, intent: &str) -> bool {
        match &self.content {
            Content::Tool(tool) => !tool.is_out_of_place(intent),
            Content::Hint(_) => true,
        }
    }

    /// What it is to the policy.
    pub fn kind(&self) -> ItemKind {
        match self.content {
            Content::Tool(_) => ItemKind::Tool,
            Content::Hint(_) => ItemKind::Hint,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A tool.
    Tool(Tool),
    /// A hint.
    Hint(Hint),
}

/// Everything that was found and can concern a task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Items {
    /// The items, those of the nearest files first.
    pub(super) list: Vec<FoundItem>,
    /// How many more tools and hints there are.
    pub(super) n_left_out: usize,
}

/// Makes items of what files say, for a task that most likely concerns the files `likely`. What names nothing that exists is left out: no task
/// touches it.
pub(super) fn items(base: &FactBase, likely: &[NodeId], read: Vec<(NodeId, Source, Found)>) -> Items {
    let usual = usual(base, likely, &read);
    let has_alias = read.iter().any(|(_, source, found)| {
        *source == Source::CargoConfig && found.tools.iter().any(|tool| tool.name == super::cargo::XTASK)
    });
    // Only texts for people leave out where a path starts.
    let ends = Ends::find(base, read.iter().flat_map(|(_, _, found)| &found.hints).flat_map(|hint| &hint.places));
    let mut maker = Maker { base, likely, ends, hints: FxHashSet::default(), n_items: 0, n_about: 0, made: Items::default() };
    for (file, source, found) in read {
        maker.made.n_left_out += found.n_left_out;
        for tool in found.tools {
            // With an alias for it, the program of tasks is called by that.
            if source == Source::Xtask && has_alias {
                continue;
            }
            let is_always_on = usual.contains(&(tool.name.clone(), tool.folder.clone()));
            maker.add(file, source, Content::Tool(tool), is_always_on);
        }
        for hint in found.hints {
            maker.add(file, source, Content::Hint(hint), false);
        }
    }
    maker.made
}

/// The tools, by name and folder, that every task needs: of each usual name those of the nearest folder above each of the likeliest files.
fn usual(base: &FactBase, likely: &[NodeId], read: &[(NodeId, Source, Found)]) -> FxHashSet<(String, String)> {
    let tools = || read.iter().flat_map(|(_, _, found)| &found.tools).filter(|tool| tool.is_usual());
    let mut usual = FxHashSet::default();
    for file in likely {
        let path = base.path(*file);
        let mut nearest: FxHashMap<&str, &str> = FxHashMap::default();
        for tool in tools().filter(|tool| is_below(path, &tool.folder)) {
            let folder = nearest.entry(&tool.name).or_insert(&tool.folder);
            if tool.folder.len() > folder.len() {
                *folder = &tool.folder;
            }
        }
        usual.extend(nearest.into_iter().map(|(name, folder)| (name.to_owned(), folder.to_owned())));
    }
    usual
}

struct Maker<'a> {
    base: &'a FactBase,
    likely: &'a [NodeId],
    ends: Ends,
    /// Hints that are made, each with what it is about: guides of several packages often have the same.
    hints: FxHashSet<(String, Vec<NodeId>)>,
    n_items: usize,
    n_about: usize,
    made: Items,
}

impl Maker<'_> {
    fn add(&mut self, file: NodeId, source: Source, content: Content, is_always_on: bool) {
        let path = self.base.path(file);
        let (own, scope) = (path.rsplit_once('/').map_or("", |(folder, _)| folder), source.scope(path));
        let (places, line) = match &content {
            Content::Tool(tool) => (&tool.places, tool.line),
            Content::Hint(hint) => (&hint.places, hint.line),
        };
        if places.is_empty() && !is_always_on {
            return;
        }
        if self.n_items >= MAX_ITEMS || self.n_about >= MAX_ABOUT {
            self.made.n_left_out += 1;
            return;
        }
        self.n_items += 1;
        let mut about = about(self.base, &self.ends, places, own, scope);
        if matches!(content, Content::Hint(_)) {
            // What a guide says, it says of its own folder.
            about.named.retain(|node| is_below(self.base.path(*node), scope));
            about.below.retain(|node| is_below(self.base.path(*node), scope));
        }
        if about.named.is_empty() && about.below.is_empty() && !is_always_on {
            return;
        }
        if let Content::Hint(hint) = &content
            && !self.hints.insert((hint.text.clone(), about.named.clone()))
        {
            return;
        }
        self.n_about += about.named.len() + about.below.len();
        let distances = self.likely.iter().map(|likely| distance(scope, self.base.path(*likely)));
        let distance = distances.min().unwrap_or_else(|| n_folders(scope));
        let (named, below) = (about.named, about.below);
        self.made.list.push(FoundItem { content, file, line, distance, is_always_on, named, below });
    }
}

/// Folders on the way from a folder to a file.
fn distance(folder: &str, path: &str) -> usize {
    let to = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let shared = parts(folder).zip(parts(to)).take_while(|(one, other)| one == other).count();
    n_folders(folder) + n_folders(to) - 2 * shared
}

fn n_folders(folder: &str) -> usize {
    parts(folder).count()
}

fn parts(folder: &str) -> impl Iterator<Item = &str> {
    folder.split('/').filter(|part| !part.is_empty())
}
