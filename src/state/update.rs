//! The reducer: [`State::update`].

mod address;
mod ask;
mod batch_run;
mod check;
mod compared;
mod disk;
mod embed;
mod findings;
mod fix;
mod keys;
mod markdown;
mod preview;
mod screen;
mod unsaved;
mod user_schema;
mod worker;

use std::rc::Rc;

use evalcheck_wire::catalogue::ExampleContent;
use evalcheck_wire::worker::{CheckId, Command};
use yew::AttrValue;

use super::action::Action;
use super::batch::Batch;
use super::check::{Check, Loss, Phase};
use super::dataset::Dataset;
use super::effect::{Download, Effect, NewFile, Timer};
use super::heartbeat::{Beat, HEARTBEAT_MS};
use super::keys::Place;
use super::screen::Screen;
use super::verdict::GONE;
use super::{Copied, Notice, State, UpdateOffer};
use crate::display::format_number::grouped;

#[cfg(test)]
pub(super) use self::check::MAX_FINDINGS_PER_CODE;

/// The display time of a notice, in milliseconds.
const NOTICE_MS: u32 = 2_500;

impl State {
    /// Applies an action at `now_ms` of the page's clock, and returns the tasks for the browser. Asks first if the action would lose work.
    pub(crate) fn update(&mut self, action: Action, now_ms: f64) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.rendering.skip = false;
        let was_unsaved = self.has_unsaved();
        let (action, address) = match action {
            Action::Key(key, pane) => (self.key_action(key, pane, &mut effects), None),
            Action::GoToScreen(screen, address) => (self.way_to(screen), address),
            action => (Some(action), None),
        };
        if let Some(action) = action.and_then(|action| self.settle(action, &mut effects)) {
            self.apply(action, now_ms, &mut effects);
        }
        if let Some(address) =
            address.filter(|_| self.told.screen != Screen::default() && self.told.screen == self.screen())
        {
            self.go_to_address(address, &mut effects);
        }
        self.revive(now_ms, &mut effects);
        self.drop_replaced_request(&mut effects);
        self.ask(&mut effects);
        if self.heartbeat.arm(self.is_waiting()) {
            effects.push(Effect::StartTimer { after_ms: HEARTBEAT_MS, timer: Timer::Heartbeat });
        }
        if !self.rendering.skip {
            let title = self.title();
            if title != self.told.title {
                self.told.title.clone_from(&title);
                effects.push(Effect::SetTitle(title));
            }
        }
        self.update_address(&mut effects);
        let keys = self.bound_keys();
        if keys != self.told.keys {
            self.told.keys.clone_from(&keys);
            effects.push(Effect::BindKeys(keys));
        }
        if self.has_unsaved() != was_unsaved {
            effects.push(Effect::GuardUnload(!was_unsaved));
        }
        effects
    }

    fn apply(&mut self, action: Action, now_ms: f64, effects: &mut Vec<Effect>) {
        match action {
            Action::Worker(event) => {
                self.heartbeat.message_received();
                self.worker_event(*event, now_ms, effects);
            }
            Action::AttachmentLoaded { request, attachment, body } => {
                self.heartbeat.message_received();
                self.store_attachment(request, attachment, body);
            }
            Action::WorkerFailed(why) => self.worker_failed(why, effects),
            Action::TimerFired(timer) => self.timer_fired(timer, effects),

            Action::DragOver(over) => self.opening.dragging = over,
            Action::ReadingFolder(found) => {
                self.opening.dragging = None;
                self.opening.files_found = Some(found);
            }
            Action::OpenFiles(items) => self.open_files(items, now_ms, effects),
            Action::OpenFailed(why) => {
                self.opening.dragging = None;
                self.opening.files_found = None;
                self.post_refusal_to_host("refused", why.clone(), effects);
                self.opening.error = Some(why);
            }
            Action::DismissOpenError => self.opening.error = None,
            Action::OpenExample { format, example } => self.open_example(format, example, effects),
            Action::ShowPastePanel(open) => self.opening.pasting = open,
            Action::CheckText(text) => {
                self.opening.dragging = None;
                self.opening.pasting = false;
                effects.push(Effect::CreateFile(Rc::new(pasted(text))));
            }

            Action::ChooseFormat(format) => self.choose_format(format, now_ms, effects),
            Action::Schema(action) => self.update_schema(action, now_ms, effects),
            Action::ChooseEntry(entry) => self.choose_entry(entry, now_ms, effects),
            Action::CheckAgain => self.check_again(now_ms, effects),
            Action::Cancel => self.cancel(effects),
            Action::StartOver => self.start_over(effects),
            Action::Return => self.return_to_open(effects),
            // Handled above.
            Action::Answer(_) | Action::Key(..) | Action::GoToScreen(..) => {}
            Action::OpenFile(index) => self.open_file(index, now_ms, effects),
            Action::Fix(action) => self.update_fix(action, now_ms, effects),
            Action::Exported { id, dataset } => self.exported(id, dataset.key, effects),
            Action::SaveFirst => self.save_first(now_ms, effects),
            Action::FileSaved(key, name) => self.file_saved(key, name, now_ms, effects),
            Action::FileChanged { id, dataset, fixes } => {
                self.file_changed(id, dataset, fixes, effects);
            }
            Action::ShowOverview => self.show_overview(now_ms, effects),
            Action::SelectFile(index) => self.change_batch(|batch| batch.selected = Some(index)),
            Action::Batch(action) => self.update_batch(action, now_ms, effects),
            Action::FilterFiles(status) => self.change_batch(|batch| batch.order.status = status),
            Action::ShowMistakes(shown) => self.change_batch(|batch| batch.shows_mistakes = shown),
            Action::OpenMistake { file, key: (code, path) } => {
                self.open_file(file, now_ms, effects);
                self.open_group(&code, path.as_deref());
            }
            Action::FindFiles(text) => self.change_batch(|batch| batch.order.text = text),
            Action::SortFiles(column) => self.change_batch(|batch| batch.order.sort_by(column)),
            Action::FileInspected { id, size, modified_ms } => {
                self.file_inspected(id, size, modified_ms, effects);
            }
            Action::Preview(action) => self.update_preview(action, effects),
            Action::InView(action) => action.run(self, effects),
            Action::Compare(action) => self.update_comparison(action, effects),

            Action::Loaded(loaded) => self.loaded = loaded,
            Action::RulesLoaded(rules) => self.rules = rules,
            Action::UpdateAvailable => self.look.update_offer = UpdateOffer::Available,
            Action::DismissUpdate => self.look.update_offer = UpdateOffer::None,
            Action::ApplyUpdate => effects.push(Effect::ApplyUpdate),
            Action::ToggleBarDetails => self.look.bar_details = self.look.bar_details.other(),
            Action::FocusFront => effects.push(Effect::MoveFocus(Place::Front)),
            Action::ShowKeys(list) => self.look.keys = list,
            Action::SetSplit(split) => {
                self.look.split = split;
                effects.push(Effect::ApplySplit(split));
            }
            Action::ChangeTheme => self.set_theme(self.look.theme.next(), effects),
            Action::SetTextMode(mode) => self.set_text_mode(mode, effects),
            Action::CopySummary => {
                let text = self.check.as_ref().and_then(|check| check.summary_markdown());
                self.copy(Copied::Summary, text, effects);
            }
            Action::CopyReport => self.copy(Copied::Report, self.report_text(), effects),
            Action::CopyText(what, text) => self.copy(what, Some(text), effects),
            Action::ShowRule(code) => self.rule = code,
            Action::Disk(action) => self.update_disk(action, now_ms, effects),
            Action::GoToAddress(address) => self.go_to_address(address, effects),
            Action::Copied(done) => self.show_copied(done, effects),
            Action::DownloadReport => self.download_report(effects),

            Action::Configure(options) => {
                if let Some(embed) = &mut self.embed {
                    embed.is_connected = true;
                }
                self.configure(options, now_ms, effects);
            }
            Action::CheckForHost { request, dataset } => {
                self.check_for_host(request, dataset, now_ms, effects);
            }
        }
    }

    /// Says whether the file that is checked has changed since it was opened.
    fn file_inspected(&mut self, id: CheckId, size: u64, modified_ms: f64, effects: &mut Vec<Effect>) {
        if let Some(check) = self.check_of(id) {
            check.changed = describe_change(&check.dataset, size, modified_ms);
            self.post_result_to_host(effects);
        }
    }

    fn timer_fired(&mut self, timer: Timer, effects: &mut Vec<Effect>) {
        match timer {
            Timer::Notice(id) => {
                if id == self.notices.id {
                    self.notices.shown = None;
                }
            }
            Timer::CancelDeadline(id) => {
                let of_check = self.check_of(id).is_some_and(|check| check.phase == Phase::Stopping);
                let of_batch = self.batch.as_ref().is_some_and(|batch| {
                    batch.stopping && batch.running.front().is_some_and(|running| running.id == id)
                });
                if of_check || of_batch {
                    self.lose_worker(&Loss::Cancelled, effects);
                }
            }
            Timer::Heartbeat => {
                let beat = self.heartbeat.tick(self.is_waiting());
                if beat == Beat::Ping {
                    effects.push(Effect::Post(Command::Ping, None));
                }
                match beat {
                    Beat::Ping | Beat::Wait => {
                        effects.push(Effect::StartTimer { after_ms: HEARTBEAT_MS, timer: Timer::Heartbeat });
                    }
                    Beat::Dead => self.lose_worker(&Loss::Silent, effects),
                    Beat::Idle => {}
                }
            }
        }
    }

    fn report_text(&self) -> Option<String> {
        let check = self.check.as_ref().map(|check| check.as_text());
        check.or_else(|| self.batch.as_ref().map(|batch| batch.as_text()))
    }

    /// Downloads the report, or those of all files.
    fn download_report(&mut self, effects: &mut Vec<Effect>) {
        let report = match (&self.check, &self.batch) {
            (Some(check), _) => check.report().cloned().map(Download::One),
            (None, batch) => batch.as_ref().map(|batch| Download::All(batch.reports())),
        };
        if let Some(report) = report {
            self.show_saved(report.name().into(), effects);
            effects.push(Effect::Download(report));
        }
    }

    /// Copies a text to the clipboard.
    fn copy(&mut self, what: Copied, text: Option<String>, effects: &mut Vec<Effect>) {
        self.notices.copied = what;
        effects.extend(text.map(Effect::Copy));
    }

    /// Shows for a while whether the copy succeeded.
    fn show_copied(&mut self, done: bool, effects: &mut Vec<Effect>) {
        let what = self.notices.copied;
        self.show_notice(if done { Notice::Copied(what) } else { Notice::NotCopied(what) }, effects);
    }

    /// Says for a while under which name a file was saved.
    fn show_saved(&mut self, name: AttrValue, effects: &mut Vec<Effect>) {
        self.notices.saved = name;
        self.show_notice(Notice::Saved, effects);
    }

    /// Shows a notice for a while.
    fn show_notice(&mut self, notice: Notice, effects: &mut Vec<Effect>) {
        self.notices.shown = Some(notice);
        self.notices.id = self.ids.next();
        let timer = Timer::Notice(self.notices.id);
        effects.push(Effect::StartTimer { after_ms: NOTICE_MS, timer });
    }

    /// Changes the batch, if there is one.
    pub(super) fn change_batch(&mut self, change: impl FnOnce(&mut Batch)) {
        if let Some(batch) = self.batch.as_mut() {
            change(Rc::make_mut(batch));
        }
    }

    /// The check with this id; `None` for the id of an earlier check.
    fn check_of(&mut self, id: CheckId) -> Option<&mut Check> {
        let fixing = self.fixing.as_mut().map(|fixing| &mut fixing.check);
        let mut checks = fixing.into_iter().chain(&mut self.check);
        checks.find(|check| check.id == id).map(Rc::make_mut)
    }
}

/// Text that was pasted. An array over several lines is a document. Anything else is read line by line; a line may be an array.
fn pasted(text: String) -> NewFile {
    let first = text.trim_start().lines().next().unwrap_or_default().trim_end();
    let is_document = first.starts_with('[') && !first.ends_with(']');
    let name = if is_document { "pasted.json" } else { "pasted.jsonl" };
    NewFile { name: name.to_owned(), content: ExampleContent::Text(text) }
}

/// Describes how a file has changed, for the user; `None` if it has not.
fn describe_change(dataset: &Dataset, size: u64, modified_ms: f64) -> Option<AttrValue> {
    if size == 0 {
        return (dataset.size > 0).then_some(AttrValue::Static(GONE));
    }
    if size != dataset.size {
        let (then, now) = (grouped(dataset.size), grouped(size));
        let change = format!("The file had {then} bytes when it was opened and has {now} bytes now.");
        return Some(format!("{change} Open it again to check it.").into());
    }
    ((modified_ms - dataset.modified_ms).abs() >= 1.0)
        .then(|| "The file was modified during the check. Open it again to check it.".into())
}
