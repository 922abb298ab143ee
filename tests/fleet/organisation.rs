//! A small organisation in a temporary folder: three repositories that use one another, a manifest and a store.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Files of a repository: path and text.
pub(crate) type Files<'f> = &'f [(&'f str, &'f str)];

const LIB: Files<'static> = &[
    ("go.mod", "module host.example/lib\n\ngo 1.22\n"),
    ("lib.go", "package lib\n\n// Sign signs a text.\nfunc Sign(text string) string {\n\treturn text + \"!\"\n}\n"),
];
const API: Files<'static> = &[
    ("go.mod", "module host.example/shop/api\n\ngo 1.22\n\nrequire host.example/lib v1.0.0\n"),
    ("api.go", "package api\n\nimport \"host.example/lib\"\n\nfunc Serve(text string) string {\n\treturn lib.Sign(text)\n}\n"),
];
const WEB: Files<'static> = &[
    ("package.json", "{\"name\": \"@shop/web\"}\n"),
    ("src/web.ts", "export function show(text: string): string {\n  return text\n}\n"),
];

/// The repositories of the shop: two in Go that use a third, two in Rust, two in TypeScript.
pub(crate) const SHOP: [&str; 7] = ["api", "cli", "core", "jobs", "kit", "ui", "web"];

/// How a command ended and what it wrote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder with repositories; removed at the end.
pub(crate) struct Organisation(pub(crate) PathBuf);

impl Organisation {
    /// One without repositories, and without a manifest.
    pub(crate) fn empty() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("activate-fleet-{}-{number}", std::process::id()));
        fs::create_dir_all(folder.join("org")).expect("a temporary folder");
        Self(folder)
    }

    /// One of three repositories, of which one is fetched, with a manifest that lists them.
    pub(crate) fn new() -> Self {
        let organisation = Self::empty();
        for (name, files) in [("lib", LIB), ("api", API), ("web", WEB)] {
            organisation.commit(name, files);
        }
        let url = organisation.url("api");
        let manifest = format!(
            "# ours\n[[repository]]\nname = \"shop/api\"\nurl = \"{url}\"\n\n[[repository]]\nname = \"lib\"\npath = \"../lib\"\n\n\
             [[repository]]\nname = \"web\"\npath = \"../web\"\nowners = [\"@shop/web\"]\n"
        );
        organisation.file("org/fleet.toml", &manifest);
        organisation
    }

    /// The one whose files stand in `tests/fleet/organisation`, with a manifest and nothing read yet.
    pub(crate) fn shop() -> Self {
        let organisation = Self::empty();
        let mut manifest = String::new();
        for name in SHOP {
            organisation.commit_shop(name);
            let owners = match name {
                "cli" => "owners = [\"@shop/tools\"]\n",
                "jobs" => "owners = [\"@shop/night\", \"ops@shop.example\"]\n",
                _ => "",
            };
            let _ = writeln!(manifest, "[[repository]]\nname = \"{name}\"\npath = \"../{name}\"\n{owners}");
        }
        organisation.file("org/fleet.toml", &manifest);
        organisation
    }

    /// Commits a repository of the shop as its files stand in `tests/fleet/organisation`.
    pub(crate) fn commit_shop(&self, name: &str) {
        let found = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fleet/organisation").join(name));
        let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).expect("text");
        let found: Vec<(String, String)> = found.iter().map(|(path, bytes)| (path.clone(), text(bytes))).collect();
        self.commit(name, &found.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    }

    /// What commands on a store say: each with its code where it has not answered.
    pub(crate) fn told(&self, store: &str, commands: &[&[&str]]) -> String {
        let mut told = String::new();
        for args in commands {
            let Ended { code, stdout, stderr } = self.run(store, args);
            let end = if code == Some(0) { String::new() } else { format!("(ends with {})\n", code.unwrap_or(-1)) };
            let _ = write!(told, "$ activate fleet {}\n{stdout}{stderr}{end}", args.join(" "));
        }
        told
    }

    /// The url of a repository.
    pub(crate) fn url(&self, name: &str) -> String {
        format!("file://{}", self.0.join(name).to_str().expect("text"))
    }

    /// Writes a file, and gives its path.
    pub(crate) fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, text).expect("a file");
        path
    }

    /// A program of that name in a folder that comes first on PATH.
    #[cfg(unix)]
    pub(crate) fn program(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.file(&format!("bin/{name}"), &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("rights");
    }

    /// Commits files to a repository, which is made if it is not there.
    pub(crate) fn commit(&self, name: &str, files: Files<'_>) {
        fs::create_dir_all(self.0.join(name)).expect("folders");
        for (path, text) in files {
            self.file(&format!("{name}/{path}"), text);
        }
        self.git(name, &["init", "--quiet", "--initial-branch=main"]);
        self.git(name, &["add", "--all"]);
        self.git(name, &["commit", "--quiet", "--allow-empty", "--message=ABC-1 change"]);
    }

    /// Runs git in a repository.
    pub(crate) fn git(&self, name: &str, args: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=Ann", "-c", "user.email=ann@host.example"]).args(args).current_dir(self.0.join(name));
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_AUTHOR_DATE", "1700000000 +0000");
        command.env("GIT_COMMITTER_DATE", "1700000000 +0000");
        let output = command.output().expect("git");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// The program in the folder of the manifest, with folders of its own for what it keeps.
    pub(crate) fn program_at_home(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_activate"));
        command.current_dir(self.0.join("org")).stdin(Stdio::null());
        for (variable, name) in [("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")] {
            command.env(variable, self.0.join(name));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([self.0.join("bin")].into_iter().chain(std::env::split_paths(&path))).expect("a path");
        command.env("PATH", path).env("GIT_CONFIG_GLOBAL", "/dev/null").env("HOME", self.0.join("home"));
        command
    }

    /// The command on this fleet with a store of that name.
    pub(crate) fn command(&self, store: &str, args: &[&str]) -> Command {
        let mut command = self.program_at_home();
        command.arg("fleet").args(args);
        if !matches!(args.first(), Some(&("add" | "remove"))) {
            command.arg("--store").arg(self.0.join(store));
        }
        command
    }

    /// Runs the command; how long it took stands for nothing.
    pub(crate) fn run(&self, store: &str, args: &[&str]) -> Ended {
        let output = self.command(store, args).output().expect("the command runs");
        let text = |bytes| String::from_utf8(bytes).expect("text").replace(self.0.to_str().expect("text"), "FOLDER");
        let stdout = text(output.stdout);
        let stdout = stdout.split_once(" read in ").map_or(stdout.clone(), |(before, _)| format!("{before} read\n"));
        Ended { code: output.status.code(), stdout, stderr: text(output.stderr) }
    }

    /// Runs it, and gives what it wrote to stdout where it went well.
    pub(crate) fn well(&self, store: &str, args: &[&str]) -> String {
        let ended = self.run(store, args);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{args:?}: {}", ended.stdout);
        ended.stdout
    }

    /// What counts in a store: all of it but who holds the lock, git's own data, and notes on what was checked and what retires.
    pub(crate) fn kept(&self, store: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.0.join(store);
        let mut files = files(&root);
        let ends = |path: &str| [".checked", ".retired", "lock", "holder", "secrets.key"].iter().any(|end| path.ends_with(end));
        files.retain(|path, _| !path.starts_with("git/") && !path.starts_with("making/") && !ends(path));
        files
    }
}

impl Drop for Organisation {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every file below a folder with its content.
pub(crate) fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut folders = vec![root.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(content) = fs::read(&path) {
                let below = path.strip_prefix(root).expect("below the root");
                found.insert(below.to_str().expect("text").replace('\\', "/"), content);
            }
        }
    }
    found
}
