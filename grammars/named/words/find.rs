//! Definitions, calls and imports among the tokens of a text.

use super::header::{End, Name, Reader};
use super::shape::DELEGATE;
use super::tokens::{Tokens, WORD};
use super::{Begins, Words, visibility};
use crate::facts::{Container, Expr, ExprId, Field, FileFacts, ListId, NameId, Owner, Symbol, SymbolId, SymbolKind, Traits};
use crate::lower::Text;
use crate::{Declared, Language};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of a companion that has none.
const COMPANION: &str = "companion";

/// A definition that is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) container: Container,
    /// The innermost definition that is one.
    pub(super) symbol: Option<SymbolId>,
    /// Its last token.
    pub(super) last: usize,
    /// How many brackets are open around its direct members.
    pub(super) depth: u32,
    /// Whether its members are members of a type.
    pub(super) is_type: bool,
    pub(super) is_function: bool,
    pub(super) is_enum: bool,
}

/// What reads one text.
pub(super) struct Finder<'a> {
    pub(super) language: &'a Language,
    pub(super) words: &'a Words,
    pub(super) reader: Reader<'a>,
    pub(super) path: &'a str,
    pub(super) test_file: bool,
    pub(super) facts: FileFacts,
    pub(super) names: FxHashMap<&'a str, NameId>,
    pub(super) open: Vec<Open>,
    /// Tokens that are names of definitions.
    pub(super) defined: FxHashSet<usize>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(language: &'a Language, words: &'a Words, tokens: &'a Tokens, text: &Text<'a>) -> Self {
        let facts = FileFacts { exprs: vec![Expr::Unknown], ..FileFacts::default() };
        let file = Open {
            container: Container::File,
            symbol: None,
            last: usize::MAX,
            depth: 0,
            is_type: false,
            is_function: false,
            is_enum: false,
        };
        let reader = Reader { words, tokens, text: text.source };
        let (names, defined) = Default::default();
        Self { language, words, reader, path: text.path, test_file: text.test_file, facts, names, open: vec![file], defined }
    }

    /// Reads all of it.
    pub(super) fn find(mut self) -> FileFacts {
        for at in 0..self.reader.tokens.all.len() {
            while self.open.len() > 1 && self.around().last < at {
                self.open.pop();
            }
            if self.words.by_shape && self.begins_member(at) {
                self.member(at);
            }
            if self.reader.kind(at) == WORD {
                self.word(at);
            }
        }
        self.facts
    }

    pub(super) fn around(&self) -> Open {
        self.open[self.open.len() - 1]
    }

    /// Whether a token stands directly in what is around it, not in brackets of something else.
    pub(super) fn is_direct(&self, at: usize) -> bool {
        let around = self.around();
        !around.is_function && self.reader.token(at).is_some_and(|token| token.depth == around.depth)
    }

    fn word(&mut self, at: usize) {
        let text = self.reader.of(at);
        let begins = self.words.begins.iter().find(|(word, _)| *word == text).map(|(_, begins)| *begins);
        if let Some(begins) = begins
            && !self.goes_on(at)
            && self.define(at, begins)
        {
            return;
        }
        if self.words.imports.contains(&text)
            && self.around().symbol.is_none_or(|_| !self.around().is_type && !self.around().is_function)
        {
            self.import(at);
        } else if self.words.by_shape && text == DELEGATE {
            self.delegate(at);
        } else if self.begins_variant(at) {
            self.variant(at);
        } else {
            self.call(at);
        }
    }

    /// Whether a word stands behind a sign on its line that lets no definition begin.
    fn goes_on(&self, at: usize) -> bool {
        let row = |at: usize| self.reader.token(at).map(|token| token.last_row);
        let is_sign = matches!(self.reader.before(at), b'.' | b':' | b',' | b'@' | b'<' | b'&' | b'|' | b'?');
        is_sign && at.checked_sub(1).is_some_and(|before| row(before) == row(at))
    }

    /// Whether a word is a variant of an enum whose variants have no word in front of them.
    fn begins_variant(&self, at: usize) -> bool {
        let has_word = self.words.begins.iter().any(|(_, begins)| *begins == Begins::Variants);
        !has_word && self.around().is_enum && self.is_direct(at) && matches!(self.reader.before(at), b'{' | b',' | b']')
    }

    /// Defines what a word begins, if that is a definition.
    fn define(&mut self, at: usize, begins: Begins) -> bool {
        let reader = self.reader;
        let is_value = matches!(begins, Begins::Constant | Begins::Variable);
        let is_direct = self.is_direct(at);
        if (is_value || matches!(begins, Begins::Variants | Begins::Constructor)) && !is_direct {
            return false;
        }
        if begins == Begins::Variants {
            return self.variants(at);
        }
        let is_word = |text: &str| self.words.begins.iter().any(|(word, _)| *word == text);
        let name = match begins {
            Begins::Constructor => {
                let is_one = self.around().is_type && matches!(reader.kind(at + 1), b'(' | b'<' | b'?' | b'!' | b'{');
                is_one.then_some(Name { text: reader.of(at), receiver: None, token: at, next: at + 1 })
            }
            Begins::Module => reader.name(at, false).map(|name| reader.whole_path(name)),
            _ => reader.name(at, begins == Begins::Function),
        };
        let is_companion = reader.first(at) < at && at > 0 && reader.of(at - 1) == COMPANION;
        let is_name = |name: &Name<'_>| !is_word(reader.of(name.token)) || begins == Begins::Constructor;
        let name = match name.filter(is_name) {
            Some(name) => name,
            None if is_companion => Name { text: "Companion", receiver: None, token: at, next: at + 1 },
            None => return false,
        };
        if is_value && reader.kind(name.next) == b'(' {
            return false;
        }
        let mut end = reader.end(at, name.next);
        if begins == Begins::Module && !end.is_block && reader.kind(end.last) == b';' {
            // A namespace without braces holds what follows.
            end.last = reader.tokens.all.len() - 1;
        }
        let first = reader.first(at);
        self.defined.insert(name.token);
        if begins == Begins::Members {
            self.members(name, end);
            return true;
        }
        let is_member = is_direct && self.around().is_type || name.receiver.is_some() && !is_value && begins == Begins::Function;
        let rows = |at: usize| reader.token(at).map_or((0, 0), |token| (token.row, token.last_row));
        if is_value && is_member && rows(first).0 == rows(end.last).1 {
            self.field(name.token, false);
            return true;
        }
        let kind = match begins {
            Begins::Function | Begins::Constructor if is_member => SymbolKind::Method,
            Begins::Function | Begins::Constructor => SymbolKind::Function,
            Begins::Interface => SymbolKind::Interface,
            Begins::Alias => SymbolKind::Alias,
            Begins::Module => SymbolKind::Module,
            Begins::Constant => SymbolKind::Constant,
            Begins::Variable => SymbolKind::Variable,
            _ => SymbolKind::Type,
        };
        let container = name.receiver.filter(|_| kind == SymbolKind::Method).map(|receiver| self.owner(receiver, name.token));
        let symbol = self.symbol(name, kind, (first, end), container, is_direct);
        self.enter(symbol, name.token, kind, end, (first..at).any(|at| reader.of(at) == "enum") || reader.of(at) == "enum");
        true
    }

    /// Opens a definition: what stands in it belongs to it.
    pub(super) fn enter(&mut self, symbol: SymbolId, name: usize, kind: SymbolKind, end: End, is_enum: bool) {
        let is_type = matches!(kind, SymbolKind::Type | SymbolKind::Interface);
        let is_function = !is_type && kind != SymbolKind::Module;
        let depth = self.depth_of(end, name);
        let open = Open {
            container: Container::Symbol(symbol),
            symbol: Some(symbol),
            last: end.last,
            depth,
            is_type,
            is_function,
            is_enum,
        };
        self.open.push(open);
    }

    /// How many brackets are open around the members of a definition.
    fn depth_of(&self, end: End, name: usize) -> u32 {
        let of = |at: usize| self.reader.token(at).map_or(0, |token| token.depth);
        end.body.filter(|_| end.is_block).map_or_else(|| of(name), |brace| of(brace) + 1)
    }

    /// Opens a block of members of a type that stands elsewhere.
    fn members(&mut self, name: Name<'a>, end: End) {
        let container = self.owner(name.text, name.token);
        let symbol = self.around().symbol;
        let depth = self.depth_of(end, name.token);
        let open = Open { container, symbol, last: end.last, depth, is_type: true, is_function: false, is_enum: false };
        self.open.push(open);
    }

    /// A block of members of a type by its name.
    fn owner(&mut self, of: &'a str, at: usize) -> Container {
        let name = self.name(of);
        let of = self.expr(Expr::Name(name));
        let line = self.line(at);
        let container = self.around().container;
        self.facts.owners.push(Owner { container, of, implements: ExprId::UNKNOWN, line });
        Container::Owner(self.facts.owners.len() as u32 - 1)
    }

    pub(super) fn symbol(
        &mut self,
        name: Name<'a>,
        kind: SymbolKind,
        (first, end): (usize, End),
        container: Option<Container>,
        is_direct: bool,
    ) -> SymbolId {
        let reader = self.reader;
        let around = self.around();
        let span = |at: usize| reader.token(at).map_or((0, 0, 0, 0), |token| (token.start, token.end, token.row, token.last_row));
        let (start, _, row, _) = span(first);
        let (_, stop, _, last_row) = span(end.last.max(first));
        let (doc, doc_row, traits) = self.above(first, start, row);
        let inherited = around.symbol.map_or(0, |id| self.facts.symbols[id.0 as usize].traits.0 & Traits::INHERITED.0);
        let mut traits = Traits(traits.0 | inherited);
        if matches!(kind, SymbolKind::Function | SymbolKind::Method) {
            let (path, test_file, is_nested) = (self.path, self.test_file, around.is_function);
            let (holder, of_tests, words, gives) = (None, false, "", "");
            let declared = Declared { name: name.text, path, test_file, holder, of_tests, words, gives, is_nested };
            traits.add((self.language.reading.function)(&declared));
        }
        let is_nested = container.is_none() && (around.is_function || !is_direct);
        let bits = [
            (is_nested, Traits::NESTED),
            (kind == SymbolKind::Method, Traits::INSTANCE),
            (matches!(kind, SymbolKind::Function | SymbolKind::Method) && end.body.is_none(), Traits::BODILESS),
        ];
        bits.iter().filter(|(set, _)| *set).for_each(|(_, bit)| traits.add(*bit));
        let name_start = span(name.token).0;
        let words = reader.text.get(start as usize..name_start as usize).unwrap_or_default();
        let symbol = Symbol {
            name: self.name(name.text),
            kind,
            container: container.unwrap_or(around.container),
            visibility: visibility(self.language, name.text, words, around.is_type),
            traits,
            lines: (row + 1, last_row + 1),
            name_line: self.line(name.token),
            bytes: (start, stop),
            body: end.body.map_or(stop, |body| span(body).0),
            doc,
            doc_line: doc_row + 1,
            parameters: ListId::default(),
            declared: ExprId::UNKNOWN,
            value: ExprId::UNKNOWN,
        };
        self.facts.symbols.push(symbol);
        SymbolId(self.facts.symbols.len() as u32 - 1)
    }

    /// What stands above a definition: comments and annotations, the first row of these, and what they say.
    fn above(&self, first: usize, start: u32, row: u32) -> ((u32, u32), u32, Traits) {
        let reader = self.reader;
        let annotated = reader.annotated(first);
        let (mut top, mut top_row) = reader.token(annotated).map_or((start, row), |token| (token.start, token.row));
        let text = |from: u32, to: u32| reader.text.get(from as usize..to as usize).unwrap_or_default();
        let mut traits = (self.language.reading.attribute)(text(top, start));
        let comments = &reader.tokens.comments;
        // What stands above a line belongs to the first on it.
        let is_first =
            annotated.checked_sub(1).and_then(|before| reader.token(before)).is_none_or(|before| before.last_row < top_row);
        let mut next = if is_first { comments.partition_point(|comment| comment.bytes.0 < top) } else { 0 };
        while let Some(comment) =
            next.checked_sub(1).map(|at| comments[at]).filter(|comment| comment.is_alone && comment.rows.1 + 1 >= top_row)
        {
            (top, top_row, next) = (comment.bytes.0, comment.rows.0, next - 1);
        }
        if self.language.reading.deprecated_marks.iter().any(|mark| text(top, start).contains(mark)) {
            traits.add(Traits::DEPRECATED);
        }
        let end = text(top, start).trim_end().len() as u32 + top;
        ((top, end), top_row, traits)
    }

    /// Variants of an enum behind a word.
    fn variants(&mut self, at: usize) -> bool {
        let reader = self.reader;
        let is_word = self.words.begins.iter().any(|(word, _)| *word == reader.of(at + 1));
        let is_own = self.around().is_enum && reader.kind(at + 1) == WORD && !is_word;
        let mut next = at + 1;
        while is_own && reader.kind(next) == WORD {
            self.variant(next);
            next += 1;
            if reader.kind(next) == b'(' {
                next = reader.behind(next);
            }
            if reader.kind(next) == b'=' {
                next += 2;
            }
            if reader.kind(next) != b',' {
                break;
            }
            next += 1;
        }
        is_own
    }

    fn variant(&mut self, at: usize) {
        self.defined.insert(at);
        self.field(at, true);
    }

    pub(super) fn field(&mut self, at: usize, variant: bool) {
        let (name, line) = (self.name(self.reader.of(at).trim_matches('`')), self.line(at));
        let container = self.around().container;
        let field = Field::of(container, name, ExprId::UNKNOWN, ExprId::UNKNOWN, line);
        self.facts.fields.push(Field { variant, ..field });
    }

    pub(super) fn name(&mut self, text: &'a str) -> NameId {
        *self.names.entry(text).or_insert_with(|| self.facts.names.push(text))
    }

    pub(super) fn expr(&mut self, expr: Expr) -> ExprId {
        self.facts.exprs.push(expr);
        ExprId(self.facts.exprs.len() as u32 - 1)
    }

    pub(super) fn line(&self, at: usize) -> u32 {
        self.reader.token(at).map_or(1, |token| token.row + 1)
    }
}
