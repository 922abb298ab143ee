//! What poms publish and ask for.

use super::pom::each_element;
use crate::project::{Need, Package, Registry};
use std::collections::BTreeMap;

/// Packages that come with the language.
const STANDARD: [&str; 4] = ["java", "jdk", "sun", "com.sun"];

/// What a pom says of artifacts.
#[derive(Debug, Default)]
pub(super) struct Artifacts {
    own: Coordinates,
    parent: Coordinates,
    properties: BTreeMap<String, String>,
    dependencies: Vec<Coordinates>,
}

#[derive(Debug, Default)]
struct Coordinates {
    group: String,
    artifact: String,
    version: String,
}

impl Artifacts {
    pub(super) fn read(text: &str) -> Self {
        let mut all = Self::default();
        each_element(text, &mut |path, text| {
            let set = |of: &mut Coordinates, key: &str| match key {
                "groupId" => text.clone_into(&mut of.group),
                "artifactId" => text.clone_into(&mut of.artifact),
                "version" => text.clone_into(&mut of.version),
                _ => {}
            };
            match path {
                ["project", "parent", key] => set(&mut all.parent, key),
                ["project", "properties", key] => drop(all.properties.insert((*key).to_owned(), text.to_owned())),
                ["project", "dependencies", "dependency", key] => {
                    // Each begins with its group, or with its name where that comes first.
                    let is_next = |last: &Coordinates| match *key {
                        "groupId" => !last.group.is_empty(),
                        "artifactId" => !last.artifact.is_empty(),
                        _ => false,
                    };
                    if all.dependencies.last().is_none_or(is_next) {
                        all.dependencies.push(Coordinates::default());
                    }
                    if let Some(last) = all.dependencies.last_mut() {
                        set(last, key);
                    }
                }
                ["project", key] => set(&mut all.own, key),
                _ => {}
            }
        });
        all
    }

    /// A text with the properties that it names, as far as they are written in the same pom.
    fn filled(&self, text: &str) -> String {
        let Some(name) = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) else { return text.to_owned() };
        match name {
            "project.groupId" | "pom.groupId" => self.group().to_owned(),
            "project.version" | "pom.version" | "version" => self.version().to_owned(),
            _ => self.properties.get(name).cloned().unwrap_or_else(|| text.to_owned()),
        }
    }

    fn group(&self) -> &str {
        if self.own.group.is_empty() { &self.parent.group } else { &self.own.group }
    }

    fn version(&self) -> &str {
        if self.own.version.is_empty() { &self.parent.version } else { &self.own.version }
    }

    pub(super) fn package(&self, folder: &str) -> Option<Package> {
        let version = self.filled(self.version());
        let is_known = !version.is_empty() && !version.contains('$');
        (!self.own.artifact.is_empty()).then(|| Package {
            registry: Registry::Maven,
            name: format!("{}:{}", self.group(), self.own.artifact),
            version: is_known.then_some(version),
            folder: folder.to_owned(),
        })
    }

    pub(super) fn needs(&self, folder: &str, text: &str, is_own: &dyn Fn(&str) -> bool) -> Vec<Need> {
        // What it asks for is written below its own name.
        let mut lines: BTreeMap<&str, u32> = BTreeMap::new();
        for (line, at) in text.lines().zip(1..) {
            let artifacts = line.split("<artifactId>").skip(1).filter_map(|rest| rest.split_once("</artifactId>"));
            lines.extend(artifacts.map(|(artifact, _)| (artifact, at)));
        }
        let line = |artifact: &str| lines.get(artifact).copied().unwrap_or(1);
        let need = |of: &Coordinates| {
            let name = format!("{}:{}", self.filled(&of.group), of.artifact);
            let is_local = is_own(&name);
            let (requirement, line) = (self.filled(&of.version), line(&of.artifact));
            Need { folder: folder.to_owned(), registry: Registry::Maven, name, requirement, is_local, line }
        };
        self.dependencies.iter().filter(|of| !of.artifact.is_empty()).map(need).collect()
    }
}

/// Whether a package comes with the language.
pub(super) fn is_standard(package: &str) -> bool {
    STANDARD.iter().any(|known| package.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}
