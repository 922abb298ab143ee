//! What the parts promise together: words out of text, a builder and a reader that agree, and scores by the formula.

mod pieces;

use super::*;
use cache::{Base, Piece};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;

fn words(text: &str) -> String {
    let mut out = Vec::new();
    for_each_word(text.as_bytes(), |word, form| {
        out.push(format!("{word}{}", ["", "!", "."][form as usize]));
    });
    out.join(" ")
}

/// One line a term: the term and its count in each field that has it.
fn shown(facts: &TextFacts) -> String {
    let mut out = String::new();
    facts.for_each(|term, counts| {
        out += &String::from_utf8_lossy(term);
        for field in FieldSet::of(counts).iter() {
            let _ = write!(out, " {}:{}", field.name(), counts[field as usize]);
        }
        out += "\n";
    });
    out
}

fn build(files: &[TextFacts]) -> Vec<Section> {
    let mut builder = IndexBuilder::default();
    for facts in files {
        builder.add(facts);
    }
    builder.finish()
}

fn open(sections: &[Section]) -> error::Result<TextIndex<'_>> {
    TextIndex::open(&sections.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>())
}

fn index_of(files: &[(&str, &str)]) -> Vec<Section> {
    build(&files.iter().map(|(path, text)| text_facts(path, text.as_bytes(), &[], &[])).collect::<Vec<_>>())
}

#[test]
fn names_are_cut_where_a_reader_would_cut_them() {
    for (text, cut) in [
        ("token", "token"),
        ("ValidateToken", "validatetoken! validate. token."),
        ("validate_token", "validatetoken! validate. token."),
        ("MAX_RETRY_COUNT", "maxretrycount! max. retry. count."),
        ("HTTPServer", "httpserver! http. server."),
        ("parseJSONBody", "parsejsonbody! parse. json. body."),
        ("URLs skipIDsNow IDs", "urls skipidsnow! skip. ids. now. ids"),
        ("sha256sum v1beta1 utf8", "sha256sum! sha. 256. sum. v1beta1! beta. utf8! utf."),
        ("__init__ _x x 7 42", "init 42"),
        ("x_y", "xy!"),
        ("skip-logs a.b::cd/ef", "skip logs cd ef"),
        ("größe ÄnderungsZeit 検索 naïve€", "größe änderungszeit! änderungs. zeit. 検索 naïve"),
        ("修复logger的错误输出", "修复 logger 的错 错误 误输 输出"),
        ("ParcelWatcherの接続、サーバー", "parcelwatcher! parcel. watcher. の接 接続 サー ーバ バー"),
        ("Banner가 긴 글을 잘라버립니다", "banner 가 긴 글을 잘라버립니다! 잘라. 라버. 버립. 립니. 니다."),
        ("ช่วยแก้priceOf", "ช่ ่ว วย ยแ แก ก้ priceof! price. of."),
        ("test_ログ 第3章 Ошибка修", "test ログ 第 章 ошибка 修"),
    ] {
        assert_eq!(words(text), cut, "{text}");
    }
    assert_eq!(words(&"a".repeat(65)), "", "a word too long to type");
    assert_eq!(words(&format!("get_{}", "ab_".repeat(33))), format!("get.{}", " ab.".repeat(33)), "only its parts");
    assert_eq!(words(&"Ab".repeat(200)), "", "data, not a name");
    assert_eq!(words(&"错误".repeat(200)).split(' ').count(), 399, "a sentence without blanks has no longest length");
}

#[test]
fn bytes_that_are_no_text_separate_words() {
    let mut seen = Vec::new();
    for_each_word(b"one\xfftwo\xc3 three\xe6\xa4four", |word, _| seen.push(word.to_owned()));
    assert_eq!(seen, ["one", "two", "three", "four"]);
}

#[test]
fn a_file_counts_its_words_by_zone_and_passes_over_masked_ones() {
    let text = "// skip logs\nfunc SkipLogs(logs) { \"logs\"; secret }";
    let zone = |part: &str, field| {
        let start = text.find(part).unwrap();
        Zone { start, end: start + part.len(), field }
    };
    let zones = [zone("// skip logs", Field::Comment), zone("SkipLogs", Field::Name), zone("\"logs\"", Field::Literal)];
    let masked = [(text.find("secret").unwrap(), text.find(" }").unwrap())];
    let facts = text_facts("src/logs.go", text.as_bytes(), &zones, &masked);
    assert_eq!(
        shown(&facts),
        "func body:1\ngo path:1\nlogs body:1 name:1 path:1 comment:1 literal:1\nskip name:1 comment:1\nskiplogs name:1\nsrc path:1\n"
    );
    assert_eq!(FIELDS.map(|field| facts.length(field)), [2, 1, 3, 2, 1, 0]);
}

#[test]
fn senseless_zones_are_clipped() {
    let zone = |start, end| Zone { start, end, field: Field::Doc };
    let facts = text_facts("", b"one two three", &[zone(4, 7), zone(2, 5), zone(8, 3), zone(90, 99)], &[(8, 2), (50, 60)]);
    assert_eq!(shown(&facts), "one body:1\nthree body:1\ntwo doc:1\n");
}

#[test]
fn a_search_finds_the_better_file_first_and_says_why() {
    let sections = index_of(&[
        ("a/logger.go", "logger logger skip_logs"),
        ("b/other.go", "logger"),
        ("c/none.go", "nothing"),
        ("d/other.go", "logger"),
    ]);
    let index = open(&sections).unwrap();
    let weights = FieldWeights::default();
    let query = query_terms("feat(logger): ability to skip logs");
    let mut scores = Scores::default();
    let hits = index.search(&query, &weights, 9, |_| true, &mut scores);
    assert_eq!(hits.iter().map(|hit| hit.doc).collect::<Vec<_>>(), [0, 1, 3], "ties in order of number");
    assert_eq!(index.search(&query, &weights, 1, |doc| doc > 0, &mut scores), hits[1..2], "scores leave nothing behind");
    let explained = index.explain(&[3, 2, 0], &query, &weights);
    let said = |said: &[Contribution]| {
        let one = |c: &Contribution| format!("{} in {}", c.term, c.fields.iter().map(Field::name).collect::<Vec<_>>().join(", "));
        said.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(said(&explained[0]), "logger in body");
    assert_eq!(said(&explained[1]), "");
    assert_eq!(said(&explained[2]), "logs in body; skip in body; skiplogs in body; logger in body, path");
    assert_eq!(explained[2].iter().map(|part| part.score).sum::<i32>(), hits[0].score);
}

#[test]
fn an_intent_becomes_words_each_once_by_its_best_weight() {
    let shown = |intent| query_terms(intent).iter().map(|t| format!("{} {}", t.text, t.weight)).collect::<Vec<_>>().join(", ");
    assert_eq!(shown("fix ValidateToken"), "validatetoken 1500, validate 500, token 500");
    assert_eq!(shown("token of ValidateToken"), "token 1000, validatetoken 1500, validate 500");
    assert_eq!(shown("ability to skip logs"), "ability 1000, skip 1000, logs 1000, skiplogs 1000");
    assert_eq!(shown("--no-ignore-vcs"), "ignore 1000, noignore 1500, vcs 1000, noignorevcs 1500");
    assert_eq!(shown("修复logger的 skip"), "修复 1000, logger 1000, 的 1000, skip 1000");
    assert_eq!(
        shown("wenn die Datei leer ist und das Log voll"),
        "datei 1000, leer 1000, dateileer 1000, log 1000, voll 1000, logvoll 1000"
    );
    assert_eq!(shown("die of des"), "die 1000, des 1000");
    assert_eq!(shown("how to fix it"), "how 1000, to 1000, howto 1000, fix 1000, tofix 1000, it 1000, fixit 1000");
    assert_eq!(shown(" ; "), "");
    let report = (10..9999).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(query_terms(&report).len(), 256);
}

#[test]
fn a_misspelt_name_has_its_neighbours_suggested() {
    let sections = index_of(&[("", "ValidateToken validate invalidate token tokens"), ("", "token broken taken")]);
    let index = open(&sections).unwrap();
    let near = |name| index.nearest(name, 3).into_iter().map(|near| near.term).collect::<Vec<_>>();
    assert_eq!(near("ValidtaeToken"), ["validatetoken"]);
    assert_eq!(near("tokne"), ["token"]);
    assert_eq!(near("token"), ["taken", "tokens"]);
    assert!(near("").is_empty() && near("quite_another").is_empty());
}

#[test]
fn an_empty_index_answers_nothing() {
    let sections = build(&[]);
    let index = open(&sections).unwrap();
    assert!(index.search(&query_terms("token"), &FieldWeights::default(), 9, |_| true, &mut Scores::default()).is_empty());
    assert_eq!((index.n_docs(), index.document_frequency("token")), (0, 0));
    let error = open(&sections[1..]).unwrap_err();
    assert_eq!(error.to_string(), "the text index is damaged: section text.totals is missing");
}

/// The sections after some documents got other words, and those of a build from all words.
fn patched(old: &[TextFacts], new: &[TextFacts]) -> (Option<Vec<Section>>, Vec<Section>) {
    let documents = old.iter().zip(new).zip(0..);
    let changes: Vec<_> =
        documents.filter(|((old, new), _)| old != new).map(|((old, new), doc)| Changed { doc, old, new }).collect();
    let old = build(old);
    (patch(&open(&old).unwrap(), &changes).map(|pieces| applied(&old, pieces)), build(new))
}

/// Sections put together from pieces of what they were.
fn applied(old: &[Section], pieces: Vec<(&'static str, Vec<Piece>)>) -> Vec<Section> {
    let next = Base::build("", 0, old).next(pieces).expect("pieces that fit");
    old.iter().map(|(name, _)| (*name, next.section(next.place(name).unwrap()).to_vec())).collect()
}

/// A document that an index may have already, under this number.
fn as_doc((old, new): &(Option<u32>, TextFacts)) -> Doc<'_> {
    old.map_or(Doc::New(new), Doc::Old)
}

#[test]
fn a_term_may_come_and_go_at_every_place_of_the_dictionary() {
    // Some blocks that begin by themselves, and some that are full.
    let begins = |word: &String| sections::begins_block(word.as_bytes());
    let (some, others): (Vec<String>, Vec<String>) = (0..400).map(|n| format!("{n:03}")).partition(begins);
    let full = &others[others.len() - 2 * sections::MAX_BLOCK_TERMS - 3..];
    let words: Vec<String> =
        others[..30].iter().chain(some.iter().filter(|word| **word < full[0])).chain(full).cloned().collect();
    let old: Vec<TextFacts> = words.iter().map(|word| text_facts("", word.as_bytes(), &[], &[])).collect();
    for (place, word) in words.iter().enumerate() {
        for text in ["", "00", &format!("{word} {word}x"), &format!("{word}x"), &words[0], "zz", &some[some.len() - 1]] {
            let mut new = old.clone();
            new[place] = text_facts("", text.as_bytes(), &[], &[]);
            let (patched, built) = patched(&old, &new);
            assert_eq!(patched.as_ref(), Some(&built), "{word} becomes {text:?}");
            assert_eq!(self::patched(&new, &old).0, Some(build(&old)), "{text:?} becomes {word}");
        }
    }
}

#[test]
fn what_does_not_fit_is_not_patched() {
    let facts = |text: &str| text_facts("", text.as_bytes(), &[], &[]);
    let files = ["alpha beta", "beta gamma", "gamma"].map(facts);
    let (mut sections, new) = (build(&files), facts("delta beta"));
    let patch_of = |sections: &[Section], changes: &[(u32, &TextFacts)]| {
        let changes: Vec<_> = changes.iter().map(|&(doc, old)| Changed { doc, old, new: &new }).collect();
        patch(&open(sections).ok()?, &changes)
    };
    assert!(patch_of(&sections, &[(0, &files[0]), (1, &files[1])]).is_some());
    assert_eq!(patch_of(&sections, &[(1, &files[1]), (0, &files[0])]), None, "out of order");
    assert_eq!(patch_of(&sections, &[(0, &files[0]), (0, &files[0])]), None, "twice");
    assert_eq!(patch_of(&sections, &[(3, &files[0])]), None, "no such document");
    assert_eq!(patch_of(&sections, &[(0, &files[2])]), None, "other lengths");
    assert_eq!(patch_of(&sections, &[(0, &files[1])]), None, "a term that stands elsewhere");
    assert_eq!(patch_of(&sections, &[(0, &facts("omega beta"))]), None, "a term that stands nowhere");
    assert_eq!(patch_of(&sections, &[(0, &facts("alpha alpha"))]), None, "another count");
    let all = [0, 1, 2].map(Doc::Old);
    let next_of = |sections: &[Section]| next(&open(sections).ok()?, &all);
    assert_eq!(next_of(&sections).as_ref(), Some(&sections));
    for section in 1..4 {
        for place in 0..sections[section].1.len() {
            let whole = sections[section].1.clone();
            sections[section].1.truncate(place);
            assert_eq!(next_of(&sections), None, "{} cut at {place}", sections[section].0);
            sections[section].1.clone_from(&whole);
            sections[section].1[place] ^= 1;
            if section == 1 {
                assert_eq!(next_of(&sections), None, "{} changed at {place}", sections[section].0);
            } else {
                patch_of(&sections, &[(0, &files[0]), (1, &files[1])]);
            }
            sections[section].1 = whole;
        }
    }
    sections[0].1[size_of::<u32>()] -= 1;
    assert_eq!(next_of(&sections), None, "a term too many");
}

/// Files of few distinct words, so that terms meet.
fn corpus() -> impl Strategy<Value = Vec<Vec<(String, usize)>>> {
    prop::collection::vec(file(), 0..40)
}

/// Words, each in a field.
fn file() -> impl Strategy<Value = Vec<(String, usize)>> {
    let word = prop_oneof![4 => "[a-c]{2,3}", 1 => "[a-d_A-B1é]{2,30}"];
    prop::collection::vec((word, 0..N_FIELDS), 0..40)
}

/// The facts of a file, or what is left of such facts after damage: any lengths, and terms in any order.
fn any_facts() -> impl Strategy<Value = TextFacts> {
    let bytes = prop_oneof![Just(0x01), Just(0x10), Just(0x11), Just(0x20), Just(0x81), Just(b'a'), Just(b'b'), any::<u8>()];
    let damaged = (any::<[u32; N_FIELDS]>(), prop::collection::vec(bytes, 0..60));
    prop_oneof![
        4 => file().prop_map(|file| facts_of(&file)),
        1 => Just(TextFacts::default()),
        1 => damaged.prop_map(|facts| postcard::from_bytes(&postcard::to_stdvec(&facts).unwrap()).unwrap()),
    ]
}

fn facts_of(file: &[(String, usize)]) -> TextFacts {
    let (mut text, mut zones) = (String::new(), Vec::new());
    for (word, field) in file {
        let start = text.len();
        text += word;
        zones.push(Zone { start, end: text.len(), field: FIELDS[*field] });
        text.push(' ');
    }
    text_facts("", text.as_bytes(), &zones, &[])
}

type Bag = BTreeMap<String, Counts>;

fn bag_of(file: &[(String, usize)]) -> Bag {
    let mut bag = Bag::new();
    for (word, field) in file {
        for_each_word(word.as_bytes(), |word, _| {
            let count = &mut bag.entry(word.to_owned()).or_default()[*field];
            *count = count.saturating_add(1);
        });
    }
    bag
}

/// The formula, word for word, in floating point.
fn naive_score(bags: &[Bag], files: &[TextFacts], doc: usize, query: &[QueryTerm], weights: &FieldWeights) -> f64 {
    let n = bags.len() as f64;
    let mut score = 0.0;
    for term in query {
        let Some(counts) = bags[doc].get(&term.text) else { continue };
        let df = bags.iter().filter(|bag| bag.contains_key(&term.text)).count() as f64;
        let mut tf = 0.0;
        for field in FIELDS {
            let lengths: Vec<f64> = files.iter().map(|file| f64::from(file.length(field))).filter(|&n| n > 0.0).collect();
            let average = lengths.iter().sum::<f64>() / (lengths.len() as f64).max(1.0);
            let FieldWeight { weight, b } = weights.fields[field as usize];
            let length = f64::from(files[doc].length(field));
            if counts[field as usize] > 0 {
                tf += weight * f64::from(counts[field as usize]) / (1.0 - b + b * length / average);
            }
        }
        let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
        score += f64::from(term.weight) / 1000.0 * idf * tf * (weights.k1 + 1.0) / (weights.k1 + tf);
    }
    score
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn what_was_added_is_looked_up(corpus in corpus()) {
        let bags: Vec<Bag> = corpus.iter().map(|file| bag_of(file)).collect();
        let sections = build(&corpus.iter().map(|file| facts_of(file)).collect::<Vec<_>>());
        let index = open(&sections).unwrap();
        for term in bags.iter().flat_map(Bag::keys).map(String::as_str).chain(["zz", ""]) {
            let want: Vec<Posting> = bags.iter().zip(0..).filter_map(|(bag, doc)| Some(Posting { doc, counts: *bag.get(term)? })).collect();
            prop_assert_eq!(index.document_frequency(term) as usize, want.len());
            prop_assert_eq!(index.lookup(term).collect::<Vec<_>>(), want);
        }
    }

    #[test]
    fn a_patched_index_is_the_one_that_a_build_gives(
        old in prop::collection::vec(any_facts(), 0..30),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any_facts()), 0..6),
    ) {
        let mut new = old.clone();
        for (place, facts) in changes.into_iter().filter(|_| !old.is_empty()) {
            new[place.index(old.len())] = facts;
        }
        let (patched, built) = patched(&old, &new);
        prop_assert_eq!(patched, Some(built));
    }

    #[test]
    fn the_next_index_is_the_one_that_a_build_gives(
        old in prop::collection::vec(any_facts(), 0..30),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, any_facts()), 0..8),
    ) {
        let mut docs: Vec<(Option<u32>, TextFacts)> = (0..).map(Some).zip(old.clone()).collect();
        for (place, kind, facts) in edits {
            let at = place.index(docs.len() + 1);
            match kind {
                0 => docs.insert(at, (None, facts)),
                _ if at == docs.len() => {}
                1 => drop(docs.remove(at)),
                _ => docs[at] = (None, facts),
            }
        }
        let sections = build(&old);
        let next = |docs: Vec<Doc<'_>>| super::next(&open(&sections).unwrap(), &docs);
        let built = build(&docs.iter().map(|(_, facts)| facts.clone()).collect::<Vec<_>>());
        prop_assert_eq!(next(docs.iter().map(as_doc).collect()), Some(built));
        // What is in no order, or not there, is no document.
        prop_assert_eq!(next(vec![Doc::Old(1), Doc::Old(0)]), None);
        prop_assert_eq!(next(vec![Doc::Old(old.len() as u32)]), None);
    }

    #[test]
    fn scores_are_those_of_the_formula_and_sums_of_their_parts(corpus in corpus(), query in prop::collection::vec("[a-c]{2,3}", 1..6)) {
        let bags: Vec<Bag> = corpus.iter().map(|file| bag_of(file)).collect();
        let files: Vec<TextFacts> = corpus.iter().map(|file| facts_of(file)).collect();
        let sections = build(&files);
        let index = open(&sections).unwrap();
        let query = query_terms(&query.join("; "));
        let weights = FieldWeights::default();
        let hits = index.search(&query, &weights, usize::MAX, |_| true, &mut Scores::default());
        prop_assert!(hits.is_sorted_by_key(|hit| (-hit.score, hit.doc)));
        let docs: Vec<u32> = hits.iter().map(|hit| hit.doc).collect();
        for (hit, parts) in hits.iter().zip(index.explain(&docs, &query, &weights)) {
            let want = naive_score(&bags, &files, hit.doc as usize, &query, &weights) * 1000.0;
            prop_assert!((f64::from(hit.score) - want).abs() <= query.len() as f64 * 0.5 + 1e-6, "{} for {want}", hit.score);
            prop_assert_eq!(parts.iter().map(|part| part.score).sum::<i32>(), hit.score);
        }
        let matching = bags.iter().filter(|bag| query.iter().any(|term| bag.contains_key(&term.text))).count();
        prop_assert_eq!(hits.len(), matching);
    }

    #[test]
    fn damaged_sections_give_errors_or_fewer_results(
        corpus in corpus(),
        damage in prop::collection::vec((0..5_usize, any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let files: Vec<_> = corpus.iter().map(|file| facts_of(file)).collect();
        let mut sections = build(&files);
        for (section, place, byte) in &damage {
            let bytes = &mut sections[*section].1;
            if !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
        }
        let short = &mut sections[2 + damage.len() % 2].1;
        short.truncate(cut.index(short.len() + 1));
        if let Ok(index) = open(&sections) {
            let query = query_terms("ab; abc; bc; ca; cc");
            let hits = index.search(&query, &FieldWeights::default(), 9, |_| true, &mut Scores::default());
            prop_assert!(hits.iter().all(|hit| hit.doc < index.n_docs()));
            index.explain(&[0, 5, u32::MAX], &query, &FieldWeights::default());
            index.nearest("abcabc", 9);
            let new = facts_of(&[("abc".to_owned(), 0)]);
            let changes: Vec<_> = files.iter().zip(0..).map(|(old, doc)| Changed { doc, old, new: &new }).collect();
            patch(&index, &changes);
            next(&index, &(0..index.n_docs()).skip(1).map(Doc::Old).collect::<Vec<_>>());
        }
    }

    #[test]
    fn damaged_facts_give_fewer_terms(files in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..6)) {
        let facts: Vec<TextFacts> = files.iter().filter_map(|bytes| {
            let mut encoded = vec![1; N_FIELDS];
            encoded.push(bytes.len() as u8);
            encoded.extend(bytes);
            postcard::from_bytes(&encoded).ok()
        }).collect();
        prop_assert_eq!(facts.len(), files.len());
        let sections = build(&facts);
        let index = open(&sections).unwrap();
        prop_assert_eq!(index.n_docs() as usize, files.len());
        index.search(&query_terms("aa"), &FieldWeights::default(), 9, |_| true, &mut Scores::default());
    }

    #[test]
    fn any_bytes_are_read(text in prop::collection::vec(any::<u8>(), 0..300)) {
        text_facts("a.go", &text, &[], &[]);
    }
}

#[test]
fn fields_speak_for_themselves_and_together_as_in_a_search() {
    let sections = index_of(&[
        ("auth/token.rs", "check the token"),
        ("auth/login.rs", "a token, a token and a key"),
        ("other.rs", "nothing here"),
    ]);
    let index = open(&sections).expect("an index");
    let (query, weights) = (query_terms("token key"), FieldWeights::default());
    let (found, of_query) = index.field_scores(&[0, 1, 2], &query, &weights);
    let hits = index.search(&query, &weights, 9, |_| true, &mut Scores::default());
    for hit in &hits {
        assert_eq!(found[hit.doc as usize].all, hit.score);
    }
    assert_eq!(found[2], FieldScores::default());
    // The path has the word too, where it is alone; what only one document has is rarer than what two have.
    assert!(found[0].fields[Field::Path as usize] > 0 && found[1].fields[Field::Path as usize] == 0);
    assert_eq!((found[0].n_words, found[1].n_words), (1, 2));
    assert_eq!((found[1].rarity, found[1].rarest, found[1].named_rarity), (of_query.sum, of_query.greatest, 0));
    assert_eq!((found[0].rarity, found[0].named_rarity), (of_query.sum - of_query.greatest, found[0].rarest));
}
