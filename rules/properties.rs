//! What holds for every graph: order does not matter, links only add, everything ends, and a plain spread over petgraph agrees.
