//! Keyboard shortcuts: which of them do something, and what.

use evalcheck_report::Fix;

use crate::state::State;
use crate::state::action::{Action, FixAction, PreviewAction};
use crate::state::check::Check;
use crate::state::details::{Edit, Tab};
use crate::state::effect::Effect;
use crate::state::keys::{AFTER_VIEWS, BEFORE_VIEWS, Key, KeyList, OF_VIEWS, Place, Shortcut, shortcut};
use crate::state::preview::Focus;
use crate::state::view::View;
use crate::state::view_id::ViewId;

impl State {
    /// The keys that currently have an effect. All others are left to the browser.
    pub(super) fn bound_keys(&self) -> Vec<Shortcut> {
        // A dialog has its own keys, and a file cannot be used while it is changed.
        if self.question.is_some() || self.look.keys == KeyList::Shown || self.fixing.is_some() {
            return Vec::new();
        }
        self.shortcuts().filter(|shortcut| self.is_bound(shortcut.does)).collect()
    }

    /// All shortcuts, in the order in which they are listed. Those of views are numbers, in the order of the tabs.
    pub(crate) fn shortcuts(&self) -> impl Iterator<Item = Shortcut> {
        let views = self.check.iter().flat_map(|check| self.views.all_offered(check));
        let of_views = OF_VIEWS.into_iter().zip(views.map(View::about));
        let of_views = of_views.map(|(keys, about)| shortcut(keys, Key::View(about.id), about.help));
        BEFORE_VIEWS.into_iter().chain(of_views).chain(AFTER_VIEWS)
    }

    fn is_bound(&self, key: Key) -> bool {
        if key == Key::Help {
            return true;
        }
        let Some(check) = self.check.as_ref().filter(|_| self.aside.is_none()) else {
            return matches!(key, Key::Row(_)) && self.batch.is_some() && self.aside.is_none();
        };
        let is_of_details =
            matches!(key, Key::OtherPane | Key::ApplyFix | Key::Edit | Key::Rendered | Key::Back);
        if is_of_details && self.views.front(check).is_some_and(View::is_undivided) {
            return false;
        }
        match key {
            // Only views that are offered have a key.
            Key::Help | Key::Row(_) | Key::OtherPane | Key::Back | Key::View(_) => true,
            Key::GoOn(_) if check.lists_matches() => true,
            Key::GoOn(_) => {
                check.has_lines() && check.report().is_some_and(|report| report.counts.invalid > 0)
            }
            Key::Search => check.report().is_some() && check.answering(),
            Key::GoTo => check.has_lines(),
            Key::ApplyFix => shown_fix(check).is_some(),
            Key::Edit => check.is_editable() && !matches!(check.preview.details.edit, Edit::Open(_)),
            Key::Rendered => check.preview.has_rendered_switch(),
            Key::Undo => check.fixes.is_some() && !check.is_running(),
        }
    }

    /// The action of a key that was pressed in a pane.
    pub(super) fn key_action(&self, key: Key, pane: Focus, effects: &mut Vec<Effect>) -> Option<Action> {
        if !self.bound_keys().iter().any(|shortcut| shortcut.does == key) {
            return None;
        }
        let mut lead_to = |place| effects.push(Effect::MoveFocus(place));
        Some(match key {
            Key::Row(direction) => {
                effects.push(Effect::MoveInList(direction));
                return None;
            }
            Key::GoOn(direction) => PreviewAction::GoOn(direction).into(),
            Key::Search => {
                lead_to(Place::FilterField);
                let check = self.check.as_ref()?;
                let filtered = self.views.front(check).filter(|view| view.has_filter(check));
                PreviewAction::Show(filtered.map_or(ViewId::RECORDS, |view| view.about().id)).into()
            }
            Key::GoTo => {
                lead_to(Place::NumberField);
                let check = self.check.as_ref()?;
                // The list of matches has no number field, because it does not contain all numbers.
                let is_records = check.preview.view == ViewId::RECORDS && !check.lists_hits();
                PreviewAction::Show(if is_records { ViewId::RECORDS } else { ViewId::LINES }).into()
            }
            Key::View(view) => {
                lead_to(Place::List);
                PreviewAction::Show(view).into()
            }
            Key::ApplyFix => FixAction::ApplyOne(Box::new(shown_fix(self.check.as_ref()?)?.clone())).into(),
            Key::Edit => PreviewAction::StartEditing.into(),
            Key::Rendered => Action::SetTextMode(self.look.text_mode.other()),
            Key::Undo => FixAction::Undo.into(),
            Key::OtherPane if pane == Focus::List => {
                lead_to(Place::Details);
                PreviewAction::ShowDetails.into()
            }
            Key::OtherPane | Key::Back => {
                lead_to(Place::List);
                PreviewAction::BackToList.into()
            }
            Key::Help => Action::ShowKeys(KeyList::Shown),
        })
    }
}

/// The fix in the details.
fn shown_fix(check: &Check) -> Option<&Fix> {
    let preview = &check.preview;
    let is_shown = preview.tab() == Tab::Source || preview.line().is_none();
    preview.shown_finding().filter(|_| is_shown && !check.is_running())?.fix.as_deref()
}
