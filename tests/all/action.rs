//! The action for pull requests: its scripts run here against a server that answers as GitHub does, on changes of strangers.
//!
//! Must not test what a comment says: the tests of the crate do. Needs a shell, curl and jq, as the runners of GitHub have them.

mod github;

use crate::cli::Scratch;
use github::{GitHub, OURS};
use repo::testing::Made;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether the scripts can run here: elsewhere there is nothing to try, which is said.
fn has_tools() -> bool {
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    let all = ["bash", "curl", "jq"].into_iter().all(has);
    if !all {
        let _ = writeln!(std::io::stderr(), "left out: bash, curl or jq is not installed");
    }
    all
}

/// A job of a runner.
struct Job {
    scratch: Scratch,
    variables: BTreeMap<&'static str, String>,
}

/// How a step ended.
#[derive(Debug)]
struct Step {
    code: i32,
    log: String,
}

impl Job {
    fn new(root: &Path) -> Self {
        let scratch = Scratch::new();
        let folder = |name: &str| scratch.0.join(name).to_str().expect("text").to_owned();
        let variables = BTreeMap::from([
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("RUNNER_TEMP", scratch.0.to_str().expect("text").to_owned()),
            ("GITHUB_OUTPUT", folder("output")),
            ("GITHUB_STEP_SUMMARY", folder("summary")),
            ("GITHUB_REPOSITORY", "acme/shop".to_owned()),
            ("BINARY", env!("CARGO_BIN_EXE_activate").to_owned()),
            ("REPOSITORY_PATH", root.to_str().expect("text").to_owned()),
            ("NUMBER", "7".to_owned()),
            ("TOKEN", "t0ken".to_owned()),
            ("FILE", folder("activate-review.md")),
        ]);
        Self { scratch, variables }
    }

    fn set(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.variables.insert(name, value.to_owned());
        self
    }

    fn step(&self, name: &str) -> Step {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/action").join(name);
        // Both streams in the order in which the runner reads them.
        let output = Command::new("bash")
            .args(["-c", "exec bash \"$0\" 2>&1"])
            .arg(script)
            .current_dir(&self.scratch.0)
            .env_clear()
            .envs(&self.variables)
            .output();
        let output = output.expect("bash runs");
        let code = output.status.code().expect("an exit code");
        Step { code, log: String::from_utf8_lossy(&output.stdout).into_owned() }
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.scratch.0.join(name)).unwrap_or_default()
    }

    fn posted(&self) -> String {
        self.file("output").lines().filter_map(|line| line.strip_prefix("posted=")).next_back().unwrap_or_default().to_owned()
    }
}

/// A repository of two commits, with names that want to be orders. Its files are checked out too, among them some that would be run.
fn hostile() -> (Made, [String; 2]) {
    let mut made = Made::new();
    let trap = "#!/bin/sh\ntouch pwned\n";
    let files = |hub: &str| {
        vec![
            ("go.mod".to_owned(), "module example.com/shop\n\ngo 1.22\n".to_owned()),
            ("hub.go".to_owned(), format!("package shop\n\nfunc Hub() int {{ return {hub} }}\n")),
            ("$(touch pwned).go".to_owned(), "package shop\n\nfunc A() int { return Hub() }\n".to_owned()),
            ("::set-output name=x::@octocat.go".to_owned(), "package shop\n\nfunc B( int { return Hub() }\n".to_owned()),
            ("##[add-mask]a.go".to_owned(), "package shop\n\nfunc C() int { return Hub() }\n".to_owned()),
            ("activate".to_owned(), trap.to_owned()),
            ("jq".to_owned(), trap.to_owned()),
            (".activate/rules.toml".to_owned(), "broken".to_owned()),
        ]
    };
    let mut ids = Vec::new();
    for hub in ["1", "2"] {
        let mut blobs = BTreeMap::new();
        for (path, text) in files(hub) {
            let blob = made.git.write_blob(&text).expect("a blob").detach();
            // What is checked out is older than what is reviewed.
            if hub == "1" {
                made.scratch.write(&path, &text);
            }
            blobs.insert(path, blob);
        }
        let tree = made.subtree(&blobs);
        ids.push(made.commit_tree("@octocat ::error::x", tree).to_string());
    }
    let [base, head] = ids.try_into().expect("two commits");
    (made, [base, head])
}

fn pwned(roots: &[&Path]) -> bool {
    let mut folders: Vec<PathBuf> = roots.iter().map(|root| root.to_path_buf()).collect();
    folders.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    folders.iter().any(|folder| folder.join("pwned").exists())
}

#[test]
fn a_comment_is_made_then_replaced_and_left_alone_where_nothing_is_new() {
    if !has_tools() {
        return;
    }
    let (made, [base, head]) = hostile();
    let github = GitHub::start();
    let mut job = Job::new(made.scratch.path());
    job.set("BASE", &base).set("HEAD", &head).set("GITHUB_API_URL", &github.url);
    let read = job.step("read");
    assert_eq!(read.code, 0, "{}", read.log);
    // Between the two words the runner takes no orders, and outside of them stands nothing of strangers.
    let word = read.log.lines().next().and_then(|line| line.strip_prefix("::stop-commands::")).expect("a word");
    assert!(
        word.len() == 32 && read.log.ends_with(&format!("\n::{word}::\n")) && read.log.matches(word).count() == 2,
        "{}",
        read.log
    );
    let first = job.file("activate-review.md");
    assert!(first.starts_with("<!-- activate-review -->\n") && first.contains("$(touch pwned).go"), "{first}");

    // Somebody else wrote the mark, and far more than a page was said before.
    github.add("mallory", "<!-- activate-review -->\nforged");
    for n in 0..120 {
        github.add("mallory", &format!("comment {n}"));
    }
    let made_one = job.step("post");
    assert_eq!((made_one.code, job.posted()), (0, "created".to_owned()), "{}", made_one.log);
    assert_eq!(github.of(OURS), std::slice::from_ref(&first));

    let same = job.step("post");
    assert_eq!((same.code, job.posted()), (0, "same".to_owned()), "{}", same.log);

    // The next push.
    fs::write(job.scratch.0.join("activate-review.md"), format!("{first}\nmore \"quoted\" \\ text\n")).expect("a file");
    let replaced = job.step("post");
    assert_eq!((replaced.code, job.posted()), (0, "updated".to_owned()), "{}", replaced.log);
    assert_eq!(github.of(OURS), [format!("{first}\nmore \"quoted\" \\ text\n")]);
    assert_eq!(github.of("mallory").len(), 121);
    assert_eq!(github.of("mallory")[0], "<!-- activate-review -->\nforged");
    assert!(github.tokens().iter().all(|token| token == "Bearer t0ken") && job.file("summary").is_empty());
    assert!(!pwned(&[made.scratch.path(), &job.scratch.0]));
}

#[test]
fn where_the_token_may_not_write_the_summary_has_the_review() {
    if !has_tools() {
        return;
    }
    let (made, [base, head]) = hostile();
    let github = GitHub::start();
    github.refuse(403);
    let mut job = Job::new(made.scratch.path());
    job.set("BASE", &base).set("HEAD", &head).set("GITHUB_API_URL", &github.url);
    assert_eq!(job.step("read").code, 0);
    let post = job.step("post");
    assert_eq!((post.code, job.posted()), (0, "summary".to_owned()), "{}", post.log);
    assert_eq!(job.file("summary"), job.file("activate-review.md"));
    assert!(github.of(OURS).is_empty() && post.log.contains("::notice title=activate::"), "{}", post.log);

    // Whoever asks for no comment, or runs beside a pull request, is not asked for a token.
    for (name, value) in [("COMMENT", "no"), ("NUMBER", "")] {
        let mut job = Job::new(made.scratch.path());
        fs::write(job.scratch.0.join("activate-review.md"), "<!-- activate-review -->\nx\n").expect("a file");
        job.set("TOKEN", "").set(name, value);
        let post = job.step("post");
        assert_eq!((post.code, job.posted()), (0, "summary".to_owned()), "{}", post.log);
    }

    // What is no lack of rights is an error, and the review is not lost.
    github.refuse(500);
    let failed = job.step("post");
    assert!(failed.code == 1 && failed.log.contains("status 500"), "{}", failed.log);
    assert_eq!(job.file("summary"), job.file("activate-review.md").repeat(2));
}

#[test]
fn what_is_no_commit_or_number_is_refused_before_anything_runs() {
    if !has_tools() {
        return;
    }
    let (made, [base, head]) = hostile();
    let commits = ["", "--output=pwned", "$(touch pwned)", "a\nb", "a..b", "; touch pwned", "a b"];
    let bad = commits.iter().flat_map(|commit| [("BASE", *commit), ("HEAD", *commit)]);
    for (name, value) in bad.chain([("BUDGET", "4k; touch pwned"), ("BINARY", "nowhere"), ("REPOSITORY_PATH", "nowhere")]) {
        let mut job = Job::new(made.scratch.path());
        job.set("BASE", &base).set("HEAD", &head).set(name, value);
        let read = job.step("read");
        assert!(read.code == 1 && read.log.starts_with("::error title=activate::"), "{name} {value}: {}", read.log);
        assert!(read.log.lines().count() == 1 && !read.log.contains("pwned"), "{name} {value}: {}", read.log);
        assert!(!pwned(&[made.scratch.path(), &job.scratch.0]));
    }
    let mut job = Job::new(made.scratch.path());
    job.set("BASE", &base).set("HEAD", "0123456789012345678901234567890123456789");
    let read = job.step("read");
    assert!(read.code == 1 && read.log.contains("fetch-depth: 0"), "{}", read.log);
    for (name, value) in [("NUMBER", "7/../8"), ("GITHUB_REPOSITORY", "acme"), ("TOKEN", "")] {
        let mut job = Job::new(made.scratch.path());
        fs::write(job.scratch.0.join("activate-review.md"), "<!-- activate-review -->\nx\n").expect("a file");
        let post = job.set(name, value).step("post");
        assert!(post.code == 1 && post.log.starts_with("::error title=activate::"), "{name} {value}: {}", post.log);
    }
}

#[test]
fn nothing_of_a_pull_request_is_written_into_a_script_and_no_action_of_others_is_used() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/action");
    let action = fs::read_to_string(folder.join("action.yml")).expect("the action");
    let runs: Vec<&str> = action.lines().filter(|line| line.trim_start().starts_with("run:")).collect();
    assert!(runs.len() == 3 && runs.iter().all(|run| !run.contains("${{")), "{runs:#?}");
    assert!(!action.contains("uses:"), "{action}");
    // The step that reads sees no token.
    let read = action.split("- name: ").find(|step| step.starts_with("Read the change")).expect("the step");
    assert!(!read.to_lowercase().contains("token"), "{read}");
    let example = fs::read_to_string(folder.join("example.yml")).expect("the example");
    let uses =
        example.lines().filter_map(|line| line.split_once("uses: ")).map(|(_, used)| used.split(' ').next().unwrap_or(used));
    for used in uses {
        let (_, commit) = used.split_once('@').expect("a commit");
        assert!(commit.len() == 40 && commit.bytes().all(|digit| digit.is_ascii_hexdigit()), "{used}");
    }
}
