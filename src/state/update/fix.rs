//! Applying fixes: the file is made again with the edits, and checked.

use std::rc::Rc;

use evalcheck_wire::fix::Change;
use evalcheck_wire::report::{Edit, Fix};
use evalcheck_wire::worker::{CheckId, Command};

use crate::state::action::{Effect, FixAction};
use crate::state::check::{Before, Check, Fixes, Phase};
use crate::state::dataset::{Dataset, FileKey};
use crate::state::preview::{ENGINE_RESTARTED, Preview};
use crate::state::{Export, Exporting, State};

/// How often a file is changed for one request at most.
const MOST_ROUNDS: u32 = 5;

impl State {
    /// Applies what the user does to the file that is shown.
    pub(super) fn update_fix(&mut self, action: FixAction, now_ms: f64, effects: &mut Vec<Effect>) {
        match action {
            FixAction::ApplyAll(selection) => {
                self.apply_change(Change::Fixes(selection), now_ms, effects);
            }
            FixAction::ApplyOne(fix) => self.apply_fix(*fix, now_ms, effects),
            FixAction::ApplyEdit => self.apply_edit(now_ms, effects),
            FixAction::DropInvalid => self.apply_change(Change::DropInvalid, now_ms, effects),
            FixAction::Undo => self.undo_fixes(now_ms, effects),
            FixAction::Download => effects.extend(self.fixed_file()),
            FixAction::Export(what) => self.export(what, effects),
        }
    }

    /// The check that is shown, when its file can be changed.
    fn fixable_check(&self) -> Option<Rc<Check>> {
        self.check.clone().filter(|check| !check.is_running() && self.fixing.is_none())
    }

    /// Looks for what a change takes.
    fn apply_change(&mut self, change: Change, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.fixable_check() else { return };
        let mut next = self.successor(&check, Rc::clone(&check.dataset), now_ms);
        next.change = Some(change);
        if let Some(fixes) = &mut next.fixes {
            fixes.rounds = 0;
        }
        self.start_fixing(next, now_ms, effects);
    }

    /// Goes on with fixes that others have made possible.
    pub(super) fn fix_again(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.clone() else { return };
        let Some((selection, report)) = check.again.clone().zip(check.report()) else { return };
        if selection.count(&report.counts) > 0 {
            let mut next = self.successor(&check, Rc::clone(&check.dataset), now_ms);
            next.change = Some(Change::Fixes(selection));
            self.start_fixing(next, now_ms, effects);
        }
    }

    /// Applies one fix of the check that is shown. The worker makes a file that is more than slices and text.
    fn apply_fix(&mut self, fix: Fix, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.fixable_check() else { return };
        let mut next = self.successor(&check, Rc::clone(&check.dataset), now_ms);
        next.phase = Phase::Running;
        let job = next.job;
        let in_archive = check.report().is_some_and(|report| report.file.entry.is_some());
        if !in_archive && !fix.edits.is_empty() {
            let key = check.dataset.key;
            effects.push(Effect::Rewrite { key, job, edits: fix.edits, fixes: 1 });
        } else if check.answering {
            let command = Command::Apply { job, check: check.job, fix: Box::new(fix) };
            effects.push(Effect::Post(command, None));
        } else {
            self.open_error = Some(ENGINE_RESTARTED);
            return;
        }
        self.fixing = Some(Rc::new(next));
    }

    /// Writes the record that was edited.
    fn apply_edit(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let editing = self.check.as_ref().and_then(|check| check.preview.editing.as_ref());
        if let Some(fix) = editing.and_then(|editing| editing.as_fix()) {
            self.apply_fix(fix, now_ms, effects);
            self.set_edit_applied(self.fixing.is_some());
        }
    }

    /// Locks the text of the edited record while it is written, or unlocks it.
    fn set_edit_applied(&mut self, is_applied: bool) {
        let check = self.check.as_mut().filter(|check| check.preview.editing.is_some()).map(Rc::make_mut);
        if let Some(editing) = check.and_then(|check| check.preview.editing.as_mut()) {
            Rc::make_mut(editing).is_applied = is_applied;
        }
    }

    /// Gives up what is being fixed. What is shown stays.
    pub(super) fn stop_fixing(&mut self, effects: &mut Vec<Effect>) {
        let Some(fixing) = self.fixing.take() else { return };
        if fixing.phase == Phase::Running {
            effects.push(Effect::Post(Command::Cancel { job: fixing.job }, None));
        }
        let key = fixing.dataset.key;
        if self.check.as_ref().is_some_and(|check| !check.leads_to(key)) {
            effects.push(Effect::ReleaseFile(key));
        }
        self.set_edit_applied(false);
    }

    /// Shows the check of the changed file in place of that of the file before.
    pub(super) fn show_fixed(&mut self, effects: &mut Vec<Effect>) {
        let Some((mut fixed, shown)) = self.fixing.take().zip(self.check.take()) else { return };
        let check = Rc::make_mut(&mut fixed);
        let Preview { filter, tab, focus, .. } = &shown.preview;
        check.preview = Preview { filter: filter.clone(), tab: *tab, focus: *focus, ..Preview::default() };
        check.resume = check.resume.or_else(|| shown.selected());
        effects.push(Effect::ReleaseAttachments);
        let key = shown.dataset.key;
        if !check.leads_to(key) {
            effects.push(Effect::ReleaseFile(key));
        }
        self.check = Some(fixed);
    }

    /// The worker could not apply fixes.
    pub(super) fn not_fixed(&mut self, job: CheckId, why: String, effects: &mut Vec<Effect>) {
        if self.fixing.as_ref().is_some_and(|fixing| fixing.job == job) {
            self.stop_fixing(effects);
            self.open_error = Some(why.into());
        }
    }

    /// The worker has found the edits of a round.
    pub(super) fn edits_found(
        &mut self,
        job: CheckId,
        edits: Vec<Edit>,
        fixes: u64,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = self.fixing.as_ref().filter(|check| check.job == job) else { return };
        if edits.is_empty() {
            self.stop_fixing(effects);
        } else {
            effects.push(Effect::Rewrite { key: check.dataset.key, job, edits, fixes });
        }
    }

    /// The file was made again: checks what it is now.
    pub(super) fn file_rewritten(
        &mut self,
        job: CheckId,
        dataset: Dataset,
        fixes: u64,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = self.fixing.clone().filter(|check| check.job == job) else {
            return effects.push(Effect::ReleaseFile(dataset.key));
        };
        let mut changed = check.fixes.clone().unwrap_or_else(|| Fixes {
            original: Rc::clone(&check.dataset),
            applied: 0,
            left_out: 0,
            rounds: 0,
            before: Vec::new(),
            saved: None,
        });
        if check.change.is_none() || changed.rounds == 0 {
            changed.rounds = 0;
            let dataset = Rc::clone(&check.dataset);
            let selected = self.check.as_ref().and_then(|check| check.selected());
            let Fixes { applied, left_out, .. } = changed;
            changed.before.push(Before { dataset, applied, left_out, selected });
        }
        changed.rounds += 1;
        let drops = check.change == Some(Change::DropInvalid);
        *(if drops { &mut changed.left_out } else { &mut changed.applied }) += fixes;
        let again = match &check.change {
            Some(Change::Fixes(selection)) if changed.rounds < MOST_ROUNDS => Some(selection.clone()),
            _ => None,
        };
        let mut next = self.successor(&check, Rc::new(dataset), now_ms);
        next.fixes = Some(changed);
        next.again = again;
        self.start_fixing(next, now_ms, effects);
    }

    /// Checks the file as it was before the user last asked for a fix.
    fn undo_fixes(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.fixable_check() else { return };
        let Some(mut fixes) = check.fixes.clone() else { return };
        let Some(before) = fixes.before.pop() else { return };
        (fixes.applied, fixes.left_out) = (before.applied, before.left_out);
        let mut next = self.successor(&check, before.dataset, now_ms);
        next.resume = before.selected;
        next.fixes = Some(fixes).filter(|fixes| !fixes.before.is_empty());
        self.start_fixing(next, now_ms, effects);
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

    /// Asks for a file that belongs to the check that is shown.
    fn export(&mut self, what: Export, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.clone().filter(|check| check.answering && !check.is_running()) else {
            return;
        };
        let (job, key) = (self.ids.next(), check.dataset.key);
        let original = check.fixes.as_ref().map_or(&check.dataset, |fixes| &fixes.original);
        let stem = original.name.rsplit_once('.').map_or(&*original.name, |(stem, _)| stem);
        let name = match what {
            Export::InvalidRecords => {
                let options = self.check_options();
                effects.push(Effect::Post(Command::InvalidRecords { job, options }, Some(key)));
                format!("{stem}.invalid.jsonl")
            }
            Export::Diff => {
                effects.push(Effect::PostDiff { job, key, original: original.key });
                format!("{stem}.diff")
            }
        };
        self.exporting = Some(Exporting { job, what, name });
    }

    /// Saves the file that was asked for; any other is stale.
    pub(super) fn exported(&mut self, job: CheckId, key: FileKey, effects: &mut Vec<Effect>) {
        if let Some(exporting) = self.exporting.take_if(|exporting| exporting.job == job) {
            effects.push(Effect::SaveFile(key, exporting.name));
        }
        effects.push(Effect::ReleaseFile(key));
    }

    /// The file that was asked for could not be made.
    pub(super) fn not_exported(&mut self, job: CheckId, why: String) {
        if self.exporting.take_if(|exporting| exporting.job == job).is_some() {
            self.open_error = Some(why.into());
        }
    }

    /// A check of a file in place of that of another state of it.
    fn successor(&mut self, check: &Check, dataset: Rc<Dataset>, now_ms: f64) -> Check {
        Check {
            batch_index: check.batch_index,
            fixes: check.fixes.clone(),
            ..Check::new(self.ids.next(), dataset, now_ms)
        }
    }
}
