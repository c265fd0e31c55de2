//! The platform's rules for an evaluation set beyond the schema of its records.

use std::collections::BTreeMap;

use evalcheck_core::finding::Location;
use evalcheck_report::text::count;

use super::models::Models;
use super::{ROLES, captures};
use crate::checks::{
    Captures, Conclusions, DatasetChecks, Findings, Observations, Observes, Record, RecordChecks, Summary,
};
use crate::diagnose::{RecordStart, Value, clip};
use crate::user_keys::UserKeys;

evalcheck_core::rules! {
    /// Doubtful conversations.
    ConversationProblem {
        SystemNotFirst = "tencent/system-not-first", Warning {
            summary: "A system message follows other messages.",
            message: "a system message that is not the first message",
            hint: "Move it to the front, or give it another role. If there is a system message at the front, join the two into one.",
            meaning: "The system message sets up the conversation, so it comes first. Many models refuse or ignore one in the middle.",
            mistakes: [First "{},{\"role\":\"system\",\"content\":\"Be brief.\"}" => "{\"role\":\"system\",\"content\":\"Be brief.\"},{}"],
            invalid: r#"{"messages":[{"role":"user","content":"Hello!"},{"role":"system","content":"Be brief."}]}"#,
            valid: r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello!"}]}"#,
        }
        NoUserMessage = "tencent/no-user-message", Warning {
            summary: "A conversation without a user message.",
            message: "no message has the role user, so there is no question to answer",
            hint: "Add the user's message.",
            meaning: "The platform sends the user's messages to the model. A conversation of system and assistant messages contains no question.",
            mistakes: [ValueOf("role") "\"system\""],
            invalid: r#"{"messages":[{"role":"system","content":"Be brief."}]}"#,
            valid: r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is 1 + 1?"}]}"#,
        }
        ModelTwice { name: String, first_at: Location } = "tencent/model-twice", Warning {
            summary: "One record lists a model twice.",
            message: "the model \"{name}\" is listed twice in this record",
            hint: "Put all its answers into one list of responses, or correct the name.",
            related: "first listed here" => first_at.clone(),
            meaning: "Models are told apart by their names. Several answers of one model to one question belong in its responses; a second entry with the same name is lost or counted twice.",
            invalid: r#"{"messages":[{"role":"user","content":"Hello!"}],"model_outputs":[{"model_name":"a","responses":[{"content":"Hi"}]},{"model_name":"a","responses":[{"content":"Hey"}]}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"Hello!"}],"model_outputs":[{"model_name":"a","responses":[{"content":"Hi"},{"content":"Hey"}]}]}"#,
        }
        GroundTruth { records: String, line: u64 } = "tencent/ground-truth", Info {
            summary: "The last message is taken as the ground truth.",
            message: "in {records} the last message has the role assistant (the first on line {line}): the platform takes it as the ground truth",
            hint: "Remove the last answer where it is not meant as the reference.",
            related: "the first one" => Location::line(*line),
            meaning: "When a conversation ends with the assistant, the platform does not ask the model to continue: it reads that message as the correct answer. Reported once for a file.",
            mistakes: [Last "{},{\"role\":\"assistant\",\"content\":\"2\"}"],
            invalid: r#"{"messages":[{"role":"user","content":"What is 1 + 1?"},{"role":"assistant","content":"2"}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is 1 + 1?"}],"ref_answer":"2"}"#,
        }
    }
}

/// If a record has more models, [`RecordChecks::check`] compares their names with a set.
const FEW: usize = 64;

/// The checks of one record: the roles of its messages and the names of its models.
#[derive(Debug)]
pub(super) struct Conversation {
    /// Whether records have the answers of models.
    pub(super) with_models: bool,
}

impl RecordChecks for Conversation {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        let (mut has_messages, mut has_user, mut models) = (false, false, 0);
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            match *number {
                captures::ROLE => {
                    let role = captures.bytes(range);
                    if has_messages && role == b"system" {
                        return false;
                    }
                    has_user |= role == b"user";
                    has_messages = true;
                }
                captures::MODEL_NAME if self.with_models => {
                    models += 1;
                    if models > FEW || is_repeated(captures, index) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        has_user == has_messages
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        check_roles(record, out);
        if self.with_models {
            check_model_names(record, out);
        }
    }
}

fn is_known(role: &[u8]) -> bool {
    ROLES.iter().any(|known| known.as_bytes() == role)
}

/// Whether the name of a model is also that of an earlier one.
fn is_repeated(captures: &Captures<'_>, name: usize) -> bool {
    let text = captures.bytes(&captures.strings[name].1);
    let mut before = captures.strings[..name].iter();
    before.any(|(number, range)| *number == captures::MODEL_NAME && captures.bytes(range) == text)
}

/// Checks the order of roles, unless some role is unknown.
fn check_roles(record: &Record<'_>, out: &mut Findings<'_>) {
    let Some(value) = record.root.get("messages") else { return };
    let messages = value.as_array().unwrap_or_default();
    let role = |message: &Value<'_>| {
        let role = message.get("role")?.as_str()?;
        ROLES.iter().copied().find(|known| *known == role)
    };
    let Some(roles) = messages.iter().map(role).collect::<Option<Vec<&str>>>() else { return };
    if !roles.is_empty() && !roles.contains(&"user") {
        out.report(ConversationProblem::NoUserMessage, record.at_start(value));
    }
    for message in messages.iter().skip(1) {
        if let Some(role) = message.get("role").filter(|role| role.as_str() == Some("system")) {
            out.report(ConversationProblem::SystemNotFirst, record.at(role));
        }
    }
}

fn check_model_names(record: &Record<'_>, out: &mut Findings<'_>) {
    let outputs = record.root.get("model_outputs").and_then(Value::as_array).unwrap_or_default();
    let mut first_of = BTreeMap::new();
    for value in outputs.iter().filter_map(|output| output.get("model_name")) {
        let Some(name) = value.as_str() else { continue };
        let first = *first_of.entry(name).or_insert(value);
        if !std::ptr::eq(first, value) {
            let first_at = record.location(first);
            let problem = ConversationProblem::ModelTwice { name: clip(name, 80), first_at };
            out.report(problem, record.at(value));
        }
    }
}

/// The checks of a dataset. Remembers counts, at most a hundred keys ([`UserKeys`]) and at most a thousand models
/// ([`Models`]).
#[derive(Debug)]
pub(super) struct Dataset {
    user_keys: UserKeys,
    /// The number of records whose last message is the assistant's, and the line of the first.
    truths: u64,
    first_truth: u64,
    /// Present if records have the answers of models.
    models: Option<Models>,
}

impl Dataset {
    pub(super) fn new(with_models: bool) -> Self {
        let models = with_models.then(Models::default);
        Self { user_keys: UserKeys::default(), truths: 0, first_truth: 0, models }
    }
}

impl DatasetChecks for Dataset {
    fn observes(&self) -> Observes {
        Observes::Captures
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        let (mut messages, mut roles, mut ends_with_assistant) = (0, 0, false);
        for (number, range) in captures.strings {
            match *number {
                captures::ROLE => {
                    let role = captures.bytes(range);
                    // A record with an unknown role has errors.
                    roles += usize::from(!captures.has_errors || is_known(role));
                    ends_with_assistant = role == b"assistant";
                }
                captures::MESSAGE => messages += 1,
                captures::USER_KEY if !captures.has_errors => self.user_keys.count(captures.text(range)),
                _ => {}
            }
        }
        if ends_with_assistant && roles == messages {
            if self.truths == 0 {
                self.first_truth = at.line;
            }
            self.truths += 1;
        }
        if let Some(models) = &mut self.models {
            models.observe(captures, at, out);
        }
    }

    fn concludes_on_records(&self) -> bool {
        self.models.is_some()
    }

    fn finish(&mut self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        if let Some(models) = &self.models {
            models.finish(summary.records, out);
        }
        if self.truths > 0 {
            out.report(ConversationProblem::GroundTruth {
                records: count(self.truths, "record"),
                line: self.first_truth,
            });
        }
        if let Some(note) = self.user_keys.note("record") {
            out.note(note);
        }
    }
}
