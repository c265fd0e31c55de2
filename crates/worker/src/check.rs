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

use crate::helper::Help;
use crate::inflate::{self, Deflated};
use crate::pace::Pace;
use crate::split::{self, Split};
use crate::team::{Helper, Helpers, Inflating, Team};
use crate::{port, watch};

/// The first read is small, so that what is wrong at the start of a file of any size shows at once.
const FIRST_READ: u32 = 128 << 10;

/// Bytes that the engine gets at a time; the clock is looked at in between.
pub(crate) const PIECE: u32 = 256 << 10;

/// Findings in one message.
const MOST_FINDINGS: usize = 200;

/// Who may help.
pub(crate) struct Sharing<'a> {
    pub(crate) helpers: &'a Rc<Helpers>,
    /// At most so many of them.
    pub(crate) most: u32,
    /// Also those that are still loading, for which one has to wait.
    pub(crate) wait: bool,
}

/// A check that runs, or that is done and answers questions.
pub(crate) struct Check {
    id: JobId,
    file: Blob,
    stamp: Stamp,
    started: f64,
    job: RefCell<Job>,
    source: RefCell<SyncSource>,
    /// Those who help with a large file.
    team: RefCell<Option<Rc<Team>>>,
    /// Who inflates the dataset of an archive.
    inflating: RefCell<Option<Rc<Inflating>>>,
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
        options: &CheckOptions,
        sharing: &Sharing<'_>,
    ) -> Result<Rc<Self>, String> {
        let started = now();
        let name = name_of(&file);
        let mut source = SyncSource::new(file.clone(), stamp.size)?;
        let mut job = Job::open(&mut source, FileInfo { name, size: stamp.size }, options.clone());
        let team = job
            .has_lines_or_rows()
            .then(|| Self::team(&file, stamp, options, sharing, job.taking()))
            .flatten();
        let inflating = Self::inflating(&file, stamp, &mut job, sharing);
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
            team: RefCell::new(team.map(Rc::new)),
            inflating: RefCell::new(inflating.map(Rc::new)),
            ended: Cell::new(false),
            settled: Cell::new(settled),
        }))
    }

    /// Asks helpers to begin, when the file is large enough to be split.
    fn team(
        file: &Blob,
        stamp: Stamp,
        options: &CheckOptions,
        sharing: &Sharing<'_>,
        taking: u8,
    ) -> Option<Team> {
        if sharing.most == 0 || !split::is_long(stamp.size) {
            return None;
        }
        let help = |split: Split, helper| Help {
            file: file.clone(),
            stamp,
            options: options.clone(),
            split,
            helper,
        };
        sharing.helpers.team(help, stamp.size, sharing.most, taking)
    }

    /// Asks a helper to inflate the dataset, when there is enough of it.
    fn inflating(file: &Blob, stamp: Stamp, job: &mut Job, sharing: &Sharing<'_>) -> Option<Inflating> {
        let is_long = job.wanted().is_some_and(|wanted| wanted.end - wanted.start >= inflate::LEAST);
        if sharing.most == 0 || !is_long {
            return None;
        }
        let bytes = job.lend()?;
        let deflated = Deflated { file: file.clone(), stamp, bytes };
        let inflating = sharing.helpers.inflating(&deflated, sharing.wait);
        if inflating.is_none() {
            job.take_back();
        }
        inflating
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

    /// See [`split::is_long`].
    pub(crate) const fn is_long(&self) -> bool {
        split::is_long(self.stamp.size)
    }

    /// Reads and checks to the end, and posts the report.
    pub(crate) async fn run(self: Rc<Self>) {
        let mut chunks = Chunks::new(self.file.clone(), self.stamp.size);
        let mut pace = match Pace::new() {
            Ok(pace) => pace,
            Err(why) => return watch::died(&why),
        };
        self.take_inflated(&mut pace).await;
        let mut most = FIRST_READ;
        while let Some(wanted) = self.wanted() {
            let taken = match self.helper_at(&mut pace).await {
                Ok(helper) => self.follow(&helper, wanted.start, &mut pace).await,
                Err(end) => {
                    chunks.end_at(end);
                    let read = chunks.read(wanted.start..wanted.end.min(end), most).await;
                    if self.ended.get() {
                        return;
                    }
                    match read {
                        Ok(bytes) => self.take(wanted, &bytes, &mut pace).await,
                        Err(why) => Err(self.stamp.changed(&self.file).unwrap_or(why)),
                    }
                }
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
        self.dismiss(true);
        self.finish(|job, report, elapsed_ms| Event::Report { job, report, elapsed_ms });
    }

    /// Who digests what is wanted next; where nobody does, the byte up to which that is so.
    async fn helper_at(&self, pace: &mut Pace) -> Result<Rc<Helper>, u64> {
        let team = self.team.borrow().clone();
        let (Some(team), Some(wanted)) = (team, self.wanted()) else { return Err(self.stamp.size) };
        let (stretch, helper) = team.at(wanted.start);
        if let Some(helper) = helper {
            return Ok(Rc::clone(helper));
        }
        if stretch.helper.is_some() && stretch.bytes.start == wanted.start {
            // Its message may be waiting.
            pace.turn().await;
            if let (_, Some(helper)) = team.at(wanted.start) {
                return Ok(Rc::clone(helper));
            }
        }
        Err(stretch.bytes.end)
    }

    /// Takes what a helper has digested. Where it does not come, nothing is taken.
    async fn follow(&self, helper: &Helper, at: u64, pace: &mut Pace) -> Result<(), String> {
        let Some(digest) = helper.digest(at).await else { return Ok(()) };
        if digest.bytes.end >= self.stamp.size {
            self.stamp.verify(&self.file).await?;
            self.settled.set(true);
        }
        if self.ended.get() {
            return Ok(());
        }
        {
            let mut job = self.job();
            job.take_digest(&digest.digest.to_vec(), &mut *self.source());
            watch::note(self.id, &job.progress());
        }
        // Where most lines have to be explained, a helper only passes them on, and takes a processor from the page.
        let length = u64::from(digest.digest.length());
        helper.give_back(&digest.digest);
        if length > u64::from(PIECE / 2) && length > (digest.bytes.end - digest.bytes.start) / 2 {
            self.dismiss(false);
        }
        pace.keep(self).await;
        Ok(())
    }

    /// Takes what a helper inflates, to the end of the dataset. Where it does not come, or is not what it should be, the
    /// check goes on by itself.
    async fn take_inflated(&self, pace: &mut Pace) {
        let Some(inflating) = self.inflating.borrow().clone() else { return };
        while self.job().lent() && !self.ended.get() {
            let next = inflating.next().await;
            if self.ended.get() {
                return;
            }
            let is_right = match next {
                Some(inflated) => {
                    let is_taken = self.feed_inflated(&inflated.contents, pace).await;
                    inflating.give_back(&inflated);
                    is_taken && self.job().inflated(inflated.consumed, inflated.ended)
                }
                None => false,
            };
            if self.ended.get() {
                return;
            }
            let mut job = self.job();
            if !is_right {
                job.take_back();
            }
            if job.should_settle() {
                job.settle(&mut *self.source());
            }
        }
        self.inflating.take();
    }

    /// Hands contents to the engine; false when there are more of them than there should be.
    async fn feed_inflated(&self, contents: &Uint8Array, pace: &mut Pace) -> bool {
        let mut at = 0;
        while at < contents.length() && !self.ended.get() {
            {
                let mut job = self.job();
                let space = job.inflated_space((contents.length() - at).min(PIECE) as usize);
                if space.is_empty() {
                    return false;
                }
                let n = space.len();
                let end = at + u32::try_from(n).unwrap_or(u32::MAX);
                contents.subarray(at, end).copy_to(space);
                job.advance_inflated(n);
                at = end;
                watch::note(self.id, &job.progress());
            }
            pace.keep(self).await;
        }
        true
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
            self.dismiss(false);
            self.job().cancel();
            self.finish(|job, report, elapsed_ms| Event::Cancelled { job, report, elapsed_ms });
        }
    }

    /// Nobody wants the report any more.
    pub(crate) fn end(&self) {
        self.ended.set(true);
        self.dismiss(false);
        watch::note_rest();
    }

    /// Lets the helpers go; `done` when there is nothing left that they would go on with.
    fn dismiss(&self, done: bool) {
        self.inflating.take();
        if let Some(team) = self.team.take()
            && done
        {
            team.done();
        }
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
pub(crate) fn name_of(file: &Blob) -> String {
    file.dyn_ref::<File>().map_or_else(|| "dataset".to_owned(), File::name)
}
