//! Frames of built files in small repositories: files on disk and a frame in, the place that is meant out.

use super::SourceMaps;
use crate::failures::Failures;
use index::fixture::base;
use repo::Repo;
use repo::testing::Scratch;
use signals::{self, Report};
use std::fmt::Write as _;

/// What is listed of the repository.
const LISTED: &str = "\
//- package.json
{\"name\": \"shop\"}
//- src/cart.ts
export function add() {}

export function sumUp() {}
//- packages/ui/package.json
{\"name\": \"@shop/ui\"}
//- packages/ui/src/view.ts
export function draw() {}

export function paint() {}
";

/// A map whose second line was made of the third line of a source.
fn map(source: &str) -> String {
    format!("{{\"version\":3,\"sources\":[\"{source}\"],\"names\":[],\"mappings\":\"AAAA;AAEA\"}}")
}

/// The same for `../src/cart.ts`, as a built file can hold it.
const INLINE: &str = "data:application/json;charset=utf-8;base64,\
                      eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIi4uL3NyYy9jYXJ0LnRzIl0sIm1hcHBpbmdzIjoiQUFBQTtBQUVBIn0=";

/// What a frame means where these files lie on disk, then what could not be used.
fn find(files: &[(&str, &str)], frame: &str) -> String {
    let repository = Scratch::new();
    for (path, text) in files {
        match text.strip_prefix("-> ") {
            Some(target) => repository.link(target, path),
            None => repository.write(path, text),
        }
    }
    let (repo, base) = (Repo::open(repository.path()).expect("a repository"), base(LISTED));
    let maps = SourceMaps::new(&repo, &["left/".to_owned()]);
    let mut report = Report::default();
    signals::read(format!("Uncaught TypeError: x\n    at {frame}\n").as_bytes(), "trace", None, &mut report).expect("a trace");
    let found = Failures::locate_with(&redact::Masker::knowing_nothing(), &base, "/srv/shop", "", &report, &maps);
    let again = Failures::locate_with(&redact::Masker::knowing_nothing(), &base, "/srv/shop", "", &report, &maps);
    assert_eq!(found, again, "what was read for one report is not said of the next");
    let spot = found.diagnostics.first().and_then(|found| found.spot);
    let mut said = spot.map_or("nowhere".to_owned(), |spot| {
        let guess = if spot.is_guess { "guess " } else { "" };
        let map = spot.map.map_or(String::new(), |map| format!(" by {}", found.maps[map as usize]));
        format!("{guess}{}:{}{map}", base.id(spot.node()), spot.line)
    });
    for problem in maps.problems() {
        let _ = write!(said, "; {}: {}", problem.path.unwrap_or_default(), problem.message);
    }
    said
}

#[test]
fn a_frame_of_a_built_file_is_one_of_its_source() {
    let cart = map("../src/cart.ts");
    let beside = [("dist/app.js", "x"), ("dist/app.js.map", cart.as_str())];
    let total = "src/cart.ts#sumUp:3 by dist/app.js";
    for frame in [
        "t (/srv/shop/dist/app.js:2:5)",
        "t (dist/app.js:2:5)",
        "dist/app.js:2:1",
        "sumUp (file:///home/kim/shop/dist/app.js:2:5)",
        "async Object.t (https://shop.example.com/dist/app.js?v=3:2:5)",
        "t (/srv/shop/node_modules/shop/dist/app.js:2:5)",
    ] {
        assert_eq!(find(&beside, frame), total, "{frame}");
    }
    // Lines without a source, and a map of another build than the one that ran.
    assert_eq!(find(&beside, "t (dist/app.js:9:5)"), "nowhere");
    assert_eq!(find(&beside, "sumUp (dist/app.js:9:5)"), "guess src/cart.ts#sumUp:3");
    assert_eq!(find(&beside, "add (dist/app.js:2:5)"), "guess src/cart.ts#add:1");
    assert_eq!(find(&beside, "t (/srv/shop/node_modules/other/dist/app.js:2:5)"), "nowhere");

    let of_app =
        |text: &str| find(&[("dist/app.js", text), ("dist/maps/a.map", &map("/srv/shop/src/cart.ts"))], "t (dist/app.js:2:5)");
    assert_eq!(of_app(&format!("x\n//# sourceMappingURL={INLINE}\n")), total);
    assert_eq!(of_app("x /*# sourceMappingURL=maps/a.map*/"), total);
    assert_eq!(of_app("//# sourceMappingURL=https://example.com/a.map"), "nowhere");
    assert_eq!(of_app("//# sourceMappingURL=gone.map"), "nowhere");
    assert_eq!(of_app("no map"), "nowhere");

    let bundled = [("packages/ui/dist/assets/index-4f2a91c0.js.map", map("webpack://ui/./src/view.ts?3f"))];
    let bundled = bundled.each_ref().map(|(path, text)| (*path, text.as_str()));
    assert_eq!(
        find(&bundled, "t (https://shop.example.com/assets/index-4f2a91c0.js:2:5)"),
        "packages/ui/src/view.ts#paint:3 by packages/ui/dist/assets/index-4f2a91c0.js"
    );
}

#[test]
fn a_map_leads_nowhere_but_into_the_repository() {
    let cart = map("../src/cart.ts");
    let with = |map: &str| find(&[("dist/app.js.map", map)], "sumUp (dist/app.js:2:5)");
    let by_name = "guess src/cart.ts#sumUp:3";
    for source in ["../../../etc/passwd", "../src/gone.ts", "/etc/passwd", "file:///etc/passwd", "", "..", "src/\\u0000"] {
        assert_eq!(with(&map(source)), by_name, "{source}");
    }
    // What was bundled of others is not ours, whatever it is called.
    assert_eq!(with(&map("../node_modules/other/cart.ts")), "nowhere");
    // Broken ones are told, and the name of the function is what it was without them.
    let broken = |why: &str| format!("{by_name}; dist/app.js.map: source map not used: {why}");
    assert_eq!(with(&cart.replace("AAEA", "AAEA!")), broken("its mappings have a letter that is not base 64"));
    assert_eq!(with(&cart.replace("AAEA", "AEEA")), broken("it has no source 2"));
    assert!(with("{\"version\":3").starts_with(&broken("it is not a source map: it is cut off at line 1")));
    let bad = find(&[("dist/app.js", "//# sourceMappingURL=data:application/json;base64,e")], "sumUp (dist/app.js:2:5)");
    assert_eq!(bad, format!("{by_name}; dist/app.js: source map not used: it is not in base 64"));
    // Any file may be called a map: nothing of it is told, and only what is called like one is read.
    let secret = "{\"version\":\"correct horse battery staple\"}";
    let quoted = find(&[("dist/app.js", "//# sourceMappingURL=../a.map"), ("a.map", secret)], "sumUp (dist/app.js:2:5)");
    assert_eq!(
        quoted,
        format!(
            "{by_name}; a.map: source map not used: it is not a source map: it has values that no map has at line 1, column 41"
        )
    );
    let other = find(&[("dist/app.js", "//# sourceMappingURL=../a.json"), ("a.json", &cart)], "sumUp (dist/app.js:2:5)");
    assert_eq!(other, by_name);
    assert_eq!(with(&map(&"a/".repeat(4000))), broken("the path of source 0 has more than 4096 bytes"));
    // Code of others that has a file of this name, unless the function is there too.
    for source in ["/home/ci/otherlib/src/cart.ts", "webpack://otherlib/./src/cart.ts"] {
        let of = |frame: &str| find(&[("dist/app.js.map", &map(source))], &format!("{frame} (dist/app.js:2:5)"));
        assert_eq!(of("parse"), "nowhere", "{source}");
        assert_eq!(of("sumUp"), "src/cart.ts#sumUp:3 by dist/app.js", "{source}");
    }
    // Links are not followed, what is left out is not read, and of several none is meant.
    let linked =
        find(&[("maps/a.map", &cart), ("dist/app.js", "x"), ("dist/app.js.map", "-> ../maps/a.map")], "sumUp (dist/app.js:2:5)");
    assert!(linked.starts_with(&broken("`dist/app.js.map` cannot be read")), "{linked}");
    let out = [("left/app.js.map", map("../src/cart.ts")), ("dist/app.js", "//# sourceMappingURL=../../a.map".to_owned())];
    let out = out.each_ref().map(|(path, text)| (*path, text.as_str()));
    assert_eq!(find(&out, "t (left/app.js:2:5)"), "nowhere");
    assert_eq!(find(&out, "t (dist/app.js:2:5)"), "nowhere");
    let both = [("dist/index.js.map", cart.as_str()), ("packages/ui/dist/index.js.map", cart.as_str())];
    assert_eq!(find(&both, "t (/app/dist/index.js:2:5)"), "nowhere");
    assert_eq!(find(&both, "t (dist/index.js:2:5)"), "src/cart.ts#sumUp:3 by dist/index.js");
}
