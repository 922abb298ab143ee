//! Interfaces of the repository that types of the language fulfil: `impl Context for Result<T, E>`.

use super::Terms;
use super::store::{Id, Node};
use crate::boundary::{self, Boundary};
use crate::resolve::index::Member;
use crate::resolve::types::Place;
use crate::resolve::{FileId, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, SymbolKind};
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashMap;

/// The type of what may go wrong.
pub(super) const RESULT: &str = "Result";

/// The type that gives the members of a slice.
const VEC: &str = "Vec";

/// A method of an interface as a type of the language has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fulfilled {
    interface: Sym,
    method: Sym,
}

/// Such methods by what the type is called: `[u8]`.
pub(super) type ByType = FxHashMap<String, Vec<Fulfilled>>;

impl<'a> Terms<'_, 'a> {
    /// What a type of the language is called; none where it is of the repository, or from outside.
    fn builtin_text(&mut self, place: Place, of: ExprId, depth: usize) -> Option<String> {
        if self.is_over(depth) {
            return None;
        }
        match self.expr(place, of) {
            Expr::Apply(_, list) if self.last_name(place, of) == VEC => {
                let each = self.listed(place, list).first().copied()?;
                self.builtin_text(place, each, depth + 1).map(|text| format!("[{text}]"))
            }
            Expr::Pointer(inner) | Expr::Apply(inner, _) => self.builtin_text(place, inner, depth + 1),
            Expr::Many(inner) => self.builtin_text(place, inner, depth + 1).map(|text| format!("[{text}]")),
            Expr::Name(name) => {
                let index = self.index;
                let is_own = self.item(place, of, depth + 1) != Id::UNKNOWN;
                let is_known = index.is_builtin(place.file, index.name(place.file, name)) && !is_own;
                is_known.then(|| index.facts(place.file).names.get(name).to_owned())
            }
            _ => None,
        }
    }

    /// Methods of interfaces of the repository in blocks for types of the language.
    fn fulfilled(&mut self) -> ByType {
        let index = self.index;
        let mut found = ByType::default();
        for number in 0..index.files.len() as u32 {
            let file = FileId(number);
            if !self.is_tree(file) {
                continue;
            }
            let facts = index.facts(file);
            let mut blocks: FxHashMap<u32, (String, Sym)> = FxHashMap::default();
            for (owner, at) in facts.owners.iter().zip(0..) {
                let place = Place { file, module: index.module_of(file, Container::Owner(at)) };
                let Some(text) = self.builtin_text(place, owner.of, 0) else { continue };
                let item = self.item(place, owner.implements, 0);
                let interface = self.store.symbol(item).filter(|sym| index.symbol(*sym).1.kind == SymbolKind::Interface);
                blocks.extend(interface.map(|interface| (at, (text, interface))));
            }
            for (symbol, n) in facts.symbols.iter().zip(0..) {
                if let Container::Owner(at) = symbol.container
                    && let Some((text, interface)) = blocks.get(&at)
                {
                    let method = Sym(index.first_symbol[number as usize] + n);
                    found.entry(text.clone()).or_default().push(Fulfilled { interface: *interface, method });
                }
            }
        }
        found
    }

    /// What an interface has for a type of the language, by the name that it has for others.
    pub(super) fn add_fulfilled(&mut self, boundary: &mut Boundary, interface: Sym, node: NodeId) {
        for of in self.fulfilled_by(RESULT).into_iter().filter(|of| of.interface == interface) {
            let name = tried_name(self.method_text(of.method));
            self.push_own(boundary, node, &name, of.method);
        }
    }

    /// What a type has since it gives the members of a type of the language, which fulfils interfaces of the repository. Tells which these are.
    pub(super) fn add_passed_on(&mut self, boundary: &mut Boundary, of: Sym, node: NodeId) -> Vec<Id> {
        let Some((place, target)) = self.delegate_written(of) else { return Vec::new() };
        let Some(text) = self.builtin_text(place, target, 0) else { return Vec::new() };
        let mut above = Vec::new();
        for passed in self.fulfilled_by(&text) {
            let text = self.method_text(passed.method);
            let members = self.index.names.find(text).map_or_else(Vec::new, |name| self.index.find_members(of, name));
            let is_own = members.iter().any(|member| match member {
                Member::Symbol(member) => self.is_member_shown(of, *member),
                Member::Field(..) => true,
            });
            if !is_own {
                self.push_own(boundary, node, text, passed.method);
            }
            let item = self.store.add(Node::Symbol(passed.interface));
            if !above.contains(&item) {
                above.push(item);
            }
        }
        above
    }

    fn fulfilled_by(&mut self, text: &str) -> Vec<Fulfilled> {
        if self.fulfilled.is_none() {
            self.fulfilled = Some(self.fulfilled());
        }
        self.fulfilled.as_ref().and_then(|known| known.get(text)).cloned().unwrap_or_default()
    }

    fn method_text(&self, method: Sym) -> &'a str {
        let (file, symbol) = self.index.symbol(method);
        self.index.facts(file).names.get(symbol.name)
    }

    fn push_own(&mut self, boundary: &mut Boundary, node: NodeId, name: &str, method: Sym) {
        let id = self.store.add(Node::Symbol(method));
        self.push_member(boundary, boundary::Place::Symbol(node), name, id);
    }
}

/// The name under which an interface has a method for what may go wrong: no other member can have it.
pub(super) fn tried_name(text: &str) -> String {
    format!("{RESULT}.{text}")
}
