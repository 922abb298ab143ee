//! Annotations of GitHub Actions, as tools write them into the log: `::error file=app.js,line=10,col=15::message`.
//!
//! Must not read those without a file: they say that a step failed, and what failed stands above.

use super::input::Line;
use super::{Diagnostic, LineReader, Place, Report, Severity};

/// What begins one, and what stands before its message.
const GRADES: [(&str, Severity); 3] =
    [("::error ", Severity::Error), ("::warning ", Severity::Warning), ("::notice ", Severity::Note)];
const MESSAGE: &str = "::";

/// How letters are written that would end a part, the one that begins them last.
const ESCAPES: [(&str, &str); 5] = [("%0A", "\n"), ("%0D", ""), ("%3A", ":"), ("%2C", ","), ("%25", "%")];

/// Reads them.
#[derive(Default)]
pub(super) struct Github;

impl LineReader for Github {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let found = annotation(line.text.trim());
        found.map(|found| report.diagnostic(found)).is_some()
    }

    fn end(&mut self, _: &mut Report) {}
}

fn annotation(text: &str) -> Option<Diagnostic> {
    let (rest, severity) = GRADES.iter().find_map(|(start, severity)| Some((text.strip_prefix(start)?, *severity)))?;
    let (properties, message) = rest.split_once(MESSAGE)?;
    let property = |name: &str| {
        let all = properties.split(',').filter_map(|property| property.trim().split_once('='));
        all.into_iter().find(|(key, _)| *key == name).map(|(_, value)| unescaped(value))
    };
    let number = |name: &str| property(name).and_then(|value| value.parse::<u32>().ok());
    let file = property("file").filter(|file| !file.is_empty())?;
    let place = Place::at(&file, number("line").unwrap_or_default(), number("col").unwrap_or_default());
    let end_line = number("endLine").unwrap_or_default().max(place.line);
    Some(Diagnostic {
        severity,
        code: property("title").unwrap_or_default(),
        place: Some(Place { end_line, ..place }),
        message: unescaped(message),
        ..Diagnostic::default()
    })
}

fn unescaped(text: &str) -> String {
    ESCAPES.iter().fold(text.to_owned(), |text, (written, meant)| text.replace(written, meant))
}
