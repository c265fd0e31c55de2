//! Parts as bytes: `evalcheck-part/2`.
//!
//! A line `evalcheck-part/2`, a line of JSON with the dataset and the range, then the known lines, then 8 bytes: the SipHash-1-3 of all
//! bytes before them under the key 0, little-endian. `docs/parts.md` describes it for other programs.

use evalcheck_formats::KeyedHash;
use evalcheck_wire::plan::PlannedDataset;
use serde_json::json;

use super::{Part, PartProblem, check_evalcheck};
use crate::check::known_lines::FoundLines;
use crate::numbers;
use evalcheck_records::KnownLines;

/// The first line.
const VERSION: &str = "evalcheck-part/2";

/// The beginning of the first line in all versions.
const NAME: &str = "evalcheck-part/";

/// The bytes of the hash at the end.
const HASH: usize = 8;

impl Part {
    /// The part as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = json!({ "dataset": self.dataset, "range": self.range });
        let mut bytes = format!("{VERSION}\n{head}\n").into_bytes();
        let mut end = self.range.0;
        for found in &self.found {
            let KnownLines { bytes: lines, lines: count, records } = found.lines();
            let length = lines.end - lines.start;
            for number in [lines.start - end, length, *count, *records] {
                numbers::write(&mut bytes, number);
            }
            for list in [found.encoded(), &found.encoded_statistics()] {
                numbers::write(&mut bytes, list.len() as u64);
                bytes.extend_from_slice(list);
            }
            end = lines.end;
        }
        let hash = KeyedHash::of_all_runs().hash(&bytes);
        bytes.extend_from_slice(&hash.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a part.
    ///
    /// # Errors
    /// The bytes are not a part, are of another version, or were changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartProblem> {
        let (version, after) =
            line(bytes).filter(|(line, _)| line.starts_with(NAME)).ok_or(PartProblem::NotAPart)?;
        if version != VERSION {
            return Err(PartProblem::OtherVersion { found: version.to_owned(), known: VERSION });
        }
        let (hashed, hash) = bytes.split_last_chunk::<HASH>().ok_or(PartProblem::Damaged)?;
        if KeyedHash::of_all_runs().hash(hashed) != u64::from_le_bytes(*hash) {
            return Err(PartProblem::Damaged);
        }
        let (head, left) = line(&after[..after.len() - HASH]).ok_or(PartProblem::Damaged)?;
        let (dataset, range) = read_head(head).ok_or(PartProblem::Damaged)?;
        check_evalcheck(&dataset)?;
        let found = read_found(left, range.0).ok_or(PartProblem::Damaged)?;
        Ok(Self { dataset, range, found })
    }
}

/// The first line, and the bytes after it.
fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = memchr::memchr(b'\n', bytes)?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

fn read_head(head: &str) -> Option<(PlannedDataset, (u64, u64))> {
    let mut head: serde_json::Value = serde_json::from_str(head).ok()?;
    let dataset = serde_json::from_value(head.get_mut("dataset")?.take()).ok()?;
    let range = serde_json::from_value(head.get_mut("range")?.take()).ok()?;
    Some((dataset, range))
}

/// The known lines. `None` if they are malformed; the hash excludes changes by chance.
fn read_found(mut left: &[u8], start: u64) -> Option<Vec<FoundLines>> {
    let mut found = Vec::new();
    let mut end = start;
    while !left.is_empty() {
        let mut number = || numbers::read(&mut left);
        let (gap, length, lines, records) = (number()?, number()?, number()?, number()?);
        let start = end.checked_add(gap)?;
        end = start.checked_add(length)?;
        let mut list = || {
            let length = numbers::read(&mut left)?;
            left.split_off(..usize::try_from(length).ok()?)
        };
        let (listed, statistics) = (list()?, list()?);
        let lines = KnownLines { bytes: start..end, lines, records };
        found.push(FoundLines::decode(lines, listed, statistics)?);
    }
    Some(found)
}
