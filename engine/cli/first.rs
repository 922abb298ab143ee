//! What bare `activate` says on a terminal: five examples for the repository around it.
//!
//! Names are real where they are found at once; a large repository that was never read gets general ones.

use super::exit::Outcome;
use super::name;
use super::options::RootOption;
use super::terminal::{Terminal, write_answer};
use activate_rules::links::LinkKind;
use engine::Engine;
use error::Result;
use index::base::{FactBase, FileFlags};
use index::checks::{Check, What};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long names are looked for.
const PATIENCE: Duration = Duration::from_millis(1_200);
/// Fewer letters say little.
const MIN_NAME: usize = 5;
/// The longest names and commands that are shown: an example fits a line.
const MAX_NAME: usize = 30;
const MAX_COMMAND: usize = 36;

/// What examples are made of.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Names {
    /// A definition that much depends on.
    symbol: Option<String>,
    /// Its file.
    path: Option<String>,
    /// What runs the tests.
    test: Option<String>,
}

/// Whether nothing was said and somebody may be shown how.
pub(super) fn is_asked() -> bool {
    std::env::args_os().len() == 1 && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows the examples.
pub(super) fn show(terminal: &Terminal) -> Result<Outcome> {
    let (sender, receiver) = mpsc::channel();
    // It ends with the process, if it takes longer.
    std::thread::spawn(move || {
        if let Ok(engine) = RootOption::default().open() {
            // Nobody listens any more where patience has ended.
            find(&engine, |names| drop(sender.send(names)));
        }
    });
    let end = Instant::now() + PATIENCE;
    let mut names = Names::default();
    while let Ok(more) = receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        names = more;
    }
    let text = examples(name::called(), &names);
    let lines: Vec<String> = text.lines().map(|line| terminal.line(line)).collect();
    write_answer(&(lines.join("\n") + "\n"))?;
    Ok(Outcome::Answered)
}

/// Tells the names of a repository, first those that are found at once: those that can be told as they are.
fn find(engine: &Engine, mut tell: impl FnMut(Names)) {
    let checks = engine.checks().map(|checks| checks.list).unwrap_or_default();
    let test = checks.iter().filter(|check| check.what == What::Test).map(Check::line).find(|line| line.len() <= MAX_COMMAND);
    let test = test.filter(|line| engine.masker().line(line).as_str() == line);
    tell(Names { test: test.clone(), ..Names::default() });
    let Ok(snapshot) = engine.snapshot() else { return };
    let masker = snapshot.masker();
    let is_safe = |text: &str| masker.line(text).as_str() == text;
    let symbol = busiest(&snapshot.base, is_safe);
    let (symbol, path) = symbol.map_or((None, None), |(symbol, path)| (Some(symbol), Some(path)));
    tell(Names { symbol, path, test: test.filter(|line| is_safe(line)) });
}

/// The definition that is called from most places, with its file: no test, and no name that a shell would not take as it is.
fn busiest(base: &FactBase, is_safe: impl Fn(&str) -> bool) -> Option<(String, String)> {
    let mut calls: FxHashMap<u32, u32> = FxHashMap::default();
    for site in base.sites().filter(|site| site.kind == LinkKind::Calls) {
        *calls.entry(site.to.0).or_default() += 1;
    }
    let is_plain = |text: &str| {
        text.len() <= MAX_NAME
            && !text.starts_with('-')
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte))
    };
    let mut named: Vec<(Reverse<u32>, String, String)> = Vec::new();
    for (node, n_calls) in calls {
        let Some(symbol) = base.symbol(activate_rules::atoms::NodeId(node)) else { continue };
        let (name, path) = (symbol.local_id, base.path(symbol.file));
        let is_told = symbol.name.len() >= MIN_NAME && is_plain(name) && is_plain(path) && is_safe(name) && is_safe(path);
        if is_told && !base.flags(symbol.file).has(FileFlags::TEST) {
            named.push((Reverse(n_calls), name.to_owned(), path.to_owned()));
        }
    }
    named.into_iter().min().map(|(_, name, path)| (name, path))
}

/// Five examples.
fn examples(program: &str, names: &Names) -> String {
    let symbol = names.symbol.as_deref().unwrap_or("the login");
    let target = names.path.as_deref().unwrap_or("PATH");
    let test = names.test.as_deref().unwrap_or("YOUR TESTS");
    let examples = [
        (format!("{program} \"fix {symbol}\""), "what matters for a task"),
        (format!("{program} --diff"), "review what is not committed"),
        (format!("{test} 2>&1 | {program} --tests -"), "fix what fails"),
        (format!("{program} why {target} --intent \"fix {symbol}\""), "why a file is there"),
        (format!("{program} check"), "how to build, lint and test"),
    ];
    let mut page = "# Decides what a coding agent sees of a repository. Five things to try here:\n\n".to_owned();
    for (line, says) in examples {
        let _ = writeln!(page, "  # {says}\n  {line}\n");
    }
    let _ = writeln!(page, "`{program} -h` says more.");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_have_real_names_where_there_are_some() {
        let names = Names {
            symbol: Some("Context.Copy".to_owned()),
            path: Some("context.go".to_owned()),
            test: Some("go test -json ./...".to_owned()),
        };
        let text = examples("activate", &names);
        for line in [
            "  activate \"fix Context.Copy\"\n",
            "  activate --diff\n",
            "  go test -json ./... 2>&1 | activate --tests -\n",
            "  activate why context.go --intent \"fix Context.Copy\"\n",
            "  activate check\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        let general = examples("activate-context", &Names::default());
        assert!(general.contains("  YOUR TESTS 2>&1 | activate-context --tests -\n"), "{general}");
    }

    #[test]
    fn names_are_of_the_definition_that_is_called_most() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/auth-go");
        let engine = Engine::open_with(root, engine::Options { cache: engine::CacheChoice::Off, ..engine::Options::default() });
        let mut names = Names::default();
        find(&engine.expect("a repository"), |found| names = found);
        let own = |text: &str| Some(text.to_owned());
        let expected = Names { symbol: own("NewKeySet"), path: own("internal/auth/keys.go"), test: own("go test -json ./...") };
        assert_eq!(names, expected);
    }
}
