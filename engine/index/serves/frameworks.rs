//! Frameworks whose routes are put together across files.

use super::tests::check;

#[test]
fn a_view_set_serves_by_its_methods() {
    check(
        "\
//- site/urls.py
from django.urls import include, re_path

urlpatterns = [re_path(r\"^api/\", include(\"shop.urls\"))]
//- shop/urls.py
from rest_framework.routers import DefaultRouter
from shop.views import ItemViewSet, LineViewSet, PageViewSet, ShopViewSet, UserViewSet, users

router = DefaultRouter()
router.register(r\"users\", UserViewSet)
router.register(\"pages\", PageViewSet)
router.register(\"items\", ItemViewSet)
router.register(\"lines\", LineViewSet)
router.register(\"shops\", ShopViewSet)

urlpatterns = [path(\"people/\", users)]
urlpatterns += router.urls
//- shop/views.py
from rest_framework.decorators import action, api_view

class UserViewSet(ModelViewSet):
    def list(self, request): pass

    @action(detail=True, methods=[\"post\"], url_path=\"set-password\")
    def set_password(self, request, pk=None): pass

class Passing(GenericAPIView): pass

class PageViewSet(Passing, ViewSet):
    def list(self, request): pass

class ItemViewSet(mixins.ListModelMixin, ReadOnlyModelViewSet): pass

class Base(mixins.CreateModelMixin, GenericViewSet):
    def list(self, request): pass

class LineViewSet(Base): pass
class ShopViewSet(OurOwnViewSet): pass

@api_view([\"GET\"])
def users(request): pass
//- shop/tests/test_users.py
class UserTest(TestCase):
    def test_users(self):
        self.client.get(\"/api/users/\")
        self.client.delete(\"/api/users/7/\")
        self.client.post(\"/api/users/7/set-password/\")
        self.client.get(\"/api/people/\")
        self.client.post(\"/api/people/\")
        self.client.get(\"/api/pages/\")
        self.client.delete(\"/api/pages/7/\")
        self.client.get(\"/api/items/7/\")
        self.client.post(\"/api/items/\")
        self.client.get(\"/api/lines/\")
        self.client.post(\"/api/lines/\")
        self.client.get(\"/api/lines/7/\")
        self.client.delete(\"/api/shops/7/\")
",
        "\
shop/tests/test_users.py:3 GET /api/users by shop/views.py#UserViewSet.list, unique
shop/tests/test_users.py:4 DELETE /api/users/{pk}/ by shop/views.py#UserViewSet, unique
shop/tests/test_users.py:5 POST /api/users/{pk}/set-password by shop/views.py#UserViewSet.set_password, unique
shop/tests/test_users.py:6 GET /api/people/ by shop/views.py#users, unique
shop/tests/test_users.py:8 GET /api/pages by shop/views.py#PageViewSet.list, unique
shop/tests/test_users.py:10 GET /api/items/{pk}/ by shop/views.py#ItemViewSet, unique
shop/tests/test_users.py:12 GET /api/lines by shop/views.py#LineViewSet, unique
shop/tests/test_users.py:13 POST /api/lines by shop/views.py#LineViewSet, unique
shop/tests/test_users.py:15 DELETE /api/shops/{pk}/ by shop/views.py#ShopViewSet, unique
",
    );
}

#[test]
fn a_page_asks_what_files_and_controllers_serve() {
    check(
        "\
//- web/package.json
{ \"dependencies\": { \"next\": \"15\" } }
//- web/app/api/auth/[...all]/route.ts
export { handler as GET, handler as POST } from \"./handler\";
//- web/app/api/[...rest]/route.ts
export function GET() {}
//- docs/package.json
{ \"dependencies\": { \"vite\": \"6\" } }
//- docs/src/pages/api/manual.js
export default function ManualPage() {}
//- web/app/api/seats/[id]/route.ts
export async function GET() {}
export async function POST() {}
//- web/app/seats.ts
export const seats = (id: string) => fetch(`/api/seats/${id}`);
export const signIn = () => fetch(\"/api/auth/session\");
export const rest = () => fetch(\"/api/more\");
export const page = () => fetch(\"/api/manual/of/pages\");
//- server/crossings.controller.ts
import { Controller, Get } from \"@nestjs/common\";

@Controller(\"crossings\")
export class CrossingsController {
  @Get(\":id/times\")
  times() {}

  @Get(\":id\")
  read() {}
}
//- server/crossings.test.ts
it(\"has times\", async () => {
  await request(app).get(\"/crossings/7/times\");
  await request(app).get(\"/v1/crossings/7\");
  await request(app).get(\"/orders/crossings/7\");
});
//- src/main/java/a/Seats.java
package a;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path(\"/seats\")
public class Seats {
    @GET
    @Path(\"/{id}/row\")
    public String row() { return null; }
}
//- src/test/java/a/SeatsTest.java
package a;

class SeatsTest {
    @Test
    void row() {
        given().when().get(\"/seats/7/row\").then().statusCode(200);
    }
}
",
        "\
server/crossings.test.ts:2 GET /crossings/:id/times by server/crossings.controller.ts#CrossingsController.times, unique
server/crossings.test.ts:3 GET …/crossings/:id by server/crossings.controller.ts#CrossingsController.read, among_2
src/test/java/a/SeatsTest.java:6 GET /seats/{id}/row by src/main/java/a/Seats.java#Seats.row, unique
web/app/seats.ts:1 GET /api/seats/{id} by web/app/api/seats/[id]/route.ts#GET, unique
web/app/seats.ts:2 GET /api/auth/* by web/app/api/auth/[...all]/route.ts, unique
web/app/seats.ts:3 GET /api/* by web/app/api/[...rest]/route.ts#GET, unique
web/app/seats.ts:4 GET /api/* by web/app/api/[...rest]/route.ts#GET, unique
",
    );
}

#[test]
fn a_request_for_the_head_is_served_by_get_where_nothing_else_serves_it() {
    check(
        "\
//- Cargo.toml
[package]
name = \"m\"
//- src/lib.rs
pub fn app() -> Router {
    Router::new()
        .route(\"/a\", get(read))
        .route(\"/b\", get(read).head(look))
        .route(\"/c\", post(make))
        .route(\"/users/me\", get(me))
        .route(\"/users/:id\", get(read).head(look))
        .route(\"/health\", get(read).head(look))
}

async fn read() {}
async fn look() {}
async fn make() {}
async fn me() {}
//- tests/head.rs
#[tokio::test]
async fn heads() {
    Request::head(\"/a\").body(());
    client.head(\"/b\").await;
    Request::builder().method(Method::HEAD).uri(\"/c\").body(());
    client.get(\"/b\").await;
    client.head(\"/users/me\").await;
}
//- other/Cargo.toml
[package]
name = \"other\"
//- other/src/lib.rs
pub fn app() -> Router { Router::new().route(\"/health\", get(here)) }

async fn here() {}
//- other/tests/health.rs
#[tokio::test]
async fn heads() { client.head(\"/health\").await; }
",
        "\
other/tests/health.rs:2 GET /health by other/src/lib.rs#here, among_2
tests/head.rs:3 GET /a by src/lib.rs#read, unique
tests/head.rs:4 HEAD /b by src/lib.rs#look, unique
tests/head.rs:6 GET /b by src/lib.rs#read, unique
tests/head.rs:7 GET /users/me by src/lib.rs#me, unique
",
    );
}

#[test]
fn a_test_asks_the_application_that_it_builds() {
    check(
        "\
//- src/app.ts
const app = new Hono();
app.get(\"/ws\", live);
app.get(\"/other\", live);
app.get(\"/late\", live);
function live(c) {}
//- src/adapter.test.ts
describe(\"adapter\", () => {
  let app: Hono;
  beforeEach(() => {
    app = new Hono();
  });
  it(\"upgrades\", async () => {
    app.get(
      \"/ws\",
      upgrade(() => ({ onMessage() {} }))
    );
    await app.request(\"/ws\");
    await app.request(\"/other\");
  });
  const done = new Promise((resolve) => app.get(\"/late\", upgrade(() => ({ onMessage: resolve }))));
  it(\"is late\", async () => {
    await app.request(\"/late\");
  });
  it(\"fails\", async () => {
    const get = app.get(\"/ws\", upgrade(() => { throw new Error(); }));
    await app.request(\"/ws\");
  });
});
",
        "src/adapter.test.ts:12 GET /other by src/app.ts#live, unique\n",
    );
}

#[test]
fn a_test_of_java_asks_the_module_that_it_belongs_to() {
    let resource = |path: &str| {
        format!(
            "package a;\n\nimport jakarta.ws.rs.GET;\nimport jakarta.ws.rs.Path;\n\n@Path(\"{path}\")\npublic class Resource {{\n    @GET\n    \
             String read() {{ return null; }}\n}}\n"
        )
    };
    let test = |path: &str| {
        format!("package a;\n\nclass ResourceTest {{\n    @Test\n    void reads() {{ given().get(\"{path}\").then(); }}\n}}\n")
    };
    let repository = format!(
        "//- one/pom.xml\n<project/>\n//- two/pom.xml\n<project/>\n//- one/src/main/java/a/Resource.java\n{}//- \
         one/src/test/java/a/ResourceTest.java\n{}//- two/src/test/java/a/ResourceTest.java\n{}",
        resource("/shown"),
        test("/shown"),
        test("/shown")
    );
    let expected =
        "one/src/test/java/a/ResourceTest.java:5 GET /shown by one/src/main/java/a/Resource.java#Resource.read, unique\n";
    check(&repository, expected);
}
