//! Numbers with a decimal point: they are only factors, as a fraction of whole numbers. `X * 0.6` is `X * 3 / 5`.

use super::ast::{Expression, ExpressionKind, Place};
use super::mistake::Mistake;

/// Digits behind the point at most.
const MAX_DIGITS: usize = 6;

/// What stands beside `*`.
pub(super) enum Factor {
    Whole(Expression),
    Decimal(Decimal),
}

/// A number with a decimal point.
pub(super) struct Decimal {
    pub(super) times: i32,
    pub(super) over: i32,
    place: Place,
}

impl Factor {
    /// An expression of whole numbers.
    pub(super) fn whole(self) -> Result<Expression, Mistake> {
        match self {
            Self::Whole(expression) => Ok(expression),
            Self::Decimal(decimal) => {
                let message = "numbers are whole; one with a decimal point can only be a factor, as in `X * 0.6`";
                Err(Mistake::new(decimal.place, message))
            }
        }
    }
}

impl Decimal {
    /// Of digits with one point.
    pub(super) fn of(written: &str, place: Place) -> Result<Self, Mistake> {
        let wrong =
            || Mistake::new(place, format!("a factor has at most {MAX_DIGITS} digits behind its point, and fits into 32 bits"));
        let (whole, part) = written.split_once('.').unwrap_or((written, ""));
        if part.len() > MAX_DIGITS {
            return Err(wrong());
        }
        let times: i32 = format!("{whole}{part}").parse().map_err(|_| wrong())?;
        let over = 10_i32.pow(part.len() as u32);
        let common = common(times, over);
        Ok(Self { times: times / common, over: over / common, place })
    }

    /// One of its two numbers, where it stands.
    pub(super) fn part(&self, number: i32) -> Expression {
        Expression { kind: ExpressionKind::Number(number), place: self.place }
    }
}

/// The greatest common divisor; `other` is not zero.
fn common(mut one: i32, mut other: i32) -> i32 {
    while one != 0 {
        (one, other) = (other % one, one);
    }
    other
}
