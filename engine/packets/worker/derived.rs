//! What facts say of a task's files where the plan is silent: the folder as a module, what is used, what is shown to others, what tests.
//!
//! Must not read a file: all of it stands in the fact base.

use super::json::Json;
use super::slices::Facts;
use context::{Confidence, LinkKind, NodeId};
use index::base::{FactBase, FileFlags, Reach, SymbolKind, SymbolRow, TestMap, Traits, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// The most names and folders that a module lists.
const MAX_LISTED: usize = 100;
/// The most symbols of a file whose tests are looked for.
const MAX_SUBJECTS: usize = 500;
/// The most test files of a file.
const MAX_TESTS: usize = 20;

/// Links from what uses something to what is used.
const USES: [LinkKind; 5] = [LinkKind::Imports, LinkKind::Calls, LinkKind::References, LinkKind::Implements, LinkKind::Extends];
/// The same links from the other end.
const USED_BY: [LinkKind; 5] =
    [LinkKind::ImportedBy, LinkKind::CalledBy, LinkKind::ReferencedBy, LinkKind::ImplementedBy, LinkKind::ExtendedBy];

/// What a fact base says of files.
pub struct Derived<'a> {
    base: &'a FactBase,
    tests: TestMap<'a>,
}

impl<'a> Derived<'a> {
    /// What this fact base says.
    pub fn new(base: &'a FactBase) -> Self {
        Self { base, tests: TestMap::new(base) }
    }

    /// The files at the other end of sure links of a file and its symbols, without itself.
    fn linked(&self, file: NodeId, kinds: &[LinkKind]) -> BTreeSet<NodeId> {
        let nodes = std::iter::once(file).chain(self.base.symbols_of(file).map(NodeId));
        let rows = nodes.flat_map(|node| self.base.links().row(node));
        let sure = rows.filter(|(_, link)| kinds.contains(&link.kind()) && link.confidence() <= Confidence::Unique);
        let files = sure.map(|(to, _)| self.base.file_of(to));
        files.filter(|other| *other != file && self.base.is_file(*other)).collect()
    }

    /// The outermost symbols that a file shows to others, in the order of the source.
    fn exports(&self, file: NodeId) -> impl Iterator<Item = String> {
        let symbols = self.base.symbols_of(file).map(NodeId).filter_map(|node| self.base.symbol(node));
        let is_shown = |symbol: &SymbolRow<'_>| symbol.visibility == Visibility::Public && symbol.kind != SymbolKind::Test;
        symbols.filter(is_shown).filter(|symbol| symbol.container.is_none()).map(|symbol| plain(symbol.local_id))
    }
}

impl Facts for Derived<'_> {
    fn module_of(&self, file: &str) -> Option<Json> {
        // A new file belongs to the nearest folder that has files.
        let mut folder = folder_of(file);
        let files = loop {
            let files: Vec<NodeId> = self.base.files().filter(|file| folder_of(self.base.path(*file)) == folder).collect();
            if !files.is_empty() || folder.is_empty() {
                break files;
            }
            folder = folder_of(folder);
        };
        let first = files.first()?;
        let code = files.iter().filter(|file| !self.base.flags(**file).has(FileFlags::TEST));
        let exports: BTreeSet<String> = code.flat_map(|file| self.exports(*file)).collect();
        let folders = |kinds: &[LinkKind]| -> BTreeSet<String> {
            let linked = files.iter().flat_map(|file| self.linked(*file, kinds));
            let folders = linked.map(|file| folder_of(self.base.path(file))).filter(|other| *other != folder);
            folders.map(named).collect()
        };
        let list = |names: BTreeSet<String>| Json::List(names.into_iter().take(MAX_LISTED).map(Json::Text).collect());
        let mut fields = vec![
            ("id".to_owned(), Json::Text(named(folder))),
            ("path".to_owned(), Json::Text(if folder.is_empty() { ".".to_owned() } else { format!("{folder}/") })),
        ];
        if let Some(package) = self.base.package_of(*first) {
            fields.push(("package".to_owned(), Json::Text(named(package))));
        }
        fields.push(("exports".to_owned(), list(exports)));
        fields.push(("dependsOn".to_owned(), list(folders(&USES))));
        fields.push(("usedBy".to_owned(), list(folders(&USED_BY))));
        Some(Json::Object(fields))
    }

    fn imports_of(&self, file: &str) -> Vec<String> {
        let Some(file) = self.base.file_at(file) else { return Vec::new() };
        self.linked(file, &USES).into_iter().map(|file| self.base.path(file).to_owned()).collect()
    }

    fn used_of(&self, file: &str, users: &[&str]) -> Vec<String> {
        let Some(file) = self.base.file_at(file) else { return Vec::new() };
        let users: BTreeSet<NodeId> = users.iter().filter_map(|user| self.base.file_at(user)).collect();
        let is_of_tests = users.iter().any(|user| self.base.flags(*user).has(FileFlags::TEST));
        let is_used = |symbol: &SymbolRow<'_>| {
            let rows = self.base.links().row(symbol.node);
            let mut links = rows.filter(|(_, link)| USED_BY.contains(&link.kind()) && link.confidence() <= Confidence::Unique);
            links.any(|(user, _)| users.contains(&self.base.file_of(user)))
        };
        let is_test = |symbol: &SymbolRow<'_>| symbol.traits.has(Traits::TEST) || symbol.traits.has(Traits::TEST_CODE);
        let symbols = self.base.symbols_of(file).map(NodeId).filter_map(|node| self.base.symbol(node));
        let wanted = symbols.filter(|symbol| (is_of_tests || !is_test(symbol)) && is_used(symbol));
        let mut seen = BTreeSet::new();
        wanted.map(|symbol| plain(symbol.local_id)).filter(|name| seen.insert(name.clone())).collect()
    }

    fn tests_of(&self, file: &str) -> Vec<String> {
        let Some(file) = self.base.file_at(file) else { return Vec::new() };
        if self.base.flags(file).has(FileFlags::TEST) {
            return vec![self.base.path(file).to_owned()];
        }
        let subjects = std::iter::once(file).chain(self.base.symbols_of(file).map(NodeId).take(MAX_SUBJECTS));
        let mut found: BTreeMap<NodeId, (Reach, u32)> = BTreeMap::new();
        for reaching in subjects.flat_map(|subject| self.tests.reaching(subject)) {
            let how = (reaching.reach, reaching.n_calls);
            let known = found.entry(self.base.file_of(reaching.test)).or_insert(how);
            *known = how.min(*known);
        }
        let is_close = |(reach, _): &(Reach, u32)| *reach != Reach::SamePackage;
        // Tests beside the file stand for those that are not known.
        let has_close = found.values().any(is_close);
        let mut files: Vec<(NodeId, (Reach, u32))> = found.into_iter().filter(|(_, how)| !has_close || is_close(how)).collect();
        files.sort_by_key(|(test, how)| (*how, *test));
        files.into_iter().take(MAX_TESTS).map(|(test, _)| self.base.path(test).to_owned()).collect()
    }
}

/// The name of a symbol without what tells apart those of one name.
fn plain(local_id: &str) -> String {
    let parts: Vec<&str> = local_id.split('.').filter(|part| !part.starts_with('~')).collect();
    parts.join(".")
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder by name; the root has one too.
fn named(folder: &str) -> String {
    if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
}
