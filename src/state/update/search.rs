//! Searches in the file that is shown.

use std::rc::Rc;

use evalcheck_wire::worker::{CheckId, CheckOptions, Command};
use yew::AttrValue;

use crate::state::action::Effect;
use crate::state::preview::{ListKind, Selection};
use crate::state::{Search, SearchPhase, State};

impl State {
    /// Searches the file that is shown, as the format that it was checked as.
    pub(super) fn search(&mut self, query: AttrValue, effects: &mut Vec<Effect>) {
        self.stop_search(effects);
        let options = self.check_options();
        let Some(check) = self.check.as_mut().filter(|check| check.answering && !check.is_running()) else {
            return;
        };
        let check = Rc::make_mut(check);
        let Some(format) = check.report().map(|report| &report.format) else { return };
        if query.trim().is_empty() {
            check.preview.search = None;
            return;
        }
        let named = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        let options = CheckOptions { format: named(&format.id), version: named(&format.version), ..options };
        let id = self.ids.next();
        let command = Command::Search { id, options, query: query.to_string() };
        effects.push(Effect::Post(command, Some(check.dataset.key)));
        check.preview.list = ListKind::Search;
        check.preview.search = Some(Rc::new(Search::new(id, query)));
    }

    /// Stops the search that goes on.
    pub(super) fn stop_search(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let Some(search) = check.preview.search.as_mut() else { return };
        if search.phase == SearchPhase::Running {
            Rc::make_mut(search).end(SearchPhase::Stopped);
            effects.push(Effect::Post(Command::StopSearch { id: search.id }, None));
        }
    }

    /// Shows the record of a hit.
    pub(super) fn select_hit(&mut self, index: usize, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let Some(search) = check.preview.search.as_mut().map(Rc::make_mut) else { return };
        let Some((record, line)) = search.hits.get(index).map(|hit| (hit.record, hit.line)) else { return };
        search.selected = Some(index);
        self.select_and_focus(Selection::Record { record, line: Some(line) }, open, effects);
    }

    /// Changes the search with this number; any other is stale.
    pub(super) fn update_search(&mut self, id: CheckId, change: impl FnOnce(&mut Search)) {
        let search = self.check.as_mut().map(Rc::make_mut).and_then(|check| check.preview.search.as_mut());
        if let Some(search) = search.filter(|search| search.id == id && search.phase == SearchPhase::Running)
        {
            change(Rc::make_mut(search));
        }
    }
}
