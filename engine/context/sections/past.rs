//! Section 4: why the code is as it is.
//!
//! Must not run git: what it says is given.

use super::{Draft, Entry, Safe, Section, View, more};
use crate::fill::{Compression, Cut, End, Group, Step};
use crate::git_state::CommitLine;
use crate::pieces::About;
use redact::Trust;

/// The most commits that are shown.
const MAX_COMMITS: usize = 20;
/// The most commits that are shown where the caller gives none.
const MAX_FOUND: usize = 5;
/// Commits that are kept until nothing else can go.
const FEWEST_COMMITS: usize = 5;
/// Digits of a commit's hash.
const SHA_DIGITS: usize = 8;
/// Characters of the history that are shown.
const MAX_HISTORY: usize = 2_000;

const GIT: usize = 0;
const COMMITS: usize = 1;
const HISTORY: usize = 2;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let counter = view.counter;
    let mut git = tree(view);
    let commits = commits(view);
    if git.is_empty() && !commits.is_empty() {
        git.push(Entry::line(counter, About { kind: "branch", ..About::default() }, Safe::fixed("  Branch: not known")));
    }
    let cut = Cut { indent: "    ", noun: "commits", how: "git log PATH" };
    let mut explained = Group::plain(counter, commits, cut);
    explained.heading = Some(counter.line(Safe::fixed("  Recent commits (context for why code exists):")));
    let mut draft = Draft::new(
        Section::Past,
        vec![
            Group::new(counter, "GIT STATE:", git, more("lines")),
            explained,
            Group::new(counter, "SESSION HISTORY (compressed):", history(view), more("earlier turns")),
        ],
    );
    let state = view.state;
    draft.is_found = state.git_recent_commits.is_empty() && state.compressed_history.trim().is_empty();
    draft.compression = vec![
        (Compression::History, Step::Drop(HISTORY, End::First, 0)),
        (Compression::Commits, Step::Drop(COMMITS, End::Last, FEWEST_COMMITS)),
    ];
    draft.steps = vec![Step::Drop(COMMITS, End::Last, 0), Step::Drop(GIT, End::Last, 0)];
    draft
}

/// Branch and number of changes: what the caller says, else what git says.
fn tree(view: &View<'_>) -> Vec<Entry> {
    let (state, git) = (view.state, view.sources.git);
    let mut entries = Vec::new();
    let mut add = |kind, files: Option<Safe>, line| {
        let about = About { kind, summary: files.filter(|_| view.sources.traced), ..About::default() };
        entries.push(Entry::line(view.counter, about, line));
    };
    let branch = state.git_branch.as_deref().or(git.branch.as_deref());
    let line = match (branch, &git.commit) {
        (Some(branch), _) => Some(Safe::format("  Branch: {}", &[&view.masker.name(branch)])),
        (None, Some(commit)) => {
            let sha: String = commit.chars().take(SHA_DIGITS).collect();
            Some(Safe::format("  Commit: {}", &[&view.masker.name(&sha)]))
        }
        (None, None) => git.is_repository.then(|| Safe::fixed("  Branch: none (detached head)")),
    };
    if let Some(line) = line {
        add("branch", None, view.said_of(&line));
    }
    let modified = if state.git_modified_files.is_empty() { &git.modified } else { &state.git_modified_files };
    if !modified.is_empty() {
        let active: Vec<Safe> =
            modified.iter().filter(|path| view.rank_of(path) != usize::MAX).map(|path| view.masker.name(path)).collect();
        let active = (!active.is_empty()).then(|| Safe::join(&active, ", "));
        let which = active.as_ref().map(|active| Safe::format(" (of this task: {})", &[active])).unwrap_or_default();
        let line = Safe::format("  Modified files: {}{}", &[&Safe::number(modified.len() as i64), &which]);
        add("working_change", active, view.said_of(&line));
    }
    entries
}

/// The commits that explain the code: those that the caller gave, else those of the hot files, each with the file it explains.
fn commits(view: &View<'_>) -> Vec<Entry> {
    let about = |path: Option<Safe>| About { kind: "commit", path, trust: Some(Trust::CommitMessage), ..About::default() };
    let given = &view.state.git_recent_commits;
    if !given.is_empty() {
        let line = |text: &String| Safe::format("    - {}", &[&view.masker.line(text)]);
        return given.iter().take(MAX_COMMITS).map(|text| Entry::line(view.counter, about(None), line(text))).collect();
    }
    let ranked = view.sources.git.ranked();
    let entry = |commit: &&CommitLine| {
        let sha: String = commit.sha.chars().take(SHA_DIGITS).collect();
        let file = view.placed_name(&commit.file);
        let pieces = [&view.masker.name(&sha), &view.masker.line(&commit.subject), &view.masker.name(&commit.author), &file];
        let line = if commit.file.is_empty() {
            Safe::format("    - {}: \"{}\" ({})", &pieces)
        } else {
            Safe::format("    - {}: \"{}\" ({}) explains {}", &pieces)
        };
        Entry::line(view.counter, about((!commit.file.is_empty()).then_some(file)), line)
    };
    ranked.iter().take(MAX_FOUND).map(entry).collect()
}

/// The newest turns of the history, oldest first, as many as fit into 2,000 characters. A turn that alone is longer is cut.
fn history(view: &View<'_>) -> Vec<Entry> {
    let mut turns = Vec::new();
    let mut left = MAX_HISTORY;
    for turn in view.state.compressed_history.lines().rev().filter(|turn| !turn.trim().is_empty()) {
        let n_characters = turn.chars().count();
        if n_characters > left {
            if turns.is_empty() {
                turns.push(turn.chars().take(left).collect::<String>());
            }
            break;
        }
        left -= n_characters;
        turns.push(turn.to_owned());
    }
    let about = About { kind: "history", trust: Some(Trust::Trusted), ..About::default() };
    let line = |turn: &String| Safe::format("  {}", &[&view.masker.line(turn)]);
    turns.iter().rev().map(|turn| Entry::line(view.counter, about.clone(), line(turn))).collect()
}
