//! The tables.

use super::{judged, link};
use crate::report::{Judged, markdown};

fn example(repository: &str, language: &str, links: &[&str]) -> Judged {
    let truth = "
        file a.go
        call a.go:1 b.go:10 Run function
        call a.go:2 b.go:20 Close imethod
        call a.go:3 b.go:10 Run function
        import a.go:1 b.go specifier
    ";
    let judgement = judged(truth, links.iter().map(|line| link(line)));
    Judged { language: language.to_owned(), repository: repository.to_owned(), judgement }
}

#[test]
fn the_tables_show_repositories_languages_and_mistakes() {
    let one = example(
        "one",
        "go",
        &["calls exact a.go:1 b.go#Run 10-12", "calls exact a.go:3 b.go#Close 20-20", "imports exact a.go:1 b.go"],
    );
    let two = example("two", "go", &["calls unique a.go:1 b.go#Run 10-12", "calls ambiguous a.go:2 b.go#Closer.Close 20-20"]);
    let text = markdown(&[one, two], 1);
    let row = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no {start} in\n{text}"));
    assert_eq!(row("| go | one "), "| go | one | 1 | 50.0 | 33.3 | - | 0.0 | - | - | 100.0 | 100.0 | - | - | - | - | - |");
    assert_eq!(
        row("| go | **all** "),
        "| go | **all** | 2 | 75.0 | 50.0 | - | 50.0 | - | - | 100.0 | 50.0 | - | - | - | - | - |"
    );
    assert_eq!(row("| go | to reach "), "| go | to reach |  | 95 | 90 |  | 80 |  |  | 99 | 97 |  |  |  |  |  |");
    assert_eq!(row("| go | exact "), "| go | exact | 99 | 66.7 (less) | 3 | 50.0 | - | 100.0 | - |");
    assert_eq!(row("| go | unique "), "| go | unique | 88 | 100.0 | 1 | 100.0 | - | - | - |");
    assert_eq!(row("| calls | go | 6 "), "| calls | go | 6 | 16.7 | 16.7 | 33.3 | 50.0 |");
    assert_eq!(row("| calls | go | right"), "| calls | go | right 3, wrong 1 |");
    assert!(text.contains("### one: wrong links\n\n- 1 x calls exact Close (a.go:3 -> b.go)\n"), "{text}");
    assert!(text.contains("### one: calls not found\n\n- 1 x function Run (b.go)\n"), "{text}");
}

#[test]
fn what_came_out_is_read_back_as_it_was_written() {
    let one = example("one", "go", &["calls exact a.go:1 b.go#Run 10-12", "calls exact a.go:2 c.go#File.Close 20-20"]);
    let written = serde_json::to_string(&one).expect("JSON");
    let read: Judged = serde_json::from_str(&written).expect("what was written");
    assert_eq!(serde_json::to_string(&read).expect("JSON"), written);
}
