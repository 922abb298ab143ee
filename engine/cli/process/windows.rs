//! Jobs and console events: Ctrl-C comes as a signal, a process cannot be asked to end, and nobody is told that a reader has gone.

use process_wrap::std::{ChildWrapper, CommandWrap, JobObject};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::os::windows::process::CommandExt as _;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Added to a signal's number, the exit code of a program that it ended, as shells have it.
const BY_SIGNAL: i32 = 128;
/// How often it is looked whether a signal came.
const TICK: Duration = Duration::from_millis(50);

/// The signals that end this program.
pub(in super::super) fn heeded() -> Vec<i32> {
    vec![SIGINT, SIGTERM]
}

/// Gives a signal its usual effect while a flag is set.
pub(super) fn default_when(signal: i32, flag: Arc<AtomicBool>) -> io::Result<()> {
    flag::register_conditional_shutdown(signal, BY_SIGNAL + signal, flag).map(drop)
}

/// Ends this program as a signal does.
pub(in super::super) fn end_by(signal: i32) {
    std::process::exit(BY_SIGNAL + signal);
}

/// Does something when one of the signals comes, once.
pub(in super::super) fn on_signal(signals: &[i32], act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let came = Arc::new(AtomicBool::new(false));
    for signal in signals {
        flag::register(*signal, Arc::clone(&came))?;
    }
    std::thread::spawn(move || {
        while !came.load(Ordering::Relaxed) {
            std::thread::sleep(TICK);
        }
        act();
    });
    Ok(())
}

/// Does something when the reader of standard output has gone: here a write that fails says so.
pub(in super::super) fn when_reader_goes(act: impl FnOnce() + Send + 'static) {
    drop(act);
}

/// Lets a command go on when this program and what it belongs to end, and leaves the processors to others.
pub(in super::super) fn detach(command: &mut Command) {
    const DETACHED_PROCESS: u32 = 0x8;
    const IDLE_PRIORITY_CLASS: u32 = 0x40;
    command.creation_flags(DETACHED_PROCESS | IDLE_PRIORITY_CLASS);
}

/// Leaves the processors to others: here whoever starts it says so.
pub(in super::super) fn stand_back() {}

/// The exit code, or the signal that ended a process.
pub(in super::super) fn code_of(status: ExitStatus) -> Result<i32, i32> {
    status.code().ok_or(0)
}

/// A process with all that it starts. Dropped, all of them are killed.
pub(in super::super) struct Group {
    leader: Box<dyn ChildWrapper>,
    is_over: bool,
}

impl Group {
    pub(in super::super) fn start(command: Command) -> io::Result<Self> {
        let leader = CommandWrap::from(command).wrap(JobObject).spawn()?;
        Ok(Self { leader, is_over: false })
    }

    /// Asks all of them to end: here they are ended.
    pub(in super::super) fn ask(&mut self) {
        self.kill();
    }

    /// Ends all of them.
    pub(in super::super) fn kill(&mut self) {
        // There is nobody left to tell where it fails.
        let _ = self.leader.start_kill();
    }

    /// Whether the leader has ended.
    pub(in super::super) fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.leader.inner_mut().try_wait()?.is_some())
    }

    /// Kills what is left, and says how the leader ended.
    pub(in super::super) fn end(&mut self) -> io::Result<ExitStatus> {
        self.kill();
        self.is_over = true;
        self.leader.inner_mut().wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_over {
            let _ = self.end();
        }
    }
}
