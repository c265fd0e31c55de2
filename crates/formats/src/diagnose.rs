//! All findings on one record: its JSON, its strings, its schema, and the checks of its format.

use std::collections::BTreeMap;
use std::ops::Range;

pub use evalcheck_core::excerpt::{clip, clip_quoted, column};
pub use evalcheck_diagnose::*;
pub use evalcheck_records::Diagnosis;

use crate::Format;
use crate::checks::{Captures, DatasetChecks, Findings, Observation, Observations, Record, RecordChecks};
use evalcheck_archive::Attachments;
use evalcheck_core::finding::{Finding, Path, Step};
use evalcheck_json::schema::Schema;
use evalcheck_records::csv::Table;

/// The context in which a record is diagnosed.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The format.
    pub format: &'static Format,
    /// The schema of the record.
    pub schema: &'static Schema,
    /// The checks beyond the schema.
    pub checks: &'a dyn RecordChecks,
    /// The attachments that the record may refer to.
    pub attachments: Option<&'a Attachments>,
    /// Where the record begins in the dataset.
    pub start: RecordStart,
    /// The number of the record's list in a document.
    pub list: usize,
    /// The path from the document to the record.
    pub base: &'a PathBuilder,
    /// The limit on the findings that are kept.
    pub room: Room<'a>,
}

impl<'a> Task<'a> {
    /// The parsed record.
    pub fn record(&self, root: &'a Value<'a>, text: &'a RecordText<'a>) -> Record<'a> {
        let Self { attachments, list, base, .. } = *self;
        Record { root, text, attachments, list, base }
    }
}

/// Passes a record to the checks of the dataset. A record that is only previewed has no observer.
#[derive(Debug)]
pub struct Observer<'a> {
    /// The checks.
    pub dataset: &'a mut dyn DatasetChecks,
    /// The observations that they reported when the scanner found the record clean: they do not observe it again.
    pub reported: Option<Observations>,
    /// The columns, if the record is a row of a CSV.
    pub table: Option<&'a Table>,
    /// Whether their reports are omitted: after conflict markers, the file may contain records in two versions.
    pub is_silent: bool,
}

/// Diagnoses the record in `bytes` (a line without its line break).
pub fn diagnose(bytes: &[u8], task: Task<'_>, observer: Option<Observer<'_>>) -> Diagnosis {
    let text = RecordText::new(bytes, task.start);
    let mut found = RecordFindings::within(task.room);
    let mut unfinished = false;
    match parse_at(bytes, task.start) {
        Err(error) => {
            unfinished = error.unfinished;
            let may_go_on = unfinished || error.problem.may_go_on();
            let finding = fixed_syntax_finding(error, bytes, task.base.is_line(), task.schema);
            // The reader decides by this finding whether the record continues on the next line.
            if may_go_on {
                found.push_kept(finding);
            } else {
                found.push(finding);
            }
        }
        Ok(parsed) => check_record(&parsed, &text, task, Some(task.schema), observer, &mut found),
    }
    Diagnosis { findings: found.locate(&text), unfinished, ..Diagnosis::default() }
}

/// Adds the findings of a parsed record: from its schema, if one is given, from its texts, and from the rules.
pub fn check_record(
    parsed: &Parsed<'_>,
    text: &RecordText<'_>,
    task: Task<'_>,
    schema: Option<&'static Schema>,
    observer: Option<Observer<'_>>,
    found: &mut RecordFindings<'_>,
) {
    let record = task.record(&parsed.value, text);
    let mut out = Findings::new(RecordFindings::within(task.room));
    task.checks.check(&record, &mut out);
    let bytes = if out.keeps_shape() { &[] } else { text.bytes };
    let (of_rules, misfits) = out.finish();
    if let Some(schema) = schema {
        check_schema_outside(&misfits, &parsed.value, schema, task.base, bytes, found);
    }
    check_anomalies(parsed, text, task.format.texts, task.base, found);
    found.append(of_rules);
    if let Some(observer) = observer {
        observe(&record, task, &misfits, observer, found);
    }
}

/// Adds the observations that the checks of the dataset make of a record.
fn observe(
    record: &Record<'_>,
    task: Task<'_>,
    misfits: &[Range<usize>],
    observer: Observer<'_>,
    found: &mut RecordFindings<'_>,
) {
    let Observer { dataset, reported, table, is_silent } = observer;
    let tree = match table {
        Some(table) => row_captures(record.root, table),
        None => TreeCaptures::of_record(record.root, task.schema, record.text.bytes, misfits),
    };
    let reported = reported.unwrap_or_else(|| {
        let mut out = Observations::default();
        dataset.observe(&Captures::of_tree(&tree, record, found.errors() > 0), task.start, &mut out);
        out
    });
    if reported.is_empty() || is_silent {
        return;
    }
    let problems = reported.into_problems();
    let wanted = problems.iter().map(|observation| observation.capture).collect();
    let paths = match table {
        Some(table) => paths_of_columns(table),
        None => paths_of_captures(&wanted, record.root, task.schema, misfits, task.base),
    };
    for observation in problems {
        let Some(span) = tree.spans.get(observation.capture) else { continue };
        let path = paths.get(&observation.capture).cloned();
        found.push(observed(observation, span.clone(), path, record.text));
    }
}

/// The finding of an observation.
fn observed(
    Observation { problem, is_repeated, .. }: Observation,
    span: Range<usize>,
    path: Option<Path>,
    text: &RecordText<'_>,
) -> RecordFinding {
    let fix = is_repeated.then(|| numbered(&span, text.bytes, text.start.line));
    let mut finding = RecordFinding::new(problem, span, path).with_fix(fix);
    finding.needs_dataset = true;
    finding
}

/// The findings of observations of a record without any other finding, if there is no room for them: only counted, so that nothing of the
/// record has to be known.
pub fn count_observed(observations: Observations, start: RecordStart) -> Vec<Finding> {
    let text = RecordText::new(&[], start);
    let mut found = RecordFindings::within(Room::None);
    for observation in observations.into_problems() {
        found.push(observed(observation, 0..0, None, &text));
    }
    found.locate(&text)
}

/// Makes a repeated id unique: adds the number of its line.
fn numbered(id: &Range<usize>, record: &[u8], line: u64) -> RecordFix {
    let is_quoted = id.len() > 1 && record.get(id.end - 1) == Some(&b'"');
    let end = id.end - usize::from(is_quoted);
    RecordFix::not_safe("Add the number of the line to the id, which makes it another one")
        .replace(end..end, format!("-{line}"))
}

/// The captured fields of a row of a CSV: the cells of the known columns.
fn row_captures(row: &Value<'_>, table: &Table) -> TreeCaptures {
    let mut captures = TreeCaptures::default();
    let Kind::Object(cells) = &row.kind else { return captures };
    for (cell, column) in cells.iter().zip(&table.columns) {
        if let (Some(number), Some(text)) = (column.known, cell.value.as_str()) {
            captures.add(number, text.as_bytes(), &cell.value.span);
        }
    }
    captures
}

/// The paths of the captures of a row.
fn paths_of_columns(table: &Table) -> BTreeMap<usize, Path> {
    let known = table.columns.iter().filter(|column| column.known.is_some());
    known.map(|column| Path(vec![Step::Key(column.name.clone())])).enumerate().collect()
}
