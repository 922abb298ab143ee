//! The line in which a group says of itself, as a list, how much of what there is it has.
//!
//! Must not know what the list is about: how complete it was before anything was cut it is told.

use super::pieces::{Counter, Form};
use index::completeness::Completeness;
use redact::{PacketWriter, Safe};
use tokens::Tokens;

/// A list with how complete it is.
#[derive(Debug, Clone)]
pub struct List {
    /// What its entries are: the kind that stands in each.
    pub kind: &'static str,
    /// How complete all its entries were.
    completeness: Completeness,
    /// The line as long as nothing was cut.
    whole: Form,
    /// The line once something was.
    cut: Form,
}

impl List {
    /// A list that is as complete as this while nothing is cut.
    pub fn new(counter: Counter, kind: &'static str, completeness: Completeness, is_empty: bool) -> Self {
        // One word: why it is not complete stands in the JSON form.
        let line = |sentence, completeness: &Completeness| {
            counter.line(Safe::format(sentence, &[&Safe::fixed(completeness.state.word())]))
        };
        let whole = line(if is_empty { "  none found ({})" } else { "  ({})" }, &completeness);
        let cut = line("  ({})", &without(completeness.clone()));
        Self { kind, completeness, whole, cut }
    }

    /// How complete it is when so many of its entries are cut.
    pub fn completeness(&self, n_cut: usize) -> Completeness {
        if n_cut > 0 { without(self.completeness.clone()) } else { self.completeness.clone() }
    }

    /// An upper bound for its tokens, however many entries are cut.
    pub fn tokens(&self) -> Tokens {
        self.whole.tokens().max(self.cut.tokens())
    }

    /// Appends its line to a text.
    pub fn write(&self, writer: &mut PacketWriter, n_cut: usize) {
        if n_cut > 0 { &self.cut } else { &self.whole }.write(writer);
    }
}

/// What is left of a completeness once something was cut.
fn without(mut completeness: Completeness) -> Completeness {
    completeness.lacks("cut for want of room".to_owned());
    completeness
}
