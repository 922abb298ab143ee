//! How the tests of a file are run: the command of its language, as far as manifests prove that it exists.
//!
//! Manifests are read through the view, as any file. Must not know which tests matter, nor how tests are named.

use super::View;
use activate_rules::atoms::NodeId;

/// How the tests of one file or package are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The folder to run in, empty for the root.
    pub(super) folder: String,
    /// The command, up to where tests are named.
    pub(super) command: String,
    /// How it takes the names of tests.
    pub(super) names: Names,
}

/// How a command takes the names of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// `-run '^(A|B)$'`, levels of subtests between slashes.
    GoPattern,
    /// Words after `--`.
    Words,
    /// One pattern behind this flag.
    Pattern(&'static str),
    /// Not at all.
    None,
}

/// Runners of JavaScript and TypeScript that run one file and tests by title, with how they are called and how they take titles.
const RUNNERS: [(&str, &str, &str); 3] =
    [("vitest", "npx vitest run", "-t"), ("jest", "npx jest", "-t"), ("mocha", "npx mocha", "-g")];

/// What a new package says instead of a test script.
const NO_SCRIPT: &str = "no test specified";

/// Tests of Go: by package.
pub(super) fn go(view: &View<'_>, file: NodeId) -> Option<Target> {
    let (folder, _) = manifests(view, file, "go.mod").next()?;
    let inner = within(view.base.path(file), &folder);
    let package = inner.rsplit_once('/').map_or_else(|| ".".to_owned(), |(package, _)| format!("./{package}"));
    Some(Target { folder, command: format!("go test {}", word(&package)), names: Names::GoPattern })
}

/// Tests of JavaScript and TypeScript: by the runner that a manifest depends on, else by the test script of one. A workspace often keeps
/// both at its root.
pub(super) fn script(view: &View<'_>, file: NodeId) -> Option<Target> {
    let mut by_script = None;
    for (folder, manifest) in manifests(view, file, "package.json") {
        let Some(manifest) = json(view, manifest) else { continue };
        let depends = |name: &str| ["devDependencies", "dependencies"].iter().any(|list| manifest[list].get(name).is_some());
        if let Some((_, call, flag)) = RUNNERS.iter().find(|(name, ..)| depends(name)) {
            let path = word(within(view.base.path(file), &folder));
            return Some(Target { folder, command: format!("{call} {path}"), names: Names::Pattern(flag) });
        }
        let Some(script) = manifest["scripts"]["test"].as_str().filter(|script| !script.contains(NO_SCRIPT)) else { continue };
        by_script.get_or_insert_with(|| Target { folder, command: "npm test".to_owned(), names: Names::None });
        // A script that calls a runner has it from a folder above; any other is the only way to run these tests.
        if !RUNNERS.iter().any(|(name, ..)| script.contains(name)) {
            break;
        }
    }
    by_script
}

/// Tests of Rust: by package and target.
pub(super) fn rust(view: &View<'_>, file: NodeId) -> Option<Target> {
    let (folder, manifest) = manifests(view, file, "Cargo.toml").next()?;
    let manifest = table(view, manifest)?;
    let package = manifest.get("package")?.get("name")?.as_str()?;
    let kind = cargo_target(view, &folder, &manifest, within(view.base.path(file), &folder))?;
    // Within a package's own folder, Cargo finds a workspace around it by itself.
    let (folder, command) = if is_member(view, &folder) {
        (String::new(), format!("cargo test -p {} {kind}", word(package)))
    } else {
        (folder, format!("cargo test {kind}"))
    };
    Some(Target { folder, command, names: Names::Words })
}

/// The flag of the target that a file of a package belongs to: the one it is the root of, else the one whose root lies nearest above.
fn cargo_target(view: &View<'_>, folder: &str, manifest: &toml::Table, inner: &str) -> Option<String> {
    let package = manifest.get("package")?;
    let name = package.get("name")?.as_str()?;
    let exists = |path: &String| view.base.file_at(&join(folder, path)).is_some();
    let declared = |list: &str, path_of: &dyn Fn(&str) -> Vec<String>| -> Vec<(String, String)> {
        let targets = manifest.get(list).and_then(toml::Value::as_array).into_iter().flatten();
        let target = |target: &toml::Value| {
            let name = target.get("name")?.as_str()?;
            let path =
                target.get("path").and_then(toml::Value::as_str).map(|path| vec![path.trim_start_matches("./").to_owned()]);
            Some((format!("--{list} {}", word(name)), path.unwrap_or_else(|| path_of(name)).into_iter().find(exists)?))
        };
        targets.filter_map(target).collect()
    };
    // What Cargo finds without being told: every file of a folder, and every folder in it with a root of its own.
    let found = |list: &str, above: &str| -> Option<(String, String)> {
        if package.get(format!("auto{list}s")).and_then(toml::Value::as_bool) == Some(false) {
            return None;
        }
        let (name, path) = match inner.strip_prefix(above)?.split_once('/') {
            Some((folder, _)) => (folder, format!("{above}{folder}/main.rs")),
            None => (inner.strip_prefix(above)?.strip_suffix(".rs")?, inner.to_owned()),
        };
        exists(&path).then(|| (format!("--{list} {}", word(name)), path))
    };
    let library = manifest.get("lib").and_then(|lib| lib.get("path")?.as_str()).unwrap_or("src/lib.rs").to_owned();
    let binary = "src/main.rs".to_owned();
    let mut roots = declared("test", &|name| vec![format!("tests/{name}.rs"), format!("tests/{name}/main.rs")]);
    roots.extend(found("test", "tests/"));
    roots.extend(Some(("--lib".to_owned(), library)).filter(|(_, path)| exists(path)));
    roots.extend(declared("bin", &|name| vec![format!("src/bin/{name}.rs"), format!("src/bin/{name}/main.rs"), binary.clone()]));
    roots.extend(found("bin", "src/bin/"));
    roots.extend(Some((format!("--bin {}", word(name)), binary.clone())).filter(|(_, path)| exists(path)));
    let root = roots.iter().find(|(_, path)| path == inner);
    // Of two in one folder the first: modules beside a library are the library's more often than the binary's.
    let above =
        roots.iter().rev().filter(|(_, path)| inner.starts_with(folder_of(path))).max_by_key(|(_, path)| folder_of(path).len());
    let is_shared = inner.starts_with("tests/");
    root.or(above).map(|(flag, _)| flag.clone()).or_else(|| is_shared.then(|| "--tests".to_owned()))
}

/// Whether a package is surely a member of the workspace at the root of the repository.
fn is_member(view: &View<'_>, folder: &str) -> bool {
    if folder.is_empty() {
        return true;
    }
    let root = view.base.file_at("Cargo.toml").and_then(|manifest| table(view, manifest));
    let lists = |list: &str| -> bool {
        let patterns = root.as_ref().and_then(|root| root.get("workspace")?.get(list)?.as_array());
        let mut patterns = patterns.into_iter().flatten().filter_map(toml::Value::as_str);
        patterns.any(|pattern| matches(pattern, folder))
    };
    lists("members") && !lists("exclude")
}

/// Whether a folder is what a pattern such as `crates/*` names.
fn matches(pattern: &str, folder: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let folder: Vec<&str> = folder.split('/').collect();
    let part = |(pattern, name): (&&str, &&str)| match pattern.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => pattern == name,
    };
    pattern.len() == folder.len() && pattern.iter().zip(&folder).all(part)
}

/// The files of this name in the folder of `file` and in those above it, each with its folder, nearest first.
fn manifests<'a>(view: &'a View<'_>, file: NodeId, name: &'a str) -> impl Iterator<Item = (String, NodeId)> + 'a {
    let above = |folder: &&'a str| (!folder.is_empty()).then(|| folder.rsplit_once('/').map_or("", |(above, _)| above));
    let folders = std::iter::successors(above(&view.base.path(file)), above);
    folders.filter_map(move |folder| Some((folder.to_owned(), view.base.file_at(&join(folder, name))?)))
}

fn json(view: &View<'_>, manifest: NodeId) -> Option<serde_json::Value> {
    serde_json::from_str(view.text(manifest)?.as_str()).ok()
}

fn table(view: &View<'_>, manifest: NodeId) -> Option<toml::Table> {
    view.text(manifest)?.as_str().parse().ok()
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The folder of a path with its slash; empty at the top.
fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// The path of a file from a folder above it.
fn within<'a>(path: &'a str, folder: &str) -> &'a str {
    path.strip_prefix(folder).map_or(path, |rest| rest.trim_start_matches('/'))
}

/// A word for a shell: as it is where it means itself, else in quotes. It never reads as a flag.
pub(super) fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '@' | '+' | ':' | ',');
    let text = if text.starts_with('-') { format!("./{text}") } else { text.to_owned() };
    if !text.is_empty() && text.chars().all(is_plain) { text } else { quoted(&text) }
}

/// A text in quotes for a shell.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_themselves_to_a_shell() {
        assert_eq!(word("internal/auth"), "internal/auth");
        assert_eq!(word("it's; rm -rf $HOME"), r"'it'\''s; rm -rf $HOME'");
        assert_eq!(word("--help"), "./--help");
        assert_eq!(word(""), "''");
    }

    #[test]
    fn members_are_named_part_by_part() {
        for (pattern, folder, is_named) in [
            ("crates/*", "crates/a", true),
            ("./crates/a/", "crates/a", true),
            ("crates/*", "crates/a/b", false),
            ("crates/*-sys", "crates/z-sys", true),
            ("aa*a", "aa", false),
            ("*", "crates/a", false),
        ] {
            assert_eq!(matches(pattern, folder), is_named, "{pattern} {folder}");
        }
    }
}
