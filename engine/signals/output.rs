//! What a test or a program writes, of which beginning and end are kept: what was tried stands there, and why it failed here.

use rustc_hash::FxHashMap;

/// The most bytes of the beginning.
const MAX_HEAD_BYTES: usize = 8 << 10;
/// The most bytes of the end, where panics with their frames stand: sixty frames of Go or Rust have ten thousand.
const MAX_TAIL_BYTES: usize = 48 << 10;

/// The most tests whose outputs are kept at once.
const MAX_OUTPUTS: usize = 10_000;

/// Stands where something was left out.
const GAP: &str = "\n…\n";

/// Written text within bounds.
#[derive(Debug, Default)]
pub(super) struct Output {
    head: String,
    tail: String,
    is_cut: bool,
}

impl Output {
    /// Adds a line.
    pub(super) fn line(&mut self, line: &str) {
        self.push(line);
        self.push("\n");
    }

    /// Adds text, which may be a part of a line.
    pub(super) fn push(&mut self, text: &str) {
        let is_first = self.tail.is_empty() && !self.is_cut;
        let room = if is_first { MAX_HEAD_BYTES.saturating_sub(self.head.len()) } else { 0 };
        let (first, rest) = text.split_at(boundary(text, room));
        self.head.push_str(first);
        self.tail.push_str(rest);
        // It is cut seldom, and by half, so that long outputs are not moved with every line.
        if self.tail.len() > 2 * MAX_TAIL_BYTES {
            let end = boundary(&self.tail, self.tail.len() - MAX_TAIL_BYTES);
            // Between lines, where there are any: half a secret is not known for one.
            let end = self.tail[end..].find('\n').map_or(end, |feed| end + feed + 1);
            self.tail.drain(..end);
            if !self.is_cut {
                self.head.truncate(self.head.rfind('\n').unwrap_or(self.head.len()));
            }
            self.is_cut = true;
        }
    }

    /// Whether nothing was written but empty lines.
    pub(super) fn is_empty(&self) -> bool {
        self.head.trim().is_empty() && self.tail.is_empty()
    }

    /// What was kept.
    pub(super) fn text(&self) -> String {
        let gap = if self.is_cut { GAP } else { "" };
        [&self.head, gap, &self.tail].concat()
    }
}

/// The outputs of several tests, as long as they run.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    by_name: FxHashMap<String, Output>,
}

impl Outputs {
    /// Adds text to the output of a test.
    pub(super) fn push(&mut self, name: &str, text: &str) {
        if let Some(output) = self.by_name.get_mut(name) {
            output.push(text);
        } else if self.by_name.len() < MAX_OUTPUTS {
            self.by_name.entry(name.to_owned()).or_default().push(text);
        }
    }

    /// Adds a line to the output of a test.
    pub(super) fn line(&mut self, name: &str, line: &str) {
        self.push(name, line);
        self.push(name, "\n");
    }

    /// Whether a test has written anything.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// What a test has written, which is forgotten.
    pub(super) fn take(&mut self, name: &str) -> String {
        self.by_name.remove(name).map(|output| output.text()).unwrap_or_default()
    }

    /// What all tests have written, by their names in order.
    pub(super) fn take_all(&mut self) -> Vec<(String, String)> {
        let mut outputs: Vec<(String, String)> = self.by_name.drain().map(|(name, output)| (name, output.text())).collect();
        outputs.sort_unstable();
        outputs
    }
}

/// The last place at which a text can be cut that is no further than this.
fn boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}
