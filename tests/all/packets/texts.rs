//! Golden texts of packs and their receipts, on three repositories of the corpus.
//!
//! Text in, text out: `UPDATE_EXPECT=1` writes the texts again, to be read over as a diff. A receipt stands there with a candidate a line.

use super::{ENGINES, INTENTS};
use engine::Request;
use expect_test::expect_file;
use packets::answer::{Kind, PacketSpec, answer};
use packets::manifest::PackBudgets;
use std::fmt::Write as _;

/// What each kind may hold: little, so that its text can be read.
fn wanted(kind: Kind) -> PacketSpec {
    let (max_files, max_lines) = if kind == Kind::Hydrated { (4, 120) } else { (10, 1_800) };
    let budgets = PackBudgets { max_files, max_lines, depth: 1, topk: 8, ..PackBudgets::default() };
    PacketSpec { budgets, receipt: true, ..PacketSpec::new(kind) }
}

#[test]
fn packs_and_receipts_are_as_their_texts_have_them() {
    for ((name, intent), (_, engine)) in INTENTS.iter().zip(ENGINES.iter()).take(3) {
        for kind in [Kind::ContextPack, Kind::Manifest, Kind::Hydrated] {
            let wanted = wanted(kind);
            let (depth, topk) = (Some(wanted.budgets.depth), Some(wanted.budgets.topk));
            let activation = engine.activate(&Request { depth, topk, ..Request::new(*intent) }).expect("an answer");
            let packet = answer(&activation, &wanted).expect("a packet");
            expect_file![format!("{name}.{}.json", kind.name())].assert_eq(&packet.json);
            let mut receipt = packet.receipt.expect("a receipt");
            let candidates = std::mem::take(&mut receipt.candidates);
            let mut text = receipt.json();
            for candidate in &candidates {
                // Writing to memory cannot fail.
                let _ = writeln!(text, "{}", serde_json::to_string(candidate).expect("JSON"));
            }
            expect_file![format!("{name}.{}.receipt.txt", kind.name())].assert_eq(&text);
        }
    }
}
