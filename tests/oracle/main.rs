//! Judges the links of `activate facts` against what compilers know: a developer's tool, not part of the test run.
//!
//! Reads and writes files; the rest of the crate is text in, text out.

#![expect(clippy::disallowed_methods, reason = "the command reads the files that it is given")]

mod record;
mod truth;
mod verdict;

mod judge;
mod recall;
mod report;

mod convert;
mod fleet;
mod scip;
mod syntax;

#[cfg(test)]
mod tests;

use clap::{Parser, Subcommand, ValueEnum};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Judges the links of `activate facts` against what compilers know.
#[derive(Debug, Parser)]
#[command(name = "oracle")]
struct Command {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print a SCIP index as records, one JSON object a line
    Scip {
        /// python, rust or typescript
        #[arg(long, value_parser = syntax::LANGUAGES.map(|language| language.name))]
        language: String,
        /// The index, as scip-python, rust-analyzer or scip-typescript writes it
        #[arg(long, value_name = "FILE")]
        index: PathBuf,
        /// The folder that the index's paths start from
        #[arg(long, value_name = "DIR")]
        root: PathBuf,
    },
    /// Judge the links of one repository and print what came out as JSON
    Judge {
        /// What the compiler knows, as `oracle scip` or the Go tool prints it
        #[arg(long, value_name = "FILE")]
        records: PathBuf,
        /// What `activate facts --format jsonl` prints
        #[arg(long, value_name = "FILE")]
        facts: PathBuf,
        /// The language's name in the table
        #[arg(long)]
        language: String,
        /// The repository's name in the table
        #[arg(long)]
        repository: String,
        /// Judge only files whose paths start so
        #[arg(long, value_name = "PREFIX", default_value = "")]
        paths: String,
        /// Do not judge links into files whose paths start so: vendored code, nested modules; can be given more than once
        #[arg(long, value_name = "PREFIX")]
        ignore_to: Vec<String>,
        /// How many of the most frequent mistakes are kept
        #[arg(long, value_name = "N", default_value_t = 20)]
        worst: usize,
    },
    /// Judge the links between several repositories and print what came out
    Fleet {
        /// What the compilers know of all of them, as `oracle scip` or the Go tool prints it
        #[arg(long, required = true, value_name = "FILE")]
        records: Vec<PathBuf>,
        /// The links, one a line: repository, path, line and kind, repository, path, line and name, how many places are meant; with tabs between
        #[arg(long, value_name = "FILE")]
        links: PathBuf,
        /// A folder that is a repository, as the paths of the records begin with it, and the repository's name; without any, each outermost folder is
        /// one
        #[arg(long, value_name = "FOLDER=NAME")]
        repository: Vec<String>,
        /// How many of the most frequent mistakes are shown
        #[arg(long, value_name = "N", default_value_t = 20)]
        worst: usize,
    },
    /// Show what came out for one or more repositories as one table
    Table {
        /// What `oracle judge` prints, one file a repository
        #[arg(required = true, value_name = "FILE")]
        judged: Vec<PathBuf>,
        #[arg(long, value_enum, default_value_t = Format::Markdown)]
        format: Format,
        /// How many of the most frequent mistakes are shown a repository
        #[arg(long, value_name = "N", default_value_t = 10)]
        worst: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Markdown,
    Json,
}

fn main() -> ExitCode {
    match run(&Command::parse().what) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(io::stderr(), "oracle: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(what: &What) -> Result<(), String> {
    match what {
        What::Scip { language, index, root } => {
            let bytes = fs::read(index).map_err(|error| told(index, &error))?;
            let language = syntax::LANGUAGES.into_iter().find(|known| known.name == language).ok_or("no such language")?;
            let read = |path: &str| fs::read_to_string(root.join(path)).ok();
            let indexed = scip::Indexed::read(language, &bytes, read).map_err(|error| told(index, &error))?;
            print_lines(convert::records(language, &indexed))
        }
        What::Judge { records, facts, language, repository, paths, ignore_to, worst } => {
            let part = truth::Part { paths: paths.clone(), ignore_to: ignore_to.clone() };
            let truth = truth::Truth::new(lines(records)?, part);
            let judgement = judge::judge(&truth, lines(facts)?, *worst);
            print_lines([report::Judged { language: language.clone(), repository: repository.clone(), judgement }])
        }
        What::Fleet { records, links, repository, worst } => {
            let mut names = fleet::Names::new(fleet::Folders::new(repository)?);
            for path in records {
                lines(path)?.into_iter().for_each(|record| names.add(record));
            }
            let text = fs::read_to_string(links).map_err(|error| told(links, &error))?;
            let links = text.lines().map(fleet::Link::read).collect::<Result<Vec<_>, _>>()?;
            print(&fleet::judge(&names, &links, *worst))
        }
        What::Table { judged, format, worst } => {
            let mut all: Vec<report::Judged> = Vec::new();
            for path in judged {
                all.extend(lines(path)?);
            }
            match format {
                Format::Json => print_lines([all]),
                Format::Markdown => print(&report::markdown(&all, *worst)),
            }
        }
    }
}

/// The JSON objects of a file, one a line.
fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let file = fs::File::open(path).map_err(|error| told(path, &error))?;
    let mut all = Vec::new();
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(|error| told(path, &error))?;
        if !line.trim().is_empty() {
            let parsed = serde_json::from_str(&line);
            all.push(parsed.map_err(|error| format!("{}, line {}: {error}", path.display(), index + 1))?);
        }
    }
    Ok(all)
}

fn told(path: &Path, error: &impl std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

fn print_lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> Result<(), String> {
    let mut text = String::new();
    for value in values {
        text.push_str(&serde_json::to_string(&value).map_err(|error| error.to_string())?);
        text.push('\n');
    }
    print(&text)
}

fn print(text: &str) -> Result<(), String> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| format!("standard output: {error}"))
}
