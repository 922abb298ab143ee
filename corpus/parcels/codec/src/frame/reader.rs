use super::crc;

/// Why bytes are not a frame.
#[derive(Debug, PartialEq, Eq)]
pub enum FrameError {
    TooShort { needed: usize, got: usize },
    BadChecksum,
}

/// Takes frames off the front of a buffer.
#[derive(Debug, Default)]
pub struct FrameReader {
    buffer: Vec<u8>,
}

impl FrameReader {
    /// Adds what the scanner sent.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame, if there is one.
    pub fn next_frame(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        let Some(&length) = self.buffer.first() else { return Ok(None) };
        let needed = usize::from(length) + 2;
        if self.buffer.len() < needed {
            return Ok(None);
        }
        let body = self.take_body(usize::from(length));
        let sum = self.buffer.remove(0);
        if crc(&body) != sum {
            return Err(FrameError::BadChecksum);
        }
        Ok(Some(body))
    }

    fn take_body(&mut self, length: usize) -> Vec<u8> {
        let rest = self.buffer.split_off(length + 1);
        let mut frame = std::mem::replace(&mut self.buffer, rest);
        frame.remove(0);
        frame
    }
}
