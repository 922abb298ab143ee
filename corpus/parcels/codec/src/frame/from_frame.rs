use super::FrameError;

/// What can be made from the body of a frame.
pub trait FromFrame: Sized {
    fn from_frame(body: &[u8]) -> Result<Self, FrameError>;
}

/// A parcel passed a scanner.
#[derive(Debug, PartialEq, Eq)]
pub struct Scan {
    pub parcel: u32,
    pub depot: u8,
}

impl FromFrame for Scan {
    fn from_frame(body: &[u8]) -> Result<Self, FrameError> {
        let [a, b, c, d, depot] = body[..] else {
            return Err(FrameError::TooShort { needed: 5, got: body.len() });
        };
        Ok(Self { parcel: u32::from_be_bytes([a, b, c, d]), depot })
    }
}
