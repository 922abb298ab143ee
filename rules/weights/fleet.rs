//! The numbers of one question to many repositories: which of them are asked, and what a link between two passes on.

use crate::atoms::{Energy, Thousandths};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

weights! {
    /// How repositories are chosen for a task, and what crosses from one into another. First values.
    pub struct FleetWeights {
        /// So many files with a word make half of what any number makes: a word of one file may stand there by chance.
        half_files: u32 = 3,
        /// What it adds that a definition is named by the word, as a fraction of what files with it make at most.
        named: Thousandths = Thousandths::new(1_000),
        /// What it adds that the repository is named by the word.
        own_name: Thousandths = Thousandths::new(1_000),
        /// What a repository must have of what the best has, to be asked.
        least_share: Thousandths = Thousandths::new(400),
        /// Repositories that are asked for their words at most: each takes the time of an answer of its own.
        most_by_words: u32 = 6,
        /// Repositories that are asked at most beside them, since they define what the task calls by its name.
        most_by_names: u32 = 4,
        /// Repositories that are asked at most beside them, since links lead there.
        most_by_links: u32 = 6,
        /// The score that something needs for its links to lead into other repositories, in points: what is hot.
        least_score: Energy = Energy::points(60),
        /// Links of one node that are followed at most, the surest first: what all of an organisation calls says little of one task.
        most_links: u32 = 16,
    }
}
