//! Reads a line of a stack trace as a part of a frame, and keeps of all frames those of a repository.
//!
//! Goes by the form alone: must not know which files a repository has.

use super::built::{Origin, is_served};
use super::place::{is_installed, looks_like_path};
use super::report::MAX_FRAMES;
use super::trace::{self, OFFSET, numbered};
use super::{Frame, Place};

/// What paths of no file of a repository begin with.
const FOREIGN_PATHS: [&str; 11] = [
    "node:",
    "node_modules/",
    "bun:",
    "deno:",
    "ext:",
    "library/std/",
    "library/core/",
    "library/alloc/",
    "library/test/",
    "nptl/",
    "csu/",
];

/// What paths of functions begin with in the runtime and the test harness of Rust.
const RUST_RUNTIME: [&str; 7] = ["std::", "core::", "alloc::", "test::", "__rust", "doctest_", "fn("];

/// What functions begin with in the runtime and the test harness of Go.
const GO_RUNTIME: [&str; 4] = ["runtime.", "runtime/", "testing.", "reflect."];

/// The function of Go that panics.
const GO_PANIC: &str = "panic";

/// What stands behind the last frame of an error that has more than a message.
const PROPERTIES: &str = " {";

/// How many frames of installed code are kept of one failure, the innermost: most are of libraries, and say nothing.
const MAX_BUILT: usize = 8;

/// Places that a JavaScript engine names instead of a file.
const NOWHERE: [&str; 4] = ["<anonymous>", "native", "index ", "wasm"];

/// Where the source of Go's runtime and test harness stands below its root.
const GO_SOURCES: [&str; 2] = ["/src/runtime/", "/src/testing/"];

/// How files of Go end.
const GO: &str = "go";

/// What stands between a module of Go and its version in the folder of a library.
const GO_VERSION: &str = "@v";

/// How many letters the hash of a function has.
const HASH_LETTERS: usize = 16;

/// A line of a stack trace.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FrameLine<'t> {
    /// A frame in one line.
    Whole(Frame),
    /// A function, whose place may stand in the next line.
    Function(&'t str),
    /// The place of the function in the line above.
    Place(Place),
    /// A line that names nothing.
    Furniture,
}

/// Reads a line; `next` is the one below, `is_inside` says that lines of a trace stand above, `is_numbered` that its frames are numbered.
pub(super) fn read<'t>(line: &'t str, next: &str, is_inside: bool, is_numbered: bool) -> Option<FrameLine<'t>> {
    let inner = line.trim();
    if let Some(frame) = at_line(inner) {
        let is_place_of_numbered = is_numbered && frame.function.is_empty();
        return match frame.place {
            Some(place) if is_place_of_numbered => Some(FrameLine::Place(place)),
            _ => Some(FrameLine::Whole(frame)),
        };
    }
    if let Some(function) = numbered(inner) {
        return is_numbered.then_some(FrameLine::Function(without_hash(function)));
    }
    let trace = trace::read(line, next, is_inside)?;
    if let Some(trace::Frame::Place { .. }) = trace.frame {
        return Place::written(inner.split(OFFSET).next().unwrap_or_default()).map(FrameLine::Place);
    }
    let is_of_go = inner.ends_with(')') || inner.starts_with("created by ");
    Some(if is_of_go { FrameLine::Function(go_function(inner)) } else { FrameLine::Furniture })
}

/// `at f (x.ts:8:27)`, `at async f (file:///x.ts:8:27)`, `at ./src/x.rs:10:5`, `❯ f src/x.ts:4:5`.
fn at_line(line: &str) -> Option<Frame> {
    let (rest, is_arrow) = match line.strip_prefix("at ") {
        Some(rest) => (rest.trim(), false),
        None => (line.strip_prefix("❯ ")?.trim(), true),
    };
    let rest = rest.strip_prefix("async ").unwrap_or(rest);
    // Behind the last frame may stand what else the error has.
    let rest = rest.strip_suffix(PROPERTIES).unwrap_or(rest);
    let (function, place) = match rest.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some(both) => both,
        None if is_arrow => rest.rsplit_once(' ').unwrap_or(("", rest)),
        None => ("", rest),
    };
    let is_nowhere = NOWHERE.iter().any(|start| place.starts_with(start));
    let is_built = is_served(place);
    // `at 10:30` is said of meetings as well.
    let place =
        Place::written(place).filter(|place| place.path.contains('/') || looks_like_path(&place.path) || !function.is_empty());
    (place.is_some() || is_nowhere).then(|| Frame {
        function: function.to_owned(),
        place: place.filter(|_| !is_nowhere),
        is_built,
    })
}

/// The name of a function of Rust, without the hash behind it.
fn without_hash(written: &str) -> &str {
    let hash = written.rsplit_once("::h").filter(|(_, hash)| hash.len() == HASH_LETTERS && is_hash(hash));
    hash.map_or(written, |(name, _)| name)
}

fn is_hash(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The name of a function of Go, without the addresses of its arguments.
fn go_function(written: &str) -> &str {
    if let Some(creator) = written.strip_prefix("created by ") {
        return creator.split(" in goroutine ").next().unwrap_or_default();
    }
    written.rsplit_once('(').map_or(written, |(name, _)| name)
}

/// The root of Go's own sources, if a frame stands in them for sure.
pub(super) fn go_root(frame: &Frame) -> Option<&str> {
    let path = &frame.place.as_ref()?.path;
    let folder = GO_SOURCES.iter().filter(|_| is_go_runtime(&frame.function)).find_map(|folder| path.find(folder));
    folder.map(|at| &path[..at])
}

/// Whether a frame is one of a runtime, a test harness or a library.
fn is_foreign(frame: &Frame) -> bool {
    let function = trace::function_path(&frame.function);
    // `core[c1f1a4ba060b9bfa]::fmt::write`: crates are written so where two could have one name.
    let crate_hash = function.split_once('[').and_then(|(name, rest)| Some((name, rest.split_once(']')?)));
    let function = match crate_hash {
        Some((name, (hash, rest))) if is_hash(hash) => [name, rest].concat(),
        _ => function,
    };
    let is_rust_runtime = RUST_RUNTIME.iter().any(|start| function.starts_with(start));
    let Some(place) = &frame.place else {
        // Without a place only a path of names says where a function belongs.
        return is_rust_runtime || !function.contains("::");
    };
    let path = &place.path;
    let is_of_go = is_go(path);
    is_foreign_path(path) || is_of_go && is_go_runtime(&frame.function) || !is_of_go && is_rust_runtime
}

/// Whether a path is one of a file of Go.
pub(super) fn is_go(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extension == GO)
}

fn is_go_runtime(function: &str) -> bool {
    function == GO_PANIC || GO_RUNTIME.iter().any(|start| function.starts_with(start))
}

/// Whether a path is one of a runtime or a library.
pub(super) fn is_foreign_path(path: &str) -> bool {
    FOREIGN_PATHS.iter().any(|start| path.starts_with(start)) || is_installed(path) || is_go(path) && path.contains(GO_VERSION)
}

/// Whether a frame is none of the repository, which `go_root`, the root of Go's own sources, may tell.
pub(super) fn is_cut(frame: &Frame, go_root: Option<&str>) -> bool {
    let is_in_root = |place: &Place| {
        let inner = go_root.and_then(|root| place.path.strip_prefix(root));
        inner.is_some_and(|rest| rest.starts_with("/src/"))
    };
    is_foreign(frame) || frame.place.as_ref().is_some_and(is_in_root)
}

/// Whether a frame is one of a package that was installed, which may be the repository's own.
fn is_of_package(frame: &Frame) -> bool {
    frame.place.as_ref().is_some_and(|place| {
        let is_runtime = !is_go(&place.path) && RUST_RUNTIME.iter().any(|start| frame.function.starts_with(start));
        !is_runtime && Origin::of(&place.path).is_some()
    })
}

/// The frames that may be the repository's: its own, and the innermost of packages that were installed, marked as such.
pub(super) fn kept(frames: impl IntoIterator<Item = Frame>, go_root: Option<&str>) -> Vec<Frame> {
    let (mut kept, mut n_built) = (Vec::new(), 0);
    for mut frame in frames {
        if is_cut(&frame, go_root) {
            if n_built == MAX_BUILT || !is_of_package(&frame) {
                continue;
            }
            n_built += 1;
            frame.is_built = true;
        }
        if kept.len() < MAX_FRAMES {
            kept.push(frame);
        }
    }
    // What calls the repository's code is a harness or a framework: of no use where that is known.
    let n_inner = kept.iter().rposition(|frame| !is_cut(frame, go_root)).map_or(kept.len(), |last| last + 1);
    kept.truncate(n_inner);
    kept
}

/// The frames that may be the repository's, with the place among them where a program says that it stopped.
pub(super) fn own_frames(frames: &[Frame], stopped: Option<&Place>, go_root: Option<&str>) -> Vec<Frame> {
    let mut frames = kept(frames.iter().cloned(), go_root);
    let Some(stopped) = stopped else { return frames };
    if is_foreign_path(&stopped.path) {
        let here = Frame { place: Some(stopped.clone()), is_built: true, ..Frame::default() };
        let is_known = |frame: &Frame| frame.place.as_ref().is_some_and(|place| place.path == stopped.path);
        if is_of_package(&here) && !frames.iter().any(is_known) {
            frames.insert(0, here);
        }
        return frames;
    }
    // Frames are relative to where the program runs, which for tests is below the folder that the place is relative to; or absolute.
    let folder_of = |frame: &Frame| {
        let inner = frame
            .place
            .as_ref()
            .filter(|inner| !frame.is_built && (inner.line, inner.column) == (stopped.line, stopped.column))?;
        if inner.path.ends_with(&stopped.path) {
            return Some(String::new());
        }
        stopped.path.strip_suffix(&inner.path)?.strip_suffix('/').map(str::to_owned)
    };
    let found = frames.iter().enumerate().find_map(|(at, frame)| Some((at, folder_of(frame)?)));
    let Some((at, folder)) = found else {
        frames.insert(0, Frame { place: Some(stopped.clone()), ..Frame::default() });
        return frames;
    };
    for place in frames.iter_mut().filter_map(|frame| frame.place.as_mut()).filter(|place| !place.is_absolute()) {
        folder.clone_into(&mut place.folder);
    }
    frames[at].place = Some(stopped.clone());
    frames
}

/// Adds a frame, unless it is there, or is the closure in which a harness calls the test above.
pub(super) fn add(frames: &mut Vec<Frame>, frame: Frame) {
    let is_harness = |last: &Frame| {
        !last.function.is_empty() && frame.function.strip_prefix(&last.function).is_some_and(|rest| rest.starts_with("::{"))
    };
    if !frames.last().is_some_and(is_harness) && !frames.contains(&frame) {
        frames.push(frame);
    }
}
