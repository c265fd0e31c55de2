//! Takes, changes and removes the schema of the user's own.

use std::rc::Rc;

use evalcheck_wire::question::Question;
use evalcheck_wire::user_schema::SchemaFile;

use crate::state::State;
use crate::state::action::{PreviewAction, SchemaAction};
use crate::state::effect::{Download, Effect};
use crate::state::user_schema::{UserSchema, WantsSchema};
use crate::state::view_id::ViewId;

impl State {
    pub(super) fn update_schema(&mut self, action: SchemaAction, now_ms: f64, effects: &mut Vec<Effect>) {
        let schema = match action {
            SchemaAction::Pick => return effects.push(Effect::PickSchema),
            SchemaAction::Make => return self.make_schema(effects),
            SchemaAction::DownloadMade => {
                if let Some(made) = self.made_schema() {
                    self.show_saved(made.name.clone().into(), effects);
                    effects.push(Effect::Download(Download::Schema(made)));
                }
                return;
            }
            SchemaAction::UseMade => match self.made_schema() {
                Some(made) => self.schema.with(vec![made]),
                None => return,
            },
            SchemaAction::Use(files) => self.schema.with(files),
            SchemaAction::Remove => self.schema.with(Vec::new()),
            SchemaAction::CheckFormats(checks_formats) => {
                UserSchema { checks_formats, ..self.schema.clone() }
            }
        };
        if schema == self.schema {
            return;
        }
        self.schema = schema;
        self.opening.error = None;
        // On the start screen, it is for the next file.
        if self.aside.is_none() {
            self.check_again(now_ms, effects);
        }
    }

    /// Makes the JSON Schema that fits the shown file, and shows it above the keys.
    fn make_schema(&mut self, effects: &mut Vec<Effect>) {
        if self.check.as_ref().is_none_or(|check| !check.has_statistics()) {
            return;
        }
        self.choose(|wants: &mut WantsSchema| wants.0 = true);
        if let Some(answers) = self.answers() {
            // What was stopped or has failed is tried again.
            for question in [Question::Overview, Question::Schema] {
                if answers.answer_to(&question).is_none() {
                    answers.forget(&question);
                }
            }
        }
        self.update_preview(PreviewAction::Show(ViewId::SCHEMA), effects);
    }

    fn made_schema(&self) -> Option<SchemaFile> {
        self.check.as_ref().and_then(|check| check.made_schema())
    }

    /// Makes the files of a batch wait that were checked with another schema, each as its own format.
    pub(super) fn renew_batch(&mut self) {
        let schema = &self.schema;
        if let Some(batch) = self.batch.as_mut().filter(|batch| batch.schema != *schema) {
            Rc::make_mut(batch).check_with(schema.clone());
        }
    }
}
