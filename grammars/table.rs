//! Query files to a table from node kind to patterns, so that one walk over the tree serves all queries.
//!
//! The files are tree-sitter queries of one level: a node, its fields and children, each child named by kind, `_` or token. Staying within
//! one level lets the walk match a node from the children it has just left, for 0.2 instead of 0.5 of the time of parsing that the general
//! query engine takes on kubernetes (measured 2026-11-20). A test loads each file with tree-sitter's own engine too.

use crate::capture::{Form, Role};
use tree_sitter::Language;

/// A pattern of one node.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// What the node is when the pattern matches.
    pub(crate) form: Form,
    /// What must stand among its children, in the order written.
    pub(crate) children: Vec<Child>,
    /// Fields that must be absent.
    pub(crate) absent: Vec<u16>,
}

/// What a child must be, and what it is to the node.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    /// The field it stands in; any if none.
    pub(crate) field: Option<u16>,
    /// The kinds it may have; any named node if empty.
    pub(crate) kinds: Vec<u16>,
    /// Its role.
    pub(crate) role: Option<Role>,
    /// Whether the pattern matches without it.
    pub(crate) optional: bool,
}

/// All patterns of a language.
#[derive(Debug)]
pub(crate) struct Table {
    patterns: Vec<Vec<Pattern>>,
    tokens: Vec<bool>,
}

impl Table {
    /// Reads query files. The error names file, line and what is wrong.
    pub(crate) fn load<'a>(language: &Language, files: impl Iterator<Item = &'a crate::QueryFile>) -> Result<Self, String> {
        let n_kinds = language.node_kind_count();
        let mut table = Self { patterns: Vec::new(), tokens: vec![false; n_kinds] };
        table.patterns.resize_with(n_kinds, Vec::new);
        for (file, text) in files {
            let mut reader = Reader { language, text, at: 0 };
            while reader.peek().is_some() {
                if let Err(message) = table.read_pattern(&mut reader) {
                    let line = text[..reader.at].lines().count().max(1);
                    return Err(format!("{file}:{line}: {message}"));
                }
            }
        }
        Ok(table)
    }

    /// The patterns for a kind of node.
    pub(crate) fn patterns(&self, kind: u16) -> &[Pattern] {
        self.patterns.get(kind as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether some pattern asks for this token.
    pub(crate) fn wants_token(&self, kind: u16) -> bool {
        self.tokens.get(kind as usize).copied().unwrap_or(false)
    }

    fn read_pattern(&mut self, reader: &mut Reader<'_>) -> Result<(), String> {
        let mut kinds = Vec::new();
        let mut children = Vec::new();
        let mut absent = Vec::new();
        if reader.take("[") {
            while !reader.take("]") {
                kinds.extend(reader.node_kinds()?);
            }
        } else {
            reader.expect("(")?;
            let name = reader.word();
            kinds = reader.kinds_named(name)?;
            while !reader.take(")") {
                if reader.take("!") {
                    let field = reader.word();
                    absent.push(reader.field(field)?);
                } else {
                    children.push(reader.child()?);
                }
            }
        }
        let name = reader.capture().ok_or("a pattern without a form: give it an outer capture")?;
        let form = Form::parse(name).ok_or_else(|| unknown("form", name, Form::ALL.iter().map(|(_, name)| *name)))?;
        if let Some(role) = children.iter().filter_map(|child| child.role).find(|role| !form.roles().contains(role)) {
            return Err(unread(form, role));
        }
        for child in &children {
            for kind in &child.kinds {
                if !reader.language.node_kind_is_named(*kind) {
                    self.tokens[*kind as usize] = true;
                }
            }
        }
        if kinds.is_empty() {
            return Err("a pattern without a node kind".to_owned());
        }
        // A grammar may have several numbers for kinds of one name.
        for kind in kinds {
            self.patterns[kind as usize].push(Pattern { form, children: children.clone(), absent: absent.clone() });
        }
        Ok(())
    }
}

fn unread(form: Form, role: Role) -> String {
    let known: Vec<String> = form.roles().iter().map(|role| format!("@{}", role.name())).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!(
        "@{} does not read @{}: take the capture away or choose another form; the roles that it reads are {known}",
        form.name(),
        role.name()
    )
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    format!("unknown {what} @{name}; known are {}", known.collect::<Vec<_>>().join(", "))
}

/// A cursor over the text of one query file.
struct Reader<'a> {
    language: &'a Language,
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next character that is neither space nor comment.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with(';') {
                return trimmed.chars().next();
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn take(&mut self, token: &str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(format!("expected `{token}`")) }
    }

    fn word(&mut self) -> &'a str {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn capture(&mut self) -> Option<&'a str> {
        self.take("@").then(|| self.word())
    }

    fn field(&self, name: &str) -> Result<u16, String> {
        self.language.field_id_for_name(name).map(Into::into).ok_or_else(|| format!("no field `{name}` in this grammar"))
    }

    /// The kind with a name. Several numbers may carry one name (aliases); nodes answer with the one that the name leads to.
    fn kinds_named(&self, name: &str) -> Result<Vec<u16>, String> {
        match self.language.id_for_node_kind(name, true) {
            0 => Err(format!("no node kind `{name}` in this grammar")),
            id => Ok(vec![id]),
        }
    }

    fn token_kinds(&self, token: &str) -> Result<Vec<u16>, String> {
        match self.language.id_for_node_kind(token, false) {
            0 => Err(format!("no token `{token}` in this grammar")),
            id => Ok(vec![id]),
        }
    }

    /// `(kind)`, `(_)` or `"token"`.
    fn node_kinds(&mut self) -> Result<Vec<u16>, String> {
        if self.take("\"") {
            let rest = &self.text[self.at..];
            let end = rest.find('"').ok_or("a token without its closing quote")?;
            self.at += end + 1;
            return self.token_kinds(&rest[..end]);
        }
        self.expect("(")?;
        let name = self.word();
        if !self.take(")") {
            return Err(format!("expected `)` behind `({name}`: a pattern has a node and its children, and nothing below these"));
        }
        if name == "_" { Ok(Vec::new()) } else { self.kinds_named(name) }
    }

    fn child(&mut self) -> Result<Child, String> {
        let before = self.at;
        let mut field = None;
        let word = self.word();
        if word.is_empty() {
            self.at = before;
        } else {
            field = Some(self.field(word)?);
            self.expect(":")?;
        }
        let mut kinds = Vec::new();
        if self.take("[") {
            while !self.take("]") {
                kinds.extend(self.node_kinds()?);
            }
        } else {
            kinds = self.node_kinds()?;
        }
        let optional = self.take("?") || self.take("*");
        if !optional {
            self.take("+");
        }
        let role = match self.capture() {
            None => None,
            Some(name) => Some(Role::parse(name).ok_or_else(|| unknown("role", name, Role::ALL.iter().map(|(_, name)| *name)))?),
        };
        Ok(Child { field, kinds, role, optional })
    }
}
