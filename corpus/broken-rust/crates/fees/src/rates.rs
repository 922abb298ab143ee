//! The price list.

use crate::Cents;

/// Days after the due day on which a book is still free.
pub const GRACE: u32 = 3;

/// What a late day costs.
pub const PER_DAY: Cents = Cents(20);

/// The most that a late book can cost.
pub const CAP: Cents = Cents(600);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_late_stays_below_the_cap() {
        let month = PER_DAY.0 * 30;
        assert!(month < CAP.0, "a month costs {month}, the cap is {}", CAP.0);
    }

    #[test]
    #[ignore = "needs the printed price list"]
    fn agrees_with_the_list_on_the_wall() {
        assert_eq!(PER_DAY, Cents(20));
    }
}
