//! What somebody may see, and what nobody may: repositories that are not granted, secrets, and what a hostile repository tries.

use crate::organisation::Organisation;
use std::fs;

/// Every question, as `ann` asks it.
fn all_told(shop: &Organisation) -> String {
    let intent = "Client.Fetch drops the trace header";
    let questions: &[&[&str]] = &[
        &["list"],
        &["needs"],
        &["needs", "--format", "jsonl"],
        &["cycles"],
        &["callers", "kit#Client.Fetch"],
        &["impact", "kit#New", "--format", "jsonl"],
        &["impact", "api#showOrder"],
        &["callers", "api#orderServer.PlaceOrder"],
        &["unused", "kit"],
        &["unused", "api"],
        &["who-owns", "kit#New", "--reached", "4"],
        &["ask", "--intent", intent],
        &["ask", "--intent", intent, "--why", "api/server/orders.go#showOrder"],
        &["ask", "--intent", intent, "--why", "api/nothing.go"],
        &["ask", "--intent", "the night asks for all reports, rows with a heading, and what a basket costs"],
    ];
    questions.iter().map(|question| shop.told("store", &[&[question, &ANN[..]].concat()])).collect()
}

const ANN: [&str; 4] = ["--access", "access.toml", "--as", "ann"];

#[test]
fn repositories_that_are_not_granted_are_named_by_no_answer() {
    let shop = Organisation::shop();
    let manifest = shop.0.join("org/fleet.toml");
    let mut text = fs::read_to_string(&manifest).expect("a manifest");
    for name in ["cli", "core", "jobs", "ui", "web"] {
        text = text.replace(&format!("name = \"{name}\""), &format!("name = \"hidden/{name}\""));
    }
    fs::write(&manifest, text).expect("written");
    shop.well("store", &["sync"]);
    shop.file("org/access.toml", "[[grant]]\nwho = \"ann\"\nrepositories = [\"kit\", \"api\"]\n");
    let told = all_told(&shop);
    for word in ["hidden", "nightly", "orders.ts", "basket", "table.ts", "@shop/web", "@shop/ui", "@shop/night", "shop.example"] {
        let said =
            told.lines().find(|line| line.contains(word) && !line.starts_with('$') && !line.starts_with("# Session context: "));
        assert_eq!(said, None, "{word}");
    }
    assert!(told.contains("api/server/orders.go:19 showOrder calls kit/client/client.go#Client.Fetch"), "{told}");
    // They are refused in the words of one that is not there.
    for question in [&["unused", "NAME"][..], &["callers", "NAME#Run"], &["who-owns", "NAME/nightly/nightly.go"]] {
        let refused = |name: &str| {
            let args: Vec<String> = question.iter().map(|word| word.replace("NAME", name)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).chain(ANN).collect();
            let ended = shop.run("store", &args);
            (ended.code, ended.stdout, ended.stderr.replace(name, "NAME"))
        };
        assert_eq!(refused("hidden/jobs"), refused("hidden/none"));
    }
    let nobody = shop.told("store", &[&["list", "--access", "access.toml"], &["needs", "--access", "access.toml"]]);
    assert!(!nobody.contains("kit") && !nobody.contains("api"), "{nobody}");
    assert!(nobody.contains("the manifest lists no repository that may be seen"), "{nobody}");
}

#[test]
fn a_secret_of_one_repository_is_masked_in_answers_about_another() {
    let shop = Organisation::shop();
    let secret = ["q8Zr", "T2vN", "x5Lw", "K9sB", "d3Hy"].concat();
    shop.commit("jobs", &[("config/.env", &format!("REPORTS_PASSWORD={secret}\n"))]);
    let file = shop.0.join("kit/client/client.go");
    let text = fs::read_to_string(&file).expect("a file");
    let leak = text.replace("// Fetch asks", &format!("// Fetch with {secret} asks")) + &format!("\nfunc Use_{secret}() {{}}\n");
    shop.commit("kit", &[("client/client.go", &leak)]);
    shop.well("store", &["sync"]);
    let grants =
        "[[grant]]\nwho = \"ann\"\nrepositories = [\"kit\", \"api\"]\n[[grant]]\nwho = \"bob\"\nrepositories = [\"kit\"]\n";
    shop.file("org/access.toml", grants);
    // Who sees one repository alone is told no more than who sees several.
    for access in [&[][..], &ANN, &["--access", "access.toml", "--as", "bob"]] {
        let questions: [&[&str]; 4] = [
            &["ask", "--intent", "Client.Fetch drops the trace header"],
            &["ask", "--intent", "Client.Fetch drops the trace header", "--why", "kit/client/client.go"],
            &["unused", "kit"],
            &["unused", "kit", "--format", "jsonl"],
        ];
        for question in questions {
            let answer = shop.well("store", &[question, access].concat());
            assert!(!answer.contains(&secret) && answer.contains("client/client.go"), "{question:?}: {answer}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_hostile_repository_changes_no_answer_about_the_others() {
    let shop = Organisation::shop();
    shop.well("calm", &["sync"]);
    let questions: &[&[&str]] = &[
        &["callers", "kit#Client.Fetch"],
        &["impact", "kit#New"],
        &["impact", "shop-core#read_basket"],
        &["callers", "@shop/ui#Table.addRow"],
        &["callers", "api#showOrder"],
        &["needs"],
        &["cycles"],
        &["unused", "kit"],
        &["who-owns", "kit#New", "--reached", "3"],
        &["ask", "--intent", "Client.Fetch drops the trace header"],
    ];
    let calm = shop.told("calm", questions);
    let huge = format!("package x\n\nvar Huge = \"{}\"\n", "a".repeat(3 << 20));
    shop.commit(
        "hostile",
        &[
            ("a\u{1b}[31m\nb.go", "package x\n\nfunc A() {}\n"),
            ("huge.go", &huge),
            ("go.mod", "module example.org/shop/hostile\n\nrequire (\n"),
            ("Cargo.toml", "[package\nname = \"shop-core\"\n"),
            ("package.json", "{\"name\": \"@shop/ui\", \"dependencies\": "),
            ("deep.ts", &"[".repeat(200_000)),
            ("proto/orders.proto", "syntax = \"proto3\";\npackage shop.orders;\nservice Orders {\n"),
            ("CODEOWNERS", "[\n!x @evil\n"),
        ],
    );
    std::os::unix::fs::symlink("/etc", shop.0.join("hostile/out")).expect("a link");
    std::os::unix::fs::symlink("../kit/client", shop.0.join("hostile/client")).expect("a link");
    shop.commit("hostile", &[]);
    let manifest = shop.0.join("org/fleet.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest") + "[[repository]]\nname = \"hostile\"\npath = \"../hostile\"\n";
    fs::write(&manifest, text).expect("written");
    assert_eq!(shop.run("store", &["sync"]).code, Some(0));
    let now = shop.told("store", questions);
    assert_eq!(now, calm);
    let own = shop.told("store", &[&["list"], &["unused", "hostile"], &["ask", "--intent", "hostile Huge"]]);
    assert!(own.contains("hostile  known") && !own.contains('\u{1b}'), "{own}");
}
