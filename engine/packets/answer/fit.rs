//! Which entries of a pack stay within its tokens: pins always, then the best that fits.

use super::spec::How;
use crate::manifest::{FileEntry, Mode, PackBudgets, PackPacket, Signals, Used};
use context::packet::identify;
use context::packet::session::ProblemPacket;
use error::{Error, ErrorKind, Problem, Result};
use redact::{Masker, Safe};
use std::cmp::Reverse;
use tokens::{Tokenizer, Tokens};

/// What stands at a pin in the place of a tier.
pub(super) const PINNED: &str = "pinned";
/// Signals may have one in so many of the tokens that places could have: they say what is known beside the code.
const SIGNALS_PART: u32 = 4;
/// Tokens of what is not known before entries are chosen: the id, numbers, and joints between parts.
const SLACK: u32 = 40;

/// What became of the entries of a pack.
pub(super) struct Fitted {
    /// For each whether it stays.
    pub(super) stays: Vec<bool>,
    /// Why none does, though there are some.
    pub(super) problem: Option<Problem>,
}

/// Takes entries out until the packet, as it is written, has no more tokens than it may, and where that is not enough signals. Where no
/// place is left, the packet says so. `n_left` places were left out before.
///
/// # Errors
///
/// [`ErrorKind::BudgetTooSmall`] if what must be in the packet does not fit.
pub(super) fn fit(masker: &Masker, packet: &mut PackPacket, how: &How<'_>, n_left: usize) -> Result<Fitted> {
    let mut all = std::mem::take(&mut packet.file_entries);
    let texts: Vec<Safe> = all.iter_mut().map(|entry| entry.text.take().unwrap_or_default()).collect();
    if how.mode == Mode::Hydrated {
        for (entry, text) in all.iter_mut().zip(&texts) {
            entry.text = Some(text.clone());
        }
    }
    let is_pin = |at: &usize| all[*at].tier == PINNED;
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|at| (!is_pin(at), Reverse(all[*at].score.map(|score| score.0)), *at));
    let sizes: Vec<u32> = all.iter().map(|entry| size(entry, how.tokenizer)).collect();
    let n_pinned: u32 = (0..all.len()).filter(is_pin).map(|at| sizes[at]).sum();
    let most = how.budgets.max_tokens;
    let n_places: u32 = sizes.iter().sum::<u32>() - n_pinned;
    let bare = size(&PackPacket { signals: Signals::default(), ..packet.clone() }, how.tokenizer);
    let left = most.saturating_sub(bare.saturating_add(n_pinned));
    let for_signals = left.saturating_sub(n_places).max(left / SIGNALS_PART);
    while size(&*packet, how.tokenizer) > bare.saturating_add(for_signals) && drop_signal(packet) {}
    let mut room = most.saturating_sub(size(&*packet, how.tokenizer));
    let mut problem = None;
    loop {
        let mut left = room;
        let mut stays = vec![false; all.len()];
        for at in &order {
            stays[*at] = is_pin(at) || sizes[*at] <= left;
            left = left.saturating_sub(if stays[*at] { sizes[*at] } else { 0 });
        }
        let n_places = n_left + all.len();
        if problem.is_none() && !stays.contains(&true) && n_places > 0 {
            let needed = order.first().map(|best| bare + SLACK + sizes[*best] * SIGNALS_PART / (SIGNALS_PART - 1));
            let none = no_place(n_places, needed, &how.budgets);
            packet.problems.push(ProblemPacket::new(masker, &none));
            problem = Some(none);
        }
        put(masker, packet, (&all, &texts, &stays), n_left);
        let n_tokens = how.tokenizer.count(&packet.json());
        if n_tokens.0 <= most {
            return Ok(Fitted { stays, problem });
        }
        if (0..all.len()).any(|at| stays[at] && !is_pin(&at)) {
            // Parts together can have a token more than each by itself: what is left has less room, and something smaller may have it.
            room = room.saturating_sub(n_tokens.0 - most);
        } else if !drop_signal(packet) {
            let what = if n_pinned > 0 { "the pins and what stands around them need" } else { "a pack without any place needs" };
            let message = format!("{what} {n_tokens} tokens, more than the budget of {}", Tokens(most));
            return Err(Error::new(ErrorKind::BudgetTooSmall, message));
        }
    }
}

/// That no place of so many is in a pack, and what to do: the best needs so many tokens, or all were left out before tokens were counted.
fn no_place(n_places: usize, needed: Option<u32>, budgets: &PackBudgets) -> Problem {
    let PackBudgets { max_files, max_lines, max_tokens, .. } = budgets;
    Problem::new(
        "pack",
        match needed {
            Some(needed) => format!(
                "none of {n_places} places fits beside what stands around them in {max_tokens} tokens: give a budget of at least {needed} tokens, which the best of them needs"
            ),
            None => format!(
                "none of {n_places} places fits in {max_files} files and {max_lines} lines: raise `--max-files` or `--max-lines`"
            ),
        },
    )
}

/// The tokens of a part of a packet as it is written there, at the depth of an entry.
fn size(part: &impl serde::Serialize, tokenizer: Tokenizer) -> u32 {
    let text = serde_json::to_string_pretty(part).unwrap_or_default().replace('\n', "\n    ");
    tokenizer.count(&(text + ",\n    ")).0
}

/// Takes the last of the longest list of signals out and counts it.
fn drop_signal(packet: &mut PackPacket) -> bool {
    let signals = &mut packet.signals;
    let lists = [&mut signals.recent_commits, &mut signals.diff_summary, &mut signals.logs, &mut signals.failing_tests];
    let longest = lists.into_iter().rev().max_by_key(|list| list.len());
    let is_dropped = longest.and_then(Vec::pop).is_some();
    signals.n_left_out += u32::from(is_dropped);
    is_dropped
}

/// Puts the entries that stay into the packet, with all that follows from them.
fn put(masker: &Masker, packet: &mut PackPacket, (all, texts, stays): (&[FileEntry], &[Safe], &[bool]), n_left: usize) {
    let staying = || all.iter().zip(stays).filter(|(_, stays)| **stays).map(|(entry, _)| entry);
    packet.file_entries = staying().cloned().collect();
    let mut files: Vec<&Safe> = staying().map(|entry| &entry.path).collect();
    files.sort_unstable();
    files.dedup();
    packet.used = Used {
        files: files.len() as u32,
        lines: staying().map(|entry| if entry.range.0 == 0 { 0 } else { entry.range.1 + 1 - entry.range.0 }).sum(),
        tokens: staying().map(|entry| entry.tokens).sum(),
        n_left_out: (n_left + all.len() - packet.file_entries.len()) as u32,
    };
    packet.redaction_stats =
        masker.count_masks(texts.iter().zip(stays).filter(|(_, stays)| **stays).map(|(text, _)| text.as_str()));
    identify(packet, |packet| &mut packet.pack_id);
}
