//! What `benches/compare` needs beside the command: the parser alone, facts alone, and an engine that stays.
//!
//! `yardstick parse FOLDER` reads and parses every file that has a grammar, on one thread; `yardstick facts FOLDER` takes its facts too,
//! without words, tokens and secrets. `yardstick resident FOLDER CACHE INTENT N` answers once, then `N` times more, and prints how many
//! milliseconds each of these took. Must not measure what it does itself otherwise: whoever runs it reads its time and memory.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a program that is told what to do and says what came out"
)]

use activate_grammars::{MAX_PARSE_BYTES, extract, language_of};
use context::budget::Budget;
use engine::{CacheChoice, Engine, Options, Request};
use error::Result;
use repo::{Repo, WalkOptions};
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["parse", folder] => read(folder, false),
        ["facts", folder] => read(folder, true),
        ["resident", folder, cache, intent, n_answers] => resident(folder, cache, intent, n_answers.parse().unwrap_or(1)),
        _ => {
            eprintln!("usage: yardstick parse FOLDER | facts FOLDER | resident FOLDER CACHE INTENT N");
            std::process::exit(2);
        }
    }
}

fn read(folder: &str, with_facts: bool) -> Result<()> {
    let repo = Repo::open(folder.as_ref())?;
    let mut parser = tree_sitter::Parser::new();
    let (mut n_files, mut n_bytes) = (0_u64, 0_u64);
    for file in repo.walk(&WalkOptions::default())?.files {
        let path = file.path.as_str();
        let Some((_, language)) = language_of(path) else { continue };
        // Links and what is too large to be parsed are left out by the command as well.
        let Ok(content) = repo.read(&file.path, MAX_PARSE_BYTES as u64) else { continue };
        (n_files, n_bytes) = (n_files + 1, n_bytes + content.len() as u64);
        if with_facts {
            black_box(extract(language, path, &content));
        } else {
            let extension = path.rsplit('.').next().unwrap_or_default();
            parser.set_language(&(language.grammar)(extension)).expect("a grammar of this version");
            black_box(parser.parse(&content, None));
        }
    }
    println!("{n_files} {n_bytes}");
    Ok(())
}

fn resident(folder: &str, cache: &str, intent: &str, n_answers: usize) -> Result<()> {
    let options = Options { cache: CacheChoice::Folder(cache.into()), ..Options::default() };
    let engine = Engine::open_with(folder, options)?;
    let request = Request::new(intent);
    let answer = || -> Result<usize> { Ok(engine.activate(&request)?.session_context(&Budget::default())?.text.text.len()) };
    answer()?;
    for _ in 0..n_answers {
        let started = Instant::now();
        black_box(answer()?);
        println!("{:.3}", started.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(())
}
