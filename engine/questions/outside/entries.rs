//! The files that a `package.json` gives to others, as sources: what is built comes from a source of the same name.

use serde_json::Value;

/// Fields that name files for others.
const FIELDS: [&str; 7] = ["exports", "source", "types", "typings", "module", "main", "bin"];

/// Folders that builds write to.
const OUTPUT_FOLDERS: [&str; 9] = ["dist", "build", "lib", "out", "output", "esm", "cjs", "es", "types"];

/// Endings of files that builds write, longest first.
const BUILT_ENDINGS: [&str; 8] = [".d.mts", ".d.cts", ".d.ts", ".mjs", ".cjs", ".jsx", ".js", ".ts"];

/// Endings of sources.
const SOURCE_ENDINGS: [&str; 6] = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs"];

/// The most files that are read of one manifest.
const MAX_FILES: usize = 500;

/// The paths that the entries of a manifest may stand for, from its folder on.
pub(super) fn entries(manifest: &Value) -> Vec<String> {
    let mut open: Vec<&Value> = FIELDS.iter().filter_map(|field| manifest.get(*field)).collect();
    let mut paths: Vec<String> = Vec::new();
    let mut n_files = 0;
    while let Some(value) = open.pop() {
        match value {
            Value::String(target) if n_files < MAX_FILES => {
                n_files += 1;
                paths.extend(sources(target.trim_start_matches("./")));
            }
            Value::Array(list) => open.extend(list),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    paths
}

/// A file and the sources that it may be built from.
fn sources(target: &str) -> Vec<String> {
    let mut paths = vec![target.to_owned()];
    let stem = BUILT_ENDINGS.iter().find_map(|ending| target.strip_suffix(ending)).unwrap_or(target);
    let mut rest = stem;
    loop {
        for folder in ["", "src/"] {
            paths.extend(SOURCE_ENDINGS.iter().map(|ending| format!("{folder}{rest}{ending}")));
        }
        match rest.split_once('/') {
            Some((first, below)) if OUTPUT_FOLDERS.contains(&first) => rest = below,
            _ => return paths,
        }
    }
}
