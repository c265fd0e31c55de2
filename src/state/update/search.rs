//! The search for the records that match the filter.

use std::rc::Rc;

use evalcheck_wire::view::Hit;
use evalcheck_wire::worker::{CheckId, CheckOptions, Command, RequestId};

use crate::state::action::Effect;
use crate::state::preview::{Focus, ListKind, Selection};
use crate::state::{Direction, Lookup, Search, SearchPhase, State};

impl State {
    /// Starts to search the shown file, in the format against which it was checked, if its records or lines are shown with a filter, or if
    /// the filter requires a search. Requests the visible matches, and which of the visible lines match.
    pub(super) fn request_search(&mut self, effects: &mut Vec<Effect>) {
        let Some(options) = self.options_of_check() else { return };
        let Some(check) = self.check.as_mut().filter(|check| check.answering) else { return };
        let filter = &check.preview.filter;
        let is_wanted = !filter.is_empty()
            && (matches!(check.preview.list, ListKind::Records | ListKind::Lines)
                && check.has_list(ListKind::Records)
                || filter.needs_search());
        if !is_wanted {
            return;
        }
        if check.preview.search.is_none() {
            let id = self.ids.next();
            let query = Rc::clone(&filter.query);
            let command = Command::Search { id, options, query: query.to_string() };
            effects.push(Effect::Post(command, Some(check.dataset.key)));
            Rc::make_mut(check).preview.search = Some(Rc::new(Search::new(id, query)));
        }
        let lists_lines = check.preview.list == ListKind::Lines;
        let Some(search) = &check.preview.search else { return };
        let (id, marks_lines) = (search.id, lists_lines && search.has_all_hits());
        self.request_items(
            |preview| Some(Rc::make_mut(&mut Rc::make_mut(preview.search.as_mut()?).hits)),
            |request, from, count| Command::ListHits { id, request, from, count },
            effects,
        );
        if marks_lines {
            self.request_items(
                |preview| {
                    let search = Rc::make_mut(preview.search.as_mut()?);
                    let lines = Rc::make_mut(&mut search.lines);
                    lines.show_as(&preview.lines);
                    Some(lines)
                },
                |request, from, count| Command::MatchingLines { id, request, from: from + 1, count },
                effects,
            );
        }
    }

    /// The options for reading the shown file again in the format against which it was checked.
    pub(super) fn options_of_check(&self) -> Option<CheckOptions> {
        let format = &self.check.as_ref()?.report()?.format;
        let named = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        Some(CheckOptions {
            format: named(&format.id),
            version: named(&format.version),
            ..self.check_options()
        })
    }

    /// Stops the running search. Its results are kept.
    pub(super) fn stop_search(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let Some(search) = check.preview.search.as_mut() else { return };
        if search.phase == SearchPhase::Running {
            Rc::make_mut(search).end(SearchPhase::Stopped);
            effects.push(Effect::Post(Command::StopSearch { id: search.id }, None));
        }
    }

    /// Drops the search, because the filter has changed.
    pub(super) fn end_search(&mut self, effects: &mut Vec<Effect>) {
        self.stop_search(effects);
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.search = None;
        }
    }

    /// Shows the record of a match, once it is loaded.
    pub(super) fn select_hit(&mut self, number: u64, open: bool, effects: &mut Vec<Effect>) {
        let Some(check) = self.check.as_mut().map(Rc::make_mut) else { return };
        let Some(search) = check.preview.search.as_mut().map(Rc::make_mut) else { return };
        search.selected = Some(number);
        Rc::make_mut(&mut search.hits).show_in_details(number + 1..=number + 1);
        if let Lookup::Loaded(hit) = search.hits.get(number + 1) {
            let selection = Selection::Record { record: hit.record, line: Some(hit.line) };
            self.select_and_focus(selection, open, effects);
        }
    }

    /// Shows the record of the next or previous match.
    pub(super) fn go_to_hit(&mut self, direction: Direction, effects: &mut Vec<Effect>) {
        let Some(check) = &self.check else { return };
        let Some(search) = &check.preview.search else { return };
        let total = search.hits.total();
        let number = match (direction, search.selected) {
            (Direction::Next, None) => Some(0),
            (Direction::Next, Some(number)) => Some(number + 1),
            (Direction::Previous, None) => total.checked_sub(1),
            (Direction::Previous, Some(number)) => number.checked_sub(1),
        };
        let open = check.preview.focus == Focus::Details;
        if let Some(number) = number.filter(|number| *number < total) {
            self.select_hit(number, open, effects);
        }
    }

    /// Stores matches. The selected one may be among them.
    pub(super) fn store_hits(
        &mut self,
        id: CheckId,
        request: RequestId,
        hits: Vec<Hit>,
        effects: &mut Vec<Effect>,
    ) {
        let mut selected = None;
        let open = self.check.as_ref().is_some_and(|check| check.preview.focus == Focus::Details);
        self.update_search(id, |search| {
            let is_missing = |number: &u64| search.hits.get(number + 1).loaded().is_none();
            selected = search.selected.filter(is_missing);
            let total = search.hits.total();
            Rc::make_mut(&mut search.hits).store(request, total, hits);
        });
        if let Some(number) = selected {
            self.select_hit(number, open, effects);
        }
    }

    /// Stores which lines match.
    pub(super) fn store_matching_lines(&mut self, id: CheckId, request: RequestId, matches: Vec<bool>) {
        self.update_search(id, |search| {
            let total = search.lines.total();
            Rc::make_mut(&mut search.lines).store(request, total, matches);
        });
    }

    /// Changes the search with this id; other ones are stale.
    pub(super) fn update_search(&mut self, id: CheckId, change: impl FnOnce(&mut Search)) {
        let search = self.check.as_mut().map(Rc::make_mut).and_then(|check| check.preview.search.as_mut());
        if let Some(search) = search.filter(|search| search.id == id) {
            change(Rc::make_mut(search));
        }
    }
}
