//! Types of Java's library by their names: what stands above them, which functions they are, and what their methods give.
//!
//! Overloads are told apart by such types. What is said here is the library's own contract; what is not said excludes nothing.

use crate::scope::{Gives, LibraryType};

type Methods = &'static [(&'static str, Gives)];

/// A class or interface, with all that is above it.
const fn class(name: &'static str, supers: &'static [&'static str], methods: Methods) -> LibraryType {
    LibraryType { name, supers, is_final: false, takes: None, methods }
}

/// A class or type of the language that nothing extends.
const fn last(name: &'static str, supers: &'static [&'static str], methods: Methods) -> LibraryType {
    LibraryType { name, supers, is_final: true, takes: None, methods }
}

/// An interface that a function stands for, with the number of its parameters.
const fn function(name: &'static str, takes: u8, methods: Methods) -> LibraryType {
    LibraryType { name, supers: &[], is_final: false, takes: Some(takes), methods }
}

const FIRST: Gives = Gives::Argument(0);
const SECOND: Gives = Gives::Argument(1);
const SAME: Gives = Gives::Same;
const TEXT: Gives = Gives::Type("String");
const INT: Gives = Gives::Type("int");
const LONG: Gives = Gives::Type("long");
const BOOLEAN: Gives = Gives::Type("boolean");
const DOUBLE: Gives = Gives::Type("double");
const FLOAT: Gives = Gives::Type("float");
const STREAM: Gives = Gives::Of("Stream", 0);
const ITERATOR: Gives = Gives::Of("Iterator", 0);
const OPTIONAL: Gives = Gives::Of("Optional", 0);
const NONE: Methods = &[];

const NUMBER: &[&str] = &["Number", "Comparable", "Serializable"];
const CLOSED: &[&str] = &["Closeable", "AutoCloseable"];
const INPUT: &[&str] = &["InputStream", "Closeable", "AutoCloseable"];
const FILTERED: &[&str] = &["FilterInputStream", "InputStream", "Closeable", "AutoCloseable"];
const OUTPUT: &[&str] = &["OutputStream", "Closeable", "Flushable", "AutoCloseable"];
const READER: &[&str] = &["Reader", "Readable", "Closeable", "AutoCloseable"];
const WRITER: &[&str] = &["Writer", "Appendable", "Closeable", "Flushable", "AutoCloseable"];
const COLLECTION: &[&str] = &["Collection", "Iterable"];
#[rustfmt::skip]
const LISTS: &[&str] = &["AbstractList", "List", "SequencedCollection", "AbstractCollection", "Collection", "Iterable", "RandomAccess", "Cloneable", "Serializable"];
const SETS: &[&str] = &["AbstractSet", "Set", "AbstractCollection", "Collection", "Iterable", "Cloneable", "Serializable"];
const QUEUES: &[&str] = &["Deque", "Queue", "AbstractCollection", "Collection", "Iterable", "Cloneable", "Serializable"];
const MAPS: &[&str] = &["AbstractMap", "Map", "Cloneable", "Serializable"];
const ERROR: &[&str] = &["Throwable", "Serializable"];
const EXCEPTION: &[&str] = &["Exception", "Throwable", "Serializable"];
const RUNTIME: &[&str] = &["RuntimeException", "Exception", "Throwable", "Serializable"];

#[rustfmt::skip]
const OF_TEXT: Methods = &[
    ("charAt", Gives::Type("char")), ("compareTo", INT), ("concat", SAME), ("contains", BOOLEAN), ("endsWith", BOOLEAN), ("equalsIgnoreCase", BOOLEAN),
    ("format", TEXT), ("formatted", SAME), ("indexOf", INT), ("intern", SAME), ("isBlank", BOOLEAN), ("isEmpty", BOOLEAN), ("join", TEXT),
    ("lastIndexOf", INT), ("length", INT), ("matches", BOOLEAN), ("repeat", SAME), ("replace", SAME), ("replaceAll", SAME), ("replaceFirst", SAME),
    ("startsWith", BOOLEAN), ("strip", SAME), ("substring", SAME), ("toLowerCase", SAME), ("toUpperCase", SAME), ("trim", SAME), ("valueOf", TEXT),
];

#[rustfmt::skip]
const OF_LIST: Methods = &[
    ("get", FIRST), ("getFirst", FIRST), ("getLast", FIRST), ("indexOf", INT), ("listIterator", Gives::Of("ListIterator", 0)), ("remove", FIRST),
    ("removeFirst", FIRST), ("removeLast", FIRST), ("set", FIRST), ("subList", Gives::Of("List", 0)),
];

#[rustfmt::skip]
const OF_QUEUE: Methods = &[
    ("element", FIRST), ("getFirst", FIRST), ("getLast", FIRST), ("peek", FIRST), ("peekFirst", FIRST), ("peekLast", FIRST), ("poll", FIRST),
    ("pollFirst", FIRST), ("pollLast", FIRST), ("pop", FIRST), ("remove", FIRST), ("removeFirst", FIRST), ("removeLast", FIRST), ("take", FIRST),
];

#[rustfmt::skip]
const OF_MAP: Methods = &[
    ("compute", SECOND), ("computeIfAbsent", SECOND), ("computeIfPresent", SECOND), ("containsKey", BOOLEAN), ("entrySet", Gives::Entries),
    ("get", SECOND), ("getOrDefault", SECOND), ("isEmpty", BOOLEAN), ("keySet", Gives::Of("Set", 0)), ("merge", SECOND), ("put", SECOND),
    ("putIfAbsent", SECOND), ("remove", SECOND), ("size", INT), ("values", Gives::Of("Collection", 1)),
];

#[rustfmt::skip]
const OF_STREAM: Methods = &[
    ("count", LONG), ("distinct", SAME), ("filter", SAME), ("findAny", OPTIONAL), ("findFirst", OPTIONAL), ("iterator", ITERATOR), ("limit", SAME),
    ("max", OPTIONAL), ("min", OPTIONAL), ("parallel", SAME), ("peek", SAME), ("sequential", SAME), ("skip", SAME), ("sorted", SAME),
    ("toList", Gives::Of("List", 0)),
];

#[rustfmt::skip]
const OF_NUMBER: Methods = &[("doubleValue", DOUBLE), ("floatValue", FLOAT), ("intValue", INT), ("longValue", LONG)];

/// All that are known; what every type has comes first.
#[rustfmt::skip]
pub(super) const TYPES: &[LibraryType] = &[
    class("Object", &[], &[
        ("equals", BOOLEAN), ("getClass", Gives::Type("Class")), ("hashCode", INT), ("name", TEXT), ("ordinal", INT), ("toString", TEXT),
    ]),
    last("boolean", &[], NONE), last("byte", &[], NONE), last("char", &[], NONE), last("double", &[], NONE), last("float", &[], NONE),
    last("int", &[], NONE), last("long", &[], NONE), last("short", &[], NONE), last("void", &[], NONE),
    last("Boolean", &["Comparable", "Serializable"], &[
        ("FALSE", Gives::Type("Boolean")), ("TRUE", Gives::Type("Boolean")), ("booleanValue", BOOLEAN), ("parseBoolean", BOOLEAN),
        ("valueOf", Gives::Type("Boolean")),
    ]),
    last("Byte", NUMBER, NONE), last("Character", &["Comparable", "Serializable"], NONE), last("Short", NUMBER, NONE), last("Void", &[], NONE),
    last("Double", NUMBER, &[
        ("MAX_VALUE", DOUBLE), ("MIN_VALUE", DOUBLE), ("NEGATIVE_INFINITY", DOUBLE), ("NaN", DOUBLE), ("POSITIVE_INFINITY", DOUBLE), ("compare", INT),
        ("parseDouble", DOUBLE), ("valueOf", Gives::Type("Double")),
    ]),
    last("Float", NUMBER, &[
        ("MAX_VALUE", FLOAT), ("MIN_VALUE", FLOAT), ("NEGATIVE_INFINITY", FLOAT), ("NaN", FLOAT), ("POSITIVE_INFINITY", FLOAT), ("compare", INT),
        ("parseFloat", FLOAT), ("valueOf", Gives::Type("Float")),
    ]),
    last("Integer", NUMBER, &[
        ("MAX_VALUE", INT), ("MIN_VALUE", INT), ("compare", INT), ("parseInt", INT), ("toHexString", TEXT), ("valueOf", Gives::Type("Integer")),
    ]),
    last("Long", NUMBER, &[("MAX_VALUE", LONG), ("MIN_VALUE", LONG), ("compare", INT), ("parseLong", LONG), ("valueOf", Gives::Type("Long"))]),
    class("Number", &["Serializable"], OF_NUMBER), class("BigDecimal", NUMBER, NONE), class("BigInteger", NUMBER, NONE),
    last("String", &["CharSequence", "Comparable", "Serializable"], OF_TEXT), class("CharSequence", &[], &[("length", INT), ("charAt", Gives::Type("char"))]),
    last("StringBuilder", &["CharSequence", "Appendable", "Comparable", "Serializable"], &[("append", SAME), ("insert", SAME), ("length", INT), ("reverse", SAME)]),
    last("StringBuffer", &["CharSequence", "Appendable", "Comparable", "Serializable"], &[("append", SAME), ("insert", SAME), ("length", INT)]),
    last("Class", &["Type", "AnnotatedElement", "GenericDeclaration", "Serializable"], &[
        ("cast", FIRST), ("getName", TEXT), ("getSimpleName", TEXT), ("isAssignableFrom", BOOLEAN), ("isInstance", BOOLEAN), ("newInstance", FIRST),
    ]),
    class("Type", &[], NONE), class("ParameterizedType", &["Type"], NONE), class("GenericArrayType", &["Type"], NONE), class("WildcardType", &["Type"], NONE),
    class("Comparable", &[], NONE), class("Serializable", &[], NONE), class("Cloneable", &[], NONE), class("Appendable", &[], NONE), class("Readable", &[], NONE),
    class("AutoCloseable", &[], NONE), class("Closeable", &["AutoCloseable"], NONE), class("Flushable", &[], NONE),

    class("Iterable", &[], &[("iterator", ITERATOR)]), class("Collection", &["Iterable"], &[("isEmpty", BOOLEAN), ("parallelStream", STREAM), ("size", INT), ("stream", STREAM)]),
    class("AbstractCollection", COLLECTION, NONE), class("List", COLLECTION, OF_LIST), class("AbstractList", &["List", "AbstractCollection", "Collection", "Iterable"], NONE),
    class("ArrayList", LISTS, NONE), class("Vector", LISTS, NONE), class("CopyOnWriteArrayList", LISTS, NONE),
    class("Stack", &["Vector", "AbstractList", "List", "AbstractCollection", "Collection", "Iterable"], &[("peek", FIRST), ("pop", FIRST), ("push", FIRST)]),
    class("LinkedList", &["AbstractSequentialList", "AbstractList", "List", "Deque", "Queue", "AbstractCollection", "Collection", "Iterable", "Cloneable", "Serializable"], OF_QUEUE),
    class("Set", COLLECTION, NONE), class("AbstractSet", &["Set", "AbstractCollection", "Collection", "Iterable"], NONE), class("HashSet", SETS, NONE),
    class("LinkedHashSet", &["HashSet", "AbstractSet", "Set", "AbstractCollection", "Collection", "Iterable", "Cloneable", "Serializable"], NONE),
    class("SortedSet", &["Set", "Collection", "Iterable"], &[("first", FIRST), ("last", FIRST)]),
    class("TreeSet", &["NavigableSet", "SortedSet", "AbstractSet", "Set", "AbstractCollection", "Collection", "Iterable", "Cloneable", "Serializable"], NONE),
    class("EnumSet", SETS, NONE), class("Queue", COLLECTION, OF_QUEUE), class("Deque", &["Queue", "Collection", "Iterable"], NONE), class("ArrayDeque", QUEUES, NONE),
    class("PriorityQueue", &["AbstractQueue", "Queue", "AbstractCollection", "Collection", "Iterable", "Serializable"], NONE),
    class("BlockingQueue", &["Queue", "Collection", "Iterable"], NONE),
    class("Map", &[], OF_MAP), class("AbstractMap", &["Map"], NONE), class("HashMap", MAPS, NONE), class("WeakHashMap", &["AbstractMap", "Map"], NONE),
    class("LinkedHashMap", &["HashMap", "AbstractMap", "Map", "Cloneable", "Serializable"], NONE), class("IdentityHashMap", MAPS, NONE), class("EnumMap", MAPS, NONE),
    class("SortedMap", &["Map"], NONE), class("NavigableMap", &["SortedMap", "Map"], NONE), class("ConcurrentMap", &["Map"], NONE), class("Properties", &["Hashtable", "Map", "Cloneable", "Serializable"], NONE),
    class("TreeMap", &["NavigableMap", "SortedMap", "AbstractMap", "Map", "Cloneable", "Serializable"], NONE),
    class("ConcurrentHashMap", &["ConcurrentMap", "AbstractMap", "Map", "Serializable"], NONE),
    class("Entry", &[], &[("getKey", FIRST), ("getValue", SECOND), ("setValue", SECOND)]),
    class("Iterator", &[], &[("hasNext", BOOLEAN), ("next", FIRST)]), class("ListIterator", &["Iterator"], &[("previous", FIRST)]), class("Enumeration", &[], &[("nextElement", FIRST)]),
    class("Stream", &["BaseStream", "AutoCloseable"], OF_STREAM),
    last("Optional", &[], &[("filter", SAME), ("get", FIRST), ("isPresent", BOOLEAN), ("or", SAME), ("orElse", FIRST), ("orElseGet", FIRST), ("orElseThrow", FIRST), ("stream", STREAM)]),
    class("AtomicReference", &["Serializable"], &[("get", FIRST), ("getAndSet", FIRST)]), class("ThreadLocal", &[], &[("get", FIRST)]),
    class("Reference", &[], &[("get", FIRST)]), class("WeakReference", &["Reference"], NONE), class("SoftReference", &["Reference"], NONE),
    class("Future", &[], &[("get", FIRST)]), class("CompletableFuture", &["Future", "CompletionStage"], &[("join", FIRST)]),

    class("InputStream", CLOSED, NONE), class("FileInputStream", INPUT, NONE), class("ByteArrayInputStream", INPUT, NONE), class("FilterInputStream", INPUT, NONE),
    class("BufferedInputStream", FILTERED, NONE), class("GZIPInputStream", &["InflaterInputStream", "FilterInputStream", "InputStream", "Closeable", "AutoCloseable"], NONE),
    class("OutputStream", &["Closeable", "Flushable", "AutoCloseable"], NONE), class("FileOutputStream", OUTPUT, NONE), class("ByteArrayOutputStream", OUTPUT, NONE),
    class("PrintStream", &["FilterOutputStream", "OutputStream", "Appendable", "Closeable", "Flushable", "AutoCloseable"], NONE),
    class("Reader", &["Readable", "Closeable", "AutoCloseable"], NONE), class("StringReader", READER, NONE), class("BufferedReader", READER, NONE), class("InputStreamReader", READER, NONE),
    class("FileReader", &["InputStreamReader", "Reader", "Readable", "Closeable", "AutoCloseable"], NONE), class("CharArrayReader", READER, NONE),
    class("Writer", &["Appendable", "Closeable", "Flushable", "AutoCloseable"], NONE), class("StringWriter", WRITER, NONE), class("PrintWriter", WRITER, NONE), class("BufferedWriter", WRITER, NONE),
    class("File", &["Comparable", "Serializable"], &[("getName", TEXT), ("getPath", TEXT), ("toPath", Gives::Type("Path"))]),
    class("Path", &["Comparable", "Iterable", "Watchable"], &[("getFileName", SAME), ("resolve", SAME), ("toFile", Gives::Type("File"))]),
    last("URL", &["Serializable"], NONE), last("URI", &["Comparable", "Serializable"], NONE), class("Charset", &["Comparable"], NONE), last("Locale", &["Cloneable", "Serializable"], NONE),
    class("Date", &["Cloneable", "Comparable", "Serializable"], NONE), class("Calendar", &["Cloneable", "Comparable", "Serializable"], NONE), last("UUID", &["Comparable", "Serializable"], NONE),
    last("Pattern", &["Serializable"], NONE), last("Duration", &["Comparable", "Serializable"], NONE), last("Instant", &["Comparable", "Serializable"], NONE),
    class("ResultSet", &["AutoCloseable"], NONE), class("Thread", &["Runnable"], NONE),

    class("Throwable", &["Serializable"], &[("getMessage", TEXT), ("getLocalizedMessage", TEXT)]), class("Exception", ERROR, NONE), class("Error", ERROR, NONE),
    class("IOException", EXCEPTION, NONE), class("InterruptedException", EXCEPTION, NONE), class("RuntimeException", EXCEPTION, NONE),
    class("IllegalArgumentException", RUNTIME, NONE), class("IllegalStateException", RUNTIME, NONE), class("UnsupportedOperationException", RUNTIME, NONE),
    class("NullPointerException", RUNTIME, NONE), class("ClassCastException", RUNTIME, NONE), class("IndexOutOfBoundsException", RUNTIME, NONE),

    function("Runnable", 0, NONE), function("Callable", 0, &[("call", FIRST)]), function("Supplier", 0, &[("get", FIRST)]),
    function("Consumer", 1, NONE), function("Predicate", 1, &[("test", BOOLEAN)]), function("Function", 1, &[("apply", SECOND)]),
    function("UnaryOperator", 1, &[("apply", FIRST)]), function("BiFunction", 2, &[("apply", Gives::Argument(2))]), function("BiConsumer", 2, NONE),
    function("BiPredicate", 2, &[("test", BOOLEAN)]), function("BinaryOperator", 2, &[("apply", FIRST)]),
    function("Comparator", 2, &[("compare", INT), ("reversed", SAME), ("thenComparing", SAME)]),
];
