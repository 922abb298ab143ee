//! What a question is about: `PACKAGE#Symbol`, `REPOSITORY#Symbol`, `REPOSITORY/path#Container.name` or `REPOSITORY/path`.

use crate::columns::Rows;
use crate::rules::Node;
use crate::shards::{Shard, Shards};
use crate::tables::{MODULES, PACKAGES};
use error::{Error, ErrorKind, Result};
use index::boundary::Registry;

/// Names that an error lists at most.
const MAX_LISTED: usize = 5;

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
    if text.trim().is_empty() {
        return Err(Error::new(ErrorKind::BadInput, "the target is empty; write PACKAGE#Symbol or REPOSITORY/path#Symbol"));
    }
    let (owner, name) = text.split_once('#').map_or((text, None), |(owner, name)| (owner, Some(name)));
    let places = within(shards, owner);
    if places.is_empty() {
        let message = format!(
            "`{owner}` is no package, module or repository of the fleet; write PACKAGE#Symbol or REPOSITORY/path#Symbol, and `activate fleet list` \
             names the repositories"
        );
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let mut found: Vec<Node> = places.iter().flat_map(|within| within.nodes(name)).collect();
    if found.is_empty() {
        // The first file of a package passes on what stands in others.
        found = places.iter().filter_map(Within::below).flat_map(|within| within.nodes(name)).collect();
    }
    if found.is_empty() {
        let Some(name) = name else {
            return Err(Error::new(ErrorKind::BadInput, format!("there is no file or folder `{owner}`")));
        };
        let last = name.rsplit('.').next().unwrap_or(name).to_lowercase();
        let like = places.iter().flat_map(|within| within.shard.names_like(&last, MAX_LISTED)).take(MAX_LISTED);
        let like: Vec<String> = like.collect();
        let hint = if like.is_empty() { String::new() } else { format!("; there is {}", like.join(", ")) };
        return Err(Error::new(ErrorKind::BadInput, format!("`{owner}` defines no `{name}`{hint}")));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
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
        let named = (0..packages.len()).filter(|row| {
            let registry = Registry::of(packages.text(2, *row));
            registry.is_some_and(|registry| registry.is_same(packages.text(3, *row), owner))
        });
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
