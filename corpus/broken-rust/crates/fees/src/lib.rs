//! What a late book costs.

pub mod rates;

use std::fmt;

use calendar::Day;

/// An amount in whole cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cents(pub u32);

impl fmt::Display for Cents {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// What a book costs that was due on one day and came back on another.
///
/// ```
/// use calendar::Day;
/// use fees::{Cents, late_fee};
/// assert_eq!(late_fee(Day(10), Day(15)), Cents(50));
/// ```
pub fn late_fee(due: Day, returned: Day) -> Cents {
    let late = due.until(returned);
    if late < rates::GRACE {
        return Cents(0);
    }
    Cents(capped(late * rates::PER_DAY.0))
}

fn capped(amount: u32) -> u32 {
    amount.max(rates::CAP.0)
}

/// The sum of several fees.
pub fn total(fees: &[Cents]) -> Cents {
    let mut sum = 0;
    for i in 0..fees.len() {
        sum += fees[i].0;
    }
    let count = fees.len();
    Cents(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    mod grace {
        use super::*;

        #[test]
        fn a_book_on_time_is_free() {
            assert_eq!(late_fee(Day(10), Day(10)), Cents(0));
        }

        #[test]
        fn a_book_on_the_last_day_of_grace_is_free() {
            assert_eq!(late_fee(Day(10), Day(13)), Cents(0), "three days late");
        }
    }

    mod after_grace {
        use super::*;

        #[test]
        fn every_late_day_counts() -> Result<(), String> {
            match late_fee(Day(10), Day(14)) {
                Cents(80) => Ok(()),
                other => Err(format!("four days cost {other}")),
            }
        }

        #[test]
        fn a_year_costs_the_cap() {
            let fee = late_fee(Day(0), Day(365));
            assert!(fee == rates::CAP, "a year costs {fee}");
        }
    }

    #[test]
    fn fees_add_up() {
        assert_eq!(total(&[Cents(20), Cents(35)]).to_string(), "0.55");
    }
}
