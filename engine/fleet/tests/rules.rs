//! What the rules derive, in threads, step by step, and after changes.

use super::facts::World;
use crate::dataflow::{Dataflow, Derived, Rows};
use crate::run::Ended;
use expect_test::{Expect, expect};
use std::collections::BTreeMap;
use timely::Config;

const ORGANISATION: &str = "
    lib module cargo lib = <lib>
    lib module cargo lib-next = <next>
    lib file <lib>
    lib type <lib#Client>
    lib type <lib#Reply>
    lib type <lib#Base>
    lib function <lib#open>
    lib function <lib#Client.get>
    lib function <lib#Client.all>
    lib function <lib#Reply.text>
    lib function <lib#Base.close>
    lib value <lib#DEFAULT>
    lib type <lib#Short>
    lib type <lib#List>
    lib member <lib> Client = <lib#Client>
    lib member <lib> open = <lib#open>
    lib member <lib> Short = <lib#Short>
    lib member <lib> List = <lib#List>
    lib member <lib> DEFAULT = <lib#DEFAULT>
    lib member <lib#Client> get = <lib#Client.get>
    lib member <lib#Client> all = <lib#Client.all>
    lib member <lib#Reply> text = <lib#Reply.text>
    lib member <lib#Base> close = <lib#Base.close>
    lib over <lib#Client> = <lib#Base>
    lib over <next> = <lib>
    lib gives <lib#open> 1 = <lib#Client>{}
    lib gives <lib#Client.get> 0 = <lib#Reply>{}
    lib gives <lib#Client.all> 0 = [<lib#Reply>{}]
    lib holds <lib#DEFAULT> = <lib#Client>{}
    lib holds <lib#List> = [<lib#Reply>{}]
    lib alias <lib#Short> = <lib#Client>
    kit module npm kit = <kit>
    kit function <kit#connect>
    kit member <kit> connect = <kit#connect>
    kit member <kit> Reply = cargo:lib.Reply
    kit gives <kit#connect> 0 = cargo:lib.Client{}
    app use <main#main> 1 import = cargo:lib
    app use <main#main> 2 call = cargo:lib.open
    app use <main#main> 3 call = cargo:lib.open()1.get
    app use <main#main> 4 call = cargo:lib.open()1.get().text
    app use <main#main> 5 call = cargo:lib.DEFAULT.all()[].text
    app use <main#main> 6 call = cargo:lib.Short{}.close
    app use <main#main> 7 call = cargo:lib.Client().close
    app use <main#main> 8 reference = cargo:lib-next.Client
    app use <main#main> 9 call = npm:kit.connect().get
    app use <main#main> 10 call = cargo:lib.nothing().get
    app use <main#main> 11 call = cargo:lib.open().get
    app use <main#main> 12 call = cargo:lib.List{}[].text
";

/// What is derived of shards on so many threads.
fn derived(shards: Vec<Rows>, n_threads: usize) -> Vec<Derived> {
    let changes = run(n_threads, vec![shards.into_iter().map(|rows| (rows, 1)).collect()]);
    changes.into_iter().flatten().map(|(derived, _)| derived).collect()
}

/// What comes and goes with each of several changes.
fn run(n_threads: usize, changes: Vec<Vec<(Rows, isize)>>) -> Vec<Vec<(Derived, isize)>> {
    let n_changes = changes.len();
    let guards = timely::execute(Config::process(n_threads), move |worker| {
        let mut dataflow = Dataflow::new(worker);
        let settle = |change: &Vec<(Rows, isize)>| {
            let mine = change.iter().zip(0..).filter(|(_, at)| at % worker.peers() == worker.index());
            mine.for_each(|((rows, diff), _)| dataflow.update(rows, *diff));
            dataflow.settle(worker, &Ended::default())
        };
        changes.iter().map(settle).collect::<Vec<_>>()
    });
    let mut all = vec![Vec::new(); n_changes];
    for found in guards.unwrap().join() {
        for (changes, found) in all.iter_mut().zip(found.unwrap()) {
            changes.extend(found);
        }
    }
    all
}

fn check(facts: &str, expect: &Expect) {
    let world = World::of(facts);
    let one = world.written(derived(world.shards(), 1));
    expect.assert_eq(&one);
    assert_eq!(world.written(derived(world.shards(), 3)), one, "threads change nothing");
}

#[test]
fn uses_lead_through_modules_types_results_and_aliases() {
    check(
        ORGANISATION,
        &expect![[r"
        app main#main:1 Import lib lib
        app main#main:12 Call lib lib#Reply.text
        app main#main:2 Call lib lib#open
        app main#main:3 Call lib lib#Client.get
        app main#main:4 Call lib lib#Reply.text
        app main#main:5 Call lib lib#Reply.text
        app main#main:6 Call lib lib#Base.close
        app main#main:7 Call lib lib#Base.close
        app main#main:8 Reference lib lib#Client
        app main#main:9 Call lib lib#Client.get
        unused kit kit#connect
        unused lib lib#Base
        unused lib lib#Client.all
        unused lib lib#DEFAULT
        unused lib lib#List
        unused lib lib#Reply
        unused lib lib#Short
    "]],
    );
}

#[test]
fn a_change_of_a_shard_gives_what_the_whole_would() {
    let world = World::of(ORGANISATION);
    let without = World::of(&ORGANISATION.replace("lib over <lib#Client> = <lib#Base>", ""));
    let steps = vec![
        world.shards().into_iter().map(|rows| (rows, 1)).collect(),
        vec![(world.shard("lib"), -1), (without.shard("lib"), 1)],
        vec![(without.shard("lib"), -1), (world.shard("lib"), 1)],
    ];
    let changes = run(2, steps);
    let shown = |change: &[(Derived, isize)]| -> String {
        change
            .iter()
            .map(|(derived, diff)| [format!("{diff:+} "), world.written([*derived])].concat())
            .collect::<Vec<_>>()
            .concat()
    };
    expect![[r"
        -1 app main#main:6 Call lib lib#Base.close
        -1 app main#main:7 Call lib lib#Base.close
        +1 unused lib lib#Base.close
    "]]
    .assert_eq(&shown(&changes[1]));
    let mut now = BTreeMap::new();
    for (derived, diff) in changes.into_iter().flatten() {
        *now.entry(derived).or_insert(0) += diff;
    }
    now.retain(|_, n| *n != 0);
    assert!(now.values().all(|n| *n == 1));
    assert_eq!(world.written(now.into_keys()), world.written(derived(world.shards(), 1)));
}

#[test]
fn what_several_publish_is_one_of_them() {
    check(
        "
        one module go example/x = <x>
        one function <x#Open>
        one member <x> Open = <x#Open>
        two module go example/x = <y>
        two function <y#Open>
        two member <y> Open = <y#Open>
        app use <main#main> 1 call = go:example/x.Open
        ",
        &expect![[r"
            app main#main:1 Call one x#Open (one of 2)
            app main#main:1 Call two y#Open (one of 2)
        "]],
    );
}

#[test]
fn of_the_terms_of_one_site_those_of_the_lowest_rank_are_meant() {
    check(
        "
        lib module cargo lib = <lib>
        lib type <lib#Sender>
        lib function <lib#Sender.send>
        lib function <lib#Sink.send>
        lib function <lib#Sink.close>
        lib member <lib> Sender = <lib#Sender>
        lib member <lib> Sink = <lib#Sink>
        lib type <lib#Sink>
        lib member <lib#Sender> send = <lib#Sender.send>
        lib member <lib#Sink> send = <lib#Sink.send>
        lib member <lib#Sink> close = <lib#Sink.close>
        app use <main#main> 1 call 1 0 = cargo:lib.Sender{}.send
        app use <main#main> 1 call 1 1 = cargo:lib.Sink.send
        app use <main#main> 2 call 2 0 = cargo:lib.Sender{}.close
        app use <main#main> 2 call 2 1 = cargo:lib.Sink.close
        app use <main#main> 3 call 3 0 = cargo:lib.Sender{}.send
        app use <main#main> 3 call 3 0 = cargo:lib.Sink.send
        ",
        &expect![[r"
            app main#main:1 Call lib lib#Sender.send
            app main#main:2 Call lib lib#Sink.close
            app main#main:3 Call lib lib#Sender.send (one of 2)
            app main#main:3 Call lib lib#Sink.send (one of 2)
            unused lib lib#Sender
            unused lib lib#Sink
        "]],
    );
}

#[test]
fn requests_lead_to_what_serves_them_elsewhere() {
    check(
        "
        api route <api#login> POST /api/login
        api route <api#user> GET /api/users/{id}
        api route <api#health> GET /health
        other route <other#health> GET /health
        api serves <api#charge> shop.v1.Pay/Charge
        web request <web#signIn> 3 POST …/login
        web request <web#show> 4 GET /api/users/42
        web request <web#isUp> 5 GET /health
        web request <web#none> 6 DELETE /api/login
        web declares <pay.proto> 7 shop.v1.Pay/Charge
        api request <api#own> 8 GET /health
        ",
        &expect![[r"
            api api#own:8 Request other other#health
            web pay.proto:7 Request api api#charge
            web web#isUp:5 Request api api#health (one of 2)
            web web#isUp:5 Request other other#health (one of 2)
            web web#show:4 Request api api#user
            web web#signIn:3 Request api api#login
        "]],
    );
}

#[test]
fn packages_that_need_each_other_are_a_cycle() {
    check(
        "
        one package npm a
        two package npm b
        app package npm c
        one needs a = npm b
        two needs b = npm a
        app needs c = npm a
        app needs c = npm elsewhere
        ",
        &expect![[r"
            app c needs one a
            one a needs two b (cycle)
            two b needs one a (cycle)
        "]],
    );
}

#[test]
fn a_supertype_that_is_one_only_while_it_is_none_ends() {
    // Through `Far` the name `x` means `Near`, a supertype then; through that it means `Other`, which has no `x`.
    check(
        "
        lib module npm lib = <lib>
        lib type <lib#T>
        lib type <lib#Near>
        lib type <lib#Other>
        lib type <lib#Mid>
        lib type <lib#Far>
        lib member <lib> T = <lib#T>
        lib over <lib#T> = npm:lib.T.x
        lib over <lib#T> = <lib#Mid>
        lib over <lib#Mid> = <lib#Far>
        lib member <lib#Far> x = <lib#Near>
        lib member <lib#Near> x = <lib#Other>
        app use <main> 1 reference = npm:lib.T.x
        ",
        &expect![[r"
            unused lib lib#Far
            unused lib lib#Mid
            unused lib lib#Near
            unused lib lib#Other
            unused lib lib#T
        "]],
    );
}

#[test]
fn types_that_lead_to_themselves_end() {
    check(
        "
        lib module npm lib = <lib>
        lib type <lib#A>
        lib function <lib#A.next>
        lib member <lib> A = <lib#A>
        lib member <lib> B = npm:lib.B
        lib member <lib#A> next = <lib#A.next>
        lib alias <lib#A> = npm:lib.A
        lib over <lib#A> = npm:lib.A
        lib over <lib> = npm:lib
        lib gives <lib#A.next> 0 = <lib#A>{}
        app use <main> 1 call = npm:lib.A().next().next().next
        app use <main> 2 call = npm:lib.B
        ",
        &expect![[r"
            app main:1 Call lib lib#A.next
            unused lib lib#A
        "]],
    );
}

#[test]
fn packages_are_found_by_what_they_call_themselves() {
    check(
        "
        lib module go example/mount-utils = <mount>
        lib function <mount#New>
        lib member <mount> New = <mount#New>
        lib member <mount> package:mount = <mount>
        lib module go example/text-tools = <text>
        lib function <text#New>
        lib member <text> New = <text#New>
        lib member <text> package:text = <text>
        app use <main#main> 1 call 1 0 = go:example/mount-utils.package:mount.New
        app use <main#main> 1 call 1 0 = go:example/text-tools.package:mount.New
        app use <main#main> 2 call = go:example/mount-utils.package:other.New
        ",
        &expect![[r"
            app main#main:1 Call lib mount#New
            unused lib text#New
        "]],
    );
}
