//! Requests between programs, as far as a file shows them: the routes that it serves, and the paths that it asks for.
//!
//! Paths are texts as they are written: what a part of a pattern means is for `routes::pattern` to say.

use super::SymbolId;
use serde::{Deserialize, Serialize};

/// What a file says about requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Web {
    /// Values to which routes are added.
    pub routers: Vec<Router>,
    /// Routes, in source order.
    pub routes: Vec<Route>,
    /// Routers and handlers that are put below a prefix.
    pub mounts: Vec<Mount>,
    /// Requests, in source order.
    pub requests: Vec<Request>,
    /// Definitions that serve some methods alone, whatever routes lead to them.
    pub narrowed: Vec<(SymbolId, Method)>,
    /// Procedures that somebody has to serve, in source order.
    pub procedures: Vec<Procedure>,
    /// Names of requests, in source order: those of the operations of a document.
    pub operations: Vec<Operation>,
    /// Messages, enumerations and services of a `.proto` file, in source order.
    pub declared: Vec<Declared>,
    /// The package of a `.proto` file.
    pub package: Option<String>,
    /// The `.proto` files that a generated file says it was made from, as it writes their paths.
    pub sources: Vec<String>,
}

impl Web {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.routers.is_empty()
            && self.routes.is_empty()
            && self.mounts.is_empty()
            && self.requests.is_empty()
            && self.narrowed.is_empty()
            && self.procedures.is_empty()
            && self.operations.is_empty()
            && self.declared.is_empty()
            && self.package.is_none()
            && self.sources.is_empty()
    }

    /// Puts other texts in place of all that `other` gives one for.
    pub fn replace(&mut self, other: impl Fn(&str) -> Option<String>) {
        let of_routers = self.routers.iter_mut().flat_map(|router| [&mut router.name, &mut router.prefix]);
        let routes = self.routes.iter_mut().flat_map(|route| {
            let name = if let Handler::Named { name, .. } = &mut route.handler { Some(name) } else { None };
            std::iter::once(&mut route.path).chain(name)
        });
        let mounts = self.mounts.iter_mut().flat_map(|mount| {
            let name = match &mut mount.target {
                Mounted::Named { name, .. } | Mounted::Module(name) => Some(name),
                Mounted::Router(_) => None,
            };
            std::iter::once(&mut mount.prefix).chain(name)
        });
        let asked = self.requests.iter_mut().map(|request| &mut request.path);
        let promised = self.procedures.iter_mut().flat_map(|each| [&mut each.service, &mut each.name]);
        let declared = self.declared.iter_mut().map(|each| &mut each.name).chain(&mut self.package);
        let named = self.operations.iter_mut().map(|each| &mut each.name).chain(&mut self.sources);
        for text in of_routers.chain(routes).chain(mounts).chain(asked).chain(promised).chain(declared).chain(named) {
            if let Some(new) = other(text) {
                *text = new;
            }
        }
    }
}

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Method {
    /// Every method, or one that is not known.
    Any,
    /// `GET`, which serves `HEAD` as well where nothing else does.
    Get,
    /// `HEAD`.
    Head,
    /// `POST`.
    Post,
    /// `PUT`.
    Put,
    /// `PATCH`.
    Patch,
    /// `DELETE`.
    Delete,
    /// `OPTIONS`.
    Options,
}

impl Method {
    /// The method as requests write it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Any => "ANY",
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
        }
    }

    /// The method that a word means, in capitals or not.
    pub fn named(word: &str) -> Option<Self> {
        Some(match word.to_ascii_uppercase().as_str() {
            "GET" => Self::Get,
            "HEAD" => Self::Head,
            "POST" => Self::Post,
            "PUT" => Self::Put,
            "PATCH" => Self::Patch,
            "DELETE" => Self::Delete,
            "OPTIONS" => Self::Options,
            _ => return None,
        })
    }

    /// Whether a route of this method may serve a request of another.
    pub fn serves(self, asked: Self) -> bool {
        self == asked || self == Self::Any || asked == Self::Any || (self, asked) == (Self::Get, Self::Head)
    }
}

/// Where the paths of a router begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// At the root of the server.
    Root,
    /// At the root of the server of the file's package, if its manifest asks for the framework whose routes are files.
    Package,
    /// Nobody knows, unless something puts it below a prefix.
    Unknown,
    /// At another router of the file.
    Router(u32),
}

/// A value to which routes are added: an application, a group, a blueprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Router {
    /// The definition in which it is made or whose parameter it is; that of a handler which is a route by itself.
    pub scope: Option<SymbolId>,
    /// Its variable; empty for what is returned or given on without one.
    pub name: String,
    /// The place among the parameters of `scope`, from 0, if it is one.
    pub parameter: Option<u32>,
    /// Where it begins.
    pub base: Base,
    /// What its paths begin with there.
    pub prefix: String,
}

/// Who serves a route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Handler {
    /// What the file names in a line.
    Named {
        /// The last part of the name.
        name: String,
        /// The line.
        line: u32,
    },
    /// A definition of the file.
    Symbol(SymbolId),
    /// A function without a name, in the place of the route.
    Here,
}

/// A path that is served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// The router that it is added to.
    pub router: u32,
    /// Its method.
    pub method: Method,
    /// Its path below the router.
    pub path: String,
    /// Who serves it.
    pub handler: Handler,
    /// The method of the handler that serves it, where the handler is a type that has it.
    pub member: Option<String>,
    /// The definition that adds it.
    pub from: Option<SymbolId>,
    /// Its line.
    pub line: u32,
}

/// What is put below a prefix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mounted {
    /// A router of the file.
    Router(u32),
    /// What the file names in a line: a variable, or a function that gives a router or that a router is given to.
    Named {
        /// The last part of the name.
        name: String,
        /// The line.
        line: u32,
        /// Which argument the router is of the function that it is given to.
        argument: Option<u32>,
    },
    /// The module of a dotted name.
    Module(String),
}

/// A router or handler that is put below a prefix of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount {
    /// The router below which.
    pub router: u32,
    /// The prefix there.
    pub prefix: String,
    /// What is put there.
    pub target: Mounted,
    /// The definition in which this stands.
    pub from: Option<SymbolId>,
}

/// A path that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Its method.
    pub method: Method,
    /// Its path, with `{}` for each part that is not written down.
    pub path: String,
    /// Whether something that is not written down stands in front of it.
    pub has_base: bool,
    /// The definition around it.
    pub from: Option<SymbolId>,
    /// Its line.
    pub line: u32,
}

/// A procedure of a service, as a `.proto` file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Procedure {
    /// The service.
    pub service: String,
    /// The procedure.
    pub name: String,
    /// Its line.
    pub line: u32,
}

/// The name of a request in a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// The request, by its place among those of the file.
    pub request: u32,
    /// Its name.
    pub name: String,
}

/// What a declaration of a `.proto` file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DeclaredKind {
    /// A message.
    Message,
    /// An enumeration.
    Enum,
    /// A service.
    Service,
}

impl DeclaredKind {
    /// The word that declares it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Enum => "enum",
            Self::Service => "service",
        }
    }
}

/// A message, an enumeration or a service of a `.proto` file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// What it is.
    pub kind: DeclaredKind,
    /// Its name, behind the names of the messages that it stands in: `Order.Line`.
    pub name: String,
    /// Its line.
    pub line: u32,
}
