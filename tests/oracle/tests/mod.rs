//! Records and links in one small notation, and what comes out for them as text.

mod fleet;
mod index;
mod judging;
mod table;

use crate::judge::{Judgement, judge};
use crate::record::{File, How, Implements, Import, Kind, Link, Other, Record, Run, Site, Why};
use crate::truth::{Part, Truth};

/// Records, one a line; a place is `path:line`, and a name follows the place that it stands at:
///
/// - `file a.go [test] [incomplete] [configured 3-5] [made 7-9] [tests 9:sells] [around 5:setUp]`, the last two for what runners of tests call
/// - `call a.go:3 b.go:10 Run function [in 1-9] [test] [macro] [or b.go:20]`, and `reference` alike
/// - `import a.go:1 b.go specifier [over c.go]`
/// - `field a.go:3 size b.go:12`, and so for every other reason why there is nothing to link to, with or without a definition
/// - `implements b.go:20 Close c.go:4 Close`
fn records(text: &str) -> Vec<Record> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(record).collect()
}

/// A line and a name: `5:setUp`.
fn run(word: &str) -> (u32, String) {
    let (line, name) = word.split_once(':').expect("a line and a name");
    (line.parse().expect("a line"), name.to_owned())
}

fn record(line: &str) -> Record {
    let words: Vec<&str> = line.split(' ').collect();
    let after = |word: &str| words.iter().position(|found| *found == word).map(|at| words[at + 1]);
    let has = |word: &str| words.contains(&word);
    let place = |at: usize| place(words[at]);
    match words[0] {
        "file" => Record::File(File {
            path: words[1].to_owned(),
            lang: words[1].rsplit('.').next().unwrap_or_default().to_owned(),
            test: has("test"),
            call_sites: 0,
            unresolved: 0,
            complete: !has("incomplete"),
            configured: after("configured").map(range).into_iter().collect(),
            made: after("made").map(range).into_iter().collect(),
            run: Run {
                tests: after("tests").map(run).into_iter().collect(),
                around: after("around").map(run).into_iter().collect(),
            },
        }),
        "call" | "reference" => {
            let ((from_path, line), (to_path, to_line)) = (place(1), place(2));
            let site = Site {
                from_path,
                line,
                name: words[3].to_owned(),
                from_name: None,
                from_lines: after("in").map(range),
                to_path,
                to_name: words[3].to_owned(),
                to_line,
                to_kind: parsed(words[4]),
                test: has("test"),
                in_macro: has("macro"),
                alts: after("or").map(self::place).map(|(path, line)| (path, line, words[3].to_owned())).into_iter().collect(),
            };
            if words[0] == "call" { Record::Call(site) } else { Record::Reference(site) }
        }
        "import" => {
            let (from_path, line) = place(1);
            let how: How = parsed(words[3]);
            let alts = after("over").map(str::to_owned).into_iter().collect();
            Record::Import(Import { how, from_path, line, to_path: words[2].to_owned(), test: false, alts })
        }
        "implements" => {
            let ((from_path, line), (to_path, to_line)) = (place(1), place(3));
            let (name, to_name) = (words[2].to_owned(), words[4].to_owned());
            Record::Implements(Implements { from_path, line, name, to_path, to_line, to_name })
        }
        why => {
            let (from_path, line) = place(1);
            let defined = words.get(3).map(|word| self::place(word));
            Record::Other(Other {
                why: parsed::<Why>(why),
                from_path,
                line,
                name: words[2].to_owned(),
                call: true,
                to_path: defined.as_ref().map(|defined| defined.0.clone()),
                to_line: defined.as_ref().map(|defined| defined.1),
                to_name: defined.is_some().then(|| words[2].to_owned()),
            })
        }
    }
}

fn parsed<T: serde::de::DeserializeOwned>(word: &str) -> T {
    serde_json::from_value(word.into()).unwrap_or_else(|error| panic!("{word}: {error}"))
}

fn place(text: &str) -> (String, u32) {
    let (path, line) = text.split_once(':').expect("path:line");
    (path.to_owned(), line.parse().expect("a line"))
}

fn range(text: &str) -> (u32, u32) {
    let (first, last) = text.split_once('-').expect("first-last");
    (first.parse().expect("a line"), last.parse().expect("a line"))
}

/// A link: `calls exact a.go:3 b.go#Server.Run 10-19`. What starts it may be named and have lines, `a.go#main 1-9`, instead of a line, and
/// what it goes to may be a file.
fn link(text: &str) -> Link {
    let words: Vec<&str> = text.split(' ').collect();
    let (from, words_left) = (words[2], &words[3..]);
    let (from_lines, words_left) = match words_left[0].split_once('-') {
        Some(_) if words_left.len() > 1 => (Some(range(words_left[0])), &words_left[1..]),
        _ => (None, words_left),
    };
    let line = from.split_once(':').map(|(_, line)| line.parse().expect("a line"));
    let path = |symbol: &str| symbol.split(['#', ':']).next().unwrap_or_default().to_owned();
    Link {
        relation: words[0].to_owned(),
        from: from.split_once(':').map_or(from, |(symbol, _)| symbol).to_owned(),
        from_path: path(from),
        from_lines,
        line,
        to: words_left[0].to_owned(),
        to_path: Some(path(words_left[0])),
        to_lines: words_left.get(1).map(|lines| range(lines)),
        confidence: Some(words[1].to_owned()),
    }
}

fn judged(truth: &str, links: impl IntoIterator<Item = Link>) -> Judgement {
    judge(&Truth::new(records(truth), Part::default()), links, usize::MAX)
}

/// Links that say what the records say, as sure as can be.
fn links_of(records: &[Record]) -> Vec<Link> {
    let link = |relation: &str, path: &str, line: u32, to_path: &str, (to_line, to_name): (u32, &str)| Link {
        relation: relation.to_owned(),
        from: path.to_owned(),
        from_path: path.to_owned(),
        line: Some(line),
        to: format!("{to_path}#{to_name}"),
        to_path: Some(to_path.to_owned()),
        to_lines: Some((to_line, to_line)),
        confidence: Some("exact".to_owned()),
        ..Link::default()
    };
    let links = records.iter().filter_map(|record| match record {
        Record::Call(site) => Some(("calls", site)),
        Record::Reference(site) => Some(("references", site)),
        _ => None,
    });
    let mut links: Vec<Link> = links
        .map(|(relation, site)| link(relation, &site.from_path, site.line, &site.to_path, (site.to_line, &site.to_name)))
        .collect();
    for record in records {
        match record {
            Record::Import(import) if import.how != How::Segment => {
                let to_path =
                    if import.how == How::Package { format!("{}/any.go", import.to_path) } else { import.to_path.clone() };
                links.push(Link { to_lines: None, ..link("imports", &import.from_path, import.line, &to_path, (0, "")) });
            }
            Record::Implements(pair) => links.push(Link {
                from: format!("{}#{}", pair.from_path, pair.name),
                from_lines: Some((pair.line, pair.line)),
                ..link("implements", &pair.from_path, pair.line, &pair.to_path, (pair.to_line, &pair.to_name))
            }),
            _ => {}
        }
    }
    links
}

/// The kind of every call's target, so that tests can ask for all.
fn call(from: (&str, u32), to: (&str, u32), name: &str, kind: Kind) -> Record {
    Record::Call(Site {
        from_path: from.0.to_owned(),
        line: from.1,
        name: name.to_owned(),
        from_name: None,
        from_lines: None,
        to_path: to.0.to_owned(),
        to_name: name.to_owned(),
        to_line: to.1,
        to_kind: kind,
        test: false,
        in_macro: false,
        alts: Vec::new(),
    })
}
