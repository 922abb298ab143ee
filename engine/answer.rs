//! What a request gives: what is active, why, and the packet that an agent reads.

use crate::{Error, ErrorKind, Problem, Result};
use activate_rules::atoms::Tier;
use context::activation;
use context::budget::CEILING;
use std::fmt;

/// What a request activated, with everything needed to show and to explain it.
pub struct Answer<'e>(pub(crate) engine::Activation<'e>);

impl fmt::Debug for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("root", &self.0.root()).field("certainty", &self.certainty()).finish_non_exhaustive()
    }
}

/// How sure it is that the answer is about what is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Certainty {
    /// The task names a place that exists, or its words point clearly at few.
    Strong,
    /// Words point somewhere, with little distance to what comes next.
    Weak,
    /// Nothing was found.
    None,
}

/// A file or a definition that is active.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Active {
    /// `path` for a file, `path#Container.name` for a definition.
    pub id: String,
    /// The path of the file, relative to the root, with `/`.
    pub path: String,
    /// First and last line of a definition, from 1; none for a file.
    pub lines: Option<(u32, u32)>,
    /// How much it matters, in points: an exact target has 100, hot is above 30, warm from 15.
    pub score: f64,
    /// Whether it is hot; what is active and not hot is warm.
    pub is_hot: bool,
    /// Why it is active, as a short phrase: `called by login.go, line 27`.
    pub reason: String,
}

/// A text for an agent, within a budget, with secrets masked.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Packet {
    /// A hash of the content: 32 hexadecimal digits.
    pub id: String,
    /// The text, ready to be sent: at most eight sections, from hot to warm.
    pub text: String,
    /// The tokens of the text.
    pub tokens: u32,
    /// The same as one JSON object (`engine/packets/schema/session.schema.json`).
    pub json: String,
    /// What this answer lacks.
    pub problems: Vec<Problem>,
    pub(crate) sent: session::Sent,
}

/// A ceiling for the tokens of a packet; never a target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[must_use]
pub struct Budget(context::budget::Budget);

/// Who counts tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tokenizer {
    /// `o200k_base`, of newer models.
    O200k,
    /// `cl100k_base`, of older ones.
    Cl100k,
}

impl Budget {
    /// The most tokens of the whole packet, counted as `o200k_base` does: 8,000 by default, 80,000 at most.
    pub fn tokens(total: u32) -> Self {
        Self(context::budget::Budget::of(total.min(CEILING.0)))
    }

    /// Counts tokens as this tokenizer does.
    pub const fn counted_by(mut self, tokenizer: Tokenizer) -> Self {
        self.0.tokenizer = match tokenizer {
            Tokenizer::O200k => tokens::Tokenizer::O200k,
            Tokenizer::Cl100k => tokens::Tokenizer::Cl100k,
        };
        self
    }

    /// Puts a number on every n-th line of code: 5 by default, 0 for no numbers.
    pub const fn line_numbers(mut self, every: u32) -> Self {
        self.0.line_numbers = every;
        self
    }
}

impl Answer<'_> {
    /// The packet: what is active, arranged in eight sections within the budget. May be asked for again with another budget.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BudgetTooSmall`] if the parts that are always shown need more than the budget.
    pub fn packet(&self, budget: &Budget) -> Result<Packet> {
        let context = self.0.session_context(&budget.0)?;
        let json = serde_json::to_string(&self.0.packet(&context))
            .map_err(|error| Error::new(ErrorKind::Storage, "the packet could not be written as JSON").because(error))?;
        Ok(Packet {
            id: context.pack_id,
            text: context.text.text,
            tokens: context.tokens.0,
            json,
            problems: context.problems,
            sent: context.sent,
        })
    }

    /// The hot and warm files, best first.
    pub fn files(&self) -> Vec<Active> {
        self.active(&self.0.found.files)
    }

    /// The hot and warm definitions, best first.
    pub fn definitions(&self) -> Vec<Active> {
        self.active(&self.0.found.symbols)
    }

    /// How sure it is that the answer is about what is meant.
    pub fn certainty(&self) -> Certainty {
        match self.0.found.intent.certainty {
            intent::Certainty::Strong => Certainty::Strong,
            intent::Certainty::Weak => Certainty::Weak,
            intent::Certainty::None => Certainty::None,
        }
    }

    /// Why a target is active, step by step, in lines for people. A target is `path`, `path#Container.name`, `path:line` or a name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the target means nothing here.
    pub fn why(&self, target: &str) -> Result<Vec<String>> {
        self.0.why(target)
    }

    /// What stopped a target that is missing or lower than expected, in lines for people.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the target means nothing here.
    pub fn why_not(&self, target: &str) -> Result<Vec<String>> {
        self.0.why_not(target)
    }

    /// Which of two targets stands first, and what decides, in lines for people.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if a target means nothing here.
    pub fn why_over(&self, target: &str, other: &str) -> Result<Vec<String>> {
        self.0.why_over(target, other)
    }

    /// What this answer lacks: files that could not be read, history that is missing.
    pub fn problems(&self) -> &[Problem] {
        self.0.problems()
    }

    /// How many files were parsed for this answer. Files that did not change are not parsed again.
    pub fn n_files_read(&self) -> usize {
        self.0.snapshot.effort.n_extracted
    }

    fn active(&self, list: &[activation::Active]) -> Vec<Active> {
        let base = &self.0.snapshot.base;
        let nodes: Vec<_> = list.iter().map(|active| active.node).collect();
        let reasons = self.0.reasons(&self.0.git_state(), &nodes);
        let active = |(active, reason): (&activation::Active, redact::Safe)| {
            let node = active.node;
            Active {
                id: self.0.safe_name(&base.id(node)),
                path: self.0.safe_name(base.path(base.file_of(node))),
                lines: base.symbol(node).map(|symbol| (symbol.first_line(), symbol.lines.1)),
                score: f64::from(active.score.0) / 1000.0,
                is_hot: active.tier == Tier::Hot,
                reason: reason.as_str().to_owned(),
            }
        };
        list.iter().zip(reasons).map(active).collect()
    }
}
