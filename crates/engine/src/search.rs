//! Finds the records that match a query.
//!
//! A clean record that cannot match, by its bytes or because the query is about findings, is passed over by the fast tier. Any
//! other is read into a tree and compared with each term. So a search says of a record exactly what the check says of it.
//!
//! The fast tier passes over a record that has none of the spellings of a text of the query (`search::needle`), or in whose unescaped text an
//! expression without its anchors has no match (`search::unescape`). The engine has no regular expressions: a driver lends a compiler ([`Regexes`]),
//! because they are larger than all else that a search needs. Some findings of a record are only known at the end of the dataset, and errors
//! in a list of a document that comes again count no longer: for a query about such, the dataset is read twice ([`LateFindings`]).
//!
//! Of the records that match only the numbers are kept ([`Matches`]); [`View::found_rows`](crate::preview::View::found_rows) reads them again
//! for a list, with what was found in them (`search::marks`).

mod data;
mod late;
mod lines;
mod marks;
mod matches;
mod needle;
mod observer;
mod order;
mod pattern;
mod unescape;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use evalcheck_core::finding::Finding;
use evalcheck_formats::SeenContents;
use evalcheck_records::ScannedRecord;
use evalcheck_report::view::Hit;
use evalcheck_wire::plan::PlannedQuery;
use evalcheck_wire::query::{CheckKey, Pattern, Query, QueryError, Term, Value as Wanted, What};

use crate::findings::{FindingTerms, has_number};
use crate::formats::{FORMATS, Format};
use data::{Data, DataTerm};
use needle::Needles;
use order::Sorted;

pub(crate) use marks::InRecord;
pub(crate) use pattern::JOINERS;

pub use late::LateFindings;
pub use lines::MatchedLines;
pub use matches::Matches;
pub use pattern::{FindRegex, Regexes};

/// The maximum number of characters of a record that a hit shows.
const SHOWN: usize = 160;

/// The short names that queries may have: those of all formats, because a query is read before a format is known.
pub fn short_names() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        FORMATS.iter().flat_map(|format| format.names()).map(|short| short.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A query that is applied to the records of one dataset.
#[derive(Debug)]
pub struct Search {
    terms: Rc<Terms>,
    /// The hits so far, if they are wanted ([`Search::keep_hits`]).
    hits: Option<Vec<Hit>>,
    matches: Matches,
    /// The order of these records, if it is not that of the dataset.
    sorted: Option<Sorted>,
    lines: MatchedLines,
    /// The records that match all terms that are not about findings, if findings are filtered by them.
    filtered: Option<Matches>,
    /// The findings that are listed, if not all are ([`Search::of_findings`]).
    listed: Option<FindingTerms>,
    /// The records that the user changed.
    changed: Matches,
    /// The findings that records get after they are counted.
    late: LateFindings,
    /// The contents of the records so far, if the query asks for those that occur again.
    contents: Option<SeenContents>,
    /// The query as it was given.
    query: Arc<Query>,
    regexes: Regexes,
}

/// A query for clean records that are found ahead of the check: those that cannot match are passed over.
#[derive(Debug, Clone)]
pub(crate) struct QueryAhead {
    query: Arc<Query>,
    regexes: Regexes,
    /// Whether the records that match the terms about records are noted too ([`Search::filter_findings`]).
    is_filter: bool,
}

impl QueryAhead {
    /// The query for a plan.
    pub(crate) fn planned(&self) -> PlannedQuery {
        PlannedQuery { text: self.query.to_string(), filters_findings: self.is_filter }
    }

    /// The query of a plan. `None` if it cannot be read.
    pub(crate) fn of_planned(planned: &PlannedQuery, regexes: Regexes) -> Option<Self> {
        let query = Query::parse(&planned.text, &short_names()).ok()?;
        Some(Self { query: Arc::new(query), regexes, is_filter: planned.filters_findings })
    }

    /// The search for records of a format.
    ///
    /// # Errors
    /// See [`Search::new`].
    pub(crate) fn search(&self, format: &Format) -> Result<Search, QueryError> {
        let mut search = Search::new(&self.query, format, self.regexes)?;
        if self.is_filter {
            search.filter_findings();
        }
        Ok(search)
    }
}

/// The terms of a query.
#[derive(Debug)]
pub(crate) struct Terms {
    checks: Vec<CheckTerm>,
    data: Data,
    /// A record that has none of the texts of one of these cannot match.
    needles: Vec<Needles>,
}

/// A term about the result of the check.
#[derive(Debug)]
struct CheckTerm {
    is_negated: bool,
    /// See [`What::is_about_findings`].
    is_about_findings: bool,
    /// Whether it is false for a record without findings.
    wants_findings: bool,
    key: CheckKey,
    values: Vec<Wanted>,
}

impl Search {
    /// A query for datasets of a format. `regexes` compiles regular expressions.
    ///
    /// # Errors
    /// A short name that the format does not have, or a regular expression that cannot be read. The span is empty, because a query has
    /// none.
    pub fn new(query: &Query, format: &Format, regexes: Regexes) -> Result<Self, QueryError> {
        let (mut checks, mut terms, mut needles, mut sorted) = (Vec::new(), Vec::new(), Vec::new(), None);
        for Term { is_negated, what } in &query.terms {
            if let What::Check(key, values) = what {
                checks.push(CheckTerm::new(*is_negated, what, *key, values));
                continue;
            }
            if let What::Sort(key) = what {
                sorted = Some(Sorted::new(data::paths(key, format)?, *is_negated));
                continue;
            }
            if !is_negated {
                needles.extend(Needles::of(what, regexes)?);
            }
            terms.push(DataTerm::new(*is_negated, what, format, regexes)?);
        }
        let contents = checks.iter().any(CheckTerm::asks_for_duplicates).then(SeenContents::default);
        let terms = Terms { checks, data: Data::new(terms), needles };
        Ok(Self {
            query: Arc::new(query.clone()),
            regexes,
            terms: Rc::new(terms),
            hits: None,
            matches: Matches::default(),
            sorted,
            lines: MatchedLines::default(),
            filtered: None,
            listed: None,
            changed: Matches::default(),
            late: LateFindings::default(),
            contents,
        })
    }

    /// A query by which the findings of a report are listed. A term about findings (see [`What::is_about_findings`]) is compared with each
    /// finding, any other term with its record; with such another term, findings outside of records are not listed. For a check that
    /// keeps all findings ([`CheckOptions::all`](evalcheck_wire::worker::CheckOptions)): findings that are not kept cannot match.
    ///
    /// # Errors
    /// See [`Search::new`]; a query that sorts records.
    pub fn of_findings(query: &Query, format: &Format, regexes: Regexes) -> Result<Self, QueryError> {
        let mut search = Self::new(query, format, regexes)?;
        if search.sorted.is_some() {
            let message = "sort: is for records; findings are in the order of the file".to_owned();
            return Err(QueryError { span: 0..0, message });
        }
        let terms = FindingTerms::new(query);
        if terms.needs_records() {
            search.filter_findings();
        }
        search.listed = Some(terms);
        Ok(search)
    }

    /// The terms of the query.
    pub(crate) fn terms(&self) -> &Rc<Terms> {
        &self.terms
    }

    /// The query for records that are found ahead.
    pub(crate) fn ahead(&self) -> QueryAhead {
        QueryAhead {
            query: Arc::clone(&self.query),
            regexes: self.regexes,
            is_filter: self.filtered.is_some(),
        }
    }

    /// Whether a clean record may match wherever it is in the dataset; `text` is the text of its line. `rejects_all`: the system
    /// refuses all records because of the header.
    pub(crate) fn may_match_anywhere(&self, text: &[u8], rejects_all: bool) -> bool {
        let Terms { checks, needles, .. } = &*self.terms;
        !checks.iter().any(|term| self.excludes_clean(term, rejects_all))
            && needles.iter().all(|needles| needles.are_in(text, false))
    }

    /// Whether no clean record matches a term.
    fn excludes_clean(&self, term: &CheckTerm, rejects_all: bool) -> bool {
        let is_left_to_filter = self.filtered.is_some() && term.is_about_findings;
        let is_of_header = rejects_all && term.key == CheckKey::Is;
        term.wants_findings && !is_left_to_filter && !is_of_header
    }

    /// Whether a clean record may match. `rejects_all`: the system refuses all records because of the header.
    #[inline]
    pub(crate) fn may_match(&self, record: &ScannedRecord<'_>, rejects_all: bool) -> bool {
        let is_late = self.late.has(record.at.record);
        let is_excluded = |term: &CheckTerm| match term.key {
            _ if is_late && term.wants_findings => false,
            _ if self.filtered.is_some() && term.is_about_findings => false,
            _ if self.excludes_clean(term, rejects_all) => true,
            CheckKey::Line => !term.matches(|value| has_number(value, record.at.line)),
            CheckKey::Record => !term.matches(|value| has_number(value, record.at.record + 1)),
            CheckKey::Size => !term.matches(|value| has_number(value, record.text.len() as u64)),
            _ => false,
        };
        let Terms { checks, needles, .. } = &*self.terms;
        !checks.iter().any(is_excluded)
            && needles.iter().all(|needles| needles.are_in(record.text, record.captures.is_some()))
    }

    /// Whether the query is about the number of turns of a record.
    fn wants_turns(&self) -> bool {
        self.terms.checks.iter().any(|term| term.key == CheckKey::Turns)
    }

    /// The same search, which also keeps the hits: a list reads the records again, by [`Search::select`].
    #[must_use]
    pub fn keep_hits(self) -> Self {
        Self { hits: Some(Vec::new()), ..self }
    }

    /// Removes and returns the hits so far, in the order of the list: none before they are sorted, if the query asks for that.
    pub fn take_hits(&mut self) -> Vec<Hit> {
        if self.listed() == 0 {
            return Vec::new();
        }
        self.hits.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Whether records get findings after they are counted.
    pub(crate) fn is_late(&self) -> bool {
        !self.late.is_empty()
    }

    /// Sets the findings that records get after they are counted ([`LateFindings`]). To be called before bytes are read.
    pub fn note_late(&mut self, late: LateFindings) {
        self.late = late;
    }

    /// Sets the records that the user changed. To be called before bytes are read.
    pub fn note_changed(&mut self, records: Matches) {
        self.changed = records;
    }

    /// Also notes the records that match all terms that are not about findings.
    pub(crate) fn filter_findings(&mut self) {
        self.filtered = Some(Matches::default());
    }

    /// Whether a finding is listed.
    pub(crate) fn lists(&self, finding: &Finding) -> bool {
        let matches = |record| self.filtered.as_ref().is_some_and(|filtered| filtered.contains(record));
        self.listed.as_ref().is_none_or(|terms| terms.match_finding(finding, matches))
    }

    /// The numbers of the records that match so far.
    pub fn matches(&self) -> &Matches {
        &self.matches
    }

    /// Sorts the records, if the query asks for that. To be called when the dataset is read.
    ///
    /// # Errors
    /// There are too many, as a sentence.
    pub fn finish(&mut self) -> Result<(), String> {
        let Some(sorted) = &mut self.sorted else { return Ok(()) };
        sorted.finish()?;
        if let Some(hits) = &mut self.hits {
            let mut found: BTreeMap<u64, Hit> = hits.drain(..).map(|hit| (hit.record, hit)).collect();
            hits.extend(sorted.records().iter().filter_map(|record| found.remove(record)));
        }
        Ok(())
    }

    /// How many records can be listed so far: none until they are sorted, if the query asks for that.
    pub fn listed(&self) -> u64 {
        self.sorted.as_ref().map_or(self.matches.len(), |sorted| sorted.records().len() as u64)
    }

    /// The record at a position of the list, from 0.
    pub fn select(&self, position: u64) -> Option<u64> {
        match &self.sorted {
            Some(sorted) => sorted.records().get(usize::try_from(position).ok()?).copied(),
            None => self.matches.select(position),
        }
    }

    /// The position of a record in the list, from 0; `None` if the list does not have it.
    pub fn position(&self, record: u64) -> Option<u64> {
        match &self.sorted {
            Some(sorted) => sorted.records().iter().position(|it| *it == record).map(|index| index as u64),
            None => self.matches.contains(record).then(|| self.matches.rank(record)),
        }
    }

    /// The lines of these records.
    pub fn lines(&self) -> &MatchedLines {
        &self.lines
    }
}

impl CheckTerm {
    fn new(is_negated: bool, what: &What, key: CheckKey, values: &[Wanted]) -> Self {
        let wants = |value: &Wanted| match (key, value) {
            (CheckKey::Is, Wanted::Contains(Pattern::Literal(word))) => {
                !matches!(&**word, "valid" | "changed" | "duplicate")
            }
            (CheckKey::Rule | CheckKey::Severity | CheckKey::Path | CheckKey::Attachment, _) => true,
            _ => false,
        };
        Self {
            is_negated,
            is_about_findings: what.is_about_findings(),
            wants_findings: !is_negated && values.iter().all(wants),
            key,
            values: values.to_vec(),
        }
    }

    fn asks_for_duplicates(&self) -> bool {
        let is_meant =
            |value: &Wanted| matches!(value, Wanted::Contains(Pattern::Literal(word)) if word == "duplicate");
        self.key == CheckKey::Is && self.values.iter().any(is_meant)
    }

    fn matches(&self, has: impl Fn(&Wanted) -> bool) -> bool {
        self.values.iter().any(has) != self.is_negated
    }
}
