//! Rust.

use super::check as check_links;

#[track_caller]
fn check(files: &str, expected: &str) {
    check_links(&format!("//- Cargo.toml\n[package]\nname = \"x\"\n{files}"), expected);
}

#[test]
fn what_a_type_has_by_deref_is_that_of_its_target_and_what_it_has_by_a_general_block_is_that_of_the_trait() {
    check(
        "\
//- src/lib.rs
mod inner;
mod user;
//- src/inner.rs
pub struct Inner;
impl Inner { pub fn poke(&self) {} pub fn hide(&self) {} }
pub struct Wrap(Inner);
impl std::ops::Deref for Wrap { type Target = Inner; fn deref(&self) -> &Inner { &self.0 } }
impl Wrap { pub fn hide(&self) {} }
pub trait Ext { fn extend_all(&self); }
impl<T: Clone> Ext for T { fn extend_all(&self) {} }
impl Clone for Inner { fn clone(&self) -> Self { Inner } }
#[derive(Clone)]
pub struct Own;
//- src/user.rs
use crate::inner::*;
pub fn delegated(w: &Wrap) { w.poke(); }
pub fn own(w: &Wrap) { w.hide(); }
pub fn general(own: Own) { own.extend_all(); }
pub fn derived(own: Own) { own.clone(); }
",
        "\
src/inner.rs:7 implements src/inner.rs#Ext.extend_all, exact
src/user.rs:2 calls src/inner.rs#Inner.poke, qualified
src/user.rs:3 calls src/inner.rs#Wrap.hide, qualified
src/user.rs:4 calls src/inner.rs#Ext.extend_all, unique",
    );
}

#[test]
fn a_block_gives_its_members_to_the_type_of_its_own_module() {
    check(
        "\
//- src/lib.rs
pub struct Guard;
impl Guard { pub fn top(&self) {} }
mod wrap {
    pub struct Guard;
    fn helper() {}
    impl Guard { pub fn open(&self) { helper(); } }
}
mod other {
    pub struct Guard;
    impl Guard { pub fn shut(&self) {} }
    impl super::Guard { pub fn more(&self) {} }
    pub fn go(guard: &Guard, wrapped: &super::wrap::Guard, top: &super::Guard) {
        guard.shut();
        wrapped.open();
        top.top();
        top.more();
    }
}
",
        "\
src/lib.rs:6 calls src/lib.rs#wrap.helper, exact
src/lib.rs:13 calls src/lib.rs#Guard.shut, qualified
src/lib.rs:14 calls src/lib.rs#Guard.open, qualified
src/lib.rs:15 calls src/lib.rs#Guard.top, qualified
src/lib.rs:16 calls src/lib.rs#Guard.more, qualified",
    );
}

#[test]
fn what_a_block_imports_is_known_there_alone() {
    check(
        "\
//- src/lib.rs
mod tools { pub fn run() {} pub fn walk() {} }
mod other { pub fn run() {} pub struct Kind; impl Kind { pub fn make() -> Kind { Kind } pub fn show(&self) {} } }
mod all { pub fn walk() {} }
use tools::*;
pub fn inside() { use crate::other::{run, Kind as K}; run(); K::make().show(); }
pub fn outside() { run(); }
pub fn nested(x: bool) { if x { use other::run; run(); } run(); }
pub fn glob() { use crate::all::*; }
pub fn beside() { walk(); }
",
        "\
src/lib.rs:5 calls src/lib.rs#Kind.make, exact
src/lib.rs:5 calls src/lib.rs#Kind.show, qualified
src/lib.rs:5 calls src/lib.rs#other.run, exact
src/lib.rs:6 calls src/lib.rs#tools.run, exact
src/lib.rs:7 calls src/lib.rs#other.run, exact
src/lib.rs:7 calls src/lib.rs#tools.run, exact
src/lib.rs:9 calls src/lib.rs#tools.walk, exact",
    );
}

#[test]
fn a_glob_brings_what_is_seen_from_where_it_stands() {
    check(
        "\
//- src/lib.rs
mod a;
mod b;
mod c;
mod user;
//- src/a.rs
use crate::c::imported;
use crate::c::deep::*;
fn helper() {}
pub(crate) fn shared() { helper(); imported(); deep(); }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn inside() { helper(); imported(); deep(); }
}
//- src/b.rs
pub fn helper() {}
pub fn imported() {}
pub use crate::c::deep::*;
//- src/c.rs
pub fn imported() {}
pub mod deep { pub fn deep() {} }
mod hidden { pub fn shown() {} }
//- src/user.rs
use crate::a::*;
use crate::b::*;
use crate::c::*;
pub fn go() { helper(); imported(); shared(); deep(); hidden::shown(); }
",
        "\
src/a.rs:4 calls src/a.rs#helper, exact
src/a.rs:4 calls src/c.rs#deep.deep, exact
src/a.rs:4 calls src/c.rs#imported, exact
src/a.rs:9 calls src/a.rs#helper, exact
src/a.rs:9 calls src/c.rs#deep.deep, exact
src/a.rs:9 calls src/c.rs#imported, exact
src/user.rs:4 calls src/a.rs#shared, exact
src/user.rs:4 calls src/b.rs#helper, exact
src/user.rs:4 calls src/b.rs#imported, exact
src/user.rs:4 calls src/c.rs#deep.deep, exact
src/user.rs: hidden unknown
src/user.rs: shown unknown",
    );
}

#[test]
fn iterating_over_a_map_meets_keys_and_values() {
    check(
        "\
//- src/lib.rs
use std::collections::HashMap;
pub struct Key;
impl Key { pub fn show(&self) {} }
pub struct Value;
impl Value { pub fn show(&self) {} }
pub fn each(m: &HashMap<Key, Value>) { m.iter().for_each(|(k, v)| { k.show(); v.show(); }); }
pub fn loops(m: &HashMap<Key, Value>) { for (k, v) in m { k.show(); v.show(); } }
pub fn halves(m: &HashMap<Key, Value>) { for k in m.keys() { k.show(); } m.values().for_each(|v| v.show()); }
pub fn one(m: &HashMap<Key, Value>) { m.get(&Key).unwrap().show(); m[&Key].show(); }
pub fn retain(m: &mut HashMap<Key, Value>) { m.retain(|k, v| { k.show(); v.show(); true }); }
pub fn pairs(v: Vec<(Key, Value)>) { v.iter().for_each(|(k, v)| { k.show(); v.show(); }); }
pub fn first(m: HashMap<Key, Value>) { m.into_iter().next().unwrap().show(); }
",
        "\
src/lib.rs:6 calls src/lib.rs#Key.show, qualified
src/lib.rs:6 calls src/lib.rs#Value.show, qualified
src/lib.rs:7 calls src/lib.rs#Key.show, qualified
src/lib.rs:7 calls src/lib.rs#Value.show, qualified
src/lib.rs:8 calls src/lib.rs#Key.show, qualified
src/lib.rs:8 calls src/lib.rs#Value.show, qualified
src/lib.rs:9 calls src/lib.rs#Value.show, qualified
src/lib.rs:10 calls src/lib.rs#Key.show, among_2
src/lib.rs:10 calls src/lib.rs#Value.show, among_2
src/lib.rs:11 calls src/lib.rs#Key.show, qualified
src/lib.rs:11 calls src/lib.rs#Value.show, qualified
src/lib.rs: show unknown",
    );
}

#[test]
fn a_pointer_gives_what_its_type_argument_has_and_a_trait_in_scope_what_the_type_has_not() {
    check(
        "\
//- src/lib.rs
mod ext;
mod user;
//- src/ext.rs
pub struct Spawn<T>(T);
impl<T> std::ops::Deref for Spawn<T> { type Target = T; fn deref(&self) -> &T { &self.0 } }
pub fn spawn<T>(task: T) -> Spawn<T> { Spawn(task) }
pub struct Queue;
impl Queue { pub fn insert_at(&self) {} }
pub trait Stream { fn poll(&self); }
impl Stream for Queue { fn poll(&self) {} }
impl Stream for Vec<u8> { fn poll(&self) {} }
pub trait StreamExt: Stream { fn next(&self) {} }
impl<S: Stream> StreamExt for S {}
//- src/user.rs
use crate::ext::{Queue, StreamExt, spawn};
pub fn f(queue: Queue, list: Vec<u8>) {
    spawn(Queue).insert_at();
    queue.next();
    list.iter().next();
}
",
        "\
src/ext.rs:7 implements src/ext.rs#Stream, exact
src/ext.rs:7 implements src/ext.rs#Stream.poll, exact
src/ext.rs:8 implements src/ext.rs#Stream.poll, exact
src/user.rs:3 calls src/ext.rs#Queue.insert_at, qualified
src/user.rs:3 calls src/ext.rs#spawn, exact
src/user.rs:4 calls src/ext.rs#StreamExt.next, unique",
    );
}

#[test]
fn a_method_that_is_delegated_calls_that_of_the_field() {
    check(
        "\
//- Cargo.toml
[package]
name = \"m\"
//- src/lib.rs
pub struct List;
impl List {
    pub fn len(&self) -> usize { 0 }
    pub fn get(&self, at: usize) -> u8 { 0 }
    pub fn last(&self) {}
    pub fn push(&mut self) {}
}
pub struct Pair(List);
pub struct Queue { list: List, pair: Pair }
impl Queue {
    delegate! {
        to self.list {
            pub fn len(&self) -> usize;
            /// One of them.
            pub fn get(&self, at: usize) -> u8;
        }
        #[inline]
        to self.pair.0 {
            pub fn last(&self);
        }
        /// Those that have } another name there, or none.
        to self.list {
            #[inline]
            #[call(push)]
            /// A comment with a { in it.
            pub fn len_of_all(&mut self);
            #[field(size)]
            pub fn get_size(&self) -> usize;
        }
        to self.list.iter() {
            pub fn none(&self);
        }
    }
}
pub fn run(queue: Queue) { queue.len(); queue.none(); }
",
        "\
src/lib.rs:13 calls src/lib.rs#List.len, qualified
src/lib.rs:15 calls src/lib.rs#List.get, qualified
src/lib.rs:19 calls src/lib.rs#List.last, qualified
src/lib.rs:26 calls src/lib.rs#List.push, qualified
src/lib.rs:35 calls src/lib.rs#Queue.len, qualified
src/lib.rs:35 calls src/lib.rs#Queue.none, qualified",
    );
}
