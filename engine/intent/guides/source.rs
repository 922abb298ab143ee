//! Which files say something, by their paths, and which part of the repository each speaks of.

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// A file of targets for make.
    Makefile,
    /// A file of recipes for just.
    Justfile,
    /// The manifest of a package of scripts: `package.json`.
    Package,
    /// The settings of cargo, which name aliases.
    CargoConfig,
    /// The manifest of a package named `xtask`: a program with the tasks of its repository.
    Xtask,
    /// Advice for whoever changes the code.
    Guide,
    /// The record of a decision.
    Decision,
}

/// Names of guides, in small letters.
const GUIDES: [&str; 6] = ["agents.md", "claude.md", "contributing", "contributing.md", "copilot-instructions.md", "gemini.md"];

/// Folders of records of decisions.
const DECISIONS: [&str; 4] = ["adr", "adrs", "decision", "decisions"];

/// Folders of documents, which speak of what lies beside them.
const DOCUMENTS: [&str; 3] = ["doc", "docs", ".github"];

/// Digits with which a record of a decision is numbered: `0007-use-jwt.md`.
const NUMBER_DIGITS: usize = 4;

/// The last letters of the names of sources, by which most other files are told apart at a glance.
const ENDINGS: [u8; 6] = *b"DdeGgl";

/// The last letter of a manifest in JSON.
const JSON: &[u8] = b"package.json";

impl Source {
    /// Whether a path can be that of a source: most are not, and each is looked at.
    pub(super) fn may_be(path: &[u8]) -> bool {
        path.last().is_some_and(|last| ENDINGS.contains(last)) || path.ends_with(JSON)
    }

    /// What the file at a path is, if it says something.
    pub(super) fn of(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let last_folder = || folder.rsplit('/').next().unwrap_or_default();
        match name {
            "Makefile" | "makefile" | "GNUmakefile" => return Some(Self::Makefile),
            "package.json" => return Some(Self::Package),
            "config" | "config.toml" if last_folder() == ".cargo" => return Some(Self::CargoConfig),
            "Cargo.toml" if last_folder() == "xtask" => return Some(Self::Xtask),
            _ => {}
        }
        // Most files are none of these: few are looked at letter by letter.
        if name.len() <= MAX_NAME && matches!(name.as_bytes().first(), Some(b'.' | b'J' | b'j')) {
            return matches!(name.to_ascii_lowercase().as_str(), "justfile" | ".justfile").then_some(Self::Justfile);
        }
        let is_guide = || name.len() <= MAX_NAME && GUIDES.contains(&name.to_ascii_lowercase().as_str());
        if matches!(name.as_bytes().first(), Some(b'A' | b'a' | b'C' | b'c' | b'G' | b'g')) && is_guide() {
            return Some(Self::Guide);
        }
        let is_markdown = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "md");
        let is_decision = is_markdown && (is_in(folder, &DECISIONS) || is_in(folder, &DOCUMENTS) && is_numbered(name));
        is_decision.then_some(Self::Decision)
    }

    /// The folder that the file at a path speaks of; empty for the whole repository.
    pub(super) fn scope(self, path: &str) -> &str {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let above = |names: &[&str]| {
            let mut start = 0;
            for part in folder.split('/') {
                if names.contains(&part) {
                    return folder[..start].trim_end_matches('/');
                }
                start += part.len() + 1;
            }
            folder
        };
        match self {
            Self::Makefile | Self::Justfile | Self::Package => folder,
            Self::CargoConfig => above(&[".cargo"]),
            Self::Xtask => above(&["xtask"]),
            Self::Guide => above(&DOCUMENTS),
            Self::Decision => above(&[&DOCUMENTS[..], &DECISIONS[..]].concat()),
        }
    }
}

/// Whether the file at a path is one that [`find`](super::find) reads.
pub fn is_source(path: &str) -> bool {
    Source::may_be(path.as_bytes()) && Source::of(path).is_some()
}

/// Bytes of the longest name of a guide.
const MAX_NAME: usize = 23;

/// Whether one of the folders of a path has one of these names.
fn is_in(folder: &str, names: &[&str]) -> bool {
    folder.split('/').any(|part| names.contains(&part))
}

/// Whether a name is `NNNN-title.md` or `ADR-title.md`.
fn is_numbered(name: &str) -> bool {
    let n_digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let start = name.as_bytes();
    (n_digits == NUMBER_DIGITS && start.get(n_digits) == Some(&b'-'))
        || start.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"adr-"))
}
