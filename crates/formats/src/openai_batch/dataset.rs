//! The rules that concern more than one line.

use evalcheck_core::finding::Location;
use evalcheck_report::text::counted;

use super::schemas::captures;
use crate::checks::{Captures, Conclusions, DatasetChecks, Observations, Observes, Summary};
use crate::diagnose::{RecordStart, clip, clip_quoted};
use crate::seen_ids::SeenIds;

evalcheck_core::rules! {
    /// Lines that do not go together in one batch.
    BatchProblem {
        RepeatedId { id: String, line: u64 } = "openai-batch/repeated-id", Error {
            summary: "Two requests have the same custom_id.",
            message: "the custom_id {id} is already that of line {line}: OpenAI fails the batch (duplicate_custom_id)",
            hint: "Give each request a custom_id of its own.",
            related: "first used here" => Location::line(*line),
            fix: Unsafe,
            meaning: "Results come in any order, and custom_id says to which request each belongs. OpenAI fails a batch with a repeated one. vLLM and LiteLLM take it, and two results then have the same id.",
            invalid: "{\"custom_id\":\"1\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"bee\"}}\n{\"custom_id\":\"1\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"crow\"}}",
            valid: "{\"custom_id\":\"1\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"bee\"}}\n{\"custom_id\":\"1-2\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"crow\"}}",
        }
        UrlMismatch { url: String, other: String, line: u64 } = "openai-batch/url-mismatch", Error {
            summary: "Two requests have different urls.",
            message: "the url is {url}, that of line {line} is {other}: OpenAI fails the batch (url_mismatch)",
            hint: "Split the file into one file for each url.",
            related: "compared with this line" => Location::line(*line),
            meaning: "A batch is made for one endpoint, and each request names it. Lines are compared with the first. vLLM takes different urls: use the option vllm for it.",
            invalid: "{\"custom_id\":\"1\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"bee\"}}\n{\"custom_id\":\"2\",\"method\":\"POST\",\"url\":\"/v1/moderations\",\"body\":{\"model\":\"m\",\"input\":\"crow\"}}",
            valid: "{\"custom_id\":\"1\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"bee\"}}\n{\"custom_id\":\"2\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"crow\"}}",
        }
        ModelMismatch { model: String, other: String, line: u64 } = "openai-batch/model-mismatch", Error {
            summary: "Two requests have different models.",
            message: "the model is {model}, that of line {line} is {other}: OpenAI fails the batch (model_mismatch)",
            hint: "Split the file into one file for each model.",
            related: "compared with this line" => Location::line(*line),
            meaning: "All requests of a batch must have the same model. Lines are compared with the first that has one.",
            invalid: "{\"custom_id\":\"1\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"bee\"}}\n{\"custom_id\":\"2\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"n\",\"input\":\"crow\"}}",
            valid: "{\"custom_id\":\"1\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"bee\"}}\n{\"custom_id\":\"2\",\"method\":\"POST\",\"url\":\"/v1/embeddings\",\"body\":{\"model\":\"m\",\"input\":\"crow\"}}",
        }
        ManyInputs { inputs: String } = "openai-batch/many-inputs", Error {
            summary: "More inputs to embed than a batch may have.",
            message: "all requests together have {inputs} to embed: OpenAI accepts at most 50,000",
            hint: "Split the file into several.",
            meaning: "A batch of embeddings may have 50,000 inputs in all requests together. A request with a list of texts has as many inputs as the list has texts.",
            invalid: "a request with a list of 50,001 texts",
            valid: "two files with a list of 25,000 texts each",
        }
        FileName { name: String } = "openai-batch/file-name", Error {
            summary: "A file whose name does not end with .jsonl.",
            message: "the name {name} does not end with .jsonl: OpenAI refuses the file (\"Invalid file format for Batch API. Must be .jsonl\")",
            hint: "Rename the file.",
            meaning: "The Batch API looks at the name of the file. So does LiteLLM.",
            invalid: "requests.json",
            valid: "requests.jsonl",
        }
    }
}

/// The most inputs of all requests for embeddings.
const MOST_INPUTS: u64 = 50_000;

/// The length of the longest model that is compared, in bytes.
const LONGEST: usize = 1_000;

/// The demands of a service on the lines of a file together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demands {
    has_one_url: bool,
    /// Whether the name of the file and the number of inputs matter.
    has_uploads: bool,
}

impl Demands {
    /// A batch that is uploaded, for one endpoint.
    pub(super) const OF_OPENAI: Self = Self { has_one_url: true, has_uploads: true };

    /// A file that is read where it is, for any endpoints of one model.
    pub(super) const OF_VLLM: Self = Self { has_one_url: false, has_uploads: false };
}

/// The first value of a key that should be the same in all lines, and its line.
type First = Option<(Box<str>, u64)>;

/// The checks of a dataset. Remembers each id as [`SeenIds`] does, a url, a model and a count.
#[derive(Debug)]
pub(super) struct Dataset {
    demands: Demands,
    ids: SeenIds,
    url: First,
    model: First,
    inputs: u64,
}

impl Dataset {
    pub(super) fn new(demands: Demands) -> Self {
        Self { demands, ids: SeenIds::default(), url: None, model: None, inputs: 0 }
    }
}

/// The first value and its line, if this one differs.
fn differing<'f>(first: &'f mut First, value: &str, line: u64) -> Option<&'f (Box<str>, u64)> {
    if value.len() > LONGEST {
        return None;
    }
    let first = first.get_or_insert_with(|| (value.into(), line));
    (*first.0 != *value).then_some(first)
}

/// The number of inputs that a request embeds. A list of numbers is one input.
fn inputs(captures: &Captures<'_>) -> u64 {
    let mut elements = captures.contents(captures::INPUT);
    let text = captures.contents(captures::INPUT_TEXT).next();
    match elements.next() {
        None => u64::from(text.is_some()),
        Some([b'"' | b'[', ..]) => 1 + elements.count() as u64,
        Some(_) => 1,
    }
}

impl DatasetChecks for Dataset {
    fn observes(&self) -> Observes {
        Observes::Captures
    }

    fn ids(&mut self) -> Option<&mut SeenIds> {
        Some(&mut self.ids)
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            match *number {
                captures::ID => {
                    if let Some(line) = self.ids.repeated(&[captures.bytes(range)], at.line) {
                        let id = clip_quoted(captures.text(range));
                        out.report_repeated(index, BatchProblem::RepeatedId { id, line });
                    }
                }
                captures::URL if self.demands.has_one_url => {
                    let url = captures.text(range);
                    if let Some((other, line)) = differing(&mut self.url, url, at.line) {
                        let (url, other, line) = (clip_quoted(url), clip_quoted(other), *line);
                        out.report(index, BatchProblem::UrlMismatch { url, other, line });
                    }
                }
                captures::MODEL => {
                    let model = captures.text(range);
                    if let Some((other, line)) = differing(&mut self.model, model, at.line) {
                        let (model, other, line) = (clip_quoted(model), clip_quoted(other), *line);
                        out.report(index, BatchProblem::ModelMismatch { model, other, line });
                    }
                }
                _ => {}
            }
        }
        self.inputs += inputs(captures);
    }

    fn finish(&mut self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        if !self.demands.has_uploads {
            return;
        }
        if self.inputs > MOST_INPUTS {
            out.report(BatchProblem::ManyInputs { inputs: counted(self.inputs, "input") });
        }
        let is_wrong = |name: &&str| !name.to_ascii_lowercase().ends_with(".jsonl");
        if let Some(name) = summary.file_name.filter(is_wrong) {
            out.report(BatchProblem::FileName { name: clip(name, 200) });
        }
    }
}
