//! Takes the endings of English off words, so that "tokens", "validated" and "parsing" meet `token`, `validate` and `parse`.
//!
//! Rules of our own: the Snowball stemmer for English keeps doers apart from what they do (`parser`, `logger`, `walker`), which in code are
//! one thing, and places files worse for it. What matters is that all forms of one word end up alike, not that the result is a word.

use std::borrow::Cow;

/// Endings that are taken off what is not a plural any more, with what takes their place; the first that fits counts.
const ENDINGS: [(&str, &str); 5] = [("ation", "at"), ("ing", ""), ("ied", "i"), ("eed", "ee"), ("ed", "")];

/// Letters that end words doubled by themselves: `agree`, `call`, `diff`, `class`, `fuzz`.
const DOUBLE: [char; 5] = ['e', 'f', 'l', 's', 'z'];

/// Bytes from which on a stem ends in no double letter: "cancelled" is `cancel`, and nothing as long differs by it alone.
const LONG: usize = 6;

/// Fewest bytes that an ending leaves: less is not a stem.
const MIN_STEM: usize = 3;

/// Words that end as if they did something, or had been done. Sorted.
#[rustfmt::skip]
const NO_DOERS: [&str; 65] = [
    "after", "border", "buffer", "center", "cluster", "corner", "cover", "customer", "deliver", "differ", "discover", "embed",
    "encounter", "enter", "exceed", "filter", "finger", "folder", "footer", "former", "gather", "header", "hover", "however",
    "inner", "integer", "laser", "later", "layer", "ledger", "letter", "lower", "master", "matter", "meter", "never",
    "number", "offer", "order", "other", "outer", "over", "paper", "parameter", "power", "prefer", "proceed", "proper",
    "quarter", "rather", "recover", "refer", "register", "remember", "render", "server", "setting", "succeed", "super",
    "together", "transfer", "trigger", "under", "upper", "whether",
];

/// The stem of a lower-cased word; a word with other than ASCII letters is its own.
pub fn stem(word: &str) -> Cow<'_, str> {
    if !word.is_ascii() || word.len() <= MIN_STEM {
        return Cow::Borrowed(word);
    }
    let mut stem = singular(word);
    for step in [take_ending, take_doer] {
        if !is_no_doer(&stem) {
            step(&mut stem);
        }
    }
    if stem.len() >= LONG && is_doubled(&stem) {
        cut(&mut stem, 1);
    } else if stem.len() > MIN_STEM && stem.ends_with('y') {
        // As `copies` does.
        cut(&mut stem, 1);
        stem.to_mut().push('i');
    }
    stem
}

fn singular(word: &str) -> Cow<'_, str> {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() + 1 >= MIN_STEM) {
        return Cow::Owned(format!("{rest}i"));
    }
    Cow::Borrowed(word.strip_suffix('s').filter(|rest| !rest.ends_with(['s', 'u']) && !rest.ends_with("ia")).unwrap_or(word))
}

/// Takes an ending off that says when something is done; what is left must have a vowel: a string is not the `str` that is doing something.
fn take_ending(stem: &mut Cow<'_, str>) {
    let Some((ending, instead)) = ENDINGS.iter().find(|(ending, _)| stem.ends_with(ending)) else { return };
    let rest = &stem[..stem.len() - ending.len()];
    if rest.len() + instead.len() < MIN_STEM || !rest.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
        return;
    }
    if instead.is_empty() {
        cut(stem, ending.len());
        undouble(stem);
    } else {
        *stem = Cow::Owned(format!("{rest}{instead}"));
    }
}

/// Takes off what makes a doer of what is done, and the last vowel of what is left.
fn take_doer(stem: &mut Cow<'_, str>) {
    for ending in ["er", "e"] {
        shorten(stem, ending);
    }
}

/// Takes an ending off that leaves enough.
fn shorten(stem: &mut Cow<'_, str>, ending: &str) {
    if stem.ends_with(ending) && stem.len() - ending.len() >= MIN_STEM {
        cut(stem, ending.len());
        if ending.len() > 1 {
            undouble(stem);
        }
    }
}

/// `skipp` is `skip`, and `call` stays.
fn undouble(stem: &mut Cow<'_, str>) {
    if stem.len() > MIN_STEM && is_doubled(stem) && !stem.ends_with(DOUBLE) {
        cut(stem, 1);
    }
}

fn is_doubled(stem: &str) -> bool {
    let mut letters = stem.bytes().rev();
    letters.next().is_some_and(|last| Some(last) == letters.next())
}

fn is_no_doer(word: &str) -> bool {
    NO_DOERS.binary_search(&word).is_ok()
}

/// Drops so many bytes, which are ASCII, from the end.
fn cut(stem: &mut Cow<'_, str>, n_bytes: usize) {
    match stem {
        Cow::Borrowed(text) => *text = &text[..text.len() - n_bytes],
        Cow::Owned(text) => text.truncate(text.len() - n_bytes),
    }
}

/// What all words with this stem begin with.
pub(crate) fn beginning(stem: &str) -> &str {
    stem.strip_suffix('i').unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        let alike = [
            "token tokens",
            "validate validates validated validating validation validations",
            "flush flushes flushed flushing",
            "skip skips skipped skipping",
            "entry entries",
            "parse parses parsed parsing parser parsers",
            "header headers",
            "filter filters filtered filtering",
            "render renders rendered rendering",
            "trigger triggers triggered triggering",
            "order orders ordered ordering",
            "cookie cookies",
            "alias aliases",
            "agree agrees agreed agreeing",
            "guarantee guaranteed",
            "exceed exceeds exceeded exceeding",
            "retry retries retried retrying",
            "copy copies copied copying",
            "apply applies applied applying",
            "cache caches cached caching",
            "call calls called calling caller callers",
            "poll polls polled polling poller",
            "install installs installed installing installer",
            "cancel cancels canceled cancelled cancelling",
            "class classes",
            "process processes processed processing",
            "address addresses addressed",
            "access accesses accessed accessing",
            "status statuses",
            "diff diffs diffing",
            "embed embeds embedded embedding",
            "setting settings",
            "log logs logged logging logger loggers",
            "use uses",
            "node nodes",
        ];
        for words in alike {
            let stems: Vec<_> = words.split(' ').map(stem).collect();
            assert!(stems.iter().all(|other| *other == stems[0]), "{words}: {stems:?}");
            for (word, stem) in words.split(' ').zip(&stems) {
                assert!(word.starts_with(beginning(stem)), "{word} {stem}");
            }
        }
    }

    #[test]
    fn other_words_do_not_meet() {
        let different = "pass path string str stripe user as a größe größ app apply head header let letter ord order mat matter \
                         file fill set setting number numb folder fold need thing";
        let stems: Vec<_> = different.split_whitespace().map(stem).collect();
        for (at, one) in stems.iter().enumerate() {
            assert!(!stems[at + 1..].contains(one), "{one}");
        }
    }

    #[test]
    fn the_list_is_sorted_for_the_search_in_it() {
        assert!(NO_DOERS.is_sorted());
    }
}
