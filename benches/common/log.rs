//! A long log as people paste one: lines of a server, and one panic among them.

use std::fmt::Write as _;

/// A text of so many bytes at least.
pub(crate) fn log(n_bytes: usize) -> String {
    let mut text = "the server loses sockets since yesterday, log below\n\n".to_owned();
    for number in 0.. {
        if text.len() >= n_bytes {
            break;
        }
        let _ = writeln!(
            text,
            "2026-11-20T10:{:02}:{:02}.{:03}Z INFO session {number}: client 10.0.{}.{} asked for /volumes/{number}, 200 in {} ms",
            number / 60 % 60,
            number % 60,
            number % 1000,
            number % 250,
            number % 199,
            number % 37
        );
    }
    text.push_str("panic: no socket\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/app/main.go:12 +0x20\n");
    text
}
