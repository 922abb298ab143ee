//! Reports over small repositories: what tools wrote in, places out.

use super::*;
use index::fixture::base;
use signals::{Frame, Place};
use std::fmt::Write as _;

const REPOSITORY: &str = "\
//- go.mod
module example.com/shop
//- internal/auth/login.go
package auth

func ValidateToken(token string) error {
	return parse(token)
}

func parse(token string) error { return nil }
//- internal/auth/login_test.go
package auth

import \"testing\"

func TestValidateToken(t *testing.T) {
	t.Run(\"empty token\", func(t *testing.T) { ValidateToken(\"\") })
}
//- internal/store/login_test.go
package store

import \"testing\"

func TestValidateToken(t *testing.T) {}
//- login_test.go
package shop
//- web/src/session.test.ts
describe(\"session\", () => {
  it(\"refuses %s\", () => {});
  it(\"ends\", () => {});
});
describe(\"book\", () => {
  it(\"ends\", () => {});
});
//- web/src/session.ts
export function end(): void {}
//- Cargo.toml
[workspace]
members = [\"crates/*\"]
//- crates/tokens/Cargo.toml
[package]
name = \"tokens\"
//- crates/tokens/src/lib.rs
mod sign;

#[cfg(test)]
mod tests {
    #[test]
    fn verifies() {}
}
//- crates/tokens/src/sign.rs
#[cfg(test)]
mod tests {
    #[test]
    fn verifies() {}
}
//- crates/store/Cargo.toml
[package]
name = \"store\"
//- crates/store/src/lib.rs
#[cfg(test)]
mod tests {
    #[test]
    fn verifies() {}
}
";

pub(super) fn written(base: &FactBase, spot: Option<Spot>) -> String {
    let Some(spot) = spot else { return "nowhere".to_owned() };
    let stale = if spot.is_stale { " stale" } else { "" };
    format!("{}:{} in {}{stale}", base.path(spot.file), spot.line, base.id(spot.node()))
}

#[test]
fn places_are_found_from_the_root_from_folders_and_from_other_machines() {
    let base = base(REPOSITORY);
    let find = |path: &str, folder: &str, line: u32| {
        let place = Place { path: path.to_owned(), folder: folder.to_owned(), line, ..Place::default() };
        let diagnostic = Diagnostic { message: "wrong".to_owned(), place: Some(place), ..Diagnostic::default() };
        let mut report = Report::default();
        report.diagnostics.push(diagnostic);
        written(
            &base,
            Failures::locate(&redact::Masker::knowing_nothing(), &base, "/home/me/shop", "web", &report).diagnostics[0].spot,
        )
    };
    let login = "internal/auth/login.go:4 in internal/auth/login.go#ValidateToken";
    assert_eq!(find("internal/auth/login.go", "", 4), login);
    assert_eq!(find("/home/me/shop/internal/auth/login.go", "", 4), login);
    assert_eq!(find("/build/7/internal/auth/login.go", "", 4), login);
    assert_eq!(find("login.go", "example.com/shop/internal/auth", 4), login);
    assert_eq!(find("./internal/auth/login.go", "example.com/shop/internal/auth", 4), login);
    // The package says which of three files of that name is meant.
    assert_eq!(
        find("login_test.go", "example.com/shop/internal/store", 5).split(':').next(),
        Some("internal/store/login_test.go")
    );
    assert_eq!(find("login_test.go", "", 1), "login_test.go:1 in login_test.go");
    // The folder in which the tool ran.
    assert_eq!(find("src/session.ts", "", 1), "web/src/session.ts:1 in web/src/session.ts#end");
    assert_eq!(find("/home/me/shop/gone.go", "", 4), "nowhere");
    assert_eq!(find("/usr/local/go/src/testing/testing.go", "", 4), "nowhere");
    assert_eq!(find("internal/auth/login.go", "", 99), "internal/auth/login.go:0 in internal/auth/login.go stale");
    assert_eq!(find("../../etc/passwd", "", 1), "nowhere");
    assert_eq!(find("../internal/auth/login.go", "", 4), login);
}

#[test]
fn what_was_written_before_its_file_says_that_lines_may_have_moved() {
    // The files of this repository are of the time 0.
    let base = base(REPOSITORY);
    let mut report = Report::default();
    for (log, written) in [
        ("internal/auth/login.go:4:1: old\ninternal/auth/login.go:99:1: gone\n", Some(-1)),
        ("internal/auth/login.go:5:1: same\ninternal/auth/login.go:4:1: old\n", Some(0)),
        ("internal/auth/login.go:3:1: unknown\n", None),
    ] {
        signals::read(log.as_bytes(), "log", None, &mut report).unwrap();
        if let Some(ns) = written {
            report.written_at(ns);
        }
    }
    let failures = Failures::locate(&redact::Masker::knowing_nothing(), &base, "", "", &report);
    let said = failures.diagnostics.iter().map(|found| {
        let spot = found.spot.unwrap();
        (found.diagnostic.message.as_str(), spot.may_have_moved, spot.is_stale)
    });
    let expected = [("old", true, false), ("gone", false, true), ("same", false, false), ("unknown", false, false)];
    assert_eq!(said.collect::<Vec<_>>(), expected);
}

#[test]
fn of_several_tools_each_says_in_which_folder_it_ran() {
    let base = base(REPOSITORY);
    let find = |ran_in: Option<&str>, path: &str| {
        let place = Place { path: path.to_owned(), line: 1, ran_in: ran_in.map(str::to_owned), ..Place::default() };
        let diagnostic = Diagnostic { message: "wrong".to_owned(), place: Some(place), ..Diagnostic::default() };
        let mut report = Report::default();
        report.diagnostics.push(diagnostic);
        let spot = Failures::locate(&redact::Masker::knowing_nothing(), &base, "", "crates/tokens", &report).diagnostics[0].spot;
        written(&base, spot).split(':').next().unwrap_or_default().to_owned()
    };
    assert_eq!(find(None, "src/lib.rs"), "crates/tokens/src/lib.rs");
    assert_eq!(find(Some("crates/store"), "src/lib.rs"), "crates/store/src/lib.rs");
    assert_eq!(find(Some("crates/store"), "../tokens/src/sign.rs"), "crates/tokens/src/sign.rs");
    assert_eq!(find(Some(""), "Cargo.toml"), "Cargo.toml");
    assert_eq!(find(Some(""), "src/lib.rs"), "nowhere", "two files are called so, and none of them from the root");
}

#[test]
fn names_of_tests_are_found_by_their_parts_their_suite_and_their_place() {
    let base = base(REPOSITORY);
    let find = |name: &str, suite: &str| {
        let result = TestResult { name: name.to_owned(), suite: suite.to_owned(), ..TestResult::default() };
        let mut report = Report::default();
        report.tests.push(result);
        let found = Failures::locate(&redact::Masker::knowing_nothing(), &base, "", "", &report);
        found.tests[0].tests.iter().fold(String::new(), |mut list, test| {
            let _ = write!(list, "{} ", base.id(*test));
            list
        })
    };
    let both = "internal/auth/login_test.go#TestValidateToken internal/store/login_test.go#TestValidateToken ";
    assert_eq!(find("TestValidateToken", ""), both);
    assert_eq!(find("TestValidateToken", "example.com/shop/internal/store"), "internal/store/login_test.go#TestValidateToken ");
    assert_eq!(
        find("TestValidateToken/empty_token", "example.com/shop/internal/auth"),
        "internal/auth/login_test.go#TestValidateToken.empty token "
    );
    assert_eq!(find("session > ends", "web/src/session.test.ts"), "web/src/session.test.ts#session.ends ");
    assert_eq!(find("book > ends", ""), "web/src/session.test.ts#book.ends ");
    // A title with its values is none of the repository's: the block around it is.
    assert_eq!(find("session > refuses blanks", ""), "web/src/session.test.ts#session ");
    assert_eq!(find("sign::tests::verifies", "tokens"), "crates/tokens/src/sign.rs#tests.verifies ");
    assert_eq!(find("tests::verifies", "store"), "crates/store/src/lib.rs#tests.verifies ");
    assert_eq!(find("tests::verifies[a/b::c]", "store"), "crates/store/src/lib.rs#tests.verifies ", "a case of pytest");
    assert_eq!(find("nothing::of::the::kind", ""), "");
    // A case of a table that is called like a subtest elsewhere is none of it.
    assert_eq!(find("TestOther/empty_token", ""), "");
}

#[test]
fn frames_keep_their_number_and_foreign_ones_are_left_out() {
    let base = base(REPOSITORY);
    let frame = |path: &str, line: u32| Frame {
        function: "f".to_owned(),
        place: Some(Place { path: path.to_owned(), line, ..Place::default() }),
        is_built: false,
    };
    let result = TestResult {
        name: "TestValidateToken".to_owned(),
        frames: vec![frame("/usr/local/go/src/runtime/panic.go", 1), frame("/ci/shop/internal/auth/login.go", 7)],
        ..TestResult::default()
    };
    let mut report = Report::default();
    report.tests.push(result);
    let found = Failures::locate(&redact::Masker::knowing_nothing(), &base, "", "", &report);
    let frames: Vec<_> = found.tests[0].frames.iter().map(|(number, spot)| (*number, written(&base, Some(*spot)))).collect();
    assert_eq!(frames, [(1, "internal/auth/login.go:7 in internal/auth/login.go#parse".to_owned())]);
    assert!(found.has_place());
}

#[test]
fn what_several_tools_say_of_a_line_is_said_once() {
    let base = base(REPOSITORY);
    let say = |tool: &str, path: &str, column: u32, message: &str| Diagnostic {
        tool: tool.to_owned(),
        place: Some(Place { path: path.to_owned(), line: 4, column, ..Place::default() }),
        message: message.to_owned(),
        ..Diagnostic::default()
    };
    let mut report = Report::default();
    report.diagnostics = vec![
        say("go build", "internal/auth/login.go", 9, "undefined: parse"),
        say("go vet", "/ci/internal/auth/login.go", 9, "undefined: parse"),
        say("go build", "internal/auth/login.go", 30, "undefined: parse"),
        say("go build", "internal/auth/login.go", 9, "declared and not used"),
    ];
    let found = Failures::locate(&redact::Masker::knowing_nothing(), &base, "", "", &report).diagnostics;
    let tools: Vec<_> = found.iter().map(|found| (found.diagnostic.tool.as_str(), found.diagnostic.message.as_str())).collect();
    let undefined = "undefined: parse";
    assert_eq!(tools, [("go build, go vet", undefined), ("go build", undefined), ("go build", "declared and not used")]);
}

#[test]
fn many_places_among_many_namesakes_are_each_compared_with_few() {
    const N_FILES: usize = 1_000;
    const N_PLACES: usize = 2_500;
    /// Sorting the files and some searches in what is sorted for each place; comparing each place with each file is 2,500,000.
    const MOST: usize = 400_000;
    let files: String = (0..N_FILES).fold(String::new(), |mut files, n| {
        let _ = writeln!(files, "//- src/part{n}/index.ts");
        files
    });
    let base = base(&files);
    let mut report = Report::default();
    report.diagnostics.extend((0..N_PLACES).map(|n| {
        // From another machine: the second half has no file, the first has one for each.
        let path = format!("/build/{n}/deep/down/below/src/part{}/index.ts", if n < N_FILES { n } else { n + N_FILES });
        let place = Place { path, line: 1, ..Place::default() };
        Diagnostic { message: format!("wrong {n}"), place: Some(place), ..Diagnostic::default() }
    }));
    let (found, n_compared) = work::done_by(|| {
        Failures::locate(&redact::Masker::knowing_nothing(), &base, "/home/me/shop", "web", &report).diagnostics
    });
    let n_found = found.iter().filter(|found| found.spot.is_some()).count();
    assert_eq!((found.len(), n_found), (N_PLACES, N_FILES));
    assert_eq!(written(&base, found[7].spot).split(':').next(), Some("src/part7/index.ts"));
    assert!((N_PLACES..MOST).contains(&(n_compared as usize)), "{n_compared}");
}

#[test]
fn a_report_none_of_whose_files_is_here_is_said_to_be_of_another_project() {
    let base = base(REPOSITORY);
    let said = |texts: &[(&str, &str)]| {
        let mut report = Report::default();
        for (name, text) in texts {
            signals::read(text.as_bytes(), name, None, &mut report).unwrap();
        }
        let problem = Failures::locate(&redact::Masker::knowing_nothing(), &base, "/home/me/shop", "", &report).strange(&report);
        problem.map(|problem| problem.message).unwrap_or_default()
    };
    let other = "other/x.go:3:4: undefined: y\nother/z.go:3:4: undefined: y\nother/z.go:5:4: undefined: z\n";
    let is_other = "is in this repository: is it a log of another project?";
    assert_eq!(said(&[("`a.log`", other)]), format!("none of the 2 files named in `a.log` {is_other}"));
    let test = "--- FAIL: TestOther (0.00s)\n    other_test.go:3: no\nFAIL\texample.com/other\t0.1s\n";
    assert_eq!(
        said(&[("`a.log`", other), ("`b.log`", test)]),
        format!("none of the 3 files named in `a.log`, `b.log` {is_other}")
    );
    // One file may have been made by the build, and what lies below the root is of it, read or not.
    assert_eq!(said(&[("`b.log`", test)]), "");
    assert_eq!(said(&[("`a.log`", &format!("{other}/home/me/shop/gen/x.go:3:4: undefined: y\n"))]), "");
    // What was installed is of no project, and absolute paths may be of a machine where this one lies elsewhere.
    let installed = "/usr/local/go/src/fmt/print.go:3:4: x\n/home/me/.cargo/registry/src/a/lib.rs:3:4: error: x\nweb/node_modules/a/index.js:3:4: error: x\n";
    assert_eq!(said(&[("`a.log`", installed)]), "");
    assert_eq!(said(&[("`a.log`", "/ci/gen/x.go:3:4: undefined: y\n/ci/gen/z.go:3:4: undefined: y\n")]), "");
    assert_eq!(
        said(&[("`a.log`", &format!("{installed}/ci/gen/x.go:3:4: undefined: y\n{other}"))]),
        format!("none of the 3 files named in `a.log` {is_other}")
    );
    // One file that is here, or that several could be, or a test by its name, is enough; and so is nothing that names a file.
    let here = "internal/auth/login.go:4:9: undefined: parse\n";
    let several = "lib.rs:4:9: error: x\n";
    let known = "--- FAIL: TestValidateToken (0.00s)\n    other_test.go:3: no\nFAIL\texample.com/shop/internal/auth\t0.1s\n";
    for text in [here, several, known] {
        assert_eq!(said(&[("`a.log`", other), ("`b.log`", text)]), "", "{text}");
    }
    assert_eq!(said(&[("`a.log`", "error: linking with `cc` failed: exit status: 1\n")]), "");
}

const PUBLISHED: &str = "\
//- relay/go.mod
module example.com/parcels/relay
//- relay/relay.go
package relay

type Relay struct{}

func (r *Relay) Forward() { forward() }

func forward() {}
//- relay/map.go
package relay

type Map struct{}

func (m *Map) Next() {}
//- codec/Cargo.toml
[package]
name = \"parcel-codec\"
//- codec/src/reader.rs
pub struct FrameReader;

impl FrameReader {
    pub fn take_body(&self) {}
}

pub fn take_body() {}
//- watch/package.json
{\"name\": \"@parcels/watch\"}
//- watch/src/watcher.ts
export class ParcelWatcher {
  applyUpdate(): void {}
  scheduleReconnect(): void {}
  close(): void {}
}
//- watch/src/format.ts
export function formatSince(): void {}
export function close(): void {}
//- watch/src/format.test.ts
function formatSince() {}
//- web/src/login.ts
export function parseToken(): void {
  return;
}

export function validateToken(): void {}
//- tariff/parcel_tariff/__init__.py
//- tariff/parcel_tariff/price.py
x = 1
def price_of(): pass
//- tariff/parcel_tariff/towns/__init__.py
//- tariff/parcel_tariff/towns/list.py
y = 1
";

/// Where the first error of a trace is.
fn spot_of(base: &FactBase, trace: &str) -> String {
    let mut report = Report::default();
    signals::read(trace.as_bytes(), "trace", None, &mut report).unwrap();
    let found = Failures::locate(&redact::Masker::knowing_nothing(), base, "/srv/parcels", "", &report);
    let spot = found.diagnostics.first().and_then(|found| found.spot);
    let guess = if spot.is_some_and(|spot| spot.is_guess) { "guess " } else { "" };
    format!("{guess}{}", written(base, spot))
}

#[test]
fn frames_of_built_and_published_code_lead_to_the_definitions_of_their_names() {
    let base = base(PUBLISHED);
    let find = |trace: &str| spot_of(&base, trace);
    let go =
        |function: &str, path: &str| find(&format!("panic: x\n\ngoroutine 1 [running]:\n{function}(0x1)\n\t{path}:99 +0x1\n"));
    let relay = "/home/dana/go/pkg/mod/example.com/parcels/relay@v1.2.3";
    let forward = "guess relay/relay.go:5 in relay/relay.go#Relay.Forward";
    assert_eq!(go("example.com/parcels/relay.(*Relay).Forward", &format!("{relay}/relay.go")), forward);
    assert_eq!(go("example.com/parcels/relay.(*Relay).Forward.func1.2", &format!("{relay}/relay.go")), forward);
    assert_eq!(
        go("example.com/parcels/relay.(*Relay).forward", &format!("{relay}/relay.go")),
        "guess relay/relay.go:0 in relay/relay.go"
    );
    assert_eq!(go("example.com/parcels/relay.(*Map[...]).Next", &format!("{relay}/gone/map.go")), "nowhere");
    assert_eq!(
        go("example.com/other/relay.(*Relay).Forward", "/home/dana/go/pkg/mod/example.com/other/relay@v1.2.3/relay.go"),
        "nowhere"
    );

    let registry = "/home/dana/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f";
    let rust = |package: &str, function: &str| {
        let path = format!("{registry}/{package}/src/reader.rs:57:32");
        find(&format!("thread 'main' panicked at {path}:\nx\nstack backtrace:\n   4: {function}\n             at {path}\n"))
    };
    assert_eq!(
        rust("parcel-codec-0.4.1", "parcel_codec::reader::FrameReader::take_body::{{closure}}"),
        "guess codec/src/reader.rs:4 in codec/src/reader.rs#FrameReader.take_body"
    );
    assert_eq!(
        rust("parcel-codec-0.4.1", "parcel_codec::reader::take_body"),
        "guess codec/src/reader.rs:7 in codec/src/reader.rs#take_body"
    );
    assert_eq!(rust("parcel-codec-0.4.1", "parcel_codec::reader::gone"), "guess codec/src/reader.rs:0 in codec/src/reader.rs");
    assert_eq!(rust("parcel-0.4.1", "parcel::reader::take_body"), "nowhere");

    let script = |frame: &str| find(&format!("Uncaught TypeError: x\n    at {frame}\n"));
    let npm = "file:///home/kim/shop/node_modules/@parcels/watch/dist/index.js:412:31";
    let update = "guess watch/src/watcher.ts:2 in watch/src/watcher.ts#ParcelWatcher.applyUpdate";
    assert_eq!(script(&format!("ParcelWatcher.applyUpdate ({npm})")), update);
    assert_eq!(script(&format!("async Object.applyUpdate [as update] ({npm})")), update);
    assert_eq!(script(&format!("Socket.applyUpdate ({npm})")), "nowhere");
    assert_eq!(script(&format!("close ({npm})")), "nowhere");
    let watcher = "guess watch/src/watcher.ts:1 in watch/src/watcher.ts#ParcelWatcher";
    assert_eq!(script(&format!("new ParcelWatcher ({npm})")), watcher);
    assert_eq!(script(&format!("ParcelWatcher.<anonymous> ({npm})")), watcher);
    assert_eq!(
        script("formatSince (webpack://shop/./node_modules/@parcels/watch/dist/index.js?:88:19)"),
        "guess watch/src/format.ts:1 in watch/src/format.ts#formatSince"
    );
    assert_eq!(
        script("e.scheduleReconnect (https://cdn.example.com/assets/vendor-4f2a91c0.js:1:48213)"),
        "guess watch/src/watcher.ts:3 in watch/src/watcher.ts#ParcelWatcher.scheduleReconnect"
    );
    assert_eq!(script("formatSince (/app/node_modules/other/dist/index.js:1:2)"), "nowhere");
    assert_eq!(script("e (https://cdn.example.com/assets/vendor-4f2a91c0.js:1:48213)"), "nowhere");

    let served = |function: &str, line: u32| script(&format!("{function} (http://localhost:5173/src/login.ts?t=17:{line}:11)"));
    assert_eq!(served("parseToken", 2), "web/src/login.ts:2 in web/src/login.ts#parseToken");
    assert_eq!(served("validateToken", 2), "guess web/src/login.ts:5 in web/src/login.ts#validateToken");

    let called = |path: &str, function: &str| {
        find(&format!("Traceback (most recent call last):\n  File \"{path}\", line 41, in {function}\nTypeError: x\n"))
    };
    let python = |path: &str| called(path, "f");
    let packages = "/usr/lib/python3.11/site-packages";
    assert_eq!(
        python(&format!("{packages}/parcel_tariff/price.py")),
        "guess tariff/parcel_tariff/price.py:0 in tariff/parcel_tariff/price.py"
    );
    assert_eq!(
        called(&format!("{packages}/parcel_tariff/price.py"), "price_of"),
        "guess tariff/parcel_tariff/price.py:2 in tariff/parcel_tariff/price.py#price_of"
    );
    assert_eq!(python(&format!("{packages}/towns/list.py")), "nowhere");
    assert_eq!(python(&format!("{packages}/django/price.py")), "nowhere");
    assert_eq!(python("/app/parcel_tariff/price.py"), "tariff/parcel_tariff/price.py:0 in tariff/parcel_tariff/price.py stale");
}

#[test]
fn an_error_in_a_library_is_where_the_repository_calls_it() {
    let base = base(PUBLISHED);
    let find = |report: &str| spot_of(&base, report);
    let packages = "/usr/lib/python3.11/site-packages/yaml";
    assert_eq!(
        find(&format!(
            "Traceback (most recent call last):\n  File \"/app/run.py\", line 3, in <module>\n    main()\n  File \
             \"/app/tariff/parcel_tariff/price.py\", line 2, in price_of\n    load()\n  File \"{packages}/loader.py\", line 88, in load\n    get()\n  \
             File \"{packages}/reader.py\", line 11, in get\n    raise ReaderError(1)\nyaml.reader.ReaderError: 1\n"
        )),
        "tariff/parcel_tariff/price.py:2 in tariff/parcel_tariff/price.py#price_of"
    );
    let modules = "/home/dana/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go";
    assert_eq!(
        find(&format!(
            "panic: x\n\ngoroutine 1 [running]:\ngopkg.in/yaml%2ev3.(*Decoder).Decode(0x0)\n\t{modules}:125 +0x1a\n\
             gopkg.in/yaml%2ev3.Unmarshal(0x0)\n\t{modules}:89 +0x1a\nexample.com/parcels/relay.(*Relay).Forward(0x0)\n\t/src/relay/relay.go:5 \
             +0x55\nmain.main()\n\t/src/cmd/main.go:12 +0x1f\n"
        )),
        "relay/relay.go:5 in relay/relay.go#Relay.Forward"
    );
    let registry = "/home/dana/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/serde_yaml-0.9.1/src/de.rs";
    assert_eq!(
        find(&format!(
            "thread 'main' panicked at {registry}:57:32:\nx\nstack backtrace:\n   0: rust_begin_unwind\n             at \
             /rustc/abc/library/std/src/panicking.rs:647:5\n   1: serde_yaml::de::next\n             at {registry}:57:32\n   2: \
             parcel_codec::reader::take_body\n             at ./codec/src/reader.rs:7:9\n"
        )),
        "codec/src/reader.rs:7 in codec/src/reader.rs#take_body"
    );
}
