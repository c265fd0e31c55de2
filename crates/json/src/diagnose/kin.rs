//! Names of keys and values that mean the same, by their spelling or by what other systems call them.

use evalcheck_core::suggest::{contradict, is_same_word, is_slip, nearest, resembles};

/// Keys under which systems have the turns of a conversation. They are one thing where the value has the shape of it.
const TRANSCRIPT: &[&str] =
    &["messages", "interactions", "conversation", "conversations", "turns", "dialog", "dialogue", "chat"];

/// Keys and values under which other systems, and people, write similar content.
const SYNONYMS: &[&[&str]] = &[
    TRANSCRIPT,
    &["prompt", "question", "query", "query_text", "input", "instruction", "text", "content", "messages"],
    &[
        "answer",
        "reference",
        "target",
        "ground_truth",
        "ref_answer",
        "expected",
        "expected_answers",
        "gold",
        "label",
    ],
    &["response", "completion", "output", "answer", "generation"],
    &["id", "_id", "sample_id", "query_id", "doc_id", "uid", "uuid"],
    &["role", "from", "speaker"],
    &["content", "value", "text"],
    &["model", "model_name", "model_id"],
    &["user", "human", "customer"],
    &["assistant", "gpt", "bot", "model", "ai", "chatbot"],
    &["system", "developer"],
];

/// True where a key may be meant for another, by its spelling or by its meaning.
pub(super) fn may_be_meant(written: &str, key: &str) -> bool {
    resembles(written, key) || are_synonyms(key, written)
}

/// True where a key is another one, written with a slip.
pub(super) fn is_misspelled(written: &str, key: &str) -> bool {
    is_same_word(written, key) || is_slip(written, key)
}

/// True where both keys have the turns of a conversation.
pub(super) fn are_transcripts(written: &str, key: &str) -> bool {
    TRANSCRIPT.contains(&written) && TRANSCRIPT.contains(&key)
}

/// True for a key of another meaning than `key`, or of the opposite one.
pub(super) fn has_other_meaning(written: &str, key: &str) -> bool {
    let is_known = |word: &str| SYNONYMS.iter().any(|group| group.contains(&word));
    contradict(written, key) || (is_known(written) && !are_synonyms(written, key))
}

/// The value that was probably meant, by meaning or by spelling. The meaning comes first: it is known of few words, and
/// looking it up costs less than comparing spellings.
pub(super) fn value_for<'v>(received: &str, values: &[&'v str]) -> Option<&'v str> {
    let received = received.trim().to_lowercase();
    let by_meaning = values.iter().copied().find(|value| are_synonyms(value, &received));
    by_meaning.or_else(|| nearest(&received, values.iter().copied()))
}

pub(super) fn are_synonyms(one: &str, other: &str) -> bool {
    SYNONYMS.iter().any(|group| group.contains(&one) && group.contains(&other))
}
