//! The numbers of reading a task: how strongly names, paths, words and commits speak, before the policy weighs the cue.

use crate::atoms::Thousandths;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

weights! {
    /// How strongly what a text says speaks for nodes. Fractions are in thousandths. Those without a measurement are first values.
    pub struct ReadingWeights {
        /// What words of each kind of block count.
        blocks: BlockWeights = BlockWeights::default(),
        /// How sure a name is.
        names: NameWeights = NameWeights::default(),
        /// What words say of files and definitions.
        words: WordWeights = WordWeights::default(),
        /// How words of a query count against each other.
        query: QueryWeights = QueryWeights::default(),
        /// What commits say.
        history: HistoryWeights = HistoryWeights::default(),
        /// From where on a file is data and not code.
        data: DataWeights = DataWeights::default(),
        /// From where on words alone are called clear.
        clear: ClearWeights = ClearWeights::default(),
    }
}

weights! {
    /// What words of each kind of block count, as a fraction of those of a title. On 136 issue texts of eight repositories these were as good as
    /// any within noise; what a program or a form says counted as much as a sentence cost .02 of the mean reciprocal rank (2026-11-23).
    pub struct BlockWeights {
        /// The first line, or a line that says it is the title.
        title: Thousandths = Thousandths::ONE,
        /// A heading of a form.
        heading: Thousandths = Thousandths::new(700),
        /// Sentences.
        prose: Thousandths = Thousandths::new(800),
        /// Code and commands: they use what is asked about, beside much else.
        code: Thousandths = Thousandths::new(500),
        /// Output of programs and diffs: they say what happened in words of any program.
        output: Thousandths = Thousandths::new(300),
    }
}

weights! {
    /// How sure it is that a name means a definition.
    pub struct NameWeights {
        /// What each outer frame of a stack loses against the one inside it: the innermost comes first, all stay hot.
        frame_step: Thousandths = Thousandths::new(50),
        /// The least share of a frame.
        frame_least: Thousandths = Thousandths::new(500),
        /// A name that is found only when case and separators are ignored.
        but_for_case: Thousandths = Thousandths::new(900),
        /// A definition that only other words of the text pick among several.
        picked: Thousandths = Thousandths::new(900),
        /// A name behind something of which nothing is known, a variable or a field: any type may have a member of that name.
        unknown_qualifier: Thousandths = Thousandths::new(800),
        /// A type whose member its file does not have: one that is to be written, or a chance name.
        new_member: Thousandths = Thousandths::new(800),
        /// What is left of a name where a scope names folders and no definition of that name is in them.
        out_of_scope: Thousandths = Thousandths::new(800),
        /// A plain word that is the name of a definition: names are often ordinary words.
        plain: Thousandths = Thousandths::new(500),
        /// A word of several parts that is the name of a definition.
        compound: Thousandths = Thousandths::new(900),
    }
}

weights! {
    /// What words say of files by their paths, and of definitions by their names.
    pub struct WordWeights {
        /// The words of a file's name, when the text has all of them.
        stem: Thousandths = Thousandths::new(600),
        /// A part of the words of a file's name, before the part.
        part_of_stem: Thousandths = Thousandths::new(300),
        /// The name of a folder, for a file in it.
        folder: Thousandths = Thousandths::new(300),
        /// The part of a definition's strength that does not depend on how well its file fits.
        own_symbol: Thousandths = Thousandths::new(500),
        /// What words say of a type or the like, as a fraction of what they say of a function.
        part_of_type: Thousandths = Thousandths::new(800),
        /// What words say of a constant, variable or module, as a fraction of what they say of a function.
        part_of_value: Thousandths = Thousandths::new(500),
        /// The least strength of a hit that is kept: weaker ones change no score.
        least: Thousandths = Thousandths::new(50),
        /// The rarity below which a word of a long text says nothing of where: of 60 files at least 41 have it, of 400 at least 220.
        everywhere: Thousandths = Thousandths::new(100),
        /// Words of a text from which on it says so much that a single word of it says little: more than subjects of commits have, fewer than
        /// most reports.
        long_text: u32 = 40,
    }
}

weights! {
    /// How words of a query count against each other, as a fraction of a plain word.
    pub struct QueryWeights {
        /// A name of several parts, whole: whoever writes one means it.
        whole: u32 = 1500,
        /// One part of a name: what is near when the whole name is not there.
        part: u32 = 500,
        /// Two neighbouring words read as one name, so that "skip logs" finds `SkipLogs`: as good as a word, and much rarer. On 300 changes of
        /// 15 repositories worth 0.01 of the mean reciprocal rank against leaving pairs out, and half of that at half the weight (2026-11-21).
        pair: u32 = 1000,
    }
}

weights! {
    /// What commits say of files.
    pub struct HistoryWeights {
        /// What a word in the subject of a commit counts, where one in its body counts 1000: the body tells how it came about.
        subject: u32 = 2000,
        /// The age at which a commit counts half, in days before the newest one.
        half_age_days: u32 = 365,
        /// The number of commits since its last change at which a file is half as recent as the one changed last.
        recent_commits: u32 = 20,
        /// What a recent change still says for a file beside a long text: the more is said, the less has to be guessed. On 58 issue texts of three
        /// repositories the whole put the best file lower (mean reciprocal rank .704) than a half (.721) (2026-11-23).
        recent_beside_long: Thousandths = Thousandths::new(500),
        /// The fewest commits that touched both of two files for that to be no accident.
        least_co_changes: u32 = 2,
        /// How many times more often than by chance two files must have changed together.
        least_lift: u32 = 2,
        /// The number of commits of a file of which one at least touched the other too: what is rarer says nothing.
        most_apart: u32 = 8,
    }
}

weights! {
    /// From where on a file is data and not code.
    pub struct DataWeights {
        /// The part of its words that stand in strings: code has under a third, messages of errors and all.
        literals: Thousandths = Thousandths::new(650),
        /// The part of its lines up to which functions may have them: one that looks something up. What defines the options of a program in a
        /// function is code, full of strings as it is.
        functions: Thousandths = Thousandths::new(200),
        /// Fewest words in strings: a short list is code like other code.
        least_words: u32 = 60,
    }
}

weights! {
    /// From where on words alone are called clear. Measured with the subjects of 883 past commits of seven repositories, without their history
    /// (2026-11): with these the commit had changed the first file in 89 of 100 answers that were called clear; without the last four in 63.
    pub struct ClearWeights {
        /// The part of the words that the first file must have.
        coverage: Thousandths = Thousandths::new(600),
        /// How far the second file must be behind the first, as a fraction of the first.
        margin: Thousandths = Thousandths::new(250),
        /// Informative words that the first file must have: one may be a chance hit, two agree on something.
        words: u32 = 2,
        /// The rarity from which a word is informative: of 100 files at most 16 have it, of 1,000 at most 63.
        informative: Thousandths = Thousandths::new(400),
        /// The evidence that the first file must have: the best text always has the whole weight of its cue, 450, so that a name, a path, a folder
        /// or the history has to say the same.
        evidence: Thousandths = Thousandths::new(600),
    }
}

impl NameWeights {
    /// How sure a name must be to be taken for what is meant: it may differ in case and be picked among several.
    pub const fn sure(&self) -> u32 {
        self.but_for_case.get() * self.picked.get() / Thousandths::ONE.get()
    }
}
