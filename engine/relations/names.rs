//! The words that columns of names can have: a question with another word has no answer, which whoever asks would take for one.

use activate_grammars::LANGUAGES;
use activate_grammars::facts::{NoteKind, SymbolKind, Visibility};
use activate_rules::atoms::{Cause, Change, Severity, Tier};
use activate_rules::links::Confidence;
use activate_rules::sections::Section;
use activate_rules::weights::Verb;
use index::base::Reach;

/// The first roles that a file may have, in the order in which they are looked for; the last is that of what has no other.
pub(crate) const ROLES: [&str; 7] = ["binary", "generated", "vendored", "test", "example", "document", "code"];

/// What fails.
pub(crate) const FAILURES: [&str; 5] = ["error", "warning", "note", "test", "frame"];

/// The words of a column of a relation, if they are few and known.
pub(crate) fn of(relation: &str, column: &str) -> Option<Vec<&'static str>> {
    let visibilities = [Visibility::Private, Visibility::Package, Visibility::Public];
    let reaches = [Reach::Direct, Reach::Transitive, Reach::AnyOf, Reach::NamedAfter, Reach::SamePackage];
    let notes = [NoteKind::Generated, NoteKind::Cgo, NoteKind::Unsafe, NoteKind::Deprecated];
    Some(match (relation, column) {
        ("defines", "kind") => SymbolKind::ALL.iter().map(|kind| kind.word()).collect(),
        ("defines", "visibility") => visibilities.iter().map(|visibility| visibility.word()).collect(),
        (_, "confidence") => Confidence::ALL.iter().map(|sure| sure.name()).chain([super::given::NO_CONFIDENCE]).collect(),
        ("reaches", "kind") => reaches.iter().map(|reach| reach.word()).collect(),
        ("diagnostic", "severity") => Severity::ALL.iter().map(|severity| severity.name()).collect(),
        ("code_note", "kind") => notes.iter().map(|note| note.word()).collect(),
        ("file_state", "change") => Change::ALL.iter().map(|change| change.name()).collect(),
        ("file", "language") => LANGUAGES.iter().map(|language| language.name).chain(["none"]).collect(),
        ("file", "role") => ROLES.to_vec(),
        ("verb", "verb") => Verb::ALL.iter().map(|verb| verb.name()).collect(),
        ("fails", "kind") => FAILURES.to_vec(),
        ("seed", "cause") => Cause::ALL.iter().map(|cause| cause.name()).collect(),
        ("tier", "tier") => Tier::ALL.iter().map(|tier| tier.name()).collect(),
        ("placed", "section") => Section::ALL.iter().map(|section| section.name()).collect(),
        _ => return None,
    })
}
