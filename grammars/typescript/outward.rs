//! What packages of npm need of others, and the names by which others import their modules.

use super::packages::DEPENDENCY_FIELDS;
use crate::project::{MAX_NAME, join};
use serde_json::Value;
use std::collections::BTreeMap;

/// Modules that come with the runtime, in the order of the letters.
const RUNTIME: [&str; 41] = [
    "assert",
    "async_hooks",
    "buffer",
    "bun",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "worker_threads",
    "zlib",
];

/// Endings of modules that imports may write.
const WRITTEN_ENDINGS: [&str; 3] = [".js", ".mjs", ".cjs"];

/// What a manifest asks for under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dependency {
    /// The name that imports have for it.
    pub(super) local: String,
    /// Its name in the registry.
    pub(super) name: String,
    pub(super) requirement: String,
    /// Whether it comes from a folder of the repository.
    pub(super) is_local: bool,
    pub(super) line: u32,
}

impl Dependency {
    /// All that a `package.json` asks for.
    pub(super) fn all(folder: &str, value: &Value, text: &str) -> Vec<Self> {
        let lines = lines(text);
        let listed = DEPENDENCY_FIELDS.iter().filter_map(|field| value.get(*field)?.as_object()).flatten();
        let asked = |(local, wanted): (&String, &Value)| {
            let wanted = wanted.as_str()?;
            let line = lines.get(local.as_str()).copied().unwrap_or(1);
            let (name, requirement, is_local) = match wanted.split_once(':') {
                Some(("npm", real)) => {
                    // The first sign may begin a scope.
                    let at = real.get(1..).and_then(|rest| rest.find('@')).map_or(real.len(), |at| at + 1);
                    (&real[..at], real[at..].trim_start_matches('@'), false)
                }
                Some(("workspace", rest)) => (local.as_str(), rest, true),
                Some(("file" | "link" | "portal", path)) => (local.as_str(), wanted, join(folder, path).is_some()),
                _ => (local.as_str(), wanted, false),
            };
            if name.len() > MAX_NAME {
                return None;
            }
            Some(Self { local: local.clone(), name: name.to_owned(), requirement: requirement.to_owned(), is_local, line })
        };
        listed.filter_map(asked).collect()
    }
}

/// The lines on which keys stand in the objects that list dependencies.
fn lines(text: &str) -> BTreeMap<&str, u32> {
    let mut found = BTreeMap::new();
    let mut is_inside = false;
    for (number, line) in (1..).zip(text.lines()) {
        let Some((key, rest)) = line.trim().strip_prefix('"').and_then(|line| line.split_once('"')) else {
            is_inside &= !line.contains('}');
            continue;
        };
        if DEPENDENCY_FIELDS.contains(&key) && rest.contains('{') {
            is_inside = !rest.contains('}');
        } else if is_inside {
            found.entry(key).or_insert(number);
        }
    }
    found
}

/// Whether a module comes with the runtime.
pub(super) fn is_of_runtime(specifier: &str) -> bool {
    let first = specifier.split('/').next().unwrap_or(specifier);
    specifier.contains(':') || RUNTIME.binary_search(&first).is_ok()
}

/// The name of a module as all write it: without the ending of what is built.
pub(super) fn plain(specifier: &str) -> &str {
    WRITTEN_ENDINGS
        .iter()
        .find_map(|ending| specifier.strip_suffix(ending))
        .filter(|name| name.contains('/'))
        .unwrap_or(specifier)
}
