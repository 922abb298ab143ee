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
call src/lib.rs:10 in \"all\": <cargo net>.Raise.Result.raise, of site 1 by rank 1
call src/lib.rs:10 in \"all\": <cargo net>.Raise.raise, of site 1 by rank 2
call src/lib.rs:10 in \"all\": <cargo net>.Reply{}.read, of site 2 by rank 0
call src/lib.rs:10 in \"all\": <cargo net>.Raise.read, of site 2 by rank 1
call src/lib.rs:11 in \"all\": <cargo net>.Fault{}.cause, of site 3 by rank 0
call src/lib.rs:11 in \"all\": <cargo net>.Raise.cause, of site 3 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Reply{}.read, of site 7 by rank 0
call src/lib.rs:12 in \"all\": <cargo net>.Raise.read, of site 7 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Reply{}.map_err, of site 4 by rank 0
call src/lib.rs:12 in \"all\": <cargo net>.Raise.Result.map_err, of site 4 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Raise.map_err, of site 4 by rank 2
call src/lib.rs:12 in \"all\": <cargo net>.Fault{}.again, of site 5 by rank 0
call src/lib.rs:12 in \"all\": <cargo net>.Raise.again, of site 5 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Reply{}.unwrap, of site 6 by rank 0
call src/lib.rs:12 in \"all\": <cargo net>.Raise.Result.unwrap, of site 6 by rank 1
call src/lib.rs:12 in \"all\": <cargo net>.Raise.unwrap, of site 6 by rank 2
call src/lib.rs:13 in \"all\": <cargo net>.Fault{}.cause, of site 9 by rank 0
call src/lib.rs:13 in \"all\": <cargo net>.Raise.cause, of site 9 by rank 1
call src/lib.rs:13 in \"all\": <cargo net>.Reply{}.unwrap_err, of site 8 by rank 0
call src/lib.rs:13 in \"all\": <cargo net>.Raise.Result.unwrap_err, of site 8 by rank 1
call src/lib.rs:13 in \"all\": <cargo net>.Raise.unwrap_err, of site 8 by rank 2
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

#[test]
fn what_macros_give_that_take_out_what_their_argument_holds() {
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
use net::{Fault, Reply, Socket};
use std::task::{ready, Context, Poll};

macro_rules! tri {
    ($e:expr $(,)?) => {
        match $e {
            core::result::Result::Ok(val) => val,
            core::result::Result::Err(err) => return Err(err),
        }
    };
}

macro_rules! kept {
    ($e:expr) => { $e.count() };
}

mod inner;

fn ask(_: u8) -> Result<Reply, Fault> { panic!() }

fn poll_ask(cx: &mut Context<'_>) -> Poll<Result<Reply, Fault>> { panic!() }

fn all(cx: &mut Context<'_>, socket: Socket) -> Result<(), Fault> {
    tri!(ask(1)).read();
    let reply = tri!((ask(2)), );
    reply.close();
    kept!(ask(3)).open();
    tri!(socket.ask(4) ?).write();
    ready!(poll_ask(cx)).unwrap().flush();
    ready!(poll_ask(cx)?).again();
    match poll_ask(cx) {
        Poll::Ready(Ok(reply)) => reply.first(),
        Poll::Ready(Err(fault)) => fault.cause(),
        Poll::Pending => {}
    }
    Ok(())
}
//- src/inner.rs
fn within() -> Result<(), net::Fault> {
    tri!(tri!(crate::ask(1)).next).read();
    Ok(())
}
",
        "
call src/inner.rs:2 in \"within\": <cargo net>.Reply{}.next.read
call src/lib.rs:24 in \"all\": <cargo net>.Reply{}.read
call src/lib.rs:26 in \"all\": <cargo net>.Reply{}.close
call src/lib.rs:28 in \"all\": <cargo net>.Socket{}.ask
call src/lib.rs:28 in \"all\": <cargo net>.Socket{}.ask().write
call src/lib.rs:29 in \"all\": <cargo net>.Reply{}.unwrap
call src/lib.rs:29 in \"all\": <cargo net>.Reply{}.flush
call src/lib.rs:30 in \"all\": <cargo net>.Reply{}.again
call src/lib.rs:32 in \"all\": <cargo net>.Reply{}.first
call src/lib.rs:33 in \"all\": <cargo net>.Fault{}.cause
",
    );
}

#[test]
fn what_gives_a_value_of_whatever_is_wanted() {
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
use net::{OnceCell, Reply, Table};

pub struct Held { table: Table<u8, u8>, cell: OnceCell<u8>, name: String }

fn all(mut held: Held) -> Held {
    let reply: Reply = Default::default();
    held.cell = Default::default();
    Held {
        table: Default::default(),
        cell: Default::default(),
        name: Default::default(),
    }
}
",
        "
call src/lib.rs:6 in \"all\": <cargo net>.Reply{}.default
call src/lib.rs:7 in \"all\": <cargo net>.OnceCell{}.default
call src/lib.rs:9 in \"all\": <cargo net>.Table{}.default
call src/lib.rs:10 in \"all\": <cargo net>.OnceCell{}.default
",
    );
}

#[test]
fn what_waiting_gives_and_what_chains_of_many_hold() {
    check_only(
        &["call", "member"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
net = \"1\"
serde = \"1\"
//- src/lib.rs
use net::{Fault, Reply, Socket};
use std::future::Future;

pub struct Asking<T> { of: T }

pub trait Asks { fn asking(self) -> Asking<Self>; }

pub struct Full;

impl net::Body for Full {}

impl<T: net::Body> Asks for T {}

async fn one(full: Full) { full.asking().await.unwrap().unwrap().one(); }

impl<T> Future for Asking<T> {
    type Output = Option<Result<Reply, Fault>>;
    fn poll(self) {}
}

async fn all(asking: Asking<u8>, socket: Socket, many: Option<Vec<Reply>>) {
    asking.await.unwrap().unwrap().read();
    socket.ask().await.close();
    for (n, reply) in many.into_iter().flatten().enumerate() { reply.each(); }
    for (one, other) in socket.all().zip(many) { other.both(); }
    many.iter().flatten().filter(|reply| reply.keeps()).collect::<Vec<_>>().first().unwrap().last();
}

fn write<S: ::serde::Serializer>(out: S) { out.put(); ::serde::done(); }
",
        "
member [src/lib.rs].Asking is src/lib.rs#Asking
member [src/lib.rs].Asks is src/lib.rs#Asks
member [src/lib.rs].Full is src/lib.rs#Full
member src/lib.rs#Asking.Output is src/lib.rs#Asking.Output
member src/lib.rs#Asking.await is <cargo net>.Reply{}
member src/lib.rs#Asking.poll is src/lib.rs#Asking.poll
member src/lib.rs#Asks.asking is src/lib.rs#Asks.asking
call src/lib.rs:14 in \"one\": src/lib.rs#Full{}.asking
call src/lib.rs:14 in \"one\": <cargo net>.Reply{}.unwrap, of site 1 by rank 0
call src/lib.rs:14 in \"one\": <cargo net>.Reply{}.unwrap, of site 2 by rank 0
call src/lib.rs:14 in \"one\": src/lib.rs#Full{}.asking().unwrap, of site 1 by rank 0
call src/lib.rs:14 in \"one\": src/lib.rs#Full{}.asking().unwrap, of site 2 by rank 0
call src/lib.rs:14 in \"one\": src/lib.rs#Full{}.asking().await.unwrap, of site 1 by rank 0
call src/lib.rs:14 in \"one\": src/lib.rs#Full{}.asking().await.unwrap, of site 2 by rank 0
call src/lib.rs:14 in \"one\": <cargo net>.Reply{}.one, of site 3 by rank 0
call src/lib.rs:14 in \"one\": src/lib.rs#Full{}.asking().one, of site 3 by rank 0
call src/lib.rs:14 in \"one\": src/lib.rs#Full{}.asking().await.one, of site 3 by rank 0
call src/lib.rs:22 in \"all\": <cargo net>.Reply{}.unwrap
call src/lib.rs:22 in \"all\": <cargo net>.Reply{}.read
call src/lib.rs:23 in \"all\": <cargo net>.Socket{}.ask
call src/lib.rs:23 in \"all\": <cargo net>.Socket{}.ask().close, of site 4 by rank 0
call src/lib.rs:23 in \"all\": <cargo net>.Socket{}.ask().await.close, of site 4 by rank 0
call src/lib.rs:24 in \"all\": <cargo net>.Reply{}.each
call src/lib.rs:25 in \"all\": <cargo net>.Socket{}.all
call src/lib.rs:25 in \"all\": <cargo net>.Socket{}.all().zip
call src/lib.rs:25 in \"all\": <cargo net>.Reply{}.both
call src/lib.rs:26 in \"all\": <cargo net>.Reply{}.unwrap
call src/lib.rs:26 in \"all\": <cargo net>.Reply{}.keeps
call src/lib.rs:26 in \"all\": <cargo net>.Reply{}.last
call src/lib.rs:29 in \"write\": <cargo serde>.Serializer{}.put
call src/lib.rs:29 in \"write\": <cargo serde>.done
",
    );
}

#[test]
fn aliases_of_several_builds_and_what_a_type_gives_the_members_of() {
    check_only(
        &["call", "supers", "super", "member"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
net = \"1\"
//- src/lib.rs
use std::ops::Deref;

#[cfg(feature = \"send\")]
type Marker = net::Sends;
#[cfg(not(feature = \"send\"))]
type Marker = net::Stays;

pub struct Shared<S> { of: S }

impl<S> Deref for Shared<S> {
    type Target = S;
    fn deref(&self) -> &S { &self.of }
}

pub struct Unit;

pub type Handle = Shared<Unit>;

pub struct Text { bytes: Vec<u8> }

impl Deref for Text {
    type Target = [u8];
    fn deref(&self) -> &[u8] { &self.bytes }
}

pub trait Slices { fn as_bytes(&self) -> &[u8]; fn trim(&self) {} }

impl Slices for [u8] { fn as_bytes(&self) -> &[u8] { self } }

pub trait Context { fn context(self) -> Self; }

impl<T, E> Context for Result<T, E> { fn context(self) -> Self { self } }

fn all() { Marker::new().go(); }
",
        "
member [src/lib.rs].Context is src/lib.rs#Context
member [src/lib.rs].Handle is src/lib.rs#Handle
member [src/lib.rs].Shared is src/lib.rs#Shared
member [src/lib.rs].Slices is src/lib.rs#Slices
member [src/lib.rs].Text is src/lib.rs#Text
member [src/lib.rs].Unit is src/lib.rs#Unit
member src/lib.rs#Shared.Target is src/lib.rs#Shared.Target
member src/lib.rs#Shared.deref is src/lib.rs#Shared.deref
member src/lib.rs#Text.Target is src/lib.rs#Text.Target
member src/lib.rs#Text.as_bytes is src/lib.rs#u8.as_bytes
member src/lib.rs#Text.deref is src/lib.rs#Text.deref
member src/lib.rs#Slices.as_bytes is src/lib.rs#Slices.as_bytes
member src/lib.rs#Slices.trim is src/lib.rs#Slices.trim
member src/lib.rs#Context.Result.context is src/lib.rs#Result.context
member src/lib.rs#Context.context is src/lib.rs#Context.context
super src/lib.rs#Handle is src/lib.rs#Unit
super src/lib.rs#Text is src/lib.rs#Slices
call src/lib.rs:34 in \"all\": <cargo net>.Sends.new, of site 1 by rank 0
call src/lib.rs:34 in \"all\": <cargo net>.Stays.new, of site 1 by rank 0
call src/lib.rs:34 in \"all\": <cargo net>.Sends.new().go, of site 2 by rank 0
call src/lib.rs:34 in \"all\": <cargo net>.Stays.new().go, of site 2 by rank 0
",
    );
}

#[test]
fn what_a_trait_has_for_what_may_go_wrong_and_types_called_like_a_method() {
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
other = \"1\"
//- src/lib.rs
use net::Context;
use text::Slices;

pub struct Name;

impl Name { pub fn as_text(&self) {} }

fn ask() -> Result<other::Reply, other::Fault> { panic!() }

fn all(text: impl other::AsText, reply: other::Reply) {
    ask().with_reason(1);
    text.as_text();
    reply.as_text();
    compare!(Name, name => name.as_text());
}
",
        "
call src/lib.rs:11 in \"all\": <cargo other>.Reply{}.with_reason, of site 1 by rank 0
call src/lib.rs:11 in \"all\": <cargo net>.Context.Result.with_reason, of site 1 by rank 1
call src/lib.rs:11 in \"all\": <cargo text>.Slices.Result.with_reason, of site 1 by rank 1
call src/lib.rs:11 in \"all\": <cargo net>.Context.with_reason, of site 1 by rank 2
call src/lib.rs:11 in \"all\": <cargo text>.Slices.with_reason, of site 1 by rank 2
call src/lib.rs:12 in \"all\": <cargo other>.AsText{}.as_text
call src/lib.rs:13 in \"all\": <cargo other>.Reply{}.as_text, of site 2 by rank 0
call src/lib.rs:13 in \"all\": <cargo net>.Context.as_text, of site 2 by rank 1
call src/lib.rs:13 in \"all\": <cargo text>.Slices.as_text, of site 2 by rank 1
",
    );
}
