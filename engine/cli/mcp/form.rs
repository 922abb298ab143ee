//! In which form a client is answered: as text, or as structured content with the text in it. Never both: hosts that pass both on show the
//! model everything twice, and most pass on only one of them.

use super::tools::{Reply, Tool};
use redact::DATA_NOTICE;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, ProtocolVersion};
use rmcp::service::RequestContext;

/// A form of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text alone. Tools are listed without a schema of what they answer, for a schema promises structured content.
    Text,
    /// Structured content alone, by the schema that is listed.
    Structured,
}

/// Clients that read structured content first: the beginnings of their names, in small letters. All others read text, whatever protocol they
/// speak (<https://github.com/anthropics/claude-code/issues/79944>, <https://github.com/openai/codex/issues/38287>,
/// <https://github.com/github/copilot-cli/issues/3258>, <https://github.com/anomalyco/opencode/pull/32074>).
const STRUCTURED: [&str; 5] = ["claude-code", "codex", "copilot", "opencode", "visual studio code"];

/// The first protocol with structured content.
const FIRST_STRUCTURED: ProtocolVersion = ProtocolVersion::V_2025_06_18;

impl Form {
    /// The form for whoever asks, unless one was said.
    pub(super) fn of(context: &RequestContext<RoleServer>, said: Option<Self>) -> Self {
        if let Some(form) = said {
            return form;
        }
        let name = context.client_info().map(|client| client.name).unwrap_or_default();
        Self::for_client(&name, context.protocol_version().as_ref())
    }

    fn for_client(name: &str, version: Option<&ProtocolVersion>) -> Self {
        let name = name.to_ascii_lowercase();
        let is_old = version.is_some_and(|version| version.as_str() < FIRST_STRUCTURED.as_str());
        if !is_old && STRUCTURED.iter().any(|start| name.starts_with(start)) { Self::Structured } else { Self::Text }
    }

    /// An answer of a tool.
    pub(super) fn answer<B>(self, tool: &Tool<B>, mut reply: Reply) -> CallToolResult {
        if !tool.is_packet {
            // The server's instructions say it of all answers.
            reply.change_text(|text| text.replacen(&format!("\n{DATA_NOTICE}"), "", 1));
        }
        match self {
            Self::Text => CallToolResult::success(vec![ContentBlock::text(reply.text())]),
            Self::Structured => {
                let mut result = CallToolResult::success(Vec::new());
                result.structured_content = Some(reply.structured);
                result
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, ProtocolVersion};

    #[test]
    fn the_form_is_what_a_client_understands() {
        for (name, version, form) in [
            ("claude-code", Some(ProtocolVersion::V_2025_06_18), Form::Structured),
            ("claude-code", Some(ProtocolVersion::V_2024_11_05), Form::Text),
            ("Visual Studio Code", Some(ProtocolVersion::V_2025_11_25), Form::Structured),
            ("cursor-vscode", Some(ProtocolVersion::V_2025_11_25), Form::Text),
            ("codex-mcp-client", None, Form::Structured),
            ("Zed", None, Form::Text),
            ("", None, Form::Text),
        ] {
            assert_eq!(Form::for_client(name, version.as_ref()), form, "{name} {version:?}");
        }
    }
}
