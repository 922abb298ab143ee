//! A campaign: the larger goal that turns serve, in phases and tasks.
//!
//! Must not decide what is done next: it says what waits for what.

use error::{Error, ErrorKind, Result};
use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most tasks of a circle that an error names.
const MAX_NAMED: usize = 8;

/// The larger goal that turns serve.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Campaign {
    /// Whether turns belong to it; else it is over, and nothing of it is shown.
    pub active: bool,
    /// Its goal, one sentence, e.g. `Move the service to signed tokens`.
    pub goal: String,
    /// Its phases, in order.
    #[schemars(length(max = 5_000))]
    pub phases: Vec<Phase>,
    /// The name of the current phase.
    pub current_phase: Option<String>,
    /// Its tasks, in the order in which they were named.
    #[schemars(length(max = 5_000))]
    pub tasks: Vec<Task>,
    /// Requirements that it fulfils: ids, e.g. `REQ-AUTH-001`.
    #[schemars(length(max = 5_000))]
    pub requirements: Vec<String>,
}

/// A phase of a campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Its name, e.g. `Phase 2: Implementation`.
    pub name: String,
    /// Its goal, one sentence, e.g. `Implement user authentication with JWT`.
    #[serde(default)]
    pub goal: String,
}

/// A task of a campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its id, a word, e.g. `T001`.
    pub id: String,
    /// What is to be done, e.g. `schema_migration`.
    pub name: String,
    /// How far it is.
    #[serde(default)]
    pub status: Status,
    /// Ids of the tasks that must be done before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5_000))]
    pub after: Vec<String>,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Not begun.
    #[default]
    Open,
    /// The current task.
    Doing,
    /// Finished.
    Done,
}

impl Status {
    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Doing => "doing",
            Self::Done => "done",
        }
    }
}

impl Campaign {
    /// The goal of the current phase, or of the campaign where that has none.
    pub fn current_goal(&self) -> &str {
        let current = self.phases.iter().find(|phase| Some(&phase.name) == self.current_phase.as_ref());
        current.map(|phase| phase.goal.as_str()).filter(|goal| !goal.is_empty()).unwrap_or(&self.goal)
    }

    /// Is active from now on. One that is over stays over: what begins is a new one, without its goal, phases, tasks and requirements.
    pub fn go_on(&mut self) {
        if !self.active {
            *self = Self { active: true, ..Self::default() };
        }
    }

    /// The task with an id.
    pub fn task(&mut self, id: &str) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.id == id)
    }

    /// The unfinished tasks that the current ones wait for, directly or through others: each after those that it waits for itself. A current
    /// task counts only where another waits for it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for tasks that wait for each other, and for an id that no task has.
    pub fn waiting_for(&self) -> Result<Vec<&Task>> {
        let order = self.order()?;
        let by_id: FxHashMap<&str, &Task> = self.tasks.iter().map(|task| (task.id.as_str(), task)).collect();
        let mut waits: Vec<&Task> = self.tasks.iter().filter(|task| task.status == Status::Doing).collect();
        let mut needed: FxHashSet<&str> = FxHashSet::default();
        while let Some(task) = waits.pop() {
            let before = task.after.iter().filter_map(|id| by_id.get(id.as_str()).copied());
            waits.extend(before.filter(|before| before.status != Status::Done && needed.insert(&before.id)));
        }
        Ok(order.into_iter().filter(|task| needed.contains(task.id.as_str())).collect())
    }

    /// All tasks, each after those that it waits for.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for tasks that wait for each other, for an id that no task has, and for one that two tasks have.
    pub fn order(&self) -> Result<Vec<&Task>> {
        let refused = |why: String| Error::new(ErrorKind::BadInput, format!("the campaign cannot be used: {why}"));
        let mut graph: DiGraph<&Task, ()> = DiGraph::with_capacity(self.tasks.len(), 0);
        let mut nodes: FxHashMap<&str, NodeIndex> = FxHashMap::default();
        for task in &self.tasks {
            if nodes.insert(&task.id, graph.add_node(task)).is_some() {
                return Err(refused(format!("two tasks have the id `{}`", task.id)));
            }
        }
        for task in &self.tasks {
            for id in &task.after {
                let (Some(before), Some(after)) = (nodes.get(id.as_str()), nodes.get(task.id.as_str())) else {
                    return Err(refused(format!("`{}` waits for `{id}`, which no task has as its id", task.id)));
                };
                graph.update_edge(*before, *after, ());
            }
        }
        match toposort(&graph, None) {
            Ok(order) => Ok(order.into_iter().filter_map(|node| graph.node_weight(node).copied()).collect()),
            Err(_) => Err(refused(format!("{} for each other; name one of them again without the others", circle(&graph)))),
        }
    }
}

/// The first tasks that wait for each other, as the beginning of a sentence.
fn circle(graph: &DiGraph<&Task, ()>) -> String {
    let is_circle =
        |nodes: &Vec<NodeIndex>| nodes.len() > 1 || nodes.first().is_some_and(|node| graph.contains_edge(*node, *node));
    let mut circles: Vec<Vec<NodeIndex>> = kosaraju_scc(graph).into_iter().filter(is_circle).collect();
    for nodes in &mut circles {
        nodes.sort_unstable();
    }
    let nodes = circles.into_iter().min().unwrap_or_default();
    let ids = nodes.iter().filter_map(|node| graph.node_weight(*node)).map(|task| format!("`{}`", task.id));
    let named = ids.take(MAX_NAMED).collect::<Vec<_>>().join(", ");
    let more = nodes.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("the tasks {named}{more} wait")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tasks as `id status after,after`.
    fn campaign(tasks: &[&str]) -> Campaign {
        let task = |text: &&str| {
            let words: Vec<&str> = text.split(' ').collect();
            let status = match words[1] {
                "open" => Status::Open,
                "doing" => Status::Doing,
                _ => Status::Done,
            };
            let after = words.get(2).map(|after| after.split(',').map(str::to_owned).collect());
            Task { id: words[0].to_owned(), name: String::new(), status, after: after.unwrap_or_default() }
        };
        Campaign { tasks: tasks.iter().map(task).collect(), ..Campaign::default() }
    }

    fn waiting(tasks: &[&str]) -> Vec<String> {
        campaign(tasks).waiting_for().unwrap().into_iter().map(|task| task.id.clone()).collect()
    }

    #[test]
    fn the_current_task_waits_for_what_is_unfinished_before_it_in_order() {
        assert_eq!(waiting(&["C doing B", "B open A", "A open", "X open", "Y open C"]), ["A", "B"]);
        assert_eq!(waiting(&["C doing B,D", "B done A", "A open", "D open"]), ["D"], "what is done waits for nothing");
        assert_eq!(waiting(&["C doing B", "B doing A", "A done"]), ["B"]);
        assert_eq!(waiting(&["C open B", "B open"]), [""; 0], "nobody waits");
    }

    #[test]
    fn tasks_that_wait_for_each_other_or_for_nobody_are_refused_by_name() {
        let error = |tasks: &[&str]| campaign(tasks).order().unwrap_err().to_string();
        assert!(
            error(&["A open", "B open A,D", "C open B", "D doing C"]).contains("the tasks `B`, `C`, `D` wait for each other")
        );
        assert!(error(&["A open A"]).contains("the tasks `A` wait"));
        assert!(error(&["A open Z"]).contains("`A` waits for `Z`, which no task has"));
        assert!(error(&["A open", "A done"]).contains("two tasks have the id `A`"));
    }

    #[test]
    fn a_phase_without_a_goal_has_that_of_the_campaign() {
        let phase = |name: &str, goal: &str| Phase { name: name.into(), goal: goal.into() };
        let mut campaign =
            Campaign { goal: "all".into(), phases: vec![phase("1", ""), phase("2", "two")], ..Campaign::default() };
        assert_eq!(campaign.current_goal(), "all");
        campaign.current_phase = Some("2".into());
        assert_eq!(campaign.current_goal(), "two");
        campaign.current_phase = Some("1".into());
        assert_eq!(campaign.current_goal(), "all");
    }

    #[test]
    fn what_goes_on_after_the_end_is_a_new_campaign() {
        let mut campaign = Campaign { active: true, goal: "old".into(), ..campaign(&["A doing"]) };
        campaign.go_on();
        assert_eq!((campaign.goal.as_str(), campaign.tasks.len()), ("old", 1));
        campaign.active = false;
        campaign.go_on();
        assert_eq!(campaign, Campaign { active: true, ..Campaign::default() });
    }

    #[test]
    fn a_chain_as_long_as_a_list_may_be_is_ordered() {
        let mut tasks = vec!["T0 open".to_owned()];
        tasks.extend((1..5_000).map(|n| format!("T{n} {} T{}", if n == 4_999 { "doing" } else { "open" }, n - 1)));
        let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
        assert_eq!(waiting(&tasks).len(), 4_999);
        let mut closed = campaign(&tasks);
        closed.tasks[0].after.push("T4999".to_owned());
        assert!(closed.order().unwrap_err().message.contains("`T7` and 4992 more wait for each other"));
    }
}
