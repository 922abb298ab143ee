//! Relations that only questions in Datalog have: files by language and role, who changed with whom, and what a task or its answer adds.

use super::given::Given;
use super::names::ROLES;
use activate_rules::atoms::NodeId;
use index::base::{FactBase, FileFlags};
use index::text::{Field, Form, for_each_word};
use query::{Column, Flow, Relation, Value, Words};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Those that every repository has; they stand behind those of the table.
pub(crate) const OF_REPOSITORY: [Relation; 5] = [
    Relation {
        name: "node",
        columns: &[Column::node("node")],
        says: "(file, symbol or external package): everything that has a name",
    },
    Relation {
        name: "file",
        columns: &[Column::node("file"), Column::word("language"), Column::word("role")],
        says: "(file, /language or /none, /role): every file; the first role that fits of /binary, /generated, /vendored, /test, /example, /document, /code",
    },
    Relation {
        name: "changed_with",
        columns: &[Column::node("file"), Column::node("other"), Column::number("commits")],
        says: "(file, file, commits): so many past commits touched both, without those that touched very many; either way round",
    },
    Relation {
        name: "mentions",
        columns: &[Column::node("file"), Column::node("symbol")],
        says: "(file, symbol): prose, a comment or a text in the file has the name of the symbol, which has several parts (`LoadConfig`, `load_config`) and is defined in another file",
    },
    Relation {
        name: "gone",
        columns: &[Column::node("file")],
        says: "(file): past commits or changes name it, and it is not there",
    },
];

/// The place of each of [`OF_REPOSITORY`].
pub(crate) const NODE: usize = 0;
pub(crate) const FILE: usize = 1;
pub(crate) const CHANGED_WITH: usize = 2;
pub(crate) const MENTIONS: usize = 3;
pub(crate) const GONE: usize = 4;

/// The fewest characters of a name that is looked for in texts: shorter ones are words of everything.
const MIN_NAME: usize = 4;

/// What a task is, for rules that take part in its answer.
#[derive(Debug, Clone, Default)]
pub struct Task {
    /// Its words, in small letters.
    pub words: Vec<String>,
    /// What is to be done: `fix`.
    pub verb: &'static str,
    /// Places that it names, with their shares in thousandths.
    pub targets: Vec<(NodeId, u32)>,
    /// Places of what fails, with what it is: `error`, `warning`, `note`, `test`, `frame`.
    pub fails: Vec<(NodeId, &'static str)>,
}

/// What an answer is, for questions about it.
#[derive(Debug, Clone, Default)]
pub struct Answered {
    /// Where activation starts, with the cause and the energy in points.
    pub seeds: Vec<(NodeId, &'static str, i32)>,
    /// The score of what was reached, in points.
    pub scores: Vec<(NodeId, i32)>,
    /// `hot` or `warm`, for what is.
    pub tiers: Vec<(NodeId, &'static str)>,
    /// What the packet shows: its section, what kind of entry it is, and the node it is about.
    pub placed: Vec<(&'static str, &'static str, NodeId)>,
}

/// The relations of a task.
pub(crate) const OF_TASK: [Relation; 4] = [
    Relation { name: "intent_word", columns: &[Column::text("word")], says: "(\"word\"): a word of the task, in small letters" },
    Relation { name: "verb", columns: &[Column::word("verb")], says: "(/verb): what is to be done: /fix, /add and so on" },
    Relation {
        name: "target",
        columns: &[Column::node("node"), Column::number("share")],
        says: "(file or symbol, thousandths): what the task names; k definitions of one name share 1,000",
    },
    Relation {
        name: "fails",
        columns: &[Column::node("node"), Column::word("kind")],
        says: "(file or symbol, /error, /warning, /note, /test or /frame): where something fails, by what tools say",
    },
];

/// Says what columns of heads must be, and has no row; no program can write its name.
pub const HEAD_TYPES: Relation = Relation {
    name: "what heads take",
    columns: &[
        Column::number("strength, points or thousandths"),
        Column::word("kind, confidence or section"),
        Column::text("text"),
    ],
    says: "nothing",
};

/// The relations of an answer.
pub(crate) const OF_ANSWER: [Relation; 4] = [
    Relation {
        name: "seed",
        columns: &[Column::node("node"), Column::word("cause"), Column::number("points")],
        says: "(file or symbol, /cause, points): where activation starts",
    },
    Relation {
        name: "score",
        columns: &[Column::node("node"), Column::number("points")],
        says: "(file, symbol or package, points): how much it matters; an exact target has 100",
    },
    Relation { name: "tier", columns: &[Column::node("node"), Column::word("tier")], says: "(file or symbol, /hot or /warm)" },
    Relation {
        name: "placed",
        columns: &[Column::word("section"), Column::word("kind"), Column::node("node")],
        says: "(/section, /kind of entry, file or symbol): what the packet shows",
    },
];

/// Rows of relations that are not read where they lie.
pub(crate) type Rows = Vec<Vec<Value>>;

impl Task {
    /// The rows of [`OF_TASK`].
    pub(crate) fn rows(&self, words: &Words) -> [Rows; OF_TASK.len()] {
        [
            self.words.iter().map(|word| vec![words.id(word)]).collect(),
            vec![vec![words.id(self.verb)]],
            self.targets.iter().map(|(node, share)| vec![node.0, *share]).collect(),
            self.fails.iter().map(|(node, kind)| vec![node.0, words.id(kind)]).collect(),
        ]
    }
}

impl Answered {
    /// The rows of [`OF_ANSWER`].
    pub(crate) fn rows(&self, words: &Words) -> [Rows; OF_ANSWER.len()] {
        let number = |points: i32| points.cast_unsigned();
        [
            self.seeds.iter().map(|(node, cause, points)| vec![node.0, words.id(cause), number(*points)]).collect(),
            self.scores.iter().map(|(node, points)| vec![node.0, number(*points)]).collect(),
            self.tiers.iter().map(|(node, tier)| vec![node.0, words.id(tier)]).collect(),
            self.placed.iter().map(|(section, kind, node)| vec![words.id(section), words.id(kind), node.0]).collect(),
        ]
    }
}

/// The numbers of a few words that come again and again.
#[derive(Default)]
struct Numbered(Vec<(&'static str, Value)>);

impl Numbered {
    fn of(&mut self, word: &'static str, words: &Words) -> Value {
        if let Some((_, number)) = self.0.iter().find(|(known, _)| *known == word) {
            return *number;
        }
        let number = words.id(word);
        self.0.push((word, number));
        number
    }
}

/// The first role of a file.
fn role(base: &FactBase, file: NodeId) -> &'static str {
    use FileFlags as Flags;
    let flags = [Flags::BINARY, Flags::GENERATED, Flags::VENDORED, Flags::TEST, Flags::EXAMPLE, Flags::DOCUMENT];
    let of_file = base.flags(file);
    let place = flags.iter().position(|flag| of_file.has(*flag)).unwrap_or(flags.len());
    ROLES[place]
}

impl Given<'_> {
    /// The rows of `node`.
    pub(crate) fn nodes(&self, node: Option<Value>, give: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        let mut all = node.map_or(0..self.base.n_nodes(), |node| node..node.saturating_add(1));
        all.end = all.end.min(self.base.n_nodes());
        all.try_for_each(|node| give(&[node]))
    }

    /// The rows of `gone`.
    pub(crate) fn all_gone(&self, file: Option<Value>, give: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        if let Some(file) = file {
            // What names nothing is no node of the repository either.
            return if file >= self.base.n_nodes() { give(&[file]) } else { Flow::Continue(()) };
        }
        let changed = self.snapshot.changes.iter().map(|change| change.path.as_str());
        let touched = self.snapshot.past.commits.iter().flat_map(|commit| &commit.touched).map(|(path, _)| path.as_str());
        let paths: BTreeSet<&str> = changed.chain(touched).filter(|path| self.base.file_at(path).is_none()).collect();
        paths.into_iter().try_for_each(|path| give(&[self.gone(path)]))
    }

    /// The rows of `file`.
    pub(crate) fn files(&self, file: Option<Value>, give: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        let base = self.base;
        let (mut languages, mut roles) = (Numbered::default(), Numbered::default());
        let mut row = |file: NodeId| {
            let language = languages.of(base.language(file).unwrap_or("none"), self.words);
            give(&[file.0, language, roles.of(role(base, file), self.words)])
        };
        match file.map(NodeId) {
            Some(file) if base.is_file(file) => row(file),
            Some(_) => Flow::Continue(()),
            None => base.files().try_for_each(row),
        }
    }

    /// The rows of `mentions`.
    pub(crate) fn mentions(&self, bound: (Option<Value>, Option<Value>), give: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        let base = self.base;
        let Ok(index) = base.text() else { return Flow::Continue(()) };
        let is_prose = |file: NodeId| base.flags(file).has(FileFlags::DOCUMENT) || base.language(file).is_none();
        let mut of_symbol = |node: NodeId| {
            let Some(symbol) = base.symbol(node).filter(|symbol| symbol.name.len() >= MIN_NAME) else {
                return Flow::Continue(());
            };
            // The first word of a name of several parts is the name; a name of one part is a word of prose.
            let mut word = None;
            for_each_word(symbol.name.as_bytes(), |found, form| {
                word.get_or_insert_with(|| (form == Form::Whole).then(|| found.to_owned()));
            });
            let Some(word) = word.flatten() else { return Flow::Continue(()) };
            let mut found = index.lookup(&word).filter(|posting| {
                self.look_at(1);
                let (file, fields) = (NodeId(posting.doc), posting.fields());
                let is_said = [Field::Comment, Field::Literal, Field::Doc].iter().any(|field| fields.contains(*field));
                file != symbol.file && (is_said || fields.contains(Field::Body) && is_prose(file))
            });
            found.try_for_each(|posting| give(&[posting.doc, node.0]))
        };
        match bound.1 {
            Some(symbol) => of_symbol(NodeId(symbol)),
            None => (base.n_files()..base.n_files() + base.n_symbols()).map(NodeId).try_for_each(of_symbol),
        }
    }

    /// The rows of `changed_with`.
    pub(crate) fn changes(&self, bound: (Option<Value>, Option<Value>), give: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        let (base, past) = (self.base, &self.snapshot.past);
        // Once for each way round, by whichever side is known.
        let (known, is_turned) = match bound {
            (Some(file), _) => (file, false),
            (None, Some(other)) => (other, true),
            (None, None) => {
                let mut n_both: FxHashMap<(NodeId, NodeId), u32> = FxHashMap::default();
                for number in 0..past.commits.len() as u32 {
                    let files = past.touched(number).iter().filter_map(|(path, _)| base.file_at(path.as_str()));
                    let files: Vec<NodeId> = files.collect();
                    self.look_at((files.len() * files.len()) as u64);
                    for file in &files {
                        for other in files.iter().filter(|other| *other != file) {
                            *n_both.entry((*file, *other)).or_default() += 1;
                        }
                    }
                }
                let mut rows: Vec<_> = n_both.into_iter().collect();
                rows.sort_unstable();
                return rows.into_iter().try_for_each(|((file, other), n)| give(&[file.0, other.0, n]));
            }
        };
        if !base.is_file(NodeId(known)) {
            return Flow::Continue(());
        }
        let mut n_both: BTreeMap<NodeId, u32> = BTreeMap::new();
        for number in past.touching(base.path(NodeId(known))) {
            let files = past.touched(*number).iter().filter_map(|(path, _)| base.file_at(path.as_str()));
            files.filter(|file| file.0 != known).for_each(|file| *n_both.entry(file).or_default() += 1);
        }
        n_both
            .into_iter()
            .try_for_each(|(other, n)| if is_turned { give(&[other.0, known, n]) } else { give(&[known, other.0, n]) })
    }
}
