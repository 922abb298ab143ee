//! What generators call what they make of `.proto` files.

/// The ending of files that declare.
pub const PROTO: &str = ".proto";

/// What generators put behind the name of a `.proto` file, and whether people give names with it, too: `wallet_connect.ts` connects a wallet.
const ENDINGS: [(&str, bool); 24] = [
    (".pb.go", false),
    ("_grpc.pb.go", false),
    (".pb.gw.go", false),
    (".connect.go", true),
    ("_pb2.py", false),
    ("_pb2.pyi", false),
    ("_pb2_grpc.py", false),
    ("_pb2_grpc.pyi", false),
    ("_pb.ts", true),
    ("_pb.js", true),
    ("_pb.d.ts", false),
    ("_grpc_pb.js", false),
    ("_grpc_pb.d.ts", false),
    ("_connect.ts", true),
    ("_connect.js", true),
    ("_connect.d.ts", true),
    (".pb.ts", true),
    (".pb.cc", false),
    (".pb.h", false),
    (".grpc.pb.cc", false),
    (".grpc.pb.h", false),
    ("_pb.rb", true),
    ("_services_pb.rb", false),
    (".pb.swift", false),
];

/// What generators put around the name of a service, in small letters without separators.
const SERVICES: [(&str, &str); 24] = [
    ("", ""),
    ("", "client"),
    ("", "server"),
    ("unimplemented", "server"),
    ("unsafe", "server"),
    ("", "stub"),
    ("", "asyncstub"),
    ("", "blockingstub"),
    ("", "blockingv2stub"),
    ("", "futurestub"),
    ("", "coroutinestub"),
    ("", "servicer"),
    ("", "implbase"),
    ("", "coroutineimplbase"),
    ("", "grpc"),
    ("", "handler"),
    ("unimplemented", "handler"),
    ("", "clientimpl"),
    ("i", "client"),
    ("i", "server"),
    ("", "promiseclient"),
    ("", "base"),
    ("", "service"),
    ("", "definition"),
];

/// What a generated file may be made from, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin<'a> {
    /// All files of a package, in the file of that name.
    Package(&'a str),
    /// The file that declares a service, where this type is made as well.
    Service(&'a str, String),
    /// The `.proto` file of a name. The second says whether people give such names, too.
    File(String, bool),
}

/// What a file may be made from, by its name.
pub fn origin(name: &str) -> Option<Origin<'_>> {
    if let Some(package) = name.strip_suffix(".rs") {
        return Some(Origin::Package(package));
    }
    if let Some(service) = name.strip_suffix("Grpc.java") {
        return Some(Origin::Service(service, format!("{service}ImplBase")));
    }
    // The longest ending is the one that was put there.
    let fits = ENDINGS.iter().filter_map(|(ending, is_given)| Some((name.strip_suffix(ending)?, *is_given)));
    let (stem, is_given) = fits.min_by_key(|(stem, _)| stem.len())?;
    Some(Origin::File(format!("{stem}{PROTO}"), is_given))
}

/// The names of the types that generators make of a service, whose name is in small letters without separators.
pub fn types_of_service(name: &str) -> impl Iterator<Item = String> {
    SERVICES.iter().map(move |(front, end)| format!("{front}{name}{end}"))
}
