use crate::LANGUAGES;

#[test]
fn every_query_file_is_a_genuine_tree_sitter_query_and_loads_here() {
    for language in LANGUAGES {
        language.check().unwrap_or_else(|error| panic!("{}: {error}", language.name));
        for extension in language.extensions {
            let grammar = (language.grammar)(extension);
            for (file, text) in language.queries {
                tree_sitter::Query::new(&grammar, text).unwrap_or_else(|error| panic!("{file}: {error}"));
            }
        }
    }
}
