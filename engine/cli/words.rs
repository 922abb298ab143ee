//! The first words of a command line: an intent without a flag, or a command that is written wrong.

use super::exit::usage;
use clap::{Arg, ArgMatches};
use error::{Error, Result};
use index::text::edit_distance;

/// The id of the words behind the program's name.
pub(super) const WORDS: &str = "words";

/// How many letters a name has of which two may be wrong; of a shorter one, one may.
const LONG_NAME: usize = 7;

/// The words of an intent.
pub(super) fn argument() -> Arg {
    Arg::new(WORDS)
        .value_name("WORDS")
        .num_args(1..)
        .help("What is to be done, in any words, as by `--intent`; `-` reads it from stdin")
}

/// What the words say is to be done, if there are any.
pub(super) fn intent(matches: &ArgMatches, names: &[&str], is_escaped: bool) -> Result<Option<String>> {
    let words: Vec<&str> = matches.get_many::<String>(WORDS).into_iter().flatten().map(String::as_str).collect();
    let Some(first) = words.first() else { return Ok(None) };
    if !is_escaped {
        if names.contains(first) {
            let message = format!(
                "the command `{first}` stands before its flags; for an intent that begins with this word, use `--intent`"
            );
            return Err(usage(message));
        }
        if !is_sentence(&words) {
            mistaken(first, names).map_or(Ok(()), Err)?;
        }
    }
    Ok(Some(words.join(" ")))
}

/// The error of a first word that is nearly the name of a command. Text with blanks, paths and names with capital letters are none.
pub(super) fn mistaken(first: &str, names: &[&str]) -> Option<Error> {
    if !is_small(first) || first.starts_with('-') || names.contains(&first) {
        return None;
    }
    let far = |name: &str| edit_distance(first.as_bytes(), name.as_bytes(), most_wrong(name));
    let (_, nearest) = names.iter().filter_map(|name| Some((far(name)?, name))).min_by_key(|(distance, _)| *distance)?;
    Some(usage(format!("there is no command `{first}`; did you mean `{nearest}`? To mean it as an intent, use `--intent`")))
}

/// Whether words are those of a sentence, such as `look at the login`; a command is followed by a name, a path, a number or nothing.
pub(super) fn is_sentence(words: &[&str]) -> bool {
    words.len() > 1 && words[1..].iter().all(|word| is_small(word))
}

/// Whether a text is small letters and dashes.
fn is_small(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// How many letters of a name may be wrong.
fn most_wrong(name: &str) -> usize {
    if name.len() < LONG_NAME { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 6] = ["why", "read", "check", "session", "cache", "completions"];

    #[test]
    fn a_word_that_is_nearly_a_command_is_a_mistake_and_other_words_are_not() {
        let meant = |word: &str| mistaken(word, &NAMES).map(|error| error.message);
        for (word, name) in [
            ("wyh", "why"),
            ("wh", "why"),
            ("raed", "read"),
            ("chekc", "check"),
            ("sesion", "session"),
            ("completion", "completions"),
        ] {
            let message = meant(word).unwrap_or_default();
            assert!(message.contains(&format!("there is no command `{word}`; did you mean `{name}`?")), "{word}: {message}");
        }
        for word in ["why", "fix", "who", "tokens", "Cache", "cache.go", "fix wyh", "-", "--why", "", "ragd2", "parser"] {
            assert_eq!(meant(word).filter(|_| word != "who"), None, "{word}");
        }
    }

    #[test]
    fn words_behind_a_slip_tell_a_sentence_from_a_command() {
        let meant = |words: &[&str]| {
            let command = clap::Command::new("activate").arg(argument());
            let matches = command.get_matches_from([&["activate"], words].concat());
            intent(&matches, &NAMES, false).map_err(|error| error.message)
        };
        assert_eq!(meant(&["reads", "of", "closed", "files"]), Ok(Some("reads of closed files".to_owned())));
        for words in [&["reads"][..], &["reads", "src/a.rs"], &["sesion", "parseToken"]] {
            assert!(meant(words).is_err(), "{words:?}");
        }
    }
}
