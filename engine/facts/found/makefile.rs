//! Makefiles: the targets that people call.
//!
//! Reads form only, line by line: must not expand variables, nor follow what is included.

use super::lines::{joined, said, shortened};
use super::places::{of_command, of_prose};
use super::{MAX_DESCRIPTION, Tool, is_plain_name};
use rustc_hash::{FxHashMap, FxHashSet};

/// Commands of a recipe in which places are looked for.
const MAX_COMMANDS: usize = 12;

/// Words that start a line that neither is a rule nor ends one.
const DIRECTIVES: [&str; 13] = [
    "-include", "else", "endif", "export", "ifdef", "ifeq", "ifndef", "ifneq", "include", "override", "sinclude", "unexport",
    "vpath",
];

/// Commands that only say something.
const SAYING: [&str; 5] = ["echo", "printf", "#", ":", "true"];

/// A target with what belongs to it.
#[derive(Default)]
struct Target {
    line: u32,
    comment: String,
    needs: String,
    commands: Vec<String>,
}

/// The targets that can be called by a plain name: no patterns, no files in folders, nothing that only makes other rules run.
pub(super) fn tools(text: &str) -> Vec<Tool> {
    let mut reader = Reader::default();
    for (number, line) in joined(text) {
        reader.read(number, &line);
    }
    let Reader { targets, phony, .. } = reader;
    targets.into_iter().filter_map(|(name, target)| tool(name, target, &phony)).collect()
}

#[derive(Default)]
struct Reader {
    targets: Vec<(String, Target)>,
    by_name: FxHashMap<String, usize>,
    phony: FxHashSet<String>,
    /// The targets of the rule that is open, by place.
    open: Vec<usize>,
    /// The lines of the comment above.
    comment: Vec<String>,
    is_in_define: bool,
}

impl Reader {
    fn read(&mut self, number: u32, line: &str) {
        let trimmed = line.trim();
        let first = trimmed.split_whitespace().next().unwrap_or_default();
        if self.is_in_define {
            self.is_in_define = first != "endef";
        } else if line.starts_with('\t') && !self.open.is_empty() {
            self.add_command(trimmed);
        } else if let Some(comment) = trimmed.strip_prefix('#') {
            // `##@ Title` is a heading of the listed targets, not a word about the next one.
            if !comment.starts_with("#@") {
                self.comment.push(comment.to_owned());
            }
        } else if first == "define" {
            self.is_in_define = true;
            self.comment.clear();
        } else if trimmed.is_empty() || DIRECTIVES.contains(&first) {
            self.comment.clear();
        } else {
            self.read_rule(number, trimmed);
        }
    }

    fn read_rule(&mut self, number: u32, line: &str) {
        let Some((names, rest)) = rule(line) else {
            // A value belongs to no rule, and neither does what comes behind it.
            self.comment.clear();
            self.open.clear();
            return;
        };
        if names.trim() == ".PHONY" {
            // It may stand between a comment and its target.
            self.phony.extend(rest.split_whitespace().filter(|name| is_plain_name(name)).map(str::to_owned));
            return;
        }
        let (rest, inline) = rest.split_once("##").unwrap_or((rest, ""));
        let rest = rest.split_once(" #").map_or(rest, |(rest, _)| rest);
        let (needs, command) = rest.split_once(';').unwrap_or((rest, ""));
        let comment =
            if inline.is_empty() { said(self.comment.iter().map(String::as_str)) } else { said(std::iter::once(inline)) };
        self.comment.clear();
        self.open.clear();
        if sets_value(needs) || needs.contains('%') {
            return;
        }
        for name in names.split_whitespace().filter(|name| is_plain_name(name) && !name.contains('/')) {
            let place = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
                self.targets.push((name.to_owned(), Target { line: number, ..Target::default() }));
                self.targets.len() - 1
            });
            let Some((_, target)) = self.targets.get_mut(place) else { continue };
            if target.comment.is_empty() {
                target.comment.clone_from(&comment);
            }
            if target.needs.is_empty() {
                needs.trim().clone_into(&mut target.needs);
            }
            self.open.push(place);
        }
        self.add_command(command.trim());
    }

    fn add_command(&mut self, command: &str) {
        let command = command.trim_start_matches(['@', '-', '+', ' ', '\t']);
        let says = SAYING.iter().any(|saying| {
            command.strip_prefix(saying).is_some_and(|rest| *saying == "#" || !rest.starts_with(char::is_alphanumeric))
        });
        if command.is_empty() || says {
            return;
        }
        // What many targets share is kept once for each, so that only a few are filled.
        for place in self.open.iter().take(MAX_COMMANDS) {
            if let Some((_, target)) = self.targets.get_mut(*place).filter(|(_, target)| target.commands.len() < MAX_COMMANDS) {
                target.commands.push(command.to_owned());
            }
        }
    }
}

/// The targets of a rule and what stands behind its colon; nothing for a line that sets a value.
fn rule(line: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, letter) in line.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            '=' | '#' if depth == 0 => return None,
            ':' if depth == 0 => {
                let rest = line[at..].trim_start_matches(':');
                return (!rest.starts_with('=')).then_some((&line[..at], rest));
            }
            _ => {}
        }
    }
    None
}

/// Whether what stands behind the colon of a rule sets a value for its targets: `lint: FLAGS += -v`.
fn sets_value(needs: &str) -> bool {
    needs.split_once('=').is_some_and(|(front, _)| {
        let name = front.trim_end_matches([':', '?', '+', '!', ' ']);
        let name = name.trim().rsplit(char::is_whitespace).next().unwrap_or_default();
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    })
}

fn tool(name: String, target: Target, phony: &FxHashSet<String>) -> Option<Tool> {
    let Target { line, comment, needs, commands } = target;
    let is_file = name.contains('.') && !phony.contains(&name);
    // A name alone makes other rules run.
    let is_empty = comment.is_empty() && needs.is_empty() && commands.is_empty();
    if is_file || is_empty {
        return None;
    }
    let description = [comment.as_str(), commands.first().map_or("", String::as_str), needs.as_str()];
    let description = description.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    let places = of_command(commands.iter().map(String::as_str), of_prose(&comment));
    let (call, description) = (format!("make {name}"), shortened(description, MAX_DESCRIPTION));
    Some(Tool { name, call, description, line, places, ..Tool::default() })
}
