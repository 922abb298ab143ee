//! The files that can differ between two states, those that were moved as one.

use super::renames::{Lines, Pairs, alike, equal};
use repo::{Mode, RepoPath, Version, unix_lines};
use rustc_hash::FxHashSet;

/// The most files of the work tree that are read to find out whether they are moved ones.
const MAX_READ: usize = 2_000;
/// The most files that went, and that came, whose lines are compared with all of the others.
const MAX_COMPARED: usize = 200;

/// A file of one state.
#[derive(Debug, Clone)]
pub(super) struct Seat {
    pub(super) path: RepoPath,
    /// The id of its content; none in the work tree, where it was not read yet.
    pub(super) id: Option<String>,
    /// What it is, where that is known.
    pub(super) mode: Option<Mode>,
    /// Whether no commit has it so, but the work tree.
    pub(super) is_work: bool,
}

impl Seat {
    /// A file of a commit.
    pub(super) fn of(path: RepoPath, version: Version) -> Self {
        Self { path, id: Some(version.id), mode: Some(version.mode), is_work: false }
    }

    fn is_file(&self) -> bool {
        self.mode.is_none_or(Mode::is_file)
    }

    /// Where it stands in the order of files that are looked at: code is what a review is about.
    fn order(&self) -> (bool, &RepoPath) {
        (activate_grammars::language_of(self.path.as_str()).is_none(), &self.path)
    }
}

/// What a file is in both states.
#[derive(Debug, Clone)]
pub(super) struct Moved {
    pub(super) old: Option<Seat>,
    pub(super) new: Option<Seat>,
}

impl Moved {
    /// Whether lines can be compared.
    pub(super) fn is_file(&self) -> bool {
        [&self.old, &self.new].into_iter().flatten().all(Seat::is_file)
    }

    /// The order in which files are kept where there are too many: those first of which lines change, and source.
    pub(super) fn order(&self) -> impl Ord + use<'_> {
        let is_same = matches!((&self.old, &self.new), (Some(old), Some(new)) if old.id.is_some() && old.id == new.id);
        (is_same, self.new.as_ref().or(self.old.as_ref()).map(Seat::order))
    }
}

/// What is asked for the contents of files.
pub(super) struct Contents<'c> {
    /// What the older state holds, and the newer one; none where it cannot be read.
    pub(super) old: &'c dyn Fn(&Seat) -> Option<Vec<u8>>,
    pub(super) new: &'c dyn Fn(&Seat) -> Option<Vec<u8>>,
    /// The id of a content.
    pub(super) id: &'c dyn Fn(&[u8]) -> Option<String>,
}

/// The same files with each that went and came as one, and what was not looked at for it.
pub(super) fn pair(moved: Vec<Moved>, contents: &Contents<'_>) -> (Vec<Moved>, Option<String>) {
    let (mut paired, mut gone, mut came) = (Vec::new(), Vec::new(), Vec::new());
    for moved in moved {
        match moved {
            Moved { old: Some(old), new: None } if old.is_file() => gone.push(old),
            Moved { old: None, new: Some(new) } if new.is_file() => came.push(new),
            moved => paired.push(moved),
        }
    }
    let mut n_unread = 0;
    if !gone.is_empty() && !came.is_empty() {
        gone.sort_by(|one, other| one.path.cmp(&other.path));
        came.sort_by(|one, other| one.path.cmp(&other.path));
        n_unread = identify(&gone, &mut came, contents);
        let empty = (contents.id)(b"").unwrap_or_default();
        let pairs = equal(&ids(&gone), &ids(&came), &empty);
        take(pairs, &mut gone, &mut came, &mut paired);
    }
    let mut is_cut = false;
    if !gone.is_empty() && !came.is_empty() {
        gone.sort_by(|one, other| one.order().cmp(&other.order()));
        came.sort_by(|one, other| one.order().cmp(&other.order()));
        let (pairs, is_spent) = alike(&lines(&gone, contents.old), &lines(&came, contents.new));
        is_cut = is_spent || gone.len().max(came.len()) > MAX_COMPARED;
        take(pairs, &mut gone, &mut came, &mut paired);
    }
    paired.extend(gone.into_iter().map(|old| Moved { old: Some(old), new: None }));
    paired.extend(came.into_iter().map(|new| Moved { old: None, new: Some(new) }));
    let path = |moved: &Moved| moved.new.as_ref().or(moved.old.as_ref()).map(|seat| seat.path.clone());
    paired.sort_by_cached_key(path);
    let is_cut = is_cut || n_unread > 0;
    let message = format!(
        "a file that was moved and changed may stand as one that goes and one that is new: at most {MAX_COMPARED} of both are compared \
         with each other"
    );
    (paired, is_cut.then_some(message))
}

/// Reads files without an id; how many were not read.
fn identify(gone: &[Seat], came: &mut [Seat], contents: &Contents<'_>) -> usize {
    let known: FxHashSet<&str> = gone.iter().filter_map(|seat| seat.id.as_deref()).collect();
    let unknown: Vec<&mut Seat> = came.iter_mut().filter(|seat| seat.id.is_none()).collect();
    let n_unread = unknown.len().saturating_sub(MAX_READ);
    for seat in unknown.into_iter().take(MAX_READ) {
        let Some(content) = (contents.new)(seat) else { continue };
        let id = |content: &[u8]| (contents.id)(content).filter(|id| known.contains(id.as_str()));
        // Git may have stored it without the line ends of the work tree.
        seat.id = id(&content).or_else(|| id(&unix_lines(&content)));
    }
    n_unread
}

/// Paths and ids; a file that was not read is equal to none.
fn ids(seats: &[Seat]) -> Vec<(&str, Option<&str>)> {
    seats.iter().map(|seat| (seat.path.as_str(), seat.id.as_deref())).collect()
}

/// The lines of the first files. What cannot be read is told where it is compared.
fn lines<'s>(seats: &'s [Seat], read: &dyn Fn(&Seat) -> Option<Vec<u8>>) -> Vec<(&'s str, Lines)> {
    let of = |seat: &'s Seat| (seat.path.as_str(), Lines::of(&read(seat).unwrap_or_default()));
    seats.iter().take(MAX_COMPARED).map(of).collect()
}

/// Takes the files of pairs out of both lists.
fn take(pairs: Pairs, gone: &mut Vec<Seat>, came: &mut Vec<Seat>, paired: &mut Vec<Moved>) {
    let mut old: Vec<Option<Seat>> = std::mem::take(gone).into_iter().map(Some).collect();
    let mut new: Vec<Option<Seat>> = std::mem::take(came).into_iter().map(Some).collect();
    for (at_old, at_new) in pairs {
        let (old, new) = (old.get_mut(at_old).and_then(Option::take), new.get_mut(at_new).and_then(Option::take));
        paired.push(Moved { old, new });
    }
    *gone = old.into_iter().flatten().collect();
    *came = new.into_iter().flatten().collect();
}
