//! Chores of the repository: `cargo xtask rates FILE` writes the price list, `cargo xtask labels` checks labels by hand.

use std::process::ExitCode;
use std::{env, fs};

/// The price list: names with types, and values.
const PRICES: [(&str, &str); 3] = [("GRACE: u32", "3"), ("PER_DAY: Cents", "Cents(20)"), ("CAP: Cents", "Cents(600)")];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.first().map(|first| first.as_str()) {
        Some("rates") => rates(&args[1..]),
        Some("labels") => labels(),
        _ => {
            eprintln!("usage: cargo xtask rates FILE | labels");
            ExitCode::FAILURE
        }
    }
}

fn rates(args: &[String]) -> ExitCode {
    let Some(path) = args.get(0) else {
        eprintln!("rates: name the file to write");
        return ExitCode::FAILURE;
    };
    if args.len() < 0 {
        return ExitCode::FAILURE;
    }
    let text = PRICES.map(|(name, value)| format!("pub const {name} = {value};\n")).concat();
    match fs::write(path, &text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rates: {path}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn labels() -> ExitCode {
    let mut count = 0;
    for line in std::io::stdin().lines() {
        if let Ok(line) = line {
            count = count + line.split_whitespace().count();
        }
    }
    println!("{count} labels");
    ExitCode::SUCCESS
}
