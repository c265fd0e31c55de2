//! The review of fixes: requests to the worker, and its answers.

use std::rc::Rc;

use evalcheck_wire::findings::FixGroup;
use evalcheck_wire::view::Piece;
use evalcheck_wire::worker::{CheckId, Command, RequestId};

use crate::state::State;
use crate::state::action::Effect;
use crate::state::preview::{Focus, ListKind};
use crate::state::review::{DiffState, ShownFix};

impl State {
    /// Shows the list of fixes.
    pub(super) fn review_fixes(&mut self) {
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.list = ListKind::Fixes;
            check.preview.focus = Focus::List;
        }
    }

    /// Requests the kinds of fixes when they are shown, and the diff of the shown fix.
    pub(super) fn request_fixes(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = &self.check else { return };
        if !check.answering || check.report().is_none() {
            return;
        }
        let id = check.id;
        if check.preview.list == ListKind::Fixes {
            let mut review = check.preview.review.clone();
            if let Some((from, count)) = Rc::make_mut(&mut review).next_request(self.ids.peek()) {
                let request = self.ids.next();
                effects.push(Effect::Post(Command::ListFixes { id, request, from, count }, None));
                if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
                    check.preview.review = review;
                }
            }
        }
        self.request_diff(effects);
    }

    fn request_diff(&mut self, effects: &mut Vec<Effect>) {
        let Some(check) = &self.check else { return };
        let fix = check.shown_finding().and_then(|finding| finding.fix.as_deref());
        let shown = check.preview.fix_diff.as_ref().map(|shown| &shown.fix);
        if fix == shown {
            return;
        }
        let (id, fix) = (check.id, fix.cloned());
        let shown = fix.map(|fix| {
            let request = self.ids.next();
            effects.push(Effect::Post(Command::FixDiff { id, request, fix: Box::new(fix.clone()) }, None));
            Rc::new(ShownFix { fix, diff: DiffState::Requested(request) })
        });
        if let Some(check) = self.check.as_mut().map(Rc::make_mut) {
            check.preview.fix_diff = shown;
        }
    }

    /// Stores the kinds of fixes.
    pub(super) fn store_fix_groups(&mut self, id: CheckId, request: RequestId, groups: Vec<FixGroup>) {
        if let Some(check) = self.check_of(id) {
            Rc::make_mut(&mut check.preview.review).store(request, groups);
        }
    }

    /// Stores the diff of the shown fix; an answer to an older request is dropped.
    pub(super) fn store_diff(&mut self, id: CheckId, request: RequestId, diff: Vec<Piece>) {
        if let Some(check) = self.check_of(id)
            && let Some(shown) =
                check.preview.fix_diff.as_mut().filter(|shown| shown.diff == DiffState::Requested(request))
        {
            Rc::make_mut(shown).diff = DiffState::Loaded(diff);
        }
    }
}
