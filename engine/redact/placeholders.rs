//! Knows the words that documentation writes where a secret would stand: `your-api-key-here`, `changeme`, `example`.
//!
//! A value made of such words alone is not a secret. Must not know names: one with a digit or sign may still be a weak password.

/// Longest value looked at; no placeholder is longer.
const MAX_MADE_UP: usize = 64;

/// Words of placeholders, of labels for a password in other languages, and accounts that every manual uses.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "a", "abc", "access", "account", "actual", "add", "adgangskode", "admin", "administrator", "again", "alice", "an", "and",
    "anon", "another", "any", "anything", "api", "app", "application", "arg", "args", "auth", "authentication", "authorization",
    "bad", "bar", "basic", "baz", "bearer", "bob", "bogus", "bot", "by", "cert", "change", "changed", "changeit", "client",
    "code", "confirm", "confirmation", "correct", "credential", "credentials", "current", "custom", "database", "db", "default",
    "demo", "dev", "development", "different", "disabled", "do", "docker", "doe", "does", "dummy", "eggs", "email", "empty",
    "enabled", "encrypted", "encryption", "enter", "env", "error", "example", "existing", "expired", "fake", "false", "field",
    "fill", "first", "fixme", "foo", "for", "forgot", "from", "ftp", "generate", "generated", "geslo", "get", "github", "go",
    "goes", "good", "guest", "gui", "hash", "hashed", "hashing", "haslo", "hello", "here", "heslo", "hidden", "hide", "hint",
    "host", "id", "illegal", "imap", "in", "incorrect", "input", "insecure", "insert", "interactive", "invalid", "is", "it",
    "jane", "jelszo", "john", "jwt", "kennwort", "key", "label", "ldap", "length", "letmein", "literal", "local", "localhost",
    "login", "long", "losenord", "lozinka", "mail", "managed", "manager", "masked", "master", "me", "min", "minimum", "mismatch",
    "missing", "mock", "mongo", "mongodb", "monkey", "must", "my", "mysql", "name", "new", "nil", "no", "none", "not", "null",
    "oauth", "of", "old", "omitted", "on", "one", "only", "optional", "or", "oracle", "other", "own", "parola", "parole", "pass",
    "passcode", "passord", "passphrase", "passwd", "password", "passwords", "passwort", "placeholder", "plain", "please",
    "policy", "port", "postgres", "postgresql", "private", "prod", "production", "prompt", "protected", "provided", "proxy",
    "public", "put", "pw", "pwd", "quux", "qux", "rabbitmq", "random", "read", "real", "recovery", "redacted", "redis", "ref",
    "refresh", "removed", "repeat", "replace", "replaced", "required", "reset", "root", "sa", "salasana", "same", "sample",
    "sandbox", "second", "secret", "secrets", "secure", "security", "senha", "server", "service", "session", "set", "shared",
    "should", "show", "sign", "signing", "site", "smtp", "some", "something", "spam", "staging", "stdin", "strength", "strict",
    "string", "strong", "subject", "super", "supersecret", "temp", "temporary", "test", "tester", "testing", "tests", "text",
    "that", "the", "this", "three", "time", "tmp", "to", "todo", "token", "tokens", "topsecret", "true", "two", "type",
    "undefined", "unknown", "unset", "update", "use", "user", "username", "users", "valid", "value", "values", "var", "variable",
    "verification", "very", "wachtwoord", "webhook", "with", "world", "wrong", "xxx", "xyz", "you", "your", "yours",
];

/// Whether a word in small letters is one of them.
pub(super) fn is_word(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| WORDS.binary_search(&word).is_ok())
}

/// Whether a value is nothing but words of placeholders, in any case, with separators or without.
pub(super) fn is_made_up(value: &[u8]) -> bool {
    if value.len() > MAX_MADE_UP {
        return false;
    }
    // `...`, `xxxx-xxxx`, `YOUR_KEY...`: dots and crosses alone say nothing.
    let mut parts = value.split(|b| !b.is_ascii_alphabetic()).filter(|part| !part.is_empty());
    let is_plain = value
        .iter()
        .all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_' | b'.' | b' ' | b'*' | b'<' | b'>' | b'\'' | b'[' | b']'));
    is_plain && parts.all(|part| part.iter().all(|b| b.eq_ignore_ascii_case(&b'x')) || is_composed(part))
}

/// Whether letters can be cut into words of the list.
fn is_composed(letters: &[u8]) -> bool {
    let lower = letters.to_ascii_lowercase();
    let mut reaches = vec![false; lower.len() + 1];
    reaches[0] = true;
    for start in 0..lower.len() {
        if !reaches[start] {
            continue;
        }
        for word in WORDS {
            if lower[start..].starts_with(word.as_bytes()) {
                reaches[start + word.len()] = true;
            }
        }
    }
    reaches[lower.len()]
}

#[cfg(test)]
mod tests {
    use super::{WORDS, is_made_up};

    #[test]
    fn placeholders_are_words_of_the_list_alone() {
        assert!(WORDS.is_sorted());
        for text in "your-private-key YOUR_API_KEY_HERE changeme change-me mysecretpassword supersecret insert-token-here example xxxx-xxxx \
             <YOUR_TOKEN> postgres PasswordRequired ... todo"
            .split_whitespace()
        {
            assert!(is_made_up(text.as_bytes()), "{text}");
        }
        for text in "swordfish changeme1 hunter2 correct-horse-battery-staple admin123 Thursday".split_whitespace() {
            assert!(!is_made_up(text.as_bytes()), "{text}");
        }
    }
}
