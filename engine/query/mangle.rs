//! What Mangle writes in its own way: declarations, `fn:plus(X, 1)`, `:lt(X, Y)` and `|> do fn:group_by(X), let N = fn:count()`.
//!
//! All of it becomes what the other syntax has; what is no Datalog over flat values is refused by its name.

use super::ast::{
    Comparison, Declaration, Expression, ExpressionKind, Head, HeadColumn, Literal, Operation, Place, Program, TextTest, Total,
};
use super::lexer::{Token, shown};
use super::mistake::Mistake;
use super::reader::{MAX_COLUMNS, Reader};

/// Parts of a declaration behind its head at most.
const MAX_PARTS: usize = 4_096;

const OPERATIONS: [(&str, Operation); 5] = [
    ("plus", Operation::Add),
    ("minus", Operation::Subtract),
    ("mult", Operation::Multiply),
    ("div", Operation::Divide),
    ("mod", Operation::Remainder),
];

const COMPARISONS: [(&str, Comparison); 4] =
    [("lt", Comparison::Less), ("le", Comparison::LessOrEqual), ("gt", Comparison::Greater), ("ge", Comparison::GreaterOrEqual)];

const TESTS: [(&str, TextTest); 3] = [
    ("string:starts_with", TextTest::StartsWith),
    ("string:ends_with", TextTest::EndsWith),
    ("string:contains", TextTest::Includes),
];

/// Totals of one value; `fn:count()` has none.
const TOTALS: [(&str, Total); 4] =
    [("count_distinct", Total::Count), ("min", Total::Min), ("max", Total::Max), ("sum", Total::Sum)];

/// What begins with a sign that other values of Mangle have.
pub(super) fn unsupported(place: Place, sign: &str) -> Mistake {
    let what = match sign {
        "[" => "lists",
        "{" => "structures and maps",
        _ => "times behind `@`",
    };
    Mistake::new(place, format!("{what} are not supported: values are texts, names and whole numbers"))
}

impl Reader<'_> {
    /// Passes over a declaration, if the statement is one.
    pub(super) fn declares(&mut self, program: &mut Program) -> Result<bool, Mistake> {
        let place = self.place;
        match &self.token {
            Token::Variable(word) if word == "Decl" => {}
            Token::Variable(word) if word == "Package" || word == "Use" => {
                return Err(Mistake::new(place, format!("packages (`{word}`) are not supported: give the files one by one")));
            }
            _ => return Ok(false),
        }
        self.step()?;
        let head = self.head()?;
        // What is said of it: `descr [..]`, `bound [..]`.
        let (mut n_open, mut n_parts) = (0_usize, 0);
        while n_open > 0 || !self.is_sign(".") {
            match &self.token {
                Token::End => return Err(self.expected("`.` behind a declaration")),
                Token::Word(word) if n_open == 0 && word == "temporal" => {
                    return Err(Mistake::new(self.place, "what holds at a time (`temporal`) is not supported"));
                }
                Token::Sign("[" | "(" | "{") => n_open += 1,
                Token::Sign("]" | ")" | "}") => n_open = n_open.saturating_sub(1),
                Token::Word(word) if n_open > 0 || word == "descr" || word == "bound" => {}
                _ if n_open > 0 => {}
                _ => return Err(self.expected("`descr [..]`, `bound [..]` or `.` behind a declaration")),
            }
            n_parts += 1;
            if n_parts > MAX_PARTS {
                return Err(Mistake::new(place, format!("a declaration of more than {MAX_PARTS} parts")));
            }
            self.step()?;
        }
        program.declared.push(Declaration { relation: head.relation, n_columns: head.columns.len(), place: head.place });
        Ok(true)
    }

    /// `fn:plus(X, 1)`, of two values or more.
    pub(super) fn function(&mut self, name: &str) -> Result<Expression, Mistake> {
        let place = self.place;
        let Some((_, operation)) = OPERATIONS.iter().find(|(known, _)| *known == name) else {
            let is_total = name == "count" || TOTALS.iter().any(|(known, _)| *known == name);
            let advice = if is_total {
                "a total stands behind `|> do fn:group_by(..), let N = `".to_owned()
            } else {
                let known: Vec<String> = OPERATIONS.iter().map(|(known, _)| format!("`fn:{known}`")).collect();
                format!("there are {}", known.join(", "))
            };
            return Err(Mistake::new(place, format!("`fn:{}` is not supported here; {advice}", shown(name))));
        };
        self.step()?;
        self.deepens(place)?;
        let mut values = self.arguments(name)?.into_iter();
        let Some(mut left) = values.next().filter(|_| values.len() > 0) else {
            return Err(Mistake::new(place, format!("`fn:{name}` needs two values")));
        };
        for value in values {
            left = self.join(left, *operation, value)?;
        }
        Ok(left)
    }

    /// `:lt(X, Y)`.
    pub(super) fn builtin(&mut self, name: &str, is_not: bool) -> Result<Literal, Mistake> {
        let place = self.place;
        let compared = COMPARISONS.iter().find(|(known, _)| *known == name).map(|(_, comparison)| *comparison);
        let test = TESTS.iter().find(|(known, _)| *known == name).map(|(_, test)| *test);
        if compared.is_none() && test.is_none() {
            let known: Vec<String> = COMPARISONS
                .iter()
                .map(|(known, _)| *known)
                .chain(TESTS.map(|(known, _)| known))
                .map(|known| format!("`:{known}`"))
                .collect();
            return Err(Mistake::new(place, format!("`:{}` is not supported; there are {}", shown(name), known.join(", "))));
        }
        if is_not && test.is_none() {
            return Err(Mistake::new(place, format!("`:{name}` cannot be negated: compare the other way round")));
        }
        self.step()?;
        let values = self.arguments(name)?;
        let [one, other] = <[Expression; 2]>::try_from(values)
            .map_err(|values| Mistake::new(place, format!("`:{name}` has two values and not {}", values.len())))?;
        Ok(match (compared, test) {
            (Some(comparison), _) => Literal::Compare(one, comparison, other),
            (None, Some(test)) => Literal::Text(test, one, other, !is_not),
            (None, None) => return Err(self.expected("a comparison")),
        })
    }

    /// Values in parentheses; there may be none.
    fn arguments(&mut self, name: &str) -> Result<Vec<Expression>, Mistake> {
        self.needs("(", &format!("behind `{}`", shown(name)))?;
        let mut values = Vec::new();
        if self.takes(")")? {
            return Ok(values);
        }
        loop {
            if values.len() == MAX_COLUMNS {
                return Err(self.expected(&format!("`)`, since {MAX_COLUMNS} values are the most")));
            }
            values.push(self.expression()?);
            if self.takes(")")? {
                return Ok(values);
            }
            self.needs(",", "or `)` behind a value")?;
        }
    }

    /// What stands behind `|>`: values that are computed, or groups with their totals.
    pub(super) fn transform(&mut self, head: &mut Head, body: &mut Vec<Literal>) -> Result<(), Mistake> {
        let groups = matches!(&self.token, Token::Word(word) if word == "do");
        if !groups {
            loop {
                let variable = self.let_variable()?;
                let value = self.expression()?;
                body.push(Literal::Compare(variable, Comparison::Equal, value));
                if !(self.takes(",")? || self.takes("|>")?) {
                    return Ok(());
                }
            }
        }
        self.step()?;
        if let [Literal::Is(atom)] = body.as_mut_slice() {
            // Of a relation alone all rows are added up; of a join the different values of its variables.
            for (at, column) in atom.columns.iter_mut().enumerate().filter(|(_, column)| column.kind == ExpressionKind::Anything)
            {
                column.kind = ExpressionKind::Variable(format!("_ {at}"));
            }
        }
        let place = self.place;
        if !matches!(&self.token, Token::Function(name) if name == "group_by") {
            return Err(self.expected("`fn:group_by(..)` behind `do`"));
        }
        self.step()?;
        let mut group = Vec::new();
        for value in self.arguments("fn:group_by")? {
            match value.kind {
                ExpressionKind::Variable(name) => group.push(name),
                _ => return Err(Mistake::new(value.place, "`fn:group_by` has variables alone")),
            }
        }
        let mut totals: Vec<(String, Total, Expression)> = Vec::new();
        while self.takes(",")? {
            let variable = self.let_variable()?;
            let (total, over) = self.total()?;
            if let ExpressionKind::Variable(name) = variable.kind {
                totals.push((name, total, over));
            }
        }
        if self.is_sign("|>") {
            return Err(Mistake::new(self.place, "what is made of totals needs a rule of its own"));
        }
        let missing = group.iter().find(|name| {
            !head.columns.iter().any(
                |column| matches!(column, HeadColumn::Value(value) if value.kind == ExpressionKind::Variable((*name).clone())),
            )
        });
        if let Some(missing) = missing {
            let message = format!("`{missing}` of `fn:group_by` must be a column of the head, which has one row for each group");
            return Err(Mistake::new(place, message));
        }
        for column in &mut head.columns {
            let HeadColumn::Value(value) = &*column else { continue };
            let total = totals.iter().find(|(name, ..)| value.kind == ExpressionKind::Variable(name.clone()));
            if let Some((_, total, over)) = total {
                *column = HeadColumn::Over(*total, over.clone());
                continue;
            }
            if let Some((name, place)) = variable_beside(value, &group) {
                let message = format!("`{name}` is neither a group of `fn:group_by` nor a total that `let` names");
                return Err(Mistake::new(place, message));
            }
        }
        Ok(())
    }

    /// `let X =`.
    fn let_variable(&mut self) -> Result<Expression, Mistake> {
        if !matches!(&self.token, Token::Word(word) if word == "let") {
            return Err(self.expected("`let X = ..`, or `do fn:group_by(..)` behind `|>`"));
        }
        self.step()?;
        let place = self.place;
        let Token::Variable(name) = &self.token else { return Err(self.expected("a variable behind `let`")) };
        let variable = Expression { kind: ExpressionKind::Variable(name.clone()), place };
        self.step()?;
        self.needs("=", "behind the variable of `let`")?;
        Ok(variable)
    }

    /// `fn:sum(X)`.
    fn total(&mut self) -> Result<(Total, Expression), Mistake> {
        let place = self.place;
        let Token::Function(name) = &self.token else { return Err(self.expected("a total such as `fn:count()`")) };
        let name = name.clone();
        let total = if name == "count" {
            Some(Total::Sum)
        } else {
            TOTALS.iter().find(|(known, _)| *known == name).map(|(_, total)| *total)
        };
        let Some(total) = total else {
            let known: Vec<String> = TOTALS.iter().map(|(known, _)| format!("`fn:{known}`")).collect();
            let message =
                format!("`fn:{}` is no total that is supported; there are `fn:count`, {}", shown(&name), known.join(", "));
            return Err(Mistake::new(place, message));
        };
        self.step()?;
        let mut values = self.arguments(&name)?;
        match (name.as_str(), values.pop()) {
            // Every choice of the variables counts once.
            ("count", None) => Ok((total, Expression { kind: ExpressionKind::Number(1), place })),
            ("count", Some(_)) => {
                Err(Mistake::new(place, "`fn:count` counts rows and has no value; `fn:count_distinct(X)` counts values"))
            }
            (_, Some(over)) if values.is_empty() => Ok((total, over)),
            _ => Err(Mistake::new(place, format!("`fn:{name}` has one value"))),
        }
    }
}

/// A variable of an expression that is not in a list.
fn variable_beside(value: &Expression, known: &[String]) -> Option<(String, Place)> {
    match &value.kind {
        ExpressionKind::Variable(name) => (!known.contains(name)).then(|| (name.clone(), value.place)),
        ExpressionKind::Arithmetic(left, _, right) => variable_beside(left, known).or_else(|| variable_beside(right, known)),
        _ => None,
    }
}
