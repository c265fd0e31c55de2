//! The state of the page, and the one place where it changes.
//!
//! [`State::update`] takes an [`Action`] and gives the [`Effect`]s that the browser is to carry out. It knows no
//! browser: time comes in as a number, files are known by a key, the worker by the messages of `evalcheck-wire`.

mod action;
mod check;
mod dataset;
mod excerpt;
mod heartbeat;
mod lines;
mod look;
mod looking;
mod numbers;
mod theme;
mod track;
mod verdict;
mod visible;

pub(crate) mod number;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use evalcheck_wire::catalogue::{Catalogue, ExampleContent};
use evalcheck_wire::worker::{CheckOptions, Command, Event};
use yew::AttrValue;
use yew::html::ImplicitClone;

pub(crate) use self::action::{Action, Direction, Effect, NewFile, Timer};
pub(crate) use self::check::{Check, Ending, Loss, Phase};
pub(crate) use self::dataset::{Dataset, FileKey};
pub(crate) use self::excerpt::{CONTEXT, Under, excerpt};
pub(crate) use self::lines::{LineCache, Lookup};
pub(crate) use self::look::{
    AttachmentBody, AttachmentState, AttachmentView, Filter, Findings, Focus, ListKind, RecordState,
    Selection, Tab,
};
pub(crate) use self::theme::Theme;
pub(crate) use self::track::{Position, Track};
pub(crate) use self::verdict::{Headline, headline};
pub(crate) use self::visible::{Piece, Whitespace, pieces};

use self::heartbeat::{BEAT_MS, Beat, Heartbeat};
use self::looking::NOT_ANSWERING;
use self::numbers::Numbers;

/// The most findings of one code that the page keeps. The counts are exact all the same, and the command lists
/// every finding.
pub(crate) const MAX_FINDINGS_PER_CODE: u64 = 5_000;

/// How long a worker may take to stop a check, in milliseconds.
const CANCEL_MS: u32 = 500;

/// How long a short notice stays, in milliseconds.
const NOTICE_MS: u32 = 2_500;

/// Whether the worker can be asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum EngineState {
    /// It is loading.
    #[default]
    Loading,
    /// It can.
    Ready,
    /// It can't be loaded; why.
    Failed(AttrValue),
}

impl ImplicitClone for EngineState {}

/// A short notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The report is on the clipboard.
    Copied,
    /// The clipboard can't be had.
    NotCopied,
}

/// The state of the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// Formats and rules; empty until the worker is ready.
    pub(crate) catalogue: Rc<Catalogue>,
    /// Whether the worker can be asked.
    pub(crate) engine: EngineState,
    /// The format to check against; `None` lets the content decide.
    pub(crate) format: Option<AttrValue>,
    /// The theme.
    pub(crate) theme: Theme,
    /// True while something is held over the page.
    pub(crate) dragging: bool,
    /// True while the panel for pasted text is open.
    pub(crate) pasting: bool,
    /// Why the last thing that was handed over was not taken.
    pub(crate) refused: Option<AttrValue>,
    /// A short notice.
    pub(crate) notice: Option<Notice>,
    /// The check that is shown.
    pub(crate) check: Option<Rc<Check>>,
    /// The number of the last notice.
    noticed: u32,
    heartbeat: Heartbeat,
    numbers: Numbers,
}

impl State {
    /// The state of a page that was just opened, and what to begin with.
    pub(crate) fn new(theme: Theme) -> (Self, Vec<Effect>) {
        (Self { theme, ..Self::default() }, vec![Effect::StartWorker])
    }

    /// Takes note of what happened at `now_ms` of the page's clock.
    pub(crate) fn update(&mut self, action: Action, now_ms: f64) -> Vec<Effect> {
        let mut effects = Vec::new();
        match action {
            Action::Worker(event) => {
                self.heartbeat.heard();
                self.hear(*event, now_ms, &mut effects);
            }
            Action::AttachmentRead { job, request, attachment, body } => {
                self.heartbeat.heard();
                if let Some(check) = self.check_of(job) {
                    let state = match attachment {
                        Ok(attachment) => AttachmentState::Here(Rc::new(attachment), body),
                        Err(why) => AttachmentState::Failed(why.into()),
                    };
                    check.look.set_attachment(request, state);
                }
            }
            Action::WorkerFailed(why) => self.worker_failed(why, &mut effects),
            Action::Woke(timer) => self.wake(timer, &mut effects),

            Action::DragOver(over) => self.dragging = over,
            Action::Take(dataset) => self.begin(Rc::new(dataset), now_ms, &mut effects),
            Action::Refuse(why) => {
                self.dragging = false;
                self.refused = Some(why);
            }
            Action::Noted => self.refused = None,
            Action::OpenExample { format, example } => self.open_example(format, example, &mut effects),
            Action::Paste(open) => self.pasting = open,
            Action::CheckText(text) => {
                self.pasting = false;
                let file = NewFile { name: "pasted.jsonl".to_owned(), content: ExampleContent::Text(text) };
                effects.push(Effect::MakeFile(Rc::new(file)));
            }

            Action::ChooseFormat(format) => {
                self.format = format;
                self.begin_again(now_ms, &mut effects);
            }
            Action::CheckAgain => self.begin_again(now_ms, &mut effects),
            Action::Cancel => self.cancel(&mut effects),
            Action::Leave => {
                if let Some(check) = self.check.take() {
                    effects.extend([Effect::ReleaseAttachments, Effect::ScrollToTop]);
                    if check.is_running() && check.phase != Phase::Waiting {
                        effects.push(Effect::Post(Command::Cancel { job: check.job }, None));
                    }
                }
            }
            Action::FileSeen { job, size, modified_ms } => {
                if let Some(check) = self.check_of(job) {
                    check.changed = changed(&check.dataset, size, modified_ms);
                }
            }

            Action::ChangeTheme => {
                self.theme = self.theme.next();
                effects.push(Effect::ApplyTheme(self.theme));
            }
            Action::CopyReport => {
                if let Some(check) = &self.check {
                    effects.push(Effect::Copy(check.as_text()));
                }
            }
            Action::Copied(done) => {
                self.notice = Some(if done { Notice::Copied } else { Notice::NotCopied });
                self.noticed = self.numbers.next();
                effects.push(Effect::Wake { after_ms: NOTICE_MS, timer: Timer::Notice(self.noticed) });
            }
            Action::DownloadReport => {
                effects.extend(
                    self.check.as_ref().and_then(|check| check.report()).cloned().map(Effect::Download),
                );
            }

            looking => self.look(looking, &mut effects),
        }
        self.ask_for_lines(&mut effects);
        if self.heartbeat.arm(self.is_waiting()) {
            effects.push(Effect::Wake { after_ms: BEAT_MS, timer: Timer::Heartbeat });
        }
        effects
    }

    /// The one line that a screen reader is told when it changes.
    pub(crate) fn status(&self) -> AttrValue {
        match (self.notice, &self.check) {
            (Some(Notice::Copied), _) => "The report was copied.".into(),
            (Some(Notice::NotCopied), _) => "The browser did not let the report be copied.".into(),
            (None, None) => "".into(),
            (None, Some(check)) => match &check.phase {
                Phase::Stopping => "Stopping.".into(),
                Phase::Done(_) => headline(check, &self.catalogue)
                    .map_or_else(|| "".into(), |headline| headline.words.into()),
                Phase::Waiting | Phase::Running => format!("Checking {}.", check.dataset.name).into(),
            },
        }
    }

    /// What the worker says.
    fn hear(&mut self, event: Event, now_ms: f64, effects: &mut Vec<Effect>) {
        match event {
            Event::Ready { catalogue } => {
                self.catalogue = Rc::new(catalogue);
                self.engine = EngineState::Ready;
                self.post_check(now_ms, effects);
            }
            Event::Progress { job, progress, first_findings } => {
                if let Some(check) = self.check_of(job) {
                    check.advance(progress, first_findings, now_ms);
                }
            }
            Event::Report { job, report, elapsed_ms } => self.finish(
                job,
                |check| {
                    check.report_came(report, elapsed_ms, false);
                },
                effects,
            ),
            Event::Cancelled { job, report, elapsed_ms } => self.finish(
                job,
                |check| {
                    check.report_came(report, elapsed_ms, true);
                },
                effects,
            ),
            Event::Lines { job, request, lines } => {
                if let Some(check) = self.check_of(job) {
                    Rc::make_mut(&mut check.look.lines).take(request, lines);
                }
            }
            Event::Record { job, request, record } => self.take_record(job, request, record, effects),
            Event::Attachment { job, request, attachment } => {
                // The platform sends those with bytes as an action of their own.
                if let (Some(check), Err(why)) = (self.check_of(job), attachment) {
                    check.look.set_attachment(request, AttachmentState::Failed(why.into()));
                }
            }
            Event::Unavailable { job, request, message } => {
                if let Some(check) = self.check_of(job) {
                    check.look.fail(request, &message.into());
                }
            }
            Event::Pong => {}
            Event::Died { job, message, checked_bytes, line } => {
                if let Some(check) = job.and_then(|job| self.check_of(job)).filter(|check| check.is_running())
                {
                    check.progress.bytes = checked_bytes;
                    check.progress.lines = line.saturating_sub(1);
                }
                self.worker_failed(message.into(), effects);
            }
        }
    }

    fn wake(&mut self, timer: Timer, effects: &mut Vec<Effect>) {
        match timer {
            Timer::Notice(number) => {
                if number == self.noticed {
                    self.notice = None;
                }
            }
            Timer::CancelDeadline(job) => {
                let still = self.check_of(job).is_some_and(|check| check.phase == Phase::Stopping);
                if still {
                    self.lose_worker(&Loss::Stopped, effects);
                }
            }
            Timer::Heartbeat => {
                let beat = self.heartbeat.look(self.is_waiting());
                if beat == Beat::Ping {
                    effects.push(Effect::Post(Command::Ping, None));
                }
                match beat {
                    Beat::Ping | Beat::Wait => {
                        effects.push(Effect::Wake { after_ms: BEAT_MS, timer: Timer::Heartbeat });
                    }
                    Beat::Lost => self.lose_worker(&Loss::Silent, effects),
                    Beat::Rest => {}
                }
            }
        }
    }

    /// True while the worker owes something.
    fn is_waiting(&self) -> bool {
        let owes = |check: &Rc<Check>| {
            matches!(check.phase, Phase::Running | Phase::Stopping) || check.look.is_waiting()
        };
        self.engine == EngineState::Ready && self.check.as_ref().is_some_and(owes)
    }

    /// The check that an answer belongs to; `None` for a stale one.
    fn check_of(&mut self, job: u32) -> Option<&mut Check> {
        self.check.as_mut().filter(|check| check.job == job).map(Rc::make_mut)
    }

    fn begin(&mut self, dataset: Rc<Dataset>, now_ms: f64, effects: &mut Vec<Effect>) {
        self.dragging = false;
        self.pasting = false;
        self.refused = None;
        if self.check.is_some() {
            effects.push(Effect::ReleaseAttachments);
        } else {
            // The person may have gone down to the examples, and the verdict stands at the top.
            effects.push(Effect::ScrollToTop);
        }
        self.check = Some(Rc::new(Check::new(self.numbers.next(), dataset, now_ms)));
        match self.engine {
            EngineState::Ready => self.post_check(now_ms, effects),
            EngineState::Loading => {}
            EngineState::Failed(_) => {
                self.engine = EngineState::Loading;
                effects.push(Effect::StartWorker);
            }
        }
    }

    fn begin_again(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        if let Some(dataset) = self.check.as_ref().map(|check| Rc::clone(&check.dataset)) {
            self.begin(dataset, now_ms, effects);
        } else if matches!(self.engine, EngineState::Failed(_)) {
            self.engine = EngineState::Loading;
            effects.push(Effect::StartWorker);
        }
    }

    /// Sends the check that waits for the worker, if one does.
    fn post_check(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().filter(|check| check.phase == Phase::Waiting) else { return };
        let check = Rc::make_mut(check);
        check.phase = Phase::Running;
        check.started_ms = now_ms;
        let options = CheckOptions {
            format: self.format.as_ref().map(ToString::to_string),
            max_findings_per_code: Some(MAX_FINDINGS_PER_CODE),
            ..CheckOptions::default()
        };
        effects.push(Effect::Post(Command::Check { job: check.job, options }, Some(check.dataset.key)));
    }

    fn open_example(&mut self, format: usize, example: usize, effects: &mut Vec<Effect>) {
        let found = self.catalogue.formats.get(format).and_then(|format| format.examples.get(example));
        if let Some(example) = found {
            // An example is of its own format, whatever was chosen for the last file.
            self.format = None;
            let file = NewFile { name: example.file_name.clone(), content: example.content.clone() };
            effects.push(Effect::MakeFile(Rc::new(file)));
        }
    }

    fn cancel(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut() else { return };
        match check.phase {
            Phase::Waiting => self.check = None,
            Phase::Running => {
                let check = Rc::make_mut(check);
                check.phase = Phase::Stopping;
                effects.push(Effect::Post(Command::Cancel { job: check.job }, None));
                effects.push(Effect::Wake { after_ms: CANCEL_MS, timer: Timer::CancelDeadline(check.job) });
            }
            Phase::Stopping | Phase::Done(_) => {}
        }
    }

    /// The check has its report.
    fn finish(&mut self, job: u32, take: impl FnOnce(&mut Check), effects: &mut Vec<Effect>) {
        let Some(check) = self.check_of(job).filter(|check| check.is_running()) else { return };
        take(check);
        effects.push(Effect::LookAtFile(check.dataset.key, job));
        match check.look.selection {
            None => {
                check.look.selection = check.first_look();
                self.ask_for_record(effects);
            }
            Some(_) => self.show_neighbours(),
        }
    }

    /// A worker that worked is replaced; one that could not even begin would fail again.
    fn worker_failed(&mut self, why: AttrValue, effects: &mut Vec<Effect>) {
        if self.engine == EngineState::Ready {
            self.lose_worker(&Loss::Died(why), effects);
        } else {
            self.engine = EngineState::Failed(why);
        }
    }

    /// The worker is gone; a new one is started. What was open will not be answered.
    fn lose_worker(&mut self, why: &Loss, effects: &mut Vec<Effect>) {
        self.engine = EngineState::Loading;
        self.heartbeat.heard();
        effects.push(Effect::StartWorker);
        let Some(check) = self.check.as_mut().filter(|check| check.phase != Phase::Waiting) else { return };
        let check = Rc::make_mut(check);
        if check.is_running() {
            check.lose(why.clone());
        }
        check.answering = false;
        check.look.fail_all(&NOT_ANSWERING);
    }
}

/// What has become of a file, in words; `None` when it is as it was.
fn changed(dataset: &Dataset, size: u64, modified_ms: f64) -> Option<AttrValue> {
    if size != dataset.size {
        let (then, now) = (number::grouped(dataset.size), number::grouped(size));
        return Some(
            format!(
                "It had {then} bytes when it was handed over and has {now} now. Choose it again to check it."
            )
            .into(),
        );
    }
    ((modified_ms - dataset.modified_ms).abs() >= 1.0)
        .then(|| "It was written to while it was checked. Choose it again to check it.".into())
}
