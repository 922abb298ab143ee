//! Java.

use super::check;

#[test]
fn imports_lead_through_packages_wherever_their_files_lie() {
    check(
        "\
//- core/src/main/java/org/shop/Cart.java
package org.shop;

public class Cart {
  public static class Line { public void drop() {} }
  public static int limit() { return 1; }
  void inPackage() {}
}
//- core/src/test/java/org/shop/CartTest.java
package org.shop;

class CartTest {
  void a() { new Cart().inPackage(); }
}
//- web/src/main/java/org/web/Page.java
package org.web;

import java.util.List;
import org.shop.*;
import org.shop.Cart.Line;
import static org.shop.Cart.limit;

class Page {
  void show(Cart cart, Line line, org.shop.Cart.Line other) {
    limit();
    line.drop();
    other.drop();
    cart.inPackage();
    List.of().size();
  }
}
",
        "\
core/src/test/java/org/shop/CartTest.java:4 calls core/src/main/java/org/shop/Cart.java#Cart, exact
core/src/test/java/org/shop/CartTest.java:4 calls core/src/main/java/org/shop/Cart.java#Cart.inPackage, qualified
web/src/main/java/org/web/Page.java:10 calls core/src/main/java/org/shop/Cart.java#Cart.limit, exact
web/src/main/java/org/web/Page.java:11 calls core/src/main/java/org/shop/Cart.java#Cart.Line.drop, qualified
web/src/main/java/org/web/Page.java:12 calls core/src/main/java/org/shop/Cart.java#Cart.Line.drop, qualified
web/src/main/java/org/web/Page.java:13 calls core/src/main/java/org/shop/Cart.java#Cart.inPackage, qualified",
    );
}

#[test]
fn bare_names_are_members_of_the_types_around_and_above() {
    check(
        "\
//- A.java
package a;

class Base {
  Item item;
  void inherited() {}
  static class Item { void use() {} }
}

class Outer extends Base {
  void own() {}
  void f() {
    own();
    inherited();
    item.use();
    int own = 1;
    own();
    Runnable r = new Runnable() {
      public void run() { own(); inherited(); missing(); }
    };
    class Local { void g() { own(); this.g(); Outer.this.f(); } }
    new Local().g();
  }
  class Inner extends java.util.ArrayList {
    void h() { own(); add(1); }
  }
}
",
        "\
A.java:12 calls A.java#Outer.own, exact
A.java:13 calls A.java#Base.inherited, exact
A.java:14 calls A.java#Base.Item.use, qualified
A.java:16 calls A.java#Outer.own, exact
A.java:18 calls A.java#Base.inherited, unique
A.java:18 calls A.java#Outer.own, unique
A.java:20 calls A.java#Outer.f, qualified
A.java:20 calls A.java#Outer.f.Local.g, exact
A.java:20 calls A.java#Outer.own, exact
A.java:21 calls A.java#Outer.f.Local, exact
A.java:21 calls A.java#Outer.f.Local.g, qualified
A.java:24 calls A.java#Outer.own, unique",
    );
}

#[test]
fn overloads_are_told_apart_by_what_they_are_given() {
    check(
        "\
//- A.java
package a;

import java.util.*;

class Base { void f(List<String> x) {} }
interface Job { void run(Base b); }

class A extends Base {
  void f() {}
  void f(int x) {}
  void f(Object x) {}
  void f(String x) {}
  void f(A x) {}
  void f(String x, Object... rest) {}
  void f(Job job) {}
  void g(String s, A a, Base b, Integer boxed, unknown.Thing t) {
    f();
    f(1);
    f(s + 1);
    f(this);
    f(b);
    f(boxed);
    f(new ArrayList<String>());
    f(s, a, b);
    f(x -> x.f(null));
    f(t.size());
    f('c');
  }
}
",
        "\
A.java:17 calls A.java#A.f, exact
A.java:18 calls A.java#A.~2.f, exact
A.java:19 calls A.java#A.~4.f, exact
A.java:20 calls A.java#A.~5.f, exact
A.java:21 calls A.java#A.~3.f, exact
A.java:22 calls A.java#A.~3.f, exact
A.java:23 calls A.java#Base.f, exact
A.java:24 calls A.java#A.~6.f, exact
A.java:25 calls A.java#A.~7.f, exact
A.java:25 calls A.java#Base.f, qualified
A.java:27 calls A.java#A.~2.f, exact
A.java: f unknown",
    );
}

#[test]
fn instances_are_made_by_constructors() {
    check(
        "\
//- A.java
package a;

class Base { Base(String s) {} Base(int n) { this(\"\" + n); } }
class Plain {}
class A extends Base {
  A() { super(1); }
  void f() {
    new A();
    new Plain();
    new Base(\"x\") { void g() {} };
  }
}
enum Level { LOW(1), HIGH(\"h\") { int v() { return 2; } }; Level(int n) {} Level(String s) {} int v() { return 1; } }
record Pair(A left, int n) { Pair(A left) { this(left, 0); } int v() { left().f(); return n; } }
class Use { void f(Pair p) { Level.HIGH.v(); p.left().f(); new Pair(null, 1); new Pair(null); } }
class Free { Free() {} Free(int n) { this(); } Free(String... all) { super(); } }
class Bare extends Free {}
class Next extends Bare {
  Next() {}
  Next(int n) { this(); }
  Free in() { return new Free() {}; }
}
",
        "\
A.java:3 calls A.java#Base.Base, exact
A.java:6 calls A.java#Base.~2.Base, exact
A.java:8 calls A.java#A.A, exact
A.java:9 calls A.java#Plain, exact
A.java:10 calls A.java#Base.Base, exact
A.java:13 calls A.java#Level.Level, exact
A.java:13 calls A.java#Level.~2.Level, exact
A.java:13 implements A.java#Level.v, exact
A.java:14 calls A.java#A.f, qualified
A.java:14 calls A.java#Pair, exact
A.java:15 calls A.java#A.f, qualified
A.java:15 calls A.java#Level.v, qualified
A.java:15 calls A.java#Pair, exact
A.java:15 calls A.java#Pair.Pair, exact
A.java:16 calls A.java#Free.Free, exact
A.java:17 calls A.java#Free.Free, exact
A.java:19 calls A.java#Free.Free, exact
A.java:20 calls A.java#Next.Next, exact
A.java:21 calls A.java#Free.Free, exact",
    );
}

#[test]
fn methods_stand_in_for_those_above_that_take_the_same() {
    check(
        "\
//- A.java
package a;

import java.util.function.*;

interface Shape<T> { void draw(T on); void draw(int n); default void fill() {} }
abstract class Base implements Shape<String> { public void draw(int n) {} }
class Square extends Base {
  public void draw(String on) { super.draw(1); Square.super.draw(2); super.fill(); }
  public void fill(int much) {}
}
class Use {
  <T extends Base> T pick(T one, Supplier<T> other) { return one; }
  void f(Function<Square, Base> g, java.util.Map<String, Square> all) {
    pick(new Square(), () -> null).draw(\"x\");
    g.apply(null).draw(1);
    for (var each : all.entrySet()) each.getValue().fill();
    all.values().forEach(s -> s.draw(2));
    all.values().forEach(Square::fill);
  }
}
",
        "\
A.java:6 implements A.java#Shape, exact
A.java:6 implements A.java#Shape.~2.draw, exact
A.java:8 calls A.java#Base.draw, exact
A.java:8 calls A.java#Shape.fill, exact
A.java:8 implements A.java#Shape.draw, qualified
A.java:14 calls A.java#Square, exact
A.java:14 calls A.java#Square.draw, qualified
A.java:14 calls A.java#Use.pick, exact
A.java:15 calls A.java#Base.draw, qualified
A.java:16 calls A.java#Shape.fill, qualified
A.java:17 calls A.java#Base.draw, qualified
A.java:18 calls A.java#Shape.fill, among_2
A.java:18 calls A.java#Square.fill, among_2",
    );
}

#[test]
fn methods_that_tools_write_show_their_fields() {
    check(
        "\
//- A.java
package a;

@lombok.Data
class Person { private Home home; private boolean open; }
class Home { void enter() {} }
class Nodes extends java.util.ArrayList<Home> {}
class Use {
  void f(Person p, Nodes all) {
    p.getHome().enter();
    p.setHome(null);
    p.isOpen();
    all.get(0).enter();
    for (var each : all) each.enter();
    all.forEach(each -> each.enter());
  }
}
",
        "\
A.java:9 calls A.java#Home.enter, qualified
A.java:12 calls A.java#Home.enter, qualified
A.java:13 calls A.java#Home.enter, qualified
A.java:14 calls A.java#Home.enter, qualified",
    );
}

#[test]
fn private_members_are_not_taken_over() {
    check(
        "\
//- a/Base.java
package a;

public class Base {
  private void save(String s) {}
  private void log(String s) {}
  private void own(int n) {}
  void near() {}
  static void all() {}
  public void open() {}
}
class Sub extends Base {
  void save(Object o) {}
  void own(int n) {}
  static void all() {}
  void m() { save(\"x\"); near(); }
}
class Outer {
  void log(String s) {}
  class In extends Base { void q() { log(\"x\"); } }
  Other item;
  class Box extends Held { void q() { item.run(); free.run(); this.free.stop(); } }
  class Own extends Base { private Other item; void q() { this.item.stop(); } }
}
class Held {
  private Item item;
  Item free;
  void own() { item.run(); }
}
class Lone extends Held { void q() { item.run(); } }
class Item { void run() {} void stop() {} }
class Other { void run() {} void stop() {} }
//- b/Far.java
package b;

class Far extends a.Base {
  void near() {}
  public void open() {}
}
",
        "\
a/Base.java:15 calls a/Base.java#Base.near, exact
a/Base.java:15 calls a/Base.java#Sub.save, exact
a/Base.java:19 calls a/Base.java#Outer.log, exact
a/Base.java:21 calls a/Base.java#Item.run, qualified
a/Base.java:21 calls a/Base.java#Item.stop, qualified
a/Base.java:21 calls a/Base.java#Other.run, qualified
a/Base.java:22 calls a/Base.java#Other.stop, qualified
a/Base.java:27 calls a/Base.java#Item.run, qualified
b/Far.java:5 implements a/Base.java#Base.open, exact
a/Base.java: run unknown",
    );
}

#[test]
fn what_is_not_known_of_a_value_rules_out_no_overload() {
    check(
        "\
//- S.java
package a;

import static org.mock.Any.any;

interface I {}
class U { static <T> T pick() { return null; } }
class A extends GenBase {}
class B extends java.util.ArrayList<String> {}
class S {
  void emit(I i) {}
  void emit(Object o) {}
  <T> void f(S s, T t) {
    s.emit(any());
    s.emit(U.pick());
    s.emit(new A());
    s.emit(new B());
    s.emit(t);
  }
}
",
        "\
S.java:13 calls S.java#S.emit, among_2
S.java:13 calls S.java#S.~2.emit, among_2
S.java:14 calls S.java#S.emit, among_2
S.java:14 calls S.java#S.~2.emit, among_2
S.java:14 calls S.java#U.pick, exact
S.java:15 calls S.java#A, exact
S.java:15 calls S.java#S.emit, among_2
S.java:15 calls S.java#S.~2.emit, among_2
S.java:16 calls S.java#B, exact
S.java:16 calls S.java#S.~2.emit, qualified
S.java:17 calls S.java#S.~2.emit, qualified",
    );
}

#[test]
fn values_of_types_that_are_not_known_are_not_found_by_names() {
    check(
        "\
//- q/Foo.kt
package q

class Foo
//- q/F.java
package q;

class F {
  Foo field;
  void f(Foo foo, Foo<String> many) {
    Foo.helpMe();
    new Foo().helpYou();
    foo.helpThem();
    field.helpThem();
    many.helpThem();
    var made = new Foo();
    made.helpThem();
    unsaid().helpUs();
  }
}
//- q/Z.java
package q;

class Z {
  static void helpMe() {}
  void helpYou() {}
  void helpThem() {}
  void helpUs() {}
}
",
        "\
q/F.java:13 calls q/Z.java#Z.helpUs, unique
q/F.java: Foo unknown
q/F.java: helpMe unknown
q/F.java: helpThem unknown
q/F.java: helpYou unknown",
    );
}

#[test]
fn types_from_outside_that_have_one_name_are_told_apart_by_their_packages() {
    check(
        "\
//- A.java
package a;

import java.util.Date;

class Base {
  void at(Date d) {}
  void on(Date d) {}
}
class A extends Base {
  void at(java.sql.Date d) {}
  void on(java.util.Date d) {}
  void to(java.sql.Date d) {}
  void to(Date d) {}
  void f(Date d) {
    at(d);
    on(d);
    to(d);
  }
}
",
        "\
A.java:11 implements A.java#Base.on, qualified
A.java:15 calls A.java#A.at, among_2
A.java:15 calls A.java#Base.at, among_2
A.java:16 calls A.java#A.on, exact
A.java:17 calls A.java#A.to, among_2
A.java:17 calls A.java#A.~2.to, among_2",
    );
}
