//! Events and failures of the worker.

use std::rc::Rc;

use evalcheck_wire::findings::FindingQuery;
use evalcheck_wire::report::{Finding, Report};
use evalcheck_wire::view::Rows;
use evalcheck_wire::worker::{CheckId, Command, Event, Progress, RequestId};
use yew::AttrValue;

use crate::state::action::Effect;
use crate::state::batch::Batch;
use crate::state::check::{Check, Loss, Phase};
use crate::state::preview::{AttachmentState, ENGINE_RESTARTED};
use crate::state::{ComparisonPhase, OverviewState};
use crate::state::{EngineState, Export, SearchPhase, State};

/// The minimum time between two renderings of a running batch, in milliseconds: a thousand small files send a thousand reports within a
/// second.
const BATCH_RENDER_MS: f64 = 100.0;

/// The end of a check.
struct Reported {
    report: Report,
    /// The number of the first error.
    first_error: Option<u64>,
    elapsed_ms: f64,
    cancelled: bool,
}

impl State {
    /// Applies an event of the worker. Events of earlier checks are dropped.
    pub(super) fn worker_event(&mut self, event: Event, now_ms: f64, effects: &mut Vec<Effect>) {
        match event {
            Event::Ready { catalogue } => {
                self.catalogue = Rc::new(catalogue);
                self.engine = EngineState::Ready;
                self.resolve_embed_options(effects);
                if self.check.is_none() && self.batch.is_none() {
                    self.open_wanted_example(effects);
                }
                self.post_next_check(now_ms, effects);
                effects.push(Effect::SayReady);
            }
            Event::Progress { id, progress, first_findings } => {
                self.store_progress(id, progress, first_findings, now_ms, effects);
            }
            Event::Known { id, bytes } => {
                if let Some(check) = self.check_of(id) {
                    check.known_bytes = bytes;
                }
            }
            Event::Report { id, report, first_error, elapsed_ms } => {
                let reported = Reported { report, first_error, elapsed_ms, cancelled: false };
                self.store_report(id, reported, now_ms, effects);
            }
            Event::Hits { id, count, progress, first_hits } => self.update_search(id, |search| {
                search.advance(count, Some(progress));
                Rc::make_mut(&mut search.hits).store_first(first_hits);
            }),
            Event::Searched { id, count } => self.update_search(id, |search| {
                search.advance(count, None);
                search.end(SearchPhase::Done);
            }),
            Event::NotSearched { id, why } => {
                self.update_search(id, |search| search.end(SearchPhase::Failed(why.into())));
            }
            Event::MatchingLines { id, request, matches } => self.store_matching_lines(id, request, matches),
            Event::HitList { id, request, hits } => self.store_hits(id, request, hits, effects),
            Event::FindingList { id, request, list } => self.store_findings(id, request, list, effects),
            Event::FindingSummary { id, request, summary } => self.store_summary(id, request, summary),
            Event::Counting { id, progress } => {
                self.store_overview(id, OverviewState::Counting { id, progress });
            }
            Event::Overview { id, overview } => {
                self.store_overview(id, OverviewState::Loaded(Rc::from(overview)));
            }
            Event::NotCounted { id, why } => self.store_overview(id, OverviewState::Failed(why.into())),
            Event::Comparing { id, part, bytes, total_bytes } => {
                self.store_comparison(id, ComparisonPhase::Running { part, bytes, total_bytes });
            }
            Event::Compared { id, sums } => {
                self.store_comparison(id, ComparisonPhase::Done(Rc::from(sums)));
            }
            Event::NotCompared { id, why } => self.store_comparison(id, ComparisonPhase::Failed(why.into())),
            Event::Differences { id, request, list } => self.store_differences(id, request, list),
            Event::FixGroups { id, request, groups } => self.store_fix_groups(id, request, groups),
            Event::ChangeList { id, request, list, facts } => self.store_changes(id, request, list, facts),
            Event::Pass { id, number } => self.note_pass(id, number),
            Event::FixDiff { id, request, diff } => self.store_diff(id, request, diff),
            Event::NearestFinding { id, request, number } => self.show_nearest(id, request, number, effects),
            Event::Packed { id } => self.file_packed(id, now_ms, effects),
            Event::NotExported { id, why } => self.not_exported(id, why),
            Event::NotFixed { id, why } => self.not_fixed(id, why, now_ms, effects),
            Event::Cancelled { id, report, first_error, elapsed_ms } => {
                let reported = Reported { report, first_error, elapsed_ms, cancelled: true };
                self.store_report(id, reported, now_ms, effects);
            }
            Event::Lines { id, request, lines } => {
                if let Some(check) = self.check_of(id) {
                    Rc::make_mut(&mut check.preview.lines).store(request, lines.total, lines.lines);
                }
            }
            Event::Rows { id, request, rows } => self.store_rows(id, request, rows),
            Event::InvalidLine { id, request, line, record } => {
                self.show_invalid_line(id, request, line, record, effects);
            }
            Event::Record { id, request, record } => self.store_record(id, request, record, effects),
            Event::TextToEdit { id, request, text } => self.store_text_to_edit(id, request, text),
            Event::Rechecked { id, request, edited } => self.store_rechecked(id, request, edited),
            Event::Attachment { id, request, attachment } => {
                // The platform converts attachments with bytes to a separate action.
                if let (Some(check), Err(why)) = (self.check_of(id), attachment) {
                    check.preview.set_attachment(request, AttachmentState::Failed(why.into()));
                }
            }
            Event::AttachmentList { id, request, list } => self.store_files(id, request, list, effects),
            Event::Markdown { id, request, rendered } => self.store_markdown(id, request, &rendered),
            Event::Unavailable { id, request, message } => {
                if let Some(check) = self.check_of(id) {
                    check.preview.fail(request, &message.into());
                }
            }
            // `Assembly` has added the findings to the report; the platform converts files to separate actions.
            Event::Findings { .. } | Event::Fixed { .. } | Event::Exported { .. } | Event::Pong => {}
            Event::Died { id, message, checked_bytes, line } => {
                if let Some(check) = id.and_then(|id| self.check_of(id)).filter(|check| check.is_running()) {
                    check.progress.bytes = checked_bytes;
                    check.progress.lines = line.saturating_sub(1);
                }
                self.worker_failed(message.into(), effects);
            }
        }
    }

    /// Stores the progress of a check, of the shown file or of one of a batch.
    fn store_progress(
        &mut self,
        id: CheckId,
        progress: Progress,
        first_findings: Vec<Finding>,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        if let Some(check) = self.check_of(id) {
            check.advance(progress, first_findings, now_ms);
            let file = check.dataset.name.clone();
            self.post_progress_to_host(file, progress, effects);
        } else if let Some(batch) = self.batch.as_mut().map(Rc::make_mut)
            && let Some(running) = batch.running(id)
        {
            running.progress = progress;
            let index = running.index;
            let file = batch.files[index].dataset.name.clone();
            self.post_progress_to_host(file, progress, effects);
        } else {
            self.change_batch(|batch| {
                if let Some(now) = batch.run.as_mut().and_then(|run| run.now(id)) {
                    now.progress = progress;
                }
            });
        }
    }

    fn store_report(&mut self, id: CheckId, reported: Reported, now_ms: f64, effects: &mut Vec<Effect>) {
        if self.fixing.as_ref().is_some_and(|fixing| fixing.check.id == id) {
            self.show_fixed(effects);
        }
        let Reported { report, first_error, elapsed_ms, cancelled } = reported;
        if let Some(check) = self.check_of(id) {
            if check.is_running() {
                check.finish(report, first_error, elapsed_ms, cancelled);
                self.check_finished(effects);
            }
        } else if let Some(batch) = self.batch.as_mut().map(Rc::make_mut)
            && let Some(report) = if batch.running(id).is_some() {
                batch.finish(id, report)
            } else {
                batch.finish_fix(id, report)
            }
        {
            self.request_groups(id, &report, effects);
            self.post_report_to_host(report, effects);
            self.post_next_check(now_ms, effects);
            let runs = self.batch.as_ref().is_some_and(|batch| batch.is_busy());
            self.skip_render = runs && now_ms - self.batch_rendered_ms < BATCH_RENDER_MS;
            if !self.skip_render {
                self.batch_rendered_ms = now_ms;
            }
        }
    }

    /// Requests the findings of a file of a batch by rule and path.
    fn request_groups(&mut self, id: CheckId, report: &Report, effects: &mut Vec<Effect>) {
        if !report.counts.by_code.is_empty() {
            let (request, of) = (self.ids.next(), FindingQuery::default());
            effects.push(Effect::Post(Command::SummarizeFindings { id, request, of }, None));
        }
    }

    /// Stores rows of records, and their columns.
    fn store_rows(&mut self, id: CheckId, request: RequestId, rows: Rows) {
        if let Some(check) = self.check_of(id) {
            if *check.preview.columns != rows.columns {
                check.preview.columns = Rc::new(rows.columns);
            }
            Rc::make_mut(&mut check.preview.rows).store(request, rows.total, rows.rows);
        }
    }

    /// Selects something in the results of the check that has just ended, and stores its report in the batch.
    fn check_finished(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        effects.push(Effect::InspectFile(check.dataset.key, check.id));
        let (id, is_fixed) = (check.id, check.fixes.is_some());
        let for_batch = check.batch_index.zip(check.report().cloned());
        match check.preview.selection {
            None => {
                let selection = check.resumed_selection().or_else(|| check.default_selection());
                self.select(selection, effects);
                self.show_wanted_address(effects);
            }
            Some(_) => self.show_context(),
        }
        if let (Some((index, report)), Some(batch)) = (for_batch, self.batch.as_mut()) {
            let batch = Rc::make_mut(batch);
            if batch.store(index, Rc::clone(&report), self.format.clone(), is_fixed) {
                batch.ended(id, index, is_fixed);
                self.request_groups(id, &report, effects);
            }
        }
    }

    /// Replaces a worker that has worked before. A worker that could not start would fail again.
    pub(super) fn worker_failed(&mut self, why: AttrValue, effects: &mut Vec<Effect>) {
        if self.engine == EngineState::Ready {
            self.lose_worker(&Loss::Died(why), effects);
        } else {
            self.post_error_to_host("engine", why.clone(), effects);
            self.engine = EngineState::Failed(why);
        }
    }

    /// Starts a new worker, which continues with the next file of a batch. Open requests fail.
    pub(super) fn lose_worker(&mut self, why: &Loss, effects: &mut Vec<Effect>) {
        self.engine = EngineState::Loading;
        if self.exporting.take().is_some_and(|exporting| exporting.what == Export::FixedFiles) {
            self.change_batch(Batch::end_packing);
            self.open_error = Some(format!("The ZIP was not made: {}.", why.reason()).into());
        }
        self.heartbeat.message_received();
        effects.push(Effect::StartWorker);
        let mut check_lost = false;
        if let Some(batch) = self.batch.as_mut().filter(|batch| batch.is_busy()) {
            let batch = Rc::make_mut(batch);
            batch.lose(&why.reason());
            batch.fail_run(&format!("{}.", why.reason()));
            check_lost = true;
        }
        if let Some(check) = self.check.as_mut().filter(|check| check.phase != Phase::Waiting) {
            let check = Rc::make_mut(check);
            if check.is_running() {
                check.lose(why.clone());
                check_lost = true;
            }
            check.answering = false;
            check.preview.fail_all(&ENGINE_RESTARTED);
        }
        if let Some(fixing) = self.fixing.take_if(|fixing| fixing.check.phase != Phase::Waiting) {
            self.open_error =
                Some(format!("{} was not fixed: {}.", fixing.check.dataset.name, why.reason()).into());
            check_lost = true;
        }
        if check_lost {
            self.post_error_to_host("engine", why.reason(), effects);
        }
    }

    /// Returns true while an answer of the worker is outstanding.
    pub(super) fn is_waiting(&self) -> bool {
        let waits = |check: &Rc<Check>| {
            matches!(check.phase, Phase::Running | Phase::Stopping) || check.preview.is_waiting()
        };
        self.engine == EngineState::Ready
            && (self.check.as_ref().is_some_and(waits)
                || self.fixing.as_ref().is_some_and(|fixing| waits(&fixing.check))
                || self.batch.as_ref().is_some_and(|batch| batch.is_busy()))
    }
}
