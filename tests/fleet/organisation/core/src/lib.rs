//! Baskets and what they cost.

mod basket;

pub use basket::{Basket, Priced};

/// Reads a basket that was kept as text.
pub fn read_basket(text: &str) -> Result<Basket, String> {
    let mut basket = Basket::new();
    for line in text.lines() {
        basket.put(line, 100);
    }
    Ok(basket)
}
