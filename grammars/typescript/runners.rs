//! What a `package.json` says of running tests: the runners it depends on, and its script.

use super::jest::{Config, Files, Fit};
use super::packages::Package;
use super::scripts::{Other, hold, named_by, naming, of_tests, open, others};
use crate::project::join;
use crate::run::{Naming, Runner, TestFile, path, word};
use serde_json::Value;

/// A tool that runs one file and tests by title.
#[derive(Debug, PartialEq, Eq)]
struct Tool {
    /// Its package and command.
    name: &'static str,
    /// What a file imports that is for this tool and no other.
    module: &'static str,
    /// Whether tests need no import unless a configuration says otherwise.
    is_global: bool,
    /// How it is called, up to the file.
    call: &'static str,
    naming: Naming,
    /// Flags of a script that say how files are read: the tool needs them for a single file too.
    flags: &'static [&'static str],
    /// Names of its configurations, without their endings.
    configs: &'static [&'static str],
    /// Parts of the paths of files that it runs without being told; nothing where it runs any that is named.
    marks: &'static [&'static str],
}

/// The tool that runs no file that its configuration does not take.
const JEST: &str = "jest";

const TOOLS: [Tool; 3] = [
    Tool {
        name: "vitest",
        module: "vitest",
        is_global: false,
        call: "npx vitest run",
        naming: Naming::Titles,
        flags: &["-c", "--config"],
        configs: &["vitest.config", "vite.config", "vitest.workspace"],
        marks: &[".test.", ".spec."],
    },
    Tool {
        name: JEST,
        module: "@jest/globals",
        is_global: true,
        // A path is a pattern otherwise.
        call: "npx jest --runTestsByPath",
        naming: Naming::Titles,
        flags: &["-c", "--config"],
        configs: &["jest.config"],
        marks: &[".test.", ".spec.", "__tests__/"],
    },
    Tool {
        name: "mocha",
        module: "mocha",
        is_global: true,
        call: "npx mocha",
        naming: Naming::GrepTitles,
        flags: &[
            "-r",
            "--require",
            "--import",
            "--loader",
            "--experimental-loader",
            "-n",
            "--node-option",
            "--config",
            "--extension",
            "-u",
            "--ui",
            "-t",
            "--timeout",
        ],
        configs: &[".mocharc"],
        marks: &[],
    },
];

/// Modules of runners that are not run by file and title here: tests that import them are run by the script alone.
const OTHER_RUNNERS: [&str; 9] =
    ["bun:test", "node:test", "@playwright/test", "ava", "tap", "uvu", "tape", "cypress", "@std/testing/bdd"];

/// Endings of configurations.
pub(super) const CONFIG_ENDINGS: [&str; 9] = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", ".yml", ".yaml"];

/// The tool that measures, how it is called for that, and parts of the names of files that it measures without being told.
const BENCH_TOOL: &str = "vitest";
const BENCH_CALL: &str = "npx vitest bench --run";
const BENCHES: [&str; 2] = [".bench.", ".benchmark."];

/// Files that are checked by the compiler and not run.
const TYPE_TESTS: &str = ".test-d.";

/// What a new package says instead of a test script.
const NO_SCRIPT: &str = "no test specified";

/// The script that runs tests, and what the names of others begin with.
pub(super) const SCRIPT: &str = "test";

/// What runs that script.
pub(super) const WHOLE: &str = "npm test";

/// Where one command of a script ends.
pub(super) const SEPARATORS: [&str; 5] = ["&&", "||", ";", "|", "&"];

/// What runs a file that its tool does not.
enum Elsewhere<'t> {
    /// A script: one that names the file or a folder of it; else the one that runs all tests.
    Script(&'t str),
    /// A runner may that does not say what it runs.
    Unknown,
}

/// What a manifest says of running tests.
#[derive(Debug, Default)]
pub(super) struct Tests {
    /// The tools that it depends on, with how its scripts call them.
    tools: Vec<Called>,
    /// Whether `npm test` runs something, and whether what it runs is one of the tools.
    script: Option<bool>,
    /// Scripts that call other runners.
    others: Vec<Other>,
}

/// A tool that a package depends on.
#[derive(Debug)]
struct Called {
    tool: &'static Tool,
    /// How scripts call it, that of the script `test` first; one call if none does.
    calls: Vec<Call>,
    has_config: bool,
    /// The paths that all its calls name; nothing where one runs whatever it finds.
    paths: Option<Vec<String>>,
}

/// A call of a tool.
#[derive(Debug, Default)]
struct Call {
    /// Settings in front of it: `NODE_ENV=test `.
    before: String,
    /// Flags behind it.
    after: String,
    /// What says which files it runs, where that is known.
    config: Option<Config>,
}

impl Tests {
    /// Reads a manifest of a folder. `jests` are configurations of Jest.
    pub(super) fn read(folder: &str, manifest: &Value, exists: &dyn Fn(&str) -> bool, jests: &Files) -> Self {
        let depends = |name: &str| ["devDependencies", "dependencies"].iter().any(|list| manifest[*list].get(name).is_some());
        let own = own_script(manifest);
        let all = of_tests(manifest).into_iter().map(|(_, script)| script).filter(|script| !script.contains(NO_SCRIPT));
        let all: Vec<&str> = all.collect();
        let called = |tool: &'static Tool| {
            let configs = tool.configs.iter().flat_map(|name| CONFIG_ENDINGS.iter().map(move |ending| format!("{name}{ending}")));
            let has_file = configs.filter_map(|config| join(folder, &config)).any(|config| exists(&config));
            let has_config = has_file || manifest.get(tool.name).is_some();
            let paths = named_by(all.iter().copied(), tool.name, tool.flags);
            let mut calls: Vec<Call> = Vec::new();
            for (before, after) in all.iter().flat_map(|script| surroundings(script, tool)) {
                if !calls.iter().any(|call| call.before == before && call.after == after) {
                    calls.push(Call { before, after, config: None });
                }
            }
            if calls.is_empty() {
                calls.push(Call::default());
            }
            for call in calls.iter_mut().filter(|_| tool.name == JEST) {
                let words = words(&call.after);
                let named = words.iter().skip_while(|word| !tool.flags.contains(&word.as_str())).nth(1);
                call.config = Config::of_call(named.map(String::as_str), folder, manifest, jests, has_file);
            }
            Called { tool, calls, has_config, paths }
        };
        Self {
            tools: TOOLS.iter().filter(|tool| depends(tool.name)).map(called).collect(),
            script: own.map(|script| TOOLS.iter().any(|tool| script.contains(tool.name))),
            others: others(manifest),
        }
    }

    /// What runs a file of this path within the package if its tool does not.
    fn other(&self, file: &TestFile<'_>, inner: &str) -> Option<Elsewhere<'_>> {
        let tool = self.tool(file);
        let by_tool = tool.and_then(|called| called.paths.as_ref()).map(|paths| hold(paths, inner));
        let imports_tool = TOOLS.iter().any(|tool| file.imports.contains(&tool.module));
        match by_tool {
            Some(true) => None,
            Some(false) if !imports_tool => naming(&self.others, inner, imports_tool).map_or_else(
                || open(&self.others).map(|is_of_test| if is_of_test { Elsewhere::Script(WHOLE) } else { Elsewhere::Unknown }),
                |other| Some(Elsewhere::Script(&other.command)),
            ),
            _ => naming(&self.others, inner, imports_tool).map(|other| Elsewhere::Script(&other.command)),
        }
    }

    /// The tool that runs a file.
    fn tool(&self, file: &TestFile<'_>) -> Option<&Called> {
        if file.imports.iter().any(|module| OTHER_RUNNERS.contains(module)) {
            return None;
        }
        let named = TOOLS.iter().find(|tool| file.imports.contains(&tool.module));
        match named {
            Some(tool) => self.tools.iter().find(|called| called.tool == tool),
            None => self.tools.iter().find(|called| called.tool.is_global).or(self.tools.first()),
        }
    }
}

/// Whether a file is one of benchmarks, by its name.
pub(super) fn is_bench_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    BENCHES.iter().any(|mark| name.contains(mark))
}

impl Called {
    /// How the benchmarks of a file are measured, where the tool does that.
    fn measuring(&self, folder: &str, file: &str) -> Option<Runner> {
        let inner = if folder.is_empty() { file } else { file.strip_prefix(folder)?.strip_prefix('/')? };
        let call = self.calls.first()?;
        let command = format!("{}{BENCH_CALL}{} {}", call.before, call.after, path(inner));
        let runner = Runner { folder: folder.to_owned(), command, naming: Naming::BenchTitles };
        Some(runner).filter(|_| self.tool.name == BENCH_TOOL)
    }

    fn runner(&self, folder: &str, file: &TestFile<'_>) -> Option<Runner> {
        // Which other files it runs its configuration says: no helpers of tests.
        let is_named = self.tool.marks.is_empty() || self.tool.marks.iter().any(|mark| file.path.contains(mark));
        let fit = |call: &Call| call.config.as_ref().map_or(Fit::Usual, |config| config.fit(file.path));
        // The first call of those that say most clearly that they run it.
        let call = self.calls.iter().rev().max_by_key(|call| fit(call)).filter(|call| fit(call) != Fit::No)?;
        let is_found = is_named || fit(call) == Fit::Named && file.has_tests || self.has_config && file.has_tests;
        let file = file.path;
        if !is_found || file.contains(TYPE_TESTS) {
            return None;
        }
        let inner = if folder.is_empty() { file } else { file.strip_prefix(folder)?.strip_prefix('/')? };
        let command = format!("{}{}{} {}", call.before, self.tool.call, call.after, path(inner));
        Some(Runner { folder: folder.to_owned(), command, naming: self.tool.naming })
    }
}

/// How a file's tests are run: by the runner that a manifest around it depends on, else by the test script of one. `around` has the
/// packages that hold the file, innermost first; a workspace often keeps runner and configuration at its root.
pub(super) fn runner<'a>(around: impl Iterator<Item = &'a Package>, file: &TestFile<'_>) -> Option<Runner> {
    // What is installed brings its tests, and not what runs them.
    if file.path.split('/').any(|folder| folder == "node_modules") {
        return None;
    }
    let mut by_tool: Option<(&Package, &Called)> = None;
    let mut by_script = None;
    let mut is_open = true;
    let is_measured = is_bench_path(file.path);
    // Who defines `bench` is not said.
    if is_measured && !file.imports.contains(&BENCH_TOOL) {
        return None;
    }
    for package in around {
        let inner = file.path.strip_prefix(&package.folder).map(|inner| inner.trim_start_matches('/'));
        match inner.filter(|_| !is_measured).and_then(|inner| package.tests.other(file, inner)) {
            Some(Elsewhere::Script(command)) => {
                return Some(Runner { folder: package.folder.clone(), command: command.to_owned(), naming: Naming::Whole });
            }
            Some(Elsewhere::Unknown) => return None,
            None => {}
        }
        if let Some(called) = package.tests.tool(file)
            && by_tool.is_none_or(|(_, known)| known.tool == called.tool && called.has_config)
        {
            by_tool = Some((package, called));
            // A package of a workspace without a configuration is run with that of the workspace.
            if called.has_config || !package.is_member {
                break;
            }
        }
        if let (Some(calls_tool), true) = (package.tests.script, is_open) {
            by_script.get_or_insert_with(|| Runner {
                folder: package.folder.clone(),
                command: WHOLE.to_owned(),
                naming: Naming::Whole,
            });
            // A script that calls a runner has it from a folder above; any other is the only way to run these tests.
            is_open = calls_tool;
            if !calls_tool && by_tool.is_none() {
                break;
            }
        }
    }
    match by_tool {
        Some((package, called)) if is_measured => called.measuring(&package.folder, file.path),
        None if is_measured => None,
        Some((package, called)) => called.runner(&package.folder, file),
        None => by_script,
    }
}

/// What stands in a manifest in place of a secret.
const MASK: &str = "[REDACTED";

/// What a script says around its calls of a tool: settings in front, and those flags behind that the tool needs for every file.
fn surroundings(script: &str, tool: &Tool) -> Vec<(String, String)> {
    let words = words(script);
    words.split(|word| SEPARATORS.contains(&word.as_str())).filter_map(|call| around(call, tool)).collect()
}

/// What stands around the tool in one command.
fn around(words: &[String], tool: &Tool) -> Option<(String, String)> {
    let at = words.iter().position(|word| word.rsplit('/').next() == Some(tool.name))?;
    let is_setting = |word: &&String| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let settings = words[..at].iter().filter(is_setting).filter_map(|setting| setting.split_once('='));
    // A secret was masked before the manifest came here: the mask is not its value.
    let settings = settings.filter(|(_, value)| !value.contains(MASK));
    let before = settings.map(|(name, value)| format!("{name}={} ", word(value))).collect::<Vec<_>>().concat();
    let mut after = String::new();
    let mut rest = words[at + 1..].iter();
    while let Some(flag) = rest.next() {
        let (name, value) = flag.split_once('=').map_or((flag.as_str(), None), |(name, value)| (name, Some(value)));
        if !tool.flags.contains(&name) {
            continue;
        }
        let value = value.or_else(|| rest.next().map(String::as_str));
        after.extend(value.filter(|value| !value.contains(MASK)).map(|value| format!(" {name} {}", word(value))));
    }
    Some((before, after))
}

/// The script that runs tests, where there are some.
pub(super) fn own_script(manifest: &Value) -> Option<&str> {
    manifest["scripts"].get(SCRIPT)?.as_str().filter(|script| !script.contains(NO_SCRIPT))
}

/// The words of a script, out of their quotes.
pub(super) fn words(script: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in script.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, c) if c.is_whitespace() => words.push(String::new()),
            (_, c) => words.last_mut().into_iter().for_each(|word| word.push(c)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests;
