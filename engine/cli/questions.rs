//! The daily questions: `activate callers`, `callees`, `impact`, `tests`, `outline`, `find`, `cycles` and `unused`.
//!
//! Must not answer by itself: the crate of that name does.

use super::Command;
use super::amount::amount;
use super::exit::Outcome;
use super::input;
use super::learn::snapshot;
use super::options::RepositoryOptions;
use super::progress::Stage;
use super::terminal::{Terminal, write_answer, write_result};
use ::questions::{Answer, Drawing, LIMIT, Question, ask};
use clap::{Args, ValueEnum};
use error::Result;

const NAMES: &str = "\
NAME is `file#Type.method` or any end of it that one definition alone has: `ValidateToken`, `KeySet.Find`, `auth/login.go#ValidateToken`,
`path:line`, or a file. Each row is a place, with how sure it is where that is not exact; the last line says how complete the list is.";

pub(super) const CALLERS: Command = Command {
    name: "callers",
    about: "List every place that calls or names a definition",
    details: NAMES,
    options: NameOptions::augment_args,
    run: |matches, terminal| {
        let options: NameOptions = super::options_of(matches)?;
        options.answer.run(&Question::Callers(options.name), terminal)
    },
};

pub(super) const CALLEES: Command = Command {
    name: "callees",
    about: "List what a definition calls and names, each where it is defined",
    details: NAMES,
    options: NameOptions::augment_args,
    run: |matches, terminal| {
        let options: NameOptions = super::options_of(matches)?;
        options.answer.run(&Question::Callees(options.name), terminal)
    },
};

pub(super) const IMPACT: Command = Command {
    name: "impact",
    about: "List what may notice a change of a definition, or a change that was made, with the tests to run",
    details: NAMES,
    options: ImpactOptions::augment_args,
    run: |matches, terminal| {
        let options: ImpactOptions = super::options_of(matches)?;
        let question = match options.diff {
            Some(range) => Question::ImpactOf(input::diff(&range)?),
            None => Question::Impact(options.name.unwrap_or_default()),
        };
        options.answer.run(&question, terminal)
    },
};

pub(super) const TESTS: Command = Command {
    name: "tests",
    about: "List the tests that run a definition, with their commands",
    details: NAMES,
    options: PlainNameOptions::augment_args,
    run: |matches, terminal| {
        let options: PlainNameOptions = super::options_of(matches)?;
        options.answer.run(&Question::Tests(options.name), terminal)
    },
};

pub(super) const OUTLINE: Command = Command {
    name: "outline",
    about: "List what a file defines, or what stands outermost in the files of a folder",
    details: "",
    options: OutlineOptions::augment_args,
    run: |matches, terminal| {
        let options: OutlineOptions = super::options_of(matches)?;
        options.answer.run(&Question::Outline(options.path), terminal)
    },
};

pub(super) const FIND: Command = Command {
    name: "find",
    about: "List passages that hold words, those of which the words say most first",
    details: "",
    options: FindOptions::augment_args,
    run: |matches, terminal| {
        let options: FindOptions = super::options_of(matches)?;
        options.answer.run(&Question::Find(options.words.join(" ")), terminal)
    },
};

pub(super) const CYCLES: Command = Command {
    name: "cycles",
    about: "List files that import one another in a circle, the shortest circles first",
    details: "",
    options: DrawnOptions::augment_args,
    run: |matches, terminal| super::options_of::<DrawnOptions>(matches)?.run(&Question::Cycles, terminal),
};

pub(super) const UNUSED: Command = Command {
    name: "unused",
    about: "List definitions that nothing uses, as far as that is sure",
    details: "\
Left out are methods, what a package exports, tests, entry points, and whatever is written anywhere that it could be meant.",
    options: UnusedOptions::augment_args,
    run: |matches, terminal| {
        let options: UnusedOptions = super::options_of(matches)?;
        options.answer.run(&Question::Unused { all: options.all }, terminal)
    },
};

#[derive(Debug, Args)]
struct NameOptions {
    /// file#Type.method, or an end of it
    name: String,
    #[command(flatten)]
    answer: DrawnOptions,
}

#[derive(Debug, Args)]
struct PlainNameOptions {
    /// file#Type.method, or an end of it
    name: String,
    #[command(flatten)]
    answer: AnswerOptions,
}

#[derive(Debug, Args)]
struct ImpactOptions {
    /// file#Type.method, or an end of it
    #[arg(required_unless_present = "diff", conflicts_with = "diff")]
    name: Option<String>,
    /// A change: `BASE..HEAD`, `BASE...HEAD` (since both parted), one commit (the work tree against it), nothing (the work tree against the last
    /// commit), or `-` for a patch on stdin
    #[arg(long, value_name = "RANGE|-", num_args = 0..=1, default_missing_value = "")]
    diff: Option<String>,
    #[command(flatten)]
    answer: DrawnOptions,
}

#[derive(Debug, Args)]
struct OutlineOptions {
    /// A file or folder, or an end of its path
    path: String,
    #[command(flatten)]
    answer: AnswerOptions,
}

#[derive(Debug, Args)]
struct FindOptions {
    /// Words; passages that have them as they stand come first
    #[arg(required = true)]
    words: Vec<String>,
    #[command(flatten)]
    answer: AnswerOptions,
}

#[derive(Debug, Args)]
struct UnusedOptions {
    /// Also list those that may have a use that is not known
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    answer: AnswerOptions,
}

/// How an answer that is a graph is written.
#[derive(Debug, Args)]
struct DrawnOptions {
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = DrawnFormat::Text)]
    format: DrawnFormat,
    #[command(flatten)]
    rows: RowOptions,
}

/// How an answer is written.
#[derive(Debug, Args)]
struct AnswerOptions {
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    rows: RowOptions,
}

#[derive(Debug, Args)]
struct RowOptions {
    /// The most rows, such as 20 or 1.5k
    #[arg(long, value_name = "N", default_value_t = LIMIT as u32, value_parser = rows, allow_hyphen_values = true)]
    limit: u32,
    #[command(flatten)]
    repository: RepositoryOptions,
}

/// The most rows that can be asked for.
const MAX_LIMIT: u32 = 100_000;

/// A number of rows, checked while flags are read.
fn rows(text: &str) -> std::result::Result<u32, String> {
    amount(text, "rows", 1, MAX_LIMIT)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One place a line
    Text,
    /// One JSON object (engine/packets/schema/question.schema.json)
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DrawnFormat {
    /// One place a line
    Text,
    /// One JSON object (engine/packets/schema/question.schema.json)
    Json,
    /// A graph for Mermaid
    Mermaid,
    /// A graph for Graphviz
    Dot,
}

impl AnswerOptions {
    fn run(&self, question: &Question, terminal: &Terminal) -> Result<Outcome> {
        self.rows.run(question, terminal, |answer| match self.format {
            Format::Text => write_answer(&answer.text()),
            Format::Json => write_plain(&answer.json()),
        })
    }
}

impl DrawnOptions {
    fn run(&self, question: &Question, terminal: &Terminal) -> Result<Outcome> {
        let drawn = |answer: &Answer, write: fn(&Drawing) -> String| answer.drawing.as_ref().map(write).unwrap_or_default();
        self.rows.run(question, terminal, |answer| match self.format {
            DrawnFormat::Text => write_answer(&answer.text()),
            DrawnFormat::Json => write_plain(&answer.json()),
            DrawnFormat::Mermaid => write_plain(&drawn(answer, Drawing::mermaid)),
            DrawnFormat::Dot => write_plain(&drawn(answer, Drawing::dot)),
        })
    }
}

/// Writes what is for programs: as it is, on a terminal too.
fn write_plain(text: &str) -> Result<()> {
    write_result(|stdout| stdout.write_all(text.as_bytes()))
}

impl RowOptions {
    fn run(&self, question: &Question, terminal: &Terminal, write: impl FnOnce(&Answer) -> Result<()>) -> Result<Outcome> {
        let watch = self.repository.watch();
        let engine = self.repository.open()?;
        let snapshot = snapshot(&engine, &watch, terminal)?;
        watch.enter(Stage::Render);
        let answer = ask(&engine, &snapshot, question, self.limit as usize)?;
        watch.clear();
        write(&answer)?;
        self.repository.warn(terminal, &snapshot.problems);
        watch.finish(snapshot.effort);
        let is_found = !answer.rows.is_empty() || !matches!(question, Question::Find(_));
        Ok(if is_found { Outcome::Answered } else { Outcome::NothingFound })
    }
}
