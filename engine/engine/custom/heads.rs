//! The heads of rules that answers use, and the questions that ask for them.
//!
//! Each rule of such a head is taken once more, with its number as another column, so that every row says which rule gave it.

use query::ast::{Atom, Expression, ExpressionKind, Head, HeadColumn, Literal, Question, Rule};
use query::{Mistake, Place, Program};
use relations::HEAD_TYPES;

/// A head that answers use.
pub(super) struct HeadKind {
    pub(super) name: &'static str,
    /// How it is written.
    pub(super) says: &'static str,
    pub(super) columns: &'static [Of],
}

/// What a column of a head must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Node,
    Number,
    Name,
    Text,
}

/// The places of heads in [`HEADS`].
pub(super) const EVIDENCE: usize = 0;
pub(super) const LINK: usize = 1;
pub(super) const TESTED_BY: usize = 2;
pub(super) const PIN: usize = 3;
pub(super) const HIDE: usize = 4;
pub(super) const ITEM: usize = 5;
pub(super) const PRIOR: usize = 6;

/// All of them.
pub(super) const HEADS: [HeadKind; 7] = [
    HeadKind { name: "evidence", says: "evidence(Node, Strength)", columns: &[Of::Node, Of::Number] },
    HeadKind { name: "link", says: "link(From, To, /kind, /confidence)", columns: &[Of::Node, Of::Node, Of::Name, Of::Name] },
    HeadKind { name: "tested_by", says: "tested_by(Node, Test)", columns: &[Of::Node, Of::Node] },
    HeadKind { name: "pin", says: "pin(Node)", columns: &[Of::Node] },
    HeadKind { name: "hide", says: "hide(Node)", columns: &[Of::Node] },
    HeadKind {
        name: "item",
        says: "item(/section, \"text\", About, Points)",
        columns: &[Of::Name, Of::Text, Of::Node, Of::Number],
    },
    HeadKind { name: "prior", says: "prior(Node, Thousandths)", columns: &[Of::Node, Of::Number] },
];

/// A program that asks for heads.
pub(super) struct HeadRules {
    pub(super) program: Program,
    /// The head of each rule that gives one, by its place in [`HEADS`], and where the rule stands; by the number in the last column.
    pub(super) rules: Vec<(usize, Place)>,
}

/// The relation of all heads: no program can write its name. Its columns are two nodes, a number, two names, a text and the number of the rule; what a
/// head does not have is left empty. In one relation what several heads need is derived once.
const GIVEN: &str = "what rules give";
pub(super) const NODES: [usize; 2] = [0, 1];
pub(super) const NUMBER: usize = 2;
pub(super) const NAMES: [usize; 2] = [3, 4];
pub(super) const TEXT: usize = 5;
pub(super) const RULE: usize = 6;
const N_COLUMNS: usize = 7;

/// The program that asks for what rules give, in the place of the questions that it has.
pub(super) fn head_rules(mut program: Program) -> Result<HeadRules, Mistake> {
    let (mut rules, mut numbered) = (Vec::new(), Vec::new());
    program.questions.clear();
    for rule in &program.rules {
        let Some(head) = HEADS.iter().position(|head| rule.head.relation == head.name) else { continue };
        let HeadKind { name, says, columns } = HEADS[head];
        if rule.head.columns.len() != columns.len() {
            let n = columns.len();
            let message = format!("`{name}` has {n} column{}: {says}", if n == 1 { "" } else { "s" });
            return Err(Mistake { place: rule.head.place, message });
        }
        numbered.push(with_number(rule, columns, rules.len()));
        rules.push((head, rule.place));
    }
    program.questions.extend(rules.first().map(|(_, place)| question(*place)));
    program.rules.extend(numbered);
    Ok(HeadRules { program, rules })
}

/// The columns of a rule's head in their places, and its number.
fn with_number(rule: &Rule, columns: &[Of], number: usize) -> Rule {
    let place = rule.head.place;
    let value = |kind| HeadColumn::Value(Expression { kind, place });
    let number = ExpressionKind::Number(i32::try_from(number).unwrap_or(i32::MAX));
    let nothing = |at: usize| match at {
        NUMBER => value(ExpressionKind::Number(0)),
        RULE => value(number.clone()),
        at if NAMES.contains(&at) => value(ExpressionKind::Name(String::new())),
        _ => value(ExpressionKind::Text(String::new())),
    };
    let mut made: Vec<HeadColumn> = (0..N_COLUMNS).map(nothing).collect();
    let (mut nodes, mut names) = (NODES.into_iter(), NAMES.into_iter());
    for (column, of) in rule.head.columns.iter().zip(columns) {
        let at = match of {
            Of::Node => nodes.next(),
            Of::Number => Some(NUMBER),
            Of::Name => names.next(),
            Of::Text => Some(TEXT),
        };
        if let Some(at) = at {
            made[at] = column.clone();
        }
    }
    // A node that a head does not have is the first.
    let has_second = columns.iter().filter(|of| **of == Of::Node).count() > 1;
    if !has_second {
        made[NODES[1]] = made[NODES[0]].clone();
    }
    Rule { head: Head { relation: GIVEN.to_owned(), columns: made, place }, ..rule.clone() }
}

/// The question for all rows, each column of which must be what it is used as.
fn question(place: Place) -> Question {
    let expression = |kind| Expression { kind, place };
    let variable = |column: usize| expression(ExpressionKind::Variable(format!("C{column}")));
    let atom = |relation: &str, columns| Atom { relation: relation.to_owned(), columns, place };
    let mut body = vec![Literal::Is(atom(GIVEN, (0..N_COLUMNS).map(variable).collect()))];
    // What is gone is not shown, and only nodes can be.
    body.extend(NODES.map(|column| Literal::IsNot(atom("gone", vec![variable(column)]))));
    body.extend(NAMES.map(|name| Literal::IsNot(atom(HEAD_TYPES.name, [NUMBER, name, TEXT].map(variable).to_vec()))));
    Question { body, place }
}
