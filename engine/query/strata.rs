//! In which order relations can be derived.

use super::ast::Place;
use super::checked::{HeadColumn, Literal, Relation, Rule};
use super::components::components;
use super::mistake::Mistake;

/// A use of a derived relation by a rule of another.
struct Use {
    of: usize,
    /// Whether all of it must be known before: it is negated, or added up.
    is_whole: bool,
    place: Place,
}

/// Derived relations in groups that are derived from one another, each after what it is derived from.
///
/// # Errors
///
/// A relation that is derived from what it is not, or from a total of itself.
pub(super) fn strata(relations: &[Relation], rules: &[Rule]) -> Result<Vec<Vec<usize>>, Mistake> {
    let mut uses: Vec<Vec<Use>> = relations.iter().map(|_| Vec::new()).collect();
    for rule in rules {
        let is_total = rule.columns.iter().any(|column| matches!(column, HeadColumn::Over(..)));
        for literal in &rule.body {
            let (atom, is_negated) = match literal {
                Literal::Is(atom) => (atom, false),
                Literal::IsNot(atom) => (atom, true),
                Literal::Compare(..) | Literal::Text(..) => continue,
            };
            if relations[atom.relation].given.is_none() {
                uses[rule.head].push(Use { of: atom.relation, is_whole: is_negated || is_total, place: rule.place });
            }
        }
    }
    let derived = (0..relations.len()).filter(|relation| relations[*relation].given.is_none());
    let groups = components(relations.len(), derived, |relation, at| uses[relation].get(at).map(|each| each.of));
    let mut group_of = vec![usize::MAX; relations.len()];
    for (number, group) in groups.iter().enumerate() {
        for relation in group {
            group_of[*relation] = number;
        }
    }
    for (number, group) in groups.iter().enumerate() {
        for relation in group {
            if let Some(bad) = uses[*relation].iter().find(|each| each.is_whole && group_of[each.of] == number) {
                let names: Vec<String> = group.iter().map(|relation| format!("`{}`", relations[*relation].name)).collect();
                let message = format!(
                    "`{}` needs all of `{}`, by `not` or a total, and that is derived from it in turn (through {})",
                    relations[*relation].name,
                    relations[bad.of].name,
                    names.join(", ")
                );
                return Err(Mistake::new(bad.place, message));
            }
        }
    }
    Ok(groups)
}
