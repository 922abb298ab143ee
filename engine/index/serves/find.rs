//! Routes with their whole paths, and the route that serves each request.

use super::handlers::{Narrowed, handlers};
use super::paths::{Beginning, Front};
use super::reach::{Reach, folder};
use super::{Code, Found, Link, Served};
use activate_grammars::facts::{Handler, Method, Request, SymbolId, Traits, Web};
use activate_grammars::language_of;
use activate_grammars::routes::{Segment, join, segments, serves};
use activate_grammars::scope::InProcess;
use activate_rules::links::Confidence;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use crate::base::FileFlags;
use crate::extract::{EXAMPLE_FOLDERS, flags};

/// The most routes that are compared with one request: of a repository with more that end alike, none says much.
const MAX_COMPARED: usize = 4_096;
/// The most routes whose patterns fit one request.
const MAX_ALIKE: usize = 512;

/// Folders with what measures code.
const BENCH_FOLDERS: [&str; 2] = ["benches", "benchmarks"];

/// A route with its whole path.
struct Whole {
    file: u32,
    from: Option<SymbolId>,
    line: u32,
    method: Method,
    path: String,
    /// What stands in front of the path.
    front: Front,
    handler: u32,
    confidence: Confidence,
    /// Whether a function without a name serves it.
    is_here: bool,
    /// Whether it is served for tests of its file alone.
    is_test: bool,
    /// The test that serves it, if it is one.
    test: Option<SymbolId>,
}

impl Whole {
    /// Whether it says something to readers: not what a test serves to itself.
    fn shows(&self) -> bool {
        !(self.is_test && self.is_here)
    }
}

/// A request, with where it stands.
#[derive(Clone, Copy)]
struct Asked<'a> {
    file: u32,
    request: &'a Request,
    segments: &'a [Segment<'a>],
}

pub(super) fn find(code: &Code<'_>, webs: &[(u32, &Web)], beginnings: &FxHashMap<(u32, u32), Vec<Beginning>>) -> Found {
    let flags_of = |file: u32| flags(code.files[file as usize].path, code.files[file as usize].record);
    let own: Vec<(u32, &Web)> = webs.iter().copied().filter(|(file, _)| !flags_of(*file).has(FileFlags::VENDORED)).collect();
    let narrowed = Narrowed::new(code, &own);
    let mut wholes = Vec::new();
    for (file, web) in &own {
        let path = code.files[*file as usize].path;
        let is_bench = folder(path).split('/').any(|folder| BENCH_FOLDERS.contains(&folder));
        let is_test_file = is_bench || flags_of(*file).has(FileFlags::TEST);
        for route in &web.routes {
            let at = match route.handler {
                Handler::Symbol(id) => Some(id),
                _ => route.from,
            };
            let test = code.around(*file, at).find(|id| code.traits(*file, *id).has(Traits::TEST));
            let is_test = is_test_file || code.around(*file, at).any(|id| code.traits(*file, id).has(Traits::TEST_CODE));
            for begin in beginnings.get(&(*file, route.router)).into_iter().flatten() {
                let handlers = handlers(code, *file, route).into_iter().filter_map(|(handler, is_here, confidence)| {
                    let member = route.member.as_deref();
                    let handler = member.map_or(Some(handler), |member| narrowed.member(code, handler, member))?;
                    Some((handler, is_here, confidence))
                });
                let by_method = handlers.flat_map(|handler| {
                    let methods = narrowed.methods(handler.0, route.method);
                    methods.into_iter().map(move |method| (handler, method))
                });
                wholes.extend(by_method.map(|((handler, is_here, confidence), method)| Whole {
                    file: *file,
                    from: route.from,
                    line: route.line,
                    method,
                    path: join(&begin.prefix, &route.path),
                    front: begin.front,
                    handler,
                    confidence,
                    is_here,
                    is_test: is_test || test.is_some(),
                    test,
                }));
            }
        }
    }
    let table = Table::new(code, &wholes);
    let mut found = Found::default();
    for (file, web) in &own {
        for request in &web.requests {
            let Some(segments) = segments(&request.path) else { continue };
            let asked = Asked { file: *file, request, segments: &segments };
            let from = code.node(*file, request.from);
            let serving = table.serving(&asked).into_iter().filter(|(whole, ..)| whole.shows() && whole.handler != from);
            found.links.extend(serving.map(|(whole, confidence, is_end)| Link {
                from,
                line: request.line,
                to: whole.handler,
                confidence: confidence.max(whole.confidence),
                text: text(whole, request.method, is_end),
            }));
        }
    }
    found.routes.extend(wholes.iter().filter(|whole| whole.shows()).map(|whole| Served {
        handler: whole.handler,
        file: whole.file,
        line: whole.line,
        text: text(whole, Method::Any, whole.front != Front::Nothing),
    }));
    found
}

/// Method and path of a route: `POST /api/login`, `POST …/login` where something unknown stands in front.
fn text(whole: &Whole, asked: Method, is_end: bool) -> String {
    let method = if whole.method == Method::Any { asked } else { whole.method };
    let path = whole.path.trim_start_matches('/');
    let front = if is_end { "…/" } else { "/" };
    let word = if method == Method::Any { String::new() } else { format!("{} ", method.word()) };
    format!("{word}{front}{path}")
}

/// Routes by the last part of their paths.
struct Table<'a> {
    code: &'a Code<'a>,
    wholes: Vec<(&'a Whole, Vec<Segment<'a>>)>,
    /// By the last two parts as far as they are written down; those that end with any number of parts by none.
    by_end: FxHashMap<(Option<&'a str>, Option<&'a str>), Vec<usize>>,
    /// By the last part alone.
    by_last: FxHashMap<&'a str, Vec<usize>>,
    reach: Reach<'a>,
}

impl<'a> Table<'a> {
    fn new(code: &'a Code<'a>, wholes: &'a [Whole]) -> Self {
        // A route for every path there is says nothing of any of them.
        let says =
            |segments: &Vec<Segment<'_>>| segments.is_empty() || segments.iter().any(|part| matches!(part, Segment::Text(_)));
        let wholes: Vec<_> = wholes.iter().filter_map(|whole| Some((whole, segments(&whole.path).filter(says)?))).collect();
        let mut by_end: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        let mut by_last: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (at, (_, segments)) in wholes.iter().enumerate() {
            let [last, next] = if segments.contains(&Segment::Rest) { [None; 2] } else { end(segments) };
            by_end.entry((last, next)).or_default().push(at);
            if let Some(last) = last {
                by_last.entry(last).or_default().push(at);
            }
        }
        Self { code, wholes, by_end, by_last, reach: Reach::default() }
    }

    /// The routes that serve a request, each with how sure that is and whether only the end of its path says so.
    fn serving(&self, asked: &Asked<'_>) -> Vec<(&'a Whole, Confidence, bool)> {
        let mut near = self.near(asked.segments);
        if near.len() > MAX_COMPARED {
            return Vec::new();
        }
        near.retain(|at| is_alike(&self.wholes[*at].1, asked.segments));
        // A test that serves a path asks itself, whatever the method.
        if near.iter().any(|at| self.serves_itself(*at, asked)) {
            near.retain(|at| self.wholes[*at].0.is_test);
        }
        near.retain(|at| self.wholes[*at].0.method.serves(asked.request.method));
        if near.len() > MAX_ALIKE {
            return Vec::new();
        }
        near.retain(|at| self.may_serve(*at, asked));
        let mut same = near.clone();
        same.retain(|at| serves(&self.wholes[*at].1, asked.segments) && self.is_told(*at, asked));
        // What writes more of the path down goes first.
        let rank = |at: &usize| -> Vec<u8> { self.wholes[*at].1.iter().map(rank).collect() };
        if let Some(best) = same.iter().map(rank).min() {
            same.retain(|at| rank(at) == best);
            return self.nearest(&same, asked).into_iter().map(|(whole, confidence)| (whole, confidence, false)).collect();
        }
        let told: Vec<usize> = near.iter().copied().filter(|at| self.ends_alike(*at, asked)).collect();
        if told.is_empty() {
            near.retain(|at| self.is_below_common(*at, asked));
        } else {
            near = told;
        }
        // By its end alone a path must mean one handler.
        match self.nearest(&near, asked).as_slice() {
            [(whole, Confidence::Unique)] => vec![(*whole, Confidence::AmongTwo, true)],
            _ => Vec::new(),
        }
    }

    /// The routes that end as a request does, as far as they are written down.
    fn near(&self, request: &[Segment<'_>]) -> Vec<usize> {
        let [last, next] = end(request);
        let mut near: Vec<usize> = Vec::new();
        for key in BTreeSet::from([(last, next), (last, None), (None, next), (None, None)]) {
            near.extend(self.by_end.get(&key).into_iter().flatten());
        }
        // One part may be the end of any path.
        if let ([_], Some(last)) = (request, last) {
            near.extend(self.by_last.get(last).into_iter().flatten());
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    fn may_serve(&self, at: usize, asked: &Asked<'_>) -> bool {
        let (whole, segments) = &self.wholes[at];
        let is_same = whole.file == asked.file;
        // What a test serves is for itself, and what an example does is for what belongs to it.
        let is_reached =
            if whole.is_test { self.is_for(whole, asked) } else { is_same || self.is_in_reach(whole.file, asked.file) };
        let is_run = || self.is_in_program(whole.file, asked.file) && self.is_added(at, asked.file);
        let is_reached = is_reached && (is_same || !self.is_in_process(asked) || is_run());
        // The root is everywhere: it means what stands beside the request.
        let is_near = || is_same || folder(self.path(whole.file)) == folder(self.path(asked.file));
        whole.method.serves(asked.request.method) && is_reached && (!segments.is_empty() || is_near())
    }

    /// Whether what a test serves is for a request.
    fn is_for(&self, whole: &Whole, asked: &Asked<'_>) -> bool {
        let is_test = |test: SymbolId| self.code.around(asked.file, asked.request.from).any(|id| id == test);
        whole.file == asked.file && whole.test.is_none_or(is_test)
    }

    /// Whether the test of a request has a route of its own for the path, of any method.
    fn serves_itself(&self, at: usize, asked: &Asked<'_>) -> bool {
        let (whole, route) = &self.wholes[at];
        whole.is_test && self.is_for(whole, asked) && serves(route, asked.segments)
    }

    /// Whether code of a file adds a route, as far as the route is for any path below a prefix: of the others the path itself says enough.
    fn is_added(&self, at: usize, file: u32) -> bool {
        let (whole, route) = &self.wholes[at];
        let adds = whole.from.filter(|from| whole.is_here || self.code.node(whole.file, Some(*from)) != whole.handler);
        let runs = |from: SymbolId| self.reach.runs(self.code, file, self.code.place(whole.file, from));
        !route.contains(&Segment::Rest) || adds.is_none_or(runs)
    }

    /// Whether a request is made for a server of the same program, and not sent: what tests of some languages ask without a host.
    fn is_in_process(&self, asked: &Asked<'_>) -> bool {
        let path = self.path(asked.file);
        let is_test = || language_of(path).is_some_and(|(_, language)| (language.is_test_path)(path));
        !asked.request.has_base && self.asks_in_process(asked.file).is_some() && is_test()
    }

    /// Which servers tests ask in their own process, in the language of a file.
    fn asks_in_process(&self, file: u32) -> Option<InProcess> {
        language_of(self.path(file))?.1.scope.asks_in_process
    }

    /// Whether a test can run with what serves in another file: it imports from there, or in some languages belongs to the same module.
    fn is_in_program(&self, served: u32, asked: u32) -> bool {
        let module = |file: u32| self.code.resolved.packages.get(file as usize);
        let is_module = || self.asks_in_process(asked) == Some(InProcess::Module) && module(asked) == module(served);
        is_module() || self.reach.reaches(self.code, asked, served)
    }

    fn path(&self, file: u32) -> &'a str {
        self.code.files[file as usize].path
    }

    /// Whether what is asked in one file may be served in another: what an example serves only where that belongs to it.
    fn is_in_reach(&self, served: u32, asked: u32) -> bool {
        let path = self.path(served);
        let mut parts = path.split_inclusive('/').scan(0, |end, part| {
            *end += part.len();
            Some((*end, part.trim_end_matches('/')))
        });
        match parts.by_ref().find(|(_, part)| EXAMPLE_FOLDERS.contains(part)).and_then(|_| parts.next()) {
            Some((end, _)) if end < path.len() => self.path(asked).starts_with(&path[..end]),
            _ => true,
        }
    }

    /// Whether one of two paths in front of which something unknown stands ends with the other one.
    fn ends_alike(&self, at: usize, asked: &Asked<'_>) -> bool {
        let (whole, route) = &self.wholes[at];
        let (route, request) = (route.as_slice(), asked.segments);
        if let Some(n_more) = request.len().checked_sub(route.len()).filter(|n| *n > 0 && whole.front != Front::Nothing) {
            return serves(route, &request[n_more..]) && self.says_enough(route, request[..n_more].last(), whole.file);
        }
        // Below a setting, which requests put in front as well, a path is told by one part of several words.
        if route.len() == request.len() && whole.front == Front::Setting && asked.request.has_base {
            return serves(route, request) && n_words(route) > 1;
        }
        let n_more = route.len().checked_sub(request.len()).filter(|n| *n > 0 && asked.request.has_base);
        n_more.is_some_and(|n_more| {
            serves(&route[n_more..], request) && self.says_enough(&route[n_more..], route[..n_more].last(), asked.file)
        })
    }

    /// Whether a request has in front of the path of a route what those of most servers have, and a word of this path is in the name of its file.
    fn is_below_common(&self, at: usize, asked: &Asked<'_>) -> bool {
        let (whole, route) = &self.wholes[at];
        let n_more = asked.segments.len().checked_sub(route.len()).filter(|n| *n > 0 && whole.front != Front::Nothing);
        n_more.is_some_and(|n_more| {
            let (front, end) = asked.segments.split_at(n_more);
            front.iter().all(is_common) && serves(route, end) && self.says_enough(route, first_word(route), whole.file)
        })
    }

    /// Whether a path says which route it means where something unknown stands in front of both: by a word that the route's file has, or two.
    fn is_told(&self, at: usize, asked: &Asked<'_>) -> bool {
        let (whole, route) = &self.wholes[at];
        whole.front == Front::Nothing
            || !asked.request.has_base
            || whole.file == asked.file
            || self.says_enough(route, first_word(route), whole.file)
    }

    /// Whether an end of a path says which path is meant: by two words, or by one where a word is in the name of the file.
    fn says_enough(&self, end: &[Segment<'_>], word: Option<&Segment<'_>>, file: u32) -> bool {
        let n_words = end.iter().filter(|part| matches!(part, Segment::Text(_))).count();
        let path = self.code.files[file as usize].path.to_lowercase();
        let in_path = |word: &str| {
            path.split(|c: char| !c.is_alphanumeric()).any(|part| part.trim_end_matches('s') == word.trim_end_matches('s'))
        };
        let is_named = || matches!(word, Some(Segment::Text(word)) if in_path(&word.to_lowercase()));
        n_words > 1 || n_words == 1 && is_named()
    }

    /// Of routes that serve a request alike those closest to it, by their handlers: in the same function, file, then folder.
    fn nearest(&self, found: &[usize], asked: &Asked<'_>) -> Vec<(&'a Whole, Confidence)> {
        let path = self.code.files[asked.file as usize].path;
        let closeness = |whole: &Whole| {
            let other = self.code.files[whole.file as usize].path;
            let n_folders = folder(path).split('/').zip(folder(other).split('/')).take_while(|(one, other)| one == other).count();
            let is_file = whole.file == asked.file;
            (is_file && whole.from == asked.request.from, is_file, n_folders)
        };
        let mut wholes: Vec<&Whole> = found.iter().map(|at| self.wholes[*at].0).collect();
        wholes.sort_by_key(|whole| whole.handler);
        wholes.dedup_by_key(|whole| whole.handler);
        let n_all = wholes.len();
        let Some(closest) = wholes.iter().map(|whole| closeness(whole)).max() else { return Vec::new() };
        wholes.retain(|whole| closeness(whole) == closest);
        let are_all = wholes.len() == n_all;
        // What GET serves is no answer where something beside it serves HEAD itself.
        if asked.request.method == Method::Head && wholes.iter().any(|whole| whole.method == Method::Head) {
            wholes.retain(|whole| whole.method != Method::Get);
        }
        // What is made in the same file is what is asked there.
        let n_alike = if !are_all && !closest.1 { wholes.len().max(2) } else { wholes.len() };
        let Some(confidence) = Confidence::among(n_alike) else { return Vec::new() };
        wholes.into_iter().map(|whole| (whole, confidence)).collect()
    }
}

/// The last two parts of a path, from the end, as far as they are written down.
fn end<'a>(segments: &[Segment<'a>]) -> [Option<&'a str>; 2] {
    let mut parts = segments.iter().rev().map(|part| if let Segment::Text(text) = part { Some(*text) } else { None });
    [parts.next().flatten(), parts.next().flatten()]
}

/// Whether a route serves a request, or the end of the longer path fits the other one.
fn is_alike(route: &[Segment<'_>], request: &[Segment<'_>]) -> bool {
    let n_more = request.len().saturating_sub(route.len());
    let n_outside = route.len().saturating_sub(request.len());
    serves(route, request) || serves(&route[n_outside..], &request[n_more..])
}

/// The words of a path that are written down, those of `reset-password` each.
fn n_words(path: &[Segment<'_>]) -> usize {
    let texts = path.iter().filter_map(|part| if let Segment::Text(text) = part { Some(*text) } else { None });
    texts.flat_map(|text| text.split(['-', '_'])).filter(|word| !word.is_empty()).count()
}

/// Whether a part stands in front of the paths of most servers: `api`, or a version as `v1`.
fn is_common(part: &Segment<'_>) -> bool {
    let is_version =
        |text: &str| text.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()));
    matches!(part, Segment::Text(text) if *text == "api" || is_version(text))
}

/// The first word of a path.
fn first_word<'a, 'b>(path: &'b [Segment<'a>]) -> Option<&'b Segment<'a>> {
    path.iter().find(|part| matches!(part, Segment::Text(_)))
}

fn rank(part: &Segment<'_>) -> u8 {
    match part {
        Segment::Text(_) => 0,
        Segment::Any => 1,
        Segment::Rest => 2,
    }
}
