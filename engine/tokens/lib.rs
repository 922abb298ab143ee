//! Counts tokens as the models' tokenizers do.
//!
//! A tokenizer's patterns are compiled when a text first needs them, so a run that does without pays nothing; its vocabulary lies in the
//! program as it is searched.

mod common;
mod encoding;
mod vocabulary;

use encoding::Encoding;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// A number of tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Tokens(pub u32);

impl std::ops::Add for Tokens {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::iter::Sum for Tokens {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self(0), std::ops::Add::add)
    }
}

impl fmt::Display for Tokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Which vocabulary counts. The default is `o200k`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tokenizer {
    /// `o200k_base`, of the newer models.
    #[default]
    O200k,
    /// `cl100k_base`, of the older ones.
    Cl100k,
}

/// What a joint of two counted texts can cost above the sum of their counts: [`Tokenizer::line_tokens`] says when.
pub const JOINT: Tokens = Tokens(1);

/// What a word is to `o200k_base`, apart from white space.
const O200K_WORDS: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+",
);

/// What a word is to `cl100k_base`, apart from white space.
const CL100K_WORDS: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+";

static O200K_VOCABULARY: &[u8] = include_bytes!(env!("ACTIVATE_O200K"));
static CL100K_VOCABULARY: &[u8] = include_bytes!(env!("ACTIVATE_CL100K"));

const _: () = assert!(
    vocabulary::is_whole(O200K_VOCABULARY) && vocabulary::is_whole(CL100K_VOCABULARY),
    "a vocabulary in the folder of the build is damaged: `cargo clean -p activate` and build again"
);

static O200K: LazyLock<Encoding> = LazyLock::new(|| Encoding::new(O200K_WORDS, common::o200k_word_end, O200K_VOCABULARY));
static CL100K: LazyLock<Encoding> = LazyLock::new(|| Encoding::new(CL100K_WORDS, |_| None, CL100K_VOCABULARY));

impl Tokenizer {
    /// The exact number of tokens of `text`.
    pub fn count(self, text: &str) -> Tokens {
        let encoding = match self {
            Self::O200k => &O200K,
            Self::Cl100k => &CL100K,
        };
        Tokens(u32::try_from(encoding.count(text)).unwrap_or(u32::MAX))
    }

    /// Tokens before each line of `text`, and before its end: lines `a..b`, counted from zero, have at most
    /// `counts[b] - counts[a]` tokens and one [`JOINT`].
    ///
    /// Each line is counted alone. Both tokenizers cut a text to words before they look for tokens, and no word holds a line feed with
    /// anything but white space, punctuation or (`o200k`) slashes after it: a word that goes over a line end, such as the line feeds of empty
    /// lines or `);`, line feed, `//`, is counted as one in the whole text and as two here. Two parts of a word rarely have fewer tokens than
    /// the word; the joint pays for that. A count of the whole text would not do: where such a word is cut, a range of lines has
    /// tokens that the whole does not.
    pub fn line_tokens(self, text: &str) -> Vec<u32> {
        let mut total = 0_u32;
        let lines = text.split_inclusive('\n').map(|line| {
            total = total.saturating_add(self.count(line).0);
            total
        });
        std::iter::once(0).chain(lines).collect()
    }
}

impl FromStr for Tokenizer {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "o200k" => Ok(Self::O200k),
            "cl100k" => Ok(Self::Cl100k),
            _ => Err(format!("no tokenizer `{name}`; there are o200k and cl100k")),
        }
    }
}

impl fmt::Display for Tokenizer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::O200k => "o200k",
            Self::Cl100k => "cl100k",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{CL100K_VOCABULARY, JOINT, O200K, O200K_VOCABULARY, Tokenizer, Tokens, common, vocabulary};
    use proptest::prelude::*;

    #[test]
    fn counts_are_those_of_the_published_tokenizers() {
        // Known encodings: o200k `hello world` is 24912, 2375; cl100k `hello world` is 15339, 1917.
        assert_eq!(Tokenizer::O200k.count("hello world"), Tokens(2));
        assert_eq!(Tokenizer::Cl100k.count("hello world"), Tokens(2));
        assert_eq!(Tokenizer::O200k.count(""), Tokens(0));
        assert_eq!("cl100k".parse(), Ok(Tokenizer::Cl100k));
        assert!("gpt2".parse::<Tokenizer>().is_err());
    }

    #[test]
    fn a_vocabulary_that_is_cut_off_anywhere_is_not_whole() {
        for whole in [O200K_VOCABULARY, CL100K_VOCABULARY] {
            assert!(vocabulary::is_whole(whole) && !vocabulary::is_whole(&[whole, b"x"].concat()));
            for length in [0, 4, 8, 12, whole.len() / 4, whole.len() / 2, whole.len() - 1] {
                assert!(!vocabulary::is_whole(&whole[..length]), "{length}");
            }
        }
    }

    #[test]
    fn counting_by_line_is_close_for_code() {
        let code = include_str!("../redact/mask.rs");
        for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
            let truth = tokenizer.count(code).0;
            let bound = *tokenizer.line_tokens(code).last().expect("an end");
            assert!(truth <= bound && bound * 100 <= truth * 103, "{tokenizer}: {bound} for {truth}");
        }
    }

    /// The tokenizers that others rely on.
    fn published(tokenizer: Tokenizer) -> &'static tiktoken_rs::CoreBPE {
        match tokenizer {
            Tokenizer::O200k => tiktoken_rs::o200k_base_singleton(),
            Tokenizer::Cl100k => tiktoken_rs::cl100k_base_singleton(),
        }
    }

    #[test]
    fn words_of_common_characters_end_where_the_pattern_says() {
        let pieces = [
            "a", "A", "1", " ", "\n", "\r", "\t", "/", "(", "'", "'s", "…", "s", "é", "\u{17f}", "\u{a0}", "²", "ǅ", "\u{301}",
            "漢",
        ];
        for one in pieces {
            for two in pieces {
                for three in pieces {
                    for four in pieces {
                        let text = [one, two, three, four].concat();
                        if let Some(end) = common::o200k_word_end(&text) {
                            assert_eq!(O200K.pattern_word_end(&text), Some(end), "{text:?}");
                        }
                        let has_others = text.chars().any(|character| !character.is_ascii() && character != '…');
                        assert!(common::o200k_word_end(&text).is_some() || has_others, "{text:?}");
                    }
                }
            }
        }
    }

    fn check_count(text: &str) {
        for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
            assert_eq!(tokenizer.count(text).0 as usize, published(tokenizer).count_ordinary(text), "{tokenizer} of {text:?}");
        }
    }

    #[test]
    fn long_words_and_every_token_are_counted_as_the_published_tokenizers_count_them() {
        for text in [" ", "\n", "a", "=", "ab", "漢", "\u{a0}", "é"].map(|text| text.repeat(3_000)) {
            check_count(&text);
            check_count(&format!("x{text}y"));
        }
        for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
            let ranks: Vec<u32> = (0..100_000).step_by(7).collect();
            let tokens = published(tokenizer).decode_bytes(&ranks).expect("ranks without a gap");
            for part in String::from_utf8_lossy(&tokens).split_inclusive('e') {
                check_count(part);
            }
        }
    }

    /// Lines of code, with what makes words go over line ends.
    fn lines() -> impl Strategy<Value = Vec<String>> {
        let piece = prop::sample::select(vec![
            "fn f(", ");", "//", "/", "{", "}", " ", "    ", "\t", "\r", "", "word", "Word", "été", "漢字", "12", "it's", "=>",
            "\u{a0}", "*/", "\"",
        ]);
        let line = prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat() + "\n");
        prop::collection::vec(line, 1..12)
    }

    proptest! {
        #[test]
        fn any_text_is_counted_as_the_published_tokenizers_count_it(text in "\\PC{0,40}", code in lines(), odd in "[ \t\r\n'/a-fA-F0-9\u{e0}-\u{2ff}\u{4e00}-\u{4e20}]{0,60}") {
            check_count(&text);
            check_count(&code.concat());
            check_count(&odd);
        }

        #[test]
        fn no_range_of_lines_has_more_tokens_than_its_bound(lines in lines(), a in 0_usize..12, b in 0_usize..12) {
            let (a, b) = (a.min(b).min(lines.len()), a.max(b).min(lines.len()));
            for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
                let counts = tokenizer.line_tokens(&lines.concat());
                let truth = tokenizer.count(&lines[a..b].concat());
                prop_assert!(truth <= Tokens(counts[b] - counts[a]) + JOINT, "{truth} for {:?}", &lines[a..b]);
            }
        }
    }
}
