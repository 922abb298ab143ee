//! What every tool is: something that is asked, and answers.

use super::page::MAX_CHARS;
use super::toolbox::{ProgressFn, Toolbox};
use error::Result;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a tool is asked that works with a `B`.
pub(crate) trait ToolCall<B = Toolbox>: DeserializeOwned + JsonSchema {
    /// What it answers: a `text` that says all, and for programs what can be told apart in it and was not written by strangers.
    type Output: Serialize + JsonSchema;

    /// Whether it answers with a packet, which is shown as it is made.
    const IS_PACKET: bool = false;

    /// The most characters of the answer as JSON.
    fn most(&self) -> usize {
        MAX_CHARS
    }

    /// Answers.
    fn run(self, served: &B, progress: ProgressFn<'_>) -> Result<Self::Output>;
}
