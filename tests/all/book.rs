//! Every command of the README and the book is run: what a reader copies works, and prints what the page says.
//!
//! A block is a fence of kind `sh`, or of kind `text` whose first line is `$ activate …`. Lines below such a line must be printed in this order;
//! `…` stands for what is left out.

use crate::cli::{Scratch, command_keeping, ended};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What is not run, by how it begins, and why.
const NOT_RUN: [(&str, &str); 11] = [
    ("activate = ", "a line of a manifest"),
    ("activate --diff", "needs commits to compare; tests of reviews make them"),
    ("activate --intent -", "reads what somebody pipes in; its tests do"),
    ("activate --intent \"fix ValidateToken\" --weights", "needs weights that `activate tune` wrote; its tests write some"),
    ("activate --session", "needs a session; its tests write one"),
    ("activate ctx", "needs a packet that was sent; its tests send one"),
    ("activate eval", "asks for the history of a repository; its tests make one"),
    ("activate packet", "needs a plan or packets; its tests write them"),
    ("activate serve", "serves until it is stopped; its tests start and stop it"),
    ("activate session", "writes a session; its tests do"),
    ("activate tune", "as `activate eval`"),
];

struct Page {
    name: String,
    text: String,
}

fn pages() -> Vec<Page> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let book = fs::read_dir(root.join("docs/src")).expect("the book").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = book.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    paths.push(root.join("README.md"));
    paths.sort();
    let page = |path: &PathBuf| Page {
        name: path.file_name().expect("a name").to_string_lossy().into_owned(),
        text: fs::read_to_string(path).expect("a page"),
    };
    paths.iter().map(page).collect()
}

/// The blocks of a page: kind and lines.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let (mut blocks, mut open) = (Vec::new(), None);
    for line in text.lines() {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(kind), None) => open = Some((kind, Vec::new())),
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some((kind, mut lines))) => {
                lines.push(line);
                open = Some((kind, lines));
            }
            (None, None) => {}
        }
    }
    blocks
}

/// A command of `activate` and what the page says that it prints.
fn commands<'b>(kind: &str, lines: &[&'b str]) -> Vec<(&'b str, Vec<&'b str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for &line in lines {
        let line = if kind == "sh" { line } else { line.strip_prefix("$ ").unwrap_or(line) };
        if line.starts_with("activate ") {
            commands.push((line, Vec::new()));
        } else if let Some((_, prints)) = commands.last_mut().filter(|_| kind == "text") {
            prints.push(line);
        }
    }
    commands
}

/// The words of a command as a shell cuts them: quotes and a comment at the end; none where it needs a shell.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote, mut is_word) = (Vec::new(), String::new(), None, false);
    for character in command.chars() {
        match (character, quote) {
            ('"' | '\'', None) => (quote, is_word) = (Some(character), true),
            (end, Some(open)) if end == open => quote = None,
            ('|' | '<' | '>' | '$' | '`' | '&' | ';' | '\\', None) => return None,
            ('#', None) if word.is_empty() => break,
            (' ', None) => {
                if std::mem::take(&mut is_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            (character, _) => {
                word.push(character);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    Some(words)
}

/// Whether lines are printed in this order, each as a whole or up to its `…`.
fn missing<'l>(prints: &[&'l str], stdout: &str) -> Option<&'l str> {
    let mut left = stdout.lines();
    let is_said = |wanted: &str, line: &str| wanted.split(['…', 'N']).all(|part| line.contains(part.trim_end()));
    prints.iter().copied().filter(|line| !["", "…"].contains(&line.trim())).find(|wanted| !left.any(|line| is_said(wanted, line)))
}

#[test]
fn every_command_of_the_book_works_and_prints_what_the_page_says() {
    let scratch = Scratch::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut problems, mut n_run, mut unused) = (String::new(), 0, NOT_RUN.to_vec());
    for page in pages() {
        for (command, prints) in blocks(&page.text).iter().flat_map(|(kind, lines)| commands(kind, lines)) {
            if let Some(at) = NOT_RUN.iter().position(|(start, _)| command.starts_with(start)) {
                unused.retain(|known| known.0 != NOT_RUN[at].0);
                continue;
            }
            let words =
                words(command).unwrap_or_else(|| panic!("{}: `{command}` needs a shell: say why it is not run", page.name));
            let mut arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            if !arguments.contains(&"--repo") {
                arguments.extend(["--repo", "corpus/auth-go"]);
            }
            let answer = ended(command_keeping(&scratch.0, &arguments).current_dir(root));
            n_run += 1;
            if answer.code != 0 {
                let _ = writeln!(problems, "{}: `{command}` ends with {}: {}", page.name, answer.code, answer.stderr);
            } else if let Some(line) = missing(&prints, &(answer.stdout + &answer.stderr)) {
                let _ = writeln!(problems, "{}: `{command}` does not print `{line}`", page.name);
            }
        }
    }
    assert!(problems.is_empty(), "\n{problems}");
    assert!(n_run >= 6, "only {n_run} commands were found");
    assert!(unused.is_empty(), "no page has these: {unused:?}");
}

#[test]
fn the_first_command_of_the_readme_prints_what_stands_there() {
    let readme = pages().into_iter().find(|page| page.name == "README.md").expect("the README");
    let blocks = blocks(&readme.text);
    let command = blocks.iter().flat_map(|(_, lines)| lines).find_map(|line| line.strip_prefix("cargo run --release -- "));
    let words = words(command.expect("the command")).expect("plain words");
    let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
    let scratch = Scratch::new();
    let answer = ended(command_keeping(&scratch.0, &arguments).current_dir(env!("CARGO_MANIFEST_DIR")));
    let (_, shown) =
        blocks.iter().find(|(_, lines)| lines.first().is_some_and(|line| line.starts_with("# Session context"))).expect("it");
    assert_eq!(missing(shown, &answer.stdout), None, "{}", answer.stdout);
}
