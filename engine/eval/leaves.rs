//! The numbers of the weights one by one: where each stands, what it is, and what it may be.
//!
//! Knows weights as JSON and their schema alone: a weight that is added is found here by itself.

use activate_rules::weights::Weights;
use serde_json::Value;

/// The greatest value of a number whose schema gives none.
const MAX_UNBOUNDED: i64 = 1_000_000;

/// The least value that is changed by parts of itself; smaller ones are changed by one.
const SMALL: i64 = 8;

/// The parts, in hundredths, of its value that a weight is tried at, nearest first.
const PARTS: [i64; 4] = [75, 133, 50, 200];

/// The parts, in hundredths, of its greatest and of its least value that a weight of 0 is tried at.
const PARTS_OF_RANGE: [i64; 2] = [2, 20];

const HUNDRED: i64 = 100;

/// Fields by which those parts of the weights are known that a file must give as a whole: what fades, a field of text, a verb.
const WHOLE: [&str; 3] = ["start", "length", "shares"];

/// One number of the weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leaf {
    /// The names on the way to it, as `links.calls`.
    pub(super) path: String,
    /// What it may be, from and to.
    range: (i64, i64),
}

impl Leaf {
    /// The numbers of the weights whose path begins with one of `only`; all without one. In the order of their paths.
    pub(super) fn all(only: &[String]) -> Vec<Self> {
        let schema = serde_json::to_value(schemars::schema_for!(Weights)).unwrap_or_default();
        let mut leaves = Vec::new();
        collect(&json(&Weights::default()), &schema, &schema, "", &mut leaves);
        leaves.retain(|leaf| only.is_empty() || only.iter().any(|prefix| is_below(&leaf.path, prefix)));
        leaves.sort_by(|one, other| one.path.cmp(&other.path));
        leaves
    }

    /// Its value in some weights.
    pub(super) fn value(&self, weights: &Value) -> i64 {
        weights.pointer(&self.pointer()).and_then(Value::as_i64).unwrap_or_default()
    }

    /// Some weights with another value in its place; none where they do not accept it.
    pub(super) fn with(&self, weights: &Value, value: i64) -> Option<(Value, Weights)> {
        let mut changed = weights.clone();
        *changed.pointer_mut(&self.pointer())? = value.into();
        let parsed = serde_json::from_value(changed.clone()).ok()?;
        Some((changed, parsed))
    }

    /// The values that are tried from `value`, nearest first.
    pub(super) fn steps(&self, value: i64) -> Vec<i64> {
        let (min, max) = self.range;
        let steps: Vec<i64> = match value {
            0 => PARTS_OF_RANGE.iter().flat_map(|part| [max * part / HUNDRED, min * part / HUNDRED]).collect(),
            1..SMALL => vec![value - 1, value + 1],
            _ => PARTS.iter().map(|part| value * part / HUNDRED).collect(),
        };
        let mut tried = Vec::new();
        for step in steps {
            let step = step.clamp(min, max);
            if step != value && !tried.contains(&step) {
                tried.push(step);
            }
        }
        tried
    }

    fn pointer(&self) -> String {
        format!("/{}", self.path.replace('.', "/"))
    }
}

/// Weights as JSON.
pub(super) fn json(weights: &Weights) -> Value {
    serde_json::to_value(weights).unwrap_or_default()
}

/// What differs between two weights, as a file of weights names it.
pub(super) fn difference(from: &Value, to: &Value) -> Value {
    let (Value::Object(from), Value::Object(to)) = (from, to) else { return to.clone() };
    let differing = to.iter().filter(|(name, value)| from.get(*name) != Some(value)).map(|(name, value)| {
        let before = from.get(name).unwrap_or(&Value::Null);
        // What has no defaults of its own is read as a whole.
        let is_whole = WHOLE.iter().any(|name| value.get(name).is_some());
        let inner = if is_whole { value.clone() } else { difference(before, value) };
        (name.clone(), inner)
    });
    Value::Object(differing.collect())
}

/// Whether a path is `prefix` or stands below it.
fn is_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || prefix.ends_with('.'))
}

/// Collects the numbers below a value, whose schema is `schema` of the whole `root`. Weights are few levels deep, so the recursion is too.
fn collect(value: &Value, schema: &Value, root: &Value, path: &str, leaves: &mut Vec<Leaf>) {
    let schema = resolved(schema, root);
    if let Value::Object(fields) = value {
        for (name, value) in fields {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            collect(value, schema.pointer(&format!("/properties/{name}")).unwrap_or(&Value::Null), root, &path, leaves);
        }
    } else if value.is_i64() || value.is_u64() {
        let bound = |name: &str| schema.get(name).and_then(Value::as_i64);
        let range = (bound("minimum").unwrap_or(0), bound("maximum").unwrap_or(MAX_UNBOUNDED));
        leaves.push(Leaf { path: path.to_owned(), range });
    }
}

/// The schema itself, or the one of a named type that it refers to.
fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").or_else(|| schema.pointer("/allOf/0/$ref")).and_then(Value::as_str);
    reference.and_then(|reference| root.pointer(reference.trim_start_matches('#'))).unwrap_or(schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(path: &str) -> Leaf {
        Leaf::all(&[]).into_iter().find(|leaf| leaf.path == path).unwrap_or_else(|| panic!("no weight {path}"))
    }

    #[test]
    fn every_number_of_the_weights_is_a_leaf_with_its_range() {
        let leaves = Leaf::all(&[]);
        let weights = json(&Weights::default());
        let n_numbers = serde_json::to_string(&weights).expect("JSON").matches(',').count() + 1;
        assert_eq!(leaves.len(), n_numbers);
        assert_eq!(leaf("links.calls").range, (0, 1_000));
        assert_eq!(leaf("gate").range, (0, 1_000_000));
        assert_eq!(leaf("touched.start").range, (0, 1_000_000));
        let paths = |only: &str| Leaf::all(&[only.to_owned()]).iter().map(|leaf| leaf.path.clone()).collect::<Vec<_>>();
        assert_eq!(paths("gate"), ["gate"]);
        assert!(paths("links").iter().all(|path| path.starts_with("links.")) && paths("links").len() > 5);
        assert!(paths("link").is_empty());
    }

    #[test]
    fn steps_stay_in_the_range_and_never_stand_still() {
        let part = leaf("links.calls");
        assert_eq!(part.steps(700), [525, 931, 350, 1_000]);
        assert_eq!(part.steps(1_000), [750, 500]);
        assert_eq!(part.steps(0), [20, 200]);
        assert_eq!(part.steps(3), [2, 4]);
        let signed = leaf("own.bm25");
        assert_eq!((signed.steps(0), signed.steps(-400)), (vec![400, -400, 4_000, -4_000], vec![-300, -532, -200, -800]));
    }

    #[test]
    fn a_file_of_what_differs_gives_the_same_weights() {
        let before = json(&Weights::default());
        let mut after = before.clone();
        for (path, value) in [("links.calls", 525), ("gate", 15_000), ("touched.per_turn", 0), ("cues.text", 400)] {
            after = leaf(path).with(&after, value).expect("a value that is accepted").0;
        }
        let file = difference(&before, &after);
        let expected = serde_json::json!({
            "cues": { "text": 400 }, "gate": 15_000, "links": { "calls": 525 }, "touched": { "start": 50_000, "per_turn": 0 },
        });
        assert_eq!(file, expected);
        let read: Weights = serde_json::from_value(file).expect("weights");
        assert_eq!(json(&read), after);
        assert!(leaf("links.calls").with(&before, 1_001).is_none());
        assert_eq!(difference(&before, &before), serde_json::json!({}));
        // Any one of them too.
        for leaf in Leaf::all(&[]) {
            let changed = leaf.steps(leaf.value(&before))[0];
            let after = leaf.with(&before, changed).expect("a value that is accepted").0;
            let read: Weights =
                serde_json::from_value(difference(&before, &after)).unwrap_or_else(|error| panic!("{}: {error}", leaf.path));
            assert_eq!(json(&read), after, "{}", leaf.path);
        }
    }
}
