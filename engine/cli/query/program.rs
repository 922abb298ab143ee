//! The texts of a program, and how messages call a place in one.

use crate::input::{self, Source};
use error::Result;
use query::{Mistake, Place, Program, Syntax, read_into};

/// Bytes of a text at most.
const MAX_TEXT: usize = 1 << 20;

/// The texts of a program by their numbers: files first, and then what the command line or a prompt asks.
#[derive(Default)]
pub(super) struct Sources {
    names: Vec<String>,
    texts: Vec<String>,
}

impl Sources {
    /// Reads the files of a program.
    pub(super) fn of(files: &[Source], program: Option<&str>) -> Result<Self> {
        let mut sources = Self { names: Vec::new(), texts: Vec::new() };
        for file in files {
            sources.texts.push(input::text(file, MAX_TEXT)?);
            sources.names.push(match file {
                Source::Stdin => file.to_string(),
                Source::File(path) => path.display().to_string(),
            });
        }
        sources.texts.extend(program.map(ToOwned::to_owned));
        Ok(sources)
    }

    /// The program that the texts say.
    pub(super) fn read(&self, syntax: Syntax) -> std::result::Result<Program, Mistake> {
        let mut program = Program::default();
        for (text, source) in self.texts.iter().zip(0..) {
            read_into(&mut program, text, Place::first(source), syntax)?;
        }
        Ok(program)
    }

    /// What the files are called.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The number of a text behind them.
    pub(super) fn next(&self) -> u32 {
        self.texts.len() as u32
    }

    fn name(&self, place: Place) -> Option<&str> {
        self.names.get(place.source as usize).map(String::as_str)
    }

    /// A place with its column, in front of what is wrong there.
    pub(super) fn place(&self, place: Place) -> String {
        match self.name(place) {
            Some(name) => format!("{name}:{}:{}", place.line, place.column),
            None => format!("line {}, column {}", place.line, place.column),
        }
    }

    /// The line of a rule, and what stands in front of it.
    pub(super) fn line(&self, place: Place) -> (&'static str, String) {
        match self.name(place) {
            Some(name) => ("at", format!("{name}:{}", place.line)),
            None => ("on", format!("line {}", place.line)),
        }
    }
}
