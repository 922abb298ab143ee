//! What generators of passwords and keys draw, in files of every usual format: how much of it is masked whole.
//!
//! `DRAWS=150 cargo test -p activate-redact --release drawn -- --nocapture` prints the shares of the whole table.

use super::by_rules;
use super::mask::apply;
use std::fmt::Write as _;

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";
/// Words of passphrases: of many kinds, as lists to draw from have them.
const WORDS: &str = "abrasive acorn blubber canopy cobweb dabbler dizzy eggplant emblem fanfare gizmo glacier hammock hubcap iguana jogging \
                     kimono lagoon lantern mammal marble nugget oblong outfit parsley pelican quartz quirk raffle ribbon saddle shimmer \
                     tapestry thimble umpire unicycle velvet waffle walnut yearling zesty copper meadow harbor violet thunder orchid falcon \
                     cactus tunnel dragon butter cheese rocket pillow mirror spider turtle banana trumpet pencil canyon tornado blanket \
                     stairway doorbell crouton dwindle exhale flagpole grumble handcuff implant jackpot knapsack luscious mulberry nastily \
                     overcoat pancreas quotable recliner skydiver trapeze unwashed vividly wobbly";
const NAMES: [&str; 8] =
    ["password", "db_password", "secret_key", "api_token", "client_secret", "encryption_key", "access_token", "admin_pass"];

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of(&mut self, characters: &str, n: usize) -> String {
        let characters: Vec<char> = characters.chars().collect();
        (0..n).map(|_| characters[self.below(characters.len())]).collect()
    }

    fn words(&mut self, separator: &str, n: usize) -> String {
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        (0..n).map(|_| words[self.below(words.len())]).collect::<Vec<_>>().join(separator)
    }
}

type Generator = (&'static str, fn(&mut Dice) -> String);

const GENERATORS: [Generator; 20] = [
    ("django", |dice| dice.of("abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", 50)),
    ("1password", |dice| dice.of(&format!("{LOWER}{UPPER}{DIGITS}!@#%^&*-_.?"), 20)),
    ("1password words", |dice| dice.words("-", 4)),
    ("bitwarden", |dice| dice.of(&format!("{LOWER}{UPPER}{DIGITS}!@#$%^&*"), 18)),
    ("keepass", |dice| format!("k{}", dice.of(&format!("{LOWER}{UPPER}{DIGITS}!#$%&()*+,-./:;<=>?@[]^_{{|}}~"), 24))),
    ("chrome", |dice| dice.of(&format!("{LOWER}{UPPER}{DIGITS}-_!"), 14) + &dice.of(DIGITS, 1)),
    ("safari", |dice| {
        format!("{}-{}-{}7", dice.of(LOWER, 6), dice.of(&format!("{LOWER}{DIGITS}"), 6), dice.of(&format!("{LOWER}{UPPER}"), 5))
    }),
    ("openssl base64", |dice| dice.of(&format!("{LOWER}{UPPER}{DIGITS}+/"), 43) + "="),
    ("openssl hex", |dice| dice.of("0123456789abcdef", 64)),
    ("pwgen -s 16", |dice| dice.of(&format!("{LOWER}{UPPER}{DIGITS}"), 16)),
    ("pwgen -s -y 20", |dice| format!("p{}", dice.of(&format!("{LOWER}{UPPER}{DIGITS}!#$%&()*+,-./:;=?@[]^_{{|}}~"), 19))),
    ("uuid", |dice| {
        let mut part = |n| dice.of("0123456789abcdef", n);
        format!("{}-{}-4{}-a{}-{}", part(8), part(4), part(3), part(3), part(12))
    }),
    ("diceware", |dice| dice.words(" ", 6)),
    ("xkcd", |dice| dice.words("-", 5)),
    ("words and a number", |dice| format!("{}{}", dice.words(".", 4), dice.of(DIGITS, 2))),
    ("token_urlsafe", |dice| dice.of(&format!("{LOWER}{UPPER}{DIGITS}_-"), 43)),
    ("wordpress salt", |dice| format!("w{}", dice.of(&format!("{LOWER}{UPPER}{DIGITS}!@#%^&*()-_ []{{}}~+=,.;:/?|"), 62) + "z")),
    ("base32", |dice| dice.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32)),
    ("laravel", |dice| format!("base64:{}=", dice.of(&format!("{LOWER}{UPPER}{DIGITS}+/"), 43))),
    ("said aloud", |dice| {
        let mut said = String::new();
        for _ in 0..6 {
            said += &(dice.of("bdfgklmnprstvz", 1) + &dice.of("aeiou", 1));
        }
        said + &dice.of(DIGITS, 2) + "!"
    }),
];

/// A file, and what stands before and behind a value that is written so.
type Format = (&'static str, fn(&str) -> (String, &'static str), fn(&str) -> String);

fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn plain(value: &str) -> String {
    value.to_owned()
}

const FORMATS: [Format; 12] = [
    ("settings.py", |name| (format!("DEBUG = 1\n{} = ", name.to_uppercase()), "\nA = []\n"), quoted),
    ("config.ts", |name| (format!("export const a = {{\n  {name}: "), ",\n  port: 1,\n};\n"), quoted),
    ("main.go", |name| (format!("package a\n\nconst {name} = "), "\n\nfunc main() {}\n"), quoted),
    ("lib.rs", |name| (format!("pub const {}: &str = ", name.to_uppercase()), ";\n"), |value| format!("r#\"{value}\"#")),
    ("App.java", |name| (format!("class A {{\n    static final String {} = ", name.to_uppercase()), ";\n}\n"), quoted),
    ("config.php", |name| (format!("<?php\ndefine('{}', ", name.to_uppercase()), ");\n"), |value| format!("'{value}'")),
    ("config.json", |name| (format!("{{\n  \"{name}\": "), ",\n  \"port\": 1\n}\n"), quoted),
    ("values.yaml", |name| (format!("db:\n  {name}: "), "\n  port: 1\n"), |value| format!("'{value}'")),
    ("app.properties", |name| (format!("app.host=a\napp.{}=", name.replace('_', "-")), "\napp.port=1\n"), plain),
    ("app.ini", |name| (format!("[db]\n{name} = "), "\nport = 1\n"), plain),
    ("run.sh", |name| (format!("export {}=", name.to_uppercase()), "\n./run\n"), |value| format!("'{value}'")),
    ("main.tf", |name| (format!("resource \"a\" \"b\" {{\n  {name} = "), "\n}\n"), quoted),
];

/// Characters of a value that give it away.
const TELLING: usize = 4;

/// Whether nothing of a value is left behind what stands before it.
fn is_masked_whole(file: &str, before: &str, written: &str, after: &str) -> bool {
    let text = format!("{before}{written}{after}");
    let masked = apply(text.as_bytes(), &by_rules::find(file, text.as_bytes()));
    let masked = String::from_utf8(masked).expect("masks lie between characters");
    let Some(left) = masked.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)) else { return false };
    let (mut rest, mut is_masked) = (String::new(), false);
    for part in left.split("[REDACTED:") {
        is_masked |= part.contains(']');
        rest.push_str(part.split_once(']').map_or(part, |(_, behind)| behind));
        rest.push('\0');
    }
    is_masked && !written.as_bytes().windows(TELLING).any(|part| rest.as_bytes().windows(TELLING).any(|window| window == part))
}

#[test]
#[expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "whoever asks for the table sees it")]
fn what_generators_draw_is_masked_whole_in_every_format() {
    let n_draws: u64 = std::env::var("DRAWS").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let (mut n_all, mut n_whole, mut table) = (0_u64, 0_u64, String::new());
    for (generator, draw) in GENERATORS {
        let mut n_here = 0;
        for (number, (file, around, write)) in FORMATS.iter().enumerate() {
            for seed in 0..n_draws {
                let mut dice = Dice(seed * 1_000 + number as u64 * 31 + generator.len() as u64);
                let value = draw(&mut dice).trim().to_owned();
                let (before, after) = around(NAMES[dice.below(NAMES.len())]);
                n_here += u64::from(is_masked_whole(file, &before, &write(&value), after));
            }
        }
        let n = n_draws * FORMATS.len() as u64;
        let _ = writeln!(table, "{generator:20} {:.3}", n_here as f64 / n as f64);
        n_all += n;
        n_whole += n_here;
    }
    let share = n_whole as f64 / n_all as f64;
    println!("{table}all {n_all}          {share:.4}");
    assert!(share >= 0.985, "{share:.4} of {n_all}\n{table}");
}
