//! What names in small repositories mean: files in, links out.

mod bounds;
mod go;
mod java;
mod lifecycle;
mod members;
mod python;
mod rust;
mod typescript;

use crate::fixture::base;
use activate_rules::links::LinkKind;

/// Every call and implementation that is found between the files of a repository, a line each: the file and line of the site, what is
/// meant, how sure that is. Then the names that stay unresolved, by file.
fn links(repository: &str) -> String {
    let base = base(repository);
    let path = |node| base.id(base.file_of(node));
    let mut lines: Vec<(String, u32, String)> = Vec::new();
    for site in base.sites() {
        let word = match site.kind {
            LinkKind::Calls => "calls",
            LinkKind::Implements => "implements",
            _ => continue,
        };
        let meaning = format!("{word} {}, {}", base.id(site.to), site.confidence.name());
        lines.push((path(site.from), site.line, meaning));
    }
    lines.sort();
    let mut lines: Vec<String> = lines.into_iter().map(|(path, line, meaning)| format!("{path}:{line} {meaning}")).collect();
    lines.extend(base.unresolved().map(|row| format!("{}: {} unknown", base.id(row.file), row.name)));
    lines.join("\n")
}

#[track_caller]
fn check(repository: &str, expected: &str) {
    assert_eq!(links(repository), expected.trim_end());
}
