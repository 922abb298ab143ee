//! No secret leaves, wherever it was planted: in no format, no explanation, no dump, and not in the cache on disk.
//!
//! Must not test what a secret looks like: the tests of redaction do.

mod known;

use crate::replay::Replayed;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A repository with a token in every place that a name or text comes from: `«place»` is replaced by a token of that place.
const HISTORY: &str = r#"
commit 1704963600 Ada «author» <ada@example.com> | Rotate «subject»
| The old one was «body».
edit go.mod
+module example.com/a
edit a/rotate.go
+package a
+
+// Rotate replaces «doc» by another.
+func Rotate(raw string) string { return helper_«function»(raw) }
+
+func helper_«function»(raw string) string { return raw }
+
+func «prefix»_old(raw string) string { return Rotate(raw) }
+
+type Key_«type» struct{ field_«field» string }
+
+const Limit_«constant» = 1
edit a/rotate_test.go
+package a
+
+import "testing"
+
+func TestRotate_«test»(t *testing.T) {
+	t.Run("accepts «subtest» too", func(t *testing.T) { Rotate("«literal»") })
+}
edit package.json
+{"description": "«manifest»", "devDependencies": {"vitest": "3", "p-«package»": "1"}, "scripts": {"test": "K=«script» vitest"}}
edit tsconfig.json
+{"compilerOptions": {"paths": {"@/*": ["«alias»/*"]}}}
edit web/rotate.ts
+import x from "./m_«import»";
+import y from "pkg-«external»";
+/** Rotates «jsdoc». */
+export function rotateKey() { return x(y); }
+export class Box_«class» { take_«method»() { return rotateKey(); } }
edit web/rotate.test.ts
+import { rotateKey } from "./rotate";
+describe("rotate «suite»", () => { it("accepts «title»", () => { rotateKey(); }); });
edit worker/Cargo.toml
+[package]
+name = "worker"
+description = "«cargo»"
edit worker/src/lib.rs
+/// Rotates «rustdoc».
+pub fn rotate_all() {}
+mod inner_«module» { }
+#[cfg(test)]
+mod tests { #[test] fn rotates_«unit»() { super::rotate_all(); } }
edit notes.txt
+Rotate «text» now.
edit AGENTS.md
+Before you call `Rotate` set «guide» and see a/rotate.go.
edit Makefile
+# Checks a/rotate.go with «target».
+lint: ; K=«recipe» lint ./a/rotate.go
+t_«call»: ; lint ./a/rotate.go
"#;

/// Files whose names hold one.
const NAMED: &str = "
edit a/rotate_«file».go
+package a
+
+// Turn rotates.
+func Turn() { Rotate(\"\") }
edit docs_«folder»/rotate.md
+# How to rotate
";

/// A file that was changed since and does not parse.
const BROKEN: &str = "package a\n\nfunc broken_«broken»( {\n";

const SESSION: &str = r#"{"recent_actions": ["/fix Rotate «action»"], "failing_tests": ["TestRotate_«failing»"]}"#;

/// Letters and digits of a token after its prefix.
const N_LETTERS: usize = 36;
/// So many of them are as good as the token to whoever looks for it.
const N_TELLING: usize = 16;

/// A made-up token of a place: another in each, so that a leak says where it comes from.
pub(crate) fn token(place: &str) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut state = place.bytes().fold(7_u64, |state, byte| state.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(LETTERS[(state >> 33) as usize % LETTERS.len()])
    };
    let letters: String = (0..N_LETTERS).map(|_| letter()).collect();
    format!("ghp_{letters}")
}

/// The text with its tokens, whose places are added.
fn plant(text: &str, places: &mut BTreeSet<String>) -> String {
    let mut planted = String::new();
    let mut rest = text;
    while let Some((before, (place, after))) = rest.split_once('«').and_then(|(b, r)| Some((b, r.split_once('»')?))) {
        places.insert(place.to_owned());
        planted.push_str(before);
        planted.push_str(&token(place));
        rest = after;
    }
    planted + rest
}

/// A repository with tokens, and a cache of its own.
struct Planted {
    repository: Replayed,
    cache: PathBuf,
    places: BTreeSet<String>,
}

impl Planted {
    fn new(history: &str) -> Self {
        let mut places = BTreeSet::new();
        let repository = Replayed::of(&plant(history, &mut places), Path::new(""));
        fs::write(repository.path().join("a/broken.go"), plant(BROKEN, &mut places)).expect("a file");
        let cache = repository.path().with_extension("cache");
        Self { repository, cache, places }
    }

    /// Everything that a command writes, of which nothing may be a token.
    fn run(&mut self, args: &[&str]) -> String {
        let (path, cache) = (self.repository.path().to_owned(), self.cache.clone());
        let at = ["--repo", path.to_str().expect("text"), "--cache", cache.to_str().expect("text")];
        self.execute(&[args, &at].concat())
    }

    /// The same without the flags that say where.
    fn execute(&mut self, args: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_activate"));
        command.args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command runs");
        let session = plant(SESSION, &mut self.places);
        // Only some of the commands read it.
        let _ = child.stdin.take().expect("a pipe").write_all(session.as_bytes());
        let output = child.wait_with_output().expect("an end");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
        self.assert_clean(&args.join(" "), text.as_bytes());
        text
    }

    /// The cache's files, of which nothing may be a token, by what they hold.
    fn cached(&self) -> BTreeSet<String> {
        let mut parts = BTreeSet::new();
        for entry in fs::read_dir(&self.cache).expect("a cache").flatten() {
            let name = entry.file_name().into_string().expect("a name");
            self.assert_clean(&name, &fs::read(entry.path()).expect("a file"));
            let part = name.split_once('.').map_or("", |(_, part)| part);
            // It is there where a base has been open two seconds after it was written.
            if part == "checked" {
                continue;
            }
            parts.insert(part.split('-').next().unwrap_or_default().to_owned());
        }
        parts
    }

    /// Fails if a text holds a token or a telling part of one, in any case: the index of words has lower case alone.
    fn assert_clean(&self, what: &str, text: &[u8]) {
        let text = text.to_ascii_lowercase();
        for place in &self.places {
            let token = token(place).to_ascii_lowercase();
            for part in [&token[token.len() - N_TELLING..], &token[token.len() - N_LETTERS..][..N_TELLING]] {
                let leaks = text.windows(N_TELLING).any(|window| window == part.as_bytes());
                assert!(!leaks, "the token of the {place} stands in {what}");
            }
        }
    }
}

impl Drop for Planted {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.cache);
    }
}

/// Asks for everything, and gives the answers in the three formats to the first intent.
fn ask_everything(planted: &mut Planted) -> [String; 3] {
    let helper = format!("helper_{}", token("function"));
    let file = format!("a/rotate_{}.go", token("file"));
    let intents =
        ["fix Rotate and rotateKey and rotate_all, test what they accept".to_owned(), format!("fix {helper} in {file}")];
    let mut answers = Vec::new();
    for intent in &intents {
        for format in ["text", "json", "facts"] {
            answers.push(planted.run(&["--intent", intent, "--format", format, "--why", "--session", "-"]));
        }
    }
    for target in ["a/rotate.go", "Rotate", "web/rotate.test.ts", helper.as_str(), file.as_str()] {
        for not in [&[][..], &["--not"]] {
            planted.run(&[&["why", target, "--intent", &intents[0]], not].concat());
        }
    }
    planted.run(&["--intent", &intents[0], "--pin", &file, "--pin", "a/rotate.go"]);
    planted.run(&["--intent", &intents[0], "--exclude", &format!("[{file}")]);
    answers.truncate(3);
    answers.try_into().expect("three formats")
}

#[test]
fn a_token_in_a_name_title_comment_manifest_or_message_reaches_nobody() {
    let mut planted = Planted::new(HISTORY);
    let [text, json, facts] = ask_everything(&mut planted);
    // What stands around the tokens is there, so the tokens would be.
    for shown in ["return helper_[REDACTED:github-token](raw)", "/fix Rotate [REDACTED:github-token]"] {
        assert!(text.contains(shown) && json.contains(shown), "{text}");
    }
    assert!(json.contains("helper_REDACTED"), "{json}");
    assert!(text.contains(r#""Rotate [REDACTED:github-token]" (Ada [REDACTED:github-token])"#), "{text}");
    // A test whose name is hidden cannot be asked for.
    assert!(text.contains("  - go test ./a (") && text.contains("  - npx vitest run web/rotate.test.ts ("), "{text}");
    assert!(facts.contains("a/rotate.go#Rotate") && facts.contains("#helper_REDACTED"), "{facts}");
    for form in ["facts", "jsonl"] {
        let dump = planted.run(&["facts", "--format", form]);
        assert!(
            dump.contains("a/rotate.go#REDACTED_old") && dump.contains("web/rotate.test.ts#rotate REDACTED.accepts REDACTED"),
            "{dump}"
        );
    }
    assert_eq!(planted.cached().into_iter().collect::<Vec<_>>(), ["base", "blob", "lock", "records"]);
    // A folder without files is in no fact, but it is listed.
    let folder = plant("a/empty_«folder»", &mut planted.places);
    fs::create_dir(planted.repository.path().join(folder)).expect("a folder");
    planted.run(&["--intent", "fix Rotate"]);
    planted.cached();
}

#[test]
fn a_token_in_the_name_of_a_file_is_masked_and_keeps_that_name_out_of_the_cache() {
    let mut planted = Planted::new(&format!("{HISTORY}{NAMED}"));
    let answers = ask_everything(&mut planted);
    for answer in &answers {
        assert!(answer.contains("a/rotate_[REDACTED:github-token].go"), "{answer}");
    }
    let dump = planted.run(&["facts"]);
    assert!(dump.contains("a/rotate_[REDACTED:github-token].go#Turn"), "{dump}");
    // Only the base names files, so it is made again every time, to the same answers.
    assert_eq!(planted.cached().into_iter().collect::<Vec<_>>(), ["blob", "lock", "records"]);
    assert_eq!(ask_everything(&mut planted), answers);
}

/// Commits of which two make a case, if their names may be said.
const ASKED: &str = "
commit 1704963700 Ada <ada@example.com> | Rotate «asked» of the store more often than Turn
| It was said that «why» does not last.
edit a/rotate.go
+package a
+
+// Rotate replaces «doc» by another.
+func Rotate(raw string) string {
+	return helper_«function»(helper_«function»(raw))
+}
+
+func helper_«function»(raw string) string {
+	return raw
+}
commit 1704963800 Ada <ada@example.com> | Turn the keys of the store twice
edit a/rotate_«file».go
+package a
+
+// Turn rotates.
+func Turn() {
+	Rotate(\"\")
+	Rotate(\"\")
+}
";

/// A case of which nothing is there.
const LOST: &str = r#"{"id":"a@«id»","repo":"a","language":"go «language»","parent":"«parent»","intent":"Rotate «intent»","gold":["a.go"],"tier":"named"}"#;

#[test]
fn an_evaluation_writes_no_token_of_what_it_was_made_from() {
    let mut planted = Planted::new(&format!("{HISTORY}{NAMED}{ASKED}"));
    let repos = planted.cache.clone();
    fs::create_dir_all(&repos).expect("a folder");
    std::os::unix::fs::symlink(planted.repository.path(), repos.join("a")).expect("a link");
    let place = |name: &str| repos.join(name).to_str().expect("text").to_owned();
    let lost = plant(LOST, &mut planted.places);
    fs::write(place("cases"), lost).expect("a file");
    let (path, out) = (planted.repository.path().to_str().expect("text").to_owned(), place("out"));

    let history = ["eval", "--repo", path.as_str(), "--commits", "1"];
    let mined = planted.execute(&[&history[..], &["--mine-only"]].concat());
    let said = r#""intent":"Rotate [REDACTED:github-token] of the store more often than Turn","body":"It was said that [REDACTED:github-token] does not last.","#;
    assert!(mined.lines().count() == 1 && mined.contains(said), "{mined}");
    assert!(mined.contains("a/rotate.go#helper_REDACTED"), "{mined}");
    let report = planted.execute(&[&history[..], &["--format", "json", "--out", &out]].concat());
    assert!(report.contains("\"a/rotate_[REDACTED:github-token].go\""), "{report}");
    let cases = ["eval", "--cases", &place("cases"), "--repos", repos.to_str().expect("text")];
    for format in ["text", "json"] {
        let report = planted.execute(&[&cases[..], &["--format", format, "--out", &out]].concat());
        assert!(report.contains("there is no commit `[REDACTED:github-token]`"), "{report}");
    }
    let results = fs::read(&out).expect("results");
    planted.assert_clean("the file of results", &results);
    assert_eq!(results.iter().filter(|byte| **byte == b'\n').count(), 3, "one of an answer, and one each time there is none");
}
