//! How much a text surprises.

/// Shannon entropy in bits a byte.
pub(super) fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for b in bytes {
        counts[usize::from(*b)] += 1;
    }
    let total = bytes.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::entropy;

    #[test]
    fn entropy_is_in_bits_a_byte() {
        assert!(entropy(b"aaaa") < 0.01 && entropy(b"abcd") > 1.99);
    }
}
