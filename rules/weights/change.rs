//! The numbers of a change that is to be reviewed: how its definitions share what exact targets have.

use crate::atoms::Thousandths;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

weights! {
    /// How the definitions of a change share the energy of exact targets. All are first values, set by eye on packets of forty commits of seven
    /// repositories.
    pub struct ChangeWeights {
        /// What a definition loses for every halving of its changed lines against those of the one with most: with 120, one line beside 64 keeps
        /// a little more than a quarter.
        fall: Thousandths = Thousandths::new(120),
        /// The least share of a definition of source: hot, and above the gate, so that those who call it are found.
        least: Thousandths = Thousandths::new(350),
        /// How many definitions have their share; a change of hundreds would light up all of a repository.
        most: u32 = 24,
        /// The share of all further ones: warm, and below the gate, so that they are shown and spread nothing.
        rest: Thousandths = Thousandths::new(180),
        /// What is left of a share in tests: they are read after what they test.
        test: Thousandths = Thousandths::new(450),
        /// In files that a program writes, locks of versions among them: warm at most.
        generated: Thousandths = Thousandths::new(150),
        /// In code of others.
        vendored: Thousandths = Thousandths::new(150),
        /// In examples.
        example: Thousandths = Thousandths::new(400),
        /// In documents, settings and whatever else is not code.
        document: Thousandths = Thousandths::new(300),
        /// The part of section 3 that hunks come first in, whatever else is worth showing: the rest is left to callers, tests and the like.
        room: Thousandths = Thousandths::new(600),
        /// The same where no code outside of the change has to be shown.
        room_alone: Thousandths = Thousandths::new(850),
        /// How many changed files are named, whatever else has room; more are counted by folder. With 80 their names are some fifteenth of the
        /// usual budget, and hardly a change that people review has more.
        named: u32 = 80,
        /// The part of the lines of a passage from which hunks show what it would, so that it is not shown again.
        shown: Thousandths = Thousandths::new(500),
        /// What is left of lines outside of all definitions in the order of hunks: they are mostly imports.
        outside: Thousandths = Thousandths::new(500),
        /// The part of the commits of a changed file that must have touched another file for it to be missed in a change.
        together: Thousandths = Thousandths::new(400),
        /// The fewest such commits: two may be chance.
        least_together: u32 = 3,
    }
}
