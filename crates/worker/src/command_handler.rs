//! Handles the commands of the page.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use evalcheck_blob::{BlobWriter, FileSnapshot};
use evalcheck_engine::purpose::Purpose;
use evalcheck_wire::fix::Change;
use evalcheck_wire::markdown::{Packed, SourceText};
use evalcheck_wire::overview::Overview;
use evalcheck_wire::view::{ByteRange, Direction};
use evalcheck_wire::worker::{CheckId, CheckOptions, Command, Event, History, RequestId};
use web_sys::Blob;

use crate::changes::FileChanges;
use crate::check::{self, FileCheck};
use crate::compare::Comparisons;
use crate::diff::diff;
use crate::fix::{Fixed, Fixing};
use crate::grown::GrowingFile;
use crate::pack::Packing;
use crate::port::{self, Request};
use crate::search::{self, Searches};
use crate::watch;
use crate::{markdown, overview};

/// The maximum number of lines in one answer.
const MOST_LINES: u32 = 500;

/// The maximum number of bytes of an attachment that are read for a preview. A larger PDF or picture is not shown.
const MOST_ATTACHMENT: usize = 32 << 20;

/// Owns the checks. A finished check is kept to answer questions about its lines.
#[derive(Default)]
pub(crate) struct CommandHandler {
    /// The check that answers questions.
    current: RefCell<Option<Rc<FileCheck>>>,
    /// The check of a changed file, or for a change. It replaces the current one with the first question about it.
    next: Rc<RefCell<Option<Rc<FileCheck>>>>,
    /// The change that is being made.
    fixing: Rc<Cell<Option<CheckId>>>,
    growing: Rc<GrowingFile>,
    searches: Rc<Searches>,
    /// The count of statistics that is wanted.
    counting: Rc<Cell<Option<CheckId>>>,
    comparisons: Rc<Comparisons>,
    packing: Rc<Packing>,
}

impl CommandHandler {
    /// Executes the command of a request.
    pub(crate) fn handle(&self, request: Request) {
        match request.command {
            Command::Check { id, options, shown, history } => {
                self.check(id, options, request.file, shown, history);
            }
            Command::Fix { id, options, change, shown } => {
                self.fix(id, options, change, (request.file, request.other), shown);
            }
            Command::InvalidRecords { id, options } => {
                wasm_bindgen_futures::spawn_local(export_invalid_records(id, options, request.file));
            }
            Command::Diff { id } => {
                wasm_bindgen_futures::spawn_local(export_diff(id, request.file, request.other));
            }
            Command::Pack { id, path } => self.packing.add(id, path, request.file),
            Command::FinishPack { id } => self.packing.finish(id),
            Command::Compare { id, options } => self.compare(id, options, request.file, request.other),
            Command::EndComparison { id } => self.comparisons.end(id),
            Command::ListDifferences { id, request, comparison, kind, from, count } => {
                let list = || self.comparisons.list(comparison, kind, from, count);
                self.answer(id, request, |_| Ok(Event::Differences { id, request, list: list()? }));
            }
            Command::Search { id, options, query } => self.search(id, options, query, request.file),
            Command::StopSearch { id } => self.searches.stop(id),
            Command::CountOverview { id, options } => self.count(id, options, request.file),
            Command::StopCounting { id } => self.stop_counting(id),
            Command::ListHits { id, request, from, count } => self.list_hits(id, request, from, count),
            Command::Cancel { id } => self.cancel(id),
            Command::Lines { id, request, from, count } => self.lines(id, request, from, count),
            Command::Rows { id, request, from, count } => {
                self.answer(id, request, |check| {
                    Ok(Event::Rows { id, request, rows: check.rows(from, count)? })
                });
            }
            Command::ListFindings { id, request, of, from, count } => {
                self.answer(id, request, |check| {
                    let list = check.list_findings(&of, &self.searches, from, count)?;
                    Ok(Event::FindingList { id, request, list })
                });
            }
            Command::SummarizeFindings { id, request, of } => {
                self.answer(id, request, |check| {
                    let summary = check.summarize_findings(&of, &self.searches)?;
                    Ok(Event::FindingSummary { id, request, summary })
                });
            }
            Command::ListFixes { id, request, from, count } => {
                self.answer(id, request, |check| {
                    Ok(Event::FixGroups { id, request, groups: check.fixes(from, count)? })
                });
            }
            Command::ListChanges { id, request, from, count } => self.list_changes(id, request, from, count),
            Command::FixDiff { id, request, fix } => {
                self.answer(id, request, |check| {
                    Ok(Event::FixDiff { id, request, diff: check.fix_diff(&fix)? })
                });
            }
            Command::SaveReport { id, file, quotes_data, overview } => {
                self.save_report(id, file, quotes_data, overview);
            }
            Command::NearestFinding { id, request, of, line, direction } => {
                self.answer(id, request, |check| {
                    let number = check.nearest_finding(&of, &self.searches, line, direction)?;
                    Ok(Event::NearestFinding { id, request, number })
                });
            }
            Command::MatchingLines { id, request, from, count } => {
                self.searches.post_lines(id, request, from, count.min(MOST_LINES));
            }
            Command::InvalidLine { id, request, from, record, direction, search } => {
                self.invalid_line(id, request, (from, record), direction, search);
            }
            Command::Record { id, request, line, at } => {
                self.answer(id, request, |check| {
                    let record = check.record(line, at)?.map(Box::new);
                    Ok(Event::Record { id, request, record })
                });
            }
            Command::RecordOfNumber { id, request, record, at } => {
                self.answer(id, request, |check| {
                    let record = check.record_of_number(record, at)?.map(Box::new);
                    Ok(Event::Record { id, request, record })
                });
            }
            Command::TextToEdit { id, request, line, span } => self.text_to_edit(id, request, line, span),
            Command::Recheck { id, request, line, text, caret } => {
                self.answer(id, request, |check| {
                    Ok(Event::Rechecked { id, request, edited: check.recheck(line, &text, caret)? })
                });
            }
            Command::Attachment { id, request, entry } => self.attachment(id, request, &entry),
            Command::ListAttachments { id, request, of, from, count } => {
                self.answer(id, request, |check| {
                    Ok(Event::AttachmentList { id, request, list: check.attachments(&of, from, count) })
                });
            }
            Command::Markdown { id, request, texts } => {
                wasm_bindgen_futures::spawn_local(render(id, request, texts));
            }
            Command::Ping => port::post(&Event::Pong),
        }
    }

    /// Starts to search a file.
    fn search(&self, id: CheckId, options: CheckOptions, query: String, file: Option<(Blob, FileSnapshot)>) {
        let Some(file) = file else { return };
        let searches = Rc::clone(&self.searches);
        // The file to search is the one that is shown.
        let changed = self.current.borrow().as_ref().map(|shown| shown.check().changed_records());
        let changed = changed.unwrap_or_default();
        wasm_bindgen_futures::spawn_local(async move {
            search::run(id, options, &query, file, changed, &searches).await;
        });
    }

    /// Posts the nearest line or record that has an error, or that a search has found.
    fn invalid_line(
        &self,
        id: CheckId,
        request: RequestId,
        (from, record): (u64, Option<u64>),
        direction: Direction,
        search: Option<CheckId>,
    ) {
        let found = search.map(|search| (self.searches.next_line(search, from, direction), None));
        self.answer(id, request, |check| {
            let (line, record) = found.unwrap_or_else(|| check.next_invalid(from, record, direction));
            Ok(Event::InvalidLine { id, request, line, record })
        });
    }

    /// Starts to compare two versions of a file.
    fn compare(
        &self,
        id: CheckId,
        options: CheckOptions,
        newer: Option<(Blob, FileSnapshot)>,
        older: Option<Blob>,
    ) {
        let (Some(newer), Some(older)) = (newer, older) else { return };
        let snapshot = FileSnapshot::of(&older);
        let comparisons = Rc::clone(&self.comparisons);
        wasm_bindgen_futures::spawn_local(async move {
            comparisons.run(id, options, [(older, snapshot), newer]).await;
        });
    }

    /// Posts records that a search has found.
    fn list_hits(&self, id: CheckId, request: RequestId, from: u64, count: u32) {
        let Some(shown) = self.current.borrow().as_ref().map(Rc::clone) else { return };
        if let Some(hits) = self.searches.list(id, from, count.min(MOST_LINES), &shown) {
            post_answer(id, request, hits.map(|hits| Event::HitList { id, request, hits }));
        }
    }

    /// Starts to count the statistics of a file.
    fn count(&self, id: CheckId, options: CheckOptions, file: Option<(Blob, FileSnapshot)>) {
        let Some(file) = file else { return };
        let counting = Rc::clone(&self.counting);
        wasm_bindgen_futures::spawn_local(async move {
            overview::run(id, options, file, &counting).await;
        });
    }

    /// Stops counting statistics.
    fn stop_counting(&self, id: CheckId) {
        if self.counting.get() == Some(id) {
            self.counting.set(None);
        }
    }

    /// Posts places that were changed.
    fn list_changes(&self, id: CheckId, request: RequestId, from: u64, count: u32) {
        self.answer(id, request, |check| {
            let list = check.list_changes(from, count)?;
            let facts = check.changes().map(|changes| changes.facts());
            Ok(Event::ChangeList { id, request, list, facts })
        });
    }

    /// Posts a record as text to be edited.
    fn text_to_edit(&self, id: CheckId, request: RequestId, line: u64, span: Option<ByteRange>) {
        self.answer(id, request, |check| {
            Ok(Event::TextToEdit { id, request, text: check.text_to_edit(line, span)? })
        });
    }

    /// Lists lines.
    fn lines(&self, id: CheckId, request: RequestId, from: u64, count: u32) {
        self.answer(id, request, |check| {
            let lines = check.lines(from.max(1), count.min(MOST_LINES))?;
            Ok(Event::Lines { id, request, lines })
        });
    }

    /// Posts the report of a check as a page of HTML.
    fn save_report(&self, id: CheckId, file: CheckId, quotes_data: bool, overview: Option<Box<Overview>>) {
        if let Some(check) = self.find(id) {
            check::export(file, check.html_report(quotes_data, overview.map(|overview| *overview)));
        }
    }

    /// Stops a check or a fix; the results so far are kept.
    fn cancel(&self, id: CheckId) {
        if self.fixing.get() == Some(id) {
            self.fixing.set(None);
        }
        drop(self.packing.take(id));
        let next = self.next.borrow_mut().take_if(|check| check.id() == id);
        next.or_else(|| self.find(id)).iter().for_each(|check| check.cancel());
    }

    /// Posts an attachment for showing.
    fn attachment(&self, id: CheckId, request: RequestId, entry: &str) {
        let Some(check) = self.find(id) else { return };
        match check.attachment(entry, MOST_ATTACHMENT) {
            Ok((attachment, bytes)) => {
                port::post_with(&Event::Attachment { id, request, attachment: Ok(attachment) }, &bytes);
            }
            Err(why) => port::post(&Event::Attachment { id, request, attachment: Err(why) }),
        }
    }

    /// Starts a check, and ends all others but the one that is shown meanwhile.
    fn check(
        &self,
        id: CheckId,
        options: CheckOptions,
        file: Option<(Blob, FileSnapshot)>,
        shown: Option<CheckId>,
        history: Option<History>,
    ) {
        let changes = history.and_then(|history| self.changes_of(history));
        let is_beside = self.end_others(shown).is_some();
        let Some((file, snapshot)) = file else {
            return watch::died("The command to check came without a file.");
        };
        match FileCheck::start(id, file, snapshot, options) {
            Ok(check) => {
                if let Some(changes) = changes {
                    check.note_changes(changes);
                }
                check.index_findings();
                check.start_after(&self.growing);
                let place = if is_beside { &self.next } else { &self.current };
                place.replace(Some(Rc::clone(&check)));
                let growing = Rc::clone(&self.growing);
                wasm_bindgen_futures::spawn_local(async move {
                    Rc::clone(&check).run().await;
                    growing.keep(&check);
                });
            }
            Err(why) => watch::died(&why),
        }
    }

    /// The changes of a file that is checked next.
    fn changes_of(&self, history: History) -> Option<Rc<FileChanges>> {
        let known = self.find(history.check)?.changes()?;
        if history.is_before { known.before() } else { Some(known) }
    }

    /// Starts to change a file, and ends all checks but the one that is shown meanwhile.
    fn fix(
        &self,
        id: CheckId,
        options: CheckOptions,
        change: Change,
        (file, added): (Option<(Blob, FileSnapshot)>, Option<Blob>),
        shown: Option<CheckId>,
    ) {
        let shown = self.end_others(shown);
        let Some(file) = file else { return watch::died("The command to fix came without a file.") };
        self.fixing.set(Some(id));
        let (fixing, next) = (Rc::clone(&self.fixing), Rc::clone(&self.next));
        wasm_bindgen_futures::spawn_local(async move {
            let is_wanted = || fixing.get() == Some(id);
            let on_check = |check: &Rc<FileCheck>| {
                if is_wanted() {
                    next.replace(Some(Rc::clone(check)));
                }
                is_wanted()
            };
            let made = Fixing { id, options, change, added, on_check: &on_check }.run(file, shown).await;
            if !is_wanted() {
                return;
            }
            watch::note_rest();
            match made {
                Ok(Some(Fixed { file, fixes, check })) => {
                    port::post_file(&Event::Fixed { id, fixes }, &file);
                    next.replace(Some(Rc::clone(&check)));
                    check.report();
                }
                Ok(None) => {}
                Err(why) => port::post(&Event::NotFixed { id, why }),
            }
        });
    }

    /// Ends all checks but the one that is shown meanwhile, and returns that one.
    fn end_others(&self, shown: Option<CheckId>) -> Option<Rc<FileCheck>> {
        self.fixing.set(None);
        self.counting.set(None);
        let shown = shown.and_then(|shown| self.find(shown));
        let others = [self.next.take(), if shown.is_some() { None } else { self.current.take() }];
        others.iter().flatten().for_each(|check| check.end());
        shown
    }

    /// Returns the check with this id. Questions about an older one are dropped.
    fn find(&self, id: CheckId) -> Option<Rc<FileCheck>> {
        if let Some(next) = self.next.borrow_mut().take_if(|check| check.id() == id)
            && let Some(old) = self.current.replace(Some(next))
        {
            old.end();
        }
        self.current.borrow().as_ref().filter(|check| check.id() == id).map(Rc::clone)
    }

    /// Posts the answer to a question, or why there is none.
    fn answer(&self, id: CheckId, request: RequestId, ask: impl FnOnce(&FileCheck) -> io::Result<Event>) {
        if let Some(check) = self.find(id) {
            post_answer(id, request, ask(&check));
        }
    }
}

/// Posts rendered texts.
async fn render(id: CheckId, request: RequestId, texts: Packed<Vec<SourceText>>) {
    let rendered = markdown::render(&texts).await.map_err(io::Error::other);
    post_answer(id, request, rendered.map(|rendered| Event::Markdown { id, request, rendered }));
}

/// Posts the answer to a question, or why there is none.
fn post_answer(id: CheckId, request: RequestId, answer: io::Result<Event>) {
    port::post(&answer.unwrap_or_else(|error| {
        let message = error.to_string();
        Event::Unavailable { id, request, message }
    }));
}

/// Posts the records with errors as a file.
async fn export_invalid_records(id: CheckId, options: CheckOptions, file: Option<(Blob, FileSnapshot)>) {
    let Some(file) = file else { return };
    if let Some(made) = invalid_records(id, options, file).await.transpose() {
        check::export(id, made);
    }
}

/// Posts the changes of a file as a diff.
async fn export_diff(id: CheckId, file: Option<(Blob, FileSnapshot)>, original: Option<Blob>) {
    let (Some((file, _)), Some(original)) = (file, original) else { return };
    let name = check::name_of(&original);
    check::export(id, diff(original, file, &name).await);
}

/// Returns the records with errors as lines of JSON; `None` if they are no longer wanted.
async fn invalid_records(
    id: CheckId,
    options: CheckOptions,
    (file, snapshot): (Blob, FileSnapshot),
) -> Result<Option<Blob>, String> {
    let mut purpose = Purpose::default().with_rejects(io::Cursor::default());
    let check = FileCheck::start(id, file, snapshot, purpose.options(options))?;
    if !check.read_for(&mut purpose).await? {
        return Ok(None);
    }
    let (mut out, entry) = (BlobWriter::default(), check.entry());
    let written = purpose.write_rejects(&mut *check.source(), entry.as_deref(), &mut out);
    watch::note_rest();
    written.and_then(|()| out.finish()).map(Some).map_err(|error| error.to_string())
}
