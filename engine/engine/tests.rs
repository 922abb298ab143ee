//! Whatever happens to files between two snapshots, one that knows an earlier one is as one that knows nothing.

mod edits;
mod rules;
mod servers;

use crate::{CacheChoice, Engine, Options, Request};
use activate_rules::links::{Direction, KINDS, LinkKind};
use context::budget::Budget;
use index::build::{FileInput, build};
use index::extract::{MAX_TEXT_BYTES, extract};
use index::snapshot::{DEFAULT_MEMORY, Effort, Snapshot, Source};
use proptest::prelude::*;
use repo::testing::{Made, Scratch};
use repo::{Alternates, Repo, WalkOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file that never changes, so that there is always a definition.
const FIXED: (&str, &str) = ("fixed.go", "package fixed\n\nfunc Fixed() {}\n");

/// The paths that files come to, go from and are moved between.
const PATHS: [&str; 30] = [
    ".gitignore",
    "Cargo.toml",
    "README.md",
    "README.txt",
    "api/api.go",
    "go.mod",
    "package.json",
    "shop/cart.go",
    "shop/cart_test.go",
    "shop/price.go",
    "shop/prices.go",
    "shop/routes.go",
    "src/lib.rs",
    "src/store.rs",
    "src/store/disk.rs",
    "src/store/disks.rs",
    "src/store/mod.rs",
    "tools/__init__.py",
    "tools/keep.py",
    "tools/run.py",
    "tools/test_keep.py",
    "tsconfig.json",
    "web/cart.test.ts",
    "web/cart.ts",
    "web/index.ts",
    "web/lib/view.tsx",
    "web/view.ts",
    "web/views.ts",
    "wire/cart.cc",
    "wire/price.c",
];

/// Names between which a file keeps its place in the order of paths.
const NAMES: [(&str, &str); 4] = [
    ("README.md", "README.txt"),
    ("shop/price.go", "shop/prices.go"),
    ("src/store/disk.rs", "src/store/disks.rs"),
    ("web/view.ts", "web/views.ts"),
];

/// What can stand in them: code of each language that defines, imports, calls and tests what other files may hold, manifests, and text.
const TEXTS: [&str; 31] = [
    "",
    "lib/\n*.txt\n",
    "Close and Price are fine words.\n",
    "module example.com/m\n",
    "module other.org/n\n",
    "[package]\nname = \"keeper\"\n",
    "{\"name\": \"shop\", \"devDependencies\": {\"vitest\": \"3\"}}",
    "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"~/*\": [\"web/*\"]}}}",
    "package shop\n\ntype Cart struct{ next *Cart }\n\ntype Full struct{ Cart }\n\nfunc (c *Cart) Close() { c.next.Close() }\n",
    "package shop\n\n// Deprecated: use Close.\nfunc Price(c *Cart) { c.Close(); total() }\n\nfunc total() {}\n",
    "package shop\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) { Price(nil) }\n",
    "package api\n\nimport \"example.com/m/shop\"\n\nfunc Serve(c *shop.Cart) { shop.Price(c); unknown().Close() }\n",
    "package shop\n\nfunc broken( {\n",
    "mod store;\npub use store::Store;\npub fn open() -> Store { Store::new() }\n",
    "pub mod disk;\npub trait Saver { fn save(&self); }\npub struct Store;\nimpl Store { pub fn new() -> Self { Store } }\n\
     impl Saver for Store { fn save(&self) {} }\n",
    "use crate::store::{Saver, Store};\npub fn keep(s: &dyn Saver) { s.save(); Store::new(); }\n\
     #[cfg(test)]\nmod tests {\n    #[test]\n    fn keeps() { super::keep(&crate::open()); }\n}\n",
    "export class Cart { close() {} }\nexport default function price(cart: Cart) { cart.close(); }\n",
    "export { Cart } from \"./cart\";\nexport * from \"./view\";\nimport price from \"~/cart\";\nexport const all = () => price(null!);\n",
    "import { Cart, all } from \"../index\";\nexport const View = (x) => { all(); x.close(); return <p>{new Cart().close()}</p>; };\n",
    "import { Cart } from \"./cart\";\nit(\"takes\", () => fetch(`/carts/${1}`, { method: \"POST\" }));\nit(\"closes\", () => { new Cart().close(); });\n",
    "import { Cart } from \"./cart\";\nexport function view( { new Cart(\n",
    "from .keep import Keeper, closed\n\ndef run(k: Keeper):\n    k.close()\n    return closed(k)\n",
    "export { Cart as Basket, default as cost } from \"./cart\";\nexport * as views from \"./view\";\n",
    "class Keeper:\n    def __init__(self):\n        self.next = None\n\n    def close(self):\n        self.next = Keeper()\n        self.next.close()\n\n    shut = close\n\ndef closed(k):\n    return k.close()\n",
    "from .run import *\nfrom . import keep\n\ndef all():\n    from .keep import Keeper as K\n    K().close(); K().shut(); keep.closed(K())\n",
    "import pytest\nimport tools.keep\n\n@pytest.fixture(name='keeper')\ndef made():\n    return tools.keep.Keeper()\n\n\
     class TestShut:\n    def setup_method(self): tools.keep.closed(None)\n    def test_shut(self): pass\n\ndef test_close(keeper):\n    keeper.close()\n",
    "#include \"price.c\"\nnamespace shop { class Cart { void close(); }; }\nvoid Cart::close() { price(1); total(2); }\n",
    "int price(int x) { return total(x); }\nint total(int x) { return x; }\n",
    "int total(int y) { return price(y); }\n",
    "package shop\n\nfunc Routes(mux *http.ServeMux) {\n\tmux.HandleFunc(\"POST /carts/{id}\", Price)\n\tmux.HandleFunc(\"GET /lose\", total)\n}\n",
    "def keep(client):\n    client.post(\"/carts/7\")\n    client.get(\"/lose\")\n",
];

/// The text that stands for a file too large to be read.
const HUGE: &str = "huge";

/// What can stand for what in bodies: a call more, a call less, another call, a line, what is only said, and what cannot be read. None of
/// it shows to other files.
const BODIES: [(&str, &str); 16] = [
    ("c.next.Close() }", "c.next.next.Close()\n\tPrice(c) }"),
    ("c.Close(); total() }", "total(); if total() { } }"),
    ("Price(nil) }", "total()\n\tPrice(nil) }"),
    ("shop.Price(c); unknown().Close()", "total(); c.Close(); var d shop.Cart; d.Close()"),
    ("Store::new() }\n", "if true { keep() }\n    Store::new() }\n"),
    ("s.save(); Store", "s.save(); s.save(); let t = Store::new(); t.save(); Store"),
    ("super::keep(&crate::open());", "let s = crate::open();\n        super::keep(&s); s.unknown();"),
    ("{ cart.close(); }", "{ new Cart().close(); view(cart); cart.open(); }"),
    ("new Cart().close(); });", "const cart = new Cart();\n  cart.close(); cart.close() });"),
    ("package shop\n\n", "package shop\n\n// Close and Price.\n\n"),
    ("fine words", "fine, fine words"),
    ("        self.next.close()\n", "        self.next.close(); closed(self)\n"),
    ("return closed(k)", "k.close(); unknown().close()\n    return closed(k)"),
    ("    keeper.close()\n", "    keeper.close(); keeper.next.close()\n"),
    ("price(1); total(2);", "total(3); close();"),
    ("return total(x);", "return total(x) + price(x);"),
];

/// Something that happens to files, by the number of paths and texts.
#[derive(Debug, Clone)]
enum Change {
    /// A file has another text, or a new one, or the same as before, written again.
    Write(usize, usize),
    /// A file becomes too large to be read.
    Grow(usize),
    /// A file is gone.
    Remove(usize),
    /// A file has another path, where it takes the place of one that is there.
    Move(usize, usize),
    /// A file has its other name.
    Rename(usize),
    /// A file has another text of the same length.
    Flip(usize),
    /// The bodies of a file are others, or what they were.
    Body(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let (path, text) = (0..PATHS.len(), 0..TEXTS.len());
    prop_oneof![
        6 => (path.clone(), text).prop_map(|(path, text)| Change::Write(path, text)),
        1 => path.clone().prop_map(Change::Grow),
        2 => path.clone().prop_map(Change::Remove),
        2 => (path.clone(), path).prop_map(|(from, to)| Change::Move(from, to)),
        2 => (0..NAMES.len()).prop_map(Change::Rename),
        2 => (0..PATHS.len()).prop_map(Change::Flip),
        12 => (0..PATHS.len(), 0..BODIES.len()).prop_map(|(path, body)| Change::Body(path, body)),
    ]
}

/// The files as they are meant to be.
type Files = BTreeMap<&'static str, String>;

fn apply(change: &Change, files: &mut Files) {
    match *change {
        Change::Write(path, text) => _ = files.insert(PATHS[path], TEXTS[text].to_owned()),
        Change::Grow(path) => _ = files.insert(PATHS[path], HUGE.to_owned()),
        Change::Remove(path) => _ = files.remove(PATHS[path]),
        Change::Move(from, to) => rename(PATHS[from], PATHS[to], files),
        Change::Rename(names) => {
            let (one, other) = NAMES[names];
            if files.contains_key(one) { rename(one, other, files) } else { rename(other, one, files) }
        }
        Change::Body(path, body) => {
            // The first file from this one on that has such a body.
            let has = |path: &&&str| {
                files.get(**path).is_some_and(|text| text.contains(BODIES[body].0) || text.contains(BODIES[body].1))
            };
            let found = PATHS.iter().cycle().skip(path).take(PATHS.len()).find(has);
            if let Some(text) = found.and_then(|path| files.get_mut(path)) {
                let (one, other) = BODIES[body];
                *text = if text.contains(other) { text.replace(other, one) } else { text.replace(one, other) };
            }
        }
        Change::Flip(path) => {
            if let Some(text) = files.get_mut(PATHS[path]) {
                let (one, other) = if text.contains("lose") { ("lose", "lone") } else { ("lone", "lose") };
                *text = text.replace(one, other);
            }
        }
    }
}

fn rename(from: &'static str, to: &'static str, files: &mut Files) {
    if let Some(text) = files.remove(from) {
        files.insert(to, text);
    }
}

/// A repository with every sort of fact in it.
fn first_files() -> Files {
    let texts = [1, 5, 2, 11, 3, 6, 8, 10, 9, 29, 13, 14, 15, 14, 24, 23, 21, 25, 7, 19, 16, 17, 18, 20, 26, 27];
    let paths = PATHS.into_iter().filter(|path| !NAMES.iter().any(|(_, other)| other == path));
    let files = paths.zip(texts.map(|text| TEXTS[text])).chain([FIXED]);
    files.map(|(path, text)| (path, text.to_owned())).collect()
}

/// Makes the files in a folder those that are meant to be. What is the same is not touched.
fn write(scratch: &Scratch, before: &Files, files: &Files) {
    before.keys().filter(|path| !files.contains_key(*path)).for_each(|path| scratch.remove(path));
    for (path, text) in files.iter().filter(|(path, text)| before.get(*path) != Some(text)) {
        if text == HUGE {
            scratch.write(path, "");
            scratch.write_zeros(path, MAX_TEXT_BYTES + 1);
        } else {
            scratch.write(path, text);
        }
    }
}

/// The names of all sections but those of times, which say when files were looked at.
fn section_names() -> Vec<&'static str> {
    let files = first_files();
    let records: Vec<_> = files.iter().map(|(path, text)| (path, extract(path, Some(text.as_bytes())))).collect();
    let inputs: Vec<FileInput<'_>> = records.iter().map(|(path, record)| FileInput::untimed(path, 0, record)).collect();
    let mut names: Vec<&str> = build(&inputs).sections.into_iter().map(|(name, _)| name).collect();
    // What is only known by strings is compared as text, and tables need not know the names in bodies.
    let others = ["file.mtime", "file.ctime", "string.text", "string.ends", "diagnostic.rows"];
    names.retain(|name| !others.contains(name) && !name.starts_with("table."));
    names.push("problems");
    names
}

fn engine(root: &Path, cache: CacheChoice) -> Engine {
    Engine::open_with(root, Options { cache, n_threads: 1, ..Options::default() }).expect("a repository")
}

/// What an engine says of the files as they are: every section, a packet, the files it lists, and what that cost.
fn said(engine: &Engine, names: &[&str]) -> (Vec<Vec<u8>>, String, BTreeSet<String>, Effort) {
    let activation = engine.activate(&Request::new("fix Price, Cart.close and keep")).expect("an answer");
    let snapshot = &activation.snapshot;
    let mut sections: Vec<Vec<u8>> = names.iter().map(|name| snapshot.base.section(name)).collect();
    sections.push(format!("{:?}", snapshot.base.diagnostics().collect::<Vec<_>>()).into_bytes());
    let context = activation.session_context(&Budget::default()).expect("a context");
    let listed = snapshot.base.files().map(|file| snapshot.base.path(file).to_owned()).collect();
    (sections, activation.packet(&context).json(), listed, snapshot.effort)
}

#[test]
fn the_files_have_every_kind_of_link() {
    let repository = Scratch::new();
    write(&repository, &Files::new(), &first_files());
    let engine = engine(repository.path(), CacheChoice::Off);
    let base = &engine.activate(&Request::new("fix Price")).expect("an answer").snapshot.base;
    let made: BTreeSet<LinkKind> = base.sites().map(|site| site.kind).collect();
    // Contains has no site, and what changed together is read from git.
    let wanted = KINDS.iter().filter(|info| info.direction == Direction::Uses && info.kind != LinkKind::Contains);
    assert_eq!(
        made,
        wanted.map(|info| info.kind).collect(),
        "add a link of each kind to `TEXTS`, and a change of it to `BODIES`"
    );
}

#[test]
fn files_beyond_the_limit_leave_lists_open() {
    let repository = Scratch::new();
    repository.write(FIXED.0, FIXED.1);
    repository.write("other.go", "package fixed\n");
    let repo = Repo::open(repository.path()).expect("a repository");
    let unseen = |max_files: usize| {
        let walk = WalkOptions { max_files, ..WalkOptions::default() };
        let alternates = Alternates::default();
        let source = Source {
            repo: &repo,
            cache: None,
            keeps: false,
            walk: &walk,
            alternates,
            memory: DEFAULT_MEMORY,
            flushes: None,
            first: None,
            progress: &|_| (),
        };
        Snapshot::take(&source, None).expect("a snapshot").unseen
    };
    assert_eq!((unseen(2), unseen(1)), (Vec::new(), vec!["files or folders could not be listed".to_owned()]));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "git's own index is bytes")]
fn what_is_not_checked_out_or_left_out_makes_lists_incomplete_from_a_cache_as_well() {
    let (repository, caches) = (Scratch::new(), Scratch::new());
    gix::init(repository.path()).expect("a repository");
    // An index of version 3 whose one entry is marked as not checked out.
    let mut index = b"DIRC\0\0\0\x03\0\0\0\x01".to_vec();
    index.extend([0; 24]);
    index.extend(0o100_644_u32.to_be_bytes());
    index.extend([0; 32]);
    index.extend(b"\x40\x05\x40\0apart\0\0\0");
    index.extend([0; 20]); // Checksum.
    std::fs::write(repository.path().join(".git/index"), index).expect("an index");
    repository.write(FIXED.0, FIXED.1);
    repository.write("left/out.go", "package left\n");
    let told = |cache: CacheChoice| {
        let options = Options { cache, exclude: vec!["left/".to_owned()], n_threads: 1, ..Options::default() };
        let engine = Engine::open_with(repository.path(), options).expect("a repository");
        let activation = engine.activate(&Request::new("fix Fixed")).expect("an answer");
        let packet = activation.packet(&activation.session_context(&Budget::default()).expect("a context")).json();
        (activation.why("Fixed").expect("lines").join("\n"), packet)
    };
    let kept = || told(CacheChoice::Folder(caches.path().to_owned()));
    let cold = kept();
    let reasons = "1 tracked file is not checked out; files are left out by --exclude";
    assert!(cold.0.contains(&format!("used by: none found (incomplete: {reasons})")), "{}", cold.0);
    assert!(
        cold.1.contains("1 tracked file is not checked out (sparse checkout): nothing is known of these files"),
        "{}",
        cold.1
    );
    assert_eq!(kept(), cold);
    assert_eq!(told(CacheChoice::Off), cold);
}

#[test]
fn work_trees_of_one_repository_extract_equal_files_once() {
    let (repository, caches) = (Scratch::new(), Scratch::new());
    let absolute = |name: &str| format!("{}\n", repository.path().join(name).display());
    // As `git worktree add` leaves them.
    for (path, text) in [
        ("main/.git/HEAD", "ref: refs/heads/main\n"),
        ("main/.git/worktrees/t/HEAD", "ref: refs/heads/t\n"),
        ("main/.git/worktrees/t/commondir", "../..\n"),
        ("main/.git/worktrees/t/gitdir", &absolute("tree/.git")),
        ("tree/.git", &format!("gitdir: {}", absolute("main/.git/worktrees/t"))),
    ] {
        repository.write(path, text);
    }
    let files = first_files();
    let write_all = |tree: &str| files.iter().for_each(|(path, text)| repository.write(format!("{tree}/{path}"), text));
    ["main", "tree", "other"].into_iter().for_each(write_all);
    let names = section_names();
    let check = |tree: &str| {
        let ask = |cache| said(&engine(&repository.path().join(tree), cache), &names);
        let (found, alone) = (ask(CacheChoice::Folder(caches.path().to_owned())), ask(CacheChoice::Off));
        assert!(found.0 == alone.0 && found.1 == alone.1, "{tree} is answered as without a cache");
        found.3.n_extracted
    };
    let n_extracted = ["main", "tree", "other"].map(check);
    assert!(matches!(n_extracted, [main, 0, other] if main > 0 && main == other), "{n_extracted:?}");
    for (tree, text) in [("main", TEXTS[9]), ("tree", TEXTS[10])] {
        repository.write(format!("{tree}/{}", PATHS[4]), text);
        assert_eq!(check(tree), 1, "{tree}");
    }
    repository.write(format!("main/{}", PATHS[4]), TEXTS[10]);
    assert_eq!(["main", "tree"].map(check), [0, 0]);
}

#[test]
fn aliases_are_renewed_with_the_file_that_gives_them() {
    let (repository, folder) = (Scratch::new(), Scratch::new());
    let names = section_names();
    let lasting = [CacheChoice::Off, CacheChoice::Folder(folder.path().to_owned())].map(|cache| engine(repository.path(), cache));
    repository.write("web/cart.ts", "export class Cart {}\nexport function price() {}\n");
    let cases = [
        ("export { Cart as Basket } from \"./cart\";\n", vec!["web/cart.ts#Cart"]),
        ("export { Cart as Trolley } from \"./cart\";\n", vec![]),
        ("export { price as Basket } from \"./cart\";\n", vec!["web/cart.ts#price"]),
        ("\nexport { price as Basket } from \"./cart\";\n", vec!["web/cart.ts#price"]),
        ("export { price as Basket } from \"./gone\";\n", vec![]),
    ];
    for (index, expected) in cases {
        repository.write("web/index.ts", index);
        let fresh = engine(repository.path(), CacheChoice::Off);
        for engine in lasting.iter().chain([&fresh]) {
            let activation = engine.activate(&Request::new("fix Basket")).expect("an answer");
            let targets = &activation.found.intent.targets;
            let ids: Vec<String> = targets.iter().map(|target| activation.snapshot.base.id(target.node)).collect();
            assert_eq!(ids, expected, "{index}");
            assert!(said(engine, &names).0 == said(&fresh, &names).0, "{index}");
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the cache's own files are damaged")]
fn what_does_not_show_outside_of_a_file_costs_no_more_than_the_file() {
    let (repository, folder) = (Scratch::new(), Scratch::new());
    let mut files = first_files();
    write(&repository, &Files::new(), &files);
    let memory = engine(repository.path(), CacheChoice::Off);
    let cached = || engine(repository.path(), CacheChoice::Folder(folder.path().to_owned()));
    let efforts = || {
        [&memory, &cached()]
            .map(|engine| engine.snapshot().expect("a snapshot").effort)
            .map(|made| (made.n_extracted, made.rebuilt))
    };
    assert!(efforts().iter().all(|(_, rebuilt)| *rebuilt));
    for (one, other) in BODIES {
        let before = files.clone();
        let (path, text) = files.iter_mut().find(|(_, text)| text.contains(one)).expect("a file with such a body");
        *text = text.replace(one, other);
        let path = *path;
        write(&repository, &before, &files);
        assert_eq!(efforts(), [(1, false); 2], "{one} in {path}");
    }
    // Records of other files are read again from these where the cache has lost them.
    let names = section_names();
    let records = std::fs::read_dir(folder.path()).expect("a cache").flatten().map(|entry| entry.path());
    let records = records.into_iter().find(|path| path.extension().is_some_and(|part| part == "records")).expect("records");
    let mut bytes = std::fs::read(&records).expect("records");
    let n_damaged = bytes.len() / 2;
    bytes[..n_damaged].iter_mut().step_by(97).for_each(|byte| *byte ^= 1);
    std::fs::write(&records, bytes).expect("records");
    let before = files.clone();
    let text = files.get_mut("api/api.go").expect("a file");
    *text = text.replace("total(); ", "total(); total(); ");
    write(&repository, &before, &files);
    let (found, alone) = (said(&cached(), &names), said(&engine(repository.path(), CacheChoice::Off), &names));
    assert!(found.0 == alone.0 && found.1 == alone.1, "an answer from damaged records");
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn a_snapshot_that_knows_an_earlier_one_is_as_one_that_knows_nothing(
        turns in prop::collection::vec(prop::collection::vec(change(), 1..4), 1..6),
    ) {
        let names = section_names();
        for name in ["unresolved.rows", "note.rows", "test.targets"] {
            prop_assert!(names.contains(&name), "the first files give nothing for {}", name);
        }
        let (repository, caches) = (Scratch::new(), Scratch::new());
        let (mut before, mut files, mut listed_before) = (Files::new(), first_files(), Files::new());
        let folder = |name: &str| CacheChoice::Folder(caches.path().join(name));
        // What is known is in memory, in memory and in a cache, and in a cache alone.
        let lasting = [engine(repository.path(), CacheChoice::Off), engine(repository.path(), folder("lasting"))];
        for turn in std::iter::once(&Vec::new()).chain(&turns) {
            for change in turn {
                apply(change, &mut files);
            }
            write(&repository, &before, &files);
            // Half of the time files are old enough for their times to say that they are the same.
            if turn.len() % 2 == 0 {
                std::thread::sleep(std::time::Duration::from_millis(25));
            }
            let (sections, packet, listed, _) = said(&engine(repository.path(), CacheChoice::Off), &names);
            // What an ignore file leaves out is not there.
            let listed: Files = files.clone().into_iter().filter(|(path, _)| listed.contains(*path)).collect();
            let n_changed = listed.iter().filter(|(path, text)| listed_before.get(*path) != Some(text)).count();
            let again = engine(repository.path(), folder("again"));
            for (engine, which) in lasting.iter().chain([&again]).zip(["memory", "memory and cache", "cache"]) {
                let (found, answer, _, Effort { n_extracted, .. }) = said(engine, &names);
                for ((name, expected), found) in names.iter().chain(&["diagnostics"]).zip(&sections).zip(&found) {
                    prop_assert!(expected == found, "{}: section {} differs", which, name);
                }
                prop_assert_eq!(&answer, &packet, "{}", which);
                // A cache may still know what was there before.
                let is_right = if which == "memory" { n_extracted == n_changed } else { n_extracted <= n_changed };
                prop_assert!(is_right, "{}: {} files extracted, {} changed", which, n_extracted, n_changed);
            }
            (before, listed_before) = (files.clone(), listed);
        }
    }
}
#[test]
#[expect(clippy::disallowed_methods, reason = "what git wrote is bytes")]
fn history_that_was_kept_is_what_git_says_now() {
    let (made, first, second) = Made::of_three();
    let kept = Scratch::new();
    let off = Options { cache: CacheChoice::Off, ..Options::default() };
    let staying = Engine::open_with(made.scratch.path(), off).expect("an engine");
    let told = |engine: &Engine| {
        let snapshot = engine.snapshot().expect("a snapshot");
        let commits = snapshot.past.commits.iter().map(|commit| format!("{} {}", commit.subject, commit.touched.len()));
        let problems = snapshot.problems.iter().map(|problem| problem.message.clone());
        commits.chain(problems).collect::<Vec<_>>().join("\n")
    };
    let of = |cache| told(&Engine::open_with(made.scratch.path(), Options { cache, ..Options::default() }).expect("an engine"));
    let check = |n_commits: usize| {
        let alone = of(CacheChoice::Off);
        assert_eq!(alone.matches("first").count() + alone.matches("second").count() + 1, n_commits, "{alone}");
        for _ in 0..2 {
            assert_eq!(of(CacheChoice::Folder(kept.path().to_owned())), alone, "kept in a cache");
            assert_eq!(told(&staying), alone, "kept in memory");
        }
    };
    check(3);
    let object = format!(".git/objects/{}/{}", &first.to_string()[..2], &first.to_string()[2..]);
    let bytes = std::fs::read(made.scratch.path().join(&object)).expect("an object");
    made.scratch.write(".git/shallow", &format!("{second}\n"));
    made.lose(first);
    check(2);
    // What is damaged may come back without a sign.
    made.scratch.remove(".git/shallow");
    check(2);
    std::fs::write(made.scratch.path().join(&object), bytes).expect("an object");
    check(3);
    made.scratch.write(format!(".git/refs/replace/{second}"), &format!("{first}\n"));
    check(2);
}
