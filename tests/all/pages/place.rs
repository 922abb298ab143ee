//! Where the commands of a page are run: a repository with the files and programs that the page takes for granted.

use crate::cli::{Scratch, files};
use crate::replay::{Replayed, corpus};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// Files that pages speak of. They stand in the root of the repository, where git ignores them.
const FILES: [(&str, &str); 5] = [
    ("issue.md", "# Empty tokens are let in\n\n`ValidateToken` in internal/auth/login.go should refuse an empty token.\n"),
    ("mine.json", "{}\n"),
    (
        "task.json",
        r#"{"id": 12, "title": "Signed tokens", "description": "Tokens carry a signature that every service can verify.",
            "testStrategy": "unit tests beside the code", "subtasks": [{"id": 3, "title": "empty tokens"}]}"#,
    ),
    (
        "T02.json",
        r#"{"id": "T02", "filesModified": ["internal/auth/middleware.go", "internal/auth/logout.go"],
            "acceptanceCriteria": ["AC-4"], "tddMode": "hard", "riskTier": "high"}"#,
    ),
    (
        "leeway.patch",
        "--- a/internal/auth/login.go\n+++ b/internal/auth/login.go\n@@ -42,7 +42,7 @@\n \tif err != nil {\n \t\treturn nil, err\n \t}\n\
         -\tif claims.Expired(time.Now()) {\n+\tif claims.Expired(time.Now().Add(-leeway)) {\n \t\treturn nil, ErrExpiredToken\n \t}\n \
         \treturn claims, nil\n",
    ),
];

/// What the root ignores, so that what pages make there is no part of the repository.
const IGNORED: &str = "/corpus/\n/rules/\n/*.json\n/*.jsonl\n/*.patch\n/issue.md\n/phase.md\n/sent.md\n/returned.md\n";

/// Programs of others: each says what the real one said of the corpus.
const PROGRAMS: [(&str, &str); 6] = [
    (
        "go",
        "case \"$*\" in\n  build*) cat $SIGNALS/go-build.txt >&2 ;;\n  vet*) cat $SIGNALS/go-vet.txt >&2 ;;\n  \
         *) cat $SIGNALS/go-test.jsonl ;;\nesac\nexit 1",
    ),
    (
        "cargo",
        "case \"$*\" in\n  run*) while [ \"$1\" != -- ]; do shift; done; shift; exec activate \"$@\" ;;\n  *) cat $SIGNALS/clippy.jsonl; exit 1 ;;\nesac",
    ),
    ("git", "cat leeway.patch"),
    ("gh", "cat issue.md"),
    ("npx", "exit 1"),
    ("claude", "exit 0"),
];

/// What is done before commands that hold these words: a page tells it in words.
const BEFORE: [(&str, &str); 7] = [
    ("go test -json", "cp -r corpus/broken-go ~/stall-now; cd ~/stall-now"),
    ("cargo clippy", "cp -r corpus/broken-rust ~/library; cd ~/library"),
    // A branch that is one commit ahead of main.
    (
        "--diff main",
        "echo $LAST > .git/refs/heads/work; echo $BEFORE > .git/refs/heads/main; echo 'ref: refs/heads/work' > .git/HEAD",
    ),
    ("--weights better.json", "echo '{}' > better.json"),
    ("--since", "sed -i 's/raw == \"\"/len(raw) == 0/' corpus/auth-go/internal/auth/login.go"),
    (
        "returned.md",
        "sed 's/^- Test type: unit/- Test type: integration/; s/ Do NOT implement other subtasks//' phase.md > returned.md",
    ),
    ("packet check softer.json", "sed 's/Then: the answer is 403 or 401/Then: the answer is 403/' packet.json > softer.json"),
];

/// Digits by which pages call a packet that was sent, and the repository that it is of. They differ with every change of its text, so the one that is sent now has its own.
const SENT: [(&str, &str); 2] = [("7107dce6", "."), ("5c5c3392", "corpus/auth-go")];

/// Sends a packet and says its id.
const SEND: &str = "activate --intent 'fix ValidateToken in internal/auth' --quiet --format json --repo $REPO | sed -n 's/.*\"pack_id\": *\"\\([0-9a-f]*\\).*/\\1/p'";

/// How commands end that do not answer.
const ENDS: [(&str, i32); 5] = [
    ("asks before it writes", 11),
    ("returned.md", 10),
    ("packet check softer.json", 10),
    ("activate packet permit", 10),
    ("activate tune", 3),
];

/// The code that a page's command ends with.
pub(super) fn exit_code(command: &str) -> i32 {
    ENDS.iter().find(|(words, _)| command.contains(words)).map_or(0, |(_, code)| *code)
}

/// A repository, with a home and programs beside it.
pub(super) struct Place {
    scratch: Scratch,
    repository: Replayed,
}

impl Place {
    pub(super) fn new() -> Self {
        let (scratch, repository) = (Scratch::new(), Replayed::new("auth-go"));
        let root = repository.path();
        let library = corpus().join("../rules/house");
        let of_library = files(&library).into_iter().map(|(path, content)| (Path::new("rules/house").join(path), content));
        let of_corpus = files(&corpus()).into_iter().map(|(path, content)| (Path::new("corpus").join(path), content));
        for (path, content) in of_corpus.chain(of_library) {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, content).expect("a file");
        }
        for (name, text) in FILES {
            fs::write(root.join(name), text).expect("a file");
        }
        fs::create_dir_all(root.join(".git/info")).expect("a folder");
        fs::write(root.join(".git/info/exclude"), IGNORED).expect("a file");
        for (name, script) in PROGRAMS {
            let path = scratch.file(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n").as_bytes());
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
        }
        symlink(env!("CARGO_BIN_EXE_activate"), scratch.0.join("bin/activate")).expect("a link");
        Self { scratch, repository }
    }

    /// How a command ends, and what it says on stdout and stderr together, but for warnings: of git data that a folder of the corpus lacks.
    pub(super) fn run(&self, command: &str) -> (i32, String) {
        let mut command = command.to_owned();
        if let Some((sent, repository)) = SENT.iter().find(|(sent, _)| command.contains(sent)) {
            let (_, id) = self.run(&SEND.replace("$REPO", repository));
            command = command.replace(sent, id.trim());
        }
        let before = BEFORE.iter().find(|(words, _)| command.contains(words)).map_or("true", |(_, before)| before);
        let commits = &self.repository.commits;
        let ran = Command::new("/bin/sh")
            .arg("-c")
            .arg(format!("exec 2>&1\n{{ {before}; }} || exit 99\n{command}"))
            .current_dir(self.repository.path())
            .stdin(Stdio::null())
            .env_clear()
            .env("HOME", &self.scratch.0)
            .env("PATH", format!("{}:/usr/bin:/bin", self.scratch.0.join("bin").display()))
            .env("SIGNALS", corpus().join("signals"))
            .env("LAST", commits[commits.len() - 1].to_string())
            .env("BEFORE", commits[commits.len() - 2].to_string())
            .output()
            .expect("a shell");
        let text = String::from_utf8_lossy(&ran.stdout);
        let text = text.replace(self.repository.path().to_str().expect("text"), "/home/ada/auth");
        let text = text.replace(self.scratch.0.to_str().expect("text"), "/home/ada");
        let told = text.lines().filter(|line| !line.starts_with("activate: warning: git data is not used"));
        (ran.status.code().unwrap_or(-1), told.collect::<Vec<_>>().join("\n"))
    }
}
