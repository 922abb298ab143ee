//! The tools of the server, called as the server calls them and as commands, and the hook and the doctor.

mod bounds;
mod hook;

use crate::cli::{Ended, Scratch, command_keeping, ended};
use crate::replay::Replayed;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A repository with its own folders for what is kept.
pub(crate) struct Bench {
    pub(crate) scratch: Scratch,
    pub(crate) repository: Replayed,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { scratch: Scratch::new(), repository: Replayed::new("auth-go") }
    }

    fn path(&self) -> &Path {
        self.repository.path()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        ended(command_keeping(&self.scratch.0, arguments).current_dir(self.path()))
    }

    /// What a command that does what it is asked writes.
    fn says(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{arguments:?}: {}", ended.stdout);
        ended.stdout
    }

    /// What a command says that refuses something.
    fn refusal(&self, arguments: &[&str], code: i32) -> String {
        let ended = self.run(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (code, ""), "{arguments:?}: {}", ended.stderr);
        ended.stderr
    }

    /// The id of a packet.
    fn packet(&self, arguments: &[&str]) -> String {
        let json = self.says(&[&["--intent", "fix ValidateToken in internal/auth", "--format", "json"], arguments].concat());
        let packet: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        packet["pack_id"].as_str().expect("an id").to_owned()
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let path = self.path().join(path);
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.contains(from));
        fs::write(&path, text.replace(from, to)).expect("written");
    }
}

/// What stands between fences, without their numbers.
fn data(text: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with("[data ")).skip(1);
    lines.take_while(|line| !line.starts_with("[end ")).fold(String::new(), |text, line| text + line + "\n")
}

const LOG: &str = "=== RUN   TestValidateToken
=== RUN   TestValidateToken/empty
    login_test.go:25: got nil, want ErrEmptyToken
--- FAIL: TestValidateToken (0.00s)
    --- FAIL: TestValidateToken/empty (0.00s)
FAIL
FAIL\texample.com/auth/internal/auth\t0.01s
";

#[test]
fn a_pack_is_read_searched_and_compared_with_what_it_was() {
    let bench = Bench::new();
    let id = bench.packet(&[]);
    let short = &id[..8];
    assert!(bench.says(&["ctx", "stats", short]).ends_with("all of them as they were\n"));
    let read = ["read", "internal/auth/login.go", "--lines", "51:53"];
    let lines = "51 // parseToken splits the token; it does not look at the signature.\n52 func parseToken(raw string) (*jwt.Parts, error) {\n53 \tparts, err := jwt.Split(raw)\n";
    assert_eq!(data(&bench.says(&read)), lines);
    assert_eq!(data(&bench.says(&[&read[..], &["--pack", short]].concat())), lines);
    assert_eq!(data(&bench.says(&["ctx", "diff", short])), "");

    bench.edit("internal/auth/login.go", "func parseToken(raw string)", "func parseToken(raw, kind string)");
    let refused = bench.refusal(&[&read[..], &["--pack", short]].concat(), 10);
    assert!(refused.contains("`internal/auth/login.go` changed since the pack was made"), "{refused}");
    let refused = bench.refusal(&["ctx", "read", short, "internal/auth/login.go"], 10);
    assert!(refused.contains("changed since the pack was made"), "{refused}");
    assert!(bench.says(&["ctx", "stats", short]).ends_with("changed since:\ninternal/auth/login.go\n"));
    let diff = data(&bench.says(&["ctx", "diff", short]));
    assert_eq!(
        diff.lines().filter(|line| line.starts_with(['-', '+'])).collect::<Vec<_>>(),
        [
            "--- a/internal/auth/login.go",
            "+++ b/internal/auth/login.go",
            "-func parseToken(raw string) (*jwt.Parts, error) {",
            "+func parseToken(raw, kind string) (*jwt.Parts, error) {",
        ]
    );
    assert!(diff.contains("\n@@ -49,7 +49,7 @@\n"), "{diff}");
    let found = data(&bench.says(&["ctx", "search", short, "raw, kind"]));
    assert_eq!(found, "internal/auth/login.go:52: func parseToken(raw, kind string) (*jwt.Parts, error) {\n");
    let cased = |query: &str| data(&bench.says(&["ctx", "search", short, query])).lines().count();
    // Capitals are taken at their word: a test is called so.
    assert!(cased("parsetoken") > 1 && cased("ParseToken") == 1);
    let log = data(&bench.says(&["ctx", "gitlog", short, "--n", "3"]));
    assert_eq!(log.lines().count(), 3);
    let packet = bench.says(&["--intent", "fix ValidateToken in internal/auth", "--since", short]);
    assert!(packet.contains("internal/auth/login.go"), "{packet}");
}

#[test]
fn what_failed_is_told_with_its_place_and_its_words() {
    let bench = Bench::new();
    let log = bench.scratch.file("log", LOG.as_bytes());
    let id = bench.packet(&["--tests", log.to_str().expect("text")]);
    let failures = bench.says(&["ctx", "failures", &id]);
    assert!(
        data(&failures).starts_with("test TestValidateToken/empty internal/auth/login_test.go:25: got nil, want"),
        "{failures}"
    );
    let logs = data(&bench.says(&["ctx", "logs", &id, "--source", "TestValidateToken/empty"]));
    assert_eq!(logs, "== TestValidateToken/empty\ngot nil, want ErrEmptyToken\n");
    let refused = bench.refusal(&["ctx", "logs", &id, "--source", "vitest"], 2);
    assert!(
        refused.contains("`source` wrote nothing; those that did are ") && refused.contains("TestValidateToken/empty"),
        "{refused}"
    );
    assert!(bench.says(&["ctx", "failures", &bench.packet(&[])]).starts_with("no failure was given"));
}

#[test]
fn what_is_no_file_of_the_repository_is_not_read() {
    let bench = Bench::new();
    let id = bench.packet(&[]);
    fs::write(bench.path().join(".gitignore"), "ignored.txt\n").expect("written");
    fs::write(bench.path().join("ignored.txt"), "secret\n").expect("written");
    std::os::unix::fs::symlink("/etc/hostname", bench.path().join("link")).expect("a link");
    std::os::unix::fs::symlink("/etc", bench.path().join("folder")).expect("a link");
    for (path, code, why) in [
        ("../x", 2, "`path`: a path with `..`"),
        ("/etc/hostname", 2, "`path`: an absolute path"),
        ("a\u{0}b", 2, "NUL"),
        ("", 2, "`path`: an empty path"),
        (".git/config", 7, "git's own data is off limits"),
        (".GIT/config", 7, "git's own data is off limits"),
        ("ignored.txt", 7, "it is ignored or excluded"),
        ("link", 7, "it is a link"),
        ("folder/hostname", 7, "cannot be read"),
        ("internal", 7, "it is a folder"),
        ("internal/none.go", 2, "does not exist"),
    ] {
        if path.contains('\u{0}') {
            // No command line holds one; the server's tool is asked instead, in the test of bounds.
            continue;
        }
        let refused = bench.refusal(&["read", path], code);
        assert!(refused.contains(why), "{path}: {refused}");
        let refused = bench.refusal(&["ctx", "read", &id, "--", path], 2);
        assert!(refused.contains("`path`: "), "{path}: {refused}");
    }
    for reference in ["--output=/tmp/x", "-p", "HEAD:x", "a..b", "nobody"] {
        let refused = bench.refusal(&["ctx", "diff", &id, &format!("--ref={reference}")], 2);
        assert!(refused.contains("`ref`: "), "{reference}: {refused}");
    }
    let other = Bench::new();
    fs::create_dir_all(other.scratch.0.join("state")).expect("a folder");
    let copied =
        std::process::Command::new("cp").arg("-r").args([bench.scratch.0.join("state"), other.scratch.0.clone()]).status();
    assert!(copied.expect("cp").success());
    let refused = other.refusal(&["ctx", "list", &id], 2);
    assert!(refused.contains("was made of another repository"), "{refused}");
}

#[test]
fn a_search_gives_ranges_to_read_and_takes_a_folder_for_its_scope() {
    let bench = Bench::new();
    let id = bench.packet(&[]);
    let search = |scope: &str| {
        let found = bench.says(&["ctx", "search", &id, "func", "--scope", scope, "--top-k", "200", "--format", "json"]);
        serde_json::from_str::<serde_json::Value>(&found).expect("JSON")["matches"].as_array().expect("a list").clone()
    };
    let all = search("repo");
    let path = all[0]["path"].as_str().expect("a path").to_owned();
    let folder = path.rsplit_once('/').map_or(path.as_str(), |(folder, _)| folder);
    let below = search(&format!("./{folder}/"));
    assert!(!below.is_empty() && below.len() <= all.len());
    for found in &below {
        let line = |field: &serde_json::Value| field.as_u64().expect("a number");
        assert!(found["path"].as_str().expect("a path").starts_with(folder), "{found}");
        let (first, last) = (line(&found["range"][0]), line(&found["range"][1]));
        assert!((first..=last).contains(&line(&found["line"])) && first > 0, "{found}");
    }
    let refused = bench.run(&["ctx", "search", &id, "func", "--scope", "no/such/folder"]);
    assert!(refused.code == 2 && refused.stderr.contains("not a file or folder"), "{}", refused.stderr);
}

#[test]
fn a_guessed_secret_is_searched_for_as_any_other_word() {
    let bench = Bench::new();
    fs::write(bench.path().join("app.ini"), "[db]\npassword = copper-walnut-5512\n").expect("written");
    fs::write(bench.path().join("note.txt"), "it was copper-walnut-5512 once\n").expect("written");
    let id = bench.packet(&[]);
    let search = |query: &str| bench.says(&["ctx", "search", &id, query, "--scope", "repo", "--format", "json"]);
    let (secret, nonsense) = (search("copper-walnut-5512"), search("copper-walnut-5513"));
    assert!(!secret.contains("copper-walnut-5512") && !secret.contains("note.txt"), "{secret}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&secret).expect("JSON")["n_found"], 0);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&nonsense).expect("JSON")["n_found"], 0);
    assert!(search("it was").contains("[REDACTED:assigned-secret] once"));
    assert!(data(&bench.says(&["read", "note.txt"])).contains("it was [REDACTED:assigned-secret] once"));
    let diff = data(&bench.says(&["ctx", "diff", &id]));
    assert!(diff.contains("+password = [REDACTED:assigned-secret]\n") && !diff.contains("copper"), "{diff}");
}

#[test]
fn a_doctor_says_what_is_wrong_and_ends_with_the_code_of_it() {
    let bench = Bench::new();
    let healthy = bench.says(&["doctor"]);
    for line in ["ok       repository ", "ok       git: main at ", "ok       go: ", "ok       cache ", "ok       state folder "] {
        assert!(healthy.lines().any(|found| found.starts_with(line)), "{line}\n{healthy}");
    }
    let state = bench.path().join("state");
    let inside = bench.says(&["doctor", "--state", state.to_str().expect("text")]);
    assert!(inside.contains("warning  state folder ") && inside.contains("inside the repository"), "{inside}");
    let empty = bench.scratch.file("code/a.go", b"package a\n");
    let folder = empty.parent().expect("a folder").to_str().expect("text").to_owned();
    let ended = bench.run(&["doctor", "--repo", &folder]);
    assert_eq!(ended.code, 6, "{ended:?}");
    assert!(ended.stdout.lines().any(|line| line.starts_with("error    ")), "{ended:?}");
    let ended = bench.run(&["doctor", "--repo", &format!("{folder}/none")]);
    assert!(ended.code == 4 && ended.stdout.contains("ok       state folder "), "{ended:?}");
    bench.scratch.file("config/activate/redaction.toml", b"[[rules]]\nregex = '('\n");
    let ended = bench.run(&["doctor"]);
    let has = |line: &str| ended.stdout.lines().any(|found| found.starts_with(line));
    assert!(ended.code == 2 && has("error    ") && has("ok       repository "), "{ended:?}");
}

#[test]
fn a_secret_that_is_gone_is_masked_on_both_sides_however_much_else_changed() {
    const N_OTHERS: usize = 401;
    let mut history =
        "commit 1790000000 Ada <ada@example.com> | all\nedit config/.env\n+DB_PASSWORD=copper-walnut-5512\nedit z.go\n\
                       +package z\n+// connects with copper-walnut-5512\n+func Z() {}\n"
            .to_owned();
    for number in 0..N_OTHERS {
        let _ = write!(history, "edit bins/{number:03}.bin\n+\0 {number}\n");
    }
    let bench = Bench { scratch: Scratch::new(), repository: Replayed::of(&history, Path::new("")) };
    for number in 0..N_OTHERS {
        fs::write(bench.path().join(format!("bins/{number:03}.bin")), "\0 other\n").expect("written");
    }
    fs::remove_file(bench.path().join("config/.env")).expect("removed");
    fs::write(bench.path().join("z.go"), "package z\nfunc Z() {}\n").expect("written");
    let json = bench.says(&["--intent", "what is in z.go", "--format", "json", "--quiet"]);
    let packet: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let diff = bench.says(&["ctx", "diff", packet["pack_id"].as_str().expect("an id")]);
    assert!(diff.contains("-// connects with [REDACTED:assigned-secret]\n") && !diff.contains("copper"), "{diff}");
}

#[test]
fn names_of_found_files_are_masked_on_every_thread() {
    const N_FILES: usize = 60;
    let bench = Bench::new();
    fs::write(bench.path().join(".env"), "DB_PASSWORD=letmein2024\n").expect("written");
    for number in 0..N_FILES {
        let folder = bench.path().join(format!("p{number}/letmein2024"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("a.go"), format!("package a\n\nfunc Alpha{number}() {{}}\n")).expect("written");
    }
    let found = bench.says(&["ctx", "search", &bench.packet(&[]), "func Alpha", "--scope", "repo", "--top-k", "200"]);
    assert_eq!((found.matches("/a.go:3: func Alpha").count(), found.matches("letmein").count()), (N_FILES, 0), "{found}");
}

#[test]
fn files_without_a_definition_are_read_all_the_same() {
    let scratch = Scratch::new();
    scratch.file("code/a.ts", b"console.log('copper')\n");
    let bench = Bench { scratch, repository: Replayed::new("auth-go") };
    let root = bench.scratch.0.join("code").to_str().expect("text").to_owned();
    assert_eq!(data(&bench.says(&["read", "a.ts", "--repo", &root])), "1 console.log('copper')\n");
    assert!(bench.refusal(&["--intent", "fix copper", "--repo", &root], 6).contains("nothing is defined"));
}

#[test]
fn why_without_a_task_is_about_the_last_packet() {
    let bench = Bench::new();
    let refusal = bench.refusal(&["why", "keys.go"], 2);
    assert!(refusal.contains("no packet of this repository is kept"), "{refusal}");
    let id = bench.packet(&[]);
    let why = bench.run(&["why", "keys.go"]);
    assert!(why.code == 0 && why.stdout.contains("internal/auth/keys.go"), "{}", why.stderr);
    assert!(why.stderr.contains(&format!("for the last packet, {id}: fix ValidateToken")), "{}", why.stderr);
}
