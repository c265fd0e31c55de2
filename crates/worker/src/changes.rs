//! The changes of the user to a file since it was opened.

use std::io;
use std::ops::Range;
use std::rc::Rc;

use evalcheck_engine::fix::{Changes, EditPlan};
use evalcheck_report::view::{ChangeFacts, ChangeList};
use evalcheck_report::{EntryEdit, Fix};

use crate::check::FileCheck;

/// The changes of a file, and its state before them.
pub(crate) struct FileChanges {
    /// Shows the file as it was opened or converted. Its contents were not checked.
    original: Rc<FileCheck>,
    changes: Rc<Changes>,
    facts: ChangeFacts,
    /// The changes before the last step of the user.
    before: Option<Rc<FileChanges>>,
}

impl FileChanges {
    /// Begins a further step of the user for a file with the changes `before`; `original` opens the file if there are none.
    pub(crate) fn begin(
        before: Option<Rc<Self>>,
        original: impl FnOnce() -> Result<Rc<FileCheck>, String>,
    ) -> Result<Rc<Self>, String> {
        let (original, changes, mut facts) = match before.as_deref() {
            Some(known) => (Rc::clone(&known.original), Rc::clone(&known.changes), known.facts.clone()),
            None => (original()?, Rc::default(), ChangeFacts::default()),
        };
        facts.steps += 1;
        Ok(Rc::new(Self { original, changes, facts, before }))
    }

    /// Returns the changes after a plan was applied. With `taken_back`, the plan takes back the changes of these ranges.
    ///
    /// # Errors
    /// A message for the user: the edits cannot be read.
    pub(crate) fn after(
        &self,
        plan: &mut EditPlan,
        taken_back: Option<Range<usize>>,
    ) -> Result<Self, String> {
        let changes = match taken_back {
            Some(ranges) => self.changes.without(ranges),
            None => self.changes.then(plan).map_err(|error| error.to_string())?,
        };
        let mut facts = self.facts.clone();
        facts.entries.extend(plan.entries().iter().map(in_words));
        facts.entries.extend(plan.added().map(|name| format!("`{name}` was added.")));
        Ok(Self {
            changes: Rc::new(changes),
            facts,
            original: Rc::clone(&self.original),
            before: self.before.clone(),
        })
    }

    /// Returns the changes after a conversion: later changes are compared with the converted file, which `converted` opens.
    pub(crate) fn since_conversion(self, converted: Rc<FileCheck>) -> Self {
        let facts = ChangeFacts { is_converted: true, ..self.facts };
        Self { original: converted, changes: Rc::default(), facts, ..self }
    }

    pub(crate) fn changes(&self) -> Rc<Changes> {
        Rc::clone(&self.changes)
    }

    /// The changes before the last step of the user.
    pub(crate) fn before(&self) -> Option<Rc<Self>> {
        self.before.clone()
    }

    pub(crate) fn facts(&self) -> ChangeFacts {
        self.facts.clone()
    }
}

impl FileCheck {
    /// Returns places that were changed since the file was opened.
    pub(crate) fn list_changes(&self, from: u64, count: u32) -> io::Result<ChangeList> {
        let Some(known) = self.changes() else { return Ok(ChangeList::default()) };
        let original = &known.original;
        let (mut check, mut source) = (original.check(), original.source());
        let mut before = check.view(&mut *source);
        self.check().view(&mut *self.source()).changes(&mut before, from, count)
    }

    /// Returns the fix that takes back the changes at a place, and the range of these changes.
    ///
    /// # Errors
    /// A message for the user: the former text cannot be written, or a file cannot be read.
    pub(crate) fn taking_back(&self, place: u64) -> Result<(Fix, Range<usize>), String> {
        let unknown = || "What was changed there is not known any more.".to_owned();
        let known = self.changes().ok_or_else(unknown)?;
        let original = &known.original;
        let (mut check, mut source) = (original.check(), original.source());
        let mut before = check.view(&mut *source);
        let taken_back = self.check().view(&mut *self.source()).taking_back(&mut before, place);
        let (edits, changes) = taken_back.map_err(|error| error.to_string())?.ok_or_else(unknown)?;
        Ok((Fix::safe("Take it back", edits), changes))
    }
}

/// Describes the change of an entry as a sentence.
fn in_words(EntryEdit { entry, rename }: &EntryEdit) -> String {
    match rename {
        Some(name) => format!("`{entry}` was renamed to `{name}`."),
        None => format!("`{entry}` was left out."),
    }
}
