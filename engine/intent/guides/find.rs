//! The whole way from the files of a repository to items for a task.

use super::{Choice, FoundItem, Items, Source, choose, extract, items};
use activate_rules::atoms::NodeId;
use error::{Problem, Result};
use index::base::FactBase;
use rayon::prelude::*;

/// What the files of a repository say that can concern a task, which most likely concerns the files `likely`; and what is lacking. `read` gives
/// the text of a file without its secrets.
pub fn find(
    base: &FactBase,
    likely: &[NodeId],
    read: impl Fn(NodeId) -> Result<String> + Sync,
) -> (Vec<FoundItem>, Vec<Problem>) {
    let Choice { files, n_left_out } = choose(base, likely);
    let has_file = |path: &str| base.file_at(path).is_some();
    let texts: Vec<Result<_>> = files
        .par_iter()
        .map(|&(file, source): &(NodeId, Source)| Ok((file, source, extract(source, base.path(file), &read(file)?, &has_file))))
        .collect();
    let (mut found, mut problems) = (Vec::with_capacity(texts.len()), Vec::new());
    for (text, (file, _)) in texts.into_iter().zip(&files) {
        match text {
            Ok(text) => found.push(text),
            Err(error) => problems.push(Problem::at("read", base.path(*file), error.to_string())),
        }
    }
    let Items { list, n_left_out: n_items } = items(base, likely, found);
    problems.extend(left_out(n_left_out, n_items));
    (list, problems)
}

/// What to say of files that were not read, and of what is beyond the bounds of those that were.
fn left_out(n_files: usize, n_items: usize) -> Option<Problem> {
    let files =
        format!("files with tools or hints of the repository that are too large or too far from the task to be read: {n_files}");
    let items = format!("tools and hints of the repository that are too many to be looked at: {n_items}");
    let parts = [(n_files, files), (n_items, items)].into_iter().filter(|(n_left_out, _)| *n_left_out > 0);
    let parts: Vec<String> = parts.map(|(_, part)| part).collect();
    (!parts.is_empty()).then(|| Problem::new("read", parts.join("; ")))
}
