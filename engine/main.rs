//! The `activate` command: hands over to the command line of the library.

use std::process::ExitCode;

#[expect(unsafe_code, reason = "the parser's memory is counted from the first byte on")]
fn main() -> ExitCode {
    // SAFETY: there is one thread, and nothing has used the parser yet.
    unsafe { activate_grammars::meter_parser() };
    cli::main()
}
