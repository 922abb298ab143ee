//! What a command writes: its result to stdout and everything else, escaped, to stderr.

use super::exit::code_and_advice;
use super::is_silent;
use super::name;
use super::style::Style;
use error::{Error, ErrorKind, Problem, Result};
use redact::Masker;
use std::cell::RefCell;
use std::error::Error as _;
use std::io::{self, BufWriter, ErrorKind as IoKind, Write};

/// The most warnings that are shown one by one; the rest is counted.
const MAX_WARNINGS: usize = 5;

/// Writes a result to stdout. A reader that has seen enough is not an error.
pub(super) fn write_result(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != IoKind::BrokenPipe => {
            Err(Error::new(ErrorKind::Storage, "the result cannot be written to stdout").because(error))
        }
        _ => {
            // What is still buffered for a reader that has gone must not be tried again.
            let _ = stdout.into_parts();
            Ok(())
        }
    }
}

/// Writes an answer to stdout, in the style of a terminal where it is one.
pub(super) fn write_answer(text: &str) -> Result<()> {
    write_result(|stdout| stdout.write_all(Style::of_stdout().answer(text).as_bytes()))
}

/// Writes one line of ours to stderr as it is, with nothing of strangers in it: a token that is to be used must not be masked.
pub(super) fn say(text: &str) {
    if is_silent() {
        return;
    }
    // There is nobody to tell if that fails.
    let _ = writeln!(io::stderr().lock(), "activate: {text}");
}

/// What a command says to people, with the secrets masked that it has learnt of so far: what goes wrong later may name them.
pub(super) struct Terminal {
    masker: RefCell<Masker>,
    /// The words of the command that runs, behind the program's name.
    command: RefCell<String>,
}

impl Terminal {
    /// That of a command which has not read anything yet.
    pub(super) fn new() -> Self {
        Self { masker: RefCell::new(Masker::knowing_nothing()), command: RefCell::default() }
    }

    /// Masks with this in all that is said from here on.
    pub(super) fn learn(&self, masker: &Masker) {
        self.masker.replace(masker.clone());
    }

    /// Takes note of the command that runs: errors of usage point at its help.
    pub(super) fn runs(&self, command: &str) {
        self.command.replace(command.to_owned());
    }

    /// What it masks with.
    pub(super) fn masker(&self) -> Masker {
        self.masker.borrow().clone()
    }

    /// Writes one line to stderr.
    pub(super) fn note(&self, text: &str) {
        say(&self.line(text));
    }

    /// Writes what is wrong with a command line, which holds what was typed.
    pub(super) fn refuse(&self, text: &str) {
        if is_silent() {
            return;
        }
        let _ = write!(io::stderr().lock(), "{}", self.masker().message(text));
    }

    /// Writes an error with its causes, and what to do about it.
    pub(super) fn report(&self, error: &Error) {
        let mut text = format!("error: {error}");
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        self.note(&text);
        match (error.kind, error.advice.unwrap_or(code_and_advice(error.kind).1)) {
            (ErrorKind::Usage, _) => {
                let words = [name::called(), &*self.command.borrow(), "--help"].map(str::trim).join(" ").replace("  ", " ");
                self.note(&format!("`{words}` says what is accepted"));
            }
            (_, "") => {}
            (_, advice) => self.note(advice),
        }
    }

    /// Writes the first problems as warnings and how many more there are.
    pub(super) fn warn(&self, problems: &[Problem]) {
        self.warn_first(problems, "; `--format json` lists all under `problems`");
    }

    /// The same, with what to say where there are more.
    pub(super) fn warn_first(&self, problems: &[Problem], more: &str) {
        for problem in problems.iter().take(MAX_WARNINGS) {
            self.note(&format!("warning: {problem}"));
        }
        if problems.len() > MAX_WARNINGS {
            self.note(&format!("warning: and {} more{more}", problems.len() - MAX_WARNINGS));
        }
    }

    /// A line of ours with names of strangers in it, fit for a terminal; it keeps its indentation.
    pub(super) fn line(&self, text: &str) -> String {
        line_of(&self.masker(), text)
    }
}

/// A line of ours with names of strangers in it, masked and escaped; it keeps its indentation.
pub(super) fn line_of(masker: &Masker, text: &str) -> String {
    let indentation = text.len() - text.trim_start_matches(' ').len();
    format!("{}{}", &text[..indentation], masker.line(&text[indentation..]))
}
