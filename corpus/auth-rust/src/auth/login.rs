//! Validates tokens.

use std::fmt;

use tokens::Parts;

use super::{claims::Claims, keys::KeySet};
use crate::clock::now;

/// Why a token was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenError {
    Empty,
    Malformed(String),
    UnknownKey(String),
    BadSignature,
    Expired,
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("token is empty"),
            Self::Malformed(why) => write!(f, "malformed token: {why}"),
            Self::UnknownKey(id) => write!(f, "no signing key {id:?}"),
            Self::BadSignature => f.write_str("signature does not match"),
            Self::Expired => f.write_str("token has expired"),
        }
    }
}

/// Checks a token and returns what it claims.
///
/// The answer is not cached: a cached answer outlived a logout (see the history of this file).
pub fn validate_token(raw: &str, keys: &KeySet) -> Result<Claims, TokenError> {
    ensure!(!raw.is_empty(), TokenError::Empty);
    let token = parse_token(raw)?;
    let claims = get_claims(&token, keys)?;
    ensure!(!claims.expired(now()), TokenError::Expired);
    Ok(claims)
}

/// Splits the token; it does not look at the signature.
fn parse_token(raw: &str) -> Result<Parts, TokenError> {
    tokens::split(raw).map_err(|error| TokenError::Malformed(error.to_string()))
}

/// Verifies the signature with the key the token names.
fn get_claims(token: &Parts, keys: &KeySet) -> Result<Claims, TokenError> {
    let key = keys.find(&token.key_id).ok_or_else(|| TokenError::UnknownKey(token.key_id.clone()))?;
    ensure!(token.verify(key.secret()), TokenError::BadSignature);
    Ok(Claims::new(&token.subject, token.expires))
}

/// Reports only whether a token is good.
#[deprecated(note = "use validate_token, which says why a token was refused")]
pub fn check_token(raw: &str, keys: &KeySet) -> bool {
    validate_token(raw, keys).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::keys::Key;
    use tokens::sign::mint;

    const SECRET: &[u8] = b"not a real secret";

    fn keys() -> KeySet {
        KeySet::from_keys([Key::new("k1", SECRET)])
    }

    #[test]
    fn empty_token_is_refused() {
        assert_eq!(validate_token("", &keys()), Err(TokenError::Empty));
    }

    #[test]
    fn expired_token_is_refused() {
        let stale = mint("k1", "user:ada", 1, SECRET);
        assert_eq!(
            validate_token(&stale, &keys()),
            Err(TokenError::Expired),
        );
    }

    #[test]
    fn good_token_names_its_subject() {
        let claims = validate_token(&mint("k1", "user:ada", u64::MAX, SECRET), &keys()).unwrap();
        assert_eq!(claims.subject(), "user:ada");
    }

    #[test]
    fn token_of_two_parts_is_malformed() {
        assert!(matches!(parse_token("one.two"), Err(TokenError::Malformed(_))));
    }
}
