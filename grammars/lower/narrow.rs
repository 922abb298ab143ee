//! Questions for the type of a name, `isinstance(x, T)`, and where their answer holds: in the branch behind them, behind an assertion, and
//! behind a branch that leaves where the answer is no.

use super::scope::Target;
use super::{Entry, Frame, Lower, Value, plain_expr};
use crate::capture::{Form, Role};
use crate::facts::{Binding, BindingId, Expr, ExprId, NameId};
use crate::table::Pattern;

/// A question that was asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question {
    name: NameId,
    of: ExprId,
    /// The first byte of the call.
    at: u32,
}

/// The most questions of one condition.
const MAX_QUESTIONS: usize = 8;

impl Lower<'_> {
    /// Remembers a call that asks whether a name is of a type.
    pub(super) fn ask(&mut self, callee: ExprId, arguments: Option<Entry>, bytes: (u32, u32)) {
        let Expr::Name(callee) = self.facts.exprs[callee.0 as usize] else { return };
        if !self.language.reading.type_tests.functions.contains(&self.facts.names.get(callee)) {
            return;
        }
        let Some(Value::List(start, 2)) = arguments.map(|entry| entry.value) else { return };
        let [value, of] = [start, start + 1].map(|index| plain_expr(self.values[index as usize]));
        if let Expr::Name(name) = self.facts.exprs[value.0 as usize]
            && of != ExprId::UNKNOWN
        {
            let of = match self.facts.exprs[of.0 as usize] {
                Expr::Tuple(list) => self.add_expr(Expr::Union(list)),
                _ => of,
            };
            let question = Question { name, of, at: bytes.0 };
            self.questions.push(question);
            // What stands behind `and` is asked where the answer was yes.
            if !self.is_denied(&question)
                && let Some(end) = self.end_of_conjunction(bytes.1)
            {
                self.narrow(question, (bytes.1, end));
            }
        }
    }

    /// The questions of a condition that all have to be answered by yes, or the one that has to be answered by no.
    fn asked(&self, condition: &Entry) -> (Vec<Question>, bool) {
        let (text, words) = (self.text(condition), &self.language.reading.type_tests);
        let mut n_denials = 0;
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if words.alternatives.contains(&word) {
                return (Vec::new(), false);
            }
            n_denials += usize::from(word == words.denial.trim());
        }
        let within = |question: &&Question| question.at >= condition.start && question.at < condition.end;
        let asked = self.questions.iter().rev().take(MAX_QUESTIONS).take_while(within);
        let (no, yes): (Vec<Question>, Vec<Question>) = asked.copied().partition(|question| self.is_denied(question));
        // What else is denied or compared may turn an answer around.
        if n_denials != no.len() || ["==", "!="].iter().any(|sign| text.contains(sign)) {
            return (Vec::new(), false);
        }
        match (no.as_slice(), yes.is_empty()) {
            ([_], true) if text.starts_with(words.denial) => (no, true),
            _ => (yes, false),
        }
    }

    fn is_denied(&self, question: &Question) -> bool {
        self.source[..question.at as usize].trim_end().ends_with(self.language.reading.type_tests.denial)
    }

    /// The byte behind what is looked at only where a question was answered by yes, that ends at `end`: the other sides of conjunctions.
    fn end_of_conjunction(&self, end: u32) -> Option<u32> {
        let words = &self.language.reading.type_tests;
        let mut found = None;
        for frame in self.frames.iter().rev().take(MAX_QUESTIONS) {
            let last = frame.bytes.1;
            let behind = self.source.get(end as usize..last as usize).unwrap_or_default().trim_start();
            if behind.starts_with(words.conjunction) && self.has_conjunction(frame) {
                found = Some(last);
            } else if !behind.is_empty() {
                break;
            }
        }
        found
    }

    /// Whether a node may be a conjunction: its value is that of one side.
    fn has_conjunction(&self, frame: &Frame) -> bool {
        self.table.patterns(frame.kind).iter().any(|pattern| pattern.form == Form::Same && pattern.children.len() == 2)
    }

    /// Narrows the names that the condition of the statement around a branch asks about, where the branch is what a yes leads to.
    pub(super) fn narrow_branch(&mut self, bytes: (u32, u32)) {
        let Some(frame) = self.frames.last().copied() else { return };
        let Some(condition) = self.condition(&frame, bytes.0) else { return };
        let (questions, is_denied) = self.asked(&condition);
        if !is_denied {
            for question in questions {
                self.narrow(question, bytes);
            }
        }
    }

    /// Narrows what a branch that leaves has denied, behind it.
    pub(super) fn narrow_behind(&mut self, leaves: bool, bytes: (u32, u32)) {
        // Behind another branch than the first, the answer to the first may have been yes.
        let is_first = |frame: &Frame| self.table.patterns(frame.kind).iter().any(|pattern| pattern.form == Form::Alternatives);
        let Some(frame) = self.frames.last().copied().filter(|frame| leaves && is_first(frame)) else { return };
        let Some(condition) = self.condition(&frame, bytes.0) else { return };
        if let (questions, true) = self.asked(&condition) {
            for question in questions {
                self.narrow(question, (bytes.1, u32::MAX));
            }
        }
    }

    /// What ends the branch around, or goes on only where its condition holds.
    pub(super) fn end_branch(&mut self, pattern: &Pattern, frame: Frame) {
        match pattern.form {
            Form::Assert => self.assert(pattern, frame),
            form => self.leave_branch(form == Form::Leaves),
        }
    }

    /// An assertion holds behind it.
    fn assert(&mut self, pattern: &Pattern, frame: Frame) {
        if let Some(condition) = self.child(pattern, &frame, Role::Value)
            && let (questions, false) = self.asked(&condition)
        {
            for question in questions {
                self.narrow(question, (frame.bytes.1, u32::MAX));
            }
        }
    }

    /// The condition of an open node that is its only child in front of a branch.
    fn condition(&self, frame: &Frame, before: u32) -> Option<Entry> {
        let pattern = self.table.patterns(frame.kind).iter().find(|pattern| pattern.form == Form::Condition)?;
        let mut entries = self.entries[frame.first_entry as usize..].iter().filter(|entry| entry.named && entry.start < before);
        let first = entries.next().copied()?;
        let asks = pattern.children.iter().any(|child| child.role == Some(Role::Value) && child.field == Some(first.field));
        (asks && entries.next().is_none()).then_some(first)
    }

    fn narrow(&mut self, question: Question, bytes: (u32, u32)) {
        let Question { name, of, .. } = question;
        self.facts.bindings.push(Binding { name, declared: of, value: ExprId::UNKNOWN, narrowed: false, parameter: None });
        let id = BindingId(self.facts.bindings.len() as u32 - 1);
        self.bind_between(name, Target::Binding(id), bytes);
    }
}
