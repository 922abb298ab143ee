//! All tokens of a vocabulary as one table of bytes, searched where it lies.
//!
//! The build script lays it out, so that a run reads the few pages that it needs instead of decoding everything: that took 50 ms of
//! processor time and 60 MB (measured 2026-11-21). Shared with it: must use nothing of ours.
//!
//! All numbers are little-endian, of four bytes: the number of tokens, the number of slots (a power of two), the slots, for each token where
//! its bytes end; then the bytes of all tokens by rank. A slot is 0, or the rank of a token and one in its lower bits and a part of the
//! token's hash in the others, so that what is not a token is told without a look at any token.

/// Bytes of a number.
const NUMBER: usize = 4;

/// Bits of a slot that hold a rank: there are 200,000 tokens.
pub(super) const RANK_BITS: u32 = 18;

/// The tokens of a vocabulary by their bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vocabulary<'a> {
    slots: &'a [u8],
    ends: &'a [u8],
    texts: &'a [u8],
}

impl<'a> Vocabulary<'a> {
    /// A vocabulary as it was laid out; one without tokens where the bytes are something else.
    pub(super) fn open(bytes: &'a [u8]) -> Self {
        Self::parts(bytes).unwrap_or(Self { slots: &[], ends: &[], texts: &[] })
    }

    fn parts(bytes: &'a [u8]) -> Option<Self> {
        let (n_tokens, n_slots) = (number(bytes, 0)? as usize, number(bytes, 1)? as usize);
        let (slots, rest) = bytes.get(2 * NUMBER..)?.split_at_checked(n_slots.checked_mul(NUMBER)?)?;
        let (ends, texts) = rest.split_at_checked(n_tokens.checked_mul(NUMBER)?)?;
        n_slots.is_power_of_two().then_some(Self { slots, ends, texts })
    }

    /// The rank of the token with these bytes, if there is one: those of lower rank are joined first.
    pub(super) fn rank(&self, token: &[u8]) -> Option<u32> {
        let n_slots = self.slots.len() / NUMBER;
        let hash = hash(token);
        let mut slot = hash as usize & n_slots.checked_sub(1)?;
        loop {
            let found = number(self.slots, slot)?;
            let rank = (found & ((1 << RANK_BITS) - 1)).checked_sub(1)?;
            if found == filled(rank, hash) && self.token(rank)? == token {
                return Some(rank);
            }
            slot = (slot + 1) & (n_slots - 1);
        }
    }

    fn token(&self, rank: u32) -> Option<&'a [u8]> {
        let rank = rank as usize;
        let start = if rank == 0 { 0 } else { number(self.ends, rank - 1)? };
        self.texts.get(start as usize..number(self.ends, rank)? as usize)
    }
}

/// Whether these are all bytes of a vocabulary, as far as its own numbers tell. The compiler asks, so that no program is made with a part of
/// one: that would count bytes for tokens.
pub(super) const fn is_whole(bytes: &[u8]) -> bool {
    let (Some(n_tokens), Some(n_slots)) = (number(bytes, 0), number(bytes, 1)) else { return false };
    let n_numbers = 2 + n_slots as usize + n_tokens as usize;
    let Some(n_text_bytes) = number(bytes, n_numbers - 1) else { return false };
    n_tokens > 0 && n_slots.is_power_of_two() && bytes.len() == n_numbers * NUMBER + n_text_bytes as usize
}

const fn number(bytes: &[u8], place: usize) -> Option<u32> {
    let Some((_, rest)) = bytes.split_at_checked(place * NUMBER) else { return None };
    let Some(number) = rest.first_chunk() else { return None };
    Some(u32::from_le_bytes(*number))
}

/// The slot of a token, given its rank and the hash of its bytes.
pub(super) const fn filled(rank: u32, hash: u64) -> u32 {
    (rank + 1) | ((hash >> u32::BITS) as u32) << RANK_BITS
}

/// The number whose lowest bits are the first slot of a token. FNV-1a: tokens have a few bytes, and everybody knows them all.
pub(super) fn hash(token: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let hash = token.iter().fold(BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    // The lowest bits alone choose the slot, and the last byte stirs them least.
    hash ^ (hash >> 32)
}
