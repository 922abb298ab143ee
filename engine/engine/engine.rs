//! The long-lived engine: a repository that answers requests, always as fresh as its files.

use crate::custom::RuleFile;
use activate_rules::atoms::NodeId;
use cache::{Cache, Indexing};
use error::{Error, ErrorKind, Problem, Result};
use index::base::FileFlags;
use index::boundary::Boundary;
use index::checks::{self, Checks};
use index::snapshot::{DEFAULT_MEMORY, FirstLook, MIN_MEMORY, Progress, Snapshot, Source};
use redact::{Masker, Redacted};
use repo::{Alternates, Repo, RepoPath, WalkOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Stack of a worker thread: deep syntax trees use up the usual 2 MiB (measured: 20,000 nested brackets overflow it).
const WORKER_STACK_BYTES: usize = 64 << 20;

/// Where facts are kept between runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CacheChoice {
    /// In the user's cache folder.
    #[default]
    Default,
    /// In this folder.
    Folder(PathBuf),
    /// Nowhere.
    Off,
}

/// How a repository is opened.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Patterns of files to leave out, in the form of a `.gitignore` line.
    pub exclude: Vec<String>,
    /// Worker threads; 0 for one a core.
    pub n_threads: usize,
    /// Worker threads that several engines share, in the place of own ones: see [`threads`].
    pub pool: Option<Arc<rayon::ThreadPool>>,
    /// Where facts are kept between runs.
    pub cache: CacheChoice,
    /// What to do about object folders that the repository borrows from others.
    pub alternates: Alternates,
    /// How much memory taking a snapshot may use, in bytes: 64 MiB at least, 512 MiB by default. Of many large files that do not fit, only the
    /// paths are searched, the largest first.
    pub memory: Option<u64>,
    /// Rules that take part in every answer, unless a request wants none: those of the user.
    pub rules: UserRules,
}

/// Rules of the user, which are read once, when the first answer needs them.
#[derive(Debug, Clone)]
pub struct UserRules(Arc<LazyLock<Vec<RuleFile>, ReadRules>>);

/// What reads them.
type ReadRules = Box<dyn FnOnce() -> Vec<RuleFile> + Send>;

impl UserRules {
    /// Those that `read` gives.
    pub fn new(read: impl FnOnce() -> Vec<RuleFile> + Send + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(read))))
    }
}

impl Default for UserRules {
    fn default() -> Self {
        Self::new(Vec::new)
    }
}

/// Worker threads that engines can share; 0 for one a core.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] where they cannot be started.
pub fn threads(n_threads: usize) -> Result<Arc<rayon::ThreadPool>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).stack_size(WORKER_STACK_BYTES).build();
    let failed = |error| Error::new(ErrorKind::BadInput, "worker threads cannot be started").because(error);
    pool.map(Arc::new).map_err(failed)
}

/// Refuses a cache inside the repository: nothing is written into one, and nothing that one holds is taken for our own.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] for a folder inside of the repository.
pub fn check_cache_folder(repo: &Repo, folder: &Path) -> Result<()> {
    if !repo.holds(folder) {
        return Ok(());
    }
    let (folder, root) = (folder.display(), repo.root_text());
    let message = format!(
        "the cache folder `{folder}` lies inside the repository `{root}`; name another with `--cache DIR`, or use `--no-cache`"
    );
    Err(Error::new(ErrorKind::BadInput, message))
}

/// A repository that answers requests. Can be shared between threads.
pub struct Engine {
    repo: Repo,
    walk: WalkOptions,
    alternates: Alternates,
    memory: u64,
    rules: UserRules,
    cache: Option<Arc<Cache>>,
    /// Whether the caller named the cache's folder: what is known of a commit is kept in no other.
    is_cache_named: bool,
    cache_problem: Option<Problem>,
    pool: Arc<rayon::ThreadPool>,
    /// The newest snapshot, with the number of the look that took it.
    last: Mutex<Option<(u64, Arc<Snapshot>)>>,
    /// How many looks have begun.
    n_looks: AtomicU64,
}

impl Engine {
    /// Opens the repository at `root` with default options. Reads nothing yet.
    ///
    /// # Errors
    ///
    /// As [`Engine::open_with`].
    pub fn open(root: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(root, Options::default())
    }

    /// Opens the repository at `root`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRepository`] if there is no such folder, [`ErrorKind::BadInput`] for a pattern that cannot be read or a cache inside of the repository.
    pub fn open_with(root: impl AsRef<Path>, options: Options) -> Result<Self> {
        Self::with(Repo::open(root.as_ref())?, options)
    }

    /// Opens the repository at `root`, bare or not, as it was at a commit: `HEAD`, an id or its first digits, a tag, a branch or the
    /// full name of a reference, with `~N`, `^N` or `^{}` behind it or not.
    ///
    /// Files and history are those of the commit; no work tree is read or made. Of a cache, the facts of files are used; something is
    /// kept only in one that [`CacheChoice::Folder`] names.
    ///
    /// # Errors
    ///
    /// As [`Engine::open_with`], and [`ErrorKind::BadInput`] if git has no such commit.
    pub fn open_at(root: impl AsRef<Path>, commit: &str, options: Options) -> Result<Self> {
        Self::with(Repo::open_at(root.as_ref(), commit, options.alternates)?, options)
    }

    /// The same repository at another commit, for an engine that was opened at one. What is known of files that are the same is used again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRepository`] where there is no git data, [`ErrorKind::BadInput`] if git has no such commit.
    pub fn at(&self, commit: &str) -> Result<Self> {
        Ok(Self {
            repo: self.repo.at(commit, self.alternates)?,
            walk: self.walk.clone(),
            alternates: self.alternates,
            memory: self.memory,
            rules: self.rules.clone(),
            cache: self.cache.clone(),
            is_cache_named: self.is_cache_named,
            cache_problem: self.cache_problem.clone(),
            pool: Arc::clone(&self.pool),
            last: Mutex::new(self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()),
            n_looks: AtomicU64::new(self.n_looks.load(Ordering::Relaxed)),
        })
    }

    fn with(repo: Repo, options: Options) -> Result<Self> {
        let is_cache_named = matches!(options.cache, CacheChoice::Folder(_));
        let (folder, nowhere) = match options.cache {
            CacheChoice::Default => {
                let folder = Cache::default_folder();
                let why = || {
                    format!(
                        "nothing is cached: neither XDG_CACHE_HOME nor {} is an absolute path; set one, or name a cache folder",
                        system::HOME
                    )
                };
                let nowhere = folder.is_none().then(|| Problem::new("cache", why()));
                (folder, nowhere)
            }
            CacheChoice::Folder(folder) => (Some(folder), None),
            CacheChoice::Off => (None, None),
        };
        if let Some(folder) = &folder {
            check_cache_folder(&repo, folder)?;
        }
        let (cache, cache_problem) = match folder.map(|folder| Cache::open(&folder)) {
            Some(Ok(cache)) => (Some(Arc::new(cache)), None),
            Some(Err(problem)) => (None, Some(problem)),
            None => (None, nowhere),
        };
        let pool = options.pool.map_or_else(|| threads(options.n_threads), Ok)?;
        let walk = WalkOptions { exclude: options.exclude, ..WalkOptions::default() };
        Ok(Self {
            repo,
            walk,
            alternates: options.alternates,
            rules: options.rules,
            memory: options.memory.map_or(DEFAULT_MEMORY, |memory| memory.max(MIN_MEMORY)),
            cache,
            is_cache_named,
            cache_problem,
            pool,
            last: Mutex::default(),
            n_looks: AtomicU64::new(0),
        })
    }

    /// Whether anything is written to the cache.
    fn keeps(&self) -> bool {
        self.is_cache_named || !self.repo.is_at_commit()
    }

    /// The repository as its files are now. Only what changed since the last time is read.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::take`].
    pub fn snapshot(&self) -> Result<Arc<Snapshot>> {
        self.snapshot_with(&|_| {})
    }

    /// [`Engine::snapshot`], telling how far it is.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::take`].
    pub fn snapshot_with(&self, progress: &(dyn Fn(Progress) + Sync)) -> Result<Arc<Snapshot>> {
        let snapshot = self.look_with(progress)?;
        snapshot.defined()?;
        Ok(snapshot)
    }

    /// The repository as its files are now, also where nothing is defined in its code: enough to read and to search.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::take`].
    pub fn look_with(&self, progress: &(dyn Fn(Progress) + Sync)) -> Result<Arc<Snapshot>> {
        self.look_for(None, None, progress)
    }

    /// Reads the repository for those who come later, and keeps what is found out on the way; at once where `is_ending` says that the program is
    /// to end: see [`Progress::Kept`].
    ///
    /// # Errors
    ///
    /// As [`Snapshot::take`].
    pub fn index_with(
        &self,
        progress: &(dyn Fn(Progress) + Sync),
        is_ending: &(dyn Fn() -> bool + Sync),
    ) -> Result<Arc<Snapshot>> {
        self.look_for(None, Some(is_ending), progress)
    }

    /// The right to read the repository in the background; none where another process has it, and without a cache.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where the cache cannot be written.
    pub fn begin_indexing(&self) -> Result<Option<Indexing>> {
        let Some(cache) = self.cache() else { return Ok(None) };
        cache.begin_indexing(self.root()).map_err(|problem| Error::new(ErrorKind::Storage, problem.message))
    }

    /// Whether a fact base of it is kept, perhaps one that is out of date.
    pub fn is_known(&self) -> bool {
        self.cache().is_some_and(|cache| cache.has_base(self.root()))
    }

    /// Whether nothing is known of the repository and it has more than so many files: these are listed, and none is read.
    ///
    /// # Errors
    ///
    /// What listing the files gives.
    pub fn is_new(&self, n_files: usize) -> Result<bool> {
        let is_looked_at = self.last.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if is_looked_at || self.repo.is_at_commit() || self.is_known() {
            return Ok(false);
        }
        Ok(self.pool.install(|| self.repo.walk(&self.walk))?.files.len() > n_files)
    }

    /// Notes that somebody asks: whoever reads the repository in the background goes on. Tells whether that is worth to be begun.
    pub fn ask_for_indexing(&self) -> bool {
        self.cache().is_some_and(|cache| cache.ask_for_indexing(self.root()).unwrap_or(false))
    }

    /// [`Engine::look_with`]; where nothing is known of the repository, what is asked `first` is answered without all of its files.
    pub(crate) fn look_for(
        &self,
        first: Option<FirstLook<'_>>,
        flushes: Option<&(dyn Fn() -> bool + Sync)>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Arc<Snapshot>> {
        let number = self.n_looks.fetch_add(1, Ordering::Relaxed);
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(_, last)| Arc::clone(last));
        let source = self.source(first, flushes, progress);
        let mut snapshot = self.pool.install(|| Snapshot::take(&source, last.as_deref()))?;
        snapshot.problems.extend(self.cache_problem.clone());
        let snapshot = Arc::new(snapshot);
        if snapshot.partial.is_some() {
            return Ok(snapshot);
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // A look that began later may have ended before: what it saw is newer.
        if last.as_ref().is_none_or(|(newest, _)| *newest < number) {
            *last = Some((number, Arc::clone(&snapshot)));
        }
        Ok(snapshot)
    }

    /// What a snapshot of the repository shows to other repositories and needs of them.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::boundary`].
    pub fn boundary(&self, snapshot: &Snapshot) -> Result<Boundary> {
        let source = self.source(None, None, &|_| {});
        self.pool.install(|| snapshot.boundary(&source))
    }

    fn source<'s>(
        &'s self,
        first: Option<FirstLook<'s>>,
        flushes: Option<&'s (dyn Fn() -> bool + Sync)>,
        progress: &'s (dyn Fn(Progress) + Sync),
    ) -> Source<'s> {
        let (cache, keeps) = (self.cache.as_deref(), self.keeps());
        let (alternates, memory) = (self.alternates, self.memory);
        Source { repo: &self.repo, cache, keeps, walk: &self.walk, alternates, memory, flushes, first, progress }
    }

    /// The commands that build, lint and test the repository, as far as its manifests prove them. Reads manifests alone and runs nothing.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::take`].
    pub fn checks(&self) -> Result<Checks> {
        let walk = self.pool.install(|| self.repo.walk(&self.walk))?;
        let paths: Vec<&str> = walk.files.iter().map(|entry| entry.path.as_str()).collect();
        let mut problems = walk.problems.clone();
        let mut manifests = Vec::new();
        for path in checks::manifests(&paths, &mut problems) {
            match self.manifest(path) {
                Ok(text) => manifests.push((path, text)),
                Err(error) => problems.push(Problem::at("checks", path, error.message)),
            }
        }
        let mut checks = checks::checks(&paths, &manifests);
        checks.problems.splice(0..0, problems);
        Ok(checks)
    }

    fn manifest(&self, path: &str) -> Result<String> {
        let unreadable = |why: String| Error::new(ErrorKind::UnreadableFile, why);
        let content = self.repo.read(&RepoPath::new(path).map_err(unreadable)?, checks::MAX_MANIFEST_BYTES)?;
        String::from_utf8(content).map_err(|_| unreadable("manifest not used: it is not UTF-8 text".to_owned()))
    }

    /// Masks the secrets known so far: those of the files as they were last looked at, and before that none but what rules find. For what is
    /// said of this repository beside an answer, which has a masker of its own.
    pub fn masker(&self) -> Masker {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().map_or_else(Masker::knowing_nothing, |(_, snapshot)| snapshot.masker().clone())
    }

    /// Runs `work` on the engine's threads.
    pub fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// The text of a file of a snapshot, masked. Fails where the file cannot be read or is not what the snapshot was taken of.
    pub(crate) fn text(&self, snapshot: &Snapshot, file: NodeId, masker: &Masker) -> Result<Redacted> {
        Ok(masked(snapshot, file, masker, &self.bytes(snapshot, file)?))
    }

    /// The text of a file by its path, masked; none where there is no such file. Fails where something is there that the snapshot does not
    /// have, and where it cannot be read or is not text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnreadableFile`] where the file cannot be read.
    pub fn text_at(&self, snapshot: &Snapshot, masker: &Masker, path: &RepoPath) -> Result<Option<Redacted>> {
        let unreadable = |why: &str| Error::new(ErrorKind::UnreadableFile, format!("`{path}` cannot be read: {why}"));
        let Some(file) = snapshot.base.file_at(path.as_str()) else {
            let Some(what) = self.repo.find(path)? else { return Ok(None) };
            return Err(unreadable(what));
        };
        let content = self.bytes(snapshot, file)?;
        if content.contains(&0) || std::str::from_utf8(&content).is_err() {
            return Err(unreadable("it is not UTF-8 text"));
        }
        Ok(Some(masked(snapshot, file, masker, &content)))
    }

    /// The text of a file whose content holds something, which may be what is masked; none of another or of what is not text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnreadableFile`] where the file cannot be read.
    pub fn text_if(&self, snapshot: &Snapshot, file: NodeId, holds: impl FnOnce(&[u8]) -> bool) -> Result<Option<Redacted>> {
        let content = self.bytes(snapshot, file)?;
        let is_wanted = holds(&content) && !content.contains(&0);
        Ok(is_wanted.then(|| masked(snapshot, file, snapshot.masker(), &content)))
    }

    /// The content of a file of a snapshot, with its secrets: to compare, never to show.
    pub(crate) fn bytes(&self, snapshot: &Snapshot, file: NodeId) -> Result<Vec<u8>> {
        let path = snapshot.base.path(file);
        let unreadable = |why: String| Error::new(ErrorKind::UnreadableFile, why);
        let repo_path = RepoPath::new(path).map_err(|why| unreadable(format!("`{path}` cannot be read: {why}")))?;
        let content = self.repo.read(&repo_path, index::extract::MAX_TEXT_BYTES)?;
        if snapshot.partial.is_some() && snapshot.base.hash(file) == index::snapshot::UNREAD {
            return Err(unreadable(format!("`{path}` is not read yet: `activate index` reads all files")));
        }
        if xxhash_rust::xxh3::xxh3_128(&content) != snapshot.base.hash(file) {
            return Err(Error::new(ErrorKind::Changed, format!("`{path}` changed while the answer was made; ask again")));
        }
        Ok(content)
    }

    /// The masked text of a file as it is now; of the snapshot the secrets of other files are known.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnreadableFile`] where the file cannot be read, [`ErrorKind::BadInput`] for a path that cannot be used.
    pub fn read_text(&self, snapshot: &Snapshot, path: &str) -> Result<Redacted> {
        let unreadable = |why: String| Error::new(ErrorKind::UnreadableFile, format!("`{path}` cannot be read: {why}"));
        let content = self.repo.read(&RepoPath::new(path).map_err(unreadable)?, index::extract::MAX_TEXT_BYTES)?;
        Ok(snapshot.masker().file(path, &content))
    }

    /// The repository's root folder as text.
    pub fn root(&self) -> &str {
        self.repo.root_text()
    }

    /// Where the engine keeps what it finds out, if it may write there.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_deref().filter(|_| self.keeps())
    }

    /// The repository.
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// Patterns of files that are left out.
    pub fn excluded(&self) -> &[String] {
        &self.walk.exclude
    }

    /// Rules that take part in every answer; they are read now if they were not yet.
    pub fn rules(&self) -> &[RuleFile] {
        &self.rules.0
    }

    /// Whether objects of other repositories may be read.
    pub fn alternates(&self) -> Alternates {
        self.alternates
    }
}

/// A file of a snapshot, masked; `content` is that which the snapshot was taken of.
fn masked(snapshot: &Snapshot, file: NodeId, masker: &Masker, content: &[u8]) -> Redacted {
    let (base, path) = (&snapshot.base, snapshot.base.path(file));
    if base.flags(file).has(FileFlags::PLAIN) { masker.plain_file(path, content) } else { masker.file(path, content) }
}
