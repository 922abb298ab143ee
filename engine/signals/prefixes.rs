//! What stands before the lines of a tool where its output was kept or copied: stamps and names in logs, marks of quotations, indentation.
//!
//! Takes it off before any format sees the line, and only where it is clearly that.

use super::input::{HEAD_BYTES, Input, Line};

/// The form of a time stamp up to its fraction, where `0` stands for any digit.
const STAMP: &str = "0000-00-00T00:00:00.";
/// How many digits the fraction has in logs of GitHub and of Azure, and of GitLab.
const GITHUB_DIGITS: usize = 7;
const GITLAB_DIGITS: usize = 6;
const ZONE: &str = "Z ";
/// What stands behind the stamp in logs of GitLab: a number of two digits, the stream, and whether the line goes on with the one above.
const GITLAB_STREAMS: [u8; 2] = *b"OE";
const GITLAB_MARKS: [u8; 2] = *b" +";

/// What GitHub writes before lines that it shows in another way.
const COMMANDS: [&str; 9] = [
    "##[error]",
    "##[warning]",
    "##[notice]",
    "##[debug]",
    "##[group]",
    "##[endgroup]",
    "##[command]",
    "##[section]",
    "[command]",
];

/// What stands between the name of a container and what it writes.
const CONTAINER: &str = "| ";
/// The most bytes of such a name with the space behind it.
const MAX_CONTAINER_BYTES: usize = 64;

/// The mark of a quotation, and the most of them in one line.
const QUOTE: char = '>';
const MAX_QUOTES: usize = 8;

/// How far a text is indented at least, as a whole: the last lines of some runners are by one.
const MIN_INDENT: usize = 2;

/// Takes off what stands before lines.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    /// What the whole text is indented with.
    indent: String,
    /// Whether the line above was of a quotation.
    is_quoted: bool,
}

impl Prefixes {
    /// Looks at the beginning of a text: whether it is indented as a whole.
    pub(super) fn new(input: &mut Input<'_>) -> Self {
        let begins_with_space = matches!(input.next_byte(), Some(b' ' | b'\t'));
        if !begins_with_space {
            return Self::default();
        }
        let head = input.text_ahead(HEAD_BYTES);
        // What is looked ahead may end within a line.
        let n_whole = if head.len() < HEAD_BYTES { head.len() } else { head.rfind('\n').map_or(0, |at| at + 1) };
        let mut lines = head[..n_whole].lines().filter(|line| !line.trim().is_empty());
        let space = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let Some(first) = lines.next() else { return Self::default() };
        let common = |indent: &str, line: &str| indent.bytes().zip(line.bytes()).take_while(|(a, b)| a == b).count();
        let (mut length, mut n_lines) = (space(first), 1);
        for line in lines {
            length = common(&first[..length], line);
            n_lines += 1;
        }
        // A part of what a tool indents itself may be all that there is.
        let indent = if n_lines > 1 && (length >= MIN_INDENT || first.starts_with('\t')) { &first[..length] } else { "" };
        Self { indent: indent.to_owned(), is_quoted: false }
    }

    /// A line as the tool wrote it; the input stands behind it.
    pub(super) fn clean(&mut self, mut line: Line, input: &mut Input<'_>) -> Line {
        let mut text = line.text.strip_prefix(&self.indent).unwrap_or(&line.text);
        let is_marked = text.starts_with(QUOTE);
        // One marked line may be a prompt, or source to which a tool points; a quotation has several.
        self.is_quoted = is_marked && (self.is_quoted || input.line_ahead().is_some_and(|next| next.starts_with(QUOTE)));
        if self.is_quoted {
            for _ in 0..MAX_QUOTES {
                let Some(inner) = text.strip_prefix(QUOTE) else { break };
                text = inner.strip_prefix(' ').unwrap_or(inner);
            }
        }
        let text = without_stamp(text).or_else(|| without_container(text)).unwrap_or(text);
        if text.len() < line.text.len() {
            line.text = text.to_owned();
        }
        line
    }
}

/// A line without the stamp and the command before it, which have another line before them where several jobs are in one log.
fn without_stamp(text: &str) -> Option<&str> {
    let mut parts = text.splitn(3, '\t');
    let of_jobs = (parts.next(), parts.next(), parts.next());
    let stamped = match of_jobs {
        (Some(_), Some(_), Some(rest)) => behind_stamp(rest).or_else(|| behind_stamp(text)),
        _ => behind_stamp(text),
    };
    let bare = stamped.unwrap_or(text);
    let command = COMMANDS.iter().find_map(|command| bare.strip_prefix(command));
    command.or(stamped)
}

fn behind_stamp(text: &str) -> Option<&str> {
    let (stamp, rest) = text.split_at_checked(STAMP.len())?;
    let fits = |(letter, form): (u8, u8)| if form == b'0' { letter.is_ascii_digit() } else { letter == form };
    if !stamp.bytes().zip(STAMP.bytes()).all(fits) {
        return None;
    }
    let n_digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let behind = rest.get(n_digits..)?.strip_prefix(ZONE)?;
    match (n_digits, behind.as_bytes()) {
        (GITHUB_DIGITS, _) => Some(behind),
        (GITLAB_DIGITS, [a, b, stream, mark, ..])
            if a.is_ascii_hexdigit()
                && b.is_ascii_hexdigit()
                && GITLAB_STREAMS.contains(stream)
                && GITLAB_MARKS.contains(mark) =>
        {
            behind.get(4..)
        }
        _ => None,
    }
}

/// A line without the name and number of the container that wrote it: `web_1  | text`.
fn without_container(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once(CONTAINER).filter(|(name, _)| name.len() <= MAX_CONTAINER_BYTES && name.ends_with(' '))?;
    let name = name.trim_end();
    let (word, number) = name.rsplit_once(['-', '_'])?;
    let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    (is_word && !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some(rest)
}
