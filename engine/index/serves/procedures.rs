//! Procedures of `.proto` files to the methods that serve them.
//!
//! A type serves a service where it takes over what the compiler of the language generates for its servers: Go's `UnimplementedGreeterServer`, Python's
//! `GreeterServicer`, Java's `GreeterImplBase`; in Rust a block of the trait that has the name of the service.

use super::{Code, Found, Link, Served};
use activate_grammars::FileFacts;
use activate_grammars::facts::{Container, Expr, ExprId, Procedure, SymbolId, Web};
use activate_rules::links::Confidence;
use rustc_hash::FxHashMap;

use crate::base::FileFlags;
use crate::extract::flags;

/// The most expressions between a type and its name.
const MAX_STEPS: usize = 8;

/// Adds who serves which procedure.
pub(super) fn add(code: &Code<'_>, webs: &[(u32, &Web)], found: &mut Found) {
    let procedures = webs.iter().flat_map(|(file, web)| web.procedures.iter().map(move |each| (*file, each)));
    let mut services: FxHashMap<&str, Vec<(u32, &Procedure)>> = FxHashMap::default();
    for (file, procedure) in procedures {
        services.entry(&procedure.service).or_default().push((file, procedure));
    }
    if services.is_empty() {
        return;
    }
    let servers = servers(code, &services);
    for (service, procedures) in services {
        for (file, procedure) in &procedures {
            let of = servers.iter().filter(|server| server.service == service);
            let mut methods: Vec<u32> = of.filter_map(|server| server.method(code, &procedure.name)).collect();
            methods.sort_unstable();
            methods.dedup();
            // Another service may have the name of this one.
            let n_namesakes = procedures.iter().filter(|(_, other)| other.name == procedure.name).count();
            let Some(confidence) = Confidence::among(methods.len().max(n_namesakes)) else { continue };
            let text = format!("rpc {service}.{}", procedure.name);
            for method in methods {
                let handler = code.files.len() as u32 + method;
                found.links.push(Link { from: *file, line: procedure.line, to: handler, confidence, text: text.clone() });
                found.routes.push(Served { handler, file: *file, line: procedure.line, text: text.clone() });
            }
        }
    }
}

/// A type or a block with the methods of a service.
struct Server<'a> {
    service: &'a str,
    /// The methods by their names.
    methods: FxHashMap<&'a str, u32>,
}

impl Server<'_> {
    /// The method that serves a procedure, in the way in which its language writes names.
    fn method(&self, code: &Code<'_>, procedure: &str) -> Option<u32> {
        let (snake, camel) = (snake_case(procedure), camel_case(procedure));
        let names = [procedure, snake.as_str(), camel.as_str()];
        let found = names.iter().find_map(|name| self.methods.get(name).copied())?;
        let (file, _) = code.symbol(found);
        (!flags(code.files[file as usize].path, code.files[file as usize].record).has(FileFlags::GENERATED)).then_some(found)
    }
}

fn servers<'a>(code: &'a Code<'_>, services: &FxHashMap<&'a str, Vec<(u32, &Procedure)>>) -> Vec<Server<'a>> {
    let mut servers = Vec::new();
    // The types that serve, by their place, and the services.
    let mut types: FxHashMap<u32, Vec<&'a str>> = FxHashMap::default();
    for (number, file) in (0..).zip(code.files) {
        let facts = &file.record.facts;
        for above in &facts.supers {
            let Some(service) = last_name(facts, above.of).and_then(|name| served_by(name, services)) else { continue };
            if let Some(place) = type_of(code, number, above.container) {
                types.entry(place).or_default().push(service);
            }
        }
        for (owner, at) in facts.owners.iter().zip(0..) {
            let Some(name) = last_name(facts, owner.implements) else { continue };
            if let Some((service, _)) = services.get_key_value(name) {
                let of_block = |symbol: &activate_grammars::facts::Symbol| symbol.container == Container::Owner(at);
                let methods = facts.symbols.iter().zip(0..).filter(|(symbol, _)| of_block(symbol));
                let methods =
                    methods.map(|(symbol, id)| (facts.names.get(symbol.name), code.place(number, SymbolId(id)))).collect();
                servers.push(Server { service, methods });
            }
        }
    }
    if types.is_empty() {
        return servers;
    }
    let mut members: FxHashMap<u32, FxHashMap<&str, u32>> = FxHashMap::default();
    for (of, place) in code.resolved.containers.iter().zip(0..) {
        if let Some(of) = of.filter(|of| types.contains_key(of)) {
            let (file, id) = code.symbol(place);
            let facts = &code.files[file as usize].record.facts;
            members.entry(of).or_default().insert(facts.names.get(facts.symbols[id.0 as usize].name), place);
        }
    }
    for (place, services) in types {
        let methods = members.get(&place).cloned().unwrap_or_default();
        servers.extend(services.into_iter().map(|service| Server { service, methods: methods.clone() }));
    }
    servers
}

/// The service whose generated server a supertype is, by its name.
fn served_by<'a>(name: &str, services: &FxHashMap<&'a str, Vec<(u32, &Procedure)>>) -> Option<&'a str> {
    let generated =
        [("Unimplemented", "Server"), ("Unsafe", "Server"), ("", "Servicer"), ("", "ImplBase"), ("", "CoroutineImplBase")];
    generated.iter().find_map(|(front, end)| {
        let service = name.strip_prefix(front)?.strip_suffix(end)?;
        services.get_key_value(service).map(|(service, _)| *service)
    })
}

/// The type that something belongs to.
fn type_of(code: &Code<'_>, file: u32, container: Container) -> Option<u32> {
    match container {
        Container::Symbol(id) => Some(code.place(file, id)),
        Container::File | Container::Owner(_) => None,
    }
}

/// The last part of the name of a type.
fn last_name(facts: &FileFacts, mut of: ExprId) -> Option<&str> {
    for _ in 0..MAX_STEPS {
        of = match *facts.exprs.get(of.0 as usize)? {
            Expr::Name(name) | Expr::Member(_, name) | Expr::Scoped(_, name) => return Some(facts.names.get(name)),
            Expr::Pointer(of) | Expr::Deref(of) | Expr::Apply(of, _) => of,
            _ => return None,
        };
    }
    None
}

/// `SayHello` as `say_hello`.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (at, c) in name.char_indices() {
        if c.is_ascii_uppercase() && at > 0 && !name[..at].ends_with('_') {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// `SayHello` as `sayHello`.
fn camel_case(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}
