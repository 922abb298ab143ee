//! Says whether a name promises a secret: `db_password`, `clientSecret`, `X-Api-Key`, `AWSSECRETKEY`.
//!
//! Reads a name as words, so that `compass` is no `pass` and `monkey` no `key`.

/// What a name promises about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Chosen by a person: any text can be one.
    Password,
    /// As [`Self::Password`], but the name is also an ordinary word: `pass`, `pw`.
    WeakPassword,
    /// Drawn by a machine: must look it.
    Token,
    /// As [`Self::Token`], but what it is the key of says nothing: `forceFlushIntervalKey`.
    Key,
    /// As [`Self::Token`], but the name is one ordinary word: `key`, `auth`.
    WeakToken,
}

/// Words of one name read; longer names are generated.
const MAX_WORDS: usize = 24;

/// Ends of the last word of a password's name, in the languages met in settings.
pub(super) const PASSWORD_ENDS: [&str; 21] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "kennwort",
    "contrasena",
    "senha",
    "wachtwoord",
    "pwd",
    "passw",
    "mnemonic",
    "psk",
    "motdepasse",
    "heslo",
    "haslo",
    "losenord",
    "salasana",
    "adgangskode",
    "passord",
    "sifre",
];
/// What passwords are called where letters are not those of ASCII.
pub(super) const FOREIGN: [&str; 14] = [
    "contraseña",
    "пароль",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "hasło",
    "lösenord",
    "şifre",
    "jelszó",
    "סיסמה",
    "mật khẩu",
    "κωδικός",
];
/// What may stand before `pass` or `pw` in one word.
const SHORT_PREFIXES: [&str; 37] = [
    "db", "user", "admin", "root", "my", "auth", "key", "store", "require", "ssh", "smtp", "mail", "ftp", "http", "proxy", "pg",
    "sql", "mysql", "redis", "ldap", "bind", "sudo", "become", "login", "vault", "client", "server", "trust", "imap", "api",
    "app", "wifi", "wlan", "mqtt", "router", "ota", "secret",
];
/// Letters before `pass` in one word, and those that make a word of English or of graphics with it.
const MIN_PREFIX: usize = 3;
const PASSES: [&str; 26] = [
    "com", "encom", "tres", "sur", "over", "under", "render", "sub", "multi", "single", "first", "last", "second", "shader",
    "bloom", "effect", "shadow", "base", "compute", "depth", "light", "post", "low", "high", "band", "all",
];
/// Ends of the last word of a name whose value a machine draws.
const TOKEN_ENDS: [&str; 20] = [
    "token",
    "secret",
    "apikey",
    "appkey",
    "secretkey",
    "accesskey",
    "privatekey",
    "signingkey",
    "masterkey",
    "encryptionkey",
    "sharedkey",
    "accountkey",
    "authkey",
    "credential",
    "jwt",
    "pepper",
    "privkey",
    "nwkskey",
    "appskey",
    "nwkkey",
];
/// Last words that promise a secret only together with a word before them.
const WEAK_TOKENS: [&str; 6] = ["key", "auth", "pat", "salt", "bearer", "hmac"];
/// Words before `key` that promise a secret.
const KEYS: [&str; 24] = [
    "secret",
    "api",
    "access",
    "private",
    "signing",
    "sign",
    "encryption",
    "encrypt",
    "crypto",
    "cipher",
    "master",
    "auth",
    "app",
    "client",
    "account",
    "shared",
    "jwt",
    "session",
    "hmac",
    "aes",
    "license",
    "deploy",
    "security",
    "webhook",
];
/// What may follow the word that counts: `secret_key_base`, `TOKEN_PROD`.
const TAILS: [&str; 19] = [
    "base",
    "data",
    "value",
    "val",
    "prod",
    "production",
    "dev",
    "test",
    "staging",
    "live",
    "b64",
    "base64",
    "hex",
    "str",
    "plain",
    "old",
    "new",
    "encoded",
    "literal",
];
/// Parts that make a name harmless: its value is public or names something.
const HARMLESS: [&str; 33] = [
    "public",
    "pubkey",
    "sitekey",
    "publishable",
    "primarykey",
    "foreignkey",
    "sortkey",
    "partitionkey",
    "cachekey",
    "hashkey",
    "idempotency",
    "nexttoken",
    "pagetoken",
    "continuationtoken",
    "synctoken",
    "hostkey",
    "websocketkey",
    "objectkey",
    "s3key",
    "filekey",
    "blobkey",
    "rowkey",
    "storagekey",
    "querykey",
    "translationkey",
    "resourcekey",
    "ciphertext",
    "encryptedsecret",
    "cancellationtoken",
    "typetoken",
    "recvkey",
    "keyserver",
    "signedbykey",
];

/// What the name of a value promises; nothing for an ordinary name.
pub(super) fn class(name: &[u8]) -> Option<Class> {
    if !name.is_ascii() && is_foreign(name) {
        return Some(Class::Password);
    }
    let words = words(name);
    let bare: String = words.concat();
    if HARMLESS.iter().any(|part| bare.contains(part)) {
        return None;
    }
    let is_tail = |word: &String| {
        TAILS.contains(&word.as_str()) || word.strip_prefix('v').unwrap_or(word).bytes().all(|b| b.is_ascii_digit())
    };
    let n_words = words.iter().rposition(|word| !is_tail(word)).map_or(0, |last| last + 1);
    let (last, before) = words[..n_words].split_last()?;
    let last = singular(last);
    let after_known = |end: &str| last.strip_suffix(end).is_some_and(|prefix| SHORT_PREFIXES.contains(&prefix));
    let is_said = last == "mdp" || last == "passe" && bare.ends_with("motdepasse");
    if is_said || PASSWORD_ENDS.iter().any(|end| last.ends_with(end)) || after_known("pass") || after_known("pw") {
        return Some(Class::Password);
    }
    if bare.ends_with("presharedkey")
        || bare.ends_with("sharedsecret")
        || last == "authtok"
        || bare.ends_with("keymaterial")
        || bare.ends_with("erlangcookie")
    {
        return Some(Class::Password);
    }
    // `PASS_TO_PASS`: what passes, and not what lets one pass.
    if last == "pass" && before.last().is_some_and(|word| word == "to") {
        return None;
    }
    if matches!(last, "pass" | "pw" | "phrase") {
        let is_known = before
            .last()
            .is_some_and(|word| SHORT_PREFIXES.contains(&word.as_str()) || matches!(word.as_str(), "seed" | "recovery"));
        return if is_known { Some(Class::Password) } else { (last != "phrase").then_some(Class::WeakPassword) };
    }
    if last == "totp" && words.len() == 1 || bare.ends_with("claveapi") || bare.ends_with("apiclave") {
        return Some(Class::Token);
    }
    if TOKEN_ENDS.iter().any(|end| last.ends_with(end)) {
        return Some(Class::Token);
    }
    // `remotepass`, but no word of English and graphics.
    if last == "clave" || last.strip_suffix("pass").is_some_and(|prefix| prefix.len() >= MIN_PREFIX && !PASSES.contains(&prefix))
    {
        return Some(Class::WeakPassword);
    }
    let is_session = matches!(last, "sessionid" | "jsessionid" | "phpsessid" | "sessid")
        || last == "id" && before.last().is_some_and(|word| matches!(word.as_str(), "session" | "sess"));
    if is_session || WEAK_TOKENS.contains(&last) {
        let is_known = last != "key" || before.iter().any(|word| KEYS.contains(&word.as_str()));
        return Some(match before {
            [] if !is_session => Class::WeakToken,
            _ if is_known || is_session => Class::Token,
            _ => Class::Key,
        });
    }
    None
}

/// Whether a name ends with what a password is called in other scripts.
fn is_foreign(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_lowercase();
    FOREIGN.iter().any(|word| name.ends_with(word))
}

/// First words of functions that take a name or compare a value: `getPassword("…")` is given no password.
const QUESTIONS: [&str; 35] = [
    "encode", "get", "is", "has", "check", "validate", "verify", "parse", "find", "fetch", "load", "read", "decode", "assert",
    "expect", "compare", "should", "no", "reset", "forgot", "forget", "remove", "delete", "generate", "gen", "render", "show",
    "print", "format", "lookup", "resolve", "new", "on", "handle", "hash",
];

/// Whether a function of this name asks for a secret instead of taking one.
pub(super) fn asks(name: &[u8]) -> bool {
    let last = name.rsplit(|b| *b == b'.').next().unwrap_or(name);
    words(last).first().is_some_and(|word| QUESTIONS.contains(&word.as_str()))
}

/// Whether a name is a setting in capitals that ends with `SECRET`.
pub(super) fn is_capital_secret(name: &[u8]) -> bool {
    name.ends_with(b"_SECRET") && !name.iter().any(u8::is_ascii_lowercase)
}

/// `tokens` is many of `token`; `pass` is not many of `pas`.
fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(one) if !one.ends_with('s') => one,
        _ => word,
    }
}

/// The words of a name in lower case: split at what is not a letter or digit, and where a hump begins.
fn words(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for (i, &b) in name.iter().enumerate() {
        if !b.is_ascii_alphanumeric() {
            is_open = false;
            continue;
        }
        let before = i.checked_sub(1).and_then(|i| name.get(i)).copied().unwrap_or_default();
        let after = name.get(i + 1).copied().unwrap_or_default();
        let is_hump =
            b.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_uppercase() && after.is_ascii_lowercase());
        // `base64` is one word, `password2` is two: digits are a word of their own unless they follow `base` or a single letter.
        let is_number =
            b.is_ascii_digit() && before.is_ascii_alphabetic() && words.last().is_some_and(|w| w.len() > 1 && w != "base");
        if !is_open || is_hump || is_number {
            if words.len() == MAX_WORDS {
                break;
            }
            words.push(String::new());
            is_open = true;
        }
        if let Some(word) = words.last_mut() {
            word.push(char::from(b.to_ascii_lowercase()));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{Class, class};

    #[test]
    fn names_are_read_as_words() {
        for (names, expected) in [
            (
                "password DB_PASSWORD dbPasswd admin_pwd MYSQL_PASS dbpass pg_pw passphrase spring.datasource.password password2 \
                 PASSWORD_PROD ClearTextPassword userPasswords seed_phrase MNEMONIC wpa-psk",
                Some(Class::Password),
            ),
            ("pass pw PASS", Some(Class::WeakPassword)),
            (
                "apiKey API_KEY AWSSECRETKEY clientSecret secret_key_base token accessToken X-Api-Key auth_tokens JWT_SECRET \
                 docker-auth github_pat client-key-data sessionId TOKEN_B64 signing_keys credentials",
                Some(Class::Token),
            ),
            ("stripe.key ageKey", Some(Class::Key)),
            ("key auth salt", Some(Class::WeakToken)),
            (
                "PASS_TO_PASS compass bypass monkeys_name keyboard passed tokenizer passwordField public_key sitekey cache_key pageToken author \
                 path primaryKey secretName token_type PublicKeyToken Sec-WebSocket-Key passport",
                None,
            ),
        ] {
            for name in names.split_whitespace() {
                assert_eq!(class(name.as_bytes()), expected, "{name}");
            }
        }
    }
}
