//! Files that say what programs promise one another: `OpenAPI` documents and `.proto` files.
//!
//! An operation of an `OpenAPI` document is a request that somebody has to serve, and so is a procedure of a service. Documents are read as people and
//! their tools write them, one key a line.

use crate::facts::{Method, Operation, Request, Web};

/// The most bytes of such a file.
const MAX_BYTES: usize = 4 << 20;
/// The most bytes in which a document says what it is.
const HEAD: usize = 4 << 10;
/// The most requests, declarations and procedures of one file.
pub(super) const MAX_PROMISES: usize = 8_192;

/// What a file of no known language promises; nothing for most.
pub fn contract(path: &str, text: &str) -> Option<Box<Web>> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut web = Web::default();
    match ending {
        _ if text.len() > MAX_BYTES => {}
        "proto" => super::proto::read(text, &mut web),
        "yaml" | "yml" | "json" if is_open_api(text) => operations(text, &mut web),
        _ => {}
    }
    (!web.is_empty()).then(|| Box::new(web))
}

/// Whether a document says at its top level that it describes an interface.
fn is_open_api(text: &str) -> bool {
    let head = super::text::first_bytes(text, HEAD);
    head.lines().any(|line| {
        let is_top = line.len() - line.trim_start().len() <= 4;
        is_top && matches!(key(line), Some((_, "openapi" | "swagger")))
    })
}

/// The key of a line, with the bytes in front of it: `  "get": {`, `  /users/{id}:`.
fn key(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let key = match text.strip_prefix(['"', '\'']) {
        Some(rest) => rest.split_once(['"', '\'']).filter(|(_, rest)| rest.trim_start().starts_with(':'))?.0,
        None => text.split_once(": ").map(|(key, _)| key).or_else(|| text.trim_end().strip_suffix(':'))?,
    };
    Some((indent, key))
}

/// The value of a line's key, if it is a text of its own.
fn value(line: &str) -> Option<&str> {
    let (_, value) = line.split_once(':')?;
    let value = value.trim().trim_end_matches(',').trim_matches(['"', '\'']);
    let is_name = !value.is_empty() && value.chars().all(|c| c.is_alphanumeric() || "_-./".contains(c));
    is_name.then_some(value)
}

/// The operations below `paths`, with their names.
fn operations(text: &str, web: &mut Web) {
    let (mut paths, mut path): (Option<usize>, Option<(usize, &str)>) = (None, None);
    let mut operation: Option<usize> = None;
    for (line, number) in text.lines().zip(1..) {
        let Some((indent, key)) = key(line) else { continue };
        if paths.is_none_or(|outer| indent <= outer) {
            // Of a document its own `paths` alone.
            paths = (key == "paths").then_some(indent);
            (path, operation) = (None, None);
        } else if path.is_none_or(|(outer, _)| indent <= outer) {
            path = key.starts_with('/').then_some((indent, key));
            operation = None;
        } else if let Some(outer) = operation.filter(|outer| indent > *outer) {
            // What stands deeper is no name of the operation itself.
            let is_last = web.operations.last().is_some_and(|last| last.request as usize + 1 == web.requests.len());
            if key == "operationId"
                && !is_last
                && let Some(name) = value(line)
            {
                web.operations.push(Operation { request: web.requests.len() as u32 - 1, name: name.to_owned() });
            }
            operation = Some(outer);
        } else if let (Some((_, path)), Some(method)) = (path, Method::named(key))
            && key.bytes().all(|byte| byte.is_ascii_lowercase())
            && web.requests.len() < MAX_PROMISES
        {
            // The address of the server may have a path of its own.
            web.requests.push(Request { method, path: path.to_owned(), has_base: true, from: None, line: number });
            operation = Some(indent);
        } else {
            operation = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::contract;

    fn shown(path: &str, text: &str) -> String {
        let Some(web) = contract(path, text) else { return String::new() };
        let requests = web.requests.iter().map(|request| format!("{}: {} {}", request.line, request.method.word(), request.path));
        let names = web.operations.iter().map(|each| format!("{} is {}", web.requests[each.request as usize].line, each.name));
        let package = web.package.iter().map(|package| format!("package {package}"));
        let declared = web.declared.iter().map(|each| format!("{}: {} {}", each.line, each.kind.word(), each.name));
        let procedures = web.procedures.iter().map(|each| format!("{}: {}.{}", each.line, each.service, each.name));
        requests.chain(names).chain(package).chain(declared).chain(procedures).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn operations_of_a_document_are_requests() {
        let yaml = "openapi: 3.0.3\ninfo:\n  title: Users\npaths:\n  /users/{id}:\n    parameters:\n      - name: id\n    get:\n      \
                    operationId: readUser\n      callbacks:\n        done:\n          operationId: other\n    delete:\n      responses: {}\n  \
                    '/users':\n    post: {}\n    operationId: none\ncomponents:\n  /no:\n    get:\n";
        assert_eq!(shown("api/openapi.yaml", yaml), "8: GET /users/{id}\n13: DELETE /users/{id}\n16: POST /users\n8 is readUser");
        let json = "{\n  \"swagger\": \"2.0\",\n  \"paths\": {\n    \"/users\": {\n      \"get\": {\n        \"summary\": \"get\",\n        \
                    \"operationId\": \"users-list_users\"\n      }\n    }\n  }\n}\n";
        assert_eq!(shown("api.json", json), "5: GET /users\n5 is users-list_users");
        assert_eq!(shown("a.yaml", "paths:\n  /users:\n    get:\n"), "");
    }

    #[test]
    fn procedures_and_types_are_known_by_what_holds_them() {
        let proto = "syntax = \"proto3\";\npackage shop.v1;\n/* service Old {\n rpc Old */\nservice Greeter {\n  // rpc No\n  \
                     rpc SayHello (HelloRequest) returns (HelloReply) { option (x) = { get: \"/{\" }; }\n  rpc stream_all(stream A) returns (B) {}\n}\n\
                     message service_like { string rpc = 1; message Inner { enum Kind { A = 0; } }\n  string message = 2; message message = 3; }\n\
                     service Other { rpc In(A) returns (B); }\n";
        assert_eq!(
            shown("a/greeter.proto", proto),
            "package shop.v1\n5: service Greeter\n10: message service_like\n10: message service_like.Inner\n\
             10: enum service_like.Inner.Kind\n12: service Other\n7: Greeter.SayHello\n8: Greeter.stream_all\n12: Other.In"
        );
        let deep = format!("{}rpc", "message a {".repeat(100_000));
        assert!(shown("a.proto", &deep).lines().count() <= 65);
        for unclear in ["message", "rpc", "service \"", "message é {", "package\n"] {
            assert!(!shown("a.proto", unclear).contains("rpc"), "{unclear}");
        }
    }
}
