//! Asks before work is lost.

use std::rc::Rc;

use yew::AttrValue;

use crate::state::State;
use crate::state::action::{
    Action, BatchAction, CompareAction, DiskAction, FixAction, PreviewAction, SchemaAction,
};
use crate::state::check::Phase;
use crate::state::dataset::FileKey;
use crate::state::effect::Effect;
use crate::state::on_disk::{OnDisk, Watch};
use crate::state::unsaved::{LossQuestion, Unsaved};

impl State {
    /// The action to apply: this one; none if the page has to ask first; or the one that the question was about.
    pub(super) fn settle(&mut self, action: Action, effects: &mut Vec<Effect>) -> Option<Action> {
        if let Action::Answer(loses_work) = action {
            let LossQuestion { action, .. } = self.question.take()?;
            if !loses_work {
                release(&action, effects);
            }
            return Some(*action).filter(|_| loses_work);
        }
        if let Action::Compare(CompareAction::WithDropped) = action {
            let file = self.question.take()?.file()?.clone();
            self.return_to_open(effects);
            return Some(CompareAction::With(file).into());
        }
        let Some(unsaved) = self.lost_by(&action) else { return Some(action) };
        self.opening.dragging = None;
        self.opening.files_found = None;
        let question = LossQuestion { unsaved, action: Box::new(action), awaits_download: false };
        if let Some(replaced) = self.question.replace(question) {
            release(&replaced.action, effects);
        }
        None
    }

    /// The work that an action would lose.
    fn lost_by(&self, action: &Action) -> Option<Unsaved> {
        let is_idle = self.fixing.is_none();
        let closes_all = match action {
            Action::OpenFiles(items) => !items.files.is_empty(),
            // Anywhere else, what is open stays open.
            Action::StartOver => self.embed.is_some(),
            Action::Disk(DiskAction::Open | DiskAction::Watch(Watch::ByItself)) => {
                self.check.as_ref().is_some_and(|check| matches!(check.on_disk, OnDisk::Changed(_)))
            }
            // After this, nothing would be shown.
            Action::Cancel => {
                let waits = self.check.as_ref().is_some_and(|check| check.phase == Phase::Waiting);
                waits && is_idle && self.batch.is_none()
            }
            _ => false,
        };
        let closes_editor = match action {
            Action::ShowOverview
            | Action::OpenFile(_)
            | Action::OpenMistake { .. }
            | Action::ChooseEntry(_)
            | Action::CheckAgain
            | Action::Preview(PreviewAction::StartEditing | PreviewAction::StopEditing) => true,
            // On the start screen it is the format or the schema of the next file.
            Action::ChooseFormat(_)
            | Action::Schema(
                SchemaAction::Use(_)
                | SchemaAction::UseMade
                | SchemaAction::Remove
                | SchemaAction::CheckFormats(_),
            ) => self.aside.is_none(),
            Action::OpenFiles(items) if !items.schema.is_empty() => closes_all || self.aside.is_none(),
            Action::Fix(
                FixAction::ApplyEdit | FixAction::Download | FixAction::Export(_) | FixAction::PickFile(_),
            ) => false,
            Action::Fix(_) => is_idle,
            _ => closes_all,
        };
        if closes_all && (self.has_unsaved_fixes() || self.is_changing()) {
            return Some(Unsaved::Fixes);
        }
        (closes_editor && self.has_typed()).then_some(Unsaved::Text)
    }

    /// Whether the file of the question can be compared with the shown one.
    pub(crate) fn can_compare_dropped(&self) -> bool {
        self.question.as_ref().is_some_and(|question| question.file().is_some())
            && self.check.as_ref().is_some_and(|check| check.can_compare())
    }

    /// Whether the user has changed the text of a record.
    pub(crate) fn has_typed(&self) -> bool {
        let editing = self.check.as_ref().and_then(|check| check.preview.details.editing());
        editing.is_some_and(|editing| editing.is_changed())
    }

    /// Whether leaving the page would lose work.
    pub(super) fn has_unsaved(&self) -> bool {
        self.has_typed() || self.has_unsaved_fixes()
    }

    /// Downloads the fixes, and applies the action of the question then.
    pub(super) fn save_first(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(question) = &mut self.question else { return };
        question.awaits_download = true;
        if self.check.is_some() {
            self.update_fix(FixAction::Download, now_ms, effects);
        } else {
            self.update_batch(BatchAction::Pack, now_ms, effects);
        }
    }

    /// Shows that a file was saved, and applies the action that waits for the download.
    pub(super) fn file_saved(
        &mut self,
        key: FileKey,
        name: AttrValue,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        self.show_saved(name, effects);
        let packed = self.exports.packed.take_if(|(packed, _)| *packed == key);
        for file in packed.map_or_else(|| vec![key], |(_, files)| files) {
            self.note_saved(file);
        }
        let awaits = self.question.as_ref().is_some_and(|question| question.awaits_download);
        if awaits
            && !self.has_unsaved_fixes()
            && let Some(question) = self.question.take()
        {
            self.apply(*question.action, now_ms, effects);
        }
    }

    /// Notes that a file was downloaded.
    fn note_saved(&mut self, key: FileKey) {
        if let Some(check) = self.check.as_mut().filter(|check| check.dataset.key == key)
            && let Some(fixes) = &mut Rc::make_mut(check).fixes
        {
            fixes.saved = Some(key);
        }
        if let Some(batch) = &mut self.batch {
            Rc::make_mut(batch).file_saved(key);
        }
    }
}

/// Releases the files of an action that is not applied.
fn release(action: &Action, effects: &mut Vec<Effect>) {
    match action {
        Action::OpenFiles(items) => {
            effects.extend(items.files.iter().map(|file| Effect::ReleaseFile(file.key)));
        }
        Action::Fix(FixAction::AddFile { file, .. }) => effects.push(Effect::ReleaseFile(file.key)),
        _ => {}
    }
}
