//! What asks for routes that the repository does not serve, and the procedures of its `.proto` files.

use super::{Boundary, Procedure, Request, Side};
use crate::base::{FactBase, FileFlags, Visibility};
use crate::serves::GENERATED;
use activate_grammars::FileFacts;
use activate_grammars::facts::{Method, SymbolId, Web};
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashSet;

/// What the texts of routes begin with that are procedures.
const PROCEDURE: &str = "rpc ";

/// What the names of types end with, in small letters, by which code asks for procedures: Go's and TypeScript's `GreeterClient`, Java's
/// `GreeterBlockingStub`.
const CLIENTS: [&str; 2] = ["client", "stub"];

/// Adds requests and procedures. `files` has the facts of each file of the base.
pub(super) fn add<'a>(boundary: &mut Boundary, base: &FactBase, files: impl Iterator<Item = &'a FileFacts>) {
    let served: FxHashSet<(NodeId, u32)> = base.served().map(|row| (row.from, row.line)).collect();
    let mut packages: Vec<(NodeId, &'a Web)> = Vec::new();
    for (file, facts) in base.files().zip(files) {
        let Some(web) = facts.web.as_deref().filter(|_| !base.flags(file).has(FileFlags::VENDORED)) else { continue };
        let node = |id: Option<SymbolId>| id.map_or(file, |id| NodeId(base.symbols_of(file).start + id.0));
        // What a document says can be asked, nobody asks there.
        if base.language(file).is_some() {
            for request in &web.requests {
                let from = node(request.from);
                if served.contains(&(from, request.line)) {
                    continue;
                }
                let word = if request.method == Method::Any { String::new() } else { format!("{} ", request.method.word()) };
                let front = if request.has_base { "…/" } else { "/" };
                let text = format!("{word}{front}{}", request.path.trim_start_matches('/'));
                boundary.requests.push(Request { from, line: request.line, text });
            }
        }
        for each in &web.procedures {
            let name = full_name(web, &each.service, &each.name);
            boundary.procedures.push(Procedure { name, side: Side::Declared, node: file, line: each.line });
        }
        packages.push((file, web));
    }
    for route in base.routes() {
        let Some((service, name)) = route.text.strip_prefix(PROCEDURE).and_then(|text| text.rsplit_once('.')) else { continue };
        let Ok(at) = packages.binary_search_by_key(&route.file, |(file, _)| *file) else { continue };
        let name = full_name(packages[at].1, service, name);
        let line = base.symbol(route.handler).map_or(1, |symbol| symbol.name_line);
        boundary.procedures.push(Procedure { name, side: Side::Served, node: route.handler, line });
    }
    for row in base.served() {
        let Some((service, name)) = procedure_of(row.text) else { continue };
        let Ok(at) = packages.binary_search_by_key(&row.from, |(file, _)| *file) else { continue };
        let Some(method) = base.symbol(row.to) else { continue };
        let is_asked = method
            .container
            .and_then(|of| base.symbol(of))
            .is_some_and(|of| of.visibility == Visibility::Public && is_client(of.name));
        if is_asked && method.visibility != Visibility::Private {
            let name = full_name(packages[at].1, service, name);
            boundary.procedures.push(Procedure { name, side: Side::Asked, node: row.to, line: method.name_line });
        }
    }
    boundary.requests.sort_unstable();
    boundary.requests.dedup();
    boundary.procedures.sort_unstable();
    boundary.procedures.dedup();
}

/// Service and procedure that a link leads from into the code which was generated for it.
fn procedure_of(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(GENERATED)?.strip_prefix(PROCEDURE)?.rsplit_once('.')
}

/// Whether a type that is generated for a service asks for its procedures, by its name.
fn is_client(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    CLIENTS.iter().any(|end| name.ends_with(end))
}

/// `package.Service/Method`, as a request names a procedure.
fn full_name(web: &Web, service: &str, name: &str) -> String {
    let package = web.package.as_deref().map_or_else(String::new, |package| format!("{package}."));
    format!("{package}{service}/{name}")
}
