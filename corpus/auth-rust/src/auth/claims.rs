use std::fmt;

/// What a valid token says about its bearer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    subject: String,
    expires: u64,
}

impl Claims {
    pub fn new(subject: &str, expires: u64) -> Self {
        Self { subject: subject.to_owned(), expires }
    }

    /// Whether the claims are no longer good at a time, in seconds since 1970.
    pub fn expired(&self, now: u64) -> bool {
        now >= self.expires
    }

    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Whether a person is behind the subject.
    pub fn is_human(&self) -> bool {
        self.subject().starts_with("user:")
    }
}

impl fmt::Display for Claims {
    /// People are not logged by name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_human() { "user" } else { self.subject() })
    }
}
