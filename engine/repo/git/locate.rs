//! Finds a repository's git folders and decides whether they may be read.
//!
//! A `.git` file or `commondir` file can name any folder of the machine, so each is believed only if what it names points back.

use super::super::root::{FileStat, Kind, Root};
use super::no_git_data;
use error::Problem;
use gix::bstr::ByteSlice;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Largest `.git`, `gitdir` or `commondir` file: each holds one path.
const MAX_POINTER_BYTES: u64 = 16 * 1024;

/// Most entries below `objects` and `refs` that are looked at before git data counts as too large: a repository packs long before.
const MAX_GIT_ENTRIES: usize = 1_000_000;

/// Largest reference: it holds an id, or the name of another, which is a path of at most this length. gix reads it whole.
const MAX_REF_BYTES: u64 = 4 * 1024;

/// The longest chain of references from `HEAD`, as in git itself.
const MAX_REF_CHAIN: usize = 5;

/// Files that gix opens by name, with the most bytes it may find there. Absent ones are fine. A packed reference takes about seventy
/// bytes, so that a million of them find room.
const OWN_FILES: [(&str, u64); 2] = [("HEAD", MAX_REF_BYTES), ("config.worktree", 1 << 20)];
const COMMON_FILES: [(&str, u64); 4] =
    [("config", 1 << 20), ("packed-refs", 1 << 26), ("shallow", 1 << 24), ("objects/info/alternates", 1 << 20)];

/// A repository's git folders: the same one twice, except in a linked work tree.
#[derive(Debug)]
pub(in super::super) struct GitFolders {
    /// Holds `HEAD` and `index`.
    pub(super) own: Arc<Root>,
    pub(super) own_path: PathBuf,
    /// Holds `objects`, `refs` and `info`.
    pub(in super::super) common: Arc<Root>,
    /// Without links: the same one for all work trees of a repository.
    pub(in super::super) common_path: PathBuf,
}

impl GitFolders {
    /// What git tracks, if its index can be read.
    pub(in super::super) fn tracked(&self) -> Option<super::Index> {
        super::changes::read_index(&self.own).ok().map(|(index, _)| index)
    }

    /// Numbers of the file with that list, if there is one.
    pub(in super::super) fn tracked_stat(&self) -> Option<FileStat> {
        self.own.stat(b"index").ok().map(|(_, stat)| stat)
    }
}

/// Whether a repository takes objects from folders outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Borrows {
    No,
    Yes,
}

/// The git folders of the repository at `root`; `None` if neither it nor a folder above holds `.git`.
pub(in super::super) fn locate(root: &Root, path: &Path) -> Result<Option<GitFolders>, Problem> {
    match root.stat(b".git") {
        Ok((Kind::Folder, _)) => own_folder(root, path).map(Some).map_err(no_git_data),
        Ok((Kind::File, _)) => pointed_to(root, path).map(Some).map_err(no_git_data),
        Ok(_) => Err(no_git_data("`.git` is a link or no regular file")),
        Err(refusal) if refusal.is_absent() => enclosing(path).map_or(Ok(None), Err),
        Err(refusal) => Err(no_git_data(format!("`.git`: {refusal}"))),
    }
}

/// The git folders of a bare repository: the folder itself; `None` where it does not look like one.
pub(in super::super) fn locate_bare(root: &Arc<Root>, path: &Path) -> Option<GitFolders> {
    let is = |name: &str, kind: Kind| root.stat(name.as_bytes()).is_ok_and(|(found, _)| found == kind);
    let is_bare =
        is("HEAD", Kind::File) && is("objects", Kind::Folder) && is("refs", Kind::Folder) && !is("commondir", Kind::File);
    let (own, own_path) = (Arc::clone(root), path.to_owned());
    is_bare.then(|| GitFolders { own, common: Arc::clone(root), common_path: own_path.clone(), own_path })
}

/// Says that a folder above holds `.git`, if one does; the way up is told instead of the name, so that no machine's path gets out.
fn enclosing(path: &Path) -> Option<Problem> {
    let steps = path.ancestors().skip(1).position(|folder| folder.join(".git").symlink_metadata().is_ok())? + 1;
    let up = vec![".."; steps].join("/");
    Some(no_git_data(format!("the folder itself holds no `.git`; the enclosing repository at `{up}` was not asked for")))
}

fn own_folder(root: &Root, path: &Path) -> Result<GitFolders, String> {
    let own = Arc::new(root.below(b".git").map_err(|refusal| format!("`.git`: {refusal}"))?);
    if own.stat(b"commondir").is_ok() {
        return Err("`.git` takes its objects from another folder (`commondir`) though it is not a linked work tree".to_owned());
    }
    let own_path = path.join(".git");
    Ok(GitFolders { common: Arc::clone(&own), own, common_path: own_path.clone(), own_path })
}

/// Follows a `.git` file to the folder it names, if that folder names this work tree in turn.
fn pointed_to(root: &Root, path: &Path) -> Result<GitFolders, String> {
    let pointer = one_path(root, ".git", Some(b"gitdir:"))?;
    let own_path = system::canonical(&path.join(pointer)).map_err(|error| format!("the folder that `.git` names: {error}"))?;
    let own = Arc::new(Root::open(&own_path).map_err(|refusal| format!("the folder that `.git` names: {refusal}"))?);
    let (common, common_path) = match own.stat(b"gitdir") {
        Ok(_) => linked_work_tree(&own, &own_path, &path.join(".git"))?,
        Err(_) => (submodule(&own, &own_path, path)?, own_path.clone()),
    };
    Ok(GitFolders { own, own_path, common, common_path })
}

/// The shared git folder of a linked work tree: both pointers between work tree and git folder, and its place below the shared folder,
/// must agree.
fn linked_work_tree(own: &Root, own_path: &Path, pointer: &Path) -> Result<(Arc<Root>, PathBuf), String> {
    let back = own_path.join(one_path(own, "gitdir", None)?);
    if !is_same(&back, pointer) {
        return Err("`.git` names a folder that belongs to another work tree".to_owned());
    }
    let common = own_path.join(one_path(own, "commondir", None)?);
    let place = own_path.parent().filter(|worktrees| worktrees.ends_with("worktrees")).and_then(Path::parent);
    let Some(place) = place.filter(|place| is_same(place, &common)) else {
        return Err("`.git` names a work tree's folder that is not where git keeps them".to_owned());
    };
    let common = Root::open(&common).map_err(|refusal| format!("the shared git folder: {refusal}"))?;
    Ok((Arc::new(common), place.to_owned()))
}

/// A submodule's git folder is its own; its configuration names the work tree.
fn submodule(own: &Arc<Root>, own_path: &Path, path: &Path) -> Result<Arc<Root>, String> {
    if own.stat(b"commondir").is_ok() {
        return Err("`.git` names a folder that takes its objects from yet another one".to_owned());
    }
    let (name, max) = COMMON_FILES[0];
    let config = own
        .read(name.as_bytes(), max)
        .map_err(|refusal| format!("the configuration in the folder that `.git` names: {refusal}"))?;
    let meta = gix::config::file::Metadata::from(gix::config::Source::Local);
    let config = gix::config::File::from_bytes_no_includes(&config, meta, gix::config::file::init::Options::default());
    let config = config.map_err(|error| format!("the configuration in the folder that `.git` names: {error}"))?;
    let back = config.string("core.worktree").and_then(|worktree| Some(own_path.join(system::path_of(worktree.as_bytes())?)));
    if back.is_some_and(|back| is_same(&back, path)) {
        Ok(Arc::clone(own))
    } else {
        Err("`.git` names a folder that does not name this work tree in turn".to_owned())
    }
}

/// The one path that a small file of git holds, after `prefix`.
fn one_path(root: &Root, name: &str, prefix: Option<&[u8]>) -> Result<PathBuf, String> {
    let bytes = root.read(name.as_bytes(), MAX_POINTER_BYTES).map_err(|refusal| format!("`{name}`: {refusal}"))?;
    let text = match prefix {
        Some(prefix) => bytes.strip_prefix(prefix).ok_or_else(|| format!("`{name}` names no folder"))?,
        None => &bytes,
    };
    system::path_of(text.trim_ascii()).ok_or_else(|| format!("`{name}` names no folder of this system"))
}

/// Whether two paths lead to the same file or folder.
fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| system::Identity::behind(path).ok();
    identity(one).is_some() && identity(one) == identity(other)
}

impl GitFolders {
    /// Checks that gix, which opens files by name, will meet no link that leads it elsewhere and no fifo that blocks it.
    pub(super) fn check(&self) -> Result<Borrows, String> {
        for (root, files) in [(&self.own, &OWN_FILES[..]), (&self.common, &COMMON_FILES[..])] {
            for (name, max) in files {
                match root.stat(name.as_bytes()) {
                    Ok((Kind::File, stat)) if stat.size <= *max => {}
                    Ok((Kind::File, _)) => return Err(format!("`.git/{name}` is larger than {max} bytes")),
                    Ok(_) => return Err(format!("`.git/{name}` is not a regular file")),
                    Err(refusal) if refusal.is_absent() => {}
                    Err(refusal) => return Err(format!("`.git/{name}`: {refusal}")),
                }
            }
        }
        let mut n_entries = 0;
        plain_tree(&self.common, "objects", None, &mut n_entries)?;
        plain_tree(&self.common, "refs", Some(MAX_REF_BYTES), &mut n_entries)?;
        if !Arc::ptr_eq(&self.own, &self.common) && self.own.stat(b"refs").is_ok() {
            plain_tree(&self.own, "refs", Some(MAX_REF_BYTES), &mut n_entries)?;
        }
        self.head_stays_in_refs()?;
        let (alternates, max) = COMMON_FILES[3];
        let borrows = self.common.read(alternates.as_bytes(), max).is_ok_and(|text| !text.trim_ascii().is_empty());
        Ok(if borrows { Borrows::Yes } else { Borrows::No })
    }

    /// Checks that `HEAD` leads to references only: gix would read whatever other file of the folder it names, of any size.
    fn head_stays_in_refs(&self) -> Result<(), String> {
        let mut name = b"HEAD".to_vec();
        for _ in 0..MAX_REF_CHAIN {
            let read = |root: &Arc<Root>| root.read(&name, MAX_REF_BYTES).ok();
            let text = read(&self.own).or_else(|| read(&self.common)).unwrap_or_default();
            let Some(target) = text.strip_prefix(b"ref:").map(<[u8]>::trim_ascii) else { break };
            let is_reference =
                target.starts_with(b"refs/") && !target.split(|byte| *byte == b'/').any(|part| part.starts_with(b"."));
            if !is_reference {
                return Err(format!("`.git/{}` names something that is not a reference", super::escape(&name)));
            }
            name = target.to_vec();
        }
        Ok(())
    }
}

/// Checks that everything below a git folder is a file, of at most `max` bytes, or a folder.
fn plain_tree(root: &Root, name: &str, max: Option<u64>, n_entries: &mut usize) -> Result<(), String> {
    let mut pending = vec![name.as_bytes().to_vec()];
    while let Some(path) = pending.pop() {
        let shown = super::escape(&path);
        let refused = |refusal| format!("`.git/{shown}`: {refusal}");
        let mut folder = root.folder(&path).map_err(refused)?;
        for (name, kind) in folder.entries().map_err(refused)? {
            *n_entries += 1;
            if *n_entries > MAX_GIT_ENTRIES {
                return Err(format!("it has more than {MAX_GIT_ENTRIES} files; `git gc` packs them"));
            }
            let kind = match kind {
                Some(kind) => kind,
                None => folder.stat(&name).map_err(refused)?.0,
            };
            match kind {
                Kind::File => {
                    if let Some(max) = max.filter(|max| folder.stat(&name).is_ok_and(|(_, stat)| stat.size > *max)) {
                        return Err(format!("`.git/{shown}/{}` is larger than {max} bytes", super::escape(&name)));
                    }
                }
                Kind::Folder => pending.push([path.as_slice(), b"/", &name].concat()),
                Kind::Link | Kind::Special => {
                    return Err(format!("`.git/{shown}` holds a link or something that is not a regular file"));
                }
            }
        }
    }
    Ok(())
}
