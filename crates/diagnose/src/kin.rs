//! Names of keys and values with the same meaning, by their spelling or by the names of other systems.

use evalcheck_core::suggest::{contradict, is_same_word, is_slip, nearest, resembles};

/// Keys of the turns of a conversation in several systems. They mean the same if the value has the shape of a conversation.
const TRANSCRIPT: &[&str] =
    &["messages", "interactions", "conversation", "conversations", "turns", "dialog", "dialogue", "chat"];

/// Keys and values that other systems, and people, use for similar content.
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
        "answers",
        "expected_answer",
        "expected_output",
        "gold_answer",
        "gold_answers",
        "references",
        "ground_truths",
    ],
    &[
        "relevant_doc_ids",
        "expected_doc_ids",
        "relevant_docs",
        "relevant_documents",
        "relevant_ids",
        "doc_ids",
        "document_ids",
        "expected_docs",
        "expected_documents",
        "gold_doc_ids",
        "gold_docs",
        "positive_doc_ids",
    ],
    &["response", "completion", "output", "answer", "generation"],
    &["id", "_id", "sample_id", "query_id", "doc_id", "uid", "uuid"],
    &["input_parameters", "arguments", "args", "parameters"],
    &["role", "from", "speaker"],
    &["content", "value", "text"],
    &["model", "model_name", "model_id"],
    &["user", "human", "customer"],
    &["assistant", "gpt", "bot", "model", "ai", "chatbot"],
    &["system", "developer"],
];

/// Whether `written` may be meant as `key`, by its spelling or by its meaning.
pub fn may_be_meant(written: &str, key: &str) -> bool {
    resembles(written, key) || are_synonyms(key, written)
}

/// Whether `written` is `key` with a slip.
pub(super) fn is_misspelled(written: &str, key: &str) -> bool {
    is_same_word(written, key) || is_slip(written, key)
}

/// Whether both are keys of the turns of a conversation.
pub(super) fn are_transcripts(written: &str, key: &str) -> bool {
    TRANSCRIPT.contains(&written) && TRANSCRIPT.contains(&key)
}

/// Whether `written` means something else than `key`, or the opposite.
pub(super) fn has_other_meaning(written: &str, key: &str) -> bool {
    let is_known = |word: &str| SYNONYMS.iter().any(|group| group.contains(&word));
    contradict(written, key) || (is_known(written) && !are_synonyms(written, key))
}

/// The value that was probably meant, by meaning or by spelling. Meaning comes first: few words have one, and the lookup costs less than
/// the comparison of spellings.
pub(super) fn value_for<'v>(received: &str, values: &[&'v str]) -> Option<&'v str> {
    let received = received.trim().to_lowercase();
    let by_meaning = values.iter().copied().find(|value| are_synonyms(value, &received));
    by_meaning.or_else(|| nearest(&received, values.iter().copied()))
}

/// Whether people and other systems use two names for the same content.
pub fn are_synonyms(one: &str, other: &str) -> bool {
    SYNONYMS.iter().any(|group| group.contains(&one) && group.contains(&other))
}
