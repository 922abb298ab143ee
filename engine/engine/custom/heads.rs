//! The heads of rules that answers use, and the questions that ask for them.
//!
//! Each rule of such a head is taken once more with its number as another column, so that every row says which rule gave it.

use query::ast::{Atom, Comparison, Expression, ExpressionKind, Head, HeadColumn, Literal, Question, Rule};
use query::{Mistake, Place, Program};

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
    /// Anything: it is shown as it is written.
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
    /// The head that each question asks for, by its place in [`HEADS`].
    pub(super) asked: Vec<usize>,
    /// Where each rule stands that gives a row of a head, by the number in its last column.
    pub(super) places: Vec<Place>,
}

/// The program that asks for the heads that rules give, in the place of the questions that it has.
pub(super) fn head_rules(mut program: Program) -> Result<HeadRules, Mistake> {
    let (mut asked, mut places, mut numbered) = (Vec::new(), Vec::new(), Vec::new());
    program.questions.clear();
    for (at, head) in HEADS.iter().enumerate() {
        let mut first = None;
        for rule in program.rules.iter().filter(|rule| rule.head.relation == head.name) {
            if rule.head.columns.len() != head.columns.len() {
                let message = format!("`{}` has {} columns: {}", head.name, head.columns.len(), head.says);
                return Err(Mistake { place: rule.head.place, message });
            }
            first.get_or_insert(rule.place);
            numbered.push(with_number(rule, places.len()));
            places.push(rule.place);
        }
        if let Some(place) = first {
            program.questions.push(question(head, place));
            asked.push(at);
        }
    }
    program.rules.extend(numbered);
    Ok(HeadRules { program, asked, places })
}

/// The name of a relation with numbers of rules: no program can write it.
fn name(head: &str) -> String {
    format!("{head} ")
}

fn with_number(rule: &Rule, number: usize) -> Rule {
    let mut columns = rule.head.columns.clone();
    let kind = ExpressionKind::Number(i32::try_from(number).unwrap_or(i32::MAX));
    columns.push(HeadColumn::Value(Expression { kind, place: rule.head.place }));
    Rule { head: Head { relation: name(&rule.head.relation), columns, place: rule.head.place }, ..rule.clone() }
}

/// The question for the rows of a head, each column of which must be what it is used as.
fn question(head: &HeadKind, place: Place) -> Question {
    let expression = |kind| Expression { kind, place };
    let variable = |column: usize| expression(ExpressionKind::Variable(format!("C{column}")));
    let atom = |relation: &str, columns| Atom { relation: relation.to_owned(), columns, place };
    let mut body = vec![Literal::Is(atom(&name(head.name), (0..=head.columns.len()).map(variable).collect()))];
    for (column, of) in head.columns.iter().enumerate() {
        let least = ExpressionKind::Number(i32::MIN);
        let no_name = ExpressionKind::Name(String::new());
        body.extend(match of {
            Of::Node => Some(Literal::IsNot(atom("gone", vec![variable(column)]))),
            Of::Number => Some(Literal::Compare(variable(column), Comparison::GreaterOrEqual, expression(least))),
            Of::Name => Some(Literal::Compare(variable(column), Comparison::Unequal, expression(no_name))),
            Of::Text => None,
        });
    }
    Question { body, place }
}
