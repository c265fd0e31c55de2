//! The changes in the shown file: requests to the worker, and its answers.

use std::rc::Rc;

use evalcheck_wire::fix::Change;
use evalcheck_wire::view::{ChangeFacts, ChangeList};
use evalcheck_wire::worker::{CheckId, Command, RequestId};

use crate::state::State;
use crate::state::action::Effect;
use crate::state::preview::{ListKind, Selection};

impl State {
    /// Requests the visible changes and their number.
    pub(super) fn request_changes(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = &self.check else { return };
        let id = check.id;
        if check.report().is_some() && check.has_list(ListKind::Changes) {
            self.request_items(
                |preview| Some(&mut Rc::make_mut(&mut preview.changes).cache),
                |request, from, count| Command::ListChanges { id, request, from, count },
                effects,
            );
        }
    }

    /// Stores places with changes.
    pub(super) fn store_changes(
        &mut self,
        id: CheckId,
        request: RequestId,
        list: ChangeList,
        facts: Option<ChangeFacts>,
    ) {
        if let Some(check) = self.check_of(id) {
            Rc::make_mut(&mut check.preview.changes).store(request, list, facts);
        }
    }

    /// Selects a place with changes, and shows its record.
    pub(super) fn select_change(&mut self, number: u64, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let changes = Rc::make_mut(&mut check.preview.changes);
        changes.selected = Some(number);
        let place = changes.selected_place().map(|place| (place.record, place.line));
        if let Some((Some(record), line)) = place {
            self.select_and_focus(Selection::Record { record, line }, open, effects);
        }
    }

    /// Takes back the changes at the selected place.
    pub(super) fn take_back(&mut self, now_ms: f64, effects: &mut Vec<Effect>) {
        let Some(check) = &self.check else { return };
        if let Some(place) = check.preview.changes.selected {
            self.apply_change(Change::TakeBack(place), now_ms, effects);
        }
    }
}
