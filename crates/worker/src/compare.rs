//! Compares the records of two versions of a file.

use std::cell::{Cell, RefCell};
use std::io;

use evalcheck_blob::{FileSnapshot, Macrotask, SyncSource, Throttle, VerifiedReader};
use evalcheck_engine::check::FileInfo;
use evalcheck_engine::compare::{Compare, Compared, Step};
use evalcheck_wire::compare::{ComparisonSums, Difference, DifferenceKind};
use evalcheck_wire::worker::{CheckId, CheckOptions, Event};
use web_sys::Blob;

use crate::check::name_of;
use crate::progress::{PROGRESS_EVERY, TURN_EVERY};
use crate::{port, watch};

/// Bytes that are read of one version before it is the turn of the other.
const PIECE: usize = 256 << 10;

/// The last comparison. It runs, or has ended and lists the records that differ.
#[derive(Default)]
pub(crate) struct Comparisons {
    /// The comparison that is wanted.
    wanted: Cell<Option<CheckId>>,
    last: RefCell<Option<Ended>>,
}

/// A comparison that has ended.
struct Ended {
    compared: Compared,
    /// The older version, and the newer one.
    sources: [SyncSource; 2],
}

impl Comparisons {
    /// Stops a comparison, and forgets what it found.
    pub(crate) fn end(&self, id: CheckId) {
        if self.wanted.get() == Some(id) {
            self.wanted.set(None);
            self.last.replace(None);
        }
    }

    /// Returns records that differ.
    pub(crate) fn list(
        &self,
        id: CheckId,
        kind: Option<DifferenceKind>,
        from: u64,
        count: u32,
    ) -> io::Result<Vec<Difference>> {
        match &mut *self.last.borrow_mut() {
            Some(Ended { compared, sources }) if self.wanted.get() == Some(id) => {
                compared.page(sources, kind, from, count)
            }
            _ => Err(io::Error::other("The comparison is not known any more.")),
        }
    }

    /// Compares an older version with a newer one until both are read or another comparison is wanted, and posts progress.
    pub(crate) async fn run(&self, id: CheckId, options: CheckOptions, versions: [(Blob, FileSnapshot); 2]) {
        self.wanted.set(Some(id));
        self.last.replace(None);
        match self.compare(id, options, versions).await {
            Ok(Some((sums, ended))) => {
                self.last.replace(Some(ended));
                port::post(&Event::Compared { id, sums: Box::new(sums) });
            }
            Ok(None) => {}
            Err(why) => port::post(&Event::NotCompared { id, why }),
        }
        watch::note_rest();
    }

    /// Returns the differences; `None` if they are no longer wanted.
    async fn compare(
        &self,
        id: CheckId,
        options: CheckOptions,
        versions: [(Blob, FileSnapshot); 2],
    ) -> Result<Option<(ComparisonSums, Ended)>, String> {
        let files =
            versions.each_ref().map(|(file, snapshot)| FileInfo { name: name_of(file), size: snapshot.size });
        let reader = |index: usize| {
            let (file, snapshot) = &versions[index];
            VerifiedReader::new(file.clone(), *snapshot)
        };
        let source = |index: usize| {
            let (file, snapshot) = &versions[index];
            SyncSource::new(file.clone(), snapshot.size)
        };
        let mut sources = [source(0)?, source(1)?];
        let mut readers = [reader(0), reader(1)];
        let mut compare = Compare::new(files, options, Compare::LISTED);
        let macrotask = Macrotask::new().map_err(|error| evalcheck_blob::in_words(&error))?;
        let (mut progress, mut turn) = (Throttle::every(PROGRESS_EVERY), Throttle::every(TURN_EVERY));
        while let Some(step) = compare.next() {
            match step {
                Step::Open(index) => {
                    readers[index] = reader(index);
                    compare.open(index, &mut sources[index]);
                }
                Step::Read(index) => {
                    let reader = &mut readers[index];
                    if let Some(range) = compare.check(index).and_then(|check| check.next_range()) {
                        reader.fetch(range).await?;
                        if let Some(check) = compare.check(index) {
                            check.read_piece(reader, PIECE);
                        }
                    }
                    compare.advance(index);
                }
            }
            if turn.is_due() {
                macrotask.turn().await;
            }
            if self.wanted.get() != Some(id) {
                return Ok(None);
            }
            if progress.is_due() {
                let (bytes, total_bytes) = compare.progress();
                let part = u32::try_from(compare.part()).unwrap_or(u32::MAX);
                port::post(&Event::Comparing { id, part, bytes, total_bytes });
            }
        }
        for reader in &readers {
            reader.finish().await?;
        }
        if self.wanted.get() != Some(id) {
            return Ok(None);
        }
        let (sums, compared) = compare.into_list();
        match compared {
            Some(compared) => Ok(Some((sums, Ended { compared, sources }))),
            None => Err(format!("They cannot be compared: {}.", sums.incomplete.join("; "))),
        }
    }
}
