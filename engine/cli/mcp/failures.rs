//! `ctx_failures`: what failed when a pack was made.
//!
//! Must not run anything: whoever wants to know what fails now runs the tests and gives `context` what they say.

use super::page::page;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use error::Result;
use index::snapshot::Snapshot;
use intent::failures::{Failures, SourceMaps, Spot};
use redact::{DATA_NOTICE, PacketWriter, Safe, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use signals::Severity;

/// What `ctx_failures` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Failing {
    /// The pack
    pack_id: String,
    /// `next_cursor` of the last part
    #[serde(default)]
    cursor: Option<String>,
}

/// What failed.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Failed {
    failures: Vec<Failure>,
    text: String,
    n_left: u32,
    next_cursor: Option<String>,
}

/// A test or a diagnostic.
#[derive(Debug, Serialize, JsonSchema)]
struct Failure {
    /// test, error, warning or note
    kind: &'static str,
    /// Who says it
    #[schemars(with = "String")]
    tool: Safe,
    /// Name of the test, or rule of the diagnostic
    #[schemars(with = "String")]
    name: Safe,
    #[schemars(with = "Option<String>")]
    path: Option<Safe>,
    line: Option<u32>,
}

impl ToolCall for Failing {
    type Output = Failed;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Failed> {
        let pack = toolbox.pack(&self.pack_id)?;
        let request = pack.asked.request();
        let snapshot = toolbox.snapshot(progress)?;
        let mut report = (*request.report).clone();
        request.state.add_to(&mut report);
        let engine = toolbox.engine();
        let maps = SourceMaps::new(engine.repo(), engine.excluded());
        let failures = Failures::locate_with(snapshot.masker(), &snapshot.base, engine.root(), &request.folder, &report, &maps);
        let page = page(all(&snapshot, &failures), self.cursor.as_deref())?;
        let mut writer = PacketWriter::new();
        if page.items.is_empty() {
            writer.line(&Safe::fixed("no failure was given when the pack was made: give `context` what tests or compilers say"));
        } else {
            writer.line(&Safe::fixed(DATA_NOTICE));
            let mut lines = Safe::default();
            page.items.iter().for_each(|(_, line)| lines.push(line));
            writer.fenced(Trust::Log, &lines);
        }
        if page.n_left > 0 {
            writer.line(&Safe::format("{} more: ask with `next_cursor`", &[&Safe::number(page.n_left as i64)]));
        }
        let failures = page.items.into_iter().map(|(failure, _)| failure).collect();
        Ok(Failed { failures, n_left: page.n_left as u32, next_cursor: page.next, text: writer.finish().text })
    }
}

/// Tests first, then diagnostics, each in the order of what said them; with each the line that says it in words.
fn all(snapshot: &Snapshot, failures: &Failures) -> Vec<(Failure, Safe)> {
    let masker = snapshot.masker();
    let row = |kind, tool, name, message: &str, spot: Option<Spot>| {
        let path = spot.map(|spot| masker.name(snapshot.base.path(spot.file)));
        let line = spot.filter(|spot| !spot.is_guess).map(|spot| spot.line).filter(|line| *line > 0);
        let at = line.map(|line| Safe::format(":{}", &[&Safe::number(line)])).unwrap_or_default();
        let place = path.clone().unwrap_or_default();
        let words = Safe::format("{} {} {}{}: {}\n", &[&Safe::fixed(kind), &name, &place, &at, &masker.line(message)]);
        (Failure { kind, tool, name, path, line }, words)
    };
    let tests = failures.tests.iter().map(|test| {
        let said = &test.result;
        row("test", masker.name(&said.runner), masker.line(&said.name), &said.message, test.spot)
    });
    let diagnostics = failures.diagnostics.iter().map(|found| {
        let said = &found.diagnostic;
        let kind = match said.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        row(kind, masker.name(&said.tool), masker.name(&said.code), &said.message, found.spot)
    });
    tests.chain(diagnostics).collect()
}
