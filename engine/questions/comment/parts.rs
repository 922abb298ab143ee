//! The parts of a comment, as lines that can be left out from the end.

use super::gather::{Found, Partner, Reached};
use super::markdown::{code, fence, name, path, place, sentence};
use super::sketch::sketch;
use super::untested::Unrun;
use index::completeness::State;
use std::collections::BTreeSet;

/// The most definitions of one file that are named.
const MAX_OF_FILE: usize = 4;

/// The most places of one definition that goes.
const MAX_USES: usize = 3;

/// The most definitions that a sentence names, and reasons.
const MAX_NAMED: usize = 3;
const MAX_REASONS: usize = 2;

/// A part of a comment.
pub(super) struct Part {
    /// What it is, for whoever reads that it was left out.
    pub(super) what: &'static str,
    /// What stands above its lines, and behind them.
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
    pub(super) lines: Vec<String>,
    /// The most and the fewest of its lines.
    pub(super) most: usize,
    pub(super) least: usize,
    /// What is left out, for a sentence behind the lines; none where it cannot be cut.
    pub(super) rest: Option<&'static str>,
}

impl Part {
    fn list(what: &'static str, head: &str, lines: Vec<String>, (least, most): (usize, usize), rest: &'static str) -> Self {
        Self { what, before: vec![head.to_owned()], after: Vec::new(), lines, most, least, rest: Some(rest) }
    }
}

/// All parts that have something to say, in their order.
pub(super) fn parts(found: &Found) -> Vec<Part> {
    let (imports, uses): (Vec<&Reached>, Vec<&Reached>) = found.reached.iter().partition(|reached| is_import(reached));
    let known: BTreeSet<&str> = uses.iter().map(|reached| reached.place.path.as_str()).collect();
    let imports: Vec<&Reached> = imports.into_iter().filter(|reached| !known.contains(reached.place.path.as_str())).collect();
    let (near, far): (Vec<&Reached>, Vec<&Reached>) = uses.into_iter().partition(|reached| reached.depth == 1);
    let mut direct = by_file(&near, false);
    direct.extend(by_imported(&imports));
    let mut parts = vec![
        Part::list(
            "what goes and is used",
            "**Removed, and still used**",
            found.removed.iter().map(gone).collect(),
            (2, 5),
            "more definitions that go",
        ),
        Part::list("direct uses", "**Uses what changes**", direct, (3, 10), "more"),
        Part::list("indirect uses", "**Reached through others**", by_file(&far, true), (1, 5), "more files"),
        Part::list("what no test runs", "**No test calls**", found.untested.sure.iter().map(unrun).collect(), (2, 6), "more"),
        commands(found),
        Part::list(
            "what usually changes too",
            "**Usually changes too, and did not**",
            found.partners.iter().map(partner).collect(),
            (1, 4),
            "more files",
        ),
        drawing(found),
    ];
    parts.retain(|part| !part.lines.is_empty());
    parts
}

fn gone(gone: &super::gather::Gone) -> String {
    let uses: Vec<String> = gone.uses.iter().take(MAX_USES).map(|(path, line)| place(path.as_str(), *line)).collect();
    let n_more = gone.n_uses.saturating_sub(uses.len());
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    let (was, uses) = (place(gone.path.as_str(), gone.line), uses.join(", "));
    format!("- {} (was {was}): used at {uses}{more}", name(gone.name.as_str()))
}

/// A line for each file, with its definitions by what they use.
fn by_file(reached: &[&Reached], has_depth: bool) -> Vec<String> {
    let mut files: Vec<(u32, &str, Vec<&Reached>)> = Vec::new();
    for one in reached {
        let path = one.place.path.as_str();
        match files.iter_mut().find(|(depth, known, _)| *depth == one.depth && *known == path) {
            Some((.., of_file)) => of_file.push(one),
            None => files.push((one.depth, path, vec![one])),
        }
    }
    let line = |(depth, _, of_file): &(u32, &str, Vec<&Reached>)| {
        let depth = if has_depth { format!("depth {depth}: ") } else { String::new() };
        format!("- {depth}{}", of_one_file(of_file))
    };
    files.iter().map(line).collect()
}

fn of_one_file(reached: &[&Reached]) -> String {
    let mut groups: Vec<(&str, &'static str, Vec<String>)> = Vec::new();
    for (at, one) in reached.iter().take(MAX_OF_FILE).enumerate() {
        let row = &one.place;
        let at = if at == 0 { place(row.path.as_str(), row.line) } else { code(&format!(":{}", row.line)) };
        let symbol = row.symbol.as_ref().map(|symbol| format!(" {}", name(symbol.as_str()))).unwrap_or_default();
        let may = if row.is_guess() { " (maybe)" } else { "" };
        let written = format!("{at}{symbol}{may}");
        let (next, how) = (one.next.as_str(), word(row.how));
        match groups.last_mut().filter(|(known, by, _)| (*known, *by) == (next, how)) {
            Some((.., group)) => group.push(written),
            None => groups.push((next, how, vec![written])),
        }
    }
    let groups: Vec<String> =
        groups.iter().map(|(next, how, group)| format!("{} {how} {}", group.join(", "), name(next))).collect();
    let n_more = reached.len().saturating_sub(MAX_OF_FILE);
    let more = if n_more > 0 { format!("; {n_more} more") } else { String::new() };
    format!("{}{more}", groups.join("; "))
}

/// Whether all that is known is that a file imports one of which something changes that is of no definition.
fn is_import(reached: &Reached) -> bool {
    reached.place.symbol.is_none() && reached.place.how == Some("imports")
}

/// A line for each file that is imported, with some of those that do.
fn by_imported(imports: &[&Reached]) -> Vec<String> {
    let mut files: Vec<(&str, Vec<&Reached>)> = Vec::new();
    for one in imports {
        let imported = one.next.as_str();
        match files.iter_mut().find(|(known, _)| *known == imported) {
            Some((_, of_file)) => of_file.push(one),
            None => files.push((imported, vec![one])),
        }
    }
    files.sort_by_key(|(_, of_file)| std::cmp::Reverse(of_file.len()));
    let line = |(imported, of_file): &(&str, Vec<&Reached>)| {
        let some = of_file.iter().take(MAX_USES);
        let some: Vec<String> = some.map(|one| place(one.place.path.as_str(), one.place.line)).collect();
        let n_more = of_file.len() - some.len();
        let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
        let import = if of_file.len() == 1 { "imports" } else { "import" };
        format!("- {}{more} {import} from {}", some.join(", "), path(imported))
    };
    files.iter().map(line).collect()
}

/// What stands between one that uses and what it uses.
fn word(how: Option<&'static str>) -> &'static str {
    match how {
        Some("implements") => "implements",
        Some("extends") => "extends",
        Some("imports") => "imports",
        _ => "→",
    }
}

fn unrun(untested: &Unrun) -> String {
    let place = place(untested.path.as_str(), untested.line);
    let next = untested.next.as_ref().map(|next| format!(" → {}", name(next.as_str()))).unwrap_or_default();
    let run = match &untested.command {
        Some(command) => format!("nearest: {}", code(command.as_str())),
        None => "no tests in its folder".to_owned(),
    };
    format!("- {place} {}{next}; {run}", name(untested.name.as_str()))
}

fn commands(found: &Found) -> Part {
    let lines: Vec<String> = found.runs.commands.iter().map(|command| command.as_str().to_owned()).collect();
    let fence = fence(lines.iter().map(String::as_str));
    let before = vec!["**Tests to run**".to_owned(), format!("{fence}sh")];
    Part { what: "tests to run", before, after: vec![fence], lines, most: 6, least: 2, rest: Some("more commands") }
}

fn partner(partner: &Partner) -> String {
    let Partner { path: file, with, n_both, n_all } = partner;
    format!("- {} (in {n_both} of {n_all} commits of {})", path(file.as_str()), path(with.as_str()))
}

fn drawing(found: &Found) -> Part {
    let lines = sketch(&found.reached);
    let fence = fence(lines.iter().map(String::as_str));
    let before = vec!["<details><summary>Drawing</summary>".to_owned(), String::new(), format!("{fence}mermaid")];
    let (most, after) = (lines.len(), vec![fence, String::new(), "</details>".to_owned()]);
    Part { what: "the drawing", before, after, lines, most, least: most, rest: None }
}

/// What changes, in one line.
pub(super) fn summary(found: &Found) -> String {
    let (added, removed) = found.n_lines;
    let files = count(found.n_files, "file", "files");
    let mut names: Vec<String> = Vec::new();
    for changed in &found.changed {
        let shown = name(changed.as_str());
        if !names.contains(&shown) {
            names.push(shown);
        }
    }
    let n_more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    let changes = if names.is_empty() { String::new() } else { format!(": {}{more}", names.join(", ")) };
    format!("{}, {files} (+{added} −{removed}){changes}", name(found.name.as_str()))
}

/// How much is reached, in one sentence.
pub(super) fn extent(found: &Found) -> String {
    let mut files: Vec<&str> = found.reached.iter().map(|reached| reached.place.path.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let tests = match found.n_tests {
        0 => String::new(),
        n_tests => format!(", and {}", count(n_tests, "test", "tests")),
    };
    match found.reached.len() {
        0 if found.n_tests > 0 => format!("Nothing but {} is known to use what changes.", count(found.n_tests, "test", "tests")),
        0 => "Nothing is known to use what changes.".to_owned(),
        n_reached => {
            let places = count(n_reached, "place", "places");
            format!("{places} in {} may notice{tests}.", count(files.len(), "file", "files"))
        }
    }
}

/// How complete the lists are.
pub(super) fn completeness(found: &Found) -> String {
    let n_more = found.reasons.len().saturating_sub(MAX_REASONS);
    let mut reasons: Vec<String> = found.reasons.iter().take(MAX_REASONS).map(|reason| sentence(reason.as_str())).collect();
    if n_more > 0 {
        reasons.push(count(n_more, "more reason", "more reasons"));
    }
    let other = match found.n_other {
        0 => String::new(),
        n => format!(
            " Nothing is followed from {} that {} not parsed.",
            count(n, "changed file", "changed files"),
            if n == 1 { "is" } else { "are" }
        ),
    };
    let unsure = match (found.untested.n_unsure, found.untested.sure.len()) {
        (0, _) => String::new(),
        (n, 0) => format!(" No test is known of {}, but one may be there.", count(n, "definition", "definitions")),
        (n, _) => format!(" Of {} no test is known, but one may be there.", count(n, "more definition", "more definitions")),
    };
    let because = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    let uses = match found.state {
        Some(State::Complete) => "Uses are complete, as far as code can tell.".to_owned(),
        Some(State::Incomplete) => format!("Uses may be missing{because}."),
        Some(State::Unknown) => format!("Whether uses are missing is unknown{because}."),
        None => String::new(),
    };
    format!("{uses}{unsure}{other}").trim_start().to_owned()
}

/// Problems with the change itself.
pub(super) fn problems(found: &Found) -> Vec<String> {
    found.problems.iter().map(|problem| format!("Note: {}", sentence(problem.as_str()))).collect()
}

/// A number of things.
fn count(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}
