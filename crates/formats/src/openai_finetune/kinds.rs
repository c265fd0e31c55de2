//! The kinds of records, of which a file has one.

use evalcheck_report::text::count;

use super::schemas::captures;
use crate::checks::{Captures, Conclusions, DatasetChecks, Observations, Observes, Summary};
use crate::diagnose::{RecordStart, clip_quoted};
use crate::user_keys::UserKeys;
use evalcheck_core::finding::Location;

evalcheck_core::rules! {
    /// Records that do not fit the others of the file.
    KindProblem {
        Mixed { kind: Kind, first: Kind, line: u64 } = "openai-finetune/mixed-kinds", Error {
            summary: "The records are for different methods of fine-tuning.",
            message: "this record is for {kind}, but the file is for {first}",
            hint: "Put the records of each method into a file of their own.",
            related: "the first record of a kind" => Location::line(*line),
            meaning: "A job has one method: supervised, preference or reinforcement. The first record that shows its method decides; the service refuses the file because of the others.",
            invalid: "{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"},{\"role\":\"assistant\",\"content\":\"An insect.\"}]}\n{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"}]},\"preferred_output\":[{\"role\":\"assistant\",\"content\":\"An insect.\"}],\"non_preferred_output\":[{\"role\":\"assistant\",\"content\":\"A bird.\"}]}",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"},{\"role\":\"assistant\",\"content\":\"An insect.\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"What is a crow?\"},{\"role\":\"assistant\",\"content\":\"A bird.\"}]}",
        }
        Unanswered = "openai-finetune/no-answer", Error {
            summary: "A conversation of supervised fine-tuning does not end with an answer.",
            message: "the last message is the user's: there is no answer to learn",
            hint: "Add the message of the assistant, or leave the record out.",
            meaning: "Supervised fine-tuning trains the model on the messages of the assistant, and the last message must be one. Only a file for reinforcement fine-tuning has conversations that end with the user.",
            invalid: "{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"},{\"role\":\"assistant\",\"content\":\"An insect.\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"What is a crow?\"}]}",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"},{\"role\":\"assistant\",\"content\":\"An insect.\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"What is a crow?\"},{\"role\":\"assistant\",\"content\":\"A bird.\"}]}",
        }
        OwnKey { key: String } = "openai-finetune/own-key", Warning {
            summary: "A key of your own in a record for supervised fine-tuning.",
            message: "the key {key} is of no use in supervised fine-tuning",
            hint: "Remove it. Keys for a grader belong into records for reinforcement fine-tuning, which end with the user's message.",
            meaning: "The service ignores other keys than messages, tools, parallel_tool_calls and functions. Other readers of the format refuse them, and they make the record look like one for reinforcement fine-tuning.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}],"source":"wiki"}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
        KeyNotEverywhere { key: String, found: String, records: u64 } = "openai-finetune/key-not-everywhere", Warning {
            summary: "Not every record for reinforcement fine-tuning has a key.",
            message: "the key {key} is in {found} of {records}",
            hint: "Write the key into every record, if the grader reads it.",
            meaning: "A grader reads keys of the record, as item.KEY, and fails where one is missing. Which keys it reads is not in the file.",
            invalid: "{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"}],\"answer\":\"insect\"}\n{\"messages\":[{\"role\":\"user\",\"content\":\"What is a crow?\"}],\"answr\":\"bird\"}",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"}],\"answer\":\"insect\"}\n{\"messages\":[{\"role\":\"user\",\"content\":\"What is a crow?\"}],\"answer\":\"bird\"}",
        }
        Completions { records: String } = "openai-finetune/completions", Info {
            summary: "The file has the old format of prompts and completions.",
            message: "{records} with prompt and completion: only babbage-002 and davinci-002 take them",
            hint: "Write conversations with messages for any other model.",
            meaning: "The first models for fine-tuning completed a text. Chat models learn from conversations. Reported once for a file.",
            invalid: r#"{"prompt":"What is a bee?","completion":"An insect."}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
    }
}

/// A method of fine-tuning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Supervised,
    Preference,
    Reinforcement,
    Completion,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Supervised => "supervised fine-tuning",
            Self::Preference => "preference optimization",
            Self::Reinforcement => "reinforcement fine-tuning",
            Self::Completion => "the old completions format",
        })
    }
}

/// The signs of the kind of a record.
#[derive(Debug)]
struct Signs {
    kind: Option<Kind>,
    /// The capture that shows it.
    shown_by: usize,
    has_own_key: bool,
}

impl Signs {
    /// The signs in a record without errors; `None` if it has neither messages nor a prompt.
    fn of(captures: &Captures<'_>) -> Option<Self> {
        let (mut last, mut has_assistant, mut has_own_key) = (None, false, false);
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            let kind = match *number {
                captures::ROLE => {
                    let is_of_assistant = captures.bytes(range) == b"assistant";
                    last = Some((index, is_of_assistant));
                    has_assistant |= is_of_assistant;
                    continue;
                }
                captures::USER_KEY => {
                    has_own_key = true;
                    continue;
                }
                captures::NON_PREFERRED => Kind::Preference,
                captures::PROMPT => Kind::Completion,
                _ => continue,
            };
            return Some(Self { kind: Some(kind), shown_by: index, has_own_key });
        }
        let (shown_by, is_answered) = last?;
        let kind = match (is_answered, has_own_key || !has_assistant) {
            (true, _) => Some(Kind::Supervised),
            (false, true) => Some(Kind::Reinforcement),
            // Several turns without keys for a grader: an answer may be missing.
            (false, false) => None,
        };
        Some(Self { kind, shown_by, has_own_key })
    }
}

/// The checks of a dataset. Remembers counts, the kind of the records, and at most a hundred keys ([`UserKeys`]).
#[derive(Debug, Default)]
pub(super) struct Dataset {
    /// The kind of the first record that shows one, and its line.
    first: Option<(Kind, u64)>,
    /// The number of records of that kind.
    records: u64,
    user_keys: UserKeys,
}

impl DatasetChecks for Dataset {
    fn observes(&self) -> Observes {
        Observes::Captures
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        let Some(signs) = Signs::of(captures).filter(|_| !captures.has_errors) else { return };
        if self.first.is_none() {
            self.first = signs.kind.map(|kind| (kind, at.line));
        }
        let Some((first, line)) = self.first else {
            return out.report(signs.shown_by, KindProblem::Unanswered);
        };
        let is_supervised = first == Kind::Supervised;
        match signs.kind {
            Some(kind) if kind == first => {}
            None if first == Kind::Reinforcement => {}
            None => return out.report(signs.shown_by, KindProblem::Unanswered),
            Some(Kind::Reinforcement) if is_supervised && !signs.has_own_key => {
                return out.report(signs.shown_by, KindProblem::Unanswered);
            }
            Some(kind) => return out.report(signs.shown_by, KindProblem::Mixed { kind, first, line }),
        }
        self.records += 1;
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            if *number == captures::USER_KEY {
                if is_supervised {
                    out.report(index, KindProblem::OwnKey { key: clip_quoted(captures.text(range)) });
                } else {
                    self.user_keys.count(captures.text(range));
                }
            }
        }
    }

    fn finish(&mut self, _summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        if matches!(self.first, Some((Kind::Completion, _))) {
            out.report(KindProblem::Completions { records: count(self.records, "record") });
        }
        for (key, found) in self.user_keys.counts().filter(|(_, found)| *found < self.records) {
            let (key, found) = (clip_quoted(key), count(found, "record"));
            out.report(KindProblem::KeyNotEverywhere { key, found, records: self.records });
        }
        if let Some(note) = self.user_keys.note("record") {
            out.note(note);
        }
    }
}
