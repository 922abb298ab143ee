//! What tools write, in the form that is named first or in whichever it is.
#![no_main]

use signals::{Report, formats, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else { return };
    let names: Vec<&str> = formats().collect();
    let format = names.get(usize::from(*first)).copied();
    let mut report = Report::default();
    read(text, "input", format, &mut report).expect("bytes can be read");
    report.should_say_something();
});
