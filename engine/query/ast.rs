//! A program as it is written: rules, facts and questions, each part with its place in the text.

/// A place in one of the texts of a program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The text, by a number that whoever reads it gives.
    pub source: u32,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl Place {
    /// Where a text begins.
    pub const fn first(source: u32) -> Self {
        Self { source, line: 1, column: 1 }
    }
}

/// How a text is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Syntax {
    /// As the documentation of this crate's users says.
    #[default]
    Own,
    /// As Google's Mangle has it, as far as it is Datalog over whole numbers, texts and names.
    Mangle,
}

/// Rules and questions in the order in which they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// Relations that are declared, with or without rules.
    pub declared: Vec<Declaration>,
    /// Whether a relation that it derives hides a given one of that name; otherwise that is a mistake.
    pub hides: bool,
    /// Rules; one without a body is a fact.
    pub rules: Vec<Rule>,
    /// Questions.
    pub questions: Vec<Question>,
}

impl Program {
    /// The relations that its rules derive, once for each rule.
    pub fn heads(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.head.relation.as_str())
    }

    /// Makes a question of each fact behind the first `n_rules` rules that can be none: of a relation that is given, or with a variable. Whoever asks
    /// line by line ends questions with a full stop too.
    pub fn ask_what_is_no_fact(&mut self, n_rules: usize, is_given: &dyn Fn(&str) -> bool) {
        let is_value = |column: &HeadColumn| match column {
            HeadColumn::Value(value) => value.is_ground(),
            HeadColumn::Over(..) => true,
        };
        let n_questions = self.questions.len();
        for rule in self.rules.split_off(n_rules.min(self.rules.len())) {
            let values: Option<Vec<Expression>> = rule
                .head
                .columns
                .iter()
                .map(|column| if let HeadColumn::Value(value) = column { Some(value.clone()) } else { None })
                .collect();
            let is_asked = rule.body.is_empty() && (is_given(&rule.head.relation) || !rule.head.columns.iter().all(is_value));
            match values.filter(|_| is_asked) {
                Some(columns) => {
                    let atom = Atom { relation: rule.head.relation, columns, place: rule.head.place };
                    self.questions.push(Question { body: vec![Literal::Is(atom)], place: rule.place });
                }
                None => self.rules.push(rule),
            }
        }
        if self.questions.len() > n_questions {
            self.questions.sort_by_key(|question| question.place);
        }
    }
}

impl Expression {
    /// Whether it has no variable.
    fn is_ground(&self) -> bool {
        match &self.kind {
            ExpressionKind::Variable(_) | ExpressionKind::Anything => false,
            ExpressionKind::Text(_) | ExpressionKind::Name(_) | ExpressionKind::Number(_) => true,
            ExpressionKind::Arithmetic(left, _, right) => left.is_ground() && right.is_ground(),
        }
    }
}

/// `Decl relation(X, Y).`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub relation: String,
    /// How many columns it has.
    pub n_columns: usize,
    /// Where its name stands.
    pub place: Place,
}

/// `head :- body.`: what the head says is so for all values for which the body is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What is so.
    pub head: Head,
    /// If all of this is.
    pub body: Vec<Literal>,
    /// Where it begins.
    pub place: Place,
}

/// `?- body.`: for which values the body is so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// All of it must be so.
    pub body: Vec<Literal>,
    /// Where it begins.
    pub place: Place,
}

/// What a rule says: a relation whose columns may be sums over all values of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Its name.
    pub relation: String,
    /// Its columns.
    pub columns: Vec<HeadColumn>,
    /// Where its name stands.
    pub place: Place,
}

/// A column of a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadColumn {
    /// A value.
    Value(Expression),
    /// `count(X)`, `min(X)`, `max(X)` or `sum(X)` over the different values of `X` for each choice of the other columns.
    Over(Total, Expression),
}

/// How many values become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// How many there are.
    Count,
    /// The smallest: by number, or by text.
    Min,
    /// The greatest.
    Max,
    /// All of them together.
    Sum,
}

/// A part of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// `relation(..)`.
    Is(Atom),
    /// `not relation(..)`.
    IsNot(Atom),
    /// `X < Y + 1`; with `=`, a variable that has no value yet gets one.
    Compare(Expression, Comparison, Expression),
    /// `starts_with(X, "a")`, or that it does not.
    Text(TextTest, Expression, Expression, bool),
}

/// A relation and its columns. There may be fewer columns than the relation has: the rest may be anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// Its name.
    pub relation: String,
    /// Its first columns.
    pub columns: Vec<Expression>,
    /// Where its name stands.
    pub place: Place,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// What is asked of a text. Files and symbols are texts as they are written: `path` and `path#Container.name`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextTest {
    /// `starts_with(text, beginning)`
    StartsWith,
    /// `ends_with(text, end)`
    EndsWith,
    /// `includes(text, part)`
    Includes,
    /// `glob(text, pattern)`: `*` and `?` within a folder, `**` across folders, `[ab]`, `{a,b}`.
    Glob,
}

/// A value, or how it is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it begins.
    pub place: Place,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpressionKind {
    /// `X`: a word that begins with a capital letter.
    Variable(String),
    /// `_`: anything, each time something else.
    Anything,
    /// `"text"`: a text, a file or a symbol.
    Text(String),
    /// `/name`: a word of a closed list.
    Name(String),
    /// `12`.
    Number(i32),
    /// `X + 1`, of whole numbers of 32 bits.
    Arithmetic(Box<Expression>, Operation, Box<Expression>),
}

/// An operation on whole numbers; `/` and `%` round towards zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}
