//! Who may see which repositories.

use error::{Error, ErrorKind, Result};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use std::path::Path;

/// The largest policy that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;
/// The most grants, and the most patterns of all together.
const MAX_GRANTS: usize = 10_000;
const MAX_PATTERNS: usize = 100_000;
/// Who stands for everybody.
const EVERYBODY: &str = "*";

/// Who may see which repositories. What nobody granted is denied, where there is a policy.
#[derive(Debug, Clone)]
pub struct Access {
    /// None where everybody sees all.
    grants: Option<Vec<Grant>>,
}

#[derive(Debug, Clone)]
struct Grant {
    who: String,
    repositories: GlobSet,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    grant: Vec<FileGrant>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileGrant {
    who: String,
    repositories: Vec<toml::Spanned<String>>,
}

/// The text of a policy.
///
/// # Errors
///
/// [`ErrorKind::UnreadableFile`] where the file cannot be read.
pub fn text(path: &Path) -> Result<String> {
    crate::host::text(path, "policy", MAX_BYTES, "name another with `--access FILE`")
}

impl Access {
    /// Everybody sees every repository: there is no policy.
    pub const fn all() -> Self {
        Self { grants: None }
    }

    /// The policy that a text is.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where it says what cannot be meant, with its line.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let wrong = |offset: usize, why: &str| {
            let line = text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1;
            Error::new(ErrorKind::BadInput, format!("{}:{line}: {why}", path.display()))
        };
        let first_line = |error: &toml::de::Error| error.message().lines().next().unwrap_or_default().to_owned();
        let file: File =
            toml::from_str(text).map_err(|error| wrong(error.span().map_or(0, |span| span.start), &first_line(&error)))?;
        let n_patterns: usize = file.grant.iter().map(|grant| grant.repositories.len()).sum();
        if file.grant.len() > MAX_GRANTS || n_patterns > MAX_PATTERNS {
            let why = format!("a policy has at most {MAX_GRANTS} grants with {MAX_PATTERNS} patterns in all");
            return Err(wrong(0, &why));
        }
        let mut grants = Vec::with_capacity(file.grant.len());
        for grant in file.grant {
            let mut repositories = GlobSetBuilder::new();
            for pattern in &grant.repositories {
                // Names are told apart without regard to capital letters, and a star stays within its part.
                let glob = GlobBuilder::new(pattern.get_ref()).literal_separator(true).case_insensitive(true).build();
                let glob = glob.map_err(|error| wrong(pattern.span().start, &format!("{error}; write it like `shop/*`")))?;
                repositories.add(glob);
            }
            let repositories = repositories.build().map_err(|error| wrong(0, &error.to_string()))?;
            grants.push(Grant { who: grant.who, repositories });
        }
        Ok(Self { grants: Some(grants) })
    }

    /// Whether somebody may see a repository; nobody for who has no name.
    pub fn sees(&self, who: Option<&str>, name: &str) -> bool {
        let Some(grants) = &self.grants else { return true };
        let is_meant = |grant: &&Grant| grant.who == EVERYBODY || who.is_some_and(|who| grant.who == who);
        grants.iter().filter(is_meant).any(|grant| grant.repositories.is_match(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> Result<Access> {
        Access::parse(text, Path::new("access.toml"))
    }

    #[test]
    fn what_nobody_granted_is_denied() {
        let text = "[[grant]]\nwho = \"alice\"\nrepositories = [\"shop/*\", \"Web\"]\n\
                    [[grant]]\nwho = \"*\"\nrepositories = [\"open/**\"]\n";
        let access = policy(text).expect("a policy");
        let seen = |who: Option<&str>| {
            let names = ["shop/api", "shop/api/old", "SHOP/x", "web", "website", "open/a/b", "shop", "secret"];
            names.into_iter().filter(|name| access.sees(who, name)).collect::<Vec<_>>()
        };
        assert_eq!(seen(Some("alice")), ["shop/api", "SHOP/x", "web", "open/a/b"]);
        assert_eq!((seen(Some("bob")), seen(None), seen(Some("*"))), (vec!["open/a/b"], vec!["open/a/b"], vec!["open/a/b"]));
        assert!(!policy("").expect("a policy").sees(Some("alice"), "shop/api"), "an empty policy grants nothing");
        assert!(Access::all().sees(None, "secret"));
    }

    #[test]
    fn a_policy_that_cannot_be_meant_is_refused_with_its_line() {
        let wrong = |text: &str| policy(text).expect_err("a mistake").message;
        assert!(wrong("[[grant]]\nwho = \"a\"\nrepositories = [\"[\"]\n").starts_with("access.toml:3: error parsing glob '['"));
        assert!(wrong("[[grants]]\nwho = \"a\"\n").starts_with("access.toml:1: unknown field `grants`"));
        assert!(wrong("\n[[grant]]\nrepositories = []\n").starts_with("access.toml:2: missing field `who`"));
    }
}
