//! Facts of Python sources, language feature by language feature.

use super::LANGUAGE;
use crate::extract;
use crate::facts::{FileFacts, SiteKind, Symbol, Traits};
use crate::project::Manifest;
use crate::shown::{container, show};

fn facts_of(path: &str, source: &str) -> FileFacts {
    LANGUAGE.check().expect("the query files load");
    let facts = extract(&LANGUAGE, path, source.as_bytes()).facts;
    assert_eq!(facts.diagnostics, [], "the snippet is valid: {source}");
    facts
}

fn facts(source: &str) -> FileFacts {
    facts_of("a.py", source)
}

/// Symbols as `word container.name visibility: type`.
fn symbols(facts: &FileFacts) -> Vec<String> {
    let line = |symbol: &Symbol| {
        let (name, within) = (facts.names.get(symbol.name), container(facts, symbol.container));
        format!("{} {within}.{name} {:?}: {}", symbol.kind.word(), symbol.visibility, show(facts, symbol.declared))
    };
    facts.symbols.iter().map(line).collect()
}

/// Fields as `container.name: type = value`.
fn fields(facts: &FileFacts) -> Vec<String> {
    let line = |field: &crate::facts::Field| {
        let (name, within) = (facts.names.get(field.name), container(facts, field.container));
        format!("{within}.{name}: {} = {}", show(facts, field.declared), show(facts, field.value))
    };
    facts.fields.iter().map(line).collect()
}

/// Calls, in the order of the text.
fn calls(source: &str) -> Vec<String> {
    let facts = facts(source);
    let sites = facts.sites.iter().filter(|site| site.kind == SiteKind::Call);
    sites.map(|site| show(&facts, site.expr)).collect()
}

#[test]
fn what_stands_for_the_type_of_the_instance_is_given_as_that_type() {
    let source = "T = TypeVar(\"T\")\nclass A:\n    def same(self: T) -> T: ...\n    def maybe(self: T) -> list[T | None]: ...\n    @classmethod\n    \
                  def made(cls: Type[T]) -> T: ...\n    def other(self: B, x: T) -> T: ...\ndef wrap(self: A) -> A: ...\n";
    let facts = facts(source);
    let expected = [
        "variable file.T Public: ?",
        "type file.A Public: ?",
        "method A.same Public: This(A)",
        "method A.maybe Public: list<(This(A) | ?)>",
        "method A.made Public: This(A)",
        "method A.other Public: T",
        "function file.wrap Public: A",
    ];
    assert_eq!(symbols(&facts), expected);
    let named = facts.sites.iter().filter(|site| site.line == 8 && show(&facts, site.expr) == "A");
    assert_eq!(named.count(), 2, "a class is named where it is the instance's type as well");
}

#[test]
fn definitions_have_kind_container_visibility_and_type() {
    let source = "class A(Base, mod.Other[int], metaclass=M):\n    limit: int = 3\n    made = B()\n\n    def __init__(self, x: T, y=None):\n        \
                  self.x = x\n        self.y: list[U] = []\n        self.z, self.w = B(), y\n\n    @property\n    def p(self) -> U:\n        return self.x\n\n    \
                  def _hidden(self):\n        def inner(): pass\n\n    class Inner: pass\n\nCONST = B()\n_a, b = 1, 2\nCONST = C()\ntype Alias = list[A]\n\
                  async def f(*args, **kwargs) -> \"A | None\": ...\n";
    let facts = facts(source);
    let expected = [
        "type file.A Public: ?",
        "method A.__init__ Public: ?",
        "method A.p Public: U",
        "method A._hidden Package: ?",
        "function _hidden.inner Public: ?",
        "type A.Inner Public: ?",
        "variable file.CONST Public: ?",
        "variable file._a Package: ?",
        "variable file.b Public: ?",
        "alias file.Alias Public: list<A>",
        "function file.f Public: A",
    ];
    assert_eq!(symbols(&facts), expected);
    let of_fields =
        ["A.limit: int = 'number", "A.made: ? = B()", "A.x: ? = <x: T>", "A.y: list<U> = [?]", "A.z: ? = B()", "A.w: ? = <y>"];
    assert_eq!(fields(&facts), of_fields);
    let supers: Vec<String> = facts.supers.iter().map(|each| format!("{:?} {}", each.kind, show(&facts, each.of))).collect();
    assert_eq!(supers, ["Extends Base", "Extends mod.Other<int>"]);
    let value =
        facts.symbols.iter().find(|symbol| facts.names.get(symbol.name) == "CONST").map(|symbol| show(&facts, symbol.value));
    assert_eq!(value.as_deref(), Some("(B() | C())"), "what is assigned again may be either");
}

#[test]
fn the_name_of_a_type_is_without_its_parameters() {
    let facts = facts("type Plain = int\ntype Pair[T] = tuple[T, T]\n");
    let names: Vec<&str> = facts.symbols.iter().map(|symbol| facts.names.get(symbol.name)).collect();
    assert_eq!(names, ["Plain", "Pair"]);
}

#[test]
fn imports_become_known_where_they_stand() {
    let facts = facts(
        "import a.b, c as d\nfrom . import x\nfrom ..p.q import y as z, _w\nfrom m import *\nfrom __future__ import annotations\n\
         def f():\n    from n import run\n    run()\n    import o.p\n    o.p.q()\n",
    );
    let lines: Vec<String> = facts
        .imports
        .iter()
        .map(|import| {
            let name = |name| facts.names.get(name);
            let path: Vec<&str> = import.path.iter().map(|part| name(*part)).collect();
            let (item, local) = (import.item.map_or("-", name), import.local.map_or("-", name));
            format!("{:?} {} {item} as {local}{}", import.kind, path.join("/"), if import.exported { " pub" } else { "" })
        })
        .collect();
    let expected = [
        "Module c - as d pub",
        "Effect a.b - as -",
        "Module a - as a pub",
        "Item . x as x pub",
        "Item ..p.q y as z pub",
        "Item ..p.q _w as _w",
        "Glob m - as - pub",
        "Item n run as run@7",
        "Effect o.p - as -",
        "Module o - as o@9",
    ];
    assert_eq!(lines, expected);
    let sites: Vec<String> = facts.sites.iter().map(|site| show(&facts, site.expr)).collect();
    assert_eq!(sites, ["run@7", "o@9", "o@9.p", "o@9.p.q"]);
}

#[test]
fn what_a_module_lists_is_what_it_shows() {
    let shown = |list: &str| {
        let facts = facts(&format!("from m import a, b\ndef f(): pass\ndef _g(): pass\n{list}\n"));
        let symbols = facts.symbols.iter().filter(|symbol| symbol.visibility == crate::facts::Visibility::Public);
        let imports = facts.imports.iter().filter(|import| import.exported).filter_map(|import| import.local);
        symbols
            .map(|symbol| symbol.name)
            .chain(imports)
            .map(|name| facts.names.get(name).to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(shown(""), "f a b");
    assert_eq!(shown("__all__ = ['_g', \"a\"]"), "_g a");
    assert_eq!(shown("__all__ = (\n    'f',  # a comment\n)\n__all__ += ['b']"), "f b");
    assert_eq!(shown("__all__ = ['f']\n__all__.extend(m.__all__)"), "f __all__ a b");
    assert_eq!(shown("__all__ = m.__all__ + ['f']"), "f __all__ a b", "what is put together at run time says nothing");
}

#[test]
fn names_mean_what_was_assigned_last_on_the_way() {
    let of = |body: &str| calls(&format!("def f(p: P):\n    {}\n", body.replace('\n', "\n    ")));
    let used = |body: &str| of(body).into_iter().rfind(|call| call.rsplit('.').next() == Some("use")).unwrap_or_default();
    assert_eq!(used("x = A()\nx.use()\nx = B()"), "<x = A()>.use");
    assert_eq!(used("x = A()\nif p:\n    x = B()\nx.use()"), "<x = (<x = B()> | <x = A()>)>.use");
    assert_eq!(used("if p:\n    x = A()\nelse:\n    x = B()\n    x.use()"), "<x = B()>.use");
    assert_eq!(used("if p:\n    x = A()\nelse:\n    x = B()\nx.use()"), "<x = (<x = B()> | <x = A()>)>.use");
    assert_eq!(used("x = A()\nif p:\n    x = B()\n    return\nx.use()"), "<x = A()>.use");
    assert_eq!(used("for x in p:\n    x = g(x)\n    x.use()"), "<x = g()>.use");
    assert_eq!(used("with g() as x: x.use()"), "<x = g()?>.use");
    assert_eq!(used("try: g()\nexcept E as x: x.use()"), "<x = E?>.use");
    assert_eq!(used("[x.use() for x in p]"), "<x = <p: P>[*]>.use");
    assert_eq!(used("a, (x, *b) = p\nx.use()"), "<x = <p: P>#1#0>.use");
    assert_eq!(used("(lambda x: x.use())"), "<x>.use");
    assert_eq!(used("if (x := g()): x.use()"), "<x = g()>.use");
    assert_eq!(used("global x\nx = A()\nx.use()"), "x.use");
    assert_eq!(used("match p:\n    case A(x): x.use()"), "<x>.use");
    assert_eq!(used("match p:\n    case A(y=x): x.use()"), "<x>.use");
    assert_eq!(used("x.use()\nx = A()"), "<x = A()>.use");
    assert_eq!(used("if isinstance(p, A):\n    p.use()"), "<p: A>.use");
    assert_eq!(used("if isinstance(p, (A, B)) and p:\n    p.use()"), "<p: (A | B)>.use");
    assert_eq!(used("if not isinstance(p, A):\n    return\np.use()"), "<p: A>.use");
    assert_eq!(used("assert isinstance(p, A)\np.use()"), "<p: A>.use");
    assert_eq!(used("if p and isinstance(p, A) and p.use(): pass"), "<p: A>.use");
    assert_eq!(used("if isinstance(p, A) or p.use(): pass"), "<p: P>.use");
    assert_eq!(used("if isinstance(p, A) or p:\n    p.use()"), "<p: P>.use");
    assert_eq!(used("if isinstance(p, A):\n    pass\np.use()"), "<p: P>.use");
    let both = "<x = (<x = B()> | <x = A()>)>.use";
    assert_eq!(
        used("x = A()\nfor y in p:\n    if y:\n        x = B()\n        break\nx.use()"),
        both,
        "it leaves the loop alone"
    );
    for asked in ["not (isinstance(p, A))", "isinstance(p, A) == False", "not all([isinstance(p, A)])"] {
        assert_eq!(used(&format!("if {asked}:\n    p.use()")), "<p: P>.use", "{asked}");
    }
    assert_eq!(used("if p: pass\nelif not isinstance(p, A): return\np.use()"), "<p: P>.use");
    assert_eq!(used("if not isinstance(p, A): return\nelif p: pass\np.use()"), "<p: A>.use");
}

#[test]
fn the_instance_its_class_and_what_it_takes_over() {
    let source = "class A(B):\n    def m(self):\n        self.a()\n        super().m()\n        super(A, self).n(1)\n    @classmethod\n    \
                  def c(cls):\n        cls.d()\n        return cls()\n    @staticmethod\n    def s(x):\n        x.t()\n        cls = g()\n        cls.u()\n";
    assert_eq!(
        calls(source),
        ["this(A).a", "super(A).m", "super(A).n", "classmethod", "this(A).d", "staticmethod", "<x>.t", "g", "<cls = g()>.u"]
    );
    let facts = facts(source);
    let instance: Vec<bool> = facts.symbols.iter().skip(1).map(|symbol| symbol.traits.has(Traits::INSTANCE)).collect();
    assert_eq!(instance, [true, true, false]);
}

#[test]
fn results_are_declared_returned_or_yielded() {
    let result = |body: &str| show(&facts(body), facts(body).symbols[0].declared);
    assert_eq!(result("def f() -> Optional['A']: ..."), "Optional<A>");
    assert_eq!(result("def f(): return A()"), "A()");
    assert_eq!(result("def f(x):\n    if x: return None\n    return A() if x else B()"), "(A() | B())");
    assert_eq!(result("def f():\n    yield A()"), "Generator<A()>");
    assert_eq!(result("def f() -> 'dict[str, m.A] | None': ..."), "dict<str, m.A>");
    assert_eq!(result("def f(): return [A() for _ in x]"), "[A()]");
}

#[test]
fn tests_stand_at_the_top_of_files_and_classes_of_tests() {
    let source = "def test_a():\n    def test_inner(): pass\nclass TestB:\n    def test_c(self): pass\n    def help(self): pass\nclass Other:\n    \
                  def test_d(self): pass\nclass E(unittest.TestCase):\n    def test_f(self): pass\n@pytest.fixture\ndef g(): pass\n\
                  @pytest.mark.skip\ndef test_h(): pass\n";
    let tests = |path: &str| {
        let facts = facts_of(path, source);
        let tests = facts.symbols.iter().filter(|symbol| symbol.traits.has(Traits::TEST));
        tests.map(|symbol| facts.names.get(symbol.name).to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(tests("tests/test_a.py"), "test_a test_c test_f test_h");
    assert_eq!(tests("a_test.py"), "test_a test_c test_f test_h");
    assert_eq!(tests("tests/conftest.py"), "");
    assert_eq!(tests("tests/helpers.py"), "");
    assert_eq!(tests("src/a.py"), "");
    let facts = facts_of("test_a.py", "def test_a(client, tmp: T, n=1):\n    client.get()\ndef helper(client): pass\n");
    let sites = facts.sites.iter().filter(|site| site.kind != SiteKind::Type);
    let sites: Vec<String> = sites.map(|site| format!("{:?} {}", site.kind, show(&facts, site.expr))).collect();
    assert_eq!(sites, ["Mention T", "Call <client = given client>.get", "Given client", "Given tmp", "Around this(file)"]);
    let above = "@mark.parametrize('n, m', [])\ndef test_a(n, m, k): pass\n@mock.patch('os.x')\ndef test_b(n): pass\n";
    let facts = facts_of("test_a.py", above);
    let given = facts.sites.iter().filter(|site| site.kind == SiteKind::Given).map(|site| show(&facts, site.expr));
    assert_eq!(given.collect::<Vec<_>>(), ["k"], "what a decorator may give is no fixture's");
    let facts = facts_of("test_a.py", source);
    let with = |bit| {
        let found = facts.symbols.iter().find(|symbol| symbol.traits.has(bit));
        found.map_or("", |symbol| facts.names.get(symbol.name))
    };
    assert_eq!((with(Traits::FIXTURE), with(Traits::SKIPPED)), ("g", "test_h"));
}

/// What an import in a file may lead to, of files that exist.
fn candidates(manifests: &[(&str, &str)], files: &[&str], from: &str, path: &str) -> String {
    let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
    let found = (super::project::RULES.load)(&manifests, &|path| files.contains(&path)).candidates(from, path);
    let guarded = found.guarded.iter().filter(|each| !files.contains(&each.unless.as_str())).map(|each| &each.path);
    let first = guarded.chain(&found.files).find(|path| files.contains(&path.as_str()));
    first.cloned().or(found.external.map(|package| format!("<{package}>"))).unwrap_or_default()
}

#[test]
fn modules_are_found_from_packages_scripts_and_configured_roots() {
    let files = [
        "src/pkg/__init__.py",
        "src/pkg/a.py",
        "src/pkg/sub/__init__.py",
        "src/pkg/sub/b.py",
        "tools/run.py",
        "tools/help.py",
        "python/lib/x.py",
    ];
    let at = |from: &str, path: &str| {
        candidates(&[("pyproject.toml", "[tool.setuptools.packages.find]\nwhere = [\"python\"]\n")], &files, from, path)
    };
    assert_eq!(at("src/pkg/sub/b.py", "pkg.a"), "src/pkg/a.py");
    assert_eq!(at("src/pkg/sub/b.py", "..a"), "src/pkg/a.py");
    assert_eq!(at("src/pkg/sub/b.py", "."), "src/pkg/sub/__init__.py");
    assert_eq!(at("src/pkg/a.py", "sub"), "<sub>", "in a package, paths begin at its root");
    assert_eq!(at("tools/run.py", "help"), "tools/help.py");
    assert_eq!(at("tools/run.py", "pkg"), "src/pkg/__init__.py");
    assert_eq!(at("tests/test_x.py", "pkg.sub.b"), "src/pkg/sub/b.py");
    assert_eq!(at("tests/test_x.py", "lib.x"), "python/lib/x.py");
    assert_eq!(at("tests/test_x.py", "os.path"), "<os>");
    assert_eq!(at("a.py", "...x"), "");
    let other = [("libs/key-ring/pyproject.toml", "[project]\nname = \"key-ring\"\n")];
    let files = ["libs/key-ring/src/key_ring/__init__.py", "libs/key-ring/src/other.py"];
    assert_eq!(candidates(&other, &files, "app/main.py", "key_ring"), "libs/key-ring/src/key_ring/__init__.py");
    assert_eq!(candidates(&other, &files, "app/main.py", "other"), "<other>");
}
