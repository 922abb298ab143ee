//! Whether a worker gets a file beyond its packet: what activation from the packet's files finds close is granted, what is far is not.

use super::audit::Received;
use super::derived::Derived;
use super::json::{self, Json};
use super::owning::patterns;
use super::slices::Facts as _;
use context::activation::Activated;
use context::{NodeId, Tier};
use index::base::FactBase;
use redact::{Masker, Redacted, Safe};
use repo::RepoPath;
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the form below.
pub const SCHEMA: &str = "activate.worker-permit.v1";
/// The most things that are named to be used instead.
const MAX_INSTEAD: usize = 5;
/// The most symbols that are named to be used instead.
const MAX_NEAR: usize = 2;
/// The most names of a slot that are repeated.
const MAX_NAMES: usize = 20;

/// What a worker writes around a path to ask for it.
const MARK: (&str, &str) = ("<<NEXUS_PERMISSION_REQUEST:", ">>");

/// The answer to a request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct AccessRequest {
    /// Name and version of this form: `activate.worker-permit.v1`.
    pub schema: &'static str,
    /// The file that was asked for.
    #[schemars(with = "String")]
    pub path: Safe,
    /// Whether the worker may read it. It may never write it.
    pub granted: bool,
    /// Why, or why not.
    #[schemars(with = "String")]
    pub reason: Safe,
    /// The file's text, where it is granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub content: Option<Safe>,
    /// What to use instead, where it is denied: slots of the packet, and symbols by `path#name`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default, with = "Vec<String>")]
    pub use_instead: Vec<Safe>,
    /// That requests show that the task's list is incomplete, for whoever plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub sign: Option<Safe>,
}

/// The path of a request, with or without the marks of a worker's message, in the one spelling that the repository has for it: `./a//b` is
/// `a/b`. What leads out stays as it is.
pub fn path_of(request: &str) -> String {
    let request = request.trim();
    let path = request.strip_prefix(MARK.0).and_then(|rest| rest.strip_suffix(MARK.1)).map_or(request, str::trim);
    if path.starts_with('/') {
        return path.to_owned();
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    parts.join("/")
}

/// What is asked for activation: the paths of the packet's files, or where none exists yet, of the files that it uses.
pub fn intent(packet: &Received, base: &FactBase) -> String {
    let exists = |path: &&str| base.file_at(path).is_some();
    let own: Vec<&str> = packet.files.iter().map(RepoPath::as_str).filter(exists).collect();
    if !own.is_empty() {
        return own.join("\n");
    }
    let used = packet.packet.get("dependencySymbols").map(Json::fields).unwrap_or_default();
    let tests = packet.packet.get("testsSlice").map(Json::texts).unwrap_or_default();
    let around: Vec<&str> = used.iter().map(|(path, _)| path.as_str()).chain(tests).filter(exists).collect();
    around.join("\n")
}

impl AccessRequest {
    /// A permit that is denied with a reason.
    pub fn denied(masker: &Masker, path: &str, reason: Safe) -> Self {
        Self {
            schema: SCHEMA,
            path: masker.name(path),
            granted: false,
            reason,
            content: None,
            use_instead: Vec::new(),
            sign: None,
        }
    }

    /// The same with the text of the file.
    #[must_use]
    pub fn with(self, text: &Redacted) -> Self {
        Self { content: Some(json::all(text)), ..self }
    }

    /// Decides about a file of the repository. What is granted has no content yet.
    pub fn decide(masker: &Masker, packet: &Received, file: NodeId, base: &FactBase, activation: &Activated) -> Self {
        let path = base.path(file);
        let granted = |reason: Safe| Self { granted: true, ..Self::denied(masker, path, reason) };
        if packet.files.iter().any(|own| own.as_str() == path) {
            return granted(Safe::fixed("it is one of the packet's own files: this is its text now"));
        }
        let derived = Derived::new(base);
        let user = packet.files.iter().find(|own| derived.imports_of(own.as_str()).iter().any(|used| used == path));
        if let Some(user) = user {
            return granted(Safe::format("{} imports or uses it", &[&masker.name(user.as_str())]));
        }
        let active = activation.files.iter().find(|active| active.node == file);
        if active.is_some_and(|active| active.tier == Tier::Hot) {
            return granted(Safe::fixed("activation from the packet's files finds it hot"));
        }
        let reason = Safe::fixed(match active {
            Some(_) => "no file of the packet imports it, and activation from them finds it warm, not hot",
            None => "no file of the packet imports it, and activation from them does not reach it",
        });
        Self { use_instead: instead(masker, packet, path, base, activation), ..Self::denied(masker, path, reason) }
    }

    /// One JSON object, indented, with a line feed at the end.
    pub fn json(&self) -> String {
        context::packet::json(self)
    }
}

/// What of the packet speaks for a file, then the symbols closest to the packet's files.
fn instead(masker: &Masker, packet: &Received, path: &str, base: &FactBase, activation: &Activated) -> Vec<Safe> {
    let slot = |name: &str| packet.packet.get(name);
    let mut found = Vec::new();
    if let Some(names) = slot("dependencySymbols").and_then(|symbols| symbols.get(path)) {
        let names: Vec<Safe> = names.texts().into_iter().take(MAX_NAMES).map(|name| masker.name(name)).collect();
        found.push(Safe::format("dependencySymbols: {}", &[&Safe::join(&names, ", ")]));
    }
    let modules = slot("architectureSlice").and_then(|slice| slice.get("modules")).map(Json::items).unwrap_or_default();
    if modules.iter().any(|module| patterns(None, module).iter().any(|pattern| pattern.covers(path).is_some())) {
        found.push(Safe::fixed("architectureSlice: the module that owns it, with what it exports"));
    }
    if slot("contractsSlice").and_then(|slice| slice.get("contracts")).is_some_and(|list| !list.items().is_empty()) {
        found.push(Safe::fixed("contractsSlice: what the packet's files promise and are promised"));
    }
    let own = |node: NodeId| packet.files.iter().any(|own| own.as_str() == base.path(node));
    let near = activation.symbols.iter().map(|active| active.node).filter(|node| !own(*node));
    found.extend(near.take(MAX_NEAR).map(|node| Safe::format("nearest symbol: {}", &[&masker.name(&base.id(node))])));
    let n_used = slot("dependencySymbols").map_or(0, |symbols| symbols.fields().len());
    if n_used > 0 {
        found.push(Safe::format("dependencySymbols: what {} files that are used give", &[&Safe::number(n_used as i64)]));
    }
    found.push(Safe::fixed("filesContent: what the packet's own files show"));
    found.truncate(MAX_INSTEAD);
    found
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn a_request_is_a_path_or_the_message_of_a_worker() {
        for request in ["src/a.ts", " src/a.ts\n", "<<NEXUS_PERMISSION_REQUEST: src/a.ts>>"] {
            assert_eq!(path_of(request), "src/a.ts");
        }
        for (request, path) in [
            ("./src/a.ts", "src/a.ts"),
            ("././src//./a.ts", "src/a.ts"),
            ("<<NEXUS_PERMISSION_REQUEST: ./src/a.ts>>", "src/a.ts"),
            ("./../a.ts", "../a.ts"),
            ("src/../a.ts", "src/../a.ts"),
            ("/./etc", "/./etc"),
            (".hidden/a", ".hidden/a"),
            ("./", ""),
        ] {
            assert_eq!(path_of(request), path);
        }
    }
}
