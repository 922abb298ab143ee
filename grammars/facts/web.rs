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
    /// Procedures that somebody has to serve, in source order.
    pub procedures: Vec<Procedure>,
}

impl Web {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.routers.is_empty()
            && self.routes.is_empty()
            && self.mounts.is_empty()
            && self.requests.is_empty()
            && self.procedures.is_empty()
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
        for text in of_routers.chain(routes).chain(mounts).chain(asked).chain(promised) {
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
    /// `GET`, which serves `HEAD` as well.
    Get,
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
            "GET" | "HEAD" => Self::Get,
            "POST" => Self::Post,
            "PUT" => Self::Put,
            "PATCH" => Self::Patch,
            "DELETE" => Self::Delete,
            "OPTIONS" => Self::Options,
            _ => return None,
        })
    }

    /// Whether a request of one method may be served by a route of the other.
    pub fn agrees(self, other: Self) -> bool {
        self == other || self == Self::Any || other == Self::Any
    }
}

/// Where the paths of a router begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// At the root of the server.
    Root,
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
