//! Paths as people and programs write them, to files and folders of the repository.

use super::bounds::MAX_SHARED;
use super::namesakes::{Case, Namesakes, without_extension};
use activate_rules::atoms::NodeId;
use index::base::{FactBase, FileFlags};
use rustc_hash::{FxHashMap, FxHashSet};
use signals::place::is_installed;
use std::cell::OnceCell;

/// Finds files and folders by path; each table is made when the first path needs it.
pub struct Places<'b> {
    base: &'b FactBase,
    /// Files by the lower-cased last component, with and without its extension.
    by_name: OnceCell<FxHashMap<String, Namesakes>>,
    /// Folders by their last component, in path order.
    folders: OnceCell<FxHashMap<&'b str, Vec<&'b str>>>,
    extensions: OnceCell<FxHashSet<&'b str>>,
}

/// How the names of test files begin and end, apart from what stands after a dot.
const TEST_BEGINNING: &str = "test_";
const TEST_ENDINGS: [&str; 2] = ["_test", "_tests"];

/// Folders of tests beside what they test.
const TEST_FOLDERS: [&str; 2] = ["__tests__", "tests"];

impl<'b> Places<'b> {
    pub(crate) fn new(base: &'b FactBase) -> Self {
        Self { base, by_name: OnceCell::new(), folders: OnceCell::new(), extensions: OnceCell::new() }
    }

    /// The files that a written path means, in path order: one if it is sure, several that end alike, none if it is not there.
    pub(crate) fn find(&self, written: &str) -> Vec<NodeId> {
        self.found(written, |files| {
            let mut files = files.to_vec();
            files.sort_unstable();
            files
        })
    }

    /// Of the files that a path from some root means, those that have its last name whole, or a folder of it too: `/login` of a server is
    /// no `login.html`.
    pub(super) fn find_rooted(&self, written: &str) -> Vec<NodeId> {
        let path = normalised(written);
        let mut files = self.find(written);
        files.retain(|file| {
            let own = self.base.path(*file);
            let (name, own_name) = (path.rsplit('/').next(), own.rsplit('/').next());
            let folders = |path: &str| path.rsplit('/').nth(1).map(str::to_lowercase);
            name == own_name && name.is_some_and(|name| name.contains('.'))
                || folders(own).is_some() && folders(own) == folders(&path)
        });
        files
    }

    /// The file that a written path means, if it is sure.
    pub(crate) fn only(&self, written: &str) -> Option<NodeId> {
        self.found(written, |files| <[NodeId; 1]>::try_from(files).ok().map(|[file]| file))
    }

    /// What is said of the files that a written path means, which are in no order.
    fn found<T>(&self, written: &str, said: impl Fn(&[NodeId]) -> T) -> T {
        let path = normalised(written);
        if path.is_empty() {
            return said(&[]);
        }
        if let Some(file) = self.base.file_at(&path) {
            return said(&[file]);
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        let Some(named) = self.by_name().get(&name.to_lowercase()) else {
            return said(&[]);
        };
        let ending = [Case::Exact, Case::Any].into_iter().map(|case| named.ending_with(self.base, &path, case));
        match ending.into_iter().find(|files| !files.is_empty()) {
            Some(files) => said(files),
            None => self.end_of(written, &path, named, said),
        }
    }

    /// The files beside a test's file, or above its folder of tests, that it is named after, each with the name: `login.go` for
    /// `login_test.go`. Where there is none, shorter beginnings are tried: `login.go` for `login_1_test.go`.
    pub(super) fn tested_by(&self, test: NodeId) -> Vec<(NodeId, String)> {
        let file = self.base.file_of(test);
        if !self.base.flags(file).has(FileFlags::TEST) {
            return Vec::new();
        }
        let (folder, name) = self.base.path(file).rsplit_once('/').unwrap_or(("", self.base.path(file)));
        let stem = name.split('.').next().unwrap_or_default();
        let stem = TEST_ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending)).unwrap_or(stem);
        let mut stem = stem.strip_prefix(TEST_BEGINNING).unwrap_or(stem);
        let above = folder.rsplit_once('/').unwrap_or(("", folder));
        let above = Some(above).filter(|(_, last)| TEST_FOLDERS.contains(last)).map(|(above, _)| above);
        loop {
            let named = self.by_name().get(&stem.to_lowercase()).map_or(&[][..], Namesakes::files);
            let is_beside = |other: &&NodeId| {
                let beside = self.base.path(**other).rsplit_once('/').map_or("", |(folder, _)| folder);
                let flags = self.base.flags(**other);
                let is_source = !flags.has(FileFlags::TEST) && self.base.language(**other) == self.base.language(file);
                is_source && (beside == folder || Some(beside) == above)
            };
            let found: Vec<(NodeId, String)> = named.iter().filter(is_beside).map(|node| (*node, stem.to_owned())).collect();
            match stem.rsplit_once('_') {
                Some((shorter, _)) if found.is_empty() && !shorter.is_empty() => stem = shorter,
                _ => return found,
            }
        }
    }

    /// The file whose whole path is the longest end of the given one: paths from another machine, or from a folder above.
    fn end_of<T>(&self, written: &str, path: &str, named: &Namesakes, said: impl Fn(&[NodeId]) -> T) -> T {
        let slashed = written.replace('\\', "/");
        if is_installed(&slashed) {
            return said(&[]);
        }
        let Some(longest) = named.longest_end(self.base, path) else { return said(&[]) };
        // A longer end is not a file's end, and so no file's whole path.
        let mut ends = std::iter::successors(Some(longest), |end| end.split_once('/').map(|(_, shorter)| shorter));
        if let Some(file) = ends.find_map(|end| self.base.file_at(end)) {
            return said(&[file]);
        }
        // Built from a folder that the repository has under another name: the longest end that is anyone's end.
        let is_sure = longest.contains('/');
        said(if is_sure { named.ending_with(self.base, longest, Case::Exact) } else { &[] })
    }

    /// The folders that a written path or scope means: each as the start of paths, with its slash. A bare name finds folders of that
    /// name anywhere.
    pub(super) fn folders(&self, written: &str) -> Vec<String> {
        let path = normalised(written);
        let wanted = path.trim_matches('/');
        if wanted.is_empty() {
            return Vec::new();
        }
        let last = wanted.rsplit('/').next().unwrap_or_default();
        let named = self.folders_by_name().get(last).map_or(&[][..], Vec::as_slice);
        // Of a folder inside of one that is meant the outer one is.
        let is_meant = |folder: &&&str| end_of_first(folder, wanted) == Some(folder.len());
        let found: Vec<String> = named.iter().filter(is_meant).take(MAX_SHARED + 1).map(|folder| format!("{folder}/")).collect();
        if found.len() > MAX_SHARED {
            return Vec::new();
        }
        // A folder given from the root is that one, whatever others end alike.
        let root = format!("{wanted}/");
        if wanted.contains('/') && found.contains(&root) { vec![root] } else { found }
    }

    /// Whether some file has the extension of a path.
    pub(super) fn knows_extension(&self, written: &str) -> bool {
        let known = || self.base.files().filter_map(|file| extension(self.base.path(file))).collect();
        extension(&normalised(written)).is_some_and(|extension| self.extensions.get_or_init(known).contains(extension))
    }

    fn folders_by_name(&self) -> &FxHashMap<&'b str, Vec<&'b str>> {
        self.folders.get_or_init(|| {
            let (mut by_name, mut known): (FxHashMap<&str, Vec<&str>>, FxHashSet<&str>) = Default::default();
            let folder_of = |path: &'b str| path.rsplit_once('/').map(|(folder, _)| folder);
            for file in self.base.files() {
                let around = std::iter::successors(folder_of(self.base.path(file)), |folder| folder_of(folder));
                // What is around a known folder is known.
                for folder in around.take_while(|folder| known.insert(folder)) {
                    by_name.entry(folder.rsplit('/').next().unwrap_or_default()).or_default().push(folder);
                }
            }
            by_name
        })
    }

    fn by_name(&self) -> &FxHashMap<String, Namesakes> {
        self.by_name.get_or_init(|| {
            let mut by_name: FxHashMap<String, Namesakes> = FxHashMap::default();
            for file in self.base.files() {
                let name = self.base.path(file).rsplit('/').next().unwrap_or_default().to_lowercase();
                let stem = without_extension(&name);
                if stem != name {
                    by_name.entry(stem.to_owned()).or_default().add(file);
                }
                by_name.entry(name).or_default().add(file);
            }
            by_name
        })
    }
}

/// Where in a folder's path the first place ends that has all of these components.
fn end_of_first(folder: &str, wanted: &str) -> Option<usize> {
    let is_whole = |start: usize, end: usize| {
        (start == 0 || folder.as_bytes()[start - 1] == b'/') && (end == folder.len() || folder.as_bytes()[end] == b'/')
    };
    folder
        .match_indices(wanted)
        .map(|(start, _)| (start, start + wanted.len()))
        .find(|(start, end)| is_whole(*start, *end))
        .map(|(_, end)| end)
}

/// What stands behind the last dot of a path's name.
fn extension(path: &str) -> Option<&str> {
    Some(path.rsplit('/').next()?.rsplit_once('.')?.1)
}

/// A written path with forward slashes, without what stands before the repository: `./`, `../`, `/`, `C:\`, `file:`, `a/` of a diff.
fn normalised(written: &str) -> String {
    let mut path = written.replace('\\', "/");
    for start in ["file://", "webpack://"] {
        if let Some(rest) = path.strip_prefix(start) {
            path = rest.to_owned();
        }
    }
    let mut rest = path.as_str();
    loop {
        let shorter = rest.trim_start_matches('/');
        let shorter = shorter.strip_prefix("./").or_else(|| shorter.strip_prefix("../")).unwrap_or(shorter);
        let drive =
            shorter.get(..2).is_some_and(|start| start.ends_with(':') && start.starts_with(|c: char| c.is_ascii_alphabetic()));
        let shorter = if drive { &shorter[2..] } else { shorter };
        if shorter == rest {
            break;
        }
        rest = shorter;
    }
    rest.replace("/./", "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::fixture::base;

    #[test]
    fn paths_are_found_in_every_spelling() {
        let base = base(
            "//- src/auth/login.ts\n//- src/auth/index.ts\n//- src/ui/index.ts\n//- web/src/auth/login.ts\n//- main.go\n//- panic.go\n",
        );
        let places = Places::new(&base);
        let find = |written: &str| places.find(written).iter().map(|file| base.path(*file)).collect::<Vec<_>>().join(" ");
        let login = "src/auth/login.ts";
        for written in [login, "./src/auth/login.ts", "a/src/auth/login.ts", "/src/auth/login.ts", "../x/src/auth/login.ts"] {
            assert_eq!(find(written), login, "{written}");
        }
        assert_eq!(find("C:\\work\\web\\src\\auth\\login.ts"), "web/src/auth/login.ts");
        assert_eq!(find("auth/login.ts"), "src/auth/login.ts web/src/auth/login.ts");
        assert_eq!(find("/app/ui/index.ts"), "src/ui/index.ts");
        assert_eq!(find("Login.ts"), "src/auth/login.ts web/src/auth/login.ts");
        assert_eq!(find("ui/index"), "src/ui/index.ts");
        assert_eq!(find("/srv/build/main.go"), "main.go");
        assert_eq!(find("/usr/local/go/src/runtime/panic.go"), "");
        assert_eq!([find("gin.ts"), find("ogin.ts"), find(""), find("/"), find("é/ü.ts")], ["", "", "", "", ""]);
        assert_eq!(places.folders("auth"), ["src/auth/", "web/src/auth/"]);
        assert_eq!(places.folders("src/auth/"), ["src/auth/"]);
        assert_eq!([places.folders("aut"), places.folders("/"), places.folders("é")], [const { Vec::<String>::new() }; 3]);
        assert!(places.knows_extension("x/y.go") && !places.knows_extension("y.rs"));
    }

    #[test]
    fn of_folders_that_are_called_alike_the_outer_ones_are_meant_and_of_many_none() {
        let many: String = (0..9).map(|number| format!("//- p{number}/src/a.go\n")).collect::<Vec<_>>().concat();
        let base = base(&format!("//- a/x/a/f.go\n//- a/x/b/f.go\n//- xa/a/f.go\n//- b/a/x/f.go\n{many}"));
        let places = Places::new(&base);
        assert_eq!(places.folders("a"), ["a/", "b/a/", "xa/a/"]);
        assert_eq!(places.folders("a/x"), ["a/x/"]);
        assert_eq!(places.folders("x/a"), ["a/x/a/"]);
        assert_eq!([places.folders("src"), places.folders("a/b")], [const { Vec::<String>::new() }; 2]);
        assert_eq!(places.folders("p3/src"), ["p3/src/"]);
    }
}
