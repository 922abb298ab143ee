//! Texts as people paste them, over repositories of the corpus: which file comes first, and what else an answer must say of them.
//!
//! `corpus/README.md` describes the texts. All of them are asked, and all that is wrong is said at once.

use crate::cli::{Ended, run_with};
use crate::replay::corpus;
use activate_rules::weights::Verb;
use context::budget::Budget;
use engine::{CacheChoice, Engine, Options, Request};
use intent::Certainty;
use serde::Deserialize;
use serde_json::Value;
use signals::{self, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

/// The first symbols of an answer that count as found beside its targets.
const FIRST_SYMBOLS: usize = 5;

/// Bytes of the log that stands for `{{log}}`.
const LOG_BYTES: usize = 200_000;

/// The exit code of an answer, of an answer that nothing was found, and of a text that is not a task.
const ANSWERED: i32 = 0;
const NOTHING_FOUND: i32 = 3;

/// A file of texts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    text: Vec<Text>,
}

/// A text and what its answer must be.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    class: String,
    name: String,
    repo: String,
    intent: String,
    /// Files that must all be among the first `within`.
    #[serde(default)]
    first: Vec<String>,
    /// As many as there are in `first`, if it is not said.
    within: Option<usize>,
    /// Files one of which must come first.
    #[serde(default)]
    top: Vec<String>,
    /// Files that must stand behind what is right.
    #[serde(default)]
    behind: Vec<String>,
    #[serde(default)]
    symbols: Vec<String>,
    headline: Option<String>,
    headline_not: Option<String>,
    /// What the verb may be.
    #[serde(default)]
    verb: Vec<String>,
    /// Whether what fails must be shown as such.
    #[serde(default)]
    errors: bool,
    /// What the packet says.
    shows: Option<String>,
    /// Whether the same text, given as what tests say, must have the same first file.
    #[serde(default)]
    as_tests: bool,
    exit: Option<i32>,
    /// What stands on stderr.
    says: Option<String>,
    /// Why the answer is still wrong, where it is: then it must be, so that nobody forgets to take this away.
    missed: Option<String>,
}

/// What came of a text.
struct Answer {
    exit: i32,
    stderr: String,
    packet: Value,
}

impl Answer {
    fn texts<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
        list.as_array().into_iter().flatten().filter_map(|entry| entry[key].as_str()).collect()
    }

    fn files(&self) -> Vec<&str> {
        Self::texts(&self.packet["files"], "path")
    }

    /// The first line of the packet.
    fn headline(&self) -> &str {
        self.packet["text"].as_str().and_then(|text| text.lines().next()).unwrap_or_default()
    }

    fn names(&self, symbol: &str) -> bool {
        let symbols = Self::texts(&self.packet["symbols"], "id");
        Self::texts(&self.packet["intent"]["targets"], "id").contains(&symbol)
            || symbols.iter().take(FIRST_SYMBOLS).any(|id| *id == symbol)
    }

    fn shows_errors(&self) -> bool {
        Self::texts(&self.packet["sections"], "name").contains(&"blockers")
    }
}

impl Text {
    /// The text with what is made for it.
    fn bytes(&self) -> Vec<u8> {
        let intent = self.intent.replace("{{log}}", &log());
        let mut bytes = Vec::new();
        for (number, part) in intent.split("{{bytes}}").enumerate() {
            if number > 0 {
                bytes.extend((0..512_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8));
            }
            bytes.extend_from_slice(part.as_bytes());
        }
        bytes
    }

    /// Whether only the command can be asked: the library takes text, and has no exit codes.
    fn is_for_the_command(&self) -> bool {
        self.says.is_some() || self.intent.trim().is_empty() || self.intent.contains("{{bytes}}")
    }

    fn command_answer(&self) -> Answer {
        let root = corpus().join(&self.repo);
        let root = root.to_str().expect("text");
        let args = ["--intent", "-", "--repo", root, "--format", "json", "--no-cache", "--no-state", "--quiet"];
        let Ended { code, stdout, stderr } = run_with(&self.bytes(), &args);
        Answer { exit: code, stderr, packet: serde_json::from_str(&stdout).unwrap_or(Value::Null) }
    }

    fn answer(&self, engine: &Engine) -> Answer {
        if self.is_for_the_command() {
            return self.command_answer();
        }
        let intent = String::from_utf8(self.bytes()).expect("text");
        asked(engine, &Request::new(intent))
    }

    /// All that is wrong with an answer.
    fn complaints(&self, answer: &Answer) -> Vec<String> {
        let mut complaints = Vec::new();
        let files = answer.files();
        let shown = files.iter().take(3).copied().collect::<Vec<_>>().join(", ");
        let place = |path: &str| files.iter().position(|file| *file == path);
        let expected = self.exit.unwrap_or(ANSWERED);
        if answer.exit != expected {
            complaints.push(format!("exit {}, not {expected} (first: {shown})", answer.exit));
        }
        let within = self.within.unwrap_or(self.first.len());
        for path in &self.first {
            if place(path).is_none_or(|place| place >= within) {
                let place = place(path).map_or("nowhere".to_owned(), |place| format!("at {}", place + 1));
                complaints.push(format!("{path} {place}, not within {within} (first: {shown})"));
            }
        }
        if !self.top.is_empty() && !files.first().is_some_and(|file| self.top.iter().any(|path| path == file)) {
            complaints.push(format!("none of {} comes first (first: {shown})", self.top.join(", ")));
        }
        let right = self.first.iter().chain(&self.top);
        let best = right.filter_map(|path| place(path)).min();
        for path in &self.behind {
            if place(path).is_some_and(|place| best.is_none_or(|best| place < best)) {
                complaints.push(format!("{path} stands before what is right"));
            }
        }
        for symbol in self.symbols.iter().filter(|symbol| !answer.names(symbol)) {
            complaints.push(format!("{symbol} is not a target and not among the first symbols"));
        }
        let headline = answer.headline().to_lowercase();
        if self.headline.as_ref().is_some_and(|part| !headline.contains(&part.to_lowercase())) {
            complaints.push(format!("the task is `{}`", answer.headline()));
        }
        if self.headline_not.as_ref().is_some_and(|part| headline.contains(&part.to_lowercase())) {
            complaints.push(format!("the task says what it must not: `{}`", answer.headline()));
        }
        let verb = answer.packet["intent"]["verb"].as_str().unwrap_or("none");
        if !self.verb.is_empty() && !self.verb.iter().any(|allowed| allowed == verb) {
            complaints.push(format!("the verb is {verb}, not {}", self.verb.join(" or ")));
        }
        if self.errors && !answer.shows_errors() {
            complaints.push("what fails is not shown as such".to_owned());
        }
        let said = answer.packet["text"].as_str().unwrap_or_default();
        if let Some(part) = self.shows.as_ref().filter(|part| !said.contains(part.as_str())) {
            complaints.push(format!("the packet does not say `{part}`"));
        }
        if self.says.as_ref().is_some_and(|part| !answer.stderr.contains(part)) {
            complaints.push(format!("stderr is `{}`", answer.stderr.trim()));
        }
        complaints
    }
}

/// The answer of the library.
fn asked(engine: &Engine, request: &Request) -> Answer {
    let activation = engine.activate(request).expect("an answer");
    let context = activation.session_context(&Budget::default()).expect("a context");
    let exit = if activation.found.intent.certainty == Certainty::None { NOTHING_FOUND } else { ANSWERED };
    Answer { exit, stderr: String::new(), packet: serde_json::to_value(activation.packet(&context)).expect("JSON") }
}

/// The log of a service that nobody here knows.
fn log() -> String {
    let mut log = String::with_capacity(LOG_BYTES + 200);
    let mut number = 0_u32;
    while log.len() < LOG_BYTES {
        let (minute, second, mark) = (number / 60 % 60, number % 60, number.wrapping_mul(2_654_435_761));
        let _ = writeln!(
            log,
            "2026-02-25T03:{minute:02}:{second:02}.{:03}Z INFO  [ingress-{}] trace={mark:08x} 10.4.{}.{} GET /assets/{}.woff2 304 {}ms",
            number % 997,
            number % 3,
            number % 7,
            number % 251,
            mark % 89,
            number % 17,
        );
        number += 1;
    }
    log
}

/// The texts of all files, with the names of the files.
fn texts() -> Vec<(String, Text)> {
    let mut texts = Vec::new();
    let folder = fs::read_dir(corpus().join("pasted")).expect("texts");
    let mut paths: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let read = fs::read_to_string(&path).expect("a file");
        let file: Texts = toml::from_str(&read).unwrap_or_else(|error| panic!("{name}: {error}"));
        texts.extend(file.text.into_iter().map(|text| (name.clone(), text)));
    }
    texts
}

#[test]
fn pasted_texts_are_answered() {
    let mut by_repo: BTreeMap<String, Vec<Text>> = BTreeMap::new();
    for (_, text) in texts() {
        by_repo.entry(text.repo.clone()).or_default().push(text);
    }
    let mut sums: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (repo, texts) in by_repo {
        let options = Options { cache: CacheChoice::Off, ..Options::default() };
        let engine = Engine::open_with(corpus().join(&repo), options).expect("a repository");
        for text in texts {
            let answer = text.answer(&engine);
            let mut complaints = text.complaints(&answer);
            if text.as_tests {
                let mut report = Report::default();
                signals::read(text.intent.as_bytes(), &text.name, None, &mut report).expect("a report");
                let other = asked(&engine, &Request { report: Arc::new(report), ..Request::default() });
                if other.files().first() != answer.files().first() {
                    complaints.push(format!("as what tests say the first file is {:?}", other.files().first()));
                }
            }
            if let Some(why) = &text.missed {
                complaints = if complaints.is_empty() {
                    vec![format!("it is answered, and is said to be missed: {why}")]
                } else {
                    Vec::new()
                };
            }
            let sum = sums.entry(text.class.clone()).or_default();
            sum.0 += usize::from(complaints.is_empty());
            sum.1 += 1;
            if !complaints.is_empty() {
                wrong.push(format!("{}/{} ({repo}): {}", text.class, text.name, complaints.join("; ")));
            }
        }
    }
    wrong.sort();
    let sums: Vec<String> = sums.iter().map(|(class, (right, all))| format!("{class} {right}/{all}")).collect();
    assert!(wrong.is_empty(), "{} texts are answered wrongly:\n{}\n{}", wrong.len(), wrong.join("\n"), sums.join(", "));
}

#[test]
fn every_text_can_be_asked() {
    let texts = texts();
    let mut names = BTreeSet::new();
    let mut n_of_class: BTreeMap<&str, u32> = BTreeMap::new();
    for (file, text) in &texts {
        let name = format!("{}/{}", text.class, text.name);
        assert_eq!(*file, format!("{}.toml", text.class), "{name} stands in another file");
        assert!(names.insert(name.clone()), "two texts are called {name}");
        let root = corpus().join(&text.repo);
        for path in text.first.iter().chain(&text.top).chain(&text.behind) {
            assert!(root.join(path).is_file(), "{name}: no file {path}");
        }
        for symbol in &text.symbols {
            let (path, _) = symbol.split_once('#').unwrap_or_else(|| panic!("{name}: {symbol} names no symbol"));
            assert!(root.join(path).is_file(), "{name}: no file {path}");
        }
        let expects = !(text.first.is_empty() && text.top.is_empty()) || text.exit.is_some_and(|exit| exit != ANSWERED);
        assert!(expects, "{name} expects nothing");
        for verb in &text.verb {
            assert!(Verb::ALL.iter().any(|known| known.name() == verb), "{name}: no verb {verb}");
        }
        *n_of_class.entry(&text.class).or_insert(0) += 1;
    }
    assert!(n_of_class.len() >= 12 && n_of_class.values().all(|n| *n >= 6), "too few: {n_of_class:?}");
}
