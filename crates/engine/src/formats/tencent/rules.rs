//! What the platform wants of an evaluation set beyond the shape of its records.

use evalcheck_wire::text::count;

use super::models::Models;
use super::{OWN_KEY, ROLE_OF_MESSAGE, ROLES};
use crate::explain::{Context, Kind, Value};
use crate::rules::Tencent;
use crate::rules::dataset_rules::{Accepted, DatasetRules, End};
use crate::rules::own_keys::OwnKeys;
use crate::schema::{Object, Schema};

/// The rules of one dataset. Remembers counts, at most a hundred keys ([`OwnKeys`]) and at most a thousand models
/// ([`Models`]).
#[derive(Debug)]
pub(super) struct Conversations {
    schema: &'static Schema,
    own_keys: OwnKeys,
    /// Records whose last message is the assistant's, and the line of the first.
    truths: u64,
    first_truth: u64,
    /// Where records have the answers of models.
    models: Option<Models>,
}

/// What the roles of a conversation come to.
#[derive(Debug, Default, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Roles {
    any: bool,
    user: bool,
    late_system: bool,
    ends_with_assistant: bool,
}

impl Roles {
    fn of<'r>(roles: impl Iterator<Item = &'r [u8]>) -> Self {
        let mut found = Self::default();
        for role in roles {
            found.user |= role == b"user";
            found.late_system |= role == b"system" && found.any;
            found.ends_with_assistant = role == b"assistant";
            found.any = true;
        }
        found
    }
}

impl Conversations {
    pub(super) fn new(schema: &'static Schema, with_models: bool) -> Self {
        let models = with_models.then(Models::default);
        Self { schema, own_keys: OwnKeys::default(), truths: 0, first_truth: 0, models }
    }

    fn count_truth(&mut self, roles: Roles, line: u64) {
        if roles.ends_with_assistant {
            if self.truths == 0 {
                self.first_truth = line;
            }
            self.truths += 1;
        }
    }

    /// Roles that are all known: from others nothing can be concluded.
    fn examine_roles(&mut self, context: &mut Context<'_>) {
        let Some(value) = context.root.get("messages") else { return };
        let messages = value.as_array().unwrap_or_default();
        let is_known = |message: &Value<'_>| {
            message.get("role").and_then(Value::as_str).is_some_and(|role| ROLES.contains(&role))
        };
        if messages.is_empty() || !messages.iter().all(is_known) {
            return;
        }
        let names = || messages.iter().filter_map(|message| message.get("role")?.as_str());
        let roles = Roles::of(names().map(str::as_bytes));
        let mut trail = context.base.clone();
        trail.key("messages");
        if !roles.user {
            context.report(Tencent::NoUserMessage, value.span.start..value.span.start + 1, trail.path());
        }
        for (index, message) in messages.iter().enumerate().skip(1) {
            let Some(role) = message.get("role").filter(|role| role.as_str() == Some("system")) else {
                continue;
            };
            trail.index(index);
            trail.key("role");
            context.report(Tencent::SystemNotFirst, role.span.clone(), trail.path());
            trail.back();
            trail.back();
        }
        if !context.looking {
            self.count_truth(roles, context.origin.line);
        }
    }
}

impl DatasetRules for Conversations {
    fn accept(&mut self, record: &Accepted<'_>) -> bool {
        let roles = Roles::of(record.contents(ROLE_OF_MESSAGE));
        if roles.late_system || (roles.any && !roles.user) {
            return false;
        }
        if !self.models.as_mut().is_none_or(|models| models.accept(record)) {
            return false;
        }
        self.count_truth(roles, record.origin.line);
        record.texts(OWN_KEY).for_each(|key| self.own_keys.count(key));
        true
    }

    fn examine(&mut self, context: &mut Context<'_>) {
        self.examine_roles(context);
        if let Some(models) = &mut self.models {
            models.examine(context);
        }
        if context.looking {
            return;
        }
        let (Kind::Object(members), Some(Object::Properties(fields))) =
            (&context.root.kind, &self.schema.object)
        else {
            return;
        };
        for member in members.iter().filter(|member| !member.shadowed) {
            if fields.position(member.key.as_bytes()).is_none() {
                self.own_keys.count(&member.key);
            }
        }
    }

    fn finish(&mut self, end: &mut End<'_>) {
        if let Some(models) = &self.models {
            models.finish(end);
        }
        if self.truths > 0 {
            end.report(Tencent::GroundTruth {
                records: count(self.truths, "record"),
                line: self.first_truth,
            });
        }
        if let Some(note) = self.own_keys.note("record") {
            end.note(note);
        }
    }

    fn looking(&self) -> Box<dyn DatasetRules> {
        Box::new(Self::new(self.schema, self.models.is_some()))
    }
}
