//! Renders texts of records as Markdown.

use std::rc::Rc;

use evalcheck_wire::markdown::{Packed, Rendered};
use evalcheck_wire::worker::{CheckId, Command, RequestId};

use crate::state::State;
use crate::state::action::Effect;
use crate::state::markdown::{MarkdownState, TextMode};
use crate::state::preview::{ENGINE_RESTARTED, Preview, RecordState};

impl State {
    /// Changes the display mode of texts.
    pub(super) fn set_text_mode(&mut self, mode: TextMode, effects: &mut Vec<Effect>) {
        self.text_mode = mode;
        effects.push(Effect::StoreTextMode(mode));
        // Retries a failed rendering.
        if let Some(check) = self.check.as_mut().map(Rc::make_mut)
            && matches!(check.preview.markdown.state, MarkdownState::Failed(_))
        {
            Rc::make_mut(&mut check.preview.markdown).state = MarkdownState::None;
        }
    }

    /// Requests the renderings of the shown texts, if needed.
    pub(super) fn request_markdown(&mut self, effects: &mut Vec<Effect>) {
        let is_rendered = self.text_mode == TextMode::Rendered;
        let is_needed =
            |preview: &Preview| is_rendered && preview.has_rendered_switch() && preview.markdown.is_needed();
        let Some(check) = self.check.as_mut().filter(|check| is_needed(&check.preview)) else { return };
        let check = Rc::make_mut(check);
        let RecordState::Loaded(record) = &check.preview.record else { return };
        let markdown = Rc::make_mut(&mut check.preview.markdown);
        if !check.answering {
            markdown.state = MarkdownState::Failed(ENGINE_RESTARTED);
            return;
        }
        let request = self.ids.next();
        let texts = Packed::new(&markdown.sources(record));
        markdown.state = MarkdownState::Requested(request);
        effects.push(Effect::Post(Command::Markdown { id: check.id, request, texts }, None));
    }

    /// Stores the rendered texts of the shown record.
    pub(super) fn store_markdown(
        &mut self,
        id: CheckId,
        request: RequestId,
        rendered: &Packed<Vec<Rendered>>,
    ) {
        if let Some(check) = self.check_of(id) {
            Rc::make_mut(&mut check.preview.markdown).store(request, rendered.read());
        }
    }
}
