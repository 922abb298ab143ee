//! What redaction as a whole promises, whatever the text.

use super::by_rules;
use super::mask::apply;
use super::masker::Masker;
use super::safe::{LongLines, Redacted, Safe};
use super::span::MaskSpan;

fn redacted(name: &str, text: &str) -> String {
    String::from_utf8(apply(text.as_bytes(), &by_rules::find(name, text.as_bytes()))).expect("masks lie between characters")
}

/// A made-up body of a key: `n_lines` of base64.
fn key_body(n_lines: usize) -> String {
    "MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC7abcdefghijkl\n".repeat(n_lines)
}

#[track_caller]
fn check(name: &str, text: &str, expected: &str) {
    assert_eq!(redacted(name, text), expected, "{name}: {text}");
}

#[test]
fn values_with_blanks_are_masked_whole_and_sentences_are_not() {
    for (name, text, masked) in [
        ("a.ts", "const password = \"kX9vQ2! mR7tZ4#\";\n", "const password = \"[REDACTED:assigned-secret]\";\n"),
        ("a.yml", "password: \"copper walnut lantern saddle 42\"\n", "password: \"[REDACTED:assigned-secret]\"\n"),
        ("a.properties", "db.password=kX9vQ2 mR7tZ4 wL8\n", "db.password=[REDACTED:assigned-secret]\n"),
        (
            "a.cs",
            "x = \"Server=a;Password=kX9vQ2 mR7tZ4;Database=b\"\n",
            "x = \"Server=a;Password=[REDACTED:assigned-secret];Database=b\"\n",
        ),
        ("a.json", "{\"password\": \"must contain 8 letters\"}\n", "{\"password\": \"must contain 8 letters\"}\n"),
        ("a.json", "{\"password\": \"Password1 is too weak2\"}\n", "{\"password\": \"Password1 is too weak2\"}\n"),
    ] {
        let found = apply(text.as_bytes(), &by_rules::find(name, text.as_bytes()));
        assert_eq!(String::from_utf8_lossy(&found), masked);
    }
}

#[test]
fn what_a_mask_says_is_no_name_of_the_next_value() {
    let list = format!("[\"password\", {}\"x1\"]\n", "\"saddle-hammer-441\", ".repeat(40));
    for name in ["terraform.tfvars", "a.go", ""] {
        let masked = apply(list.as_bytes(), &by_rules::find(name, list.as_bytes()));
        assert_eq!(apply(&masked, &by_rules::find(name, &masked)), masked, "{name}");
    }
    let pair = "[\"password\", \"saddle-hammer-441\", \"region\"]\n";
    let masked = apply(pair.as_bytes(), &by_rules::find("terraform.tfvars", pair.as_bytes()));
    assert_eq!(String::from_utf8_lossy(&masked), "[\"password\", \"[REDACTED:assigned-secret]\", \"region\"]\n");
}

#[test]
fn key_blocks_go_however_they_stand() {
    let body = key_body(3);
    let header = "-----BEGIN RSA PRIVATE KEY-----";
    let footer = "-----END RSA PRIVATE KEY-----";
    let gone = "[REDACTED:private-key]\n\n\n\n";
    check("", &format!("a\n{header}\n{body}{footer}\nb\n"), &format!("a\n{gone}\nb\n"));
    check("", &format!("a\r\n{header}\r\n{}{footer}\r\nb", body.replace('\n', "\r\n")), &format!("a\r\n{gone}\r\nb"));
    // Cut off: up to the first line that is not a key.
    check("", &format!("{header}\n{body}fn main() {{}}\n"), "[REDACTED:private-key]\n\n\n\nfn main() {}\n");
    check("", &format!("{header}\n{body}AbCd=="), "[REDACTED:private-key]\n\n\n\n");
    let indented = format!("{header}\n{body}{footer}").replace('\n', "\n    ");
    check("", &format!("k: |\n    {indented}\n  on: true\n"), "k: |\n    [REDACTED:private-key]\n\n\n\n\n  on: true\n");
    let added = format!("+{header}\n{body}{footer}").replace('\n', "\n+");
    check("", &format!("{added}\n context\n"), &format!("+{gone}\n context\n"));
    let literal = format!("{header}\n{body}{footer}").replace('\n', "\\n");
    check("", &format!("{{\"k\": \"{literal}\", \"n\": 1}}"), "{\"k\": \"[REDACTED:private-key]\", \"n\": 1}");
    let joined = format!("{header}\n{body}{footer}").replace('\n', "\\n\" +\n  \"");
    check("", &format!("k = \"{joined}\";\nn = 1;"), "k = \"[REDACTED:private-key]\n\n\n\n\";\nn = 1;");
    let logged = format!("{header}\n{body}AbCd==\n{footer}").replace('\n', "\n12:00 INFO ");
    check("", &format!("{logged}\nend"), &format!("{gone}\n\nend"));
}

#[test]
fn base64_goes_in_all_of_its_lines() {
    let lines = key_body(3).trim_end().replace('\n', "\n  ");
    let gone = "[REDACTED:assigned-secret]\n\n";
    check("a.yaml", &format!("api_secret: |\n  {lines}\nother: 1\n"), &format!("api_secret: |\n  {gone}\nother: 1\n"));
    check("a.yaml", &format!("api_secret: \"{lines}\"\nother: 1\n"), &format!("api_secret: \"{gone}\"\nother: 1\n"));
    check("a.ts", &format!("const apiSecret = `\n  {lines}\n`;\n"), &format!("const apiSecret = `{gone}\n\n`;\n"));
    check("a.xml", &format!("<apiSecret>\n  {lines}\n</apiSecret>\n"), &format!("<apiSecret>\n  {gone}\n</apiSecret>\n"));
    let long = key_body(60).replace('\n', "");
    for (name, before, after) in
        [("a.ini", "password = ", "\n"), ("a.ts", "const apiSecret = \"", "\";\n"), ("a.sh", "export API_TOKEN=", "\n")]
    {
        check(name, &format!("{before}{long}{after}"), &format!("{before}[REDACTED:assigned-secret]{after}"));
    }
}

#[test]
fn what_only_looks_like_a_key_block_stays() {
    let certificate = format!("-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\n", key_body(3));
    for text in [
        certificate.as_str(),
        "if line == \"-----BEGIN RSA PRIVATE KEY-----\" {\n    return decode(line)\n}\n",
        "const OPEN = \"-----BEGIN PRIVATE KEY-----\";\nconst CLOSE = \"-----END PRIVATE KEY-----\";\n",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
        "-----BEGIN ",
        "---- BEGIN SSH2 PRIVATE KEY",
    ] {
        check("", text, text);
    }
}

#[test]
fn putty_keys_lose_their_private_lines() {
    let text = format!("Comment: mine\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 2\n{}Private-MAC: 0a1b\n", key_body(2));
    check("a.ppk", &text, "Comment: mine\nPublic-Lines: 1\nAAAA\n[REDACTED:private-key]\n\n\n\n");
}

#[test]
fn environment_files_keep_names_and_comments_alone() {
    for (text, expected) in [
        ("# note\nA=one\nexport B = \"two\" # why\n", "# note\nA=[REDACTED:env-value]\nexport B = [REDACTED:env-value] # why\n"),
        ("A=one\r\nB=\r\n", "A=[REDACTED:env-value]\r\nB=\r\n"),
        ("A=\"one\ntwo\"\nB='x\\'\n", "A=[REDACTED:env-value]\n\nB=[REDACTED:env-value]\n"),
        ("A=\"open\nB=1\n", "A=[REDACTED:env-value]\nB=[REDACTED:env-value]\n"),
        ("#OLD=abc\n# see: the manual\n", "#OLD=[REDACTED:env-value]\n# see: the manual\n"),
        ("stray\nA: yaml\n", "[REDACTED:env-value]\nA: [REDACTED:env-value]\n"),
        ("A=\"one\"two # no\n", "A=[REDACTED:env-value]\n"),
        ("A=one #two\n", "A=[REDACTED:env-value] #two\n"),
    ] {
        check("deploy/.env.production", text, expected);
        check("prod.env", text, expected);
        check(".env.example", text, text);
    }
    check(".envrc", "use flake\nexport A=one\n", "use flake\nexport A=[REDACTED:env-value]\n");
}

#[test]
fn files_of_credentials_lose_their_values() {
    for (name, text, expected) in [
        (
            ".netrc",
            "machine a login b\n  password c d",
            "machine a login [REDACTED:credential]\n  password [REDACTED:credential] d",
        ),
        (".pgpass", "#c\nh:1:d:u:p:q\n", "#c\nh:1:d:u:[REDACTED:credential]\n"),
        ("a/.htpasswd", "u:hash\n", "u:[REDACTED:credential]\n"),
        (".git-credentials", "https://u:p@h\n", "https://[REDACTED:credential]@h\n"),
        ("config/master.key", "0a1b\n", "[REDACTED:credential]\n"),
        (
            ".npmrc",
            "save=true\n//r/:_authToken=${T}\n//r/:_authToken=abc\n",
            "save=true\n//r/:_authToken=${T}\n//r/:_authToken=[REDACTED:credential]\n",
        ),
        (
            ".aws/credentials",
            "aws_secret_access_key = abc\nregion = x\n",
            "aws_secret_access_key = [REDACTED:credential]\nregion = x\n",
        ),
        (".docker/config.json", "{\"auth\": \"dTpw\"}", "{\"auth\": \"[REDACTED:credential]\"}"),
        ("a.tfvars", "password = var.x\npassword = \"p\"\n", "password = var.x\npassword = \"p\"\n"),
    ] {
        check(name, text, expected);
    }
}

#[test]
fn random_values_of_secret_names_go_in_every_language() {
    let value = "4f1a9c0b7e2d8836a1b0c9d2e3f40516";
    for text in [
        "dd_api_key: {}",
        "DD_API_KEY={}",
        "app.dd.api.key={}",
        "const string DatadogKey = \"{}\";",
        "pub const DATADOG_APP_KEY: &str = \"{}\";",
        "let apiKey: string = '{}',",
        "\"twilioAuthToken\": \"{}\"",
        "{\\\"client_secret\\\": \\\"{}\\\"}",
        "config['api_key'] = r'{}'",
    ] {
        check("a.txt", &text.replace("{}", value), &text.replace("{}", "[REDACTED:assigned-secret]"));
    }
    for text in [
        "token = cursor.advance2()",
        "api_key = win32api.Reg2Enum3Key4.Open5",
        "publicKey = \"4f1a9c0b7e2d8836a1b0c9d2e3f40516\"",
        "cache_key = \"4f1a9c0b7e2d8836a1b0c9d2e3f40516\"",
        "token_hash = \"4f1a9c0b7e2d8836a1b0c9d2e3f40516\"",
        "secret = \"change-each-spring-2031\"",
        "key=2025-11-09T08:07:06.543219876Z",
        "api_key = process.env.STRIPE_KEY_2",
        "accessKeyLabel = \"MSG_ACCESS_KEY_LIFETIME_OVER_2_DAYS\"",
    ] {
        check("a.txt", text, text);
    }
}

#[test]
fn passwords_need_no_randomness_but_a_literal() {
    for (text, expected) in [
        ("password = \"saddle-4410\"", "password = \"[REDACTED:assigned-secret]\""),
        ("- POSTGRES_PASSWORD=walnut-pigeon-3317", "- POSTGRES_PASSWORD=[REDACTED:assigned-secret]"),
        ("ds.setPassword(\"t63KdXAMRL\")", "ds.setPassword(\"[REDACTED:assigned-secret]\")"),
        ("define('DB_PASSWORD', 'k4wzvd9bqe');", "define('DB_PASSWORD', '[REDACTED:assigned-secret]');"),
        ("<password>Copper518?wqz</password>", "<password>[REDACTED:assigned-secret]</password>"),
        ("\"password\": \"Lösenord\"", "\"password\": \"Lösenord\""),
        ("password = config.password2", "password = config.password2"),
        ("password = ENV.fetch('DB_PASSWORD_1')", "password = ENV.fetch('DB_PASSWORD_1')"),
        ("password: \"${DB_PASSWORD_1}\"", "password: \"${DB_PASSWORD_1}\""),
        ("PASSWORD_MAX_TRIES = 12", "PASSWORD_MAX_TRIES = 12"),
    ] {
        check("a.txt", text, expected);
    }
}

#[test]
fn a_masked_value_is_masked_wherever_the_text_repeats_it() {
    let text = "export AUTH_TOKEN=wHdV7pUMzKRB2Ga8tYEx\n+ run wHdV7pUMzKRB2Ga8tYEx\n";
    check("ci.log", text, "export AUTH_TOKEN=[REDACTED:assigned-secret]\n+ run [REDACTED:assigned-secret]\n");
}

#[test]
fn what_shows_nothing_neither_parts_a_name_from_its_value_nor_joins_a_token_to_a_word() {
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    for between in ["\u{200b}", "\u{1b}[31m", "\\u001b[0m", "\u{feff}"] {
        let text = format!("word{between}{token}{between}word pass{between}word{between}={between}Kd83ksLw92mQ\n");
        let masked = redacted("", &text);
        assert!(!masked.contains(&token) && !masked.contains("Kd83ksLw92mQ"), "{masked}");
    }
}

#[test]
fn what_leaves_is_redacted_escaped_and_cut() {
    let masker = Masker::knowing_nothing();
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    assert_eq!(
        masker.line(&format!("rotate\u{1b}[1m {token}\u{1b}[0m\nnow\u{202e}")).as_str(),
        "rotate [REDACTED:github-token] now\\u{202e}"
    );
    assert_eq!(masker.name("a\nb/\u{200b}c").as_str(), "a\\u{a}b/\\u{200b}c");
    let file = masker.file("a.rs", format!("\u{feff}one\r\n{token}\n{}\nlast\u{0}", "x".repeat(450)).as_bytes());
    assert_eq!(file.n_lines(), 4);
    assert_eq!(Safe::code(&file, 1..=2, LongLines::Cut).as_str(), "one\n[REDACTED:github-token]\n");
    assert_eq!(Safe::code(&file, 3..=3, LongLines::Cut).as_str(), format!("{}… [50 more characters]\n", "x".repeat(400)));
    assert_eq!(Safe::code(&file, 3..=3, LongLines::Whole).as_str(), "x".repeat(450) + "\n");
    assert_eq!(Safe::code(&file, 4..=9, LongLines::Cut).as_str(), "last\\u{0}");
    assert_eq!(Safe::code(&file, 7..=8, LongLines::Cut).as_str(), "");
    assert_eq!(masker.message("a\tb\n\u{1b}]0;t\u{7}c\n").as_str(), "a\tb\nc\n");
    assert_eq!(Safe::format("{} of {}{}", &[&Safe::number(2), &masker.name("b")]).as_str(), "2 of b");
    assert_eq!(Safe::join([&Safe::thousandths(-500), &Safe::thousandths(7_000)], ", ").as_str(), "-0.5, 7");
}

#[test]
fn spans_that_do_not_fit_their_text_do_no_harm() {
    let span = |start, end| MaskSpan { start, end, kind: "x" };
    assert_eq!(apply(b"abc", &[span(2, 9), span(1, 2), span(40, 50)]), b"ab[REDACTED:x][REDACTED:x][REDACTED:x]");
    assert_eq!(Redacted::masked("é\n".as_bytes(), &[span(1, 2)]).as_str(), "\\xc3[REDACTED:x]\n");
}

#[test]
fn hostile_repetition_is_read_as_often_as_its_length_says() {
    // More bytes than of any one value are read, for what is bounded by those grows at first.
    const N_BYTES: usize = 1 << 16;

    for unit in [
        "-----BEGIN PRIVATE KEY-----",
        "---- BEGIN PRIVATE KEY ----",
        "token=",
        "password: ",
        "eyJ.",
        "Private-Lines: 1\n",
        "Private-Lines:",
        "TOKEN=\"\\\"\n",
        "x://a:",
        "|password|\n|---|\n",
        "{\"kind\":\"Secret\",\"data\":{",
        "insert into a (password) values ('b', ",
        "passwords = {'a': 'b', ",
        "connect(",
        "connect(\"a\", \"b\", ",
    ] {
        for name in ["a.rs", ".env", "a.tfvars"] {
            let n_read = |n_bytes: usize| {
                let text = unit.repeat(n_bytes / unit.len());
                work::done_by(|| by_rules::find(name, text.as_bytes())).1
            };
            // Twice the text is twice the work; where that is quadratic, it is four times.
            let (once, twice) = (n_read(N_BYTES), n_read(2 * N_BYTES));
            assert!(once > 0 && twice <= once * 5 / 2, "{unit} in {name}: {once} bytes, then {twice}");
        }
    }
}

#[test]
fn a_password_file_with_a_header_of_a_key_is_masked_once() {
    let once = redacted(".htpasswd", "Proc-Type: 4,ENCRYPTED");
    assert_eq!(redacted(".htpasswd", &once), once);
}
