//! Methods of iterators and collections beside those that all evaluators know.

use super::Terms;
use super::store::{Id, Node};
use crate::resolve::types::Place;
use activate_grammars::facts::{Expr, ExprId};
use activate_grammars::scope::Gives;

/// The method that takes what many hold for what they are.
pub(super) const FLATTEN: &str = "flatten";

/// Methods that give pairs: with a number in front, and with what another has.
pub(super) const PAIRING: [&str; 2] = ["enumerate", ZIP];
const ZIP: &str = "zip";

/// Methods of Rust's iterators, vectors and maps by what they give.
const MORE: &[(&str, Gives)] = &[
    ("as_mut_slice", Gives::Same),
    ("back", Gives::MaybeElement),
    ("back_mut", Gives::MaybeElement),
    ("collect", Gives::Same),
    ("cycle", Gives::Same),
    ("first_mut", Gives::MaybeElement),
    (FLATTEN, Gives::Same),
    ("front", Gives::MaybeElement),
    ("front_mut", Gives::MaybeElement),
    ("fuse", Gives::Same),
    ("get_unchecked", Gives::MaybeElement),
    ("get_unchecked_mut", Gives::MaybeElement),
    ("last_mut", Gives::MaybeElement),
    ("max_by", Gives::MaybeElement),
    ("max_by_key", Gives::MaybeElement),
    ("min_by", Gives::MaybeElement),
    ("min_by_key", Gives::MaybeElement),
    ("next_if", Gives::MaybeElement),
    ("nth", Gives::MaybeElement),
    ("peek", Gives::MaybeElement),
    ("peek_mut", Gives::MaybeElement),
    ("pop_back", Gives::MaybeElement),
    ("pop_front", Gives::MaybeElement),
    ("remove", Gives::MaybeElement),
    ("skip_while", Gives::Same),
    ("step_by", Gives::Same),
    ("swap_remove", Gives::MaybeElement),
];

impl Terms<'_, '_> {
    /// What a method gives that types of the language have.
    pub(super) fn known_method(&self, place: Place, text: &str) -> Option<Gives> {
        let known = self.index.rules(place.file).map_or(&[][..], |rules| rules.known_methods);
        let more = if self.is_tree(place.file) { MORE } else { &[] };
        known.iter().chain(more).find(|(known, _)| *known == text).map(|(_, gives)| *gives)
    }

    /// Many pairs of what a value has, with a number in front or with what the argument has behind.
    pub(super) fn paired(&mut self, place: Place, of: Id, (text, first): (&str, ExprId), depth: usize) -> Id {
        let each = self.element(of, depth);
        let pair = if text == ZIP {
            let other = self.value(place, first, depth);
            vec![each, self.element(other, depth)]
        } else {
            vec![Id::UNKNOWN, each]
        };
        let pair = self.store.add(Node::Tuple(pair));
        self.store.add(Node::Many(pair))
    }

    /// What a function value is called with: of callbacks of lists, an element.
    pub(super) fn parameter(&mut self, place: Place, of: ExprId, n: u32, depth: usize) -> Id {
        let Expr::Argument(callee, argument) = self.expr(place, of) else { return Id::UNKNOWN };
        let Expr::Member(base, name) = self.expr(place, callee) else { return Id::UNKNOWN };
        let text = self.index.facts(place.file).names.get(name);
        let callbacks = self.index.rules(place.file).map_or(&[][..], |rules| rules.callbacks);
        let fits = callbacks.iter().find(|known| {
            known.methods.contains(&text) && u32::from(known.argument) == argument && u32::from(known.parameter) == n
        });
        let Some(callback) = fits else { return Id::UNKNOWN };
        let mut of = self.value(place, base, depth);
        if let Node::Both(_, held) = *self.store.get(of) {
            of = held;
        }
        if callback.gives == Gives::Argument(1) && self.is_tree(place.file) {
            return self.failed(of);
        }
        let of = self.taken(of);
        match callback.gives {
            Gives::Element | Gives::MaybeElement | Gives::Argument(0)
                if matches!(self.store.get(of), Node::Many(_) | Node::Map(..)) =>
            {
                self.element(of, depth)
            }
            // A wrapper around one value, which is passed, has it for its only element.
            Gives::Element if self.store.leads_out(of) => {
                let each = self.store.add(Node::Element(of));
                self.store.either(&[of, each])
            }
            Gives::Element | Gives::Same => of,
            _ => Id::UNKNOWN,
        }
    }
}
