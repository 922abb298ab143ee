//! From what was activated to the text that is sent.

pub mod redact;
pub mod tokens;
