//! The `activate` command: hands over to the command line of the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
