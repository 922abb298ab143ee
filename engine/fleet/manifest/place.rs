//! Where repositories come from: urls that git may be given, paths, branches.

use std::path::PathBuf;

/// Where a repository comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Git fetches it from here.
    Url(String),
    /// It is read where it is.
    Path(PathBuf),
}

/// Ways of git to fetch that run nothing but itself and ssh, and hide what they carry or stay on this machine.
const SCHEMES: [&str; 4] = ["https", "ssh", "git", "file"];

/// Says what is wrong with a url. Whether it leads anywhere is for git to say.
pub(super) fn check_url(url: &str) -> Result<(), String> {
    let known = "give one of https://, ssh://, git://, file:// or user@host:path";
    if url.starts_with('-') {
        return Err(format!("`{url}` begins with `-`, as flags of git do; {known}"));
    }
    if url.contains(char::is_whitespace) {
        return Err(format!("the url has a blank in it; {known}"));
    }
    if let Some((helper, _)) = url.split_once("::") {
        return Err(format!("`{helper}::` runs a program of its own; {known}"));
    }
    if let Some((scheme, rest)) = url.split_once("://") {
        if !SCHEMES.contains(&scheme) {
            return Err(format!("`{scheme}://` is not fetched from; {known}"));
        }
        let authority = rest.split('/').next().unwrap_or_default();
        return check_authority(authority, scheme == "file", known);
    }
    // `user@host:path`, as scp has it: the colon stands before any slash.
    match url.split_once(':') {
        Some((host, path)) if !host.contains('/') && host.len() > 1 && !path.is_empty() => check_authority(host, false, known),
        _ => Err(format!("this is no url; {known}, or say `path` for a folder")),
    }
}

/// A host that begins with a dash would be a flag of ssh; a password would stand in the manifest for all to read.
fn check_authority(authority: &str, may_be_empty: bool, known: &str) -> Result<(), String> {
    let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    if host.starts_with('-') || user.is_some_and(|user| user.starts_with('-')) {
        return Err(format!("the host begins with `-`, as flags of ssh do; {known}"));
    }
    if host.is_empty() && !may_be_empty {
        return Err(format!("the url has no host; {known}"));
    }
    if user.is_some_and(|user| user.contains(':')) {
        return Err("the url holds a password; leave it out, git asks its credential helper for it".to_owned());
    }
    Ok(())
}

/// Says what is wrong with a path.
pub(super) fn check_path(path: &str) -> Result<(), String> {
    if path.starts_with('-') { Err(format!("`{path}` begins with `-`; write `./{path}`")) } else { Ok(()) }
}

/// Says what is wrong with the name of a branch: the rules of `git check-ref-format`.
pub(super) fn check_branch(branch: &str) -> Result<(), String> {
    let is_bad_part =
        |part: &str| part.is_empty() || part.starts_with('.') || part.rsplit_once('.').is_some_and(|(_, end)| end == "lock");
    let has_bad_sign = branch.contains([' ', '~', '^', ':', '?', '*', '[', '\\']);
    let is_bad = branch.starts_with('-')
        || branch == "@"
        || branch.ends_with('.')
        || has_bad_sign
        || branch.contains("..")
        || branch.contains("@{")
        || branch.split('/').any(is_bad_part);
    if is_bad { Err(format!("`{branch}` cannot be the name of a branch; give it as in `main`")) } else { Ok(()) }
}

/// What is meant by a word on a command line: a url, else a path.
pub(super) fn of_word(word: &str) -> Result<Place, String> {
    let is_scp_like = word.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains(['/', '\\']));
    if word.contains("://") || is_scp_like {
        return check_url(word).map(|()| Place::Url(word.to_owned()));
    }
    check_path(word).map(|()| Place::Path(PathBuf::from(word)))
}
