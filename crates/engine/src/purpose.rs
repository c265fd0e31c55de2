//! What a dataset is checked for beside its report: to fix it, for its records with errors, or for what the system makes of them.

use std::io::{self, Cursor, Read, Seek, Write};

use evalcheck_archive::read_dataset;
use evalcheck_wire::report::Finding;
use evalcheck_wire::worker::CheckOptions;

use crate::check::Check;
use crate::fix::{EditPlan, Selection, Store};
use crate::loaded::LoadedRecord;
use crate::rejects::Rejects;

/// What a dataset is checked for. Findings are given to it as they come, so that all of them need no memory.
///
/// ```
/// # use std::io::Cursor;
/// # use evalcheck_engine::check::{Check, FileInfo};
/// # use evalcheck_engine::fix::Selection;
/// # use evalcheck_engine::purpose::Purpose;
/// let data = br#"{"input":{"messages":[{"role":"user","content":"Hi"}]},}"#;
/// let mut purpose = Purpose::fix(Selection::default(), Cursor::new(Vec::new()));
/// let file = FileInfo { name: "data.jsonl".into(), size: data.len() as u64 };
/// let mut check = Check::open(&mut Cursor::new(data), file, purpose.options(Default::default()));
/// purpose.prepare(&mut check);
/// while check.read_piece(&mut data.as_slice(), 1 << 20) {
///     purpose.take(&mut check);
/// }
/// purpose.finish(&mut check);
/// let mut plan = purpose.plan().unwrap_or_default();
/// assert_eq!(plan.apply(data), br#"{"input":{"messages":[{"role":"user","content":"Hi"}]}}"#);
/// ```
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a purpose of its own")]
pub struct Purpose<S = Cursor<Vec<u8>>> {
    fixes: Option<(Selection, EditPlan<S>)>,
    rejects: Option<Rejects<S>>,
    /// Of the records with errors only their places are wanted.
    drops_only: bool,
    /// What the system makes of each record is wanted.
    loads: bool,
    /// The records that match a query are wanted.
    searches: bool,
    /// The statistics of the dataset are wanted.
    counts: bool,
}

impl<S> Default for Purpose<S> {
    /// The report, which lists the findings, and nothing else.
    fn default() -> Self {
        Self { fixes: None, rejects: None, drops_only: false, loads: false, searches: false, counts: false }
    }
}

impl<S: Store> Purpose<S> {
    /// To apply these fixes, with a store for the edits that memory has no room for.
    pub fn fix(selection: Selection, store: S) -> Self {
        Self { fixes: Some((selection, EditPlan::new(store))), ..Self::default() }
    }

    /// The records with errors too, with a store for their errors.
    #[must_use]
    pub fn with_rejects(self, store: S) -> Self {
        Self { rejects: Some(Rejects::new(store)), ..self }
    }

    /// To leave out the records with errors ([`Purpose::removal`]).
    pub fn drop_invalid(store: S) -> Self {
        Self { rejects: Some(Rejects::new(store)), drops_only: true, ..Self::default() }
    }

    /// To see what the system makes of each record ([`Purpose::take_loaded`]), which takes longer than a check alone.
    pub fn loaded() -> Self {
        Self { loads: true, ..Self::default() }
    }

    /// To find records ([`Check::search`]): each finding counts, and none is kept.
    pub fn search() -> Self {
        Self { searches: true, ..Self::default() }
    }

    /// The report with the statistics of the dataset ([`evalcheck_wire::report::Report::overview`]).
    pub fn overview() -> Self {
        Self { counts: true, ..Self::default() }
    }

    /// True for the report, which lists the findings then.
    pub fn is_report(&self) -> bool {
        self.fixes.is_none() && self.rejects.is_none() && !self.loads && !self.searches
    }

    /// The options of a check that is made for this: each finding has its own fix, and none is left out for its number.
    #[must_use]
    pub fn options(&self, options: CheckOptions) -> CheckOptions {
        CheckOptions { all: options.all || !(self.is_report() || self.loads), ..options }
    }

    /// Makes a check ready, before bytes are read.
    pub fn prepare(&self, check: &mut Check) {
        if self.rejects.is_some() {
            check.keep_invalid_records();
        }
        if self.loads {
            check.keep_loaded();
        }
        if self.counts {
            check.count_overview();
        }
    }

    /// Takes what was found since the last call; returns it. To be called after each piece.
    pub fn take(&mut self, check: &mut Check) -> Vec<Finding> {
        if self.is_report() {
            return Vec::new();
        }
        self.took(check.take_findings(1))
    }

    /// Takes away what the system makes of the records so far, in their order. To be called after each piece. A list of a document
    /// that comes again replaces its former value: see [`Purpose::is_replaced`].
    pub fn take_loaded(&mut self, check: &mut Check) -> Vec<LoadedRecord> {
        check.take_loaded()
    }

    /// True, at the end of the dataset, for a value of a list ([`LoadedRecord::value`]) that a later one replaces.
    pub fn is_replaced(&self, check: &Check, value: usize) -> bool {
        check.is_replaced(value)
    }

    /// True where a value of a list may be replaced by a later one.
    pub fn may_be_replaced(&self, check: &Check) -> bool {
        check.has_lists()
    }

    /// Takes what is left at the end of the dataset; returns it.
    pub fn finish(&mut self, check: &mut Check) -> Vec<Finding> {
        if self.is_report() {
            return Vec::new();
        }
        let left = check.report().findings;
        check.take_findings(1);
        if let Some(rejects) = &mut self.rejects {
            rejects.locate(check);
        }
        self.took(left)
    }

    fn took(&mut self, findings: Vec<Finding>) -> Vec<Finding> {
        if let Some((selection, plan)) = &mut self.fixes {
            plan.add_selected(selection, &findings);
        }
        if let Some(rejects) = self.rejects.as_mut().filter(|_| !self.drops_only) {
            rejects.note(&findings);
        }
        findings
    }

    /// Takes away the fixes that are to be applied, where the dataset was checked for them.
    pub fn plan(&mut self) -> Option<EditPlan<S>> {
        self.fixes.take().map(|(_, plan)| plan)
    }

    /// The records with errors; `None` where the dataset was not checked for them.
    pub fn rejects(&self) -> Option<&Rejects<S>> {
        self.rejects.as_ref()
    }

    /// The plan that leaves the records with errors out, and how many they are. `entry` is the dataset in a ZIP, `store` is for the edits.
    ///
    /// # Errors
    /// Those of `source`, which is read for a document.
    pub fn removal<R: Read + Seek>(
        &self,
        source: &mut R,
        entry: Option<&str>,
        store: S,
    ) -> io::Result<(EditPlan<S>, u64)> {
        let mut plan = EditPlan::new(store);
        let Some(rejects) = self.rejects.as_ref().filter(|rejects| !rejects.is_empty()) else {
            return Ok((plan, 0));
        };
        read_dataset(source, entry, |dataset| rejects.plan_removal(dataset, &mut plan))?;
        Ok((plan, rejects.records()))
    }

    /// Writes the records with errors, as lines of JSON. `entry` is the dataset in a ZIP.
    ///
    /// # Errors
    /// Those of `source`, `out` and the store.
    pub fn write_rejects<R: Read + Seek>(
        &mut self,
        source: &mut R,
        entry: Option<&str>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match &mut self.rejects {
            Some(rejects) => read_dataset(source, entry, |dataset| rejects.write(dataset, out)),
            None => Ok(()),
        }
    }
}
