//! The numbers of evidence: how much words, history and roles of files say for a node.

use crate::atoms::{Cue, Factor, Thousandths};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

weights! {
    /// How much each cue can say for a node: the fraction of all doubt that it removes at full strength.
    ///
    /// Path, scope, history, recent, holds and size were set by `activate tune` and by hand on 200 changes of ten repositories, and kept
    /// since they were no worse on 100 changes of five others (2026-11-21); the others are first values.
    pub struct CueWeights {
        /// A name equal but for case or ambiguity is almost the target.
        name: Thousandths = Thousandths::new(900),
        /// A path named in words is rarely an accident.
        path: Thousandths = Thousandths::new(340),
        /// Part of a compound name: often shared by a family of symbols.
        subtoken: Thousandths = Thousandths::new(500),
        /// The scope of a commit names a folder, seldom a file.
        scope: Thousandths = Thousandths::new(200),
        /// A type that is meant speaks for its members.
        container: Thousandths = Thousandths::new(250),
        /// Orders what nothing else tells apart in a file that words speak for; from about 70 lines on enough for a seed, never for a warm score.
        size: Thousandths = Thousandths::new(130),
        /// A file is meant where what it defines is named.
        holds: Thousandths = Thousandths::new(300),
        /// A word of the text may be said in passing.
        text: Thousandths = Thousandths::new(450),
        /// What changed for such a message before may change again.
        history: Thousandths = Thousandths::new(400),
        /// Work goes on where it went on.
        recent: Thousandths = Thousandths::new(200),
        /// Named by a failure without a position, or the file that a failing test is named after. Of 73 failures of four Go repositories
        /// the latter was to be changed in 62 of 70 that had one (2026-11-21).
        failure: Thousandths = Thousandths::new(850),
        /// Earlier turns set the theme, not the target.
        session: Thousandths = Thousandths::new(300),
        /// A rule of the user says itself how strongly it speaks.
        rule: Thousandths = Thousandths::ONE,
    }
}

weights! {
    /// How words of text count: BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, section 3.6).
    pub struct TextWeights {
        /// How slowly repetition stops to pay: the weighted count that earns half of what any number can.
        k1: Factor = Factor::new(1200),
        /// Code, or plain text: what the other fields are measured by.
        body: FieldWeight = FieldWeight::new(1000, 500),
        /// The name in a definition.
        name: FieldWeight = FieldWeight::new(5000, 750),
        /// The path of the file; short whatever the repository, so that its length says little.
        path: FieldWeight = FieldWeight::new(4000, 300),
        /// A comment that documents no definition.
        comment: FieldWeight = FieldWeight::new(1000, 750),
        /// A string literal.
        literal: FieldWeight = FieldWeight::new(1000, 750),
        /// The documentation of a definition.
        doc: FieldWeight = FieldWeight::new(1000, 750),
    }
}

weights! {
    /// What is left of words in files that are seldom what a task means, unless it asks for them.
    ///
    /// What leaving one out costs (2026-11-23): tests .024 of NDCG on questions of Go and .009 on those of TypeScript; documents .015 on those of
    /// Rust and .011 of Python; generated files .008 of the mean reciprocal rank of 58 issue texts; data two pasted texts of the corpus. The
    /// sets leave vendored code and examples out of every list, so they cannot judge these.
    pub struct RoleWeights {
        /// Tests hold the words of what they test.
        test: Thousandths = Thousandths::new(500),
        /// Written by a program from something else.
        generated: Thousandths = Thousandths::new(250),
        /// A table or a dictionary: it has the words of everything, and is changed for nothing but itself.
        data: Thousandths = Thousandths::new(400),
        /// Belongs to others.
        vendored: Thousandths = Thousandths::new(250),
        /// Shows what stands elsewhere.
        example: Thousandths = Thousandths::new(500),
        /// Describes what stands elsewhere, in the very words of intents.
        document: Thousandths = Thousandths::new(500),
    }
}

/// How much words in a field count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldWeight {
    /// What an occurrence in the field is worth, where one in the body is worth 1.
    pub weight: Factor,
    /// How much a long field devalues an occurrence: 0 not at all, 1 in proportion to its length.
    pub length: Thousandths,
}

impl FieldWeight {
    const fn new(weight: u32, length: u32) -> Self {
        Self { weight: Factor::new(weight), length: Thousandths::new(length) }
    }
}

impl CueWeights {
    /// The weight of a cue.
    pub const fn of(&self, cue: Cue) -> Thousandths {
        match cue {
            Cue::Name => self.name,
            Cue::Path => self.path,
            Cue::Subtoken => self.subtoken,
            Cue::Scope => self.scope,
            Cue::Container => self.container,
            Cue::Size => self.size,
            Cue::Holds => self.holds,
            Cue::Text => self.text,
            Cue::History => self.history,
            Cue::Recent => self.recent,
            Cue::Failure => self.failure,
            Cue::Session => self.session,
            Cue::Rule => self.rule,
        }
    }
}
