//! The parts that the fuzz targets share: the oracles of the tests, and checks of whole files.

#[path = "../../crates/archive/src/tests/build.rs"]
pub mod build;
#[path = "../../crates/cli/tests/support/invariants.rs"]
pub mod invariants;
#[path = "../../crates/engine/tests/it/support/mod.rs"]
pub mod support;

use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_wire::worker::CheckOptions;

/// How many made-up formats there are besides the real ones: what a byte can choose from.
pub const MADE_FORMATS: usize = 240;

/// The check of a file that arrives in pieces of at most so many bytes. `format` as the command takes it; without one the
/// content decides.
pub fn check(bytes: &[u8], name: &str, format: Option<&str>, piece: usize) -> Check {
    let mut check = open(bytes, name, format);
    check.read_all(bytes, piece);
    check
}

/// The same before bytes are read.
pub fn open(bytes: &[u8], name: &str, format: Option<&str>) -> Check {
    let file = FileInfo { name: name.to_owned(), size: bytes.len() as u64 };
    let options = CheckOptions {
        format: format.map(str::to_owned),
        max_findings_per_code: Some(20),
        ..CheckOptions::default()
    };
    Check::open(&mut Cursor::new(bytes), file, options)
}

/// The element that a byte chooses, and the other bytes.
pub fn choose<'a, 'b, T>(from: &'a [T], data: &'b [u8]) -> Option<(&'a T, &'b [u8])> {
    let (&first, rest) = data.split_first()?;
    Some((&from[usize::from(first) % from.len()], rest))
}
