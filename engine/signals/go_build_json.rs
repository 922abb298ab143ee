//! `go build -json`, and what `go test -json` says of code that cannot be built: events with the text of `go build` in parts.

use super::go_build::GoBuild;
use super::input::Line;
use super::lenient::Text;
use super::{LineReader, Report, json};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::mem;

/// With what such a line begins, and what else is in it.
const START: &str = "{\"ImportPath\":";
const ACTION: &str = "\"Action\":\"build-";

/// The most packages that are built at once; go builds as many as there are cores.
const MAX_PACKAGES: usize = 1_000;
/// The most bytes of a line that comes in parts.
const MAX_LINE_BYTES: usize = 64 << 10;

/// Reads the events.
#[derive(Default)]
pub(super) struct GoBuildJson {
    packages: BTreeMap<String, Package>,
}

/// A package that is being built, with the line whose end has not come.
struct Package {
    text: GoBuild,
    line: String,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Event {
    import_path: Text,
    action: Text,
    output: Text,
}

impl LineReader for GoBuildJson {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        if !line.text.starts_with(START) || !line.text.contains(ACTION) {
            return false;
        }
        let Some(event) = json::read_line::<Event>(line, report) else { return true };
        report.understood();
        if event.action.0 != "build-output" {
            if let Some(package) = self.packages.remove(&event.import_path.0) {
                package.end(report);
            }
            return true;
        }
        if self.packages.len() >= MAX_PACKAGES && !self.packages.contains_key(&event.import_path.0) {
            self.end(report);
        }
        let new = || Package { text: GoBuild::alone(), line: String::new() };
        self.packages.entry(event.import_path.0).or_insert_with(new).add(&event.output.0, report);
        true
    }

    fn end(&mut self, report: &mut Report) {
        for package in mem::take(&mut self.packages).into_values() {
            package.end(report);
        }
    }
}

impl Package {
    fn add(&mut self, output: &str, report: &mut Report) {
        for part in output.split_inclusive('\n') {
            if self.line.len() + part.len() <= MAX_LINE_BYTES {
                self.line.push_str(part);
            }
            if part.ends_with('\n') {
                self.text.read(self.line.trim_end(), report);
                self.line.clear();
            }
        }
    }

    fn end(mut self, report: &mut Report) {
        if !self.line.is_empty() {
            self.text.read(self.line.trim_end(), report);
        }
        self.text.end(report);
    }
}
