//! Counts the masks in text that is going to leave.
//!
//! Must not look for secrets.

use super::mask::masks_in;
use super::safe::Safe;
use std::collections::BTreeMap;

/// How many masks of each kind stand in texts.
pub fn count_masks<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeMap<Safe, u32> {
    let mut counts = BTreeMap::new();
    for text in texts {
        for mask in masks_in(text.as_bytes()) {
            let kind = text.get(mask).and_then(|mask| mask.split_once(':')?.1.strip_suffix(']')).unwrap_or_default();
            *counts.entry(Safe::name(kind)).or_insert(0) += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_counted_by_kind() {
        let counts = count_masks(["a [REDACTED:jwt] [REDACTED:password]", "[REDACTED:jwt]\n[REDACTED:]", "[REDACTED"]);
        let counts: Vec<(&str, u32)> = counts.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
        assert_eq!(counts, [("jwt", 2), ("password", 1)]);
    }
}
