//! Where systems differ in processes and signals: a command with all that it starts, what ends this program, and a reader that goes.
//!
//! `unix.rs` and `windows.rs` offer the same. Must not know what a command is run for.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as own;
#[cfg(windows)]
use windows as own;

pub(super) use own::{Group, code_of, detach, end_by, heeded, on_signal, stand_back, when_reader_goes};

use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
#[cfg(feature = "fleet")]
use std::{thread, time::Duration};

/// Between two looks for a signal.
#[cfg(feature = "fleet")]
const PAUSE: Duration = Duration::from_millis(50);

/// Takes note of signals that are to end this program, as long as it lives.
#[derive(Default)]
pub(super) struct Interrupts {
    caught: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl Interrupts {
    pub(super) fn watch() -> io::Result<Self> {
        let watching = Self::default();
        for signal in heeded() {
            own::default_when(signal, Arc::clone(&watching.is_over))?;
            flag::register_usize(signal, Arc::clone(&watching.caught), signal as usize)?;
        }
        Ok(watching)
    }

    /// Whether this program is to end.
    pub(super) fn is_caught(&self) -> bool {
        self.caught.load(Ordering::Relaxed) != 0
    }

    /// Ends this program so long after a signal came, whatever it does then: by that time its children have been stopped.
    #[cfg(feature = "fleet")]
    pub(super) fn obey_within(&self, time: Duration) {
        let (caught, is_over) = (Arc::clone(&self.caught), Arc::clone(&self.is_over));
        let wait = move || {
            while !is_over.load(Ordering::Relaxed) {
                let signal = caught.load(Ordering::Relaxed);
                thread::sleep(if signal == 0 { PAUSE } else { time });
                if signal != 0 {
                    is_over.store(true, Ordering::Relaxed);
                    end_by(signal as i32);
                }
            }
        };
        // Without a thread it ends where it looks for signals.
        let _ = thread::Builder::new().name("interrupts".to_owned()).spawn(wait);
    }

    /// From here on signals end it at once.
    pub(super) fn leave_alone(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Ends this program by the signal that came, if one did.
    pub(super) fn obey(&self) {
        let signal = self.caught.load(Ordering::Relaxed);
        if signal != 0 {
            end_by(signal as i32);
        }
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.leave_alone();
    }
}
