//! A toy signature. Good enough for a fixture, for nothing else.

const PRIME: u64 = 0x0100_0000_01b3;

/// Mixes a text and a secret to one number.
pub fn checksum(text: &str, secret: &[u8]) -> u64 {
    text.bytes().chain(secret.iter().copied()).fold(PRIME, mix)
}

fn mix(sum: u64, byte: u8) -> u64 {
    (sum ^ u64::from(byte)).wrapping_mul(PRIME)
}

/// Writes a signed token.
pub fn mint(key_id: &str, subject: &str, expires: u64, secret: &[u8]) -> String {
    let signed = format!("{key_id}.{subject}.{expires}");
    let signature = checksum(&signed, secret);
    format!("{signed}.{signature}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split;

    #[test]
    fn minted_token_verifies() {
        let parts = split(&mint("k1", "user:ada", 9, b"secret")).unwrap();
        assert!(parts.verify(b"secret"));
        assert!(!parts.verify(b"other"));
    }

    #[test]
    fn checksum_depends_on_the_secret() {
        assert_ne!(checksum("a", b"1"), checksum("a", b"2"));
    }
}
