//! The findings of a dataset that a filter keeps, their groups, and their positions in the file.

use evalcheck_core::Severity;
use evalcheck_core::finding::{Finding, Step};
use evalcheck_core::finding_index::{Entry, FindingIndex, Group};
use evalcheck_core::order::Order;
use evalcheck_wire::findings::{EXAMPLES, FindingGroup, MAP, MapPart, STRIP};
use evalcheck_wire::query::{
    CheckKey, Pattern, Query, QueryError, Term, Value as Wanted, What, attachment_rules, path_matches,
};
use evalcheck_wire::report::Applicability;
use evalcheck_wire::view::Direction;

use crate::search::has_number;

/// The terms of a query about findings.
#[derive(Debug, Default)]
pub(crate) struct FindingTerms {
    terms: Vec<FindingTerm>,
    /// Whether the query has terms about records too.
    needs_records: bool,
}

#[derive(Debug)]
struct FindingTerm {
    is_negated: bool,
    key: CheckKey,
    values: Vec<Wanted>,
}

impl FindingTerms {
    /// The terms of a query.
    pub(crate) fn new(query: &Query) -> Self {
        let mut found = Self::default();
        for Term { is_negated, what } in &query.terms {
            match what {
                What::Check(key, values) if what.is_about_findings() => {
                    found.terms.push(FindingTerm {
                        is_negated: *is_negated,
                        key: *key,
                        values: values.clone(),
                    });
                }
                _ => found.needs_records = true,
            }
        }
        found
    }

    /// Whether records are compared with the query too.
    pub(crate) fn needs_records(&self) -> bool {
        self.needs_records
    }

    /// Whether a finding matches. `records` says whether a record matches the other terms; if there are any, a finding that is not
    /// in a record does not match.
    pub(crate) fn match_finding(&self, finding: &Finding, records: impl FnOnce(u64) -> bool) -> bool {
        self.terms.iter().all(|term| term.matches(|value| has_finding(term.key, value, finding)))
            && (!self.needs_records || finding.location.record.is_some_and(records))
    }
}

/// Whether a term about findings with this value matches a finding.
pub(crate) fn has_finding(key: CheckKey, value: &Wanted, finding: &Finding) -> bool {
    let (rule, location) = (finding.problem.rule(), &finding.location);
    let text = text_of(value);
    match key {
        CheckKey::Severity => rule.severity.as_str() == text,
        CheckKey::Rule => is_of_rule(rule.code, text),
        CheckKey::Attachment => attachment_rules(text).contains(&rule.code),
        CheckKey::Path => location.path.as_ref().is_some_and(|path| is_at(&path.0, text)),
        CheckKey::Line => location.line.is_some_and(|line| has_number(value, line)),
        CheckKey::Record => location.record.is_some_and(|record| has_number(value, record + 1)),
        CheckKey::Is | CheckKey::Size | CheckKey::Turns => {
            finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe)
        }
    }
}

/// Whether a code is that of this rule, or of a rule in this category.
fn is_of_rule(code: &str, wanted: &str) -> bool {
    code.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path matches a pattern such as `input.messages.*.role`.
fn is_at(path: &[Step], pattern: &str) -> bool {
    let is_step = |(step, wanted): (&Step, &str)| {
        wanted == "*"
            || match step {
                Step::Key(key) => **key == *wanted,
                Step::Index(index) => wanted.parse() == Ok(*index),
            }
    };
    pattern.split('.').count() == path.len() && path.iter().zip(pattern.split('.')).all(is_step)
}

/// Keeps the findings that match each term of a query. The terms about findings are compared with each finding; a predicate tells
/// whether a record matches the other terms.
#[derive(Default)]
pub struct FindingFilter<'a> {
    terms: Vec<FindingTerm>,
    records: Option<&'a dyn Fn(u64) -> bool>,
}

impl<'a> FindingFilter<'a> {
    /// The findings that match a query. `records` says whether a record, from 0, matches the terms for which
    /// [`What::is_about_findings`] is false.
    ///
    /// # Errors
    /// A term that needs `records` if there is none, or a path with an index, because indices are not known of all findings. The
    /// span is empty, because a query has none.
    pub fn new(query: &Query, records: Option<&'a dyn Fn(u64) -> bool>) -> Result<Self, QueryError> {
        let refused = |message: &str| QueryError { span: 0..0, message: message.to_owned() };
        let FindingTerms { terms, needs_records } = FindingTerms::new(query);
        let has_index = |value: &Wanted| text_of(value).split('.').any(|step| step.parse::<usize>().is_ok());
        if terms.iter().any(|term| term.key == CheckKey::Path && term.values.iter().any(has_index)) {
            return Err(refused("findings are filtered by paths with * in place of indices"));
        }
        if needs_records && records.is_none() {
            return Err(refused("this filter needs a search of the records"));
        }
        Ok(Self { terms, records: records.filter(|_| needs_records) })
    }

    /// Whether every finding is kept.
    pub(crate) fn keeps_all(&self) -> bool {
        self.terms.is_empty() && self.records.is_none()
    }

    /// Returns a predicate that tells whether an entry of an index is kept.
    pub(crate) fn of<'s>(&'s self, index: &FindingIndex) -> impl Fn(&Entry) -> bool + use<'s, 'a> {
        let is_of_group = |term: &&FindingTerm| term.is_about_groups();
        let keeps = |group: &Group| {
            self.terms
                .iter()
                .filter(is_of_group)
                .all(|term| term.matches(|value| has_group(term.key, value, group)))
        };
        let groups: Vec<bool> = index.groups().iter().map(keeps).collect();
        move |entry| {
            groups[entry.group]
                && self
                    .terms
                    .iter()
                    .filter(|term| !term.is_about_groups())
                    .all(|term| term.matches(|value| has_entry(term.key, value, entry)))
                && self.records.is_none_or(|matches| entry.record.is_some_and(matches))
        }
    }
}

impl FindingTerm {
    fn is_about_groups(&self) -> bool {
        matches!(self.key, CheckKey::Rule | CheckKey::Severity | CheckKey::Path | CheckKey::Attachment)
    }

    fn matches(&self, has: impl Fn(&Wanted) -> bool) -> bool {
        self.values.iter().any(has) != self.is_negated
    }
}

fn text_of(value: &Wanted) -> &str {
    if let Wanted::Contains(Pattern::Literal(text)) = value { text } else { "" }
}

fn has_group(key: CheckKey, value: &Wanted, group: &Group) -> bool {
    let text = text_of(value);
    match key {
        CheckKey::Severity => group.rule.severity.as_str() == text,
        CheckKey::Path => group.path.as_ref().is_some_and(|path| path_matches(path, text)),
        CheckKey::Attachment => attachment_rules(text).contains(&group.rule.code),
        _ => is_of_rule(group.rule.code, text),
    }
}

fn has_entry(key: CheckKey, value: &Wanted, entry: &Entry) -> bool {
    match key {
        CheckKey::Line => entry.line.is_some_and(|line| has_number(value, line)),
        CheckKey::Record => entry.record.is_some_and(|record| has_number(value, record + 1)),
        _ => entry.fix == Some(Applicability::Safe),
    }
}

/// The groups of the findings that are kept, those with most findings first. The dataset has `size` bytes.
pub(crate) fn groups(index: &FindingIndex, filter: &FindingFilter<'_>, size: u64) -> Vec<FindingGroup> {
    let group = |group: &Group| FindingGroup {
        code: group.rule.code.to_owned(),
        severity: group.rule.severity,
        summary: group.rule.summary.to_owned(),
        path: group.path.clone(),
        message: group.message.text().map(str::to_owned),
        // No filter can be applied to findings that are not listed.
        findings: if filter.keeps_all() { group.unlisted } else { 0 },
        safe_fixes: 0,
        unsafe_fixes: 0,
        records: 0,
        first: u64::MAX,
        lines: Vec::new(),
        strip: vec![0; STRIP],
    };
    let mut groups: Vec<FindingGroup> = index.groups().iter().map(group).collect();
    let mut last = vec![None; groups.len()];
    for (number, entry) in kept(index, filter) {
        let group = &mut groups[entry.group];
        group.findings += 1;
        group.safe_fixes += u64::from(entry.fix == Some(Applicability::Safe));
        group.unsafe_fixes += u64::from(entry.fix == Some(Applicability::Unsafe));
        group.first = group.first.min(number);
        if entry.record.is_some() && last[entry.group] != entry.record {
            last[entry.group] = entry.record;
            group.records += 1;
        }
        if let Some(line) = entry.line.filter(|line| group.lines.last() != Some(line))
            && group.lines.len() < EXAMPLES
        {
            group.lines.push(line);
        }
        if let Some(byte) = entry.byte {
            group.strip[part(byte, size, STRIP)] += 1;
        }
    }
    groups.retain(|group| group.findings > 0);
    groups.order_by_key(|group| (std::cmp::Reverse(group.findings), group.first));
    groups
}

/// The findings that are kept in each part of a dataset of `size` bytes; `None` for a part without findings.
pub(crate) fn map(index: &FindingIndex, filter: &FindingFilter<'_>, size: u64) -> Vec<Option<MapPart>> {
    let mut parts: Vec<Option<MapPart>> = vec![None; MAP.min(usize::try_from(size).unwrap_or(MAP))];
    for (number, entry) in kept(index, filter) {
        let Some(byte) = entry.byte.filter(|_| !parts.is_empty()) else { continue };
        let place = part(byte, size, parts.len());
        let severity = index.groups()[entry.group].rule.severity;
        let Entry { line, record, .. } = entry;
        let part = parts[place].get_or_insert(MapPart { severity, findings: 0, first: number, line, record });
        part.findings += 1;
        part.severity = part.severity.min(severity);
    }
    parts
}

fn is_error(index: &FindingIndex, entry: &Entry) -> bool {
    index.groups()[entry.group].rule.severity == Severity::Error
}

/// The number of the first error that is about a line, else of the first error.
pub(crate) fn first_error(index: &FindingIndex) -> Option<u64> {
    let errors = || (0..).zip(index.entries(0)).filter(|(_, entry)| is_error(index, entry));
    errors().find(|(_, entry)| entry.line.is_some()).or_else(|| errors().next()).map(|(number, _)| number)
}

/// The number of the first listed finding of a line, an error if it has one; else of the first one after the line, else of the last one.
pub(crate) fn nearest(index: &FindingIndex, filter: &FindingFilter<'_>, line: u64) -> Option<u64> {
    let (mut of_line, mut after, mut last) = (None, None, None);
    for (number, entry) in kept(index, filter) {
        last = Some(number);
        if entry.line == Some(line) {
            if is_error(index, &entry) {
                return last;
            }
            of_line = of_line.or(last);
        } else if entry.line > Some(line) {
            after = after.or(last);
        }
    }
    of_line.or(after).or(last)
}

/// The number of the first error on the nearest line with a listed error before or after this one.
pub(crate) fn error_beside(
    index: &FindingIndex,
    filter: &FindingFilter<'_>,
    line: u64,
    direction: Direction,
) -> Option<u64> {
    let errors = kept(index, filter).filter(|(_, entry)| is_error(index, entry));
    let mut errors = errors.filter_map(|(number, entry)| Some((number, entry.line?)));
    match direction {
        Direction::Next => errors.find(|(_, other)| *other > line).map(|(number, _)| number),
        Direction::Previous => {
            let before = errors.filter(|(_, other)| *other < line);
            // Of several on one line, the first.
            let last = before.reduce(|last, next| if next.1 == last.1 { last } else { next });
            last.map(|(number, _)| number)
        }
    }
}

/// The record of the first finding on a line that is about a record.
pub(crate) fn record_of_line(index: &FindingIndex, line: u64) -> Option<u64> {
    index.entries(0).filter(|entry| entry.line == Some(line)).find_map(|entry| entry.record)
}

/// The nearest record with a listed error before or after a record, and the line of its first error.
pub(crate) fn invalid_record(
    index: &FindingIndex,
    record: u64,
    direction: Direction,
) -> Option<(u64, Option<u64>)> {
    let errors = index.entries(0).filter(|entry| is_error(index, entry));
    let errors = errors.filter_map(|entry| Some((entry.record?, entry.line)));
    // The first of several in a record.
    match direction {
        Direction::Next => errors
            .filter(|(other, _)| *other > record)
            .reduce(|nearest, next| if next.0 < nearest.0 { next } else { nearest }),
        Direction::Previous => errors
            .filter(|(other, _)| *other < record)
            .reduce(|nearest, next| if next.0 > nearest.0 { next } else { nearest }),
    }
}

/// The entries that a filter keeps, with their numbers among these.
fn kept<'a>(
    index: &'a FindingIndex,
    filter: &'a FindingFilter<'_>,
) -> impl Iterator<Item = (u64, Entry)> + use<'a> {
    let keeps = filter.of(index);
    (0..).zip(index.entries(0).filter(move |entry| keeps(entry)))
}

/// The number of the part that a byte is in.
fn part(byte: u64, size: u64, parts: usize) -> usize {
    let part = u128::from(byte) * parts as u128 / u128::from(size.max(1));
    usize::try_from(part).unwrap_or(usize::MAX).min(parts - 1)
}
