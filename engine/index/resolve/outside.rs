//! Methods that may stand behind those of interfaces from outside of the repository.
//!
//! Says only of which methods that may be so; who calls them the sites tell.

use super::index::Index;
use super::{FileId, Sym};
use activate_grammars::facts::{Container, ExprId, SymbolKind, Traits, Visibility};

/// For each symbol whether it is such a method: of a type that says that it fulfils or extends something from outside, or of any type where
/// types fulfil what they have the methods of, or where values need no types.
pub(super) fn stands_in(index: &Index<'_>) -> Vec<bool> {
    let mut found = Vec::with_capacity(index.member_of.len());
    for number in 0..index.files.len() {
        let file = FileId(number as u32);
        let is_structural = index.rules(file).is_some_and(|rules| rules.structural);
        let is_untyped = index.rules(file).is_some_and(|rules| rules.untyped);
        for (place, symbol) in index.facts(file).symbols.iter().enumerate() {
            let sym = Sym(index.first_symbol[number] + place as u32);
            let is_method = symbol.kind == SymbolKind::Method && !symbol.traits.has(Traits::BODILESS);
            let is_meant = || match symbol.container {
                _ if is_untyped => true,
                _ if is_structural => symbol.visibility == Visibility::Public,
                Container::Owner(at) => is_of_block(index, file, at),
                Container::Symbol(_) => index.member_of[sym.0 as usize].is_some_and(|of| index.has_supers_outside(of)),
                Container::File => false,
            };
            found.push(is_method && is_meant());
        }
    }
    found
}

/// Whether a block implements a trait that is none of the repository.
fn is_of_block(index: &Index<'_>, file: FileId, at: u32) -> bool {
    let owner = index.facts(file).owners[at as usize];
    let here = index.module_of(file, owner.container);
    owner.implements != ExprId::UNKNOWN && index.type_symbol(file, here, owner.implements).is_none()
}
