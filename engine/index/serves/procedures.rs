//! Procedures of `.proto` files to the methods that serve them.
//!
//! A type serves a service where it takes over what the compiler of the language generates for its servers: Go's `UnimplementedGreeterServer`, Python's
//! `GreeterServicer`, Java's `GreeterImplBase`; in Rust a block of the trait that has the name of the service.

use super::{Code, Found, Link, Served};
use activate_grammars::FileFacts;
use activate_grammars::facts::{Container, Expr, ExprId, Procedure, SymbolId, Visibility, Web};
use activate_rules::links::Confidence;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::FileFlags;
use crate::extract::flags;
use crate::resolve::{End, Relation};

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
    let mut by_service: FxHashMap<&str, Methods<'_>> = FxHashMap::default();
    for (number, server) in (0..).zip(servers(code, &services)) {
        let known = by_service.entry(server.service).or_default();
        for (name, places) in server.methods {
            known.entry(name).or_default().extend(places.into_iter().map(|place| (number, place)));
        }
    }
    for (service, procedures) in services {
        let Some(methods) = by_service.get(service) else { continue };
        // Another service may have the name of this one.
        let mut n_namesakes: FxHashMap<&str, usize> = FxHashMap::default();
        for (_, procedure) in &procedures {
            *n_namesakes.entry(&procedure.name).or_default() += 1;
        }
        for (file, procedure) in &procedures {
            let methods = serving(code, methods, &procedure.name);
            let n_namesakes = n_namesakes.get(procedure.name.as_str()).copied().unwrap_or_default();
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

/// Methods by their names, each with the number of its server.
type Methods<'a> = FxHashMap<&'a str, Vec<(u32, u32)>>;

/// A type or a block with the methods of a service.
struct Server<'a> {
    service: &'a str,
    /// The methods by their names: several where one name has several.
    methods: FxHashMap<&'a str, Vec<u32>>,
}

/// The methods that serve a procedure, in the way in which the language of each server writes names.
fn serving(code: &Code<'_>, methods: &Methods<'_>, procedure: &str) -> Vec<u32> {
    let (snake, camel) = (snake_case(procedure), camel_case(procedure));
    let mut names = vec![procedure, snake.as_str(), camel.as_str()];
    names.dedup();
    let mut found = Vec::new();
    let mut served: FxHashSet<u32> = FxHashSet::default();
    for name in names {
        let of_name = methods.get(name).map_or(&[][..], Vec::as_slice);
        found.extend(of_name.iter().filter(|(server, _)| !served.contains(server)).map(|(_, place)| *place));
        served.extend(of_name.iter().map(|(server, _)| *server));
    }
    found.retain(|place| !is_generated(code, code.symbol(*place).0));
    found.sort_unstable();
    found.dedup();
    found
}

pub(super) fn is_generated(code: &Code<'_>, file: u32) -> bool {
    let file = &code.files[file as usize];
    flags(file.path, file.record).has(FileFlags::GENERATED)
}

fn servers<'a>(code: &'a Code<'_>, services: &FxHashMap<&'a str, Vec<(u32, &Procedure)>>) -> Vec<Server<'a>> {
    let mut servers = Vec::new();
    let own = own_methods(code, services);
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
                let mut methods: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
                for (symbol, id) in facts.symbols.iter().zip(0..).filter(|(symbol, _)| of_block(symbol)) {
                    let place = code.place(number, SymbolId(id));
                    if !own.contains(&place) {
                        methods.entry(facts.names.get(symbol.name)).or_default().push(place);
                    }
                }
                servers.push(Server { service, methods });
            }
        }
    }
    if types.is_empty() {
        return servers;
    }
    let mut members: FxHashMap<u32, FxHashMap<&str, Vec<u32>>> = FxHashMap::default();
    for (of, place) in code.resolved.containers.iter().zip(0..) {
        if let Some(of) = of.filter(|of| types.contains_key(of)) {
            let (file, id) = code.symbol(place);
            let facts = &code.files[file as usize].record.facts;
            let symbol = &facts.symbols[id.0 as usize];
            if symbol.visibility != Visibility::Private {
                members.entry(of).or_default().entry(facts.names.get(symbol.name)).or_default().push(place);
            }
        }
    }
    for (place, services) in types {
        let methods = members.get(&place).cloned().unwrap_or_default();
        servers.extend(services.into_iter().map(|service| Server { service, methods: methods.clone() }));
    }
    servers
}

/// Methods that fulfil a trait which people have written here: it is called like a service, but no server of it.
fn own_methods(code: &Code<'_>, services: &FxHashMap<&str, Vec<(u32, &Procedure)>>) -> FxHashSet<u32> {
    let is_own = |to: u32| {
        let Some(above) = code.resolved.containers.get(to as usize).copied().flatten() else { return false };
        let (file, id) = code.symbol(above);
        let facts = &code.files[file as usize].record.facts;
        services.contains_key(facts.names.get(facts.symbols[id.0 as usize].name)) && !is_generated(code, file)
    };
    let fulfil = code.resolved.links.iter().filter(|link| link.relation == Relation::Implements && is_own(link.to));
    let methods = fulfil.filter_map(|link| if let End::Symbol(place) = link.from { Some(place) } else { None });
    methods.collect()
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
pub(super) fn last_name(facts: &FileFacts, mut of: ExprId) -> Option<&str> {
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
