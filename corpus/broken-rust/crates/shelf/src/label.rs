//! The label on a book's spine: `subject-author-number`, such as `QA-KNU-3`.

/// What a label says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub subject: String,
    pub author: String,
    pub number: u32,
}

impl Label {
    /// Reads a label.
    pub fn parse(text: &str) -> Label {
        let parts: Vec<&str> = text.trim().split('-').collect();
        Label { subject: part(&parts, 0), author: part(&parts, 1), number: number(&parts) }
    }
}

fn part(parts: &[&str], index: usize) -> String {
    parts[index].to_uppercase()
}

fn number(parts: &[&str]) -> u32 {
    parts.get(2).map_or(1, |text| text.parse().unwrap())
}
