//! Names of methods that types of the standard libraries have: such a name says nothing of whose method is called.

/// In any of the languages, in the order of the letters.
#[rustfmt::skip]
pub(super) const COMMON_METHODS: [&str; 133] = [
    "Add", "Any", "Append", "Clear", "Close", "Contains", "Count", "Dispose", "Equals", "First", "Format", "Get", "GetHashCode", "Insert",
    "Join", "Last", "Length", "Open", "Parse", "Read", "Remove", "Replace", "Select", "Set", "Split", "Start", "Stop", "ToArray", "ToList",
    "ToString", "Trim", "Where", "Write", "add", "all", "any", "append", "apply", "assign", "at", "back", "begin", "bind", "call", "clear",
    "clone", "close", "collect", "compare", "contains", "copy", "count", "data", "delete", "detach", "drop", "each", "empty", "end",
    "equals", "erase", "execute", "exists", "extend", "fetch", "filter", "find", "first", "flush", "fold", "format", "front", "get",
    "include?", "index", "init", "insert", "isEmpty", "is_empty", "items", "iterator", "join", "key", "keys", "last", "length", "let",
    "load", "lock", "log", "lower", "map", "match", "max", "merge", "message", "min", "name", "new", "next", "open", "pop", "print", "push",
    "put", "read", "reduce", "remove", "replace", "reset", "resize", "run", "select", "send", "set", "size", "slice", "sort", "split",
    "start", "stop", "substr", "substring", "swap", "take", "toString", "to_s", "trim", "update", "value", "values", "wait", "write",
];
