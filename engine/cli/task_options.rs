//! The flags that say what is to be done, and what is known of it.

use super::exit::usage;
use super::input::{self, Known, STDIN, Source};
use super::options::RepositoryOptions;
use super::pin::from_root;
use super::rules;
use super::state::nowhere;
use super::terminal::Terminal;
use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser as _};
use context::state::SessionState;
use engine::blackboard::{self, ToolsRun};
use engine::{Activation, Request};
use error::{Error, ErrorKind, Problem, Result};
use packets::answer::{self, Answer};
use packets::store::{self, Packets};
use repo::Repo;
use session::{self, Sent, Session};
use signals::{self, Report};
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;

/// The most links from a seed that can be asked for; the energy of default weights ends after four.
const MAX_DEPTH: i64 = 10;

/// The intent of whoever gives failures and no words.
const FIX_WHAT_FAILS: &str = "Fix what fails";

/// The intent of whoever gives a change and no words.
const REVIEW: &str = "Review the change";

/// The fewest digits of a packet's id: what is shorter is the number of a turn.
const MIN_ID_DIGITS: usize = 8;

/// What is to be done.
#[derive(Debug, Args)]
#[command(next_help_heading = "Task")]
#[expect(clippy::struct_excessive_bools, reason = "a flag without a value is either given or not")]
pub(super) struct TaskOptions {
    /// What is to be done, in any words; `-` reads it from stdin [default, where something fails: that it be fixed; with
    /// `--diff`: a review]
    #[arg(long, value_name = "TEXT|-", allow_hyphen_values = true, required_unless_present_any = ["diagnostics", "tests", "session", "diff"])]
    intent: Option<String>,
    /// Review a change: `BASE..HEAD`, `BASE...HEAD` (since both parted), one commit (the work tree against it), nothing (the work tree against the
    /// last commit), or `-` for a patch on stdin
    #[arg(long, value_name = "RANGE|-", num_args = 0..=1, default_missing_value = "")]
    diff: Option<String>,
    /// The edits made so far, which tell what is still to change: `BASE..HEAD`, one commit (the work tree against it), or `-` for a patch on stdin
    /// [default: the work tree against the last commit]
    #[arg(long, value_name = "RANGE|-", conflicts_with = "diff")]
    edits: Option<String>,
    /// What compilers and linters say; `-` reads it from stdin; can be given more than once. The form is recognised by its content
    #[arg(long, value_name = "FILE|-")]
    diagnostics: Vec<Source>,
    /// The form of all `--diagnostics`, where it is not recognised
    #[arg(long, value_name = "FORMAT", requires = "diagnostics", value_parser = format_name())]
    diagnostics_format: Option<String>,
    /// What test runners say; `-` reads it from stdin; can be given more than once. The form is recognised by its content
    #[arg(long, value_name = "FILE|-")]
    tests: Vec<Source>,
    /// The form of all `--tests`, where it is not recognised
    #[arg(long, value_name = "FORMAT", requires = "tests", value_parser = format_name())]
    tests_format: Option<String>,
    /// The most links between what the intent names and what it reaches [default: that of the weights, 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=MAX_DEPTH))]
    depth: Option<u8>,
    /// What is known of the session: a file of `activate session`, or its state as JSON (engine/packets/schema/session-state.schema.json);
    /// `-` reads it from stdin
    #[arg(long, value_name = "FILE|-")]
    session: Option<Source>,
    /// Note in the session file what `--diagnostics` and `--tests` say, and which packet was sent
    #[arg(long, requires = "session")]
    record: bool,
    /// Show only what is new or changed since a packet was sent, and say what of it holds: digits of its `pack_id`, or the number of a turn of
    /// the session file
    #[arg(long, value_name = "PACK|TURN")]
    since: Option<String>,
    /// Folder in which the last 200 packets are recorded, by keys and hashes [default: activate in the user's state folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_state")]
    state: Option<PathBuf>,
    /// Record no packet
    #[arg(long)]
    no_state: bool,
    /// Numbers of the policy that differ from the default, as JSON, in thousandths
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(Source::File))]
    weights: Option<Source>,
    /// Rules that take part in the answer: Datalog with heads such as `evidence`, `hide` and `item` (docs/src/rules.md); can be given more than once.
    /// Those of activate/rules/*.dl in your configuration folder take part by themselves
    #[arg(long, value_name = "FILE|-")]
    rules: Vec<Source>,
    /// Leave out the rules of the configuration folder
    #[arg(long)]
    no_user_rules: bool,
    /// Answer at once where nothing is known of a repository of more than 600 files: read those that the words of the task lead to, and say so
    #[arg(long, conflicts_with_all = ["diff", "edits", "since", "pin", "rules"])]
    first: bool,
    /// Show these lines first and in full: a path of the repository, or one from the current folder that begins with ./ or ../
    #[arg(long, value_name = "PATH[:A-B]")]
    pin: Vec<String>,
    /// Whether compilers and linters were run for this task, all to their end.
    #[arg(skip)]
    pub(super) ran: Cell<bool>,
    /// The turn of the session that was read.
    #[arg(skip)]
    turn: Cell<u32>,
}

impl TaskOptions {
    /// Takes words for the intent that no flag gave.
    pub(super) fn say(&mut self, intent: String) {
        self.intent = Some(intent);
    }

    /// Whether nothing says what is to be done, nor how it is to be answered.
    pub(super) fn is_empty(&self) -> bool {
        let is_said = self.intent.is_some()
            || self.diff.is_some()
            || self.edits.is_some()
            || self.session.is_some()
            || self.weights.is_some();
        let has_rules = !self.rules.is_empty() || self.no_user_rules;
        !is_said
            && !has_rules
            && self.diagnostics.is_empty()
            && self.tests.is_empty()
            && self.pin.is_empty()
            && self.depth.is_none()
    }

    /// Where packets are recorded, if anywhere.
    fn packets(&self, repository: &RepositoryOptions) -> Result<Option<Packets>> {
        Ok(self.state_folder(repository)?.map(|folder| Packets::at(&folder)))
    }

    /// The state folder, if one is used.
    pub(super) fn state_folder(&self, repository: &RepositoryOptions) -> Result<Option<PathBuf>> {
        let folder = if self.no_state { None } else { self.state.clone().or_else(store::default_folder) };
        if let (Some(folder), Ok(root)) = (&folder, repository.root.folder())
            && Repo::open(&root).is_ok_and(|repo| repo.holds(folder))
        {
            let message = format!(
                "the state folder `{}` lies inside the repository; name another with `--state DIR`, or use `--no-state`",
                folder.display()
            );
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        Ok(folder)
    }

    /// What was asked of tools: what they do not say any more is mended.
    fn tools_run(&self, report: &Report) -> ToolsRun {
        ToolsRun {
            diagnostics: self.ran.get() || !self.diagnostics.is_empty() || !report.diagnostics.is_empty(),
            tests: report.n_passed > 0 || report.failed().next().is_some(),
        }
    }

    /// What was sent with an id, or last in a turn.
    fn sent(&self, repository: &RepositoryOptions, session: Option<&Session>, since: &str) -> Result<Sent> {
        let refused = |why: String| Error::new(ErrorKind::BadInput, format!("`--since {since}` cannot be used: {why}"));
        match (since.parse::<u32>().ok().filter(|_| since.len() < MIN_ID_DIGITS), session) {
            (Some(_), None) => Err(refused("the number of a turn needs the session's file with `--session FILE`".to_owned())),
            (Some(number), Some(session)) => {
                let turn = session.turns.iter().find(|turn| turn.number == number);
                let sent = turn.and_then(|turn| turn.sent.last());
                let none = || {
                    refused(format!(
                        "no packet of turn {number} is known; `--record` records one, and those of older turns are forgotten"
                    ))
                };
                sent.cloned().ok_or_else(none)
            }
            (None, _) => {
                let own = session.into_iter().flat_map(|session| &session.turns).flat_map(|turn| &turn.sent);
                let id = since.to_ascii_lowercase();
                match own.into_iter().rev().find(|sent| id.len() >= MIN_ID_DIGITS && sent.pack_id.starts_with(&id)) {
                    Some(sent) => Ok(sent.clone()),
                    None if self.no_state => Err(refused("`--no-state` leaves no folder to find it in".to_owned())),
                    None => self.packets(repository)?.ok_or_else(nowhere)?.find(since),
                }
            }
        }
    }

    /// Whether a packet is to be recorded in the session.
    pub(super) fn records(&self) -> bool {
        self.record
    }

    /// Records a packet that was sent, and in the session file what tools said; what cannot be recorded costs no answer.
    pub(super) fn keep(
        &self,
        repository: &RepositoryOptions,
        activation: &Activation<'_>,
        request: &Request,
        answer: &Answer,
    ) -> Vec<Problem> {
        let state = self.state_folder(repository).ok().flatten();
        let mut problems: Vec<Problem> =
            state.map(|state| answer::keep(&state, answer.wanted.kind.name(), activation, answer)).unwrap_or_default();
        let Some(sent) = &answer.sent else { return problems };
        if let (true, Some(Source::File(path))) = (self.record, &self.session) {
            let turn = self.turn.get();
            let is_strange = activation.failures.strange(&request.report).is_some();
            let recorded = session::store::update(path, activation.masker(), |session| {
                if session.turn != turn {
                    let message = format!("turn {} began before the packet of turn {turn} was recorded", session.turn);
                    return Err(Error::new(ErrorKind::BadInput, message));
                }
                // What is of another project fails there.
                let tools_run = if is_strange { ToolsRun::default() } else { self.tools_run(&request.report) };
                blackboard::record(activation.masker(), session, &request.report, tools_run, &repository.root.text());
                if tools_run.diagnostics {
                    session.record_diagnostics(blackboard::lines(
                        activation.masker(),
                        &activation.snapshot.base,
                        &activation.failures,
                    ));
                }
                session.record_sent(sent.clone());
                Ok(())
            });
            if is_strange {
                let sources = request.report.sources.join(", ");
                let message = format!("what {sources} says is not recorded as failing here: it may be about another project");
                problems.push(Problem::new("session", message));
            }
            problems.extend(recorded.err().map(|error| Problem::new("session", format!("the packet is not recorded: {error}"))));
        }
        problems
    }

    /// The request that the flags make.
    pub(super) fn request(&self, repository: &RepositoryOptions, terminal: &Terminal) -> Result<Request> {
        let request = self.request_after(repository, terminal, |_, _| Ok(()))?;
        if request.intent.is_empty() { Err(nothing_fails(&request.report)) } else { Ok(request) }
    }

    /// The request that the flags make, where `run` hears what holds whatever tools say, for a look before anything is run,
    /// and adds to what they say; it has no intent where nobody says one and nothing fails.
    pub(super) fn request_after(
        &self,
        repository: &RepositoryOptions,
        terminal: &Terminal,
        run: impl FnOnce(&Request, &mut Report) -> Result<()>,
    ) -> Result<Request> {
        let mut readers: Vec<&str> = self.intent.iter().filter(|intent| *intent == STDIN).map(|_| "--intent -").collect();
        readers.extend(self.diff.iter().filter(|diff| *diff == STDIN).map(|_| "--diff -"));
        readers.extend(self.edits.iter().filter(|edits| *edits == STDIN).map(|_| "--edits -"));
        let given = [
            ("--session -", &self.session.iter().collect::<Vec<_>>()),
            ("--diagnostics -", &self.diagnostics.iter().collect()),
            ("--tests -", &self.tests.iter().collect()),
            ("--rules -", &self.rules.iter().collect()),
        ];
        for (flag, sources) in given {
            readers.extend(sources.iter().filter(|source| ***source == Source::Stdin).map(|_| flag));
        }
        if let [first, second, ..] = readers.as_slice() {
            let message = format!("`{first}` and `{second}` cannot both read stdin; give one of them as a text or a file");
            return Err(usage(message));
        }
        let intent = self.intent.as_deref().map(input::intent).transpose()?;
        if intent.as_ref().is_some_and(|intent| intent.is_cut) && !repository.quiet {
            terminal.note(&format!("warning: only the first {} bytes of the intent were read", input::MAX_INTENT_BYTES));
        }
        let mut report = Report::default();
        for source in &self.diagnostics {
            input::report(source, self.diagnostics_format.as_deref(), &mut report)?;
        }
        for source in &self.tests {
            input::report(source, self.tests_format.as_deref(), &mut report)?;
        }
        let known = self.session.as_ref().map(input::session).transpose()?;
        if self.record && !matches!(known, Some(Known::Session(_))) {
            return Err(usage("`--record` needs a session file: `activate session new FILE` makes one"));
        }
        let weights = self.weights.as_ref().map(input::weights).transpose()?.unwrap_or_default();
        let folder = repository.root.current_folder()?;
        let own = if let Some(Known::Session(session)) = &known { Some(&**session) } else { None };
        let since = self.since.as_deref().map(|since| self.sent(repository, own, since)).transpose()?;
        self.turn.set(own.map_or(0, |session| session.turn));
        self.packets(repository)?;
        let turn = own.and_then(|session| session.turns.last()).map(|turn| turn.intent.clone());
        let intent = intent.map(|intent| intent.text).or(turn.filter(|intent| !intent.is_empty()));
        // Nothing runs before the flags are known to be good.
        let before = Request {
            pins: self.pin.iter().map(|pin| from_root(pin, &folder)).collect(),
            rules: rules::named(&self.rules)?,
            without_user_rules: self.no_user_rules,
            ..Request::new(intent.as_deref().unwrap_or(FIX_WHAT_FAILS))
        };
        run(&before, &mut report)?;
        let state = match known {
            None => SessionState::default(),
            Some(Known::State(state)) => *state,
            Some(Known::Session(mut session)) => {
                blackboard::state(&terminal.masker(), &mut session, &report, self.tools_run(&report), &repository.root.text())?
            }
        };
        let diff = self.diff.as_deref().map(input::diff).transpose()?;
        let edits = self.edits.as_deref().map(input::diff).transpose()?;
        let default = if diff.is_some() { REVIEW } else { default_intent(&report, &state) };
        let intent = intent.unwrap_or_else(|| default.to_owned());
        Ok(Request {
            intent,
            report: Arc::new(report),
            folder,
            state,
            diff,
            edits,
            since,
            weights,
            depth: self.depth,
            first: self.first,
            ..before
        })
    }
}

/// The name of a format, checked while flags are read.
fn format_name() -> PossibleValuesParser {
    PossibleValuesParser::new(signals::formats())
}

/// What is to be done where nobody says it: what fails is to be fixed. Nothing where nothing fails.
fn default_intent(report: &Report, state: &SessionState) -> &'static str {
    let fails = report.diagnostics.len() + report.failed().count() + state.current_diagnostics.len() + state.failing_tests.len();
    if fails > 0 { FIX_WHAT_FAILS } else { "" }
}

fn nothing_fails(report: &Report) -> Error {
    // What has no name may stand for more.
    let least = if report.passed_unnamed().len() > 0 { "at least " } else { "" };
    let passed = match report.n_passed {
        1 => format!("{least}1 test passed"),
        number => format!("{least}{number} tests passed"),
    };
    let problems: Vec<String> = report.problems().into_iter().map(|problem| format!("; {}", problem.message)).collect();
    let problems = problems.concat();
    let message = format!("nothing fails in what was given ({passed}, none failed), so say with `--intent` what to do{problems}");
    Error::new(ErrorKind::BadInput, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passed_is_counted_as_far_as_it_is_said() {
        for (log, passed) in [
            ("=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \tx/a\t0.1s\n", "(1 test passed,"),
            ("ok  \tx/a\t0.1s\n", "(at least 1 test passed,"),
            ("ok  \tx/a\t0.1s\nok  \tx/b\t0.1s\n", "(at least 2 tests passed,"),
        ] {
            let mut report = Report::default();
            signals::read(log.as_bytes(), "`log`", None, &mut report).unwrap();
            assert!(nothing_fails(&report).message.contains(passed), "{log}");
        }
    }
}
