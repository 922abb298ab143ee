//! Where the hunks of a patch stand in the files as they are, whether the patch is applied or not.
//!
//! A hunk is known by its lines: those of one side must stand in the file, at the place that the hunk names or elsewhere. Must not know
//! definitions, nor show anything: its texts hold secrets.

use super::patch::{FileChange, Hunk, Patch, Sign};
use super::{ChangedKind, ModeChange, STAGE};
use crate::error::Problem;
use crate::facts::base::FactBase;
use crate::repo::RepoPath;
use activate_rules::atoms::NodeId;

/// The most problems of hunks that are told one by one.
const MAX_PROBLEMS: usize = 20;
/// The most lines of a file, times lines of its hunks, that are compared to find them.
const MAX_TRIED: usize = 20_000_000;

/// A changed file with both of its texts.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) path: String,
    pub(crate) from: Option<String>,
    pub(super) kind: ChangedKind,
    pub(super) mode: Option<ModeChange>,
    pub(super) file: Option<NodeId>,
    pub(super) is_old: bool,
    /// Whether every hunk stands in the file, so that both texts are whole.
    pub(super) is_whole: bool,
    pub(crate) old: String,
    pub(crate) new: String,
    pub(super) hunks: Vec<PlacedHunk>,
}

/// A hunk in the texts of its file.
#[derive(Debug)]
pub(super) struct PlacedHunk {
    /// Where it stands in both texts, from 1.
    pub(super) old_at: u32,
    pub(super) new_at: u32,
    /// Whether it stands in the file itself.
    pub(super) fits: bool,
    pub(super) signs: Vec<Sign>,
}

/// The files of a patch, each with its hunks where they stand; and what of it stands nowhere.
pub(crate) fn place(
    base: &FactBase,
    patch: &Patch,
    read: &dyn Fn(NodeId) -> Result<Vec<u8>, String>,
) -> (Vec<Placed>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut n_unsaid = 0;
    let placed = patch.files.iter().filter_map(|change| {
        let (placed, why) = file(base, change, read)?;
        for message in why {
            if problems.len() < MAX_PROBLEMS {
                problems.push(Problem::at(STAGE, &placed.path, message));
            } else {
                n_unsaid += 1;
            }
        }
        Some(placed)
    });
    let placed: Vec<Placed> = placed.collect();
    if n_unsaid > 0 {
        problems.push(Problem::new(STAGE, format!("{n_unsaid} more hunks could not be placed")));
    }
    (placed, problems)
}

fn file(base: &FactBase, change: &FileChange, read: &dyn Fn(NodeId) -> Result<Vec<u8>, String>) -> Option<(Placed, Vec<String>)> {
    let at = |path: &Option<RepoPath>| path.as_ref().and_then(|path| find(base, path));
    let (new, old) = (at(&change.new), at(&change.old));
    let file = new.or(old);
    let mut problems = Vec::new();
    let named = change.path()?;
    let path = file.map_or_else(|| named.as_str().to_owned(), |file| base.path(file).to_owned());
    let is_moved = matches!((&change.old, &change.new), (Some(old), Some(new)) if old != new);
    let kind = match (&change.old, &change.new) {
        _ if change.is_binary => ChangedKind::Binary,
        (None, _) => ChangedKind::Added,
        (_, None) => ChangedKind::Deleted,
        _ if is_moved => ChangedKind::Renamed,
        _ => ChangedKind::Modified,
    };
    let from = change.old.as_ref().filter(|_| is_moved).map(|path| path.as_str().to_owned());
    let text = file.map(|file| read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
    let text = text.unwrap_or_else(|| Ok(String::new())).unwrap_or_else(|why| {
        problems.push(format!("its hunks are shown as the diff has them: {why}"));
        String::new()
    });
    let lines: Vec<&str> = text.lines().collect();
    let (is_old, places) = match (file, kind) {
        (None, ChangedKind::Deleted) => (false, vec![None; change.hunks.len()]),
        (None, _) => (true, vec![None; change.hunks.len()]),
        _ => side(&lines, change),
    };
    // A file that is not here is all in its hunks; only where it should be here there is something to say.
    let is_here = file.is_some();
    if !is_here && !change.hunks.is_empty() && !matches!(kind, ChangedKind::Added | ChangedKind::Deleted | ChangedKind::Binary) {
        problems.push("no such file is among those that are read here; its hunks are shown as the diff has them".to_owned());
    }
    let strays: Vec<&Hunk> =
        change.hunks.iter().zip(&places).filter(|(_, place)| place.is_none()).map(|(hunk, _)| hunk).collect();
    if is_here && problems.is_empty() {
        for hunk in &strays {
            problems.push(format!(
                "the hunk at line {} fits neither before nor after the change: the file has other lines there",
                hunk.new_first
            ));
        }
    }
    let is_whole = strays.is_empty() || !is_here && matches!(kind, ChangedKind::Added | ChangedKind::Deleted);
    let (old, new, hunks) = texts(&lines, change, &places, is_old);
    let mode = change.mode_change();
    Some((Placed { path, from, kind, mode, file, is_old, is_whole, old, new, hunks }, problems))
}

/// The file that a path of a patch means: that file, or the one that is left when folders in front are taken away, as `patch -p` does.
fn find(base: &FactBase, path: &RepoPath) -> Option<NodeId> {
    let mut rest = path.as_str();
    loop {
        if let Some(file) = base.file_at(rest) {
            return Some(file);
        }
        rest = rest.split_once('/')?.1;
        // A name alone is no place.
        if !rest.contains('/') && path.as_str().matches('/').count() > 2 {
            return None;
        }
    }
}

/// Which side of a change a file has, and where its hunks begin, from 0.
fn side(lines: &[&str], change: &FileChange) -> (bool, Vec<Option<usize>>) {
    let tried = |is_old: bool| {
        let places = places(lines, &change.hunks, is_old);
        let has_lines = |(hunk, place): &(&Hunk, &Option<usize>)| place.is_some() && hunk.side(is_old).next().is_some();
        (change.hunks.iter().zip(&places).filter(has_lines).count(), places)
    };
    let (new, old) = (tried(false), tried(true));
    if old.0 > new.0 { (true, old.1) } else { (false, new.1) }
}

/// Where the lines of one side of each hunk stand, each behind the one before.
fn places(lines: &[&str], hunks: &[Hunk], is_old: bool) -> Vec<Option<usize>> {
    let mut from = 0;
    // How far the hunks before were from where they say they are.
    let mut drift: i64 = 0;
    let mut left = MAX_TRIED;
    let place = |hunk: &Hunk| {
        let wanted: Vec<&str> = hunk.side(is_old).collect();
        let named = i64::from(if is_old { hunk.old_first } else { hunk.new_first }) - 1;
        let last = lines.len().checked_sub(wanted.len())?;
        // A patch may name any line.
        let expected = usize::try_from(named + drift).unwrap_or_default().clamp(from.min(last), last).max(from);
        if wanted.is_empty() {
            from = expected.min(lines.len());
            return Some(from);
        }
        if left == 0 {
            return None;
        }
        let mut stands = |at: usize| {
            left = left.saturating_sub(1);
            let is_here = left > 0 && lines[at] == wanted[0] && lines[at..at + wanted.len()] == wanted[..];
            if is_here {
                left = left.saturating_sub(wanted.len());
            }
            is_here
        };
        let nearest = (0..=last.max(expected)).find_map(|away| {
            let below = expected.checked_add(away).filter(|at| *at <= last);
            let above = expected.checked_sub(away).filter(|at| *at >= from && *at <= last);
            below.filter(|at| stands(*at)).or_else(|| above.filter(|at| stands(*at)))
        })?;
        drift = nearest as i64 - named;
        from = nearest + wanted.len();
        Some(nearest)
    };
    hunks.iter().map(place).collect()
}

/// Both texts of a file, and where its hunks stand in them. What stands nowhere follows behind the end.
fn texts(lines: &[&str], change: &FileChange, places: &[Option<usize>], is_old: bool) -> (String, String, Vec<PlacedHunk>) {
    let (mut old, mut new) = (Text::default(), Text::default());
    let mut next = 0;
    let mut fitting: Vec<Option<PlacedHunk>> = Vec::new();
    for (hunk, place) in change.hunks.iter().zip(places) {
        fitting.push(place.map(|at| {
            for line in &lines[next..at] {
                old.push(line);
                new.push(line);
            }
            next = at + hunk.side(is_old).count();
            hunk_in(hunk, true, &mut old, &mut new)
        }));
    }
    for line in &lines[next..] {
        old.push(line);
        new.push(line);
    }
    let hunks = fitting.into_iter().zip(&change.hunks);
    let hunks = hunks.map(|(fits, hunk)| fits.unwrap_or_else(|| hunk_in(hunk, false, &mut old, &mut new))).collect();
    (old.text, new.text, hunks)
}

fn hunk_in(hunk: &Hunk, fits: bool, old: &mut Text, new: &mut Text) -> PlacedHunk {
    let (old_at, new_at) = (old.n_lines + 1, new.n_lines + 1);
    for line in &hunk.lines {
        if line.sign != Sign::Added {
            old.push(&line.text);
        }
        if line.sign != Sign::Removed {
            new.push(&line.text);
        }
    }
    PlacedHunk { old_at, new_at, fits, signs: hunk.lines.iter().map(|line| line.sign).collect() }
}

#[derive(Default)]
struct Text {
    text: String,
    n_lines: u32,
}

impl Text {
    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.n_lines += 1;
    }
}
