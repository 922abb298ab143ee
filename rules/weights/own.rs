//! What a repository's own history adds to the learnt order of files.

use crate::features::{Columns, Feature, column_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most that is added or taken for one feature, in ten-thousandths of a unit of the fit: as much as the strongest features of the shipped order.
const MOST: i32 = 20_000;

/// Columns of the greatest are thousandths.
const WHOLE: i64 = 1_000;

weights! {
    /// What is added to the learnt score of a file for each feature, in ten-thousandths of a unit of the fit, from -20,000 to 20,000: all of it for the
    /// file of the task that has most, and a part for one that has a part. All are 0 until `activate tune` finds, on a repository's own history,
    /// that held-back changes agree.
    pub struct OwnWeights {
        /// The rank score by rule.
        #[schemars(range(min = -20_000, max = 20_000))]
        share: i32 = 0,
        /// Energy that arrives over links.
        #[schemars(range(min = -20_000, max = 20_000))]
        support: i32 = 0,
        /// BM25 of all fields.
        #[schemars(range(min = -20_000, max = 20_000))]
        bm25: i32 = 0,
        /// BM25 of the path.
        #[schemars(range(min = -20_000, max = 20_000))]
        path_words: i32 = 0,
        /// BM25 of names.
        #[schemars(range(min = -20_000, max = 20_000))]
        name: i32 = 0,
        /// BM25 of comments.
        #[schemars(range(min = -20_000, max = 20_000))]
        comment: i32 = 0,
        /// The best definition.
        #[schemars(range(min = -20_000, max = 20_000))]
        best_definition: i32 = 0,
        /// Past commits with such words.
        #[schemars(range(min = -20_000, max = 20_000))]
        like_sum: i32 = 0,
        /// Commits since the last that touched it.
        #[schemars(range(min = -20_000, max = 20_000))]
        since: i32 = 0,
        /// Commits that touched it, the newer the more.
        #[schemars(range(min = -20_000, max = 20_000))]
        churn: i32 = 0,
        /// The best of the other files of its folder.
        #[schemars(range(min = -20_000, max = 20_000))]
        folder_best: i32 = 0,
        /// Files that use it.
        #[schemars(range(min = -20_000, max = 20_000))]
        used: i32 = 0,
        /// Its length.
        #[schemars(range(min = -20_000, max = 20_000))]
        lines: i32 = 0,
    }
}

impl OwnWeights {
    /// What each feature adds to the learnt score of a file, in ten-thousandths of a unit of the fit; all must be of those that are compared.
    pub fn parts(&self, file: &Columns) -> impl Iterator<Item = (Feature, i64)> {
        let part = |(feature, own): (Feature, i32)| {
            let of_greatest = i64::from(file[column_of(feature) + 1]);
            (feature, i64::from(own.clamp(-MOST, MOST)) * of_greatest / WHOLE)
        };
        self.features().into_iter().map(part)
    }

    const fn features(&self) -> [(Feature, i32); 13] {
        [
            (Feature::Share, self.share),
            (Feature::Support, self.support),
            (Feature::Bm25, self.bm25),
            (Feature::PathWords, self.path_words),
            (Feature::Name, self.name),
            (Feature::Comment, self.comment),
            (Feature::BestDefinition, self.best_definition),
            (Feature::LikeSum, self.like_sum),
            (Feature::Since, self.since),
            (Feature::Churn, self.churn),
            (Feature::FolderBest, self.folder_best),
            (Feature::Used, self.used),
            (Feature::Lines, self.lines),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{N_COLUMNS, Scale};

    #[test]
    fn all_are_features_that_are_compared_and_add_their_part_of_the_greatest() {
        assert!(OwnWeights::default().features().iter().all(|(feature, _)| feature.scale() == Scale::Compared));
        let own = OwnWeights { share: 3_000, churn: -40_000, ..OwnWeights::default() };
        let mut file = [0; N_COLUMNS];
        file[column_of(Feature::Share) + 1] = 500;
        file[column_of(Feature::Churn) + 1] = 1_000;
        let parts: Vec<(Feature, i64)> = own.parts(&file).filter(|(_, part)| *part != 0).collect();
        assert_eq!(parts, [(Feature::Share, 1_500), (Feature::Churn, -20_000)]);
    }
}
