//! How names resolve in a language: the knowledge that the one resolver asks for.
//!
//! Tables and pure functions only; the resolver itself is language-neutral and lives with the fact base.

/// What a module is in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleModel {
    /// All files of a folder with the same package clause are one module.
    Folder,
    /// Each file is a module.
    File,
    /// Files form a tree, by declarations of child modules.
    Tree,
    /// All files with the same package clause are one module, wherever they stand, and paths of names lead to it.
    Package,
    /// Nothing is known of modules: the name alone says what is meant, where one definition of the language alone has it.
    Unknown,
}

/// What a call of a well-known method or a look through a well-known type gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// A value of the same type.
    Same,
    /// The n-th type argument.
    Argument(u8),
    /// An element: the type argument of a collection.
    Element,
    /// What iterating over it meets: of types in [`ScopeRules::pairs_of`] pairs, else a value of the same type.
    Items,
    /// The keys of a type in [`ScopeRules::pairs_of`].
    Keys,
    /// A type from outside by its name, with the n-th type argument for its own.
    Of(&'static str, u8),
    /// A set of pairs of its first two type arguments, of the type that stands for such pairs.
    Entries,
    /// A type of the library that has no arguments, by its name.
    Type(&'static str),
    /// Its elements; of types in [`ScopeRules::pairs_of`] the values.
    Values,
    /// An element that may be missing: what [`ScopeRules::tried`] and a pattern like `Some(x)` take out of it is the element.
    MaybeElement,
}

/// What a type is made of another by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeFrom {
    /// What the function of that type gives.
    Result,
    /// What the function of that type takes, as a tuple.
    Parameters,
    /// What waiting for a value of that type gives.
    Awaited,
}

/// Methods of built-in types that call an argument with something of the receiver.
#[derive(Debug, Clone, Copy)]
pub struct Callback {
    /// The methods.
    pub methods: &'static [&'static str],
    /// Which argument is called, from 0.
    pub argument: u8,
    /// Which parameter of it gets what is given, from 0.
    pub parameter: u8,
    /// What of the receiver it gets.
    pub gives: Gives,
}

/// Methods that the language calls for what is written in other ways, by what is written.
#[derive(Debug, Clone, Copy)]
pub struct Protocol {
    /// A value is entered.
    pub entered: &'static [&'static str],
    /// A value is iterated over: what gives the iterator.
    pub iterated: &'static [&'static str],
    /// An iterator is asked for what it meets.
    pub met: &'static [&'static str],
    /// An element is taken.
    pub indexed: &'static [&'static str],
    /// A value is called.
    pub called: &'static [&'static str],
}

impl Protocol {
    /// For languages without such methods, or where interfaces say the same.
    pub const NONE: Self = Self { entered: &[], iterated: &[], met: &[], indexed: &[], called: &[] };

    /// All of them.
    pub fn all(self) -> impl Iterator<Item = &'static str> {
        [self.entered, self.iterated, self.met, self.indexed, self.called].into_iter().flatten().copied()
    }
}

/// What stands for the name of a constructor that has the name of its class.
pub const NAMED_AS_TYPE: &str = "<type>";

/// A type from outside that a language knows by its name.
#[derive(Debug, Clone, Copy)]
pub struct LibraryType {
    /// Its name.
    pub name: &'static str,
    /// The names of the types above it, from near to far, but for the one above all.
    pub supers: &'static [&'static str],
    /// Whether nothing is of it but what is known.
    pub is_final: bool,
    /// How many parameters its function takes, where it stands for one.
    pub takes: Option<u8>,
    /// Methods and fields by their names, and what they give.
    pub methods: &'static [(&'static str, Gives)],
}

/// How names resolve in a language.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each thing in which languages differ")]
pub struct ScopeRules {
    /// What a module is.
    pub modules: ModuleModel,
    /// The package of a program: nobody imports it, whatever else stands in its folder.
    pub program: Option<&'static str>,
    /// Names the language itself defines (types, functions, macros, prelude): a name nobody else defines is one of these, not unresolved.
    pub builtins: &'static [&'static str],
    /// First segments of a path that stand for the crate's root, the module itself and the module around it.
    pub root_words: &'static [(&'static str, RootWord)],
    /// Built-in types of values that may be of any type, and have its members without a cast: TypeScript `any`.
    pub any_type: &'static [&'static str],
    /// Types whose members are those of their n-th type argument: smart pointers, `Readonly`.
    pub transparent: &'static [(&'static str, u8)],
    /// Types that are made from their first type argument.
    pub made_from: &'static [(&'static str, MadeFrom)],
    /// Types each of whose members is one of their elements: TypeScript `Record`.
    pub members_are_elements: &'static [&'static str],
    /// Methods and operators of built-in types: name and what they give of the receiver's type.
    pub known_methods: &'static [(&'static str, Gives)],
    /// Methods of built-in types that call an argument.
    pub callbacks: &'static [Callback],
    /// Methods that so many types outside the repository have that the name alone says nothing of whose it is.
    pub common_methods: &'static [&'static str],
    /// What `await` gives of a type of this name.
    pub awaited: &'static [(&'static str, u8)],
    /// What the error operator gives of a type of this name.
    pub tried: &'static [(&'static str, u8)],
    /// Types of many elements by name: what iterating and indexing give, as the n-th type argument.
    pub element_of: &'static [(&'static str, u8)],
    /// Types whose iteration meets pairs of their first two type arguments, by name: maps.
    pub pairs_of: &'static [&'static str],
    /// Types by name whose iteration has a first variable that gets a type argument, and which; none where iterating over keys gives names,
    /// whatever has them.
    pub key_of: Option<&'static [(&'static str, u8)]>,
    /// Built-in functions that give an instance of their first argument, which is a type: Go `new`, `make`.
    pub makes_argument: &'static [&'static str],
    /// Functions of a type that need not be written to be there, and that make an instance of it: Rust's derived `default`.
    pub derived_makers: &'static [&'static str],
    /// Methods that a type has without a definition of its own where a word above it says so: Rust's derived `clone`.
    pub derived_methods: &'static [&'static str],
    /// Methods that the language or its library calls without writing their names: operators, formatting, iteration, interfaces of streams.
    pub implicit_methods: &'static [&'static str],
    /// The interface that gives a type all methods of another, and the member that names that one: Rust's `Deref`, `Target`.
    pub delegates: Option<(&'static str, &'static str)>,
    /// The name without its ending of the file that makes its folder a module, where folders are modules: the modules in it are its members,
    /// where it has no others of their names.
    pub submodules: Option<&'static str>,
    /// Modules of the standard library, in the order of the letters, as far as imports name them like others.
    pub standard_modules: &'static [&'static str],
    /// Types from outside that stand for one of their type arguments.
    pub union_types: &'static [&'static str],
    /// Whether iterating over a map meets its keys alone.
    pub maps_give_keys: bool,
    /// Built-in functions that give many of what iterating over their first argument meets: Python `sorted`.
    pub keeps_elements: &'static [&'static str],
    /// Methods whose results are what entering a value gives, what iterating over it goes through and what it meets, what brackets take
    /// of it, and what calling it gives: by which of them a type decides for itself.
    pub protocol: Protocol,
    /// Whether brackets behind a value take an element of it; behind a type they hold type arguments.
    pub brackets_index: bool,
    /// Whether members are looked for in one supertype after the other, as they are written, each with those above it before the next.
    pub linear_supers: bool,
    /// The file whose fixtures are known to the tests in its folder and below.
    pub given_in: Option<&'static str>,
    /// Functions and variants that wrap their first argument: `Some`, `Ok`, `Arc::new`: their value has that argument's members once tried.
    pub wraps_argument: &'static [&'static str],
    /// Whether values need no types, so that whoever has one may call any method of its name.
    pub untyped: bool,
    /// Whether a type implements every interface whose methods it has, without saying so.
    pub structural: bool,
    /// Interfaces of the standard library that others take over, with the names of their methods.
    pub foreign_interfaces: &'static [(&'static str, &'static [&'static str])],
    /// The name of a class's constructor; [`NAMED_AS_TYPE`] where it has that of its class.
    pub constructor: Option<&'static str>,
    /// Whether annotations and configurations name members by their texts, as `@MethodSource("rows")`.
    pub texts_name_members: bool,
    /// Whether files declare modules from outside by their names, and what all files see.
    pub declares_outside: bool,
    /// The functions of a folder's files that an import for its effects runs: Go `init`.
    pub runs_on_import: Option<&'static str>,
    /// Whether the members of a type are known by their names alone in it, and in the types inside of it.
    pub bare_members: bool,
    /// Whether definitions of one name and place are told apart by what a call gives them.
    pub overloads: bool,
    /// What the names of methods begin with that tools write for fields, which show or change them: Java's `getName` for `name`.
    pub accessors: &'static [&'static str],
    /// Types of literals, by the words for them: the type that has no members is that of nothing.
    pub literal_types: &'static [(&'static str, &'static str)],
    /// What is known of types from outside, which are told apart by their names then.
    pub library: &'static [LibraryType],
    /// Whether all files of a module see each other's private names.
    pub values_and_types_apart: bool,
    /// Whether only exported names can be imported.
    pub exports_only: bool,
    /// Whether types are values, which variables of a module may be.
    pub types_are_values: bool,
    /// Which servers its tests ask in their own process, where they say no host; none where that is not known.
    pub asks_in_process: Option<InProcess>,
    /// The language whose definitions its names mean too, where names alone say what is meant: C++ in C.
    pub shares_names_of: Option<&'static str>,
    /// Whether what it calls beside its own functions are programs, never code of other languages: shells.
    pub runs_programs: bool,
    /// Which of the functions that runners call around tests are called around some of them alone.
    pub around: Around,
    /// Whether a line declares the module that a file is, and for tests alone; with the path of the file and the line above. None where files are
    /// modules by themselves.
    pub declares_module: Option<DeclaresModule>,
}

/// Functions that runners call around some tests alone, by their names.
#[derive(Debug, Clone, Copy)]
pub struct Around {
    /// Those of a module that are called around its functions, not around tests in classes.
    pub functions_of_functions: &'static [&'static str],
    /// Methods that are called only in classes of cases, and those below them.
    pub methods_of_cases: &'static [&'static str],
    /// What the name of a base class has that makes a class one of cases.
    pub case: Option<&'static str>,
}

impl Around {
    /// All that are marked are called around all tests of their class or file.
    pub const ALL: Self = Self { functions_of_functions: &[], methods_of_cases: &[], case: None };
}

/// From the path of a file, a line and the line above it to whether that declares the file's module for tests alone; none where it does not declare it.
pub type DeclaresModule = fn(path: &str, line: &str, above: &str) -> Option<bool>;

/// Which code serves what a test asks in its own process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InProcess {
    /// What it imports, through others as well.
    Imported,
    /// Its module, and what it imports.
    Module,
}

impl ScopeRules {
    /// A language whose files are modules and that has nothing of its own. A language begins with it and says what it has:
    /// `ScopeRules { builtins: &["print"], ..ScopeRules::PLAIN }`.
    pub const PLAIN: Self = Self {
        modules: ModuleModel::File,
        program: None,
        builtins: &[],
        root_words: &[],
        any_type: &[],
        transparent: &[],
        made_from: &[],
        members_are_elements: &[],
        known_methods: &[],
        callbacks: &[],
        common_methods: &[],
        awaited: &[],
        tried: &[],
        element_of: &[],
        pairs_of: &[],
        key_of: None,
        makes_argument: &[],
        derived_makers: &[],
        derived_methods: &[],
        implicit_methods: &[],
        delegates: None,
        submodules: None,
        standard_modules: &[],
        union_types: &[],
        maps_give_keys: false,
        keeps_elements: &[],
        protocol: Protocol::NONE,
        brackets_index: false,
        linear_supers: false,
        given_in: None,
        wraps_argument: &[],
        untyped: false,
        structural: false,
        foreign_interfaces: &[],
        constructor: None,
        texts_name_members: false,
        declares_outside: false,
        runs_on_import: None,
        bare_members: false,
        overloads: false,
        accessors: &[],
        literal_types: &[],
        library: &[],
        values_and_types_apart: false,
        exports_only: false,
        types_are_values: false,
        asks_in_process: None,
        shares_names_of: None,
        runs_programs: false,
        around: Around::ALL,
        declares_module: None,
    };
}

/// What the first word of a path stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootWord {
    /// The root of the crate.
    Crate,
    /// The module the path stands in.
    Here,
    /// The module around it.
    Parent,
}
