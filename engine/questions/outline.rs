//! What a file defines, or what stands outermost in the files of a folder.

use super::answer::{Answer, Row};
use super::desk::Desk;
use activate_grammars::facts::Traits;
use activate_rules::atoms::NodeId;
use error::{Error, ErrorKind, Result};
use index::completeness::{Completeness, State};
use intent::files_ending;
use std::collections::BTreeSet;

/// The most paths that are listed of those that a name may mean.
const MAX_LISTED: usize = 10;

pub(crate) fn outline(desk: &Desk<'_>, path: &str) -> Result<Answer> {
    let base = desk.base;
    let path = path.trim();
    let folder = path.strip_prefix("./").unwrap_or(path).trim_matches('/');
    let root = if folder.is_empty() || folder == "." { String::new() } else { format!("{folder}/") };
    let files = if path.is_empty() { Vec::new() } else { files_ending(base, path) };
    let inside = || base.files().filter(|file| base.path(*file).starts_with(&root)).collect::<Vec<_>>();
    let (files, about, is_folder) = match files.as_slice() {
        [file] => (vec![*file], desk.path(*file), false),
        [] if !path.is_empty() && !inside().is_empty() => (inside(), desk.masker.name(path), true),
        [] => return Err(unknown(desk, path)),
        many => {
            let some: Vec<String> = many.iter().take(MAX_LISTED).map(|file| format!("`{}`", base.path(*file))).collect();
            let more = if many.len() > MAX_LISTED { format!(" and {} more", many.len() - MAX_LISTED) } else { String::new() };
            let message = format!("`{path}` may be any of {}: {}{more}; say which of them is meant", many.len(), some.join(", "));
            return Err(Error::new(ErrorKind::NothingFound, message));
        }
    };
    let mut rows = Vec::new();
    for file in &files {
        if is_folder {
            let kind = base.language(*file).or(Some("text"));
            rows.push(Row { last_line: Some(base.n_lines(*file).max(1)), kind, ..desk.row(*file) });
        }
        for node in base.symbols_of(*file).map(NodeId) {
            // Beyond what is wanted nothing needs to be read.
            rows.extend(definition(desk, node, is_folder, rows.len() < desk.limit()));
        }
    }
    Ok(desk.answer("outline", vec![about], rows, &completeness(desk, &files, is_folder)))
}

fn definition(desk: &Desk<'_>, node: NodeId, is_folder: bool, with_text: bool) -> Option<Row> {
    let symbol = desk.base.symbol(node)?;
    if symbol.traits.has(Traits::NESTED) || is_folder && symbol.container.is_some() {
        return None;
    }
    let text = if with_text && !is_folder { desk.line(symbol.file, symbol.name_line) } else { None };
    let (line, last_line) = (symbol.lines.0, Some(symbol.lines.1));
    Some(Row { line, last_line, kind: Some(symbol.kind.word()), text, ..desk.row(node) })
}

fn completeness(desk: &Desk<'_>, files: &[NodeId], is_folder: bool) -> Completeness {
    let base = desk.base;
    let mut known = Completeness { state: State::Complete, reasons: Vec::new() };
    if let ([file], false) = (files, is_folder)
        && base.language(*file).is_none()
    {
        let reasons = vec![format!("{} is not in a language that is parsed", base.path(*file))];
        return Completeness { state: State::Unknown, reasons };
    }
    let files: BTreeSet<NodeId> = files.iter().copied().filter(|file| base.language(*file).is_some()).collect();
    let broken: BTreeSet<NodeId> = base.diagnostics().map(|error| error.file).filter(|file| files.contains(file)).collect();
    let cut = files.iter().filter(|file| base.limit(**file).is_some());
    let partly: BTreeSet<&str> = broken.iter().chain(cut).map(|file| base.path(*file)).collect();
    if let Some(first) = partly.first() {
        let more = if partly.len() > 1 { format!(" and {} more", partly.len() - 1) } else { String::new() };
        known.lacks(format!("{first}{more} could not be parsed whole"));
    }
    known
}

fn unknown(desk: &Desk<'_>, path: &str) -> Error {
    if path.is_empty() {
        return Error::new(ErrorKind::BadInput, "give a path from the root of the repository, such as `src/lib.rs` or `src`");
    }
    let message = match intent::locate(desk.base, path) {
        Err(error) => error.message,
        Ok(near) => {
            let near: BTreeSet<&str> = near.iter().map(|node| desk.base.path(*node)).collect();
            let near: Vec<String> = near.iter().take(MAX_LISTED).map(|path| format!("`{path}`")).collect();
            format!("no file or folder has the path `{path}`; the nearest are {}", near.join(", "))
        }
    };
    Error::new(ErrorKind::NothingFound, message)
}
