//! A small source of each language that is read by its words, and what is found in it.

use crate::named::tests::found;
use expect_test::expect;

#[test]
fn kotlin_ends_where_lines_are_indented_less() {
    let source = r#"package shop
import kotlin.test.Test
/* a /* b */ c */
const val LIMIT = 3
typealias Handler = (Int) -> Unit
@Deprecated("x")
data class Cart(val items: List<Item>) : Base(items), Named {
    val size: Int get() = items.size
    private var total = "${items.map { "x" }}"
    val sum: Int
        get() = price_of(1)
    constructor(a: Int) : this(listOf())
    init { check(true) }
    companion object {
        fun build(x: Int): Cart = Cart(
            listOf(x),
        )
    }
    override fun total(): Int =
        items.fold(0) { a, b -> a + b.price() }
    fun <T> List<T>.second(): T = this[1]
    enum class Suit { HEARTS, CLUBS }
}
interface Named {
    fun name(): String
    fun other() { run { inner() } }
}
fun String?.isNice() = true
object Single : Named
fun interface Op { fun run(a: Int) }
class CartTest {
    @Test
    fun `adds one`() { val x = object : Named { override fun name() = "a" } }
}
"#;
    expect![[r#"
        4-4 constant file.LIMIT
        5-5 alias file.Handler
        7-23 type file.Cart
        10-11 constant Cart.sum
        12-12 method Cart.constructor
        14-18 type Cart.Companion
        15-17 method Companion.build
        19-20 method Cart.total
        21-21 method List.second
        22-22 type Cart.Suit
        24-27 interface file.Named
        25-25 method Named.name
        26-26 method Named.other
        28-28 method String.isNice
        29-29 type file.Single
        30-30 interface file.Op
        30-30 method Op.run
        31-34 type file.CartTest
        33-33 method* CartTest.adds one
        33-33 function adds one.name
        7 field Cart.items
        8 field Cart.size
        9 field Cart.total
        22 field Suit.HEARTS
        22 field Suit.CLUBS
        7 Call Base
        11 Call price_of
        12 Call listOf
        13 Call check
        15 Call Cart
        16 Call listOf
        20 Call items.fold
        20 Call b.price
        26 Call run
        26 Call inner
        33 Call Named
        2 import kotlin.test.Test
    "#]]
    .assert_eq(&found("test/A.kt", source));
}

#[test]
fn swift_has_extensions_and_cases() {
    let source = r##"import Foundation
#if os(Linux)
import Glibc
#endif
public struct Cart<T: Item>: Named where T: Codable {
    let items: [T]
    var total: Int { items.reduce(0) { $0 + $1.price } }
    static let limit = 3
    public init?(_ items: [T]) { self.items = items }
    deinit { close() }
    subscript(i: Int) -> T { items[i] }
    static func == (a: Cart, b: Cart) -> Bool { a.size == b.size }
    @discardableResult
    public mutating func add(_ x: T)
        throws -> Int
    {
        let text = "\(items.map { "(" }) \(x)"
        return helper(#"raw " \( "#, x)
    }
    enum Suit: String { case hearts, clubs(Int) = "c"
        case spades }
}
extension Cart: Equatable {
    func size() -> Int { 1 }
}
protocol Named: class {
    associatedtype Key
    var name: String { get }
    func describe() -> String
}
func free(if x: Int) -> some View { Cart([x]) }
final class CartTests: XCTestCase { func testAdd() { class func no() {} } }
"##;
    expect![[r#"
        5-22 type file.Cart
        9-9 method Cart.init
        10-10 method Cart.deinit
        11-11 method Cart.subscript
        12-12 method Cart.==
        14-19 method Cart.add
        20-21 type Cart.Suit
        24-24 method Cart.size
        26-30 interface file.Named
        27-27 alias Named.Key
        29-29 method Named.describe
        31-31 function file.free
        32-32 type file.CartTests
        32-32 method* CartTests.testAdd
        32-32 function testAdd.no
        6 field Cart.items
        7 field Cart.total
        8 field Cart.limit
        20 field Suit.hearts
        20 field Suit.clubs
        21 field Suit.spades
        28 field Named.name
        7 Call items.reduce
        10 Call close
        18 Call helper
        31 Call Cart
        1 import Foundation
        3 import Glibc
    "#]]
    .assert_eq(&found("Tests/A.swift", source));
}

#[test]
fn scala_has_bodies_by_indentation() {
    let source = r#"package shop
import scala.util.{Try, Success}
object Cart extends App {
  val Limit = 3
  def build(x: Int): Cart = new Cart(List(x))
  private[shop] def ::(a: Int): Int = { val inner = helper(a); inner }
  implicit class Ops(private val c: Cart) extends AnyVal { def twice = c.total * 2 }
}
case class Cart(items: List[Int]) extends Named with Base[Int]:
  def total: Int =
    items.foldLeft(0) { (a, b) =>
      add(a, b)
    }
  def name(using c: Ctx) = s"${c.get("x")}"

sealed trait Named { def name: String; type Key = Int }
class Filled {
  val text = s"a ${
    if (empty) "b" else s"${c.get(", ")}"
  }."
  def plain = "${"
}
enum Suit:
  case Hearts, Clubs
def free[A](f: A => Int)(a: A): Int = f(a)
class CartSpec {
  test("adds one") {
    build(1)
  }
}
"#;
    expect![[r#"
        3-8 type file.Cart
        5-5 method Cart.build
        6-6 method Cart.::
        7-7 type Cart.Ops
        7-7 method Ops.twice
        9-14 type file.Cart
        10-13 method Cart.total
        14-14 method Cart.name
        16-16 interface file.Named
        16-16 method Named.name
        16-16 alias Named.Key
        17-22 type file.Filled
        18-20 constant Filled.text
        21-21 method Filled.plain
        23-24 type file.Suit
        25-25 function file.free
        26-30 type file.CartSpec
        27-29 test* CartSpec.adds one
        4 field Cart.Limit
        7 field Ops.c
        24 field Suit.Hearts
        24 field Suit.Clubs
        5 New Cart
        5 Call List
        6 Call helper
        11 Call items.foldLeft
        12 Call add
        25 Call f
        27 Call test
        28 Call build
        2 import scala.util.{Try, Success}
    "#]]
    .assert_eq(&found("test/A.scala", source));
}

#[test]
fn csharp_has_members_by_their_shape() {
    let source = r#"using System.Text;
using static System.Math;
namespace Shop.Model
{
    /// <summary>Doc.</summary>
    [Serializable]
    public sealed class Cart<T> : Base, INamed where T : class, new()
    {
        private readonly List<int> items = new List<int>();
        public const int Limit = 3, Other = 4;
        public int Size { get; private set; } = Start(1);
        public int Total => items.Sum(x => x.Price());
        public event EventHandler Changed;
        public Cart(int x) : base(x) { Init(); }
        ~Cart() { }
        [Fact]
        public async Task<(int, string)> AddAsync<K>(K key, string s = "a\"b(", char c = '\'')
            where K : struct
        {
            var text = $"{items.Find("x")} {{ }}" + @"c:\" + """raw "x" """;
            if (key is null) { return Helper<int>(text); }
            void Local() { }
        }
        string INamed.Name() => nameof(Cart<T>);
        public static bool operator ==(Cart<T> a, Cart<T> b) => true;
        public int this[int i] { get { return items[i]; } }
        public (int a, int b) Pair() { return (1, 2); }
    }
    public interface INamed { string Name(); int Count { get; } }
    public enum Suit { Hearts, Clubs = 2 }
    public record Point(int X, int Y);
    public delegate int Op(int a);
    public record struct Money { public int Cents() => 1; }
}
"#;
    expect![[r#"
        3-34 module file.Shop.Model
        7-28 type Shop.Model.Cart
        14-14 method Cart.Cart
        15-15 method Cart.Cart
        16-23 method Cart.AddAsync
        24-24 method Cart.Name
        25-25 method Cart.operator ==
        27-27 method Cart.Pair
        29-29 interface Shop.Model.INamed
        29-29 method INamed.Name
        30-30 type Shop.Model.Suit
        31-31 type Shop.Model.Point
        32-32 alias Shop.Model.Op
        33-33 type Shop.Model.Money
        33-33 method Money.Cents
        9 field Cart.items
        10 field Cart.Limit
        11 field Cart.Size
        12 field Cart.Total
        13 field Cart.Changed
        29 field INamed.Count
        30 field Suit.Hearts
        30 field Suit.Clubs
        9 New List
        11 Call Start
        12 Call items.Sum
        12 Call x.Price
        14 Call Init
        21 Call Helper
        1 import System.Text
        2 import static System.Math
    "#]]
    .assert_eq(&found("Tests/A.cs", source));

    let source = "namespace Shop.Model;\npublic class Cart { void Add() { } }\npublic enum Suit { Hearts }\n";
    expect![[r#"
        1-3 module file.Shop.Model
        2-2 type Shop.Model.Cart
        2-2 method Cart.Add
        3-3 type Shop.Model.Suit
        3 field Suit.Hearts
    "#]]
    .assert_eq(&found("A.cs", source));
}
