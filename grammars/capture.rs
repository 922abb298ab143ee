//! The closed vocabulary of the query files: forms (what a node is) and roles (what its children are to it).
//!
//! A query pattern describes one node and its children: `(call_expression function: (_) @callee) @expr.call`. The outer capture is a form,
//! the inner ones are roles. Any other name is a load error, and so is a role that the form does not read. Of several patterns for one kind of node the first that matches counts.

/// Defines an enum whose variants are known by a capture name.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// Every capture name with its meaning, in the order of the documentation.
            pub const ALL: &[($name, &str)] = &[$(($name::$variant, $text)),+];

            /// The value for a capture name.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().find(|(_, name)| *name == text).map(|(value, _)| *value)
            }

            /// Its capture name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

/// Defines the forms, each with the roles that it reads.
macro_rules! forms {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal [$($role:ident),*]),+ $(,)? }) => {
        vocabulary! { $(#[$meta])* $name { $($(#[$doc])* $variant = $text),+ } }

        impl $name {
            /// The roles that the form reads. Any other role in its pattern is a load error: it would say nothing.
            pub const fn roles(self) -> &'static [Role] {
                match self { $(Self::$variant => &[$(Role::$role),*]),+ }
            }
        }
    };
}

forms! {
    /// What a node is.
    Form {
        /// Names the package: `@name`.
        Package = "package" [Name],
        /// A function or method (inside a type, `impl`, class or with `@receiver`): `@name @params @type @receiver @body`; `@declared` is the
        /// type of the function as a whole.
        DefFunction = "def.function" [Name, Params, Type, Declared, Value, Receiver, Body, Visibility, Static, Getter, Async, Unsafe],
        /// A function reached only through what holds it, a type or an object: as `def.function`.
        DefMethod = "def.method" [Name, Params, Type, Declared, Value, Receiver, Body, Visibility, Static, Getter, Async, Unsafe],
        /// A struct, class, enum or union, or a defined type: `@name @type @body`; `@list`: its fields without names, in order; `@alias`:
        /// a name that is known inside alone; `@bound` is what it extends, where no node of its own says so.
        /// Its `@params` are fields.
        DefType = "def.type" [Name, Type, Value, Params, Bound, Body, List, Alias, Visibility],
        /// An interface or trait: `@bound` is what it extends.
        DefInterface = "def.interface" [Name, Type, Bound, Body, Visibility, Unsafe],
        /// Another name for a type: `@name @type`.
        DefAlias = "def.alias" [Name, Type, Visibility],
        /// A constant: `@name`s, `@type`, `@value`; a local binding inside functions.
        DefConstant = "def.constant" [Name, Type, Value, Visibility],
        /// A variable: as a constant.
        DefVariable = "def.variable" [Name, Type, Value, Visibility],
        /// A module with a body in the file.
        DefModule = "def.module" [Name, Body, Visibility],
        /// A macro.
        DefMacro = "def.macro" [Name, Body, Visibility],
        /// What an assignment makes known: a variable of the module, a field of the class, a name in a function, and of a member of the
        /// instance a field of its class: `@name @type @value`. What is only added to is `@list`.
        DefAssigned = "def.assigned" [Name, Type, Value, List],
        /// Fields: `@name`s, `@type`, `@value`.
        DefField = "def.field" [Name, Type, Value, Visibility],
        /// A class that is made where it stands, of which its value is the only instance: `@type` is above it and `@list` what its constructor
        /// is given. Without `@type` it is one of the type around, and has a name.
        DefAnonymous = "def.anonymous" [Name, Type, List, Body],
        /// An instance of the type around that the type names: `@name`, made with `@list`.
        DefInstance = "def.instance" [Name, List],
        /// What a value of the type around gives when it is called: `@params @type`.
        DefCallable = "def.callable" [Params, Type],
        /// An enum variant: `@name @type`.
        DefVariant = "def.variant" [Name, Type, Value],
        /// Enum variants that are known by themselves within the enum: `@name`s.
        DefMember = "def.member" [Name, Type, Value],
        /// What its declarators make of it: `@name`s that are declarators. With parameters a function without a body, else a field in a type
        /// and a variable elsewhere.
        DefDeclared = "def.declared" [Name, Type, Value, Visibility],
        /// A name that gets a value: `@name @value`. A function is defined by it, anything else is not.
        DefGets = "def.gets" [Name, Value],
        /// The part of a declaration that says its name: `@name`. With `@params` it declares a function; `@value` is what it gets.
        Declarator = "declarator" [Name, Params, Value],
        /// Gives the members inside a container: `@type @trait`.
        Owner = "owner" [Type, Trait],
        /// An embedded type: `@type`.
        SuperEmbeds = "super.embeds" [Type],
        /// Types the enclosing type extends: `@type`s.
        SuperExtends = "super.extends" [Type],
        /// Types the enclosing type implements: `@type`s.
        SuperImplements = "super.implements" [Type],
        /// The instance parameter of a method.
        SelfParameter = "self.parameter" [],
        /// Marks what is declared inside as exported.
        Export = "export" [],
        /// Marks it as the default export: `@value` where it is a name.
        ExportDefault = "export.default" [Value],
        /// Marks the variables declared inside as constants.
        Constant = "constant" [],
        /// Gives the function around it its result: `@value`.
        Return = "return" [Value],
        /// Gives who iterates over the result of the function around its `@value`, or each that `@item` gives.
        Yield = "yield" [Value, Item],
        /// An attribute in front of a definition: `@callee` where it is called.
        Attribute = "attribute" [Callee],

        /// A whole module imported by path: `@path @alias`; alias `.` imports all, `_` runs it.
        ImportModule = "import.module" [Path, Alias],
        /// Whole modules imported by their paths: `@path`s, whose first names become known; `import.item`s where they get other names.
        ImportModules = "import.modules" [Path],
        /// An import or re-export that gives the items inside their path: `@path`; `@item` where it takes everything; `@name`s are items that
        /// have no node of their own.
        ImportFrom = "import.from" [Path, Item, Name, TypeOnly],
        /// One item: `@name @alias`.
        ImportItem = "import.item" [Name, Alias, TypeOnly],
        /// The whole as a namespace: `@alias`.
        ImportNamespace = "import.namespace" [Name, Alias, TypeOnly],
        /// The default export: `@alias`.
        ImportDefault = "import.default" [Name, Alias, TypeOnly],
        /// Everything.
        ImportAll = "import.all" [Name, Alias, TypeOnly],
        /// What a path of names ends with: `@path`; all of it with `@item`, a member of a type with `@static`.
        ImportPath = "import.path" [Path, Item, Static],
        /// A module imported by a call: `@args`.
        ImportCall = "import.call" [Args],
        /// A re-export: as `import.from`, visible to others; `@item` where it takes everything. Without `@path`: exports names of this file.
        ExportFrom = "export.from" [Path, Item, Name, TypeOnly],
        /// A path tree of imports: `@item`.
        ImportTree = "import.tree" [Item, Visibility],
        /// A group in a path tree: `@path @list`.
        ImportGroup = "import.group" [Path, List],
        /// A list in a path tree: `@item`s.
        ImportList = "import.list" [Item],
        /// A renamed leaf in a path tree: `@path @alias`.
        ImportAlias = "import.alias" [Path, Alias],
        /// All of a path in a path tree: `@path`.
        ImportGlob = "import.glob" [Path],
        /// A module in another file: `@name`.
        ImportChild = "import.child" [Name, Visibility],

        /// Opens a scope for names; its value is that of the last `@value`.
        Scope = "scope" [Value],
        /// The names bound inside are known in the whole function around.
        ScopeFunction = "scope.function" [],
        /// Names that are assigned in the function around and belong to a scope outside: `@name`s.
        ScopeOutside = "scope.outside" [Name],
        /// Statements that may be passed over: what they assign may reach what is behind them, as may what was assigned before.
        Branch = "branch" [],
        /// One of its branches runs: what one assigns does not reach another.
        Alternatives = "alternatives" [],
        /// Its first branch runs where `@value` holds.
        Condition = "condition" [Value],
        /// What follows runs where `@value` holds.
        Assert = "assert" [Value],
        /// Leaves the function: what the branch around assigned does not reach what is behind it.
        Leaves = "leaves" [],
        /// Leaves a loop, or one turn of it.
        LeavesLoop = "leaves.loop" [],
        /// Sees nothing that the scope around it has bound so far: `@value` passes.
        ScopeEnd = "scope.end" [Value],
        /// Opens a scope whose cases see `@value` (and `@alias` bound in each case); its value is that of `@body`.
        ScopeMatch = "scope.match" [Value, Alias, Body],
        /// A case that narrows the matched value: `@type`s.
        ScopeCase = "scope.case" [Type],
        /// Binds `@pattern` to `@value` of `@type`; also a parameter.
        Bind = "bind" [Pattern, Type, Value],
        /// Parameters, of which those without a node of their own are names: every child with a value, in order.
        BindList = "bind.list" [],
        /// Binds `@pattern` to what entering `@value` gives.
        BindEntered = "bind.entered" [Pattern, Value],
        /// Binds `@pattern` where it is a single name, else that is a use; `@key` is not a use of a name.
        BindCaptured = "bind.captured" [Pattern, Key],
        /// Binds `@pattern` where a value is of `@type`; its own value is whether it is.
        BindTested = "bind.tested" [Pattern, Type],
        /// Binds `@pattern` to many of `@type`: the last parameter, which takes what is left.
        BindRest = "bind.rest" [Pattern, Type],
        /// Binds the names of declarators: `@name`s of `@type`.
        BindDeclared = "bind.declared" [Name, Type],
        /// Binds the names on the left: `@pattern @value`.
        BindShort = "bind.short" [Pattern, Value],
        /// Binds what an iteration meets: `@key` and `@pattern` over `@value`.
        BindEach = "bind.each" [Key, Pattern, Type, Value, Hoisted],
        /// Binds `@pattern` to the value of the nearest `scope.match`.
        BindMatch = "bind.match" [Pattern],
        /// A type parameter: `@name @bound`, and the type `@value` where none is given.
        BindType = "bind.type" [Name, Bound, Value],
        /// A further bound of a type parameter: `@type @bound`.
        BindBound = "bind.bound" [Type, Bound],
        /// A parameter that is a field too: `@pattern @type`.
        BindField = "bind.field" [Pattern, Type, Value],

        /// Patterns: several in order: `@item`s.
        PatternTuple = "pattern.tuple" [Item],
        /// Every child with a value by its place; an empty place counts.
        PatternArray = "pattern.array" [],
        /// What the other parts leave: `@pattern`; the places of parts behind it are not known.
        PatternRest = "pattern.rest" [Pattern],
        /// A variant's payload: `@type`, `@item`s.
        PatternVariant = "pattern.variant" [Type, Item],
        /// Named fields: `@item`s that are `pattern.field`; `@type`.
        PatternStruct = "pattern.struct" [Type, Item],
        /// One named field: `@name @pattern`; without `@name` its own text.
        PatternField = "pattern.field" [Name, Pattern],
        /// A name bound to the whole, with a pattern inside: `@name @pattern`.
        PatternCapture = "pattern.capture" [Name, Pattern],
        /// Binds nothing.
        PatternAny = "pattern.any" [],

        /// A name used as value.
        ExprName = "expr.name" [],
        /// A name used as type.
        TypeName = "type.name" [],
        /// A reserved word that names something: the name, without being a use of it.
        ExprWord = "expr.word" [],
        /// `self`, `this`.
        ExprThis = "expr.this" [],
        /// A function with an instance of its own: that of what is around is not known inside.
        OwnThis = "this.own" [],
        /// `Self`.
        TypeThis = "type.this" [],
        /// The superclass.
        ExprSuper = "expr.super" [],
        /// `@base . @name`.
        ExprMember = "expr.member" [Base, Name],
        /// Names joined by dots, each a member of those before: `@item`s.
        ExprPath = "expr.path" [Item],
        /// An argument with the name of its parameter: `@key @value`.
        ExprArgument = "expr.argument" [Key, Value],
        /// `@base :: @name`; without base the root of all paths.
        ExprScoped = "expr.scoped" [Base, Name],
        /// A qualified type: `@base @name`.
        TypeScoped = "type.scoped" [Base, Name],
        /// A call whose callee has no node of its own: `@base . @name`, with `@args`.
        ExprSend = "expr.send" [Base, Name, Args],
        /// A call: `@callee @args`.
        ExprCall = "expr.call" [Callee, Type, Args],
        /// An instance made: `@type`, with type arguments `@args`; `@list` is what its constructor is given.
        ExprNew = "expr.new" [Type, Args, List],
        /// A function taken as a value: the last child is its name, the first what holds it; an instance made where there is one child alone.
        ExprReference = "expr.reference" [],
        /// A type as a value: `@type`.
        ExprClass = "expr.class" [Type],
        /// Two values added: the first child and the last.
        ExprSum = "expr.sum" [],
        /// What is true or false.
        ExprTruth = "expr.truth" [],
        /// A component used as a tag: `@callee`.
        ExprTag = "expr.tag" [Callee],
        /// A value seen as another type: `@type`.
        ExprCast = "expr.cast" [Type],
        /// An element taken: `@base`.
        ExprIndex = "expr.index" [Base],
        /// Same value behind a reference or dereference: `@value`.
        ExprDeref = "expr.deref" [Value],
        /// The value behind an await: `@value`.
        ExprAwait = "expr.await" [Value],
        /// The value behind an error operator: `@value`.
        ExprTry = "expr.try" [Value],
        /// A function value: `@params @type @body`, `@value` where that is its result; `@name` and `@pattern`s are known inside; opens a scope.
        ExprFunction = "expr.function" [Name, Pattern, Params, Type, Value, Body],
        /// A literal of the built-in type that the pattern's kind names.
        ExprLiteral = "expr.literal" [],
        /// One value or another: `@value`s.
        ExprEither = "expr.either" [Value],
        /// One value or another: the first child and the last.
        ExprChoice = "expr.choice" [],
        /// Many values, written one by one or by one for all: `@value`s.
        ExprMany = "expr.many" [Value],
        /// Asks whether a value is of a type: `@value`.
        ExprIs = "expr.is" [Value],
        /// The same as its `@value`; `@key` is not a use of a name.
        Same = "same" [Value, Key],
        /// A value about which nothing is known.
        ExprOpaque = "expr.opaque" [],
        /// A value that a place gets: `@base` is the place, `@value` the value.
        ExprAssigned = "expr.assigned" [Base, Value],
        /// A key in a literal: not a use of the name: `@key`; `@value` passes.
        ExprKeyed = "expr.keyed" [Key, Value],
        /// Several values or types: every child with a value.
        List = "list" [],
        /// Expands a macro: `@callee`; `@args` are the tokens that it is given.
        ExprMacro = "expr.macro" [Callee, Args],
        /// Tokens of a macro, read as far as they show calls.
        Tokens = "tokens" [],

        /// A generic type with arguments: `@base @args`.
        TypeApply = "type.apply" [Base, Args],
        /// A pointer or reference type: `@type`.
        TypePointer = "type.pointer" [Type],
        /// Many of a type: `@type`.
        TypeMany = "type.many" [Type],
        /// A map: `@key @type`.
        TypeMap = "type.map" [Key, Type],
        /// The type of a member of the first `@type`, where the second is its name as a text, else of an element.
        TypeLookup = "type.lookup" [Type],
        /// A function type: `@params`; `@type` is the result.
        TypeFunction = "type.function" [Params, Type],
        /// A type in quotes: `@value`.
        TypeQuoted = "type.quoted" [Value],
        /// One of several types: `@type`s.
        TypeUnion = "type.union" [Type],
        /// Several types or values in order, even if there is one only: `@type`s.
        TypeTuple = "type.tuple" [Type],
        /// The type of a value: `@value`.
        TypeOf = "type.of" [Value],
        /// A type or value described in place; `@name`s are members of their own value.
        TypeAnonymous = "type.anonymous" [Name],

        /// A comment.
        ZoneComment = "zone.comment" [],
        /// A string literal: its value too.
        ZoneLiteral = "zone.literal" [],
        /// A text that says what the definition around it is for.
        ZoneDoc = "zone.doc" [],
        /// Unsafe code: `@value` passes.
        NoteUnsafe = "note.unsafe" [Value],
        /// Words in front of the definition they stand in, read like an attribute.
        Modifiers = "modifiers" [],
        /// Nothing below is looked at.
        Skip = "skip" [],
        /// As if the node were not there.
        Absent = "absent" [],
    }
}

vocabulary! {
    /// What a child is to its node.
    Role {
        /// The name that the node defines.
        Name = "name",
        /// Its type, result or target.
        Type = "type",
        /// The type of a function as a whole.
        Declared = "declared",
        /// The parameters of a function.
        Params = "params",
        /// Its value.
        Value = "value",
        /// Where the signature ends.
        Body = "body",
        /// What is called.
        Callee = "callee",
        /// Arguments.
        Args = "args",
        /// What a member is taken from.
        Base = "base",
        /// The instance a method is declared on.
        Receiver = "receiver",
        /// A trait implemented.
        Trait = "trait",
        /// A pattern that binds names.
        Pattern = "pattern",
        /// The key of an iteration, map or literal.
        Key = "key",
        /// A bound of a type parameter.
        Bound = "bound",
        /// Path of an import.
        Path = "path",
        /// Name an import gets here.
        Alias = "alias",
        /// A member of a list.
        Item = "item",
        /// A list.
        List = "list",
        /// Visibility word.
        Visibility = "visibility",
        /// Marks an asynchronous function.
        Async = "async",
        /// Marks an unsafe function.
        Unsafe = "unsafe",
        /// Marks a member that belongs to the type, not to an instance.
        Static = "static",
        /// Marks a getter.
        Getter = "getter",
        /// Marks a binding that is known in the whole function around.
        Hoisted = "hoisted",
        /// Marks an import of types only.
        TypeOnly = "type_only",
    }
}
