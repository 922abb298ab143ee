//! Names to definitions: one language-neutral resolver over the scope facts of all files.
//!
//! Modules and their members first, then imports, then the members and supertypes of types, then every site. What a rule of the language
//! does not prove is marked with less confidence or left unresolved and counted. Must not know files on disk, scores or packets.

mod again;
mod aliases;
mod alone;
mod bare;
mod by_name;
mod calls;
mod facts;
mod given;
mod implements;
mod imports;
mod index;
mod kept;
mod lifecycle;
mod line;
mod lookup;
mod macros;
mod outside;
mod overrides;
mod places;
mod reach;
mod reuse;
mod shape;
mod sites;
mod tables;
pub(crate) mod terms;
mod types;
mod vendored;

#[cfg(test)]
mod tests;

use activate_grammars::project::{Manifest, Project, Published};
use activate_rules::links::Confidence;
use rayon::prelude::*;
use reuse::Reuse;
use serde::{Deserialize, Serialize};

pub use again::{Again, Numbered, again};
pub use aliases::Alias;
pub use facts::{Facts, Later};
pub(crate) use index::Index;
pub use kept::{Lists, ListsRef, N_LISTS, Names};
pub use places::Place;
pub use reuse::{Before, Sites};
pub use sites::{OfFile, OpenSite};

/// A file as the resolver sees it.
#[derive(Clone, Copy)]
pub struct SourceFile<'a> {
    /// Repository path.
    pub path: &'a str,
    /// Index into [`activate_grammars::LANGUAGES`], for files of a known language.
    pub language: Option<usize>,
    /// Its facts; empty for other files.
    pub facts: Facts<'a>,
}

/// A symbol of the repository: symbols of all files numbered in file order, then source order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Sym(pub(crate) u32);

/// A file by its place in path order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct FileId(pub(crate) u32);

/// A module, package or namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct ModuleId(pub(crate) u32);

/// A name by its number among all names of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Name(pub(crate) u32);

/// What a name can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Item {
    /// A definition.
    Symbol(Sym),
    /// A module.
    Module(ModuleId),
    /// Something outside the repository, or the language's own.
    Foreign,
}

/// The kinds of link that sites and declarations give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// A call, or an instance made.
    Calls,
    /// Any other use.
    References,
    /// A type or method fulfils an interface, trait or its method.
    Implements,
    /// A type takes over another's members.
    Extends,
}

/// The end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// A file, by its place in path order.
    File(u32),
    /// A symbol, by its place among all symbols.
    Symbol(u32),
}

/// A link between two places of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// Where it starts.
    pub from: End,
    /// What it is.
    pub relation: Relation,
    /// Line of the site in the file of `from`.
    pub line: u32,
    /// The symbol it leads to.
    pub to: u32,
    /// How sure it is.
    pub confidence: Confidence,
}

/// A dependency of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    /// The file that depends, by its place in path order.
    pub from: u32,
    /// What it depends on.
    pub to: Target,
    /// How sure it is.
    pub confidence: Confidence,
    /// Line of the import or of the first use.
    pub line: u32,
}

/// What a file can depend on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A file, by its place in path order.
    File(u32),
    /// A package outside the repository.
    Package(String),
}

/// What became of the sites of one file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Calls linked to a definition of the repository.
    pub resolved: u32,
    /// Calls that leave the repository or are the language's own.
    pub foreign: u32,
    /// Calls of values that are held in local names.
    pub local: u32,
    /// Calls about which nothing could be said.
    pub unresolved: u32,
    /// Imports that may lead to files of the repository, to which is not known.
    pub open_imports: u32,
    /// Names and modules of other files that others can import through this one.
    pub passed_on: u32,
}

/// Everything the resolver found.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Links, sorted, without repetitions.
    pub links: Vec<Link>,
    /// Dependencies of files, sorted, the surest of each pair.
    pub dependencies: Vec<Dependency>,
    /// What became of calls, by file.
    pub tallies: Vec<Tally>,
    /// Sites that may mean a definition all the same, calls or not, by file, in the order of its list of sites.
    pub open: Vec<Vec<OpenSite>>,
    /// For each symbol whether it is a method that may stand behind one of an interface from outside.
    pub stands_in: Vec<bool>,
    /// For each symbol the type it is a member of, where that is another symbol of the repository.
    pub containers: Vec<Option<u32>>,
    /// How the tests of each file are run, where it holds tests and a command runs them.
    pub places: Vec<Option<Place>>,
    /// The package of each file: the folder of its tests' package or manifest.
    pub packages: Vec<Option<String>>,
    /// The packages of the repository, as others know them, each once.
    pub published: Vec<Published>,
    /// Other names of definitions and files, sorted, without repetitions.
    pub aliases: Vec<Alias>,
    /// For each file the one of before whose sites mean what they meant, so that nobody resolved them: see [`Before`].
    pub reused: Vec<Option<u32>>,
    /// The files whose facts resolving the sites of each file asked for, by file, in order.
    pub reads: Vec<Vec<u32>>,
    /// The tables, for [`again`] and [`Before`].
    pub tables: Lists,
    /// What was left out of the whole repository, as it would have cost too much.
    pub limits: Vec<&'static str>,
    /// Manifests that could not be read: path and why.
    pub problems: Vec<(String, String)>,
}

/// Resolves a repository. `files` in path order; `manifests` in path order; `keeps_tables` says whether [`again`] will want the tables; `before` is
/// what is known of it as it was.
pub fn resolve(
    files: &[SourceFile<'_>],
    manifests: &[Manifest<'_>],
    keeps_tables: bool,
    before: Option<&Before<'_>>,
) -> Resolved {
    let projects = load_projects(manifests, &|path| is_file(files, path));
    let index = Index::build(files, &projects);
    // Who implements what is found on one thread, beside sites on the others.
    let implements = || {
        let mut links = Vec::new();
        let are_all = implements::add(&index, &mut links);
        (links, are_all)
    };
    let sites = || sites::resolve_sites(&index, before.and_then(|before| Reuse::find(&index, manifests, before)).as_ref());
    let (mut resolved, (links, are_all)) = rayon::join(sites, implements);
    resolved.links.extend(links);
    if !are_all {
        resolved.limits.push("it has too many types and interfaces to be compared; some of what implements what is missing");
    }
    let keep = || if keeps_tables { again::keep(&index, manifests) } else { Lists::default() };
    let ((), tables) = rayon::join(|| settle(&mut resolved.links), keep);
    resolved.tables = tables;
    resolved.containers = index.member_of.iter().map(|of| of.map(|sym| sym.0)).collect();
    resolved.stands_in = outside::stands_in(&index);
    resolved.aliases = aliases::aliases(&index);
    resolved.places = places::places(&index);
    let package = |file: u32| index.project(FileId(file))?.package(files[file as usize].path);
    resolved.packages = (0..files.len() as u32).map(package).collect();
    resolved.published = projects.iter().flat_map(|project| project.published()).collect();
    resolved.published.sort_unstable();
    resolved.published.dedup();
    for project in &projects {
        resolved.problems.extend(project.problems().iter().cloned());
    }
    resolved
}

/// Puts links in order, the surest of each site.
pub(super) fn settle(links: &mut Vec<Link>) {
    links.par_sort_unstable();
    links.dedup_by(|later, earlier| {
        (later.from, later.relation, later.line, later.to) == (earlier.from, earlier.relation, earlier.line, earlier.to)
    });
}

/// Whether a path is one of these files, which are in path order.
fn is_file(files: &[SourceFile<'_>], path: &str) -> bool {
    files.binary_search_by(|file| file.path.cmp(path)).is_ok()
}

/// The project of each language, in the order of the languages. `exists` says whether a path is a file.
pub(crate) fn load_projects(manifests: &[Manifest<'_>], exists: &dyn Fn(&str) -> bool) -> Vec<Box<dyn Project>> {
    let load = |language: &&activate_grammars::Language| {
        let rules = &language.project;
        let own: Vec<Manifest<'_>> = manifests
            .iter()
            .filter(|manifest| (rules.is_manifest)(manifest.path.rsplit('/').next().unwrap_or_default()))
            .copied()
            .collect();
        (rules.load)(&own, exists)
    };
    activate_grammars::LANGUAGES.iter().map(load).collect()
}
