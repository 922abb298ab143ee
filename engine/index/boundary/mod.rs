//! What a repository shows to others and what it needs of them: the facts by which a graph over many repositories is joined.
//!
//! Names of other repositories stay terms: `pkg.New().Do` says how to get from a module that others publish to what is meant, and whoever has the
//! facts of that one finds the definition. Nothing of the ordinary path asks for these facts.

mod listing;
mod read;
mod served;
#[cfg(test)]
mod tests;

pub use activate_grammars::project::Registry;
pub use activate_grammars::project::{Need, Package};
use activate_rules::atoms::NodeId;
pub(crate) use read::boundary;

/// A term by its place among those of a boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// A module of the repository by its number. The rows of [`Boundary::modules`] say what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub u32);

/// The part of what a call gives that says what went wrong, where it may go wrong.
pub const FAILED: u32 = 98;

/// In front of the name of a package in [`Member::name`]: the module itself, where it is called otherwise than its path says. Who imports it without
/// a name of their own asks for it so, since only its own files say what it is called.
pub const PACKAGE: &str = "package:";

/// What has members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A module.
    Module(ModuleId),
    /// A definition.
    Symbol(NodeId),
}

/// How to get to what is meant. Wrappers are passed: pointers, references, `Option`, `Result`, `Box`, promises and the like.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A module of another repository, by the name that others import it by: of Go the import path, of cargo the name of the package with `_` for
    /// each `-`, of npm the package with the path below it, of Python the dotted module, of Java the package.
    Outside(Registry, String),
    /// A definition or a module of this repository.
    Own(Place),
    /// Of a module or a type: the item of that name; of a value: the member of its type.
    Member(TermId, String),
    /// What calling it gives; of a type an instance. A value that cannot be called stands for itself.
    Result(TermId),
    /// A value whose type is the item.
    Instance(TermId),
    /// One of several values, from 0; the first of what is one value is that.
    Part(TermId, u32),
    /// Many of a value: a list, or a map by its values.
    Many(TermId),
    /// One of many; of what is not known to be many, what iterating over it meets.
    Element(TermId),
}

/// A module that others can get at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Module {
    /// The module; one that has several names has several rows.
    pub of: ModuleId,
    /// Where others get it from.
    pub registry: Registry,
    /// The name others import it by, as in [`Term::Outside`]; empty where only other modules lead to it.
    pub name: String,
    /// The first file of it.
    pub file: NodeId,
}

/// What a name means inside of a module or a type, for others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// The module or type.
    pub of: Place,
    /// The name.
    pub name: String,
    /// What it means: a definition, what is passed on, or the value of a field.
    pub to: TermId,
}

/// All names of a module that another passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Glob {
    /// The module that passes them on.
    pub of: ModuleId,
    /// Where they are from.
    pub to: TermId,
}

/// A definition that terms, members or types mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// The definition.
    pub node: NodeId,
    /// What it is.
    pub kind: crate::base::SymbolKind,
}

/// What a value or a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeOf {
    /// Something that can be called, a value, or another name for an item.
    pub of: NodeId,
    /// Which of several results.
    pub part: Option<u32>,
    /// The value that it gives or holds; of an alias the item.
    pub to: TermId,
}

/// Where a type takes members from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Super {
    /// The type.
    pub of: NodeId,
    /// The type that it extends, embeds or fulfils, or whose members it gives.
    pub to: TermId,
}

/// What a site does with what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// Imports it.
    Import,
    /// Calls it, or makes an instance.
    Call,
    /// Mentions it.
    Reference,
    /// Takes over its members.
    Extends,
    /// Promises its members; a method takes the place of it.
    Implements,
}

impl UseKind {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Call => "call",
            Self::Reference => "reference",
            Self::Extends => "extends",
            Self::Implements => "implements",
        }
    }
}

/// A site that leads out of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// The definition around it, else the file.
    pub from: NodeId,
    /// Its line.
    pub line: u32,
    /// What it does.
    pub kind: UseKind,
    /// What it names.
    pub term: TermId,
    /// The site, from 1, where it may be one of several terms that a site names; else 0.
    pub site: u32,
    /// Of the terms of a site only those count that have the lowest rank among those that mean something: what a type has itself goes before what a trait
    /// may give it.
    pub rank: u8,
}

/// A request for a path that the repository does not serve itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Request {
    /// The definition around it, else the file.
    pub from: NodeId,
    /// Its line.
    pub line: u32,
    /// Method and path, written like [`RouteRow::text`](crate::base::RouteRow::text): `GET …/users/{}` where something that is not written down stands
    /// in front, which may be a host alone.
    pub text: String,
}

/// What a repository does with a procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// A `.proto` file of it has the procedure: code that is generated from it asks or serves.
    Declared,
    /// A method of a generated client asks for it.
    Asked,
    /// A method serves it.
    Served,
}

/// A procedure of a `.proto` file of the repository. Routes that are served the base has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Procedure {
    /// `package.Service/Method`.
    pub name: String,
    /// What is done with it.
    pub side: Side,
    /// The file that declares it, or the method that asks or serves.
    pub node: NodeId,
    /// Its line.
    pub line: u32,
}

/// What a repository shows to others and needs of them. All lists are in order, without repetitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boundary {
    /// What manifests publish.
    pub packages: Vec<Package>,
    /// What manifests ask for.
    pub needs: Vec<Need>,
    /// Terms, each once; each mentions only earlier ones.
    pub terms: Vec<Term>,
    /// Modules that others can get at.
    pub modules: Vec<Module>,
    /// Their members, and those of types.
    pub members: Vec<Member>,
    /// What modules pass on as a whole.
    pub globs: Vec<Glob>,
    /// Definitions that terms, members and supertypes mention.
    pub definitions: Vec<Definition>,
    /// What these hold and give.
    pub types: Vec<TypeOf>,
    /// What these take over.
    pub supers: Vec<Super>,
    /// Sites that lead out.
    pub uses: Vec<Use>,
    /// Requests that nothing of the repository serves.
    pub requests: Vec<Request>,
    /// Procedures that it declares, asks for or serves.
    pub procedures: Vec<Procedure>,
}
