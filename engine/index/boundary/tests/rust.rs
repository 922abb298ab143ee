//! Rust.

use super::{check, check_only};

#[test]
fn what_rust_shows_and_needs() {
    check(
        "\
//- Cargo.toml
[package]
name = \"my-store\"
version = \"0.3.1\"

[dependencies]
http-client = \"1.2\"
log2 = { package = \"log-two\", version = \"2\" }
near = { path = \"near\" }
//- near/Cargo.toml
[package]
name = \"near\"
version = \"0.0.1\"
//- near/src/lib.rs
pub fn near() {}
//- src/lib.rs
mod inner;
pub mod shown;
pub use inner::Thing;
pub use http_client::Client as Remote;
pub use log2::levels::*;

#[macro_export]
macro_rules! keep { () => {} }
//- src/inner.rs
use http_client::{Client, Reply, prelude::Send};
use std::collections::HashMap;
use std::sync::Arc;

pub struct Thing {
    client: Arc<Client>,
    pub replies: HashMap<String, Reply>,
}

impl Thing {
    pub fn new() -> Self {
        let client = Client::builder().timeout(3).build().unwrap();
        Self { client: Arc::new(client), replies: HashMap::new() }
    }

    pub fn reply(&self, key: &str) -> Option<&Reply> {
        log2::debug!(\"x\");
        self.replies.get(key)
    }

    pub async fn send(&self) -> Result<Reply, http_client::Error> {
        near::near();
        let reply = self.client.get(\"x\").send().await?;
        reply.check();
        for each in self.replies.values() {
            each.touch();
        }
        Ok(reply)
    }

    fn hidden(&self) {}
}

impl Send for Thing {
    fn send_all(&self) {}
}

impl std::ops::Deref for Thing {
    type Target = Client;
    fn deref(&self) -> &Client { &self.client }
}
//- src/shown.rs
use crate::{Remote, Thing};

pub enum State { Idle, Busy(Thing) }

pub trait Runs { fn run(&self) -> Remote; }

pub fn run(thing: &Thing, state: State) {
    thing.close();
    let remote = Remote::new();
    remote.open();
    if let Some(reply) = thing.reply(\"a\") {
        reply.read();
    }
    if let State::Busy(thing) = state {
        thing.replies.get(\"x\").map(|reply| reply.read());
    }
}
",
        "\
package cargo my-store 0.3.1 in \"\"
package cargo near 0.0.1 in \"near\"
need cargo http-client \"1.2\" in \"\":6
need cargo log-two \"2\" in \"\":7
need cargo near \"\" in \"\":8, of this repository
module cargo near is near/src/lib.rs
module cargo my_store is src/lib.rs
module cargo - is src/shown.rs
member [near/src/lib.rs].near is near/src/lib.rs#near
member [src/lib.rs].Remote is <cargo http_client>.Client
member [src/lib.rs].Thing is src/inner.rs#Thing
member [src/lib.rs].keep is src/lib.rs#keep
member [src/lib.rs].shown is [src/shown.rs]
member [src/shown.rs].Runs is src/shown.rs#Runs
member [src/shown.rs].State is src/shown.rs#State
member [src/shown.rs].run is src/shown.rs#run
member src/inner.rs#Thing.Target is src/inner.rs#Thing.Target
member src/inner.rs#Thing.client is <cargo http_client>.Client{}
member src/inner.rs#Thing.deref is src/inner.rs#Thing.deref
member src/inner.rs#Thing.new is src/inner.rs#Thing.new
member src/inner.rs#Thing.replies is <cargo http_client>.Reply{}[]
member src/inner.rs#Thing.reply is src/inner.rs#Thing.reply
member src/inner.rs#Thing.send is src/inner.rs#Thing.send
member src/inner.rs#Thing.send_all is src/inner.rs#Thing.send_all
member src/shown.rs#State.Busy is src/shown.rs#State{}
member src/shown.rs#State.Busy.0 is src/inner.rs#Thing{}
member src/shown.rs#State.Idle is src/shown.rs#State{}
member src/shown.rs#Runs.run is src/shown.rs#Runs.run
glob [src/lib.rs].* is <cargo log_two>.levels.*
type src/inner.rs#Thing.new is src/inner.rs#Thing{}
type src/inner.rs#Thing.reply is <cargo http_client>.Reply{}
type src/inner.rs#Thing.send is <cargo http_client>.Reply{}
type src/inner.rs#Thing.send#98 is <cargo http_client>.Error{}
type src/inner.rs#Thing.Target is <cargo http_client>.Client
type src/inner.rs#Thing.deref is <cargo http_client>.Client{}
type src/shown.rs#Runs.run is <cargo http_client>.Client{}
super src/inner.rs#Thing is <cargo http_client>.Client
super src/inner.rs#Thing is <cargo http_client>.prelude.Send
import src/inner.rs:1 in \"\": <cargo http_client>.Client
import src/inner.rs:1 in \"\": <cargo http_client>.Reply
import src/inner.rs:1 in \"\": <cargo http_client>.prelude.Send
reference src/inner.rs:34 in \"\": <cargo http_client>.prelude.Send
import src/lib.rs:4 in \"\": <cargo http_client>.Client
import src/lib.rs:5 in \"\": <cargo log_two>.levels
import src/shown.rs:1 in \"\": <cargo http_client>.Client
reference src/inner.rs:6 in \"Thing\": <cargo http_client>.Client
reference src/inner.rs:7 in \"Thing\": <cargo http_client>.Reply
implements src/inner.rs:34 in \"Thing\": <cargo http_client>.prelude.Send
call src/inner.rs:12 in \"Thing.new\": <cargo http_client>.Client.builder
call src/inner.rs:12 in \"Thing.new\": <cargo http_client>.Client.builder().timeout
call src/inner.rs:12 in \"Thing.new\": <cargo http_client>.Client.builder().timeout().build
call src/inner.rs:12 in \"Thing.new\": <cargo http_client>.Client.builder().timeout().build().unwrap
reference src/inner.rs:12 in \"Thing.new\": <cargo http_client>.Client
reference src/inner.rs:16 in \"Thing.reply\": <cargo http_client>.Reply
call src/inner.rs:17 in \"Thing.reply\": <cargo log_two>.debug
reference src/inner.rs:17 in \"Thing.reply\": <cargo log_two>
reference src/inner.rs:21 in \"Thing.send\": <cargo http_client>
reference src/inner.rs:21 in \"Thing.send\": <cargo http_client>.Reply
reference src/inner.rs:21 in \"Thing.send\": <cargo http_client>.Error
call src/inner.rs:23 in \"Thing.send\": <cargo http_client>.Client{}.get
call src/inner.rs:23 in \"Thing.send\": <cargo http_client>.Client{}.get().send, of site 1 by rank 0
call src/inner.rs:23 in \"Thing.send\": <cargo http_client>.Client{}[_].send, of site 1 by rank 0
call src/inner.rs:24 in \"Thing.send\": <cargo http_client>.Client{}.get().send().check, of site 2 by rank 0
call src/inner.rs:24 in \"Thing.send\": <cargo http_client>.Client{}.get().send().await.check, of site 2 by rank 0
call src/inner.rs:24 in \"Thing.send\": <cargo http_client>.Client{}[_].send().check, of site 2 by rank 0
call src/inner.rs:24 in \"Thing.send\": <cargo http_client>.Client{}[_].send().await.check, of site 2 by rank 0
call src/inner.rs:26 in \"Thing.send\": <cargo http_client>.Reply{}.touch
implements src/inner.rs:35 in \"Thing.send_all\": <cargo http_client>.prelude.Send.send_all
reference src/inner.rs:39 in \"Thing.Target\": <cargo http_client>.Client
reference src/inner.rs:40 in \"Thing.deref\": <cargo http_client>.Client
reference src/shown.rs:5 in \"Runs.run\": <cargo http_client>.Client
call src/shown.rs:8 in \"run\": <cargo http_client>.Client{}.close
call src/shown.rs:9 in \"run\": <cargo http_client>.Client.new
reference src/shown.rs:9 in \"run\": <cargo http_client>.Client
call src/shown.rs:10 in \"run\": <cargo http_client>.Client.new().open
call src/shown.rs:12 in \"run\": <cargo http_client>.Reply{}.read
call src/shown.rs:15 in \"run\": <cargo http_client>.Reply{}.read, of site 3 by rank 0
call src/shown.rs:15 in \"run\": <cargo http_client>.Reply{}.map
call src/shown.rs:15 in \"run\": <cargo http_client>.Reply{}[_].read, of site 3 by rank 0
",
    );
}

#[test]
fn what_iterating_over_a_type_meets_a_macro_called_like_its_package_and_a_name_of_two_builds() {
    check(
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
log = \"1\"
//- src/lib.rs
use log::{log, Level};

pub struct Rows;

impl Iterator for Rows {
    type Item = log::Record;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}

pub struct Table;

impl<'a> IntoIterator for &'a Table {
    type Item = &'a Rows;
    type IntoIter = std::vec::IntoIter<&'a Rows>;

    fn into_iter(self) -> Self::IntoIter {
        Vec::new().into_iter()
    }
}

fn each(rows: Rows) {
    for row in rows {
        row.write();
    }
    log!(Level::top());
}

#[cfg(feature = \"std\")]
use std::collections::HashMap;
#[cfg(not(feature = \"std\"))]
use log::HashMap;

fn count(map: HashMap) -> usize {
    map.len()
}
",
        "\
package cargo app 1.0.0 in \"\"
need cargo log \"1\" in \"\":6
module cargo app is src/lib.rs
member [src/lib.rs].Rows is src/lib.rs#Rows
member [src/lib.rs].Table is src/lib.rs#Table
member src/lib.rs#Rows.Item is src/lib.rs#Rows.Item
member src/lib.rs#Rows.next is src/lib.rs#Rows.next
member src/lib.rs#Table.IntoIter is src/lib.rs#Table.IntoIter
member src/lib.rs#Table.Item is src/lib.rs#Table.Item
member src/lib.rs#Table.into_iter is src/lib.rs#Table.into_iter
type src/lib.rs#Rows is <cargo log>.Record{}[]
type src/lib.rs#Rows.Item is <cargo log>.Record
type src/lib.rs#Rows.next is <cargo log>.Record{}
type src/lib.rs#Table is src/lib.rs#Rows{}[]
type src/lib.rs#Table.Item is src/lib.rs#Rows
type src/lib.rs#Table.into_iter is src/lib.rs#Table.IntoIter{}
import src/lib.rs:1 in \"\": <cargo log>.log
import src/lib.rs:1 in \"\": <cargo log>.Level
import src/lib.rs:34 in \"\": <cargo log>.HashMap
reference src/lib.rs:6 in \"Rows.Item\": <cargo log>.Record
call src/lib.rs:26 in \"each\": <cargo log>.Record{}.write
call src/lib.rs:28 in \"each\": <cargo log>.log
call src/lib.rs:28 in \"each\": <cargo log>.Level.top
reference src/lib.rs:28 in \"each\": <cargo log>.Level
",
    );
}

#[test]
fn modules_that_bring_all_of_one_another_cost_no_more_than_their_number() {
    const N_MODULES: usize = 40;
    let all: String = (0..N_MODULES).map(|n| format!("pub use crate::m{n}::*;\n")).collect::<Vec<_>>().concat();
    let mut repository = "//- Cargo.toml\n[package]\nname = \"round\"\nversion = \"1.0.0\"\n//- src/lib.rs\n".to_owned();
    repository.extend((0..N_MODULES).map(|n| format!("pub mod m{n};\n")));
    repository.extend((0..N_MODULES).map(|n| format!("//- src/m{n}.rs\n{all}pub fn f{n}() {{ nobody_has_it(); }}\n")));
    let listing = super::listing(&repository);
    assert!(listing.contains("src/m39.rs#f39") && !listing.contains("nobody_has_it"), "{listing}");
}

#[test]
fn a_macro_without_arguments_gives_what_it_holds_and_a_module_stands_beside_a_function_of_its_name() {
    check(
        "\
//- Cargo.toml
[package]
name = \"root\"
version = \"1.0.0\"
//- src/lib.rs
#[macro_use]
mod crate_root;
#[macro_use]
mod shared;
mod seek;
pub mod half;
mod twice {
    shared!();
}

crate_root!();
pub use crate::seek::{seek, seek_all};
pub use self::half::reach;
//- src/half/reach.rs
pub fn reach() {}
//- src/seek.rs
pub fn seek() {}
pub fn seek_all() {}
//- src/half.rs
macro_rules! half { () => }
pub fn kept() {}
mod reach;
pub use self::reach::reach;
//- src/shared.rs
macro_rules! shared {
    () => {
        pub fn elsewhere() {}
    };
}
//- src/crate_root.rs
macro_rules! crate_root {
    () => {
        mod inner { pub struct Held; }
        pub mod de;
        pub use crate::de::Reads;
    };
}
//- src/de.rs
use super::inner::Held;

pub trait Reads { fn read(&self) -> Held; }
",
        "\
package cargo root 1.0.0 in \"\"
module cargo - is src/de.rs
module cargo - is src/half.rs
module cargo root is src/lib.rs
member [src/de.rs].Reads is src/de.rs#Reads
member [src/half.rs].kept is src/half.rs#kept
member [src/half.rs].reach is src/half/reach.rs#reach
member [src/lib.rs].Reads is src/de.rs#Reads
member [src/lib.rs].de is [src/de.rs]
member [src/lib.rs].half is [src/half.rs]
member [src/lib.rs].reach is src/half/reach.rs#reach
member [src/lib.rs].seek is src/seek.rs#seek
member [src/lib.rs].seek_all is src/seek.rs#seek_all
member src/de.rs#Reads.read is src/de.rs#Reads.read
type src/de.rs#Reads.read is src/crate_root.rs#inner.Held{}
",
    );
}

#[test]
fn what_stands_for_type_parameters_of_a_type() {
    let listing = super::listing(
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
http = \"1\"
//- src/lib.rs
use http::{Body, Named, Reply};

struct Wrapper<B> { inner: B }

impl<B: Body> Wrapper<B> {
    fn field(&mut self) { self.inner.next(); }
    fn pinned(self: Pin<&mut Self>) { self.project().inner.pinned(); }
}

impl<B> Wrapper<B> {
    fn unbound(&mut self) { self.inner.nobody_knows(); }
}

struct Pair<A, B>(Option<A>, Vec<B>);

impl<A, B> Pair<A, B> where A: Body, B: Named {
    fn first(&self) { self.0.unwrap().first(); }
    fn each(&self) { for each in &self.1 { each.name(); } }
}

enum Either<L, R> { Left(L), Right(R) }

impl<L: Body, R: Named> Either<L, R> {
    fn either(&self) {
        match self {
            Either::Left(left) => left.left(),
            Self::Right(right) => right.right(),
        }
    }
}

type Shared<T> = std::sync::Arc<T>;

fn given(wrapper: Wrapper<Wrapper<Reply>>) { wrapper.inner.inner.read(); }
fn alias(reply: Shared<Reply>) { reply.shared(); }
fn both<T: Body + Named>(of: T) { of.of_one(); }

struct Map<T = Reply>(Vec<T>);

impl<T> Map<T> { fn get(&self) -> Option<&T> { self.0.first() } }

fn default(map: Map) { map.get().unwrap().default(); }
fn not_default(map: Map<http::Head>) { map.get().unwrap().not_default(); }

type Replies = Map<Reply>;

fn of_alias() { Replies::default().get().unwrap().of_alias(); }

impl<T> Map<T> { fn with(first: T) -> Self { Map(vec![first]) } }

fn unknown_one<K>(map: Map<String>, other: Map<K>) { map.get().unwrap().unknown(); other.get().unwrap().unknown(); }
fn inferred() { Map::with(http::Head::new()).get().unwrap().unknown(); }
fn matched(map: Unknown) { if let Map(first) = map { first.first().unwrap().unknown(); } }

type Result<T, E = Reply> = std::result::Result<T, E>;

fn failing() -> Result<u8, std::io::Error> {}
fn failed() { if let Err(error) = failing() { error.unknown(); } }
",
    );
    let calls: Vec<&str> = listing.lines().filter(|line| line.starts_with("call")).collect();
    assert_eq!(
        calls.join("\n"),
        "\
call src/lib.rs:6 in \"Wrapper.field\": <cargo http>.Body{}.next
call src/lib.rs:7 in \"Wrapper.pinned\": <cargo http>.Body{}.pinned
call src/lib.rs:17 in \"Pair.first\": <cargo http>.Body{}.unwrap
call src/lib.rs:17 in \"Pair.first\": <cargo http>.Body{}.first
call src/lib.rs:18 in \"Pair.each\": <cargo http>.Named{}.name
call src/lib.rs:26 in \"Either.either\": <cargo http>.Body{}.left
call src/lib.rs:27 in \"Either.either\": <cargo http>.Named{}.right
call src/lib.rs:34 in \"given\": <cargo http>.Reply{}.read
call src/lib.rs:35 in \"alias\": <cargo http>.Reply{}.shared
call src/lib.rs:36 in \"both\": <cargo http>.Body{}.of_one, of site 1 by rank 0
call src/lib.rs:36 in \"both\": <cargo http>.Named{}.of_one, of site 1 by rank 0
call src/lib.rs:42 in \"default\": <cargo http>.Reply{}.unwrap
call src/lib.rs:42 in \"default\": <cargo http>.Reply{}.default
call src/lib.rs:43 in \"not_default\": <cargo http>.Head{}.unwrap
call src/lib.rs:43 in \"not_default\": <cargo http>.Head{}.not_default
call src/lib.rs:47 in \"of_alias\": <cargo http>.Reply{}.unwrap
call src/lib.rs:47 in \"of_alias\": <cargo http>.Reply{}.of_alias
call src/lib.rs:52 in \"inferred\": <cargo http>.Head.new"
    );
}

#[test]
fn what_a_module_keeps_to_itself_or_to_its_crate_nobody_else_gets() {
    check_only(
        &["import", "reference", "call", "glob", "member"],
        "\
//- Cargo.toml
[package]
name = \"store\"
version = \"1.0.0\"

[features]
anyhow = [\"dep:anyhow\"]

[dependencies]
anyhow = \"1\"
log = \"1\"
//- src/lib.rs
mod error;
pub use error::*;
pub(crate) use log::*;
pub(crate) mod inner;

pub fn read() -> Result<(), ()> { Ok(()) }
//- src/error.rs
use anyhow::Result;
//- src/inner.rs
",
        "
member [src/lib.rs].read is src/lib.rs#read
glob [src/lib.rs].* is [src/error.rs].*
import src/error.rs:1 in \"\": <cargo anyhow>.Result
import src/lib.rs:3 in \"\": <cargo log>
",
    );
}

#[test]
fn a_method_of_a_type_of_the_crate_is_no_trait_s_however_often_a_line_calls_it() {
    check_only(
        &["call"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"
[dependencies]
ledger = \"1\"
//- src/lib.rs
use ledger::Post;
pub trait Poster { fn post(&mut self, n: i64) -> bool; }
pub struct Mine(i64);
impl Poster for Mine { fn post(&mut self, n: i64) -> bool { n > self.0 } }
pub struct Bare;
impl Bare { pub fn post(&self, n: i64) -> bool { n > 0 } }
pub fn both(m: &mut Mine) -> bool { m.post(3) && m.post(4) }
pub fn twice(b: &Bare) -> bool { b.post(3) && b.post(4) }
pub fn other(s: &String) { s.post(3); }
",
        "
call src/lib.rs:9 in \"other\": <cargo ledger>.Post.post
",
    );
}
