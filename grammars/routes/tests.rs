//! Routes and requests of snippets, one framework after the other.

use crate::facts::{Base, FileFacts, Handler, Mounted, Web};
use crate::routes::join;
use crate::{extract, language_of};
use expect_test::{Expect, expect};

pub(super) fn facts(path: &str, source: &str) -> FileFacts {
    let (_, language) = language_of(path).expect("a language");
    extract(language, path, source.as_bytes()).facts
}

/// Where a router begins: `?` where that is not known.
fn beginning(web: &Web, router: u32) -> String {
    let router = &web.routers[router as usize];
    match router.base {
        Base::Root => router.prefix.clone(),
        Base::Package => format!("(package){}", router.prefix),
        Base::Unknown => format!("?{}", router.prefix),
        Base::Router(outer) => join(&beginning(web, outer), &router.prefix),
    }
}

pub(super) fn shown(path: &str, source: &str) -> String {
    let facts = facts(path, source);
    let Some(web) = facts.web.as_deref() else { return String::new() };
    let name = |id: crate::facts::SymbolId| facts.names.get(facts.symbols[id.0 as usize].name);
    let mut lines = Vec::new();
    for route in &web.routes {
        let path = join(&beginning(web, route.router), &route.path);
        let member = route.member.as_ref().map_or_else(String::new, |member| format!(".{member}"));
        let handler = match &route.handler {
            Handler::Named { name, line } => format!("{name}{member} in line {line}"),
            Handler::Symbol(id) => format!("definition {}", name(*id)),
            Handler::Here => "here".to_owned(),
        };
        let from = route.from.map_or_else(String::new, |id| format!(" in {}", name(id)));
        lines.push(format!("{}: {} {path} by {handler}{from}", route.line, route.method.word()));
    }
    for mount in &web.mounts {
        let target = match &mount.target {
            Mounted::Router(router) => {
                let router = &web.routers[*router as usize];
                format!("router {}", router.name)
            }
            Mounted::Named { name, line, argument } => {
                format!("{name} in line {line}{}", argument.map_or_else(String::new, |at| format!(" as argument {at}")))
            }
            Mounted::Module(name) => format!("module {name}"),
        };
        lines.push(format!("below {} {target}", join(&beginning(web, mount.router), &mount.prefix)));
    }
    for router in web.routers.iter().filter(|router| router.parameter.is_some()) {
        let scope = router.scope.map_or("", name);
        lines.push(format!("{} is parameter {} of {scope}", router.name, router.parameter.unwrap_or_default()));
    }
    for (of, method) in &web.narrowed {
        lines.push(format!("{} serves {}", name(*of), method.word()));
    }
    for request in &web.requests {
        let base = if request.has_base { "?" } else { "" };
        let from = request.from.map_or_else(String::new, |id| format!(" in {}", name(id)));
        lines.push(format!("{}: asks {} {base}{}{from}", request.line, request.method.word(), request.path));
    }
    lines.join("\n")
}

#[expect(clippy::needless_pass_by_value, reason = "as the macro gives it")]
pub(super) fn check(path: &str, source: &str, expected: Expect) {
    expected.assert_eq(&shown(path, source));
}

#[test]
fn go() {
    check(
        "a.go",
        r#"package a

func (s *Server) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /users/{id}", s.user)
	mux.Handle("/login", auth(http.HandlerFunc(s.login)))
	http.HandleFunc("/ping", func(w http.ResponseWriter, r *http.Request) {})
	s.router.HandleFunc("/old", s.handleOld()).Methods("POST", http.MethodPut)
	cache.Get("/etc/passwd", &out)
}

func engine() {
	r := gin.Default()
	r.GET("/", index)
	v1 := r.Group("/v1")
	v1.POST("/login", limit, login)
	items := v1.Group("/items", limit)
	{
		items.DELETE("/:id", remove)
	}
	users(v1.Group("/users"), db)
	admin(db, v1)
}

func chi(r chi.Router) {
	r.Route("/shops", func(r chi.Router) {
		r.Use(limit)
		r.Get("/", shops)
		r.Group(func(r chi.Router) { r.Method("PUT", "/{id}", put) })
	})
	r.Mount("/debug", debug())
	api := mux.NewRouter().PathPrefix("/api").Subrouter()
	api.HandleFunc("/x", x)
}

func TestLogin(t *testing.T) {
	req := httptest.NewRequest(http.MethodPost, "/v1/login?next=/", nil)
	http.Get(server.URL + "/users/" + id)
	http.NewRequestWithContext(ctx, "DELETE", fmt.Sprintf("%s/v1/items/%d", base, 7), nil)
	client.Get("https://example.com/users/7")
	http.Post("relative", "", nil)
}
"#,
        expect![[r#"
            4: GET ?/users/{id} by user in line 4 in routes
            5: ANY ?/login by login in line 5 in routes
            6: ANY /ping by here in routes
            7: POST ?/old by handleOld in line 7 in routes
            7: PUT ?/old by handleOld in line 7 in routes
            13: GET / by index in line 13 in engine
            15: POST /v1/login by login in line 15 in engine
            18: DELETE /v1/items/:id by remove in line 18 in engine
            27: GET ?/shops by shops in line 27 in chi
            28: PUT ?/shops/{id} by put in line 28 in chi
            32: ANY ?/api/x by x in line 32 in chi
            below /v1/users users in line 20 as argument 0
            below ?/debug debug in line 30
            below /v1 admin in line 21 as argument 1
            mux is parameter 0 of routes
            r is parameter 0 of chi
            36: asks POST /v1/login in TestLogin
            37: asks GET ?/users/{} in TestLogin
            38: asks DELETE ?/v1/items/{} in TestLogin
            39: asks GET /users/7 in TestLogin"#]],
    );
}

#[test]
fn python() {
    check(
        "a.py",
        r#"app = FastAPI()
router = APIRouter(prefix="/items", tags=["items"])

@router.get("/{id}", response_model=Item)
@limited
async def read_item(id: int):
    return cache.get("/a/b")

@app.route("/login", methods=["GET", "POST"])
def login():
    pass

bp = Blueprint("auth", __name__, url_prefix="/auth")

@bp.route("/logout")
def logout(): pass

app.include_router(router, prefix="/api")
app.include_router(users.router, prefix=settings.API)
audited = AuditedRouter(prefix="/logs")

@audited.get("/all")
def read_logs(): pass

app.include_router(audited, prefix="/v1")
app.register_blueprint(bp)
app.add_url_rule("/old", "old", view_func=old)

def create(app):
    app.register_blueprint(shop.bp, url_prefix="/shop")
    register(db, app)

def test_login(client, id):
    client.post("/login", json={})
    self.client.get(f"/api/items/{id}?x=1")
    requests.get(f"{BASE}/api/items/7", timeout=3)
    client.request("DELETE", "/api/items/" + str(id))
    client.get("/items/{}".format(id))
    client.get(f"/items{query}")
"#,
        expect![[r#"
            4: GET ?/items/{id} by definition read_item
            9: GET /login by definition login
            9: POST /login by definition login
            15: GET ?/auth/logout by definition logout
            22: GET ?/logs/all by definition read_logs
            27: GET /old by old in line 27
            below /api router router
            below /{} router in line 19
            below /v1 router audited
            below / router bp
            below ?/shop bp in line 30
            below ? register in line 31 as argument 1
            app is parameter 0 of create
            34: asks POST /login in test_login
            35: asks GET /api/items/{} in test_login
            36: asks GET ?/api/items/7 in test_login
            37: asks DELETE /api/items/{} in test_login
            38: asks GET /items/{} in test_login"#]],
    );
}

#[test]
fn django() {
    check(
        "shop/urls.py",
        r#"urlpatterns = [
    path("", views.index, name="index"),
    path("items/<int:pk>/", views.ItemView.as_view()),
    path("users/", include("users.urls")),
    path("api/", include(router.urls)),
    re_path(r"^old/$", views.old),
]
"#,
        expect![[r#"
            2: ANY ? by index in line 2
            3: ANY ?/items/<int:pk>/ by ItemView in line 3
            6: ANY ?/old/ by old in line 6
            below ?/users/ module users.urls
            below ?/api/ router in line 5"#]],
    );
    check("a.py", "path(\"a/b\", views.index)\n", expect![[""]]);
}

#[test]
fn typescript() {
    check(
        "a.ts",
        r#"const app = express();
const router: Router = express.Router();
app.use(express.json());
app.get("/", (req, res) => { res.send("/x"); });
app.post("/login", limit, controller.login);
app.get("/ws", upgrade(() => ({ a: 1 })));
router.route("/items/:id").get(read).delete(auth, remove);
app.use("/api", router);
app.use("/users", auth, usersRouter);
app.route("/books", books);
export const api = new Hono().get("/a", (c) => c.text("a")).post("/b", async (c) => c.text("b"));
cache.get("/a", fallback());
map.get("/a");

function plugin(app: App, options) {
  app.get("/plugin", handle);
  routes(app);
}

export async function login(id: string) {
  await fetch("/api/login", { method: "POST", body });
  await fetch(`${BASE}/users/${id}`);
  await fetch("/plain", options);
  await axios.delete("https://example.com/items/" + id);
  await http.get<User>("/users/me", { headers });
  await request(app).put("/items/7").send({});
  await this.http.get(`/list${query}`);
  await fetch(`${BASE}seats/${id}/rows/`);
  await fetch(`${name}.json`);
  await fetch(url);
}
"#,
        expect![[r#"
            4: GET / by here
            5: POST /login by login in line 5
            6: GET /ws by here
            7: GET ?/items/:id by read in line 7
            7: DELETE ?/items/:id by remove in line 7
            11: GET ?/a by here in api
            11: POST ?/b by here in api
            16: GET ?/plugin by handle in line 16 in plugin
            below /api router router
            below /users usersRouter in line 9
            below /books books in line 10
            below ? routes in line 17 as argument 0
            app is parameter 0 of plugin
            21: asks POST /api/login in login
            22: asks GET ?/users/{} in login
            23: asks ANY /plain in login
            24: asks DELETE /items/{} in login
            26: asks PUT /items/7 in login
            28: asks GET ?/seats/{}/rows/ in login"#]],
    );
}

#[test]
fn rust() {
    check(
        "a.rs",
        r#"
pub fn app(state: State) -> Router {
    let users = Router::new().route("/{id}", get(user).delete(users::remove));
    Router::new()
        .route("/login", axum::routing::post(login))
        .route("/x", get(|| async { "x" }))
        .nest("/users", users)
        .nest("/items", items::router())
        .nest("/in", Router::new().route("/place", any(place)))
        .merge(health())
        .with_state(state)
}

#[get("/hello/<name>")]
async fn hello() {}

#[post("/made")]
#[limited]
pub async fn made() {}

fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(web::scope("/api").service(hello).route("/old", web::get().to(old)));
    App::new().configure(other::config);
    rocket::build().mount("/r", routes![hello, made]);
}

#[test]
fn asks() {
    Request::builder().method("POST").uri("/login").body(());
    Request::builder().uri(format!("/users/{id}")).method(Method::DELETE).body(());
    TestRequest::post().uri("/made").to_request();
    client.put(&format!("{base}/items/7")).send();
    map.get("/a/b");
}
"#,
        expect![[r#"
            3: GET ?/{id} by user in line 3 in app
            3: DELETE ?/{id} by remove in line 3 in app
            5: POST ?/login by login in line 5 in app
            6: GET ?/x by here in app
            9: ANY ?/in/place by place in line 9 in app
            14: GET ?/hello/<name> by definition hello
            17: POST ?/made by definition made
            22: GET ?/api/old by old in line 22 in config
            below ?/users router users
            below ?/items router in line 8
            below ? health in line 10
            below ?/api hello in line 22
            below ? config in line 23 as argument 0
            below ?/r hello in line 24
            below ?/r made in line 24
            cfg is parameter 0 of config
            29: asks POST /login in asks
            30: asks DELETE /users/{} in asks
            31: asks POST /made in asks
            32: asks PUT ?/items/7 in asks"#]],
    );
}

#[test]
fn java() {
    check(
        "A.java",
        r#"package a;

@RestController
@RequestMapping("/owners")
class OwnerController {
    @GetMapping("/{id}")
    public Owner read(@PathVariable int id) { return cache.get("/a/b"); }

    @RequestMapping(value = { "/new", "/add" }, method = RequestMethod.POST)
    public String add() { return ""; }

    @PostMapping
    String save() { return ""; }
}

@FeignClient("shops")
interface Shops {
    @GetMapping("/shops/{id}")
    Shop read(int id);
}

class OwnerTests {
    MockMvc mockMvc;

    @Test
    void reads() {
        mockMvc.perform(get("/owners/{id}", 7)).andExpect(ok());
        restTemplate.getForEntity("/owners/" + id, Owner.class);
        client.post().uri("/owners/new").exchange();
        given().contentType("json").when().delete("/owners/7").then();
        restTemplate.exchange("/owners", HttpMethod.POST, body);
    }
}
"#,
        expect![[r#"
            6: GET /owners/{id} by definition read in read
            9: POST /owners/new by definition add in add
            9: POST /owners/add by definition add in add
            12: POST /owners by definition save in save
            18: asks GET /shops/{id} in read
            27: asks GET /owners/{id} in reads
            28: asks GET /owners/{} in reads
            29: asks POST /owners/new in reads
            30: asks DELETE /owners/7 in reads
            31: asks POST /owners in reads"#]],
    );
}

#[test]
fn what_is_not_read_is_no_route() {
    let deep = format!("app.get(\"/a\", {}x{})", "f(".repeat(3_000), ")".repeat(3_000));
    let long = format!("client.get(\"/{}\")\n", "a".repeat(10_000));
    for source in
        [deep.as_str(), long.as_str(), "@app.get(\"/a\")\n", "app.get('/a", "app.include_router(", "client.get(\"//a\")"]
    {
        let web = facts("a.py", source).web;
        assert!(web.is_none_or(|web| web.routes.is_empty() && web.requests.is_empty()), "{}", &source[..source.len().min(40)]);
    }
}
