//! Files that say what programs promise one another: `OpenAPI` documents and `.proto` files, read line by line.
//!
//! An operation of an `OpenAPI` document is a request that somebody has to serve, and so is a procedure of a service. Documents are read as people and
//! their tools write them, one key a line.

use crate::facts::{Method, Procedure, Request, Web};

/// The most bytes of such a file.
const MAX_BYTES: usize = 4 << 20;
/// The most bytes in which a document says what it is.
const HEAD: usize = 4 << 10;
/// The most requests and procedures of one file.
const MAX_PROMISES: usize = 8_192;

/// What a file of no known language promises; nothing for most.
pub fn contract(path: &str, text: &str) -> Option<Box<Web>> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut web = Web::default();
    match ending {
        _ if text.len() > MAX_BYTES => {}
        "proto" => web.procedures = procedures(text),
        "yaml" | "yml" | "json" if is_open_api(text) => web.requests = operations(text),
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

/// The operations below `paths`.
fn operations(text: &str) -> Vec<Request> {
    let mut found = Vec::new();
    let (mut paths, mut path): (Option<usize>, Option<(usize, &str)>) = (None, None);
    for (line, number) in text.lines().zip(1..) {
        let Some((indent, key)) = key(line) else { continue };
        if paths.is_none_or(|outer| indent <= outer) {
            // Of a document its own `paths` alone.
            paths = (key == "paths").then_some(indent);
            path = None;
        } else if path.is_none_or(|(outer, _)| indent <= outer) {
            path = key.starts_with('/').then_some((indent, key));
        } else if let (Some((_, path)), Some(method)) = (path, Method::named(key))
            && key.bytes().all(|byte| byte.is_ascii_lowercase())
            && found.len() < MAX_PROMISES
        {
            // The address of the server may have a path of its own.
            found.push(Request { method, path: path.to_owned(), has_base: true, from: None, line: number });
        }
    }
    found
}

/// The procedures of services.
fn procedures(text: &str) -> Vec<Procedure> {
    let mut found = Vec::new();
    let mut service = String::new();
    let mut is_comment = false;
    for (line, number) in text.lines().zip(1..) {
        let mut line = line.trim();
        if is_comment || line.starts_with("/*") {
            let Some((_, rest)) = line.split_once("*/") else {
                is_comment = true;
                continue;
            };
            is_comment = false;
            line = rest.trim();
        }
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        match (words.next(), words.next()) {
            (Some("service"), Some(name)) if line.starts_with("service") => name.clone_into(&mut service),
            (Some("rpc"), Some(name)) if line.starts_with("rpc") && !service.is_empty() && found.len() < MAX_PROMISES => {
                found.push(Procedure { service: service.clone(), name: name.to_owned(), line: number });
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::contract;

    fn shown(path: &str, text: &str) -> String {
        let Some(web) = contract(path, text) else { return String::new() };
        let requests = web.requests.iter().map(|request| format!("{}: {} {}", request.line, request.method.word(), request.path));
        let procedures = web.procedures.iter().map(|each| format!("{}: {}.{}", each.line, each.service, each.name));
        requests.chain(procedures).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn operations_of_a_document_are_requests() {
        let yaml = "openapi: 3.0.3\ninfo:\n  title: Users\npaths:\n  /users/{id}:\n    parameters:\n      - name: id\n    get:\n      \
                    operationId: readUser\n    delete:\n      responses: {}\n  '/users':\n    post: {}\ncomponents:\n  /no:\n    get:\n";
        assert_eq!(shown("api/openapi.yaml", yaml), "8: GET /users/{id}\n10: DELETE /users/{id}\n13: POST /users");
        let json = "{\n  \"swagger\": \"2.0\",\n  \"paths\": {\n    \"/users\": {\n      \"get\": {\n        \"summary\": \"get\"\n      }\n    }\n  }\n}\n";
        assert_eq!(shown("api.json", json), "5: GET /users");
        assert_eq!(shown("a.yaml", "paths:\n  /users:\n    get:\n"), "");
    }

    #[test]
    fn procedures_of_services_are_known_by_their_service() {
        let proto = "syntax = \"proto3\";\n\n/* service Old {\n rpc Old */\nservice Greeter {\n  // rpc No\n  rpc SayHello (HelloRequest) returns (HelloReply);\n  \
                     rpc stream_all(stream A) returns (B) {}\n}\nmessage service_like { string rpc = 1; }\nservice Other { rpc In(A) returns (B); }\n";
        assert_eq!(shown("a/greeter.proto", proto), "7: Greeter.SayHello\n8: Greeter.stream_all");
    }
}
