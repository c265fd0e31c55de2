//! Quest's rules for a dataset beyond the schema of its lines.

use std::rc::Rc;

use super::first_line::no_metadata_line;
use super::metadata::{Compared, is_accepted};
use super::problem::QuestProblem;
use super::{METADATA_KEY, METADATA_KEYS, SAMPLE, SAMPLE_ID, SampleType, USER_KEY};
use crate::checks::{
    Captures, Conclusions, DatasetChecks, Fate, Findings, Header, HeaderAnswer, Observations, Observes,
    Record, RecordChecks, Summary,
};
use crate::diagnose::{Kind, RecordFix, RecordStart, SchemaProblem, SyntaxProblem, TextProblem, Value, clip};
use crate::loaded::rule_loss;
use crate::seen_ids::SeenIds;
use crate::user_keys::UserKeys;
use evalcheck_core::Loss;
use evalcheck_core::finding::{Finding, Location, Step};
use evalcheck_core::suggest::nearest;
use evalcheck_report::text::count;
use evalcheck_report::{Edit, Fix};

/// The number of metadata keys that are remembered, to suggest one for a hidden key that no sample has.
const MOST_KEYS: usize = 32;

/// The checks of one line: the type of its samples, and their number.
#[derive(Debug)]
pub(super) struct Samples {
    pub(super) sample_type: SampleType,
    /// The text in place of a type in the metadata line, if it names none.
    pub(super) unknown_type: Option<String>,
    /// The number in the metadata line, if it is valid.
    pub(super) per_line: Option<u64>,
    /// The locations of both in the metadata line.
    pub(super) stated: StatedAt,
    /// The values with which the reader compares lines, if the metadata line is wrong.
    pub(super) compared: Option<Compared>,
}

/// The locations of the type and the number in the metadata line; none if the first line is not one.
#[derive(Debug, Clone, Default)]
pub(super) struct StatedAt {
    sample_type: Option<Location>,
    per_line: Option<Location>,
}

impl StatedAt {
    fn is_known(&self) -> bool {
        self.sample_type.is_some() || self.per_line.is_some()
    }
}

impl Samples {
    /// Whether another metadata line states the same for lines as the first one.
    fn agrees_with(&self, metadata: &Value<'_>) -> bool {
        let sample_type = metadata.get("sample_type").and_then(Value::as_str);
        let per_line = metadata.get("samples_per_line").and_then(whole);
        sample_type.and_then(SampleType::by_name) == Some(self.sample_type) && per_line == self.per_line
    }
}

impl RecordChecks for Samples {
    fn is_clean(&self, captures: &Captures<'_>) -> bool {
        self.compared.is_none()
            && self.per_line.is_none_or(|expected| captures.contents(SAMPLE).count() as u64 == expected)
    }

    fn depend_on_header(&self) -> bool {
        self.compared.is_some()
    }

    fn fate(&self, record: &Value<'_>) -> Option<Fate> {
        let compared = self.compared.as_ref()?;
        (!compared.keeps(record)).then_some(Fate::Dropped)
    }

    fn check(&self, record: &Record<'_>, out: &mut Findings<'_>) {
        let Some(samples) = record.root.as_array() else {
            // The last key, the list of hidden keys, may be missing.
            let is_metadata = METADATA_KEYS[..3].iter().all(|key| record.root.get(key).is_some());
            if is_metadata && self.stated.is_known() {
                out.replace_schema_findings(&record.root.span);
                let title = "Delete the metadata, which guesses that the first line is right for both parts";
                let fix = self
                    .agrees_with(record.root)
                    .then(|| RecordFix::not_safe(title).replace(record.root.span.clone(), ""));
                let advice = match fix {
                    Some(_) => {
                        "Delete this line, and write the number of samples of both parts into \"total_samples\" of the first line."
                    }
                    None => {
                        "Put this line and those after it into a file of their own: it states another \"sample_type\" or \"samples_per_line\" than the first line."
                    }
                };
                out.report_fixed(QuestProblem::SecondMetadataLine { advice }, record.at(record.root), fix);
            }
            return;
        };
        for sample in samples {
            // The same mistake was reported in the metadata line.
            if let (Some(unknown), Some(named)) = (self.unknown_type.as_deref(), sample.get("type"))
                && named.as_str() == Some(unknown)
            {
                out.replace_schema_findings(&named.span);
            }
            let Some(found) = SampleType::of(sample).filter(|&found| found != self.sample_type) else {
                continue;
            };
            out.replace_schema_findings(&sample.span);
            let problem = QuestProblem::SampleType {
                found: found.name(),
                wanted: self.sample_type.name(),
                stated: self.stated.sample_type.clone(),
            };
            out.report(problem, record.at(sample));
        }
        if let Some(wanted) = self.per_line
            && samples.len() as u64 != wanted
        {
            let advice = match samples.len() {
                0 => format!("Put exactly {wanted} on the line, or delete it."),
                n => format!(
                    "If every line has {n}, write \"samples_per_line\":{n} in the metadata line; otherwise put exactly {wanted} on each line."
                ),
            };
            let problem = QuestProblem::SamplesPerLine {
                found: samples.len(),
                wanted,
                advice,
                stated: self.stated.per_line.clone(),
            };
            out.report(problem, record.at(record.root));
        }
    }
}

/// The checks of a dataset. Remembers each id as [`SeenIds`] does, the metadata line, and a bounded number of keys.
#[derive(Debug)]
pub(super) struct Dataset {
    sample_type: SampleType,
    /// The number of samples per line in the metadata line, if it is valid.
    per_line: Option<u64>,
    total: Option<(u64, Location)>,
    hidden: Vec<Hidden>,
    /// The number of hidden keys that no sample had so far.
    unseen: usize,
    /// The first [`MOST_KEYS`] metadata keys of samples: a hidden key may be a misspelling of one.
    shown: Vec<String>,
    /// Whether the loader refuses the file because of its first line.
    refused: bool,
    ids: SeenIds,
    user_keys: UserKeys,
    /// The number of lines that are valid JSON.
    lines: u64,
    samples: u64,
    /// The number of those lines that the loader drops. It does not compare ids, so a repeated id drops nothing.
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
            shown: Vec::new(),
            refused: false,
            ids: SeenIds::default(),
            user_keys: UserKeys::default(),
            lines: 0,
            samples: 0,
            dropped: 0,
        }
    }

    fn see_metadata_key(&mut self, key: &str) {
        if self.shown.len() < MOST_KEYS && !self.shown.iter().any(|shown| shown == key) {
            self.shown.push(key.to_owned());
        }
        for hidden in self.hidden.iter_mut().filter(|hidden| !hidden.seen && hidden.key == key) {
            hidden.seen = true;
            self.unseen -= 1;
        }
    }

    /// Stores the values of the metadata line.
    fn read_metadata(&mut self, line: &Record<'_>) {
        let location = |value: &Value<'_>| Location { record: None, ..line.location(value) };
        self.per_line = line.root.get("samples_per_line").and_then(whole);
        self.total = line.root.get("total_samples").and_then(|value| Some((whole(value)?, location(value))));
        let hidden = line.root.get("hidden_metadata").and_then(Value::as_array).unwrap_or_default();
        for value in hidden {
            let Some(key) = value.as_str() else { continue };
            let location = location(value);
            self.hidden.push(Hidden { key: key.to_owned(), location, seen: false });
        }
        self.unseen = self.hidden.len();
    }

    fn check_total(&self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        let Some((stated, location)) = &self.total else { return };
        let lines = summary.records;
        if lines == 0 || summary.has_lost_records {
            return;
        }
        // For an unreadable line, the number of samples is taken from the metadata line.
        let samples = self.samples + (lines - self.lines) * self.per_line.unwrap_or(0);
        if *stated != lines && *stated != samples {
            let read = format!("{} on {}", count(self.samples, "sample"), count(self.lines, "line"));
            let counted = match lines - self.lines {
                0 => read,
                unread => format!("{read}, and {} that cannot be read", count(unread, "line")),
            };
            // A line with an error may have another number of samples after correction.
            let advice = if lines > self.lines || self.dropped > 0 {
                "Correct the lines with errors first. Then write the number of samples that the file has, or of lines if your tools count lines.".to_owned()
            } else if samples == lines {
                format!("Write {samples}.")
            } else {
                format!("Write {samples}, or {lines} if your tools count lines.")
            };
            let fix =
                location.bytes.clone().filter(|_| lines == self.lines && self.dropped == 0).map(|bytes| {
                    let edit = Edit { start: bytes.start, end: bytes.end, text: samples.to_string() };
                    Fix::not_safe(
                        format!("Write {samples}, which guesses that no sample is missing"),
                        vec![edit],
                    )
                });
            let problem = QuestProblem::TotalSamples { stated: *stated, counted, advice };
            out.report_fixed_at(problem, location.clone(), fix);
        }
    }
}

impl DatasetChecks for Dataset {
    fn observes(&self) -> Observes {
        Observes::Captures
    }

    fn ids(&mut self) -> Option<&mut SeenIds> {
        Some(&mut self.ids)
    }

    fn header(&mut self, line: Option<&Record<'_>>, out: &mut Findings<'_>) -> HeaderAnswer {
        let Some(line) = line.filter(|line| has_metadata_keys(line.root)) else {
            self.refused = true;
            let header = no_metadata_line(line, self.sample_type, out);
            return HeaderAnswer { header, is_refused: true, checks: None };
        };
        self.read_metadata(line);
        let stated = line.root.get("sample_type").and_then(Value::as_str);
        let named = stated.and_then(SampleType::by_name);
        let unknown_type = stated.filter(|_| named.is_none()).map(str::to_owned);
        // A line that does not begin at the first byte follows a byte order mark or an empty line. The loader also ends lines at a carriage
        // return.
        let (before, inside) = line.text.bytes[..line.root.span.end].split_at(line.root.span.start);
        let is_late = before.contains(&b'\r');
        let is_first_line = line.text.start.offset == 0 && !is_late && !inside.contains(&b'\r');
        self.refused |= !is_first_line || !is_accepted(line.root);
        let is_right = named.is_some() && self.per_line.is_some();
        let sample_type = named.unwrap_or(self.sample_type);
        HeaderAnswer {
            header: Header {
                schema: named.map(SampleType::schema),
                problem: is_late.then(|| QuestProblem::EmptyFirstLine.into()),
                ..Header::default()
            },
            checks: Some(Rc::new(Samples {
                sample_type,
                unknown_type,
                per_line: self.per_line,
                stated: stated_at(line),
                compared: (!is_right && !self.refused).then(|| Compared::new(line.root)),
            })),
            is_refused: self.refused,
        }
    }

    fn observe(&mut self, captures: &Captures<'_>, at: RecordStart, out: &mut Observations) {
        self.lines += 1;
        self.dropped += u64::from(captures.has_errors);
        for (index, (number, range)) in captures.strings.iter().enumerate() {
            match *number {
                SAMPLE_ID => {
                    let id = captures.bytes(range);
                    if let Some(first_line) = self.ids.repeated(&[id], at.line) {
                        let id = clip(captures.text(range), 80);
                        out.report_repeated(index, QuestProblem::RepeatedId { id, first_line });
                    }
                }
                METADATA_KEY if self.unseen > 0 => self.see_metadata_key(captures.text(range)),
                USER_KEY if !captures.has_errors => self.user_keys.count(captures.text(range)),
                SAMPLE => self.samples += 1,
                _ => {}
            }
        }
    }

    fn finish(&mut self, summary: &Summary<'_>, out: &mut Conclusions<'_>) {
        // Quest does not find capitals either, so this comparison is case-sensitive.
        if let Some(name) = summary.file_name
            && name.strip_suffix(".jsonl").is_none()
        {
            out.report(QuestProblem::FileName { name: clip(name, 200) });
        }
        self.check_total(summary, out);
        if summary.records > 0 {
            for hidden in self.hidden.iter().filter(|hidden| !hidden.seen) {
                let key = clip(&hidden.key, 80);
                let near = nearest(&hidden.key, self.shown.iter().map(String::as_str));
                let advice = near.map_or_else(
                    || "Correct the spelling, or remove the key from the list.".to_owned(),
                    |near| {
                        format!(
                            "If \"{}\" is meant, write that; otherwise remove the key from the list.",
                            clip(near, 80)
                        )
                    },
                );
                out.report_at(QuestProblem::UnusedHiddenKey { key, advice }, hidden.location.clone());
            }
        }
        let dropped = out.lost_lines();
        if self.refused {
            out.loses_nothing();
            out.note("Quest refuses the whole file because of its first line.".to_owned());
        } else if dropped > 0 {
            let lines = count(dropped, "line");
            out.note(format!("{lines} would be dropped: Quest skips a line that it cannot use, without a message, and its samples are missing."));
        }
        if let Some(note) = self.user_keys.note("sample") {
            out.note(note);
        }
    }
}

/// Whether an object has at least one of the keys of a metadata line.
fn has_metadata_keys(line: &Value<'_>) -> bool {
    METADATA_KEYS.iter().any(|key| line.get(key).is_some())
}

/// The locations of the type and the number in a metadata line.
fn stated_at(line: &Record<'_>) -> StatedAt {
    let location = |key: &str| Some(Location { record: None, ..line.location(line.root.get(key)?) });
    StatedAt { sample_type: location("sample_type"), per_line: location("samples_per_line") }
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

/// The loss by a finding in Quest's reader: it drops a line that is not JSON, not an array, has another number of samples or a sample of
/// another type, and in recent versions of Node.js a line that it cuts at U+2028. It accepts anything else.
pub(super) fn loss(finding: &Finding) -> Option<Loss> {
    let problem = &finding.problem;
    let drops_line = match problem.downcast_ref() {
        // JavaScript reads it as infinity.
        Some(SyntaxProblem::NumberRange { .. }) => return Some(Loss::Value),
        Some(SyntaxProblem::TooDeep { .. }) => false,
        Some(_) => true,
        None if matches!(problem.downcast_ref(), Some(TextProblem::LineSeparator { .. })) => {
            return Some(Loss::Line);
        }
        None => is_another_line(finding),
    };
    let is_of_line = finding.location.record.is_some() && finding.is_error();
    if is_of_line && drops_line { Some(Loss::Line) } else { rule_loss(finding) }
}

/// Whether the reader finds no samples of the type on a line, although the line itself is JSON.
fn is_another_line(finding: &Finding) -> bool {
    let path = finding.location.path.as_ref().map_or(&[][..], |path| &path.0);
    let is_of_sample = match path {
        [] | [Step::Index(_)] => true,
        [Step::Index(_), Step::Key(key)] => &**key == "type",
        _ => false,
    };
    let is_cut = matches!(
        finding.problem.downcast_ref(),
        Some(
            TextProblem::LoneCarriageReturn { .. }
                | TextProblem::StrayByteOrderMark { .. }
                | TextProblem::ConflictMarker { .. }
        )
    );
    is_cut || (is_of_sample && finding.problem.is::<SchemaProblem>())
}
