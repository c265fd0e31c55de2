//! The content of the fragment of the page's address: the place in the results. It contains no data of a dataset, except text that the user
//! typed into the filter.

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
    /// The shown list.
    pub(crate) list: ListKind,
    /// The text of the filter.
    pub(crate) filter: AttrValue,
    /// Whether findings are listed singly or by group, if the user has chosen.
    pub(crate) grouping: Option<Grouping>,
    /// The line of the selected item, from 1.
    pub(crate) line: Option<u64>,
    /// The selected record, from 0.
    pub(crate) record: Option<u64>,
    /// Whether the details are shown on a narrow screen.
    pub(crate) has_details: bool,
    /// The theme, unless it is the system's.
    pub(crate) theme: Option<Theme>,
    /// The name of the shown built-in example, such as `juryarena/broken`.
    pub(crate) example: Option<AttrValue>,
}

/// The effect of a change of the address on the history of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Changes the current entry.
    Same,
    /// Adds an entry, so that Back returns to the previous address.
    New,
    /// Adds an entry on a narrow screen.
    NewIfNarrow,
}

impl Address {
    /// The place in the results of a check, once there are results.
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

    /// How the history records it after another address.
    fn step_from(&self, before: &Self) -> Step {
        let place = |address: &Self| (address.list, address.filter.clone(), address.grouping);
        if place(self) != place(before) {
            Step::New
        } else if self.has_details != before.has_details {
            // Returning to the list also goes back in the history.
            if self.has_details { Step::NewIfNarrow } else { Step::Same }
        } else {
            Step::Same
        }
    }
}

impl State {
    /// Updates the address to the shown results. In a frame, the address holds the options of the host page.
    pub(super) fn update_address(&mut self, effects: &mut Vec<Effect>) {
        if self.embed.is_some() {
            return;
        }
        let address = match &self.check {
            // Between two states of a file, the address does not change.
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

    /// Goes to the address with which the page was opened, or to which the user went back or forward.
    pub(super) fn go_to_address(&mut self, address: Address, effects: &mut Vec<Effect>) {
        let shows_another =
            self.embed.is_none() && address.example.is_some() && address.example != self.example;
        if shows_another || self.check.as_ref().is_none_or(|check| check.report().is_none()) {
            self.wanted_address = Some(address);
            return self.open_wanted_example(effects);
        }
        // This is not a new history entry, and a delayed change belongs to the previous place.
        self.address = None;
        self.show_address(address, effects);
    }

    /// Opens the example named in the address, once the catalogue is loaded.
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

    /// Shows the place with which the page was opened, once there are results.
    pub(super) fn show_wanted_address(&mut self, effects: &mut Vec<Effect>) {
        if let Some(address) = self.wanted_address.take() {
            self.show_address(address, effects);
        }
    }
}

/// The indices of an example in the catalogue, by its name: `juryarena/broken`, or `broken` for an example of this format.
pub(super) fn find_example(catalogue: &Catalogue, name: &str, format: &str) -> Option<(usize, usize)> {
    let (format, example) = name.split_once('/').unwrap_or((format, name));
    let index = catalogue.formats.iter().position(|known| known.id == format)?;
    let example = catalogue.formats[index].examples.iter().position(|known| known.id == example)?;
    Some((index, example))
}

/// The message about an unknown example.
pub(super) fn no_example(name: &str) -> AttrValue {
    format!("There is no example \"{name}\".").into()
}
