//! Says whether a text looks drawn at random, and whether it stands for a value instead of being one.

use super::entropy::entropy;
use super::placeholders;

/// Longest value taken for random; longer ones are data.
const MAX_RANDOM: usize = 2_048;
/// From this length on a text drawn at random is told from words with certainty; a shorter one must look the more random.
const LONG: usize = 16;
/// Shortest text told from words at all.
const SHORT: usize = 10;
/// Share of neighbours, in percent, that no word has: letter beside digit, hump, rare pair of letters. Measured on names in source
/// (2026-11): words have 5 to 25, names of many humps and numbers up to 45; base62 drawn at random has 65, give or take 8.
const ODD_LONG: usize = 42;
const ODD_SHORT: usize = 50;
/// As above, of letters alone that stand where a password does, where a token does, and of capitals.
const ODD_MIXED: usize = 35;
const ODD_LETTERS: usize = 45;
const ODD_CAPITALS: usize = 30;
/// Shortest letters alone that stand where a token does.
const LONGISH: usize = 12;
/// Hexadecimal changes between letter and digit at every second character; dates, versions and numbers hardly at all.
const ODD_HEX: usize = 25;
/// Share of a value, in percent, that must be neighbours at all: `a-1-b-2` is a list.
const DENSE: usize = 55;
/// Bits a byte; random hexadecimal of 16 digits has 3 and more.
const MIN_ENTROPY: f64 = 2.8;

/// For each letter, the letters that often follow it in words of English and of code.
const FOLLOWS: [&[u8]; 26] = [
    b"bcdglmnprstuvy",
    b"aeiloruy",
    b"aehikloqrtu",
    b"adeiorsuy",
    b"acdefglmnprstvwxy",
    b"aefiloru",
    b"aehilnorsu",
    b"aeiortuy",
    b"abcdefglmnoprstvz",
    b"aeou",
    b"aeinsy",
    b"adefiklopstuy",
    b"abeimopsuy",
    b"acdefgikostuvy",
    b"abcdfgklmnoprstuvwy",
    b"aehiloprstuy",
    b"u",
    b"acdefgiklmnorstuvy",
    b"aceghiklmopqstuwy",
    b"acehiloprstuwy",
    b"abcdeglmnprstx",
    b"aeio",
    b"aehinor",
    b"aceipt",
    b"abeilmnopst",
    b"aeiz",
];

/// Whether a value of at least `min` characters looks drawn at random.
pub(super) fn is_random(value: &[u8], min: usize) -> bool {
    if !(min.max(SHORT)..=MAX_RANDOM).contains(&value.len())
        || value.iter().any(|b| !b.is_ascii_alphanumeric() && !b"_-+/=.~!@#%^&*:$?|".contains(b))
    {
        return false;
    }
    let n_digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let n_letters = value.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let (n_pairs, n_odd) = oddness(value);
    if n_letters == 0 || n_pairs * 100 < value.len() * DENSE {
        return false;
    }
    let has_entropy = || entropy(value) >= if value.len() >= LONG { MIN_ENTROPY } else { MIN_ENTROPY - 0.3 };
    if value.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-') {
        return value.len() >= LONG && n_digits >= 2 && n_odd * 100 >= n_pairs * ODD_HEX && has_entropy();
    }
    // Capitals, small letters and several numbers among them: no word is made so.
    let n_numbers = value.split(|b| !b.is_ascii_digit()).filter(|number| !number.is_empty()).count();
    let is_dappled = n_numbers > 1 && value.iter().any(u8::is_ascii_uppercase) && value.iter().any(u8::is_ascii_lowercase);
    let floor = if value.len() >= LONG && n_digits >= 1 || is_dappled { ODD_LONG } else { ODD_SHORT };
    n_odd * 100 >= n_pairs * floor && (n_digits > 0 || value.len() >= LONG) && has_entropy()
}

/// Whether a value of any printable characters looks drawn at random: what is left of it without signs does, or its signs are mixed as in no
/// text. A pattern, a format, an address or data is none.
pub(super) fn is_drawn(value: &[u8], min: usize) -> bool {
    if !(min..=MAX_RANDOM).contains(&value.len()) || !value.iter().all(|b| (b' '..=b'~').contains(b)) {
        return false;
    }
    let n_parts = n_pattern_parts(value);
    let kept: Vec<u8> = value.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let is_short = value.len() < LONG * 2;
    n_parts == 0 && (is_uuid(value) || is_base32(value) || is_grouped(value) || is_mixed_in(&kept, LONGISH, ODD_LETTERS))
        || n_parts <= usize::from(!is_short) && kept.len() * 2 > value.len() && is_random(&kept, min.min(kept.len()))
        || n_parts <= 1 && is_scrambled(value)
}

/// Lengths of keys in base32, which is letters alone as often as not.
const BASE32: [usize; 7] = [16, 24, 26, 32, 52, 56, 64];

fn is_base32(value: &[u8]) -> bool {
    let (n_pairs, n_odd) = oddness(value);
    BASE32.contains(&value.len())
        && value.iter().all(|b| b.is_ascii_uppercase() || (b'2'..=b'7').contains(b))
        && n_odd * 100 >= n_pairs * ODD_CAPITALS
        && entropy(value) >= MIN_ENTROPY
}

/// `xoknif-8cupgy-gYkkev`: as browsers propose it.
fn is_grouped(value: &[u8]) -> bool {
    let mut groups = value.split(|b| *b == b'-');
    value.len() == 20
        && groups.all(|group| group.len() == 6 && group.iter().all(u8::is_ascii_alphanumeric))
        && value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_lowercase)
        && !is_time(value)
}

/// Digits alone but for what parts them: a date, a version.
fn is_time(value: &[u8]) -> bool {
    value.iter().filter(|b| b.is_ascii_alphabetic()).count() <= 2
}

/// `123e4567-e89b-12d3-a456-426614174000`.
fn is_uuid(value: &[u8]) -> bool {
    let lengths = value.split(|b| *b == b'-').map(<[u8]>::len);
    lengths.eq([8, 4, 4, 4, 12]) && value.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-') && entropy(value) >= MIN_ENTROPY
}

/// Signs in a text that was drawn, how many of them differ, letters in it, and the longest run of small letters: words are longer.
const MIN_SIGNS: usize = 3;
const MIN_OTHERS: usize = 2;
const MIN_LETTERS: usize = 3;
const MAX_RUN: usize = 4;

/// Whether signs stand among short runs of letters of both cases and digits.
fn is_scrambled(value: &[u8]) -> bool {
    let signs: Vec<u8> = value.iter().copied().filter(|b| !b.is_ascii_alphanumeric() && *b != b' ').collect();
    let n_telling = signs.iter().filter(|b| !b"/._-:,".contains(b)).count();
    let n_others = signs.iter().enumerate().filter(|(i, b)| !signs[..*i].contains(b)).count();
    let longest = value.split(|b| !b.is_ascii_lowercase()).map(<[u8]>::len).max().unwrap_or_default();
    let is_call = value.windows(2).any(|pair| matches!(pair, b"()" | b"::")) || value.contains(&b' ');
    let max_run = if value.len() >= LONG * 2 && n_telling > MAX_RUN && !is_call { MAX_RUN * 2 } else { MAX_RUN };
    let has = |is: fn(&u8) -> bool| usize::from(value.iter().any(is));
    let n_kinds = has(u8::is_ascii_digit) + has(u8::is_ascii_uppercase) + has(u8::is_ascii_lowercase);
    value.len() >= SHORT
        && n_telling >= MIN_SIGNS
        && n_others >= MIN_OTHERS
        && n_kinds >= 2
        && longest + usize::from(!value.iter().any(u8::is_ascii_digit)) <= max_run
        && value.iter().filter(|b| b.is_ascii_alphabetic()).count() >= MIN_LETTERS
}

/// Parts of patterns and formats. One of them stands in many a text that was drawn, two in hardly any.
const PATTERN_PARTS: [&str; 21] = [
    "a-z", "A-Z", "0-9", "\\w", "\\d", "\\s", "\\b", ".*", ".+", "(?", "[^", "%s", "%d", "%v", "%q", "%x", "{0}", "{1}", "{}",
    "](", "</",
];
/// Parts of calls and data. Two of them stand in no text that was drawn.
const CODE_PARTS: [&str; 10] = ["(\"", "\")", "('", "')", "[\"", "['", "\"]", "']", "\":", "::"];
/// Parts of addresses, routes, expressions and escaped characters, which stand in none.
const TELLING_PARTS: [&str; 7] = ["://", "/{", "\\u{", " || ", " && ", " === ", " => "];

/// How many parts of patterns, formats, calls and data a value has; what stands in no text that was drawn counts for many.
fn n_pattern_parts(value: &[u8]) -> usize {
    let found = |part: &&str| value.windows(part.len()).any(|window| window == part.as_bytes());
    let n_code = CODE_PARTS.iter().filter(|part| found(part)).count();
    let is_data = matches!(value.first(), Some(b'{' | b'[')) && found(&"\":");
    let is_code = n_code > 1 || is_data || TELLING_PARTS.iter().any(&found);
    PATTERN_PARTS.iter().filter(|part| found(part)).count() + if is_code { MAX_RANDOM } else { n_code }
}

/// Whether letters of both cases are mixed as in no word.
pub(super) fn is_mixed(value: &[u8], min: usize) -> bool {
    is_mixed_in(value, min, ODD_MIXED)
}

fn is_mixed_in(value: &[u8], min: usize, odd: usize) -> bool {
    let (n_pairs, n_odd) = oddness(value);
    let n_small = value.iter().filter(|b| b.is_ascii_lowercase()).count();
    let n_capitals = value.iter().filter(|b| b.is_ascii_uppercase()).count();
    value.len() >= min && n_small > 1 && n_capitals > 1 && n_pairs * 100 >= value.len() * DENSE && n_odd * 100 >= n_pairs * odd
}

/// Whether at least such a share of neighbours, in percent, is one that no word has.
pub(super) fn is_odd(value: &[u8], percent: usize) -> bool {
    let (n_pairs, n_odd) = oddness(value);
    n_odd * 100 >= n_pairs * percent
}

/// Pairs of neighbouring letters and digits, and those among them that words do not have.
fn oddness(value: &[u8]) -> (usize, usize) {
    let (mut n_pairs, mut n_odd) = (0, 0);
    for (i, pair) in value.windows(2).enumerate() {
        let (a, b) = (pair[0], pair[1]);
        if !a.is_ascii_alphanumeric() || !b.is_ascii_alphanumeric() {
            continue;
        }
        n_pairs += 1;
        let is_odd = if a.is_ascii_digit() || b.is_ascii_digit() {
            a.is_ascii_digit() != b.is_ascii_digit()
        } else if a.is_ascii_lowercase() && b.is_ascii_uppercase() {
            true
        } else if a.is_ascii_uppercase() && b.is_ascii_lowercase() {
            // The start of a word, which has more than two letters.
            value.get(i + 2).is_some_and(|next| next.is_ascii_uppercase() || next.is_ascii_digit())
        } else if b == a + 1 {
            // A step of the alphabet.
            false
        } else {
            let follows = FOLLOWS[usize::from(a.to_ascii_lowercase() - b'a')];
            !follows.contains(&b.to_ascii_lowercase())
        };
        n_odd += usize::from(is_odd);
    }
    (n_pairs, n_odd)
}

/// What a value is made of.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says of one kind of character whether it occurs")]
pub(super) struct Makeup {
    /// Letters of any script.
    pub(super) letters: bool,
    /// Digits.
    pub(super) digits: bool,
    /// Capital letters behind the first character.
    pub(super) inner_capitals: bool,
    /// Signs that no name in code or prose has inside: `!#$%^&*?@+~=`.
    pub(super) signs: bool,
    /// Bytes beyond ASCII.
    pub(super) foreign: bool,
    /// Blanks.
    pub(super) blanks: bool,
    /// Brackets and other marks of code.
    pub(super) brackets: bool,
}

impl Makeup {
    pub(super) fn of(value: &[u8]) -> Self {
        let mut makeup = Self::default();
        for (i, b) in value.iter().enumerate() {
            match b {
                b'0'..=b'9' => makeup.digits = true,
                b'a'..=b'z' => makeup.letters = true,
                b'A'..=b'Z' => {
                    makeup.letters = true;
                    makeup.inner_capitals |= i > 0;
                }
                b'!' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'?' | b'@' | b'+' | b'~' | b'=' => makeup.signs = true,
                b' ' | b'\t' | b'\r' | b'\n' => makeup.blanks = true,
                b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' => makeup.brackets = true,
                128.. => {
                    makeup.letters = true;
                    makeup.foreign = true;
                }
                _ => {}
            }
        }
        makeup
    }
}

/// Starts of texts that say where a secret lies, or that are public by their shape.
const POINTERS: [&str; 50] = [
    "op://",
    "vault:",
    "arn:",
    "ssm:",
    "sops:",
    "secretsmanager:",
    "projects/",
    "keyvault:",
    "akv:",
    "awssm:",
    "gcpsm:",
    "env:",
    "env/",
    "file:",
    "keyring:",
    "keychain:",
    "credstore:",
    "bws:",
    "doppler:",
    "infisical:",
    "ref+",
    "ref:",
    "secret:",
    "secrets.",
    "vault.",
    "var.",
    "local.",
    "data.",
    "module.",
    "env.",
    "process.env",
    "os.",
    "system.",
    "config.",
    "import.meta",
    "this.",
    "self.",
    "args.",
    "ENC[",
    "!vault",
    "!Ref",
    "!Sub",
    "!GetAtt",
    "!secret",
    "sha1-",
    "sha256-",
    "sha384-",
    "sha512-",
    "ssh-",
    "https:",
];

/// What stands around the name of a value.
const PAIRS: [(&[u8], &[u8]); 5] = [(b"<", b">"), (b"%", b"%"), (b"@", b"@"), (b"[", b"]"), (b"{", b"}")];

/// Starts of keys that are public by their shape.
const PUBLIC: [&str; 8] = ["AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "age1", "pk.", "pk_", "sha256:", "ecdsa-sha2"];

/// Whether a value only names a secret, or stands for no value at all, instead of being a secret.
pub(super) fn is_reference(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let Some((&first, rest)) = value.split_first() else { return true };
    let wraps = |open: &[u8], close: &[u8]| value.len() > open.len() && value.starts_with(open) && value.ends_with(close);
    let starts = |starts: &[&str]| starts.iter().any(|start| starts_with(value, start));
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'-' | b'/');
    rest.iter().all(|b| *b == first)
        || wraps(b"${", b"}")
        || wraps(b"$((", b"))")
        || value.starts_with(b"{{")
        || value.starts_with(b"#{")
        || value.starts_with(b"{%")
        || value.starts_with(b"$(")
        || PAIRS.iter().any(|(open, close)| wraps(open, close))
            && (value[1..value.len() - 1].iter().all(|b| is_name(b) || b" ,'\"".contains(b)) || !is_drawn(value, SHORT))
        || wraps(b"%(", b")s")
        || wraps(b"__", b"__")
        || (first == b'$'
            && rest.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && rest.iter().take_while(|b| **b != b' ').all(is_name))
        || matches!(value, b"%s" | b"%v" | b"%q" | b"%d" | b"{}" | b"?" | b"-")
        || interpolates(value)
        || ["true", "false", "null", "none", "nil", "undefined", "yes", "no"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
        || starts(&POINTERS)
        || is_sealed(value)
        || first == b'@' && rest.len() > 1 && rest.iter().all(|b| b.is_ascii_uppercase() || *b == b'_')
        || value.len() > 2 && value.starts_with(b"$$") && value[2..].iter().all(|b| b.is_ascii_uppercase() || *b == b'_')
        || PUBLIC.iter().any(|start| value.starts_with(start.as_bytes()))
}

/// How values of other places are put into a text: what opens, and what closes.
const OPENERS: [(&[u8], u8); 4] = [(b"${", b'}'), (b"{{", b'}'), (b"$(", b')'), (b"#{", b'}')];

/// Whether a part of a value is put in from elsewhere: `a-${name}`, `$(cat key)`.
fn interpolates(value: &[u8]) -> bool {
    let is_code = |b: &u8| b.is_ascii_alphanumeric() || b"_-.:/ \t()'\",$?|@".contains(b);
    OPENERS.iter().any(|(open, close)| {
        let Some(at) = value.windows(open.len()).position(|window| window == *open) else { return false };
        let inner = &value[at + open.len()..];
        let end = inner.iter().position(|b| b == close).unwrap_or(inner.len());
        let is_begun = end > 1 && inner.first().is_some_and(|b| b.is_ascii_alphabetic() || b"_ '\"$.-".contains(b));
        let is_closed = end < inner.len() && (is_begun || *open == b"${");
        // What opens at the end of a short word was cut off there.
        inner[..end].iter().all(is_code) && (is_closed || end == inner.len() && value.len() < LONG)
    }) || is_formatted(value) && !is_scrambled(value)
}

/// The shortest expression in braces.
const MIN_EXPRESSION: usize = 4;

/// `f"/books/{book.key}"`: an expression between braces.
fn is_formatted(value: &[u8]) -> bool {
    let is_code = |b: &u8| b.is_ascii_alphanumeric() || b"_.()".contains(b);
    value.split(|b| *b == b'{').skip(1).any(|rest| {
        let end = rest.iter().position(|b| *b == b'}');
        let inner = end.map(|end| &rest[..end]).filter(|inner| inner.len() >= MIN_EXPRESSION);
        inner.is_some_and(|inner| inner[0].is_ascii_lowercase() && inner.iter().all(is_code) && !is_random(inner, SHORT))
    })
}

/// Whether a value is a reference, a placeholder or a word that documentation writes for a secret.
pub(super) fn is_stand_in(value: &[u8]) -> bool {
    is_reference(value) || placeholders::is_made_up(value)
}

fn starts_with(value: &[u8], start: &str) -> bool {
    value.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

/// Shortest sealed value of Kubernetes, which begins with the length of its key.
const MIN_SEALED: usize = 96;

/// A value that only its cluster can open: the length of an RSA key's output, 512, in base64.
fn is_sealed(value: &[u8]) -> bool {
    value.len() >= MIN_SEALED
        && value.starts_with(b"Ag")
        && (b'A'..=b'D').contains(&value[2])
        && value.iter().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(b))
}

/// Names in a row, as code and settings write them: `win32api.RegEnumKey`, `a::b`, `./src/key`, `/etc/ssl/key.pem`.
pub(super) fn is_path(value: &[u8]) -> bool {
    let is_name = |part: &[u8]| {
        part.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && part.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
            && !is_random(part, LONG)
    };
    let is_file = [&b"/"[..], b"./", b"../", b"~/"].iter().any(|start| value.starts_with(start))
        || value.get(1..3).is_some_and(|drive| drive == b":\\" || drive == b":/");
    if is_file {
        return !value.split(|b| matches!(b, b'/' | b'\\')).any(|part| is_random(part, LONG));
    }
    let mut parts = value.split(|b| matches!(b, b'.' | b':')).filter(|part| !part.is_empty());
    parts.clone().nth(1).is_some() && parts.all(is_name)
}

#[cfg(test)]
mod tests {
    use super::{is_path, is_random, is_reference};

    /// Characters of a class, the same in every run.
    fn drawn(letters: &str, length: usize, seed: u64) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            letters.as_bytes()[(state >> 33) as usize % letters.len()]
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn what_is_drawn_at_random_is_told_from_words() {
        let base62 = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        for (letters, length, floor) in [
            (base62, 20, 985),
            (base62, 32, 998),
            ("0123456789abcdef", 32, 985),
            (&base62[..36], 24, 985),
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 26, 985),
        ] {
            let found = (1..=1_000).filter(|seed| is_random(&drawn(letters, length, *seed), 16)).count();
            assert!(found >= floor, "{letters} {length}: {found} of 1,000");
        }
        for words in "AbstractAuthenticationTokenFactoryBean change-each-spring-2031 2025-11-09T08:07:06.543219876Z \
             src/auth/providers/password/Provider.java MSG_ACCESS_KEY_LIFETIME_OVER_2_DAYS v1.24.3-rc.1+build.77 \
             com.example.service.v1beta1.TokenReview kubernetes-dashboard-token-v2 a-1-b-2-c-3-d-4-e-5 192.168.100.200:65535 \
             application/vnd.api+json resource_group_name_2 TestParseTokenWithUnicode16Names"
            .split_whitespace()
        {
            assert!(!is_random(words.as_bytes(), 16), "{words}");
        }
    }

    #[test]
    fn what_stands_for_a_value_is_known() {
        for text in
            "${X} {{x}} $X $(cat) <token> %X% op://a/b vault:secret/a arn:aws:x process.env.X os.Getenv %s {0} [x] *** xxxx \
             #{x} a-${b} ENC[AES256_GCM] !Ref null @x@ __X__ var.x age1qqq pk_live_x"
                .split_whitespace()
        {
            assert!(is_reference(text.as_bytes()), "{text}");
        }
        for text in "$tr0ng!pass p4ss%word hunter2 a<b>c 100%sure".split_whitespace() {
            assert!(!is_reference(text.as_bytes()), "{text}");
        }
        assert!(is_path(b"win32api.Reg2Enum3Key4.Open5") && is_path(b"/etc/ssl/private/key1.pem") && is_path(b"a::b2"));
        assert!(!is_path(b"hunter2") && !is_path(b"p4.ss!"));
    }
}
