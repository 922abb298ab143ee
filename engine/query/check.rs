//! Checks a program: that its relations exist and have so many columns, that what is compared is of one type, that every variable gets a value, and
//! that no relation is derived from what it is not.

use super::ast::{self, ExpressionKind, Place};
use super::checked::{Atom, Expression, HeadColumn, Literal, Relation, Rule, Term, Variable};
use super::facts::{Facts, Type, Value};
use super::mistake::{Mistake, nearest};
use super::strata::strata;
use super::types::{Slot, Types};
use super::words::Words;
use rustc_hash::FxHashMap;

/// Texts that name nothing of which it is said what is near.
const MAX_ADVICE: usize = 16;

/// A program that can be evaluated.
#[derive(Debug)]
pub struct Checked {
    pub(super) relations: Vec<Relation>,
    pub(super) rules: Vec<Rule>,
    /// Each as a rule of a relation that has no name.
    pub(super) questions: Vec<Rule>,
    /// Derived relations in the order in which they can be: those of one group are derived from one another.
    pub(super) strata: Vec<Vec<usize>>,
    /// What may be meant in another way.
    pub notes: Vec<Mistake>,
}

impl Checked {
    /// How many rules there are.
    pub fn n_rules(&self) -> usize {
        self.rules.len()
    }

    /// How many questions there are.
    pub fn n_questions(&self) -> usize {
        self.questions.len()
    }
}

/// Checks a program against the relations that are given.
///
/// # Errors
///
/// The first mistake.
pub fn check(program: &ast::Program, facts: &dyn Facts, words: &Words) -> Result<Checked, Mistake> {
    let mut checker = Checker {
        facts,
        is_exact: program.hides,
        words,
        relations: Vec::new(),
        by_name: FxHashMap::default(),
        columns: Vec::new(),
        types: Types::default(),
        notes: Vec::new(),
        nodes: FxHashMap::default(),
    };
    checker.declare(program)?;
    let heads = program.rules.iter().map(|rule| (Some(&rule.head), &rule.body));
    let questions = program.questions.iter().map(|question| (None, &question.body));
    let mut scopes = Vec::new();
    for (head, body) in heads.chain(questions) {
        scopes.push(checker.scope(head, body)?);
    }
    for (relation, column) in
        (0..checker.relations.len()).flat_map(|at| (0..checker.columns[at].len()).map(move |column| (at, column)))
    {
        checker.relations[relation].columns.push(checker.types.of(checker.columns[relation][column]).unwrap_or(Type::Text));
    }
    let (mut rules, mut questions) = (Vec::new(), Vec::new());
    for (rule, scope) in program.rules.iter().zip(&scopes) {
        rules.push(checker.rule(Some(&rule.head), &rule.body, scope, rule.place)?);
    }
    for (question, scope) in program.questions.iter().zip(&scopes[program.rules.len()..]) {
        questions.push(checker.rule(None, &question.body, scope, question.place)?);
    }
    let strata = strata(&checker.relations, &rules)?;
    let Checker { relations, mut notes, .. } = checker;
    notes.sort_by_key(|note| note.place);
    notes.dedup();
    Ok(Checked { relations, rules, questions, strata, notes })
}

pub(super) struct Checker<'p> {
    pub(super) facts: &'p dyn Facts,
    /// Whether relations that are derived have all of their columns wherever they stand.
    pub(super) is_exact: bool,
    pub(super) words: &'p Words,
    pub(super) relations: Vec<Relation>,
    pub(super) by_name: FxHashMap<String, usize>,
    /// The type slots of the columns of each relation.
    pub(super) columns: Vec<Vec<Slot>>,
    pub(super) types: Types,
    pub(super) notes: Vec<Mistake>,
    /// The nodes of the texts so far.
    pub(super) nodes: FxHashMap<String, Value>,
}

/// The variables of a rule.
#[derive(Default)]
struct Scope {
    names: Vec<String>,
    slots: Vec<Slot>,
}

impl Checker<'_> {
    /// The relation of an atom, which has as many columns or more.
    fn relation_of(&self, atom: &ast::Atom) -> Result<usize, Mistake> {
        let Some(at) = self.by_name.get(&atom.relation).copied() else {
            let meant = nearest(&atom.relation, self.relations.iter().map(|relation| relation.name.as_str()));
            let advice = meant.map_or_else(
                || "`activate query --relations` lists those of the repository, and no rule derives it".to_owned(),
                |meant| format!("is `{meant}` meant?"),
            );
            return Err(Mistake::new(atom.place, format!("there is no relation `{}`: {advice}", atom.relation)));
        };
        let (n_columns, has) = (atom.columns.len(), self.columns[at].len());
        let is_whole = self.is_exact && self.relations[at].given.is_none();
        if n_columns > has || is_whole && n_columns < has {
            let given = self.relations[at].given.and_then(|given| self.facts.relations().get(given));
            let names = given.map(|given| given.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", "));
            let names = names.map(|names| format!(": {names}")).unwrap_or_default();
            return Err(Mistake::new(atom.place, format!("`{}` has {has} columns and not {n_columns}{names}", atom.relation)));
        }
        Ok(at)
    }

    /// That a name is one that a given column can have.
    fn is_word_of(&self, relation: usize, column: usize, written: &ast::Expression) -> Result<(), Mistake> {
        let ExpressionKind::Name(name) = &written.kind else { return Ok(()) };
        let Some(given) = self.relations[relation].given else { return Ok(()) };
        let Some(names) = self.facts.names(given, column).filter(|names| !names.contains(&name.as_str())) else { return Ok(()) };
        let advice = nearest(name, names.iter().copied()).map_or_else(String::new, |meant| format!("; is `/{meant}` meant?"));
        let all: Vec<String> = names.iter().map(|name| format!("/{name}")).collect();
        let column = self.facts.relations()[given].columns[column].name;
        let relation = &self.relations[relation].name;
        let message = format!("column `{column}` of `{relation}` is never `/{name}`, but {}{advice}", all.join(", "));
        Err(Mistake::new(written.place, message))
    }

    /// Collects the variables of a rule and what their types must be.
    fn scope(&mut self, head: Option<&ast::Head>, body: &[ast::Literal]) -> Result<Scope, Mistake> {
        let mut scope = Scope::default();
        for literal in body {
            match literal {
                ast::Literal::Is(atom) | ast::Literal::IsNot(atom) => {
                    let relation = self.relation_of(atom)?;
                    for (at, column) in atom.columns.iter().enumerate() {
                        self.is_word_of(relation, at, column)?;
                        let slot = self.columns[relation][at];
                        let found = self.slot(column, &mut scope)?;
                        self.same(slot, found, column.place)?;
                    }
                }
                ast::Literal::Compare(left, comparison, right) => {
                    let (one, other) = (self.slot(left, &mut scope)?, self.slot(right, &mut scope)?);
                    let is_ordered = !matches!(comparison, ast::Comparison::Equal | ast::Comparison::Unequal);
                    // What is written is compared, whatever is called so.
                    let has_text = [left, right].iter().any(|side| matches!(side.kind, ExpressionKind::Text(_)));
                    if let (Some(one), Some(other)) = (one, other)
                        && !(is_ordered && has_text)
                    {
                        self.types.are_one(one, other, left.place)?;
                    }
                }
                ast::Literal::Text(_, text, with, _) => {
                    for each in [text, with] {
                        let slot = self.slot(each, &mut scope)?;
                        if slot.is_some_and(|slot| self.types.of(slot) == Some(Type::Number)) {
                            return Err(Mistake::new(each.place, "a test of a text cannot be asked of a number"));
                        }
                    }
                }
            }
        }
        let relation = head.and_then(|head| self.by_name.get(&head.relation).copied());
        let Some((head, relation)) = head.zip(relation) else { return Ok(scope) };
        for (at, column) in head.columns.iter().enumerate() {
            let slot = self.columns[relation][at];
            match column {
                ast::HeadColumn::Value(value) => {
                    if value.kind == ExpressionKind::Anything {
                        return Err(Mistake::new(value.place, "a head says something of values: `_` is none"));
                    }
                    let found = self.slot(value, &mut scope)?;
                    self.same(slot, found, value.place)?;
                }
                ast::HeadColumn::Over(total, over) => {
                    let found = self.slot(over, &mut scope)?;
                    match total {
                        ast::Total::Count => self.types.is(slot, Type::Number, "a count", over.place)?,
                        ast::Total::Sum => {
                            self.types.is(slot, Type::Number, "a sum", over.place)?;
                            self.same(slot, found, over.place)?;
                        }
                        ast::Total::Min | ast::Total::Max => self.same(slot, found, over.place)?,
                    }
                }
            }
        }
        Ok(scope)
    }

    fn same(&mut self, slot: Slot, found: Option<Slot>, place: Place) -> Result<(), Mistake> {
        found.map_or(Ok(()), |found| self.types.are_one(slot, found, place))
    }

    /// The type slot of an expression; none of what may be anything.
    fn slot(&mut self, expression: &ast::Expression, scope: &mut Scope) -> Result<Option<Slot>, Mistake> {
        let place = expression.place;
        Ok(match &expression.kind {
            ExpressionKind::Anything => None,
            ExpressionKind::Variable(name) => {
                let at = scope.names.iter().position(|known| known == name).unwrap_or_else(|| {
                    scope.names.push(name.clone());
                    scope.slots.push(self.types.add());
                    scope.names.len() - 1
                });
                Some(scope.slots[at])
            }
            ExpressionKind::Text(_) => {
                // A file or a symbol where something else says so, and a text otherwise. It is no name and no number.
                let slot = self.types.add();
                Some(slot)
            }
            ExpressionKind::Name(name) => {
                let slot = self.types.add();
                self.types.is(slot, Type::Name, &format!("`/{name}`"), place)?;
                Some(slot)
            }
            ExpressionKind::Number(number) => {
                let slot = self.types.add();
                self.types.is(slot, Type::Number, &format!("`{number}`"), place)?;
                Some(slot)
            }
            ExpressionKind::Arithmetic(left, _, right) => {
                let slot = self.types.add();
                self.types.is(slot, Type::Number, "what is computed", place)?;
                for part in [left, right] {
                    let part_slot = self.slot(part, scope)?;
                    if part_slot.is_none() {
                        return Err(Mistake::new(part.place, "`_` has no value to compute with"));
                    }
                    self.same(slot, part_slot, part.place)?;
                }
                Some(slot)
            }
        })
    }

    fn rule(&mut self, head: Option<&ast::Head>, body: &[ast::Literal], scope: &Scope, place: Place) -> Result<Rule, Mistake> {
        let mut variables: Vec<Variable> = scope
            .names
            .iter()
            .zip(&scope.slots)
            .map(|(name, slot)| Variable { name: name.clone(), of: self.types.of(*slot).unwrap_or(Type::Text) })
            .collect();
        let mut literals = Vec::new();
        for literal in body {
            self.literal(literal, scope, &mut variables, &mut literals)?;
        }
        let relation = head.and_then(|head| self.by_name.get(&head.relation).copied());
        let columns = if let Some((head, relation)) = head.zip(relation) {
            let types = self.relations[relation].columns.clone();
            let column = |(column, of): (&ast::HeadColumn, &Type)| {
                Ok(match column {
                    ast::HeadColumn::Value(value) => HeadColumn::Value(self.expression(value, *of, scope)?),
                    ast::HeadColumn::Over(total, over) => {
                        let of = self.type_of(over, scope).unwrap_or(*of);
                        HeadColumn::Over(*total, self.expression(over, of, scope)?)
                    }
                })
            };
            head.columns.iter().zip(&types).map(column).collect::<Result<_, _>>()?
        } else {
            let is_shown = |at: &usize| !variables[*at].name.is_empty() && !variables[*at].name.starts_with('_');
            (0..variables.len()).filter(is_shown).map(|at| HeadColumn::Value(Expression::Variable(at))).collect()
        };
        let rule = Rule { head: relation.unwrap_or(usize::MAX), columns, body: literals, variables, place };
        is_safe(&rule, head)?;
        Ok(rule)
    }

    fn literal(
        &mut self,
        literal: &ast::Literal,
        scope: &Scope,
        variables: &mut Vec<Variable>,
        to: &mut Vec<Literal>,
    ) -> Result<(), Mistake> {
        match literal {
            ast::Literal::Is(atom) | ast::Literal::IsNot(atom) => {
                let relation = self.relation_of(atom)?;
                let types = self.relations[relation].columns.clone();
                let mut terms = Vec::new();
                for (column, of) in atom.columns.iter().zip(types) {
                    terms.push(match &column.kind {
                        ExpressionKind::Anything => Term::Anything,
                        _ => match self.expression(column, of, scope)? {
                            Expression::Variable(variable) => Term::Variable(variable),
                            Expression::Value(value) => Term::Value(value),
                            computed @ Expression::Arithmetic(..) => {
                                // As if it had been given a name in front.
                                let variable = variables.len();
                                variables.push(Variable { name: String::new(), of });
                                let named = Expression::Variable(variable);
                                to.push(Literal::Compare((named, of), ast::Comparison::Equal, (computed, of)));
                                Term::Variable(variable)
                            }
                        },
                    });
                }
                let atom = Atom { relation, terms };
                to.push(if matches!(literal, ast::Literal::Is(_)) { Literal::Is(atom) } else { Literal::IsNot(atom) });
            }
            ast::Literal::Compare(left, comparison, right) => {
                for side in [left, right] {
                    if side.kind == ExpressionKind::Anything {
                        return Err(Mistake::new(side.place, "`_` has no value to compare with"));
                    }
                }
                let is_ordered = !matches!(comparison, ast::Comparison::Equal | ast::Comparison::Unequal);
                let of = self.type_of(left, scope).or_else(|| self.type_of(right, scope)).unwrap_or(Type::Text);
                let mut side = |side: &ast::Expression| {
                    let is_text = is_ordered && matches!(side.kind, ExpressionKind::Text(_)) && of != Type::Number;
                    let of = if is_text { Type::Text } else { of };
                    Ok((self.expression(side, of, scope)?, of))
                };
                let (left, right) = (side(left)?, side(right)?);
                to.push(Literal::Compare(left, *comparison, right));
            }
            ast::Literal::Text(test, tested, with, is_so) => {
                let mut side = |side: &ast::Expression| {
                    if side.kind == ExpressionKind::Anything {
                        return Err(Mistake::new(side.place, "`_` has no text to test"));
                    }
                    if *test == ast::TextTest::Glob
                        && let ExpressionKind::Text(pattern) = &with.kind
                        && let Err(why) = super::values::glob(pattern)
                    {
                        return Err(Mistake::new(with.place, format!("this is no pattern: {why}")));
                    }
                    let of = self.type_of(side, scope).unwrap_or(Type::Text);
                    if of == Type::Number {
                        return Err(Mistake::new(side.place, "a test of a text cannot be asked of a number"));
                    }
                    Ok((self.expression(side, of, scope)?, of))
                };
                let (tested, with) = (side(tested)?, side(with)?);
                to.push(Literal::Text(*test, tested, with, *is_so));
            }
        }
        Ok(())
    }

    /// What a variable, name, number or sum is; none of a text, which may be a file.
    fn type_of(&mut self, expression: &ast::Expression, scope: &Scope) -> Option<Type> {
        match &expression.kind {
            ExpressionKind::Variable(name) => {
                let at = scope.names.iter().position(|known| known == name)?;
                Some(self.types.of(scope.slots[at]).unwrap_or(Type::Text))
            }
            ExpressionKind::Text(_) | ExpressionKind::Anything => None,
            ExpressionKind::Name(_) => Some(Type::Name),
            ExpressionKind::Number(_) | ExpressionKind::Arithmetic(..) => Some(Type::Number),
        }
    }

    fn expression(&mut self, expression: &ast::Expression, of: Type, scope: &Scope) -> Result<Expression, Mistake> {
        Ok(match &expression.kind {
            ExpressionKind::Variable(name) => {
                let at = scope.names.iter().position(|known| known == name);
                Expression::Variable(at.ok_or_else(|| Mistake::new(expression.place, "a variable that the rule does not have"))?)
            }
            ExpressionKind::Anything => return Err(Mistake::new(expression.place, "`_` has no value")),
            ExpressionKind::Text(text) => match of {
                Type::Node => Expression::Value(self.node(text, expression.place)),
                Type::Text => Expression::Value(self.words.id(text)),
                Type::Name | Type::Number => {
                    let message = format!(
                        "a text stands where a {} belongs{}",
                        of.word(),
                        if of == Type::Name { ": write `/name`" } else { "" }
                    );
                    return Err(Mistake::new(expression.place, message));
                }
            },
            ExpressionKind::Name(name) => Expression::Value(self.words.id(name)),
            ExpressionKind::Number(number) => Expression::Value(number.cast_unsigned()),
            ExpressionKind::Arithmetic(left, operation, right) => {
                let (left, right) = (self.expression(left, of, scope)?, self.expression(right, of, scope)?);
                Expression::Arithmetic(Box::new(left), *operation, Box::new(right), expression.place)
            }
        })
    }

    /// The node that a text names; a note and one of its own where it names none.
    fn node(&mut self, text: &str, place: Place) -> Value {
        if let Some(node) = self.nodes.get(text) {
            return *node;
        }
        let node = self.facts.node(text).unwrap_or_else(|| {
            let like = if self.notes.len() < MAX_ADVICE { self.facts.like(text) } else { Vec::new() };
            let like = like.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
            let like = if like.is_empty() { String::new() } else { format!("; there is {like}") };
            let message = format!("no file, symbol or package is called \"{}\"{like}", super::lexer::shown(text));
            self.notes.push(Mistake::new(place, message));
            self.facts.missing(text, self.words)
        });
        self.nodes.insert(text.to_owned(), node);
        node
    }
}

/// Whether every variable gets a value.
fn is_safe(rule: &Rule, head: Option<&ast::Head>) -> Result<(), Mistake> {
    let bound = super::plan::bound_by(&rule.body, rule.variables.len());
    let unbound = |expression: &Expression| {
        let mut found = None;
        expression.for_each_variable(&mut |variable| found = found.or(Some(variable).filter(|variable| !bound[*variable])));
        found
    };
    let needed = rule.body.iter().flat_map(|literal| match literal {
        Literal::Is(_) => Vec::new(),
        Literal::IsNot(atom) => atom
            .terms
            .iter()
            .filter_map(|term| if let Term::Variable(at) = term { Some(Expression::Variable(*at)) } else { None })
            .collect(),
        Literal::Compare((left, _), _, (right, _)) => vec![left.clone(), right.clone()],
        Literal::Text(_, (text, _), (with, _), _) => vec![text.clone(), with.clone()],
    });
    let of_head = rule.columns.iter().map(|column| match column {
        HeadColumn::Value(value) | HeadColumn::Over(_, value) => value.clone(),
    });
    // Of a computed column, its own variables tell more than the one that stands for it.
    let mut lacking: Vec<usize> = needed.chain(of_head).filter_map(|expression| unbound(&expression)).collect();
    lacking.sort_by_key(|variable| rule.variables[*variable].name.is_empty());
    let Some(variable) = lacking.first().copied() else { return Ok(()) };
    let name = &rule.variables[variable].name;
    let place = head.map_or(rule.place, |head| head.place);
    let message =
        format!("`{name}` has no value: some `relation(.., {name}, ..)` that is not negated, or `{name} = ..`, must give it one");
    Err(Mistake::new(place, message))
}
