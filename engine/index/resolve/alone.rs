//! Methods that are known by their name alone, as no type says whose they are.
//!
//! Asked for the sites of one file; each name is looked up once, however often the file uses it.

use super::index::Index;
use super::reach::Reach;
use super::sites::{MAX_CANDIDATES, Meaning, ambiguous, candidates};
use super::types::Place;
use super::{FileId, Item, ModuleId, Name, Sym};
use activate_grammars::facts::{Container, Site, SiteKind, SymbolKind, Traits};
use activate_rules::links::Confidence;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};

/// How many imports away a definition may be for its name alone to prove something.
const NEAR: usize = 1;

/// Of a name that more methods have, none is looked for by it alone: to see which of them are at hand would take all files that use the
/// name times all methods. Uses of it stay unresolved. The commonest name in Kubernetes, `String`, has 4,700.
pub(super) const MAX_NAMESAKES: usize = 8_192;

/// What the names of methods mean in one file.
#[derive(Debug, Default)]
pub(super) struct Alone {
    reach: Reach,
    methods: RefCell<FxHashMap<Name, Meaning>>,
    extensions: RefCell<FxHashMap<(ModuleId, Name, bool), Option<Meaning>>>,
    imported: OnceCell<FxHashSet<Item>>,
}

impl Alone {
    /// A method of a value whose type is not known: a link only if few methods have the name and the file can reach them.
    pub(super) fn method(&self, index: &Index<'_>, file: FileId, name: Name, site: &Site) -> Meaning {
        if site.kind != SiteKind::Call {
            return Meaning::Unresolved;
        }
        let known = self.methods.borrow().get(&name).cloned();
        known.unwrap_or_else(|| {
            let found = self.find_method(index, file, name);
            self.methods.borrow_mut().insert(name, found.clone());
            found
        })
    }

    /// A method that a trait in scope gives to types that do not say so, if one trait alone has the name. A type of the repository (`is_ours`) that
    /// has no such method has it from there, however common the name is.
    pub(super) fn extension(
        &self,
        index: &Index<'_>,
        place: Place,
        (name, is_ours): (Name, bool),
        site: &Site,
    ) -> Option<Meaning> {
        if site.kind != SiteKind::Call {
            return None;
        }
        let key = (place.module, name, is_ours);
        let known = self.extensions.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let found = self.find_extension(index, place, (name, is_ours));
            self.extensions.borrow_mut().insert(key, found.clone());
            found
        })
    }

    fn find_method(&self, index: &Index<'_>, file: FileId, name: Name) -> Meaning {
        let known = namesakes(index, file, name);
        let language = index.files[file.0 as usize].language;
        let in_reach = |sym: &&Sym| {
            let (of, symbol) = index.glance(**sym);
            index.files[of.0 as usize].language == language
                && index.member_of[sym.0 as usize].is_some()
                && (!symbol.traits.has(Traits::TEST_CODE) || of == file)
                && self.reach.steps(index, file, of).is_some()
        };
        let reachable: Vec<Sym> = known.iter().filter(in_reach).copied().collect();
        // What the file imports itself is more likely meant than what comes from further away.
        let is_near = |sym: &Sym| self.reach.steps(index, file, index.symbol(*sym).0).is_some_and(|steps| steps <= NEAR);
        match reachable.len() {
            0 => Meaning::Unresolved,
            1 if is_near(&reachable[0]) => Meaning::Symbols(vec![of_trait_method(index, reachable[0])]),
            _ if reachable.iter().all(is_near) => candidates(index, reachable, Confidence::Unique),
            _ => candidates(index, reachable, ambiguous(2)),
        }
    }

    fn find_extension(&self, index: &Index<'_>, place: Place, (name, is_ours): (Name, bool)) -> Option<Meaning> {
        let of_trait = |sym: &&Sym| {
            let holder = index.member_of[sym.0 as usize].filter(|of| index.glance(*of).1.kind == SymbolKind::Interface);
            holder.is_some_and(|holder| self.is_in_scope(index, place, holder))
        };
        let known = if is_ours { all_namesakes(index, name) } else { namesakes(index, place.file, name) };
        let mut found = known.iter().filter(of_trait);
        let only = found.next().copied().filter(|_| found.next().is_none())?;
        let holder = index.member_of[only.0 as usize]?;
        let is_had = index.outside_blocks.contains_key(&holder) || is_ours && index.general_blocks.contains(&holder);
        is_had.then(|| Meaning::Symbols(vec![of_trait_method(index, only)]))
    }

    /// Whether a trait can be named in a place, or is imported there under no name.
    fn is_in_scope(&self, index: &Index<'_>, place: Place, holder: Sym) -> bool {
        let item = Item::Symbol(holder);
        let imported = || index.import_targets[place.file.0 as usize].iter().flatten().copied().collect();
        let is_named = || {
            let (file, symbol) = index.symbol(holder);
            index.free_name(place.file, place.module, index.name(file, symbol.name)).contains(&item)
        };
        self.imported.get_or_init(imported).contains(&item) || is_named()
    }
}

/// The methods called `name`, where the name says something in the language of a file.
fn namesakes<'i>(index: &'i Index<'_>, file: FileId, name: Name) -> &'i [Sym] {
    let text = index.names.text(name);
    let is_common = index
        .rules(file)
        .is_some_and(|rules| rules.common_methods.contains(&text) || rules.known_methods.iter().any(|(known, _)| *known == text));
    if is_common { &[] } else { all_namesakes(index, name) }
}

/// The methods called `name`, unless there are too many to look at.
fn all_namesakes<'i>(index: &'i Index<'_>, name: Name) -> &'i [Sym] {
    let known = index.methods.get(&name).filter(|known| known.len() <= MAX_NAMESAKES);
    known.map_or(&[], Vec::as_slice)
}

/// What a method that is known by its name alone is, where it may be a trait's: where one block alone implements it for types from
/// outside, that is the one; of several, any.
fn of_trait_method(index: &Index<'_>, sym: Sym) -> (Sym, Confidence) {
    let (file, symbol) = index.symbol(sym);
    let name = index.name(file, symbol.name);
    let holder = index.member_of[sym.0 as usize];
    let blocks = holder.and_then(|holder| index.outside_blocks.get(&holder)).map_or(&[][..], Vec::as_slice);
    let in_blocks = |other: &Sym| {
        let (file, symbol) = index.glance(*other);
        // Blocks stand in the order of files and places.
        matches!(symbol.container, Container::Owner(at) if blocks.binary_search(&(file, at)).is_ok())
    };
    let found: Vec<Sym> = index.methods.get(&name).into_iter().flatten().copied().filter(in_blocks).collect();
    match found.as_slice() {
        [] => (sym, Confidence::Unique),
        [block] => (*block, Confidence::Unique),
        several => (sym, ambiguous(several.len().min(MAX_CANDIDATES))),
    }
}
