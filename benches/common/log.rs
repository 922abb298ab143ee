//! Long texts as people paste them: the log of a server with one panic among its lines, and texts that nobody meant to be read.

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

/// Texts of so many bytes at least that are hard on who reads them: without ends of lines, without blanks, all frames, all patch.
pub(crate) fn hostile(n_bytes: usize) -> [(&'static str, String); 4] {
    let repeated = |head: &str, line: &dyn Fn(usize) -> String| {
        let mut text = head.to_owned();
        for number in 0.. {
            if text.len() >= n_bytes {
                break;
            }
            text.push_str(&line(number));
        }
        text
    };
    let head = "the server loses sockets since yesterday\n\n";
    [
        ("line", repeated("", &|number| format!("src/volume{number}.rs:{number}: socket {number} lost; "))),
        (
            "wide",
            repeated("服务器从昨天开始丢失连接\n", &|number| {
                format!("会话{number}的连接在读取卷时断开，请看session_{number}的日志。")
            }),
        ),
        (
            "frames",
            repeated(head, &|number| {
                format!("goroutine {number} [running]:\nmain.serve{number}(0x1)\n\t/srv/app/serve{number}.go:{number} +0x20\n\n")
            }),
        ),
        (
            "diff",
            repeated(head, &|number| {
                format!(
                    "diff --git a/src/f{number}.rs b/src/f{number}.rs\n--- a/src/f{number}.rs\n+++ b/src/f{number}.rs\n\
                     @@ -{number},2 +{number},2 @@\n-let socket = {number};\n+let volume = {number};\n }}\n"
                )
            }),
        ),
    ]
}
