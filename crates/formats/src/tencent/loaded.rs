//! Records as the platform loads them, as far as its document says.

use crate::diagnose::Value;
use crate::loaded::{Held, HeldMember, JsonReader, Loader, Loading};

const SOURCE: &str = "This is the record as it is read from the file, with what the platform's document says of it: its loader is not public.";

/// Records with `messages`.
pub(super) const MESSAGES: Loader = Loader { held: messages, is_known: true, ..OTHERS };

/// Other records.
pub(super) const OTHERS: Loader = Loader { source: SOURCE, ..Loader::UNKNOWN };

fn messages(loading: &Loading<'_>) -> Held {
    let mut record = Held::read(loading.root, loading.bytes, JsonReader::Python);
    let messages = loading.root.get("messages").and_then(Value::as_array).unwrap_or_default();
    let answer = messages
        .last()
        .filter(|message| message.get("role").and_then(Value::as_str) == Some("assistant"))
        .and_then(|message| message.get("content")?.as_str());
    if let Some(answer) = answer
        && loading.root.get("gt").is_none()
        && let Some(members) = record.members_mut()
    {
        let why = "The last message is the assistant's, and the platform takes it as the reference answer.";
        members.push(HeldMember::new("gt", Held::string(answer).added(why)));
    }
    record
}
