//! Writes the catalogue of formats and rules as JSON: a file of the page, written by `cargo xtask build`. (An example
//! would do as well, but wants everything that tests depend on.)
//!
//! `cargo run -p evalcheck-engine --bin catalogue > catalogue.json`

use std::process::ExitCode;

fn main() -> ExitCode {
    let catalogue = evalcheck_engine::job::catalogue();
    match serde_json::to_writer(std::io::stdout().lock(), &catalogue) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write the catalogue: {error}");
            ExitCode::FAILURE
        }
    }
}
