//! Tells passphrases, words in a row that people learn by heart, from names of code and from sentences.

use super::placeholders;

/// Words of a passphrase, and letters of each: those of lists that passphrases are drawn from have three to nine.
const WORDS: std::ops::RangeInclusive<usize> = 4..=16;
const LETTERS: std::ops::RangeInclusive<usize> = 3..=10;
const MIN_WORDS: usize = 3;
/// What stands between the words.
const SEPARATORS: &[u8] = b" -_.,+/:;#*~";

/// Words that names of code and sentences are made of, besides those of placeholders. A passphrase has few of them.
#[rustfmt::skip]
const COMMON: &[&str] = &[
    "about", "accepted", "action", "active", "after", "agent", "alert", "all", "allow", "allowed", "already", "also", "android",
    "annotation", "answer", "are", "array", "asset", "assets", "async", "at", "attribute", "aws", "azure", "backend", "background",
    "backup", "base", "based", "batch", "be", "been", "before", "being", "between", "binary", "binding", "block", "body", "bool",
    "boolean", "both", "bottom", "branch", "browser", "bucket", "buffer", "bug", "build", "builder", "but", "button", "byte",
    "bytes", "cache", "call", "callback", "can", "cannot", "card", "case", "certificate", "channel", "character", "characters",
    "chart", "check", "checks", "child", "class", "click", "close", "cloud", "cluster", "column", "com", "command", "comment",
    "commit", "common", "component", "config", "configuration", "connect", "connection", "console", "constant", "consumer",
    "contain", "container", "contains", "content", "context", "controller", "cookie", "copy", "core", "could", "count", "create",
    "created", "css", "dashboard", "data", "date", "debug", "decode", "delete", "deploy", "deployment", "description", "device",
    "dialog", "digest", "dir", "directory", "disable", "display", "docs", "document", "does", "domain", "done", "down", "download",
    "driver", "each", "edit", "element", "else", "enable", "encode", "encrypt", "end", "endpoint", "engine", "entity", "entry",
    "enum", "environment", "event", "every", "execute", "export", "expression", "external", "factory", "failed", "failure",
    "feature", "fetch", "fields", "file", "files", "filter", "find", "flag", "folder", "font", "footer", "format", "forms",
    "found", "frame", "framework", "frontend", "function", "gateway", "global", "google", "graph", "grid", "group", "groups",
    "handle", "handler", "has", "have", "header", "headers", "heading", "health", "height", "helm", "help", "helper", "home", "hook",
    "html", "http", "https", "icon", "identity", "image", "images", "import", "include", "index", "info", "information", "init",
    "instance", "int", "integer", "internal", "into", "item", "items", "its", "java", "javascript", "job", "json", "keys",
    "kubernetes", "lambda", "language", "last", "layer", "layout", "least", "left", "length", "less", "level", "lib", "library",
    "limit", "line", "lines", "link", "links", "list", "listen", "load", "loader", "location", "lock", "log", "logger", "loop",
    "main", "make", "map", "mapping", "markdown", "match", "max", "may", "media", "member", "memory", "menu", "merge", "message",
    "messages", "meta", "metadata", "method", "metrics", "might", "mode", "model", "module", "monitor", "more", "most", "move",
    "multiple", "namespace", "native", "need", "net", "network", "never", "next", "node", "nodes", "notification", "number",
    "object", "open", "operation", "operator", "option", "options", "order", "org", "organization", "out", "output", "over",
    "package", "page", "panel", "param", "parameter", "parent", "parse", "parser", "part", "path", "pattern", "payload", "per",
    "permission", "ping", "pipeline", "platform", "plugin", "pod", "point", "policies", "pool", "position", "post", "prefix",
    "present", "previous", "primary", "print", "priority", "process", "processor", "product", "profile", "program", "project",
    "properties", "property", "protocol", "provider", "publish", "pull", "push", "query", "queue", "range", "rate", "reader",
    "receive", "record", "refs", "region", "register", "release", "remote", "remove", "render", "report", "repository", "request",
    "requests", "require", "resolve", "resource", "resources", "response", "rest", "result", "results", "retry", "return", "right",
    "role", "router", "row", "rule", "rules", "run", "runner", "runtime", "save", "scan", "schedule", "schema", "scope", "script",
    "search", "section", "select", "send", "sender", "separate", "setting", "settings", "setup", "shall", "side", "single", "size",
    "socket", "sort", "source", "spec", "sql", "src", "stack", "start", "state", "status", "step", "stop", "storage", "store",
    "stream", "style", "success", "suffix", "support", "switch", "sync", "syntax", "system", "table", "tag", "target", "task",
    "team", "template", "terraform", "than", "theme", "then", "there", "these", "thread", "through", "title", "tls", "toggle",
    "too", "tool", "tools", "top", "track", "transaction", "transform", "trigger", "try", "typescript", "under", "unit", "until",
    "upload", "url", "used", "using", "util", "utils", "validate", "validation", "vault", "vendor", "version", "view", "virtual",
    "void", "volume", "wait", "was", "watch", "web", "were", "when", "where", "which", "while", "widget", "will", "window", "work",
    "worker", "would", "wrapper", "write", "writer", "xml", "yaml", "zone",
];

/// Words of sentences. Lists of words for passphrases have one or the other of them.
const OF_SENTENCES: [&[u8]; 10] = [b"the", b"your", b"you", b"for", b"from", b"with", b"and", b"see", b"ask", b"this"];
/// So many of them make a sentence, unless a value has as many words as the seed of a wallet.
const OF_ONE_SENTENCE: usize = 2;
const MIN_SEED: usize = 12;

/// Whether words are those of a sentence.
pub(super) fn is_sentence<'a>(words: impl Iterator<Item = &'a [u8]>) -> bool {
    let (mut n_words, mut n_found) = (0, 0);
    for word in words {
        n_words += 1;
        n_found += usize::from(OF_SENTENCES.contains(&word));
    }
    n_found >= OF_ONE_SENTENCE && n_words < MIN_SEED
}

/// Whether a value is a passphrase: words with one separator between them, each in the same way small, with a capital or in capitals, perhaps
/// with a number. `is_password` says that its name promises what a person chose; then half of the words may be common ones, else one in four.
pub(super) fn is_phrase(value: &[u8], is_password: bool) -> bool {
    let Some(separator) = value.iter().find(|b| SEPARATORS.contains(b)) else { return false };
    let mut n_words = 0;
    let mut n_common = 0;
    let mut n_of_sentences = 0;
    let mut n_numbers = 0;
    let mut form = None;
    for part in value.split(|b| b == separator) {
        let letters = part.len() - part.iter().rev().take_while(|b| b.is_ascii_digit() || b"!?".contains(b)).count();
        let leading = part[..letters].iter().take_while(|b| b.is_ascii_digit()).count();
        let word = &part[leading..letters];
        if word.is_empty() && !part.is_empty() {
            // A number between words.
            n_numbers += usize::from(part.len() > 1);
            continue;
        }
        let is_small = word.iter().all(u8::is_ascii_lowercase);
        let is_title = word.first().is_some_and(u8::is_ascii_uppercase) && word[1..].iter().all(u8::is_ascii_lowercase);
        let is_capital = word.iter().all(u8::is_ascii_uppercase);
        let here = (is_small, is_title, is_capital);
        if !LETTERS.contains(&word.len()) || here == (false, false, false) || *form.get_or_insert(here) != here {
            return false;
        }
        n_words += 1;
        n_of_sentences += usize::from(OF_SENTENCES.contains(&word));
        n_common += usize::from(OF_SENTENCES.contains(&word) || is_common(&word.to_ascii_lowercase()));
    }
    let common_share = if is_password { 2 } else { 4 };
    // A number stands for a word where what it says is expected.
    let n_counted = n_words + usize::from(is_password && n_numbers > 0);
    if n_of_sentences >= OF_ONE_SENTENCE && n_words < MIN_SEED {
        return false;
    }
    WORDS.contains(&n_counted) && n_words >= MIN_WORDS && n_common * common_share <= n_words
}

fn is_common(word: &[u8]) -> bool {
    let is_known = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| COMMON.binary_search(&word).is_ok());
    is_known(word) || placeholders::is_word(word)
}

#[cfg(test)]
mod tests {
    use super::{COMMON, is_phrase};

    #[test]
    fn words_in_a_row_are_told_from_names_and_sentences() {
        assert!(COMMON.is_sorted());
        for text in [
            "blanket-doorbell-candle-saddle-tunnel",
            "copper walnut lantern meadow",
            "Tornado-Spider-Orchid-Trumpet42",
            "gmarket.orchid.harbor.pocket",
            "cactus_77_ribbon_desert_rocket",
        ] {
            assert!(is_phrase(text.as_bytes(), false), "{text}");
        }
        for text in [
            "my-service-account-token-name",
            "com.acme.billing.client.secret",
            "password must be eight characters",
            "enter the walnut here please",
            "copper-walnut-lantern",
            "copper-Walnut-lantern-meadow",
            "app.login.password.label",
            "sync-all-open-pull-requests",
        ] {
            assert!(!is_phrase(text.as_bytes(), true), "{text}");
        }
    }
}
