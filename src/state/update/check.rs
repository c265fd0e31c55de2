//! Opens files, and determines the next check of the worker.

use std::rc::Rc;

use evalcheck_wire::worker::{CheckOptions, Command, History};
use yew::AttrValue;

use crate::state::action::SchemaAction;
use crate::state::again::Kept;
use crate::state::batch::{Batch, FolderAccess};
use crate::state::check::{Check, Phase};
use crate::state::comparing::Previous;
use crate::state::dropped_items::DroppedItems;
use crate::state::effect::{Effect, NewFile, Timer};
use crate::state::fixing::{Fixing, Task};
use crate::state::format_choice::FormatChoice;
use crate::state::user_schema::{UserSchema, options_of};
use crate::state::{EngineState, State};

/// The maximum number of findings of one code that the page keeps. The counts are exact, and the command lists every finding.
pub(in crate::state) const MAX_FINDINGS_PER_CODE: u64 = 5_000;

/// The time in milliseconds for the worker to cancel a check, before it is terminated.
const CANCEL_MS: u32 = 500;

impl State {
    /// Opens one file, or several as a batch.
    pub(in crate::state) fn open_files(
        &mut self,
        items: DroppedItems,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        let DroppedItems { mut files, schema, skipped, is_writable } = items;
        self.opening.dragging = None;
        self.opening.files_found = None;
        if !schema.is_empty() {
            if files.is_empty() {
                return self.update_schema(SchemaAction::Use(schema), now_ms, effects);
            }
            self.schema = self.schema.with(schema);
        }
        let Some(first) = files.iter().map(|file| file.key).min() else {
            let why = skipped.describe().unwrap_or_else(|| "The folder is empty.".to_owned());
            let message = AttrValue::from(format!("Nothing to check. {why}"));
            self.post_refusal_to_host("refused", message.clone(), effects);
            self.opening.error = Some(message);
            return;
        };
        let previous = self.check.as_ref().and_then(|check| Previous::of(check, &files));
        let kept = self.check_before(&files).map(|check| Kept::of(check, self));
        self.close(effects);
        self.opening.example = self.opening.next_example.take();
        let oldest = previous.as_ref().map_or(first, |previous| previous.dataset.key.min(first));
        effects.push(Effect::ReleaseFilesBefore(oldest));
        self.previous = previous;
        self.opening.skipped = Rc::new(skipped);
        if files.len() == 1 {
            let mut check = Check::new(self.ids.next(), Rc::new(files.remove(0)), now_ms);
            if let Some(kept) = kept {
                self.opening.address = kept.hand_over(&mut check);
            }
            self.start_check(check, now_ms, effects);
        } else {
            let mut batch = Batch::new(files, self.format.as_ref(), self.schema.clone());
            if is_writable {
                batch.folder = FolderAccess::Writable;
            }
            self.batch = Some(Rc::new(batch));
            effects.push(Effect::ScrollToTop);
            self.start_when_ready(now_ms, effects);
        }
    }

    /// Starts a change of the shown file.
    pub(super) fn start_fixing(&mut self, fixing: Fixing, now_ms: f64, effects: &mut Vec<Effect>) {
        self.fixing = Some(fixing);
        self.start_when_ready(now_ms, effects);
    }

    /// Starts the check of one file, and shows its progress.
    fn start_check(&mut self, check: Check, now_ms: f64, effects: &mut Vec<Effect>) {
        self.opening.pasting = false;
        self.opening.error = None;
        self.fixing = None;
        self.end_comparison(None, effects);
        self.leave_check(effects);
        if self.check.is_some() {
            effects.push(Effect::ReleaseAttachments);
        } else {
            // The verdict is at the top, and the user may have scrolled down to the examples.
            effects.push(Effect::ScrollToTop);
        }
        let on_disk = self.check.as_ref().filter(|shown| shown.original().key == check.original().key);
        let on_disk = on_disk.map(|shown| shown.on_disk.clone()).unwrap_or_default();
        self.check = Some(Rc::new(Check { on_disk, ..check }));
        self.start_when_ready(now_ms, effects);
    }

    /// Checks against this format: the shown files, or those that are opened next.
    pub(super) fn choose_format(
        &mut self,
        format: Option<FormatChoice>,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        self.format = format;
        if self.aside.is_none() {
            self.check_again(now_ms, effects);
        }
    }

    /// Checks another file of the shown ZIP.
    pub(super) fn choose_entry(&mut self, entry: AttrValue, now_ms: f64, effects: &mut Vec<Effect>) {
        if let Some(check) = self.check.as_mut() {
            Rc::make_mut(check).entry = Some(entry);
            self.check_again(now_ms, effects);
        }
    }

    /// Checks the same file again, or the files of a batch that have to be checked again. Restarts an engine that failed to start.
    pub(super) fn check_again(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        if let Some(check) = self.check.as_ref() {
            let (dataset, batch_index, fixes) =
                (Rc::clone(&check.dataset), check.batch_index, check.fixes.clone());
            let history = fixes.is_some().then_some(History { check: check.id, is_before: false });
            let entry = check.entry.clone();
            let check = Check::new(self.ids.next(), dataset, now_ms);
            self.start_check(Check { batch_index, entry, fixes, history, ..check }, now_ms, effects);
        } else {
            let is_other_format = |batch: &Rc<Batch>| batch.choice != self.format;
            let is_other_schema = |batch: &Rc<Batch>| batch.schema != self.schema;
            if self.batch.as_ref().is_some_and(|batch| is_other_format(batch) || is_other_schema(batch)) {
                self.end_checks_of_batch(effects);
                self.renew_batch();
                let format = self.format.clone();
                self.change_batch(|batch| {
                    if batch.choice != format {
                        batch.check_as(format);
                    }
                });
            } else {
                self.change_batch(Batch::retry_not_checked);
            }
            if self.batch.is_some() || matches!(self.engine, EngineState::Failed(_)) {
                self.start_when_ready(now_ms, effects);
            }
        }
    }

    fn start_when_ready(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        match self.engine {
            EngineState::Ready => self.post_next_check(now_ms, effects),
            EngineState::Loading => {}
            EngineState::Failed(_) => {
                self.engine = EngineState::Loading;
                effects.push(Effect::StartWorker);
            }
        }
    }

    /// The options for checking the shown file.
    pub(super) fn check_options(&self) -> CheckOptions {
        let entry = self.check.as_ref().and_then(|check| check.entry.as_ref());
        options_of_shown(self.format.as_ref(), &self.schema, entry)
    }

    /// Posts the next check for the worker, if there is one: the check of a fix, else of the shown file, else of the next file of the
    /// batch.
    pub(super) fn post_next_check(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        if self.engine != EngineState::Ready {
            return;
        }
        let shown = self.check.as_ref().filter(|_| self.fixing.is_some()).map(|check| check.id);
        let task = self.fixing.as_ref().map(|fixing| fixing.task.clone());
        let added = self.fixing.as_mut().and_then(|fixing| fixing.added.take());
        let next = self.fixing.as_mut().map(|fixing| &mut fixing.check).or(self.check.as_mut());
        if let Some(check) = next {
            if check.phase == Phase::Waiting {
                let check = Rc::make_mut(check);
                check.phase = Phase::Running;
                check.started_ms = now_ms;
                let options = options_of_shown(self.format.as_ref(), &self.schema, check.entry.as_ref());
                let id = check.id;
                let command = match task {
                    Some(Task::Change(change)) => Command::Fix { id, options, change, shown },
                    Some(Task::Undo) | None => Command::Check { id, options, shown, history: check.history },
                };
                let key = check.dataset.key;
                effects.extend(match added {
                    Some(other) => {
                        vec![Effect::PostPair { command, key, other }, Effect::ReleaseFile(other)]
                    }
                    None => vec![Effect::Post(command, Some(key))],
                });
            }
        } else {
            self.post_next_of_batch(effects);
        }
    }

    /// Opens one file of the batch. The other files wait, because the worker keeps the lines of one file at a time.
    pub(super) fn open_file(&mut self, index: usize, now_ms: f64, effects: &mut Vec<Effect>) {
        // A write in progress may replace the file.
        if self.batch.as_ref().is_some_and(|batch| batch.is_writing()) {
            return;
        }
        self.return_to_open(effects);
        self.keep_fixes();
        self.pause_batch(effects);
        let Some(batch) = self.batch.as_mut().map(Rc::make_mut) else { return };
        let Some(file) = batch.files.get(index).map(Rc::clone) else { return };
        batch.selected = Some(index);
        self.format.clone_from(&file.choice);
        let (dataset, fixes) = match &file.fixed {
            Some(fixed) => (&fixed.dataset, Some(fixed.fixes.clone())),
            None => (&file.dataset, None),
        };
        let check = Check::new(self.ids.next(), Rc::clone(dataset), now_ms);
        self.start_check(Check { batch_index: Some(index), fixes, ..check }, now_ms, effects);
    }

    /// Keeps the fixes of the shown file of a batch, for when it is opened again.
    fn keep_fixes(&mut self) {
        if let (Some(check), Some(batch)) = (&self.check, &mut self.batch)
            && let Some(index) = check.batch_index
        {
            Rc::make_mut(batch).keep(index, check.fixed_file());
        }
    }

    /// Returns from one file of the batch to the list of all.
    pub(super) fn show_overview(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        self.return_to_open(effects);
        self.keep_fixes();
        let Some(batch) = &self.batch else { return };
        self.format.clone_from(&batch.choice);
        self.close_check(effects);
        self.renew_batch();
        self.post_next_check(now_ms, effects);
    }

    /// Cancels and closes everything.
    pub(super) fn close(&mut self, effects: &mut Vec<Effect>) {
        self.aside = None;
        self.close_check(effects);
        self.cancel_run(effects);
        self.end_checks_of_batch(effects);
        self.batch = None;
        self.opening.pasting = false;
        self.opening.error = None;
    }

    /// Ends the checks of the batch that the worker has.
    fn end_checks_of_batch(&self, effects: &mut Vec<Effect>) {
        let running = self.batch.as_ref().and_then(|batch| batch.running.front());
        effects.extend(running.map(|running| Effect::Post(Command::Cancel { id: running.id }, None)));
    }

    fn close_check(&mut self, effects: &mut Vec<Effect>) {
        self.stop_fixing(effects);
        self.end_comparison(None, effects);
        self.leave_check(effects);
        self.previous = None;
        if let Some(check) = self.check.take() {
            effects.extend([Effect::ReleaseAttachments, Effect::ScrollToTop]);
            if check.is_running() && check.phase != Phase::Waiting {
                effects.push(Effect::Post(Command::Cancel { id: check.id }, None));
            }
        }
    }

    /// Opens a built-in example.
    pub(in crate::state) fn open_example(
        &mut self,
        format: usize,
        example: usize,
        effects: &mut Vec<Effect>,
    ) {
        let Some(format) = self.catalogue.formats.get(format) else { return };
        let Some(example) = format.examples.get(example) else { return };
        let file = NewFile { name: example.file_name.clone(), content: example.content.clone() };
        self.opening.next_example = Some(format!("{}/{}", format.id, example.id).into());
        effects.push(Effect::CreateFile(Rc::new(file)));
        // An example is checked as its own format, regardless of the last chosen format, and without a schema of the user's.
        let preset = self.embed.as_ref().and_then(|embed| embed.format.clone());
        let asked = (!format.is_detected).then(|| FormatChoice::any_version(format.id.as_str()));
        self.format = preset.filter(|preset| preset.id == format.id.as_str()).or(asked);
        let preset = self.embed.as_ref().and_then(|embed| embed.schema.clone());
        self.schema = self.schema.with(preset.into_iter().collect());
    }

    /// Cancels the fix in progress, else the running check or batch.
    pub(super) fn cancel(&mut self, effects: &mut Vec<Effect>) {
        if self.fixing.is_some() {
            return self.stop_fixing(effects);
        }
        let id = if let Some(check) = self.check.as_mut() {
            match check.phase {
                Phase::Waiting => {
                    self.keep_fixes();
                    self.check = None;
                    if let Some(batch) = &self.batch {
                        self.format.clone_from(&batch.choice);
                    }
                    return;
                }
                Phase::Running => {
                    let check = Rc::make_mut(check);
                    check.phase = Phase::Stopping;
                    check.id
                }
                Phase::Stopping | Phase::Done(_) => return,
            }
        } else if self.batch.as_ref().is_some_and(|batch| batch.run.is_some()) {
            return self.cancel_run(effects);
        } else if let Some(batch) = self.batch.as_mut().map(Rc::make_mut) {
            let Some(running) = batch.running.front().copied().filter(|_| !batch.stopping) else {
                if batch.running.is_empty() {
                    batch.stop();
                }
                return;
            };
            batch.stopping = true;
            running.id
        } else {
            return;
        };
        effects.push(Effect::Post(Command::Cancel { id }, None));
        effects.push(Effect::StartTimer { after_ms: CANCEL_MS, timer: Timer::CancelDeadline(id) });
    }
}

/// The options for a file that is shown; `entry` is the file of a ZIP that the user chose.
fn options_of_shown(
    choice: Option<&FormatChoice>,
    schema: &UserSchema,
    entry: Option<&AttrValue>,
) -> CheckOptions {
    let entry = entry.map(ToString::to_string);
    CheckOptions { entry, ..options_of(choice, schema, MAX_FINDINGS_PER_CODE) }
}
