//! One check: the loop that reads and checks, and the answers to questions about it.

use std::cell::{Cell, RefCell, RefMut};
use std::io;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_blob::{BlobReader, FileSnapshot, SyncSource, now};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_wire::report::Report;
use evalcheck_wire::view::{Attachment, Lines, Record};
use evalcheck_wire::worker::{CheckOptions, Event, JobId};
use js_sys::Uint8Array;
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use crate::progress::ProgressReporter;
use crate::{port, watch};

/// Bytes of the first read: few, so that findings at the start of a file show at once.
const FIRST_READ: u32 = 128 << 10;

/// Bytes that the engine gets at a time. In between, progress is posted and the event loop gets its turn.
const PIECE: u32 = 256 << 10;

/// Findings in one event.
const MOST_FINDINGS: usize = 200;

/// A check that is running, or has finished and answers questions.
pub(crate) struct FileCheck {
    id: JobId,
    file: Blob,
    snapshot: FileSnapshot,
    started: f64,
    check: RefCell<Check>,
    source: RefCell<SyncSource>,
    /// The report was posted, or is not wanted any more.
    ended: Cell<bool>,
    /// The file is known to be unchanged, or the report says already that it was not read.
    verified: Cell<bool>,
}

impl FileCheck {
    /// Opens the file.
    pub(crate) fn start(
        id: JobId,
        file: Blob,
        snapshot: FileSnapshot,
        options: CheckOptions,
    ) -> Result<Rc<Self>, String> {
        let started = now();
        let name = name_of(&file);
        let mut source = SyncSource::new(file.clone(), snapshot.size)?;
        let mut check = Check::open(&mut source, FileInfo { name, size: snapshot.size }, options);
        // A file that was deleted after the drop may look empty without an error.
        if let Some(why) = snapshot.changed(&file).filter(|_| check.next_range().is_some()) {
            check.fail(&why);
        }
        let verified = check.next_range().is_none() && !check.report().checked;
        watch::note(id, &check.progress());
        Ok(Rc::new(Self {
            id,
            file,
            snapshot,
            started,
            check: RefCell::new(check),
            source: RefCell::new(source),
            ended: Cell::new(false),
            verified: Cell::new(verified),
        }))
    }

    pub(crate) fn check(&self) -> RefMut<'_, Check> {
        self.check.borrow_mut()
    }

    fn source(&self) -> RefMut<'_, SyncSource> {
        self.source.borrow_mut()
    }

    pub(crate) const fn id(&self) -> JobId {
        self.id
    }

    /// Reads and checks the file to its end, and posts the report.
    pub(crate) async fn run(self: Rc<Self>) {
        let mut reader = BlobReader::new(self.file.clone(), self.snapshot.size);
        let mut progress = match ProgressReporter::new() {
            Ok(progress) => progress,
            Err(why) => return watch::died(&why),
        };
        let mut most = FIRST_READ;
        while let Some(wanted) = self.next_range() {
            let read = reader.read(wanted.clone(), most).await;
            if self.ended.get() {
                return;
            }
            let taken = match read {
                Ok(bytes) => self.take(wanted, &bytes, &mut progress).await,
                Err(why) => Err(self.snapshot.changed(&self.file).unwrap_or(why)),
            };
            if self.ended.get() {
                return;
            }
            if let Err(why) = taken {
                self.check().fail(&why);
                self.verified.set(true);
            }
            most = u32::MAX;
        }
        // The end of an archive is its directory, which is not read a second time, so `take` has not verified the file.
        if !self.verified.get() {
            let same = self.snapshot.verify(&self.file).await;
            if self.ended.get() {
                return;
            }
            if let Err(why) = same {
                self.check().fail(&why);
            }
        }
        self.finish(|job, report, elapsed_ms| Event::Report { job, report, elapsed_ms });
    }

    fn next_range(&self) -> Option<Range<u64>> {
        if self.ended.get() { None } else { self.check().next_range() }
    }

    /// Feeds a chunk to the engine, piece by piece.
    async fn take(
        &self,
        wanted: Range<u64>,
        bytes: &Uint8Array,
        progress: &mut ProgressReporter,
    ) -> Result<(), String> {
        let end = wanted.start + u64::from(bytes.length());
        // Verify before the last bytes are checked: all bytes of a report come from one state of the file.
        if end >= self.snapshot.size {
            self.snapshot.verify(&self.file).await?;
            self.verified.set(true);
        }
        let mut rest = bytes.clone();
        let mut at = wanted.start;
        while rest.length() > 0 && !self.ended.get() {
            let n = self.feed(&rest);
            at += u64::from(n);
            rest = rest.subarray(n, rest.length());
            progress.after_piece(self).await;
            // The engine may continue elsewhere in the file.
            if self.next_range().is_none_or(|wanted| wanted.start != at) {
                break;
            }
        }
        Ok(())
    }

    /// Feeds one piece to the engine; returns its length.
    fn feed(&self, bytes: &Uint8Array) -> u32 {
        let mut check = self.check();
        let space = check.buffer(PIECE as usize);
        let n = u32::try_from(space.len()).unwrap_or(u32::MAX).min(bytes.length());
        bytes.subarray(0, n).copy_to(&mut space[..n as usize]);
        check.commit(n as usize);
        watch::note(self.id, &check.progress());
        n
    }

    /// Stops the check at once. The loop notices when its read completes.
    pub(crate) fn cancel(&self) {
        if !self.ended.get() {
            self.check().cancel();
            self.finish(|job, report, elapsed_ms| Event::Cancelled { job, report, elapsed_ms });
        }
    }

    /// Ends the check without a report.
    pub(crate) fn end(&self) {
        self.ended.set(true);
        watch::note_rest();
    }

    fn finish(&self, event: impl FnOnce(JobId, Report, f64) -> Event) {
        if self.ended.replace(true) {
            return;
        }
        let mut report = self.check().report();
        while report.findings.len() > MOST_FINDINGS {
            let rest = report.findings.split_off(MOST_FINDINGS);
            let findings = std::mem::replace(&mut report.findings, rest);
            port::post(&Event::Findings { job: self.id, findings });
        }
        port::post(&event(self.id, report, now() - self.started));
        watch::note_rest();
    }

    pub(crate) fn lines(&self, from: u64, count: u32) -> io::Result<Lines> {
        self.check().lines(&mut *self.source(), from, count)
    }

    pub(crate) fn record(&self, line: u64) -> io::Result<Option<Record>> {
        self.check().record(&mut *self.source(), line)
    }

    pub(crate) fn attachment(&self, entry: &str, most: usize) -> Result<(Attachment, Vec<u8>), String> {
        self.check().attachment(&mut *self.source(), entry, most)
    }
}

/// The name of the file; blobs have none.
fn name_of(file: &Blob) -> String {
    file.dyn_ref::<File>().map_or_else(|| "dataset".to_owned(), File::name)
}
