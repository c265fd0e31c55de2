//! Handles the commands of the page.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use evalcheck_blob::{BlobWriter, FileSnapshot};
use evalcheck_engine::purpose::Purpose;
use evalcheck_report::overview::Overview;
use evalcheck_wire::fix::Change;
use evalcheck_wire::question::{Answer, List, Question, RecordPlace};
use evalcheck_wire::worker::{CheckId, CheckOptions, Command, Event, History, RequestId};
use wasm_bindgen_futures::spawn_local;
use web_sys::Blob;

use crate::changes::FileChanges;
use crate::check::{self, FileCheck};
use crate::compare::Comparisons;
use crate::diff::diff;
use crate::fix::{Fixed, Fixing};
use crate::grown::GrowingFile;
use crate::jobs::Jobs;
use crate::pack::Packing;
use crate::port::{self, Request};
use crate::queue::Queue;
use crate::search::{Searches, search};
use crate::watch;
use crate::{markdown, overview, schema, systems};

/// The maximum number of items in one answer.
const MOST_ITEMS: u32 = 500;

/// The maximum number of bytes of an attachment that are read for a preview. A larger PDF or picture is not shown.
const MOST_ATTACHMENT: usize = 32 << 20;

/// Owns the checks. A finished check is kept to answer questions about its lines.
#[derive(Default)]
pub(crate) struct CommandHandler {
    /// The check that answers questions.
    current: Rc<RefCell<Option<Rc<FileCheck>>>>,
    /// The check of a changed file, or for a change. It replaces the current one with the first question about it.
    next: Rc<RefCell<Option<Rc<FileCheck>>>>,
    /// The change that is being made.
    fixing: Rc<Cell<Option<CheckId>>>,
    growing: Rc<GrowingFile>,
    queue: Rc<Queue>,
    searches: Rc<Searches>,
    jobs: Rc<Jobs>,
    comparisons: Rc<Comparisons>,
    packing: Rc<Packing>,
    /// The requests that came while the module for schemas is loaded; `None` if it is not.
    waiting: RefCell<Option<Vec<Request>>>,
    /// Whether it was loaded.
    has_schemas: Cell<bool>,
}

impl CommandHandler {
    /// Executes the command of a request, in the order in which they come.
    pub(crate) fn handle(self: &Rc<Self>, request: Request) {
        if let (Some(waiting), false) = (&mut *self.waiting.borrow_mut(), request.command == Command::Ping) {
            return waiting.push(request);
        }
        if !request.command.needs_schemas() || self.has_schemas.get() {
            return self.execute(request);
        }
        self.waiting.replace(Some(vec![request]));
        let handler = Rc::clone(self);
        spawn_local(async move {
            handler.has_schemas.set(schema::load().await);
            for request in handler.waiting.take().into_iter().flatten() {
                handler.execute(request);
            }
        });
    }

    fn execute(&self, request: Request) {
        match request.command {
            Command::Check { id, options, shown, history } => {
                self.check(id, options, request.file, shown, history);
            }
            Command::CheckNext { id, options } => self.check_next(id, options, request.file),
            Command::Fix { id, options, change, shown } => {
                self.fix(id, options, change, (request.file, request.other), shown);
            }
            Command::InvalidRecords { id, options } => {
                spawn_local(export_invalid_records(id, options, request.file));
            }
            Command::Diff { id } => {
                spawn_local(export_diff(id, request.file, request.other));
            }
            Command::Pack { id, path } => self.packing.add(id, path, request.file),
            Command::FinishPack { id } => self.packing.finish(id),
            Command::SaveReport { id, file, quotes_data, overview } => {
                self.save_report(id, file, quotes_data, overview);
            }
            Command::Cancel { id } => self.cancel(id),
            Command::Ask { check, request: number, question } => match self.find(check) {
                Some(check) => self.ask(check, number, question, request.file),
                None => post_answer(number, Err(io::Error::other("The file is not shown any more."))),
            },
            Command::Stop { request } => {
                self.jobs.stop(request);
                self.comparisons.forget(request);
            }
            Command::Ping => port::post(&Event::Pong),
        }
    }

    /// Posts the report of a check as a page of HTML.
    #[inline(never)]
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
        if self.queue.is_in_use() {
            self.queue.cancel(id);
        }
        let next = self.next.borrow_mut().take_if(|check| check.id() == id);
        next.or_else(|| self.find(id)).iter().for_each(|check| check.cancel());
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
                self.growing.start(&check);
                let place = if is_beside { &self.next } else { &self.current };
                place.replace(Some(Rc::clone(&check)));
                let growing = Rc::clone(&self.growing);
                spawn_local(async move {
                    Rc::clone(&check).run().await;
                    growing.keep(&check);
                });
            }
            Err(why) => watch::died(&why),
        }
    }

    /// Checks a file after those that wait, and ends all other checks then.
    #[inline(never)]
    fn check_next(&self, id: CheckId, options: CheckOptions, file: Option<(Blob, FileSnapshot)>) {
        let Some(file) = file else { return watch::died("The command to check came without a file.") };
        let (current, next) = (Rc::clone(&self.current), Rc::clone(&self.next));
        self.queue.add(id, options, file, move |check| {
            let others = [next.take(), current.replace(Some(Rc::clone(check)))];
            others.iter().flatten().for_each(|other| other.end());
        });
    }

    /// The changes of a file that is checked next.
    fn changes_of(&self, history: History) -> Option<Rc<FileChanges>> {
        let known = self.find(history.check)?.changes()?;
        if history.is_before { known.before() } else { Some(known) }
    }

    /// Starts to change a file, and ends all checks but the one that is shown meanwhile.
    #[inline(never)]
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
        spawn_local(async move {
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
        if self.queue.is_in_use() {
            self.queue.clear();
        }
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

    /// Answers a question about a check, at once or when the answer is known. `file` was transferred with the question.
    #[inline(never)]
    fn ask(
        &self,
        check: Rc<FileCheck>,
        request: RequestId,
        question: Question,
        file: Option<(Blob, FileSnapshot)>,
    ) {
        let jobs = Rc::clone(&self.jobs);
        match question {
            Question::Attachment(entry) => {
                match check.view(|view| view.attachment(&entry, MOST_ATTACHMENT)) {
                    Ok((attachment, bytes)) => {
                        let result = Ok(Answer::Attachment(attachment));
                        port::post_with(&Event::Answer { request, result }, &bytes);
                    }
                    Err(why) => post_answer(request, Err(io::Error::other(why))),
                }
            }
            Question::Markdown(texts) => spawn_local(async move {
                let rendered = markdown::render(&texts).await.map_err(io::Error::other);
                post_answer(request, rendered.map(Answer::Markdown));
            }),
            Question::Search(query) => {
                let searches = Rc::clone(&self.searches);
                self.jobs.run(
                    request,
                    Box::pin(async move { search(request, &check, &query, &searches, &jobs).await }),
                );
            }
            Question::Overview => {
                self.jobs
                    .run(request, Box::pin(async move { overview::count(request, &check, &jobs).await }));
            }
            Question::Schema => {
                self.jobs
                    .run(request, Box::pin(async move { overview::schema(request, &check, &jobs).await }));
            }
            Question::Systems(formats) => {
                self.jobs.run(
                    request,
                    Box::pin(async move { systems::check(request, &check, formats, &jobs).await }),
                );
            }
            Question::Comparison { is_other_newer } => {
                let Some(other) = file else {
                    let why = "The question came without the other version.";
                    return post_answer(request, Err(io::Error::other(why)));
                };
                let shown = check.file();
                let versions = if is_other_newer { [shown, other] } else { [other, shown] };
                let comparisons = Rc::clone(&self.comparisons);
                self.jobs.run(
                    request,
                    Box::pin(
                        async move { comparisons.compare(request, check.options(), versions, &jobs).await },
                    ),
                );
            }
            question => post_answer(request, self.answer(&check, question)),
        }
    }

    /// Answers a question that takes no time.
    fn answer(&self, check: &FileCheck, question: Question) -> io::Result<Answer> {
        Ok(match question {
            Question::Page { list, from, count } => self.page(check, list, from, count.min(MOST_ITEMS))?,
            Question::FindingSummary(of) => {
                Answer::FindingSummary(check.summarize_findings(&of, &self.searches)?)
            }
            Question::NearestFinding { of, line, direction } => {
                Answer::NearestFinding(check.nearest_finding(&of, &self.searches, line, direction)?)
            }
            Question::InvalidLine { from, direction, search: Some(search), .. } => {
                Answer::InvalidLine(self.searches.next_line(search, from, direction)?, None)
            }
            Question::InvalidLine { from, record, direction, search: None } => {
                let (line, record) = check.next_invalid(from, record, direction);
                Answer::InvalidLine(line, record)
            }
            Question::FixGroups { from, count } => {
                Answer::FixGroups(check.view(|view| view.fixes(from, count))?)
            }
            Question::FixDiff(fix) => Answer::FixDiff(check.view(|view| view.fix_diff(&fix))?),
            Question::Record { place, at, search } => {
                let mut record = check.view(|view| match place {
                    RecordPlace::Line(line) => view.record(line, at),
                    RecordPlace::Number(record) => view.record_of_number(record, at),
                })?;
                if let (Some(search), Some(record)) = (search, &mut record) {
                    self.searches.mark(search, record);
                }
                Answer::Record(record.map(Box::new))
            }
            Question::Beginning => overview::of_beginning(check).map_err(io::Error::other)?,
            Question::Position { search, record } => {
                Answer::Position(self.searches.position(search, record)?)
            }
            Question::TextToEdit { line, span } => {
                let span = span.map(|span| span.start..span.end);
                Answer::TextToEdit(check.view(|view| view.text_to_edit(line, span))?)
            }
            Question::EditedRecord { line, text, caret } => {
                Answer::EditedRecord(check.view(|view| view.recheck(line, &text, caret))?)
            }
            Question::Attachment(_)
            | Question::Markdown(_)
            | Question::Search(_)
            | Question::Overview
            | Question::Schema
            | Question::Systems(_)
            | Question::Comparison { .. } => return Err(io::Error::other("It is answered later.")),
        })
    }

    /// Returns items of a list.
    fn page(&self, check: &FileCheck, list: List, from: u64, count: u32) -> io::Result<Answer> {
        Ok(match list {
            List::Lines => Answer::Lines(check.view(|view| view.lines(from + 1, count))?),
            List::Records => Answer::Records(check.view(|view| view.rows(from, count))?),
            List::Findings(of) => Answer::Findings(check.list_findings(&of, &self.searches, from, count)?),
            List::Hits(search) => Answer::Records(self.searches.list(search, from, count, check)?),
            List::Matches(search) => Answer::Matches(self.searches.matches(search, from + 1, count)?),
            List::Changes => {
                let facts = check.changes().map(|changes| changes.facts());
                Answer::Changes(check.list_changes(from, count)?, facts)
            }
            List::Differences { comparison, kind } => {
                Answer::Differences(self.comparisons.list(comparison, kind, from, count)?)
            }
            List::Files(of) => Answer::Files(check.view(|view| view.attachments(&of, from, count))),
        })
    }
}

/// Posts the answer to a question, or why there is none.
fn post_answer(request: RequestId, answer: io::Result<Answer>) {
    port::post(&Event::Answer { request, result: answer.map_err(|error| error.to_string()) });
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
