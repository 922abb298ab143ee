use store::{Record, Store};

use crate::auth::{self, keys::KeySet, AuthError};
use crate::session::expiry::{idle as is_idle, Expiry};

/// The list of open sessions.
pub struct Book<S> {
    rows: S,
    keys: KeySet,
    expiry: Expiry,
    opened: u64,
}

impl<S: Store> Book<S> {
    pub fn new(rows: S, keys: KeySet) -> Self {
        Self { rows, keys, expiry: Expiry::default(), opened: 0 }
    }

    /// Opens a session for a valid token and returns its id.
    pub fn login(&mut self, raw: &str) -> Result<String, AuthError> {
        let claims = auth::validate_token(raw, &self.keys)?;
        self.opened += 1;
        let id = format!("s{}", self.opened);
        self.rows.put(&id, Record { owner: claims.subject().to_owned() });
        Ok(id)
    }

    /// Forgets a session; says whether it was open.
    pub fn logout(&mut self, id: &str) -> bool {
        self.rows.remove(id)
    }

    /// Who owns an open session.
    pub fn validate(&self, id: &str, last_seen: u64) -> Option<String> {
        if is_idle(&self.expiry, last_seen) {
            return None;
        }
        self.rows.get(id).map(|record| record.owner)
    }

    pub fn close(mut self) -> Result<(), String> {
        self.rows.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;
    use store::MemoryStore;

    #[test]
    fn logout_forgets_the_session() {
        let mut rows = MemoryStore::new();
        rows.put("s1", Record { owner: "user:ada".into() });
        let mut book = Book::new(rows, KeySet::new());
        assert!(book.logout("s1"));
        assert_eq!(book.validate("s1", clock::now()), None);
    }
}
