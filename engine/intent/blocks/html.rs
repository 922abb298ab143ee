//! Takes tags of HTML off a line: what stands between them is said by whoever writes.
//!
//! Reads form only.

/// Tags that forms and issues are written with. Sorted.
#[rustfmt::skip]
const TAGS: [&str; 48] = [
    "a", "b", "blockquote", "br", "center", "code", "dd", "del", "details", "div", "dl", "dt", "em", "font", "h1", "h2", "h3", "h4", "h5",
    "h6", "hr", "i", "img", "ins", "kbd", "li", "ol", "p", "picture", "pre", "s", "samp", "small", "source", "span", "strong", "sub",
    "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "tt", "u", "ul",
];

/// Tags that need not be closed on their line, whatever follows.
const OPEN: [&str; 11] = ["blockquote", "br", "dd", "details", "dt", "hr", "img", "li", "p", "summary", "td"];

/// Tags around a heading.
const HEADINGS: [&str; 8] = ["b", "h1", "h2", "h3", "h4", "h5", "h6", "strong"];

/// Tags inside of a word or around one; others part words.
const INLINE: [&str; 13] = ["a", "b", "del", "em", "font", "i", "ins", "span", "strong", "sub", "sup", "tt", "u"];

/// How a comment begins and ends.
const COMMENT: [&str; 2] = ["<!--", "-->"];

/// A tag at the beginning of a text.
struct Tag<'t> {
    name: &'t str,
    is_end: bool,
    /// Bytes from bracket to bracket.
    n_bytes: usize,
}

/// What a line of HTML says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TagText {
    /// Without tags; empty where there is nothing else.
    pub(super) text: String,
    /// Whether the line is a heading.
    pub(super) is_heading: bool,
}

/// What stands between the tags of a line, if it is one of HTML: it begins with a tag, or one ends its last word. `may_name` says that
/// it may be a title that begins with the name of a tag.
pub(super) fn between_tags(line: &str, may_name: bool) -> Option<TagText> {
    if !line.contains('<') || !line.contains('>') {
        return None;
    }
    let Some(first) = tag(line) else {
        let text = without_last(line);
        return (text.len() < line.len()).then(|| TagText { text: text.to_owned(), is_heading: false });
    };
    let rest = &line[first.n_bytes..];
    let end = format!("</{}>", first.name);
    let is_glued = !rest.starts_with(char::is_whitespace);
    let is_open = first.is_end || OPEN.contains(&first.name) && (is_glued || !may_name);
    if !is_open && !rest.trim().is_empty() && !rest.contains(&end) && tag(rest.trim_start()).is_none() {
        return None;
    }
    let is_heading = HEADINGS.contains(&first.name) && rest.strip_suffix(&end).is_some_and(|inner| !inner.contains(&end));
    Some(TagText { text: without_all(line), is_heading })
}

/// A line without the tags that end its last word.
fn without_last(line: &str) -> &str {
    let mut left = line;
    while let Some(start) = left.rfind('<').filter(|_| left.ends_with('>')) {
        #[cfg(test)]
        work::add(left.len() - start);
        let before = &left[..start];
        let is_last = |tag: Tag<'_>| start + tag.n_bytes == left.len() && (tag.is_end || tag.name == "br");
        if before.ends_with(char::is_whitespace) || before.is_empty() || !tag(&left[start..]).is_some_and(is_last) {
            break;
        }
        left = before;
    }
    left
}

/// A line without its tags and comments. What stands in a tag of code is code in Markdown too.
fn without_all(line: &str) -> String {
    let is_code_whole = line.matches("<code>").count() == line.matches("</code>").count();
    let mut left = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find('<') {
        left.push_str(&rest[..start]);
        rest = &rest[start..];
        let comment = rest.strip_prefix(COMMENT[0]).map(|inner| inner.split_once(COMMENT[1]));
        #[cfg(test)]
        work::add(comment.map_or(0, |ended| ended.map_or(rest.len(), |(inner, _)| inner.len())));
        if let Some(comment) = comment {
            rest = comment.map_or("", |(_, behind)| behind);
        } else if let Some(tag) = tag(rest) {
            match tag.name {
                "code" if is_code_whole => left.push('`'),
                name if INLINE.contains(&name) => {}
                _ => left.push(' '),
            }
            rest = &rest[tag.n_bytes..];
        } else {
            left.push('<');
            rest = &rest[1..];
        }
    }
    left.push_str(rest);
    left.trim().to_owned()
}

/// The tag with which a text begins.
fn tag(text: &str) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?;
    let end = inner.find(['<', '>']);
    #[cfg(test)]
    work::add(end.unwrap_or(inner.len()) + 1);
    let end = end.filter(|end| inner[*end..].starts_with('>'))?;
    let inner = &inner[..end];
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let name = name.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
    TAGS.binary_search(&name).ok()?;
    Some(Tag { name, is_end: inner.starts_with('/'), n_bytes: end + 2 })
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, blocks};
    use super::between_tags;

    #[test]
    fn what_stands_between_tags_is_said() {
        let said = |line: &str| between_tags(line, true).map(|said| (said.text, said.is_heading));
        for (line, text) in [
            ("<p>The login fails</p>", "The login fails"),
            ("<p>The login fails", "The login fails"),
            ("<p align=\"center\">The login<br/>fails</p>", "The login fails"),
            ("<summary>Full log</summary>", "Full log"),
            ("<details><summary><b>Full</b> log</summary>", "Full log"),
            ("<li>Call <code>parseToken</code></li>", "Call `parseToken`"),
            ("<a href=\"x\">Log</a>in <b>fails</b> for a<b", "Login fails for a<b"),
            ("The login fails<br>", "The login fails"),
            ("The login fails</b></p>", "The login fails"),
            ("<p><!-- no --></p>", ""),
            ("</details>", ""),
            ("<br />", ""),
            ("<img src=\"a.png\">", ""),
        ] {
            assert_eq!(said(line), Some((text.to_owned(), false)), "{line}");
        }
        for line in ["<h3>Steps</h3>", "<b>Steps</b>", "<strong>Steps</strong>"] {
            assert_eq!(said(line), Some(("Steps".to_owned(), true)), "{line}");
        }
        for line in [
            "<summary> is shown twice",
            "<table> without a head is lost",
            "drops the </p>",
            "Vec<b> is lost",
            "a < b > c",
            "<T>",
            "<p",
            "<Button>Save</Button>",
        ] {
            assert_eq!(said(line), None, "{line}");
        }
    }

    #[test]
    fn an_issue_in_html_is_read_like_one_in_markdown() {
        let text = "<h2>The login fails</h2>\n<!-- Thank you\nfor the report -->\n<p>Tokens of guests expire.</p>\n<details>\n\
                    <summary>More of it</summary>\n<br>\nThe cache forgets them.<br>\n</details>\n<b>Environment</b>\n<p>Fedora</p>\n";
        let read: Vec<(Kind, String)> = blocks(text, &[]).into_iter().map(|block| (block.kind, block.text)).collect();
        let expected = [
            (Kind::Title, "The login fails\n"),
            (Kind::Boilerplate, "<!-- Thank you\nfor the report -->\n"),
            (Kind::Prose, "Tokens of guests expire.\n"),
            (Kind::Boilerplate, "<details>\n"),
            (Kind::Prose, "More of it\n"),
            (Kind::Boilerplate, "<br>\n"),
            (Kind::Prose, "The cache forgets them.\n"),
            (Kind::Boilerplate, "</details>\nEnvironment\n"),
            (Kind::Environment, "Fedora\n"),
        ];
        let expected = expected.map(|(kind, text)| (kind, text.to_owned()));
        assert_eq!(read, expected);
    }

    #[test]
    fn brackets_without_end_cost_no_more_than_their_line() {
        for line in ["<p>", "<p ", "</p>", "<p><!--", "x</b>", "<"] {
            let line = line.repeat(2_000) + ">";
            let ((), n_bytes) = work::done_by(|| drop(between_tags(&line, false)));
            assert!((1..=4 * line.len()).contains(&(n_bytes as usize)), "{}: {n_bytes}", &line[..4]);
        }
    }
}
