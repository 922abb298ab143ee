//! Words of a text in which names stand between letters of scripts without blanks: `修复ValidateToken的问题`, `「parse_token」`.

use index::text::Script;

/// Signs of full width that part words as blanks do.
const SIGNS: [char; 19] =
    ['（', '）', '，', '。', '：', '；', '！', '？', '、', '《', '》', '【', '】', '〈', '〉', '〔', '〕', '．', '・'];

/// Quotes of full width, as they open and close. They stay with what they are around.
pub(super) const WIDE_QUOTES: [(char, char); 2] = [('「', '」'), ('『', '』')];

/// What begins and ends a quotation beside letters without blanks.
const OPENING: [char; 4] = ['「', '『', '“', '‘'];
const CLOSING: [char; 4] = ['」', '』', '”', '’'];

/// The words of a line: what blanks part, and of that what signs and changes of script part.
///
/// A letter of another script that `_` joins to a name stays with it, and a part of a path with the path.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().flat_map(|word| {
        let is_whole = !word.chars().any(|letter| is_wide(letter) || is_wide_sign(letter));
        Pieces { left: word, before: None, is_whole }
    })
}

/// Whether a letter is of a script that is written without blanks, or Korean.
pub(crate) fn is_wide(letter: char) -> bool {
    Script::of(letter) != Script::Spaced
}

/// Whether a sign is a quote of full width or another that parts words.
pub(super) fn is_wide_sign(sign: char) -> bool {
    SIGNS.contains(&sign) || WIDE_QUOTES.iter().any(|(open, close)| *open == sign || *close == sign)
}

/// The number in `第45行`, `的第 45 行`, `の45行目` and `45번째 줄` at the start of a text.
pub(super) fn line_after(text: &str) -> Option<u32> {
    let text = text.trim_start_matches(['的', 'の', '의', '第', ' ', '，', '、', '（', '(']);
    let end = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, unit) = text.split_at(end);
    let is_line = ["行", "줄", "번째 줄", "번 줄"].iter().any(|known| unit.trim_start().starts_with(known));
    number.parse().ok().filter(|number| *number > 0 && is_line)
}

struct Pieces<'t> {
    left: &'t str,
    /// The letter before what is left.
    before: Option<char>,
    /// Whether nothing in it is of full width, so that it is one piece.
    is_whole: bool,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_whole || self.left.is_ascii() {
            return Some(std::mem::take(&mut self.left)).filter(|word| !word.is_empty());
        }
        let start = self.left.find(|letter| !SIGNS.contains(&letter))?;
        if start > 0 {
            self.before = None;
        }
        let word = &self.left[start..];
        let mut before = self.before;
        // Whether the piece has letters of a wide script now, and whether these are part of a path.
        let (mut is_wide_here, mut is_joined) = (None, false);
        let mut end = word.len();
        for (at, letter) in word.char_indices() {
            if SIGNS.contains(&letter) || at > 0 && OPENING.contains(&letter) {
                end = at;
                break;
            }
            if CLOSING.contains(&letter) {
                end = at + letter.len_utf8();
                break;
            }
            let is_wide = is_wide(letter);
            let is_quote = OPENING.contains(&letter);
            if !is_quote && is_wide_here.is_some_and(|here| here != is_wide) {
                let goes_on = if is_wide {
                    is_joined = joins(before) && (before == Some('_') || joins(after_wide(&word[at..])));
                    is_joined
                } else {
                    is_joined || letter == '_'
                };
                if !goes_on {
                    end = at;
                    break;
                }
            }
            if !is_quote {
                is_wide_here = Some(is_wide);
            }
            before = Some(letter);
        }
        self.before = before;
        self.left = &word[end..];
        Some(&word[..end]).filter(|piece| !piece.is_empty())
    }
}

/// Whether a sign joins parts of a path or a name.
fn joins(sign: Option<char>) -> bool {
    matches!(sign, Some('/' | '\\' | '_' | '-' | '.'))
}

/// What follows the letters of wide scripts that a text starts with.
fn after_wide(text: &str) -> Option<char> {
    text.chars().find(|letter| !is_wide(*letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_between_letters_of_other_scripts_are_words() {
        let cases = [
            ("修复ValidateToken的问题", "修复|ValidateToken|的问题"),
            ("src/auth/login.go:45でpanic", "src/auth/login.go:45|で|panic"),
            ("「parse_token」を，呼ぶ", "「parse_token」|を|呼ぶ"),
            ("请看“copy”函数（auth.Login）", "请看|“copy”|函数|auth.Login"),
            ("Banner가 긴", "Banner|가|긴"),
            ("docs/中文/说明.md和test_ログイン", "docs/中文/说明.md|和|test_ログイン"),
            ("исправь parse_token, größe", "исправь|parse_token,|größe"),
            ("“copy” ‘a b’ don’t", "“copy”|‘a|b’|don’t"),
            ("。、「」", "「」"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text).collect::<Vec<_>>().join("|"), expected, "{text}");
        }
        let lines = ["第45行", "的第 45 行", "の45行目", " 45번째 줄"].map(line_after);
        assert_eq!(lines, [Some(45); 4]);
        assert_eq!(["第行", "45个", "0行", "45"].map(line_after), [None; 4]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn any_text_is_cut_line_by_line_as_it_is_whole(text in "[ab_/.é修复の오「」，“” \\n]{0,60}|\\PC{0,60}") {
            let whole: Vec<&str> = words(&text).collect();
            let by_line: Vec<&str> = text.lines().flat_map(words).collect();
            prop_assert!(whole.iter().all(|word| !word.is_empty()));
            prop_assert_eq!(whole, by_line);
        }
    }
}
