//! Every language folder loads, in our reader of queries and in tree-sitter's own.

use crate::LANGUAGES;

#[test]
fn every_query_file_loads_for_every_ending() {
    for language in LANGUAGES {
        language.check().unwrap_or_else(|message| panic!("{}: {message}", language.name));
    }
}

#[test]
fn every_query_file_is_a_query_of_tree_sitter() {
    for language in LANGUAGES {
        for extension in language.extensions {
            let grammar = (language.grammar)(extension);
            for (file, text) in language.query_files((language.dialect)(extension)) {
                if let Err(error) = tree_sitter::Query::new(&grammar, text) {
                    panic!("{file} with .{extension}: {error}");
                }
            }
        }
    }
}
