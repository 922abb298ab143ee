//! Section 3: the code around the task, from what is likely meant to how to test it.
//!
//! Goes deep before it goes wide: a whole function that matters is worth more than ten signatures.

use super::affected::Affected;
use super::code::{STOP_SHARE, code};
use super::follow_on;
use super::impact::{dependencies, impacted, notes, subject};
use super::outline::outlines;
use super::review;
use super::tests_to_run::tests_to_run;
use super::{Draft, Entry, Safe, Section, View, more, more_nodes};
use crate::activation::Active;
use crate::fill::{Compression, Cut, Group, Step, WHY};
use crate::pieces::{About, Form, Piece};
use crate::reason::{reason, short_reason};
use crate::view::{Pin, is_share};
use crate::worth::{Worth, Worths};
use activate_rules::atoms::NodeId;
use activate_rules::atoms::Thousandths;
use index::base::FactBase;
use index::completeness::{Completeness, Subject};
use redact::{LongLines, Trust};
use rustc_hash::FxHashSet;

/// The most likely files.
const MAX_LIKELY: usize = 20;

/// The most likely files beside those of a change.
const MAX_BESIDE: usize = 8;

/// The first of them, of which code is most likely shown.
const MAX_BARE: usize = 5;

/// The place of the impacted files among the groups.
const IMPACTED: usize = 3;

/// The turn of the first tests to run beside a change: behind its names, before its hunks.
const FIRST_TESTS: usize = 25_000;

/// The kind of a file that usually changes with what does.
const PARTNER: &str = "missing_change";

/// The turns of the lists beside a change: behind its hunks, before other code.
const LISTS: usize = 1_000_000;

/// From so many failing tests on their code fills any budget, and no room would be left for the command that runs them.
const MANY_FAILING: usize = 10;

const LIKELY: &str = "LIKELY FILES (most likely first):";

pub(super) fn draft(view: &View<'_>) -> Draft {
    let counter = view.counter;
    let affected = Affected::new(view);
    let (impacted, impacted_files) = impacted(view, &affected);
    let (tests, listed_tests) = tests_to_run(view, &affected);
    let (nodes, left_out) = subject(view);
    let n_gone = view.sources.review.map_or(0, |review| review.n_gone);
    let gone = (n_gone > 0).then(|| format!("{n_gone} definitions go: only uses of them that are sure are known"));
    let open: Vec<String> = left_out.into_iter().chain(gone).collect();
    let (base, unseen) = (view.base, view.sources.unseen);
    let mut lists = Lists::default();
    // Code is read and cut to size while somebody else looks for what the lists lack.
    let (code, worths, n_unseen) = rayon::in_place_scope(|scope| {
        scope.spawn(|_| lists = Lists::new(base, &nodes, unseen, &open, &impacted_files, &listed_tests));
        code(view)
    });
    let Lists { mut using, used, tested } = lists;
    if let Some(using) = using.as_mut().filter(|_| view.sources.used_elsewhere) {
        using.lacks("other repositories use what is meant: `activate fleet impact` lists them".to_owned());
    }
    let packing = &view.activation.weights.packing;
    let part = |entries: Vec<Entry>, part: Thousandths| -> Vec<Entry> {
        let worth = Worths::all().part(part);
        entries.into_iter().enumerate().map(|(n, entry)| entry.worth(worth.nth(n))).collect()
    };
    let shown: FxHashSet<Option<Safe>> = code.iter().map(|entry| entry.about.path.clone()).collect();
    let of_file = |entry: Entry, part: Thousandths| {
        let file = entry.about.path.as_ref().and_then(|path| base.file_at(path.as_str()));
        let worth = file.map(|file| worths.of_file(file)).unwrap_or_default().part(part);
        entry.worth(worth)
    };
    // The first files are named whatever their passages are worth: who has none of its own can still be what is meant.
    let likely = likely(view).into_iter().enumerate().map(|(n, mut entry)| {
        // Above the code of a file it is said why that is shown.
        if shown.contains(&entry.about.path) && n < MAX_BARE {
            entry.shrink();
        }
        let entry = of_file(entry, packing.name);
        let least = Worths::all().part(packing.likely).nth(n);
        let worth = entry.worth.max(least);
        // The likeliest file is named in any case.
        entry.worth(if n == 0 && view.sources.review.is_none() { Worth::URGENT } else { worth })
    });
    let outlines = outlines(view).into_iter().filter(|entry| !shown.contains(&entry.about.path));
    let outlines = outlines.map(|entry| of_file(entry, packing.outline)).collect();
    let changed = view.sources.review.into_iter().flat_map(|review| review.files.iter().filter_map(|file| file.file));
    let named: FxHashSet<NodeId> = likely_files(view).map(|file| file.node).chain(changed).collect();
    let (dependencies, n_more) = dependencies(view, &named);
    // That all are named above, or that there are more, is known of them.
    let is_known = dependencies.is_empty() && n_more > 0;
    let used = used.filter(|_| !is_known).map(|mut used| {
        if n_more > 0 {
            used.lacks(format!("{n_more} more are named above or not listed"));
        }
        used
    });
    let of_code =
        notes(view, &code.iter().filter_map(|entry| base.file_at(entry.about.path.as_ref()?.as_str())).collect::<Vec<_>>());
    let mut code = Group::new(counter, "TARGET CODE:", code, Cut { indent: "", noun: "passages", how: WHY });
    code.are_passages = true;
    code.n_unseen = n_unseen;
    // Files that are not tracked, or generated, have fences of their own, which are counted with their headers.
    code.fences = counter.fences(Trust::Tracked);
    let (mut impacted, mut dependencies, mut tests) =
        (part(impacted, packing.impacted), part(dependencies, packing.dependency), part(tests, packing.test));
    // Whoever mends what fails runs it again.
    if let Some(first) = tests.first_mut().filter(|_| view.failures.tests.len() >= MANY_FAILING) {
        first.worth = Worth::URGENT;
    }
    // What changes comes first.
    let mut all = review::groups(view);
    if view.sources.review.is_some() {
        // Who reviews a change needs to know what it may break more than what else stands around it.
        let partners = all.iter_mut().flat_map(|group| &mut group.entries).filter(|entry| entry.about.kind == PARTNER);
        let lists = [&mut impacted, &mut tests, &mut dependencies].into_iter().flatten();
        let lists = partners.chain(lists);
        for (at, entry) in lists.enumerate() {
            (entry.worth, entry.turn) = (Worth::URGENT, LISTS + at);
        }
        if let Some(first) = tests.first_mut() {
            first.turn = FIRST_TESTS;
        }
    }
    let groups = vec![
        Group::new(counter, LIKELY, likely.collect(), more_nodes("files")),
        code,
        Group::new(counter, "OUTLINE OF LIKELY FILES (name and line):", outlines, more("files")).quiet(),
        Group::new(counter, "IMPACTED FILES (may need updates):", impacted, more_nodes("files"))
            .quiet()
            .stating(counter, "impacted_file", using)
            .bare(Worths::all().part(packing.impacted)),
        Group::new(counter, "DEPENDENCY CONTEXT:", dependencies, more("dependencies"))
            .quiet()
            .stating(counter, "dependency", used)
            .bare(Worths::all().part(packing.dependency)),
        Group::new(counter, "CODE CONTEXT:", part(of_code, packing.note), more("notes")).quiet(),
        Group::new(counter, "TESTS TO RUN:", tests, more_nodes("commands"))
            .quiet()
            .stating(counter, "test_command", tested)
            .bare(Worths::all().part(packing.test)),
    ];
    all.extend(follow_on::group(view));
    let compression = vec![(Compression::Impacted, Step::OneHop(IMPACTED + all.len()))];
    all.extend(groups);
    let names_left_out = view.sources.review.map(|_| counter);
    Draft { by_worth: true, compression, names_left_out, ..Draft::new(Section::Neighbourhood, all) }
}

/// How complete each list is, where it is about code.
#[derive(Default)]
struct Lists {
    using: Option<Completeness>,
    used: Option<Completeness>,
    tested: Option<Completeness>,
}

impl Lists {
    fn new(
        base: &FactBase,
        nodes: &[NodeId],
        unseen: &[String],
        open: &[String],
        impacted: &FxHashSet<NodeId>,
        tests: &FxHashSet<NodeId>,
    ) -> Self {
        let subject = Subject::new(base, nodes, unseen);
        let state = |of: &dyn Fn(&Subject<'_>) -> Completeness| {
            let mut completeness = subject.as_ref().map(of)?;
            for reason in open {
                completeness.lacks(reason.clone());
            }
            Some(completeness)
        };
        Self {
            using: state(&|subject| subject.of_users(Some(impacted))),
            used: state(&|subject| subject.of_dependencies()),
            tested: state(&|subject| subject.of_tests(tests)),
        }
    }
}

/// The files that are most likely meant: path, score, reason.
fn likely(view: &View<'_>) -> Vec<Entry> {
    likely_files(view).map(|file| file_line(view, "likely_file", file)).collect()
}

/// The files that are listed as likely, best first.
pub(super) fn likely_files<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Active> {
    let files = &view.activation.files;
    let most = if view.sources.review.is_some() { MAX_BESIDE } else { MAX_LIKELY };
    let is_new = |file: &&Active| view.sources.review.is_none_or(|review| !review.has(file.node));
    let best = files.iter().map(|file| file.score).max().unwrap_or_default();
    files.iter().filter(is_new).filter(move |file| is_share(file.score, best, STOP_SHARE)).take(most)
}

/// `  - path (reason)`, or without the reason.
fn file_line(view: &View<'_>, kind: &'static str, file: &Active) -> Entry {
    let (path, why) = (view.path(file.node), reason(view, file));
    let line = Safe::format("  - {} ({})", &[&path, &short_reason(view.masker, &why)]);
    let short = Safe::format("  - {}", &[&path]);
    let about = About {
        kind,
        id: Some(path.clone()),
        path: Some(path),
        score: Some(file.score),
        tier: Some(file.tier),
        reason: Some(why),
        trust: Some(view.trust(file.node)),
        hops: file.hops,
        ..About::default()
    };
    Entry::new(about, vec![view.counter.line(line), view.counter.line(short)])
}

/// The pinned code in full; it stands above everything else in the section.
pub(crate) fn pins(view: &View<'_>) -> Vec<(About, Form)> {
    let shown = |pin: &Pin| {
        let text = view.text(pin.file)?;
        let (first, last) = pin.lines.unwrap_or((1, text.n_lines()));
        let last = last.min(text.n_lines());
        let path = view.path(pin.file);
        let custom = &view.activation.custom;
        let rule = custom.pins.iter().find(|(node, _)| Pin::of(view.base, *node) == Some(*pin));
        let why = rule.map_or(Safe::fixed("pinned"), |(_, rule)| {
            Safe::format("pinned, rule {}", &[&view.masker.name(custom.place(*rule))])
        });
        let header = Safe::format("{}:{}-{} ({})", &[&path, &Safe::number(first), &Safe::number(last), &why]);
        let code = view.code(&text, first..=last, LongLines::Whole);
        let trust = view.trust(pin.file);
        let about = About {
            kind: "pin",
            id: Some(path.clone()),
            path: Some(path),
            lines: Some((first, last)),
            reason: Some(why),
            trust: Some(trust),
            ..About::default()
        };
        Some((about, view.counter.form(vec![Piece::Line(Safe::default()), Piece::Line(header), Piece::Fenced(trust, code)])))
    };
    view.sources.pins.iter().filter_map(shown).collect()
}
