//! Source text to facts about one file.
//!
//! One walk over the syntax tree of tree-sitter, steered by the query files of a language folder, yields [`FileFacts`]. Must not know
//! repositories, relations or rules, and cannot fail: broken source gives fewer facts and a diagnostic.

pub mod capture;
pub mod check;
pub mod facts;
pub mod project;
pub mod routes;
pub mod run;
pub mod scope;

mod literal;
mod lower;
mod meter;
mod parse;
mod passages;
mod table;

#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod shown;
#[cfg(test)]
mod tests;

pub mod go;
pub mod java;
pub mod named;
pub mod python;
pub mod rust;
pub mod typescript;

pub use facts::FileFacts;
pub use meter::install as meter_parser;
pub use parse::{Extracted, MAX_DEPTH, MAX_PARSE_BYTES, extract, opened_text};
pub use passages::passages_of_text;

use facts::{Traits, Visibility};
use std::sync::OnceLock;

/// A query file: name and text.
pub type QueryFile = (&'static str, &'static str);

/// Everything the project knows about one language.
pub struct Language {
    /// Its name in facts and output: lower case, one word.
    pub name: &'static str,
    /// File endings without the dot.
    pub extensions: &'static [&'static str],
    /// The grammar for a file ending (a language may have a second grammar for a dialect).
    pub grammar: fn(extension: &str) -> tree_sitter::Language,
    /// Number that tells the grammars of one language apart: the index into the loaded tables.
    pub dialect: fn(extension: &str) -> usize,
    /// Query files of all dialects: name and text.
    pub queries: &'static [QueryFile],
    /// Further query files by dialect, for kinds of nodes that one grammar alone has.
    pub dialect_queries: [&'static [QueryFile]; 2],
    /// Whether a path is a test file by its name or folder.
    pub is_test_path: fn(path: &str) -> bool,
    /// Whether a path is that of a file of benchmarks, which are read as tests are, in languages that keep them apart.
    pub is_bench_path: fn(path: &str) -> bool,
    /// Whether other files usually hold tests as well, those of their own code.
    pub has_tests_within: bool,
    /// How names and declarations are read.
    pub reading: Reading,
    /// How imports and names resolve.
    pub scope: scope::ScopeRules,
    /// How manifests become roots and imports become paths.
    pub project: project::ProjectRules,
    /// How commands name tests.
    pub select_tests: run::Select,
    /// How benchmarks among tests are measured; nothing in languages where naming them says so, or where nothing does.
    pub measure: Option<run::Measure>,
    /// The flag that the tests of a file need to be built, by its text; nothing in languages where the text says no such thing.
    pub test_flag: Option<fn(text: &str) -> Option<String>>,
    /// Loaded query tables by dialect.
    pub(crate) tables: [OnceLock<Result<table::Table, String>>; 2],
}

/// Opens macros in a text, by its tree and a way to parse parts of it.
pub type Opened = fn(text: &str, tree: &tree_sitter::Tree, parse: &dyn Fn(&[u8]) -> Option<tree_sitter::Tree>) -> Option<Vec<u8>>;

/// How a language's declarations are read beyond what the queries say.
#[expect(clippy::struct_excessive_bools, reason = "one for each thing in which languages differ")]
pub struct Reading {
    /// Whether a name is visible in its whole scope, not only after its declaration.
    pub hoists: bool,
    /// Whether a method names its instance among its parameters; otherwise every member that is not static has one.
    pub explicit_self: bool,
    /// Visibility of a definition from its name, the visibility words in front of it and whether it is a member.
    pub visibility: fn(name: &str, words: Option<&str>, is_member: bool) -> Visibility,
    /// What an attribute's text says of the definition behind it.
    pub attribute: fn(text: &str) -> Traits,
    /// Traits of a function from its name and where it stands.
    pub function: fn(function: &Declared<'_>) -> Traits,
    /// Attributes, annotations and decorators that hand a definition to nobody, by their last names: they say something of it, or change how it is
    /// compiled or checked.
    pub plain_attributes: &'static [&'static str],
    /// Those of them that stand in many files, and whose names values and functions seldom have.
    pub common_annotations: &'static [&'static str],
    /// The name by which tests ask for a fixture, where what stands above it gives it another than its own.
    pub fixture_name: fn(above: &str) -> Option<&str>,
    /// Functions that make a member of a class of what they are given: another name for it.
    pub member_wrappers: &'static [&'static str],
    /// Whether runners call methods of a class around its tests.
    pub lifecycles: bool,
    /// Marks in a doc comment that say deprecated.
    pub deprecated_marks: &'static [&'static str],
    /// The test that a call defines in a test file, from its function and its arguments with their brackets.
    pub test_call: fn(callee: &str, arguments: &str) -> Option<TestCall>,
    /// Functions that import the module their first argument names.
    pub import_calls: &'static [&'static str],
    /// Marks in the first lines that say the file is generated.
    pub generated_marks: &'static [&'static str],
    /// Import path that means C code.
    pub cgo_path: Option<&'static str>,
    /// Import path whose every use is unsafe.
    pub unsafe_path: Option<&'static str>,
    /// Whether a name in a pattern that could be a constant is one.
    pub pattern_constant: fn(name: &str) -> bool,
    /// Whether a tag name is a component.
    pub is_component: fn(name: &str) -> bool,
    /// The name that means the type around it.
    pub this_type: Option<&'static str>,
    /// Ordinary names that mean the instance around them, where the grammar has no word of its own for it: Python `self`, and `cls` for its
    /// class. A parameter of such a name is the instance, not a parameter.
    pub this_names: &'static [&'static str],
    /// The ordinary name of the function that gives the instance with the members of its supertypes: Python `super`.
    pub super_name: Option<&'static str>,
    /// The variable of a module that lists the names which all of it brings: Python `__all__`.
    pub listed_name: Option<&'static str>,
    /// How a condition asks for types.
    pub type_tests: TypeTests,
    /// Functions that make a type variable of the name that their result gets: Python's `TypeVar`.
    pub type_variables: &'static [&'static str],
    /// What a function that yields gives: the type whose argument is what it yields.
    pub yields: Option<&'static str>,
    /// Whether a name that a function assigns is known in all of it, and means what was assigned last on a way to the place of its use.
    pub flows: bool,
    /// What code has that runs the program its package builds, outside comments.
    pub program_marks: &'static [&'static str],
    /// Whether builds for the usual platform leave the whole file out, by its path and text.
    pub is_left_out: fn(path: &str, text: &str) -> bool,
    /// Where the grammar wants a separator that the language does not ask for, as bytes of white space that one can stand for. Asked of text
    /// that does not parse.
    pub missing_separators: fn(text: &str) -> Vec<usize>,
    /// The text with what macros pass on as if it stood beside them, byte for byte in the same place; the last argument parses a part of it. None
    /// where nothing is passed on.
    pub opened: Opened,
    /// The function of a type that gives a value of whatever is wanted, as it is called: type and function.
    pub gives_wanted: Option<(&'static str, &'static str)>,
    /// Whether attributes say that what is below them is only there in builds of documentation.
    pub of_documentation: fn(attributes: &str) -> bool,
    /// Whether a macro gives what its first argument holds when nothing went wrong, by the text of its definition.
    pub takes_out: fn(definition: &str) -> bool,
    /// What a macro around a method without a body at a byte passes it on to.
    pub delegates: fn(written: &str, at: usize) -> Option<PassedOn<'_>>,
    /// Stretches that the grammar does not understand and that can be left out. Asked of text that does not parse.
    pub unread: fn(text: &str) -> Vec<std::ops::Range<usize>>,
    /// Whether the parser would read a text in more ways than it can bear.
    pub has_too_many_readings: fn(text: &str) -> bool,
    /// The word that stands for a declared type that is not said.
    pub unsaid_type: &'static [&'static str],
    /// Whether functions have names apart from those of variables, so that a local variable is never what a call names.
    pub functions_apart: bool,
    /// Whether members of interfaces can be seen by everyone where no word says otherwise.
    pub open_interfaces: bool,
    /// Whether the words in front of a member say that it belongs to the type, not to an instance.
    pub is_static: fn(words: &str) -> bool,
    /// How the tokens of a macro are read.
    pub tokens: TokenWords,
    /// The words by which routes and requests are known.
    pub routes: &'static routes::RouteWords,
    /// The words by which the language is read in place of its grammar.
    pub(crate) words: Option<&'static named::words::Words>,
}

impl Reading {
    /// A language without attributes, tests, generated files or anything else to read beyond the queries, all of whose names are public. A
    /// language begins with it and says what it has: `Reading { hoists: true, ..Reading::PLAIN }`.
    pub const PLAIN: Self = Self {
        hoists: false,
        explicit_self: false,
        visibility: |_, _, _| Visibility::Public,
        attribute: |_| Traits::default(),
        function: |_| Traits::default(),
        plain_attributes: &[],
        common_annotations: &[],
        fixture_name: |_| None,
        member_wrappers: &[],
        lifecycles: false,
        deprecated_marks: &[],
        test_call: |_, _| None,
        import_calls: &[],
        generated_marks: &[],
        cgo_path: None,
        unsafe_path: None,
        pattern_constant: |_| false,
        is_component: |_| false,
        this_type: None,
        this_names: &[],
        super_name: None,
        listed_name: None,
        type_tests: TypeTests::NONE,
        type_variables: &[],
        yields: None,
        flows: false,
        program_marks: &[],
        is_left_out: |_, _| false,
        missing_separators: |_| Vec::new(),
        opened: |_, _, _| None,
        gives_wanted: None,
        of_documentation: |_| false,
        takes_out: |_| false,
        delegates: |_, _| None,
        unread: |_| Vec::new(),
        has_too_many_readings: |_| false,
        unsaid_type: &[],
        functions_apart: false,
        open_interfaces: false,
        is_static: |_| false,
        tokens: TokenWords::NONE,
        routes: &routes::RouteWords::NONE,
        words: None,
    };
}

/// A function as it is declared.
#[derive(Debug, Clone, Copy)]
pub struct Declared<'a> {
    /// Its name.
    pub name: &'a str,
    /// The path of its file.
    pub path: &'a str,
    /// Whether that is a file of tests or benchmarks.
    pub test_file: bool,
    /// The type that it is a member of as the text says: its name, and what it extends.
    pub holder: Option<(&'a str, &'a str)>,
    /// Whether that type is marked as one of tests as a whole.
    pub of_tests: bool,
    /// The words in front of it.
    pub words: &'a str,
    /// The type that it gives, as the text says.
    pub gives: &'a str,
    /// Whether it stands inside another function.
    pub is_nested: bool,
}

/// What a method is passed on to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassedOn<'a> {
    /// The part of the instance: `inner.list`.
    pub to: &'a str,
    /// The method that is called there, where it has another name.
    pub called: Option<&'a str>,
}

/// A test that is a call with a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCall {
    /// The title as the tool that runs it knows it; where [`Traits::TEMPLATE`] says so, with holes as they are written. None where all of
    /// it is only known at run time.
    pub title: Option<String>,
    /// What it is: a test, and more.
    pub traits: Traits,
}

/// How conditions ask whether values are of types.
#[derive(Debug)]
pub struct TypeTests {
    /// Functions that ask whether their first argument is an instance of their second.
    pub functions: &'static [&'static str],
    /// The word in front of a question whose answer is to be no.
    pub denial: &'static str,
    /// The word between conditions that are both to hold.
    pub conjunction: &'static str,
    /// Words of conditions of which not every part has to hold.
    pub alternatives: &'static [&'static str],
}

impl TypeTests {
    /// For languages that ask in other ways.
    pub const NONE: Self = Self { functions: &[], denial: "!", conjunction: "&&", alternatives: &[] };
}

/// Words and macros with a meaning where a macro's tokens are read.
#[derive(Debug)]
pub struct TokenWords {
    /// Reserved words that the grammar gives as names.
    pub reserved: &'static [&'static str],
    /// Words in front of a name that is defined, not used.
    pub defining: &'static [&'static str],
    /// Macros whose tokens are not code of this place.
    pub quoting: &'static [&'static str],
}

impl TokenWords {
    /// For languages without macros.
    pub const NONE: Self = Self { reserved: &[], defining: &[], quoting: &[] };
}

/// All languages.
#[rustfmt::skip]
pub static LANGUAGES: [&Language; 15] = [
    &go::LANGUAGE, &java::LANGUAGE, &python::LANGUAGE, &rust::LANGUAGE, &typescript::LANGUAGE,
    &named::C, &named::CPP, &named::RUBY,
    &named::PHP, &named::LUA, &named::BASH,
    &named::KOTLIN, &named::SWIFT, &named::SCALA, &named::CSHARP,
];

/// The language of a file by its ending.
pub fn language_of(path: &str) -> Option<(usize, &'static Language)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension)?;
    LANGUAGES
        .iter()
        .enumerate()
        .find(|(_, language)| language.extensions.contains(&extension))
        .map(|(index, language)| (index, *language))
}

/// The language of a file by its ending, where what its names mean is known or can be: not of code of packages from outside.
pub fn resolved_language_of(path: &str) -> Option<(usize, &'static Language)> {
    language_of(path).filter(|(_, language)| !language.is_vendored(path))
}

/// Whether a file is a manifest of a language, by its name.
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    LANGUAGES.iter().any(|language| (language.project.is_manifest)(name))
}

/// How much is known of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// What a name means where it stands: modules, imports, scopes and types.
    Resolved,
    /// What files define. Who uses it is known only where the name says so by itself.
    ByName,
}

impl Language {
    /// How much is known of it.
    pub fn level(&self) -> Level {
        if self.scope.modules == scope::ModuleModel::Unknown { Level::ByName } else { Level::Resolved }
    }

    /// Whether a file of it is code of a package from outside, by its folders.
    pub fn is_vendored(&self, path: &str) -> bool {
        let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
        let vendored_in = self.project.vendored_in;
        !vendored_in.is_empty() && folders.split('/').any(|folder| vendored_in.contains(&folder))
    }

    /// The package from outside that a vendored file belongs to, by its folders.
    pub fn vendored_package<'p>(&self, path: &'p str) -> Option<&'p str> {
        let folders = path.rsplit_once('/')?.0;
        let starts = folders.match_indices('/').map(|(at, _)| at + 1);
        let mut found = std::iter::once(0).chain(starts).filter_map(|start| {
            let (folder, rest) = folders[start..].split_once('/')?;
            self.project.vendored_in.contains(&folder).then_some(rest)
        });
        found.next_back()
    }

    /// The query table for a file ending; an error names the query file, line and what is wrong.
    pub(crate) fn table(&self, extension: &str) -> Result<&table::Table, &str> {
        let dialect = (self.dialect)(extension).min(1);
        let load = || table::Table::load(&(self.grammar)(extension), self.query_files(dialect));
        self.tables[dialect].get_or_init(load).as_ref().map_err(String::as_str)
    }

    /// The query files of a dialect, in the order in which they count.
    fn query_files(&self, dialect: usize) -> impl Iterator<Item = &QueryFile> {
        self.queries.iter().chain(self.dialect_queries[dialect])
    }

    /// Checks that every query file loads, for each ending.
    ///
    /// # Errors
    ///
    /// The first table that does not fit its grammar.
    pub fn check(&self) -> Result<(), String> {
        for extension in self.extensions {
            self.table(extension).map_err(str::to_owned)?;
        }
        Ok(())
    }
}
