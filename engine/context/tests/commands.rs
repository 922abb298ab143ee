//! By which commands tests are run, and why each is.

use super::fixture::{Fixture, Scene, strings};
use super::under;
use crate::SessionContext;
use crate::activation::{Reason, Role};
use signals::Severity;

const GO: &str = "\
package m

func parse() {}
func check() { parse() }
func Validate() { check() }
func unused() {}
";

const GO_TESTS: &str = "\
package m

func TestParse(t *testing.T) { parse() }
func TestValidate(t *testing.T) {
	t.Run(\"empty token\", func(t *testing.T) { Validate() })
}
";

/// What is said of a task that names `target`, with these tests active.
fn context(fixture: &Fixture, target: &str, tests: &[(&str, Reason)]) -> SessionContext {
    let mut scene = Scene::new(fixture, "fix it");
    scene.add(target, 100_000, Role::Target, Reason::Named("named in the intent".to_owned()));
    for (test, reason) in tests {
        scene.add(test, 80_000, Role::Test, reason.clone());
    }
    scene.context(80_000)
}

/// The lines under the heading.
fn lines(fixture: &Fixture, target: &str, tests: &[(&str, Reason)]) -> Vec<String> {
    let context = context(fixture, target, tests);
    let lines = under(&context, "TESTS TO RUN:");
    // The last line, which says how complete the list is, is tested with the lists.
    let commands = lines.into_iter().filter_map(|line| line.strip_prefix("  - ").map(str::to_owned));
    commands.filter(|line| !line.is_empty()).collect()
}

#[test]
fn a_test_says_how_it_reaches_what_the_task_names() {
    let fixture = Fixture::new(&[("go.mod", "module m\n"), ("a.go", GO), ("a_test.go", GO_TESTS)]);
    let tests = |subject: &str| Reason::Tests(fixture.node(subject));
    assert_eq!(
        lines(&fixture, "a.go#parse", &[("a_test.go#TestParse", tests("a.go#parse"))]),
        ["go test . -run '^TestParse$' (tests parse)"]
    );
    assert_eq!(
        lines(&fixture, "a.go#parse", &[("a_test.go#TestValidate.empty token", tests("a.go#Validate"))]),
        ["go test . -run '^(TestParse|TestValidate)$' (tests parse)"]
    );
    assert_eq!(
        lines(&fixture, "a.go#check", &[("a_test.go#TestValidate.empty token", tests("a.go#Validate"))]),
        ["go test . -run '^TestValidate$/^empty_token$' (reaches check through Validate)"]
    );
    // What nothing activates is looked for.
    assert_eq!(
        lines(&fixture, "a.go#check", &[]),
        ["go test . -run '^TestValidate$/^empty_token$' (reaches check through Validate)"]
    );
    assert_eq!(lines(&fixture, "a.go", &[]), ["go test . (named after a.go)"]);
    // The first words of a long reason stand in the line, all of them beside it.
    let unused = context(&fixture, "a.go#unused", &[]);
    let line = under(&unused, "TESTS TO RUN:")[0];
    assert!(line.starts_with("  - go test . (same package as unused"), "{line}");
    assert!(line.rsplit_once(" (").unwrap().1.split(' ').count() <= 8, "{line}");
    let mut items = unused.sections.iter().flat_map(|section| &section.items).map(|item| &item.about);
    let reason = items.find(|about| about.kind == "test_command").and_then(|about| about.reason.clone());
    assert_eq!(reason.unwrap().as_str(), "same package as unused, which no test is known to reach");
}

#[test]
fn the_closest_tests_come_first() {
    let other = "package n\n\nimport \"m\"\n\nfunc TestFar(t *testing.T) { m.Validate() }\n";
    let near = "package o\n\nimport \"m\"\n\nfunc TestNear(t *testing.T) { m.Check() }\n";
    let code = "package m\n\nfunc parse() {}\nfunc Check() { parse() }\nfunc Validate() { Check() }\n";
    let fixture = Fixture::new(&[
        ("go.mod", "module m\n"),
        ("a.go", code),
        ("a_test.go", "package m\n\nfunc TestParse(t *testing.T) { parse() }\nfunc TestBeside(t *testing.T) {}\n"),
        ("n/n_test.go", other),
        ("o/o_test.go", near),
    ]);
    let active = |test: &'static str| (test, Reason::Tests(fixture.node("a.go#parse")));
    let tests = ["a_test.go#TestBeside", "n/n_test.go#TestFar", "o/o_test.go#TestNear", "a_test.go#TestParse"].map(active);
    assert_eq!(
        lines(&fixture, "a.go#parse", &tests),
        [
            "go test . -run '^(TestParse|TestBeside)$' (tests parse)",
            "go test ./o -run '^TestNear$' (reaches parse through Check)",
            "go test ./n -run '^TestFar$' (reaches parse through Validate > Check)"
        ]
    );
}

#[test]
fn tests_for_android_have_no_command_and_say_so() {
    let fixture = Fixture::new(&[
        ("app/build.gradle", "plugins { id 'com.android.application' }\n"),
        ("app/src/main/java/a/Seat.java", "package a;\n\npublic class Seat {\n    public int row() { return 1; }\n}\n"),
        (
            "app/src/test/java/a/SeatTest.java",
            "package a;\n\nclass SeatTest {\n    @Test\n    void row() { new Seat().row(); }\n}\n",
        ),
    ]);
    assert_eq!(
        lines(&fixture, "app/src/main/java/a/Seat.java#Seat.row", &[]),
        [
            "SeatTest.row in app/src/test/java/a/SeatTest.java (no command, since it is built for Android, where each build variant has test \
          tasks of its own; tests Seat.row)"
        ]
    );
}

#[test]
fn where_no_command_is_known_it_is_said_why() {
    let fixture = Fixture::new(&[("vendor.mod", "module m\n"), ("a.go", GO), ("a_test.go", GO_TESTS)]);
    assert_eq!(
        lines(&fixture, "a.go#parse", &[]),
        ["TestParse, TestValidate.empty token in a_test.go (no command without a go.mod above it; tests parse)"]
    );
    let unused = lines(&fixture, "a.go#unused", &[]).concat();
    assert!(unused.starts_with("a_test.go (no command without a go.mod above it; same package as unused"), "{unused}");
}

#[test]
fn tests_with_one_runner_share_a_command() {
    let many = (0..8).map(|n| format!("#[test]\nfn works_{n}() {{}}\n")).collect::<Vec<_>>().concat();
    let title = "describe(\"login\", () => {\n  it(\"isn't (empty)\", () => {});\n  it(\"ends\", () => {});\n});\n";
    let fixture = Fixture::new(&[
        ("go.mod", "module m\n"),
        ("a.go", GO),
        ("a_test.go", GO_TESTS),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("src/lib.rs", "mod many;\n#[test]\nfn works() {}\n"),
        ("src/many.rs", &many),
        ("web/package.json", r#"{"devDependencies": {"vitest": "3"}}"#),
        ("web/x.test.ts", title),
    ]);
    let failing = |tests: &[&str]| {
        let tests: Vec<(&str, Reason)> = tests.iter().map(|test| (*test, Reason::Failure(Severity::Error))).collect();
        lines(&fixture, "a.go#parse", &tests)
    };
    let of = |prefix: &str, names: &[&str]| names.iter().map(|name| format!("{prefix}{name}")).collect::<Vec<_>>();
    let go = "go test . -run '^(TestParse|TestValidate)$' (fails now)";
    assert_eq!(failing(&["a_test.go#TestParse", "a_test.go#TestValidate.empty token"]), [go]);
    let rust = failing(&["src/lib.rs#works", "src/many.rs#works_0", "src/many.rs#works_1"]);
    assert_eq!(rust[0], "cargo test -p a --lib -- --exact works many::works_0 many::works_1 (fails now)");
    // Too many to be named: their file.
    let names = of("src/many.rs#works_", &["0", "1", "2", "3", "4", "5", "6", "7"]);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(failing(&names)[0], "cargo test -p a --lib -- many:: (fails now)");
    let script = failing(&["web/x.test.ts#login.isn't (empty)", "web/x.test.ts#login.ends"]);
    assert_eq!(script[0], r"cd web && npx vitest run x.test.ts -t '^login isn'\''t \(empty\)$|^login ends$' (fails now)");
}

#[test]
fn a_test_that_cannot_be_named_is_run_with_its_file_and_one_without_a_runner_is_named() {
    let title = "it.skip(\"later\", () => {});\nit(\"now\", () => {});\n";
    let fixture = Fixture::new(&[
        ("a.go", GO),
        ("a_test.go", GO_TESTS),
        ("web/package.json", r#"{"devDependencies": {"vitest": "3"}}"#),
        ("web/x.test.ts", title),
        ("old/package.json", r#"{"scripts": {"test": "node --test"}}"#),
        ("old/x.test.ts", title),
    ]);
    assert_eq!(
        lines(&fixture, "a.go#parse", &[("web/x.test.ts#later", Reason::Failure(Severity::Error))]),
        [
            "cd web && npx vitest run x.test.ts (fails now)",
            "TestParse, TestValidate.empty token in a_test.go (no command without a go.mod above it; tests parse)"
        ]
    );
    assert_eq!(
        lines(&fixture, "a.go#parse", &[("old/x.test.ts#now", Reason::Failure(Severity::Error))])[0],
        "cd old && npm test (fails now)"
    );
    assert_eq!(
        lines(&fixture, "a.go#parse", &[("a_test.go#TestParse", Reason::Failure(Severity::Error))]),
        ["TestParse in a_test.go (no command without a go.mod above it; fails now)"]
    );
}

#[test]
fn a_failing_test_comes_first_by_its_name() {
    let fixture = Fixture::new(&[("go.mod", "module m\n"), ("a.go", GO), ("a_test.go", GO_TESTS)]);
    let mut scene = Scene::new(&fixture, "fix it");
    scene.state.failing_tests = strings(&["TestValidate/empty_token"]);
    assert_eq!(under(&scene.context(80_000), "TESTS TO RUN:"), ["  - go test . -run '^TestValidate$/^empty_token$' (fails now)"]);
}

#[test]
fn a_pasted_test_comes_first_by_its_name_and_tests_that_share_words_do_not_come() {
    let many = (0..8).map(|n| format!("func TestOther{n}(t *testing.T) {{ parse() }}\n")).collect::<Vec<_>>().concat();
    let named = format!("package m\n\n{many}\nfunc TestParse(t *testing.T) {{\n\tparse()\n}}\n");
    let line = named.lines().position(|line| line == "\tparse()").expect("the call") + 1;
    let made = "macro_rules! check { ($name:ident) => { #[test] fn $name() {} } }\ncheck!(r128);\n";
    let fixture = Fixture::new(&[
        ("go.mod", "module m\n"),
        ("a.go", GO),
        ("a_test.go", &named),
        ("n/n_test.go", "package n\n\n// equal, not equal\nfunc TestEqual(t *testing.T) { equal() }\n"),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("tests/all/main.rs", "mod regression;\n"),
        ("tests/all/regression.rs", made),
    ]);
    let of = |intent: &str| -> Vec<String> {
        let context = Scene::new(&fixture, intent).real_context();
        under(&context, "TESTS TO RUN:").into_iter().map(str::to_owned).collect()
    };
    let go = of(&format!("--- FAIL: TestParse (0.00s)\n    a_test.go:{line}: not equal"));
    assert!(go[0].starts_with("  - go test . -run '^TestParse$' ("), "{go:?}");
    assert!(!go.iter().any(|line| line.contains("go test ./n")), "{go:?}");
    let rust =
        of("---- regression::r128 stdout ----\nthread 'regression::r128' panicked at tests/all/regression.rs:2:1:\nnot equal");
    assert!(rust[0].starts_with("  - cargo test -p a --test all -- --exact regression::r128 ("), "{rust:?}");
    assert!(!rust.iter().any(|line| line.contains("go test ./n")), "{rust:?}");
    // A name that the file does not have is not a test of it.
    let other =
        of("---- regression::r129 stdout ----\nthread 'regression::r129' panicked at tests/all/regression.rs:2:1:\nnot equal");
    assert!(other[0].starts_with("  - cargo test -p a --test all -- regression:: ("), "{other:?}");
}

#[test]
fn tests_of_all_overloads_count_and_those_of_an_interface_say_so() {
    let kin =
        (0..6).map(|n| format!("class Shop{n} implements Call {{ public void run() {{}} }}\n")).collect::<Vec<_>>().concat();
    let shops = format!("package m;\n\n{kin}");
    let fixture = Fixture::new(&[
        ("pom.xml", "<project><artifactId>m</artifactId></project>"),
        (
            "src/main/java/m/Price.java",
            "package m;\n\nclass Price {\n  static Price of() { return null; }\n  static Price of(int n) { return null; }\n}\n",
        ),
        ("src/main/java/m/Call.java", "package m;\n\ninterface Call {\n  void run();\n}\n"),
        ("src/main/java/m/Shops.java", &shops),
        (
            "src/test/java/m/PriceTest.java",
            "package m;\n\nclass PriceTest {\n  private Price price;\n\n  @Before public void setUp() { price = Price.of(1); }\n\n  @Test public void adds() {}\n}\n",
        ),
        (
            "src/test/java/m/CallTest.java",
            "package m;\n\nclass CallTest {\n  private Call call;\n\n  @Test public void runs() { call.run(); }\n}\n",
        ),
    ]);
    let of = |intent: &str| -> String {
        let context = Scene::new(&fixture, intent).real_context();
        under(&context, "TESTS TO RUN:").first().copied().unwrap_or_default().to_owned()
    };
    let of_overloads = of("fix Price.of");
    assert!(of_overloads.starts_with("  - mvn -q test -Dtest='m.PriceTest"), "{of_overloads}");
    assert!(of_overloads.ends_with(" (reaches Price.of through PriceTest.setUp)"), "{of_overloads}");
    let of_interface = of("fix Shop0.run");
    assert!(of_interface.starts_with("  - mvn -q test -Dtest='m.CallTest"), "{of_interface}");
    assert!(of_interface.ends_with(" (calls Call.run, which 6 implement)"), "{of_interface}");
}
