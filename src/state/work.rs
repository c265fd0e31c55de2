//! What the worker is given to do: one file, or the next of several.

use std::rc::Rc;

use evalcheck_wire::report::Report;
use evalcheck_wire::worker::{CheckOptions, Command, JobId};
use yew::AttrValue;

use super::action::{Effect, NewFile, Timer};
use super::batch::Batch;
use super::check::{Check, Loss, Phase};
use super::choice::FormatChoice;
use super::dataset::Dataset;
use super::handed::Handed;
use super::looking::NOT_ANSWERING;
use super::number::{counted, grouped};
use super::{BATCH_RENDER_MS, EngineState, MAX_FINDINGS_PER_CODE, State};

/// How long a worker may take to stop a check, in milliseconds.
const CANCEL_MS: u32 = 500;

impl State {
    /// Files were handed over.
    pub(super) fn take(&mut self, handed: Handed, now_ms: f64, effects: &mut Vec<Effect>) {
        let Handed { mut files, left_out } = handed;
        self.dragging = false;
        self.gathering = None;
        let Some(first) = files.iter().map(|file| file.key).min() else {
            let why = left_out.words().unwrap_or_else(|| "It is empty.".into());
            self.refused = Some(format!("There is nothing to check in that. {why}").into());
            return;
        };
        self.put_away(effects);
        effects.push(Effect::ForgetBefore(first));
        self.left_out = left_out.words();
        if files.len() == 1 {
            let dataset = files.remove(0);
            self.begin(Rc::new(dataset), None, now_ms, effects);
        } else {
            self.batch = Some(Rc::new(Batch::new(files, self.format.as_ref())));
            effects.push(Effect::ScrollToTop);
            self.post_or_start(now_ms, effects);
        }
    }

    /// Begins to check one file, which may be one of several.
    fn begin(&mut self, dataset: Rc<Dataset>, place: Option<usize>, now_ms: f64, effects: &mut Vec<Effect>) {
        self.pasting = false;
        self.refused = None;
        if self.check.is_some() {
            effects.push(Effect::ReleaseAttachments);
        } else {
            // The person may have gone down to the examples, and the verdict stands at the top.
            effects.push(Effect::ScrollToTop);
        }
        let job = self.numbers.next();
        self.check = Some(Rc::new(Check { place, ..Check::new(job, dataset, now_ms) }));
        self.post_or_start(now_ms, effects);
    }

    pub(super) fn begin_again(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        if let Some(check) = self.check.as_ref() {
            let (dataset, place) = (Rc::clone(&check.dataset), check.place);
            self.begin(dataset, place, now_ms, effects);
        } else {
            if let Some(batch) = self.batch.as_mut().map(Rc::make_mut) {
                if batch.choice == self.format {
                    batch.try_again();
                } else {
                    batch.check_as(self.format.clone());
                }
            }
            if self.batch.is_some() || matches!(self.engine, EngineState::Failed(_)) {
                self.post_or_start(now_ms, effects);
            }
        }
    }

    fn post_or_start(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        match self.engine {
            EngineState::Ready => self.post(now_ms, effects),
            EngineState::Loading => {}
            EngineState::Failed(_) => {
                self.engine = EngineState::Loading;
                effects.push(Effect::StartWorker);
            }
        }
    }

    /// Sends what waits for the worker, if anything does: the file that is looked at, else the next of several.
    pub(super) fn post(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        if self.engine != EngineState::Ready {
            return;
        }
        let options = |choice: Option<&FormatChoice>, most: u64| CheckOptions {
            format: choice.map(|choice| choice.id.to_string()),
            version: choice.and_then(|choice| choice.version.as_ref()).map(ToString::to_string),
            max_findings_per_code: Some(most),
        };
        if let Some(check) = &mut self.check {
            if check.phase == Phase::Waiting {
                let check = Rc::make_mut(check);
                check.phase = Phase::Running;
                check.started_ms = now_ms;
                let options = options(self.format.as_ref(), MAX_FINDINGS_PER_CODE);
                effects
                    .push(Effect::Post(Command::Check { job: check.job, options }, Some(check.dataset.key)));
            }
        } else if let Some(batch) = self.batch.as_mut().filter(|batch| batch.running.is_none()) {
            let batch = Rc::make_mut(batch);
            let Some(at) = batch.next() else { return };
            let job = self.numbers.next();
            let file = Rc::clone(&batch.files[at]);
            let options = options(file.choice.as_ref(), batch.most_per_code());
            batch.start(at, job);
            effects.push(Effect::Post(Command::Check { job, options }, Some(file.dataset.key)));
        }
    }

    /// A check has its report.
    pub(super) fn report_came(
        &mut self,
        job: JobId,
        report: Report,
        elapsed_ms: f64,
        cancelled: bool,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        if self.check_of(job).is_some() {
            self.finish(job, |check| check.report_came(report, elapsed_ms, cancelled), effects);
        } else if let Some(batch) = self.batch.as_mut().map(Rc::make_mut)
            && let Some(report) = batch.report_came(job, report, elapsed_ms)
        {
            self.tell_report(report, effects);
            self.post(now_ms, effects);
            let runs = self.batch.as_ref().is_some_and(|batch| batch.running.is_some());
            self.skip_render = runs && now_ms - self.batch_rendered_ms < BATCH_RENDER_MS;
            if !self.skip_render {
                self.batch_rendered_ms = now_ms;
            }
        }
    }

    fn finish(&mut self, job: JobId, take: impl FnOnce(&mut Check), effects: &mut Vec<Effect>) {
        let Some(check) = self.check_of(job).filter(|check| check.is_running()) else { return };
        take(check);
        effects.push(Effect::LookAtFile(check.dataset.key, job));
        let of_batch = check.place.zip(check.report().cloned());
        match check.look.selection {
            None => {
                check.look.selection = check.first_look();
                self.ask_for_record(effects);
            }
            Some(_) => self.show_neighbours(),
        }
        if let (Some((at, report)), Some(batch)) = (of_batch, self.batch.as_mut()) {
            Rc::make_mut(batch).keep(at, report, self.format.clone());
        }
    }

    /// One of several files is looked at. The others wait: the worker knows the lines of one file at a time.
    pub(super) fn open_file(&mut self, at: usize, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(batch) = self.batch.as_mut().map(Rc::make_mut) else { return };
        let Some(file) = batch.files.get(at).map(Rc::clone) else { return };
        batch.chosen = Some(at);
        batch.pause();
        self.format.clone_from(&file.choice);
        self.begin(Rc::clone(&file.dataset), Some(at), now_ms, effects);
    }

    /// Back from one of several files to all of them.
    pub(super) fn show_overview(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(batch) = &self.batch else { return };
        self.format.clone_from(&batch.choice);
        self.put_away_check(effects);
        self.post(now_ms, effects);
    }

    /// The page as it was at the beginning.
    pub(super) fn leave(&mut self, effects: &mut Vec<Effect>) {
        if self.check.is_some() || self.batch.is_some() {
            self.put_away(effects);
            effects.push(Effect::ScrollToTop);
        }
        self.left_out = None;
        if let Some(embed) = &self.embed {
            self.format.clone_from(&embed.format);
        }
    }

    /// Ends whatever runs and forgets it.
    fn put_away(&mut self, effects: &mut Vec<Effect>) {
        self.put_away_check(effects);
        if let Some(running) = self.batch.take().and_then(|batch| batch.running) {
            effects.push(Effect::Post(Command::Cancel { job: running.job }, None));
        }
        self.pasting = false;
        self.refused = None;
    }

    fn put_away_check(&mut self, effects: &mut Vec<Effect>) {
        if let Some(check) = self.check.take() {
            effects.extend([Effect::ReleaseAttachments, Effect::ScrollToTop]);
            if check.is_running() && check.phase != Phase::Waiting {
                effects.push(Effect::Post(Command::Cancel { job: check.job }, None));
            }
        }
    }

    pub(super) fn open_example(&mut self, format: usize, example: usize, effects: &mut Vec<Effect>) {
        let found = self.catalogue.formats.get(format).and_then(|format| format.examples.get(example));
        if let Some(example) = found {
            let file = NewFile { name: example.file_name.clone(), content: example.content.clone() };
            // An example is of its own format, whatever was chosen for the last file.
            self.format = self.format_for_example(&self.catalogue.formats[format].id);
            effects.push(Effect::MakeFile(Rc::new(file)));
        }
    }

    pub(super) fn cancel(&mut self, effects: &mut Vec<Effect>) {
        let job = if let Some(check) = self.check.as_mut() {
            match check.phase {
                Phase::Waiting => {
                    self.check = None;
                    if let Some(batch) = &self.batch {
                        self.format.clone_from(&batch.choice);
                    }
                    return;
                }
                Phase::Running => {
                    let check = Rc::make_mut(check);
                    check.phase = Phase::Stopping;
                    check.job
                }
                Phase::Stopping | Phase::Done(_) => return,
            }
        } else if let Some(batch) = self.batch.as_mut().map(Rc::make_mut) {
            let Some(running) = batch.running.filter(|_| !batch.stopping) else {
                if batch.running.is_none() {
                    batch.stopped();
                }
                return;
            };
            batch.stopping = true;
            running.job
        } else {
            return;
        };
        effects.push(Effect::Post(Command::Cancel { job }, None));
        effects.push(Effect::Wake { after_ms: CANCEL_MS, timer: Timer::CancelDeadline(job) });
    }

    /// A worker that worked is replaced; one that could not even begin would fail again.
    pub(super) fn worker_failed(&mut self, why: AttrValue, effects: &mut Vec<Effect>) {
        if self.engine == EngineState::Ready {
            self.lose_worker(&Loss::Died(why), effects);
        } else {
            self.tell_error("engine", why.clone(), effects);
            self.engine = EngineState::Failed(why);
        }
    }

    /// The worker is gone; a new one is started, which goes on with the next of several files. What was open will
    /// not be answered.
    pub(super) fn lose_worker(&mut self, why: &Loss, effects: &mut Vec<Effect>) {
        self.engine = EngineState::Loading;
        self.heartbeat.heard();
        effects.push(Effect::StartWorker);
        let mut lost = false;
        if let Some(batch) = self.batch.as_mut().filter(|batch| batch.running.is_some()) {
            Rc::make_mut(batch).lose(&in_words(why));
            lost = true;
        }
        if let Some(check) = self.check.as_mut().filter(|check| check.phase != Phase::Waiting) {
            let check = Rc::make_mut(check);
            if check.is_running() {
                check.lose(why.clone());
                lost = true;
            }
            check.answering = false;
            check.look.fail_all(&NOT_ANSWERING);
        }
        if lost {
            self.tell_loss(why, effects);
        }
    }

    /// What is said of several files.
    pub(super) fn batch_status(&self) -> AttrValue {
        let Some(batch) = &self.batch else { return "".into() };
        let totals = batch.totals();
        let files = counted(batch.files.len() as u64, "file");
        if batch.is_running() {
            return format!("Checking {files}.").into();
        }
        format!(
            "{} of {files} valid, {} not valid, {} not checked.",
            grouped(totals.valid),
            grouped(totals.invalid),
            grouped(totals.not_checked)
        )
        .into()
    }
}

pub(super) fn in_words(why: &Loss) -> AttrValue {
    match why {
        Loss::Died(_) => "the checking engine failed".into(),
        Loss::Silent => "the checking engine gave no sign of life for 10 seconds".into(),
        Loss::Stopped => "you stopped the check".into(),
    }
}
