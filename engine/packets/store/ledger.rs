//! One line for each call that has to do with a pack, in a file that starts again when it is long.

use super::{STAGE, lock};
use error::Problem;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// The most bytes of a ledger; one that has more becomes the old one, of which there is one.
const MAX_LEDGER: u64 = 4 << 20;

/// Adds a line to the ledger of a state folder.
///
/// # Errors
///
/// That the file cannot be written.
pub fn note(state: &Path, line: &str) -> Result<(), Problem> {
    write(state, line).map_err(|error| {
        Problem::new(STAGE, format!("the ledger `{}` could not be written: {error}", state.join("ledger.jsonl").display()))
    })
}

fn write(state: &Path, line: &str) -> io::Result<()> {
    system::private_folder(DirBuilder::new().recursive(true)).create(state)?;
    let path = state.join("ledger.jsonl");
    let held = || lock::held(&path, system::private_file(OpenOptions::new().append(true).create(true)));
    let mut file = held()?;
    if file.file.metadata()?.len() > MAX_LEDGER {
        // Only who holds it may: a second one would put a short ledger in the place of the old one.
        fs::rename(&path, state.join("ledger.old.jsonl"))?;
        file = held()?;
    }
    file.file.write_all(format!("{line}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_ledger_starts_anew_once_whoever_comes_first() {
        const N_THREADS: usize = 8;
        let state = std::env::temp_dir().join(format!("activate-ledger-{}", std::process::id()));
        let path = state.join("ledger.jsonl");
        fs::create_dir_all(&state).unwrap();
        fs::write(&path, "x".repeat(MAX_LEDGER as usize + 1)).unwrap();
        std::thread::scope(|scope| {
            (0..N_THREADS).for_each(|_| drop(scope.spawn(|| note(&state, "line").unwrap())));
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "line\n".repeat(N_THREADS));
        assert_eq!(fs::metadata(state.join("ledger.old.jsonl")).unwrap().len(), MAX_LEDGER + 1);
        fs::remove_dir_all(state).unwrap();
    }
}
