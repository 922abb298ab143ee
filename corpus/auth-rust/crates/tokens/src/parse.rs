use std::fmt;

use crate::sign::checksum;

/// A token split at its dots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    pub key_id: String,
    pub subject: String,
    pub expires: u64,
    pub signature: u64,
}

/// Why a text is not a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShapeError {
    Parts(usize),
    Number(String),
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::Parts(n) => write!(f, "token must have four parts, not {n}"),
            ShapeError::Number(text) => write!(f, "{text:?} is not a number"),
        }
    }
}

/// Splits a token; the signature is read but not verified.
pub fn split(raw: &str) -> Result<Parts, ShapeError> {
    let fields: Vec<&str> = raw.split('.').collect();
    let [key_id, subject, expires, signature] = fields[..] else {
        return Err(ShapeError::Parts(fields.len()));
    };
    Ok(Parts {
        key_id: key_id.to_owned(),
        subject: subject.to_owned(),
        expires: number(expires)?,
        signature: number(signature)?,
    })
}

fn number(text: &str) -> Result<u64, ShapeError> {
    text.parse().map_err(|_| ShapeError::Number(text.to_owned()))
}

impl Parts {
    /// Whether the signature fits the secret.
    pub fn verify(&self, secret: &[u8]) -> bool {
        self.signature == checksum(&self.signed(), secret)
    }

    /// The text that was signed.
    fn signed(&self) -> String {
        format!("{}.{}.{}", self.key_id, self.subject, self.expires)
    }
}
