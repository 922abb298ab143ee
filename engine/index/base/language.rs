//! What is known of the language of a file.

use super::{Column, FactBase, FileFlags};
use activate_grammars::{Language, Level};
use activate_rules::atoms::NodeId;

impl FactBase {
    /// The name of the language of a file, if it is known.
    pub fn language(&self, file: NodeId) -> Option<&'static str> {
        self.rules_of(file).map(|language| language.name)
    }

    /// The language of a file, if it is known.
    pub(crate) fn rules_of(&self, file: NodeId) -> Option<&'static Language> {
        let number = *self.bytes(Column::FileLanguage).get(file.0 as usize)?;
        activate_grammars::LANGUAGES.get(number as usize).copied()
    }

    /// How much is known of what a file of a known language uses.
    pub fn level(&self, file: NodeId) -> Option<Level> {
        let language = self.rules_of(file)?;
        let is_vendored = self.flags(file).has(FileFlags::VENDORED) && language.is_vendored(self.path(file));
        Some(if is_vendored { Level::ByName } else { language.level() })
    }
}
