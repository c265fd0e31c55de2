//! The models that a dataset has answers of: whether they are named and asked alike throughout.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{NAME_OF_MODEL, RESPONSE_OF_MODEL};
use crate::explain::{Context, PathBuilder, RecordStart, Value, clip};
use crate::finding::Location;
use crate::rules::Tencent;
use crate::rules::dataset_rules::{Accepted, End};

/// Different names that are followed. A dataset compares a handful of models; more names than this are no names.
const MOST: usize = 1_000;

/// A longer name, in bytes, is not followed.
const LONGEST: usize = 1_000;

/// With more models in a record the explaining tier looks for repeated names.
const FEW: usize = 64;

/// The models of one dataset. Holds at most [`MOST`] names of at most [`LONGEST`] bytes.
#[derive(Debug, Default)]
pub(super) struct Models {
    /// In the order in which they were met.
    all: Vec<Model>,
    by_name: BTreeMap<Box<str>, usize>,
    /// By the name in lower case and without white space: the first of that spelling.
    by_spelling: BTreeMap<String, usize>,
    /// Records that say which models answered.
    records: u64,
    first: Location,
    /// There were more names than are followed.
    too_many: bool,
    /// Names of the record at hand that were not met before.
    fresh: Vec<Range<usize>>,
    /// The models of the record at hand, and how many responses each gives.
    here: Vec<(usize, u64)>,
}

#[derive(Debug)]
struct Model {
    name: Box<str>,
    first_line: u64,
    /// How many responses it gives in the first record; 0 as long as none could be counted.
    responses: u64,
    /// That it gives another number elsewhere was said.
    varies: bool,
    /// Another name differs in case or white space only, so that nothing follows from where this one is missing.
    spelled_apart: bool,
    records: u64,
    /// The number of the last record with it, from 1.
    last: u64,
    /// The first record without it.
    missing: Option<Location>,
}

impl Models {
    /// True when nothing is to be said of the models of a record.
    ///
    /// Captures come in the order of the bytes. Usually a name comes before its responses; where it comes behind
    /// them, some name is followed by no response or some response follows no name, and the answer is false.
    pub(super) fn accept(&mut self, record: &Accepted<'_>) -> bool {
        self.here.clear();
        self.fresh.clear();
        for (number, range) in record.strings {
            match *number {
                NAME_OF_MODEL => {
                    let name = record.text(range);
                    let model = match self.place_of(name) {
                        Some(model) => model,
                        None if self.is_new(name, record) => {
                            self.fresh.push(range.clone());
                            self.all.len() + self.fresh.len() - 1
                        }
                        None => return false,
                    };
                    let unanswered = self.here.last().is_some_and(|&(_, responses)| responses == 0);
                    let is_known = self.here.iter().any(|&(other, _)| other == model);
                    if unanswered || is_known || self.here.len() == FEW {
                        return false;
                    }
                    self.here.push((model, 0));
                }
                RESPONSE_OF_MODEL => match self.here.last_mut() {
                    Some((_, responses)) => *responses += 1,
                    None => return false,
                },
                _ => {}
            }
        }
        let is_usual = |&(model, responses): &(usize, u64)| {
            let usual = |model: &Model| model.varies || model.responses == responses;
            responses > 0 && self.all.get(model).is_none_or(usual)
        };
        if !self.here.iter().all(is_usual) {
            return false;
        }
        for range in std::mem::take(&mut self.fresh) {
            if let Some(location) = self.add(record.text(&range), record.origin.line) {
                self.of_other_spelling(location);
            }
        }
        for &(model, responses) in &self.here {
            let model = &mut self.all[model];
            model.responses = if model.responses == 0 { responses } else { model.responses };
        }
        self.count(record.origin);
        true
    }

    /// Where a model stands among all. Most records have them in the order in which they were met.
    #[inline]
    fn place_of(&self, name: &str) -> Option<usize> {
        let next = self.here.len();
        if self.all.get(next).is_some_and(|model| *model.name == *name) {
            return Some(next);
        }
        self.by_name.get(name).copied()
    }

    /// True for a name that can be followed and is like none before it, those of the record at hand included.
    fn is_new(&self, name: &str, record: &Accepted<'_>) -> bool {
        let wanted = spelling(name);
        self.all.len() + self.fresh.len() < MOST
            && name.len() <= LONGEST
            && !self.by_spelling.contains_key(&wanted)
            && self.fresh.iter().all(|range| spelling(record.text(range)) != wanted)
    }

    /// Counts the record whose models are known.
    fn count(&mut self, origin: RecordStart) {
        let location = || Location {
            line: Some(origin.line),
            column: Some(origin.column),
            bytes: Some(origin.offset..origin.offset + 1),
            record: Some(origin.record),
            ..Location::default()
        };
        if self.records == 0 {
            self.first = location();
        }
        self.records += 1;
        for &(model, _) in &self.here {
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

    /// What is to be said of the models of a record. From one whose models have no names nothing is concluded.
    pub(super) fn examine(&mut self, context: &mut Context<'_>) {
        let outputs = context.root.get("model_outputs").and_then(Value::as_array).unwrap_or_default();
        let named: Vec<(usize, &Value<'_>, &Value<'_>)> = outputs
            .iter()
            .enumerate()
            .filter_map(|(index, output)| Some((index, output, output.get("model_name")?)))
            .filter(|(_, _, name)| name.as_str().is_some())
            .collect();
        let mut trail = context.base.clone();
        trail.key("model_outputs");
        let mut here = BTreeSet::new();
        self.here.clear();
        for &(index, output, value) in &named {
            let Some(name) = value.as_str() else { continue };
            trail.index(index);
            if !here.insert(name) {
                trail.key("model_name");
                context.report(
                    Tencent::ModelTwice { name: clip(name, 80) },
                    value.span.clone(),
                    trail.path(),
                );
                trail.back();
            } else if !context.looking {
                self.examine_model(name, value, output, &mut trail, context);
            }
            trail.back();
        }
        if !context.looking && !named.is_empty() && named.len() == outputs.len() {
            self.count(context.origin);
        }
    }

    fn examine_model(
        &mut self,
        name: &str,
        value: &Value<'_>,
        output: &Value<'_>,
        trail: &mut PathBuilder,
        context: &mut Context<'_>,
    ) {
        let line = context.origin.line;
        let known = self.by_name.get(name).copied();
        let Some(location) = known.or_else(|| self.add(name, line)) else { return };
        if known.is_none()
            && let Some(other) = self.of_other_spelling(location)
        {
            let other = &self.all[other];
            let problem = Tencent::ModelSpelling {
                name: clip(name, 80),
                other: clip(&other.name, 80),
                line: other.first_line,
            };
            trail.key("model_name");
            context.report(problem, value.span.clone(), trail.path());
            trail.back();
        }
        let model = &mut self.all[location];
        let responses =
            output.get("responses").filter(|responses| responses.as_array().is_some_and(|r| !r.is_empty()));
        let found = responses.and_then(Value::as_array).map_or(0, |responses| responses.len() as u64);
        self.here.push((location, found));
        let Some(responses) = responses else { return };
        if model.responses == 0 {
            model.responses = found;
        } else if model.responses != found && !model.varies {
            model.varies = true;
            let problem = Tencent::ResponseCount {
                name: clip(name, 80),
                found,
                other: model.responses,
                line: model.first_line,
            };
            trail.key("responses");
            context.report(problem, responses.span.clone(), trail.path());
            trail.back();
        }
    }

    /// A name that was not met before; `None` when there are too many.
    fn add(&mut self, name: &str, line: u64) -> Option<usize> {
        if self.all.len() == MOST || name.len() > LONGEST {
            self.too_many = true;
            return None;
        }
        let location = self.all.len();
        self.all.push(Model {
            name: name.into(),
            first_line: line,
            responses: 0,
            varies: false,
            spelled_apart: false,
            records: 0,
            last: 0,
            missing: (self.records > 0).then(|| self.first.clone()),
        });
        self.by_name.insert(name.into(), location);
        Some(location)
    }

    /// The model met before whose name differs in case or white space only.
    fn of_other_spelling(&mut self, location: usize) -> Option<usize> {
        let name = &self.all[location].name;
        let other = *self.by_spelling.entry(spelling(name)).or_insert(location);
        if other == location {
            return None;
        }
        self.all[location].spelled_apart = true;
        self.all[other].spelled_apart = true;
        Some(other)
    }

    pub(super) fn finish(&self, end: &mut End<'_>) {
        for model in self.all.iter().filter(|model| !model.spelled_apart) {
            if let Some(location) = &model.missing {
                let problem = Tencent::ModelNotEverywhere {
                    name: clip(&model.name, 80),
                    answered: model.records,
                    records: self.records,
                };
                end.report_at(problem, location.clone());
            }
        }
        if self.too_many {
            end.note(format!(
                "More than {MOST} names of models, or very long ones: the further ones were not compared."
            ));
        }
    }
}

/// A name without what people get wrong: case and white space.
fn spelling(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
}
