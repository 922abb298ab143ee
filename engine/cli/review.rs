//! `activate review`: a change as one comment for those who review it.
//!
//! Must not decide what it says: the crate of questions does.

use super::Command;
use super::amount::amount;
use super::exit::Outcome;
use super::input;
use super::learn::snapshot;
use super::options::RepositoryOptions;
use super::progress::Stage;
use super::terminal::{Terminal, write_result};
use ::questions::{BUDGET, MIN_BUDGET, comment};
use ::review::Diff;
use clap::{Args, ValueEnum};
use error::Result;
use tokens::Tokens;

pub(super) const COMMAND: Command = Command {
    name: "review",
    about: "Write one comment on a change: what it reaches, what no test runs, what to run",
    details: "\
At most 60 lines: what may notice the change, the nearest first; what of that no test is known to run; the commands of the tests to run; files that
usually change too and did not; a drawing; how complete all of that is. The first line is a mark by which the comment can be found again and replaced.
Of two commits the files are read as the second has them, whatever the work tree holds. Nothing of the repository is run.

    activate review main...HEAD",
    options: ReviewOptions::augment_args,
    run: |matches, terminal| super::options_of::<ReviewOptions>(matches)?.run(terminal),
};

/// The most tokens that can be asked for.
const MAX_BUDGET: u32 = 100_000;

#[derive(Debug, Args)]
struct ReviewOptions {
    /// The change: `BASE..HEAD`, `BASE...HEAD` (since both parted), one commit (the work tree against it), nothing (the work tree against the last
    /// commit), or `-` for a patch on stdin
    #[arg(value_name = "RANGE|-", default_value = "", hide_default_value = true)]
    range: String,
    /// How the comment is written
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// The most tokens of the comment, such as 2000 or 1.5k
    #[arg(long, value_name = "N", default_value_t = BUDGET.0, value_parser = budget, allow_hyphen_values = true)]
    budget: u32,
    #[command(flatten)]
    repository: RepositoryOptions,
}

fn budget(text: &str) -> std::result::Result<u32, String> {
    amount(text, "tokens", MIN_BUDGET.0, MAX_BUDGET)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For a pull request, as GitHub shows it
    Markdown,
}

impl ReviewOptions {
    fn run(&self, terminal: &Terminal) -> Result<Outcome> {
        let Format::Markdown = self.format;
        let diff = input::diff(&self.range)?;
        let watch = self.repository.watch();
        let engine = self.repository.open_as(end(&diff), &[])?;
        let snapshot = snapshot(&engine, &watch, terminal)?;
        watch.enter(Stage::Render);
        let comment = comment(&engine, &snapshot, &diff, Tokens(self.budget))?;
        watch.clear();
        write_result(|stdout| stdout.write_all(comment.markdown.as_bytes()))?;
        self.repository.warn(terminal, &snapshot.problems);
        self.repository.warn(terminal, &comment.problems);
        watch.finish(snapshot.effort);
        Ok(Outcome::Answered)
    }
}

/// The commit that a change ends with: there its callers and tests are as the change leaves them.
fn end(diff: &Diff) -> Option<&str> {
    let Diff::Range(range) = diff else { return None };
    let (_, end) = range.split_once("...").or_else(|| range.split_once(".."))?;
    Some(if end.is_empty() { "HEAD" } else { end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_answered_as_of_its_end() {
        let end = |range: &str| end(&Diff::Range(range.to_owned())).map(str::to_owned);
        assert_eq!(end("main..topic"), Some("topic".to_owned()));
        assert_eq!(end("main...topic~2"), Some("topic~2".to_owned()));
        assert_eq!(end("main.."), Some("HEAD".to_owned()));
        assert_eq!(end("main"), None);
    }
}
