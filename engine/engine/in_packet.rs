//! Where a target stands in a session packet: what of it is shown, which limit stopped the rest, what came before it, and the budget that lets
//! it in.
//!
//! Must not decide anything: it asks for packets and looks into them.

use crate::request::Activation;
use activate_rules::atoms::NodeId;
use context::budget::{Budget, CEILING};
use context::packet::candidates::reference;
use context::{Candidate, Disposition, Limit, SessionContext};
use error::Result;
use tokens::Tokens;

/// The most entries of each kind that are named.
const MAX_NAMED: usize = 5;
/// Tokens between two budgets that are tried.
const STEP: u32 = 100;

impl Activation<'_> {
    /// What became of a target in a packet of this budget. Lines for people.
    ///
    /// # Errors
    ///
    /// That the target means nothing, or that the budget is too small for any packet.
    pub fn in_packet(&self, target: &str, budget: &Budget) -> Result<Vec<String>> {
        let node = self.targets(target)?[0];
        let context = self.traced_context(budget)?;
        let is_shown = |candidate: &&Candidate| matches!(candidate.fate, Disposition::Shown { .. });
        let (shown, mut stopped): (Vec<&Candidate>, Vec<&Candidate>) = self.of(node, &context).into_iter().partition(is_shown);
        let total = budget.total;
        let mut lines = Vec::new();
        if !shown.is_empty() {
            lines.push(format!("in the packet at {total} tokens: {}", named(&shown)));
        }
        // No more is looked at than may have room: what has its turn later is a candidate of larger packets alone.
        let widest = if stopped.iter().any(|candidate| is_code(candidate)) {
            None
        } else {
            Some(self.traced_context(&wider(budget, CEILING))?)
        };
        let more = widest.iter().flat_map(|widest| self.of(node, widest));
        stopped.extend(more.filter(|candidate| is_shown(candidate) && shown.iter().all(|other| other.key != candidate.key)));
        // Code is what is asked for, whatever else is said of it.
        stopped.sort_by_key(|candidate| (!is_code(candidate), candidate.turn));
        let is_complete = shown.iter().any(|candidate| is_code(candidate)) && stopped.iter().all(|candidate| !is_code(candidate));
        let Some(first) = stopped.first().filter(|_| !is_complete) else {
            if shown.is_empty() {
                lines.push(format!(
                    "not in the packet at {total} tokens, nor in larger ones: nothing of it has a place in any section"
                ));
            }
            return Ok(lines);
        };
        let what = if shown.is_empty() { "not in the packet" } else { "the rest of it is not" };
        lines.push(format!("{what} at {total} tokens: {} {}", name(first), why(first, &context)));
        let before = before(first, &context);
        if let Some(n_more) = before.len().checked_sub(MAX_NAMED).filter(|n_more| *n_more > 0) {
            lines.push(format!("{} entries of the section came before it, the last: {}", before.len(), named(&before[n_more..])));
        } else if !before.is_empty() {
            lines.push(format!("before it came: {}", named(&before)));
        }
        lines.push(match self.enters_at(node, first, budget) {
            Some(tokens) => format!("it enters at {tokens} tokens: `--budget {tokens}`"),
            None => format!("it enters at no budget up to {CEILING} tokens"),
        });
        Ok(lines)
    }

    /// The candidates that show something of a node.
    fn of<'c>(&self, node: NodeId, context: &'c SessionContext) -> Vec<&'c Candidate> {
        let base = &self.snapshot.base;
        let (id, path) = (self.masker().name(&base.id(node)), self.masker().name(base.path(base.file_of(node))));
        let lines = base.symbol(node).map(|row| (row.first_line(), row.lines.1));
        let is_of = |candidate: &&Candidate| {
            let about = &candidate.about;
            match (lines, about.lines) {
                (Some(mine), Some(shown)) => about.path.as_ref() == Some(&path) && shown.0 <= mine.1 && mine.0 <= shown.1,
                (Some(_), None) => about.id.as_ref() == Some(&id),
                (None, _) => about.path.as_ref() == Some(&path) && ABOUT_FILES.contains(&about.kind),
            }
        };
        context.candidates.iter().filter(is_of).collect()
    }

    /// The least budget above this one, to the next hundred, at which some of the lines of an entry are shown, or the entry where it has none.
    fn enters_at(&self, node: NodeId, wanted: &Candidate, budget: &Budget) -> Option<Tokens> {
        let is_it = |candidate: &Candidate| match (candidate.about.lines, wanted.about.lines) {
            (Some(one), Some(other)) => candidate.about.kind == wanted.about.kind && one.0 <= other.1 && other.0 <= one.1,
            _ => candidate.key == wanted.key,
        };
        let is_shown = |total: u32| {
            let context = self.traced_context(&wider(budget, Tokens(total))).ok();
            let shown = |candidate: &&Candidate| matches!(candidate.fate, Disposition::Shown { .. }) && is_it(candidate);
            context.is_some_and(|context| self.of(node, &context).iter().any(shown))
        };
        // What enters stays in more room, so halving finds the border.
        let (mut out, mut inside) = (budget.total.0 / STEP, CEILING.0 / STEP);
        if !is_shown(CEILING.0) {
            return None;
        }
        while inside - out > 1 {
            let middle = out.midpoint(inside);
            if is_shown(middle * STEP) { inside = middle } else { out = middle }
        }
        Some(Tokens(inside * STEP))
    }
}

/// The kinds of entries that show something of a file, and do not only mention it.
const ABOUT_FILES: [&str; 6] = ["code", "likely_file", "outline", "impacted_file", "dependency", "pin"];

fn is_code(candidate: &Candidate) -> bool {
    candidate.about.kind == "code"
}

/// The same budget with so many tokens.
fn wider(budget: &Budget, total: Tokens) -> Budget {
    Budget { total, ..*budget }
}

/// What stopped a candidate, with the room that its section had.
fn why(candidate: &Candidate, context: &SessionContext) -> String {
    let limit = if let Disposition::Stopped(limit) = candidate.fate { limit } else { Limit::Section };
    let section = context.sections.iter().find(|section| section.section == candidate.section);
    let room = section.map_or_else(
        || "has no room at all".to_owned(),
        |section| format!("has {} tokens of at most {}", section.tokens, section.budget),
    );
    format!("was stopped by {}: section `{}` {room}", limit.name(), candidate.section.name())
}

/// What is shown of the section and had its turn before.
fn before<'c>(candidate: &Candidate, context: &'c SessionContext) -> Vec<&'c Candidate> {
    let stands_before = |other: &&Candidate| {
        other.section == candidate.section && other.turn <= candidate.turn && matches!(other.fate, Disposition::Shown { .. })
    };
    let mut before: Vec<&Candidate> = context.candidates.iter().filter(stands_before).collect();
    before.sort_by_key(|candidate| candidate.turn);
    before
}

/// What an entry is called: its place, and what it is.
fn name(candidate: &Candidate) -> String {
    let about = &candidate.about;
    let place = reference(about.kind, about.id.as_ref(), about.path.as_ref(), about.lines, &candidate.key);
    format!("{place} ({})", about.kind.replace('_', " "))
}

fn named(candidates: &[&Candidate]) -> String {
    let n_more = candidates.len().saturating_sub(MAX_NAMED);
    let names: Vec<String> = candidates.iter().take(MAX_NAMED).map(|candidate| name(candidate)).collect();
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}
