//! An index that is kept as pieces of what it was while documents come and go.

use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn an_index_kept_as_pieces_answers_as_one_that_a_build_gives(
        first in prop::collection::vec(any_facts(), 0..20),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, any_facts()), 0..12),
    ) {
        let (mut files, mut sections) = (first.clone(), build(&first));
        for edits in edits.chunks(3) {
            let before = files.clone();
            let mut docs: Vec<(Option<u32>, TextFacts)> = (0..).map(Some).zip(files).collect();
            for (place, kind, facts) in edits {
                let at = place.index(docs.len() + 1);
                match kind {
                    0 => docs.insert(at, (None, facts.clone())),
                    _ if at == docs.len() => {}
                    1 => drop(docs.remove(at)),
                    _ => docs[at] = (None, facts.clone()),
                }
            }
            let words = |doc: u32| before.get(doc as usize).cloned();
            let parts = next_parts(&open(&sections).unwrap(), &docs.iter().map(as_doc).collect::<Vec<_>>(), &words);
            files = docs.into_iter().map(|(_, facts)| facts).collect();
            let Some(parts) = parts else {
                prop_assert!(files.is_empty() && !before.is_empty());
                break;
            };
            sections = applied(&sections, parts);
            let (index, built) = (open(&sections).unwrap(), build(&files));
            let all: Vec<Doc<'_>> = (0..index.n_docs()).map(Doc::Old).collect();
            prop_assert_eq!(next(&index, &all), Some(built.clone()));
            let alone = open(&built).unwrap();
            let query = query_terms("ab; abc; bc; ca; cc");
            let hits = |index: &TextIndex<'_>| {
                index.search(&query, &FieldWeights::default(), 9, |_| true, &mut Scores::default())
            };
            prop_assert_eq!(hits(&index), hits(&alone));
            for term in ["ab", "abc", "bc"] {
                prop_assert_eq!(index.lookup(term).collect::<Vec<_>>(), alone.lookup(term).collect::<Vec<_>>());
            }
            // A body is patched by its document, whatever its slot.
            if let Some(old) = files.last().cloned() {
                let new = facts_of(&[("abc".to_owned(), 0)]);
                let change = Changed { doc: files.len() as u32 - 1, old: &old, new: &new };
                sections = applied(&sections, patch(&open(&sections).unwrap(), &[change]).expect("pieces"));
                *files.last_mut().expect("a file") = new;
            }
        }
    }
}
