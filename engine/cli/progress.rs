//! Watches a run: shows progress on a terminal when it takes long, and says afterwards how long each stage took.
//!
//! The only clock of the command: nothing that an answer depends on may ask it.

use super::terminal::say;
use index::snapshot::{Effort, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A run that is done before this needs no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// The kernel counts memory in KiB, people in MiB.
const KIB_IN_MIB: u64 = 1024;

/// A stage of a run, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Checks,
    List,
    FirstLook,
    Compare,
    Read,
    Resolve,
    Write,
    Git,
    History,
    Intent,
    Activation,
    Fill,
    Render,
    Cases,
    Tune,
    #[cfg(feature = "fleet")]
    Repositories,
}

impl Stage {
    const fn name(self) -> &'static str {
        match self {
            Self::Checks => "checks",
            Self::List => "list and open",
            Self::FirstLook => "first look",
            Self::Compare => "compare",
            Self::Read => "read and extract",
            Self::Resolve => "resolve",
            Self::Write => "write cache",
            Self::Git => "git",
            Self::History => "history",
            Self::Intent => "intent",
            Self::Activation => "activation",
            Self::Fill => "fill",
            Self::Render => "render",
            Self::Cases => "cases",
            Self::Tune => "cases and weights",
            #[cfg(feature = "fleet")]
            Self::Repositories => "repositories",
        }
    }
}

/// What a run has cost up to a moment.
#[derive(Debug, Clone, Copy)]
struct Cost {
    at: Instant,
    /// Time of all processors; none where the system does not tell.
    cpu: Option<Duration>,
    /// The most memory that was resident at once so far, mapped files included; none where the system does not tell.
    peak_kib: Option<u64>,
}

impl Cost {
    fn now() -> Self {
        Self { at: Instant::now(), cpu: system::processor_time(), peak_kib: peak_kib() }
    }
}

/// What the kernel calls the high-water mark of resident memory, in KiB.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A run that is being watched.
pub(super) struct Watch {
    started: Instant,
    /// The stages so far, with what the run had cost when each began.
    stages: Mutex<Vec<(Stage, Cost)>>,
    has_timings: bool,
    bar: Option<ProgressBar>,
    /// What is shown before the stages from some moment on.
    found: OnceLock<String>,
}

impl Watch {
    /// Starts with the listing of files.
    pub(super) fn start(has_timings: bool, has_progress: bool) -> Self {
        let started = Instant::now();
        let has_bar = has_progress && stderr().is_terminal();
        let bar = has_bar.then(|| {
            let style =
                ProgressStyle::with_template("activate: {msg} {pos}/{len}").unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden()).with_style(style)
        });
        let stages = if has_timings { vec![(Stage::List, Cost::now())] } else { Vec::new() };
        Self { started, stages: Mutex::new(stages), has_timings, bar, found: OnceLock::new() }
    }

    /// Takes note of how far the engine is.
    pub(super) fn tell(&self, progress: Progress) {
        let (stage, done) = match progress {
            Progress::Comparing => (Stage::Compare, None),
            Progress::Reading(done, all) => (Stage::Read, Some((done, all))),
            Progress::Kept(..) => return,
            Progress::Resolving => (Stage::Resolve, None),
            Progress::Writing => (Stage::Write, None),
            Progress::Git => (Stage::Git, None),
            Progress::History => (Stage::History, None),
            Progress::Intent => (Stage::Intent, None),
            Progress::Activation => (Stage::Activation, None),
        };
        self.enter(stage);
        self.show(stage, done);
    }

    /// Whether somebody watches.
    pub(super) fn is_shown(&self) -> bool {
        self.bar.is_some()
    }

    /// Shows from here on where the answer most likely begins.
    pub(super) fn found(&self, place: &str) {
        // The first is kept.
        let _ = self.found.set(place.to_owned());
    }

    /// Takes note that a stage begins.
    pub(super) fn enter(&self, stage: Stage) {
        if !self.has_timings {
            return;
        }
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        if stages.last().is_none_or(|(last, _)| *last != stage) {
            stages.push((stage, Cost::now()));
        }
    }

    /// Takes note of how many things are done, of how many.
    pub(super) fn count(&self, stage: Stage, done: usize, all: usize) {
        self.enter(stage);
        self.show(stage, Some((done, all)));
    }

    fn show(&self, stage: Stage, done: Option<(usize, usize)>) {
        let Some(bar) = self.bar.as_ref().filter(|_| self.started.elapsed() > PATIENCE) else { return };
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_message(message(self.found.get().map(String::as_str), stage));
        let (done, all) = done.unwrap_or_default();
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    }

    /// Takes progress off the terminal.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Says how long each stage took, if that was asked for.
    pub(super) fn finish(&self, effort: Effort) {
        if !self.has_timings {
            return;
        }
        let end = Cost::now();
        let stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = stages.iter().skip(1).map(|(_, start)| *start).chain([end]);
        for ((stage, start), end) in stages.iter().zip(ends) {
            say(&line(stage.name(), *start, end));
        }
        let Some((_, start)) = stages.first() else { return };
        let Effort { n_files, n_read, n_extracted, n_resolved, .. } = effort;
        let total = line("total", *start, end);
        say(&format!("{total}; {n_files} files listed, {n_read} read, {n_extracted} extracted, {n_resolved} resolved"));
    }
}

impl Watch {
    /// Says how long a run over cases took, if that was asked for.
    pub(super) fn finish_cases(&self, n_cases: usize, n_run: usize) {
        if self.has_timings {
            let total = milliseconds(self.started.elapsed());
            let each = total / n_run.max(1) as f64;
            say(&format!("{n_run} of {n_cases} cases in {total:.0} ms, {each:.1} ms each"));
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.clear();
    }
}

/// What a line of progress says of a stage, and before it where the answer most likely begins: of a long place the end, that the line fits.
fn message(place: Option<&str>, stage: Stage) -> String {
    const MAX_LETTERS: usize = 72;
    let Some(place) = place else { return stage.name().to_owned() };
    let n_over = place.chars().count().saturating_sub(MAX_LETTERS);
    let end: String = place.chars().skip(n_over + usize::from(n_over > 0)).collect();
    let sign = if n_over > 0 { "…" } else { "" };
    format!("first look: {sign}{end}; {}", stage.name())
}

/// What passed between two moments, and the peak of memory up to the later one.
fn line(name: &str, start: Cost, end: Cost) -> String {
    let wall = milliseconds(end.at.duration_since(start.at));
    let cpu = start.cpu.zip(end.cpu).map(|(start, end)| milliseconds(end.saturating_sub(start)));
    let cpu = cpu.map_or_else(String::new, |cpu| format!(", {cpu:9.2} ms cpu"));
    let peak = end.peak_kib.map_or_else(String::new, |kib| format!(", peak {:5} MiB", kib / KIB_IN_MIB));
    format!("{name:>16} {wall:9.2} ms{cpu}{peak}")
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::{Cost, Stage, line, message};

    #[test]
    fn the_place_of_a_first_look_stands_before_the_stage() {
        assert_eq!(message(None, Stage::Read), "read and extract");
        assert_eq!(
            message(Some("auth/token.go:8 ValidateToken"), Stage::Read),
            "first look: auth/token.go:8 ValidateToken; read and extract"
        );
        let long = message(Some(&format!("{}/token.go:8", "a".repeat(100))), Stage::Resolve);
        assert!(long.starts_with("first look: …aaa") && long.ends_with("aaa/token.go:8; resolve"), "{long}");
        assert!(long.chars().count() < 100);
    }

    #[test]
    fn a_stage_is_said_with_its_peak_in_mib() {
        let now = Cost { peak_kib: Some(300 * 1024), ..Cost::now() };
        assert!(line("fill", now, now).ends_with("peak   300 MiB"));
        assert!(line("fill", now, Cost { peak_kib: None, ..now }).ends_with("cpu"));
    }
}
