//! Random programs give what the plainest evaluation gives: every rule again and again until nothing is new.

use super::{Given, LIMITS, run};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Relations of two columns that the programs derive.
const DERIVED: [&str; 3] = ["p", "q", "r"];

type Pairs = BTreeSet<(u32, u32)>;

/// `head(A, B) :- one(A, C), other(C, B)` and its like: variables by number.
#[derive(Debug, Clone)]
struct Rule {
    head: usize,
    head_columns: [usize; 2],
    /// Relations: the given one behind the derived ones.
    body: Vec<(usize, [usize; 2])>,
    /// What is not so, of a relation before all of the head's.
    not: Option<(usize, [usize; 2])>,
}

fn relation(number: usize) -> &'static str {
    DERIVED.get(number).copied().unwrap_or("edge")
}

fn text(rule: &Rule) -> String {
    let columns = |columns: [usize; 2]| format!("(V{}, V{})", columns[0], columns[1]);
    let body = rule.body.iter().map(|(of, at)| format!("{}{}", relation(*of), columns(*at)));
    let not = rule.not.iter().map(|(of, at)| format!("not {}{}", relation(*of), columns(*at)));
    format!("{}{} :- {}.", relation(rule.head), columns(rule.head_columns), body.chain(not).collect::<Vec<_>>().join(", "))
}

/// All pairs of each relation.
fn plainly(rules: &[Rule], edges: &[(u32, u32)]) -> Vec<Pairs> {
    let mut known: Vec<Pairs> = vec![Pairs::new(); DERIVED.len() + 1];
    known[DERIVED.len()] = edges.iter().copied().collect();
    for stratum in 0..DERIVED.len() {
        loop {
            let mut new = Pairs::new();
            for rule in rules.iter().filter(|rule| rule.head == stratum) {
                let mut found = vec![[None; 4]];
                for (of, columns) in &rule.body {
                    let mut next = Vec::new();
                    for values in &found {
                        for (one, other) in &known[*of] {
                            let mut values: [Option<u32>; 4] = *values;
                            let is_so = [(columns[0], *one), (columns[1], *other)]
                                .into_iter()
                                .all(|(at, value)| *values[at].get_or_insert(value) == value);
                            next.extend(is_so.then_some(values));
                        }
                    }
                    found = next;
                }
                for values in found {
                    let pair = |columns: [usize; 2]| Some((values[columns[0]]?, values[columns[1]]?));
                    let is_not =
                        rule.not.is_some_and(|(of, columns)| pair(columns).is_some_and(|pair| known[of].contains(&pair)));
                    new.extend(pair(rule.head_columns).filter(|_| !is_not));
                }
            }
            let n_before = known[stratum].len();
            known[stratum].extend(new);
            if known[stratum].len() == n_before {
                break;
            }
        }
    }
    known
}

prop_compose! {
    /// A rule whose head is derived from relations up to itself, and from what relations before it are not.
    fn rule()(head in 0..DERIVED.len(), of in prop::collection::vec((0..6_usize, 0..4_usize, 0..4_usize), 1..4), picks in any::<[usize; 4]>(), not in 0..6_usize) -> Rule {
        let up_to = |number: usize| if number.is_multiple_of(2) { DERIVED.len() } else { number % (head + 1) };
        let body: Vec<(usize, [usize; 2])> = of.iter().map(|(of, one, other)| (up_to(*of), [*one, *other])).collect();
        let variables: Vec<usize> = body.iter().flat_map(|(_, columns)| *columns).collect();
        let pick = |at: usize| variables[picks[at] % variables.len()];
        let not = (not < 2).then(|| (if head == 0 || not == 0 { DERIVED.len() } else { head - 1 }, [pick(2), pick(3)]));
        Rule { head, head_columns: [pick(0), pick(1)], body, not }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_give_what_plain_evaluation_gives(
        rules in prop::collection::vec(rule(), 1..7),
        edges in prop::collection::vec((0..11_u32, 0..11_u32), 0..24),
        asked in 0..DERIVED.len(),
        value in 0..11_u32,
    ) {
        let rules: Vec<Rule> = DERIVED.iter().enumerate().map(|(head, _)| Rule { head, head_columns: [0, 0], body: vec![(DERIVED.len(), [0, 0])], not: None }).chain(rules).collect();
        let program: String = rules.iter().map(|rule| text(rule) + "\n").collect();
        let expected = plainly(&rules, &edges);
        let facts = Given { edges, finds: true };
        let rows = |question: String| -> Vec<String> {
            run(&format!("{program}?- {question}."), &facts, LIMITS, 0).lines().skip(1).map(|row| row.trim().to_owned()).collect()
        };
        let sorted = |pairs: &mut dyn Iterator<Item = String>| pairs.collect::<Vec<_>>();
        let of = &expected[asked];
        let name = relation(asked);
        prop_assert_eq!(rows(format!("{name}(A, B)")), sorted(&mut of.iter().map(|(one, other)| format!("{one} {other}"))), "{}", program);
        prop_assert_eq!(rows(format!("{name}(A, {value})")), sorted(&mut of.iter().filter(|pair| pair.1 == value).map(|pair| pair.0.to_string())), "{}", program);
        prop_assert_eq!(rows(format!("{name}({value}, B)")), sorted(&mut of.iter().filter(|pair| pair.0 == value).map(|pair| pair.1.to_string())), "{}", program);
        // Every row has a proof that ends in rows that are given.
        let proven = run(&format!("{program}?- {name}(A, B)."), &facts, LIMITS, usize::MAX);
        for line in proven.lines().filter(|line| line.contains('(') && !line.contains("edge(") && !line.contains("(above)") && !line.contains("not ")) {
            prop_assert!(line.contains(" by line "), "{}\n{}", program, proven);
        }
    }
}
