//! Judges the links of a fleet, which go from one repository to another, against what compilers know of all of them together.
//!
//! A call is found if a link from its line leads to what the compiler names. A link is wrong if it is sure of one place, and the compiler knows the name on
//! that line as something else; links from lines without such a name, and into repositories that the compiler has not read, are not judged. A link to
//! the method of a trait, where the compiler names the one that fulfils it for a type, is counted apart.

use crate::record::{Kind, Record, Site, Why};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

/// How many places are shown of each mistake.
const MAX_PLACES: usize = 3;

/// Repository, path and line.
type Place = (String, String, u32);

/// A link between repositories.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    from: Place,
    /// What it does there: `calls`, `references`, `imports`.
    kind: String,
    to: Place,
    /// The last name of what it leads to.
    name: String,
    /// How many places are meant: of one it is sure.
    n_meant: u32,
}

impl Link {
    /// A line: repository, path, line and kind, then repository, path, line and name, then how many places are meant, with tabs between.
    pub(crate) fn read(line: &str) -> Result<Link, String> {
        let words: Vec<&str> = line.split('\t').collect();
        let [from, path, at, kind, to, to_path, to_at, name, n_meant] = words[..] else {
            return Err(format!("not nine words: {line}"));
        };
        let number = |word: &str| word.parse::<u32>().map_err(|error| format!("{word}: {error}"));
        Ok(Link {
            from: (from.to_owned(), path.to_owned(), number(at)?),
            kind: kind.to_owned(),
            to: (to.to_owned(), to_path.to_owned(), number(to_at)?),
            name: name.to_owned(),
            n_meant: number(n_meant)?,
        })
    }
}

/// Which folders are repositories.
#[derive(Debug, Default)]
pub(crate) struct Folders(Vec<(String, String)>);

impl Folders {
    /// Of `FOLDER=NAME` each; without any, each outermost folder is a repository of that name.
    pub(crate) fn new(given: &[String]) -> Result<Folders, String> {
        let split = |given: &String| {
            let (folder, name) = given.split_once('=').ok_or_else(|| format!("{given}: FOLDER=NAME is wanted"))?;
            let folder = folder.trim_end_matches('/');
            Ok((if folder.is_empty() { String::new() } else { format!("{folder}/") }, name.to_owned()))
        };
        let mut folders = given.iter().map(split).collect::<Result<Vec<_>, String>>()?;
        folders.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
        Ok(Folders(folders))
    }

    /// The repository of a path and the path in it.
    fn split<'a>(&'a self, path: &'a str) -> Option<(&'a str, &'a str)> {
        if self.0.is_empty() {
            return path.split_once('/');
        }
        self.0.iter().find_map(|(folder, name)| Some((name.as_str(), path.strip_prefix(folder.as_str())?)))
    }

    fn place(&self, path: &str, line: u32) -> Option<Place> {
        self.split(path).map(|(repository, path)| (repository.to_owned(), path.to_owned(), line))
    }
}

/// A name on a line.
#[derive(Debug)]
struct Name {
    text: String,
    is_call: bool,
    is_test: bool,
    /// The definitions that are as right, the first of them that which the compiler names; none outside and where nothing is named.
    to: Vec<Place>,
    defined_as: String,
    /// What is defined, or why nothing is.
    what: Result<Kind, Why>,
}

/// What compilers know of the names of all repositories.
#[derive(Debug, Default)]
pub(crate) struct Names {
    folders: Folders,
    lines: HashMap<Place, Vec<Name>>,
    /// Repositories and paths that were read.
    files: HashSet<(String, String)>,
    repositories: BTreeSet<String>,
    /// What methods fulfil.
    fulfilled: HashMap<Place, Vec<Place>>,
    n_unresolved: usize,
}

impl Names {
    pub(crate) fn new(folders: Folders) -> Names {
        Names { folders, ..Names::default() }
    }

    pub(crate) fn add(&mut self, record: Record) {
        match record {
            Record::File(file) => {
                if let Some((repository, path)) = self.folders.split(&file.path) {
                    self.repositories.insert(repository.to_owned());
                    self.files.insert((repository.to_owned(), path.to_owned()));
                    self.n_unresolved += file.unresolved;
                }
            }
            Record::Call(site) => self.add_site(site, true),
            Record::Reference(site) => self.add_site(site, false),
            Record::Other(other) => {
                let Some(from) = self.folders.place(&other.from_path, other.line) else { return };
                let name = Name {
                    text: other.name,
                    is_call: other.call,
                    is_test: false,
                    to: Vec::new(),
                    defined_as: other.to_name.unwrap_or_default(),
                    what: Err(other.why),
                };
                self.lines.entry(from).or_default().push(name);
            }
            Record::Implements(pair) => {
                let from = self.folders.place(&pair.from_path, pair.line);
                if let (Some(from), Some(to)) = (from, self.folders.place(&pair.to_path, pair.to_line)) {
                    self.fulfilled.entry(from).or_default().push(to);
                }
            }
            Record::Import(_) => {}
        }
    }

    /// Whether a name means a method that fulfils the one at a place.
    fn is_fulfilling(&self, name: &Name, place: &Place) -> bool {
        name.to.iter().any(|to| self.fulfilled.get(to).is_some_and(|all| all.contains(place)))
    }

    fn add_site(&mut self, site: Site, is_call: bool) {
        let Some(from) = self.folders.place(&site.from_path, site.line) else { return };
        let others = site.alts.iter().map(|(path, line, _)| (path.as_str(), *line));
        let all = std::iter::once((site.to_path.as_str(), site.to_line)).chain(others);
        let to = all.filter_map(|(path, line)| self.folders.place(path, line)).collect();
        let name = Name { text: site.name, is_call, is_test: site.test, to, defined_as: site.to_name, what: Ok(site.to_kind) };
        self.lines.entry(from).or_default().push(name);
    }
}

/// Calls, or what is only mentioned.
#[derive(Debug, Default)]
struct Count {
    /// Uses that the compiler knows to lead into another repository, and how many of them are found.
    known: usize,
    found: usize,
    /// Those not found of which a link leads to what they fulfil.
    fulfilling: usize,
    in_tests: usize,
    found_in_tests: usize,
    /// Sure links.
    right: usize,
    wrong: usize,
    to_fulfilled: usize,
    not_judged: usize,
    by_kind: BTreeMap<Kind, (usize, usize)>,
    missing: Mistakes,
    mistaken: Mistakes,
}

/// What is missing or wrong, by what it should lead or leads to, with the places.
type Mistakes = BTreeMap<String, Vec<String>>;

fn written((repository, path, line): &Place) -> String {
    format!("{repository}/{path}:{line}")
}

/// What came out, as text.
pub(crate) fn judge(names: &Names, links: &[Link], worst: usize) -> String {
    let mut by_line: HashMap<&Place, Vec<&Link>> = HashMap::new();
    for link in links.iter().filter(|link| link.kind != "imports") {
        by_line.entry(&link.from).or_default().push(link);
    }
    let (mut calls, mut references) = (Count::default(), Count::default());
    let mut places: Vec<&Place> = names.lines.keys().collect();
    places.sort_unstable();
    for place in places {
        let here = by_line.get(place).map_or(&[][..], Vec::as_slice);
        for name in &names.lines[place] {
            let Some(to) = name.to.first().filter(|to| to.0 != place.0) else { continue };
            let count = if name.is_call { &mut calls } else { &mut references };
            let is_found = here.iter().any(|link| name.to.contains(&link.to));
            count.known += 1;
            count.found += usize::from(is_found);
            count.fulfilling += usize::from(!is_found && here.iter().any(|link| names.is_fulfilling(name, &link.to)));
            count.in_tests += usize::from(name.is_test);
            count.found_in_tests += usize::from(name.is_test && is_found);
            if let Ok(kind) = name.what {
                let of_kind = count.by_kind.entry(kind).or_default();
                of_kind.0 += usize::from(is_found);
                of_kind.1 += 1;
            }
            if !is_found {
                let what = format!("{} {}", written(to), name.defined_as);
                count.missing.entry(what).or_default().push(written(place));
            }
        }
    }
    for link in links.iter().filter(|link| link.n_meant == 1) {
        let count = match link.kind.as_str() {
            "calls" => &mut calls,
            "references" => &mut references,
            _ => continue,
        };
        match verdict(names, link) {
            Some(Ok(true)) => count.right += 1,
            Some(Ok(false)) => count.to_fulfilled += 1,
            Some(Err(meant)) => {
                count.wrong += 1;
                let what = format!("{} {} is {meant}", written(&link.to), link.name);
                count.mistaken.entry(what).or_default().push(written(&link.from));
            }
            None => count.not_judged += 1,
        }
    }
    let mut text = format!(
        "{} repositories, {} files, {} calls that the compiler does not know\n",
        names.repositories.len(),
        names.files.len(),
        names.n_unresolved
    );
    for (what, count) in [("calls", &calls), ("references", &references)] {
        show(&mut text, what, count, worst);
    }
    text
}

/// Whether a sure link leads to what the compiler names, or to what that fulfils; else what its name means. Nothing where the compiler does not say.
fn verdict(names: &Names, link: &Link) -> Option<Result<bool, String>> {
    if !names.files.contains(&(link.from.0.clone(), link.from.1.clone())) || !names.repositories.contains(&link.to.0) {
        return None;
    }
    let here = names.lines.get(&link.from)?;
    if here.iter().any(|name| name.to.contains(&link.to)) {
        return Some(Ok(true));
    }
    if here.iter().any(|name| names.is_fulfilling(name, &link.to)) {
        return Some(Ok(false));
    }
    let same = here.iter().filter(|name| name.text == link.name || name.defined_as == link.name);
    let known = same.filter(|name| !matches!(name.what, Err(Why::Made | Why::Unresolved | Why::Field | Why::Module)));
    let mut meant = known.map(|name| match (name.to.first(), name.what) {
        (Some(to), _) => written(to),
        (None, Err(Why::Local)) => "local".to_owned(),
        (None, _) => "outside".to_owned(),
    });
    meant.next().map(Err)
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 { "-".to_owned() } else { format!("{:.1}", 100.0 * part as f64 / of as f64) }
}

fn show(text: &mut String, what: &str, count: &Count, worst: usize) {
    let Count { known, found, fulfilling, in_tests, found_in_tests, right, wrong, to_fulfilled, not_judged, .. } = count;
    let _ = writeln!(
        text,
        "\n{what}: recall {} ({found} of {known}; of the trait {fulfilling}; in tests {found_in_tests} of {in_tests}), precision {} ({right} right, \
         {wrong} wrong, {to_fulfilled} of the trait, {not_judged} not judged)",
        percent(*found, *known),
        percent(*right, right + wrong)
    );
    for (kind, (found, of)) in &count.by_kind {
        let kind = serde_json::to_string(kind).unwrap_or_default();
        let _ = writeln!(text, "  to {}: {} ({found} of {of})", kind.trim_matches('"'), percent(*found, *of));
    }
    for (title, mistakes) in [("missing", &count.missing), ("wrong", &count.mistaken)] {
        let mut all: Vec<_> = mistakes.iter().collect();
        all.sort_by_key(|(what, places)| (std::cmp::Reverse(places.len()), *what));
        for (what, places) in all.into_iter().take(worst) {
            let shown: Vec<&str> = places.iter().map(String::as_str).take(MAX_PLACES).collect();
            let _ = writeln!(text, "  {title} {} {what}: {}", places.len(), shown.join(" "));
        }
    }
}
