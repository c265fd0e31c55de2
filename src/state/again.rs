//! The same file again: opened again under its name, or changed on disk.

use std::rc::Rc;

use evalcheck_wire::report::Report;

use super::State;
use super::action::{DiskAction, Effect};
use super::address::Address;
use super::check::Check;
use super::dataset::{Dataset, FileKey};
use super::preview::Tab;
use crate::display::format_number::{counted, grouped};

/// The maximum number of rules that are named.
const MOST_RULES: usize = 3;

/// The state of a file on disk, compared with the opened file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum OnDisk {
    /// Unknown, because there is no handle.
    #[default]
    Unknown,
    /// Unchanged.
    Same,
    /// Changed; the current file.
    Changed(Rc<Dataset>),
}

/// Whether a file that changed on disk is checked automatically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Watch {
    /// On demand of the user.
    #[default]
    OnDemand,
    /// Automatically.
    ByItself,
}

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
        Self { address: Address::of(check, state.theme), tab: check.preview.chosen_tab(), report }
    }

    /// Transfers the tab and the previous report to the new check. Returns the place to show.
    pub(super) fn hand_over(self, check: &mut Check) -> Option<Address> {
        check.preview.choose_tab(self.tab);
        check.report_before = self.report;
        self.address
    }
}

impl Check {
    /// Returns true if one of these files can be compared with the opened file: the opened file can still be read, and they differ.
    pub(super) fn is_comparable_with(&self, files: &[Dataset]) -> bool {
        let shown = self.original();
        let is_other = |file: &Dataset| (shown.size, shown.modified_ms) != (file.size, file.modified_ms);
        self.can_compare() && !matches!(self.on_disk, OnDisk::Changed(_)) && files.iter().any(is_other)
    }
}

impl State {
    /// The check that is continued by opening these files: the shown one, if the only file has the same name.
    pub(super) fn check_before(&self, files: &[Dataset]) -> Option<&Check> {
        let [file] = files else { return None };
        let check = self.check.as_deref().filter(|check| check.batch_index.is_none())?;
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
        let is_idle = !self.has_unsaved() && !self.has_typed() && self.fixing.is_none();
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

/// The differences from the previous check of the same file, if there was one.
pub(crate) fn since(check: &Check) -> Option<String> {
    Some(differences(check.report_before.as_ref()?, check.report()?))
}

/// The differences between two checks of a file: the changes in the numbers of findings per rule, and of records. If a rule has both lost
/// and new findings, only their difference counts.
fn differences(before: &Report, after: &Report) -> String {
    let (old, new) = (&before.counts, &after.counts);
    let codes = old.by_code.keys().chain(new.by_code.keys().filter(|code| !old.by_code.contains_key(*code)));
    let number = |report: &Report, code: &str| report.counts.by_code.get(code).copied().unwrap_or(0);
    let mut rules: Vec<(&str, u64, u64)> = codes
        .map(|code| (code.as_str(), number(before, code), number(after, code)))
        .filter(|(_, old, new)| old != new)
        .collect();
    rules.sort_by_key(|(_, old, new)| std::cmp::Reverse(old.abs_diff(*new)));
    let told = rules.iter().take(MOST_RULES).map(|(code, old, new)| {
        let by = grouped(old.abs_diff(*new));
        if new < old { format!("{by} fewer of {code}") } else { format!("{by} more of {code}") }
    });
    let mut parts: Vec<String> = told.collect();
    if rules.len() > MOST_RULES {
        parts.push(format!("{} with other numbers", counted((rules.len() - MOST_RULES) as u64, "rule")));
    }
    if parts.is_empty() {
        parts.push("as many findings of each rule".to_owned());
    }
    if old.records != new.records {
        parts.push(format!("{} instead of {}", counted(new.records, "record"), grouped(old.records)));
    }
    format!("Since the last check: {}.", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use evalcheck_wire::report::Counts;

    use super::*;

    #[test]
    fn differences_are_told_by_rule() {
        let report = |records, codes: &[(&str, u64)]| {
            let by_code = codes.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect();
            let report = super::super::tests::report(Vec::new());
            Report { counts: Counts { records, by_code, ..Counts::default() }, ..report }
        };
        let before = report(3, &[("a/a", 1_500), ("b/b", 2)]);
        let after = report(4, &[("b/b", 2), ("c/c", 1)]);
        assert_eq!(
            differences(&before, &after),
            "Since the last check: 1,500 fewer of a/a, 1 more of c/c, 4 records instead of 3."
        );
        assert_eq!(differences(&after, &after), "Since the last check: as many findings of each rule.");
        let many = report(4, &[("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)]);
        assert!(
            differences(&report(4, &[]), &many)
                .ends_with("5 more of e, 4 more of d, 3 more of c, 2 rules with other numbers.")
        );
    }
}
