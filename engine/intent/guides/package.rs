//! `package.json`: its scripts, and which program runs them.

use super::lines::shortened;
use super::places::of_command;
use super::{Found, MAX_DESCRIPTION, MAX_PER_FILE, Tool, is_plain_name};
use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// What the program that runs scripts writes beside the manifest of a workspace, and how it is told to run one.
const LOCKS: [(&str, &str); 6] = [
    ("pnpm-lock.yaml", "pnpm run"),
    ("yarn.lock", "yarn run"),
    ("bun.lock", "bun run"),
    ("bun.lockb", "bun run"),
    ("package-lock.json", NPM),
    ("npm-shrinkwrap.json", NPM),
];

/// The program that comes with the language.
const NPM: &str = "npm run";

/// Scripts that programs call by themselves, when a package is installed or published.
const LIFECYCLE: [&str; 15] = [
    "dependencies",
    "install",
    "postinstall",
    "postpack",
    "postpublish",
    "postuninstall",
    "postversion",
    "preinstall",
    "prepack",
    "prepare",
    "prepublish",
    "prepublishOnly",
    "preuninstall",
    "preversion",
    "uninstall",
];

/// The parts of a manifest that are looked at.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Manifest {
    #[serde(rename = "packageManager")]
    package_manager: Text,
    scripts: Scripts,
}

/// A text, or nothing where something else stands.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Is(String),
    IsNot(IgnoredAny),
}

impl Default for Text {
    fn default() -> Self {
        Self::IsNot(IgnoredAny)
    }
}

/// Names and commands, in their order.
#[derive(Default)]
struct Scripts(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Scripts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Scripts;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("names with commands")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scripts, A::Error> {
                let mut scripts = Vec::new();
                while let Some((name, command)) = map.next_entry::<String, Text>()? {
                    if let Text::Is(command) = command {
                        scripts.push((name, command));
                    }
                }
                Ok(Scripts(scripts))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// The scripts that people call.
pub(super) fn tools(path: &str, text: &str, has_file: &dyn Fn(&str) -> bool) -> Found {
    let Ok(manifest) = serde_json::from_str::<Manifest>(text) else { return Found::default() };
    let scripts = &manifest.scripts.0;
    let names: FxHashSet<&str> = scripts.iter().map(|(name, _)| name.as_str()).collect();
    let is_called = |(name, command): &&(String, String)| {
        // A script `postbuild` runs whenever `build` does.
        let is_hook = ["pre", "post"].iter().any(|start| name.strip_prefix(start).is_some_and(|other| names.contains(other)));
        !is_hook && !LIFECYCLE.contains(&name.as_str()) && is_plain_name(name) && !command.trim().is_empty()
    };
    let program = program(&manifest.package_manager, path, has_file);
    let mut lines = Lines::new(text);
    let tool = |(name, command): &(String, String)| Tool {
        name: name.clone(),
        call: format!("{program} {name}"),
        description: shortened(command, MAX_DESCRIPTION),
        line: lines.of(name),
        places: of_command(std::iter::once(command.as_str()), Vec::new()),
        ..Tool::default()
    };
    let n_called = scripts.iter().filter(is_called).count();
    // A key written with an escape is looked for to the end of the text, so that only those that are kept are.
    let tools = scripts.iter().filter(is_called).take(MAX_PER_FILE).map(tool).collect();
    Found { tools, n_left_out: n_called.saturating_sub(MAX_PER_FILE), ..Found::default() }
}

/// What runs the scripts: what the manifest says, else whose lock file lies beside it or above.
fn program(said: &Text, path: &str, has_file: &dyn Fn(&str) -> bool) -> &'static str {
    if let Text::Is(said) = said {
        let name = said.split('@').next().unwrap_or_default();
        let known = ["pnpm run", "yarn run", "bun run", NPM].into_iter().find(|run| run.split(' ').next() == Some(name));
        if let Some(run) = known {
            return run;
        }
    }
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/').or_else(|| (!folder.is_empty()).then_some(("", folder))) {
        folder = above;
        let beside = |lock: &str| if folder.is_empty() { lock.to_owned() } else { format!("{folder}/{lock}") };
        if let Some((_, run)) = LOCKS.iter().find(|(lock, _)| has_file(&beside(lock))) {
            return run;
        }
    }
    NPM
}

/// Finds the lines of keys, each behind the one before.
struct Lines<'t> {
    text: &'t str,
    /// Where to go on, and the line there.
    at: usize,
    line: u32,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let mut lines = Self { text, at: 0, line: 1 };
        lines.of("scripts");
        lines
    }

    /// The line of the next key of this name; that of the last one where it is written in another way.
    fn of(&mut self, name: &str) -> u32 {
        let key = format!("\"{name}\"");
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_key = |at: &usize| rest[at + key.len()..].trim_start().starts_with(':');
        let place = rest.match_indices(&key).map(|(at, _)| at).find(is_key);
        #[cfg(test)]
        work::add(place.unwrap_or(rest.len()));
        if let Some(place) = place {
            self.line += rest[..place].matches('\n').count() as u32;
            self.at += place;
        }
        self.line
    }
}
