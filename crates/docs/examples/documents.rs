//! Writes the documents that are made from the catalogue into a folder. `cargo xtask generate` runs it.
//!
//! `cargo run -p evalcheck-docs --example documents -- FOLDER`

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: documents FOLDER");
        return ExitCode::from(2);
    };
    for (name, text) in evalcheck_docs::all() {
        let path = folder.join(name);
        let written = std::fs::create_dir_all(path.parent().unwrap_or(&folder))
            .and_then(|()| std::fs::write(&path, text));
        if let Err(error) = written {
            eprintln!("cannot write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
