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
