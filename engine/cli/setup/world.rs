//! Where a set-up takes place: whose home, which project, which program.

use super::place::Place;
use error::{Error, ErrorKind, Result};
use std::path::{Component, Path, PathBuf};

/// Home, project and program.
#[derive(Debug, Clone)]
pub(super) struct World {
    home: Option<PathBuf>,
    /// Where programs keep settings, if not in the home.
    config: Option<PathBuf>,
    /// Where applications with windows do, if elsewhere.
    applications: Option<PathBuf>,
    /// Where Codex and Claude Code are told to.
    pub(super) codex: Option<PathBuf>,
    pub(super) claude: Option<PathBuf>,
    /// The folders of PATH.
    folders: Vec<PathBuf>,
    /// The root of the project.
    pub(super) project: PathBuf,
    /// Whether that is a repository.
    pub(super) is_repository: bool,
    /// The program that is written, by the path under which it was started.
    pub(super) program: String,
}

impl World {
    /// Of this process.
    pub(super) fn of_process(project: &Path) -> Result<Self> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME").or_else(|| absolute("USERPROFILE"));
        let applications = match std::env::consts::OS {
            "macos" => home.as_ref().map(|home| home.join("Library/Application Support")),
            "windows" => absolute("APPDATA"),
            _ => None,
        };
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        let gone = |error| Error::new(ErrorKind::NoRepository, format!("`{}` cannot be found", project.display())).because(error);
        let project = system::canonical(project).map_err(gone)?;
        Ok(Self {
            program: program(&folders)?,
            home,
            config: absolute("XDG_CONFIG_HOME"),
            applications,
            codex: absolute("CODEX_HOME"),
            claude: absolute("CLAUDE_CONFIG_DIR"),
            folders,
            is_repository: project.join(".git").symlink_metadata().is_ok(),
            project,
        })
    }

    /// One of a home with nothing on PATH.
    #[cfg(test)]
    pub(super) fn new(home: &Path, project: &Path, program: &str) -> Self {
        Self {
            home: Some(home.to_owned()),
            config: None,
            applications: None,
            codex: None,
            claude: None,
            folders: Vec::new(),
            project: project.to_owned(),
            is_repository: true,
            program: program.to_owned(),
        }
    }

    pub(super) fn has_command(&self, name: &str) -> bool {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        self.folders.iter().any(|folder| folder.join(&name).is_file())
    }

    pub(super) fn in_home(&self, below: &'static str) -> Vec<Place> {
        self.home.iter().map(|home| Place::of_user(home, below)).collect()
    }

    /// In `~/.config`, wherever other settings are.
    pub(super) fn in_home_config(&self, below: &'static str) -> Vec<Place> {
        self.home.iter().map(|home| Place::of_config(home, below)).collect()
    }

    /// Below the user's folder of settings.
    pub(super) fn in_config(&self, below: &'static str) -> Vec<Place> {
        match &self.config {
            Some(config) => vec![Place::of_user(config, below)],
            None => self.in_home_config(below),
        }
    }

    pub(super) fn in_applications(&self, below: &'static str) -> Vec<Place> {
        match &self.applications {
            Some(folder) => vec![Place::of_user(folder, below)],
            None => self.in_config(below),
        }
    }

    /// A path as people write it.
    pub(super) fn shown(&self, path: &Path) -> String {
        if let Ok(below) = path.strip_prefix(&self.project) {
            return below.display().to_string();
        }
        match self.home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
            Some(below) => format!("~/{}", below.display()),
            None => path.display().to_string(),
        }
    }

    /// What makes the program's path a bad one to write, if anything does.
    pub(super) fn doubt(&self) -> Option<&'static str> {
        let has = |name: &str| Path::new(&self.program).components().any(|part| part.as_os_str() == name);
        if has("_npx") || has("archive-v0") {
            return Some("this program lies in a cache that npx or uvx may empty: install it first, so that its path stays");
        }
        (Path::new(&self.program).starts_with(&self.project))
            .then_some("this program lies in the project: what is built there next is what agents start")
    }
}

/// The program that runs, as it was called: a link that the user installed stays one, and leads to the next version too.
fn program(folders: &[PathBuf]) -> Result<String> {
    let unknown =
        |error: std::io::Error| Error::new(ErrorKind::UnreadableFile, "the file of this program cannot be found").because(error);
    let own = std::env::current_exe().map_err(unknown)?;
    let real = system::canonical(&own).map_err(unknown)?;
    let called = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let candidates: Vec<PathBuf> = if called.components().count() > 1 {
        std::env::current_dir().map(|folder| folder.join(&called)).into_iter().collect()
    } else {
        folders.iter().map(|folder| folder.join(&called)).collect()
    };
    let is_own = |path: &PathBuf| path.is_file() && system::canonical(path).is_ok_and(|path| path == real);
    let found = candidates.into_iter().find(is_own).map_or(own, |path| tidied(&path));
    let unwritable =
        |path: PathBuf| Error::new(ErrorKind::BadInput, format!("the path of this program is no text: `{}`", path.display()));
    found.into_os_string().into_string().map_err(|path| unwritable(path.into()))
}

/// Without `.` and `..`; behind `..`, links in the folders are resolved.
fn tidied(path: &Path) -> PathBuf {
    let has_parent = path.components().any(|part| part == Component::ParentDir);
    match (has_parent, path.parent().map(Path::canonicalize), path.file_name()) {
        (true, Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.components().collect(),
    }
}
