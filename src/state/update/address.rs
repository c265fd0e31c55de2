//! The address of the page, which follows what is shown, and leads to what it names.

use evalcheck_wire::catalogue::Catalogue;
use yew::AttrValue;

use crate::state::address::{Address, Step};
use crate::state::effect::Effect;
use crate::state::theme::Theme;
use crate::state::{EngineState, State};

impl State {
    /// Updates the address to the shown results. In a frame, the address holds the options of the host page.
    pub(super) fn update_address(&mut self, effects: &mut Vec<Effect>) {
        if self.embed.is_some() {
            return;
        }
        let address = match &self.check {
            // Between two states of a file, the address does not change.
            Some(check) if check.report().is_none() => return,
            Some(check) => Address::of(check, self.look.theme)
                .map(|address| Address { example: self.opening.example.clone(), ..address }),
            None if self.batch.is_some() || self.opening.address.is_some() => return,
            None => None,
        };
        if address == self.told.address {
            return;
        }
        let step = match (&address, &self.told.address) {
            (Some(address), Some(before)) => address.step_from(before),
            _ => Step::Same,
        };
        self.told.address.clone_from(&address);
        effects.push(Effect::SetAddress(address, step));
    }

    /// Goes to the address with which the page was opened, or to which the user went back or forward.
    pub(super) fn go_to_address(&mut self, address: Address, effects: &mut Vec<Effect>) {
        let shows_another =
            self.embed.is_none() && address.example.is_some() && address.example != self.opening.example;
        if shows_another || self.check.as_ref().is_none_or(|check| check.report().is_none()) {
            self.opening.address = Some(address);
            return self.open_wanted_example(effects);
        }
        // This is not a new history entry, and a delayed change belongs to the previous place.
        self.told.address = None;
        self.show_address(address, effects);
    }

    /// Opens the example named in the address, once the catalogue is loaded.
    pub(super) fn open_wanted_example(&mut self, effects: &mut Vec<Effect>) {
        let wanted = self.opening.address.as_ref().and_then(|address| address.example.as_ref());
        let Some(name) = wanted.filter(|_| self.embed.is_none() && self.engine == EngineState::Ready) else {
            return;
        };
        if let Some((format, example)) = find_example(&self.catalogue, name, "") {
            self.open_example(format, example, effects);
        } else {
            self.opening.error = Some(no_example(name));
            self.opening.address = None;
        }
    }

    /// Changes the theme of the page.
    pub(super) fn set_theme(&mut self, theme: Theme, effects: &mut Vec<Effect>) {
        self.look.theme = theme;
        effects.push(Effect::ApplyTheme(theme));
    }

    /// Shows the place with which the page was opened, once there are results.
    pub(super) fn show_wanted_address(&mut self, effects: &mut Vec<Effect>) {
        if let Some(address) = self.opening.address.take() {
            self.show_address(address, effects);
        }
    }
}

/// The indices of an example in the catalogue, by its name: `juryarena/broken`, or `broken` for an example of this format.
pub(in crate::state) fn find_example(
    catalogue: &Catalogue,
    name: &str,
    format: &str,
) -> Option<(usize, usize)> {
    let (format, example) = name.split_once('/').unwrap_or((format, name));
    let index = catalogue.formats.iter().position(|known| known.id == format)?;
    let example = catalogue.formats[index].examples.iter().position(|known| known.id == example)?;
    Some((index, example))
}

/// The message about an unknown example.
pub(in crate::state) fn no_example(name: &str) -> AttrValue {
    format!("There is no example \"{name}\".").into()
}
