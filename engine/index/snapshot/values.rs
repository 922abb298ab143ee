//! The secrets of a repository that are masked wherever else they stand: gathered from the files that hold them. What is kept of them on disk is
//! where they stand, never what they are.

use super::{Snapshot, Source, facts_version};
use crate::base::{FactBase, FileFlags};
use crate::extract::MAX_TEXT_BYTES;
use activate_rules::atoms::NodeId;
use cache::{Cache, RecordKey};
use error::Problem;
use rayon::prelude::*;
use redact::{Gathered, MaskSpan, Masker, by_rules, kind};
use repo::RepoPath;
use std::collections::{BTreeMap, BTreeSet};

/// Files that hold secrets and are rarely listed, since git is told to ignore them: looked for in the root and where services are. What they
/// hold is masked in logs and messages and shown nowhere.
const UNLISTED: [&str; 12] = [
    ".env",
    ".env.local",
    ".env.dev",
    ".env.development",
    ".env.development.local",
    ".env.prod",
    ".env.production",
    ".env.production.local",
    ".env.staging",
    ".env.test",
    ".env.test.local",
    ".envrc",
];
/// What stands in a folder of a service, besides the manifests of languages that are understood.
const OF_SERVICES: [&str; 12] = [
    ".env.example",
    ".env.sample",
    ".env.template",
    "Dockerfile",
    "Gemfile",
    "Makefile",
    "compose.yaml",
    "compose.yml",
    "docker-compose.yml",
    "docker-compose.yaml",
    "pyproject.toml",
    "requirements.txt",
];
/// The most bytes of such a file.
const MAX_UNLISTED_BYTES: u64 = 1 << 20;

/// Such files by the names that other tools have for them: looked for in the root.
const UNLISTED_IN_ROOT: [&str; 12] = [
    ".npmrc",
    ".netrc",
    ".pgpass",
    ".pypirc",
    ".htpasswd",
    ".git-credentials",
    ".docker/config.json",
    ".cargo/credentials.toml",
    "kubeconfig",
    "config/master.key",
    "terraform.tfvars",
    "terraform.tfstate",
];

/// Endings of files that hold settings or keys, and words in the names of others that hold what is secret.
const OF_SETTINGS: [&str; 7] = ["env", "key", "pem", "properties", "tfstate", "tfvars", "ini"];
const SECRET_WORDS: [&str; 5] = ["credential", "password", "secret", "token", "settings"];
const OF_DATA: [&str; 4] = ["json", "toml", "yaml", "yml"];

/// Whether a file is likely to hold secrets by its path: it is read whatever the task, so that they are masked wherever else they stand.
pub(super) fn may_hold_secrets(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_named = || name.starts_with(".env") || UNLISTED_IN_ROOT.contains(&path) || UNLISTED_IN_ROOT.contains(&name.as_str());
    OF_SETTINGS.contains(&ending)
        || is_named()
        || OF_DATA.contains(&ending) && SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// The name of the places in a cache.
const PLACES: &str = "secrets";

/// The values of a snapshot, and what they follow from.
#[derive(Clone)]
pub(super) struct Secrets {
    pub(super) masker: Masker,
    /// Stands for the files that hold them and their contents.
    key: Option<RecordKey>,
}

/// Where secrets stand in a file: bytes and kinds.
type Places = Vec<(u32, u32, String)>;

/// What a file gives away.
#[derive(Default)]
struct Given {
    gathered: Gathered,
    /// Where, if nobody knew.
    found: Option<Vec<MaskSpan>>,
}

impl Snapshot {
    /// Masks the secrets of the repository's files, wherever else they stand.
    pub fn masker(&self) -> &Masker {
        &self.secrets.masker
    }

    /// Masks those too that texts give away which belong to it: what is asked, what tools say, what is planned.
    pub fn masker_with<'t>(&self, texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Masker {
        self.masker().with(self.given_by(texts))
    }

    /// The values that texts give away and no file does.
    pub fn given_by<'t>(&self, texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Gathered {
        let gathered = texts.into_iter().map(|(name, text)| Gathered::of(name, text)).reduce(Gathered::joined);
        let names = gathered.unwrap_or_default().without_names(|value| is_name(&self.base, value));
        names.without(self.masker().known())
    }
}

impl Source<'_> {
    /// The values that the files of a base give away; those of `last`, an earlier snapshot of the same process, where no such file changed.
    pub(super) fn secrets(&self, base: &FactBase, last: Option<&Snapshot>, problems: &mut Vec<Problem>) -> Secrets {
        let secrets = self.gathered(base, last, problems);
        if secrets.masker.known().is_cut() {
            let what = "more secrets stand in the files than are looked for elsewhere: those of files that have few of them are";
            problems.push(Problem::new("read", what));
        }
        secrets
    }

    fn gathered(&self, base: &FactBase, last: Option<&Snapshot>, problems: &mut Vec<Problem>) -> Secrets {
        let files: Vec<NodeId> = base.files().filter(|file| base.flags(*file).has(FileFlags::GIVES_VALUES)).collect();
        let key_of = |path: &str, hash: u128| Cache::key(&[&facts_version(), path.as_bytes(), &hash.to_le_bytes()]).to_bytes();
        let keys: Vec<_> = files.iter().map(|file| key_of(base.path(*file), base.hash(*file))).collect();
        let unlisted = self.unlisted(base);
        let mut parts: Vec<u8> = keys.concat();
        for (path, content) in &unlisted {
            parts.extend(key_of(path, xxhash_rust::xxh3::xxh3_128(content)));
        }
        let key = Some(Cache::key(&[&parts]));
        if let Some(secrets) = last.map(|last| &last.secrets).filter(|secrets| secrets.key == key) {
            return secrets.clone();
        }
        let kept = || postcard::from_bytes(&self.cache?.blob(self.repo.root_text(), PLACES)?).ok();
        let mut known: BTreeMap<[u8; size_of::<u128>()], Places> = kept().unwrap_or_default();
        let given: Vec<Given> =
            files.par_iter().zip(&keys).map(|(file, key)| self.given(base, *file, known.get(key)).unwrap_or_default()).collect();
        if given.iter().any(|given| given.found.is_some()) {
            let place = |span: &MaskSpan| (span.start as u32, span.end as u32, span.kind.to_owned());
            let of = |(key, given): (_, &Given)| match &given.found {
                Some(found) => Some((key, found.iter().map(place).collect())),
                None => known.remove(&key).map(|places| (key, places)),
            };
            let places: Vec<_> = keys.into_iter().zip(&given).filter_map(of).collect();
            if let Some(cache) = self.cache.filter(|_| self.keeps) {
                let places: BTreeMap<_, Places> = places.into_iter().collect();
                let bytes = postcard::to_allocvec(&places).unwrap_or_default();
                problems.extend(cache.write_blob(self.repo.root_text(), PLACES, &bytes).err());
            }
        }
        let ranked = files.iter().zip(given).map(|(file, given)| {
            let rank = rank(base, *file, given.gathered.len());
            given.gathered.ranked(rank)
        });
        let gathered = ranked.fold(Gathered::default(), Gathered::joined);
        let unlisted = unlisted.iter().map(|(path, content)| found(path, content).gathered);
        let gathered = unlisted.fold(gathered, Gathered::joined).without_names(|value| is_name(base, value));
        Secrets { masker: Masker::new(gathered.build()), key }
    }

    /// What one file gives away; none where it cannot be read any more, so that nobody can show it either.
    fn given(&self, base: &FactBase, file: NodeId, known: Option<&Places>) -> Option<Given> {
        let path = base.path(file);
        let content = self.repo.read(&RepoPath::new(path).ok()?, MAX_TEXT_BYTES).ok()?;
        let known = known.filter(|_| xxhash_rust::xxh3::xxh3_128(&content) == base.hash(file));
        let Some(known) = known else { return Some(found(path, &content)) };
        let span =
            |(start, end, name): &(u32, u32, String)| MaskSpan { start: *start as usize, end: *end as usize, kind: kind(name) };
        let mut gathered = Gathered::default();
        gathered.add(&content, &known.iter().map(span).collect::<Vec<_>>());
        Some(Given { gathered, found: None })
    }

    /// Files that hold secrets and are not listed, with what they hold.
    fn unlisted(&self, base: &FactBase) -> Vec<(String, Vec<u8>)> {
        let parts = base.files().map(|file| base.path(file)).map(|path| path.rsplit_once('/').unwrap_or(("", path)));
        let of_services = parts.filter(|(_, name)| OF_SERVICES.contains(name) || activate_grammars::is_manifest(name));
        let folders: BTreeSet<&str> = of_services.map(|(folder, _)| folder).chain([""]).collect();
        let paths = folders.iter().flat_map(|folder| UNLISTED.map(|name| format!("{folder}/{name}")));
        let paths = paths.map(|path| path.trim_start_matches('/').to_owned()).chain(UNLISTED_IN_ROOT.map(str::to_owned));
        let paths: Vec<String> = paths.collect();
        let read = |path: String| {
            let content = self.repo.read_folder(&RepoPath::new(&path).ok()?, MAX_UNLISTED_BYTES).ok()?;
            Some((path, content))
        };
        // A listed one is read once.
        paths.into_par_iter().filter(|path| base.file_at(path).is_none()).filter_map(read).collect()
    }
}

/// How soon the values of a file are looked for where there are too many: those of the root first, then those of files that have few, and what
/// is there for tests or is not ours last.
fn rank(base: &FactBase, file: NodeId, n_values: usize) -> u8 {
    let flags = base.flags(file);
    let is_apart = [FileFlags::TEST, FileFlags::VENDORED, FileFlags::EXAMPLE].into_iter().any(|flag| flags.has(flag));
    let few = n_values.checked_ilog2().unwrap_or_default() as u8;
    match (is_apart, base.path(file).contains('/')) {
        (true, _) => 2 * LOGARITHMS + few,
        (false, true) => LOGARITHMS + few,
        (false, false) => few,
    }
}

/// More than any logarithm of a number of values.
const LOGARITHMS: u8 = 64;

/// Whether a value is what a definition or a file of the repository is called: a label that stands under the name of a password.
fn is_name(base: &FactBase, value: &str) -> bool {
    base.each_named(value).any(|node| base.name(node) == Some(value))
}

/// What a content gives away.
fn found(path: &str, content: &[u8]) -> Given {
    let mut gathered = Gathered::default();
    let found = gathered.add(content, &by_rules::find(path, content));
    Given { gathered, found: Some(found) }
}
