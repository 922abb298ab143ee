use std::collections::VecDeque;

/// Takes half of what waits in the queue of a busy worker, the oldest first.
pub fn steal_from<T>(busy: &mut VecDeque<T>) -> Vec<T> {
    let half = busy.len() / 2;
    busy.drain(..half).collect()
}
