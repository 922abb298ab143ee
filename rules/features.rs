//! The features by which files are compared: what is known of a file for a task, each as one integer with its unit and where it comes from.
//!
//! The only place that names them. Who fills them in is `context`; `activate eval --features` writes them, and `benches/train` weighs them.

use crate::atoms::NodeId;

/// How a feature enters the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// As it is: a property of the file or of the task.
    Plain,
    /// As it is, as thousandths of the greatest of the task, and as its rank in the task: what counts is who has more.
    Compared,
}

macro_rules! features {
    ($($(#[doc = $doc:literal])* $Variant:ident = $name:literal, $scale:ident;)+) => {
        /// What is known of a file for a task.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Feature { $($(#[doc = $doc])* $Variant,)+ }

        impl Feature {
            /// All features, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$Variant,)+];

            /// The name in tables and explanations.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name,)+ }
            }

            /// How it enters the comparison.
            pub const fn scale(self) -> Scale {
                match self { $(Self::$Variant => Scale::$scale,)+ }
            }
        }
    };
}

features! {
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

/// The value of [`Feature::Certain`] for a file in which the task spells out a place or a name, or something fails or was changed.
pub const SPELLED_OUT: i32 = 2;

/// How many features there are.
pub const N_FEATURES: usize = Feature::ALL.len();

/// What is known of one file.
pub type Features = [i32; N_FEATURES];

/// Columns of the comparison: one for a plain feature, three for one that is compared.
pub const N_COLUMNS: usize = {
    let (mut n, mut at) = (0, 0);
    while at < N_FEATURES {
        n += match Feature::ALL[at].scale() {
            Scale::Plain => 1,
            Scale::Compared => 3,
        };
        at += 1;
    }
    n
};

/// One file in the comparison.
pub type Columns = [i32; N_COLUMNS];

/// The whole, in thousandths.
const WHOLE: i64 = 1000;

/// The feature of each column, and what of it the column holds.
pub fn columns() -> impl Iterator<Item = (Feature, &'static str)> {
    Feature::ALL.iter().flat_map(|&feature| {
        let parts: &[&str] = match feature.scale() {
            Scale::Plain => &[""],
            Scale::Compared => &["", "of the greatest", "rank"],
        };
        parts.iter().map(move |part| (feature, *part))
    })
}

/// The column that holds a feature as it is.
pub const fn column_of(feature: Feature) -> usize {
    let (mut column, mut at) = (0, 0);
    while at < feature as usize {
        column += match Feature::ALL[at].scale() {
            Scale::Plain => 1,
            Scale::Compared => 3,
        };
        at += 1;
    }
    column
}

/// A feature of a file as it is.
pub const fn value(file: &Columns, feature: Feature) -> i32 {
    file[column_of(feature)]
}

/// Counts up where a feature gets another meaning and keeps its name.
const VERSION: &str = "2\n";

/// A number that is another one where columns have other names, another order or, by `VERSION`, another meaning (FNV-1a of the version and the names,
/// each with a line feed): trees hold for the columns that they were fitted to.
pub fn columns_hash() -> u64 {
    let names = columns().map(|(feature, part)| format!("{} {part}", feature.name()).trim_end().to_owned() + "\n");
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    std::iter::once(VERSION.to_owned()).chain(names).fold(0xcbf2_9ce4_8422_2325, |hash, name| name.bytes().fold(hash, step))
}

/// Puts files beside each other: each feature as it is, and those that are compared also as thousandths of the greatest and as the rank, the
/// logarithm to base 2 of one more than the number of files that have more, in thousandths.
pub fn compare(files: &[(NodeId, Features)]) -> Vec<(NodeId, Columns)> {
    let mut compared: Vec<(NodeId, Columns)> = files.iter().map(|(node, _)| (*node, [0; N_COLUMNS])).collect();
    let mut at = 0;
    for (feature, number) in Feature::ALL.iter().zip(0..) {
        let values = || files.iter().map(move |(_, features)| features[number]);
        for ((_, columns), value) in compared.iter_mut().zip(values()) {
            columns[at] = value;
        }
        at += 1;
        if feature.scale() == Scale::Compared {
            let greatest = i64::from(values().max().unwrap_or_default().max(1));
            // Most files have nothing of most features.
            let mut descending: Vec<i32> = values().filter(|value| *value > 0).collect();
            descending.sort_unstable_by_key(|value| std::cmp::Reverse(*value));
            for ((_, columns), value) in compared.iter_mut().zip(values()) {
                columns[at] = (i64::from(value) * WHOLE / greatest) as i32;
                let n_more = descending.partition_point(|other| *other > value);
                columns[at + 1] = log2(n_more as u64 + 1) as i32;
            }
            at += 2;
        }
    }
    compared
}

/// The logarithm to base 2 in thousandths, straight lines between the powers of two: monotone and the same everywhere.
pub fn log2(n: u64) -> u64 {
    let n = n.max(1);
    let power = n.ilog2();
    let rest = (u128::from(n - (1 << power)) * WHOLE as u128) >> power;
    u64::from(power) * WHOLE as u64 + rest as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_stands_as_it_is_beside_the_greatest_and_by_rank() {
        let file = |evidence: i32, failure: i32| {
            let mut features = [0; N_FEATURES];
            features[Feature::Evidence as usize] = evidence;
            features[Feature::Failure as usize] = failure;
            features
        };
        let files = [(NodeId(3), file(500, 7)), (NodeId(5), file(2000, 0)), (NodeId(9), file(500, 0))];
        let compared = compare(&files);
        let of = |feature: Feature| {
            let first = column_of(feature);
            let n = if feature.scale() == Scale::Compared { 3 } else { 1 };
            compared.iter().map(|(_, columns)| columns[first..first + n].to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(of(Feature::Evidence), [[500, 250, 1000], [2000, 1000, 0], [500, 250, 1000]]);
        assert_eq!(of(Feature::Failure), [[7], [0], [0]]);
        assert_eq!(columns().count(), N_COLUMNS);
    }
}
