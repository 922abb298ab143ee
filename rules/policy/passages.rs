//! The ninth stratum: which lines of a file matter. It is given passages of the files that the strata before it have ordered.

#![allow(unreachable_pub, missing_docs)]
#![allow(clippy::pedantic, clippy::mutable_key_type)]

use crate::atoms::{Energy, PassageCue, PassageId, Thousandths};
use crate::context::ByAddress;
use crate::weights::PassageWeights;

crepe::crepe! {
    // ===================================================== 9. Passages ======================================================
    // Ctx(weights): every number that the rules use.
    @input pub struct Ctx<'a>(pub ByAddress<'a, PassageWeights>);
    // Speaks(passage, before, cue, strength): the cue speaks for the passage, so strongly; no other is added since `before`.
    @input pub struct Speaks(pub PassageId, pub Option<PassageCue>, pub PassageCue, pub Thousandths);
    // Learnt(passage, points): what was learnt of such passages adds, or takes.
    @input pub struct Learnt(pub PassageId, pub Energy);
    // Sum(passage, last, points): what the cues up to the last one say together.
    struct Sum(PassageId, Option<PassageCue>, Energy);
    // Worth(passage, points): all that speaks for the passage.
    @output pub struct Worth(pub PassageId, pub Energy);

    // Before the first cue nothing is said.
    Sum(passage, before, Energy::ZERO) <-
        Speaks(passage, before, _, _),
        (before.is_none());
    // Each cue adds its points, so that many weak ones can outweigh a strong one.
    Sum(passage, Some(cue), points + w.of(cue).times(strength.ratio())) <- Ctx(w),
        Sum(passage, before, points),
        Speaks(passage, before, cue, strength);
    // When no cue is left, that and what was learnt is what the passage is worth.
    Worth(passage, (points + learnt).max(Energy::ZERO)) <-
        Sum(passage, last, points),
        !Speaks(passage, last, _, _),
        Learnt(passage, learnt);
}
