//! Markup that is safe by its type: our own words, numbers, and text of strangers that was escaped.
//!
//! There is no way to put a string into it that is neither a literal of ours nor masked and escaped: forgetting it does not compile.

use context::Energy;
use redact::Safe;

/// A piece of markup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Html(String);

impl Html {
    /// Our own markup, as it is.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text, fit for an element and for an attribute in double quotes.
    pub(super) fn text(&mut self, text: &Safe) -> &mut Self {
        self.escape(text.as_str());
        self
    }

    /// The end of a text that is too long, or its beginning where `from_start`; what is gone is an ellipsis.
    pub(super) fn clipped(&mut self, text: &Safe, most: usize, from_start: bool) -> &mut Self {
        let text = text.as_str();
        if n_wide(text) <= most {
            self.escape(text);
            return self;
        }
        let mut room = most.saturating_sub(1);
        let mut fits = |c: char| {
            let is_in = width(c) <= room;
            room = if is_in { room - width(c) } else { 0 };
            is_in
        };
        if from_start {
            let end = text.char_indices().find(|(_, c)| !fits(*c)).map_or(text.len(), |(at, _)| at);
            self.escape(&text[..end]);
            self.0.push('…');
        } else {
            let start = text.char_indices().rev().take_while(|(_, c)| fits(*c)).last().map_or(text.len(), |(at, _)| at);
            self.0.push('…');
            self.escape(&text[start..]);
        }
        self
    }

    /// A path without its first folders where it is too long; its name is clipped where that alone is.
    pub(super) fn path(&mut self, path: &Safe, most: usize) -> &mut Self {
        let text = path.as_str();
        if n_wide(text) <= most {
            return self.text(path);
        }
        let ends = text.match_indices('/').map(|(at, _)| &text[at..]);
        match ends.filter(|end| !end[1..].is_empty()).find(|end| n_wide(end) < most) {
            Some(end) => {
                self.0.push('…');
                self.escape(end);
                self
            }
            None => self.clipped(path, most, false),
        }
    }

    /// The name of a file, with its line, out of its path.
    pub(super) fn file(&mut self, path: &Safe, most: usize) -> &mut Self {
        let text = path.as_str();
        let name = text.rfind('/').map_or(text, |at| &text[at + 1..]);
        if n_wide(name) <= most {
            self.escape(name);
            return self;
        }
        self.clipped(path, most, false)
    }

    /// A number.
    pub(super) fn num(&mut self, number: impl Into<i64>) -> &mut Self {
        self.0.push_str(&number.into().to_string());
        self
    }

    /// How many there are.
    pub(super) fn count(&mut self, number: usize) -> &mut Self {
        self.num(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// A number with a comma between thousands.
    pub(super) fn grouped(&mut self, number: u32) -> &mut Self {
        let digits = number.to_string();
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                self.0.push(',');
            }
            self.0.push(digit);
        }
        self
    }

    /// Energy in points.
    pub(super) fn points(&mut self, energy: Energy) -> &mut Self {
        self.text(&Safe::thousandths(i64::from(energy.0)))
    }

    /// Another piece.
    pub(super) fn add(&mut self, piece: &Self) -> &mut Self {
        self.0.push_str(&piece.0);
        self
    }

    /// The finished markup.
    pub(super) fn finish(self) -> String {
        self.0
    }

    fn escape(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // A parser of markup takes these for others or drops them.
                '\0' | '\r' => self.0.push('\u{fffd}'),
                _ => self.0.push(c),
            }
        }
    }
}

/// Columns of a text in type of one width.
fn n_wide(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Columns of a character in type of one width; what is not ASCII may have two.
fn width(c: char) -> usize {
    if c.is_ascii() || ('\u{a0}'..'\u{2e80}').contains(&c) { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redact::Masker;

    #[test]
    fn text_of_strangers_is_no_markup() {
        let mut html = Html::default();
        let hostile = Masker::knowing_nothing().name("</script><img src=x onerror=\"alert('1')\">&amp;");
        html.raw("<p title=\"").text(&hostile).raw("\">").text(&hostile).raw("</p>");
        let escaped = "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;";
        assert_eq!(html.finish(), format!("<p title=\"{escaped}\">{escaped}</p>"));
    }

    #[test]
    fn long_text_is_clipped_at_either_end_before_it_is_escaped() {
        let clipped = |text: &str, from_start| {
            let mut html = Html::default();
            html.clipped(&Masker::knowing_nothing().name(text), 5, from_start);
            html.finish()
        };
        assert_eq!(
            [clipped("abcde", true), clipped("abc<efg", true), clipped("abc<efg", false)],
            ["abcde", "abc&lt;…", "…&lt;efg"]
        );
        assert_eq!([clipped("日本語文字", true), clipped("日本語文字", false), clipped("", true)], ["日本…", "…文字", ""]);
    }

    #[test]
    fn paths_lose_folders_before_letters() {
        let shown = |path: &str, most, is_file: bool| {
            let (mut html, path) = (Html::default(), Masker::knowing_nothing().name(path));
            if is_file {
                html.file(&path, most)
            } else {
                html.path(&path, most)
            };
            html.finish()
        };
        assert_eq!(shown("a/bc/def.go:7", 13, false), "a/bc/def.go:7");
        assert_eq!(
            [12, 10, 9, 5].map(|most| shown("a/bc/def.go:7", most, false)),
            ["…/def.go:7", "…/def.go:7", "…def.go:7", "…go:7"]
        );
        assert_eq!([8, 5].map(|most| shown("a/bc/def.go:7", most, true)), ["def.go:7", "…go:7"]);
        assert_eq!(shown("a/b/", 3, false), "…b/");
    }

    #[test]
    fn numbers_are_grouped() {
        let grouped = |number| {
            let mut html = Html::default();
            html.grouped(number);
            html.finish()
        };
        assert_eq!([0, 999, 1_000, 80_000, 1_234_567].map(grouped), ["0", "999", "1,000", "80,000", "1,234,567"]);
    }
}
