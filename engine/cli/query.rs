//! `activate query`: Datalog over the relations of a repository.
//!
//! Must not show a name of the repository unredacted: values are texts that are masked before a program sees them.

mod messages;
mod program;
mod prompt;
mod proofs;
mod written;

use super::Command;
use super::exit::{self, Outcome};
use super::input::{self, Source};
use super::learn::snapshot;
use super::options::RepositoryOptions;
use super::progress::Stage;
use super::state::StateOptions;
use super::terminal::{Terminal, say, write_result};
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args, ValueEnum};
use context::budget::Budget;
use engine::Request;
use error::{Error, ErrorKind, Result};
use index::snapshot::Snapshot;
use messages::{Bounds, notes, stopped, told, unproven};
use program::Sources;
use prompt::{History, Prompt};
use query::{Checked, Limits, Mistake, Place, Syntax, Words, answer, check};
use relations::{Answered, Given, Task, of_tasks};
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub(super) const COMMAND: Command = Command {
    name: "query",
    about: "Ask the facts of a repository in Datalog: rules, recursion, negation, totals, and the proof of each row",
    details: DETAILS,
    options: QueryOptions::augment_args,
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

const DETAILS: &str = r#"Variables begin with a capital letter, `_` is anything. Files are "path", symbols "path#Container.name". A relation may be given fewer
columns than it has. `--relations` lists them; docs/src/query.md has the language, and questions with their rules.

Examples:
    activate query 'calls(X, "internal/auth/login.go#ValidateToken"), not tests(_, X)'
    activate query 'reach(X) :- calls(X, "internal/auth/login.go#ValidateToken"). reach(X) :- reach(Y), calls(X, Y). ?- reach(X).'
    activate query 'callers(F, count(X)) :- calls(X, F). ?- callers(F, N), N > 20.'
    activate query --file layers.dl --fail-if-any
    activate query --intent "fix ValidateToken" 'tier(F, /hot), score(F, N), N > 50'"#;

/// Rows that are proven at most, where proofs are wanted.
const MAX_PROVEN: usize = 100;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "a flag without a value is either given or not")]
struct QueryOptions {
    /// Rules, and what is asked: `head :- body.` and `?- body.`, or a body alone. Without it and on a terminal, lines are asked for one by one
    #[arg(value_name = "PROGRAM")]
    program: Option<String>,
    /// Read rules from a file, `-` for stdin; a PROGRAM behind them asks. May be given several times
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(source))]
    file: Vec<Source>,
    /// Ask about the answer to a task too: `target`, `score`, `tier`, `placed` and so on; its words are those of `activate --intent`
    #[arg(long, value_name = "TEXT", conflicts_with = "relations")]
    intent: Option<String>,
    /// How rows are written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// How the program is written
    #[arg(long, value_enum, default_value_t = Written::Datalog)]
    syntax: Written,
    /// Show how each of the first rows came about
    #[arg(long, conflicts_with_all = ["check", "relations"])]
    why: bool,
    /// Check the program, and answer nothing
    #[arg(long)]
    check: bool,
    /// List the relations with their columns
    #[arg(long, conflicts_with_all = ["program", "file", "check"])]
    relations: bool,
    /// End with exit code 10 if there is any row: for rules that must hold
    #[arg(long)]
    fail_if_any: bool,
    /// Memory that what is derived may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    derived: u64,
    /// Seconds that it may take beside reading the repository
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// How long to wait for the next byte of a pipe or stdin; ten times as long for all of it
    #[arg(long, value_name = "SECONDS", default_value_t = super::wait::DEFAULT_SECONDS, value_parser = clap::value_parser!(u64).range(1..=super::wait::MAX_SECONDS))]
    wait: u64,
    /// Remember nothing that was typed
    #[arg(long, conflicts_with = "state")]
    no_state: bool,
    #[command(flatten)]
    state: StateOptions,
    #[command(flatten)]
    repository: RepositoryOptions,
}

/// How a program is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Written {
    /// As docs/src/query.md says
    Datalog,
    /// As Google's Mangle has it, as far as it is Datalog
    Mangle,
}

impl Written {
    const fn syntax(self) -> Syntax {
        match self {
            Self::Datalog => Syntax::Own,
            Self::Mangle => Syntax::Mangle,
        }
    }
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns side by side
    #[value(alias = "text")]
    Table,
    /// One JSON object a line, with a key a variable
    #[value(alias = "json")]
    Jsonl,
    /// Values between commas, as RFC 4180 says
    Csv,
    /// A graph of the first two columns, as Mermaid draws it
    Mermaid,
}

/// A task and its answer, where one is asked about.
#[derive(Default)]
struct About(Option<(Task, Answered)>);

impl About {
    /// The relations that there are.
    fn given<'s>(&self, snapshot: &'s Snapshot, words: &'s Words) -> Given<'s> {
        let given = Given::of(snapshot, words);
        match &self.0 {
            None => given,
            Some((task, answered)) => given.with_task(task).with_answer(answered),
        }
    }
}

impl QueryOptions {
    fn bounds(&self) -> Bounds {
        Bounds { derived: self.derived, seconds: self.seconds }
    }
}

fn source(path: PathBuf) -> Source {
    if path.as_os_str() == input::STDIN { Source::Stdin } else { Source::File(path) }
}

fn run(options: &QueryOptions, terminal: &Terminal) -> Result<Outcome> {
    super::wait::set(options.wait);
    if options.why && !matches!(options.format, Format::Table | Format::Jsonl) {
        let message = "proofs are shown in a table and in JSON lines alone: leave out --why, or give `--format jsonl`";
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    if options.relations {
        return written::relations();
    }
    // Whoever gives rules alone, or nothing, is asked what to do with them, where there is somebody.
    let is_asked = options.program.is_none()
        && !(options.check || options.fail_if_any || options.file.contains(&Source::Stdin))
        && io::stdin().is_terminal()
        && io::stdout().is_terminal();
    if options.program.is_none() && options.file.is_empty() && !is_asked {
        return Err(exit::usage("a PROGRAM or a `--file FILE` is needed; lines are asked for one by one on a terminal alone"));
    }
    let sources = Sources::of(&options.file, options.program.as_deref())?;
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    let snapshot = snapshot(&engine, &watch, terminal)?;
    watch.enter(Stage::Render);
    let words = Words::default();
    let about = match &options.intent {
        // A program that is only checked may be rules that take part in answers.
        None if options.check => About(Some((Task::default(), Answered::default()))),
        None => About::default(),
        Some(intent) => {
            let activation = engine.activate_on(&snapshot, &Request::new(intent), &|_| {})?;
            let answered = activation.answered(&activation.session_context(&Budget::default())?);
            About(Some((activation.task().clone(), answered)))
        }
    };
    let given = about.given(&snapshot, &words);
    let masker = snapshot.masker();
    let wrong = |mistake: Mistake| {
        let mut message = told(&mistake, &sources, masker);
        if options.intent.is_none() && is_of_tasks(&mistake) {
            message.push_str(" (what a task has is there with `--intent TEXT`)");
        }
        Error::new(ErrorKind::BadInput, message)
    };
    let program = sources.read(options.syntax.syntax()).map_err(wrong)?;
    let checked = check(&program, &given, &words).map_err(wrong)?;
    if options.check {
        engine::check_heads(&program, &snapshot).map_err(wrong)?;
    }
    watch.clear();
    options.repository.warn(terminal, &snapshot.problems);
    // A check of what is not there any more would hold for ever.
    if let Some(note) = checked.notes.first().filter(|_| options.fail_if_any) {
        return Err(wrong(note.clone()));
    }
    if !options.repository.quiet {
        for note in notes(&checked, &sources, masker, Place::default()) {
            say(&note);
        }
    }
    if is_asked && checked.n_questions() == 0 {
        let asks =
            prompt::Asks { format: options.format, syntax: options.syntax.syntax(), why: options.why, bounds: options.bounds() };
        let history = if options.no_state { None } else { options.state.folder().ok().map(|folder| History::at(&folder)) };
        drop(given);
        prompt::on_terminal(Prompt::new(&snapshot, asks, Arc::default()).with(about, program, sources), history.as_ref())?;
        watch.finish(snapshot.effort);
        return Ok(Outcome::Answered);
    }
    let outcome = if options.check { checked_only(&checked) } else { answered(options, &checked, &given, &words, &sources) };
    watch.finish(snapshot.effort);
    outcome
}

/// Whether a mistake is about a relation that only tasks have.
fn is_of_tasks(mistake: &Mistake) -> bool {
    let (of_task, of_answer) = of_tasks();
    of_task
        .iter()
        .chain(of_answer)
        .any(|relation| mistake.message.starts_with(&format!("there is no relation `{}`", relation.name)))
}

fn checked_only(checked: &Checked) -> Result<Outcome> {
    let n_questions = checked.n_questions();
    write_result(|stdout| writeln!(stdout, "the program is right: {} rules, {n_questions} questions", checked.n_rules()))?;
    Ok(Outcome::Answered)
}

fn answered(options: &QueryOptions, checked: &Checked, given: &Given<'_>, words: &Words, sources: &Sources) -> Result<Outcome> {
    if checked.n_questions() == 0 {
        let message = "the program asks nothing: end it with `?- relation(X, Y).`, or give what is asked behind --file";
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let bounds = options.bounds();
    let until = Instant::now() + bounds.time();
    let limits = Limits { bytes: bounds.bytes(), is_over: &|| Instant::now() > until };
    let proofs = if options.why { MAX_PROVEN } else { 0 };
    let mut n_rows = 0;
    for question in 0..checked.n_questions() {
        let answer = answer(checked, question, given, words, limits, proofs)
            .map_err(|unanswered| Error::new(ErrorKind::BadInput, stopped(&unanswered, bounds, sources)))?;
        n_rows += answer.n_rows();
        write_result(|stdout| written::write(stdout, &answer, options.format, question, given, words, sources))?;
        if let Some(why) = answer.unproven {
            say(&unproven(why, answer.proofs.len(), bounds));
        }
    }
    Ok(match n_rows {
        0 if options.fail_if_any => Outcome::Answered,
        0 => Outcome::NothingFound,
        _ if options.fail_if_any => Outcome::Refused,
        _ => Outcome::Answered,
    })
}
