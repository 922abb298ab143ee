//! The conventions that no compiler checks: sizes, complete folders, and nothing left lying around.
//!
//! Reads sources as lines of text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Folders with code of ours.
const CODE: [&str; 5] = ["engine", "rules", "grammars", "tests", "benches"];

/// The most lines of a file.
const MAX_LINES: usize = 500;

/// What every language folder holds.
const LANGUAGE_PARTS: [&str; 7] = ["mod.rs", "project.rs", "symbols.scm", "imports.scm", "calls.scm", "scopes.scm", "tests.scm"];

/// The folder of languages that share one.
const NAMED: &str = "named";

/// The most lines that a language of that folder adds: its value, its table, its words.
const MAX_LINES_BY_NAME: usize = 150;

/// A file of ours.
struct Source {
    /// From the top of the repository, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// Its lines without comments, with their numbers; tests at the end of a file are left out, and so are files of tests.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let is_test = ["/tests.rs", "/tests/"].iter().any(|part| self.path.contains(part));
        let lines = self.text.lines().take_while(move |line| !is_test && !line.starts_with("mod tests {")).enumerate();
        lines.map(|(number, line)| (number + 1, line.split_once("//").map_or(line, |(code, _)| code)))
    }
}

/// Every file of `folder` with this ending, by path.
fn sources(folder: &str, ending: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the project") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                let name = path.strip_prefix(root).expect("a path below the root").to_string_lossy().replace('\\', "/");
                found.push(Source { path: name, text: fs::read_to_string(&path).expect("text") });
            }
        }
    }
    found.sort_by(|first, second| first.path.cmp(&second.path));
    found
}

fn all_rust() -> Vec<Source> {
    CODE.iter().flat_map(|folder| sources(folder, "rs")).collect()
}

/// Fails with every complaint at once.
fn check(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn what_makes_facts_uses_nothing_that_their_hash_leaves_out() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/index/build_script.rs");
    let script = fs::read_to_string(script).expect("the build script of the index");
    let readers = script.split("const READERS").nth(1).and_then(|rest| rest.split(';').nth(1)).expect("the list of READERS");
    let readers: Vec<&str> = readers.split('"').skip(1).step_by(2).filter_map(|reader| reader.strip_prefix("./")).collect();
    assert!(readers.len() > 1, "{readers:?}");
    let names: Vec<&str> =
        readers.iter().map(|reader| reader.trim_end_matches(".rs").rsplit('/').next().unwrap_or_default()).collect();
    // What readers give out. Past commits are read where they are made.
    let given = ["QueryTerm", "query_terms", "Contribution", "FieldWeight", "Scores", "Near"];
    let all = sources("engine/index", "rs");
    let inner = |source: &Source| source.path.trim_start_matches("engine/index/").to_owned();
    let is_reader = |source: &Source| readers.iter().any(|reader| inner(source).starts_with(reader));
    let is_export = |line: &str| line.starts_with("pub use ") || line.starts_with("pub(crate) use ");
    let mut complaints = Vec::new();
    for source in all.iter().filter(|source| !is_reader(source) && inner(source) != "history.rs") {
        for (number, line) in source.code().filter(|(_, line)| !is_export(line)) {
            let module = names.iter().find(|name| line.contains(&format!("{name}::")));
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let used = module.copied().or_else(|| words.find(|word| given.contains(word)));
            let complaint = |name| format!("{}:{number}: facts are made with `{name}`, which no hash covers", source.path);
            complaints.extend(used.map(complaint));
        }
    }
    check(&complaints);
}

#[test]
fn every_module_says_first_what_it_is_for() {
    let silent = all_rust().into_iter().filter(|source| !source.text.starts_with("//! ")).map(|source| source.path);
    check(&silent.collect::<Vec<_>>());
}

#[test]
fn every_query_says_first_what_it_yields() {
    let silent = sources("grammars", "scm").into_iter().filter(|source| !source.text.starts_with("; ")).map(|source| source.path);
    check(&silent.collect::<Vec<_>>());
}

#[test]
fn no_file_is_too_long() {
    let files = all_rust().into_iter().chain(sources("grammars", "scm"));
    let mut long: Vec<String> = files.filter(|file| file.text.lines().count() > MAX_LINES).map(|file| file.path).collect();
    long.sort();
    assert_eq!(long, Vec::<String>::new());
}

#[test]
fn nothing_is_left_for_later() {
    // In halves, so that this file does not find itself.
    let words =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimplemen", "ted!"), concat!("to", "do!("), concat!("db", "g!(")];
    let mut complaints = Vec::new();
    for source in all_rust().iter().chain(&sources("grammars", "scm")) {
        for (number, line) in source.text.lines().enumerate() {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                complaints.push(format!("{}:{}: {word}", source.path, number + 1));
            }
        }
    }
    check(&complaints);
}

#[test]
fn every_source_file_is_compiled() {
    let mut complaints = Vec::new();
    for folder in ["engine", "rules", "grammars", "tests/all", "tests/oracle"] {
        let sources = sources(folder, "rs");
        let texts: BTreeMap<&str, &str> = sources.iter().map(|source| (source.path.as_str(), source.text.as_str())).collect();
        for path in texts.keys() {
            let (parent, name) = path.trim_end_matches(".rs").rsplit_once('/').expect("a folder");
            let (parent, name) = match name {
                "lib" | "main" | "build_script" => continue,
                "build" if matches!(parent, "engine/tokens" | "engine/eval") => continue,
                // Cargo finds examples by itself.
                _ if parent.ends_with("/examples") => continue,
                "mod" => parent.rsplit_once('/').expect("a folder"),
                name => (parent, name),
            };
            let declaring = ["/mod.rs", "/lib.rs", "/main.rs", ".rs"].map(|ending| format!("{parent}{ending}"));
            let declares = |text: &&str| text.lines().any(|line| line.trim_start().ends_with(&format!("mod {name};")));
            if !declaring.iter().filter_map(|path| texts.get(path.as_str())).any(declares) {
                complaints.push(format!("{path}: no `mod {name};`"));
            }
        }
    }
    check(&complaints);
}

#[test]
fn every_bench_is_built() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).expect("Cargo.toml");
    let manifest: toml::Table = manifest.parse().expect("a manifest");
    let listed: BTreeSet<&str> =
        manifest["bench"].as_array().expect("benches").iter().filter_map(|bench| bench["path"].as_str()).collect();
    let files = sources("benches", "rs");
    let top: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).filter(|path| path.matches('/').count() == 1).collect();
    assert_eq!(listed, top);
}

#[test]
fn a_language_by_name_is_a_value_with_a_table_or_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars").join(NAMED);
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file of languages by name");
    let (list, words) = (read("mod.rs"), read("words/languages.rs"));
    let until = |text: &str, end: &str| text.split(end).next().unwrap_or_default().to_owned();
    let n_lines = |text: &str| text.lines().count();
    let mut counts = Vec::new();
    for value in list.split("\npub static ").skip(1) {
        let value = until(value, "\n});");
        let tables = value.split("include_str!(\"").skip(1).map(|table| n_lines(&read(&until(table, "\""))));
        let own_words = value.split("&words::languages::").skip(1).map(|name| {
            let opens = format!("const {}: Words", until(name, ")"));
            n_lines(&until(words.split(&opens).nth(1).expect("the words of the language"), "\n};"))
        });
        counts.push((until(&value, ":"), n_lines(&value) + tables.sum::<usize>() + own_words.sum::<usize>()));
    }
    assert!(counts.len() >= 10 && counts.iter().all(|(_, n)| *n > 10), "{counts:?}");
    let large = counts.iter().filter(|(_, n)| *n > MAX_LINES_BY_NAME);
    check(&large.map(|(name, n)| format!("{name} adds {n} lines")).collect::<Vec<_>>());
}

#[test]
fn every_language_folder_is_complete_and_listed() {
    let queries = sources("grammars", "scm");
    let folders: BTreeSet<&str> = queries.iter().filter_map(|query| query.path.split('/').nth(1)).collect();
    let list = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars/lib.rs")).expect("grammars/lib.rs");
    let mut complaints = Vec::new();
    for folder in &folders {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars").join(folder);
        if *folder == NAMED {
            continue;
        }
        let missing = LANGUAGE_PARTS.iter().filter(|part| !path.join(part).is_file());
        complaints.extend(missing.map(|part| format!("grammars/{folder}: no {part}")));
        if !list.contains(&format!("{folder}::")) {
            complaints.push(format!("grammars/{folder}: in no line of LANGUAGES"));
        }
    }
    check(&complaints);
    assert!(folders.len() <= activate_grammars::LANGUAGES.len(), "a folder without a language: {folders:?}");
}

#[test]
fn a_crate_whose_examples_are_not_run_has_none() {
    let mut complaints = Vec::new();
    let manifests = CODE.into_iter().flat_map(|folder| sources(folder, "toml")).filter(|of| of.path.ends_with("/Cargo.toml"));
    for manifest in manifests.filter(|manifest| manifest.text.contains("\ndoctest = false\n")) {
        for Source { path, text } in sources(manifest.path.trim_end_matches("/Cargo.toml"), "rs") {
            let marks = text.lines().zip(1..).filter_map(|(line, at)| {
                let line = line.trim_start();
                let comment = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))?;
                Some((comment.trim_start().strip_prefix("```")?, at))
            });
            // Every second mark ends what the one before began.
            let begun = marks.step_by(2).filter(|(language, _)| !["text", "toml", "json", "sh"].contains(language));
            complaints.extend(begun.map(|(_, at)| format!("{path}:{at}: an example that no test runs")));
        }
    }
    check(&complaints);
}

#[test]
fn the_policy_holds_no_number() {
    let is_policy = |source: &Source| source.path == "rules/policy.rs" || source.path.starts_with("rules/policy/");
    let pages: Vec<Source> = sources("rules", "rs").into_iter().filter(is_policy).collect();
    assert_eq!(pages.len(), 3, "the pages of the policy");
    let mut complaints = String::new();
    for page in &pages {
        for (number, line) in page.code() {
            let mut before = ' ';
            for character in line.chars() {
                if character.is_ascii_digit() && !before.is_alphanumeric() && before != '_' {
                    let _ = writeln!(complaints, "{}:{number}: {}", page.path, line.trim());
                    break;
                }
                before = character;
            }
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// The names of what a line makes public: `pub fn name`, a public field, an item of `pub use`.
fn public_names(line: &str) -> Vec<String> {
    let Some(rest) = line.trim_start().strip_prefix("pub ") else { return Vec::new() };
    if let Some(list) = rest.strip_prefix("use error::{") {
        return list.trim_end_matches("};").split(", ").map(str::to_owned).collect();
    }
    let words: Vec<&str> = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
    let name = words.iter().find(|word| !["const", "fn", "struct", "enum"].contains(*word));
    let is_use = ["use", "mod"].contains(words.first().unwrap_or(&""));
    name.filter(|_| !is_use).map(|name| (*name).to_owned()).into_iter().collect()
}

/// `docs/api.txt` is what cargo-public-api says; without it, this finds a name that came or went.
#[test]
fn the_interface_is_written_down() {
    let files = ["answer", "blackboard", "lib", "repository", "request"].map(|name| format!("engine/{name}.rs"));
    let sources: Vec<Source> = sources("engine", "rs").into_iter().filter(|source| files.contains(&source.path)).collect();
    let lines = sources.iter().flat_map(Source::code).map(|(_, line)| line);
    let in_code: BTreeSet<String> = lines.flat_map(public_names).collect();
    let listed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/api.txt")).expect("the list");
    // `pub fn activate::Engine::open(…)`, `pub activate::Packet::id: …`; variants stand in the list alone.
    let is_variant = |line: &&str| line.starts_with("pub activate::") && !line.contains(": ");
    let name = |line: &str| {
        let line = line.replace("<'_>", "").replace("<'e>", "");
        let item = line.split(['(', ' ']).find(|word| word.starts_with("activate::")).unwrap_or_default();
        item.trim_end_matches(':').split("::").last().unwrap_or_default().to_owned()
    };
    // What a trait demands is not named in the code as public.
    let is_of_trait = |line: &&str| line.contains("core::fmt::Formatter");
    let items = listed.lines().filter(|line| line.contains("pub ") && *line != "pub mod activate");
    let items = items.filter(|line| !is_variant(line) && !is_of_trait(line));
    let in_list: BTreeSet<String> = items.map(name).collect();
    assert_eq!(in_code, in_list, "docs/api.txt is made with `.ci/api --write`");
}

#[test]
fn every_link_between_pages_leads_to_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "benches/README.md"].map(str::to_owned).to_vec();
    pages.extend(sources("docs/src", "md").into_iter().map(|page| page.path));
    let mut complaints = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(root.join(page)).expect("a page");
        let folder = root.join(page).parent().expect("a folder").to_owned();
        for (_, rest) in text.match_indices("](").map(|(at, _)| text.split_at(at + 2)) {
            let target = rest.split([')', '#', '\n']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !folder.join(target).exists() {
                complaints.push(format!("{page}: {target}"));
            }
        }
    }
    check(&complaints);
    assert!(pages.len() > 15, "{pages:?}");
}
