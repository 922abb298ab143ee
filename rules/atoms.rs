//! The column types of the relations: ids, quantities with their units, and closed lists of names.
//!
//! All are small, `Copy` and ordered. They must not know a rule or a weight.

use crate::written::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};
use std::fmt;
use std::ops::{Add, Sub};

/// A closed list of words: the enum, `ALL` in order, `name()` as the written form spells it, and `from_name()`.
macro_rules! named {
    ($(#[$meta:meta])* pub enum $Name:ident { $($(#[$doc:meta])* $Variant:ident = $name:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name { $($(#[$doc])* $Variant,)+ }

        impl $Name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$Variant,)+];

            /// The word of the written form, without its slash.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name,)+ }
            }

            /// The value that `name` spells, if one does.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }
    };
}
pub(crate) use named;

/// A node of the graph: a file, symbol, test or external package. Ids ascend in path order within each sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// An item of the session: a diagnostic, finding, commit, hint, tool and so on, numbered by the caller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(pub u32);

/// A score or energy in thousandths of a point: 100 points are `Energy(100_000)`. Shown in points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Energy(#[schemars(range(min = 0, max = 1_000_000))] pub i32);

impl Energy {
    /// No energy.
    pub const ZERO: Self = Self(0);
    /// Thousandths in one point.
    const POINT: i32 = 1000;
    /// The greatest weight that a file may state, 1,000 points: sums of a few of them stay far from overflow.
    const MAX_WEIGHT: i32 = 1_000_000;

    /// Whole points as energy.
    pub const fn points(points: i32) -> Self {
        Self(points * Self::POINT)
    }

    /// The energy without its fraction of a point.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self(self.0 - self.0 % Self::POINT)
    }

    /// How many whole points it has.
    pub const fn in_points(self) -> i32 {
        self.0 / Self::POINT
    }

    /// This part of the energy, rounded towards zero.
    #[must_use]
    pub const fn times(self, ratio: Millionths) -> Self {
        Self((self.0 as i64 * ratio.0 as i64 / Millionths::ONE.0 as i64) as i32)
    }

    /// So many times the energy, rounded towards zero.
    #[must_use]
    pub const fn by(self, factor: Factor) -> Self {
        let product = self.0 as i64 * factor.0 as i64 / Factor::ONE.0 as i64;
        Self(if product > i32::MAX as i64 { i32::MAX } else { product as i32 })
    }
}

impl Add for Energy {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Energy {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for Energy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Decimal::from_thousandths(i64::from(self.0)).fmt(formatter)
    }
}

impl<'de> Deserialize<'de> for Energy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match i32::deserialize(deserializer)? {
            value @ 0..=Self::MAX_WEIGHT => Ok(Self(value)),
            value => Err(de::Error::custom(format!("{value} is not from 0 to 1000000 thousandths of a point"))),
        }
    }
}

/// A part of one in thousandths, 0 to 1: weights, confidences, strengths and shares. Shown as a fraction (`0.7`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Thousandths(#[schemars(range(min = 0, max = 1000))] u32);

impl Thousandths {
    /// The whole.
    pub const ONE: Self = Self(1000);

    /// The part; a value above 1000 counts as the whole.
    pub const fn new(value: u32) -> Self {
        if value > Self::ONE.0 { Self::ONE } else { Self(value) }
    }

    /// The number of thousandths, 0 to 1000.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The product of two parts, exactly.
    pub const fn times(self, other: Self) -> Millionths {
        Millionths(self.0 * other.0)
    }

    /// So many times this part, rounded down and at most the whole.
    #[must_use]
    pub const fn scaled(self, factor: Factor) -> Self {
        Self::new(self.0 * factor.0 / Factor::ONE.0)
    }

    /// The same part, finer.
    pub const fn ratio(self) -> Millionths {
        self.times(Self::ONE)
    }
}

impl fmt::Display for Thousandths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Decimal::from_thousandths(i64::from(self.0)).fmt(formatter)
    }
}

impl<'de> Deserialize<'de> for Thousandths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            value if value <= Self::ONE.0 => Ok(Self(value)),
            value => Err(de::Error::custom(format!("{value} is not from 0 to 1000 thousandths"))),
        }
    }
}

/// How many times something counts, in thousandths, 0 to 20. Shown as a decimal number (`1.2`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Factor(#[schemars(range(min = 0, max = 20_000))] u32);

impl Factor {
    /// Changes nothing.
    pub const ONE: Self = Self(1000);

    /// The greatest factor that a file may state.
    const MAX: u32 = 20_000;

    /// The factor; a value above 20,000 thousandths counts as that.
    pub const fn new(value: u32) -> Self {
        if value > Self::MAX { Self(Self::MAX) } else { Self(value) }
    }

    /// The number of thousandths.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Energy(self.0.cast_signed()).fmt(formatter)
    }
}

impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            value if value <= Self::MAX => Ok(Self(value)),
            value => Err(de::Error::custom(format!("{value} is not from 0 to 20000 thousandths"))),
        }
    }
}

/// A part of one in millionths, 0 to 1: the product of two [`Thousandths`], so that a link's strength is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millionths(u32);

impl Millionths {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The whole.
    pub const ONE: Self = Self(1_000_000);

    /// So many millionths, at least none and at most the whole.
    pub const fn from_count(count: i32) -> Self {
        match count {
            ..0 => Self::ZERO,
            1_000_000.. => Self::ONE,
            _ => Self(count as u32),
        }
    }

    /// The number of millionths, 0 to 1,000,000.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The part divided among `n`, rounded down; by zero counts as by one.
    #[must_use]
    pub const fn divided_by(self, n: u32) -> Self {
        match self.0.checked_div(n) {
            Some(part) => Self(part),
            None => self,
        }
    }

    /// What is missing to the whole.
    #[must_use]
    pub const fn rest(self) -> Self {
        Self(Self::ONE.0 - self.0)
    }

    /// The product, rounded down.
    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        Self((self.0 as u64 * other.0 as u64 / Self::ONE.0 as u64) as u32)
    }

    /// So many times the part, at most the whole.
    #[must_use]
    pub const fn by(self, factor: Factor) -> Self {
        let product = self.0 as u64 * factor.0 as u64 / Factor::ONE.0 as u64;
        if product > Self::ONE.0 as u64 { Self::ONE } else { Self(product as u32) }
    }

    /// What two independent witnesses say together: the second settles its part of what the first leaves in doubt.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        self.rest().times(other.rest()).rest()
    }

    /// The share that `part` is of `whole`, at most the whole; of a whole that is not positive, nothing.
    pub const fn share(part: Energy, whole: Energy) -> Self {
        if whole.0 <= 0 || part.0 <= 0 {
            Self::ZERO
        } else if part.0 >= whole.0 {
            Self::ONE
        } else {
            Self((part.0 as i64 * Self::ONE.0 as i64 / whole.0 as i64) as u32)
        }
    }
}

/// One divided by a small number, so that dividing by it is a multiplication.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reciprocal(u32);

impl Reciprocal {
    /// The bits behind the point. With 31 of them and a divisor below 256, the quotient of no number up to a million is off.
    const BITS: u32 = 31;

    /// The reciprocal of `divisor`, rounded up; by zero counts as by one.
    pub(crate) const fn of(divisor: u8) -> Self {
        let divisor = if divisor == 0 { 1 } else { divisor as u32 };
        Self((1_u32 << Self::BITS).div_ceil(divisor))
    }
}

impl Millionths {
    /// The part divided by a small number, rounded down.
    #[must_use]
    pub(crate) const fn times_reciprocal(self, reciprocal: Reciprocal) -> Self {
        Self(((self.0 as u64 * reciprocal.0 as u64) >> Reciprocal::BITS) as u32)
    }
}

/// A distance from a seed, in links.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Hops(pub u8);

impl Hops {
    /// At the seed.
    pub const NONE: Self = Self(0);
    /// One link away.
    pub const ONE: Self = Self(1);

    /// One link further.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Hops {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// An age in turns of the session; 0 is the current turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turns(pub u32);

named! {
    /// What speaks for a node in an intent that does not name it exactly, in the order in which the cues are counted.
    pub enum Cue {
        /// The name is a word of the intent, but for case or ambiguity.
        Name = "name",
        /// Components of the path are words of the intent.
        Path = "path",
        /// Parts of a compound name are words of the intent.
        Subtoken = "subtoken",
        /// The scope of a conventional commit names its folder, package or module.
        Scope = "scope",
        /// The name of the type or module around it holds words of the intent.
        Container = "container",
        /// It is long: of two definitions the longer is likelier to hold what changes.
        Size = "size",
        /// A name defined in the file holds words of the intent.
        Holds = "holds",
        /// Its other text holds words of the intent.
        Text = "text",
        /// Past commits with messages like the intent changed it.
        History = "history",
        /// It was changed lately.
        Recent = "recent",
        /// The output of a failed tool or test mentions it, without a position.
        Failure = "failure",
        /// Earlier turns of the session were about it.
        Session = "session",
        /// A rule of the user speaks for it.
        Rule = "rule",
    }
}

/// A passage: a definition, or a run of whole statements of a long one, numbered by the caller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassageId(pub u32);

named! {
    /// What speaks for a passage, in the order in which it is added up.
    pub enum PassageCue {
        /// The task names a line of it, or the definition that it is part of.
        Named = "named",
        /// Something fails in it, or a failing test calls it.
        Fails = "fails",
        /// The definition that it is part of, or that begins in it, stands high by itself.
        Definition = "definition",
        /// Words of the task stand in it.
        Words = "words",
        /// Of the passages of its file, it has most of the words.
        First = "first",
        /// A definition that stands high is called in it.
        Calls = "calls",
        /// Commits whose messages have words of the task changed lines of it.
        History = "history",
        /// It opens its file: imports and what stands above them.
        Head = "head",
        /// The place of its file in the order of files.
        Place = "place",
        /// How high its file stands.
        File = "file",
        /// The score of its file.
        Score = "score",
        /// Files such as its own are usually meant.
        Role = "role",
    }
}

impl Cue {
    /// The cue that is counted first.
    pub const FIRST: Self = Self::Name;
}

named! {
    /// How bad a diagnostic is.
    pub enum Severity {
        /// The build or the check fails.
        Error = "error",
        /// The build passes with a complaint.
        Warning = "warning",
        /// A remark: places nothing.
        Note = "note",
    }
}

named! {
    /// How a file differs from the last commit.
    pub enum Change {
        /// It is new.
        Added = "added",
        /// Its content differs.
        Modified = "modified",
        /// It is gone.
        Deleted = "deleted",
        /// It has another path.
        Renamed = "renamed",
    }
}

named! {
    /// What made a node a seed.
    pub enum Cause {
        /// The intent names it.
        Exact = "exact",
        /// An error lies in it.
        Error = "error",
        /// A warning lies in it.
        Warning = "warning",
        /// A remark lies in it.
        Note = "note",
        /// It is a failing test.
        FailingTest = "failing_test",
        /// A stack trace passes through it.
        Frame = "frame",
        /// The session itself changed it.
        Touched = "touched",
        /// The parts of its evidence add up.
        Evidence = "evidence",
    }
}

impl Cause {
    /// Whether such a seed is what the task is about, whatever else speaks for other nodes.
    pub const fn is_certain(self) -> bool {
        match self {
            Self::Exact | Self::Error | Self::FailingTest | Self::Frame | Self::Touched => true,
            Self::Warning | Self::Note | Self::Evidence => false,
        }
    }
}

impl From<Severity> for Cause {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Note,
        }
    }
}

named! {
    /// How much a node matters.
    pub enum Tier {
        /// Enters the packet first.
        Hot = "hot",
        /// Enters while there is room.
        Warm = "warm",
        /// Is counted, not injected.
        Cold = "cold",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reciprocal_divides_exactly() {
        for divisor in 1..=u8::MAX {
            let reciprocal = Reciprocal::of(divisor);
            // Quotients are most at risk around multiples of the divisor.
            let risky = (0..=Millionths::ONE.0).step_by(usize::from(divisor)).flat_map(|value| [value.saturating_sub(1), value]);
            for part in risky.chain([Millionths::ONE.0]).map(Millionths) {
                assert_eq!(part.times_reciprocal(reciprocal), part.divided_by(u32::from(divisor)), "{part:?} by {divisor}");
            }
        }
        assert_eq!(Millionths::ONE.times_reciprocal(Reciprocal::of(0)), Millionths::ONE);
    }
}
