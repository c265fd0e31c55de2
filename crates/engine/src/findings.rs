//! The findings of a dataset that a filter keeps, their groups, and their positions in the file.
//!
//! A report lists the first findings of each rule. A check with an index ([`evalcheck_core::finding_index`]) notes of each finding its line,
//! byte, record, group and kind of fix; [`View::findings`](crate::preview::View::findings) makes those on screen again. A term of a query
//! that is about a record and not about its findings needs the matches of a search.

mod indexed;

use evalcheck_core::finding::Finding;
use evalcheck_core::finding_index::{Entry, FindingIndex, Group};
use evalcheck_report::Applicability;
use evalcheck_report::selector::{selects, split};
use evalcheck_wire::query::{
    CheckKey, Pattern, Query, QueryError, Term, Value as Wanted, What, attachment_rules,
};

pub use indexed::IndexedFindings;

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
                What::Sort(_) => {}
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
        CheckKey::Path => location.path.as_ref().is_some_and(|path| selects(text, &path.dotted())),
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
        let has_index =
            |value: &Wanted| split(text_of(value)).flatten().any(|step| step.text.parse::<usize>().is_ok());
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
        CheckKey::Path => group.path.as_ref().is_some_and(|path| selects(text, path)),
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

#[expect(clippy::cast_precision_loss, reason = "lines and sizes are far below 2^53")]
pub(crate) fn has_number(value: &Wanted, number: u64) -> bool {
    matches!(value, Wanted::Number(numbers) if numbers.contains(number as f64))
}
