//! Reads a program: `head :- body.`, `fact(..).`, `?- body.`, and at the end a body alone, which is a question too.

use super::ast::{
    Atom, Comparison, Expression, ExpressionKind, Head, HeadColumn, Literal, Operation, Place, Program, Question, Rule, Syntax,
    TextTest, Total,
};
use super::decimal::{Decimal, Factor};
use super::lexer::{Lexer, Token, shown, too_large};
use super::mangle::unsupported;
use super::mistake::Mistake;

/// Bytes of a program at most.
const MAX_BYTES: usize = 1 << 20;

/// How deep parentheses may stand in one another.
const MAX_DEPTH: usize = 64;

/// Columns of a relation at most.
pub(super) const MAX_COLUMNS: usize = 16;

/// Literals of a body at most.
const MAX_LITERALS: usize = 64;

/// Rules and questions at most.
const MAX_STATEMENTS: usize = 4_096;

/// Names of tests of texts.
const TESTS: [(&str, TextTest); 4] = [
    ("starts_with", TextTest::StartsWith),
    ("ends_with", TextTest::EndsWith),
    ("includes", TextTest::Includes),
    ("glob", TextTest::Glob),
];

const TOTALS: [(&str, Total); 4] = [("count", Total::Count), ("min", Total::Min), ("max", Total::Max), ("sum", Total::Sum)];

const COMPARISONS: [(&str, Comparison); 7] = [
    ("=", Comparison::Equal),
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    ("<", Comparison::Less),
    ("<=", Comparison::LessOrEqual),
    (">", Comparison::Greater),
    (">=", Comparison::GreaterOrEqual),
];

/// Reads a program of one text.
///
/// # Errors
///
/// The first mistake.
pub fn read(text: &str) -> Result<Program, Mistake> {
    let mut program = Program::default();
    read_into(&mut program, text, Place::first(0), Syntax::Own)?;
    Ok(program)
}

/// Adds what a text says to a program; the text begins at `start`.
///
/// # Errors
///
/// The first mistake. What stands before it was added.
pub fn read_into(program: &mut Program, text: &str, start: Place, syntax: Syntax) -> Result<(), Mistake> {
    if text.len() > MAX_BYTES {
        return Err(Mistake::new(start, format!("the program has more than {MAX_BYTES} bytes")));
    }
    program.hides |= syntax == Syntax::Mangle;
    // Editors of some systems begin a file with a mark of its byte order.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { lexer: Lexer::new(text, start, syntax), token: Token::End, place: start, depth: 0 };
    reader.step()?;
    while reader.token != Token::End {
        if program.declared.len() + program.rules.len() + program.questions.len() >= MAX_STATEMENTS {
            return Err(Mistake::new(reader.place, format!("more than {MAX_STATEMENTS} rules and questions")));
        }
        reader.statement(program)?;
    }
    Ok(())
}

pub(super) struct Reader<'t> {
    lexer: Lexer<'t>,
    /// The next token, and where it is.
    pub(super) token: Token,
    pub(super) place: Place,
    depth: usize,
}

impl Reader<'_> {
    pub(super) fn is_mangle(&self) -> bool {
        self.lexer.syntax == Syntax::Mangle
    }

    pub(super) fn step(&mut self) -> Result<Token, Mistake> {
        let (token, place) = self.lexer.next()?;
        self.place = place;
        Ok(std::mem::replace(&mut self.token, token))
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(found) if found == sign)
    }

    /// Passes over a sign, if it is the next token.
    pub(super) fn takes(&mut self, sign: &str) -> Result<bool, Mistake> {
        let is_next = self.is_sign(sign);
        if is_next {
            self.step()?;
        }
        Ok(is_next)
    }

    pub(super) fn needs(&mut self, sign: &str, before: &str) -> Result<(), Mistake> {
        if self.takes(sign)? { Ok(()) } else { Err(self.expected(&format!("`{sign}` {before}"))) }
    }

    pub(super) fn expected(&self, what: &str) -> Mistake {
        let found = match &self.token {
            Token::Word(word) | Token::Variable(word) => format!("`{}`", shown(word)),
            Token::Anything => "`_`".to_owned(),
            Token::Text(text) => format!("\"{}\"", shown(text)),
            Token::Name(name) => format!("`/{}`", shown(name)),
            Token::Number(number) => format!("`{number}`"),
            Token::Decimal(number) => format!("`{number}`"),
            Token::Function(name) => format!("`fn:{}`", shown(name)),
            Token::Builtin(name) => format!("`:{}`", shown(name)),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end".to_owned(),
        };
        Mistake::new(self.place, format!("expected {what}, found {found}"))
    }

    fn statement(&mut self, program: &mut Program) -> Result<(), Mistake> {
        let place = self.place;
        self.depth = 0;
        if self.is_mangle() && matches!(self.token, Token::Variable(_)) && self.declares(program)? {
            return self.ends();
        }
        if self.takes("?-")? {
            let body = self.body()?;
            program.questions.push(Question { body, place });
            return self.ends();
        }
        // Whether it is a head shows behind it: until then it is read as one, and as a literal where it has a sign that heads do not have.
        let is_atom = matches!(&self.token, Token::Word(word) if word != "not" && TESTS.iter().all(|(name, _)| name != word));
        if !is_atom {
            let body = self.body()?;
            program.questions.push(Question { body, place });
            return self.ends();
        }
        let mut head = self.head()?;
        if self.takes(":-")? {
            let mut body = self.body()?;
            if self.takes("|>")? {
                self.transform(&mut head, &mut body)?;
            }
            program.rules.push(Rule { head, body, place });
            return self.ends();
        }
        if self.is_sign(".") {
            program.rules.push(Rule { head, body: Vec::new(), place });
            return self.ends();
        }
        let first = Literal::Is(atom_of(head)?);
        let mut body = vec![first];
        if self.takes(",")? {
            body.extend(self.body()?);
        }
        program.questions.push(Question { body, place });
        self.ends()
    }

    /// A full stop, which the last statement need not have.
    fn ends(&mut self) -> Result<(), Mistake> {
        if self.token == Token::End || self.takes(".")? {
            return Ok(());
        }
        Err(self.expected("`,` and more, or `.` at the end"))
    }

    pub(super) fn head(&mut self) -> Result<Head, Mistake> {
        let place = self.place;
        let relation = self.relation()?;
        self.needs("(", &format!("behind `{relation}`"))?;
        if self.is_sign(")") {
            return Err(Mistake::new(self.place, format!("`{relation}` has no columns: a relation has at least one")));
        }
        let mut columns = Vec::new();
        loop {
            columns.push(self.head_column()?);
            if !self.more_columns(columns.len())? {
                return Ok(Head { relation, columns, place });
            }
        }
    }

    fn head_column(&mut self) -> Result<HeadColumn, Mistake> {
        let total = match &self.token {
            Token::Word(word) => TOTALS.iter().find(|(name, _)| name == word).map(|(_, total)| *total),
            _ => None,
        };
        let Some(total) = total else { return Ok(HeadColumn::Value(self.expression()?)) };
        self.step()?;
        self.needs("(", "behind the name of a total")?;
        let over = self.expression()?;
        self.needs(")", "behind what is added up")?;
        Ok(HeadColumn::Over(total, over))
    }

    /// Passes over what stands behind a column; whether another follows.
    fn more_columns(&mut self, n_columns: usize) -> Result<bool, Mistake> {
        if self.takes(")")? {
            return Ok(false);
        }
        if n_columns == MAX_COLUMNS {
            return Err(self.expected(&format!("`)`, since {MAX_COLUMNS} columns are the most")));
        }
        self.needs(",", "or `)` behind a column").map(|()| true)
    }

    pub(super) fn relation(&mut self) -> Result<String, Mistake> {
        if !matches!(self.token, Token::Word(_)) {
            return Err(self.expected("the name of a relation, in small letters"));
        }
        match self.step()? {
            Token::Word(word) => Ok(word),
            _ => Ok(String::new()),
        }
    }

    pub(super) fn body(&mut self) -> Result<Vec<Literal>, Mistake> {
        let mut body = Vec::new();
        loop {
            body.push(self.literal()?);
            if !self.takes(",")? {
                return Ok(body);
            }
            if body.len() == MAX_LITERALS {
                return Err(Mistake::new(
                    self.place,
                    format!("a body of more than {MAX_LITERALS} parts: make some of it a rule of its own"),
                ));
            }
        }
    }

    fn literal(&mut self) -> Result<Literal, Mistake> {
        let is_not = match &self.token {
            Token::Word(word) if word == "not" => true,
            Token::Sign("!") => true,
            _ => false,
        };
        if is_not {
            self.step()?;
        }
        if let Token::Builtin(name) = &self.token {
            let name = name.clone();
            return self.builtin(&name, is_not);
        }
        let test = match &self.token {
            Token::Word(word) => TESTS.iter().find(|(name, _)| name == word).copied(),
            _ if is_not => return Err(self.expected("a relation or a test of a text behind `not`; compare with `!=`")),
            _ => None,
        };
        if let Some((name, test)) = test {
            self.step()?;
            self.needs("(", &format!("behind `{name}`"))?;
            let tested = self.expression()?;
            self.needs(",", &format!("behind the text: `{name}(text, \"..\")`"))?;
            let with = self.expression()?;
            self.needs(")", &format!("behind the two of `{name}`"))?;
            return Ok(Literal::Text(test, tested, with, !is_not));
        }
        if matches!(self.token, Token::Word(_)) {
            let atom = atom_of(self.head()?)?;
            return Ok(if is_not { Literal::IsNot(atom) } else { Literal::Is(atom) });
        }
        let left = self.expression()?;
        let comparison = COMPARISONS.iter().find(|(sign, _)| self.is_sign(sign)).map(|(_, comparison)| *comparison);
        let comparison = comparison.ok_or_else(|| self.expected("a relation, or a comparison such as `X < 3`"))?;
        self.step()?;
        Ok(Literal::Compare(left, comparison, self.expression()?))
    }

    pub(super) fn expression(&mut self) -> Result<Expression, Mistake> {
        let mut left = self.product()?;
        loop {
            let operation = match self.token {
                Token::Sign("+") => Operation::Add,
                Token::Sign("-") => Operation::Subtract,
                _ => return Ok(left),
            };
            self.step()?;
            let right = self.product()?;
            left = self.join(left, operation, right)?;
        }
    }

    fn product(&mut self) -> Result<Expression, Mistake> {
        let mut left = self.factor()?;
        loop {
            let operation = match self.token {
                Token::Sign("*") => Operation::Multiply,
                Token::Sign("/") => Operation::Divide,
                Token::Sign("%") => Operation::Remainder,
                _ => return left.whole(),
            };
            self.step()?;
            let right = self.factor()?;
            left = Factor::Whole(match (left, operation, right) {
                (Factor::Whole(by), Operation::Multiply, Factor::Decimal(decimal))
                | (Factor::Decimal(decimal), Operation::Multiply, Factor::Whole(by)) => {
                    let times = self.join(by, Operation::Multiply, decimal.part(decimal.times))?;
                    self.join(times, Operation::Divide, decimal.part(decimal.over))?
                }
                (left, operation, right) => self.join(left.whole()?, operation, right.whole()?)?,
            });
        }
    }

    fn factor(&mut self) -> Result<Factor, Mistake> {
        let Token::Decimal(written) = &self.token else { return self.value().map(Factor::Whole) };
        let decimal = Decimal::of(written, self.place)?;
        self.step()?;
        Ok(Factor::Decimal(decimal))
    }

    /// An operation with both of its sides.
    pub(super) fn join(&mut self, left: Expression, operation: Operation, right: Expression) -> Result<Expression, Mistake> {
        self.deepens(left.place)?;
        let place = left.place;
        Ok(Expression { kind: ExpressionKind::Arithmetic(Box::new(left), operation, Box::new(right)), place })
    }

    /// Counts operations and parentheses: what is read is as deep as there are.
    pub(super) fn deepens(&mut self, place: Place) -> Result<(), Mistake> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Mistake::new(place, format!("more than {MAX_DEPTH} operations and parentheses in one rule")));
        }
        Ok(())
    }

    fn value(&mut self) -> Result<Expression, Mistake> {
        let place = self.place;
        let kind = match &self.token {
            Token::Variable(name) => ExpressionKind::Variable(name.clone()),
            Token::Anything => ExpressionKind::Anything,
            Token::Text(text) => ExpressionKind::Text(text.clone()),
            Token::Name(name) => ExpressionKind::Name(name.clone()),
            Token::Number(number) => {
                ExpressionKind::Number(i32::try_from(*number).map_err(|_| too_large(place, &number.to_string()))?)
            }
            Token::Sign("-") => {
                self.step()?;
                let Token::Number(number) = self.token else { return Err(self.expected("a number behind `-`")) };
                let negative = i32::try_from(-i64::from(number));
                ExpressionKind::Number(negative.map_err(|_| too_large(self.place, &number.to_string()))?)
            }
            Token::Function(name) => {
                let name = name.clone();
                return self.function(&name);
            }
            Token::Sign("(") => {
                self.deepens(place)?;
                self.step()?;
                let within = self.expression()?;
                self.needs(")", "behind the expression")?;
                return Ok(within);
            }
            Token::Word(word) => {
                let word = shown(word);
                let mut first = word.chars();
                let capital: String = first.next().into_iter().flat_map(char::to_uppercase).chain(first).collect();
                let what = format!("a value: a variable (`{capital}`), a text (`\"{word}\"`), a name (`/{word}`) or a number");
                return Err(self.expected(&what));
            }
            Token::Sign(sign @ ("[" | "{" | "@")) => return Err(unsupported(place, sign)),
            _ => {
                return Err(self.expected("a value: a variable (`X`), `_`, a text (`\"a/b.go\"`), a name (`/exact`) or a number"));
            }
        };
        self.step()?;
        Ok(Expression { kind, place })
    }
}

/// A head that stands in a body.
fn atom_of(head: Head) -> Result<Atom, Mistake> {
    let value = |column| match column {
        HeadColumn::Value(value) => Ok(value),
        HeadColumn::Over(_, over) => {
            Err(Mistake::new(over.place, "totals stand in the head of a rule: `callers(F, count(X)) :- calls(X, F).`"))
        }
    };
    let columns = head.columns.into_iter().map(value).collect::<Result<_, _>>()?;
    Ok(Atom { relation: head.relation, columns, place: head.place })
}
