//! A whole prompt with a place for the packet in it, kept within what a model reads at once.

use super::budget::{CEILING, TEMPLATE};
use error::{Error, ErrorKind, Result};
use tokens::Tokenizer;

/// Where the packet goes.
const PLACE: &str = "{{session_context}}";

/// A prompt of the caller's own: system prompt, tools, and the place of the packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    before: String,
    after: String,
}

impl Template {
    /// A template of this text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where the place of the packet is missing or stands there twice, and where the text has more tokens than are
    /// reserved for it.
    pub fn parse(text: &str, tokenizer: Tokenizer) -> Result<Self> {
        let refused = |why: &str| Err(Error::new(ErrorKind::BadInput, format!("the template {why}")));
        let Some((before, after)) = text.split_once(PLACE) else {
            return refused("has no place for the packet: write {{session_context}} where it is to stand");
        };
        if after.contains(PLACE) {
            return refused("has {{session_context}} twice: a prompt has one packet");
        }
        let tokens = tokenizer.count(before) + tokenizer.count(after);
        if tokens > TEMPLATE {
            let message = format!(
                "the template has {tokens} tokens without the packet, and {TEMPLATE} are reserved for prompt and tools: with a packet of up to \
                 {CEILING}, an answer and a margin the whole would pass 128,000; shorten it by {}",
                tokens.0 - TEMPLATE.0
            );
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        Ok(Self { before: before.to_owned(), after: after.to_owned() })
    }

    /// The prompt with this packet in its place.
    pub fn fill(&self, packet: &str) -> String {
        [&self.before, packet, &self.after].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget::{ANSWER, MARGIN, TOTAL};
    use super::*;

    #[test]
    fn a_template_has_one_place_and_no_more_than_its_reserve() {
        let parse = |text: &str| Template::parse(text, Tokenizer::default());
        assert_eq!(parse("a {{session_context}} b").unwrap().fill("{{session_context}}"), "a {{session_context}} b");
        for (text, says) in [("a", "no place"), ("{{session_context}}{{session_context}}", "twice")] {
            assert!(parse(text).unwrap_err().message.contains(says));
        }
        let words = |n: usize| format!("{}{PLACE}", " word".repeat(n));
        assert!(parse(&words(TEMPLATE.0 as usize)).is_ok());
        let error = parse(&words(TEMPLATE.0 as usize + 7)).unwrap_err();
        assert!(error.kind == ErrorKind::BadInput && error.message.ends_with("shorten it by 7"), "{}", error.message);
    }

    #[test]
    fn the_greatest_prompt_and_its_answer_are_what_a_model_reads_at_once() {
        assert_eq!(TEMPLATE + CEILING + ANSWER + MARGIN, TOTAL);
        let tokenizer = Tokenizer::default();
        let template = Template::parse(&format!("{}{PLACE}", " word".repeat(TEMPLATE.0 as usize)), tokenizer).unwrap();
        let prompt = template.fill(&" word".repeat(CEILING.0 as usize));
        assert!(tokenizer.count(&prompt) + ANSWER + MARGIN <= TOTAL);
    }
}
