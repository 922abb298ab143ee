//! The names under which something came or went with the files that changed.

use super::super::index::DEFAULT;
use super::super::{FileId, Name, Sym};
use super::compared::Compared;
use super::{GONE, known};
use activate_grammars::FileFacts;
use activate_grammars::facts::{CALLABLE, Container, Expr, ExprId, ImportKind, NameId, Traits};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A definition, an import or a field as others find it: its name, all that the tables have of it, and whether it belongs to a type that was
/// there before and is there now.
type Key<'t> = (&'t str, u64, bool);

impl Compared<'_, '_, '_, '_> {
    /// The names under which something came or went. None where names may be looked up that nobody mentions.
    pub(super) fn names(&self) -> Option<FxHashSet<Name>> {
        let mut names = FxHashSet::default();
        let mut add = |old: Vec<Key<'_>>, new: Vec<Key<'_>>, language: Option<usize>| {
            let mut balance: FxHashMap<Key<'_>, i32> = FxHashMap::default();
            for (key, n) in old.into_iter().map(|key| (key, 1)).chain(new.into_iter().map(|key| (key, -1))) {
                *balance.entry(key).or_default() += n;
            }
            for (name, _, is_of_old_type) in balance.into_iter().filter(|(_, balance)| *balance != 0).map(|(key, _)| key) {
                if is_of_old_type && is_looked_up_unsaid(language, name) {
                    return None;
                }
                names.extend(self.new.names.find(name));
            }
            Some(())
        };
        for (at, facts) in &self.old_facts {
            let old = self.keys(facts, FileId(*at), true);
            let new = known(&self.files, *at).map(FileId);
            let of_new = new.map(|new| self.keys(self.new.files[new.0 as usize].facts.get(), new, false));
            let language = new.and_then(|new| self.new.files[new.0 as usize].language);
            add(old, of_new.unwrap_or_default(), language)?;
        }
        for (at, _) in self.before.with_path.iter().enumerate().filter(|(_, old)| old.is_none()) {
            let file = FileId(at as u32);
            let keys = self.keys(self.new.files[at].facts.get(), file, false);
            add(Vec::new(), keys, self.new.files[at].language)?;
        }
        for package in self.packages_come_or_gone() {
            names.extend(package.split('.').filter_map(|segment| self.new.names.find(segment)));
        }
        Some(names)
    }

    /// The keys of all that a file defines, of its imports and of its package.
    fn keys<'t>(&self, facts: &'t FileFacts, file: FileId, is_old: bool) -> Vec<Key<'t>> {
        let index = if is_old { self.old } else { self.new };
        let first = index.first_symbol[file.0 as usize];
        // The type that something belongs to by its new number, and whether it was there before and is there now.
        let holder = |of: Option<Sym>| match of {
            Some(of) if is_old => (Some(self.sym(of)), self.sym(of).0 != GONE),
            Some(of) => (Some(of), self.old_syms[of.0 as usize] != GONE),
            None => (None, false),
        };
        let mut around: Vec<u64> = Vec::with_capacity(facts.symbols.len());
        let mut keys = Vec::new();
        let inside = |around: &[u64], container: Container| match container {
            Container::File => 0,
            Container::Symbol(id) => around.get(id.0 as usize).copied().unwrap_or_default(),
            Container::Owner(at) => facts
                .owners
                .get(at as usize)
                .map_or(0, |owner| hash(&(written(facts, owner.of, MAX_WRITTEN), written(facts, owner.implements, MAX_WRITTEN)))),
        };
        for (place, symbol) in facts.symbols.iter().enumerate() {
            let name = facts.names.get(symbol.name);
            let (of, is_of_old_type) = holder(index.member_of[first as usize + place]);
            let is_exported = index.exported.contains(&Sym(first + place as u32));
            let within = inside(&around, symbol.container);
            let key = hash(&(name, symbol.kind, symbol.traits, symbol.visibility as u8, of, is_exported, within));
            around.push(key);
            keys.push((name, key, is_of_old_type));
            if symbol.traits.has(Traits::DEFAULT) {
                keys.push((DEFAULT, key, false));
            }
        }
        for field in &facts.fields {
            let (of, is_of_old_type) = holder(index.container_type(file, field.container));
            let key = hash(&("field", of, inside(&around, field.container)));
            keys.push((facts.names.get(field.name), key, is_of_old_type));
        }
        for (name, of) in &facts.fixtures {
            let key = around.get(of.0 as usize).copied().unwrap_or_default();
            keys.push((facts.names.get(*name), hash(&("fixture", key)), false));
        }
        for import in facts.imports.iter().filter(|import| import.kind != ImportKind::Glob) {
            let key = hash(&("import", import.kind as u8, import.exported, inside(&around, import.container)));
            match (import.local, import.path.first()) {
                (Some(local), _) => keys.push((facts.names.get(local), key, false)),
                (None, Some(first)) => {
                    let path = facts.names.get(*first);
                    let language = activate_grammars::language_of(self.path(file, is_old)).map(|(number, _)| number);
                    let by_default = language.map(|number| self.new.projects[number].default_name(path));
                    keys.extend([Some(path), by_default].into_iter().flatten().map(|name| (name, key, false)));
                }
                (None, None) => {}
            }
        }
        // Who imports a package knows it by its name.
        keys.extend(facts.package.map(|name| (facts.names.get(name), hash(&"package"), false)));
        keys
    }

    fn path(&self, file: FileId, is_old: bool) -> &str {
        if is_old { (self.before.path)(file.0) } else { self.new.files[file.0 as usize].path }
    }
}

/// Whether a name is looked up that stands in no file, among the members of a type and of those above it.
fn is_looked_up_unsaid(language: Option<usize>, name: &str) -> bool {
    let rules = language.map(|number| &activate_grammars::LANGUAGES[number].scope);
    name == CALLABLE
        || rules.is_some_and(|rules| {
            rules.constructor == Some(name)
                || rules.protocol.all().any(|method| method == name)
                || rules.delegates.is_some_and(|(one, other)| [one, other].contains(&name))
        })
}

/// The longest type expression that tells blocks apart.
const MAX_WRITTEN: usize = 8;

/// A type expression as it is written, as a hash.
fn written(facts: &FileFacts, expr: ExprId, depth: usize) -> u64 {
    let Some(expr) = facts.exprs.get(expr.0 as usize).filter(|_| depth > 0 && expr != ExprId::UNKNOWN) else { return 0 };
    let name = |name: NameId| facts.names.get(name);
    match *expr {
        Expr::Name(own) => hash(&name(own)),
        Expr::Scoped(base, own) | Expr::Member(base, own) => hash(&(written(facts, base, depth - 1), name(own))),
        Expr::Symbol(id) => hash(&("symbol", name(facts.symbols[id.0 as usize].name))),
        Expr::Local(id) => hash(&("local", name(facts.bindings[id.0 as usize].name))),
        Expr::Apply(base, list) => {
            let list = facts.lists.get(list.start as usize..(list.start + list.len) as usize).unwrap_or_default();
            let list: Vec<u64> = list.iter().map(|expr| written(facts, *expr, depth - 1)).collect();
            hash(&(written(facts, base, depth - 1), list))
        }
        Expr::Pointer(base) | Expr::Many(base) | Expr::Deref(base) => hash(&("of", written(facts, base, depth - 1))),
        _ => 1,
    }
}

/// A value as a number.
pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
