//! What the likeliest files define: names with their lines, so that an agent knows what is there and where to read on.
//!
//! A name costs a hundredth of its body, and says of code that is not shown that it exists.

use super::Entry;
use super::View;
use crate::activation::{Active, Role};
use crate::pieces::About;
use crate::reason::{local_name, reason};
use activate_rules::atoms::NodeId;
use index::base::{SymbolKind, SymbolRow, Traits};
use redact::Safe;
use std::cmp::Reverse;

/// The most files that are outlined.
const MAX_FILES: usize = 6;
/// The most names of a file, where there is room and where there is less: nine files in ten of real repositories define fewer than the
/// first of these.
const MOST_NAMES: [usize; 2] = [8, 4];
/// The most characters of a line: what is longer says little more.
const MAX_LINE: usize = 160;

/// The outlines of the likeliest files, in their order.
pub(super) fn outlines(view: &View<'_>) -> Vec<Entry> {
    let files = view.activation.files.iter().filter(|file| file.role != Role::Test);
    files.filter_map(|file| outline(view, file)).take(MAX_FILES).collect()
}

/// `  - path: name 12, Type.name 30 (+4 more)`, the best names where there are too many, in the order of their lines.
fn outline(view: &View<'_>, file: &Active) -> Option<Entry> {
    let derived = &view.activation.derived;
    let shown = view.base.symbols_of(file.node).map(NodeId).filter(|node| !derived.is_hidden(*node, file.node));
    let mut symbols: Vec<SymbolRow<'_>> = shown.filter_map(|node| view.base.symbol(node)).filter(is_listed).collect();
    let is_value = |symbol: &SymbolRow<'_>| matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
    // Members of objects may be called anything; what is not a single word could pass for ours, and is only counted.
    let n_defined = symbols.len();
    symbols.retain(|symbol| !symbol.local_id.contains(char::is_whitespace));
    if symbols.is_empty() {
        return None;
    }
    symbols.sort_by_cached_key(|symbol| (Reverse(derived.rank_score(symbol.node)), is_value(symbol), symbol.node));
    let path = view.path(file.node);
    let mut forms = Vec::new();
    let mut summary = None;
    for most in MOST_NAMES {
        if most == MOST_NAMES[0] || symbols.len() > most {
            let mut listed: Vec<&SymbolRow<'_>> = symbols.iter().take(most).collect();
            listed.sort_by_key(|symbol| (symbol.name_line, symbol.node));
            let place = |symbol: &&SymbolRow<'_>| {
                Safe::format("{} {}", &[&local_name(view.masker, symbol), &Safe::number(symbol.name_line)])
            };
            let names = Safe::join(&listed.iter().map(place).collect::<Vec<_>>(), ", ");
            let n_left = n_defined - listed.len();
            let names = match n_left {
                0 => names,
                _ => Safe::format("{} (+{} more)", &[&names, &Safe::number(n_left as i64)]),
            };
            let line = Safe::format("  - {}: {}", &[&path, &names]);
            if line.as_str().chars().count() <= MAX_LINE || most == MOST_NAMES[MOST_NAMES.len() - 1] {
                forms.push(view.counter.line(line));
            }
            // The fewest names that there is a form of.
            summary = Some(names);
        }
    }
    let about = About {
        kind: "outline",
        id: Some(path.clone()),
        path: Some(path),
        score: Some(file.score),
        tier: Some(file.tier),
        reason: Some(reason(view, file)),
        trust: Some(view.trust(file.node)),
        hops: file.hops,
        summary: summary.filter(|_| view.sources.traced),
        ..About::default()
    };
    Some(Entry::new(about, forms))
}

/// Whether a definition is worth a name: those within functions are not, tests have a list of their own.
fn is_listed(symbol: &SymbolRow<'_>) -> bool {
    let is_test = symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST) || symbol.traits.has(Traits::TEST_CODE);
    !symbol.traits.has(Traits::NESTED) && !is_test && symbol.kind != SymbolKind::Module
}
