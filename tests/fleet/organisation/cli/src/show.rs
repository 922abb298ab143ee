//! What is shown of a basket.

use basket_core::{Basket, Priced, read_basket};

struct Shown {
    basket: Basket,
}

/// The line that is shown for a basket.
pub fn line(text: &str) -> String {
    let shown = open(text);
    format!("{} cents", shown.cents())
}

fn open(text: &str) -> Shown {
    Shown { basket: read_basket(text).unwrap_or_default() }
}

impl Shown {
    fn cents(&self) -> u64 {
        self.basket.total().max(self.basket.price())
    }
}
