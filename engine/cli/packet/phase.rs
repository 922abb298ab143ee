//! `activate packet phase`: makes the packet that every phase of a task is given, and changes it between phases.
//!
//! What is read here is masked first.

mod new;
mod update;

use crate::exit::Outcome;
use crate::file;
use crate::input::Source;
use crate::terminal::{Terminal, write_result};
use clap::Subcommand;
use error::{Error, ErrorKind, Result};
use packets::phase::{Form, PhasePacket};
use packets::store;
use redact::{Masker, ansi, escape};
use std::fs::OpenOptions;

#[derive(Debug, Subcommand)]
pub(super) enum PhaseCommand {
    /// Make the packet of a task before its first phase
    New(new::NewOptions),
    /// Note how far a phase is and what it left behind; nothing else of a packet ever changes
    Update(update::UpdateOptions),
}

pub(super) fn run(command: &PhaseCommand, terminal: &Terminal) -> Result<Outcome> {
    match command {
        PhaseCommand::New(options) => new::run(options, terminal),
        PhaseCommand::Update(options) => update::run(options, terminal),
    }
}

/// What stands behind a text that was cut.
const CUT_ROOM: usize = 40;

/// A text as it enters a packet: secrets masked, hidden characters visible, cut where it is longer than `max` characters, which it then says.
fn taken(masker: &Masker, text: &str, max: usize) -> String {
    let text = exact(masker, text).replace('\t', " ");
    if text.chars().nth(max).is_none() {
        return text;
    }
    let mut keep = max.saturating_sub(CUT_ROOM);
    loop {
        let (end, _) = text.char_indices().nth(keep).unwrap_or((text.len(), ' '));
        let (kept, rest) = text.split_at(end);
        // A cut can leave what looks like a secret again, and a mask can be longer than what it hides.
        let cut = masker.text("", &format!("{kept}… [{} more characters]", rest.chars().count())).into_owned();
        let n_over = cut.chars().count().saturating_sub(max);
        if n_over == 0 || keep == 0 {
            return cut;
        }
        keep = keep.saturating_sub(n_over);
    }
}

/// A text that must not be cut: what is too long is refused later.
fn exact(masker: &Masker, text: &str) -> String {
    let plain = ansi::strip(text);
    let hidden = masker.text("", &plain);
    // What was hidden may have been in the middle of a secret.
    masker.text("", escape::text(hidden.trim()).trim()).into_owned()
}

/// The path of a file as it enters a packet; what is not a path of the repository is refused later.
fn path(masker: &Masker, path: &str) -> String {
    masker.text("", path.trim_start_matches("./")).into_owned()
}

/// A packet in one of its forms.
fn encoded(packet: &PhasePacket, form: Form) -> String {
    match form {
        Form::Text => packet.text(),
        Form::Json => packet.json(),
    }
}

/// Writes a packet to stdout.
fn print(text: &str) -> Result<Outcome> {
    write_result(|stdout| stdout.write_all(text.as_bytes()))?;
    Ok(Outcome::Answered)
}

/// Keeps other steps from the file that a step changes until the result is dropped: of two at once, the second sees what the first left.
fn hold(out: &Source) -> Result<Option<store::Held>> {
    // What is not a file yet has no other step; what is none of another kind is refused when it is read or written.
    let Source::File(path) = out else { return Ok(None) };
    if !path.symlink_metadata().is_ok_and(|data| data.is_file()) {
        return Ok(None);
    }
    store::held(path, OpenOptions::new().read(true)).map(Some).map_err(|error| {
        let message = format!(
            "`{}` is not changed: it cannot be kept from others meanwhile; try again, or write to another file with `--out FILE`",
            path.display()
        );
        Error::new(ErrorKind::Storage, message).because(error)
    })
}

/// Writes a packet in the place of what a file holds, or to stdout.
fn put(out: &Source, text: &str) -> Result<Outcome> {
    match out {
        Source::Stdin => print(text),
        Source::File(path) => {
            file::replace(path, text)?;
            Ok(Outcome::Answered)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Parts of texts: plain, hidden, and such that become a secret or longer where a text is cut between them.
    const PARTS: [&str; 9] =
        ["word ", "é", "\u{202e}", "\t\n", "password=", "hunter2hunter2 ", "Bearer ", "AKIAIOSFODNN7EXAMPLE", "[REDACTED:"];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_text_that_is_taken_in_has_a_character_too_many(
            parts in prop::collection::vec(prop_oneof![4 => prop::sample::select(PARTS.to_vec()).prop_map(str::to_owned), 1 => "[ -~]{0,30}"], 0..80),
            max in 100..400usize,
        ) {
            let text = taken(&Masker::knowing_nothing(), &parts.concat(), max);
            prop_assert!(text.chars().count() <= max, "{} of {max}: {text}", text.chars().count());
        }
    }

    #[test]
    fn texts_are_masked_made_visible_and_cut() {
        let token = ["ghp", "_", &"a1B2c3D4e5".repeat(4)[..36]].concat();
        let masked = taken(&Masker::knowing_nothing(), &format!(" use {token}\r\nthen\u{202e}\t"), 100);
        assert!(masked.starts_with("use [REDACTED:") && masked.ends_with("]\nthen\\u{202e}"), "{masked}");
        let long = taken(&Masker::knowing_nothing(), &"é".repeat(101), 100);
        assert_eq!(long, format!("{}… [41 more characters]", "é".repeat(60)));
        assert_eq!(taken(&Masker::knowing_nothing(), &long, 100), long);
        assert_eq!(exact(&Masker::knowing_nothing(), &"x".repeat(200)).len(), 200);
    }
}
