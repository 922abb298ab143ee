//! Source maps, version 3: from a line and column of a built file to the source and line that it was made from.
//!
//! A map is a file like others, so all of it is doubted: sizes and numbers have limits, every letter is looked at once, and one thing that
//! cannot be makes the whole map broken.

use repo::RepoPath;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde_json::error::Category;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// The version that all tools write.
const VERSION: u32 = 3;

/// The most sources and sections of a map: large programs have some thousands.
const MAX_SOURCES: usize = 100_000;
const MAX_SECTIONS: usize = 10_000;

/// What some servers write before JSON, so that no page runs it.
const GUARD: &[u8] = b")]}'";

/// Bits of a number in one letter, the bit that says that more follow, and how many letters a number has at most.
const DIGIT_BITS: u32 = 5;
const MORE: u32 = 1 << DIGIT_BITS;
const MAX_DIGITS: u32 = 7;

/// The most numbers of a segment: column, source, line there, column there, name.
const MAX_FIELDS: usize = 5;

/// A place in a built file, from 1; the column is 0 where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Original {
    /// The source as the map names it, behind the root that the map gives.
    pub(super) source: String,
    /// The line, from 1.
    pub(super) line: u32,
}

/// The originals of positions, in their order; none for what was made of nothing, and for a line without column that has several.
///
/// # Errors
///
/// Says why the map cannot be used.
pub(super) fn originals(map: &[u8], positions: &[Position]) -> Result<Vec<Option<Original>>, String> {
    let guarded =
        map.strip_prefix(GUARD).map(|rest| rest.iter().position(|byte| *byte == b'\n').map_or(&[][..], |end| &rest[end..]));
    let map: Map<'_> = serde_json::from_slice(guarded.unwrap_or(map)).map_err(|error| no_map(&error))?;
    if map.version != VERSION {
        return Err(format!("its version is {}, not {VERSION}", map.version));
    }
    match map.sections {
        Some(Bounded(sections)) => in_sections(&sections, positions),
        None => Plain { sources: map.sources, source_root: map.source_root, mappings: map.mappings }.originals(positions),
    }
}

/// What is wrong with a text that is not a map. The words of the error may quote the file, which can be any: only the place is told.
fn no_map(error: &serde_json::Error) -> String {
    let why = match error.classify() {
        Category::Eof => "it is cut off",
        Category::Data => "it has values that no map has",
        Category::Syntax | Category::Io => "it is not JSON",
    };
    format!("it is not a source map: {why} at line {}, column {}", error.line(), error.column())
}

/// The originals of positions, each in its section.
fn in_sections(sections: &[Section<'_>], positions: &[Position]) -> Result<Vec<Option<Original>>, String> {
    let starts: Vec<(u32, u32)> = sections.iter().map(|section| (section.offset.line, section.offset.column)).collect();
    if !starts.is_sorted() {
        return Err("its sections are not in order".to_owned());
    }
    let mut inner: Vec<(Vec<usize>, Vec<Position>)> = vec![Default::default(); sections.len()];
    for (at, Position { line, column }) in positions.iter().enumerate() {
        // Without a column it is not known of which section a line is.
        let (Some(line), Some(column)) = (line.checked_sub(1), column.checked_sub(1)) else { continue };
        let Some(number) = starts.partition_point(|start| *start <= (line, column)).checked_sub(1) else { continue };
        let (first_line, first_column) = starts[number];
        let column = if line == first_line { column - first_column } else { column };
        inner[number].0.push(at);
        inner[number].1.push(Position { line: line - first_line + 1, column: column + 1 });
    }
    let mut originals = vec![None; positions.len()];
    for (section, (places, wanted)) in sections.iter().zip(inner).filter(|(_, (places, _))| !places.is_empty()) {
        for (at, original) in places.into_iter().zip(section.map.originals(&wanted)?) {
            originals[at] = original;
        }
    }
    Ok(originals)
}

/// A map, or one of sections that have one each.
#[derive(Deserialize)]
struct Map<'m> {
    version: u32,
    #[serde(borrow, default)]
    sources: Bounded<Option<Text<'m>>, MAX_SOURCES>,
    #[serde(borrow, default, rename = "sourceRoot")]
    source_root: Option<Text<'m>>,
    #[serde(borrow, default)]
    mappings: Text<'m>,
    #[serde(borrow, default)]
    sections: Option<Bounded<Section<'m>, MAX_SECTIONS>>,
}

#[derive(Deserialize)]
struct Section<'m> {
    offset: Offset,
    #[serde(borrow)]
    map: Plain<'m>,
}

/// Where a section begins, from 0.
#[derive(Deserialize)]
struct Offset {
    line: u32,
    column: u32,
}

/// A map without sections.
#[derive(Deserialize)]
struct Plain<'m> {
    #[serde(borrow)]
    sources: Bounded<Option<Text<'m>>, MAX_SOURCES>,
    #[serde(borrow, default, rename = "sourceRoot")]
    source_root: Option<Text<'m>>,
    #[serde(borrow)]
    mappings: Text<'m>,
}

/// A text that is copied only where JSON has it in another form.
#[derive(Deserialize, Default)]
struct Text<'m>(#[serde(borrow)] Cow<'m, str>);

/// A list of no more than so many.
struct Bounded<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> Default for Bounded<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Bounded<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Counted<T, const MAX: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for Counted<T, MAX> {
            type Value = Bounded<T, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MAX}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(one) = list.next_element()? {
                    if all.len() == MAX {
                        return Err(A::Error::custom(format!("a list of more than {MAX}")));
                    }
                    all.push(one);
                }
                Ok(Bounded(all))
            }
        }
        deserializer.deserialize_seq(Counted(PhantomData))
    }
}

impl Plain<'_> {
    fn originals(&self, positions: &[Position]) -> Result<Vec<Option<Original>>, String> {
        let wanted = |(at, position): (usize, &Position)| {
            let column = position.column.checked_sub(1).unwrap_or(NO_COLUMN);
            Query { line: position.line, column, at }
        };
        let mut wanted: Vec<Query> = positions.iter().enumerate().map(wanted).collect();
        wanted.sort_unstable();
        let mut originals = vec![None; positions.len()];
        for (wanted, found) in wanted.iter().zip(Decoder::new(&wanted).decode(self.mappings.0.as_bytes())?) {
            let Some((number, line)) = found else { continue };
            let named = self.sources.0.get(number as usize).ok_or_else(|| format!("it has no source {number}"))?;
            let Some(Text(source)) = named else { continue };
            let n_bytes = source.len() + self.source_root.as_ref().map_or(0, |root| root.0.len());
            if n_bytes > RepoPath::MAX_BYTES {
                return Err(format!("the path of source {number} has more than {} bytes", RepoPath::MAX_BYTES));
            }
            originals[wanted.at] = Some(Original { source: self.below_root(source), line: line.saturating_add(1) });
        }
        Ok(originals)
    }

    fn below_root(&self, source: &str) -> String {
        let root = self.source_root.as_ref().map_or("", |root| root.0.as_ref());
        let is_whole = source.starts_with('/') || source.contains("://");
        if root.is_empty() || is_whole { source.to_owned() } else { format!("{}/{source}", root.trim_end_matches('/')) }
    }
}

/// A position that is looked for, and which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Query {
    /// From 1.
    line: u32,
    /// From 0, or [`NO_COLUMN`].
    column: u32,
    at: usize,
}

/// A column that is not known: those come last in their line, since they wait for its end.
const NO_COLUMN: u32 = u32::MAX;

/// A source and a line of it, from 0.
type Found = Option<(u32, u32)>;

/// Reads mappings letter by letter, and keeps what is wanted of them.
struct Decoder<'w> {
    /// In order.
    wanted: &'w [Query],
    found: Vec<Found>,
    /// The line that is read, from 1, and the wanted positions up to which all is known.
    line: u32,
    n_done: usize,
    /// Where the last segment of the line begins, and what it was made of.
    last: Option<(i64, Found)>,
    /// What all segments of the line were made of: none before the first, nothing where that differs.
    whole: Option<Found>,
    /// Column, source, line, column there, name, each as a sum of all that came before.
    sums: [i64; MAX_FIELDS],
}

impl<'w> Decoder<'w> {
    fn new(wanted: &'w [Query]) -> Self {
        let found = vec![None; wanted.len()];
        Self { wanted, found, line: 1, n_done: 0, last: None, whole: None, sums: [0; MAX_FIELDS] }
    }

    fn decode(mut self, mappings: &[u8]) -> Result<Vec<Found>, String> {
        let (mut fields, mut n_fields) = ([0; MAX_FIELDS], 0);
        let (mut value, mut n_digits) = (0_u64, 0);
        for byte in mappings {
            if let b',' | b';' = byte {
                if n_digits > 0 {
                    return Err("a number of its mappings has no end".to_owned());
                }
                self.segment(&fields[..n_fields])?;
                n_fields = 0;
                if *byte == b';' {
                    self.end_line();
                    if self.n_done == self.wanted.len() {
                        return Ok(self.found);
                    }
                    self.line = self.line.checked_add(1).ok_or("its mappings have too many lines")?;
                    self.sums[0] = 0;
                }
                continue;
            }
            let digit = sextet(*byte).ok_or("its mappings have a letter that is not base 64")?;
            if n_digits == MAX_DIGITS || n_fields == MAX_FIELDS {
                return Err("its mappings have a number or a segment that is too long".to_owned());
            }
            value |= u64::from(digit & (MORE - 1)) << (DIGIT_BITS * n_digits);
            n_digits += 1;
            if digit & MORE == 0 {
                // The lowest bit is the sign.
                let size = (value >> 1) as i64;
                fields[n_fields] = if value & 1 == 0 { size } else { -size };
                n_fields += 1;
                (value, n_digits) = (0, 0);
            }
        }
        if n_digits > 0 {
            return Err("its mappings are cut off".to_owned());
        }
        self.segment(&fields[..n_fields])?;
        self.end_line();
        Ok(self.found)
    }

    fn segment(&mut self, fields: &[i64]) -> Result<(), String> {
        if fields.is_empty() {
            return Ok(());
        }
        if !matches!(fields.len(), 1 | 4 | 5) {
            return Err(format!("its mappings have a segment of {} numbers", fields.len()));
        }
        for (sum, field) in self.sums.iter_mut().zip(fields) {
            *sum += field;
            if u32::try_from(*sum).is_err() {
                return Err("its mappings lead before the beginning or too far".to_owned());
            }
        }
        let [column, source, line, ..] = self.sums;
        let of = (fields.len() > 1).then_some((source as u32, line as u32));
        if self.last.is_some_and(|(before, _)| column < before) {
            return Err("the columns of its mappings are not in order".to_owned());
        }
        self.settle(column);
        self.last = Some((column, of));
        self.whole = Some(self.whole.map_or(of, |whole| whole.filter(|whole| Some(*whole) == of)));
        Ok(())
    }

    /// What stands in this line before a column is of the last segment.
    fn settle(&mut self, column: i64) {
        let line = self.line;
        let is_before = |wanted: &Query| wanted.line == line && i64::from(wanted.column) < column;
        while self.wanted.get(self.n_done).is_some_and(is_before) {
            self.found[self.n_done] = self.last.and_then(|(_, of)| of);
            self.n_done += 1;
        }
    }

    fn end_line(&mut self) {
        while let Some(wanted) = self.wanted.get(self.n_done).filter(|wanted| wanted.line <= self.line) {
            let of_last = self.last.and_then(|(_, of)| of);
            let of = if wanted.column == NO_COLUMN { self.whole.flatten() } else { of_last };
            self.found[self.n_done] = of.filter(|_| wanted.line == self.line);
            self.n_done += 1;
        }
        (self.last, self.whole) = (None, None);
    }
}

/// The bytes of a text in base 64.
pub(super) fn bytes_of(base64: &str) -> Option<Vec<u8>> {
    let letters = base64.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 3);
    for four in letters.chunks(4) {
        let (mut bits, mut n_bits) = (0_u32, 0);
        for letter in four {
            bits = bits << 6 | sextet(*letter)?;
            n_bits += 6;
        }
        // Of a part of four letters, what fills no byte is padding; one letter alone is none.
        (n_bits >= 8).then_some(())?;
        bytes.extend_from_slice(&(bits << (32 - n_bits)).to_be_bytes()[..n_bits / 8]);
    }
    Some(bytes)
}

/// The number that a letter of base 64 stands for.
fn sextet(letter: u8) -> Option<u32> {
    let number = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `source line` of each position, or `-`; or why the map is broken.
    fn read(map: &str, positions: &[(u32, u32)]) -> String {
        let positions: Vec<Position> = positions.iter().map(|(line, column)| Position { line: *line, column: *column }).collect();
        let said =
            |original: &Option<Original>| original.as_ref().map_or("-".to_owned(), |of| format!("{} {}", of.source, of.line));
        match originals(map.as_bytes(), &positions) {
            Ok(found) => found.iter().map(said).collect::<Vec<_>>().join(", "),
            Err(why) => format!("broken: {why}"),
        }
    }

    fn map(mappings: &str) -> String {
        format!("{{\"version\":3,\"sources\":[\"a.ts\",null,\"c.ts\"],\"names\":[\"n\"],\"mappings\":\"{mappings}\"}}")
    }

    #[test]
    fn positions_are_those_of_the_segment_before_them() {
        // Line 1: columns 0 to 3 of line 1 of a.ts, from 4 on line 17 of c.ts, from 8 on nothing. Line 3: line 19 of c.ts.
        let map = map("AAAA,IEgBA,I;;AAEAA");
        assert_eq!(read(&map, &[(1, 1), (1, 4), (1, 5), (1, 8), (1, 9), (1, 900)]), "a.ts 1, a.ts 1, c.ts 17, c.ts 17, -, -");
        assert_eq!(read(&map, &[(3, 7), (2, 1), (3, 0), (1, 0), (4, 1), (0, 1)]), "c.ts 19, -, c.ts 19, -, -, -");
        let below = map.replace("\"names\"", "\"sourceRoot\":\"../src/\",\"names\"");
        assert_eq!(read(&format!(")]}}'\n{below}"), &[(1, 1)]), "../src/a.ts 1");
        assert_eq!(read(&below.replace("a.ts", "/srv/a.ts"), &[(1, 1)]), "/srv/a.ts 1");
    }

    #[test]
    fn sections_begin_where_they_say() {
        let section = |line: u32, column: u32, inner: &str| {
            format!("{{\"offset\":{{\"line\":{line},\"column\":{column}}},\"map\":{inner}}}")
        };
        let inner = map("AAAA,IEgBA");
        let both = format!("{{\"version\":3,\"sections\":[{},{}]}}", section(0, 0, &inner), section(0, 10, &inner));
        assert_eq!(read(&both, &[(1, 1), (1, 10), (1, 11), (1, 15), (1, 0), (2, 1)]), "a.ts 1, c.ts 17, a.ts 1, c.ts 17, -, -");
        let turned = format!("{{\"version\":3,\"sections\":[{},{}]}}", section(1, 0, &inner), section(0, 10, &inner));
        assert_eq!(read(&turned, &[(1, 1)]), "broken: its sections are not in order");
        let nested = format!("{{\"version\":3,\"sections\":[{}]}}", section(0, 0, &both));
        assert!(read(&nested, &[(1, 1)]).starts_with("broken: it is not a source map"));
    }

    #[test]
    fn what_cannot_be_breaks_the_map() {
        let broken = [
            (map("AAAA,!"), "its mappings have a letter that is not base 64"),
            (map("AAA"), "its mappings have a segment of 3 numbers"),
            (map("AAAAAA"), "its mappings have a number or a segment that is too long"),
            (map("gggggggA"), "its mappings have a number or a segment that is too long"),
            (map("AADA"), "its mappings lead before the beginning or too far"),
            (map("+++++fA"), "its mappings have a segment of 2 numbers"),
            (map("AAAA,g"), "its mappings are cut off"),
            (map("AAAg,A"), "a number of its mappings has no end"),
            (map("IAAA,DAAA"), "the columns of its mappings are not in order"),
            (map("AGAA"), "it has no source 3"),
            (map("A").replace(":3", ":2"), "its version is 2, not 3"),
        ];
        for (map, why) in broken {
            assert_eq!(read(&map, &[(1, 1)]), format!("broken: {why}"), "{map}");
        }
        for text in ["", "null", "[]", "{", ")]}'", "{\"version\":-3}", "{\"version\":3,\"sources\":{}}", "\u{1}"] {
            assert!(read(text, &[(1, 1)]).starts_with("broken: "), "{text}");
        }
        // Nothing is read behind what is wanted, and nothing twice.
        assert_eq!(read(&map("AAAA;!"), &[(1, 1)]), "a.ts 1");
        let long = map(&"AAAA,".repeat(1 << 20));
        assert_eq!(read(&long, &vec![(1, 7); 1 << 12]).len(), "a.ts 1, ".len() * (1 << 12) - 2);
        let many = format!("{{\"version\":3,\"sources\":[{}\"\"],\"mappings\":\"\"}}", "\"\",".repeat(MAX_SOURCES));
        assert!(read(&many, &[]).contains("it has values that no map has"));
        let deep = format!("{{\"version\":3,\"x\":{}", "[".repeat(1 << 16));
        assert!(read(&deep, &[]).starts_with("broken: "));
    }

    #[test]
    fn base_64_gives_bytes() {
        let read = |text: &str| bytes_of(text).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert_eq!(
            ["", "YQ==", "YWI=", "YWJj", "YWJjZA"].map(read),
            ["", "a", "ab", "abc", "abcd"].map(|text| Some(text.to_owned()))
        );
        assert_eq!(["Y", "YWJjZ", "Y W", "é"].map(read), [None, None, None, None]);
    }
}
