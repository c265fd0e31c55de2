//! Datasets of systems that are not in the catalogue, by the keys that their records have.

use crate::detect::{FileHead, Sign};

/// A system that is not in the catalogue: it is detected like a format, but has no schema.
#[derive(Debug)]
pub struct OtherSystem {
    /// The system, or the dataset that gave the shape its name.
    pub name: &'static str,
    /// Names that every record has; the first two or three suffice.
    sign: Sign,
}

/// A system whose records have these keys, or these columns.
const fn system(name: &'static str, names: &'static [&'static str]) -> OtherSystem {
    OtherSystem { name, sign: Sign::names(names) }
}

/// If one list of keys contains another, it comes first.
static OTHER_SYSTEMS: &[OtherSystem] = &[
    system("Inspect AI", &["input", "target"]),
    system("OpenAI Evals", &["input", "ideal"]),
    system("OpenAI's batch API, and these are its results", &["custom_id", "response", "error"]),
    system("Anthropic's batch API", &["custom_id", "params"]),
    system("Anthropic's batch API, and these are its results", &["custom_id", "result"]),
    system("Amazon Bedrock", &["schemaVersion", "messages"]),
    system("Gemini", &["contents"]),
    system("the rows API of Hugging Face", &["features", "rows"]),
    system("Jupyter", &["cells", "nbformat"]),
    system("Every Eval Ever, for a whole evaluation", &["evaluation_id", "evaluation_results"]),
    system("Langfuse", &["input", "expectedOutput"]),
    system("Braintrust", &["input", "expected"]),
    system("LangSmith", &["inputs", "outputs"]),
    system("Ragas", &["user_input", "response"]),
    system("Ragas", &["user_input", "reference"]),
    system("lm-evaluation-harness", &["doc_id", "doc", "target"]),
    system("HELM", &["adapter_spec", "request_states"]),
    system("Alpaca", &["instruction", "output"]),
    system("ShareGPT", &["conversations"]),
    system("Hugging Face TRL", &["chosen", "rejected"]),
    system("Hugging Face TRL, or of OpenAI's older completions", &["prompt", "completion"]),
    system("MMLU", &["question", "choices", "answer"]),
    system("SQuAD", &["question", "context", "answers"]),
    system("GSM8K", &["question", "answer"]),
    system("MT-Bench", &["question_id", "turns"]),
    system("HumanEval", &["task_id", "prompt", "test"]),
    system("BEIR", &["_id", "text"]),
    system("BEIR", &["query-id", "corpus-id"]),
    system("LlamaIndex", &["queries", "corpus"]),
];

impl OtherSystem {
    /// The reason why a file seems to be of this system: `the keys input and target, as in datasets of Inspect AI`.
    pub fn reason(&self) -> String {
        let (noun, keys) = (if self.sign.is_one() { "key" } else { "keys" }, self.sign.listed());
        format!("the {noun} {keys}, as in datasets of {}", self.name)
    }
}

impl FileHead<'_> {
    /// The system outside the catalogue whose records have the keys of the first object, or the columns of the first row.
    pub fn other_system(&self) -> Option<&'static OtherSystem> {
        OTHER_SYSTEMS.iter().find(|system| system.sign.is_in(self, &[]))
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
