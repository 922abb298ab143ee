//! `activate fleet add` and `remove`: change the manifest, and leave every other byte of it as it is.

use super::super::terminal::write_result;
use super::super::{Command, Outcome, Terminal, file, options_of, usage};
use super::options::ManifestOption;
use clap::Args;
use error::{Error, ErrorKind, Result};
use fleet::manifest::{self, Addition, added, removed};
use std::fs;
use std::io;
use std::path::Path;

pub(super) const ADD: Command = Command {
    name: "add",
    about: "Add repositories to the manifest, which is made where there is none",
    details: "\
Nothing is fetched: `activate fleet sync` does that. A repository is called by the last two parts of its url or path.

Example:
    activate fleet add https://host/shop/api git@host:shop/web.git
    activate fleet add ../tools --name shop/tools --branch main",
    options: AddOptions::augment_args,
    run: |matches, terminal| add(&options_of(matches)?, terminal),
};

pub(super) const REMOVE: Command = Command {
    name: "remove",
    about: "Take a repository out of the manifest",
    details: "What the store knows of it goes with the next `activate fleet sync`.",
    options: RemoveOptions::augment_args,
    run: |matches, terminal| remove(&options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct AddOptions {
    /// Where the repositories are: https://, ssh://, git:// or file:// urls, user@host:path, or paths as seen from the manifest's folder
    #[arg(value_name = "URL|PATH", required = true)]
    places: Vec<String>,
    /// How the repository is called, where one is added
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The branch to follow [default: what the repository calls its own]
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    #[command(flatten)]
    manifest: ManifestOption,
}

#[derive(Debug, Args)]
struct RemoveOptions {
    /// How the repository is called
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    manifest: ManifestOption,
}

fn add(options: &AddOptions, terminal: &Terminal) -> Result<Outcome> {
    if options.name.is_some() && options.places.len() > 1 {
        return Err(usage("`--name` names one repository, and several are added; add them one by one"));
    }
    let path = &options.manifest.manifest;
    let text = text(path)?.unwrap_or_default();
    let addition = |place: &String| Addition { place: place.clone(), name: options.name.clone(), branch: options.branch.clone() };
    let additions: Vec<Addition> = options.places.iter().map(addition).collect();
    let (new, names) = added(&text, path, &additions)?;
    file::replace(path, &new)?;
    write_result(|stdout| names.iter().try_for_each(|name| writeln!(stdout, "added {}", terminal.line(name))))?;
    Ok(Outcome::Answered)
}

fn remove(options: &RemoveOptions, terminal: &Terminal) -> Result<Outcome> {
    let path = &options.manifest.manifest;
    let none = || Error::new(ErrorKind::UnreadableFile, format!("there is no manifest `{}`", path.display()));
    let text = text(path)?.ok_or_else(none)?;
    file::replace(path, &removed(&text, path, &options.name)?)?;
    write_result(|stdout| writeln!(stdout, "removed {}", terminal.line(&options.name)))?;
    Ok(Outcome::Answered)
}

/// The text of a manifest; none where there is none.
fn text(path: &Path) -> Result<Option<String>> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => manifest::text(path).map(Some),
    }
}
