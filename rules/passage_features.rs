//! The features by which passages are compared: what is known of a passage for a task, each as one integer with its unit and where it comes from.
//!
//! The only place that names them. Who fills them in is `context`; `activate eval --passages` writes them, and `benches/train` weighs them.

use crate::columns::features;

features! {
    /// What is known of a passage for a task.
    pub enum PassageFeature, "2" {
        /// What the cues say together, in thousandths of a point.
        Points = "points", Compared;
        /// The cue `named`, in thousandths.
        Named = "named", Plain;
        /// The cue `definition`, in thousandths: the rank score of the definition.
        Definition = "definition", Compared;
        /// The cue `calls`, in thousandths.
        Calls = "calls", Plain;
        /// The cue `history`, in thousandths.
        History = "history", Compared;
        /// The cue `role`, in thousandths.
        Role = "role", Plain;
        /// BM25F over passages, in thousandths.
        Words = "words", Compared;
        /// The rarity of the words that stand in it, in thousandths of a nat.
        Coverage = "coverage", Compared;
        /// The rarity of those that stand in names of its definitions.
        NameCoverage = "name coverage", Compared;
        /// The rarity of the rarest.
        Rarest = "rarest", Compared;
        /// How many words stand in it.
        Terms = "terms", Compared;
        /// The place of its file among the likely ones, from 1.
        FilePlace = "file place", Plain;
        /// The log odds that the task changes its file, in ten-thousandths of a nat above -10 nats; 0 where nothing is known.
        FileOdds = "file odds", Compared;
        /// The rank score of its file, in millionths.
        FileRank = "file rank", Compared;
        /// The score of its file, in thousandths of a point.
        FileScore = "file score", Compared;
        /// How many passages its file has.
        FilePassages = "file passages", Plain;
        /// How many of them are compared.
        FileCandidates = "file candidates", Plain;
        /// The part of the words of all passages of its file that it has, in thousandths.
        FileShare = "file share", Plain;
        /// What the words say of it as thousandths of the best passage of its file.
        FileBest = "file best", Plain;
        /// Its place by points among those of its file that are compared, from 1.
        PlaceInFile = "place in file", Plain;
        /// The same by words; 0 where it has none.
        PlaceByWords = "place by words", Plain;
        /// Where it stands in its file: its first line, in thousandths of all lines.
        Position = "position", Plain;
        /// BM25F of the passage before it in its file, in thousandths.
        Before = "before", Compared;
        /// BM25F of the passage after it.
        After = "after", Compared;
        /// 1 where it opens its file: imports and what stands above them.
        Head = "head", Plain;
        /// What its definition is: 0 none, 1 a function, 2 a method, 3 a type, 4 an interface, 5 another name for a type, 6 a constant, 7 a
        /// variable, 8 a module, 9 a macro, 10 a test.
        Kind = "kind", Plain;
        /// 1 where its definition may be used from outside.
        Exported = "exported", Plain;
        /// How many definitions begin in it.
        Definitions = "definitions", Plain;
        /// How many of them words speak for.
        DefinitionsNamed = "definitions named", Plain;
        /// What words say of its definition, in thousandths of a point.
        Evidence = "evidence", Compared;
        /// Independent energy that arrives at its definition over links, in millionths.
        Support = "support", Compared;
        /// The score of its definition, in thousandths of a point.
        Score = "score", Compared;
        /// 1 where its definition begins in it, and 0 where it is a later part.
        Begins = "begins", Plain;
        /// Lines of its definition.
        DefinitionLines = "definition lines", Plain;
        /// The logarithm of the links by which others use its definition, of its first 200 links, in thousandths.
        Used = "used", Compared;
        /// The logarithm of the links by which it uses others, of the same.
        Uses = "uses", Compared;
        /// The most points of a compared passage whose definition uses its own, in thousandths of a point.
        UserPoints = "user points", Compared;
        /// The most points of a compared passage whose definition its own uses.
        UsedPoints = "used points", Compared;
        /// The most points of another compared passage of its definition.
        PartPoints = "part points", Compared;
        /// Its lines.
        Lines = "lines", Plain;
        /// Bytes of a line in the mean.
        LineBytes = "line bytes", Plain;
        /// The logarithm of the lines of its file, in thousandths.
        FileLines = "file lines", Plain;
        /// 1 in a file of tests.
        Test = "test", Plain;
        /// 1 in a file whose language is not understood.
        Text = "text", Plain;
        /// How many words the task has.
        TaskWords = "task words", Plain;
        /// The logarithm of the bytes of the task, in thousandths.
        TaskBytes = "task bytes", Plain;
        /// How many nodes the task names.
        TaskTargets = "task targets", Plain;
        /// How many passages are compared.
        Candidates = "candidates", Plain;
        /// How many files they stand in.
        CandidateFiles = "candidate files", Plain;
    }
}

/// The log odds from which [`PassageFeature::FileOdds`] counts.
pub const LEAST_ODDS: i64 = -100_000;
