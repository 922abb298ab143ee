//! Says which finds of a rule are not secrets.

use super::pattern::Pattern;
use std::ops::Range;

/// Finds that are not secrets.
pub(super) struct Allowlist {
    pub(super) condition: Condition,
    pub(super) target: Target,
    pub(super) paths: Vec<Pattern>,
    pub(super) regexes: Vec<Pattern>,
    /// Words within the secret, in any case.
    pub(super) stopwords: Vec<String>,
}

/// Whether one of the lists decides or all that there are.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Condition {
    #[default]
    Or,
    And,
}

/// What the patterns of an allowlist are held against.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Target {
    #[default]
    Secret,
    Match,
    Line,
}

impl Allowlist {
    /// Whether the find `whole` with its `secret` in the file `name` is not a secret after all.
    pub(super) fn allows(&self, name: &str, text: &[u8], whole: Range<usize>, secret: &[u8]) -> bool {
        let target = match self.target {
            Target::Secret => secret,
            Target::Match => &text[whole],
            Target::Line => {
                let start = text[..whole.start].iter().rposition(|b| *b == b'\n').map_or(0, |feed| feed + 1);
                let end = text[whole.end..].iter().position(|b| *b == b'\n').map_or(text.len(), |length| whole.end + length);
                &text[start..end]
            }
        };
        let lower = secret.to_ascii_lowercase();
        let has_word = |word: &String| !word.is_empty() && lower.windows(word.len()).any(|window| window == word.as_bytes());
        let checks = [
            (!self.paths.is_empty()).then(|| self.paths.iter().any(|path| path.is_match(name.as_bytes()))),
            (!self.regexes.is_empty()).then(|| self.regexes.iter().any(|regex| regex.is_match(target))),
            (!self.stopwords.is_empty()).then(|| self.stopwords.iter().any(has_word)),
        ];
        let mut checks = checks.into_iter().flatten().peekable();
        match self.condition {
            Condition::Or => checks.any(|check| check),
            Condition::And => checks.peek().is_some() && checks.all(|check| check),
        }
    }
}
