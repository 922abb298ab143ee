//! Prints the links of a fleet, one a line, as `oracle fleet` of `tests/oracle` reads them: repository, path, line and kind, then repository, path, line
//! and name, then how many places are meant, with tabs between.
//!
//! ```sh
//! cargo run --release -p activate-fleet --example links -- fleet.toml STORE >links.tsv
//! ```

#![expect(clippy::disallowed_methods, reason = "a developer's command, which prints what it reads")]

use activate_fleet::manifest::Manifest;
use activate_fleet::store::Store;
use activate_fleet::{Fleet, Shard};
use error::{Error, ErrorKind, Result};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [manifest, store] = &given[..] else {
        let _ = writeln!(io::stderr(), "usage: links MANIFEST STORE");
        return ExitCode::from(2);
    };
    match print(Path::new(manifest), Path::new(store)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "links: {}", error.message);
            ExitCode::FAILURE
        }
    }
}

fn print(manifest: &Path, store: &Path) -> Result<()> {
    let fleet = Fleet::open(Manifest::read(manifest)?, &Store::at(store), &|_| true)?;
    let failed = |error: io::Error| Error::new(ErrorKind::Storage, error.to_string());
    let mut out = BufWriter::new(io::stdout().lock());
    for shard in fleet.shards.all() {
        for link in fleet.shards.links.to_repository(shard.key) {
            let Some(from) = fleet.shards.of(link.of.from.0) else { continue };
            let (start, line, kind) = (path(from, link.of.from.1), link.of.line, link.of.kind.word());
            let (to, n_meant) = (link.to.1, link.n_meant);
            let (end, end_line) = (path(shard, to), shard.line(to));
            let name = shard.id(to).rsplit(['#', '.']).next().unwrap_or_default();
            let (from, shard) = (&from.name, &shard.name);
            writeln!(out, "{from}\t{start}\t{line}\t{kind}\t{shard}\t{end}\t{end_line}\t{name}\t{n_meant}").map_err(failed)?;
        }
    }
    out.flush().map_err(failed)
}

/// The path of the file that a node is of.
fn path(shard: &Shard, node: u32) -> &str {
    let id = shard.id(node);
    id.split_once('#').map_or(id, |(path, _)| path)
}
