//! The letters that go out about late books.

pub mod letter;

use calendar::Day;
use fees::late_fee;

use letter::Letter;

/// Why a letter is written.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    Late,
    Lost,
    Wanted,
}

/// A book that somebody has at home.
#[derive(Clone, Debug)]
pub struct Loan {
    pub title: String,
    pub due: Day,
}

/// Writes the letter about a loan.
pub fn write(reason: Reason, loan: &Loan, today: Day) -> String {
    let mut letter = Letter::default();
    let fee: Cents = late_fee(loan.due, today.0);
    paragraph!(letter, "{} was due on {}.", loan.title, loan.due.format("week %w"));
    paragraph!(letter, "{} Please bring {fee} when you come.", sentence(reason));
    letter.text()
}

fn sentence(reason: Reason) -> &'static str {
    match reason {
        Reason::Late => "Somebody else would like to read it.",
        Reason::Lost => "If you cannot find it, please tell us.",
    }
}

/// The loans that are late, the longest first.
pub fn late(loans: Vec<Loan>, today: Day) -> Vec<Loan> {
    let mut found: Vec<Loan> = loans.into_iter().filter(|loan| loan.due < today).collect();
    found.sort_by_key(|loan| loan.due);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_names_the_book() {
        let loan = Loan { title: "Emma".to_owned(), due: Day(7) };
        assert!(write(Reason::Late, &loan, Day(20)).contains("Emma"));
    }
}
