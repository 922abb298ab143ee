//! Reads and writes the frames that scanners send.

pub mod frame;
pub mod pool;

pub use frame::{FrameReader, FromFrame};
pub use pool::Pool;
