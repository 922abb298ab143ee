//! What a single line of a pasted text looks like: a fence, a heading, a greeting, a version, a line of code or of a log.

use super::super::shapes::is_code;
use super::Kind;
use signals::place::position;

/// Words of the headings of forms for issues. Sorted.
#[rustfmt::skip]
const FORM_WORDS: [&str; 123] = [
    "a", "about", "actual", "additional", "affected", "already", "alternative", "alternatives", "an", "and", "any", "anything", "are",
    "been", "behavior", "behaviour", "browser", "bug", "can", "checklist", "checks", "comments", "considered", "context", "current",
    "currently", "describe", "description", "details", "did", "do", "does", "else", "encountered", "environment", "existing", "expect",
    "expected", "feature", "for", "goal", "happen", "happened", "happening", "happens", "have", "how", "i", "ideal", "impact", "info",
    "information", "install", "installed", "instead", "is", "issue", "it", "label", "labels", "like", "link", "logs", "major", "me",
    "minimal", "motivation", "my", "notes", "observed", "of", "on", "operating", "or", "os", "other", "output", "platform", "please",
    "possible", "prerequisites", "problem", "proposal", "proposed", "provide", "provided", "question", "related", "relevant",
    "reported", "repro", "reproduce", "reproduction", "request", "result", "results", "screenshots", "search", "searched", "should",
    "solution", "steps", "suggested", "summary", "system", "tell", "the", "there", "this", "title", "to", "type", "use", "using",
    "version", "versions", "vs", "want", "were", "what", "which", "you", "your",
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
pub(super) const TITLE_LABELS: [&str; 10] =
    ["title", "summary", "subject", "feature request", "feature", "bug report", "bug", "issue", "question", "proposal"];

/// What a greeting begins with, and most words of who is greeted.
const SALUTES: [&str; 7] = ["hi", "hello", "hey", "dear", "greetings", "good morning", "good day"];
const MAX_GREETED: usize = 2;

/// Most such sentences of one line.
const MAX_GREETINGS: usize = 4;

/// How sentences begin that thank or ask for patience.
const THANKS: [&str; 12] = [
    "thanks",
    "thank you",
    "many thanks",
    "thx",
    "cheers",
    "regards",
    "best regards",
    "kind regards",
    "sincerely",
    "sorry for",
    "please let me know",
    "first of all, thank",
];

/// Most words of such a sentence.
const MAX_THANKS: usize = 14;

/// Names before a colon that tell of a machine.
#[rustfmt::skip]
const MACHINE_KEYS: [&str; 29] = [
    "architecture", "arch", "browser", "bun", "cargo", "chrome", "compiler", "cpu", "deno", "device", "distribution", "docker", "editor",
    "firefox", "go version", "go", "kernel", "node", "node version", "npm", "operating system", "os", "os version", "os/arch", "platform",
    "python", "rust version", "rustc", "version",
];

/// Names that tell of a machine only below another such line: alone they name what a program has too.
const MACHINE_DETAILS: [&str; 11] = [
    "build",
    "build date",
    "codename",
    "commit",
    "date",
    "description",
    "distributor id",
    "lsb version",
    "memory",
    "release",
    "shell",
];

/// Most words of what stands behind such a name.
const MAX_MACHINE_WORDS: usize = 6;

/// Languages of fences that hold what is typed, and what is said back.
const SHELL_FENCES: [&str; 9] = ["sh", "bash", "shell", "console", "zsh", "fish", "shell-session", "powershell", "terminal"];
/// Languages of fences that hold what a program says.
const OUTPUT_FENCES: [&str; 6] = ["log", "logs", "text", "txt", "output", "plaintext"];
/// Languages of fences that hold a patch.
const DIFF_FENCES: [&str; 2] = ["diff", "patch"];

/// Marks before what is typed.
pub(super) const PROMPTS: [&str; 5] = ["$ ", "% ", "# ", "> ", "❯ "];

/// The fewest lines between fences that tell of a machine for all of them to do.
const MIN_MACHINE: usize = 3;

/// Lines of a fence that are looked at to tell what it holds.
const MAX_JUDGED: usize = 40;

/// The mark and the language of a line that opens a fence.
pub(super) fn fence(line: &str) -> Option<(&'static str, String)> {
    let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark))?;
    let language = line.trim_start_matches(['`', '~']);
    // One line of code between fences is a word like others.
    (!language.contains(mark) && !language.contains('^')).then(|| (mark, language.trim().to_lowercase()))
}

pub(super) fn closes(line: &str, mark: &str) -> bool {
    line.starts_with(mark) && line.trim_matches(['`', '~']).is_empty()
}

/// What stands between fences, by its language or by its lines.
pub(super) fn kind_of_fence(language: &str, lines: &[&str]) -> Kind {
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
    // What a tool printed of a machine is put between fences without a heading too.
    let said = || lines.iter().take(MAX_JUDGED).map(|line| line.trim()).filter(|line| !line.is_empty());
    let n_machine = said().filter(|line| is_machine(line, true)).count();
    if n_machine >= MIN_MACHINE && n_machine * 2 > said().count() {
        return Kind::Environment;
    }
    let judged = || lines.iter().take(MAX_JUDGED).filter(|line| !line.trim().is_empty());
    let n_code = judged().filter(|line| is_code_line(line.trim())).count();
    if n_code * 2 > judged().count() { Kind::Code } else { Kind::Output }
}

/// Whether some line begins with a mark before what is typed.
pub(super) fn has_prompts(lines: &[&str]) -> bool {
    let is_typed = |line: &&&str| {
        let rest = line.trim_start().strip_prefix("$ ").or_else(|| line.strip_prefix("> ")).or_else(|| line.strip_prefix("❯ "));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '/' | '{')))
    };
    lines.iter().take(MAX_JUDGED).filter(is_typed).count() > 0
}

/// Whether a line looks like one of a program: it ends or begins as code does.
pub(super) fn is_code_line(line: &str) -> bool {
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
pub(super) fn yaml_key(line: &str) -> bool {
    let line = line.strip_prefix("- ").unwrap_or(line);
    line.split_once(':').is_some_and(|(key, rest)| {
        !key.is_empty()
            && (rest.is_empty() || rest.starts_with(' '))
            && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"'))
            && !matches!(key, "error" | "warning" | "note" | "panic" | "Error" | "Warning" | "ERROR")
    })
}

/// The words of a heading: `## Title`, `**Title:**`, a line in bold.
pub(super) fn heading(line: &str) -> Option<&str> {
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

/// How words of such headings begin in German, French, Spanish, Portuguese and Russian.
#[rustfmt::skip]
const FOREIGN_FORM_WORDS: [&str; 24] = [
    "beschreibung", "umgebung", "schritt", "erwartet", "tatsächlich", "verhalten", "reproduktion", "comportement", "attendu", "étapes",
    "environnement", "descripción", "comportamiento", "esperado", "pasos", "entorno", "descrição", "comportamento", "passos", "ambiente",
    "описание", "ожидаем", "поведение", "окружение",
];

/// Which of them head what somebody has of machines and versions.
const FOREIGN_ENVIRONMENT_WORDS: [&str; 5] = ["umgebung", "environnement", "entorno", "ambiente", "окружение"];

/// Shortest word that decides what such a heading is, in letters: shorter ones join others.
const MIN_FOREIGN_WORD: usize = 5;

/// Most letters of such a heading.
const MAX_WIDE_HEADING: usize = 12;

/// Fewest words of a question of a form that names a project.
const MIN_QUESTION: usize = 4;

/// Longest heading in bytes.
const MAX_HEADING: usize = 200;

pub(super) fn bare(heading: &str) -> &str {
    heading.trim().trim_end_matches(':').trim()
}

/// The label of a line and what follows it: `Title: no`, `**Title:** no`.
pub(super) fn labelled(heading: &str) -> Option<(&str, &str)> {
    let (label, rest) = match heading.strip_prefix("**").and_then(|inner| inner.split_once("**")) {
        Some(both) => both,
        None => heading.split_once(':')?,
    };
    Some((label.trim_matches([':', ' ', '.']), rest.trim_start_matches([':', ' ']).trim()))
}

/// A title without the label before it: `[BUG] no`, `Title: no`, `Feature request: no`.
pub(super) fn without_label(line: &str) -> &str {
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

pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether a heading has only the words that forms use; where it asks whoever reports, it may name the project too.
pub(super) fn is_of_form(heading: &str) -> bool {
    let (mut n_words, mut n_others) = (0_usize, 0_usize);
    for word in words(heading) {
        n_words += 1;
        n_others += usize::from(FORM_WORDS.binary_search(&word.as_str()).is_err());
    }
    n_others == 0
        || n_others == 1 && n_words >= MIN_QUESTION && heading.contains('?') && words(heading).any(|word| word == "you")
        || is_of_foreign_form(heading)
        || heading.chars().count() <= MAX_WIDE_HEADING && WIDE_FORM_WORDS.iter().any(|word| heading.contains(word))
}

/// Whether the long words of a heading are all those of forms in other languages.
fn is_of_foreign_form(heading: &str) -> bool {
    let begins = |word: &String| FOREIGN_FORM_WORDS.iter().any(|start| word.starts_with(start));
    let mut long = words(heading).filter(|word| word.chars().count() >= MIN_FOREIGN_WORD).peekable();
    long.peek().is_some() && long.all(|word| begins(&word))
}

/// What stands under a heading of a form.
pub(super) fn section_of(heading: &str) -> Kind {
    let has = |list: &[&str]| words(heading).any(|word| list.contains(&word.as_str()));
    let is_foreign = |word: String| FOREIGN_ENVIRONMENT_WORDS.iter().any(|start| word.starts_with(start));
    if ["环境", "版本", "環境", "バージョン"].iter().any(|word| heading.contains(word)) || words(heading).any(is_foreign)
    {
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
pub(super) fn is_mail(line: &str, next: &str) -> bool {
    (line.starts_with("From ") || is_key_of_mail(line)) && is_key_of_mail(next)
}

fn is_key_of_mail(line: &str) -> bool {
    ["From: ", "Date: ", "Subject: ", "To: ", "Cc: ", "Sent: "].iter().any(|key| line.starts_with(key))
}

/// A line of the head of a mail, or what goes on with it.
pub(super) fn is_of_mail_head(line: &str) -> bool {
    let key = line.split_once(": ").map_or("", |(key, _)| key);
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    line.starts_with("From ") || is_key || line.starts_with([' ', '\t']) && !line.trim().is_empty()
}

/// A box of a form: what somebody has read or agrees to. Boxes with other words are things to do.
pub(super) fn is_checkbox(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '+', ' ']);
    let rest = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| line.strip_prefix(mark));
    rest.is_some_and(|rest| {
        let mut words = words(rest);
        let first = words.next().unwrap_or_default();
        ["i", "this", "my", "yes", "no", "don"].contains(&first.as_str())
    })
}

/// What is left of a line behind the sentences that greet, thank or ask for patience.
pub(super) fn without_greeting(line: &str) -> &str {
    let mut left = line;
    for _ in 0..MAX_GREETINGS {
        left = behind_salute(left).or_else(|| behind_thanks(left)).unwrap_or(left);
    }
    left
}

/// What stands behind one of these beginnings, in small or capital letters.
fn behind<'t>(line: &'t str, starts: &[&str]) -> Option<&'t str> {
    starts.iter().find_map(|start| {
        let rest = line.get(start.len()..).filter(|_| line.as_bytes()[..start.len()].eq_ignore_ascii_case(start.as_bytes()))?;
        (!rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '('))).then_some(rest)
    })
}

/// What stands behind `Hi`, `Hello all,` or `Dear Maria!`.
fn behind_salute(line: &str) -> Option<&str> {
    let rest = behind(line, &SALUTES)?;
    let is_whom = |text: &str| text.split_whitespace().count() <= MAX_GREETED && !text.split_whitespace().any(is_code);
    let end = rest.find([',', '!', '.', ':', '—']).unwrap_or(rest.len());
    let rest = if is_whom(&rest[..end]) { &rest[end..] } else { rest };
    Some(rest.trim_start_matches([',', '!', '.', ':', '-', '—', ' ']))
}

/// What stands behind a sentence that thanks, and behind the name of whoever thanks; one that names something in code says more than thanks.
fn behind_thanks(line: &str) -> Option<&str> {
    let rest = behind(line, &THANKS)?;
    let is_end = |(at, c): &(usize, char)| {
        let next = rest[at + c.len_utf8()..].chars().next();
        matches!(c, '.' | '!' | ',' | ';' | ':' | '—') && next.is_none_or(|next| !next.is_alphanumeric())
    };
    let end = rest.char_indices().find(is_end).map_or(rest.len(), |(at, c)| at + c.len_utf8());
    let (thanks, rest) = rest.split_at(end);
    if thanks.split_whitespace().count() > MAX_THANKS || thanks.split_whitespace().any(is_code) {
        return None;
    }
    let rest = rest.trim_start_matches(['!', '.', ' ', ')', ':', '-', '—']);
    let is_name = rest.split_whitespace().count() <= MAX_GREETED
        && rest.split_whitespace().all(|word| word.starts_with(char::is_uppercase) && !is_code(word));
    Some(if is_name { "" } else { rest })
}

/// `OS: Linux`, `- Version: 1.2`, `| OS | Linux |`, `ripgrep 13.0.0`; `is_below` says that the line stands below another such line.
pub(super) fn is_machine(line: &str, is_below: bool) -> bool {
    let line = line.trim_start_matches(['-', '*', '|', ' ', '+']);
    let (key, value) = line.split_once([':', '|', '=']).unwrap_or((line, ""));
    let key = key.trim_matches(['*', ' ', '`']).to_lowercase();
    let n_words = value.split_whitespace().count();
    // `Memory: leak in the token cache` tells of no machine.
    let is_value = || n_words <= 2 || n_words <= MAX_MACHINE_WORDS && value.contains(|c: char| c.is_ascii_digit());
    let is_key = MACHINE_KEYS.contains(&key.as_str()) || is_below && MACHINE_DETAILS.contains(&key.as_str());
    is_key && n_words > 0 && is_value() || is_version(line)
}

/// `rustc 1.95.0 (abc 2026)`: a name and a version, and no sentence.
pub(super) fn is_version(line: &str) -> bool {
    let mut words = line.trim_matches(['`', '.']).split_whitespace();
    let (Some(name), Some(version)) = (words.next(), words.next()) else { return false };
    let digits = version.trim_start_matches(['v', 'V', '(']);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains('.') && position(line).is_none();
    let is_word = |word: &str| word.starts_with(char::is_lowercase) && !word.contains(['/', '-', '.', '(', ')']);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    is_number && is_name && words.clone().count() <= 3 && !words.any(is_word)
}

/// A line that begins with a time or a level, as those of logs do; before the time may stand who writes: `[api] 2026/01/02`.
pub(super) fn is_log(line: &str) -> bool {
    fn first(line: &str) -> &str {
        line.trim_start_matches(['[', '(']).split_whitespace().next().unwrap_or_default()
    }
    let begins_with_time = |line: &str| {
        let first = first(line);
        let n_digits = first.bytes().filter(u8::is_ascii_digit).count();
        first.starts_with(|c: char| c.is_ascii_digit()) && n_digits >= 6 && first.matches([':', '-', '/']).count() >= 2
    };
    let writer = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let level = first(line);
    begins_with_time(line)
        || writer.is_some_and(|(_, rest)| begins_with_time(rest))
        || is_syslog(line)
        || ["INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL", "level=info", "level=error", "level=warn"]
            .contains(&level.trim_end_matches([']', ':']))
}

/// `Feb 25 06:12:44 host program[12]: text`, as system logs have it.
fn is_syslog(line: &str) -> bool {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = line.split_whitespace();
    let is_month = words.next().is_some_and(|word| MONTHS.contains(&word));
    let is_number = |word: &str| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_day = words.next().is_some_and(is_number);
    is_month && is_day && words.next().is_some_and(|time| time.split(':').count() == 3 && time.split(':').all(is_number))
}

/// How many lines of the old and of the new side the head of a hunk announces.
pub(super) fn hunk_lines(line: &str) -> Option<(u32, u32)> {
    let mut ranges = line.strip_prefix("@@ ")?.split(' ');
    let mut n_lines = |sign| {
        let range = ranges.next()?.strip_prefix(sign)?;
        range.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok())
    };
    Some((n_lines('-')?, n_lines('+')?))
}

/// Whether a line of a patch stands outside of its hunks.
pub(super) fn is_of_patch(line: &str) -> bool {
    let starts = [
        "diff ",
        "index ",
        "--- ",
        "+++ ",
        "@@",
        "new file",
        "deleted file",
        "rename ",
        "copy ",
        "similarity ",
        "old mode",
        "new mode",
        "Binary files",
    ];
    starts.iter().any(|start| line.starts_with(start))
}
