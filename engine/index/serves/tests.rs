//! Requests of small repositories and what serves them.

use crate::fixture::base;

/// Every request that is served, a line each: its place, method and path of the route, what serves it, and how sure that is.
pub(super) fn served(repository: &str) -> String {
    let base = base(repository);
    let path = |node| base.path(base.file_of(node)).to_owned();
    let mut lines: Vec<(String, u32, String)> = Vec::new();
    for row in base.served() {
        let site = base.sites().find(|site| (site.from, site.to, site.line) == (row.from, row.to, row.line)).expect("a site");
        lines.push((path(row.from), row.line, format!("{} by {}, {}", row.text, base.id(row.to), site.confidence.name())));
    }
    lines.sort();
    let lines: Vec<String> = lines.iter().map(|(path, line, text)| format!("{path}:{line} {text}")).collect();
    lines.join("\n")
}

#[track_caller]
pub(super) fn check(repository: &str, expected: &str) {
    assert_eq!(served(repository), expected.trim_end());
}

#[test]
fn a_request_is_served_by_the_route_of_another_language() {
    check(
        "\
//- server/main.go
package main

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc(\"POST /api/login\", login)
	mux.HandleFunc(\"GET /api/users/{id}\", user)
	mux.HandleFunc(\"GET /api/users/me\", me)
	mux.HandleFunc(\"/api/files/\", func(w http.ResponseWriter, r *http.Request) {})
}

func login(w http.ResponseWriter, r *http.Request) {}
func user(w http.ResponseWriter, r *http.Request) {}
func me(w http.ResponseWriter, r *http.Request) {}
//- web/client.ts
export async function signIn() {
  await fetch(\"/api/login\", { method: \"POST\" });
  await fetch(\"/api/login\");
}
export const user = (id: string) => fetch(`${BASE}/api/users/${id}`);
export const me = () => fetch(\"/api/users/me\");
export const other = () => fetch(\"/api/other\");
//- web/send.ts
export const send = (host, path) => fetch(`${host}/api/${path}`);
//- tools/check.py
def check(options):
    requests.get(\"http://localhost:8080/api/users/7?full=1\")
    requests.request(\"POST\", \"/api/login\")
    cache.get(\"/api/users/7\")
",
        "\
tools/check.py:2 GET /api/users/{id} by server/main.go#user, unique
tools/check.py:3 POST /api/login by server/main.go#login, unique
web/client.ts:2 POST /api/login by server/main.go#login, unique
web/client.ts:5 GET /api/users/{id} by server/main.go#user, unique
web/client.ts:6 GET /api/users/me by server/main.go#me, unique
",
    );
}

#[test]
fn prefixes_are_joined_across_files() {
    check(
        "\
//- app/__init__.py
//- app/main.py
from fastapi import FastAPI
from app import items, users
from app.admin import router as admin

app = FastAPI()
app.include_router(items.router, prefix=\"/api/v1\")
app.include_router(users.router, prefix=settings.PREFIX)
app.include_router(admin, prefix=\"/admin\")
//- app/items.py
from fastapi import APIRouter

router = APIRouter(prefix=\"/items\")

@router.get(\"/{id}\")
def read_item(id): pass
//- app/users.py
from fastapi import APIRouter

router = APIRouter()

@router.get(\"/users/{id}\")
def read_user(id): pass

@router.get(\"/list\")
def list_users(): pass

@router.get(\"/me\")
def read_me(): pass

@router.post(\"/reset-password\")
def reset(): pass

@router.get(\"/users\")
def read_users(): pass

@router.get(\"/{name}\")
def read_name(name): pass
//- app/admin.py
from fastapi import APIRouter

router = APIRouter()

@router.delete(\"/items\")
def clear(): pass
//- tests/test_app.py
def test_all(client):
    client.get(\"/api/v1/items/7\")
    client.get(\"/items/7\")
    client.get(f\"{BASE}/users/7\")
    client.get(\"/api/users/list\")
    client.get(\"/api/orders/list\")
    client.delete(\"/admin/items\")
    client.get(f\"{settings.PREFIX}/me\")
    client.get(f\"{settings.PREFIX}/users\")
    client.post(f\"{settings.PREFIX}/reset-password\")
    client.get(f\"{settings.PREFIX}/{name}\")
    client.get(\"/me\")
",
        "\
tests/test_app.py:2 GET /api/v1/items/{id} by app/items.py#read_item, unique
tests/test_app.py:4 GET /users/{id} by app/users.py#read_user, unique
tests/test_app.py:5 GET …/list by app/users.py#list_users, among_2
tests/test_app.py:7 DELETE /admin/items by app/admin.py#clear, unique
tests/test_app.py:9 GET /users by app/users.py#read_users, unique
tests/test_app.py:10 POST …/reset-password by app/users.py#reset, among_2
tests/test_app.py:12 GET /me by app/users.py#read_me, unique
",
    );
    check(
        "\
//- go.mod
module example.com/shop
//- main.go
package main

import \"example.com/shop/items\"

func main() {
	r := gin.Default()
	items.Register(db, r.Group(\"/v1/items\"))
	r.GET(\"/v1/health\", health)
}

func health(c *gin.Context) {}
//- items/items.go
package items

type api struct{}

func Register(db DB, g *gin.RouterGroup) {
	a := api{}
	g.GET(\"/:id\", a.read)
	g.DELETE(\"/:id\", limit, a.remove)
}

func (a api) read(c *gin.Context) {}
func (a api) remove(c *gin.Context) {}
//- main_test.go
package main

func TestItems(t *testing.T) {
	req, _ := http.NewRequest(http.MethodDelete, \"/v1/items/7\", nil)
	httptest.NewRequest(\"GET\", \"/v1/items/7\", nil)
	httptest.NewRequest(\"GET\", \"/v1/health\", nil)
}
",
        "\
main_test.go:4 DELETE /v1/items/:id by items/items.go#api.remove, unique
main_test.go:5 GET /v1/items/:id by items/items.go#api.read, unique
main_test.go:6 GET /v1/health by main.go#health, unique
",
    );
    check(
        "\
//- src/app.ts
import express from \"express\";
import users from \"./users\";
import { login as signIn } from \"./auth\";

const app = express();
app.use(\"/users\", users);
app.post(\"/login\", signIn);
//- src/auth.ts
export function login(req, res) {}
//- src/users.ts
import { Router } from \"express\";

const router = Router();
router.route(\"/:id\").get(read);
function read(req, res) {}
export default router;
//- src/app.test.ts
it(\"answers\", async () => {
  await request(app).get(\"/users/7\");
  await request(app).post(\"/login\").send({});
});
",
        "\
src/app.test.ts:2 GET /users/:id by src/users.ts#read, unique
src/app.test.ts:3 POST /login by src/auth.ts#login, unique
",
    );
    check(
        "\
//- Cargo.toml
[package]
name = \"shop\"
//- src/main.rs
mod items;

fn app() -> Router {
    Router::new().nest(\"/items\", items::router()).route(\"/login\", post(login))
}

async fn login() {}

#[cfg(test)]
mod tests {
    #[test]
    fn serves() {
        Request::builder().uri(\"/items/7\").body(());
        Request::builder().method(\"POST\").uri(\"/login\").body(());
    }
}
//- src/items.rs
pub fn router() -> Router {
    Router::new().route(\"/{id}\", get(read))
}

async fn read() {}
",
        "\
src/main.rs:13 GET /items/{id} by src/items.rs#read, unique
src/main.rs:14 POST /login by src/main.rs#login, unique
",
    );
}

#[test]
fn what_is_unclear_is_no_link_or_says_so() {
    check(
        "\
//- a/app.py
app = Flask(__name__)

@app.route(\"/ping\")
def ping(): pass

@app.route(\"/\")
def index(): pass

@app.route(\"/<path:rest>\")
def rest(): pass
//- b/app.py
app = Flask(__name__)

@app.route(\"/ping\")
def ping(): pass
//- a/test_app.py
def test_ping(client):
    client.get(\"/ping\")
    client.get(\"/\")
    client.get(\"/anything/else\")
//- c/test_c.py
def test_ping(client):
    client.get(\"/ping\")
    client.get(\"/\")

def test_own(client):
    @app.route(\"/own\")
    def own(): pass
    client.get(\"/own\")

def test_other(client):
    client.get(\"/own\")
//- examples/one/app.py
@app.get(\"/shown\")
def shown(): pass
//- examples/one/test_one.py
def test_shown(client):
    client.get(\"/shown\")
    client.get(\"/ping\")
",
        "\
a/test_app.py:2 GET /ping by a/app.py#ping, among_2
a/test_app.py:3 GET / by a/app.py#index, unique
c/test_c.py:2 GET /ping by a/app.py#ping, among_2
c/test_c.py:2 GET /ping by b/app.py#ping, among_2
c/test_c.py:8 GET /own by c/test_c.py#test_own.own, unique
examples/one/test_one.py:2 GET /shown by examples/one/app.py#shown, unique
examples/one/test_one.py:3 GET /ping by a/app.py#ping, among_2
examples/one/test_one.py:3 GET /ping by b/app.py#ping, among_2
",
    );
}

#[test]
fn a_test_of_go_asks_what_it_can_reach() {
    check(
        "\
//- go.mod
module example.com/m
//- server/routes.go
package server

import \"example.com/m/guard\"

func Routes(mux *http.ServeMux) {
	mux.Handle(\"/me\", guard.Wrap(me))
	mux.HandleFunc(\"/api/{rest...}\", func(w http.ResponseWriter, r *http.Request) {})
}

func me(w http.ResponseWriter, r *http.Request) {}
//- guard/guard.go
package guard

func Wrap(next http.HandlerFunc) http.Handler { return next }
//- guard/guard_test.go
package guard

func TestWrap(t *testing.T) { httptest.NewRequest(\"GET\", \"/me\", nil) }
//- server/routes_test.go
package server

func TestMe(t *testing.T) { httptest.NewRequest(\"GET\", \"/me\", nil) }
//- server/resolve_test.go
package server

func TestResolve(t *testing.T) { resolve(httptest.NewRequest(\"GET\", \"/api/a\", nil)) }
//- server/all_test.go
package server

func serve() { Routes(http.NewServeMux()) }
func TestAll(t *testing.T) {
	serve()
	httptest.NewRequest(\"GET\", \"/api/a\", nil)
}
func TestOwn(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc(\"POST /api/own\", func(w http.ResponseWriter, r *http.Request) {})
	t.Run(\"method\", func(t *testing.T) { httptest.NewRequest(\"OPTIONS\", \"/api/own\", nil) })
}
",
        "\
server/all_test.go:6 GET /api/{rest...} by server/routes.go#Routes, unique
server/routes_test.go:3 GET /me by server/routes.go#me, unique
",
    );
}

#[test]
fn a_list_of_django_is_below_what_includes_it() {
    check(
        "\
//- shop/urls.py
from django.urls import include, path

from shop import views

api_urls = [
    path(\"items/<int:pk>/\", views.item),
    path(\"old/\", include([path(\"list/\", views.old)])),
]

urlpatterns = [
    path(\"v1/\", include(api_urls)),
    path(\"login/\", views.Login.as_view()),
]
//- site/urls.py
from django.urls import include, path

urlpatterns = [path(\"shop/\", include(\"shop.urls\"))]
//- shop/views.py
def item(request, pk): pass
def old(request): pass
class Login: pass
//- shop/tests/test_shop.py
class ShopTest(TestCase):
    def test_item(self):
        self.client.get(\"/shop/v1/items/7/\")
        self.client.get(\"/shop/v1/old/list/\")
        self.client.post(\"/shop/login/\")
",
        "\
shop/tests/test_shop.py:3 GET /shop/v1/items/<int:pk>/ by shop/views.py#item, unique
shop/tests/test_shop.py:4 GET /shop/v1/old/list/ by shop/views.py#old, unique
shop/tests/test_shop.py:5 POST /shop/login/ by shop/views.py#Login, unique
",
    );
}
