//! Questions line by line: rules that are entered stay, and questions are answered at once.
//!
//! Must not know a terminal, but for `editor`: lines come in, and text goes out.

mod complete;
mod editor;
mod history;
#[cfg(test)]
mod tests;

pub(super) use editor::on_terminal;
pub(super) use history::History;

use super::Format;
use super::messages::{Bounds, cut, notes, stopped, told, unproven};
use super::program::Sources;
use super::{About, MAX_PROVEN, written};
use index::snapshot::Snapshot;
use query::{Checked, Facts as _, Limits, Place, Program, Syntax, Words, answer, check, is_whole, read_into};
use relations::Given;
use std::cell::OnceCell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Commands with what they do, as `.help` lists them.
const COMMANDS: [(&str, &str); 7] = [
    (".relations", "list the relations with their columns"),
    (".rules", "list the rules so far, with the lines on which they were entered"),
    (".why", "show how rows came about, or no longer: `.why on`, `.why off`"),
    (".clear", "forget the rules, and what was begun"),
    (".help", "this list"),
    (".quit", "end, as Ctrl-D does"),
    (".exit", "the same"),
];

const HELP: &str = "\
A statement ends with a full stop, or with an empty line. Rules stay: `reach(X, Y) :- calls(X, Y).` All else is a question: `calls(X, \"a/b.go#f\").`
Tab completes relations, names, files and symbols. Ctrl-C leaves out what was begun, or stops what is running.";

/// How questions are answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asks {
    pub(super) format: Format,
    pub(super) syntax: Syntax,
    pub(super) why: bool,
    pub(super) bounds: Bounds,
}

/// What a line did.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is the beginning of something.
    Waits,
    /// It ended a statement or was a command: this text, to be remembered.
    Done(String),
    /// Nothing more is asked.
    Ends,
}

/// What was entered so far.
pub(super) struct Prompt<'s> {
    snapshot: &'s Snapshot,
    asks: Asks,
    about: About,
    /// Files of rules that were there before the first line, by their numbers; lines are the text behind them.
    sources: Sources,
    /// Set by whoever wants no answer any more.
    is_stopped: Arc<AtomicBool>,
    /// The rules.
    program: Program,
    /// Their texts, with the line on which each begins.
    kept: Vec<(u32, String)>,
    /// What was begun, and on which line.
    begun: String,
    begins: u32,
    /// The next line.
    line: u32,
    /// Names that relations have.
    names: OnceCell<Vec<String>>,
}

impl<'s> Prompt<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, asks: Asks, is_stopped: Arc<AtomicBool>) -> Self {
        Self {
            snapshot,
            asks,
            about: About::default(),
            sources: Sources::default(),
            is_stopped,
            program: Program::default(),
            kept: Vec::new(),
            begun: String::new(),
            begins: 1,
            line: 1,
            names: OnceCell::new(),
        }
    }

    /// With what is asked about beside the repository, and with rules of files.
    pub(super) fn with(self, about: About, program: Program, sources: Sources) -> Self {
        Self { about, sources, program, ..self }
    }

    /// What stands in front of the next line.
    pub(super) fn prompt(&self) -> String {
        format!("{}{} ", self.line, if self.begun.is_empty() { '>' } else { '|' })
    }

    /// Whether a text gives nothing away that would be masked.
    pub(super) fn is_plain(&self, text: &str) -> bool {
        text.lines().all(|line| self.snapshot.masker().line(line).as_str() == line)
    }

    /// Leaves out what was begun.
    pub(super) fn forget(&mut self) {
        self.begun.clear();
    }

    /// Takes a line, and writes what comes of it.
    pub(super) fn take(&mut self, line: &str, to: &mut dyn Write) -> io::Result<Taken> {
        let number = self.line;
        self.line = self.line.saturating_add(1);
        let is_blank = line.trim().is_empty();
        if self.begun.is_empty() {
            if is_blank {
                return Ok(Taken::Done(String::new()));
            }
            let command = line.trim();
            if command.strip_prefix('.').is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_lowercase())) {
                return self.command(command, to);
            }
            self.begins = number;
        }
        if !is_blank {
            self.begun.push_str(line);
            self.begun.push('\n');
            if !is_whole(&self.begun, self.asks.syntax) {
                return Ok(Taken::Waits);
            }
        }
        let text = std::mem::take(&mut self.begun);
        self.is_stopped.store(false, Ordering::Relaxed);
        self.statement(&text, to)?;
        Ok(Taken::Done(text.trim_end().to_owned()))
    }

    fn command(&mut self, line: &str, to: &mut dyn Write) -> io::Result<Taken> {
        let masker = self.snapshot.masker();
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            [".relations"] => written::list(to)?,
            [".rules"] => {
                for (line, text) in &self.kept {
                    for (text, line) in text.lines().zip(*line..) {
                        let indentation = text.len() - text.trim_start_matches(' ').len();
                        writeln!(to, "{line}  {}{}", &text[..indentation], masker.line(&text[indentation..]))?;
                    }
                }
                self.sources.files().try_for_each(|name| writeln!(to, "and those of {}", masker.line(name)))?;
                if self.program.heads().next().is_none() {
                    writeln!(to, "there is no rule yet")?;
                }
            }
            [".why", rest @ ..] => {
                self.asks.why = match rest {
                    ["on"] => true,
                    ["off"] => false,
                    _ => !self.asks.why,
                };
                let has_proofs = matches!(self.asks.format, Format::Table | Format::Jsonl);
                let says = match (self.asks.why, has_proofs) {
                    (true, true) => "rows are shown with how they came about",
                    (true, false) => "proofs are shown in a table and in JSON lines alone",
                    (false, _) => "rows are shown alone",
                };
                writeln!(to, "{says}")?;
            }
            [".clear"] => {
                self.program = Program::default();
                self.sources = Sources::default();
                self.kept.clear();
            }
            [".help"] => {
                writeln!(to, "{HELP}")?;
                COMMANDS.iter().try_for_each(|(name, does)| writeln!(to, "  {name:<12}{does}"))?;
            }
            [".quit" | ".exit"] => return Ok(Taken::Ends),
            _ => writeln!(to, "{}", cut(masker, &format!("there is no command `{line}`; `.help` lists those that there are")))?,
        }
        Ok(Taken::Done(line.to_owned()))
    }

    /// Reads a statement or more, keeps rules and answers questions. With a mistake in it nothing is kept.
    fn statement(&mut self, text: &str, to: &mut dyn Write) -> io::Result<()> {
        let masker = self.snapshot.masker();
        let words = Words::default();
        let given = self.about.given(self.snapshot, &words);
        let mut program = self.program.clone();
        let n_before = program.rules.len();
        let start = Place { line: self.begins, ..Place::first(self.sources.next()) };
        let read = read_into(&mut program, text, start, self.asks.syntax);
        let is_given =
            |name: &str| self.asks.syntax != Syntax::Mangle && given.relations().iter().any(|relation| relation.name == name);
        program.ask_what_is_no_fact(n_before, &is_given);
        let checked = match read.and_then(|()| check(&program, &given, &words)) {
            Ok(checked) => checked,
            Err(mistake) => return writeln!(to, "{}", told(&mistake, &self.sources, masker)),
        };
        notes(&checked, &self.sources, masker, start).iter().try_for_each(|note| writeln!(to, "{note}"))?;
        let n_new = program.rules.len() - n_before;
        program.questions.clear();
        if n_new > 0 || program.declared.len() > self.program.declared.len() {
            self.kept.push((self.begins, text.trim_end().to_owned()));
        }
        self.program = program;
        match n_new {
            0 => {}
            1 => writeln!(to, "1 rule is kept")?,
            _ => writeln!(to, "{n_new} rules are kept")?,
        }
        (0..checked.n_questions()).try_for_each(|question| self.answer(&checked, question, &given, &words, to))
    }

    fn answer(&self, checked: &Checked, question: usize, given: &Given<'_>, words: &Words, to: &mut dyn Write) -> io::Result<()> {
        let Asks { format, why, bounds, .. } = self.asks;
        let until = Instant::now() + bounds.time();
        let is_over = || self.is_stopped.load(Ordering::Relaxed) || Instant::now() > until;
        let limits = Limits { bytes: bounds.bytes(), is_over: &is_over };
        match answer(checked, question, given, words, limits, if why { MAX_PROVEN } else { 0 }) {
            Ok(answer) => {
                written::write(to, &answer, format, question, given, words, &self.sources)?;
                answer.unproven.map_or(Ok(()), |why| writeln!(to, "{}", unproven(why, answer.proofs.len(), bounds)))
            }
            Err(_) if self.is_stopped.load(Ordering::Relaxed) => writeln!(to, "stopped"),
            Err(unanswered) => writeln!(to, "{}", cut(self.snapshot.masker(), &stopped(&unanswered, bounds, &self.sources))),
        }
    }
}
