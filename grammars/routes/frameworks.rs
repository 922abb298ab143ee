//! Routes that frameworks say by decorators, annotations, registrations and files.

use super::tests::{check, shown};
use expect_test::expect;

#[test]
fn rest_framework_of_django() {
    check(
        "shop/urls.py",
        r#"from rest_framework.routers import DefaultRouter

router = DefaultRouter()
router.register(r"users", UserViewSet)
router.register("orders/lines", views.LineViewSet, basename="line")
router.register(r"(?P<shop>\d+)/x", OddViewSet)
admin.site.register(User)

urlpatterns = [path("api/", include(router.urls)), path("all/", include(more.router.urls))]
"#,
        expect![[r#"
            4: GET ?/users by UserViewSet.list in line 4
            4: POST ?/users by UserViewSet.create in line 4
            4: GET ?/users/{pk}/ by UserViewSet.retrieve in line 4
            4: PUT ?/users/{pk}/ by UserViewSet.update in line 4
            4: PATCH ?/users/{pk}/ by UserViewSet.partial_update in line 4
            4: DELETE ?/users/{pk}/ by UserViewSet.destroy in line 4
            5: GET ?/orders/lines by LineViewSet.list in line 5
            5: POST ?/orders/lines by LineViewSet.create in line 5
            5: GET ?/orders/lines/{pk}/ by LineViewSet.retrieve in line 5
            5: PUT ?/orders/lines/{pk}/ by LineViewSet.update in line 5
            5: PATCH ?/orders/lines/{pk}/ by LineViewSet.partial_update in line 5
            5: DELETE ?/orders/lines/{pk}/ by LineViewSet.destroy in line 5
            below ?/users UserViewSet in line 4
            below ?/orders/lines LineViewSet in line 5
            below ?/api/ router router
            below ?/all/ router in line 9"#]],
    );
    check(
        "shop/views.py",
        r#"from rest_framework.decorators import action, api_view

class UserViewSet(ModelViewSet):
    def list(self, request): pass

    @action(detail=True, methods=["post", "put"], url_path="set-password")
    def set_password(self, request, pk=None): pass

    @action(detail=False)
    def recent(self, request): pass

    @action(detail=True, url_path=r"versions/(?P<version>\d+)")
    def version(self, request, pk=None, version=None): pass

@api_view(["GET", "POST"])
def users(request): pass
"#,
        expect![[r#"
            6: POST ?/{pk}/set-password by definition set_password in set_password
            6: PUT ?/{pk}/set-password by definition set_password in set_password
            9: GET ?/recent by definition recent in recent
            12: GET ?/{pk}/versions/<part> by definition version in version
            users serves GET
            users serves POST"#]],
    );
    check(
        "shop/api/urls.py",
        "router = ShopRouter()\nrouter.register(\"a\", A)\nurlpatterns = router.urls\n",
        expect![[r#"
        2: GET ?/a by A.list in line 2
        2: POST ?/a by A.create in line 2
        2: GET ?/a/{pk}/ by A.retrieve in line 2
        2: PUT ?/a/{pk}/ by A.update in line 2
        2: PATCH ?/a/{pk}/ by A.partial_update in line 2
        2: DELETE ?/a/{pk}/ by A.destroy in line 2
        below ?/a A in line 2
        below ? router router"#]],
    );
    // Others are called routers, and have things registered with them.
    let bus = "bus = MessageRouter()\nbus.register(\"a\", A)\nother.bus.urls\n";
    assert_eq!(shown("app/bus.py", bus), "");
}

#[test]
fn routers_that_are_spread_in_lists() {
    let router = "api = DefaultRouter()\napi.register(\"a\", A)\n";
    let of = |list: &str| {
        let shown = shown("urls.py", &format!("{router}{list}\n"));
        shown.lines().filter(|line| line.starts_with("below")).map(str::to_owned).collect::<Vec<_>>().join(", ")
    };
    let nested = "urlpatterns = [\n  re_path(\"^v1/\", include([\n    path(\"b\", b),\n    *api.urls,\n  ])),\n]";
    assert_eq!(of(nested), "below ?/a A in line 2, below ?/v1/ router api");
    assert_eq!(of("urlpatterns = [\n  path(\"b\", b),\n  *api.urls,\n]"), "below ?/a A in line 2, below ? router api");
    assert_eq!(of("others = [*api.urls]"), "below ?/a A in line 2");
}

#[test]
fn jax_rs() {
    let source = r#"package a;

import jakarta.ws.rs.*;

@Path("/crossings")
public class Crossings {
    @GET
    @Path("/{id: [0-9]+}")
    @Produces("application/json")
    public Crossing read(@PathParam("id") int id) { return null; }

    @POST
    public void add(Crossing crossing) {}

    @Path("/inner")
    public Inner inner() { return null; }
}

@Path("/shops")
@RegisterRestClient
interface Shops {
    @GET
    @Path("/{id}")
    Shop read(@PathParam("id") int id);
}
"#;
    check(
        "A.java",
        source,
        expect![[r#"
        7: GET ?/crossings/{id: [0-9]+} by definition read in read
        12: POST ?/crossings by definition add in add
        22: asks GET /shops/{id} in read"#]],
    );
    for other in ["retrofit2.http", "com.news.rss"] {
        assert_eq!(shown("A.java", &source.replace("jakarta.ws.rs", other)), "");
    }
}

#[test]
fn nest() {
    let source = r#"import { Controller, Get, Post } from "@nestjs/common";

@ApiTags("crossings")
@Controller("crossings")
export class CrossingsController {
  constructor(@Inject(TIMES) private readonly times: Times) {}

  @Get(":id")
  @UseGuards(Guard)
  async read(@Param("id") id: string) {
    return this.http.get("/times");
  }

  @UseGuards(Guard)
  @ApiOperation({ description: "formerly @Get('old')" })
  @Post()
  add() {}
}

@Controller({ path: "seats", version: "1" })
export class SeatsController {
  @Get(["free", "open"])
  free() {}
}
"#;
    check(
        "a.controller.ts",
        source,
        expect![[r#"
        8: GET ?crossings/:id by definition read in read
        16: POST ?crossings by definition add in add
        22: GET ?seats/free by definition free in free
        22: GET ?seats/open by definition free in free
        11: asks GET /times in read"#]],
    );
    assert_eq!(shown("a.ts", &source.replace("@nestjs/common", "./own").replace("this.http", "this.times")), "");
}

#[test]
fn annotations_are_not_found_in_texts_and_comments() {
    let source = r#"class A {
    @Operation(description = "replaces @GetMapping(\"/text\") of v1") @PostMapping("/new")
    void make() {}

    /* was @GetMapping("/gone"), it's old */ // @PutMapping("/off")
    @Parameters({ @Parameter(name = "@"), @PatchMapping("/inner") }) @DeleteMapping("/now")
    void now() {}

    @Operation(description = """
        ") @GetMapping("/block")""") @RequestMapping("/all")
    void all() {}
}
"#;
    check(
        "A.java",
        source,
        expect![[r#"
            2: POST /new by definition make in make
            6: DELETE /now by definition now in now
            10: ANY /all by definition all in all"#]],
    );
}

#[test]
fn files_of_next() {
    let source = "export async function GET(request: Request) {}\nexport const POST = async () => {};\nasync function PUT() {}\nexport function get() {}\n";
    let served = |path: &str, source: &str| {
        let shown = shown(path, source);
        shown
            .lines()
            .map(|line| line.split_once("(package)").map_or("", |(_, route)| route).to_owned())
            .collect::<Vec<_>>()
            .join(", ")
    };
    check(
        "web/app/(shop)/api/seats/[id]/route.ts",
        source,
        expect![[r#"
        1: GET (package)/api/seats/{id} by definition GET in GET
        2: POST (package)/api/seats/{id} by definition POST in POST"#]],
    );
    let get = "export function GET() {}\n";
    for (path, expected) in [
        ("src/app/files/[...path]/route.js", "/files/*"),
        ("packages/app/src/app/api/seats/route.ts", "/api/seats"),
        ("packages/app/app/seats/route.ts", "/seats"),
        ("apps/api/app/health/route.ts", "/health"),
        ("app/api/app/[id]/route.ts", "/api/app/{id}"),
        ("src/app/src/app/x/route.ts", "/x"),
        ("app/_lib/route.ts", ""),
        ("app/api/routes.ts", ""),
        ("app/api/x/__tests__/route.ts", ""),
    ] {
        let expected = if expected.is_empty() { String::new() } else { format!("{expected} by definition GET in GET") };
        assert_eq!(served(path, get), expected, "{path}");
    }
    for (source, expected) in [
        (
            "export { handler as GET, handler as POST };\nfunction handler() {}\n",
            "/a by definition handler in handler, /a by definition handler in handler",
        ),
        ("export const { GET, POST } = handlers;\n", "/a by definition GET in GET, /a by definition POST in POST"),
        ("export { GET, other } from \"./handlers\";\n", "/a by here"),
        ("export * from \"./handlers\";\n", "/a by here"),
        ("export const runtime = \"edge\";\n", ""),
    ] {
        assert_eq!(served("app/a/route.ts", source), expected, "{source}");
    }
    let page = "export default async function handler(req, res) {}\n";
    for (path, source, expected) in [
        ("pages/api/seats/[id].ts", page, "/api/seats/{id} by definition handler in handler"),
        ("src/pages/api/index.ts", page, "/api by definition handler in handler"),
        ("pages/api/a.ts", "function handler() {}\nexport default handler;\n", "/api/a by definition handler in handler"),
        ("pages/api/a.ts", "function handler() {}\nexport default guard(handler);\n", "/api/a by definition default in default"),
        ("pages/api/a.ts", "export { default } from \"./b\";\n", "/api/a by here"),
        ("pages/api/a.js", "module.exports = handler;\n", "/api/a by here"),
        ("pages/api/a.ts", "export const help = 1;\n", ""),
        ("pages/api/a.test.ts", page, ""),
    ] {
        assert_eq!(served(path, source), expected, "{path} {source}");
    }
    let is_next = |manifest: &str| crate::routes::serves_files(manifest);
    assert!(is_next(r#"{ "dependencies": { "next": "15" } }"#) && is_next(r#"{ "devDependencies": { "next": "15" } }"#));
    assert!(!is_next(r#"{ "scripts": { "next": "vite" }, "dependencies": { "vite": "6" } }"#) && !is_next("next"));
}

#[test]
fn what_a_test_asks_is_asked_by_the_test() {
    let source = "describe(\"seats\", () => {\n  const app = new Hono();\n  app.get(\"/a\", (c) => c);\n  it(\"has some\", async () => {\n    \
                  await app.request(\"/a\");\n  });\n});\n";
    check(
        "a.test.ts",
        source,
        expect![[r#"
        3: GET ?/a by here in seats
        5: asks GET /a in has some"#]],
    );
}

#[test]
fn hono_in_place() {
    check(
        "a.ts",
        r#"const app = new Hono();
app.route("/books", new Hono().get("/", list).post("/:id", (c) => c.text("x")));
app.use("/in", new Hono().get("/place", place));
const api = new Hono().basePath("/api").get("/a", a).route("/b", new Hono().get("/c", c));
"#,
        expect![[r#"
            2: GET ?/books by list in line 2
            2: POST ?/books/:id by here
            3: GET ?/in/place by place in line 3
            4: GET ?/api/a by a in line 4 in api
            4: GET ?/api/b/c by c in line 4 in api"#]],
    );
}
