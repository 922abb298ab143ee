//! In which order relations can be derived.

use super::ast::Place;
use super::checked::{HeadColumn, Literal, Relation, Rule};
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
    let groups = groups(&uses, |relation| relations[relation].given.is_none());
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

/// Strongly connected components, each after those that it uses: Tarjan's algorithm without recursion.
fn groups(uses: &[Vec<Use>], is_derived: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = uses.len();
    let (mut number, mut low, mut is_open) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut open, mut groups, mut next) = (Vec::new(), Vec::new(), 0);
    for start in (0..n).filter(|relation| is_derived(*relation)) {
        if number[start] != NEW {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((at, edge)) = path.pop() {
            if edge == 0 {
                (number[at], low[at], is_open[at]) = (next, next, true);
                next += 1;
                open.push(at);
            }
            if let Some(to) = uses[at].get(edge).map(|each| each.of) {
                path.push((at, edge + 1));
                if number[to] == NEW {
                    path.push((to, 0));
                } else if is_open[to] {
                    low[at] = low[at].min(number[to]);
                }
                continue;
            }
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
            if low[at] == number[at] {
                let mut group = Vec::new();
                while let Some(member) = open.pop() {
                    is_open[member] = false;
                    group.push(member);
                    if member == at {
                        break;
                    }
                }
                group.sort_unstable();
                groups.push(group);
            }
        }
    }
    groups
}
