//! The kinds of records. All records of a file should be of one kind.

use evalcheck_report::text::count;

use super::schemas::captures;
use crate::chat::PREFERENCE_KEYS;
use crate::checks::{Captures, Conclusions, DatasetChecks, Observations, Observes, Summary};
use crate::diagnose::{Kind as JsonKind, RecordStart, Value, clip_quoted, parse};
use crate::user_keys::UserKeys;
use evalcheck_core::finding::Location;

evalcheck_core::rules! {
    /// Records that do not fit the others of the file.
    KindProblem {
        Mixed { kind: Kind, others: Kind, line: u64 } = "openai-finetune/mixed-kinds", Error {
            summary: "The records are for different methods of fine-tuning.",
            message: "this record is for {kind}, but others of the file are for {others}",
            hint: "Put the records of each method into a file of their own.",
            related: "a record of the other method" => Location::line(*line),
            meaning: "A job has one method: supervised, preference or reinforcement. The file is taken for the method of most of its first records; the others have this finding.",
            invalid: "{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"},{\"role\":\"assistant\",\"content\":\"An insect.\"}]}\n{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"}]},\"preferred_output\":[{\"role\":\"assistant\",\"content\":\"An insect.\"}],\"non_preferred_output\":[{\"role\":\"assistant\",\"content\":\"A bird.\"}]}",
            valid: "{\"messages\":[{\"role\":\"user\",\"content\":\"What is a bee?\"},{\"role\":\"assistant\",\"content\":\"An insect.\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"What is a crow?\"},{\"role\":\"assistant\",\"content\":\"A bird.\"}]}",
        }
        TwoKinds { key: String } = "openai-finetune/two-kinds", Warning {
            summary: "A record has a conversation and the outputs of a preference.",
            message: "the record has messages and {key}: a job reads one of them",
            hint: "Keep messages alone, or input with the two outputs.",
            meaning: "Supervised and reinforcement fine-tuning read messages, preference optimization reads input and the two outputs. The method of the job decides, so a part of the record is ignored. The outputs are not checked.",
            invalid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}],"preferred_output":[{"role":"assistant","content":"An insect."}]}"#,
            valid: r#"{"messages":[{"role":"user","content":"What is a bee?"},{"role":"assistant","content":"An insect."}]}"#,
        }
        Unanswered = "openai-finetune/no-answer", Error {
            summary: "A conversation of supervised fine-tuning does not end with an answer.",
            message: "the last message is the user's: there is no answer to learn",
            hint: "Add the message of the assistant, or leave the record out. A record for reinforcement fine-tuning belongs into another file.",
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
    }
}

/// The method that a record is for, as far as it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It ends with an answer.
    Supervised,
    Preference,
    /// It ends with the user's message, and has keys of its own.
    Reinforcement,
    Completion,
    /// It ends with the user's message, and has no key of its own: an answer may be missing, or the grader needs no key.
    Open,
    /// The same, and an earlier message is an answer.
    Unfinished,
}

impl Kind {
    const ALL: [Self; 6] = [
        Self::Supervised,
        Self::Preference,
        Self::Reinforcement,
        Self::Completion,
        Self::Open,
        Self::Unfinished,
    ];

    /// The kind of a conversation, by the role of each message.
    fn of_conversation<'r>(roles: impl Iterator<Item = &'r [u8]>, has_own_key: bool) -> Self {
        let (mut is_answered, mut has_answer) = (false, false);
        for role in roles {
            is_answered = role == b"assistant";
            has_answer |= is_answered;
        }
        match (is_answered, has_own_key) {
            (true, _) => Self::Supervised,
            (false, true) => Self::Reinforcement,
            (false, false) if has_answer => Self::Unfinished,
            (false, false) => Self::Open,
        }
    }

    /// Whether the kind does not show a method.
    fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Unfinished)
    }

    /// The kind of a record of the head of a file, which may have errors.
    fn of_value(record: &Value<'_>) -> Option<Self> {
        let JsonKind::Object(members) = &record.kind else { return None };
        if let Some(messages) = record.get("messages") {
            let role = |message| Some(Value::get(message, "role")?.as_str()?.as_bytes());
            let roles = messages.as_array()?.iter().map(|message| role(message).unwrap_or_default());
            let is_own = |key: &str| !CONVERSATION_KEYS.contains(&key);
            let has_two_kinds = members.iter().any(|member| PREFERENCE_KEYS.contains(&&*member.key));
            let has_own_key = members.iter().any(|member| is_own(&member.key));
            return (!has_two_kinds).then(|| Self::of_conversation(roles, has_own_key));
        }
        match record.get("input").and(record.get("non_preferred_output")) {
            Some(_) => Some(Self::Preference),
            None => record.get("prompt").and(record.get("completion")).map(|_| Self::Completion),
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Supervised => "supervised fine-tuning (an answer at the end)",
            Self::Preference => "preference optimization (two outputs)",
            Self::Reinforcement => "reinforcement fine-tuning (no answer at the end)",
            Self::Completion => "the old completions format (a prompt)",
            Self::Open | Self::Unfinished => "supervised or reinforcement fine-tuning (messages)",
        })
    }
}

/// The keys of a conversation that are not of the user.
const CONVERSATION_KEYS: [&str; 4] = ["messages", "tools", "parallel_tool_calls", "functions"];

/// The kind of a record without errors, and the capture that shows it; `None` if it has neither messages nor a prompt.
fn kind_of(captures: &Captures<'_>) -> Option<(Kind, usize)> {
    let (mut last, mut has_own_key) = (None, false);
    for (index, (number, _)) in captures.strings.iter().enumerate() {
        match *number {
            captures::ROLE => last = Some(index),
            captures::USER_KEY => has_own_key = true,
            captures::NON_PREFERRED => return Some((Kind::Preference, index)),
            captures::PROMPT => return Some((Kind::Completion, index)),
            _ => {}
        }
    }
    Some((Kind::of_conversation(captures.contents(captures::ROLE), has_own_key), last?))
}

/// How many open records there are for one with an answer, so that the answer is the mistake.
const FEW: u64 = 10;

/// The number and the first line of the records of a kind.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    records: u64,
    first_line: Option<u64>,
}

/// The records of each kind, in the order of [`Kind::ALL`].
#[derive(Debug, Default)]
struct Kinds([Seen; Kind::ALL.len()]);

impl Kinds {
    fn add(&mut self, kind: Kind, line: u64) {
        let seen = &mut self.0[kind as usize];
        seen.records += 1;
        seen.first_line.get_or_insert(line);
    }

    fn of(&self, kind: Kind) -> Seen {
        self.0[kind as usize]
    }

    /// The method of most records, the first of several. Open ones count for reinforcement fine-tuning only if they are many times the
    /// answered ones: where answers occur, theirs may be missing. `None` while only open ones are known, unless most have an earlier answer.
    /// If others are fewer, they are the mistake.
    fn method(&self) -> Option<Kind> {
        let number = |kind: Kind| self.of(kind).records;
        let (answered, open, unfinished) =
            (number(Kind::Supervised), number(Kind::Open), number(Kind::Unfinished));
        let others = number(Kind::Preference).max(number(Kind::Completion));
        let is_shown = answered + number(Kind::Reinforcement) > 0;
        if !is_shown && open + unfinished > others {
            let is_unfinished = unfinished > 0 && unfinished >= open;
            return if is_unfinished {
                Some(Kind::Supervised)
            } else {
                (others > 0).then_some(Kind::Reinforcement)
            };
        }
        if answered > 0 && open >= answered.saturating_mul(FEW) && open > others {
            return Some(Kind::Reinforcement);
        }
        let methods = Kind::ALL.into_iter().filter(|kind| !kind.is_open() && number(*kind) > 0);
        let first = |kind: &Kind| std::cmp::Reverse(self.of(*kind).first_line);
        methods.max_by_key(|kind| (number(*kind), first(kind)))
    }
}

/// The checks of a dataset. Remembers counts, the method of the file, and at most a hundred keys ([`UserKeys`]).
#[derive(Debug, Default)]
pub(super) struct Dataset {
    /// The records of the head of the file.
    in_head: Kinds,
    /// The method of the file: of most records of its head, or else of the first that shows one.
    method: Option<Kind>,
    /// The records without errors.
    valid: Kinds,
    /// The keys of records that end with the user's message.
    user_keys: UserKeys,
}

impl Dataset {
    /// The problem of a record of this kind, if any.
    fn problem(&self, kind: Kind) -> Option<KindProblem> {
        match (kind, self.method?) {
            (kind, method) if kind == method => None,
            (kind, Kind::Reinforcement) if kind.is_open() => None,
            (Kind::Open | Kind::Unfinished | Kind::Reinforcement, Kind::Supervised) => {
                Some(KindProblem::Unanswered)
            }
            (kind, others) => {
                let kinds = [others, Kind::Open];
                let mut lines = kinds.iter().flat_map(|kind| [self.in_head.of(*kind), self.valid.of(*kind)]);
                let line = lines.find_map(|seen| seen.first_line).unwrap_or(1);
                Some(KindProblem::Mixed { kind, others, line })
            }
        }
    }
}

impl DatasetChecks for Dataset {
    fn needs_head(&self) -> bool {
        true
    }

    fn begin(&mut self, _: Option<&str>, head: &[u8]) -> bool {
        // The last line may be cut, and is then not JSON.
        for (line, text) in (1..).zip(head.split(|byte| *byte == b'\n')) {
            let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
            if let Some(kind) = parse(text).ok().and_then(|parsed| Kind::of_value(&parsed.value)) {
                self.in_head.add(kind, line);
            }
        }
        self.method = self.in_head.method();
        false
    }

    fn observes(&self) -> Observes {
        Observes::Captures
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        let Some((kind, shown_by)) = kind_of(captures).filter(|_| !captures.has_errors) else { return };
        if !matches!(kind, Kind::Preference | Kind::Completion) {
            let is_output = |(number, range): &(u8, _)| {
                *number == captures::USER_KEY
                    && PREFERENCE_KEYS.iter().any(|key| key.as_bytes() == captures.bytes(range))
            };
            if let Some(index) = captures.strings.iter().position(is_output) {
                // A job for preferences does not read the messages, and the outputs were not checked.
                if self.method == Some(Kind::Preference)
                    && let Some(problem) = self.problem(kind)
                {
                    return out.report(index, problem);
                }
                let key = clip_quoted(captures.text(&captures.strings[index].1));
                return out.report(index, KindProblem::TwoKinds { key });
            }
        }
        self.valid.add(kind, at.line);
        self.method = self.method.or_else(|| self.valid.method());
        if let Some(problem) = self.problem(kind) {
            return out.report(shown_by, problem);
        }
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            if *number == captures::USER_KEY {
                if kind == Kind::Supervised {
                    out.report(index, KindProblem::OwnKey { key: clip_quoted(captures.text(range)) });
                } else {
                    self.user_keys.count(captures.text(range));
                }
            }
        }
    }

    fn finish(&mut self, _summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        let number = |kind| self.valid.of(kind).records;
        let records = number(Kind::Reinforcement) + number(Kind::Open) + number(Kind::Unfinished);
        for (key, found) in self.user_keys.counts().filter(|(_, found)| *found < records) {
            let (key, found) = (clip_quoted(key), count(found, "record"));
            out.report(KindProblem::KeyNotEverywhere { key, found, records });
        }
        if let Some(keys) = self.user_keys.list("record") {
            out.note(format!("Keys for the grader, in records without errors: {keys}."));
        }
    }
}
