//! Runs one command: within time and size, in a process group of its own, of which no process is left at the end.
//!
//! What leaves that group, as daemons do with `setsid`, goes on. So does all of it where this program is killed with a signal that nobody
//! can catch: to be told of that, a child would have to run code of ours before its own, which needs `unsafe`.
//!
//! The only code that runs what a repository proposes.

use index::checks::Streams;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::{flag, low_level};
use std::fs::File;
use std::io::{self, ErrorKind, PipeReader, Read, Seek, SeekFrom, Write, pipe};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The most bytes that a command may write: as many as are read of a text.
pub(super) const MAX_BYTES: u64 = 256 << 20;
/// How long a command that is asked to end may take before it is killed, and how long what it leaves behind may go on writing.
const GRACE: Duration = Duration::from_secs(2);
/// How often the clock and signals are looked at while nothing is written.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
/// Bytes that are read at once: what a pipe holds.
const CHUNK_BYTES: usize = 64 << 10;
/// The most bytes at the end of an output in which its last lines are looked for.
const TAIL_BYTES: u64 = 64 << 10;

/// What commands find in their environment beside what is there: nobody looks at colours, and nobody answers questions.
const SETTINGS: [(&str, &str); 3] = [("NO_COLOR", "1"), ("CARGO_TERM_COLOR", "never"), ("CI", "1")];

/// Signals that end this program, and first what it runs.
const ENDING: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// What is to be run.
pub(super) struct Run<'r> {
    /// The program's file.
    pub(super) program: &'r Path,
    pub(super) arguments: &'r [String],
    pub(super) folder: &'r Path,
    pub(super) streams: Streams,
    /// When it is stopped.
    pub(super) deadline: Instant,
    /// How many bytes it may write.
    pub(super) max_bytes: u64,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// By itself, with an exit code.
    Exit(i32),
    /// By a signal of somebody else.
    Signal(i32),
    /// It was stopped at the limit of time.
    TimedOut,
    /// It was stopped since it wrote too much.
    TooLong,
    /// It was stopped since this program is to end.
    Interrupted,
}

/// What a command wrote.
pub(super) struct Ran {
    pub(super) end: End,
    /// Its outputs: one, or standard output and standard error.
    pub(super) outputs: Vec<Output>,
}

/// What was written to a stream, outside of memory.
pub(super) struct Output {
    file: File,
    n_bytes: u64,
}

impl Output {
    /// A file without a name.
    fn new() -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("activate-{}-{}.output", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let file = File::options().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
        std::fs::remove_file(&path)?;
        Ok(Self { file, n_bytes: 0 })
    }

    /// All that was written, from its beginning.
    pub(super) fn text(&mut self) -> io::Result<&File> {
        self.file.rewind()?;
        Ok(&self.file)
    }

    /// The end of what was written, in whole lines: half a secret is not known for one.
    pub(super) fn tail(&mut self) -> io::Result<String> {
        let start = self.n_bytes.saturating_sub(TAIL_BYTES);
        self.file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        let first =
            if start == 0 { 0 } else { bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |feed| feed + 1) };
        Ok(String::from_utf8_lossy(&bytes[first..]).into_owned())
    }
}

/// Takes note of signals that are to end this program, as long as it lives.
pub(super) struct Interrupts {
    caught: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl Interrupts {
    pub(super) fn watch() -> io::Result<Self> {
        let watching = Self { caught: Arc::default(), is_over: Arc::default() };
        for signal in heeded() {
            flag::register_conditional_default(signal, Arc::clone(&watching.is_over))?;
            flag::register_usize(signal, Arc::clone(&watching.caught), signal as usize)?;
        }
        Ok(watching)
    }

    /// Whether this program is to end.
    pub(super) fn is_caught(&self) -> bool {
        self.caught.load(Ordering::Relaxed) != 0
    }

    /// Ends this program by the signal that came, if one did.
    pub(super) fn obey(&self) {
        let signal = self.caught.load(Ordering::Relaxed);
        if signal != 0 {
            let _ = low_level::emulate_default_handler(signal as i32);
        }
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// The signals that end this program: not those that it was started to ignore.
pub(super) fn heeded() -> Vec<i32> {
    let ignored = ignored_signals();
    ENDING.into_iter().filter(|signal| ignored & (1_u64 << (signal - 1)) == 0).collect()
}

/// The signals that this program was told to ignore, a bit each, where the system tells: `nohup` is to be respected.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Runs a command to its end.
pub(super) fn run(run: &Run<'_>, interrupts: &Interrupts) -> io::Result<Ran> {
    let mut command = Command::new(run.program);
    command.args(run.arguments).current_dir(run.folder).envs(SETTINGS).stdin(Stdio::null()).process_group(0);
    let (out, writer) = pipe()?;
    let mut streams = vec![Stream::new(out)?];
    if run.streams == Streams::Apart {
        let (errors, writer) = pipe()?;
        streams.push(Stream::new(errors)?);
        command.stderr(writer);
    } else {
        command.stderr(writer.try_clone()?);
    }
    command.stdout(writer);
    let mut group = Group::start(&mut command)?;
    // It holds the ends that are written to.
    drop(command);
    let stopped = watch(&group, &mut streams, run, interrupts)?;
    let status = group.end()?;
    let end = stopped.unwrap_or_else(|| match (status.code(), status.signal()) {
        (Some(code), _) => End::Exit(code),
        (None, signal) => End::Signal(signal.unwrap_or_default()),
    });
    Ok(Ran { end, outputs: streams.into_iter().map(|stream| stream.output).collect() })
}

/// Reads what a group writes until it has ended; why it was stopped, if it was.
fn watch(group: &Group, streams: &mut [Stream], run: &Run<'_>, interrupts: &Interrupts) -> io::Result<Option<End>> {
    let mut stopped: Option<(End, Instant)> = None;
    let mut left_until = None;
    loop {
        let now = Instant::now();
        let n_bytes: u64 = streams.iter().map(|stream| stream.n_read).sum();
        let has_ended = group.has_ended()?;
        if has_ended {
            // What it leaves behind may hold its outputs open.
            let until = *left_until.get_or_insert(now + GRACE);
            if now >= until || streams.iter().all(|stream| !stream.is_open) {
                return Ok(stopped.map(|(why, _)| why));
            }
        }
        let why = match () {
            () if interrupts.is_caught() => Some(End::Interrupted),
            () if n_bytes > run.max_bytes => Some(End::TooLong),
            // What ended in time has its exit code, whatever it leaves behind.
            () if now >= run.deadline && !has_ended => Some(End::TimedOut),
            () => None,
        };
        match (stopped, why) {
            (None, Some(why)) => {
                group.send(Signal::TERM);
                stopped = Some((why, now + GRACE));
            }
            (Some((_, until)), _) if now >= until => group.send(Signal::KILL),
            _ => {}
        }
        read_ready(streams, run.max_bytes.saturating_sub(n_bytes))?;
    }
}

/// Waits a moment for something to be written, and reads it; no more than `room` bytes of it are kept.
fn read_ready(streams: &mut [Stream], room: u64) -> io::Result<()> {
    let mut waiting: Vec<PollFd<'_>> =
        streams.iter().filter(|stream| stream.is_open).map(|stream| PollFd::new(&stream.pipe, PollFlags::IN)).collect();
    match poll(&mut waiting, Some(&TICK)) {
        // A signal came: its turn is next.
        Err(rustix::io::Errno::INTR) => return Ok(()),
        other => other?,
    };
    let ready: Vec<bool> = waiting.iter().map(|waiting| !waiting.revents().is_empty()).collect();
    let open = streams.iter_mut().filter(|stream| stream.is_open);
    let mut room = room;
    for (stream, _) in open.zip(ready).filter(|(_, is_ready)| *is_ready) {
        room -= stream.read(room)?;
    }
    Ok(())
}

/// A stream of a command, and what it held so far.
struct Stream {
    pipe: PipeReader,
    is_open: bool,
    n_read: u64,
    output: Output,
}

impl Stream {
    fn new(pipe: PipeReader) -> io::Result<Self> {
        Ok(Self { pipe, is_open: true, n_read: 0, output: Output::new()? })
    }

    /// Reads what is there, and keeps as much of it as there is room for: how much that was.
    fn read(&mut self, room: u64) -> io::Result<u64> {
        let mut bytes = vec![0; CHUNK_BYTES];
        let n_read = match self.pipe.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(0),
            other => other?,
        };
        self.is_open = n_read > 0;
        self.n_read += n_read as u64;
        let n_kept = (n_read as u64).min(room);
        self.output.file.write_all(bytes.get(..n_kept as usize).unwrap_or_default())?;
        self.output.n_bytes += n_kept;
        Ok(n_kept)
    }
}

/// A process with all that it starts. Dropped, all of them are killed.
struct Group {
    leader: Child,
    id: Pid,
    is_over: bool,
}

impl Group {
    fn start(command: &mut Command) -> io::Result<Self> {
        let leader = command.spawn()?;
        Ok(Self { id: Pid::from_child(&leader), leader, is_over: false })
    }

    fn send(&self, signal: Signal) {
        // There is nobody left to tell where it fails.
        let _ = kill_process_group(self.id, signal);
    }

    /// Whether the leader has ended. It is not waited for yet, so that nobody else can get its number.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.id), options) {
            Err(rustix::io::Errno::INTR) => Ok(false),
            other => Ok(other?.is_some()),
        }
    }

    /// Kills what is left, and says how the leader ended.
    fn end(&mut self) -> io::Result<ExitStatus> {
        self.send(Signal::KILL);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a script within a time and a number of bytes.
    fn of(script: &str, streams: Streams, limit: Duration, max_bytes: u64) -> (End, Vec<String>) {
        let interrupts = Interrupts { caught: Arc::default(), is_over: Arc::default() };
        let arguments = ["-c".to_owned(), script.to_owned()];
        let (program, folder) = (Path::new("/bin/sh"), Path::new("/"));
        let deadline = Instant::now() + limit;
        let ran = run(&Run { program, arguments: &arguments, folder, streams, deadline, max_bytes }, &interrupts);
        let mut ran = ran.expect("a shell");
        let outputs = ran.outputs.iter_mut().map(|output| output.tail().expect("an output"));
        (ran.end, outputs.collect())
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(300);

    /// Whether the process whose number stands in the last line of a text ends soon. What nobody waits for yet has ended.
    fn is_gone(text: &str) -> bool {
        let number = text.lines().next_back().expect("a line");
        let has_ended = || {
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with(['Z', 'X']))
        };
        (0..250).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            has_ended()
        })
    }

    #[test]
    fn outputs_are_kept_in_their_order_or_apart() {
        let script = "echo a; echo b >&2; echo $CI$NO_COLOR; exit 3";
        assert_eq!(of(script, Streams::Joined, LONG, MAX_BYTES), (End::Exit(3), vec!["a\nb\n11\n".to_owned()]));
        assert_eq!(of(script, Streams::Apart, LONG, MAX_BYTES), (End::Exit(3), vec!["a\n11\n".to_owned(), "b\n".to_owned()]));
        assert_eq!(of("read line || kill -KILL $$", Streams::Joined, LONG, MAX_BYTES).0, End::Signal(9));
    }

    #[test]
    fn what_does_not_end_in_time_is_killed_with_what_it_started() {
        let deaf = "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $!; while :; do sleep 1; done";
        for script in [deaf, "sleep 300 & echo $!; wait"] {
            // None of them ends by itself soon.
            let (end, outputs) = of(script, Streams::Joined, SHORT, MAX_BYTES);
            assert_eq!(end, End::TimedOut);
            assert!(is_gone(&outputs[0]), "{script}");
        }
    }

    #[test]
    fn what_a_command_leaves_behind_is_killed() {
        let (end, outputs) = of("sleep 300 & echo $!", Streams::Joined, LONG, MAX_BYTES);
        assert_eq!(end, End::Exit(0));
        assert!(is_gone(&outputs[0]));
    }

    #[test]
    fn a_command_that_ended_in_time_did_so_whatever_it_leaves_behind() {
        let (end, outputs) = of("sleep 300 & echo $!; exit 3", Streams::Joined, SHORT, MAX_BYTES);
        assert_eq!(end, End::Exit(3));
        assert!(is_gone(&outputs[0]));
    }

    #[test]
    fn a_flood_is_stopped_and_kept_up_to_the_limit() {
        let flood = "yes & yes >&2";
        for streams in [Streams::Joined, Streams::Apart] {
            let interrupts = Interrupts { caught: Arc::default(), is_over: Arc::default() };
            let arguments = ["-c".to_owned(), flood.to_owned()];
            let (program, folder) = (Path::new("/bin/sh"), Path::new("/"));
            let deadline = Instant::now() + LONG;
            let ran = run(&Run { program, arguments: &arguments, folder, streams, deadline, max_bytes: 1_000_000 }, &interrupts);
            let ran = ran.expect("a shell");
            assert_eq!(ran.end, End::TooLong);
            assert_eq!(ran.outputs.iter().map(|output| output.n_bytes).sum::<u64>(), 1_000_000);
            let on_disk = ran.outputs.iter().map(|output| output.file.metadata().expect("a file").len()).sum::<u64>();
            assert_eq!(on_disk, 1_000_000);
        }
    }
}
