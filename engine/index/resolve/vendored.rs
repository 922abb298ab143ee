//! Interfaces of vendored packages: the names of their methods, for interfaces of the repository that take them over.

use super::FileId;
use super::index::Index;
use activate_grammars::facts::{Container, Expr, ExprId, FileFacts, ImportKind, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

/// How many interfaces one takes over, one from the other.
const MAX_DEPTH: usize = 8;

/// Interfaces by package and name: the file and the symbol there.
pub(super) struct Vendored<'i, 'a> {
    index: &'i Index<'a>,
    interfaces: FxHashMap<(&'a str, &'a str), (FileId, SymbolId)>,
}

impl<'i, 'a> Vendored<'i, 'a> {
    pub(super) fn new(index: &'i Index<'a>) -> Self {
        let mut interfaces = FxHashMap::default();
        for (number, file) in index.files.iter().enumerate().filter(|(_, file)| file.language.is_none()) {
            let language = activate_grammars::language_of(file.path).map(|(_, language)| language);
            let Some(language) = language.filter(|language| language.scope.structural) else { continue };
            let Some(package) = language.vendored_package(file.path) else { continue };
            let id = FileId(number as u32);
            let facts = index.facts(id);
            for (symbol, place) in facts.symbols.iter().zip(0..).filter(|(symbol, _)| symbol.kind == SymbolKind::Interface) {
                interfaces.entry((package, facts.names.get(symbol.name))).or_insert((id, SymbolId(place)));
            }
        }
        Self { index, interfaces }
    }

    /// The names of the methods of an interface that a file of the repository takes over, where it is known with all that it takes over itself.
    pub(super) fn methods(&self, file: FileId, of: ExprId) -> Option<Vec<&'a str>> {
        let facts = self.index.facts(file);
        let (Expr::Member(base, name) | Expr::Scoped(base, name)) = facts.exprs[of.0 as usize] else { return None };
        let Expr::Name(local) = facts.exprs[base.0 as usize] else { return None };
        let project = self.index.project(file)?;
        let local = facts.names.get(local);
        let mut imports = facts.imports.iter().filter(|import| import.kind == ImportKind::Module);
        let import = imports.find(|import| {
            let path = import.path.first().map_or("", |path| facts.names.get(*path));
            import.local.map_or_else(|| project.default_name(path), |name| facts.names.get(name)) == local
        })?;
        let package = facts.names.get(*import.path.first()?);
        let mut methods = Vec::new();
        self.add((package, facts.names.get(name)), &mut methods, 0)?;
        Some(methods)
    }

    fn add(&self, (package, name): (&str, &str), methods: &mut Vec<&'a str>, depth: usize) -> Option<()> {
        let (file, symbol) = *self.interfaces.get(&(package, name)).filter(|_| depth < MAX_DEPTH)?;
        let facts: &'a FileFacts = self.index.facts(file);
        let inside = Container::Symbol(symbol);
        let own = facts.symbols.iter().filter(|each| each.container == inside && each.kind == SymbolKind::Method);
        methods.extend(own.map(|method| facts.names.get(method.name)));
        let path = self.index.files[file.0 as usize].path;
        let known = activate_grammars::language_of(path).map_or(&[][..], |(_, language)| language.scope.foreign_interfaces);
        for above in facts.supers.iter().filter(|above| above.container == inside) {
            match facts.exprs[above.of.0 as usize] {
                Expr::Name(name) if facts.names.get(name) == "error" => methods.push("Error"),
                Expr::Name(name) => self.add((package, facts.names.get(name)), methods, depth + 1)?,
                Expr::Member(_, name) | Expr::Scoped(_, name) => {
                    let name = facts.names.get(name);
                    methods.extend(known.iter().find(|(other, _)| *other == name)?.1);
                }
                _ => return None,
            }
        }
        Some(())
    }
}
