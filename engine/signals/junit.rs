//! `JUnit` XML, which most runners of tests can write: nextest, gotestsum, vitest, jest and many more.
//!
//! Must not expand entities or read definitions of types, and must not trust what it is given for its depth.

use super::failure::{self, Failure};
use super::go_tests::{self, Package};
use super::input::{Head, Input};
use super::output::Output;
use super::{Place, Report, Status, TestResult, jest, jest_json, libtest, nextest, surefire, vitest};
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// The most elements inside each other; reports have six.
const MAX_DEPTH: usize = 64;

/// Who ran the tests, where the report does not say.
const RUNNER: &str = "junit";

/// How a report names its runner: the name of all suites together, of a suite or of a property.
const RUNNERS: [(&str, &str); 6] = [
    ("nextest-run", nextest::RUNNER),
    ("vitest tests", vitest::RUNNER),
    ("jest tests", jest::RUNNER),
    ("go.version", go_tests::RUNNER),
    ("pytest", "pytest"),
    ("pytest tests", "pytest"),
];

/// Where a report says how it is made, with the name of Maven's runner.
const SCHEMA: &str = "xsi:noNamespaceSchemaLocation";

/// With what a report begins, and what may stand before that.
const ROOTS: [&str; 3] = ["testsuites", "testsuite", "testcase"];
const BEFORE: [(&str, &str); 2] = [("<?", "?>"), ("<!--", "-->")];

/// Elements that say that a test failed.
const FAILURES: [&str; 4] = ["failure", "error", "flakyFailure", "flakyError"];

/// What the harness of Rust's tests calls its suites and their packages, and classes of tests that are not the module of a test.
const HARNESS: &str = "test";
const NO_MODULES: [&str; 2] = ["crate", "integration"];

/// What gotestsum calls a package that failed while none of its tests did.
const GO_PACKAGE: &str = "TestMain";

/// Between titles where jest's report is told to write them apart, and in its other formats.
const JEST_BETWEEN: [&str; 2] = [" \u{203a} ", " > "];

/// The most failures of one test that are told apart: it may have one for each of its checks.
const MAX_FAILURES: usize = 16;

/// Elements with what a test wrote, which Rust's harness writes in the place of a failure.
const PRINTED: [&str; 2] = ["system-out", "system-err"];

/// How files of Rust end, and of Python.
const RUST: &str = ".rs";
const PYTHON: &str = ".py";

/// The most bytes of a reference to a letter: `&#x10FFFF;`.
const MAX_REFERENCE_BYTES: usize = 16;

/// What stands for a message where the runner has none.
const NO_MESSAGE: &str = "Failed";

/// Why a report is not read to its end.
const TYPES: &str =
    "the report defines types of its own (DOCTYPE), which is refused: write it without; what stands before is kept";
const DEEP: &str = "elements are nested deeper than 64 levels; what stands before is kept";
const CUT: &str = "the text ends within an element; what was complete is kept";

/// Whether a text begins as a report does.
pub(super) fn recognise(head: &Head) -> bool {
    let mut rest = head.text.trim_start();
    // What may stand before the first element.
    while let Some((_, behind)) = BEFORE.iter().find_map(|(start, end)| rest.strip_prefix(start)?.split_once(end)) {
        rest = behind.trim_start();
    }
    let start = ["<!DOCTYPE", "<"].iter().find_map(|start| rest.strip_prefix(start)).unwrap_or_default().trim_start();
    let name = start.split([' ', '\t', '\r', '\n', '>', '/', '[']).next().unwrap_or_default();
    ROOTS.contains(&name.rsplit(':').next().unwrap_or_default())
}

/// Whether a line that begins with `<` can be the first of a report.
pub(super) fn may_begin(line: &str) -> bool {
    let start = line.trim_start_matches('<').split(char::is_whitespace).next().unwrap_or_default();
    start.starts_with(['?', '!']) || ROOTS.iter().any(|root| start.contains(root))
}

/// Reads a report.
pub(super) fn read(input: &mut Input<'_>, report: &mut Report) {
    let first_line = input.n_lines();
    let text = input.rest();
    let mut reader = Reader::from_str(&text);
    reader.config_mut().allow_dangling_amp = true;
    let mut junit = Junit::default();
    // Behind the last element; and whether what follows may be of others, where the report breaks off.
    let (mut last, mut is_refused) = (0, false);
    let fault = loop {
        let event = match reader.read_event() {
            Ok(Event::Eof) if junit.depth == 0 => break None,
            Ok(Event::Eof) => break Some((reader.buffer_position(), CUT.to_owned())),
            Ok(Event::DocType(_)) => {
                is_refused = true;
                break Some((reader.buffer_position(), TYPES.to_owned()));
            }
            Ok(event) => event,
            Err(fault) => break Some((reader.error_position(), format!("no valid XML: {fault}; what stands before is kept"))),
        };
        let is_end = matches!(event, Event::End(_) | Event::Empty(_));
        if !matches!(event, Event::Text(_) | Event::GeneralRef(_)) {
            last = reader.buffer_position() as usize;
        }
        junit.event(event, report);
        if junit.depth > MAX_DEPTH {
            is_refused = true;
            break Some((reader.buffer_position(), DEEP.to_owned()));
        }
        if is_end && junit.depth == 0 {
            break None;
        }
    };
    let is_told = junit.told > 0;
    junit.end(report);
    let at = (reader.buffer_position() as usize).min(text.len());
    if let Some((at, why)) = &fault {
        let before = text.get(..*at as usize).unwrap_or(&text);
        let n_lines = before.bytes().filter(|byte| *byte == b'\n').count();
        let column = before.len() - before.rfind('\n').map_or(0, |last| last + 1);
        report.unreadable(first_line.saturating_add(n_lines as u32 + 1), column as u32 + 1, why);
    }
    let end = match fault {
        None => at,
        Some(_) if is_refused => text.len(),
        // It goes on with the next line; what an element still holds where the text ends may be of others, unless it is told of a test.
        Some((fault, why)) => {
            let from = if is_told || why != CUT { fault as usize } else { last };
            let behind = text.get(from..).unwrap_or_default();
            from + behind.find('\n').map_or(behind.len(), |end| end + 1)
        }
    };
    let end = end.min(text.len());
    input.give_back(text, end);
}

/// A suite that is open.
#[derive(Debug)]
struct Suite {
    depth: usize,
    runner: &'static str,
    name: String,
    file: String,
}

/// A test that is open.
#[derive(Debug, Default)]
struct Case {
    depth: usize,
    class: String,
    name: String,
    place: Option<Place>,
    status: Status,
    message: String,
    /// One for each failure.
    texts: Vec<Output>,
    printed: Output,
}

#[derive(Default)]
struct Junit {
    depth: usize,
    /// With what stands around all of them at the first place.
    suites: Vec<Suite>,
    case: Option<Case>,
    /// How deep the element stands whose text is read, or 0.
    told: usize,
    /// Whether that is what a test wrote.
    is_printed: bool,
    package: Package,
}

impl Junit {
    fn event(&mut self, event: Event<'_>, report: &mut Report) {
        match event {
            Event::Start(element) => {
                self.depth += 1;
                self.open(&element);
            }
            Event::Empty(element) => {
                self.depth += 1;
                self.open(&element);
                self.close(report);
            }
            Event::End(_) => self.close(report),
            Event::Text(text) => self.text(&text),
            Event::CData(text) => self.text(&text),
            Event::GeneralRef(name) => self.text(&unescaped(&format!("&{};", &*name))),
            _ => {}
        }
    }

    fn open(&mut self, element: &BytesStart<'_>) {
        let name = element.local_name();
        let depth = self.depth;
        match name.as_ref() {
            "testsuites" | "testsuite" => {
                let (name, file) = (attribute(element, "name"), attribute(element, "file"));
                let is_harness = name == HARNESS && attribute(element, "package") == HARNESS;
                let by_harness = is_harness.then_some(libtest::RUNNER);
                let by_maven = attribute(element, SCHEMA).contains(surefire::RUNNER).then_some(surefire::RUNNER);
                let runner = runner(&name).or(by_harness).or(by_maven).unwrap_or(self.runner());
                let name = if element.local_name().as_ref() == "testsuite" { name } else { String::new() };
                self.suites.push(Suite { depth, runner, name, file });
            }
            "property" => {
                let runner = runner(&attribute(element, "name"));
                if let Some((suite, runner)) = self.suites.last_mut().zip(runner) {
                    suite.runner = runner;
                }
            }
            "testcase" if self.case.is_none() => {
                let (path, line) = (attribute(element, "file"), attribute(element, "line"));
                self.case = Some(Case {
                    depth,
                    class: attribute(element, "classname"),
                    name: attribute(element, "name"),
                    place: Some(Place::at(&path, line.parse().unwrap_or_default(), 0)).filter(|place| !place.path.is_empty()),
                    status: Status::Passed,
                    ..Case::default()
                });
            }
            name => {
                let Some(case) = self.case.as_mut().filter(|case| case.depth + 1 == depth) else { return };
                self.is_printed = PRINTED.contains(&name);
                if self.is_printed {
                    self.told = depth;
                    return;
                }
                let status = match name {
                    "skipped" | "disabled" => Status::Skipped,
                    _ if FAILURES.contains(&name) => Status::Failed,
                    _ => return,
                };
                if case.status == Status::Passed {
                    (case.status, case.message) = (status, attribute(element, "message"));
                }
                if case.texts.len() < MAX_FAILURES {
                    case.texts.push(Output::default());
                }
                self.told = depth;
            }
        }
    }

    fn close(&mut self, report: &mut Report) {
        if self.told == self.depth {
            self.text("\n");
            self.told = 0;
        }
        if let Some(case) = self.case.take_if(|case| case.depth == self.depth) {
            self.finish(&case, report);
        }
        if let Some(suite) = self.suites.pop_if(|suite| suite.depth == self.depth) {
            self.package.give_out(&suite.name, report);
            report.understood();
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn text(&mut self, text: &str) {
        let Some(case) = self.case.as_mut().filter(|_| self.told > 0) else { return };
        let printed = Some(&mut case.printed).filter(|_| self.is_printed);
        if let Some(output) = printed.or(case.texts.last_mut().filter(|_| !self.is_printed)) {
            output.push(text);
        }
    }

    fn runner(&self) -> &'static str {
        self.suites.last().map_or(RUNNER, |suite| suite.runner)
    }
}

impl Junit {
    fn finish(&mut self, case: &Case, report: &mut Report) {
        let path = case.place.as_ref().map(|place| place.path.as_str());
        let runner = self.runner();
        let (suite, name) = self.named(case, path, runner);
        if runner == go_tests::RUNNER && name == GO_PACKAGE && case.status == Status::Failed {
            let text = case.texts.iter().map(Output::text).collect::<Vec<_>>().join("\n");
            return self.package.add_unfinished(&suite, &suite, &text, report);
        }
        let folder = if runner == go_tests::RUNNER { suite.as_str() } else { "" };
        let told = if case.message == NO_MESSAGE { "" } else { case.message.as_str() };
        let mut texts: Vec<String> = case.texts.iter().map(Output::text).filter(|text| !text.trim().is_empty()).collect();
        if runner == libtest::RUNNER && texts.is_empty() {
            // As it is written elsewhere: below what the test wrote.
            let note = if told.is_empty() { String::new() } else { format!("\nnote: {told}") };
            texts.push(case.printed.text() + &note);
        } else if texts.is_empty() {
            texts.push(told.to_owned());
        }
        let is_file = runner == jest::RUNNER && texts.iter().any(|text| jest::is_of_suite(text));
        let read = |text: &String| if is_file { jest::of_suite(text) } else { failure::failure(text, folder) };
        let failure: Failure = texts.iter().map(read).reduce(jest_json::joined).unwrap_or_default();
        let is_told = failure.is_known && !failure.message.is_empty() || told.is_empty() || runner == libtest::RUNNER;
        let file = self.suites.last().map(|suite| &suite.file).filter(|file| !file.is_empty()).map(|file| Place::at(file, 0, 0));
        // The suites of vitest are files.
        let of_suite = Some(Place::at(&suite, 0, 0)).filter(|_| runner == vitest::RUNNER);
        let stands = failure
            .place
            .clone()
            .or_else(|| texts.last().and_then(|text| raised(text)))
            .or_else(|| libtest::example(&name))
            .or(case.place.clone())
            .or(file)
            .or(of_suite);
        let result = TestResult {
            runner: runner.to_owned(),
            place: stands.filter(|_| case.status != Status::Passed),
            status: case.status,
            message: if is_told { failure.message } else { told.to_owned() },
            frames: failure.frames,
            name: if is_file && !suite.is_empty() { suite.clone() } else { name },
            suite,
        };
        if runner == go_tests::RUNNER {
            self.package.add_result(result, failure.is_panic, report);
        } else {
            report.test(result);
        }
    }

    /// The suite and the name of a test, as the other formats of its runner have them.
    fn named(&self, case: &Case, path: Option<&str>, runner: &str) -> (String, String) {
        let is_class = !case.class.is_empty() && case.class != case.name;
        let named = || self.suites.iter().rev().map(|suite| suite.name.as_str()).find(|name| !name.is_empty());
        if runner == libtest::RUNNER {
            let (class, name) = (case.class.as_str(), case.name.as_str());
            let name = match class {
                "" => name.to_owned(),
                _ if NO_MODULES.contains(&class) => name.to_owned(),
                // An example in a comment of this file.
                _ if class.ends_with(RUST) => format!("{class} - {name}"),
                _ => format!("{class}::{name}"),
            };
            return (String::new(), name);
        }
        if runner == jest::RUNNER && is_class && !case.class.contains('/') {
            // Told to, it writes the titles around a test apart from its own.
            let apart = |text: &str| text.replace(JEST_BETWEEN[0], JEST_BETWEEN[1]);
            let name = format!("{}{}{}", apart(&case.class), JEST_BETWEEN[1], apart(&case.name));
            return (path.or(named()).unwrap_or_default().to_owned(), name);
        }
        let suite = Some(case.class.as_str()).filter(|_| is_class).or(path).or(named()).unwrap_or_default();
        (suite.to_owned(), case.name.clone())
    }

    /// Gives out what is open where the text ends.
    fn end(&mut self, report: &mut Report) {
        if let Some(case) = self.case.take_if(|case| case.status == Status::Failed) {
            self.finish(&case, report);
        }
        self.package.give_out("", report);
    }
}

/// The runner that a suite or a property is named after.
fn runner(name: &str) -> Option<&'static str> {
    RUNNERS.iter().find(|(known, _)| *known == name).map(|(_, runner)| *runner)
}

/// Where Python says that a test stopped, in the last line: `tests/test_login.py:2: AssertionError`.
fn raised(text: &str) -> Option<Place> {
    let (place, error) = text.trim_end().lines().next_back()?.split_once(": ")?;
    let is_name = error.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '_'));
    Place::written(place).filter(|place| is_name && place.path.ends_with(PYTHON))
}

/// The value of an attribute, or nothing. Line ends in it stay.
fn attribute(element: &BytesStart<'_>, name: &str) -> String {
    let mut attributes = element.attributes();
    let found = attributes.with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name);
    found.map(|found| unescaped(&found.value)).unwrap_or_default()
}

/// Text with the letters for which references stand. Others are never expanded.
fn unescaped(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        kept.push_str(before);
        let end = after.bytes().take(MAX_REFERENCE_BYTES).position(|byte| byte == b';');
        let found = end.map(|end| (&after[..end], &after[end + 1..]));
        let letter = found.and_then(|(name, _)| {
            let letter = BytesRef::new(name).resolve_char_ref().ok().flatten();
            letter.map(String::from).or_else(|| resolve_xml_entity(name).map(str::to_owned))
        });
        kept.push_str(letter.as_deref().unwrap_or("&"));
        rest = found.filter(|_| letter.is_some()).map_or(after, |(_, rest)| rest);
    }
    kept + rest
}
