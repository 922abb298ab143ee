//! `activate check`: the commands that build, lint and test a repository; with `--run` they are run, and what they say goes into a packet.

use super::Command;
use super::activate::{ActivateOptions, Format, write_answer};
use super::checked::{Checked, run_all};
use super::exit::{Outcome, usage};
use super::learn::{self, activate_with};
use super::program::Program;
use super::progress::Stage;
use super::terminal::{Terminal, write_result};
use clap::{Arg, Args, ValueEnum};
use engine::Engine;
use engine::Request;
use error::Result;
use index::checks::{Check, Checks, What};
use packets::answer;
use packets::checks::{ChecksPacket, RanPacket};
use redact::Masker;
use std::fmt::Write as _;
use std::time::Duration;

pub(super) const COMMAND: Command = Command {
    name: "check",
    about: "Print the commands that build, lint and test the repository; with --run, run them and show what fails with its code",
    details: DETAILS,
    options: |command| CheckOptions::augment_args(command).mut_args(needing_run),
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

const DETAILS: &str = "\
Without --run nothing is run: each command is printed as a line for a shell at the root of the repository, as far as manifests prove it.

--run EXECUTES CODE OF THE REPOSITORY: build scripts, tests, configurations of linters and scripts of packages, with your rights, as building
it by hand would. It writes what builds write, such as target/ and dist/. Use it on repositories that you would build anyway.
Commands run one after the other in their folders, without a shell, with nothing to read, with NO_COLOR=1, CARGO_TERM_COLOR=never and CI=1.
Programs come from PATH, never from the repository. At the time limit, at 256 MiB of output and at Ctrl-C a command is stopped with all that
it started, but for what leaves its process group (setsid). What it wrote until then is read, as by --diagnostics and --tests. Where nothing
fails, no tool warns and no intent is given, no packet is printed; `--format json` then gives the commands with what came of them. The exit code says whether
there is an answer, not whether the checks pass: 0 where something or nothing fails, 3 where it is not known what fails.

Examples:
    activate check
    activate check --run --only build --only test
    activate check --run --intent \"make the tests of the session pass\" --budget 20000
";

/// The most seconds that can be asked for: a day.
const MAX_SECONDS: i64 = 24 * 60 * 60;

#[derive(Debug, Args)]
struct CheckOptions {
    /// Only what builds, lints or tests; can be given more than once
    #[arg(long, value_name = "KIND", value_enum, help_heading = "Checks")]
    only: Vec<Kind>,
    /// Run the commands, which EXECUTES CODE OF THE REPOSITORY, and show what fails
    #[arg(long, conflicts_with = "at", help_heading = "Checks")]
    run: bool,
    /// The most seconds that all commands may take together
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=MAX_SECONDS), help_heading = "Checks")]
    timeout: u32,
    #[command(flatten)]
    answer: ActivateOptions,
}

/// What a command is for.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Build,
    Lint,
    Test,
}

impl Kind {
    const fn what(self) -> What {
        match self {
            Self::Build => What::Build,
            Self::Lint => What::Lint,
            Self::Test => What::Test,
        }
    }
}

/// Flags that also mean something where nothing is run.
const WITHOUT_RUN: [&str; 3] = ["only", "run", "format"];

/// Fits a flag of the main job: it needs `--run`, and no intent is needed.
fn needing_run(arg: Arg) -> Arg {
    let arg = match arg.get_id().as_str() {
        "intent" => {
            Arg::new("intent").long("intent").value_name("TEXT|-").allow_hyphen_values(true).help_heading("Task").help(
                "What is to be done, in any words; `-` reads it from stdin [default, where something fails: that it be fixed]",
            )
        }
        // Taken by every command, and no part of a task that is not given.
        "state" | "no_state" => arg.help_heading("Repository"),
        _ => arg,
    };
    let is_of_answer = matches!(arg.get_help_heading(), Some("Task" | "Packet" | "Answer" | "Checks"));
    let needs_run = is_of_answer && !WITHOUT_RUN.contains(&arg.get_id().as_str());
    let heading = match arg.get_help_heading() {
        Some("Task") => "Task, with --run",
        Some("Packet") => "Packet, with --run",
        Some("Answer") => "Answer, with --run",
        _ => "Checks, with --run",
    };
    if needs_run { arg.requires("run").help_heading(heading) } else { arg }
}

fn run(options: &CheckOptions, terminal: &Terminal) -> Result<Outcome> {
    let repository = &options.answer.repository;
    if !options.run && options.answer.format() == Format::Facts {
        let message = "`--format facts` shows what was derived for a task; without `--run` there is none: use text or json";
        return Err(usage(message));
    }
    let engine = repository.open()?;
    let mut checks = engine.checks()?;
    checks.list.retain(|check| options.only.is_empty() || options.only.iter().any(|kind| kind.what() == check.what));
    if checks.list.is_empty() && options.answer.format() != Format::Json {
        repository.warn(terminal, &checks.problems);
        terminal.note("no manifest of the repository proves a command to build, lint or test it");
        return Ok(Outcome::NothingFound);
    }
    if options.run && !checks.list.is_empty() {
        return run_and_answer(options, &engine, checks, terminal);
    }
    print(&options.answer, &engine, &checks, terminal)
}

/// Prints the commands.
fn print(options: &ActivateOptions, engine: &Engine, checks: &Checks, terminal: &Terminal) -> Result<Outcome> {
    let (masker, fault) = (terminal.masker(), fault_on_path(engine));
    let text = if options.format() == Format::Json {
        ChecksPacket::new(&masker, checks, fault, None).json()
    } else {
        lines(&masker, &checks.list, fault)
    };
    write_result(|stdout| stdout.write_all(text.as_bytes()))?;
    options.repository.warn(terminal, &checks.problems);
    if checks.list.is_empty() {
        return Ok(Outcome::NothingFound);
    }
    if !options.repository.quiet {
        terminal.note("nothing was run; `activate check --run` runs these commands, and with them code of the repository");
    }
    Ok(Outcome::Answered)
}

/// What says why the program of a check cannot be used.
fn fault_on_path(engine: &Engine) -> impl Fn(&Check) -> Option<String> {
    let path = std::env::var_os("PATH");
    move |check| Program::find(check.program(), path.as_deref(), engine.repo()).fault(check.program())
}

/// The commands as lines for a shell, by what they are for.
fn lines(masker: &Masker, checks: &[Check], fault: impl Fn(&Check) -> Option<String>) -> String {
    let mut text = String::new();
    for (what, title) in [(What::Build, "Build:"), (What::Lint, "Lint:"), (What::Test, "Test:")] {
        let of_kind: Vec<&Check> = checks.iter().filter(|check| check.what == what).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(text, "{title}");
        }
        for check in of_kind {
            let fault = fault(check).map(|fault| format!("  # {}", masker.line(&fault))).unwrap_or_default();
            let _ = writeln!(text, "  {}{fault}", masker.name(&check.line()));
        }
    }
    text
}

/// Runs the commands, and does the main job with what they say.
fn run_and_answer(options: &CheckOptions, engine: &Engine, checks: Checks, terminal: &Terminal) -> Result<Outcome> {
    let ActivateOptions { task, repository, .. } = &options.answer;
    let watch = repository.watch();
    let mut checked = Checked::default();
    watch.enter(Stage::Checks);
    let limit = Duration::from_secs(u64::from(options.timeout));
    // What commands print is masked with the secrets of the repository. Where it cannot be read, the answer below says so.
    let _ = learn::snapshot(engine, &watch, terminal);
    let mut request = task.request_after(repository, terminal, |before, report| {
        // What is wrong with pins, rules and budget is said before checks take their time.
        if !before.pins.is_empty() || !before.rules.is_empty() || options.answer.has_budget() {
            answer::answer(&activate_with(engine, before, &|_| {}, terminal)?, &options.answer.kind.wanted())?;
        }
        checked = run_all(&checks.list, engine, limit, terminal, !repository.quiet, report)?;
        task.ran.set(checked.has_built);
        Ok(())
    })?;
    watch.enter(Stage::List);
    request.problems.extend(checks.problems.iter().cloned());
    request.problems.append(&mut checked.problems);
    if !repository.quiet {
        terminal.note(&summary(&checked, &request));
    }
    if !request.intent.is_empty() {
        return write_answer(&options.answer, engine, &request, &watch, terminal);
    }
    let problems: Vec<_> = request.problems.into_iter().chain(request.report.problems()).collect();
    if options.answer.format() == Format::Json {
        let Checked { n_run, n_unclear, .. } = checked;
        let ran = RanPacket { n_run, n_unclear, n_passed: request.report.n_passed };
        let checks = Checks { problems: problems.clone(), ..checks };
        let text = ChecksPacket::new(&terminal.masker(), &checks, fault_on_path(engine), Some(ran)).json();
        write_result(|stdout| stdout.write_all(text.as_bytes()))?;
    }
    repository.warn(terminal, &problems);
    Ok(if checked.n_unclear == 0 { Outcome::Answered } else { Outcome::NothingFound })
}

/// What came of it, in a line.
fn summary(checked: &Checked, request: &Request) -> String {
    let Checked { n_run, n_unclear, .. } = checked;
    let report = &request.report;
    let (n_failed, n_passed, n_diagnostics) = (report.failed().count(), report.n_passed, report.diagnostics.len());
    let counts = format!("commands run: {n_run}, tests passed: {n_passed}");
    let unclear = if *n_unclear > 0 { format!(", commands of which too little is known: {n_unclear}") } else { String::new() };
    match n_failed + n_diagnostics {
        0 if *n_unclear == 0 => format!("nothing fails; {counts}"),
        0 => format!("{counts}{unclear}"),
        _ => format!("{counts}, failed: {n_failed}, diagnostics: {n_diagnostics}{unclear}"),
    }
}
