//! Justfiles: the recipes that people call.
//!
//! Reads form only, line by line: must not expand variables, nor follow what is imported.

use super::lines::{joined, said, shortened};
use super::places::{of_command, of_prose};
use super::{MAX_DESCRIPTION, Tool, is_plain_name};

/// Commands of a recipe in which places are looked for.
const MAX_COMMANDS: usize = 12;

/// Commands that only say something.
const SAYING: [&str; 3] = ["echo ", "printf ", "#"];

/// Marks of the ends of texts that go over several lines.
const LONG_TEXTS: [&str; 3] = ["'''", "\"\"\"", "```"];

/// A recipe with what belongs to it.
struct Recipe {
    name: String,
    parameters: String,
    line: u32,
    comment: String,
    commands: Vec<String>,
}

/// The recipes, private ones apart.
pub(super) fn tools(text: &str) -> Vec<Tool> {
    let mut recipes: Vec<Recipe> = Vec::new();
    let mut comment: Vec<String> = Vec::new();
    let (mut document, mut is_private) = (None, false);
    let (mut is_open, mut is_shown, mut text_end) = (false, false, None);
    for (number, line) in joined(text) {
        if let Some(end) = text_end {
            text_end = Some(end).filter(|end| !line.contains(end));
            continue;
        }
        let trimmed = line.trim();
        if line.starts_with([' ', '\t']) || trimmed.is_empty() {
            let recipe = recipes.last_mut().filter(|_| is_open && is_shown && !trimmed.is_empty());
            if let Some(recipe) = recipe.filter(|recipe| recipe.commands.len() < MAX_COMMANDS) {
                let command = trimmed.trim_start_matches(['@', '-']);
                recipe.commands.extend((!SAYING.iter().any(|saying| command.starts_with(saying))).then(|| command.to_owned()));
            }
            if trimmed.is_empty() {
                comment.clear();
            }
            continue;
        }
        is_open = false;
        if let Some(said) = trimmed.strip_prefix('#') {
            comment.push(said.to_owned());
        } else if let Some(attribute) = trimmed.strip_prefix('[') {
            is_private |= attribute.contains("private");
            document = document.or_else(|| attribute_text(attribute));
        } else {
            if let Some((name, parameters)) = header(trimmed) {
                is_open = true;
                is_shown = !is_private && !name.starts_with('_');
                if is_shown {
                    let comment = document.take().unwrap_or_else(|| said(comment.iter().map(String::as_str)));
                    let (name, parameters) = (name.to_owned(), parameters.to_owned());
                    recipes.push(Recipe { name, parameters, line: number, comment, commands: Vec::new() });
                }
            } else {
                text_end = LONG_TEXTS.into_iter().find(|end| trimmed.matches(end).count() == 1);
            }
            (document, is_private) = (None, false);
            comment.clear();
        }
    }
    recipes.into_iter().map(tool).collect()
}

/// The text of `[doc('text')]`.
fn attribute_text(attribute: &str) -> Option<String> {
    let (_, rest) = attribute.split_once("doc(").or_else(|| attribute.split_once("doc:"))?;
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    rest[1..].split_once(quote).map(|(text, _)| text.to_owned())
}

/// Name and parameters of the line that starts a recipe; nothing for settings, values and aliases.
fn header(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix('@').unwrap_or(line);
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, ':') => {
                let front = line[..at].trim();
                let (name, parameters) = front.split_once(char::is_whitespace).unwrap_or((front, ""));
                let is_value = line[at..].starts_with(":=") || parameters.trim_start().starts_with('=');
                let is_recipe = !is_value && is_plain_name(name) && !name.contains(['.', '/', '+']);
                return is_recipe.then_some((name, parameters.trim()));
            }
            (_, _) => {}
        }
    }
    None
}

fn tool(recipe: Recipe) -> Tool {
    let Recipe { name, parameters, line, comment, commands } = recipe;
    let first = commands.first().map_or("", String::as_str);
    let description = shortened(if comment.is_empty() { first } else { &comment }, MAX_DESCRIPTION);
    let places = of_command(commands.iter().map(String::as_str), of_prose(&comment));
    let parameters = shortened(&parameters, MAX_DESCRIPTION);
    Tool { call: format!("just {name}"), name, parameters, description, line, places, ..Tool::default() }
}
