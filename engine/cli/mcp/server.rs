//! The protocol's side of the tools: lists, calls, packs as resources, one prompt, errors with what to do next.
//!
//! What is listed are words of ours; what strangers wrote is in answers alone.

use super::calls::{Calls, Unanswered};
use super::form::Form;
use super::progress::Steps;
use super::served::Served;
use super::toolbox::Toolbox;
use super::tools::{Tool, ToolSet};
use error::Error;
use packets::answer::{Packs, StoredPack};
use redact::Masker;
use rmcp::model::{
    self, CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt, PromptArgument,
    PromptMessage, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate, Role, ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::error::Error as _;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The name of this server.
const NAME: &str = "activate";
/// How long, in milliseconds, a client may keep lists that never change.
const LISTS_HOLD_MS: u64 = 60_000;
/// And what changes with every call.
const PACKS_HOLD_MS: u64 = 0;
/// No list is for others: it may depend on how the server was started.
const SCOPE: CacheScope = CacheScope::Private;

/// The most packs that are listed, the newest: a person picks from them.
const MAX_PACKS: usize = 20;
/// Digits of a pack's id that are shown.
const SHORT_ID: usize = 8;
/// What stands before the id of a pack.
const PACK_URI: &str = "activate://pack/";
const PACK_TEMPLATE: &str = "activate://pack/{id}";
const JSON_TYPE: &str = "application/json";

/// The one prompt and its argument.
const FIX: &str = "fix";
const INTENT: &str = "intent";

/// Methods that exist. `initialize` is left out: under the newer lifecycle it does not.
const METHODS: [&str; 8] = [
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
];

/// How tools are listed.
#[derive(Debug, Clone, Copy)]
pub struct Listing {
    /// The last set that is listed.
    pub set: ToolSet,
    /// Whether names have a dot where they can: as they were first called, which models refuse.
    pub dotted: bool,
    /// The form of all answers; none for what each client understands.
    pub form: Option<Form>,
}

/// A server. Copies share their work.
pub(super) struct Server<B> {
    served: Arc<B>,
    listed: Arc<[model::Tool]>,
    form: Option<Form>,
    calls: Calls,
}

impl<B> Clone for Server<B> {
    fn clone(&self) -> Self {
        let (served, listed, calls) = (Arc::clone(&self.served), Arc::clone(&self.listed), self.calls.clone());
        Self { served, listed, form: self.form, calls }
    }
}

impl<B: Served> Server<B> {
    /// A server that gives up its calls when `stop` is cancelled.
    pub(super) fn new(served: B, listing: Listing, stop: CancellationToken) -> Self {
        let listed = B::TOOLS.iter().filter(|tool| tool.set <= listing.set).map(|tool| described(tool, listing.dotted));
        Self { served: Arc::new(served), listed: listed.collect(), form: listing.form, calls: Calls::new(stop) }
    }

    /// Works with what is served on a thread of its own, telling the client how far it is where it wants to know.
    async fn work<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&B, super::ProgressFn<'_>) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        let (served, steps) = (Arc::clone(&self.served), Steps::default());
        let noted = steps.clone();
        let done = self.calls.run(&context.ct, move |progress| noted.note(progress), move |progress| work(&served, progress));
        let Some(token) = context.meta.get_progress_token() else { return done.await };
        tokio::select! {
            biased;
            done = done => done,
            never = steps.tell(&context.peer, token) => match never {},
        }
    }
}

/// A tool as it is listed.
fn described<B: Served>(tool: &Tool<B>, dotted: bool) -> model::Tool {
    let name: Cow<'static, str> = if dotted { tool.dotted().into() } else { tool.name.into() };
    // Whether it destroys is asked of those alone that write.
    let harmless = ToolAnnotations::new().read_only(true).open_world(false);
    model::Tool::new(name, tool.about, Arc::new(tool.input()))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(tool.output()))
        .with_annotations(harmless)
}

/// An error with its causes, and what to do about it. Names in it may be those of strangers, so it is escaped like all that they wrote.
fn refused<B: Served>(masker: &Masker, error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    format!("{}\n{}", masker.line(&text), B::next_step(error.kind))
}

/// What is said of a call that has no answer.
const fn unanswered(why: Unanswered) -> &'static str {
    match why {
        Unanswered::Busy => "Too many calls are waiting. Call again when some have been answered.",
        Unanswered::Cancelled => "The call was given up.",
        Unanswered::Panicked => {
            "Internal error in this call alone; nothing was changed. Call again with other arguments, and report it."
        }
    }
}

fn no_method() -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "there is no such method", None)
}

fn unserved(why: Unanswered) -> ErrorData {
    ErrorData::internal_error(unanswered(why), None)
}

/// Whether a pack is of this repository, and can be shown.
fn is_shown(toolbox: &Toolbox, pack: &StoredPack) -> bool {
    let masker = toolbox.engine().masker();
    masker.name(&pack.asked.root) == masker.name(toolbox.engine().root()) && pack.sent(&masker).is_ok()
}

/// A pack as it is listed.
fn resource(pack: &StoredPack) -> Resource {
    let short: String = pack.pack_id.chars().take(SHORT_ID).collect();
    Resource::new(format!("{PACK_URI}{}", pack.pack_id), format!("pack {short}"))
        .with_description(format!("A packet that was made before: {}", pack.asked.wanted.kind.name()))
        .with_mime_type(JSON_TYPE)
        .with_size(pack.packet.len() as u64)
}

impl<B: Served> ServerHandler for Server<B> {
    fn get_info(&self) -> ServerConfig {
        let has_packs = self.served.repository().is_some();
        let capabilities = ServerCapabilities::builder().enable_tools();
        let capabilities =
            if has_packs { capabilities.enable_resources().enable_prompts().build() } else { capabilities.build() };
        let own = Implementation::new(NAME, env!("CARGO_PKG_VERSION")).with_title(NAME);
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(B::INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let result = DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), self.get_info());
        Ok(result.with_ttl_ms(LISTS_HOLD_MS).with_cache_scope(SCOPE))
    }

    fn get_tool(&self, name: &str) -> Option<model::Tool> {
        self.listed.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = self.listed.to_vec();
        if Form::of(&context, self.form) == Form::Text {
            for tool in &mut listed {
                tool.output_schema = None;
            }
        }
        Ok(ListToolsResult::with_all_items(listed).with_ttl_ms(LISTS_HOLD_MS).with_cache_scope(SCOPE))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // Its name is not repeated: it is a text of whoever calls.
        let unknown = || ErrorData::invalid_params("there is no such tool; `tools/list` names those that there are", None);
        let tool = B::tool(&request.name).ok_or_else(unknown)?;
        let form = Form::of(&context, self.form);
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        // Errors are put into words where the secrets of the repository are known.
        let work = move |served: &B, progress: super::ProgressFn<'_>| {
            tool.call(served, arguments, progress).map_err(|error| refused::<B>(&served.masker(), &error))
        };
        let result = match self.work(&context, work).await {
            Ok(Ok(reply)) => form.answer(tool, reply),
            Ok(Err(text)) => CallToolResult::error(vec![ContentBlock::text(text)]),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(unanswered(why))]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "`cursor` does not belong to this list, which has one page; leave it out",
                None,
            ));
        }
        self.served.repository().ok_or_else(no_method)?;
        let newest = |served: &B, _: super::ProgressFn<'_>| -> Vec<Resource> {
            let Some(toolbox) = served.repository() else { return Vec::new() };
            let packs = Packs::at(toolbox.state());
            packs.newest().filter(|pack| is_shown(toolbox, pack)).take(MAX_PACKS).map(|pack| resource(&pack)).collect()
        };
        let resources = self.work(&context, newest).await.map_err(unserved)?;
        Ok(ListResourcesResult::with_all_items(resources).with_ttl_ms(PACKS_HOLD_MS).with_cache_scope(SCOPE))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.served.repository().ok_or_else(no_method)?;
        let pack = ResourceTemplate::new(PACK_TEMPLATE, "pack")
            .with_description("A packet that was made before, as it was sent, by its id or its first digits")
            .with_mime_type(JSON_TYPE);
        Ok(ListResourceTemplatesResult::with_all_items(vec![pack]).with_ttl_ms(LISTS_HOLD_MS).with_cache_scope(SCOPE))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.served.repository().ok_or_else(no_method)?;
        let uri = request.uri;
        let none =
            |why: String| ErrorData::resource_not_found(why, Some(json!({ "uri": self.served.masker().line(&uri).as_str() })));
        let Some(id) = uri.strip_prefix(PACK_URI).map(str::to_owned) else {
            return Err(none(format!("a resource is a pack, `{PACK_TEMPLATE}`; `resources/list` names those that there are")));
        };
        let sent = move |served: &B, progress: super::ProgressFn<'_>| {
            let Some(toolbox) = served.repository() else { return Err(String::new()) };
            let sent = toolbox.sent_pack(&id).and_then(|pack| {
                let snapshot = toolbox.snapshot(progress)?;
                pack.sent(snapshot.masker()).map(str::to_owned)
            });
            sent.map_err(|error| refused::<B>(&served.masker(), &error))
        };
        let text = self.work(&context, sent).await.map_err(unserved)?.map_err(none)?;
        let contents = vec![ResourceContents::text(text, uri).with_mime_type(JSON_TYPE)];
        Ok(ReadResourceResult::new(contents).with_ttl_ms(PACKS_HOLD_MS).with_cache_scope(SCOPE).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.served.repository().ok_or_else(no_method)?;
        let intent = PromptArgument::new(INTENT).with_description("What is to be fixed, in any words").with_required(true);
        let fix =
            Prompt::new(FIX, Some("Starts a fix with the context that it needs"), Some(vec![intent])).with_title("Start a fix");
        Ok(ListPromptsResult::with_all_items(vec![fix]).with_ttl_ms(LISTS_HOLD_MS).with_cache_scope(SCOPE))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.served.repository().ok_or_else(no_method)?;
        if request.name != FIX {
            return Err(ErrorData::invalid_params("there is no such prompt; `prompts/list` names the one that there is", None));
        }
        let arguments = request.arguments.unwrap_or_default();
        let intent = arguments.get(INTENT).and_then(Value::as_str).map(str::trim).filter(|intent| !intent.is_empty());
        let Some(intent) = intent else {
            return Err(ErrorData::invalid_params("`intent` is missing or no text: say what is to be fixed", None));
        };
        let text = format!(
            "Fix this: {}\n\nCall `context` with these words as `intent`, and give it what failing tests wrote as `tests`. Change what it \
             shows first, run the tests, and call `context` again with `since` to see what is left.",
            self.served.masker().message(intent)
        );
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }

    /// The SDK makes a request of this kind of every one that fits none of its types, so also of a known method with wrong parameters.
    async fn on_custom_request(&self, request: CustomRequest, _: RequestContext<RoleServer>) -> Result<CustomResult, ErrorData> {
        Err(if METHODS.contains(&request.method.as_str()) {
            ErrorData::invalid_params("`params` do not fit this method", None)
        } else {
            no_method()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use error::ErrorKind;

    #[test]
    fn errors_are_escaped_and_say_what_to_do() {
        let error = Error::new(ErrorKind::UnreadableFile, "`a\u{1b}[31m\u{202e}\nb` cannot be read").because("a\u{7}");
        let text = refused::<Toolbox>(&Masker::knowing_nothing(), &error);
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{text:?}");
        assert!(text.ends_with("\nAsk for a regular file of the repository that is not a link."), "{text}");
        assert_eq!(text.lines().count(), 2);
    }
}
