//! `activate facts`: every relation of a repository, in the written form or as JSON lines.
//!
//! Rows are written as they come. Must not show a name of the repository unredacted.

use super::Command;
use super::exit::Outcome;
use super::learn::snapshot;
use super::options::RepositoryOptions;
use super::progress::Stage;
use super::terminal::{Terminal, write_result};
use activate_rules::atoms::NodeId;
use activate_rules::links::Confidence;
use activate_rules::written::{Fact, Value};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use error::Result;
use index::base::{FactBase, MAX_CALLS};
use redact::Masker;
use relations::{Column, End, MAX_TESTS, RELATIONS, Relation, Row};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::rc::Rc;

pub(super) const COMMAND: Command = Command {
    name: "facts",
    about: "List what is known of a repository: definitions, calls, imports, tests, errors, changes, history",
    details: "",
    options: |command| {
        let command = FactsOptions::augment_args(command);
        command.after_long_help(columns())
    },
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct FactsOptions {
    /// List only this relation; can be given more than once [default: all]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(RELATIONS.iter().map(|relation| relation.name)))]
    relation: Vec<String>,
    /// How facts are written
    #[arg(long, value_enum, default_value_t = Format::Facts)]
    format: Format,
    #[command(flatten)]
    repository: RepositoryOptions,
}

/// How facts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The written form: relation("text", /name, 12).
    #[value(alias = "text")]
    Facts,
    /// One JSON object a line
    #[value(alias = "json")]
    Jsonl,
}

/// The relations with their columns, for the help.
fn columns() -> String {
    let mut text = "Relations and the columns of their written form:\n".to_owned();
    for relation in &RELATIONS {
        let _ = writeln!(text, "  {:<12} {}", relation.name, relation.says);
    }
    let _ = write!(
        text,
        "
Files are paths, symbols `path#Container.name`, lines count from 1. Confidence is exact (a scope or import proves it), qualified
(package or receiver type are known), unique (the only definition of that name in reach), or among_2 to among_4 (one of so many).

How a test reaches a function: direct (it calls or names it), transitive (what it calls does, over up to {MAX_CALLS} calls), same_package
(no test is known to reach it: test files beside it). A test file that is named_after a file reaches that. The closest {MAX_TESTS} are
listed. A test has no command where no manifest proves that one exists, where its name is only known at run time, or where it is skipped.

JSON lines have the same rows in the same order. Keys, each only where it applies: relation, from, from_path, from_lines, line, to,
to_path, to_lines, kind, route, confidence, uses, calls, through. Lines of a symbol are [first, last]; an external package has `to` alone; a
diagnostic has its message in `to`, a touched file its commit in `from`. Confidence is `ambiguous` for one of several.",
    );
    text
}

fn run(options: &FactsOptions, terminal: &Terminal) -> Result<Outcome> {
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    let snapshot = snapshot(&engine, &watch, terminal)?;
    watch.enter(Stage::Render);
    watch.clear();
    let is_wanted =
        |relation: &&Relation| options.relation.is_empty() || options.relation.iter().any(|name| name == relation.name);
    write_result(|stdout| {
        let mut names = Names { masker: snapshot.masker(), base: &snapshot.base, known: FxHashMap::default() };
        RELATIONS.iter().filter(is_wanted).try_for_each(|relation| {
            (relation.rows)(&snapshot, &mut |row| match options.format {
                Format::Facts => writeln!(stdout, "{}", names.fact(relation, &row)),
                Format::Jsonl => names.write_json(relation, &row, stdout),
            })
        })
    })?;
    options.repository.warn(terminal, &snapshot.problems);
    watch.finish(snapshot.effort);
    Ok(Outcome::Answered)
}

/// A row as JSON.
#[derive(Debug, Serialize)]
struct JsonRow<'a> {
    relation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_lines: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_lines: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "str::is_empty")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<Rc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uses: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    through: Vec<&'a str>,
}

/// Writes rows, and remembers the redacted names of nodes: most occur in many rows.
struct Names<'a> {
    masker: &'a Masker,
    base: &'a FactBase,
    known: FxHashMap<NodeId, Rc<str>>,
}

impl Names<'_> {
    fn node(&mut self, node: NodeId) -> Rc<str> {
        let (masker, base) = (self.masker, self.base);
        self.known.entry(node).or_insert_with(|| masker.name(&base.id(node)).as_str().into()).clone()
    }

    fn end(&mut self, end: End<'_>) -> Option<Rc<str>> {
        match end {
            End::None => None,
            End::Node(node) => Some(self.node(node)),
            End::Text(text) => Some(self.masker.line(text).as_str().into()),
            End::Command(command) => Some(self.masker.name(command).as_str().into()),
        }
    }

    /// The path of the file that an end is or stands in.
    fn path(&mut self, end: End<'_>) -> Option<Rc<str>> {
        let End::Node(node) = end else { return None };
        let in_repository = self.base.is_file(node) || self.base.is_symbol(node);
        in_repository.then(|| self.node(self.base.file_of(node)))
    }

    fn lines(&self, end: End<'_>) -> Option<(u32, u32)> {
        let End::Node(node) = end else { return None };
        self.base.symbol(node).map(|symbol| symbol.lines)
    }

    fn fact(&mut self, relation: &Relation, row: &Row<'_>) -> Fact {
        let mut args = Vec::new();
        for column in relation.columns {
            match column {
                Column::From => args.push(Value::text(self.end(row.from).as_deref().unwrap_or_default())),
                Column::To => args.push(Value::text(self.end(row.to).as_deref().unwrap_or_default())),
                Column::ToLines => {
                    let (first, last) = self.lines(row.to).unwrap_or_default();
                    args.extend([number(first), number(last)]);
                }
                Column::Line => args.push(number(row.line.unwrap_or_default())),
                Column::Position => args.push(number(row.column.unwrap_or_default())),
                Column::Kind => args.push(Value::name(row.kind)),
                Column::Route => args.push(Value::text(self.masker.name(row.route).as_str())),
                Column::Visibility => args.push(Value::name(row.visibility)),
                Column::Confidence => args.extend(row.confidence.map(|confidence| Value::name(confidence.name()))),
                Column::Uses => args.push(number(row.n_uses.unwrap_or_default())),
                Column::Calls => args.push(number(row.n_calls.unwrap_or_default())),
                Column::Turns => args.push(number(0)),
            }
        }
        Fact::new(relation.name, args)
    }

    fn write_json(&mut self, relation: &Relation, row: &Row<'_>, stdout: &mut dyn Write) -> io::Result<()> {
        let (from, to) = (self.end(row.from), self.end(row.to));
        let (from_path, to_path) = (self.path(row.from), self.path(row.to));
        let through: Vec<Rc<str>> = row.through.iter().map(|node| self.node(*node)).collect();
        let json = JsonRow {
            relation: relation.name,
            from: from.as_deref(),
            from_path: from_path.as_deref(),
            from_lines: self.lines(row.from),
            line: row.line.filter(|line| *line > 0),
            to: to.as_deref(),
            to_path: to_path.as_deref(),
            to_lines: self.lines(row.to),
            kind: row.kind,
            route: Some(row.route).filter(|route| !route.is_empty()).map(|route| self.masker.name(route).as_str().into()),
            confidence: row.confidence.map(level),
            uses: row.n_uses,
            calls: row.n_calls,
            through: through.iter().map(Rc::as_ref).collect(),
        };
        serde_json::to_writer(&mut *stdout, &json)?;
        stdout.write_all(b"\n")
    }
}

/// The level of a confidence, without the number of candidates.
fn level(confidence: Confidence) -> &'static str {
    if confidence.n_candidates() > 1 { "ambiguous" } else { confidence.name() }
}

fn number(number: u32) -> Value {
    Value::whole(i32::try_from(number).unwrap_or(i32::MAX))
}
