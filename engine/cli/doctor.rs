//! `activate doctor`: what is wrong with a set-up, if anything is.
//!
//! Says what it finds and what to do.

use super::Command;
use super::exit::{Outcome, code_and_advice};
use super::options::RepositoryOptions;
use super::redact::add_user_rules;
use super::setup::{Tried, tried};
use super::state::StateOptions;
use super::terminal::{Terminal, write_result};
use cache::Cache;
use clap::Args;
use error::{Error, ErrorKind, Result};
use index::completeness::unparsed;
use index::snapshot::Snapshot;
use repo::Repo;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) const COMMAND: Command = Command {
    name: "doctor",
    about: "Say what is wrong with a set-up: versions, repository, languages, symbols, cache, state folder, redaction rules, agents",
    details: "Each line begins with `ok`, `warning` or `error`. The exit code is that of the first error. The server of
an agent that is set up is started and asked one question, where its command is the one that `activate setup` writes.",
    options: DoctorOptions::augment_args,
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

/// The most problems of a repository that are shown one by one.
const MAX_PROBLEMS: usize = 10;

#[derive(Debug, Args)]
struct DoctorOptions {
    #[command(flatten)]
    state: StateOptions,
    #[command(flatten)]
    repository: RepositoryOptions,
}

/// What was found out, a line each.
#[derive(Default)]
struct Findings {
    lines: Vec<String>,
    first: Option<Error>,
    is_unreachable: bool,
}

impl Findings {
    fn ok(&mut self, text: &str) {
        self.lines.push(format!("ok       {text}"));
    }

    fn warning(&mut self, text: &str) {
        self.lines.push(format!("warning  {text}"));
    }

    fn error(&mut self, error: Error) {
        let advice = error.advice.unwrap_or(code_and_advice(error.kind).1);
        self.lines.push(format!("error    {error}{}{advice}", if advice.is_empty() { "" } else { ": " }));
        self.first.get_or_insert(error);
    }

    fn unreachable(&mut self, text: &str) {
        self.lines.push(format!("error    {text}"));
        self.is_unreachable = true;
    }
}

fn run(options: &DoctorOptions, terminal: &Terminal) -> Result<Outcome> {
    let mut findings = Findings::default();
    versions(&mut findings);
    if let Err(error) = add_user_rules(terminal) {
        findings.error(error);
    }
    repository(options, &mut findings, terminal);
    cache(options, &mut findings);
    state(options, &mut findings);
    agents(options, &mut findings);
    write_result(|stdout| findings.lines.iter().try_for_each(|line| writeln!(stdout, "{}", terminal.line(line))))?;
    let outcome = if findings.is_unreachable { Outcome::Unreachable } else { Outcome::Answered };
    findings.first.map_or(Ok(outcome), Err)
}

/// What runs, and whether it is what the name means in a shell: agents start that.
fn versions(findings: &mut Findings) {
    let version = env!("CARGO_PKG_VERSION");
    findings.ok(&format!("activate {version} for {} {}", std::env::consts::OS, std::env::consts::ARCH));
    let own = std::env::current_exe().and_then(|path| system::canonical(&path));
    let folders = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let names = system::program_names("activate");
    let found = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).find(|path| path.is_file());
    match (own, found) {
        (_, None) => findings.warning("no `activate` is on PATH: name its whole path where an agent is set up"),
        (Ok(own), Some(found)) if system::canonical(&found).is_ok_and(|found| found == own) => {
            findings.ok(&format!("`activate` on PATH is this program, {}", found.display()));
        }
        (_, Some(found)) => findings.warning(&format!("`activate` on PATH is another program: {}", found.display())),
    }
}

fn repository(options: &DoctorOptions, findings: &mut Findings, terminal: &Terminal) {
    let engine = match options.repository.open() {
        Ok(engine) => engine,
        Err(error) => return findings.error(error),
    };
    let watch = options.repository.watch();
    let snapshot = engine.look_with(&|progress| watch.tell(progress));
    terminal.learn(&engine.masker());
    watch.clear();
    let snapshot = match snapshot {
        Ok(snapshot) => snapshot,
        Err(error) => return findings.error(error),
    };
    let base = &snapshot.base;
    findings.ok(&format!("repository {}: {} files, {} symbols", engine.root(), base.n_files(), base.n_symbols()));
    match &snapshot.head {
        Some(head) => {
            let branch = head.branch.as_deref().unwrap_or("no branch");
            let commit = head.commit.as_deref().map_or("no commit yet", |commit| commit.get(..12).unwrap_or(commit));
            let n_commits = snapshot.past.commits.len();
            findings
                .ok(&format!("git: {branch} at {commit}, {n_commits} commits read, {} files changed", snapshot.changes.len()));
        }
        None => findings.warning("git: there is none here, so nothing is known of history and changes"),
    }
    if let Err(error) = snapshot.defined() {
        findings.error(error);
    }
    languages(&snapshot, findings);
    for problem in snapshot.problems.iter().take(MAX_PROBLEMS) {
        findings.warning(&format!("{}: {problem}", problem.stage));
    }
    if snapshot.problems.len() > MAX_PROBLEMS {
        findings.warning(&format!("and {} more problems", snapshot.problems.len() - MAX_PROBLEMS));
    }
}

/// Files and symbols by language. Code without one symbol is code that is not understood.
fn languages(snapshot: &Snapshot, findings: &mut Findings) {
    let base = &snapshot.base;
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for file in base.files() {
        if let Some(language) = base.language(file) {
            let count = counts.entry(language).or_default();
            count.0 += 1;
            count.1 += base.symbols_of(file).len();
        }
    }
    if counts.is_empty() {
        let message = "no file is in a language that is parsed: text is searched, and no symbol is known";
        findings.error(Error::new(ErrorKind::NoSymbols, message));
    }
    if let Some(files) = unparsed(base) {
        findings.warning(&files);
    }
    for (language, (n_files, n_symbols)) in counts {
        let text = format!("{language}: {n_files} files, {n_symbols} symbols");
        if n_symbols == 0 { findings.warning(&format!("{text}: not one definition was found")) } else { findings.ok(&text) }
    }
}

fn cache(options: &DoctorOptions, findings: &mut Findings) {
    let Some(folder) = options.repository.cache_folder() else {
        return findings.warning("cache: none is used, so every answer reads the whole repository");
    };
    match Cache::open(&folder).and_then(|cache| cache.list()) {
        Ok(files) => {
            let n_bytes: u64 = files.iter().map(|(_, n_bytes)| n_bytes).sum();
            findings.ok(&format!("cache {}: {} files, {n_bytes} bytes", folder.display(), files.len()));
        }
        Err(problem) => findings.warning(&format!("cache {}: {}", folder.display(), problem.message)),
    }
}

/// Whether the servers answer that agents are set up with.
fn agents(options: &DoctorOptions, findings: &mut Findings) {
    let lines = match options.repository.folder().and_then(|root| tried(&root)) {
        Ok(lines) => lines,
        // That there is no repository was told.
        Err(error) if findings.first.is_some() => return findings.warning(&format!("agents: {error}")),
        Err(error) => return findings.error(error),
    };
    if lines.is_empty() {
        findings.ok("no agent is set up to use it here: `activate setup` does that");
    }
    for line in lines {
        match line {
            Tried::Answered(line) => findings.ok(&line),
            Tried::Untried(line) => findings.warning(&line),
            Tried::Failed(line) => findings.unreachable(&line),
        }
    }
}

/// Where packets are kept.
fn state(options: &DoctorOptions, findings: &mut Findings) {
    let folder = match options.state.folder() {
        Ok(folder) => folder,
        Err(error) => return findings.warning(&error.to_string()),
    };
    let root = options.repository.folder();
    if root.is_ok_and(|root| Repo::open(&root).is_ok_and(|repo| repo.holds(&folder))) {
        return findings.warning(&format!("state folder {}: it lies inside the repository and is not used", folder.display()));
    }
    let existing = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
    match system::is_writable(existing) {
        Ok(()) => findings.ok(&format!("state folder {}", folder.display())),
        Err(error) => findings.warning(&format!("state folder {}: it cannot be written to ({error})", folder.display())),
    }
}
