//! The `.proto` files that a file was generated from.
//!
//! Of several that may be meant the nearest one is: that whose folder ends most like that of the file, of a package that whose folder has most in common
//! with it from the root. Keys in order say so by halving, however many files have one name.

use super::Code;
use super::generated::last;
use super::reach::folder;
use activate_grammars::facts::{DeclaredKind, Web};
use activate_grammars::routes::{Origin, origin};

use crate::base::FileFlags;
use crate::extract::flags;

/// The most files that one is made from.
const MAX_SOURCES: usize = 16;
/// The most folders of a path that are compared.
const MAX_FOLDERS: usize = 64;

/// The `.proto` files of a repository.
pub(super) struct Protos {
    /// By their names, with their folders behind these, from the inside.
    names: Sorted,
    /// By their packages, with their paths behind these.
    packages: Sorted,
    /// By the names of their services, with their folders behind these, from the inside.
    services: Sorted,
}

impl Protos {
    pub(super) fn new<'a>(code: &Code<'_>, webs: impl Iterator<Item = (u32, &'a Web)>) -> Self {
        let (mut names, mut packages, mut services) = (Vec::new(), Vec::new(), Vec::new());
        for (file, web) in webs {
            let path = code.files[file as usize].path;
            names.push((backwards(last(path), folder(path)), file));
            packages.extend(web.package.iter().map(|package| (format!("{package}/{path}"), file)));
            let of_services = web.declared.iter().filter(|each| each.kind == DeclaredKind::Service);
            services.extend(of_services.map(|each| (backwards(&each.name, folder(path)), file)));
        }
        Self { names: Sorted::new(names), packages: Sorted::new(packages), services: Sorted::new(services) }
    }

    /// The files that a file was generated from.
    pub(super) fn of(&self, code: &Code<'_>, file: u32) -> Vec<u32> {
        let input = &code.files[file as usize];
        if let Some(web) = input.record.facts.web.as_deref().filter(|web| !web.sources.is_empty()) {
            let said = web.sources.iter().take(MAX_SOURCES).filter_map(|said| self.said(input.path, said));
            let mut sources: Vec<u32> = said.collect();
            sources.sort_unstable();
            sources.dedup();
            return sources;
        }
        let is_generated = || flags(input.path, input.record).has(FileFlags::GENERATED);
        let source = match origin(last(input.path)) {
            Some(Origin::Package(package)) if is_generated() => return self.of_package(code, input.path, package),
            Some(Origin::Service(service, made)) => {
                let facts = &input.record.facts;
                // Newer generators name no file, but make this type alone.
                let is_made = facts.symbols.iter().any(|symbol| facts.names.get(symbol.name) == made);
                is_made.then(|| self.services.only(input.path, service, |_| true)).flatten()
            }
            Some(Origin::File(name, is_given)) if !is_given || is_generated() => {
                self.names.only(input.path, &name, |other| stand_together(input.path, code.files[other as usize].path))
            }
            _ => None,
        };
        source.into_iter().collect()
    }

    /// The file that a head names.
    fn said(&self, path: &str, said: &str) -> Option<u32> {
        let said = said.trim_start_matches("./");
        // All but the mark of the root.
        let whole = backwards(last(said), folder(said));
        let front = whole.strip_suffix('/')?;
        let mut meant = self.names.below(front);
        let key = backwards(last(said), folder(path));
        if meant.len() > 1 && key.starts_with(front) {
            (meant, _) = self.names.nearest(&key, front.len());
        }
        let [(_, only)] = meant else { return None };
        Some(*only)
    }

    /// The files of a package; none where one of them may be a copy of another.
    fn of_package(&self, code: &Code<'_>, path: &str, package: &str) -> Vec<u32> {
        let key = format!("{package}/{path}");
        let (files, _) = self.packages.nearest(&key, package.len() + 1);
        if files.len() > MAX_SOURCES {
            return Vec::new();
        }
        let mut names: Vec<&str> = files.iter().map(|(_, file)| last(code.files[*file as usize].path)).collect();
        names.sort_unstable();
        let is_copied = names.windows(2).any(|two| two[0] == two[1]);
        let mut sources: Vec<u32> = if is_copied { Vec::new() } else { files.iter().map(|(_, file)| *file).collect() };
        sources.sort_unstable();
        sources
    }
}

/// Files in the order of keys whose parts end with slashes.
struct Sorted(Vec<(String, u32)>);

impl Sorted {
    fn new(mut files: Vec<(String, u32)>) -> Self {
        files.sort_unstable();
        files.dedup();
        Self(files)
    }

    /// The files whose keys begin with a text.
    fn below(&self, front: &str) -> &[(String, u32)] {
        let start = self.0.partition_point(|(key, _)| key.as_str() < front);
        let rest = &self.0[start..];
        &rest[..rest.partition_point(|(key, _)| key.starts_with(front))]
    }

    /// The files whose keys have the most parts in common with another, `least` bytes of it at least, and how many bytes that is.
    fn nearest(&self, key: &str, least: usize) -> (&[(String, u32)], usize) {
        let ends: Vec<usize> =
            key.match_indices('/').map(|(at, _)| at + 1).filter(|end| *end >= least).take(MAX_FOLDERS).collect();
        let mut found = ends.iter().rev().map(|end| (self.below(&key[..*end]), *end));
        found.find(|(files, _)| !files.is_empty()).unwrap_or_default()
    }

    /// The only file of a name that a path belongs to: its folder ends like that of the path, or it is the only one and may be meant.
    fn only(&self, path: &str, name: &str, may_be: impl Fn(u32) -> bool) -> Option<u32> {
        let (files, n_common) = self.nearest(&backwards(name, folder(path)), name.len() + 1);
        let [(_, only)] = files else { return None };
        let is_alike = n_common > name.len() + 1;
        (is_alike || may_be(*only)).then_some(*only)
    }
}

/// Whether a file may be generated from one that alone has the name: both stand below one folder of the repository, or what is declared stands in one for
/// all of it.
fn stand_together(path: &str, declared: &str) -> bool {
    let first = |path: &str| folder(path).split('/').next().unwrap_or_default().to_owned();
    !folder(declared).contains('/') || first(path) == first(declared)
}

/// A name and the folders around it, from the inside, each with a slash behind it; one more slash where the root is.
fn backwards(name: &str, folders: &str) -> String {
    let mut key = format!("{name}/");
    for part in folders.rsplit('/').filter(|part| !part.is_empty()) {
        key.push_str(part);
        key.push('/');
    }
    key.push('/');
    key
}
