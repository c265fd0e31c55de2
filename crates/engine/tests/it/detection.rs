//! Files of other kinds than those of the catalogue: none is taken for certain, and systems that are known by name are named.

use std::io::Cursor;

use evalcheck_engine::check::{Check, FileInfo};
use evalcheck_engine::formats::by_id;
use evalcheck_wire::worker::CheckOptions;

use crate::support::cases::{Input, inputs};

/// The beginnings of files: a name, the content, the format that is chosen (none for text that is no data), and a word that the reason has.
const OTHERS: &[(&str, &str, &str, &str)] = &[
    ("inspect.jsonl", r#"{"input":"Who wrote Emma?","target":"Jane Austen","id":1}"#, "jsonl", "Inspect AI"),
    (
        "evals.jsonl",
        r#"{"input":[{"role":"system","content":"Be brief."}],"ideal":"yes"}"#,
        "jsonl",
        "OpenAI Evals",
    ),
    ("corpus.jsonl", r#"{"_id":"d1","title":"Bees","text":"Bees make honey."}"#, "jsonl", "BEIR"),
    ("test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n", "csv", "BEIR"),
    (
        "ragas.jsonl",
        r#"{"user_input":"What is it?","response":"A bee.","retrieved_contexts":["c"]}"#,
        "jsonl",
        "Ragas",
    ),
    (
        "langfuse.jsonl",
        r#"{"input":{"q":"a"},"expectedOutput":{"a":"b"},"metadata":{}}"#,
        "jsonl",
        "Langfuse",
    ),
    ("langsmith.jsonl", r#"{"inputs":{"q":"a"},"outputs":{"a":"b"}}"#, "jsonl", "LangSmith"),
    ("braintrust.jsonl", r#"{"input":"a","expected":"b"}"#, "jsonl", "Braintrust"),
    ("alpaca.json", r#"[{"instruction":"Translate.","input":"pain","output":"bread"}]"#, "json", "Alpaca"),
    ("sharegpt.json", r#"[{"conversations":[{"from":"human","value":"Hi"}]}]"#, "json", "ShareGPT"),
    ("preferences.jsonl", r#"{"prompt":"p","chosen":"a","rejected":"b"}"#, "jsonl", "TRL"),
    ("mmlu.csv", "question,choices,answer\na,b,c\n", "csv", "MMLU"),
    ("gsm8k.jsonl", r#"{"question":"1 + 1?","answer":"2"}"#, "jsonl", "GSM8K"),
    (
        "humaneval.jsonl",
        r#"{"task_id":"HumanEval/0","prompt":"def f():","test":"assert f()"}"#,
        "jsonl",
        "HumanEval",
    ),
    ("mtbench.jsonl", r#"{"question_id":81,"category":"writing","turns":["a","b"]}"#, "jsonl", "MT-Bench"),
    ("bedrock-batch.jsonl", r#"{"recordId":"1","modelInput":{"max_tokens":10}}"#, "jsonl", ""),
    ("gemini.jsonl", r#"{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}"#, "jsonl", "Gemini"),
    ("vertex.jsonl", r#"{"request":{"contents":[{"role":"user"}]}}"#, "jsonl", ""),
    ("rows.json", r#"{"features":[],"rows":[]}"#, "json", "rows API"),
    ("notebook.ipynb", "{\n \"cells\": [],\n \"nbformat\": 4\n}\n", "json", "Jupyter"),
    (
        "samples.jsonl",
        r#"{"doc_id":0,"doc":{"q":"a"},"target":"x","resps":[]}"#,
        "jsonl",
        "lm-evaluation-harness",
    ),
    ("scenario.json", r#"{"adapter_spec":{},"request_states":[]}"#, "json", "HELM"),
    ("results.json", r#"{"evalId":"e","results":{"version":3},"config":{"prompts":[]}}"#, "json", ""),
    ("imdb.csv", "text,label\nA fine film.,1\n", "csv", ""),
    ("people.csv", "id,name\n1,Ada\n", "csv", ""),
    ("package.json", r#"{"name":"x","version":"1.0.0","scripts":{"test":"node"}}"#, "json", ""),
    ("log.jsonl", r#"{"level":"info","msg":"started","ts":1}"#, "jsonl", ""),
    ("map.geojson", r#"{"type":"FeatureCollection","features":[]}"#, "jsonl", ""),
    ("openapi.json", r#"{"openapi":"3.1.0","info":{"title":"x"},"paths":{}}"#, "json", ""),
    ("coco.json", r#"{"images":[{"id":1}],"annotations":[{"id":1}]}"#, "json", ""),
    ("semicolons.csv", "a;b\n1;2\n", "csv", ""),
    ("squad.json", r#"{"version":"v2.0","data":[{"title":"t","paragraphs":[]}]}"#, "json", ""),
    ("tools.json", r#"[{"name":"lookup","description":"Looks up.","parameters":{}}]"#, "json", ""),
    ("embeddings.jsonl", r#"{"id":"a","embedding":[0.1,0.2]}"#, "jsonl", ""),
    ("events.jsonl", r#"{"event":"click","at":"2024-05-01T10:00:00Z"}"#, "jsonl", ""),
    ("README.md", "# Data\n\nThe data set has two files.\n", "", ""),
    ("config.yaml", "prompts:\n  - prompt.txt\ntests: tests.csv\n", "", ""),
    ("page.html", "<!doctype html>\n<title>x</title>\n", "", ""),
    ("numbers.txt", "1\n2\n3\n", "jsonl", ""),
    ("ids.csv", "id\n1\n2\n", "csv", ""),
];

#[test]
fn files_of_other_kinds_are_not_taken_for_a_system() {
    let mut wrong = Vec::new();
    for (name, text, format, word) in OTHERS {
        let file = FileInfo { name: (*name).to_owned(), size: text.len() as u64 };
        let mut check = Check::open(&mut Cursor::new(text.as_bytes()), file, CheckOptions::default());
        check.read_all(text.as_bytes(), 1 << 20);
        let found = check.report().format;
        let is_named = found.reason.contains(word);
        if found.id != *format || !is_named {
            wrong.push(format!("{name}: {} ({}), {}", found.id, found.confidence, found.reason));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), OTHERS.len(), wrong.join("\n"));
}

#[test]
fn golden_cases_are_not_certain_to_be_of_another_system() {
    let mut wrong = Vec::new();
    for Input { format, name, path, data } in inputs() {
        let file = FileInfo { name, size: data.len() as u64 };
        let check = Check::open(&mut Cursor::new(&data), file, CheckOptions::default());
        let found = check.format();
        let system = |id: &str| by_id(id).map(|format| format.about.system);
        let is_other = found.is_certain() && system(&found.id) != system(&format) && !found.plain;
        if format != "auto" && is_other {
            wrong.push(format!("{}: {} ({}), {}", path.display(), found.id, found.confidence, found.reason));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
