//! Where the comparison of two trees is.

use gix::bstr::{BStr, BString, ByteSlice};
use std::collections::VecDeque;

/// The path that is compared, and the folders that are yet to be entered.
#[derive(Default)]
pub(super) struct Place {
    path: BString,
    folders: VecDeque<BString>,
}

impl Place {
    /// The path from the top.
    pub(super) fn path(&self) -> &[u8] {
        &self.path
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> &[u8] {
        self.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
    }

    /// Goes to the folder that has waited longest.
    pub(super) fn enter_next(&mut self) {
        self.path = self.folders.pop_front().unwrap_or_default();
    }

    /// Goes to a folder and lets it wait.
    pub(super) fn push_folder(&mut self, component: &BStr) {
        self.push(component);
        self.folders.push_back(self.path.clone());
    }

    /// Goes one level down.
    pub(super) fn push(&mut self, component: &BStr) {
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(component);
    }

    /// Goes one level up.
    pub(super) fn pop(&mut self) {
        let folder = self.path.rfind_byte(b'/').unwrap_or(0);
        self.path.truncate(folder);
    }
}
