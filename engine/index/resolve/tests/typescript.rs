//! TypeScript.

use super::check;

#[test]
fn what_an_unknown_supertype_may_have_is_unknown_and_what_one_from_outside_has_is_foreign() {
    check(
        "\
//- base.ts
export class Base { greet() {} }
//- mixin.ts
import { Base } from \"./base\";
import { Outside } from \"outside\";
function Mix<T>(C: T) { return C; }
export class A extends Mix(Base) {}
export class B extends Outside {}
//- use.ts
import { A, B } from \"./mixin\";
export function a(a: A) { a.greet(); }
export function b(b: B) { b.greet(); }
",
        "\
mixin.ts:4 calls mixin.ts#Mix, exact
use.ts: greet unknown",
    );
}

#[test]
fn what_a_file_does_not_export_is_not_passed_on() {
    check(
        "\
//- all.ts
export * from \"./first\";
export * from \"./second\";
//- first.ts
import { taken } from \"./second\";
function private() {}
export function own() { private(); taken(); }
function renamed() {}
export { renamed as other };
//- second.ts
export function private() {}
export function taken() {}
//- use.ts
import { own, other, private, taken } from \"./all\";
own(); other(); private(); taken();
",
        "\
first.ts:3 calls first.ts#private, exact
first.ts:3 calls second.ts#taken, exact
use.ts:2 calls first.ts#own, exact
use.ts:2 calls first.ts#renamed, exact
use.ts:2 calls second.ts#private, exact
use.ts:2 calls second.ts#taken, exact",
    );
}

#[test]
fn what_var_declares_is_known_in_the_whole_function() {
    check(
        "\
//- a.ts
export function go() {}
//- b.ts
import { go } from \"./a\";
export function inIf(x: boolean) { if (x) { var go = () => 1; } go(); }
export function inFor() { for (var go = () => 1; ; ) {} go(); }
export function inForOf(all: any[]) { for (var go of all) {} go(); }
export function inSwitch() { switch (1) { case 1: { var { go } = unknown(); } } go(); }
export function ofBlock(x: boolean) { if (x) { const go = () => 1; go(); } go(); }
export function ofInner() { const inner = () => { var go = () => 1; }; go(); }
",
        "\
b.ts:2 calls b.ts#inIf.go, exact
b.ts:3 calls b.ts#inFor.go, exact
b.ts:6 calls a.ts#go, exact
b.ts:6 calls b.ts#ofBlock.go, exact
b.ts:7 calls a.ts#go, exact",
    );
}

#[test]
fn the_instance_is_that_of_the_nearest_function_that_has_one() {
    check(
        "\
//- a.ts
export class Repo { find() {} }
export class Other { find() {} }
export class Outer {
  go() {}
  run() { [1].forEach(() => { this.go(); }); }
  lost() { [1].forEach(function () { this.go(); }); function inner() { this.go(); } inner(); }
  held = { repo: new Other(), go() { this.repo.find(); } };
  late = () => this.repo.find();
  repo = new Repo();
}
export const object = { repo: new Repo(), go() { this.repo.find(); const f = () => this.repo.find(); f(); } };
export const made = wrap({ repo: 1, go() { this.repo.find(); } });
",
        "\
a.ts:5 calls a.ts#Outer.go, exact
a.ts:6 calls a.ts#Outer.lost.inner, exact
a.ts:7 calls a.ts#Other, exact
a.ts:8 calls a.ts#Repo.find, qualified
a.ts:9 calls a.ts#Repo, exact
a.ts:11 calls a.ts#Repo, exact
a.ts:11 calls a.ts#Repo.find, qualified
a.ts:11 calls a.ts#Repo.find, qualified
a.ts:11 calls a.ts#object.go.f, exact
a.ts: find unknown
a.ts: go unknown",
    );
}

#[test]
fn a_class_expression_and_an_enum_know_their_own_names_inside() {
    check(
        "\
//- a.ts
export function make() {}
export class Made { static of() {} }
//- b.ts
import { make, Made } from \"./a\";
export const held = class Made { static of() {} static again() { Made.of(); } };
export enum Size { make = 1, other = make() }
make();
Made.of();
",
        "\
b.ts:2 calls b.ts#held.of, qualified
b.ts:4 calls a.ts#make, exact
b.ts:5 calls a.ts#Made.of, exact",
    );
}

#[test]
fn a_call_gives_what_any_of_its_signatures_gives() {
    check(
        "\
//- a.ts
export class A { run() {} }
export class B { run() {} }
export class Box<T> { inner!: T }
export function open(k: \"a\"): A;
export function open(k: \"b\"): B;
export function open(k: string): any {}
export interface Registry { find(k: \"a\"): A; find(k: \"b\"): B; take<T>(k: Box<T>): T; take(k: string): B }
export function use(r: Registry, box: Box<A>) {
  open(\"b\").run();
  r.find(\"b\").run();
  r.take(box).run();
}
",
        "\
a.ts:9 calls a.ts#A.run, among_2
a.ts:9 calls a.ts#B.run, among_2
a.ts:9 calls a.ts#open, exact
a.ts:9 calls a.ts#~2.open, exact
a.ts:9 calls a.ts#~3.open, exact
a.ts:10 calls a.ts#A.run, among_2
a.ts:10 calls a.ts#B.run, among_2
a.ts:10 calls a.ts#Registry.find, qualified
a.ts:10 calls a.ts#Registry.~2.find, qualified
a.ts:11 calls a.ts#A.run, among_2
a.ts:11 calls a.ts#B.run, among_2
a.ts:11 calls a.ts#Registry.take, qualified
a.ts:11 calls a.ts#Registry.~2.take, qualified",
    );
}

#[test]
fn a_class_and_its_instances_have_members_of_their_own() {
    check(
        "\
//- a.ts
export class Twin { static make() {} make() {} static only() {} }
Twin.make();
new Twin().make();
Twin.only();
",
        "\
a.ts:2 calls a.ts#Twin.make, exact
a.ts:3 calls a.ts#Twin, exact
a.ts:3 calls a.ts#Twin.~2.make, qualified
a.ts:4 calls a.ts#Twin.only, exact",
    );
}

#[test]
fn instances_are_made_by_constructors() {
    check(
        "\
//- a.ts
export class Box { constructor(x: number); constructor(x: any) {} }
export class Sub extends Box {}
export class Own extends Box { constructor() { super(1); } }
export class Far extends Outside {}
//- b.ts
import { Box, Far, Own, Sub } from \"./a\";
export const box = () => new Box(1);
export const sub = () => new Sub(1);
export const own = () => new Own();
export const far = () => new Far();
export const kind = () => Box;
",
        "\
a.ts:3 calls a.ts#Box.constructor, qualified
a.ts:3 calls a.ts#Box.~2.constructor, qualified
b.ts:2 calls a.ts#Box, exact
b.ts:2 calls a.ts#Box.~2.constructor, exact
b.ts:3 calls a.ts#Box.~2.constructor, exact
b.ts:3 calls a.ts#Sub, exact
b.ts:4 calls a.ts#Own, exact
b.ts:4 calls a.ts#Own.constructor, exact
b.ts:5 calls a.ts#Far, exact",
    );
}

#[test]
fn a_value_that_is_asked_for_its_subtype_is_surely_of_none() {
    check(
        "\
//- a.ts
export class A { run() {} stop() {} }
export class B extends A { run() {} }
export function asked(x: A) { if (x instanceof B) { x.run(); x.stop(); } }
export function plain(x: A) { x.run(); }
",
        "\
a.ts:2 implements a.ts#A.run, exact
a.ts:3 calls a.ts#A.run, unique
a.ts:3 calls a.ts#A.stop, qualified
a.ts:4 calls a.ts#A.run, qualified",
    );
}

#[test]
fn types_that_are_made_from_others_have_their_members() {
    check(
        "\
//- ops.ts
export class Thing { go() {} }
export interface Ops { start(): void; stop(): void; thing: Thing }
export type Clone<T> = { [K in keyof T]: T[K] };
export type ByName = { [K in \"x\" | \"y\"]: Thing };
export function make() { return { beta: new Thing() }; }
export function take(ops: Ops, thing: Thing) {}
//- use.ts
import { ByName, Clone, Ops, Thing, make, take } from \"./ops\";
export function record(m: Record<string, Ops>) { m[\"a\"].start(); }
export function member(m: Record<string, Ops>) { m.b.stop(); }
export function pick(m: Pick<Ops, \"start\" | \"thing\">) { m.start(); }
export function omit(m: Omit<Ops, \"stop\">) { m.thing.go(); }
export function clone(m: Clone<Ops>) { m.stop(); }
export function each(m: ByName) { m.x.go(); }
export function one(m: Ops[\"thing\"]) { m.go(); }
export function result(m: ReturnType<typeof make>) { m.beta.go(); }
export function given(...a: Parameters<typeof take>) { const [ops] = a; ops.stop(); }
export function later(m: Awaited<Promise<Thing>>) { m.go(); }
export function instance(m: InstanceType<typeof Thing>) { m.go(); }
export function unknown(m: Record<string, unknown>) { m.go(); }
",
        "\
ops.ts:5 calls ops.ts#Thing, exact
use.ts:2 calls ops.ts#Ops.start, qualified
use.ts:3 calls ops.ts#Ops.stop, qualified
use.ts:4 calls ops.ts#Ops.start, qualified
use.ts:5 calls ops.ts#Thing.go, qualified
use.ts:6 calls ops.ts#Ops.stop, qualified
use.ts:7 calls ops.ts#Thing.go, qualified
use.ts:8 calls ops.ts#Thing.go, qualified
use.ts:9 calls ops.ts#Thing.go, qualified
use.ts:10 calls ops.ts#Ops.stop, qualified
use.ts:11 calls ops.ts#Thing.go, qualified
use.ts:12 calls ops.ts#Thing.go, qualified",
    );
}

#[test]
fn what_files_declare_of_others_and_for_all_is_known_there() {
    check(
        "\
//- app.ts
export interface App { run(): void }
//- more.ts
import { App } from \"./app\";
declare module \"./app\" {
  interface App { extra(): number }
}
export function use(app: App) { app.extra(); app.run(); }
//- b/use.ts
import { App } from \"./app\";
export function none(app: App) { app.run(); }
//- ambient.d.ts
declare module \"virtual:mod\" { export function virtual(): string }
declare function everywhere(): void;
interface String { more(): void }
//- z.ts
import { virtual } from \"virtual:mod\";
import { other } from \"outside\";
import { App } from \"./app\";
export function all(app: App) {
  virtual();
  everywhere();
  other();
  app.extra();
  String(1);
}
",
        "\
more.ts:5 calls app.ts#App.run, qualified
more.ts:5 calls more.ts#./app.App.extra, qualified
z.ts:5 calls ambient.d.ts#virtual:mod.virtual, exact
z.ts:6 calls ambient.d.ts#everywhere, exact
z.ts:8 calls more.ts#./app.App.extra, qualified
b/use.ts: App unknown
b/use.ts: run unknown",
    );
}
