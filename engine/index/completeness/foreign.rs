//! Code of languages that are not parsed: what it defines is not known, which whoever misses a name wants to hear.

use super::gaps::OTHER_CODE;
use crate::base::FactBase;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Endings that are named, those of most files.
const MAX_NAMED: usize = 3;

/// How many files hold code that is not parsed, by their endings; none where all code is.
pub fn unparsed(base: &FactBase) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in base.files().filter(|file| base.language(*file).is_none()) {
        let ending = base.path(file).rsplit_once('.').map_or("", |(_, ending)| ending);
        if OTHER_CODE.contains(&ending) {
            *counts.entry(ending).or_default() += 1;
        }
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(ending, n)| (Reverse(*n), *ending));
    let more = if counts.len() > MAX_NAMED { ", …" } else { "" };
    let named: Vec<String> = counts.iter().take(MAX_NAMED).map(|(ending, n)| format!("{n} .{ending}")).collect();
    (!named.is_empty()).then(|| {
        format!("not parsed: files of code in other languages ({}{more}); what they define is not known", named.join(", "))
    })
}
