//! What every tool is: something that is asked, and answers.

use super::page::MAX_CHARS;
use super::toolbox::{ProgressFn, Toolbox};
use error::Result;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a tool is asked.
pub(super) trait ToolCall: DeserializeOwned + JsonSchema {
    /// What it answers: a `text` that says all, and for programs what can be told apart in it and was not written by strangers.
    type Output: Serialize + JsonSchema;

    /// The most characters of the answer as JSON.
    fn most(&self) -> usize {
        MAX_CHARS
    }

    /// Answers.
    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Self::Output>;
}
