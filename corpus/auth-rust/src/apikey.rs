//! The long-lived keys of build machines. They are not the tokens of `auth`.

use store::Store;

/// Returns the owner of an API key such as `ak_build_7f3a`.
pub fn validate_token<S: Store>(raw: &str, known: &S) -> Result<String, String> {
    let id = parse_token(raw)?;
    let record = known.get(id).ok_or("api key is unknown")?;
    Ok(record.owner)
}

fn parse_token(raw: &str) -> Result<&str, String> {
    raw.strip_prefix("ak_").ok_or_else(|| "api key must begin with ak_".to_owned())
}

/// Who holds a key, or nobody.
pub fn owner_or_nobody(raw: &str, known: &impl Store) -> String {
    validate_token(raw, known).unwrap_or_else(|_| "nobody".to_owned())
}

#[cfg(test)]
mod tests {
    use super::owner_or_nobody;
    use store::{MemoryStore, Record, Store as _};

    #[test]
    fn unknown_key_belongs_to_nobody() {
        let mut rows = MemoryStore::new();
        rows.put("build_7f3a", Record { owner: "builder".into() });
        assert_eq!(owner_or_nobody("ak_build_7f3a", &rows), "builder");
        assert_eq!(owner_or_nobody("ak_other", &rows), "nobody");
    }
}
