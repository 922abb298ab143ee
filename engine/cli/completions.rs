//! `activate completions SHELL` and `activate man`: what shells and manuals know of the command line, made from the parser itself.
//!
//! A script asks the program at each press of the key, so that it knows the repository too: its paths and its symbols.

use super::Command;
use super::exit::{Outcome, usage};
use super::name::{self, NAME, SECOND_NAME};
use super::options::RootOption;
use super::terminal::write_result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, EnvCompleter, Shells};
use error::{Error, ErrorKind, Result};
use index::base::FactBase;
use redact::Masker;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

pub(super) const COMMAND: Command = Command {
    name: "completions",
    about: "Write the script by which a shell completes commands, flags, paths and symbols",
    details: DETAILS,
    options: |command| {
        let shells = PossibleValuesParser::new(SHELLS);
        command.arg(Arg::new(SHELL).value_name("SHELL").required(true).value_parser(shells).help("The shell that reads it"))
    },
    run: |matches, _| run(matches),
};

/// For whoever packs the program.
pub(super) const MAN: Command = Command {
    name: "man",
    about: "Write the manual page, or with a folder those of all commands",
    details: "",
    options: |command| {
        let folder = Arg::new(FOLDER).value_name("DIR").value_parser(clap::value_parser!(PathBuf));
        command.arg(folder.help("Folder for one page a command; it must exist"))
    },
    run: |matches, _| man(matches),
};

const DETAILS: &str = "\
The script asks the program what may come next, and needs no change when that changes. Paths and symbols are those of the repository around the
current folder.

Examples:
    source <(activate completions bash)
    activate completions zsh > ~/.zfunc/_activate
    activate completions fish > ~/.config/fish/completions/activate.fish
    activate completions powershell >> $PROFILE";

const SHELL: &str = "shell";
const FOLDER: &str = "folder";
const SHELLS: [&str; 4] = ["bash", "zsh", "fish", "powershell"];

/// The variable by which a script asks; the name is the program's own, so that no other program takes it for a question.
const VARIABLE: &str = "ACTIVATE_COMPLETE";

/// How long a press of the key may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// The most names that are offered.
const MAX_OFFERED: usize = 200;

/// Positional arguments that name a file or a symbol, and flags that name a file of the repository.
const SYMBOLS: [&str; 5] = ["target", "symbol", "over", "name", "names"];
const PATHS: [&str; 3] = ["path", "pin", "keep"];

/// Answers the script of a shell, if that is who asks; then the process ends.
pub(super) fn answer(tree: fn() -> clap::Command) {
    if std::env::var_os(VARIABLE).is_some() {
        CompleteEnv::with_factory(|| offering(tree())).var(VARIABLE).complete();
    }
}

fn run(matches: &ArgMatches) -> Result<Outcome> {
    let shell = matches.get_one::<String>(SHELL).map(String::as_str).unwrap_or_default();
    let script = script(shell, name::called())?;
    write_result(|stdout| stdout.write_all(&script))?;
    Ok(Outcome::Answered)
}

/// The script of a shell. It calls the program by its name, since the place of the program is not known where it is packed.
fn script(shell: &str, program: &str) -> Result<Vec<u8>> {
    let shells = Shells::builtins();
    let shell: &dyn EnvCompleter = shells.completer(shell).ok_or_else(|| usage(format!("there is no script for `{shell}`")))?;
    let mut script = Vec::new();
    let unwritten = |error| Error::new(ErrorKind::Storage, "the script cannot be written").because(error);
    shell.write_registration(VARIABLE, program, program, program, &mut script).map_err(unwritten)?;
    Ok(script)
}

/// A command with what it can offer: names of the repository where they are asked for.
fn offering(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| {
        let id = arg.get_id().as_str();
        let is_of_names = arg.get_long().is_none() || id == "over";
        if SYMBOLS.contains(&id) && is_of_names {
            arg.add(ArgValueCompleter::new(|current: &OsStr| offered(current, true)))
        } else if PATHS.contains(&id) {
            arg.add(ArgValueCompleter::new(|current: &OsStr| offered(current, false)))
        } else {
            arg
        }
    });
    command.mut_subcommands(offering)
}

/// What may stand where something was begun; nothing where that takes too long.
fn offered(current: &OsStr, with_symbols: bool) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str().map(str::to_owned) else { return Vec::new() };
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let snapshot = RootOption::default().open().and_then(|engine| engine.snapshot());
        let names = snapshot.map(|snapshot| matching(&snapshot.base, snapshot.masker(), &current, with_symbols));
        sender.send(names.unwrap_or_default())
    });
    receiver.recv_timeout(PATIENCE).unwrap_or_default().into_iter().map(CompletionCandidate::new).collect()
}

/// Paths up to their next folder, and symbols, that begin with this: those of a file behind its `#`, else by their names. What has a secret in it,
/// or a sign that is not shown, is not offered.
fn matching(base: &FactBase, masker: &Masker, current: &str, with_symbols: bool) -> Vec<String> {
    let mut names = BTreeSet::new();
    for file in base.files() {
        let path = base.path(file);
        if let Some(rest) = path.strip_prefix(current) {
            let end = rest.find('/').map_or(path.len(), |at| current.len() + at + 1);
            names.insert(path[..end].to_owned());
        }
        let is_behind = current.strip_prefix(path).is_some_and(|rest| rest.starts_with('#'));
        if with_symbols && (is_behind || (!current.is_empty() && !current.contains(['/', '#']))) {
            for node in base.symbols_of(file) {
                let Some(symbol) = base.symbol(activate_rules::atoms::NodeId(node)) else { continue };
                let name = if is_behind { base.id(symbol.node) } else { symbol.local_id.to_owned() };
                if name.starts_with(current) {
                    names.insert(name);
                } else if symbol.name.starts_with(current) {
                    names.insert(symbol.name.to_owned());
                }
            }
        }
    }
    names.into_iter().filter(|name| is_harmless(name) && masker.name(name).as_str() == name).take(MAX_OFFERED).collect()
}

/// Whether a name means nothing but itself to a shell, which gets it as it is: a stranger chose it, and `$(…)` in it would be run.
fn is_harmless(name: &str) -> bool {
    !name.starts_with('-') && name.chars().all(|c| c.is_alphanumeric() || "_./#:@+,-".contains(c)) && !name.starts_with('#')
}

/// Writes manual pages.
fn man(matches: &ArgMatches) -> Result<Outcome> {
    let mut tree = super::tree();
    tree.build();
    let tree = described(tree);
    let Some(folder) = matches.get_one::<PathBuf>(FOLDER) else {
        let page = page(&tree)?;
        write_result(|stdout| stdout.write_all(page.as_bytes()))?;
        return Ok(Outcome::Answered);
    };
    write_pages(&tree, folder)?;
    // The second name has the same page.
    write_page(&folder.join(format!("{SECOND_NAME}.1")), &format!(".so man1/{NAME}.1\n"))?;
    Ok(Outcome::Answered)
}

/// Writes a page for everybody to read.
fn write_page(path: &Path, page: &str) -> Result<()> {
    let unwritable = |error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", path.display())).because(error);
    std::fs::write(path, page).map_err(unwritable)
}

/// A command whose flags all say what they are for: pages say nothing of those that the short help leaves out.
fn described(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| arg.hide_short_help(false)).mut_subcommands(described)
}

/// Writes the pages of a command and of those below it.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    write_page(&folder.join(format!("{name}.1")), &page(command)?)?;
    command.get_subcommands().filter(|command| !command.is_hide_set()).try_for_each(|command| write_pages(command, folder))
}

/// The manual page of a command. It has no date: the same sources give the same bytes.
fn page(command: &clap::Command) -> Result<String> {
    let mut page = Vec::new();
    let unwritten = |error| Error::new(ErrorKind::Storage, "the manual page cannot be written").because(error);
    let man =
        clap_mangen::Man::new(command.clone()).source(format!("{NAME} {}", env!("CARGO_PKG_VERSION"))).manual("User Commands");
    man.render(&mut page).map_err(unwritten)?;
    // Not every formatter reads UTF-8.
    let written = |c: char| if c.is_ascii() { c.to_string() } else { format!("\\[u{:04X}]", c as u32) };
    Ok(String::from_utf8_lossy(&page).chars().map(written).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{CacheChoice, Engine, Options};

    #[test]
    fn paths_are_offered_up_to_their_next_folder_and_symbols_by_name_or_file() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/auth-go");
        let engine = Engine::open_with(root, Options { cache: CacheChoice::Off, ..Options::default() }).expect("a repository");
        let snapshot = engine.snapshot().expect("its facts");
        let offered = |current: &str, symbols| matching(&snapshot.base, snapshot.masker(), current, symbols);
        assert_eq!(offered("internal/au", true), ["internal/auth/", "internal/authpb/"]);
        assert_eq!(offered("internal/auth/login.g", false), ["internal/auth/login.go"]);
        assert_eq!(offered("ValidateT", true), ["ValidateToken"]);
        assert_eq!(offered("ValidateT", false), [""; 0]);
        assert_eq!(offered("internal/auth/login.go#Va", true), ["internal/auth/login.go#ValidateToken"]);
        assert_eq!(offered("Book.L", true), ["Book.Login", "Book.Logout"]);
    }

    #[test]
    fn no_name_is_offered_that_a_shell_would_run() {
        for name in ["a/b.rs", "día.ts", "a.go#Type.method", "@scope/x+1,2"] {
            assert!(is_harmless(name), "{name}");
        }
        for name in [
            "$(touch x).rs",
            "`x`.rs",
            "a;b.rs",
            "a b.rs",
            "it's.rs",
            "a|b",
            "a&b",
            "a>b",
            "*.rs",
            "[id].tsx",
            "~x",
            "-rf",
            "#x",
            "a\\b",
        ] {
            assert!(!is_harmless(name), "{name}");
        }
    }

    #[test]
    fn every_shell_has_a_script_that_calls_the_program_by_its_name() {
        for shell in SHELLS {
            let script = script(shell, SECOND_NAME).expect("a script");
            assert!(String::from_utf8_lossy(&script).contains(SECOND_NAME), "{shell}");
        }
        assert!(script("tcsh", NAME).is_err());
    }
}
