//! The list of tools: names, what they do, what they take and give. One file a tool.
//!
//! No word of a repository stands in what is said of a tool.

use super::ask::Ask;
use super::context::Context;
use super::diff::Diff;
use super::explain::Explain;
use super::failures::Failing;
use super::gitlog::GitLog;
use super::list::List;
use super::logs::Logs;
use super::read::{Read, ReadPack};
use super::search::Search;
use super::served::Served;
use super::stats::Stats;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use error::{Error, ErrorKind, Result};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// A tool of a server that serves a `B`.
pub struct Tool<B: ?Sized = Toolbox> {
    /// Its name: with a `_` where it has a group, for models refuse a dot.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does and when it is of use.
    pub about: &'static str,
    /// Which set it is of.
    pub set: ToolSet,
    input: fn() -> Map<String, Value>,
    /// Whether it answers with a packet, which is shown as it is made.
    pub(super) is_packet: bool,
    output: fn() -> Map<String, Value>,
    call: fn(&B, Value, ProgressFn<'_>) -> Result<Reply>,
}

/// Which tools are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolSet {
    /// Those that are always listed.
    Default,
    /// Those that work on a pack.
    Ctx,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// As JSON, with the text in it.
    pub structured: Value,
}

/// The field of an answer that holds its text, what strangers wrote between fences.
const TEXT: &str = "text";

impl Reply {
    /// For whoever reads text.
    pub fn text(&self) -> &str {
        self.structured.get(TEXT).and_then(Value::as_str).unwrap_or_default()
    }

    /// Changes the text.
    pub(super) fn change_text(&mut self, change: impl FnOnce(&str) -> String) {
        let changed = change(self.text());
        if let Some(text) = self.structured.get_mut(TEXT) {
            *text = changed.into();
        }
    }
}

/// All tools of a repository, in the order in which they are listed.
pub const TOOLS: [Tool; 12] = [
    tool::<_, Context>(
        "context",
        "Context for a task",
        "The code, tests, failures and history that matter for a task, with the reason for each part. Call it first, \
         and again with `since` after edits or test runs.",
        ToolSet::Default,
    ),
    tool::<_, Read>("read", "Read a file", "Lines of a file with their numbers, secrets masked.", ToolSet::Default),
    tool::<_, Explain>(
        "explain",
        "Explain a score",
        "Why a file or symbol is in the context of a task, link by link, or what kept it out.",
        ToolSet::Default,
    ),
    tool::<_, Ask>(
        "ask",
        "Ask about code",
        "Callers, callees, impact, tests of a definition; outline of a path; passages with words; cycles; unused code. Places as file:line, \
         and whether that is all.",
        ToolSet::Default,
    ),
    tool::<_, Stats>(
        "ctx_stats",
        "Figures of a pack",
        "Files, lines, budgets and masks of a pack, and which of its files changed since.",
        ToolSet::Ctx,
    ),
    tool::<_, List>("ctx_list", "Files of a pack", "The files of a pack with size and hash.", ToolSet::Ctx),
    tool::<_, ReadPack>(
        "ctx_read",
        "Read a file of a pack",
        "Lines of a file of a pack; refused where the file changed since.",
        ToolSet::Ctx,
    ),
    tool::<_, Search>("ctx_search", "Search", "Lines that hold a text, in a pack or the whole repository.", ToolSet::Ctx),
    tool::<_, Diff>(
        "ctx_diff",
        "Changes",
        "What differs between a commit and the files as they are now, the pack's files first.",
        ToolSet::Ctx,
    ),
    tool::<_, GitLog>("ctx_gitlog", "History", "The newest commits that touched files of a pack.", ToolSet::Ctx),
    tool::<_, Failing>(
        "ctx_failures",
        "What fails",
        "Tests and diagnostics that failed when a pack was made, with their places.",
        ToolSet::Ctx,
    ),
    tool::<_, Logs>(
        "ctx_logs",
        "What tools wrote",
        "The last lines of what failing tests and tools said when a pack was made.",
        ToolSet::Ctx,
    ),
];

/// A tool that takes an `A`.
pub(crate) const fn tool<B: Served, A: ToolCall<B>>(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    set: ToolSet,
) -> Tool<B> {
    let (input, output) = (schema::<A>, schema::<A::Output>);
    Tool { name, title, about, set, input, output, is_packet: A::IS_PACKET, call: call::<B, A> }
}

impl Tool {
    /// The tool of a repository with this name, with `_` or `.` behind its group.
    pub fn named(name: &str) -> Option<&'static Self> {
        Toolbox::tool(name)
    }
}

impl<B: Served> Tool<B> {
    /// Its name with a dot behind its group, where it has one.
    pub fn dotted(&self) -> String {
        self.name.replacen('_', ".", 1)
    }

    /// What it takes, as JSON Schema.
    pub fn input(&self) -> Map<String, Value> {
        (self.input)()
    }

    /// What it gives, as JSON Schema.
    pub fn output(&self) -> Map<String, Value> {
        (self.output)()
    }

    /// Calls it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for arguments that it does not take, and those of the work itself.
    pub fn call(&self, served: &B, arguments: Value, progress: ProgressFn<'_>) -> Result<Reply> {
        // What is wrong with an argument may be said with a part of it, and that is a stranger's text.
        let safe = |error: Error| {
            let masker = served.masker();
            error.reworded(|message| masker.line(message).as_str().to_owned())
        };
        (self.call)(served, arguments, progress).map_err(safe)
    }
}

fn call<B: Served, A: ToolCall<B>>(served: &B, arguments: Value, progress: ProgressFn<'_>) -> Result<Reply> {
    let asked: A = serde_path_to_error::deserialize(arguments).map_err(|error| {
        let masker = served.masker();
        let (path, why) = (masker.line(&error.path().to_string()), masker.line(&error.inner().to_string()));
        let of = if path.as_str() == "." { String::new() } else { format!("`{path}`: ") };
        let message = format!("the arguments cannot be used: {of}{why}; the tool's input schema says what it takes");
        Error::new(ErrorKind::BadInput, message)
    })?;
    let most = asked.most();
    let unwritten = |error| Error::new(ErrorKind::BadInput, "the answer cannot be written as JSON").because(error);
    let mut structured = serde_json::to_value(&asked.run(served, progress)?).map_err(unwritten)?;
    leave_out_nulls(&mut structured);
    // Parts are cut where they are made; names that are thousands of characters long are not.
    let n_chars = structured.to_string().chars().count();
    if n_chars > most {
        let message = format!("the answer has {n_chars} characters, more than {most}: ask for less of it");
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    Ok(Reply { structured })
}

/// A field without a value is not there: clients are spared types that are two.
fn leave_out_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(leave_out_nulls);
        }
        Value::Array(list) => list.iter_mut().for_each(leave_out_nulls),
        _ => {}
    }
}

/// The schema of a type in few words: in one piece, and without what every schema says.
fn schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    plain(&mut value, true);
    let Value::Object(mut schema) = value else { return Map::new() };
    // What a type without fields leaves out.
    schema.entry("type").or_insert_with(|| "object".into());
    schema
}

/// Takes out what says nothing to whoever calls. Schemas of our types are few levels deep.
fn plain(schema: &mut Value, is_root: bool) {
    match schema {
        Value::Object(fields) => {
            let is_schema = fields.contains_key("type") || fields.contains_key("anyOf") || is_root;
            if is_schema {
                fields.remove("title");
                fields.remove("format");
                // That something may be left out stands in `required`, and that a count is not negative goes without saying.
                let is_empty =
                    |value: &Value| matches!(value, Value::Null | Value::Bool(false)) || *value == "" || *value == json!([]);
                fields.retain(|name, value| !(name == "default" && is_empty(value) || name == "minimum" && *value == 0));
                // A pair of numbers is a list of numbers to whoever reads it.
                if let Some(first) = fields.remove("prefixItems").and_then(|items| items.get(0).cloned()) {
                    fields.remove("minItems");
                    fields.remove("maxItems");
                    fields.insert("items".to_owned(), first);
                }
                // What may be left out may also be null, which not every client can say.
                if let Some(kind) = fields.get_mut("type")
                    && let Some([one]) =
                        kind.as_array().map(|kinds| kinds.iter().filter(|one| *one != "null").collect::<Vec<_>>()).as_deref()
                {
                    *kind = (*one).clone();
                }
                if is_root {
                    fields.remove("description");
                }
            }
            fields.values_mut().for_each(|field| plain(field, false));
        }
        Value::Array(list) => list.iter_mut().for_each(|entry| plain(entry, false)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most bytes of all that is listed where nobody asks for more.
    const MAX_LISTED: usize = 4_096;

    #[test]
    fn names_are_what_models_take_and_both_spellings_are_found() {
        for tool in &TOOLS {
            assert!(tool.name.len() <= 64 && tool.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", tool.name);
            for name in [tool.name.to_owned(), tool.dotted()] {
                assert_eq!(Tool::named(&name).map(|tool| tool.name), Some(tool.name));
            }
        }
        assert!(Tool::named("ctx.nothing").is_none() && Tool::named("ctx.context").is_none());
    }

    #[test]
    fn what_is_listed_by_default_is_short() {
        let listed = TOOLS.iter().filter(|tool| tool.set == ToolSet::Default);
        let listed = listed.map(|tool| json!([tool.name, tool.title, tool.about, tool.input(), tool.output()]).to_string());
        let n_bytes = listed.map(|text| text.len()).sum::<usize>();
        assert!(n_bytes < MAX_LISTED, "{n_bytes} bytes");
    }
}
