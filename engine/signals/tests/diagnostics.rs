//! Diagnostics of compilers and linters.

use super::{report, written};
use expect_test::expect_file;

/// Texts of real tools, by their names in the corpus.
macro_rules! corpus {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../corpus/signals/", $name)))),*]
    };
}

pub(super) const DIAGNOSTICS: &[(&str, &str)] = corpus![
    "cargo-check.jsonl",
    "clippy.jsonl",
    "cargo-check.txt",
    "go-build.jsonl",
    "go-build.txt",
    "go-vet.json",
    "go-vet.txt",
    "generic.txt",
    "golangci-lint.json",
    "tsc.txt",
    "tsc-pretty.txt",
    "eslint.json",
    "eslint.sarif",
    "clippy.sarif",
    "lsp.json",
    "lsp.jsonl",
    "mypy.txt",
    "ruff.sarif",
    "ruff.txt",
    "flake8.txt",
    "javac.txt",
    "maven.txt",
    "maven-quiet.txt",
    "gradle-compile.txt",
];

#[test]
fn the_outputs_of_real_tools_are_read_whole() {
    for (name, text) in DIAGNOSTICS {
        expect_file![format!("{name}.read")].assert_eq(&written(&report(text)));
    }
}

/// Reads texts and compares what was read.
fn each(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(written(&report(text)), *expected, "{text}");
    }
}

#[test]
fn lines_with_a_place_are_messages_only_if_they_say_so() {
    each(&[
        ("a/b.py:3: error: no such name  [name-defined]\n", "error name-defined at a/b.py:3:0: no such name\n"),
        ("b.py:1:8: F401 [*] `os` imported but unused\n", "error F401 at b.py:1:8: `os` imported but unused\n"),
        (
            "b.py:1:0: C0114: Missing docstring (missing-docstring)\n",
            "error C0114 at b.py:1:0: Missing docstring (missing-docstring)\n",
        ),
        ("a.go:4:2: this value is never used (SA4006)\n", "error SA4006 at a.go:4:2: this value is never used\n"),
        (
            "run.sh:3:1: note: quote this [SC2086]\nrun.sh:4:1: note: and this [SC2086]\n",
            "note SC2086 at run.sh:3:1: quote this\nnote SC2086 at run.sh:4:1: and this\n",
        ),
        ("a.yml:1:1: [warning] missing start (document-start)\n", "warning document-start at a.yml:1:1: missing start\n"),
        ("src/a.rs:3:5: error[E0425]: cannot find value\n", "error E0425 at src/a.rs:3:5: cannot find value\n"),
        ("C:\\src\\a.c:3:4: fatal error: no file\n", "error at C:/src/a.c:3:4: no file\n"),
        ("file:///home/dev/a%20b.css:3:4: warning: odd\n", "warning at /home/dev/a b.css:3:4: odd\n"),
        ("./x/a.py:3:1-5: shadowed\n", "error at x/a.py:3:1: shadowed\n"),
        (
            "a.cc:1:2: warning: hides it [-Wshadow]\n  int x;\n      ^\na.h:7:3: note: what is hidden\nother\n",
            "warning -Wshadow at a.cc:1:2: hides it\n  + at a.h:7:3: what is hidden\n",
        ),
        (
            "src/A.hs:4:5: error: [GHC-88464]\n    Not in scope: x\n  |\nother\n  not this\n",
            "error GHC-88464 at src/A.hs:4:5: Not in scope: x\n",
        ),
        ("main.go:12: listening\nconfig.go:12: cache is cold (EOF)\n", "silent: text\n"),
        (
            "a.md:3: trailing space (no-trailing-spaces)\na.go:4: unused (SA4006)\na.go:5: unused [lint]\n",
            "error no-trailing-spaces at a.md:3:0: trailing space\nerror SA4006 at a.go:4:0: unused\nerror lint at a.go:5:0: unused\n",
        ),
        (
            "12:30:45: late\nlocalhost:80:1: x\nhttp://a.example/x:80:1: x\nsee a.c:1:2: error: x\n  a.c:1:2: error: x\n",
            "silent: text\n",
        ),
        ("std::x:1:2: error: x\n:1:2: error: x\na.c:: error: x\na.c:99999999999:1: error: x\na.c:1:2:\n", "silent: text\n"),
    ]);
}

#[test]
fn messages_of_rustc_need_what_only_rustc_writes() {
    each(&[
        ("error: Unknown option '--x'\nusage: tool\nwarning: careful\n\nnote: a note\n", "silent: text\n"),
        (
            "    Updating crates.io index\nerror: no matching package named `x` found\nrequired by package `y`\n\nother\nerror: of a script\n",
            "error rustc: no matching package named `x` found\n  +: required by package `y`\n",
        ),
        (
            "error: failed to parse manifest at `/w/Cargo.toml`\n\nCaused by:\n  no targets\n  add some\n\n",
            "error rustc: failed to parse manifest at `/w/Cargo.toml`\n  +: no targets\n  +: add some\n",
        ),
        (
            "error: linking with `cc` failed: exit status: 1\n  |\n  = note: undefined reference\n          to `x`\n",
            "error rustc: linking with `cc` failed: exit status: 1\n  +: undefined reference\n      > to `x`\n",
        ),
        (
            "error: assertion failed\n  --> /rustc/9fc6b431/library/core/src/x.rs:9:5\n   |\n  ::: src/main.rs:4:5\n   |\n4  |     x!();\n   |     ---- in this macro invocation\n",
            "error rustc at src/main.rs:4:5: assertion failed\n  +: in this macro invocation\n",
        ),
        (
            "error[E0308]: mismatched types\n --> a.rs:1:1\nnote: required here\n --> b.rs:2:2\n  |\n2 | fn f() {}\n  |    ^\nerror: aborting due to 1 previous error\n",
            "error rustc E0308 at a.rs:1:1: mismatched types\n  + at b.rs:2:2: required here\n",
        ),
        (
            "warning: unneeded\n --> a.rs:1:1\n  |\n  = help: for further information visit https://rust-lang.github.io/rust-clippy/rust-1.95.0/index.html#needless_return\n",
            "warning clippy clippy::needless_return at a.rs:1:1: unneeded\n",
        ),
    ]);
}

#[test]
fn messages_of_cargo_are_those_of_the_repository() {
    let event = |message: &str| format!("{{\"reason\":\"compiler-message\",\"message\":{message}}}\n");
    let inner = r#"{"file_name":"/rustc/1/library/std/src/macros.rs","line_start":9,"line_end":9,"column_start":5,"is_primary":true,"label":null,
        "expansion":{"macro_decl_name":"println!","span":{"file_name":"src/log.rs","line_start":2,"column_start":3,"line_end":2,
        "expansion":{"macro_decl_name":"log!","span":{"file_name":"src/main.rs","line_start":7,"column_start":1,"line_end":8}}}}}"#;
    let spans = format!(r#"{{"level":"error","message":"bad argument","code":null,"spans":[{inner}]}}"#).replace('\n', "");
    let lenient = r#"{"level":7,"message":"odd","code":"E1","spans":[null,3,{"is_primary":true,"file_name":"a.rs","line_start":"4"}],"children":{}}"#;
    each(&[
        (&event(&spans), "error rustc at src/main.rs:7:1 to 8: bad argument\n"),
        (&event(lenient), "error rustc at a.rs:4:0: odd\n"),
        (&event("null"), "left out: 1\n"),
        ("{\"reason\":\"build-finished\",\"success\":true}\n", ""),
        (
            "{\"$message_type\":\"diagnostic\",\"message\":\"unused\",\"level\":\"warning\",\"code\":{\"code\":\"dead_code\"}}\n",
            "warning rustc dead_code: unused\n",
        ),
        (
            "{\"reason\":\"compiler-message\",\"message\":{\"level\":\"err",
            "unreadable: text line 1 column 52: the JSON ends too early; what stands before is kept\n",
        ),
    ]);
}

#[test]
fn messages_of_go_keep_their_package() {
    each(&[
        (
            "# a.example/m/b_test [a.example/m/b.test]\nb/b_test.go:3:4: not enough arguments\n\thave (int)\n\twant (int, int)\nb/x.go:5:6: f redeclared in this block\n\tb/y.go:7:6: other declaration of f\nb/x.go:9:1: too many errors\n",
            "error go build at b/b_test.go:3:4 in a.example/m/b: not enough arguments\n  +: have (int)\n  +: want (int, int)\nerror go build at b/x.go:5:6 in a.example/m/b: f redeclared in this block\n  + at b/y.go:7:6: other declaration of f\n",
        ),
        (
            "# a.example/m\nruntime.main_main·f: function main is undeclared in the main package\n",
            "error go build: a.example/m: runtime.main_main·f: function main is undeclared in the main package\n",
        ),
        (
            "# a.example/m\n./add_amd64.s:3: unrecognized instruction \"FOO\"\nasm: assembly of ./add_amd64.s failed\n# a.example/m/b\nb/b.go:5: undefined: Q\nb/b.go:9: too many errors\n",
            "error go build at add_amd64.s:3:0 in a.example/m: unrecognized instruction \"FOO\"\nerror go build: a.example/m: asm: assembly of ./add_amd64.s failed\nerror go build at b/b.go:5:0 in a.example/m/b: undefined: Q\n",
        ),
        ("# title\nmain.c:3:4: error: x\n# two words\nplain text\n", "error at main.c:3:4: x\n"),
        (
            "main.go:4:2: no required module provides package a.example/x; to add it:\n\tgo get a.example/x\n",
            "error go at main.go:4:2: no required module provides package a.example/x; to add it:\n  +: go get a.example/x\n",
        ),
        (
            "go: downloading a.example/x v1.0.0\ngo: errors parsing go.mod:\ngo.mod:5: unknown directive: x\n",
            "error go: errors parsing go.mod:\nerror go at go.mod:5:0: unknown directive: x\n",
        ),
        (
            "package a.example/m\n\timports a.example/m/a from m.go\n\timports a.example/m from a.go: import cycle not allowed\n",
            "error go: a.example/m: import cycle not allowed\n  +: imports a.example/m/a from m.go\n  +: imports a.example/m from a.go: import cycle not allowed\n",
        ),
        (
            "{\"ImportPath\":\"m\",\"Action\":\"build-output\",\"Output\":\"# m\\n./a.go:1:2: un\"}\n{\"ImportPath\":\"m\",\"Action\":\"build-output\",\"Output\":\"defined: x\"}\n",
            "error go build at a.go:1:2 in m: undefined: x\n",
        ),
        (
            "{\n\t\"m\": {\n\t\t\"printf\": [\n\t\t\t{\n\t\t\t\t\"posn\": \"/w/a.go:1:2\",\n\t\t\t\t\"message\": \"bad\"\n\t\t\t},\n\t\t\t{\n# next\na.go:1:2: x\n",
            "error go vet printf at /w/a.go:1:2 in m: bad\nerror go build at a.go:1:2 in next: x\nunreadable: text line 8 column 4: the JSON ends too early; what stands before is kept\n",
        ),
        (
            "{\"m\":{\"printf\":[{\"posn\":\"a.go:1:2\",\"message\":\"bad\"}],\"asm\":{\"error\":\"x\"}}}\n{\n  \"name\": \"not of vet\"\n}\n",
            "error go vet printf at a.go:1:2 in m: bad\nerror go vet asm: the analyzer failed: x\n",
        ),
    ]);
}

#[test]
fn what_go_does_and_headings_of_others_are_no_faults() {
    each(&[
        // Logs name lines too.
        (
            "# title\n./main.go:3: started\n# a.example/run.sh\nmain.go:12: started\nfast.s:3: loaded\nasm: assembly of x is slow\n./main.go:3: started\nasm: assembly of ./x.s failed\n",
            "silent: text\n",
        ),
        ("# utils.merge\nok 1 should merge\n# a/b\nnot ok 2 x: y\n# example.com/a\n{}\n", "silent: text\n"),
        (
            "# github.com/mattn/go-sqlite3\nsqlite3-binding.c: In function 'f':\n# runtime/cgo\nld: warning: ignoring duplicate libraries: '-lm'\n",
            "silent: text\n",
        ),
        (
            "# example.com/app\n/usr/local/go/pkg/tool/linux_amd64/link: running gcc failed: exit status 1\n/usr/bin/ld: x\n",
            "error go build: example.com/app: /usr/local/go/pkg/tool/linux_amd64/link: running gcc failed: exit status 1\n",
        ),
        (
            "go: no module dependencies to download\ngo: a.example/x@v1.0.0 requires go >= 1.23.0; switching to go1.23.6\ngo: module a.example/y is deprecated: use z\n",
            "silent: text\n",
        ),
        (
            "go: a.example/x@v1.0.0 requires go >= 1.23.0 (running go 1.22.1; GOTOOLCHAIN=local)\ngo: a.example/x@v1.0.0: verifying module: checksum mismatch\n",
            "error go: a.example/x@v1.0.0 requires go >= 1.23.0 (running go 1.22.1; GOTOOLCHAIN=local)\nerror go: a.example/x@v1.0.0: verifying module: checksum mismatch\n",
        ),
    ]);
}

#[test]
fn messages_of_tsc_end_where_others_begin() {
    each(&[
        (
            "error TS18003: No inputs were found in 'tsconfig.json'.\n",
            "error tsc TS18003: No inputs were found in 'tsconfig.json'.\n",
        ),
        (
            "a.ts(1,2): error TS1: x\n  because\n    of y\nDone\n  not this\n",
            "error tsc TS1 at a.ts:1:2: x\n  +: because\n  +: of y\n",
        ),
        ("a.cpp(12): error C2065: 'x': undeclared [C:\\w\\a.vcxproj]\n", "error C2065 at a.cpp:12:0: 'x': undeclared\n"),
        ("f(1,2): error TS1: x\na.ts(x): error TS1: x\na.ts(1,2): error: x\nx error X1: y\n", "silent: text\n"),
    ]);
}

#[test]
fn documents_say_what_their_fields_mean() {
    let sarif = |run: &str| format!("{{\"version\":\"2.1.0\",\"runs\":[{{{run}}}]}}");
    let rules = r#""tool":{"driver":{"name":"Q","rules":[{"id":"q/a","defaultConfiguration":{"level":"error"},"messageStrings":{"m":{"text":"{0} of {1}"}}}]},
        "extensions":[{"rules":[{"id":"q/b","defaultConfiguration":{"level":"note"}}]}]}"#;
    let results = r#""results":[
        {"ruleIndex":0,"message":{"id":"m","arguments":["x","y"]}},
        {"ruleId":"q/a/sub","message":{"text":"by group"}},
        {"rule":{"id":"q/b"},"message":{"text":"by extension"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a%20b.c","uriBaseId":"SUB"},
            "region":{"startLine":3,"startColumn":4,"endLine":5}}}]},
        {"ruleId":"z","message":{"text":"by default"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:/w/x.c"}}}]},
        {"ruleId":"z","kind":"open","message":{"text":"to be looked at"}},
        {"ruleId":"z","kind":"pass","message":{"text":"not this"}},
        {"ruleId":"z","suppressions":[{"kind":"inSource"}],"message":{"text":"not this"}},
        {"ruleId":"z","suppressions":[{"status":"rejected"}],"message":{"text":"still there"}},
        {"ruleId":"z","baselineState":"absent","message":{"text":"not this"}},
        null, 7]"#;
    let bases = r#""originalUriBaseIds":{"ROOT":{"uri":"file:///w/"},"SUB":{"uri":"sub/","uriBaseId":"ROOT"}}"#;
    let read = "error Q q/a: x of y\nerror Q q/a/sub: by group\nnote Q q/b at a b.c:3:4 to 5 in /w/sub: by extension\nwarning Q z at /w/x.c:0:0: by default\nnote Q z: to be looked at\nwarning Q z: still there\nleft out: 2\n";
    each(&[
        (&sarif(&[rules, bases, results].join(",")), read),
        (&sarif(&[results, bases, rules].join(",")), read),
        ("{\"runs\":[{\"tool\":3,\"results\":{}},null]}", "silent: text\n"),
        ("{\"version\":\"2.1.0\",\"runs\":[{\"tool\":3,\"results\":{}},null]}", ""),
    ]);
    let file = r#"[{"messages":[{"ruleId":"a","severity":1,"message":"first","line":1,"column":2},{"ruleId":null,"severity":"2","message":"second","line":null}],"filePath":"C:\\w\\a.js"}]"#;
    each(&[
        (file, "warning eslint a at C:/w/a.js:1:2: first\nerror eslint at C:/w/a.js:0:0: second\n"),
        ("[]\n", "silent: text\n"),
        ("[{\"filePath\":\"a.js\",\"messages\":[]}]\n", ""),
    ]);
    let issue = r#"{"Report":{"Error":"timed out"},"Issues":[{"FromLinter":"x","Text":"t","Severity":"warning","Pos":{"Filename":"a.go","Line":2},"Replacement":{"NewLines":["y"]}},{"Text":"u"}]}"#;
    each(&[
        (
            issue,
            "error golangci-lint: timed out\nwarning golangci-lint x at a.go:2:0: t\n  +: help: `y`\nerror golangci-lint: u\n",
        ),
        ("{\"Issues\":null,\"Report\":{}}\n0 issues.\n", ""),
    ]);
}

#[test]
fn what_a_server_published_last_is_what_holds() {
    let message = |uri: &str, words: &str| {
        let items = words.split_whitespace().map(|word| {
            format!(r#"{{"range":{{"start":{{"line":1,"character":2}},"end":{{"line":3,"character":0}}}},"severity":2,"message":"{word}"}}"#)
        });
        let items = items.collect::<Vec<_>>().join(",");
        format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{{"uri":"{uri}","diagnostics":[{items}]}}}}"#
        )
    };
    let messages = [
        message("file:///w/a.rs", "one two"),
        message("file:///w/b.rs", "three"),
        message("file:///w/a.rs", "four"),
        message("file:///w/b.rs", ""),
    ];
    let other = r#"{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}"#;
    let read = "warning lsp at /w/a.rs:2:3 to 3: four\n";
    let wire = messages.iter().map(|message| format!("Content-Length: {}\r\n\r\n{message}", message.len()));
    let wire = wire.collect::<Vec<_>>().concat();
    each(&[
        (&messages.join("\n"), read),
        (&format!("{other}\n{}\n{other}\n", messages.join(&format!("\n{other}\n"))), read),
        (&format!("[{}]", messages.join(",\n")), read),
        (&wire, read),
        (
            r#"{"uri":"file:///w/a.rs","diagnostics":[{"message":"bare","code":{"value":"X1","target":"x"},"source":"clippy"}]}"#,
            "error clippy X1 at /w/a.rs:1:1: bare\n",
        ),
        (
            &messages[1].replace("]}}", ""),
            "warning lsp at /w/b.rs:2:3 to 3: three\nunreadable: text line 1 column 214: the JSON ends too early; what stands before is kept\n",
        ),
    ]);
}

#[test]
fn messages_of_javac_are_known_in_its_own_form_and_in_that_of_maven() {
    each(&[
        (
            "A.java:3: error: no suitable method found for f(int)\n\tf(1);\n\t^\n    method A.f(String) is not applicable\n      (argument mismatch)\n1 error\n",
            "error javac at A.java:3:2: no suitable method found for f(int)\n  +: method A.f(String) is not applicable\n  +: (argument mismatch)\n",
        ),
        (
            "    [javac] /home/dev/a b/src/A.java:3: warning: [unchecked] unchecked cast\n    [javac]   (T) x\n    [javac]       ^\n    [javac] 1 warning\n",
            "warning javac unchecked at /home/dev/a b/src/A.java:3:7: unchecked cast\n",
        ),
        (
            "C:\\src\\A.java:3: error: ';' expected\nNote: Some input files use unchecked operations.\n",
            "error javac at C:/src/A.java:3:0: ';' expected\n",
        ),
        ("see A.java:3: for error: x\n.java:3: error: x\nA.java:x: error: y\n", "silent: text\n"),
        (
            "[ERROR] /C:/src/A.java:[3,8] error: class B is public, should be declared in a file named B.java\n",
            "error javac at C:/src/A.java:3:8: class B is public, should be declared in a file named B.java\n",
        ),
        (
            "2026-03-02T08:14:07.1234567Z ##[error] /home/dev/A.java:[3,8] cannot find symbol\nError:  /home/dev/B.java:[4,8] ';' expected\n",
            "error javac at /home/dev/A.java:3:8: cannot find symbol\nerror javac at /home/dev/B.java:4:8: ';' expected\n",
        ),
        (
            "[WARNING] src/A.java:[3,5] (blocks) NeedBraces: 'if' must use braces.\n[WARN] /home/dev/src/A.java:4:5: Missing a comment. [MissingComment]\n[INFO] src/A.java:[5,1] (x) Y: z\n",
            "warning checkstyle NeedBraces at src/A.java:3:5: 'if' must use braces.\nwarning checkstyle MissingComment at /home/dev/src/A.java:4:5: Missing a comment.\n",
        ),
        (
            "[ERROR] Failed to execute goal on project hall: Could not resolve dependencies for project a:hall:jar:1: gone -> [Help 1]\n[ERROR] Failed to execute goal a:b:1:test (default-test) on project hall: There are test failures.\n",
            "error maven: Failed to execute goal on project hall: Could not resolve dependencies for project a:hall:jar:1: gone\n",
        ),
        (
            "[FATAL] Non-parseable POM /home/dev/hall/pom.xml: Unrecognised tag: 'x' (position: START_TAG seen ...) @ line 5, column 3\n",
            "error maven at /home/dev/hall/pom.xml:5:0: Non-parseable POM /home/dev/hall/pom.xml: Unrecognised tag: 'x' (position: START_TAG seen ...) @ line 5, column 3\n",
        ),
    ]);
}
