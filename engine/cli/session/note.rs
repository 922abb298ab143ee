//! `activate session note`: what was done, found or learnt in the current turn.

use super::{At, FileArgument, part};
use crate::exit::{Outcome, usage};
use clap::{ArgGroup, Args};
use error::Result;
use session::{CERTAIN, KnowledgeAtom, Session, ShardResult, SpecialistHint, Tool, store};

/// The flags of which one is needed.
const NOTES: [&str; 9] = ["action", "touched", "finding", "result", "warning", "blocked", "knowledge", "hint", "tool"];

#[derive(Debug, Args)]
#[command(override_usage = "activate session note [OPTIONS] <FILE>")]
#[command(group = ArgGroup::new("noted").required(true).multiple(true).args(NOTES))]
pub(super) struct NoteOptions {
    #[command(flatten)]
    session: FileArgument,
    /// What was done, e.g. "/fix auth.go"; can be given more than once, as can the five flags below
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Current turn")]
    action: Vec<String>,
    /// A file that was changed: its path from the root of the repository
    #[arg(long, value_name = "PATH", help_heading = "Current turn")]
    touched: Vec<String>,
    /// What was found: "[CATEGORY] text (source)"; its number goes to stdout
    #[arg(long, value_name = "TEXT", help_heading = "Current turn")]
    finding: Vec<String>,
    /// What another shard did: its kind, ok or failed, what it was asked for, and what came out
    #[arg(long, value_name = "SHARD:ok|failed:TASK[:SUMMARY]", value_parser = result, help_heading = "Current turn")]
    result: Vec<ShardResult>,
    /// A dangerous pattern to know of, until the session ends
    #[arg(long, value_name = "TEXT", help_heading = "Whole session")]
    warning: Vec<String>,
    /// An action that must not be taken, until the session ends
    #[arg(long, value_name = "TEXT", help_heading = "Whole session")]
    blocked: Vec<String>,
    /// A fact of the domain; one with the same words is replaced, as with hints and tools
    #[arg(long, value_name = "TEXT", help_heading = "Whole session")]
    knowledge: Option<String>,
    /// How sure the fact is, from 0 to 1
    #[arg(long, value_name = "PART", requires = "knowledge", value_parser = confidence, help_heading = "Whole session")]
    confidence: Option<u16>,
    /// Show the fact whatever the task is
    #[arg(long, requires = "knowledge", help_heading = "Whole session")]
    always: bool,
    /// A suggestion
    #[arg(long, value_name = "TEXT", help_heading = "Whole session")]
    hint: Option<String>,
    /// Code to follow with the hint; can be given more than once
    #[arg(long, value_name = "TEXT", requires = "hint", help_heading = "Whole session")]
    exemplar: Vec<String>,
    /// A mistake that the hint avoids; can be given more than once
    #[arg(long, value_name = "TEXT", requires = "hint", help_heading = "Whole session")]
    anti_pattern: Vec<String>,
    /// A tool that exists: its name, what it does, and where its program lies
    #[arg(long, value_name = "NAME:DESCRIPTION:BINARY", value_parser = tool, help_heading = "Whole session")]
    tool: Option<Tool>,
    /// What the fact, hint or tool is about, which is then shown when the task touches it: a path, a symbol or a word
    #[arg(long, value_name = "TOPIC", help_heading = "Whole session")]
    topic: Option<String>,
}

pub(super) fn run(options: &NoteOptions, at: &At<'_>) -> Result<Outcome> {
    let topic = options.topic.as_deref().map(|text| at.stored(text));
    if topic.is_some() && options.knowledge.is_none() && options.hint.is_none() && options.tool.is_none() {
        let message = "`--topic` says what a fact, a hint or a tool is about; give `--knowledge`, `--hint` or `--tool` with it";
        return Err(usage(message));
    }
    let touched = options.touched.iter().map(|path| at.stored_path(path)).collect::<Result<Vec<String>>>()?;
    let lines = store::update(&options.session.file, &at.masker, |session| {
        note_session(session, options, topic.as_ref(), at);
        for path in touched {
            session.touch(path);
        }
        session.current().actions.extend(options.action.iter().map(|text| at.stored(text)));
        session.current().results.extend(options.result.iter().cloned());
        let mut lines = Vec::new();
        for text in options.finding.iter().map(|text| at.stored(text)) {
            lines.push(format!("finding {}", session.add_finding(text)?));
        }
        if options.knowledge.is_some() && topic.is_none() && !options.always {
            lines.push(
                "the fact is shown when the task touches a path or a symbol that it names; `--topic` or `--always` says more"
                    .to_owned(),
            );
        }
        Ok(lines)
    })?;
    at.say(&lines)
}

/// Notes what holds for the session as a whole.
fn note_session(session: &mut Session, options: &NoteOptions, topic: Option<&String>, at: &At<'_>) {
    let once = |known: &mut Vec<String>, texts: &[String]| {
        for text in texts.iter().map(|text| at.stored(text)) {
            if !known.contains(&text) {
                known.push(text);
            }
        }
    };
    once(&mut session.safety_warnings, &options.warning);
    once(&mut session.blocked_actions, &options.blocked);
    let all = |texts: &[String]| texts.iter().map(|text| at.stored(text)).collect();
    if let Some(text) = options.knowledge.as_deref().map(|text| at.stored(text)) {
        let confidence = options.confidence.unwrap_or(CERTAIN);
        let atom = KnowledgeAtom { text, topic: topic.cloned(), confidence, always: options.always };
        put(&mut session.knowledge, atom, |atom| &atom.text);
    }
    if let Some(text) = options.hint.as_deref().map(|text| at.stored(text)) {
        let (exemplars, anti_patterns) = (all(&options.exemplar), all(&options.anti_pattern));
        put(&mut session.hints, SpecialistHint { text, exemplars, anti_patterns, topic: topic.cloned() }, |hint| &hint.text);
    }
    if let Some(tool) = options.tool.clone() {
        put(&mut session.tools, Tool { topic: topic.cloned(), ..tool }, |tool| &tool.name);
    }
}

/// Puts an entry in the place of the one with the same name, or at the end.
fn put<T>(entries: &mut Vec<T>, new: T, name: impl Fn(&T) -> &String) {
    match entries.iter_mut().find(|entry| name(entry) == name(&new)) {
        Some(known) => *known = new,
        None => entries.push(new),
    }
}

/// Reads `SHARD:ok|failed:TASK[:SUMMARY]`.
fn result(text: &str) -> std::result::Result<ShardResult, String> {
    let mut parts = text.splitn(4, ':').map(part);
    let (Some(shard), Some(status), Some(task)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("write it as SHARD:ok:TASK:SUMMARY or SHARD:failed:TASK:SUMMARY".to_owned());
    };
    let success = match status.as_str() {
        "ok" => true,
        "failed" => false,
        _ => return Err(format!("`{status}` is neither `ok` nor `failed`")),
    };
    Ok(ShardResult { shard, success, task, summary: parts.next().unwrap_or_default() })
}

/// Reads `NAME:DESCRIPTION:BINARY`; colons in the middle belong to the description.
fn tool(text: &str) -> std::result::Result<Tool, String> {
    let parts = text.split_once(':').and_then(|(name, rest)| Some((name, rest.rsplit_once(':')?)));
    let Some((name, (description, binary_path))) = parts.filter(|(name, (_, path))| !name.is_empty() && !path.is_empty()) else {
        return Err("write it as NAME:DESCRIPTION:BINARY".to_owned());
    };
    Ok(Tool { name: part(name), description: part(description), binary_path: part(binary_path), topic: None })
}

/// Reads a part of one, as thousandths.
fn confidence(text: &str) -> std::result::Result<u16, String> {
    let part: f64 = text.parse().map_err(|_| "give a number from 0 to 1, such as 0.9".to_owned())?;
    if (0.0..=1.0).contains(&part) {
        Ok((part * f64::from(CERTAIN)).round() as u16)
    } else {
        Err("give a number from 0 to 1, such as 0.9".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_tools_and_parts_are_read_by_their_colons() {
        let read = result("tester:failed:run tests: 3 failing: TestX").unwrap();
        assert_eq!((read.shard.as_str(), read.success, read.task.as_str()), ("tester", false, "run tests"));
        assert_eq!(read.summary, "3 failing: TestX");
        assert_eq!(result("coder:ok:fix").unwrap().summary, "");
        assert!(result("coder:ok").is_err() && result("coder:done:x").unwrap_err().contains("neither `ok` nor `failed`"));
        let read = tool("graph:Draws: calls, imports:.tools/graph").unwrap();
        assert_eq!((read.description.as_str(), read.binary_path.as_str()), ("Draws: calls, imports", ".tools/graph"));
        assert!(tool("graph:x").is_err() && tool("graph:x:").is_err() && tool(":x:y").is_err());
        assert_eq!((confidence("0.9"), confidence("1"), confidence("0.0004")), (Ok(900), Ok(1000), Ok(0)));
        assert!(["1.1", "-0.1", "NaN", "x"].iter().all(|text| confidence(text).is_err()));
    }
}
