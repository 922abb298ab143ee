//! The verdict of the compiler on one link.
//!
//! Must not count: that is for `judge` and `recall`.

use crate::record::{Definition, File, Implements, Kind, Link, Other, Site, Why};
use crate::scip::file_name;
use crate::truth::{FileTruth, Line, Reach, SiteId, Truth};
use serde::{Deserialize, Serialize};

/// Languages whose oracle knows an implementation only where the source declares one.
const DECLARED_ONLY: [&str; 1] = ["typescript"];

/// Languages whose oracle does not say what methods such as `__enter__` implement.
const SILENT_ON_SPECIAL: [&str; 1] = ["python"];

/// Files whose definitions are given to tests by name: nobody imports them, and no oracle knows of it.
const GIVEN: [&str; 1] = ["conftest.py"];

/// Names that constructors have of their own.
const CONSTRUCTORS: [&str; 2] = ["constructor", "__init__"];

/// What is said of a link. Only `Right` and `Wrong` enter a percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Right,
    Wrong,
    /// The compiler names an interface's method, the link a method of that name elsewhere.
    Dispatch,
    /// A test reaches its subject only through other code.
    Reached,
    /// A runner calls it around a test: no code names it there.
    Around,
    /// A field or a variant.
    Field,
    /// Made by a macro: the compiler knows the code that the macro gives, not its text.
    Made,
    /// Code that this build leaves out.
    Configured,
    /// The definition stands in a file that this build leaves out, and the compiler names its twin.
    OtherBuild,
    /// The compiler does not know the name either.
    Unresolved,
    /// What is known of one of the two files has gaps: its syntax could not be read, or too many of its names are unknown.
    Incomplete,
    /// The compiler has not read the file.
    NoOracle,
    /// The link says no line.
    NoLine,
}

impl Truth {
    /// The truth of the file that a link starts in, if there is one and its target is to be judged.
    fn start(&self, link: &Link, to_path: &str) -> Option<(&FileTruth, &File)> {
        let truth = self.files.get(&link.from_path).filter(|_| !self.part.ignores(to_path))?;
        Some((truth, truth.file.as_ref()?))
    }

    /// The verdict on a call or reference, with the sites that it is right for.
    pub(crate) fn of_site(&self, link: &Link, to_path: &str) -> (Verdict, Vec<SiteId>) {
        let Some((truth, file)) = self.start(link, to_path) else { return (Verdict::NoOracle, Vec::new()) };
        let Some(row) = link.line else { return (Verdict::NoLine, Vec::new()) };
        let none = Line::default();
        let here = truth.lines.get(&row).unwrap_or(&none);
        let right: Vec<SiteId> = here.sites.iter().copied().filter(|id| hits(link, to_path, self.site(*id))).collect();
        let is_beside =
            || here.others.iter().any(|other| hits_outside(link, to_path, other) || hits_module(link, to_path, other));
        let is_right = !right.is_empty() || is_beside();
        (if is_right { Verdict::Right } else { self.of_unfound(link, to_path, here, file, row) }, right)
    }

    /// The verdict on a link whose target the compiler does not name at its site: wrong, unless there is a reason to count it apart.
    fn of_unfound(&self, link: &Link, to_path: &str, here: &Line, file: &File, row: u32) -> Verdict {
        let name = last_name(&link.to);
        let named: Vec<&Site> = here.sites.iter().map(|id| self.site(*id)).filter(|site| site.to_name == name).collect();
        let other_is = |why| here.others.iter().any(move |other| other.why == why && other.name == name);
        let is_field = |other: &Other| {
            other.why == Why::Field && other.to_name.as_deref() == Some(name) && other.to_path.as_deref() == Some(to_path)
        };
        if named.iter().any(|site| site.to_kind == Kind::InterfaceMethod) {
            Verdict::Dispatch
        } else if here.others.iter().any(is_field) {
            Verdict::Field
        } else if self.is_around(link, to_path, here, file) {
            Verdict::Around
        } else if other_is(Why::Made) || within(&file.made, row) {
            Verdict::Made
        } else if within(&file.configured, row) || !named.is_empty() && self.is_configured_out(link, to_path) {
            Verdict::Configured
        } else if other_is(Why::Unresolved) {
            Verdict::Unresolved
        } else if !self.knows(to_path)
            && (has_twin(&named, here, name, to_path) || is_declared(to_path) && other_is(Why::Outside))
        {
            Verdict::OtherBuild
        } else if self.is_unnamed_constructor(link, here) {
            Verdict::NoOracle
        } else if !file.complete || self.has_gaps(to_path) {
            Verdict::Incomplete
        } else {
            Verdict::Wrong
        }
    }

    fn has_gaps(&self, path: &str) -> bool {
        self.files.get(path).and_then(|truth| truth.file.as_ref()).is_some_and(|file| !file.complete)
    }

    /// Whether a link calls a constructor that the code there does not name: that of a class above one of which an instance is made, or one that a
    /// class or its own constructor calls by itself.
    fn is_unnamed_constructor(&self, link: &Link, here: &Line) -> bool {
        let is_by_class = constructed(&link.to).is_some_and(|class| class == last_name(&link.to));
        let is_called = |id: &SiteId| self.sites[id.0].1;
        let is_made = constructed(&link.to).is_some() && !is_by_class && here.sites.iter().any(is_called);
        let names_it = here.sites.iter().any(|id| is_called(id) && self.site(*id).to_name == last_name(&link.to));
        link.relation == "calls" && (is_made || is_by_class && !names_it)
    }

    /// Whether a link is one of a test to what its runner calls around it: from the line of the test's name, which does not name it.
    fn is_around(&self, link: &Link, to_path: &str, here: &Line, file: &File) -> bool {
        let name = last_name(&link.to);
        let is_named = !here.sites.is_empty() || here.others.iter().any(|other| other.name == name);
        let is_own = |(row, test): &(u32, String)| Some(*row) == link.line && test == last_name(&link.from);
        let around = self.files.get(to_path).and_then(|truth| truth.file.as_ref()).map_or(&[][..], |file| &file.run.around);
        let is_target = |(row, around): &(u32, String)| around == name && spans(link, to_path, to_path, *row);
        link.relation == "calls" && !is_named && file.run.tests.iter().any(is_own) && around.iter().any(is_target)
    }

    fn is_configured_out(&self, link: &Link, to_path: &str) -> bool {
        let file = self.files.get(to_path).and_then(|truth| truth.file.as_ref());
        file.zip(link.to_lines).is_some_and(|(file, (first, _))| within(&file.configured, first))
    }

    /// The verdict on an import.
    pub(crate) fn of_import(&self, link: &Link, to_path: &str) -> Verdict {
        let Some((truth, file)) = self.start(link, to_path) else { return Verdict::NoOracle };
        let here = link.line.and_then(|row| truth.lines.get(&row));
        if truth.names.contains(to_path) || truth.packages.contains(folder_or_dot(to_path)) {
            Verdict::Right
        } else if here.is_some_and(|line| line.others.iter().any(|other| other.why == Why::Unresolved)) {
            Verdict::Unresolved
        } else if !file.complete && link.confidence.as_deref() == Some("qualified") {
            // Which files the names lead to that are used there is not all known.
            Verdict::Incomplete
        } else if self.knows(to_path) && !GIVEN.contains(&file_name(to_path)) {
            Verdict::Wrong
        } else {
            Verdict::NoOracle
        }
    }

    /// The verdict on a link from a test, or a file of tests, to what it tests, with the sites in the test that it is right for.
    pub(crate) fn of_test(&self, link: &Link, to_path: &str, reach: &Reach<'_>) -> (Verdict, Vec<SiteId>) {
        let Some((truth, _)) = self.start(link, to_path) else { return (Verdict::NoOracle, Vec::new()) };
        let (first, last) = link.from_lines.unwrap_or((1, u32::MAX));
        let used = truth.lines.range(first..=last).flat_map(|(_, line)| line.sites.iter().copied());
        let is_used = |id: &SiteId| link.to_lines.is_some() && hits(link, to_path, self.site(*id));
        let right: Vec<SiteId> = used.clone().filter(is_used).collect();
        let verdict = if !right.is_empty() || link.to_lines.is_none() && truth.names.contains(to_path) {
            Verdict::Right
        } else if self.reached(used, reach).any(|(path, line)| spans(link, to_path, path, line)) {
            Verdict::Reached
        } else {
            Verdict::Wrong
        };
        (verdict, right)
    }

    /// The verdict on a link from what implements to what is implemented.
    pub(crate) fn of_implementation(&self, link: &Link, to_path: &str) -> Verdict {
        let Some((truth, file)) = self.start(link, to_path) else { return Verdict::NoOracle };
        let is_special = last_name(&link.to).starts_with("__") && SILENT_ON_SPECIAL.contains(&file.lang.as_str());
        if !self.knows(to_path) || self.implementations.is_empty() || is_special {
            return Verdict::NoOracle;
        }
        if truth.implements.iter().any(|pair| is_pair(link, to_path, pair)) { Verdict::Right } else { Verdict::Wrong }
    }

    /// The verdict on where a link goes that dispatches: right if it is an implementation of the method that the compiler names.
    pub(crate) fn of_dispatch(&self, link: &Link, to_path: &str) -> Verdict {
        let Some((truth, file)) = self.start(link, to_path).filter(|_| !self.implementations.is_empty()) else {
            return Verdict::NoOracle;
        };
        let here = link.line.and_then(|row| truth.lines.get(&row));
        let named = here.into_iter().flat_map(|line| &line.sites).map(|id| self.site(*id));
        let mut named = named.filter(|site| site.to_kind == Kind::InterfaceMethod);
        let is_right = named.any(|site| {
            let mut all = self.implementations_of(&site.to_path, site.to_line);
            all.any(|(path, line)| spans(link, to_path, path, line))
        });
        match is_right {
            true => Verdict::Right,
            // What merely fits an interface implements it as well, and no record says so.
            false if DECLARED_ONLY.contains(&file.lang.as_str()) => Verdict::NoOracle,
            false => Verdict::Wrong,
        }
    }
}

/// The name that a symbol ends with: `Handle` of `src/a.go#Server.Handle`.
pub(crate) fn last_name(symbol: &str) -> &str {
    let symbol = symbol.rsplit(['.', '#', '/']).next().unwrap_or_default();
    symbol.rsplit("::").next().unwrap_or_default()
}

/// The folder of a path, empty at the top.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder of a path as records of packages name it.
pub(crate) fn folder_or_dot(path: &str) -> &str {
    Some(folder(path)).filter(|folder| !folder.is_empty()).unwrap_or(".")
}

fn within(ranges: &[(u32, u32)], line: u32) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&line))
}

/// Whether a definition stands in the target of a link.
fn spans(link: &Link, to_path: &str, path: &str, row: u32) -> bool {
    path == to_path && link.to_lines.is_none_or(|(first, last)| (first..=last).contains(&row))
}

/// Whether the target of a link is a definition that lies outside, and yet in the checkout: vendored code.
fn hits_outside(link: &Link, to_path: &str, other: &Other) -> bool {
    let defined = other.to_path.as_deref().zip(other.to_line);
    other.why == Why::Outside
        && other.to_name.as_deref() == Some(last_name(&link.to))
        && defined.is_some_and(|(path, row)| spans(link, to_path, path, row))
}

/// Whether the target of a link is the module that the compiler names there: modules are defined by their files, so the name is that of the use.
fn hits_module(link: &Link, to_path: &str, other: &Other) -> bool {
    let defined = other.to_path.as_deref().zip(other.to_line);
    other.why == Why::Module
        && other.name == last_name(&link.to)
        && defined.is_some_and(|(path, row)| spans(link, to_path, path, row))
}

/// Whether the compiler names a definition of this name in another file of the target's folder: the target is of another build.
fn has_twin(named: &[&Site], here: &Line, name: &str, to_path: &str) -> bool {
    let outside = here.others.iter().filter(|other| other.why == Why::Outside && other.to_name.as_deref() == Some(name));
    let mut paths = named.iter().map(|site| site.to_path.as_str()).chain(outside.filter_map(|other| other.to_path.as_deref()));
    paths.any(|path| path != to_path && folder(path) == folder(to_path))
}

/// Whether a file declares what lies elsewhere; one that no project takes in declares names that the compiler finds outside.
fn is_declared(path: &str) -> bool {
    path.ends_with(".d.ts")
}

/// Whether the target of a link is the definition of a site, or one that is as right, by place and name. A constructor is its class.
fn hits(link: &Link, to_path: &str, site: &Site) -> bool {
    let name = last_name(&link.to);
    let own = (&site.to_path, site.to_line, &site.to_name);
    let alts = site.alts.iter().map(|(path, line, name): &Definition| (path, *line, name));
    let is_class =
        |path: &str, defined: &str| path == to_path && CONSTRUCTORS.contains(&name) && constructed(&link.to) == Some(defined);
    std::iter::once(own).chain(alts).any(|(path, line, defined)| {
        spans(link, to_path, path, line) && (name == defined || defined == "constructor") || is_class(path, defined)
    })
}

/// The class whose constructor a symbol is: `Box` of `src/a.ts#Box.constructor`, of `a.py#Box.__init__` and of `Box.java#Box.Box`.
fn constructed(symbol: &str) -> Option<&str> {
    let local = symbol.rsplit('#').next().unwrap_or_default();
    let mut names = local.rsplit('.');
    let (name, mut class) = (names.next()?, names.next()?);
    // The second of its name.
    if class.starts_with('~') {
        class = names.next()?;
    }
    (CONSTRUCTORS.contains(&name) || name == class).then_some(class)
}

/// Whether a link says what a record of an implementation says.
pub(crate) fn is_pair(link: &Link, to_path: &str, pair: &Implements) -> bool {
    link.from_path == pair.from_path
        && link.from_lines.is_none_or(|(first, last)| (first..=last).contains(&pair.line))
        && last_name(&link.from) == pair.name
        && spans(link, to_path, &pair.to_path, pair.to_line)
        && last_name(&link.to) == pair.to_name
}
