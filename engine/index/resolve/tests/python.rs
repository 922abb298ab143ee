//! Python.

use super::check;

#[test]
fn modules_are_files_and_folders_and_have_one_another_as_members() {
    check(
        "\
//- pyproject.toml
[project]
name = \"p\"
//- src/p/__init__.py
from .core import *
from . import util as tools
//- src/p/core.py
__all__ = [\"made\"]
def made(): pass
def hidden(): pass
//- src/p/util.py
def helped(): pass
//- space/inner/deep.py
def found(): pass
//- tests/test_p.py
import p
import p.util
from p import util
import space.inner.deep
from space.inner import deep as d
import helper

def use():
    p.made()
    p.hidden()
    p.tools.helped()
    p.util.helped()
    util.helped()
    space.inner.deep.found()
    d.found()
    p.core.hidden()
    helper.of_tests()
//- tests/helper.py
def of_tests(): pass
//- src/p/helper.py
def of_tests(): pass
",
        "\
tests/test_p.py:9 calls src/p/core.py#made, exact
tests/test_p.py:11 calls src/p/util.py#helped, exact
tests/test_p.py:12 calls src/p/util.py#helped, exact
tests/test_p.py:13 calls src/p/util.py#helped, exact
tests/test_p.py:14 calls space/inner/deep.py#found, exact
tests/test_p.py:15 calls space/inner/deep.py#found, exact
tests/test_p.py:16 calls src/p/core.py#hidden, exact
tests/test_p.py:17 calls tests/helper.py#of_tests, exact
tests/test_p.py: hidden unknown",
    );
}

#[test]
fn members_are_looked_for_in_one_supertype_after_another() {
    check(
        "\
//- a.py
class Top:
    def both(self): pass
    def only(self): pass
class Left(Top):
    pass
class Right(Top):
    def both(self): pass
class Mixin:
    def only(self): pass
class Bottom(Left, Right, Mixin):
    def go(self):
        self.both()
        super().both()
        super().only()
        super().missing()
class Outside(Foreign, Mixin):
    def go(self):
        super().only()
        super().other()
def other(self): pass
",
        "\
a.py:7 implements a.py#Top.both, exact
a.py:12 calls a.py#Right.both, exact
a.py:13 calls a.py#Right.both, exact
a.py:14 calls a.py#Top.only, exact
a.py:18 calls a.py#Mixin.only, exact",
    );
}

#[test]
fn values_have_the_types_that_annotations_constructors_and_protocols_say() {
    check(
        "\
//- a.py
from typing import Dict, Iterator, List, Optional, Union
class Item:
    def run(self): pass
class Other:
    def run(self): pass
class Box:
    item: Item
    def __init__(self, other: \"Other\", items: List[Item] = ()):
        self.other = other
        self.items = items
        self.by: Dict[str, Other] = {}
    def __enter__(self): return self.item
    def __iter__(self) -> Iterator[Other]: ...
    def __getitem__(self, at) -> Item: ...
    def __call__(self): return Other()
    @property
    def first(self) -> Optional[Item]: ...
def use(x: Union[Item, None], box=None, *rest):
    x.run()
    box.run()
    b = Box(Other())
    b.other.run()
    b.first.run()
    b[0].run()
    b().run()
    with b as entered: entered.run()
    for each in b: each.run()
    for i, each in enumerate(b.items): each.run()
    [each.run() for each in b.items]
    for key in b.by: key.run()
    for key, value in b.by.items(): value.run()
    sorted(b.items)[0].run()
    b.by.get(1).run()
    if isinstance(rest, Other): rest.run()
    b.items[1:][0].run()
class Sub(Box): pass
class Far(Sub, Outside): pass
def make(): return Sub(Far())
",
        "\
a.py:15 calls a.py#Other, exact
a.py:19 calls a.py#Item.run, qualified
a.py:21 calls a.py#Box, exact
a.py:21 calls a.py#Box.__init__, exact
a.py:21 calls a.py#Other, exact
a.py:22 calls a.py#Other.run, qualified
a.py:23 calls a.py#Item.run, qualified
a.py:24 calls a.py#Item.run, qualified
a.py:25 calls a.py#Other.run, qualified
a.py:26 calls a.py#Item.run, qualified
a.py:27 calls a.py#Other.run, qualified
a.py:29 calls a.py#Item.run, qualified
a.py:31 calls a.py#Other.run, qualified
a.py:32 calls a.py#Item.run, qualified
a.py:33 calls a.py#Other.run, qualified
a.py:34 calls a.py#Other.run, qualified
a.py:35 calls a.py#Item.run, qualified
a.py:38 calls a.py#Box.__init__, exact
a.py:38 calls a.py#Far, exact
a.py:38 calls a.py#Sub, exact
a.py: run unknown",
    );
}

#[test]
fn a_definition_in_a_function_is_meant_until_the_next_of_its_name() {
    check(
        "\
//- a.py
def use():
    def early(): late()
    class Part: pass
    Part()
    class Part:
        def again(self): Part()
    Part()
    def late(): pass
",
        "\
a.py:2 calls a.py#use.late, exact
a.py:4 calls a.py#use.Part, exact
a.py:6 calls a.py#use.~2.Part, exact
a.py:7 calls a.py#use.~2.Part, exact
",
    );
}

#[test]
fn what_stands_for_the_type_of_the_instance_is_that_type() {
    check(
        "\
//- a.py
import typing as t
T = t.TypeVar(\"T\", bound=\"Base\")
class Base:
    def run(self): pass
    def plain(self: Base) -> Base: ...
    def many[U: Sequence[int], V = Base](self: V, other: U) -> V: ...
    def __enter__(self: T) -> T: ...
    async def __aenter__(self: T) -> T: ...
    @classmethod
    def made(cls: Type[T], of: T) -> T: ...
    def same(self) -> \"Self | None\": ...
class Box(Base):
    def run(self): pass
def use(b: Box):
    with b as it: it.run()
    b.made(b).run()
    Box.made(b).run()
    b.plain().run()
    b.many(b).run()
async def wait(b: Box):
    async with b as it: it.run()
    b.same().run()
",
        "\
a.py:13 implements a.py#Base.run, exact
a.py:15 calls a.py#Box.run, qualified
a.py:16 calls a.py#Base.made, qualified
a.py:16 calls a.py#Box.run, qualified
a.py:17 calls a.py#Base.made, exact
a.py:17 calls a.py#Box.run, qualified
a.py:18 calls a.py#Base.plain, qualified
a.py:18 calls a.py#Base.run, qualified
a.py:19 calls a.py#Base.many, qualified
a.py:19 calls a.py#Box.run, qualified
a.py:21 calls a.py#Box.run, qualified
a.py:22 calls a.py#Base.same, qualified
a.py:22 calls a.py#Box.run, qualified
",
    );
}

#[test]
fn fixtures_give_parameters_from_the_class_the_module_and_the_folders_around() {
    check(
        "\
//- conftest.py
import pytest
class Client:
    def get(self): pass
@pytest.fixture
def client():
    yield Client()
@pytest.fixture
def far(): pass
//- tests/conftest.py
import pytest
@pytest.fixture
def client(client):
    client.get()
    return client
//- tests/test_a.py
import pytest
class TestA:
    @pytest.fixture
    def own(self): pass
    def test_a(self, client, own, far, tmp_path):
        client.get()
def helper(client): pass
",
        "\
conftest.py:6 calls conftest.py#Client, exact
tests/conftest.py:3 calls conftest.py#client, exact
tests/conftest.py:4 calls conftest.py#Client.get, qualified
tests/test_a.py:5 calls conftest.py#far, exact
tests/test_a.py:5 calls tests/conftest.py#client, exact
tests/test_a.py:5 calls tests/test_a.py#TestA.own, exact
tests/test_a.py:6 calls conftest.py#Client.get, qualified",
    );
}

#[test]
fn another_name_that_a_class_gives_to_a_function_is_a_member() {
    check(
        "\
//- shop.py
def free(n): pass

def told() -> Item: pass

class Item:
    def stop(self): pass

class Shop:
    def sell(self):
        return Item()

    buy = sell
    price = staticmethod(free)
    made = classmethod(told)
    given = free
    limit = 5
    kind = Item
    own = sell
    first = free
    first = None

    def __init__(self, free):
        self.own = free

    def run(self):
        self.buy()
        self.own()

class Sub(Shop):
    def given(self): pass
//- use.py
from shop import Shop, Sub

def use(shop: Shop, sub: Sub):
    shop.buy()
    shop.price(1)
    sub.price(1)
    sub.given()
    Shop.given(1)
    shop.buy().stop()
    shop.made().stop()
    shop.kind()
    shop.own()
    shop.first()
//- shop_tests.py
from shop import free

class Bot:
    act = free
    other = free

def use(bot: Bot):
    bot.act = print
    bot.act()
    bot.other()
",
        "\
shop.py:10 calls shop.py#Item, exact
shop.py:26 calls shop.py#Shop.sell, qualified
shop_tests.py:10 calls shop.py#free, qualified
use.py:4 calls shop.py#Shop.sell, qualified
use.py:5 calls shop.py#free, qualified
use.py:6 calls shop.py#free, qualified
use.py:7 calls shop.py#Sub.given, qualified
use.py:8 calls shop.py#free, qualified
use.py:9 calls shop.py#Item.stop, qualified
use.py:9 calls shop.py#Shop.sell, qualified
use.py:10 calls shop.py#Item.stop, qualified
use.py:10 calls shop.py#told, qualified",
    );
}

#[test]
fn a_field_that_is_from_outside_in_one_place_is_not_known_by_a_name_alone() {
    check(
        "\
//- jar.py
from http.cookiejar import CookieJar

class Cookies:
    def __init__(self, given=None):
        if given is None:
            self.jar = CookieJar()
        else:
            self.jar = given
        self.kept = None
        self.kept = given

    def extract(self, response):
        self.jar.extract(response)

    def keep(self):
        self.kept.extract(1)
",
        "jar.py:16 calls jar.py#Cookies.extract, unique",
    );
}
