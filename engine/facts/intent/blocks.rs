//! Cuts a pasted text into blocks: title, prose, code, shell, output of programs, diffs, what a form asks about a machine.
//!
//! Goes by form alone, in one pass over lines. Must not know which files or names exist, nor how much a block counts.

use super::report;
use crate::signals::place::position;
use crate::signals::trace;

/// What a block of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// The one sentence that says what it is about.
    Title,
    /// Sentences of whoever writes.
    Prose,
    /// A heading that its writer made up.
    Heading,
    /// Source code, or data in the form of some language.
    Code,
    /// What somebody typed at a prompt.
    Shell,
    /// What a program wrote.
    Output,
    /// A patch.
    Diff,
    /// Versions, operating systems and the like.
    Environment,
    /// What says nothing of the task: headings and checklists of forms, greetings, comments that nobody sees.
    Boilerplate,
}

/// Most lines of the keys in front of a text.
const MAX_FRONT_MATTER: usize = 40;

/// A run of lines of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// What it is.
    pub(super) kind: Kind,
    /// Its lines, without what marks the block, each with its end.
    pub(super) text: String,
    /// The number of its first line, from 0.
    pub(super) line: usize,
}

/// Words of the headings of forms for issues. Sorted.
#[rustfmt::skip]
const FORM_WORDS: [&str; 120] = [
    "a", "about", "actual", "additional", "affected", "already", "alternative", "alternatives", "an", "and", "any", "anything", "are",
    "been", "behavior", "behaviour", "browser", "bug", "can", "checklist", "checks", "comments", "considered", "context", "current",
    "currently", "describe", "description", "details", "did", "do", "does", "else", "encountered", "environment", "existing", "expect",
    "expected", "feature", "for", "goal", "happen", "happened", "happening", "happens", "have", "how", "i", "ideal", "impact", "info",
    "information", "install", "installed", "instead", "is", "issue", "it", "label", "labels", "like", "link", "logs", "major", "me",
    "minimal", "motivation", "my", "notes", "observed", "of", "on", "operating", "or", "os", "other", "output", "please", "possible",
    "prerequisites", "problem", "proposal", "proposed", "question", "related", "relevant", "reported", "repro", "reproduce",
    "reproduction", "request", "result", "results", "screenshots", "search", "searched", "should", "solution", "steps", "suggested",
    "summary", "system", "tell", "the", "there", "this", "title", "to", "type", "use", "using", "version", "versions", "vs", "want",
    "were", "what", "which", "you", "your",
];

/// Words of headings under which stands what machine and which versions somebody has.
const ENVIRONMENT_WORDS: [&str; 12] = [
    "environment",
    "version",
    "versions",
    "system",
    "os",
    "operating",
    "browser",
    "platform",
    "install",
    "installed",
    "info",
    "setup",
];

/// Words of headings under which nothing of the task stands.
const ASIDE_WORDS: [&str; 8] = ["checklist", "checks", "labels", "label", "screenshots", "prerequisites", "contact", "license"];

/// Labels before a title.
const TITLE_LABELS: [&str; 10] =
    ["title", "summary", "subject", "feature request", "feature", "bug report", "bug", "issue", "question", "proposal"];

/// How lines begin that greet, thank or ask for patience.
const GREETINGS: [&str; 26] = [
    "hi",
    "hello",
    "hey",
    "dear",
    "thanks",
    "thank you",
    "many thanks",
    "cheers",
    "regards",
    "best regards",
    "kind regards",
    "best,",
    "good morning",
    "good day",
    "greetings",
    "sorry for",
    "sincerely",
    "br,",
    "please let me know",
    "let me know if",
    "first of all, thank",
    "first off, thank",
    "first of all thank",
    "great project",
    "love this",
    "thx",
];

/// Most words of a line that only greets.
const MAX_GREETING: usize = 14;

/// Names before a colon that tell of a machine. Sorted.
#[rustfmt::skip]
const MACHINE_KEYS: [&str; 40] = [
    "architecture", "arch", "browser", "build", "build date", "bun", "cargo", "chrome", "codename", "commit", "compiler", "cpu", "date", "deno", "description", "device",
    "distribution", "distributor id", "docker", "editor", "firefox", "go version", "go", "kernel", "lsb version", "memory", "node", "node version", "npm", "operating system",
    "os", "os version", "os/arch", "platform", "python", "release", "rust version", "rustc", "shell", "version",
];

/// Languages of fences that hold what is typed, and what is said back.
const SHELL_FENCES: [&str; 9] = ["sh", "bash", "shell", "console", "zsh", "fish", "shell-session", "powershell", "terminal"];
/// Languages of fences that hold what a program says.
const OUTPUT_FENCES: [&str; 6] = ["log", "logs", "text", "txt", "output", "plaintext"];
/// Languages of fences that hold a patch.
const DIFF_FENCES: [&str; 2] = ["diff", "patch"];

/// Marks before what is typed.
const PROMPTS: [&str; 5] = ["$ ", "% ", "# ", "> ", "❯ "];

/// Lines of a fence that are looked at to tell what it holds.
const MAX_JUDGED: usize = 40;

/// Cuts a text into blocks, in order. `is_read` says of each line whether a report has it: such lines are in no block, as are the marks of
/// fences.
pub(super) fn blocks(text: &str, is_read: &[bool]) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let mut cutter = Cutter { lines: &lines, is_read, at: 0, blocks: Vec::new(), section: Kind::Prose, wants_title: true };
    cutter.front_matter();
    while cutter.at < lines.len() {
        cutter.step();
    }
    // What has nothing else is meant.
    let is_aside = |block: &Block| matches!(block.kind, Kind::Environment | Kind::Boilerplate);
    if cutter.blocks.iter().all(is_aside) {
        cutter.blocks.iter_mut().for_each(|block| block.kind = Kind::Prose);
    }
    cutter.blocks
}

/// The sentence of a text that says what it is about: its title, else the first line that says anything. `is_read` as for blocks.
pub fn headline(text: &str, is_read: &[bool]) -> String {
    let blocks = blocks(text, is_read);
    let first = |accepts: &dyn Fn(Kind) -> bool| {
        let lines = blocks.iter().filter(|block| accepts(block.kind)).flat_map(|block| block.text.lines());
        lines.map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
    };
    let is_said = |kind: Kind| !matches!(kind, Kind::Boilerplate | Kind::Environment);
    let first_line = || text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned();
    first(&|kind| kind == Kind::Title).or_else(|| first(&is_said)).unwrap_or_else(first_line)
}

/// What somebody says around a patch.
pub(super) fn without_patch(text: &str, is_read: &[bool]) -> String {
    let is_said = |kind: Kind| !matches!(kind, Kind::Diff | Kind::Boilerplate);
    blocks(text, is_read).into_iter().filter(|block| is_said(block.kind)).map(|block| block.text).collect()
}

struct Cutter<'t> {
    lines: &'t [&'t str],
    is_read: &'t [bool],
    at: usize,
    blocks: Vec<Block>,
    /// What prose is in the section that a heading began.
    section: Kind,
    /// The title was not read.
    wants_title: bool,
}

impl<'t> Cutter<'t> {
    fn step(&mut self) {
        let line = self.lines[self.at];
        let inner = line.trim();
        if let Some((mark, language)) = fence(inner) {
            return self.fenced(mark, &language);
        }
        if self.is_read(self.at) {
            self.at += 1;
            return;
        }
        if inner.starts_with("<!--") {
            return self.comment();
        }
        if is_mail(inner, self.next(1)) {
            return self.mail();
        }
        if inner.starts_with("diff --git ") || inner.starts_with("--- ") && self.next(1).starts_with("+++ ") {
            return self.diff();
        }
        self.at += 1;
        let at = self.at - 1;
        if let Some(heading) = heading(inner) {
            return self.headed(heading, at);
        }
        let kind = self.kind_of(inner, line);
        let kind = if kind == Kind::Prose && self.wants_title && !inner.is_empty() {
            self.wants_title = false;
            return self.push(Kind::Title, without_label(inner), at);
        } else {
            kind
        };
        self.push(kind, line, at);
    }

    fn is_read(&self, at: usize) -> bool {
        self.is_read.get(at).copied().unwrap_or_default()
    }

    /// Reads `key: value` between lines of dashes at the beginning of a text, of which only a title says something.
    fn front_matter(&mut self) {
        let is_rule = |line: &&str| line.trim() == "---";
        if !self.lines.first().is_some_and(is_rule) {
            return;
        }
        let Some(end) = self.lines.iter().skip(1).take(MAX_FRONT_MATTER).position(|line| is_rule(line)).map(|at| at + 1) else {
            return;
        };
        for at in 0..=end {
            match self.lines[at].strip_prefix("title:").map(|title| title.trim().trim_matches(['"', '\''])) {
                Some(title) if !title.is_empty() => {
                    self.wants_title = false;
                    self.push(Kind::Title, without_label(title), at);
                }
                _ => self.push(Kind::Boilerplate, self.lines[at], at),
            }
        }
        self.at = end + 1;
    }

    /// Reads the head of a mail or of a patch that was sent as one: its subject says what it is about.
    fn mail(&mut self) {
        while self.at < self.lines.len() && !self.lines[self.at].trim().is_empty() {
            let line = self.lines[self.at].trim();
            match line.strip_prefix("Subject:").map(str::trim) {
                Some(subject) if self.wants_title && !subject.is_empty() => {
                    self.wants_title = false;
                    self.push(Kind::Title, without_label(subject.trim_start_matches("Re: ")), self.at);
                }
                _ => self.push(Kind::Boilerplate, line, self.at),
            }
            self.at += 1;
        }
    }

    fn next(&self, n: usize) -> &'t str {
        self.lines.get(self.at + n).copied().unwrap_or_default()
    }

    /// What a line outside of fences is.
    fn kind_of(&self, inner: &str, line: &str) -> Kind {
        let is_inside = self.blocks.last().is_some_and(|block| block.kind == Kind::Output);
        if trace::read(line, self.next(0), is_inside).is_some() || report::read(line, self.next(0)).is_some() {
            return Kind::Output;
        }
        if is_checkbox(inner) || is_greeting(inner) || inner.starts_with("![") || is_tag(inner) {
            return Kind::Boilerplate;
        }
        if self.section == Kind::Prose && is_machine(inner) {
            return Kind::Environment;
        }
        if inner.strip_prefix("$ ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.')) {
            return Kind::Shell;
        }
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if is_indented && is_code_line(inner) {
            return Kind::Code;
        }
        if is_log(inner) {
            return Kind::Output;
        }
        self.section
    }

    fn headed(&mut self, heading: &str, at: usize) {
        let (label, rest) = labelled(heading).unwrap_or((heading, ""));
        if self.wants_title {
            let is_label = |text: &str| TITLE_LABELS.contains(&text.trim().to_lowercase().as_str());
            if is_label(label) || is_of_form(heading) {
                if !rest.is_empty() {
                    self.wants_title = false;
                    return self.push(Kind::Title, rest, at);
                }
                self.section = section_of(heading);
                return self.push(Kind::Boilerplate, heading, at);
            }
            self.wants_title = false;
            return self.push(Kind::Title, without_label(heading), at);
        }
        if is_of_form(heading) {
            self.section = section_of(heading);
            self.push(Kind::Boilerplate, heading, at);
        } else if !rest.is_empty() && is_of_form(label) {
            self.section = section_of(label);
            let kind = self.section;
            self.push(kind, rest, at);
        } else {
            self.section = Kind::Prose;
            self.push(Kind::Heading, heading, at);
        }
    }

    fn fenced(&mut self, mark: &str, language: &str) {
        let first = self.at + 1;
        let mut end = first;
        while end < self.lines.len() && !closes(self.lines[end].trim(), mark) {
            end += 1;
        }
        let inside = &self.lines[first.min(self.lines.len())..end];
        let kind = if self.section == Kind::Environment { Kind::Environment } else { kind_of_fence(language, inside) };
        if kind == Kind::Shell {
            for (line, at) in inside.iter().zip(first..).filter(|(_, at)| !self.is_read.get(*at).copied().unwrap_or_default()) {
                let typed = PROMPTS.iter().find_map(|prompt| line.trim_start().strip_prefix(prompt));
                match typed {
                    Some(typed) => self.push(Kind::Shell, typed, at),
                    None if has_prompts(inside) => self.push(Kind::Output, line, at),
                    None => self.push(Kind::Shell, line, at),
                }
            }
        } else {
            for (line, at) in inside.iter().zip(first..).filter(|(_, at)| !self.is_read.get(*at).copied().unwrap_or_default()) {
                self.push(kind, line, at);
            }
        }
        self.at = end + 1;
    }

    fn comment(&mut self) {
        while self.at < self.lines.len() {
            let line = self.lines[self.at];
            self.push(Kind::Boilerplate, line, self.at);
            self.at += 1;
            if line.contains("-->") {
                break;
            }
        }
    }

    fn diff(&mut self) {
        let is_of_diff = |line: &str| {
            line.is_empty()
                || line.starts_with([' ', '+', '-', '@', '\\', '\t'])
                || [
                    "diff ",
                    "index ",
                    "new file",
                    "deleted file",
                    "rename ",
                    "similarity ",
                    "old mode",
                    "new mode",
                    "Binary files",
                ]
                .iter()
                .any(|start| line.starts_with(start))
        };
        while self.at < self.lines.len() && is_of_diff(self.lines[self.at]) {
            self.push(Kind::Diff, self.lines[self.at], self.at);
            self.at += 1;
        }
    }

    /// Adds a line to the last block, or begins one.
    fn push(&mut self, kind: Kind, line: &str, at: usize) {
        match self.blocks.last_mut() {
            Some(block) if block.kind == kind => block.text.push_str(line),
            _ => self.blocks.push(Block { kind, text: line.to_owned(), line: at }),
        }
        if let Some(block) = self.blocks.last_mut() {
            block.text.push('\n');
        }
    }
}

/// The mark and the language of a line that opens a fence.
fn fence(line: &str) -> Option<(&'static str, String)> {
    let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark))?;
    let language = line.trim_start_matches(['`', '~']);
    // One line of code between fences is a word like others.
    (!language.contains(mark)).then(|| (mark, language.trim().to_lowercase()))
}

fn closes(line: &str, mark: &str) -> bool {
    line.starts_with(mark) && line.trim_matches(['`', '~']).is_empty()
}

/// What stands between fences, by its language or by its lines.
fn kind_of_fence(language: &str, lines: &[&str]) -> Kind {
    let language = language.split([' ', ',', '{', ':']).next().unwrap_or_default();
    if DIFF_FENCES.contains(&language)
        || lines.iter().take(3).any(|line| line.starts_with("diff --git ") || line.starts_with("@@ "))
    {
        return Kind::Diff;
    }
    if has_prompts(lines) || SHELL_FENCES.contains(&language) {
        return Kind::Shell;
    }
    if OUTPUT_FENCES.contains(&language) {
        return Kind::Output;
    }
    if !language.is_empty() {
        return Kind::Code;
    }
    let judged = || lines.iter().take(MAX_JUDGED).filter(|line| !line.trim().is_empty());
    let n_code = judged().filter(|line| is_code_line(line.trim())).count();
    if n_code * 2 > judged().count() { Kind::Code } else { Kind::Output }
}

/// Whether some line begins with a mark before what is typed.
fn has_prompts(lines: &[&str]) -> bool {
    let is_typed = |line: &&&str| {
        let rest = line.trim_start().strip_prefix("$ ").or_else(|| line.strip_prefix("> ")).or_else(|| line.strip_prefix("❯ "));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '/' | '{')))
    };
    lines.iter().take(MAX_JUDGED).filter(is_typed).count() > 0
}

/// Whether a line looks like one of a program: it ends or begins as code does.
fn is_code_line(line: &str) -> bool {
    let ends = line.ends_with(['{', '}', ';', ')', ',', '(', '[', ']']) || line.ends_with("=>") || line.ends_with("->");
    let begins = [
        "fn ", "pub ", "use ", "import ", "func ", "package ", "let ", "const ", "var ", "def ", "class ", "return ", "if ",
        "for ", "type ", "struct ", "//", "#[", "@",
    ];
    ends && !line.ends_with(").")
        || begins.iter().any(|start| line.starts_with(start))
        || line.contains(" := ")
        || line.contains(" = ")
        || yaml_key(line)
}

/// `key: value` with a key in one word.
fn yaml_key(line: &str) -> bool {
    let line = line.strip_prefix("- ").unwrap_or(line);
    line.split_once(':').is_some_and(|(key, rest)| {
        !key.is_empty()
            && (rest.is_empty() || rest.starts_with(' '))
            && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"'))
            && !matches!(key, "error" | "warning" | "note" | "panic" | "Error" | "Warning" | "ERROR")
    })
}

/// The words of a heading: `## Title`, `**Title:**`, a line in bold.
fn heading(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix('#') {
        let words = rest.trim_start_matches('#');
        // `#[derive]` and `#include` are code, `#12` names an issue.
        let is_heading = words.starts_with(' ') || words.len() < rest.len() || rest.starts_with(char::is_uppercase);
        return is_heading.then(|| bare(words.trim_matches(['#', ' ', '\t'])));
    }
    if let Some(rest) = line.strip_prefix('h').and_then(|rest| rest.get(1..)?.strip_prefix(". "))
        && line.as_bytes()[1].is_ascii_digit()
    {
        return Some(bare(rest));
    }
    let inner = line.strip_prefix("**")?;
    let (label, rest) = inner.split_once("**")?;
    let is_label = label.trim_end().ends_with([':', '?', '.']) || rest.trim_start().starts_with(':') || rest.trim().is_empty();
    (is_label && label.len() <= MAX_HEADING).then(|| bare(line))
}

/// Words of headings of forms in Chinese and Japanese: what is described, expected, happened, how to see it again, and on what machine.
#[rustfmt::skip]
const WIDE_FORM_WORDS: [&str; 16] = [
    "描述", "环境", "步骤", "复现", "期望", "预期", "实际", "版本", "截图", "日志", "其他", "标题", "再現", "期待", "環境", "バージョン",
];

/// Most letters of such a heading.
const MAX_WIDE_HEADING: usize = 12;

/// Fewest words of a question of a form that names a project.
const MIN_QUESTION: usize = 4;

/// Longest heading in bytes.
const MAX_HEADING: usize = 200;

fn bare(heading: &str) -> &str {
    heading.trim().trim_end_matches(':').trim()
}

/// The label of a line and what follows it: `Title: no`, `**Title:** no`.
fn labelled(heading: &str) -> Option<(&str, &str)> {
    let (label, rest) = match heading.strip_prefix("**").and_then(|inner| inner.split_once("**")) {
        Some(both) => both,
        None => heading.split_once(':')?,
    };
    Some((label.trim_matches([':', ' ', '.']), rest.trim_start_matches([':', ' ']).trim()))
}

/// A title without the label before it: `[BUG] no`, `Title: no`, `Feature request: no`.
fn without_label(line: &str) -> &str {
    let line = line.trim_matches(['*', ' ']);
    if let Some((label, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']'))
        && !rest.trim().is_empty()
        && !rest.starts_with(['(', '['])
        && label.len() <= 24
    {
        return rest.trim_start_matches([':', ' ', '-']);
    }
    match line.split_once(':') {
        Some((label, rest))
            if TITLE_LABELS.contains(&label.trim_matches(['*', ' ']).to_lowercase().as_str()) && !rest.trim().is_empty() =>
        {
            rest.trim_matches(['*', ' '])
        }
        _ => line,
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether a heading has only the words that forms use; a question may name the project too.
fn is_of_form(heading: &str) -> bool {
    let (mut n_words, mut n_others) = (0_usize, 0_usize);
    for word in words(heading) {
        n_words += 1;
        n_others += usize::from(FORM_WORDS.binary_search(&word.as_str()).is_err());
    }
    n_others == 0
        || n_others == 1 && n_words >= MIN_QUESTION
        || heading.chars().count() <= MAX_WIDE_HEADING && WIDE_FORM_WORDS.iter().any(|word| heading.contains(word))
}

/// What stands under a heading of a form.
fn section_of(heading: &str) -> Kind {
    let has = |list: &[&str]| words(heading).any(|word| list.contains(&word.as_str()));
    if ["环境", "版本", "環境", "バージョン"].iter().any(|word| heading.contains(word)) {
        return Kind::Environment;
    }
    if has(&ASIDE_WORDS) {
        Kind::Boilerplate
    } else if has(&ENVIRONMENT_WORDS) && !has(&["expected", "actual", "behavior", "behaviour", "context"]) {
        Kind::Environment
    } else {
        Kind::Prose
    }
}

/// Whether a line begins the head of a mail: `From 8c2f…` above `From:`, or `From:` above another line of the head.
fn is_mail(line: &str, next: &str) -> bool {
    let is_head =
        |line: &str| ["From: ", "Date: ", "Subject: ", "To: ", "Cc: ", "Sent: "].iter().any(|key| line.starts_with(key));
    (line.starts_with("From ") || is_head(line)) && is_head(next)
}

/// A box of a form: what somebody has read or agrees to. Boxes with other words are things to do.
fn is_checkbox(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '+', ' ']);
    let rest = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| line.strip_prefix(mark));
    rest.is_some_and(|rest| {
        let mut words = words(rest);
        let first = words.next().unwrap_or_default();
        ["i", "this", "my", "yes", "no", "don"].contains(&first.as_str())
    })
}

fn is_greeting(line: &str) -> bool {
    let lower = line.to_lowercase();
    let starts = |greeting: &&str| {
        lower
            .strip_prefix(*greeting)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '(')))
    };
    lower.split_whitespace().count() <= MAX_GREETING && GREETINGS.iter().any(starts)
}

/// A tag of HTML alone, as of folded details.
fn is_tag(line: &str) -> bool {
    line.starts_with('<')
        && line.ends_with('>')
        && line.matches('<').count() <= 2
        && ["<details", "</details", "<summary", "</summary", "<br", "<p>", "</p", "<hr"].iter().any(|tag| line.starts_with(tag))
}

/// `OS: Linux`, `- Version: 1.2`, `| OS | Linux |`, `ripgrep 13.0.0`.
fn is_machine(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '|', ' ', '+']);
    let key = line.split([':', '|', '=']).next().unwrap_or_default();
    let key = key.trim_matches(['*', ' ', '`']).to_lowercase();
    let is_key = key.len() < line.len() && MACHINE_KEYS.contains(&key.as_str());
    is_key || is_version(line)
}

/// `rustc 1.95.0 (abc 2026)`: a name and a version, and little else.
fn is_version(line: &str) -> bool {
    let mut words = line.trim_matches(['`', '.']).split_whitespace();
    let (Some(name), Some(version)) = (words.next(), words.next()) else { return false };
    let digits = version.trim_start_matches(['v', 'V', '(']);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains('.') && position(line).is_none();
    is_number && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.')) && words.count() <= 3
}

/// A line that begins with a time or a level, as those of logs do.
fn is_log(line: &str) -> bool {
    let first = line.trim_start_matches(['[', '(']).split_whitespace().next().unwrap_or_default();
    let n_digits = first.bytes().filter(u8::is_ascii_digit).count();
    let is_time = n_digits >= 6 && first.matches([':', '-', '/']).count() >= 2;
    let level = first.trim_end_matches([']', ':']);
    is_time || ["INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL", "level=info", "level=error", "level=warn"].contains(&level)
}
