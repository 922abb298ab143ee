//! Says where a name stands: in code or among settings, at the head of a line, inside a literal or a comment.

/// What a file holds, by its extension; a text without a name is read as settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// A bare word is an expression.
    Code,
    /// A bare word is a value.
    Settings,
    /// Names and values, one a line: the value is the rest of its line.
    Lines(Format),
}

/// How a file of names and values ends a bare value, and whether a backslash means anything between single quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// `.properties`: to the end of the line, and on the next behind a backslash.
    Properties,
    /// YAML: up to a blank and `#`.
    Yaml,
    /// INI, `.conf`, TOML: up to a blank and `#` or `;`.
    Ini,
    /// `.env`, shell: the word.
    Shell,
    /// `ldap.conf`: to the end of the line, behind a blank.
    Blank,
}

const FORMATS: [(&str, Format); 17] = [
    ("properties", Format::Properties),
    ("yaml", Format::Yaml),
    ("yml", Format::Yaml),
    ("ini", Format::Ini),
    ("cfg", Format::Ini),
    ("cnf", Format::Ini),
    ("conf", Format::Ini),
    ("toml", Format::Ini),
    ("desktop", Format::Ini),
    ("service", Format::Ini),
    ("editorconfig", Format::Ini),
    ("env", Format::Shell),
    ("sh", Format::Shell),
    ("bash", Format::Shell),
    ("zsh", Format::Shell),
    ("envrc", Format::Shell),
    ("ksh", Format::Shell),
];
/// Files in which a blank parts a name from its value.
const BLANKS: [&str; 9] = [
    "vpnc.conf",
    "ldap.conf",
    "nslcd.conf",
    "pam_ldap.conf",
    "nss_ldap.conf",
    "slapd.conf",
    "sssd.conf",
    "ldap.secret",
    "redis.conf",
];

const CODE: [&str; 62] = [
    "rs", "go", "ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts", "py", "pyi", "java", "kt", "kts", "cs", "cpp", "cc", "cxx",
    "c", "h", "hpp", "rb", "php", "swift", "scala", "lua", "pl", "pm", "r", "dart", "ex", "exs", "erl", "hs", "ml", "fs", "vb",
    "vbs", "groovy", "gradle", "sol", "zig", "nim", "clj", "m", "mm", "proto", "graphql", "css", "scss", "less", "html", "htm",
    "vue", "svelte", "tf", "hcl", "jsonnet", "bzl", "s", "scm",
];

impl Holds {
    pub(super) fn of(name: &str) -> Self {
        let file = name.rsplit('/').next().unwrap_or(name);
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        if BLANKS.contains(&file) {
            return Self::Lines(Format::Blank);
        }
        if let Some((_, format)) = FORMATS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)) {
            return Self::Lines(*format);
        }
        if CODE.iter().any(|code| extension.eq_ignore_ascii_case(code)) { Self::Code } else { Self::Settings }
    }

    /// Whether a backslash between single quotes is a character like others.
    pub(super) fn is_raw(self) -> bool {
        matches!(self, Self::Lines(_))
    }
}

/// How much of a line is read before a name.
const MAX_BEFORE: usize = 256;

/// Words that may stand before a name that is set.
const SETTERS: [&str; 20] = [
    "export",
    "set",
    "setx",
    "env",
    "arg",
    "local",
    "declare",
    "x",
    "setenv",
    "e",
    "environment",
    "let",
    "readonly",
    "typeset",
    "const",
    "default",
    "var",
    "s",
    "d",
    "secret",
];

/// Verbs by which what is named goes to somebody: `to` behind the name does not say what it is set to.
const HANDED_ON: [&str; 18] = [
    "add", "added", "adding", "adds", "append", "appended", "copied", "copy", "deliver", "migrate", "migrated", "move", "moved",
    "pass", "passed", "send", "sends", "sent",
];

/// How many words may stand between such a verb and the name.
const MAX_BETWEEN: usize = 2;

/// The part of a line before a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before<'a>(&'a [u8]);

impl<'a> Before<'a> {
    pub(super) fn new(text: &'a [u8], at: usize) -> Self {
        let from = at.saturating_sub(MAX_BEFORE);
        let before = &text[from..at];
        Self(before.iter().rposition(|b| *b == b'\n').map_or(before, |feed| &before[feed + 1..]))
    }

    /// Whether the line begins with the name, but for marks and words of setting.
    pub(super) fn is_head(self) -> bool {
        self.0.len() < MAX_BEFORE
            && self
                .0
                .split(|b| !b.is_ascii_alphanumeric())
                .filter(|word| !word.is_empty())
                .all(|word| SETTERS.iter().any(|setter| word.eq_ignore_ascii_case(setter.as_bytes())))
            && !self.0.iter().any(|b| matches!(b, b'(' | b'=' | b'{' | b'[' | b'<' | b'?' | 128..))
    }

    /// Whether the verb before the name says that it goes to what follows.
    pub(super) fn is_handed_on(self) -> bool {
        let words = self.0.rsplit(|b| !b.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let mut near = words.take(MAX_BETWEEN + 1);
        near.any(|word| HANDED_ON.iter().any(|verb| word.eq_ignore_ascii_case(verb.as_bytes())))
    }

    /// Whether the name stands in a comment or inside a literal of code.
    pub(super) fn is_text(self) -> bool {
        let trimmed = self.0.trim_ascii_start();
        let is_comment = [&b"//"[..], b"#", b"--", b"/*", b"*", b"<!--", b";"].iter().any(|start| trimmed.starts_with(start))
            || self.0.windows(3).any(|three| matches!(three, b"// " | b" # "));
        let mut open = None;
        let mut i = 0;
        while let Some(b) = self.0.get(i) {
            match (open, b) {
                (_, b'\\') => i += 1,
                (None, b'"' | b'`') => open = Some(*b),
                (Some(mark), b) if *b == mark => open = None,
                _ => {}
            }
            i += 1;
        }
        // Where the line began further back, what is open is not known.
        is_comment || open.is_some() && self.0.len() < MAX_BEFORE
    }

    /// The byte right before the name.
    pub(super) fn last(self) -> Option<u8> {
        self.0.last().copied()
    }

    /// Blanks and marks of a list before the first word: how deep the line stands.
    pub(super) fn indent(self) -> usize {
        self.0.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    pub(super) fn bytes(self) -> &'a [u8] {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Before, Format, Holds};

    #[test]
    fn a_name_knows_its_place() {
        let before = |line: &'static str| Before::new(line.as_bytes(), line.len());
        for line in ["", "  - ", "export ", "ENV ", "\t$env:", "# ", "a: 1\n+ ", "Environment=\"", "declare -x "] {
            assert_eq!(before(line).is_head(), line != "Environment=\"", "{line}");
        }
        for line in ["user=a;", "{user: a, ", "run --flag ", "INFO "] {
            assert!(!before(line).is_head(), "{line}");
        }
        for line in ["// set ", "x = \"Server=a;", " * ", "f(`"] {
            assert!(before(line).is_text(), "{line}");
        }
        for line in ["let ", "x = \"a\" + ", "f('a', "] {
            assert!(!before(line).is_text(), "{line}");
        }
        assert_eq!(
            (Holds::of("a/b.RS"), Holds::of("a.yaml"), Holds::of("")),
            (Holds::Code, Holds::Lines(Format::Yaml), Holds::Settings)
        );
    }
}
