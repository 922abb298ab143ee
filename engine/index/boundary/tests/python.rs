//! Python.

use super::{check, check_only};

#[test]
fn what_python_shows_and_needs() {
    check(
        "\
//- pyproject.toml
[project]
name = \"my-store\"
version = \"1.4\"
dependencies = [
    \"http_client[fast]>=1.2,<2 ; python_version > '3'\",
]

[project.optional-dependencies]
dev = [\"pytest\"]
//- my_store/__init__.py
from .store import Store
from http_client import Client as Remote
//- my_store/store.py
import os
import http_client
import http_client.errors
from http_client import Client, Reply
from http_client.pool import make_pool as pool
from typing import Optional

LIMIT = http_client.LIMIT


class Store(http_client.Base):
    def __init__(self, client: Client):
        self.client = client
        self.pool = pool()

    def send(self) -> Optional[Reply]:
        os.getcwd()
        reply = self.client.get(\"x\")
        reply.check()
        self.pool.close()
        self.retry()
        http_client.errors.fail()
        for each in self.all():
            each.touch()
        return reply

    def all(self) -> list[Reply]:
        return []


def connect() -> Client:
    with http_client.open() as client:
        client.ping()
    return Client()
//- main.py
from my_store import Store, store


def main():
    store.connect().close()
    Store(None).send().done()
",
        "\
package pypi my-store 1.4 in \"\"
need pypi http-client \">=1.2,<2\" in \"\":5
need pypi pytest \"\" in \"\":9
module pypi my_store is my_store/__init__.py
module pypi my_store.store is my_store/store.py
member [my_store/__init__.py].Remote is <pypi http_client>.Client
member [my_store/__init__.py].Store is my_store/store.py#Store
member [my_store/__init__.py].store is [my_store/store.py]
member [my_store/store.py].Client is <pypi http_client>.Client
member [my_store/store.py].LIMIT is my_store/store.py#LIMIT
member [my_store/store.py].Reply is <pypi http_client>.Reply
member [my_store/store.py].Store is my_store/store.py#Store
member [my_store/store.py].connect is my_store/store.py#connect
member [my_store/store.py].http_client is <pypi http_client>
member [my_store/store.py].pool is <pypi http_client.pool>.make_pool
member my_store/store.py#Store.__init__ is my_store/store.py#Store.__init__
member my_store/store.py#Store.all is my_store/store.py#Store.all
member my_store/store.py#Store.client is <pypi http_client>.Client{}
member my_store/store.py#Store.pool is <pypi http_client.pool>.make_pool()
member my_store/store.py#Store.send is my_store/store.py#Store.send
type my_store/store.py#LIMIT is <pypi http_client>.LIMIT
type my_store/store.py#Store.send is <pypi http_client>.Reply{}
type my_store/store.py#Store.all is <pypi http_client>.Reply{}[]
type my_store/store.py#connect is <pypi http_client>.Client{}
super my_store/store.py#Store is <pypi http_client>.Base
import my_store/__init__.py:2 in \"\": <pypi http_client>.Client
import my_store/store.py:2 in \"\": <pypi http_client>
import my_store/store.py:3 in \"\": <pypi http_client>
import my_store/store.py:3 in \"\": <pypi http_client.errors>
import my_store/store.py:4 in \"\": <pypi http_client>.Client
import my_store/store.py:4 in \"\": <pypi http_client>.Reply
import my_store/store.py:5 in \"\": <pypi http_client.pool>.make_pool
call main.py:5 in \"main\": <pypi http_client>.Client{}.close
call main.py:6 in \"main\": <pypi http_client>.Reply{}.done
reference my_store/store.py:8 in \"LIMIT\": <pypi http_client>
reference my_store/store.py:8 in \"LIMIT\": <pypi http_client>.LIMIT
reference my_store/store.py:11 in \"Store\": <pypi http_client>
reference my_store/store.py:11 in \"Store\": <pypi http_client>.Base
extends my_store/store.py:11 in \"Store\": <pypi http_client>.Base
reference my_store/store.py:12 in \"Store.__init__\": <pypi http_client>.Client
call my_store/store.py:14 in \"Store.__init__\": <pypi http_client.pool>.make_pool
reference my_store/store.py:16 in \"Store.send\": <pypi http_client>.Reply
implements my_store/store.py:16 in \"Store.send\": <pypi http_client>.Base.send
call my_store/store.py:18 in \"Store.send\": <pypi http_client>.Client{}.get
call my_store/store.py:19 in \"Store.send\": <pypi http_client>.Client{}.get().check
call my_store/store.py:20 in \"Store.send\": <pypi http_client.pool>.make_pool().close
call my_store/store.py:21 in \"Store.send\": my_store/store.py#Store{}.retry
call my_store/store.py:22 in \"Store.send\": <pypi http_client>.errors.fail
reference my_store/store.py:22 in \"Store.send\": <pypi http_client>
reference my_store/store.py:22 in \"Store.send\": <pypi http_client>.errors
call my_store/store.py:24 in \"Store.send\": <pypi http_client>.Reply{}.touch
reference my_store/store.py:27 in \"Store.all\": <pypi http_client>.Reply
implements my_store/store.py:27 in \"Store.all\": <pypi http_client>.Base.all
reference my_store/store.py:31 in \"connect\": <pypi http_client>.Client
call my_store/store.py:32 in \"connect\": <pypi http_client>.open
reference my_store/store.py:32 in \"connect\": <pypi http_client>
call my_store/store.py:33 in \"connect\": <pypi http_client>.open().ping
call my_store/store.py:34 in \"connect\": <pypi http_client>.Client
",
    );
}

#[test]
fn where_tools_look_for_modules_is_not_where_others_find_them() {
    check_only(
        &["package", "need", "module"],
        "\
//- pyproject.toml
[project]
name = \"My_Store\"
dependencies = [\"Jinja2\"]

[tool.setuptools]
package-dir = { \"\" = \"src\" }

[tool.pytest.ini_options]
pythonpath = [\"checks\"]
//- src/one.py
def one(): ...
//- checks/helpers.py
def helper(): ...
//- inner/pyproject.toml
[project]
name = \"inner\"
classifiers = [\"Private :: Do Not Upload\"]
//- inner/inner/__init__.py
def two(): ...
",
        "
package pypi my-store - in \"\"
need pypi jinja2 \"\" in \"\":3
module pypi one is src/one.py
",
    );
}

#[test]
fn one_module_is_tried_after_another() {
    check_only(
        &["import", "call"],
        "\
//- pyproject.toml
[project]
name = \"app\"
//- app/__init__.py
try:
    import simplejson as json
except ImportError:
    import json

try:
    from yaml import CLoader as Loader
except ImportError:
    from yaml import Loader

def load(text):
    json.loads(text)
    return Loader(text)
",
        "
import app/__init__.py:2 in \"\": <pypi simplejson>
import app/__init__.py:7 in \"\": <pypi yaml>.CLoader
import app/__init__.py:9 in \"\": <pypi yaml>.Loader
call app/__init__.py:13 in \"load\": <pypi yaml>.CLoader, of site 1 by rank 0
call app/__init__.py:13 in \"load\": <pypi yaml>.Loader, of site 1 by rank 0
",
    );
}

#[test]
fn lists_of_requirements_are_read_with_and_without_a_package() {
    check_only(
        &["package", "need"],
        "\
//- setup.cfg
[metadata]
name = store
//- requirements.txt
# What it needs.
-r more.txt
oslo.utils>=7.0.0 # Apache-2.0
requests[socks] ~= 2.0 ; python_version < '4'
named @ https://host.example/named.zip
git+https://host.example/other.git
./local
libs/mypkg
requests are answered within 2 s
click==8.1 \\
    --hash=sha256:0123
six==1.16 --hash=sha256:4567
-r \\
other.txt
//- site/requirements.txt
Django
//- site/requirements-dev.txt
pytest
",
        "
package pypi store - in \"\"
need pypi click \"==8.1\" in \"\":10
need pypi named \"@ https://host.example/named.zip\" in \"\":5
need pypi oslo-utils \">=7.0.0\" in \"\":3
need pypi requests \"~= 2.0\" in \"\":4
need pypi six \"==1.16\" in \"\":12
need pypi django \"\" in \"site\":1
",
    );
}

#[test]
fn a_program_that_is_a_manifest_says_what_is_written_in_it() {
    check_only(
        &["package", "need", "module"],
        "\
//- setup.py
from setuptools import setup

author_name = \"nobody\"
setup(author_name=\"me\", name = 'acme-lib', version=\"1.2\", packages=[\"acme\"], install_requires=[\"requests>=2\"])
//- acme/__init__.py
def run():
    pass
//- other/setup.py
import setuptools
NAME = \"x\"
setuptools.setup(name=NAME, version=\"3\", ext_modules=[Extension(name=\"fast\")])
//- more/setup.py
def setup(name=\"def\"):
    return Extension(name=\"pre\")
# setup(name=\"old\")
setup(
    # name=\"old\"
    description=\"name='none', \",
    name=\"acme-\" + SUFFIX,
)
Extension(name=\"behind\")
//- tools/setup.py
\"\"\"Runs setup(), as in setup(name='doc').\"\"\"
# It's a comment.
setup(description='It\\'s', long=\"\"\"a 5\" disk\"\"\", name='acme-tools')
",
        "
package pypi acme-lib 1.2 in \"\"
package pypi acme-tools - in \"tools\"
need pypi requests \">=2\" in \"\":4
module pypi acme is acme/__init__.py
",
    );
}
