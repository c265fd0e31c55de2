//! Applying fixes: the file is made again with the edits, and checked.

use std::rc::Rc;

use evalcheck_wire::fix::Change;
use evalcheck_wire::report::{Edit, Fix};
use evalcheck_wire::worker::{CheckId, Command};

use crate::state::action::{Effect, FixAction};
use crate::state::check::{Before, Check, Fixes};
use crate::state::dataset::{Dataset, FileKey};
use crate::state::preview::Preview;
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
            FixAction::ApplyOne(fix) => self.apply_fix(*fix, effects),
            FixAction::ApplyEdit => self.apply_edit(effects),
            FixAction::DropInvalid => self.apply_change(Change::DropInvalid, now_ms, effects),
            FixAction::Undo => self.undo_fixes(now_ms, effects),
            FixAction::Download => effects.extend(self.fixed_file()),
            FixAction::Export(what) => self.export(what, effects),
        }
    }

    /// Looks for what a change takes.
    fn apply_change(&mut self, change: Change, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.clone().filter(|check| !check.is_running()) else { return };
        let mut next = self.successor(&check, Rc::clone(&check.dataset), now_ms);
        next.change = Some(change);
        if let Some(fixes) = &mut next.fixes {
            fixes.rounds = 0;
        }
        self.replace_check(next, now_ms, effects);
    }

    /// Goes on with fixes that others have made possible. True when there are such.
    pub(super) fn fix_again(&mut self, now_ms: f64, effects: &mut Vec<Effect>) -> bool {
        let Some(check) = self.check.clone() else { return false };
        let Some(selection) = check.again.clone() else { return false };
        if !check.findings.iter().any(|finding| selection.fix_of(finding).is_some()) {
            return false;
        }
        let mut next = self.successor(&check, Rc::clone(&check.dataset), now_ms);
        next.change = Some(Change::Fixes(selection));
        next.resume = check.resume;
        self.replace_check(next, now_ms, effects);
        true
    }

    /// Applies one fix of the check that is shown. The worker makes a file that is more than slices and text.
    fn apply_fix(&mut self, fix: Fix, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_ref().filter(|check| !check.is_running()) else { return };
        let in_archive = check.report().is_some_and(|report| report.file.entry.is_some());
        if in_archive || fix.edits.is_empty() {
            effects.push(Effect::Post(Command::Apply { job: check.job, fix: Box::new(fix) }, None));
        } else {
            let (key, job) = (check.dataset.key, check.job);
            effects.push(Effect::Rewrite { key, job, edits: fix.edits, fixes: 1 });
        }
    }

    /// Writes the record that was edited.
    fn apply_edit(&mut self, effects: &mut Vec<Effect>) {
        let editing = self.check.as_ref().and_then(|check| check.preview.editing.as_ref());
        if let Some(fix) = editing.and_then(|editing| editing.as_fix()) {
            self.apply_fix(fix, effects);
        }
    }

    /// The worker could not apply fixes: says why, and checks the file as it is.
    pub(super) fn not_fixed(&mut self, job: CheckId, why: String, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.clone().filter(|check| check.job == job) else { return };
        self.open_error = Some(why.into());
        if check.is_running() {
            let next = self.successor(&check, Rc::clone(&check.dataset), now_ms);
            self.replace_check(next, now_ms, effects);
        }
    }

    /// The worker has found the edits of a round.
    pub(super) fn edits_found(
        &mut self,
        job: CheckId,
        edits: Vec<Edit>,
        fixes: u64,
        now_ms: f64,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = self.check.clone().filter(|check| check.job == job) else { return };
        if edits.is_empty() {
            let next = self.successor(&check, Rc::clone(&check.dataset), now_ms);
            self.replace_check(next, now_ms, effects);
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
        let Some(check) = self.check.clone().filter(|check| check.job == job) else { return };
        let mut changed = check.fixes.clone().unwrap_or_else(|| Fixes {
            original: Rc::clone(&check.dataset),
            applied: 0,
            left_out: 0,
            rounds: 0,
            before: Vec::new(),
        });
        if check.change.is_none() || changed.rounds == 0 {
            changed.rounds = 0;
            let (dataset, selected) = (Rc::clone(&check.dataset), check.selected());
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
        self.replace_check(next, now_ms, effects);
    }

    /// Checks the file as it was before the user last asked for a fix.
    fn undo_fixes(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.clone() else { return };
        let Some(mut fixes) = check.fixes.clone() else { return };
        let Some(before) = fixes.before.pop() else { return };
        effects.push(Effect::ReleaseFile(check.dataset.key));
        (fixes.applied, fixes.left_out) = (before.applied, before.left_out);
        let mut next = self.successor(&check, before.dataset, now_ms);
        next.resume = before.selected;
        next.fixes = Some(fixes).filter(|fixes| !fixes.before.is_empty());
        self.replace_check(next, now_ms, effects);
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
        let job = self.ids.next();
        let (filter, tab) = (check.preview.filter.clone(), check.preview.tab);
        Check {
            batch_index: check.batch_index,
            fixes: check.fixes.clone(),
            resume: check.selected(),
            preview: Preview { filter, tab, focus: check.preview.focus, ..Preview::default() },
            ..Check::new(job, dataset, now_ms)
        }
    }
}
