//! Masks with the built-in rules and, where there are, the user's own.
//!
//! A user's rules add to the built-in ones and can take nothing from them.

use super::known_secrets::{Gathered, KnownSecrets};
use super::rules::Rules;
use super::span::MaskSpan;
use super::{
    assigned, built_in, by_rules, calls, escape, header, key_block, manifest, mask, named_file, rounds, tables, tokens, url,
};
use error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

/// A change to the detectors that their rules do not show. Part of [`Redactor::version`].
const DETECTORS: u64 = 6;

/// What holds for this process.
static ACTIVE: OnceLock<Redactor> = OnceLock::new();

/// Everything that finds secrets.
pub struct Redactor {
    user: Option<Rules>,
    version: u64,
}

impl Redactor {
    /// The rules that come with the program and no others.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Redactor> = LazyLock::new(|| {
            let version = xxhash_rust::xxh3::xxh3_64_with_seed(built_in::TEXT.as_bytes(), DETECTORS);
            Redactor { user: None, version }
        });
        &BUILT_IN
    }

    /// The built-in rules and the user's.
    pub fn with(user: Rules) -> Self {
        let version = xxhash_rust::xxh3::xxh3_64_with_seed(&user.version().to_le_bytes(), Self::built_in().version);
        Self { user: Some(user), version }
    }

    /// Those that hold for this process: the built-in rules, and the user's where [`Self::make_active`] added some.
    pub(super) fn active() -> &'static Self {
        ACTIVE.get().unwrap_or_else(|| Self::built_in())
    }

    /// Makes these hold for this process, once and before anything is read: what was masked without them would stay as it is.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where others were made active before.
    pub fn make_active(self) -> Result<()> {
        let twice = |_| Error::new(ErrorKind::BadInput, "rules of redaction were added already; a process adds them once");
        ACTIVE.set(self).map_err(twice)
    }

    /// Names what [`Self::find`] finds: spans kept under another version are found again.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Finds the ranges to mask in a whole file or message, as [`super::by_rules::find`], with the places of `values` that are known already.
    pub fn find(&self, values: &KnownSecrets, name: &str, text: &[u8]) -> Vec<MaskSpan> {
        rounds::find(text, values, |text, spans| {
            key_block::find(text, spans);
            built_in::rules().find(name, text, spans);
            if let Some(user) = &self.user {
                user.find(name, text, spans);
            }
            assigned::find(name, text, spans);
            calls::find(text, spans);
            tables::find(name, text, spans);
            tokens::find(text, spans);
            url::find(text, spans);
            header::find(text, spans);
            manifest::find(text, spans);
            named_file::find(name, text, spans);
        })
    }

    /// Masks a short text: a message, a diagnostic, a path. `name` as for [`Self::find`].
    pub fn text<'a>(&self, values: &KnownSecrets, name: &str, text: &'a str) -> Cow<'a, str> {
        let spans = self.find(values, name, text.as_bytes());
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(escape::utf8(&mask::apply(text.as_bytes(), &spans)).into_owned())
    }
}

impl Gathered {
    /// Those of one text; `name` as for [`by_rules::find`].
    pub fn of(name: &str, text: &str) -> Self {
        let mut gathered = Self::default();
        gathered.add(text.as_bytes(), &by_rules::find(name, text.as_bytes()));
        gathered
    }
}
