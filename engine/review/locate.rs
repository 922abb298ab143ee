//! Where the hunks of a patch stand in the files as they are, whether the patch is applied or not.
//!
//! A hunk is known by its lines: those of one side must stand in the file, at the place that the hunk names or elsewhere. Must not know
//! definitions, nor show anything: its texts hold secrets.

use super::fit::{Finder, Fit};
use super::patch::{FileChange, Hunk, Patch, Sign};
use super::{ChangedKind, ModeChange, STAGE};
use activate_grammars::language_of;
use activate_rules::atoms::NodeId;
use error::Problem;
use index::base::FactBase;
use redact::{KEY_LINE, key_lines};
use repo::RepoPath;

/// The most problems of hunks that are told one by one.
const MAX_PROBLEMS: usize = 20;
/// The most files that are tried for one of a patch.
const MAX_TRIED: usize = 8;
/// The most bytes of files that are read for a patch: it can name a large one in each of its parts.
const MAX_BYTES: usize = 16 << 20;

/// A changed file with both of its texts.
#[derive(Debug)]
pub struct Placed {
    /// Where it is, or was.
    pub path: String,
    /// Where it was, if it moved.
    pub from: Option<String>,
    pub(super) kind: ChangedKind,
    pub(super) mode: Option<ModeChange>,
    pub(super) file: Option<NodeId>,
    pub(super) is_old: bool,
    /// Whether every hunk stands in the file, so that both texts are whole.
    pub(super) is_whole: bool,
    /// The text before the change.
    pub old: String,
    /// The text after it.
    pub new: String,
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

impl PlacedHunk {
    /// The lines that have this sign, in the text that has them; from 1.
    pub(super) fn lines_of(&self, wanted: Sign) -> impl Iterator<Item = u32> {
        let first = if wanted == Sign::Removed { self.old_at } else { self.new_at };
        let other = if wanted == Sign::Removed { Sign::Added } else { Sign::Removed };
        let there = self.signs.iter().filter(move |sign| **sign != other);
        there.zip(first..).filter(move |(sign, _)| **sign == wanted).map(|(_, line)| line)
    }
}

/// What is asked of the repository to place a patch.
pub struct Files<'a> {
    /// What is known of the files.
    pub base: &'a FactBase,
    /// Whether paths are those of the repository: a patch from elsewhere may have folders before them.
    pub is_exact: bool,
    /// The content of a file, or why there is none.
    pub read: &'a dyn Fn(NodeId) -> Result<Vec<u8>, String>,
}

/// Reads files up to a bound for all of a patch.
struct Reader<'a> {
    files: &'a Files<'a>,
    n_left: usize,
}

impl Reader<'_> {
    fn text(&mut self, file: NodeId) -> Result<String, String> {
        if self.n_left == 0 {
            return Err(format!("more than {} MiB of files are read for the patch before it", MAX_BYTES >> 20));
        }
        let bytes = (self.files.read)(file)?;
        self.n_left = self.n_left.saturating_sub(bytes.len());
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The files of a patch, each with its hunks where they stand; and what of it stands nowhere.
pub fn place(files: &Files<'_>, patch: &Patch) -> (Vec<Placed>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut n_unsaid = 0;
    let mut finder = Finder::new();
    let mut reader = Reader { files, n_left: MAX_BYTES };
    let placed = patch.files.iter().filter_map(|change| {
        let (placed, why) = file(&mut reader, change, &mut finder)?;
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

fn file(reader: &mut Reader<'_>, change: &FileChange, finder: &mut Finder) -> Option<(Placed, Vec<String>)> {
    let base = reader.files.base;
    let file = find(reader, change, finder);
    let mut problems = Vec::new();
    let named = change.path()?;
    let path = file.map_or_else(|| named.as_str().to_owned(), |file| base.path(file).to_owned());
    let is_moved = matches!((&change.old, &change.new), (Some(old), Some(new)) if old != new);
    let kind = match (&change.old, &change.new) {
        _ if change.is_binary => ChangedKind::Binary,
        _ if change.is_large => ChangedKind::Large,
        (None, _) => ChangedKind::Added,
        (_, None) => ChangedKind::Deleted,
        _ if is_moved => ChangedKind::Renamed,
        _ => ChangedKind::Modified,
    };
    let from = change.old.as_ref().filter(|_| is_moved).map(|path| path.as_str().to_owned());
    // Without hunks there is nothing to find, and nothing to show; of code what it defines counts where it moves.
    let is_read = !change.is_large && !change.is_binary && (!change.hunks.is_empty() || language_of(&path).is_some());
    let text = file.filter(|_| is_read).map(|file| reader.text(file));
    let text = text.unwrap_or_else(|| Ok(String::new())).unwrap_or_else(|why| {
        problems.push(format!("its hunks are shown as the diff has them: {why}"));
        String::new()
    });
    let lines: Vec<&str> = text.lines().collect();
    let fit = match file {
        None => Fit { is_old: kind != ChangedKind::Deleted, places: vec![None; change.hunks.len()], n_lines: 0 },
        Some(_) => finder.fit(&lines, change),
    };
    // A file that is not here is all in its hunks; only where it should be here there is something to say.
    let is_here = file.is_some();
    if !is_here && !change.hunks.is_empty() && !matches!(kind, ChangedKind::Added | ChangedKind::Deleted | ChangedKind::Binary) {
        problems
            .push("no such file is in this repository, or it is ignored; its hunks are shown as the diff has them".to_owned());
    }
    let strays: Vec<&Hunk> =
        change.hunks.iter().zip(&fit.places).filter(|(_, place)| place.is_none()).map(|(hunk, _)| hunk).collect();
    if is_here && problems.is_empty() {
        let why = if finder.is_spent() {
            "was not found: the patch has too many lines that repeat"
        } else {
            "fits neither before nor after the change: the file has other lines there"
        };
        problems.extend(strays.iter().map(|hunk| format!("the hunk at line {} {why}", hunk.new_first)));
    }
    let is_all = !is_here && matches!(kind, ChangedKind::Added | ChangedKind::Deleted);
    let is_whole = strays.is_empty() || is_all;
    let (old, new, hunks) = texts(&lines, change, &fit, is_all);
    let mode = change.mode_change();
    Some((Placed { path, from, kind, mode, file, is_old: fit.is_old, is_whole, old, new, hunks }, problems))
}

/// The file that a change means: that with its path, or one that is left when folders in front are taken away, as `patch -p` does. Another
/// file may have that name, so all hunks must stand there.
fn find(reader: &mut Reader<'_>, change: &FileChange, finder: &mut Finder) -> Option<NodeId> {
    let base = reader.files.base;
    let paths = || [&change.new, &change.old].into_iter().flatten().map(RepoPath::as_str);
    if let Some(file) = paths().find_map(|path| base.file_at(path)) {
        return Some(file);
    }
    if reader.files.is_exact || change.old.is_none() || change.new.is_none() || change.hunks.is_empty() {
        return None;
    }
    let shorter = |path| std::iter::successors(Some(path), |rest: &&str| Some(rest.split_once('/')?.1)).skip(1);
    let mut tried: Vec<NodeId> = Vec::new();
    for file in paths().flat_map(shorter).filter_map(|path| base.file_at(path)) {
        if tried.len() < MAX_TRIED && !tried.contains(&file) {
            tried.push(file);
        }
    }
    let mut stands = |file: &NodeId| {
        let text = reader.text(*file);
        text.is_ok_and(|text| finder.fit(&text.lines().collect::<Vec<_>>(), change).is_proved())
    };
    tried.into_iter().find(|file| stands(file))
}

/// Both texts of a file, and where its hunks stand in them. What stands nowhere follows behind the end. Where the hunks are not all of the
/// file, what tells of a key is missing where lines of it stand in no file.
fn texts(lines: &[&str], change: &FileChange, fit: &Fit, is_all: bool) -> (String, String, Vec<PlacedHunk>) {
    let (mut old, mut new) = (Text::default(), Text::default());
    let mut next = 0;
    let mut fitting: Vec<Option<PlacedHunk>> = Vec::new();
    for (hunk, place) in change.hunks.iter().zip(&fit.places) {
        fitting.push(place.map(|at| {
            for line in &lines[next..at] {
                old.push(line);
                new.push(line);
            }
            let n_here = hunk.side(fit.is_old).count();
            next = at + n_here;
            PlacedHunk { fits: true, ..hunk_in(hunk, n_here == 0 && !is_all, &mut old, &mut new) }
        }));
    }
    for line in &lines[next..] {
        old.push(line);
        new.push(line);
    }
    let hunks = fitting.into_iter().zip(&change.hunks);
    let hunks = hunks.map(|(fits, hunk)| fits.unwrap_or_else(|| hunk_in(hunk, !is_all, &mut old, &mut new))).collect();
    (old.text, new.text, hunks)
}

/// A hunk whose lines are added to both texts; of what is cut from its file, lines of keys are masked.
fn hunk_in(hunk: &Hunk, is_cut: bool, old: &mut Text, new: &mut Text) -> PlacedHunk {
    let (old_at, new_at) = (old.n_lines + 1, new.n_lines + 1);
    let lines: Vec<&str> = hunk.lines.iter().map(|line| line.text.as_str()).collect();
    let are_key = if is_cut { key_lines(&lines) } else { vec![false; lines.len()] };
    for (line, is_key) in hunk.lines.iter().zip(are_key) {
        let text = if is_key { KEY_LINE } else { &line.text };
        if line.sign != Sign::Added {
            old.push(text);
        }
        if line.sign != Sign::Removed {
            new.push(text);
        }
    }
    PlacedHunk { old_at, new_at, fits: false, signs: hunk.lines.iter().map(|line| line.sign).collect() }
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
