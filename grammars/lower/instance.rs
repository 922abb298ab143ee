//! Type variables that stand for the type of the instance: `def same(self: T) -> T`, `def made(cls: Type[T]) -> T`. A class that is named there is
//! that class.

use super::{Frame, Lower};
use crate::facts::{Expr, ExprId, ListId, NameId};

/// How deep a name is looked for in a type.
const MAX_DEPTH: usize = 4;

/// The most bytes of type parameters that are looked through for one.
const MAX_PARAMETERS: usize = 512;

impl Lower<'_> {
    /// Remembers the type variable that the parameter which is the instance, and begins at a byte, has as its type.
    pub(super) fn note_type_of_instance(&mut self, declared: ExprId, start: usize) {
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
        if let Expr::Name(name) = name
            && (self.is_type_variable(name) || self.is_type_parameter(name, start))
        {
            self.instance_types.push((self.n_open_functions, name));
        }
    }

    /// Whether the module makes a type variable of a name: `T = TypeVar("T")`.
    fn is_type_variable(&self, name: NameId) -> bool {
        let expr = |id: ExprId| self.facts.exprs[id.0 as usize];
        let Some((of, _)) = self.assigned.get(&name) else { return false };
        let Expr::Call(callee, _) = expr(self.facts.symbols[of.0 as usize].value) else { return false };
        let (Expr::Name(maker) | Expr::Member(_, maker)) = expr(callee) else { return false };
        self.language.reading.type_variables.contains(&self.facts.names.get(maker))
    }

    /// Whether the function has a type parameter of a name, in front of its first parameter: `def same[T](self: T) -> T`.
    fn is_type_parameter(&self, name: NameId, start: usize) -> bool {
        let parameters = || {
            let before = self.source.get(..start)?.trim_end().strip_suffix('(')?.trim_end().strip_suffix(']')?;
            let mut depth = 0_usize;
            let open = before.bytes().rev().take(MAX_PARAMETERS).position(|byte| {
                depth += usize::from(byte == b']');
                depth = if byte == b'[' { depth.wrapping_sub(1) } else { depth };
                depth == usize::MAX
            })?;
            before.get(before.len() - open..)
        };
        let words = |text: &str| text.split([':', '=']).next().map(str::trim) == Some(self.facts.names.get(name));
        parameters().is_some_and(|parameters| parameters.split(',').any(words))
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
