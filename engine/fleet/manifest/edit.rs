//! Changes of a manifest that leave every other byte as it is: comments and order are somebody's.

use super::{Entry, File, Manifest, Place, name, place};
use error::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use toml::Spanned;

/// A repository that is to be added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addition {
    /// Its url or path.
    pub place: String,
    /// Its name; none for one that its url or path gives.
    pub name: Option<String>,
    /// The branch to follow.
    pub branch: Option<String>,
}

/// A manifest's text with repositories behind what is there, and their names.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] where the text is no manifest, or would be none.
pub fn added(text: &str, path: &Path, additions: &[Addition]) -> Result<(String, Vec<String>)> {
    let known = Manifest::parse(text, path)?;
    let mut taken: BTreeSet<String> = known.repositories.iter().map(|known| known.name.to_ascii_lowercase()).collect();
    let wrong = |why: String| Error::new(ErrorKind::BadInput, why);
    let mut new = text.to_owned();
    let mut names = Vec::new();
    for addition in additions {
        let place = place::of_word(&addition.place).map_err(wrong)?;
        let name = match &addition.name {
            Some(name) => name.clone(),
            None => name::of_place(&addition.place)
                .ok_or_else(|| wrong(format!("no name can be made out of `{}`; give one with `--name NAME`", addition.place)))?,
        };
        if !taken.insert(name.to_ascii_lowercase()) {
            let message = format!("a repository called `{name}` is there already; give another name with `--name NAME`");
            return Err(wrong(message));
        }
        if !new.is_empty() {
            new.push_str(if new.ends_with('\n') { "\n" } else { "\n\n" });
        }
        let _ = writeln!(new, "[[repository]]\nname = {}", quoted(&name));
        let _ = match &place {
            Place::Url(url) => writeln!(new, "url = {}", quoted(url)),
            Place::Path(_) => writeln!(new, "path = {}", quoted(&addition.place)),
        };
        if let Some(branch) = &addition.branch {
            let _ = writeln!(new, "branch = {}", quoted(branch));
        }
        names.push(name);
    }
    // What is wrong with a name or a branch is said as it would be said of the file.
    Manifest::parse(&new, path)?;
    Ok((new, names))
}

/// A manifest's text without a repository, from its heading up to the next one.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] where the text is no manifest, has no such repository, or has it in a form that cannot be taken out alone.
pub fn removed(text: &str, path: &Path, name: &str) -> Result<String> {
    let known = Manifest::parse(text, path)?;
    let wrong = |why: String| Error::new(ErrorKind::BadInput, why);
    if known.find(name).is_none() {
        let message = format!("{} lists no repository called `{name}`; `activate fleet list` names all", path.display());
        return Err(wrong(message));
    }
    let file: File = toml::from_str(text).map_err(|error| wrong(error.message().to_owned()))?;
    let entry = file.repository.iter().find(|entry| entry.get_ref().name.get_ref() == name);
    let new = entry.and_then(|entry| without(text, entry)).filter(|new| {
        // Another entry that went along, or one that stayed, would be a surprise.
        let left = Manifest::parse(new, path).map(|left| left.repositories.len());
        left.is_ok_and(|n_left| n_left + 1 == known.repositories.len())
    });
    new.ok_or_else(|| {
        wrong(format!(
            "`{name}` does not stand under a heading `[[repository]]` of its own; take it out of {} by hand",
            path.display()
        ))
    })
}

/// The text without the lines of an entry: from its heading to its last key, and blank lines before it.
fn without(text: &str, entry: &Spanned<Entry>) -> Option<String> {
    let fields = entry.get_ref();
    let single = [&fields.url, &fields.path, &fields.branch, &fields.commit];
    let spans = single.into_iter().flatten().chain([&fields.name]).chain(&fields.owners).map(Spanned::span);
    let (first, last) = spans.fold((usize::MAX, 0), |(first, last), span| (first.min(span.start), last.max(span.end)));
    let heading = text.get(..first)?.rfind("[[repository]]")?;
    let start = text.get(..heading)?.rfind('\n').map_or(0, |feed| feed + 1);
    // An array may end on a later line than its last item does.
    let rest = text.get(last..)?;
    let next_heading =
        rest.match_indices('\n').map(|(at, _)| at + 1).find(|at| rest.get(*at..).is_some_and(|line| line.starts_with('[')));
    let keys = rest.get(..next_heading.unwrap_or(rest.len()))?;
    let is_in_array = fields.owners.iter().any(|owner| owner.span().end == last);
    let own_end = if is_in_array { after_bracket(keys) } else { 0 };
    let line_end = keys.get(own_end..)?.find('\n').map_or(keys.len(), |feed| own_end + feed + 1);
    let before = text.get(..start)?;
    let after = rest.get(line_end..)?;
    let before = before.strip_suffix('\n').filter(|before| before.ends_with('\n')).unwrap_or(before);
    let after = if before.is_empty() { after.trim_start_matches('\n') } else { after };
    Some(format!("{before}{after}"))
}

/// Where the array ends that a text is the rest of: behind its bracket, which no comment is.
fn after_bracket(rest: &str) -> usize {
    let mut start = 0;
    for line in rest.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        if let Some(at) = code.find(']') {
            return start + at + 1;
        }
        start += line.len();
    }
    0
}

/// A string as TOML writes it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => _ = write!(quoted, "\\u{:04X}", u32::from(letter)),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
