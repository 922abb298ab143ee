//! Cuts text into words the way programmers put names together, and text without blanks into pairs of letters.
//!
//! Chinese, Japanese, Thai and their like write no blanks: which letters make a word only a dictionary tells. Overlapping pairs find what
//! was written without one, as they do in Lucene's analysis of such text.

use super::scripts::Script;

/// Longest word in bytes; what is longer is not a word that anyone types.
pub(super) const MAX_WORD: usize = 64;

/// Shortest word in bytes: single letters are loop variables and noise.
const MIN_WORD: usize = 2;

/// Longest run in bytes that is cut into words. Generated names stay below; encoded data passes it. Text without blanks has no limit: it is
/// as long as its sentences.
const MAX_RUN: usize = 256;

/// How a word stood in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A name or number of one part, or two neighbouring letters of a text without blanks.
    Plain,
    /// All parts of a name of several, joined without separators: `skip_logs` and `SkipLogs` both give `skiplogs`. A Korean word.
    Whole,
    /// One part of such a name; two neighbouring syllables of a Korean word, which may end in a particle.
    Part,
}

/// Buffers that cutting one run needs, kept to spare allocations.
#[derive(Default)]
pub(super) struct Cutter {
    lower: String,
    /// Where in `lower` each part begins.
    starts: Vec<usize>,
}

/// Calls `each` with every lower-cased word of the text, in order; of a name of several parts the whole comes first.
///
/// Bytes that are not UTF-8 separate words.
pub fn for_each_word(text: &[u8], mut each: impl FnMut(&str, Form)) {
    let mut cutter = Cutter::default();
    let mut at = 0;
    while let Some((start, end)) = next_run(text, at) {
        cutter.cut(&text[start..end], &mut each);
        at = end;
    }
}

/// The next run of letters, digits and underscores from `at` on that can hold a word, as (start, end). A run ends where the way of writing
/// words changes: `修复logger` is two.
pub(super) fn next_run(text: &[u8], mut at: usize) -> Option<(usize, usize)> {
    loop {
        let first = *text.get(at)?;
        if first < 0x80 && !IN_WORD[usize::from(first)] {
            at += 1;
            continue;
        }
        let start = at;
        at = end_of_run(text, at);
        if at == start {
            at += 1; // a symbol beyond ASCII, or a damaged byte
        } else if (MIN_WORD..=MAX_RUN).contains(&(at - start)) || at - start > MAX_RUN && is_unspaced(text, start) {
            return Some((start, at));
        }
    }
}

/// The run of letters, digits and underscores around a byte, as (start, end); none where it holds no word. Nothing before `from` is looked at.
pub fn next_word_run(text: &[u8], from: usize, at: usize) -> Option<(usize, usize)> {
    // Bytes beyond ASCII may belong to a letter: the search forward tells.
    let is_part = |byte: &u8| IN_WORD[usize::from(*byte)] || *byte >= 0x80;
    let before = text.get(from..at)?.iter().rev().take_while(|byte| is_part(byte)).count();
    let mut start = at - before;
    // What stands before may be signs beyond ASCII, which end a run.
    loop {
        let (first, end) = next_run(text, start)?;
        if end > at || first > at {
            return (first <= at).then_some((first, end));
        }
        start = end;
    }
}

/// The first byte behind the run of letters, digits and underscores that goes on at a byte.
pub fn end_of_run(text: &[u8], mut at: usize) -> usize {
    if let Some(script) = script_at(text, at).filter(|script| *script != Script::Spaced) {
        while let Some(letter) = char_at(text, at).filter(|letter| Script::of(*letter) == script) {
            at += letter.len_utf8();
        }
        return at;
    }
    while let Some(&byte) = text.get(at) {
        if IN_WORD[usize::from(byte)] {
            at += 1;
        } else if byte < 0x80 {
            break;
        } else {
            match char_at(text, at) {
                Some(letter) if letter.is_alphanumeric() && Script::of(letter) == Script::Spaced => at += letter.len_utf8(),
                _ => break,
            }
        }
    }
    at
}

/// The script of a letter beyond ASCII.
fn script_at(text: &[u8], at: usize) -> Option<Script> {
    text.get(at).filter(|byte| **byte >= 0x80)?;
    char_at(text, at).map(Script::of)
}

/// Whether a text without blanks starts at a byte.
pub(super) fn is_unspaced(text: &[u8], at: usize) -> bool {
    script_at(text, at) == Some(Script::Unspaced)
}

/// The character that starts at `at`, if the bytes there are UTF-8.
fn char_at(text: &[u8], at: usize) -> Option<char> {
    const LONGEST_CHAR: usize = 4;
    let bytes = &text[at..text.len().min(at + LONGEST_CHAR)];
    bytes.utf8_chunks().next()?.valid().chars().next()
}

/// Which ASCII bytes make up names and numbers.
const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// What decides where a name is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Separator,
}

impl Class {
    fn of(letter: char) -> Self {
        match letter {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            '_' => Self::Separator,
            _ if letter.is_uppercase() => Self::Upper,
            _ if letter.is_numeric() => Self::Digit,
            _ => Self::Lower,
        }
    }
}

impl Cutter {
    /// Calls `each` with the words of one run.
    pub(super) fn cut(&mut self, run: &[u8], mut each: impl FnMut(&str, Form)) {
        let script = script_at(run, 0).unwrap_or(Script::Spaced);
        let Ok(run) = str::from_utf8(run) else { return };
        if script != Script::Spaced {
            return cut_letters(run, script, each);
        }
        self.find_parts(run);
        let whole = self.lower.as_str();
        let fits = |word: &str| (MIN_WORD..=MAX_WORD).contains(&word.len());
        let form = if self.starts.len() > 1 { Form::Whole } else { Form::Plain };
        if fits(whole) {
            each(whole, form);
        }
        if form == Form::Whole {
            let ends = self.starts[1..].iter().copied().chain([whole.len()]);
            for part in self.starts.iter().zip(ends).map(|(&start, end)| &whole[start..end]) {
                if fits(part) {
                    each(part, Form::Part);
                }
            }
        }
    }

    fn find_parts(&mut self, run: &str) {
        self.lower.clear();
        self.starts.clear();
        let mut before = Class::Separator;
        let mut letters = run.chars();
        while let Some(letter) = letters.next() {
            let class = Class::of(letter);
            if class != Class::Separator {
                if is_cut(before, class, letters.as_str()) {
                    self.starts.push(self.lower.len());
                }
                if letter.is_ascii() {
                    self.lower.push(letter.to_ascii_lowercase());
                } else {
                    self.lower.extend(letter.to_lowercase());
                }
            }
            before = class;
        }
    }
}

/// Calls `each` with the pairs of letters of a run, before them the run itself if it is a word.
fn cut_letters(run: &str, script: Script, mut each: impl FnMut(&str, Form)) {
    let ends = || run.char_indices().map(|(at, letter)| at + letter.len_utf8());
    if ends().nth(2).is_none() {
        return each(run, Form::Plain);
    }
    let is_word = script == Script::Hangul;
    if is_word && run.len() <= MAX_WORD {
        each(run, Form::Whole);
    }
    let form = if is_word { Form::Part } else { Form::Plain };
    for ((start, _), end) in run.char_indices().zip(ends().skip(1)) {
        each(&run[start..end], form);
    }
}

/// Whether a part begins between a letter of class `before` and one of class `here` that `rest` follows.
fn is_cut(before: Class, here: Class, rest: &str) -> bool {
    match (before, here) {
        (Class::Separator, _) | (Class::Lower, Class::Upper) => true,
        (Class::Upper, Class::Upper) => {
            let mut rest = rest.chars();
            let next = rest.next();
            // `HTTPServer` is cut before its S, but the plural in `URLs` and `IDsToSkip` stays with its letters.
            let plural = next == Some('s') && rest.next().is_none_or(|letter| Class::of(letter) != Class::Lower);
            next.is_some_and(|letter| Class::of(letter) == Class::Lower) && !plural
        }
        _ => (before == Class::Digit) != (here == Class::Digit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> String {
        let mut out = Vec::new();
        for_each_word(text.as_bytes(), |word, _| out.push(word.to_owned()));
        out.join(" ")
    }

    /// A line in which scripts meet.
    fn mixed_line() -> impl Strategy<Value = String> {
        prop_oneof![3 => "[a-c_A-B1é修复エラのต้오류를я、「 ]{0,40}", 1 => "[^\n\r]{0,20}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn lines_and_runs_are_cut_as_the_whole_is(lines in prop::collection::vec(mixed_line(), 0..8)) {
            let text = lines.join("\n");
            let by_line: Vec<String> = lines.iter().map(|line| words(line)).filter(|words| !words.is_empty()).collect();
            prop_assert_eq!(words(&text), by_line.join(" "));
            let (mut at, mut by_run) = (0, Vec::new());
            while let Some((start, end)) = next_run(text.as_bytes(), at) {
                by_run.push(words(&text[start..end]));
                prop_assert_eq!(next_word_run(text.as_bytes(), at, start), Some((start, end)));
                at = end;
            }
            by_run.retain(|words| !words.is_empty());
            prop_assert_eq!(words(&text), by_run.join(" "));
            // Each letter gives two pairs, a part and a whole at most, so that the time is that of the text.
            prop_assert!(words(&text).split(' ').count() <= 3 * text.chars().count() + 1);
        }
    }
}
