//! The shards of a fleet as questions read them: tables in mapped files, opened when they are first asked for.

use crate::columns::Rows;
use crate::derived::Links;
use crate::key::{self, Key};
use crate::run::Source;
use crate::sync::STAGE;
use crate::tables::{INNER, OCCASIONS, OWNERS, SYMBOLS, WORDS};
use error::{Error, ErrorKind, Problem, Result};
use index::text::edit_distance;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64;

/// A fleet at one moment, as far as its reader may see it.
pub struct Shards {
    all: Vec<Shard>,
    by_key: FxHashMap<Key, usize>,
    /// Names that the manifest has and nothing is known of, as far as the reader may see them.
    missing: Vec<String>,
    /// Stands for the shards and what was derived of them.
    stands_for: u64,
    /// Links between the repositories.
    pub links: Links,
}

/// One shard.
pub struct Shard {
    /// The name of its repository.
    pub name: String,
    /// The key of its repository.
    pub key: Key,
    /// The folder of its tables.
    pub folder: PathBuf,
    symbols: OnceLock<Result<Rows>>,
    inner: OnceLock<Result<Rows>>,
    words: OnceLock<Result<Rows>>,
    occasions: OnceLock<Rows>,
}

/// An owner of a file.
pub struct Owner {
    /// The path of the file.
    pub path: String,
    /// A user, a team or an address; empty where the line says that nobody owns the file.
    pub owner: String,
    /// The file and line that say so.
    pub by: String,
}

impl Shards {
    /// Opens those of `sources` with what was derived into a folder; of those that are `missing` nothing is known. Others are never named.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where what was derived cannot be read.
    pub fn open(sources: &[Source], missing: Vec<String>, derived: &Path) -> Result<Self> {
        let shard = |source: &Source| Shard {
            key: key::repository(&source.name),
            name: source.name.clone(),
            folder: source.folder.clone(),
            symbols: OnceLock::new(),
            inner: OnceLock::new(),
            words: OnceLock::new(),
            occasions: OnceLock::new(),
        };
        let shards: Vec<Shard> = sources.iter().map(shard).collect();
        let all = Source { name: String::new(), folder: derived.to_owned() };
        let text = sources.iter().chain([&all]).map(Source::stands_for).collect::<Vec<_>>().join("\n");
        let by_key = shards.iter().enumerate().map(|(at, shard)| (shard.key, at)).collect();
        Ok(Self { all: shards, by_key, missing, stands_for: xxh3_64(text.as_bytes()), links: Links::open(derived)? })
    }

    /// A number for the shards that may be seen and what was derived of all; the same on each host that holds the same.
    pub(crate) const fn stands_for(&self) -> u64 {
        self.stands_for
    }

    /// The shards, in the order of names.
    pub fn all(&self) -> &[Shard] {
        &self.all
    }

    /// Tables that could not be opened when they were first asked for, in the order of names: an answer lacks what is in them.
    pub fn problems(&self) -> Vec<Problem> {
        let failed = |shard: &Shard| {
            let tables =
                [&shard.symbols, &shard.inner, &shard.words].map(|table| table.get().and_then(|rows| rows.as_ref().err()));
            let problem = |error: &Error| Problem::new(STAGE, format!("{} takes no whole part: {}", shard.name, error.message));
            tables.into_iter().flatten().map(problem).collect::<Vec<_>>()
        };
        let of_links = self.links.problems().map(|error| Problem::new(STAGE, error.message.clone()));
        self.all.iter().flat_map(failed).chain(of_links).collect()
    }

    /// The shard of a repository.
    pub fn of(&self, repository: Key) -> Option<&Shard> {
        Some(&self.all[*self.by_key.get(&repository)?])
    }

    /// The error of a name that is one of a repository of which nothing is known, or of something in that unless the name must be `whole`.
    pub(crate) fn missing_error(&self, name: &str, whole: bool) -> Option<Error> {
        let is_meant = |missing: &&String| {
            let rest = name.strip_prefix(missing.as_str());
            rest.is_some_and(|rest| rest.is_empty() || !whole && rest.starts_with('/'))
        };
        let missing = self.missing.iter().filter(is_meant).max_by_key(|missing| missing.len())?;
        let message = format!("nothing is known of the repository `{missing}`; `activate fleet list` says how it stands");
        Some(Error::new(ErrorKind::BadInput, message))
    }

    /// The shard of a repository by its name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where there is none.
    pub fn named(&self, name: &str) -> Result<&Shard> {
        let none = || {
            if let Some(error) = self.missing_error(name, true) {
                return error;
            }
            let names = || self.all.iter().map(|shard| shard.name.as_str());
            let last = || names().find(|other| other.rsplit('/').next() == Some(name));
            let near = last().or_else(|| nearest(name, names()));
            let meant = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            let message = format!("no repository of the fleet is called `{name}`{meant}; `activate fleet list` names all");
            Error::new(ErrorKind::BadInput, message)
        };
        self.of(key::repository(name)).ok_or_else(none)
    }
}

impl Shard {
    fn symbols(&self) -> Option<&Rows> {
        self.symbols.get_or_init(|| Rows::open(SYMBOLS, &self.folder)).as_ref().ok()
    }

    fn inner(&self) -> Option<&Rows> {
        self.inner.get_or_init(|| Rows::open(INNER, &self.folder)).as_ref().ok()
    }

    /// In how many files a word stands, by its key, and in how many of them as the name of a definition; none if in no file.
    pub fn word(&self, word: Key) -> Option<(u32, u32)> {
        let words = self.words.get_or_init(|| Rows::open(WORDS, &self.folder)).as_ref().ok()?;
        let row = words.longs(0).binary_search(&word).ok()?;
        Some((*words.ints(1).get(row)?, *words.ints(2).get(row)?))
    }

    /// Occasions on which its folders changed.
    pub(crate) fn occasions(&self) -> Result<&Rows> {
        if let Some(rows) = self.occasions.get() {
            return Ok(rows);
        }
        let rows = Rows::open(OCCASIONS, &self.folder)?;
        Ok(self.occasions.get_or_init(|| rows))
    }

    /// The owners of files by the repository's CODEOWNERS, in the order of paths, then of its lines.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where the table cannot be read.
    pub fn owners(&self, paths: &BTreeSet<&str>) -> Result<Vec<Owner>> {
        let rows = Rows::open(OWNERS, &self.folder)?;
        let files = rows.ints(0).iter().map(|file| self.id(*file)).enumerate();
        let owned = files.filter(|(_, path)| paths.contains(path)).map(|(row, path)| {
            let by = format!("{}:{}", rows.text(2, row), rows.ints(3).get(row).copied().unwrap_or_default());
            Owner { path: path.to_owned(), owner: rows.text(1, row).to_owned(), by }
        });
        Ok(owned.collect())
    }

    /// How many files and definitions it has; none where its table cannot be read.
    pub fn n_nodes(&self) -> Option<usize> {
        self.symbols().map(Rows::len)
    }

    /// The id of a node: `path` or `path#Container.name`.
    pub fn id(&self, node: u32) -> &str {
        self.symbols().map_or("", |symbols| symbols.text(0, node as usize))
    }

    /// Its files, with its name in front.
    pub(crate) fn files(&self) -> Vec<String> {
        let Some(symbols) = self.symbols() else { return Vec::new() };
        let files = (0..symbols.len()).take_while(|row| symbols.text(1, *row) == "file");
        files.map(|row| format!("{}/{}", self.name, symbols.text(0, row))).collect()
    }

    /// What a node is: a word.
    pub fn kind(&self, node: u32) -> &str {
        self.symbols().map_or("", |symbols| symbols.text(1, node as usize))
    }

    /// The line of a node.
    pub fn line(&self, node: u32) -> u32 {
        self.symbols().and_then(|symbols| symbols.ints(3).get(node as usize).copied()).unwrap_or(0)
    }

    /// Nodes whose id ends in a text, in their order.
    pub fn nodes_named(&self, end: &str) -> Vec<u32> {
        let Some(symbols) = self.symbols() else { return Vec::new() };
        (0..symbols.len()).filter(|row| symbols.text(0, *row).ends_with(end)).map(|row| row as u32).collect()
    }

    /// Whether the id of a definition ends in one of some texts.
    pub(crate) fn defines(&self, ends: &[String]) -> bool {
        let Some(symbols) = self.symbols() else { return false };
        let is_meant = |id: &str| ends.iter().any(|end| id.ends_with(end.as_str())) && id.contains('#');
        (0..symbols.len()).any(|row| is_meant(symbols.text(0, row)))
    }

    /// The node that is a place, by its key.
    pub(crate) fn node_of(&self, place: Key) -> Option<u32> {
        self.symbols()?.longs(2).iter().position(|of| *of == place).map(|row| row as u32)
    }

    /// The node of an id.
    pub(crate) fn node_called(&self, id: &str) -> Option<u32> {
        let symbols = self.symbols()?;
        (0..symbols.len()).find(|row| symbols.text(0, *row) == id).map(|row| row as u32)
    }

    /// Whether others can see a node, perhaps one of tests.
    pub fn is_visible(&self, node: u32) -> bool {
        self.symbols().is_some_and(|symbols| symbols.ints(4).get(node as usize).is_some_and(|visible| *visible != 0))
    }

    /// The ids whose last names are most like one in small letters, each with how many letters are wrong; of equals the first ones.
    pub(crate) fn names_like(&self, lower: &str, most: usize) -> Vec<(usize, String)> {
        let Some(symbols) = self.symbols() else { return Vec::new() };
        let mut near: Vec<(usize, usize)> = Vec::new();
        for row in 0..symbols.len() {
            let Some((_, id)) = symbols.text(0, row).split_once('#') else { continue };
            let last = id.rsplit('.').next().unwrap_or(id).to_lowercase();
            near.extend(edit_distance(lower.as_bytes(), last.as_bytes(), most_wrong(lower)).map(|n_wrong| (n_wrong, row)));
        }
        near.sort_unstable();
        near.truncate(most);
        near.into_iter().map(|(n_wrong, row)| (n_wrong, format!("{}/{}", self.name, symbols.text(0, row)))).collect()
    }

    /// The links inside of the shard that lead to a node: where they start, line, kind, and whether they are sure.
    pub fn links_to(&self, node: u32) -> impl Iterator<Item = (u32, u32, &str, bool)> {
        let rows = self.inner();
        let range = rows.map_or(0..0, |rows| {
            let first = rows.ints(0).partition_point(|to| *to < node);
            first..first + rows.ints(0)[first..].partition_point(|to| *to == node)
        });
        rows.into_iter().flat_map(move |rows| {
            let (from, lines) = (rows.ints(1), rows.ints(2));
            range.clone().map(move |row| (from[row], lines[row], rows.text(3, row), SURE.contains(&rows.text(4, row))))
        })
    }
}

/// How many letters of a name may be wrong: one in four, none of one or two.
const fn most_wrong(name: &str) -> usize {
    if name.len() < 3 { 0 } else { name.len().div_ceil(4) }
}

/// How sure a link is that says what is meant: see [`Confidence`](activate_rules::links::Confidence).
const SURE: [&str; 3] = ["exact", "qualified", "unique"];

/// The name that is most like one, whatever letters are capital, if any is; of equals the first by the alphabet.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = name.to_lowercase();
    let far = |other: &'n str| {
        let distance = edit_distance(lower.as_bytes(), other.to_lowercase().as_bytes(), most_wrong(&lower))?;
        Some((distance, other))
    };
    names.filter_map(far).min().map(|(_, near)| near)
}

/// Shards that threads share.
pub type Shared = Arc<Shards>;
