use crate::clock;

/// How long a session may stay unused, in seconds.
pub struct Expiry {
    pub idle_seconds: u64,
}

impl Default for Expiry {
    fn default() -> Self {
        Expiry { idle_seconds: 30 * 60 }
    }
}

impl Expiry {
    fn limit(&self, last_seen: u64) -> u64 {
        last_seen.saturating_add(self.idle_seconds)
    }
}

/// Whether a session was unused for too long.
pub fn idle(expiry: &Expiry, last_seen: u64) -> bool {
    clock::now() > Expiry::limit(expiry, last_seen)
}
