//! The boundary of a snapshot: the facts of its files, read again.

use super::{Boundary, served};
use crate::base::FactBase;
use crate::resolve::terms;
use crate::resolve::{Facts, Index, SourceFile, load_projects};
use activate_grammars::FileFacts;
use activate_grammars::project::Manifest;
use activate_rules::atoms::NodeId;
use rayon::prelude::*;

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
    for project in &projects {
        boundary.packages.extend(project.packages());
        boundary.needs.extend(project.needs());
    }
    boundary.packages.sort_unstable();
    boundary.packages.dedup();
    boundary.needs.sort_unstable();
    boundary.needs.dedup();
    terms::fill(&mut boundary, &index, base);
    served::add(&mut boundary, base, records.iter().map(|(facts, _)| facts));
    Ok(boundary)
}
