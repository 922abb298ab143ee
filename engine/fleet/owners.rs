//! Who owns which files, by a repository's CODEOWNERS: the last pattern that matches a path decides, in each section by itself.

use crate::columns::Value::{Int, Text};
use crate::columns::Writer;
use crate::tables::OWNERS;
use engine::Engine;
use error::Problem;
use globset::{Candidate, Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use index::base::FactBase;
use repo::RepoPath;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where the file may be, the first that is there counts.
const PLACES: [&str; 4] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];
/// The largest file that is read, in bytes: hosts take no larger one.
const MAX_BYTES: u64 = 3 << 20;
/// The most lines with patterns.
const MAX_RULES: usize = 10_000;
/// The most sections: each is asked about every file.
const MAX_SECTIONS: usize = 256;
/// The most owners of a pattern, a section or a file.
const MAX_OWNERS: usize = 64;
/// Patterns that are matched at once: more make an automaton that may become too large.
const AT_ONCE: usize = 256;

/// The owners of a repository's files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Owners {
    /// The file that says so; empty where there is none.
    path: String,
    sections: Vec<Section>,
}

#[derive(Debug, Clone, Default)]
struct Section {
    rules: Vec<Rule>,
    /// Patterns, each part with those that are matched at once.
    parts: Vec<GlobSet>,
    /// The rule of each pattern of a part: a rule may have two.
    rules_of: Vec<Vec<usize>>,
}

/// A pattern's owners; none where it says that nobody owns what it matches.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    line: u32,
    owners: Arc<[String]>,
}

/// An owner of a file, or that it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Owner<'o> {
    /// A user, a team or an address; empty where the line says that nobody owns the file.
    name: &'o str,
    /// The line that says so.
    line: u32,
}

impl Owners {
    /// Reads the owners of a repository as it is, or as it was at its commit; none where no file names any.
    pub(crate) fn read(engine: &Engine) -> (Self, Vec<Problem>) {
        for place in PLACES {
            let Ok(path) = RepoPath::new(place) else { continue };
            if !engine.repo().has_file(&path) {
                continue;
            }
            return match engine.repo().read(&path, MAX_BYTES) {
                Ok(bytes) => Self::parse(place, &String::from_utf8_lossy(&bytes)),
                Err(error) => (Self::default(), vec![Problem::at("owners", place, format!("nobody owns a file: {error}"))]),
            };
        }
        (Self::default(), Vec::new())
    }

    /// The owners that a text names. Lines that nobody can match are left out, and problems say which.
    fn parse(path: &str, text: &str) -> (Self, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut sections: Vec<Builder> = vec![Builder::default()];
        let mut named: FxHashMap<String, usize> = [(String::new(), 0)].into_iter().collect();
        let mut at = 0;
        let mut n_rules = 0;
        for (line, number) in text.lines().zip(1..) {
            let words = words(line);
            let Some((first, rest)) = words.split_first() else { continue };
            if let Some((name, defaults)) = heading(line) {
                // Sections of one name are one section.
                let n_sections = sections.len();
                at = *named.entry(name).or_insert(n_sections);
                if at == MAX_SECTIONS {
                    problems.push(Problem::at("owners", path, format!("only the first {MAX_SECTIONS} sections are used")));
                    break;
                }
                sections.resize_with(n_sections.max(at + 1), Builder::default);
                sections[at].defaults = owners(defaults);
                continue;
            }
            n_rules += 1;
            if n_rules > MAX_RULES {
                problems.push(Problem::at("owners", path, format!("only the first {MAX_RULES} patterns are used")));
                break;
            }
            if let Err(why) = sections[at].add(first, rest, number) {
                problems.push(Problem::at("owners", path, format!("line {number} is passed over: {why}")));
            }
        }
        let build = |section: Builder| {
            let (built, failed) = section.build();
            problems.extend(failed.into_iter().map(|(from, to, why)| {
                Problem::at("owners", path, format!("the patterns of lines {from} to {to} are passed over: {why}"))
            }));
            built
        };
        let sections = sections.into_iter().filter(|section| !section.rules.is_empty()).map(build).collect();
        (Self { path: path.to_owned(), sections }, problems)
    }

    /// The first owners of a file, in the order of sections, each once; that nobody owns it where its last patterns say so; none where none matches.
    fn of(&self, path: &str) -> Vec<Owner<'_>> {
        let mut owners: Vec<Owner<'_>> = Vec::new();
        let candidate = Candidate::new(path);
        'all: for rule in self.sections.iter().filter_map(|section| section.rule(&candidate)) {
            let names = rule.owners.iter().map(String::as_str);
            for name in names.chain(rule.owners.is_empty().then_some("")) {
                if owners.len() == MAX_OWNERS {
                    break 'all;
                }
                if !owners.iter().any(|known| known.name == name) {
                    owners.push(Owner { name, line: rule.line });
                }
            }
        }
        if owners.iter().any(|owner| !owner.name.is_empty()) {
            owners.retain(|owner| !owner.name.is_empty());
        }
        owners
    }

    /// The owners of all files of a repository.
    pub(crate) fn table(&self, base: &FactBase) -> Writer {
        let mut table = Writer::new(OWNERS);
        for file in base.files() {
            for owner in self.of(base.path(file)) {
                table.push(&[Int(file.0), Text(owner.name), Text(&self.path), Int(owner.line)]);
            }
        }
        table
    }
}

impl Section {
    /// The last rule that matches.
    fn rule(&self, candidate: &Candidate<'_>) -> Option<&Rule> {
        let last = |(globs, rules): (&GlobSet, &Vec<usize>)| {
            globs.matches_candidate(candidate).into_iter().filter_map(|glob| rules.get(glob)).max().copied()
        };
        let mut parts = self.parts.iter().zip(&self.rules_of).rev();
        self.rules.get(parts.find_map(last)?)
    }
}

#[derive(Default)]
struct Builder {
    defaults: Arc<[String]>,
    rules: Vec<Rule>,
    /// Patterns, each with its rule.
    globs: Vec<(Glob, usize)>,
}

/// The first and the last line of patterns that are not used, and why.
type Failed = (u32, u32, String);

impl Builder {
    fn add(&mut self, pattern: &str, rest: &[String], line: u32) -> Result<(), String> {
        for text in globs(pattern)? {
            let glob = GlobBuilder::new(&text).literal_separator(true).backslash_escape(true).build();
            self.globs.push((glob.map_err(|error| error.kind().to_string())?, self.rules.len()));
        }
        let owners = if rest.is_empty() { Arc::clone(&self.defaults) } else { owners(rest.to_vec()) };
        self.rules.push(Rule { line, owners });
        Ok(())
    }

    fn build(self) -> (Section, Vec<Failed>) {
        let (mut parts, mut rules_of, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for part in self.globs.chunks(AT_ONCE) {
            let mut globs = GlobSetBuilder::new();
            for (glob, _) in part {
                globs.add(glob.clone());
            }
            match globs.build() {
                Ok(globs) => {
                    parts.push(globs);
                    rules_of.push(part.iter().map(|(_, rule)| *rule).collect());
                }
                Err(error) => {
                    let line = |of: Option<&(Glob, usize)>| of.map_or(0, |(_, rule)| self.rules[*rule].line);
                    failed.push((line(part.first()), line(part.last()), error.kind().to_string()));
                }
            }
        }
        (Section { rules: self.rules, parts, rules_of }, failed)
    }
}

/// Owners that lines share.
fn owners(mut names: Vec<String>) -> Arc<[String]> {
    names.truncate(MAX_OWNERS);
    names.into()
}

/// The words of a line up to a comment. A backslash keeps a blank or a number sign in its word.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let Some(word) = words.last_mut() else { break };
        match letter {
            '\\' => match letters.next() {
                Some(escaped @ (' ' | '#')) => word.push(escaped),
                other => word.extend(['\\'].into_iter().chain(other)),
            },
            '#' if word.is_empty() => break,
            blank if blank.is_whitespace() => {
                if !word.is_empty() {
                    words.push(String::new());
                }
            }
            other => word.push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A section's name and its owners where no pattern names others: `[Name]`, `^[Name][2] @owner`.
fn heading(line: &str) -> Option<(String, Vec<String>)> {
    let rest = line.trim_start().trim_start_matches('^').strip_prefix('[')?;
    let (name, rest) = rest.split_once(']')?;
    let rest = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((count, rest)) if count.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => rest,
    };
    // `[a-z]*.rs` is a pattern of nobody's: hosts take no ranges.
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| (name.trim().to_lowercase(), words(rest)))
}

/// The globs of a pattern: what it names, and all below it where that can be a folder.
fn globs(pattern: &str) -> Result<Vec<String>, String> {
    if pattern.starts_with('!') {
        return Err("a pattern cannot begin with `!` here".to_owned());
    }
    let is_folder = pattern.ends_with('/');
    let trimmed = pattern.trim_matches('/');
    if trimmed.is_empty() {
        return Ok(vec!["**".to_owned()]);
    }
    let is_anchored = pattern.starts_with('/') || trimmed.contains('/');
    if trimmed == "*" && pattern.starts_with('/') {
        // Files at the top alone.
        return Ok(vec!["*".to_owned()]);
    }
    // Of the signs that globs know, owners have two.
    let mut escaped = String::new();
    for letter in trimmed.chars() {
        if matches!(letter, '[' | ']' | '{' | '}') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    let base = if is_anchored { escaped } else { format!("**/{escaped}") };
    Ok(match () {
        () if is_folder => vec![format!("{base}/**")],
        // `docs/*` means files of that folder alone.
        () if is_anchored && base.ends_with("/*") => vec![base],
        () => vec![format!("{base}/**"), base],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// The owners of paths by a text, a line a path.
    fn owned(text: &str, paths: &[&str]) -> String {
        let (owners, problems) = Owners::parse("CODEOWNERS", text);
        let mut told = String::new();
        for path in paths {
            let of: Vec<String> = owners.of(path).iter().map(|owner| format!("{}:{}", owner.name, owner.line)).collect();
            let _ = writeln!(told, "{path}: {}", of.join(" "));
        }
        for problem in problems {
            let _ = writeln!(told, "! {problem}");
        }
        told
    }

    #[test]
    fn the_last_pattern_that_matches_decides() {
        let text = "# all\n*  @all\n*.js @js # a comment\n/build/logs/ @doctor\ndocs/* docs@example.com\napps/ @apps\n/scripts/ @a @b\n/* @top\n\
                    **/logs @logs\n/apps/github\nsome\\ file.md @blank\n!no @x\n{a,b}.go @braces\n";
        let paths = [
            "README.md",
            "x/y.js",
            "build/logs/a.txt",
            "a/build/logs/a.txt",
            "docs/a.md",
            "docs/b/c.md",
            "x/apps/y/z.rs",
            "apps/github/a.rs",
            "scripts/deep/er.sh",
            "deep/logs/x",
            "some file.md",
            "a.go",
        ];
        expect_test::expect![[r"
            README.md: @top:8
            x/y.js: @js:3
            build/logs/a.txt: @logs:9
            a/build/logs/a.txt: @logs:9
            docs/a.md: docs@example.com:5
            docs/b/c.md: @all:2
            x/apps/y/z.rs: @apps:6
            apps/github/a.rs: :10
            scripts/deep/er.sh: @a:7 @b:7
            deep/logs/x: @logs:9
            some file.md: @blank:11
            a.go: @top:8
            ! CODEOWNERS: line 12 is passed over: a pattern cannot begin with `!` here
        "]]
        .assert_eq(&owned(text, &paths));
    }

    #[test]
    fn sections_decide_each_by_itself() {
        let text = "* @all\n[Docs] @writers\n*.md\nREADME.md @lead\n^[Database][2] @dba\nmodel/\n[DOCS] @others\n*.txt\n";
        expect_test::expect![[r"
            a.rs: @all:1
            a.md: @all:1 @writers:3
            README.md: @all:1 @lead:4
            model/db.md: @all:1 @writers:3 @dba:6
            a.txt: @all:1 @others:8
        "]]
        .assert_eq(&owned(text, &["a.rs", "a.md", "README.md", "model/db.md", "a.txt"]));
    }

    #[test]
    fn thousands_of_patterns_are_all_used() {
        let mut text = "* @all\n".to_owned();
        for n in 0..7_000 {
            let _ = writeln!(text, "/folder{n}/**/x*y @o{n}");
        }
        let told = owned(&text, &["z.rs", "folder6999/a/xby", "folder0/xy"]);
        assert_eq!(told, "z.rs: @all:1\nfolder6999/a/xby: @o6999:7001\nfolder0/xy: @o0:2\n");
    }

    #[test]
    fn sections_and_owners_of_a_file_are_few() {
        let mut text = String::new();
        for n in 0..300 {
            let _ = writeln!(text, "[S{n}] @a{n} @b{n}\n*");
        }
        let (owners, problems) = Owners::parse("CODEOWNERS", &text);
        assert_eq!(owners.of("x").len(), MAX_OWNERS);
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(said.len() == 1 && said[0].contains("only the first 256 sections are used"), "{said:?}");
        assert_eq!(Owners::parse("CODEOWNERS", &"[none]\n".repeat(100_000)).0.sections.len(), 0);
    }
}
