//! Days as the library counts them.

/// The days in a week.
const WEEK: u32 = 7;

/// A day, counted from the one on which the library opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub u32);

impl Day {
    /// The day so many days later.
    ///
    /// ```
    /// use calendar::Day;
    /// assert_eq!(Day(3).plus(28), Day(31));
    /// ```
    pub fn plus(self, days: u32) -> Day {
        Day(self.0 + days)
    }

    /// How many days it is until another one; none if that is past.
    pub fn until(self, other: Day) -> u32 {
        other.0.saturating_sub(self.0)
    }

    /// The day as letters show it: week and day of the week, both from one.
    pub fn text(self) -> String {
        return format!("week {}, day {}", self.0 / WEEK + 1, self.0 % WEEK + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::Day;

    #[test]
    fn the_first_day_is_the_first_of_the_first_week() {
        assert_eq!(Day(0).text(), "week 1, day 1");
    }

    #[test]
    fn a_day_that_is_past_is_no_days_away() {
        assert_eq!(Day(9).until(Day(2)), 0);
    }
}
