//! What the language and its library have that code uses without importing or writing it, as far as names need it.

use crate::scope::{Callback, Gives};

/// Types of `java.lang`, which are known everywhere, and the words for types of the language.
#[rustfmt::skip]
pub(super) const BUILTINS: &[&str] = &[
    "AbstractMethodError", "Appendable", "ArithmeticException", "ArrayIndexOutOfBoundsException", "ArrayStoreException", "AssertionError",
    "AutoCloseable", "Boolean", "Byte", "CharSequence", "Character", "Class", "ClassCastException", "ClassLoader", "ClassNotFoundException",
    "CloneNotSupportedException", "Cloneable", "Comparable", "Deprecated", "Double", "Enum", "Error", "Exception",
    "ExceptionInInitializerError", "Float", "FunctionalInterface", "IllegalAccessException", "IllegalArgumentException",
    "IllegalMonitorStateException", "IllegalStateException", "IndexOutOfBoundsException", "InheritableThreadLocal", "InstantiationException",
    "Integer", "InterruptedException", "Iterable", "LinkageError", "Long", "Math", "Module", "NegativeArraySizeException",
    "NoClassDefFoundError", "NoSuchFieldError", "NoSuchFieldException", "NoSuchMethodError", "NoSuchMethodException", "NullPointerException",
    "Number", "NumberFormatException", "Object", "OutOfMemoryError", "Override", "Package", "Process", "ProcessBuilder", "Readable", "Record",
    "ReflectiveOperationException", "Runnable", "Runtime", "RuntimeException", "SafeVarargs", "SecurityException", "Short", "StackOverflowError",
    "StackTraceElement", "StrictMath", "String", "StringBuffer", "StringBuilder", "StringIndexOutOfBoundsException", "SuppressWarnings",
    "System", "Thread", "ThreadGroup", "ThreadLocal", "Throwable", "TypeNotPresentException", "UnsupportedOperationException",
    "VirtualMachineError", "Void", "boolean", "byte", "char", "double", "float", "int", "long", "short", "void",
];

/// Methods that every class has, and every enum, without writing them.
#[rustfmt::skip]
pub(super) const DERIVED_METHODS: &[&str] = &[
    "clone", "compareTo", "describeConstable", "equals", "finalize", "getClass", "getDeclaringClass", "hashCode", "name", "notify", "notifyAll",
    "ordinal", "toString", "valueOf", "values", "wait",
];

/// Methods that the language or its library calls unwritten: for loops, resources, texts, maps, threads, what serialisation looks for.
#[rustfmt::skip]
pub(super) const IMPLICIT_METHODS: &[&str] = &[
    "close", "compare", "compareTo", "equals", "finalize", "forEach", "get", "hasNext", "hashCode", "iterator", "next", "readObject",
    "readResolve", "run", "toString", "uncaughtException", "writeObject", "writeReplace",
];

/// Methods that so many types outside of a repository have that the name alone says nothing of whose it is.
#[rustfmt::skip]
pub(super) const COMMON_METHODS: &[&str] = &[
    "accept", "add", "addAll", "append", "apply", "as", "build", "call", "clear", "close", "collect", "compare", "contains", "containsKey", "copy",
    "count", "create", "delete", "describe", "entrySet", "execute", "exists", "filter", "find", "findFirst", "first", "flatMap", "flush", "forEach",
    "format", "get", "getKey", "getMessage", "getName", "getType", "getValue", "group", "hasNext", "id", "indexOf", "init", "insert", "isEmpty",
    "isPresent", "iterator", "join", "key", "keySet", "length", "limit", "list", "load", "lock", "map", "match", "matches", "max", "merge", "min",
    "next", "of", "offer", "open", "or", "orElse", "parse", "peek", "poll", "pop", "print", "println", "process", "push", "put", "putAll", "read",
    "readLine", "remove", "replace", "reset", "run", "send", "set", "shutdown", "size", "skip", "sort", "split", "start", "stop", "stream", "sub",
    "submit", "substring", "sum", "test", "toArray", "toList", "trim", "type", "unlock", "update", "value", "values", "wait", "with", "write",
];

/// Methods of types from outside with type arguments, whatever the type, and what they give.
#[rustfmt::skip]
pub(super) const KNOWN_METHODS: &[(&str, Gives)] = &[
    ("get", Gives::Argument(0)), ("iterator", Gives::Of("Iterator", 0)), ("join", Gives::Argument(0)), ("next", Gives::Argument(0)),
    ("orElse", Gives::Argument(0)), ("orElseThrow", Gives::Argument(0)), ("stream", Gives::Of("Stream", 0)), ("toList", Gives::Of("List", 0)),
];

/// Methods of types from outside that call a function with one of the elements.
pub(super) const CALLBACKS: &[Callback] = &[Callback {
    methods: &[
        "allMatch",
        "anyMatch",
        "collect",
        "filter",
        "flatMap",
        "forEach",
        "forEachOrdered",
        "ifPresent",
        "map",
        "mapToInt",
        "mapToLong",
        "noneMatch",
        "peek",
        "removeIf",
        "thenAccept",
        "thenApply",
        "dropWhile",
        "takeWhile",
    ],
    argument: 0,
    parameter: 0,
    gives: Gives::Argument(0),
}];

/// Types that loops go through, with the type argument that is met.
#[rustfmt::skip]
pub(super) const ELEMENTS: &[(&str, u8)] = &[
    ("ArrayDeque", 0), ("ArrayList", 0), ("BlockingQueue", 0), ("Collection", 0), ("CopyOnWriteArrayList", 0), ("Deque", 0), ("HashSet", 0),
    ("ImmutableList", 0), ("ImmutableSet", 0), ("Iterable", 0), ("Iterator", 0), ("LinkedHashSet", 0), ("LinkedList", 0), ("List", 0), ("Optional", 0),
    ("PriorityQueue", 0), ("Queue", 0), ("Set", 0), ("SortedSet", 0), ("Stack", 0), ("Stream", 0), ("TreeSet", 0), ("Vector", 0),
];

/// Annotations that say something of a definition to compilers, checkers and readers, and hand it to nobody: those of the language, of what it is
/// annotated with for null values and threads, and of tools that check it.
#[rustfmt::skip]
pub(super) const PLAIN_ANNOTATIONS: &[&str] = &[
    "API", "AnyThread", "Beta", "CanIgnoreReturnValue", "CheckForNull", "CheckReturnValue", "Contract", "Deprecated", "DoNotCall", "Documented",
    "EverythingIsNonNull", "Experimental", "ForOverride", "FunctionalInterface", "GuardedBy", "Generated", "IgnoreJRERequirement", "Immutable",
    "Incubating", "Inherited", "InlineMe", "Internal", "JvmStatic", "MainThread", "MustBeClosed", "Native", "NonNull", "NonNullApi",
    "NonNullFields", "Nonnull", "NotNull", "NotNullByDefault", "NotThreadSafe", "NullMarked", "NullUnmarked", "Nullable", "OverridingMethodsMustInvokeSuper",
    "Override", "ParametersAreNonnullByDefault", "PolyNull", "Repeatable", "RestrictTo", "Retention", "SafeVarargs", "SuppressFBWarnings", "SuppressLint",
    "SuppressWarnings", "Target", "ThreadSafe", "UiThread", "UnstableApi", "VisibleForTesting", "WorkerThread",
];
