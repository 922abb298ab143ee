//! What answers say of themselves is true: repositories in which a list that is called complete would lack something.

use super::*;

/// The last line of an answer.
fn state(engine: &Engine, question: &Question) -> String {
    lines(engine, question).pop().unwrap_or_default()
}

#[test]
fn without_a_word_to_look_for_nothing_is_said_of_what_there_is() {
    let (_scratch, engine) = with(&[("a.ts", "let a = 1;\na += 2;\n")]);
    for words in ["+=", "a", "?"] {
        let refusal = refused(&engine, &Question::Find(named(words)));
        assert_eq!(refusal.kind, ErrorKind::BadInput, "{words}");
        assert!(refusal.message.contains("no word to look for"), "{}", refusal.message);
    }
}
