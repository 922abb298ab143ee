//! Splits a text into mentions (places with lines, stack frames, names written as code, the scope of a conventional commit) and prose.
//!
//! Reads form only: must not know which files or names exist. One pass over lines, bounded in length and in mentions.

mod imports;

#[cfg(test)]
mod tests;

use super::blocks::{Kind, blocks};
use super::bounds::{MAX_MENTION_BYTES, MAX_MENTIONS, MAX_TEXT, WHOLE, weight_of};
use super::report;
use super::scopes::header;
use super::scripts::{self, WIDE_QUOTES, is_wide, is_wide_sign};
use super::shapes::{beginning, cut_call, is_acronym, is_capitalised, is_code, is_identifier, url_path};
use activate_rules::weights::ReadingWeights;
use imports::imported;
use redact::ansi::strip;
use signals::place::{looks_like_path, position};
use signals::trace::{self, Frame, function_path, words_of};
use std::borrow::Cow;

/// What a text mentions, in order.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// What is said in sentences: the beginning of the text without terminal colours and lines of traces.
    pub(super) prose: String,
    /// All that is said in words, by whoever asks or by a program, each text with what its words count, in thousandths.
    pub(super) said: Vec<(String, u32)>,
    /// Scopes of a conventional commit (`fix(auth): ...`) or of a prefix (`cmd/server: ...`).
    pub(super) scopes: Vec<String>,
    /// Places and names, each once.
    pub(super) found: Vec<Mention>,
    /// What a program wrote of it.
    pub(super) pasted: Pasted,
    /// Whether the text is a single word.
    pub(super) is_one_word: bool,
    /// Whether it says so much that a word of it says little.
    pub(super) is_long: bool,
    /// Whether something was left out for length.
    pub(super) is_cut: bool,
}

/// What a program wrote of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pasted {
    /// Nothing: all of it is by whoever asks.
    #[default]
    Nothing,
    /// A stack trace or a panic.
    Trace,
    /// The report of a test runner or a build.
    Report,
}

impl Mentions {
    /// Whether there are lines of a stack trace, a panic or a report.
    pub(super) fn has_trace(&self) -> bool {
        self.pasted > Pasted::Nothing
    }
}

/// A place or a name as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The words.
    pub(super) text: String,
    /// What they look like.
    pub(super) form: Form,
    /// What the block counts in which it stands, in thousandths.
    pub(super) weight: u32,
}

/// What a mention looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// A path with a line.
    Place {
        /// The path as written.
        path: String,
        /// The line.
        line: u32,
    },
    /// A frame of a stack trace, the innermost first.
    Frame {
        /// The path as written.
        path: String,
        /// The line.
        line: u32,
    },
    /// A frame of a stack trace that gives its function alone.
    Function,
    /// A name or path written as code.
    Code,
    /// A name that code imports from a package.
    Imported {
        /// The package.
        package: String,
    },
    /// A word with a capital inside a sentence: a name if something has exactly this one.
    Capitalised,
    /// A word in quotes, or all that the text says: a name likewise, if not only a test or a local has it.
    Quoted,
}

/// Quotes, as they open and close.
const QUOTES: [(char, char); 4] = [('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’')];

/// Reads the mentions of a text; `is_read` says of each line whether a report has it, so that nothing of it is read here.
pub(super) fn mentions(text: &str, is_read: &[bool], weights: &ReadingWeights) -> Mentions {
    let start_of_text = beginning(text, MAX_TEXT);
    // Colours stand in the middle of pasted paths.
    let looked_at = without_bytes(&strip(start_of_text));
    let mentions = Mentions { is_cut: start_of_text.len() < text.len(), ..Mentions::default() };
    let mut reader = Reader { mentions, is_code: false, is_prose: true, weight: WHOLE };
    let (scopes, start) = if is_read.first() == Some(&true) { (Vec::new(), 0) } else { header(&looked_at) };
    reader.say(&looked_at[..start]);
    for block in blocks(&looked_at[start..], is_read) {
        reader.weight = weight_of(block.kind, &weights.blocks);
        reader.is_prose = matches!(block.kind, Kind::Title | Kind::Prose | Kind::Heading);
        reader.is_code = matches!(block.kind, Kind::Code | Kind::Diff);
        if reader.weight == 0 {
            continue;
        }
        let mut lines = block.text.lines().peekable();
        while let Some(line) = lines.next() {
            let next = lines.peek().copied().unwrap_or_default();
            match (block.kind, path_of_patch(line)) {
                (Kind::Diff, Some(path)) => reader.read_sentence(path),
                _ => reader.read_line(line, next),
            }
        }
    }
    let mut mentions = reader.mentions;
    mentions.is_long =
        mentions.said.iter().flat_map(|(text, _)| text.split_whitespace()).nth(weights.words.long_text as usize).is_some();
    let mut words = scripts::words(&looked_at).map(clean);
    if let (Some(word), None) = (words.next(), words.next()) {
        mentions.is_one_word = true;
        if mentions.found.is_empty() && is_identifier(word) {
            mentions.found.push(Mention { text: word.to_owned(), form: Form::Quoted, weight: WHOLE });
        }
    }
    mentions.is_cut |= mentions.found.len() >= MAX_MENTIONS;
    // In a pasted log the word before a colon is a program or an exception, not a part of the repository.
    if mentions.has_trace() {
        let words_of_lines =
            |text: &str| text.lines().map(|line| words_of(line).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n");
        mentions.prose = words_of_lines(&mentions.prose);
        for (text, _) in &mut mentions.said {
            *text = words_of_lines(text);
        }
        // Messages of errors quote what they met, which is seldom a definition.
        mentions.found.retain(|mention| mention.form != Form::Quoted);
    } else {
        mentions.scopes = scopes;
    }
    mentions
}

/// A text in which words are blank that hold what is not a letter of any script: bytes of a program or a picture.
fn without_bytes(text: &str) -> String {
    let is_byte = |c: char| c == char::REPLACEMENT_CHARACTER || c.is_control() && !c.is_whitespace();
    if !text.contains(is_byte) {
        return text.to_owned();
    }
    let pieces = text.split_inclusive(char::is_whitespace);
    pieces.map(|piece| if piece.contains(is_byte) { &piece[piece.trim_end().len()..] } else { piece }).collect()
}

/// The file that a line of a patch names, without what git puts before it; empty where the line says what others say again.
fn path_of_patch(line: &str) -> Option<&str> {
    let is_again =
        ["diff --git ", "index ", "--- a/", "--- /dev/null", "+++ /dev/null"].iter().any(|start| line.starts_with(start));
    is_again.then_some("").or_else(|| line.strip_prefix("+++ b/"))
}

struct Reader {
    mentions: Mentions,
    /// Inside a block of code.
    is_code: bool,
    /// Inside sentences.
    is_prose: bool,
    /// What the block counts.
    weight: u32,
}

impl Reader {
    fn read_line(&mut self, line: &str, next: &str) {
        if let Some(test) = report::read(line, next) {
            self.mentions.pasted = Pasted::Report;
            return self.read_sentence(test);
        }
        let Some(trace) = trace::read(line, next, self.mentions.has_trace()) else {
            self.read_sentence(line.trim());
            return self.say(line);
        };
        self.mentions.pasted = self.mentions.pasted.max(Pasted::Trace);
        self.read_sentence(trace.named);
        for said in trace.said.map(str::trim) {
            self.read_sentence(said);
            self.say_as(said, true);
        }
        match trace.frame {
            Some(Frame::Place { path, line }) => self.add(&format!("{path}:{line}"), Form::Frame { path: path.to_owned(), line }),
            Some(Frame::Function(written)) => self.add(&function_path(written), Form::Function),
            None => {}
        }
    }

    fn say(&mut self, line: &str) {
        self.say_as(line, self.is_prose);
    }

    fn say_as(&mut self, line: &str, is_prose: bool) {
        if is_prose {
            self.mentions.prose.push_str(line);
            self.mentions.prose.push('\n');
        }
        if self.mentions.said.last().is_none_or(|(_, weight)| *weight != self.weight) {
            self.mentions.said.push((String::new(), self.weight));
        }
        if let Some((text, _)) = self.mentions.said.last_mut() {
            text.push_str(&without_links(line));
            text.push('\n');
        }
    }

    fn read_sentence(&mut self, line: &str) {
        if let Some((names, package)) = imported(line).filter(|(_, package)| package.len() <= MAX_MENTION_BYTES) {
            for name in names.filter(|name| name.len() <= MAX_MENTION_BYTES) {
                self.add(name, Form::Imported { package: package.to_owned() });
            }
        }
        let words = line.split_whitespace().filter(|word| word.len() > 3);
        let (n_capitals, n_words) = words.fold((0, 0), |(n, of), word| (n + usize::from(is_capitalised(clean(word))), of + 1));
        // Where most words have a capital, a capital says nothing; a title begins with one, but for a label before it.
        let begins = |word: &str| word.ends_with(':') || !clean(word).starts_with(char::is_lowercase);
        let is_title = n_words >= 4 && n_capitals * 2 > n_words && line.split_whitespace().next().is_some_and(begins);
        // In a text without capitals of its own, a capital begins a name wherever it stands.
        let mut is_first = !line.contains(is_wide);
        for (at, stretch) in line.split('`').enumerate() {
            let is_quoted = at % 2 == 1;
            if is_quoted && !stretch.contains(char::is_whitespace) {
                self.read_word(stretch, true, false, stretch_after(line, stretch));
            } else {
                for word in scripts::words(stretch) {
                    self.read_word(word, false, !is_first && !is_title, stretch_after(line, word));
                    is_first = word.ends_with(['.', '!', '?', ':']);
                }
            }
            is_first &= stretch.trim().is_empty();
        }
    }

    fn read_word(&mut self, word: &str, is_quoted: bool, may_be_capitalised: bool, after: &str) {
        if word.len() > MAX_MENTION_BYTES {
            return;
        }
        if word.contains("://") {
            if let Some(path) = url_path(clean(word)) {
                self.read_word(path, false, false, "");
            }
            return;
        }
        let is_in_quotes = is_in_quotes(word);
        let word = clean(word);
        // What follows is looked at behind paths alone: a line can have a hundred thousand words.
        let behind = || looks_like_path(word).then(|| line_after(after)).flatten();
        let place = position(word).or_else(|| behind().map(|line| (word, line)));
        if let Some((path, line)) = place {
            self.add(word, Form::Place { path: path.to_owned(), line });
        } else if self.is_code && !looks_like_path(word) {
            // A block of code names whatever it uses, not what is to be changed.
        } else if is_quoted && word.chars().any(char::is_alphabetic) || is_code(word) && !is_acronym(word) {
            self.add(cut_call(word), Form::Code);
        } else if may_be_capitalised && is_capitalised(word) || is_acronym(word) {
            self.add(word, Form::Capitalised);
        } else if is_in_quotes && is_identifier(word) {
            self.add(word, Form::Quoted);
        }
    }

    fn add(&mut self, text: &str, form: Form) {
        let known = self.mentions.found.iter_mut().find(|known| known.text == text && known.form == form);
        if let Some(known) = known {
            known.weight = known.weight.max(self.weight);
        } else if !text.is_empty() && self.mentions.found.len() < MAX_MENTIONS {
            self.mentions.found.push(Mention { text: text.to_owned(), form, weight: self.weight });
        }
    }
}

/// A line without its links: what names a server says nothing of a repository. The words that a link is put on stay.
fn without_links(line: &str) -> Cow<'_, str> {
    if !line.contains("://") {
        return Cow::Borrowed(line);
    }
    let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | '>' | '"' | '\'' | '`' | '|' | ']');
    let mut left = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("://") {
        let start = rest[..at].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |before| before + char_len(&rest[before..]));
        left.push_str(&rest[..start]);
        let end = rest[at..].find(is_end).map_or(rest.len(), |end| at + end);
        rest = &rest[end..];
    }
    left.push_str(rest);
    Cow::Owned(left)
}

/// Bytes of the first letter of a text.
fn char_len(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// Whether quotes stand right around a word, stops after them aside.
fn is_in_quotes(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', ',', ';', ':', '.', '!', '?']);
    QUOTES
        .iter()
        .chain(&WIDE_QUOTES)
        .any(|(open, close)| word.strip_prefix(*open).is_some_and(|rest| rest.len() > 1 && rest.ends_with(*close)))
}

/// What follows a part of a line.
fn stretch_after<'t>(line: &'t str, part: &str) -> &'t str {
    let end = part.as_ptr() as usize + part.len() - line.as_ptr() as usize;
    line.get(end..).unwrap_or_default()
}

/// The number in `, line 45`, `on line 45` or `at line 45` at the start of a text.
fn line_after(text: &str) -> Option<u32> {
    if let Some(line) = scripts::line_after(text) {
        return Some(line);
    }
    let mut words = text.split([' ', ',', ':', '"', '`', '\t']).filter(|word| !word.is_empty());
    let mut word = words.next()?;
    if matches!(word, "on" | "at" | "in") {
        word = words.next()?;
    }
    let number = words.next().filter(|_| word == "line")?;
    number.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()
}

/// A word without the quotes, brackets and stops around it; brackets that belong to it stay.
fn clean(word: &str) -> &str {
    if word.len() > MAX_MENTION_BYTES {
        return word;
    }
    let mut word = word;
    loop {
        let before = word;
        word = word.trim_matches(is_wide_sign);
        word = word.trim_start_matches(['"', '\'', '[', '{', '<', ',', ';', '“', '”', '‘', '’', '~', '|']);
        word = word.trim_end_matches(['"', '\'', ']', '}', '>', ',', ';', ':', '!', '?', '.', '“', '”', '‘', '’', '~', '|', '…']);
        if word.starts_with('(') && !word.starts_with("(*") && !word.contains(").") {
            word = &word[1..];
        }
        let (n_open, n_closed) = (word.matches('(').count(), word.matches(')').count());
        if word.ends_with(')') && n_closed > n_open {
            word = &word[..word.len() - 1];
        }
        if word.starts_with('*') {
            word = word.trim_matches('*');
        }
        if word == before {
            return word;
        }
    }
}
