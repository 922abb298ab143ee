//! Which routes a request for a path may mean.
//!
//! Texts are those of routes and requests of a repository: a method and a path, `{}` or `{name}` where any segment fits, and `…` in front where nobody
//! knows how the path begins.

use crate::key::{Key, name};

/// What stands in front of a path whose beginning nobody knows.
const UNKNOWN_FRONT: &str = "…";
/// The method of a route that serves every one.
const ANY: &str = "ANY";

/// A method and a path.
struct Asked<'a> {
    method: &'a str,
    /// Whether it is known how the path begins.
    is_whole: bool,
    segments: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    fn of(text: &'a str) -> Self {
        let (method, path) = text.split_once(' ').unwrap_or((ANY, text));
        let rest = path.strip_prefix(UNKNOWN_FRONT);
        let path = rest.unwrap_or(path).split(['?', '#']).next().unwrap_or_default();
        Self { method, is_whole: rest.is_none(), segments: path.split('/').filter(|segment| !segment.is_empty()).collect() }
    }
}

/// Whether any segment fits in the place of this one.
fn is_open(segment: &str) -> bool {
    segment.starts_with(['{', ':', '*', '<', '$']) || segment.contains("{}")
}

/// The keys by which routes and requests find each other: a route has one, that of its last fixed segment; a request has those of its last two, as
/// the last may stand for an open one. None where nothing is fixed.
pub(crate) fn keys(text: &str, is_request: bool) -> Vec<Key> {
    let asked = Asked::of(text);
    let fixed = asked.segments.iter().rev().filter(|segment| !is_open(segment));
    fixed.take(if is_request { 2 } else { 1 }).map(|segment| name(segment)).collect()
}

/// Whether a request may mean a route. Of a path whose beginning is not known the end must fit, and a fixed segment be the same.
pub(crate) fn may_mean(request: &str, route: &str) -> bool {
    let (request, route) = (Asked::of(request), Asked::of(route));
    if request.method != route.method && request.method != ANY && route.method != ANY {
        return false;
    }
    let n_common = request.segments.len().min(route.segments.len());
    let is_long_enough = match (request.is_whole, route.is_whole) {
        (true, true) => request.segments.len() == route.segments.len(),
        (false, true) => n_common == request.segments.len(),
        (true, false) => n_common == route.segments.len(),
        (false, false) => true,
    };
    let mut pairs = request.segments.iter().rev().zip(route.segments.iter().rev());
    let fits = |(asked, served): (&&str, &&str)| is_open(asked) || is_open(served) || asked == served;
    let mut fixed = request.segments.iter().rev().zip(route.segments.iter().rev());
    is_long_enough && n_common > 0 && fixed.any(|(asked, served)| asked == served && !is_open(asked)) && pairs.all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_means_routes_that_its_method_and_path_fit() {
        let cases = [
            ("GET /users/42", "GET /users/{id}", true),
            ("GET /users/{}", "GET /users/{id}", true),
            ("GET …/users/{}", "GET /api/v1/users/{id}", true),
            ("GET …/users/{}", "GET …/users/:id", true),
            ("GET /v1/users", "GET …/users", true),
            ("POST /users", "ANY /users", true),
            ("POST /users/42", "GET /users/{id}", false),
            ("GET /users", "GET /users/{id}", false),
            ("GET /api/users/1", "GET /users/{id}", false),
            ("GET …/{}", "GET /users/{id}", false),
            ("GET …", "GET /", false),
        ];
        for (request, route, is_meant) in cases {
            assert_eq!(may_mean(request, route), is_meant, "{request} and {route}");
            let meets = keys(request, true).iter().any(|key| keys(route, false).contains(key));
            assert!(meets || !is_meant, "{request} finds {route}");
        }
    }
}
