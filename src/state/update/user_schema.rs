//! Takes, changes and removes the schema of the user's own.

use std::rc::Rc;

use crate::state::State;
use crate::state::action::SchemaAction;
use crate::state::effect::Effect;
use crate::state::user_schema::UserSchema;

impl State {
    pub(super) fn update_schema(&mut self, action: SchemaAction, now_ms: f64, effects: &mut Vec<Effect>) {
        let schema = match action {
            SchemaAction::Pick => return effects.push(Effect::PickSchema),
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

    /// Makes the files of a batch wait that were checked with another schema, each as its own format.
    pub(super) fn renew_batch(&mut self) {
        let schema = &self.schema;
        if let Some(batch) = self.batch.as_mut().filter(|batch| batch.schema != *schema) {
            Rc::make_mut(batch).check_with(schema.clone());
        }
    }
}
