//! What a repository's own history adds to the learnt order of files.

use crate::features::{Columns, Feature, column_of};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

/// The most that is added or taken for one feature, in ten-thousandths of a unit of the fit: as much as the strongest features of the shipped order.
const MOST: i32 = 20_000;

/// What is added for one feature.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OwnPart(#[schemars(range(min = -20_000, max = 20_000))] i32);

impl<'de> Deserialize<'de> for OwnPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match i32::deserialize(deserializer)? {
            value if (-MOST..=MOST).contains(&value) => Ok(Self(value)),
            value => Err(de::Error::custom(format!("{value} is not from -{MOST} to {MOST}"))),
        }
    }
}

/// Columns of the greatest are thousandths.
const WHOLE: i64 = 1_000;

weights! {
    /// What is added to the learnt score of a file for each feature, in ten-thousandths of a unit of the fit, from -20,000 to 20,000: all of it for the
    /// file of the task that has most, and a part for one that has a part. All are 0 until `activate tune` finds, on a repository's own history,
    /// that held-back changes agree.
    pub struct OwnWeights {
        /// The rank score by rule.
        share: OwnPart = OwnPart(0),
        /// Energy that arrives over links.
        support: OwnPart = OwnPart(0),
        /// BM25 of all fields.
        bm25: OwnPart = OwnPart(0),
        /// BM25 of the path.
        path_words: OwnPart = OwnPart(0),
        /// BM25 of names.
        name: OwnPart = OwnPart(0),
        /// BM25 of comments.
        comment: OwnPart = OwnPart(0),
        /// The best definition.
        best_definition: OwnPart = OwnPart(0),
        /// Past commits with such words.
        like_sum: OwnPart = OwnPart(0),
        /// Commits that touched it, the newer the more.
        churn: OwnPart = OwnPart(0),
        /// The best of the other files of its folder.
        folder_best: OwnPart = OwnPart(0),
        /// Files that use it.
        used: OwnPart = OwnPart(0),
        /// Its length.
        lines: OwnPart = OwnPart(0),
    }
}

impl OwnWeights {
    /// What each feature adds to the learnt score of a file, in ten-thousandths of a unit of the fit.
    pub fn parts(&self, file: &Columns) -> impl Iterator<Item = (Feature, i64)> {
        let part = |(feature, OwnPart(own)): (Feature, OwnPart)| {
            // Of what is compared, the second column has the part of the greatest.
            let of_greatest = i64::from(file[column_of(feature) + 1]);
            (feature, i64::from(own) * of_greatest / WHOLE)
        };
        self.features().into_iter().map(part)
    }

    const fn features(&self) -> [(Feature, OwnPart); 12] {
        [
            (Feature::Share, self.share),
            (Feature::Support, self.support),
            (Feature::Bm25, self.bm25),
            (Feature::PathWords, self.path_words),
            (Feature::Name, self.name),
            (Feature::Comment, self.comment),
            (Feature::BestDefinition, self.best_definition),
            (Feature::LikeSum, self.like_sum),
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
    use crate::columns::{Named, Scale};

    #[test]
    fn all_are_features_that_are_compared_and_add_their_part_of_the_greatest() {
        assert!(
            OwnWeights::default().features().iter().all(|(feature, _)| Feature::SCALES[*feature as usize] == Scale::Compared)
        );
        let own: OwnWeights = serde_json::from_str(r#"{"share": 3000, "churn": -20000}"#).expect("weights");
        let refused = serde_json::from_str::<OwnWeights>(r#"{"share": 20001}"#);
        assert!(refused.is_err_and(|error| error.to_string().starts_with("20001 is not from -20000 to 20000")));
        let mut file = [0; size_of::<Columns>() / size_of::<i32>()];
        file[column_of(Feature::Share) + 1] = 500;
        file[column_of(Feature::Churn) + 1] = 1_000;
        let parts: Vec<(Feature, i64)> = own.parts(&file).filter(|(_, part)| *part != 0).collect();
        assert_eq!(parts, [(Feature::Share, 1_500), (Feature::Churn, -20_000)]);
    }
}
