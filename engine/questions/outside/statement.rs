//! The statements of a file that import something or pass it on, and what they do with a name.

use activate_grammars::scope::ModuleModel;
use std::collections::BTreeSet;

/// The most lines of one statement.
const MAX_LINES: usize = 200;

/// How such statements begin.
const STARTS: [&str; 5] = ["import ", "import{", "export ", "export{", "pub "];

/// Those of them that may go on behind a bracket.
const LISTS: [&str; 6] = ["import", "export {", "export{", "export type {", "export *", "pub use "];

/// The statements of a text that import or pass on, each on one line. No line is in two of them.
pub(super) fn statements<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut lines = lines.map(str::trim).peekable();
    let starts = |line: &str| STARTS.iter().any(|start| line.starts_with(start));
    let opened = |line: &str| line.matches('{').count() as i64 - line.matches('}').count() as i64;
    let mut all = Vec::new();
    while let Some(first) = lines.next() {
        if !starts(first) {
            continue;
        }
        let mut text = first.to_owned();
        // Of a definition only the head is read.
        let is_list = LISTS.iter().any(|start| first.starts_with(start));
        let (mut n_open, mut n_lines) = (opened(first), 1);
        while is_list && n_open > 0 && n_lines < MAX_LINES {
            let Some(line) = lines.next_if(|line| !starts(line)) else { break };
            text.push(' ');
            text.push_str(line);
            n_open += opened(line);
            n_lines += 1;
        }
        all.push(text);
    }
    all
}

/// The name under which a file with these statements passes on a name of a module that it imports.
pub(super) fn passes(all: &[String], module: &str, name: &str, model: ModuleModel) -> Option<String> {
    let is_name = |word: &str| word == name;
    let leads = |said: &str| match said.split_once(" from ") {
        Some((_, path)) => module_of(path.trim_matches([' ', ';', '"', '\''])) == module,
        None => model == ModuleModel::Tree && has_word(said, module),
    };
    let mut leading = all.iter().filter(|said| leads(said));
    if model == ModuleModel::Tree {
        return leading.find_map(|said| match said.strip_prefix("pub mod ") {
            Some(child) => has_word(child, module).then(|| name.to_owned()),
            None => said.strip_prefix("pub use ").and_then(|rest| passed_as(rest, is_name).or_else(|| all_as(rest, name))),
        });
    }
    // What is imported under a name and exported by another statement.
    let mut locals: BTreeSet<String> = BTreeSet::new();
    for said in leading {
        let (clause, _) = said.split_once(" from ").unwrap_or((said, ""));
        let local = passed_as(clause, is_name).or_else(|| all_as(clause, name));
        if said.starts_with("export") {
            if local.is_some() {
                return local;
            }
            continue;
        }
        let default = clause.strip_prefix("import ").and_then(|rest| rest.split([' ', ',', '{']).next()).map(str::to_owned);
        locals.extend(local.or(default));
    }
    let exports = all.iter().filter(|said| said.starts_with("export") && !said.contains(" from "));
    let mut clauses = exports.filter(|said| ["{", "default", "="].iter().any(|start| said[6..].trim_start().starts_with(start)));
    clauses.find_map(|said| passed_as(said, |word| locals.contains(word)))
}

/// The name of the module that a file is, by its path: that of its folder where its own says nothing.
pub(super) fn module_of(path: &str) -> &str {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match name.split('.').next().unwrap_or(name) {
        "mod" | "index" | "lib" => folder.rsplit('/').next().unwrap_or(folder),
        stem => stem,
    }
}

/// The name under which a statement passes on the first that is meant: the one behind `as`, else itself.
fn passed_as(statement: &str, is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let mut words = words(statement);
    let name = words.find(|word| is_meant(word))?;
    let alias = if words.next() == Some("as") { words.next() } else { None };
    Some(alias.unwrap_or(name).to_owned())
}

/// The name behind `* as` of a statement that passes on all, `name` where there is none.
fn all_as(statement: &str, name: &str) -> Option<String> {
    let (_, behind) = statement.split_once('*')?;
    let mut words = words(behind);
    let alias = if words.next() == Some("as") { words.next() } else { None };
    Some(alias.unwrap_or(name).to_owned())
}

/// Whether a statement has a word.
fn has_word(statement: &str, word: &str) -> bool {
    words(statement).any(|other| other == word)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_in_one_statement() {
        let of = |text: &str| statements(text.lines());
        assert_eq!(
            of("import {\n  a,\n} from \"./a\";\nlet x;\npub fn f() {\n}\n"),
            ["import { a, } from \"./a\";", "pub fn f() {"]
        );
        for text in ["import { aaaaaaaaaa\n".repeat(50_000), "import {\n".to_owned() + &"a,\n".repeat(50_000)] {
            assert!(of(&text).iter().map(String::len).sum::<usize>() <= text.len());
        }
        // What stands open does not take the statement behind it.
        assert_eq!(of("import { a\nexport * from \"./b\";\n").len(), 2);
    }

    #[test]
    fn a_name_is_passed_on_by_an_export_of_its_own_or_of_what_was_imported() {
        let of = |text: &str| passes(&statements(text.lines()), "a", "f", ModuleModel::File);
        assert_eq!(of("export { f as g } from \"./a\";").as_deref(), Some("g"));
        assert_eq!(of("import { f as h } from \"./a\";\nexport { h as g };").as_deref(), Some("g"));
        assert_eq!(of("import { f } from \"./a\";\nexport { other };"), None);
        // Exports are gone through once, however many imports there are.
        let both = |n: u32| format!("import {{ f as f{n} }} from \"./a\";\nexport {{ g{n} }};\n");
        let many = (0..20_000).map(both).collect::<Vec<_>>().concat();
        assert_eq!(of(&many), None);
    }
}
