//! Lines as a client may send them.
#![no_main]

use cli::mcp::Frame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for line in data.split(|byte| *byte == b'\n') {
        let _ = Frame::of(line);
    }
});
