//! Rows as lines of text, and their order.

use super::answer::Row;
use super::desk::Desk;
use activate_rules::links::{Confidence, LinkKind};
use index::base::{Promise, SymbolKind};
use redact::Safe;
use std::fmt;

/// How sure what may be about something else is.
const AMBIGUOUS: &str = "ambiguous";

impl Row {
    /// The row with how sure it is.
    #[must_use]
    pub(crate) fn sure(mut self, confidence: Confidence) -> Self {
        let n = confidence.n_candidates();
        self.confidence = Some(if n > 1 { AMBIGUOUS } else { confidence.name() });
        // Among two it may also stand alone, where a name leads only to what is far away.
        self.one_of = (n > 2).then_some(n);
        self
    }

    /// Whether it may be about something else.
    pub(crate) fn is_guess(&self) -> bool {
        self.confidence == Some(AMBIGUOUS)
    }

    /// The row of what calls a method that `n` others fulfil, any of which may run.
    #[must_use]
    pub(crate) fn promised(mut self, desk: &Desk<'_>, promise: Promise) -> Self {
        let (base, n) = (desk.base, promise.n_kin);
        if n > 1 {
            self.confidence = Some(AMBIGUOUS);
            self.one_of = Some(self.one_of.unwrap_or(1).max(n));
        }
        self.promise = Some(desk.local(promise.method));
        let around = base.symbol(promise.method).and_then(|method| method.container);
        self.is_overridden =
            around.and_then(|around| base.symbol(around)).is_none_or(|around| around.kind != SymbolKind::Interface);
        self
    }

    /// The row with what it does, where that is no call.
    #[must_use]
    pub(crate) fn by(mut self, kind: LinkKind) -> Self {
        self.how = (kind != LinkKind::Calls).then(|| kind.name());
        self
    }

    /// That it is one of so many: `one of 2`, `one of 6 that implement Call.execute`.
    fn one_of_them(&self, n: u32) -> Safe {
        let one_of = Safe::format("one of {}", &[&Safe::number(n)]);
        let verb = Safe::fixed(if self.is_overridden { "override" } else { "implement" });
        match (&self.promise, self.through.as_slice()) {
            (None, _) => one_of,
            (Some(promise), [only]) if only == promise => Safe::format("{} that {} it", &[&one_of, &verb]),
            (Some(promise), _) => Safe::format("{} that {} {}", &[&one_of, &verb, promise]),
        }
    }

    /// What stands between brackets behind a row.
    fn notes(&self) -> Vec<Safe> {
        let number = |number: u32| Safe::number(number);
        let mut notes: Vec<Safe> = Vec::new();
        notes.extend(self.kind.map(Safe::fixed));
        let by =
            |route: &Safe| if is_path(route) { Safe::format("by route {}", &[route]) } else { Safe::format("by {}", &[route]) };
        notes.extend(self.route.as_ref().map(by));
        notes.extend(self.how.filter(|_| self.route.is_none()).map(|how| match how {
            "named_after" => Safe::fixed("named after its file"),
            "same_package" => Safe::fixed("same package"),
            "may_be_used" => Safe::fixed("may have a use"),
            "removed" => Safe::fixed("uses what is removed"),
            how => Safe::fixed(how),
        }));
        notes.extend(self.of.as_ref().map(|of| Safe::format("uses {}", &[of])));
        if !self.through.is_empty() {
            notes.push(Safe::format("through {}", &[&Safe::join(&self.through, " > ")]));
        }
        let lines: Vec<Safe> = self.used_in.iter().copied().map(number).collect();
        match lines.as_slice() {
            [] => {}
            [line] => notes.push(Safe::format("line {}", &[line])),
            lines => notes.push(Safe::format("lines {}", &[&Safe::join(lines, ", ")])),
        }
        match (self.one_of, self.confidence) {
            // Of a path whose beginning nobody knows the route says it.
            (_, Some(AMBIGUOUS)) if self.route.as_ref().is_some_and(|route| route.as_str().contains('…')) => {
                notes.push(Safe::fixed("known by the end of its path alone"));
            }
            (Some(n), _) => notes.push(self.one_of_them(n)),
            (None, Some(AMBIGUOUS)) => notes.push(Safe::fixed("may mean another")),
            (None, Some("unique")) if self.promise.is_some() => {}
            (None, Some("unique")) if self.route.as_ref().is_some_and(is_path) => {
                notes.push(Safe::fixed("known by its path alone"));
            }
            // A generated file says itself what it was made from.
            (None, Some("unique")) if self.route.as_ref().is_some_and(is_generated) => {}
            (None, Some("unique")) => notes.push(Safe::fixed("known by its name alone")),
            _ => {}
        }
        notes
    }

    /// The row as one line; of a circle the files in their order.
    pub(crate) fn line(&self, is_circle: bool) -> Safe {
        let mut line = Safe::format("{}:{}", &[&self.path, &Safe::number(self.line)]);
        if is_circle {
            line.push(&Safe::format(" > {}", &[&Safe::join(&self.through, " > ")]));
            if self.kind.is_some() {
                line.push(&Safe::fixed(" (by imports of tests)"));
            }
            return line;
        }
        if let Some(last) = self.last_line.filter(|last| *last != self.line) {
            line.push(&Safe::format("-{}", &[&Safe::number(last)]));
        }
        if let Some(symbol) = &self.symbol {
            line.push(&Safe::format(" {}", &[symbol]));
        }
        let notes = self.notes();
        if !notes.is_empty() {
            line.push(&Safe::format(" ({})", &[&Safe::join(&notes, ", ")]));
        }
        if let Some(text) = &self.text {
            line.push(&Safe::format(": {}", &[text]));
        }
        line
    }
}

/// Whether what is asked for is a path: no procedure, no operation by its name, and no generated code.
fn is_path(route: &Safe) -> bool {
    !["rpc ", "operation "].iter().any(|word| route.as_str().starts_with(word)) && !is_generated(route)
}

/// Whether a contract is linked with what is generated from it.
fn is_generated(route: &Safe) -> bool {
    route.as_str().starts_with("generated code of ")
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line(false).fmt(f)
    }
}

/// Sorts rows by depth, then what is sure before what may be another, then path, line and the rest. Rows that say the same are one.
pub(crate) fn sort(rows: &mut Vec<Row>) {
    let key = |row: &Row| {
        let place = (row.path.clone(), row.line, row.symbol.clone());
        (row.depth, row.is_guess(), row.one_of, row.confidence == Some(Confidence::Unique.name()), place, row.of.clone(), row.how)
    };
    rows.sort_by_cached_key(key);
    rows.dedup();
}
