//! What one item of a pack says: the fact, its place where its name has none, and the reason.

use super::{Citations, PackItem};
use context::Item;
use context::packet::candidates::{PIN, PackCandidate};
use context::pieces::About;
use redact::{Masker, Safe};
use rustc_hash::FxHashMap;

/// What begins a line of a list.
const MARK: &str = "- ";

/// What files define, by path.
#[derive(Default)]
pub(super) struct Outlines(FxHashMap<Safe, Safe>);

impl Outlines {
    /// Takes in what is known of an outline.
    pub(super) fn add(&mut self, about: &About) {
        if let ("outline", Some(path), Some(names)) = (about.kind, &about.path, &about.summary) {
            self.0.insert(path.clone(), names.clone());
        }
    }

    fn of(&self, about: &About) -> Option<&Safe> {
        self.0.get(about.path.as_ref()?)
    }
}

/// The item of something that was considered and is shown.
pub(super) fn packed(masker: &Masker, one: &PackCandidate, item: &Item, about: &About, outlines: &Outlines) -> PackItem {
    let url = about.path.as_ref().map(|path| match about.lines {
        Some((first, last)) => Safe::format("{}#L{}-L{}", &[path, &Safe::number(first), &Safe::number(last)]),
        None => path.clone(),
    });
    PackItem {
        record_ref: one.reference.clone(),
        layer: one.layer,
        r#type: one.kind,
        importance: one.importance,
        trust: one.trust,
        text: text(masker, one, item, about, outlines),
        citations: Citations { url, record_ref: one.reference.clone() },
        place: about.path.clone().map(|path| (path, about.lines)),
    }
}

fn text(masker: &Masker, one: &PackCandidate, item: &Item, about: &About, outlines: &Outlines) -> Safe {
    let reason = &one.reason;
    match (one.kind, about.lines, &about.summary) {
        ("code" | PIN, Some((first, last)), summary) => {
            let line = summary.clone().unwrap_or_else(|| first_line(item));
            let text = Safe::format("{} ({})", &[&line, reason]);
            // A symbol's name has no lines.
            let is_symbol = one.reference.as_str().contains('#');
            let lines = Safe::format("lines {}-{}: {}", &[&Safe::number(first), &Safe::number(last), &text]);
            if is_symbol { lines } else { text }
        }
        ("code" | "impacted_file" | "likely_file" | "outline" | "dependency", None, _) if about.path.is_some() => {
            match outlines.of(about) {
                // The names are those of the file, whether it or one of its symbols is the item.
                Some(names) if one.reference.as_str().contains('#') => Safe::format("its file defines {} ({})", &[names, reason]),
                Some(names) => Safe::format("defines {} ({})", &[names, reason]),
                None => reason.clone(),
            }
        }
        ("test_command", _, Some(command)) => Safe::format("run {} ({})", &[command, reason]),
        _ => one_line(masker, &item.text),
    }
}

/// The first line of code that says something.
fn first_line(item: &Item) -> Safe {
    let lines = || item.text.lines().map(|line| line.trimmed());
    lines().find(|line| line.as_str().contains(char::is_alphanumeric)).or_else(|| lines().next()).unwrap_or_default()
}

/// All lines as one, without the mark of a list.
fn one_line(masker: &Masker, text: &Safe) -> Safe {
    let lines: Vec<Safe> = text.lines().map(|line| line.trimmed()).filter(|line| !line.is_empty()).collect();
    let line = Safe::join(&lines, " ");
    line.as_str().strip_prefix(MARK).map_or_else(|| line.clone(), |line| masker.line(line))
}

/// The first so many characters.
pub(super) fn shortened(masker: &Masker, text: &Safe, most: usize) -> Safe {
    match text.as_str().char_indices().nth(most) {
        Some((at, _)) => masker.line(&format!("{}…", text.as_str()[..at].trim_end())),
        None => text.clone(),
    }
}
