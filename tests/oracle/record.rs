//! The records: what a compiler says of a repository, and the links that `activate facts` prints; both one JSON object a line.

use serde::{Deserialize, Serialize};

/// What a compiler knows, one record each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Record {
    /// A file of the build.
    File(File),
    /// A name that is called, and its definition in the repository.
    Call(Site),
    /// A name that is used otherwise, and its definition in the repository.
    Reference(Site),
    /// A file or package that a file imports.
    Import(Import),
    /// A name without a definition that could be linked to; without these a wrong link cannot be told from an unknown one.
    Other(Other),
    /// A type that implements an interface or trait, or a method that implements one of its methods.
    Implements(Implements),
}

/// A file that the compiler has read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) lang: String,
    pub(crate) test: bool,
    pub(crate) call_sites: usize,
    pub(crate) unresolved: usize,
    /// Whether the compiler knows so much of the file that what it does not say is not there.
    pub(crate) complete: bool,
    /// First and last lines of what this build leaves out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) configured: Vec<(u32, u32)>,
    /// First and last lines of what only macros make code of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) made: Vec<(u32, u32)>,
    /// Lines and names of what runners of tests call, by what marks it.
    #[serde(flatten)]
    pub(crate) run: Run,
}

/// What runners of tests call, each with the line of its name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tests: Vec<(u32, String)>,
    /// What is called around them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) around: Vec<(u32, String)>,
}

/// A used name with its definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Site {
    pub(crate) from_path: String,
    /// The line of the name itself, from 1.
    pub(crate) line: u32,
    pub(crate) name: String,
    /// The definition around the site, outermost first, joined by dots.
    #[serde(default)]
    pub(crate) from_name: Option<String>,
    /// First and last line of the innermost definition around the site.
    #[serde(default)]
    pub(crate) from_lines: Option<(u32, u32)>,
    pub(crate) to_path: String,
    pub(crate) to_name: String,
    pub(crate) to_line: u32,
    pub(crate) to_kind: Kind,
    #[serde(default)]
    pub(crate) test: bool,
    #[serde(default)]
    pub(crate) in_macro: bool,
    /// Other definitions that are as right: overloads, merged declarations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) alts: Vec<Definition>,
}

/// Path, line and name of a definition.
pub(crate) type Definition = (String, u32, String);

/// What is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Function,
    Method,
    /// A method that an interface or trait declares.
    #[serde(rename = "imethod")]
    InterfaceMethod,
    Class,
    Type,
    Const,
    Macro,
    Namespace,
    Field,
    Local,
    Module,
    /// Whatever a macro makes of it.
    Made,
    NestedFunction,
    NestedMethod,
    #[serde(rename = "nested_imethod")]
    NestedInterfaceMethod,
    NestedClass,
    NestedType,
}

impl Kind {
    /// Whether it stands inside a function: closures and the like, which are counted apart.
    pub(crate) fn is_nested(self) -> bool {
        use Kind::{NestedClass, NestedFunction, NestedInterfaceMethod, NestedMethod, NestedType};
        matches!(self, NestedFunction | NestedMethod | NestedInterfaceMethod | NestedClass | NestedType)
    }

    /// The kind of the same thing inside a function.
    pub(crate) fn nested(self) -> Kind {
        match self {
            Kind::Function => Kind::NestedFunction,
            Kind::Method => Kind::NestedMethod,
            Kind::InterfaceMethod => Kind::NestedInterfaceMethod,
            Kind::Class => Kind::NestedClass,
            Kind::Type => Kind::NestedType,
            Kind::Const => Kind::Local,
            other => other,
        }
    }
}

/// An import of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Import {
    pub(crate) how: How,
    pub(crate) from_path: String,
    pub(crate) line: u32,
    /// A file, or the folder of a package.
    pub(crate) to_path: String,
    #[serde(default)]
    pub(crate) test: bool,
    /// Files that are named on the way there: those that give the name out again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) alts: Vec<String>,
}

/// How a file is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum How {
    /// By a package: any of its files.
    Package,
    /// By the text of a path.
    Specifier,
    /// By a `use`.
    Use,
    /// By a `mod`.
    Mod,
    /// Named on the way to what is used: may be linked, need not be.
    Segment,
}

/// A used name that has no definition to link to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Other {
    pub(crate) why: Why,
    pub(crate) from_path: String,
    pub(crate) line: u32,
    pub(crate) name: String,
    pub(crate) call: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to_path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to_line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to_name: Option<String>,
}

/// Why a name has no definition to link to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Why {
    /// Built in, or of a library.
    Outside,
    Local,
    /// A module that stands in front of what is named in it.
    Module,
    /// A field, or a variant.
    Field,
    /// Its definition is made by a macro.
    Made,
    /// The compiler does not know it.
    Unresolved,
}

/// One definition that implements another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Implements {
    pub(crate) from_path: String,
    /// The line of the name that implements.
    pub(crate) line: u32,
    pub(crate) name: String,
    pub(crate) to_path: String,
    pub(crate) to_line: u32,
    pub(crate) to_name: String,
}

/// A row of `activate facts --format jsonl`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Link {
    #[serde(default)]
    pub(crate) relation: String,
    #[serde(default)]
    pub(crate) from: String,
    #[serde(default)]
    pub(crate) from_path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from_lines: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(default)]
    pub(crate) to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to_path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to_lines: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) confidence: Option<String>,
}
