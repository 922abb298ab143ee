//! What workers asked for beyond their packets: one line of JSON a request, with paths and counts and no content.
//!
//! Pure text: must not read or write a file.

use redact::Masker;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of the form of a line.
const SCHEMA: &str = "activate.permit.v1";
/// From how many files on requests are a sign that the task's list is incomplete.
pub const MANY_FILES: usize = 3;

/// What was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The path.
    pub path: &'a str,
    /// Whether the repository has such a file: only then its absence from the task's list can mean something.
    pub is_file: bool,
    /// Whether it was granted.
    pub granted: bool,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    schema: String,
    /// Stands for the packet's files.
    pub packet: String,
    /// The file that was asked for.
    pub path: String,
    /// Whether the repository has it. Lines that do not say so are older than the question.
    #[serde(default = "yes")]
    pub is_file: bool,
    /// Whether it was granted.
    pub granted: bool,
    /// Which request for this packet it is, from 1.
    pub number: usize,
    /// How many files of the repository were asked for until then.
    pub n_files: usize,
}

/// The requests for a packet, oldest first, and how many lines could not be read.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    requests: Vec<Request>,
    /// Lines that are no request.
    pub n_unread: usize,
}

impl Ledger {
    /// Reads the requests for one packet.
    pub fn parse(text: &str, packet: &str) -> Self {
        let mut ledger = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str::<Request>(line) {
                Ok(request) if request.schema == SCHEMA => ledger.requests.extend(Some(request).filter(|of| of.packet == packet)),
                _ => ledger.n_unread += 1,
            }
        }
        ledger
    }

    /// The next request.
    pub fn next(&self, masker: &Masker, packet: &str, asked: Asked<'_>) -> Request {
        let Asked { path, is_file, granted } = asked;
        let path = masker.name(path).as_str().to_owned();
        let (schema, packet, number) = (SCHEMA.to_owned(), packet.to_owned(), self.requests.len() + 1);
        let request = Request { schema, packet, path, is_file, granted, number, n_files: 0 };
        Request { n_files: self.files(&request).len(), ..request }
    }

    /// The files of the repository that were asked for, with a new one, by path.
    pub fn files(&self, request: &Request) -> Vec<String> {
        let files = self.requests.iter().chain([request]).filter(|request| request.is_file);
        let files: BTreeSet<&String> = files.map(|request| &request.path).collect();
        files.into_iter().cloned().collect()
    }
}

impl Request {
    /// The request as one line with its line feed.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Whether so many files were asked for that the task's list is likely incomplete.
    pub fn is_sign(&self) -> bool {
        self.is_file && self.n_files >= MANY_FILES
    }
}

const fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_file_is_a_sign_and_the_third_request_is_none() {
        let mut text = String::from("torn {\n");
        let mut signs = Vec::new();
        let asked = |path| Asked { path, is_file: path != "none.go", granted: true };
        for path in ["a.go", "a.go", "none.go", "b.go", "a.go", "c.go", "none.go"] {
            let ledger = Ledger::parse(&text, "p");
            let request = ledger.next(&Masker::knowing_nothing(), "p", asked(path));
            signs.push(request.is_sign());
            text.push_str(&request.line());
            text.push_str(&ledger.next(&Masker::knowing_nothing(), "other", asked("z.go")).line());
        }
        assert_eq!(signs, [false, false, false, false, false, true, false]);
        // Lines that do not say whether there is such a file count as they did.
        let ledger = Ledger::parse(&text.replace("\"is_file\":true,", ""), "p");
        let request = ledger.next(&Masker::knowing_nothing(), "p", asked("c.go"));
        assert_eq!((ledger.n_unread, request.number, request.n_files), (1, 8, 3));
        assert_eq!(ledger.files(&request), ["a.go", "b.go", "c.go"]);
    }
}
