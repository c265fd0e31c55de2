//! The models whose answers a dataset contains: whether their names and numbers of responses are consistent.

use std::collections::BTreeMap;

use super::captures;
use crate::checks::{Captures, Conclusions, Observations};
use crate::diagnose::{RecordStart, clip};
use crate::first_value::FirstValue;
use evalcheck_core::finding::Location;
use evalcheck_report::text::count;

evalcheck_core::rules! {
    /// Inconsistencies between the records that a model answers.
    ModelProblem {
        ModelSpelling { name: String, other: String, line: u64 } = "tencent/model-spelling", Warning {
            summary: "Two model names differ only in case or white space.",
            message: "the model name \"{name}\" differs from \"{other}\" (line {line}) in case or white space only",
            hint: "Use one spelling for one model.",
            related: "spelled differently here" => Location::line(*line),
            meaning: "The document requires the same name for the same model in the whole set. The report groups by name, so two spellings are two models with half of the results each.",
            invalid: "\"llama3\" on line 1 and \"Llama3\" on line 2",
            valid: "\"llama3\" on both lines",
        }
        ModelNotEverywhere { name: String, answered: u64, records: String } = "tencent/model-not-everywhere", Warning {
            summary: "A model answers only some of the records.",
            message: "the model \"{name}\" answers {answered} of {records}; this is the first without it",
            hint: "Add its answers to the records without them, or remove the model.",
            meaning: "Scores of models are compared over the whole set. A model without all records is compared on other questions than the rest.",
            invalid: "two records, the second without the outputs of one model",
            valid: "two records with outputs of the same models",
        }
        ResponseCount { name: String, found: u64, other: u64, line: u64 } = "tencent/response-count", Warning {
            summary: "The number of responses of a model varies.",
            message: "the number of responses of the model \"{name}\" is {found} here and {other} on line {line}",
            hint: "Give each record the same number of responses of the model.",
            related: "compared with this record" => Location::line(*line),
            meaning: "Several responses come from asking n times. When n varies within a set, records have different weights in the average. Reported once for each model.",
            invalid: "one response of a model on line 1, and two on line 2",
            valid: "two responses of the model on both lines",
        }
    }
}

/// The maximum number of names that are tracked. A dataset compares a handful of models; more names than this are not names of models.
const MOST: usize = 1_000;

/// The length of the longest name that is tracked, in bytes.
const LONGEST: usize = 1_000;

/// The models of one dataset. Holds at most [`MOST`] names of at most [`LONGEST`] bytes.
#[derive(Debug, Default)]
pub(super) struct Models {
    /// In the order of their first records.
    all: Vec<Model>,
    by_name: BTreeMap<Box<str>, usize>,
    /// The first model by its name in lower case and without white space.
    by_spelling: BTreeMap<String, usize>,
    /// The number of records that say which models answered.
    records: u64,
    first: Location,
    /// Whether there were more names than are tracked.
    too_many: bool,
    /// The models of the current record.
    here: Vec<usize>,
    /// The number of records observed, the current one included.
    observed: u64,
}

#[derive(Debug)]
struct Model {
    name: Box<str>,
    first_line: u64,
    /// The number of its responses in each record in which they can be counted.
    responses: FirstValue<u64>,
    /// Whether another name differs only in case or white space, so that records without this one prove nothing.
    spelled_apart: bool,
    records: u64,
    /// The number of the last counted record with it, from 1.
    last: u64,
    /// The number of the last record with it, whether counted or not, from 1.
    observed: u64,
    /// The first record without it.
    missing: Option<Location>,
}

/// The captures of one model's output in a record, and the number of its responses.
#[derive(Debug, Default)]
struct Output {
    name: Option<usize>,
    responses: u64,
    list: Option<usize>,
}

impl Models {
    /// Compares the models of a record with those of earlier ones. If a model of the record has no name, no model counts as missing from
    /// it.
    pub(super) fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        self.here.clear();
        self.observed += 1;
        let (mut outputs, mut named) = (0_u64, 0_u64);
        let mut output = Output::default();
        for (index, (number, _)) in captures.strings.iter().enumerate() {
            match *number {
                captures::MODEL_NAME => output.name = Some(index),
                captures::RESPONSE => output.responses += 1,
                captures::RESPONSES => output.list = Some(index),
                captures::OUTPUT => {
                    outputs += 1;
                    let Output { name, responses, list } = std::mem::take(&mut output);
                    let Some(name) = name else { continue };
                    named += 1;
                    if let Some(model) = self.observe_model(name, captures, at.line, out)
                        && let Some(list) = list
                    {
                        self.observe_responses(model, (responses, at.line), list, out);
                    }
                }
                _ => {}
            }
        }
        if named > 0 && named == outputs {
            self.count(at);
        }
    }

    /// The model with this name, unless the record already has it or it is not tracked.
    fn observe_model(
        &mut self,
        capture: usize,
        captures: &Captures<'_>,
        line: u64,
        out: &mut Observations,
    ) -> Option<usize> {
        let range = &captures.strings[capture].1;
        // Most records have the models in the order of their first records.
        let next = self.here.len();
        let is_next = |model: &Model| model.name.as_bytes() == captures.bytes(range);
        let known = if self.all.get(next).is_some_and(is_next) {
            Some(next)
        } else {
            self.by_name.get(captures.text(range)).copied()
        };
        let model = known.or_else(|| self.add(captures.text(range), line))?;
        if self.all[model].observed == self.observed {
            return None;
        }
        self.all[model].observed = self.observed;
        self.here.push(model);
        if known.is_none()
            && let Some(other) = self.of_other_spelling(model)
        {
            let other = &self.all[other];
            let (name, other, line) =
                (clip(captures.text(range), 80), clip(&other.name, 80), other.first_line);
            out.report(capture, ModelProblem::ModelSpelling { name, other, line });
        }
        Some(model)
    }

    /// Compares the number of responses with that of earlier records; `list` is the capture of the responses.
    fn observe_responses(
        &mut self,
        model: usize,
        (found, line): (u64, u64),
        list: usize,
        out: &mut Observations,
    ) {
        let model = &mut self.all[model];
        if found > 0
            && let Some((other, line)) = model.responses.differing(found, line)
        {
            let name = clip(&model.name, 80);
            out.report(list, ModelProblem::ResponseCount { name, found, other, line });
        }
    }

    /// Counts a record whose models are all known.
    fn count(&mut self, record_start: RecordStart) {
        let location = || Location {
            line: Some(record_start.line),
            column: Some(record_start.column),
            bytes: Some(record_start.offset..record_start.offset + 1),
            record: Some(record_start.record),
            ..Location::default()
        };
        if self.records == 0 {
            self.first = location();
        }
        self.records += 1;
        for &model in &self.here {
            self.all[model].records += 1;
            self.all[model].last = self.records;
        }
        if self.here.len() < self.all.len() {
            let now = self.records;
            for model in self.all.iter_mut().filter(|model| model.last != now && model.missing.is_none()) {
                model.missing = Some(location());
            }
        }
    }

    /// Adds a new name; `None` if there are too many.
    fn add(&mut self, name: &str, line: u64) -> Option<usize> {
        if self.all.len() == MOST || name.len() > LONGEST {
            self.too_many = true;
            return None;
        }
        let index = self.all.len();
        self.all.push(Model {
            name: name.into(),
            first_line: line,
            responses: FirstValue::default(),
            spelled_apart: false,
            records: 0,
            last: 0,
            observed: 0,
            missing: (self.records > 0).then(|| self.first.clone()),
        });
        self.by_name.insert(name.into(), index);
        Some(index)
    }

    /// The earlier model whose name differs only in case or white space.
    fn of_other_spelling(&mut self, index: usize) -> Option<usize> {
        let name = &self.all[index].name;
        let other = *self.by_spelling.entry(spelling(name)).or_insert(index);
        if other == index {
            return None;
        }
        self.all[index].spelled_apart = true;
        self.all[other].spelled_apart = true;
        Some(other)
    }

    /// Reports inconsistencies. `all` is the number of records of the dataset, unreadable ones included.
    pub(super) fn finish(&self, all: u64, out: &mut Conclusions<'_>) {
        let records = count(self.records, "record");
        let records =
            if self.records < all { format!("the {records} whose models are known") } else { records };
        for model in self.all.iter().filter(|model| !model.spelled_apart) {
            if let Some(location) = &model.missing {
                let problem = ModelProblem::ModelNotEverywhere {
                    name: clip(&model.name, 80),
                    answered: model.records,
                    records: records.clone(),
                };
                out.report_at(problem, location.clone());
            }
        }
        if self.too_many {
            out.note(format!(
                "More than {MOST} names of models, or very long ones: the further ones were not compared."
            ));
        }
    }
}

/// A name without case and white space, in which spellings differ.
fn spelling(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
}
