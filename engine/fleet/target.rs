//! What a question is about: `PACKAGE#Symbol`, `REPOSITORY#Symbol`, `REPOSITORY/path#Container.name` or `REPOSITORY/path`.

use crate::columns::{Rows, Table};
use crate::passed_on::passed_on;
use crate::rules::Node;
use crate::shards::{Shard, Shards, nearest};
use crate::tables::{MODULES, PACKAGES};
use error::{Error, ErrorKind, Result};
use index::boundary::Registry;
use std::collections::{BTreeMap, BTreeSet};

/// Names that an error lists at most.
const MAX_LISTED: usize = 5;

/// Packages that are looked into for a hint at most.
const MAX_TRIED: usize = 8;

/// Files by whose folder a module is called, without their endings: of Rust, Python and JavaScript.
const FIRST: [&str; 4] = ["lib", "mod", "__init__", "index"];

/// A part of a shard in which a name is looked for.
struct Within<'s> {
    shard: &'s Shard,
    /// The folder or file; empty for all of it.
    path: String,
    /// Whether folders below belong to it too.
    is_deep: bool,
}

/// The definitions that a text means, in the order of repositories and nodes. A file or folder means itself and all that it defines.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] where it names nothing that the fleet has, with what there is instead.
pub fn find(shards: &Shards, text: &str) -> Result<Vec<Node>> {
    let text = text.strip_prefix("./").unwrap_or(text);
    if text.trim().is_empty() {
        return Err(mistake("the target is empty; write PACKAGE#Symbol or REPOSITORY/path#Symbol".to_owned()));
    }
    let (owner, name) = text.split_once('#').map_or((text, None), |(owner, name)| (owner, Some(name)));
    let owner = owner.trim_end_matches('/');
    if owner.is_empty() {
        return Err(mistake(
            "the target names no package and no repository; write PACKAGE#Symbol or REPOSITORY/path#Symbol".to_owned(),
        ));
    }
    let places = within(shards, owner);
    if places.is_empty() {
        return Err(unknown(shards, owner, name));
    }
    let mut found: Vec<Node> = places.iter().flat_map(|within| within.nodes(name)).collect();
    if found.is_empty() {
        // The first file of a package passes on what stands in others.
        found = places.iter().filter_map(Within::below).flat_map(|within| within.nodes(name)).collect();
    }
    let is_outermost = |node: &Node, name: &str| {
        shards.of(node.0).is_some_and(|shard| shard.is_visible(node.1) && shard.id(node.1).ends_with(&format!("#{name}")))
    };
    if let Some(name) = name.filter(|name| !found.iter().any(|node| is_outermost(node, name))) {
        // What a package passes on may stand in another repository, and goes before what has the name inside of something else.
        let is_meant = |registry: &str, module: &str| module == owner || registry_has(registry, module, owner);
        let own: BTreeSet<&str> = places.iter().map(|within| within.shard.name.as_str()).collect();
        let passed = passed_on(shards, &|shard| own.contains(shard.name.as_str()), &is_meant, name)?;
        if !passed.is_empty() {
            found = passed;
        }
    }
    if found.is_empty() && name.is_none() {
        found = places.iter().flat_map(Within::on_line).collect();
    }
    if let Some(problem) = shards.problems().into_iter().next().filter(|_| found.is_empty()) {
        return Err(Error::new(ErrorKind::Storage, format!("`{text}` cannot be looked for: {}", problem.message)));
    }
    if found.is_empty() {
        return Err(undefined(&places, owner, name));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn mistake(message: String) -> Error {
    Error::new(ErrorKind::BadInput, message)
}

/// Whether a registry knows two names as one.
fn registry_has(registry: &str, name: &str, asked: &str) -> bool {
    Registry::of(registry).is_some_and(|registry| registry.is_same(name, asked))
}

/// No repository, package or module is called so.
fn unknown(shards: &Shards, owner: &str, name: Option<&str>) -> Error {
    let column = |table: Table, column: usize| -> Vec<String> {
        let rows = shards.all().iter().filter_map(|shard| Rows::open(table, &shard.folder).ok());
        rows.flat_map(|rows| (0..rows.len()).map(|row| rows.text(column, row).to_owned()).collect::<Vec<_>>()).collect()
    };
    let packages = column(PACKAGES, 3);
    let names = shards.all().iter().map(|shard| shard.name.as_str()).chain(packages.iter().map(String::as_str));
    let near = nearest(owner, names);
    if let Some(error) = shards.missing_error(owner, near.is_some()) {
        return error;
    }
    // The last part of `org.acme:lib` and `@acme/lib` is what people call it.
    let modules = column(MODULES, 2);
    let repositories: Vec<String> = shards.all().iter().map(|shard| shard.name.clone()).collect();
    let last: BTreeSet<&String> = packages
        .iter()
        .chain(&modules)
        .chain(&repositories)
        .filter(|package| package.rsplit([':', '/']).next() == Some(owner))
        .collect();
    let has = |package: &&&String| within(shards, package).iter().any(|within| !within.nodes(name).is_empty());
    let last = last
        .iter()
        .take(MAX_TRIED)
        .find(|package| name.is_some() && has(package))
        .or_else(|| last.first())
        .map(|package| (**package).clone());
    let meant = last.or_else(|| regrouped(shards, owner, name)).or_else(|| near.map(str::to_owned));
    let meant = meant.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
    mistake(format!(
        "`{owner}` is no package, module or repository of the fleet{meant}; write PACKAGE#Symbol or REPOSITORY/path#Symbol, and `activate fleet list` \
         names the repositories"
    ))
}

/// The target that is meant where the package is written together with what it has: `acme.lib.Handler#handle` for `acme.lib#Handler.handle`, and
/// `store::disk#open` for `store#open`.
fn regrouped(shards: &Shards, owner: &str, name: Option<&str>) -> Option<String> {
    let ends = owner.char_indices().rev().filter(|(at, sign)| ['.', ':', '/'].contains(sign) && !owner[..*at].ends_with(*sign));
    for (end, sign) in ends.take(MAX_TRIED) {
        let package = &owner[..end];
        let places = within(shards, package);
        if package.is_empty() || places.is_empty() {
            continue;
        }
        let inner = owner[end..].trim_start_matches(sign).replace("::", ".").replace('/', ".");
        let whole = name.map_or_else(|| inner.clone(), |name| format!("{inner}.{name}"));
        let names = [Some(whole.as_str()), name];
        let has = |name: &&str| places.iter().any(|within| !within.nodes(Some(name)).is_empty());
        return names.into_iter().flatten().find(has).map(|name| format!("{package}#{name}"));
    }
    None
}

/// The file that is most likely meant by a path that is none: of the same folder by its name, or of the same name by its folder.
fn near_file(path: &str, files: &[String]) -> Option<String> {
    let split = |path: &'_ str| path.rsplit_once('/').map(|(folder, name)| (folder.to_owned(), name.to_owned()));
    let (folder, name) = split(path)?;
    let beside: Vec<(String, String)> = files.iter().filter_map(|file| split(file)).collect();
    let names = beside.iter().filter(|(of, _)| *of == folder).map(|(_, name)| name.as_str());
    let folders = beside.iter().filter(|(_, of)| *of == name).map(|(folder, _)| folder.as_str());
    let by_name = nearest(&name, names).map(|near| format!("{folder}/{near}"));
    by_name.or_else(|| nearest(&folder, folders).map(|near| format!("{near}/{name}")))
}

/// A place has no such name.
fn undefined(places: &[Within<'_>], owner: &str, name: Option<&str>) -> Error {
    let Some(name) = name else {
        let shards: BTreeMap<&str, &Shard> = places.iter().map(|within| (within.shard.name.as_str(), within.shard)).collect();
        let files: Vec<String> = shards.values().flat_map(|shard| shard.files()).collect();
        let is_file = |path: &str| files.iter().any(|file| file == path);
        if let Some((path, line)) = owner.rsplit_once(':').filter(|(path, line)| is_file(path) && line.parse::<u32>().is_ok()) {
            let line_asked = line.parse().unwrap_or(0);
            let above = places.iter().find_map(|within| within.above(line_asked));
            let hint = above.map(|(line, id)| format!("; the last one above it is `{id}` on line {line}")).unwrap_or_default();
            return mistake(format!("no definition begins on line {line} of `{path}`{hint}"));
        }
        let hint = near_file(owner, &files).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        return mistake(format!("there is no file or folder `{owner}`{hint}"));
    };
    let last = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let shards: BTreeMap<&str, &Shard> = places.iter().map(|within| (within.shard.name.as_str(), within.shard)).collect();
    let mut like: Vec<(usize, String)> = shards.values().flat_map(|shard| shard.names_like(&last, MAX_LISTED)).collect();
    like.sort();
    like.dedup();
    // What differs in nothing but its owner says more than what is only like it.
    let n_least = like.first().map_or(0, |(n_wrong, _)| *n_wrong);
    let like: Vec<String> =
        like.into_iter().filter(|(n_wrong, _)| *n_wrong == n_least).take(MAX_LISTED).map(|(_, id)| id).collect();
    let hint = if like.is_empty() { String::new() } else { format!("; there is {}", like.join(", ")) };
    mistake(format!("`{owner}` defines no `{name}`{hint}"))
}

impl<'s> Within<'s> {
    /// All that has a name; without one the place and what it defines.
    fn nodes(&self, name: Option<&str>) -> Vec<Node> {
        let shard = self.shard;
        let mut nodes: Vec<u32> = if let Some(name) = name {
            let ending = [format!("#{name}"), format!(".{name}")];
            // An ending of a file is no name.
            ending.iter().flat_map(|end| shard.nodes_named(end)).filter(|node| shard.id(*node).contains('#')).collect()
        } else {
            shard.nodes_named("")
        };
        nodes.retain(|node| self.has(shard.id(*node)));
        if let Some(name) = name {
            // What others can see is meant before what they cannot, and a name of the outermost before that of a member.
            let is_whole = |node: &u32| shard.id(*node).ends_with(&format!("#{name}"));
            for is_better in [&(|node: &u32| shard.is_visible(*node)) as &dyn Fn(&u32) -> bool, &is_whole] {
                if nodes.iter().any(is_better) {
                    nodes.retain(is_better);
                }
            }
        }
        nodes.into_iter().map(|node| (shard.key, node)).collect()
    }

    /// What begins on the line that the path ends with: `orders.ts:12`.
    fn on_line(&self) -> Vec<Node> {
        let Some((path, line)) = self.path.rsplit_once(':') else { return Vec::new() };
        let Ok(line) = line.parse::<u32>() else { return Vec::new() };
        let begins = |node: &u32| {
            let id = self.shard.id(*node);
            self.shard.line(*node) == line && id.split_once('#').is_some_and(|(file, _)| file == path)
        };
        self.shard.nodes_named("").into_iter().filter(begins).map(|node| (self.shard.key, node)).collect()
    }

    /// The last definition that begins before a line of the file that the path names with a line.
    fn above(&self, line: u32) -> Option<(u32, String)> {
        let (path, _) = self.path.rsplit_once(':')?;
        let is_of_file = |node: &u32| self.shard.id(*node).split_once('#').is_some_and(|(file, _)| file == path);
        let nodes = self.shard.nodes_named("").into_iter().filter(is_of_file);
        let above = nodes.map(|node| (self.shard.line(node), node)).filter(|(begins, _)| *begins < line).max()?;
        Some((above.0, format!("{}/{}", self.shard.name, self.shard.id(above.1))))
    }

    /// The folder whose first file it is.
    fn below(&self) -> Option<Within<'s>> {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let (stem, _) = file.split_once('.')?;
        FIRST.contains(&stem).then(|| Within { shard: self.shard, path: folder.to_owned(), is_deep: true })
    }

    /// Whether an id belongs to it.
    fn has(&self, id: &str) -> bool {
        let rest = if self.path.is_empty() { Some(id) } else { id.strip_prefix(&self.path) };
        let Some(rest) = rest.filter(|rest| self.path.is_empty() || rest.is_empty() || rest.starts_with(['/', '#'])) else {
            return false;
        };
        let below = rest.strip_prefix('/').unwrap_or(rest).split('#').next().unwrap_or_default();
        self.is_deep || !below.contains('/')
    }
}

/// Where the owner of a name may be: a repository, a package, a module, or a path of a repository.
fn within<'s>(shards: &'s Shards, owner: &str) -> Vec<Within<'s>> {
    let named = shards.all().iter().filter(|shard| shard.name == owner);
    let mut found: Vec<Within<'s>> = named.map(|shard| Within { shard, path: String::new(), is_deep: true }).collect();
    // Another repository may publish a package of that name.
    for shard in shards.all().iter().filter(|shard| shard.name != owner) {
        let Ok(packages) = Rows::open(PACKAGES, &shard.folder) else { continue };
        let named = (0..packages.len()).filter(|row| registry_has(packages.text(2, *row), packages.text(3, *row), owner));
        found.extend(named.map(|row| Within { shard, path: packages.text(5, row).to_owned(), is_deep: true }));
    }
    if found.is_empty() {
        for shard in shards.all() {
            let Ok(modules) = Rows::open(MODULES, &shard.folder) else { continue };
            let named = (0..modules.len()).filter(|row| modules.text(2, *row) == owner);
            found.extend(named.filter_map(|row| {
                let file = shard.id(*modules.ints(4).get(row)?);
                // A module of Go is a folder, one of another language a file.
                let is_folder = modules.text(1, row) == "go";
                let path = if is_folder { file.rsplit_once('/').map_or("", |(folder, _)| folder) } else { file };
                Some(Within { shard, path: path.to_owned(), is_deep: false })
            }));
        }
    }
    if found.is_empty() {
        let of_path = |shard: &'s Shard| {
            Some(Within { shard, path: owner.strip_prefix(&shard.name)?.strip_prefix('/')?.to_owned(), is_deep: true })
        };
        found.extend(shards.all().iter().filter_map(of_path));
    }
    found
}
