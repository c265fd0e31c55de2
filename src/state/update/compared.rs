//! The comparison with another version of the file: requests to the worker, and its answers.

use std::rc::Rc;

use evalcheck_wire::compare::Difference;
use evalcheck_wire::worker::{CheckId, Command, RequestId};

use crate::state::State;
use crate::state::action::{CompareAction, Effect, FilePurpose};
use crate::state::compared::{Comparison, ComparisonPhase};
use crate::state::dataset::Dataset;
use crate::state::preview::{ListKind, Selection};

impl State {
    /// Handles an action of the comparison.
    pub(super) fn update_comparison(&mut self, action: CompareAction, effects: &mut Vec<Effect>) {
        self.skip_render = matches!(action, CompareAction::Visible(_));
        let shown = self.comparison().map(|shown| (Rc::clone(&shown.other), shown.is_other_newer));
        match action {
            CompareAction::Pick => effects.push(Effect::PickFile(FilePurpose::Version)),
            CompareAction::With(other) => {
                let is_newer = self.check.as_ref().is_some_and(|check| is_newer(&other, check.original()));
                self.compare(Rc::new(other), is_newer, effects);
            }
            CompareAction::WithPrevious => {
                if let Some(previous) = self.previous.clone() {
                    self.compare(previous, false, effects);
                }
            }
            // Already handled by `settle`.
            CompareAction::WithDropped => {}
            CompareAction::Swap => {
                if let Some((other, is_newer)) = shown {
                    self.compare(other, !is_newer, effects);
                }
            }
            CompareAction::End => self.end_comparison(None, effects),
            CompareAction::List(kind) => {
                // Only another list reports its visible rows.
                if let Some(comparison) = self.comparison_mut().filter(|shown| shown.kind != kind) {
                    comparison.list(kind);
                }
            }
            CompareAction::Visible(rows) => {
                if let Some(comparison) = self.comparison_mut() {
                    comparison.cache.show_in_list(rows);
                }
            }
            CompareAction::Select { number, open } => {
                let Some(comparison) = self.comparison_mut() else { return };
                comparison.selected = Some(number);
                match comparison.selected_record() {
                    Some((record, line)) => {
                        let selection = Selection::Record { record, line: Some(line) };
                        self.select_and_focus(selection, open, effects);
                    }
                    // The record does not exist in the shown file.
                    None => self.select(None, effects),
                }
            }
        }
    }

    /// Compares the current state of the shown file with another version.
    pub(super) fn compare(&mut self, other: Rc<Dataset>, is_newer: bool, effects: &mut Vec<Effect>) {
        self.end_comparison(Some(&other), effects);
        let options = self.options_of_check();
        let check = self.check.as_mut().filter(|check| check.answering).map(Rc::make_mut);
        let (Some(check), Some(options)) = (check, options) else {
            return effects.push(Effect::ReleaseFile(other.key));
        };
        let id = self.ids.next();
        let versions = if is_newer { [check.dataset.key, other.key] } else { [other.key, check.dataset.key] };
        let [older, key] = versions;
        effects.push(Effect::PostPair { command: Command::Compare { id, options }, key, other: older });
        check.preview.compared = Some(Rc::new(Comparison::new(id, other, is_newer)));
        check.preview.list = ListKind::Compared;
    }

    /// Stops the shown comparison, and drops its results. Releases the other version, unless it is still needed.
    pub(super) fn end_comparison(&mut self, needed: Option<&Dataset>, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().filter(|check| check.preview.compared.is_some()) else {
            return;
        };
        let check = Rc::make_mut(check);
        let Some(ended) = check.preview.compared.take() else { return };
        if check.preview.list == ListKind::Compared {
            check.preview.list =
                if check.has_list(ListKind::Records) { ListKind::Records } else { ListKind::Findings };
        }
        effects.push(Effect::Post(Command::EndComparison { id: ended.id }, None));
        let key = ended.other.key;
        let mut others = needed.into_iter().chain(self.previous.as_deref());
        if !others.any(|other| other.key == key) {
            effects.push(Effect::ReleaseFile(key));
        }
    }

    fn comparison(&self) -> Option<&Comparison> {
        self.check.as_ref()?.preview.compared.as_deref()
    }

    fn comparison_mut(&mut self) -> Option<&mut Comparison> {
        Rc::make_mut(self.check.as_mut()?).preview.compared.as_mut().map(Rc::make_mut)
    }

    /// Stores the state of the comparison with this id; other ones are stale.
    pub(super) fn store_comparison(&mut self, id: CheckId, phase: ComparisonPhase) {
        if self.comparison().is_some_and(|comparison| comparison.id == id)
            && let Some(comparison) = self.comparison_mut()
        {
            comparison.phase = phase;
            comparison.list(None);
        }
    }

    /// Requests the visible records of the list.
    pub(super) fn request_differences(&mut self, effects: &mut Vec<Effect>) {
        let Some(comparison) = self.comparison() else { return };
        let (comparison, kind) = (comparison.id, comparison.kind);
        let Some(id) = self.check.as_ref().map(|check| check.id) else { return };
        self.request_items(
            |preview| preview.compared.as_mut().map(|compared| &mut Rc::make_mut(compared).cache),
            |request, from, count| Command::ListDifferences { id, request, comparison, kind, from, count },
            effects,
        );
    }

    /// Stores records that differ.
    pub(super) fn store_differences(&mut self, id: CheckId, request: RequestId, list: Vec<Difference>) {
        let shown = self.check_of(id).and_then(|check| check.preview.compared.as_mut());
        if let Some(cache) = shown.map(|compared| &mut Rc::make_mut(compared).cache) {
            let total = cache.total();
            cache.store(request, total, list);
        }
    }
}

/// Returns true if the other version was modified later.
fn is_newer(other: &Dataset, shown: &Dataset) -> bool {
    other.modified_ms > shown.modified_ms
}
