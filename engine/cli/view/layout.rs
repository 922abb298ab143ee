//! Where things stand: a forest in columns, and a map of tiles. Whole numbers, so that every machine draws the same.

/// Size of a card and the room between cards.
pub(super) const CARD: (u32, u32) = (228, 40);
/// Room between columns, for what an edge says, and between rows.
pub(super) const GAP: (u32, u32) = (118, 10);
/// Room above the first row, for the heads of columns.
pub(super) const TOP: u32 = 34;

/// Where the cards of a forest stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Forest {
    /// Upper left corner of each card; none for one that is not drawn.
    pub(super) places: Vec<Option<(u32, u32)>>,
    /// How many columns there are.
    pub(super) n_columns: u32,
    /// How many rows there are.
    pub(super) n_rows: u32,
}

impl Forest {
    /// Width and height of all of it.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.n_columns.max(1) * (CARD.0 + GAP.0) - GAP.0 + 2, TOP + self.n_rows.max(1) * (CARD.1 + GAP.1))
    }
}

/// Lays out nodes by their parents, in the order in which they are given: a node stands in the column behind that of its parent, its first
/// child in the same row and every other child below all that follows from the one before. No two lines cross. What is not `drawn` has no
/// place, with all that follows from it. Parents that lead back to a node count as none.
pub(super) fn forest(parents: &[Option<usize>], is_drawn: &[bool]) -> Forest {
    let n = parents.len();
    let drawn = |at: usize| is_drawn.get(at).copied().unwrap_or_default();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut roots = Vec::new();
    for at in (0..n).filter(|at| drawn(*at)) {
        match parents[at].filter(|parent| *parent < n && !leads_back(parents, at)) {
            Some(parent) => children[parent].push(at),
            None => roots.push(at),
        }
    }
    let mut forest = Forest { places: vec![None; n], n_columns: 0, n_rows: 0 };
    let mut open: Vec<(usize, u32, bool)> = roots.iter().rev().map(|root| (*root, 0, false)).collect();
    while let Some((at, column, is_first)) = open.pop() {
        if !is_first {
            forest.n_rows += 1;
        }
        forest.n_columns = forest.n_columns.max(column + 1);
        let row = forest.n_rows.saturating_sub(1);
        forest.places[at] = Some((column * (CARD.0 + GAP.0) + 1, TOP + row * (CARD.1 + GAP.1)));
        open.extend(children[at].iter().enumerate().rev().map(|(nth, child)| (*child, column + 1, nth == 0)));
    }
    forest
}

/// Whether the parents of a node lead in a circle.
fn leads_back(parents: &[Option<usize>], at: usize) -> bool {
    let mut next = parents[at];
    for _ in 0..=parents.len() {
        match next {
            None => return false,
            Some(parent) if parent == at => return true,
            Some(parent) => next = parents.get(parent).copied().flatten(),
        }
    }
    true
}

/// A rectangle: left, top, width, height.
pub(super) type Rect = (u32, u32, u32, u32);

/// Tiles of a rectangle with these areas, as square as they can be, in the order given, which is best by falling area. What is too small for a
/// pixel has no width or no height.
pub(super) fn tiles(areas: &[u32], (x, y, width, height): Rect) -> Vec<Rect> {
    let mut tiles = Vec::with_capacity(areas.len());
    let (mut x, mut y, mut width, mut height) = (x, y, width, height);
    let mut left: u64 = areas.iter().map(|area| u64::from(*area)).sum();
    let mut at = 0;
    while at < areas.len() {
        let side = u64::from(width.min(height));
        let surface = u64::from(width) * u64::from(height);
        // As many as make the worst of the row squarer.
        let (mut end, mut worst) = (at, u64::MAX);
        while end < areas.len() {
            let row = &areas[at..=end];
            let sum: u64 = row.iter().map(|area| u64::from(*area)).sum::<u64>().max(1);
            let thick = (sum * surface / (left.max(1) * side.max(1))).max(1);
            let stretch = |area: u32| {
                let long = (u64::from(area) * side / sum).max(1);
                (thick.max(long) * 1000) / thick.min(long)
            };
            let now = row.iter().map(|area| stretch(*area)).max().unwrap_or(u64::MAX);
            if now > worst {
                break;
            }
            (worst, end) = (now, end + 1);
        }
        let row = &areas[at..end.max(at + 1)];
        let sum: u64 = row.iter().map(|area| u64::from(*area)).sum();
        let is_wide = width >= height;
        let all = if is_wide { width } else { height };
        let thick = if end >= areas.len() { all } else { (u64::from(all) * sum / left.max(1)) as u32 };
        let long = if is_wide { height } else { width };
        let (mut done, mut from) = (0_u64, 0);
        for area in row {
            done += u64::from(*area);
            let to = (u64::from(long) * done / sum.max(1)) as u32;
            tiles.push(if is_wide { (x, y + from, thick, to - from) } else { (x + from, y, to - from, thick) });
            from = to;
        }
        if is_wide {
            (x, width) = (x + thick, width - thick);
        } else {
            (y, height) = (y + thick, height - thick);
        }
        left -= sum;
        at += row.len();
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn overlap(one: Rect, other: Rect) -> bool {
        one.0 < other.0 + other.2 && other.0 < one.0 + one.2 && one.1 < other.1 + other.3 && other.1 < one.1 + one.3
    }

    proptest! {
        #[test]
        fn no_two_cards_overlap_and_all_stand_within(
            nodes in prop::collection::vec((prop::option::of(0_usize..70), any::<bool>()), 1..60)
        ) {
            let (parents, hidden): (Vec<_>, Vec<_>) = nodes.into_iter().unzip();
            let mut is_drawn: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
            // What follows from something that is not drawn is not drawn either: the caller sees to it.
            for _ in 0..parents.len() {
                for at in 0..parents.len() {
                    is_drawn[at] &= parents[at].is_none_or(|parent| parent >= parents.len() || is_drawn[parent]);
                }
            }
            let forest = forest(&parents, &is_drawn);
            let cards: Vec<Rect> = forest.places.iter().flatten().map(|(x, y)| (*x, *y, CARD.0, CARD.1)).collect();
            prop_assert_eq!(cards.len(), is_drawn.iter().filter(|drawn| **drawn).count());
            let (width, height) = forest.size();
            for (at, card) in cards.iter().enumerate() {
                prop_assert!(card.0 + card.2 < width && card.1 + card.3 <= height);
                prop_assert!(cards[..at].iter().all(|other| !overlap(*card, *other)));
            }
        }

        #[test]
        fn tiles_fill_their_rectangle_and_do_not_overlap(mut areas in prop::collection::vec(1_u32..5_000, 1..40)) {
            areas.sort_unstable_by(|one, other| other.cmp(one));
            let all = (0, 0, 960, 360);
            let tiles = tiles(&areas, all);
            prop_assert_eq!(tiles.len(), areas.len());
            let surface: u64 = tiles.iter().map(|tile| u64::from(tile.2) * u64::from(tile.3)).sum();
            prop_assert_eq!(surface, 960 * 360);
            for (at, tile) in tiles.iter().enumerate() {
                prop_assert!(tile.0 + tile.2 <= 960 && tile.1 + tile.3 <= 360);
                prop_assert!(tiles[..at].iter().all(|other| !overlap(*tile, *other)));
            }
        }
    }

    #[test]
    fn a_first_child_stands_beside_its_parent_and_others_below_what_follows() {
        let places = forest(&[None, Some(0), Some(1), Some(0), None], &[true; 5]).places;
        let cells: Vec<(u32, u32)> =
            places.into_iter().flatten().map(|(x, y)| (x / (CARD.0 + GAP.0), (y - TOP) / (CARD.1 + GAP.1))).collect();
        assert_eq!(cells, [(0, 0), (1, 0), (2, 0), (1, 1), (0, 2)]);
    }
}
