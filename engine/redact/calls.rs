//! Finds passwords by their place in a call: `connect("host", "user", "…")`, `HTTPDigestAuth("admin", "…")`, `auth=("bob", "…")`.
//!
//! Only literals count, only behind the first argument, and only in calls that take an account with its password.

use super::judge::{is_argument, is_chosen, is_lone_argument};
use super::literal::{closed, literal_at};
use super::span::MaskSpan;
use std::ops::Range;

const KIND: &str = "assigned-secret";

/// Ends of the names of such calls, in small letters without `_`.
const TAKERS: [&str; 44] = [
    "addap",
    "apn",
    "auth",
    "authenticate",
    "authentication",
    "authenticationtoken",
    "bind",
    "binds",
    "connect",
    "connectas",
    "connection",
    "connectwith",
    "createaccount",
    "createconnection",
    "createuser",
    "credential",
    "credentials",
    "database",
    "dbconnect",
    "getconnection",
    "httpdigest",
    "imapopen",
    "inlinecredentials",
    "inlinedata",
    "login",
    "logon",
    "mapnetworkdrive",
    "mqttclient",
    "mysqli",
    "oauth",
    "oauthhandler",
    "opendatabase",
    "passwordcredential",
    "pdo",
    "setaccesstoken",
    "setcredentials",
    "setpassword",
    "signin",
    "usernamepasswordcredentials",
    "usernamepasswordtoken",
    "usernametoken",
    "userpassword",
    "wifibegin",
    "withcredentials",
];
/// Those of them that take nothing but a password in one place, by its number from 0: a weak one counts there as well.
const SURE: [(&str, usize); 17] = [
    ("auth=", 1),
    ("basicauth", 1),
    ("getconnection", 2),
    ("httpdigestauth", 1),
    ("mysqlconnect", 2),
    ("mysqldbconnect", 2),
    ("mysqliconnect", 2),
    ("networkcredential", 1),
    ("newmysqli", 2),
    ("newpdo", 2),
    ("passwordauthentication", 1),
    ("passwordcredential", 1),
    ("pymysqlconnect", 2),
    ("setbasicauth", 1),
    ("usernamepasswordcredentials", 1),
    ("usernamepasswordtoken", 1),
    ("userpassword", 1),
];
/// Last letters of these: what most calls fail at is asked first.
const LAST: &[u8] = b"adehilnoprstv";
/// Characters of a name, of all arguments, and how many of them are read.
const MAX_NAME: usize = 48;
const MAX_ARGUMENTS: usize = 480;
const MAX_COUNT: usize = 10;
/// Brackets in brackets of an argument that is passed over.
const MAX_DEPTH: usize = 4;
/// What may stand around a literal.
const SOME: &[u8] = b"Some(";

/// Adds literals that are passwords by their place in a call.
pub(super) fn find(text: &[u8], spans: &mut Vec<MaskSpan>) {
    for open in memchr::memchr_iter(b'(', text) {
        if let Some(taker) = taker(text, open) {
            let values = arguments(text, open + 1);
            for (number, value) in values.into_iter().enumerate() {
                let Some(Range { start, end }) = value else { continue };
                let value = &text[start..end];
                let is_password = if number == 0 { is_lone_argument(value) } else { is_argument(value) };
                if is_password || taker == Taker::Sure(number) && is_chosen(value) {
                    spans.push(MaskSpan { start, end, kind: KIND });
                }
            }
        }
    }
}

/// A call that takes an account with its password.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taker {
    /// Or something else.
    Likely,
    /// In the place of this number nothing but a password stands.
    Sure(usize),
}

/// What the name before a bracket says of the call.
fn taker(text: &[u8], open: usize) -> Option<Taker> {
    let is_blank = |b: &u8| matches!(b, b' ' | b'\t');
    let before = &text[open.saturating_sub(MAX_NAME)..open];
    let before = &before[..before.len() - before.iter().rev().take_while(|b| is_blank(b)).count()];
    // `auth=(…)`, `new PDO(…)`, `PDO->__construct(…)`, `Client.new(…)`.
    let (before, is_assigned) = before.strip_suffix(b"=").map_or((before, false), |before| (before.trim_ascii_end(), true));
    let made = [&b"->__construct"[..], b".new", b"::new"].iter().find_map(|end| before.strip_suffix(*end));
    let before = made.unwrap_or(before);
    let last = before.last().filter(|b| b.is_ascii_alphabetic())?;
    if !LAST.contains(&last.to_ascii_lowercase()) {
        return None;
    }
    let is_part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':');
    let length = before.iter().rev().take_while(is_part).count();
    let start = before.len() - length;
    let mut name: Vec<u8> = if made.is_some() || before[..start].ends_with(b"new ") { b"new".to_vec() } else { Vec::new() };
    name.extend(before[start..].iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase));
    if !TAKERS.iter().any(|taker| name.ends_with(taker.as_bytes())) {
        return None;
    }
    name.extend(is_assigned.then_some(b'='));
    let sure = SURE.iter().find(|(taker, _)| name.ends_with(taker.as_bytes()));
    Some(sure.map_or(Taker::Likely, |(_, place)| Taker::Sure(*place)))
}

/// The arguments of a call: a range for each that is one literal.
fn arguments(text: &[u8], from: usize) -> Vec<Option<Range<usize>>> {
    let limit = text.len().min(from + MAX_ARGUMENTS);
    let space = |at: usize| at + text[at..limit].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let mut found = Vec::new();
    let mut at = from;
    while found.len() < MAX_COUNT {
        at = space(at);
        // `[]byte("…")` and the like are passed over, `password="…"` is found by its name.
        at += SOME.len() * usize::from(text[at..limit].starts_with(SOME));
        let literal = literal_at(text, at)
            .and_then(|(quote, length)| closed(text, at + length, limit, quote).map(|(end, after)| (at + length..end, after)));
        let (range, after) = literal.map_or((None, at), |(range, after)| (Some(range), space(after)));
        let Some(end) = argument_end(text, after, limit) else { break };
        found.push(range.filter(|_| end == after));
        if text[end] != b',' {
            break;
        }
        at = end + 1;
    }
    found
}

/// Where an argument ends: at a comma, or at the bracket that closes the call.
fn argument_end(text: &[u8], from: usize, limit: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = from;
    while at < limit {
        #[cfg(test)]
        work::add(1);
        match text[at] {
            b'(' | b'[' | b'{' if depth == MAX_DEPTH => return None,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' | b',' if depth == 0 => return Some(at),
            b')' | b']' | b'}' => depth -= 1,
            _ => {
                if let Some((quote, length)) = literal_at(text, at) {
                    at = closed(text, at + length, limit, quote)?.1;
                    continue;
                }
            }
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{LAST, SURE, TAKERS, find};

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text.as_bytes(), &mut spans);
        spans.iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn passwords_are_found_by_their_place_in_a_call() {
        assert!(TAKERS.is_sorted());
        for (sure, _) in SURE {
            let name = sure.trim_end_matches('=');
            assert!(TAKERS.iter().any(|taker| name.ends_with(taker)), "{sure} is never looked at");
        }
        assert!(TAKERS.iter().all(|taker| LAST.contains(taker.as_bytes().last().expect("no name is empty"))));
        for text in [
            "$pdo = new PDO($dsn, 'catalog_ro', 'fS8tvdi_GXaWn-2wJCu', [",
            "conn.simple_bind_s(\"CN=svc,DC=corp\", \"9z9W8#M9K%D3kNF_NDUO\".x)\nauth=(\"bob\", 'fS8tvdi_GXaWn-2wJCu')",
            "w.connect(\"Attic-IoT\", 'fS8tvdi_GXaWn-2wJCu')",
            "PDO->__construct('mysql:host=db1;...', 'orders', 'fS8tvdi_GXaWn-2wJCu', Array)",
            "smtp.PlainAuth(\"\", \"a@b.example\", \"fS8tvdi_GXaWn-2wJCu\", \"mail.example\")",
            "request.basic_auth(\"bob\", Some(\"fS8tvdi_GXaWn-2wJCu\"))",
            "HTTPDigestAuth(\n    \"admin\",\n    'fS8tvdi_GXaWn-2wJCu',\n)",
        ] {
            assert_eq!(found(text), ["fS8tvdi_GXaWn-2wJCu"], "{text}");
        }
        // Weak ones, where nothing but a password stands.
        for (text, password) in [
            ("mysqli_connect('h', 'root', 'summer2024', 'd')", "summer2024"),
            ("auth=('bob', 'swordfish9')", "swordfish9"),
            ("auth = ('bob', 'swordfishmoon')", "swordfishmoon"),
            ("get(url, auth=('bob', 'P@ssw.0rd12X'))", "P@ssw.0rd12X"),
            ("req.SetBasicAuth(\"bob\", \"hunter22\")", "hunter22"),
            ("new NetworkCredential(\"bob\", \"winter.2024\")", "winter.2024"),
            ("DriverManager.getConnection(\"jdbc:h2:mem\", \"sa\", \"shop.admin.9\")", "shop.admin.9"),
            ("new mysqli(\"h\", \"u\", \"Xk3!aaa\", \"d\")", "Xk3!aaa"),
            ("new UsernamePasswordToken(\"bob\", \"fS8tvdi_GXaWn\")", "fS8tvdi_GXaWn"),
            ("[InlineData(\"bob\", \"fS8tvdi_GXaWn-2wJCu\")]", "fS8tvdi_GXaWn-2wJCu"),
        ] {
            assert_eq!(found(text), [password], "{text}");
        }
        for text in [
            "client.connect(\"localhost\", \"topic/sensor1\")",
            "connect('users/list-all-of-them')",
            "x.login('admin', 'https://a.example/b1')",
            "app.auth('admin', 'users.read.v2')",
            "db.connect('10.0.0.1', '5432', 'shop2024', \"bob@mail.example1.com\")",
            "connect('user', 'wrong-password1')",
            "getConnection(\"a\", \"b\", \"${PW1}\")",
            "mysqli_connect('h', 'a', 'password', 'd')",
            "req.SetBasicAuth(\"user\", \"pass\")",
            "SetBasicAuth(\"user\", \"your-password\")",
            "requests.get(url, auth=('user', 'password'))",
            "smtp.PlainAuth(\"\", \"user@example.com\", \"password\", \"mail.example\")",
            "InlineData(\"a1\", \"bcdefghi\")",
            "expect('user', 'fS8tvdi_GXaWn-2wJCu')",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
