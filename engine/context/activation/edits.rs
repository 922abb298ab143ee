//! What the edits made so far say of files that are not edited yet: links to what they change, what history changes along, words of their
//! lines, names alike.
//!
//! Reads the edits, the text index and past commits; decides nothing.

use super::features::{folder, is_compared};
use activate_rules::atoms::NodeId;
use activate_rules::columns::log2;
use activate_rules::features::{Feature, Features};
use activate_rules::links::{Direction, LinkKind};
use activate_rules::weights::Weights;
use index::base::FactBase;
use index::history::{PastCommits, changed_with};
use index::text::{FieldScores, FieldWeights, QueryRarity, QueryTerm, Scores};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// The most edited files that are asked what usually changes with them.
const MAX_EDITED: usize = 20;

/// The files that have most of the words of edited lines, which are compared whatever else speaks for them.
const MAX_BY_TEXT: usize = 100;

/// The most files in the folders of edited ones that are compared, shared out among the folders.
const MAX_BESIDE: usize = 200;

/// The most edited definitions whose links are followed, the most links of one, and the most files at their ends that are compared.
const MAX_DEFINITIONS: usize = 200;
const MAX_LINKS: usize = 500;
const MAX_LINKED: usize = 300;

/// What was edited since the task began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// The files, in path order.
    pub files: Vec<NodeId>,
    /// The definitions in whose lines something changes, in order.
    pub definitions: Vec<NodeId>,
    /// The words of lines that are added or removed.
    pub terms: Vec<QueryTerm>,
}

/// What the edits say of other files.
pub(super) struct EditEvidence<'a> {
    base: &'a FactBase,
    edits: &'a Edits,
    /// What edited files changed with in the past: one in so many of their commits, as thousandths of one in one.
    with: FxHashMap<NodeId, i32>,
    /// Of each file the links in it that use what is edited, and those by which edited definitions use it.
    links: FxHashMap<NodeId, (u64, u64)>,
}

impl<'a> EditEvidence<'a> {
    /// None where nothing is edited.
    pub(super) fn new(base: &'a FactBase, past: &PastCommits, edits: &'a Edits, weights: &Weights) -> Option<Self> {
        if edits.files.is_empty() {
            return None;
        }
        let asked = &edits.files[..edits.files.len().min(MAX_EDITED)];
        let is_edited = |file: NodeId| edits.files.binary_search(&file).is_ok();
        let mut with: FxHashMap<NodeId, i32> = FxHashMap::default();
        for (from, to, link) in changed_with(base, past, asked, &weights.reading.history) {
            if is_edited(from) && !is_edited(to) {
                let known = with.entry(to).or_default();
                *known = (1000 / i32::from(link.damping().max(1))).max(*known);
            }
        }
        let mut links: FxHashMap<NodeId, (u64, u64)> = FxHashMap::default();
        for &node in edits.files.iter().take(MAX_EDITED).chain(edits.definitions.iter().take(MAX_DEFINITIONS)) {
            for (other, link) in base.links().row(node).take(MAX_LINKS) {
                let (kind, file) = (link.kind(), base.file_of(other));
                if matches!(kind, LinkKind::Contains | LinkKind::ContainedBy) || is_edited(file) {
                    continue;
                }
                let (n_uses, n_callees) = links.entry(file).or_default();
                match kind.info().direction {
                    Direction::Uses => *n_callees += 1,
                    Direction::UsedBy | Direction::Both => *n_uses += 1,
                }
            }
        }
        Some(Self { base, edits, with, links })
    }

    pub(super) fn is_edited(&self, file: NodeId) -> bool {
        self.edits.files.binary_search(&file).is_ok()
    }

    /// Files that may have to change too, in no order.
    pub(super) fn candidates(&self, weights: &FieldWeights) -> Vec<NodeId> {
        let base = self.base;
        let keep = |file: NodeId| is_compared(base, file) && !self.is_edited(file);
        let mut linked: Vec<(Reverse<u64>, NodeId)> = self
            .links
            .iter()
            .map(|(file, (n_uses, n_callees))| (Reverse(n_uses + n_callees), *file))
            .filter(|(_, file)| keep(*file))
            .collect();
        linked.sort_unstable();
        linked.truncate(MAX_LINKED);
        let by_text = base.text().ok().map(|index| {
            let keep = |doc: u32| keep(NodeId(doc));
            index.search(&self.edits.terms, weights, MAX_BY_TEXT, keep, &mut Scores::default())
        });
        let folders: FxHashSet<&str> = self.edits.files.iter().map(|file| folder(base.path(*file))).collect();
        let mut n_beside: FxHashMap<&str, usize> = FxHashMap::default();
        let beside = base.files().filter(|file| keep(*file)).filter(|file| {
            let of = folder(base.path(*file));
            let n = n_beside.entry(of).or_default();
            *n += 1;
            folders.contains(of) && *n <= MAX_BESIDE / folders.len().max(1) + 1
        });
        let mut candidates: Vec<NodeId> = beside.collect();
        candidates.extend(self.with.keys().copied().filter(|file| keep(*file)));
        candidates.extend(linked.into_iter().map(|(_, file)| file));
        candidates.extend(by_text.into_iter().flatten().map(|hit| NodeId(hit.doc)));
        candidates
    }

    /// Adds what the edits say to the features of files, which are in path order.
    pub(super) fn add_to(&self, files: &mut [(NodeId, Features)], weights: &FieldWeights) {
        let docs: Vec<u32> = files.iter().map(|(file, _)| file.0).collect();
        let (texts, rarity) = match self.base.text() {
            Ok(index) => index.field_scores(&docs, &self.edits.terms, weights),
            Err(_) => (vec![FieldScores::default(); docs.len()], QueryRarity::default()),
        };
        for ((file, features), text) in files.iter_mut().zip(&texts) {
            self.add_to_file(*file, text, rarity, features);
        }
    }

    fn add_to_file(&self, file: NodeId, text: &FieldScores, rarity: QueryRarity, features: &mut Features) {
        let mut set = |feature: Feature, value: i32| features[feature as usize] = value;
        let path = self.base.path(file);
        let (n_uses, n_callees) = self.links.get(&file).copied().unwrap_or_default();
        let share = |part: u32| (u64::from(part) * 1000 / u64::from(rarity.sum.max(1))) as i32;
        let edited = || self.edits.files.iter().take(MAX_EDITED).map(|edited| self.base.path(*edited));
        set(Feature::Edited, self.edits.files.len() as i32);
        set(Feature::EditedWith, self.with.get(&file).copied().unwrap_or_default());
        set(Feature::UsesEdited, log2(n_uses + 1) as i32);
        set(Feature::UsedByEdited, log2(n_callees + 1) as i32);
        set(Feature::EditedText, text.all);
        set(Feature::EditedCoverage, share(text.rarity));
        set(Feature::EditedNames, share(text.named_rarity));
        set(Feature::EditedApart, edited().map(|other| apart(path, other)).min().unwrap_or_default());
        set(Feature::EditedName, edited().map(|other| alike(name(path), name(other))).max().unwrap_or_default());
        set(Feature::EditedKind, i32::from(edited().any(|other| ending(other) == ending(path))));
    }
}

/// The name of a file without its folder.
fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// What follows the last dot of a name.
fn ending(path: &str) -> &str {
    name(path).rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Folders to climb and to go down between two files.
fn apart(one: &str, other: &str) -> i32 {
    let folders = |path| folder(path).split('/').filter(|name| !name.is_empty()).collect::<Vec<&str>>();
    let (one, other) = (folders(one), folders(other));
    let common = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    (one.len() + other.len() - 2 * common) as i32
}

/// What two names begin with in common, in thousandths of the longer one.
fn alike(one: &str, other: &str) -> i32 {
    let common = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    (common * 1000 / one.len().max(other.len()).max(1)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_as_far_apart_as_folders_lie_between_them_and_alike_by_the_beginning_of_their_names() {
        let cases =
            [("a/b/x.go", "a/b/y.go", 0, 0), ("a/b/poll_linux.go", "a/c/poll_darwin.go", 2, 357), ("x.go", "a/x.go", 1, 1000)];
        for (one, other, folders, names) in cases {
            assert_eq!((apart(one, other), alike(name(one), name(other))), (folders, names), "{one} {other}");
        }
    }
}
