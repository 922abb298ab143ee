//! `ctx_stats`: the figures of a pack, and which of its files are others now.

use super::page::page;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use error::Result;
use index::snapshot::Snapshot;
use packets::answer::{StoredPack, hash};
use redact::Safe;
use repo::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What `ctx_stats` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Stats {
    /// The pack
    pack_id: String,
}

/// The figures of a pack.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Figures {
    pack_id: String,
    /// Its kind
    mode: &'static str,
    files: u32,
    /// Lines of its places
    lines: u32,
    budgets: Budgets,
    /// Masks by kind
    #[schemars(with = "BTreeMap<String, u32>")]
    redaction: BTreeMap<Safe, u32>,
    /// Whether all its files are as they were
    fresh: bool,
    /// Files that are others now, the first of them
    #[schemars(with = "Vec<String>")]
    changed: Vec<Safe>,
    text: String,
}

/// What a pack may hold.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Budgets {
    max_tokens: u32,
    max_files: u32,
    max_lines: u32,
    depth: u8,
    topk: u32,
}

impl ToolCall for Stats {
    type Output = Figures;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Figures> {
        let pack = toolbox.pack(&self.pack_id)?;
        let snapshot = toolbox.snapshot(progress)?;
        let sent = pack.sent(snapshot.masker())?;
        let changed = changed(toolbox, &snapshot, &pack);
        let files: BTreeSet<&str> = pack.places.iter().map(|place| place.path.as_str()).collect();
        let n_lines = |(first, last): (u32, u32)| if last < first || first == 0 { 0 } else { last - first + 1 };
        let budgets = &pack.asked.wanted.budgets;
        let fresh = changed.is_empty();
        let changed = page(changed, None)?;
        let mut said = Figures {
            mode: pack.asked.wanted.kind.name(),
            files: files.len() as u32,
            lines: pack.places.iter().map(|place| n_lines(place.lines)).fold(0, u32::saturating_add),
            budgets: Budgets {
                max_tokens: pack.asked.wanted.tokens,
                max_files: budgets.max_files,
                max_lines: budgets.max_lines,
                depth: budgets.depth,
                topk: budgets.topk,
            },
            redaction: snapshot.masker().count_masks([sent]),
            text: String::new(),
            fresh,
            changed: changed.items,
            pack_id: pack.pack_id,
        };
        let mut text = format!("pack {} ({}): {} files, {} lines; ", said.pack_id, said.mode, said.files, said.lines);
        if said.fresh {
            text += "all of them as they were\n";
        } else {
            text += "changed since:\n";
            for path in &said.changed {
                text.push_str(path.as_str());
                text.push('\n');
            }
            if changed.n_left > 0 {
                let _ = writeln!(text, "and {} more", changed.n_left);
            }
        }
        said.text = text;
        Ok(said)
    }
}

/// The files of a pack that are not what they were.
fn changed(toolbox: &Toolbox, snapshot: &Snapshot, pack: &StoredPack) -> Vec<Safe> {
    let kept: BTreeMap<&str, &str> = pack.places.iter().map(|place| (place.path.as_str(), place.hash.as_str())).collect();
    let is_same = |path: &str, kept: &str| {
        let path = RepoPath::new(path).ok()?;
        let text = toolbox.engine().text_at(snapshot, snapshot.masker(), &path).ok().flatten()?;
        (hash(&text) == kept).then_some(())
    };
    kept.into_iter().filter(|(path, kept)| is_same(path, kept).is_none()).map(|(path, _)| snapshot.masker().name(path)).collect()
}
