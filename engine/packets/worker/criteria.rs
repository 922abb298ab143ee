//! The acceptance criteria of a task: the passages of a plan that its ids name, and no others.
//!
//! It copies lines of the plan word for word.

use super::markdown::{cells, fenced, heading, indent, is_row, is_rule};
use super::plan::{ACCEPTANCE, Plan};
use super::receipt::{SlotDraft, source};
use std::collections::{BTreeMap, BTreeSet};

/// The most lines of the criteria.
pub(super) const MAX_LINES: usize = 50;

/// What a line that begins a criterion may have before its id.
const MARKS: [char; 8] = ['#', '-', '*', '+', '>', '`', ' ', '\t'];

/// The id that a line begins with: behind marks of headings, lists, tables and one word in brackets.
pub(super) fn id_of(line: &str) -> Option<&str> {
    let first = if is_row(line) { cells(line).first().copied()? } else { line };
    let first = first.trim_start_matches(MARKS);
    let untagged = first.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(first, |(_, rest)| rest);
    let text = untagged.trim_start_matches(MARKS);
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(text.len());
    let id = text.get(..end)?.trim_end_matches(['.', '-', '_']);
    (id.starts_with(char::is_alphabetic) && id.contains(|c: char| c.is_ascii_digit())).then_some(id)
}

/// What ids of one kind have in common: the letters before the first digit.
fn family(id: &str) -> &str {
    id.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default()
}

/// The kinds of criteria that ids are of.
pub(super) fn families(ids: &[String]) -> BTreeSet<&str> {
    ids.iter().map(|id| family(id)).collect()
}

/// The id of the criterion that a line begins, if it is of one of these kinds.
pub(super) fn begins<'a>(line: &'a str, families: &BTreeSet<&str>) -> Option<&'a str> {
    id_of(line).filter(|id| families.contains(family(id)))
}

/// The passage of each id that the plan has: its lines, with the head of the table for a row.
pub(super) fn passages<'a>(plan: &'a Plan, ids: &[String]) -> Vec<(String, Vec<&'a str>)> {
    let lines = plan.lines(ACCEPTANCE);
    let (code, families) = (fenced(&lines), families(ids));
    let is_code = |at: usize| code.get(at).copied().unwrap_or_default();
    let mut starts: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate().filter(|(at, _)| !is_code(*at)) {
        if let Some(id) = begins(line, &families) {
            starts.entry(id).or_insert(at);
        }
    }
    let mut found = Vec::new();
    for (id, start) in ids.iter().filter_map(|id| Some((id, *starts.get(id.as_str())?))) {
        let line = lines[start];
        let passage = if is_row(line) {
            let above = &lines[..start];
            let n_rows = above.iter().rev().take_while(|line| is_row(line)).count();
            let rows = &above[start - n_rows..];
            let n_head = rows.iter().position(|line| is_rule(line)).map_or(0, |at| at + 1);
            rows[..n_head].iter().copied().chain([line]).collect()
        } else {
            let is_end = |at: usize, other: &str| {
                let is_next = indent(other) <= indent(line) && begins(other, &families).is_some();
                let is_above = heading(other).is_some_and(|(level, _)| heading(line).is_none_or(|(own, _)| level <= own));
                !is_code(at) && (is_next || is_above || other.trim() == "---")
            };
            let mut rest = lines.iter().enumerate().skip(start + 1);
            let end = rest.find(|(at, other)| is_end(*at, other)).map_or(lines.len(), |(at, _)| at);
            let mut passage = lines[start..end].to_vec();
            while passage.last().is_some_and(|line| line.trim().is_empty()) {
                passage.pop();
            }
            passage
        };
        found.push((id.clone(), passage));
    }
    found
}

/// The criteria of a task, at most 50 lines.
pub(super) fn slot(plan: &Plan, ids: &[String], receipt: &mut SlotDraft<'_>) -> Vec<String> {
    if ids.is_empty() {
        receipt.note("the task names no acceptance criteria");
    } else if !plan.has(ACCEPTANCE) {
        receipt.note("the plan has no ACCEPTANCE_MASTER.md, and facts know no acceptance criteria");
    }
    let (found, families) = (passages(plan, ids), families(ids));
    for id in ids.iter().filter(|id| plan.has(ACCEPTANCE) && !found.iter().any(|(known, _)| known == *id)) {
        receipt.note(format!("ACCEPTANCE_MASTER.md has no `{id}`"));
    }
    let mut lines: Vec<&str> = Vec::new();
    for (id, passage) in found {
        // Rows of one table share its head.
        let is_known = |line: &&str| is_row(line) && begins(line, &families).is_none() && lines.contains(line);
        let is_table = passage.iter().all(|line| is_row(line));
        let goes_on = is_table && lines.last().is_some_and(|line| is_row(line));
        let passage: Vec<&str> = passage.iter().filter(|line| !is_known(line)).copied().collect();
        let gap = (!lines.is_empty() && !goes_on).then_some("");
        lines.extend(gap.into_iter().chain(passage));
        if lines.len() > MAX_LINES {
            receipt.note(format!("`{id}` is cut or missing: criteria have at most {MAX_LINES} lines"));
        }
        receipt.add(&id, source::ACCEPTANCE);
    }
    receipt.cut_lines(lines.len().saturating_sub(MAX_LINES));
    lines.truncate(MAX_LINES);
    lines.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::receipt::SlotReceipt;
    use redact::Masker;

    fn slot_of(text: &str, ids: &[&str]) -> (Vec<String>, SlotReceipt) {
        let plan = Plan::new(&Masker::knowing_nothing(), [(ACCEPTANCE, text.as_bytes().to_vec())]).unwrap();
        let nothing = Masker::knowing_nothing();
        let mut receipt = SlotDraft::of(&nothing, "acceptanceCriteria");
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        (slot(&plan, &ids, &mut receipt), receipt.receipt)
    }

    #[test]
    fn an_id_is_found_behind_every_mark() {
        for line in ["AC-3: x", "### AC-3 — x", "- **AC-3**: x", "| AC-3 | x |", "[MUST] AC-3: x", "  * `AC-3` x", "AC-3"] {
            assert_eq!(id_of(line), Some("AC-3"), "{line}");
        }
        for line in ["Given: a", "", "| |", "## 3 x", "[x]"] {
            assert_eq!(id_of(line), None, "{line}");
        }
    }

    #[test]
    fn only_the_passages_of_the_ids_are_taken() {
        let prose = "# Master\n\n[MUST] AC-1: One\n  Given: x\n\n[MUST] AC-12: Twelve\n  Then: y\n  - AC-1 holds\n\n---\n\n## Next\nAC-3: Three\nGiven: H2 is up\n";
        let expected = ["[MUST] AC-12: Twelve", "  Then: y", "  - AC-1 holds", "", "[MUST] AC-1: One", "  Given: x"];
        assert_eq!(slot_of(prose, &["AC-12", "AC-1"]).0, expected);
        assert_eq!(slot_of(prose, &["AC-3"]).0, ["AC-3: Three", "Given: H2 is up"]);
        let (lines, receipt) = slot_of(prose, &["AC-9"]);
        assert!(lines.is_empty() && receipt.notes[0].as_str() == "ACCEPTANCE_MASTER.md has no `AC-9`");
    }

    #[test]
    fn headings_hold_what_is_below_them_and_rows_bring_the_head_of_their_table() {
        let headed = "### AC-1: One\n\n#### Steps\n- a\n\n### AC-2: Two\n- b\n";
        assert_eq!(slot_of(headed, &["AC-1"]).0, ["### AC-1: One", "", "#### Steps", "- a"]);
        let table = "| ID | Text |\n|----|----|\n| AC-1 | one |\n| AC-2 | two |\n| AC-3 | three |\n";
        assert_eq!(slot_of(table, &["AC-1", "AC-3"]).0, ["| ID | Text |", "|----|----|", "| AC-1 | one |", "| AC-3 | three |"]);
    }

    #[test]
    fn what_is_cut_is_counted() {
        let text = format!("AC-1: One\n{}AC-2: Two\n", "  Given: x\n".repeat(60));
        let (lines, receipt) = slot_of(&text, &["AC-1", "AC-2"]);
        assert_eq!((lines.len(), receipt.n_lines_cut, receipt.notes.len()), (MAX_LINES, 13, 2));
    }
}
