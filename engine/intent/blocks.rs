//! Cuts a pasted text into blocks: title, prose, code, shell, output of programs, diffs, what a form asks about a machine.
//!
//! Goes by form alone, in one pass over lines. Must not know which files or names exist, nor how much a block counts.

mod html;
mod lines;
#[cfg(test)]
mod tests;

use super::report;
use html::between_tags;
use lines::{
    PROMPTS, TITLE_LABELS, closes, fence, has_prompts, heading, hunk_lines, is_checkbox, is_code_line, is_log, is_machine,
    is_mail, is_of_form, is_of_mail_head, is_of_patch, kind_of_fence, labelled, section_of, without_greeting, without_label,
};
use signals::trace;

/// What a block of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// The one sentence that says what it is about.
    Title,
    /// Sentences of whoever writes.
    Prose,
    /// A heading that its writer made up.
    Heading,
    /// Source code, or data in the form of some language.
    Code,
    /// What somebody typed at a prompt.
    Shell,
    /// What a program wrote.
    Output,
    /// A patch.
    Diff,
    /// Versions, operating systems and the like.
    Environment,
    /// What says nothing of the task: headings and checklists of forms, greetings, comments that nobody sees.
    Boilerplate,
}

/// Most lines of the keys in front of a text.
const MAX_FRONT_MATTER: usize = 40;

/// A run of lines of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// What it is.
    pub(super) kind: Kind,
    /// Its lines, without what marks the block, each with its end.
    pub(super) text: String,
    /// The number of its first line, from 0.
    pub(super) line: usize,
}

/// Cuts a text into blocks, in order. `is_read` says of each line whether a report has it: such lines are in no block, as are the marks of
/// fences.
pub(super) fn blocks(text: &str, is_read: &[bool]) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    Cutter::new(&lines, is_read).rest()
}

/// The sentence of a text that says what it is about: its title, else the first line that says anything. `is_read` as for blocks.
pub fn headline(text: &str, is_read: &[bool]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut cutter = Cutter::new(&lines, is_read);
    // What follows the title says nothing of it, and may be a long log.
    while cutter.wants_title && cutter.at < lines.len() {
        cutter.step();
    }
    let is_title = |kind: Kind| kind == Kind::Title;
    let is_said = |kind: Kind| !matches!(kind, Kind::Boilerplate | Kind::Environment);
    if let Some(title) = first_line(&cutter.blocks, is_title) {
        return title;
    }
    let blocks = cutter.rest();
    let first_of_all = || text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned();
    first_line(&blocks, is_title).or_else(|| first_line(&blocks, is_said)).unwrap_or_else(first_of_all)
}

/// The first line that says anything in blocks of some kinds.
fn first_line(blocks: &[Block], accepts: impl Fn(Kind) -> bool) -> Option<String> {
    let mut lines = blocks.iter().filter(|block| accepts(block.kind)).flat_map(|block| block.text.lines()).map(str::trim);
    lines.find(|line| !line.is_empty()).map(str::to_owned)
}

/// What somebody says around a patch.
pub(super) fn without_patch(text: &str, is_read: &[bool]) -> String {
    let is_said = |kind: Kind| !matches!(kind, Kind::Diff | Kind::Boilerplate);
    blocks(text, is_read).into_iter().filter(|block| is_said(block.kind)).map(|block| block.text).collect()
}

struct Cutter<'t> {
    lines: &'t [&'t str],
    is_read: &'t [bool],
    at: usize,
    blocks: Vec<Block>,
    /// What prose is in the section that a heading began.
    section: Kind,
    /// The title was not read.
    wants_title: bool,
}

impl<'t> Cutter<'t> {
    /// Begins with a text.
    fn new(lines: &'t [&'t str], is_read: &'t [bool]) -> Self {
        let mut cutter = Self { lines, is_read, at: 0, blocks: Vec::new(), section: Kind::Prose, wants_title: true };
        cutter.front_matter();
        cutter
    }

    /// Reads what is left; all blocks.
    fn rest(mut self) -> Vec<Block> {
        while self.at < self.lines.len() {
            self.step();
        }
        // What has nothing else is meant.
        let is_aside = |block: &Block| matches!(block.kind, Kind::Environment | Kind::Boilerplate);
        if self.blocks.iter().all(is_aside) {
            self.blocks.iter_mut().for_each(|block| block.kind = Kind::Prose);
        }
        self.blocks
    }

    fn step(&mut self) {
        let line = self.lines[self.at];
        let inner = line.trim();
        if let Some((mark, language)) = fence(inner) {
            return self.fenced(mark, &language);
        }
        if self.is_read(self.at) {
            self.at += 1;
            return;
        }
        if inner.starts_with("<!--") {
            return self.comment();
        }
        if is_mail(inner, self.next(1)) {
            return self.mail();
        }
        if inner.starts_with("diff --git ") || inner.starts_with("--- ") && self.next(1).starts_with("+++ ") {
            return self.diff();
        }
        self.at += 1;
        let at = self.at - 1;
        if self.is_output(line) {
            return self.push(Kind::Output, line, at);
        }
        let said = between_tags(inner, self.wants_title);
        let (inner, line) = match &said {
            Some(said) if said.text.is_empty() => return self.push(Kind::Boilerplate, line, at),
            Some(said) if said.is_heading => return self.headed(&said.text, at),
            Some(said) => (said.text.as_str(), said.text.as_str()),
            None => (inner, line),
        };
        if let Some(heading) = heading(inner) {
            return self.headed(heading, at);
        }
        let left = without_greeting(inner);
        if left.len() < inner.len() {
            self.push(Kind::Boilerplate, &inner[..inner.len() - left.len()], at);
            if left.is_empty() {
                return;
            }
        }
        let (inner, line) = if left.len() < inner.len() { (left, left) } else { (inner, line) };
        let kind = self.kind_of(inner, line);
        if kind == Kind::Prose && self.wants_title && !inner.is_empty() {
            self.wants_title = false;
            return self.push(Kind::Title, without_label(inner), at);
        }
        self.push(kind, line, at);
    }

    fn is_read(&self, at: usize) -> bool {
        self.is_read.get(at).copied().unwrap_or_default()
    }

    /// Reads `key: value` between lines of dashes at the beginning of a text, of which only a title says something.
    fn front_matter(&mut self) {
        let is_rule = |line: &&str| line.trim() == "---";
        if !self.lines.first().is_some_and(is_rule) {
            return;
        }
        let Some(end) = self.lines.iter().skip(1).take(MAX_FRONT_MATTER).position(is_rule).map(|at| at + 1) else {
            return;
        };
        let is_key = |line: &&str| line.contains(':') || line.trim().is_empty() || line.starts_with(['-', '#', ' ']);
        if !self.lines[1..end].iter().all(is_key) {
            return;
        }
        for at in 0..=end {
            match self.lines[at].strip_prefix("title:").map(|title| title.trim().trim_matches(['"', '\''])) {
                Some(title) if !title.is_empty() => {
                    self.wants_title = false;
                    self.push(Kind::Title, without_label(title), at);
                }
                _ => self.push(Kind::Boilerplate, self.lines[at], at),
            }
        }
        self.at = end + 1;
    }

    /// Reads the head of a mail or of a patch that was sent as one: its subject says what it is about.
    fn mail(&mut self) {
        while self.at < self.lines.len() && is_of_mail_head(self.lines[self.at]) {
            let line = self.lines[self.at].trim();
            match line.strip_prefix("Subject:").map(str::trim) {
                Some(subject) if self.wants_title && !subject.is_empty() => {
                    self.wants_title = false;
                    self.push(Kind::Title, without_label(subject.trim_start_matches("Re: ")), self.at);
                }
                _ => self.push(Kind::Boilerplate, line, self.at),
            }
            self.at += 1;
        }
    }

    fn next(&self, n: usize) -> &'t str {
        self.lines.get(self.at + n).copied().unwrap_or_default()
    }

    fn is_below(&self, kind: Kind) -> bool {
        self.blocks.last().is_some_and(|block| block.kind == kind)
    }

    /// Whether the line just taken is of a trace or of what a test runner writes; `# x.com/auth [x.com/auth.test]` is not a heading.
    fn is_output(&self, line: &str) -> bool {
        trace::read(line, self.next(0), self.is_below(Kind::Output)).is_some() || report::read(line, self.next(0)).is_some()
    }

    /// What a line outside of fences is.
    fn kind_of(&self, inner: &str, line: &str) -> Kind {
        if is_checkbox(inner) || inner.starts_with("![") {
            return Kind::Boilerplate;
        }
        if self.section == Kind::Prose && is_machine(inner, self.is_below(Kind::Environment)) {
            return Kind::Environment;
        }
        if inner.strip_prefix("$ ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.')) {
            return Kind::Shell;
        }
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if is_indented && is_code_line(inner) {
            return Kind::Code;
        }
        if is_log(inner) {
            return Kind::Output;
        }
        self.section
    }

    fn headed(&mut self, heading: &str, at: usize) {
        let (label, rest) = labelled(heading).unwrap_or((heading, ""));
        if self.wants_title {
            let is_label = |text: &str| TITLE_LABELS.contains(&text.trim().to_lowercase().as_str());
            if is_label(label) || is_of_form(heading) {
                if !rest.is_empty() {
                    self.wants_title = false;
                    return self.push(Kind::Title, rest, at);
                }
                self.section = section_of(heading);
                return self.push(Kind::Boilerplate, heading, at);
            }
            self.wants_title = false;
            return self.push(Kind::Title, without_label(heading), at);
        }
        if is_of_form(heading) {
            self.section = section_of(heading);
            self.push(Kind::Boilerplate, heading, at);
        } else if !rest.is_empty() && is_of_form(label) {
            self.section = section_of(label);
            let kind = self.section;
            self.push(kind, rest, at);
        } else {
            self.section = Kind::Prose;
            self.push(Kind::Heading, heading, at);
        }
    }

    fn fenced(&mut self, mark: &str, language: &str) {
        let first = self.at + 1;
        let mut end = first;
        while end < self.lines.len() && !closes(self.lines[end].trim(), mark) {
            end += 1;
        }
        let inside = &self.lines[first.min(self.lines.len())..end];
        let kind = if self.section == Kind::Environment { Kind::Environment } else { kind_of_fence(language, inside) };
        if kind == Kind::Shell {
            for (line, at) in inside.iter().zip(first..).filter(|(_, at)| !self.is_read.get(*at).copied().unwrap_or_default()) {
                let typed = PROMPTS.iter().find_map(|prompt| line.trim_start().strip_prefix(prompt));
                match typed {
                    Some(typed) => self.push(Kind::Shell, typed, at),
                    None if has_prompts(inside) => self.push(Kind::Output, line, at),
                    None => self.push(Kind::Shell, line, at),
                }
            }
        } else {
            for (line, at) in inside.iter().zip(first..).filter(|(_, at)| !self.is_read.get(*at).copied().unwrap_or_default()) {
                self.push(kind, line, at);
            }
        }
        self.at = end + 1;
    }

    fn comment(&mut self) {
        while self.at < self.lines.len() {
            let line = self.lines[self.at];
            let behind = line.split_once("-->").map(|(_, behind)| behind.trim());
            self.push(Kind::Boilerplate, line, self.at);
            self.at += 1;
            if let Some(behind) = behind {
                if !behind.is_empty() {
                    self.push(self.section, behind, self.at - 1);
                }
                break;
            }
        }
    }

    /// Reads a patch: the lines that its hunks announce, and what stands between them.
    fn diff(&mut self) {
        let first = self.at;
        // Lines of the old and of the new side that the last hunk still announces.
        let (mut n_old, mut n_new) = (0_u32, 0_u32);
        while self.at < self.lines.len() {
            let line = self.lines[self.at];
            let (is_old, is_new) = match line.as_bytes().first() {
                // Mailers take blanks from the ends of lines.
                None | Some(b' ' | b'\t') => (true, true),
                Some(b'-') => (true, false),
                Some(b'+') => (false, true),
                _ => (false, false),
            };
            let is_of_hunk = (is_old && n_old > 0 || is_new && n_new > 0) || line.starts_with('\\');
            if is_of_hunk {
                n_old = n_old.saturating_sub(u32::from(is_old));
                n_new = n_new.saturating_sub(u32::from(is_new));
            } else if let Some(ranges) = hunk_lines(line) {
                (n_old, n_new) = ranges;
            } else if self.at > first && !is_of_patch(line) {
                break;
            }
            self.push(Kind::Diff, line, self.at);
            self.at += 1;
        }
    }

    /// Adds a line to the last block, or begins one.
    fn push(&mut self, kind: Kind, line: &str, at: usize) {
        match self.blocks.last_mut() {
            Some(block) if block.kind == kind => block.text.push_str(line),
            _ => self.blocks.push(Block { kind, text: line.to_owned(), line: at }),
        }
        if let Some(block) = self.blocks.last_mut() {
            block.text.push('\n');
        }
    }
}
