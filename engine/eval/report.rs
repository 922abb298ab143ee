//! The report of an evaluation: figures over all cases and over groups of them, and how they compare with plain text search.
//!
//! Must not hold a time or a path of the machine: the same rows give the same bytes.

use super::figures::{FEW, Figures, SymbolFigures, TextFigures, all_within, grouped, reciprocal};
use super::paired::Paired;
use super::rows::{BUDGETS, Row, Share};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// The version of the form below.
const SCHEMA: &str = "activate.eval.v1";

/// What became of all cases.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvalReport {
    /// Name and version of this form: `activate.eval.v1`.
    pub schema: &'static str,
    /// All cases.
    pub all: Group,
    /// Plain text search on the same cases.
    pub baseline: Comparison,
    /// The cases that were asked with their bodies, beside the same asked by their subjects alone; none without such cases.
    pub bodies: Option<Bodies>,
    /// Lines shown beside those of plain text search over chunks, by budget.
    pub chunks: Vec<Beside>,
    /// By how much the intent gives away.
    pub tiers: Vec<Group>,
    /// By language.
    pub languages: Vec<Group>,
    /// By repository.
    pub repositories: Vec<Group>,
    /// By how sure the answer said it was; cases without an answer left out.
    pub certainty: Vec<Sureness>,
    /// The cases, in their order.
    pub cases: Vec<Row>,
}

/// Figures over some cases.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// How many they are.
    pub n: u32,
    /// How many of them have no answer.
    pub n_failed: u32,
    /// Where the gold files stand.
    pub files: Figures,
    /// Where plain text search has them.
    pub baseline: Figures,
    /// Where the gold symbols stand.
    pub symbols: Option<SymbolFigures>,
    /// What texts show, by budget.
    pub texts: Vec<TextFigures>,
}

/// Plain text search, and how the engine stands against it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// What it is.
    pub name: &'static str,
    /// Where it has the gold files.
    pub files: Figures,
    /// Cases on which the best gold file stands higher.
    pub mrr: Paired,
    /// Cases whose gold files are all among the first five of one list alone.
    pub acc_5: Paired,
}

/// Cases with bodies, asked with and without them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Bodies {
    /// How many they are.
    pub n: u32,
    /// Where the gold files stand with the bodies.
    pub with_body: Figures,
    /// Where they stand by the subjects alone.
    pub subject: Figures,
}

impl Bodies {
    fn new(rows: &[&Row]) -> Option<Self> {
        let asked: Vec<&Row> = rows.iter().copied().filter(|row| row.subject_ranks.is_some()).collect();
        (!asked.is_empty()).then(|| Self {
            n: asked.len() as u32,
            with_body: Figures::new(asked.iter().map(|row| row.ranks.as_slice())),
            subject: Figures::new(asked.iter().filter_map(|row| row.subject_ranks.as_deref())),
        })
    }
}

/// Lines shown in a budget, and how that stands against chunks of plain text search.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Beside {
    /// The budget in tokens.
    pub budget: u32,
    /// Cases of which more changed lines are shown.
    pub lines: Paired,
}

impl Beside {
    fn all(rows: &[&Row]) -> Vec<Self> {
        let share = |share: Share| f64::from(share.hits) / f64::from(share.of.max(1));
        let of = |budget: u32| {
            let shown = rows.iter().filter_map(|row| row.shown.get(&budget)).filter(|shown| shown.lines.of > 0);
            let mut pairs = shown.map(|shown| (share(shown.lines), share(shown.chunk_lines))).peekable();
            pairs.peek()?;
            Some(Self { budget, lines: Paired::new(pairs) })
        };
        BUDGETS.into_iter().filter_map(of).collect()
    }
}

/// How right answers are that say they are so sure.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Sureness {
    /// `strong`, `weak` or `none`.
    pub certainty: String,
    /// How many say so.
    pub n: u32,
    /// Those whose gold files are all at the top.
    pub acc_1: f64,
    /// Those whose gold files are all among the first five.
    pub acc_5: f64,
}

impl Group {
    fn new(name: &str, rows: &[&Row]) -> Self {
        Self {
            name: name.to_owned(),
            n: rows.len() as u32,
            n_failed: rows.iter().filter(|row| row.problem.is_some()).count() as u32,
            files: Figures::new(rows.iter().map(|row| row.ranks.as_slice())),
            baseline: Figures::new(rows.iter().map(|row| row.baseline.as_slice())),
            symbols: SymbolFigures::new(rows),
            texts: TextFigures::all(rows),
        }
    }

    fn by(rows: &[&Row], name: impl Fn(&Row) -> String) -> Vec<Self> {
        grouped(rows, name).iter().map(|(name, rows)| Self::new(name, rows)).collect()
    }
}

impl Comparison {
    fn new(rows: &[&Row]) -> Self {
        let pairs = |of: &dyn Fn(&[Option<u32>]) -> f64| -> Paired {
            Paired::new(rows.iter().map(|row| (of(&row.ranks), of(&row.baseline))))
        };
        Self {
            name: "bm25",
            files: Figures::new(rows.iter().map(|row| row.baseline.as_slice())),
            mrr: pairs(&reciprocal),
            acc_5: pairs(&|ranks| f64::from(u8::from(all_within(ranks, FEW)))),
        }
    }
}

impl EvalReport {
    /// The report of some rows.
    pub fn new(cases: Vec<Row>) -> Self {
        // Rows of a file are of repositories that are not open.
        let rules_alone = redact::Masker::knowing_nothing();
        let cases: Vec<Row> = cases.into_iter().map(|row| row.safe(&rules_alone)).collect();
        let rows: Vec<&Row> = cases.iter().collect();
        // What was not answered said nothing of itself.
        let answered: Vec<&Row> = rows.iter().copied().filter(|row| row.problem.is_none()).collect();
        let sureness = |(certainty, rows): (String, Vec<&Row>)| {
            let Figures { acc_1, acc_5, .. } = Figures::new(rows.iter().map(|row| row.ranks.as_slice()));
            Sureness { certainty, n: rows.len() as u32, acc_1, acc_5 }
        };
        Self {
            schema: SCHEMA,
            all: Group::new("all", &rows),
            baseline: Comparison::new(&rows),
            bodies: Bodies::new(&rows),
            chunks: Beside::all(&rows),
            tiers: Group::by(&rows, |row| row.tier.name().to_owned()),
            languages: Group::by(&rows, |row| row.language.clone()),
            repositories: Group::by(&rows, |row| row.repo.clone()),
            certainty: grouped(&answered, |row| row.certainty.clone()).into_iter().map(sureness).collect(),
            cases,
        }
    }

    /// One JSON object, indented, with a line feed at the end.
    pub fn json(&self) -> String {
        // Writing strings and numbers to memory cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Tables for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let of_baseline = self.repositories.iter().map(|group| self.baseline.name.len() + 1 + group.name.chars().count());
        let width = self.groups().map(|group| group.name.chars().count()).chain(of_baseline).max().unwrap_or_default();
        files(&mut text, self, width);
        symbols(&mut text, self, width);
        texts(&mut text, self, width);
        let _ = writeln!(text, "\n{:<width$}    n  acc@1  acc@5", "certainty");
        for sure in &self.certainty {
            let _ = writeln!(text, "{:<width$} {:>4} {:>6.3} {:>6.3}", sure.certainty, sure.n, sure.acc_1, sure.acc_5);
        }
        let _ = writeln!(text, "\nAgainst {} on the same cases, exact two-sided sign test:", self.baseline.name);
        for (what, Paired { wins, losses, p }) in [("mrr", self.baseline.mrr), ("acc@5", self.baseline.acc_5)] {
            let _ = writeln!(text, "  {what:<5} {wins} better, {losses} worse, p = {p:.4}");
        }
        for Beside { budget, lines: Paired { wins, losses, p } } in &self.chunks {
            let what = format!("l{}", named(*budget));
            let _ = writeln!(text, "  {what:<5} {wins} better, {losses} worse, p = {p:.4} (against chunks of thirty lines)");
        }
        for row in self.cases.iter().filter(|row| row.problem.is_some()) {
            let _ = writeln!(text, "no answer: {}: {}", row.id, row.problem.as_deref().unwrap_or_default());
        }
        text
    }

    fn groups(&self) -> impl Iterator<Item = &Group> {
        [&self.all].into_iter().chain(&self.tiers).chain(&self.languages).chain(&self.repositories)
    }
}

/// What the lines are called of cases that have bodies.
const WITH_BODY: &str = "with body";
const SUBJECT: &str = "subject";

/// Stands where there is no figure.
const NO_FIGURE: &str = "-";

fn figure(figure: Option<f64>) -> String {
    figure.map_or_else(|| NO_FIGURE.to_owned(), |figure| format!("{figure:.3}"))
}

fn files(text: &mut String, report: &EvalReport, width: usize) {
    let _ = writeln!(text, "{:<width$}    n  acc@1  acc@5 acc@10    r@1    r@5   r@10   r@20    mrr others", "files");
    let mut line = |name: &str, n: u32, figures: &Figures| {
        let Figures { acc_1, acc_5, acc_10, r_1, r_5, r_10, r_20, mrr, others_10 } = figures;
        let others = figure(*others_10);
        let _ = writeln!(
            text,
            "{name:<width$} {n:>4} {acc_1:>6.3} {acc_5:>6.3} {acc_10:>6.3} {r_1:>6.3} {r_5:>6.3} {r_10:>6.3} {r_20:>6.3} {mrr:>6.3} {others:>6}"
        );
    };
    line(&report.all.name, report.all.n, &report.all.files);
    line(report.baseline.name, report.all.n, &report.baseline.files);
    if let Some(Bodies { n, with_body, subject }) = &report.bodies {
        line(WITH_BODY, *n, with_body);
        line(SUBJECT, *n, subject);
    }
    for group in report.groups().skip(1) {
        line(&group.name, group.n, &group.files);
    }
    for group in &report.repositories {
        line(&format!("{} {}", report.baseline.name, group.name), group.n, &group.baseline);
    }
}

fn symbols(text: &mut String, report: &EvalReport, width: usize) {
    let _ = writeln!(text, "\n{:<width$}    n  any@1  any@5 any@10  all@1  all@5 all@10    mrr", "symbols");
    for group in report.groups() {
        let Some(SymbolFigures { n, any_1, any_5, any_10, all_1, all_5, all_10, mrr }) = &group.symbols else { continue };
        let name = &group.name;
        let _ = writeln!(
            text,
            "{name:<width$} {n:>4} {any_1:>6.3} {any_5:>6.3} {any_10:>6.3} {all_1:>6.3} {all_5:>6.3} {all_10:>6.3} {mrr:>6.3}"
        );
    }
}

/// Budgets of which more than lines is told in tables.
const TOLD: [u32; 2] = [2_000, 8_000];

/// A budget as columns name it: `500`, `2k`.
fn named(budget: u32) -> String {
    if budget.is_multiple_of(1_000) { format!("{}k", budget / 1_000) } else { budget.to_string() }
}

fn texts(text: &mut String, report: &EvalReport, width: usize) {
    if report.all.texts.is_empty() {
        return;
    }
    let _ = write!(text, "\n{:<width$}    n", "lines shown");
    for what in ["l", "c"] {
        for figures in &report.all.texts {
            let _ = write!(text, " {:>6}", format!("{what}{}", named(figures.budget)));
        }
    }
    text.push('\n');
    for group in report.groups() {
        let _ = write!(text, "{:<width$} {:>4}", group.name, group.n);
        let lines = group.texts.iter().map(|figures| figures.lines);
        for share in lines.chain(group.texts.iter().map(|figures| figures.chunk_lines)) {
            let _ = write!(text, " {:>6}", figure(share));
        }
        text.push('\n');
    }
    let told =
        |group: &'_ Group| group.texts.iter().filter(|figures| TOLD.contains(&figures.budget)).cloned().collect::<Vec<_>>();
    let _ = write!(text, "\n{:<width$}    n", "shown in text");
    for figures in told(&report.all) {
        for what in ["b", "s", "g", "t"] {
            let _ = write!(text, " {:>6}", format!("{what}{}", named(figures.budget)));
        }
    }
    text.push('\n');
    for group in report.groups() {
        let _ = write!(text, "{:<width$} {:>4}", group.name, group.n);
        for TextFigures { tokens, paths, symbols, gold_code, .. } in told(group) {
            let _ = write!(text, " {paths:>6.3} {:>6} {gold_code:>6.3} {tokens:>6.0}", figure(symbols));
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shown, Tier};
    use std::collections::BTreeMap;

    fn row(id: &str, tier: Tier, certainty: &str, ranks: &[Option<u32>], baseline: &[Option<u32>]) -> Row {
        let share = |hits, of| Share { hits, of };
        let shown = Shown {
            tokens: 1_500,
            paths: share(1, 1),
            symbols: share(1, 2),
            lines: share(3, 4),
            gold_tokens: 600,
            chunk_lines: share(1, 4),
        };
        Row {
            id: id.to_owned(),
            repo: "a/b".to_owned(),
            language: "go".to_owned(),
            tier,
            fingerprint: String::new(),
            ranks: ranks.to_vec(),
            subject_ranks: (id == "3").then(|| vec![None, Some(3)]),
            symbol_ranks: vec![Some(2), None],
            n_listed: 3,
            certainty: certainty.to_owned(),
            shown: BTreeMap::from([(2_000, shown)]),
            baseline: baseline.to_vec(),
            top: Vec::new(),
            problem: None,
        }
    }

    #[test]
    fn the_report_groups_and_compares() {
        let rows = vec![
            row("1", Tier::Named, "strong", &[Some(1)], &[Some(3)]),
            row("2", Tier::Described, "weak", &[Some(7)], &[Some(2)]),
            row("3", Tier::Described, "strong", &[Some(1), Some(2)], &[Some(1), Some(9)]),
        ];
        let report = EvalReport::new(rows);
        let text = report.text();
        let expected = "\
files        n  acc@1  acc@5 acc@10    r@1    r@5   r@10   r@20    mrr others
all          3  0.333  0.667  1.000  0.500  0.667  1.000  1.000  0.714  1.000
bm25         3  0.000  0.667  1.000  0.167  0.833  1.000  1.000  0.611  1.000
with body    1  0.000  1.000  1.000  0.500  1.000  1.000  1.000  1.000  1.000
subject      1  0.000  0.000  0.000  0.000  0.500  0.500  0.500  0.333  0.000
described    2  0.000  0.500  1.000  0.250  0.500  1.000  1.000  0.571  1.000
named        1  1.000  1.000  1.000  1.000  1.000  1.000  1.000  1.000      -
";
        assert!(text.starts_with(expected), "{text}");
        assert!(
            text.contains("certainty    n  acc@1  acc@5\nstrong       2  0.500  1.000\nweak         1  0.000  0.000\n"),
            "{text}"
        );
        assert!(text.contains("  mrr   1 better, 1 worse, p = 1.0000\n  acc@5 1 better, 1 worse, p = 1.0000\n"), "{text}");
        assert!(text.contains("lines shown    n    l2k    c2k\nall          3  0.750  0.250\n"), "{text}");
        assert!(text.contains("    b2k    s2k    g2k    t2k\nall          3  1.000  0.500  0.400   1500\n"), "{text}");
        assert!(text.contains("  l2k   3 better, 0 worse, p = 0.2500"), "{text}");
        assert!(!text.contains("b8k"), "no text of that budget was made");
        let failed = Row { problem: Some("gone".to_owned()), ..row("4", Tier::Named, "none", &[None], &[None]) };
        assert_eq!(EvalReport::new(vec![failed]).certainty, [], "what was not answered was not sure of anything");
    }

    #[test]
    fn the_json_form_follows_its_committed_schema() {
        let written = serde_json::to_string_pretty(&schemars::schema_for!(EvalReport)).expect("a schema is JSON") + "\n";
        expect_test::expect_file!["../packets/schema/eval.schema.json"].assert_eq(&written);
    }
}
