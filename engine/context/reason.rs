//! Why a node is shown, as a short phrase.

use super::view::{View, file_name};
use crate::activation::{Active, Reason};
use activate_rules::atoms::{Cue, NodeId};
use activate_rules::links::{Confidence, LinkKind};
use index::base::SymbolRow;
use intent::CueHit;
use redact::{Masker, Safe};
use signals::Severity;

/// The most words of the intent that a reason lists.
const MAX_WORDS: usize = 3;
/// The most steps from a file to the symbol in it that is the reason. Reasons that point at each other end here.
const MAX_STEPS: usize = 2;
/// File names that many files have: the folder is named with them.
const COMMON_NAMES: [&str; 8] = ["mod.rs", "lib.rs", "main.rs", "main.go", "index.ts", "index.tsx", "index.js", "types.ts"];

/// Why a node is active: `calls ValidateToken (line 23)`.
pub(super) fn reason(view: &View<'_>, active: &Active) -> Safe {
    let mut active = active;
    // "Holds X" says less than why X matters.
    for _ in 0..MAX_STEPS {
        match active.reason {
            Reason::Holds(symbol) => match view.active(symbol).filter(|held| !matches!(held.reason, Reason::StandsIn(_))) {
                Some(held) if matches!(held.reason, Reason::Named(_) | Reason::Failure(_)) => {
                    return Safe::format("holds {}: {}", &[&name(view, symbol), &reason(view, held)]);
                }
                Some(held) => active = held,
                None => break,
            },
            _ => break,
        }
    }
    // What led here from another repository says more than the way from there within the file.
    if let Reason::Link { via, .. } = active.reason
        && view.base.file_of(via) == view.base.file_of(active.node)
        && let Some(first) = view.active(via).filter(|first| is_led_to(view, first))
    {
        active = first;
    }
    match &active.reason {
        Reason::Named(how) => view.masker.line(how),
        Reason::Words(words) => by_words(view, active.node, words),
        Reason::Link { kind, via, line, confidence } => linked(view, active.node, *kind, *via, *line, *confidence),
        Reason::Tests(subject) => {
            let rule = by_rule(view, view.activation.custom.test_of(active.node, *subject));
            Safe::format("tests {}{}", &[&name(view, *subject), &rule])
        }
        Reason::Holds(symbol) => Safe::format("holds {}", &[&name(view, *symbol)]),
        Reason::StandsIn(file) => Safe::format("stands in {}", &[&name(view, *file)]),
        Reason::Failure(severity) => lies_in_it(*severity),
        Reason::Touched => Safe::fixed("changed in this session"),
    }
}

/// Whether a link from another repository speaks for a node.
fn is_led_to(view: &View<'_>, active: &Active) -> bool {
    let linked = &view.activation.custom.linked;
    let mut hits = view.activation.intent.cue_hits.iter().filter(|hit| hit.node == active.node && hit.cue == Cue::Rule);
    matches!(active.reason, Reason::Words(_)) && hits.any(|hit| hit.words.iter().any(|word| linked.contains(word)))
}

/// `, rule house.dl:3`, where a rule of the user says so.
fn by_rule(view: &View<'_>, rule: Option<&str>) -> Safe {
    rule.map_or_else(Safe::default, |rule| Safe::format(", rule {}", &[&view.masker.name(rule)]))
}

/// The most steps that are named between a node and what it reaches.
const MAX_WAY: usize = 3;

/// How a node reaches a target: `reaches ValidateToken through Server.Handle > Guard.Wrap`.
pub(super) fn through(view: &View<'_>, target: NodeId, steps: &[NodeId]) -> Safe {
    let mut names: Vec<Safe> = steps.iter().take(MAX_WAY).map(|step| name(view, *step)).collect();
    if steps.len() > MAX_WAY {
        names.push(Safe::fixed("…"));
    }
    Safe::format("reaches {} through {}", &[&name(view, target), &Safe::join(&names, " > ")])
}

/// The link of a node to another: `calls ValidateToken, line 23`.
pub(super) fn linked(
    view: &View<'_>,
    node: NodeId,
    kind: LinkKind,
    via: NodeId,
    line: Option<u32>,
    confidence: Confidence,
) -> Safe {
    let sure = match confidence {
        Confidence::Exact | Confidence::Qualified => "",
        Confidence::Unique => ", by name",
        Confidence::AmongTwo => ", one of 2 candidates",
        Confidence::AmongThree => ", one of 3 candidates",
        Confidence::AmongFour => ", one of 4 candidates",
    };
    let is_place = matches!(kind, LinkKind::Contains | LinkKind::ContainedBy);
    let rule = view.activation.custom.link_between(node, via, kind, confidence);
    if matches!(kind, LinkKind::ServedBy | LinkKind::Serves) && rule.is_none() {
        return by_route(view, node, kind, via, line);
    }
    let line = match line.filter(|_| !is_place) {
        Some(line) if rule.is_none() => site(view, node, kind, via, line),
        _ => by_rule(view, rule),
    };
    Safe::format("{} {}{}{}", &[&Safe::fixed(phrase(kind)), &name(view, via), &line, &Safe::fixed(sure)])
}

/// What asks for what is served: `asks for POST /api/login of login, line 5`, `serves signIn POST /api/login, line 5 of client.ts`.
fn by_route(view: &View<'_>, node: NodeId, kind: LinkKind, via: NodeId, line: Option<u32>) -> Safe {
    let asks = kind == LinkKind::ServedBy;
    let (from, to) = if asks { (node, via) } else { (via, node) };
    let text = view.base.served_text(from, to, None).unwrap_or_default();
    let route = view.masker.name(text);
    let line = line.map_or_else(Safe::default, |line| site(view, node, kind, via, line));
    let name = name(view, via);
    if text.starts_with("generated code of ") {
        return if asks {
            Safe::format("declares what {} is generated from{}", &[&name, &line])
        } else {
            Safe::format("is generated from {}{}", &[&name, &line])
        };
    }
    if asks {
        Safe::format("asks for {} of {}{}", &[&route, &name, &line])
    } else {
        Safe::format("serves {} {}{}", &[&name, &route, &line])
    }
}

/// The most words behind a place.
const MAX_REASON_WORDS: usize = 8;

/// The first words of a reason: the whole stands in the JSON form and in `activate why`.
pub(super) fn short_reason(masker: &Masker, reason: &Safe) -> Safe {
    let words: Vec<&str> = reason.as_str().split(' ').collect();
    if words.len() <= MAX_REASON_WORDS {
        return reason.clone();
    }
    // What is made of safe words is safe: names and words were masked as wholes before.
    masker.line(words[..MAX_REASON_WORDS].join(" ").trim_end_matches([',', ';', ':']))
}

/// `words: token, claims`, those that only commits which changed it say told apart: `words: token; commit words: claims`.
fn by_words(view: &View<'_>, node: NodeId, words: &[String]) -> Safe {
    let hits: Vec<&CueHit> = view.activation.intent.cue_hits.iter().filter(|hit| hit.node == node).collect();
    let says = |word: &String, is_commit: bool| {
        hits.iter().any(|hit| (hit.cue == Cue::History) == is_commit && hit.words.contains(word))
    };
    let is_of_commit = |word: &&String| says(word, true) && !says(word, false);
    let (of_commits, own): (Vec<&String>, Vec<&String>) = words.iter().partition(is_of_commit);
    let n_commit_words = MAX_WORDS.saturating_sub(own.len());
    let list = |words: &[&String], most| {
        let words: Vec<Safe> = words.iter().take(most).map(|word| view.masker.name(word)).collect();
        Safe::join(&words, ", ")
    };
    let (own, of_commits) = (list(&own, MAX_WORDS), list(&of_commits, n_commit_words));
    let rule = hits.iter().find(|hit| hit.cue == Cue::Rule).and_then(|hit| hit.words.first());
    let is_link = |rule: &String| view.activation.custom.linked.contains(rule);
    let sentence = |rule: &String| if is_link(rule) { "{}" } else { "rule {}" };
    let rule = rule.map(|rule| Safe::format(sentence(rule), &[&view.masker.name(rule)]));
    let by_words = match (own.is_empty(), of_commits.is_empty()) {
        (true, true) => return rule.unwrap_or_else(|| Safe::format("words: {}", &[&own])),
        (false, true) => Safe::format("words: {}", &[&own]),
        (true, false) => Safe::format("commit words: {}", &[&of_commits]),
        (false, false) => Safe::format("words: {}; commit words: {}", &[&own, &of_commits]),
    };
    rule.map_or(by_words.clone(), |rule| Safe::format("{}; {}", &[&rule, &by_words]))
}

/// `, line 23`, with the file where it is neither that of the node nor named already: `, line 23 of main.go`.
fn site(view: &View<'_>, node: NodeId, kind: LinkKind, via: NodeId, line: u32) -> Safe {
    let line = Safe::number(line);
    // A relation is written where it starts: at the caller, whichever way the link is walked.
    let starts_there = kind as u8 > kind.reverse() as u8;
    let file = view.base.file_of(via);
    if starts_there && file != via && file != view.base.file_of(node) {
        Safe::format(", line {} of {}", &[&line, &name(view, file)])
    } else {
        Safe::format(", line {}", &[&line])
    }
}

/// The same with why its file is active, where all that is said of a symbol is about its own file: `its file: words: claims`.
pub(super) fn full_reason(view: &View<'_>, active: &Active) -> Safe {
    let own = view.base.file_of(active.node);
    let (file, is_more) = match &active.reason {
        Reason::StandsIn(file) => (*file, false),
        Reason::Link { kind, via, .. } => (*via, *kind != LinkKind::ContainedBy),
        _ => return reason(view, active),
    };
    match view.active(file).filter(|file| file.node == own && file.node != active.node) {
        Some(file) if is_more => Safe::format("{}; its file: {}", &[&reason(view, active), &reason(view, file)]),
        Some(file) => Safe::format("its file: {}", &[&reason(view, file)]),
        None => reason(view, active),
    }
}

/// That something is said of code, by how bad it is.
pub(super) fn lies_in_it(severity: Severity) -> Safe {
    Safe::fixed(match severity {
        Severity::Error => "a failure lies in it",
        Severity::Warning => "a warning lies in it",
        Severity::Note => "a note lies in it",
    })
}

/// A short name of a node: a symbol within its file, a file with as many of its folders as tell it from others of the packet, a package.
pub(super) fn name(view: &View<'_>, node: NodeId) -> Safe {
    if let Some(symbol) = view.base.symbol(node) {
        return local_name(view.masker, &symbol);
    }
    let id = view.base.id(node);
    if !view.base.is_file(node) {
        return view.masker.name(&id);
    }
    if view.sources.repository.is_some() {
        return view.id(node);
    }
    let file = file_name(&id);
    let namesakes = view.namesakes(file);
    let mut ends = id.rmatch_indices('/').map(|(at, _)| &id[at + 1..]).skip(usize::from(COMMON_NAMES.contains(&file)));
    let is_other = |other: &&str, end: &str| {
        **other != *id && other.strip_suffix(end).is_some_and(|rest| rest.ends_with('/') || rest.is_empty())
    };
    let is_own = |end: &&str| !namesakes.iter().any(|other| is_other(other, end));
    view.masker.name(ends.find(is_own).unwrap_or(&id))
}

/// The name of a symbol within its file, to be read: without the counters that tell namesakes apart. Line or id say which of them is meant.
pub fn local_name(masker: &Masker, symbol: &SymbolRow<'_>) -> Safe {
    let is_counter =
        |part: &str| part.strip_prefix('~').is_some_and(|n| !n.is_empty() && n.bytes().all(|digit| digit.is_ascii_digit()));
    if !symbol.local_id.contains('~') {
        return masker.name(symbol.local_id);
    }
    let parts: Vec<&str> = symbol.local_id.split('.').filter(|part| !is_counter(part)).collect();
    masker.name(&parts.join("."))
}

fn phrase(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Imports => "imports",
        LinkKind::ImportedBy => "imported by",
        LinkKind::Calls => "calls",
        LinkKind::CalledBy => "called by",
        LinkKind::References => "uses",
        LinkKind::ReferencedBy => "used by",
        LinkKind::Implements => "implements",
        LinkKind::ImplementedBy => "implemented by",
        LinkKind::Extends => "extends",
        LinkKind::ExtendedBy => "extended by",
        LinkKind::Contains => "holds",
        LinkKind::ContainedBy => "part of",
        LinkKind::ChangedWith => "often changes with",
        LinkKind::ServedBy => "asks for what is served by",
        LinkKind::Serves => "serves",
    }
}
