//! Writes the files generated from the types of this crate into a folder, for `cargo xtask generate`.
//!
//! `cargo run -p evalcheck-wire --features types --example types -- FOLDER`

use std::path::PathBuf;
use std::process::ExitCode;

use evalcheck_wire::types;

/// Declarations without a Rust type: options with functions, and datasets.
const WRITTEN_BY_HAND: &str = include_str!("../../js/options.d.ts");

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: types FOLDER");
        return ExitCode::from(2);
    };
    let declarations = format!(
        "// Made by `cargo xtask generate` from crates/js/options.d.ts and the types in crates/wire.\n\n{WRITTEN_BY_HAND}\n{}",
        types::typescript()
    );
    let files = [
        ("crates/js/types.d.ts", declarations),
        ("crates/py/python/evalcheck_datasets/_generated.py", types::python()),
        ("crates/wire/report.schema.json", format!("{:#}\n", types::report_schema())),
        ("crates/wire/comparison.schema.json", format!("{:#}\n", types::comparison_schema())),
    ];
    for (name, text) in files {
        // A description that links to a Rust item means nothing to others.
        if let Some(line) = text.lines().find(|line| line.contains("[`")) {
            eprintln!("{name}: this comment is for Rust only: {line}");
            return ExitCode::FAILURE;
        }
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
