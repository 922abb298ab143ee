//! A regular expression of a rule: compiled when it is first asked, within limits.

use regex::bytes::{Regex, RegexBuilder};
use std::sync::OnceLock;

/// Compiled size limit of one pattern, and of what is remembered while it runs.
const MAX_PATTERN_BYTES: usize = 10 << 20;
const MAX_DFA_BYTES: usize = 4 << 20;

/// A pattern that is compiled when it is first asked.
pub(super) struct Pattern {
    text: String,
    pub(super) compiled: OnceLock<Option<Regex>>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self { text, compiled: OnceLock::new() }
    }
}

impl Pattern {
    pub(super) fn compile(&self) -> std::result::Result<Regex, regex::Error> {
        // Without Unicode classes, as the format's own engine reads `\w`: a hundred times faster to compile.
        RegexBuilder::new(&self.text).unicode(false).size_limit(MAX_PATTERN_BYTES).dfa_size_limit(MAX_DFA_BYTES).build()
    }

    /// Compiles it now, for it was written by a user.
    pub(super) fn checked(&self) -> std::result::Result<(), regex::Error> {
        let regex = self.compile()?;
        let _ = self.compiled.set(Some(regex));
        Ok(())
    }

    /// The compiled pattern; a pattern that does not compile finds nothing, and the test of the built-in rules finds it.
    pub(super) fn get(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| self.compile().ok()).as_ref()
    }

    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        self.get().is_some_and(|regex| regex.is_match(text))
    }
}

/// Why a pattern does not compile, on one line.
pub(super) fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(limit) => format!("its pattern is larger than {limit} bytes when compiled; shorten it"),
        error => {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default().trim();
            format!("its pattern cannot be read: {}", last.strip_prefix("error: ").unwrap_or(last))
        }
    }
}
