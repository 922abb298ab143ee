//! Lines with which other programs end what a test writes, where its runner was stopped before it could.
//!
//! Must not hold what tests write often themselves, such as messages of compilers without a number.

/// What a failed package and a failed test of Go begin with, and how long such a test ran.
const GO_PACKAGE: &str = "FAIL\t";
const GO_TEST: &str = "--- FAIL: ";
const SECONDS: &str = "s)";
/// What make says of a command that failed, and tsc behind a place.
const MAKE: [&str; 2] = ["make: *** ", "make["];
const MAKE_FAILED: &str = "]: *** ";
const TSC: &str = "): error TS";

/// Whether a line is surely of another program.
pub(super) fn is_of_others(text: &str) -> bool {
    let is_make = || text.starts_with(MAKE[0]) || text.starts_with(MAKE[1]) && text.contains(MAKE_FAILED);
    let is_tsc = || text.split_once(TSC).is_some_and(|(place, _)| place.contains('(') && !place.starts_with(char::is_whitespace));
    let is_go = text.starts_with(GO_PACKAGE) || text.starts_with(GO_TEST) && text.ends_with(SECONDS);
    is_go || is_make() || is_tsc()
}
