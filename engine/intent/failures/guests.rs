//! Frames of a program of somebody else that uses the repository's code as a package.
//!
//! Such a program has files whose names are those of many, `src/index.ts` or `main.go`, on a machine that is not this one.

use super::Spot;
use super::places::Locator;
use activate_grammars::project::Registry;
use signals::built::Origin;
use signals::{Frame, Place};

/// How files of Go end, and what the functions of a program begin with.
const GO: &str = ".go";
const MAIN: &str = "main";

impl Locator<'_> {
    /// Whether a trace is of a program that has the repository's package installed: what else it names by absolute paths is its own. A
    /// repository of several packages has its own ones installed too.
    pub(super) fn is_of_guest(&self, frames: &[Frame]) -> bool {
        let installed = |registry: Registry, name: &str| {
            let mut own = self.base.published().filter(|package| package.registry == registry);
            own.next().is_some_and(|package| package.name == name) && own.next().is_none()
        };
        frames.iter().filter_map(|frame| Origin::of(&frame.place.as_ref()?.path)).any(|origin| match origin {
            Origin::Go { module, .. } => installed(Registry::Go, &module),
            Origin::Cargo { package, .. } => installed(Registry::Cargo, package),
            Origin::Npm { package, .. } => installed(Registry::Npm, package),
            Origin::Checkout { .. } | Origin::Python { .. } => false,
        })
    }

    /// Whether a place is on another machine, so that only the end of its path says that it is here.
    pub(super) fn is_elsewhere(&self, place: &Place) -> bool {
        place.is_absolute() && !self.is_of_repository(place)
    }

    /// Whether a function can stand at a spot: `main.run` of Go stands in a folder with a program.
    pub(super) fn can_be_at(&self, spot: &Spot, function: &str) -> bool {
        let path = self.base.path(spot.file);
        if !path.ends_with(GO) || function.split('.').next() != Some(MAIN) {
            return true;
        }
        let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        self.base.symbols_named(MAIN).into_iter().any(|node| folder(self.base.path(node)) == folder(path))
    }
}
