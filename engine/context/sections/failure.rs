//! A diagnostic or a failing test as lines: what is wrong, where, and what the tool says of it.
//!
//! Two forms: with details, and one line.

use super::{Safe, View, score};
use crate::pieces::{About, Entry, Piece};
use crate::state::SessionItem;
use intent::failures::{LocatedDiagnostic, LocatedTest, Spot};
use redact::{Masker, Trust};
use signals::{Place, Severity};

/// The most lines of a message, of notes and of frames that are shown.
const MAX_MESSAGE_LINES: usize = 12;
const MAX_NOTES: usize = 4;
const MAX_FRAMES: usize = 6;
const MAX_GUESSES: usize = 2;

/// What is said of a place that only the name of a function leads to.
const GUESSED: &str = " (by its name; the path is of built code)";

/// `  error:path:line: message [code] (tool)`, the symbol around it, and what the tool adds.
pub(super) fn diagnostic(view: &View<'_>, item: &SessionItem, located: &LocatedDiagnostic) -> Entry {
    let diagnostic = &located.diagnostic;
    let severity = match diagnostic.severity {
        Severity::Error => Safe::fixed("error"),
        Severity::Warning => Safe::fixed("warning"),
        Severity::Note => Safe::fixed("note"),
    };
    let message = view.masker.message(&diagnostic.message);
    let mut message = message.lines();
    let first = message.next().unwrap_or_default();
    let place =
        diagnostic.place.as_ref().map_or_else(Safe::default, |place| Safe::format(":{}", &[&written(view, place, located.spot)]));
    let code = wrapped(view.masker, " [{}]", &diagnostic.code);
    let tool = wrapped(view.masker, " ({})", &diagnostic.tool);
    let line = Safe::format("  {}{}: {}{}{}", &[&severity, &place, &first, &code, &tool]);
    let mut details = quoted(message);
    details.extend(inside(view, located.spot, diagnostic.place.as_ref()));
    details.extend(mapped(view, located.spot));
    details.extend(moved(located.spot));
    let is_known_otherwise = |spot: &Spot| (spot.is_guess || spot.map.is_some()) && located.spot != Some(*spot);
    let through = located.frames.iter().map(|(_, spot)| *spot).filter(is_known_otherwise).map(|spot| {
        let ground = if spot.is_guess { Safe::fixed(GUESSED) } else { by_map(view, spot, " (by the source map of {})") };
        Safe::format("    through {}{}", &[&named(view, spot), &ground])
    });
    details.extend(through.take(MAX_GUESSES));
    for note in diagnostic.notes.iter().take(MAX_NOTES) {
        let at = note.place.as_ref().map_or_else(Safe::default, |place| Safe::format(" ({})", &[&plain(view.masker, place)]));
        details.push(Safe::format("    {}{}", &[&view.masker.line(&note.message), &at]));
    }
    entry(view, "diagnostic", item, located.spot, line, details)
}

/// `  - name (runner)`, where it failed, what it says, and the way there.
pub(super) fn test(view: &View<'_>, item: &SessionItem, located: &LocatedTest) -> Entry {
    let result = &located.result;
    // A file that fails as a whole is called by its path, which may be that of another machine.
    let file = located.spot.filter(|_| result.name == result.suite).map(|spot| view.path(spot.file));
    let name = file.unwrap_or_else(|| view.masker.name(&result.name));
    let line = Safe::format("  - {}{}", &[&name, &wrapped(view.masker, " ({})", &result.runner)]);
    let mut details = Vec::new();
    let ids: Vec<Safe> = located.tests.iter().map(|test| view.id(*test)).collect();
    match ids.as_slice() {
        [] if result.runner.is_empty() || result.name == result.suite => {}
        [] => details.push(Safe::fixed("    (no test of this name was found in the repository)")),
        [id] => details.push(Safe::format("    is {}", &[id])),
        ids => details.push(Safe::format("    is one of {}", &[&Safe::join(ids, ", ")])),
    }
    if let Some(place) = &result.place {
        details.push(Safe::format("    failed at {}", &[&written(view, place, located.spot)]));
        details.extend(stale(located.spot));
        details.extend(mapped(view, located.spot));
    }
    details.extend(quoted(view.masker.message(&result.message).lines()));
    // Closures and wrappers of one function are one step for a reader.
    let mut steps: Vec<&(usize, Spot)> = located.frames.iter().collect();
    steps.dedup_by_key(|(_, spot)| spot.symbol.map_or((spot.file, spot.line), |symbol| (symbol, 0)));
    let frames = steps.iter().take(MAX_FRAMES).map(|(number, spot)| {
        let written = result.frames.get(*number).map(|frame| frame.function.as_str()).unwrap_or_default();
        let function = spot.symbol.and_then(|symbol| view.base.symbol(symbol)).map(|row| row.local_id);
        let function = wrapped(view.masker, "{} ", function.unwrap_or(written));
        let ground = if spot.is_guess { Safe::fixed("; by its name") } else { by_map(view, *spot, "; by the source map of {}") };
        Safe::format("{}({}{})", &[&function, &at(view, *spot), &ground])
    });
    let frames: Vec<Safe> = frames.collect();
    let is_said = |spot: &Spot| Some(*spot) == located.spot;
    if !located.frames.iter().all(|(_, spot)| is_said(spot)) {
        let more = steps.len().saturating_sub(MAX_FRAMES);
        let more = if more > 0 { Safe::format(" and {} more", &[&Safe::number(more as i64)]) } else { Safe::default() };
        details.push(Safe::format("    through {}{}", &[&Safe::join(&frames, " < "), &more]));
    }
    details.extend(moved(located.spot.into_iter().chain(located.frames.iter().map(|(_, spot)| *spot))));
    let spot = located.tests.first().and_then(|test| Some((view.base.file_of(*test), view.base.symbol(*test)?)));
    let spot = spot.map(|(file, row)| Spot {
        file,
        line: row.lines.0,
        symbol: Some(row.node),
        is_stale: false,
        may_have_moved: false,
        is_guess: false,
        map: None,
    });
    entry(view, "failing_test", item, spot.filter(|_| located.tests.len() == 1).or(located.spot), line, details)
}

fn entry(view: &View<'_>, kind: &'static str, item: &SessionItem, spot: Option<Spot>, line: Safe, details: Vec<Safe>) -> Entry {
    let about = About {
        kind,
        id: spot.and_then(|spot| spot.symbol).map(|symbol| view.id(symbol)),
        path: spot.map(|spot| view.path(spot.file)),
        lines: spot.filter(|spot| spot.line > 0).map(|spot| (spot.line, spot.line)),
        score: score(view, item.id),
        trust: Some(Trust::Log),
        ..About::default()
    };
    let short = view.counter.line(line.clone());
    let pieces = std::iter::once(line).chain(details).map(Piece::Line).collect();
    Entry::new(about, vec![view.counter.form(pieces), short])
}

/// A place in the repository by its path there, else as the tool writes it.
fn written(view: &View<'_>, place: &Place, spot: Option<Spot>) -> Safe {
    let Some(spot) = spot.filter(|spot| !spot.is_guess) else { return plain(view.masker, place) };
    if spot.map.is_some() {
        return at(view, spot);
    }
    plain(view.masker, &Place { path: view.base.path(spot.file).to_owned(), ..place.clone() })
}

fn plain(masker: &Masker, place: &Place) -> Safe {
    let number = |number: u32| if number == 0 { Safe::default() } else { Safe::format(":{}", &[&Safe::number(number)]) };
    let column = if place.line == 0 { 0 } else { place.column };
    Safe::format("{}{}{}", &[&masker.name(&place.path), &number(place.line), &number(column)])
}

/// The definition that a frame of built code is most likely of, with its place.
fn named(view: &View<'_>, spot: Spot) -> Safe {
    let symbol = spot.symbol.and_then(|symbol| view.base.symbol(symbol));
    Safe::format("{}{}", &[&wrapped(view.masker, "{} ", symbol.map_or("", |row| row.local_id)), &at(view, spot)])
}

fn at(view: &View<'_>, spot: Spot) -> Safe {
    plain(view.masker, &Place { path: view.base.path(spot.file).to_owned(), line: spot.line, ..Place::default() })
}

/// The symbol around a diagnostic; that the repository has no such place, where it has not.
fn inside(view: &View<'_>, spot: Option<Spot>, place: Option<&Place>) -> Option<Safe> {
    let Some(spot) = spot else {
        return place.map(|_| Safe::fixed("    (the repository has no such file, or several)"));
    };
    if spot.is_guess {
        return Some(Safe::format("    in {}{}", &[&named(view, spot), &Safe::fixed(GUESSED)]));
    }
    if place.is_none() && spot.map.is_some() {
        return stale(Some(spot)).or_else(|| Some(Safe::format("    in {}", &[&named(view, spot)])));
    }
    let symbol = spot.symbol.and_then(|symbol| view.base.symbol(symbol));
    stale(Some(spot)).or_else(|| {
        symbol.map(|row| {
            let pieces = [
                &Safe::fixed(row.kind.word()),
                &view.masker.name(row.local_id),
                &Safe::number(row.lines.0),
                &Safe::number(row.lines.1),
            ];
            Safe::format("    in {} {}, lines {} to {}", &pieces)
        })
    })
}

/// That a file has no such line any more.
fn stale(spot: Option<Spot>) -> Option<Safe> {
    let is_stale = spot.is_some_and(|spot| spot.is_stale);
    is_stale.then(|| Safe::fixed("    (the file has no such line: it changed since; run the tool again)"))
}

/// By which source map a place is known, in a line of its own.
fn mapped(view: &View<'_>, spot: Option<Spot>) -> Option<Safe> {
    let said = spot.map_or_else(Safe::default, |spot| by_map(view, spot, "    (by the source map of {})"));
    (!said.as_str().is_empty()).then_some(said)
}

/// The built file by whose source map a place is known, in a sentence; nothing where the place itself was named.
fn by_map(view: &View<'_>, spot: Spot, sentence: &'static str) -> Safe {
    let built = spot.map.and_then(|map| view.failures.maps.get(map as usize));
    wrapped(view.masker, sentence, built.map_or("", String::as_str))
}

/// That lines may not be those that are meant any more.
fn moved(spots: impl IntoIterator<Item = Spot>) -> Option<Safe> {
    let may_have_moved = spots.into_iter().any(|spot| spot.may_have_moved);
    may_have_moved.then(|| Safe::fixed("    (a file is newer than this: its lines may have moved; run the tool again)"))
}

/// What a tool says, line by line, marked as its words.
fn quoted(lines: impl Iterator<Item = Safe>) -> Vec<Safe> {
    let mut quoted = Vec::new();
    for line in lines.filter(|line| !line.as_str().trim().is_empty()) {
        if quoted.len() == MAX_MESSAGE_LINES {
            quoted.push(Safe::fixed("    | …"));
            break;
        }
        quoted.push(Safe::format("    | {}", &[&line]));
    }
    quoted
}

/// A name in our words; nothing where there is none.
fn wrapped(masker: &Masker, sentence: &'static str, name: &str) -> Safe {
    if name.is_empty() { Safe::default() } else { Safe::format(sentence, &[&masker.name(name)]) }
}
