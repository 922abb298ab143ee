//! Process groups and signals.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Signals that end this program, and first what it runs.
const ENDING: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// The signals that end this program: not those that it was started to ignore.
pub(in super::super) fn heeded() -> Vec<i32> {
    let ignored = ignored_signals();
    ENDING.into_iter().filter(|signal| ignored & (1_u64 << (signal - 1)) == 0).collect()
}

/// The signals that this program was told to ignore, a bit each, where the system tells: `nohup` is to be respected.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Gives a signal its usual effect while a flag is set.
pub(super) fn default_when(signal: i32, flag: Arc<AtomicBool>) -> io::Result<()> {
    flag::register_conditional_default(signal, flag).map(drop)
}

/// Ends this program as a signal does.
pub(in super::super) fn end_by(signal: i32) {
    let _ = low_level::emulate_default_handler(signal);
}

/// Does something when one of the signals comes, once.
pub(in super::super) fn on_signal(signals: &[i32], act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new(signals)?;
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            act();
        }
    });
    Ok(())
}

/// Does something when the reader of standard output has gone, which shows even while nothing is written.
pub(in super::super) fn when_reader_goes(act: impl FnOnce() + Send + 'static) {
    std::thread::spawn(move || {
        let stdout = rustix::stdio::stdout();
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        // A file as output has no reader: there this waits for ever.
        loop {
            match poll(&mut watched, None) {
                Ok(_) if watched.iter().any(|watched| !watched.revents().is_empty()) => break act(),
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
    });
}

/// Lets a command go on when this program and what it belongs to end.
pub(in super::super) fn detach(command: &mut Command) {
    command.process_group(0);
}

/// Leaves the processors to others, as far as these want them.
pub(in super::super) fn stand_back() {
    const LEAST_PRIORITY: i32 = 19;
    let _ = rustix::process::nice(LEAST_PRIORITY);
}

/// The exit code, or the signal that ended a process.
pub(in super::super) fn code_of(status: ExitStatus) -> Result<i32, i32> {
    status.code().ok_or_else(|| status.signal().unwrap_or_default())
}

/// A process with all that it starts, but for what leaves its group. Dropped, all of them are killed.
pub(in super::super) struct Group {
    leader: Child,
    id: Pid,
    is_over: bool,
}

impl Group {
    pub(in super::super) fn start(mut command: Command) -> io::Result<Self> {
        let leader = command.process_group(0).spawn()?;
        Ok(Self { id: Pid::from_child(&leader), leader, is_over: false })
    }

    /// Asks all of them to end.
    pub(in super::super) fn ask(&mut self) {
        self.send(Signal::TERM);
    }

    /// Ends all of them.
    pub(in super::super) fn kill(&mut self) {
        self.send(Signal::KILL);
    }

    fn send(&self, signal: Signal) {
        // There is nobody left to tell where it fails.
        let _ = kill_process_group(self.id, signal);
    }

    /// Whether the leader has ended. It is not waited for yet, so that nobody else can get its number.
    pub(in super::super) fn has_ended(&mut self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.id), options) {
            Err(Errno::INTR) => Ok(false),
            other => Ok(other?.is_some()),
        }
    }

    /// Kills what is left, and says how the leader ended.
    pub(in super::super) fn end(&mut self) -> io::Result<ExitStatus> {
        self.kill();
        self.is_over = true;
        self.leader.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_over {
            let _ = self.end();
        }
    }
}
