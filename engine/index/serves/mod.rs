//! Requests to the routes that serve them, across languages: by method and path alone.
//!
//! What a file says of routes, mounts and requests is put together for the repository: names to definitions by the links of their lines, prefixes
//! along the mounts, requests to routes by their patterns. A path is no proof that the request is meant for this server, so no link is surer
//! than [`Confidence::Unique`]. Beside them stand contracts: what `.proto` files and `OpenAPI` documents promise, to who serves it and to what is generated
//! from it. Depends on facts and links alone, so that every way to them gives the same.

mod find;
mod generated;
mod handlers;
mod named;
mod operations;
mod paths;
mod procedures;
mod reach;
mod sources;

#[cfg(test)]
mod contracts;
#[cfg(test)]
mod edges;
#[cfg(test)]
mod frameworks;
#[cfg(test)]
mod tests;

pub(crate) use generated::GENERATED;
pub(crate) use named::Names;

use crate::build::FileInput;
use crate::resolve::Resolved;
use activate_grammars::facts::Web;
use activate_rules::links::Confidence;

/// A route of the repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Served {
    /// The node that serves it.
    pub(crate) handler: u32,
    /// The file that adds it.
    pub(crate) file: u32,
    /// The line there.
    pub(crate) line: u32,
    /// Method and path.
    pub(crate) text: String,
}

/// A request and what serves it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    /// The node that asks.
    pub(crate) from: u32,
    /// The line in its file.
    pub(crate) line: u32,
    /// The node that serves.
    pub(crate) to: u32,
    /// How sure it is.
    pub(crate) confidence: Confidence,
    /// Method and path of the route.
    pub(crate) text: String,
}

/// Routes and requests of a repository, sorted, without repetitions.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) routes: Vec<Served>,
    pub(crate) links: Vec<Link>,
}

/// Files, their links and the numbers of their nodes.
pub(crate) struct Code<'a> {
    pub(crate) files: &'a [FileInput<'a>],
    pub(crate) resolved: &'a Resolved,
    /// The place of each file's first symbol among all.
    pub(crate) first_symbol: &'a [u32],
    /// What names mean, as far as somebody has asked.
    pub(crate) names: Names,
}

/// Finds routes and what asks for them. The links of `resolved` are in order.
pub(crate) fn find(code: &Code<'_>) -> Found {
    let webs: Vec<(u32, &Web)> =
        code.files.iter().zip(0..).filter_map(|(file, number)| Some((number, file.record.facts.web.as_deref()?))).collect();
    let mut found = Found::default();
    if webs.iter().any(|(_, web)| !web.routes.is_empty()) {
        let beginnings = paths::beginnings(code, &webs);
        found = find::find(code, &webs, &beginnings);
    }
    procedures::add(code, &webs, &mut found);
    operations::add(code, &webs, &mut found);
    generated::add(code, &webs, &mut found);
    found.routes.sort_unstable();
    found.routes.dedup();
    found.links.sort_unstable();
    found.links.dedup_by(|later, first| (later.from, later.line, later.to) == (first.from, first.line, first.to));
    found
}
