//! Brings commits of a repository that has a url into the store, by git's own program: with the user's credentials and settings, one branch, no
//! hooks, no submodules.
//!
//! Whoever may run programs runs git: see [`Git`].

use crate::manifest::Repository;
use crate::store::Writer;
use error::{Error, ErrorKind, Result};
use redact::Masker;
use repo::{Alternates, Repo};
use std::path::Path;

/// Runs git with arguments in a folder, within limits of time and size; an error says why it did not come to an end.
pub type Git<'g> = dyn Fn(&[String], &Path) -> Result<Said> + Sync + 'g;

/// What git said before it ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Whether it ended with exit code 0.
    pub is_well: bool,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error, or the end of that.
    pub stderr: String,
}

/// What git has to find in its environment: it asks nothing on a terminal, though programs that it starts may (ssh, those that ask for passwords), and
/// uses the ways alone that a manifest may name.
pub const SETTINGS: [(&str, &str); 3] =
    [("GIT_TERMINAL_PROMPT", "0"), ("GIT_ALLOW_PROTOCOL", "https:ssh:git:file"), ("GIT_OPTIONAL_LOCKS", "0")];

/// What git must not find in its environment: within a hook these name another repository.
pub const CLEARED: [&str; 16] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_QUARANTINE_PATH",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_GRAFT_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
];

/// Settings that hold whatever the user's own say: nothing runs beside git, and nothing goes on behind it.
const OWN: [&str; 4] =
    ["core.hooksPath=/dev/null", "gc.autoDetach=false", "maintenance.autoDetach=false", "submodule.recurse=false"];

/// The reference that stands at what was fetched last. Git sets it when all objects are there.
const FOLLOWED: &str = "refs/heads/followed";

/// The most of git's own words that an error repeats, in letters.
const MAX_WORDS: usize = 300;

/// Brings the newest commit of the followed branch into the store and gives its id; none where the repository has no commit yet.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] where the branch or commit is not there, [`ErrorKind::NoRepository`] where git cannot fetch, and what git's folder gives.
pub(crate) fn fetch(repository: &Repository, url: &str, writer: &Writer<'_>, git: &Git<'_>) -> Result<Option<String>> {
    let folder = writer.store().git_folder(&repository.name);
    if !has(&folder) {
        let temporary = writer.temporary(&format!("{}.git", repository.name))?;
        ask(git, &temporary, &["init", "--quiet", "--bare", "--template=", "."])?;
        writer.place(&temporary, &folder)?;
    }
    let followed = || Repo::commit_id(&folder, FOLLOWED, Alternates::Refuse).ok().flatten();
    let known = followed();
    if let Some(commit) = &repository.commit {
        if known.as_ref() != Some(commit) {
            pinned(commit, url, &folder, git)?;
        }
        return readable(followed());
    }
    let reference = repository.branch.as_ref().map_or_else(|| "HEAD".to_owned(), |branch| format!("refs/heads/{branch}"));
    let listed = ask(git, &folder, &["ls-remote", "--quiet", "--", url, &reference])?;
    let newest = listed.lines().filter_map(|line| line.split_once('\t')).find(|(_, name)| *name == reference);
    let Some((newest, _)) = newest else {
        return match &repository.branch {
            None if known.is_none() => Ok(None),
            None => Err(Error::new(ErrorKind::BadInput, "the branch that it calls its own has no commit any more")),
            Some(branch) => Err(has_no_branch(branch)),
        };
    };
    if known.as_deref() != Some(newest) {
        bring(git, &folder, url, &format!("+{reference}:{FOLLOWED}"))?;
    }
    readable(followed())
}

/// The branch that is followed is not there.
pub(crate) fn has_no_branch(branch: &str) -> Error {
    Error::new(ErrorKind::BadInput, format!("it has no branch `{branch}`; correct its `branch` in the manifest"))
}

/// What was fetched is there.
fn readable(followed: Option<String>) -> Result<Option<String>> {
    followed.map(Some).ok_or_else(|| Error::new(ErrorKind::NoRepository, "git fetched it, and it cannot be read"))
}

/// Brings one commit: by itself where the server gives it, else with all branches.
fn pinned(commit: &str, url: &str, folder: &Path, git: &Git<'_>) -> Result<()> {
    if bring(git, folder, url, &format!("+{commit}:{FOLLOWED}")).is_ok() {
        return Ok(());
    }
    bring(git, folder, url, "+refs/heads/*:refs/remotes/all/*")?;
    let set = ask(git, folder, &["update-ref", FOLLOWED, commit]);
    set.map(drop).map_err(|_| Error::new(ErrorKind::BadInput, format!("it has no commit `{commit}` on any branch")))
}

fn bring(git: &Git<'_>, folder: &Path, url: &str, what: &str) -> Result<()> {
    let flags = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--", url, what];
    ask(git, folder, &flags).map(drop)
}

/// Runs git in a folder and gives what it answers.
fn ask(git: &Git<'_>, folder: &Path, words: &[&str]) -> Result<String> {
    let mut arguments: Vec<String> = OWN.iter().flat_map(|setting| ["-c".to_owned(), (*setting).to_owned()]).collect();
    if words.first() != Some(&"init") {
        arguments.push("--git-dir=.".to_owned());
    }
    arguments.extend(words.iter().map(|word| (*word).to_owned()));
    let said = git(&arguments, folder)?;
    if said.is_well {
        return Ok(said.stdout);
    }
    let what = words.first().copied().unwrap_or_default();
    Err(Error::new(ErrorKind::NoRepository, format!("`git {what}` failed: {}", words_of(&said.stderr))))
}

/// What git said of why it failed, with secrets masked and as one line: the first line of git's own that tells of it, and some around it.
fn words_of(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let failed = lines.iter().position(|line| ["fatal:", "error:"].iter().any(|word| line.starts_with(word)));
    // What git started, such as ssh, said why before.
    let first = failed.unwrap_or(lines.len()).saturating_sub(if failed.is_some() { 2 } else { 3 });
    let near: Vec<&str> = lines.into_iter().skip(first).take(5).collect();
    let masked = Masker::knowing_nothing().line(&near.join("; "));
    let short: String = masked.as_str().chars().take(MAX_WORDS).collect();
    if short.is_empty() { "it said nothing".to_owned() } else { short }
}

#[expect(clippy::disallowed_methods, reason = "the store's own folder")]
fn has(folder: &Path) -> bool {
    folder.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn what_git_says_begins_where_it_says_why() {
        let told = [
            "Warning: one\nWarning: two\nssh: Could not resolve hostname x\nfatal: Could not read from remote repository.\n\nPlease make sure",
            "fatal: '/x' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure\nand so on\n",
            "one\ntwo\nthree\nfour\n",
            "\n",
        ]
        .map(words_of);
        assert_eq!(
            told,
            [
                "Warning: two; ssh: Could not resolve hostname x; fatal: Could not read from remote repository.; Please make sure",
                "fatal: '/x' does not appear to be a git repository; fatal: Could not read from remote repository.; Please make sure; and so on",
                "two; three; four",
                "it said nothing",
            ]
        );
    }
}
