//! The purpose of a check beside its report: fixes, the records with errors, or the records as the system loads them.

use std::io::{self, Cursor, Read, Seek, Write};

use evalcheck_archive::read_dataset;
use evalcheck_report::Finding;
use evalcheck_wire::worker::CheckOptions;

use crate::check::Check;
use crate::fix::{EditPlan, Selection, Store};
use crate::loaded::{LoadedRecord, LoadedRecords};
use crate::overview::Overview;
use crate::rejects::{InvalidRecords, Rejects};

/// The purpose of a check. It takes findings as they come, so that memory need not hold all of them.
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
    /// Whether only the positions of the records with errors are needed.
    drops_only: bool,
    /// Whether each record is needed as the system loads it.
    loads: bool,
    /// Whether the records that match a query are needed.
    searches: bool,
    /// Whether the statistics of the dataset are needed.
    counts: bool,
}

impl<S> Default for Purpose<S> {
    /// The report, which lists the findings, and nothing else.
    fn default() -> Self {
        Self { fixes: None, rejects: None, drops_only: false, loads: false, searches: false, counts: false }
    }
}

impl<S: Store> Purpose<S> {
    /// To apply these fixes, with a store for the edits that do not fit into memory.
    pub fn fix(selection: Selection, store: S) -> Self {
        Self { fixes: Some((selection, EditPlan::new(store))), ..Self::default() }
    }

    /// To get the records with errors too, with a store for their errors.
    #[must_use]
    pub fn with_rejects(self, store: S) -> Self {
        Self { rejects: Some(Rejects::new(store)), ..self }
    }

    /// To leave out the records with errors ([`Purpose::removal`]).
    pub fn drop_invalid(store: S) -> Self {
        Self { rejects: Some(Rejects::new(store)), drops_only: true, ..Self::default() }
    }

    /// To get each record as the system loads it ([`Purpose::take_loaded`]), which takes longer than a check alone.
    pub fn loaded() -> Self {
        Self { loads: true, ..Self::default() }
    }

    /// To find records ([`Search`](crate::search::Search)): each finding counts, and none is kept.
    pub fn search() -> Self {
        Self { searches: true, ..Self::default() }
    }

    /// To get the report with the statistics of the dataset ([`evalcheck_report::Report::overview`]).
    pub fn overview() -> Self {
        Self { counts: true, ..Self::default() }
    }

    /// Whether the purpose is the report, which then lists the findings.
    pub fn is_report(&self) -> bool {
        self.fixes.is_none() && self.rejects.is_none() && !self.loads && !self.searches
    }

    /// The options of a check for this purpose: each finding has its own fix, and none is left out because of a cap.
    #[must_use]
    pub fn options(&self, options: CheckOptions) -> CheckOptions {
        CheckOptions { all: options.all || !(self.is_report() || self.loads), ..options }
    }

    /// Prepares a check, before bytes are read.
    pub fn prepare(&self, check: &mut Check) {
        if self.rejects.is_some() {
            check.observe(InvalidRecords::default());
        }
        if self.loads {
            check.observe(LoadedRecords::default());
        }
        if self.counts {
            check.observe(Overview::new(check.dataset()));
        }
    }

    /// Takes and returns the findings since the last call. To be called after each piece.
    pub fn take(&mut self, check: &mut Check) -> Vec<Finding> {
        if self.is_report() {
            return Vec::new();
        }
        self.took(check.take_findings(1))
    }

    /// Removes and returns the records so far as the system loads them, in their order. To be called after each piece. A list of a
    /// document that occurs again replaces its former value: see [`Purpose::is_replaced`].
    pub fn take_loaded(&mut self, check: &mut Check) -> Vec<LoadedRecord> {
        check.observer_mut().map(LoadedRecords::take).unwrap_or_default()
    }

    /// Whether a later value replaces a value of a list ([`LoadedRecord::value`]). To be called at the end of the dataset.
    pub fn is_replaced(&self, check: &Check, value: usize) -> bool {
        check.dataset().is_replaced(value)
    }

    /// Whether a later value may replace a value of a list.
    pub fn may_be_replaced(&self, check: &Check) -> bool {
        check.dataset().has_lists()
    }

    /// Takes and returns the remaining findings at the end of the dataset.
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

    /// Removes and returns the fixes to apply, if the dataset was checked for them.
    pub fn plan(&mut self) -> Option<EditPlan<S>> {
        self.fixes.take().map(|(_, plan)| plan)
    }

    /// The records with errors; `None` if the dataset was not checked for them.
    pub fn rejects(&self) -> Option<&Rejects<S>> {
        self.rejects.as_ref()
    }

    /// The plan that leaves the records with errors out, and their number. `entry` is the dataset in a ZIP, `store` is for the edits.
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
