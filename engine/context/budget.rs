//! How many tokens a session context may have, and how they are dealt out to its sections.
//!
//! Must not know what a section says: only how much it needs.

use activate_rules::sections::Section;
use activate_rules::weights::Shares;
use tokens::{Tokenizer, Tokens};

/// What a model reads and writes at once.
pub const TOTAL: Tokens = Tokens(128_000);

/// Reserved for what stands around a packet: 20,000 for a system prompt and 10,000 for tools.
pub const TEMPLATE: Tokens = Tokens(30_000);

/// Reserved for the answer.
pub const ANSWER: Tokens = Tokens(8_000);

/// Reserved for what was counted wrong: another tokenizer, the marks around messages.
pub const MARGIN: Tokens = Tokens(10_000);

/// The most tokens of a session context: what all that leaves.
pub const CEILING: Tokens = Tokens(TOTAL.0 - TEMPLATE.0 - ANSWER.0 - MARGIN.0);

/// The tokens of a session context where nobody says: on changes of the past, what comes after them is seldom what is needed.
pub const DEFAULT: Tokens = Tokens(8_000);

/// Every how many lines of code have their numbers where nobody says: a number on every line costs a ninth of the tokens of code, on every
/// fifth a thirtieth.
pub const LINE_NUMBERS: u32 = 5;

/// A ceiling for the tokens of a session context; never a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The most tokens of the whole text.
    pub total: Tokens,
    /// Who counts.
    pub tokenizer: Tokenizer,
    /// Every how many lines of code have their numbers; none do at 0.
    pub line_numbers: u32,
}

impl Budget {
    /// So many tokens in all, everything else as it is by default.
    pub fn of(total: u32) -> Self {
        Self { total: Tokens(total), ..Self::default() }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { total: DEFAULT, tokenizer: Tokenizer::default(), line_numbers: LINE_NUMBERS }
    }
}

/// What a section may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grant {
    /// Its share of the whole, or more where other sections left some.
    pub budget: Tokens,
    /// What it gets: at most what it needs.
    pub granted: Tokens,
}

/// What a section could use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Need {
    /// What it must have, whatever its share is.
    pub least: Tokens,
    /// What it needs to say all.
    pub all: Tokens,
    /// Whether nobody gave it: then it has a part of its share, and what it does not get goes to the code.
    pub is_found: bool,
}

/// What has a whole share divided by this is what was found beside the task.
const FOUND_PART: u32 = 4;

/// Deals out `pool` tokens by need, in the order of sections: first what each must have, then to each the smaller of its need and its share;
/// what is left goes on in the reserve order of the sections, to each up to its need. Never more than the pool in all.
pub fn deal(pool: Tokens, shares: &Shares, needs: [Need; Section::COUNT]) -> [Grant; Section::COUNT] {
    let mut grants = [Grant::default(); Section::COUNT];
    let mut left = pool.0;
    for (grant, need) in grants.iter_mut().zip(needs) {
        grant.granted = Tokens(need.least.0.min(need.all.0).min(left));
        left -= grant.granted.0;
    }
    for ((grant, need), section) in grants.iter_mut().zip(needs).zip(Section::ALL) {
        let share = (u64::from(pool.0) * u64::from(shares.of(*section).get()) / 1000) as u32;
        let share = if need.is_found { share / FOUND_PART } else { share };
        let more = need.all.0.min(share).saturating_sub(grant.granted.0).min(left);
        grant.granted.0 += more;
        grant.budget = Tokens(share).max(grant.granted);
        left -= more;
    }
    for section in Section::in_reserve_order() {
        let (grant, need) = (&mut grants[section as usize], needs[section as usize].all);
        let more = need.0.saturating_sub(grant.granted.0).min(left);
        grant.granted.0 += more;
        grant.budget = grant.budget.max(grant.granted);
        left -= more;
    }
    grants
}

#[cfg(test)]
mod tests {
    use super::*;
    use activate_rules::weights::Mixture;

    /// What the first sections are granted that need so much; the others need nothing and get nothing.
    fn granted<const N: usize>(pool: u32, needs: [u32; N]) -> [u32; N] {
        let mut all = [0; Section::COUNT];
        all[..N].copy_from_slice(&needs);
        let needs = all.map(|all| Need { least: Tokens(0), all: Tokens(all), is_found: false });
        let grants = deal(Tokens(pool), &Mixture::PLAIN.shares, needs).map(|grant| grant.granted.0);
        assert!(grants[N..].iter().all(|granted| *granted == 0));
        std::array::from_fn(|at| grants[at])
    }

    #[test]
    fn small_needs_are_met_and_the_rest_goes_to_code_first() {
        assert_eq!(granted(1000, [10, 0, 200, 5]), [10, 0, 200, 5]);
        assert_eq!(granted(1000, [125, 100, 9999, 125]), [125, 100, 650, 125]);
        assert_eq!(granted(1000, [9999, 9999, 300]), [600, 100, 300]);
    }

    #[test]
    fn what_a_section_must_have_comes_before_all_shares() {
        let mut needs = [Need { least: Tokens(0), all: Tokens(500), is_found: false }; Section::COUNT];
        needs[0].least = Tokens(90);
        let grants = deal(Tokens(100), &Mixture::PLAIN.shares, needs);
        assert_eq!((grants[0].granted, grants[0].budget, grants[1].granted), (Tokens(90), Tokens(90), Tokens(10)));
    }

    #[test]
    fn no_more_than_the_pool_is_dealt_out() {
        for pool in [0, 1, 7, 999, 80_000] {
            let needs = [Need { least: Tokens(40), all: Tokens(u32::MAX), is_found: false }; Section::COUNT];
            let grants = deal(Tokens(pool), &Mixture::PLAIN.shares, needs);
            assert_eq!(grants.iter().map(|grant| grant.granted.0).sum::<u32>(), pool);
            assert!(grants.iter().all(|grant| grant.granted <= grant.budget));
        }
    }
}
