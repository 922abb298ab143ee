//! `activate fleet co-changes`: what changes together in different repositories.

use super::super::{Command, Outcome, Terminal, options_of};
use super::answer::{Answer, Row};
use super::opened::Opened;
use super::question::QuestionOptions;
use clap::Args;
use error::Result;
use fleet::commits::{Spot, Together, together};
use serde::Serialize;

pub(super) const COMMAND: Command = Command {
    name: "co-changes",
    about: "Show folders of different repositories that were changed together",
    details: "\
Together means for one ticket that the messages name (`ABC-123`, `shop/api#123`), or, where they name none, by one author within the same hour
of the clock, at least twice. The lift says how many times as often as by chance.

Example:
    activate fleet co-changes shop/api",
    options: CoChangesOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct CoChangesOptions {
    /// Only what changes with this repository, by its name in the manifest
    #[arg(value_name = "REPOSITORY")]
    repository: Option<String>,
    #[command(flatten)]
    question: QuestionOptions,
}

/// Folders that change together.
#[derive(Debug, Serialize)]
pub(super) struct CoChange {
    repository: String,
    folder: String,
    other_repository: String,
    other_folder: String,
    /// Occasions on which both changed, on which the first did, on which the other did.
    n_together: u32,
    n_changes: u32,
    n_other_changes: u32,
    lift: f64,
}

impl Row for CoChange {
    fn line(&self) -> String {
        let Self { repository, folder, other_repository, other_folder, n_together, n_changes, n_other_changes, lift } = self;
        format!(
            "{repository}/{folder} with {other_repository}/{other_folder}: {n_together} times, of {n_changes} and {n_other_changes}; \
             {lift:.1} times as often as by chance"
        )
    }
}

fn run(options: &CoChangesOptions, terminal: &Terminal) -> Result<Outcome> {
    let opened = options.question.fleet.open(terminal)?;
    options.question.write(terminal, &opened, &co_changes(&opened, options.repository.as_deref())?)
}

/// What changes together, or what does with a repository.
pub(super) fn co_changes(opened: &Opened, repository: Option<&str>) -> Result<Answer<CoChange>> {
    if let Some(name) = repository {
        opened.fleet.shards.named(name)?;
    }
    let is_wanted = |spot: Spot<'_>| repository.is_none_or(|name| name == spot.repository);
    let row = |of: &Together<'_>| {
        let ((one, n_one), (other, n_other)) = ((of.one, of.n_each.0), (of.other, of.n_each.1));
        let is_turned = !is_wanted(one);
        let ((one, n_changes), (other, n_other_changes)) =
            if is_turned { ((other, n_other), (one, n_one)) } else { ((one, n_one), (other, n_other)) };
        CoChange {
            repository: opened.safe(one.repository),
            folder: opened.safe(one.folder),
            other_repository: opened.safe(other.repository),
            other_folder: opened.safe(other.folder),
            n_together: of.n_both,
            n_changes,
            n_other_changes,
            lift: of.lift as f64 / 1000.0,
        }
    };
    let all = together(&opened.fleet.shards)?;
    let rows: Vec<CoChange> = all.iter().filter(|of| is_wanted(of.one) || is_wanted(of.other)).map(row).collect();
    let sum = rows.is_empty().then(|| "nothing was changed together more often than by chance".to_owned());
    Ok(Answer { about: Vec::new(), n_about: 0, sum, beside: None, n_rows: rows.len(), rows, noun: "pairs", problems: Vec::new() })
}
