//! Which tools install, publish or delete something, by the words of their names: nothing that a change needs, and nothing to be tried.

/// What such tools do.
const DEEDS: [&str; 23] = [
    "bump", "clean", "delete", "deploy", "destroy", "drop", "erase", "install", "mrproper", "nuke", "prune", "publish", "purge",
    "push", "release", "remove", "reset", "rm", "rollback", "teardown", "upload", "wipe", "yank",
];

/// What may stand before a deed as one word with it.
const PREFIXES: [&str; 6] = ["", "auto", "dist", "re", "real", "un"];

/// What may follow a deed without its last `e`, in other forms of it.
const ENDINGS: [&str; 15] =
    ["able", "al", "ation", "e", "ed", "er", "ers", "es", "ing", "ion", "ions", "ment", "ments", "s", "up"];

/// What only looks at things does so whatever else its name says: `test-install` tests.
const LOOKS: [&str; 3] = ["check", "test", "verify"];

/// A deed with what stands before it: to uninstall is not to install.
pub(super) type Deed = (&'static str, &'static str);

/// What a tool of this name does, if that is for tasks alone that name it.
pub(super) fn deeds(name: &str) -> Vec<Deed> {
    let is_look = words(name).next().is_some_and(|first| LOOKS.iter().any(|look| is_form(&first, look)));
    if is_look { Vec::new() } else { deeds_in(name).collect() }
}

/// The deeds that a text names.
pub(super) fn deeds_in(text: &str) -> impl Iterator<Item = Deed> {
    words(text).filter_map(|word| deed(&word))
}

fn deed(word: &str) -> Option<Deed> {
    let of_prefix = |prefix: &'static str| {
        let rest = word.strip_prefix(prefix)?;
        Some((prefix, DEEDS.into_iter().find(|deed| is_form(rest, deed))?))
    };
    PREFIXES.into_iter().find_map(of_prefix)
}

/// Whether a word is a form of a verb: `dropping` of `drop`, `pruned` of `prune`; and not `dropdown`.
fn is_form(word: &str, verb: &str) -> bool {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let Some(rest) = word.strip_prefix(stem) else { return false };
    // The last letter may be doubled.
    let undoubled = stem.chars().next_back().and_then(|last| rest.strip_prefix(last));
    word == verb || ENDINGS.contains(&rest) || undoubled.is_some_and(|rest| ENDINGS.contains(&rest))
}

/// The words of a text in small letters: `dbReset` has two.
fn words(text: &str) -> impl Iterator<Item = String> {
    let runs = text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.flat_map(|run| {
        let mut words = vec![String::new()];
        let mut before: Option<char> = None;
        let mut rest = run.chars().peekable();
        while let Some(c) = rest.next() {
            let begins = |before: char| {
                let is_hump = c.is_uppercase() && (!before.is_uppercase() || rest.peek().is_some_and(|next| next.is_lowercase()));
                is_hump || c.is_alphabetic() != before.is_alphabetic()
            };
            if before.is_some_and(begins) {
                words.push(String::new());
            }
            words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
            before = Some(c);
        }
        words
    })
}
