//! Whoever works, threads or processes: the bytes of an answer are the same.

use crate::organisation::Organisation;
use std::fmt::Write as _;
use std::net::TcpListener;
use std::process::Stdio;

/// How many times two processes are tried: somebody else may take a port between its choice and its use.
const N_TRIES: usize = 5;

/// The answers of two processes that work together.
fn of_two(shop: &Organisation, args: &[&str]) -> Option<[std::process::Output; 2]> {
    let free = || TcpListener::bind("127.0.0.1:0").expect("a port");
    let listeners = [free(), free()];
    let hosts = listeners.iter().fold(String::new(), |mut hosts, listener| {
        let _ = writeln!(hosts, "{}", listener.local_addr().expect("an address"));
        hosts
    });
    drop(listeners);
    shop.file("org/hosts", &hosts);
    let start = |process: &str| {
        let args = [args, &["--hostfile", "hosts", "--process", process, "--workers", "2"]].concat();
        let mut command = shop.command("store", &args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process")
    };
    let (first, second) = (start("0"), start("1"));
    let outputs = [first, second].map(|child| child.wait_with_output().expect("an end"));
    outputs.iter().all(|output| output.status.success()).then_some(outputs)
}

#[test]
fn threads_and_processes_give_the_same_bytes() {
    let shop = Organisation::shop();
    shop.well("store", &["sync", "--workers", "1"]);
    shop.well("other", &["sync", "--workers", "3"]);
    assert!(shop.kept("store") == shop.kept("other"), "what follows from all repositories depends on the workers");
    for args in [&["impact", "kit#New"][..], &["callers", "api#showOrder", "--format", "jsonl"]] {
        let one = shop.well("store", args);
        assert!(one.lines().count() > 1, "{one}");
        for workers in ["2", "5"] {
            assert_eq!(shop.well("store", &[args, &["--workers", workers]].concat()), one);
        }
        let [first, second] = (0..N_TRIES).find_map(|_| of_two(&shop, args)).expect("two processes that met");
        assert_eq!(String::from_utf8(first.stdout).expect("text"), one);
        assert_eq!((second.stdout, second.stderr, first.stderr), (Vec::new(), Vec::new(), Vec::new()));
    }
}

#[test]
fn a_list_of_hosts_that_cannot_be_meant_is_refused() {
    let shop = Organisation::new();
    shop.well("store", &["sync"]);
    shop.file("org/hosts", "127.0.0.1:1\n\n# two\nnowhere\n");
    shop.file("org/one", "127.0.0.1:1\n");
    let told = shop.told(
        "store",
        &[
            &["callers", "lib#Sign", "--hostfile", "hosts", "--process", "0"],
            &["callers", "lib#Sign", "--hostfile", "one", "--process", "1"],
            &["callers", "lib#Sign", "--hostfile", "none", "--process", "0"],
        ],
    );
    expect_test::expect![[r"
        $ activate fleet callers lib#Sign --hostfile hosts --process 0
        activate: error: the list of hosts `hosts`: line 4 is no `host:port`
        (ends with 2)
        $ activate fleet callers lib#Sign --hostfile one --process 1
        activate: error: the list of hosts `one`: process 1 needs line 2, and it has 1 with an address
        (ends with 2)
        $ activate fleet callers lib#Sign --hostfile none --process 0
        activate: error: the list of hosts `none`: there is none; it has `host:port` of each process, a line each
        (ends with 7)
    "]]
    .assert_eq(&told);
}
