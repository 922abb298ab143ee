//! The fact base of each repository of the corpus against what is true of it: every link that must be there, and none that is wrong.
//!
//! The rules of comparison stand in `corpus/README.md`. A gap that is known is asserted as it is, so that closing it shows as well.

use crate::cli::run;
use crate::replay::corpus;
use activate_grammars::facts::SymbolKind;
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkKind};
use activate_rules::written::{Fact, Value, parse};
use index::base::{FactBase, MemorySections};
use index::build::{Built, FileInput, build};
use index::extract::{FileRecord, MAX_TEXT_BYTES, extract};
use repo::{Repo, WalkOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

/// A link, written as the truth does: from, to, and the line of the site where a relation has one.
type Link = (String, String, Option<i64>);

/// Facts by relation.
type Relations = BTreeMap<String, BTreeSet<Link>>;

/// A repository of the corpus, what is true of it, and what is found in it.
struct Repository {
    truth: Relations,
    found: Relations,
}

impl Repository {
    fn new(name: &str) -> Self {
        let text = fs::read_to_string(corpus().join(format!("{name}.facts"))).expect("the truth");
        let mut truth = Relations::new();
        for fact in parse(&text).expect("facts") {
            let link = (column(&fact, 0), column(&fact, 1), line(&fact));
            truth.entry(fact.relation).or_default().insert(link);
        }
        Self { truth, found: found(&fact_base(name)) }
    }

    fn truth(&self, relation: &str) -> impl Iterator<Item = &Link> {
        self.truth.get(relation).into_iter().flatten()
    }

    fn found(&self, relation: &str) -> impl Iterator<Item = &Link> {
        self.found.get(relation).into_iter().flatten()
    }

    fn is_true(&self, relation: &str, link: &Link) -> bool {
        self.truth.get(relation).is_some_and(|links| links.contains(link))
    }

    fn is_found(&self, relation: &str, link: &Link) -> bool {
        self.found.get(relation).is_some_and(|links| links.contains(link))
    }

    /// What must be there and is not, as facts.
    fn missing(&self) -> Vec<String> {
        let required = ["calls", "imports", "implements", "extends", "tests", "code_note"];
        let missing = required.iter().flat_map(|relation| {
            self.truth(relation).filter(|link| !self.is_found(relation, link)).map(move |link| written(relation, link))
        });
        missing.collect()
    }

    /// What is there and must not be, as facts.
    fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for link in self.found("calls") {
            let allowed = self.is_true("calls", link) || self.is_true("may_call", link) || self.overrides_a_true_target(link);
            if !allowed {
                wrong.push(written("calls", link));
            }
        }
        for link in self.found("imports") {
            let also = ["imports", "declares", "reexports"];
            if !also.iter().any(|relation| self.is_true(relation, link)) && !is_front(&link.1) && !self.uses(&link.0, &link.1) {
                wrong.push(written("imports", link));
            }
        }
        for link in self.found("implements") {
            let of_types = |(from, to, _): &Link| {
                let ((from, method), (to, promised)) = (from.rsplit_once('.')?, to.rsplit_once('.')?);
                (method == promised).then(|| (from.to_owned(), to.to_owned(), None))
            };
            let by_method = of_types(link).is_some_and(|types| self.is_true("implements", &types));
            if !by_method && !self.is_true("implements", link) {
                wrong.push(written("implements", link));
            }
        }
        for link in self.found("serves").filter(|link| !self.is_true("serves", link)) {
            wrong.push(written("serves", link));
        }
        for link in self.found("extends").filter(|link| !self.is_true("extends", link)) {
            wrong.push(written("extends", link));
        }
        for note in self.found("code_note").filter(|note| !self.is_true("code_note", note)) {
            wrong.push(written("code_note", note));
        }
        for (from, to, _) in self.truth("never_calls") {
            let never = self.found("calls").filter(|link| (&link.0, &link.1) == (from, to));
            wrong.extend(never.map(|link| format!("{} # never", written("calls", link))));
        }
        wrong
    }

    /// Whether a file is known to use another without naming it in an import: as part of one package, or through a value it was given.
    fn uses(&self, from: &str, to: &str) -> bool {
        let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let file = |id: &str| id.split('#').next().map(str::to_owned);
        let mut links = ["calls", "may_call", "references"].iter().flat_map(|relation| self.truth(relation));
        folder(from) == folder(to)
            || links.any(|link| file(&link.0).as_deref() == Some(from) && file(&link.1).as_deref() == Some(to))
    }

    /// Whether a call goes to a method of a type, where the truth names the same method of an interface that the type implements.
    fn overrides_a_true_target(&self, (from, to, line): &Link) -> bool {
        let Some((owner, method)) = to.rsplit_once('.') else { return false };
        let interfaces = self.truth("implements").filter(|(implementer, ..)| implementer == owner);
        interfaces.into_iter().any(|(_, interface, _)| {
            let target = format!("{interface}.{method}");
            self.is_true("calls", &(from.clone(), target, *line))
        })
    }
}

fn column(fact: &Fact, at: usize) -> String {
    match fact.args.get(at) {
        Some(Value::Text(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

fn line(fact: &Fact) -> Option<i64> {
    match fact.args.get(2) {
        Some(Value::Number(number)) => number.whole(),
        _ => None,
    }
}

fn written(relation: &str, (from, to, line): &Link) -> String {
    let mut args = vec![Value::text(from), Value::text(to)];
    args.extend(line.map(|line| Value::whole(line as i32)));
    Fact::new(relation, args).to_string()
}

/// Whether a file only passes on what others define, so that linking it is neither right nor wrong.
fn is_front(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "lib.rs" | "mod.rs" | "__init__.py") || name.starts_with("index.")
}

fn fact_base(name: &str) -> FactBase {
    let repo = Repo::open(&corpus().join(name)).expect("a repository");
    let files = repo.walk(&WalkOptions::default()).expect("a walk").files;
    let records: Vec<FileRecord> =
        files.iter().map(|file| extract(file.path.as_str(), repo.read(&file.path, MAX_TEXT_BYTES).ok().as_deref())).collect();
    let inputs = files.iter().zip(&records).map(|(file, record)| FileInput {
        path: file.path.as_str(),
        size: file.size,
        mtime_ns: file.mtime_ns,
        ctime_ns: file.ctime_ns,
        hash: 0,
        record,
        outline: None,
    });
    let Built { sections, problems, .. } = build(&inputs.collect::<Vec<_>>());
    assert_eq!(problems, []);
    FactBase::new(Arc::new(MemorySections::new(sections)))
}

/// The links of a fact base in the words of the truth; vendored code is not judged.
fn found(base: &FactBase) -> Relations {
    let mut found = Relations::new();
    let mut add = |relation: &str, from: String, to: String, line: Option<u32>| {
        let vendored = [&from, &to].iter().any(|id| id.starts_with("vendor/"));
        if !vendored {
            found.entry(relation.to_owned()).or_default().insert((from, to, line.map(i64::from)));
        }
    };
    for site in base.sites().filter(|site| base.is_file(site.to) || base.is_symbol(site.to)) {
        let is_guess = matches!(site.confidence, Confidence::AmongTwo | Confidence::AmongThree | Confidence::AmongFour);
        match site.kind {
            LinkKind::Calls if !is_guess => add("calls", holder(base, site.from), id(base, site.to), Some(site.line)),
            LinkKind::Imports => add("imports", base.path(site.from).to_owned(), base.path(site.to).to_owned(), None),
            LinkKind::Implements => add("implements", id(base, site.from), id(base, site.to), None),
            LinkKind::ServedBy => add("serves", id(base, site.to), holder(base, site.from), Some(site.line)),
            LinkKind::Extends => add("extends", id(base, site.from), id(base, site.to), None),
            _ => {}
        }
    }
    for subject in (0..base.n_nodes()).map(NodeId) {
        for (test, _) in base.tests_of(subject) {
            add("tests", holder(base, test), id(base, subject), None);
        }
    }
    for note in base.notes() {
        add("code_note", id(base, note.symbol.unwrap_or(note.file)), Value::name(note.kind.word()).to_string(), None);
    }
    // What makes an instance calls the constructor of the class, or of one above, as well; the code names the class alone.
    let above = found.get("extends").cloned().unwrap_or_default();
    if let Some(calls) = found.get_mut("calls") {
        let all = calls.clone();
        calls.retain(|(from, to, line)| {
            let Some(of) = [".constructor", ".__init__"].iter().find_map(|end| to.strip_suffix(end)) else { return true };
            let mut classes: Vec<&str> =
                all.iter().filter(|call| (&call.0, &call.2) == (from, line)).map(|call| call.1.as_str()).collect();
            let mut at = 0;
            while let Some(class) = classes.get(at).copied() {
                at += 1;
                classes.extend(above.iter().filter(|(below, ..)| below == class).map(|(_, above, _)| above.as_str()));
                classes.dedup();
                assert!(classes.len() < 1_000, "classes above one another in a circle");
            }
            !classes.contains(&of)
        });
    }
    found
}

/// The id of what a site stands in. The truth gives what is outside every named function, in a test's callback or the value of a
/// constant, to what stands around that, and at last to the file.
fn holder(base: &FactBase, node: NodeId) -> String {
    let is_value = |kind| matches!(kind, SymbolKind::Test | SymbolKind::Constant | SymbolKind::Variable);
    let mut holder = node;
    while let Some(symbol) = base.symbol(holder).filter(|symbol| is_value(symbol.kind)) {
        holder = symbol.container.unwrap_or(symbol.file);
    }
    id(base, holder)
}

/// The id of a node without the counters that tell apart definitions of one name.
fn id(base: &FactBase, node: NodeId) -> String {
    let id = base.id(node);
    let Some((path, local)) = id.split_once('#') else { return id };
    let is_counter = |name: &str| name.strip_prefix('~').is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()));
    let names = local.split('.').filter(|name| !is_counter(name));
    format!("{path}#{}", names.collect::<Vec<_>>().join("."))
}

/// Compares a repository with its truth; the gaps are what is known to be missing or wrong.
fn check(name: &str, missing: &[&str], wrong: &[&str]) {
    let repository = Repository::new(name);
    let lines = |facts: &[String]| facts.join("\n");
    assert_eq!(lines(&repository.missing()), missing.join("\n"), "missing in {name}");
    assert_eq!(lines(&repository.wrong()), wrong.join("\n"), "wrong in {name}");
}

#[test]
fn go_links_are_those_of_the_compiler() {
    check("auth-go", &[], &[]);
}

#[test]
fn java_links_are_those_of_the_compiler() {
    check("auth-java", &[], &[]);
}

#[test]
fn python_links_are_those_of_the_checker() {
    check("auth-py", &[], &[]);
}

#[test]
fn rust_links_are_those_of_the_compiler() {
    check("auth-rust", &[], &[]);
}

#[test]
fn typescript_links_are_those_of_the_compiler() {
    check("auth-ts", &[], &[]);
}

#[test]
fn links_of_several_languages_are_those_of_their_compilers() {
    check("polyglot", &[], &[]);
}

#[test]
fn requests_are_those_of_the_routes_that_serve_them() {
    let repository = Repository::new("routes");
    assert_eq!(repository.found("serves").collect::<Vec<_>>(), repository.truth("serves").collect::<Vec<_>>());
}

#[test]
fn a_packet_of_a_handler_has_who_asks_for_it_and_one_of_a_client_what_serves_it() {
    let repository = corpus().join("routes");
    let of = |intent: &str| {
        run(&["--intent", intent, "--repo", repository.to_str().expect("text"), "--no-cache", "--no-state", "--quiet"]).stdout
    };
    let shown = of("fix Gate.reserve");
    assert!(shown.contains("web/src/client.ts (asks for POST /api/crossings/{id}/seats of Gate.reserve, line 9)"), "{shown}");
    assert!(shown.contains("npx vitest run src/client.test.ts -t '^takes a seat$'"), "{shown}");
    let shown = of("fix reserveSeat");
    assert!(shown.contains("(serves reserveSeat POST /api/crossings/{id}/seats, line 9 of client.ts)"), "{shown}");
    let shown = of("fix read_times in timetable/crossings.py");
    assert!(shown.contains("asks for GET /timetable/crossings/{crossing} of read_times, line 15"), "{shown}");
}

#[test]
fn ignored_files_take_no_part() {
    let base = fact_base("polyglot");
    let text = fs::read_to_string(corpus().join("polyglot.facts")).expect("the truth");
    let ignored: Vec<String> =
        parse(&text).expect("facts").iter().filter(|fact| fact.relation == "ignored").map(|fact| column(fact, 0)).collect();
    assert!(!ignored.is_empty());
    assert!(ignored.iter().all(|path| corpus().join("polyglot").join(path).is_file() && base.file_at(path).is_none()));
}

#[test]
fn types_that_grow_with_every_step_end() {
    let aliases = (1..40).map(|n| format!("type C{n}<T> = C{m}<C{m}<T>>;\n", m = n - 1)).collect::<Vec<_>>().concat();
    let text = format!(
        "type A<T> = B<A<T>>;\ntype B<T> = A<B<T>> | T[];\ntype C0<T> = [T, T];\n{aliases}\
         class Leaf {{ cut() {{}} }}\ndeclare const a: A<Leaf>;\ndeclare const c: C39<Leaf>;\ndeclare const d: C0<Leaf>;\n\
         a.cut();\nc[0].cut();\nc.map((x) => x.cut());\nd[0].cut();\n"
    );
    let record = extract("a.ts", Some(text.as_bytes()));
    let input = FileInput::untimed("a.ts", 0, &record);
    let sections = build(&[input]).sections;
    let found = found(&FactBase::new(Arc::new(MemorySections::new(sections))));
    assert!(found["calls"].iter().any(|(_, to, _)| to == "a.ts#Leaf.cut"));
}
