//! A small source of each language, and what is found in it.

use crate::facts::{Limit, SiteKind, Traits};
use crate::shown::{container, show};
use crate::{LANGUAGES, Level, MAX_DEPTH, extract, language_of};
use expect_test::expect;

/// Definitions as `lines kind container.name`, tests with a star; then calls, then imports.
pub(super) fn found(path: &str, source: &str) -> String {
    let (_, language) = language_of(path).expect("a language");
    language.check().expect("the table loads");
    let facts = extract(language, path, source.as_bytes()).facts;
    assert_eq!(facts.diagnostics, [], "valid: {source}");
    let text = |name| facts.names.get(name);
    let symbols = facts.symbols.iter().map(|symbol| {
        let mark = if symbol.traits.has(Traits::TEST) { "*" } else { "" };
        let (first, last) = symbol.lines;
        let (kind, around) = (symbol.kind.word(), container(&facts, symbol.container));
        format!("{first}-{last} {kind}{mark} {around}.{}", text(symbol.name))
    });
    let fields = facts
        .fields
        .iter()
        .map(|field| format!("{} field {}.{}", field.line, container(&facts, field.container), text(field.name)));
    let calls = facts.sites.iter().filter(|site| site.kind != SiteKind::Mention);
    let calls = calls.map(|site| format!("{} {:?} {}", site.line, site.kind, show(&facts, site.expr)));
    let imports = facts.imports.iter().map(|import| format!("{} import {}", import.line, text(import.path[0])));
    symbols.chain(fields).chain(calls).chain(imports).map(|line| line + "\n").collect()
}

#[test]
fn c_has_definitions_in_declarators() {
    let source = r#"#include "a.h"
#define MAX 3
#define SQ(x) \
  (x)
struct node {
  int value;
  int *(*next)(int);
};
typedef struct { int x; } point;
typedef int (*handler)(int);
typedef struct list { int first; } list;
typedef void (callback)(int);
enum color { RED, GREEN };
static int count = 0, *p;
int twice(int);
int make(int);
/* Doc. */
static struct node *make(int value,
  handler h)
{
  int other = helper(value);
  h(other);
  return p->next(1);
}
int (isdigit)(int c) { return c - '0' < 10; }
TEST_IMPL(works) { make(1); }
#define GENERATE(name) \
  int name##_first(void) { return 1; } \
  /* The last one. */ \
  int name##_last(void) { return 2; }
"#;
    expect![[r#"
        2-2 macro file.MAX
        3-4 macro file.SQ
        5-8 type file.node
        9-9 alias file.point
        10-10 alias file.handler
        11-11 type file.list
        12-12 alias file.callback
        13-13 type file.color
        14-14 variable file.count
        14-14 variable file.p
        15-15 function file.twice
        18-24 function file.make
        25-25 function file.isdigit
        26-26 function file.works
        27-30 macro file.GENERATE
        6 field node.value
        7 field node.next
        9 field point.x
        11 field list.first
        13 field color.RED
        13 field color.GREEN
        21 Call helper
        22 Call <h>
        23 Call p.next
        26 Call make
        1 import a.h
    "#]]
    .assert_eq(&found("a.c", source));
}

#[test]
fn cpp_has_members_inside_and_outside_of_types() {
    let source = r"namespace a {
class Base;
class Shape : public Base {
public:
  Shape(int x);
  virtual ~Shape() = default;
  int area() const { return side() * 2; }
  virtual int *name(int x) = 0;
  bool operator==(const Shape &o) const;
  static const int K = 1;
  struct Inner { int q; };
};
template <typename T>
T largest(T a, T b) { auto f = [](int z) { return z; }; return f(a); }
int Shape::side() { return this->area(); }
Shape::Shape(int x) : x_(x) {}
void a::Other::deep() { new Shape(1); std::sort(1); Shape s(2); foo<int>(3); }
using Num = int;
template <> struct Info<int> { int q() { return size<int>(); } };
template <> int largest<int>(int a, int b) { return a; }
}
";
    expect![[r#"
        1-21 module file.a
        3-12 type a.Shape
        6-6 method Shape.~Shape
        7-7 method Shape.area
        8-8 method Shape.name
        9-9 method Shape.operator==
        11-11 type Shape.Inner
        14-14 function a.largest
        15-15 method Shape.side
        16-16 method Shape.Shape
        17-17 method Other.deep
        18-18 alias a.Num
        19-19 type a.Info
        19-19 method Info.q
        20-20 function a.largest
        10 field Shape.K
        11 field Inner.q
        7 Call side
        14 Call <f>
        15 Call this(file).area
        17 New Shape
        17 Call std::sort
        17 Call foo
        19 Call size
    "#]]
    .assert_eq(&found("a.h", source));
}

#[test]
fn ruby_has_calls_without_brackets_and_described_tests() {
    let source = r"require 'json'
require_relative 'b'
module Shop
  LIMIT = 3
  class Cart < Base
    attr_reader :items
    def initialize(items)
      @items = items
    end
    def self.build(x) = new(x)
    def total?
      items.sum { |i| price_of(i) } + tax
    end
    class << self
      def make; end
    end
  end
end
describe 'Cart' do
  it 'adds' do
    expect(Cart.build(1)).to eq(2)
  end
end
def test_all; end
";
    expect![[r#"
        3-18 module file.Shop
        4-4 constant Shop.LIMIT
        5-17 type Shop.Cart
        7-9 method Cart.initialize
        10-10 method Cart.build
        11-13 method Cart.total?
        15-15 method Cart.make
        19-23 test* file.Cart
        20-22 test* Cart.adds
        24-24 function* file.test_all
        6 Call attr_reader
        10 Call new
        12 Call price_of
        12 Call items.sum
        19 Call describe
        20 Call it
        21 Call expect
        21 Call Cart.build
        21 Call eq
        21 Call expect().to
        1 import json
        2 import b
    "#]]
    .assert_eq(&found("a_spec.rb", source));
}

#[test]
fn php_has_members_and_calls_by_three_arrows() {
    let source = r#"<p>Shop</p>
<?php
namespace App\Shop;
use App\Base\{Thing, Other as O};
use App\Model\Cart;
require_once 'lib/util.php';
const LIMIT = MAX;
/** Adds. */
abstract class Basket extends Base implements Countable
{
    use Loggable;
    private const SIZE = 1;
    protected ?Cart $cart = null;
    public function __construct(private int $max) { parent::__construct(); }
    abstract protected function name(): string;
    public static function make(): self { return new self(Helper::build(1)); }
    #[Test]
    private function total(callable $f): int { return $this->cart?->sum(fn($x) => price_of($x)) + $f(2); }
}
interface Named { public function name(): string; }
enum Suit: string { case Hearts = 'h'; public function label() {} }
trait Loggable { public function log() {} }
function helper($a) { function inner() {} return App\other($a); }
"#;
    expect![[r#"
        7-7 constant file.LIMIT
        9-19 type file.Basket
        12-12 constant Basket.SIZE
        14-14 method Basket.__construct
        15-15 method Basket.name
        16-16 method Basket.make
        17-18 method* Basket.total
        20-20 interface file.Named
        20-20 method Named.name
        21-21 type file.Suit
        21-21 method Suit.label
        22-22 type file.Loggable
        22-22 method Loggable.log
        23-23 function file.helper
        23-23 function helper.inner
        13 field Basket.$cart
        21 field Suit.Hearts
        14 Call ?.__construct
        16 New self
        16 Call Helper.build
        18 Call price_of
        18 Call ?.sum
        23 Call other
        4 import Thing
        4 import Other
        5 import App\Model\Cart
        6 import lib/util.php
    "#]]
    .assert_eq(&found("src/a.php", source));
}

#[test]
fn lua_has_functions_by_assignment() {
    let source = r#"local util = require "lib.util"
local M = { run = function(x) return x end, size = 1 }
M.VERSION = "1"
local function helper(a, cb)
  cb(a)
  return util.trim(a)
end
function M.open(path) return helper(path) end
function M.Conn:close() self:flush() end
M.parse = function(text) return M.open(text) end
local keep = function()
  local function inner() end
end
describe("open", function()
  it("reads", function() M.open("x") end)
end)
return M
"#;
    expect![[r#"
        2-2 function file.run
        4-7 function file.helper
        8-8 method M.open
        9-9 method M.Conn.close
        10-10 method M.parse
        11-13 function file.keep
        12-12 function keep.inner
        14-16 test* file.open
        15-15 test* open.reads
        5 Call <cb>
        6 Call util.trim
        8 Call helper
        9 Call self.flush
        10 Call M.open
        14 Call describe
        15 Call it
        15 Call M.open
        1 import lib.util
    "#]]
    .assert_eq(&found("spec/a_spec.lua", source));
}

#[test]
fn bash_has_functions_and_commands() {
    let source = r##"#!/bin/bash
source ./lib.sh
LIMIT=3
greet() {
  local name="$1 $(whoami)"
  say_hello "$name"
}
function leave { greet x; exit 1; }
cat <<EOF
greet $(leave)
EOF
test_all() { greet; }
"##;
    expect![[r#"
        4-7 function file.greet
        8-8 function file.leave
        12-12 function* file.test_all
        2 Call source
        5 Call whoami
        6 Call say_hello
        8 Call greet
        8 Call exit
        9 Call cat
        10 Call leave
        12 Call greet
    "#]]
    .assert_eq(&found("tests/a.sh", source));
}

#[test]
fn hostile_texts_are_read_within_bounds() {
    let deep = MAX_DEPTH * 3;
    let texts = [
        format!("{}x{}", "f(".repeat(deep), ")".repeat(deep)),
        format!("{}{}", "class A { ".repeat(deep), "}".repeat(deep)),
        format!("{}{}", "class A {\n".repeat(4_000), "  def x\n".repeat(4_000)),
        "fun a = val a = def a = ".repeat(4_000),
        format!("x = \"{}", "a".repeat(1 << 18)),
        format!("x = \"{}\"", "${\"".repeat(10_000)),
        format!("{}{}", "(".repeat(10_000), "]".repeat(10_000)),
        format!("{}{}", "/*".repeat(10_000), "<".repeat(10_000)),
        format!("{}\nfun a() fun a() fun a()", "// comment\n".repeat(4_000)),
        "s\"${$\"{\\(".repeat(10_000),
        "#".repeat(40_000),
        "import ".repeat(10_000),
        "#if A\n{\n#else\n(\n".repeat(4_000),
        "\u{feff}\u{0}é'\u{2028}`\"\\".repeat(1_000),
        "int ".repeat(10_000),
        "a::".repeat(10_000),
    ];
    for language in LANGUAGES.into_iter().filter(|language| language.level() == Level::ByName) {
        let path = format!("a.{}", language.extensions[0]);
        for text in &texts {
            let facts = extract(language, &path, text.as_bytes()).facts;
            let n_lines = text.lines().count() as u32;
            assert_eq!((facts.n_lines, facts.passages.first()), (n_lines, Some(&1)), "{}", language.name);
            assert!(
                facts.symbols.iter().all(|symbol| symbol.lines.0 <= symbol.lines.1 && symbol.lines.1 <= n_lines),
                "{}",
                language.name
            );
        }
        assert_eq!(extract(language, &path, b"class \xff\xfe {}\n").facts.limit, Some(Limit::Encoding));
    }
}

#[test]
fn macros_in_declarations_are_left_out_where_they_break_the_text() {
    let source = r"LIB_BEGIN_DECLS
class LIB_API Shape : public Base {
  LIB_CONSTEXPR Shape(int x) : x_(x) {}
  LIB_INLINE int area() const LIB_NOEXCEPT { return RETURN_VALUE(x_); }
  int x_ GUARDED_BY(lock_);
};
LIB_EXPORT(1) int free_it(MY_TYPE x);
MY_TYPE keep(MY_TYPE *x) { MY_TYPE y; return y; }
LIB_FLAG(int, size, 8);
namespace inner { int hidden; }
LIB_END_DECLS
";
    expect![[r#"
        2-6 type file.Shape
        3-3 method Shape.Shape
        4-4 method Shape.area
        7-7 function file.free_it
        8-8 function file.keep
        10-10 module file.inner
        10-10 variable inner.hidden
        5 field Shape.x_
        4 Call RETURN_VALUE
    "#]]
    .assert_eq(&found("a.h", source));
}
