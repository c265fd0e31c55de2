//! Checks a file as the page does, for counting the instructions of that: `page_check FILE`. The page makes an index of all findings, and
//! reads pieces of 256 KiB.

use std::io::{Cursor, Error, Result};

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_wire::worker::CheckOptions;

/// As in `crates/blob/src/drive.rs`.
const PIECE: usize = 256 << 10;

fn main() -> Result<()> {
    let path = std::env::args().nth(1).ok_or_else(|| Error::other("page_check FILE"))?;
    let data = std::fs::read(&path)?;
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut check = Check::open(
        &mut Cursor::new(&data),
        FileInfo { name, size: data.len() as u64 },
        CheckOptions::default(),
    );
    check.index_findings();
    check.read_all(&data, PIECE);
    println!("{} records", check.report().counts.records);
    Ok(())
}
