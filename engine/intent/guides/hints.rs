//! Hints: the paragraphs of guides and records of decisions that name a place of the code.

use super::lines::shortened;
use super::markdown::{Heading, MAX_CONTEXT_BYTES, Paragraph, paragraphs};
use super::places::{MAX_PLACES, of_link, of_prose};
use super::{Found, Hint, MAX_PER_FILE};
use crate::shapes::beginning;

/// Characters of a paragraph that are shown.
const MAX_TEXT: usize = 320;

/// Characters of the heading above it, and of the sentence that introduces its list.
const MAX_CONTEXT: usize = 80;

/// Words for a decision that no longer stands.
const OVER: [&str; 5] = ["deprecated", "obsolete", "rejected", "superseded", "withdrawn"];

/// The heading of the part of a record that says what was decided: what else it is called is its title.
const DECISION: &str = "decision";

/// The hints of a guide.
pub(super) fn of_guide(text: &str) -> Found {
    // The first heading is the name of the guide.
    let context =
        |paragraph: &Paragraph| if paragraph.heading.level > 1 { paragraph.heading.text.clone() } else { String::new() };
    hints(&paragraphs(text), context)
}

/// The hints of a record of a decision; none of one that no longer stands.
pub(super) fn of_decision(text: &str) -> Found {
    let paragraphs = paragraphs(text);
    if is_over(text, &paragraphs) {
        return Found::default();
    }
    let title = paragraphs.iter().map(|paragraph| &paragraph.heading).find(|heading| heading.level == 1);
    let title = title.map(|heading| heading.text.clone()).or_else(|| title_of(text)).unwrap_or_default();
    hints(&paragraphs, |paragraph| {
        let Heading { level, text } = paragraph.heading.as_ref();
        if *level < 2 || title.is_empty() || text.eq_ignore_ascii_case(DECISION) {
            title.clone()
        } else {
            format!("{title}, {text}")
        }
    })
}

/// The text of the first heading, where nothing stands under it but other headings.
fn title_of(text: &str) -> Option<String> {
    text.lines().find_map(|line| line.strip_prefix("# ")).map(|title| beginning(title.trim(), MAX_CONTEXT_BYTES).to_owned())
}

/// Whether a record says that its decision no longer stands: under `Status`, or in a line `Status: ...`.
fn is_over(text: &str, paragraphs: &[Paragraph]) -> bool {
    let says_over = |status: &str| {
        let status = status.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        OVER.iter().any(|over| status.starts_with(over))
    };
    let under = paragraphs.iter().filter(|paragraph| paragraph.heading.text.eq_ignore_ascii_case("status"));
    let lines = text.lines().filter_map(|line| {
        let line = line.trim_start_matches(|c: char| !c.is_alphabetic());
        let is_status = line.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("status"));
        line.split_once(':').filter(|_| is_status).map(|(_, status)| status)
    });
    under.map(|paragraph| paragraph.text.as_str()).chain(lines).any(says_over)
}

fn hints(paragraphs: &[Paragraph], context: impl Fn(&Paragraph) -> String) -> Found {
    let mut found = Found::default();
    for paragraph in paragraphs {
        let shown = shortened(&paragraph.text, MAX_TEXT);
        let mut places = of_prose(&shown);
        // Only what is shown makes a hint: else nobody could see what it is about.
        let linked = paragraph.links.iter().filter(|(end, _)| *end <= shown.len()).filter_map(|(_, target)| of_link(target));
        for place in linked {
            if places.len() < MAX_PLACES && !places.contains(&place) {
                places.push(place);
            }
        }
        if places.is_empty() {
            continue;
        }
        if found.hints.len() == MAX_PER_FILE {
            found.n_left_out += 1;
            continue;
        }
        let above = [context(paragraph), paragraph.lead.trim_end_matches(':').to_owned()];
        let above = above.iter().map(|text| shortened(text.trim_end_matches(':'), MAX_CONTEXT));
        let parts: Vec<String> = above.chain([shown]).filter(|part| !part.is_empty()).collect();
        found.hints.push(Hint { text: parts.join(": "), line: paragraph.line, places });
    }
    found
}
