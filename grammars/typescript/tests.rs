//! What TypeScript and JavaScript snippets yield, one fact a line.

use super::LANGUAGE;
use crate::extract;
use crate::facts::{Container, FileFacts, Traits};
use crate::shown::{container, show};

fn facts(path: &str, source: &str) -> FileFacts {
    let facts = extract(&LANGUAGE, path, source.as_bytes()).facts;
    assert_eq!(facts.diagnostics, [], "the snippet parses");
    facts
}

const TRAITS: [(Traits, &str); 6] = [
    (Traits::INSTANCE, "instance"),
    (Traits::GETTER, "getter"),
    (Traits::BODILESS, "bodiless"),
    (Traits::NESTED, "nested"),
    (Traits::DEFAULT, "default"),
    (Traits::DEPRECATED, "deprecated"),
];

/// `visibility kind holder.name traits`.
fn symbols(path: &str, source: &str) -> String {
    let facts = facts(path, source);
    let line = |symbol: &crate::facts::Symbol| {
        let mut line = format!("{:?} {} ", symbol.visibility, symbol.kind.word()).to_lowercase();
        if symbol.container != Container::File {
            line = line + &container(&facts, symbol.container) + ".";
        }
        line += facts.names.get(symbol.name);
        for (_, word) in TRAITS.iter().filter(|(bit, _)| symbol.traits.has(*bit)) {
            line = line + " " + word;
        }
        line
    };
    facts.symbols.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn fields(source: &str) -> String {
    let facts = facts("a.ts", source);
    let line = |field: &crate::facts::Field| {
        let (declared, value) = (show(&facts, field.declared), show(&facts, field.value));
        format!("{}.{}: {declared} = {value}", container(&facts, field.container), facts.names.get(field.name))
    };
    facts.fields.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn imports(source: &str) -> String {
    let facts = facts("a.ts", source);
    let line = |import: &crate::facts::Import| {
        let name = |id: Option<crate::facts::NameId>| id.map_or("-", |id| facts.names.get(id));
        let path = import.path.first().map_or("-", |id| facts.names.get(*id));
        let mut line = format!("{:?} {path} {} as {}", import.kind, name(import.item), name(import.local)).to_lowercase();
        for (_, word) in [(import.exported, " exported"), (import.type_only, " type")].iter().filter(|(set, _)| *set) {
            line += word;
        }
        line
    };
    facts.imports.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `line kind expression`.
fn sites(path: &str, source: &str) -> String {
    let facts = facts(path, source);
    let line = |site: &crate::facts::Site| {
        format!("{} {} {}", site.line, format!("{:?}", site.kind).to_lowercase(), show(&facts, site.expr))
    };
    facts.sites.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn check(found: &str, expected: &str) {
    let expected = expected.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert_eq!(found, expected, "\nfound:\n{found}\n");
}

#[test]
fn functions_are_declared_assigned_overloaded_or_ambient() {
    let source = "
        export function over(a: string): string
        export function over(a: any) { function inner() {} return inner() }
        function* gen() {}
        /** @deprecated use over */
        export const arrow = async (x) => x, expr = function named() {}
        declare function ambient(): void
        const local = () => { const nested = () => 1; return { stray() {} } }";
    check(
        &symbols("a.ts", source),
        "public function over bodiless
         public function over
         private function over.inner nested
         private function gen
         public function arrow deprecated
         public function expr
         private function ambient bodiless
         private function local
         private function local.nested nested
         private method local.stray nested",
    );
}

#[test]
fn classes_have_methods_fields_and_parameter_properties() {
    let source = "
        export abstract class A<T> extends B implements C {
            #size = 0; static one?: A<T>; map = new Map<string, T>(); run = () => 1
            constructor(private readonly store: Store, plain: number) { super() }
            get size(): number { return 1 }
            protected abstract go(): void
            private static make() {}
            #hidden() {}
            [Symbol.iterator]() {}
        }
        const K = class { m() {} }";
    check(
        &symbols("a.ts", source),
        "public type A
         public method A.run instance
         public method A.constructor instance
         public method A.size instance getter
         package method A.go instance bodiless
         private method A.make
         private method A.#hidden instance
         private type K
         public method K.m instance",
    );
    check(
        &fields(source),
        "A.#size: ? = 'number
         A.one: A<<T>> = ?
         A.map: ? = new Map<'string, <T>>
         A.store: Store = ?",
    );
}

#[test]
fn types_enums_namespaces_and_objects_have_members() {
    let source = "
        interface I extends J { m(): X; p: { inner: Y }; f?: (e: E) => void }
        export type T = { a: A; b(): void } & { c: C[] }
        enum E { One, Two = 'two' }
        namespace N { export const x = 1; export function f() {} }
        export const api = { list() {}, get: () => 1, sub: { deep() {} }, short, made: new M() } as const
        const app = create({ handler() {} })";
    check(
        &symbols("a.ts", source),
        "private interface I
         public method I.m instance bodiless
         public alias T
         public method T.b instance bodiless
         private type E
         private module N
         public constant N.x
         public function N.f
         public constant api
         public method api.list instance
         public method api.get instance
         private method deep nested
         private constant app
         public method handler instance nested",
    );
    check(
        &fields(source),
        "I.p: {inner: Y} = ?
         I.f: (E) => 'void = ?
         T.a: A = ?
         T.c: [C] = ?
         E.Two: ? = ?
         E.One: ? = ?
         api.sub: ? = {deep: @deep}
         api.made: ? = new M
         api.short: ? = short",
    );
}

#[test]
fn default_exports_have_the_name_default() {
    check(&symbols("a.ts", "export default () => 1"), "public function default default");
    check(
        &symbols("a.ts", "export default class extends A { m() {} }"),
        "public type default default\npublic method default.m instance",
    );
    check(
        &symbols("a.ts", "export default { fetch() {} }"),
        "public constant default default\npublic method default.fetch instance",
    );
    check(&symbols("a.ts", "export default function named() {}"), "public function named default");
    check(&imports("export default named"), "item - named as default exported");
    check(&imports("export = named"), "item - named as default exported");
}

#[test]
fn imports_and_reexports_come_in_every_form() {
    let source = "
        import def, { a, type B, c as d } from './mod'
        import type { T } from './types'
        import * as ns from 'pkg'
        import './effect'
        import fs = require('fs')
        export { e as f } from './re'
        export { g }
        export * from './all'
        export * as sub from './sub'
        export type { X } from './x'
        const path = require('path')
        const { join, resolve: res } = require('node:path')
        async function lazy() { (await import('./lazy')).go() }";
    check(
        &imports(source),
        "item ./mod a as a
         item ./mod b as b type
         item ./mod c as d
         default ./mod - as def
         item ./types t as t type
         module pkg - as ns
         effect ./effect - as -
         module fs - as fs
         item ./re e as f exported
         item - g as g exported
         glob ./all - as - exported
         module ./sub - as sub exported
         item ./x x as x exported type
         module path - as path
         module node:path - as 'node:path'
         item node:path join as join
         item node:path resolve as res
         module ./lazy - as './lazy'",
    );
    check(&sites("a.ts", "async function f() { (await import('./m')).go() }"), "1 call './m'.await.go");
}

#[test]
fn what_no_import_takes_goes_to_no_later_one() {
    for (broken, later) in [
        ("import { a } = 3", "import { b } from './m'"),
        ("export { a } = 3", "export { b } from './m'"),
        ("import x, { a } = require('q')", "import { b } from './m'"),
    ] {
        let facts = extract(&LANGUAGE, "a.ts", format!("{broken};\n{later}").as_bytes()).facts;
        let of_later = facts.imports.iter().filter(|import| import.path.iter().any(|name| facts.names.get(*name) == "./m"));
        let locals: Vec<&str> = of_later.filter_map(|import| import.local).map(|name| facts.names.get(name)).collect();
        assert_eq!(locals, ["b"], "{broken}");
    }
}

#[test]
fn calls_and_references_are_sites_and_keys_are_none() {
    let source = "class A extends B {
        @dec() m(p: P<Q>) { super.m(); this.n(); new N<O>(); tag`x${y}`; p?.o?.(); outer: for (;;) break outer }
        constructor() { super(1) } }
        const o = { key: value, short, [computed]: 1 }; o.key = typeof t
        let x: typeof u | keyof V | w.W; free(callback)";
    check(
        &sites("a.ts", source),
        "1 type B
         2 call dec
         2 type P
         2 type Q
         2 call super(A).m
         2 call this(A).n
         2 new N
         2 type O
         2 call tag
         2 mention y
         2 call <p: P<Q>>.o
         3 call super(A)
         4 mention value
         4 mention short
         4 mention computed
         4 mention o
         4 mention o.key
         4 mention t
         5 mention u
         5 type V
         5 mention w
         5 type w::W
         5 call free
         5 mention callback",
    );
}

#[test]
fn components_are_calls_and_tags_of_html_are_not() {
    let source = "export const C = () => <Menu.Item on={go}><div/><Button<T> label={name} />text</Menu.Item>";
    check(
        &sites("a.tsx", source),
        "1 mention Menu
         1 call Menu.Item
         1 mention go
         1 call Button
         1 type T
         1 mention name",
    );
}

#[test]
fn bindings_know_their_declared_type_or_value() {
    let source = "async function f<T extends B>(a: A, { b, c: { d } }: O, ...r: R[]) {
        const [x, , y] = await g(); for (const e of r) e.m(); for (const k in a) k.m()
        a.m(); b.m(); d.m(); r.m(); y.m(); const n = a! as N; n.m(); const z = a ?? x; z.m()
        try {} catch (err) { err.m() } [].map(i => i.m()); const { q = 1, ...rest } = a; q.m(); rest.m() }";
    let calls = sites("a.ts", source);
    let calls: Vec<&str> = calls.lines().filter(|line| line.contains(".m")).collect();
    check(
        &calls.join("\n"),
        "2 call <e = <r: [R]>[*]>.m
         2 call <k = <a: A>[key]>.m
         3 call <a: A>.m
         3 call <b: O/b>.m
         3 call <d: O/c/d>.m
         3 call <r: [R]>.m
         3 call <y = g().await#2>.m
         3 call <n = new N>.m
         3 call <z = (<a: A> | <x = g().await#0>)>.m
         4 call <err>.m
         4 call ().map
         4 call <i = ().map(0)$0>.m
         4 call <q = <a: A>/q>.m
         4 call <rest>.m",
    );
}

#[test]
fn results_come_from_the_declaration_or_from_what_is_returned() {
    let source = "function a(): Promise<A> {} function b() { if (x) return new B(); return c() }
        const d = () => new D(); const e: F = () => { return g() }; class H { i = async (): Promise<J> => k }";
    let facts = facts("a.ts", source);
    let results = facts.symbols.iter().map(|symbol| {
        let body = &source[symbol.body as usize..symbol.bytes.1 as usize];
        format!("{} {} {body}", facts.names.get(symbol.name), show(&facts, symbol.declared))
    });
    let results: Vec<String> = results.filter(|line| !line.starts_with('H')).collect();
    check(
        &results.join("\n"),
        "a Promise<A> {}
         b (new B | c()) { if (x) return new B(); return c() }
         d new D new D()
         e g() { return g() }
         i Promise<J> k",
    );
}

#[test]
fn tests_are_calls_with_titles_in_test_files() {
    let source = "describe('group', () => {
        const setup = () => app()
        it.each([1])('takes %i', () => { setup() })
        describe.skip(`inner`, () => { test.only(\"it's\", () => { /a/.test('no') }) }) })";
    let expected = "private test group
         private function group.setup nested
         private test group.takes %i
         private test group.inner
         private test inner.it's";
    check(&symbols("src/a.test.ts", source), expected);
    check(&symbols("src/a.ts", source), "private function setup nested");
    for path in ["a.spec.tsx", "src/__tests__/a.js", "test/a.ts", "packages/a/tests/b.ts"] {
        assert!((LANGUAGE.is_test_path)(path), "{path}");
    }
    assert!(!(LANGUAGE.is_test_path)("src/testing/attest.ts"));
}

#[test]
fn documentation_stands_before_export_and_decorators() {
    let source = "/** About A. */\n@dec({ a: 1 })\nexport class A {\n  /** About m. */\n  @get() m() {}\n}\n";
    let facts = facts("a.ts", source);
    let docs: Vec<&str> = facts.symbols.iter().map(|symbol| &source[symbol.doc.0 as usize..symbol.doc.1 as usize]).collect();
    assert_eq!(docs, ["/** About A. */\n@dec({ a: 1 })", "/** About m. */\n  @get()"]);
    let starts = facts.symbols.iter().map(|symbol| source[..symbol.doc.0 as usize].matches('\n').count() as u32 + 1);
    assert!(starts.eq(facts.symbols.iter().map(|symbol| symbol.doc_line)));
}
