//! Answers questions about all findings of a check.

use std::io::{self, Write};

use evalcheck_blob::BlobWriter;
use evalcheck_engine::findings::FindingFilter;
use evalcheck_engine::search::{Search, short_names};
use evalcheck_render::html;
use evalcheck_report::Report;
use evalcheck_report::overview::Overview;
use evalcheck_report::view::Direction;
use evalcheck_wire::findings::{FindingList, FindingQuery, FindingSummary};
use evalcheck_wire::query::Query;
use web_sys::Blob;

use crate::check::FileCheck;
use crate::search::Searches;

impl FileCheck {
    /// Returns the nearest invalid record from a record on, else the nearest line with an error from a line on: its line, and its 0-based
    /// record if known.
    pub(crate) fn next_invalid(
        &self,
        from: u64,
        record: Option<u64>,
        direction: Direction,
    ) -> (Option<u64>, Option<u64>) {
        let check = self.check();
        let findings = check.findings();
        let of_record = record.zip(findings);
        let of_record = of_record.and_then(|(record, findings)| findings.invalid_record(record, direction));
        if let Some((record, Some(line))) = of_record {
            return (Some(line), Some(record));
        }
        let line = check.dataset().collector.error_line(from, direction);
        (line, line.zip(findings).and_then(|(line, findings)| findings.record_of_line(line)))
    }

    /// Lists `count` findings of a query from number `from` on.
    pub(crate) fn list_findings(
        &self,
        of: &FindingQuery,
        searches: &Searches,
        from: u64,
        count: u32,
    ) -> io::Result<FindingList> {
        with_filter(of, searches, |filter| {
            self.check().view(&mut *self.source()).findings(from, count, filter)
        })
    }

    /// Returns the report as an HTML page, with these statistics.
    pub(crate) fn html_report(&self, quotes_data: bool, overview: Option<Overview>) -> Result<Blob, String> {
        let groups = self.check().view(&mut *self.source()).example_groups();
        let report = Report { overview, ..self.check().report() };
        let mut out = BlobWriter::default();
        let made = groups.and_then(|groups| {
            out.write_all(html::page(&report, &report.file.name, &groups, quotes_data).as_bytes())?;
            out.finish()
        });
        made.map_err(|error| error.to_string())
    }

    /// Returns the groups and the map of the findings of a query.
    pub(crate) fn summarize_findings(
        &self,
        of: &FindingQuery,
        searches: &Searches,
    ) -> io::Result<FindingSummary> {
        with_filter(of, searches, |filter| {
            self.check().findings().map(|findings| findings.summary(filter)).unwrap_or_default()
        })
    }

    /// Returns the number of the finding of a query that is nearest to a line, or of the nearest error in a direction.
    pub(crate) fn nearest_finding(
        &self,
        of: &FindingQuery,
        searches: &Searches,
        line: u64,
        direction: Option<Direction>,
    ) -> io::Result<Option<u64>> {
        with_filter(of, searches, |filter| {
            let check = self.check();
            let findings = check.findings()?;
            match direction {
                Some(direction) => findings.error_beside(filter, line, direction),
                None => findings.nearest(filter, line),
            }
        })
    }
}

/// Builds the filter of a query, and passes it to `answer`.
///
/// # Errors
/// The query is wrong, or needs a search that is gone.
fn with_filter<T>(
    of: &FindingQuery,
    searches: &Searches,
    answer: impl FnOnce(&FindingFilter<'_>) -> T,
) -> io::Result<T> {
    let query = Query::parse(&of.query, &short_names()).map_err(io::Error::other)?;
    let search = of.search.map(|request| searches.find(request)).transpose()?;
    let check = search.as_deref().map(FileCheck::check);
    let matches = check.as_deref().and_then(|check| check.observer()).map(Search::matches);
    let is_found = |record: u64| matches.is_some_and(|matches| matches.contains(record));
    let records = matches.is_some().then_some(&is_found as &dyn Fn(u64) -> bool);
    Ok(answer(&FindingFilter::new(&query, records).map_err(io::Error::other)?))
}
