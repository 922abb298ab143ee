//! A worker's requests in the task graph of its planner, `TASK_GRAPH.json`: the tasks of a mission as JSON, each with its id and files.
//!
//! The format says that requests for files beyond a packet are to be flagged there and not how, so they stand in the task itself, in fields
//! that planners keep without knowing them. Every other byte stays. Pure: must not read or write a file.

mod spans;

use super::audit::Received;
use super::json::Json;
use super::ledger::{Asked, MANY_FILES};
use error::{Error, ErrorKind, Result};
use redact::Masker;
use repo::RepoPath;
use spans::{Part, Parts};
use std::collections::BTreeSet;

/// The field of a graph with its tasks.
const TASKS: &str = "tasks";
/// Fields of a task, in both spellings of the format: the files that it may write, the requests for others, and that these are so many that
/// the files are likely incomplete.
const FILES: [&str; 2] = ["filesModified", "files_modified"];
const REQUESTS: [&str; 2] = ["permissionRequests", "permission_requests"];
const INCOMPLETE: [&str; 2] = ["filesModifiedIncomplete", "files_modified_incomplete"];
/// The field of a request that says how often it came.
const TIMES: &str = "times";

/// A graph with a request in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flagged {
    /// The text of the graph.
    pub text: String,
    /// The files of the repository that were asked for, where they are so many that the task's list is likely incomplete.
    pub files: Vec<String>,
}

/// Writes a request into the task of a packet: that with this id, else the only one with the packet's files.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] for what is not a task graph, and where no task or more than one is meant.
pub fn flag(masker: &Masker, graph: &str, packet: &Received, task: Option<&str>, asked: Asked<'_>) -> Result<Flagged> {
    let refused = |why: String| Error::new(ErrorKind::BadInput, format!("the task graph is not changed: {why}"));
    let (mark, text) = graph.strip_prefix('\u{feff}').map_or(("", graph), |text| ("\u{feff}", text));
    Json::parse(text).map_err(|error| refused(masker.line(&error.to_string()).to_string()))?;
    let top = Parts::of(text, 0).ok_or_else(|| refused("it is neither an object nor a list".to_owned()))?;
    let tasks = match top.get(&[TASKS]) {
        Some(tasks) => Parts::of(text, tasks.value.start),
        None if text.trim_start().starts_with('[') => Some(top),
        None => None,
    };
    let tasks = tasks.ok_or_else(|| refused(format!("it has no list `{TASKS}`")))?;
    let found = tasks.list.iter().filter(|part| is_meant(text, part, packet, task));
    let found: Vec<&Part> = found.collect();
    let [part] = found.as_slice() else {
        let whose = task.map_or_else(|| "the files of the packet".to_owned(), |id| format!("the id `{}`", masker.name(id)));
        let n = found.len();
        return Err(refused(if n == 0 {
            format!("no task in it has {whose}; `--task ID` says which is meant")
        } else {
            format!("{n} tasks in it have {whose}; `--task ID` says which is meant")
        }));
    };
    let own = Parts::of(text, part.value.start).ok_or_else(|| refused("the task is not an object".to_owned()))?;
    let (edits, files) = edits(masker, text, &own, asked).map_err(refused)?;
    Ok(Flagged { text: format!("{mark}{}", edited(text, edits)), files })
}

/// Whether an entry of a graph is the task that is meant.
fn is_meant(text: &str, part: &Part, packet: &Received, task: Option<&str>) -> bool {
    let Some(own) = Parts::of(text, part.value.start).filter(|_| text[part.value.start..].starts_with('{')) else { return false };
    let value = |part: &Part| Json::parse(&text[part.value.clone()]).unwrap_or(Json::Null);
    if let Some(task) = task {
        let id = own.get(&["id"]).map(value);
        return id.as_ref().map_or(part.name.as_str(), |id| id.text().unwrap_or_default()) == task;
    }
    let listed = own.get(&FILES).map_or(Json::Null, value);
    let listed: BTreeSet<&str> = listed.texts().into_iter().map(|path| path.trim_start_matches("./")).collect();
    listed == packet.files.iter().map(RepoPath::as_str).collect()
}

type Edit = (std::ops::Range<usize>, String);

/// What changes in a task, and the files that were asked for where they are many.
fn edits(masker: &Masker, text: &str, task: &Parts, asked: Asked<'_>) -> std::result::Result<(Vec<Edit>, Vec<String>), String> {
    // New fields are spelled as those that are there.
    let spelling = usize::from(task.get(&FILES).is_some_and(|part| part.name == FILES[1]));
    let path = masker.name(asked.path).as_str().to_owned();
    let mut files: BTreeSet<String> = asked.is_file.then_some(path.clone()).into_iter().collect();
    let mut edits = if let Some(part) = task.get(&REQUESTS) {
        noted(text, part, &path, asked, &mut files)
            .ok_or_else(|| format!("`{}` of the task is not a list of requests", part.name))?
    } else {
        let list = laid_out(task.gap(text), end_gap(text, task), &written(&path, asked));
        vec![task.addition(text, &format!("\"{}\": {list}", REQUESTS[spelling]))]
    };
    if files.len() < MANY_FILES {
        return Ok((edits, Vec::new()));
    }
    edits.push(match task.get(&INCOMPLETE) {
        Some(part) => (part.value.clone(), "true".to_owned()),
        None => task.addition(text, &format!("\"{}\": true", INCOMPLETE[spelling])),
    });
    Ok((edits, files.into_iter().collect()))
}

/// What a request says of its path, by field, when it comes for the nth time.
fn said(asked: Asked<'_>, n: u64) -> [(&'static str, String); 3] {
    [("granted", asked.granted.to_string()), ("exists", asked.is_file.to_string()), (TIMES, n.to_string())]
}

/// A request as an entry of a list.
fn written(path: &str, asked: Asked<'_>) -> String {
    let path = serde_json::to_string(path).unwrap_or_default();
    let said = said(asked, 1).map(|(name, value)| format!(", \"{name}\": {value}")).concat();
    format!("{{\"path\": {path}{said}}}")
}

/// What changes in a list of requests: what the entry of the path says of it, or one entry more; nothing where it is no list. Adds the files of
/// the others.
fn noted(text: &str, list: &Part, path: &str, asked: Asked<'_>, files: &mut BTreeSet<String>) -> Option<Vec<Edit>> {
    let Ok(Json::List(known)) = Json::parse(&text[list.value.clone()]) else { return None };
    let places = Parts::of(text, list.value.start)?;
    let named = |request: &Json| request.get("path").and_then(Json::text).map(str::to_owned);
    let is_file = |request: &&Json| request.get("exists") == Some(&Json::Bool(true));
    files.extend(known.iter().filter(is_file).filter_map(named));
    let again = known.iter().zip(&places.list).find(|(request, _)| named(request).as_deref() == Some(path));
    let Some((_, place)) = again else { return Some(vec![places.addition(text, &written(path, asked))]) };
    // Whatever else a planner wrote into its entry stays.
    let own = Parts::of(text, place.value.start)?;
    let n: u64 = own.get(&[TIMES]).and_then(|part| text[part.value.clone()].parse().ok()).unwrap_or(1);
    let edit = |(name, value): (&'static str, String)| match own.get(&[name]) {
        Some(part) => (part.value.clone(), value),
        None => own.addition(text, &format!("\"{name}\": {value}")),
    };
    Some(said(asked, n.saturating_add(1)).map(edit).into())
}

/// What stands before the last bracket of a task.
fn end_gap<'t>(text: &'t str, task: &Parts) -> &'t str {
    task.list.last().map_or("", |last| &text[last.whole.end..task.close])
}

/// A list of one entry, on a line of its own where the fields around it are.
fn laid_out(gap: &str, end: &str, entry: &str) -> String {
    let step = gap.strip_prefix(end).filter(|_| gap.contains('\n'));
    step.map_or_else(|| format!("[{entry}]"), |step| format!("[{gap}{step}{entry}{gap}]"))
}

/// A text with parts of it replaced. Of two at one place, the first stands first.
fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut edited = String::with_capacity(text.len() + 200);
    let mut at = 0;
    for (range, new) in edits {
        edited.push_str(&text[at..range.start]);
        edited.push_str(&new);
        at = range.end;
    }
    edited + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn packet(files: &[&str]) -> Received {
        let files = files.iter().map(|file| RepoPath::new(file).unwrap()).collect();
        Received { files, packet: Json::Null }
    }

    fn asked(path: &str) -> Asked<'_> {
        Asked { path, is_file: path != "none.ts", granted: path == "src/jwt.ts" }
    }

    const GRAPH: &str = "{\r\n  \"version\": \"6.0.0\",\r\n  \"tasks\": [\r\n    {\r\n      \"id\": \"T01\",\r\n      \"files_modified\": [\"src/b.ts\", \"./src/a.ts\"],\r\n      \"cost\": 1.50\r\n    },\r\n    {\"id\": \"T02\", \"filesModified\": [\"src/c.ts\"]},\r\n    {\"id\": \"T03\", \"filesModified\": [\"src/c.ts\"], \"own\": {}}\r\n  ],\r\n  \"waves\": {\"1\":[\"T01\"]}\r\n}";

    #[test]
    fn a_request_stands_in_its_task_and_every_other_byte_stays() {
        let masker = Masker::knowing_nothing();
        let of = packet(&["src/a.ts", "src/b.ts"]);
        let mut graph = GRAPH.to_owned();
        let mut signs = Vec::new();
        for path in ["src/jwt.ts", "none.ts", "src/pay.ts", "src/jwt.ts", "src/log.ts"] {
            let flagged = flag(&masker, &graph, &of, None, asked(path)).unwrap();
            signs.push(flagged.files.len());
            graph = flagged.text;
        }
        assert_eq!(signs, [0, 0, 0, 0, 3]);
        let added = ",\r\n      \"permission_requests\": [\r\n        {\"path\": \"src/jwt.ts\", \"granted\": true, \"exists\": true, \"times\": 2},\r\n        {\"path\": \"none.ts\", \"granted\": false, \"exists\": false, \"times\": 1},\r\n        {\"path\": \"src/pay.ts\", \"granted\": false, \"exists\": true, \"times\": 1},\r\n        {\"path\": \"src/log.ts\", \"granted\": false, \"exists\": true, \"times\": 1}\r\n      ],\r\n      \"files_modified_incomplete\": true";
        assert_eq!(graph, GRAPH.replacen("1.50", &format!("1.50{added}"), 1));
        // On one line where the task is, by its id, in the spelling of the task.
        let flagged = flag(&masker, GRAPH, &packet(&["src/c.ts"]), Some("T03"), asked("src/jwt.ts")).unwrap();
        let added = "\"own\": {},\"permissionRequests\": [{\"path\": \"src/jwt.ts\", \"granted\": true, \"exists\": true, \"times\": 1}]}";
        assert_eq!(flagged.text, GRAPH.replacen("\"own\": {}}", added, 1));
        // Tasks by id, and a mark before the text.
        let by_id = "\u{feff}{\"tasks\": {\"T9\": {}}}";
        let flagged = flag(&masker, by_id, &of, Some("T9"), asked("a \"b\".ts")).unwrap();
        let value: Value = serde_json::from_str(flagged.text.strip_prefix('\u{feff}').unwrap()).unwrap();
        let expected = json!([{"path": "a \"b\".ts", "granted": false, "exists": true, "times": 1}]);
        assert_eq!(value["tasks"]["T9"]["permissionRequests"], expected);
    }

    #[test]
    fn a_repeated_request_changes_three_values_and_every_other_byte_stays() {
        let masker = Masker::knowing_nothing();
        let again = |entry: &str| {
            let graph =
                |entry: &str| format!("[{{\"id\": \"T1\", \"permissionRequests\": [7, {entry}, {{\"path\": \"b.ts\"}}]}}]");
            let flagged = flag(&masker, &graph(entry), &packet(&[]), Some("T1"), asked("src/jwt.ts")).unwrap();
            let (before, after) =
                graph("|").split_once('|').map(|(before, after)| (before.to_owned(), after.to_owned())).unwrap();
            flagged.text.strip_prefix(&before).and_then(|text| text.strip_suffix(&after)).unwrap().to_owned()
        };
        assert_eq!(
            again("{\"path\": \"src/jwt.ts\",\"times\" :1 , \"exists\": null,\n \"granted\": false,\"note\":\"ask Eve\"}"),
            "{\"path\": \"src/jwt.ts\",\"times\" :2 , \"exists\": true,\n \"granted\": true,\"note\":\"ask Eve\"}"
        );
        // What is not there yet stands behind the rest; of two with one name the last counts.
        assert_eq!(
            again("{ \"note\": {\"times\": 9}, \"path\": \"src/jwt.ts\" }"),
            "{ \"note\": {\"times\": 9}, \"path\": \"src/jwt.ts\", \"granted\": true, \"exists\": true, \"times\": 2 }"
        );
        assert_eq!(
            again("{\"path\":\"src/jwt.ts\",\"times\":1,\"times\":4,\"granted\":0,\"exists\":0}"),
            "{\"path\":\"src/jwt.ts\",\"times\":1,\"times\":5,\"granted\":true,\"exists\":true}"
        );
    }

    #[test]
    fn a_graph_that_does_not_say_which_task_is_meant_is_not_changed() {
        let masker = Masker::knowing_nothing();
        let says = |graph: &str, files: &[&str], task: Option<&str>| {
            flag(&masker, graph, &packet(files), task, asked("src/jwt.ts")).unwrap_err().message
        };
        assert!(says(GRAPH, &["src/c.ts"], None).contains("2 tasks in it have the files of the packet; `--task ID`"));
        assert!(says(GRAPH, &["src/a.ts"], None).contains("no task in it has the files of the packet"));
        assert!(says(GRAPH, &["src/a.ts"], Some("T7")).contains("no task in it has the id `T7`"));
        assert!(says("{\"tasks\": [", &["a.ts"], None).contains("EOF"));
        assert!(says("{\"waves\": {}}", &["a.ts"], None).contains("it has no list `tasks`"));
        assert!(says("3", &["a.ts"], None).contains("neither an object nor a list"));
        let other = "[{\"id\": \"T1\", \"permissionRequests\": \"none\"}]";
        assert!(says(other, &["a.ts"], Some("T1")).contains("`permissionRequests` of the task is not a list of requests"));
    }
}
