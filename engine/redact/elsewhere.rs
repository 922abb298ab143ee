//! Secrets of other repositories: what is kept of them is a keyed hash of each form they are written in, never what they are.
//!
//! A text is looked through for windows of eight bytes with which a form begins, then for the whole form.

use super::known_secrets::{KnownSecrets, around};
use super::span::{MaskSpan, kind};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The bytes with which a form is recognised. Shorter forms are looked for in their own repository alone.
const ANCHOR: usize = 8;

/// Bytes of the key, which whoever keeps prints draws at random once.
pub const KEY_BYTES: usize = 32;

/// What is kept of an anchor: so few bits that nobody can tell from them what it was.
const ANCHOR_BITS: u32 = 24;

/// Bits of an anchor that are looked at first: their filter has 32 kB.
const NEAR_BITS: u32 = 18;

/// What is kept of a form: the hashes of its first eight bytes and of all of it, its length, and the kind of secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Print {
    /// Of its first eight bytes, 24 bits.
    pub anchor: u32,
    /// Of all of it.
    pub whole: u64,
    /// Its length in bytes.
    pub length: u32,
    /// Whether it is only a part of the secret: letters of base64 around it belong to it too.
    pub is_part: bool,
    /// The kind of secret.
    pub kind: String,
}

impl Print {
    /// So many anchors there are.
    pub const ANCHORS: u32 = 1 << ANCHOR_BITS;
}

impl KnownSecrets {
    /// The prints of all forms of what is known, in order.
    pub fn prints(&self, key: &[u8; KEY_BYTES]) -> Vec<Print> {
        let forms = self.forms().filter(|(form, ..)| form.len() >= ANCHOR);
        let print = |(form, kind, is_part): (&[u8], &str, bool)| Print {
            anchor: anchor(key, form),
            whole: hash(key, form),
            length: form.len() as u32,
            is_part,
            kind: kind.to_owned(),
        };
        let mut prints: Vec<Print> = forms.map(print).collect();
        prints.sort();
        prints.dedup();
        prints
    }
}

/// Secrets that are known by their prints.
#[derive(Clone)]
pub struct Elsewhere {
    key: Box<[u8; KEY_BYTES]>,
    /// The first bits of all anchors, and all of their bits.
    near: Filter,
    all: Filter,
    /// By anchor, the longest first.
    forms: BTreeMap<u32, Vec<Form>>,
    version: u64,
}

/// Which numbers there are, a bit each.
#[derive(Clone, Default)]
struct Filter(Vec<u64>);

impl Filter {
    fn of(n_bits: u32, numbers: impl Iterator<Item = u32>) -> Self {
        let mut words = vec![0; 1 << (n_bits - 6)];
        // A larger number than there can be, of a damaged table, is none of any text.
        for number in numbers {
            if let Some(word) = words.get_mut(number as usize / 64) {
                *word |= 1 << (number % 64);
            }
        }
        Self(words)
    }

    fn has(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}

/// Of a form: its length, the hash of all of it, its kind, and whether it is only a part of the secret.
type Form = (u32, u64, &'static str, bool);

impl fmt::Debug for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere").field("n_anchors", &self.forms.len()).finish_non_exhaustive()
    }
}

impl Elsewhere {
    /// Those of these prints.
    pub fn new(key: Box<[u8; KEY_BYTES]>, prints: impl IntoIterator<Item = Print>) -> Self {
        let mut forms: BTreeMap<u32, Vec<Form>> = BTreeMap::new();
        let mut version = 0;
        for print in prints.into_iter().collect::<BTreeSet<_>>() {
            version = print.whole ^ u64::from(print.length) ^ u64::rotate_left(version, 1);
            forms.entry(print.anchor).or_default().push((print.length, print.whole, kind(&print.kind), print.is_part));
        }
        for forms in forms.values_mut() {
            forms.sort_unstable_by(|one, other| other.cmp(one));
        }
        let (mut near, mut all) = (Filter::default(), Filter::default());
        if !forms.is_empty() {
            near = Filter::of(NEAR_BITS, forms.keys().map(|anchor| anchor >> (ANCHOR_BITS - NEAR_BITS)));
            all = Filter::of(ANCHOR_BITS, forms.keys().copied());
        }
        Self { key, near, all, forms, version }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// Names the set; zero for an empty one.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether a secret stands in a text.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        let mut spans = Vec::new();
        self.find(text, &mut spans);
        !spans.is_empty()
    }

    /// Adds every place of a secret in `text`.
    pub(super) fn find(&self, text: &[u8], spans: &mut Vec<MaskSpan>) {
        if self.is_empty() {
            return;
        }
        let mut at = 0;
        while text.len() - at >= ANCHOR {
            let begins = anchor(&self.key, &text[at..]);
            // This is asked at every byte: most are passed over by the first filter, which is small enough to stay near.
            let forms = if self.near.has(begins >> (ANCHOR_BITS - NEAR_BITS)) && self.all.has(begins) {
                self.forms.get(&begins)
            } else {
                None
            };
            // Of those of one length there is one hash, however many begin alike.
            let found = forms.and_then(|forms| {
                let mut lengths = forms.chunk_by(|one, other| one.0 == other.0);
                lengths.find_map(|forms| {
                    let whole = hash(&self.key, text.get(at..at + forms.first()?.0 as usize)?);
                    forms.iter().find(|form| form.1 == whole)
                })
            });
            match found {
                Some((length, _, kind, is_part)) => {
                    let end = at + *length as usize;
                    let (start, end) = if *is_part { around(text, at, end) } else { (at, end) };
                    spans.push(MaskSpan { start, end, kind });
                    at = end;
                }
                None => at += 1,
            }
        }
    }
}

/// What the first eight bytes of a text come to under a key: cheap, as it is asked at every byte.
fn anchor(key: &[u8; KEY_BYTES], text: &[u8]) -> u32 {
    let (numbers, _) = key.as_chunks::<8>();
    let [multiplier, mask, ..] = [numbers[0], numbers[1]].map(u64::from_le_bytes);
    let first = text.first_chunk().map_or(0, |first| u64::from_le_bytes(*first));
    ((first ^ mask).wrapping_mul(multiplier | 1) >> (64 - ANCHOR_BITS)) as u32
}

fn hash(key: &[u8; KEY_BYTES], bytes: &[u8]) -> u64 {
    let digest = Sha256::new().chain_update(key).chain_update(bytes).finalize();
    digest.first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_secrets::Gathered;

    #[test]
    fn what_another_repository_keeps_secret_is_found_in_each_form_and_nothing_else() {
        let key = Box::new([7; KEY_BYTES]);
        let known = Gathered::of(".env", "DB_PASSWORD=kX9vQ2mR7tZ4w\n").build();
        let prints = known.prints(&key);
        assert!(prints.iter().all(|print| print.length >= 8) && !prints.is_empty());
        let written = format!("{prints:?}");
        assert!(!written.contains("kX9vQ2mR7tZ4w"), "what it is stands nowhere");
        let elsewhere = Elsewhere::new(key, prints);
        let find = |text: &str| {
            let mut spans = Vec::new();
            elsewhere.find(text.as_bytes(), &mut spans);
            spans.into_iter().map(|span| text[span.start..span.end].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(find("login with kX9vQ2mR7tZ4w, then kX9vQ2mR7tZ4w"), ["kX9vQ2mR7tZ4w", "kX9vQ2mR7tZ4w"]);
        assert_eq!(find("kX9vQ2mR7tZ4"), Vec::<String>::new());
        assert_eq!(find(""), Vec::<String>::new());
        // Of a long value the beginning is known; all of it is masked.
        let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        let long: String =
            (1..=720_u32).map(|n| char::from(letters[(n.wrapping_mul(2_654_435_761) >> 7) as usize % 62])).collect();
        let known = Gathered::of(".env", &format!("API_TOKEN={long}\n")).build();
        let elsewhere = Elsewhere::new(Box::new([9; KEY_BYTES]), known.prints(&[9; KEY_BYTES]));
        let mut spans = Vec::new();
        elsewhere.find(format!("a {long} b").as_bytes(), &mut spans);
        assert_eq!(spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(2, 2 + long.len())]);
    }
}
