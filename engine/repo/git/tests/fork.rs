//! Where branches parted, as `git merge-base` says it.

use super::*;

/// Commits given as `name@time<parent,parent`, each with a file of its own, and where two of them parted: its name, or why there is none.
fn parted(commits: &str, one: &str, other: &str, shallow: Option<&str>) -> String {
    let made = Made::new();
    let mut ids: BTreeMap<&str, ObjectId> = BTreeMap::new();
    for commit in commits.split_whitespace() {
        let (name, rest) = commit.split_once('@').expect("a time");
        let (time, parents) = rest.split_once('<').unwrap_or((rest, ""));
        let parents: Vec<ObjectId> = parents.split(',').filter(|name| !name.is_empty()).map(|name| ids[name]).collect();
        let time = format!("{time} +0000");
        let who = gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.com".into(), time: &time };
        let tree = made.tree(&format!("{name}=1"));
        let id = made.git.commit_as(who, who, format!("refs/heads/{name}"), name, tree, parents).expect("a commit");
        ids.insert(name, id.detach());
    }
    if let Some(name) = shallow {
        made.scratch.write(".git/shallow", &format!("{}\n", ids[name]));
        let lost = made.git.find_commit(ids[name]).expect("a commit").parent_ids().map(gix::Id::detach).collect::<Vec<_>>();
        for id in lost.iter().map(ToString::to_string) {
            made.scratch.remove(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
        }
    }
    let names: BTreeMap<String, &str> = ids.iter().map(|(name, id)| (id.to_string(), *name)).collect();
    let found = made.open().1.fork(&ids[one].to_string(), &ids[other].to_string());
    found.map_or_else(|problem| problem.message, |id| names[&id].to_owned())
}

#[test]
fn two_branches_parted_at_the_last_commit_in_common_whatever_clocks_say() {
    assert_eq!(parted("a@1 b@2<a c@3<b d@4<b", "c", "d", None), "b");
    assert_eq!(parted("a@1 b@2<a c@3<b", "a", "c", None), "a");
    assert_eq!(parted("a@1 b@2<a", "b", "b", None), "b");
    // An ancestor of the last commit in common is newer by its clock, and another way leads to it.
    let skewed = "z@1 a@60<z b@10<a o@61<a m@70<b,o f@71<b";
    assert_eq!((parted(skewed, "m", "f", None), parted(skewed, "f", "m", None)), ("b".to_owned(), "b".to_owned()));
    // Far from the top, where all that is left to look at is stale.
    let deep = "z@1 a@90<z y@2<a x@3<y w@4<x b@5<w o@91<a m@92<b,o f@93<b";
    assert_eq!(parted(deep, "m", "f", None), "b");
    // Each was merged with the other: the newer of both.
    assert_eq!(parted("a@1 b@2<a c@3<a d@4<b,c e@5<c,b", "d", "e", None), "c");
    assert!(parted("a@1 b@2", "a", "b", None).ends_with("have no commit in common"));
}

#[test]
fn the_end_of_a_shallow_clone_is_its_first_commit() {
    assert_eq!(parted("a@1 b@2<a c@3<b d@4<b", "c", "d", Some("b")), "b");
    let cut = parted("a@1 b@2<a c@3<a", "b", "c", Some("b"));
    assert!(cut.contains("no commit in common: the clone is shallow"), "{cut}");
}
