//! What a name means: `file#Type.method` or any end of it, letter by letter.
//!
//! Nothing is guessed: what several definitions have is refused with these, and what none has with what is nearest.

use super::desk::Desk;
use activate_rules::atoms::NodeId;
use error::{Error, ErrorKind, Result};
use index::base::FactBase;
use redact::Safe;

/// The most candidates that are listed.
const MAX_LISTED: usize = 10;
/// The longest name.
const MAX_NAME: usize = 1_000;

/// What a name means: a file, or the declarations of one definition.
pub(crate) struct Named {
    /// The nodes, in their order.
    pub(crate) nodes: Vec<NodeId>,
}

/// A name without the backquotes around it: one may end with a backquote of its own.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).unwrap_or(text)
}

/// Finds what a name means.
pub(crate) fn named(base: &FactBase, text: &str) -> Result<Named> {
    let text = unquoted(text);
    if text.is_empty() || text.len() > MAX_NAME {
        let message = "give a name, such as `ValidateToken`, `KeySet.Find` or `auth/login.go#ValidateToken`";
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    let mut groups = intent::exact(base, text);
    match groups.len() {
        0 => Err(unknown(base, text)),
        1 => Ok(Named { nodes: groups.pop().unwrap_or_default() }),
        n => {
            let ids: Vec<String> = groups.iter().take(MAX_LISTED).map(|nodes| format!("`{}`", base.id(nodes[0]))).collect();
            let more = if n > MAX_LISTED { format!(" and {} more", n - MAX_LISTED) } else { String::new() };
            let message = format!("`{text}` may be any of {n}: {}{more}; say which of them is meant", ids.join(", "));
            Err(Error::new(ErrorKind::NothingFound, message))
        }
    }
}

/// What a place is taken for, as a phrase, where a text names one by its line: the definition around it.
pub(crate) fn taken_for(desk: &Desk<'_>, text: &str) -> Option<Safe> {
    let text = unquoted(text);
    let (_, line) = text.rsplit_once(':')?;
    line.parse::<u32>().ok()?;
    let node = *named(desk.base, text).ok()?.nodes.first()?;
    let symbol = desk.base.symbol(node).filter(|_| desk.base.node_at(text).is_none())?;
    let [first, last] = [symbol.lines.0, symbol.lines.1].map(Safe::number);
    Some(Safe::format("`{}` is taken for `{}`, lines {} to {}", &[&desk.masker.name(text), &desk.id(node), &first, &last]))
}

/// That nothing has a name, with what is nearest.
fn unknown(base: &FactBase, text: &str) -> Error {
    let folder = format!("{}/", text.trim_end_matches('/'));
    if base.files().any(|file| base.path(file).starts_with(&folder)) {
        let message =
            format!("`{text}` is a folder; give one of its files or definitions, which `activate outline {text}` lists");
        return Error::new(ErrorKind::NothingFound, message);
    }
    let message = match intent::locate(base, text) {
        Err(error) => error.message,
        Ok(near) => {
            let near: Vec<String> = near.iter().take(MAX_LISTED).map(|node| format!("`{}`", base.id(*node))).collect();
            format!("nothing is named `{text}` letter by letter; the nearest are {}", near.join(", "))
        }
    };
    Error::new(ErrorKind::NothingFound, message)
}
