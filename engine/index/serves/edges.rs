//! What strangers write: names that are like others, and more routes and requests than anybody reads.

use super::tests::served;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

#[test]
fn generated_files_are_of_the_nearest_files_of_their_package_and_of_few() {
    let generated = |at: usize| format!("//- p{at}/a.rs\n// @generated\npub struct M {{}}\n");
    let declared = |path: &str| format!("//- {path}\npackage a;\nmessage M {{}}\n");
    // One of each in a folder of its own: each file is of what stands beside it.
    let apart = (0..300).map(|at| generated(at) + &declared(&format!("p{at}/a{at}.proto"))).collect::<String>();
    assert_eq!(served(&apart).lines().count(), 2 * 300);
    // Sixteen may be meant together, more are not, and copies are not either.
    let all = |n: usize| (0..n).map(|at| declared(&format!("proto/a{at}.proto"))).collect::<String>();
    let of_one = |declared: String| served(&(generated(0) + &declared)).lines().count();
    assert_eq!(of_one(all(16)), 16);
    assert_eq!(of_one(all(17)), 0);
    assert_eq!(of_one(declared("one/a.proto") + &declared("two/a.proto")), 0);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "time is what is measured")]
fn many_routes_imports_and_requests_are_put_together_in_time() {
    let start = Instant::now();
    let mut named = "//- b.ts\nexport function known() {}\n//- a.ts\n".to_owned();
    (0..1_500).for_each(|at| writeln!(named, "import {{ known as f{at} }} from \"./b\";").expect("text"));
    named.push_str("export function routes(app) {\n");
    (0..1_500).for_each(|at| writeln!(named, "  f{at}();\n  app.get(\"/r{at}\", missing{at});").expect("text"));
    named.push_str("  app.get(\"/last\", f7);\n}\n//- c.ts\nexport const last = () => fetch(\"/last\");\n");
    assert_eq!(served(&named), "c.ts:1 GET /last by b.ts#known, unique");
    let mut many = "//- a.ts\nconst app = express();\n".to_owned();
    (0..6_000).for_each(|at| writeln!(many, "app.get(\"/q{at}/:id\", (c) => c);").expect("text"));
    many.push_str("//- b.ts\nexport function ask() {\n");
    (0..6_000).for_each(|at| writeln!(many, "  fetch(\"/q{at}/7\");").expect("text"));
    many.push_str("}\n");
    assert_eq!(served(&many).lines().count(), 6_000);
    assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
}
