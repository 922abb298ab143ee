//! What asks for routes that the repository does not serve, and the procedures of its `.proto` files.

use super::{Boundary, Procedure, Request, Side};
use crate::base::{FactBase, FileFlags};
use activate_grammars::FileFacts;
use activate_grammars::facts::{Method, SymbolId, Web};
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashSet;

/// What the texts of routes begin with that are procedures.
const PROCEDURE: &str = "rpc ";

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
    boundary.requests.sort_unstable();
    boundary.requests.dedup();
    boundary.procedures.sort_unstable();
    boundary.procedures.dedup();
}

/// `package.Service/Method`, as a request names a procedure.
fn full_name(web: &Web, service: &str, name: &str) -> String {
    let package = web.package.as_deref().map_or_else(String::new, |package| format!("{package}."));
    format!("{package}{service}/{name}")
}
