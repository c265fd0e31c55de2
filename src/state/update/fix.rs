//! Applies fixes: the worker changes the file, and checks the result.

use std::rc::Rc;

use evalcheck_report::Fix;
use evalcheck_wire::fix::Change;
use evalcheck_wire::worker::{CheckId, Command, History};

use crate::state::action::FixAction;
use crate::state::batch::Batch;
use crate::state::check::{Check, Phase};
use crate::state::dataset::{Dataset, FileKey};
use crate::state::details::Details;
use crate::state::effect::{Effect, FilePurpose};
use crate::state::findings::Findings;
use crate::state::fixes::{Before, Fixes};
use crate::state::fixing::{Fixing, Task};
use crate::state::preview::{Preview, Selection};
use crate::state::view::View;
use crate::state::{Export, Exporting, State};

impl State {
    /// Handles a change of the shown file.
    pub(super) fn update_fix(&mut self, action: FixAction, now_ms: f64, effects: &mut Vec<Effect>) {
        match action {
            FixAction::ApplyAll(selection) => {
                self.apply_change(Change::Fixes(selection), now_ms, effects);
            }
            FixAction::ApplyOne(fix) => self.apply_change(Change::One(fix), now_ms, effects),
            FixAction::ApplyEdit => self.apply_edit(now_ms, effects),
            FixAction::Decode(encoding) => {
                let fix = Box::new(Fix::decode(&encoding));
                self.apply_change(Change::One(fix), now_ms, effects);
            }
            FixAction::DropInvalid => self.apply_change(Change::DropInvalid, now_ms, effects),
            FixAction::TakeBack(place) => self.apply_change(Change::TakeBack(place), now_ms, effects),
            FixAction::PickFile(entry) => effects.push(Effect::PickFile(FilePurpose::Entry(entry))),
            FixAction::AddFile { entry, file } => self.add_file(&entry, &file, now_ms, effects),
            FixAction::Undo => self.undo_fixes(now_ms, effects),
            FixAction::Download => effects.extend(self.fixed_file()),
            FixAction::Export(what) => self.export(what, effects),
        }
    }

    /// The shown check, if its file can be changed.
    fn fixable_check(&self) -> Option<Rc<Check>> {
        self.check.clone().filter(|check| !check.is_running() && self.fixing.is_none())
    }

    /// Changes the shown file.
    pub(super) fn apply_change(&mut self, change: Change, now_ms: f64, effects: &mut Vec<Effect>) {
        self.apply_change_with(change, None, now_ms, effects);
    }

    /// Adds a file to the shown ZIP, as an entry with this name.
    fn add_file(&mut self, entry: &str, file: &Dataset, now_ms: f64, effects: &mut Vec<Effect>) {
        self.opening.dragging = None;
        if self.fixable_check().is_none() {
            return effects.push(Effect::ReleaseFile(file.key));
        }
        self.apply_change_with(Change::AddFile(entry.to_owned()), Some(file.key), now_ms, effects);
    }

    fn apply_change_with(
        &mut self,
        change: Change,
        added: Option<FileKey>,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = self.fixable_check() else { return };
        let mut next = self.successor(&check, Rc::clone(&check.dataset), now_ms);
        if added.is_some() {
            let added = |view: &&dyn View| Some((view.about().id, view.added(&check)?));
            next.resume = self.views.0.iter().find_map(added);
        }
        let fixing = Fixing { check: Rc::new(next), task: Task::Change(change), passes: 0, added };
        self.start_fixing(fixing, now_ms, effects);
    }

    /// Applies the edit of the record.
    fn apply_edit(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let editing = self.check.as_ref().and_then(|check| check.preview.details.editing());
        if let Some(fix) = editing.and_then(|editing| editing.as_fix()) {
            self.apply_change(Change::One(Box::new(fix)), now_ms, effects);
            self.set_edit_applied(self.fixing.is_some());
        }
    }

    /// Locks the text of the edited record while the edit is applied, or unlocks it.
    fn set_edit_applied(&mut self, is_applied: bool) {
        let check = self.check.as_mut().filter(|check| check.preview.details.editing().is_some());
        if let Some(editing) = check.and_then(|check| Rc::make_mut(check).preview.details.editing_mut()) {
            editing.is_applied = is_applied;
        }
    }

    /// Gives up the fix in progress. The shown check is kept.
    pub(super) fn stop_fixing(&mut self, effects: &mut Vec<Effect>) {
        let Some(Fixing { check: fixing, added, .. }) = self.fixing.take() else { return };
        effects.extend(added.map(Effect::ReleaseFile));
        if fixing.phase == Phase::Running {
            effects.push(Effect::Post(Command::Cancel { id: fixing.id }, None));
        }
        let key = fixing.dataset.key;
        if self.check.as_ref().is_some_and(|check| !check.leads_to(key)) {
            effects.push(Effect::ReleaseFile(key));
        }
        self.set_edit_applied(false);
    }

    /// Shows the check of the changed file in place of the previous one.
    pub(super) fn show_fixed(&mut self, effects: &mut Vec<Effect>) {
        // They are about the previous file.
        self.end_comparison(None, effects);
        self.leave_check(effects);
        let Some((fixing, shown)) = self.fixing.take().zip(self.check.take()) else { return };
        let mut fixed = fixing.check;
        let check = Rc::make_mut(&mut fixed);
        let Preview { chosen, filter, findings, focus, details, .. } = &shown.preview;
        check.preview = Preview {
            chosen: chosen.clone(),
            filter: filter.clone(),
            findings: Findings { grouping: findings.grouping, may_reset_filter: true, early: None },
            focus: *focus,
            details: Details { tab: details.tab, ..Details::default() },
            ..Preview::default()
        };
        check.on_disk.clone_from(&shown.on_disk);
        check.resume = check.resume.or_else(|| shown.selected());
        let record = shown.preview.record_number().map(|record| Selection::Record { record, line: None });
        check.shown_before = record.map(|record| (record, shown.preview.tab()));
        effects.push(Effect::ReleaseAttachments);
        let key = shown.dataset.key;
        if !check.leads_to(key) {
            effects.push(Effect::ReleaseFile(key));
        }
        self.check = Some(fixed);
    }

    /// Stores how many times the worker has changed the file; it checks the result now.
    pub(super) fn note_pass(&mut self, id: CheckId, number: u32) {
        if let Some(fixing) = self.fixing.as_mut().filter(|fixing| fixing.check.id == id) {
            fixing.passes = number;
        }
    }

    /// Handles fixes that the worker could not apply.
    pub(super) fn not_fixed(&mut self, id: CheckId, why: String, now_ms: f64, effects: &mut Vec<Effect>) {
        if self.fixing.as_ref().is_some_and(|fixing| fixing.check.id == id) {
            self.stop_fixing(effects);
            self.opening.error = Some(why.into());
        } else {
            self.batch_file_failed(id, &why, now_ms, effects);
        }
    }

    /// Stores the file that the worker has changed. Its report follows.
    pub(super) fn file_changed(
        &mut self,
        id: CheckId,
        dataset: Dataset,
        fixes: u64,
        effects: &mut Vec<Effect>,
    ) {
        let selected = self.check.as_ref().and_then(|check| check.selected());
        let fixing = self.fixing.as_mut().filter(|fixing| fixing.check.id == id);
        let Some(Fixing { check, task: Task::Change(change), .. }) = fixing else {
            return self.batch_file_changed(id, dataset, fixes, effects);
        };
        let check = Rc::make_mut(check);
        let before = std::mem::replace(&mut check.dataset, Rc::new(dataset));
        let changes = Fixes::step(&mut check.fixes, before, selected);
        *match change {
            Change::DropInvalid => &mut changes.left_out,
            Change::TakeBack(_) => &mut changes.taken_back,
            Change::Fixes(_) | Change::One(_) | Change::AddFile(_) => &mut changes.applied,
        } += fixes;
    }

    /// Checks the file as it was before the last step of the user.
    fn undo_fixes(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.fixable_check() else { return };
        let Some(mut fixes) = check.fixes.clone() else { return };
        let Some(before) = fixes.before.pop() else { return };
        let Before { dataset, applied, left_out, taken_back, selected } = before;
        (fixes.applied, fixes.left_out, fixes.taken_back) = (applied, left_out, taken_back);
        let mut next = self.successor(&check, dataset, now_ms);
        next.history = Some(History { check: check.id, is_before: true });
        next.resume = selected;
        next.fixes = Some(fixes).filter(|fixes| !fixes.before.is_empty());
        self.start_fixing(
            Fixing { check: Rc::new(next), task: Task::Undo, passes: 0, added: None },
            now_ms,
            effects,
        );
    }

    /// Saves the file with its fixes.
    fn fixed_file(&self) -> Option<Effect> {
        let check = self.check.as_ref()?;
        let name = &check.fixes.as_ref()?.original.name;
        let name = match name.rsplit_once('.') {
            Some((stem, extension)) => format!("{stem}.fixed.{extension}"),
            None => format!("{name}.fixed"),
        };
        Some(Effect::SaveFile(check.dataset.key, name))
    }

    /// Requests a file that is exported from the shown check.
    fn export(&mut self, what: Export, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.clone().filter(|check| check.answering() && !check.is_running()) else {
            return;
        };
        let (id, key) = (self.ids.next(), check.dataset.key);
        let original = check.fixes.as_ref().map_or(&check.dataset, |fixes| &fixes.original);
        let stem = original.name.rsplit_once('.').map_or(&*original.name, |(stem, _)| stem);
        let name = match what {
            // Exported by the list of files.
            Export::FixedFiles => return,
            Export::InvalidRecords => {
                let options = self.check_options();
                effects.push(Effect::Post(Command::InvalidRecords { id, options }, Some(key)));
                format!("{stem}.invalid.jsonl")
            }
            Export::Report { quotes_data } => {
                let overview = check.overview().map(|overview| Box::new(overview.clone()));
                let command = Command::SaveReport { id: check.id, file: id, quotes_data, overview };
                effects.push(Effect::Post(command, None));
                format!("{stem}.report.html")
            }
            Export::Diff => {
                let (command, original) = (Command::Diff { id }, original.key);
                effects.push(Effect::PostPair { command, key, other: original });
                format!("{stem}.diff")
            }
        };
        self.exports.exporting = Some(Exporting { id, what, name, files: Vec::new() });
    }

    /// Saves the requested file; other files are stale.
    pub(super) fn exported(&mut self, id: CheckId, key: FileKey, effects: &mut Vec<Effect>) {
        if let Some(exporting) = self.exports.exporting.take_if(|exporting| exporting.id == id) {
            if !exporting.files.is_empty() {
                self.exports.packed = Some((key, exporting.files));
            }
            effects.push(Effect::SaveFile(key, exporting.name));
        }
        effects.push(Effect::ReleaseFile(key));
    }

    /// Handles an export that failed.
    pub(super) fn not_exported(&mut self, id: CheckId, why: String) {
        if self.exports.exporting.take_if(|exporting| exporting.id == id).is_some() {
            self.change_batch(Batch::end_packing);
            self.opening.error = Some(why.into());
        }
    }

    /// A check of another state of the file, in place of this check.
    fn successor(&mut self, check: &Check, dataset: Rc<Dataset>, now_ms: f64) -> Check {
        Check {
            batch_index: check.batch_index,
            entry: check.entry.clone(),
            fixes: check.fixes.clone(),
            ..Check::new(self.ids.next(), dataset, now_ms)
        }
    }
}
