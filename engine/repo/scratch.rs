//! A temporary folder for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own, removed at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("activate-repo-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    /// Sets a file's modification time, in seconds since 1970.
    pub(crate) fn set_time(&self, name: &str, seconds: u64) {
        let file = fs::File::options().append(true).open(self.0.join(name)).expect("a file");
        let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        file.set_modified(time).expect("a time");
    }

    /// Makes a file of so many zero bytes that take no room.
    pub(crate) fn write_zeros(&self, name: &str, len: u64) {
        fs::File::create(self.0.join(name)).and_then(|file| file.set_len(len)).expect("a file");
    }

    pub(crate) fn remove(&self, name: &str) {
        let path = self.0.join(name);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("a file or folder");
    }

    pub(crate) fn link(&self, target: &str, name: &str) {
        std::os::unix::fs::symlink(target, self.0.join(name)).expect("a link");
    }

    pub(crate) fn fifo(&self, name: &str) {
        // The only way to make one that every Unix has.
        let status = std::process::Command::new("mkfifo").arg(self.0.join(name)).status();
        assert!(status.expect("mkfifo").success());
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
