//! Lines as a client may send them.
#![no_main]

use activate::mcp::message_of;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = message_of(data);
});
