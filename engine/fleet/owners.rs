//! Who owns which files, by a repository's CODEOWNERS: the last pattern that matches a path decides, in each section by itself.

use engine::Engine;
use error::Problem;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use repo::RepoPath;

/// Where the file may be, the first that is there counts.
const PLACES: [&str; 4] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];
/// The largest file that is read, in bytes: hosts take no larger one.
const MAX_BYTES: u64 = 3 << 20;
/// The most lines with patterns.
const MAX_RULES: usize = 20_000;

/// The owners of a repository's files.
#[derive(Debug, Clone, Default)]
pub struct Owners {
    /// The file that says so; empty where there is none.
    pub path: String,
    sections: Vec<Section>,
}

#[derive(Debug, Clone, Default)]
struct Section {
    rules: Vec<Rule>,
    globs: GlobSet,
    /// The rule of each glob: a rule may have two.
    rule_of: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    line: u32,
    owners: Vec<String>,
}

/// An owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner<'o> {
    /// A user, a team or an address.
    pub name: &'o str,
    /// The line that says so.
    pub line: u32,
}

impl Owners {
    /// Reads the owners of a repository as it is, or as it was at its commit; none where no file names any.
    pub fn read(engine: &Engine) -> (Self, Vec<Problem>) {
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
    pub fn parse(path: &str, text: &str) -> (Self, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut sections: Vec<(String, Builder)> = vec![(String::new(), Builder::default())];
        let mut at = 0;
        let mut n_rules = 0;
        for (line, number) in text.lines().zip(1..) {
            let words = words(line);
            let Some((first, rest)) = words.split_first() else { continue };
            if let Some((name, defaults)) = heading(line) {
                // Sections of one name are one section.
                at = sections.iter().position(|(known, _)| *known == name).unwrap_or(sections.len());
                if at == sections.len() {
                    sections.push((name, Builder::default()));
                }
                if let Some((_, section)) = sections.get_mut(at) {
                    section.defaults = defaults;
                }
                continue;
            }
            n_rules += 1;
            if n_rules > MAX_RULES {
                problems.push(Problem::at("owners", path, format!("only the first {MAX_RULES} patterns are used")));
                break;
            }
            let Some((_, section)) = sections.get_mut(at) else { continue };
            if let Err(why) = section.add(first, rest, number) {
                problems.push(Problem::at("owners", path, format!("line {number} is passed over: {why}")));
            }
        }
        let sections = sections.into_iter().filter_map(|(_, section)| section.build()).collect();
        (Self { path: path.to_owned(), sections }, problems)
    }

    /// The owners of a file, in the order of lines, each once; none where its last pattern names none.
    pub fn of(&self, path: &str) -> Vec<Owner<'_>> {
        let mut owners: Vec<Owner<'_>> = Vec::new();
        for section in &self.sections {
            let last = section.globs.matches(path).into_iter().filter_map(|glob| section.rule_of.get(glob)).max();
            let Some(rule) = last.and_then(|rule| section.rules.get(*rule)) else { continue };
            for name in &rule.owners {
                if !owners.iter().any(|known| known.name == name) {
                    owners.push(Owner { name, line: rule.line });
                }
            }
        }
        owners
    }

    /// Whether no pattern names anybody.
    pub fn is_empty(&self) -> bool {
        self.sections.iter().all(|section| section.rules.iter().all(|rule| rule.owners.is_empty()))
    }
}

#[derive(Default)]
struct Builder {
    defaults: Vec<String>,
    rules: Vec<Rule>,
    globs: Vec<Glob>,
    rule_of: Vec<usize>,
}

impl Builder {
    fn add(&mut self, pattern: &str, owners: &[String], line: u32) -> Result<(), String> {
        let all = globs(pattern)?;
        for text in all {
            let glob = GlobBuilder::new(&text).literal_separator(true).backslash_escape(true).build();
            self.globs.push(glob.map_err(|error| error.kind().to_string())?);
            self.rule_of.push(self.rules.len());
        }
        let owners = if owners.is_empty() { self.defaults.clone() } else { owners.to_vec() };
        self.rules.push(Rule { line, owners });
        Ok(())
    }

    fn build(self) -> Option<Section> {
        let mut globs = GlobSetBuilder::new();
        for glob in self.globs {
            globs.add(glob);
        }
        Some(Section { rules: self.rules, globs: globs.build().ok()?, rule_of: self.rule_of })
    }
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
        let text = "# all\n*  @all\n*.js @js # a comment\n/build/logs/ @doctor\ndocs/* docs@example.com\napps/ @apps\n/scripts/ @a @b\n\
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
            README.md: @all:2
            x/y.js: @js:3
            build/logs/a.txt: @logs:8
            a/build/logs/a.txt: @logs:8
            docs/a.md: docs@example.com:5
            docs/b/c.md: @all:2
            x/apps/y/z.rs: @apps:6
            apps/github/a.rs: 
            scripts/deep/er.sh: @a:7 @b:7
            deep/logs/x: @logs:8
            some file.md: @blank:10
            a.go: @all:2
            ! CODEOWNERS: line 11 is passed over: a pattern cannot begin with `!` here
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
}
