//! A change under review: what it reaches, step by step, with tests and their commands.

use super::model::{ChangeView, Dependent, Level};
use super::nodes::{Nodes, name};
use activate_rules::atoms::NodeId;
use activate_rules::links::Confidence;
use context::{Candidate, Disposition, SessionContext};
use engine::Activation;
use index::base::{Dependence, FileFlags, Uses};
use redact::Safe;
use review::ChangedKind;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The most rows of one level, and of the files of the change.
const MAX_ROWS: usize = 60;
/// The most places that are named of a definition that goes.
const MAX_USES: usize = 4;

/// What the page says of the change; nothing where none is reviewed. `context` shows most of what packets can.
pub(super) fn collect(activation: &Activation<'_>, nodes: &Nodes, context: &SessionContext) -> Option<ChangeView> {
    let review = activation.review()?;
    let (base, masker) = (&activation.snapshot.base, activation.masker());
    let file = |file: &review::ChangedFile| (masker.name(&file.path), word(file.kind), file.n_added, file.n_removed);
    let broken = |gone: &review::Removed| {
        let place = |(file, line): &(NodeId, u32)| Safe::format("{}:{}", &[&masker.name(base.path(*file)), &Safe::number(*line)]);
        let places: Vec<Safe> = gone.uses.iter().take(MAX_USES).map(place).collect();
        let n_more = gone.n_uses.saturating_sub(places.len());
        let places = Safe::join(&places, ", ");
        let pieces = [&Safe::fixed(gone.kind), &masker.name(&gone.name), &places, &Safe::number(n_more as i64)];
        if n_more > 0 {
            Safe::format("{} {} goes and is used: {} and {} more places", &pieces)
        } else {
            Safe::format("{} {} goes and is used: {}", &pieces[..3])
        }
    };
    let items = || context.sections.iter().flat_map(|section| &section.items);
    let said = |kind: &str| -> Vec<Safe> {
        let of_kind = items().filter(|item| item.about.kind == kind);
        of_kind.map(|item| masker.line(item.text.as_str().trim_start_matches([' ', '-']))).collect()
    };
    Some(ChangeView {
        name: masker.name(&review.name),
        lines: review.n_lines(),
        files: review.files.iter().take(MAX_ROWS).map(file).collect(),
        broken: review.removed.iter().map(broken).collect(),
        levels: levels(activation, nodes),
        commands: commands(context),
        missing: said("missing_change"),
    })
}

/// The commands that run tests, each with why.
fn commands(context: &SessionContext) -> Vec<(Safe, Safe)> {
    let shown =
        |candidate: &&Candidate| candidate.about.kind == "test_command" && matches!(candidate.fate, Disposition::Shown { .. });
    let command = |candidate: &Candidate| {
        let about = &candidate.about;
        Some((about.summary.clone()?, about.reason.clone().unwrap_or_default()))
    };
    context.candidates.iter().filter(shown).filter_map(command).collect()
}

/// What depends on the change, the closest first; of those code before tests, then the surest.
fn levels(activation: &Activation<'_>, nodes: &Nodes) -> Vec<Level> {
    let base = &activation.snapshot.base;
    let is_test = |node: NodeId| base.test_around(node).is_some() || base.flags(base.file_of(node)).has(FileFlags::TEST);
    let mut all: BTreeMap<usize, Vec<(NodeId, Dependence)>> = BTreeMap::new();
    for (node, way) in activation.affected() {
        all.entry(way.through.len() + 1).or_default().push((node, way));
    }
    let level = |(depth, mut all): (usize, Vec<(NodeId, Dependence)>)| {
        all.sort_by_cached_key(|(node, way)| {
            (way.is_wide(), is_test(*node), way.confidence, Reverse(activation.found.derived.score(*node)), *node)
        });
        let n_more = all.len().saturating_sub(MAX_ROWS);
        let rows = all.into_iter().take(MAX_ROWS);
        let rows = rows.map(|(node, way)| dependent(activation, nodes, node, &way, is_test(node))).collect();
        Level { depth, rows, n_more }
    };
    all.into_iter().map(level).collect()
}

fn dependent(activation: &Activation<'_>, nodes: &Nodes, node: NodeId, way: &Dependence, is_test: bool) -> Dependent {
    let (base, masker) = (&activation.snapshot.base, activation.masker());
    let next = way.through.first().copied().unwrap_or(way.target);
    let path = masker.name(base.path(base.file_of(node)));
    let (how, line) = match way.uses {
        Uses::Link(kind) => (kind.name(), base.link_line(node, kind, next)),
        Uses::NamedAfter => ("named after", None),
        Uses::Passes => ("passes on", None),
    };
    let line = line.or_else(|| base.symbol(node).map(|row| row.lines.0));
    Dependent {
        name: name(activation, node),
        place: line.map_or_else(|| path.clone(), |line| Safe::format("{}:{}", &[&path, &Safe::number(line)])),
        how,
        of: name(activation, next),
        confidence: if way.is_wide() {
            "one of many"
        } else if way.confidence <= Confidence::Unique {
            ""
        } else {
            way.confidence.name()
        },
        is_test,
        node: nodes.at.get(&node).copied(),
    }
}

const fn word(kind: ChangedKind) -> &'static str {
    match kind {
        ChangedKind::Added => "new",
        ChangedKind::Deleted => "gone",
        ChangedKind::Modified => "changed",
        ChangedKind::Renamed => "moved",
        ChangedKind::Binary => "binary",
        ChangedKind::Large => "too large to be read",
    }
}
