//! What the shards of one process know of a task together: a tester reports failures, a reviewer adds findings, and the coder's next request
//! holds both.
//!
//! Holds a [`Session`] and the newest report of tools behind one lock.
//!
//! ```
//! use activate_engine::blackboard::Blackboard;
//! use signals::{self, Report};
//! # fn main() -> error::Result<()> {
//! let board = Blackboard::default();
//! std::thread::scope(|scope| {
//!     scope.spawn(|| {
//!         let mut report = Report::default();
//!         let said = "error: the build is broken\n --> src/login.rs:4:5\n";
//!         signals::read(said.as_bytes(), "the tester's build", None, &mut report)?;
//!         board.report(report);
//!         Ok::<(), error::Error>(())
//!     });
//!     scope.spawn(|| board.change(|session| session.add_finding("[SECURITY] tokens are logged (reviewer)")));
//! });
//! let request = board.request("fix ValidateToken")?;
//! assert_eq!(request.state.recent_findings.len(), 1);
//! # Ok(())
//! # }
//! ```

use crate::request::Request;
use context::SessionContext;
use context::state::SessionState;
use error::Result;
use index::base::FactBase;
use intent::failures::Failures;
use redact::Masker;
use session::{Sent, Session, TestName};
use signals::{Diagnostic, Place, Report, Severity};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What shards know together. Can be shared between threads.
#[derive(Debug, Default)]
pub struct Blackboard(Mutex<Board>);

#[derive(Debug, Default)]
struct Board {
    session: Session,
    report: Option<Arc<Report>>,
}

impl Blackboard {
    /// A blackboard that goes on with a session.
    pub fn of(session: Session) -> Self {
        Self(Mutex::new(Board { session, report: None }))
    }

    /// Changes the session: begins a turn, adds a finding, a result, a fact, a file that was touched. Other shards wait.
    pub fn change<T>(&self, change: impl FnOnce(&mut Session) -> T) -> T {
        change(&mut self.lock().session)
    }

    /// The session as it is now.
    pub fn session(&self) -> Session {
        self.lock().session.clone()
    }

    /// Notes what tools say now, in place of what they said before: what they do not say any more is mended.
    pub fn report(&self, report: Report) {
        let mut board = self.lock();
        record(&rules_alone(), &mut board.session, &report, ToolsRun::ALL, ANYWHERE);
        board.report = Some(Arc::new(report));
    }

    /// A request for `intent` with all that is known now. Without words, that of the current turn.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for a campaign whose tasks wait for each other.
    pub fn request(&self, intent: impl Into<String>) -> Result<Request> {
        let mut board = self.lock();
        let mut intent: String = intent.into();
        if intent.is_empty() {
            intent = board.session.turns.last().map(|turn| turn.intent.clone()).unwrap_or_default();
        }
        let tools_run = if board.report.is_some() { ToolsRun::ALL } else { ToolsRun::default() };
        let report = board.report.clone().unwrap_or_default();
        let state = state(&rules_alone(), &mut board.session, &report, tools_run, ANYWHERE)?;
        Ok(Request { intent, report, state, ..Request::default() })
    }

    /// Notes that a context was sent. For a later [`Request::since`].
    pub fn sent(&self, context: &SessionContext) -> Sent {
        self.lock().session.record_sent(context.sent.clone());
        context.sent.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What tools were asked: what they do not say any more is mended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToolsRun {
    /// Compilers or linters ran.
    pub diagnostics: bool,
    /// Tests ran.
    pub tests: bool,
}

impl ToolsRun {
    /// Everything ran.
    pub const ALL: Self = Self { diagnostics: true, tests: true };
}

/// The root of a repository that is not known: what is absolute stays so.
const ANYWHERE: &str = "";

/// What its files give away is not known here either; it is masked where the session is shown or written.
fn rules_alone() -> Masker {
    Masker::knowing_nothing()
}

/// The state of a session's current turn, in which tools say this now about the repository at `root`.
///
/// # Errors
///
/// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for a campaign whose tasks wait for each other.
pub fn state(masker: &Masker, session: &mut Session, report: &Report, tools_run: ToolsRun, root: &str) -> Result<SessionState> {
    record(masker, session, report, tools_run, root);
    let mut state = SessionState::of(session)?;
    // The report says the same with its places and messages.
    if tools_run.diagnostics {
        state.current_diagnostics.clear();
    }
    if tools_run.tests {
        state.failing_tests.clear();
    }
    Ok(state)
}

/// Notes in the current turn what tools say now about the repository at `root`, in short and with secrets masked, in place of what they said
/// before.
pub fn record(masker: &Masker, session: &mut Session, report: &Report, tools_run: ToolsRun, root: &str) {
    if tools_run.tests {
        let passed = report.passed_by_name().map(|(suite, name)| test_name(masker, root, "", suite, name));
        let unnamed = report.passed_unnamed().map(|(runner, suite)| test_name(masker, root, runner, suite, ""));
        let failing = report.failed().map(|test| test_name(masker, root, &test.runner, &test.suite, &test.name));
        session.record_tests(report.n_passed, passed.chain(unnamed), failing);
    }
    if tools_run.diagnostics {
        session.record_diagnostics(report.diagnostics.iter().map(|diagnostic| line(masker, diagnostic)));
    }
}

/// The name of a test, the same for one that failed as for one that passed. A suite that is a file is one of the repository, wherever that
/// lies; so is the name of a test that stands for a whole file.
fn test_name(masker: &Masker, root: &str, runner: &str, suite: &str, name: &str) -> TestName {
    let below = suite.strip_prefix(root).and_then(|below| below.strip_prefix('/')).filter(|_| !root.is_empty());
    let from_root = |text: &str| masker.name(below.filter(|_| text == suite).unwrap_or(text)).as_str().to_owned();
    TestName { runner: masker.name(runner).as_str().to_owned(), suite: from_root(suite), name: from_root(name) }
}

/// What was located, one line each, by its path in the repository.
pub fn lines(masker: &Masker, base: &FactBase, failures: &Failures) -> Vec<String> {
    let located = failures.diagnostics.iter().map(|found| {
        let mut diagnostic = found.diagnostic.clone();
        if let (Some(spot), Some(place)) = (found.spot.filter(|spot| !spot.is_guess), &mut diagnostic.place) {
            let line = if spot.map.is_some() { spot.line } else { place.line };
            *place = Place { path: base.path(spot.file).to_owned(), line, ..Place::default() };
        }
        line(masker, &diagnostic)
    });
    located.collect()
}

/// `severity:file:line:message`.
fn line(masker: &Masker, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let message = masker.line(&diagnostic.message);
    let place = |place: &Place| format!("{severity}:{}:{}:{message}", masker.name(&place.from_root()), place.line);
    diagnostic.place.as_ref().map_or_else(|| format!("{severity}:{message}"), place)
}
