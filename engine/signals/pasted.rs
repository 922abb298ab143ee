//! Reads what tools wrote inside of a text that somebody pasted.

use super::sentence::is_sentence;
use super::told::told;
use super::{End, Report, Severity, Watch, read_lines};

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

/// What begins a fence.
const FENCES: [&str; 2] = ["```", "~~~"];

/// Reads what tools wrote inside of a text. A text of one line is what somebody says, whatever it looks like; what stops a program is read
/// there too.
pub fn pasted(text: &str) -> Pasted {
    let mut pasted = Pasted::default();
    if text.trim().lines().nth(1).is_some() {
        pasted = read(text, &[]);
        let ends = ends(text, &pasted.is_read);
        if ends.contains(&true) {
            pasted = read(text, &ends);
        }
    }
    // The words around what is told stay words of the intent.
    let is_said = |at: usize| pasted.is_read.get(at).is_none_or(|is_read| !is_read);
    let told: Vec<_> = text.lines().enumerate().filter(|(at, _)| is_said(*at)).filter_map(|(_, line)| told(line)).collect();
    for diagnostic in told {
        pasted.report.diagnostic(diagnostic);
    }
    if pasted.report.is_empty() {
        return Pasted::default();
    }
    pasted.report.silent.clear();
    // Whoever shows the trace of an error asks about it, whether or not it ended the program.
    let traces = pasted.report.diagnostics.iter_mut().filter(|diagnostic| !diagnostic.frames.is_empty());
    traces.for_each(|diagnostic| diagnostic.severity = Severity::Error);
    pasted
}

/// Reads a text. `ends` says of lines that what a tool wrote above them is over, however much of it is missing; a fence says so itself.
fn read(text: &str, ends: &[bool]) -> Pasted {
    let mut pasted = Pasted { report: Report::default(), is_read: vec![false; text.lines().count()] };
    let is_read = &mut pasted.is_read;
    let end = |number: u32, line: &str| match at(number).and_then(|at| ends.get(at)) {
        _ if is_fence(line) => End::Here,
        Some(true) => End::Above,
        _ => End::No,
    };
    let read = read_lines(
        text.as_bytes(),
        NAME,
        None,
        &mut pasted.report,
        &mut Watch {
            ends: Some(&end),
            is_read: &mut |lines| {
                for number in lines {
                    if let Some(is_read) = at(number).and_then(|at| is_read.get_mut(at)) {
                        *is_read = true;
                    }
                }
            },
        },
    );
    // Text in memory can be read; that nothing in it was recognised is what most texts are.
    if read.is_err() { Pasted::default() } else { pasted }
}

/// The place of a line in a list.
fn at(number: u32) -> Option<usize> {
    number.checked_sub(1).map(|at| at as usize)
}

/// Whether a line begins or ends a fence. `~~~^^^` points at code in a traceback.
fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    FENCES.iter().any(|fence| line.starts_with(fence)) && !line.contains('^')
}

/// Which lines end what a tool wrote above them without saying so, as where a log was cut off: below an empty line a sentence, and no line
/// behind that is of a tool by itself. `is_read` is as it is without them.
fn ends(text: &str, is_read: &[bool]) -> Vec<bool> {
    let lines: Vec<&str> = text.lines().collect();
    let may_end = |at: usize| {
        let is_below_empty = at > 0 && lines[at - 1].trim().is_empty();
        is_read.get(at) == Some(&true) && is_below_empty && is_sentence(lines[at])
    };
    let mut ends: Vec<bool> = (0..lines.len()).map(may_end).collect();
    if !ends.contains(&true) {
        return Vec::new();
    }
    let again = read(text, &ends).is_read;
    let mut is_tool_behind = false;
    for at in (0..lines.len()).rev() {
        is_tool_behind = !is_fence(lines[at]) && (is_tool_behind || again.get(at) == Some(&true));
        ends[at] &= !is_tool_behind;
    }
    ends
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

    #[test]
    fn what_somebody_writes_below_a_log_that_was_cut_off_is_no_part_of_it() {
        let logs = [
            "running 2 tests\ntest a::early ... ok\ntest a::late ... FAILED\n\nfailures:\n\n---- a::late stdout ----\n\
             thread 'a::late' panicked at src/a.rs:7:5:\nassertion failed: is_late\n",
            "=== RUN   TestLate\n    a_test.go:7: want 1\n--- FAIL: TestLate (0.00s)\n    a_test.go:8: got 2\n",
            "__________ test_late __________\n\n    def test_late():\n>       assert f() == 1\nE       assert 2 == 1\n",
            " FAIL  src/a.test.ts > late\nAssertionError: expected 2 to be 1\n ❯ src/a.test.ts:7:5\n",
            "        FAIL [   0.005s] shop::it late\n--- STDERR:              shop::it late ---\n\
             thread 'late' panicked at src/a.rs:7:5:\nboom\n",
        ];
        let said =
            "It began with the last release, before that all was well.\n\nCan the clock be wrong? The server runs in Kabul.\n";
        for log in logs {
            let alone = pasted(log);
            assert!(!alone.report.tests.is_empty(), "{log}");
            let text = format!("A test fails:\n\n{log}\n{said}");
            let pasted = pasted(&text);
            let first = text.lines().position(|line| line.starts_with("It began")).unwrap();
            assert!(pasted.is_read[..first].contains(&true) && !pasted.is_read[first..].contains(&true), "{text}");
            let message = &pasted.report.tests[0].message;
            assert!(pasted.report.tests.len() == alone.report.tests.len() && !message.contains("Kabul"), "{message}");
        }
    }

    #[test]
    fn a_sentence_inside_of_a_log_does_not_end_it() {
        let text = "See:\n\nrunning 2 tests\ntest a ... FAILED\ntest b ... FAILED\n\nfailures:\n\n---- a stdout ----\n\
                    The clock of the server is wrong.\n\nIt runs in another zone today.\n\nthread 'a' panicked at src/a.rs:7:5:\nboom\n\n\
                    ---- b stdout ----\nthread 'b' panicked at src/b.rs:8:5:\nboom\n\n\nThat is all I have from the job.\n";
        let pasted = pasted(text);
        let places: Vec<_> = pasted.report.tests.iter().filter_map(|test| Some(test.place.as_ref()?.path.as_str())).collect();
        assert_eq!(places, ["src/a.rs", "src/b.rs"]);
        let last = pasted.is_read.len() - 1;
        assert!(!pasted.is_read[last] && pasted.is_read[11], "{:?}", pasted.is_read);
    }
}
