//! Manifests, from text to text: what they list, what is refused, what a change leaves as it is.

use super::*;
use expect_test::expect;
use std::fmt::Write as _;

const PATH: &str = "org/fleet.toml";

fn read(text: &str) -> Result<Manifest> {
    Manifest::parse(text, Path::new(PATH))
}

#[test]
fn a_manifest_lists_repositories_in_the_order_of_names() {
    let text = "# ours\n[[repository]]\nname = \"shop/web\"\npath = \"../web\"\n\n[[repository]]\nname = \"shop/api\"\n\
                url = \"git@host:shop/api.git\"\nbranch = \"release/1.x\"\nowners = [\"@shop/backend\", \"a@b.c\"]\n";
    let manifest = read(text).expect("a manifest");
    let mut told = String::new();
    for Repository { name, place, branch, commit, owners, line, written: _ } in &manifest.repositories {
        let _ = writeln!(told, "{line} {name} {place:?} {branch:?} {commit:?} {owners:?}");
    }
    expect![[r#"
        7 shop/api Url("git@host:shop/api.git") Some("release/1.x") None ["@shop/backend", "a@b.c"]
        3 shop/web Path("org/../web") None None []
    "#]]
    .assert_eq(&told);
    assert_eq!(manifest.find("shop/web").map(|found| found.line), Some(3));
    assert_eq!(manifest.find("shop"), None);
    assert!(read("").expect("a manifest").repositories.is_empty());
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_line_and_what_to_do() {
    let of = |name: &str, rest: &str| format!("[[repository]]\nname = \"{name}\"\n{rest}\n");
    let api = of("api", "path = \"x\"");
    let mut texts = vec![
        format!("{api}{api}"),
        format!("{api}{}", of("API", "path = \"x\"")),
        of("api", ""),
        of("api", "path = \"x\"\nurl = \"https://h/x\""),
        of("api", "path = \"x\"\nbranches = \"main\""),
        "[[repositories]]\n".to_owned(),
        "[[repository]]\nname = 1\n".to_owned(),
        "[[repository]\n".to_owned(),
        "[repository]\nname = \"api\"\n".to_owned(),
        of("api", "path = \"x\"\nowners = \"@roadmap\""),
        of("api", "path = \"x\"\ncommit = \"abc\""),
        of("api", "path = \"-x\""),
        of("api", "path = \"\""),
        of("api", "path = \"a\\u0000b\""),
        of("api", "path = \"x\"\nowners = [\"a b\"]"),
        of(&"a".repeat(121), "path = \"x\""),
    ];
    texts.extend(
        ["../x", "a/../b", "/a", "a//b", "a/", ".", "a b", "a\\\\b", "-x", "a/-x", "aux", "lib/com1.x", "a.", "é"]
            .map(|name| of(name, "path = \"x\"")),
    );
    let urls = [
        "--upload-pack=x",
        "ext::sh -c x",
        "ext::x",
        "http://h/x",
        "ftp://h/x",
        "ssh://-oProxyCommand=x/y",
        "-x@h:y",
        "https://u:p@h/x",
        "https:///x",
        "/tmp/x",
        "C:\\\\x",
    ];
    texts.extend(urls.map(|url| of("api", &format!("url = \"{url}\""))));
    texts.extend(
        ["-x", "a..b", "a b", "a.lock", "x:y", "a@{b", "/a", "@"]
            .map(|branch| of("api", &format!("path = \"x\"\nbranch = \"{branch}\""))),
    );
    let mut told = String::new();
    for text in texts {
        let _ = writeln!(told, "{}", read(&text).map_or_else(|error| error.message, |_| format!("taken: {text}")));
    }
    expect![[r#"
        org/fleet.toml:5: `api` is listed twice, first in line 2; give one of them another name
        org/fleet.toml:5: `API` differs from another name by capital letters alone, first in line 2; give one of them another name
        org/fleet.toml:1: `api` has neither `url` nor `path`; give it one of them
        org/fleet.toml:1: `api` has both `url` and `path`; give it one of them
        org/fleet.toml:4: unknown field `branches`, expected one of `name`, `url`, `path`, `branch`, `commit`, `owners`
        org/fleet.toml:1: unknown field `repositories`, expected `repository`
        org/fleet.toml:2: invalid type: integer `1`, expected a string
        org/fleet.toml:1: unclosed array table, expected `]`
        org/fleet.toml:1: invalid type: map, expected a sequence; write `[[repository]]` above each repository
        org/fleet.toml:4: invalid type: string "@roadmap", expected a sequence; write a list, as in `["@team"]`
        org/fleet.toml:4: `abc` is no commit's id of 40 hexadecimal digits; `git rev-parse COMMIT` prints it
        org/fleet.toml:3: `-x` begins with `-`; write `./-x`
        org/fleet.toml:3: this is empty; say what is meant, or leave it out
        org/fleet.toml:3: this holds control characters; leave them out
        org/fleet.toml:4: the owner `a b` has a blank in it
        org/fleet.toml:2: the name is longer than 120 bytes; shorten it
        org/fleet.toml:2: the name `../x` leads out of its folder; write it like `shop/api`
        org/fleet.toml:2: the name `a/../b` leads out of its folder; write it like `shop/api`
        org/fleet.toml:2: the name `/a` begins or ends with a slash, or has two in a row; write it like `shop/api`
        org/fleet.toml:2: the name `a//b` begins or ends with a slash, or has two in a row; write it like `shop/api`
        org/fleet.toml:2: the name `a/` begins or ends with a slash, or has two in a row; write it like `shop/api`
        org/fleet.toml:2: the name `.` leads out of its folder; write it like `shop/api`
        org/fleet.toml:2: the name `a b` has signs that are no letter, digit, `.`, `_` or `-` between its slashes; write it like `shop/api`
        org/fleet.toml:2: the name `a\b` has signs that are no letter, digit, `.`, `_` or `-` between its slashes; write it like `shop/api`
        org/fleet.toml:2: the name `-x` has a part that begins with `-`, as flags do; write it like `shop/api`
        org/fleet.toml:2: the name `a/-x` has a part that begins with `-`, as flags do; write it like `shop/api`
        org/fleet.toml:2: the name `aux` has a part that is the name of a device; write it like `shop/api`
        org/fleet.toml:2: the name `lib/com1.x` has a part that is the name of a device; write it like `shop/api`
        org/fleet.toml:2: the name `a.` has a part that ends with a dot, which some systems drop; write it like `shop/api`
        org/fleet.toml:2: the name `é` has signs that are no letter, digit, `.`, `_` or `-` between its slashes; write it like `shop/api`
        org/fleet.toml:3: `--upload-pack=x` begins with `-`, as flags of git do; give one of https://, ssh://, git://, file:// or user@host:path
        org/fleet.toml:3: the url has a blank in it; give one of https://, ssh://, git://, file:// or user@host:path
        org/fleet.toml:3: `ext::` runs a program of its own; give one of https://, ssh://, git://, file:// or user@host:path
        org/fleet.toml:3: `http://` is not fetched from; give one of https://, ssh://, git://, file:// or user@host:path
        org/fleet.toml:3: `ftp://` is not fetched from; give one of https://, ssh://, git://, file:// or user@host:path
        org/fleet.toml:3: the host begins with `-`, as flags of ssh do; give one of https://, ssh://, git://, file:// or user@host:path
        org/fleet.toml:3: `-x@h:y` begins with `-`, as flags of git do; give one of https://, ssh://, git://, file:// or user@host:path
        org/fleet.toml:3: the url holds a password; leave it out, git asks its credential helper for it
        org/fleet.toml:3: the url has no host; give one of https://, ssh://, git://, file:// or user@host:path
        org/fleet.toml:3: this is no url; give one of https://, ssh://, git://, file:// or user@host:path, or say `path` for a folder
        org/fleet.toml:3: this is no url; give one of https://, ssh://, git://, file:// or user@host:path, or say `path` for a folder
        org/fleet.toml:4: `-x` cannot be the name of a branch; give it as in `main`
        org/fleet.toml:4: `a..b` cannot be the name of a branch; give it as in `main`
        org/fleet.toml:4: `a b` cannot be the name of a branch; give it as in `main`
        org/fleet.toml:4: `a.lock` cannot be the name of a branch; give it as in `main`
        org/fleet.toml:4: `x:y` cannot be the name of a branch; give it as in `main`
        org/fleet.toml:4: `a@{b` cannot be the name of a branch; give it as in `main`
        org/fleet.toml:4: `/a` cannot be the name of a branch; give it as in `main`
        org/fleet.toml:4: `@` cannot be the name of a branch; give it as in `main`
    "#]].assert_eq(&told);
}

#[test]
fn more_than_a_fleet_has_is_refused() {
    let entry = |n: usize| format!("[[repository]]\nname = \"r{n}\"\npath = \"x\"\n");
    let text: String = (0..=MAX_REPOSITORIES).map(entry).collect();
    let message = read(&text).expect_err("too many").message;
    assert_eq!(message, "org/fleet.toml:1: 10001 repositories are listed, and a fleet has at most 10000");
}

#[test]
fn what_is_added_and_removed_leaves_every_other_byte() {
    let add = |text: &str, places: &[&str]| {
        let additions: Vec<Addition> =
            places.iter().map(|place| Addition { place: (*place).to_owned(), ..Addition::default() }).collect();
        added(text, Path::new(PATH), &additions)
    };
    let text = "# ours\n[[repository]] # the first\nname='a'\npath='x'\nowners = [\n  '@x', # who\n]\n# the end";
    let (new, names) = add(text, &["https://h/shop/api.git", "../web/", "git@h:x/lib"]).expect("a manifest");
    assert_eq!(names, ["shop/api", "web", "x/lib"]);
    let rest = new.strip_prefix(text).expect("the text is there");
    expect![[r#"


        [[repository]]
        name = "shop/api"
        url = "https://h/shop/api.git"

        [[repository]]
        name = "web"
        path = "../web/"

        [[repository]]
        name = "x/lib"
        url = "git@h:x/lib"
    "#]]
    .assert_eq(rest);
    let without = |text: &str, name: &str| removed(text, Path::new(PATH), name);
    let back = ["x/lib", "web", "shop/api"].iter().fold(new.clone(), |text, name| without(&text, name).expect("a manifest"));
    assert_eq!(back, format!("{text}\n"));
    assert_eq!(
        without(&new, "a").expect("a manifest").lines().take(5).collect::<Vec<_>>(),
        ["# ours", "# the end", "", "[[repository]]", "name = \"shop/api\""]
    );
    let next =
        "[[repository]]\nname='a'\npath='x'\nowners = ['@x'] # who\n# see [the wiki]\n[[repository]]\nname='b'\npath='y'\n";
    assert_eq!(without(next, "a").expect("a manifest"), "# see [the wiki]\n[[repository]]\nname='b'\npath='y'\n");
    let message = |result: Result<String>| result.expect_err("a mistake").message;
    assert_eq!(message(without(&new, "b")), "org/fleet.toml lists no repository called `b`; `activate fleet list` names all");
    let inline = "repository = [{name='a', path='x'}, {name='b', path='y'}]\n";
    assert!(message(without(inline, "a")).contains("take it out of org/fleet.toml by hand"));
    let wrong = |places: &[&str]| add(&new, places).expect_err("a mistake").message;
    assert!(wrong(&["https://h/shop/api"]).starts_with("a repository called `shop/api` is there already"));
    assert!(wrong(&["ext::x"]).contains("runs a program of its own"));
    assert!(wrong(&[".."]).starts_with("no name can be made out of `..`"));
}
