//! `explain`: why something is in the context of a task, or what kept it out.
//!
//! Must not explain by itself: the engine does.

use super::page::page;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use engine::Request;
use error::{Error, ErrorKind, Result};
use redact::{DATA_NOTICE, PacketWriter, Safe};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `explain` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Explain {
    /// path, path:line, path#Type.method or a name
    target: String,
    /// The task, in the words given to `context`
    #[serde(default)]
    intent: Option<String>,
    /// Or the pack of it
    #[serde(default)]
    pack_id: Option<String>,
    /// Why it is not in, or not higher
    #[serde(default)]
    not: bool,
}

/// An explanation.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Explained {
    #[schemars(with = "String")]
    target: Safe,
    text: String,
}

impl ToolCall for Explain {
    type Output = Explained;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Explained> {
        let request = match (&self.intent, &self.pack_id) {
            (Some(intent), None) if !intent.trim().is_empty() => Request::new(intent.clone()),
            (None, Some(id)) => toolbox.pack(id)?.asked.again()?,
            (None, None) => {
                let none =
                    || Error::new(ErrorKind::BadInput, "give the task, either as `intent` or as the `pack_id` of its pack");
                toolbox.last_pack().ok_or_else(none)?.repeatable()?.asked.again()?
            }
            _ => {
                let message = "give the task either as `intent` or as the `pack_id` of its pack; without both, that of the last pack is meant";
                return Err(Error::new(ErrorKind::BadInput, message));
            }
        };
        let activation = toolbox.activate(&request, progress)?;
        let named = |error: Error| error.reworded(|message| format!("`target`: {message}"));
        let (base, masker) = (&activation.snapshot.base, activation.masker());
        let target =
            masker.name(&activation.targets(&self.target).map_err(named)?.first().map(|node| base.id(*node)).unwrap_or_default());
        let mut lines = if self.not { Vec::new() } else { activation.why(&self.target)? };
        if lines.is_empty() {
            lines = activation.why_not(&self.target)?;
        }
        let lines = page(lines.iter().map(|line| masker.line(line)).collect::<Vec<_>>(), None)?;
        let mut writer = PacketWriter::new();
        writer.line(&Safe::format("{}:", &[&target]));
        writer.line(&Safe::fixed(DATA_NOTICE));
        lines.items.iter().for_each(|line| writer.line(line));
        if lines.n_left > 0 {
            writer.line(&Safe::format("{} more lines: ask for a narrower target", &[&Safe::number(lines.n_left as i64)]));
        }
        Ok(Explained { target, text: writer.finish().text })
    }
}
