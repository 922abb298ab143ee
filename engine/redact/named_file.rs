//! Finds the values of files that are secret by their name: environment files, password files, key files.
//!
//! Every value goes, every key stays, whatever the value looks like. Must not know other files: what they hold is found by
//! [`super::assigned`] and [`super::rules`].

use super::assigned;
use super::judge::{How, is_secret};
use super::name::{self, Class};
use super::span::MaskSpan;
use super::value::is_stand_in;
use regex::bytes::{Regex, RegexBuilder};
use std::sync::LazyLock;

/// How a secret file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// `KEY=value` lines and nothing else: what is neither key nor comment is value.
    Environment,
    /// `export KEY=value` among commands.
    Shell,
    /// Words, of which those after `login`, `password` and `account` are secret.
    Netrc,
    /// Fields between colons; the one at this index is secret, and those after it where `to_end`.
    Fields { index: usize, to_end: bool },
    /// Words of a line; the one at this index is secret.
    Words { index: usize },
    /// One URL a line, its user part secret.
    Urls,
    /// Names and values in INI, YAML, TOML, JSON or HCL; a value is secret by its name.
    Settings,
    /// Lines of a service, of each what stands behind a word or a user.
    Service,
    /// Nothing but a secret.
    Whole,
}

/// Adds the values of `text` if the file `name` is known to hold secrets.
pub(super) fn find(name: &str, text: &[u8], spans: &mut Vec<MaskSpan>) {
    let Some(format) = format(name).or_else(|| holds_one(name, text).then_some(Format::Whole)) else { return };
    let mut add = |start: usize, end: usize| {
        let value = text[start..end].trim_ascii_end();
        let indent = value.len() - value.trim_ascii_start().len();
        let kind = if matches!(format, Format::Environment | Format::Shell) { "env-value" } else { "credential" };
        spans.push(MaskSpan { start: start + indent, end: start + value.len(), kind });
    };
    match format {
        Format::Environment => environment(text, true, &mut add),
        Format::Shell => environment(text, false, &mut add),
        Format::Netrc => netrc(text, &mut add),
        Format::Fields { index, to_end } => fields(text, index, to_end, &mut add),
        Format::Words { index } => words(text, index, &mut add),
        Format::Urls => urls(text, &mut add),
        Format::Service => {
            for found in SERVICE.captures_iter(text).filter_map(|groups| groups.get(1)) {
                if !is_stand_in(found.as_bytes()) {
                    add(found.start(), found.end());
                }
            }
        }
        Format::Settings => assigned::find_credentials(text, spans),
        Format::Whole => add(0, text.len()),
    }
}

/// What stands before a secret in files of services: `"user" "…"` (pgbouncer), `user = "a:…"` (curl), `host user:…` (Postfix), communities (SNMP),
/// `: PSK "…"` (VPN keys), `user a >…` (Redis), `a:{PLAIN}…` (Dovecot), `password 7 …` (routers).
static SERVICE: LazyLock<Regex> = LazyLock::new(|| {
    let before = [
        r#"^"[^"\n]{1,64}"\s{1,4}""#,
        r#"^\s{0,4}-{0,2}(?:proxy-)?user\s{0,3}[=: ]\s{0,3}"?[^\s:"\n]{1,64}:"#,
        r"^[^\s#]\S{0,127}\s{1,8}[^\s:\n]{1,128}:",
        r"^\s{0,4}r[ow]community6?\s{1,8}",
        r#"\bcreateUser\s{1,4}\S{1,64}\s{1,4}\S{2,8}\s{1,4}""#,
        r#":\s{0,4}(?:PSK|XAUTH|EAP|NTLM|PIN)\s{1,4}""#,
        r"^\s{0,4}user\s{1,4}\S{1,64}\s[^\n]{0,80}?>",
        r"^[^:\n]{1,64}:\{(?:PLAIN|CLEAR|CLEARTEXT)\}",
        r"\b(?:password|secret|md5|key)\s{1,4}[0579]\s{1,4}",
        r"\bsnmp-server\s{1,4}community\s{1,4}",
        r"^\s{0,4}(?:masterauth|requirepass)\s{1,4}",
        r#"\suser(?:name)?\s{1,4}\S{1,80}\s[^\n]{0,60}?pass(?:word)?\s{1,4}""#,
        r"\suser(?:name)?\s{1,4}\S{1,80}\s[^\n]{0,60}?pass(?:word)?\s{1,4}",
    ];
    let pattern = format!(r#"(?m)(?:{})([^\s":]{{6,128}})"#, before.join("|"));
    RegexBuilder::new(&pattern).unicode(false).build().expect("a pattern")
});

/// Endings of files that hold one secret and nothing else, or none.
const ONE: [&str; 7] = ["", "txt", "key", "secret", "token", "password", "cookie"];
/// Characters of such a secret.
const ONE_LENGTH: std::ops::RangeInclusive<usize> = 8..=4_096;

/// Whether a file holds one word and is named after a secret, as Docker and systemd have them: `secrets/db_password.txt`, `.github_token`.
fn holds_one(path: &str, text: &[u8]) -> bool {
    let value = text.trim_ascii();
    if !ONE_LENGTH.contains(&value.len()) || value.iter().any(u8::is_ascii_whitespace) {
        return false;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, extension) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""));
    let is_secret_name = |name: &str| matches!(name::class(name.as_bytes()), Some(Class::Password | Class::Token));
    let is_named =
        is_secret_name(stem) || is_secret_name(name) || stem.ends_with(".cookie") || matches!(name, ".cookie" | ".erlang.cookie");
    let is_among = folder.rsplit('/').next() == Some("secrets");
    ONE.contains(&extension.to_ascii_lowercase().as_str())
        && (is_named || is_among)
        && is_secret(value, Class::Password, How::Setting)
}

/// Parts of a name that say its values are made up.
const TEMPLATES: [&str; 6] = ["example", "sample", "template", "dist", "tmpl", "tpl"];

fn format(path: &str) -> Option<Format> {
    let path = path.to_ascii_lowercase();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    if name.split(['.', '-', '_']).any(|part| TEMPLATES.contains(&part)) {
        return None;
    }
    let folder = folder.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    Some(match name {
        ".envrc" => Format::Shell,
        ".env" | ".flaskenv" | ".dev.vars" | ".secrets" => Format::Environment,
        _ if name.starts_with(".env.") || name.starts_with(".env-") || name.starts_with(".env_") || extension == "env" => {
            Format::Environment
        }
        ".netrc" | "_netrc" => Format::Netrc,
        ".pgpass" | "pgpass.conf" => Format::Fields { index: 4, to_end: true },
        ".htpasswd" | "shadow" | "gshadow" | "rsyncd.secrets" | "passwd.client" => Format::Fields { index: 1, to_end: false },
        "chap-secrets" | "pap-secrets" => Format::Words { index: 2 },
        "pam_radius_auth.conf" => Format::Words { index: 1 },
        ".fetchmailrc" | "fetchmailrc" | "userlist.txt" | ".curlrc" | "_curlrc" | "curlrc" | "sasl_passwd" | "snmpd.conf"
        | "snmp.conf" | "ipsec.secrets" | "users.acl" | "redis.conf" | "dovecot.passwd" | "dovecot-users" => Format::Service,
        "users" | "passwd" if folder.contains("dovecot") || folder.contains("mail") => Format::Service,
        _ if extension == "ios" || name.ends_with("running-config") => Format::Service,
        _ if name.starts_with("cisco") && matches!(extension, "" | "cfg" | "conf" | "txt" | "log") => Format::Service,
        ".google_authenticator" => Format::Words { index: 0 },
        ".git-credentials" => Format::Urls,
        "master.key" | ".vault-token" | ".vault_pass" | ".vault_pass.txt" => Format::Whole,
        _ if folder == "credentials" && extension == "key" => Format::Whole,
        ".npmrc"
        | ".yarnrc.yml"
        | ".pypirc"
        | ".my.cnf"
        | ".s3cfg"
        | ".boto"
        | "rclone.conf"
        | ".dockercfg"
        | "kubeconfig"
        | "credentials"
        | "credentials.toml"
        | "credentials.json"
        | "credentials.yml"
        | "credentials.yaml"
        | "secrets.toml"
        | "secrets.json"
        | "secrets.yml"
        | "secrets.yaml"
        | "credentials.tfrc.json"
        | ".terraformrc"
        | "auth.json"
        | ".mylogin.cnf"
        | "kaggle.json"
        | ".pgservice.conf"
        | ".pg_service.conf" => Format::Settings,
        "config" if matches!(folder, ".aws" | ".kube") => Format::Settings,
        "config.json" | ".dockerconfigjson" if folder == ".docker" || name.starts_with('.') => Format::Settings,
        _ if matches!(extension, "tfvars" | "tfstate" | "kubeconfig") => Format::Settings,
        _ if name.ends_with(".tfvars.json") || name.ends_with(".tfstate.backup") => Format::Settings,
        _ => return None,
    })
}

/// Walks `KEY=value` lines; `strict` also takes every line that is neither that nor a comment.
fn environment(text: &[u8], strict: bool, add: &mut impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < text.len() {
        let end = line_end(text, at);
        let mut start = skip_blanks(text, at, end);
        let is_comment = text[start..end].starts_with(b"#");
        if is_comment {
            let hashes = text[start..end].iter().take_while(|b| **b == b'#').count();
            start = skip_blanks(text, start + hashes, end);
        }
        if let Some(rest) = text[start..end].strip_prefix(b"export ") {
            start = skip_blanks(text, end - rest.len(), end);
        }
        let value = value_start(text, start, end);
        at = match value {
            // A setting that is commented out is one line; prose with a colon in it is not a setting.
            Some(value) if is_comment => {
                if text[start..value].contains(&b'=') {
                    add(value, end);
                }
                end + 1
            }
            Some(value) => {
                let value_end = environment_value(text, value, end);
                add(value, value_end);
                line_end(text, value_end) + 1
            }
            None => {
                if strict && !is_comment && !is_name(&text[start..end]) {
                    add(start, end);
                }
                end + 1
            }
        };
    }
}

/// Whether a line holds the name of a setting and nothing else, as lists of them do.
fn is_name(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.contains(&b'_')
        && line.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
        && line[0].is_ascii_uppercase()
}

/// Where the value of a `KEY=value` or `KEY: value` line starts.
fn value_start(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let is_key = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    let key = text[start..end].iter().take_while(|b| is_key(b)).count();
    let sign = skip_blanks(text, start + key, end);
    (key > 0 && sign < end && matches!(text[sign], b'=' | b':')).then(|| skip_blanks(text, sign + 1, end))
}

/// Where a value ends that starts at `start`, on a line that ends at `end`. A quoted value can end lines further down.
fn environment_value(text: &[u8], start: usize, end: usize) -> usize {
    let unquoted_end = |from: usize| {
        let comment = text[from..end].windows(2).position(|pair| matches!(pair, b" #" | b"\t#"));
        comment.map_or(end, |comment| from + comment)
    };
    let Some(quote @ (b'"' | b'\'' | b'`')) = text.get(start).copied() else { return unquoted_end(start) };
    let mut close = start + 1;
    while close < text.len() && text[close] != quote {
        close += if text[close] == b'\\' && quote == b'"' { 2 } else { 1 };
    }
    #[cfg(test)]
    work::add(close - start);
    if close >= text.len() {
        return end;
    }
    // What follows a closed quote is part of the value, unless it is a comment.
    let end = line_end(text, close);
    let rest = skip_blanks(text, close + 1, end);
    if rest >= end || text[rest] == b'#' || text[rest] == b'\r' { close + 1 } else { end }
}

fn netrc(text: &[u8], add: &mut impl FnMut(usize, usize)) {
    let mut is_secret = false;
    let mut at = 0;
    while at < text.len() {
        at += text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let length = text[at..].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        let word = &text[at..at + length];
        if is_secret {
            add(at, at + length);
        }
        is_secret = !is_secret && matches!(word, b"login" | b"password" | b"account");
        at += length;
    }
}

fn fields(text: &[u8], index: usize, to_end: bool, add: &mut impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < text.len() {
        let end = line_end(text, at);
        let line = &text[at..end];
        if !line.starts_with(b"#") {
            let colons = line.iter().enumerate().filter(|(i, b)| **b == b':' && (*i == 0 || line[i - 1] != b'\\'));
            let mut ends = colons.map(|(i, _)| at + i).chain(std::iter::once(end)).skip(index - 1);
            if let (Some(start), Some(close)) = (ends.next(), ends.next()) {
                add(start + 1, if to_end { end } else { close });
            }
        }
        at = end + 1;
    }
}

fn words(text: &[u8], index: usize, add: &mut impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < text.len() {
        let end = line_end(text, at);
        let mut start = skip_blanks(text, at, end);
        for _ in 0..index {
            start += text[start..end].iter().take_while(|b| !b.is_ascii_whitespace()).count();
            start = skip_blanks(text, start, end);
        }
        let length = text[start..end].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        if !text[at..end].trim_ascii_start().starts_with(b"#") {
            add(start, start + length);
        }
        at = end + 1;
    }
}

fn urls(text: &[u8], add: &mut impl FnMut(usize, usize)) {
    let mut at = 0;
    while at < text.len() {
        let end = line_end(text, at);
        let line = &text[at..end];
        let user = line.windows(3).position(|window| window == b"://").map(|scheme| scheme + 3);
        if let (Some(user), Some(host)) = (user, line.iter().rposition(|b| *b == b'@'))
            && user < host
        {
            add(at + user, at + host);
        }
        at = end + 1;
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    text[at..].iter().position(|b| *b == b'\n').map_or(text.len(), |length| at + length)
}

fn skip_blanks(text: &[u8], at: usize, end: usize) -> usize {
    at + text[at..end].iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}
