//! Names of repositories: they become names of folders, and stand in front of places.

/// The longest name, in bytes: with what is put behind it, every file system takes it as the name of a folder.
const MAX_NAME: usize = 120;

/// Names that Windows keeps for devices, whatever stands behind a dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Says what is wrong with a name.
pub(super) fn check(name: &str) -> Result<(), String> {
    if name.len() > MAX_NAME {
        return Err(format!("the name is longer than {MAX_NAME} bytes; shorten it"));
    }
    name.split('/').try_for_each(|segment| check_segment(name, segment))
}

fn check_segment(name: &str, segment: &str) -> Result<(), String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let wrong = match segment {
        "" => "begins or ends with a slash, or has two in a row",
        "." | ".." => "leads out of its folder",
        _ if !segment.bytes().all(is_allowed) => "has signs that are no letter, digit, `.`, `_` or `-` between its slashes",
        _ if segment.starts_with('-') => "has a part that begins with `-`, as flags do",
        _ if segment.ends_with('.') => "has a part that ends with a dot, which some systems drop",
        _ if is_device(segment) => "has a part that is the name of a device",
        _ => return Ok(()),
    };
    Err(format!("the name `{name}` {wrong}; write it like `shop/api`"))
}

fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or_default().to_ascii_lowercase();
    DEVICES.iter().any(|device| {
        let rest = stem.strip_prefix(device);
        let has_number = matches!(*device, "com" | "lpt");
        rest.is_some_and(|rest| if has_number { matches!(rest.as_bytes(), [b'0'..=b'9']) } else { rest.is_empty() })
    })
}

/// A name out of the last two parts of a url or path, where these make one.
pub(super) fn of_place(place: &str) -> Option<String> {
    let trimmed = place.trim_end_matches(['/', '\\']);
    let trimmed = trimmed.strip_suffix(".git").unwrap_or(trimmed).trim_end_matches(['/', '\\']);
    let after_host = trimmed.split_once("://").map_or(trimmed, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let parts: Vec<&str> = after_host.split(['/', '\\', ':']).filter(|part| !part.is_empty()).collect();
    let last = parts.len().checked_sub(1)?;
    let name = parts.get(last.saturating_sub(1)..)?.join("/");
    [name.as_str(), parts.get(last)?].into_iter().find(|name| check(name).is_ok()).map(str::to_owned)
}
