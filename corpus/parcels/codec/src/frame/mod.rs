//! Frames: a length, a kind, and a body.

mod checksum;
mod from_frame;
mod reader;

pub use checksum::crc;
pub use from_frame::{FromFrame, Scan};
pub use reader::{FrameError, FrameReader};
