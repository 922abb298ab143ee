//! What may go wrong, and what brackets take out of values.

use super::Terms;
use super::store::{Id, Node};
use super::values::MAPS;
use crate::boundary::FAILED;
use crate::resolve::types::Place;
use activate_grammars::facts::ExprId;

/// The interface of types behind whose values brackets may stand, and the name in it of what these give.
const INDEX: (&str, &str) = ("Index", "Output");

/// The interface of types whose values may be waited for, and the name in it of what they give.
pub(super) const FUTURE: (&str, &str) = ("Future", "Output");

/// The member of a type by which others know what waiting for its values gives: no other can have the name.
pub(super) const AWAITED: &str = "await";

/// Methods that give what went wrong.
const WRONG: [&str; 3] = ["err", "expect_err", "unwrap_err"];

/// The method that makes something else of what went wrong.
const MAP_WRONG: &str = "map_err";

/// Methods of `Result` that give the like of it (<https://doc.rust-lang.org/std/result/enum.Result.html>).
const KEEPING: [&str; 14] = [
    "and",
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_ref",
    "clone",
    "cloned",
    "copied",
    "flatten",
    "inspect",
    "inspect_err",
    "or",
    "or_else",
    "transpose",
];

/// Those that take out of it what it is when nothing went wrong.
const TAKING: [&str; 18] = [
    "expect",
    "into_iter",
    "is_err",
    "is_err_and",
    "is_ok",
    "is_ok_and",
    "iter",
    "iter_mut",
    "map_or",
    "map_or_default",
    "map_or_else",
    "ok",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "unwrap_unchecked",
    "into_ok",
];

impl Terms<'_, '_> {
    /// What a method gives of what may go wrong.
    pub(super) fn tried_method(
        &mut self,
        place: Place,
        (value, failed): (Id, Id),
        (text, first): (&str, ExprId),
        depth: usize,
    ) -> Id {
        if WRONG.contains(&text) {
            return failed;
        }
        if text == MAP_WRONG {
            let function = self.value(place, first, depth);
            let failed = if let Node::Function(result) = *self.store.get(function) { result } else { Id::UNKNOWN };
            return self.store.add(Node::Tried(value, failed));
        }
        if KEEPING.contains(&text) {
            return self.store.add(Node::Tried(value, failed));
        }
        // What `Result` has not, a trait gives it, to say more of what went wrong.
        let is_known = MAPS.contains(&text) || TAKING.contains(&text);
        let own = self.value_member(value, text, depth);
        if !is_known && self.store.symbol(own).is_none() {
            return self.store.add(Node::Tried(value, Id::UNKNOWN));
        }
        let made = self.method(place, value, (text, first), depth + 1);
        if MAPS.contains(&text) { self.store.add(Node::Tried(made, failed)) } else { made }
    }

    /// What waiting for a value gives: what its type says of that, else itself, as what may still come is passed over.
    pub(super) fn awaited(&mut self, of: Id, depth: usize) -> Id {
        let held = self.store.bound_but_tried(of);
        match (self.store.get(held).clone(), self.store.item_of(held).and_then(|item| self.store.symbol(item))) {
            (Node::Tried(..), _) => of,
            (Node::Either(each), _) => {
                let each: Vec<Id> = each.into_iter().map(|of| self.awaited(of, depth + 1)).collect();
                self.store.either(&each)
            }
            (node, Some(sym)) => {
                let output = self.promised(sym, FUTURE, depth).unwrap_or(Id::UNKNOWN);
                let given = if let Node::Applied(_, given) = node { given } else { Vec::new() };
                self.filled_of(output, sym, &given, depth).or_else(|| of)
            }
            (Node::Result(_), None) => {
                let output = self.store.add(Node::Member(of, AWAITED.to_owned()));
                self.store.either(&[of, output])
            }
            _ => of,
        }
    }

    /// What something that may go wrong is when it does not.
    pub(super) fn taken(&self, of: Id) -> Id {
        if let Node::Tried(value, _) = *self.store.get(of) { value } else { of }
    }

    /// What something that may go wrong is then.
    pub(super) fn failed(&mut self, of: Id) -> Id {
        match *self.store.get(of) {
            Node::Tried(_, failed) => failed,
            Node::Result(_) => self.part(of, FAILED),
            _ => Id::UNKNOWN,
        }
    }

    /// What brackets take out of a value: of one of a type from outside that has one argument, a value of that as well.
    pub(super) fn indexed(&mut self, place: Place, of: Id, depth: usize) -> Id {
        let of = self.store.bound(of);
        let each = self.element(of, depth);
        if !self.is_tree(place.file) {
            return each;
        }
        match (self.store.get(of).clone(), self.store.item_of(of).and_then(|item| self.store.symbol(item))) {
            (node, Some(sym)) => {
                let output = self.promised(sym, INDEX, depth).unwrap_or(Id::UNKNOWN);
                let given = if let Node::Applied(_, given) = node { given } else { Vec::new() };
                self.filled_of(output, sym, &given, depth).or_else(|| each)
            }
            (Node::Applied(_, given), None) if given.len() == 1 => self.store.either(&[each, given[0]]),
            _ => each,
        }
    }
}
