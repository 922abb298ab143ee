//! Names that stand for the type of the instance: `def same(self: T) -> T`, `def made(cls: Type[T]) -> T`.

use super::{Frame, Lower};
use crate::facts::{Expr, ExprId, ListId, NameId};

/// How deep a name is looked for in a type.
const MAX_DEPTH: usize = 4;

impl Lower<'_> {
    /// Remembers the name that the parameter which is the instance has as its type.
    pub(super) fn note_type_of_instance(&mut self, declared: ExprId) {
        let expr = |id: ExprId| self.facts.exprs[id.0 as usize];
        let name = match expr(declared) {
            Expr::Apply(base, list) if list.len == 1 => match expr(base) {
                Expr::Name(of) if self.language.scope.transparent.iter().any(|(known, _)| *known == self.facts.names.get(of)) => {
                    expr(self.facts.lists[list.start as usize])
                }
                _ => return,
            },
            plain => plain,
        };
        if let Expr::Name(name) = name {
            self.instance_types.push((self.n_open_functions, name));
        }
    }

    /// What a method of a type gives, with the type around where the name stands that is its instance's type.
    pub(super) fn given_by_instance(&mut self, declared: ExprId, frame: &Frame) -> ExprId {
        let Some((depth, name)) = self.instance_types.last().copied() else { return declared };
        let is_own = frame.opened.function && depth == self.n_open_functions;
        let around = self.outer_container(frame);
        if !is_own || !self.has_members(around) {
            return declared;
        }
        self.replace_name(declared, (name, Expr::ThisType(around)), 0)
    }

    /// A type in which another stands for a name.
    fn replace_name(&mut self, of: ExprId, known: (NameId, Expr), depth: usize) -> ExprId {
        let parts = |lower: &mut Self, list: ListId| {
            let members = lower.facts.lists[list.start as usize..(list.start + list.len) as usize].to_vec();
            let replaced: Vec<ExprId> = members.iter().map(|each| lower.replace_name(*each, known, depth + 1)).collect();
            (replaced != members).then(|| lower.list(replaced))
        };
        let made = match self.facts.exprs[of.0 as usize] {
            Expr::Name(name) if name == known.0 => Some(known.1),
            Expr::Apply(base, list) if depth < MAX_DEPTH => parts(self, list).map(|list| Expr::Apply(base, list)),
            Expr::Union(list) if depth < MAX_DEPTH => parts(self, list).map(Expr::Union),
            _ => None,
        };
        made.map_or(of, |made| self.add_expr(made))
    }
}
