//! Putting candidates beside each other: features as columns, as they are, as a part of the greatest and as a rank.
//!
//! What features there are, say [`features`](crate::features) for files and [`passage_features`](crate::passage_features) for passages.

/// How a feature enters the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// As it is: a property of the candidate or of the task.
    Plain,
    /// As it is, as thousandths of the greatest of the task, and as its rank in the task: what counts is who has more.
    Compared,
}

impl Scale {
    /// How many columns it takes.
    const fn width(self) -> usize {
        match self {
            Self::Plain => 1,
            Self::Compared => 3,
        }
    }
}

/// A list of features.
pub trait Named: Copy + Ord + 'static {
    /// All of them, in the order of their numbers.
    const ALL: &'static [Self];
    /// How each enters the comparison.
    const SCALES: &'static [Scale];
    /// Counts up where a feature gets another meaning and keeps its name.
    const VERSION: &'static str;

    /// The name in tables and explanations.
    fn name(self) -> &'static str;
}

/// A list of features: the enum, its names, and how each is compared.
macro_rules! features {
    ($(#[$meta:meta])* pub enum $Name:ident, $version:literal { $($(#[doc = $doc:literal])* $Variant:ident = $name:literal, $scale:ident;)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name { $($(#[doc = $doc])* $Variant,)+ }

        impl $crate::columns::Named for $Name {
            const ALL: &'static [Self] = &[$(Self::$Variant,)+];
            const SCALES: &'static [$crate::columns::Scale] = &[$($crate::columns::Scale::$scale,)+];
            const VERSION: &'static str = $version;

            fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name,)+ }
            }
        }

        /// What is known of one candidate.
        pub type Features = [i32; <$Name as $crate::columns::Named>::ALL.len()];

        /// One candidate beside the others.
        pub type Columns = [i32; $crate::columns::column_at(<$Name as $crate::columns::Named>::SCALES, usize::MAX)];

        /// The column that holds a feature as it is.
        pub const fn column_of(feature: $Name) -> usize {
            $crate::columns::column_at(<$Name as $crate::columns::Named>::SCALES, feature as usize)
        }

        /// A feature of a candidate as it is.
        pub const fn value(columns: &Columns, feature: $Name) -> i32 {
            columns[column_of(feature)]
        }
    };
}
pub(crate) use features;

/// The whole, in thousandths.
const WHOLE: i64 = 1000;

/// The first column of a feature; past the last feature, the number of columns.
pub(crate) const fn column_at(scales: &[Scale], feature: usize) -> usize {
    let (mut column, mut at) = (0, 0);
    while at < feature && at < scales.len() {
        column += scales[at].width();
        at += 1;
    }
    column
}

/// The feature of each column, and what of it the column holds.
pub fn columns<F: Named>() -> impl Iterator<Item = (F, &'static str)> {
    F::ALL.iter().zip(F::SCALES).flat_map(|(&feature, scale)| {
        ["", "of the greatest", "rank"].iter().take(scale.width()).map(move |part| (feature, *part))
    })
}

/// The names of the columns.
pub fn column_names<F: Named>() -> impl Iterator<Item = String> {
    columns::<F>().map(|(feature, part)| format!("{} {part}", feature.name()).trim_end().to_owned())
}

/// A number that is another one where columns have other names, another order or, by their version, another meaning (FNV-1a of the version and the
/// names, each with a line feed): trees hold for the columns that they were fitted to.
pub fn columns_hash<F: Named>() -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let lines = std::iter::once(F::VERSION.to_owned()).chain(column_names::<F>());
    lines.fold(0xcbf2_9ce4_8422_2325, |hash, line| (line + "\n").bytes().fold(hash, step))
}

/// Puts candidates beside each other: each feature as it is, and those that are compared also as thousandths of the greatest and as the rank, the
/// logarithm to base 2 of one more than the number of candidates that have more, in thousandths. What is compared is not below 0.
pub fn compare<F: Named, K: Copy, const N: usize, const C: usize>(candidates: &[(K, [i32; N])]) -> Vec<(K, [i32; C])> {
    const { assert!(N == F::ALL.len() && C == column_at(F::SCALES, usize::MAX)) };
    let mut compared: Vec<(K, [i32; C])> = candidates.iter().map(|(key, _)| (*key, [0; C])).collect();
    let mut at = 0;
    for (number, scale) in F::SCALES.iter().enumerate() {
        let values = || candidates.iter().map(move |(_, features)| features[number]);
        for ((_, columns), value) in compared.iter_mut().zip(values()) {
            columns[at] = value;
        }
        if *scale == Scale::Compared {
            debug_assert!(values().all(|value| value >= 0), "feature {number}");
            let greatest = i64::from(values().max().unwrap_or_default().max(1));
            // Most candidates have nothing of most features.
            let mut descending: Vec<i32> = values().filter(|value| *value > 0).collect();
            descending.sort_unstable_by_key(|value| std::cmp::Reverse(*value));
            for ((_, columns), value) in compared.iter_mut().zip(values()) {
                columns[at + 1] = (i64::from(value) * WHOLE / greatest) as i32;
                let n_more = descending.partition_point(|other| *other > value);
                columns[at + 2] = log2(n_more as u64 + 1) as i32;
            }
        }
        at += scale.width();
    }
    compared
}

/// The logarithm to base 2 in thousandths, straight lines between the powers of two: monotone and the same everywhere.
pub fn log2(n: u64) -> u64 {
    let n = n.max(1);
    let power = n.ilog2();
    let rest = (u128::from(n - (1 << power)) * WHOLE as u128) >> power;
    u64::from(power) * WHOLE as u64 + rest as u64
}
