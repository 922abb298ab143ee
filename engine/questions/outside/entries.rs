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

/// The longest path of a file, in bytes.
const MAX_PATH: usize = 4_096;

/// The most folders of builds around a file.
const MAX_OUTPUT_FOLDERS: usize = 3;

/// The paths that the entries of a manifest may stand for, from its folder on.
pub(super) fn entries(manifest: &Value) -> impl Iterator<Item = String> {
    let mut open: Vec<&Value> = FIELDS.iter().filter_map(|field| manifest.get(*field)).collect();
    let mut targets: Vec<&str> = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            Value::String(target) if targets.len() < MAX_FILES && target.len() <= MAX_PATH => {
                targets.push(target.trim_start_matches("./"));
            }
            Value::Array(list) => open.extend(list),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    targets.into_iter().flat_map(sources)
}

/// A file and the sources that it may be built from.
fn sources(target: &str) -> Vec<String> {
    let mut paths = vec![target.to_owned()];
    let stem = BUILT_ENDINGS.iter().find_map(|ending| target.strip_suffix(ending)).unwrap_or(target);
    let mut rest = stem;
    for _ in 0..=MAX_OUTPUT_FOLDERS {
        for folder in ["", "src/"] {
            paths.extend(SOURCE_ENDINGS.iter().map(|ending| format!("{folder}{rest}{ending}")));
        }
        match rest.split_once('/') {
            Some((first, below)) if OUTPUT_FOLDERS.contains(&first) => rest = below,
            _ => break,
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_stands_for_few_paths_however_many_folders_it_has() {
        let of = |target: String| entries(&serde_json::json!({ "main": target })).collect::<Vec<_>>();
        assert!(of("./dist/esm/a.js".to_owned()).contains(&"src/a.ts".to_owned()));
        let many = of("dist/".repeat(800) + "x.js");
        assert_eq!(many.len(), 1 + (MAX_OUTPUT_FOLDERS + 1) * 2 * SOURCE_ENDINGS.len());
        assert!(of("dist/".repeat(20_000) + "x.js").is_empty());
    }
}
