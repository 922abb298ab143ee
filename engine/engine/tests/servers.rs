//! Several processes that keep what they know in one cache.

use super::{Files, engine, first_files, said, section_names, write};
use crate::{CacheChoice, Engine};
use repo::testing::Scratch;

#[test]
fn what_one_of_two_servers_found_out_the_other_takes_over() {
    let (repository, folder) = (Scratch::new(), Scratch::new());
    let mut files = first_files();
    write(&repository, &Files::new(), &files);
    let server = || engine(repository.path(), CacheChoice::Folder(folder.path().to_owned()));
    let (one, other) = (server(), server());
    let effort = |engine: &Engine| {
        let effort = engine.snapshot().expect("a snapshot").effort;
        (effort.n_extracted, effort.rebuilt)
    };
    let [(n_extracted, true), (0, false)] = [&one, &other].map(effort) else { panic!("the one reads what the other takes over") };
    assert!(n_extracted > 10);
    let names = section_names();
    let edits = ["func Another() {}\n", "type More struct{}\n", "// nothing\n", "func Last() { Another() }\n"];
    for (edit, [first, second]) in edits.into_iter().zip([[&one, &other], [&other, &one]].into_iter().cycle()) {
        let before = files.clone();
        files.get_mut("api/api.go").expect("a file").push_str(edit);
        write(&repository, &before, &files);
        assert_eq!(effort(first), (1, edit != "// nothing\n"), "{edit}");
        assert_eq!(effort(second), (0, false), "{edit}");
        let fresh = said(&engine(repository.path(), CacheChoice::Off), &names);
        for asked in [first, second, &server()] {
            let found = said(asked, &names);
            assert!(found.0 == fresh.0 && found.1 == fresh.1, "{edit}");
        }
    }
}

#[test]
fn an_edit_of_a_body_builds_nothing_again_where_columns_are_empty() {
    let (repository, folder) = (Scratch::new(), Scratch::new());
    repository.write("main.go", "package main\n\nfunc main() {\n}\n");
    let server = engine(repository.path(), CacheChoice::Folder(folder.path().to_owned()));
    assert!(server.snapshot().expect("a snapshot").effort.rebuilt);
    for body in ["\t_ = 1\n", "\t_ = 22\n", ""] {
        repository.write("main.go", &format!("package main\n\nfunc main() {{\n{body}}}\n"));
        let effort = server.snapshot().expect("a snapshot").effort;
        assert_eq!((effort.n_extracted, effort.rebuilt), (1, false), "{body}");
    }
}
