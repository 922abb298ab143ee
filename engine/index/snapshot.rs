//! A repository at one moment: its fact base, git state and history, as fresh as its files.
//!
//! Lists the files, reads those that changed, and takes everything else from the last time.

mod boundary;
mod first;
mod known;
mod listing;
mod memory;
mod past;
mod patch;
mod records;
mod values;
mod words;

pub use first::{FEW_FILES, FirstLook, Partial};
pub use memory::{DEFAULT_MEMORY, MIN_MEMORY};

use crate::base::{Column, FactBase, MemorySections};
use crate::build::{Before, Built, FileInput, PROBLEMS, Part, Section, link};
use crate::extract::FileRecord;
use crate::history::PastCommits;
use activate_grammars::Level;
use activate_rules::atoms::NodeId;
use cache::{Base, Cache};
use error::{Error, ErrorKind, Problem, Result};
use known::Known;
use listing::Listing;
use past::Past;
use patch::Patched;
use rayon::prelude::*;
pub use records::UNREAD;
use records::{Kept, Made, Reading, Seen, Taken, facts};
use repo::{Absent, Alternates, Change, FileEntry, Head, RACY_NS, Repo, Walk, WalkOptions};
use std::sync::Arc;
use values::Secrets;
use words::Indexed;

/// The most files that may have new times but old content before the fact base is written again with the new times.
const MAX_TOUCHED: usize = 256;

/// The most files that may have come, gone or changed for what is known of the others to be taken over: of more, the index of words is as soon
/// built from all.
const MAX_CHANGED: usize = 1_024;

/// A repository at one moment.
pub struct Snapshot {
    /// What is known of its code.
    pub base: FactBase,
    /// Where git stands, if the repository has git data.
    pub head: Option<Head>,
    /// Files that differ from the last commit, by path.
    pub changes: Vec<Change>,
    /// The newest commits.
    pub past: Arc<PastCommits>,
    /// What was left out, and why.
    pub problems: Vec<Problem>,
    /// Which files of the repository are not among those that are known, as phrases: no list can tell what they hold.
    pub unseen: Vec<String>,
    /// How much of it was read, where an answer did not wait for all.
    pub partial: Option<Partial>,
    /// What it cost.
    pub effort: Effort,
    /// What to say where nothing is defined in its code.
    undefined: Option<String>,
    past_of: Past,
    secrets: Secrets,
    records: Kept,
    /// What the listing of files left for the next.
    listing: Arc<Listing>,
}

/// What taking a snapshot cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Files listed.
    pub n_files: usize,
    /// Files read.
    pub n_read: usize,
    /// Files whose facts were extracted again.
    pub n_extracted: usize,
    /// Files of which all sites were resolved again.
    pub n_resolved: usize,
    /// Whether the fact base was built again.
    pub rebuilt: bool,
}

/// How far a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Files are compared with what is known of them; where something is, git is asked beside it.
    Comparing,
    /// Files read so far, of how many.
    Reading(usize, usize),
    /// What so many files yielded is kept, of how many.
    Kept(usize, usize),
    /// Names are being resolved.
    Resolving,
    /// What was found out is kept for the next time.
    Writing,
    /// Git is asked for the branch and for changes.
    Git,
    /// Commits are being read.
    History,
    /// The intent is being read.
    Intent,
    /// The policy runs.
    Activation,
}

/// What a snapshot is taken of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// Where what is found out is kept.
    pub cache: Option<&'a Cache>,
    /// Whether anything is written to the cache.
    pub keeps: bool,
    /// Which files are listed.
    pub walk: &'a WalkOptions,
    /// Whether objects of other repositories may be read.
    pub alternates: Alternates,
    /// How much memory it may use, in bytes: the same value reads the same files on every machine.
    pub memory: u64,
    /// Whether what files yield is kept as soon as there is much of it, so that little is lost where this ends before all is read; and at once
    /// where this says so, since the program is to end.
    pub flushes: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// What is asked, where an answer shall not wait for all files if nothing is known of them.
    pub first: Option<FirstLook<'a>>,
    /// Told what is done now.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// What git says.
#[derive(Default)]
struct GitSays {
    head: Option<Head>,
    past: Past,
    changes: Vec<Change>,
    absent: Absent,
    problems: Vec<Problem>,
}

impl Snapshot {
    /// Takes a snapshot; `last` is an earlier one of the same repository in the same process.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::EmptyRepository`], and what listing the files gives.
    pub fn take(source: &Source<'_>, last: Option<&Self>) -> Result<Self> {
        // What is known is opened beside the listing: of a folder, what the last run of this process saw is newer than what is cached.
        let wants_cached = last.is_none() || source.repo.is_at_commit();
        let walk = || {
            let listing = last.map_or_else(|| source.cached_listing(), |last| Arc::clone(&last.listing));
            Ok((source.repo.walk_again(source.walk, &listing.bytes)?, listing))
        };
        let (listed, cached) = rayon::join(walk, || if wants_cached { source.cached_base() } else { None });
        let (mut walk, listing) = listed?;
        if walk.files.is_empty() {
            let message = format!(
                "`{}` holds no file that can be read; is it the right folder, and do its ignore files leave anything in?",
                source.repo.root_text()
            );
            return Err(Error::new(ErrorKind::EmptyRepository, message));
        }
        let mut problems = walk.problems.clone();
        // What is cached of a commit is what it holds.
        let known = cached.or_else(|| last.map(|snapshot| snapshot.base.clone()));
        let kept = last.map(|snapshot| Arc::clone(&snapshot.records)).unwrap_or_default();
        let first = source.first.filter(|_| known.is_none());
        let mut partial = None;
        let mut base = || source.base(&walk, known.as_ref(), &kept, &mut problems);
        let ((base, effort, records), git) = if known.is_some() {
            rayon::join(base, || source.git_says(&walk.files, last))
        } else if let Some(first) = first {
            let (taken, git);
            (taken, git, partial) = source.first_base(&first, &walk, last, &mut problems);
            (taken, git)
        } else {
            // Taking a repository apart keeps all threads busy, and what git says would only be held beside it.
            let base = base();
            (source.progress)(Progress::Git);
            (base, source.git_says(&walk.files, last))
        };
        // Whoever shall answer soon leaves to the next what that finds out anyway.
        let source = &Source { keeps: source.keeps && partial.is_none(), ..*source };
        let undefined = if partial.is_some() { None } else { undefined(&base, source.repo.root_text()) };
        problems.extend((undefined.is_none() && partial.is_none()).then(|| no_code(&base)).flatten());
        let secrets = source.secrets(&base, last, &mut problems);
        let listing = if partial.is_some() { listing } else { source.keep_listing(&mut walk, listing, &mut problems) };
        let GitSays { head, past: past_of, changes, absent, problems: git_problems } = git;
        let past_of = source.masked_past(past_of, head.as_ref(), secrets.masker.known(), &mut problems);
        let past = Arc::clone(&past_of.commits);
        problems.extend(git_problems);
        let mut unseen = Vec::from_iter(absent.sentence());
        // Whoever checked out less may not know that this asks about the whole.
        problems.extend(unseen.iter().map(|absent| {
            let advice = "ask in a full checkout, or with `--at HEAD`";
            Problem::new("git", format!("{absent} (sparse checkout): nothing is known of these files; {advice}"))
        }));
        if let Some(partial) = &partial {
            let rest = partial.sentence();
            problems.push(Problem::new(
                "read",
                format!("{rest}: only those that the words of the task lead to; `activate index` reads all"),
            ));
            unseen.push(rest);
        }
        if walk.skipped.excluded > 0 {
            unseen.push("files are left out by --exclude".to_owned());
        }
        if walk.skipped.unlisted > 0 {
            unseen.push("files or folders could not be listed".to_owned());
        }
        problems.sort();
        problems.dedup();
        let is_next = effort.rebuilt || effort.n_extracted > 0;
        let base = if is_next { base.at_rest() } else { base };
        if is_next {
            // What was made on the way is gone, and a server would hold its memory until the next time.
            system::give_back_memory();
        }
        Ok(Self { base, head, changes, past, problems, unseen, partial, effort, undefined, past_of, secrets, records, listing })
    }

    /// Fails where files hold code and not one definition was found in it: whatever is activated would be guesswork.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoSymbols`] where files of a known language define nothing.
    pub fn defined(&self) -> Result<()> {
        self.undefined.clone().map_or(Ok(()), |message| Err(Error::new(ErrorKind::NoSymbols, message)))
    }
}

/// Names what decides what files yield beside their contents: the program and the rules of redaction.
pub fn facts_version() -> [u8; size_of::<u128>()] {
    Cache::key(&[env!("ACTIVATE_FACTS_HASH").as_bytes(), &redact::by_rules::version().to_le_bytes()]).to_bytes()
}

/// What to say where files hold code and not one definition was found in it.
fn undefined(base: &FactBase, root: &str) -> Option<String> {
    // Scripts and settings of other languages often define nothing.
    let n_code_files = || base.files().filter(|file| base.level(*file) == Some(Level::Resolved)).count();
    let n_code_files = Some(base.n_symbols()).filter(|n_symbols| *n_symbols == 0).map(|_| n_code_files()).filter(|n| *n > 0)?;
    Some(format!("`{root}` has {n_code_files} files of code, but nothing is defined in them"))
}

/// What lacks an answer where no file holds code that is understood.
fn no_code(base: &FactBase) -> Option<Problem> {
    let message = "no file is in a language that is parsed: only paths and text are searched";
    (base.n_symbols() == 0).then(|| Problem::new("extract", message))
}

impl Source<'_> {
    /// Stands for everything but file contents that decides what a fact base says.
    fn fingerprint(&self) -> u128 {
        let excludes = self.walk.exclude.join("\n");
        let rest = format!("{}\n{excludes}", self.walk.max_files);
        xxhash_rust::xxh3::xxh3_128(&[&facts_version(), rest.as_bytes()].concat())
    }

    fn cached_base(&self) -> Option<FactBase> {
        let base = self.cache?.base(self.repo.root_text(), self.fingerprint())?;
        Some(FactBase::new(Arc::new(base)))
    }

    /// The base that another process has put into the cache since one was taken from there.
    fn another(&self, base: &FactBase) -> Option<FactBase> {
        let cache = self.cache.filter(|_| !self.repo.is_at_commit())?;
        base.another(cache, self.repo.root_text(), self.fingerprint())
    }

    fn git_says(&self, listed: &[FileEntry], last: Option<&Snapshot>) -> GitSays {
        let (git, problems) = self.repo.git(self.alternates);
        let mut says = GitSays { problems, ..GitSays::default() };
        let Some(git) = git else { return says };
        match git.head() {
            Ok(head) => {
                says.past = self.past(&git, &head, last, &mut says.problems);
                says.head = Some(head);
            }
            Err(problem) => says.problems.push(problem),
        }
        let changes = git.changes(listed);
        says.changes = changes.changes;
        says.absent = changes.absent;
        says.problems.extend(changes.problems);
        says
    }

    fn base(&self, walk: &Walk, known: Option<&FactBase>, kept: &Kept, problems: &mut Vec<Problem>) -> (FactBase, Effort, Kept) {
        (self.progress)(Progress::Comparing);
        let mut same = known.map_or_else(|| vec![None; walk.files.len()], |base| same_hashes(base, &walk.files));
        let another = known.filter(|_| same.iter().any(Option::is_none)).and_then(|base| self.another(base));
        let mut known = known;
        if let Some(base) = &another {
            // What another process has found out meanwhile need not be found out again. It is newer where both know as much: what has just changed is
            // remembered as changed.
            let theirs = same_hashes(base, &walk.files);
            if theirs.iter().flatten().count() >= same.iter().flatten().count() {
                (known, same) = (Some(base), theirs);
            }
        }
        let reading = Reading::new(self, &walk.files, same.iter().filter(|hash| hash.is_none()).count());
        let first_look = |(entry, same): (&FileEntry, Option<u128>)| match same {
            Some(hash) if !reading.leaves_out(entry) => Seen::Same(hash),
            // As soon as it is certain that the base is built again, files are read when they are extracted.
            _ if known.is_none() || reading.n_read() > MAX_TOUCHED => Seen::Unlooked,
            _ => reading.look_at(entry),
        };
        let mut seen: Vec<Seen> = walk.files.par_iter().zip(same).map(first_look).collect();
        // Of the same files in the same places, each may have changed by itself.
        let in_place = known.filter(|base| {
            let paths = || walk.files.iter().zip(base.files());
            base.n_files() as usize == walk.files.len() && paths().all(|(entry, file)| base.has_path(file, entry.path.as_str()))
        });
        if let Some(base) = in_place.filter(|_| reading.n_read() <= MAX_TOUCHED) {
            let is_same = seen.iter().zip(base.files()).all(|(seen, file)| seen.hash() == Some(base.hash(file)));
            let patched = if is_same {
                Some(Patched { base: base.clone(), n_extracted: 0, n_resolved: 0, problems: Vec::new(), kept: Arc::clone(kept) })
            } else {
                self.patch(base, walk, &reading, &mut seen, kept)
            };
            if let Some(patched) = patched {
                problems.extend(serde_json::from_slice::<Vec<Problem>>(patched.base.problems()).unwrap_or_default());
                problems.extend(seen.iter().filter_map(Seen::problem).cloned());
                problems.extend(patched.problems);
                let (n_files, n_read, n_extracted) = (walk.files.len(), reading.n_read(), patched.n_extracted);
                let n_resolved = patched.n_resolved;
                return (patched.base, Effort { n_files, n_read, n_extracted, n_resolved, rebuilt: false }, patched.kept);
            }
        }
        let known = known.map(|base| Known::new(base, &walk.files, &seen)).filter(|known| known.n_changed() <= MAX_CHANGED);
        self.taken_apart(walk, &reading, seen, (kept, known.as_ref()), problems)
    }

    /// The base of files as they were seen: of those that are to be left out, only the paths take part. What `known` says of the others need not
    /// be found out.
    fn taken_apart(
        &self,
        walk: &Walk,
        reading: &Reading<'_>,
        seen: Vec<Seen>,
        (kept, known): (&Kept, Option<&Known<'_>>),
        problems: &mut Vec<Problem>,
    ) -> (FactBase, Effort, Kept) {
        let is_partial = seen.iter().any(|seen| matches!(seen, Seen::LeftOut(_)));
        let mut taken = reading.extract_all(&walk.files, seen, kept, known);
        let (n_files, n_read, n_extracted) = (walk.files.len(), reading.n_read(), taken.n_extracted);
        (self.progress)(Progress::Resolving);
        let words = std::mem::take(&mut taken.words);
        // What goes on from a base in a cache is kept as pieces of that.
        let keeps = self.cache.is_some() && self.keeps && !is_partial;
        let words = |known: Option<&Known<'_>>| {
            let stored = self.records();
            let old = |doc: u32| records::words(&stored, kept, known?.base, NodeId(doc));
            words.finish(known, if keeps { Some(&old) } else { None })
        };
        let link = |taken: &mut Taken<'_, '_>| {
            let records = taken.records(reading, &walk.files);
            let has_secret_path = records.iter().any(|record| record.secret_path);
            let keeps_tables = !self.repo.is_at_commit() && !is_partial;
            let stored = self.records();
            let facts = |file: NodeId| facts(&stored, kept, known?.base, file);
            let before = known.filter(|known| !known.base.tables().is_empty()).map(|known| {
                let same = taken.made.iter().enumerate().map(|(place, made)| known.file(place, made.hash)).collect();
                Before { base: known.base, same, facts: &facts }
            });
            (link(&inputs(walk, &records, &taken.made, known), keeps_tables, before.as_ref()), has_secret_path)
        };
        let (text, (mut linked, has_secret_path)) = if known.is_some() {
            rayon::join(|| words(known), || link(&mut taken))
        } else {
            // The words of all files are more than their index: they go before the records come back.
            let text = words(known);
            (text, link(&mut taken))
        };
        let Some(text) = text else {
            // The index of before is damaged.
            let seen = walk.files.iter().map(|_| Seen::Unlooked).collect();
            return self.taken_apart(walk, reading, seen, (kept, None), problems);
        };
        let index = match text {
            Indexed::Whole(sections) => {
                linked.add(sections);
                None
            }
            Indexed::Beside(base) => Some(base),
        };
        let effort = Effort { n_files, n_read, n_extracted, n_resolved: linked.n_resolved(), rebuilt: true };
        let Built { mut sections, problems: found } = linked.finish();
        sections.push((PROBLEMS, serde_json::to_vec(&found).unwrap_or_default()));
        problems.extend(found);
        // Why a file was not read is found out each time.
        problems.extend(taken.made.iter().filter_map(|made| made.problem.clone()));
        (self.progress)(Progress::Writing);
        // The base names files as they are called. Where that is a secret it is not kept, and every run builds it again. Nor is what knows only
        // some of the files.
        let cache = self.cache.filter(|_| self.keeps && !has_secret_path && !is_partial);
        let (base, unwritten) = self.written_after(cache, known.map(|known| known.base), index, sections);
        problems.extend(unwritten);
        problems.extend(taken.write_records(is_partial));
        (base, effort, taken.keep(kept, has_secret_path))
    }

    /// The base that pieces of another make, as a cache keeps it or in memory, and what stood in the way of the first; nothing where the pieces do
    /// not fit.
    fn written_next(&self, cache: Option<&Cache>, base: &FactBase, parts: Vec<Part>) -> Option<(FactBase, Option<Problem>)> {
        let next = base.next(parts)?;
        if next.has_few_changes() {
            let write = |cache: &Cache| cache.write_changes(self.repo.root_text(), self.fingerprint(), &next);
            let written = cache.map_or(Ok(true), write);
            if !matches!(written, Ok(false)) {
                return Some((FactBase::new(Arc::new(next)), written.err()));
            }
        }
        Some(self.written(cache, &FactBase::new(Arc::new(next)).sections()))
    }

    /// The base that sections make, kept beside the one before where they are much alike. `index` is that one with the index of words that they
    /// lack.
    fn written_after(
        &self,
        cache: Option<&Cache>,
        last: Option<&FactBase>,
        index: Option<Base>,
        sections: Vec<Section>,
    ) -> (FactBase, Option<Problem>) {
        let made = FactBase::new(Arc::new(MemorySections::new(sections)));
        let Some(last) = last else { return self.written(cache, &made.sections()) };
        let next = cache.and_then(|cache| Some((cache, made.beside(last, index.as_ref())?)));
        if let Some((cache, next)) = next {
            let written = cache.write_changes(self.repo.root_text(), self.fingerprint(), &next);
            if !matches!(written, Ok(false)) {
                return (FactBase::new(Arc::new(next)), written.err());
            }
        }
        let index = index.map(|index| FactBase::new(Arc::new(index)));
        let text = index.iter().flat_map(FactBase::sections).filter(|(name, _)| Column::is_text(name));
        let rest = made.sections().into_iter().filter(|(name, _)| index.is_none() || !Column::is_text(name));
        self.written(cache, &text.chain(rest).collect::<Vec<_>>())
    }

    /// The base that sections make, as a cache keeps it or in memory, and what stood in the way of the first.
    fn written<B: AsRef<[u8]>>(&self, cache: Option<&Cache>, sections: &[(&str, B)]) -> (FactBase, Option<Problem>) {
        let (root, fingerprint) = (self.repo.root_text(), self.fingerprint());
        let (written, problem) = match cache.map(|cache| cache.write_base(root, fingerprint, sections)) {
            Some(Ok(written)) => (written, None),
            Some(Err(problem)) => (None, Some(problem)),
            None => (None, None),
        };
        let base = written.unwrap_or_else(|| Base::build(root, fingerprint, sections));
        (FactBase::new(Arc::new(base)), problem)
    }
}

/// What the fact base is built from.
fn inputs<'a>(walk: &'a Walk, records: &'a [FileRecord], made: &[Made], known: Option<&Known<'_>>) -> Vec<FileInput<'a>> {
    let input = |(place, ((entry, record), made)): (usize, ((&'a FileEntry, &'a FileRecord), &Made))| {
        let (path, ctime_ns, hash) = (entry.path.as_str(), known_ctime(walk, entry), made.hash);
        let outline = known.and_then(|known| Some(known.base.outline(known.file(place, hash)?)));
        FileInput { path, size: entry.size, mtime_ns: entry.mtime_ns, ctime_ns, hash, record, outline }
    };
    walk.files.iter().zip(records).zip(made).enumerate().map(input).collect()
}

/// When a file last changed, as far as it is to be remembered: one as young as the snapshot may change again without its times telling, and
/// is remembered as changed.
fn known_ctime(walk: &Walk, entry: &FileEntry) -> i64 {
    let is_racy = entry.mtime_ns.max(entry.ctime_ns) + RACY_NS >= walk.started_ns;
    if is_racy { 0 } else { entry.ctime_ns }
}

/// The content hash of each file that was read before and that the base knows with the same size and times; both lists are in path order.
fn same_hashes(base: &FactBase, files: &[FileEntry]) -> Vec<Option<u128>> {
    let mut known = base.files().peekable();
    let hash = |entry: &FileEntry| {
        let path = entry.path.as_str();
        // Nearly always both lists go on with the same file.
        if !known.peek().is_some_and(|file| base.has_path(*file, path)) {
            while known.next_if(|file| base.path(*file) < path).is_some() {}
        }
        let file = known.next_if(|file| base.has_path(*file, path))?;
        let same = base.size(file) == entry.size && base.mtime(file) == entry.mtime_ns && base.ctime(file) == entry.ctime_ns;
        same.then(|| base.hash(file)).filter(|hash| *hash != UNREAD)
    };
    files.iter().map(hash).collect()
}
