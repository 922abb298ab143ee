//! What a repository says in words to whoever works on it: the tools that it has, and hints on parts of its code.
//!
//! Text in, values out; all of it is the text of strangers, and whatever is wrong with it gives fewer values. Must not know disks, scores,
//! or which of it is shown.

mod find;

mod choose;
mod deeds;
mod items;
mod source;

mod cargo;
mod justfile;
mod makefile;
mod package;

mod hints;
mod markdown;

mod lines;
mod places;
mod resolve;

#[cfg(test)]
mod tests;

pub use choose::likely;
pub use find::find;
pub use items::{Content, FoundItem};
pub use source::is_source;

use choose::{Choice, choose};
use deeds::{deeds, deeds_in};
use items::{Items, items};
use source::Source;

use activate_grammars::run::{Naming, Runner};
use places::Place;

/// The most tools and hints that one file gives: more is not written by hand, and nobody reads it.
const MAX_PER_FILE: usize = 200;

/// Characters of the description of a tool.
const MAX_DESCRIPTION: usize = 120;

/// What one file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Found {
    /// Its tools, in its order.
    tools: Vec<Tool>,
    /// Its hints, in its order.
    hints: Vec<Hint>,
    /// How many more it has.
    n_left_out: usize,
}

/// A tool of the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tool {
    /// Its own name: `lint`.
    pub name: String,
    /// How it is called in its folder: `make lint`.
    pub call: String,
    /// What it can be given, as its file writes it; mostly nothing.
    pub parameters: String,
    /// The folder to call it in; empty for the root of the repository.
    pub folder: String,
    /// What it does: what a comment says, else its first command. May be empty.
    pub description: String,
    /// The line that defines it.
    pub line: u32,
    /// The places that its text names.
    places: Vec<Place>,
}

/// A hint on places of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// What it says, under what heading.
    pub text: String,
    /// Its first line.
    pub line: u32,
    /// The places that it names, at least one.
    places: Vec<Place>,
}

/// Tools that whoever changes code needs whatever the change is: they build it, check it, and bring its form and what is generated from it up
/// to date. Others, such as those that start, publish or delete something, are needed only by tasks about what they name. Names are compared in
/// small letters and without `-` and `_`.
const USUAL: [&str; 21] = [
    "build",
    "check",
    "clippy",
    "codegen",
    "compile",
    "fix",
    "fmt",
    "format",
    "gen",
    "generate",
    "lint",
    "style",
    "test",
    "tests",
    "tidy",
    "typecheck",
    "types",
    "unittest",
    "verify",
    "vet",
    "xtask",
];

impl Tool {
    /// Whether it installs, publishes or deletes something, by its name, and the task does not name that.
    fn is_out_of_place(&self, intent: &str) -> bool {
        let deeds = deeds(&self.name);
        !deeds.is_empty() && !deeds_in(intent).any(|named| deeds.contains(&named))
    }

    /// The whole command, for a shell at the root of the repository.
    pub fn command(&self) -> String {
        Runner { folder: self.folder.clone(), command: self.call.clone(), naming: Naming::Whole }.line("")
    }

    /// Whether its name is one of those that every change needs.
    fn is_usual(&self) -> bool {
        let name: String = self.name.chars().filter(|c| !matches!(c, '-' | '_')).collect();
        USUAL.contains(&name.to_ascii_lowercase().as_str())
    }
}

/// Reads a file. `has_file` tells whether the repository has a file: what runs the scripts of a package shows in the files beside it.
fn extract(source: Source, path: &str, text: &str, has_file: &dyn Fn(&str) -> bool) -> Found {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Found::default();
    match source {
        Source::Makefile => found = makefile::tools(text),
        Source::Justfile => found.tools = justfile::tools(text),
        Source::Package => found = package::tools(path, text, has_file),
        Source::CargoConfig => found.tools = cargo::aliases(text),
        Source::Xtask => found.tools = cargo::xtask(text),
        Source::Guide => found = hints::of_guide(text),
        Source::Decision => found = hints::of_decision(text),
    }
    let folder = source.scope(path);
    for tool in &mut found.tools {
        folder.clone_into(&mut tool.folder);
    }
    found.n_left_out += found.tools.len().saturating_sub(MAX_PER_FILE);
    found.tools.truncate(MAX_PER_FILE);
    found
}

/// Whether a name can stand in a command as it is: letters, digits and a few signs, no flag.
fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/' | '@' | '+');
    name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && name.chars().all(is_plain)
}
