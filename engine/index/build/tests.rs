//! Which tests run which code, and how the tests of a file are run, as rows.
//!
//! Only what a test itself does: what it reaches through others is found when somebody asks.

use super::columns::{Columns, Strings};
use super::links::Edge;
use super::{FileInput, Layout};
use crate::base::{Column, FileFlags};
use crate::extract::flags;
use crate::resolve::Resolved;
use activate_grammars::facts::{Container, Symbol, SymbolKind, Traits};
use activate_rules::links::{Confidence, LinkKind};
use rayon::prelude::*;

/// What is asked of symbols and files.
pub(super) trait Code: Sync {
    /// The file of a symbol, what it is and its properties.
    fn symbol(&self, node: u32) -> Option<(u32, SymbolKind, Traits)>;
    /// The symbol that a symbol is written in. Asked of what may be part of a test.
    fn around(&self, symbol: u32) -> Option<u32>;
    /// The path of a file; none for other nodes.
    fn path(&self, file: u32) -> Option<&str>;
    /// Whether a file is code of others.
    fn is_vendored(&self, file: u32) -> bool;
}

/// Files as they were extracted.
struct Records<'a> {
    files: &'a [FileInput<'a>],
    layout: &'a Layout,
}

/// A subject, what tests it, and how sure that is.
pub(super) type TestRow = (u32, u32, u8);

/// Adds the tests of each node: the tests that call or name a function, and the test file that is named after a file.
pub(super) fn add(columns: &mut Columns, files: &[FileInput<'_>], sites: &[Edge], layout: &Layout) {
    add_rows(columns, rows(&Records { files, layout }, sites), layout.n_nodes());
}

/// What sites say of tests.
pub(super) fn rows(code: &dyn Code, sites: &[Edge]) -> Vec<TestRow> {
    let tests = Tests { code };
    let mut rows: Vec<TestRow> = sites.par_iter().filter_map(|site| tests.row(site)).collect();
    rows.extend(rows.par_iter().filter_map(|row| tests.row_of_files(row)).collect::<Vec<_>>());
    rows
}

/// Adds rows by subject, the surest of each test.
pub(super) fn add_rows(columns: &mut Columns, mut rows: Vec<TestRow>, n_nodes: u32) {
    rows.sort_unstable();
    rows.dedup_by_key(|(subject, test, _)| (*subject, *test));
    let mut at = 0;
    for node in 0..n_nodes {
        columns.push_u32(Column::TestStarts, at as u32);
        while let Some((_, test, confidence)) = rows.get(at).filter(|(subject, ..)| *subject == node) {
            columns.push_u32(Column::TestTargets, *test);
            columns.push_u8(Column::TestConfidence, *confidence);
            at += 1;
        }
    }
    columns.push_u32(Column::TestStarts, at as u32);
    // Columns are there where they are empty, too: they take the place of older ones.
    columns.touch(Column::TestTargets);
    columns.touch(Column::TestConfidence);
}

/// Adds how the tests of each file are run, and the package that each file belongs to.
pub(super) fn add_places(columns: &mut Columns, strings: &mut Strings, resolved: &Resolved) {
    for place in &resolved.places {
        let runner = place.as_ref().map(|place| place.runner.as_ref());
        let naming = if let Some(Ok(runner)) = runner { runner.naming as u8 + 1 } else { 0 };
        columns.push_u8(Column::PlaceNaming, naming);
        let module = place.as_ref().map_or("", |place| &place.module);
        // Why there is no command stands where the command would.
        let texts = match runner {
            Some(Ok(runner)) => [runner.folder.as_str(), &runner.command, module],
            Some(Err(why)) => ["", why, module],
            None => [""; 3],
        };
        for (text, column) in texts.into_iter().zip([Column::PlaceFolder, Column::PlaceCommand, Column::PlaceModule]) {
            columns.push_u32(column, strings.add(text));
        }
    }
    for package in &resolved.packages {
        let package = package.as_ref().map_or(0, |package| strings.add(package) + 1);
        columns.push_u32(Column::FilePackage, package);
    }
}

impl Code for Records<'_> {
    fn symbol(&self, node: u32) -> Option<(u32, SymbolKind, Traits)> {
        let (file, symbol) = self.at(node)?;
        Some((file as u32, symbol.kind, symbol.traits))
    }

    fn around(&self, symbol: u32) -> Option<u32> {
        let (file, symbol) = self.at(symbol)?;
        if let Container::Symbol(id) = symbol.container { Some(self.layout.symbol_in(file, id)) } else { None }
    }

    fn path(&self, file: u32) -> Option<&str> {
        self.files.get(file as usize).map(|file| file.path)
    }

    fn is_vendored(&self, file: u32) -> bool {
        self.files.get(file as usize).is_some_and(|file| flags(file.path, file.record).has(FileFlags::VENDORED))
    }
}

impl<'a> Records<'a> {
    fn at(&self, node: u32) -> Option<(usize, &'a Symbol)> {
        let layout = self.layout;
        let place = node.checked_sub(layout.n_files).filter(|place| *place < layout.n_symbols())?;
        let file = layout.first_symbol.partition_point(|first| *first <= place) - 1;
        Some((file, &self.files[file].record.facts.symbols[(place - layout.first_symbol[file]) as usize]))
    }
}

/// Finds rows.
struct Tests<'a> {
    code: &'a dyn Code,
}

impl Tests<'_> {
    fn is_test_file(&self, file: u32) -> bool {
        let path = self.code.path(file).unwrap_or_default();
        activate_grammars::language_of(path).is_some_and(|(_, language)| (language.is_test_path)(path))
    }

    /// What a site says of tests.
    fn row(&self, site: &Edge) -> Option<TestRow> {
        if site.confidence > Confidence::Unique {
            return None;
        }
        let test = self.test(site.from)?;
        match site.kind {
            LinkKind::Calls | LinkKind::References | LinkKind::ServedBy => {
                let (file, kind, traits) = self.code.symbol(site.to)?;
                let is_function = matches!(kind, SymbolKind::Function | SymbolKind::Method);
                let is_run = is_function || site.kind == LinkKind::Calls && kind != SymbolKind::Macro;
                let is_subject = is_run && !traits.has(Traits::TEST_CODE) && !self.is_test_file(file);
                (is_subject && !self.is_foreign(test, file)).then_some((site.to, test, site.confidence as u8))
            }
            LinkKind::Imports => self.is_named_after(site.from, site.to).then_some((site.to, site.from, site.confidence as u8)),
            _ => None,
        }
    }

    /// A test file tests the file that it is named after, where it has a test of something in it.
    fn row_of_files(&self, (subject, test, confidence): &TestRow) -> Option<TestRow> {
        let ((subject, ..), (test, ..)) = (self.code.symbol(*subject)?, self.code.symbol(*test)?);
        self.is_named_after(test, subject).then_some((subject, test, *confidence))
    }

    fn is_named_after(&self, test: u32, subject: u32) -> bool {
        let (Some(test_path), Some(subject_path)) = (self.code.path(test), self.code.path(subject)) else { return false };
        self.is_test_file(test)
            && !self.is_test_file(subject)
            && stem(test_path) == stem(subject_path)
            && !self.is_foreign(test, subject)
    }

    /// The test that a site stands in: a test, something that is defined inside one, or a test file.
    fn test(&self, from: u32) -> Option<u32> {
        let Some((_, _, traits)) = self.code.symbol(from) else {
            return Some(from).filter(|file| self.is_test_file(*file));
        };
        if traits.has(Traits::TEST) {
            return Some(from);
        }
        let mut at = from;
        // What a group of tests defines belongs to no test yet. Containers stand before what they contain, or were put around it.
        for _ in 0..=activate_grammars::MAX_DEPTH {
            at = self.code.around(at)?;
            let (_, _, traits) = self.code.symbol(at)?;
            if traits.has(Traits::TEST) {
                return (!traits.has(Traits::GROUP)).then_some(at);
            }
        }
        None
    }

    /// Whether a subject is code of others that a test only makes use of.
    fn is_foreign(&self, test: u32, subject: u32) -> bool {
        let test = self.code.symbol(test).map_or(test, |(file, ..)| file);
        self.code.is_vendored(subject) && !self.code.is_vendored(test)
    }
}

/// What names of files of tests end with, behind a line or joined to a name in capitals.
const MARKS: [&str; 2] = ["_test", "_tests"];
const JOINED_MARKS: [&str; 4] = ["TestCase", "Tests", "Test", "IT"];

/// The name of a file without endings and marks of tests.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.split('.').next().unwrap_or(name);
    let whole = |stem: &&str| stem.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
    let by_end = MARKS.iter().find_map(|mark| name.strip_suffix(mark)).or_else(|| {
        // `SplitIT` tests `Split`, and `SPLIT` is a name of its own.
        JOINED_MARKS.iter().find_map(|mark| name.strip_suffix(mark).filter(whole))
    });
    by_end.or_else(|| name.strip_prefix("test_")).unwrap_or(name)
}

#[cfg(test)]
mod stem_tests {
    use super::stem;

    #[test]
    fn names_of_tests_are_told_from_those_that_end_alike() {
        for (path, expected) in [
            ("a/cart_test.go", "cart"),
            ("src/cart.test.ts", "cart"),
            ("tests/test_cart.py", "cart"),
            ("src/test/java/CartTest.java", "Cart"),
            ("CartTests.java", "Cart"),
            ("CartIT.java", "Cart"),
            ("SPLIT.java", "SPLIT"),
            ("Test.java", "Test"),
            ("latest.rs", "latest"),
        ] {
            assert_eq!(stem(path), expected, "{path}");
        }
    }
}
