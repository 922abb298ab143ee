//! Makefiles: the targets that people call.
//!
//! Reads form only, line by line: must not expand variables, nor follow what is included.

use super::lines::{joined, said, shortened};
use super::places::{of_command, of_prose};
use super::{Found, MAX_DESCRIPTION, MAX_PER_FILE, Tool, is_plain_name};
use crate::shapes::beginning;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Commands of a recipe in which places are looked for.
const MAX_COMMANDS: usize = 12;

/// Bytes of the comment above a rule; far more than is shown of it.
const MAX_COMMENT_BYTES: usize = 2 << 10;

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
    comment: Rc<str>,
    needs: Rc<str>,
    commands: Vec<String>,
}

/// The targets that can be called by a plain name: no patterns, no files in folders, nothing that only makes other rules run.
pub(super) fn tools(text: &str) -> Found {
    let mut reader = Reader::default();
    for (number, line) in joined(text) {
        reader.read(number, &line);
    }
    let Reader { targets, phony, .. } = reader;
    let called: Vec<_> = targets.into_iter().filter(|(name, target)| is_called(name, target, &phony)).collect();
    let n_left_out = called.len().saturating_sub(MAX_PER_FILE);
    let tools = called.into_iter().take(MAX_PER_FILE).map(|(name, target)| tool(name, target)).collect();
    Found { tools, n_left_out, ..Found::default() }
}

#[derive(Default)]
struct Reader {
    targets: Vec<(String, Target)>,
    by_name: FxHashMap<String, usize>,
    phony: FxHashSet<String>,
    /// The targets of the rule that is open, by place.
    open: Vec<usize>,
    /// The first lines of the comment above.
    comment: String,
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
                let room = MAX_COMMENT_BYTES.saturating_sub(self.comment.len());
                self.comment.extend([beginning(comment, room), "\n"].into_iter().filter(|_| room > 0));
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
        // A rule may have very many names, which share what it says.
        let comment: Rc<str> = if inline.is_empty() { said(self.comment.lines()) } else { said(std::iter::once(inline)) }.into();
        self.comment.clear();
        self.open.clear();
        if sets_value(needs) || needs.contains('%') {
            return;
        }
        let needs: Rc<str> = needs.trim().into();
        for name in names.split_whitespace().filter(|name| is_plain_name(name) && !name.contains('/')) {
            let place = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
                self.targets.push((name.to_owned(), Target { line: number, ..Target::default() }));
                self.targets.len() - 1
            });
            let Some((_, target)) = self.targets.get_mut(place) else { continue };
            if target.comment.is_empty() {
                target.comment = Rc::clone(&comment);
            }
            if target.needs.is_empty() {
                target.needs = Rc::clone(&needs);
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

/// Whether people call a target: it makes no file, and does more than to make other rules run, as a name alone does.
fn is_called(name: &str, target: &Target, phony: &FxHashSet<String>) -> bool {
    let is_file = name.contains('.') && !phony.contains(name);
    let is_empty = target.comment.is_empty() && target.needs.is_empty() && target.commands.is_empty();
    !is_file && !is_empty
}

fn tool(name: String, target: Target) -> Tool {
    let Target { line, comment, needs, commands } = target;
    let description = [&*comment, commands.first().map_or("", String::as_str), &*needs];
    let description = description.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    let places = of_command(commands.iter().map(String::as_str), of_prose(&comment));
    let (call, description) = (format!("make {name}"), shortened(description, MAX_DESCRIPTION));
    Tool { name, call, description, line, places, ..Tool::default() }
}
