//! The display mode of texts of records.

use std::rc::Rc;

use crate::state::State;
use crate::state::effect::Effect;
use crate::state::markdown::{MarkdownState, TextMode};

impl State {
    /// Shows texts in another mode.
    pub(super) fn set_text_mode(&mut self, mode: TextMode, effects: &mut Vec<Effect>) {
        self.look.text_mode = mode;
        effects.push(Effect::StoreTextMode(mode));
        // What failed is requested again.
        if let Some(check) = self.check.as_mut().map(Rc::make_mut)
            && matches!(check.preview.details.markdown.state, MarkdownState::Failed(_))
        {
            Rc::make_mut(&mut check.preview.details.markdown).state = MarkdownState::None;
        }
    }
}
