//! `activate packet phase new`: the packet of a task before its first phase.
//!
//! Asks the repository for its secrets, and where nobody says which tests are wanted.

use super::{encoded, exact, file, print, taken};
use crate::exit::Outcome;
use crate::input::{self, Source};
use crate::kinds::time;
use crate::learn::{learn, snapshot};
use crate::options::RepositoryOptions;
use crate::packet::check::line;
use crate::terminal::Terminal;
use activate_rules::atoms::NodeId;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use error::{Error, ErrorKind, Result};
use index::base::{FactBase, Traits};
use index::snapshot::Snapshot;
use packets::phase::{self, Form, MAX_TEXT, MAX_TITLE, PhasePacket, Task, TestFiles, TestType, TypeSource, Weighed};
use redact::Masker;
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(in crate::packet) struct NewOptions {
    /// The parent task as JSON with the fields of task-master: id, title, description, testStrategy, subtasks; `-` reads it from stdin
    #[arg(long, value_name = "FILE|-", help_heading = "Task", conflicts_with_all = ["task_id", "title", "description", "test_strategy"])]
    task: Option<Source>,
    /// Id of the parent task
    #[arg(long, value_name = "ID", help_heading = "Task", required_unless_present = "task")]
    task_id: Option<String>,
    /// Id of the subtask to work on [default: none, the task itself]
    #[arg(long, value_name = "ID", help_heading = "Task")]
    subtask_id: Option<String>,
    /// Title of the parent task
    #[arg(long, value_name = "TEXT", help_heading = "Task", required_unless_present = "task", allow_hyphen_values = true)]
    title: Option<String>,
    /// Description of the parent task
    #[arg(long, value_name = "TEXT", help_heading = "Task", required_unless_present = "task", allow_hyphen_values = true)]
    description: Option<String>,
    /// How the parent task is to be tested
    #[arg(long, value_name = "TEXT", help_heading = "Task", allow_hyphen_values = true)]
    test_strategy: Option<String>,
    /// What is to be built, in the user's words
    #[arg(long, value_name = "TEXT", help_heading = "Feature", allow_hyphen_values = true)]
    feature: String,
    /// Which tests are wanted [default: those that the repository has]
    #[arg(long, value_name = "TYPE", help_heading = "Feature", value_parser = PossibleValuesParser::new(TestType::ALL.map(TestType::name)))]
    test_type: Option<String>,
    /// Who said which tests are wanted [default: user]
    #[arg(long, value_name = "SOURCE", help_heading = "Feature", requires = "test_type", value_parser = PossibleValuesParser::new(SOURCES.map(TypeSource::name)))]
    type_source: Option<String>,
    /// How the packet is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where it is written, a file that is not there yet [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a receipt: what each field is from, and which tests and subtasks were considered (engine/packets/schema/receipt.schema.json)
    #[arg(long, value_name = "FILE")]
    receipt: Option<PathBuf>,
    /// The time to write into the receipt, as in 2026-02-25T00:00:00Z [default: that of the last commit, where the repository is read]
    #[arg(long, value_name = "TIME", value_parser = time, requires = "receipt")]
    now: Option<String>,
    #[command(flatten)]
    repository: RepositoryOptions,
}

const DETAILS: &str = "\
Without --test-type the tests of the repository decide, and the source is `heuristics`: files that hold tests are counted, apart those that
put parts together (a word of the path such as `integration` or `e2e`; or in a folder `tests`, unless its path says `unit` or its name `test`
or `spec`). The sort of which there are more is wanted, unit where there are as many or none, and both where the other makes a fourth of all.";

/// Who can say which tests are wanted; the repository says it where nobody does.
const SOURCES: [TypeSource; 3] = [TypeSource::Directive, TypeSource::TaskMaster, TypeSource::User];

/// How a packet is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Markdown between two delimiters
    Text,
    /// One JSON object
    Json,
}

/// A task of task-master, as far as it is used.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaskFile {
    id: Value,
    title: String,
    #[serde(default)]
    description: String,
    test_strategy: Option<String>,
    #[serde(default)]
    subtasks: Vec<SubtaskFile>,
}

#[derive(Debug, Deserialize)]
struct SubtaskFile {
    id: Value,
}

pub(super) fn run(options: &NewOptions, terminal: &Terminal) -> Result<Outcome> {
    let mut weighed = Weighed::default();
    let file = options.task.as_ref().map(|source| Ok((source, input::text(source, input::MAX_PACKET_BYTES)?))).transpose()?;
    let given = [&options.task_id, &options.subtask_id, &options.title, &options.description, &options.test_strategy];
    let texts = given.into_iter().flatten().chain([&options.feature]).chain(file.as_ref().map(|(_, json)| json));
    let texts: Vec<&str> = texts.map(String::as_str).collect();
    let (snapshot, masker) = if options.test_type.is_none() {
        let snapshot = read(&options.repository, terminal)?;
        let masker = snapshot.masker_with(texts.iter().map(|text| ("", *text)));
        terminal.learn(&masker);
        (Some(snapshot), masker)
    } else {
        (None, learn(terminal, options.repository.open(), texts))
    };
    let masker = &masker;
    let task = match &file {
        Some((source, json)) => read_task(masker, source, json, options.subtask_id.as_deref(), &mut weighed)?,
        None => given_task(masker, options),
    };
    let named = |name: &String| TestType::ALL.into_iter().find(|one| one.name() == name);
    let (test_type, type_source) = match (options.test_type.as_ref().and_then(named), &snapshot) {
        (None, Some(snapshot)) => (of_repository(snapshot, &mut weighed), TypeSource::Heuristics),
        (test_type, _) => {
            let source = options.type_source.as_ref().and_then(|name| SOURCES.into_iter().find(|one| one.name() == name));
            (test_type.unwrap_or(TestType::Unit), source.unwrap_or(TypeSource::User))
        }
    };
    if let Some(now) = &options.now {
        weighed.ts.clone_from(now);
    }
    let packet = PhasePacket::new(task, taken(masker, &options.feature, MAX_TEXT), test_type, type_source);
    let form = if options.format == Format::Json { Form::Json } else { Form::Text };
    let text = encoded(&packet, form);
    if let Some(first) = phase::read(masker, &packet.json()).violations.first() {
        let message = format!("the packet would be broken: {}", line(first));
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    // Where the packet is refused, no receipt of it is left.
    if let Some(path) = &options.out {
        file::create(path, &text)?;
    }
    if let Some(path) = &options.receipt {
        file::replace(path, &phase::receipt(masker, &packet, &weighed).json())?;
    }
    if options.out.is_none() { print(&text) } else { Ok(Outcome::Answered) }
}

/// The task that flags give.
fn given_task(masker: &Masker, options: &NewOptions) -> Task {
    let or_empty = |text: &Option<String>, max| text.as_deref().map(|text| taken(masker, text, max)).unwrap_or_default();
    Task {
        task_id: options.task_id.as_deref().map(|text| exact(masker, text)).unwrap_or_default(),
        subtask_id: options.subtask_id.as_deref().map(|text| exact(masker, text)),
        parent_title: or_empty(&options.title, MAX_TITLE),
        parent_description: or_empty(&options.description, MAX_TEXT),
        parent_test_strategy: strategy(masker, options.test_strategy.as_deref()),
    }
}

/// What is said of tests; nothing where it is empty.
fn strategy(masker: &Masker, text: Option<&str>) -> Option<String> {
    text.map(|text| taken(masker, text, MAX_TEXT)).filter(|text| !text.is_empty())
}

fn read_task(masker: &Masker, source: &Source, json: &str, subtask_id: Option<&str>, weighed: &mut Weighed) -> Result<Task> {
    let task: TaskFile = serde_json::from_str(json).map_err(|error| input::unusable(source, &error.to_string()))?;
    let refused = |what: &str| Error::new(ErrorKind::BadInput, format!("{source}: {what}"));
    let no_id = || refused("`id` of the task or of a subtask is neither a number nor a text");
    let task_id = id(masker, &task.id).ok_or_else(no_id)?;
    let subtasks = task.subtasks.iter().map(|subtask| id(masker, &subtask.id)).collect::<Option<Vec<_>>>().ok_or_else(no_id)?;
    // Within a task, part 3 of task 12 is called 3; elsewhere it is called 12.3.
    let full = |id: &String| if id.contains('.') { id.clone() } else { format!("{task_id}.{id}") };
    weighed.subtasks = subtasks.iter().map(full).collect();
    let subtask_id = subtask_id.map(|wanted| {
        let wanted = exact(masker, wanted);
        match subtasks.iter().find(|id| **id == wanted || full(id) == wanted) {
            Some(id) => Ok(full(id)),
            None if subtasks.is_empty() => Ok(wanted),
            None => Err(refused(&format!("task {task_id} has no subtask `{wanted}`; it has {}", subtasks.join(", ")))),
        }
    });
    Ok(Task {
        subtask_id: subtask_id.transpose()?,
        parent_title: taken(masker, &task.title, MAX_TITLE),
        parent_description: taken(masker, &task.description, MAX_TEXT),
        parent_test_strategy: strategy(masker, task.test_strategy.as_deref()),
        task_id,
    })
}

/// An id, which some write as a number.
fn id(masker: &Masker, value: &Value) -> Option<String> {
    match value {
        Value::String(id) => Some(exact(masker, id)),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

/// The repository as it is.
fn read(options: &RepositoryOptions, terminal: &Terminal) -> Result<Arc<Snapshot>> {
    let watch = options.watch();
    let snapshot = snapshot(&options.open()?, &watch, terminal)?;
    watch.clear();
    options.warn(terminal, &snapshot.problems);
    Ok(snapshot)
}

/// The tests that fit those which the repository has.
fn of_repository(snapshot: &Snapshot, weighed: &mut Weighed) -> TestType {
    let committed = snapshot.head.as_ref().and_then(|head| jiff::Timestamp::from_second(head.time?).ok());
    weighed.ts = committed.map(|time| time.to_string()).unwrap_or_default();
    let tests = test_files(&snapshot.base);
    weighed.tests = Some(tests);
    tests.test_type()
}

/// The files that hold tests.
fn test_files(base: &FactBase) -> TestFiles {
    let is_test = |node: NodeId| base.symbol(node).is_some_and(|symbol| symbol.traits.has(Traits::TEST));
    let mut files = TestFiles::default();
    for file in base.files().filter(|file| base.symbols_of(*file).map(NodeId).any(is_test)) {
        files.add(base.path(file));
    }
    files
}
