//! The tables of a shard, and those that the rules derive: names of columns, what they hold, and in which order rows stand.
//!
//! Keys are those of [`key`](crate::key). A *node* is the number of a file or definition in the fact base of its shard, which is its row in
//! `symbols`.

use crate::columns::Kind::{Int, Long, Text};
use crate::columns::Table;

/// Files and definitions, by node: `path` or `path#Container.name`, what it is, its key, its line, whether others can see it (1, of tests 2).
pub(crate) const SYMBOLS: Table =
    Table { name: "symbols", columns: &[("id", Text), ("kind", Text), ("place", Long), ("line", Int), ("is_visible", Int)] };

/// Links inside of the shard, by what they lead to, then where they start: kinds as in `activate facts`, and how sure they are.
pub(crate) const INNER: Table =
    Table { name: "inner", columns: &[("to", Int), ("from", Int), ("line", Int), ("kind", Text), ("confidence", Text)] };

/// How terms are made: `outside` (of a module that is published under `name`), `member` (of `base`, called `name`), `result` (of a call of
/// `base`; `part` is 0 for all of it), `instance`, `many`, `element` (of `base`).
pub(crate) const TERMS: Table = Table {
    name: "terms",
    columns: &[("key", Long), ("step", Text), ("base", Long), ("name", Long), ("part", Int), ("text", Text)],
};

/// Modules that others can import: the key of the name, registry and name, the place, and its first file.
pub(crate) const MODULES: Table = Table {
    name: "modules",
    columns: &[("published", Long), ("registry", Text), ("name", Text), ("place", Long), ("file", Int)],
};

/// What names mean in a module or a type: place, key of the name, name, and the term that is meant.
pub(crate) const MEMBERS: Table =
    Table { name: "members", columns: &[("of", Long), ("name", Long), ("text", Text), ("to", Long)] };

/// Types of definitions as terms: `alias` (what it stands for), `holds` (a value), `gives` (what a call gives; `part` as in `terms`), `over` (a
/// supertype, or a module of which all names are passed on).
pub(crate) const TYPES: Table = Table { name: "types", columns: &[("of", Long), ("how", Text), ("part", Int), ("to", Long)] };

/// Uses of terms that lead out of the shard: the node around, its line, what is done, and the term. Of a place that may name one of several terms
/// each is a row: they have one `site`, which is 0 for others, and those that mean something count by the lowest `rank`.
pub(crate) const USES: Table = Table {
    name: "uses",
    columns: &[("term", Long), ("from", Int), ("line", Int), ("kind", Text), ("site", Int), ("rank", Int)],
};

/// Packages that the manifests name: key of the name, key of the package, registry, name, version, folder.
pub(crate) const PACKAGES: Table = Table {
    name: "packages",
    columns: &[("published", Long), ("package", Long), ("registry", Text), ("name", Text), ("version", Text), ("folder", Text)],
};

/// What packages need: key of the package, or of the folder of a manifest without one; key of the name of the other, registry, name, the versions
/// that will do, folder and line of the manifest.
pub(crate) const NEEDS: Table = Table {
    name: "needs",
    columns: &[
        ("package", Long),
        ("published", Long),
        ("registry", Text),
        ("name", Text),
        ("versions", Text),
        ("folder", Text),
        ("line", Int),
    ],
};

/// Words of the files, by key: in how many files each stands, and in how many of these as the name of a definition.
pub(crate) const WORDS: Table = Table { name: "words", columns: &[("word", Long), ("n_files", Int), ("n_naming", Int)] };

/// Routes that the repository serves: the definition that does, its line, method and path.
pub(crate) const ROUTES: Table = Table { name: "routes", columns: &[("handler", Int), ("line", Int), ("text", Text)] };

/// Requests that the repository does not serve itself: the definition around, its line, method and path.
pub(crate) const REQUESTS: Table = Table { name: "requests", columns: &[("from", Int), ("line", Int), ("text", Text)] };

/// Procedures of `.proto` files: `package.Service/Method`, `declared`, `asked` or `served`, the file or the method, its line.
pub(crate) const PROCEDURES: Table =
    Table { name: "procedures", columns: &[("name", Text), ("side", Text), ("node", Int), ("line", Int)] };

/// Keyed hashes of the forms in which secrets are written, never what they are: see [`redact::Print`]. A shard has those of its repository, and
/// what is derived has those of all.
pub(crate) const SECRETS: Table =
    Table { name: "secrets", columns: &[("anchor", Int), ("whole", Long), ("length", Int), ("is_part", Int), ("kind", Text)] };

/// Owners of files by the repository's CODEOWNERS: the file, a user, team or address (empty where the line says that nobody owns it), and the file and line that say so.
pub(crate) const OWNERS: Table =
    Table { name: "owners", columns: &[("file", Int), ("owner", Text), ("by", Text), ("line", Int)] };

/// Occasions on which folders changed, by occasion: a key of the ticket, or of the author and the hour; which of the two; a folder at the top.
pub(crate) const OCCASIONS: Table = Table { name: "occasions", columns: &[("occasion", Long), ("kind", Text), ("folder", Text)] };

/// Repositories of the fleet by name: key, name, commit.
pub(crate) const REPOSITORIES: Table =
    Table { name: "repositories", columns: &[("key", Long), ("name", Text), ("commit", Text)] };

/// Links between repositories, by what they lead to: repository and node, then repository, node and line of the use, what it does, and how many
/// places it may mean.
pub(crate) const LINKS_IN: Table = Table {
    name: "links_in",
    columns: &[
        ("to_repository", Long),
        ("to", Int),
        ("from_repository", Long),
        ("from", Int),
        ("line", Int),
        ("kind", Text),
        ("n_meant", Int),
    ],
};

/// The same links by where they start.
pub(crate) const LINKS_OUT: Table = Table {
    name: "links_out",
    columns: &[
        ("from_repository", Long),
        ("from", Int),
        ("to_repository", Long),
        ("to", Int),
        ("line", Int),
        ("kind", Text),
        ("n_meant", Int),
    ],
};

/// Definitions that others can see and no other repository uses.
pub(crate) const UNUSED: Table = Table { name: "unused", columns: &[("repository", Long), ("node", Int)] };

/// Packages of all repositories, by key: key, repository, registry, name, version, folder.
pub(crate) const PUBLISHED: Table = Table {
    name: "published",
    columns: &[("package", Long), ("repository", Long), ("registry", Text), ("name", Text), ("version", Text), ("folder", Text)],
};

/// Packages that need others: keys of both, and whether the other needs it too, by way of others perhaps.
pub(crate) const DEPENDS: Table = Table { name: "depends", columns: &[("from", Long), ("to", Long), ("in_cycle", Int)] };
