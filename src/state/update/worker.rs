//! Events and failures of the worker.

use std::rc::Rc;

use evalcheck_report::{Finding, Report, Verdict};
use evalcheck_wire::findings::FindingQuery;
use evalcheck_wire::question::Question;
use evalcheck_wire::worker::{CheckId, Command, Event, Progress};
use yew::AttrValue;

use crate::state::address::Address;
use crate::state::batch::Batch;
use crate::state::check::{Check, Loss, Phase};
use crate::state::effect::Effect;
use crate::state::preview::ENGINE_RESTARTED;
use crate::state::{EngineState, Export, State, ViewId};

/// The minimum time between two renderings of a running batch, in milliseconds: a thousand small files send a thousand reports within a
/// second.
const BATCH_RENDER_MS: f64 = 250.0;

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
            Event::Advance { request, advance } => self.store_advance(request, advance),
            Event::Answer { request, result } => {
                self.store_answer(request, result.map_err(AttrValue::from));
            }
            Event::Pass { id, number } => self.note_pass(id, number),
            Event::Packed { id } => self.file_packed(id, now_ms, effects),
            Event::NotExported { id, why } => self.not_exported(id, why),
            Event::NotFixed { id, why } => self.not_fixed(id, why, now_ms, effects),
            Event::Cancelled { id, report, first_error, elapsed_ms } => {
                let reported = Reported { report, first_error, elapsed_ms, cancelled: true };
                self.store_report(id, reported, now_ms, effects);
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
        } else if let Some(batch) = self.batch.as_mut().map(Rc::make_mut) {
            let is_running = batch.running(id).is_some();
            let finished = if is_running { batch.finish(id, report) } else { batch.finish_fix(id, report) };
            let Some(report) = finished else { return };
            if !is_running {
                Self::request_groups(id, &report, effects);
            }
            self.post_report_to_host(report, effects);
            self.post_next_check(now_ms, effects);
            let runs = self.batch.as_ref().is_some_and(|batch| batch.is_busy());
            self.rendering.skip = runs && now_ms - self.rendering.batch_ms < BATCH_RENDER_MS;
            if !self.rendering.skip {
                self.rendering.batch_ms = now_ms;
            }
        }
    }

    /// Requests the findings of a file of a batch by rule and path. The request has the number of the check.
    fn request_groups(id: CheckId, report: &Report, effects: &mut Vec<Effect>) {
        if !report.counts.by_code.is_empty() {
            let question = Question::FindingSummary(FindingQuery::default());
            effects.push(Effect::Post(Command::Ask { check: id, request: id, question }, None));
        }
    }

    /// Selects something in the results of the check that has just ended, and stores its report in the batch.
    fn check_finished(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        effects.push(Effect::InspectFile(check.dataset.key, check.id));
        let (id, is_fixed) = (check.id, check.fixes.is_some());
        let for_batch = check.batch_index.zip(check.report().cloned());
        if check.preview.selection.is_none() {
            if check.verdict() == Some(Verdict::Undecided) {
                check.preview.view = ViewId::SYSTEMS;
            }
            let resumed = check.resume.take().and_then(|(id, selection)| {
                let resumes = self.views.named(id.0).is_some_and(|view| view.resumes(check));
                if resumes {
                    check.preview.view = id;
                }
                check.resumed_selection(selection, resumes)
            });
            let resumed = resumed.or_else(|| check.stay_at_record());
            let selection = resumed.or_else(|| check.default_selection());
            self.select(selection, effects);
            self.show_wanted_address(effects);
        }
        if let (Some((index, report)), Some(batch)) = (for_batch, self.batch.as_mut()) {
            let batch = Rc::make_mut(batch);
            if batch.store(index, Rc::clone(&report), self.format.clone(), is_fixed) {
                batch.ended(id, index, is_fixed);
                Self::request_groups(id, &report, effects);
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
        if self.exports.exporting.take().is_some_and(|exporting| exporting.what == Export::FixedFiles) {
            self.change_batch(Batch::end_packing);
            self.opening.error = Some(format!("The ZIP was not made: {}.", why.reason()).into());
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
            Rc::make_mut(&mut check.preview.answers).close(&ENGINE_RESTARTED);
            // The report may have all findings.
            let findings =
                check.report().filter(|report| !report.truncated && check.preview.filter.is_empty());
            if let Some(findings) = findings.map(|report| report.findings.clone()) {
                check.preview.findings.early = Some(Rc::new(findings));
            }
            check.preview.seek = None;
        }
        if let Some(fixing) = self.fixing.take_if(|fixing| fixing.check.phase != Phase::Waiting) {
            self.opening.error =
                Some(format!("{} was not fixed: {}.", fixing.check.dataset.name, why.reason()).into());
            check_lost = true;
        }
        if check_lost {
            self.post_error_to_host("engine", why.reason(), effects);
        }
    }

    /// Checks the file again if the engine that knew it is gone and the filter needs an engine. Only once, because the filter can be why it
    /// is gone.
    pub(super) fn revive(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let is_dead = |check: &&Rc<Check>| {
            let is_first = !check.is_revived && check.report().is_some();
            is_first && !check.answering() && !check.preview.filter.is_empty()
        };
        let Some(check) = self.check.as_ref().filter(is_dead) else { return };
        if self.has_typed() || self.fixing.is_some() {
            return;
        }
        let place = Address::of(check, self.look.theme);
        self.check_again(now_ms, effects);
        self.opening.address = place;
        self.opening.error =
            Some("The checking engine had failed and was restarted. The file is checked again.".into());
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.is_revived = true;
        }
    }

    /// Returns true while an answer of the worker is outstanding.
    pub(super) fn is_waiting(&self) -> bool {
        let waits = |check: &Rc<Check>| {
            matches!(check.phase, Phase::Running | Phase::Stopping) || check.preview.answers.is_waiting()
        };
        self.engine == EngineState::Ready
            && (self.check.as_ref().is_some_and(waits)
                || self.fixing.as_ref().is_some_and(|fixing| waits(&fixing.check))
                || self.batch.as_ref().is_some_and(|batch| batch.is_busy()))
    }
}
