//! Definitions that a text of the repository means by a name, letter by letter: such a text is not a question, so nothing is guessed.

use super::How;
use super::bounds::WHOLE;
use super::names::{Names, is_aside, last_segment};
use super::places::Places;
use super::shapes::is_code;
use activate_rules::atoms::NodeId;
use activate_rules::weights::NameWeights;
use index::base::FactBase;

/// How a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As code: `ValidateToken`, `Keys::close`, `parse()`.
    Code,
    /// As a word that only its quotes make code: `parse`. Many of these are commands, branches and values.
    Word,
}

/// The definitions with a name, those of tests and the like only where there is nothing else; none where that says too little.
pub fn spelled(base: &FactBase, written: &str, spelling: Spelling) -> Vec<NodeId> {
    let places = Places::new(base);
    let weights = NameWeights::default();
    let names = Names::new(base, &places, &weights);
    if spelling == Spelling::Word {
        let nodes = names.exactly(written).map(|found| found.nodes).unwrap_or_default();
        return nodes.into_iter().filter(|node| !is_aside(base, *node)).collect();
    }
    let found = names.find(written).filter(|found| matches!(found.how, How::Exact | How::Qualified | How::Alias));
    // What qualifies a name may be a package from outside: then only a name that few things can have says what is meant.
    let is_sure = |strength: u32| strength >= WHOLE || is_code(last_segment(written));
    found.filter(|found| is_sure(found.strength)).map(|found| found.nodes).unwrap_or_default()
}
