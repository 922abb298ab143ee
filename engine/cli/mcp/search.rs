//! `ctx_search`: lines that hold a text.
//!
//! Must not search in anything but masked text: whoever guesses a secret is not told where it stands.

use super::page::page;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox, path, trust};
use context::NodeId;
use error::{Error, ErrorKind, Result};
use index::snapshot::{Progress, Snapshot};
use rayon::prelude::*;
use redact::{DATA_NOTICE, LongLines, PacketWriter, Redacted, Safe, Trust};
use regex::bytes::{Regex, RegexBuilder};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest text that is searched for.
const MAX_QUERY: usize = 500;
/// Files that are looked through before it is told how far the search is, which is where it can be given up.
const AT_ONCE: usize = 256;
/// Matches where nobody says how many, and the most.
const TOP_K: u32 = 20;
/// What every mask begins with.
const MASK: &str = "redacted";
const MAX_TOP_K: u32 = 200;

/// What `ctx_search` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// The pack
    pack_id: String,
    /// The text, as it stands; lower case finds both
    query: String,
    /// `pack`, its files (default); `repo`, all of the repository, its files first; or a file or folder
    #[serde(default)]
    scope: Option<String>,
    /// Most matches, 20 if left out
    #[serde(default)]
    top_k: Option<u32>,
    /// `next_cursor` of the last part
    #[serde(default)]
    cursor: Option<String>,
}

/// The files of a pack, and all of the repository, as a scope.
const PACK: &str = "pack";
const REPO: &str = "repo";

/// Lines that match.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SearchOutput {
    /// Places, in the order of the text
    matches: Vec<Match>,
    /// Lines that match in all
    n_found: u32,
    n_left: u32,
    next_cursor: Option<String>,
    text: String,
}

/// A line that matches.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Match {
    #[schemars(with = "String")]
    path: Safe,
    line: u32,
    /// First and last line of the passage that holds it, to be read
    range: (u32, u32),
    #[serde(skip)]
    trust: Trust,
}

impl ToolCall for Search {
    type Output = SearchOutput;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<SearchOutput> {
        let pack = toolbox.pack(&self.pack_id)?;
        let top_k = self.top_k.unwrap_or(TOP_K);
        let refused = |message: String| Err(Error::new(ErrorKind::BadInput, message));
        if !(1..=MAX_TOP_K).contains(&top_k) {
            return refused(format!("`top_k` is {top_k}; give 1 to {MAX_TOP_K}"));
        }
        if self.query.trim().is_empty() || self.query.len() > MAX_QUERY || self.query.contains('\n') {
            return refused(format!("`query` is one line of 1 to {MAX_QUERY} bytes"));
        }
        let snapshot = toolbox.snapshot(progress)?;
        let base = &snapshot.base;
        let mut files: Vec<NodeId> = Vec::new();
        for place in &pack.places {
            files.extend(base.file_at(&place.path).filter(|file| !files.contains(file)));
        }
        match self.scope.as_deref().unwrap_or(PACK) {
            PACK => {}
            REPO => {
                let own: FxHashSet<NodeId> = files.iter().copied().collect();
                files.extend(base.files().filter(|file| !own.contains(file)));
            }
            scope => {
                let scope = path("scope", scope)?;
                let below = format!("{scope}/");
                let is_in = |file: &NodeId| base.path(*file) == scope.as_str() || base.path(*file).starts_with(&below);
                files = base.files().filter(is_in).collect();
                if files.is_empty() {
                    return refused(format!(
                        "`scope` is `{scope}`, which is not a file or folder; give `pack`, `repo` or one of these"
                    ));
                }
            }
        }
        let asked = Asked { pattern: pattern(&self.query)?, for_masks: self.query.to_ascii_lowercase().contains(MASK) };
        let mut n_found = 0;
        let mut found = Vec::new();
        for (n_done, some) in files.chunks(AT_ONCE).enumerate() {
            progress(Progress::Reading(n_done * AT_ONCE, files.len()));
            let in_file = |file: &NodeId| matches(toolbox, &snapshot, *file, &asked, top_k as usize);
            for (n_in_file, shown) in toolbox.engine().on_threads(|| some.par_iter().map(in_file).collect::<Vec<_>>()) {
                n_found += n_in_file;
                found.extend(shown);
            }
            found.truncate(top_k as usize);
        }
        let page = page(found, self.cursor.as_deref())?;
        let mut writer = PacketWriter::new();
        let counts = [&Safe::number(page.items.len() as i64), &Safe::number(n_found), &snapshot.masker().line(&self.query)];
        writer.line(&Safe::format("{} of {} lines that hold {}", &counts));
        writer.line(&Safe::fixed(DATA_NOTICE));
        let mut lines = Safe::default();
        page.items.iter().for_each(|(_, line)| lines.push(line));
        // Of several files, the label of that which says least for itself.
        let trust = page.items.iter().map(|(found, _)| found.trust).max().unwrap_or(Trust::Tracked);
        writer.fenced(trust, &lines);
        if page.n_left > 0 {
            writer.line(&Safe::format("{} more: ask with `next_cursor`", &[&Safe::number(page.n_left as i64)]));
        }
        let matches = page.items.into_iter().map(|(found, _)| found).collect();
        Ok(SearchOutput { matches, n_found, n_left: page.n_left as u32, next_cursor: page.next, text: writer.finish().text })
    }
}

/// What is searched for.
struct Asked {
    pattern: Regex,
    /// Whether masks may hold it.
    for_masks: bool,
}

/// What finds a query: letter by letter, and where it has no upper case in both cases.
fn pattern(query: &str) -> Result<Regex> {
    let pattern = RegexBuilder::new(&regex::escape(query)).case_insensitive(!query.chars().any(char::is_uppercase)).build();
    pattern.map_err(|error| Error::new(ErrorKind::BadInput, "`query` cannot be searched for").because(error))
}

/// How many lines of a file match, and what the first of them say.
fn matches(toolbox: &Toolbox, snapshot: &Snapshot, file: NodeId, asked: &Asked, most: usize) -> (u32, Vec<(Match, Safe)>) {
    // A file that cannot be read has no lines; `context` and `doctor` tell of those.
    // Masks stand in no file; who asks for their word finds them.
    let may_match = |bytes: &[u8]| asked.for_masks || asked.pattern.is_match(bytes);
    let Ok(Some(text)) = toolbox.engine().text_if(snapshot, file, may_match) else { return <_>::default() };
    let (path, trust) = (snapshot.masker().name(snapshot.base.path(file)), trust(snapshot, file));
    let passages = snapshot.base.passage_lines(file);
    let first = lines(&text, &asked.pattern).take(most).map(|line| {
        let range = passages.iter().copied().find(|(first, last)| (*first..=*last).contains(&line)).unwrap_or((line, line));
        let code = Safe::code(&text, line..=line, LongLines::Cut).trimmed();
        let shown = Safe::format("{}:{}: {}\n", &[&path, &Safe::number(line), &code]);
        (Match { path: path.clone(), line, range, trust }, shown)
    });
    (lines(&text, &asked.pattern).count() as u32, first.collect())
}

/// The numbers of the lines that match.
fn lines<'t>(text: &'t Redacted, pattern: &'t Regex) -> impl Iterator<Item = u32> + 't {
    let lines = text.as_str().split('\n').zip(1..);
    lines.filter(|(line, _)| pattern.is_match(line.as_bytes())).map(|(_, number)| number)
}
