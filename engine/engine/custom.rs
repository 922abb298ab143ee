//! Rules of the user that take part in an answer: each file is read, checked and evaluated over the facts of the repository and the task, and the
//! heads that the policy knows become facts for it.
//!
//! A file counts as a whole or not at all: what meets a limit gives nothing. Limits are numbers of steps, so that the same rules give the same
//! answer on any machine.

mod heads;
mod rows;

use crate::Request;
use activate_rules::atoms::NodeId;
use context::activation::Custom;
use error::{Error, ErrorKind, Problem, Result};
use heads::{HEADS, HeadRules, head_rules};
use index::snapshot::Snapshot;
use intent::Intent;
use query::{Limits, Mistake, Program, Stopped, Words, answer, check};
use redact::Masker;
use relations::{Given, Task};
use rows::Rows;
use std::borrow::Cow;
use std::cell::Cell;

/// The stage that problems of rules are told of.
const STAGE: &str = "rules";

/// Memory that what the rules of a file derive may take, in bytes: half of it is more than all that heads may give.
const MAX_DERIVED: usize = 64 << 20;

/// How often evaluation of a file may ask whether it has taken as long as it may: every 4,096 rows that are looked at, and every round. About
/// two seconds.
const MAX_CHECKS: u32 = 8_192;

/// Rows of the repository that may be looked at on the way to those that fit. About a second.
const MAX_LOOKED_AT: u64 = 200_000_000;

/// Names that nothing has, told of a file at most.
const MAX_NOTES: usize = 3;

/// The most words of a task that rules see, and the most bytes of one.
const MAX_WORDS: usize = 1_000;
const MAX_WORD: usize = 64;

/// A file of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFile {
    /// What it is called where something is said of it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Why it could not be read, if it could not.
    pub lacks: Option<String>,
    /// Whether it was named for this answer: then a mistake in it is an error. A file of the user's configuration with a mistake is left out, and
    /// the answer says so.
    pub is_named: bool,
}

/// A request with the rules that an engine has for every request, in front of its own.
pub(crate) fn with_rules<'r>(rules: &[RuleFile], request: &'r Request) -> Cow<'r, Request> {
    if rules.is_empty() || request.without_user_rules {
        return Cow::Borrowed(request);
    }
    let mut request = request.clone();
    request.rules.splice(0..0, rules.iter().cloned());
    Cow::Owned(request)
}

/// What rules give for a task, and what they lack.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] with file, line and column for a mistake in a file that was named.
pub(crate) fn custom(snapshot: &Snapshot, masker: &Masker, task: &Task, files: &[RuleFile]) -> Result<(Custom, Vec<Problem>)> {
    let (mut custom, mut problems) = (Custom::default(), Vec::new());
    if files.is_empty() {
        return Ok((custom, problems));
    }
    if snapshot.partial.is_some() {
        problems.push(Problem::new(STAGE, "the repository is not read to its end yet: rules of the configuration take no part"));
        return Ok((custom, problems));
    }
    for (at, file) in files.iter().enumerate() {
        let n_before = files[..at].iter().filter(|other| other.name == file.name).count();
        let file = &if n_before == 0 {
            file.clone()
        } else {
            RuleFile { name: format!("{} ({})", file.name, n_before + 1), ..file.clone() }
        };
        if let Some(lacks) = &file.lacks {
            problems.push(Problem::new(STAGE, format!("{}: {lacks}; nothing of this file is used", file.name)));
            continue;
        }
        let rows = evaluated(snapshot, masker, task, file);
        match rows {
            Ok((rows, notes)) => {
                let told = |note: String| Problem::new(STAGE, format!("{}: {note}", file.name));
                problems.extend(notes.into_iter().map(told));
                problems.extend(rows.add_to(&mut custom).into_iter().map(told));
            }
            Err(Unused::Mistake(mistake)) if file.is_named => {
                return Err(Error::new(ErrorKind::BadInput, told(&file.name, &mistake)));
            }
            Err(Unused::Mistake(mistake)) => {
                problems.push(Problem::new(STAGE, format!("{}; nothing of this file is used", told(&file.name, &mistake))));
            }
            Err(Unused::Stopped(why)) => {
                problems.push(Problem::new(STAGE, format!("{}: {why}; nothing of this file is used", file.name)));
            }
        }
    }
    Ok((custom, problems))
}

/// Why nothing of a file is used.
enum Unused {
    Mistake(Mistake),
    Stopped(String),
}

impl From<Mistake> for Unused {
    fn from(mistake: Mistake) -> Self {
        Self::Mistake(mistake)
    }
}

fn told(file: &str, mistake: &Mistake) -> String {
    format!("{file}:{}:{}: {}", mistake.place.line, mistake.place.column, mistake.message)
}

/// Checks the rules of a program whose heads answers use, as far as there are any.
///
/// # Errors
///
/// The first mistake.
pub fn check_heads(program: &Program, snapshot: &Snapshot) -> std::result::Result<(), Mistake> {
    let HeadRules { program, rules } = head_rules(program.clone())?;
    if rules.is_empty() {
        return Ok(());
    }
    let words = Words::default();
    let given = Given::of(snapshot, &words).with_task(&Task::default()).with_head_types();
    check(&program, &given, &words).map(|_| ())
}

/// What the rules of a file give, and what may be meant in another way in them.
fn evaluated<'m>(
    snapshot: &Snapshot,
    masker: &'m Masker,
    task: &Task,
    file: &RuleFile,
) -> std::result::Result<(Rows<'m>, Vec<String>), Unused> {
    let program = query::read(&file.text)?;
    let HeadRules { program, rules } = head_rules(program)?;
    let mut notes: Vec<String> = Vec::new();
    if rules.is_empty() {
        let heads: Vec<&str> = HEADS.iter().map(|head| head.says).collect();
        notes.push(format!("no rule gives what answers use: {}", heads.join(", ")));
    }
    let words = Words::default();
    let given = Given::of(snapshot, &words).unmasked().with_task(task).with_head_types();
    let checked = check(&program, &given, &words)?;
    // Rules of the user's configuration hold in many repositories, and not each has what they name.
    let of_names = checked
        .notes
        .iter()
        .filter(|_| file.is_named)
        .map(|note| masker.line(&format!("line {}: {}", note.place.line, note.message)));
    notes.extend(of_names.take(MAX_NOTES).map(|note| note.as_str().to_owned()));
    let places = rules.iter().map(|(head, place)| (*head, format!("{}:{}", file.name, place.line))).collect();
    let mut rows = Rows::new(masker, places, snapshot.base.n_nodes());
    if !rules.is_empty() {
        let n_left = Cell::new(MAX_CHECKS);
        let is_over = || {
            n_left.set(n_left.get().saturating_sub(1));
            n_left.get() == 0 || given.n_looked_at() > MAX_LOOKED_AT
        };
        let limits = Limits { bytes: MAX_DERIVED, is_over: &is_over };
        let answer = answer(&checked, 0, &given, &words, limits, 0).map_err(|unanswered| {
            let derived: Vec<String> =
                unanswered.derived.iter().map(|(name, n_rows)| format!("{n_rows} rows of `{}`", name.trim_end())).collect();
            let so_far = if derived.is_empty() { String::new() } else { format!(" (there were {})", derived.join(", ")) };
            Unused::Stopped(match unanswered.why {
                Stopped::Memory => {
                    format!("what it derives takes more than {} MiB{so_far}", MAX_DERIVED >> 20)
                }
                Stopped::Time => format!("it takes too many steps{so_far}"),
                Stopped::Pattern => "`glob` was given a text that is no pattern, or one that is too long".to_owned(),
                Stopped::Number(place) => format!("line {}: a number that does not fit, or a division by zero", place.line),
            })
        })?;
        rows.take(&answer, &words);
    }
    Ok((rows, notes))
}

/// A task as rules see it.
pub(crate) fn described(intent: &Intent, fails: Vec<(NodeId, &'static str)>) -> Task {
    let text = intent.text.to_lowercase();
    let whole = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    let words = whole.chain(intent.terms.iter().map(|term| term.text.as_str()));
    let mut words: Vec<String> = words.filter(|word| word.len() <= MAX_WORD).map(ToOwned::to_owned).take(MAX_WORDS).collect();
    words.sort_unstable();
    words.dedup();
    let targets = intent.targets.iter().map(|target| (target.node, target.share.get())).collect();
    Task { words, verb: intent.verb.name(), targets, fails }
}
