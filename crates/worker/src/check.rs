//! One check: the loop that reads and checks, and the questions that are answered in between.

use std::cell::{Cell, RefCell, RefMut};
use std::io;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_blob::{Chunks, Stamp, SyncSource, now};
use evalcheck_engine::job::{FileInfo, Job};
use evalcheck_wire::report::Report;
use evalcheck_wire::view::{Attachment, Lines, Record};
use evalcheck_wire::worker::{CheckOptions, Event, JobId};
use js_sys::Uint8Array;
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use crate::pace::Pace;
use crate::{port, watch};

/// The first read is small, so that what is wrong at the start of a file of any size shows at once.
const FIRST_READ: u32 = 128 << 10;

/// Bytes that the engine gets at a time; the clock is looked at in between.
const PIECE: u32 = 256 << 10;

/// Findings in one message.
const MOST_FINDINGS: usize = 200;

/// A check that runs, or that is done and answers questions.
pub(crate) struct Check {
    id: JobId,
    file: Blob,
    stamp: Stamp,
    started: f64,
    job: RefCell<Job>,
    source: RefCell<SyncSource>,
    /// The report was posted, or nobody wants it any more.
    ended: Cell<bool>,
    /// It is known that the file stayed the same, or the report says already that it was not read.
    settled: Cell<bool>,
}

impl Check {
    /// Looks at the file and makes ready.
    pub(crate) fn start(
        id: JobId,
        file: Blob,
        stamp: Stamp,
        options: CheckOptions,
    ) -> Result<Rc<Self>, String> {
        let started = now();
        let name = name_of(&file);
        let mut source = SyncSource::new(file.clone(), stamp.size)?;
        let mut job = Job::open(&mut source, FileInfo { name, size: stamp.size }, options);
        // A file that was deleted between drop and command may look empty without any error.
        if let Some(why) = stamp.changed(&file).filter(|_| job.wanted().is_some()) {
            job.read_failed(&why);
        }
        let settled = job.wanted().is_none() && !job.report().checked;
        watch::note(id, &job.progress());
        Ok(Rc::new(Self {
            id,
            file,
            stamp,
            started,
            job: RefCell::new(job),
            source: RefCell::new(source),
            ended: Cell::new(false),
            settled: Cell::new(settled),
        }))
    }

    // Each borrow checks that it is the only one, so it stands once.
    #[inline(never)]
    pub(crate) fn job(&self) -> RefMut<'_, Job> {
        self.job.borrow_mut()
    }

    #[inline(never)]
    fn source(&self) -> RefMut<'_, SyncSource> {
        self.source.borrow_mut()
    }

    pub(crate) const fn id(&self) -> JobId {
        self.id
    }

    /// Reads and checks to the end, and posts the report.
    pub(crate) async fn run(self: Rc<Self>) {
        let mut chunks = Chunks::new(self.file.clone(), self.stamp.size);
        let mut pace = match Pace::new() {
            Ok(pace) => pace,
            Err(why) => return watch::died(&why),
        };
        let mut most = FIRST_READ;
        while let Some(wanted) = self.wanted() {
            let read = chunks.read(wanted.clone(), most).await;
            if self.ended.get() {
                return;
            }
            let taken = match read {
                Ok(bytes) => self.take(wanted, &bytes, &mut pace).await,
                Err(why) => Err(self.stamp.changed(&self.file).unwrap_or(why)),
            };
            if self.ended.get() {
                return;
            }
            if let Err(why) = taken {
                self.job().read_failed(&why);
                self.settled.set(true);
            }
            most = u32::MAX;
            let mut job = self.job();
            if job.wanted().is_none() || job.should_settle() {
                job.settle(&mut *self.source());
            }
        }
        // An archive ends with its directory, which is not wanted again; so it is looked at when all is done.
        if !self.settled.get() {
            let verified = self.stamp.verify(&self.file).await;
            if self.ended.get() {
                return;
            }
            if let Err(why) = verified {
                self.job().read_failed(&why);
            }
        }
        self.finish(|job, report, elapsed_ms| Event::Report { job, report, elapsed_ms });
    }

    fn wanted(&self) -> Option<Range<u64>> {
        if self.ended.get() { None } else { self.job().wanted() }
    }

    /// Hands a chunk to the engine, piece by piece.
    async fn take(&self, wanted: Range<u64>, bytes: &Uint8Array, pace: &mut Pace) -> Result<(), String> {
        let end = wanted.start + u64::from(bytes.length());
        // The last bytes are not taken before it is known that all belong to one state of the file.
        if end >= self.stamp.size {
            self.stamp.verify(&self.file).await?;
            self.settled.set(true);
        }
        let mut rest = bytes.clone();
        let mut at = wanted.start;
        while rest.length() > 0 && !self.ended.get() {
            let n = self.feed(&rest);
            at += u64::from(n);
            rest = rest.subarray(n, rest.length());
            pace.keep(self).await;
            // The engine may have seen enough of this stretch and go on elsewhere.
            if self.wanted().is_none_or(|wanted| wanted.start != at) {
                break;
            }
        }
        Ok(())
    }

    /// Hands over one piece; returns its length.
    fn feed(&self, bytes: &Uint8Array) -> u32 {
        let mut job = self.job();
        let space = job.space(PIECE as usize);
        let n = u32::try_from(space.len()).unwrap_or(u32::MAX).min(bytes.length());
        bytes.subarray(0, n).copy_to(&mut space[..n as usize]);
        job.advance(n as usize);
        watch::note(self.id, &job.progress());
        n
    }

    /// Stops the check, at once: the loop finds it ended when its read comes back.
    pub(crate) fn cancel(&self) {
        if !self.ended.get() {
            self.job().cancel();
            self.finish(|job, report, elapsed_ms| Event::Cancelled { job, report, elapsed_ms });
        }
    }

    /// Nobody wants the report any more.
    pub(crate) fn end(&self) {
        self.ended.set(true);
        watch::note_rest();
    }

    fn finish(&self, event: impl FnOnce(JobId, Report, f64) -> Event) {
        if self.ended.replace(true) {
            return;
        }
        let mut report = self.job().report();
        while report.findings.len() > MOST_FINDINGS {
            let rest = report.findings.split_off(MOST_FINDINGS);
            let findings = std::mem::replace(&mut report.findings, rest);
            port::post(&Event::Findings { job: self.id, findings });
        }
        port::post(&event(self.id, report, now() - self.started));
        watch::note_rest();
    }

    pub(crate) fn lines(&self, from: u64, count: u32) -> io::Result<Lines> {
        self.job().lines(&mut *self.source(), from, count)
    }

    pub(crate) fn record(&self, line: u64) -> io::Result<Option<Record>> {
        self.job().record(&mut *self.source(), line)
    }

    pub(crate) fn attachment(&self, entry: &str, most: usize) -> Result<(Attachment, Vec<u8>), String> {
        self.job().attachment(&mut *self.source(), entry, most)
    }
}

/// The name that a file is checked under.
fn name_of(file: &Blob) -> String {
    file.dyn_ref::<File>().map_or_else(|| "dataset".to_owned(), File::name)
}
