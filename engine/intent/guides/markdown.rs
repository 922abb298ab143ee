//! Markdown as a list of paragraphs, each with the heading and the sentence above it.
//!
//! Reads form only, and passes over code, HTML and front matter: must not know what a paragraph says.

use crate::shapes::beginning;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use std::mem::take;
use std::ops::Range;
use std::rc::Rc;

/// Bytes of a paragraph that are looked at; far more than is shown of one.
const MAX_PARAGRAPH_BYTES: usize = 4 << 10;

/// Bytes of a heading, and of a sentence that introduces a list; more than is shown of them.
pub(super) const MAX_CONTEXT_BYTES: usize = 512;

/// Bytes of the target of a link.
const MAX_LINK_BYTES: usize = 512;

/// What stands between the cells of a row.
const BETWEEN_CELLS: &str = " | ";

/// A paragraph, an item of a list or a row of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// Its first line.
    pub(super) line: u32,
    /// The heading above.
    pub(super) heading: Rc<Heading>,
    /// The sentence with a colon at its end that introduces its list.
    pub(super) lead: Rc<str>,
    /// Its text in one line, without the marks of links and of strength; quoted code stays as it is.
    pub(super) text: String,
    /// The targets of its links, each with the byte at which the link's label ends.
    pub(super) links: Vec<(usize, String)>,
}

/// A heading with its level from 1; level 0 before the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: usize,
    pub(super) text: String,
}

/// The paragraphs of a text, in order.
pub(super) fn paragraphs(text: &str) -> Vec<Paragraph> {
    let options =
        Options::ENABLE_GFM | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader { source: text, line: 1, ..Reader::default() };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.read(event, range);
    }
    reader.done
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own of the text that is read")]
struct Reader<'t> {
    source: &'t str,
    /// Where lines are counted to, and the line there.
    at: usize,
    line: u32,
    done: Vec<Paragraph>,
    open: Option<Paragraph>,
    heading: Rc<Heading>,
    lead: Rc<str>,
    /// Targets of the links around what is read; none of those that are their own label.
    targets: Vec<Option<String>>,
    /// How many lists are around what is read, and whether it is the first of an item.
    n_lists: usize,
    is_first: bool,
    is_row: bool,
    /// Whether the paragraph begins with a tag: such say nothing, they draw.
    is_drawn: bool,
    /// Whether nobody reads what stands here.
    is_passed: bool,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_)) => self.is_passed = false,
            _ if self.is_passed => {}
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_)) => {
                self.close();
                self.is_passed = true;
            }
            Event::Text(text) => self.add(&text, &range),
            Event::Code(code) => self.add(&format!("`{code}`"), &range),
            Event::InlineHtml(tag) => {
                self.is_drawn |= self.open.is_none();
                self.add(if tag.starts_with("<!--") { "" } else { &tag }, &range);
            }
            Event::SoftBreak | Event::HardBreak => self.add(" ", &range),
            // What is not a mark of strength may be one of a pattern or a name.
            Event::Start(Tag::Emphasis) => self.add(&self.source[range.start..=range.start], &range),
            Event::End(TagEnd::Emphasis) => self.add(&self.source[range.end - 1..range.end], &range),
            Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => {
                let mark = if self.source[range.clone()].starts_with('_') { "__" } else { "" };
                self.add(mark, &range);
            }
            Event::Start(Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. }) => {
                self.add("<", &range);
                self.targets.push(None);
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                self.add("", &range);
                self.targets.push(Some(beginning(&dest_url, MAX_LINK_BYTES).to_owned()));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => match (self.targets.pop().flatten(), &mut self.open) {
                (Some(target), Some(open)) => open.links.push((open.text.len(), target)),
                _ => self.add(">", &range),
            },
            Event::Start(Tag::TableCell) => self.add(BETWEEN_CELLS, &range),
            Event::TaskListMarker(_) | Event::End(TagEnd::TableCell) => {}
            // What is in the columns.
            Event::End(TagEnd::TableHead) => self.open = None,
            Event::End(TagEnd::Heading(level)) => {
                let text = self.open.take().unwrap_or_default().text;
                self.heading = Rc::new(Heading { level: level as usize, text: beginning(&text, MAX_CONTEXT_BYTES).to_owned() });
                self.lead = Rc::default();
            }
            block => {
                self.close();
                match block {
                    Event::Start(Tag::List(_)) => self.n_lists += 1,
                    Event::End(TagEnd::List(_)) => self.n_lists -= 1,
                    Event::Start(Tag::Item) => self.is_first = true,
                    Event::End(TagEnd::Item) => self.is_first = false,
                    Event::Start(Tag::TableRow) => self.is_row = true,
                    Event::End(TagEnd::TableRow) => self.is_row = false,
                    _ => {}
                }
            }
        }
    }

    /// Adds text that stands in a range of the source.
    fn add(&mut self, text: &str, range: &Range<usize>) {
        if self.open.is_none() {
            self.line +=
                self.source.get(self.at..range.start).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count() as u32;
            self.at = range.start;
            let lead = if take(&mut self.is_first) { Rc::clone(&self.lead) } else { Rc::default() };
            self.open = Some(Paragraph { line: self.line, heading: Rc::clone(&self.heading), lead, ..Paragraph::default() });
        }
        let Some(open) = &mut self.open else { return };
        if text != BETWEEN_CELLS {
            open.text.push_str(beginning(text, MAX_PARAGRAPH_BYTES.saturating_sub(open.text.len())));
        } else if !open.text.is_empty() && !open.text.ends_with(BETWEEN_CELLS) {
            open.text.push_str(text);
        }
    }

    fn close(&mut self) {
        let Some(mut paragraph) = self.open.take() else { return };
        if self.is_row {
            paragraph.text.truncate(paragraph.text.trim_end_matches(BETWEEN_CELLS).len());
        } else if self.n_lists == 0 {
            let sentence = paragraph.text.rsplit_once(". ").map_or(paragraph.text.as_str(), |(_, last)| last);
            self.lead = if sentence.ends_with(':') { beginning(sentence, MAX_CONTEXT_BYTES).into() } else { Rc::default() };
        }
        if !take(&mut self.is_drawn) {
            self.done.push(paragraph);
        }
    }
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
        assert!(first.heading.level == 1 && first.lead.starts_with("Look here"));
        assert!(first.heading.text.len() <= MAX_CONTEXT_BYTES && first.lead.len() <= MAX_CONTEXT_BYTES);
        assert!(Rc::ptr_eq(&first.heading, &last.heading) && Rc::ptr_eq(&first.lead, &last.lead));
    }
}
