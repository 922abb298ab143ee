//! Cargo: aliases in its settings, and the program of a repository's own tasks.

use super::lines::{comment_above, shortened};
use super::places::{of_command, of_prose};
use super::{MAX_DESCRIPTION, Tool, is_plain_name};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The part of the settings that is looked at.
#[derive(Deserialize)]
struct Settings {
    #[serde(default)]
    alias: BTreeMap<Spanned<String>, Words>,
}

/// What an alias stands for.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Line(String),
    List(Vec<String>),
    /// What cargo would refuse.
    Other(serde::de::IgnoredAny),
}

/// The part of the manifest of tasks that is looked at.
#[derive(Deserialize)]
struct Manifest {
    package: Option<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    description: Option<String>,
}

/// The name of the package and of the tool.
pub(super) const XTASK: &str = "xtask";

/// The aliases, in the order of the file.
pub(super) fn aliases(text: &str) -> Vec<Tool> {
    let Ok(settings) = toml::from_str::<Settings>(text) else { return Vec::new() };
    let lines: Vec<&str> = text.lines().collect();
    let mut aliases: Vec<_> = settings.alias.iter().collect();
    aliases.sort_by_key(|(name, _)| name.span().start);
    let mut line = Counter { text, at: 0, line: 1 };
    let tools = aliases.into_iter().filter_map(|(name, words)| {
        let line = line.of(name.span().start);
        let name = name.get_ref();
        let words = match words {
            Words::Line(line) => line.clone(),
            Words::List(words) => words.join(" "),
            Words::Other(_) => return None,
        };
        if !is_plain_name(name) || words.trim().is_empty() {
            return None;
        }
        let (comment, command) = (comment_above(&lines, line), format!("cargo {words}"));
        Some(Tool {
            name: name.clone(),
            call: format!("cargo {name}"),
            description: shortened(if comment.is_empty() { &command } else { &comment }, MAX_DESCRIPTION),
            line,
            places: of_command(std::iter::once(command.as_str()), of_prose(&comment)),
            ..Tool::default()
        })
    });
    tools.collect()
}

/// The program of tasks. Which tasks it has stands in its code.
pub(super) fn xtask(text: &str) -> Vec<Tool> {
    let package = toml::from_str::<Manifest>(text).ok().and_then(|manifest| manifest.package);
    let Some(package) = package.filter(|package| package.name == XTASK) else { return Vec::new() };
    let description = package.description.unwrap_or_else(|| "tasks of this repository".to_owned());
    let line = text.lines().position(|line| line.trim_start().starts_with("[package]")).map_or(1, |place| place as u32 + 1);
    let description = shortened(&description, MAX_DESCRIPTION);
    // The alias that makes it shorter is a tool of its own.
    vec![Tool { name: XTASK.to_owned(), call: format!("cargo run --package {XTASK} --"), description, line, ..Tool::default() }]
}

/// Finds the lines of places in a text, each behind the one before.
struct Counter<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl Counter<'_> {
    fn of(&mut self, place: usize) -> u32 {
        self.line += self.text.get(self.at..place).unwrap_or_default().matches('\n').count() as u32;
        self.at = place;
        self.line
    }
}
