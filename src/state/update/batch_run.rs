//! Tasks for all files of a batch.

use std::rc::Rc;

use evalcheck_wire::fix::{Change, Selection};
use evalcheck_wire::worker::{CheckId, Command};

use crate::display::format_number::bytes;
use crate::state::action::BatchAction;
use crate::state::batch::{Batch, FolderAccess};
use crate::state::batch_task::BatchTask;
use crate::state::dataset::Dataset;
use crate::state::effect::Effect;
use crate::state::user_schema::options_of;
use crate::state::{Export, Exporting, State};

/// The maximum number of bytes of originals that the page keeps while their files on disk are replaced.
const MOST_KEPT: u64 = 2 << 30;

/// The message for originals that are too large to keep.
fn too_large(kept: u64) -> String {
    let (kept, most) = (bytes(kept), bytes(MOST_KEPT));
    format!(
        "Nothing was written: the page keeps the originals of what it writes, up to {most}, and these have {kept}. Download the fixed files instead."
    )
}

impl State {
    /// Handles an action for all files.
    pub(super) fn update_batch(&mut self, action: BatchAction, now_ms: f64, effects: &mut Vec<Effect>) {
        if let BatchAction::Written(id, result) = action {
            self.change_batch(|batch| batch.file_written(id, result));
            return self.post_next_check(now_ms, effects);
        }
        let is_idle = |batch: &&mut Rc<Batch>| !batch.is_running() && batch.run.is_none();
        let Some(batch) = self.batch.as_mut().filter(is_idle).map(Rc::make_mut) else { return };
        let is_asking = batch.folder == FolderAccess::Asking;
        if is_asking {
            batch.folder = FolderAccess::Writable;
        }
        if action == BatchAction::AskToWrite(false) {
            return;
        }
        self.opening.error = None;
        match action {
            BatchAction::FixAll => {
                let (_, files) = batch.safe_fixes();
                batch.begin(BatchTask::Fix, files);
            }
            BatchAction::FixMistake(key) => {
                let files = batch.files_to_fix(&key);
                batch.begin(BatchTask::Fix, files);
                if let Some(run) = &mut batch.run {
                    run.selection = Selection::of_rule(&key.0, key.1.as_deref());
                }
            }
            BatchAction::Pack => {
                if self.exports.exporting.is_some() {
                    return;
                }
                let (files, name) = (batch.changed_files(), batch.zip_name());
                batch.begin(BatchTask::Pack, files);
                let (id, what) = (self.ids.next(), Export::FixedFiles);
                self.exports.exporting = Some(Exporting { id, what, name, files: Vec::new() });
            }
            BatchAction::AskToWrite(_) => match batch.bytes_to_keep() {
                kept if kept > MOST_KEPT => self.opening.error = Some(too_large(kept).into()),
                _ if batch.can_write() => batch.folder = FolderAccess::Asking,
                _ => {}
            },
            BatchAction::Write if is_asking => {
                let files = batch.files_to_write();
                batch.begin(BatchTask::Write, files);
            }
            BatchAction::Write | BatchAction::Written(..) => {}
            BatchAction::Undo => {
                effects.extend(batch.undo_all().into_iter().map(Effect::ReleaseFile));
                let written = batch.written_files();
                if !written.is_empty() {
                    batch.begin(BatchTask::Restore, written);
                }
            }
        }
        self.post_next_check(now_ms, effects);
    }

    /// Posts the next files of the batch: those that wait to be checked, else the next one of the task.
    pub(super) fn post_next_of_batch(&mut self, effects: &mut Vec<Effect>) {
        let is_free = |batch: &&mut Rc<Batch>| {
            !batch.stopping && batch.run.as_ref().is_none_or(|run| run.now.is_none())
        };
        let Some(batch) = self.batch.as_mut().filter(is_free).map(Rc::make_mut) else { return };
        let max_per_code = batch.max_per_code();
        while let Some(index) = batch.next_waiting() {
            let id = self.ids.next();
            let file = Rc::clone(&batch.files[index]);
            let options = options_of(file.choice.as_ref(), &batch.schema, max_per_code);
            batch.start(index, id);
            effects.push(Effect::Post(Command::CheckNext { id, options }, Some(file.current().key)));
        }
        if batch.running.is_empty() {
            let id = self.ids.next();
            self.post_next_of_run(id, max_per_code, effects);
        }
    }

    /// Posts the next file of the task. `max_per_code` is the maximum number of findings of one code that it may keep.
    fn post_next_of_run(&mut self, id: CheckId, max_per_code: u64, effects: &mut Vec<Effect>) {
        let Some(batch) = self.batch.as_mut().filter(|batch| batch.run.is_some()).map(Rc::make_mut) else {
            return;
        };
        let packing =
            self.exports.exporting.as_ref().filter(|exporting| exporting.what == Export::FixedFiles);
        let packing = packing.map(|exporting| exporting.id).filter(|_| batch.is_packing());
        let Some((task, file)) = batch.next_of_run(packing.unwrap_or(id)) else {
            let run = batch.run.take();
            self.opening.error = run.and_then(|run| run.failures()).map(Into::into);
            effects.extend(packing.map(|id| Effect::Post(Command::FinishPack { id }, None)));
            return;
        };
        let selection = batch.run.as_ref().map(|run| run.selection.clone()).unwrap_or_default();
        let (original, current, path) = (file.dataset.key, file.current().key, file.dataset.path.clone());
        let command = match (task, packing) {
            (BatchTask::Write, _) => {
                return effects.push(Effect::WriteFile { id, original, content: current, path });
            }
            (BatchTask::Restore, _) => {
                return effects.push(Effect::WriteFile { id, original, content: original, path });
            }
            (BatchTask::Pack, Some(id)) => Command::Pack { id, path: path.to_string() },
            (BatchTask::Fix | BatchTask::Pack, _) => Command::Fix {
                id,
                options: options_of(file.choice.as_ref(), &batch.schema, max_per_code),
                change: Change::Fixes(selection),
                shown: None,
            },
        };
        effects.push(Effect::Post(command, Some(current)));
    }

    /// Notes that a file was packed into the ZIP.
    pub(super) fn file_packed(&mut self, id: CheckId, now_ms: f64, effects: &mut Vec<Effect>) {
        if let Some(exporting) = self.exports.exporting.as_mut().filter(|exporting| exporting.id == id)
            && let Some(key) = self.batch.as_mut().map(Rc::make_mut).and_then(|batch| batch.packed(id))
        {
            exporting.files.push(key);
            self.post_next_check(now_ms, effects);
        }
    }

    /// Handles a file of the batch that the worker has changed.
    pub(super) fn batch_file_changed(
        &mut self,
        id: CheckId,
        dataset: Dataset,
        fixes: u64,
        effects: &mut Vec<Effect>,
    ) {
        let key = dataset.key;
        let batch = self.batch.as_mut().map(Rc::make_mut);
        if batch.is_none_or(|batch| !batch.note_made(id, dataset, fixes)) {
            effects.push(Effect::ReleaseFile(key));
        }
    }

    /// Handles a file of the batch that the worker could not change.
    pub(super) fn batch_file_failed(
        &mut self,
        id: CheckId,
        why: &str,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        if let Some(batch) = self.batch.as_mut().map(Rc::make_mut)
            && batch.run.as_mut().is_some_and(|run| run.now(id).is_some())
        {
            batch.fail_run(why);
            self.post_next_check(now_ms, effects);
        }
    }

    /// Makes the current files wait again, because the worker is needed for something else.
    pub(super) fn pause_batch(&mut self, effects: &mut Vec<Effect>) {
        self.change_batch(|batch| {
            batch.pause();
            effects.extend(batch.pause_run().map(Effect::ReleaseFile));
        });
    }

    /// Ends the task for all files. Completed files are kept.
    pub(super) fn cancel_run(&mut self, effects: &mut Vec<Effect>) {
        let Some(batch) = self.batch.as_mut().filter(|batch| batch.run.is_some()) else { return };
        let batch = Rc::make_mut(batch);
        if batch.is_writing() {
            // A write in progress is completed.
            return batch.end_run_early();
        }
        let at_hand = batch.run.as_ref().and_then(|run| run.now);
        effects.extend(at_hand.map(|now| Effect::Post(Command::Cancel { id: now.id }, None)));
        effects.extend(batch.pause_run().map(Effect::ReleaseFile));
        batch.run = None;
        self.exports.exporting.take_if(|exporting| exporting.what == Export::FixedFiles);
    }
}
