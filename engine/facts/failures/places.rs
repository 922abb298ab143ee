//! Places as tools write them, to files, lines and symbols of the repository.
//!
//! Must not guess: a path that several files could be is no place.

use super::Spot;
use crate::facts::base::FactBase;
use crate::facts::intent::Places;
use crate::signals::Place;
use activate_grammars::project::join;
use activate_rules::atoms::NodeId;

/// Finds places.
pub(super) struct Locator<'l, 'b> {
    pub(super) base: &'b FactBase,
    pub(super) places: &'l Places<'b>,
    /// The root folder of the repository as the tools may write it, without a slash at its end.
    pub(super) root: &'l str,
    /// The folder below the root in which the tools ran, if it is known and a place does not say it.
    pub(super) folder: &'l str,
}

impl Locator<'_, '_> {
    /// The spot of a place, if the repository has its file.
    pub(super) fn spot(&self, place: &Place) -> Option<Spot> {
        let folder = place.ran_in.as_deref().unwrap_or(self.folder);
        let Self { base, places, root, .. } = *self;
        let file = Locator { base, places, root, folder }.file(&place.path, &place.folder)?;
        let is_stale = place.line > self.base.n_lines(file).max(1);
        let line = if is_stale { 0 } else { place.line };
        let symbol = self.base.symbol_at(file, line).filter(|_| line > 0);
        Some(Spot { file, line, symbol, is_stale })
    }

    /// The file that a path means, from a folder or package if one is named.
    pub(super) fn file(&self, path: &str, folder: &str) -> Option<NodeId> {
        let below_root = |path: &str| path.strip_prefix(self.root).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned);
        if let Some(path) = below_root(path).filter(|_| !self.root.is_empty()) {
            return self.base.file_at(&path);
        }
        let is_absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
        if !folder.is_empty() && !is_absolute {
            let folder = below_root(folder).unwrap_or_else(|| folder.trim_end_matches('/').to_owned());
            if let Some(file) = self.only(&format!("{folder}/{path}")) {
                return Some(file);
            }
        }
        self.only(path)
    }

    fn only(&self, path: &str) -> Option<NodeId> {
        let below = join(self.folder, path).filter(|_| !self.folder.is_empty());
        if let Some(file) = below.and_then(|below| self.base.file_at(&below)) {
            return Some(file);
        }
        <[NodeId; 1]>::try_from(self.places.find(path)).ok().map(|[file]| file)
    }
}
