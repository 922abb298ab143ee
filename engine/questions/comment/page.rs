//! The comment as a whole, cut until it fits: lines of the longest part first, then whole parts, the least important first.

use super::gather::Found;
use super::parts::{Part, completeness, extent, parts, problems, summary};
use super::{MARKER, MAX_LINES};
use crate::impact::none_changed;
use std::cmp::Reverse;
use tokens::{Tokenizer, Tokens};

/// Parts in the order in which they are left out.
const DISPENSABLE: [&str; 7] = [
    "the drawing",
    "indirect uses",
    "what usually changes too",
    "what no test runs",
    "direct uses",
    "what goes and is used",
    "tests to run",
];

/// The comment on a change.
pub(super) fn page(found: &Found, budget: Tokens) -> String {
    if found.n_files == 0 {
        let mut said = vec![format!("{}: {}.", super::markdown::name(found.name.as_str()), none_changed(found.n_left_out))];
        said.extend(problems(found).into_iter().filter(|_| found.n_left_out > 0));
        return format!("{MARKER}\n{}\n", said.join(" "));
    }
    let parts = parts(found);
    if parts.is_empty() {
        let mut said = vec![format!("{}.", summary(found)), extent(found), completeness(found)];
        said.extend(problems(found));
        said.retain(|sentence| !sentence.is_empty());
        return format!("{MARKER}\n{}\n", said.join(" "));
    }
    let mut page = Page {
        found,
        parts: parts.into_iter().map(|part| (part.lines.len().min(part.most), part)).collect(),
        left_out: Vec::new(),
    };
    loop {
        let text = page.text();
        let fits = text.lines().count() <= MAX_LINES && Tokenizer::default().count(&text) <= budget;
        if fits || !page.shrink() {
            return text;
        }
    }
}

struct Page<'f> {
    found: &'f Found,
    /// Parts with how many of their lines are shown.
    parts: Vec<(usize, Part)>,
    left_out: Vec<&'static str>,
}

impl Page<'_> {
    fn text(&self) -> String {
        let mut lines = vec![MARKER.to_owned(), "### What this change reaches".to_owned(), String::new()];
        lines.push(format!("{}. {}", summary(self.found), extent(self.found)));
        for (n_shown, part) in &self.parts {
            lines.push(String::new());
            lines.extend(part.before.iter().cloned());
            lines.extend(part.lines.iter().take(*n_shown).cloned());
            lines.extend(part.after.iter().cloned());
            let n_more = part.lines.len() - n_shown;
            if let Some(rest) = part.rest.filter(|_| n_more > 0) {
                let sign = if part.after.is_empty() { "- " } else { "" };
                lines.push(format!("{sign}and {n_more} {rest}"));
            }
        }
        lines.push(String::new());
        let mut last = vec![completeness(self.found)];
        match self.found.runs.n_without {
            0 => {}
            1 => last.push("1 test has no command that is known.".to_owned()),
            n => last.push(format!("{n} tests have no command that is known.")),
        }
        if !self.left_out.is_empty() {
            last.push(format!("Left out for want of room: {}.", self.left_out.join(", ")));
        }
        last.push("Read from the code by `activate review`; nothing was run.".to_owned());
        lines.push(last.join(" "));
        lines.extend(problems(self.found).into_iter().map(|problem| format!("\n{problem}")));
        lines.join("\n") + "\n"
    }

    /// Takes a line away, or a whole part. Whether there was one.
    fn shrink(&mut self) -> bool {
        // Of parts of the same length that which can be left out sooner.
        let place = |part: &Part| Reverse(DISPENSABLE.iter().position(|what| *what == part.what));
        let longest = self
            .parts
            .iter_mut()
            .filter(|(n_shown, part)| part.rest.is_some() && *n_shown > part.least)
            .max_by_key(|(n_shown, part)| (*n_shown - part.least, place(part)));
        if let Some((n_shown, _)) = longest {
            *n_shown -= 1;
            return true;
        }
        let next = DISPENSABLE.iter().find_map(|what| self.parts.iter().position(|(_, part)| part.what == *what));
        let Some(at) = next else { return false };
        self.left_out.push(self.parts.remove(at).1.what);
        true
    }
}
