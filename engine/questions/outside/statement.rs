//! The statements of a file that import something or pass it on, and what they do with a name.

/// The most lines of one statement.
const MAX_LINES: usize = 200;

/// How such statements begin.
const STARTS: [&str; 5] = ["import ", "import{", "export ", "export{", "pub "];

/// Those of them that may go on behind a bracket.
const LISTS: [&str; 6] = ["import", "export {", "export{", "export type {", "export *", "pub use "];

/// The statements of a text that import or pass on, each on one line.
pub(super) fn statements<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<String> {
    let lines: Vec<&str> = lines.map(str::trim).collect();
    let starts = |line: &str| STARTS.iter().any(|start| line.starts_with(start));
    let statement = |at: usize| {
        let mut text = String::new();
        for line in lines.iter().skip(at).take(MAX_LINES) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(line);
            // Of a definition only the head is read.
            let is_list = LISTS.iter().any(|start| text.starts_with(start));
            if !is_list || text.matches('{').count() <= text.matches('}').count() {
                break;
            }
        }
        text
    };
    (0..lines.len()).filter(|at| starts(lines[*at])).map(statement).collect()
}

/// The name under which a statement passes on another: the one behind `as`, else itself.
pub(super) fn passed_as(statement: &str, name: &str) -> Option<String> {
    let words: Vec<&str> = words(statement).collect();
    let at = words.iter().position(|word| *word == name)?;
    let alias = words.get(at + 2).filter(|_| words.get(at + 1) == Some(&"as"));
    Some((*alias.unwrap_or(&name)).to_owned())
}

/// The name behind `* as` of a statement that passes on all, `name` where there is none.
pub(super) fn all_as(statement: &str, name: &str) -> Option<String> {
    let (_, behind) = statement.split_once('*')?;
    let mut words = words(behind);
    let alias = if words.next() == Some("as") { words.next() } else { None };
    Some(alias.unwrap_or(name).to_owned())
}

/// Whether a statement has a word.
pub(super) fn has_word(statement: &str, word: &str) -> bool {
    words(statement).any(|other| other == word)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}
