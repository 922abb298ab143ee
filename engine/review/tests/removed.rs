//! Files before and after a change as text in, what goes and is still used as text out.

use crate::hunks::between;
use crate::locate::{Files, place};
use crate::removed::{Asked, effects};
use crate::{FileChange, Patch};
use activate_rules::atoms::NodeId;
use index::fixture;
use repo::RepoPath;

/// What goes and is used, in short: the files before a change, then what becomes of them, applied or not.
fn told_in(before: &str, after: &str) -> [String; 2] {
    let split = |files: &'static str| -> Vec<(&str, &str)> {
        files.split("//- ").skip(1).filter_map(|file| file.split_once('\n')).collect()
    };
    let (before, after): (&'static str, &'static str) = (before.to_owned().leak(), after.to_owned().leak());
    let (old, mut new) = (split(before), split(before));
    for (path, text) in split(after) {
        new.retain(|(other, _)| *other != path);
        if !text.is_empty() {
            new.push((path, text));
        }
    }
    let text =
        |files: &[(&str, &str)], path: &str| files.iter().find(|(other, _)| *other == path).map(|(_, text)| (*text).to_owned());
    let change = |(path, _): (&str, &str)| {
        let path = RepoPath::new(path).expect("a path");
        let (before, after) = (text(&old, path.as_str()), text(&new, path.as_str()));
        let hunks = between(before.as_deref().unwrap_or_default().as_bytes(), after.as_deref().unwrap_or_default().as_bytes());
        let side = |text: &Option<String>| text.as_ref().map(|_| path.clone());
        FileChange { old: side(&before), new: side(&after), hunks, ..FileChange::default() }
    };
    let patch = Patch { files: split(after).into_iter().map(change).collect(), ..Patch::default() };
    [&new, &old].map(|files| {
        let files: &Vec<(&str, &str)> = files;
        let base = fixture::base(&files.iter().map(|(path, text)| format!("//- {path}\n{text}")).collect::<Vec<_>>().concat());
        let read = |file: NodeId| text(files, base.path(file)).map(String::into_bytes);
        let of_file = |file: NodeId| read(file).ok_or_else(String::new);
        let (placed, problems) = place(&Files { base: &base, is_exact: true, read: &of_file }, &patch);
        assert!(problems.is_empty(), "{problems:?}");
        let removed = effects(&Asked { base: &base, read: &read }, &placed).removed;
        let uses = |uses: &[(NodeId, u32)]| {
            uses.iter().map(|(file, line)| format!(" {}:{line}", base.path(*file))).collect::<Vec<_>>().concat()
        };
        removed.iter().map(|gone| format!("{} {}:{}\n", gone.kind, gone.name, uses(&gone.uses))).collect::<Vec<_>>().concat()
    })
}

fn check_told(before: &str, after: &str, told: &str) {
    let [applied, open] = told_in(before, after);
    assert_eq!(applied, told, "applied");
    assert_eq!(open, told, "not applied");
}

const STORE: &str = "\
//- go.mod
module x.com/shop
//- store/store.go
package store

type Store struct{ n int }

func Load() *Store { return New() }

func New() *Store { return &Store{} }

func (s *Store) Close() error { return nil }

func (s *Store) Len() int { return s.n }
//- client/client.go
package client

type Cursor struct{}

func Load() *Cursor { return &Cursor{} }

func (c *Cursor) Close() error { return nil }
//- cmd/main.go
package main

import (
	\"errors\"
	\"x.com/shop/client\"
	\"x.com/shop/store\"
)

func main() {
	s := store.Load()
	defer s.Close()
	c := client.Load()
	defer c.Close()
	panic(errors.New(\"no\"))
}
";

#[test]
fn a_definition_that_goes_is_used_where_it_was_meant_whatever_else_has_its_name() {
    // Another package has both names, and a use of each.
    check_told(
        STORE,
        "//- store/store.go\npackage store\n\ntype Store struct{ n int }\n\nfunc Load() *Store { return &Store{} }\n\nfunc (s *Store) Len() int { return s.n }\n",
        "method Store.Close: cmd/main.go:11\n",
    );
    check_told(
        STORE,
        "//- store/store.go\npackage store\n\ntype Store struct{ n int }\n\nfunc New() *Store { return &Store{} }\n\nfunc (s *Store) Close() error { return nil }\n\nfunc (s *Store) Len() int { return s.n }\n",
        "function Load: cmd/main.go:10\n",
    );
    // Nobody but its own package used it; the package of the language has the name too.
    check_told(
        STORE,
        "//- store/store.go\npackage store\n\ntype Store struct{ n int }\n\nfunc Load() *Store { return &Store{} }\n\nfunc (s *Store) Close() error { return nil }\n\nfunc (s *Store) Len() int { return s.n }\n",
        "",
    );
    // Moved within its package, and taken over with what is embedded.
    check_told(
        STORE,
        "//- store/store.go\npackage store\n\nimport \"os\"\n\ntype Store struct {\n\t*os.File\n\tn int\n}\n\nfunc Load() *Store { return &Store{} }\n\nfunc (s *Store) Len() int { return s.n }\n//- store/new.go\npackage store\n\nfunc New() *Store { return &Store{} }\n",
        "",
    );
    // A use that the change brings, beside one that it takes away.
    check_told(
        STORE,
        "//- store/store.go\npackage store\n\ntype Store struct{ n int }\n\nfunc New() *Store { return &Store{} }\n\nfunc (s *Store) Close() error { return nil }\n\nfunc (s *Store) Len() int { return s.n }\n\
         //- cmd/main.go\npackage main\n\nimport \"x.com/shop/store\"\n\nfunc main() {\n\tprintln(1)\n\tstore.Load().Len()\n}\n",
        "function Load: cmd/main.go:7\n",
    );
}

const QUERY: &str = "\
//- package.json
{ \"name\": \"shop\" }
//- src/text.ts
export class Bag {
  push(n: number): void {}
  size(): number { return 0 }
}
function stringify(n: number): string { return String(n) }
export function env(): string { return stringify(1) }
//- src/use.ts
import { stringify } from \"qs\"
import { Bag, env } from \"./text\"

export function use(bag: Bag): void {
  const list: string[] = []
  list.push(stringify(1))
  list.push(process.env.HOME ?? \"\")
  bag.push(2)
  env()
}
";

#[test]
fn names_of_other_modules_and_of_the_language_are_no_uses() {
    let class = "export class Bag {\n  push(n: number): void {}\n  size(): number { return 0 }\n}\n";
    // Known in its file alone.
    check_told(QUERY, &format!("//- src/text.ts\n{class}export function env(): string {{ return \"\" }}\n"), "");
    check_told(QUERY, &format!("//- src/text.ts\n{class}"), "function env: src/use.ts:9\n");
    check_told(
        QUERY,
        "//- src/text.ts\nexport class Bag {\n  size(): number { return 0 }\n}\nfunction stringify(n: number): string { return String(n) }\nexport function env(): string { return stringify(1) }\n",
        "method Bag.push: src/use.ts:8\n",
    );
    // The file goes, and what it had comes from elsewhere: where it is still asked for there, and where it is not.
    check_told(
        QUERY,
        &format!("//- src/text.ts\n//- src/more.ts\n{class}export function env(): string {{ return \"\" }}\n"),
        "type Bag: src/use.ts:4\nmethod Bag.push: src/use.ts:8\nfunction env: src/use.ts:9\n",
    );
    check_told(
        QUERY,
        &format!(
            "//- src/text.ts\n{class}export {{ env }} from \"./env\"\n//- src/env.ts\nexport function env(): string {{ return \"\" }}\n"
        ),
        "",
    );
    check_told(QUERY, &format!("//- src/text.ts\n{class}export {{ env }} from \"envs\"\n"), "");
}

#[test]
fn methods_of_types_from_outside_are_no_uses() {
    let before = "\
//- Cargo.toml
[package]
name = \"shop\"
version = \"0.1.0\"
//- src/lib.rs
mod bag;
mod till;
//- src/bag.rs
pub struct Bag(Vec<u32>);

impl Bag {
    pub fn push(&mut self, n: u32) {
        self.0.push(n);
    }
    pub fn size(&self) -> usize {
        self.0.len()
    }
}
//- src/till.rs
use crate::bag::Bag;

pub fn pay(bag: &mut Bag, list: &mut Vec<u32>) {
    list.push(1);
    bag.push(2);
    bag.size();
}
";
    let after = "//- src/bag.rs\npub struct Bag(Vec<u32>);\n\nimpl Bag {\n    pub fn size(&self) -> usize {\n        self.0.len()\n    }\n}\n";
    check_told(before, after, "method Bag.push: src/till.rs:5\n");
}

#[test]
fn what_is_defined_in_a_way_that_is_not_read_does_not_go() {
    let go = "//- go.mod\nmodule x.com/shop\n//- store.go\npackage shop\n\ntype S struct{}\n\nfunc (s S) Do() string { return \"\" }\n//- use.go\npackage shop\n\nfunc use(s S) string { return s.Do() }\n";
    // A field, and a type that is another's now.
    check_told(go, "//- store.go\npackage shop\n\ntype S struct {\n\tDo func() string\n}\n", "");
    check_told(go, "//- store.go\npackage shop\n\nimport \"time\"\n\ntype S = time.Duration\n", "");
    check_told(go, "//- store.go\npackage shop\n\ntype S struct{}\n", "method S.Do: use.go:3\n");
    // By a macro.
    let rust = "//- Cargo.toml\n[package]\nname = \"shop\"\nversion = \"0.1.0\"\n//- src/lib.rs\nmod bag;\n\npub fn pay() -> u32 {\n    bag::size()\n}\n//- src/bag.rs\npub fn size() -> u32 {\n    1\n}\n";
    check_told(rust, "//- src/bag.rs\nmake!(size);\n", "");
    check_told(rust, "//- src/bag.rs\nmake!(length);\n", "function size: src/lib.rs:4\n");
    // By a type that has members of any name.
    let class = |inner: &str| format!("//- a.ts\nexport class A {{\n  {inner}\n  open(): void {{}}\n}}\n");
    let script = format!(
        "//- package.json\n{{}}\n{}//- b.ts\nimport {{ A }} from './a'\n\nexport function use(a: A) {{\n  a.close()\n}}\n",
        class("close(): void {}")
    );
    check_told(&script, &class("[key: string]: any"), "");
    check_told(&script, &class("n = 1"), "method A.close: b.ts:4\n");
}
