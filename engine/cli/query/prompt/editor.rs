//! The prompt on a terminal: a line editor with what was typed before, and completion.

use super::{History, Prompt, Taken};
use error::{Error, ErrorKind, Result};
use rustyline::completion::Completer;
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use signal_hook::consts::SIGINT;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The prompt as the editor asks it.
struct Completing<'s>(Rc<RefCell<Prompt<'s>>>);

impl Completer for Completing<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.0.borrow().complete(line, at))
    }
}

impl Hinter for Completing<'_> {
    type Hint = String;
}

impl Highlighter for Completing<'_> {}

impl Validator for Completing<'_> {}

impl Helper for Completing<'_> {}

/// What is written, until somebody wants no more of it.
struct Stoppable<W> {
    to: W,
    is_stopped: Arc<AtomicBool>,
}

impl<W: Write> Write for Stoppable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Asks for lines until nobody gives more.
pub(in super::super) fn on_terminal(prompt: Prompt<'_>, history: Option<&History>) -> Result<()> {
    let failed = |error: ReadlineError| Error::new(ErrorKind::Storage, "the terminal cannot be used").because(error);
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(false).build();
    let mut editor = Editor::with_history(config.clone(), MemHistory::with_config(&config)).map_err(failed)?;
    let is_stopped = Arc::clone(&prompt.is_stopped);
    let prompt = Rc::new(RefCell::new(prompt));
    editor.set_helper(Some(Completing(Rc::clone(&prompt))));
    for statement in history.into_iter().flat_map(History::statements) {
        let _ = editor.add_history_entry(statement);
    }
    // While a line is edited the key is the editor's; while a question runs it stops that alone.
    let _ = signal_hook::flag::register(SIGINT, Arc::clone(&is_stopped));
    println("`.help` says what can be asked; Ctrl-D ends")?;
    loop {
        let asked = prompt.borrow().prompt();
        let text = match editor.readline(&asked) {
            Ok(text) => text,
            Err(ReadlineError::Interrupted) => {
                prompt.borrow_mut().forget();
                continue;
            }
            // The size of the terminal has changed.
            Err(ReadlineError::Signal(_)) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(failed(error)),
        };
        // What is taken from the history or pasted may have several lines.
        let lines = if text.is_empty() { vec![""] } else { text.lines().collect() };
        for line in lines {
            is_stopped.store(false, Ordering::Relaxed);
            let mut stdout = Stoppable { to: io::BufWriter::new(io::stdout()), is_stopped: Arc::clone(&is_stopped) };
            let taken = prompt.borrow_mut().take(line, &mut stdout).and_then(|taken| stdout.flush().map(|()| taken));
            match taken {
                Ok(Taken::Waits) => {}
                Ok(Taken::Done(statement)) => {
                    let is_plain = prompt.borrow().is_plain(&statement);
                    let _ = editor.add_history_entry(statement.as_str());
                    // A history that cannot be written is none; the session goes on.
                    if let Some(history) = history.filter(|_| is_plain) {
                        let _ = history.keep(&statement);
                    }
                }
                Ok(Taken::Ends) => return Ok(()),
                Err(_) if is_stopped.load(Ordering::Relaxed) => {
                    // What is still buffered is not wanted either.
                    let _ = stdout.to.into_parts();
                    println("stopped")?;
                }
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                Err(error) => return Err(Error::new(ErrorKind::Storage, "the result cannot be written to stdout").because(error)),
            }
        }
    }
}

fn println(text: &str) -> Result<()> {
    crate::terminal::write_result(|stdout| writeln!(stdout, "{text}"))
}
