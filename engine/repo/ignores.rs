//! Which paths the ignore files of a repository leave out.
//!
//! Must not open anything: it is handed the text of each ignore file.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Names of ignore files, the one that has the last word first. The list in git's own folder comes after them.
pub(super) const FILES: [&str; 3] = [".activateignore", ".ignore", ".gitignore"];

/// The first precedence of the lists that are git's: they say nothing of files that git tracks.
pub(super) const FIRST_OF_GIT: usize = 2;

/// A list longer than this is not applied: real ones have a few hundred lines, and each line becomes an automaton.
const MAX_LINES: usize = 10_000;

/// The most lines of all lists of a repository together, equal lists counted once; ten thousand take about a second.
const MAX_LINES_OF_ALL: usize = 20_000;

/// The ignore lists that hold in one folder: a file's precedence first, then the nearest folder's.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    /// Per precedence the lists from the root inwards.
    lists: [Vec<Arc<List>>; FILES.len() + 1],
}

/// One ignore file's patterns.
#[derive(Debug)]
pub(super) struct List {
    /// How many bytes of a path come before the part that the patterns see.
    base: usize,
    patterns: Arc<Gitignore>,
}

/// The patterns of the ignore files met so far: each text is compiled once, in whatever folders it stands.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    by_text: FxHashMap<Vec<u8>, Patterns>,
    n_lines: usize,
}

/// The patterns of a text, and what was left out of them.
type Patterns = (Option<Arc<Gitignore>>, Option<String>);

impl Compiled {
    /// The list of an ignore file in the folder `folder` (no trailing slash, empty for the root), and what was left out.
    ///
    /// Which lists are left out depends on the order in which they are met.
    pub(super) fn list(&mut self, folder: &[u8], text: &[u8]) -> (Option<List>, Option<String>) {
        let (patterns, note) = if let Some(known) = self.by_text.get(text) {
            known.clone()
        } else {
            let made = self.compile(&String::from_utf8_lossy(text));
            self.by_text.insert(text.to_vec(), made.clone());
            made
        };
        let base = if folder.is_empty() { 0 } else { folder.len() + 1 };
        (patterns.map(|patterns| List { base, patterns }), note)
    }

    fn compile(&mut self, text: &str) -> Patterns {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let n_lines = text.lines().count();
        if n_lines > MAX_LINES {
            return (None, Some(format!("this ignore file has more than {MAX_LINES} lines and is not applied")));
        }
        if self.n_lines + n_lines > MAX_LINES_OF_ALL {
            let note =
                format!("this ignore file is not applied: with it, those read would have more than {MAX_LINES_OF_ALL} lines");
            return (None, Some(note));
        }
        self.n_lines += n_lines;
        let mut builder = GitignoreBuilder::new("");
        let n_bad = text.lines().filter(|line| builder.add_line(None, line).is_err()).count();
        let note = (n_bad > 0).then(|| format!("lines of this ignore file that are not patterns and are not applied: {n_bad}"));
        match builder.build() {
            Ok(patterns) => (Some(Arc::new(patterns)), note),
            Err(error) => (None, Some(format!("this ignore file is not applied: {error}"))),
        }
    }
}

impl List {
    /// Compiles a pattern that a caller gives, one or more lines of an ignore file, or says why it cannot be read.
    ///
    /// Stricter than for files, in which by tradition an open bracket stands for itself and a comment for nothing: whoever gives such a
    /// pattern expects it to leave something out.
    pub(super) fn of_pattern(pattern: &str) -> Result<Self, String> {
        let why = |error: ignore::Error| match error {
            ignore::Error::Glob { err, .. } => err,
            other => other.to_string(),
        };
        let mut builder = GitignoreBuilder::new("");
        builder.allow_unclosed_class(false);
        for line in pattern.lines() {
            builder.add_line(None, line).map_err(why)?;
        }
        let patterns = builder.build().map_err(why)?;
        let names_nothing = pattern.trim_matches(|c: char| c.is_whitespace() || matches!(c, '!' | '/')).is_empty();
        if patterns.is_empty() || names_nothing {
            return Err("it matches nothing".to_owned());
        }
        Ok(Self { base: 0, patterns: Arc::new(patterns) })
    }

    fn verdict(&self, path: &[u8], is_folder: bool) -> Option<bool> {
        let relative = system::path_like(path.get(self.base..)?);
        match self.patterns.matched(&relative, is_folder) {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        }
    }
}

/// A pattern of paths, in the form of a `.gitignore` line.
#[derive(Debug)]
pub struct Pattern(List);

impl Pattern {
    /// Compiles a pattern, or says why it cannot be read.
    ///
    /// # Errors
    ///
    /// What is wrong with the pattern.
    pub fn new(pattern: &str) -> Result<Self, String> {
        List::of_pattern(pattern).map(Self)
    }

    /// Whether a file at this path is meant, by itself or by a folder above it.
    pub fn is_match(&self, path: &str) -> bool {
        let above = path.match_indices('/').map(|(at, _)| (&path[..at], true));
        above.chain([(path, false)]).any(|(path, is_folder)| self.0.verdict(path.as_bytes(), is_folder) == Some(true))
    }
}

impl Rules {
    /// Adds a list of a precedence: an index into [`FILES`], or its length for the list in git's own folder.
    pub(super) fn add(&mut self, precedence: usize, list: List) {
        if let Some(lists) = self.lists.get_mut(precedence) {
            lists.push(Arc::new(list));
        }
    }

    /// Whether `path`, in the folder these rules are for, is left out.
    pub(super) fn ignores(&self, path: &[u8], is_folder: bool) -> bool {
        self.ignored_by(path, is_folder).is_some()
    }

    /// The precedence of the list that leaves `path` out.
    pub(super) fn ignored_by(&self, path: &[u8], is_folder: bool) -> Option<usize> {
        let lists =
            self.lists.iter().enumerate().flat_map(|(precedence, lists)| lists.iter().rev().map(move |list| (precedence, list)));
        let verdict = lists.into_iter().find_map(|(precedence, list)| Some((precedence, list.verdict(path, is_folder)?)));
        verdict.filter(|(_, ignored)| *ignored).map(|(precedence, _)| precedence)
    }
}
