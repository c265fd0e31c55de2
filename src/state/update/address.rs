//! The address of the page, which follows what is shown, and leads to what it names.

use evalcheck_wire::catalogue::Catalogue;
use yew::AttrValue;

use crate::state::address::{Address, Step};
use crate::state::effect::Effect;
use crate::state::theme::Theme;
use crate::state::{EngineState, State};

impl State {
    /// Updates the address, and the history, to what is shown. In a frame, the address holds the options of the host page.
    pub(super) fn update_address(&mut self, effects: &mut Vec<Effect>) {
        if self.embed.is_some() {
            return;
        }
        let screen = self.screen();
        let shown = self.check.as_ref().filter(|_| self.aside.is_none());
        let address = shown
            .and_then(|check| Address::of(check, self.look.theme))
            .map(|address| Address { example: self.opening.example.clone(), ..address });
        let step = if screen == self.told.screen {
            match (&address, &self.told.address) {
                // Between two states of a file, the address does not change.
                (None, _) => return,
                (Some(address), Some(before)) if address == before => return,
                (Some(address), Some(before)) => address.step_from(before),
                (Some(_), None) => Step::Same,
            }
        } else if self.is_linked() {
            // A link to an example opens it in the entry of the link.
            Step::Replaced
        } else {
            screen.step_from(self.told.screen)
        };
        self.told.screen = screen;
        self.told.address.clone_from(&address);
        effects.push(Effect::SetAddress(address, screen, step));
    }

    /// Whether the example that is being checked was opened by the address.
    fn is_linked(&self) -> bool {
        let example = self.opening.example.as_ref().filter(|_| self.aside.is_none());
        let wanted = self.opening.address.as_ref().and_then(|address| address.example.as_ref());
        example.is_some() && example == wanted
    }

    /// Goes to a place in the results, to which the user went back or forward; opens the example that it names.
    pub(super) fn go_to_address(&mut self, address: Address, effects: &mut Vec<Effect>) {
        let shows_another =
            self.embed.is_none() && address.example.is_some() && address.example != self.opening.example;
        if shows_another || self.check.as_ref().is_none_or(|check| check.report().is_none()) {
            self.opening.address = Some(address);
            return self.open_wanted_example(effects);
        }
        // This is not a new history entry.
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
