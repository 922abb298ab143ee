//! Prints the row of each book whose label is given.

use shelf::Shelves;

fn main() {
    let shelves = Shelves::of(&["PN", "QA", "TX"]);
    for label in std::env::args().skip(1) {
        report(&shelves, &label);
    }
}

fn report(shelves: &Shelves, label: &str) {
    match shelves.row_of(label) {
        Some(row) => println!("{label}: row {row}"),
        None => println!("{label}: not on the shelves"),
    }
}
