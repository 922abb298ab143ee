//! The pieces of a text, each counted once when it is made, and the entries that they make up.

use super::worth::Worth;
use activate_rules::atoms::{Energy, Hops, Tier};
use redact::{PacketWriter, Safe, Trust};
use tokens::{Tokenizer, Tokens};

/// A part of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A line of its own.
    Line(Safe),
    /// Code or quoted text between fences.
    Fenced(Trust, Safe),
}

/// One way to show an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pieces: Vec<Piece>,
    tokens: Tokens,
}

/// What is known of an entry beside its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// What it is: one word.
    pub kind: &'static str,
    /// The canonical id of the node it shows.
    pub id: Option<Safe>,
    /// The file it is about.
    pub path: Option<Safe>,
    /// First and last line in that file.
    pub lines: Option<(u32, u32)>,
    /// Its score.
    pub score: Option<Energy>,
    /// Hot or warm.
    pub tier: Option<Tier>,
    /// Why it is shown.
    pub reason: Option<Safe>,
    /// Where its text comes from; our own words where nothing is said.
    pub trust: Option<Trust>,
    /// Links between it and its seed.
    pub hops: Hops,
    /// Which passage of its definition or file it is, from 0.
    pub part: u32,
    /// What one line can say of it: signatures, names, a command. Only where the context is traced.
    pub summary: Option<Safe>,
    /// The symbols that it shows in one piece, best first. Only where the context is traced.
    pub parts: Vec<About>,
}

/// What is shown once around the passages of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The file.
    pub path: Safe,
    /// Why the passage is shown, should it be the first.
    pub reason: Safe,
    /// Where the text comes from.
    pub trust: Trust,
    /// An upper bound for the tokens of header and fences.
    pub tokens: Tokens,
    /// The first lines of the definitions around the passage, each with its number and an upper bound for its tokens.
    pub openings: Vec<(u32, Safe, Tokens)>,
    /// First and last line of each form.
    pub lines: Vec<(u32, u32)>,
    /// First and last line of the passage with the blank lines around it.
    pub whole: (u32, u32),
    /// Whether its lines have a gutter.
    pub is_numbered: bool,
}

/// Something that is shown or left out as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What is known of it.
    pub about: About,
    /// The ways to show it, fullest first; never empty.
    forms: Vec<Form>,
    /// The form that is shown.
    form: usize,
    /// Its name within the packet, once it has one: a delta calls it so.
    pub key: String,
    /// What it is worth to show it, where that decides.
    pub(crate) worth: Worth,
    /// What stands around it, where it is a passage.
    pub block: Option<Block>,
    /// Its turn among what is worth showing, once that is known.
    pub turn: usize,
}

/// Counts pieces as upper bounds: each line alone, with its line feed.
#[derive(Debug, Clone, Copy)]
pub struct Counter(pub Tokenizer);

impl Counter {
    /// A form of these pieces.
    pub fn form(self, pieces: Vec<Piece>) -> Form {
        let tokens = pieces.iter().map(|piece| self.piece(piece)).sum();
        Form { pieces, tokens }
    }

    /// A form of one line.
    pub fn line(self, line: Safe) -> Form {
        self.form(vec![Piece::Line(line)])
    }

    /// A heading: an empty line, then the line.
    pub fn heading(self, line: &'static str) -> Form {
        self.form(vec![Piece::Line(Safe::default()), Piece::Line(Safe::fixed(line))])
    }

    /// A form of code that stands between fences with other code: what the fences cost is counted once for all of it.
    pub fn code(self, trust: Trust, code: Safe) -> Form {
        let lines = self.0.line_tokens(code.as_str());
        Form { pieces: vec![Piece::Fenced(trust, code)], tokens: Tokens(lines.last().copied().unwrap_or_default()) }
    }

    /// What a header costs.
    pub fn block(self, header: &Safe) -> Tokens {
        self.line(header.clone()).tokens()
    }

    /// What a pair of fences costs.
    pub fn fences(self, trust: Trust) -> Tokens {
        self.piece(&Piece::Fenced(trust, Safe::default()))
    }

    fn piece(self, piece: &Piece) -> Tokens {
        // What the writer puts around a piece is counted by letting it do so.
        let mut writer = PacketWriter::new();
        write(&mut writer, piece);
        let lines = self.0.line_tokens(writer.draft());
        Tokens(lines.last().copied().unwrap_or_default())
    }
}

fn write(writer: &mut PacketWriter, piece: &Piece) {
    match piece {
        Piece::Line(line) => writer.line(line),
        Piece::Fenced(trust, text) => writer.fenced(*trust, text),
    }
}

impl Form {
    /// Its pieces, with more behind its last line.
    pub fn ending_in(&self, more: &Safe) -> Vec<Piece> {
        let mut pieces = self.pieces.clone();
        if let Some(Piece::Line(line)) = pieces.last_mut() {
            *line = Safe::format("{}{}", &[line, more]);
        }
        pieces
    }

    /// An upper bound for its tokens, without a joint.
    pub fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// The pieces, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Appends the form to a text.
    pub fn write(&self, writer: &mut PacketWriter) {
        for piece in &self.pieces {
            write(writer, piece);
        }
    }
}

impl Entry {
    /// An entry with the ways to show it, fullest first. Smaller forms that are not smaller are left out.
    pub fn new(about: About, forms: Vec<Form>) -> Self {
        let mut kept: Vec<Form> = Vec::with_capacity(forms.len());
        for form in forms {
            if kept.last().is_none_or(|last| form.tokens < last.tokens) {
                kept.push(form);
            }
        }
        Self { about, forms: kept, form: 0, key: String::new(), worth: Worth::default(), block: None, turn: 0 }
    }

    /// An entry of one line.
    pub fn line(counter: Counter, about: About, line: Safe) -> Self {
        Self::new(about, vec![counter.line(line)])
    }

    /// The ways to show it, fullest first.
    pub fn forms(&self) -> &[Form] {
        &self.forms
    }

    /// The form that is shown.
    pub fn form(&self) -> Option<&Form> {
        self.forms.get(self.form)
    }

    /// The pieces that are shown.
    pub fn pieces(&self) -> &[Piece] {
        self.forms.get(self.form).map_or(&[], |form| &form.pieces)
    }

    /// Whether a smaller form is shown than the fullest.
    pub fn is_shrunk(&self) -> bool {
        self.form > 0
    }

    /// The same entry with what it is worth.
    #[must_use]
    pub(crate) fn worth(self, worth: Worth) -> Self {
        Self { worth, ..self }
    }

    /// The same entry as a passage of a file.
    #[must_use]
    pub(crate) fn within(self, block: Block) -> Self {
        Self { block: Some(block), ..self }
    }

    /// The same entry in this turn.
    #[must_use]
    pub(crate) fn in_turn(self, turn: usize) -> Self {
        Self { turn, ..self }
    }

    /// First and last line of the shown form of a passage.
    pub fn lines(&self) -> Option<(u32, u32)> {
        self.block.as_ref()?.lines.get(self.form).copied()
    }

    /// Shows the next smaller form, if there is one; the tokens that this saves.
    pub fn shrink(&mut self) -> Option<Tokens> {
        let next = self.forms.get(self.form + 1)?.tokens;
        let saved = Tokens(self.tokens().0.saturating_sub(next.0));
        self.form += 1;
        Some(saved)
    }

    /// Appends the shown form to a text.
    pub fn write(&self, writer: &mut PacketWriter) {
        for piece in self.pieces() {
            write(writer, piece);
        }
    }

    /// An upper bound for the tokens of the shown form, without a joint.
    pub fn tokens(&self) -> Tokens {
        self.forms.get(self.form).map_or(Tokens(0), |form| form.tokens)
    }
}
