//! Whether one of two lists of outcomes on the same cases is better by more than chance.

use serde::Serialize;

/// How two lists compare, case by case.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Paired {
    /// Cases on which the first is better.
    pub wins: u32,
    /// Cases on which the second is better.
    pub losses: u32,
    /// How likely so uneven a count, or a more uneven one, is if neither is better: exact, two-sided.
    pub p: f64,
}

impl Paired {
    /// Compares outcomes of the same cases; larger is better.
    pub(super) fn new(pairs: impl Iterator<Item = (f64, f64)>) -> Self {
        let (mut wins, mut losses) = (0, 0);
        for (one, other) in pairs {
            wins += u32::from(one > other);
            losses += u32::from(one < other);
        }
        Self::of(wins, losses)
    }

    /// A comparison that came out so.
    pub(super) fn of(wins: u32, losses: u32) -> Self {
        Self { wins, losses, p: significant(sign_test(wins, losses)) }
    }
}

/// The exact two-sided probability of so uneven a count of wins and losses, or a more uneven one, if both are as likely: the sign test, which
/// for outcomes of yes and no is that of `McNemar`.
pub fn sign_test(wins: u32, losses: u32) -> f64 {
    let n = wins + losses;
    // The logarithm of (n choose k) / 2^n, from one k to the next.
    let mut log = -f64::from(n) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=wins.min(losses) {
        tail += log.exp();
        log += (f64::from(n - k) / f64::from(k + 1)).ln();
    }
    (2.0 * tail).min(1.0)
}

/// Digits of a probability that are kept: a small one is no 0.
const DIGITS: usize = 4;

fn significant(p: f64) -> f64 {
    // What was just written can be read.
    format!("{p:.0$e}", DIGITS - 1).parse().unwrap_or(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_gives_known_values() {
        // Two-sided binomial tests with p = 0.5, from tables.
        for (wins, losses, p) in [
            (0, 0, 1.0),
            (5, 5, 1.0),
            (0, 5, 0.0625),
            (10, 2, 0.038_574_22),
            (2, 10, 0.038_574_22),
            (8, 1, 0.039_062_5),
            (15, 5, 0.041_389_47),
        ] {
            assert!((sign_test(wins, losses) - p).abs() < 1e-7, "{wins} to {losses}: {}", sign_test(wins, losses));
        }
        let many = sign_test(1_100, 900);
        assert!((many - 8.500_6e-6).abs() < 2e-7, "{many}");
    }

    #[test]
    fn equal_outcomes_are_neither_won_nor_lost() {
        let paired = Paired::new([(1.0, 0.5), (0.5, 0.5), (0.0, 1.0), (0.3, 0.2)].into_iter());
        assert_eq!((paired.wins, paired.losses, paired.p), (2, 1, 1.0));
        let sure = Paired::new((0..40).map(|at| (f64::from(u8::from(at > 0)), 0.5)));
        assert_eq!((sure.wins, sure.losses, sure.p.to_string().as_str()), (39, 1, "0.00000000007458"));
    }
}
