//! Remembers values that are masked where they are assigned, to mask them where they only occur: in logs, diffs and messages.
//!
//! A value is remembered only if no word of code or prose reads like it. Which values does not depend on the order they are found in.

use super::elsewhere::Elsewhere;
use super::encodings;
use super::escape::utf8;
use super::mask::apply;
use super::name::Class;
use super::search::Search;
use super::span::MaskSpan;
use super::telling::{LENGTH, MIN_RANDOM, class_of, is_counted, is_counted_name, is_phrase, is_telling, secret_part};
use super::unescape::{Meant, meant};
use super::value::is_random;
use super::view::View;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// From this length on a line of a value of several lines is one by itself: that of a key has 64 characters, its last may have few.
const MIN_LINE: usize = 24;
/// What stands where a text was cut, and how much of a value before it gives the rest away.
const CUT: &[u8] = "…".as_bytes();
const MIN_CUT: usize = 4;
/// The most bytes of a value of several lines of which one gives it away: a key of 16,384 bits with its certificate.
const MAX_BLOCK: usize = 16 << 10;
/// Values looked for; a repository of more holds lists of values, each masked where it stands. Those of the lowest rank are taken, then the
/// first in order.
const MAX_VALUES: usize = 2_000;
/// So much of a value that is longer than those remembered is remembered.
const HEAD: usize = 64;
/// How far the rest of a base64 text around a value is taken along.
const MAX_AROUND: usize = 16 << 10;
/// The kind of files in which every value is masked, so that the mask says nothing about the value.
const ANY_VALUE: &str = "env-value";
/// The kind of files in which every value is to be held back, settings among them: words in a row may be one.
const HELD_BACK: &str = "kubernetes-secret";

/// Values found in texts, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gathered {
    values: BTreeMap<Vec<u8>, Value>,
    /// Whether there were more of them than are looked for.
    is_cut: bool,
}

/// What is remembered of a value besides itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Value {
    /// The lower, the sooner it is looked for where there are too many.
    rank: u8,
    kind: &'static str,
    /// Whether it is the beginning of a longer one.
    is_head: bool,
}

impl Gathered {
    /// Adds the values that `spans` mask in `text`, as far as no word reads like them, and gives the spans of these.
    pub fn add(&mut self, text: &[u8], spans: &[MaskSpan]) -> Vec<MaskSpan> {
        let mut added = Vec::new();
        for span in spans {
            let Some(value) = text.get(span.start..span.end).filter(|value| value.len() <= MAX_BLOCK) else { continue };
            for block in meant(value).into_iter().chain([value.to_vec()]).filter(|block| block.contains(&b'\n')) {
                // A log repeats one line of it.
                let lines = block.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
                let telling: Vec<&[u8]> = lines.filter(|line| is_telling(line) && is_random(line, MIN_LINE)).collect();
                if !telling.is_empty() {
                    added.push(*span);
                    for line in telling {
                        self.insert(line.to_vec(), Value { rank: 0, kind: span.kind, is_head: false });
                    }
                }
            }
            if value.len() > *LENGTH.end() && is_random(&value[..HEAD], HEAD) {
                added.push(*span);
                self.insert(value[..HEAD].to_vec(), Value { rank: 0, kind: span.kind, is_head: true });
            }
            if value.len() > 2 * LENGTH.end() {
                continue;
            }
            let (value, is_password) = secret_part(&View::joined(value).bytes);
            let name = class_of(text, span.start);
            // The name says nothing: the value must.
            let is_weak = name == Some(Class::WeakToken) && [ANY_VALUE, HELD_BACK].contains(&span.kind);
            let is_named = is_password || ![ANY_VALUE, HELD_BACK].contains(&span.kind) || name.is_some() && !is_weak;
            let is_given = is_named || span.kind == HELD_BACK;
            let is_chosen = is_password || matches!(name, Some(Class::Password | Class::WeakPassword));
            let is_kept = |value: &Vec<u8>| {
                is_telling(value) && (is_given || is_random(value, MIN_RANDOM)) && (is_chosen || !is_counted_name(value))
                    || is_named && (is_phrase(value) || is_counted(value))
            };
            // What is written with escapes stands elsewhere as it is meant.
            let telling: Vec<Vec<u8>> = meant(&value).into_iter().chain([value]).filter(is_kept).collect();
            if !telling.is_empty() {
                added.push(*span);
                for value in telling {
                    self.insert(value, Value { rank: 0, kind: span.kind, is_head: false });
                }
            }
        }
        added
    }

    /// With what was gathered elsewhere.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        self.is_cut |= other.is_cut;
        for (value, known) in other.values {
            self.insert(value, known);
        }
        self
    }

    /// Without what is known already.
    #[must_use]
    pub fn without(mut self, known: &KnownSecrets) -> Self {
        self.values.retain(|value, _| !known.gathered.values.contains_key(value));
        self
    }

    /// Without names of code: what `is_name` says of a word of letters, digits and underscores that was not drawn at random.
    #[must_use]
    pub fn without_names(mut self, is_name: impl Fn(&str) -> bool) -> Self {
        let is_word =
            |value: &[u8]| value.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') && !is_random(value, MIN_RANDOM);
        self.values.retain(|value, _| !(is_word(value) && std::str::from_utf8(value).is_ok_and(&is_name)));
        self
    }

    /// With this rank: where there are more values than are looked for, those of a lower rank are.
    #[must_use]
    pub fn ranked(mut self, rank: u8) -> Self {
        self.values.values_mut().for_each(|value| value.rank = rank);
        self
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was gathered.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn insert(&mut self, value: Vec<u8>, new: Value) {
        let known = self.values.entry(value).or_insert(new);
        *known = Value { rank: new.rank.min(known.rank), kind: new.kind.min(known.kind), is_head: new.is_head && known.is_head };
        if self.values.len() > 2 * MAX_VALUES {
            self.cut();
        }
    }

    /// Keeps those that are looked for: whatever the order they came in, they are the same.
    fn cut(&mut self) {
        if self.values.len() > MAX_VALUES {
            self.is_cut = true;
            let mut ranks: Vec<(u8, &Vec<u8>)> = self.values.iter().map(|(value, known)| (known.rank, value)).collect();
            let (_, (rank, last), _) = ranks.select_nth_unstable(MAX_VALUES - 1);
            let (rank, last) = (*rank, last.clone());
            self.values.retain(|value, known| (known.rank, value) <= (rank, &last));
        }
    }

    /// Makes them ready to be looked for, in every form they are written in.
    pub fn build(mut self) -> KnownSecrets {
        self.cut();
        if self.values.is_empty() {
            return KnownSecrets::default();
        }
        let mut patterns: BTreeMap<Vec<u8>, Found> = BTreeMap::new();
        for (value, Value { kind, .. }) in &self.values {
            let plain = |kind| Found { kind, is_base64: false };
            for form in encodings::base64_cores(value) {
                patterns.entry(form).or_insert(Found { kind, is_base64: true });
            }
            for form in encodings::of(value) {
                patterns.entry(form).or_insert(plain(kind));
            }
            // `user:password` in base64 gives the password away.
            let pair = encodings::decoded(value).unwrap_or_default();
            // `echo` ends what it says with a line feed.
            let pair = Some(pair.trim_ascii_end()).filter(|pair| pair.iter().all(u8::is_ascii_graphic)).unwrap_or_default();
            let password = pair.iter().position(|b| *b == b':').map_or(pair, |colon| &pair[colon + 1..]);
            if is_telling(password) {
                patterns.entry(password.to_vec()).or_insert(plain(kind));
            }
        }
        patterns.extend(
            self.values.iter().map(|(value, known)| (value.clone(), Found { kind: known.kind, is_base64: known.is_head })),
        );
        let mut hash = xxhash_rust::xxh3::Xxh3::new();
        for (pattern, found) in &patterns {
            hash.update(&(pattern.len() as u64).to_le_bytes());
            hash.update(pattern);
            hash.update(found.kind.as_bytes());
        }
        let (patterns, found) = patterns.into_iter().unzip();
        KnownSecrets { gathered: self, search: Search::new(patterns), found, version: hash.digest(), elsewhere: None }
    }
}

/// Values to look for in any text.
#[derive(Debug, Clone, Default)]
pub struct KnownSecrets {
    gathered: Gathered,
    search: Search,
    /// By pattern, what is found.
    found: Vec<Found>,
    version: u64,
    /// Those of other repositories.
    elsewhere: Option<Arc<Elsewhere>>,
}

/// What a pattern finds.
#[derive(Debug, Clone, Copy)]
struct Found {
    kind: &'static str,
    /// Whether it is the middle of a text in base64.
    is_base64: bool,
}

impl KnownSecrets {
    /// Names the set: what was found with another one is found again. Zero for no values.
    pub fn version(&self) -> u64 {
        self.version ^ self.elsewhere.as_ref().map_or(0, |elsewhere| elsewhere.version())
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.elsewhere.is_none()
    }

    /// Whether there were more values than are looked for.
    pub fn is_cut(&self) -> bool {
        self.gathered.is_cut
    }

    /// Whether a value stands in a text.
    pub fn occur(&self, text: &[u8]) -> bool {
        self.search.is_in(text)
            || Meant::of(text).is_some_and(|plain| self.search.is_in(&plain.bytes))
            || self.elsewhere.as_ref().is_some_and(|elsewhere| elsewhere.is_in(text))
    }

    /// The values, and those of other repositories.
    #[must_use]
    pub fn with_elsewhere(&self, elsewhere: Arc<Elsewhere>) -> Self {
        Self { elsewhere: Some(elsewhere).filter(|elsewhere| !elsewhere.is_empty()), ..self.clone() }
    }

    /// Every form in which a value is looked for, with its kind, and whether what stands around it is a part of it too.
    pub(super) fn forms(&self) -> impl Iterator<Item = (&[u8], &'static str, bool)> {
        self.search.patterns().zip(&self.found).map(|(form, found)| (form, found.kind, found.is_base64))
    }

    /// Masks the values alone, in a text that was masked without them.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut spans = Vec::new();
        self.find(text.as_bytes(), &mut spans);
        if spans.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(utf8(&apply(text.as_bytes(), &spans)).into_owned()) }
    }

    /// The values and others.
    #[must_use]
    pub fn with(&self, others: Gathered) -> Self {
        let elsewhere = self.elsewhere.clone();
        Self { elsewhere, ..self.gathered.clone().joined(others).build() }
    }

    /// Adds every place of a value in `text`.
    pub(super) fn find(&self, text: &[u8], spans: &mut Vec<MaskSpan>) {
        if let Some(elsewhere) = &self.elsewhere {
            elsewhere.find(text, spans);
        }
        if self.search.is_empty() {
            return;
        }
        let all = |text: &[u8]| -> Vec<MaskSpan> {
            // What lies in the last find is read once.
            let mut done = 0;
            let found = self.search.find(text).into_iter().filter_map(|(pattern, start, end)| {
                let Found { kind, is_base64 } = self.found.get(pattern).copied().filter(|_| end > done)?;
                let (start, end) = if is_base64 { around(text, start, end) } else { (start, end) };
                done = end;
                Some(MaskSpan { start, end, kind })
            });
            found.collect()
        };
        spans.extend(all(text));
        spans.extend(self.cut(text));
        // Everybody escapes other characters, and in other ways.
        if let Some(plain) = Meant::of(text) {
            spans.extend(all(&plain.bytes).into_iter().map(|span| {
                let (start, end) = plain.original(span.start, span.end);
                MaskSpan { start, end, kind: span.kind }
            }));
        }
    }
}

impl KnownSecrets {
    /// The beginning of a value whose rest was cut off.
    fn cut(&self, text: &[u8]) -> Option<MaskSpan> {
        let end = text.strip_suffix(CUT)?.len();
        let begun = |(value, Value { kind, .. }): (&Vec<u8>, &Value)| {
            let longest = end.min(value.len().saturating_sub(1));
            let n = (MIN_CUT..=longest).rev().find(|n| text[end - n..end] == value[..*n])?;
            Some(MaskSpan { start: end - n, end, kind })
        };
        self.gathered.values.iter().filter_map(begun).min_by_key(|span| span.start)
    }
}

/// Widens a find in base64 to the whole of it: the characters beside it hold parts of the value.
pub(super) fn around(text: &[u8], start: usize, end: usize) -> (usize, usize) {
    let is_base64 = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'_' | b'-');
    let before = text[start.saturating_sub(MAX_AROUND)..start].iter().rev().take_while(is_base64).count();
    let after = text[end..text.len().min(end + MAX_AROUND)].iter().take_while(is_base64).count();
    let filling = text[end + after..].iter().take(2).take_while(|b| **b == b'=').count();
    (start - before, end + after + filling)
}

#[cfg(test)]
mod tests {
    use super::Gathered;
    use crate::by_rules;
    use crate::mask::apply;
    use crate::redactor::Redactor;

    fn gathered(files: &[(&str, &str)]) -> Gathered {
        let mut gathered = Gathered::default();
        for (name, text) in files {
            gathered.add(text.as_bytes(), &by_rules::find(name, text.as_bytes()));
        }
        gathered
    }

    const FILES: [(&str, &str); 3] = [
        (".env", "DB_PASSWORD=copper-walnut-5512\nNODE_ENV=production\nDB_USER=application\nDB_HOST=db-7.internal\n"),
        ("a.ini", "[mail]\npassword = Hx7/pq2!Wd\"9Lk\n"),
        ("s.yaml", "kind: Secret\ndata:\n  key: YXBwOnNhZGRsZS1oYW1tZXItNDQx\n"),
    ];

    #[test]
    fn values_found_once_are_masked_everywhere_in_every_form() {
        let values = gathered(&FILES).build();
        for (text, expected) in [
            ("+ login copper-walnut-5512 ok", "+ login [REDACTED:assigned-secret] ok"),
            ("GET /?p=Hx7%2Fpq2%21Wd%229Lk", "GET /?p=[REDACTED:assigned-secret]"),
            (r#"{"p": "Hx7/pq2!Wd\"9Lk"}"#, r#"{"p": "[REDACTED:assigned-secret]"}"#),
            ("<p>Hx7/pq2!Wd&quot;9Lk</p>", "<p>[REDACTED:assigned-secret]</p>"),
            ("sent YXBwOmNvcHBlci13YWxudXQtNTUxMg== ok", "sent [REDACTED:assigned-secret] ok"),
            ("hex 636f707065722d77616c6e75742d35353132", "hex [REDACTED:assigned-secret]"),
            ("as saddle-hammer-441", "as [REDACTED:kubernetes-secret]"),
            ("run in production on db-7.internal as application", "run in production on db-7.internal as application"),
        ] {
            let spans = Redactor::built_in().find(&values, "", text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&apply(text.as_bytes(), &spans)), expected);
            assert!(by_rules::find("", text.as_bytes()).is_empty(), "{text}");
        }
    }

    #[test]
    fn half_a_value_is_masked_where_a_text_was_cut() {
        let values = gathered(&FILES).build();
        for (text, expected) in [
            ("login as copper-wal…", "login as [REDACTED:assigned-secret]…"),
            ("login as copp…", "login as [REDACTED:assigned-secret]…"),
            ("login as cop…", "login as cop…"),
            ("login as copper-wal", "login as copper-wal"),
            ("…", "…"),
        ] {
            assert_eq!(values.hide(text), expected);
        }
    }

    #[test]
    fn what_is_written_with_escapes_is_known_as_it_is_meant() {
        for (name, text, meant) in [
            ("a.ini", "url = postgres://svc:urlP4ss%3Aw0rd9x@db/x\n", "urlP4ss:w0rd9x"),
            (".pgpass", "h:1:d:u:pgPa55\\:colon9\n", "pgPa55:colon9"),
            ("a.ini", "url = postgres://ada:0eyN1yg%40%2FdvpSfF57@db/x\n", "0eyN1yg@/dvpSfF57"),
            ("a.xml", "<password>k4Wq&lt;z9&amp;Tn31</password>\n", "k4Wq<z9&Tn31"),
            ("a.json", "{\"password\": \"k4Wq\\u0026z9\\\"Tn31\"}\n", "k4Wq&z9\"Tn31"),
            (".env", "A_PASSWORD=\"k4Wq\\$z9Tn31x\"\n", "k4Wq$z9Tn31x"),
            ("s.yaml", "kind: Secret\ndata:\n  key: azRXcXo5VG4zMXhxCg==\n", "k4Wqz9Tn31xq"),
            (".env", "W_PASSWORD=xk7mpq2w\n", "xk7mpq2w"),
        ] {
            let values = gathered(&[(name, text)]).build();
            let masked = values.hide(meant).into_owned();
            assert!(masked.starts_with("[REDACTED:") && masked.ends_with(']'), "{name} {meant}: {masked}");
        }
        let values = gathered(&[(".env", "W_PASSWORD=Hunter2!\n")]).build();
        assert!(!values.hide("basic SHVudGVyMiE= x").contains("SHVu"));
    }

    #[test]
    fn whoever_escapes_it_in_whatever_way_a_value_is_known() {
        let values = gathered(&[(".env", "DB_PASSWORD=k4Wq&z9/T!n31\"x*w\n")]).build();
        for written in [
            "k4Wq%26z9%2FT!n31%22x*w",
            "k4Wq%26z9/T%21n31%22x%2Aw",
            "k4Wq%26z9%2fT%21n31%22x%2aw",
            r#"k4Wq\u0026z9/T!n31\"x*w"#,
            r#"k4Wq&z9\/T!n31\"x*w"#,
            "k4Wq&amp;z9/T!n31&#34;x*w",
            "k4Wq&#x26;z9/T!n31&quot;x*w",
        ] {
            let text = format!("<{written}> %41 &amp; end");
            assert_eq!(values.hide(&text), "<[REDACTED:assigned-secret]> %41 &amp; end", "{written}");
        }
        let values = gathered(&[(".env", "A_PASSWORD=\"kX9vQ2* mR7\u{e4}Z4!\u{1f525}\"\n")]).build();
        for written in [
            "kX9vQ2*+mR7%c3%a4Z4%21%F0%9F%94%A5",
            r"kX9vQ2* mR7\u00e4Z4!\ud83d\udd25",
            r"kX9vQ2\052 mR7\u{e4}Z4!\U0001f525",
            "kX9vQ2* mR7&#228;Z4!&#x1f525;",
        ] {
            assert_eq!(values.hide(&format!("<{written}>")), "<[REDACTED:env-value]>", "{written}");
        }
        let text = "no value %41%42 \\n &lt; here";
        assert_eq!(values.hide(text), text);
    }

    #[test]
    fn phrases_and_counted_words_are_known_where_a_secret_name_has_them() {
        for (text, value) in [
            ("DB_PASSWORD=correct-horse-battery\n", "correct-horse-battery"),
            ("DB_PASSPHRASE='copper walnut lantern'\n", "copper walnut lantern"),
            ("DB_PASSWORD=copperwalnutlantern\n", "copperwalnutlantern"),
            ("DB_PASSWORD=Copper-Walnut-Lantern\n", "Copper-Walnut-Lantern"),
            ("DB_PASSWORD=\"kX9vQ2 mR7tZ4 wL8\"\n", "kX9vQ2 mR7tZ4 wL8"),
            ("DB_PASSWORD='purple monkey dishwasher 77'\n", "purple monkey dishwasher 77"),
            ("DB_PASSWORD=letmein2024\n", "letmein2024"),
            ("DB_URL=postgres://app:meadow-lantern-saddle@db/x\n", "meadow-lantern-saddle"),
        ] {
            let values = gathered(&[(".env", text)]).build();
            let spoken = format!("as {value} it fails");
            let masked = values.hide(&spoken).into_owned();
            assert!(masked.starts_with("as [REDACTED:") && masked.ends_with("] it fails"), "{text}: {masked}");
        }
        for text in "DB_NAME=correct-horse-battery DB_HOST=letmein2024 DB_PASSWORD=your-password-here DB_PASSWORD=swordfish \
             DB_PASSWORD=walnut-lantern DB_PASSWORD=CopperWalnutLantern DB_PASSWORD=copper.walnut.lantern"
            .split_whitespace()
        {
            assert!(gathered(&[(".env", text)]).is_empty(), "{text}");
        }
    }

    #[test]
    fn quotes_and_addresses_hide_no_value() {
        let file =
            "A_TOKEN=\"quoted-harbor-7719\"\nB_TOKEN='single-anchor-8824'\nC_URL=postgres://app:meadow-lantern-3307@db/x\n";
        let values = gathered(&[(".env", file)]).build();
        for value in ["quoted-harbor-7719", "single-anchor-8824", "meadow-lantern-3307"] {
            let masked = values.hide(value).into_owned();
            assert!(masked.starts_with("[REDACTED:") && masked.ends_with(']'), "{value}: {masked}");
        }
    }

    #[test]
    fn one_line_of_a_value_of_several_gives_it_away() {
        let file = "KEY=\"first-line-of-key-9f3Kq81Lz\nq81LzWm4TnBv7Rk2Yp9Xc3Hs\nend\"\n";
        let masked = gathered(&[(".env", file)]).build().hide("got q81LzWm4TnBv7Rk2Yp9Xc3Hs at the end").into_owned();
        assert_eq!(masked, "got [REDACTED:env-value] at the end");
    }

    #[test]
    fn the_set_does_not_depend_on_the_order_of_files() {
        let mut backwards = FILES;
        backwards.reverse();
        let joined = gathered(&backwards[..1]).joined(gathered(&backwards[1..])).build();
        assert_eq!(gathered(&FILES).build().version(), joined.version());
        assert_ne!(gathered(&FILES[..2]).build().version(), joined.version());
        assert!(gathered(&[]).build().is_empty());
    }
}
