//! What the parts of paths mean, in the ways in which frameworks write them.

/// A part of a path between two slashes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment<'a> {
    /// This text.
    Text(&'a str),
    /// Any text: `:id`, `{id}`, `<int:id>`, and what a request does not write down.
    Any,
    /// Any number of parts: `*`, `{path...}`, `<path:rest>`.
    Rest,
}

/// The most parts of a path.
const MAX_SEGMENTS: usize = 32;

/// The parts of a path; nothing where one of them is not understood.
pub fn segments(path: &str) -> Option<Vec<Segment<'_>>> {
    let mut segments = Vec::new();
    for part in parts(path) {
        match segment(part)? {
            // A trailing slash says nothing, in most frameworks.
            Segment::Text("") => {}
            segment => segments.push(segment),
        }
    }
    (segments.len() <= MAX_SEGMENTS).then_some(segments)
}

/// A path at its slashes, but for those in brackets.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    path.split(move |c| {
        match c {
            '{' | '<' | '(' => depth += 1,
            '}' | '>' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '/' && depth == 0
    })
}

fn segment(part: &str) -> Option<Segment<'_>> {
    if let Some(inside) = enclosed(part, '{', '}') {
        let (name, rule) = inside.split_once(':').map_or((inside, ""), |(name, rule)| (name, rule.trim()));
        return Some(match name {
            // Exactly this path.
            "$" => Segment::Text(""),
            _ if name.starts_with('*') || name.ends_with("...") || [".*", ".+", "path"].contains(&rule) => Segment::Rest,
            _ => Segment::Any,
        });
    }
    if let Some(inside) = enclosed(part, '<', '>') {
        return Some(if inside.starts_with("path:") || inside.ends_with("..") { Segment::Rest } else { Segment::Any });
    }
    if let Some(name) = part.strip_prefix(':') {
        let name = name.split_once('(').map_or(name, |(name, rule)| if rule.ends_with(')') { name } else { "" });
        return match name.strip_suffix(['*', '+']) {
            Some(_) => Some(Segment::Rest),
            None if is_name(name.trim_end_matches('?')) => Some(Segment::Any),
            None => None,
        };
    }
    match part.strip_prefix('*') {
        Some(name) if name.is_empty() || name == "*" || is_name(name) => Some(Segment::Rest),
        Some(_) => None,
        // A part of which only a piece is known.
        None if part.contains(['{', '}', '<', '>', '*', '(', ')']) || part.contains("/:") => None,
        None => Some(Segment::Text(part)),
    }
}

fn enclosed(part: &str, open: char, close: char) -> Option<&str> {
    part.strip_prefix(open)?.strip_suffix(close).filter(|inside| !inside.contains([open]))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a request with these parts is served by a route with those.
pub fn serves(route: &[Segment<'_>], request: &[Segment<'_>]) -> bool {
    match (route, request) {
        ([], []) => true,
        // What is not written down may be more than one part, and serves something else.
        ([Segment::Rest, ..], [_, ..]) => !request.contains(&Segment::Any),
        ([first, route @ ..], [asked, request @ ..]) => {
            // What a request does not write down is a value, and no word of a path.
            let is_served = match first {
                Segment::Text(text) => *asked == Segment::Text(text),
                Segment::Any | Segment::Rest => true,
            };
            is_served && serves(route, request)
        }
        _ => false,
    }
}

/// Two paths, one below the other.
pub fn join(prefix: &str, path: &str) -> String {
    let (prefix, path) = (prefix.trim_end_matches('/'), path.trim_start_matches('/'));
    match (prefix.is_empty(), path.is_empty()) {
        (false, true) => prefix.to_owned(),
        _ => format!("{prefix}/{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{join, segments, serves};

    #[test]
    fn a_route_serves_the_requests_that_its_pattern_means() {
        let is_served = |route: &str, request: &str| {
            let (route, request) = (segments(route).expect("a pattern"), segments(request).expect("a path"));
            serves(&route, &request)
        };
        let same = ["/users/:id", "/users/{id}", "/users/<id>", "/users/<int:id>", "users/{id : [0-9/]+}/", "/users/:id(\\d+)"];
        for route in same {
            assert!(is_served(route, "/users/7") && is_served(route, "/users/{}") && is_served(route, "/users/7/"), "{route}");
            assert!(!["/users", "/users/7/a", "/user/7", "/"].iter().any(|request| is_served(route, request)), "{route}");
        }
        for route in ["/files/*", "/files/*rest", "/files/{rest...}", "/files/{*rest}", "/files/<path:rest>", "/files/{r: .*}"] {
            assert!(is_served(route, "/files/a/b") && is_served(route, "/files/a"), "{route}");
            assert!(!is_served(route, "/files"), "{route}");
        }
        assert!(is_served("/{$}", "/") && !is_served("/me", "/{}") && is_served("/a/b/", "/a/b"));
        for unclear in ["/a/{id}.json", "/a/x*", "/a/b-{}", "/:"] {
            assert_eq!(segments(unclear), None, "{unclear}");
        }
    }

    #[test]
    fn paths_are_joined_with_one_slash() {
        let cases = [("", "a"), ("/", "/a"), ("/p/", "a"), ("p", "/a/"), ("/p", ""), ("", "")];
        assert_eq!(cases.map(|(prefix, path)| join(prefix, path)), ["/a", "/a", "/p/a", "p/a/", "/p", "/"]);
    }
}
