//! The boundary of a snapshot: the facts of its files, read again.

use super::{Boundary, served};
use crate::base::FactBase;
use crate::resolve::terms;
use crate::resolve::{Facts, Index, SourceFile, load_projects};
use activate_grammars::FileFacts;
use activate_grammars::project::{Manifest, folder_of};
use activate_rules::atoms::NodeId;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Folders of what tests read and of what shows how something is used, at any depth.
const DATA: [&str; 11] = [
    "__fixtures__",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "test-data",
    "test-fixtures",
    "test_data",
    "test_fixtures",
    "testdata",
    "testfixtures",
];

/// Folders of tests, where they stand at the root or something stands below: `tests/one/Cargo.toml`. Packages have such names too: `packages/test`.
const TESTS: [&str; 3] = ["__tests__", "test", "tests"];

/// Why facts cannot be read: the path of the file.
pub(crate) struct Unreadable(pub(crate) String);

/// The boundary of a base; `read` gives the facts of a file, and its text where it is a manifest.
pub(crate) fn boundary(
    base: &FactBase,
    read: &(dyn Fn(NodeId) -> Option<(FileFacts, Option<String>)> + Sync),
) -> Result<Boundary, Unreadable> {
    let of_file = |file: u32| read(NodeId(file)).ok_or_else(|| Unreadable(base.path(NodeId(file)).to_owned()));
    let records: Vec<(FileFacts, Option<String>)> = (0..base.n_files()).into_par_iter().map(of_file).collect::<Result<_, _>>()?;
    let paths: Vec<&str> = base.files().map(|file| base.path(file)).collect();
    let language = |path: &str| activate_grammars::resolved_language_of(path).map(|(number, _)| number);
    let sources: Vec<SourceFile<'_>> = paths
        .iter()
        .zip(&records)
        .map(|(path, (facts, _))| SourceFile { path, language: language(path), facts: Facts::Here(facts) })
        .collect();
    let manifests: Vec<Manifest<'_>> =
        paths.iter().zip(&records).filter_map(|(path, (_, text))| Some(Manifest { path, text: text.as_deref()? })).collect();
    let is_file = |path: &str| paths.binary_search(&path).is_ok();
    let projects = load_projects(&manifests, &is_file);
    let index = Index::build(&sources, &projects);
    let mut boundary = Boundary::default();
    let test_data = test_data(&manifests);
    for project in &projects {
        boundary.packages.extend(project.packages().into_iter().filter(|of| !test_data.contains(of.folder.as_str())));
        boundary.needs.extend(project.needs().into_iter().filter(|of| !test_data.contains(of.folder.as_str())));
    }
    boundary.packages.sort_unstable();
    boundary.packages.dedup();
    boundary.needs.sort_unstable();
    boundary.needs.dedup();
    let is_test_data = |path: &str| folders_above(path).any(|folder| test_data.contains(folder));
    terms::fill(&mut boundary, &index, base, &is_test_data);
    served::add(&mut boundary, base, records.iter().map(|(facts, _)| facts));
    Ok(boundary)
}

/// Folders of manifests that are there for tests: what these name is no package that others get.
fn test_data<'a>(manifests: &[Manifest<'a>]) -> BTreeSet<&'a str> {
    let is_test_data = |folder: &&str| {
        let mut parts = folder.split('/').rev();
        let last = parts.next().unwrap_or_default();
        DATA.contains(&last)
            || !folder.contains('/') && TESTS.contains(&last)
            || parts.any(|part| DATA.contains(&part) || TESTS.contains(&part))
    };
    manifests.iter().map(|manifest| folder_of(manifest.path)).filter(is_test_data).collect()
}

/// The folders around a file, without the root.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder_of(path)), |folder| Some(folder_of(folder))).take_while(|folder| !folder.is_empty())
}
