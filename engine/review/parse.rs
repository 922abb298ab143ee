//! Reads patches as `git diff`, `git format-patch` and `diff -u` write them.
//!
//! Takes any text: what is not a patch is passed over, and what is half of one is kept as far as it goes.

use super::STAGE;
use super::patch::{FileChange, Hunk, Line, MAX_FILES, MAX_HUNKS, MAX_LINES, MAX_PATCH_BYTES, MAX_PROBLEMS, Patch, Sign};
use error::Problem;
use repo::RepoPath;
use std::iter::Peekable;
use std::str::Lines;

/// What git writes for the side of a file that is not there.
const NOTHING: &str = "/dev/null";
/// The pairs that git writes before paths, for the old and the new side: as usual, and by what is compared.
const PREFIXES: [(&str, &str); 5] = [("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/")];
/// Endings of copies that people compare with.
const COPIES: [&str; 4] = [".orig", ".old", ".bak", "~"];

/// The patch in a text.
pub(super) fn parse(text: &str) -> Patch {
    let mut reader = Reader::default();
    let kept = beginning(text, MAX_PATCH_BYTES);
    let mut lines = kept.lines().peekable();
    while let Some(line) = lines.next() {
        reader.read(line, &mut lines);
    }
    reader.finish_file();
    if kept.len() < text.len() {
        reader.problem(None, format!("only the first {MAX_PATCH_BYTES} bytes of the patch were read"));
    }
    reader.finish()
}

/// As many whole characters of a text as have at most so many bytes.
fn beginning(text: &str, max: usize) -> &str {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A file that is being read.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is said by a line of its own")]
struct Open {
    change: FileChange,
    /// Whether the paths are from lines of their own, and no guess.
    has_paths: bool,
    is_new: bool,
    is_deleted: bool,
    is_copy: bool,
    is_git: bool,
    /// Whether it was said that it cannot be read.
    is_combined: bool,
}

#[derive(Default)]
struct Reader {
    patch: Patch,
    open: Option<Open>,
    n_hunks: usize,
    n_lines: usize,
    n_unsaid: usize,
    n_left_out: usize,
}

impl Reader {
    fn read(&mut self, line: &str, lines: &mut Peekable<Lines<'_>>) {
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.finish_file();
            let (old, new) = both(names);
            let (old, new) = (self.path(&old), self.path(&new));
            self.open = Some(Open { change: FileChange { old, new, ..FileChange::default() }, is_git: true, ..Open::default() });
        } else if let Some(name) = line.strip_prefix("diff --cc ").or_else(|| line.strip_prefix("diff --combined ")) {
            self.finish_file();
            let path = self.path(&named(name));
            self.open = Some(Open {
                change: FileChange { old: path.clone(), new: path, ..FileChange::default() },
                is_git: true,
                ..Open::default()
            });
            self.tell_combined();
        } else if let Some(old) = line.strip_prefix("--- ") {
            if let Some(new) = lines.peek().and_then(|next| next.strip_prefix("+++ ")) {
                lines.next();
                self.read_paths(old, new);
            }
        } else if line.starts_with("@@@") {
            self.tell_combined();
        } else if let Some(header) = line.strip_prefix("@@ ") {
            self.read_hunk(header, lines);
        } else if let Some(open) = self.open.as_mut().filter(|open| open.is_git && open.change.hunks.is_empty()) {
            let path = |name: &str| RepoPath::from_bytes(&unquoted(name)).ok();
            if line.starts_with("new file mode ") {
                open.is_new = true;
            } else if line.starts_with("deleted file mode ") {
                open.is_deleted = true;
            } else if let Some(name) = line.strip_prefix("rename from ") {
                open.change.old = path(name);
            } else if let Some(name) = line.strip_prefix("rename to ") {
                open.change.new = path(name);
            } else if let Some(name) = line.strip_prefix("copy to ") {
                open.change.new = path(name);
                open.is_copy = true;
            } else if line == "GIT binary patch" || line.starts_with("Binary files ") && line.ends_with(" differ") {
                open.change.is_binary = true;
            }
        }
    }

    /// Says that a file has more than two sides, once.
    fn tell_combined(&mut self) {
        if !self.open.as_ref().is_some_and(|open| open.is_combined) {
            let message = "combined diffs of merges are not read: give the diff against one parent".to_owned();
            self.problem(self.path_of_open(), message);
        }
        if let Some(open) = &mut self.open {
            open.is_combined = true;
        }
    }

    /// Reads the two lines with the paths.
    fn read_paths(&mut self, old: &str, new: &str) {
        let (old_name, new_name) = (named(old), named(new));
        let (old, new) = without_prefixes(&old_name, &new_name);
        let (old, new) = (self.side(old), self.side(new));
        if self.open.as_ref().is_some_and(|open| open.has_paths || !open.change.hunks.is_empty()) {
            self.finish_file();
        }
        let open = self.open.get_or_insert_default();
        open.has_paths = true;
        if open.is_git {
            // What a side is called that has no lines stands in the lines before.
            open.is_new |= old_name == NOTHING.as_bytes();
            open.is_deleted |= new_name == NOTHING.as_bytes();
            open.change.old = old.or_else(|| open.change.old.take());
            open.change.new = new.or_else(|| open.change.new.take());
            return;
        }
        let is_copy = |old: &RepoPath, new: &RepoPath| {
            COPIES.iter().any(|ending| old.as_str().strip_suffix(ending) == Some(new.as_str())) || old.name() == new.name()
        };
        (open.change.old, open.change.new) = match (old, new) {
            // `diff -u a.go.orig a.go` and `diff -ru before after` compare two states of one file.
            (Some(old), Some(new)) if is_copy(&old, &new) => (Some(new.clone()), Some(new)),
            sides => sides,
        };
    }

    fn read_hunk(&mut self, header: &str, lines: &mut Peekable<Lines<'_>>) {
        let Some((old, new)) = ranges(header) else {
            return self.problem(self.path_of_open(), "a hunk is left out: its header cannot be read".to_owned());
        };
        let (mut n_old, mut n_new) = (old.1, new.1);
        // Of no lines, the one before them is named.
        let first = |(first, n): (u32, u32)| if n == 0 { first.saturating_add(1) } else { first.max(1) };
        let mut hunk = Hunk { old_first: first(old), new_first: first(new), lines: Vec::new() };
        while n_old > 0 || n_new > 0 {
            let Some(line) = lines.peek() else { break };
            if line.starts_with("--- ") && is_header(lines) {
                break;
            }
            let Some(line) = lines.peek() else { break };
            let (sign, text) = match line.as_bytes().first() {
                // Mailers take blanks from the ends of lines.
                None => (Sign::Kept, ""),
                Some(b' ') => (Sign::Kept, &line[1..]),
                Some(b'-') if n_old > 0 => (Sign::Removed, &line[1..]),
                Some(b'+') if n_new > 0 => (Sign::Added, &line[1..]),
                Some(b'\\') => {
                    lines.next();
                    continue;
                }
                _ => break,
            };
            n_old = n_old.saturating_sub(u32::from(sign != Sign::Added));
            n_new = n_new.saturating_sub(u32::from(sign != Sign::Removed));
            if self.n_lines < MAX_LINES {
                hunk.lines.push(Line { sign, text: text.trim_end_matches('\r').to_owned() });
            }
            self.n_lines += 1;
            lines.next();
        }
        let path = self.path_of_open();
        if n_old > 0 || n_new > 0 {
            self.problem(path.clone(), format!("a hunk at line {} ends too early; what there is of it was read", hunk.new_first));
        }
        self.n_hunks += 1;
        let changes = hunk.lines.iter().any(|line| line.sign != Sign::Kept);
        match &mut self.open {
            None => self.problem(path, "a hunk is left out: no file is named above it".to_owned()),
            Some(open) if self.n_hunks <= MAX_HUNKS && changes => open.change.hunks.push(hunk),
            Some(_) => {}
        }
    }

    /// Adds the file that was read, if it is one.
    fn finish_file(&mut self) {
        let Some(open) = self.open.take() else { return };
        let mut change = open.change;
        if open.is_new || open.is_copy {
            change.old = None;
        }
        if open.is_deleted {
            change.new = None;
        }
        if change.path().is_none() || !open.is_git && change.hunks.is_empty() {
            return;
        }
        if self.patch.files.len() == MAX_FILES {
            self.n_left_out += 1;
        } else {
            self.patch.files.push(change);
        }
    }

    fn finish(mut self) -> Patch {
        let n_problems = self.patch.problems.len() + self.n_unsaid;
        let n_hunks = self.n_hunks.saturating_sub(MAX_HUNKS);
        self.patch.n_left_out = n_problems + self.n_left_out + n_hunks + usize::from(self.n_lines > MAX_LINES);
        if self.n_left_out > 0 {
            self.problem(None, format!("{} files are left out: at most {MAX_FILES} are read", self.n_left_out));
        }
        if self.n_hunks > MAX_HUNKS {
            self.problem(None, format!("{} hunks are left out: at most {MAX_HUNKS} are read", self.n_hunks - MAX_HUNKS));
        }
        if self.n_lines > MAX_LINES {
            self.problem(None, format!("{} lines are left out: at most {MAX_LINES} are read", self.n_lines - MAX_LINES));
        }
        if self.n_unsaid > 0 {
            self.patch.problems.push(Problem::new(STAGE, format!("{} more problems of the patch are not listed", self.n_unsaid)));
        }
        self.patch
    }

    fn path_of_open(&self) -> Option<RepoPath> {
        self.open.as_ref().and_then(|open| open.change.path().cloned())
    }

    /// A side of the lines with the paths; none where the file is not there.
    fn side(&mut self, name: &[u8]) -> Option<RepoPath> {
        if name == NOTHING.as_bytes() { None } else { self.path(name) }
    }

    /// A path below the root; a problem for one that leads elsewhere.
    fn path(&mut self, name: &[u8]) -> Option<RepoPath> {
        let start = name.iter().position(|byte| *byte != b'/').unwrap_or(name.len());
        let name = name[start..].strip_prefix(b"./").unwrap_or(&name[start..]);
        if name.is_empty() {
            return None;
        }
        match RepoPath::from_bytes(name) {
            Ok(path) if !path.is_git_data() => Some(path),
            Ok(_) => None,
            Err(why) => {
                self.problem(None, format!("a file is left out: the patch names {why}"));
                None
            }
        }
    }

    fn problem(&mut self, path: Option<RepoPath>, message: String) {
        if self.patch.problems.len() >= MAX_PROBLEMS {
            self.n_unsaid += 1;
            return;
        }
        self.patch.problems.push(match path {
            Some(path) => Problem::at(STAGE, path, message),
            None => Problem::new(STAGE, message),
        });
    }
}

/// Whether the next lines begin a file: a removed line can look like the first of them.
fn is_header(lines: &Peekable<Lines<'_>>) -> bool {
    let mut ahead = lines.clone().skip(1);
    ahead.next().is_some_and(|line| line.starts_with("+++ ")) && ahead.next().is_some_and(|line| line.starts_with("@@ "))
}

/// First line and number of lines of both sides: `-12,3 +12,4 @@ func f()`.
fn ranges(header: &str) -> Option<((u32, u32), (u32, u32))> {
    let (ranges, _) = header.split_once(" @@").or_else(|| header.split_once("@@"))?;
    let (old, new) = ranges.trim().split_once(' ')?;
    let range = |text: &str| {
        let (first, n) = text.split_once(',').unwrap_or((text, "1"));
        Some((first.parse().ok()?, n.parse().ok()?))
    };
    Some((range(old.strip_prefix('-')?)?, range(new.trim_start().strip_prefix('+')?)?))
}

/// The path of a line, without the time behind it and out of its quotes.
fn named(text: &str) -> Vec<u8> {
    let text = text.trim_end_matches('\r');
    if text.starts_with('"') {
        return unquoted(text);
    }
    text.split('\t').next().unwrap_or_default().trim_end().as_bytes().to_vec()
}

/// Both paths without what git or a folder of each state puts before them.
fn without_prefixes<'p>(old: &'p [u8], new: &'p [u8]) -> (&'p [u8], &'p [u8]) {
    let nothing = NOTHING.as_bytes();
    for (before, after) in PREFIXES {
        let of_old = old.strip_prefix(before.as_bytes()).or_else(|| (old == nothing).then_some(old));
        let of_new = new.strip_prefix(after.as_bytes()).or_else(|| (new == nothing).then_some(new));
        if let (Some(of_old), Some(of_new)) = (of_old, of_new) {
            return (of_old, of_new);
        }
    }
    (old, new)
}

/// The two paths behind `diff --git`, which nothing parts but a blank: each in quotes, or both the same behind their prefixes.
fn both(names: &str) -> (Vec<u8>, Vec<u8>) {
    let names = names.trim_end_matches('\r');
    let (old, new) = if names.starts_with('"') {
        let end = quoted_end(names);
        (unquoted(&names[..end]), named(names[end..].trim_start()))
    } else if names.ends_with('"') {
        let (old, new) = names.split_once(" \"").unwrap_or((names, ""));
        (old.as_bytes().to_vec(), unquoted(&format!("\"{new}")))
    } else {
        let middle = names.len() / 2;
        let is_middle = names.len() % 2 == 1 && names.as_bytes().get(middle) == Some(&b' ');
        let at = if is_middle { Some(middle) } else { names.find(' ') };
        let (old, new) = at.map_or((names, ""), |at| (&names[..at], &names[at + 1..]));
        (old.as_bytes().to_vec(), new.as_bytes().to_vec())
    };
    let (old, new) = without_prefixes(&old, &new);
    (old.to_vec(), new.to_vec())
}

/// Where a path in quotes ends.
fn quoted_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return at + 1,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

/// A path as git puts it into quotes, out of them: `"b\303\244r.go"`. What has no quotes is as it is.
fn unquoted(text: &str) -> Vec<u8> {
    let text = text.trim_end_matches('\r');
    let Some(inner) = text.strip_prefix('"') else { return text.as_bytes().to_vec() };
    let mut bytes = Vec::new();
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => break,
            b'\\' => match rest.next() {
                Some(digit @ b'0'..=b'3') => {
                    let mut value = digit - b'0';
                    for _ in 0..2 {
                        if let Some(digit) = rest.next_if(|byte| (b'0'..=b'7').contains(byte)) {
                            value = value.wrapping_mul(8).wrapping_add(digit - b'0');
                        }
                    }
                    bytes.push(value);
                }
                Some(b'n') => bytes.push(b'\n'),
                Some(b't') => bytes.push(b'\t'),
                Some(b'r') => bytes.push(b'\r'),
                Some(b'a') => bytes.push(7),
                Some(b'b') => bytes.push(8),
                Some(b'f') => bytes.push(12),
                Some(b'v') => bytes.push(11),
                Some(other) => bytes.push(other),
                None => break,
            },
            other => bytes.push(other),
        }
    }
    bytes
}
