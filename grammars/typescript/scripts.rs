//! Scripts of a `package.json` that call runners of tests, and which paths they name.
//!
//! Must not know how a file is run by a tool: whose files are whose is all.

use super::runners::{SCRIPT, SEPARATORS, WHOLE, words};
use serde_json::Value;

/// Runners that are not called by file and title here: their scripts run what they run.
const OTHERS: [&[&str]; 11] = [
    &["karma", "start"],
    &["bun", "test"],
    &["deno", "test"],
    &["node", "--test"],
    &["playwright", "test"],
    &["cypress", "run"],
    &["jasmine"],
    &["web-test-runner"],
    &["wtr"],
    &["ava"],
    &["uvu"],
];

/// The runner that gives its own functions to who imports those of others.
const STAND_IN: &str = "bun";

/// What stands for several names in a path.
const WILD: [char; 7] = ['*', '?', '[', '{', '(', '!', '+'];

/// A script that calls another runner.
#[derive(Debug)]
pub(super) struct Other {
    /// What runs the script.
    pub(super) command: String,
    /// The first word of its runner.
    runner: &'static str,
    /// The paths that it names, as far as they have no wild cards.
    paths: Vec<String>,
    /// Whether `npm test` runs it: it is that script, or that script calls it.
    is_of_test: bool,
}

/// The scripts that run tests: the one of that name first.
pub(super) fn of_tests(manifest: &Value) -> Vec<(&str, &str)> {
    let scripts = manifest["scripts"].as_object().into_iter().flatten();
    let of_tests = scripts.filter(|(name, _)| name.starts_with(SCRIPT));
    let mut scripts: Vec<(&str, &str)> = of_tests.filter_map(|(name, script)| Some((name.as_str(), script.as_str()?))).collect();
    scripts.sort_by_key(|(name, _)| *name != SCRIPT);
    scripts
}

/// The scripts that call other runners, in their order.
pub(super) fn others(manifest: &Value) -> Vec<Other> {
    let mut others = Vec::new();
    let test = manifest["scripts"].get(SCRIPT).and_then(Value::as_str).map(words).unwrap_or_default();
    let is_called = |name: &str| test.windows(2).any(|pair| pair[0] == "run" && pair[1] == name);
    for (name, script) in of_tests(manifest) {
        let words = words(script);
        let calls = words.split(|word| SEPARATORS.contains(&word.as_str())).filter_map(|call| {
            let is_call = |other: &&[&'static str]| call.windows(other.len()).position(|part| *part == **other);
            let (other, at) = OTHERS.iter().find_map(|other| Some((*other, is_call(other)?)))?;
            Some((other[0], paths(&call[at + other.len()..], &[])))
        });
        let calls: Vec<(&'static str, Vec<String>)> = calls.collect();
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_' | '.'));
        if let (Some((runner, _)), true) = (calls.first(), is_plain) {
            let command = if name == SCRIPT { WHOLE.to_owned() } else { format!("npm run {name}") };
            let runner = *runner;
            let paths = calls.into_iter().flat_map(|(_, paths)| paths).collect();
            others.push(Other { command, runner, paths, is_of_test: name == SCRIPT || is_called(name) });
        }
    }
    others
}

/// The paths that calls of a tool name in all scripts; nothing where a call names none, which then runs whatever it finds.
pub(super) fn named_by<'s>(scripts: impl Iterator<Item = &'s str>, tool: &str, flags: &[&str]) -> Option<Vec<String>> {
    let mut named = Vec::new();
    for script in scripts {
        let words = words(script);
        for call in words.split(|word| SEPARATORS.contains(&word.as_str())) {
            let Some(at) = call.iter().position(|word| word.rsplit('/').next() == Some(tool)) else { continue };
            let paths = paths(&call[at + 1..], flags);
            if paths.is_empty() {
                return None;
            }
            named.extend(paths);
        }
    }
    Some(named).filter(|named| !named.is_empty())
}

/// The words of a call that are paths, each up to the first folder with a wild card. `flags` have values that are none.
fn paths(call: &[String], flags: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    let mut is_value = false;
    for word in call {
        let is_of_flag = std::mem::replace(&mut is_value, flags.contains(&word.as_str()));
        let is_path = word.contains('/') || word.contains(WILD) || word.contains(".js") || word.contains(".ts");
        let is_setting = word.rsplit('.').next() == Some("json") || word.contains(".conf");
        if is_of_flag || is_setting || word.starts_with('-') || !is_path {
            continue;
        }
        let word = word.strip_prefix("./").unwrap_or(word);
        let plain = word.find(WILD).map_or(word, |wild| word[..wild].rsplit_once('/').map_or("", |(folder, _)| folder));
        paths.push(plain.trim_end_matches('/').to_owned());
    }
    paths
}

/// Whether one of these paths is a file or holds it.
pub(super) fn hold(paths: &[String], file: &str) -> bool {
    paths.iter().any(|path| path == file || crate::project::is_below(file, path))
}

/// The script that names the folder of a file, or the file. A file that imports another runner is only run by the one that takes its place.
pub(super) fn naming<'o>(others: &'o [Other], file: &str, imports_tool: bool) -> Option<&'o Other> {
    let names = |path: &String| !path.is_empty() && (path == file || crate::project::is_below(file, path));
    others.iter().find(|other| (!imports_tool || other.runner == STAND_IN) && other.paths.iter().any(names))
}

/// Whether a runner may run a file that no tool does, as it does not say what it runs; and then whether `npm test` runs that runner.
pub(super) fn open(others: &[Other]) -> Option<bool> {
    let mut open = others.iter().filter(|other| other.paths.iter().all(|path| !path.contains('/'))).peekable();
    open.peek()?;
    Some(open.any(|other| other.is_of_test))
}
