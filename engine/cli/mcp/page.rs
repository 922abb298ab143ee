//! How much one answer holds, and how the rest of it is asked for.

use error::{Error, ErrorKind, Result};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

/// The most characters of an answer, in each of its two forms: hosts put what is longer into a file, and the agent reads it twice.
pub(crate) const MAX_CHARS: usize = 24_000;
/// Characters of it that are left to what stands around a list.
pub(crate) const FRAME_CHARS: usize = 4_000;
/// Characters that JSON puts around an entry and its fields, at the most.
const ENTRY_CHARS: usize = 2;

/// A part of a list.
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    /// How the next part is asked for; none at the end.
    pub(super) next: Option<String>,
    /// How many entries come after these.
    pub(super) n_left: usize,
}

/// The entries from a cursor on, as many as an answer holds.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] for a cursor of another list, or of what this list was before.
pub(super) fn page<T: Serialize>(items: Vec<T>, cursor: Option<&str>) -> Result<Page<T>> {
    let sizes_and_text: Vec<String> = items.iter().map(|item| serde_json::to_string(item).unwrap_or_default()).collect();
    let sum = xxh3_64(sizes_and_text.concat().as_bytes());
    let from = cursor.map_or(Ok(0), |cursor| begin(cursor, sum, items.len()))?;
    let mut room = MAX_CHARS - FRAME_CHARS;
    let n_shown = sizes_and_text[from..].iter().take_while(|text| {
        let size = text.chars().count() + ENTRY_CHARS;
        let fits = size <= room;
        room = room.saturating_sub(size);
        fits
    });
    // One that does not fit by itself is given all the same, or nobody would get behind it: entries are cut where they are made.
    let n_shown = n_shown.count().max(usize::from(from < items.len()));
    let to = from + n_shown;
    let n_left = items.len() - to;
    let next = (n_left > 0).then(|| format!("{to}-{sum:016x}"));
    Ok(Page { items: items.into_iter().skip(from).take(n_shown).collect(), next, n_left })
}

/// Where a cursor points.
fn begin(cursor: &str, sum: u64, n_items: usize) -> Result<usize> {
    let of_this = cursor.split_once('-').filter(|(_, of)| *of == format!("{sum:016x}"));
    of_this.and_then(|(at, _)| at.parse().ok()).filter(|at| *at < n_items).ok_or_else(|| {
        let message = "`cursor` does not belong to this answer, which may have changed since; leave it out to start again";
        Error::new(ErrorKind::BadInput, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_join_to_the_whole_and_none_is_too_long() {
        let items: Vec<String> = (0..900).map(|number| format!("{number} {}", "é\"".repeat(number % 90))).collect();
        let (mut joined, mut cursor) = (Vec::new(), None);
        loop {
            let part = page(items.clone(), cursor.as_deref()).expect("a page");
            assert!(serde_json::to_string(&part.items).expect("JSON").chars().count() <= MAX_CHARS - FRAME_CHARS);
            joined.extend(part.items);
            assert_eq!(joined.len() + part.n_left, items.len());
            cursor = part.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(joined, items);
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let of = |text: &str| vec![text.repeat(15_000), text.repeat(15_000)];
        let next = page(of("a"), None).expect("a page").next.expect("more");
        assert_eq!(page(of("a"), Some(&next)).expect("a page").n_left, 0);
        for cursor in [next.as_str(), "", "1", "99-0", "-"] {
            assert!(page(of("b"), Some(cursor)).err().expect("refused").message.starts_with("`cursor`"));
        }
        assert!(page(Vec::<String>::new(), None).expect("a page").items.is_empty());
    }
}
