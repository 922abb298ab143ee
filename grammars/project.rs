//! How manifests become roots and imports become paths: the shape each language folder fills in.
//!
//! Pure: manifests come as text, and whether a path exists is asked through a function. Nothing here opens a file.

use crate::check::Check;
use crate::python::normal;
use crate::run::{Runner, TestFile};

/// A manifest: repository-relative path and text.
#[derive(Debug, Clone, Copy)]
pub struct Manifest<'a> {
    /// Path with forward slashes.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A path that counts only where another is not a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarded {
    /// The path.
    pub path: String,
    /// The other.
    pub unless: String,
}

/// Where an import may lead, best first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Files to try before the others, in order.
    pub guarded: Vec<Guarded>,
    /// Files to try, in order; the first that exists is meant.
    pub files: Vec<String>,
    /// Folders to try before the others, where no file exists.
    pub guarded_folders: Vec<Guarded>,
    /// Folders to try, in order (for languages whose modules are folders, or that have modules without a file).
    pub folders: Vec<String>,
    /// The package outside the repository that is meant if nothing above exists.
    pub external: Option<String>,
}

/// A file from which a tree of modules starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRoot {
    /// The name others import it by; empty for roots that cannot be imported (binaries, tests).
    pub name: String,
    /// Its file.
    pub file: String,
    /// The folder of its manifest: files below belong to this package.
    pub folder: String,
}

/// The longest name of a package, in bytes: every import of it repeats it, and no registry takes a longer one.
pub(crate) const MAX_NAME: usize = 512;

/// Where others get packages from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Registry {
    /// Modules of Go, by their import paths.
    Go,
    /// Packages of cargo.
    Cargo,
    /// Packages of npm.
    Npm,
    /// Packages of the Python Package Index.
    PyPi,
    /// Artifacts of Maven by group and name; their modules are packages of Java.
    Maven,
}

impl Registry {
    /// The word for it in facts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Cargo => "cargo",
            Self::Npm => "npm",
            Self::PyPi => "pypi",
            Self::Maven => "maven",
        }
    }

    /// That of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|registry| registry.word() == word)
    }

    /// Whether it takes two names for one: cargo's with `-` and `_`, as code writes it; those of Python in any case and with any signs between words.
    pub fn is_same(self, one: &str, other: &str) -> bool {
        match self {
            Self::Go | Self::Npm | Self::Maven => one == other,
            Self::Cargo => one.replace('-', "_") == other.replace('-', "_"),
            Self::PyPi => normal(one) == normal(other),
        }
    }

    /// All, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Go, Self::Cargo, Self::Npm, Self::PyPi, Self::Maven];
}

/// A package of the repository, as others know it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Published {
    /// Where they get it from.
    pub registry: Registry,
    /// Its name there.
    pub name: String,
    /// The folder of its manifest.
    pub folder: String,
}

/// What a manifest publishes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// Where others get it from.
    pub registry: Registry,
    /// Its name there.
    pub name: String,
    /// Its version, where the manifest says one.
    pub version: Option<String>,
    /// The folder of its manifest.
    pub folder: String,
}

/// What a manifest asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    /// The folder of the manifest.
    pub folder: String,
    /// Where it is to come from.
    pub registry: Registry,
    /// Its name there, whatever the manifest calls it.
    pub name: String,
    /// The versions that are wanted, as they are written; empty where nothing is said.
    pub requirement: String,
    /// Whether it comes from a folder of this repository.
    pub is_local: bool,
    /// The line of the manifest that asks for it.
    pub line: u32,
}

/// A module by the name that others import it by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Importable {
    /// Where others get it from.
    pub registry: Registry,
    /// The name.
    pub name: String,
    /// Its file, or one of its files.
    pub file: String,
}

/// What the manifests of one language say.
pub trait Project: Send + Sync {
    /// Where an import written in file `from` may lead. `path` is the text between the quotes, or the first segment of a path.
    fn candidates(&self, from: &str, path: &str) -> Candidates;

    /// Files that may hold the child module `name` declared in `from`, inside the inline modules `inside`; `explicit` is a path given
    /// by an attribute. `is_root` says whether `from` is the root of its tree.
    fn child(&self, from: &str, is_root: bool, inside: &[&str], name: &str, explicit: Option<&str>) -> Vec<String> {
        let _ = (from, is_root, inside, name, explicit);
        Vec::new()
    }

    /// Files from which trees of modules start, in path order.
    fn roots(&self) -> &[TreeRoot] {
        &[]
    }

    /// Whether a file starts a tree of modules though no manifest names it, by its place alone (Cargo's `tests/*.rs`). Asked of each file
    /// of the language; such files cannot be imported.
    fn discovers(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// The name by which a package is known that is imported without an alias (Go: its last path element as a guess when the package
    /// itself is not in the repository).
    fn default_name<'a>(&self, path: &'a str) -> &'a str {
        path.rsplit('/').next().unwrap_or(path)
    }

    /// The folder of the package that a file belongs to: what is built and tested together.
    fn package(&self, path: &str) -> Option<String>;

    /// The packages that manifests name, in any order, whether or not anybody publishes them.
    fn published(&self) -> Vec<Published> {
        Vec::new()
    }

    /// The same with versions.
    fn packages(&self) -> Vec<Package> {
        let package = |Published { registry, name, folder }| Package { registry, name, version: None, folder };
        self.published().into_iter().map(package).collect()
    }

    /// What manifests ask for, in any order.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    /// The module from outside that an import written in file `from` means where the repository has none, by the name that it is published under.
    /// None for what the language itself brings.
    fn outside(&self, from: &str, path: &str) -> Option<(Registry, String)> {
        let _ = (from, path);
        None
    }

    /// The modules that others can import by a name, among these files of the language, in any order.
    fn importable(&self, files: &[&str]) -> Vec<Importable> {
        let _ = files;
        Vec::new()
    }

    /// How the tests of a file are run, as far as manifests prove that they can be.
    fn runner(&self, file: &TestFile<'_>) -> Option<Runner> {
        let _ = file;
        None
    }

    /// Why no command runs the tests of a file, where what was found says more than [`ProjectRules::runs_by`].
    fn lacks(&self, file: &TestFile<'_>) -> Option<&'static str> {
        let _ = file;
        None
    }

    /// Manifests that prove no command to check, each with why not.
    fn unchecked(&self) -> Vec<(&str, &'static str)> {
        Vec::new()
    }

    /// The commands that say what is wrong with it, as far as manifests prove that there is something to run; in any order. `exists` says
    /// whether a repository path is a file.
    fn checks(&self, exists: &dyn Fn(&str) -> bool) -> Vec<Check> {
        let _ = exists;
        Vec::new()
    }

    /// What could not be read, each with the path of the manifest.
    fn problems(&self) -> &[(String, String)] {
        &[]
    }
}

/// Reads manifests, given in path order; the function says whether a repository path is a file.
pub type Load = fn(&[Manifest<'_>], &dyn Fn(&str) -> bool) -> Box<dyn Project>;

/// How a language's manifests are read.
pub struct ProjectRules {
    /// Whether a file name (without folder) is a manifest of this language.
    pub is_manifest: fn(name: &str) -> bool,
    /// What a command that runs tests needs, for a sentence: what [`Project::runner`] looks for.
    pub runs_by: &'static str,
    /// Folders, wherever they are, whose code is that of packages from outside: what it defines is known, and what it uses is not.
    pub vendored_in: &'static [&'static str],
    /// Reads all manifests, given in path order. `exists` says whether a repository path is a file.
    pub load: Load,
}

/// Joins a folder and a relative path and resolves `.` and `..`; `None` where the result would leave the repository.
pub fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Whether a path lies in a folder or below; everything lies below the root.
pub fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The folder of a path; empty for the root.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
