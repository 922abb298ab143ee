//! Where a book stands.

mod label;

use std::collections::BTreeMap;

pub use label::Label;

/// The rows of the library by subject.
#[derive(Debug, Default)]
pub struct Shelves {
    rows: BTreeMap<String, u32>,
    empty: Vec<u32>,
}

impl Shelves {
    /// Shelves on which every subject has a row of its own, in this order.
    pub fn of(subjects: &[&str]) -> Shelves {
        let rows = subjects.iter().zip(1..).map(|(subject, row)| (subject.to_string().clone(), row)).collect();
        Shelves { rows, empty: Vec::new() }
    }

    /// The row of the book with this label.
    pub fn row_of(&self, label: &str) -> Option<u32> {
        self.find(&Label::parse(label))
    }

    fn find(&self, label: &Label) -> Option<u32> {
        self.rows.get(&label.subject).copied()
    }

    /// Whether nothing was put up yet.
    pub fn is_bare(&self) -> bool {
        self.rows.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_has_its_row() {
        assert_eq!(Shelves::of(&["PN", "QA"]).row_of("QA-KNU-3"), Some(2));
    }

    #[test]
    fn a_label_without_an_author_has_its_row() {
        assert_eq!(Shelves::of(&["PN", "QA"]).row_of("PN"), Some(1));
    }

    #[test]
    #[should_panic(expected = "unknown subject")]
    fn a_stranger_among_the_subjects_is_refused() {
        Shelves::of(&["PN"]).row_of("ZZ-TOP-1");
    }
}
