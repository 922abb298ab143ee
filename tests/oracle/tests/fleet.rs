//! Links between repositories: what is found of what compilers know, and what is wrong.

use super::records;
use crate::fleet::{Folders, Link, Names, judge};

const TRUTH: &str = "
    file one/a.go
    file one/a_test.go test
    file two/b.go
    call one/a.go:3 two/b.go:10 Run function
    call one/a.go:4 two/b.go:20 Close imethod
    call one/a.go:5 two/b.go:30 Get method or two/b_other.go:31
    call one/a.go:6 one/c.go:1 Own function
    call one/a_test.go:7 two/b.go:10 Run function test
    reference one/a.go:8 two/b.go:40 Box type
    outside one/a.go:9 Print
    field one/a.go:10 Size two/b.go:50
    call one/a.go:11 two/b.go:90 Put method
    implements two/b.go:90 Put two/b.go:95 Put
";

const LINKS: &str = "
    one a.go 3 calls two b.go 10 Run 1
    one a.go 4 calls two b.go 21 Close 1
    one a.go 5 calls two b_other.go 31 Get 2
    one a.go 5 calls two b.go 99 Get 2
    one a.go 6 calls two b.go 60 Own 1
    one a.go 8 references two b.go 40 Box 1
    one a.go 8 calls two b.go 70 Else 1
    one a.go 9 calls two b.go 80 Print 1
    one a.go 10 calls two b.go 80 Size 1
    one a.go 11 calls two b.go 95 Put 1
    one a.go 3 calls three c.go 1 Run 1
    one unread.go 3 calls two b.go 10 Run 1
";

/// What comes out for records and links, with spaces instead of tabs between the words of a link.
fn judged(truth: &str, links: &str, folders: &[&str]) -> String {
    let folders: Vec<String> = folders.iter().map(|given| (*given).to_owned()).collect();
    let mut names = Names::new(Folders::new(&folders).expect("folders"));
    for record in records(truth) {
        names.add(record);
    }
    let links = links.lines().map(str::trim).filter(|line| !line.is_empty());
    let links: Vec<Link> = links.map(|line| Link::read(&line.replace(' ', "\t")).expect("a link")).collect();
    judge(&names, &links, 9)
}

#[test]
fn calls_into_other_repositories_are_found_or_missing_and_sure_links_right_or_wrong() {
    let expected = "\
2 repositories, 3 files, 0 calls that the compiler does not know

calls: recall 40.0 (2 of 5; of the trait 1; in tests 0 of 1), precision 25.0 (1 right, 3 wrong, 1 of the trait, 4 not judged)
  to function: 50.0 (1 of 2)
  to method: 50.0 (1 of 2)
  to imethod: 0.0 (0 of 1)
  missing 1 two/b.go:10 Run: one/a_test.go:7
  missing 1 two/b.go:20 Close: one/a.go:4
  missing 1 two/b.go:90 Put: one/a.go:11
  wrong 1 two/b.go:21 Close is two/b.go:20: one/a.go:4
  wrong 1 two/b.go:60 Own is one/c.go:1: one/a.go:6
  wrong 1 two/b.go:80 Print is outside: one/a.go:9

references: recall 100.0 (1 of 1; of the trait 0; in tests 0 of 0), precision 100.0 (1 right, 0 wrong, 0 of the trait, 0 not judged)
  to type: 100.0 (1 of 1)
";
    assert_eq!(judged(TRUTH, LINKS, &[]), expected);
}

#[test]
fn folders_are_repositories_by_the_longest_that_fits() {
    let truth = "
        file main.go
        file staging/api/types.go
        call main.go:3 staging/api/types.go:5 New function
    ";
    let text = judged(truth, "whole main.go 3 calls api types.go 5 New 1", &["=whole", "staging/api=api"]);
    assert!(
        text.contains("calls: recall 100.0 (1 of 1; of the trait 0; in tests 0 of 0), precision 100.0 (1 right, 0 wrong"),
        "{text}"
    );
}

#[test]
fn a_line_that_is_no_link_is_refused() {
    assert_eq!(Link::read("one\ta.go").unwrap_err(), "not nine words: one\ta.go");
    assert_eq!(Folders::new(&["one".to_owned()]).unwrap_err(), "one: FOLDER=NAME is wanted");
}
