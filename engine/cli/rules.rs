//! Files of rules that take part in answers: those of the user's configuration folder, and those that are named.

use super::input::{self, Source};
use engine::RuleFile;
use error::Result;
use std::fs;
use std::path::{Path, PathBuf};
use system::UserFolder;

/// The folder of rules in the user's configuration folder, and how their names end.
const FOLDER: &str = "rules";
const ENDING: &str = "dl";

/// The most files of that folder, and the most bytes of a file.
const MAX_FILES: usize = 64;
const MAX_BYTES: usize = 256 << 10;

/// The rules of the user, by name. `is_inside` says whether a folder is one of the repository: its own rules take part only where they are named.
pub(super) fn of_user(is_inside: &dyn Fn(&Path) -> bool) -> Vec<RuleFile> {
    let Some(folder) = UserFolder::Config.path().map(|folder| folder.join(FOLDER)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = match fs::read_dir(&folder) {
        Ok(entries) => entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect(),
        Err(_) => return Vec::new(),
    };
    paths.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
    paths.sort();
    let lacking = |name: String, why: String| RuleFile { name, text: String::new(), lacks: Some(why), is_named: false };
    if !paths.is_empty() && is_inside(&folder) {
        let why = "the folder lies inside the repository, whose rules take part only where `--rules` names them";
        return vec![lacking(folder.display().to_string(), why.to_owned())];
    }
    let n_more = paths.len().saturating_sub(MAX_FILES);
    paths.truncate(MAX_FILES);
    let read = |path: PathBuf| {
        let name = name_of(&path);
        // Nobody waits for what others write to a pipe or a device.
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return lacking(name, "it is not a regular file".to_owned());
        }
        match input::text(&Source::File(path), MAX_BYTES) {
            Ok(text) => RuleFile { name, text, lacks: None, is_named: false },
            Err(error) => lacking(name, error.message),
        }
    };
    let mut files: Vec<RuleFile> = paths.into_iter().map(read).collect();
    if n_more > 0 {
        files.push(lacking(folder.display().to_string(), format!("there are {n_more} files more than {MAX_FILES}")));
    }
    files
}

/// A file without its folders, which say more of a machine than of a rule.
fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The rules of files that are named.
pub(super) fn named(sources: &[Source]) -> Result<Vec<RuleFile>> {
    let read = |source: &Source| {
        let name = match source {
            Source::Stdin => source.to_string(),
            Source::File(path) => name_of(path),
        };
        Ok(RuleFile { name, text: input::text(source, MAX_BYTES)?, lacks: None, is_named: true })
    };
    sources.iter().map(read).collect()
}
