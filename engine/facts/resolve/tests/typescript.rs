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
