//! What packages of Python need of others, and the names of their modules.

use std::collections::BTreeMap;
use toml::{Table, Value};

/// What a manifest asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dependency {
    /// As the registry compares names: in small letters, with single dashes.
    pub(super) name: String,
    pub(super) requirement: String,
    pub(super) is_local: bool,
    pub(super) line: u32,
}

/// Keys of settings that list requirements.
const LISTS: [&str; 4] = ["install_requires", "tests_require", "setup_requires", "extras_require"];

/// Folders that stand beside packages and are none that others import.
const BESIDE: [&str; 8] = ["benchmarks", "doc", "docs", "example", "examples", "scripts", "test", "tests"];

/// All that a manifest asks for.
pub(super) fn dependencies(file: &str, text: &str) -> Vec<Dependency> {
    let found = match file {
        "pyproject.toml" => text.parse::<Table>().map(|table| of_project(&table)).unwrap_or_default(),
        "setup.cfg" => of_sections(text),
        "setup.py" => of_program(text),
        "requirements.txt" => of_lines(text),
        _ => Vec::new(),
    };
    let lines = lines(text);
    let line = |written: &str| lines.get(written).map_or(1, |(_, line)| *line);
    let asked = |(written, requirement, is_local): (String, String, bool)| Dependency {
        line: line(&written),
        name: normal(&written),
        requirement,
        is_local,
    };
    found.into_iter().map(asked).collect()
}

/// The lines on which words stand: the first that begins with the word, else the first that has it.
fn lines(text: &str) -> BTreeMap<&str, (bool, u32)> {
    let mut found: BTreeMap<&str, (bool, u32)> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
        let words = words.map(|word| word.trim_matches(['-', '.'])).filter(|word| !word.is_empty());
        for (place, word) in words.enumerate() {
            let known = found.entry(word).or_insert((place == 0, number));
            if place == 0 && !known.0 {
                *known = (true, number);
            }
        }
    }
    found
}

/// Calls of `setup` that are looked at in a program.
const MAX_CALLS: usize = 16;

/// The text that an argument of `setup` is given, where it is written there: `setup(name="a")`.
pub(super) fn written<'t>(program: &'t str, argument: &str) -> Option<&'t str> {
    let (mut rest, mut before, mut n_calls) = (program, "", 0);
    while let Some(next) = rest.chars().next() {
        match next {
            _ if is_part(next) => {
                let word;
                (word, rest) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
                let call =
                    rest.trim_start().strip_prefix('(').filter(|_| word == "setup" && before != "def" && n_calls < MAX_CALLS);
                if let Some(arguments) = call {
                    n_calls += 1;
                    if let Some(found) = given(arguments, argument) {
                        return Some(found).filter(|found| !found.is_empty());
                    }
                }
                before = word;
            }
            _ => rest = behind(rest, next)?,
        }
    }
    None
}

/// The text that a call gives an argument by its name, empty where that is not written there; none where the call does not have it.
fn given<'t>(arguments: &'t str, argument: &str) -> Option<&'t str> {
    // Names stand behind commas.
    let (mut rest, mut depth, mut is_first) = (arguments, 0, true);
    while let Some(next) = rest.chars().next() {
        if is_part(next) {
            let (word, after) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
            let value = after.trim_start().strip_prefix('=').map(str::trim_start);
            if let Some(value) = value.filter(|_| is_first && depth == 0 && word == argument) {
                let quote = value.chars().next().filter(|quote| is_quote(*quote));
                let text = quote.and_then(|quote| value[1..].split_once(quote));
                // What is put together is not known.
                let is_whole = |after: &str| after.trim_start().starts_with([',', ')', '#']);
                return Some(text.filter(|(_, after)| is_whole(after)).map_or("", |(text, _)| text));
            }
            rest = after;
        } else {
            match next {
                '(' | '[' | '{' => depth += 1,
                ')' if depth == 0 => return None,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            rest = behind(rest, next)?;
        }
        is_first = next == ',' || is_first && (next.is_whitespace() || next == '#');
    }
    None
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'')
}

/// What stands behind the sign that a program begins with: behind the whole comment or text, where it begins one. None where that has no end.
fn behind(program: &str, next: char) -> Option<&str> {
    let rest = &program[next.len_utf8()..];
    if next == '#' {
        return rest.split_once('\n').map(|(_, rest)| rest);
    }
    if !is_quote(next) {
        return Some(rest);
    }
    let long = [next; 3].iter().collect::<String>();
    if program.starts_with(&long) {
        return rest[2..].split_once(&long).map(|(_, rest)| rest);
    }
    let mut is_escaped = false;
    let end = rest.find(|c| {
        let is_end = c == next && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    Some(&rest[end? + 1..])
}

/// A name as the registry compares it.
pub(crate) fn normal(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Name and versions of a requirement: `name[extra]>=1 ; marker`.
fn requirement(text: &str) -> Option<(String, String, bool)> {
    let text = text.split([';', '#']).next()?.trim();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let rest = if rest.starts_with('[') { rest.split_once(']').map_or("", |(_, rest)| rest) } else { rest };
    let versions = rest.trim().trim_start_matches('(').trim_end_matches(')').to_owned();
    let is_local = versions.contains("file:");
    name.starts_with(|c: char| c.is_ascii_alphanumeric()).then(|| (name.to_owned(), versions, is_local))
}

fn of_project(table: &Table) -> Vec<(String, String, bool)> {
    let at = |path: &[&str]| {
        path.iter().try_fold(None::<&Value>, |value, key| match value {
            None => table.get(*key).map(Some),
            Some(value) => value.get(*key).map(Some),
        })
    };
    let at = |path: &[&str]| at(path).flatten();
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut written: Vec<String> = at(&["project", "dependencies"]).map(texts).unwrap_or_default();
    for group in [&["project", "optional-dependencies"][..], &["dependency-groups"]] {
        written.extend(at(group).and_then(Value::as_table).into_iter().flat_map(Table::values).flat_map(texts));
    }
    let mut found: Vec<(String, String, bool)> = written.iter().filter_map(|text| requirement(text)).collect();
    let mut poetry: Vec<&Value> =
        ["dependencies", "dev-dependencies"].iter().filter_map(|key| at(&["tool", "poetry", key])).collect();
    let groups = at(&["tool", "poetry", "group"]).and_then(Value::as_table).into_iter().flat_map(Table::values);
    poetry.extend(groups.filter_map(|group| group.get("dependencies")));
    for (name, value) in poetry.into_iter().filter_map(Value::as_table).flatten().filter(|(name, _)| *name != "python") {
        let version = value.as_str().or_else(|| value.get("version").and_then(Value::as_str)).unwrap_or_default();
        found.push((name.clone(), version.to_owned(), value.get("path").is_some()));
    }
    // A workspace has what its sources say.
    let sources = at(&["tool", "uv", "sources"]).and_then(Value::as_table);
    let is_here = |value: &Value| value.get("workspace").is_some() || value.get("path").is_some();
    for (name, _, is_local) in &mut found {
        *is_local |= sources.and_then(|sources| sources.get(name)).is_some_and(is_here);
    }
    found
}

fn of_sections(text: &str) -> Vec<(String, String, bool)> {
    let (mut section, mut is_list) = (String::new(), false);
    let mut found = Vec::new();
    for line in text.lines() {
        let bare = line.trim();
        if let Some(name) = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            (section, is_list) = (name.trim().to_owned(), false);
        } else if line.starts_with(char::is_whitespace) {
            found.extend(Some(bare).filter(|_| is_list).and_then(requirement));
        } else if let Some((key, value)) = bare.split_once('=') {
            is_list = section == "options.extras_require" || section == "options" && LISTS.contains(&key.trim());
            found.extend(Some(value).filter(|_| is_list).and_then(requirement));
        }
    }
    found
}

/// A requirement a line, perhaps with options behind it. Options alone, paths and sentences have no name that a registry knows.
fn of_lines(text: &str) -> Vec<(String, String, bool)> {
    let mut goes_on = false;
    let begins = |line: &&str| {
        let is_first = !goes_on;
        goes_on = line.ends_with('\\');
        is_first
    };
    let written = text.lines().map(str::trim_end).filter(begins);
    let bare = written.map(|line| line.split(" --").next().unwrap_or(line).trim_end_matches('\\'));
    let is_versions = |versions: &str| versions.is_empty() || versions.starts_with(['<', '>', '=', '!', '~', '@']);
    bare.filter_map(requirement).filter(|(_, versions, _)| is_versions(versions)).collect()
}

/// The texts in brackets behind the words that list requirements, as far as they are written there.
fn of_program(text: &str) -> Vec<(String, String, bool)> {
    let mut found = Vec::new();
    for list in LISTS {
        let Some((_, rest)) = text.split_once(&format!("{list}=")).or_else(|| text.split_once(&format!("{list} ="))) else {
            continue;
        };
        let Some(inner) = rest.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']')) else { continue };
        found.extend(inner.0.split(['"', '\'']).skip(1).step_by(2).filter_map(requirement));
    }
    found
}

/// The version that a manifest says.
pub(super) fn version(file: &str, text: &str) -> Option<String> {
    match file {
        "pyproject.toml" => {
            let table = text.parse::<Table>().ok()?;
            let of = |about: &Value| Some(about.get("version")?.as_str()?.to_owned());
            table.get("project").and_then(of).or_else(|| table.get("tool")?.get("poetry").and_then(of))
        }
        "setup.cfg" => {
            let line = text.lines().find(|line| line.split(['=', ':']).next().is_some_and(|key| key.trim() == "version"))?;
            let version = line.split_once(['=', ':'])?.1.trim();
            version.starts_with(|c: char| c.is_ascii_digit()).then(|| version.to_owned())
        }
        "setup.py" => written(text, "version").map(str::to_owned),
        _ => None,
    }
}

/// The name of the module in a file, by its path from the root of modules.
pub(super) fn module(path: &str) -> Option<String> {
    let stem = path.strip_suffix(".pyi").or_else(|| path.strip_suffix(".py"))?;
    let mut parts: Vec<&str> = stem.split('/').collect();
    if parts.last() == Some(&"__init__") {
        parts.pop();
    }
    let is_name = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    (!parts.is_empty() && parts.iter().all(is_name)).then(|| parts.join("."))
}

/// Whether a folder stands beside packages.
pub(super) fn is_beside(folder: &str) -> bool {
    BESIDE.contains(&folder)
}
