//! From what was activated to a packet of any kind, with its receipt and what is kept of it: one selection, arranged as asked.

mod fit;
mod fit_bytes;
mod keep;
mod pack;
mod places;
mod spec;
mod stored;

pub use fit_bytes::fit;
pub use keep::{keep, note};
pub use pack::{Pack, hash};
pub use spec::{How, Kind, Names, PacketSpec};
pub use stored::{Asked, Packs, StoredPack, StoredPlace};

use crate::context_pack::{ContextPack, ContextPackBudgets, Query};
use crate::manifest::{Choice, Mode, PackBudgets, PackPacket, PlaceTier};
use crate::receipt::{Of, Receipt, ReceiptBudgets, ReceiptQuery};
use context::SessionContext;
use context::budget::Budget;
use context::packet::candidates::{Importance, Layer, PIN, PackCandidate, reference, tell_apart, trust_word};
use context::packet::resolution::IntentResolution;
use engine::Activation;
use error::{Problem, Result};
use redact::{DATA_NOTICE, Masker, PacketWriter, Safe, Trust};
use session::Sent;
use std::collections::BTreeSet;
use tokens::Tokens;

/// How much of a session context a context pack is chosen from: what does not fit there is no better than what does.
const POOL: u32 = 20_000;

/// What gives the candidates of a receipt, and how.
const FOUND_BY: [&str; 2] = ["activation", "spreading"];

/// A packet.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What was wanted.
    pub wanted: PacketSpec,
    /// Its id.
    pub pack_id: String,
    /// It as text.
    pub text: String,
    /// It as JSON.
    pub json: String,
    /// Its receipt, if wanted.
    pub receipt: Option<Receipt>,
    /// What the reader of a session packet has.
    pub sent: Option<Sent>,
    /// The places that can be read from it.
    pub places: Vec<StoredPlace>,
    /// What was left out of an answer that is otherwise good.
    pub problems: Vec<Problem>,
    /// Counts for a ledger: files or items, and tokens.
    pub counts: (u32, u32),
}

/// Makes a packet of what was activated.
///
/// # Errors
///
/// [`BudgetTooSmall`](error::ErrorKind::BudgetTooSmall) if what must be in it does not fit.
pub fn answer(activation: &Activation<'_>, wanted: &PacketSpec) -> Result<Answer> {
    match wanted.kind {
        Kind::Session => session(activation, wanted),
        Kind::ContextPack => context_pack(activation, wanted),
        Kind::Manifest => manifest(activation, wanted, Mode::Manifest),
        Kind::Hydrated => manifest(activation, wanted, Mode::Hydrated),
    }
}

/// How many files places are of.
pub(super) fn n_files(places: &[StoredPlace]) -> u32 {
    places.iter().map(|place| place.path.as_str()).collect::<BTreeSet<_>>().len() as u32
}

fn session(activation: &Activation<'_>, wanted: &PacketSpec) -> Result<Answer> {
    let budget = wanted.budget();
    let context = if wanted.receipt { activation.traced_context(&budget)? } else { activation.session_context(&budget)? };
    let receipt = wanted.receipt.then(|| {
        let pins = context.sections.iter().flat_map(|section| &section.items).filter(|item| item.about.kind == PIN);
        let pins =
            pins.map(|item| PackCandidate::pin(reference(PIN, None, item.about.path.as_ref(), item.about.lines, ""), Layer::L2));
        let mut candidates: Vec<PackCandidate> = pins.chain(context.candidates.iter().map(PackCandidate::new)).collect();
        tell_apart(candidates.iter_mut().map(|one| &mut one.reference));
        let caps = Caps::all(&candidates);
        let made = Made { pack_id: &context.pack_id, text: &[&context.text.text], caps, fail_open: &[] };
        receipt(activation, wanted, &made, &candidates)
    });
    let SessionContext { pack_id, tokens, .. } = &context;
    let json = activation.packet(&context).json();
    let items = context.sections.iter().flat_map(|section| &section.items);
    let places = items.filter_map(|item| place_of(activation, "", item.about.path.as_ref()?, item.about.lines?));
    let places: Vec<StoredPlace> = places.collect();
    Ok(Answer {
        wanted: wanted.clone(),
        pack_id: pack_id.clone(),
        receipt,
        counts: (n_files(&places), tokens.0),
        places,
        json,
        sent: Some(context.sent),
        problems: context.problems,
        text: context.text.text,
    })
}

fn context_pack(activation: &Activation<'_>, wanted: &PacketSpec) -> Result<Answer> {
    let base = &activation.snapshot.base;
    // Pins stand whole in a session context, whatever of them the pack shows.
    let pinned =
        activation.pins().iter().filter_map(|pin| Some(wanted.tokenizer.count(activation.text(pin.file).ok()?.as_str()).0));
    let pool = pinned.fold(POOL.max(wanted.tokens), u32::saturating_add);
    let context = activation.traced_context(&Budget { total: Tokens(pool), tokenizer: wanted.tokenizer, line_numbers: 0 })?;
    let query = Query {
        text: activation.request().intent.clone(),
        scope: wanted.scope.clone(),
        ts: time(activation, wanted).as_str().to_owned(),
        aim: IntentResolution::new(activation.masker(), base, &activation.found.intent).brief(),
    };
    let budgets = ContextPackBudgets { budget_tokens: wanted.tokens, max_items: wanted.max_items };
    let (pack, candidates, mut fail_open) =
        ContextPack::new(activation.masker(), &context, query, budgets, wanted.trust, wanted.tokenizer)?;
    if activation.snapshot.head.is_none() && !fail_open.is_empty() {
        // One reason for all of them.
        let n = fail_open.len();
        fail_open = vec![format!(
            "{n} untrusted items were included: without a commit of git no file is known to be the repository's own"
        )];
    }
    let pack_id = pack.meta.pack_id.clone();
    let meta = serde_json::to_string(&pack.meta).unwrap_or_default();
    let caps = Caps { max_items: wanted.max_items, max_l2_items: 0 };
    let made = Made { pack_id: &pack_id, text: &[&pack.bundle_text, &meta], caps, fail_open: &fail_open };
    let json = pack.json();
    let places = pack.items.iter().filter_map(|item| {
        let (path, lines) = item.place.as_ref()?;
        let n_lines = base.n_lines(places::file_at(activation.masker(), base, path)?);
        place_of(activation, item.record_ref.as_str(), path, lines.unwrap_or((n_lines.min(1), n_lines)))
    });
    let places: Vec<StoredPlace> = places.collect();
    Ok(Answer {
        wanted: wanted.clone(),
        receipt: wanted.receipt.then(|| receipt(activation, wanted, &made, &candidates)),
        counts: (n_files(&places), wanted.tokenizer.count(&pack.bundle_text).0),
        places,
        pack_id,
        text: pack.bundle_text,
        json,
        sent: None,
        problems: context.problems,
    })
}

fn manifest(activation: &Activation<'_>, wanted: &PacketSpec, mode: Mode) -> Result<Answer> {
    let budgets = PackBudgets { max_tokens: wanted.tokens, ..wanted.budgets };
    let how = How {
        mode,
        names: &wanted.names,
        include: &wanted.include,
        drop: &wanted.drop,
        auto_pins: wanted.auto_pins,
        budgets,
        tokenizer: wanted.tokenizer,
    };
    let Pack { packet, candidates, problems } = Pack::new(activation, &how)?;
    let json = packet.json();
    let chosen: Vec<&(Choice, Safe, Trust)> = candidates.iter().filter(|(choice, ..)| choice.limit.is_none()).collect();
    let places = packet.file_entries.iter().zip(&chosen).map(|(entry, (choice, ..))| StoredPlace {
        reference: format!("{}:{}-{}", entry.path, entry.range.0, entry.range.1),
        path: places::path(activation.masker(), &activation.snapshot.base, choice.place.file),
        lines: entry.range,
        hash: entry.hash.clone(),
    });
    let text = text(activation.masker(), &packet, chosen.iter().map(|(.., trust)| *trust));
    let receipt = wanted.receipt.then(|| {
        let mut candidates: Vec<PackCandidate> =
            candidates.iter().map(|(choice, reason, trust)| place(activation, mode, choice, reason, *trust)).collect();
        tell_apart(candidates.iter_mut().map(|one| &mut one.reference));
        // Files and lines are limited, not how many places they are.
        let caps = Caps::all(&candidates);
        receipt(activation, wanted, &Made { pack_id: &packet.pack_id, text: &[&json], caps, fail_open: &[] }, &candidates)
    });
    Ok(Answer {
        wanted: wanted.clone(),
        pack_id: packet.pack_id.clone(),
        receipt,
        places: places.collect(),
        text,
        counts: (packet.used.files, packet.used.tokens),
        json,
        sent: None,
        problems,
    })
}

/// A place by which a pack can be read from; none of a file that is not there or has no name of its own.
fn place_of(activation: &Activation<'_>, reference: &str, path: &Safe, lines: (u32, u32)) -> Option<StoredPlace> {
    let base = &activation.snapshot.base;
    let file = places::file_at(activation.masker(), base, path)?;
    let reference = if reference.is_empty() { format!("{path}:{}-{}", lines.0, lines.1) } else { reference.to_owned() };
    let hash = activation.text(file).map(|text| pack::hash(&text)).ok()?;
    Some(StoredPlace { reference, path: places::path(activation.masker(), base, file), lines, hash })
}

/// A pack for people, with the lines of a hydrated one between fences.
fn text(masker: &Masker, packet: &PackPacket, trusts: impl Iterator<Item = Trust>) -> String {
    let (used, budgets) = (packet.used, packet.budgets);
    let title = Safe::format(
        "pack {}: {} of {} files, {} of {} lines, {} tokens; {} places did not fit",
        &[
            &masker.name(&packet.pack_id),
            &Safe::number(used.files),
            &Safe::number(budgets.max_files),
            &Safe::number(used.lines),
            &Safe::number(budgets.max_lines),
            &Safe::number(used.tokens),
            &Safe::number(used.n_left_out),
        ],
    );
    let mut writer = PacketWriter::new();
    writer.line(&title);
    writer.line(&packet.aim.line(usize::MAX));
    if packet.mode == Mode::Hydrated {
        writer.line(&Safe::fixed(DATA_NOTICE));
    }
    for (entry, trust) in packet.file_entries.iter().zip(trusts) {
        writer.line(&entry.line());
        if let Some(text) = &entry.text {
            writer.fenced(trust, text);
        }
    }
    writer.finish().text
}

/// What a receipt needs to know of a packet.
struct Made<'a> {
    pack_id: &'a str,
    /// What it says, each mask once.
    text: &'a [&'a str],
    caps: Caps,
    fail_open: &'a [String],
}

/// How many items a packet may have.
struct Caps {
    max_items: u32,
    max_l2_items: u32,
}

impl Caps {
    /// Those of a packet whose items are not limited by number: all that could be in it.
    fn all(candidates: &[PackCandidate]) -> Self {
        let n_full = candidates.iter().filter(|one| one.layer == Layer::L2).count();
        Self { max_items: candidates.len() as u32, max_l2_items: n_full as u32 }
    }
}

fn receipt(activation: &Activation<'_>, wanted: &PacketSpec, made: &Made<'_>, candidates: &[PackCandidate]) -> Receipt {
    let masker = activation.masker();
    let of = Of {
        packet: wanted.kind.name(),
        pack_id: made.pack_id.to_owned(),
        ts: time(activation, wanted),
        query: ReceiptQuery {
            text: masker.line(&activation.request().intent),
            scope: wanted.scope.as_ref().map(|scope| masker.line(scope)),
            intent: Some(masker.name(activation.found.intent.verb.name())),
        },
        budgets: ReceiptBudgets {
            budget_tokens: wanted.tokens,
            max_items: made.caps.max_items,
            max_l2_items: made.caps.max_l2_items,
            nice_cap: made.caps.max_items,
        },
        found_by: FOUND_BY,
        n_cold: activation.found.n_cold,
        fail_open: made.fail_open.iter().map(|event| masker.line(event)).collect(),
        redactions: masker.count_masks(made.text.iter().copied()),
    };
    Receipt::new(of, candidates)
}

/// A place of a manifest in the words of receipts.
fn place(activation: &Activation<'_>, mode: Mode, choice: &Choice, reason: &Safe, trust: Trust) -> PackCandidate {
    let place = &choice.place;
    let path = activation.masker().name(activation.snapshot.base.path(place.file));
    let (kind, tier, importance, fallback) = match place.tier {
        PlaceTier::Pinned => (PIN, None, Importance::MustRemember, "named by the caller"),
        PlaceTier::Linked => ("linked", None, Importance::NiceToHave, "tests or describes what is active"),
        PlaceTier::Active(context::Tier::Hot) => ("code", Some("hot"), Importance::MustRemember, "active"),
        PlaceTier::Active(tier) => ("code", Some(tier.name()), Importance::NiceToHave, "active"),
    };
    PackCandidate {
        reference: reference(kind, None, Some(&path), Some(place.lines), ""),
        kind,
        layer: if mode == Mode::Hydrated { Layer::L2 } else { Layer::L0 },
        importance,
        trust: trust_word(trust),
        tier,
        score: place.score,
        reason: if reason.is_empty() || tier.is_none() { Safe::fixed(fallback) } else { reason.clone() },
        limit: choice.limit,
    }
}

/// The time that the caller gives, else that of the last commit; empty where there is neither.
fn time(activation: &Activation<'_>, wanted: &PacketSpec) -> Safe {
    let commit = || {
        let seconds = activation.snapshot.head.as_ref()?.time?;
        Some(jiff::Timestamp::from_second(seconds).ok()?.to_string())
    };
    wanted.now.clone().or_else(commit).map(|time| activation.masker().name(&time)).unwrap_or_default()
}
