//! The state of the page, and the one place where it changes.
//!
//! [`State::update`] takes an [`Action`] and gives the [`Effect`]s that the browser is to carry out. It knows no
//! browser: time comes in as a number, files are known by a key, the worker by the messages of `evalcheck-wire`.

mod action;
mod batch;
mod check;
mod choice;
mod dataset;
mod embed;
mod excerpt;
mod handed;
mod heartbeat;
mod lines;
mod look;
mod looking;
mod numbers;
mod theme;
mod track;
mod verdict;
mod visible;
mod work;

pub(crate) mod number;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use evalcheck_wire::catalogue::{Catalogue, ExampleContent};
use evalcheck_wire::embed::Options;
use evalcheck_wire::worker::{Command, Event};
use yew::AttrValue;
use yew::html::ImplicitClone;

pub(crate) use self::action::{Action, Direction, Download, Effect, NewFile, Timer};
pub(crate) use self::batch::{Batch, BatchFile, Standing, Totals};
pub(crate) use self::check::{Check, Ending, Loss, Phase};
pub(crate) use self::choice::FormatChoice;
pub(crate) use self::dataset::{Dataset, FileKey};
pub(crate) use self::embed::{Embed, Told};
pub(crate) use self::excerpt::{CONTEXT, Under, excerpt};
pub(crate) use self::handed::{Handed, LeftOut, junk};
pub(crate) use self::lines::{LineCache, Lookup};
pub(crate) use self::look::{
    AttachmentBody, AttachmentState, AttachmentView, Filter, Findings, Focus, ListKind, RecordState,
    Selection, Tab,
};
pub(crate) use self::theme::Theme;
pub(crate) use self::track::{Position, Track};
pub(crate) use self::verdict::{Headline, headline, is_unknown};
pub(crate) use self::visible::{Piece, Whitespace, pieces};

use self::heartbeat::{BEAT_MS, Beat, Heartbeat};
use self::numbers::Numbers;

/// The most findings of one code that the page keeps. The counts are exact all the same, and the command lists
/// every finding.
pub(crate) const MAX_FINDINGS_PER_CODE: u64 = 5_000;

/// How long a short notice stays, in milliseconds.
const NOTICE_MS: u32 = 2_500;

/// The shortest time between two renderings of a running batch, in milliseconds: a thousand small files send a thousand
/// reports within a second.
const BATCH_RENDER_MS: f64 = 100.0;

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

/// Whether a newer version of the page can be had.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Newer {
    /// None is known of, or it was put off.
    #[default]
    None,
    /// One is there.
    Offered,
}

/// The state of the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// Formats and rules; empty until the worker is ready.
    pub(crate) catalogue: Rc<Catalogue>,
    /// Whether the worker can be asked.
    pub(crate) engine: EngineState,
    /// The format to check against; `None` lets the content decide.
    pub(crate) format: Option<FormatChoice>,
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
    /// The files that were handed over together, when there are several; the check that is shown may be of one.
    pub(crate) batch: Option<Rc<Batch>>,
    /// What came with the files and is not checked, in words.
    pub(crate) left_out: Option<AttrValue>,
    /// Files found so far in a folder that is being read.
    pub(crate) gathering: Option<u32>,
    /// Whether a newer version of the page can be had.
    pub(crate) newer: Newer,
    /// What the page around this one wants, where there is one.
    pub(crate) embed: Option<Embed>,
    /// True when the last action needs no rendering of its own.
    pub(crate) skip_render: bool,
    /// When the running batch was last rendered.
    batch_rendered_ms: f64,
    /// The number of the last notice.
    noticed: u32,
    heartbeat: Heartbeat,
    numbers: Numbers,
}

impl State {
    /// The state of a page that was just opened, and what to begin with. `embed` is what its address says of the page
    /// around it.
    pub(crate) fn new(theme: Theme, embed: Option<Options>) -> (Self, Vec<Effect>) {
        let mut effects = vec![Effect::StartWorker];
        let mut state = Self { theme, embed: embed.as_ref().map(|_| Embed::default()), ..Self::default() };
        if let Some(options) = embed {
            state.configure(options, 0.0, &mut effects);
        }
        (state, effects)
    }

    /// Takes note of what happened at `now_ms` of the page's clock.
    pub(crate) fn update(&mut self, action: Action, now_ms: f64) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.skip_render = false;
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
            Action::Gathering(found) => self.gathering = Some(found),
            Action::Take(handed) => self.take(handed, now_ms, &mut effects),
            Action::Refuse(why) => {
                self.dragging = false;
                self.gathering = None;
                self.tell_refusal("refused", why.clone(), &mut effects);
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
            Action::Leave => self.leave(&mut effects),
            Action::OpenFile(at) => self.open_file(at, now_ms, &mut effects),
            Action::ShowOverview => self.show_overview(now_ms, &mut effects),
            Action::SelectFile(at) => {
                if let Some(batch) = self.batch.as_mut().map(Rc::make_mut) {
                    batch.chosen = Some(at);
                }
            }
            Action::FilterFiles(filter) => {
                if let Some(batch) = self.batch.as_mut().map(Rc::make_mut) {
                    batch.filter = filter;
                }
            }
            Action::FileSeen { job, size, modified_ms } => {
                if let Some(check) = self.check_of(job) {
                    check.changed = changed(&check.dataset, size, modified_ms);
                    self.tell_result(&mut effects);
                }
            }

            Action::UpdateFound => self.newer = Newer::Offered,
            Action::PutOffUpdate => self.newer = Newer::None,
            Action::Update => effects.push(Effect::Update),
            Action::ChangeTheme => {
                self.theme = self.theme.next();
                effects.push(Effect::ApplyTheme(self.theme));
            }
            Action::CopyReport => {
                let check = self.check.as_ref().map(|check| check.as_text());
                let text = check.or_else(|| self.batch.as_ref().map(|batch| batch.as_text()));
                effects.extend(text.map(Effect::Copy));
            }
            Action::Copied(done) => {
                self.notice = Some(if done { Notice::Copied } else { Notice::NotCopied });
                self.noticed = self.numbers.next();
                effects.push(Effect::Wake { after_ms: NOTICE_MS, timer: Timer::Notice(self.noticed) });
            }
            Action::DownloadReport => {
                let download = match (&self.check, &self.batch) {
                    (Some(check), _) => check.report().cloned().map(Download::One),
                    (None, batch) => batch.as_ref().map(|batch| Download::All(batch.reports())),
                };
                effects.extend(download.map(Effect::Download));
            }

            Action::Configure(options) => self.configure(options, now_ms, &mut effects),
            Action::Ask { request, dataset } => self.asked(request, dataset, now_ms, &mut effects),

            looking => self.look(looking, &mut effects),
        }
        self.give_up_asked(&mut effects);
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
            (None, None) => self.batch_status(),
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
                self.settle_embed(effects);
                self.post(now_ms, effects);
            }
            Event::Progress { job, progress, first_findings } => {
                if let Some(check) = self.check_of(job) {
                    check.advance(progress, first_findings, now_ms);
                    let file = check.dataset.name.clone();
                    self.tell_progress(file, progress, effects);
                } else if let Some(batch) = self.batch.as_mut().map(Rc::make_mut)
                    && let Some(running) = batch.running(job)
                {
                    running.progress = progress;
                    let at = running.at;
                    let file = batch.files[at].dataset.name.clone();
                    self.tell_progress(file, progress, effects);
                }
            }
            Event::Report { job, report, elapsed_ms } => {
                self.report_came(job, report, elapsed_ms, false, now_ms, effects);
            }
            Event::Cancelled { job, report, elapsed_ms } => {
                self.report_came(job, report, elapsed_ms, true, now_ms, effects);
            }
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
            // `Assembly` has made them part of the report.
            Event::Findings { .. } | Event::Pong => {}
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
                let of_check = self.check_of(job).is_some_and(|check| check.phase == Phase::Stopping);
                let of_batch = self.batch.as_ref().is_some_and(|batch| {
                    batch.stopping && batch.running.is_some_and(|running| running.job == job)
                });
                if of_check || of_batch {
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
        let runs = |batch: &Rc<Batch>| batch.running.is_some();
        self.engine == EngineState::Ready
            && (self.check.as_ref().is_some_and(owes) || self.batch.as_ref().is_some_and(runs))
    }

    /// The check that an answer belongs to; `None` for a stale one.
    fn check_of(&mut self, job: u32) -> Option<&mut Check> {
        self.check.as_mut().filter(|check| check.job == job).map(Rc::make_mut)
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
