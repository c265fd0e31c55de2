//! Requests the items of lists that are visible and not loaded.

use std::rc::Rc;

use evalcheck_wire::worker::{CheckId, Command, RequestId};

use crate::state::State;
use crate::state::action::Effect;
use crate::state::page_cache::{ItemRange, PageCache};
use crate::state::preview::Preview;

impl State {
    /// Requests the visible items of all lists.
    pub(super) fn request_lists(&mut self, effects: &mut Vec<Effect>) {
        if let Some(id) = self.answering_check() {
            self.request_items(
                |preview| Some(Rc::make_mut(&mut preview.lines)),
                |request, from, count| Command::Lines { id, request, from: from + 1, count },
                effects,
            );
            self.request_items(
                |preview| Some(Rc::make_mut(&mut preview.rows)),
                |request, from, count| Command::Rows { id, request, from, count },
                effects,
            );
            self.request_files(id, effects);
        }
        self.request_search(effects);
        self.request_findings(effects);
        self.request_fixes(effects);
        self.request_changes(effects);
        self.request_differences(effects);
        self.request_overview(effects);
    }

    /// The shown check, if its worker answers requests about its lines and records.
    fn answering_check(&self) -> Option<CheckId> {
        self.check.as_ref().filter(|check| check.answering && !check.is_running()).map(|check| check.id)
    }

    /// Requests the visible items of one list that are not loaded. `command` gets the id of the request, the number of the first item, from
    /// 0, and the number of items.
    pub(super) fn request_items<T: Clone>(
        &mut self,
        cache: fn(&mut Preview) -> Option<&mut PageCache<T>>,
        command: impl Fn(RequestId, u64, u32) -> Command,
        effects: &mut Vec<Effect>,
    ) {
        let Some(check) = &mut self.check else { return };
        loop {
            // Uses a copy, because `make_mut` on the check would render every component again.
            let mut preview = check.preview.clone();
            let range = cache(&mut preview).and_then(|cache| cache.next_request(self.ids.peek()));
            let Some(ItemRange { from, count }) = range else { return };
            Rc::make_mut(check).preview = preview;
            effects.push(Effect::Post(command(self.ids.next(), from - 1, count), None));
        }
    }
}
