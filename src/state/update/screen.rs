//! The start screen, and the way back to what is open.

use crate::state::State;
use crate::state::action::Action;
use crate::state::effect::Effect;
use crate::state::page::BarDetails;
use crate::state::screen::{Aside, Screen};

impl State {
    /// The screen that is shown.
    pub(super) fn screen(&self) -> Screen {
        if self.aside.is_some() { Screen::default() } else { self.open_screen() }
    }

    /// The screen of what is open, shown or not.
    fn open_screen(&self) -> Screen {
        match (&self.batch, &self.check) {
            (Some(batch), check) => Screen {
                opened: batch.files.first().map(|file| file.dataset.key),
                file: check.as_ref().and_then(|check| check.batch_index),
            },
            (None, check) => Screen { opened: check.as_ref().map(|check| check.original().key), file: None },
        }
    }

    /// The action that leads to a screen to which the user went back or forward, if it is not shown already.
    pub(super) fn way_to(&mut self, screen: Screen) -> Option<Action> {
        if self.embed.is_some() {
            return None;
        }
        let (shown, open) = (self.screen(), self.open_screen());
        // The browser is there: the address is written again if the user decides to stay.
        self.told.screen = screen;
        if screen.opened.is_some() && screen.opened == open.opened {
            return match screen.file {
                Some(file) if screen != open => Some(Action::OpenFile(file)),
                None if screen != open => Some(Action::ShowOverview),
                _ => self.aside.is_some().then_some(Action::Return),
            };
        }
        // An entry of a file that gave way to the shown one leads to a place in the shown one. Nothing else that was closed is still there.
        let is_alone = self.batch.is_none() && shown.opened.is_some();
        let gave_way = is_alone && screen.opened.is_some() && screen.file.is_none();
        self.told.screen = if gave_way { shown } else { Screen::default() };
        (self.told.screen != shown).then_some(Action::StartOver)
    }

    /// Shows the start screen. What is open stays open until something else is opened; in a frame it is closed.
    pub(super) fn start_over(&mut self, effects: &mut Vec<Effect>) {
        self.rule = None;
        self.look.bar_details = BarDetails::Hidden;
        if let Some(embed) = &self.embed {
            let format = embed.format.clone();
            if self.screen() != Screen::default() {
                self.close(effects);
                effects.push(Effect::ScrollToTop);
            }
            self.format = format;
        } else if self.screen() != Screen::default() {
            self.opening.error = None;
            self.aside = Some(Aside { format: self.format.clone(), schema: self.schema.clone() });
            effects.push(Effect::ScrollToTop);
        }
    }

    /// Shows what is open in place of the start screen.
    pub(super) fn return_to_open(&mut self, effects: &mut Vec<Effect>) {
        let Some(Aside { format, schema }) = self.aside.take() else { return };
        self.format = format;
        self.schema = schema;
        self.opening.pasting = false;
        self.opening.error = None;
        effects.push(Effect::ScrollToTop);
    }
}
