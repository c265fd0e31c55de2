//! What Quest wants of a dataset beyond the shape of its lines.

use std::collections::BTreeSet;

use super::{METADATA_KEY, METADATA_KEYS, OWN_KEY, SAMPLE_ID, SampleType};
use crate::explain::{Context, Kind, PathBuilder, Value, clip};
use crate::finding::Location;
use crate::rules::dataset_rules::{Accepted, DatasetRules, End, Header};
use crate::rules::own_keys::OwnKeys;
use crate::rules::{AnyProblem, Quest};
use crate::seen_ids::{IdHash, SeenIds};

/// With more samples on a line the explaining tier, which has a set, compares their ids.
const FEW: usize = 32;

/// The rules of one dataset. Remembers each id as [`SeenIds`] does, the metadata line, and a bounded number of keys.
#[derive(Debug)]
pub(super) struct Dataset {
    sample_type: SampleType,
    /// What the metadata line says, where it says it rightly.
    per_line: Option<u64>,
    total: Option<(u64, Location)>,
    hidden: Vec<Hidden>,
    /// How many of the hidden keys no sample had so far.
    unseen: usize,
    /// The loader refuses the file because of its first line.
    refused: bool,
    ids: SeenIds,
    /// Those of the line at hand.
    new: Vec<IdHash>,
    own_keys: OwnKeys,
    /// Lines that could be read as JSON.
    lines: u64,
    samples: u64,
    /// Lines with an error, of those.
    dropped: u64,
}

/// A key of `hidden_metadata`.
#[derive(Debug)]
struct Hidden {
    key: String,
    location: Location,
    seen: bool,
}

impl Dataset {
    pub(super) fn new(sample_type: SampleType) -> Self {
        Self {
            sample_type,
            per_line: None,
            total: None,
            hidden: Vec::new(),
            unseen: 0,
            refused: false,
            ids: SeenIds::default(),
            new: Vec::new(),
            own_keys: OwnKeys::default(),
            lines: 0,
            samples: 0,
            dropped: 0,
        }
    }

    fn see_metadata_key(&mut self, key: &str) {
        for hidden in self.hidden.iter_mut().filter(|hidden| !hidden.seen && hidden.key == key) {
            hidden.seen = true;
            self.unseen -= 1;
        }
    }

    /// Takes over what the metadata line says.
    fn read_metadata(&mut self, context: &Context<'_>) {
        let root = context.root;
        let location = |key: &str, value: &Value<'_>| {
            let mut trail = PathBuilder::default();
            trail.key(key);
            Location { record: None, ..context.location(value.span.clone(), trail.path()) }
        };
        self.per_line = root.get("samples_per_line").and_then(whole);
        self.total = root
            .get("total_samples")
            .and_then(|value| Some((whole(value)?, location("total_samples", value))));
        for (index, value) in
            root.get("hidden_metadata").and_then(Value::as_array).unwrap_or_default().iter().enumerate()
        {
            let Some(key) = value.as_str() else { continue };
            let mut trail = PathBuilder::default();
            trail.key("hidden_metadata");
            trail.index(index);
            let location = Location { record: None, ..context.location(value.span.clone(), trail.path()) };
            self.hidden.push(Hidden { key: key.to_owned(), location, seen: false });
        }
        self.unseen = self.hidden.len();
    }

    /// Samples of another type, and their number.
    fn examine_samples(&self, samples: &[Value<'_>], context: &mut Context<'_>) {
        for (index, sample) in samples.iter().enumerate() {
            let Some(found) = SampleType::of(sample).filter(|&found| found != self.sample_type) else {
                continue;
            };
            context.take_back_shape(&sample.span);
            let mut trail = context.base.clone();
            trail.index(index);
            let problem = Quest::SampleType { found: found.name(), wanted: self.sample_type.name() };
            context.report(problem, sample.span.clone(), trail.path());
        }
        if let Some(wanted) = self.per_line
            && samples.len() as u64 != wanted
        {
            let problem = Quest::SamplesPerLine { found: samples.len(), wanted };
            context.report(problem, context.root.span.clone(), context.base.path());
        }
    }

    /// Ids that stand twice on this line, and then those of earlier lines.
    fn examine_ids(&mut self, samples: &[Value<'_>], context: &mut Context<'_>) {
        let line = context.origin.line;
        let mut here = BTreeSet::new();
        let mut first = Vec::new();
        for (index, sample) in samples.iter().enumerate() {
            let Some(value) = sample.get("id") else { continue };
            let Some(id) = value.as_str() else { continue };
            let mut trail = context.base.clone();
            trail.index(index);
            trail.key("id");
            if here.insert(id) {
                first.push((id, value, trail));
            } else {
                let problem = Quest::RepeatedId { id: clip(id, 80), first_line: line };
                context.report(problem, value.span.clone(), trail.path());
            }
        }
        if context.looking {
            return;
        }
        for (id, value, trail) in first {
            if let Some(first_line) = self.ids.insert(self.ids.hash(&[id.as_bytes()]), line) {
                let problem = Quest::RepeatedId { id: clip(id, 80), first_line };
                context.report(problem, value.span.clone(), trail.path());
            }
        }
    }

    fn count_keys(&mut self, sample: &Value<'_>) {
        let Kind::Object(members) = &sample.kind else { return };
        // The keys of a sample of another type are that type's.
        let is_own_type = SampleType::of(sample).is_none_or(|found| found == self.sample_type);
        for member in members.iter().filter(|member| is_own_type && !member.shadowed) {
            if !self.sample_type.declares(&member.key) {
                self.own_keys.count(&member.key);
            }
        }
        if let Some(Kind::Object(members)) = sample.get("metadata").map(|metadata| &metadata.kind) {
            for member in members {
                self.see_metadata_key(&member.key);
            }
        }
    }

    fn check_total(&self, end: &mut End<'_>) {
        let Some((stated, location)) = &self.total else { return };
        let records = end.tally().records();
        let by_code = end.tally().counts().by_code;
        // Nobody knows how many lines and samples these are meant to be.
        let unclear = ["json/record-over-several-lines", "json/array-of-records", "json/text-after-record"];
        if records == 0 || unclear.iter().any(|code| by_code.contains_key(*code)) {
            return;
        }
        // What a line holds that cannot be read is taken from the metadata line.
        let unread = records - self.lines;
        let samples = self.samples + unread * self.per_line.unwrap_or(0);
        if *stated != records && *stated != samples {
            end.report_at(Quest::TotalSamples { stated: *stated, lines: records, samples }, location.clone());
        }
    }
}

impl DatasetRules for Dataset {
    fn accept(&mut self, record: &Accepted<'_>) -> bool {
        self.new.clear();
        let mut has_keys = false;
        for (number, range) in record.strings {
            match *number {
                SAMPLE_ID => {
                    let id = self.ids.hash(&[&record.bytes[range.clone()]]);
                    if self.new.len() == FEW || self.new.contains(&id) || self.ids.contains(id) {
                        return false;
                    }
                    self.new.push(id);
                }
                METADATA_KEY => has_keys |= self.unseen > 0,
                _ => has_keys = true,
            }
        }
        let count = self.new.len() as u64;
        if self.per_line.is_some_and(|wanted| wanted != count) {
            return false;
        }
        for id in &self.new {
            self.ids.insert(*id, record.origin.line);
        }
        if has_keys {
            for (number, range) in record.strings {
                match *number {
                    METADATA_KEY if self.unseen > 0 => self.see_metadata_key(record.text(range)),
                    OWN_KEY => self.own_keys.count(record.text(range)),
                    _ => {}
                }
            }
        }
        self.lines += 1;
        self.samples += count;
        true
    }

    fn examine(&mut self, context: &mut Context<'_>) {
        let root = context.root;
        let samples = root.as_array();
        if let Some(samples) = samples {
            self.examine_samples(samples, context);
        }
        // The loader does not compare ids, so a repeated one drops nothing.
        let dropped = !context.is_clean();
        if let Some(samples) = samples {
            self.examine_ids(samples, context);
            if !context.looking {
                for sample in samples {
                    self.count_keys(sample);
                }
                self.samples += samples.len() as u64;
            }
        }
        if !context.looking {
            self.lines += 1;
            self.dropped += u64::from(dropped);
        }
    }

    fn header(&mut self, line: Option<&mut Context<'_>>) -> Header {
        let Some(context) = line else {
            self.refused = true;
            return Header { problem: Some(Quest::EmptyFirstLine.into()), ..Header::default() };
        };
        if !matches!(context.root.kind, Kind::Object(_)) {
            self.refused = true;
            let (problem, is_record) = no_metadata_line(context.root);
            return Header { problem: Some(problem), is_record, schema: None };
        }
        if METADATA_KEYS.iter().all(|key| context.root.get(key).is_none()) {
            self.refused = true;
            context.take_back_shape(&context.root.span);
            let (found, advice) = ("an object without any of its keys", WRITE_ONE);
            let is_record = SampleType::of(context.root).is_some();
            return Header {
                problem: Some(Quest::NoMetadataLine { found, advice }.into()),
                is_record,
                schema: None,
            };
        }
        self.read_metadata(context);
        let named = context.root.get("sample_type").and_then(Value::as_str).and_then(SampleType::by_name);
        self.refused |= named.is_none() || self.per_line.is_none() || self.total.is_none();
        self.sample_type = named.unwrap_or(self.sample_type);
        Header { schema: named.map(SampleType::schema), ..Header::default() }
    }

    fn finish(&mut self, end: &mut End<'_>) {
        // Capitals are not found either, so this compares them.
        if let Some(name) = end.file_name()
            && name.strip_suffix(".jsonl").is_none()
        {
            end.report(Quest::FileName { name: clip(name, 200) });
        }
        self.check_total(end);
        if end.tally().records() > 0 {
            for hidden in self.hidden.iter().filter(|hidden| !hidden.seen) {
                let key = clip(&hidden.key, 80);
                end.report_at(Quest::UnusedHiddenKey { key }, hidden.location.clone());
            }
        }
        let dropped = self.dropped + (end.tally().records() - self.lines);
        if self.refused {
            end.note("Quest refuses the whole file because of its first line.".to_owned());
        } else if dropped > 0 {
            let lines = evalcheck_wire::text::count(dropped, "line");
            end.note(format!("{lines} would be dropped: Quest skips a line that it cannot use, and its samples are missing without a further word."));
        }
        if let Some(note) = self.own_keys.note("sample") {
            end.note(note);
        }
    }

    fn looking(&self) -> Box<dyn DatasetRules> {
        Box::new(Self { per_line: self.per_line, ..Self::new(self.sample_type) })
    }
}

/// What to do where there is no metadata line.
const WRITE_ONE: &str = "Put a line before it such as {\"total_samples\":2,\"sample_type\":\"text\",\"samples_per_line\":1,\"hidden_metadata\":[]}.";

/// What the first line is where somebody wrote the whole dataset as one array, and what to do then.
const WRAPPED: &str = "one array around the metadata and all samples";
const TAKE_APART: &str =
    "Take the array apart, so that each of its elements is a line: jq -c '.[]' FILE > FILE.jsonl";

/// What a first line is that is no object, and whether its samples are to be checked.
fn no_metadata_line(root: &Value<'_>) -> (AnyProblem, bool) {
    let (found, is_record) = match &root.kind {
        Kind::Array(elements) if elements.iter().any(|element| element.get("sample_type").is_some()) => {
            (WRAPPED, false)
        }
        Kind::Array(_) => ("an array of samples", true),
        Kind::String(_) => ("a string", false),
        Kind::Number(..) => ("a number", false),
        Kind::Boolean(_) => ("a boolean", false),
        Kind::Null | Kind::Object(_) => ("null", false),
    };
    let advice = if found == WRAPPED { TAKE_APART } else { WRITE_ONE };
    (Quest::NoMetadataLine { found, advice }.into(), is_record)
}

/// A whole number above 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is whole and positive; beyond 2^64 it is clamped, and beyond every count"
)]
fn whole(value: &Value<'_>) -> Option<u64> {
    match value.kind {
        Kind::Number(n, _) if n >= 1.0 && n.fract() == 0.0 => Some(n as u64),
        _ => None,
    }
}
