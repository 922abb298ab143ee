//! One run in two formats: JSON and `JUnit` give the same failures, as far as both hold them.

use super::report;
use crate::{Report, Status, TestResult};

/// A text of the corpus.
macro_rules! real {
    ($name:literal) => {
        include_str!(concat!("../../../corpus/signals/", $name))
    };
}

/// What is compared of a failure: who ran it, its suite and name, where it failed, and why.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Failed {
    runner: String,
    suite: String,
    name: String,
    place: String,
    message: String,
    frames: Vec<String>,
}

/// A path from the root of the project: one format writes it whole, the other from there.
fn path(path: &str) -> String {
    ["/home/dev/broken-ts/", "/r/"].iter().fold(path.to_owned(), |path, root| path.replace(root, ""))
}

fn failed(test: &TestResult) -> Failed {
    let place = |place: &crate::Place| format!("{}:{}:{} in {}", path(&place.path), place.line, place.column, place.folder);
    Failed {
        runner: test.runner.clone(),
        suite: path(&test.suite),
        // Where a title ends is not always said.
        name: path(&test.name).replace(" > ", " "),
        place: test.place.as_ref().map(place).unwrap_or_default(),
        message: path(&test.message),
        frames: test.frames.iter().map(|frame| format!("{} {:?}", frame.function, frame.place.as_ref().map(place))).collect(),
    }
}

fn failures(report: &Report) -> Vec<Failed> {
    let mut failures: Vec<Failed> = report.tests.iter().filter(|test| test.status == Status::Failed).map(failed).collect();
    failures.sort();
    assert!(report.unreadable.is_empty() && report.silent.is_empty(), "{report:?}");
    failures
}

/// The failures of a run in both formats, without those that only one can hold.
fn both(json: &str, junit: &str, only: &[&str]) -> [Vec<Failed>; 2] {
    [json, junit].map(|text| {
        let mut failures = failures(&report(text));
        assert!(!failures.is_empty(), "{text}");
        failures.retain(|failed| !only.contains(&failed.name.as_str()));
        failures
    })
}

#[test]
fn a_real_run_fails_alike_in_json_and_junit() {
    // Packages that are not built: JSON has what the compiler said of them, and JUnit that they failed.
    let unbuilt = ["example.com/stall/internal/receipt", "example.com/stall/internal/report"];
    let [json, junit] = both(real!("go-test.jsonl"), real!("gotestsum.junit.xml"), &unbuilt);
    assert_eq!(json, junit);
    let all = failures(&report(real!("gotestsum.junit.xml")));
    let of = all.iter().filter(|failed| failed.message == "build failed").map(|failed| failed.name.as_str());
    assert!(of.eq(unbuilt), "{all:?}");
    let errors = report(real!("go-test.jsonl")).diagnostics;
    let folders = errors.iter().filter_map(|error| error.place.as_ref()).map(|place| place.folder.as_str());
    assert!(folders.clone().all(|folder| unbuilt.contains(&folder)), "{errors:?}");

    for (json, junit) in [
        (real!("nextest.jsonl"), real!("nextest.junit.xml")),
        (real!("libtest.jsonl"), real!("libtest.junit.xml")),
        // JUnit of jest has no file that could not be run, unless it is told to.
        (real!("jest.json"), real!("jest.junit.xml")),
    ] {
        let [json, junit] = both(json, junit, &["server/labels.test.js"]);
        assert_eq!(json, junit);
    }

    // JSON of vitest has a message without what differs, and of a file that could not be run neither a place nor the kind of error.
    let [json, junit] = both(real!("vitest.json"), real!("vitest.junit.xml"), &[]);
    assert_eq!(json.len(), junit.len());
    for (json, junit) in json.into_iter().zip(junit) {
        assert!(junit.message.contains(&json.message), "{json:?} {junit:?}");
        let is_whole_file = json.name == json.suite;
        let as_json = if is_whole_file {
            Failed { message: json.message.clone(), place: json.place.clone(), frames: Vec::new(), ..junit }
        } else {
            Failed { message: json.message.clone(), ..junit }
        };
        assert_eq!(json, as_json);
    }
}

/// Adds a part to a text.
fn add(text: &mut String, part: &str) {
    text.push_str(part);
}

/// A text in an XML document.
fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&#34;").replace('\n', "&#xA;").replace('\t', "&#x9;")
}

/// A package of Go: its name, what it wrote itself, whether it failed, and its tests with what they wrote and how they ended.
type GoPackage<'a> = (&'a str, &'a str, bool, &'a [(&'a str, &'a str, &'a str)]);

/// A run of Go as `go test -json` writes it, and as gotestsum does.
fn go(packages: &[GoPackage<'_>]) -> [String; 2] {
    let (mut json, mut junit) = (String::new(), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned());
    for (package, own, is_failed, tests) in packages {
        let mut event = |action: &str, test: &str, output: &str| {
            let mut event = serde_json::json!({"Time": "2026-11-22T01:02:15Z", "Action": action, "Package": package});
            if !test.is_empty() {
                event["Test"] = test.into();
            }
            if action == "output" {
                event["Output"] = output.into();
            }
            json += &(event.to_string() + "\n");
        };
        add(
            &mut junit,
            &format!(
                "\t<testsuite tests=\"1\" name=\"{package}\">\n\t\t<properties>\n\t\t\t<property name=\"go.version\" value=\"go1.27.3\"></property>\n\t\t</properties>\n"
            ),
        );
        event("start", "", "");
        for (name, output, end) in *tests {
            event("run", name, "");
            output.split_inclusive('\n').for_each(|line| event("output", name, line));
            if !end.is_empty() {
                event(end, name, "");
            }
            let inner = match *end {
                "pass" => String::new(),
                "skip" => format!("<skipped message=\"{}\"></skipped>", xml(output)),
                _ => format!("<failure message=\"Failed\" type=\"\">{}</failure>", xml(output)),
            };
            add(&mut junit, &format!("\t\t<testcase classname=\"{package}\" name=\"{name}\" time=\"0.1\">{inner}</testcase>\n"));
        }
        own.split_inclusive('\n').for_each(|line| event("output", "", line));
        event(if *is_failed { "fail" } else { "pass" }, "", "");
        if *is_failed && tests.iter().all(|(.., end)| ["pass", "skip"].contains(end)) {
            add(
                &mut junit,
                &format!(
                    "\t\t<testcase classname=\"{package}\" name=\"TestMain\" time=\"0\"><failure message=\"Failed\" type=\"\">{}</failure></testcase>\n",
                    xml(own)
                ),
            );
        }
        junit += "\t</testsuite>\n";
    }
    [json, junit + "</testsuites>\n"]
}

#[test]
fn what_ends_a_package_of_go_fails_alike() {
    let timeout = "=== RUN   TestSlow\npanic: test timed out after 1s\n\trunning tests:\n\t\tTestSlow (1s)\n\ngoroutine 8 [running]:\n\
                   testing.(*M).startAlarm.func1()\n\t/usr/local/go/src/testing/testing.go:2682 +0x345\n\ngoroutine 7 [sleep]:\n\
                   time.Sleep(0x2540be400)\n\t/usr/local/go/src/runtime/time.go:363 +0x165\nexample.com/a/slow.TestSlow(0xc000003c00)\n\
                   \t/r/slow/slow_test.go:9 +0x1d\n";
    let packages: [GoPackage<'_>; 5] = [
        ("example.com/a/db", "db is not there\nFAIL\texample.com/a/db\t0.004s\n", true, &[]),
        (
            "example.com/a/mute",
            "FAIL\texample.com/a/mute\t0.004s\n",
            true,
            &[("TestOne", "=== RUN   TestOne\n--- PASS: TestOne (0.00s)\n", "pass")],
        ),
        ("example.com/a/slow", "FAIL\texample.com/a/slow\t1.004s\n", true, &[("TestSlow", timeout, "")]),
        (
            "example.com/a/sub",
            "FAIL\nFAIL\texample.com/a/sub\t0.004s\n",
            true,
            &[
                (
                    "TestA/x",
                    "=== RUN   TestA/x\n    a_test.go:7: <one> & \"two\"\n        three\n    --- FAIL: TestA/x (0.00s)\n",
                    "fail",
                ),
                ("TestA/y", "=== RUN   TestA/y\n    a_test.go:9: not here\n    --- SKIP: TestA/y (0.00s)\n", "skip"),
                ("TestA", "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n", "fail"),
                ("TestB", "=== RUN   TestB\n--- FAIL: TestB (0.00s)\n", "fail"),
            ],
        ),
        (
            "example.com/a/fine",
            "ok  \texample.com/a/fine\t0.004s\n",
            false,
            &[("TestF", "=== RUN   TestF\n--- PASS: TestF (0.00s)\n", "pass")],
        ),
    ];
    let [json, junit] = go(&packages);
    let [json, junit] = both(&json, &junit, &[]);
    assert_eq!(json, junit);
    let names: Vec<&str> = json.iter().map(|failed| failed.name.as_str()).collect();
    assert_eq!(names, ["example.com/a/db", "example.com/a/mute", "TestSlow", "TestA/x", "TestB"]);
    assert!(json.iter().all(|failed| failed.name == "TestB" || !failed.message.is_empty()), "{json:?}");
}

/// A run of jest: files with their message, and their tests with the titles around them, their own, and why they failed.
type JestFile<'a> = (&'a str, &'a str, &'a [(&'a [&'a str], &'a str, &'a [&'a str])]);

/// A run of jest or vitest as JSON.
fn jest_json(of_jest: bool, files: &[JestFile<'_>]) -> String {
    let file = |(name, message, tests): &JestFile<'_>| {
        let test = |(around, title, messages): &(&[&str], &str, &[&str])| {
            let full = around.iter().chain([title]).copied().collect::<Vec<_>>().join(" ");
            let status = if messages.is_empty() { "passed" } else { "failed" };
            serde_json::json!({"ancestorTitles": around, "title": title, "fullName": full, "status": status, "failureMessages": messages})
        };
        let tests: Vec<serde_json::Value> = tests.iter().map(test).collect();
        let failed = !message.is_empty() || tests.iter().any(|test| test["status"] == "failed");
        let status = if failed { "failed" } else { "passed" };
        serde_json::json!({"name": format!("/r/{name}"), "message": message, "status": status, "assertionResults": tests})
    };
    let files: Vec<serde_json::Value> = files.iter().map(file).collect();
    let mut run = serde_json::json!({"numTotalTests": 3, "numFailedTests": 1, "success": false, "testResults": files});
    if of_jest {
        run["numRuntimeErrorTestSuites"] = 1.into();
    }
    run.to_string()
}

/// The same as jest-junit writes it, with the titles of a test together or apart, and with what could not be run.
fn jest_junit(is_apart: bool, files: &[JestFile<'_>]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"jest tests\" tests=\"3\">\n".to_owned();
    for (file, message, tests) in files {
        add(
            &mut text,
            &format!("  <testsuite name=\"{}\" errors=\"0\">\n", tests.first().map_or("undefined", |(around, ..)| around[0])),
        );
        if !message.is_empty() {
            let error = xml(message);
            add(
                &mut text,
                &format!(
                    "    <testcase classname=\" undefined\" name=\" undefined\" time=\"0\" file=\"{file}\">\n      <error>{error}</error>\n    </testcase>\n"
                ),
            );
        }
        for (around, title, messages) in *tests {
            let around = around.join(if is_apart { " › " } else { " " });
            let whole = format!("{around} {title}");
            let (class, name) = if is_apart { (around.as_str(), *title) } else { (whole.as_str(), whole.as_str()) };
            let failures: String = messages
                .iter()
                .map(|message| format!("      <failure>{}</failure>\n", xml(message)))
                .collect::<Vec<_>>()
                .concat();
            let (class, name) = (xml(class), xml(name));
            add(
                &mut text,
                &format!(
                    "    <testcase classname=\"{class}\" name=\"{name}\" time=\"0\" file=\"{file}\">\n{failures}    </testcase>\n"
                ),
            );
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// The same as vitest writes it.
fn vitest_junit(files: &[JestFile<'_>]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<testsuites name=\"vitest tests\" tests=\"3\">\n".to_owned();
    for (file, _, tests) in files {
        add(&mut text, &format!("    <testsuite name=\"{file}\" timestamp=\"2026-11-22T01:02:33.000Z\" hostname=\"dev\">\n"));
        for (around, title, messages) in *tests {
            let name = xml(&around.iter().chain([title]).copied().collect::<Vec<_>>().join(" > "));
            add(&mut text, &format!("        <testcase classname=\"{file}\" name=\"{name}\" time=\"0.01\">\n"));
            for message in *messages {
                let (first, kind) = (message.lines().next().unwrap_or_default(), message.split(':').next().unwrap_or_default());
                let first = xml(first.split_once(": ").map_or(first, |(_, first)| first));
                add(
                    &mut text,
                    &format!(
                        "            <failure message=\"{first}\" type=\"{kind}\">\n{}\n            </failure>\n",
                        xml(message)
                    ),
                );
            }
            text += "        </testcase>\n";
        }
        text += "    </testsuite>\n";
    }
    text + "</testsuites>\n"
}

#[test]
fn each_failure_of_a_test_of_jest_or_vitest_is_told_alike() {
    let first =
        "Error: expect(received).toBe(expected)\n\nExpected: 1\nReceived: <2>\n    at Object.toBe (/r/src/a.test.js:4:15)";
    let second = "TypeError: db.close is not a function\n    at close (/r/src/db.js:9:3)\n    at Object.<anonymous> (/r/src/a.test.js:9:6)";
    let broken = "  ● Test suite failed to run\n\n    Cannot find module './none' from 'src/b.test.js'\n\n      at Resolver._throw (node_modules/jest-resolve/build/index.js:863:11)\n      at Object.require (src/b.test.js:1:1)\n";
    let tests: &[(&[&str], &str, &[&str])] = &[
        (&["tokens", "when empty"], "are \"refused\" > early", &[first, second]),
        (&["tokens"], "are read", &[]),
        (&["tokens"], "are closed", &[second]),
    ];
    let files: [JestFile<'_>; 2] = [("src/a.test.js", "", tests), ("src/b.test.js", broken, &[])];
    let json = jest_json(true, &files);
    for is_apart in [false, true] {
        let junit = jest_junit(is_apart, &files);
        let [json, junit] = both(&json, &junit, &[]);
        assert_eq!(json, junit, "apart: {is_apart}");
        assert_eq!(json.len(), 3);
    }
    // Told apart, titles are those of JSON to the letter.
    let names = |text: &str| -> Vec<String> { report(text).failed().map(|test| path(&test.name)).collect() };
    assert_eq!(names(&json), names(&jest_junit(true, &files)));
    let files: [JestFile<'_>; 1] = [("src/a.test.js", "", tests)];
    let [json, junit] = both(&jest_json(false, &files), &vitest_junit(&files), &[]);
    assert_eq!(json, junit);
    assert_eq!(json[1].message.matches("db.close is not a function").count(), 1, "{json:?}");
}
