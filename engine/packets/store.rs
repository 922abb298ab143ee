//! Host side of packets that were sent: records of the last ones in the state folder, so that a later request can refer to them.
//!
//! Of every packet it is recorded what it held, by keys and hashes and never the text; packs are kept whole, as they were sent, and each
//! call leaves a line in a ledger. Disposable: what is missing, damaged or changed by hand is as if it had never been sent, and what cannot
//! be written is a problem and no error.
//!
//! No link below the state folder is followed.

#![expect(clippy::disallowed_methods, reason = "a host module: the one that keeps records of packets")]

mod ledger;
mod lock;

pub use ledger::note;
pub use lock::{Held, held};

use super::ID_DIGITS;
use error::{Error, ErrorKind, Problem, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use session::Sent;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};
use system::UserFolder;
use xxhash_rust::xxh3::xxh3_128;

/// The name and version of the form of a record.
const SCHEMA: &str = "activate.pack-record.v2";
/// The most records that are kept, the newest: an agent asks some ten times an hour.
const MAX_RECORDS: usize = 200;
/// The most bytes of a record: five thousand entries of some hundred bytes.
const MAX_BYTES: u64 = 4 << 20;
/// The fewest digits by which a packet is named.
const MIN_DIGITS: usize = 8;
/// What ends the name of a record's file.
const ENDING: &str = ".json";
/// What ends the name of a record's file while it is written.
const TEMPORARY: &str = ".new";
/// After how long a file that is being written was left behind by one who died: writing takes no minute.
const LEFT_BEHIND: Duration = Duration::from_secs(60 * 60);

/// The stage of problems of this module.
pub const STAGE: &str = "state";

/// Records by the ids of packets, in a folder of their own.
#[derive(Debug)]
pub struct Records<T> {
    folder: PathBuf,
    schema: &'static str,
    of: PhantomData<fn() -> T>,
}

/// What is kept by the id of its packet.
pub trait Kept: Serialize + DeserializeOwned {
    /// The id.
    fn id(&self) -> &str;
}

impl Kept for Sent {
    fn id(&self) -> &str {
        &self.pack_id
    }
}

/// What packets held.
pub type Packets = Records<Sent>;

/// A record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record<T> {
    schema: String,
    /// Hash of what is kept, so that nothing counts that was not written here.
    sum: String,
    sent: T,
}

/// What says which version a record is of.
#[derive(Debug, Deserialize)]
struct Form {
    schema: String,
}

/// The hash of what is kept.
fn sum(sent: &impl Serialize) -> serde_json::Result<String> {
    Ok(format!("{:032x}", xxh3_128(serde_json::to_string(sent)?.as_bytes())))
}

/// When a file was written, and not what a link leads to.
fn modified(path: &Path) -> io::Result<SystemTime> {
    fs::symlink_metadata(path)?.modified()
}

/// The state folder of this user: `activate` in `$XDG_STATE_HOME` or `~/.local/state`, on Windows `activate\state` in `%LOCALAPPDATA%`; none where
/// neither is an absolute path.
pub fn default_folder() -> Option<PathBuf> {
    UserFolder::State.path()
}

impl Packets {
    /// Those in a state folder. Nothing is read or made yet.
    pub fn at(state: &Path) -> Self {
        Self::new(state, "packets", SCHEMA)
    }
}

impl<T: Kept> Records<T> {
    /// Records of a form in their own folder of a state folder.
    pub fn new(state: &Path, folder: &'static str, schema: &'static str) -> Self {
        Self { folder: state.join(folder), schema, of: PhantomData }
    }

    /// Keeps a record, and removes the oldest beyond the newest 200 and what was left behind half written.
    ///
    /// # Errors
    ///
    /// That the folder cannot be written.
    pub fn keep(&self, sent: &T) -> std::result::Result<(), Problem> {
        let failed = |error: io::Error| Problem::new(STAGE, format!("the packet was not recorded for later: {error}"));
        let written = self.write(sent);
        // Also where nothing could be written: what was left behind may be in the way.
        let pruned = self.prune();
        written.and(pruned).map_err(failed)
    }

    /// The packet with this id, or with an id that begins so.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where the id is not one, is that of no packet or of several, and where its record is not as it was written.
    pub fn find(&self, id: &str) -> Result<T> {
        let shown: String = id.chars().take(ID_DIGITS + 1).collect();
        let refused = |why: String| Error::new(ErrorKind::BadInput, format!("no packet `{shown}` can be referred to: {why}"));
        let is_beginning = (MIN_DIGITS..=ID_DIGITS).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_beginning {
            return Err(refused(format!("give {MIN_DIGITS} to {ID_DIGITS} hexadecimal digits of its `pack_id`")));
        }
        let id = id.to_ascii_lowercase();
        let ids = match self.is_own().and_then(|()| self.ids()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(refused(format!("the records in `{}` cannot be listed: {error}", self.folder.display())));
            }
            ids => ids.unwrap_or_default(),
        };
        let mut found = ids.iter().filter(|known| known.starts_with(&id));
        match (found.next(), found.next()) {
            (None, _) => {
                Err(refused(format!("`{}` has no record of it; the last {MAX_RECORDS} are kept", self.folder.display())))
            }
            (Some(_), Some(_)) => Err(refused("several ids begin with these digits; give more".to_owned())),
            (Some(id), None) => self.read(id).map_err(|error| {
                let path = self.path(id);
                refused(format!("its record `{}` cannot be used: {error}; ask for the packet again", path.display()))
            }),
        }
    }

    /// What is kept, the newest first. What cannot be read is left out.
    pub fn newest(&self) -> impl Iterator<Item = T> + '_ {
        let ids = self.is_own().and_then(|()| self.by_age()).unwrap_or_default();
        ids.into_iter().rev().filter_map(|(_, id)| self.read(&id).ok())
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}{ENDING}"))
    }

    /// Fails where the folder of records is a link or none: what is behind a link is not ours to read or write.
    fn is_own(&self) -> io::Result<()> {
        if fs::symlink_metadata(&self.folder)?.is_dir() { Ok(()) } else { Err(io::Error::other("it is a link, or not a folder")) }
    }

    fn read(&self, id: &str) -> io::Result<T> {
        let mut text = String::new();
        system::open_plain(&self.path(id), OpenOptions::new().read(true))?.take(MAX_BYTES).read_to_string(&mut text)?;
        let named: Form = serde_json::from_str(&text)?;
        if named.schema != self.schema {
            return Err(io::Error::other("it has another version"));
        }
        let record: Record<T> = serde_json::from_str(&text)?;
        if record.sent.id() == id && record.sum == sum(&record.sent)? {
            Ok(record.sent)
        } else {
            Err(io::Error::other("it was changed since it was written"))
        }
    }

    fn write(&self, sent: &T) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let id = sent.id();
        let record = serde_json::to_string(&Record { schema: self.schema.to_owned(), sum: sum(sent)?, sent })?;
        if record.len() as u64 > MAX_BYTES {
            let message = format!("its record would have {} bytes, more than the {MAX_BYTES} that are read", record.len());
            return Err(io::Error::other(message));
        }
        // What somebody else prepared in the folder's place could tell them what was asked.
        system::private_folder(DirBuilder::new().recursive(true)).create(&self.folder)?;
        self.is_own()?;
        let name = self.path(id);
        // Nobody else's name: another thread may keep the same packet.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = self.folder.join(format!("{id}.{}-{number}{TEMPORARY}", std::process::id()));
        let mut file = system::private_file(OpenOptions::new().write(true).create_new(true)).open(&temporary)?;
        let written = file.write_all(record.as_bytes()).and_then(|()| system::replace(&temporary, &name));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    /// The ids of which there is a record, in order. Files with other names were not written by this program.
    fn ids(&self) -> io::Result<Vec<String>> {
        let ids = self.names()?.into_iter().filter_map(|name| name.strip_suffix(ENDING).map(str::to_owned));
        Ok(ids.filter(|id| id.len() == ID_DIGITS).collect())
    }

    /// The ids with the times at which they were written, the oldest first.
    fn by_age(&self) -> io::Result<Vec<(SystemTime, String)>> {
        let time = |id: &str| modified(&self.path(id)).unwrap_or(SystemTime::UNIX_EPOCH);
        let mut ids: Vec<(SystemTime, String)> = self.ids()?.into_iter().map(|id| (time(&id), id)).collect();
        ids.sort();
        Ok(ids)
    }

    /// The names of the files that begin with an id, in order.
    fn names(&self) -> io::Result<Vec<String>> {
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_ours = |name: &String| name.as_bytes().get(..ID_DIGITS).is_some_and(|id| id.iter().all(is_digit));
        let entries = fs::read_dir(&self.folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = entries.filter(is_ours).collect();
        names.sort();
        Ok(names)
    }

    fn prune(&self) -> io::Result<()> {
        self.is_own()?;
        // Another process may have removed it.
        let remove = |path: &Path| drop(fs::remove_file(path));
        let is_left = |path: &PathBuf| {
            let age = modified(path).ok().and_then(|time| SystemTime::now().duration_since(time).ok());
            age.is_some_and(|age| age > LEFT_BEHIND)
        };
        let temporary = self.names()?.into_iter().filter(|name| name.ends_with(TEMPORARY)).map(|name| self.folder.join(name));
        temporary.filter(is_left).for_each(|path| remove(&path));
        let by_age = self.by_age()?;
        by_age.iter().take(by_age.len().saturating_sub(MAX_RECORDS)).for_each(|(_, id)| remove(&self.path(id)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::SentEntry;
    use std::fs::File;

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("activate-packets-{name}-{}", std::process::id()))
    }

    fn sent(number: usize) -> Sent {
        Sent { pack_id: format!("{number:032x}"), entries: Vec::new() }
    }

    #[test]
    fn the_newest_records_are_kept_and_found_by_the_beginning_of_their_id() {
        let folder = scratch("keep");
        let packets = Packets::at(&folder);
        for number in 0..MAX_RECORDS + 3 {
            packets.keep(&sent(number)).unwrap();
        }
        assert_eq!(packets.ids().unwrap().len(), MAX_RECORDS);
        // Whatever the clock of the disk can tell apart.
        let at = |number: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(number);
        let touch = |number: usize, time: u64| {
            File::open(packets.path(&sent(number).pack_id)).unwrap().set_modified(at(time)).unwrap();
        };
        (3..MAX_RECORDS + 3).for_each(|number| touch(number, 1));
        [7, 5].iter().zip(2..).for_each(|(number, time)| touch(*number, time));
        let newest: Vec<Sent> = packets.newest().take(3).collect();
        assert_eq!(newest, [sent(5), sent(7), sent(MAX_RECORDS + 2)]);
        let last = sent(MAX_RECORDS + 2);
        assert_eq!(packets.find(&last.pack_id).unwrap(), last);
        let message = |id: &str| packets.find(id).unwrap_err().to_string();
        assert!(message("00000000").contains("several ids begin with these digits"));
        assert!(message("ffffffff").contains("has no record of it"));
        assert!(message("../../etc").contains("hexadecimal digits"));
        fs::write(packets.folder.join(format!("{}.json", "f".repeat(32))), "{").unwrap();
        assert!(message("ffffffff").contains("cannot be used: "));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn threads_that_keep_the_same_packet_do_not_hinder_each_other() {
        const N_THREADS: usize = 8;
        const N_TIMES: usize = 50;
        let folder = scratch("threads");
        let packets = Packets::at(&folder);
        std::thread::scope(|scope| {
            for _ in 0..N_THREADS {
                scope.spawn(|| (0..N_TIMES).for_each(|_| packets.keep(&sent(1)).unwrap()));
            }
        });
        assert_eq!(packets.find(&sent(1).pack_id).unwrap(), sent(1));
        assert_eq!(packets.names().unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_was_left_half_written_is_removed_and_what_another_writes_is_not() {
        let folder = scratch("left");
        let packets = Packets::at(&folder);
        packets.keep(&sent(1)).unwrap();
        let name = |number: usize, ending: &str| format!("{}.{ending}", sent(number).pack_id);
        let theirs = ["theirs.new".to_owned(), "theirs.json".to_owned()];
        let files = [(name(3, "1-0.new"), LEFT_BEHIND * 2), (name(4, "1-0.new"), Duration::ZERO)];
        for (name, age) in files.into_iter().chain(theirs.clone().map(|name| (name, LEFT_BEHIND * 2))) {
            let file = File::create(packets.folder.join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        packets.keep(&sent(2)).unwrap();
        assert_eq!(packets.names().unwrap(), [name(1, "json"), name(2, "json"), name(4, "1-0.new")]);
        assert!(theirs.iter().all(|name| packets.folder.join(name).exists()), "what is not ours stays");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_could_not_be_read_again_is_a_problem() {
        let folder = scratch("large");
        let packets = Packets::at(&folder);
        let entry = |length: u64| SentEntry { key: "k".repeat(length as usize), ..SentEntry::default() };
        packets.keep(&Sent { entries: vec![entry(MAX_BYTES / 2)], ..sent(1) }).unwrap();
        assert!(packets.find(&sent(1).pack_id).is_ok());
        let problem = packets.keep(&Sent { entries: vec![entry(MAX_BYTES)], ..sent(2) }).unwrap_err();
        assert!(problem.message.contains("bytes, more than the 4194304 that are read"), "{}", problem.message);
        assert_eq!(packets.names().unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_cannot_be_written_is_a_problem() {
        let file = scratch("file");
        fs::write(&file, "").unwrap();
        assert!(Packets::at(&file).keep(&sent(1)).unwrap_err().message.contains("was not recorded"));
        fs::remove_file(file).unwrap();
    }
}
