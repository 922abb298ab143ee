//! Paths of code that is not as it was written: what was published and installed, and what was bundled.
//!
//! Reads form only: must not know which packages and files a repository has.

use super::frames::is_go;
use std::borrow::Cow;

/// Where tools put what they installed: modules of Go, packages of cargo, of npm and of Python.
const GO_MODULES: &str = "pkg/mod/";
const GO_VERSION: &str = "@v";
const CARGO_REGISTRY: &str = "cargo/registry/src/";
const CARGO_CHECKOUTS: &str = "cargo/git/checkouts/";
const NODE_MODULES: &str = "node_modules/";
const PYTHON: [&str; 2] = ["/site-packages/", "/dist-packages/"];

/// How packages of npm begin whose names have two parts.
const SCOPE: char = '@';
/// How a capital is written in the folder of a module of Go.
const GO_CAPITAL: char = '!';

/// Folders into which JavaScript is built.
const BUILT_FOLDERS: [&str; 9] = ["dist", "build", "out", "assets", "chunks", "bundle", ".next", "_next", ".output"];
/// How built files end, and what the names of some hold.
const BUILT_FILES: [&str; 3] = [".js", ".mjs", ".cjs"];
const BUILT_NAMES: [&str; 3] = [".min.", ".bundle.", ".chunk."];
/// How a bundler calls its parts, and how long the hash at the end of a name is at least.
const CHUNK: &str = "chunk-";
const HASH_LETTERS: usize = 6;

/// What serves code to a browser, with other lines than its source where it says more than a path.
const SERVERS: [&str; 3] = ["http://", "https://", "webpack-internal:"];
const WEBPACK: &str = "webpack://";

/// Where a file of a package was installed from.
#[derive(Debug, PartialEq, Eq)]
pub enum Origin<'p> {
    /// A module of Go, with its path, and the file below it.
    Go {
        /// Its path.
        module: Cow<'p, str>,
        /// The file below it.
        rest: &'p str,
    },
    /// A package of cargo, by its name.
    Cargo {
        /// Its name.
        package: &'p str,
        /// The file below it.
        rest: &'p str,
    },
    /// A repository that cargo cloned: the path from its root.
    Checkout {
        /// The path.
        rest: &'p str,
    },
    /// A package of npm.
    Npm {
        /// Its name.
        package: &'p str,
        /// The file below it.
        rest: &'p str,
    },
    /// A package of Python: the path from where packages are installed.
    Python {
        /// The path.
        rest: &'p str,
    },
}

impl<'p> Origin<'p> {
    /// Of which package a file is that was installed.
    pub fn of(path: &'p str) -> Option<Self> {
        let behind = |folder: &str| path.rfind(folder).map(|at| &path[at + folder.len()..]);
        if let Some(inner) = behind(NODE_MODULES) {
            let n_parts = if inner.starts_with(SCOPE) { 2 } else { 1 };
            let (end, _) = inner.match_indices('/').nth(n_parts - 1)?;
            return Some(Self::Npm { package: &inner[..end], rest: &inner[end + 1..] });
        }
        if let Some(inner) = behind(CARGO_REGISTRY) {
            let (folder, rest) = inner.split_once('/')?.1.split_once('/')?;
            // `tokio-util-0.7.1`, `x-2-1.0.0-rc.1`: the first part that begins with a number and a dot begins the version.
            let is_version = |at: &usize| {
                let (number, _) = folder[at + 1..].split_once('.').unwrap_or_default();
                !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
            };
            let end = folder.match_indices('-').map(|(at, _)| at).find(is_version)?;
            return Some(Self::Cargo { package: &folder[..end], rest });
        }
        if let Some(inner) = behind(CARGO_CHECKOUTS) {
            let (_, inner) = inner.split_once('/')?;
            return inner.split_once('/').map(|(_, rest)| Self::Checkout { rest });
        }
        if let Some(rest) = PYTHON.iter().find_map(|folder| behind(folder)) {
            return Some(Self::Python { rest });
        }
        let (module, version) = path.split_once(GO_VERSION).filter(|_| is_go(path))?;
        let (_, rest) = version.split_once('/')?;
        let module = module.rsplit_once(GO_MODULES).map_or(module, |(_, module)| module);
        Some(Self::Go { module: with_capitals(module), rest })
    }
}

/// The path of a module of Go as it is imported: `github.com/!burnt!sushi` is `github.com/BurntSushi`.
fn with_capitals(module: &str) -> Cow<'_, str> {
    if !module.contains(GO_CAPITAL) {
        return Cow::Borrowed(module);
    }
    let mut letters = module.chars();
    let mut written = String::with_capacity(module.len());
    while let Some(letter) = letters.next() {
        match letter {
            GO_CAPITAL => written.extend(letters.next().map(|next| next.to_ascii_uppercase())),
            letter => written.push(letter),
        }
    }
    Cow::Owned(written)
}

/// Whether a place as it is written is one of code that is served, whose lines may be others than those of the source.
pub(super) fn is_served(place: &str) -> bool {
    SERVERS.iter().any(|start| place.starts_with(start)) || place.starts_with(WEBPACK) && place.contains('?')
}

/// Whether a path is one of a script as builds write them.
pub fn is_script(path: &str) -> bool {
    BUILT_FILES.iter().any(|end| path.ends_with(end))
}

/// Whether a path is one of a file that a bundler may have written.
pub fn is_bundled(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let Some(stem) = BUILT_FILES.iter().find_map(|end| name.strip_suffix(end)) else { return false };
    let hash = stem.rsplit_once(['-', '.']).map_or("", |(_, hash)| hash);
    let has_hash = hash.len() >= HASH_LETTERS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    folders.split('/').any(|folder| BUILT_FOLDERS.contains(&folder))
        || BUILT_NAMES.iter().any(|part| name.contains(part))
        || stem.starts_with(CHUNK)
        || has_hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installed_files_say_their_package() {
        let go = |module: &'static str, rest| Some(Origin::Go { module: Cow::Borrowed(module), rest });
        for (path, origin) in [
            ("/home/me/go/pkg/mod/github.com/!burnt!sushi/toml@v1.2.0/x/d.go", go("github.com/BurntSushi/toml", "x/d.go")),
            ("example.com/relay/v2@v2.1.0-rc.1/relay.go", go("example.com/relay/v2", "relay.go")),
            (
                "/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/parcel-2-codec-0.4.1-rc.1/src/a.rs",
                Some(Origin::Cargo { package: "parcel-2-codec", rest: "src/a.rs" }),
            ),
            (
                "/home/dana/.cargo/registry/src/github.com-1ecc6299db9ec823/tokio-util-0.7.1/src/a.rs",
                Some(Origin::Cargo { package: "tokio-util", rest: "src/a.rs" }),
            ),
            (
                "/home/dana/.cargo/git/checkouts/shop-0123456789abcdef/1234567/crates/a/src/b.rs",
                Some(Origin::Checkout { rest: "crates/a/src/b.rs" }),
            ),
            ("/a/node_modules/x/node_modules/@s/p/dist/i.js", Some(Origin::Npm { package: "@s/p", rest: "dist/i.js" })),
            ("node_modules/x", None),
            ("/usr/lib/python3.11/site-packages/p/q.py", Some(Origin::Python { rest: "p/q.py" })),
            ("/usr/local/go/src/runtime/panic.go", None),
            ("src/mail@v2.ts", None),
        ] {
            assert_eq!(Origin::of(path), origin, "{path}");
        }
        for (path, expected) in [
            ("assets/vendor-4f2a91c0.js", true),
            ("x/index-4f2a91.mjs", true),
            ("/app/dist/server.js", true),
            ("a.min.js", true),
            ("src/x.ts", false),
            ("server/rides.js", false),
            ("dist/x.go", false),
        ] {
            assert_eq!(is_bundled(path), expected, "{path}");
        }
    }
}
