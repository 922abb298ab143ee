//! Reads what tools wrote inside of a text that somebody pasted.
//!
//! Must not know what stands around it, nor which files a repository has.

use super::{Report, Severity, Watch, read_lines};

/// What messages call the text.
const NAME: &str = "the intent";

/// What tools wrote inside of a text.
#[derive(Debug, Default)]
pub struct Pasted {
    /// What they say.
    pub report: Report,
    /// For each line of the text, whether a tool wrote it and the report has it.
    pub is_read: Vec<bool>,
}

/// Reads what tools wrote inside of a text. A text of one line is what somebody says, whatever it looks like.
pub fn pasted(text: &str) -> Pasted {
    if text.trim().lines().nth(1).is_none() {
        return Pasted::default();
    }
    let mut pasted = Pasted { report: Report::default(), is_read: vec![false; text.lines().count()] };
    let is_read = &mut pasted.is_read;
    let read = read_lines(
        text.as_bytes(),
        NAME,
        None,
        &mut pasted.report,
        &mut Watch {
            ends_at_fences: true,
            is_read: &mut |lines| {
                for number in lines {
                    if let Some(is_read) = number.checked_sub(1).and_then(|at| is_read.get_mut(at as usize)) {
                        *is_read = true;
                    }
                }
            },
        },
    );
    // Text in memory can be read; that nothing in it was recognised is what most texts are.
    if read.is_err() || pasted.report.is_empty() {
        return Pasted::default();
    }
    pasted.report.silent.clear();
    // Whoever shows the trace of an error asks about it, whether or not it ended the program.
    let traces = pasted.report.diagnostics.iter_mut().filter(|diagnostic| !diagnostic.frames.is_empty());
    traces.for_each(|diagnostic| diagnostic.severity = Severity::Error);
    pasted
}

#[cfg(test)]
mod tests {
    use super::pasted;

    #[test]
    fn a_fence_ends_what_a_tool_wrote() {
        let lines = |text: &str| {
            let pasted = pasted(text);
            let read: Vec<usize> = pasted.is_read.iter().zip(0..).filter(|(is_read, _)| **is_read).map(|(_, at)| at).collect();
            (read, pasted.report.diagnostics.len() + pasted.report.tests.len())
        };
        let go =
            "It fails:\n```\n--- FAIL: TestLogin (0.00s)\n    login_test.go:10: want 1\n```\nMake tokens expire after an hour.\n";
        assert_eq!(lines(go), (vec![2, 3], 1));
        let python = "It fails:\n```pytb\nTraceback (most recent call last):\n  File \"a.py\", line 2, in f\n    g()\n    ~~~^^\nKeyError: '1'\n```\n\nMend it.\n";
        assert_eq!(lines(python), (vec![2, 3, 4, 5, 6], 1));
        assert_eq!(lines("--- FAIL: TestLogin (0.00s)"), (Vec::new(), 0));
    }
}
