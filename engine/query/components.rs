//! Strongly connected components of a graph.

/// The nodes that are reached from `starts` in groups that reach one another, each group behind all that it reaches, its members in order: Tarjan's
/// algorithm without recursion. `edge` gives the node behind each edge of a node, by the number of the edge.
pub(super) fn components(
    n_nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    edge: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let (mut number, mut low, mut is_open) = (vec![NEW; n_nodes], vec![0; n_nodes], vec![false; n_nodes]);
    let (mut open, mut groups, mut next) = (Vec::new(), Vec::new(), 0);
    for start in starts {
        if number[start] != NEW {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((at, n_edges)) = path.pop() {
            if n_edges == 0 {
                (number[at], low[at], is_open[at]) = (next, next, true);
                next += 1;
                open.push(at);
            }
            if let Some(to) = edge(at, n_edges) {
                path.push((at, n_edges + 1));
                if number[to] == NEW {
                    path.push((to, 0));
                } else if is_open[to] {
                    low[at] = low[at].min(number[to]);
                }
                continue;
            }
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
            if low[at] == number[at] {
                let mut group = Vec::new();
                while let Some(member) = open.pop() {
                    is_open[member] = false;
                    group.push(member);
                    if member == at {
                        break;
                    }
                }
                group.sort_unstable();
                groups.push(group);
            }
        }
    }
    groups
}
