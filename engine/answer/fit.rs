//! Which entries of a pack stay within its tokens: pins always, then the best that fits.
//!
//! Must not read text or choose places.

use super::pack::{How, PINNED};
use crate::context::redact::{Safe, count_masks};
use crate::context::tokens::{Tokenizer, Tokens};
use crate::error::{Error, ErrorKind, Result};
use crate::packet::identify;
use crate::packet::manifest::{FileEntry, Mode, PackPacket, Used};
use std::cmp::Reverse;

/// Takes entries out until the packet, as it is written, has no more tokens than it may, and where that is not enough signals; gives for each
/// entry whether it stays. `n_left` places were left out before.
///
/// # Errors
///
/// [`ErrorKind::BudgetTooSmall`] if what must be in the packet does not fit.
pub(super) fn fit(packet: &mut PackPacket, how: &How<'_>, n_left: usize) -> Result<Vec<bool>> {
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
    while size(&*packet, how.tokenizer).saturating_add(n_pinned) > most && drop_signal(packet) {}
    let mut room = most.saturating_sub(size(&*packet, how.tokenizer));
    let mut stays = vec![false; all.len()];
    for at in &order {
        stays[*at] = is_pin(at) || sizes[*at] <= room;
        if stays[*at] {
            room = room.saturating_sub(sizes[*at]);
        }
    }
    // Parts together can have a token more than each by itself, so what was taken last goes first.
    let mut taken: Vec<usize> = order.into_iter().filter(|at| stays[*at] && !is_pin(at)).collect();
    loop {
        put(packet, (&all, &texts, &stays), n_left);
        let n_tokens = how.tokenizer.count(&packet.json());
        if n_tokens.0 <= most {
            return Ok(stays);
        }
        if let Some(last) = taken.pop() {
            stays[last] = false;
        } else if !drop_signal(packet) {
            let what = if n_pinned > 0 { "the pins and what stands around them need" } else { "a pack without any place needs" };
            let message = format!("{what} {n_tokens} tokens, more than the budget of {}", Tokens(most));
            return Err(Error::new(ErrorKind::BudgetTooSmall, message));
        }
    }
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
fn put(packet: &mut PackPacket, (all, texts, stays): (&[FileEntry], &[Safe], &[bool]), n_left: usize) {
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
    packet.redaction_stats = count_masks(texts.iter().zip(stays).filter(|(_, stays)| **stays).map(|(text, _)| text.as_str()));
    identify(packet, |packet| &mut packet.pack_id);
}
