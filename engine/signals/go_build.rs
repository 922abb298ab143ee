//! What `go build`, `go vet` and `go test` write of code that cannot be built: `path:line:column: message` below `# import/path`.

use super::gcc::{code_at_end, located};
use super::input::Line;
use super::report::MAX_NOTES;
use super::{Diagnostic, LineReader, Note, Report, Severity};
use std::mem;

/// What stands before what go says of modules and packages, with the words that begin what is not a fault, and those that are in it.
const GO: &str = "go: ";
const STEPS: [&str; 14] = [
    "downloading ",
    "finding ",
    "extracting ",
    "added ",
    "upgraded ",
    "downgraded ",
    "removed ",
    "creating ",
    "copying ",
    "converting ",
    "to add ",
    "found ",
    "trying upgrade to ",
    "no module dependencies to ",
];
const NOTICES: [&str; 3] = ["; switching to go", " is deprecated", " retracted by module author"];

/// What only counts others.
const MANY: &str = "too many errors";

/// With what the way begins on which a package is imported that cannot be.
const PACKAGE: &str = "package ";

/// How files of Go end, and those of its assembler.
const EXTENSION: &str = "go";
const ASSEMBLY: &str = "s";

/// What go says of a file that could not be assembled, around its name.
const ASSEMBLED: [&str; 2] = ["asm: assembly of ", " failed"];

/// Files whose faults need no column to be known.
const MODULES: [&str; 2] = ["go.mod", "go.work"];

/// What writes of a whole package, besides the build itself; and words of the linker, which begins with the name of what it misses.
const PROGRAMS: [&str; 12] =
    ["link", "ld", "ld.lld", "ld.gold", "collect2", "gcc", "clang", "cgo", "asm", "compile", "pkg-config", "vet"];
const FAULTS: [&str; 8] = [
    "function main is undeclared",
    "relocation target ",
    "duplicated definition of symbol",
    "undefined reference to ",
    "Undefined symbols for ",
    "invalid flag in #cgo ",
    "is a program, not an importable package",
    "import cycle not allowed",
];
/// What compilers of C write between their messages, and of what is not a fault.
const BETWEEN: [&str; 4] = [": In function ", ": At top level:", "In file included from ", "warning: "];

/// A package that was named by its files.
const FILES: &str = "command-line-arguments";

/// Reads such lines.
#[derive(Default)]
pub(super) struct GoBuild {
    /// The package of the last header.
    package: String,
    tool: Tool,
    /// Whether the last line was a header.
    is_below_header: bool,
    /// Whether lines can come from nobody else.
    is_alone: bool,
    last: Option<Diagnostic>,
}

/// Who says it: type checking comes from the compiler, also where it is vet that asks for it.
#[derive(Clone, Copy, Default, PartialEq)]
enum Tool {
    /// Without a header.
    #[default]
    Go,
    Build,
    Vet,
}

impl LineReader for GoBuild {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        self.read(&line.text, report)
    }

    fn end(&mut self, report: &mut Report) {
        let Some(mut last) = self.last.take() else { return };
        if last.message.starts_with(PACKAGE) {
            // Why it cannot be imported stands at the end of the way to it.
            let Some((_, why)) = last.notes.last().and_then(|note| note.message.rsplit_once(": ")) else { return };
            last.message = format!("{}: {why}", &last.message[PACKAGE.len()..]);
        }
        report.diagnostic(last);
    }
}

impl GoBuild {
    /// For lines that go alone writes.
    pub(super) fn alone() -> Self {
        Self { is_alone: true, ..Self::default() }
    }

    /// Reads a line; whether it was one of these.
    pub(super) fn read(&mut self, text: &str, report: &mut Report) -> bool {
        if let Some((package, tool)) = header(text) {
            self.end(report);
            (self.tool, self.is_below_header) = (tool, true);
            package.clone_into(&mut self.package);
            return false;
        }
        let is_below_header = mem::take(&mut self.is_below_header);
        if text.ends_with(MANY) && located(text).is_some_and(|(_, message)| message == MANY) {
            return true;
        }
        if let Some(found) = self.located(text).or_else(|| self.unlocated(text, is_below_header)) {
            self.end(report);
            self.last = Some(found);
            return true;
        }
        if let Some(last) = &mut self.last {
            let note = text.strip_prefix('\t').or_else(|| text.strip_prefix("note: "));
            if let Some(note) = note.filter(|_| last.notes.len() < MAX_NOTES) {
                let (place, message) = located(note).map_or((None, note), |(place, message)| (Some(place), message));
                last.notes.push(Note { message: message.to_owned(), place });
                return true;
            }
        }
        let is_of_package = self.tool != Tool::Go && text == MANY;
        self.end(report);
        if !is_of_package {
            self.package.clear();
            self.tool = Tool::Go;
        }
        is_of_package
    }

    fn located(&self, text: &str) -> Option<Diagnostic> {
        let of_vet = text.strip_prefix("vet: ");
        let (place, message) = located(of_vet.unwrap_or(text))?;
        let name = place.path.rsplit('/').next().unwrap_or_default();
        let is_module = MODULES.contains(&name);
        // The assembler names no columns, nor does the compiler if it is told so. Logs of Go write the same, of files without a folder.
        let is_assembly = name.rsplit_once('.').is_some_and(|(_, end)| end == ASSEMBLY) && self.is_in_package();
        let is_of_language = is_assembly || name.split('.').next_back() == Some(EXTENSION);
        // Linters write the same form, with their name at the end.
        let is_of_go = is_of_language
            && (place.column > 0 || self.is_in_package() && has_folder(text))
            && (self.tool != Tool::Go || code_at_end(message).is_none());
        let is_graded = message.split_once(':').is_some_and(|(word, _)| Severity::of(word).is_some());
        (!message.is_empty() && !is_graded && (is_of_go || is_module)).then(|| Diagnostic {
            tool: if of_vet.is_some() { Tool::Build } else { self.tool }.name().to_owned(),
            place: Some(place.within(&self.package)),
            message: message.to_owned(),
            ..Diagnostic::default()
        })
    }

    /// Whether what comes is said of a package, which a heading of a script does not look like.
    fn is_in_package(&self) -> bool {
        let is_package = self.is_alone || self.package.contains(['/', '.']) || self.package == FILES;
        self.tool != Tool::Go && is_package
    }

    /// Whether a line below a header is of the build: scripts and tests have headings of the same form.
    fn is_of_build(&self, text: &str) -> bool {
        let program = text.split(": ").next().and_then(|path| path.rsplit(['/', '\\']).next()).unwrap_or_default();
        let is_known = || PROGRAMS.contains(&program.trim_end_matches(".exe")) || FAULTS.iter().any(|words| text.contains(words));
        !BETWEEN.iter().any(|words| text.contains(words)) && (self.is_alone || is_known())
    }

    /// What concerns a whole package, and what go says before it builds any.
    fn unlocated(&self, text: &str, is_below_header: bool) -> Option<Diagnostic> {
        let [before, behind] = ASSEMBLED;
        let is_assembly = text.starts_with(before) && text.ends_with(behind);
        let is_of_package = (is_below_header || is_assembly) && self.is_in_package();
        let is_indented = text.starts_with(char::is_whitespace);
        let message = match text.strip_prefix(GO) {
            Some(message) if is_sentence(message) && !is_notice(message) => message.to_owned(),
            None if text.strip_prefix(PACKAGE).is_some_and(|package| !package.contains(' ')) => text.to_owned(),
            None if is_of_package && !text.is_empty() && !is_indented && self.is_of_build(text) => {
                format!("{}: {text}", self.package)
            }
            _ => return None,
        };
        let severity = if message.starts_with("warning: ") { Severity::Warning } else { Severity::Error };
        Some(Diagnostic { tool: self.tool.name().to_owned(), severity, message, ..Diagnostic::default() })
    }
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Build => "go build",
            Self::Vet => "go vet",
        }
    }
}

/// Whether a line begins with a path that has a folder, were it `./`.
fn has_folder(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(place, _)| place.contains(['/', '\\']))
}

fn is_sentence(text: &str) -> bool {
    text.starts_with(char::is_alphabetic) && text.contains(' ')
}

/// Whether go says what it does, or what is good to know.
fn is_notice(message: &str) -> bool {
    STEPS.iter().any(|step| message.starts_with(step)) || NOTICES.iter().any(|words| message.contains(words))
}

/// The package of `# import/path`, `# import/path [import/path.test]` and, from vet, `# [import/path]`.
fn header(text: &str) -> Option<(&str, Tool)> {
    let mut words = text.strip_prefix("# ")?.split(' ');
    let (first, second) = (words.next()?, words.next());
    let bracketed = |word: &str| word.strip_prefix('[').and_then(|word| word.strip_suffix(']')).is_some();
    if words.next().is_some() || first.is_empty() || second.is_some_and(|second| !bracketed(second)) {
        return None;
    }
    match first.strip_prefix('[') {
        Some(package) => package.strip_suffix(']').map(|package| (package, Tool::Vet)),
        // Tests from outside a package stand in its folder.
        None => Some((if second.is_some() { first.strip_suffix("_test").unwrap_or(first) } else { first }, Tool::Build)),
    }
}
