//! Methods that stand in the place of those above their type which take the same, in languages where methods are told apart by what they take.

use super::index::{Index, Member};
use super::lookup::MAX_SUPERS;
use super::shape::{Same, Steps, same_parameters};
use super::{End, FileId, Link, Name, Relation, Sym};
use activate_grammars::facts::SymbolKind;
use activate_rules::links::Confidence;
use rustc_hash::FxHashSet;

/// Adds a link from each such method to the nearest that it stands in for, on each way up.
pub(super) fn add(index: &Index<'_>, steps: &Steps, links: &mut Vec<Link>) {
    for number in 0..index.files.len() {
        let file = FileId(number as u32);
        if !index.has_bare_members(file) {
            continue;
        }
        let facts = index.facts(file);
        for (place, symbol) in facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.kind == SymbolKind::Method) {
            let mine = Sym(index.first_symbol[number] + place as u32);
            if index.is_constructor(mine) {
                continue;
            }
            for (theirs, same) in above(index, steps, mine, index.name(file, symbol.name)) {
                let confidence = if same == Same::Yes { Confidence::Exact } else { Confidence::Qualified };
                let (from, relation, line) = (End::Symbol(mine.0), Relation::Implements, symbol.name_line);
                links.push(Link { from, relation, line, to: theirs.0, confidence });
            }
        }
    }
}

/// The nearest methods above that a method stands in for, and how much alike they are.
fn above(index: &Index<'_>, steps: &Steps, mine: Sym, name: Name) -> Vec<(Sym, Same)> {
    let Some(of) = index.member_of[mine.0 as usize] else { return Vec::new() };
    let mut found = Vec::new();
    let mut seen = FxHashSet::from_iter([of]);
    let mut open = vec![of];
    while let Some(at) = open.pop() {
        for above in index.supers.get(&at).into_iter().flatten().rev() {
            if !steps.take() || seen.len() > MAX_SUPERS || !seen.insert(above.target) {
                continue;
            }
            let members = index.members.get(&(above.target, name)).into_iter().flatten();
            let alike = members.filter_map(|member| match member {
                Member::Symbol(theirs) if index.can_stand_in(mine, *theirs) => {
                    let same = same_parameters(index, steps, mine, *theirs);
                    (same > Same::No && !index.is_constructor(*theirs)).then_some((*theirs, same))
                }
                Member::Symbol(_) | Member::Field(..) => None,
            });
            // The first of those that are the most alike.
            match alike.reduce(|best, other| if other.1 > best.1 { other } else { best }) {
                Some(nearest) => found.push(nearest),
                None => open.push(above.target),
            }
        }
    }
    found
}
