//! Words of an intent that most files of a language say in annotations alone: they say nothing of what a file is about.
//!
//! `@Override` and `@Nullable` stand in nearly every file of Java, and "override" in an intent is seldom about them.

use activate_grammars::{LANGUAGES, Language};
use index::base::FactBase;
use index::text::{Field, QueryTerm, TextIndex};
use rustc_hash::FxHashSet;

/// The part of the files of a language, one in so many, that must have the name of an annotation in their code and nowhere else.
const ONE_IN: usize = 10;

/// The words among these that are such names. All of them count where there are no others.
pub(super) fn said_in_annotations(base: &FactBase, index: &TextIndex<'_>, terms: &[QueryTerm]) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    for language in LANGUAGES {
        let is_name =
            |term: &&QueryTerm| language.reading.common_annotations.iter().any(|name| name.eq_ignore_ascii_case(&term.text));
        let mut names = terms.iter().filter(is_name).peekable();
        if names.peek().is_none() {
            continue;
        }
        let n_files = base.files().filter(|file| base.language(*file) == Some(language.name)).count();
        let is_in_most = |term: &&QueryTerm| n_files > 0 && n_annotated(base, index, language, &term.text) * ONE_IN >= n_files;
        found.extend(names.filter(is_in_most).map(|term| term.text.clone()));
    }
    if terms.iter().all(|term| found.contains(&term.text)) { FxHashSet::default() } else { found }
}

/// How many files of a language have a word in their code alone: not in names that they define, comments, texts and paths.
fn n_annotated(base: &FactBase, index: &TextIndex<'_>, language: &Language, word: &str) -> usize {
    let others = [Field::Name, Field::Path, Field::Comment, Field::Literal];
    let postings = index.lookup(word).filter(|posting| {
        let fields = posting.fields();
        fields.contains(Field::Body) && !others.iter().any(|field| fields.contains(*field))
    });
    postings.filter(|posting| base.language(activate_rules::atoms::NodeId(posting.doc)) == Some(language.name)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::fixture::base;
    use index::text::query_terms;

    #[test]
    fn what_most_files_say_in_annotations_alone_says_nothing_of_them() {
        let of = |third: &str, intent: &str| {
            let class = |name: &str, inside: &str| format!("//- {name}.java\nclass {name} {{\n  {inside}\n}}\n");
            let base = base(&format!(
                "{}{}{}{}",
                class("Cart", "@Override public String toString() { return null; }"),
                class("Shop", "@Override @Nullable public String name() { return null; }"),
                class("Price", third),
                "//- main.py\ndef override(): pass\n"
            ));
            let index = base.text().expect("an index");
            let mut found: Vec<String> = said_in_annotations(&base, &index, &query_terms(intent)).into_iter().collect();
            found.sort();
            found.join(" ")
        };
        let plain = "@Override public int hashCode() { return 1; }";
        assert_eq!(of(plain, "override the price of a nullable cart"), "nullable override");
        assert_eq!(of(plain, "override"), "", "there is nothing else to look for");
        assert_eq!(of(plain, "test the price, a deprecated one"), "");
        assert_eq!(of("void run() {}", "who pays"), "");
    }

    #[test]
    fn a_word_that_files_say_elsewhere_still_counts() {
        let files =
            (0..3).map(|n| format!("//- A{n}.java\n// Override what is there.\nclass A{n} {{ @Override void a() {{}} }}\n"));
        let base = base(&files.collect::<String>());
        let index = base.text().expect("an index");
        assert!(said_in_annotations(&base, &index, &query_terms("override the price")).is_empty());
    }
}
