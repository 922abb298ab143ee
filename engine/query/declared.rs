//! The relations of a program: those that are given, those that rules derive, and those that are only declared.

use super::ast::{self, Place};
use super::check::Checker;
use super::checked::Relation;
use super::mistake::Mistake;
use super::types::Slot;

impl Checker<'_> {
    /// Takes note of all of them, and of how many columns each has.
    pub(super) fn declare(&mut self, program: &ast::Program) -> Result<(), Mistake> {
        for (at, given) in self.facts.relations().iter().enumerate() {
            let slots: Vec<Slot> = given.columns.iter().map(|_| self.types.add()).collect();
            for (slot, column) in slots.iter().zip(given.columns) {
                let why = format!("column `{}` of `{}`", column.name, given.name);
                self.types.is(*slot, column.of, &why, Place::default())?;
            }
            self.by_name.insert(given.name.to_owned(), self.relations.len());
            self.relations.push(Relation { name: given.name.to_owned(), columns: Vec::new(), given: Some(at), is_demand: false });
            self.columns.push(slots);
        }
        let heads = program.rules.iter().map(|rule| &rule.head).map(|head| (&head.relation, head.columns.len(), head.place));
        for (relation, n_columns, place) in heads {
            let known = self.by_name.get(relation).copied().filter(|at| !(program.hides && self.relations[*at].given.is_some()));
            self.derives(known, (relation, n_columns, place), "above")?;
        }
        for declared in &program.declared {
            let known = self.by_name.get(&declared.relation).copied();
            // What nobody derives may be the repository's, with fewer columns.
            match known.filter(|at| self.relations[*at].given.is_some()).map(|at| self.columns[at].len()) {
                Some(has) if declared.n_columns <= has => {}
                Some(has) => {
                    let message = format!("`{}` has {has} columns and not {}", declared.relation, declared.n_columns);
                    return Err(Mistake::new(declared.place, message));
                }
                None => self.derives(known, (&declared.relation, declared.n_columns, declared.place), "in its rules")?,
            }
        }
        Ok(())
    }

    /// Takes note of a relation that is derived, and may be `known` from `before`.
    fn derives(
        &mut self,
        known: Option<usize>,
        (relation, n_columns, place): (&str, usize, Place),
        before: &str,
    ) -> Result<(), Mistake> {
        let Some(at) = known else {
            let slots = (0..n_columns).map(|_| self.types.add()).collect();
            self.by_name.insert(relation.to_owned(), self.relations.len());
            self.relations.push(Relation { name: relation.to_owned(), columns: Vec::new(), given: None, is_demand: false });
            self.columns.push(slots);
            return Ok(());
        };
        let n_before = self.columns[at].len();
        let message = if self.relations[at].given.is_some() {
            format!(
                "`{relation}` is a relation of the repository: give what you derive another name, or ask with `?- {relation}(..)`"
            )
        } else if n_before == n_columns {
            return Ok(());
        } else {
            format!("`{relation}` has {n_before} columns {before} and {n_columns} here")
        };
        Err(Mistake::new(place, message))
    }
}
