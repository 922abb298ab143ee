//! Which tests run which code, and how the tests of a file are run, as rows.
//!
//! Only what a test itself does: what it reaches through others is found when somebody asks.

use super::columns::{Columns, Strings};
use super::links::Edge;
use super::{FileInput, Layout};
use crate::facts::base::{Column, FileFlags};
use crate::facts::extract::flags;
use crate::facts::resolve::Resolved;
use activate_grammars::facts::{Container, Symbol, SymbolKind, Traits};
use activate_rules::links::{Confidence, LinkKind};

/// The files with what is asked of them.
struct Tests<'a> {
    files: &'a [FileInput<'a>],
    layout: &'a Layout,
}

/// Adds the tests of each node: the tests that call or name a function, and the test file that is named after a file.
pub(super) fn add(columns: &mut Columns, files: &[FileInput<'_>], sites: &[Edge], layout: &Layout) {
    let tests = Tests { files, layout };
    // (subject, test, confidence): rows go from the subject.
    let mut rows: Vec<(u32, u32, Confidence)> = sites.iter().filter_map(|site| tests.row(site)).collect();
    rows.extend(rows.iter().filter_map(|row| tests.row_of_files(row)).collect::<Vec<_>>());
    rows.sort_unstable();
    rows.dedup_by_key(|(subject, test, _)| (*subject, *test));
    let mut at = 0;
    for node in 0..layout.n_nodes() {
        columns.push_u32(Column::TestStarts, at as u32);
        while let Some((_, test, confidence)) = rows.get(at).filter(|(subject, ..)| *subject == node) {
            columns.push_u32(Column::TestTargets, *test);
            columns.push_u8(Column::TestConfidence, *confidence as u8);
            at += 1;
        }
    }
    columns.push_u32(Column::TestStarts, at as u32);
}

/// Adds how the tests of each file are run, and the package that each file belongs to.
pub(super) fn add_places(columns: &mut Columns, strings: &mut Strings, resolved: &Resolved) {
    for place in &resolved.places {
        columns.push_u8(Column::PlaceNaming, place.as_ref().map_or(0, |place| place.runner.naming as u8 + 1));
        let texts = place.as_ref().map(|place| [&place.runner.folder, &place.runner.command, &place.module]);
        for (at, column) in [Column::PlaceFolder, Column::PlaceCommand, Column::PlaceModule].into_iter().enumerate() {
            let text = strings.add(texts.map_or("", |texts| texts[at]));
            columns.push_u32(column, text);
        }
    }
    for package in &resolved.packages {
        let package = package.as_ref().map_or(0, |package| strings.add(package) + 1);
        columns.push_u32(Column::FilePackage, package);
    }
}

impl<'a> Tests<'a> {
    /// The file and facts of a symbol.
    fn symbol(&self, node: u32) -> Option<(usize, &'a Symbol)> {
        let layout = self.layout;
        let place = node.checked_sub(layout.n_files).filter(|place| *place < layout.n_symbols())?;
        let file = layout.first_symbol.partition_point(|first| *first <= place) - 1;
        Some((file, &self.files[file].record.facts.symbols[(place - layout.first_symbol[file]) as usize]))
    }

    fn is_test_file(&self, file: usize) -> bool {
        let path = self.files[file].path;
        activate_grammars::language_of(path).is_some_and(|(_, language)| (language.is_test_path)(path))
    }

    /// What a site says of tests.
    fn row(&self, site: &Edge) -> Option<(u32, u32, Confidence)> {
        if site.confidence > Confidence::Unique {
            return None;
        }
        let test = self.test(site.from)?;
        match site.kind {
            LinkKind::Calls | LinkKind::References => {
                let (file, symbol) = self.symbol(site.to)?;
                let is_function = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
                let is_run = is_function || site.kind == LinkKind::Calls && symbol.kind != SymbolKind::Macro;
                let is_subject = is_run && !symbol.traits.has(Traits::TEST_CODE) && !self.is_test_file(file);
                (is_subject && !self.is_foreign(test, file)).then_some((site.to, test, site.confidence))
            }
            LinkKind::Imports => {
                let (from, to) = (site.from as usize, site.to as usize);
                (to < self.files.len() && self.is_named_after(from, to)).then_some((site.to, site.from, site.confidence))
            }
            _ => None,
        }
    }

    /// A test file tests the file that it is named after, where it has a test of something in it.
    fn row_of_files(&self, (subject, test, confidence): &(u32, u32, Confidence)) -> Option<(u32, u32, Confidence)> {
        let ((subject, _), (test, _)) = (self.symbol(*subject)?, self.symbol(*test)?);
        self.is_named_after(test, subject).then_some((subject as u32, test as u32, *confidence))
    }

    fn is_named_after(&self, test: usize, subject: usize) -> bool {
        self.is_test_file(test)
            && !self.is_test_file(subject)
            && stem(self.files[test].path) == stem(self.files[subject].path)
            && !self.is_foreign(test as u32, subject)
    }

    /// The test that a site stands in: a test, something that is defined inside one, or a test file.
    fn test(&self, from: u32) -> Option<u32> {
        let Some((file, symbol)) = self.symbol(from) else {
            return Some(from).filter(|file| (*file as usize) < self.files.len() && self.is_test_file(*file as usize));
        };
        if symbol.traits.has(Traits::TEST) {
            return Some(from);
        }
        let mut at = symbol.container;
        // What a group of tests defines belongs to no test yet. Containers stand before what they contain, or were put around it.
        for _ in 0..=activate_grammars::MAX_DEPTH {
            let Container::Symbol(id) = at else { return None };
            let around = &self.files[file].record.facts.symbols[id.0 as usize];
            if around.traits.has(Traits::TEST) {
                return (!around.traits.has(Traits::GROUP)).then(|| self.layout.symbol_in(file, id));
            }
            at = around.container;
        }
        None
    }

    /// Whether a subject is code of others that a test only makes use of.
    fn is_foreign(&self, test: u32, subject: usize) -> bool {
        let is_vendored = |file: usize| flags(self.files[file].path, self.files[file].record).has(FileFlags::VENDORED);
        let test = self.symbol(test).map_or(test as usize, |(file, _)| file);
        is_vendored(subject) && !is_vendored(test)
    }
}

/// The name of a file without endings and marks of tests.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().unwrap_or(name);
    name.strip_suffix("_test").or_else(|| name.strip_suffix("_tests")).unwrap_or(name)
}
