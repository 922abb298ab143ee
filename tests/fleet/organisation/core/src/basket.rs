//! What somebody wants to buy.

/// What has a price.
pub trait Priced {
    /// The price in cents.
    fn price(&self) -> u64;
}

/// Things that somebody wants to buy.
#[derive(Default)]
pub struct Basket {
    items: Vec<(String, u64)>,
}

impl Basket {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a thing into it.
    pub fn put(&mut self, item: &str, cents: u64) {
        self.items.push((item.to_owned(), cents));
    }

    /// The sum of all prices.
    pub fn total(&self) -> u64 {
        self.items.iter().map(|(_, cents)| cents).sum()
    }
}

impl Priced for Basket {
    fn price(&self) -> u64 {
        self.total()
    }
}
