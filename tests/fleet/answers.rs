//! What is said of the shop in `tests/fleet/organisation`, line by line.

use crate::organisation::Organisation;
use expect_test::expect_file;

#[test]
fn rows_of_all_questions_are_those_that_a_reader_would_give() {
    let shop = Organisation::shop();
    shop.well("store", &["sync"]);
    let go: &[&[&str]] = &[
        &["callers", "example.org/shop/kit/client#Client.Fetch"],
        &["callers", "kit/client/client.go#Reply.Failed"],
        &["callers", "kit#Cents"],
        &["callers", "api/server/orders.go"],
        &["callers", "kit#go"],
        &["impact", "example.org/shop/kit/client#New"],
    ];
    let others: &[&[&str]] = &[
        &["callers", "shop-core#Basket.total"],
        &["callers", "shop-core#Priced.price"],
        &["callers", "shop-core#Basket.price"],
        &["impact", "shop-core#read_basket"],
        &["callers", "shop_core#Basket.total"],
        &["callers", "shop-core#Basket"],
        &["callers", "kit#Client"],
        &["callers", "@shop/ui#formatPrice"],
        &["callers", "@shop/ui#Table.addRow"],
        &["callers", "ui/src/table.ts#emptyTable", "--format", "jsonl"],
    ];
    let services: &[&[&str]] = &[
        &["callers", "api#showOrder"],
        &["impact", "api/server/orders.go#placeOrder", "--depth", "1"],
        &["impact", "api#orderServer.PlaceOrder"],
    ];
    let packages: &[&[&str]] = &[
        &["needs"],
        &["needs", "--format", "jsonl", "--limit", "1"],
        &["cycles"],
        &["unused", "kit"],
        &["unused", "core"],
        &["unused", "ui"],
        &["unused", "cli"],
    ];
    let owners: &[&[&str]] = &[
        &["who-owns", "kit/client/client.go", "kit/money/money.go"],
        &["who-owns", "api/proto/orders.proto", "web#showOrder", "cli#Shown.cents", "jobs"],
        &["who-owns", "example.org/shop/kit/client#Client.Fetch", "--reached", "1"],
        &["who-owns", "kit#New", "--reached", "3", "--format", "jsonl"],
    ];
    let mistakes: &[&[&str]] = &[
        &["callers", "kit#Client.Fetsch"],
        &["callers", "example.org/shop/none#New"],
        &["callers", "kitt#New"],
        &["callers", "api/server/none.go"],
        &["callers", "kit/client/clinet.go"],
        &["callers", "kit/clients/client.go"],
        &["callers", "./api/server/orders.go:18"],
        &["callers", "api/server/orders.go:19"],
        &["callers", "example.org/shop/kit/client.Client#Fetch"],
        &["callers", "Kit#New"],
        &["callers", "client#New"],
        &["callers", "jobs/orders/", "--limit", "2"],
        &["unused", "none"],
        &["unused", "job"],
        &["callers", "jobs#Run"],
    ];
    for (name, commands) in [
        ("go", go),
        ("others", others),
        ("services", services),
        ("packages", packages),
        ("owners", owners),
        ("mistakes", mistakes),
    ] {
        let path = format!("{}/tests/fleet/answers/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&shop.told("store", commands));
    }
}

#[test]
fn what_is_passed_on_is_found_and_what_may_mean_something_else_is_counted() {
    let org = Organisation::empty();
    org.commit(
        "back",
        &[
            ("Cargo.toml", "[package]\nname = \"back\"\nversion = \"1.0.0\"\n"),
            (
                "src/lib.rs",
                "pub struct Thing;\nimpl Thing {\n    pub fn put(&self) {}\n}\npub mod deep {\n    pub fn dig() {}\n}\n",
            ),
        ],
    );
    org.commit(
        "front",
        &[
            ("Cargo.toml", "[package]\nname = \"front-door\"\nversion = \"1.0.0\"\n[dependencies]\nback = \"1\"\n"),
            ("src/lib.rs", "pub use back::Thing as Object;\npub use back::deep::*;\npub use self::front_door as again;\npub use again as front_door;\n"),
        ],
    );
    org.commit(
        "user",
        &[
            ("Cargo.toml", "[package]\nname = \"user\"\nversion = \"1.0.0\"\n[dependencies]\nfront-door = \"1\"\n"),
            ("src/lib.rs", "use front_door::{Object, dig};\n\npub fn run(object: &Object) {\n    object.put();\n    dig();\n}\n"),
        ],
    );
    // Two repositories publish one package: nobody knows which is meant.
    for name in ["old", "new"] {
        let lib = "package tool\n\nfunc Run() {}\n";
        org.commit(name, &[("go.mod", "module host.example/tool\n\ngo 1.22\n"), ("tool.go", lib)]);
    }
    let main = "package main\n\nimport \"host.example/tool\"\n\nfunc main() {\n\ttool.Run()\n\ttool.Run()\n}\n";
    org.commit("main", &[("go.mod", "module host.example/main\n\ngo 1.22\n"), ("main.go", main)]);
    let manifest =
        ["back", "front", "user", "old", "new", "main"].map(|name| format!("[[repository]]\nname='{name}'\npath='../{name}'\n"));
    org.file("org/fleet.toml", &manifest.concat());
    org.well("store", &["sync"]);
    org.file("org/access.toml", "[[grant]]\nwho = \"ann\"\nrepositories = [\"old\", \"main\"]\n");
    let commands: &[&[&str]] = &[
        &["callers", "front-door#Object"],
        &["callers", "front_door#Object.put"],
        &["callers", "front_door#dig"],
        &["callers", "front_door#front_door"],
        &["callers", "old#Run"],
        &["callers", "old#Run", "--format", "jsonl"],
        // Who sees one of the two hears nothing of the other.
        &["callers", "old#Run", "--access", "access.toml", "--as", "ann"],
    ];
    let path = format!("{}/tests/fleet/answers/passed_on.txt", env!("CARGO_MANIFEST_DIR"));
    expect_file![path].assert_eq(&org.told("store", commands));
}

/// Two repositories for each language: one has a method that others implement or override, and calls it; the other does so, and calls its own.
const OVERRIDES: &[(&str, &[(&str, &str)])] = &[
    (
        "body",
        &[
            ("Cargo.toml", "[package]\nname = \"body\"\nversion = \"1.0.0\"\n"),
            (
                "src/lib.rs",
                "use std::ops::Add;\n\npub trait Body {\n    type Data;\n    fn poll(&self);\n    fn end(&self) {}\n}\n\npub struct Size(pub u8);\n\n\
                 impl Add for Size {\n    type Output = Size;\n    fn add(self, other: Size) -> Size { other }\n}\n",
            ),
        ],
    ),
    (
        "full",
        &[
            ("Cargo.toml", "[package]\nname = \"full\"\nversion = \"1.0.0\"\n[dependencies]\nbody = \"1\"\n"),
            (
                "src/lib.rs",
                "use body::Body;\n\npub struct Full;\n\nimpl Body for Full {\n    type Data = u8;\n    fn poll(&self) {}\n}\n\n\
                 pub fn run(full: &Full) {\n    full.poll();\n}\n",
            ),
        ],
    ),
    (
        "store",
        &[
            ("go.mod", "module host.example/store\n\ngo 1.22\n"),
            ("store.go", "package store\n\ntype Store interface {\n\tLoad(key string) string\n}\n"),
        ],
    ),
    (
        "disk",
        &[
            ("go.mod", "module host.example/disk\n\ngo 1.22\n\nrequire host.example/store v1.0.0\n"),
            (
                "disk.go",
                "package disk\n\nimport \"host.example/store\"\n\nvar _ store.Store = (*Disk)(nil)\n\ntype Disk struct{}\n\n\
                 func (d *Disk) Load(key string) string { return key }\n\nfunc (d *Disk) Sync() {}\n",
            ),
            ("internal/deep/deep.go", "package deep\n\nfunc Deep() {}\n"),
        ],
    ),
    (
        "ui",
        &[
            ("package.json", "{\"name\": \"@shop/ui\"}\n"),
            ("index.ts", "export abstract class View {\n  constructor() {}\n  draw(): void {}\n}\n"),
        ],
    ),
    (
        "app",
        &[
            ("package.json", "{\"name\": \"@shop/app\", \"dependencies\": {\"@shop/ui\": \"1\"}}\n"),
            (
                "src/app.ts",
                "import { View } from \"@shop/ui\"\n\nexport class Page extends View {\n  draw(): void {\n    super.draw()\n    super.draw()\n  }\n}\n",
            ),
            ("src/main.ts", "import { Page } from \"./app\"\n\nexport function show(page: Page): void {\n  page.draw()\n}\n"),
        ],
    ),
];

#[test]
fn what_implements_or_overrides_a_method_of_another_repository_is_reached() {
    let org = Organisation::empty();
    for (name, files) in OVERRIDES {
        org.commit(name, files);
    }
    let manifest: Vec<String> =
        OVERRIDES.iter().map(|(name, _)| format!("[[repository]]\nname='{name}'\npath='../{name}'\n")).collect();
    let gone = "[[repository]]\nname='gone'\npath='../gone'\n";
    org.file("org/fleet.toml", &(manifest.concat() + gone));
    org.file("org/access.toml", "[[grant]]\nwho = \"ann\"\nrepositories = [\"app\"]\n");
    // One of the repositories is called `store`.
    org.run("known", &["sync"]);
    let commands: &[&[&str]] = &[
        &["callers", "body#Body.poll"],
        &["callers", "body#Body.Data"],
        &["impact", "body#Body.poll"],
        &["callers", "host.example/store#Store.Load"],
        &["impact", "@shop/ui#View.draw"],
        // Each row tells of one thing that is done; a line of a block is not told of its file too.
        &["callers", "@shop/ui#View.draw"],
        &["callers", "body#Body"],
        // Nobody calls an operator by its name, and a method that takes the place of another by its own.
        &["unused", "body"],
        &["unused", "full"],
        &["unused", "disk"],
        &["unused", "ui"],
        &["unused", "app"],
        // Who sees one of both alone hears nothing of the other.
        &["unused", "app", "--access", "access.toml", "--as", "ann"],
        // Of one that is listed and not there that is said.
        &["unused", "gone"],
        &["callers", "gone/src/lib.rs#run"],
        &["unused", "gone", "--access", "access.toml", "--as", "ann"],
    ];
    let path = format!("{}/tests/fleet/answers/overrides.txt", env!("CARGO_MANIFEST_DIR"));
    expect_file![path].assert_eq(&org.told("known", commands));
}

#[test]
fn a_name_that_is_given_up_has_no_callers_after_the_next_sync() {
    let shop = Organisation::shop();
    shop.well("store", &["sync"]);
    let rename = |name: &str, path: &str| {
        let file = shop.0.join(name).join(path);
        let text = std::fs::read_to_string(&file).expect("a file").replace("Fetch(", "Load(");
        shop.commit(name, &[(path, &text)]);
    };
    rename("kit", "client/client.go");
    rename("api", "server/orders.go");
    shop.well("store", &["sync"]);
    let after = shop.told("store", &[&["callers", "kit#Client.Load"], &["callers", "kit#Client.Fetch"]]);
    expect_test::expect![[r"
        $ activate fleet callers kit#Client.Load
        kit/client/client.go#Client.Load (method), line 18
        2 places in 1 repository
          api/server/orders.go:19 showOrder calls kit/client/client.go#Client.Load
          api/server/orders.go:34 stock.reserve calls kit/client/client.go#Client.Load
        $ activate fleet callers kit#Client.Fetch
        activate: error: `kit` defines no `Client.Fetch`
        (ends with 2)
    "]]
    .assert_eq(&after);
    rename("jobs", "nightly/nightly.go");
    shop.well("store", &["sync"]);
    expect_test::expect![[r"
        $ activate fleet callers kit#Client.Load
        kit/client/client.go#Client.Load (method), line 18
        3 places in 2 repositories
          api/server/orders.go:19 showOrder calls kit/client/client.go#Client.Load
          api/server/orders.go:34 stock.reserve calls kit/client/client.go#Client.Load
          jobs/nightly/nightly.go:23 job.report calls kit/client/client.go#Client.Load
    "]]
    .assert_eq(&shop.told("store", &[&["callers", "kit#Client.Load"]]));
}

#[test]
fn what_changed_for_the_same_tickets_is_told_with_its_lift() {
    let shop = Organisation::new();
    for (ticket, names) in
        [("XY-1", &["kit", "web"][..]), ("XY-2", &["kit", "web"]), ("XY-3", &["api"]), ("XY-4", &["api"]), ("XY-5", &["web"])]
    {
        for name in names {
            shop.commit(name, &[(&format!("src/{ticket}.go"), "package a\n")]);
            shop.git(name, &["commit", "--quiet", "--amend", &format!("--message={ticket} change")]);
        }
    }
    shop.file("org/fleet.toml", "[[repository]]\nname='kit'\npath='../kit'\n[[repository]]\nname='web'\npath='../web'\n[[repository]]\nname='api'\npath='../api'\n");
    shop.well("store", &["sync"]);
    let told = shop
        .told("store", &[&["co-changes"], &["co-changes", "web", "--format", "jsonl", "--limit", "1"], &["co-changes", "none"]]);
    expect_test::expect![[r#"
        $ activate fleet co-changes
        kit/src with web/src: 2 times, of 2 and 4; 1.5 times as often as by chance
        $ activate fleet co-changes web --format jsonl --limit 1
        {"repository":"web","folder":"src","other_repository":"kit","other_folder":"src","n_together":2,"n_changes":4,"n_other_changes":2,"lift":1.5}
        $ activate fleet co-changes none
        activate: error: no repository of the fleet is called `none`; `activate fleet list` names all
        (ends with 2)
    "#]]
    .assert_eq(&told);
}
