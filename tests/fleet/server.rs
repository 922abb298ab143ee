//! `activate serve --fleet` over stdin and stdout: tools say what the commands write, about what counts now, to whoever may see it.

use crate::organisation::Organisation;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a reply may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(120);

const INTENT: &str = "Client.Fetch drops the trace header";

/// A server with a client. Killed at the end.
struct Session {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Session {
    /// Starts a server of the fleet, with a store of that name.
    fn start(shop: &Organisation, store: &str, args: &[&str]) -> Self {
        let mut command = shop.program_at_home();
        command.args(["serve", "--fleet", "--store"]).arg(shop.0.join(store)).args(args);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the server starts");
        let (send, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        let mut session = Self { stdin: child.stdin.take().expect("a pipe"), child, lines };
        let hello =
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        session.ask("initialize", &hello);
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin, "{message}").and_then(|()| self.stdin.flush()).expect("the server reads");
    }

    /// Asks, and waits for the reply to this.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        loop {
            let said: Value = serde_json::from_str(&self.lines.recv_timeout(PATIENCE).expect("a line")).expect("JSON");
            if said["id"] == 1 {
                return said;
            }
        }
    }

    /// What a tool answers, or what is wrong.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        let reply = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = &reply["result"];
        let text = result["content"][0]["text"].as_str().or(result["structuredContent"]["text"].as_str());
        let text = text.unwrap_or_else(|| panic!("no text: {reply}")).to_owned();
        if result["isError"] == true { Err(text) } else { Ok(text) }
    }
}

/// Every question as a call, with the command that asks the same.
fn questions() -> Vec<(&'static str, Value, Vec<&'static str>)> {
    vec![
        ("fleet_ask", json!({ "intent": INTENT, "budget": 3000 }), vec!["ask", "--intent", INTENT, "--budget", "3000"]),
        ("fleet_ask", json!({ "intent": INTENT }), vec!["ask", "--intent", INTENT, "--budget", "6000"]),
        (
            "fleet_ask",
            json!({ "intent": INTENT, "why": "api/server/orders.go#showOrder" }),
            vec!["ask", "--intent", INTENT, "--why", "api/server/orders.go#showOrder"],
        ),
        ("fleet_impact", json!({ "target": "kit#New" }), vec!["impact", "kit#New"]),
        (
            "fleet_impact",
            json!({ "target": "kit#New", "depth": 2, "limit": 3 }),
            vec!["impact", "kit#New", "--depth", "2", "--limit", "3"],
        ),
        ("fleet_callers", json!({ "target": "api#showOrder" }), vec!["callers", "api#showOrder"]),
        ("fleet_callers", json!({ "target": "kit#Client.Fetch" }), vec!["callers", "kit#Client.Fetch"]),
        ("fleet.callers", json!({ "target": "jobs#Run" }), vec!["callers", "jobs#Run"]),
        (
            "fleet_who_owns",
            json!({ "targets": ["kit/client/client.go", "web#showOrder"] }),
            vec!["who-owns", "kit/client/client.go", "web#showOrder"],
        ),
        ("fleet_who_owns", json!({ "targets": ["kit#New"], "reached": 3 }), vec!["who-owns", "kit#New", "--reached", "3"]),
        ("fleet_needs", json!({}), vec!["needs"]),
        ("fleet_needs", json!({ "limit": 1 }), vec!["needs", "--limit", "1"]),
        ("fleet_cycles", json!({}), vec!["cycles"]),
        ("fleet_unused", json!({ "repository": "kit" }), vec!["unused", "kit"]),
        ("fleet_co_changes", json!({ "repository": "kit" }), vec!["co-changes", "kit"]),
    ]
}

#[test]
fn every_tool_answers_with_the_bytes_of_its_command() {
    let shop = Organisation::shop();
    shop.well("store", &["sync"]);
    let mut text = Session::start(&shop, "store", &[]);
    let mut structured = Session::start(&shop, "store", &["--answers", "structured"]);
    for (tool, arguments, command) in questions() {
        let said = shop.run("store", &command);
        assert!(said.stderr.is_empty() && !said.stdout.is_empty(), "{command:?}: {}", said.stderr);
        for session in [&mut text, &mut structured] {
            // Twice: the second answer is from what the first has opened.
            for _ in 0..2 {
                assert_eq!(session.call(tool, &arguments).as_ref(), Ok(&said.stdout), "{tool} {arguments}");
            }
        }
    }
    let names = |session: &mut Session| {
        let listed = session.ask("tools/list", &json!({}))["result"]["tools"].take();
        let tools = listed.as_array().expect("a list").clone();
        assert!(tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true), "{tools:?}");
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>().join(" ")
    };
    let listed = "fleet_ask fleet_impact fleet_callers fleet_who_owns fleet_needs fleet_cycles fleet_unused fleet_co_changes";
    assert_eq!(names(&mut text), listed);
    let counts =
        structured.ask("tools/call", &json!({ "name": "fleet_impact", "arguments": { "target": "kit#New", "limit": 3 } }));
    let counts = &counts["result"]["structuredContent"];
    assert_eq!((counts["n_rows"].as_u64(), counts["n_left"].as_u64()), (Some(7), Some(4)));
    // What a server of one repository has beside tools, this one has not.
    for method in ["resources/list", "prompts/list"] {
        assert_eq!(text.ask(method, &json!({}))["error"]["code"], -32601, "{method}");
    }
}

#[test]
fn a_server_of_a_fleet_of_one_answers_with_the_ordinary_packet() {
    let shop = Organisation::empty();
    shop.commit_shop("api");
    let head = fs::read_to_string(shop.0.join("api/.git/refs/heads/main")).expect("an id");
    shop.file("org/fleet.toml", "[[repository]]\nname = \"api\"\npath = \"../api\"\n");
    shop.well("store", &["sync"]);
    let mut session = Session::start(&shop, "store", &[]);
    let intent = "placeOrder charges twice";
    let mut alone = shop.program_at_home();
    alone.args(["--intent", intent, "--repo", "../api", "--at", head.trim(), "--no-state", "--budget", "2500"]);
    let alone = String::from_utf8(alone.output().expect("the command runs").stdout).expect("text");
    assert!(alone.lines().count() > 10, "{alone}");
    assert_eq!(session.call("fleet_ask", &json!({ "intent": intent, "budget": 2500 })), Ok(alone));
}

#[test]
fn the_next_call_sees_what_another_process_has_synced_and_who_may_see_what_now() {
    let shop = Organisation::shop();
    shop.file("org/access.toml", "[[grant]]\nwho = \"ann\"\nrepositories = [\"*\"]\n");
    let mut session = Session::start(&shop, "store", &["--access", "access.toml", "--as", "ann"]);
    let callers = json!({ "target": "kit#Client.Load" });
    let unknown = session.call("fleet_callers", &callers).expect_err("nothing is known");
    assert!(unknown.contains("there is no store in `"), "{unknown}");
    shop.well("store", &["sync"]);
    let none = session.call("fleet_callers", &callers).expect_err("there is none");
    assert!(none.starts_with("`target`: `kit` defines no `Client.Load`"), "{none}");
    for (name, path) in [("kit", "client/client.go"), ("api", "server/orders.go"), ("jobs", "nightly/nightly.go")] {
        let text = fs::read_to_string(shop.0.join(name).join(path)).expect("a file").replace("Fetch(", "Load(");
        shop.commit(name, &[(path, &text)]);
        shop.well("store", &["sync", "--only", name]);
        let said = shop.run("store", &["callers", "kit#Client.Load"]).stdout;
        assert_eq!(session.call("fleet_callers", &callers), Ok(said), "{name}");
    }
    // A shard that cannot be read is told of, and counts again once it was made again.
    let tables: Vec<_> = shop.kept("store").into_keys().filter(|path| path.starts_with("shards/jobs/")).collect();
    let damage = || {
        for path in tables.iter().filter(|path| path.ends_with("uses.arrow")) {
            let path = shop.0.join("store").join(path);
            let mut bytes = fs::read(&path).expect("bytes");
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            fs::write(path, bytes).expect("written");
        }
    };
    let before = session.call("fleet_needs", &json!({})).expect("rows");
    assert!(before.contains("jobs") && !tables.is_empty(), "{before}");
    damage();
    let mut other = Session::start(&shop, "store", &[]);
    let without = other.call("fleet_needs", &json!({})).expect("rows");
    assert!(without.contains("\nwarning: jobs takes no part: "), "{without}");
    shop.well("store", &["sync"]);
    assert_eq!(other.call("fleet_needs", &json!({})), Ok(before.clone()));
    // What is granted now counts now, and a manifest that lists fewer does.
    shop.file("org/access.toml", "[[grant]]\nwho = \"ann\"\nrepositories = [\"kit\", \"api\"]\n");
    let fewer = session.call("fleet_needs", &json!({})).expect("rows");
    assert_eq!(fewer, "example.org/shop/api (api) needs example.org/shop/kit (kit)\n");
    shop.file("org/access.toml", "[[grant]]\nwho = \"ann\"\nrepositories = [\"*\"]\nwhom = 1\n");
    let refused = session.call("fleet_needs", &json!({})).expect_err("a mistake");
    assert!(refused.starts_with("access.toml:4: unknown field `whom`"), "{refused}");
    assert_eq!(other.call("fleet_needs", &json!({})), Ok(before));
}

#[test]
fn a_server_names_no_repository_that_is_not_granted_and_shows_no_secret_of_one() {
    let shop = Organisation::shop();
    let manifest = shop.0.join("org/fleet.toml");
    let mut text = fs::read_to_string(&manifest).expect("a manifest");
    for name in ["cli", "core", "jobs", "ui", "web"] {
        text = text.replace(&format!("name = \"{name}\""), &format!("name = \"hidden/{name}\""));
    }
    fs::write(&manifest, text).expect("written");
    let secret = ["q8Zr", "T2vN", "x5Lw", "K9sB", "d3Hy"].concat();
    shop.commit("jobs", &[("config/.env", &format!("REPORTS_PASSWORD={secret}\n"))]);
    let file = shop.0.join("kit/client/client.go");
    let text = fs::read_to_string(&file).expect("a file");
    let leak = text.replace("// Fetch asks", &format!("// Fetch with {secret} asks")) + &format!("\nfunc Use_{secret}() {{}}\n");
    shop.commit("kit", &[("client/client.go", &leak)]);
    shop.well("store", &["sync"]);
    shop.file("org/access.toml", "[[grant]]\nwho = \"ann\"\nrepositories = [\"kit\", \"api\"]\n");
    let mut session = Session::start(&shop, "store", &["--access", "access.toml", "--as", "ann"]);
    let mut told = String::new();
    for (tool, arguments, _) in questions() {
        let said = session.call(tool, &arguments);
        let _ = writeln!(told, "{}", said.unwrap_or_else(|refused| refused));
    }
    // Whoever asks by a name that is nearly right is told of such that there are.
    for name in [format!("use_{secret}"), format!("x.use_{secret}")] {
        let refused = session.call("fleet_callers", &json!({ "target": format!("kit#{name}") })).expect_err("none is called so");
        told += &refused.replace(&secret.to_lowercase(), "");
    }
    for word in
        [secret.as_str(), "hidden", "nightly", "orders.ts", "basket", "table.ts", "@shop/web", "@shop/night", "shop.example"]
    {
        let said = told.lines().find(|line| line.contains(word) && !line.starts_with("# Session context: "));
        assert_eq!(said, None, "{word}");
    }
    assert!(told.contains("api/server/orders.go:19 showOrder calls kit/client/client.go#Client.Fetch"), "{told}");
    for (tool, argument) in [
        ("fleet_unused", json!({ "repository": "NAME" })),
        ("fleet_callers", json!({ "target": "NAME#Run" })),
        ("fleet_who_owns", json!({ "targets": ["NAME/nightly/nightly.go"] })),
        ("fleet_ask", json!({ "intent": INTENT, "why": "NAME/nightly/nightly.go" })),
    ] {
        let mut refused = |name: &str| {
            let argument: Value = serde_json::from_str(&argument.to_string().replace("NAME", name)).expect("JSON");
            session.call(tool, &argument).expect_err("refused").replace(name, "NAME")
        };
        assert_eq!(refused("hidden/jobs"), refused("hidden/none"));
    }
}

#[test]
fn an_argument_that_cannot_be_meant_is_named_and_answers_are_bounded() {
    let shop = Organisation::shop();
    let mut many = "package many\n\nimport \"example.org/shop/kit/money\"\n".to_owned();
    for number in 0..600 {
        let _ = write!(many, "\nfunc Use{number}WithANameThatIsLong() int {{\n\treturn money.Cents({number}, 1)\n}}\n");
    }
    shop.commit("api", &[("many/many.go", &many)]);
    shop.well("store", &["sync"]);
    let mut session = Session::start(&shop, "store", &["--answers", "structured"]);
    let long = "x".repeat(5_000);
    let mut told = String::new();
    for (tool, arguments) in [
        ("fleet_ask", json!({})),
        ("fleet_ask", json!({ "intent": " " })),
        ("fleet_ask", json!({ "intent": INTENT, "budget": 0 })),
        ("fleet_ask", json!({ "intent": INTENT, "budget": "many" })),
        ("fleet_ask", json!({ "intent": INTENT, "why": "" })),
        ("fleet_ask", json!({ "intent": "zzyzx quux" })),
        ("fleet_impact", json!({ "target": "kit#New", "depth": 65 })),
        ("fleet_impact", json!({ "target": "kit#New", "deep": 6 })),
        ("fleet_callers", json!({ "target": long })),
        ("fleet_callers", json!({ "target": "kit#Client.Fetsch" })),
        ("fleet_callers", json!({ "target": "kit#New", "limit": -1 })),
        ("fleet_callers", json!({ "target": "\u{202e}\u{1b}[31m#x" })),
        ("fleet_who_owns", json!({ "targets": [] })),
        ("fleet_who_owns", json!({ "targets": ["kit#New", ""] })),
        ("fleet_who_owns", json!({ "targets": "kit#New" })),
        ("fleet_unused", json!({ "repository": "../kit" })),
    ] {
        let shown: String = arguments.to_string().chars().take(60).collect();
        let refused = session.call(tool, &arguments).expect_err("refused");
        assert!(!refused.contains(['\u{202e}', '\u{1b}']), "{refused:?}");
        let _ = writeln!(told, "{tool} {}\n  {}", shown.replace('\u{202e}', "(hidden)"), refused.replace('\n', "\n  "));
    }
    expect_test::expect_file![format!("{}/tests/fleet/answers/refused.txt", env!("CARGO_MANIFEST_DIR"))].assert_eq(&told);

    // What a reply does not hold is the answer with a lower limit, and says how many rows are missing.
    let arguments = json!({ "name": "fleet_callers", "arguments": { "target": "kit/money/money.go#Cents", "limit": 0 } });
    let reply = session.ask("tools/call", &arguments)["result"]["structuredContent"].take();
    let (n_rows, n_left) = (reply["n_rows"].as_u64().expect("a number"), reply["n_left"].as_u64().expect("a number"));
    assert!(n_rows >= 600 && n_left > 0 && reply.to_string().chars().count() < 24_000, "{n_rows} {n_left}");
    let limit = (n_rows - n_left).to_string();
    let command = shop.well("store", &["callers", "kit/money/money.go#Cents", "--limit", &limit]);
    assert_eq!(reply["text"].as_str(), Some(command.as_str()));
    assert!(command.ends_with(&format!("+{n_left} more places, beyond the limit of {limit}\n")), "{command}");
}

#[test]
fn flags_of_one_repository_and_of_a_fleet_do_not_mix() {
    let shop = Organisation::new();
    for (args, named) in [
        (&["serve", "--store", "x"][..], "--fleet"),
        (&["serve", "--as", "ann"], "--fleet"),
        (&["serve", "--fleet", "--repo", "../lib"], "--repo"),
        (&["serve", "--fleet", "--toolset", "ctx"], "--toolset"),
        (&["serve", "--fleet", "none.toml"], "none.toml"),
        (&["serve", "--fleet", "--access", "none.toml"], "none.toml"),
    ] {
        let output = shop.program_at_home().args(args).output().expect("the command runs");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && output.stdout.is_empty() && said.contains(named), "{args:?}: {said}");
    }
}
