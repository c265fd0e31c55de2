//! The statistics of the shown file: requests to the worker, and its answers.

use std::rc::Rc;

use evalcheck_wire::worker::{CheckId, Command, Progress};
use yew::AttrValue;

use crate::state::State;
use crate::state::action::Effect;
use crate::state::overview::OverviewState;
use crate::state::preview::{ListKind, Tab};

/// The maximum size in bytes of a file whose statistics are counted without a request.
const COUNTED_AT_ONCE: u64 = 4 << 20;

impl State {
    /// Starts to count the statistics when they are shown; for a small file, at once.
    pub(super) fn request_overview(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_ref().filter(|check| check.answering) else { return };
        let is_looked_at = check.preview.list == ListKind::Overview || check.preview.tab() == Tab::Loaded;
        let is_wanted = is_looked_at || check.dataset.size <= COUNTED_AT_ONCE;
        if is_wanted && check.preview.overview == OverviewState::None && check.has_list(ListKind::Overview) {
            self.count_overview(effects);
        }
    }

    /// Counts the statistics of the shown file, in the format against which it was checked.
    pub(super) fn count_overview(&mut self, effects: &mut Vec<Effect>) {
        let Some(options) = self.options_of_check() else { return };
        let id = self.ids.next();
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let command = Command::CountOverview { id, options };
        effects.push(Effect::Post(command, Some(check.dataset.key)));
        check.preview.overview = OverviewState::Counting { id, progress: Progress::default() };
    }

    /// Stops counting.
    pub(super) fn stop_counting(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        if let Some(id) = check.preview.overview.counting() {
            check.preview.overview = OverviewState::Stopped;
            effects.push(Effect::Post(Command::StopCounting { id }, None));
        }
    }

    /// Stores the state of the count with this id; other ones are stale.
    pub(super) fn store_overview(&mut self, id: CheckId, overview: OverviewState) {
        let check = self.check.as_mut().filter(|check| check.preview.overview.counting() == Some(id));
        if let Some(check) = check.map(Rc::make_mut) {
            check.preview.overview = overview;
        }
    }

    /// Lists the records that match a query.
    pub(super) fn find_records(&mut self, query: AttrValue, effects: &mut Vec<Effect>) {
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.list = ListKind::Records;
        }
        self.filter_by_text(query, effects);
    }
}
