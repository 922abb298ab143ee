//! The manifest of a fleet: which repositories there are, where they come from, and who owns them.

mod edit;
mod name;
mod place;

pub use edit::{Addition, added, removed};
pub use place::Place;

use error::{Error, ErrorKind, Result};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::fmt;
use std::path::{Path, PathBuf};
use toml::Spanned;
use xxhash_rust::xxh3::xxh3_64;

/// The largest manifest that is read, in bytes: so many repositories with a hundred bytes each.
const MAX_BYTES: u64 = 4 << 20;
/// The most repositories of a fleet.
pub const MAX_REPOSITORIES: usize = 10_000;
/// The longest url, path, branch or owner, in bytes.
const MAX_TEXT: usize = 1_024;
/// The most owners of a repository.
const MAX_OWNERS: usize = 100;
/// Digits of a commit's id.
const ID_DIGITS: usize = 40;

/// A manifest that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Its file.
    pub path: PathBuf,
    /// Its repositories, in the order of names.
    pub repositories: Vec<Repository>,
}

/// A repository of a fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// How places of it are called.
    pub name: String,
    /// Where it comes from.
    pub place: Place,
    /// The same as the manifest writes it.
    pub written: String,
    /// The branch that is followed; none for the one that the repository itself calls its own.
    pub branch: Option<String>,
    /// The commit that it stays at.
    pub commit: Option<String>,
    /// Who owns it, beside what its own files say.
    pub owners: Vec<String>,
    /// Where it stands in the manifest: its first line.
    pub line: usize,
}

impl Repository {
    /// Stands for what is read: where it comes from, and which branch or commit.
    pub(crate) fn entry(&self) -> u64 {
        let of = |text: &Option<String>| text.clone().unwrap_or_default();
        let kind = if matches!(self.place, Place::Url(_)) { "url" } else { "path" };
        xxh3_64([kind, &self.written, &of(&self.branch), &of(&self.commit)].join("\n").as_bytes())
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    repository: Vec<Spanned<Entry>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Spanned<String>,
    url: Option<Spanned<String>>,
    path: Option<Spanned<String>>,
    branch: Option<Spanned<String>>,
    commit: Option<Spanned<String>>,
    #[serde(default)]
    owners: Vec<Spanned<String>>,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnreadableFile`] where the file cannot be read, [`ErrorKind::BadInput`] where it says what cannot be meant, with its line.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(&text(path)?, path)
    }

    /// The manifest that a text is; relative paths are meant from the folder of `path`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where it says what cannot be meant, with its line.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let place = Lines { text, path };
        let file: File = toml::from_str(text).map_err(|error| place.unread(&error))?;
        if file.repository.len() > MAX_REPOSITORIES {
            let n = file.repository.len();
            return Err(place.wrong(0, format!("{n} repositories are listed, and a fleet has at most {MAX_REPOSITORIES}")));
        }
        let mut repositories: Vec<Repository> =
            file.repository.into_iter().map(|entry| place.repository(entry)).collect::<Result<_>>()?;
        let mut lines: FxHashMap<String, (usize, &str)> = FxHashMap::default();
        for repository in &repositories {
            let (line, name) = (repository.line, repository.name.as_str());
            if let Some((first, other)) = lines.insert(name.to_ascii_lowercase(), (line, name)) {
                let why = if other == name { "is listed twice" } else { "differs from another name by capital letters alone" };
                let message = format!("`{name}` {why}, first in line {first}; give one of them another name");
                return Err(place.at_line(line, message));
            }
        }
        repositories.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self { path: path.to_owned(), repositories })
    }

    /// The repository of a name.
    pub fn find(&self, name: &str) -> Option<&Repository> {
        let at = self.repositories.binary_search_by(|repository| repository.name.as_str().cmp(name)).ok()?;
        self.repositories.get(at)
    }

    /// The folder from which relative paths are meant.
    pub fn folder(&self) -> &Path {
        folder_of(&self.path)
    }
}

/// The text of a manifest.
///
/// # Errors
///
/// [`ErrorKind::UnreadableFile`] where the file cannot be read, [`ErrorKind::BadInput`] where it is no text.
pub fn text(path: &Path) -> Result<String> {
    crate::host::text(path, "manifest", MAX_BYTES, "`activate fleet add` makes one, and `--manifest FILE` names another")
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A text with the name of its file, for messages with lines.
struct Lines<'t> {
    text: &'t str,
    path: &'t Path,
}

impl Lines<'_> {
    fn line(&self, offset: usize) -> usize {
        self.text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
    }

    fn at_line(&self, line: usize, message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::BadInput, format!("{}:{line}: {message}", self.path.display()))
    }

    fn wrong(&self, offset: usize, message: impl fmt::Display) -> Error {
        self.at_line(self.line(offset), message)
    }

    fn unread(&self, error: &toml::de::Error) -> Error {
        let message = error.message().lines().next().unwrap_or_default();
        let start = error.span().map_or(0, |span| span.start);
        let line = self.text.lines().nth(self.line(start) - 1).unwrap_or_default().trim_start();
        let hint = match () {
            () if !message.ends_with("expected a sequence") => "",
            () if line.starts_with("owners") => "; write a list, as in `[\"@team\"]`",
            () => "; write `[[repository]]` above each repository",
        };
        self.wrong(start, format!("{message}{hint}"))
    }

    fn repository(&self, entry: Spanned<Entry>) -> Result<Repository> {
        let start = entry.span().start;
        let Entry { name, url, path, branch, commit, owners } = entry.into_inner();
        let checked = |text: &Spanned<String>, check: &dyn Fn(&str) -> std::result::Result<(), String>| {
            let bounded = bounded(text.get_ref()).and_then(|()| check(text.get_ref()));
            bounded.map_err(|why| self.wrong(text.span().start, why))
        };
        checked(&name, &name::check)?;
        let place = match (&url, &path) {
            (Some(url), None) => {
                checked(url, &place::check_url)?;
                Place::Url(url.get_ref().clone())
            }
            (None, Some(path)) => {
                checked(path, &place::check_path)?;
                let folder = folder_of(self.path);
                let path = Path::new(path.get_ref());
                Place::Path(if folder == Path::new(".") { path.to_owned() } else { folder.join(path) })
            }
            (both, _) => {
                let why = if both.is_some() { "has both `url` and `path`" } else { "has neither `url` nor `path`" };
                return Err(self.wrong(start, format!("`{}` {why}; give it one of them", name.get_ref())));
            }
        };
        if let Some(branch) = &branch {
            checked(branch, &place::check_branch)?;
        }
        if let Some(commit) = &commit {
            checked(commit, &check_commit)?;
        }
        if owners.len() > MAX_OWNERS {
            return Err(self.wrong(start, format!("`{}` has more than {MAX_OWNERS} owners", name.get_ref())));
        }
        for owner in &owners {
            checked(owner, &check_owner)?;
        }
        Ok(Repository {
            line: self.line(name.span().start),
            name: name.into_inner(),
            place,
            written: url.or(path).map(Spanned::into_inner).unwrap_or_default(),
            branch: branch.map(Spanned::into_inner),
            commit: commit.map(|commit| commit.into_inner().to_ascii_lowercase()),
            owners: owners.into_iter().map(Spanned::into_inner).collect(),
        })
    }
}

fn bounded(text: &str) -> std::result::Result<(), String> {
    match text {
        "" => Err("this is empty; say what is meant, or leave it out".to_owned()),
        _ if text.len() > MAX_TEXT => Err(format!("this is longer than {MAX_TEXT} bytes")),
        _ if text.chars().any(char::is_control) => Err("this holds control characters; leave them out".to_owned()),
        _ => Ok(()),
    }
}

fn check_commit(id: &str) -> std::result::Result<(), String> {
    if id.len() == ID_DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(());
    }
    Err(format!("`{id}` is no commit's id of {ID_DIGITS} hexadecimal digits; `git rev-parse COMMIT` prints it"))
}

fn check_owner(owner: &str) -> std::result::Result<(), String> {
    if owner.contains(char::is_whitespace) { Err(format!("the owner `{owner}` has a blank in it")) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
