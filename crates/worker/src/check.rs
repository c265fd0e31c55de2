//! One check of a file, and the answers to questions about it.

use std::cell::{Cell, RefCell, RefMut};
use std::ops::ControlFlow;
use std::rc::Rc;

use evalcheck_blob::{Ahead, FileSnapshot, SyncSource, now};
use evalcheck_engine::changed::ChangedRecords;
use evalcheck_engine::check::known_lines::OtherLines;
use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::parts::{Part, plan};
use evalcheck_engine::preview::View;
use evalcheck_engine::purpose::Purpose;
use evalcheck_report::Report;
use evalcheck_wire::plan::PlannedDataset;
use evalcheck_wire::worker::{CheckId, CheckOptions, Event};
use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use crate::changes::FileChanges;
use crate::helpers::Helpers;
use crate::progress::ProgressReporter;
use crate::schema::ENVIRONMENT;
use crate::{port, watch};

/// The maximum number of findings in one event.
const MOST_FINDINGS: usize = 200;

/// The error for a dataset that could not be read to its end.
pub(crate) const NOT_READ: &str = "The file could not be read to its end.";

/// A check that is running, or has finished and answers questions.
pub(crate) struct FileCheck {
    id: CheckId,
    file: Blob,
    snapshot: FileSnapshot,
    options: CheckOptions,
    started: f64,
    check: RefCell<Check>,
    source: RefCell<SyncSource>,
    /// The changes of the user to the file, if they are known.
    changes: RefCell<Option<Rc<FileChanges>>>,
    /// The known part of the file from its first byte on, before it is read and afterwards.
    known: RefCell<Option<Part>>,
    /// Whether it is wanted afterwards.
    keeps_known: Cell<bool>,
    /// The workers that find known lines while the file is read.
    helpers: RefCell<Option<Rc<Helpers>>>,
    /// The JSON Schema that fits the file, once the statistics were counted, if there is one.
    schema: RefCell<Option<String>>,
    /// Whether the report was posted or is no longer wanted.
    ended: Cell<bool>,
}

impl FileCheck {
    /// Opens the file.
    pub(crate) fn start(
        id: CheckId,
        file: Blob,
        snapshot: FileSnapshot,
        options: CheckOptions,
    ) -> Result<Rc<Self>, String> {
        let source = SyncSource::new(file.clone(), snapshot.size)?;
        Ok(Self::start_from(source, id, file, snapshot, options))
    }

    /// Opens the file of a source.
    pub(crate) fn start_from(
        mut source: SyncSource,
        id: CheckId,
        file: Blob,
        snapshot: FileSnapshot,
        options: CheckOptions,
    ) -> Rc<Self> {
        let started = now();
        let name = name_of(&file);
        let mut check = Check::open_in(
            &ENVIRONMENT,
            &mut source,
            FileInfo { name, size: snapshot.size },
            options.clone(),
        );
        // A file that was deleted after the drop may look empty without an error.
        if let Some(why) = snapshot.changed(&file).filter(|_| check.next_range().is_some()) {
            check.fail(&why);
        }
        watch::note(id, &check.progress());
        Rc::new(Self {
            id,
            file,
            snapshot,
            options,
            started,
            check: RefCell::new(check),
            source: RefCell::new(source),
            changes: RefCell::default(),
            known: RefCell::default(),
            keeps_known: Cell::default(),
            helpers: RefCell::default(),
            schema: RefCell::default(),
            ended: Cell::new(false),
        })
    }

    /// Makes the check index all findings, to list them. Must be called before the file is read.
    pub(crate) fn index_findings(&self) {
        self.check().index_findings();
    }

    /// Sets the changes of the file. Must be called before the file is read.
    pub(crate) fn note_changes(&self, changes: Rc<FileChanges>) {
        self.check().observe(ChangedRecords::new(changes.changes()));
        self.changes.replace(Some(changes));
    }

    /// Keeps the known part of the file from its first byte on. `known` is what is known already. Must be called before the file is read.
    pub(crate) fn keep_known(&self, known: Option<Part>) {
        self.keeps_known.set(true);
        self.known.replace(known);
    }

    /// Takes the known part of the file from its first byte on, after it was read.
    pub(crate) fn take_known(&self) -> Option<Part> {
        self.known.take()
    }

    /// The plan of the dataset for helpers; `None` if the dataset cannot be cut. Must be called before the file is read.
    pub(crate) fn dataset(&self) -> Option<PlannedDataset> {
        let check = self.check();
        let is_start = check.next_range().is_some_and(|wanted| wanted.start == 0);
        let dataset = plan(&check, "", None, &self.options, self.snapshot.size).dataset;
        (is_start && dataset.lines.is_some()).then_some(dataset)
    }

    /// Keeps the JSON Schema that fits the file.
    pub(crate) fn keep_schema(&self, schema: Option<String>) {
        self.schema.replace(schema);
    }

    /// Takes the JSON Schema that fits the file, if it is known.
    pub(crate) fn take_schema(&self) -> Option<String> {
        self.schema.take()
    }

    /// The changes of the user to the file, if they are known.
    pub(crate) fn changes(&self) -> Option<Rc<FileChanges>> {
        self.changes.borrow().clone()
    }

    /// The file, and its state when the check was started.
    pub(crate) fn file(&self) -> (Blob, FileSnapshot) {
        (self.file.clone(), self.snapshot)
    }

    /// The check. It must not be borrowed across an await.
    pub(crate) fn cell(&self) -> &RefCell<Check> {
        &self.check
    }

    pub(crate) fn check(&self) -> RefMut<'_, Check> {
        self.check.borrow_mut()
    }

    pub(crate) fn source(&self) -> RefMut<'_, SyncSource> {
        self.source.borrow_mut()
    }

    /// The name of the file.
    pub(crate) fn file_name(&self) -> String {
        name_of(&self.file)
    }

    pub(crate) const fn id(&self) -> CheckId {
        self.id
    }

    /// Reads and checks the file to its end, and posts the report.
    pub(crate) async fn run(self: Rc<Self>) {
        if self.read(|_| {}).await {
            self.report();
        }
    }

    /// Reads and checks the file to its end, and posts its progress. Returns false if the check was ended meanwhile.
    pub(crate) async fn read(&self, after_piece: impl FnMut(&mut Check)) -> bool {
        self.read_with(ProgressReporter::new, after_piece).await
    }

    /// Like [`read`](Self::read), without posting progress.
    pub(crate) async fn read_silently(&self, after_piece: impl FnMut(&mut Check)) -> bool {
        self.read_with(ProgressReporter::silent, after_piece).await
    }

    /// Reads a small file from the bytes that were read to open it, at once: they cannot have changed. Of many small files, streams would take
    /// most of the time.
    fn read_small(&self, mut after_piece: impl FnMut(&mut Check)) {
        while self.check().read_piece(&mut *self.source(), usize::MAX) {
            after_piece(&mut self.check());
        }
    }

    async fn read_with(
        &self,
        progress: fn() -> Result<ProgressReporter, String>,
        mut after_piece: impl FnMut(&mut Check),
    ) -> bool {
        // An archive may hold much.
        let is_plain = self.check().next_range() == Some(0..self.snapshot.size);
        if is_plain && SyncSource::holds_all(self.snapshot.size) {
            self.read_small(after_piece);
            return true;
        }
        let mut progress = match progress() {
            Ok(progress) => progress,
            Err(why) => {
                watch::died(&why);
                return false;
            }
        };
        let between = async || {
            if self.ended.get() {
                return ControlFlow::Break(());
            }
            watch::note(self.id, &self.check().progress());
            after_piece(&mut self.check());
            progress.after_piece(self.id, &self.check).await;
            if self.ended.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut grown = self.take_known();
        let start = |known: &Part| Helpers::start(known, &self.file, self.keeps_known.get());
        let helpers = match &grown {
            Some(known) => start(known),
            None if Helpers::are_worth_it(self.snapshot.size) => {
                self.dataset().and_then(|dataset| start(&Part::unread(dataset, (0, 0))))
            }
            None => None,
        };
        self.helpers.replace(helpers.clone());
        if helpers.is_none() {
            self.known.replace(grown.clone());
        }
        let next = async |last: Ahead| match (grown.take(), &helpers) {
            (Some(known), _) => Ahead::new(known.range().1, known.into_found(), OtherLines::default()),
            (None, Some(helpers)) => helpers.next(last).await,
            (None, None) => Ahead::nothing(u64::MAX),
        };
        let read = evalcheck_blob::drive_after(&self.check, &self.file, self.snapshot, next, between).await;
        self.end_helpers();
        if let Some(helpers) = helpers {
            self.known.replace(helpers.take_known());
        }
        read.is_continue() && !self.ended.get()
    }

    /// Reads the file for a purpose. Returns false if the check was ended meanwhile.
    ///
    /// # Errors
    /// The file could not be read to its end.
    pub(crate) async fn read_for(&self, purpose: &mut Purpose) -> Result<bool, String> {
        purpose.prepare(&mut self.check());
        if !self.read(|check| drop(purpose.take(check))).await {
            return Ok(false);
        }
        purpose.finish(&mut self.check());
        if self.check().is_read() { Ok(true) } else { Err(NOT_READ.to_owned()) }
    }

    /// The entry of the dataset, if the file is a ZIP.
    pub(crate) fn entry(&self) -> Option<String> {
        self.check().report().file.entry
    }

    /// Stops the check at once. The loop notices it after the current read.
    pub(crate) fn cancel(&self) {
        if !self.ended.get() {
            self.check().cancel();
            self.finish(|id, report, first_error, elapsed_ms| Event::Cancelled {
                id,
                report,
                first_error,
                elapsed_ms,
            });
        }
    }

    /// Posts the report.
    pub(crate) fn report(&self) {
        self.finish(|id, report, first_error, elapsed_ms| Event::Report {
            id,
            report,
            first_error,
            elapsed_ms,
        });
    }

    fn end_helpers(&self) {
        if let Some(helpers) = self.helpers.take() {
            helpers.end();
        }
    }

    /// Ends the check without a report.
    pub(crate) fn end(&self) {
        self.ended.set(true);
        self.end_helpers();
        watch::note_rest();
    }

    fn finish(&self, event: impl FnOnce(CheckId, Report, Option<u64>, f64) -> Event) {
        if self.ended.replace(true) {
            return;
        }
        self.end_helpers();
        let mut report = self.check().report();
        while report.findings.len() > MOST_FINDINGS {
            let rest = report.findings.split_off(MOST_FINDINGS);
            let findings = std::mem::replace(&mut report.findings, rest);
            port::post(&Event::Findings { id: self.id, findings });
        }
        let first_error = self.check().findings().and_then(|findings| findings.first_error());
        port::post(&event(self.id, report, first_error, now() - self.started));
        watch::note_rest();
    }

    /// Asks a view of the file, as far as the check has come.
    pub(crate) fn view<T>(&self, ask: impl FnOnce(&mut View<'_, SyncSource>) -> T) -> T {
        let (mut check, mut source) = (self.check(), self.source());
        ask(&mut check.view(&mut *source).with_decoders(evalcheck_blob::decoder))
    }

    /// Opens the file of this check again for a purpose, as the format that it was checked as.
    pub(crate) fn again(&self, id: CheckId, purpose: &Purpose) -> Result<Rc<Self>, String> {
        Self::start(id, self.file.clone(), self.snapshot, purpose.options(self.options()))
    }

    /// The options of this check, with the format that the file was checked as.
    pub(crate) fn options(&self) -> CheckOptions {
        let format = self.check().format();
        let named = |name: String| Some(name).filter(|name| !name.is_empty());
        CheckOptions { format: named(format.id), version: named(format.version), ..self.options.clone() }
    }
}

/// Posts an exported file, or why there is none.
pub(crate) fn export(id: CheckId, made: Result<Blob, String>) {
    let named = made.and_then(|blob| {
        let file = File::new_with_blob_sequence(&Array::of1(&blob), "export");
        file.map_err(|error| evalcheck_blob::in_words(&error))
    });
    match named {
        Ok(file) => port::post_file(&Event::Exported { id }, &file),
        Err(why) => port::post(&Event::NotExported { id, why }),
    }
}

/// The name of the file; a default for blobs, which have none.
pub(crate) fn name_of(file: &Blob) -> String {
    file.dyn_ref::<File>().map_or_else(|| "dataset".to_owned(), File::name)
}
