//! Derives what follows from all repositories of a store, as `activate fleet sync` does, in one process or in several: for `benches/fleet`.
//!
//! ```sh
//! cargo run --release -p activate-fleet --example derive -- STORE FOLDER 2
//! cargo run --release -p activate-fleet --example derive -- STORE FOLDER 1 HOSTS 0    # likewise for each line of HOSTS
//! ```
//!
//! Prints seconds and rows; the first process writes the tables into the folder. The seconds begin when the workers do.

#![expect(clippy::disallowed_methods, reason = "a developer's command, which prints what it measures")]

use activate_fleet::store::Store;
use activate_fleet::{Source, Workers, derive, write};
use error::{Error, ErrorKind, Result};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [store, folder, threads, of_several @ ..] = &given[..] else {
        let _ = writeln!(io::stderr(), "usage: derive STORE FOLDER THREADS [HOSTS PROCESS]");
        return ExitCode::from(2);
    };
    match run(Path::new(store), Path::new(folder), threads, of_several) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "derive: {}", error.message);
            ExitCode::FAILURE
        }
    }
}

fn run(store: &Path, folder: &Path, threads: &str, of_several: &[String]) -> Result<()> {
    let number = |word: &str| {
        word.parse::<usize>().map_err(|_| Error::new(ErrorKind::BadInput, format!("`{word}` is no number: give one")))
    };
    let processes = match of_several {
        [] => None,
        [hosts, process, ..] => {
            let text = std::fs::read_to_string(hosts).map_err(|error| storage(&error))?;
            Some((number(process)?, text.lines().map(str::to_owned).collect()))
        }
        [_] => return Err(Error::new(ErrorKind::BadInput, "hosts need the number of this process: give it after them")),
    };
    let is_first = processes.as_ref().is_none_or(|(process, _)| *process == 0);
    let workers = Workers { n_threads: number(threads)?, processes };
    let current = Store::at(store).current()?;
    let source = |(name, shard): (&str, &str)| Source { name: name.to_owned(), folder: store.join(shard) };
    let sources: Vec<Source> = current.shards().map(source).collect();
    let began = Instant::now();
    let (derived, left_out) = derive(&sources, &workers)?;
    let seconds = began.elapsed().as_secs_f64();
    let n_rows = derived.len();
    if is_first {
        std::fs::create_dir_all(folder).map_err(|error| storage(&error))?;
        write(folder, derived)?;
    }
    let (written, n_lacks) = (began.elapsed().as_secs_f64(), left_out.problems.len());
    writeln!(io::stdout(), "{seconds:.3} s, {written:.3} s with the tables, {n_rows} rows, {n_lacks} left out")
        .map_err(|error| storage(&error))
}

fn storage(error: &io::Error) -> Error {
    Error::new(ErrorKind::Storage, error.to_string())
}
