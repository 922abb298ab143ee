//! An answer: rows of places, how much of what there is they are, and the two ways to write it.

use super::desk::Desk;
use super::draw::Drawing;
use index::completeness::{Completeness, State};
use redact::Safe;
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the form below.
pub const SCHEMA: &str = "activate.question.v1";

/// That there are more rows.
const MORE: &str = "{} more: raise the limit";

/// The most reasons that stand in one line, and that are written at all where the answer is a text.
const MAX_IN_LINE: usize = 4;
const MAX_REASONS: usize = 8;

/// The most problems that are told.
const MAX_PROBLEMS: usize = 100;

/// The answer to a question.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Answer {
    /// Name and version of this form: `activate.question.v1`.
    pub schema: &'static str,
    /// Which question: `callers`, `callees`, `impact`, `tests`, `outline`, `find`, `cycles` or `unused`.
    pub question: &'static str,
    /// What it is about: canonical ids, a path, words, or what is compared; nothing where it is about the repository.
    #[schemars(with = "Vec<String>")]
    pub about: Vec<Safe>,
    /// The places.
    pub rows: Vec<Row>,
    /// How many more there are than were asked for.
    #[serde(rename = "left")]
    pub n_left: usize,
    /// Commands that run the tests among the rows and no others, for a shell at the root of the repository.
    #[schemars(with = "Vec<String>")]
    pub commands: Vec<Safe>,
    /// What is counted and no row, as phrases.
    #[schemars(with = "Vec<String>")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asides: Vec<Safe>,
    /// How much of what there is the rows are.
    pub completeness: Known,
    /// What is not known of the repository.
    #[schemars(with = "Vec<String>")]
    pub problems: Vec<Safe>,
    /// The rows as a graph, where they are one.
    #[serde(skip)]
    pub drawing: Option<Drawing>,
    /// What is said where there are no rows.
    #[serde(skip)]
    pub(crate) nothing: &'static str,
}

/// How much of what there is a list has.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Known {
    /// `complete`, `incomplete`, or `unknown` where what would have to be looked at is not understood.
    pub state: &'static str,
    /// Why it is not complete, as phrases.
    #[schemars(with = "Vec<String>")]
    pub reasons: Vec<Safe>,
}

/// A place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Row {
    /// How many links it is away from what changes, or how many calls a test is away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The file.
    #[schemars(with = "String")]
    pub path: Safe,
    /// The line, from 1; the first where there are several.
    pub line: u32,
    /// The last line, for a passage or a whole definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_line: Option<u32>,
    /// The definition, as its name within the file: `Type.method`.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<Safe>,
    /// What the definition is: `function`, `method`, `type`, …; `test` for a circle that imports of tests close.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// What it does with what the question is about, where that is no call: `references`, `extends`, `implements`, `imports`, `named_after`,
    /// `same_package`, `removed`, `may_be_used`, `served_by`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<&'static str>,
    /// Method and path of the route by which it uses it.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<Safe>,
    /// Which part of what the question is about, where that has several.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Safe>,
    /// What lies between, from the row to what the question is about; the files of a circle, from this one on.
    #[schemars(with = "Vec<String>")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<Safe>,
    /// The method of an interface or trait on the way, or one that others override: a call of it may run any of `one_of` methods.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promise: Option<Safe>,
    /// Whether others override that method, which has a body of its own or could have one, instead of implementing it.
    #[serde(skip)]
    pub(crate) is_overridden: bool,
    /// The lines in which it is used, where the row is what is used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used_in: Vec<u32>,
    /// How sure it is: `exact`, `qualified`, `unique` or `ambiguous`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<&'static str>,
    /// One of how many it is, where that is ambiguous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_of: Option<u32>,
    /// A line of its code.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Safe>,
}

/// Whether a reason says that there are more rows.
fn is_more(reason: &Safe) -> bool {
    reason.as_str().ends_with(MORE.trim_start_matches("{}"))
}

impl Answer {
    pub(crate) fn new(
        desk: &Desk<'_>,
        question: &'static str,
        about: Vec<Safe>,
        rows: Vec<Row>,
        n_left: usize,
        known: &Completeness,
    ) -> Self {
        // Our own words with names of strangers between them.
        let reasons: Vec<Safe> = known.reasons.iter().map(|reason| desk.masker.name(reason)).collect();
        let problems = desk.snapshot.problems.iter().take(MAX_PROBLEMS).map(|problem| desk.masker.line(&problem.to_string()));
        let mut answer = Self {
            schema: SCHEMA,
            question,
            about,
            rows,
            n_left,
            commands: Vec::new(),
            asides: Vec::new(),
            completeness: Known { state: known.state.word(), reasons },
            problems: problems.collect(),
            drawing: None,
            nothing: "none found",
        };
        answer.say_left();
        answer
    }

    /// Adds the commands of tests, and how many there was no room for.
    pub(crate) fn add_commands(&mut self, (commands, n_left): (Vec<Safe>, usize)) {
        self.commands = commands;
        if n_left > 0 {
            self.completeness.state = State::Incomplete.word();
            self.completeness.reasons.push(Safe::format("{} more commands", &[&Safe::number(n_left as i64)]));
        }
    }

    /// Counts what is no row: `one` says what of it is, `many` what several are.
    pub(crate) fn add_aside(&mut self, n: usize, one: &'static str, many: &'static str) {
        if n > 0 {
            let number = Safe::number(n as i64);
            self.asides.push(Safe::format("{} {}", &[&number, &Safe::fixed(if n == 1 { one } else { many })]));
        }
    }

    /// Keeps the first rows alone.
    pub fn keep(&mut self, n_rows: usize) {
        if n_rows >= self.rows.len() {
            return;
        }
        self.n_left += self.rows.len() - n_rows;
        self.rows.truncate(n_rows);
        self.completeness.reasons.retain(|reason| !is_more(reason));
        self.say_left();
    }

    /// Says how many rows there are beside these.
    fn say_left(&mut self) {
        if self.n_left > 0 {
            if self.completeness.state == State::Complete.word() {
                self.completeness.state = State::Incomplete.word();
            }
            self.completeness.reasons.push(Safe::format(MORE, &[&Safe::number(self.n_left as i64)]));
        }
    }

    /// The answer as lines: the rows, those of one depth under a heading, the commands, and how complete it is.
    pub fn lines(&self) -> Safe {
        let mut text = Safe::default();
        let mut line = |line: &Safe| {
            text.push(line);
            text.push(&Safe::fixed("\n"));
        };
        let (mut depth, mut is_beside) = (None, false);
        for row in &self.rows {
            if self.question == "tests" && row.depth.is_none() && !is_beside {
                is_beside = true;
                line(&Safe::fixed("no test is known to run it; beside it stand:"));
            }
            if self.question == "impact" && row.depth != depth {
                depth = row.depth;
                line(&Safe::format("depth {}:", &[&Safe::number(depth.unwrap_or_default())]));
            }
            line(&row.line(self.question == "cycles"));
        }
        if self.rows.is_empty() {
            line(&Safe::fixed(self.nothing));
        }
        for command in &self.commands {
            line(&Safe::format("run: {}", &[command]));
        }
        for aside in &self.asides {
            line(&Safe::format("besides: {}", &[aside]));
        }
        line(&self.last_line());
        text
    }

    /// [`Answer::lines`] as a text.
    pub fn text(&self) -> String {
        self.lines().as_str().to_owned()
    }

    /// `(complete)`, or `(incomplete: …)`: a few reasons in one line, else each in its own, and of very many how many more there are.
    fn last_line(&self) -> Safe {
        let state = Safe::fixed(self.completeness.state);
        let reasons = &self.completeness.reasons;
        if reasons.is_empty() {
            return Safe::format("({})", &[&state]);
        }
        if reasons.len() <= MAX_IN_LINE {
            return Safe::format("({}: {})", &[&state, &Safe::join(reasons, "; ")]);
        }
        // That there are more rows is said last, and always.
        let (more_rows, reasons): (Vec<&Safe>, Vec<&Safe>) = reasons.iter().partition(|reason| is_more(reason));
        let n_more = reasons.len().saturating_sub(MAX_REASONS);
        let of_more = Safe::format("{} more reasons, which `--format json` lists", &[&Safe::number(n_more as i64)]);
        let shown = reasons.into_iter().take(MAX_REASONS).chain((n_more > 0).then_some(&of_more)).chain(more_rows);
        Safe::format("({}:\n  {})", &[&state, &Safe::join(shown, "\n  ")])
    }

    /// The answer as JSON, two spaces deep, with a line feed at the end.
    pub fn json(&self) -> String {
        // Numbers and texts alone: nothing of it can fail to be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
