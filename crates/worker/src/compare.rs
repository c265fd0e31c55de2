//! Compares the records of two versions of a file.

use std::cell::RefCell;
use std::io;

use evalcheck_blob::{FileSnapshot, Macrotask, SyncSource, Throttle, VerifiedReader};
use evalcheck_engine::check::FileInfo;
use evalcheck_engine::compare::{Compare, Compared, Step};
use evalcheck_wire::compare::{Difference, DifferenceKind};
use evalcheck_wire::question::{Advance, Answer};
use evalcheck_wire::worker::{CheckOptions, RequestId};
use web_sys::Blob;

use crate::check::name_of;
use crate::jobs::{Jobs, STOPPED, post_advance};
use crate::progress::{PROGRESS_EVERY, TURN_EVERY};

/// Bytes that are read of one version before it is the turn of the other.
const PIECE: usize = 256 << 10;

/// The last comparison that has ended, which lists the records that differ.
#[derive(Default)]
pub(crate) struct Comparisons(RefCell<Option<Ended>>);

/// A comparison that has ended.
struct Ended {
    request: RequestId,
    compared: Compared,
    /// The older version, and the newer one.
    sources: [SyncSource; 2],
}

impl Comparisons {
    /// Forgets the results of a comparison.
    pub(crate) fn forget(&self, request: RequestId) {
        self.0.borrow_mut().take_if(|ended| ended.request == request);
    }

    /// Returns records that differ.
    pub(crate) fn list(
        &self,
        request: RequestId,
        kind: Option<DifferenceKind>,
        from: u64,
        count: u32,
    ) -> io::Result<Vec<Difference>> {
        match &mut *self.0.borrow_mut() {
            Some(Ended { request: of, compared, sources }) if *of == request => {
                compared.page(sources, kind, from, count)
            }
            _ => Err(io::Error::other("The comparison is not known any more.")),
        }
    }

    /// Compares an older version with a newer one, and returns the differences.
    pub(crate) async fn compare(
        &self,
        request: RequestId,
        options: CheckOptions,
        versions: [(Blob, FileSnapshot); 2],
        jobs: &Jobs,
    ) -> Result<Answer, String> {
        self.0.replace(None);
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
        let mut compare = Compare::new(files, options, Compare::LISTED).with_means();
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
            if !jobs.is_wanted(request) {
                return Err(STOPPED.to_owned());
            }
            if progress.is_due() {
                let (bytes, total_bytes) = compare.progress();
                let pass = u32::try_from(compare.part()).unwrap_or(u32::MAX);
                post_advance(request, Advance { bytes, total_bytes, pass, ..Advance::default() });
            }
        }
        for reader in &readers {
            reader.finish().await?;
        }
        let (sums, compared) = compare.into_list();
        let Some(compared) = compared else {
            return Err(format!("They cannot be compared: {}.", sums.incomplete.join("; ")));
        };
        if jobs.is_wanted(request) {
            self.0.replace(Some(Ended { request, compared, sources }));
        }
        Ok(Answer::Comparison(Box::new(sums)))
    }
}
