//! What git and the session say of a task, as facts for the policy.

use activate_rules::atoms::{self, NodeId, Turns};
use context::activation::TaskFacts;
use context::state::SessionState;
use index::base::FactBase;
use index::snapshot::Snapshot;
use intent::failures::Failures;
use repo::ChangeKind;

/// What git and the session say, as facts for the policy.
pub(super) fn task_facts(base: &FactBase, snapshot: &Snapshot, state: &SessionState, failures: &Failures) -> TaskFacts {
    let mut task = state.task_facts(base, failures);
    for change in &snapshot.changes {
        let kind = match &change.kind {
            ChangeKind::Added | ChangeKind::Untracked => atoms::Change::Added,
            ChangeKind::Modified => atoms::Change::Modified,
            ChangeKind::Deleted => atoms::Change::Deleted,
            ChangeKind::Renamed { .. } => atoms::Change::Renamed,
        };
        // What the session itself changed is as old as its turn; of other changes no age is known.
        let age = |file: NodeId| task.touched.iter().find(|(touched, _)| *touched == file).map_or(Turns(0), |(_, turns)| *turns);
        let changed = base.file_at(change.path.as_str()).map(|file| (file, kind, age(file)));
        task.changes.extend(changed);
    }
    task
}
