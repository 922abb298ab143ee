//! Which items of a session context a pack has: pins and what is hot first, recent turns protected, within items and tokens.
//!
//! Must not know how a pack is encoded.

use super::{Citations, ContextPackBudgets, PackItem};
use crate::context::redact::Safe;
use crate::context::tokens::Tokenizer;
use crate::context::{Item, Section, SessionContext};
use crate::packet::considered::{Considered, Importance, Layer, PIN, reference, tell_apart, trust_word};
use rustc_hash::FxHashMap;

/// What to do about items that strangers wrote: files that git does not track, generated code, words of commits, logs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TrustPolicy {
    /// They come after all others of their importance; where there are no others they enter, which the receipt says.
    #[default]
    Prefer,
    /// They do not enter.
    Require,
    /// They count as all others.
    Any,
}

/// The words for what strangers wrote.
const UNTRUSTED: &str = "untrusted";
/// What the session did last: protected, so that a pack joins on to what was just said.
const TAIL: [&str; 2] = ["action", "shard_result"];
/// The most items of the tail.
const MAX_TAIL: usize = 2;
/// What only names a file or lists its names: it comes after code, and is not worth an item where code of the file has one.
const NAMES: [&str; 2] = ["likely_file", "outline"];
/// The oldest of these go first.
const SUMMARY: &str = "history";
/// One kind may have one in so many of all items while others want in.
const KIND_PART: usize = 2;

/// What was chosen.
pub(super) struct Chosen {
    pub(super) items: Vec<PackItem>,
    pub(super) considered: Vec<Considered>,
    /// Where a preference could not be met, as sentences.
    pub(super) fail_open: Vec<String>,
}

/// An item on its way.
struct Bid {
    item: PackItem,
    key: String,
    is_tail: bool,
    /// Its place in the text.
    place: usize,
}

pub(super) fn choose(context: &SessionContext, budgets: ContextPackBudgets, policy: TrustPolicy, tokenizer: Tokenizer) -> Chosen {
    let mut considered: Vec<Considered> = context.candidates.iter().map(Considered::new).collect();
    let mut limits: FxHashMap<String, &'static str> = FxHashMap::default();
    let mut bids = bids(context);
    tell_apart(bids.iter_mut().map(|bid| &mut bid.item.record_ref));
    for bid in &mut bids {
        bid.item.citations.record_ref = bid.item.record_ref.clone();
    }
    if policy == TrustPolicy::Require {
        limits.extend(take_out(&mut bids, |bid| bid.item.trust == UNTRUSTED).map(|bid| (bid.key, "trust")));
    }
    // What only names a file gives way to its code.
    let shown: Vec<Safe> = bids.iter().filter(|bid| bid.item.layer > Layer::L0).filter_map(|bid| path(&bid.item)).collect();
    let is_name = |bid: &Bid| NAMES.contains(&bid.item.r#type);
    let is_named = |bid: &Bid| is_name(bid) && path(&bid.item).is_some_and(|path| shown.contains(&path));
    limits.extend(take_out(&mut bids, is_named).map(|bid| (bid.key, "said-by-code")));
    let is_last = |bid: &Bid| policy == TrustPolicy::Prefer && bid.item.trust == UNTRUSTED;
    bids.sort_by_key(|bid| {
        let is_summary = bid.item.r#type == SUMMARY;
        // Of summaries the newest first.
        let place = if is_summary { usize::MAX - bid.place } else { bid.place };
        (!bid.is_tail, bid.item.importance, is_last(bid), is_summary, is_name(bid), place)
    });
    let mut taken: Vec<Bid> = Vec::new();
    let max_of_kind = (budgets.max_items as usize / KIND_PART).max(1);
    for pass in [max_of_kind, usize::MAX] {
        for bid in std::mem::take(&mut bids) {
            let n_alike = taken.iter().filter(|other| other.item.r#type == bid.item.r#type).count();
            let is_over = bid.item.r#type != PIN && n_alike >= pass;
            if is_over || taken.len() >= budgets.max_items as usize {
                bids.push(bid);
            } else {
                taken.push(bid);
            }
        }
    }
    limits.extend(bids.into_iter().map(|bid| (bid.key, "max-items")));
    // Tokens of the bundle: the last that was taken goes first.
    let order = |taken: &[Bid]| {
        let mut items: Vec<&Bid> = taken.iter().collect();
        items.sort_by_key(|bid| (bid.is_tail, bid.item.importance, is_name(bid), bid.place));
        items.into_iter().map(|bid| bid.item.clone()).collect::<Vec<_>>()
    };
    let mut items = order(&taken);
    while tokenizer.count(&bundle(&items)).0 > budgets.budget_tokens {
        let Some(last) = taken.pop() else { break };
        limits.insert(last.key, "budget-tokens");
        items = order(&taken);
    }
    let fail_open = items.iter().filter(|item| policy == TrustPolicy::Prefer && item.trust == UNTRUSTED);
    let fail_open =
        fail_open.map(|item| format!("{} is untrusted and was included: nothing better was left", item.record_ref)).collect();
    for (candidate, one) in context.candidates.iter().zip(&mut considered) {
        if one.limit.is_none() {
            one.limit = limits.get(&candidate.key).copied();
            one.layer = if candidate.about.lines.is_some() { Layer::L1 } else { Layer::L0 };
        }
    }
    tell_apart(considered.iter_mut().map(|one| &mut one.reference));
    let pins = items.iter().filter(|item| item.r#type == PIN);
    let pins: Vec<Considered> = pins.map(|item| Considered::pin(item.record_ref.clone(), item.layer)).collect();
    considered.splice(0..0, pins);
    Chosen { items, considered, fail_open }
}

/// The items as bullets.
pub(super) fn bundle(items: &[PackItem]) -> String {
    items.iter().fold(String::new(), |text, item| text + "- [" + item.record_ref.as_str() + "] " + item.text.as_str() + "\n")
}

/// Takes what is so out of a list.
fn take_out(bids: &mut Vec<Bid>, is_so: impl Fn(&Bid) -> bool) -> impl Iterator<Item = Bid> {
    let (out, kept) = std::mem::take(bids).into_iter().partition(|bid| is_so(bid));
    *bids = kept;
    let out: Vec<Bid> = out;
    out.into_iter()
}

/// The path of an item that lies in a file.
fn path(item: &PackItem) -> Option<Safe> {
    item.citations.url.as_ref().and_then(|url| url.as_str().split('#').next()).map(Safe::name)
}

/// All items of a context.
fn bids(context: &SessionContext) -> Vec<Bid> {
    let mut bids = Vec::new();
    for section in &context.sections {
        let n_tail = section.items.iter().filter(|item| TAIL.contains(&item.about.kind)).count();
        let mut n_before = 0;
        for item in &section.items {
            let is_of_tail = TAIL.contains(&item.about.kind);
            // The newest of a list of turns stand last.
            let is_tail = is_of_tail && n_before + MAX_TAIL >= n_tail;
            n_before += usize::from(is_of_tail);
            let place = bids.len();
            bids.push(Bid { item: packed(section.section, item), key: item.key.clone(), is_tail, place });
        }
    }
    bids
}

fn packed(section: Section, item: &Item) -> PackItem {
    let about = &item.about;
    let key = if item.key.is_empty() { item.text.as_str() } else { &item.key };
    let record_ref = reference(about.kind, about.id.as_ref(), about.path.as_ref(), about.lines, key);
    let url = about.path.as_ref().map(|path| match about.lines {
        Some((first, last)) => Safe::format("{}#L{}-L{}", &[path, &Safe::number(first), &Safe::number(last)]),
        None => path.clone(),
    });
    let is_code = about.lines.is_some() && item.text.as_str().contains('\n');
    PackItem {
        record_ref: record_ref.clone(),
        layer: if is_code { Layer::L1 } else { Layer::L0 },
        r#type: about.kind,
        importance: Importance::of(section, about.kind, about.tier),
        trust: trust_word(item.trust),
        text: if is_code { signature(item) } else { one_line(&item.text) },
        citations: Citations { url, record_ref },
    }
}

/// The place of a piece of code, the line that defines it, and why it is there.
fn signature(item: &Item) -> Safe {
    let about = &item.about;
    let is_said = |line: &Safe| {
        let line = line.as_str().trim();
        !line.is_empty() && !["//", "#[", "/*", "*", "@"].iter().any(|start| line.starts_with(start))
    };
    let line = item.text.lines().find(is_said).or_else(|| item.text.lines().next()).unwrap_or_default();
    let place = match (&about.path, about.lines) {
        (Some(path), Some((first, last))) => Safe::format("{}:{}-{}", &[path, &Safe::number(first), &Safe::number(last)]),
        _ => Safe::default(),
    };
    let reason = about.reason.clone().unwrap_or_default();
    let reason = if reason.is_empty() { reason } else { Safe::format(" ({})", &[&reason]) };
    Safe::format("{}: {}{}", &[&place, &line.trimmed(), &reason])
}

/// All lines as one, without the marks of lists.
fn one_line(text: &Safe) -> Safe {
    let lines: Vec<Safe> = text.lines().map(|line| line.trimmed()).filter(|line| !line.is_empty()).collect();
    Safe::join(&lines, " ")
}
