//! The executable of the `evalcheck` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(evalcheck_cli::run(std::env::args_os()))
}
