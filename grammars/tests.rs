//! Every language folder loads, in our reader of queries and in tree-sitter's own; and a file costs no more than its length.

use crate::facts::Limit;
use crate::facts::{Expr, ImportKind, SiteKind};
use crate::project::ProjectRules;
use crate::scope::ScopeRules;
use crate::shown::show;
use crate::{LANGUAGES, Language, QueryFile, Reading, extract, typescript};
use std::sync::OnceLock;

#[test]
fn every_query_file_loads_for_every_ending() {
    for language in LANGUAGES {
        language.check().unwrap_or_else(|message| panic!("{}: {message}", language.name));
    }
}

#[test]
fn a_role_that_its_form_does_not_read_is_refused() {
    let grammar = tree_sitter_go::LANGUAGE.into();
    let load = |text| crate::table::Table::load(&grammar, [("go/x.scm", text)].iter()).map(|_| ());
    assert_eq!(load("(field_declaration name: (_) @name type: (_)? @type) @def.field"), Ok(()));
    assert_eq!(
        load("; a comment\n(field_declaration name: (_) @name type: (_) @value\n  tag: (_)? @alias) @def.field"),
        Err("go/x.scm:3: @def.field does not read @alias: take the capture away or choose another form; the roles that it reads are \
             @name, @type, @value, @visibility"
            .to_owned())
    );
    let error = load("(comment (_) @name) @zone.comment").expect_err("a comment has no name");
    assert!(error.ends_with("the roles that it reads are none"), "{error}");
}

/// A language with the grammar of TypeScript, for what none of the languages has.
fn made_up(reading: Reading, queries: &'static [QueryFile]) -> Language {
    let base = &typescript::LANGUAGE;
    let ProjectRules { is_manifest, runs_by, vendored_in, load } = base.project;
    Language {
        name: "made-up",
        extensions: &["ts"],
        grammar: base.grammar,
        dialect: base.dialect,
        queries,
        dialect_queries: [&[]; 2],
        is_test_path: |_| false,
        is_bench_path: |_| false,
        has_tests_within: false,
        reading,
        scope: ScopeRules::PLAIN,
        project: ProjectRules { is_manifest, runs_by, vendored_in, load },
        select_tests: base.select_tests,
        measure: None,
        test_flag: None,
        tables: [const { OnceLock::new() }; 2],
    }
}

#[test]
fn classes_and_imports_can_name_what_has_no_node_of_its_own() {
    let queries = "(identifier) @expr.name (class_declaration name: (_) @name (class_heritage)? @bound body: (_) @body) @def.type \
                   (import_statement (import_clause)? @name source: (_) @path) @import.from";
    let language = made_up(Reading::PLAIN, Box::leak(Box::new([("made-up/all.scm", queries)])));
    let facts = extract(&language, "a.ts", b"import a from './m'\nclass A extends B { }").facts;
    let supers: Vec<String> = facts.supers.iter().map(|each| show(&facts, each.of)).collect();
    assert_eq!((supers, facts.sites.len(), facts.sites[0].kind), (vec!["B".to_owned()], 1, SiteKind::Type));
    let text = |name| facts.names.get(name);
    let imports: Vec<_> = facts.imports.iter().map(|import| (text(import.path[0]), import.item.map(text), import.kind)).collect();
    assert_eq!(imports, [("./m", Some("a"), ImportKind::Item)]);
}

#[test]
fn an_ordinary_name_can_mean_the_instance() {
    let language = made_up(Reading { this_names: &["me"], ..Reading::PLAIN }, typescript::LANGUAGE.queries);
    let source = "class A { m(me, x) { x(); me.go(); inner((y) => me.y()) } }\nfunction f(me) { me.free() }";
    let facts = extract(&language, "a.ts", source.as_bytes()).facts;
    let members = facts.sites.iter().filter(|site| matches!(facts.exprs[site.expr.0 as usize], Expr::Member(..)));
    let members: Vec<String> = members.map(|site| show(&facts, site.expr)).collect();
    assert_eq!(members, ["this(A).go", "this(A).y", "this(file).free"]);
    let method = facts.symbols.iter().find(|symbol| facts.names.get(symbol.name) == "m").expect("the method");
    assert_eq!(method.parameters.len, 1, "the instance is no parameter");
}

#[test]
fn every_query_file_is_a_query_of_tree_sitter() {
    for language in LANGUAGES {
        for extension in language.extensions {
            let grammar = (language.grammar)(extension);
            for (file, text) in language.query_files((language.dialect)(extension)) {
                if let Err(error) = tree_sitter::Query::new(&grammar, text) {
                    panic!("{file} with .{extension}: {error}");
                }
            }
        }
    }
}

#[test]
fn marks_of_running_a_program_count_outside_comments_and_cost_no_more_than_their_number() {
    let go = LANGUAGES.iter().find(|language| language.name == "go").expect("Go");
    let runs = |text: &str| extract(go, "a.go", text.as_bytes()).facts.runs_program;
    let code = "package a\n\n// testscript.\nfunc f() {\n\ttestscript.Run() // testscript.\n}\n";
    assert!(runs(code));
    assert!(!runs(&code.replace("testscript.Run()", "g()")));
    assert!(runs(&format!("{code}// testscript.")));
    // Each mark against each comment would be 100,000,000 comparisons.
    let n = 10_000;
    let (found, n_compared) = work::done_by(|| runs(&format!("package a\n{}", "// testscript.\n".repeat(n))));
    assert!(!found && (n..n * 20).contains(&(n_compared as usize)), "{n_compared}");
}

#[test]
fn a_file_of_too_many_words_and_signs_or_definitions_is_read_as_text() {
    let (_, go) = crate::language_of("a.go").expect("a language");
    let limit = |text: &str| crate::extract(go, "a.go", text.as_bytes()).facts.limit;
    let many = |part: &str, n: usize| format!("package a\n{}", part.repeat(n));
    assert_eq!(limit(&many(";", 600_000)), Some(crate::facts::Limit::Size));
    assert_eq!(limit(&many("const a = 1\n", 60_000)), Some(crate::facts::Limit::Size));
    // Comments and literals are words too, and a megabyte of them is parsed.
    assert_eq!(limit(&many("// a comment of some length, as people write them\n", 20_000)), None);
    assert_eq!(limit(&many("const a = 1\n", 4_000)), None);
}

#[test]
fn what_is_bound_again_and_again_is_looked_through_so_far_back() {
    let go = LANGUAGES.iter().find(|language| language.name == "go").expect("Go");
    let source = |n: usize| format!("package a\n\nfunc x() {{}}\n\nfunc f() {{\n{}}}\n", "x:=x.y\n".repeat(n));
    let n_passed = |n: usize| work::done_by(|| extract(go, "a.go", source(n).as_bytes())).1;
    // Each use against each binding would be four times as much.
    let (once, twice) = (n_passed(4_000), n_passed(8_000));
    assert!(once > 4_000 && twice <= once * 5 / 2, "{once}, then {twice}");
}

#[test]
fn patterns_around_patterns_in_tokens_of_a_macro_are_read_once() {
    let rust = LANGUAGES.iter().find(|language| language.name == "rust").expect("Rust");
    let names = (0..1_000).map(|n| format!("a{n}")).collect::<Vec<_>>().join(" ");
    for (opens, closes) in [("(", ") => y "), ("for (", ") in y "), ("let (", ") = y "), ("|(", ")| y ")] {
        let source = |depth: usize| format!("fn f() {{ m!{{ {}{names}{} }} }}", opens.repeat(depth), closes.repeat(depth));
        // Each pattern with all that stands in it would be a hundred times the text.
        let (text, once) = (source(100), work::done_by(|| extract(rust, "a.rs", source(1).as_bytes())).1);
        let (extracted, n_read) = work::done_by(|| extract(rust, "a.rs", text.as_bytes()));
        assert_eq!(extracted.facts.limit, None, "{opens}");
        assert!(once > names.len() as u64 && n_read < text.len() as u64 * 2, "{opens}: {once}, then {n_read}");
    }
}

#[test]
fn strings_that_never_close_are_given_up_after_so_many_readings() {
    let rust = LANGUAGES.iter().find(|language| language.name == "rust").expect("Rust");
    let source = format!("fn foo() {{\n{}", "r#\"".repeat(40_000));
    assert_eq!(extract(rust, "a.rs", source.as_bytes()).facts.limit, Some(Limit::Work));
    // One of them is read to the end and no more.
    let source = format!("fn foo() {{}}\nfn open() {{ r#\"{}", "a".repeat(200_000));
    let facts = extract(rust, "a.rs", source.as_bytes()).facts;
    assert_eq!((facts.limit, facts.symbols.is_empty()), (None, false));
}
