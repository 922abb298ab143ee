//! The digest of where the work stands: goal, position, decisions about the task's files, rules that must hold, and where to ask for more.
//!
//! It copies lines of the plan word for word.

use super::markdown::{cells, heading, is_row, is_rule, item, section, sections};
use super::plan::{DECISIONS, Plan, STATE};
use super::prose::{MAX_SCAR_LINES, RULES};
use super::receipt::{SlotDraft, source};
use super::task::Task;
use repo::RepoPath;
use std::collections::BTreeSet;

/// The most lines of a digest.
pub const MAX_STATE_LINES: usize = 150;
/// The lines of a digest where nobody says another number: more of them take attention from the task.
pub const STATE_LINES: usize = 80;
/// The fewest: the rules, the note and some of what stands in STATE.md fit in.
pub const MIN_STATE_LINES: usize = 40;
/// What a worker does who lacks something.
pub(super) const NOTE: &str =
    "Do not ask for more context: send a NEXUS_PERMISSION_REQUEST with the path of one file if it is truly needed.";
/// What introduces decisions.
pub(super) const DECISIONS_TITLE: &str = "## Decisions about these files";
/// The section that says what the phase is for.
const GOAL: &str = "current phase goal";
/// The most lines of that.
const MAX_GOAL_LINES: usize = 10;
/// The most lines of decisions.
const MAX_DECISION_LINES: usize = 15;

/// The digest of a task, at most `max` lines.
pub(super) fn slot(plan: &Plan, task: &Task, scars: &[String], max: usize, receipt: &mut SlotDraft<'_>) -> Vec<String> {
    let max = max.clamp(MIN_STATE_LINES, MAX_STATE_LINES);
    // The rules as the slot for scars has them: what stands there is what applies.
    let mut tail: Vec<String> = Vec::new();
    let decisions = decisions(plan, task);
    if !decisions.is_empty() {
        receipt.cut_lines(decisions.len().saturating_sub(MAX_DECISION_LINES));
        receipt.add("decisions about the task's files", source::DECISIONS);
        tail.extend([String::new(), DECISIONS_TITLE.to_owned()]);
        tail.extend(decisions.iter().take(MAX_DECISION_LINES).map(|line| (*line).to_owned()));
    }
    let mut end: Vec<String> = Vec::new();
    if !scars.is_empty() {
        end.push(String::new());
        end.extend(scars.iter().cloned());
    }
    end.extend([String::new(), NOTE.to_owned()]);
    // Rules come before decisions where there is no room for both.
    let room = max.saturating_sub(end.len());
    receipt.cut_lines(tail.len().saturating_sub(room));
    tail.truncate(room);
    let head = head(plan, room - tail.len(), receipt);
    if !scars.is_empty() {
        receipt.add(RULES, source::SCARS);
    }
    receipt.add("no more context", source::RULE);
    let mut lines: Vec<String> = head;
    lines.extend(tail);
    lines.extend(end);
    let is_blank = |line: &String| line.trim().is_empty();
    let n_blank = lines.iter().take_while(|line| is_blank(line)).count();
    lines.drain(..n_blank);
    lines
}

/// The goal of the phase, then STATE.md from its beginning.
fn head(plan: &Plan, room: usize, receipt: &mut SlotDraft<'_>) -> Vec<String> {
    let lines = plan.lines(STATE);
    if !plan.has(STATE) {
        receipt.note("the plan has no STATE.md, and facts know no state of the work");
        return Vec::new();
    }
    let n_lines = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    receipt.add("STATE.md", source::STATE);
    let goal = goal(&lines);
    // The goal comes first where the beginning does not hold it.
    let is_far = goal.as_ref().is_some_and(|goal| goal.end > room);
    let goal: Vec<&str> = goal.filter(|_| is_far).map(|goal| lines[goal].to_vec()).unwrap_or_default();
    let goal: Vec<&str> = goal.into_iter().take(MAX_GOAL_LINES.min(room)).collect();
    let n_head = n_lines.min(room - goal.len());
    receipt.cut_lines((n_lines - n_head).saturating_sub(goal.len()));
    goal.into_iter().chain(lines[..n_head].iter().copied()).map(str::to_owned).collect()
}

/// Where the goal of the phase stands: a section, or a line that begins so.
fn goal(lines: &[&str]) -> Option<std::ops::Range<usize>> {
    if let Some(section) = section(lines, GOAL) {
        let end = section.body.clone().rev().find(|at| !lines[*at].trim().is_empty()).map_or(section.heading, |last| last) + 1;
        return Some(section.heading..end);
    }
    let begins = |line: &str| line.trim_start_matches(['*', '-', ' ']).to_lowercase().starts_with(GOAL);
    lines.iter().position(|line| begins(line)).map(|at| at..at + 1)
}

/// The decisions that name a file of the task or the task itself: sections, rows or items of the log.
pub(super) fn decisions<'a>(plan: &'a Plan, task: &Task) -> Vec<&'a str> {
    let lines = plan.lines(DECISIONS);
    let files: BTreeSet<&str> = task.files.iter().map(RepoPath::as_str).collect();
    let is_about = |line: &&str| {
        let mut words = line.split(|c: char| c.is_whitespace() || matches!(c, '`' | '|' | ',' | ';' | '(' | ')'));
        words.any(|word| {
            let word = word.trim_end_matches(['.', ':']);
            files.contains(word) || word == task.id
        })
    };
    let mut found: Vec<usize> = Vec::new();
    for section in sections(&lines).iter().filter(|section| heading(lines[section.heading]).is_some()) {
        let own: Vec<usize> = section.body.clone().take_while(|at| heading(lines[*at]).is_none()).collect();
        // Of tables and lists, a line is a decision; of prose, a section is.
        let is_list = own.iter().any(|at| is_row(lines[*at]) || item(lines[*at]).is_some_and(|_| !lines[*at].starts_with(' ')));
        let chosen: Vec<usize> = own.iter().copied().filter(|at| is_about(&lines[*at]) && !is_rule(lines[*at])).collect();
        if is_list {
            found.extend(chosen);
        } else if !chosen.is_empty() || is_about(&lines[section.heading]) {
            found.push(section.heading);
            found.extend(own.into_iter().filter(|at| !lines[*at].trim().is_empty()));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|at| lines[at]).filter(|line| !is_row(line) || cells(line).len() > 1).collect()
}

// The rules fit into the smallest digest, with the note and the blank lines around them.
const _: () = assert!(MAX_SCAR_LINES + 3 < MIN_STATE_LINES);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::plan::SCARS;
    use crate::worker::prose::scars;
    use crate::worker::receipt::SlotReceipt;
    use redact::Masker;

    const TASK: &str = r#"{"id": "T02", "filesModified": ["src/a.ts"], "tddMode": "hard", "riskTier": "low"}"#;

    fn slot_of(files: &[(&'static str, &str)], max: usize) -> (Vec<String>, SlotReceipt) {
        let plan =
            Plan::new(&Masker::knowing_nothing(), files.iter().map(|(name, text)| (*name, text.as_bytes().to_vec()))).unwrap();
        let nothing = Masker::knowing_nothing();
        let mut receipt = SlotDraft::of(&nothing, "stateDigest");
        let scars = scars(&plan, &["src/a.ts"], &mut SlotDraft::of(&nothing, "scarsDigest"));
        let lines = slot(&plan, &Task::parse(&Masker::knowing_nothing(), TASK).unwrap(), &scars, max, &mut receipt);
        (lines, receipt.receipt)
    }

    #[test]
    fn a_digest_ends_with_the_rules_and_the_note() {
        let scars = "## Active Prevention Rules\n| Rule | To |\n|---|---|\n| S1 | src/ |\n";
        let log = "## Log\n| ID | What |\n|---|---|\n| D1 | `src/a.ts` stays |\n| D2 | src/b.ts |\n\n## D3 naming\nT02 decides.\n\n## D4\nother\n";
        let (lines, _) = slot_of(&[(STATE, "# State\n\nPhase 1\n"), (SCARS, scars), (DECISIONS, log)], STATE_LINES);
        let expected = "# State\n\nPhase 1\n\n## Decisions about these files\n| D1 | `src/a.ts` stays |\n## D3 naming\nT02 decides.\n\n\
            ## Active Prevention Rules\n| Rule | To |\n|---|---|\n| S1 | src/ |\n\n";
        assert_eq!(lines.join("\n"), format!("{expected}{NOTE}"));
    }

    #[test]
    fn a_long_state_is_cut_and_its_goal_is_not() {
        let state: String = (0..200)
            .map(|n| if n == 190 { "**Current Phase Goal:** ship\n".to_owned() } else { format!("line {n}\n") })
            .collect();
        for (max, n_lines) in [(STATE_LINES, 80), (1, 40), (999, 150)] {
            let (lines, receipt) = slot_of(&[(STATE, &state)], max);
            assert_eq!(lines.len(), n_lines);
            assert_eq!(lines[0], "**Current Phase Goal:** ship");
            assert_eq!(receipt.n_lines_cut as usize, 200 - (n_lines - 2));
        }
    }

    #[test]
    fn without_a_plan_there_is_the_note() {
        let (lines, receipt) = slot_of(&[], STATE_LINES);
        assert_eq!((lines, receipt.notes.len()), (vec![NOTE.to_owned()], 1));
    }
}
