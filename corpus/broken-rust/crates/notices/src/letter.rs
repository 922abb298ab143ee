//! A letter, line by line.

/// The characters that the window of an envelope shows.
pub const WINDOW: usize = 40;

/// The lines of a letter.
#[derive(Debug, Default)]
pub struct Letter {
    lines: Vec<String>,
}

impl Letter {
    /// Adds a line, cut to what the window shows.
    pub fn add_line(&mut self, line: String) {
        self.lines.push(line.chars().take(WINDOW).collect());
    }

    /// The letter as one text.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }
}

/// Adds a formatted paragraph and the empty line after it.
#[macro_export]
macro_rules! paragraph {
    ($letter:expr, $($part:tt)*) => {
        $letter.push_line(format!($($part)*));
        $letter.add_line(String::new());
    };
}
