//! What a `Cargo.toml` says of the library of its package.

use toml::{Table, Value};

/// The path of the library from the folder of the manifest on; none where others do not get the package. `root` is the manifest that it may
/// inherit from.
pub(super) fn library(manifest: &str, root: impl FnOnce() -> Option<String>) -> Option<String> {
    let manifest: Table = toml::from_str(manifest).ok()?;
    let said = manifest.get("package").and_then(|package| package.get("publish"));
    let is_inherited = said.and_then(|said| said.get("workspace")).and_then(Value::as_bool) == Some(true);
    let root: Option<Table> = if is_inherited { root().and_then(|text| toml::from_str(&text).ok()) } else { None };
    let inherited = root.as_ref().and_then(|root| root.get("workspace")?.get("package")?.get("publish"));
    if is_kept(if is_inherited { inherited } else { said }) {
        return None;
    }
    let path = manifest.get("lib").and_then(|library| library.get("path")).and_then(Value::as_str).unwrap_or("src/lib.rs");
    Some(path.trim_start_matches("./").to_owned())
}

/// Whether `publish` names nobody who gets the package.
fn is_kept(publish: Option<&Value>) -> bool {
    match publish {
        Some(Value::Boolean(is_given)) => !is_given,
        Some(Value::Array(registries)) => registries.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::library;

    #[test]
    fn a_manifest_says_where_its_library_is_and_whether_others_get_it() {
        let of = |manifest: &str, root: &str| library(manifest, || Some(root.to_owned()));
        let usual = Some("src/lib.rs".to_owned());
        let kept = "[workspace.package]\npublish = false # internal\n";
        assert_eq!(of("[package]\nname = \"m\"\n", kept), usual);
        assert_eq!(of("[package]\npublish = [\"ours\"]\n", kept), usual);
        assert_eq!(of("[lib]\npath = \"./src/api.rs\" # x\n", kept), Some("src/api.rs".to_owned()));
        for publish in
            ["publish = false # internal", "publish = [\n]", "publish = { workspace = true }", "publish.workspace = true"]
        {
            assert_eq!(of(&format!("[package]\n{publish}\n"), kept), None, "{publish}");
        }
        assert_eq!(of("[package]\npublish.workspace = true\n", "[workspace]\n"), usual);
        for text in ["[package".to_owned(), "a.".repeat(100_000) + "a = 1\n", format!("a = {}", "[".repeat(100_000))] {
            assert_eq!(of(&text, kept), None);
        }
    }
}
