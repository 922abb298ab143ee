//! What a target of a command means: a path, `path:line`, `path#id` or a name; and where it means nothing, why, and what would.

use super::bounds::MAX_NEAREST;
use super::exact::exact;
use super::names::{Names, is_aside, last_segment};
use super::nearest::{nearest, nearest_paths};
use super::places::Places;
use activate_rules::atoms::NodeId;
use activate_rules::weights::NameWeights;
use error::{Error, ErrorKind, Result};
use index::base::FactBase;
use index::completeness::unparsed;
use signals::place::{looks_like_path, position};

/// What can be given.
const FORMS: &str = "`path`, `path:line`, `path#Type.method` or a name";

/// The nodes that a target means, at least one, the likeliest first.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] for what is not there, for a folder, and for a line that its file does not have: with what is nearest.
pub fn locate(base: &FactBase, text: &str) -> Result<Vec<NodeId>> {
    let text = text.trim();
    if text.is_empty() {
        return Err(refused(format!("the target is empty; give {FORMS}")));
    }
    if let Some(node) = base.node_at(text) {
        return Ok(vec![node]);
    }
    let places = Places::new(base);
    let weights = NameWeights::default();
    let names = Names::new(base, &places, &weights);
    if let Some((path, line)) = place(text) {
        return at_line(base, &places, path, line);
    }
    let files = places.find(text);
    if !files.is_empty() {
        return Ok(files);
    }
    // What one definition alone has letter by letter, the daily questions take for it too.
    let exact = exact(base, text);
    if let [nodes] = exact.as_slice()
        && !is_aside(base, nodes[0])
    {
        return Ok(vec![nodes[0]]);
    }
    if let Some((path, id)) = text.split_once('#') {
        let files = places.find(path);
        if let Some(file) = files.first() {
            // The file is sure, so that the same name elsewhere is not meant.
            let several = || (!exact.is_empty()).then(|| exact.iter().filter_map(|nodes| nodes.first().copied()).collect());
            let found = names.by_id(text).map(|found| found.nodes).or_else(several);
            return found.ok_or_else(|| refused(no_such_id(base, &names, *file, id)));
        }
        if looks_like_path(path) {
            return Err(refused(no_such_file(base, path)));
        }
    }
    let is_path = text.contains(['/', '\\']);
    if is_path || text == "." {
        in_folder(base, &places, text)?;
    }
    let found = names.find(text).map(|found| found.nodes);
    // A folder is meant rather than a local somewhere that is named like it.
    if found.as_ref().is_none_or(|nodes| is_aside(base, nodes[0])) {
        in_folder(base, &places, text)?;
    }
    if let Some(nodes) = found {
        return Ok(nodes);
    }
    if !exact.is_empty() {
        return Ok(exact.iter().filter_map(|nodes| nodes.first().copied()).collect());
    }
    if is_path || looks_like_path(text) && places.knows_extension(text) {
        return Err(refused(no_such_file(base, text)));
    }
    let near = base.text().map(|index| nearest(base, &index, last_segment(text))).unwrap_or_default();
    Err(refused(format!(
        "no file and no definition of this repository is named `{text}`{}{}; give {FORMS}",
        listed("names", &near),
        unparsed(base).map(|files| format!("; {files}")).unwrap_or_default()
    )))
}

fn refused(message: String) -> Error {
    Error::new(ErrorKind::BadInput, message)
}

/// Path and line of `path:line`; a line 0 too, to be refused as a line.
fn place(text: &str) -> Option<(&str, u32)> {
    let at_zero = || text.strip_suffix(":0").filter(|path| looks_like_path(path)).map(|path| (path, 0));
    position(text).or_else(at_zero)
}

/// The definitions around a line of the files that a path means; the file where there is none.
fn at_line(base: &FactBase, places: &Places<'_>, path: &str, line: u32) -> Result<Vec<NodeId>> {
    let files = places.find(path);
    let Some(first) = files.first() else { return Err(refused(no_such_file(base, path))) };
    let n_lines = |file: NodeId| base.n_lines(file).max(1);
    let having: Vec<NodeId> = files.iter().copied().filter(|file| (1..=n_lines(*file)).contains(&line)).collect();
    if having.is_empty() {
        let (path, last) = (base.path(*first), n_lines(*first));
        return Err(refused(format!("`{path}` has no line {line}; give one from 1 to {last}, or the path alone")));
    }
    Ok(having.into_iter().map(|file| base.symbol_at(file, line).unwrap_or(file)).collect())
}

/// Fails if a text means a folder: only files and definitions have scores.
fn in_folder(base: &FactBase, places: &Places<'_>, text: &str) -> Result<()> {
    let trimmed = text.strip_prefix("./").unwrap_or(text).trim_matches(['/', '\\']);
    let root = if trimmed.is_empty() || trimmed == "." { String::new() } else { format!("{trimmed}/") };
    let starts = |file: NodeId, folder: &str| base.path(file).starts_with(folder);
    // One from the root is meant, however many others are named so.
    let is_from_root = base.files().any(|file| starts(file, &root));
    let folders = if is_from_root { vec![root] } else { places.folders(text) };
    let is_inside = |file: &NodeId| folders.iter().any(|folder| starts(*file, folder));
    let inside: Vec<NodeId> = base.files().filter(is_inside).collect();
    if inside.is_empty() {
        return Ok(());
    }
    let some: Vec<String> = inside.iter().take(MAX_NEAREST).map(|file| format!("`{}`", base.path(*file))).collect();
    let (n_files, some) = (inside.len(), some.join(", "));
    Err(refused(format!(
        "`{text}` is a folder, and only files and definitions have scores; give one of its {n_files} files, such as {some}"
    )))
}

fn no_such_file(base: &FactBase, path: &str) -> String {
    let near = base.text().map(|index| nearest_paths(base, &index, path)).unwrap_or_default();
    format!(
        "no file of this repository has the path `{path}`, or a path that ends like this{}; give {FORMS}",
        listed("paths", &near)
    )
}

/// Definitions of the file that are named almost so, else those of other files that have the name.
fn no_such_id(base: &FactBase, names: &Names<'_>, file: NodeId, id: &str) -> String {
    let (path, wanted) = (base.path(file), last_segment(id));
    let mut like: Vec<String> = base.text().map(|index| nearest(base, &index, wanted)).unwrap_or_default();
    like.push(wanted.to_owned());
    let is_like = |node: &NodeId| base.symbol(*node).is_some_and(|symbol| like.iter().any(|name| name == symbol.name));
    let mut near: Vec<NodeId> = base.symbols_of(file).map(NodeId).filter(is_like).collect();
    if near.is_empty() {
        near = names.exactly(wanted).map(|found| found.nodes).unwrap_or_default();
    }
    let near: Vec<String> = near.into_iter().take(MAX_NEAREST).map(|node| base.id(node)).collect();
    format!("`{path}` defines no `{id}`{}; give the id of a definition, or the path alone", listed("ids", &near))
}

/// `; the nearest names are a, b`.
fn listed(what: &str, near: &[String]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    format!("; the nearest {what} are {}", near.join(", "))
}
