//! `activate hook`: context for a prompt before the model sees it, without a tool call.
//!
//! Reads an agent's prompt event on stdin and answers on stdout. It never stands in the way: whatever goes wrong, and whatever takes too
//! long, gives no output and exit code 0.

use super::exit::Outcome;
use super::options::RepositoryOptions;
use super::terminal::write_result;
use super::{Command, NAME_OF_HOOK, index as indexing};
use activate_rules::weights::Verb;
use clap::Args;
use engine::{Activation, Engine, Request};
use error::Result;
use index::snapshot::FEW_FILES;
use intent::Certainty;
use packets::answer::{self, Kind, PacketSpec};
use packets::store;
use repo::Repo;
use serde::Deserialize;
use serde_json::json;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub(super) const COMMAND: Command = Command {
    name: NAME_OF_HOOK,
    about: "Answer an agent's prompt event on stdin with the context of the prompt, or with nothing",
    details: DETAILS,
    options: HookOptions::augment_args,
    run: |matches, _| run(&super::options_of(matches)?),
};

const DETAILS: &str = "\
Reads the JSON of a UserPromptSubmit event (fields `prompt` and `cwd`) and writes `hookSpecificOutput.additionalContext`. Nothing is written, and
the exit code is 0, for prompts that are empty or commands, where nothing is found, where anything fails, and where it takes more than two
seconds. Of a large repository that nobody has read yet, the files are read that the words of the prompt lead to, and the packet says so; all
are read in the background: see `activate index`. So is what is new where that takes more than two seconds, as after an edit that shows to
thousands of files: the next prompt is answered.";

/// Tokens of a packet: enough for the first files, little beside a conversation.
const BUDGET: u32 = 4_000;
/// Bytes that hosts take: of 10,000 and more they show the model the beginning alone, and JSON adds some.
const MAX_BYTES: u32 = 9_400;
/// The longest event that is read.
const MAX_EVENT_BYTES: u64 = 4 << 20;
/// When it gives up: within two seconds with what comes after.
const PATIENCE: Duration = Duration::from_millis(1_800);
/// What a prompt begins with that is a command of the agent's own.
const COMMAND_SIGNS: [char; 3] = ['/', '!', '#'];

#[derive(Debug, Args)]
struct HookOptions {
    /// The most tokens, such as 2000, 8k or 1.5k
    #[arg(long, value_name = "N", default_value_t = BUDGET, value_parser = super::kinds::budget, allow_hyphen_values = true)]
    budget: u32,
    /// The most bytes, since agents cut what is longer
    #[arg(long, value_name = "N", default_value_t = MAX_BYTES, value_parser = clap::value_parser!(u32).range(1..))]
    max_bytes: u32,
    /// The state folder [default: activate in the user's state folder]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Record no packet
    #[arg(long, conflicts_with = "state")]
    no_state: bool,
    #[command(flatten)]
    repository: RepositoryOptions,
}

/// A prompt event, as far as it is used; agents add fields.
#[derive(Debug, Deserialize)]
struct Event {
    prompt: String,
    #[serde(default)]
    cwd: Option<PathBuf>,
    #[serde(default)]
    hook_event_name: Option<String>,
}

/// Words of a prompt that names nothing and no verb of a task, from which on it is a task and no reply to the agent.
const MIN_WORDS: usize = 6;

/// The event that is answered; also where none is named.
const EVENT: &str = "UserPromptSubmit";

fn run(options: &HookOptions) -> Result<Outcome> {
    /// Set by whoever comes first, the answer or the end of patience; the other does nothing any more.
    static IS_DECIDED: AtomicBool = AtomicBool::new(false);
    let opened: Arc<OnceLock<Engine>> = Arc::default();
    let late = (Arc::clone(&opened), options.repository.clone());
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        // What is being written is written to its end.
        if !IS_DECIDED.swap(true, Ordering::SeqCst) {
            // The next prompt shall be answered: what took so long is done for it, be it all files or what an edit shows to them.
            if let Some(engine) = late.0.get() {
                indexing::start(engine, &late.1);
            }
            std::process::exit(0);
        }
    });
    let mut text = String::new();
    // What is not text, or too long, is not an event.
    if io::stdin().lock().take(MAX_EVENT_BYTES).read_to_string(&mut text).is_err() {
        return Ok(Outcome::Answered);
    }
    let Ok(event) = serde_json::from_str::<Event>(&text) else { return Ok(Outcome::Answered) };
    if event.hook_event_name.as_ref().is_some_and(|name| name != EVENT) {
        return Ok(Outcome::Answered);
    }
    let prompt = event.prompt.trim();
    if prompt.is_empty() || prompt.starts_with(COMMAND_SIGNS) {
        return Ok(Outcome::Answered);
    }
    let Ok(()) = opened.set(options.repository.open_near(event.cwd.as_deref())?) else { return Ok(Outcome::Answered) };
    let Some(engine) = opened.get() else { return Ok(Outcome::Answered) };
    // A reply is worth no first look, nor that all is read.
    if is_reply(prompt) && engine.is_new(FEW_FILES)? {
        return Ok(Outcome::Answered);
    }
    let activation = engine.activate(&Request { first: true, ..Request::new(prompt) })?;
    let context = context(options, &activation, prompt)?;
    if IS_DECIDED.swap(true, Ordering::SeqCst) {
        return Ok(Outcome::Answered);
    }
    if let Some(context) = context {
        let answer = json!({ "hookSpecificOutput": { "hookEventName": EVENT, "additionalContext": context } });
        write_result(|stdout| writeln!(stdout, "{answer}"))?;
    }
    if activation.snapshot.partial.is_some() {
        indexing::start(engine, &options.repository);
    }
    Ok(Outcome::Answered)
}

/// The context of a prompt, where it says enough to find any.
fn context(options: &HookOptions, activation: &Activation<'_>, prompt: &str) -> Result<Option<String>> {
    let intent = &activation.found.intent;
    // `yes`, `thanks, looks good`: a reply, whatever its words are found in.
    let is_reply = intent.verb == Verb::Other && n_words(prompt) < MIN_WORDS;
    match intent.certainty {
        Certainty::None => return Ok(None),
        Certainty::Weak if is_reply => return Ok(None),
        _ => {}
    }
    let wanted = PacketSpec { tokens: options.budget, ..PacketSpec::new(Kind::Session) };
    let answer = answer::fit(activation, &wanted, options.max_bytes as usize)?;
    if answer.n_bytes() > options.max_bytes as usize {
        return Ok(None);
    }
    // It may be asked for by its id; where it cannot be kept, it cannot.
    let state = if options.no_state { None } else { options.state.clone().or_else(store::default_folder) };
    let state = state.filter(|folder| is_outside(activation.root(), folder));
    if let Some(state) = state {
        answer::keep(&state, "hook", activation, &answer);
    }
    Ok(Some(format!("{}\npack_id: {}\n", answer.text, answer.pack_id)))
}

/// Whether a prompt shows by itself that it is a reply to the agent: `yes, go on`.
fn is_reply(prompt: &str) -> bool {
    n_words(prompt) < MIN_WORDS && intent::asks_nothing(prompt)
}

/// Words of a prompt; of a script that may have no blanks between them, so many letters are one.
fn n_words(prompt: &str) -> usize {
    const LETTERS: usize = 3;
    prompt.split_whitespace().map(|word| if word.is_ascii() { 1 } else { word.chars().count().div_ceil(LETTERS) }).sum()
}

fn is_outside(root: &str, folder: &Path) -> bool {
    Repo::open(Path::new(root)).is_ok_and(|repo| !repo.holds(folder))
}
