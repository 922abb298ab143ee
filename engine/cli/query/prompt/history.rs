//! What was typed before: the last statements, in a file of the user's own.

use std::collections::VecDeque;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The most statements that are kept.
const MAX_STATEMENTS: usize = 1_000;

/// The most bytes of a statement that is kept, and of the file.
const MAX_STATEMENT: usize = 4 << 10;
const MAX_BYTES: u64 = 4 << 20;

/// The file of statements, one a line: `\n` stands for the end of a line in one, and `\\` for `\`.
pub(in super::super) struct History {
    folder: PathBuf,
}

impl History {
    /// The one in a state folder.
    pub(in super::super) fn at(state: &Path) -> Self {
        Self { folder: state.join("query") }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("history")
    }

    /// The statements, the oldest first; none where they cannot be read.
    pub(super) fn statements(&self) -> VecDeque<String> {
        let mut bytes = Vec::new();
        let read = system::open_plain(&self.path(), OpenOptions::new().read(true))
            .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
        if read.is_err() {
            return VecDeque::new();
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut statements: VecDeque<String> = text.lines().map(unescaped).filter(|statement| !statement.is_empty()).collect();
        statements.drain(..statements.len().saturating_sub(MAX_STATEMENTS));
        statements
    }

    /// Keeps a statement as the newest: the file is replaced as a whole, and is its owner's alone.
    pub(super) fn keep(&self, statement: &str) -> io::Result<()> {
        if statement.is_empty() || statement.len() > MAX_STATEMENT {
            return Ok(());
        }
        let mut statements = self.statements();
        // What another session wrote meanwhile is there as well.
        if statements.back().is_some_and(|last| last == statement) {
            return Ok(());
        }
        statements.push_back(statement.to_owned());
        statements.drain(..statements.len().saturating_sub(MAX_STATEMENTS));
        let text: String = statements.iter().flat_map(|statement| [escaped(statement), "\n".to_owned()]).collect();
        system::private_folder(DirBuilder::new().recursive(true)).create(&self.folder)?;
        let new = self.folder.join(format!("history.{}.new", std::process::id()));
        let mut file = system::private_file(OpenOptions::new().write(true).create_new(true)).open(&new)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| system::replace(&new, &self.path()));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written
    }
}

fn escaped(statement: &str) -> String {
    statement.replace('\\', r"\\").replace('\n', r"\n")
}

fn unescaped(line: &str) -> String {
    let mut letters = line.chars();
    let mut statement = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => statement.extend(letters.next().map(|escape| if escape == 'n' { '\n' } else { escape })),
            _ => statement.push(letter),
        }
    }
    statement
}
