//! What the sections look at: the inputs of one session context, with what several of them need looked up once.
//!
//! Files are read through the callback alone and once each.

use super::budget::Budget;
use super::git_state::GitState;
use super::pieces::Counter;
use super::state::{SessionItem, SessionState};
use crate::activation::{Activated, Active};
use activate_rules::atoms::{Energy, ItemId, NodeId};
use activate_rules::items::ItemKind;
use error::{Problem, Result};
use index::base::{FactBase, FileFlags};
use intent::failures::Failures;
use intent::guides::FoundItem;
use redact::{LongLines, Masker, Redacted, Safe, Trust};
use review::Review;
use rustc_hash::{FxHashMap, FxHashSet};
use session::Sent;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::sync::Arc;
use tokens::Tokens;

/// What a session context is made from.
pub struct Sources<'a> {
    /// Masks the secrets that are known in all that is said.
    pub masker: &'a Masker,
    /// What the repository is called in front of each of its places, where an answer is about several.
    pub repository: Option<&'a str>,
    /// What is known about the repository.
    pub base: &'a FactBase,
    /// What the request activated.
    pub activation: &'a Activated,
    /// What the caller knows of the session. Its items must have taken part in the activation: see [`SessionState::task_facts`].
    pub state: &'a SessionState,
    /// What fails. It must have taken part in the activation as well.
    pub failures: &'a Failures,
    /// Tools and hints that the repository has. They must have taken part too: see [`add_found`](super::state::add_found).
    pub found: &'a [FoundItem],
    /// The change that is reviewed. Its places must have taken part in the activation.
    pub review: Option<&'a Review>,
    /// What git says.
    pub git: &'a GitState,
    /// Code that must be shown.
    pub pins: &'a [Pin],
    /// What the reader has: of this, only what changed is shown.
    pub since: Option<&'a Sent>,
    /// Whether it is to be noted what was considered and what became of it.
    pub traced: bool,
    /// Problems of earlier stages, to be reported with the rest.
    pub problems: &'a [Problem],
    /// Which files of the repository are not known, as phrases: lists may lack what they hold.
    pub unseen: &'a [String],
    /// How many of the repository's files were read, and how many there are, where an answer did not wait for all.
    pub partial: Option<(u32, u32)>,
    /// Whether other repositories use what is meant: lists of users do not have them.
    pub used_elsewhere: bool,
    /// Gives the redacted text of a file, of the content that the facts were taken from.
    pub read: &'a (dyn Fn(NodeId) -> Result<Arc<Redacted>> + Sync),
}

/// Code that must be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// The file.
    pub file: NodeId,
    /// First and last line, from 1; the whole file where they are not given.
    pub lines: Option<(u32, u32)>,
}

impl Pin {
    /// All of a file or symbol; none of a package from outside.
    pub fn of(base: &FactBase, node: NodeId) -> Option<Self> {
        match base.symbol(node) {
            Some(symbol) => Some(Self { file: symbol.file, lines: Some((symbol.first_line(), symbol.lines.1)) }),
            None => base.is_file(node).then_some(Self { file: node, lines: None }),
        }
    }
}

/// The sources with what is looked up once.
pub(super) struct View<'a> {
    pub(super) sources: &'a Sources<'a>,
    pub(super) masker: &'a Masker,
    pub(super) base: &'a FactBase,
    pub(super) state: &'a SessionState,
    pub(super) failures: &'a Failures,
    pub(super) activation: &'a Activated,
    pub(super) counter: Counter,
    /// The most tokens that anything of it can have.
    pub(super) most: Tokens,
    /// Every how many lines of code have their numbers; none do at 0.
    numbers: u32,
    pub(super) items: Vec<SessionItem>,
    active: FxHashMap<NodeId, &'a Active>,
    /// Place of each active file, best first.
    ranks: FxHashMap<NodeId, usize>,
    placed: FxHashSet<ItemId>,
    /// The paths of files that the packet may name, by their names without folders.
    namesakes: FxHashMap<&'a str, Vec<&'a str>>,
    files: RefCell<FxHashMap<NodeId, Option<Arc<Redacted>>>>,
    problems: RefCell<Vec<Problem>>,
}

impl<'a> View<'a> {
    pub(super) fn new(sources: &'a Sources<'a>, budget: &Budget) -> Self {
        let counter = Counter(budget.tokenizer);
        let activation = sources.activation;
        let all = activation.files.iter().chain(&activation.symbols);
        let changed = sources.review.iter().flat_map(|review| {
            let partners = review.partners.iter().flat_map(|partner| [partner.file, partner.with]);
            review.files.iter().filter_map(|changed| changed.file).chain(partners)
        });
        let mut namesakes: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for file in activation.files.iter().map(|active| active.node).chain(changed) {
            let path = sources.base.path(file);
            namesakes.entry(file_name(path)).or_default().push(path);
        }
        Self {
            sources,
            masker: sources.masker,
            base: sources.base,
            state: sources.state,
            failures: sources.failures,
            activation,
            counter,
            most: budget.total,
            numbers: budget.line_numbers,
            items: sources.state.items(sources.failures),
            active: all.map(|active| (active.node, active)).collect(),
            ranks: activation.files.iter().enumerate().map(|(rank, file)| (file.node, rank)).collect(),
            namesakes,
            placed: activation.derived.placed.iter().map(|(item, _)| *item).collect(),
            files: RefCell::default(),
            problems: RefCell::default(),
        }
    }

    /// The path of a file as it is shown.
    pub(super) fn path(&self, file: NodeId) -> Safe {
        self.placed_name(self.base.path(file))
    }

    /// The id of a node as it is shown.
    pub(super) fn id(&self, node: NodeId) -> Safe {
        self.placed_name(&self.base.id(node))
    }

    /// A name that begins with a path of the repository, as it is shown: behind the name of the repository, where there are several.
    pub(super) fn placed_name(&self, name: &str) -> Safe {
        let name = self.masker.name(name);
        self.sources.repository.map_or_else(|| name.clone(), |of| Safe::format("{}/{}", &[&self.masker.name(of), &name]))
    }

    /// What is said of the repository as a whole: behind its name, where there are several.
    pub(super) fn said_of(&self, text: &Safe) -> Safe {
        self.sources.repository.map_or_else(|| text.clone(), |of| Safe::format("{} ({})", &[text, &self.masker.name(of)]))
    }

    /// What is active at a node.
    pub(super) fn active(&self, node: NodeId) -> Option<&'a Active> {
        self.active.get(&node).copied()
    }

    /// The paths of files of that name that the packet may name.
    pub(super) fn namesakes(&self, name: &str) -> &[&'a str] {
        self.namesakes.get(name).map_or(&[], Vec::as_slice)
    }

    /// The place of the file at `path` among the active files; last for others.
    pub(super) fn rank_of(&self, path: &str) -> usize {
        self.base.file_at(path).map_or(usize::MAX, |file| self.rank(file))
    }

    /// The place of a file among the active files; last for others.
    pub(super) fn rank(&self, file: NodeId) -> usize {
        self.ranks.get(&file).copied().unwrap_or(usize::MAX)
    }

    /// The entries of a field of the state with their items, as far as the policy placed them.
    pub(super) fn placed<'b, T>(
        &'b self,
        kinds: &'b [ItemKind],
        entries: &'b [T],
    ) -> impl Iterator<Item = (&'b SessionItem, &'b T)> {
        let items = self.items.iter().filter(|item| kinds.contains(&item.kind));
        items.zip(entries).filter(|(item, _)| self.is_placed(item.id))
    }

    /// Whether the policy placed an item.
    pub(super) fn is_placed(&self, item: ItemId) -> bool {
        self.placed.contains(&item)
    }

    /// The best score of a symbol, or of a file where no symbol is active.
    pub(super) fn best(&self) -> Energy {
        let best = |list: &[Active]| list.iter().map(|active| active.score).max();
        best(&self.activation.symbols).or_else(|| best(&self.activation.files)).unwrap_or_default()
    }

    /// The text of a file; nothing, and a problem, where it cannot be read.
    pub(super) fn text(&self, file: NodeId) -> Option<Arc<Redacted>> {
        let known = self.files.borrow().get(&file).cloned();
        known.unwrap_or_else(|| {
            let text = (self.sources.read)(file).map_err(|error| {
                self.problems.borrow_mut().push(Problem::at("read", self.base.path(file), error.to_string()));
            });
            self.files.borrow_mut().entry(file).or_insert(text.ok()).clone()
        })
    }

    /// Whether lines of code have a gutter.
    pub(super) fn is_numbered(&self) -> bool {
        self.numbers > 0
    }

    /// Lines of a file as they are shown: with a gutter, unless nobody wants one.
    pub(super) fn code(&self, text: &Redacted, lines: RangeInclusive<u32>, long: LongLines) -> Safe {
        if self.numbers == 0 { Safe::code(text, lines, long) } else { Safe::numbered(text, lines, long, self.numbers) }
    }

    /// What could not be read so far.
    pub(super) fn problems(&self) -> Vec<Problem> {
        self.problems.borrow().clone()
    }

    /// Where the text of a file comes from.
    pub(super) fn trust(&self, file: NodeId) -> Trust {
        if self.base.flags(file).has(FileFlags::GENERATED) {
            Trust::Generated
        } else if self.sources.git.tracks(self.base.path(file)) {
            Trust::Tracked
        } else {
            Trust::Untracked
        }
    }
}

/// A path without its folders.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether `score` is at least this many thousandths of `best`.
pub(super) fn is_share(score: Energy, best: Energy, part: i64) -> bool {
    i64::from(score.0) * 1000 >= i64::from(best.0) * part
}
