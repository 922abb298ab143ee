//! The first words that somebody types: intents without a flag, help, mistakes, numbers, completions, manual pages, and the second name.

use crate::cli::{Ended, FIX, Scratch, command, ended, run, run_with};
use crate::replay::corpus;
use expect_test::expect_file;
use std::path::{Path, PathBuf};
use std::process::Command;

const WORDS: &str = "fix ValidateToken in internal/auth";

fn go() -> String {
    corpus().join("auth-go").to_str().expect("text").to_owned()
}

/// Runs on a repository, with nothing kept.
fn on_go(args: &[&str]) -> Ended {
    run(&[args, &["--repo", &go(), "--no-cache", "--no-state", "--quiet"]].concat())
}

#[test]
fn words_are_the_intent_as_by_the_flag() {
    let flag = on_go(&["--intent", WORDS]);
    assert_eq!((flag.code, flag.stderr.as_str()), (0, ""));
    assert_eq!(on_go(&[WORDS]), flag);
    assert_eq!(on_go(&WORDS.split(' ').collect::<Vec<_>>()), flag);
    assert_eq!(run_with(WORDS.as_bytes(), &["-", "--repo", &go(), "--no-cache", "--no-state", "--quiet"]), flag);
    // One word that is no command, nor nearly one, is an intent; nothing more is said of it.
    assert_eq!(on_go(&["ValidateToken"]), on_go(&["--intent", "ValidateToken"]));
    assert_eq!(on_go(&["zzzqqq"]), on_go(&["--intent", "zzzqqq"]));
    // Behind `--` a word is no command.
    let escaped = run(&["--repo", &go(), "--no-cache", "--no-state", "--quiet", "--", "why"]);
    assert_eq!(escaped, on_go(&["--intent", "why"]));
}

#[test]
fn wrong_first_words_are_errors_of_usage_that_say_what_was_meant() {
    for (args, says) in [
        (&["wyh"][..], "there is no command `wyh`; did you mean `why`?"),
        (&["wyh", "internal/auth/login.go", "--not", "--intent", "x"], "did you mean `why`?"),
        (&["--budget", "8k", "chekc"], "did you mean `check`?"),
        (&["--budget", "8k", "why", "login.go"], "the command `why` stands before its flags"),
        (&["help", "wyh"], "did you mean `why`?"),
        (&["help", "packet", "wrker"], "there is no command `packet wrker`; there are "),
        (&[WORDS, "--intent", "x"], "cannot be used with"),
        (&[" "], "the intent is empty"),
        (&[], "say what is to be done, such as `activate \"fix ValidateToken\"`"),
    ] {
        let answer = run(args);
        assert_eq!((answer.code, answer.stdout.as_str()), (2, ""), "{args:?}: {}", answer.stderr);
        assert!(answer.stderr.contains(says), "{args:?}: {}", answer.stderr);
    }
}

#[test]
fn only_errors_of_usage_point_at_the_help_and_at_that_of_the_command() {
    let scratch = Scratch::new();
    let weights = scratch.file("weights.json", b"{\"gaet\": 1}");
    let weights = weights.to_str().expect("text");
    for (args, hint) in [
        (&["wyh"][..], "`activate --help` says what is accepted"),
        (&[WORDS, "--format", "json", "--template", "x"], "`activate --help` says what is accepted"),
        (&["check", "--format", "facts"], "`activate check --help` says what is accepted"),
        (&["packet", "trim", "12345678"], "`activate packet trim --help` says what is accepted"),
        (&[], "`activate --help` says what is accepted"),
    ] {
        let answer = run(args);
        assert!(answer.code == 2 && answer.stderr.contains(hint), "{args:?}: {}", answer.stderr);
    }
    for args in [
        &[WORDS, "--weights", weights][..],
        &[WORDS, "--pin", "none.go"],
        &["why", "ValidateTokn", "--intent", WORDS],
        &["read", "none.go"],
    ] {
        let answer = run(&[args, &["--repo", &go(), "--no-cache"]].concat());
        assert!(answer.code == 2 && !answer.stderr.contains("--help"), "{args:?}: {}", answer.stderr);
        assert!(!answer.stderr.contains("activate: \n"), "{args:?}: {}", answer.stderr);
    }
}

#[test]
fn thousands_are_tokens_and_lines_wherever_those_are_asked_for() {
    assert_eq!(on_go(&[WORDS, "--budget", "1.5k"]), on_go(&[WORDS, "--budget", "1500"]));
    let pack = |lines| on_go(&[WORDS, "--packet", "manifest", "--max-lines", lines]);
    assert_eq!(pack("0.2k"), pack("200"));
    for (args, expected) in [
        (&[WORDS, "--budget", "many"][..], "write a number of tokens from 1 to 80000, such as 20, 2000, 8k or 1.5k"),
        (&[WORDS, "--budget", "-5"], "write a number of tokens from 1 to 80000"),
        (&[WORDS, "--budget", "81k"], "a packet has at most 80000, what 128,000 leave"),
        (&["hook", "--budget", "8.5"], ""),
        (&["why", "login.go", "--not", "--budget", "0", "--intent", WORDS], "write a number of tokens from 1 to 80000"),
        (&[WORDS, "--packet", "manifest", "--max-lines", "x"], "write a number of lines from 1 to 200000"),
        (&["packet", "trim", "12345678", "--max-lines", "x"], "write a number of lines from 1 to "),
        (&["packet", "worker", "--task", "t", "--state-lines", "x"], "write a number of lines from "),
        (&["ctx", "logs", "12345678", "--tail", "x"], "`--tail` takes a whole number, such as 20 or 1.5k"),
    ] {
        let answer = run(args);
        let is_hook = args[0] == "hook";
        assert!(answer.code == if is_hook { 0 } else { 2 } && answer.stderr.contains(expected), "{args:?}: {}", answer.stderr);
    }
}

#[test]
fn help_is_a_command_too() {
    assert_eq!(run(&["help"]), run(&["-h"]));
    assert_eq!(run(&["help", "why"]), run(&["why", "--help"]));
    assert_eq!(run(&["help", "packet", "worker"]), run(&["packet", "worker", "--help"]));
    let answer = run(&["-h"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    // A feature alone brings the command of fleets.
    let lines = answer.stdout.split_inclusive('\n').filter(|line| !line.starts_with("  Fleets:"));
    expect_file!["first_words/help.txt"].assert_eq(&lines.collect::<String>());
    assert_eq!(run(&["--plain", "-h"]).stdout, answer.stdout);
}

#[test]
fn flags_about_where_to_read_and_keep_are_taken_by_every_command() {
    let scratch = Scratch::new();
    let folder = |name: &str| scratch.0.join(name).to_str().expect("text").to_owned();
    let (state, cache) = (folder("state"), folder("cache"));
    let common =
        ["--repo", &go(), "--state", &state, "--cache", &cache, "--threads", "1", "--memory", "512", "--quiet", "--plain"];
    let session = folder("session.json");
    for args in [
        &[WORDS][..],
        &["facts", "--relation", "tests"],
        &["facts", "--relation", "tests", "--format", "json"],
        &["check"],
        &["why", "ValidateToken", "--intent", WORDS],
        &["read", "go.mod"],
        &["doctor"],
        &["redact"],
        &["cache"],
        &["session", "new", &session],
        &["session", "show", &session],
        &["completions", "fish"],
    ] {
        let answer = run(&[args, &common].concat());
        assert_eq!(answer.code, 0, "{args:?}: {}", answer.stderr);
    }
}

/// What the script of a shell is offered for the last of these words.
fn completed(words: &[&str], folder: &Path) -> Vec<String> {
    let mut command = command(&[&["--", "activate"], words].concat());
    command.env("ACTIVATE_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", words.len().to_string()).env("_CLAP_IFS", "\n");
    let answer = ended(command.current_dir(folder));
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{words:?}");
    answer.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn shells_complete_commands_flags_and_values() {
    let scratch = Scratch::new();
    let offered = |words: &[&str]| completed(words, &scratch.0);
    assert_eq!(offered(&["wh"]), ["why"]);
    assert_eq!(offered(&["packet", "wor"]), ["worker"]);
    assert_eq!(offered(&["why", "--inte"]), ["--intent"]);
    assert_eq!(offered(&["--format", ""]), ["text", "json", "facts"]);
    assert!(!offered(&[""]).iter().any(|name| name == "man"), "what is hidden is not offered");
    // Flags that a command takes without use are not offered.
    assert!(!offered(&["redact", "--"]).iter().any(|flag| flag == "--cache"));
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = run(&["completions", shell]);
        assert!(script.code == 0 && script.stdout.contains("ACTIVATE_COMPLETE"), "{shell}: {script:?}");
    }
    expect_file!["first_words/activate.bash"].assert_eq(&run(&["completions", "bash"]).stdout);
    let unknown = run(&["completions", "tcsh"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("bash, zsh, fish, powershell"), "{}", unknown.stderr);
}

#[test]
fn every_command_has_a_manual_page() {
    let scratch = Scratch::new();
    let folder = scratch.0.to_str().expect("text");
    let answer = run(&["man", folder]);
    assert_eq!((answer.code, answer.stdout.as_str(), answer.stderr.as_str()), (0, "", ""));
    let page = |name: &str| std::fs::read_to_string(scratch.0.join(format!("{name}.1"))).unwrap_or_default();
    assert_eq!(page("activate"), run(&["man"]).stdout);
    assert_eq!(page("activate-context"), ".so man1/activate.1\n");
    for name in ["activate", "activate-why", "activate-packet-worker", "activate-completions"] {
        assert!(page(name).contains(".SH NAME") && page(name).is_ascii(), "{name}");
    }
    assert!(!scratch.0.join("activate-man.1").exists());
    expect_file!["first_words/activate-cache.1"].assert_eq(&page("activate-cache"));
    let nowhere = run(&["man", &format!("{folder}/none")]);
    assert!(nowhere.code == 9 && nowhere.stderr.contains("cannot be written"), "{}", nowhere.stderr);
}

/// The program under another name.
fn linked(scratch: &Scratch, name: &str) -> PathBuf {
    let link = scratch.0.join(name);
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_activate"), &link).expect("a link");
    link
}

#[test]
fn the_program_answers_by_its_second_name_which_its_usage_names() {
    let scratch = Scratch::new();
    let second = linked(&scratch, "activate-context");
    let other = linked(&scratch, "other");
    let by = |program: &Path, args: &[&str]| ended(Command::new(program).args(args).env("XDG_CONFIG_HOME", &scratch.0));
    let go = go();
    let args = [&FIX[..], &["--repo", &go, "--no-cache", "--no-state"]].concat();
    assert_eq!(by(&second, &args).stdout, run(&args).stdout);
    assert!(by(&second, &["-h"]).stdout.contains("Usage: activate-context [FLAGS] WORDS...\n       activate-context COMMAND"));
    assert!(by(&second, &["why", "--help"]).stdout.contains("Usage: activate-context why "));
    assert!(by(&second, &["session", "campaign", "--help"]).stdout.contains("Usage: activate-context session campaign "));
    assert!(by(&second, &["why"]).stderr.contains("Usage: activate-context why "));
    assert!(by(&second, &["wyh"]).stderr.contains("`activate-context --help` says"));
    assert!(by(&second, &["completions", "bash"]).stdout.contains(" activate-context\n"));
    assert_eq!(by(&other, &["why", "--help"]).stdout, run(&["why", "--help"]).stdout);
}
