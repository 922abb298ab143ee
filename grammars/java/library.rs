//! What the language and its library have that code uses without importing or writing it, as far as names need it.

use crate::scope::{Callback, Gives, LibraryType};

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
    ("distinct", Gives::Same), ("filter", Gives::Same), ("findAny", Gives::Same), ("findFirst", Gives::Same), ("get", Gives::Argument(0)),
    ("iterator", Gives::Same), ("join", Gives::Argument(0)), ("limit", Gives::Same), ("next", Gives::Argument(0)), ("orElse", Gives::Argument(0)),
    ("orElseThrow", Gives::Argument(0)), ("parallelStream", Gives::Same), ("peek", Gives::Same), ("skip", Gives::Same), ("sorted", Gives::Same),
    ("stream", Gives::Same), ("toList", Gives::Same),
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

const fn class(name: &'static str, supers: &'static [&'static str], methods: &'static [(&'static str, Gives)]) -> LibraryType {
    LibraryType { name, supers, is_final: false, takes: None, methods }
}

const fn sealed(name: &'static str, supers: &'static [&'static str], methods: &'static [(&'static str, Gives)]) -> LibraryType {
    LibraryType { name, supers, is_final: true, takes: None, methods }
}

const fn function(name: &'static str, takes: u8, methods: &'static [(&'static str, Gives)]) -> LibraryType {
    LibraryType { name, supers: &[], is_final: false, takes: Some(takes), methods }
}

const FIRST: Gives = Gives::Argument(0);
const SECOND: Gives = Gives::Argument(1);

const ITERABLE: &[(&str, Gives)] = &[("iterator", Gives::Same), ("spliterator", Gives::Same)];

const LIST: &[(&str, Gives)] = &[
    ("get", FIRST),
    ("getFirst", FIRST),
    ("getLast", FIRST),
    ("iterator", Gives::Same),
    ("listIterator", Gives::Same),
    ("remove", FIRST),
    ("removeFirst", FIRST),
    ("removeLast", FIRST),
    ("set", FIRST),
    ("stream", Gives::Same),
    ("subList", Gives::Same),
];

const QUEUE: &[(&str, Gives)] = &[
    ("element", FIRST),
    ("getFirst", FIRST),
    ("getLast", FIRST),
    ("iterator", Gives::Same),
    ("peek", FIRST),
    ("peekFirst", FIRST),
    ("peekLast", FIRST),
    ("poll", FIRST),
    ("pollFirst", FIRST),
    ("pollLast", FIRST),
    ("pop", FIRST),
    ("remove", FIRST),
    ("removeFirst", FIRST),
    ("removeLast", FIRST),
    ("stream", Gives::Same),
    ("take", FIRST),
];

const SET: &[(&str, Gives)] = &[("first", FIRST), ("iterator", Gives::Same), ("last", FIRST), ("stream", Gives::Same)];

const MAP: &[(&str, Gives)] = &[
    ("computeIfAbsent", SECOND),
    ("computeIfPresent", SECOND),
    ("compute", SECOND),
    ("entrySet", Gives::Entries),
    ("get", SECOND),
    ("getOrDefault", SECOND),
    ("keySet", Gives::ManyOf(0)),
    ("merge", SECOND),
    ("put", SECOND),
    ("putIfAbsent", SECOND),
    ("remove", SECOND),
    ("values", Gives::ManyOf(1)),
];

const STREAM: &[(&str, Gives)] = &[
    ("distinct", Gives::Same),
    ("filter", Gives::Same),
    ("findAny", Gives::Same),
    ("findFirst", Gives::Same),
    ("iterator", Gives::Same),
    ("limit", Gives::Same),
    ("max", Gives::Same),
    ("min", Gives::Same),
    ("parallel", Gives::Same),
    ("peek", Gives::Same),
    ("sequential", Gives::Same),
    ("skip", Gives::Same),
    ("sorted", Gives::Same),
    ("toList", Gives::Same),
];

const COLLECTION_TYPES: &[&str] = &["Collection", "Iterable"];
const LIST_TYPES: &[&str] = &[
    "AbstractList",
    "AbstractCollection",
    "List",
    "SequencedCollection",
    "Collection",
    "Iterable",
    "RandomAccess",
    "Cloneable",
    "Serializable",
];
const SET_TYPES: &[&str] = &["AbstractSet", "AbstractCollection", "Set", "Collection", "Iterable", "Cloneable", "Serializable"];
const MAP_TYPES: &[&str] = &["AbstractMap", "Map", "Cloneable", "Serializable"];
const NUMBER: &[&str] = &["Number", "Comparable", "Serializable", "Constable", "ConstantDesc"];
const NONE: &[(&str, Gives)] = &[];
const TEXT: Gives = Gives::Type("String");
const INT: Gives = Gives::Type("int");
const LONG: Gives = Gives::Type("long");
const BOOLEAN: Gives = Gives::Type("boolean");
const DOUBLE: Gives = Gives::Type("double");
const FLOAT: Gives = Gives::Type("float");

/// Types of the library by their names.
#[rustfmt::skip]
pub(super) const TYPES: &[LibraryType] = &[
    class("Object", &[], &[
        ("equals", BOOLEAN), ("getClass", Gives::Type("Class")), ("hashCode", INT), ("name", TEXT), ("ordinal", INT), ("toString", TEXT),
    ]),
    sealed("String", &["CharSequence", "Comparable", "Serializable", "Constable", "ConstantDesc"], &[
        ("concat", Gives::Same), ("formatted", Gives::Same), ("intern", Gives::Same), ("replace", Gives::Same), ("replaceAll", Gives::Same),
        ("strip", Gives::Same), ("substring", Gives::Same), ("toLowerCase", Gives::Same), ("toString", Gives::Same), ("toUpperCase", Gives::Same),
        ("trim", Gives::Same), ("repeat", Gives::Same), ("charAt", Gives::Type("char")), ("compareTo", INT), ("contains", BOOLEAN), ("endsWith", BOOLEAN),
        ("format", TEXT), ("indexOf", INT), ("isEmpty", BOOLEAN), ("isBlank", BOOLEAN), ("join", TEXT), ("lastIndexOf", INT), ("length", INT),
        ("matches", BOOLEAN), ("startsWith", BOOLEAN), ("valueOf", TEXT), ("equalsIgnoreCase", BOOLEAN),
    ]),
    sealed("boolean", &[], NONE), sealed("byte", &[], NONE), sealed("char", &[], NONE), sealed("double", &[], NONE), sealed("float", &[], NONE),
    sealed("int", &[], NONE), sealed("long", &[], NONE), sealed("short", &[], NONE), sealed("void", &[], NONE),
    sealed("Boolean", &["Comparable", "Serializable", "Constable"], &[
        ("FALSE", Gives::Type("Boolean")), ("TRUE", Gives::Type("Boolean")), ("booleanValue", BOOLEAN), ("parseBoolean", BOOLEAN),
        ("valueOf", Gives::Type("Boolean")),
    ]), sealed("Byte", NUMBER, NONE),
    sealed("Character", &["Comparable", "Serializable", "Constable"], NONE), sealed("Double", NUMBER, &[
        ("MAX_VALUE", DOUBLE), ("MIN_VALUE", DOUBLE), ("NEGATIVE_INFINITY", DOUBLE), ("NaN", DOUBLE), ("POSITIVE_INFINITY", DOUBLE), ("compare", INT),
        ("doubleValue", DOUBLE), ("floatValue", FLOAT), ("intValue", INT), ("longValue", LONG), ("parseDouble", DOUBLE), ("valueOf", Gives::Type("Double")),
    ]),
    sealed("Float", NUMBER, &[
        ("MAX_VALUE", FLOAT), ("MIN_VALUE", FLOAT), ("NEGATIVE_INFINITY", FLOAT), ("NaN", FLOAT), ("POSITIVE_INFINITY", FLOAT), ("compare", INT),
        ("doubleValue", DOUBLE), ("floatValue", FLOAT), ("intValue", INT), ("longValue", LONG), ("parseFloat", FLOAT), ("valueOf", Gives::Type("Float")),
    ]),
    sealed("Integer", NUMBER, &[
        ("MAX_VALUE", INT), ("MIN_VALUE", INT), ("compare", INT), ("intValue", INT), ("longValue", LONG), ("parseInt", INT), ("toHexString", TEXT),
        ("valueOf", Gives::Type("Integer")),
    ]),
    sealed("Long", NUMBER, &[
        ("MAX_VALUE", LONG), ("MIN_VALUE", LONG), ("compare", INT), ("intValue", INT), ("longValue", LONG), ("parseLong", LONG),
        ("valueOf", Gives::Type("Long")),
    ]), sealed("Short", NUMBER, NONE), class("Number", &["Serializable"], &[("intValue", INT), ("longValue", LONG), ("doubleValue", DOUBLE), ("floatValue", FLOAT)]),
    sealed("BigDecimal", &["Number", "Comparable", "Serializable"], NONE), sealed("BigInteger", &["Number", "Comparable", "Serializable"], NONE),
    sealed("Class", &["Type", "AnnotatedElement", "GenericDeclaration", "Serializable"], &[("cast", FIRST), ("newInstance", FIRST), ("getName", TEXT), ("getSimpleName", TEXT), ("isAssignableFrom", BOOLEAN), ("isInstance", BOOLEAN)]),
    sealed("StringBuilder", &["CharSequence", "Appendable", "Comparable", "Serializable"], &[("append", Gives::Same), ("insert", Gives::Same), ("reverse", Gives::Same)]),
    sealed("StringBuffer", &["CharSequence", "Appendable", "Comparable", "Serializable"], &[("append", Gives::Same), ("insert", Gives::Same)]),
    class("Iterable", &[], ITERABLE),
    class("Collection", &["Iterable"], &[("iterator", Gives::Same), ("stream", Gives::Same), ("parallelStream", Gives::Same)]),
    class("List", COLLECTION_TYPES, LIST), class("ArrayList", LIST_TYPES, LIST), class("LinkedList", &["AbstractSequentialList", "AbstractList", "AbstractCollection", "List", "Deque", "Queue", "Collection", "Iterable", "Cloneable", "Serializable"], LIST),
    class("Vector", LIST_TYPES, LIST), class("CopyOnWriteArrayList", LIST_TYPES, LIST),
    class("Set", COLLECTION_TYPES, SET), class("HashSet", SET_TYPES, SET), class("LinkedHashSet", SET_TYPES, SET),
    class("TreeSet", &["SortedSet", "NavigableSet", "AbstractSet", "AbstractCollection", "Set", "Collection", "Iterable", "Cloneable", "Serializable"], SET),
    class("SortedSet", &["Set", "Collection", "Iterable"], SET),
    class("Queue", COLLECTION_TYPES, QUEUE), class("Deque", &["Queue", "Collection", "Iterable"], QUEUE), class("ArrayDeque", &["Deque", "Queue", "AbstractCollection", "Collection", "Iterable", "Cloneable", "Serializable"], QUEUE),
    class("PriorityQueue", &["Queue", "AbstractQueue", "Collection", "Iterable", "Serializable"], QUEUE), class("BlockingQueue", &["Queue", "Collection", "Iterable"], QUEUE),
    class("Stack", LIST_TYPES, &[("get", FIRST), ("peek", FIRST), ("pop", FIRST), ("push", FIRST)]),
    class("Map", &[], MAP), class("HashMap", MAP_TYPES, MAP), class("LinkedHashMap", &["HashMap", "AbstractMap", "Map", "Cloneable", "Serializable"], MAP),
    class("TreeMap", &["SortedMap", "NavigableMap", "AbstractMap", "Map", "Cloneable", "Serializable"], MAP), class("ConcurrentMap", &["Map"], MAP),
    class("ConcurrentHashMap", &["ConcurrentMap", "AbstractMap", "Map", "Serializable"], MAP), class("SortedMap", &["Map"], MAP), class("NavigableMap", &["SortedMap", "Map"], MAP),
    class("WeakHashMap", &["AbstractMap", "Map"], MAP), class("IdentityHashMap", MAP_TYPES, MAP), class("EnumMap", MAP_TYPES, MAP),
    class("Entry", &[], &[("getKey", FIRST), ("getValue", SECOND), ("setValue", SECOND)]),
    class("Iterator", &[], &[("next", FIRST)]), class("ListIterator", &["Iterator"], &[("next", FIRST), ("previous", FIRST)]),
    class("Enumeration", &[], &[("nextElement", FIRST)]),
    class("Stream", &["BaseStream", "AutoCloseable"], STREAM),
    sealed("Optional", &[], &[("filter", Gives::Same), ("get", FIRST), ("or", Gives::Same), ("orElse", FIRST), ("orElseGet", FIRST), ("orElseThrow", FIRST), ("stream", Gives::Same)]),
    class("AtomicReference", &["Serializable"], &[("get", FIRST), ("getAndSet", FIRST)]), class("ThreadLocal", &[], &[("get", FIRST)]),
    class("WeakReference", &["Reference"], &[("get", FIRST)]), class("SoftReference", &["Reference"], &[("get", FIRST)]), class("Reference", &[], &[("get", FIRST)]),
    class("Future", &[], &[("get", FIRST)]), class("CompletableFuture", &["Future", "CompletionStage"], &[("get", FIRST), ("join", FIRST)]),
    function("Runnable", 0, NONE), function("Callable", 0, &[("call", FIRST)]), function("Supplier", 0, &[("get", FIRST)]),
    function("Consumer", 1, NONE), function("Predicate", 1, NONE), function("Function", 1, &[("apply", SECOND)]),
    function("UnaryOperator", 1, &[("apply", FIRST)]), function("BiFunction", 2, &[("apply", Gives::Argument(2))]), function("BiConsumer", 2, NONE),
    function("BiPredicate", 2, NONE), function("BinaryOperator", 2, &[("apply", FIRST)]), function("Comparator", 2, &[("reversed", Gives::Same), ("thenComparing", Gives::Same)]),
];
