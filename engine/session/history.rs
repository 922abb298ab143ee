//! The history of a session: what an older turn becomes when a new one begins, one dense line by rule.
//!
//! Must not drop what still counts: findings that are open, results and changes that are recent, the last run of tests.

use super::turn::{TestRun, Turn};
use super::{KEPT_TURNS, Session, WHOLE_TURNS};
use error::{Error, ErrorKind, Result};
use std::collections::VecDeque;

/// The most characters of all lines together, with their line feeds.
pub const MAX_HISTORY: usize = 2_000;

/// The most characters of a line: as many as are shown of one.
const MAX_LINE: usize = 400;
/// The most characters of an intent, and of a name, within a line.
const MAX_INTENT: usize = 100;
const MAX_NAME: usize = 40;
/// The most files, tests, results and categories that a line names; the rest is counted.
const MAX_FILES: usize = 3;
const MAX_OTHERS: usize = 2;

impl Session {
    /// Begins a turn. Turns that are no longer among the newest three become lines, and keep only what still counts.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] after as many turns as can be counted.
    pub fn begin(&mut self, intent: impl Into<String>) -> Result<()> {
        let Some(number) = self.turn.checked_add(1) else {
            return Err(Error::new(ErrorKind::BadInput, "the session has as many turns as can be counted; begin a new one"));
        };
        self.turn = number;
        // A new run of tests counts on from the newest of earlier turns, and an outcome is about the last packet.
        let last_run = self.turns.iter().rposition(|turn| turn.tests.as_ref().is_some_and(TestRun::ran));
        let last_sent = self.turns.iter().rposition(|turn| !turn.sent.is_empty());
        for (place, turn) in self.turns.iter_mut().enumerate() {
            let age = number.saturating_sub(turn.number);
            if age < WHOLE_TURNS {
                continue;
            }
            if age == WHOLE_TURNS {
                self.history.extend(line(turn));
            }
            turn.intent.clear();
            turn.diagnostics = None;
            turn.findings.retain(|finding| !finding.resolved);
            if last_run != Some(place) {
                turn.tests = None;
            }
            if last_sent == Some(place) {
                turn.sent.drain(..turn.sent.len() - 1);
            } else {
                turn.sent.clear();
                turn.outcome = None;
            }
            if age > KEPT_TURNS {
                turn.actions.clear();
                turn.touched.clear();
                turn.results.clear();
            }
        }
        self.turns.retain(|turn| number.saturating_sub(turn.number) < WHOLE_TURNS || !turn.is_empty());
        self.turns.push(Turn::new(number, intent));
        self.history = newest(self.history.drain(..));
        Ok(())
    }

    /// The turns before the current one, a line each, oldest first: as many of the newest as fit into 2,000 characters.
    pub fn history_lines(&self) -> Vec<String> {
        let whole = self.turns.iter().filter(|turn| (1..WHOLE_TURNS).contains(&self.turns_ago(turn)));
        newest(self.history.iter().cloned().chain(whole.filter_map(line)))
    }
}

/// The newest lines that fit together.
fn newest(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: VecDeque<String> = lines.collect();
    let mut n_characters: usize = kept.iter().map(|line| line.chars().count() + 1).sum();
    while n_characters > MAX_HISTORY
        && let Some(oldest) = kept.pop_front()
    {
        n_characters -= oldest.chars().count() + 1;
    }
    kept.into()
}

/// A turn as one line: what was to be done, and what came of it; none for a turn without anything.
fn line(turn: &Turn) -> Option<String> {
    let mut parts = Vec::new();
    if !turn.intent.is_empty() {
        parts.push(head(&turn.intent, MAX_INTENT));
    }
    if !turn.touched.is_empty() {
        let files = turn.touched.iter().map(|path| tail(path, MAX_NAME));
        parts.push(format!("edited {}", listed(files, turn.touched.len(), MAX_FILES)));
    }
    let n_errors = turn.diagnostics.iter().flatten().filter(|line| line.starts_with("error:")).count();
    if n_errors > 0 {
        parts.push(counted(n_errors, "error"));
    }
    parts.extend(turn.tests.as_ref().and_then(tests));
    if !turn.results.is_empty() {
        let word = |success| if success { "ok" } else { "failed" };
        let results = turn.results.iter().map(|result| format!("{} {}", head(&result.shard, MAX_NAME), word(result.success)));
        parts.push(listed(results, turn.results.len(), MAX_OTHERS));
    }
    if !turn.findings.is_empty() {
        let categories = categories(turn);
        let n_categories = categories.len();
        let categories = categories.into_iter().map(|(name, n)| format!("{n}{}", head(&name, MAX_NAME)));
        parts.push(format!("found {}", listed(categories, n_categories, MAX_OTHERS)));
    }
    if parts.is_empty() && !turn.actions.is_empty() {
        parts.push(counted(turn.actions.len(), "action"));
    }
    if parts.is_empty() {
        return None;
    }
    let turn = if turn.number == 0 { "before".to_owned() } else { format!("turn {}", turn.number) };
    Some(head(&format!("{turn}: {}", parts.join("; ")), MAX_LINE))
}

/// What a run of tests said.
fn tests(run: &TestRun) -> Option<String> {
    if !run.ran() {
        return None;
    }
    if run.failing.is_empty() {
        return Some("tests passed".to_owned());
    }
    let names = run.failing.iter().map(|test| head(&test.name, MAX_NAME));
    let n_failed = run.failing.len();
    Some(format!("{} failed ({})", counted(n_failed, "test"), listed(names, n_failed, MAX_OTHERS)))
}

/// How many findings each category has, in the order in which they first occur: ` [SECURITY]`, or nothing for one without.
fn categories(turn: &Turn) -> Vec<(String, usize)> {
    let mut categories: Vec<(String, usize)> = Vec::new();
    for finding in &turn.findings {
        let category = finding.text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let category = category.map(|(name, _)| format!(" [{name}]")).unwrap_or_default();
        match categories.iter_mut().find(|(known, _)| *known == category) {
            Some((_, n_findings)) => *n_findings += 1,
            None => categories.push((category, 1)),
        }
    }
    categories
}

/// The first names of so many, and how many more there are.
fn listed(names: impl Iterator<Item = String>, n_all: usize, max: usize) -> String {
    let mut parts: Vec<String> = names.take(max).collect();
    if n_all > parts.len() {
        parts.push(format!("+{}", n_all - parts.len()));
    }
    parts.join(", ")
}

fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// The beginning of a text that is too long.
fn head(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The end of a path that is too long.
fn tail(text: &str, max: usize) -> String {
    let n_over = text.chars().count().saturating_sub(max);
    match text.char_indices().nth(n_over) {
        Some((start, _)) if n_over > 0 => format!("…{}", &text[start..]),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::turn::{ShardResult, TestName};
    use super::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn an_older_turn_becomes_one_line_by_rule() {
        let mut session = Session::default();
        session.current().touched = strings(&["setup.sh"]);
        session.begin("fix ValidateToken").unwrap();
        session.current().touched = strings(&["a.go", "b.go", "internal/a/very/long/path/of/many/folders/login.go", "c.go"]);
        session.current().diagnostics = Some(strings(&["error:a.go:1:x", "warning:a.go:2:y"]));
        session.record_tests(3, [], ["TestX", "TestY", "TestZ"].map(TestName::from));
        session.current().results.push(ShardResult { shard: "reviewer".into(), ..ShardResult::default() });
        session.add_finding("[SECURITY] one (reviewer)").unwrap();
        session.add_finding("[SECURITY] two").unwrap();
        session.add_finding("plain").unwrap();
        session.begin("").unwrap();
        session.record_tests(1, [TestName::default()], []);
        session.begin("").unwrap();
        assert_eq!(
            session.history_lines(),
            [
                "before: edited setup.sh",
                "turn 1: fix ValidateToken; edited a.go, b.go, …/very/long/path/of/many/folders/login.go, +1; 1 error; \
                 3 tests failed (TestX, TestY, +1); reviewer failed; found 2 [SECURITY], 1",
                "turn 2: tests passed",
            ]
        );
        assert_eq!(session.history, ["before: edited setup.sh"]);
        let lines = session.history_lines();
        session.begin("now").unwrap();
        assert_eq!(session.history, lines[..2]);
        assert_eq!(session.history_lines(), lines, "a line stays as it was");
    }

    #[test]
    fn a_line_and_the_history_have_bounds_and_the_oldest_goes_first() {
        let mut session = Session::default();
        for number in 0..200 {
            session.begin(format!("{number} {}", "ä".repeat(1_000))).unwrap();
            session.current().touched = vec!["ö".repeat(500); 9];
            let long = (0..9).map(|test| TestName::from(format!("{test}{}", "ü".repeat(500)).as_str()));
            session.record_tests(0, [], long);
            session.current().results = vec![ShardResult { shard: "s".repeat(500), ..ShardResult::default() }; 9];
        }
        let lines = session.history_lines();
        assert!(lines.iter().all(|line| line.chars().count() <= MAX_LINE + 1));
        assert!(lines.iter().map(|line| line.chars().count() + 1).sum::<usize>() <= MAX_HISTORY);
        assert!(lines.len() >= 4 && lines.last().unwrap().starts_with("turn 199: 198 "), "{lines:?}");
        assert!(session.turns.len() <= (KEPT_TURNS + 1) as usize && session.json().len() < 200_000, "{}", session.json().len());
    }

    #[test]
    fn what_still_counts_outlives_its_turn() {
        let mut session = Session::default();
        session.begin("one").unwrap();
        session.record_tests(0, [], ["TestX".into()]);
        session.current().results.push(ShardResult { shard: "tester".into(), ..ShardResult::default() });
        session.current().touched.push("a.go".into());
        let (open, closed) = (session.add_finding("open").unwrap(), session.add_finding("closed").unwrap());
        session.resolve(closed).unwrap();
        for _ in 0..KEPT_TURNS {
            session.begin("more").unwrap();
        }
        let first = session.turns[0].clone();
        assert_eq!((first.number, first.results.len(), first.touched.len(), first.intent.as_str()), (1, 1, 1, ""));
        session.record_tests(0, [], ["TestX".into()]);
        assert_eq!(session.retry_count(), 1, "the run before it was ten turns ago");
        for _ in 0..100 {
            session.begin("more").unwrap();
        }
        let kept: Vec<_> = session.turns.iter().map(|turn| turn.number).collect();
        assert_eq!(kept, [1, 11, 109, 110, 111]);
        assert_eq!(session.turns[0].findings.iter().map(|finding| finding.number).collect::<Vec<_>>(), [open]);
        assert_eq!((session.turns[0].results.len(), session.turns[0].touched.len()), (0, 0));
        session.resolve(open).unwrap();
        session.begin("last").unwrap();
        assert_eq!(session.turns[0].number, 11, "nothing of the first turn counts any more");
    }
}
