//! Source text to facts about one file.
