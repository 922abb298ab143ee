//! `tsconfig.json` and `jsconfig.json`: what `extends`, `baseUrl` and `paths` say of a file's imports.
//!
//! Knows no packages: an `extends` that names one is left alone.

use crate::project::{folder_of, is_below, join};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The most configurations that one takes from, and the most references of one: real ones take from two or three, and a chain of thousands
/// would be followed from each of its links.
const MAX_EXTENDED: usize = 64;

/// The configurations that count for the files below them.
#[derive(Debug, Default)]
pub(super) struct Configs {
    /// Longest folder first, so that the first that holds a file is the nearest.
    nearest: Vec<Config>,
}

/// One configuration with what it takes from others.
#[derive(Debug)]
struct Config {
    folder: String,
    /// The folder that bare imports are tried in.
    base: Option<String>,
    /// Patterns with at most one `*`, and the paths they stand for.
    paths: Vec<(String, Vec<String>)>,
}

impl Configs {
    /// Settles all configurations; `texts` holds them parsed, by path. What is missing is added to `problems`.
    pub(super) fn load(parsed: &BTreeMap<&str, Value>, problems: &mut Vec<(String, String)>) -> Self {
        let mut nearest: Vec<Config> = Vec::new();
        let mut folders = BTreeSet::new();
        for name in ["tsconfig.json", "jsconfig.json"] {
            for path in parsed.keys().filter(|path| path.rsplit('/').next() == Some(name)) {
                if folders.insert(folder_of(path)) {
                    nearest.push(settle(path, parsed, problems));
                }
            }
        }
        nearest.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
        Self { nearest }
    }

    /// Paths without endings that a bare import in `from` may mean, best first.
    pub(super) fn paths(&self, from: &str, specifier: &str) -> Vec<String> {
        let Some(config) = self.nearest.iter().find(|config| is_below(from, &config.folder)) else { return Vec::new() };
        let patterns = config.paths.iter().map(|(pattern, targets)| (pattern.as_str(), targets));
        let mut found = Vec::new();
        if let Some((targets, star)) = best_match(patterns, specifier) {
            found.extend(targets.iter().map(|target| target.replacen('*', star, 1)));
        }
        found.extend(config.base.as_ref().and_then(|base| join(base, specifier)));
        found
    }
}

/// The value of the pattern that fits best, an exact one or that with the longest text before its `*`, and what the `*` stands for.
pub(super) fn best_match<'a, 'b, T>(patterns: impl Iterator<Item = (&'a str, T)>, text: &'b str) -> Option<(T, &'b str)> {
    let fitting = patterns.filter_map(|(pattern, value)| match pattern.split_once('*') {
        None => (pattern == text).then_some((usize::MAX, value, "")),
        Some((before, after)) => {
            let star = text.strip_prefix(before)?.strip_suffix(after)?;
            Some((before.len(), value, star))
        }
    });
    // The first of equals, which `max_by_key` would not give.
    let best = fitting.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, value, star)| (value, star))
}

/// A configuration with what it extends: its own words come first, then those of the last in its `extends`.
fn settle(path: &str, parsed: &BTreeMap<&str, Value>, problems: &mut Vec<(String, String)>) -> Config {
    let mut base = None;
    let mut paths: Option<(String, &serde_json::Map<String, Value>)> = None;
    let mut seen = BTreeSet::new();
    let mut open = vec![path.to_owned()];
    while let Some(at) = open.pop() {
        let Some(value) = parsed.get(at.as_str()) else { continue };
        if seen.len() == MAX_EXTENDED && !seen.contains(&at) {
            problems
                .push((path.to_owned(), format!("takes from more than {MAX_EXTENDED} configurations; the rest does not count")));
            break;
        }
        if !seen.insert(at.clone()) {
            continue;
        }
        let folder = folder_of(&at);
        let options = value.get("compilerOptions");
        if base.is_none() {
            base = options.and_then(|options| options.get("baseUrl")).and_then(Value::as_str).and_then(|base| join(folder, base));
        }
        if paths.is_none() {
            let own = options.and_then(|options| options.get("paths")).and_then(Value::as_object);
            paths = own.map(|own| (folder.to_owned(), own));
        }
        // What it refers to counts last: the usual split of one folder into application and tools.
        let referred = value.get("references").and_then(Value::as_array).into_iter().flatten();
        let referred = referred.filter_map(|reference| reference.get("path")?.as_str()).filter(|path| path.contains(".json"));
        let referred = referred.take(MAX_EXTENDED);
        let referred: Vec<String> = referred.filter_map(|path| join(folder, path)).collect();
        open.splice(0..0, referred.into_iter().rev());
        for name in words(value.get("extends")).into_iter().filter(|name| name.starts_with('.')).take(MAX_EXTENDED) {
            let target = join(folder, name);
            let tried = target.iter().flat_map(|target| {
                [target.clone(), format!("{target}.json"), format!("{target}/tsconfig.json").trim_start_matches('/').to_owned()]
            });
            match tried.into_iter().find(|path| parsed.contains_key(path.as_str())) {
                Some(found) => open.push(found),
                None => problems.push((at.clone(), format!("extends \"{name}\", which is not in the repository"))),
            }
        }
    }
    let paths = paths.map_or_else(Vec::new, |(folder, own)| {
        let folder = base.clone().unwrap_or(folder);
        let targets = |value| words(Some(value)).into_iter().filter_map(|target| join(&folder, target)).collect();
        own.iter().map(|(pattern, value)| (pattern.clone(), targets(value))).collect()
    });
    Config { folder: folder_of(path).to_owned(), base, paths }
}

/// A string or a list of strings.
pub(super) fn words(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(word)) => vec![word],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Reads JSON with comments and trailing commas.
pub(super) fn read_json(text: &str) -> Result<Value, String> {
    serde_json::from_str(&plain_json(text)).map_err(|error| format!("not readable as JSON: {error}"))
}

/// The text without comments, trailing commas and space between tokens; line breaks stay, so that errors name the right line.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut comma = None;
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(next) = rest.chars().next() {
        let skipped = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if next.is_whitespace() => next.len_utf8(),
            _ => 0,
        };
        if skipped > 0 {
            plain.extend(rest[..skipped].chars().filter(|c| *c == '\n'));
            rest = &rest[skipped..];
            continue;
        }
        let length = if next == '"' { string_length(rest) } else { next.len_utf8() };
        if let Some(at) = comma.take()
            && matches!(next, '}' | ']')
        {
            plain.replace_range(at..=at, " ");
        }
        if next == ',' {
            comma = Some(plain.len());
        }
        plain.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    plain
}

/// Bytes of the string literal at the start, quotes included; all of the text if it does not end.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
