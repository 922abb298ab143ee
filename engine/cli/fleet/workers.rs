//! The flags that say who works: threads, processes on this machine, or hosts.

use clap::Args;
use error::{Error, ErrorKind, Result};
use fleet::Workers;
use std::path::PathBuf;

/// The most bytes of a list of hosts.
const MAX_HOSTS_BYTES: u64 = 1 << 20;

/// Who works. The answer is the same whoever does.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Workers")]
pub(super) struct WorkerOptions {
    /// Threads of each process
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// A file with `host:port` of each process, a line each: every process is started with the same command, and the first writes the answer
    #[arg(long, value_name = "FILE", requires = "process")]
    hostfile: Option<PathBuf>,
    /// Which line of the file is this process, from 0
    #[arg(long, value_name = "N", requires = "hostfile")]
    process: Option<usize>,
}

impl WorkerOptions {
    pub(super) fn workers(&self) -> Result<Workers> {
        let n_threads = usize::from(self.workers);
        let (Some(file), Some(process)) = (&self.hostfile, self.process) else { return Ok(Workers::threads(n_threads)) };
        let wrong = |why: String| Error::new(ErrorKind::BadInput, format!("the list of hosts `{}`: {why}", file.display()));
        let text = fleet::host_text(file, "list of hosts", MAX_HOSTS_BYTES, "it has `host:port` of each process, a line each")?;
        let mut addresses: Vec<String> = Vec::new();
        for (line, number) in text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
        {
            let port = line.rsplit_once(':').filter(|(host, _)| !host.is_empty()).and_then(|(_, port)| port.parse::<u16>().ok());
            if port.is_none() {
                return Err(wrong(format!("line {number} is no `host:port`")));
            }
            addresses.push(line.to_owned());
        }
        if process >= addresses.len() {
            return Err(wrong(format!(
                "process {process} needs line {}, and it has {} with an address",
                process + 1,
                addresses.len()
            )));
        }
        Ok(Workers { n_threads, processes: Some((process, addresses)) })
    }

    /// Whether this process writes the answer.
    pub(super) fn is_first(&self) -> bool {
        self.process.unwrap_or(0) == 0
    }
}
