//! Keeps the committed JSON Schemas equal to those of the types.
//!
//! With `UPDATE_EXPECT` set the files are written instead, to be reviewed as a diff.

use super::checks::ChecksPacket;
use super::context_pack::ContextPack;
use super::manifest::PackPacket;
use super::phase::PhasePacket;
use super::receipt::Receipt;
use super::worker::WorkerPacket;
use super::worker::access::AccessRequest;
use super::worker::receipt::WorkerReceipt;
use expect_test::expect_file;
use schemars::schema_for;

#[test]
fn the_schemas_of_packets_are_committed() {
    for (name, schema) in [
        ("checks.schema.json", schema_for!(ChecksPacket)),
        ("context-pack.schema.json", schema_for!(ContextPack)),
        ("pack.schema.json", schema_for!(PackPacket)),
        ("phase.schema.json", schema_for!(PhasePacket)),
        ("receipt.schema.json", schema_for!(Receipt)),
        ("worker.schema.json", schema_for!(WorkerPacket)),
        ("worker-permit.schema.json", schema_for!(AccessRequest)),
        ("worker-receipt.schema.json", schema_for!(WorkerReceipt)),
    ] {
        let written = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        expect_file![name].assert_eq(&written);
    }
}
