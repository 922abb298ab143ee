//! Tells scripts apart by how they write words: with blanks between them, without, or with syllables that particles follow.

/// How a script writes words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Letters that blanks part into words: Latin, Greek, Cyrillic and all others that are not below; digits too.
    Spaced,
    /// Letters without blanks between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
    Unspaced,
    /// Korean: blanks between words, and particles joined to them.
    Hangul,
}

/// The first letter that is not of a spaced script.
const FIRST: char = '\u{e01}';

/// Letters and their marks by the property Script of Unicode 16.0 (Scripts.txt), first and last, in order. Digits and signs of these
/// scripts are left out, the marks that kana of all kinds share (`ー`) are in.
#[rustfmt::skip]
const RANGES: [(char, char, Script); 41] = [
    ('\u{e01}', '\u{e3a}', Script::Unspaced),     // Thai
    ('\u{e40}', '\u{e4e}', Script::Unspaced),     // Thai
    ('\u{e81}', '\u{ece}', Script::Unspaced),     // Lao
    ('\u{edc}', '\u{edf}', Script::Unspaced),     // Lao
    ('\u{1000}', '\u{103f}', Script::Unspaced),   // Myanmar
    ('\u{1050}', '\u{108f}', Script::Unspaced),   // Myanmar
    ('\u{109a}', '\u{109d}', Script::Unspaced),   // Myanmar
    ('\u{1100}', '\u{11ff}', Script::Hangul),     // Hangul Jamo
    ('\u{1780}', '\u{17d3}', Script::Unspaced),   // Khmer
    ('\u{17d7}', '\u{17d7}', Script::Unspaced),   // Khmer
    ('\u{17dc}', '\u{17dd}', Script::Unspaced),   // Khmer
    ('\u{3005}', '\u{3007}', Script::Unspaced),   // Han, and the closing mark
    ('\u{3021}', '\u{3029}', Script::Unspaced),   // Han
    ('\u{302e}', '\u{302f}', Script::Hangul),     // Hangul tone marks
    ('\u{3031}', '\u{3035}', Script::Unspaced),   // repeat marks of kana
    ('\u{3038}', '\u{303c}', Script::Unspaced),   // Han, and the masu mark
    ('\u{3041}', '\u{3096}', Script::Unspaced),   // Hiragana
    ('\u{3099}', '\u{309a}', Script::Unspaced),   // voicing marks of kana
    ('\u{309d}', '\u{309f}', Script::Unspaced),   // Hiragana
    ('\u{30a1}', '\u{30fa}', Script::Unspaced),   // Katakana
    ('\u{30fc}', '\u{30ff}', Script::Unspaced),   // Katakana, and the long vowel
    ('\u{3105}', '\u{312f}', Script::Unspaced),   // Bopomofo
    ('\u{3131}', '\u{318e}', Script::Hangul),     // Hangul compatibility Jamo
    ('\u{31a0}', '\u{31bf}', Script::Unspaced),   // Bopomofo
    ('\u{31f0}', '\u{31ff}', Script::Unspaced),   // Katakana
    ('\u{3400}', '\u{4dbf}', Script::Unspaced),   // Han
    ('\u{4e00}', '\u{9fff}', Script::Unspaced),   // Han
    ('\u{a960}', '\u{a97c}', Script::Hangul),     // Hangul Jamo
    ('\u{a9e0}', '\u{a9ef}', Script::Unspaced),   // Myanmar
    ('\u{a9fa}', '\u{a9fe}', Script::Unspaced),   // Myanmar
    ('\u{aa60}', '\u{aa76}', Script::Unspaced),   // Myanmar
    ('\u{aa7a}', '\u{aa7f}', Script::Unspaced),   // Myanmar
    ('\u{ac00}', '\u{d7a3}', Script::Hangul),     // Hangul
    ('\u{d7b0}', '\u{d7fb}', Script::Hangul),     // Hangul Jamo
    ('\u{f900}', '\u{fad9}', Script::Unspaced),   // Han
    ('\u{ff66}', '\u{ff9f}', Script::Unspaced),   // Katakana of half width
    ('\u{ffa0}', '\u{ffdc}', Script::Hangul),     // Hangul of half width
    ('\u{16fe3}', '\u{16fe3}', Script::Unspaced), // Han
    ('\u{16ff0}', '\u{16ff1}', Script::Unspaced), // Han
    ('\u{1aff0}', '\u{1b167}', Script::Unspaced), // Katakana and Hiragana
    ('\u{20000}', '\u{3ffff}', Script::Unspaced), // Han: two planes of its own
];

impl Script {
    /// The script of a letter; what is not a letter counts as spaced.
    pub fn of(letter: char) -> Self {
        if letter < FIRST {
            return Self::Spaced;
        }
        let place = RANGES.partition_point(|&(_, last, _)| last < letter);
        RANGES.get(place).filter(|(first, ..)| *first <= letter).map_or(Self::Spaced, |&(.., script)| script)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    #[test]
    fn letters_have_the_script_that_unicode_gives_them() {
        assert!(RANGES.iter().all(|(first, last, _)| first <= last));
        assert!(RANGES.is_sorted_by(|(_, last, _), (first, ..)| last < first));
        let is = |pattern: &str| Regex::new(pattern).expect("a pattern");
        let unspaced =
            is(r"^[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}&&[\p{L}\p{M}\p{Nl}]]$");
        let hangul = is(r"^[\p{Hangul}&&[\p{L}\p{M}]]$");
        let shared = is(r"^[\p{Common}\p{Inherited}\P{Assigned}]$");
        let mut letter_text = [0; 4];
        for letter in '\0'..='\u{32fff}' {
            let text: &str = letter.encode_utf8(&mut letter_text);
            let script = Script::of(letter);
            let expected = match (unspaced.is_match(text), hangul.is_match(text)) {
                (true, _) => Script::Unspaced,
                (_, true) => Script::Hangul,
                // What several scripts share, and gaps between letters, may be on either side.
                _ if shared.is_match(text) => script,
                _ => Script::Spaced,
            };
            // Letters of rare dialects stand outside the ranges, and signs nowhere inside.
            let is_rare = matches!(letter, '\u{2ea}'..='\u{2eb}' | '\u{116d0}'..='\u{116e3}');
            assert!(script == expected || is_rare, "{letter} {:x}: {script:?}", u32::from(letter));
        }
    }
}
