//! Imports in their three shapes: a module by path, items from a path, a tree of paths.

use super::expr::THIS_MODULE;
use super::scope::Target;
use super::{Entry, Frame, Lower, Value};
use crate::capture::{Form, Role};
use crate::facts::{Container, Expr, ExprId, Import, ImportKind, Limit, NameId, Note, NoteKind, Visibility};
use crate::literal::Literal;
use crate::table::Pattern;
use tree_sitter::Node;

/// The most names of an imported path: no crate nests its modules as deep, and every leaf of a path tree repeats the names before it.
const MAX_SEGMENTS: usize = 64;

/// A part of a path tree: a leaf, or what stands in braces behind a path.
#[derive(Debug)]
pub(super) struct Use {
    /// The names that are written here; those of the parts around come before them.
    path: Vec<NameId>,
    /// The parts in braces: a run of [`Lower::values`].
    group: Option<Value>,
    alias: Option<NameId>,
    glob: bool,
    row: u32,
}

/// An item that waits for the path it comes from.
#[derive(Debug, Clone)]
pub(super) struct Item {
    kind: ImportKind,
    name: Option<NameId>,
    alias: Option<NameId>,
    type_only: bool,
    row: u32,
}

impl<'a> Lower<'a> {
    pub(super) fn import(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) -> Value {
        let row = node.start_position().row as u32;
        let name_of = |lower: &mut Self, role| {
            let entry = lower.child(pattern, &frame, role)?;
            lower.kill_name(entry.value);
            Some(lower.name(lower.text(&entry).trim_matches(['"', '\'', '`'])))
        };
        match pattern.form {
            Form::ImportModule => self.import_module(pattern, frame, row),
            Form::ImportModules => self.import_modules(pattern, frame, row),
            Form::ImportItem | Form::ImportNamespace | Form::ImportDefault | Form::ImportAll => {
                let name = name_of(self, Role::Name);
                let alias = name_of(self, Role::Alias);
                let type_only = self.child(pattern, &frame, Role::TypeOnly).is_some();
                let kind = match pattern.form {
                    Form::ImportItem if name.is_some_and(|name| self.facts.names.get(name) == "default") => ImportKind::Default,
                    Form::ImportItem => ImportKind::Item,
                    Form::ImportNamespace => ImportKind::Module,
                    Form::ImportDefault => ImportKind::Default,
                    _ => ImportKind::Glob,
                };
                self.items.push(Item { kind, name, alias, type_only, row });
            }
            Form::ImportFrom | Form::ExportFrom => self.import_from(pattern, frame, row),
            Form::ImportTree => self.import_tree(pattern, frame),
            Form::ImportPath => self.import_path(pattern, frame, row),
            Form::ImportChild => {
                let is_meant = !(self.language.reading.of_documentation)(self.above_module(frame));
                if let Some(name) = name_of(self, Role::Name).filter(|_| is_meant) {
                    let path = self.path_attribute(frame).map_or_else(|| vec![name], |path| vec![name, path]);
                    let first = self.facts.imports.len();
                    let visibility = self.visibility(pattern, &frame);
                    self.push_import(ImportKind::Child, path, None, Some(name), visibility != Visibility::Private, false, row);
                    self.keep_in_package(first, visibility);
                }
            }
            Form::ImportGlob => {
                let path =
                    self.child(pattern, &frame, Role::Path).map_or(ExprId::UNKNOWN, |entry| super::plain_expr(entry.value));
                let path = self.segments(path);
                return self.push_use(Use { path, group: None, alias: None, glob: true, row });
            }
            Form::ImportAlias => {
                let path =
                    self.child(pattern, &frame, Role::Path).map_or(ExprId::UNKNOWN, |entry| super::plain_expr(entry.value));
                let path = self.segments(path);
                let alias = name_of(self, Role::Alias);
                return self.push_use(Use { path, group: None, alias, glob: false, row });
            }
            Form::ImportList => {
                let items = self.all(pattern, &frame, Role::Item);
                let uses: Vec<Value> = items.iter().map(|entry| self.use_of(entry.value, entry.row)).collect();
                return self.push_values(&uses);
            }
            Form::ImportGroup => {
                let prefix =
                    self.child(pattern, &frame, Role::Path).map_or(ExprId::UNKNOWN, |entry| super::plain_expr(entry.value));
                let prefix = self.segments(prefix);
                let Some(list) = self.child(pattern, &frame, Role::List) else { return Value::None };
                return self.push_use(Use { path: prefix, group: Some(list.value), alias: None, glob: false, row });
            }
            _ => {}
        }
        Value::None
    }

    fn import_module(&mut self, pattern: &Pattern, frame: Frame, row: u32) {
        let Some(path) = self.child(pattern, &frame, Role::Path) else { return };
        self.kill_name(path.value);
        let text = self.text(&path).trim_matches(['"', '`', '\'']);
        if self.language.reading.cgo_path == Some(text) {
            self.facts.notes.push(Note { kind: NoteKind::Cgo, symbol: None, line: row + 1 });
            return;
        }
        let path = vec![self.name(text)];
        let alias = self.child(pattern, &frame, Role::Alias);
        let alias_text = alias.map(|entry| self.text(&entry));
        if let Some(entry) = alias {
            self.kill_name(entry.value);
        }
        let (kind, local) = match alias_text {
            Some(".") => (ImportKind::Glob, None),
            Some("_") => (ImportKind::Effect, None),
            Some(alias) => (ImportKind::Module, Some(self.name(alias))),
            None => (ImportKind::Module, None),
        };
        self.push_import(kind, path, None, local, false, false, row);
    }

    /// Modules by their paths: without another name the first name of the path becomes known, and means the module of that name.
    fn import_modules(&mut self, pattern: &Pattern, frame: Frame, row: u32) {
        self.forget_uses(frame);
        let items = self.items.split_off(frame.first_item as usize);
        let aliased = items.into_iter().filter_map(|item| Some((item.name?, item.alias, "")));
        let mut modules: Vec<(NameId, Option<NameId>, &str)> = aliased.collect();
        for entry in self.all(pattern, &frame, Role::Path) {
            // What has another name came as an item.
            if entry.value != Value::None {
                let text = self.text(&entry);
                modules.push((self.name(text), None, text));
            }
        }
        for (path, alias, text) in modules {
            let first = text.split('.').next().unwrap_or(text);
            let local = match alias {
                Some(alias) => alias,
                None if first == text => path,
                None => {
                    let first = self.name(first);
                    self.push_import(ImportKind::Effect, vec![path], None, None, false, false, row);
                    self.push_known(ImportKind::Module, vec![first], None, first, row);
                    continue;
                }
            };
            self.push_known(ImportKind::Module, vec![path], None, local, row);
        }
    }

    /// What an import makes known: to the module, or under a name of its own to the function that it stands in.
    fn push_known(&mut self, kind: ImportKind, path: Vec<NameId>, item: Option<NameId>, local: NameId, row: u32) {
        if self.n_open_functions == 0 {
            let is_shown = (self.language.reading.visibility)(self.facts.names.get(local), None, false) == Visibility::Public;
            return self.push_import(kind, path, item, Some(local), is_shown, false, row);
        }
        let known = format!("{}@{}", self.facts.names.get(local), self.facts.imports.len());
        let known = self.facts.names.push(&known);
        self.bind_alias(local, known);
        self.push_import(kind, path, item, Some(known), false, false, row);
    }

    /// A path of names, each of which may be a package, a type or a member; what it ends with becomes known.
    fn import_path(&mut self, pattern: &Pattern, frame: Frame, row: u32) {
        self.forget_uses(frame);
        let Some(entry) = self.child(pattern, &frame, Role::Path) else { return };
        let names = self.text(&entry).split('.').map(str::trim);
        let path: Vec<NameId> = names.take(MAX_SEGMENTS).map(|name| self.name(name)).collect();
        let has = |role| self.child(pattern, &frame, role).is_some();
        let last = path.last().copied();
        let (kind, item) = match (has(Role::Item), has(Role::Static)) {
            (true, _) => (ImportKind::Glob, None),
            (false, true) => (ImportKind::Member, last),
            (false, false) => (ImportKind::Item, last),
        };
        self.push_import(kind, path, item, item, false, false, row);
    }

    /// The names in an import are no uses.
    pub(super) fn forget_uses(&mut self, frame: Frame) {
        for site in &mut self.facts.sites[frame.first_site as usize..] {
            site.line = 0;
        }
    }

    /// A module imported by a call: its value is a name that only this import has, the path in its quotes.
    pub(super) fn import_call(&mut self, arguments: &Entry, row: u32) -> Option<ExprId> {
        let text = self.text(arguments);
        // A path put together at run time names no module.
        let literal = Literal::first(text, true).filter(|literal| literal.is_whole() && !literal.body.contains("${"));
        self.facts.n_computed_imports += u32::from(literal.is_none());
        let literal = literal?;
        let path = Some(literal.body).filter(|path| !path.is_empty() && !path.contains('\n'))?;
        let start = arguments.start as usize + text.find(super::define::QUOTES)?;
        let source = self.source;
        let quoted = self.name(&source[start..start + path.len() + 2]);
        let path = vec![self.name(path)];
        self.push_import(ImportKind::Module, path, None, Some(quoted), false, false, row);
        Some(self.add_expr(Expr::Name(quoted)))
    }

    fn import_from(&mut self, pattern: &Pattern, frame: Frame, row: u32) {
        let path: Vec<NameId> = match self.child(pattern, &frame, Role::Path) {
            Some(entry) => vec![self.name(self.text(&entry).trim_matches(['"', '\'', '`']))],
            None => Vec::new(),
        };
        let exported = pattern.form == Form::ExportFrom;
        let shows = self.language.reading.flows;
        if shows {
            self.forget_uses(frame);
        }
        let type_only = self.child(pattern, &frame, Role::TypeOnly).is_some();
        let mut items = self.items.split_off(frame.first_item as usize);
        for entry in self.all(pattern, &frame, Role::Name) {
            self.kill_name(entry.value);
            let name = Some(self.name(self.text(&entry)));
            items.push(Item { kind: ImportKind::Item, name, alias: None, type_only, row: entry.row });
        }
        if self.child(pattern, &frame, Role::Item).is_some() {
            items.push(Item { kind: ImportKind::Glob, name: None, alias: None, type_only, row });
        }
        if items.is_empty() && !path.is_empty() {
            self.push_import(ImportKind::Effect, path.clone(), None, None, exported, type_only, row);
        }
        for item in items {
            let local = item.alias.or(item.name);
            if let (true, ImportKind::Item, Some(local)) = (shows, item.kind, local) {
                self.push_known(item.kind, path.clone(), item.name, local, item.row);
                continue;
            }
            let exported = exported || shows;
            self.push_import(item.kind, path.clone(), item.name, local, exported, type_only || item.type_only, item.row);
        }
    }

    /// Takes out the items that no import took, at the end of a node that could have: a later import must not get them.
    pub(super) fn drop_items(&mut self, patterns: &[Pattern], frame: &Frame) {
        let first = frame.first_item as usize;
        if self.items.len() > first && patterns.iter().any(|pattern| matches!(pattern.form, Form::ImportFrom | Form::ExportFrom))
        {
            self.items.truncate(first);
        }
    }

    fn import_tree(&mut self, pattern: &Pattern, frame: Frame) {
        let Some(entry) = self.child(pattern, &frame, Role::Item) else { return };
        let visibility = self.visibility(pattern, &frame);
        let exported = visibility != Visibility::Private;
        let first = self.facts.imports.len();
        let tree = self.use_of(entry.value, entry.row);
        for site in &mut self.facts.sites[frame.first_site as usize..] {
            site.line = 0;
        }
        // The parts that are still to come, the next one last, each with how many names the parts around it have.
        let mut open = vec![(tree, 0)];
        let mut path: Vec<NameId> = Vec::new();
        while let Some((part, n_around)) = open.pop() {
            path.truncate(n_around);
            if let Value::List(start, len) = part {
                let parts = &self.values[start as usize..(start + len) as usize];
                open.extend(parts.iter().rev().map(|part| (*part, n_around)));
                continue;
            }
            let Value::Use(at) = part else { continue };
            let Use { path: own, group, alias, glob, row } = &self.uses[at as usize];
            let (group, alias, glob, row) = (*group, *alias, *glob, *row);
            path.extend(own);
            if path.len() > MAX_SEGMENTS {
                self.facts.limit.get_or_insert(Limit::Depth);
            } else if let Some(group) = group {
                open.push((group, path.len()));
            } else {
                self.push_leaf(path.clone(), alias, glob, exported, row);
            }
        }
        self.keep_in_package(first, visibility);
    }

    /// Who can see what an import brings, as it says in front.
    fn visibility(&self, pattern: &Pattern, frame: &Frame) -> Visibility {
        let words = self.child(pattern, frame, Role::Visibility);
        let words = words.as_ref().map(|entry| self.text(entry));
        (self.language.reading.visibility)("", words, false)
    }

    /// Notes of the imports from one on whether only the same package sees them.
    fn keep_in_package(&mut self, first: usize, visibility: Visibility) {
        if visibility == Visibility::Package {
            self.facts.imports.iter_mut().skip(first).for_each(|import| import.in_package = true);
        }
    }

    fn push_leaf(&mut self, mut path: Vec<NameId>, alias: Option<NameId>, glob: bool, exported: bool, row: u32) {
        let in_block = self.is_in_block();
        if glob {
            // What a glob inside a block brings is not looked for: the whole module would see it.
            let kind = if in_block { ImportKind::Effect } else { ImportKind::Glob };
            return self.push_import(kind, path, None, None, exported, false, row);
        }
        // `use a::b::{self}` brings `b`.
        if path.len() > 1 && path.last().is_some_and(|last| self.facts.names.get(*last) == THIS_MODULE) {
            path.pop();
        }
        let item = path.last().copied();
        if in_block {
            self.bind_use(&path, alias.or(item));
            return self.push_import(ImportKind::Effect, path, None, None, false, false, row);
        }
        self.push_import(ImportKind::Item, path, item, alias.or(item), exported, false, row);
    }

    /// Whether what is imported here is known in a block only, not in a module.
    fn is_in_block(&self) -> bool {
        let around = self.frames.iter().rev().find(|frame| frame.opened.scope);
        around.is_some_and(|frame| self.table.patterns(frame.kind).iter().all(|pattern| pattern.form != Form::DefModule))
    }

    /// Makes the name of an import mean its path in the block around.
    fn bind_use(&mut self, path: &[NameId], local: Option<NameId>) {
        let (Some((first, rest)), Some(local)) = (path.split_first(), local) else { return };
        let mut of = self.add_expr(Expr::Name(*first));
        for name in rest {
            of = self.add_expr(Expr::Scoped(of, *name));
        }
        self.bind_name(local, Target::Path(of), 0);
    }

    /// A value as a part of a path tree: a plain path becomes a leaf.
    fn use_of(&mut self, value: Value, row: u32) -> Value {
        let Value::Expr(expr) = value else { return value };
        let path = self.segments(expr);
        if path.is_empty() { Value::None } else { self.push_use(Use { path, group: None, alias: None, glob: false, row }) }
    }

    fn push_use(&mut self, part: Use) -> Value {
        self.uses.push(part);
        Value::Use(self.uses.len() as u32 - 1)
    }

    /// The names of a path expression, in the order written.
    fn segments(&mut self, expr: ExprId) -> Vec<NameId> {
        let mut names = Vec::new();
        let mut at = expr;
        loop {
            match self.facts.exprs[at.0 as usize] {
                Expr::Scoped(base, name) => {
                    names.push(name);
                    at = base;
                }
                Expr::Name(name) => {
                    names.push(name);
                    break;
                }
                Expr::This(_) => {
                    names.push(self.name(THIS_MODULE));
                    break;
                }
                _ => break,
            }
        }
        names.reverse();
        names
    }

    /// The text of a `path = "..."` attribute directly above the module declaration.
    fn path_attribute(&mut self, frame: Frame) -> Option<NameId> {
        let (_, value) = self.above_module(frame).split_once("#[path")?;
        let (path, _) = value.split_once('"')?.1.split_once('"')?;
        Some(self.name(path))
    }

    /// Comments and attributes directly above a module declaration.
    fn above_module(&self, frame: Frame) -> &'a str {
        let source = self.source;
        let doc = frame.opened.symbol.map_or((0, 0), |symbol| self.facts.symbols[symbol.0 as usize].doc);
        source.get(doc.0 as usize..doc.1 as usize).unwrap_or_default()
    }

    #[expect(clippy::too_many_arguments, reason = "one field of an import each")]
    fn push_import(
        &mut self,
        kind: ImportKind,
        path: Vec<NameId>,
        item: Option<NameId>,
        local: Option<NameId>,
        exported: bool,
        type_only: bool,
        row: u32,
    ) {
        // The innermost module around, found in one pass outwards: a function deep in functions may hold thousands of imports.
        let is_module = |kind| self.table.patterns(kind).iter().any(|pattern| pattern.form == Form::DefModule);
        let module = self.frames.iter().rev().find_map(|frame| frame.opened.symbol.filter(|_| is_module(frame.kind)));
        let container = module.map_or(Container::File, Container::Symbol);
        let line = row + 1;
        self.facts.imports.push(Import { container, kind, path, item, local, exported, in_package: false, type_only, line });
    }
}
