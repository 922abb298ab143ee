//! The shards of a fleet as questions read them: tables in mapped files, opened when they are first asked for.

use crate::columns::Rows;
use crate::derived::Links;
use crate::key::{self, Key};
use crate::run::Source;
use crate::tables::{INNER, SECRETS, SYMBOLS, WORDS};
use error::{Error, ErrorKind, Result};
use redact::{Elsewhere, KEY_BYTES, Print};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A fleet at one moment, as far as its reader may see it.
pub struct Shards {
    all: Vec<Shard>,
    by_key: FxHashMap<Key, usize>,
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
    symbols: OnceLock<Option<Rows>>,
    inner: OnceLock<Option<Rows>>,
    words: OnceLock<Option<Rows>>,
}

impl Shards {
    /// Opens those of `sources` with what was derived into a folder. What is not among them is never named.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where what was derived cannot be read.
    pub fn open(sources: &[Source], derived: &Path) -> Result<Self> {
        let shard = |source: &Source| Shard {
            key: key::repository(&source.name),
            name: source.name.clone(),
            folder: source.folder.clone(),
            symbols: OnceLock::new(),
            inner: OnceLock::new(),
            words: OnceLock::new(),
        };
        let shards: Vec<Shard> = sources.iter().map(shard).collect();
        let by_key = shards.iter().enumerate().map(|(at, shard)| (shard.key, at)).collect();
        Ok(Self { all: shards, by_key, links: Links::open(derived)? })
    }

    /// The secrets of shards, to be masked wherever they stand: of all of a fleet, also of those that a reader may not see.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where a table cannot be read: what is not known cannot be masked.
    pub fn secrets(sources: &[Source], key: Box<[u8; KEY_BYTES]>) -> Result<Elsewhere> {
        let mut prints = Vec::new();
        for source in sources {
            let rows = Rows::open(SECRETS, &source.folder)?;
            let each = rows.ints(0).iter().zip(rows.longs(1)).zip(rows.ints(2)).enumerate();
            prints.extend(each.map(|(row, ((anchor, whole), length))| Print {
                anchor: *anchor,
                whole: *whole,
                length: *length,
                kind: rows.text(3, row).to_owned(),
            }));
        }
        Ok(Elsewhere::new(key, prints))
    }

    /// The shards, in the order of names.
    pub fn all(&self) -> &[Shard] {
        &self.all
    }

    /// The shard of a repository.
    pub fn of(&self, repository: Key) -> Option<&Shard> {
        Some(&self.all[*self.by_key.get(&repository)?])
    }

    /// The shard of a repository by its name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where there is none.
    pub fn named(&self, name: &str) -> Result<&Shard> {
        let none = || {
            Error::new(
                ErrorKind::BadInput,
                format!("no repository of the fleet is called `{name}`; `activate fleet list` names all"),
            )
        };
        self.of(key::repository(name)).ok_or_else(none)
    }
}

impl Shard {
    fn symbols(&self) -> Option<&Rows> {
        self.symbols.get_or_init(|| Rows::open(SYMBOLS, &self.folder).ok()).as_ref()
    }

    fn inner(&self) -> Option<&Rows> {
        self.inner.get_or_init(|| Rows::open(INNER, &self.folder).ok()).as_ref()
    }

    /// In how many files a word stands, by its key, and in how many of them as the name of a definition; none if in no file.
    pub fn word(&self, word: Key) -> Option<(u32, u32)> {
        let words = self.words.get_or_init(|| Rows::open(WORDS, &self.folder).ok()).as_ref()?;
        let row = words.longs(0).binary_search(&word).ok()?;
        Some((*words.ints(1).get(row)?, *words.ints(2).get(row)?))
    }

    /// How many files and definitions it has; none where its table cannot be read.
    pub fn n_nodes(&self) -> Option<usize> {
        self.symbols().map(Rows::len)
    }

    /// The id of a node: `path` or `path#Container.name`.
    pub fn id(&self, node: u32) -> &str {
        self.symbols().map_or("", |symbols| symbols.text(0, node as usize))
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

    /// Whether others can see a node.
    pub fn is_visible(&self, node: u32) -> bool {
        self.symbols().is_some_and(|symbols| symbols.ints(4).get(node as usize) == Some(&1))
    }

    /// The first ids whose last name is this, whatever the case of its letters.
    pub fn names_like(&self, lower: &str, most: usize) -> Vec<String> {
        let Some(symbols) = self.symbols() else { return Vec::new() };
        let last = |id: &str| id.rsplit(['#', '.', '/']).next().unwrap_or(id).to_lowercase();
        let ids = (0..symbols.len()).map(|row| symbols.text(0, row)).filter(|id| last(id) == lower);
        ids.take(most).map(|id| format!("{}/{id}", self.name)).collect()
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

/// How sure a link is that says what is meant: see [`Confidence`](activate_rules::links::Confidence).
const SURE: [&str; 3] = ["exact", "qualified", "unique"];

/// Shards that threads share.
pub type Shared = Arc<Shards>;
