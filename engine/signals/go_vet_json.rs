//! `go vet -json`: an object a package, over several lines, with `# import/path` between them.
//!
//! Must not read objects without a place of vet: other programs write some over several lines too.

use super::input::Line;
use super::lenient::{EachFilled, Fill, InPlace, Text};
use super::{Diagnostic, LineReader, Place, Report, json};
use serde::de::{DeserializeSeed as _, MapAccess};
use std::mem;

/// What the place of a finding is called.
const PLACE: &str = "\"posn\":";
/// The brackets of an object over several lines, which alone are not indented.
const OPEN: &str = "{";
const CLOSE: &str = "}";
/// What vet writes where it finds nothing, as other programs may.
const NOTHING: &str = "{}";

/// What an analyzer says that failed, instead of findings, and what stands above the objects of vet.
const FAULT: &str = "\"error\":";
const HEADER: &str = "# ";

/// The most bytes of an object: ten thousand findings.
const MAX_OBJECT_BYTES: usize = 4 << 20;

/// Reads the objects.
#[derive(Default)]
pub(super) struct GoVetJson {
    /// The lines of the object so far, and the number of the first.
    object: Option<Line>,
    /// Whether the name of a package stands above the line, and above the object.
    is_below_header: bool,
    is_of_vet: bool,
    all: All,
}

/// What all the lines of the text say so far, beside the names of packages.
#[derive(Default, PartialEq)]
enum All {
    #[default]
    Blank,
    /// That nothing was found.
    Nothing,
    /// Something else as well.
    More,
}

/// The packages of an object, and the analyzers of a package.
struct Packages<'r>(&'r mut Report);
struct Analyzers<'r, 'p>(&'r mut Report, &'p str);

/// What an analyzer found, or why it failed.
#[derive(Default)]
struct Finding {
    posn: Text,
    end: Text,
    message: Text,
    error: Text,
}

impl LineReader for GoVetJson {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        if let Some(object) = &mut self.object {
            let is_inside = line.text.starts_with([' ', '\t']);
            let is_name = || line.text.trim_start().starts_with('"');
            if is_inside && object.text.len() <= MAX_OBJECT_BYTES && (object.text != OPEN || is_name()) || line.text == CLOSE {
                object.text.push('\n');
                object.text.push_str(&line.text);
                if !is_inside {
                    self.close(report);
                }
                return true;
            }
            self.close(report);
        }
        if line.text == NOTHING {
            if self.all == All::Blank {
                self.all = All::Nothing;
            }
            return true;
        }
        if !line.text.starts_with(HEADER) && !line.text.trim().is_empty() {
            self.all = All::More;
        }
        if line.text.starts_with("{\"") && line.text.contains(PLACE) {
            read(line, report);
            return true;
        }
        let is_of_vet = mem::replace(&mut self.is_below_header, line.text.starts_with(HEADER));
        if line.text == OPEN {
            self.is_of_vet = is_of_vet;
            self.object = Some(Line { text: OPEN.to_owned(), number: line.number });
            return is_of_vet;
        }
        false
    }

    fn end(&mut self, report: &mut Report) {
        self.close(report);
        if self.all == All::Nothing {
            report.understood();
        }
    }
}

impl GoVetJson {
    /// Reads the object that ends, if it is of vet.
    fn close(&mut self, report: &mut Report) {
        if let Some(object) = mem::take(&mut self.object)
            .filter(|object| object.text.contains(PLACE) || self.is_of_vet && object.text.contains(FAULT))
        {
            read(&object, report);
        }
    }
}

fn read(object: &Line, report: &mut Report) {
    report.understood();
    let read = InPlace(&mut Packages(report)).deserialize(&mut serde_json::Deserializer::from_str(&object.text));
    if let Err(fault) = read {
        json::say(&fault, object.number, 0, report);
    }
}

impl Fill for Packages<'_> {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        members.next_value_seed(InPlace(&mut Analyzers(self.0, name)))?;
        Ok(true)
    }
}

impl Fill for Analyzers<'_, '_> {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        let Self(report, package) = self;
        members.next_value_seed(EachFilled::new(|finding: Finding| {
            let place = Place::written(&finding.posn.0).map(|place| {
                let end_line = Place::written(&finding.end.0).map_or(place.line, |end| end.line);
                Place { end_line, ..place.within(package) }
            });
            let message = match finding.error.0.as_str() {
                "" => finding.message.0,
                fault => format!("the analyzer failed: {fault}"),
            };
            // What has no words is cut, and that is said, or holds nothing.
            if message.is_empty() {
                return;
            }
            let (tool, code) = ("go vet".to_owned(), name.to_owned());
            report.diagnostic(Diagnostic { tool, code, place, message, ..Diagnostic::default() });
        }))?;
        Ok(true)
    }
}

impl Fill for Finding {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        let text = match name {
            "posn" => &mut self.posn,
            "end" => &mut self.end,
            "message" => &mut self.message,
            "error" => &mut self.error,
            _ => return Ok(false),
        };
        *text = members.next_value()?;
        Ok(true)
    }
}
