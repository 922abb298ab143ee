//! SARIF 2.1.0, which many analyzers write: runs of a tool, each with its rules and results.
//!
//! What is suppressed, or gone since the baseline, is skipped.

use super::input::{Head, Input};
use super::json::read_values;
use super::lenient::{Each, EachFilled, Fill, InPlace, List, Number, Object, Pairs, Text};
use super::report::{MAX_MESSAGE_BYTES, MAX_NOTES};
use super::{Diagnostic, Note, Place, Report, Severity};
use serde::Deserialize;
use serde::de::{DeserializeSeed as _, MapAccess};
use std::collections::BTreeMap;
use std::mem;

/// The most results of a run, parts of its tool and rules of a part.
const MAX_RESULTS: usize = 20_000;
const MAX_PARTS: usize = 16;
const MAX_RULES: usize = 5_000;
/// How many bases of paths stand on one another at most.
const MAX_BASES: usize = 8;

/// How a result is graded if neither it nor its rule says so.
const DEFAULT_LEVEL: Severity = Severity::Warning;
/// Kinds of results that say nothing against the code, and the kind of the others if it is not named.
const NO_FAULTS: [&str; 2] = ["pass", "notApplicable"];
const FAULTS: [&str; 2] = ["", "fail"];
/// What a suppression says that holds.
const SUPPRESSES: [&str; 2] = ["", "accepted"];
const GONE: &str = "absent";

/// The whole object.
struct Log<'r>(&'r mut Report);

/// A run, as far as it was read.
#[derive(Default)]
struct Run {
    tool: Tool,
    bases: Vec<(String, Object<Artifact>)>,
    found: Vec<Found>,
    n_left_out: u32,
}

/// The program itself and those that add rules to it.
#[derive(Default)]
struct Tool {
    driver: Part,
    extensions: Vec<Part>,
}

/// A program with its rules, as far as it was read.
#[derive(Default)]
struct Part {
    name: String,
    rules: Vec<Rule>,
}

/// A result whose rule and folders are not looked up yet: the folders of its places are names of bases.
struct Found {
    diagnostic: Diagnostic,
    level: Option<Severity>,
    rule: Option<u32>,
    message: Message,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Rule {
    id: Text,
    default_configuration: Object<Configuration>,
    message_strings: Pairs<Text>,
    short_description: Text,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Configuration {
    level: Text,
}

/// A result, or what the tool says of its own work.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Finding {
    rule_id: Text,
    rule_index: Option<Number>,
    rule: Object<Reference>,
    descriptor: Object<Reference>,
    level: Text,
    kind: Text,
    message: Object<Message>,
    locations: List<Object<Location>>,
    related_locations: List<Object<Location>>,
    suppressions: List<Object<Suppression>>,
    baseline_state: Text,
    fixes: List<Object<Fix>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Reference {
    id: Text,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    text: Text,
    id: Text,
    arguments: List<Text>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Location {
    message: Text,
    physical_location: Object<Physical>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Physical {
    artifact_location: Object<Artifact>,
    region: Object<Region>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Artifact {
    uri: Text,
    uri_base_id: Text,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Region {
    start_line: Number,
    start_column: Number,
    end_line: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Suppression {
    status: Text,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Fix {
    description: Text,
}

/// What a run says of how it was made.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Invocation {
    tool_configuration_notifications: List<Object<Finding>>,
    tool_execution_notifications: List<Object<Finding>>,
}

pub(super) fn recognise(head: &Head) -> bool {
    head.text.starts_with('{') && head.has(&["runs"]) && head.text.to_ascii_lowercase().contains("sarif")
        || head.has(&["version", "runs"])
}

pub(super) fn read(input: &mut Input<'_>, report: &mut Report) {
    read_values(input, report, |_| false, |json, report| InPlace(&mut Log(report)).deserialize(json));
}

impl Fill for Log<'_> {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        if name == "runs" {
            members.next_value_seed(EachFilled::new(|run: Run| run.give_out(self.0)))?;
        }
        Ok(name == "runs")
    }
}

impl Fill for Run {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        match name {
            "tool" => members.next_value_seed(InPlace(&mut self.tool))?,
            "originalUriBaseIds" => self.bases = members.next_value::<Pairs<_>>()?.0,
            "results" => members.next_value_seed(Each::new(|Object(result)| self.add(result)))?,
            "invocations" => members.next_value_seed(Each::new(|Object(invocation): Object<Invocation>| {
                let Invocation { tool_configuration_notifications: List(first), tool_execution_notifications: List(second) } =
                    invocation;
                first.into_iter().chain(second).for_each(|Object(notice)| self.add(notice));
            }))?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Fill for Tool {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        match name {
            "driver" => members.next_value_seed(InPlace(&mut self.driver))?,
            "extensions" => members.next_value_seed(EachFilled::new(|part| {
                if self.extensions.len() < MAX_PARTS {
                    self.extensions.push(part);
                }
            }))?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Fill for Part {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        match name {
            "name" => self.name = members.next_value::<Text>()?.0,
            "rules" => members.next_value_seed(Each::new(|Object(rule)| {
                if self.rules.len() < MAX_RULES {
                    self.rules.push(rule);
                }
            }))?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Run {
    fn add(&mut self, finding: Finding) {
        let is_suppressed = finding.suppressions.0.iter().any(|found| SUPPRESSES.contains(&found.0.status.0.as_str()));
        if is_suppressed || finding.baseline_state.0 == GONE || NO_FAULTS.contains(&finding.kind.0.as_str()) {
            return;
        }
        if self.found.len() < MAX_RESULTS {
            self.found.push(finding.found());
        } else {
            self.n_left_out += 1;
        }
    }

    /// Gives out what was found, now that rules and bases are known.
    fn give_out(mut self, report: &mut Report) {
        report.left_out(self.n_left_out);
        let found = mem::take(&mut self.found);
        let parts = self.tool.extensions.iter().rev().chain([&self.tool.driver]);
        let rules: BTreeMap<&str, &Rule> = parts.flat_map(|part| &part.rules).map(|rule| (rule.id.0.as_str(), rule)).collect();
        for mut found in found {
            self.complete(&mut found, &rules);
            report.diagnostic(found.diagnostic);
        }
    }

    fn complete(&self, found: &mut Found, rules: &BTreeMap<&str, &Rule>) {
        let diagnostic = &mut found.diagnostic;
        self.tool.driver.name.clone_into(&mut diagnostic.tool);
        // A result names its rule or gives its number; of the name a part behind a slash may be further than the rule's.
        let id = diagnostic.code.as_str();
        let numbered = found.rule.and_then(|number| self.tool.driver.rules.get(number as usize)).filter(|_| id.is_empty());
        let named = || rules.get(id).or_else(|| rules.get(id.rsplit_once('/')?.0)).copied();
        let rule = numbered.or_else(named);
        let level = found.level.or_else(|| Severity::of(&rule?.default_configuration.0.level.0));
        diagnostic.severity = level.unwrap_or(DEFAULT_LEVEL);
        if let Some(rule) = rule {
            if diagnostic.code.is_empty() {
                diagnostic.code.clone_from(&rule.id.0);
            }
            if diagnostic.message.is_empty() {
                diagnostic.message = rule.words(&found.message);
            }
        }
        let notes = diagnostic.notes.iter_mut().filter_map(|note| note.place.as_mut());
        for place in diagnostic.place.iter_mut().chain(notes) {
            place.folder = self.folder(&place.folder);
        }
    }

    /// The folder that a base names, which may stand on others.
    fn folder(&self, base: &str) -> String {
        let (mut base, mut folder) = (base.to_owned(), String::new());
        for _ in 0..MAX_BASES {
            let Some((_, Object(artifact))) = self.bases.iter().find(|(name, _)| *name == base) else { break };
            folder.insert_str(0, &Place::of_uri(&artifact.uri.0, 0, 0).path);
            base.clone_from(&artifact.uri_base_id.0);
        }
        folder.trim_end_matches('/').to_owned()
    }
}

impl Rule {
    /// What the rule says where a result gives only the name of its message.
    fn words(&self, message: &Message) -> String {
        let named = self.message_strings.0.iter().find(|(name, _)| *name == message.id.0);
        filled(&named.map_or(&self.short_description, |(_, words)| words).0, &message.arguments.0)
    }
}

/// A text with its `{0}`, `{1}` filled in, as far as a message is kept. What is filled in is no such text itself: it could name the others
/// again and again.
fn filled(template: &str, arguments: &[Text]) -> String {
    let mut parts = template.split('{');
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if words.len() > MAX_MESSAGE_BYTES {
            break;
        }
        let argument =
            part.split_once('}').and_then(|(number, rest)| Some((arguments.get(number.parse::<usize>().ok()?)?, rest)));
        match argument {
            Some((argument, rest)) => words.extend([argument.0.as_str(), rest]),
            None => words.extend(["{", part]),
        }
    }
    words
}

impl Finding {
    fn found(self) -> Found {
        let mut locations = self.locations.0.into_iter().map(|location| location.0);
        let first = locations.next();
        let label = first.as_ref().map(|location| Note { message: location.message.0.clone(), place: None });
        let related = self.related_locations.0.into_iter().map(|location| location.0);
        let related = locations.chain(related).map(|location| Note { place: location.place(), message: location.message.0 });
        let fixes = self.fixes.0.into_iter().map(|fix| fix.0.description.0).filter(|words| !words.is_empty());
        let fixes = fixes.map(|words| Note { message: format!("help: {words}"), place: None });
        let ids = [self.rule_id.0, self.rule.0.id.0, self.descriptor.0.id.0];
        let is_fault = FAULTS.contains(&self.kind.0.as_str());
        Found {
            level: Severity::of(&self.level.0).or((!is_fault).then_some(Severity::Note)),
            rule: self.rule_index.map(|index| index.0),
            diagnostic: Diagnostic {
                code: ids.into_iter().find(|id| !id.is_empty()).unwrap_or_default(),
                place: first.and_then(|location| location.place()),
                message: self.message.0.text.0.clone(),
                notes: label.into_iter().chain(fixes).chain(related).take(MAX_NOTES).collect(),
                ..Diagnostic::default()
            },
            message: self.message.0,
        }
    }
}

impl Location {
    /// Its place, with the name of its base as folder.
    fn place(&self) -> Option<Place> {
        let Physical { artifact_location: Object(artifact), region: Object(region) } = &self.physical_location.0;
        let place = Place::of_uri(&artifact.uri.0, region.start_line.0, region.start_column.0).within(&artifact.uri_base_id.0);
        let end_line = region.end_line.0.max(region.start_line.0);
        (!place.path.is_empty()).then_some(Place { end_line, ..place })
    }
}
