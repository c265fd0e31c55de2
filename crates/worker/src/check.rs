//! One check: the loop that reads and checks, and the answers to questions about it.

use std::cell::{Cell, RefCell, RefMut};
use std::io;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_blob::{FileSnapshot, MOST_SLICES, SyncSource, VerifiedReader, now};
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_wire::fix::EditPlan;
use evalcheck_wire::report::Report;
use evalcheck_wire::view::{Attachment, Judged, Lines, Record};
use evalcheck_wire::worker::{CheckId, CheckOptions, Event};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use crate::progress::ProgressReporter;
use crate::purpose::Purpose;
use crate::{port, watch};

/// Bytes that the engine gets at a time. In between, progress is posted and the event loop gets its turn.
const PIECE: usize = 256 << 10;

/// Findings in one event.
const MOST_FINDINGS: usize = 200;

/// Why there is no file of a dataset that could not be read.
const NOT_READ: &str = "The file could not be read to its end.";

/// A check that is running, or has finished and answers questions.
pub(crate) struct FileCheck {
    id: CheckId,
    file: Blob,
    snapshot: FileSnapshot,
    started: f64,
    check: RefCell<Check>,
    source: RefCell<SyncSource>,
    /// The report was posted, or is not wanted any more.
    ended: Cell<bool>,
    /// What it is made for.
    purpose: RefCell<Purpose>,
    /// It is made for its report.
    is_for_report: bool,
}

impl FileCheck {
    /// Opens the file.
    pub(crate) fn start(
        id: CheckId,
        file: Blob,
        snapshot: FileSnapshot,
        mut options: CheckOptions,
        purpose: Purpose,
    ) -> Result<Rc<Self>, String> {
        if !matches!(purpose, Purpose::Report) {
            // Each has its own fix. They are taken as they come, so that all of them need no memory.
            options.all = true;
        }
        let started = now();
        let name = name_of(&file);
        let mut source = SyncSource::new(file.clone(), snapshot.size)?;
        let mut check = Check::open(&mut source, FileInfo { name, size: snapshot.size }, options);
        purpose.prepare(&mut check);
        // A file that was deleted after the drop may look empty without an error.
        if let Some(why) = snapshot.changed(&file).filter(|_| check.next_range().is_some()) {
            check.fail(&why);
        }
        watch::note(id, &check.progress());
        Ok(Rc::new(Self {
            id,
            file,
            snapshot,
            started,
            check: RefCell::new(check),
            source: RefCell::new(source),
            ended: Cell::new(false),
            is_for_report: matches!(purpose, Purpose::Report),
            purpose: RefCell::new(purpose),
        }))
    }

    pub(crate) fn check(&self) -> RefMut<'_, Check> {
        self.check.borrow_mut()
    }

    fn source(&self) -> RefMut<'_, SyncSource> {
        self.source.borrow_mut()
    }

    pub(crate) const fn id(&self) -> CheckId {
        self.id
    }

    /// Reads and checks the file to its end, and posts the report.
    pub(crate) async fn run(self: Rc<Self>) {
        let mut reader = VerifiedReader::new(self.file.clone(), self.snapshot);
        let mut progress = match ProgressReporter::new() {
            Ok(progress) => progress,
            Err(why) => return watch::died(&why),
        };
        // The report already says that the file could not be read.
        let failed_to_open = self.next_range().is_none() && !self.check().report().checked;
        while let Some(wanted) = self.next_range() {
            let read = reader.read(wanted.clone()).await;
            if self.ended.get() {
                return;
            }
            match read {
                Ok(bytes) => self.feed(wanted.start, bytes, &mut progress).await,
                Err(why) => self.check().fail(&why),
            }
        }
        if !failed_to_open
            && let Err(why) = reader.finish().await
            && !self.ended.get()
        {
            self.check().fail(&why);
        }
        if self.ended.get() {
            return;
        }
        let is_read = self.check().is_read();
        if self.is_export() {
            export(self.id, if is_read { self.invalid_records() } else { Err(NOT_READ.to_owned()) });
            self.end();
        } else if self.is_for_report || !is_read {
            self.finish(|job, report, elapsed_ms| Event::Report { job, report, elapsed_ms });
        } else {
            self.change().await;
            self.end();
        }
    }

    fn is_export(&self) -> bool {
        matches!(*self.purpose.borrow(), Purpose::InvalidRecords(_))
    }

    /// The records with errors, as lines of JSON.
    fn invalid_records(&self) -> Result<Blob, String> {
        let mut purpose = self.purpose.borrow_mut();
        purpose.take(&self.check().report().findings);
        let made = purpose.invalid_records(&self.check(), &mut self.source());
        made.map_err(|error| error.to_string())
    }

    /// The change that the check was made for, and how many fixes or records it is.
    fn plan(&self) -> io::Result<(EditPlan, u64)> {
        let mut purpose = self.purpose.borrow_mut();
        purpose.take(&self.check().report().findings);
        purpose.plan(&self.check(), &mut self.source())
    }

    /// Changes the file, now that all of it is read.
    async fn change(&self) {
        let job = self.id;
        match self.plan() {
            Ok((plan, fixes)) => {
                let is_made = plan.changes_archive(&self.check().report())
                    || plan.conversion().is_some()
                    || plan.edits() > MOST_SLICES;
                if !plan.is_empty() && is_made {
                    self.apply(job, plan, fixes).await;
                } else {
                    port::post(&Event::Edits { job, edits: plan.into_edits(), fixes });
                }
            }
            Err(error) => port::post(&Event::NotFixed { job, why: error.to_string() }),
        }
    }

    /// Makes the file with a plan applied, which is so many fixes, and posts it as the answer to a job.
    pub(crate) async fn apply(&self, job: CheckId, plan: EditPlan, fixes: u64) {
        let made = evalcheck_blob::apply_fixes(&self.file, &self.check, plan).await.and_then(|blob| {
            let parts = Array::of1(&blob);
            let file = File::new_with_blob_sequence(&parts, &name_of(&self.file));
            file.map_err(|error| evalcheck_blob::in_words(&error))
        });
        match made {
            Ok(file) => port::post_file(&Event::Fixed { job, fixes }, &file),
            Err(why) => port::post(&Event::NotFixed { job, why }),
        }
    }

    fn next_range(&self) -> Option<Range<u64>> {
        if self.ended.get() { None } else { self.check().next_range() }
    }

    /// Feeds the bytes from `at` on to the engine, piece by piece.
    async fn feed(&self, mut at: u64, mut bytes: Uint8Array, progress: &mut ProgressReporter) {
        // The engine may continue elsewhere in the file.
        while bytes.length() > 0 && self.next_range().is_some_and(|wanted| wanted.start == at) {
            let length = self.feed_piece(&bytes);
            at += u64::from(length);
            bytes = bytes.subarray(length, bytes.length());
            progress.after_piece(self).await;
        }
    }

    /// Feeds one piece to the engine; returns its length.
    fn feed_piece(&self, bytes: &Uint8Array) -> u32 {
        let mut check = self.check();
        let length = evalcheck_blob::copy(bytes, check.buffer(PIECE));
        check.commit(length as usize);
        watch::note(self.id, &check.progress());
        if !self.is_for_report {
            self.purpose.borrow_mut().take(&check.take_findings(0));
        }
        length
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

    fn finish(&self, event: impl FnOnce(CheckId, Report, f64) -> Event) {
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

    pub(crate) fn record(&self, line: u64, at: Option<u64>) -> io::Result<Option<Record>> {
        self.check().record_around(&mut *self.source(), line, at)
    }

    pub(crate) fn judge(&self, line: u64, text: &str) -> io::Result<Option<Judged>> {
        self.check().judge(&mut *self.source(), line, text)
    }

    pub(crate) fn attachment(&self, entry: &str, most: usize) -> Result<(Attachment, Vec<u8>), String> {
        self.check().attachment(&mut *self.source(), entry, most)
    }
}

/// Posts a file that was asked for, or why there is none.
pub(crate) fn export(job: CheckId, made: Result<Blob, String>) {
    let named = made.and_then(|blob| {
        let file = File::new_with_blob_sequence(&Array::of1(&blob), "export");
        file.map_err(|error| evalcheck_blob::in_words(&error))
    });
    match named {
        Ok(file) => port::post_file(&Event::Exported { job }, &file),
        Err(why) => port::post(&Event::NotExported { job, why }),
    }
}

/// The name of the file; blobs have none.
pub(crate) fn name_of(file: &Blob) -> String {
    file.dyn_ref::<File>().map_or_else(|| "dataset".to_owned(), File::name)
}
