//! From two texts to hunks, as `git diff` shows them.

use super::patch::{Hunk, Line, Sign};
use repo::{Hunk as Place, hunks};

/// Unchanged lines around changed ones, as in every diff.
pub(super) const CONTEXT: u32 = 3;

/// Where two texts differ, with the lines around.
pub(super) fn between(old: &[u8], new: &[u8]) -> Vec<Hunk> {
    let places = hunks(old, new);
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    let n_old = (old.len() - usize::from(old.last() == Some(&""))) as u32;
    let groups = places.chunk_by(|one, other| other.before.first - one.before.last <= 2 * CONTEXT + 1);
    groups.filter_map(|group| hunk(group, n_old, &old, &new)).collect()
}

/// Places that share their surroundings.
fn hunk(group: &[Place], n_old: u32, old: &[&str], new: &[&str]) -> Option<Hunk> {
    let (first, last) = (group.first()?, group.last()?);
    let above = CONTEXT.min(first.before.first - 1).min(first.after.first - 1);
    let below = CONTEXT.min(n_old.saturating_sub(last.before.last));
    let line = |sign, side: &[&str], number: u32| {
        let text = side.get(number as usize - 1).copied().unwrap_or_default();
        Line { sign, text: text.trim_end_matches('\r').to_owned() }
    };
    let mut lines = Vec::new();
    let mut next = first.before.first - above;
    for place in group {
        lines.extend((next..place.before.first).map(|number| line(Sign::Kept, old, number)));
        lines.extend((place.before.first..=place.before.last).map(|number| line(Sign::Removed, old, number)));
        lines.extend((place.after.first..=place.after.last).map(|number| line(Sign::Added, new, number)));
        next = place.before.last + 1;
    }
    lines.extend((next..next + below).map(|number| line(Sign::Kept, old, number)));
    Some(Hunk { old_first: first.before.first - above, new_first: first.after.first - above, lines })
}
