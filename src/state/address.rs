//! What the fragment of the page's address holds: where the user is in the results. Nothing of a dataset but what the user typed into the filter.

use evalcheck_wire::catalogue::Catalogue;
use yew::AttrValue;

use super::action::Effect;
use super::check::Check;
use super::findings::Grouping;
use super::preview::{Focus, ListKind, Selection};
use super::theme::Theme;
use super::{EngineState, State};

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
    /// The built-in example that is shown: `juryarena/broken`.
    pub(crate) example: Option<AttrValue>,
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
    /// The place in the results of a check, once there are some.
    pub(super) fn of(check: &Check, theme: Theme) -> Option<Self> {
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
            example: None,
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
            Some(check) => Address::of(check, self.theme)
                .map(|address| Address { example: self.example.clone(), ..address }),
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
        let shows_another =
            self.embed.is_none() && address.example.is_some() && address.example != self.example;
        if shows_another || self.check.as_ref().is_none_or(|check| check.report().is_none()) {
            self.wanted_address = Some(address);
            return self.open_wanted_example(effects);
        }
        // What follows is not a step of its own, and a change that still waits is for the place before.
        self.address = None;
        self.show_address(address, effects);
    }

    /// Opens the example that the address names, once the catalogue knows it.
    pub(super) fn open_wanted_example(&mut self, effects: &mut Vec<Effect>) {
        let wanted = self.wanted_address.as_ref().and_then(|address| address.example.as_ref());
        let Some(name) = wanted.filter(|_| self.embed.is_none() && self.engine == EngineState::Ready) else {
            return;
        };
        if let Some((format, example)) = find_example(&self.catalogue, name, "") {
            self.open_example(format, example, effects);
        } else {
            self.open_error = Some(no_example(name));
            self.wanted_address = None;
        }
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

/// The indices of an example in the catalogue, by its name: `juryarena/broken`, or `broken` for that of this format.
pub(super) fn find_example(catalogue: &Catalogue, name: &str, format: &str) -> Option<(usize, usize)> {
    let (format, example) = name.split_once('/').unwrap_or((format, name));
    let index = catalogue.formats.iter().position(|known| known.id == format)?;
    let example = catalogue.formats[index].examples.iter().position(|known| known.id == example)?;
    Some((index, example))
}

/// What to say of an example that the catalogue does not know.
pub(super) fn no_example(name: &str) -> AttrValue {
    format!("There is no example \"{name}\".").into()
}
