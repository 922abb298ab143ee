//! Tests and impact of methods that are called through an interface which many types fulfil.

use super::*;

/// A repository whose `Call.run` so many types fulfil, in one language: the name to ask for, and the files.
fn shops(n_kin: usize) -> [(&'static str, Vec<(&'static str, String)>); 4] {
    let kin = |one: &dyn Fn(usize) -> String| (0..n_kin).map(one).collect::<Vec<_>>().concat();
    let go = kin(&|n| format!("type shop{n} struct{{}}\n\nfunc (s shop{n}) Run() {{ step{n}() }}\n\nfunc step{n}() {{}}\n\n"));
    let rust =
        kin(&|n| format!("pub struct Shop{n};\nimpl Call for Shop{n} {{ fn run(&self) {{ step{n}() }} }}\nfn step{n}() {{}}\n"));
    let script = kin(&|n| {
        format!("function step{n}() {{}}\nexport class Shop{n} implements Call {{\n  run(): void {{ step{n}(); }}\n}}\n")
    });
    let java = kin(&|n| {
        format!("class Shop{n} implements Call {{\n  public void run() {{ step(); }}\n  private static void step() {{}}\n}}\n")
    });
    [
        (
            "shop0.Run",
            vec![
                ("go.mod", "module m\n".to_owned()),
                ("call.go", format!("package m\n\ntype Call interface{{ Run() }}\n\n{go}func use(c Call) {{ c.Run() }}\n")),
                (
                    "call_test.go",
                    "package m\n\nimport \"testing\"\n\nfunc made() Call { return nil }\n\nfunc TestRuns(t *testing.T) { made().Run() }\n\nfunc TestUses(t \
                     *testing.T) { use(made()) }\n"
                        .to_owned(),
                ),
            ],
        ),
        (
            "Shop0.run",
            vec![
                ("Cargo.toml", "[package]\nname = \"m\"\nversion = \"1.0.0\"\nedition = \"2024\"\npublish = false\n".to_owned()),
                (
                    "src/lib.rs",
                    format!(
                        "trait Call {{ fn run(&self); }}\n{rust}fn user(c: &dyn Call) {{ c.run() }}\n#[cfg(test)]\nmod tests {{\n    use super::*;\n    fn \
                         made() -> Box<dyn Call> {{ loop {{}} }}\n    #[test]\n    fn runs() {{ made().run() }}\n    #[test]\n    fn uses() {{ \
                         user(&*made()) }}\n}}\n"
                    ),
                ),
            ],
        ),
        (
            "Shop0.run",
            vec![
                ("package.json", "{\"private\": true, \"devDependencies\": {\"vitest\": \"1\"}}".to_owned()),
                (
                    "call.ts",
                    format!(
                        "export interface Call {{\n  run(): void;\n}}\n{script}export function user(c: Call) {{ c.run(); }}\nexport function made(): Call \
                         {{ return null as any; }}\n"
                    ),
                ),
                (
                    "a.test.ts",
                    "import { it } from \"vitest\";\nimport { made, user } from \"./call\";\nit(\"runs\", () => { made().run(); });\nit(\"uses\", () => { \
                     user(made()); });\n"
                        .to_owned(),
                ),
            ],
        ),
        (
            "Shop0.run",
            vec![
                ("pom.xml", "<project><artifactId>m</artifactId></project>".to_owned()),
                ("src/main/java/m/Call.java", "package m;\n\ninterface Call {\n  void run();\n}\n".to_owned()),
                (
                    "src/main/java/m/Shops.java",
                    format!("package m;\n\n{java}class Shops {{\n  static Call made() {{ return null; }}\n  static void user(Call c) {{ c.run(); }}\n}}\n"),
                ),
                (
                    "src/test/java/m/CallTest.java",
                    "package m;\n\nimport org.junit.Test;\n\npublic class CallTest {\n  @Test public void runs() { Shops.made().run(); }\n\n  @Test public void \
                     uses() { Shops.user(Shops.made()); }\n}\n"
                        .to_owned(),
                ),
            ],
        ),
    ]
}

#[test]
fn tests_that_may_run_any_of_many_are_listed_and_say_so() {
    for (name, files) in shops(6) {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let (_scratch, engine) = with(&files);
        let (of, step) = name.split_once('.').expect("a method");
        let call = format!("Call.{step}");
        let notes =
            [format!("(through {call}, one of 6 that implement it)"), format!(" > {call}, one of 6 that implement {call})")];
        let tests = asked(&engine, &Question::Tests(named(name)), LIMIT);
        let found: Vec<String> = tests.rows.iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 2, "{of}: {found:#?}");
        assert!(found.iter().zip(&notes).all(|(row, note)| row.ends_with(note)), "{of}: {found:#?}");
        assert!(tests.rows.iter().all(|row| row.confidence == Some("ambiguous") && row.one_of == Some(6)), "{found:#?}");
        let impact = asked(&engine, &Question::Impact(named(name)), LIMIT);
        let found: Vec<String> = impact.rows.iter().map(ToString::to_string).collect();
        let of_tests: Vec<&String> = found.iter().filter(|row| row.contains("(test, ")).collect();
        assert_eq!(of_tests.len(), 2, "{of}: {found:#?}");
        assert!(impact.rows.iter().all(|row| row.one_of == Some(6)), "{of}: {found:#?}");
        let is_kin = |row: &String| ["hop1", "step1"].iter().any(|kin| row.contains(kin));
        assert!(!found.iter().any(is_kin), "{found:#?}");
    }
}

#[test]
fn a_test_that_surely_runs_it_comes_first_and_those_of_a_popular_interface_are_bounded() {
    let tests =
        |n: usize| (0..n).map(|n| format!("func TestAny{n}(t *testing.T) {{ made().Run() }}\n\n")).collect::<Vec<_>>().concat();
    let [(name, mut files), ..] = shops(6);
    files[2].1.push_str(&tests(150));
    files[2].1.push_str("func TestSure(t *testing.T) { shop0{}.Run() }\n");
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let (_scratch, engine) = with(&files);
    let answer = asked(&engine, &Question::Tests(named(name)), LIMIT);
    assert_eq!((answer.rows[0].to_string().as_str(), answer.rows.len()), ("call_test.go:310 TestSure", 51));
    let of = |question: fn(String) -> Question| lines(&engine, &question(named(name))).pop().unwrap_or_default();
    assert_eq!(of(Question::Tests), "(incomplete: 103 more users are not listed)");
    assert_eq!(of(Question::Impact), "(incomplete: 103 more users are not listed)");
}

#[test]
fn of_tests_that_may_run_any_of_many_those_that_know_the_type_come_first() {
    let tests =
        |n: usize| (0..n).map(|n| format!("func TestAny{n}(t *testing.T) {{ use(nil) }}\n\n")).collect::<Vec<_>>().concat();
    let [(name, files), ..] = shops(6);
    // Itself, through what makes one, by another method; the file knows the type anyhow.
    for (own, about) in
        [("use(shop0{})", ""), ("use(new0())", "func new0() Call { return shop0{} }\n"), ("of.End(); use(of)", "")]
    {
        let mut files = files.clone();
        files[1].1.extend(["func (s shop0) End() {}\n\nvar of shop0\n\n", about]);
        let others = tests(150) + "func TestTheirs(t *testing.T) { use(shop1{}) }\n\n";
        files[2].1.extend([&others, "func TestOwn(t *testing.T) { ", own, " }\n"]);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let (_scratch, engine) = with(&files);
        for question in [Question::Tests(named(name)), Question::Impact(named(name))] {
            let answer = asked(&engine, &question, LIMIT);
            let rows: Vec<String> = answer.rows.iter().map(ToString::to_string).collect();
            assert!(rows.iter().any(|row| row.contains(" TestOwn ")), "{own}: {rows:#?}");
            assert!(!rows.iter().any(|row| row.contains(" TestTheirs ")), "{own}: {rows:#?}");
            let commands: Vec<String> = answer.commands.iter().map(ToString::to_string).collect();
            assert!(commands.iter().any(|command| command.contains("TestOwn")), "{own}: {commands:#?}");
        }
    }
}
