//! What may come next: relations, names, and within quotes files and symbols.

use super::{COMMANDS, Prompt};
use activate_rules::atoms::NodeId;
use index::base::Reach;
use query::{Facts as _, Flow, Type, Words};
use std::collections::BTreeSet;

/// The most that is offered.
const MAX_OFFERED: usize = 100;

/// Rows of a relation that are looked at for names.
const MAX_ROWS: usize = 2_000;

/// Words of the language that stand before a parenthesis or a relation.
const WORDS: [&str; 9] = ["not ", "starts_with(", "ends_with(", "includes(", "glob(", "count(", "min(", "max(", "sum("];

impl Prompt<'_> {
    /// What may stand from a place on, with that place, where `at` is the cursor.
    pub(super) fn complete(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let before = line.get(..at).unwrap_or(line);
        if let Some(begin) = open_quote(before) {
            return (begin, self.nodes(&before[begin..]));
        }
        let begin = before
            .rfind(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))
            .map_or(0, |sign| sign + before[sign..].chars().next().map_or(0, char::len_utf8));
        let word = &before[begin..];
        let sign = before[..begin].chars().next_back();
        if sign == Some('.') && before[..begin].trim() == "." && self.begun.is_empty() {
            let names = COMMANDS.iter().filter_map(|(name, _)| name.strip_prefix('.'));
            return (begin, names.filter(|name| name.starts_with(word)).map(ToOwned::to_owned).collect());
        }
        if sign == Some('/') {
            return (begin, self.names().iter().filter(|name| name.starts_with(word)).take(MAX_OFFERED).cloned().collect());
        }
        if word.starts_with(char::is_uppercase) {
            return (begin, Vec::new());
        }
        let words = Words::default();
        let given = self.about.given(self.snapshot, &words);
        let given = given.relations().iter().map(|relation| format!("{}(", relation.name));
        let derived = self.program.heads().map(|name| format!("{name}("));
        let offered: BTreeSet<String> = given.chain(derived).chain(WORDS.map(ToOwned::to_owned)).collect();
        (begin, offered.into_iter().filter(|name| name.starts_with(word)).take(MAX_OFFERED).collect())
    }

    /// Files up to their next folder, symbols of a file behind its `#`, and symbols by their names.
    fn nodes(&self, begun: &str) -> Vec<String> {
        let (base, masker) = (&self.snapshot.base, self.snapshot.masker());
        let mut nodes = BTreeSet::new();
        let in_file = begun.split_once('#').and_then(|(path, _)| base.file_at(path));
        let is_name = !begun.is_empty() && !begun.contains(['/', '#']);
        for file in base.files() {
            if nodes.len() >= MAX_OFFERED {
                break;
            }
            let path = base.path(file);
            if let Some(rest) = path.strip_prefix(begun) {
                let end = rest.find('/').map_or(path.len(), |at| begun.len() + at + 1);
                nodes.insert(path[..end].to_owned());
            }
            if is_name || in_file == Some(file) {
                for symbol in base.symbols_of(file).filter_map(|symbol| base.symbol(NodeId(symbol))) {
                    if is_name && symbol.name.starts_with(begun) {
                        nodes.insert(base.id(symbol.node));
                    } else if !is_name {
                        nodes.insert(base.id(symbol.node)).then_some(());
                    }
                }
            }
        }
        let is_offered = |name: &String| {
            let fits = is_name || name.starts_with(begun);
            fits && !name.contains(['"', '\\']) && masker.name(name).as_str() == name
        };
        nodes.into_iter().filter(is_offered).take(MAX_OFFERED).collect()
    }

    /// Names that the first rows of each relation have. Who reaches what is not looked up: that is a computation.
    fn names(&self) -> &[String] {
        self.names.get_or_init(|| {
            let words = Words::default();
            let given = self.about.given(self.snapshot, &words);
            let reach = [Reach::Direct, Reach::Transitive, Reach::AnyOf, Reach::NamedAfter, Reach::SamePackage];
            let mut names: BTreeSet<String> = reach.iter().map(|reach| reach.word().to_owned()).collect();
            for (at, relation) in given.relations().iter().enumerate() {
                let columns: Vec<usize> =
                    (0..relation.columns.len()).filter(|column| relation.columns[*column].of == Type::Name).collect();
                if columns.is_empty() || relation.name == "reaches" {
                    continue;
                }
                let mut n_rows = 0;
                let _ = given.rows(at, &vec![None; relation.columns.len()], &words, &mut |row| {
                    names.extend(columns.iter().map(|column| words.text(row[*column]).to_string()));
                    n_rows += 1;
                    if n_rows < MAX_ROWS { Flow::Continue(()) } else { Flow::Break(()) }
                });
            }
            names.into_iter().filter(|name| !name.is_empty()).collect()
        })
    }
}

/// Where a text begins that has no end yet.
fn open_quote(before: &str) -> Option<usize> {
    let (mut begin, mut is_escaped) = (None, false);
    for (at, letter) in before.char_indices() {
        match (letter, begin) {
            _ if is_escaped => is_escaped = false,
            ('\\', Some(_)) => is_escaped = true,
            ('"', None) => begin = Some(at + 1),
            ('"', Some(_)) => begin = None,
            _ => {}
        }
    }
    begin
}
