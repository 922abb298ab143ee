//! `activate fleet ask`: one packet of several repositories, and its reasons.

use crate::organisation::Organisation;
use std::fs;

const INTENT: &str = "Client.Fetch drops the trace header";

/// The lines of a packet that say which repositories, files and links it has; what code and commits say is left out.
fn outline(packet: &str) -> String {
    let mut kept = String::new();
    let mut is_data = false;
    for line in packet.lines() {
        is_data = if line.starts_with("[data ") { true } else { is_data && !line.starts_with("[end ") };
        let is_place = line.contains(" (") && line.contains(".go:");
        let is_file = line.starts_with("  - ") && line.contains(".go");
        let is_told = line.starts_with("Repositories ")
            || line.starts_with("LIKELY ")
            || is_file && !line.contains(" (") && !line.contains('"');
        if is_data && is_place || !is_data && is_told {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn a_packet_names_the_repository_of_each_place_and_why_it_is_there() {
    let shop = Organisation::shop();
    shop.well("store", &["sync"]);
    let packet = shop.well("store", &["ask", "--intent", INTENT, "--budget", "3000"]);
    expect_test::expect![[r"
        Repositories (most likely first): kit, api, jobs.
        LIKELY FILES (most likely first): [kit]
          - kit/client/client.go
        kit/client/client.go:1-34 (named in the intent)
        LIKELY FILES (most likely first): [api]
          - api/server/orders.go
          - api/server/routes.go
        api/server/orders.go:1-36 (calls kit/client/client.go#Client.Fetch)
        api/server/routes.go:5-9 (uses showOrder, line 7)
        LIKELY FILES (most likely first): [jobs]
          - jobs/nightly/nightly.go
          - jobs/nightly/restock.go
          - jobs/orders/orders_grpc.pb.go
          - jobs/orders/orders.pb.go
        jobs/nightly/nightly.go:1-25 (words: client)
        jobs/nightly/restock.go:10-15 (words: client)
        jobs/orders/orders_grpc.pb.go:12-30 (words: client)
        jobs/orders/orders.pb.go:1-12 (imported by jobs/nightly/restock.go, line 13)
          - WARNING: jobs/orders/orders.pb.go is generated: changes will be overwritten.
          - WARNING: jobs/orders/orders_grpc.pb.go is generated: changes will be overwritten.
    "]]
    .assert_eq(&outline(&packet));
    // It is read at a commit, whatever is checked out.
    assert!(packet.contains("\n  Commit: ") && !packet.contains("detached head"), "{packet}");
    // Of `kit` nobody there uses it, and others do.
    let impacted = packet.split("IMPACTED FILES (may need updates): [kit]\n").nth(1).and_then(|rest| rest.lines().next());
    assert_eq!(impacted, Some("  none found (incomplete)"), "{packet}");
    let why = shop.well("store", &["ask", "--intent", INTENT, "--why", "api/server/orders.go#showOrder"]);
    for part in [
        ": calls kit/client/client.go#Client.Fetch\n",
        "\nkit/client/client.go#Client.Fetch:\n",
        "\n    the intent says: Client.Fetch\n",
        "\n  used by, within kit: none found (complete)\n",
        "\n  used by 3 places in 2 other repositories: `activate fleet callers` lists them\n",
    ] {
        assert!(why.contains(part), "{part}: {why}");
    }
    let refused =
        shop.told("store", &[&["ask", "--intent", INTENT, "--why", "ui/src/money.ts"], &["ask", "--intent", "zzyzx quux"]]);
    expect_test::expect![[r"
        $ activate fleet ask --intent Client.Fetch drops the trace header --why ui/src/money.ts
        activate: error: `ui/src/money.ts` is in none of the repositories that take part: kit, api, jobs
        (ends with 2)
        $ activate fleet ask --intent zzyzx quux
        activate: error: no repository has anything of what was asked: name a definition, a file, a package or a repository
        (ends with 3)
    "]]
    .assert_eq(&refused);
}

#[test]
fn a_name_that_one_repository_has_as_a_whole_is_named_in_no_other() {
    let org = Organisation::empty();
    let mut manifest = String::new();
    for (name, text) in [
        ("kit", "package kit\n\ntype Client struct{}\n\nfunc (c *Client) Fetch(path string) string { return path }\n"),
        ("dog", "package dog\n\ntype Dog struct{}\n\nfunc (d *Dog) Fetch(stick string) string { return stick }\n"),
    ] {
        org.commit(name, &[("go.mod", &format!("module host.example/{name}\n\ngo 1.22\n")), ("all.go", text)]);
        manifest.push_str(&["[[repository]]\nname='", name, "'\npath='../", name, "'\n"].concat());
    }
    org.file("org/fleet.toml", &manifest);
    org.well("store", &["sync"]);
    let named = |intent: &str| -> Vec<String> {
        let packet = org.well("store", &["ask", "--intent", intent]);
        let named = packet.lines().filter(|line| line.contains("named in the intent"));
        named.filter_map(|line| Some(line.trim_start().split('/').next()?.to_owned())).collect()
    };
    assert_eq!(named("Client.Fetch drops the path"), ["kit"]);
    // What nobody knows may be a variable of either.
    let mut of_variable = named("boy.Fetch drops the path");
    of_variable.sort();
    of_variable.dedup();
    assert_eq!(of_variable, ["dog", "kit"]);
}

#[test]
fn the_answer_of_a_fleet_of_one_is_the_ordinary_answer() {
    let shop = Organisation::empty();
    shop.commit_shop("api");
    let head = fs::read_to_string(shop.0.join("api/.git/refs/heads/main")).expect("an id");
    shop.file("org/fleet.toml", "[[repository]]\nname = \"api\"\npath = \"../api\"\n");
    shop.well("store", &["sync"]);
    for intent in ["placeOrder charges twice", "fix server/routes.go", "who registers the orders"] {
        let fleet = shop.well("store", &["ask", "--intent", intent]);
        let mut alone = shop.program_at_home();
        alone.args(["--intent", intent, "--repo", "../api", "--at", head.trim(), "--no-state"]);
        let alone = alone.output().expect("the command runs");
        assert_eq!(String::from_utf8(alone.stdout).expect("text"), fleet, "{intent}");
        assert!(fleet.lines().count() > 10, "{fleet}");
    }
}

#[test]
fn a_packet_that_is_too_small_for_what_the_task_names_says_so() {
    let shop = Organisation::shop();
    shop.well("store", &["sync"]);
    let ask = |budget: &str| shop.run("store", &["ask", "--intent", "Client.Fetch and Basket.add", "--budget", budget]);
    let small = ask("300");
    let warning = "activate: warning: kit, core have what the task names, and no code of that is shown in 300 tokens\n";
    assert_eq!((small.code, small.stderr.as_str()), (Some(0), warning), "{}", small.stdout);
    let enough = ask("6000");
    assert_eq!((enough.code, enough.stderr.as_str()), (Some(0), ""), "{}", enough.stdout);
}

#[test]
fn names_of_different_repositories_are_all_found_and_none_is_unknown() {
    let shop = Organisation::shop();
    shop.well("store", &["sync"]);
    let packet = shop.well("store", &["ask", "--intent", "Client.Fetch fails for formatPrice", "--budget", "8000"]);
    assert!(packet.contains("kit/client/client.go:") && packet.contains("ui/src/money.ts:"), "{packet}");
    assert!(!packet.contains("Unknown: "), "{packet}");
    // A new name of a member means no other member of that name.
    let packet = shop.well("store", &["ask", "--intent", "in jobs, call Client.Report instead of Client.Fetch"]);
    assert!(packet.contains("jobs/nightly/nightly.go:1-25 (words: client)"), "{packet}");
}
