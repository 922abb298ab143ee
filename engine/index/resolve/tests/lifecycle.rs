//! What runners call around tests.

use super::check;

#[test]
fn junit_and_testng_call_what_a_class_and_those_above_it_set_up() {
    check(
        "\
//- src/test/java/a/Base.java
package a;

import org.junit.Before;

abstract class Base {
  @Before public void open() {}
  @Before public void fill() {}
  @Before public void helper(int n) {}
  void plain() {}
}
//- src/test/java/a/ShopTest.java
package a;

import org.junit.*;

class ShopTest extends Base {
  @BeforeClass public static void once() {}
  @After public void close() {}
  @Override public void fill() {}
  @Test public void sells() {}
  void notOne() {}

  @Nested
  class Empty {
    @BeforeEach void clear() {}
    @Test void refuses() {}
  }

  static class Other {
    @Test void alone() {}
  }
}
//- src/test/java/a/OldTest.java
package a;

class OldTest extends junit.framework.TestCase {
  protected void setUp() {}
  public void testOld() {}
}
//- src/test/java/a/AllTest.java
package a;

import org.testng.annotations.*;

@Test(groups = \"fast\")
public class AllTest {
  @BeforeMethod public void reset() {}
  @DataProvider public Object[][] rows() { return null; }
  public void adds() {}
  public int counts() { return 1; }
  void helps() {}
}
",
        "\
src/test/java/a/AllTest.java:9 calls src/test/java/a/AllTest.java#AllTest.reset, exact
src/test/java/a/OldTest.java:5 calls src/test/java/a/OldTest.java#OldTest.setUp, exact
src/test/java/a/ShopTest.java:8 implements src/test/java/a/Base.java#Base.fill, exact
src/test/java/a/ShopTest.java:9 calls src/test/java/a/Base.java#Base.helper, exact
src/test/java/a/ShopTest.java:9 calls src/test/java/a/Base.java#Base.open, exact
src/test/java/a/ShopTest.java:9 calls src/test/java/a/ShopTest.java#ShopTest.close, exact
src/test/java/a/ShopTest.java:9 calls src/test/java/a/ShopTest.java#ShopTest.fill, exact
src/test/java/a/ShopTest.java:9 calls src/test/java/a/ShopTest.java#ShopTest.once, exact
src/test/java/a/ShopTest.java:15 calls src/test/java/a/Base.java#Base.helper, exact
src/test/java/a/ShopTest.java:15 calls src/test/java/a/Base.java#Base.open, exact
src/test/java/a/ShopTest.java:15 calls src/test/java/a/ShopTest.java#ShopTest.Empty.clear, exact
src/test/java/a/ShopTest.java:15 calls src/test/java/a/ShopTest.java#ShopTest.close, exact
src/test/java/a/ShopTest.java:15 calls src/test/java/a/ShopTest.java#ShopTest.fill, exact
src/test/java/a/ShopTest.java:15 calls src/test/java/a/ShopTest.java#ShopTest.once, exact",
    );
}

#[test]
fn unittest_and_pytest_call_what_a_class_a_module_and_the_folders_above_set_up() {
    check(
        "\
//- tests/conftest.py
import pytest

@pytest.fixture(autouse=True)
def quiet(): pass

@pytest.fixture
def asked(): pass
//- tests/base.py
class Base:
    def setUp(self): pass
    def tearDown(self): pass
    def helper(self): pass
//- tests/test_shop.py
import unittest
from tests.base import Base

def setup_module(): pass

class TestShop(Base, unittest.TestCase):
    def setUp(self): pass

    @classmethod
    def setUpClass(cls): pass

    def test_sells(self): pass

def test_alone(): pass
//- tests/test_places.py
from tests.test_shop import TestShop

def setup_method(): pass
def setup_function(): pass
def tearDown(): pass

class TestPlain:
    def setUp(self): pass
    def setup_module(self): pass
    def setup_method(self): pass
    def test_plain(self): pass

class TestBelow(TestShop):
    def test_below(self): pass

def test_outside(): pass
",
        "\
tests/test_places.py:11 calls tests/conftest.py#quiet, exact
tests/test_places.py:11 calls tests/test_places.py#TestPlain.setup_method, exact
tests/test_places.py:14 calls tests/base.py#Base.tearDown, exact
tests/test_places.py:14 calls tests/conftest.py#quiet, exact
tests/test_places.py:14 calls tests/test_shop.py#TestShop.setUp, exact
tests/test_places.py:14 calls tests/test_shop.py#TestShop.setUpClass, exact
tests/test_places.py:16 calls tests/conftest.py#quiet, exact
tests/test_places.py:16 calls tests/test_places.py#setup_function, exact
tests/test_shop.py:7 implements tests/base.py#Base.setUp, exact
tests/test_shop.py:12 calls tests/base.py#Base.tearDown, exact
tests/test_shop.py:12 calls tests/conftest.py#quiet, exact
tests/test_shop.py:12 calls tests/test_shop.py#TestShop.setUp, exact
tests/test_shop.py:12 calls tests/test_shop.py#TestShop.setUpClass, exact
tests/test_shop.py:12 calls tests/test_shop.py#setup_module, exact
tests/test_shop.py:14 calls tests/conftest.py#quiet, exact
tests/test_shop.py:14 calls tests/test_shop.py#setup_module, exact",
    );
}

#[test]
fn a_fixture_is_asked_for_by_the_name_that_it_was_given() {
    check(
        "\
//- conftest.py
import pytest
from shop import Shop

@pytest.fixture(scope=\"module\", name = 'market')
def _market() -> Shop:
    return Shop()
//- shop.py
class Shop:
    def sell(self): pass
//- test_shop.py
import pytest

class TestShop:
    @pytest.fixture(name=\"till\")
    def make_till(self): pass

    def test_pays(self, till, make_till): pass

def test_sells(market):
    market.sell()

def test_other(_market): pass
",
        "\
conftest.py:6 calls shop.py#Shop, exact
test_shop.py:7 calls test_shop.py#TestShop.make_till, exact
test_shop.py:9 calls conftest.py#_market, exact
test_shop.py:10 calls shop.py#Shop.sell, qualified",
    );
}
