//! A file that changes on disk.

use std::rc::Rc;

use crate::state::State;
use crate::state::action::DiskAction;
use crate::state::check::Check;
use crate::state::dataset::{Dataset, FileKey};
use crate::state::effect::Effect;
use crate::state::on_disk::{OnDisk, Watch};

impl State {
    /// The check that is continued by opening these files: the shown one, if the only file has the same name.
    pub(super) fn check_before(&self, files: &[Dataset]) -> Option<&Check> {
        let [file] = files else { return None };
        let is_shown = self.aside.is_none();
        let check = self.check.as_deref().filter(|check| is_shown && check.batch_index.is_none())?;
        (check.original().name == file.name).then_some(check)
    }

    /// Handles an action for a file on disk.
    pub(super) fn update_disk(&mut self, action: DiskAction, now_ms: f64, effects: &mut Vec<Effect>) {
        match action {
            DiskAction::HasHandle(key) => self.has_handle(key),
            DiskAction::Changed { key, dataset } => self.changed_on_disk(key, dataset, now_ms, effects),
            DiskAction::Open => self.open_from_disk(now_ms, effects),
            DiskAction::Watch(watch) => {
                self.watch = watch;
                if watch == Watch::ByItself {
                    self.open_from_disk(now_ms, effects);
                }
            }
        }
    }

    /// Notes that the browser has a handle of a file, and will report changes.
    fn has_handle(&mut self, key: FileKey) {
        if let Some(check) = self.check.as_mut().filter(|check| check.original().key == key).map(Rc::make_mut)
        {
            check.on_disk = OnDisk::Same;
        }
    }

    /// Handles a change of a file on disk. Checks the file at once if the user watches it and would lose nothing.
    fn changed_on_disk(&mut self, key: FileKey, dataset: Dataset, now_ms: f64, effects: &mut Vec<Effect>) {
        let is_idle = !self.has_unsaved() && self.fixing.is_none() && self.aside.is_none();
        let is_of = |check: &Check| match &check.on_disk {
            OnDisk::Changed(before) => before.key == key,
            _ => check.original().key == key,
        };
        let Some(check) = self.check.as_mut().filter(|check| is_of(check)).map(Rc::make_mut) else {
            return effects.push(Effect::ReleaseFile(dataset.key));
        };
        if let OnDisk::Changed(before) = &check.on_disk {
            effects.push(Effect::ReleaseFile(before.key));
        }
        let is_ready = is_idle && !check.is_running();
        check.on_disk = OnDisk::Changed(Rc::new(dataset));
        if self.watch == Watch::ByItself && is_ready {
            self.open_from_disk(now_ms, effects);
        }
    }

    /// Opens the current state of the shown file on disk.
    fn open_from_disk(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let on_disk = self.check.as_ref().map(|check| check.on_disk.clone());
        if let Some(OnDisk::Changed(dataset)) = on_disk {
            let key = dataset.key;
            self.open_files(Dataset::clone(&dataset).into(), now_ms, effects);
            self.has_handle(key);
        }
    }
}
