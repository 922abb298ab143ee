//! The numbers of passages: what speaks for a run of lines, and what showing something is worth.

use crate::atoms::{Energy, Factor, PassageCue, Thousandths};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

weights! {
    /// What each cue adds to the score of a passage at full strength, in points. Points are added; so many as the weights of packing say double what a line is worth.
    ///
    /// Words, first, definition, head, place, file, score and role are the coefficients of a conditional logit over the lines of
    /// candidates, fitted on 240 changes of twelve repositories that no figure is reported of (2026-11-22); the others are first values.
    pub struct PassageWeights {
        /// Whoever names a place means it: more than the 11 points of the fit, so that nothing short and cheap in the same file comes first.
        named: Energy = Energy::points(30),
        /// Above what is named: a failure blocks all other work.
        fails: Energy = Energy::points(200),
        /// How high the definition stands: its name, its kind, its links.
        definition: Energy = Energy::points(30),
        /// The share of the best passage's words, by BM25F.
        words: Energy = Energy::points(30),
        /// Falls with the logarithm of the passage's place among those of its file.
        first: Energy = Energy::points(26),
        /// Who calls what is meant has to keep working. First value.
        calls: Energy = Energy::points(4),
        /// What was changed for like reasons may be changed again. First value.
        history: Energy = Energy::points(25),
        /// Most changes of a file touch its imports.
        head: Energy = Energy::points(9),
        /// Falls with the logarithm of the file's place, to nothing at the 64th.
        place: Energy = Energy::points(39),
        /// Grows with the logarithm of how high the file stands, from nothing at a 64th of certainty.
        file: Energy = Energy::points(28),
        /// The file's score in parts of an exact target's.
        score: Energy = Energy::points(43),
        /// What is left of words in tests, documents and the like: see the weights of passages in roles.
        role: Energy = Energy::points(40),
    }
}

impl PassageWeights {
    /// The weight of a cue.
    pub const fn of(&self, cue: PassageCue) -> Energy {
        match cue {
            PassageCue::Named => self.named,
            PassageCue::Fails => self.fails,
            PassageCue::Definition => self.definition,
            PassageCue::Words => self.words,
            PassageCue::First => self.first,
            PassageCue::Calls => self.calls,
            PassageCue::History => self.history,
            PassageCue::Head => self.head,
            PassageCue::Place => self.place,
            PassageCue::File => self.file,
            PassageCue::Score => self.score,
            PassageCue::Role => self.role,
        }
    }
}

weights! {
    /// How words of a passage count: BM25F, as for files, with a document for each passage. First values.
    pub struct PassageTextWeights {
        /// How slowly repetition stops to pay: the count that earns half of what any number can. As for files.
        k1: Factor = Factor::new(1200),
        /// What a word in the name of a definition is worth more, where one anywhere else in the passage is worth 1. The same words of a file count
        /// through its own score.
        name: Factor = Factor::new(3000),
        /// How much a long passage devalues a word: 0 not at all, 1 in proportion to its length.
        length: Thousandths = Thousandths::new(750),
        /// The length, in lengths of the average passage, below which a passage is not better for being short.
        least_length: Thousandths = Thousandths::new(400),
    }
}

weights! {
    /// How fast what speaks for passages falls with the place of a file, a passage or a failure. First values.
    pub struct PassageFallWeights {
        /// The last place of a file, and of a passage in its file, that still says something.
        last_place: u32 = 64,
        /// How often the certainty of a file is halved until it says nothing.
        halvings: u32 = 6,
        /// What a failure loses for every one before it.
        turn_step: Thousandths = Thousandths::new(10),
        /// What is left of the last failure.
        least_turn: Thousandths = Thousandths::new(100),
    }
}

weights! {
    /// What is left of passages in files that are seldom meant, unless the task asks for them: their lines are found by the names of the files.
    /// First values; source of the program has the whole.
    pub struct PassageRoleWeights {
        /// Tests hold the words of what they test.
        test: Thousandths = Thousandths::new(250),
        /// Written by a program from something else.
        generated: Thousandths = Thousandths::new(250),
        /// Belongs to others.
        vendored: Thousandths = Thousandths::new(250),
        /// Shows what stands elsewhere.
        example: Thousandths = Thousandths::new(300),
        /// Describes what stands elsewhere; also settings, locks and data beside code.
        document: Thousandths = Thousandths::new(400),
    }
}

weights! {
    /// What it is worth to show something, as a share of what all candidates for section 3 are worth together.
    ///
    /// A passage is worth its lines, each as much as its score says; what is worth most per token is shown first, and nothing is shown that
    /// is worth less per token than `least`. All are first values, set by eye on packets of 500 to 8,000 tokens.
    pub struct PackingWeights {
        /// The points that double the worth of a line. The fit says ten; where the task names a place, that leaves nothing to what stands around it.
        doubling: Energy = Energy::points(14),
        /// In the order of definitions, how much a passage of double the lines stands higher, as a part of `doubling`. On 1,624 changes of 49 repositories
        /// a right definition stood first by rule in .453 of them with 0, .470 with 0.5 and .469 with 1.
        definition_lines: Thousandths = Thousandths::new(500),
        /// How much less each further passage of a file is worth: the whole divided by 1 and so much for every one before it. On 340 changes of 18
        /// repositories 0.03 brought most lines at five budgets; 0.1 brought .03 fewer at 4,000 tokens, and 0 let one file take a packet.
        again: Thousandths = Thousandths::new(30),
        /// What the name of a file is worth, of what all passages of the file are worth: whoever has it can open it.
        name: Thousandths = Thousandths::new(150),
        /// What the first of the likely files is named for at least, of everything; the nth has an nth of an nth of it.
        likely: Thousandths = Thousandths::new(10),
        /// What the outline of a file is worth that shows no code, likewise.
        outline: Thousandths = Thousandths::new(10),
        /// What the first test command is worth, of everything; the nth is worth an nth of an nth of it.
        test: Thousandths = Thousandths::new(5),
        /// What the first impacted file is worth, likewise.
        impacted: Thousandths = Thousandths::new(2),
        /// What the first dependency is worth, likewise.
        dependency: Thousandths = Thousandths::new(1),
        /// What the first note on code is worth, likewise.
        note: Thousandths = Thousandths::new(5),
        /// The least that a thousand tokens must be worth to be shown, of everything. On 100 changes, 4 left 850 of 8,000 tokens empty and showed .755
        /// of the changed lines, 2 left 540 and showed .759, 1 left 420 and showed no more.
        least: Thousandths = Thousandths::new(2),
    }
}
