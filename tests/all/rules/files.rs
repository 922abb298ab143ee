//! Files of rules and packets: pins in packs, what is kept of rules with a packet, and which files of the configuration are read.

use super::{house, repository};
use crate::cli::{Scratch, command_keeping, ended, run};

#[test]
fn pins_of_rules_are_in_packs_where_there_is_room_and_said_to_be_of_rules() {
    let long = format!("# m\n\n{}", "What is said here takes a line.\n".repeat(400));
    let code = ("a.go", "package m\n\nfunc Load() int { return 1 }\n\nfunc Save() int { return 2 }\n");
    let texts = ["one.md", "two.md", "three.md", "four.md", "five.md"].map(|path| (path, long.as_str()));
    let files = [&[("go.mod", "module example.com/m\n"), code, ("b.md", "# b\n")], &texts[..]].concat();
    let repository = repository(&[&files]);
    let scratch = Scratch::new();
    let all = scratch.file("all.dl", b"pin(F) :- file(F).").display().to_string();
    let few = scratch.file("few.dl", b"\npin(\"b.md\").\npin(\"a.go#Save\").").display().to_string();
    let of = |kind: &str, rules: &str, more: &[&str]| {
        let root = repository.path().display().to_string();
        let args = ["--repo", &root, "--no-cache", "--no-state", "--quiet", "--intent", "fix Load", "--packet", kind];
        let ended = run(&[&args[..], &["--format", "json", "--rules", rules], more].concat());
        assert_eq!(ended.code, 0, "{kind}: {}", ended.stderr);
        serde_json::from_str::<serde_json::Value>(&ended.stdout).expect("a packet")
    };
    for kind in ["manifest", "hydrated"] {
        let packet = of(kind, &all, &["--pin", "b.md"]);
        // The longest is left out, and all others are there.
        let others = ["b.md", "a.go", "five.md", "four.md", "go.mod", "one.md", "three.md"];
        assert_eq!(packet["pinned_sources"], serde_json::json!(others), "{kind}");
        assert!(packet["problems"].to_string().contains("1 pin of rules has no room in 40 files"), "{kind}: {packet}");
        let packet = of(kind, &few, &[]);
        assert_eq!(packet["pinned_sources"], serde_json::json!(["b.md", "a.go:5-5"]), "{kind}");
        let entries = packet["file_entries"].as_array().expect("entries");
        let pinned = entries.iter().filter(|entry| entry["tier"] == "pinned").map(|entry| &entry["why"]);
        assert_eq!(pinned.collect::<Vec<_>>(), ["rule few.dl:2", "rule few.dl:3"], "{kind}");
        // Who writes a rule does not vouch for what it finds.
        assert!(!packet.to_string().contains("\"trusted\""), "{kind}: {packet}");
    }
    assert!(of("context-pack", &all, &[])["items"].is_array());
}

#[test]
fn what_rules_took_part_in_is_not_explained_without_them() {
    let (repository, scratch, files) = house(&[
        ("ev.dl", "evidence(\"README.md\", 700) :- target(_)."),
        ("config/activate/rules/own.dl", "evidence(\"b.go\", 700) :- target(_)."),
    ]);
    let root = repository.path().display().to_string();
    let folder = scratch.file("x", b"").parent().expect("a folder").to_owned();
    let activate =
        |args: &[&str]| ended(&mut command_keeping(&folder, &[args, &["--repo", &root, "--no-cache", "--quiet"]].concat()));
    let sent = |more: &[&str]| {
        let json = activate(&[&["--intent", "fix Load", "--format", "json"], more].concat()).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("a packet");
        json["pack_id"].as_str().expect("an id").to_owned()
    };
    let id = sent(&["--rules", &files[0]]);
    for args in [&["why", "README.md"][..], &["why", "README.md", "--not", "--pack", &id], &["packet", "rebuild", &id]] {
        let ended = activate(args);
        assert!(ended.code != 0 && ended.stdout.is_empty(), "{args:?}: {}", ended.stdout);
        assert!(ended.stderr.contains("with rules that are not kept (`ev.dl`)"), "{args:?}: {}", ended.stderr);
    }
    for flag in [&["--rules", &files[0]][..], &["--no-user-rules"]] {
        let (why, pack) = (["why", "README.md"], ["why", "README.md", "--not", "--pack", &id]);
        let ended = [activate(&[&why, flag].concat()), activate(&[&pack[..], flag].concat())];
        assert!(ended[0].stderr.contains("say with `--intent` what to do"), "{flag:?}: {}", ended[0].stderr);
        assert!(ended[1].stderr.contains("cannot be used with"), "{flag:?}: {}", ended[1].stderr);
    }
    // Rules of the configuration take part again, or again do not.
    for (more, is_by_rule) in [(&[][..], true), (&["--no-user-rules"], false)] {
        let id = sent(more);
        let why = activate(&["why", "b.go"]);
        assert_eq!((why.code, why.stdout.contains("own.dl:1")), (0, is_by_rule), "{more:?}: {}{}", why.stdout, why.stderr);
        let not = activate(&["why", "b.go", "--not", "--pack", &id]);
        assert!(not.code == 0 && !not.stdout.contains("would be different"), "{more:?}: {}", not.stdout);
    }
}

#[test]
#[cfg(unix)]
fn only_regular_files_of_the_configuration_are_rules() {
    let (repository, scratch, files) = house(&[("a.txt", "item(/supervisor, \"by a link\", X, 90) :- target(X).")]);
    let folder = scratch.file("config/activate/rules/x.txt", b"").parent().expect("a folder").to_owned();
    std::os::unix::fs::symlink(&files[0], folder.join("a.dl")).expect("a link");
    let made = std::process::Command::new("mkfifo").arg(folder.join("f.dl")).status();
    assert!(made.expect("mkfifo").success());
    std::os::unix::fs::symlink("/dev/zero", folder.join("z.dl")).expect("a link");
    let root = repository.path().display().to_string();
    let args = ["--repo", &root, "--no-cache", "--no-state", "--quiet", "--wait", "20", "--intent", "fix Load"];
    let top = scratch.file("x", b"").parent().expect("a folder").to_owned();
    let answer = ended(&mut command_keeping(&top, &args)).stdout;
    assert!(answer.contains("by a link (for Load; rule a.dl:1)"), "{answer}");
    for name in ["f.dl", "z.dl"] {
        let problem = format!("rules: {name}: it is not a regular file; nothing of this file is used");
        assert!(answer.contains(&problem), "{answer}");
    }
}
