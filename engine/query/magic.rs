//! Narrows a program down to what a question needs: rules derive only rows whose known columns are asked for (magic sets).
//!
//! A relation that is asked with values in some columns becomes one of its own, beside a demand: a relation of the values that are asked for. Each
//! rule of it begins with the demand, and what it asks in turn, left to right in the order of the join, becomes demand; where nothing is asked of a
//! rule itself, what few rows say does (see [`super::small`]). What is negated is derived whole. Where that would make a relation need all of one that is derived from it, nothing is narrowed. A relation that repeats a step is narrowed
//! down to what leads to, or comes from, few values that are written: all of it is found faster than pair by pair (see [`super::closure`]).

use super::ast::Comparison;
use super::check::Checked;
use super::checked::{Atom, Expression, HeadColumn, Literal, Relation, Rule, Term, Variable};
use super::facts::Facts;
use super::plan::{Sizes, Step, plan};
use super::small::{self, Small};
use super::strata::strata;
use super::transitive::{Repeats, repeats};
use rustc_hash::{FxHashMap, FxHashSet};

/// A program for one question.
#[derive(Debug)]
pub(super) struct Narrowed {
    pub(super) relations: Vec<Relation>,
    pub(super) rules: Vec<Rule>,
    pub(super) question: Rule,
    pub(super) strata: Vec<Vec<usize>>,
}

/// Ways in which relations may be asked for: with more, nothing is narrowed.
const MAX_ASKED: usize = 1_024;

/// Parts in front of one that is asked for that may become its demand: of more, the demand would be as long as the rule, again and again.
const MAX_BEFORE: usize = 16;

/// The program for a question.
pub(super) fn narrowed(checked: &Checked, question: &Rule, facts: &dyn Facts) -> Narrowed {
    let small = Small::of(&checked.relations, &checked.rules, facts);
    [true, false].into_iter().find_map(|narrows| made(checked, question, narrows, (&small, facts))).unwrap_or_else(|| Narrowed {
        relations: checked.relations.clone(),
        rules: checked.rules.clone(),
        question: question.clone(),
        strata: checked.strata.clone(),
    })
}

/// The columns of a relation that are asked for, as bits.
type Asked = u32;

struct Narrowing<'c> {
    checked: &'c Checked,
    small: &'c Small,
    facts: &'c dyn Facts,
    narrows: bool,
    relations: Vec<Relation>,
    rules: Vec<Rule>,
    /// The relation of each that is asked so, and its demand.
    made: FxHashMap<(usize, Asked), (usize, Option<usize>)>,
    /// The rules of each relation.
    rules_of: FxHashMap<usize, Vec<usize>>,
    /// How relations repeat a step, of those that do nothing else.
    repeats: Vec<Option<Repeats>>,
    /// Demands of few values: of those that are written, and of what such demands ask in turn.
    few: FxHashSet<usize>,
    /// The relation whose rules are narrowed, as it is asked.
    current: Option<(usize, Asked)>,
    /// What is to be derived.
    open: Vec<(usize, Asked)>,
}

/// Sizes are not known before, but for those of small relations: what is given stands before what is derived.
struct Unknown<'c>(&'c Checked, &'c Small, &'c dyn Facts);

impl Sizes for Unknown<'_> {
    fn n_rows(&self, relation: usize) -> usize {
        let is_derived = usize::from(self.0.relations[relation].given.is_none());
        if self.1.is_small(relation) { is_derived } else { 2 + is_derived }
    }

    fn finds(&self, relation: usize, known: &[bool]) -> bool {
        self.0.relations[relation].given.is_none_or(|given| self.2.finds(given, known))
    }
}

fn made(checked: &Checked, question: &Rule, narrows: bool, (small, facts): (&Small, &dyn Facts)) -> Option<Narrowed> {
    let mut rules_of: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, rule) in checked.rules.iter().enumerate() {
        rules_of.entry(rule.head).or_default().push(at);
    }
    let of = |relation| rules_of.get(&relation).into_iter().flatten().map(|rule| &checked.rules[*rule]);
    let mut narrowing = Narrowing {
        repeats: (0..checked.relations.len()).map(|relation| repeats(relation, of(relation))).collect(),
        rules_of,
        checked,
        small,
        facts,
        narrows,
        relations: checked.relations.clone(),
        rules: Vec::new(),
        made: FxHashMap::default(),
        few: FxHashSet::default(),
        current: None,
        open: Vec::new(),
    };
    let question = narrowing.rule(question, None, &[], true);
    while let Some((relation, asked)) = narrowing.open.pop() {
        let (made, demand) = narrowing.made[&(relation, asked)];
        narrowing.current = Some((relation, asked));
        if narrowing.made.len() > MAX_ASKED && narrows {
            return None;
        }
        let of_relation = narrowing.rules_of.get(&relation).cloned().unwrap_or_default();
        for rule in of_relation.into_iter().map(|rule| &checked.rules[rule]) {
            let known = asked_of(rule, asked);
            let mut rule = narrowing.rule(rule, demand, &known, demand.is_some());
            rule.head = made;
            narrowing.rules.push(rule);
        }
    }
    let Narrowing { relations, rules, .. } = narrowing;
    let strata = strata(&relations, &rules).ok()?;
    Some(Narrowed { relations, rules, question, strata })
}

/// The columns of a head that are asked for.
fn asked_of(rule: &Rule, asked: Asked) -> Vec<Expression> {
    let column = |(at, column): (usize, &HeadColumn)| match column {
        HeadColumn::Value(value) | HeadColumn::Over(_, value) => (asked >> at & 1 == 1).then(|| value.clone()),
    };
    rule.columns.iter().enumerate().filter_map(column).collect()
}

impl Narrowing<'_> {
    /// A rule whose derived relations are those that it asks for; `demand` has the values of `known` in front. Only values that are written are handed
    /// on where nothing is `asked` of the rule itself.
    fn rule(&mut self, rule: &Rule, demand: Option<usize>, known: &[Expression], is_asked: bool) -> Rule {
        let mut made = Rule { body: Vec::new(), ..rule.clone() };
        let mut bound = vec![false; rule.variables.len()];
        // What is computed is compared last: other parts may say of which values it can be.
        let mut computed_last = Vec::new();
        if let Some(demand) = demand {
            let mut terms = Vec::new();
            for expression in known {
                terms.push(match expression {
                    Expression::Variable(variable) => Term::Variable(*variable),
                    Expression::Value(value) => Term::Value(*value),
                    computed @ Expression::Arithmetic(..) => {
                        let variable = made.variables.len();
                        let of = super::facts::Type::Number;
                        made.variables.push(Variable { name: String::new(), of });
                        let named = Expression::Variable(variable);
                        computed_last.push(Literal::Compare((named, of), Comparison::Equal, (computed.clone(), of)));
                        Term::Variable(variable)
                    }
                });
            }
            let atom = Atom { relation: demand, terms };
            bound.resize(made.variables.len(), false);
            atom.bind(&mut bound);
            made.body.insert(0, Literal::Is(atom));
        }
        bound.resize(made.variables.len(), false);
        // Variables for which few rows give values.
        let mut few = vec![false; bound.len()];
        // What stands in front of a part when it is asked.
        let mut before: Vec<Literal> = made.body.clone();
        let ordered: Vec<Literal> =
            plan(rule, None, &bound[..rule.variables.len()], &Unknown(self.checked, self.small, self.facts))
                .into_iter()
                .map(|step| match step {
                    Step::Rows { lookup, .. } => Literal::Is(lookup.atom.clone()),
                    Step::NoRow { lookup } => Literal::IsNot(lookup.atom.clone()),
                    Step::Let(variable, expression) => {
                        let of = rule.variables[variable].of;
                        Literal::Compare((Expression::Variable(variable), of), Comparison::Equal, (expression.clone(), of))
                    }
                    Step::If(literal) => literal.clone(),
                })
                .collect();
        for literal in ordered {
            let literal = match literal {
                Literal::Is(atom) if self.is_derived(atom.relation) => {
                    let known = atom.bound(if is_asked { &bound } else { &few });
                    let next = self.ask(&atom, &known, &before, &made.variables);
                    atom.bind(&mut bound);
                    self.small.pass(&atom, &self.checked.relations, &mut few);
                    Literal::Is(Atom { relation: next, terms: atom.terms })
                }
                Literal::IsNot(atom) if self.is_derived(atom.relation) => {
                    let nothing = vec![false; atom.terms.len()];
                    let next = self.ask(&atom, &nothing, &before, &made.variables);
                    made.body.push(Literal::IsNot(Atom { relation: next, terms: atom.terms }));
                    continue;
                }
                Literal::Is(atom) => {
                    atom.bind(&mut bound);
                    self.small.pass(&atom, &self.checked.relations, &mut few);
                    Literal::Is(atom)
                }
                Literal::IsNot(atom) => {
                    made.body.push(Literal::IsNot(atom));
                    continue;
                }
                Literal::Compare(left, comparison, right) => {
                    for (side, _) in [&left, &right] {
                        side.for_each_variable(&mut |variable| bound[variable] = true);
                    }
                    small::compare((&left.0, comparison, &right.0), &mut few);
                    Literal::Compare(left, comparison, right)
                }
                other @ Literal::Text(..) => other,
            };
            before.push(literal.clone());
            made.body.push(literal);
        }
        made.body.extend(computed_last);
        made
    }

    fn is_derived(&self, relation: usize) -> bool {
        self.relations[relation].given.is_none()
    }

    /// The relation that an atom asks for, where so many columns are known; what it asks becomes demand.
    fn ask(&mut self, atom: &Atom, known: &[bool], before: &[Literal], variables: &[Variable]) -> usize {
        let total = |at: usize| {
            let rules = self.rules_of.get(&atom.relation).into_iter().flatten();
            rules.into_iter().any(|rule| matches!(self.checked.rules[*rule].columns.get(at), Some(HeadColumn::Over(..))))
        };
        // What is added up is not known before all of it is.
        let asked: Asked = if self.narrows && before.len() <= MAX_BEFORE {
            (0..known.len()).filter(|at| known[*at] && !total(*at)).fold(0, |asked, at| asked | 1 << at)
        } else {
            0
        };
        let asked = self.asked_of_step(atom, asked, before);
        let columns = self.relations[atom.relation].columns.clone();
        let name = self.relations[atom.relation].name.clone();
        let (made, demand) = *self.made.entry((atom.relation, asked)).or_insert_with(|| {
            self.open.push((atom.relation, asked));
            let demand = (asked != 0).then(|| {
                let columns = columns.iter().enumerate().filter(|(at, _)| asked >> at & 1 == 1).map(|(_, of)| *of).collect();
                self.relations.push(Relation { name: name.clone(), columns, given: None, is_demand: true });
                self.relations.len() - 1
            });
            self.relations.push(Relation { name, columns, given: None, is_demand: false });
            (self.relations.len() - 1, demand)
        });
        if let Some(demand) = demand {
            if (0..known.len()).all(|at| asked >> at & 1 == 0 || self.is_few(&atom.terms[at], before)) {
                self.few.insert(demand);
            }
            let term = |at: usize| match atom.terms[at] {
                Term::Variable(variable) => Expression::Variable(variable),
                Term::Value(value) => Expression::Value(value),
                Term::Anything => Expression::Value(0),
            };
            let columns = (0..known.len()).filter(|at| asked >> at & 1 == 1).map(|at| HeadColumn::Value(term(at))).collect();
            let rule = Rule {
                head: demand,
                columns,
                body: before.to_vec(),
                variables: variables.to_vec(),
                place: super::ast::Place::default(),
            };
            self.rules.push(rule);
        }
        made
    }

    /// What is asked of a relation that repeats a step: few values of the column that is handed on, or all. Of other relations what is asked is handed
    /// back.
    fn asked_of_step(&self, atom: &Atom, asked: Asked, before: &[Literal]) -> Asked {
        let Some(repeats) = self.repeats[atom.relation] else { return asked };
        let Some(column) = repeats.handed_on().filter(|column| asked >> column & 1 == 1) else { return 0 };
        // Within its own rules it is asked as its head is.
        let is_own = self.current.is_some_and(|(relation, of_head)| relation == atom.relation && of_head >> column & 1 == 1);
        if is_own || self.is_few(&atom.terms[column], before) { 1 << column } else { 0 }
    }

    /// Whether a column has few values: those that are written, or that few others ask for.
    fn is_few(&self, term: &Term, before: &[Literal]) -> bool {
        let Term::Variable(variable) = term else { return matches!(term, Term::Value(_)) };
        let is_value = |side: &Expression| matches!(side, Expression::Value(_));
        let is_it = |side: &Expression| matches!(side, Expression::Variable(at) if at == variable);
        before.iter().any(|literal| match literal {
            Literal::Is(atom) => self.few.contains(&atom.relation) && atom.terms.contains(term),
            Literal::Compare((left, _), Comparison::Equal, (right, _)) => {
                is_it(left) && is_value(right) || is_it(right) && is_value(left)
            }
            _ => false,
        })
    }
}
