//! What must be shown, in the caller's words, as files and lines of a repository.
//!
//! A pin is a path, a path with lines (`a.go:3`, `a.go:3-9`), a pattern of paths (`docs/*.md`), or a word for what goes by many names:
//! `PRD` for the product's requirements, `rules` for what agents are told.

use context::Pin;
use context::activation::Custom;
use error::{Error, ErrorKind, Result};
use index::base::FactBase;
use repo::{Pattern, RepoPath};

/// The most files that one pattern may mean: what means more is not to be shown whatever the budget is.
const MAX_MATCHES: usize = 100;

/// Words for files that go by many names: each with the names, in any case, the usual first.
const WORDS: [(&str, &[&str]); 2] = [
    (
        "PRD",
        &[
            "prd.md",
            "docs/prd.md",
            "doc/prd.md",
            ".taskmaster/docs/prd.md",
            "prd.txt",
            "docs/prd.txt",
            ".taskmaster/docs/prd.txt",
        ],
    ),
    (
        "rules",
        &[
            "agents.md",
            "claude.md",
            "trcoder.md",
            "gemini.md",
            ".cursorrules",
            ".windsurfrules",
            ".clinerules",
            ".github/copilot-instructions.md",
        ],
    ),
];

/// The files and lines that pins mean, each once, in the order of the pins; those of one pattern by path.
pub(crate) fn pins(base: &FactBase, texts: &[String]) -> Result<Vec<Pin>> {
    let mut pins: Vec<Pin> = Vec::new();
    for text in texts {
        for pin in meant(base, text)? {
            if !pins.contains(&pin) {
                pins.push(pin);
            }
        }
    }
    Ok(pins)
}

/// Adds what rules of the user pin, behind what was named.
pub(crate) fn add_pins(base: &FactBase, of_rules: &Custom, pins: &mut Vec<Pin>) {
    for pin in of_rules.pins.iter().filter_map(|(node, _)| Pin::of(base, *node)) {
        if !pins.contains(&pin) {
            pins.push(pin);
        }
    }
}

/// The files that packs pin by themselves: the product's requirements, and what agents are told.
pub fn usual_pins(base: &FactBase) -> Vec<Pin> {
    let mut files: Vec<context::NodeId> = Vec::new();
    for (word, _) in WORDS {
        let named = several(base, word).unwrap_or_default();
        // Of several texts of requirements the usual one; of rules for agents each.
        let n = if word == WORDS[0].0 { 1 } else { named.len() };
        files.extend(named.into_iter().take(n));
    }
    files.into_iter().map(|file| Pin { file, lines: None }).collect()
}

fn meant(base: &FactBase, text: &str) -> Result<Vec<Pin>> {
    let refused = |why: String| Error::new(ErrorKind::BadInput, format!("the pin `{text}` cannot be used: {why}"));
    let whole = |file| Pin { file, lines: None };
    let (path, lines) = match text.rsplit_once(':') {
        Some((path, lines)) if lines.starts_with(|c: char| c.is_ascii_digit()) => (path, Some(lines)),
        _ => (text, None),
    };
    // A shell completes a path to `./path`, which is the same file.
    let path: Vec<&str> = path.split('/').filter(|part| *part != ".").collect();
    let path = RepoPath::new(&path.join("/")).map_err(refused)?;
    let Some(file) = base.file_at(path.as_str()) else {
        let several = if lines.is_some() { Vec::new() } else { several(base, path.as_str()).map_err(refused)? };
        return match several.len() {
            0 => Err(refused("there is no such file, or it is ignored".to_owned())),
            1..=MAX_MATCHES => Ok(several.into_iter().map(whole).collect()),
            n => Err(refused(format!("it means {n} files, more than {MAX_MATCHES}"))),
        };
    };
    let Some(lines) = lines else { return Ok(vec![whole(file)]) };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    match (first.parse::<u32>(), last.parse::<u32>()) {
        (Ok(first), Ok(_)) if first > base.n_lines(file).max(1) => {
            Err(refused(format!("the file has {} lines", base.n_lines(file))))
        }
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok(vec![Pin { file, lines: Some((first, last)) }]),
        _ => Err(refused("give lines as `first-last`, counted from 1".to_owned())),
    }
}

/// The files that a word or a pattern means.
fn several(base: &FactBase, text: &str) -> std::result::Result<Vec<context::NodeId>, String> {
    if let Some((_, names)) = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)) {
        let named = |name: &'static str| base.files().filter(move |file| base.path(*file).eq_ignore_ascii_case(name));
        return Ok(names.iter().flat_map(|name| named(name)).collect());
    }
    if !text.contains(['*', '?', '[']) {
        return Ok(Vec::new());
    }
    let pattern = Pattern::new(text)?;
    Ok(base.files().filter(|file| pattern.is_match(base.path(*file))).collect())
}
