//! Shows what a basket costs.

mod show;

fn main() {
    let text = std::fs::read_to_string("basket.txt").unwrap_or_default();
    println!("{}", show::line(&text));
}
