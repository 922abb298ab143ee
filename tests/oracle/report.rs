//! What came out for several repositories, as tables in Markdown or as JSON.

use crate::judge::{Judgement, Level, Relation, Tally, add, word};
use crate::recall::Recall;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// One judged repository.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) language: String,
    pub(crate) repository: String,
    pub(crate) judgement: Judgement,
}

/// What is promised of links at a level: of so many in a hundred, all are right. An ambiguous link promises nothing.
const PROMISED: [(Level, f64); 3] = [(Level::Exact, 99.0), (Level::Qualified, 96.0), (Level::Unique, 88.0)];

/// What is to be reached, in percent, by language; `all` stands for the rest.
const GOALS: [(&str, &str, f64); 13] = [
    ("java", "calls precision", 95.0),
    ("java", "calls recall", 85.0),
    ("python", "calls precision", 95.0),
    ("python", "calls recall", 85.0),
    ("typescript", "calls precision", 95.0),
    ("typescript", "calls recall", 90.0),
    ("go", "calls precision", 95.0),
    ("go", "calls recall", 90.0),
    ("rust", "calls precision", 93.0),
    ("rust", "calls recall", 80.0),
    ("all", "imports precision", 99.0),
    ("all", "imports recall", 97.0),
    ("all", "to interface methods recall", 80.0),
];

/// Right and judged, or found and to be found.
type Share = (usize, usize);

/// A column of the main table.
type Column = (&'static str, fn(&Judgement) -> Share);

const COLUMNS: [Column; 13] = [
    ("calls precision", |judgement| precision(&judgement.all(Relation::Calls))),
    ("calls recall", |judgement| found(judgement, "calls")),
    ("in macro arguments recall", |judgement| found(judgement, "calls in macro arguments")),
    ("to interface methods recall", |judgement| found(judgement, "calls to imethod")),
    ("references precision", |judgement| precision(&judgement.all(Relation::References))),
    ("references recall", |judgement| found(judgement, "references")),
    ("imports precision", |judgement| precision(&judgement.all(Relation::Imports))),
    ("imports recall", |judgement| found(judgement, "imports")),
    ("implements precision", |judgement| precision(&judgement.all(Relation::Implements))),
    ("implements recall", |judgement| found(judgement, "implements")),
    ("dispatch precision", |judgement| precision(&judgement.all(Relation::Dispatch))),
    ("tests precision", |judgement| precision(&judgement.all(Relation::Tests))),
    ("tests recall", |judgement| found(judgement, "tests")),
];

/// Relations whose confidence is compared with what it promises.
const CALIBRATED: [Relation; 4] = [Relation::Calls, Relation::References, Relation::Imports, Relation::Implements];

fn precision(tally: &Tally) -> Share {
    let of = |verdict| tally.get(&verdict).copied().unwrap_or_default();
    (of(Verdict::Right), of(Verdict::Right) + of(Verdict::Wrong))
}

fn found(judgement: &Judgement, group: &str) -> Share {
    judgement.recall.get(group).map_or((0, 0), |recall| (recall.ambiguous, recall.of))
}

fn percent(part: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| 100.0 * part as f64 / of as f64)
}

fn shown((part, of): Share) -> String {
    percent(part, of).map_or_else(|| "-".to_owned(), |percent| format!("{percent:.1}"))
}

/// Several judgements of one language as one: every link counts the same, whichever repository it is from.
fn together<'a>(judgements: impl Iterator<Item = &'a Judgement>) -> Judgement {
    let mut all = Judgement::default();
    for one in judgements {
        all.files += one.files;
        all.complete += one.complete;
        for (relation, levels) in &one.precision {
            for (level, tally) in levels {
                add(all.precision.entry(*relation).or_default().entry(*level).or_default(), tally);
            }
        }
        for (group, recall) in &one.recall {
            all.recall.entry(group.clone()).or_default().add(recall);
        }
    }
    all
}

/// All tables, one after the other; of the mistakes, `n_worst` a repository.
pub(crate) fn markdown(judged: &[Judged], n_worst: usize) -> String {
    let languages: BTreeSet<&str> = judged.iter().map(|one| one.language.as_str()).collect();
    let totals = languages.into_iter().map(|language| {
        let of_language = judged.iter().filter(|one| one.language == language);
        (language, together(of_language.map(|one| &one.judgement)))
    });
    let totals: BTreeMap<&str, Judgement> = totals.collect();
    let mut text = String::new();
    links(&mut text, judged, &totals);
    confidence(&mut text, &totals);
    kinds(&mut text, &totals);
    apart(&mut text, &totals);
    for one in judged {
        worst(&mut text, one, n_worst);
    }
    text
}

fn row(text: &mut String, cells: impl IntoIterator<Item = String>) {
    for cell in cells {
        let _ = write!(text, "| {} ", cell.replace('|', "\\|"));
    }
    text.push_str("|\n");
}

fn head(text: &mut String, title: &str, cells: &[&str]) {
    let _ = writeln!(text, "### {title}\n");
    row(text, cells.iter().map(|cell| (*cell).to_owned()));
    row(text, cells.iter().map(|_| "---".to_owned()));
}

fn links(text: &mut String, judged: &[Judged], totals: &BTreeMap<&str, Judgement>) {
    let names: Vec<&str> = ["language", "repository", "files"].into_iter().chain(COLUMNS.iter().map(|column| column.0)).collect();
    head(text, "Links in percent", &names);
    let mut line = |language: &str, repository: &str, judgement: &Judgement| {
        let cells = [language.to_owned(), repository.to_owned(), judgement.files.to_string()];
        row(text, cells.into_iter().chain(COLUMNS.iter().map(|column| shown((column.1)(judgement)))));
    };
    for (language, total) in totals {
        for one in judged.iter().filter(|one| one.language == *language) {
            line(language, &one.repository, &one.judgement);
        }
        line(language, "**all**", total);
    }
    for language in totals.keys() {
        let goal = |name| GOALS.iter().find(|goal| goal.1 == name && (goal.0 == *language || goal.0 == "all"));
        let goals = COLUMNS.iter().map(|column| goal(column.0).map_or_else(String::new, |goal| format!("{:.0}", goal.2)));
        row(text, [(*language).to_owned(), "to reach".to_owned(), String::new()].into_iter().chain(goals));
    }
    text.push('\n');
}

fn confidence(text: &mut String, totals: &BTreeMap<&str, Judgement>) {
    let relations = CALIBRATED.iter().map(word).collect::<Vec<_>>();
    let names = ["language", "confidence", "promised", "all links", "judged"].into_iter();
    head(text, "Right links in percent, by confidence", &names.chain(relations.iter().map(String::as_str)).collect::<Vec<_>>());
    for (language, total) in totals {
        for level in Level::ALL {
            let tally =
                |relation| total.precision.get(&relation).and_then(|levels| levels.get(&level)).cloned().unwrap_or_default();
            let shares: Vec<Share> = CALIBRATED.iter().map(|relation| precision(&tally(*relation))).collect();
            let all = shares.iter().fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
            let promised = PROMISED.iter().find(|promised| promised.0 == level).map(|promised| promised.1);
            let kept = promised
                .zip(percent(all.0, all.1))
                .map_or("", |(promised, percent)| if percent < promised { " (less)" } else { "" });
            let promised = promised.map_or_else(|| "-".to_owned(), |promised| format!("{promised:.0}"));
            let cells = [(*language).to_owned(), word(&level), promised, format!("{}{kept}", shown(all)), all.1.to_string()];
            row(text, cells.into_iter().chain(shares.into_iter().map(shown)));
        }
    }
    text.push('\n');
}

fn kinds(text: &mut String, totals: &BTreeMap<&str, Judgement>) {
    let names: Vec<&str> =
        ["found", "language", "of"].into_iter().chain(["exact", "to qualified", "to unique", "to ambiguous"]).collect();
    head(text, "Found in percent, at a confidence or a surer one", &names);
    let groups: BTreeSet<&String> = totals.values().flat_map(|total| total.recall.keys()).collect();
    for group in groups {
        for (language, total) in totals {
            let Some(Recall { of, exact, qualified, unique, ambiguous }) = total.recall.get(group) else { continue };
            let shares = [exact, qualified, unique, ambiguous].map(|found| shown((*found, *of)));
            row(text, [group.clone(), (*language).to_owned(), of.to_string()].into_iter().chain(shares));
        }
    }
    text.push('\n');
}

fn apart(text: &mut String, totals: &BTreeMap<&str, Judgement>) {
    head(text, "Links by verdict", &["relation", "language", "links"]);
    for (language, total) in totals {
        for (relation, levels) in &total.precision {
            let mut all = Tally::new();
            for tally in levels.values() {
                add(&mut all, tally);
            }
            let counts: Vec<String> =
                all.iter().map(|(verdict, times)| format!("{} {times}", word(verdict).replace('_', " "))).collect();
            row(text, [word(relation), (*language).to_owned(), counts.join(", ")]);
        }
    }
    text.push('\n');
}

fn worst(text: &mut String, one: &Judged, n_worst: usize) {
    let Judgement { wrong, missed, .. } = &one.judgement;
    for (title, mistakes) in [("wrong links", wrong), ("calls not found", missed)] {
        if n_worst > 0 && !mistakes.is_empty() {
            let _ = writeln!(text, "### {}: {title}\n", one.repository);
            for mistake in mistakes.iter().take(n_worst) {
                let _ = writeln!(text, "- {} x {} ({})", mistake.times, mistake.what, mistake.example);
            }
            text.push('\n');
        }
    }
}
