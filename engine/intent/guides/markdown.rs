//! Markdown as a list of paragraphs, each with the heading and the sentence above it.
//!
//! Reads form only, line by line, and passes over code between fences: must not know what a paragraph says.

use crate::shapes::beginning;
use std::rc::Rc;

/// Bytes of a paragraph that are looked at; far more than is shown of one.
const MAX_PARAGRAPH_BYTES: usize = 4 << 10;

/// Bytes of a heading, and of a sentence that introduces a list; more than is shown of them.
pub(super) const MAX_CONTEXT_BYTES: usize = 512;

/// Bytes of the label of a link, and of its target.
const MAX_LINK_BYTES: usize = 512;

/// Spaces that make a line code, outside of lists.
const CODE_INDENT: usize = 4;

/// A paragraph, an item of a list or a row of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// Its first line.
    pub(super) line: u32,
    /// The heading above.
    pub(super) heading: Rc<Heading>,
    /// The sentence with a colon at its end that introduces its list.
    pub(super) lead: Rc<str>,
    /// Its text in one line, as written.
    pub(super) text: String,
    /// Whether it is an item of a list or a row of a table.
    pub(super) is_item: bool,
}

/// A heading with its level from 1; level 0 before the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: usize,
    pub(super) text: String,
}

/// The paragraphs of a text, in order.
pub(super) fn paragraphs(text: &str) -> Vec<Paragraph> {
    let mut reader = Reader::default();
    for (place, line) in text.lines().enumerate() {
        reader.read(place as u32 + 1, line);
    }
    reader.close();
    reader.done
}

#[derive(Default)]
struct Reader {
    done: Vec<Paragraph>,
    open: Option<Paragraph>,
    heading: Rc<Heading>,
    lead: Rc<str>,
    /// What ends the code, comment or front matter that is passed over.
    until: Option<String>,
    /// Whether the last paragraph was an item, so that an indented line goes on with it.
    in_list: bool,
}

impl Reader {
    fn read(&mut self, number: u32, line: &str) {
        let trimmed = line.trim();
        if let Some(end) = &self.until {
            if trimmed.starts_with(end.as_str()) || (end == "-->" && trimmed.contains("-->")) {
                self.until = None;
            }
            return;
        }
        // Quoted paragraphs count as any other.
        let unquoted = trimmed.trim_start_matches(['>', ' ']);
        let (trimmed, indent) = if trimmed.starts_with('>') { (unquoted, 0) } else { (trimmed, indent(line)) };
        let fence = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence));
        if number == 1 && trimmed == "---" {
            self.until = Some("---".to_owned());
        } else if let Some(fence) = fence {
            self.close();
            self.in_list &= indent > 0;
            self.until = Some(fence.to_owned());
        } else if trimmed.starts_with("<!--") {
            self.close();
            self.until = (!trimmed.contains("-->")).then(|| "-->".to_owned());
        } else if trimmed.is_empty() {
            self.close();
        } else if is_ruler(trimmed) {
            self.underline(trimmed);
        } else if let Some((level, text)) = heading(trimmed) {
            self.close();
            self.start(level, text);
        } else if trimmed.starts_with('<') || trimmed.starts_with("[!") {
            // Tags and labels say nothing.
            self.close();
        } else if trimmed.starts_with('|') {
            self.row(number, trimmed);
        } else if let Some(text) = item(trimmed) {
            self.close();
            self.in_list = true;
            let (lead, heading) = (Rc::clone(&self.lead), Rc::clone(&self.heading));
            let text = beginning(text, MAX_PARAGRAPH_BYTES).to_owned();
            self.open = Some(Paragraph { line: number, lead, text, is_item: true, heading });
        } else if let Some(open) = &mut self.open {
            add(&mut open.text, trimmed);
        } else if indent < CODE_INDENT || self.in_list {
            if indent == 0 {
                self.in_list = false;
                self.lead = Rc::default();
            }
            let text = beginning(trimmed, MAX_PARAGRAPH_BYTES).to_owned();
            self.open = Some(Paragraph { line: number, text, heading: Rc::clone(&self.heading), ..Paragraph::default() });
        }
    }

    fn close(&mut self) {
        let Some(paragraph) = self.open.take() else { return };
        if !paragraph.is_item && paragraph.text.ends_with(':') {
            let sentence = paragraph.text.rsplit_once(". ").map_or(paragraph.text.as_str(), |(_, last)| last);
            self.lead = beginning(sentence, MAX_CONTEXT_BYTES).into();
        }
        self.done.push(paragraph);
    }

    fn start(&mut self, level: usize, text: &str) {
        self.heading = Rc::new(Heading { level, text: beginning(text, MAX_CONTEXT_BYTES).to_owned() });
        self.lead = Rc::default();
        self.in_list = false;
    }

    /// A line below a line of text makes it a heading, and below the first row of a table what is in the columns.
    fn underline(&mut self, ruler: &str) {
        if ruler.starts_with('|') || ruler.contains(" | ") || ruler.contains("-|-") {
            self.open = None;
            return;
        }
        match self.open.take() {
            Some(open) if !open.is_item && !ruler.contains(' ') => {
                let level = if ruler.starts_with('=') { 1 } else { 2 };
                self.start(level, &open.text);
            }
            open => {
                self.open = open;
                self.close();
            }
        }
    }

    fn row(&mut self, number: u32, row: &str) {
        self.close();
        let cells: Vec<&str> =
            beginning(row, MAX_PARAGRAPH_BYTES).split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let text = beginning(&cells.join(" | "), MAX_PARAGRAPH_BYTES).to_owned();
        let heading = Rc::clone(&self.heading);
        self.open = Some(Paragraph { line: number, text, is_item: true, heading, ..Paragraph::default() });
    }
}

fn add(text: &mut String, line: &str) {
    let room = MAX_PARAGRAPH_BYTES.saturating_sub(text.len() + 1);
    if room > 0 {
        text.push(' ');
        text.push_str(beginning(line, room));
    }
}

fn indent(line: &str) -> usize {
    line.bytes().take_while(|b| matches!(b, b' ' | b'\t')).map(|b| if b == b'\t' { CODE_INDENT } else { 1 }).sum()
}

/// Whether a line only draws a line, or the border below the first row of a table.
fn is_ruler(line: &str) -> bool {
    let marks = line.bytes().filter(|b| matches!(b, b'-' | b'=' | b'*' | b'_')).count();
    marks >= 3 && line.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | '|' | ':' | ' '))
}

/// Level and text of a line that starts with `#`.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (level > 0 && level <= 6 && text.starts_with([' ', '\t'])).then(|| (level, text.trim().trim_end_matches('#').trim_end()))
}

/// The text of a line that starts an item of a list.
fn item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet));
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = rest.len() < line.len();
        rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).filter(|_| is_number)
    };
    let text = bullet.or_else(numbered)?.trim_start();
    Some(["[ ] ", "[x] ", "[X] "].iter().find_map(|task| text.strip_prefix(task)).unwrap_or(text))
}

/// A text without the marks of links and of strength; quoted code stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plain {
    pub(super) text: String,
    /// The targets of its links, each with the byte at which the link's label ends.
    pub(super) links: Vec<(usize, String)>,
}

/// Takes the marks out of a text.
pub(super) fn plain(text: &str) -> Plain {
    let mut plain = Plain::default();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[', '*', '!']) {
        plain.text.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = if rest.starts_with('`') {
            let code = code_span(rest).unwrap_or(1);
            plain.text.push_str(&rest[..code]);
            code
        } else if rest.starts_with("**") {
            2
        } else if rest.starts_with("![") {
            1
        } else if let Some((label, target)) = link(rest) {
            plain.text.push_str(label);
            plain.links.push((plain.text.len(), target.to_owned()));
            label.len() + target.len() + "[]()".len()
        } else {
            plain.text.push_str(&rest[..1]);
            1
        };
        rest = &rest[taken..];
    }
    plain.text.push_str(rest);
    plain
}

/// The bytes of the code between backticks with which a text starts.
fn code_span(text: &str) -> Option<usize> {
    let n_ticks = text.bytes().take_while(|b| *b == b'`').count();
    let ticks = &text[..n_ticks];
    let mut at = n_ticks;
    while let Some(found) = text[at..].find(ticks) {
        let end = at + found + n_ticks;
        let n_more = text[end..].bytes().take_while(|b| *b == b'`').count();
        if n_more == 0 {
            return Some(end);
        }
        at = end + n_more;
    }
    None
}

/// Label and target of the link with which a text starts.
fn link(text: &str) -> Option<(&str, &str)> {
    let text = beginning(text.strip_prefix('[')?, MAX_LINK_BYTES);
    let (label, rest) = text.split_once("](")?;
    let (target, _) = rest.split_once(')')?;
    (!label.contains('[')).then_some((label, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_above_many_paragraphs_is_cut_and_held_once() {
        let long = "long ".repeat(20_000);
        let items = "- `Name`\n".repeat(1_000);
        let found = paragraphs(&format!("# {long}\n{long}:\n\nLook {}:\n\n{items}", "here ".repeat(700)));
        let (first, last) = (&found[found.len() - 1_000], &found[found.len() - 1]);
        assert!(last.is_item && first.heading.level == 1 && first.lead.starts_with("Look here"));
        assert!(first.heading.text.len() <= MAX_CONTEXT_BYTES && first.lead.len() <= MAX_CONTEXT_BYTES);
        assert!(Rc::ptr_eq(&first.heading, &last.heading) && Rc::ptr_eq(&first.lead, &last.lead));
    }
}
