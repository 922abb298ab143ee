//! The words by which routes and requests are known: one table a language.

use super::text::last_part;
use crate::facts::Method;

/// Where a value stands among the arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The argument of this number, from 0.
    Argument(usize),
    /// The last argument.
    Last,
    /// The argument of this name.
    Keyword(&'static str),
    /// The member of this name of an object among the arguments.
    Member(&'static str),
    /// Nowhere.
    Nowhere,
}

/// Where the method of a route or a request is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The word says it.
    Word(Method),
    /// In front of the path, or as a word of its own before it: `"GET /x"`, `("GET", "/x")`.
    Path,
    /// A list of methods, or one, with this name; otherwise the method.
    Keyword(&'static str, Method),
    /// The argument of this number.
    Argument(usize),
    /// The calls that make the handler: `get(a).post(b)`.
    Handler,
    /// The calls in front of it: `Request::post(..)`, `.method("POST")`.
    Chain,
}

/// A call that makes a router.
#[derive(Debug)]
pub struct Makes {
    /// What is called, whole.
    pub callee: &'static str,
    /// Whether its paths begin at the root of a server.
    pub is_root: bool,
    /// The prefix of its paths.
    pub prefix: At,
}

/// A call that puts a router or a handler below a prefix.
#[derive(Debug)]
pub struct Mounts {
    /// The method that is called.
    pub word: &'static str,
    /// The prefix.
    pub prefix: At,
    /// What is put there.
    pub target: At,
    /// Whether that is a function which the router is given to.
    pub gives: bool,
}

/// A call or a decorator that adds a route.
#[derive(Debug)]
pub struct Adds {
    /// The method that is called.
    pub word: &'static str,
    /// How its method is said.
    pub method: By,
    /// The handler; the definition that is decorated where the call is a decorator.
    pub handler: At,
}

/// A call that makes a request.
#[derive(Debug)]
pub struct Asks {
    /// What is called, whole; the method alone where it begins with a dot.
    pub callee: &'static str,
    /// How its method is said.
    pub method: By,
    /// The argument that has the path.
    pub path: usize,
}

/// How a language's frameworks write routes and requests.
#[derive(Debug)]
pub struct RouteWords {
    /// Calls that make routers.
    pub makes: &'static [Makes],
    /// Methods of routers that give another one below the prefix that is their first argument, to a variable or to a function in place.
    pub groups: &'static [&'static str],
    /// Calls that put something below a prefix.
    pub mounts: &'static [Mounts],
    /// Calls that add routes; the path is their first argument.
    pub adds: &'static [Adds],
    /// Words of `adds` whose paths are regular expressions.
    pub patterns: &'static [&'static str],
    /// Annotations that give a method a route, or all methods of a class a prefix, with the method that they mean.
    pub annotations: &'static [(&'static str, Option<Method>)],
    /// Annotations that give a method or all methods of a type a path, and no method.
    pub parts: &'static [&'static str],
    /// Annotations of methods, among `annotations`, that stand beside one of `parts` or in a type that has one.
    pub verbs: &'static [&'static str],
    /// Whether annotations are decorators, each of which is read by itself.
    pub decorates: bool,
    /// Annotations of types that ask for the routes of their methods in place of serving them.
    pub asking: &'static [&'static str],
    /// Words that count in files alone in which another word stands.
    pub needs: &'static [(&'static str, &'static str)],
    /// Methods that narrow the route in front of them to some methods.
    pub restricts: &'static [&'static str],
    /// Whether types that serve by their methods are registered with routers: `router.register("users", UserViewSet)`.
    pub registers: bool,
    /// Whether the path of a file may be that of a route.
    pub by_files: bool,
    /// Calls that make requests.
    pub asks: &'static [Asks],
    /// Endings of names of values whose methods make requests.
    pub clients: &'static [&'static str],
    /// Packages of routers: in files that name one, some short names are those of routers.
    pub packages: &'static [&'static str],
    /// Modules in whose files the handler is the first argument behind the path, and what follows is run around it.
    pub handler_first: &'static [&'static str],
}

impl RouteWords {
    /// For languages whose frameworks are not known.
    pub const NONE: Self = Self {
        makes: &[],
        groups: &[],
        mounts: &[],
        adds: &[],
        patterns: &[],
        annotations: &[],
        parts: &[],
        verbs: &[],
        decorates: false,
        registers: false,
        by_files: false,
        asking: &[],
        needs: &[],
        restricts: &[],
        asks: &[],
        clients: &[],
        packages: &[],
        handler_first: &[],
    };

    /// Whether a call may say something of routes or requests, by its callee and the text behind that.
    pub(crate) fn may_mean(&self, callee: &str, behind: &str) -> bool {
        let word = last_part(callee);
        let is_empty = || ["(\"\"", "(''"].iter().any(|empty| behind.starts_with(empty));
        let has_path = || is_empty() || behind.as_bytes().iter().take(256).any(|byte| *byte == b'/');
        let adds = || self.adds.iter().any(|adds| adds.word == word);
        let asks = || self.asks.iter().any(|asks| last_part(asks.callee) == word);
        (adds() || asks() || self.is_method(word)) && (has_path() || word.len() == callee.len() || callee.contains('('))
            || self.groups.contains(&word)
            || self.restricts.contains(&word)
            || self.makes.iter().any(|makes| makes.callee == callee)
            || self.registers && (is_registering(word) || REGISTERED.contains(&word))
            || self.mounts.iter().any(|mounts| mounts.word == word)
    }

    /// Whether an attribute in front of a definition may make it the handler of a route.
    pub(crate) fn may_mean_attribute(&self, text: &str) -> bool {
        let mut words = self.annotations.iter().map(|(word, _)| word).chain(self.asking).chain(self.parts);
        if text.contains('@') && words.any(|word| text.contains(word)) {
            return true;
        }
        let word = text.trim_start_matches(['#', '[']).split('(').next().unwrap_or_default();
        let word = last_part(word.trim());
        text.starts_with('#') && text.contains("(\"/") && self.adds.iter().any(|adds| adds.word == word)
    }

    /// Whether methods of clients have this name.
    pub(super) fn is_method(&self, word: &str) -> bool {
        !self.clients.is_empty() && (client_method(word).is_some() || word == "request")
    }
}

/// What stands in calls and decorators of the REST framework of Django beside its routers.
const REGISTERED: [&str; 3] = ["register", "action", "api_view"];

/// Whether a type makes routers that types are registered with, by its name.
pub(super) fn is_registering(word: &str) -> bool {
    word.ends_with("Router") && word != "APIRouter"
}

/// The method of the request that a client's method makes.
pub(super) fn client_method(word: &str) -> Option<Method> {
    const WORDS: [&str; 13] =
        ["get", "Get", "post", "Post", "put", "Put", "patch", "Patch", "delete", "Delete", "head", "Head", "options"];
    WORDS.contains(&word).then(|| Method::named(word)).flatten()
}

/// A call that adds a route of a method, whose handler is its last argument.
const fn last(word: &'static str, method: Method) -> Adds {
    Adds { word, method: By::Word(method), handler: At::Last }
}

const fn decorates(word: &'static str, method: By) -> Adds {
    Adds { word, method, handler: At::Nowhere }
}

const fn root(callee: &'static str) -> Makes {
    Makes { callee, is_root: true, prefix: At::Nowhere }
}

const fn part(callee: &'static str, prefix: At) -> Makes {
    Makes { callee, is_root: false, prefix }
}

const fn mounts(word: &'static str, prefix: At, target: At) -> Mounts {
    Mounts { word, prefix, target, gives: false }
}

const fn asks(callee: &'static str, method: By, path: usize) -> Asks {
    Asks { callee, method, path }
}

/// Go: net/http, gin, echo, chi, fiber, gorilla/mux.
pub static GO: RouteWords = RouteWords {
    makes: &[
        root("gin.Default"),
        root("gin.New"),
        root("echo.New"),
        root("fiber.New"),
        part("http.NewServeMux", At::Nowhere),
        part("chi.NewRouter", At::Nowhere),
        part("chi.NewMux", At::Nowhere),
        part("mux.NewRouter", At::Nowhere),
        part("httprouter.New", At::Nowhere),
    ],
    groups: &["Group", "Route", "PathPrefix"],
    mounts: &[mounts("Mount", At::Argument(0), At::Argument(1))],
    adds: &[
        Adds { word: "HandleFunc", method: By::Path, handler: At::Last },
        Adds { word: "Handle", method: By::Path, handler: At::Last },
        Adds { word: "Method", method: By::Argument(0), handler: At::Last },
        Adds { word: "MethodFunc", method: By::Argument(0), handler: At::Last },
        Adds { word: "Add", method: By::Argument(0), handler: At::Last },
        last("GET", Method::Get),
        last("POST", Method::Post),
        last("PUT", Method::Put),
        last("PATCH", Method::Patch),
        last("DELETE", Method::Delete),
        last("HEAD", Method::Head),
        last("OPTIONS", Method::Options),
        last("Any", Method::Any),
        last("Get", Method::Get),
        last("Post", Method::Post),
        last("Put", Method::Put),
        last("Patch", Method::Patch),
        last("Delete", Method::Delete),
        last("Head", Method::Head),
    ],
    restricts: &["Methods"],
    asks: &[
        asks("http.NewRequest", By::Argument(0), 1),
        asks("http.NewRequestWithContext", By::Argument(1), 2),
        asks("httptest.NewRequest", By::Argument(0), 1),
        asks("httptest.NewRequestWithContext", By::Argument(1), 2),
        asks("http.Get", By::Word(Method::Get), 0),
        asks("http.Head", By::Word(Method::Head), 0),
        asks("http.Post", By::Word(Method::Post), 0),
        asks("http.PostForm", By::Word(Method::Post), 0),
    ],
    clients: &["client", "Client"],
    packages: &["gin-gonic/", "labstack/echo", "gofiber/", "go-chi/", "gorilla/mux", "httprouter"],
    handler_first: &["labstack/echo"],
    ..RouteWords::NONE
};

/// Python: Flask, `FastAPI`, Starlette, Django and its REST framework, aiohttp; requests, httpx and the clients of tests.
pub static PYTHON: RouteWords = RouteWords {
    makes: &[
        root("FastAPI"),
        root("fastapi.FastAPI"),
        root("Flask"),
        root("flask.Flask"),
        part("APIRouter", At::Keyword("prefix")),
        part("fastapi.APIRouter", At::Keyword("prefix")),
        part("Blueprint", At::Keyword("url_prefix")),
        part("flask.Blueprint", At::Keyword("url_prefix")),
    ],
    mounts: &[
        mounts("include_router", At::Keyword("prefix"), At::Argument(0)),
        mounts("register_blueprint", At::Keyword("url_prefix"), At::Argument(0)),
    ],
    adds: &[
        decorates("route", By::Keyword("methods", Method::Get)),
        decorates("api_route", By::Keyword("methods", Method::Get)),
        decorates("get", By::Word(Method::Get)),
        decorates("post", By::Word(Method::Post)),
        decorates("put", By::Word(Method::Put)),
        decorates("patch", By::Word(Method::Patch)),
        decorates("delete", By::Word(Method::Delete)),
        decorates("head", By::Word(Method::Head)),
        decorates("options", By::Word(Method::Options)),
        Adds { word: "add_url_rule", method: By::Keyword("methods", Method::Get), handler: At::Keyword("view_func") },
        Adds { word: "add_api_route", method: By::Keyword("methods", Method::Get), handler: At::Argument(1) },
        Adds { word: "add_get", method: By::Word(Method::Get), handler: At::Argument(1) },
        Adds { word: "add_post", method: By::Word(Method::Post), handler: At::Argument(1) },
        Adds { word: "Route", method: By::Keyword("methods", Method::Get), handler: At::Argument(1) },
        Adds { word: "path", method: By::Word(Method::Any), handler: At::Argument(1) },
        Adds { word: "re_path", method: By::Word(Method::Any), handler: At::Argument(1) },
        Adds { word: "url", method: By::Word(Method::Any), handler: At::Argument(1) },
    ],
    patterns: &["re_path", "url"],
    needs: &[
        ("path", "urlpatterns"),
        ("re_path", "urlpatterns"),
        ("url", "urlpatterns"),
        // Or the routes of what it is called on are given on.
        ("register", "rest_framework"),
    ],
    registers: true,
    asks: &[asks(".request", By::Argument(0), 1)],
    clients: &["client", "Client", "requests", "httpx", "session"],
    ..RouteWords::NONE
};

/// TypeScript and JavaScript: express, hono, fastify, koa's router, `NestJS`, files of Next.js; fetch, axios, supertest.
pub static TYPESCRIPT: RouteWords = RouteWords {
    makes: &[
        root("express"),
        root("fastify"),
        root("Fastify"),
        part("Hono", At::Nowhere),
        part("OpenAPIHono", At::Nowhere),
        part("express.Router", At::Nowhere),
        part("Router", At::Member("prefix")),
        part("KoaRouter", At::Member("prefix")),
    ],
    groups: &["basePath", "route"],
    mounts: &[
        mounts("use", At::Argument(0), At::Last),
        mounts("route", At::Argument(0), At::Argument(1)),
        Mounts { word: "register", prefix: At::Member("prefix"), target: At::Argument(0), gives: true },
    ],
    adds: &[
        last("get", Method::Get),
        last("post", Method::Post),
        last("put", Method::Put),
        last("patch", Method::Patch),
        last("delete", Method::Delete),
        last("del", Method::Delete),
        last("head", Method::Head),
        last("options", Method::Options),
        last("all", Method::Any),
    ],
    asks: &[
        asks("fetch", By::Keyword("method", Method::Get), 0),
        asks("window.fetch", By::Keyword("method", Method::Get), 0),
        asks("globalThis.fetch", By::Keyword("method", Method::Get), 0),
        asks("Request", By::Keyword("method", Method::Get), 0),
        asks("axios", By::Keyword("method", Method::Get), 0),
        asks("app.request", By::Keyword("method", Method::Get), 0),
    ],
    clients: &[
        "client",
        "Client",
        "axios",
        "http",
        "request",
        "supertest",
        "agent",
        "ky",
        "got",
        "superagent",
        "api",
        "$",
        "jQuery",
    ],
    packages: &["express", "fastify", "hono", "koa"],
    annotations: &[
        ("Get", Some(Method::Get)),
        ("Post", Some(Method::Post)),
        ("Put", Some(Method::Put)),
        ("Patch", Some(Method::Patch)),
        ("Delete", Some(Method::Delete)),
        ("Options", Some(Method::Options)),
        ("Head", Some(Method::Head)),
        ("All", Some(Method::Any)),
    ],
    parts: &["Controller"],
    verbs: &["Get", "Post", "Put", "Patch", "Delete", "Options", "Head", "All"],
    decorates: true,
    needs: &[
        ("Get", "@nestjs/"),
        ("Post", "@nestjs/"),
        ("Put", "@nestjs/"),
        ("Patch", "@nestjs/"),
        ("Delete", "@nestjs/"),
        ("Options", "@nestjs/"),
        ("Head", "@nestjs/"),
        ("All", "@nestjs/"),
        ("Controller", "@nestjs/"),
    ],
    by_files: true,
    ..RouteWords::NONE
};

/// Rust: axum, actix-web, Rocket; reqwest and the requests of tests.
pub static RUST: RouteWords = RouteWords {
    makes: &[part("Router::new", At::Nowhere), part("axum::Router::new", At::Nowhere), part("web::scope", At::Argument(0))],
    mounts: &[
        mounts("nest", At::Argument(0), At::Argument(1)),
        mounts("merge", At::Nowhere, At::Argument(0)),
        mounts("service", At::Nowhere, At::Argument(0)),
        mounts("mount", At::Argument(0), At::Argument(1)),
        Mounts { word: "configure", prefix: At::Nowhere, target: At::Argument(0), gives: true },
    ],
    adds: &[
        Adds { word: "route", method: By::Handler, handler: At::Argument(1) },
        decorates("get", By::Word(Method::Get)),
        decorates("post", By::Word(Method::Post)),
        decorates("put", By::Word(Method::Put)),
        decorates("patch", By::Word(Method::Patch)),
        decorates("delete", By::Word(Method::Delete)),
        decorates("head", By::Word(Method::Head)),
    ],
    asks: &[
        asks("reqwest::get", By::Word(Method::Get), 0),
        asks(".uri", By::Chain, 0),
        asks("TestRequest::with_uri", By::Chain, 0),
        asks("Request::get", By::Word(Method::Get), 0),
        asks("Request::head", By::Word(Method::Head), 0),
        asks("Request::post", By::Word(Method::Post), 0),
        asks("Request::put", By::Word(Method::Put), 0),
        asks("Request::patch", By::Word(Method::Patch), 0),
        asks("Request::delete", By::Word(Method::Delete), 0),
    ],
    clients: &["client", "Client", "server"],
    ..RouteWords::NONE
};

/// Java: controllers and clients of Spring, resources of JAX-RS and clients of `MicroProfile`; `MockMvc`, `RestTemplate`, `WebTestClient` and REST Assured.
pub static JAVA: RouteWords = RouteWords {
    annotations: &[
        ("RequestMapping", None),
        ("GetMapping", Some(Method::Get)),
        ("PostMapping", Some(Method::Post)),
        ("PutMapping", Some(Method::Put)),
        ("PatchMapping", Some(Method::Patch)),
        ("DeleteMapping", Some(Method::Delete)),
        ("GET", Some(Method::Get)),
        ("POST", Some(Method::Post)),
        ("PUT", Some(Method::Put)),
        ("PATCH", Some(Method::Patch)),
        ("DELETE", Some(Method::Delete)),
        ("HEAD", Some(Method::Head)),
        ("OPTIONS", Some(Method::Options)),
    ],
    parts: &["Path"],
    verbs: &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
    asking: &["FeignClient", "RegisterRestClient"],
    needs: &[
        ("get", "MockMvc"),
        ("post", "MockMvc"),
        ("put", "MockMvc"),
        ("patch", "MockMvc"),
        ("delete", "MockMvc"),
        ("Path", ".ws.rs."),
        ("GET", ".ws.rs."),
        ("POST", ".ws.rs."),
        ("PUT", ".ws.rs."),
        ("PATCH", ".ws.rs."),
        ("DELETE", ".ws.rs."),
        ("HEAD", ".ws.rs."),
        ("OPTIONS", ".ws.rs."),
    ],
    asks: &[
        asks("get", By::Word(Method::Get), 0),
        asks("post", By::Word(Method::Post), 0),
        asks("put", By::Word(Method::Put), 0),
        asks("patch", By::Word(Method::Patch), 0),
        asks("delete", By::Word(Method::Delete), 0),
        asks("MockMvcRequestBuilders.get", By::Word(Method::Get), 0),
        asks("MockMvcRequestBuilders.post", By::Word(Method::Post), 0),
        asks("MockMvcRequestBuilders.put", By::Word(Method::Put), 0),
        asks("MockMvcRequestBuilders.delete", By::Word(Method::Delete), 0),
        asks(".getForEntity", By::Word(Method::Get), 0),
        asks(".getForObject", By::Word(Method::Get), 0),
        asks(".postForEntity", By::Word(Method::Post), 0),
        asks(".postForObject", By::Word(Method::Post), 0),
        asks(".exchange", By::Argument(1), 0),
        asks(".uri", By::Chain, 0),
    ],
    clients: &["given", "when"],
    ..RouteWords::NONE
};
