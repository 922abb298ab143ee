//! Reads rules in the TOML layout of Gitleaks and says what is wrong with a file, by name and line.
//!
//! What would make a rule find less than it seems to say is an error; what would only find more is a note.

use super::allowlist::{Allowlist, Condition, Target};
use super::pattern::{Pattern, reason};
use super::rules::{Rule, Rules};
use error::{Error, ErrorKind, Result};
use serde::Deserialize;

/// Largest file of rules, and most rules in one.
const MAX_FILE: usize = 1 << 20;
const MAX_RULES: usize = 2_000;
/// Longest name of a rule in a mask.
const MAX_ID: usize = 64;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct File {
    #[serde(rename = "title")]
    _title: Option<String>,
    #[serde(rename = "description")]
    _description: Option<String>,
    #[serde(rename = "minVersion")]
    _min_version: Option<String>,
    extend: Option<Extend>,
    #[serde(default)]
    rules: Vec<FileRule>,
    allowlist: Option<FileAllowlist>,
    #[serde(default)]
    allowlists: Vec<FileAllowlist>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Extend {
    #[serde(rename = "useDefault")]
    _use_default: Option<bool>,
    path: Option<String>,
    url: Option<String>,
    #[serde(default)]
    disabled_rules: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FileRule {
    id: String,
    regex: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    entropy: f64,
    #[serde(default)]
    secret_group: usize,
    path: Option<String>,
    allowlist: Option<FileAllowlist>,
    #[serde(default)]
    allowlists: Vec<FileAllowlist>,
    #[serde(default)]
    skip_report: bool,
    #[serde(default)]
    required: Vec<toml::Table>,
    #[serde(rename = "description")]
    _description: Option<String>,
    #[serde(default, rename = "tags")]
    _tags: Vec<String>,
    #[serde(default)]
    positive: Vec<String>,
    #[serde(default)]
    negative: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FileAllowlist {
    condition: Option<String>,
    regex_target: Option<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    regexes: Vec<String>,
    #[serde(default)]
    stopwords: Vec<String>,
    #[serde(default)]
    commits: Vec<String>,
    #[serde(default)]
    target_rules: Vec<String>,
    #[serde(rename = "description")]
    _description: Option<String>,
}

/// Reads the rules of the file `name`; patterns are compiled when first asked.
pub(super) fn parse(toml: &str, name: &str) -> Result<Rules> {
    let bad = |message: String| Error::new(ErrorKind::BadInput, format!("rules of redaction in {name}: {message}"));
    if toml.len() > MAX_FILE {
        return Err(bad(format!("the file has {} bytes, at most {MAX_FILE} are read; split or shorten it", toml.len())));
    }
    let file: File = toml::from_str(toml).map_err(|error| {
        let line = error.span().map_or(0, |span| toml[..span.start.min(toml.len())].matches('\n').count() + 1);
        bad(format!("line {line}: {}", error.message()))
    })?;
    if file.rules.len() > MAX_RULES {
        return Err(bad(format!(
            "{} rules, at most {MAX_RULES} are read; leave out what the built-in rules find",
            file.rules.len()
        )));
    }
    let mut notes = Vec::new();
    if let Some(extend) = &file.extend {
        if let Some(other) = extend.path.as_ref().or(extend.url.as_ref()) {
            return Err(bad(format!("extend: {other} is not read; put all rules into one file")));
        }
        if !extend.disabled_rules.is_empty() {
            notes.push("extend.disabledRules is passed over: the built-in rules always apply".to_owned());
        }
    }
    let mut rules = Vec::with_capacity(file.rules.len());
    for rule in file.rules {
        let id = rule.id.clone();
        rules.push(rule.read(&mut notes).map_err(|message| bad(format!("rule {id}: {message}")))?);
    }
    let globals: Vec<FileAllowlist> = file.allowlist.into_iter().chain(file.allowlists).collect();
    if !globals.is_empty() {
        notes.push("allowlists of the whole file apply to its own rules, never to the built-in ones".to_owned());
    }
    for list in globals {
        let targets = list.target_rules.clone();
        if let Some(unknown) = targets.iter().find(|id| !rules.iter().any(|rule: &Rule| rule.id == **id)) {
            return Err(bad(format!("allowlist: targetRules names {unknown}, which is not a rule of this file")));
        }
        let list = std::sync::Arc::new(list.read(&mut notes).map_err(|message| bad(format!("allowlist: {message}")))?);
        for rule in rules.iter_mut().filter(|rule| targets.is_empty() || targets.contains(&rule.id)) {
            rule.allowlists.push(std::sync::Arc::clone(&list));
        }
    }
    notes.sort();
    notes.dedup();
    Rules::new(rules, notes, xxhash_rust::xxh3::xxh3_64(toml.as_bytes()))
        .map_err(|error| bad(format!("the keywords are too many: {error}")))
}

impl Rules {
    /// Reads a user's rules from the TOML text of the file `name`: the layout of Gitleaks, with every pattern compiled.
    ///
    /// # Errors
    /// Says which rule or line cannot be read and why: an unknown key, a pattern that does not compile or is too large, too many rules.
    pub fn parse(toml: &str, name: &str) -> Result<Self> {
        let rules = parse(toml, name)?;
        for rule in &rules.list {
            let lists = rule.allowlists.iter().flat_map(|list| list.paths.iter().chain(&list.regexes));
            for pattern in rule.regex.iter().chain(&rule.path).chain(lists) {
                pattern.checked().map_err(|error| {
                    let message = format!("rules of redaction in {name}: rule {}: {}", rule.id, reason(&error));
                    Error::new(ErrorKind::BadInput, message)
                })?;
            }
            if let Some(regex) = rule.regex.as_ref().and_then(Pattern::get)
                && rule.secret_group >= regex.captures_len()
            {
                let message = format!("rules of redaction in {name}: rule {}: it has no group {}", rule.id, rule.secret_group);
                return Err(Error::new(ErrorKind::BadInput, message));
            }
        }
        Ok(rules)
    }
}

impl FileRule {
    fn read(self, notes: &mut Vec<String>) -> std::result::Result<Rule, String> {
        if self.regex.is_none() && self.path.is_none() {
            return Err("it has neither regex nor path; give it one".to_owned());
        }
        if !self.required.is_empty() {
            notes.push(format!("rule {}: required is passed over, so it masks each of its own finds", self.id));
        }
        if self.skip_report {
            notes.push(format!("rule {}: skipReport is passed over, so it masks its finds", self.id));
        }
        let mut allowlists = Vec::new();
        for list in self.allowlist.into_iter().chain(self.allowlists) {
            allowlists.push(std::sync::Arc::new(list.read(notes)?));
        }
        Ok(Rule {
            // Spans outlive any set of rules, so the name does, too; files of rules are few.
            kind: String::leak(kind(&self.id)),
            id: self.id,
            regex: self.regex.map(Pattern::from),
            keywords: self.keywords,
            entropy: self.entropy,
            secret_group: self.secret_group,
            path: self.path.map(Pattern::from),
            allowlists,
            positive: self.positive,
            negative: self.negative,
        })
    }
}

impl FileAllowlist {
    fn read(self, notes: &mut Vec<String>) -> std::result::Result<Allowlist, String> {
        let condition = match self.condition.as_deref().map(str::to_ascii_uppercase).as_deref() {
            None | Some("OR" | "||") => Condition::Or,
            Some("AND" | "&&") => Condition::And,
            Some(other) => return Err(format!("condition {other} is neither OR nor AND")),
        };
        let target = match self.regex_target.as_deref() {
            None | Some("" | "secret") => Target::Secret,
            Some("match") => Target::Match,
            Some("line") => Target::Line,
            Some(other) => return Err(format!("regexTarget is {other}; it must be secret, match or line")),
        };
        if !self.commits.is_empty() {
            notes.push("allowlist: commits is passed over, as text is masked wherever it stands".to_owned());
            if condition == Condition::And {
                return Err("commits together with condition AND cannot hold; leave out commits".to_owned());
            }
        }
        Ok(Allowlist {
            condition,
            target,
            paths: self.paths.into_iter().map(Pattern::from).collect(),
            regexes: self.regexes.into_iter().map(Pattern::from).collect(),
            stopwords: self.stopwords.into_iter().map(|word| word.to_ascii_lowercase()).collect(),
        })
    }
}

/// A rule's name in kebab case, as masks show it.
fn kind(id: &str) -> String {
    let mut kind: String =
        id.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).take(MAX_ID).collect();
    if kind.is_empty() {
        kind.push_str("rule");
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::{MAX_FILE, MAX_RULES};
    use crate::known_secrets::KnownSecrets;
    use crate::mask::apply;
    use crate::redactor::Redactor;
    use crate::rules::Rules;
    use crate::span::MaskSpan;

    fn masked(rules: &str, name: &str, text: &str) -> String {
        let redactor = Redactor::with(Rules::parse(rules, "own.toml").expect("the rules are read"));
        let spans: Vec<MaskSpan> = redactor.find(&KnownSecrets::default(), name, text.as_bytes());
        String::from_utf8(apply(text.as_bytes(), &spans)).expect("masks lie between characters")
    }

    const OWN: &str = r##"
        title = "own"
        [extend]
        useDefault = true
        disabledRules = ["github-token"]
        [allowlist]
        description = "of the whole file"
        regexes = ["own_fine.*"]
        paths = ["^vendor/"]
        [[allowlists]]
        targetRules = ["Own Token"]
        stopwords = ["dummy"]
        [[rules]]
        id = "Own Token"
        description = "passed over"
        regex = "(own_)([a-z0-9]{8})"
        secretGroup = 2
        entropy = 2.0
        keywords = ["OWN_"]
        tags = ["a"]
        [rules.allowlist]
        condition = "AND"
        regexTarget = "line"
        regexes = ["# fine"]
        stopwords = ["abcd"]
        [[rules]]
        id = "own-file"
        path = '\.ownkey$'
    "##;

    #[test]
    fn the_layout_of_the_other_tool_is_read() {
        for (name, text, expected) in [
            ("a.txt", "own_ab12cd34", "own_[REDACTED:own-token]"),
            ("a.txt", "own_aaaaaaaa", "own_aaaaaaaa"),
            ("a.txt", "own_abcd1234 # fine", "own_abcd1234 # fine"),
            ("a.txt", "own_abcd1234", "own_[REDACTED:own-token]"),
            ("a.txt", "own_dummy123", "own_dummy123"),
            ("vendor/a.txt", "own_ab12cd34", "own_ab12cd34"),
            ("b.ownkey", "all of\nit", "[REDACTED:own-file]\n"),
        ] {
            assert_eq!(masked(OWN, name, text), expected, "{name}: {text}");
        }
    }

    #[test]
    fn a_users_file_takes_nothing_from_the_built_in_rules() {
        let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
        let all = "[allowlist]\nregexes = ['.*']\npaths = ['.*']\n[extend]\ndisabledRules = ['github-token']\n";
        assert_eq!(masked(all, "a.txt", &token), "[REDACTED:github-token]");
        let notes = Rules::parse(OWN, "own.toml").expect("the rules are read").notes().join("; ");
        assert!(notes.contains("disabledRules is passed over") && notes.contains("never to the built-in ones"), "{notes}");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_name() {
        let rule = |fields: &str| format!("[[rules]]\nid = 'x'\n{fields}\n");
        for (toml, expected) in [
            (rule("regex = '('"), "rule x: its pattern cannot be read: unclosed group"),
            (rule("regex = '[a-z]{1000}{1000}{10}'"), "rule x: its pattern is larger than 10485760 bytes"),
            (rule("regex = 'a'\nsecretGroup = 3"), "rule x: it has no group 3"),
            (rule("regex = 'a'\nregexp = 'b'"), "line 4: unknown field `regexp`"),
            (rule(""), "rule x: it has neither regex nor path"),
            (rule("regex = 'a'\n[[rules.allowlists]]\ncondition = 'XOR'"), "rule x: condition XOR is neither"),
            (rule("regex = 'a'\n[[rules.allowlists]]\nregexTarget = 'file'"), "rule x: regexTarget is file; it must be"),
            ("[extend]\npath = 'b.toml'".to_owned(), "extend: b.toml is not read"),
            ("[[allowlists]]\ntargetRules = ['y']".to_owned(), "targetRules names y"),
            ("rules = 1".to_owned(), "line 1: "),
            (rule("regex = 'a'").repeat(MAX_RULES + 1), "2001 rules, at most 2000"),
            (" ".repeat(MAX_FILE + 1), "the file has 1048577 bytes"),
        ] {
            let error = Rules::parse(&toml, "own.toml").err().expect("it is refused").to_string();
            assert!(error.starts_with("rules of redaction in own.toml: ") && error.contains(expected), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn every_set_of_rules_has_its_version() {
        let version = |toml: &str| Redactor::with(Rules::parse(toml, "own.toml").expect("the rules are read")).version();
        assert_ne!(version(OWN), version(""));
        assert_ne!(version(""), Redactor::built_in().version());
        assert_eq!(version(OWN), version(OWN));
    }
}
