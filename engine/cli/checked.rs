//! Runs the checks of a repository one after the other and reads what they say.

use super::process::Interrupts;
use super::program::Program;
use super::run::{End, MAX_BYTES, Output, Ran, Run, SETTINGS, run};
use super::terminal::Terminal;
use super::waiting::Waiting;
use engine::Engine;
use error::{Error, ErrorKind, Problem, Result};
use index::checks::{Check, What};
use redact::Masker;
use repo::RepoPath;
use signals::{self, Report, Severity};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The stage of these problems.
const STAGE: &str = "checks";
/// How many last lines are quoted of a command that fails without a word that is known.
const N_LAST_LINES: usize = 3;
/// Bytes in a MiB.
const MIB: u64 = 1 << 20;

/// What became of the checks.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// What is not known of them, and why.
    pub(super) problems: Vec<Problem>,
    /// How many ran.
    pub(super) n_run: usize,
    /// How many did not run, or not to their end, or failed without a word that is known.
    pub(super) n_unclear: usize,
    /// Whether there are such that build or lint, and all of these said what they have to say.
    pub(super) has_built: bool,
}

impl Checked {
    /// Notes that it is not known what a check would say.
    fn unclear(&mut self, check: &Check, message: String) {
        self.n_unclear += 1;
        self.has_built &= check.what == What::Test;
        self.problems.push(Problem::new(STAGE, message));
    }

    /// Notes that checks are not run since what they need is not installed.
    fn uninstalled(&mut self, command: &str, checks: &[Check]) {
        self.n_unclear += checks.len();
        self.has_built &= checks.iter().all(|check| check.what == What::Test);
        let message =
            format!("packages are not installed: run `{command}`; commands that were not run without them: {}", checks.len());
        self.problems.push(Problem::new(STAGE, message));
    }
}

/// Runs checks within a limit of time for all of them, and adds what they say to a report. `has_progress` says whether it is told.
pub(super) fn run_all(
    checks: &[Check],
    engine: &Engine,
    limit: Duration,
    terminal: &Terminal,
    has_progress: bool,
    report: &mut Report,
) -> Result<Checked> {
    let unwatched = |error| Error::new(ErrorKind::Storage, "signals cannot be watched").because(error);
    let interrupts = Interrupts::watch().map_err(unwatched)?;
    let path = std::env::var_os("PATH");
    let deadline = Instant::now() + limit;
    let has_built = checks.iter().any(|check| check.what != What::Test);
    let mut checked = Checked { has_built, ..Checked::default() };
    let (mut waiting, uninstalled) = Waiting::new(checks, |check| folder_of(check, engine));
    for (command, of_command) in &uninstalled {
        checked.uninstalled(command, of_command);
    }
    let n_all = waiting.len();
    while let Some(check) = waiting.next() {
        // A signal may come between two commands.
        if interrupts.is_caught() {
            break;
        }
        let (check, number) = (&check, n_all - waiting.len());
        let name = format!("`{}`", check.line());
        let program = Program::find(check.program(), path.as_deref(), engine.repo());
        let Program::Found(program) = &program else {
            let fault = program.fault(check.program()).unwrap_or_default();
            checked.unclear(check, format!("{name} was not run: {fault}"));
            continue;
        };
        let started = Instant::now();
        if started >= deadline {
            checked
                .unclear(check, format!("{name} was not run: the limit of {} s for all commands was reached", limit.as_secs()));
            continue;
        }
        if has_progress {
            terminal.note(&format!("{number} of {n_all}: {name}"));
        }
        let folder = folder_of(check, engine);
        let streams = check.streams;
        let arguments = check.command.get(1..).unwrap_or_default();
        let (settings, cleared) = (&SETTINGS, &[]);
        let run_of = Run { program, arguments, folder: &folder, streams, settings, cleared, deadline, max_bytes: MAX_BYTES };
        let ran = run(&run_of, &interrupts);
        match ran {
            Err(error) => checked.unclear(check, format!("{name} cannot be run: {error}")),
            Ok(Ran { end: End::Interrupted, .. }) => break,
            Ok(mut ran) => {
                checked.n_run += 1;
                let said = checked.read(&terminal.masker(), &name, check, &mut ran, limit);
                if has_progress {
                    let seconds = started.elapsed().as_secs_f64();
                    terminal.note(&format!("{} after {seconds:.1} s: {name}", ended(ran.end)));
                }
                report.add(said);
                let left_out = waiting.narrow_by(check, &mut ran);
                checked.problems.extend(left_out.into_iter().map(|message| Problem::new(STAGE, message)));
            }
        }
    }
    interrupts.obey();
    Ok(checked)
}

/// The folder that a check is run in.
fn folder_of(check: &Check, engine: &Engine) -> PathBuf {
    let root = engine.repo().path();
    // The root itself is not a path of the repository.
    let folder = RepoPath::new(&check.folder).ok().and_then(|folder| system::path_of(&folder.to_bytes()));
    folder.map_or_else(|| root.to_owned(), |folder| root.join(folder))
}

/// How a command ended, as the beginning of a sentence.
fn ended(end: End) -> String {
    match end {
        End::Exit(0) => "passed".to_owned(),
        End::Exit(code) => format!("failed with exit code {code}"),
        End::Signal(signal) => format!("ended by signal {signal}"),
        End::TimedOut | End::TooLong | End::Interrupted => "stopped".to_owned(),
    }
}

impl Checked {
    /// Reads what a check wrote, and notes what is not clear about it.
    fn read(&mut self, masker: &Masker, name: &str, check: &Check, ran: &mut Ran, limit: Duration) -> Report {
        let mut said = Report::default();
        let mut faults = Vec::new();
        for (number, output) in ran.outputs.iter_mut().enumerate() {
            // Beside a document, the other output says the same for people, or why there is none.
            if number == 0 || ran.end != End::Exit(0) && !fails(&said) {
                let mut other = Report::default();
                faults.extend(read(output, name, &mut other).err());
                // It counts the same tests.
                other.n_passed = other.n_passed.saturating_sub(said.n_passed);
                said.add(other);
            }
        }
        // How it ended says whether it is well that nothing was found.
        said.silent.clear();
        said.ran_in(&check.folder);
        match ran.end {
            End::Exit(0) => {}
            End::TimedOut => {
                let seconds = limit.as_secs();
                self.unclear(
                    check,
                    format!("{name} was stopped at the limit of {seconds} s for all commands; what it wrote until then was read"),
                );
            }
            End::TooLong => {
                self.unclear(
                    check,
                    format!("{name} was stopped since it wrote more than {} MiB; so much was read", MAX_BYTES / MIB),
                );
            }
            end if !fails(&said) => {
                let last = last_lines(masker, &mut ran.outputs);
                let words = if last.is_empty() { "without a word".to_owned() } else { format!("and says: {last}") };
                let needs = check.needs;
                self.unclear(check, format!("{name}, which needs {needs}, {} {words}", ended(end)));
            }
            _ if check.what == What::Test && said.n_passed == 0 && said.tests.is_empty() => {
                let message = format!("{name} gave no test result: something does not compile");
                self.problems.push(Problem::new(STAGE, message));
            }
            _ => {}
        }
        if ran.is_held_open && matches!(ran.end, End::Exit(_) | End::Signal(_)) {
            let message =
                format!("{name} left something behind that holds its output open; what it wrote until it ended was read");
            self.problems.push(Problem::new(STAGE, message));
        }
        self.problems.extend(faults.into_iter().map(|fault| Problem::new(STAGE, fault)));
        said
    }
}

/// Reads an output into a report.
fn read(output: &mut Output, name: &str, report: &mut Report) -> std::result::Result<(), String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("what {name} wrote cannot be read: {error}");
    let text = output.text().map_err(|error: io::Error| unreadable(&error))?;
    signals::read(text, name, None, report).map_err(|error| unreadable(&error))
}

/// Whether a report says what fails.
fn fails(report: &Report) -> bool {
    report.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) || report.failed().next().is_some()
}

/// The last lines of the last output that holds any, masked: secrets are looked for in more than what is shown.
fn last_lines(masker: &Masker, outputs: &mut [Output]) -> String {
    let mut tails = outputs.iter_mut().rev().filter_map(|output| output.tail().ok());
    let tail = tails.find(|tail| !tail.trim().is_empty()).unwrap_or_default();
    let safe = masker.message(&tail);
    let lines: Vec<&str> = safe.as_str().lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.get(lines.len().saturating_sub(N_LAST_LINES)..).unwrap_or_default().join(" / ")
}
