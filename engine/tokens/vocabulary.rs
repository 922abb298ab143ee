//! All tokens of a vocabulary as one table of bytes, searched where it lies.
//!
//! The build script lays it out, so that a run reads the few pages that it needs instead of decoding everything: that took 50 ms of
//! processor time and 60 MB (measured 2026-11-21). Shared with it: must use nothing of ours.
//!
//! All numbers are little-endian. Four of four bytes come first: how many tokens there are, how many buckets, how many slots, and how many
//! bytes all tokens have. Then a number of two bytes for each bucket; the slots, of three bytes each; where the bytes of each block of [`BLOCK`]
//! tokens start, of four; the length of each token, of one; and the bytes of all tokens by rank.
//!
//! The slots are a perfect hash table: no two tokens have the same one (Belazzougui, Botelho and Dietzfelbinger, "Hash, displace, and
//! compress", 2009). A token's hash chooses its bucket, and the bucket's number sends each of its tokens to a slot that no other has. A slot is
//! 0, or the rank of its token and one in its lower bits and a part of the token's hash in the others, so that most of what is not a token is
//! told without a look at any token.

/// Bytes of a number.
const NUMBER: usize = 4;
/// Numbers before the slots.
const HEADER: usize = 4;
/// Bytes of the number of a bucket.
const DISPLACEMENT: usize = 2;
/// Bytes of a slot.
pub(super) const SLOT: usize = 3;
/// Tokens that share the number that says where their bytes start; the lengths of those before say the rest.
pub(super) const BLOCK: usize = 8;
/// Every other byte of a block of lengths.
const LOW_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
/// Bits of a slot that hold a rank: there are 200,000 tokens.
pub(super) const RANK_BITS: u32 = 18;

/// The tokens of a vocabulary by their bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vocabulary<'a> {
    displacements: &'a [[u8; DISPLACEMENT]],
    slots: &'a [[u8; SLOT]],
    starts: &'a [u8],
    lengths: &'a [[u8; BLOCK]],
    texts: &'a [u8],
}

impl<'a> Vocabulary<'a> {
    /// A vocabulary as it was laid out; one without tokens where the bytes are something else.
    pub(super) fn open(bytes: &'a [u8]) -> Self {
        Self::parts(bytes).unwrap_or(Self { displacements: &[], slots: &[], starts: &[], lengths: &[], texts: &[] })
    }

    fn parts(bytes: &'a [u8]) -> Option<Self> {
        if !is_whole(bytes) {
            return None;
        }
        let [n_tokens, n_buckets, n_slots] = [0, 1, 2].map(|place| number(bytes, place).unwrap_or_default() as usize);
        let (displacements, rest) = bytes.get(HEADER * NUMBER..)?.split_at_checked(n_buckets * DISPLACEMENT)?;
        let (slots, rest) = rest.split_at_checked(n_slots * SLOT)?;
        let (starts, rest) = rest.split_at_checked(n_tokens.div_ceil(BLOCK) * NUMBER)?;
        let (lengths, texts) = rest.split_at_checked(n_tokens.next_multiple_of(BLOCK))?;
        let (displacements, slots, lengths) = (displacements.as_chunks().0, slots.as_chunks().0, lengths.as_chunks().0);
        Some(Self { displacements, slots, starts, lengths, texts })
    }

    /// The rank of the token with these bytes, if there is one: those of lower rank are joined first.
    pub(super) fn rank(&self, token: &[u8]) -> Option<u32> {
        let hash = hash(token);
        let displacement = u16::from_le_bytes(*self.displacements.get(bucket(hash, self.displacements.len()))?);
        let [a, b, c] = *self.slots.get(slot(hash, displacement, self.slots.len()))?;
        let found = u32::from_le_bytes([a, b, c, 0]);
        let rank = (found & ((1 << RANK_BITS) - 1)).checked_sub(1)?;
        (found == filled(rank, hash) && self.token(rank as usize)? == token).then_some(rank)
    }

    fn token(&self, rank: usize) -> Option<&'a [u8]> {
        let (block, place) = (rank / BLOCK, rank % BLOCK);
        let lengths = self.lengths.get(block)?;
        // The lengths of those before in the block, added up in pairs, and the pairs by one multiplication.
        let before = u64::from_le_bytes(*lengths) & ((1 << (8 * place)) - 1);
        let pairs = (before & LOW_BYTES) + (before >> 8 & LOW_BYTES);
        let start = number(self.starts, block)? as usize + (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize;
        self.texts.get(start..start + usize::from(lengths[place]))
    }
}

/// Whether these are all bytes of a vocabulary, as far as its own numbers tell. The compiler asks, so that no program is made with a part of
/// one: that would count bytes for tokens.
pub(super) const fn is_whole(bytes: &[u8]) -> bool {
    let (Some(n_tokens), Some(n_buckets)) = (number(bytes, 0), number(bytes, 1)) else { return false };
    let (Some(n_slots), Some(n_text_bytes)) = (number(bytes, 2), number(bytes, 3)) else { return false };
    let n_tokens = n_tokens as usize;
    let n_table_bytes = n_buckets as usize * DISPLACEMENT + n_slots as usize * SLOT;
    let n_token_bytes = n_tokens.div_ceil(BLOCK) * (NUMBER + BLOCK) + n_text_bytes as usize;
    n_tokens > 0 && bytes.len() == HEADER * NUMBER + n_table_bytes + n_token_bytes
}

const fn number(bytes: &[u8], place: usize) -> Option<u32> {
    let Some((_, rest)) = bytes.split_at_checked(place * NUMBER) else { return None };
    let Some(number) = rest.first_chunk() else { return None };
    Some(u32::from_le_bytes(*number))
}

/// What stands in the slot of a token, given its rank and the hash of its bytes.
pub(super) const fn filled(rank: u32, hash: u64) -> u32 {
    (rank + 1) | (hash as u32 & ((1 << (8 * SLOT as u32 - RANK_BITS)) - 1)) << RANK_BITS
}

/// The bucket of a token.
pub(super) const fn bucket(hash: u64, n_buckets: usize) -> usize {
    scaled(hash, n_buckets)
}

/// The slot where the number of its bucket sends a token.
pub(super) const fn slot(hash: u64, displacement: u16, n_slots: usize) -> usize {
    // Another multiple for each number, and the bits that chose the bucket are at the bottom.
    scaled((hash.rotate_left(32) ^ displacement as u64).wrapping_mul(MIX), n_slots)
}

/// A number below `n`, by the highest bits of a hash (Lemire, "Fast Random Integer Generation in an Interval", 2019).
const fn scaled(hash: u64, n: usize) -> usize {
    ((hash as u128 * n as u128) >> u64::BITS) as usize
}

/// The golden ratio in 64 bits: what is multiplied by it differs in its highest bits.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a token. FNV-1a: tokens have a few bytes, and everybody knows them all.
pub(super) fn hash(token: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let hash = token.iter().fold(BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    // The last byte stirs the highest bits least.
    (hash ^ (hash >> 32)).wrapping_mul(MIX)
}
