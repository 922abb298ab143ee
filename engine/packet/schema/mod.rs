//! Keeps the committed JSON Schemas equal to those of the types.
//!
//! With `UPDATE_SCHEMAS` set the files are written instead, to be reviewed as a diff.

#![expect(clippy::disallowed_methods, reason = "what is expected lies on disk")]

use super::checks::ChecksPacket;
use super::context_pack::ContextPack;
use super::manifest::PackPacket;
use super::phase::PhasePacket;
use super::receipt::Receipt;
use super::worker::WorkerPacket;
use super::worker::permit::Permit;
use super::worker::receipt::WorkerReceipt;
use schemars::schema_for;
use std::path::Path;

/// Fails unless the file `name` beside this module is the generated `schema`.
pub(crate) fn check(name: &str, schema: &schemars::Schema) {
    let generated = serde_json::to_string_pretty(schema).expect("a schema is JSON") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/packet/schema").join(name);
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &generated).expect("the folder is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == generated, "{name} is not the generated schema: run the tests with UPDATE_SCHEMAS=1");
}

#[test]
fn the_schemas_of_packets_are_committed() {
    for (name, schema) in [
        ("checks.schema.json", schema_for!(ChecksPacket)),
        ("context-pack.schema.json", schema_for!(ContextPack)),
        ("pack.schema.json", schema_for!(PackPacket)),
        ("phase.schema.json", schema_for!(PhasePacket)),
        ("receipt.schema.json", schema_for!(Receipt)),
        ("worker.schema.json", schema_for!(WorkerPacket)),
        ("worker-permit.schema.json", schema_for!(Permit)),
        ("worker-receipt.schema.json", schema_for!(WorkerReceipt)),
    ] {
        check(name, &schema);
    }
}
