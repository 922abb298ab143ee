//! Host side of packets that were sent: records of the last ones in the state folder, so that a later request can refer to them.
//!
//! Of every packet it is recorded what it held, by keys and hashes and never the text; packs are kept whole, as they were sent, and each
//! call leaves a line in a ledger. Disposable: what is missing or damaged is as if it had never
//! been sent, and what cannot be written is a problem and no error.

#![expect(clippy::disallowed_methods, reason = "a host module: the one that keeps records of packets")]

use crate::error::{Error, ErrorKind, Problem, Result};
use crate::packet::stored::StoredPack;
use crate::session::Sent;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::marker::PhantomData;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// The name and version of the form of a record.
const SCHEMA: &str = "activate.pack-record.v1";
/// That of a pack that is kept whole.
const PACK_SCHEMA: &str = "activate.stored-pack.v1";
/// The most records that are kept, the newest: an agent asks some ten times an hour.
const MAX_RECORDS: usize = 200;
/// The most bytes of a record: five thousand entries of some hundred bytes.
const MAX_BYTES: u64 = 4 << 20;
/// The fewest digits by which a packet is named.
const MIN_DIGITS: usize = 8;
/// Digits of a packet's id.
const ID_DIGITS: usize = 32;
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

/// What packets held.
pub type Packets = Records<Sent>;

/// Packs as they were sent.
pub type Packs = Records<StoredPack>;

/// A record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record<T> {
    schema: String,
    sent: T,
}

/// The state folder of this user: `activate` in `$XDG_STATE_HOME` or `~/.local/state`; none where neither is an absolute path.
pub fn default_folder() -> Option<PathBuf> {
    let absolute = |variable: Option<OsString>| variable.map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute(std::env::var_os("XDG_STATE_HOME"))
        .or_else(|| Some(absolute(std::env::var_os("HOME"))?.join(".local/state")))?;
    Some(state.join("activate"))
}

impl Packets {
    /// Those in a state folder. Nothing is read or made yet.
    pub fn at(state: &Path) -> Self {
        Self { folder: state.join("packets"), schema: SCHEMA, of: PhantomData }
    }

    /// Keeps the record of a packet.
    pub fn keep(&self, sent: &Sent) -> std::result::Result<(), Problem> {
        self.put(&sent.pack_id, sent)
    }
}

impl Packs {
    /// Those in a state folder. Nothing is read or made yet.
    pub fn at(state: &Path) -> Self {
        Self { folder: state.join("packs"), schema: PACK_SCHEMA, of: PhantomData }
    }

    /// Keeps a pack.
    pub fn keep(&self, pack: &StoredPack) -> std::result::Result<(), Problem> {
        self.put(&pack.pack_id, pack)
    }
}

impl<T: Serialize + DeserializeOwned> Records<T> {
    /// Keeps a record, and removes the oldest beyond the newest 200 and what was left behind half written.
    fn put(&self, id: &str, sent: &T) -> std::result::Result<(), Problem> {
        let failed = |error: io::Error| Problem::new(STAGE, format!("the packet was not recorded for later: {error}"));
        let written = self.write(id, sent);
        // Also where nothing could be written: what was left behind may be in the way.
        let pruned = self.prune();
        written.and(pruned).map_err(failed)
    }

    /// The packet with this id, or with an id that begins so.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where the id is none, is that of no packet or of several.
    pub fn find(&self, id: &str) -> Result<T> {
        let refused = |why: String| Error::new(ErrorKind::BadInput, format!("no packet `{id}` can be referred to: {why}"));
        let is_id = (MIN_DIGITS..=ID_DIGITS).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_id {
            return Err(refused(format!("give {MIN_DIGITS} to {ID_DIGITS} hexadecimal digits of its `pack_id`")));
        }
        let id = id.to_ascii_lowercase();
        let names = self.names(ENDING).unwrap_or_default();
        let mut found = names.iter().filter(|name| name.starts_with(&id));
        match (found.next(), found.next()) {
            (None, _) => {
                Err(refused(format!("`{}` has no record of it; the last {MAX_RECORDS} are kept", self.folder.display())))
            }
            (Some(_), Some(_)) => Err(refused("several begin so; give more digits".to_owned())),
            (Some(name), None) => self.read(name).map_err(|error| refused(format!("its record cannot be read: {error}"))),
        }
    }

    fn read(&self, name: &str) -> io::Result<T> {
        let mut text = String::new();
        File::open(self.folder.join(name))?.take(MAX_BYTES).read_to_string(&mut text)?;
        let record: Record<T> = serde_json::from_str(&text)?;
        if record.schema == self.schema { Ok(record.sent) } else { Err(io::Error::other("it is of another version")) }
    }

    fn write(&self, id: &str, sent: &T) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let record = serde_json::to_string(&Record { schema: self.schema.to_owned(), sent })?;
        if record.len() as u64 > MAX_BYTES {
            let message = format!("its record would have {} bytes, more than the {MAX_BYTES} that are read", record.len());
            return Err(io::Error::other(message));
        }
        // What somebody else prepared in the folder's place could tell them what was asked.
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let name = self.folder.join(format!("{id}{ENDING}"));
        // Nobody else's name: another thread may keep the same packet.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = self.folder.join(format!("{id}.{}-{number}{TEMPORARY}", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
        let written = file.write_all(record.as_bytes()).and_then(|()| fs::rename(&temporary, name));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    /// The names of the files with this ending, in order.
    fn names(&self, ending: &str) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(&self.folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = entries.filter(|name| name.ends_with(ending)).collect();
        names.sort();
        Ok(names)
    }

    fn prune(&self) -> io::Result<()> {
        let time = |name: &String| fs::metadata(self.folder.join(name)).and_then(|data| data.modified());
        // Another process may have removed it.
        let remove = |name: &String| drop(fs::remove_file(self.folder.join(name)));
        let is_left = |name: &&String| {
            let age = time(name).ok().and_then(|time| SystemTime::now().duration_since(time).ok());
            age.is_some_and(|age| age > LEFT_BEHIND)
        };
        self.names(TEMPORARY)?.iter().filter(is_left).for_each(remove);
        let names = self.names(ENDING)?;
        if names.len() <= MAX_RECORDS {
            return Ok(());
        }
        let mut by_age: Vec<(SystemTime, &String)> =
            names.iter().map(|name| (time(name).unwrap_or(SystemTime::UNIX_EPOCH), name)).collect();
        by_age.sort();
        by_age[..by_age.len() - MAX_RECORDS].iter().for_each(|(_, name)| remove(name));
        Ok(())
    }
}

/// The most bytes of a ledger; one that has more becomes the old one, of which there is one.
const MAX_LEDGER: u64 = 4 << 20;

/// Adds a line to the ledger of a state folder.
pub fn note(state: &Path, line: &str) -> std::result::Result<(), Problem> {
    let failed = |error: io::Error| Problem::new(STAGE, format!("the ledger could not be written: {error}"));
    let ledger = state.join("ledger.jsonl");
    let write = || {
        DirBuilder::new().recursive(true).mode(0o700).create(state)?;
        if fs::symlink_metadata(&ledger).is_ok_and(|data| data.len() > MAX_LEDGER) {
            fs::rename(&ledger, state.join("ledger.old.jsonl"))?;
        }
        // One call for the whole line, so that lines of several processes do not mix.
        OpenOptions::new().append(true).create(true).mode(0o600).open(&ledger)?.write_all(format!("{line}\n").as_bytes())
    };
    write().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::SentEntry;

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
        assert_eq!(packets.names(ENDING).unwrap().len(), MAX_RECORDS);
        let last = sent(MAX_RECORDS + 2);
        assert_eq!(packets.find(&last.pack_id).unwrap(), last);
        let message = |id: &str| packets.find(id).unwrap_err().to_string();
        assert!(message("00000000").contains("several begin so"));
        assert!(message("ffffffff").contains("has no record of it"));
        assert!(message("../../etc").contains("hexadecimal digits"));
        fs::write(packets.folder.join(format!("{}.json", "f".repeat(32))), "{").unwrap();
        assert!(message("ffffffff").contains("its record cannot be read"));
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
        assert_eq!(packets.names("").unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_was_left_half_written_is_removed_and_what_another_writes_is_not() {
        let folder = scratch("left");
        let packets = Packets::at(&folder);
        packets.keep(&sent(1)).unwrap();
        for (name, age) in [("old.new", LEFT_BEHIND * 2), ("other.new", Duration::ZERO)] {
            let file = File::create(packets.folder.join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        packets.keep(&sent(2)).unwrap();
        assert_eq!(packets.names(TEMPORARY).unwrap(), ["other.new"]);
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
        assert_eq!(packets.names("").unwrap().len(), 1);
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
