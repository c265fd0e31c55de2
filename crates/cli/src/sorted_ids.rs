//! The repeated ids of a dataset whose ids do not fit in memory: sorted in files.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use evalcheck_engine::seen_ids::IdHash;

use crate::texts::describe;

/// The most ids that are sorted in memory: 192 MiB.
const MOST: usize = 16 << 20;

/// Ids in files, each of them sorted. An id takes 12 bytes of disk.
#[derive(Debug)]
pub(crate) struct SortedIds {
    folder: PathBuf,
    /// Ids that are in no file yet.
    held: Vec<IdHash>,
    /// The most ids in `held`.
    most: usize,
    files: Vec<File>,
}

impl SortedIds {
    /// Keeps the ids in unnamed files in this folder, which are deleted when this is dropped.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), held: Vec::new(), most: MOST, files: Vec::new() }
    }

    /// Adds ids.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn add(&mut self, ids: &[IdHash]) -> io::Result<()> {
        self.held.extend_from_slice(ids);
        if self.held.len() < self.most { Ok(()) } else { self.write() }
    }

    fn write(&mut self) -> io::Result<()> {
        let folder = self.folder.display().to_string();
        let failed = |error: &io::Error| {
            io::Error::other(format!("ids cannot be sorted in {folder}: {}", describe(error)))
        };
        self.write_file().map_err(|error| failed(&error))
    }

    fn write_file(&mut self) -> io::Result<()> {
        self.held.sort_unstable();
        let mut file = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for id in self.held.drain(..) {
            file.write_all(&id.to_bytes())?;
        }
        let mut file = file.into_inner()?;
        file.rewind()?;
        self.files.push(file);
        Ok(())
    }

    /// The ids that were added more than once, in order.
    ///
    /// # Errors
    /// They cannot be written or read.
    pub(crate) fn repeated(mut self) -> io::Result<Vec<IdHash>> {
        self.write()?;
        let mut files: Vec<_> = self.files.into_iter().map(BufReader::new).collect();
        let mut firsts = BinaryHeap::new();
        for (file, bytes) in files.iter_mut().enumerate() {
            firsts.extend(next(bytes)?.map(|id| Reverse((id, file))));
        }
        let mut repeated: Vec<IdHash> = Vec::new();
        let mut last = None;
        while let Some(Reverse((id, file))) = firsts.pop() {
            if last == Some(id) && repeated.last() != Some(&id) {
                repeated.push(id);
            }
            last = Some(id);
            firsts.extend(next(&mut files[file])?.map(|id| Reverse((id, file))));
        }
        Ok(repeated)
    }
}

/// The next id of a file; `None` at its end.
fn next(file: &mut impl Read) -> io::Result<Option<IdHash>> {
    let mut bytes = [0; IdHash::BYTES];
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(IdHash::from_bytes(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use evalcheck_engine::seen_ids::SeenIds;

    use super::*;

    #[test]
    fn repeated_ids_are_found_across_files() {
        let mut random = fastrand::Rng::with_seed(1);
        let ids = SeenIds::default();
        for (count, most) in [(0, 10), (10, 100), (1_000, 7), (5_000, 1_000)] {
            let mut sorted = SortedIds { most, ..SortedIds::new(&std::env::temp_dir()) };
            let mut counts: BTreeMap<IdHash, u32> = BTreeMap::new();
            for _ in 0..count {
                let id = ids.hash([random.u32(0..2_000).to_le_bytes()]);
                *counts.entry(id).or_default() += 1;
                sorted.add(&[id]).unwrap();
            }
            assert_eq!(sorted.files.len(), count / most);
            let wanted: Vec<_> =
                counts.into_iter().filter(|(_, count)| *count > 1).map(|(id, _)| id).collect();
            assert_eq!(sorted.repeated().unwrap(), wanted, "{count} ids, {most} in memory");
        }
    }
}
