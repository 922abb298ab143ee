//! What strangers write: letters of several bytes, names that are like others, and more than anybody reads.

use super::tests::{facts, shown};
use super::text::split;
use std::time::{Duration, Instant};

#[test]
fn letters_of_several_bytes_are_not_cut() {
    assert_eq!(shown("a.ts", "app.use(\"/a\", \"éé\");\napp.use(\"/a\", éé);\n"), "below /a éé in line 2".replace("/a", "?/a"));
    let go = "package a\n\nfunc f() {\n\tr := gin.New()\n\t// ask “setup(r)” first\n\tr.GET(\"/a\", a)\n}\n";
    assert_eq!(shown("a.go", go), "6: GET /a by a in line 6 in f\nbelow / setup in line 5 as argument 0");
}

#[test]
fn a_router_whose_name_begins_like_a_maker_is_mounted() {
    let source = "const expressRouter = express.Router();\nexpressRouter.get(\"/me\", me);\napp.use(\"/users\", expressRouter);\n\
                  app.use(\"/in\", express.Router().get(\"/place\", place));\n";
    assert_eq!(
        shown("a.ts", source),
        "2: GET ?/me by me in line 2\n4: GET ?/in/place by place in line 4\nbelow ?/users router expressRouter"
    );
}

#[test]
fn types_ask_for_routes_by_their_own_annotations() {
    let source = "@RestController\nclass Orders {\n    OrderFeignClient client;\n    @GetMapping(\"/orders\")\n    Order read() { return null; }\n}\n\
                  @RequestMapping(\"/shops\")\n@FeignClient(\"shops\")\ninterface Shops {\n    @GetMapping(\"/{id}\")\n    Shop read(int id);\n}\n";
    assert_eq!(shown("A.java", source), "4: GET /orders by definition read in read\n10: asks GET /shops/{id} in read");
}

#[test]
fn what_keeps_values_by_keys_is_no_router_and_no_client() {
    let go = |import: &str| format!("package a\n\nimport \"{import}\"\n\nfunc f(m *Cache) {{\n\tm.Get(\"/key\", fallback)\n}}\n");
    assert_eq!(shown("a.go", &go("example.com/cache")), "");
    assert!(shown("a.go", &go("github.com/go-chi/chi/v5")).starts_with("6: GET ?/key by fallback"));
    let page = "$.get(\"/fruits\", function (fruits) {});\n$.post('/fruits', fruit, (done) => done);\n";
    assert_eq!(shown("a.js", page), "1: asks GET /fruits\n2: asks POST /fruits");
    assert_eq!(shown("a.py", "cache_client.get(\"/a\")\nredis.client.get(\"/a\")\nclient.get(\"/a\")\n"), "3: asks GET /a");
}

#[test]
fn methods_and_paths_of_an_annotation_are_bounded() {
    let many = |text: &str| vec![text; 1_500].join(", ");
    let source = format!(
        "class A {{\n    @RequestMapping(value = {{ {} }}, method = {{ {} }})\n    void read() {{}}\n}}\n",
        many("\"/a\""),
        many("RequestMethod.GET")
    );
    let n_routes = facts("A.java", &source).web.map_or(0, |web| web.routes.len());
    assert!((1..=64).contains(&n_routes), "{n_routes}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "time is what is measured")]
fn strings_that_do_not_end_are_read_once() {
    let escaped = format!("`{}", "\\`".repeat(200_000));
    let start = Instant::now();
    assert_eq!(split(&escaped, b',').len(), 1);
    let parameters = format!("function f({}) {{\n{}}}\n", "a = 1, ".repeat(200_000), "  g.get(\"/a\", h);\n".repeat(1_000));
    assert_eq!(facts("a.ts", &parameters).web.map_or(0, |web| web.routes.len()), 0);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn all_names_are_replaced() {
    let mut web = *facts("a.ts", "const app = express();\napp.get(\"/a\", kept);\napp.use(\"/b\", kept);\n").web.expect("routes");
    let django = facts("a.py", "urlpatterns = [path(\"a/\", include(\"kept.urls\"))]\n").web.expect("mounts");
    web.mounts.extend(django.mounts);
    web.procedures
        .extend(super::contract("a.proto", "service kept {\n rpc kept(A) returns (B);\n}\n").expect("procedures").procedures);
    let promised = super::contract("a.proto", "package kept;\nmessage kept {}\n").expect("declarations");
    (web.declared, web.package) = (promised.declared, promised.package);
    let document = "openapi: 3\npaths:\n  /a:\n    get:\n      operationId: kept\n";
    web.operations = super::contract("a.yaml", document).expect("operations").operations;
    web.sources = super::sources("// generated, source: kept.proto\n");
    assert_eq!(format!("{web:?}").matches("kept").count(), 9);
    web.replace(|text| text.contains("kept").then(|| text.replace("kept", "hidden")));
    assert!(!format!("{web:?}").contains("kept"), "{web:?}");
}
