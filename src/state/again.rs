//! The same file again: opened again under its name, or changed on disk.

use std::rc::Rc;

use evalcheck_report::Report;

use super::State;
use super::address::Address;
use super::check::Check;
use super::dataset::Dataset;
use super::details::Tab;
use super::on_disk::OnDisk;

/// The values kept from the previous check when the same file is checked again.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    address: Option<Address>,
    tab: Option<Tab>,
    report: Option<Rc<Report>>,
}

impl Kept {
    /// Takes the values to keep from a check that ends.
    pub(super) fn of(check: &Check, state: &State) -> Self {
        let report = check.report().cloned();
        Self { address: Address::of(check, state.look.theme), tab: check.preview.details.tab, report }
    }

    /// Transfers the tab and the previous report to the new check. Returns the place to show.
    pub(super) fn hand_over(self, check: &mut Check) -> Option<Address> {
        check.preview.details.tab = self.tab;
        check.report_before = self.report;
        self.address
    }
}

impl Check {
    /// Returns true if a file can be compared with the opened file: the opened file can still be read, and they differ.
    pub(super) fn is_comparable_with(&self, file: &Dataset) -> bool {
        let shown = self.original();
        let is_other =
            (&shown.name, shown.size, shown.modified_ms) != (&file.name, file.size, file.modified_ms);
        self.can_compare() && !matches!(self.on_disk, OnDisk::Changed(_)) && is_other
    }
}
