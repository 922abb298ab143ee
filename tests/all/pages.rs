//! The commands of the pages: every block of `sh` or `console` is run as it stands, and says what the page says that it says.
//!
//! Each page has a repository of its own to be tried in: `auth-go` with its history, the corpus beside it, and stand-ins for the programs
//! of others, which say what the real ones said.

mod place;

use place::Place;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Beside those of the book.
const PAGES: [&str; 5] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "benches/README.md"];

/// Commands that no test runs, by how they begin, with the reason.
const NOT_RUN: [(&str, &str); 4] = [
    ("activate serve --toolset ctx --http", "runs until it is stopped; `serve` tries it"),
    ("cargo test", "builds; its words are checked"),
    ("tests/oracle/run", "needs compilers and checkouts of other projects"),
    ("tests/oracle/ctags.py", "needs ctags and checkouts of other projects"),
];

/// A command of a page, and what the page shows of its output.
struct Shown {
    line: usize,
    command: String,
    output: Option<String>,
}

/// The names of the files of a folder of the project that end like this.
fn names(folder: &str, ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("a folder");
    let paths =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.extension().is_some_and(|end| end == ending));
    paths.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect()
}

/// The blocks of a page: the line of each, what it is written in, and its text.
fn blocks(text: &str) -> Vec<(usize, &str, String)> {
    let mut blocks: Vec<(usize, &str, String)> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(kind) if !open => {
                blocks.push((number + 1, kind, String::new()));
                open = true;
            }
            Some(_) => open = false,
            None if open => {
                let (_, _, text) = blocks.last_mut().expect("a block");
                let _ = writeln!(text, "{line}");
            }
            None => {}
        }
    }
    blocks
}

/// The commands of a block. In `console` they begin with `$ `, and what follows is what they print.
fn commands(start: usize, kind: &str, text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut continues = false;
    for (number, line) in text.lines().enumerate() {
        let command = if kind == "console" { line.strip_prefix("$ ") } else { Some(line) };
        match (command, found.last_mut()) {
            (_, Some(last)) if continues => {
                last.command.push('\n');
                last.command.push_str(line);
            }
            (Some(command), _) if !command.is_empty() && !command.starts_with('#') => {
                found.push(Shown { line: start + number + 1, command: command.to_owned(), output: None });
            }
            (None, Some(last)) => {
                let output = last.output.get_or_insert_default();
                let _ = writeln!(output, "{line}");
            }
            _ => {}
        }
        continues = line.ends_with('\\');
    }
    found
}

/// What is wrong with an output, as far as the page shows it: `…` stands for anything. Blanks between parts of JSON do not count.
fn difference(shown: &str, output: &str) -> Option<String> {
    let is_json = shown.starts_with('{');
    let plain = |text: &str| if is_json { text.split_whitespace().collect() } else { text.trim().to_owned() };
    let output = plain(output);
    let pieces: Vec<String> = shown.split('…').map(plain).collect();
    let mut rest = output.as_str();
    for (number, piece) in pieces.iter().enumerate() {
        let found = match number {
            0 => rest.starts_with(piece.as_str()).then_some(0),
            _ if number + 1 == pieces.len() => rest.ends_with(piece.as_str()).then(|| rest.len() - piece.len()),
            _ => rest.find(piece.as_str()),
        };
        let Some(at) = found else {
            let rest: String = rest.chars().take(2000).collect();
            return Some(format!("this is not said there:\n{piece}\n--- but, after what is:\n{rest}"));
        };
        rest = &rest[at + piece.len()..];
    }
    (pieces.len() == 1 && !rest.is_empty()).then(|| format!("the page does not show:\n{rest}"))
}

/// Numbers that differ from run to run or from text to text, alike.
fn alike(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, with) in [
        (r"\[(data|end) [0-9N]+", "[$1 N"),
        (r"after [0-9.]+ s\b", "after N s"),
        (r"[0-9]+ files, [0-9]+ bytes", "N files, N bytes"),
        (r"diagnostics: [0-9]+", "diagnostics: N"),
        (r"\b[0-9a-f]{32}\b", "ID"),
        (r"activate [0-9.]+ for \w+ \w+", "activate N"),
    ] {
        text = regex::Regex::new(pattern).expect("a pattern").replace_all(&text, with).into_owned();
    }
    text
}

/// What is wrong with the words of a command of cargo: packages, benches and profiles that there are none of.
fn wrong_cargo(command: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |path: &str| fs::read_to_string(root.join(path)).expect("a manifest");
    let manifest: toml::Table = text("Cargo.toml").parse().expect("a manifest");
    let words: Vec<&str> = command.split_whitespace().collect();
    let named = |list: &str, name: &str| {
        manifest[list].as_array().expect("a list").iter().any(|entry| entry["name"].as_str() == Some(name))
    };
    let wrong = words.windows(2).find(|pair| match (pair[0], pair[1]) {
        ("-p", name) => {
            let mut members =
                manifest["workspace"]["members"].as_array().expect("members").iter().filter_map(toml::Value::as_str);
            let is = |folder: &str| text(&format!("{folder}/Cargo.toml")).contains(&format!("\nname = \"{name}\"\n"));
            name.starts_with("activate-") && !members.any(is)
        }
        ("--bench", name) => !named("bench", name),
        ("--test", name) => !named("test", name),
        ("--profile", name) => manifest["profile"].get(name).is_none(),
        _ => false,
    });
    wrong.map(|pair| pair.join(" "))
}

/// Code in the lines of a page that is a command of this program or of cargo.
fn inline(text: &str) -> BTreeSet<&str> {
    let lines = text.split("```").step_by(2).flat_map(str::lines);
    let spans = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    spans.filter(|span| span.starts_with("activate ") || span.starts_with("cargo ")).collect()
}

/// What is wrong with a command in a line: flags that its help does not have.
fn wrong_flag(place: &Place, command: &str) -> Option<String> {
    if command.starts_with("cargo ") {
        return wrong_cargo(command);
    }
    let words = || command.split_whitespace().skip(1);
    let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
    let mut path: Vec<&str> = words().take_while(is_name).take(3).collect();
    // What follows the name of a command may be an argument of it.
    let help = loop {
        let (code, help) = place.run(&format!("activate {} --help", path.join(" ")));
        match path.pop() {
            Some(_) if code != 0 => {}
            _ => break help,
        }
    };
    let flags = words().filter(|word| word.starts_with("--")).map(|word| word.split('=').next().unwrap_or_default());
    let mut flags = flags.map(|flag| flag.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()));
    flags.find(|flag| !help.contains(flag)).map(str::to_owned)
}

/// Runs what a page shows, in order, and adds what is wrong.
fn try_page(page: &str, used: &mut BTreeSet<&'static str>) -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).expect("a page");
    let place = Place::new();
    let mut wrong = String::new();
    for (start, kind, block) in blocks(&text) {
        if !matches!(kind, "sh" | "console") {
            if block.lines().any(|line| line.starts_with("$ ")) {
                let _ = writeln!(wrong, "{page}:{start}: a command stands in a block of `sh` or `console`");
            }
            continue;
        }
        for Shown { line, command, output } in commands(start, kind, &block) {
            if let Some(word) = command.starts_with("cargo ").then(|| wrong_cargo(&command)).flatten() {
                let _ = writeln!(wrong, "{page}:{line}: there is no `{word}`");
            }
            if let Some((start, _)) = NOT_RUN.iter().find(|(start, _)| command.starts_with(start)) {
                used.insert(start);
                continue;
            }
            let (code, said) = place.run(&command);
            let expected = place::exit_code(&command);
            if code != expected {
                let _ = writeln!(wrong, "{page}:{line}: ends with {code}, not {expected}: {command}\n{said}");
            }
            let prints = command.split_once("# prints: ").map(|(_, prints)| prints);
            if let Some(prints) = prints.filter(|prints| said.trim() != *prints) {
                let _ = writeln!(wrong, "{page}:{line}: prints, not `{prints}`:\n{said}");
            }
            if let Some(difference) = output.and_then(|output| difference(&alike(&output), &alike(&said))) {
                let _ = writeln!(wrong, "{page}:{line}: {command}\n{difference}");
            }
        }
    }
    for command in inline(&text) {
        if let Some(word) = wrong_flag(&place, command) {
            let _ = writeln!(wrong, "{page}: `{command}`: there is no `{word}`");
        }
    }
    wrong
}

#[test]
fn every_command_of_the_pages_does_what_they_say() {
    let mut pages: Vec<String> = names("docs/src", "md").into_iter().map(|name| format!("docs/src/{name}")).collect();
    pages.extend(PAGES.map(str::to_owned));
    pages.sort();
    let tried = std::thread::scope(|scope| {
        let tried = pages.iter().map(|page| {
            scope.spawn(move || {
                let mut used = BTreeSet::new();
                (try_page(page, &mut used), used)
            })
        });
        let tried: Vec<_> = tried.collect();
        tried.into_iter().map(|page| page.join().expect("an end")).collect::<Vec<_>>()
    });
    let wrong: String = tried.iter().map(|(wrong, _)| wrong.as_str()).collect();
    assert!(wrong.is_empty(), "\n{wrong}");
    let used: BTreeSet<&str> = tried.iter().flat_map(|(_, used)| used).copied().collect();
    let idle: Vec<&str> = NOT_RUN.iter().map(|(start, _)| *start).filter(|start| !used.contains(start)).collect();
    assert_eq!(idle, Vec::<&str>::new(), "no page has these any more");
}

#[test]
fn the_book_lists_every_page_and_every_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (list, folder, ending, mark) in [
        ("docs/src/SUMMARY.md", "docs/src", "md", ["(", ")"]),
        ("docs/src/schemas.md", "engine/packets/schema", "json", ["`", "`"]),
    ] {
        let text = fs::read_to_string(root.join(list)).expect("a page");
        let missing: Vec<String> =
            names(folder, ending).into_iter().filter(|name| name != "SUMMARY.md" && !text.contains(&mark.join(name))).collect();
        assert_eq!(missing, Vec::<String>::new(), "{list} leaves these out");
    }
}
