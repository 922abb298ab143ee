//! From a change to a review of it, and to the targets that activation starts from.
//!
//! Shares what exact targets have among the definitions that change, by how much of the change is theirs.

use super::locate::Placed;
use super::pieces::pieces;
use super::{ChangedFile, ChangedKind};
use activate_rules::atoms::{NodeId, Thousandths};
use activate_rules::weights::ChangeWeights;
use index::base::{FactBase, FileFlags, SymbolKind, Traits};
use index::extract::is_lock;
use intent::{How, Target, log2};
use redact::Masker;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The whole, in thousandths.
const WHOLE: u32 = 1000;

/// The files of a change with masked texts: source first, then those of which most is changed, then by path.
/// `at_large` are paths of those that change outside of their definitions.
pub fn files(
    base: &FactBase,
    placed: Vec<Placed>,
    at_large: &BTreeSet<String>,
    masker: &Masker,
    weights: &ChangeWeights,
) -> Vec<ChangedFile> {
    let file = |placed: Placed| {
        let old_name = placed.from.as_deref().unwrap_or(&placed.path);
        let old = masker.file(old_name, placed.old.as_bytes());
        let new = masker.file(&placed.path, placed.new.as_bytes());
        let pieces = pieces(base, &placed, &old, &new);
        let count = |of: fn(&super::Piece) -> u32| pieces.iter().map(of).fold(0, u32::saturating_add);
        let role = role(base, &placed.path, placed.file, weights);
        ChangedFile {
            n_added: count(|piece| piece.n_added),
            n_removed: count(|piece| piece.n_removed),
            is_at_large: at_large.contains(&placed.path),
            path: placed.path,
            from: placed.from,
            kind: placed.kind,
            mode: placed.mode,
            file: placed.file,
            is_old: placed.is_old,
            role,
            pieces,
            old,
            new,
        }
    };
    let mut files: Vec<ChangedFile> = placed.into_iter().map(file).collect();
    files.sort_by_cached_key(|file| {
        let is_gone = file.kind == ChangedKind::Deleted;
        (Reverse(file.role), is_gone, Reverse(file.n_added + file.n_removed), file.path.clone())
    });
    files
}

/// What is left of lines of a file in the order of a change, in thousandths.
fn role(base: &FactBase, path: &str, file: Option<NodeId>, weights: &ChangeWeights) -> u32 {
    let flags = file.map(|file| base.flags(file)).unwrap_or_default();
    let language = activate_grammars::language_of(path);
    let is_test = flags.has(FileFlags::TEST) || language.is_some_and(|(_, language)| (language.is_test_path)(path));
    let rows = [
        (is_test, weights.test),
        (flags.has(FileFlags::GENERATED) || is_lock(path), weights.generated),
        (flags.has(FileFlags::VENDORED), weights.vendored),
        (flags.has(FileFlags::EXAMPLE), weights.example),
        (language.is_none(), weights.document),
    ];
    rows.iter().filter(|(applies, _)| *applies).map(|(_, left)| left.get()).min().unwrap_or(WHOLE)
}

/// How much of a place changes: lines weakened by what file they stand in, the least that is left of one in thousandths, lines added and removed.
type Size = (u64, u32, (u32, u32));

/// The places that a change touches, each with its share of the energy of an exact target, the greatest first.
pub fn targets(base: &FactBase, files: &[ChangedFile], weights: &ChangeWeights) -> Vec<Target> {
    // How many lines change, weakened by what file they stand in.
    let mut changed: BTreeMap<NodeId, Size> = BTreeMap::new();
    for file in files {
        let Some(node) = file.file else { continue };
        for piece in &file.pieces {
            let of_tests = |node: NodeId| {
                base.symbol(node).is_some_and(|row| {
                    row.kind == SymbolKind::Test || row.traits.has(Traits::TEST) || row.traits.has(Traits::TEST_CODE)
                })
            };
            let role = match piece.definition {
                Some(definition) if of_tests(definition) => file.role.min(weights.test.get()),
                _ => file.role,
            };
            let (size, known, lines) = changed.entry(piece.definition.unwrap_or(node)).or_insert((0, role, (0, 0)));
            *size += u64::from(piece.n_lines()) * u64::from(role);
            *known = role.min(*known);
            *lines = (lines.0 + piece.n_added, lines.1 + piece.n_removed);
        }
        if file.pieces.is_empty() {
            changed.entry(node).or_insert((1, file.role, (0, 0)));
        }
    }
    let mut order: Vec<(NodeId, Size)> = changed.into_iter().collect();
    order.sort_by_key(|(node, (size, role, _))| (Reverse(*role), Reverse(*size), *node));
    let best = order.iter().map(|(_, (size, ..))| *size).max().unwrap_or(1).max(1);
    let target = |(at, (node, (size, role, (n_added, n_removed)))): (usize, (NodeId, Size))| {
        let lost = log2(best / size.max(1)) * u64::from(weights.fall.get()) / u64::from(WHOLE);
        let by_size = WHOLE.saturating_sub(lost as u32).max(weights.least.get());
        let share = by_size * role / WHOLE;
        let share = if at < weights.most as usize { share } else { share.min(weights.rest.get()) };
        Target {
            node,
            text: format!("+{n_added} -{n_removed}"),
            how: How::Changed,
            confidence: Thousandths::ONE,
            share: Thousandths::new(share),
            line: None,
            is_spelled_out: true,
        }
    };
    let mut targets: Vec<Target> = order.into_iter().enumerate().map(target).collect();
    targets.sort_by_key(|target| Reverse(target.share));
    targets
}
