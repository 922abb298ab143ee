//! Numbers of tokens and lines, as people write them: `2000`, `8k`, `1.5k`.

/// What `k` stands for.
const THOUSAND: u32 = 1_000;

/// A number as it is written, without its bounds; nothing for what is no number, or no whole one. What is too large is the largest.
pub(super) fn number(text: &str) -> Option<u32> {
    let (digits, times) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, THOUSAND),
        None => (text, 1),
    };
    let (whole, part) = match digits.split_once('.') {
        Some((whole, part)) if times > 1 && !part.is_empty() => (whole, part),
        Some(_) => return None,
        None => (digits, ""),
    };
    if whole.is_empty() || !whole.bytes().chain(part.bytes()).all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    // A thousandth of a thousand is one: what is finer is no whole number.
    let part = part.trim_end_matches('0');
    let thousandths = match part.len() {
        0 => 0,
        places @ 1..=3 => part.parse::<u32>().ok()? * 10_u32.pow(3 - places as u32),
        _ => return None,
    };
    let whole = whole.parse::<u32>().unwrap_or(u32::MAX);
    Some(whole.saturating_mul(times).saturating_add(thousandths))
}

/// A number of something between two bounds.
pub(super) fn amount(text: &str, what: &str, least: u32, most: u32) -> Result<u32, String> {
    let expected = || format!("write a number of {what} from {least} to {most}, such as {}", examples(least, most));
    number(text).filter(|number| (least..=most).contains(number)).ok_or_else(expected)
}

/// Ways to write a number that lie within the bounds.
fn examples(least: u32, most: u32) -> String {
    let all = [("20", 20), ("2000", 2_000), ("8k", 8_000), ("1.5k", 1_500)];
    let within: Vec<&str> = all.into_iter().filter(|(_, number)| (least..=most).contains(number)).map(|(text, _)| text).collect();
    match within.as_slice() {
        [] => most.to_string(),
        [one] => (*one).to_owned(),
        [before @ .., end] => format!("{} or {end}", before.join(", ")),
    }
}

/// Reads a flag that takes a number of lines.
pub(super) fn lines(least: u32, most: u32) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| amount(text, "lines", least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_may_have_a_part_as_long_as_the_number_is_whole() {
        let read = |text| amount(text, "lines", 1, 10_000);
        assert_eq!(
            ["1", "2000", "8k", "8K", "1.5k", "0.25k", "1.250k", "1.2500k"].map(read),
            [1, 2_000, 8_000, 8_000, 1_500, 250, 1_250, 1_250].map(Ok)
        );
        for wrong in [
            "",
            "k",
            ".",
            ".5k",
            "1.k",
            "1.5",
            "1.2345k",
            "0",
            "11k",
            "99999999999",
            "99999999999k",
            "-5",
            "+5",
            "8kk",
            "8 k",
            "1,5k",
            "many",
        ] {
            let expected = "write a number of lines from 1 to 10000, such as 20, 2000, 8k or 1.5k";
            assert_eq!(read(wrong), Err(expected.to_owned()), "{wrong}");
        }
        assert_eq!(amount("x", "lines", 5, 40).expect_err("no number"), "write a number of lines from 5 to 40, such as 20");
    }
}
