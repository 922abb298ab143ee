//! Which files an edit has resolved: those whose lookups it changes, also where they mention nothing of what changed.

use super::{engine, said, section_names};
use crate::CacheChoice;
use repo::testing::Scratch;

/// What is tried, the files, and the path and the text of the one that is edited; without a text it goes.
type Case = (&'static str, &'static [(&'static str, &'static str)], (&'static str, &'static str));

/// Calls of a type of a package that has no file of its own as long as there is none of the type.
const PACKAGE: [(&str, &str); 4] = [
    ("a/b/c/G.java", "package a.b.c;\n\nclass G {}\n"),
    ("a/b/Y.java", "package a.b;\n\nclass Y {}\n"),
    ("q/F.java", "package q;\n\nclass F {\n  void f() { a.b.X.fooBarBaz(); a.b.made().fooBarBaz(); }\n}\n"),
    ("q/Z.java", "package q;\n\nclass Z {\n  static void fooBarBaz() {}\n}\n"),
];

/// A message and what is generated from it.
const GENERATED: [(&str, &str); 2] = [
    ("shop.proto", "syntax = \"proto3\";\n\nmessage Order {}\n"),
    (
        "shop.pb.go",
        "// Code generated. DO NOT EDIT.\n// source: shop.proto\n\npackage gen\n\nfunc first() { second() }\n\nfunc second() {}\n\ntype Order struct{}\n",
    ),
];

const CASES: [Case; 16] = [
    (
        "a call signature that comes through a file that is not asked",
        &[
            ("res.ts", "export class Res { go() {} }\n"),
            ("base.ts", "import { Res } from \"./res\";\nexport interface Base { use?: Res }\n"),
            ("m.ts", "import { Base } from \"./base\";\nexport interface Handler extends Base {}\n"),
            ("a.ts", "import { Handler } from \"./m\";\nexport function run(h: Handler) { h((x) => x.go()); }\n"),
        ],
        ("base.ts", "import { Res } from \"./res\";\nexport interface Base { use?: Res; (f: (x: Res) => void): void }\n"),
    ),
    (
        "a constructor that comes through a class that is not asked",
        &[
            ("base.ts", "export class Base {}\n"),
            ("m.ts", "import { Base } from \"./base\";\nexport class Handler extends Base {}\n"),
            ("a.ts", "import { Handler } from \"./m\";\nexport function run() { return new Handler(); }\n"),
        ],
        ("base.ts", "export class Base { constructor() {} }\n"),
    ),
    (
        "a default export of a function that was there",
        &[("m.ts", "export function f() {}\n"), ("a.ts", "import * as M from \"./m\";\nexport function g() { M.default(); }\n")],
        ("m.ts", "export default function f() {}\n"),
    ),
    (
        "another name of a package",
        &[
            ("go.mod", "module example.com/m\n"),
            ("pkg/f.go", "package p\n\nfunc Foo() {}\n"),
            ("a/a.go", "package a\n\nimport \"example.com/m/pkg\"\n\nfunc Run() { q.Foo() }\n"),
        ],
        ("pkg/f.go", "package q\n\nfunc Foo() {}\n"),
    ),
    (
        "a method that moves to the block of another trait",
        &[
            ("Cargo.toml", "[package]\nname = \"x\"\n"),
            ("src/lib.rs", "mod a;\nmod f;\nmod g;\nmod t;\n"),
            ("src/t.rs", "pub trait T { fn m(&self) {} }\npub trait U { fn m(&self) {} }\n"),
            ("src/g.rs", "use crate::t::T;\nimpl T for u16 { fn m(&self) {} }\n"),
            ("src/f.rs", "use crate::t::{T, U};\nimpl T for u8 { fn m(&self) {} }\nimpl U for u8 {}\n"),
            ("src/a.rs", "use crate::t::T;\npub fn run(x: u8) { x.m(); }\n"),
        ],
        ("src/f.rs", "use crate::t::{T, U};\nimpl T for u8 {}\nimpl U for u8 { fn m(&self) {} }\n"),
    ),
    (
        "a first file of a package",
        &[
            ("go.mod", "module example.com/m\n"),
            ("pkg/f.go", "package pkg\n\nfunc Foo() {}\n"),
            ("a/a.go", "package a\n\nimport \"example.com/m/pkg\"\n\nfunc Run() { pkg.Foo(); pkg.Bar() }\n"),
        ],
        ("pkg/a.go", "package pkg\n\nfunc Bar() { Foo() }\n"),
    ),
    (
        "a first file of a package that is imported for its effects",
        &[
            ("go.mod", "module example.com/m\n"),
            ("drv/f.go", "package drv\n\nfunc Foo() {}\n"),
            ("a/a.go", "package a\n\nimport _ \"example.com/m/drv\"\n"),
        ],
        ("drv/a.go", "package drv\n\nfunc Bar() {}\n"),
    ),
    (
        "what a package does when it is imported for its effects",
        &[
            ("go.mod", "module example.com/m\n"),
            ("drv/a.go", "package drv\n\nfunc Foo() {}\n"),
            ("drv/f.go", "package drv\n\nfunc Bar() {}\n"),
            ("a/a.go", "package a\n\nimport _ \"example.com/m/drv\"\n"),
        ],
        ("drv/f.go", "package drv\n\nfunc init() {}\n"),
    ),
    (
        "declarations that all files see no more, since their file is a module",
        &[("all.d.ts", "declare function everywhere(): void;\n"), ("a.ts", "export function run() { everywhere(); }\n")],
        ("all.d.ts", "import { x } from \"./a\";\ndeclare function everywhere(): void;\n"),
    ),
    (
        "a type that is a part of another no more",
        &[
            ("app.ts", "export interface App { run(): void }\n"),
            ("more.ts", "export {};\ndeclare module \"./app\" { interface App { extra(): void } }\n"),
            ("a.ts", "import { App } from \"./app\";\nexport function run(app: App) { app.extra(); }\n"),
        ],
        ("more.ts", "export {};\ndeclare module \"./other\" { interface App { extra(): void } }\n"),
    ),
    (
        "a trait for types of all kinds that is for some alone",
        &[
            ("Cargo.toml", "[package]\nname = \"x\"\n"),
            ("src/lib.rs", "mod a;\nmod e;\n"),
            ("src/e.rs", "pub struct Own;\npub trait Ext { fn more(&self) {} }\nimpl<T> Ext for T {}\n"),
            ("src/a.rs", "use crate::e::{Ext, Own};\npub fn run(own: Own) { own.more(); }\n"),
        ],
        ("src/e.rs", "pub struct Own;\npub trait Ext { fn more(&self) {} }\nimpl<T> Ext for Vec<T> {}\n"),
    ),
    ("a first file of a package above others", &[PACKAGE[0], PACKAGE[2], PACKAGE[3]], PACKAGE[1]),
    ("the last file of a package above others", &PACKAGE, (PACKAGE[1].0, "")),
    (
        "a body that leads no more to the package that serves what a test asks for",
        &[
            ("go.mod", "module example.com/m\n"),
            ("a/x.go", "package a\n\nimport \"example.com/m/b\"\n\nfunc F() { b.Setup() }\n"),
            (
                "a/x_test.go",
                "package a\n\nfunc TestList(t *testing.T) {\n\tF()\n\thttptest.NewRequest(\"GET\", \"/users/list\", nil)\n}\n",
            ),
            (
                "b/b.go",
                "package b\n\nfunc Setup() {\n\tmux := http.NewServeMux()\n\tmux.HandleFunc(\"GET /users/list\", list)\n}\n\nfunc list() {}\n",
            ),
        ],
        ("a/x.go", "package a\n\nimport \"example.com/m/b\"\n\nfunc F() { b.Gone_() }\n"),
    ),
    (
        "a body of generated code, whose lines move",
        &GENERATED,
        (
            GENERATED[1].0,
            "// Code generated. DO NOT EDIT.\n// source: shop.proto\n\npackage gen\n\nfunc first() {\n\tsecond()\n\tsecond()\n}\n\nfunc second() {}\n\ntype Order struct{}\n",
        ),
    ),
    ("a message that has another name", &GENERATED, (GENERATED[0].0, "syntax = \"proto3\";\n\nmessage Purchase {}\n")),
];

#[test]
fn what_other_files_notice_without_a_word_of_it_is_noticed() {
    let names = section_names();
    for (what, files, (path, text)) in CASES {
        let repository = Scratch::new();
        for (path, text) in files {
            repository.write(path, text);
        }
        let lasting = engine(repository.path(), CacheChoice::Off);
        let before = said(&lasting, &names);
        if text.is_empty() {
            repository.remove(path);
        } else {
            repository.write(path, text);
        }
        let (found, alone) = (said(&lasting, &names), said(&engine(repository.path(), CacheChoice::Off), &names));
        let differs: Vec<&str> = names
            .iter()
            .zip(found.0.iter().zip(&alone.0))
            .filter(|(_, (one, other))| one != other)
            .map(|(name, _)| *name)
            .collect();
        assert!(differs.is_empty() && found.1 == alone.1, "{what}: {differs:?} differ");
        assert!(before.0 != found.0, "{what}: nothing came of it");
    }
}

#[test]
fn an_edit_resolves_the_files_whose_lookups_it_changes() {
    let repository = Scratch::new();
    repository.write("go.mod", "module example.com/m\n");
    for number in 0..20 {
        let calls = format!("package p{number}\n\nfunc F{number}() {{ G{number}() }}\n");
        repository.write(format!("p{number}/a.go"), &calls);
    }
    let uses = |package: &str| format!("package q\n\nimport \"example.com/m/{package}\"\n\nfunc Q() {{ {package}.F7() }}\n");
    repository.write("q/q.go", &uses("p7"));
    let lasting = engine(repository.path(), CacheChoice::Off);
    assert_eq!(lasting.snapshot().expect("a snapshot").effort.n_resolved, 22);
    let edits: [(&str, Option<&str>, usize); 8] = [
        // Nobody looks for it.
        ("p1/a.go", Some("package p1\n\nfunc F1() { G1() }\n\nfunc Other() {}\n"), 1),
        // What somebody looked for in vain.
        ("p3/b.go", Some("package p3\n\nfunc G3() {}\n"), 2),
        // What was found elsewhere.
        ("p3/c.go", Some("package p3\n\nfunc G3() {}\n"), 3),
        ("p3/c.go", None, 2),
        // A body.
        ("p5/a.go", Some("package p5\n\nfunc F5() { G5(); G5() }\n"), 1),
        // Another name, which an importer asks for.
        ("p7/a.go", Some("package p7\n\nfunc H7() { G7() }\n"), 2),
        // Another import; the two packages mention their names themselves.
        ("q/q.go", Some(&uses("p8")), 3),
        // Where packages are.
        ("go.mod", Some("module example.com/other\n"), 23),
    ];
    let names = section_names();
    for (path, text, n_resolved) in edits {
        match text {
            Some(text) => repository.write(path, text),
            None => repository.remove(path),
        }
        let (found, alone) = (said(&lasting, &names), said(&engine(repository.path(), CacheChoice::Off), &names));
        assert!((&found.0, &found.1) == (&alone.0, &alone.1), "{path}: {text:?}");
        assert_eq!(found.3.n_resolved, n_resolved, "{path}: {text:?}");
    }
}
