//! Changes a file in rounds: each round's result is checked to find the fixes of the next.

use std::io::Cursor;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_blob::FileSnapshot;
use evalcheck_engine::fix::Rounds;
use evalcheck_engine::purpose::Purpose;
use evalcheck_wire::fix::{Change, EditPlan, Selection};
use evalcheck_wire::worker::{CheckId, CheckOptions, Event};
use js_sys::Array;
use web_sys::{Blob, File};

use crate::changes::FileChanges;
use crate::check::{FileCheck, name_of};
use crate::port;

/// The result of a change.
pub(crate) struct Fixed {
    pub(crate) file: File,
    /// How many fixes were applied, or records removed.
    pub(crate) fixes: u64,
    /// The finished check of the file.
    pub(crate) check: Rc<FileCheck>,
}

/// The plan of the first round.
#[derive(Default)]
struct FirstPlan {
    plan: EditPlan,
    /// How many records it removes.
    dropped: Option<u64>,
    /// The changes that it takes back.
    taken_back: Option<Range<usize>>,
}

/// A change that is being made.
pub(crate) struct Fixing<'a> {
    pub(crate) id: CheckId,
    pub(crate) options: CheckOptions,
    pub(crate) change: Change,
    /// The file that the change adds.
    pub(crate) added: Option<Blob>,
    /// Called with each check before it reads. Returns false if the change is no longer wanted.
    pub(crate) on_check: &'a dyn Fn(&Rc<FileCheck>) -> bool,
}

impl Fixing<'_> {
    /// Changes a file. `shown` is the check of it that is shown. Returns `None` if the change is no longer wanted.
    ///
    /// # Errors
    /// A message for the user: the file cannot be read, data are damaged, or there is nothing to change.
    pub(crate) async fn run(
        &self,
        file: (Blob, FileSnapshot),
        shown: Option<Rc<FileCheck>>,
    ) -> Result<Option<Fixed>, String> {
        let mut rounds = Rounds::default();
        let known = shown.as_ref().and_then(|shown| shown.changes());
        let mut changes = FileChanges::begin(known, || self.open(file.clone(), self.options.clone()))?;
        let Some((mut check, mut first)) = self.first_plan(file, shown).await? else { return Ok(None) };
        let dropped = first.dropped;
        let (mut plan, mut fixed) = (Some(first.plan), None);
        while let Some(mut round) = plan.take().and_then(|plan| rounds.next(plan)) {
            let (mut next, converts) =
                (changes.after(&mut round, first.taken_back.take())?, round.conversion().is_some());
            let file = rewritten(&check, round, self.added.as_ref()).await?;
            let open = || self.open((file.clone().into(), FileSnapshot::of(&file)), self.options.clone());
            check = open()?;
            if converts {
                next = next.since_conversion(open()?);
            }
            changes = Rc::new(next);
            check.note_changes(Rc::clone(&changes));
            // This check may be shown later.
            check.index_findings();
            port::post(&Event::Pass {
                id: self.id,
                number: u32::try_from(rounds.count()).unwrap_or(u32::MAX),
            });
            if !(self.on_check)(&check) || !check.read(|_| {}).await {
                return Ok(None);
            }
            // Ends the rounds if the result cannot be read; its report says so.
            if let Change::Fixes(selection) = &self.change
                && check.check().is_read()
            {
                let Some((_, next)) = self.plan(Rc::clone(&check), selection).await? else { return Ok(None) };
                plan = Some(next);
            }
            fixed = Some(file);
        }
        let Some(file) = fixed else { return Err("There was nothing to change.".to_owned()) };
        Ok(Some(Fixed { file, fixes: dropped.unwrap_or(rounds.fixes()), check }))
    }

    /// Returns a check of the file that is changed, and the first plan.
    async fn first_plan(
        &self,
        file: (Blob, FileSnapshot),
        shown: Option<Rc<FileCheck>>,
    ) -> Result<Option<(Rc<FileCheck>, FirstPlan)>, String> {
        match &self.change {
            Change::Fixes(selection) => {
                let planned = match shown {
                    Some(shown) => self.plan(shown, selection).await?,
                    None => self.plan_anew(file, selection).await?,
                };
                Ok(planned.map(|(check, plan)| (check, FirstPlan { plan, ..FirstPlan::default() })))
            }
            Change::One(fix) => {
                let mut plan = EditPlan::default();
                plan.add(fix);
                // Only the directory of a ZIP is needed from it.
                let check = shown.map_or_else(|| self.open(file, self.options.clone()), Ok)?;
                Ok(Some((check, FirstPlan { plan, ..FirstPlan::default() })))
            }
            Change::AddFile(name) => {
                let mut plan = EditPlan::default();
                plan.add_entry(name.clone());
                let check = shown.map_or_else(|| self.open(file, self.options.clone()), Ok)?;
                Ok(Some((check, FirstPlan { plan, ..FirstPlan::default() })))
            }
            Change::TakeBack(place) => {
                let check = shown.ok_or("What was changed is not known any more.")?;
                let (fix, ranges) = check.taking_back(*place)?;
                let mut plan = EditPlan::default();
                plan.add(&fix);
                Ok(Some((check, FirstPlan { plan, dropped: None, taken_back: Some(ranges) })))
            }
            Change::DropInvalid => {
                let mut purpose = Purpose::drop_invalid(Cursor::default());
                let Some(check) = self.read_for(file, &mut purpose).await? else { return Ok(None) };
                let entry = check.entry();
                let removal = purpose.removal(&mut *check.source(), entry.as_deref(), Cursor::default());
                let (plan, records) = removal.map_err(|error| error.to_string())?;
                Ok(Some((check, FirstPlan { plan, dropped: Some(records), taken_back: None })))
            }
        }
    }

    /// The fixes that a check has found. Runs another check if this one has not kept all of them.
    async fn plan(
        &self,
        check: Rc<FileCheck>,
        selection: &Selection,
    ) -> Result<Option<(Rc<FileCheck>, EditPlan)>, String> {
        let listed = EditPlan::of_report(&check.check().report(), selection);
        match listed {
            Some(plan) => Ok(Some((check, plan))),
            None => Ok(self.plan_anew(check.file(), selection).await?.map(|(_, plan)| (check, plan))),
        }
    }

    async fn plan_anew(
        &self,
        file: (Blob, FileSnapshot),
        selection: &Selection,
    ) -> Result<Option<(Rc<FileCheck>, EditPlan)>, String> {
        let mut purpose = Purpose::fix(selection.clone(), Cursor::default());
        let check = self.read_for(file, &mut purpose).await?;
        Ok(check.zip(purpose.plan()))
    }

    async fn read_for(
        &self,
        file: (Blob, FileSnapshot),
        purpose: &mut Purpose,
    ) -> Result<Option<Rc<FileCheck>>, String> {
        let check = self.open(file, purpose.options(self.options.clone()))?;
        let is_wanted = (self.on_check)(&check) && check.read_for(purpose).await?;
        Ok(is_wanted.then_some(check))
    }

    fn open(&self, file: (Blob, FileSnapshot), options: CheckOptions) -> Result<Rc<FileCheck>, String> {
        FileCheck::start(self.id, file.0, file.1, options)
    }
}

/// Returns the file of a check with a plan applied.
async fn rewritten(check: &FileCheck, plan: EditPlan, added: Option<&Blob>) -> Result<File, String> {
    let (file, _) = check.file();
    let blob = evalcheck_blob::apply_fixes(&file, check.cell(), plan, added).await?;
    let named = File::new_with_blob_sequence(&Array::of1(&blob), &name_of(&file));
    named.map_err(|error| evalcheck_blob::in_words(&error))
}
