/// The sum that stands behind the body of a frame.
pub fn crc(body: &[u8]) -> u8 {
    body.iter().fold(0xff, |sum, byte| sum.rotate_left(1) ^ byte)
}
