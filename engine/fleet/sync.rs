//! Makes the shards of a fleet anew where their repositories have new commits.

mod one;

use crate::fetch::Git;
use crate::left_out::LeftOut;
use crate::manifest::{Manifest, Repository};
use crate::resident::Last;
use crate::run::Source;
use crate::shards::nearest;
use crate::store::{Current, Known, State, Store, Writer};
use error::{Error, ErrorKind, Problem, Result};
use index::snapshot::facts_version;
use one::{Look, Made};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_128;

/// The stage of problems of a fleet.
pub(crate) const STAGE: &str = "fleet";

/// Stands for what shards hold and what follows from them: those of another version of this program are made again.
pub(crate) const FORM: &str = env!("ACTIVATE_FLEET_HASH");

/// Writes what follows from all shards into a folder, beside what was derived before, and gives what was left out of it.
pub type Derive<'d> = dyn Fn(&[Source], &Path, Option<&Last>) -> Result<LeftOut> + Sync + 'd;

/// How repositories are read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How many repositories are read at once; one at least.
    pub n_jobs: usize,
    /// The names of those that are looked at; empty for all. So are those of which nothing that is known can be kept.
    pub only: Vec<String>,
    /// How each is opened.
    pub engine: engine::Options,
    /// How long another sync is waited for.
    pub wait: Duration,
    /// How long a shard stays that does not count any more.
    pub grace: Duration,
}

/// What a sync is done with.
pub struct Work<'w> {
    /// Runs git.
    pub git: &'w Git<'w>,
    /// Fills the folder of what follows from all shards.
    pub derive: Option<&'w Derive<'w>>,
    /// Told how many repositories are done, of how many.
    pub progress: &'w (dyn Fn(usize, usize) + Sync),
}

/// What a sync did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Repositories with a new shard.
    pub n_new: usize,
    /// Repositories that are as they were.
    pub n_same: usize,
    /// Repositories that are not where the manifest says; a shard of an earlier commit still counts.
    pub n_missing: usize,
    /// Repositories that are there and cannot be read; the same holds for these.
    pub n_unreadable: usize,
    /// Repositories without a file that can be read.
    pub n_empty: usize,
    /// Files of the new shards.
    pub n_files: u64,
    /// Lines of these files.
    pub n_lines: u64,
    /// What was left out, in the order of names.
    pub problems: Vec<Problem>,
    /// What counts from now on.
    pub current: Current,
    /// The shards of which all is derived.
    pub sources: Vec<Source>,
}

/// Brings the store up to what the repositories of a manifest are. One that cannot be read never stops the others.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] for a name that the manifest does not list, [`ErrorKind::Storage`] where another sync is under way, and where the store
/// cannot be read or written.
pub fn sync(manifest: &Manifest, store: &Store, options: &Options, work: &Work<'_>) -> Result<Report> {
    let mut chosen = chosen(manifest, &options.only)?;
    let writer = store.write(options.wait)?;
    let mut report = Report::default();
    let last = store.undamaged()?;
    let is_damaged = last.is_none();
    let mut last = last.unwrap_or_default();
    let is_foreign = last.form != FORM && !last.repositories.is_empty();
    if is_damaged {
        let what = format!("what counted in `{}` is damaged: all repositories are looked at", store.folder().display());
        report.problems.push(Problem::new(STAGE, what));
    } else if is_foreign && !options.only.is_empty() {
        let what = "the repositories were read by another version of this program: all are looked at";
        report.problems.push(Problem::new(STAGE, what.to_owned()));
    }
    if is_damaged || is_foreign {
        // Nothing of those that were not asked for could stay.
        chosen = manifest.repositories.iter().collect();
    } else if !options.only.is_empty() {
        let damaged = damaged(manifest, &last, &chosen, store);
        let told = damaged.iter().map(|(repository, why)| format!("{} is looked at too: {why}", repository.name));
        report.problems.extend(told.map(|what| Problem::new(STAGE, what)));
        chosen.extend(damaged.iter().map(|(repository, _)| *repository));
    }
    if last.form != FORM {
        // Nobody can read what another version wrote.
        for known in last.repositories.values_mut() {
            known.shard = None;
        }
    }
    let looks = look_at_all(&chosen, &writer, &last, options, work);
    let mut repositories = BTreeMap::new();
    for (repository, look) in chosen.iter().zip(looks) {
        report.count(repository, &look);
        repositories.insert(repository.name.clone(), look.known);
    }
    // Who was not asked for stays as it is, as long as it is listed.
    for repository in &manifest.repositories {
        if let Some(known) = last.repositories.get(&repository.name) {
            repositories.entry(repository.name.clone()).or_insert_with(|| known.clone());
        }
    }
    let mut current = Current { form: FORM.to_owned(), repositories, derived: None };
    if let Some(derive) = work.derive {
        // Shards count without what follows from them.
        match derived(&writer, (&current, &last), derive, &mut report) {
            Ok(named) => current.derived = Some(named),
            Err(error) => {
                report.problems.push(Problem::new(STAGE, format!("nothing follows from the shards: {}", error.message)));
            }
        }
    }
    if current != last || is_damaged {
        writer.set(&current)?;
    }
    writer.clean(&current, options.grace)?;
    report.current = current;
    Ok(report)
}

fn chosen<'m>(manifest: &'m Manifest, only: &[String]) -> Result<Vec<&'m Repository>> {
    if only.is_empty() {
        return Ok(manifest.repositories.iter().collect());
    }
    let names: BTreeSet<&str> = only.iter().map(String::as_str).collect();
    let find = |name: &str| {
        let none = || {
            let near = nearest(name, manifest.repositories.iter().map(|repository| repository.name.as_str()));
            let meant = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            let file = manifest.path.display();
            format!("{file} lists no repository called `{name}`{meant}; `activate fleet list` names all")
        };
        manifest.find(name).ok_or_else(|| Error::new(ErrorKind::BadInput, none()))
    };
    names.into_iter().map(find).collect()
}

/// Repositories that are not chosen and have a shard that is not as it was written, with what is wrong: what was derived without it would stay.
fn damaged<'m>(manifest: &'m Manifest, last: &Current, chosen: &[&Repository], store: &Store) -> Vec<(&'m Repository, String)> {
    let chosen: BTreeSet<&str> = chosen.iter().map(|repository| repository.name.as_str()).collect();
    let others = manifest.repositories.iter().filter(|repository| !chosen.contains(repository.name.as_str()));
    let damaged = others.filter_map(|repository| {
        let shard = last.repositories.get(&repository.name)?.shard.as_deref()?;
        Some((repository, store.checked(shard).err()?.message))
    });
    damaged.collect()
}

/// Looks at repositories on so many threads, the answers in their order.
fn look_at_all(chosen: &[&Repository], writer: &Writer<'_>, last: &Current, options: &Options, work: &Work<'_>) -> Vec<Look> {
    let (next, n_done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let looks: Mutex<Vec<Option<Look>>> = Mutex::new(vec![None; chosen.len()]);
    let n_jobs = options.n_jobs.clamp(1, chosen.len().max(1));
    let worker = || {
        while let Some((at, repository)) = take(&next, chosen) {
            let look = one::look_at(repository, writer, last.repositories.get(&repository.name), options, work);
            if let Some(place) = looks.lock().unwrap_or_else(PoisonError::into_inner).get_mut(at) {
                *place = Some(look);
            }
            (work.progress)(n_done.fetch_add(1, Ordering::Relaxed) + 1, chosen.len());
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..n_jobs {
            scope.spawn(worker);
        }
        worker();
    });
    looks.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

fn take<'r>(next: &AtomicUsize, chosen: &[&'r Repository]) -> Option<(usize, &'r Repository)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    chosen.get(at).map(|repository| (at, *repository))
}

/// What follows from the shards that count: as it is kept, else made. It is made again as long as one of them takes no part.
fn derived(
    writer: &Writer<'_>,
    (current, last): (&Current, &Current),
    derive: &Derive<'_>,
    report: &mut Report,
) -> Result<String> {
    let source = |(name, shard): (&str, &str)| Source { name: name.to_owned(), folder: writer.store().folder().join(shard) };
    let key_of = |current: &Current, lacking: &[String]| {
        let mut text = FORM.to_owned();
        for (name, shard) in current.shards() {
            let _ = write!(text, "\n{name}\t{shard}");
        }
        xxh3_128(lacking.iter().fold(text, |text, name| text + "\n-" + name).as_bytes())
    };
    report.sources.extend(current.shards().map(source));
    let key = |lacking: &[String]| key_of(current, lacking);
    let named = if let Some(named) = writer.derived(key(&[])) {
        named
    } else {
        // What was derived of all that counted.
        let folder = writer.last_derived(last, key_of(last, &[]));
        let last = folder.map(|folder| Last { folder, shards: last.shards().map(source).collect() });
        writer.make_derived(last.as_ref().map(|last| &*last.folder), |folder| {
            let left_out = derive(&report.sources, folder, last.as_ref())?;
            let text = serde_json::to_vec(&left_out.problems).map_err(|error| cannot("write", folder, error.into()))?;
            fs::write(folder.join(LEFT_OUT), text).map_err(|error| cannot("write", folder, error))?;
            Ok(key(&left_out.lacking))
        })?
    };
    // What was left out is left out until it is derived anew.
    let folder = writer.store().folder().join(&named);
    let text = fs::read(folder.join(LEFT_OUT)).map_err(|error| cannot("read", &folder, error))?;
    report.problems.extend(serde_json::from_slice::<Vec<Problem>>(&text).map_err(|error| cannot("read", &folder, error.into()))?);
    Ok(named)
}

/// What was left out when all was derived, beside its tables.
const LEFT_OUT: &str = "left_out.json";

fn cannot(what: &str, folder: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorKind::Storage, format!("cannot {what} `{}`", folder.join(LEFT_OUT).display())).because(error)
}

impl Report {
    fn count(&mut self, repository: &Repository, look: &Look) {
        match (look.known.state, look.made) {
            (State::Empty, _) => self.n_empty += 1,
            (State::Missing, _) => self.n_missing += 1,
            (State::Unreadable, _) => self.n_unreadable += 1,
            (State::Known, Made::Same) => self.n_same += 1,
            (State::Known, Made::New) => {
                self.n_new += 1;
                self.n_files += look.known.n_files;
                self.n_lines += look.known.n_lines;
            }
        }
        self.problems.extend(look.problem(repository));
        let of = |problem: &Problem| Problem::new(STAGE, format!("{}: {problem}", repository.name));
        self.problems.extend(look.problems.iter().map(of));
    }
}

/// Stands for all that decides what a shard of a commit holds.
fn key(commit: &str, options: &Options) -> u128 {
    let engine::Options { exclude, alternates, memory, .. } = &options.engine;
    let rest = format!("\n{commit}\n{memory:?}\n{alternates:?}\n{FORM}\n{}", exclude.join("\n"));
    xxh3_128(&[&facts_version(), rest.as_bytes()].concat())
}
