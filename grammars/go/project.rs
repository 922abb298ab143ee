//! Go modules: `go.mod`, `go.work`, `replace` and `vendor` to folders.

use super::check::checks;
use crate::check::Check;
use crate::project::{
    Candidates, Importable, MAX_NAME, Manifest, Need, Package, Project, ProjectRules, Published, Registry, folder_of, is_below,
    join,
};
use crate::run::{Runner, TestFile};

pub(super) const RULES: ProjectRules = ProjectRules {
    is_manifest: |name| MODULE_FILES.contains(&name) || name == "go.work",
    runs_by: "a go.mod above it",
    vendored_in: &["vendor"],
    load,
};

/// Files that name a module, best first. `vendor.mod` is what projects without a `go.mod` of their own give to `-modfile`.
const MODULE_FILES: [&str; 2] = ["go.mod", "vendor.mod"];

/// A module of the repository.
#[derive(Debug)]
struct Module {
    /// Whether the go command knows it without being told.
    is_own: bool,
    /// Import path of its root package.
    path: String,
    /// Folder of its `go.mod`.
    folder: String,
    /// Import paths that it replaces by folders of the repository.
    replaces: Vec<(String, String)>,
    /// Import paths that its `require` lines name: what it takes from outside.
    requires: Vec<String>,
    /// What these lines say: module, version and line.
    needs: Vec<(String, String, u32)>,
    /// Modules that it takes others from outside for, and these, with their versions.
    others: Vec<(String, String, String)>,
}

#[derive(Debug, Default)]
struct GoProject {
    /// Longest folder first, so that the first that holds a file is the innermost.
    modules: Vec<Module>,
    /// Folders that `go.work` joins: modules that see each other.
    workspace: Vec<String>,
    /// Folders of `go.work` files.
    workspaces: Vec<String>,
}

fn load(manifests: &[Manifest<'_>], _: &dyn Fn(&str) -> bool) -> Box<dyn Project> {
    let mut project = GoProject::default();
    for manifest in manifests {
        let folder = folder_of(manifest.path).to_owned();
        // Manifests come in path order, `go.mod` before `vendor.mod`.
        if manifest.path.ends_with(MODULE_FILES[1]) && project.modules.iter().any(|module| module.folder == folder) {
            continue;
        }
        if manifest.path.ends_with("go.work") {
            let used = directives(manifest.text).into_iter().filter(|words| words.first().is_some_and(|word| *word == "use"));
            project.workspace.extend(used.filter_map(|words| join(&folder, words.get(1)?)));
            project.workspaces.push(folder);
            continue;
        }
        let is_own = manifest.path.ends_with(MODULE_FILES[0]);
        let mut module = Module {
            is_own,
            path: String::new(),
            folder,
            replaces: Vec::new(),
            requires: Vec::new(),
            needs: Vec::new(),
            others: Vec::new(),
        };
        for (line, words) in numbered(manifest.text) {
            match words.as_slice() {
                ["module" | "require" | "replace", words @ ..] if words.iter().any(|word| word.len() > MAX_NAME) => {}
                ["module", path, ..] => (*path).clone_into(&mut module.path),
                ["require", path, rest @ ..] => {
                    module.requires.push((*path).to_owned());
                    module.needs.push(((*path).to_owned(), rest.first().copied().unwrap_or_default().to_owned(), line));
                }
                ["replace", path, rest @ ..] => {
                    let target = rest.iter().position(|word| *word == "=>").and_then(|at| rest.get(at + 1));
                    if let Some(folder) =
                        target.filter(|target| target.starts_with('.')).and_then(|target| join(&module.folder, target))
                    {
                        module.replaces.push(((*path).to_owned(), folder));
                    } else if let Some(other) = target.filter(|target| !target.starts_with(['.', '/'])) {
                        let version = rest.last().filter(|last| *last != other).copied().unwrap_or_default();
                        module.others.push(((*path).to_owned(), (*other).to_owned(), version.to_owned()));
                    }
                }
                _ => {}
            }
        }
        if !module.path.is_empty() {
            project.modules.push(module);
        }
    }
    project.modules.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
    Box::new(project)
}

/// The directives of a manifest, blocks unfolded: `require ( a v1 )` gives `require a v1`.
fn directives(text: &str) -> Vec<Vec<&str>> {
    numbered(text).into_iter().map(|(_, words)| words).collect()
}

/// The same with their lines.
fn numbered(text: &str) -> Vec<(u32, Vec<&str>)> {
    let mut found = Vec::new();
    let mut block: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split("//").next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches('"')).collect();
        match (block, words.as_slice()) {
            (_, []) => {}
            (Some(_), [")", ..]) => block = None,
            (Some(name), rest) => found.push((number, [&[name], rest].concat())),
            (None, [name, "(", ..]) => block = Some(name),
            (None, _) => found.push((number, words)),
        }
    }
    found
}

/// The folder of import path `path` below a module whose root is `root` in `folder`.
fn below(root: &str, folder: &str, path: &str) -> Option<String> {
    let rest = path.strip_prefix(root)?;
    if rest.is_empty() { Some(folder.to_owned()) } else { join(folder, rest.strip_prefix('/')?) }
}

impl Project for GoProject {
    fn candidates(&self, from: &str, path: &str) -> Candidates {
        let mut folders = Vec::new();
        let home = self.modules.iter().find(|module| is_below(from, &module.folder));
        if let Some(home) = home {
            folders.extend(below(&home.path, &home.folder, path));
            folders.extend(home.replaces.iter().filter_map(|(root, folder)| below(root, folder, path)));
            folders.extend(join(&home.folder, &format!("vendor/{path}")));
        } else {
            // Code before modules: a vendor folder in any folder above.
            let mut folder = folder_of(from);
            loop {
                folders.extend(join(folder, &format!("vendor/{path}")));
                if folder.is_empty() {
                    break;
                }
                folder = folder_of(folder);
            }
        }
        // A module that the workspace or the same repository holds; the longest root wins.
        let joined = |module: &Module| self.workspace.contains(&module.folder);
        let required = |module: &Module| home.is_some_and(|home| home.requires.contains(&module.path));
        let others = self.modules.iter().filter(|module| home.is_none_or(|home| home.folder != module.folder));
        let found = others.filter_map(|module| Some((module, below(&module.path, &module.folder, path)?)));
        let mut found: Vec<(&Module, String)> = found.filter(|(module, _)| joined(module) || required(module)).collect();
        found.sort_by_key(|(module, _)| std::cmp::Reverse(module.path.len()));
        folders.extend(found.into_iter().map(|(_, folder)| folder));
        Candidates { folders, external: Some(path.to_owned()), ..Candidates::default() }
    }

    fn package(&self, path: &str) -> Option<String> {
        Some(folder_of(path).to_owned())
    }

    fn published(&self) -> Vec<Published> {
        let named = self.modules.iter().map(|module| (&module.path, &module.folder));
        let named = named.filter(|(name, _)| !name.is_empty());
        named.map(|(name, folder)| Published { registry: Registry::Go, name: name.clone(), folder: folder.clone() }).collect()
    }

    fn packages(&self) -> Vec<Package> {
        let package = |Published { registry, name, folder }| Package { registry, name, version: None, folder };
        let is_own = |package: &Package| !package.folder.split('/').any(|folder| folder == "vendor");
        self.published().into_iter().map(package).filter(is_own).collect()
    }

    fn needs(&self) -> Vec<Need> {
        let of_module = |module: &Module| {
            let need = |(path, version, line): &(String, String, u32)| {
                let other = module.others.iter().find(|(replaced, ..)| replaced == path);
                let name = other.map_or(path, |(_, other, _)| other).clone();
                let requirement =
                    other.map(|(.., version)| version).filter(|version| !version.is_empty()).unwrap_or(version).clone();
                let joined = |other: &Module| self.workspace.contains(&other.folder) && other.path == *path;
                let is_local = module.replaces.iter().any(|(replaced, _)| replaced == path) || self.modules.iter().any(joined);
                Need { folder: module.folder.clone(), registry: Registry::Go, name, requirement, is_local, line: *line }
            };
            module.needs.iter().map(need).collect::<Vec<_>>()
        };
        self.modules.iter().flat_map(of_module).collect()
    }

    /// The standard library has no dot in the first part of its paths; nor have some modules, which a manifest asks for.
    fn outside(&self, from: &str, path: &str) -> Option<(Registry, String)> {
        let home = self.modules.iter().find(|module| is_below(from, &module.folder));
        let is_required = |home: &Module| {
            let requires = home.requires.iter();
            requires.filter_map(|root| path.strip_prefix(root.as_str())).any(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let has_host = path.split('/').next().is_some_and(|first| first.contains('.'));
        if !has_host && !home.is_some_and(is_required) {
            return None;
        }
        let others = home.into_iter().flat_map(|home| &home.others);
        let replaced = others.filter_map(|(old, new, _)| {
            let rest = path.strip_prefix(old.as_str()).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
            Some((old.len(), format!("{new}{rest}")))
        });
        let name = replaced.max().map_or_else(|| path.to_owned(), |(_, name)| name);
        Some((Registry::Go, name))
    }

    fn importable(&self, files: &[&str]) -> Vec<Importable> {
        let of_file = |file: &&str| {
            let module = self.modules.iter().find(|module| is_below(file, &module.folder))?;
            let folder = folder_of(file);
            let rest = folder.strip_prefix(module.folder.as_str())?.trim_start_matches('/');
            let name = if rest.is_empty() { module.path.clone() } else { format!("{}/{rest}", module.path) };
            (!file.ends_with("_test.go")).then(|| Importable { registry: Registry::Go, name, file: (*file).to_owned() })
        };
        files.iter().filter_map(of_file).collect()
    }

    fn runner(&self, file: &TestFile<'_>) -> Option<Runner> {
        let module = self.modules.iter().find(|module| is_below(file.path, &module.folder))?;
        super::run::runner(&module.folder, file.path).filter(|_| module.is_own)
    }

    /// A module below a `go.work` that does not list it is left out: there, the go command refuses to work.
    fn checks(&self, _: &dyn Fn(&str) -> bool) -> Vec<Check> {
        let is_vendored = |module: &&Module| module.folder.split('/').any(|folder| folder == "vendor");
        let is_below_work = |folder: &str| self.workspaces.iter().any(|work| work == folder || is_below(folder, work));
        let modules = self.modules.iter().filter(|module| module.is_own && !is_vendored(module));
        let usable = modules.filter(|module| !is_below_work(&module.folder) || self.workspace.contains(&module.folder));
        usable.flat_map(|module| checks(&module.folder)).collect()
    }

    fn default_name<'a>(&self, path: &'a str) -> &'a str {
        let mut parts = path.rsplit('/');
        let last = parts.next().unwrap_or(path);
        // The path of a module ends in its major version from the second on; `v1` is a package of that name.
        let major = last.strip_prefix('v').and_then(|number| number.parse::<u32>().ok());
        let is_version = major.is_some_and(|major| major > 1);
        let name = if is_version { parts.next().unwrap_or(last) } else { last };
        let name = name.split_once(".v").map_or(name, |(name, _)| name);
        name.strip_prefix("go-").unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Manifest, load};

    fn folders(manifests: &[(&str, &str)], from: &str, path: &str) -> Vec<String> {
        let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
        load(&manifests, &|_| false).candidates(from, path).folders
    }

    #[test]
    fn a_package_is_called_like_the_end_of_its_path_without_the_version_of_its_module() {
        let project = load(&[], &|_| false);
        let names = ["example.org/api/core/v1", "example.org/tool/v2", "example.org/go-tool", "example.org/yaml.v3"];
        assert_eq!(names.map(|path| project.default_name(path)), ["v1", "tool", "tool", "yaml"]);
    }

    #[test]
    fn a_vendor_manifest_names_the_module_where_no_other_does() {
        let vendor = ("vendor.mod", "module example.org/tool\n");
        assert_eq!(folders(&[vendor], "cmd/main.go", "example.org/tool/auth"), ["auth", "vendor/example.org/tool/auth"]);
        let own = ("go.mod", "module example.org/other\n");
        assert_eq!(folders(&[own, vendor], "cmd/main.go", "example.org/tool/auth"), ["vendor/example.org/tool/auth"]);
    }
}
