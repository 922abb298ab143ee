//! Runs one command: within time and size, in a group of its own, of which no process is left at the end.
//!
//! What leaves that group, as daemons do with `setsid`, goes on. So does all of it where this program is killed with a signal that nobody
//! can catch: to be told of that, a child would have to run code of ours before its own, which needs `unsafe`.
//!
//! The only code that runs what a repository proposes, and git where a fleet fetches.

use super::process::{Group, Interrupts, code_of};
use index::checks::Streams;
use std::fs::File;
use std::io::{self, ErrorKind, PipeReader, Read, Seek, SeekFrom, Write, pipe};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The most bytes that a command may write: as many as are read of a text.
pub(super) const MAX_BYTES: u64 = 256 << 20;
/// How long a command that is asked to end may take before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// How long an output is read that something holds open which the command left behind: what it wrote itself is read in far less, and a daemon
/// never closes it.
const OPEN_GRACE: Duration = Duration::from_secs(2);
/// How often the clock and signals are looked at while nothing is written.
const TICK: Duration = Duration::from_millis(20);
/// Bytes that are read at once: what a pipe holds.
const CHUNK_BYTES: usize = 64 << 10;
/// How many such parts of an output may wait to be kept.
const MAX_WAITING: usize = 4;
/// The most bytes at the end of an output in which its last lines are looked for.
const TAIL_BYTES: u64 = 64 << 10;

/// What commands find in their environment beside what is there: nobody looks at colours, and nobody answers questions.
pub(super) const SETTINGS: [(&str, &str); 3] = [("NO_COLOR", "1"), ("CARGO_TERM_COLOR", "never"), ("CI", "1")];

/// What is to be run.
pub(super) struct Run<'r> {
    /// The program's file.
    pub(super) program: &'r Path,
    pub(super) arguments: &'r [String],
    pub(super) folder: &'r Path,
    pub(super) streams: Streams,
    /// What it finds in its environment beside what is there.
    pub(super) settings: &'r [(&'r str, &'r str)],
    /// What it does not find there.
    pub(super) cleared: &'r [&'r str],
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
    /// Whether something that it left behind held them open, so that they were not read to their end.
    pub(super) is_held_open: bool,
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
        let file = system::private_file(File::options().read(true).write(true).create_new(true)).open(&path)?;
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

/// Runs a command to its end.
pub(super) fn run(run: &Run<'_>, interrupts: &Interrupts) -> io::Result<Ran> {
    let mut command = Command::new(run.program);
    command.args(run.arguments).current_dir(run.folder).envs(run.settings.iter().copied()).stdin(Stdio::null());
    for variable in run.cleared {
        command.env_remove(variable);
    }
    let (sender, parts) = sync_channel(MAX_WAITING);
    let (out, writer) = pipe()?;
    let mut streams = vec![Stream::new()?];
    let mut pipes = vec![out];
    if run.streams == Streams::Apart {
        let (errors, writer) = pipe()?;
        streams.push(Stream::new()?);
        pipes.push(errors);
        command.stderr(writer);
    } else {
        command.stderr(writer.try_clone()?);
    }
    command.stdout(writer);
    // The command holds the ends that are written to, and is gone once it has started.
    let mut group = Group::start(command)?;
    for (number, pipe) in pipes.into_iter().enumerate() {
        let sender = sender.clone();
        std::thread::Builder::new().spawn(move || forward(pipe, number, &sender))?;
    }
    drop(sender);
    let stopped = watch(&mut group, &mut streams, &parts, run, interrupts)?;
    let status = group.end()?;
    let end = stopped.unwrap_or_else(|| code_of(status).map_or_else(End::Signal, End::Exit));
    let is_held_open = streams.iter().any(|stream| stream.is_open);
    Ok(Ran { end, outputs: streams.into_iter().map(|stream| stream.output).collect(), is_held_open })
}

/// What was read of an output, by its number; nothing where it has ended.
type Part = (usize, io::Result<Vec<u8>>);

/// Reads an output to its end, or until nobody wants more of it: whoever keeps it open without writing holds up this thread and no other.
fn forward(mut pipe: PipeReader, number: usize, parts: &SyncSender<Part>) {
    loop {
        let mut bytes = vec![0; CHUNK_BYTES];
        let part = match pipe.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            other => other.map(|n_read| {
                bytes.truncate(n_read);
                bytes
            }),
        };
        let is_last = part.as_ref().map_or(true, Vec::is_empty);
        if parts.send((number, part)).is_err() || is_last {
            return;
        }
    }
}

/// Reads what a group writes until it has ended; why it was stopped, if it was.
fn watch(
    group: &mut Group,
    streams: &mut [Stream],
    parts: &Receiver<Part>,
    run: &Run<'_>,
    interrupts: &Interrupts,
) -> io::Result<Option<End>> {
    let mut stopped: Option<(End, Instant)> = None;
    let mut left_until = None;
    loop {
        let now = Instant::now();
        let n_bytes: u64 = streams.iter().map(|stream| stream.n_read).sum();
        let has_ended = group.has_ended()?;
        if has_ended {
            // What it leaves behind may hold its outputs open.
            let until = *left_until.get_or_insert(now + OPEN_GRACE);
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
                group.ask();
                stopped = Some((why, now + GRACE));
            }
            (Some((_, until)), _) if now >= until => group.kill(),
            _ => {}
        }
        match parts.recv_timeout(TICK) {
            Ok((number, part)) => {
                if let Some(stream) = streams.get_mut(number) {
                    stream.take(&part?, run.max_bytes.saturating_sub(n_bytes))?;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            // Its outputs have ended, and it has not.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(TICK),
        }
    }
}

/// A stream of a command, and what it held so far.
struct Stream {
    is_open: bool,
    n_read: u64,
    output: Output,
}

impl Stream {
    fn new() -> io::Result<Self> {
        Ok(Self { is_open: true, n_read: 0, output: Output::new()? })
    }

    /// Takes what was read, and keeps as much of it as there is room for.
    fn take(&mut self, part: &[u8], room: u64) -> io::Result<()> {
        self.is_open = !part.is_empty();
        self.n_read += part.len() as u64;
        let n_kept = (part.len() as u64).min(room);
        self.output.file.write_all(part.get(..n_kept as usize).unwrap_or_default())?;
        self.output.n_bytes += n_kept;
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Runs a script within a time and a number of bytes.
    fn of(script: &str, streams: Streams, limit: Duration, max_bytes: u64) -> (End, Vec<String>) {
        let interrupts = Interrupts::default();
        let arguments = ["-c".to_owned(), script.to_owned()];
        let (program, folder) = (Path::new("/bin/sh"), Path::new("/"));
        let deadline = Instant::now() + limit;
        let ran = run(
            &Run { program, arguments: &arguments, folder, streams, settings: &SETTINGS, cleared: &[], deadline, max_bytes },
            &interrupts,
        );
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

    // Other systems have no `setsid`.
    #[test]
    #[cfg(target_os = "linux")]
    fn what_leaves_the_group_and_holds_the_output_open_is_not_waited_for() {
        let (program, folder, deadline) = (Path::new("/bin/sh"), Path::new("/"), Instant::now() + LONG);
        let ran = |script: &str, streams: Streams| {
            let arguments = ["-c".to_owned(), script.to_owned()];
            let run = Run {
                program,
                arguments: &arguments,
                folder,
                streams,
                settings: &SETTINGS,
                cleared: &[],
                deadline,
                max_bytes: MAX_BYTES,
            };
            super::run(&run, &Interrupts::default()).expect("a shell")
        };
        for streams in [Streams::Joined, Streams::Apart] {
            let mut ran = ran("setsid sleep 60 & echo $!; echo done; exit 3", streams);
            let said = ran.outputs[0].tail().expect("an output");
            assert!(ran.is_held_open && ran.end == End::Exit(3) && said.ends_with("done\n"), "{said}");
            let number = said.lines().next().expect("a number");
            assert!(Command::new("kill").arg(number).status().expect("a program").success(), "it went on");
        }
        assert!(!ran("echo done", Streams::Apart).is_held_open);
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
            let interrupts = Interrupts::default();
            let arguments = ["-c".to_owned(), flood.to_owned()];
            let (program, folder) = (Path::new("/bin/sh"), Path::new("/"));
            let deadline = Instant::now() + LONG;
            let ran = run(
                &Run {
                    program,
                    arguments: &arguments,
                    folder,
                    streams,
                    settings: &SETTINGS,
                    cleared: &[],
                    deadline,
                    max_bytes: 1_000_000,
                },
                &interrupts,
            );
            let ran = ran.expect("a shell");
            assert_eq!(ran.end, End::TooLong);
            assert_eq!(ran.outputs.iter().map(|output| output.n_bytes).sum::<u64>(), 1_000_000);
            let on_disk = ran.outputs.iter().map(|output| output.file.metadata().expect("a file").len()).sum::<u64>();
            assert_eq!(on_disk, 1_000_000);
        }
    }
}
