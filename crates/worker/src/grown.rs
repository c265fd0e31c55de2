//! Keeps the known lines of the last checked file, for when it is checked again and has only grown.
//!
//! A file has only grown if it is longer, and the bytes at its beginning and before its former end are the same. A change in the middle is
//! not detected, so the page reports which bytes were not read again.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};

use evalcheck_engine::parts::Part;
use evalcheck_wire::worker::Event;

use crate::check::FileCheck;
use crate::port;

/// Bytes at the beginning and before the end that are compared.
const COMPARED: u64 = 64 << 10;

/// Known lines of a file, from its first byte on.
#[derive(Debug)]
struct Known {
    file_name: String,
    part: Part,
    marks: Marks,
}

/// The first and the last bytes of a file.
type Marks = [Vec<u8>; 2];

/// Keeps the known lines of one file.
#[derive(Debug, Default)]
pub(crate) struct GrowingFile(RefCell<Option<Known>>);

impl GrowingFile {
    /// Keeps the known lines of a check, if it has read its file to the end.
    pub(crate) fn keep(&self, check: &FileCheck) {
        let Some(part) = check.take_known().filter(|_| check.check().is_read()) else { return };
        let size = part.dataset().size;
        let Ok(marks) = marks(&mut *check.source(), size) else { return };
        self.0.replace(Some(Known { file_name: check.file_name(), part, marks }));
    }

    /// Passes the known lines to a check of the same file, if the file has only grown; drops them otherwise. Makes the check keep the known
    /// lines. Must be called before the file is read.
    pub(crate) fn start(&self, check: &FileCheck) {
        let known = self.0.take().and_then(|known| part_of_grown(known, check));
        if let Some(known) = &known {
            port::post(&Event::Known { id: check.id(), bytes: known.range().1 });
        }
        check.keep_known(known);
    }
}

/// The known part of the file of a check, if the file has only grown.
fn part_of_grown(Known { file_name, part, marks: known }: Known, check: &FileCheck) -> Option<Part> {
    let dataset = check.dataset()?;
    let size = part.dataset().size;
    let is_longer = size < dataset.size && file_name == check.file_name();
    let is_same = is_longer && marks(&mut *check.source(), size).is_ok_and(|marks| marks == known);
    part.of_longer(&dataset).filter(|_| is_same)
}

/// The marks of the first `size` bytes of a file.
fn marks(file: &mut (impl Read + Seek), size: u64) -> io::Result<Marks> {
    let mut read = |start: u64, end: u64| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(end - start).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    Ok([read(0, size.min(COMPARED))?, read(size.saturating_sub(COMPARED), size)?])
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn marks_are_the_first_and_last_bytes() {
        let mut data: Vec<u8> = (0..200_000_u32).map(|byte| (byte % 251) as u8).collect();
        let of = |data: &[u8], size| marks(&mut Cursor::new(data), size).unwrap();
        let before = of(&data, 150_000);
        assert_eq!(before[0], data[..65_536]);
        assert_eq!(before[1], data[150_000 - 65_536..150_000]);
        data[149_999] ^= 1;
        assert_ne!(of(&data, 150_000), before);
        assert_eq!(of(b"short", 5), [b"short".to_vec(), b"short".to_vec()]);
    }
}
