//! What the fragment of the page's address holds: where the user is in the results. Nothing of a dataset but what the user typed into the filter.

use yew::AttrValue;

use super::State;
use super::action::Effect;
use super::check::Check;
use super::findings::Grouping;
use super::preview::{Focus, ListKind, Selection};
use super::theme::Theme;

/// A place in the results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Address {
    /// The list in front.
    pub(crate) list: ListKind,
    /// The text of the filter.
    pub(crate) filter: AttrValue,
    /// Findings are listed one by one, or by groups, if the user has chosen.
    pub(crate) grouping: Option<Grouping>,
    /// The line of what is selected, from 1.
    pub(crate) line: Option<u64>,
    /// The selected record, from 0.
    pub(crate) record: Option<u64>,
    /// On a narrow screen the details are in front.
    pub(crate) has_details: bool,
    /// The theme, unless it is that of the system.
    pub(crate) theme: Option<Theme>,
}

/// What a change of the address does to the history of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The address of this entry changes.
    Same,
    /// Back leads to the address before.
    New,
    /// Back leads to the address before on a narrow screen.
    NewIfNarrow,
}

impl Address {
    fn of(check: &Check, theme: Theme) -> Option<Self> {
        check.report()?;
        let preview = &check.preview;
        let record = match preview.selection {
            Some(Selection::Record { record, .. }) => Some(record),
            _ => None,
        };
        Some(Self {
            list: preview.list,
            filter: preview.filter.text.clone(),
            grouping: preview.grouping,
            line: preview.line(),
            record,
            has_details: preview.focus == Focus::Details,
            theme: (theme != Theme::Auto).then_some(theme),
        })
    }

    /// How the history takes it after another one.
    fn step_from(&self, before: &Self) -> Step {
        let place = |address: &Self| (address.list, address.filter.clone(), address.grouping);
        if place(self) != place(before) {
            Step::New
        } else if self.has_details != before.has_details {
            // The way back to the list is a step back, too.
            if self.has_details { Step::NewIfNarrow } else { Step::Same }
        } else {
            Step::Same
        }
    }
}

impl State {
    /// The address follows what is shown. A frame has the options of its host there.
    pub(super) fn update_address(&mut self, effects: &mut Vec<Effect>) {
        if self.embed.is_some() {
            return;
        }
        let address = match &self.check {
            // Between two states of a file the address stays.
            Some(check) if check.report().is_none() => return,
            Some(check) => Address::of(check, self.theme),
            None if self.batch.is_some() || self.wanted_address.is_some() => return,
            None => None,
        };
        if address == self.address {
            return;
        }
        let step = match (&address, &self.address) {
            (Some(address), Some(before)) => address.step_from(before),
            _ => Step::Same,
        };
        self.address.clone_from(&address);
        effects.push(Effect::SetAddress(address, step));
    }

    /// The page was opened with an address, or the user went back or forward.
    pub(super) fn go_to_address(&mut self, address: Address, effects: &mut Vec<Effect>) {
        if self.check.as_ref().is_none_or(|check| check.report().is_none()) {
            self.wanted_address = Some(address);
            return;
        }
        // What follows is not a step of its own, and a change that still waits is for the place before.
        self.address = None;
        self.show_address(address, effects);
    }

    /// Changes the theme of the page.
    pub(super) fn set_theme(&mut self, theme: Theme, effects: &mut Vec<Effect>) {
        self.theme = theme;
        effects.push(Effect::ApplyTheme(theme));
    }

    /// Shows the place that the page was opened with, now that there are results.
    pub(super) fn show_wanted_address(&mut self, effects: &mut Vec<Effect>) {
        if let Some(address) = self.wanted_address.take() {
            self.show_address(address, effects);
        }
    }
}
