//! The evaluation end to end on histories of the corpus: cases from commits, answers at commits, results that are kept.
//!
//! Must not test figures: those have tests of their own.

use crate::cli::{Scratch, run};
use crate::replay::{Replayed, corpus};
use context::budget::Budget;
use engine::{CacheChoice, Engine, Options, Request};
use eval::{Case, read_cases};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

fn uncached() -> Options {
    Options { cache: CacheChoice::Off, ..Options::default() }
}

/// The part of a history up to its commit `n`, counted from 1.
fn beginning(script: &str, n: usize) -> String {
    let mut n_commits = 0;
    let lines = script.lines().take_while(|line| {
        n_commits += usize::from(line.starts_with("commit "));
        n_commits <= n
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn an_answer_at_a_commit_is_that_of_a_folder_that_stands_there() {
    let whole = Replayed::new("auth-go");
    let script = fs::read_to_string(corpus().join("auth-go.history")).expect("a history");
    let request = Request::new("fix ValidateToken in internal/auth");
    let mut at = Engine::open_at(whole.path(), "HEAD", uncached()).expect("a repository");
    // Forwards and backwards: what is known of one commit must not show in another.
    for n in [2, 9, 5, 13] {
        let partial = Replayed::of(&beginning(&script, n), &corpus().join("auth-go"));
        assert_eq!(partial.commits, whole.commits[..n]);
        let folder = Engine::open_with(partial.path(), uncached()).expect("a repository");
        at = at.at(&whole.commits[n - 1].to_string()).expect("the commit");
        let answer = |engine: &Engine| {
            let activation = engine.activate(&request).expect("an answer");
            let context = activation.session_context(&Budget::default()).expect("a context");
            let packet: Value = serde_json::from_str(&activation.packet(&context).json()).expect("JSON");
            let part = |name: &str| packet[name].clone();
            [part("intent"), part("files"), part("symbols"), part("n_cold"), part("problems"), part("sections")]
        };
        let (one, other) = (answer(&at), answer(&folder));
        // The folder is on a branch, a commit is on none.
        assert_eq!(one[..5], other[..5], "commit {n}");
        let code = |sections: &Value| {
            let sections = sections.as_array().expect("a list").iter();
            sections
                .filter(|section| section["name"] == "neighbourhood")
                .map(|section| section["items"].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(code(&one[5]), code(&other[5]), "commit {n}");
    }
}

#[test]
fn a_file_of_more_than_a_megabyte_counts_at_a_commit_as_it_does_in_a_folder() {
    let comments = format!("+// {}\n", "x".repeat(120)).repeat((1 << 20) / 120);
    let file = |body: &str| format!("edit store.go\n+package store\n{comments}+\n+func rotateKeys() int {{\n{body}+}}\n");
    let script = format!(
        "commit 1704963600 Ada <ada@example.com> | first\nedit go.mod\n+module m\n{}commit 1704963700 Ada <ada@example.com> | Turn the keys of a store more often\n{}",
        file("+\treturn 1\n"),
        file("+\ta := 2\n+\tb := 3\n+\treturn a * b\n")
    );
    let whole = Replayed::of(&script, Path::new(""));
    let answer = |engine: &Engine| {
        let activation = engine.activate(&Request::new("fix rotateKeys")).expect("an answer");
        let context = activation.session_context(&Budget::default()).expect("a context");
        let packet: Value = serde_json::from_str(&activation.packet(&context).json()).expect("JSON");
        ["intent", "files", "symbols", "problems"].map(|name| packet[name].clone())
    };
    let one = answer(&Engine::open_at(whole.path(), "HEAD", uncached()).expect("a repository"));
    assert_eq!(one, answer(&Engine::open_with(whole.path(), uncached()).expect("a repository")));
    assert_eq!(one[2][0]["name"], "rotateKeys");
    let mined = run(&["eval", "--repo", text(whole.path()), "--commits", "1", "--mine-only"]);
    let cases = read_cases("mined", &mined.stdout).expect("cases");
    assert_eq!(cases.iter().map(|case| case.gold_symbols.join(" ")).collect::<Vec<_>>(), ["store.go#rotateKeys"]);
}

#[test]
fn facts_of_files_that_are_the_same_at_two_commits_are_used_again() {
    let whole = Replayed::new("auth-go");
    let engine = Engine::open_at(whole.path(), &whole.commits[8].to_string(), uncached()).expect("a repository");
    assert!(engine.snapshot().expect("a snapshot").effort.n_extracted > 10);
    let next = engine.at(&whole.commits[9].to_string()).expect("the next commit");
    assert_eq!(next.snapshot().expect("a snapshot").effort.n_extracted, 1);
}

#[test]
fn the_main_job_answers_as_of_a_commit() {
    let whole = Replayed::new("auth-go");
    let second = whole.commits[1].to_string();
    let args = ["--intent", "fix ValidateToken", "--repo", text(whole.path()), "--no-cache", "--quiet"];
    let answer = run(&[&args[..], &["--at", &second]].concat());
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    assert!(answer.stdout.contains("internal/auth/login.go") && !answer.stdout.contains("internal/auth/middleware.go"));
    let refused = run(&[&args[..], &["--at", "nowhere"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("there is no commit `nowhere`"), "{}", refused.stderr);
}

#[test]
fn cases_are_mined_from_a_history_and_asked() {
    let whole = Replayed::new("auth-go");
    let mined = run(&["eval", "--repo", text(whole.path()), "--commits", "3", "--mine-only"]);
    assert_eq!((mined.code, mined.stderr.as_str()), (0, ""));
    let cases = read_cases("mined", &mined.stdout).expect("cases");
    let found: Vec<_> = cases
        .iter()
        .map(|case| (case.intent.as_str(), case.gold.join(" "), case.gold_symbols.join(" "), case.date.as_str()))
        .collect();
    let login = "internal/auth/login.go";
    let expected = [
        (
            "Disable token caching: race with logout",
            login.to_owned(),
            format!("{login}#cache {login}#ValidateToken"),
            "2024-03-11",
        ),
        (
            "fix(auth): answer an expired token with 403",
            format!("{login} internal/auth/middleware.go"),
            format!("{login}#ValidateToken internal/auth/middleware.go#statusOf"),
            "2024-04-02",
        ),
        ("Verify signatures off the request goroutine", login.to_owned(), format!("{login}#getClaims"), "2024-04-09"),
    ];
    assert_eq!(found, expected);

    let scratch = Scratch::new();
    let (file, out, work) =
        (scratch.file("cases.jsonl", mined.stdout.as_bytes()), scratch.0.join("out.jsonl"), scratch.0.join("work"));
    let repos = scratch.0.join("repos");
    fs::create_dir_all(&repos).expect("a folder");
    std::os::unix::fs::symlink(whole.path(), repos.join(&cases[0].repo)).expect("a link");
    let args =
        ["eval", "--cases", text(&file), "--repos", text(&repos), "--out", text(&out), "--work", text(&work), "--format", "json"];
    let first = run(&args);
    assert_eq!((first.code, first.stderr.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&first.stdout).expect("JSON");
    assert_eq!((&report["all"]["n"], &report["all"]["n_failed"]), (&3.into(), &0.into()));
    assert_eq!(report["all"]["files"]["acc_10"], 1.0);
    let n_lines = |budget: &str| report["cases"][0]["shown"][budget]["lines"]["of"].as_u64().expect("a number");
    assert!(n_lines("8000") > 0 && n_lines("8000") == n_lines("2000"));
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/packets/schema/eval.schema.json");
    let schema = serde_json::from_str(&fs::read_to_string(schema).expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert_eq!(validator.iter_errors(&report).map(|error| error.to_string()).collect::<Vec<_>>(), [""; 0]);

    // The end of the last result is torn off: that case runs again, the others do not, and nothing else changes, then and later.
    let results = fs::read_to_string(&out).expect("results");
    let start = results.trim_end().rfind('\n').expect("several") + 1;
    let torn = [start + 1, start + 2, start + 5, results.len() - 20, results.len() - 1].map(|end| results[..end].to_owned());
    for torn in torn.into_iter().chain([results[..start].to_owned() + "\"repo\": 1}"]) {
        fs::write(&out, &torn).expect("a file");
        let is_whole = torn.len() == results.len() - 1;
        for n_before in 0..2 {
            let again = run(&args);
            assert_eq!((again.code, again.stdout.as_str()), (0, first.stdout.as_str()), "{torn}: {}", again.stderr);
            let is_told = again.stderr.contains("line 3 does not end: it is taken off");
            assert_eq!(is_told, !is_whole && n_before == 0, "{torn}: {}", again.stderr);
        }
        let resumed = fs::read_to_string(&out).expect("results");
        assert_eq!(resumed, results);
    }
    // Neither the facts that were kept nor the results make a difference.
    let plain = run(&[&args[..5], &["--format", "json"]].concat());
    assert_eq!(plain.stdout, first.stdout);
    let tables = run(&args[..5]);
    assert!(
        tables.stdout.starts_with("files ")
            && tables.stdout.contains("\nbm25 ")
            && tables.stdout.contains(" l8k ")
            && tables.stdout.contains(" c8k\n"),
        "{}",
        tables.stdout
    );
}

#[test]
fn a_history_with_fewer_cases_says_so_and_whether_it_was_cut_off() {
    let whole = Replayed::new("auth-go");
    let mine = |n: &str| run(&["eval", "--repo", text(whole.path()), "--commits", n, "--mine-only"]);
    assert_eq!((mine("3").code, mine("3").stderr.as_str()), (0, ""));
    let few = "warning: of 10 cases that were asked for the history has 3: no other commit makes one";
    assert!(mine("10").stderr.contains(few) && !mine("10").stderr.contains("shallow"), "{}", mine("10").stderr);
    let cut = |at: usize| fs::write(whole.path().join(".git/shallow"), format!("{}\n", whole.commits[at])).expect("a file");
    cut(0);
    let shallow = mine("10");
    assert!(shallow.code == 0 && shallow.stderr.contains("the clone is shallow"), "{}", shallow.stderr);
    // What is cut off is gone.
    let last = whole.commits.len() - 1;
    cut(last);
    for commit in &whole.commits[..last] {
        let id = commit.to_string();
        fs::remove_file(whole.path().join(".git/objects").join(&id[..2]).join(&id[2..])).expect("a commit");
    }
    let none = mine("10");
    assert!(none.code == 2 && none.stderr.contains("has no commit that makes a case: the clone is shallow"), "{}", none.stderr);
}

#[test]
fn a_case_without_an_answer_is_tried_again() {
    let whole = Replayed::new("auth-go");
    let script = fs::read_to_string(corpus().join("auth-go.history")).expect("a history");
    let mined = run(&["eval", "--repo", text(whole.path()), "--commits", "10", "--mine-only"]);
    let cases = read_cases("mined", &mined.stdout).expect("cases");
    let ids: Vec<String> = whole.commits.iter().map(ToString::to_string).collect();
    let at = |id: &String| ids.iter().position(|commit| commit == id).expect("a commit");
    // Of the last case not even the parent is there.
    let n_there = at(&cases[2].parent);
    assert!(at(&cases[1].parent) < n_there);
    let partial = Replayed::of(&beginning(&script, n_there), &corpus().join("auth-go"));
    let scratch = Scratch::new();
    let (file, out) = (scratch.file("cases.jsonl", mined.stdout.as_bytes()), scratch.0.join("out.jsonl"));
    let link = scratch.0.join(&cases[0].repo);
    let args = ["eval", "--cases", text(&file), "--repos", text(&scratch.0), "--out", text(&out), "--quiet", "--format", "json"];
    let report = |folder: &Path| -> Value {
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(folder, &link).expect("a link");
        serde_json::from_str(&run(&args).stdout).expect("JSON")
    };
    let n_failed = |report: &Value| report["all"]["n_failed"].as_u64().expect("a number");
    let n_results = || fs::read_to_string(&out).expect("results").lines().count();
    let failed = report(partial.path());
    assert_eq!((n_failed(&failed), n_results()), (1, 3));
    // It counts as nothing shown; of the case before it the commit is not there, so nobody knows its lines.
    let lines = |at: usize, what: &str| failed["cases"][at]["shown"]["8000"]["lines"][what].as_u64().expect("a number");
    assert_eq!([lines(1, "of"), lines(2, "hits"), lines(2, "of")], [0, 0, u64::from(cases[2].changed_lines)]);
    let mean = failed["all"]["texts"][4]["lines"].as_f64().expect("a mean");
    assert!(mean > 0.0 && (mean - lines(0, "hits") as f64 / lines(0, "of") as f64 / 2.0).abs() < 1e-4, "{mean}");
    assert_eq!((n_failed(&report(partial.path())), n_results()), (1, 4));
    let found = report(whole.path());
    assert_eq!((n_failed(&found), n_results()), (0, 5));
    assert_eq!((report(whole.path()), n_results()), (found, 5));
}

#[test]
fn weights_that_were_made_worse_are_found_again() {
    let whole = Replayed::new("auth-go");
    let scratch = Scratch::new();
    // So high that files which the intent does not name are too cold to be listed.
    let worse = scratch.file("worse.json", br#"{"warm": 90000, "hot": 90000}"#);
    let (better, none) = (scratch.0.join("better.json"), scratch.0.join("none.json"));
    // Copies of one case are held out, enough to tell the result from chance.
    let mined = read_cases("mined", &run(&["eval", "--repo", text(whole.path()), "--commits", "3", "--mine-only"]).stdout)
        .expect("cases");
    let copies =
        [0, 1, 2, 1, 0, 1, 2, 1].iter().enumerate().map(|(at, case)| Case { id: format!("{at}"), ..mined[*case].clone() });
    let copies: String = copies.map(|case| serde_json::to_string(&case).expect("JSON") + "\n").collect();
    let (copies, folder) = (scratch.file("copies.jsonl", copies.as_bytes()), scratch.0.join("mined"));
    fs::create_dir_all(&folder).expect("a folder");
    std::os::unix::fs::symlink(whole.path(), folder.join(&mined[0].repo)).expect("a link");
    let args = ["tune", "--cases", text(&copies), "--repos", text(&folder), "--rounds", "3"];
    let args = |more: &[&'static str], out: &Path| -> Vec<String> {
        let args = args.iter().chain(more).map(ToString::to_string);
        args.chain(["--weights".to_owned(), text(&worse).to_owned(), "--out".to_owned(), text(out).to_owned()]).collect()
    };
    let ask = |more: &[&'static str], out: &Path| run(&args(more, out).iter().map(String::as_str).collect::<Vec<_>>());
    let found = ask(&["--only", "warm", "--no-text"], &better);
    assert_eq!((found.code, found.stderr.as_str()), (0, ""), "{}", found.stdout);
    assert!(found.stdout.contains("accepted: the half that was held out is better too"), "{}", found.stdout);
    assert_eq!(found.stdout, ask(&["--only", "warm", "--no-text"], &better).stdout);
    // What was found is better than what the search began with, and says only what differs from the defaults.
    let weights: Value = serde_json::from_str(&fs::read_to_string(&better).expect("weights")).expect("JSON");
    assert_eq!(weights.as_object().expect("an object").keys().collect::<Vec<_>>(), ["hot", "warm"]);
    let mrr = |weights: &Path| {
        let report = run(&[
            "eval",
            "--repo",
            text(whole.path()),
            "--commits",
            "10",
            "--no-text",
            "--format",
            "json",
            "--weights",
            text(weights),
        ]);
        let report: Value = serde_json::from_str(&report.stdout).expect("JSON");
        report["all"]["files"]["mrr"].as_f64().expect("a figure")
    };
    assert!(mrr(&better) > mrr(&worse));

    let nothing = ask(&["--only", "items"], &none);
    assert_eq!(nothing.code, 3, "{}", nothing.stderr);
    assert!(nothing.stdout.ends_with("no weight that was tried makes the tuned half better\n"), "{}", nothing.stdout);
    assert!(fs::metadata(&none).is_err());
    // Of two cases one cannot be opened, and then neither.
    let lost = |id: &str, parent: &str| {
        format!(r#"{{"id":"{id}","repo":"a","parent":"{parent}","intent":"fix ValidateToken","gold":["a.go"],"tier":"named"}}"#)
            + "\n"
    };
    let repos = scratch.0.join("repos");
    fs::create_dir_all(&repos).expect("a folder");
    std::os::unix::fs::symlink(whole.path(), repos.join("a")).expect("a link");
    let of_cases = |cases: String| {
        let file = scratch.file("cases.jsonl", cases.as_bytes());
        run(&["tune", "--cases", text(&file), "--repos", text(&repos), "--only", "items", "--no-text", "--out", text(&none)])
    };
    let (there, gone) = (whole.commits[5].to_string(), "0".repeat(40));
    let some = of_cases([lost("1", &there), lost("2", &there), lost("3", &gone)].concat());
    assert_eq!(some.code, 3, "{}", some.stderr);
    assert!(some.stdout.contains("1 cases cannot be opened and count as nothing found; the first: 3: "), "{}", some.stdout);
    let all = of_cases([lost("1", &there), lost("2", &gone)].concat());
    assert_eq!((all.code, all.stdout.as_str()), (2, ""));
    assert!(all.stderr.contains("none of 1 cases can be opened; the first: 2: "), "{}", all.stderr);

    let refused = ask(&["--only", "nowhere"], &none);
    assert!(refused.code == 2 && refused.stderr.contains("there is no weight below nowhere"), "{}", refused.stderr);
}

#[test]
fn what_an_evaluation_cannot_use_is_refused() {
    let scratch = Scratch::new();
    let cases = scratch.file("cases.jsonl", b"{\"id\": \"a\"}\n");
    let empty = scratch.file("empty.jsonl", b"\n");
    let away = br#"{"id":"a","repo":"../etc","parent":"0","intent":"x y","gold":["a.go"],"tier":"named"}"#;
    let away = scratch.file("away.jsonl", away);
    let junk = scratch.file("junk.jsonl", b"junk\n");
    let notes = scratch.file("notes", b"no line feed");
    let plain = br#"{"id":"a","repo":"chi","parent":"0","intent":"x y","gold":["a.go"],"tier":"named"}"#;
    let plain = scratch.file("plain.jsonl", plain);
    let repos = text(&scratch.0);
    for (args, code, says) in [
        (vec!["--cases", text(&cases), "--repos", repos], 2, "cases.jsonl` line 1: this is not a case: missing field"),
        (vec!["--cases", text(&empty), "--repos", repos], 2, "there is no case"),
        (vec!["--cases", text(&away), "--repos", repos], 4, "there is no repository `../etc`"),
        (vec!["--cases", "nowhere", "--repos", repos], 7, "`nowhere` cannot be read"),
        (vec!["--cases", text(&away), "--repos", repos, "--out", text(&junk)], 2, "line 1: this is not a result"),
        (vec!["--cases", text(&away), "--repos", repos, "--out", text(&notes)], 2, "line 1: this is not a result"),
        (vec!["--cases", text(&away), "--repos", repos, "--out", "nowhere/x"], 9, "check that the folder exists"),
        (vec!["--cases", text(&plain), "--repos", repos], 4, "looked for `chi/repo`, `chi`\n"),
        (vec!["--repo", repos, "--commits", "3"], 4, "cannot be read at a commit"),
        (vec!["--repo", repos], 2, "--commits"),
        (vec![], 2, "--repo"),
    ] {
        let ended = run(&[&["eval"], &args[..]].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (code, ""), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(says), "{args:?}: {}", ended.stderr);
    }
    assert_eq!(fs::read(&notes).expect("a file"), b"no line feed");
    // Before anything is searched, and with nothing left behind.
    let tune = |out: &Path| run(&["tune", "--cases", "nowhere", "--repos", repos, "--out", text(out)]);
    assert_eq!((tune(&scratch.0.join("none/x")).code, tune(&scratch.0.join("new")).code), (9, 7));
    assert!(fs::metadata(scratch.0.join("new")).is_err());
}

/// A table that `eval` writes of three commits: its columns, its cases, and its rows.
fn table(whole: &Replayed, flag: &str) -> (Vec<String>, Vec<Value>, Vec<Vec<i32>>) {
    let scratch = Scratch::new();
    let bytes = |name: &str| {
        let path = scratch.file(name, b"");
        let answer = run(&["eval", "--repo", text(whole.path()), "--commits", "3", flag, text(&path), "--quiet"]);
        assert_eq!((answer.code, answer.stdout.as_str(), answer.stderr.as_str()), (0, "", ""));
        fs::read(path).expect("a table")
    };
    let once = bytes("one");
    assert!(once == bytes("other"), "the same history gives the same table");
    let end = once.iter().position(|byte| *byte == b'\n').expect("a head");
    let head: Value = serde_json::from_slice(&once[..end]).expect("JSON");
    let list = |what: &str| head[what].as_array().expect("a list").clone();
    let columns: Vec<String> = list("columns").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let values: Vec<i32> =
        once[end + 1..].chunks(4).map(|chunk| i32::from_le_bytes(chunk.try_into().expect("four bytes"))).collect();
    let rows: Vec<Vec<i32>> = values.chunks(columns.len()).map(<[i32]>::to_vec).collect();
    assert_eq!(list("cases").iter().map(|case| count(case, "n_rows")).sum::<usize>(), rows.len());
    (columns, list("cases"), rows)
}

fn count(case: &Value, what: &str) -> usize {
    case[what].as_u64().expect("a number") as usize
}

#[test]
fn the_tables_of_features_have_a_row_for_each_file_or_passage_that_was_compared() {
    let whole = Replayed::new("auth-go");
    let (columns, cases, rows) = table(&whole, "--features");
    assert_eq!(columns[..5], ["gold", "answer", "place", "certain", "evidence"]);
    let gold = |rows: &[Vec<i32>]| rows.iter().map(|row| row[0]).sum::<i32>() as usize;
    let n_gold = |cases: &[Value]| cases.iter().map(|case| count(case, "n_gold")).sum::<usize>();
    assert_eq!(gold(&rows), n_gold(&cases));
    // Of passages the changed lines are gold, and no more are found than there are.
    let (columns, cases, rows) = table(&whole, "--passages");
    assert_eq!(columns[..5], ["gold", "symbol", "of lines", "bytes", "points"]);
    assert!(gold(&rows) > 0 && gold(&rows) <= n_gold(&cases) && rows.iter().all(|row| row[0] <= row[2]), "{rows:?}");
    let refused = run(&["eval", "--repo", text(whole.path()), "--commits", "3", "--features", "nowhere/table", "--quiet"]);
    assert!(refused.code == 9 && refused.stderr.contains("`nowhere/table` cannot be written"), "{}", refused.stderr);
}
