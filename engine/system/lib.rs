//! Where systems differ: names as bytes, rights, links, times and identity of files, and the folders of the user.
//!
//! `unix.rs` and `windows.rs` offer the same functions; what is built of them is the same everywhere. Must not know what a file holds.

#![expect(clippy::disallowed_methods, reason = "a host module: the edge of the system")]

mod file;
mod folder;
mod memory;
mod names;
#[cfg(test)]
mod tests;
#[cfg(unix)]
mod unix;
mod user;
#[cfg(windows)]
mod windows;

pub use file::{Identity, LOCKS_HINDER_NOBODY, Stamp, open_plain, private_file, private_folder, replace};
pub use folder::{Access, Folder};
pub use memory::{give_back_large_blocks, give_back_memory};
pub use names::{canonical, is_folder_like, path_bytes, path_of};
#[cfg(unix)]
use unix as own;
pub use user::{HOME, UserFolder};
#[cfg(windows)]
use windows as own;

pub use own::{check_owner, check_private, is_executable, is_link, is_writable, keep_owner, name_bytes, name_of, processor_time};
pub use own::{path_like, program_names, read_at, times, without_waiting};
