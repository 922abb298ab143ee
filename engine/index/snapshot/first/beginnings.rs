//! Where in a text any of many words may begin, by its first three bytes.

use rustc_hash::FxHashMap;

/// Bits that tell letters and digits apart, large and small letters alike: two digits are one, and so are all other bytes.
const BITS: usize = 5;
/// Bytes that are looked at.
const N_BYTES: usize = 3;
/// Numbers that three bytes may have: a bit for each is less than the nearest cache of a processor holds.
const N_NUMBERS: usize = 1 << (BITS * N_BYTES);

/// The beginnings of words. What one pass over a text costs does not grow with their number, but for the places that they find.
pub(super) struct Beginnings {
    /// By number of three bytes, whether words begin so.
    bits: Box<[u64; N_NUMBERS / 64]>,
    /// Which do.
    words: FxHashMap<usize, Vec<Box<[u8]>>>,
}

impl Beginnings {
    /// Those of these words.
    pub(super) fn of<'w>(words: impl IntoIterator<Item = &'w [u8]>) -> Self {
        let mut bits = Box::new([0; N_NUMBERS / 64]);
        let mut by_number: FxHashMap<usize, Vec<Box<[u8]>>> = FxHashMap::default();
        for word in words {
            let known = &word[..word.len().min(N_BYTES)];
            // Behind a shorter word anything may follow.
            let open = BITS * (N_BYTES - known.len());
            let first = known.iter().fold(0, |number, byte| number << BITS | fold(*byte)) << open;
            for number in first..first + (1 << open) {
                bits[number / 64] |= 1 << (number % 64);
                by_number.entry(number).or_default().push(word.into());
            }
        }
        Self { bits, words: by_number }
    }

    /// Calls `each` with every place of a text, in order, where one of the words begins, whatever its letters' case. `is_start` says of a place
    /// whether words begin there at all.
    pub(super) fn find(&self, text: &[u8], is_start: impl Fn(usize) -> bool, mut each: impl FnMut(usize)) {
        let holds = |number: usize| self.bits[number / 64] >> (number % 64) & 1 == 1;
        let begins = |word: &[u8], at: usize| text.get(at..at + word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
        let mut look = |at: usize, number: usize| {
            if is_start(at) && self.words.get(&number).is_some_and(|words| words.iter().any(|word| begins(word, at))) {
                each(at);
            }
        };
        for (at, bytes) in text.windows(N_BYTES).enumerate() {
            let number = number_of([bytes[0], bytes[1], bytes[2]]);
            if holds(number) {
                look(at, number);
            }
        }
        // Behind a text nothing follows.
        for at in text.len().saturating_sub(N_BYTES - 1)..text.len() {
            let number = number_of([text[at], text.get(at + 1).copied().unwrap_or_default(), 0]);
            if holds(number) {
                look(at, number);
            }
        }
    }
}

fn number_of(bytes: [u8; N_BYTES]) -> usize {
    bytes.into_iter().fold(0, |number, byte| number << BITS | fold(byte)) % N_NUMBERS
}

fn fold(byte: u8) -> usize {
    const FOLDED: [u8; 256] = {
        let mut folded = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            folded[byte] = match byte as u8 {
                letter @ (b'a'..=b'z' | b'A'..=b'Z') => letter & 0x1f,
                digit @ b'0'..=b'9' => 27 + (digit - b'0') / 2,
                _ => 0,
            };
            byte += 1;
        }
        folded
    };
    usize::from(FOLDED[usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::Beginnings;

    #[test]
    fn words_are_found_wherever_they_begin_also_at_the_end_of_a_text() {
        let beginnings = Beginnings::of(["server", "id", "x"].map(str::as_bytes));
        let places = |text: &str| {
            let mut places = Vec::new();
            beginnings.find(text.as_bytes(), |_| true, |at| places.push(at));
            places
        };
        assert_eq!(places("HTTPServer SERVERS"), [4, 11]);
        assert_eq!(places("an Id"), [3]);
        assert_eq!((places("ids"), places("x"), places("aX"), places("")), (vec![0], vec![0], vec![1], vec![]));
        assert_eq!(places("observe, serving: it"), [0; 0]);
    }
}
