//! Generic types of Rust, and what may go wrong.

use super::check_only;

#[test]
fn what_methods_and_blocks_give_of_the_parameters_of_a_type() {
    check_only(
        &["call", "type", "member"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
net = \"1\"
//- src/lib.rs
use net::{Arena, Body, Socket, World};
use std::ops::{Deref, Index};

pub struct Polled<E: Body> { io: Option<E> }

impl<E: Body> Deref for Polled<E> {
    type Target = E;
    fn deref(&self) -> &E { self.io.as_ref().unwrap() }
}

impl<E: Body> Polled<E> {
    fn inner(&self) -> &E { self.io.body(); self.io.as_ref().unwrap() }
}

pub struct Table<K, V> { rows: Vec<(K, V)> }

impl<K, V> Index<K> for Table<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V { &self.rows[0].1 }
}

fn all(polled: Polled<Socket>, table: Table<u32, World>, arena: Arena<World>) {
    polled.send();
    polled.inner().take();
    table[1].name();
    arena[0].imports.add();
}
",
        "
member [src/lib.rs].Polled is src/lib.rs#Polled
member [src/lib.rs].Table is src/lib.rs#Table
member src/lib.rs#Polled.Target is src/lib.rs#Polled.Target
member src/lib.rs#Polled.deref is src/lib.rs#Polled.deref
member src/lib.rs#Polled.io is <cargo net>.Body{}
member src/lib.rs#Table.Output is src/lib.rs#Table.Output
member src/lib.rs#Table.index is src/lib.rs#Table.index
type src/lib.rs#Polled.Target is <cargo net>.Body
type src/lib.rs#Polled.deref is <cargo net>.Body{}
call src/lib.rs:8 in \"Polled.deref\": <cargo net>.Body{}.as_ref
call src/lib.rs:8 in \"Polled.deref\": <cargo net>.Body{}.unwrap
call src/lib.rs:12 in \"Polled.inner\": <cargo net>.Body{}.as_ref
call src/lib.rs:12 in \"Polled.inner\": <cargo net>.Body{}.unwrap
call src/lib.rs:12 in \"Polled.inner\": <cargo net>.Body{}.body
call src/lib.rs:23 in \"all\": <cargo net>.Socket{}.send
call src/lib.rs:24 in \"all\": <cargo net>.Socket{}.take
call src/lib.rs:25 in \"all\": <cargo net>.World{}.name
call src/lib.rs:26 in \"all\": <cargo net>.Arena{}[_].imports.add, of site 2 by rank 0
call src/lib.rs:26 in \"all\": <cargo net>.World{}.imports.add, of site 2 by rank 0
",
    );
}

#[test]
fn what_went_wrong_and_what_traits_say_more_of() {
    check_only(
        &["call"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
net = \"1\"
//- src/lib.rs
use net::{Fault, Raise, Reply};

trait Sends { fn send_all(self) -> Reply; }

impl Sends for Fault { fn send_all(self) -> Reply { panic!() } }

fn ask() -> Result<Reply, Fault> { panic!() }

fn all(fault: Fault) -> Result<(), Fault> {
    ask().raise(1)?.read();
    if let Err(fault) = ask() { fault.cause(); }
    ask().map_err(|fault| fault.again()).unwrap().read();
    ask().unwrap_err().cause();
    fault.send_all().close();
    Reply::default().open();
    Ok(())
}
",
        "
call src/lib.rs:10 in \"all\": <cargo net>.Reply{}.raise, of site 1 by rank 0
call src/lib.rs:10 in \"all\": <cargo net>.Raise.raise, of site 1 by rank 1
call src/lib.rs:10 in \"all\": <cargo net>.Reply{}.read, of site 2 by rank 0
call src/lib.rs:10 in \"all\": <cargo net>.Raise.read, of site 2 by rank 1
call src/lib.rs:11 in \"all\": <cargo net>.Fault{}.cause, of site 3 by rank 0
call src/lib.rs:11 in \"all\": <cargo net>.Raise.cause, of site 3 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Reply{}.read, of site 7 by rank 0
call src/lib.rs:12 in \"all\": <cargo net>.Raise.read, of site 7 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Reply{}.map_err, of site 4 by rank 0
call src/lib.rs:12 in \"all\": <cargo net>.Raise.map_err, of site 4 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Fault{}.again, of site 5 by rank 0
call src/lib.rs:12 in \"all\": <cargo net>.Raise.again, of site 5 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Reply{}.unwrap, of site 6 by rank 0
call src/lib.rs:12 in \"all\": <cargo net>.Raise.unwrap, of site 6 by rank 1
call src/lib.rs:13 in \"all\": <cargo net>.Fault{}.cause, of site 9 by rank 0
call src/lib.rs:13 in \"all\": <cargo net>.Raise.cause, of site 9 by rank 1
call src/lib.rs:13 in \"all\": <cargo net>.Reply{}.unwrap_err, of site 8 by rank 0
call src/lib.rs:13 in \"all\": <cargo net>.Raise.unwrap_err, of site 8 by rank 1
call src/lib.rs:14 in \"all\": <cargo net>.Fault{}.send_all, of site 10 by rank 0
call src/lib.rs:14 in \"all\": <cargo net>.Raise.send_all, of site 10 by rank 1
call src/lib.rs:14 in \"all\": <cargo net>.Reply{}.close, of site 11 by rank 0
call src/lib.rs:14 in \"all\": <cargo net>.Fault{}.send_all().close, of site 11 by rank 0
call src/lib.rs:14 in \"all\": <cargo net>.Raise.close, of site 11 by rank 1
call src/lib.rs:15 in \"all\": <cargo net>.Reply.default, of site 12 by rank 0
call src/lib.rs:15 in \"all\": <cargo net>.Raise.default, of site 12 by rank 1
call src/lib.rs:15 in \"all\": <cargo net>.Reply{}.open, of site 13 by rank 0
call src/lib.rs:15 in \"all\": <cargo net>.Raise.open, of site 13 by rank 1
",
    );
}

#[test]
fn a_field_of_the_name_of_a_method_and_what_traits_give() {
    check_only(
        &["call"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
net = \"1\"
text = \"1\"
//- src/lib.rs
use net::Id;
use text::Bytes;

pub struct Tree { id: Id }

impl Tree {
    pub fn id(&self) -> u32 { self.id.kind(); 1 }
}

trait Own { fn same(self) -> Self; fn whole(&self) -> Id; }

impl Own for Tree { fn same(self) -> Self { self } fn whole(&self) -> Id { panic!() } }

fn all(tree: Tree) {
    tree.same().id.kind();
    b\"x\".as_text().trimmed();
    3.whole().kind();
}
",
        "
call src/lib.rs:7 in \"Tree.id\": <cargo net>.Id{}.kind, of site 1 by rank 0
call src/lib.rs:7 in \"Tree.id\": <cargo text>.Bytes.kind, of site 1 by rank 1
call src/lib.rs:15 in \"all\": <cargo net>.Id{}.kind, of site 2 by rank 0
call src/lib.rs:15 in \"all\": <cargo text>.Bytes.kind, of site 2 by rank 1
call src/lib.rs:16 in \"all\": <cargo text>.Bytes.as_text
call src/lib.rs:16 in \"all\": <cargo text>.Bytes.as_text().trimmed, of site 3 by rank 0
call src/lib.rs:16 in \"all\": <cargo text>.Bytes.trimmed, of site 3 by rank 1
call src/lib.rs:17 in \"all\": <cargo net>.Id{}.kind, of site 4 by rank 0
call src/lib.rs:17 in \"all\": <cargo text>.Bytes.kind, of site 4 by rank 1
call src/lib.rs:17 in \"all\": <cargo text>.Bytes.whole
",
    );
}
