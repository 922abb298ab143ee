//! A syntax tree to neutral facts: one walk, children before parents, steered by the query table.
//!
//! Each node that is left becomes an [`Entry`] on a stack, with the value its form gave it; its parent reads its children's entries and
//! replaces them by its own. No recursion: depth costs memory only. Knows no language by name.

mod anonymous;
mod assign;
mod call;
mod composed;
mod declarator;
mod define;
mod expected;
mod export;
mod expr;
mod finish;
mod flow;
mod import;
mod instance;
mod member;
mod narrow;
mod open;
mod pattern;
mod quoted;
mod scope;
mod test;
mod tokens;

use crate::capture::{Form, Role};
use crate::facts::{Container, Expr, ExprId, FileFacts, Limit, NameId, Site, SymbolId, SyntaxError, Zone, ZoneKind};
use crate::passages::Levels;
use crate::table::{Child, Pattern, Table};
use crate::{Extracted, Language, MAX_DEPTH};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tree_sitter::{Node, Tree};

/// What a node means to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    /// Nothing.
    None,
    /// An expression or type.
    Expr(ExprId),
    /// A pattern: an index into [`Lower::patterns`].
    Pattern(u32),
    /// A run in [`Lower::values`].
    List(u32, u32),
    /// A part of an imported path: an index into [`Lower::uses`].
    Use(u32),
    /// A name with what a declarator says of it: an index into [`Lower::declarators`].
    Declared(u32),
}

/// A node that has been left.
#[derive(Debug, Clone, Copy)]
struct Entry {
    kind: u16,
    field: u16,
    named: bool,
    start: u32,
    end: u32,
    row: u32,
    value: Value,
}

/// A node that is being walked.
#[derive(Debug, Clone, Copy)]
struct Frame {
    kind: u16,
    field: u16,
    first_entry: u32,
    first_site: u32,
    first_symbol: u32,
    first_field: u32,
    first_bound: u32,
    first_item: u32,
    /// First byte, and the byte after the last.
    bytes: (u32, u32),
    opened: Opened,
}

/// What entering a node has opened, to be closed when it is left.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each thing that a node can open")]
struct Opened {
    symbol: Option<SymbolId>,
    scope: bool,
    container: bool,
    function: bool,
    tokens: bool,
    branch: bool,
}

/// Comments and attributes that stand directly above one another.
#[derive(Debug, Clone, Default)]
struct Above {
    bytes: (u32, u32),
    rows: (u32, u32),
    attributes: Vec<(u32, u32)>,
}

/// The most syntax errors that are kept of one file.
const MAX_SYNTAX_ERRORS: usize = 20;

/// A file to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) path: &'a str,
    pub(crate) source: &'a str,
    /// The same before macros were opened, byte for byte in the same place.
    pub(crate) written: &'a str,
    /// Whether it is a file of tests or benchmarks.
    pub(crate) test_file: bool,
    pub(crate) n_lines: u32,
}

struct Lower<'a> {
    language: &'a Language,
    table: &'a Table,
    path: &'a str,
    source: &'a str,
    written: &'a str,
    test_file: bool,
    facts: FileFacts,
    zones: Vec<Zone>,
    name_ids: FxHashMap<&'a str, NameId>,
    entries: Vec<Entry>,
    frames: Vec<Frame>,
    values: Vec<Value>,
    uses: Vec<import::Use>,
    items: Vec<import::Item>,
    patterns: Vec<pattern::Pattern>,
    declarators: Vec<declarator::Declarator>,
    /// The site of each expression, by expression; `NO_SITE` for none.
    site_of: Vec<u32>,
    /// Byte at which each name expression stands, for scopes that count from the declaration on.
    scopes: scope::Scopes,
    open_symbols: Vec<SymbolId>,
    containers: Vec<Container>,
    /// The kinds of the nodes that opened them.
    container_kinds: Vec<u16>,
    n_open_functions: usize,
    n_open_tokens: usize,
    /// Stretches of macro tokens that have been read as patterns, from their first byte to their end; none overlaps another.
    read_patterns: BTreeMap<u32, u32>,
    /// What each open function returns, innermost last.
    returns: Vec<Vec<ExprId>>,
    /// Values that are asked for their type.
    tested: Vec<ExprId>,
    /// The function value that was left last, and the byte at which its body begins.
    last_function: (ExprId, u32),
    /// Parameters that are the instance, each with the number of open functions where it was met.
    instances: Vec<(usize, &'a str)>,
    /// The names that stand for their types, alike.
    instance_types: Vec<(usize, NameId)>,
    /// Questions for types, in the order of the text.
    questions: Vec<narrow::Question>,
    /// The names of the parameters of open functions of tests, by the function, each with its row.
    given: Vec<(SymbolId, NameId, u32)>,
    /// What may be passed over, in languages where names flow.
    flow: flow::Flow,
    /// Variables of the module that have been assigned, with the values that they got.
    assigned: FxHashMap<NameId, (SymbolId, Vec<ExprId>)>,
    /// The names of members that are assigned outside of the body of a class.
    assigned_members: FxHashSet<NameId>,
    /// Names of scopes outside, each with the number of open functions where it was said.
    outside: Vec<(usize, NameId)>,
    /// How many classes without a name each type around has had so far.
    n_anonymous: FxHashMap<SymbolId, u32>,
    /// The names that the module lists as all of it, where it lists them in a way that can be read.
    listed: Option<assign::Listed>,
    /// Calls that may say something of routes or requests.
    said: Vec<crate::routes::Said>,
    above: Above,
    levels: Levels,
}

const NO_SITE: u32 = u32::MAX;

/// Turns a tree into facts.
pub(crate) fn lower(language: &Language, table: &Table, tree: &Tree, text: &Text<'_>) -> Extracted {
    let Text { path, source, written, test_file, n_lines } = *text;
    let mut lower = Lower {
        language,
        table,
        path,
        source,
        written,
        test_file,
        facts: FileFacts::default(),
        zones: Vec::new(),
        name_ids: FxHashMap::default(),
        entries: Vec::new(),
        frames: Vec::new(),
        values: Vec::new(),
        uses: Vec::new(),
        items: Vec::new(),
        patterns: Vec::new(),
        declarators: Vec::new(),
        site_of: Vec::new(),
        scopes: scope::Scopes::default(),
        open_symbols: Vec::new(),
        containers: vec![Container::File],
        container_kinds: vec![tree.root_node().kind_id()],
        n_open_functions: 0,
        n_open_tokens: 0,
        read_patterns: BTreeMap::new(),
        returns: Vec::new(),
        tested: Vec::new(),
        last_function: (ExprId::UNKNOWN, 0),
        instances: Vec::new(),
        instance_types: Vec::new(),
        questions: Vec::new(),
        given: Vec::new(),
        flow: flow::Flow::default(),
        assigned: FxHashMap::default(),
        assigned_members: FxHashSet::default(),
        outside: Vec::new(),
        n_anonymous: FxHashMap::default(),
        listed: None,
        said: Vec::new(),
        above: Above::default(),
        levels: Levels::new(n_lines as usize),
    };
    lower.facts.n_lines = n_lines;
    lower.add_expr(Expr::Unknown);
    lower.walk(tree);
    lower.finish()
}

impl<'a> Lower<'a> {
    fn walk(&mut self, tree: &Tree) {
        let mut cursor = tree.walk();
        let has_error = tree.root_node().has_error();
        loop {
            let node = cursor.node();
            let field = cursor.field_id().map_or(0, Into::into);
            let descends = self.enter(&node, field, has_error);
            if descends && cursor.goto_first_child() {
                continue;
            }
            self.leave(&cursor.node());
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.leave(&cursor.node());
            }
        }
    }

    /// Opens what the node's forms open. Says whether to look at its children.
    fn enter(&mut self, node: &Node<'_>, field: u16, has_error: bool) -> bool {
        let kind = node.kind_id();
        let mut frame = Frame {
            kind,
            field,
            first_entry: self.entries.len() as u32,
            first_site: self.facts.sites.len() as u32,
            first_symbol: self.facts.symbols.len() as u32,
            first_field: self.facts.fields.len() as u32,
            first_bound: self.n_bound(),
            first_item: self.items.len() as u32,
            bytes: (node.start_byte() as u32, node.end_byte() as u32),
            opened: Opened::default(),
        };
        if has_error && (node.is_error() || node.is_missing()) {
            self.syntax_error(node);
        }
        if node.is_named() && !self.frames.is_empty() {
            let at = node.start_position();
            self.levels.begin(self.source.as_bytes(), node.start_byte(), (at.row, at.column), self.frames.len());
        }
        let patterns = self.table.patterns(kind);
        let mut descends = true;
        if let Some(first) = patterns.first() {
            descends = !matches!(first.form, Form::Skip | Form::Absent);
            frame.opened = self.open(node, patterns);
        }
        if self.frames.len() >= MAX_DEPTH {
            self.facts.limit = Some(Limit::Depth);
            descends = false;
        }
        self.frames.push(frame);
        descends
    }

    /// Gives the node its value and puts it on the stack in place of its children.
    fn leave(&mut self, node: &Node<'_>) {
        let Some(frame) = self.frames.pop() else { return };
        let first = frame.first_entry as usize;
        let patterns = self.table.patterns(frame.kind);
        let mut value = Value::None;
        if patterns.is_empty() {
            if !node.is_named() {
                if self.table.wants_token(frame.kind) {
                    self.push_entry(node, frame, Value::None);
                }
                return;
            }
            let children = &self.entries[first..];
            if let [only] = children {
                value = only.value;
            }
        } else {
            let found = patterns.iter().find(|pattern| matches(pattern, &self.entries[first..]));
            value = match found {
                Some(pattern) => self.apply(pattern, node, frame),
                None => Value::None,
            };
            self.close(&frame);
            self.drop_items(patterns, &frame);
        }
        self.entries.truncate(first);
        let form = patterns.first().map(|first| first.form);
        if form == Some(Form::Modifiers) {
            self.note_call(node, frame.bytes, None);
        }
        // A macro's tokens are told apart by what stands between them, so there a comment counts.
        let unseen = match form {
            Some(Form::Absent | Form::Attribute) => true,
            Some(Form::ZoneComment) => self.n_open_tokens == 0,
            _ => false,
        };
        if !unseen {
            self.push_entry(node, frame, value);
        }
    }

    fn push_entry(&mut self, node: &Node<'_>, frame: Frame, value: Value) {
        self.entries.push(Entry {
            kind: frame.kind,
            field: frame.field,
            named: node.is_named(),
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
            row: node.start_position().row as u32,
            value,
        });
    }

    /// The children of the node that is being left.
    fn children(&self, frame: &Frame) -> &[Entry] {
        &self.entries[frame.first_entry as usize..]
    }

    /// The first child in a role.
    fn child(&self, pattern: &Pattern, frame: &Frame, role: Role) -> Option<Entry> {
        debug_assert!(may_ask(pattern, role), "{:?} reads {role:?}: add it in capture.rs", pattern.form);
        let specs = pattern.children.iter().filter(|spec| spec.role == Some(role));
        let children = self.children(frame);
        specs
            .filter_map(|spec| children.iter().find(|entry| takes(pattern, spec, entry)))
            .min_by_key(|entry| entry.start)
            .copied()
    }

    /// All children in a role, in source order.
    fn all(&self, pattern: &Pattern, frame: &Frame, role: Role) -> Vec<Entry> {
        debug_assert!(may_ask(pattern, role), "{:?} reads {role:?}: add it in capture.rs", pattern.form);
        let specs: Vec<&Child> = pattern.children.iter().filter(|spec| spec.role == Some(role)).collect();
        self.children(frame).iter().filter(|entry| specs.iter().any(|spec| takes(pattern, spec, entry))).copied().collect()
    }

    /// The value of the last child, if it stands in a role.
    fn last_value(&self, pattern: &Pattern, frame: &Frame, role: Role) -> Value {
        let last = self.children(frame).iter().rev().find(|entry| entry.named);
        let in_role = |entry: &&Entry| pattern.children.iter().any(|spec| spec.role == Some(role) && takes(pattern, spec, entry));
        last.filter(in_role).map_or(Value::None, |entry| entry.value)
    }

    /// Text of a node that has been left.
    fn text(&self, entry: &Entry) -> &'a str {
        self.source.get(entry.start as usize..entry.end as usize).unwrap_or_default()
    }

    fn name(&mut self, text: &'a str) -> NameId {
        *self.name_ids.entry(text).or_insert_with(|| self.facts.names.push(text))
    }

    fn add_expr(&mut self, expr: Expr) -> ExprId {
        self.facts.exprs.push(expr);
        self.site_of.push(NO_SITE);
        ExprId(self.facts.exprs.len() as u32 - 1)
    }

    /// The expression of a value: the value itself, or a tuple of several.
    fn expr_of(&mut self, value: Value) -> ExprId {
        match value {
            Value::Expr(expr) => expr,
            Value::List(start, len) => {
                let members = self.values[start as usize..(start + len) as usize].to_vec();
                match members.as_slice() {
                    [] => ExprId::UNKNOWN,
                    [only] => self.expr_of(*only),
                    _ => {
                        let list = self.list(members.iter().map(|member| plain_expr(*member)).collect());
                        self.add_expr(Expr::Tuple(list))
                    }
                }
            }
            Value::None | Value::Pattern(_) | Value::Use(_) | Value::Declared(_) => ExprId::UNKNOWN,
        }
    }

    fn list(&mut self, members: Vec<ExprId>) -> crate::facts::ListId {
        let start = self.facts.lists.len() as u32;
        let len = members.len() as u32;
        self.facts.lists.extend(members);
        crate::facts::ListId { start, len }
    }

    fn push_values(&mut self, members: &[Value]) -> Value {
        let start = self.values.len() as u32;
        self.values.extend_from_slice(members);
        Value::List(start, members.len() as u32)
    }

    /// The nearest open node around whose form is `form`, with its frame.
    fn enclosing(&self, form: Form) -> Option<(&'a Pattern, Frame)> {
        let table = self.table;
        self.frames.iter().rev().find_map(|frame| {
            let pattern = table.patterns(frame.kind).iter().find(|pattern| pattern.form == form)?;
            Some((pattern, *frame))
        })
    }

    fn zone(&mut self, node: &Node<'_>, kind: ZoneKind) {
        self.zones.push(Zone { start: node.start_byte() as u32, end: node.end_byte() as u32, kind });
    }

    fn syntax_error(&mut self, node: &Node<'_>) {
        if self.facts.diagnostics.len() >= MAX_SYNTAX_ERRORS {
            return;
        }
        let at = node.start_position();
        let message = if node.is_missing() {
            format!("syntax error: missing {}", node.kind())
        } else {
            "syntax error: unexpected text".to_owned()
        };
        self.facts.diagnostics.push(SyntaxError { line: at.row as u32 + 1, column: at.column as u32 + 1, message });
    }

    fn container(&self) -> Container {
        self.containers.last().copied().unwrap_or(Container::File)
    }

    fn add_site(&mut self, expr: ExprId, row: u32, kind: crate::facts::SiteKind) {
        self.site_of[expr.0 as usize] = self.facts.sites.len() as u32;
        let from = self.open_symbols.last().copied();
        self.facts.sites.push(Site { expr, line: row + 1, from, kind, in_macro: self.n_open_tokens > 0 });
    }
}

/// The expression of a single value.
fn plain_expr(value: Value) -> ExprId {
    if let Value::Expr(expr) = value { expr } else { ExprId::UNKNOWN }
}

/// Whether the code may ask a pattern for a role: a role that is missing in the list of the form would never be loaded. Definitions share one
/// way of being read, and each has only some of its roles.
fn may_ask(pattern: &Pattern, role: Role) -> bool {
    pattern.form.roles().contains(&role) || open::is_definition(pattern.form)
}

/// Whether a child is what `spec` means: one in a field that the pattern names is not meant by a part that names no field.
fn takes(pattern: &Pattern, spec: &Child, entry: &Entry) -> bool {
    let elsewhere = || pattern.children.iter().any(|other| other.field == Some(entry.field));
    fits(spec, entry) && (spec.field.is_some() || !elsewhere())
}

fn fits(spec: &Child, entry: &Entry) -> bool {
    spec.field.is_none_or(|field| field == entry.field)
        && if spec.kinds.is_empty() { entry.named } else { spec.kinds.contains(&entry.kind) }
}

fn matches(pattern: &Pattern, children: &[Entry]) -> bool {
    pattern.absent.iter().all(|field| children.iter().all(|entry| entry.field != *field))
        && pattern.children.iter().all(|spec| spec.optional || children.iter().any(|entry| fits(spec, entry)))
}
