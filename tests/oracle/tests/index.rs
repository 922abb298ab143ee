//! Indexes to records.

use crate::convert::records;
use crate::scip::Indexed;
use crate::syntax::LANGUAGES;
use protobuf::Message as _;
use scip::types::{Document, Index, Occurrence, PositionEncoding, Relationship, SymbolInformation, SymbolRole};

/// An index of sources in which names are marked: `«name=symbol»` defines a symbol, `«name>symbol»` uses one, and the same symbol after
/// `<` is implemented by the one before, as in `«get=A#get().<I#get().»`. A file starts with a line `-- path`. What the index says is lines
/// of records without what every record has.
fn check(language: &str, marked: &str, expected: &str) {
    let language = LANGUAGES.into_iter().find(|known| known.name == language).expect("a language");
    let mut files: Vec<(String, String)> = Vec::new();
    let mut index = Index::new();
    for part in marked.split("-- ").skip(1) {
        let (path, text) = part.split_once('\n').expect("a line with a path");
        let (document, text) = document(path, text);
        index.documents.push(document);
        files.push((path.to_owned(), text));
    }
    let bytes = index.write_to_bytes().expect("an index");
    let read = |path: &str| files.iter().find(|file| file.0 == path).map(|file| file.1.clone());
    let indexed = Indexed::read(language, &bytes, read).expect("what was written");
    let found: Vec<String> =
        records(language, &indexed).iter().map(|record| shown(&serde_json::to_value(record).expect("JSON"))).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected);
}

fn document(path: &str, marked: &str) -> (Document, String) {
    let mut document = Document::new();
    document.relative_path = path.to_owned();
    document.position_encoding = PositionEncoding::UTF16CodeUnitOffsetFromLineStart.into();
    let mut text = String::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('«') {
        text.push_str(before);
        let (mark, after) = after.split_once('»').expect("a closed mark");
        let (name, symbol) = mark.split_once(['=', '>']).expect("= or >");
        let (symbol, implemented) = symbol.split_once('<').map_or((symbol, None), |(symbol, of)| (symbol, Some(of)));
        let column = |text: &str| text.rsplit('\n').next().unwrap_or_default().encode_utf16().count() as i32;
        let line = text.matches('\n').count() as i32;
        let first = column(&text);
        text.push_str(name);
        let is_definition = mark[name.len()..].starts_with('=');
        document.occurrences.push(Occurrence {
            range: vec![line, first, column(&text)],
            symbol: symbol.to_owned(),
            symbol_roles: if is_definition { SymbolRole::Definition as i32 } else { 0 },
            ..Occurrence::new()
        });
        document.symbols.extend(implemented.map(|implemented| SymbolInformation {
            symbol: symbol.to_owned(),
            relationships: vec![Relationship { symbol: implemented.to_owned(), is_implementation: true, ..Relationship::new() }],
            ..SymbolInformation::new()
        }));
        rest = after;
    }
    text.push_str(rest);
    (document, text)
}

/// A record on one line, without what is empty or of no weight here.
fn shown(record: &serde_json::Value) -> String {
    let text = |key: &str| {
        record
            .get(key)
            .filter(|value| !value.is_null())
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let kind = text("kind").unwrap_or_default();
    let keys: &[&str] = match kind.as_str() {
        "file" => &["path", "call_sites", "unresolved", "complete", "configured", "made", "tests", "around"],
        "import" => &["how", "from_path", "line", "to_path", "alts"],
        "implements" => &["from_path", "line", "name", "to_path", "to_line", "to_name"],
        "other" => &["why", "from_path", "line", "name"],
        _ => &["from_path", "line", "name", "from_name", "to_path", "to_line", "to_kind", "alts"],
    };
    let flags = ["test", "in_macro"].into_iter().filter(|flag| text(flag).as_deref() == Some("true")).map(str::to_owned);
    let cells = std::iter::once(kind.clone()).chain(keys.iter().filter_map(|key| text(key))).chain(flags);
    cells.collect::<Vec<_>>().join(" ")
}

#[test]
fn rust_names_get_their_definitions_or_the_reason_why_there_is_none() {
    check(
        "rust",
        "-- src/lib.rs
mod «clock>x clock/»;
use crate::«clock>x clock/»::«now>x clock/now().»;
pub trait «Tick=x Tick#» {
    fn «tick=x Tick#tick().»(&self);
}
pub struct «Watch=x Watch#» {
    «size=x Watch#size.»: usize,
}
impl «Tick>x Tick#» for «Watch>x Watch#» {
    fn «tick=x impl#[Watch][Tick]tick().»(&self) {
        let «at=local 0» = «now>x clock/now().»();
        «println>std println!»!(\"{}\", «now>x clock/now().»() + «at>local 0» + self.«size>x Watch#size.»);
        «helper>x helper().»(«made>x MADE.»);
        unknown();
    }
}
#[cfg(windows)]
fn gone() { now() }
macro_rules! body { () => { now() } }
«thread_local>std thread_local!»!(static «MADE=x MADE.»: u8 = 0);
fn «helper=x helper().»(n: u8) { «vec>std vec!»![0].«push>std Vec#push().»(0).«first>std Vec#first().»() }
#[test]
fn «works=x works().»() { «w=local 1».«tick>x Tick#tick().»(); «clock>x clock/»::«now>x clock/now().»() }
-- src/clock.rs
«=x clock/»pub fn «now=x clock/now().»() -> usize { 0 }
",
        "
        file src/clock.rs 0 0 true
        other unresolved src/lib.rs 14 unknown
        import mod src/lib.rs 1 src/clock.rs
        import segment src/lib.rs 2 src/clock.rs
        import use src/lib.rs 2 src/clock.rs [\"src/clock.rs\"]
        reference src/lib.rs 9 Tick Watch src/lib.rs 3 type
        reference src/lib.rs 9 Watch Watch src/lib.rs 6 type
        call src/lib.rs 11 now Watch.tick src/clock.rs 1 function
        other outside src/lib.rs 12 println
        call src/lib.rs 12 now Watch.tick src/clock.rs 1 function in_macro
        other local src/lib.rs 12 at
        other field src/lib.rs 12 size
        call src/lib.rs 13 helper Watch.tick src/lib.rs 21 function
        other made src/lib.rs 13 made
        other outside src/lib.rs 20 thread_local
        other outside src/lib.rs 21 vec
        other outside src/lib.rs 21 push
        other outside src/lib.rs 21 first
        call src/lib.rs 23 tick works src/lib.rs 4 imethod test
        other module src/lib.rs 23 clock
        call src/lib.rs 23 now works src/clock.rs 1 function test
        file src/lib.rs 11 1 true [[18,18]] [[19,19]]
        implements src/lib.rs 6 Watch src/lib.rs 3 Tick
        implements src/lib.rs 10 tick src/lib.rs 4 tick
        ",
    );
}

#[test]
fn symbols_that_targets_of_a_package_share_are_those_of_the_same_target() {
    check(
        "rust",
        "-- src/lib.rs
fn «setup=x setup().»() {}
fn «start=x start().»() { «setup>x setup().»() }
-- tests/one.rs
fn «setup=x setup().»() {}
fn «start=x start().»() { «setup>x setup().»() }
-- tests/two/main.rs
fn «run=x run().»() { «setup>x setup().»() }
-- examples/show.rs
fn «run=x run().»() { «setup>x setup().»() }
",
        "
        call examples/show.rs 1 setup run src/lib.rs 1 function
        file examples/show.rs 1 0 true
        call src/lib.rs 2 setup start src/lib.rs 1 function
        file src/lib.rs 1 0 true
        call tests/one.rs 2 setup start tests/one.rs 1 function test
        file tests/one.rs 1 0 true test
        call tests/two/main.rs 1 setup run tests/one.rs 1 function test
        file tests/two/main.rs 1 0 true test
        ",
    );
}

#[test]
fn python_names_mean_what_is_defined_by_them_or_renamed() {
    check(
        "python",
        "-- pkg/parts.py
class «One=x One#»: pass
class «Two=x Two#»: pass
-- use.py
from pkg import One as Uno
from pkg import parts as «some>x parts»
pkg.«One>x One#»()
pkg.«Two>x One#»()
«Uno>x One#»()
-- tests/test_use.py
def setup_function(): pass
class TestA:
    def setUp(self): pass
    def setup_module(self): pass
    @fixture(autouse=True)
    def given(self): pass
    @fixture
    def test_asked(self): pass
    def test_a(self): pass
",
        "
        file pkg/parts.py 0 0 true
        other unresolved tests/test_use.py 5 fixture
        other unresolved tests/test_use.py 7 fixture
        file tests/test_use.py 2 2 false [[1,1],[3,3],[4,4],[6,6],[8,8],[9,9]] [[9,\"test_a\"]] [[1,\"setup_function\"],[3,\"setUp\"],[6,\"given\"]] test
        import use use.py 2 pkg/parts.py
        call use.py 3 One pkg/parts.py 1 class
        other unresolved use.py 4 Two
        call use.py 5 Uno pkg/parts.py 1 class
        file use.py 3 0 true
        ",
    );
}

#[test]
fn typescript_names_get_their_definitions_or_the_reason_why_there_is_none() {
    check(
        "typescript",
        "-- src/shape.ts
«=m shape/»export interface «Shape=m shape/Shape#» {
  «area=m shape/Shape#area().»(): number
  «name=m shape/Shape#name.»: string
}
export class «Square=m shape/Square#<m shape/Shape#» implements «Shape>m shape/Shape#» {
  «area=m shape/Square#area().<m shape/Shape#area().»() { return this.«#side>m shape/Square#side().»() }
  «#side=m shape/Square#side().»() { return 1 }
}
export function «of=m shape/of().»(side: number): Square
export function «of=m shape/of().»(side: string): Square
export const «make=m shape/make.» = () => new «Square>m shape/Square#»()
-- src/page.test.tsx
import * as «s>m shape/» from '«./shape>m shape/»'
declare module '«./shape=m shape/»' {}
test('all', () => {
  const «it=local 1» = (n: number) => n
  /* 🟦 é */ «s>m shape/».«of>m shape/of().»(1).«area>m shape/Shape#area().»(); «it>local 1»(2)
  const «gone=local 2» = «s>m shape/».«proxy>local 9»()
  return <«make>m shape/make.» side={«gone>local 2».«name>m shape/Shape#name.»} {...«fetch>lib fetch().»(0)} />
})
",
        "
        other unresolved src/page.test.tsx 3 test
        import specifier src/page.test.tsx 1 src/shape.ts test
        call src/page.test.tsx 5 of src/shape.ts 9 function [[\"src/shape.ts\",10,\"of\"]] test
        call src/page.test.tsx 5 area src/shape.ts 2 imethod test
        call src/page.test.tsx 5 it src/page.test.tsx 4 nested_function test
        other unresolved src/page.test.tsx 6 proxy
        call src/page.test.tsx 7 make src/shape.ts 11 function test
        other local src/page.test.tsx 7 gone
        other field src/page.test.tsx 7 name
        other outside src/page.test.tsx 7 fetch
        file src/page.test.tsx 7 2 false test
        reference src/shape.ts 5 Shape Square src/shape.ts 1 type
        call src/shape.ts 6 side Square.area src/shape.ts 7 method
        call src/shape.ts 11 Square make src/shape.ts 5 class
        file src/shape.ts 2 0 true
        implements src/shape.ts 5 Square src/shape.ts 1 Shape
        implements src/shape.ts 6 area src/shape.ts 2 area
        ",
    );
}

#[test]
fn a_file_is_complete_where_grammar_and_compiler_understand_it() {
    check(
        "typescript",
        "-- slip.ts
export interface Box<out T> { value: T }
-- broken.ts
function ( { const }
-- unknown.ts
one()
-- ten.ts
one(); «two>lib two().»(«two>lib two().»(«two>lib two().»(«two>lib two().»(«two>lib two().»()))))
«two>lib two().»(«two>lib two().»(«two>lib two().»(«two>lib two().»())))
",
        "
        file broken.ts 0 0 false
        file slip.ts 0 0 true
        other unresolved ten.ts 1 one
        other outside ten.ts 1 two
        other outside ten.ts 1 two
        other outside ten.ts 1 two
        other outside ten.ts 1 two
        other outside ten.ts 1 two
        other outside ten.ts 2 two
        other outside ten.ts 2 two
        other outside ten.ts 2 two
        other outside ten.ts 2 two
        file ten.ts 10 1 true
        other unresolved unknown.ts 1 one
        file unknown.ts 1 1 false
        ",
    );
}
