//! The names of the program: `activate`, and `activate-context` for whoever has another `activate` on PATH.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

/// The first name, which texts use.
pub(super) const NAME: &str = "activate";

/// The second name, of a link or copy that is installed beside the first.
pub(super) const SECOND_NAME: &str = "activate-context";

/// The name by which this process was called.
pub(super) fn called() -> &'static str {
    static CALLED: OnceLock<&str> = OnceLock::new();
    CALLED.get_or_init(|| of(std::env::args_os().next().as_deref()))
}

/// The name in the first argument of a process: any other file name is the first name, for an answer must not depend on where it lies.
fn of(argument: Option<&OsStr>) -> &'static str {
    let stem = argument.map(Path::new).and_then(Path::file_stem);
    if stem.is_some_and(|stem| stem == SECOND_NAME) { SECOND_NAME } else { NAME }
}

/// A help or an error of the command line, with the name by which the program was called in its lines of usage.
pub(super) fn in_usage(text: &str, called: &str) -> String {
    if called == NAME {
        return text.to_owned();
    }
    let mut is_usage = false;
    let lines = text.split_inclusive('\n').map(|line| {
        is_usage = line.starts_with("Usage:") || (is_usage && line.starts_with("  "));
        match line.split_once(NAME) {
            Some((before, after)) if is_usage && after.starts_with([' ', '\n']) => format!("{before}{called}{after}"),
            _ => line.to_owned(),
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_usage_have_the_name_that_was_called() {
        let called = |path: &str| of(Some(OsStr::new(path)));
        assert_eq!(
            ["activate", "/usr/bin/activate-context", "activate-context.exe", "x"].map(called),
            [NAME, SECOND_NAME, SECOND_NAME, NAME]
        );
        let help = "About activate it\n\nUsage: activate [OPTIONS]\n       activate COMMAND\n\n  activate it\n";
        assert_eq!(in_usage(help, NAME), help);
        let second = "About activate it\n\nUsage: activate-context [OPTIONS]\n       activate-context COMMAND\n\n  activate it\n";
        assert_eq!(in_usage(help, SECOND_NAME), second);
        assert_eq!(in_usage("Usage: activate-context why\n", SECOND_NAME), "Usage: activate-context why\n");
    }
}
