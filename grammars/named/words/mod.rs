//! Languages that are read without a grammar, by their words, brackets and indentation: their grammars would take megabytes each.
//!
//! A definition is a word such as `fun` or `class` with a name behind it; where it ends, brackets and indentation say. One pass over the
//! tokens finds definitions and calls.

mod call;
mod find;
mod header;
pub(super) mod languages;
mod shape;
pub(super) mod tokens;

#[cfg(test)]
#[expect(clippy::needless_raw_string_hashes, reason = "that is how expected texts are written again")]
mod tests;

use crate::facts::{FileFacts, Visibility};
use crate::lower::Text;
use crate::passages::{Levels, passages};
use crate::{Extracted, Language};
use find::Finder;
use tokens::Tokens;

/// What a word begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begins {
    /// A function, or a method where it stands in a type.
    Function,
    /// A function whose name is the word itself: Swift's `init`.
    Constructor,
    /// A type.
    Type,
    /// An interface, trait or protocol.
    Interface,
    /// Another name for a type.
    Alias,
    /// A namespace.
    Module,
    /// A constant, or a field in a type.
    Constant,
    /// A variable, or a field in a type.
    Variable,
    /// Members of a type that stands elsewhere: Swift's `extension`.
    Members,
    /// Variants of an enum: Swift's `case`.
    Variants,
}

/// How texts in quotes are written.
#[derive(Debug)]
pub(crate) struct Quotes {
    /// What opens code inside of a text, and is closed by the bracket that it ends with: `${`, `\(`.
    pub(crate) hole: Option<&'static str>,
    /// Whether it does so only in texts with a word right in front: `s"${a}"`.
    pub(crate) fills_behind_words: bool,
    /// Whether `'` stands around one character.
    pub(crate) characters: bool,
    /// Whether `@` in front makes a text in which `\` is a letter: C#.
    pub(crate) verbatim: bool,
}

/// The words of a language.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a way of writing that a language has or has not")]
pub(crate) struct Words {
    /// What begins a definition.
    pub(crate) begins: &'static [(&'static str, Begins)],
    /// What may stand in front of such a word.
    pub(crate) modifiers: &'static [&'static str],
    /// What may stand in front of brackets and is no call.
    pub(crate) reserved: &'static [&'static str],
    /// What imports a module.
    pub(crate) imports: &'static [&'static str],
    /// Whether comments nest.
    pub(crate) nests_comments: bool,
    /// How texts are written.
    pub(crate) quotes: Quotes,
    /// Whether each line that begins with `#` is an order to a preprocessor.
    pub(crate) has_orders: bool,
    /// Whether members need no word to begin and `;` ends what has no body: C#.
    pub(crate) by_shape: bool,
    /// Whether a call may have braces behind it alone: Kotlin.
    pub(crate) calls_with_braces: bool,
}

/// The facts of a text.
pub(crate) fn read(language: &Language, words: &Words, file: &Text<'_>) -> Extracted {
    let text = file.source;
    let tokens = Tokens::read(words, text);
    let mut facts = Finder::new(language, words, &tokens, file).find();
    facts.n_lines = file.n_lines;
    let mut levels = Levels::of_text(text);
    for comment in tokens.comments.iter().filter(|comment| comment.is_alone) {
        levels.end_above(comment.rows.1 as usize);
    }
    facts.passages = passages(&facts, &levels);
    let mut zones = tokens.zones;
    zones.extend(facts.symbols.iter().filter_map(|symbol| name_zone(text, symbol, &facts)));
    zones.sort_by_key(|zone| (zone.start, zone.end));
    Extracted { facts, zones }
}

/// Where the name of a definition stands.
fn name_zone(text: &str, symbol: &crate::facts::Symbol, facts: &FileFacts) -> Option<crate::facts::Zone> {
    let name = facts.names.get(symbol.name);
    let signature = text.get(symbol.bytes.0 as usize..symbol.bytes.1 as usize)?;
    let start = symbol.bytes.0 + signature.find(name)? as u32;
    let end = start + name.len() as u32;
    Some(crate::facts::Zone { start, end, kind: crate::facts::ZoneKind::Name })
}

/// What words in front of a definition say of who may use it.
fn visibility(language: &Language, name: &str, words: &str, is_member: bool) -> Visibility {
    (language.reading.visibility)(name, Some(words), is_member)
}
