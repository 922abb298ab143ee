//! Intents over small repositories: text in, targets and cue hits out.

use super::*;
use activate_rules::weights::{Verb, Weights};
use index::base::FactBase;
use index::fixture::base;
use index::history::PastCommits;
use repo::{Commit, RepoPath, Touch};
use std::collections::BTreeSet;

const REPOSITORY: &str = "\
//- go.mod
module example.com/auth
//- internal/auth/login.go
package auth

// ValidateToken checks the signature and the expiry of a token.
func ValidateToken(token string) error {
	parsed := parseToken(token)
	return parsed.check()
}

func parseToken(token string) *Parsed { return nil }

type Parsed struct{}

func (p *Parsed) check() error { return nil }
//- internal/auth/login_test.go
package auth

import \"testing\"

func TestValidateToken(t *testing.T) { ValidateToken(\"\") }
//- internal/apikey/apikey.go
package apikey

func ValidateToken(key string) error { return nil }
//- internal/store/disk.go
package store

type Disk struct{}

func (d *Disk) Close() error { return d.flushRows() }

func (d *Disk) flushRows() error { return nil }
//- internal/store/lock_windows.go
package store

func lockFile(path string) error { return nil }
//- internal/logger/logger.go
package logger

type Logger struct{}

func (l *Logger) SkipLogs() {}

func (l *Logger) Close() {}
//- README.md
Tokens are validated by the server. The logger skips logs of healthy requests. Rows are flushed to the disk.
";

fn read_plain(base: &FactBase, text: &str) -> Intent {
    read(base, text, &Weights::default(), &PastCommits::default())
}

fn commit(subject: &str, body: &str, touched: &[&str]) -> Commit {
    let path = |path: &&str| (RepoPath::new(path).unwrap(), Touch::Modified);
    Commit {
        id: String::new(),
        time: 0,
        author: String::new(),
        subject: subject.to_owned(),
        body: body.to_owned(),
        touched: touched.iter().map(path).collect(),
        n_touched: touched.len() as u32,
        bulk: false,
    }
}

/// `how id share confidence` of each target.
fn targets(base: &FactBase, intent: &Intent) -> Vec<String> {
    let line = |target: &Target| {
        let (share, confidence) = (target.share.get(), target.confidence.get());
        format!("{:?} {} {share} {confidence}", target.how, base.id(target.node))
    };
    intent.targets.iter().map(line).collect()
}

/// The nodes for which most is said, best first.
fn best(base: &FactBase, intent: &Intent, n: usize) -> Vec<String> {
    let weights = Weights::default();
    let mut evidence: Vec<(u64, NodeId)> = Vec::new();
    for part in &intent.cue_hits {
        let doubt = 1_000_000 - u64::from(weights.cues.of(part.cue).times(part.strength).get());
        match evidence.last_mut() {
            Some((known, node)) if *node == part.node => *known = *known * doubt / 1_000_000,
            _ => evidence.push((doubt, part.node)),
        }
    }
    evidence.sort_unstable();
    evidence.iter().take(n).map(|(_, node)| base.id(*node)).collect()
}

#[test]
fn places_and_names_become_targets() {
    let base = base(REPOSITORY);
    let check = |text: &str, expected: &[&str], certainty: Certainty| {
        let intent = read_plain(&base, text);
        assert_eq!(targets(&base, &intent), expected, "{text}");
        assert_eq!(intent.certainty, certainty, "{text}");
    };
    let (login, strong) = ("internal/auth/login.go", Certainty::Strong);
    check("fix parseToken", &["Exact internal/auth/login.go#parseToken 1000 1000"], strong);
    check(
        "internal/auth/login.go:6 panics",
        &[&format!("PathLine {login}#ValidateToken 1000 1000"), &format!("PathLine {login} 1000 1000")],
        strong,
    );
    check("explain auth/login.go", &[&format!("Path {login} 1000 1000")], strong);
    check("auth.ValidateToken is slow", &[&format!("Qualified {login}#ValidateToken 1000 1000")], strong);
    check("rename parse_token", &[&format!("CaseInsensitive {login}#parseToken 900 900")], strong);
    check("what does (*Disk).Close do", &["Qualified internal/store/disk.go#Disk.Close 1000 1000"], strong);
    check("the output of Logger is lost", &["Exact internal/logger/logger.go#Logger 1000 1000"], strong);
    check(
        "rename ValidateToken",
        &["Exact internal/apikey/apikey.go#ValidateToken 500 500", "Exact internal/auth/login.go#ValidateToken 500 500"],
        Certainty::Weak,
    );
    let picked = "Exact internal/auth/login.go#ValidateToken 1000 900";
    check("fix ValidateToken in package auth", &[picked], strong);
    check("fix(auth): ValidateToken", &[picked], strong);
    check("ValidateToken and parseToken", &[picked, "Exact internal/auth/login.go#parseToken 1000 1000"], strong);
    check("`internal/apikey/` ValidateToken", &["Exact internal/apikey/apikey.go#ValidateToken 1000 900"], strong);
}

#[test]
fn a_word_that_is_a_verb_too_is_a_name_only_alone_or_in_quotes() {
    let base = base(
        "//- client/run.go\npackage client\n\nfunc handle() {}\n\nfunc Copy() {}\n\n// timeouts of requests\nfunc wait() {}\n\
         //- client/run_test.go\npackage client\n\nimport \"testing\"\n\nfunc check(t *testing.T) {}\n",
    );
    let (handle, copy) = ("Exact client/run.go#handle 1000 1000", "Exact client/run.go#Copy 1000 1000");
    let cases: [(&str, &[&str], Verb); 10] = [
        ("handle", &[handle], Verb::Other),
        ("`handle`", &[handle], Verb::Other),
        (" Copy?\n", &[copy], Verb::Other),
        ("copy", &[], Verb::Other),
        ("wait for `handle`", &[handle], Verb::Other),
        ("explain \"handle\"", &[handle], Verb::Explain),
        ("'handle' sorts rows", &[handle], Verb::Other),
        ("handle timeouts in client", &[], Verb::Fix),
        ("Copy timeouts to the client", &[], Verb::Other),
        ("review", &[], Verb::Review),
    ];
    for (text, expected, verb) in cases {
        let intent = read_plain(&base, text);
        assert_eq!(
            (targets(&base, &intent), intent.verb),
            (expected.iter().map(|id| (*id).to_owned()).collect(), verb),
            "{text}"
        );
        assert!(intent.unknown.is_empty(), "{text}");
    }
}

#[test]
fn what_a_text_spells_out_is_told_from_names_that_may_be_words() {
    let base = base(REPOSITORY);
    let spelled_out = |text: &str| {
        let targets = read_plain(&base, text).targets;
        targets
            .iter()
            .map(|target| (target.text.clone(), target.is_spelled_out))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    };
    let one = |name: &str, is: bool| vec![(name.to_owned(), is)];
    assert_eq!(spelled_out("fix `flushRows`"), one("flushRows", true));
    assert_eq!(spelled_out("the fix for Disk is slow"), one("Disk", false));
    assert_eq!(spelled_out("fix `flushrows`"), one("flushrows", false));
    assert_eq!(spelled_out("fix internal/store/disk.go"), one("internal/store/disk.go", true));
    // In a long text only the title spells out.
    let long =
        format!("Rows are lost\n\n{} and then `flushRows` ends.", "The server stops while rows are written to it. ".repeat(12));
    assert_eq!(spelled_out(&long), one("flushRows", false));
    assert_eq!(spelled_out(&long.replace("flushRows", "Disk.flushRows")), one("Disk.flushRows", true));
    assert_eq!(spelled_out(&long.replace("Rows are lost", "`flushRows` loses rows")), one("flushRows", true));
}

#[test]
fn a_trace_gives_its_frames_innermost_first() {
    let base = base(REPOSITORY);
    let text = "panic: nil\n\ngoroutine 1 [running]:\nexample.com/auth/internal/auth.(*Parsed).check(0x0)\n\t/srv/x/internal/auth/login.go:13 +0x3b\n\
                example.com/auth/internal/auth.ValidateToken(...)\n\t/srv/x/internal/auth/login.go:6 +0x3b\nruntime.main()\n\t/usr/local/go/src/runtime/proc.go:6 +0x1\n";
    let intent = read_plain(&base, text);
    let expected = [
        "Frame internal/auth/login.go#Parsed.check 1000 1000",
        "Frame internal/auth/login.go 1000 1000",
        "Frame internal/auth/login.go#ValidateToken 950 1000",
    ];
    assert_eq!(targets(&base, &intent), expected);
    assert_eq!((intent.verb, intent.unknown.len()), (Verb::Fix, 0));
}

#[test]
fn numbered_frames_are_resolved_by_their_paths_and_others_are_silent() {
    let base = base(
        "//- src/main.rs\nmod auth;\nfn main() {}\n//- src/auth.rs\npub struct Book;\nimpl Book {\n    pub fn end(&self) {}\n}\npub fn end() {}\n\
         //- src/panicking.rs\npub fn panic_fmt() {}\npub fn unwrap() {}\n//- src/result.rs\npub fn unwrap() {}\n",
    );
    let text = "thread 'main' panicked at /rustc/1a2b/library/core/src/option.rs:4:5:\nno book of that name\nstack backtrace:\n   0: rust_begin_unwind\n\
                   1: core::panicking::panic_fmt\n   2: core::result::unwrap\n   3: <shop::auth::Book as shop::Session>::end::{{closure}}\n\
                   4: shop::auth::Missing::end\n   5: shop::main\n  12: std::rt::lang_start\n  13: main\n";
    let intent = read_plain(&base, text);
    assert_eq!(targets(&base, &intent), ["Frame src/auth.rs#Book.end 1000 900", "Frame src/main.rs#main 950 900"]);
    assert_eq!((intent.ambiguous.len(), intent.unknown.len(), intent.certainty), (0, 0, Certainty::Strong));
    let words: Vec<&str> = intent.cue_hits.iter().flat_map(|part| &part.words).map(String::as_str).collect();
    assert!(words.contains(&"book") && !words.contains(&"panicking") && !words.contains(&"unwrap"), "{words:?}");
}

#[test]
fn words_are_certain_only_where_several_tell_files_apart_and_more_than_text_agrees() {
    let docs = (0..20).map(|n| format!("//- docs/d{n}.md\nrequest\n")).collect::<Vec<_>>().concat();
    let base = base(&format!(
        "{docs}//- gateway/retry.go\npackage gateway\n\n// Backoff waits longer after each failed request.\nfunc Backoff() {{}}\n\
         //- gateway/pool.go\npackage gateway\n\n// Jitter spreads the load of a request.\nfunc Spread() {{}}\n"
    ));
    let cases = [
        ("backoff", Certainty::Weak),             // one word, however rare
        ("backoffs of backoff", Certainty::Weak), // two forms of it
        ("retry request", Certainty::Weak),       // the other stands in every file
        ("jitter and load", Certainty::Weak),     // two rare words, said by one text alone
        ("retry after backoff", Certainty::Strong),
    ];
    for (text, certainty) in cases {
        let intent = read_plain(&base, text);
        assert_eq!((intent.certainty, intent.targets.len()), (certainty, 0), "{text}");
    }
}

#[test]
fn words_find_files_and_the_definitions_in_them() {
    let base = base(REPOSITORY);
    let check = |text: &str, expected: &[&str]| {
        let intent = read_plain(&base, text);
        assert_eq!(intent.targets, [], "{text}");
        let best = best(&base, &intent, 4);
        assert!(expected.iter().all(|id| best.iter().any(|other| other == id)), "{text}: {best:?}");
    };
    check("ability to skip logs", &["internal/logger/logger.go#Logger.SkipLogs", "internal/logger/logger.go"]);
    check("rows are not flushed when the store closes", &["internal/store/disk.go", "internal/store/disk.go#Disk.flushRows"]);
    check(
        "fix(store): two servers lock the same file on Windows",
        &["internal/store/lock_windows.go", "internal/store/lock_windows.go#lockFile"],
    );
    check("say in the readme that tokens are validated", &["README.md"]);
}

#[test]
fn what_is_not_there_is_said() {
    let base = base(REPOSITORY);
    let intent = read_plain(&base, "fix ValidateTokn and missing/thing.go and fmt.Errorf");
    let unknown: Vec<_> = intent.unknown.iter().map(|unknown| (unknown.name.as_str(), unknown.nearest.join(" "))).collect();
    assert_eq!(unknown[0], ("ValidateTokn", "ValidateToken".to_owned()));
    assert_eq!(unknown[1].0, "missing/thing.go");
    let said_twice = |intent: &Intent| {
        let advice = intent.advice.join(" ");
        let mut names =
            intent.unknown.iter().map(|unknown| &unknown.name).chain(intent.ambiguous.iter().map(|shared| &shared.name));
        names.any(|name| advice.contains(name.as_str()) || advice.contains(&name.to_lowercase()))
    };
    assert!(!said_twice(&intent) && !said_twice(&read_plain(&base, "rename ValidateToken")));
    let nothing = read_plain(&base, "qqzzq_wwxxw kafka");
    assert!(nothing.unknown.len() == 1 && nothing.advice[0].contains("any of: kafka."), "{:?}", nothing.advice);
    let intent = read_plain(&base, "upgrade the kafka consumer group rebalance strategy");
    assert_eq!((intent.certainty, intent.cue_hits.len(), intent.targets.len()), (Certainty::None, 0, 0));
    assert!(intent.advice[0].starts_with("Nothing was found") && intent.advice[0].contains("kafka"), "{:?}", intent.advice);
    let intent = read_plain(&base, "");
    assert_eq!((intent.certainty, intent.advice.len()), (Certainty::None, 1));
    let intent = read_plain(&base, "internal/auth/login.go:999 panics");
    assert!(intent.advice.iter().any(|advice| advice.contains("does not have")), "{:?}", intent.advice);
}

#[test]
fn ambiguous_names_list_their_candidates_and_many_definitions_are_no_targets() {
    let base = base(REPOSITORY);
    let intent = read_plain(&base, "rename ValidateToken");
    assert_eq!((intent.ambiguous[0].candidates.len(), intent.settles(&intent.ambiguous[0])), (2, false));
    assert_eq!(intent.advice, ["Add the path or the type to each ambiguous name."]);
    let intent = read_plain(&base, "rename ValidateToken in apikey");
    assert!(intent.settles(&intent.ambiguous[0]) && intent.advice.is_empty(), "{:?}", intent.advice);
    let many = (0..12)
        .map(|n| format!("//- p{n}/a.go\npackage p{n}\nfunc OpenAll() {{}}\nfunc reopen() {{}}\n"))
        .collect::<Vec<_>>()
        .concat();
    let many = index::fixture::base(&many);
    let intent = read_plain(&many, "rename OpenAll");
    assert_eq!((intent.targets.len(), intent.ambiguous[0].n_all, intent.certainty), (0, 12, Certainty::Weak));
    assert_eq!(read_plain(&many, "it says 'reopen' again").ambiguous, []);
    assert_eq!(targets(&many, &read_plain(&many, "rename OpenAll in p7")), ["Exact p7/a.go#OpenAll 1000 900"]);
}

#[test]
fn commits_like_the_intent_speak_for_their_files() {
    let base = base(REPOSITORY);
    let file = |path: &str| base.file_at(path).unwrap();
    let past = PastCommits::new(vec![
        commit("Race with logout", "the cache of sessions", &["internal/logger/logger.go", "README.md"]),
        commit("Session cache forgets entries", "", &["internal/store/disk.go"]),
    ]);
    let intent = read(&base, "session cache entries vanish", &Weights::default(), &past);
    let history: Vec<_> = intent.cue_hits.iter().filter(|part| part.cue == Cue::History).collect();
    assert_eq!(history.iter().max_by_key(|part| part.strength).map(|part| part.node), Some(file("internal/store/disk.go")));
    assert!(history.iter().any(|part| part.words.iter().any(|word| word == "cache")));
}

#[test]
fn any_text_is_read_in_bounded_time_with_the_same_result() {
    let empty = base("");
    // Blanks of other scripts before what begins a patch, and a hundred thousand brackets.
    for start in ["\u{a0}", "\u{3000}", "\u{b}", "\u{c}"] {
        read_plain(&empty, &format!("{start}diff --git a/x b/x"));
        read_plain(&empty, &format!("{start}--- a\n+++ b"));
    }
    for text in ["( ", ": ", "(", ")"] {
        read_plain(&empty, &text.repeat(100_000));
    }
    let base = base(REPOSITORY);
    let junk = [
        "(((([[[`".repeat(130_000),
        "a/b.go:1 ".repeat(120_000),
        (0..90_000).map(|n| format!("Type{n}.method_{n}")).collect::<Vec<_>>().join(" "),
        "\u{1b}[".repeat(9999),
    ];
    for text in &junk {
        let (first, second) = (read_plain(&base, text), read_plain(&base, text));
        assert!(first.targets.len() <= bounds::MAX_MENTIONS * 2 && first.unknown.len() <= bounds::MAX_UNKNOWN);
        assert_eq!((first.cue_hits, first.targets, first.advice), (second.cue_hits, second.targets, second.advice));
    }
}

#[test]
fn a_type_is_meant_before_a_file_called_alike_and_a_line_above_a_definition_means_it() {
    let code = "package m\n\ntype Routes interface {\n\tHandle()\n}\n\ntype Group struct{}\n\n// Handle registers.\n\
                // It may panic.\nfunc (g *Group) Handle() {}\n";
    let base = base(&format!("//- group.go\n{code}//- go.mod\nmodule m\n"));
    let located = super::locate(&base, "Group.Handle").expect("a target");
    assert_eq!(located.iter().map(|node| base.id(*node)).collect::<Vec<_>>(), ["group.go#Group.Handle"]);
    let file = base.file_at("group.go").expect("a file");
    let below = |line| base.symbol_below(file, line, 60).map(|node| base.id(node));
    assert_eq!(below(9).as_deref(), Some("group.go#Group.Handle"));
    assert_eq!(below(11), None);
}

#[test]
fn targets_of_commands_are_located_or_refused_with_what_is_nearest() {
    let base = base(REPOSITORY);
    let locate = |text: &str| match super::locate(&base, text) {
        Ok(nodes) => nodes.iter().map(|node| base.id(*node)).collect::<Vec<_>>().join(" "),
        Err(error) => format!("{error}"),
    };
    let forms = "give `path`, `path:line`, `path#Type.method` or a name";
    let cases = [
        ("internal/auth/login.go", "internal/auth/login.go"),
        ("login.go#parseToken", "internal/auth/login.go#parseToken"),
        ("auth/login.go:6", "internal/auth/login.go#ValidateToken"),
        ("login.go:1", "internal/auth/login.go"),
        (" Disk.Close ", "internal/store/disk.go#Disk.Close"),
        ("no such thing", &format!("no file and no definition of this repository is named `no such thing`; {forms}")),
        (
            "auth.ValidateTokn",
            &format!(
                "no file and no definition of this repository is named `auth.ValidateTokn`; the nearest names are `ValidateToken`; {forms}"
            ),
        ),
        (
            "src/logn.go",
            &format!(
                "no file of this repository has the path `src/logn.go`, or a path that ends like this; the nearest paths are `internal/auth/login.go`; {forms}"
            ),
        ),
        (
            "src/logn.go#Close",
            &format!(
                "no file of this repository has the path `src/logn.go`, or a path that ends like this; the nearest paths are `internal/auth/login.go`; {forms}"
            ),
        ),
        ("login.go:99", "`internal/auth/login.go` has no line 99; give one from 1 to 13, or the path alone"),
        ("login.go:0", "`internal/auth/login.go` has no line 0; give one from 1 to 13, or the path alone"),
        (
            "login.go#parseTokn",
            "`internal/auth/login.go` defines no `parseTokn`; the nearest ids are `internal/auth/login.go#parseToken`; give the id of a definition, or the path alone",
        ),
        (
            "login.go#Close",
            "`internal/auth/login.go` defines no `Close`; the nearest ids are `internal/logger/logger.go#Logger.Close`, `internal/store/disk.go#Disk.Close`; give the id of a definition, or the path alone",
        ),
        (
            "internal/store",
            "`internal/store` is a folder, and only files and definitions have scores; give one of its 2 files, such as \
             `internal/store/disk.go`, `internal/store/lock_windows.go`",
        ),
        (
            "store/",
            "`store/` is a folder, and only files and definitions have scores; give one of its 2 files, such as `internal/store/disk.go`, `internal/store/lock_windows.go`",
        ),
        ("", &format!("the target is empty; {forms}")),
    ];
    for (text, expected) in cases {
        assert_eq!(locate(text), expected, "{text}");
    }
    let twice = index::fixture::base(
        "//- src/a.go\npackage src\n//- src/a_test.go\npackage src\nfunc src() {}\n//- run/run.go\npackage run\nfunc run() {}\n",
    );
    assert!(super::locate(&twice, "src").is_err() && super::locate(&twice, "run").is_ok());
    assert!(locate(".").starts_with("`.` is a folder") && locate("./").starts_with("`./` is a folder"));
}

#[test]
fn text_without_blanks_finds_names_and_comments() {
    let base = base(&format!("{REPOSITORY}//- src/pool.go\npackage src\n\n// 重试连接\nfunc open() {{}}\n"));
    let cases = [
        ("修复logger的输出", Verb::Fix, "internal/logger/logger.go"),
        ("请问parseToken为什么不缓存？", Verb::Explain, "internal/auth/login.go"),
        ("连接断开时没有重试", Verb::Other, "src/pool.go"),
    ];
    for (text, verb, file) in cases {
        let intent = read_plain(&base, text);
        assert_eq!((intent.verb, intent.files.first().map(|file| base.path(*file))), (verb, Some(file)), "{text}");
    }
    assert_eq!(read_plain(&base, "咖啡机坏了").certainty, Certainty::None);
}

#[test]
fn a_reply_shows_by_its_words_alone() {
    for text in ["yes, go on", "ok", "OK!", "thanks, looks good", "Nein.", "do it", "both of them please"] {
        assert!(crate::asks_nothing(text), "{text}");
    }
    for text in
        ["fix login", "ValidateToken", "handle_error", "yes, see auth/token.go", "why?", "the `token` one", "retry: ok", "v2"]
    {
        assert!(!crate::asks_nothing(text), "{text}");
    }
}
