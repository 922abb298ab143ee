//! The command: flags, the file, and what opens it.

use super::collect::{MAX_NODES, collect};
use crate::Command;
use crate::exit::{Outcome, usage};
use crate::file;
use crate::kinds::KindOptions;
use crate::learn::activate;
use crate::options::RepositoryOptions;
use crate::progress::Stage;
use crate::task_options::TaskOptions;
use crate::terminal::{Terminal, write_answer};
use crate::words::WORDS;
use clap::{Arg, ArgGroup, ArgMatches, Args, value_parser};
use error::{Error, ErrorKind, Result};
use intent::Certainty;
use packets::answer::Kind;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use xxhash_rust::xxh3::xxh3_64;

pub(crate) const COMMAND: Command = Command {
    name: "view",
    about: "Draw an answer as one page: the way of energy, the budget, a change, the modules",
    details: DETAILS,
    options: |command| {
        let nodes = value_parser!(u16).range(1..=MAX_NODES as i64);
        let command = ViewOptions::augment_args(command.arg(words()));
        WITHOUT_USE
            .iter()
            .fold(command, |command, flag| command.mut_arg(flag, |arg| arg.hide(true)))
            .mut_arg("nodes", |arg| arg.value_parser(nodes))
            .group(ArgGroup::new("page").args(["out", "open"]).required(true).multiple(true))
            .mut_arg("intent", |arg| arg.required_unless_present(WORDS).conflicts_with(WORDS))
    },
    run: |matches, terminal| run(matches, terminal),
};

/// Flags about kinds of packets that are no page. They are refused as elsewhere, where they would change something.
const WITHOUT_USE: [&str; 14] = [
    "packet",
    "receipt",
    "record",
    "max_items",
    "trust",
    "max_files",
    "max_lines",
    "include",
    "drop",
    "no_auto_pins",
    "scope",
    "task_id",
    "run_id",
    "now",
];

const DETAILS: &str = "\
The page is one file that loads nothing and sends nothing. The same files and the same flags give the same bytes.

Examples:
    activate view \"fix ValidateToken\" --out view.html
    activate view --diff main..HEAD --open";

/// The words of an intent.
fn words() -> Arg {
    Arg::new(WORDS)
        .value_name("WORDS")
        .num_args(1..)
        .help("What is to be done, in any words, as by `--intent`; `-` reads it from stdin")
}

#[derive(Debug, Args)]
struct ViewOptions {
    /// The file to write; one that is there is replaced [default with `--open`: one in the folder for temporary files]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Open the page with the program that the system has for it
    #[arg(long)]
    open: bool,
    /// The most files and definitions on the page, up to 5000 [default: 300, or as many as fit in 400 kB]
    #[arg(long, value_name = "N")]
    nodes: Option<u16>,
    #[command(flatten)]
    task: TaskOptions,
    #[command(flatten)]
    kind: KindOptions,
    #[command(flatten)]
    repository: RepositoryOptions,
}

fn run(matches: &ArgMatches, terminal: &Terminal) -> Result<Outcome> {
    let mut options: ViewOptions = crate::options_of(matches)?;
    let words: Vec<&str> = matches.get_many::<String>(WORDS).into_iter().flatten().map(String::as_str).collect();
    if !words.is_empty() {
        options.task.say(words.join(" "));
    }
    let mut wanted = options.kind.wanted();
    if wanted.kind != Kind::Session {
        return Err(usage(format!("a page shows a session packet, and `--packet` asks for a {} pack", wanted.kind.name())));
    }
    if wanted.receipt || options.task.records() {
        return Err(usage("a page is no packet that is sent: leave out `--receipt` and `--record`"));
    }
    // Nothing is read of the repository before it is known where the page may go.
    let out = options.out.as_deref().map(allowed).transpose()?;
    let mut request = options.task.request(&options.repository, terminal)?;
    options.kind.limit(&mut request, &mut wanted)?;
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    let activation = activate(&engine, &request, &watch, terminal)?;
    watch.enter(Stage::Fill);
    let page = collect(&activation, &wanted.budget(), options.nodes.map(usize::from))?;
    watch.enter(Stage::Render);
    let out = out.unwrap_or_else(|| std::env::temp_dir().join(format!("activate-view-{:016x}.html", xxh3_64(page.as_bytes()))));
    file::replace(&out, &page)?;
    watch.clear();
    let said = format!("wrote {} ({} kB)", out.display(), page.len().div_ceil(1000));
    write_answer(&(terminal.line(&said) + "\n"))?;
    options.repository.warn(terminal, activation.problems());
    watch.finish(activation.snapshot.effort);
    if options.open {
        open(&out, terminal);
    }
    if activation.found.intent.certainty == Certainty::None {
        if !options.repository.quiet {
            terminal.note("warning: nothing was found for the intent; the page says so");
        }
        return Ok(Outcome::NothingFound);
    }
    Ok(Outcome::Answered)
}

/// A file that may be written: not in a folder of git, whichever way the path leads there.
fn allowed(path: &Path) -> Result<PathBuf> {
    let unwritable = |why: &str| Error::new(ErrorKind::BadInput, format!("`{}` cannot be written: {why}", path.display()));
    let name = path.file_name().ok_or_else(|| unwritable("it names no file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = system::canonical(folder)
        .map_err(|error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", path.display())).because(error))?;
    let path = folder.join(name);
    if path.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
        return Err(unwritable("it lies in a folder of git"));
    }
    Ok(path)
}

/// What opens a file as a click on it does.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Opens a file that was just written. That this fails is told and costs no page.
fn open(path: &Path, terminal: &Terminal) {
    let mut command = std::process::Command::new(OPENER);
    let started = command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        terminal.note(&format!("warning: `{OPENER}` cannot be started ({error}): open {} by hand", path.display()));
    }
}

#[cfg(test)]
mod tests {
    use super::allowed;
    use std::fs;

    #[test]
    fn no_page_is_written_into_a_folder_of_git() {
        let folder = std::env::temp_dir().join(format!("activate-view-command-{}", std::process::id()));
        fs::create_dir_all(folder.join(".git/hooks")).expect("a folder");
        std::os::unix::fs::symlink(folder.join(".git/hooks"), folder.join("pages")).expect("a link");
        let said = |path: &str| allowed(&folder.join(path)).map_err(|error| error.message);
        let shown = ["view.html", "pages/post-commit", ".git/view.html", ".GIT", ".git", "none/view.html", ".."].map(|path| {
            match said(path) {
                Ok(_) => "written",
                Err(message) if message.contains("a folder of git") => "git",
                Err(message) if message.contains("names no file") => "no file",
                Err(_) => "no folder",
            }
        });
        fs::remove_dir_all(&folder).expect("a folder");
        assert_eq!(shown, ["written", "git", "git", "git", "git", "no folder", "no file"]);
    }
}
