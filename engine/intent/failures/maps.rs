//! Source maps of the built files that frames name, found in the repository and read once for all frames.
//!
//! Built files are mostly ignored, so that they are looked for on disk, within the root and its rules like every other read. Where several
//! could be meant, none is.

use super::STAGE;
use super::places::Locator;
use super::source_map::{Original, Position, bytes_of, originals};
use activate_grammars::project::{Registry, folder_of, join};
use activate_rules::atoms::NodeId;
use error::Problem;
use memchr::memmem;
use repo::{Pattern, Repo, RepoPath};
use rustc_hash::FxHashMap;
use signals::built::{Origin, is_script};
use signals::place::is_installed;
use signals::{Place, Report};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// The most bytes of a map or of a built file with one in it, and of all that is read for a report: maps of large programs have some megabytes.
const MAX_BYTES: u64 = 32 << 20;
const MAX_ALL_BYTES: u64 = 4 * MAX_BYTES;

/// The most built files that are looked for, and the most positions in one of them: a trace names few of either.
const MAX_BUILT: usize = 64;
const MAX_POSITIONS: usize = 4_096;

/// Where else a built file may lie whose path begins in another machine or behind a server: this many folders at its beginning are left out,
/// and it is looked for below this many packages, and in the folders into which programs for browsers are built.
const MAX_DROPPED: usize = 8;
const MAX_PACKAGES: usize = 16;
const SERVED_FROM: [&str; 5] = ["", "dist", "build", "out", "public"];

/// How the map of a file is called, and how a built file says where its map is.
const MAP: &str = ".map";
const MAP_AT: &[u8] = b"sourceMappingURL=";
const DATA: &str = "data:";
const BASE_64: &str = ";base64,";

/// A place that a map leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mapped {
    /// A line of a file of the repository, by the map with this number. It is doubtful where the map may speak of other code that has a file of
    /// this name.
    Source { file: NodeId, line: u32, map: u32, is_doubtful: bool },
    /// Code of another package that was bundled.
    Foreign,
}

/// What is known of maps. It can be asked for several reports: what was read for one is not read again for the next.
#[derive(Debug, Default)]
pub struct SourceMaps<'r> {
    /// The repository, and patterns of files that are left out; none where no file is to be read.
    files: Option<(&'r Repo, Vec<Pattern>)>,
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    /// By path as it is written and the folder that it is meant from: the built file, if it is here.
    built: FxHashMap<Written, Option<String>>,
    mapped: FxHashMap<(Written, Position), Option<Mapped>>,
    /// How many built files were looked for.
    n_searched: usize,
    /// Built files whose maps were used.
    used: Vec<String>,
    problems: Vec<Problem>,
}

impl State {
    /// Adds a problem, once.
    fn add(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

/// A path as a report has it, and the folder in which the tool ran.
type Written = (String, String);

impl<'r> SourceMaps<'r> {
    /// The maps of a repository, those aside that `excluded` leaves out.
    pub fn new(repo: &'r Repo, excluded: &[String]) -> Self {
        // A pattern that is none was refused when the files were listed.
        let excluded = excluded.iter().filter_map(|pattern| Pattern::new(pattern).ok()).collect();
        Self { files: Some((repo, excluded)), state: RefCell::default() }
    }

    /// What could not be used.
    pub fn problems(&self) -> Vec<Problem> {
        self.state.borrow().problems.clone()
    }

    /// The built files whose maps were used, by their numbers.
    pub(super) fn used(&self) -> Vec<String> {
        self.state.borrow().used.clone()
    }

    /// What a place of a built file was made from, as far as a map says it.
    pub(super) fn mapped<'l>(&self, locator: &Locator<'l>, place: &'l Place) -> Option<Mapped> {
        self.files.as_ref()?;
        let key = (written(locator, place)?, position(place));
        self.state.borrow().mapped.get(&key).copied().flatten()
    }

    /// Reads the maps for all places of a report.
    pub(super) fn read<'l>(&self, locator: &Locator<'l>, report: &'l Report) {
        let Some((repo, excluded)) = &self.files else { return };
        let of_diagnostics = report.diagnostics.iter().flat_map(|found| found.place.iter().chain(frames(&found.frames)));
        let of_tests = report.failed().flat_map(|test| test.place.iter().chain(frames(&test.frames)));
        let mut wanted: BTreeMap<Written, BTreeSet<Position>> = BTreeMap::new();
        let state = &mut *self.state.borrow_mut();
        for place in of_diagnostics.chain(of_tests) {
            let Some(written) = written(locator, place) else { continue };
            let key = (written, position(place));
            if !state.mapped.contains_key(&key) {
                let positions = wanted.entry(key.0).or_default();
                if positions.len() < MAX_POSITIONS {
                    positions.insert(key.1);
                }
            }
        }
        let reader = Reader { repo, excluded, locator, n_left: Cell::new(MAX_ALL_BYTES) };
        for (written, positions) in wanted {
            let is_full = state.n_searched >= MAX_BUILT;
            let is_source = locator.is_source(&written.0);
            state.n_searched += usize::from(!is_source && !state.built.contains_key(&written));
            let built = match state.built.get(&written) {
                Some(known) => known.clone(),
                // Code that nobody built has no map, but for one beside it.
                None if is_source => reader.is_built(&written.0).then(|| written.0.clone()),
                None if is_full => {
                    let why = format!("more than {MAX_BUILT} scripts are named: source maps of the others are not looked for");
                    state.add(Problem::new(STAGE, why));
                    None
                }
                None => reader.built(&written),
            };
            state.built.insert(written.clone(), built.clone());
            let positions: Vec<Position> = positions.into_iter().collect();
            let mapped = built.map(|built| (reader.originals(&built, &positions), built));
            let found = match mapped {
                None | Some((Ok(None), _)) => vec![None; positions.len()],
                Some((Ok(Some((folder, originals))), built)) => {
                    let map = state.used.iter().position(|used| *used == built).unwrap_or_else(|| {
                        state.used.push(built);
                        state.used.len() - 1
                    });
                    originals.iter().map(|of| reader.source(&folder, of.as_ref()?, map as u32)).collect()
                }
                Some((Err((path, why)), _)) => {
                    state.add(Problem::at(STAGE, path, format!("source map not used: {why}")));
                    vec![None; positions.len()]
                }
            };
            state.mapped.extend(positions.into_iter().zip(found).map(|(position, found)| ((written.clone(), position), found)));
        }
    }
}

fn frames(frames: &[signals::Frame]) -> impl Iterator<Item = &Place> {
    frames.iter().filter_map(|frame| frame.place.as_ref())
}

fn position(place: &Place) -> Position {
    Position { line: place.line, column: place.column }
}

/// A place as it is looked for, if it is one in a script: what has no line or lies in a package of others has no map here.
fn written<'l>(locator: &Locator<'l>, place: &'l Place) -> Option<Written> {
    let may_be_built = place.line > 0 && is_script(&place.path);
    let is_own = || match Origin::of(&place.path) {
        Some(Origin::Npm { package, .. }) => locator.only_folder(Registry::Npm, package).is_some(),
        Some(_) => false,
        None => !is_installed(&place.path),
    };
    if !may_be_built || !is_own() {
        return None;
    }
    let listed = locator.spot(place).map(|spot| locator.base.path(spot.file)).filter(|path| locator.is_source(path));
    Some(listed.map_or_else(|| (place.path.clone(), locator.ran_in(place).to_owned()), |path| (path.to_owned(), String::new())))
}

/// Where a map lies, or a problem with it: path and why.
type Found = Result<Option<(String, Vec<Option<Original>>)>, (String, String)>;

struct Reader<'a, 'l> {
    repo: &'a Repo,
    excluded: &'a [Pattern],
    locator: &'a Locator<'l>,
    /// How many bytes may still be read.
    n_left: Cell<u64>,
}

impl Reader<'_, '_> {
    /// The built file that a path means: exactly, else the only one that lies like it, the more of its folders fit the better.
    fn built(&self, (path, ran_in): &Written) -> Option<String> {
        if let Some(Origin::Npm { package, rest }) = Origin::of(path) {
            let path = join(self.locator.only_folder(Registry::Npm, package)?, rest)?;
            return self.is_built(&path).then_some(path);
        }
        if let Some(path) = self.locator.below_root(path) {
            return self.is_built(path).then(|| path.to_owned());
        }
        let is_absolute = path.starts_with('/');
        let exact = [ran_in.as_str(), ""].into_iter().filter_map(|folder| join(folder, path)).find(|path| self.is_built(path));
        if let Some(path) = exact.filter(|_| !is_absolute) {
            return Some(path);
        }
        let base = self.locator.base;
        let packages = base.published().filter(|package| package.registry == Registry::Npm).map(|package| package.folder);
        let folders: BTreeSet<&str> = packages.take(MAX_PACKAGES).chain([""]).collect();
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        // One folder at least is left: many files are called `index.js`.
        let n_dropped = parts.len().saturating_sub(1).clamp(1, MAX_DROPPED);
        for n in 0..n_dropped {
            let end = parts[n..].join("/");
            let served =
                |folder: &&str| SERVED_FROM.iter().filter_map(|from| join(&format!("{folder}/{from}"), &end)).collect::<Vec<_>>();
            let found: BTreeSet<String> = folders.iter().flat_map(served).filter(|path| self.is_built(path)).collect();
            if !found.is_empty() {
                return <[String; 1]>::try_from(found.into_iter().collect::<Vec<_>>()).ok().map(|[path]| path);
            }
        }
        None
    }

    /// Whether there is a built file or its map.
    fn is_built(&self, path: &str) -> bool {
        self.is_there(&format!("{path}{MAP}")) || self.may_hold_map(path) && self.is_there(path)
    }

    /// Whether a script may say where its map is: sources that nobody built are not read for that.
    fn may_hold_map(&self, path: &str) -> bool {
        !self.locator.is_source(path)
    }

    fn is_there(&self, path: &str) -> bool {
        let is_excluded = self.excluded.iter().any(|pattern| pattern.is_match(path));
        !is_excluded && RepoPath::new(path).is_ok_and(|path| self.repo.has_file(&path))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, (String, String)> {
        let why = |why: String| (path.to_owned(), why);
        let max = MAX_BYTES.min(self.n_left.get());
        let bytes = self.repo.read(&RepoPath::new(path).map_err(why)?, max).map_err(|error| why(error.to_string()))?;
        self.n_left.set(self.n_left.get().saturating_sub(bytes.len() as u64));
        Ok(bytes)
    }

    /// The originals of positions in a built file, and the folder that they are meant from.
    fn originals(&self, built: &str, positions: &[Position]) -> Found {
        let beside = format!("{built}{MAP}");
        let (path, map) = if self.is_there(&beside) {
            let map = self.read(&beside)?;
            (beside, map)
        } else {
            let text = self.read(built)?;
            let Some(at) = map_at(&text) else { return Ok(None) };
            if let Some(data) = at.strip_prefix(DATA) {
                let Some((_, data)) = data.split_once(BASE_64) else { return Ok(None) };
                let map = bytes_of(data).ok_or_else(|| (built.to_owned(), "it is not in base 64".to_owned()))?;
                (built.to_owned(), map)
            } else {
                // What lies behind a server, at an absolute path or outside of the root is not looked for, nor what is called otherwise than maps
                // are: a built file could name any other.
                let is_relative = !at.contains(':') && !at.starts_with('/');
                let path = join(folder_of(built), at.split('?').next().unwrap_or_default()).filter(|_| is_relative);
                let Some(path) = path.filter(|path| path.ends_with(MAP) && self.is_there(path)) else { return Ok(None) };
                let map = self.read(&path)?;
                (path, map)
            }
        };
        let originals = originals(&map, positions).map_err(|why| (path.clone(), why))?;
        Ok(Some((folder_of(&path).to_owned(), originals)))
    }

    /// The file of the repository that a source is, or that it is of others.
    fn source(&self, folder: &str, original: &Original, map: u32) -> Option<Mapped> {
        let path = Place::at(&original.source, 0, 0).path;
        if is_installed(&path) {
            return Some(Mapped::Foreign);
        }
        let base = self.locator.base;
        let (file, is_doubtful) = if let Some((_, rest)) = original.source.split_once("://") {
            // Bundlers name sources from the folder of the program.
            let mut above = std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| folder_of(folder)));
            let file = above.find_map(|folder| base.file_at(&join(folder, &path)?))?;
            (file, !self.is_own_program(rest.split('/').next().unwrap_or_default()))
        } else if let Some(below) = self.locator.below_root(&path) {
            (base.file_at(below)?, false)
        } else if path.starts_with('/') {
            (self.locator.only_ending(&path)?, true)
        } else {
            (base.file_at(&join(folder, &path)?)?, false)
        };
        Some(Mapped::Source { file, line: original.line, map, is_doubtful })
    }

    /// Whether the name of a program in an URL is that of a package here, or of its folder; a bundler need not name one.
    fn is_own_program(&self, name: &str) -> bool {
        let last = |path: &'_ str| path.rsplit('/').next() == Some(name);
        name.is_empty()
            || self.locator.base.published().any(|package| package.name == name || last(package.name) || last(package.folder))
    }
}

/// Where a built file says that its map is: what it says last counts.
fn map_at(text: &[u8]) -> Option<&str> {
    let start = memmem::rfind(text, MAP_AT)? + MAP_AT.len();
    let rest = &text[start..];
    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    std::str::from_utf8(&rest[..end]).ok().map(|at| at.trim_end_matches("*/"))
}

#[cfg(test)]
mod tests;
