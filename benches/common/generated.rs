//! A repository of any size, the same for the same size: Go files that call each other, with words drawn from one vocabulary.

use crate::random::Random;
use std::fmt::Write;

/// Functions of a file, as many as in the middle one of the kubernetes tree.
const FUNCTIONS_PER_FILE: u32 = 8;

/// Files of a folder, which is a package.
const FILES_PER_FOLDER: u32 = 20;

/// Words of a comment above a function.
const WORDS_PER_COMMENT: usize = 12;

/// First and second parts of words; some of their products are frequent, most are rare, as in real text.
const BEGINNINGS: [&str; 16] = [
    "token", "session", "cache", "route", "store", "queue", "config", "parse", "retry", "volume", "schema", "socket", "bucket",
    "worker", "ledger", "signal",
];
const ENDINGS: [&str; 16] = [
    "", "s", "er", "Set", "Map", "Key", "Error", "Reader", "Writer", "Limit", "State", "Handler", "Index", "Table", "Client",
    "Server",
];

/// A word; small numbers are drawn far more often than great ones.
pub(crate) fn word(random: &mut Random) -> String {
    let mut draw = |names: &[&'static str]| {
        let most = 1 + random.below(names.len() as u32);
        names[random.below(most) as usize]
    };
    format!("{}{}", draw(&BEGINNINGS), draw(&ENDINGS))
}

/// The path of a file.
pub(crate) fn path(file: u32) -> String {
    format!("pkg{:04}/file{file:06}.go", file / FILES_PER_FOLDER)
}

/// Path and content of `n_files` files, by path.
pub(crate) fn files(n_files: u32) -> Vec<(String, String)> {
    let mut random = Random::new(u64::from(n_files));
    let mut files: Vec<(String, String)> = (0..n_files).map(|file| (path(file), content(file, &mut random))).collect();
    files.push(("go.mod".to_owned(), "module example.com/generated\n\ngo 1.22\n".to_owned()));
    files.sort_unstable();
    files
}

fn content(file: u32, random: &mut Random) -> String {
    let folder = file / FILES_PER_FOLDER;
    let mut text = format!("package pkg{folder:04}\n");
    for function in 0..FUNCTIONS_PER_FILE {
        let comment: Vec<String> = (0..WORDS_PER_COMMENT).map(|_| word(random)).collect();
        let (own, other) = (word(random), folder * FILES_PER_FOLDER + random.below(FILES_PER_FOLDER));
        let (name, called) = (name(file, function), name(other, random.below(FUNCTIONS_PER_FILE)));
        let written =
            write!(text, "\n// {name} {}.\nfunc {name}({own} int) int {{\n\treturn {called}({own})\n}}\n", comment.join(" "));
        written.expect("text takes all that is written to it");
    }
    text
}

/// The name of a function of a file.
pub(crate) fn name(file: u32, function: u32) -> String {
    let begin = BEGINNINGS[(file as usize + function as usize) % BEGINNINGS.len()];
    format!("{begin}F{file}N{function}")
}
