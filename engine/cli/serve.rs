//! `activate serve`: the server for coding agents, over standard input and output or over HTTP on this machine.

use super::exit::Outcome;
use super::input::{self, Source};
use super::options::RepositoryOptions;
use super::state::StateOptions;
use super::terminal::say;
use super::{Command, index, options_of, process};
use crate::mcp::{self, Form, Listening, Listing, Reached, Served, Token, ToolSet, Toolbox};
use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser as _};
use engine::Engine;
use error::{Error, ErrorKind, Result};
use std::path::PathBuf;

pub(super) const COMMAND: Command = Command {
    name: "serve",
    about: "Serve the tools of coding agents over the Model Context Protocol",
    details: DETAILS,
    options: |command| {
        let command = ServeOptions::augment_args(command);
        #[cfg(feature = "fleet")]
        let command = super::fleet::ServedOptions::bind(command);
        command
    },
    run: |matches, _| serve(&options_of(matches)?),
};

const DETAILS: &str = "\
An agent starts it and speaks to it over stdin and stdout; it ends with the agent. The tools are `context`, `read` and `explain`, and with
`--toolset ctx` those of `activate ctx`. Nothing is read before the first call. Every call sees the files as they are then. Nothing outside
of the repository is read, nothing is written into it, and nothing of it is run.
The first answer about a large repository that nobody has read comes from a part of it, while `activate index` reads all in the background.
With `--http` it listens on 127.0.0.1 alone, and answers who has the token that stderr says.

Example:
    activate serve --repo .
    activate serve --toolset ctx --http 8432 --token-file ~/.activate-token";

/// The most bytes of a file that holds a token.
const MAX_TOKEN_FILE_BYTES: usize = 4 << 10;

#[derive(Debug, Args)]
struct ServeOptions {
    /// List the tools that work on a pack too
    #[arg(long, value_name = "SET", value_parser = PossibleValuesParser::new(["ctx"]))]
    toolset: Option<String>,
    /// List those with a dot in their names, as in `ctx.search`; calls know both
    #[arg(long, value_name = "FORM", value_parser = PossibleValuesParser::new(["dot"]))]
    tool_names: Option<String>,
    /// Answer every client so: as text, or as structured content by a schema [default: by what is known of the client]
    #[arg(long, value_name = "FORM", value_parser = PossibleValuesParser::new(["text", "structured"]))]
    answers: Option<String>,
    /// Listen on this port of 127.0.0.1 in the place of stdin; 0 for any that is free
    #[arg(long, value_name = "PORT")]
    http: Option<u16>,
    /// The token that clients must have [default: a new one, said on stderr]
    #[arg(long, value_name = "FILE", requires = "http", value_parser = PathBufValueParser::new().map(Source::File))]
    token_file: Option<Source>,
    /// Answer every program of this machine
    #[arg(long, requires = "http", conflicts_with = "token_file", hide = true)]
    no_token: bool,
    #[command(flatten)]
    state: StateOptions,
    #[cfg(feature = "fleet")]
    #[command(flatten)]
    fleet: super::fleet::ServedOptions,
    #[command(flatten)]
    repository: RepositoryOptions,
}

fn serve(options: &ServeOptions) -> Result<Outcome> {
    #[cfg(feature = "fleet")]
    if let Some(fleet) = options.fleet.served(options.repository.cache_folder())? {
        return reach(options, fleet);
    }
    let engine = options.repository.open()?;
    let state = state(options, &engine)?;
    let mut toolbox = Toolbox::new(engine, state);
    if toolbox.engine().cache().is_some() {
        let repository = options.repository.clone();
        toolbox = toolbox.reading_ahead(Box::new(move |engine| index::start(engine, &repository)));
    }
    reach(options, toolbox)
}

/// Serves over stdin and stdout, or over HTTP.
fn reach<S: Served>(options: &ServeOptions, served: S) -> Result<Outcome> {
    let reached = options.http.map_or(Ok(Reached::Stdio), |port| listen(options, port))?;
    let set = if options.toolset.is_some() { ToolSet::Ctx } else { ToolSet::Default };
    let form = options.answers.as_deref().map(|form| if form == "text" { Form::Text } else { Form::Structured });
    let listing = Listing { set, dotted: options.tool_names.is_some(), form };
    mcp::serve(served, listing, reached, &process::heeded())?;
    Ok(Outcome::Answered)
}

/// The state folder, which is outside of the repository.
fn state(options: &ServeOptions, engine: &Engine) -> Result<PathBuf> {
    let folder = options.state.folder()?;
    if engine.repo().holds(&folder) {
        let message =
            format!("the state folder `{}` lies inside the repository; name another with `--state DIR`", folder.display());
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    Ok(folder)
}

/// Listens, and says where and for whom.
fn listen(options: &ServeOptions, port: u16) -> Result<Reached> {
    let token = match &options.token_file {
        Some(file) => {
            let named = |error: Error| error.reworded(|message| format!("{file}: {message}"));
            Token::of(&input::text(file, MAX_TOKEN_FILE_BYTES)?).map_err(named)?
        }
        None if options.no_token => Token::nobodys(),
        None => Token::random()?,
    };
    let listening = Listening::on(port)?;
    let who = match (token.text(), &options.token_file) {
        (None, _) => "without a token: every program of this machine is answered".to_owned(),
        (Some(_), Some(_)) => "with the token of the file".to_owned(),
        (Some(token), None) => format!("with the header `Authorization: Bearer {token}`"),
    };
    say(&format!("listening on {} {who}", listening.url()));
    Ok(Reached::Http(listening, token))
}
