//! What a file names in a line, by the links that were found for it.

use super::Code;
use crate::resolve::{End, Link, Relation};
use activate_grammars::FileFacts;
use activate_grammars::facts::{Container, ImportKind, SymbolId, Traits};
use activate_rules::links::Confidence;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most definitions around one, and the most that stand in a line.
const MAX_AROUND: usize = 64;

/// What names mean, as far as somebody has asked.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// What each file means by the names that its imports give.
    meant: RefCell<FxHashMap<u32, FxHashMap<String, Rc<Meant>>>>,
    /// What nodes use.
    uses: RefCell<FxHashMap<End, Rc<Uses>>>,
}

/// What a file means by a name.
#[derive(Debug, Default)]
struct Meant {
    /// Names of definitions.
    names: BTreeSet<String>,
    /// Whether it may be what a module gives without a name.
    is_default: bool,
}

impl Meant {
    fn of(name: &str) -> Self {
        Self { names: BTreeSet::from([name.to_owned()]), is_default: false }
    }
}

/// The calls and references of a node, by their places among all links.
#[derive(Debug, Default)]
struct Uses {
    /// By the names of what they lead to.
    by_name: FxHashMap<String, Vec<usize>>,
    /// Those to what a module gives without a name.
    defaults: Vec<usize>,
}

impl Code<'_> {
    /// The file at a path.
    pub(super) fn file(&self, path: &str) -> Option<u32> {
        self.files.binary_search_by_key(&path, |file| file.path).ok().map(|at| at as u32)
    }

    pub(super) fn facts(&self, file: u32) -> &FileFacts {
        &self.files[file as usize].record.facts
    }

    /// The name of a definition of a file.
    pub(super) fn name(&self, file: u32, symbol: SymbolId) -> &str {
        let facts = self.facts(file);
        facts.names.get(facts.symbols[symbol.0 as usize].name)
    }

    /// The place of a symbol of a file among all.
    pub(super) fn place(&self, file: u32, symbol: SymbolId) -> u32 {
        self.first_symbol[file as usize] + symbol.0
    }

    /// The node of a definition of a file, or of the file.
    pub(super) fn node(&self, file: u32, symbol: Option<SymbolId>) -> u32 {
        symbol.map_or(file, |symbol| self.files.len() as u32 + self.place(file, symbol))
    }

    /// A definition of a file and what stands around it, from the inside.
    pub(super) fn around(&self, file: u32, symbol: Option<SymbolId>) -> impl Iterator<Item = SymbolId> {
        let symbols = &self.facts(file).symbols;
        let above = |id: &SymbolId| match symbols[id.0 as usize].container {
            Container::Symbol(outer) => Some(outer),
            Container::File | Container::Owner(_) => None,
        };
        std::iter::successors(symbol, above).take(MAX_AROUND)
    }

    pub(super) fn traits(&self, file: u32, symbol: SymbolId) -> Traits {
        self.facts(file).symbols[symbol.0 as usize].traits
    }

    /// The file and the symbol at a place.
    pub(super) fn symbol(&self, place: u32) -> (u32, SymbolId) {
        let file = self.first_symbol.partition_point(|first| *first <= place).saturating_sub(1);
        (file as u32, SymbolId(place - self.first_symbol[file]))
    }

    /// The definitions that a name means in a line, each with how sure that is; of a definition `from`, or of the file.
    pub(super) fn named(&self, file: u32, from: Option<SymbolId>, line: u32, name: &str) -> Vec<(u32, Confidence)> {
        let from = from.map_or(End::File(file), |id| End::Symbol(self.place(file, id)));
        let meant = self.meant(file, name);
        let in_line = |link: &Link| link.line == line;
        let mut found = self.links_in(from, &meant, in_line);
        if found.is_empty() {
            // What the value of a variable names belongs to the variable.
            let symbols = self.facts(file).symbols.iter().zip(0..);
            let around = symbols.filter(|(symbol, _)| symbol.lines.0 <= line && line <= symbol.lines.1).take(MAX_AROUND);
            let links = |id: u32| self.links_in(End::Symbol(self.place(file, SymbolId(id))), &meant, in_line);
            found = around.flat_map(|(_, id)| links(id)).collect();
            found.sort_unstable();
            found.dedup_by_key(|(to, _)| *to);
        }
        if found.is_empty() {
            // The name may stand in another line of the call.
            found = self.links_in(from, &meant, |_| true);
            found.truncate(usize::from(found.len() == 1));
        }
        found
    }

    /// The links of a node to what a file means by a name.
    fn links_in(&self, from: End, meant: &Meant, is_meant: impl Fn(&Link) -> bool) -> Vec<(u32, Confidence)> {
        let uses = self.uses(from);
        let defaults = if meant.is_default { uses.defaults.as_slice() } else { &[] };
        let named = meant.names.iter().filter_map(|name| uses.by_name.get(name)).flatten();
        let links = named.chain(defaults).map(|at| &self.resolved.links[*at]).filter(|link| is_meant(link));
        let mut found: Vec<(u32, Confidence)> = links.map(|link| (link.to, link.confidence)).collect();
        found.sort_unstable();
        found.dedup_by_key(|(to, _)| *to);
        found
    }

    /// What a node uses.
    fn uses(&self, from: End) -> Rc<Uses> {
        if let Some(known) = self.names.uses.borrow().get(&from) {
            return Rc::clone(known);
        }
        let links = &self.resolved.links;
        let start = links.partition_point(|link| link.from < from);
        let of_node = links[start..].iter().zip(start..).take_while(|(link, _)| link.from == from);
        let mut uses = Uses::default();
        for (link, at) in of_node.filter(|(link, _)| matches!(link.relation, Relation::Calls | Relation::References)) {
            let (of, id) = self.symbol(link.to);
            let facts = self.facts(of);
            let symbol = &facts.symbols[id.0 as usize];
            uses.by_name.entry(facts.names.get(symbol.name).to_owned()).or_default().push(at);
            if symbol.traits.has(Traits::DEFAULT) {
                uses.defaults.push(at);
            }
        }
        let uses = Rc::new(uses);
        self.names.uses.borrow_mut().insert(from, Rc::clone(&uses));
        uses
    }

    /// What a file means by a name: what is called so, and what an import gives that name.
    fn meant(&self, file: u32, name: &str) -> Rc<Meant> {
        let mut known = self.names.meant.borrow_mut();
        let of_file = known.entry(file).or_insert_with(|| {
            let facts = self.facts(file);
            let mut locals: FxHashMap<String, Meant> = FxHashMap::default();
            for import in &facts.imports {
                let Some(local) = import.local.map(|local| facts.names.get(local)) else { continue };
                let meant = locals.entry(local.to_owned()).or_insert_with(|| Meant::of(local));
                match (import.kind, import.item) {
                    (ImportKind::Default, _) => meant.is_default = true,
                    (_, Some(item)) => {
                        meant.names.insert(facts.names.get(item).to_owned());
                    }
                    _ => {}
                }
            }
            locals.into_iter().map(|(name, meant)| (name, Rc::new(meant))).collect()
        });
        of_file.get(name).map_or_else(|| Rc::new(Meant::of(name)), Rc::clone)
    }

    /// The file of the module that a file knows by a name.
    pub(super) fn module(&self, file: u32, name: &str) -> Option<u32> {
        let facts = self.facts(file);
        let import = facts.imports.iter().find(|import| import.local.is_some_and(|local| facts.names.get(local) == name))?;
        let dependencies = &self.resolved.dependencies;
        let start = dependencies.partition_point(|dependency| dependency.from < file);
        let of_file = dependencies[start..].iter().take_while(|dependency| dependency.from == file);
        let mut there =
            of_file.filter(|dependency| dependency.line == import.line).filter_map(|dependency| match dependency.to {
                crate::resolve::Target::File(to) => Some(to),
                crate::resolve::Target::Package(_) => None,
            });
        there.next().filter(|_| there.next().is_none())
    }
}
