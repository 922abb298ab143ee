//! The eighth stratum: in which order an agent sees what is hot and warm.
//!
//! A score says how far energy got; few values exist, and many nodes share one. A rank score says how much speaks for a node in all: its
//! evidence and the links that reach it, each a witness of its own. What many links say together is a product over all of them, which
//! Datalog cannot form; `support.rs` does, and its result is given here as a fact.

#![allow(unreachable_pub, missing_docs)]
#![allow(clippy::pedantic, clippy::mutable_key_type)]

use crate::atoms::{Energy, Factor, Millionths, NodeId};
use crate::context::ByAddress;
use crate::weights::Weights;

crepe::crepe! {
    // ======================================================== Given =========================================================
    // Ctx(weights): every number that the rules use.
    @input pub struct Ctx<'a>(pub ByAddress<'a, Weights>);
    // Reached(node, file, evidence, support): the node has a score; the file it stands in, or the node itself where that file has none; what
    // words say for it, and what links do; zero where nothing does.
    @input pub struct Reached(pub NodeId, pub NodeId, pub Energy, pub Millionths);
    // Tested(test, subject): what the test tests is what gave it most.
    @input pub struct Tested(pub NodeId, pub NodeId);
    // Learnt(file, share): of the files that words or links reached, the learnt order gives this one such a share.
    @input pub struct Learnt(pub NodeId, pub Millionths);
    // Prior(node, factor): a rule of the user says that what speaks for the node counts so many times.
    @input pub struct Prior(pub NodeId, pub Factor);
    // Active(node, score): the node is hot or warm.
    @input pub struct Active(pub NodeId, pub Energy);
    // Certain(node): the task points at the node, or it scores as much as if it did.
    @input pub struct Certain(pub NodeId);

    // ======================================================= 8. Rank ========================================================
    // Own(node, file, share): what evidence and links say for the node itself.
    struct Own(NodeId, NodeId, Millionths);
    // OfFile(file, share): what speaks for the file, by what was learnt where it was compared.
    struct OfFile(NodeId, Millionths);
    // InFile(node, share): what speaks for the node together with what its file lends it.
    struct InFile(NodeId, Millionths);
    // RankScore(node, share): the node ranks so high; the greatest is its rank score.
    @output pub struct RankScore(pub NodeId, pub Millionths);
    // Place(node, certain, rank score, score): what decides the place of the node, the first that differs; the greatest comes first.
    @output pub struct Place(pub NodeId, pub Energy, pub Millionths, pub Energy);

    // Words and links are witnesses apart: what one leaves in doubt, the other may settle.
    Own(node, file, words.or(links)) <- Ctx(w),
        Reached(node, file, evidence, support),
        let words = Millionths::share(evidence, w.exact),
        let links = support.times(w.support.ratio());
    // A file that was compared with others has the share that its place among them earns.
    OfFile(file, share) <- Learnt(file, share), !Prior(file, _);
    // A prior multiplies that; of what is not compared it multiplies the evidence.
    OfFile(file, share.by(factor)) <- Learnt(file, share), Prior(file, factor);
    // Another file ranks by itself, and so does what stands in no file that was reached.
    OfFile(node, own) <-
        Own(node, file, own),
        (node == file),
        !Learnt(node, _);
    // A file has that.
    InFile(file, share) <- OfFile(file, share);
    // A definition ranks as high as its file lets it: the file lends it a part, its own witnesses the rest.
    InFile(node, lent.times(own.or(w.in_file.ratio()))) <- Ctx(w),
        Own(node, file, own),
        (node != file),
        OfFile(file, lent);
    // That is its rank score.
    RankScore(node, share) <- InFile(node, share);
    // A test ranks not far below what it tests.
    RankScore(test, share.times(w.test.ratio())) <- Ctx(w),
        InFile(subject, share),
        Tested(test, subject);
    // What is certain comes before all others, by its score; but a file that was compared has the place that was learnt.
    Place(node, score, share, score) <-
        RankScore(node, share),
        Active(node, score),
        Certain(node),
        !Learnt(node, _);
    // The others follow by rank score; where that is equal, the score decides.
    Place(node, Energy::ZERO, share, score) <-
        RankScore(node, share),
        Active(node, score),
        !Certain(node);
    Place(node, Energy::ZERO, share, score) <-
        RankScore(node, share),
        Active(node, score),
        Learnt(node, _);
}
