//! Where the paths of routers begin: along the mounts of all files.

use super::Code;
use activate_grammars::facts::{Base, Mount, Mounted, Router, Web};
use activate_grammars::routes::{HOLE, join, serves_files};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most prefixes that stand below one another.
const MAX_DEPTH: usize = 8;
/// The most folders of a path in which a manifest is looked for.
const MAX_FOLDERS: usize = 64;
/// The manifest of a package whose files may be routes.
const MANIFEST: &str = "package.json";
/// The most places of one router.
const MAX_BEGINNINGS: usize = 4;

/// A router by its file and its place there.
type Id = (u32, u32);

/// What stands in front of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Front {
    /// Nothing: all of it is known.
    Nothing,
    /// Something that is not written down there, such as a setting.
    Setting,
    /// Nobody knows.
    Unknown,
}

/// Where a router begins.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Beginning {
    /// What stands in front.
    pub(super) front: Front,
    /// What its paths begin with.
    pub(super) prefix: String,
}

/// The beginnings of each router.
pub(super) fn beginnings(code: &Code<'_>, webs: &[(u32, &Web)]) -> FxHashMap<Id, Vec<Beginning>> {
    let paths = Paths::new(code, webs);
    let mut all = FxHashMap::default();
    for (file, web) in webs {
        for number in 0..web.routers.len() as u32 {
            let mut found = paths.of((*file, number), MAX_DEPTH);
            found.sort_unstable();
            found.dedup();
            found.truncate(MAX_BEGINNINGS);
            all.insert((*file, number), found);
        }
    }
    all
}

struct Paths<'a> {
    routers: FxHashMap<Id, &'a Router>,
    /// What each router is put below: another one, and the prefix there.
    above: FxHashMap<Id, Vec<(Id, &'a str)>>,
    /// The files whose paths are those of routes in their packages.
    in_packages: FxHashSet<u32>,
}

impl<'a> Paths<'a> {
    fn new(code: &Code<'_>, webs: &[(u32, &'a Web)]) -> Self {
        let each = |(file, web): &(u32, &'a Web)| {
            let file = *file;
            web.routers.iter().zip(0..).map(move |(router, number)| ((file, number), router)).collect::<Vec<_>>()
        };
        let routers = webs.iter().flat_map(each).collect();
        let mut paths = Self { routers, above: FxHashMap::default(), in_packages: in_packages(code, webs) };
        let by_file: FxHashMap<u32, &Web> = webs.iter().copied().collect();
        // What is put below a prefix in its own file is not reached in another way.
        for (file, web) in webs {
            for mount in &web.mounts {
                if let Mounted::Router(target) = mount.target {
                    paths.put((*file, target), (*file, mount.router), &mount.prefix);
                }
            }
        }
        let inner: FxHashSet<Id> = paths.above.keys().copied().collect();
        for (file, web) in webs {
            for mount in &web.mounts {
                for target in targets(code, &by_file, &inner, *file, mount) {
                    if !inner.contains(&target) {
                        paths.put(target, (*file, mount.router), &mount.prefix);
                    }
                }
            }
        }
        paths
    }

    fn put(&mut self, target: Id, above: Id, prefix: &'a str) {
        let places = self.above.entry(target).or_default();
        if target != above && places.len() < MAX_BEGINNINGS {
            places.push((above, prefix));
        }
    }

    fn of(&self, router: Id, depth: usize) -> Vec<Beginning> {
        let unknown = || vec![Beginning { front: Front::Unknown, prefix: String::new() }];
        let (Some(known), Some(depth)) = (self.routers.get(&router), depth.checked_sub(1)) else { return unknown() };
        let outer: Vec<Beginning> = match (known.base, self.above.get(&router)) {
            (Base::Router(outer), _) if outer < router.1 => self.of((router.0, outer), depth),
            (_, Some(places)) => {
                let below = |(above, prefix): &(Id, &str)| {
                    self.of(*above, depth).into_iter().map(|outer| below(&outer, prefix)).collect::<Vec<_>>()
                };
                places.iter().flat_map(below).take(MAX_BEGINNINGS).collect()
            }
            (Base::Package, None) if !self.in_packages.contains(&router.0) => Vec::new(),
            (Base::Root | Base::Package, None) => vec![Beginning { front: Front::Nothing, prefix: String::new() }],
            _ => unknown(),
        };
        outer.iter().map(|outer| below(outer, &known.prefix)).collect()
    }
}

/// The files whose paths are those of routes in their packages, by the manifest that is nearest to each.
fn in_packages(code: &Code<'_>, webs: &[(u32, &Web)]) -> FxHashSet<u32> {
    let is_by_file = |web: &Web| web.routers.iter().any(|router| router.base == Base::Package);
    let mut known: FxHashMap<u32, bool> = FxHashMap::default();
    let mut found = FxHashSet::default();
    for (file, _) in webs.iter().filter(|(_, web)| is_by_file(web)) {
        let folders = std::iter::successors(Some(code.files[*file as usize].path), |path| Some(path.rsplit_once('/')?.0));
        let mut beside = folders.skip(1).take(MAX_FOLDERS).map(|folder| format!("{folder}/{MANIFEST}"));
        let manifest = beside.find_map(|path| code.file(&path)).or_else(|| code.file(MANIFEST));
        let Some(manifest) = manifest else { continue };
        let text = || code.files[manifest as usize].record.manifest.as_deref();
        if *known.entry(manifest).or_insert_with(|| text().is_some_and(serves_files)) {
            found.insert(*file);
        }
    }
    found
}

/// A prefix below a beginning. What is not written down hides all in front of it.
fn below(outer: &Beginning, prefix: &str) -> Beginning {
    match prefix.rsplit_once(HOLE) {
        Some((_, rest)) => Beginning { front: Front::Setting, prefix: rest.to_owned() },
        None if prefix.is_empty() => outer.clone(),
        None => Beginning { front: outer.front, prefix: join(&outer.prefix, prefix) },
    }
}

/// The routers that a mount of a file puts below its prefix.
fn targets(code: &Code<'_>, webs: &FxHashMap<u32, &Web>, inner: &FxHashSet<Id>, file: u32, mount: &Mount) -> Vec<Id> {
    match &mount.target {
        // That is known already.
        Mounted::Router(_) => Vec::new(),
        Mounted::Module(name) => {
            let path = format!("{}.py", name.replace('.', "/"));
            let is_meant = |file: &&u32| {
                let of = code.files[**file as usize].path;
                of.strip_suffix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            let mut files: Vec<u32> = webs.keys().filter(is_meant).copied().collect();
            files.sort_unstable();
            let [of] = files.as_slice() else { return Vec::new() };
            routers(webs, *of, |router| router.scope.is_none() && router.name == "urlpatterns")
        }
        Mounted::Named { name, line, argument } => {
            let mut found = Vec::new();
            for (place, _) in code.named(file, mount.from, *line, name) {
                let (of, symbol) = code.symbol(place);
                let facts = code.facts(of);
                let own = facts.names.get(facts.symbols[symbol.0 as usize].name);
                let is_target = |router: &Router| {
                    let is_made = router.parameter.is_none() && !matches!(router.base, Base::Router(_));
                    let is_given = router.scope == Some(symbol) && router.parameter == *argument;
                    let is_variable = router.scope.is_none() && router.name == own;
                    if argument.is_some() { is_given } else { is_variable || is_given && is_made }
                };
                found.extend(routers(webs, of, is_target));
            }
            if found.is_empty() && argument.is_none() {
                // A module whose only router is meant.
                let of = code.module(file, name).filter(|of| *of != file);
                let is_open = |router: &Router| router.scope.is_none() && router.base == Base::Unknown;
                let mut at_top = of.map_or_else(Vec::new, |of| routers(webs, of, is_open));
                at_top.retain(|router| !inner.contains(router));
                if at_top.len() == 1 {
                    found = at_top;
                }
            }
            found
        }
    }
}

fn routers(webs: &FxHashMap<u32, &Web>, file: u32, is_meant: impl Fn(&Router) -> bool) -> Vec<Id> {
    let Some(web) = webs.get(&file) else { return Vec::new() };
    web.routers.iter().zip(0..).filter(|(router, _)| is_meant(router)).map(|(_, number)| (file, number)).collect()
}
