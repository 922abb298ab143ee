use std::collections::BTreeMap;
use std::fmt;

/// The month's total for each customer, in cents.
#[derive(Debug, Default)]
pub struct Report {
    totals: BTreeMap<String, u64>,
}

impl Report {
    pub fn new() -> Self {
        Default::default()
    }

    /// Counts one line of an invoice.
    pub fn insert(&mut self, customer: &str, cents: u64) {
        *self.totals.entry(customer.to_owned()).or_default() += cents;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (customer, cents) in &self.totals {
            writeln!(f, "{customer:<20} {}", money(*cents))?;
        }
        Ok(())
    }
}

fn money(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_adds_lines_of_one_customer() {
        let mut report = Report::new();
        report.insert("acme", 150);
        report.insert("acme", 5);
        assert!(report.to_string().contains(&money(155)));
    }
}
