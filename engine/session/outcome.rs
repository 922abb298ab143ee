//! What became of a packet: which of the files that it showed were edited, counted by the way they came into it.
//!
//! Must not know the weights of links: it says how much more or less a kind has proved worth than links on the whole.

use super::Session;
use error::{Error, ErrorKind, Result};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The fewest injected files of a kind from which anything is learnt: with fewer, one file more or less is a twentieth and luck.
pub const MIN_SAMPLES: u32 = 20;

/// The least and the greatest factor in thousandths: what one session shows is a hint and not a proof.
const LEAST: u64 = 500;
const GREATEST: u64 = 1_500;
/// A factor that changes nothing, in thousandths.
const ONE: u64 = 1_000;

/// What became of a packet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Hash of the packet's content.
    pub pack_id: String,
    /// Files that were edited: paths from the root of the repository, in order.
    #[schemars(length(max = 5_000))]
    pub edited: Vec<String>,
    /// How many files it showed and how many of them were edited, by the way they came into it, by name.
    #[schemars(length(max = 5_000))]
    pub links: Vec<LinkOutcome>,
}

/// How many files came in one way, and how many of them were edited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkOutcome {
    /// The way: the kind of a link, such as `called_by`, or `named`, `words`, `failure`, `tests`.
    pub link: String,
    /// Files that came in this way.
    pub injected: u32,
    /// Those of them that were edited.
    pub edited: u32,
}

/// What the outcomes say about a kind of link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learnt {
    /// Its counts.
    pub outcome: LinkOutcome,
    /// What its weight is to be multiplied by, in thousandths; none where there are too few files to tell.
    pub factor: Option<u32>,
}

impl Session {
    /// Counts which files of the last packet were edited. What was said about that packet before is replaced.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where no packet was sent.
    pub fn record_outcome(&mut self, edited: &[String]) -> Result<&Outcome> {
        let last = self.turns.iter_mut().rev().find_map(|turn| turn.sent.last().map(|sent| (sent, &mut turn.outcome)));
        let Some((sent, outcome)) = last else {
            let message = "no packet of this session is known; ask for one with `activate --session FILE` first";
            return Err(Error::new(ErrorKind::BadInput, message));
        };
        let mut paths = edited.to_vec();
        paths.sort();
        paths.dedup();
        let is_edited: FxHashSet<&str> = paths.iter().map(String::as_str).collect();
        let mut seen = FxHashSet::default();
        let mut links = Vec::new();
        for entry in &sent.entries {
            if let (Some(path), Some(link)) = (&entry.path, &entry.link)
                && seen.insert(path.as_str())
            {
                add(&mut links, link, 1, u32::from(is_edited.contains(path.as_str())));
            }
        }
        for old in outcome.iter().filter(|old| old.pack_id == sent.pack_id).flat_map(|old| &old.links) {
            if let Some(sum) = self.links.iter_mut().find(|sum| sum.link == old.link) {
                sum.injected = sum.injected.saturating_sub(old.injected);
                sum.edited = sum.edited.saturating_sub(old.edited);
            }
        }
        for new in &links {
            add(&mut self.links, &new.link, new.injected, new.edited);
        }
        self.links.retain(|sum| sum.injected > 0);
        Ok(outcome.insert(Outcome { pack_id: sent.pack_id.clone(), edited: paths, links }))
    }

    /// What all outcomes say about `kinds` of links: the share of a kind's files that were edited beside that share for all these kinds.
    ///
    /// Files that a task names or that its words find are edited more often than any that links add, so they are no measure for links.
    pub fn learnt(&self, kinds: &[&str]) -> Vec<Learnt> {
        let counts: FxHashMap<&str, &LinkOutcome> = self.links.iter().map(|sum| (sum.link.as_str(), sum)).collect();
        let of = |kind: &&str| {
            let none = || LinkOutcome { link: (*kind).to_owned(), ..LinkOutcome::default() };
            counts.get(kind).map_or_else(none, |sum| (*sum).clone())
        };
        let counts: Vec<LinkOutcome> = kinds.iter().map(of).collect();
        let total = |field: fn(&LinkOutcome) -> u32| counts.iter().map(|sum| u64::from(field(sum))).sum::<u64>();
        let (all_injected, all_edited) = (total(|sum| sum.injected), total(|sum| sum.edited));
        let factor = |sum: &LinkOutcome| {
            if sum.injected < MIN_SAMPLES || all_edited == 0 {
                return None;
            }
            // The ratio of two shares, rounded; u128 since counts come from a file.
            let above = u128::from(sum.edited) * u128::from(all_injected) * u128::from(ONE);
            let below = u128::from(sum.injected) * u128::from(all_edited);
            let factor = (above + below / 2) / below;
            Some(factor.clamp(u128::from(LEAST), u128::from(GREATEST)) as u32)
        };
        counts.iter().map(|sum| Learnt { outcome: sum.clone(), factor: factor(sum) }).collect()
    }
}

/// Adds to the counts of a way; new ones stand in the order of names.
fn add(sums: &mut Vec<LinkOutcome>, link: &str, injected: u32, edited: u32) {
    let place = sums.binary_search_by(|sum| sum.link.as_str().cmp(link)).unwrap_or_else(|place| {
        sums.insert(place, LinkOutcome { link: link.to_owned(), ..LinkOutcome::default() });
        place
    });
    if let Some(sum) = sums.get_mut(place) {
        sum.injected = sum.injected.saturating_add(injected);
        sum.edited = sum.edited.saturating_add(edited);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sent::{Sent, SentEntry};
    use super::*;

    /// A packet whose entries are `path link`.
    fn sent(pack_id: &str, entries: &[&str]) -> Sent {
        let entry = |text: &&str| {
            let mut words = text.split(' ').map(str::to_owned);
            SentEntry { path: words.next(), link: words.next(), ..SentEntry::default() }
        };
        Sent { pack_id: pack_id.to_owned(), entries: entries.iter().map(entry).collect() }
    }

    fn sums(session: &Session) -> Vec<String> {
        session.links.iter().map(|sum| format!("{} {}/{}", sum.link, sum.edited, sum.injected)).collect()
    }

    #[test]
    fn files_of_the_last_packet_are_counted_once_by_the_way_they_came() {
        let mut session = Session::default();
        assert!(session.record_outcome(&[]).unwrap_err().message.contains("no packet"));
        session.begin("x").unwrap();
        session.record_sent(sent("old", &["z.go words"]));
        session.record_sent(sent("1", &["a.go named", "a.go named", "b.go called_by", "c.go called_by", "note"]));
        let edited = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        let outcome = session.record_outcome(&edited(&["b.go", "a.go", "elsewhere.go", "a.go"])).unwrap();
        assert_eq!((outcome.pack_id.as_str(), outcome.edited.len()), ("1", 3));
        assert_eq!(sums(&session), ["called_by 1/2", "named 1/1"]);
        session.record_outcome(&edited(&["c.go", "b.go"])).unwrap();
        assert_eq!(sums(&session), ["called_by 2/2", "named 0/1"], "said again about the same packet");
        for turn in 0..20 {
            session.begin(format!("{turn}")).unwrap();
        }
        session.record_outcome(&[]).unwrap();
        assert_eq!(sums(&session), ["called_by 0/2", "named 0/1"], "and so long after");
        session.record_sent(sent("2", &["b.go called_by"]));
        session.record_outcome(&edited(&["b.go"])).unwrap();
        assert_eq!(sums(&session), ["called_by 1/3", "named 0/1"]);
    }

    #[test]
    fn a_kind_is_measured_by_all_links_and_only_with_enough_files() {
        let count = |link: &str, injected, edited| LinkOutcome { link: link.to_owned(), injected, edited };
        let links = vec![count("called_by", 40, 20), count("calls", 40, 2), count("imports", 19, 19), count("named", 900, 900)];
        let session = Session { links, ..Session::default() };
        let learnt = session.learnt(&["imports", "calls", "called_by", "contains"]);
        let factors: Vec<Option<u32>> = learnt.iter().map(|learnt| learnt.factor).collect();
        // 41 of 99 in all; 20 of 40 is 1.207 times that share.
        assert_eq!(factors, [None, Some(500), Some(1_207), None]);
        assert_eq!(learnt[3].outcome, count("contains", 0, 0));
        let nothing = Session { links: vec![count("calls", 100, 0)], ..Session::default() };
        assert_eq!(nothing.learnt(&["calls"])[0].factor, None, "where nothing was edited, nothing is known");
    }
}
