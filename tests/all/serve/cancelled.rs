//! Calls that nobody waits for any more: no reply, no progress, and nothing of them is left that a later call would meet.

use super::{Wire, large, serve};
use crate::cli::Scratch;
use crate::replay::Replayed;
use cli::mcp::{Tool, Toolbox};
use engine::{CacheChoice, Engine, Options};
use index::snapshot::Progress;
use serde_json::{Value, json};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_cancelled_call_is_not_answered_and_the_next_one_is() {
    let scratch = Scratch::new();
    let mut wire = Wire::begin(&mut serve(&scratch, &large(&scratch), &["--no-cache"]));
    let params = json!({ "name": "context", "arguments": { "intent": "fix Do1x1" }, "_meta": { "progressToken": "t" } });
    wire.request("long", "tools/call", &params);
    let mut told: Vec<f64> = Vec::new();
    while told.len() < 3 {
        let said = wire.next();
        assert_eq!((&said["method"], &said["params"]["progressToken"]), (&json!("notifications/progress"), &json!("t")));
        told.push(said["params"]["progress"].as_f64().expect("a number"));
    }
    assert!(told.is_sorted_by(|first, second| first < second), "{told:?}");
    wire.send(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"long"}}"#);
    // What was on its way before the server read of it may still come.
    wire.request("after", "prompts/list", &json!({}));
    while wire.next()["id"] != "after" {}
    wire.request("next", "tools/call", &json!({ "name": "read", "arguments": { "path": "f1.go", "lines": "1:3" } }));
    let said = wire.next();
    assert_eq!((&said["id"], &said["result"]["isError"]), (&json!("next"), &json!(false)), "{said}");
}

/// A repository with a history and few files, so that a call can be left at each place where it tells of them.
const HISTORY: &str = r#"
commit 1704963600 Ada <ada@example.com> | Check tokens
edit go.mod
+module example.com/shop
+
+go 1.22
edit auth/token.go
+package auth
+
+// ValidateToken says whether a token is good.
+func ValidateToken(raw string) bool { return parseToken(raw) && raw != "" }
edit auth/parse.go
+package auth
+
+func parseToken(raw string) bool { return len(raw) < 100 }
edit auth/token_test.go
+package auth
+
+import "testing"
+
+func TestValidateToken(t *testing.T) { ValidateToken("") }
commit 1704967200 Ada <ada@example.com> | Serve
edit main.go
+package main
+
+import "example.com/shop/auth"
+
+func main() { auth.ValidateToken("a") }
edit README.md
+# A shop
"#;

/// The place where a call was left.
struct Left;

/// Calls `context`, and leaves it where it tells its progress for the `at`th time. None if it was left.
fn call(toolbox: &Toolbox, at: usize) -> Option<Value> {
    let n_told = AtomicUsize::new(0);
    let telling = |_: Progress| {
        if n_told.fetch_add(1, Ordering::Relaxed) == at {
            resume_unwind(Box::new(Left));
        }
    };
    let tool = Tool::named("context").expect("a tool");
    let answer = catch_unwind(AssertUnwindSafe(|| tool.call(toolbox, json!({ "intent": "fix ValidateToken" }), &telling)));
    match answer {
        Ok(answer) => Some(answer.expect("an answer").structured),
        Err(payload) => {
            // Nobody on the way takes it for something else, and turns it into another panic or into a problem of the answer.
            assert!(payload.is::<Left>());
            None
        }
    }
}

fn toolbox(repository: &Path, scratch: &Scratch, cache: CacheChoice) -> Toolbox {
    let engine = Engine::open_with(repository, Options { cache, n_threads: 2, ..Options::default() }).expect("a repository");
    Toolbox::new(engine, scratch.0.join("state"))
}

#[test]
fn wherever_a_call_is_left_the_next_one_answers_as_if_it_had_not_been() {
    const NEVER: usize = usize::MAX;
    let (scratch, replayed) = (Scratch::new(), Replayed::of(HISTORY, Path::new("")));
    let root = replayed.path();
    let whole = call(&toolbox(root, &scratch, CacheChoice::Off), NEVER).expect("an answer");
    let file = root.join("auth/token.go");
    let code = fs::read_to_string(&file).expect("a file");
    let edited = code.replace("raw != \"\"", "len(raw) > 1");
    assert_ne!(code, edited);
    fs::write(&file, &edited).expect("a file");
    let whole_after = call(&toolbox(root, &scratch, CacheChoice::Off), NEVER).expect("an answer");
    assert_ne!(whole, whole_after);
    let mut n_left = 0;
    for at in 0.. {
        fs::write(&file, &code).expect("a file");
        let cache = scratch.0.join(format!("cache-{at}"));
        let toolbox_here = toolbox(root, &scratch, CacheChoice::Folder(cache.clone()));
        let is_whole = call(&toolbox_here, at).is_some();
        // In this process, and in another one that has only what is on disk.
        for toolbox in [&toolbox_here, &toolbox(root, &scratch, CacheChoice::Folder(cache.clone()))] {
            assert_eq!(call(toolbox, NEVER).as_ref(), Some(&whole), "left at {at}");
        }
        fs::write(&file, &edited).expect("a file");
        let was_whole_after = call(&toolbox_here, at).is_some();
        for toolbox in [&toolbox_here, &toolbox(root, &scratch, CacheChoice::Folder(cache))] {
            assert_eq!(call(toolbox, NEVER).as_ref(), Some(&whole_after), "left after an edit at {at}");
        }
        if is_whole && was_whole_after {
            break;
        }
        n_left += 1;
    }
    // All files are told of, and stages before and after them.
    assert!(n_left > 10, "{n_left}");
}
