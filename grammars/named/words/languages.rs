//! The words of the languages that are read without a grammar.

use super::{Begins, Quotes, Words};

/// Kotlin.
#[rustfmt::skip]
pub(crate) const KOTLIN: Words = Words {
    begins: &[
        ("class", Begins::Type), ("interface", Begins::Interface), ("object", Begins::Type), ("fun", Begins::Function),
        ("constructor", Begins::Constructor), ("typealias", Begins::Alias), ("val", Begins::Constant), ("var", Begins::Variable),
    ],
    modifiers: &[
        "public", "private", "protected", "internal", "open", "abstract", "final", "sealed", "data", "enum", "annotation",
        "inner", "value", "inline", "companion", "override", "operator", "infix", "suspend", "tailrec", "external", "const",
        "lateinit", "expect", "actual", "noinline", "crossinline", "vararg", "fun",
    ],
    reserved: &[
        "if", "for", "while", "when", "catch", "return", "throw", "in", "is", "as", "super", "this", "fun", "else", "do", "try",
        "finally", "get", "set", "init", "by", "where", "it", "constructor", "typeof",
    ],
    imports: &["import"],
    nests_comments: true,
    quotes: Quotes { hole: Some("${"), fills_behind_words: false, characters: true, verbatim: false },
    has_orders: false,
    by_shape: false,
    calls_with_braces: true,
};

/// Swift.
#[rustfmt::skip]
pub(crate) const SWIFT: Words = Words {
    begins: &[
        ("class", Begins::Type), ("struct", Begins::Type), ("enum", Begins::Type), ("actor", Begins::Type),
        ("protocol", Begins::Interface), ("extension", Begins::Members), ("func", Begins::Function), ("macro", Begins::Function),
        ("init", Begins::Constructor), ("deinit", Begins::Constructor), ("subscript", Begins::Constructor),
        ("typealias", Begins::Alias), ("associatedtype", Begins::Alias), ("let", Begins::Constant), ("var", Begins::Variable),
        ("case", Begins::Variants),
    ],
    modifiers: &[
        "public", "private", "fileprivate", "internal", "open", "package", "static", "class", "final", "override", "mutating",
        "nonmutating", "lazy", "weak", "unowned", "required", "convenience", "dynamic", "optional", "indirect", "prefix",
        "postfix", "infix", "nonisolated", "isolated", "distributed", "async", "borrowing", "consuming",
    ],
    reserved: &[
        "if", "for", "while", "switch", "case", "guard", "catch", "return", "throw", "in", "is", "as", "super", "self", "func",
        "else", "repeat", "try", "await", "where", "get", "set", "willSet", "didSet", "defer", "throws", "rethrows", "async",
        "some", "any", "inout", "init", "subscript", "unowned", "available", "var", "let",
    ],
    imports: &["import"],
    nests_comments: true,
    quotes: Quotes { hole: Some("\\("), fills_behind_words: false, characters: false, verbatim: false },
    has_orders: false,
    by_shape: false,
    calls_with_braces: false,
};

/// Scala.
#[rustfmt::skip]
pub(crate) const SCALA: Words = Words {
    begins: &[
        ("class", Begins::Type), ("object", Begins::Type), ("enum", Begins::Type), ("trait", Begins::Interface),
        ("case", Begins::Variants), ("def", Begins::Function), ("type", Begins::Alias), ("val", Begins::Constant),
        ("var", Begins::Variable),
    ],
    modifiers: &[
        "private", "protected", "override", "final", "sealed", "abstract", "implicit", "lazy", "case", "inline", "opaque", "open",
        "transparent", "infix", "package", "given", "erased", "tracked",
    ],
    reserved: &[
        "if", "for", "while", "match", "catch", "return", "throw", "super", "this", "def", "else", "do", "try", "finally",
        "yield", "case", "with", "extends", "then", "using", "extension", "given", "end", "derives",
    ],
    imports: &["import"],
    nests_comments: true,
    quotes: Quotes { hole: Some("${"), fills_behind_words: true, characters: true, verbatim: false },
    has_orders: false,
    by_shape: false,
    calls_with_braces: false,
};

/// C#.
#[rustfmt::skip]
pub(crate) const CSHARP: Words = Words {
    begins: &[
        ("class", Begins::Type), ("struct", Begins::Type), ("record", Begins::Type), ("enum", Begins::Type),
        ("interface", Begins::Interface), ("namespace", Begins::Module),
    ],
    modifiers: &[
        "public", "private", "protected", "internal", "static", "abstract", "sealed", "partial", "readonly", "ref", "unsafe",
        "new", "virtual", "override", "async", "extern", "const", "volatile", "required", "file", "event", "delegate", "fixed",
        "record", "implicit", "explicit",
    ],
    reserved: &[
        "if", "for", "foreach", "while", "switch", "case", "catch", "return", "throw", "in", "is", "as", "base", "this", "else",
        "using", "lock", "when", "nameof", "typeof", "sizeof", "default", "checked", "unchecked", "await", "new", "out", "ref",
        "var", "fixed", "stackalloc", "get", "set", "init", "where", "and", "or", "not", "yield",
    ],
    imports: &["using"],
    nests_comments: false,
    quotes: Quotes { hole: Some("{"), fills_behind_words: false, characters: true, verbatim: true },
    has_orders: false,
    by_shape: true,
    calls_with_braces: false,
};
