//! `activate query`: Datalog over the relations of a repository.
//!
//! Must not show a name of the repository unredacted: values are texts that are masked before a program sees them.

mod program;
mod proofs;
mod written;

use super::Command;
use super::exit::Outcome;
use super::input::{self, Source};
use super::learn::snapshot;
use super::options::RepositoryOptions;
use super::progress::Stage;
use super::terminal::{Terminal, say, write_result};
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args, ValueEnum};
use error::{Error, ErrorKind, Result};
use program::Sources;
use query::{Checked, Limits, Mistake, Stopped, Syntax, Unanswered, Words, answer, check};
use redact::Masker;
use relations::Given;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    activate query --file layers.dl --fail-if-any"#;

/// Letters of a message at most.
const MAX_MESSAGE: usize = 300;

/// Names that nothing has, told one by one at most.
const MAX_NOTES: usize = 5;

/// Rows that are proven at most, where proofs are wanted.
const MAX_PROVEN: usize = 100;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "a flag without a value is either given or not")]
struct QueryOptions {
    /// Rules, and what is asked: `head :- body.` and `?- body.`, or a body alone
    #[arg(value_name = "PROGRAM", required_unless_present_any = ["file", "relations"])]
    program: Option<String>,
    /// Read rules from a file, `-` for stdin; a PROGRAM behind them asks. May be given several times
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(source))]
    file: Vec<Source>,
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
    let sources = Sources::of(&options.file, options.program.as_deref())?;
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    let snapshot = snapshot(&engine, &watch, terminal)?;
    watch.enter(Stage::Render);
    let words = Words::default();
    let given = Given::of(&snapshot, &words);
    let masker = snapshot.masker();
    let wrong = |mistake: Mistake| Error::new(ErrorKind::BadInput, told(&mistake, &sources, masker));
    let program = sources.read(options.syntax.syntax());
    let checked = program.and_then(|program| check(&program, &given, &words)).map_err(wrong)?;
    watch.clear();
    options.repository.warn(terminal, &snapshot.problems);
    if !options.repository.quiet {
        checked.notes.iter().take(MAX_NOTES).for_each(|note| say(&told(note, &sources, masker)));
        if let Some(n_more) = checked.notes.len().checked_sub(MAX_NOTES).filter(|n_more| *n_more > 0) {
            say(&format!("{n_more} more names of the program are no file, symbol or package"));
        }
    }
    let outcome = if options.check { checked_only(&checked) } else { answered(options, &checked, &given, &words, &sources) };
    watch.finish(snapshot.effort);
    outcome
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
    let until = Instant::now() + Duration::from_secs(options.seconds);
    let limits = Limits { bytes: (options.derived << 20) as usize, is_over: &|| Instant::now() > until };
    let proofs = if options.why { MAX_PROVEN } else { 0 };
    let mut n_rows = 0;
    for question in 0..checked.n_questions() {
        let answer = answer(checked, question, given, words, limits, proofs)
            .map_err(|unanswered| stopped(&unanswered, options, sources))?;
        n_rows += answer.n_rows();
        write_result(|stdout| written::write(stdout, &answer, options.format, question, given, words, sources))?;
    }
    Ok(match n_rows {
        0 if options.fail_if_any => Outcome::Answered,
        0 => Outcome::NothingFound,
        _ if options.fail_if_any => Outcome::Refused,
        _ => Outcome::Answered,
    })
}

/// A message with a piece of the program in it: masked, then cut, so that no half of a secret is left.
fn cut(masker: &Masker, message: &str) -> String {
    let shown = masker.line(message);
    let mut short: String = shown.as_str().chars().take(MAX_MESSAGE).collect();
    if short.len() < shown.as_str().len() {
        short.push('…');
    }
    short
}

/// A mistake in the program, with its place.
fn told(mistake: &Mistake, sources: &Sources, masker: &Masker) -> String {
    cut(masker, &format!("{}: {}", sources.place(mistake.place), mistake.message))
}

/// A limit that was met, with what had been derived.
fn stopped(unanswered: &Unanswered, options: &QueryOptions, sources: &Sources) -> Error {
    let derived: Vec<String> = unanswered.derived.iter().map(|(name, n_rows)| format!("{n_rows} rows of `{name}`")).collect();
    let derived = if derived.is_empty() { "no rows".to_owned() } else { derived.join(", ") };
    let message = match unanswered.why {
        Stopped::Memory => format!(
            "what is derived takes more than {} MiB (--derived); there were {derived}. Ask for less: name a file or symbol, or bind a variable",
            options.derived
        ),
        Stopped::Time => format!(
            "no answer within {} seconds (--seconds); there were {derived}. Ask for less: name a file or symbol, or bind a variable",
            options.seconds
        ),
        Stopped::Pattern => {
            format!("`glob` was given a text that is no pattern, or one that is too long; there were {derived}")
        }
        Stopped::Number(place) => format!(
            "{}: a number that does not fit into 32 bits, or a division by zero; there were {derived}",
            sources.place(place)
        ),
    };
    Error::new(ErrorKind::BadInput, message)
}
