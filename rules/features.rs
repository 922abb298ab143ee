//! The features by which files are compared: what is known of a file for a task, each as one integer with its unit and where it comes from.
//!
//! The only place that names them. Who fills them in is `context`; `activate eval --features` writes them, and `benches/train` weighs them.

use crate::columns::features;

features! {
    /// What is known of a file for a task.
    pub enum Feature, "2" {
        /// Its place by rule, from 1.
        Place = "place", Plain;
        /// 2 where the task spells out a place or a name in it, or something in it fails or was changed; 1 where the task points at it by another
        /// name; else 0.
        Certain = "certain", Plain;
        /// What the policy derived: all cues of the file as one number, in thousandths of a point.
        Evidence = "evidence", Compared;
        /// Independent energy that arrives over links, in millionths.
        Support = "support", Compared;
        /// How far energy got, in thousandths of a point.
        Score = "score", Compared;
        /// Evidence and links as two witnesses, in millionths: the rank score by rule.
        Share = "share", Compared;
        /// The cue `text`, in thousandths of the best file.
        Text = "text", Compared;
        /// The cue `path`, in thousandths.
        Path = "path", Compared;
        /// The cue `scope`, in thousandths.
        Scope = "scope", Compared;
        /// The cue `holds`, in thousandths.
        Holds = "holds", Compared;
        /// The cue `history`, in thousandths.
        History = "history", Compared;
        /// The cue `failure`, in thousandths.
        Failure = "failure", Plain;
        /// The greatest evidence of a definition in the file, in thousandths of a point.
        BestDefinition = "best definition", Compared;
        /// The sum of the evidence of its definitions, in thousandths of a point.
        Definitions = "definitions", Compared;
        /// How many of its definitions words speak for.
        DefinitionsNamed = "definitions named", Compared;
        /// BM25F of all fields, in thousandths.
        Bm25 = "bm25", Compared;
        /// BM25 of code and plain text, in thousandths.
        Body = "body", Compared;
        /// BM25 of the names of definitions, in thousandths.
        Name = "name", Compared;
        /// BM25 of the path, in thousandths.
        PathWords = "path words", Compared;
        /// BM25 of comments, in thousandths.
        Comment = "comment", Compared;
        /// BM25 of string literals, in thousandths.
        Literal = "literal", Compared;
        /// BM25 of documentation, in thousandths.
        Doc = "doc", Compared;
        /// The part of the task's words that the file has, by rarity, in thousandths.
        Coverage = "coverage", Compared;
        /// The part that its path and the names of its definitions have, by rarity, in thousandths.
        NameCoverage = "name coverage", Compared;
        /// How many of the words it has.
        Words = "words", Compared;
        /// The rarity of the rarest of them, in thousandths of a nat.
        Rarest = "rarest", Compared;
        /// What past commits with such messages say, all together, in thousandths of the best commit.
        LikeSum = "like sum", Compared;
        /// How many past commits with such messages touched it.
        LikeCount = "like count", Compared;
        /// Commits since it was changed last; 100,000 where none is known.
        Since = "since", Compared;
        /// Commits that changed it.
        Touches = "touches", Compared;
        /// Of the newest 30 commits, how many changed it.
        TouchesLately = "touches lately", Plain;
        /// Of the newest 300 commits, how many changed it.
        TouchesOften = "touches often", Compared;
        /// Commits that changed it, each counting half after 100 others, in hundredths.
        Churn = "churn", Compared;
        /// Days between its last change and the newest commit; 10,000 where none is known.
        Days = "days", Plain;
        /// One in so many commits of the likeliest file changed it too, as thousandths of one in one.
        WithFirst = "with first", Plain;
        /// The same of the first ten files: the greatest.
        WithFirsts = "with firsts", Plain;
        /// The greatest BM25F of another file in its folder, in thousandths.
        FolderBest = "folder best", Compared;
        /// The sum over the candidates in its folder, in thousandths.
        FolderSum = "folder sum", Compared;
        /// The greatest cue `text` of a file that it imports or that imports it, in thousandths.
        NextText = "next text", Compared;
        /// The greatest cue `text` of a test that imports it, in thousandths.
        TestText = "test text", Compared;
        /// The logarithm of the links that lead into it from what uses it, in thousandths.
        Used = "used", Compared;
        /// The logarithm of its lines, in thousandths.
        Lines = "lines", Compared;
        /// How many definitions it has.
        Size = "size", Compared;
        /// Folders above it.
        Depth = "depth", Plain;
        /// 1 for a file that stands for its folder: `mod.rs`, `index.ts`, `lib.rs`, `main.go`.
        Index = "index", Plain;
        /// Links between it and a seed; 9 where it is not reached.
        Hops = "hops", Plain;
        /// 1 for a file whose words count less: generated, vendored, an example.
        Aside = "aside", Plain;
        /// How many words the task has.
        TaskWords = "task words", Plain;
        /// The logarithm of the bytes of the task, in thousandths.
        TaskBytes = "task bytes", Plain;
        /// The greatest rarity of a word of the task, in thousandths of a nat.
        TaskRarest = "task rarest", Plain;
        /// The greatest coverage of a file, in thousandths.
        TaskCoverage = "task coverage", Plain;
        /// The logarithm of the number of files, in thousandths.
        Files = "files", Plain;
        /// How many files are compared.
        Candidates = "candidates", Plain;
        /// The logarithm of the number of known commits, in thousandths.
        Commits = "commits", Plain;
        /// How many files are edited already.
        Edited = "edited", Plain;
        /// One in so many commits of an edited file changed it too, as thousandths of one in one: the greatest.
        EditedWith = "edited with", Compared;
        /// The logarithm of the links by which it uses edited definitions or imports edited files, in thousandths.
        UsesEdited = "uses edited", Compared;
        /// The logarithm of the links by which edited definitions use it or edited files import it, in thousandths.
        UsedByEdited = "used by edited", Compared;
        /// BM25F of the words of edited lines, in thousandths.
        EditedText = "edited text", Compared;
        /// The part of these words that it has, by rarity, in thousandths.
        EditedCoverage = "edited coverage", Compared;
        /// The part that its path and the names of its definitions have, by rarity, in thousandths.
        EditedNames = "edited names", Compared;
        /// Folders between it and the nearest edited file.
        EditedApart = "edited apart", Plain;
        /// Letters that the names of it and of an edited file begin with in common, as thousandths of the longer one: the greatest.
        EditedName = "edited name", Compared;
        /// 1 where an edited file has the same ending.
        EditedKind = "edited kind", Plain;
    }
}

/// The value of [`Feature::Certain`] for a file in which the task spells out a place or a name, or something in it fails or was changed.
pub const SPELLED_OUT: i32 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atoms::NodeId;
    use crate::columns::{Named, Scale, columns, compare};

    #[test]
    fn what_is_compared_stands_as_it_is_beside_the_greatest_and_by_rank() {
        let file = |evidence: i32, failure: i32| {
            let mut features = [0; Feature::ALL.len()];
            features[Feature::Evidence as usize] = evidence;
            features[Feature::Failure as usize] = failure;
            features
        };
        let files = [(NodeId(3), file(500, 7)), (NodeId(5), file(2000, 0)), (NodeId(9), file(500, 0))];
        let compared: Vec<(NodeId, Columns)> = compare::<Feature, _, _, _>(&files);
        let of = |feature: Feature| {
            let first = column_of(feature);
            let n = if Feature::SCALES[feature as usize] == Scale::Compared { 3 } else { 1 };
            compared.iter().map(|(_, columns)| columns[first..first + n].to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(of(Feature::Evidence), [[500, 250, 1000], [2000, 1000, 0], [500, 250, 1000]]);
        assert_eq!(of(Feature::Failure), [[7], [0], [0]]);
        assert_eq!(columns::<Feature>().count(), compared[0].1.len());
    }
}
