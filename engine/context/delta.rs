//! What is new since a packet was sent: entries that the reader has are left out, and it is said which of them hold and which do not.
//!
//! A delta is the packet as it would be, without what was sent before.

use super::fill::Draft;
use super::pieces::{About, Entry, Form, Piece};
use super::view::View;
use crate::activation::Reason;
use activate_rules::atoms::NodeId;
use redact::{Masker, Safe};
use rustc_hash::{FxHashMap, FxHashSet};
use session::{Sent, SentEntry};
use xxhash_rust::xxh3::xxh3_64;

/// The most characters of a key that is made from a line.
const MAX_KEY: usize = 120;
/// The kinds of entries of which a symbol or file has one: others are called by their line.
const BY_PLACE: [&str; 10] = [
    "changed_file",
    "hunk",
    "missing_change",
    "follow_on",
    "code",
    "outline",
    "likely_file",
    "impacted_file",
    "dependency",
    "test_command",
];
/// The kinds that say what stands in a file, and so hold as long as it does.
const CONTENT: [&str; 2] = ["code", "outline"];
/// The most entries that a record of a packet holds.
const MAX_ENTRIES: usize = 5_000;
/// The most symbols that are looked through for the reason why a file is active.
const MAX_STEPS: usize = 3;

/// What became of what was sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delta {
    /// The packet that was sent.
    pub pack_id: Safe,
    /// Entries that are shown and were not sent, by key.
    pub new: Vec<Safe>,
    /// Entries that were sent with another text, and are shown.
    pub changed: Vec<Safe>,
    /// Entries that were sent and still hold.
    pub holds: Vec<Safe>,
    /// Entries that were sent and still hold, at other lines than before: each with where they are now.
    pub moved: Vec<(Safe, Safe)>,
    /// Entries that were sent and hold no longer, each with the reason.
    pub stale: Vec<(Safe, Safe)>,
    /// The keys of what holds.
    held: FxHashSet<String>,
}

/// An entry as it could be shown: its key, and the hashes of the ways to show it, fullest first.
pub(super) struct Known {
    key: String,
    forms: Vec<String>,
}

/// Gives every entry of all drafts its key, before anything is cut.
pub(super) fn name_all(drafts: &mut [Draft]) {
    let mut n_alike: FxHashMap<String, u32> = FxHashMap::default();
    for entry in drafts.iter_mut().flat_map(|draft| &mut draft.groups).flat_map(|group| &mut group.entries) {
        let key = key(&entry.about, entry.pieces());
        let n_before = n_alike.entry(key.clone()).and_modify(|n| *n += 1).or_insert(0);
        entry.key = if *n_before == 0 { key } else { format!("{key} ~{n_before}") };
    }
}

/// What the entries of all drafts, which have their keys, could say.
pub(super) fn known(drafts: &[Draft]) -> Vec<Known> {
    let forms = |entry: &Entry| entry.forms().iter().map(|form| hash(&entry.about, form, is_numbered(entry))).collect();
    drafts.iter().flat_map(Draft::entries).map(|entry| Known { key: entry.key.clone(), forms: forms(entry) }).collect()
}

/// A name for an entry that stays when its text changes: its kind with its symbol or file, or with its line but for numbers.
fn key(about: &About, pieces: &[Piece]) -> String {
    let label = label(about, pieces);
    if BY_PLACE.contains(&about.kind) { label } else { label.chars().filter(|c| !c.is_ascii_digit()).collect() }
}

/// The kind of an entry with its symbol or file, or with its line.
fn label(about: &About, pieces: &[Piece]) -> String {
    let place = about.id.as_ref().or(about.path.as_ref());
    let name = match (place, pieces.first()) {
        (Some(place), _) if BY_PLACE.contains(&about.kind) => place.as_str().to_owned(),
        (_, Some(Piece::Line(line) | Piece::Fenced(_, line))) => {
            line.as_str().trim().trim_start_matches("- ").chars().take(MAX_KEY).collect()
        }
        (_, None) => String::new(),
    };
    let part = if about.part == 0 { String::new() } else { format!(" ~{}", about.part) };
    format!("{} {name}{part}", about.kind)
}

/// What an entry is called for a reader.
fn called(masker: &Masker, entry: &SentEntry) -> Safe {
    masker.name(entry.label.as_ref().unwrap_or(&entry.key))
}

/// The hash of what a form says. A line with a reason says the reason: its score changes with every edit.
fn hash(about: &About, form: &Form, is_numbered: bool) -> String {
    // Where code stands in its file is not part of what it says.
    let code = |line: &str| line.split_once(' ').map_or("", |(_, code)| code).to_owned();
    let plain = |text: &str| {
        if is_numbered { text.lines().map(code).collect::<Vec<_>>().join("\n") } else { text.to_owned() }
    };
    let fenced: Vec<String> = form
        .pieces()
        .iter()
        .filter_map(|piece| match piece {
            Piece::Fenced(_, text) => Some(plain(text.as_str())),
            Piece::Line(_) => None,
        })
        .collect();
    let text = match (&fenced[..], &about.reason) {
        ([], Some(reason)) => reason.as_str().to_owned(),
        ([], None) => {
            let lines = form.pieces().iter().map(|piece| match piece {
                Piece::Line(text) | Piece::Fenced(_, text) => text.as_str(),
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        _ => fenced.join("\n"),
    };
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// Whether the code of an entry has a gutter.
fn is_numbered(entry: &Entry) -> bool {
    entry.block.as_ref().is_some_and(|block| block.is_numbered)
}

/// What is shown, as a record.
pub(super) fn sent(view: &View<'_>, drafts: &[Draft]) -> Vec<SentEntry> {
    let record = |entry: &Entry| {
        let path = entry.about.path.as_ref().map(|path| path.as_str().to_owned());
        let file = path.as_deref().and_then(|path| view.base.file_at(path));
        SentEntry {
            // A summary takes the place of entries that have names.
            key: if entry.key.is_empty() { key(&entry.about, entry.pieces()) } else { entry.key.clone() },
            label: Some(label(&entry.about, entry.pieces())).filter(|label| label.bytes().any(|byte| byte.is_ascii_digit())),
            hash: entry.form().map_or_else(String::new, |form| hash(&entry.about, form, is_numbered(entry))),
            kind: entry.about.kind.to_owned(),
            lines: entry.lines().or(entry.about.lines).filter(|_| path.is_some()),
            content: file.map(|file| content(view, file)),
            link: file.and_then(|file| link(view, file)).map(str::to_owned),
            path,
        }
    };
    drafts.iter().flat_map(Draft::entries).take(MAX_ENTRIES).map(record).collect()
}

/// The hash of a file's content.
fn content(view: &View<'_>, file: NodeId) -> String {
    format!("{:016x}", view.base.hash(file) as u64)
}

/// How a file came to be active, as one word.
fn link(view: &View<'_>, file: NodeId) -> Option<&'static str> {
    let mut active = view.active(file)?;
    for _ in 0..MAX_STEPS {
        match active.reason {
            Reason::Holds(symbol) => active = view.active(symbol)?,
            _ => break,
        }
    }
    Some(match &active.reason {
        Reason::Named(_) => "named",
        Reason::Words(_) => "words",
        // The reason reads from this node; energy came the other way.
        Reason::Link { kind, .. } => kind.reverse().name(),
        Reason::Tests(_) => "tests",
        Reason::Holds(_) | Reason::StandsIn(_) => "contains",
        Reason::Failure(_) => "failure",
        Reason::Touched => "touched",
    })
}

/// Takes what was sent and still holds out of drafts that are fitted; `before` is what they could say, `shown` what they say.
pub(super) fn take(view: &View<'_>, since: &Sent, drafts: &mut [Draft], before: &[Known], shown: &[SentEntry]) -> Delta {
    let old: FxHashMap<&str, &SentEntry> = since.entries.iter().map(|entry| (entry.key.as_str(), entry)).collect();
    let all: FxHashMap<&str, &Known> = before.iter().map(|known| (known.key.as_str(), known)).collect();
    let mut delta = Delta { pack_id: view.masker.name(&since.pack_id), ..Delta::default() };
    let mut held: FxHashSet<&str> = FxHashSet::default();
    // The reader has an entry if it was sent in this form or in a fuller one.
    for entry in shown {
        let Some(sent) = old.get(entry.key.as_str()) else {
            delta.new.push(called(view.masker, entry));
            continue;
        };
        let forms = all.get(entry.key.as_str()).map_or(&[][..], |known| &known.forms);
        let at = |hash: &str| forms.iter().position(|form| form == hash);
        if sent.hash == entry.hash || at(&sent.hash).is_some_and(|sent| at(&entry.hash).is_some_and(|now| sent < now)) {
            held.insert(&entry.key);
            let place = |(first, last): (u32, u32)| Safe::format("{}-{}", &[&Safe::number(first), &Safe::number(last)]);
            if let Some(lines) = entry
                .lines
                .filter(|lines| sent.hash == entry.hash && sent.lines.is_some_and(|before| before != *lines) && is_content(entry))
            {
                delta.moved.push((called(view.masker, entry), place(lines)));
            }
        } else if entry.content.is_some() && entry.content == sent.content {
            // Other lines of what did not change: the reader has not seen them.
            delta.new.push(called(view.masker, entry));
        } else {
            delta.changed.push(called(view.masker, entry));
        }
    }
    let counter = view.counter;
    let is_shown: FxHashSet<&str> = shown.iter().map(|entry| entry.key.as_str()).collect();
    for sent in &since.entries {
        let key = sent.key.as_str();
        if held.contains(key) {
            delta.holds.push(called(view.masker, sent));
            delta.held.insert(sent.key.clone());
        } else if !is_shown.contains(key) {
            match unseen(view, sent, all.get(key).copied()) {
                None => {
                    delta.holds.push(called(view.masker, sent));
                    delta.held.insert(sent.key.clone());
                }
                Some(why) => delta.stale.push((called(view.masker, sent), Safe::fixed(why))),
            }
        }
    }
    for group in drafts.iter_mut().flat_map(|draft| &mut draft.groups) {
        group.hold(counter, |entry| held.contains(entry.key.as_str()));
    }
    delta
}

/// Whether an entry says what stands in a file.
fn is_content(entry: &SentEntry) -> bool {
    CONTENT.contains(&entry.kind.as_str())
}

/// Why an entry that is not shown now no longer holds; nothing where it does.
fn unseen(view: &View<'_>, sent: &SentEntry, now: Option<&Known>) -> Option<&'static str> {
    if let Some(now) = now {
        return (!now.forms.contains(&sent.hash)).then_some("it changed, and did not fit");
    }
    let Some(path) = sent.path.as_ref().filter(|_| is_content(sent) && sent.content.is_some()) else {
        return Some("it no longer holds");
    };
    let Some(file) = view.base.file_at(path) else { return Some("the file is gone") };
    (sent.content.as_ref() != Some(&content(view, file))).then_some("the file changed: read it again")
}

/// Adds to the record of what is shown what the reader has of it already: as it is now, else as it was sent.
pub(super) fn carry(record: &mut Sent, now: &[SentEntry], since: &Sent, delta: &Delta) {
    let mut known: FxHashSet<String> = record.entries.iter().map(|entry| entry.key.clone()).collect();
    for entry in now.iter().chain(&since.entries) {
        if delta.held.contains(&entry.key) && known.insert(entry.key.clone()) {
            record.entries.push(entry.clone());
        }
    }
    record.entries.truncate(MAX_ENTRIES);
}
