//! The help of every command is a page of the book, so that a change of it is read as a diff. `UPDATE_EXPECT=1` writes the page again.

use crate::cli::run;
use expect_test::expect_file;
use std::fmt::Write as _;

const HEAD: &str = "# Commands\n\nWhat `activate --help` and `activate COMMAND --help` say.\n";

/// The program's help without the group of a command that only a feature brings.
fn without_fleets(text: &str) -> String {
    let parts = text.split("\n\n").filter(|part| !part.starts_with("Commands, fleets:"));
    parts.collect::<Vec<_>>().join("\n\n")
}

/// The help of the server without the flags that only a feature brings: those between two titles.
fn without_fleet_flags(text: &str) -> String {
    let mut is_fleets = false;
    let kept = text.lines().filter(|line| {
        if !line.starts_with(' ') && !line.is_empty() {
            is_fleets = ["Fleet:", "Access:"].contains(line);
        }
        !is_fleets
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// Adds the help of a command and of those below it.
fn add(page: &mut String, path: &[&str]) {
    let answer = run(&[path, &["--help"]].concat());
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{path:?}");
    let text = match path {
        [] => without_fleets(answer.stdout.trim()),
        // A page of a feature begins with its commands.
        ["serve"] if page.starts_with(HEAD) => without_fleet_flags(answer.stdout.trim()),
        _ => answer.stdout.trim().to_owned(),
    };
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let title = [&["activate"], path].concat().join(" ");
    let _ = writeln!(page, "\n## {title}\n\n```text\n{}\n```", lines.join("\n"));
    // The program's own commands stand in groups, each with a title.
    let mut is_list = false;
    let below = lines.iter().filter(|line| {
        let was_list = is_list;
        is_list = if was_list { !line.is_empty() } else { line.starts_with("Commands") && line.ends_with(':') };
        was_list && is_list
    });
    for name in below.filter_map(|line| line.split_whitespace().next()) {
        add(page, &[path, &[name]].concat());
    }
}

#[test]
fn the_help_is_a_page_of_the_book() {
    let mut page = HEAD.to_owned();
    add(&mut page, &[]);
    expect_file!["../../docs/src/commands.md"].assert_eq(&page);
}

#[test]
#[cfg(feature = "fleet")]
fn the_help_of_fleets_is_a_page_of_its_own() {
    let mut page = "# Commands for fleets\n\nWhat a program with the feature `fleet` says of them.\n".to_owned();
    add(&mut page, &["fleet"]);
    add(&mut page, &["serve"]);
    expect_file!["../../docs/src/commands-fleet.md"].assert_eq(&page);
}
