//! Tokens of a macro, read as far as they show paths, members and calls.
//!
//! A macro's arguments are not parsed by the grammar. Most of them are ordinary expressions, and a call in `assert_eq!(f(x), 1)` is a call:
//! names joined by `.` and `::` and followed by parentheses are read as such, by what stands between one token with a value and the next.
//! Everything else ends the expression.

use super::{Entry, Frame, Lower, Value, plain_expr};
use crate::facts::{Expr, ExprId, NameId, SiteKind};
use tree_sitter::Node;

/// The longest pattern whose names are looked for, in tokens.
const MAX_PATTERN: usize = 16;

/// Words in patterns that are no names.
const PATTERN_WORDS: [&str; 3] = ["mut", "true", "false"];

/// What groups of tokens begin with.
const GROUPS: [char; 3] = ['(', '[', '{'];

/// Signs in front of an expression that leave it what it is.
const LEADING: [&str; 5] = ["", "&", "&mut", "*", "&*"];

/// What has been read of the expression at hand.
#[derive(Debug, Clone, Copy)]
struct Read {
    expr: ExprId,
    /// Whether it is one name so far.
    single: bool,
}

/// A name that tokens bind, while what it is bound to is being read.
#[derive(Debug, Clone, Copy)]
struct Bound {
    name: NameId,
    declared: ExprId,
    /// Whether the type is being read, not yet the value.
    in_type: bool,
    /// Whether it is a parameter of a function value, between bars.
    parameter: bool,
}

/// The first of the expressions that a group of tokens has between commas.
#[derive(Debug, Clone, Copy)]
struct First {
    /// Whether all that was read so far is one expression.
    is_one: bool,
    /// The expression, once a comma has ended it.
    expr: Option<ExprId>,
}

/// Type arguments that are being passed over: what they belong to, and how many are open.
#[derive(Debug, Clone, Copy)]
struct Turbofish {
    of: ExprId,
    open: i32,
}

impl<'a> Lower<'a> {
    pub(super) fn tokens(&mut self, node: &Node<'_>, frame: Frame) -> Value {
        let before = self.source[..node.start_byte()].trim_end();
        if self.source[node.byte_range()].starts_with('[') && is_attribute(before) {
            self.kill_token_sites(frame);
            return Value::None;
        }
        let children = self.children(&frame).to_vec();
        let mut current: Option<Read> = None;
        let mut turbofish: Option<Turbofish> = None;
        let mut bound: Option<Bound> = None;
        let mut in_parameters = false;
        let mut first = First { is_one: true, expr: None };
        let mut pattern_end = 0;
        let mut end = node.start_byte() as u32 + 1;
        for (at, entry) in children.iter().copied().enumerate() {
            let source = self.source;
            let mut gap = source[end.min(entry.start) as usize..entry.start as usize].trim();
            let before = std::mem::replace(&mut end, entry.end);
            if gap.contains("=>") {
                self.bind_arm(&children[..at]);
            }
            if let Some(mut open) = turbofish {
                open.open += angles(gap);
                turbofish = (open.open > 0).then_some(open);
                if turbofish.is_some() {
                    continue;
                }
                current = Some(Read { expr: open.of, single: false });
                gap = gap.rsplit('>').next().unwrap_or_default().trim_start();
            }
            if first.expr.is_none() {
                if at == 0 {
                    first.is_one = LEADING.contains(&gap);
                } else if let Some((operators, _)) = gap.split_once([',', ';']) {
                    first.expr = Some(self.end_first(first, current, operators));
                }
            }
            let text = self.text(&entry);
            let bars = gap.replace("||", "").matches('|').count();
            if let Some(open) = bound
                && (gap.starts_with([';', ',']) || text == ";" || bars > 0 && open.parameter || gap.contains("=>"))
            {
                self.bind_tokens(open, current, entry.start);
                (bound, current) = (None, None);
            }
            if bars > 0 {
                // Bars stand around parameters where a value can begin: behind a separator, or at the start.
                let before = gap.split('|').next().unwrap_or_default().trim_end();
                let can_begin = current.is_none() || before.ends_with([',', '=', '(', ';']) || before.ends_with("move");
                in_parameters = bars == 1 && !in_parameters && can_begin;
            }
            let lead = gap.trim_end_matches("mut").trim_end_matches('&').trim_end();
            let is_let = lead.ends_with("let") && !lead.ends_with("_let");
            let is_parameter = in_parameters && (lead.ends_with('|') || lead.ends_with(','));
            let is_group = text.starts_with(GROUPS);
            let is_name = !is_group && plain_expr(entry.value) != ExprId::UNKNOWN && !self.names_type(plain_expr(entry.value));
            if lead.ends_with("for") || is_let && !is_name {
                pattern_end = self.bind_until(&children[at..], if is_let { "=" } else { "in" });
            } else if bound.is_none() && !is_name && (is_parameter || in_parameters && gap.is_empty() && pattern_end == before) {
                self.bind_names(entry.start, entry.end);
                pattern_end = entry.end;
            }
            if (is_let || is_parameter) && is_name {
                self.end_single(current);
                self.kill_expr(plain_expr(entry.value));
                let name = self.name(text);
                bound = Some(Bound { name, declared: ExprId::UNKNOWN, in_type: false, parameter: is_parameter });
                current = None;
                first.is_one = false;
                continue;
            }
            if let Some(open) = &mut bound
                && current.is_none()
            {
                open.in_type |= gap.starts_with(':') && !gap.starts_with("::");
            }
            if let Some(open) = &mut bound
                && open.in_type
                && gap.starts_with('=')
            {
                open.declared = current.map_or(ExprId::UNKNOWN, |read| read.expr);
                open.in_type = false;
                current = None;
            }
            if text.starts_with("//") || text.starts_with("/*") {
                current = current.filter(|_| gap.is_empty());
            } else if let (Some(read), Some(rest)) = (current, gap.strip_prefix("::<")) {
                turbofish = Some(Turbofish { of: read.expr, open: 1 + angles(rest) });
            } else if entry.start < pattern_end && is_group {
                self.end_single(current);
                current = None;
            } else if is_group {
                current = self.token_tree(current, gap, &entry);
            } else {
                current = self.token(current, gap, &entry);
            }
            if turbofish.is_none() {
                first.is_one &= current.is_some_and(|read| at == 0 || !read.single);
            }
        }
        let last = source_between(self.source, end, node.end_byte() as u32 - 1);
        let value = match first.expr {
            Some(first) if first != ExprId::UNKNOWN => self.push_values(&[Value::Expr(first), Value::None]),
            Some(_) => Value::None,
            None => Value::Expr(self.end_first(first, current, last.trim_end_matches(','))),
        };
        match bound {
            Some(open) => self.bind_tokens(open, current, end),
            None => self.end_single(current),
        }
        value
    }

    /// The first expression where it ends, with the operators behind it; unknown where there is more than it.
    fn end_first(&mut self, first: First, read: Option<Read>, operators: &str) -> ExprId {
        let read = read.filter(|_| first.is_one);
        read.and_then(|read| self.postfix(read.expr, operators)).unwrap_or(ExprId::UNKNOWN)
    }

    /// Makes a name known in the rest of the tokens.
    fn bind_tokens(&mut self, bound: Bound, read: Option<Read>, known_from: u32) {
        let of = read.map_or(ExprId::UNKNOWN, |read| read.expr);
        if bound.in_type {
            self.retag(of, SiteKind::Type);
            self.bind(bound.name, of, ExprId::UNKNOWN, known_from);
        } else {
            self.end_single(read);
            self.bind(bound.name, bound.declared, of, known_from);
        }
    }

    /// Binds the names of the pattern that the first of these begins, up to a sign or word. Says where it ends; at the start where nothing ends
    /// it.
    fn bind_until(&mut self, entries: &[Entry], mark: &str) -> u32 {
        let source = self.source;
        let around = entries.windows(2).take(MAX_PATTERN).find(|pair| {
            let gap = &source[pair[0].end.min(pair[1].start) as usize..pair[1].start as usize];
            gap.trim_start().starts_with(mark) || self.text(&pair[1]) == mark
        });
        let (Some(pair), Some(first)) = (around, entries.first()) else { return 0 };
        self.bind_names(first.start, pair[0].end);
        pair[0].end
    }

    /// Binds the names of the pattern in front of an arrow, which may have a condition behind it.
    fn bind_arm(&mut self, before: &[Entry]) {
        let source = self.source;
        let gap = |at: usize| {
            let start = if at == 0 { before[0].start } else { before[at - 1].end };
            &source[start.min(before[at].start) as usize..before[at].start as usize]
        };
        let (mut first, mut last) = (before.len(), before.len());
        for at in (0..before.len()).rev().take(MAX_PATTERN) {
            let gap = gap(at);
            if self.text(&before[at]).starts_with('{') && gap.trim_end().ends_with("=>") {
                break;
            }
            first = at;
            if gap.split(|c: char| !c.is_alphanumeric()).any(|word| word == "if") {
                last = at;
            }
            if gap.contains([',', ';']) || gap.contains("=>") {
                break;
            }
        }
        if first < last {
            self.bind_names(before[first].start, before[last - 1].end);
        }
    }

    /// Binds the names of a pattern, by its text: words that are neither fields nor the names of variants, types or functions.
    fn bind_names(&mut self, start: u32, end: u32) {
        let source = self.source;
        for (from, to) in self.unread(start, end) {
            #[cfg(test)]
            work::add((to - from) as usize);
            self.bind_names_of(&source[start as usize..to as usize], (from - start) as usize, start);
        }
    }

    /// Takes a stretch for read as a pattern, and gives the parts of it that were not before. What looks like a pattern in another binds names of
    /// a scope of its own: read again for each pattern around it, 384 KB of arms in arms took 1.35 GB.
    fn unread(&mut self, start: u32, end: u32) -> Vec<(u32, u32)> {
        let before = self.read_patterns.range(..start).next_back().filter(|(_, to)| **to > start);
        let first = before.map_or(start, |(from, _)| *from);
        let known: Vec<(u32, u32)> = self.read_patterns.range(first..end).map(|(from, to)| (*from, *to)).collect();
        let mut parts = Vec::new();
        let mut at = start;
        for (from, to) in known {
            self.read_patterns.remove(&from);
            parts.push((at, from.max(at)));
            at = at.max(to);
        }
        parts.push((at, end.max(at)));
        self.read_patterns.insert(first, end.max(at));
        parts.retain(|(from, to)| from < to);
        parts
    }

    /// Binds the names of the last part of a pattern, that from the byte `at` of its text on.
    fn bind_names_of(&mut self, text: &'a str, mut at: usize, known_from: u32) {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        while let Some(begin) = text[at..].find(|c: char| is_part(c) || c == '"') {
            let begin = at + begin;
            let rest = &text[begin..];
            if let Some(literal) = rest.strip_prefix('"') {
                at = literal.find('"').map_or(text.len(), |length| begin + length + 2);
                continue;
            }
            let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            at = begin + word.len();
            let reading = &self.language.reading;
            let is_value = word.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && word != "_"
                && !PATTERN_WORDS.contains(&word)
                && !reading.tokens.reserved.contains(&word)
                && !(reading.pattern_constant)(word);
            let is_used = text[..begin].ends_with(['\'', '$'])
                || text[..begin].trim_end().ends_with("::")
                || text[at..].trim_start().starts_with([':', '(', '{', '!']);
            if is_value && !is_used {
                let name = self.name(word);
                self.bind(name, ExprId::UNKNOWN, ExprId::UNKNOWN, known_from);
            }
        }
    }

    /// A name or literal with what stands in front of it.
    fn token(&mut self, current: Option<Read>, gap: &str, entry: &Entry) -> Option<Read> {
        let text = self.text(entry);
        let expr = plain_expr(entry.value);
        let words = &self.language.reading.tokens;
        let is_member = gap.ends_with('.') && !gap.ends_with("..");
        let is_segment = gap == "::" || gap == ">::";
        // A reserved word has no value, but behind a dot or in a path it is a name.
        let is_name = expr != ExprId::UNKNOWN || (is_member || is_segment) && text.starts_with(char::is_alphabetic);
        let last_word = gap.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if !is_name || words.reserved.contains(&text) || words.defining.contains(&last_word) || gap.ends_with('\'') {
            self.kill_expr(expr);
            self.end_single(current);
            return None;
        }
        if is_segment {
            self.kill_expr(expr);
            let name = self.name(text);
            let base = current.map_or(ExprId::UNKNOWN, |read| read.expr);
            let made = self.scoped(base, name);
            return Some(self.token_site(made, entry.row));
        }
        if is_member {
            self.kill_expr(expr);
            self.end_single(current);
            let name = self.name(text);
            let base = current.and_then(|read| self.postfix(read.expr, &gap[..gap.len() - 1]));
            return Some(self.token_site(Expr::Member(base.unwrap_or(ExprId::UNKNOWN), name), entry.row));
        }
        // `name: value` and `name = value` give a name, they do not use it.
        let names_next = matches!(gap, ":" | "=");
        match current {
            Some(read) if names_next && read.single => self.kill_expr(read.expr),
            other => self.end_single(other),
        }
        Some(Read { expr, single: true })
    }

    fn token_site(&mut self, made: Expr, row: u32) -> Read {
        let expr = self.add_expr(made);
        self.add_site(expr, row, SiteKind::Mention);
        Read { expr, single: false }
    }

    /// A group of tokens: arguments, an index, a literal's fields or an expression of its own.
    fn token_tree(&mut self, current: Option<Read>, gap: &str, entry: &Entry) -> Option<Read> {
        let text = self.text(entry);
        let Some(read) = current else {
            let expr = plain_expr(entry.value);
            return (text.starts_with('(') && expr != ExprId::UNKNOWN).then_some(Read { expr, single: false });
        };
        let first = self.first_given(entry.value);
        if gap == "!" {
            self.retag(read.expr, SiteKind::Macro);
            return (first != ExprId::UNKNOWN)
                .then(|| Read { expr: self.add_expr(Expr::Expanded(read.expr, first)), single: false });
        }
        let Some(of) = self.postfix(read.expr, gap) else {
            self.end_single(current);
            return None;
        };
        let made = match text.as_bytes().first() {
            Some(b'(') => {
                self.retag(of, SiteKind::Call);
                Expr::Call(of, first)
            }
            Some(b'[') => Expr::Index(of),
            _ if self.names_type(of) => {
                self.retag(of, SiteKind::New);
                Expr::Instance(of)
            }
            _ => {
                self.end_single(current);
                return None;
            }
        };
        Some(Read { expr: self.add_expr(made), single: false })
    }

    /// The first expression of what a group of tokens gives.
    pub(super) fn first_given(&self, value: Value) -> ExprId {
        match value {
            Value::List(start, len) if len > 0 => plain_expr(self.values[start as usize]),
            value => plain_expr(value),
        }
    }

    /// An expression with the operators behind it; nothing where `operators` is anything else.
    fn postfix(&mut self, expr: ExprId, operators: &str) -> Option<ExprId> {
        let mut expr = expr;
        let mut rest = operators.trim();
        while !rest.is_empty() {
            if let Some(tail) = rest.strip_prefix('?') {
                (expr, rest) = (self.add_expr(Expr::Try(expr)), tail.trim_start());
            } else if let Some(tail) = rest.strip_prefix(".await") {
                (expr, rest) = (self.add_expr(Expr::Await(expr)), tail.trim_start());
            } else {
                return None;
            }
        }
        Some(expr)
    }

    /// A single name that nothing follows is more likely a variable, a key or a word of the macro than a use of a definition; a name written
    /// like a type or constant is a use.
    fn end_single(&mut self, read: Option<Read>) {
        if let Some(read) = read.filter(|read| read.single)
            && !self.names_type(read.expr)
        {
            self.kill_site(read.expr);
        }
    }

    /// Takes out all sites from the start of a node on.
    pub(super) fn kill_token_sites(&mut self, frame: Frame) {
        for site in &mut self.facts.sites[frame.first_site as usize..] {
            if site.in_macro {
                site.line = 0;
            }
        }
    }
}

/// The text between two bytes, without what is blank around it.
fn source_between(source: &str, start: u32, end: u32) -> &str {
    source.get(start as usize..end as usize).unwrap_or_default().trim()
}

/// Whether a group of tokens in brackets is an attribute, by what stands in front of it: `#` or `#!`.
fn is_attribute(before: &str) -> bool {
    before.strip_suffix('!').unwrap_or(before).ends_with('#')
}

/// How many more angle brackets a stretch of text opens than it closes.
fn angles(text: &str) -> i32 {
    let opened = text.matches('<').count() as i32;
    let closed = text.matches('>').count() as i32 - text.matches("->").count() as i32 - text.matches("=>").count() as i32;
    opened - closed
}
