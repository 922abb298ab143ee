//! The command that runs a test.
//!
//! Says how tests are run and never runs one.

use super::test_map::MAX_LEVELS;
use super::{Column, FactBase, SymbolKind, SymbolRow, Traits};
use crate::extract::HIDDEN;
use activate_grammars::run::{Level, Naming, Runner, TestName};
use activate_rules::atoms::NodeId;

impl FactBase {
    /// How the tests of a file are run, with the flag that the file asks for, such as that of a build tag; where it holds tests and manifests
    /// prove that a command runs them.
    pub fn runner(&self, file: NodeId) -> Option<Runner> {
        let naming = self.bytes(Column::PlaceNaming).get(file.0 as usize)?.checked_sub(1)?;
        Some(Runner {
            folder: self.string(self.at(Column::PlaceFolder, file.0)).to_owned(),
            command: self.string(self.at(Column::PlaceCommand, file.0)).to_owned(),
            naming: *Naming::ALL.get(usize::from(naming))?,
        })
    }

    /// Why no command runs the tests of a file, where that is known of it.
    pub fn lacks_command(&self, file: NodeId) -> Option<&str> {
        let has_none = self.bytes(Column::PlaceNaming).get(file.0 as usize) == Some(&0);
        Some(self.string(self.at(Column::PlaceCommand, file.0))).filter(|why| has_none && !why.is_empty())
    }

    /// What a command that runs the tests of a file needs, for a sentence.
    pub fn runs_by(&self, file: NodeId) -> Option<&'static str> {
        activate_grammars::language_of(self.path(file)).map(|(_, language)| language.project.runs_by)
    }

    /// The command that runs these tests, or all tests of these files, and no others, for a shell at the root of the repository.
    /// `runner` is that of the files of all of them. Nothing where the tool cannot name them, or would not run them.
    pub fn test_command(&self, runner: &Runner, tests: &[NodeId]) -> Option<String> {
        let (_, language) = activate_grammars::language_of(self.path(*tests.first()?))?;
        let names: Vec<TestName<'_>> = tests.iter().map(|test| self.test_name(*test)).collect::<Option<_>>()?;
        let is_bench = |name: &TestName<'_>| name.levels.last().is_some_and(|level| level.traits.has(Traits::BENCH));
        let measured = language.measure.filter(|_| names.iter().all(is_bench)).and_then(|measure| measure(runner));
        let runner = measured.as_ref().unwrap_or(runner);
        Some(runner.line(&(language.select_tests)(runner.naming, &names)?))
    }

    /// The name of the test of a file that a report calls `path`, and the command that runs it, where no definition has the name. Nothing where
    /// the path does not end with name and command alike: only a path with the file's own module proves that this file is meant.
    pub fn reported_test<'p>(&self, file: NodeId, path: &'p str) -> Option<(&'p str, String)> {
        let name = path.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())?;
        let (runner, (_, language)) = (self.runner(file)?, activate_grammars::language_of(self.path(file))?);
        let level = Level { name, kind: SymbolKind::Function, traits: Traits::TEST, n_before: 0 };
        let test = TestName { module: self.string(self.at(Column::PlaceModule, file.0)), levels: vec![level] };
        let selection = (language.select_tests)(runner.naming, &[test])?;
        let is_whole = name != path && selection.split_whitespace().next_back() == Some(path);
        is_whole.then(|| (name, runner.line(&selection)))
    }

    /// The name of a test, or of all tests of a file; nothing where a part of it is hidden.
    fn test_name(&self, test: NodeId) -> Option<TestName<'_>> {
        let mut levels = Vec::new();
        let mut next = self.symbol(test);
        while let Some(row) = next {
            if row.name.contains(HIDDEN) || levels.len() > MAX_LEVELS {
                return None;
            }
            levels.push(Level { name: row.name, kind: row.kind, traits: row.traits, n_before: self.n_before(&row) });
            next = row.container.and_then(|container| self.symbol(container));
        }
        levels.reverse();
        Some(TestName { module: self.string(self.at(Column::PlaceModule, self.file_of(test).0)), levels })
    }

    /// The number of symbols of the same name before this one in what holds it.
    fn n_before(&self, row: &SymbolRow<'_>) -> usize {
        let before = (self.symbols_of(row.file).start..row.node.0).filter_map(|node| self.symbol(NodeId(node)));
        before.filter(|other| other.name == row.name && other.container == row.container).count()
    }
}
