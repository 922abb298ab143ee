//! The session state as items for the policy: what kind each is, how old, and which places of the repository it is about.
//!
//! The number of an item is its place in the list, so both sides of a request count alike.

use super::place::{MAX_NAMESAKES, Place};
use super::topics::{MAX_TOUCHED, Topics, files_below};
use super::{SessionState, TestState};
use crate::activation::TaskFacts;
use activate_rules::atoms::{ItemId, NodeId, Severity, Turns};
use activate_rules::items::ItemKind;
use index::base::FactBase;
use index::text::{QueryTerm, for_each_word};
use intent::failures::{Failures, Spot};
use signals::place::position;
use signals::{self, Report, given};

/// The most places one item is about: a long text that mentions everything is about nothing.
const MAX_PLACES: usize = 8;
/// The most frames of a failure that activate: the cause is near the place where it stopped.
const MAX_FRAMES: usize = 8;

/// An item of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionItem {
    /// Its number: the place in the list of items.
    pub id: ItemId,
    /// What it is.
    pub kind: ItemKind,
    /// Its age.
    pub turns: Turns,
    /// Whether it is wanted whatever the task is, as far as that can be told without a repository.
    pub always: bool,
    /// What it is about, as written.
    pub about: Vec<Place>,
}

impl SessionState {
    /// The atoms of knowledge without a topic that have a word of the task: they say by their words what they are about.
    pub fn atoms_with_words(&self, failures: &Failures, terms: &[QueryTerm]) -> Vec<ItemId> {
        let items = self.items(failures);
        let atoms = items.iter().filter(|item| item.kind == ItemKind::Knowledge).zip(&self.knowledge_atoms);
        let has_word = |text: &str| {
            let mut has_word = false;
            for_each_word(text.as_bytes(), |word, _| {
                has_word |= terms.iter().any(|term| term.text == word || term.forms.iter().any(|form| form == word));
            });
            has_word
        };
        atoms.filter(|(_, atom)| atom.topic.is_none() && has_word(&atom.text)).map(|(item, _)| item.id).collect()
    }
}

impl SessionState {
    /// What fails by this state: its diagnostics and failing tests, added to what tools say.
    pub fn add_to(&self, report: &mut Report) {
        given(&self.current_diagnostics, &self.failing_tests, report);
    }

    /// Whether diagnostics or failing tests are in this state.
    pub fn says_what_fails(&self) -> bool {
        !self.current_diagnostics.is_empty() || !self.failing_tests.is_empty()
    }

    /// The items of this state beside what fails, in this order. The order is the numbering: further items come after these.
    pub fn items(&self, failures: &Failures) -> Vec<SessionItem> {
        let mut items = Items(Vec::new());
        for found in &failures.diagnostics {
            let about = found.spot.map(|spot| Place::Node(spot.node()));
            items.add(found.diagnostic.severity.kind(), 0, false, about.into_iter().collect());
        }
        if self.is_failing(failures) {
            items.add(ItemKind::TestState, 0, false, Vec::new());
        }
        for test in &failures.tests {
            items.add(ItemKind::FailingTest, 0, false, test.tests.iter().map(|node| Place::Node(*node)).collect());
        }
        items.texts(ItemKind::Finding, &self.recent_findings);
        items.texts(ItemKind::BlockedAction, &self.blocked_actions);
        items.texts(ItemKind::SafetyWarning, &self.safety_warnings);
        // What the caller says about the code of this task is about the task.
        for text in &self.code_dom_warnings {
            items.add(ItemKind::CodeNote, 0, true, places(text));
        }
        for output in &self.prior_shard_outputs {
            let about = places(&format!("{} {}", output.task, output.summary));
            // A result that names no place of the code is about the task as a whole.
            items.add(ItemKind::ShardResult, output.turns_ago, about.is_empty(), about);
        }
        for (age, text) in self.actions() {
            items.add(ItemKind::Action, age, false, places(text));
        }
        for atom in &self.knowledge_atoms {
            let about = topic(atom.topic.as_deref(), &atom.text);
            items.add(ItemKind::Knowledge, 0, atom.always, about);
        }
        for hint in &self.specialist_hints {
            let about = topic(hint.topic.as_deref(), &hint.text);
            items.add(ItemKind::Hint, 0, hint.topic.is_none(), about);
        }
        for tool in &self.available_tools {
            let about = tool.topic.as_ref().map(|word| topic(Some(word), "")).unwrap_or_default();
            items.add(ItemKind::Tool, 0, tool.topic.is_none(), about);
        }
        items.0
    }
}

impl SessionState {
    /// The actions with their age in turns, oldest first; turns without actions have none.
    pub(crate) fn actions(&self) -> impl Iterator<Item = (u32, &str)> {
        let ages = (0..self.recent_actions.len() as u32).rev();
        ages.zip(self.recent_actions.iter().map(String::as_str)).filter(|(_, text)| !text.trim().is_empty())
    }

    /// Whether tests fail: as the caller says, or as their results do.
    pub fn is_failing(&self, failures: &Failures) -> bool {
        self.test_state == TestState::Failing || !failures.tests.is_empty()
    }

    /// What this state and what fails say to the policy about a repository. Changes that the session did not make are git's to say.
    pub fn task_facts(&self, base: &FactBase, failures: &Failures) -> TaskFacts {
        let mut task = TaskFacts::default();
        for file in &self.files_touched {
            let node = base.file_at(file.path.trim_start_matches("./"));
            task.touched.extend(node.map(|node| (node, Turns(file.turns_ago))));
        }
        let items = self.items(failures);
        let topics = Topics::find(base, items.iter().flat_map(|item| &item.about));
        for item in &items {
            task.items.push((item.id, item.kind, item.turns));
            let mut nodes = item.nodes(base, &topics);
            // What was found must not be lost because what it names is gone, has another name now or is half of the repository.
            let is_found = matches!(item.kind, ItemKind::Finding | ItemKind::ShardResult);
            let is_anywhere = is_found && (nodes.is_empty() || nodes.len() > MAX_TOUCHED);
            if item.always || is_anywhere {
                task.always_on.push(item.id);
            }
            nodes.truncate(MAX_TOUCHED);
            task.about.extend(nodes.into_iter().map(|node| (item.id, node)));
        }
        for (item, found) in items.iter().zip(&failures.diagnostics) {
            let sure = found.spot.filter(|spot| !spot.is_guess);
            task.diagnostics.extend(sure.map(|spot| (item.id, found.diagnostic.severity.rule(), spot.node())));
            if found.diagnostic.severity == signals::Severity::Error {
                let frames = found.frames.iter().map(|(_, spot)| *spot).filter(|spot| sure != Some(*spot));
                add_frames(&mut task, item.id, frames);
            }
        }
        let tests = items.iter().filter(|item| item.kind == ItemKind::FailingTest);
        for (item, test) in tests.zip(&failures.tests) {
            task.failing_tests.extend(test.tests.iter().map(|node| (item.id, *node)));
            // What the test stands in is not a cause of its failure.
            let is_own = |node: &NodeId| test.tests.contains(node);
            let frames = test.frames.iter().map(|(_, spot)| *spot).chain(test.spot);
            add_frames(&mut task, item.id, frames.filter(|spot| !is_own(&spot.node())));
        }
        task
    }
}

/// Adds the frames of a failure, apart those that are only guessed.
fn add_frames(task: &mut TaskFacts, item: ItemId, spots: impl Iterator<Item = Spot>) {
    for spot in spots.take(MAX_FRAMES) {
        let frames = if spot.is_guess { &mut task.guesses } else { &mut task.frames };
        frames.push((item, spot.node()));
    }
}

/// The policy's word for what a tool says.
trait Rule {
    /// How bad it is.
    fn rule(self) -> Severity;
    /// What kind of item it is.
    fn kind(self) -> ItemKind;
}

impl Rule for signals::Severity {
    fn rule(self) -> Severity {
        match self {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
            Self::Note => Severity::Note,
        }
    }

    fn kind(self) -> ItemKind {
        match self {
            Self::Error => ItemKind::Error,
            Self::Warning => ItemKind::Warning,
            Self::Note => ItemKind::Note,
        }
    }
}

impl SessionItem {
    /// The nodes that the item is about, in the order in which it names them, then the files below folders that it names. Where there are
    /// more than [`MAX_TOUCHED`], perhaps not all of them.
    fn nodes(&self, base: &FactBase, topics: &Topics) -> Vec<NodeId> {
        let (mut nodes, mut below) = (Vec::new(), Vec::new());
        for place in &self.about {
            match place {
                Place::Node(node) => nodes.push(*node),
                Place::Path(path, line) => {
                    let Some(file) = base.file_at(path.trim_start_matches("./")).or_else(|| topics.only_file(path)) else {
                        below.extend(files_below(base, path).take(MAX_TOUCHED + 1));
                        continue;
                    };
                    nodes.push(line.and_then(|line| base.symbol_at(file, line)).unwrap_or(file));
                }
                Place::Name(name) => {
                    let member = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
                    let exact = base.symbols_named(member).into_iter();
                    let exact: Vec<_> =
                        exact.filter(|node| base.symbol(*node).is_some_and(|symbol| symbol.name == member)).collect();
                    if exact.len() <= MAX_NAMESAKES {
                        nodes.extend(exact);
                    }
                }
                Place::Topic(topic) => nodes.extend(topics.nodes(base, topic)),
            }
        }
        nodes.extend(below);
        let mut seen = rustc_hash::FxHashSet::default();
        nodes.retain(|node| seen.insert(*node));
        nodes
    }
}

struct Items(Vec<SessionItem>);

impl Items {
    fn add(&mut self, kind: ItemKind, turns: u32, always: bool, about: Vec<Place>) {
        self.0.push(SessionItem { id: ItemId(self.0.len() as u32), kind, turns: Turns(turns), always, about });
    }

    fn texts(&mut self, kind: ItemKind, texts: &[String]) {
        for text in texts {
            let about = places(text);
            // A text that names no place cannot be found to concern the task, so it concerns all.
            self.add(kind, 0, about.is_empty(), about);
        }
    }
}

/// The places of a topic, or of the text where there is none.
fn topic(topic: Option<&str>, text: &str) -> Vec<Place> {
    let Some(topic) = topic.map(str::trim) else { return places(text) };
    let mut found = places(topic);
    if !topic.is_empty() && !topic.contains(char::is_whitespace) {
        found.push(Place::Topic(topic.to_owned()));
    }
    found
}

/// The words of a text that are written as code: paths, qualified names, names with an inner capital or underscore.
fn places(text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '[' | ']' | '`' | '"' | '\'')) {
        let word = word.trim_end_matches(['.', ':', '!', '?']);
        let place = if word.contains('/') && !word.starts_with('/') {
            // A line, and perhaps a column or another line, as tools and people write them: `a/b.go:27:5`, `a/b.go:27-30`.
            let (path, line) = word.split_once(':').unwrap_or((word, ""));
            let line = line.split(|c: char| !c.is_ascii_digit()).next().and_then(|line| line.parse().ok());
            Place::Path(path.to_owned(), line)
        } else if let Some((name, line)) = position(word) {
            Place::Path(name.to_owned(), Some(line))
        } else if is_code(word) {
            Place::Name(word.to_owned())
        } else {
            continue;
        };
        if !places.contains(&place) {
            places.push(place);
        }
        if places.len() == MAX_PLACES {
            break;
        }
    }
    places
}

/// Whether a word is written as a name of code.
fn is_code(word: &str) -> bool {
    let inner_capital = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let joined = word.contains("::") || (word.contains('_') && word.chars().any(char::is_alphanumeric));
    let qualified = word.split_once('.').is_some_and(|(a, b)| a.len() > 1 && b.len() > 1);
    inner_capital || joined || qualified
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_name_the_places_that_a_text_writes_as_code() {
        let state = SessionState {
            recent_findings: vec!["[SECURITY] injection in UserQuery, see src/db.rs:40 (reviewer)".into(), "Too slow".into()],
            recent_actions: vec!["/fix auth.go".into(), "/test ./...".into()],
            ..SessionState::default()
        };
        let items = state.items(&Failures::default());
        assert_eq!(items[0].about, [Place::Name("UserQuery".into()), Place::Path("src/db.rs".into(), Some(40))]);
        assert_eq!((items[0].always, items[1].always), (false, true));
        assert_eq!(items.iter().map(|item| item.turns.0).collect::<Vec<_>>(), [0, 0, 1, 0]);
        assert!(items.iter().enumerate().all(|(n, item)| item.id.0 as usize == n));
    }

    #[test]
    fn a_path_may_have_a_line_and_what_follows_it() {
        for (text, line) in [
            ("a/b.go", None),
            ("a/b.go:27", Some(27)),
            ("a/b.go:27:", Some(27)),
            ("a/b.go:27:5", Some(27)),
            ("(a/b.go:27:5:", Some(27)),
            ("a/b.go:27-30", Some(27)),
            ("a/b.go:Open", None),
        ] {
            assert_eq!(places(text), [Place::Path("a/b.go".into(), line)], "{text}");
        }
    }
}
