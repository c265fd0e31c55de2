//! Datasets of systems that are not in the catalogue, by the keys that their records have together.

use crate::detect::FileHead;

/// A dataset of a system that is not in the catalogue.
#[derive(Debug)]
pub struct OtherSystem {
    /// The system, or the dataset that gave the shape its name.
    pub name: &'static str,
    /// Keys that every record has; the first two or three are enough to tell.
    keys: &'static [&'static str],
}

/// The longer lists of keys come first where one contains another.
const OTHER_SYSTEMS: &[OtherSystem] = &[
    OtherSystem { name: "Inspect AI", keys: &["input", "target"] },
    OtherSystem { name: "OpenAI Evals", keys: &["input", "ideal"] },
    OtherSystem { name: "OpenAI's batch API", keys: &["custom_id", "method", "body"] },
    OtherSystem { name: "DeepEval", keys: &["input", "actual_output"] },
    OtherSystem { name: "DeepEval", keys: &["input", "expected_output"] },
    OtherSystem { name: "Langfuse", keys: &["input", "expectedOutput"] },
    OtherSystem { name: "Braintrust", keys: &["input", "expected"] },
    OtherSystem { name: "LangSmith", keys: &["inputs", "outputs"] },
    OtherSystem { name: "promptfoo", keys: &["vars", "assert"] },
    OtherSystem { name: "promptfoo", keys: &["__expected"] },
    OtherSystem { name: "Ragas", keys: &["user_input", "response"] },
    OtherSystem { name: "Ragas", keys: &["user_input", "reference"] },
    OtherSystem { name: "lm-evaluation-harness", keys: &["doc_id", "doc", "target"] },
    OtherSystem { name: "HELM", keys: &["adapter_spec", "request_states"] },
    OtherSystem { name: "Alpaca", keys: &["instruction", "output"] },
    OtherSystem { name: "ShareGPT", keys: &["conversations"] },
    OtherSystem { name: "Hugging Face TRL", keys: &["prompt", "chosen", "rejected"] },
    OtherSystem { name: "Hugging Face TRL", keys: &["prompt", "completion"] },
    OtherSystem { name: "MMLU", keys: &["question", "choices", "answer"] },
    OtherSystem { name: "SQuAD", keys: &["question", "context", "answers"] },
    OtherSystem { name: "GSM8K", keys: &["question", "answer"] },
    OtherSystem { name: "MT-Bench", keys: &["question_id", "turns"] },
    OtherSystem { name: "HumanEval", keys: &["task_id", "prompt", "test"] },
    OtherSystem { name: "BEIR", keys: &["_id", "text"] },
    OtherSystem { name: "LlamaIndex", keys: &["queries", "corpus"] },
];

impl OtherSystem {
    /// Why a file seems to be of this system: `the keys input and target, as in datasets of Inspect AI`.
    pub fn reason(&self) -> String {
        let (noun, keys) = match self.keys {
            [key] => ("key", (*key).to_owned()),
            [keys @ .., last] => ("keys", format!("{} and {last}", keys.join(", "))),
            [] => return String::new(),
        };
        format!("the {noun} {keys}, as in datasets of {}", self.name)
    }
}

impl FileHead<'_> {
    /// The system outside of the catalogue whose records have the keys of the first object, or the columns of the first row.
    pub fn other_system(&self) -> Option<&'static OtherSystem> {
        let has = |key: &str| match &self.header {
            Some(header) => header.iter().any(|cell| cell == key),
            None => self.has_key(key),
        };
        OTHER_SYSTEMS.iter().find(|system| system.keys.iter().all(|key| has(key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dataset_of_another_system_is_told_by_its_keys() {
        let reason =
            |head: &str| FileHead::new("data", head.as_bytes()).other_system().map(OtherSystem::reason);
        let target = r#"{"input": "1 + 1?", "target": "2", "id": 3}"#;
        assert_eq!(
            reason(target).as_deref(),
            Some("the keys input and target, as in datasets of Inspect AI")
        );
        let csv = "question,choices,answer\na,b,c\n";
        assert_eq!(
            reason(csv).as_deref(),
            Some("the keys question, choices and answer, as in datasets of MMLU")
        );
        assert_eq!(reason(r#"{"input": {"target": 1}}"#), None);
    }
}
