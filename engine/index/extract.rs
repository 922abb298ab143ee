//! One file to its record: facts, words and what kind of file it is. The part that is worth keeping per content.

use super::base::FileFlags;
use super::text::{self, Field, TextFacts};
use activate_grammars::facts::{FileFacts, Limit, NoteKind, ZoneKind};
use redact::{Gathered, MaskSpan, apply, by_rules};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Largest file whose words take part, in bytes.
pub const MAX_TEXT_BYTES: u64 = 16 << 20;

/// How many bytes are looked at to tell text from other data, as git does.
const BINARY_HEAD: usize = 8_000;

/// Largest file with zero bytes that is looked at for secrets.
const MAX_BINARY_SETTINGS: usize = 256 << 10;

/// Folders with what tests need.
pub(super) const TEST_FOLDERS: [&str; 5] = ["testdata", "__tests__", "fixtures", "__fixtures__", "__snapshots__"];

/// Folders that show how code is used.
pub(super) const EXAMPLE_FOLDERS: [&str; 4] = ["examples", "example", "samples", "demo"];

/// Folders with code of others.
pub(super) const VENDOR_FOLDERS: [&str; 4] = ["vendor", "node_modules", "third_party", "third-party"];

/// What one file yields. Depends on its path and content alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Facts of source files.
    pub facts: FileFacts,
    /// Its words; those of its path alone for files that are not text.
    pub words: TextFacts,
    /// Whether it is not text.
    pub binary: bool,
    /// Its text without its secrets, where it is a manifest of a known language.
    pub manifest: Option<String>,
    /// Whether its path holds a secret.
    pub secret_path: bool,
    /// What rules find to mask in it.
    pub masks: Masks,
}

/// What rules find to mask in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Masks {
    /// That is not known: its text was not searched, or not all of it.
    #[default]
    Unknown,
    /// Nothing.
    Nothing,
    /// Something.
    Something,
    /// Secrets that are to be masked wherever else they stand.
    Values,
}

/// A record as it is stored, its words as bytes that nobody reads.
#[derive(Deserialize)]
struct WithoutWords<'r> {
    facts: FileFacts,
    #[serde(borrow)]
    _words: text::StoredFacts<'r>,
    binary: bool,
    manifest: Option<String>,
    secret_path: bool,
    masks: Masks,
}

impl FileRecord {
    /// A record from the bytes that it is stored as, without its words.
    pub(crate) fn without_words(bytes: &[u8]) -> Option<Self> {
        let WithoutWords { facts, binary, manifest, secret_path, masks, .. } = postcard::from_bytes(bytes).ok()?;
        Some(Self { facts, words: TextFacts::default(), binary, manifest, secret_path, masks })
    }
}

/// Reads one file. `content` is `None` where the file is too large or could not be read: its path still takes part.
pub fn extract(path: &str, content: Option<&[u8]>) -> FileRecord {
    let safe_path = by_rules::hide(path);
    let secret_path = matches!(safe_path, Cow::Owned(_));
    let is_text = |content: &&[u8]| !content.iter().take(BINARY_HEAD).any(|byte| *byte == 0);
    let masks_of = |content| {
        let spans = by_rules::find(path, content);
        let masks = match Gathered::default().add(content, &spans).is_empty() {
            _ if spans.is_empty() => Masks::Nothing,
            true => Masks::Something,
            false => Masks::Values,
        };
        (spans, masks)
    };
    let Some(content) = content.filter(is_text) else {
        // Settings in UTF-16 are not read for their words, but what they keep secret is secret elsewhere too.
        let masks = content.filter(|content| holds_settings(content)).map(|content| masks_of(content).1);
        let masks = masks.filter(|masks| *masks == Masks::Values).unwrap_or_default();
        return FileRecord {
            words: text::text_facts(&safe_path, &[], &[], &[]),
            binary: true,
            secret_path,
            masks,
            ..FileRecord::default()
        };
    };
    let (spans, masks) = masks_of(content);
    let masked: Vec<(usize, usize)> = spans.iter().map(|span| (span.start, span.end)).collect();
    let Some((_, language)) = activate_grammars::language_of(path) else {
        let n_lines = content.iter().filter(|byte| **byte == b'\n').count()
            + usize::from(content.last().is_some_and(|byte| *byte != b'\n'));
        let text = String::from_utf8_lossy(content);
        let (passages, web) = (activate_grammars::passages_of_text(&text), activate_grammars::routes::contract(path, &text));
        let mut facts = FileFacts { n_lines: n_lines as u32, passages, web, ..FileFacts::default() };
        hide_secrets(&mut facts, content, &masked);
        let manifest = manifest(path, content, &spans);
        let (words, is_cut) = text::bounded_text_facts(&safe_path, content, &[], &masked);
        let facts = FileFacts { limit: is_cut.then_some(Limit::Words), ..facts };
        return FileRecord { facts, words, binary: false, manifest, secret_path, masks };
    };
    let mut extracted = activate_grammars::extract(language, path, content);
    hide_secrets(&mut extracted.facts, content, &masked);
    // Those of all files are held together until names are resolved.
    extracted.facts.shrink_to_fit();
    let zones: Vec<text::Zone> = extracted
        .zones
        .iter()
        .map(|zone| text::Zone {
            start: zone.start as usize,
            end: zone.end as usize,
            field: match zone.kind {
                ZoneKind::Comment => Field::Comment,
                ZoneKind::Literal => Field::Literal,
                ZoneKind::Name => Field::Name,
            },
        })
        .collect();
    let (words, is_cut) = text::bounded_text_facts(&safe_path, content, &zones, &masked);
    extracted.facts.limit = extracted.facts.limit.or(is_cut.then_some(Limit::Words));
    // A program may be one: `setup.py`.
    let manifest = manifest(path, content, &spans);
    FileRecord { facts: extracted.facts, words, binary: false, manifest, secret_path, masks }
}

/// The text of a manifest with its secrets masked.
fn manifest(path: &str, content: &[u8], spans: &[MaskSpan]) -> Option<String> {
    if activate_grammars::is_manifest(path) { String::from_utf8(apply(content, spans)).ok() } else { None }
}

/// What is known of a file of which only the words of a task were looked for: how often each stands in it, among about `n_words`.
pub fn extract_found(path: &str, found: &[(&str, u32)], n_words: u32) -> FileRecord {
    let safe_path = by_rules::hide(path);
    FileRecord {
        words: text::found_facts(&safe_path, found, n_words),
        binary: true,
        secret_path: matches!(safe_path, Cow::Owned(_)),
        ..FileRecord::default()
    }
}

/// Whether what is not text is text but for its zero bytes: UTF-16, or one that slipped in.
fn holds_settings(content: &[u8]) -> bool {
    let head = &content[..content.len().min(BINARY_HEAD)];
    let n_shown = head.iter().filter(|b| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t')).count();
    let n_held = head.iter().filter(|b| **b != 0).count();
    content.len() <= MAX_BINARY_SETTINGS && n_shown * 10 >= n_held * 9
}

/// Shortest masked value that is looked for in names: shorter ones are ordinary words too often.
const MIN_SECRET_BYTES: usize = 8;

/// Stands for a secret in a name: letters alone, as names have them.
pub const HIDDEN: &str = "REDACTED";

/// A secret that is masked where it stands must not come back as part of a name or of the title of a test.
fn hide_secrets(facts: &mut FileFacts, content: &[u8], masked: &[(usize, usize)]) {
    let values = masked.iter().filter_map(|(start, end)| std::str::from_utf8(content.get(*start..*end)?).ok());
    let mut values: Vec<&str> = values.filter(|value| value.len() >= MIN_SECRET_BYTES).collect();
    // Of two values, one of which holds the other, the longer goes first, so that nothing of it is left.
    values.sort_unstable_by_key(|value| (std::cmp::Reverse(value.len()), *value));
    values.dedup();
    if !values.is_empty() {
        let hidden = |text: &str| {
            let held = values.iter().filter(|value| text.contains(*value));
            held.fold(None, |hidden: Option<String>, value| Some(hidden.as_deref().unwrap_or(text).replace(value, HIDDEN)))
        };
        facts.names.replace(hidden);
        if let Some(web) = &mut facts.web {
            web.replace(hidden);
        }
    }
}

/// Names of lock files: written by programs, whatever their endings.
const LOCKS: [&str; 14] = [
    "Cargo.lock",
    "Gemfile.lock",
    "Pipfile.lock",
    "bun.lock",
    "bun.lockb",
    "composer.lock",
    "deno.lock",
    "flake.lock",
    "go.sum",
    "go.work.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
];

/// Whether a file is a lock of packages, which a program wrote.
pub fn is_lock(path: &str) -> bool {
    LOCKS.contains(&path.rsplit('/').next().unwrap_or(path))
}

/// Whether a folder of this name holds what belongs to tests, whatever the language.
pub fn is_test_folder(name: &str) -> bool {
    TEST_FOLDERS.contains(&name)
}

/// What a file is, from its path and record.
pub(super) fn flags(path: &str, record: &FileRecord) -> FileFlags {
    let folders = || path.rsplit_once('/').map_or("", |(folders, _)| folders).split('/');
    let in_folder = |names: &[&str]| folders().any(|folder| names.contains(&folder));
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let test_by_language = activate_grammars::language_of(path).is_some_and(|(_, language)| (language.is_test_path)(path));
    let generated = record.facts.notes.iter().any(|note| note.kind == NoteKind::Generated && note.symbol.is_none());
    let bits = [
        (test_by_language || in_folder(&TEST_FOLDERS), FileFlags::TEST),
        (generated || in_folder(&["dist", "generated"]) || name.contains(".min.") || is_lock(path), FileFlags::GENERATED),
        (in_folder(&VENDOR_FOLDERS), FileFlags::VENDORED),
        (record.binary, FileFlags::BINARY),
        (["md", "mdx", "rst", "adoc", "txt"].contains(&ending), FileFlags::DOCUMENT),
        (in_folder(&EXAMPLE_FOLDERS), FileFlags::EXAMPLE),
        (record.facts.runs_program, FileFlags::RUNS_PROGRAM),
        (record.masks == Masks::Values, FileFlags::GIVES_VALUES),
        (record.masks == Masks::Nothing, FileFlags::PLAIN),
    ];
    FileFlags(bits.iter().filter(|(set, _)| *set).fold(0, |all, (_, bit)| all | bit))
}
