//! What stands in an agent's settings about this program: looked for, put in, taken out.

use super::NAME;
use super::agents::{Agent, Shape};
use super::edit::{Edit, Fault, applied};
use super::form::Form;
use super::jsonc::{self, Item, Step};
use super::tables::{self, Started};
use super::world::World;
use serde_json::Value;
use std::path::Path;

type Result<T> = std::result::Result<T, Fault>;

/// What is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Server,
    Hook,
}

/// The command that a server is started by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

/// Seconds that an agent waits for the hook, which gives up before.
const HOOK_SECONDS: u32 = 5;
const HOOKS: &str = "hooks";
const EVENT: &str = "UserPromptSubmit";

/// Settings of one kind for one agent.
pub(super) struct Settings<'s> {
    pub(super) agent: &'static Agent,
    pub(super) what: What,
    pub(super) world: &'s World,
}

impl Settings<'_> {
    fn is_toml(&self) -> bool {
        self.what == What::Server && self.agent.shape == Shape::Toml
    }

    fn value(&self, text: &str) -> Result<Value> {
        if self.is_toml() { tables::value(text) } else { jsonc::value(text).map(Option::unwrap_or_default) }
    }

    /// The command that is written.
    pub(super) fn command(&self) -> Command {
        Command { program: self.world.program.clone(), arguments: self.agent.arguments(self.world) }
    }

    /// The command of the server that stands there, if one is started.
    pub(super) fn found(&self, text: &str) -> Result<Option<Command>> {
        Ok(self.value(text)?.get(self.agent.servers).and_then(|servers| command(servers.get(NAME)?)))
    }

    /// The program of the server that stands there, or the whole command of the hook.
    pub(super) fn program(&self, text: &str) -> Result<Option<String>> {
        Ok(match self.what {
            What::Server => self.found(text)?.map(|found| found.program),
            What::Hook => hook(&self.value(text)?).map(|hook| hook.command),
        })
    }

    /// Whether anything of ours stands there.
    pub(super) fn is_there(&self, text: &str) -> Result<bool> {
        let value = self.value(text)?;
        Ok(match self.what {
            What::Server => value.get(self.agent.servers).is_some_and(|servers| servers.get(NAME).is_some()),
            What::Hook => hook(&value).is_some(),
        })
    }

    /// Whether what stands there is what a set-up writes: a program of our name by its whole path. What people wrote by hand is theirs.
    pub(super) fn is_ours(&self, text: &str) -> Result<bool> {
        Ok(match self.what {
            What::Server => {
                let is_ours = |program: &str| is_our_name(program) && Path::new(program).is_absolute();
                self.found(text)?.is_some_and(|found| is_ours(&found.program) && is_serving(&found.arguments))
            }
            What::Hook => hook(&self.value(text)?).is_some_and(|hook| Path::new(&hook.program).is_absolute()),
        })
    }

    /// Whether it stands there as it would be written; arguments of the user's own behind `serve` and `hook` stay.
    pub(super) fn is_current(&self, text: &str) -> Result<bool> {
        Ok(match self.what {
            What::Server => {
                self.found(text)?.is_some_and(|found| found.program == self.world.program && is_serving(&found.arguments))
            }
            What::Hook => hook(&self.value(text)?).is_some_and(|hook| hook.command == self.hook_command(&hook.arguments)),
        })
    }

    /// Puts it in. Everything else is the same afterwards.
    pub(super) fn put(&self, text: &str) -> Result<Vec<Edit>> {
        let edits = match (self.what, self.is_toml()) {
            (What::Hook, _) => self.put_hook(text)?,
            (What::Server, true) => {
                let command = self.command();
                let started = Started { program: &command.program, arguments: &command.arguments };
                tables::put(text, self.agent.servers, NAME, &started, keeps)?
            }
            (What::Server, false) => self.put_server(text)?,
        };
        let made = applied(text, &edits).unwrap_or_default();
        if !self.is_current(&made)? || self.rest(&made)? != self.rest(text)? {
            return Err(Fault::at(text, 0, "this is written in a way that nothing can be put into; write the entry by hand"));
        }
        Ok(edits)
    }

    fn put_server(&self, text: &str) -> Result<Vec<Edit>> {
        let Command { program, arguments } = self.command();
        let servers = self.agent.servers;
        let value = self.value(text)?;
        let entry = value.get(servers).and_then(|servers| servers.get(NAME));
        let Some(found) = entry.and_then(command) else {
            let form = self.agent.entry(&program, &arguments);
            return jsonc::put(text, &[servers], &Item::Field(NAME, &form));
        };
        let steps = |name| [Step::Field(servers), Step::Field(NAME), Step::Field(name)];
        let is_kept = is_serving(&found.arguments);
        if self.agent.shape == Shape::Local {
            let arguments = if is_kept { found.arguments } else { arguments };
            let words = [vec![program], arguments].concat();
            return jsonc::set(text, &steps("command"), &Form::texts(&words));
        }
        let mut edits = jsonc::set(text, &steps("command"), &Form::text(program))?;
        if !is_kept {
            edits.extend(jsonc::put(text, &[servers, NAME], &Item::Field("args", &Form::texts(&arguments)))?);
        }
        edits.sort_by_key(|edit| edit.at);
        Ok(edits)
    }

    fn put_hook(&self, text: &str) -> Result<Vec<Edit>> {
        if let Some(Hook { group, number, arguments, .. }) = hook(&self.value(text)?) {
            let steps = [in_hooks(group), vec![Step::Field(HOOKS), Step::Entry(number), Step::Field("command")]].concat();
            return jsonc::set(text, &steps, &Form::text(self.hook_command(&arguments)));
        }
        jsonc::put(text, &[HOOKS, EVENT], &Item::Entry(&self.hook_form()))
    }

    /// The entry of the hook.
    pub(super) fn hook_form(&self) -> Form {
        let hook = Form::Object(vec![
            ("type", Form::text("command")),
            ("command", Form::text(self.hook_command(""))),
            ("timeout", Form::Number(HOOK_SECONDS)),
        ]);
        Form::Object(vec![(HOOKS, Form::List(vec![hook]))])
    }

    /// All of the settings, of a file that has nothing else.
    pub(super) fn whole(&self) -> String {
        let edits = self.put("").unwrap_or_default();
        applied("", &edits).unwrap_or_default()
    }

    /// A line for a shell, with these arguments behind it.
    fn hook_command(&self, arguments: &str) -> String {
        let program = &self.world.program;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,\\".contains(c);
        if program.chars().all(is_plain) {
            format!("{program} hook{arguments}")
        } else {
            format!("'{}' hook{arguments}", program.replace('\'', "'\\''"))
        }
    }

    /// Takes it out of a text that was edited since, and nothing else.
    pub(super) fn take_out(&self, text: &str) -> Result<Vec<Edit>> {
        let edits = if self.is_toml() {
            tables::take_out(text, self.agent.servers, NAME)?
        } else if self.what == What::Server {
            jsonc::take_out(text, &[Step::Field(self.agent.servers), Step::Field(NAME)])?
        } else {
            let value = self.value(text)?;
            let Some(Hook { group, number, .. }) = hook(&value) else { return Ok(Vec::new()) };
            let is_alone = value[HOOKS][EVENT][group][HOOKS].as_array().is_some_and(|hooks| hooks.len() == 1);
            let inner = if is_alone { Vec::new() } else { vec![Step::Field(HOOKS), Step::Entry(number)] };
            jsonc::take_out(text, &[in_hooks(group), inner].concat())?
        };
        let made = applied(text, &edits).unwrap_or_default();
        if self.is_there(&made)? || self.rest(&made)? != self.rest(text)? {
            return Err(Fault::at(text, 0, "our entry cannot be taken out by itself here; take it out by hand"));
        }
        Ok(edits)
    }

    /// What a text says beside our entry.
    pub(super) fn rest(&self, text: &str) -> Result<Value> {
        let mut value = self.value(text)?;
        let (above, name) = match self.what {
            What::Server => (self.agent.servers, NAME),
            What::Hook => (HOOKS, EVENT),
        };
        if let Some(inner) = value.get_mut(above).and_then(Value::as_object_mut) {
            match self.what {
                What::Server => {
                    inner.remove(name);
                }
                What::Hook => {
                    let groups = inner.get_mut(name).and_then(Value::as_array_mut);
                    let is_empty = groups.is_none_or(|groups| {
                        groups.retain_mut(without_hook);
                        groups.is_empty()
                    });
                    if is_empty {
                        inner.remove(name);
                    }
                }
            }
            if inner.is_empty() {
                value.as_object_mut().map(|fields| fields.remove(above));
            }
        }
        Ok(if value.as_object().is_some_and(serde_json::Map::is_empty) { Value::Null } else { value })
    }
}

/// Takes our hook out of a group; whether anything is left of it.
fn without_hook(group: &mut Value) -> bool {
    let Some(hooks) = group.get_mut(HOOKS).and_then(Value::as_array_mut) else { return true };
    let n_hooks = hooks.len();
    hooks.retain(|hook| hook["command"].as_str().and_then(our_hook).is_none());
    hooks.len() == n_hooks || !hooks.is_empty()
}

fn in_hooks(group: usize) -> Vec<Step<'static>> {
    vec![Step::Field(HOOKS), Step::Field(EVENT), Step::Entry(group)]
}

/// A hook of ours.
struct Hook {
    group: usize,
    /// Its place in the group.
    number: usize,
    command: String,
    program: String,
    /// What stands behind `hook`, as it is written.
    arguments: String,
}

/// The first hook of ours.
fn hook(value: &Value) -> Option<Hook> {
    let groups = value.get(HOOKS)?.get(EVENT)?.as_array()?.iter().enumerate();
    groups.filter_map(|(number, group)| Some((number, group.get(HOOKS)?.as_array()?))).find_map(|(group, hooks)| {
        hooks.iter().enumerate().find_map(|(number, hook)| {
            let command = hook.get("command")?.as_str()?;
            let (program, arguments) = our_hook(command)?;
            Some(Hook { group, number, command: command.to_owned(), program, arguments: arguments.to_owned() })
        })
    })
}

/// The program of a command that is our hook, and what stands behind `hook`.
fn our_hook(command: &str) -> Option<(String, &str)> {
    let (program, rest) = first_word(command.trim())?;
    let arguments = rest.trim_start().strip_prefix("hook")?;
    let is_word = arguments.is_empty() || arguments.starts_with(char::is_whitespace);
    (is_word && is_our_name(&program)).then_some((program, arguments))
}

/// The first word of a line for a shell, without its quotes, and what follows it, which begins with a blank. A backslash is one of a path,
/// but before the quote that a quoted text cannot hold.
fn first_word(line: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut quote = None;
    let mut rest = line.chars();
    loop {
        let behind = rest.as_str();
        let sign = rest.next()?;
        match quote {
            Some(open) if sign == open => quote = None,
            None if sign.is_whitespace() => return Some((word, behind)),
            None if matches!(sign, '\'' | '"') => quote = Some(sign),
            None if sign == '\\' && rest.as_str().starts_with('\'') => word.extend(rest.next()),
            _ => word.push(sign),
        }
    }
}

fn is_our_name(program: &str) -> bool {
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    [crate::name::NAME, crate::name::SECOND_NAME].contains(&name.trim_end_matches(".exe"))
}

fn is_serving(arguments: &[String]) -> bool {
    arguments.first().is_some_and(|first| first == "serve")
}

fn keeps(arguments: &Value) -> bool {
    arguments.get(0).and_then(Value::as_str) == Some("serve")
}

/// The command of an entry, in either form.
fn command(entry: &Value) -> Option<Command> {
    let texts =
        |list: &Value| list.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>();
    let written = entry.get("command")?;
    if let Some(program) = written.as_str() {
        let arguments = entry.get("args").map_or(Some(Vec::new()), texts)?;
        return Some(Command { program: program.to_owned(), arguments });
    }
    let mut words = texts(written)?;
    (!words.is_empty()).then(|| Command { program: words.remove(0), arguments: words })
}
