//! Facts as lines of text.
//!
//! ```text
//! lib module cargo lib = <lib.rs>              <id> is a place of the shard
//! lib type <lib.rs#Client>                     also `function`, `value`, `file`
//! lib member <lib.rs> Client = <lib.rs#Client>
//! lib gives <lib.rs#open> 1 = <lib.rs#Client>{}    part (0 all), a value of the type
//! lib holds <lib.rs#DEFAULT> = <lib.rs#Client>{}
//! lib alias <lib.rs#Alias> = <lib.rs#Client>
//! lib over <lib.rs#Client> = <lib.rs#Base>
//! app use <main.rs#main> 3 call = cargo:lib.open()1.get()
//! ```
//!
//! Of terms `.x` is a member, `()` what a call gives, `()1` its first part, `{}` a value of a type, `[]` an element, and `[…]` many.

use crate::dataflow::{Derived, Rows};
use crate::key::{self, Key, Step};
use crate::routes::keys;
use crate::rules::{Link, Node, Use, UseKind};
use std::collections::BTreeMap;

/// What keys of a test are called.
#[derive(Default)]
pub(super) struct World {
    shards: BTreeMap<String, Rows>,
    nodes: BTreeMap<Node, String>,
    packages: BTreeMap<Key, String>,
}

impl World {
    /// Reads facts.
    pub(super) fn of(text: &str) -> Self {
        let mut world = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            world.add(line).unwrap_or_else(|| panic!("`{line}` is no fact"));
        }
        world
    }

    pub(super) fn shards(&self) -> Vec<Rows> {
        self.shards.values().cloned().collect()
    }

    pub(super) fn shard(&self, name: &str) -> Rows {
        self.shards[name].clone()
    }

    fn add(&mut self, line: &str) -> Option<()> {
        let (shard, rest) = line.split_once(' ')?;
        let (what, rest) = rest.split_once(' ')?;
        let (left, right) = rest.split_once(" = ").unwrap_or((rest, ""));
        let words: Vec<&str> = left.split_whitespace().collect();
        let mut rows = self.shards.remove(shard).unwrap_or_default();
        let place = |text: &str| Some(key::place(shard, text.strip_prefix('<')?.strip_suffix('>')?));
        let term = |rows: &mut Rows| read(shard, right, rows);
        match (what, &words[..]) {
            ("module", [registry, name]) => rows.modules.push((key::published(registry, name), place(right)?)),
            ("type" | "function" | "value" | "file", [of]) => {
                if what == "type" {
                    rows.types.push(place(of)?);
                }
                let node = self.node(shard, of);
                rows.defined.push((place(of)?, node));
                if what != "file" {
                    rows.exports.push(node);
                }
            }
            ("member", [of, name]) => {
                let to = term(&mut rows)?;
                rows.members.push(((place(of)?, key::name(name)), to));
            }
            ("gives", [of, part]) => {
                let to = term(&mut rows)?;
                rows.gives.push((place(of)?, (part.parse().ok()?, to)));
            }
            ("holds", [of]) => {
                let to = term(&mut rows)?;
                rows.holds.push((place(of)?, to));
            }
            ("alias", [of]) => {
                let to = term(&mut rows)?;
                rows.aliases.push((place(of)?, to));
            }
            ("over", [of]) => {
                let to = term(&mut rows)?;
                rows.over.push((place(of)?, to));
            }
            ("use", [from, line, kind, choice @ ..]) => {
                let kind = match *kind {
                    "call" => UseKind::Call,
                    "import" => UseKind::Import,
                    _ => UseKind::Reference,
                };
                let of = Use { from: self.node(shard, from), line: line.parse().ok()?, kind };
                let to = term(&mut rows)?;
                match choice {
                    [site, rank] => rows.choices.push((to, ((site.parse().ok()?, rank.parse().ok()?), of))),
                    _ => rows.uses.push((to, of)),
                }
            }
            ("route", [of, method, path]) => {
                let text = format!("{method} {path}");
                let node = self.node(shard, of);
                rows.routes.extend(keys(&text, false).into_iter().map(|key| (key, (text.clone(), node))));
            }
            ("request", [from, line, method, path]) => {
                let text = format!("{method} {path}");
                let of = Use { from: self.node(shard, from), line: line.parse().ok()?, kind: UseKind::Request };
                rows.requests.extend(keys(&text, true).into_iter().map(|key| (key, (text.clone(), of))));
            }
            ("serves", [of, name]) => {
                let node = self.node(shard, of);
                rows.served.push((key::name(name), node));
            }
            ("declares", [file, line, name]) => {
                let of = Use { from: self.node(shard, file), line: line.parse().ok()?, kind: UseKind::Request };
                rows.asked.push((key::name(name), of));
            }
            ("package", [registry, name]) => {
                rows.packages.push((key::published(registry, name), self.package(shard, name)));
            }
            ("needs", [package]) => {
                let (registry, name) = right.split_once(' ')?;
                rows.needs.push((self.package(shard, package), key::published(registry, name)));
            }
            _ => return None,
        }
        self.shards.insert(shard.to_owned(), rows);
        Some(())
    }

    fn node(&mut self, shard: &str, id: &str) -> Node {
        let node = (key::repository(shard), key::name(id) as u32);
        self.nodes.insert(node, format!("{shard} {}", id.trim_matches(['<', '>'])));
        node
    }

    fn package(&mut self, shard: &str, name: &str) -> Key {
        let package = key::place(shard, name);
        self.packages.insert(package, format!("{shard} {name}"));
        package
    }

    /// Derived rows as sorted lines.
    pub(super) fn written(&self, derived: impl IntoIterator<Item = Derived>) -> String {
        let mut lines: Vec<String> = derived.into_iter().map(|derived| self.line(derived)).collect();
        lines.sort();
        lines.push(String::new());
        lines.join("\n")
    }

    fn line(&self, derived: Derived) -> String {
        match derived {
            Derived::Link(Link { to, of: Use { from, line, kind }, n_meant }) => {
                let sure = if n_meant == 1 { String::new() } else { format!(" (one of {n_meant})") };
                format!("{}:{line} {kind:?} {}{sure}", self.nodes[&from], self.nodes[&to])
            }
            Derived::Unused(node) => format!("unused {}", self.nodes[&node]),
            Derived::Depends(from, to, in_cycle) => {
                let cycle = if in_cycle { " (cycle)" } else { "" };
                format!("{} needs {}{cycle}", self.packages[&from], self.packages[&to])
            }
        }
    }
}

/// Reads a term and adds how it is made.
fn read(shard: &str, text: &str, rows: &mut Rows) -> Option<Key> {
    let text = text.trim();
    if let Some(id) = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
        return Some(key::place(shard, id));
    }
    let called = text.rfind("()").filter(|at| text[at + 2..].chars().all(|digit| digit.is_ascii_digit()));
    let step = if let Some(base) = text.strip_suffix("{}") {
        Step::Instance(read(shard, base, rows)?)
    } else if let Some(base) = text.strip_suffix("[]") {
        Step::Element(read(shard, base, rows)?)
    } else if let Some(inner) = text.strip_prefix('[') {
        Step::Many(read(shard, inner.strip_suffix(']')?, rows)?)
    } else if let Some(at) = called {
        Step::Result(read(shard, &text[..at], rows)?, text[at + 2..].parse().unwrap_or(0))
    } else if let Some((base, name)) = text.rsplit_once('.') {
        Step::Member(read(shard, base, rows)?, key::name(name))
    } else {
        let (registry, name) = text.split_once(':')?;
        Step::Outside(key::published(registry, name))
    };
    rows.steps.push((step.key(), step));
    Some(step.key())
}
