//! What a caller of the library knows of failures, in the short forms of a session state.
//!
//! Loses nothing: what does not fit the form is a message without a place.

use super::{Diagnostic, Place, Report, Severity, Status, TestResult};

/// Adds diagnostics of the form `severity:file:line:message`, and names of failing tests.
pub fn given(diagnostics: &[String], failing_tests: &[String], report: &mut Report) {
    for text in diagnostics {
        report.diagnostic(diagnostic(text));
    }
    for name in failing_tests {
        report.test(TestResult { name: name.clone(), status: Status::Failed, ..TestResult::default() });
    }
}

/// Reads `severity:file:line:message`; a text that does not say how bad it is counts as an error.
fn diagnostic(text: &str) -> Diagnostic {
    let (severity, rest) = match text.split_once(':') {
        Some((word, rest)) => match word.trim().to_ascii_lowercase().as_str() {
            "error" => (Severity::Error, rest),
            "warning" => (Severity::Warning, rest),
            "note" => (Severity::Note, rest),
            _ => (Severity::Error, text),
        },
        None => (Severity::Error, text),
    };
    // A drive letter or a colon in a path would be read as its end; such paths are not repository paths.
    let place = rest.split_once(':').and_then(|(path, rest)| {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let line = rest[..digits].parse().ok()?;
        let message = rest[digits..].strip_prefix(':')?;
        let path = path.trim().trim_start_matches("./");
        (!path.is_empty()).then(|| (Place { path: path.to_owned(), line, end_line: line, ..Place::default() }, message))
    });
    let message = place.as_ref().map_or(rest, |(_, message)| message).trim();
    // A word of severity alone is still said.
    let message = if message.is_empty() { text.trim() } else { message };
    Diagnostic { severity, place: place.map(|(place, _)| place), message: message.to_owned(), ..Diagnostic::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_is_read_in_its_parts_and_never_lost() {
        let read = |text: &str| {
            let found = diagnostic(text);
            let place = found.place.map_or_else(String::new, |place| format!("{}:{} ", place.path, place.line));
            format!("{:?} {place}{}", found.severity, found.message)
        };
        assert_eq!(read("error:a/b.go:45:undefined: X"), "Error a/b.go:45 undefined: X");
        assert_eq!(read("Warning:./a.ts:3: unused"), "Warning a.ts:3 unused");
        assert_eq!(read("linker failed: no main"), "Error linker failed: no main");
        assert_eq!(read("error:"), "Error error:");
        assert_eq!(read("error:a:99999999999:x"), "Error a:99999999999:x");
    }
}
