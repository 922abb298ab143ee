//! Passages that hold words, those of which the words say most first. Searches in masked text alone.

use super::answer::{Answer, Row};
use super::desk::Desk;
use activate_rules::atoms::NodeId;
use activate_rules::weights::Weights;
use error::{Error, ErrorKind, Result};
use index::completeness::{Completeness, State};
use index::passages::{self, PassageWords};
use index::past_lines::PastLines;
use index::text::{FieldWeights, QueryTerm, Scores, query_terms};
use rayon::prelude::*;
use redact::{Redacted, Safe};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// The likeliest files in which passages are looked for.
const MAX_FILES: usize = 100;
/// The longest text that is looked for.
const MAX_WORDS: usize = 1_000;

pub(crate) fn find(desk: &Desk<'_>, words: &str) -> Result<Answer> {
    let words = words.trim();
    if words.is_empty() || words.len() > MAX_WORDS {
        let message = format!("give words to look for, at most {MAX_WORDS} bytes");
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let base = desk.base;
    let index = base.text()?;
    let terms = index.with_forms(query_terms(words));
    if terms.is_empty() {
        let message = "no word to look for: letters, digits and `_`, two at least, make one";
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let hits = index.search(&terms, &FieldWeights::default(), usize::MAX, |_| true, &mut Scores::default());
    let files: Vec<NodeId> = hits.iter().take(MAX_FILES).map(|hit| NodeId(hit.doc)).collect();
    let read: FxHashMap<NodeId, Arc<Redacted>> = desk.engine.on_threads(|| {
        let text = |file: &NodeId| desk_text(desk.engine, desk.snapshot, *file).map(|text| (*file, text));
        files.par_iter().filter_map(text).collect()
    });
    let texts = |file: NodeId| read.get(&file).map(Arc::clone);
    let weights = Weights::default().passage_text;
    let passages = desk.engine.on_threads(|| passages::find(base, &terms, &files, &weights, &PastLines::default(), &texts));
    let mut found: Vec<PassageWords> = passages.into_iter().filter(|passage| passage.score > 0).collect();
    found.sort_by_key(|passage| (Reverse(whole(words, passage, &read)), Reverse(passage.score), passage.file, passage.lines));
    let rows: Vec<Row> = found.iter().enumerate().map(|(at, passage)| row(desk, passage, &read, at < desk.limit())).collect();
    let mut known = Completeness { state: State::Complete, reasons: desk.snapshot.unseen.clone() };
    if !known.reasons.is_empty() {
        known.state = State::Incomplete;
    }
    if hits.len() > MAX_FILES {
        known.lacks(format!("{} more files have some of the words", hits.len() - MAX_FILES));
    }
    let said = terms.iter().map(|term: &QueryTerm| term.text.as_str()).collect::<Vec<_>>().join(" ");
    Ok(desk.answer("find", vec![desk.masker.line(&said)], rows, &known))
}

fn desk_text(engine: &engine::Engine, snapshot: &index::snapshot::Snapshot, file: NodeId) -> Option<Arc<Redacted>> {
    engine.text_if(snapshot, file, |_| true).ok().flatten().map(Arc::new)
}

/// Whether the words stand in the passage as they were written, but for case.
fn whole(words: &str, passage: &PassageWords, read: &FxHashMap<NodeId, Arc<Redacted>>) -> bool {
    let wanted = words.to_lowercase();
    let Some(text) = read.get(&passage.file) else { return false };
    let (first, last) = passage.lines;
    (first..=last.min(text.n_lines())).any(|line| text.line(line).to_lowercase().contains(&wanted))
}

fn row(desk: &Desk<'_>, passage: &PassageWords, read: &FxHashMap<NodeId, Arc<Redacted>>, with_text: bool) -> Row {
    let (line, last) = passage.lines;
    let text = read.get(&passage.file).filter(|_| with_text);
    let text = text.map(|text| Safe::code(text, passage.best_line..=passage.best_line, redact::LongLines::Cut).trimmed());
    let around = desk.base.symbol_at(passage.file, passage.best_line);
    let symbol = around.map(|node| desk.local(node));
    Row { path: desk.path(passage.file), line, last_line: Some(last), symbol, text, ..Row::default() }
}
