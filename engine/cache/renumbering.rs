//! What became of the numbers in a section: an edit that makes one definition more moves the numbers of all that stand behind it.

/// Bytes of a number.
pub(super) const NUMBER: usize = size_of::<u32>();

/// Bytes in front of all, and in front of the steps of some columns, as they are stored.
const HEAD: usize = 2 * NUMBER;

/// Up to so many steps each number is compared with all of them, which the compiler does for many numbers at once.
const FEW_STEPS: usize = 12;

/// From which number on so much is added, wrapping. Before the first of several steps nothing is.
pub type Step = (u32, u32);

/// How the little-endian 32-bit numbers of a section are moved on: in rows of so many numbers, those in some columns of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renumbering {
    row: u32,
    /// Columns, the lowest bit for the first, and the steps of their numbers, which ascend.
    parts: Vec<(u32, Vec<Step>)>,
}

impl Default for Renumbering {
    /// Every number stays.
    fn default() -> Self {
        Self::of_rows(1)
    }
}

impl Renumbering {
    /// Of every number of a section.
    pub fn of_all(steps: Vec<Step>) -> Self {
        Self::of_rows(1).with(&[0], steps)
    }

    /// Of rows of so many numbers, 32 at most, that all stay.
    pub fn of_rows(row: u32) -> Self {
        Self { row: row.clamp(1, u32::BITS), parts: Vec::new() }
    }

    /// The same with the numbers in some columns moved on. Steps that do not ascend are left out, as are those that add what the one before adds.
    #[must_use]
    pub fn with(mut self, columns: &[u32], mut steps: Vec<Step>) -> Self {
        let mut last: Option<Step> = None;
        steps.retain(|(from, add)| {
            let is_next = last.map_or(0, |(_, add)| add) != *add && last.is_none_or(|(before, _)| before < *from);
            last = if is_next { Some((*from, *add)) } else { last };
            is_next
        });
        let columns = columns.iter().filter(|column| **column < self.row).fold(0, |all, column| all | 1 << column);
        if columns != 0 && !steps.is_empty() {
            self.parts.push((columns, steps));
        }
        self
    }

    /// Whether every number stays.
    pub(super) fn is_nothing(&self) -> bool {
        self.parts.is_empty()
    }

    /// Moves numbers on that stood from the place `first` of the section.
    pub(super) fn apply(&self, bytes: &mut [u8], first: usize) {
        let numbers = bytes.as_chunks_mut::<NUMBER>().0;
        for (columns, steps) in &self.parts {
            if self.row == 1 && steps.len() <= FEW_STEPS {
                // What a step adds beside those before it.
                let before = [0].into_iter().chain(steps.iter().map(|step| step.1));
                let steps: Vec<Step> =
                    steps.iter().zip(before).map(|((from, add), before)| (*from, add.wrapping_sub(before))).collect();
                for bytes in &mut *numbers {
                    let number = u32::from_le_bytes(*bytes);
                    let add = |sum: u32, (from, more): &Step| sum.wrapping_add(if number >= *from { *more } else { 0 });
                    *bytes = steps.iter().fold(number, add).to_le_bytes();
                }
                continue;
            }
            let row = self.row as usize;
            for (bytes, at) in numbers.iter_mut().zip(first..) {
                if columns >> (at % row) & 1 == 1 {
                    *bytes = moved(steps, u32::from_le_bytes(*bytes)).to_le_bytes();
                }
            }
        }
    }

    /// How many bytes it takes to be stored.
    pub(super) fn cost(&self) -> usize {
        HEAD + self.parts.iter().map(|(_, steps)| HEAD + steps.len() * 2 * NUMBER).sum::<usize>()
    }

    /// As it is stored: numbers in a row and how many parts; then for each part the columns as bits, how many steps, and these.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut numbers = vec![self.row, self.parts.len() as u32];
        for (columns, steps) in &self.parts {
            numbers.extend([*columns, steps.len() as u32]);
            numbers.extend(steps.iter().flat_map(|(from, add)| [*from, *add]));
        }
        numbers.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Reads what [`Renumbering::bytes`] gave, and gives what stands behind it.
    pub(super) fn read(stored: &[u8]) -> Option<(Self, &[u8])> {
        let (row, stored) = number(stored)?;
        let (n_parts, mut stored) = number(stored)?;
        let mut parts = Vec::new();
        let mut free = u32::MAX >> (u32::BITS - row.clamp(1, u32::BITS));
        for _ in 0..n_parts {
            let (columns, rest) = number(stored)?;
            // Each column is moved once, so a part more is a column less.
            (columns != 0 && columns & free == columns).then_some(())?;
            free &= !columns;
            let (n_steps, rest) = number(rest)?;
            let (steps, rest) = rest.split_at_checked((n_steps as usize).checked_mul(2 * NUMBER)?)?;
            let numbers: Vec<u32> = steps.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)).collect();
            let steps: Vec<Step> = numbers.as_chunks().0.iter().map(|[from, add]| (*from, *add)).collect();
            (!steps.is_empty() && steps.is_sorted_by(|one, next| one.0 < next.0)).then_some(())?;
            parts.push((columns, steps));
            stored = rest;
        }
        (1..=u32::BITS).contains(&row).then_some((Self { row, parts }, stored))
    }
}

fn moved(steps: &[Step], number: u32) -> u32 {
    let step = steps.partition_point(|(from, _)| *from <= number).checked_sub(1);
    step.map_or(number, |step| number.wrapping_add(steps[step].1))
}

fn number(stored: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = stored.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(by: &Renumbering, numbers: &[u32], first: usize) -> Vec<u32> {
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        by.apply(&mut bytes, first);
        bytes.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)).collect()
    }

    #[test]
    fn each_number_moves_by_the_step_that_it_lies_in() {
        let steps = vec![(3, 1), (5, 1), (9, u32::MAX), (20, 0)];
        let numbers = [0, 2, 3, 8, 9, 19, 20, u32::MAX];
        let expected = [0, 2, 4, 9, 8, 18, 20, u32::MAX];
        assert_eq!(moved(&Renumbering::of_all(steps.clone()), &numbers, 0), expected);
        let many = steps.into_iter().chain((0..20).map(|at| (30 + 2 * at, at % 2 + 7))).chain([(99, 0)]).collect();
        assert_eq!(moved(&Renumbering::of_all(many), &numbers, 0), expected);
        let some = Renumbering::of_rows(3).with(&[1], vec![(0, 10)]).with(&[2, 3], vec![(2, 5)]);
        assert_eq!(moved(&some, &[1, 1, 1, 2, 2, 2], 0), [1, 11, 1, 2, 12, 7]);
        assert_eq!(moved(&some, &[1, 1, 2, 2], 1), [11, 1, 2, 12]);
    }

    #[test]
    fn it_is_read_as_it_is_stored_and_damage_is_seen() {
        let by = Renumbering::of_rows(5).with(&[1, 2], vec![(3, 1), (9, 2)]).with(&[3], vec![(1, 1)]);
        let mut stored = by.bytes();
        assert_eq!(stored.len(), by.cost());
        stored.extend(b"rest");
        assert_eq!(Renumbering::read(&stored), Some((by.clone(), &b"rest"[..])));
        assert_eq!(Renumbering::read(&stored[..by.cost() - 1]), None);
        stored[..NUMBER].fill(0);
        assert_eq!(Renumbering::read(&stored), None, "rows of no numbers");
        let mut stored = by.bytes();
        stored[2 * HEAD] = 200;
        assert_eq!(Renumbering::read(&stored), None, "steps that do not ascend");
        let twice = Renumbering { parts: by.parts.iter().chain(&by.parts).cloned().collect(), ..by.clone() };
        assert_eq!(Renumbering::read(&twice.bytes()), None, "a column that is moved twice");
        let behind = Renumbering { row: 3, ..by.clone() };
        assert_eq!(Renumbering::read(&behind.bytes()), None, "a column that no row has");
        stored[HEAD + NUMBER..][..NUMBER].fill(u8::MAX);
        assert_eq!(Renumbering::read(&stored), None, "more steps than there are bytes");
    }
}
