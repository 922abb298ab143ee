//! What the listing of files leaves for the next one, in the cache.

use super::Source;
use error::Problem;
use rayon::prelude::*;
use redact::by_rules;
use repo::Walk;
use std::borrow::Cow;
use std::sync::Arc;

/// What the listing of files left for the next.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// What [`Walk::take_listing`] gave; empty where nothing is known.
    pub(super) bytes: Vec<u8>,
    /// Whether a folder or file is called by a secret.
    has_secret: bool,
}

const LISTING: &str = "listing";

impl Source<'_> {
    /// What an earlier run left.
    pub(super) fn cached_listing(&self) -> Arc<Listing> {
        let cache = self.cache.filter(|_| !self.repo.is_at_commit());
        let bytes = cache.and_then(|cache| cache.blob(self.repo.root_text(), LISTING)).unwrap_or_default();
        Arc::new(Listing { bytes, has_secret: false })
    }

    /// Keeps what a walk that began with `known` left, and gives what the next may begin with.
    pub(super) fn keep_listing(&self, walk: &mut Walk, known: Arc<Listing>, problems: &mut Vec<Problem>) -> Arc<Listing> {
        let (takes_known, paths) = (walk.takes_known(), walk.listed_paths());
        let Some(bytes) = walk.take_listing().filter(|bytes| *bytes != known.bytes) else { return known };
        let is_secret = |path: &String| matches!(by_rules::hide(path), Cow::Owned(_));
        let has_secret = takes_known && known.has_secret || paths.par_iter().any(is_secret);
        // It names folders and files as they are called: where that is a secret, it is not kept.
        if let Some(cache) = self.cache.filter(|_| self.keeps && !has_secret) {
            problems.extend(cache.write_blob(self.repo.root_text(), LISTING, &bytes).err());
        }
        Arc::new(Listing { bytes, has_secret })
    }
}
