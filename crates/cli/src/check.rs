//! Checks an input: reads the bytes that the engine requests.

use std::io;
use std::path::Path;

use evalcheck_engine::check::Check;
use evalcheck_engine::check::known_lines::FoundLines;
use evalcheck_engine::overview::Overview;
use evalcheck_engine::purpose::Purpose;
use evalcheck_engine::search::Search;
use evalcheck_engine::seen_ids::{IdHash, SeenIds};
use evalcheck_report::view::Excerpt;
use evalcheck_report::{Counts, Finding, Report};
use evalcheck_wire::findings::ExampleGroup;
use evalcheck_wire::query::QueryError;
use evalcheck_wire::worker::CheckOptions;

use encoding_rs::Encoding;
use tempfile::SpooledTempFile;

use crate::compilers::ENVIRONMENT;
use crate::decoded;
use crate::file_again::FileAgain;
use crate::filter::{Filter, Filtered};
use crate::input::Input;
use crate::sorted_ids::SortedIds;

/// The most bytes of one read. The findings of a piece are all in memory; larger pieces are read no faster.
pub(crate) const CHUNK: usize = 64 << 10;

/// The number of findings that are kept before they are shown. A dataset with fewer is shown at its end, in order.
const KEPT: usize = 10_000;

/// The result of a check.
pub(crate) struct Outcome {
    /// The report, with the findings that were not shown yet.
    pub(crate) report: Report,
    /// The counts of the findings to list.
    pub(crate) counts: Counts,
    /// The dataset, to quote lines of it.
    pub(crate) dataset: Dataset,
    /// The number of shown findings that do not count any more.
    pub(crate) retracted: u64,
    /// The reason why the input could not be read to its end.
    pub(crate) read_error: Option<String>,
    /// Remarks on the findings as a whole, a sentence each.
    pub(crate) remarks: Vec<String>,
}

/// The type of the function in [`Show`] if there is none.
pub(crate) type Unused = fn(&[Finding], &mut Dataset) -> io::Result<()>;

/// A function that receives findings during the check.
pub(crate) enum Show<F> {
    /// It receives findings immediately, even those that later turn out not to count.
    AtOnce(F),
    /// It receives only findings that count.
    Counting(F),
}

/// A dataset that was checked, and the check, which locates lines in it again.
pub(crate) struct Dataset {
    check: Check,
    input: Input,
}

impl Dataset {
    /// An input, before its bytes are read.
    pub(crate) fn open(mut input: Input, options: CheckOptions) -> Self {
        let info = input.info.clone();
        let mut check = Check::open_in(&ENVIRONMENT, &mut input, info, options);
        if let Some(encoding) = input.encoding {
            check.report_conversion(encoding);
        }
        Self { check, input }
    }

    /// Lists only the findings that match a query.
    ///
    /// # Errors
    /// The query does not fit the format of the dataset.
    pub(crate) fn filter<'f>(&mut self, filter: &'f Filter) -> Result<Filtered<'f>, QueryError> {
        Filtered::new(filter, &mut self.check)
    }

    /// Records the positions of all findings, for [`Dataset::example_groups`], and counts the statistics of the dataset. To be called
    /// before bytes are read.
    pub(crate) fn prepare_page(&mut self) {
        self.check.index_findings();
        self.count_overview();
    }

    /// Counts the statistics of the dataset. To be called before bytes are read.
    pub(crate) fn count_overview(&mut self) {
        self.check.observe(Overview::new(self.check.dataset()));
    }

    /// Uses up to `jobs` threads if that is faster. To be called after all other options are set.
    pub(crate) fn use_jobs(&mut self, jobs: usize) {
        if let Some(rules) = self.check.line_rules() {
            self.input.look_ahead(&rules, jobs);
        }
    }

    /// The repeated ids, sorted with files in a folder: reads the dataset, and reports nothing. `None` if the dataset compares no ids.
    ///
    /// # Errors
    /// The dataset cannot be read, or ids cannot be written.
    pub(crate) fn repeated_ids(&mut self, folder: &Path) -> io::Result<Option<Vec<IdHash>>> {
        let Some(ids) = self.check.ids() else { return Ok(None) };
        ids.list();
        let mut sorted = SortedIds::new(folder);
        let mut is_read = true;
        while is_read {
            is_read = self.input.check_piece(&mut self.check, CHUNK);
            sorted.add(&self.check.ids().map(SeenIds::take_listed).unwrap_or_default())?;
        }
        if let Some(why) = self.input.error() {
            return Err(io::Error::other(why));
        }
        sorted.repeated().map(Some)
    }

    /// Keeps only these ids in memory, which [`Dataset::repeated_ids`] found in the same dataset.
    pub(crate) fn remember_only(&mut self, repeated: Vec<IdHash>, of: &mut Self) {
        if let Some((ids, listed)) = self.check.ids().zip(of.check.ids()) {
            ids.remember_only(repeated, listed);
        }
    }

    /// Skips the known lines of the parts of the whole file.
    pub(crate) fn pass_over(&mut self, found: impl Iterator<Item = FoundLines> + Send + 'static) {
        self.input.pass_over(found);
    }

    /// The check.
    pub(crate) fn check(&self) -> &Check {
        &self.check
    }

    /// The file, to be opened again; `None` if the input is not a file.
    pub(crate) fn file_again(&self) -> Option<&FileAgain> {
        self.input.again()
    }

    /// The input again.
    pub(crate) fn into_input(self) -> Input {
        self.input
    }

    /// The check and its input.
    pub(crate) fn into_parts(self) -> (Check, Input) {
        (self.check, self.input)
    }

    /// A check and its input again.
    pub(crate) fn again(check: Check, input: Input) -> Self {
        Self { check, input }
    }

    /// The groups of the findings with examples.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub(crate) fn example_groups(&mut self) -> io::Result<Vec<ExampleGroup>> {
        self.check.view(&mut self.input).example_groups()
    }

    /// The line of a finding around its span; `None` if it has no line, or the file cannot be read any more.
    pub(crate) fn excerpt(&mut self, finding: &Finding) -> Option<Excerpt> {
        let span = finding.byte_start?..finding.byte_end?;
        self.check.view(&mut self.input).excerpt(span).ok()
    }

    /// The fingerprints that identify findings in another version of the dataset, see [`evalcheck_engine::preview::View::fingerprints`].
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub(crate) fn fingerprints<'f>(
        &mut self,
        findings: impl Iterator<Item = &'f Finding> + Clone,
    ) -> io::Result<Vec<u64>> {
        self.check.view(&mut self.input).fingerprints(findings)
    }

    /// A guess at the encoding of a dataset that is not UTF-8; `None` if it is UTF-8, or cannot be read any more.
    pub(crate) fn guess_encoding(&mut self) -> Option<&'static str> {
        if !self.check.has_invalid_utf8() {
            return None;
        }
        let entry =
            self.check.archive().and_then(|(_, dataset)| dataset).map(|dataset| dataset.name.to_string());
        decoded::guess(&mut self.input, entry.as_deref()).ok()?.map(Encoding::name)
    }
}

/// Checks a dataset to its end. If there are many findings, `show` receives them during the check, and the report contains the rest;
/// without `show`, the report contains all. With a filter, only matching findings count.
///
/// # Errors
/// Those of `show`.
pub(crate) fn check(
    mut dataset: Dataset,
    mut filtered: Option<Filtered<'_>>,
    show: Option<Show<impl FnMut(&[Finding], &mut Dataset) -> io::Result<()>>>,
) -> io::Result<Outcome> {
    let counts_only = filtered.is_some() || matches!(show, Some(Show::Counting(_)));
    // Only at the end of a document is it known which errors in a list count.
    let waits = counts_only && dataset.check.dataset().has_lists();
    let mut show = show.map(|(Show::AtOnce(show) | Show::Counting(show))| show);
    let mut kept = Vec::new();
    while read_piece(&mut dataset.check, &mut dataset.input) {
        if waits || filtered.is_none() && show.is_none() {
            continue;
        }
        let mut findings = dataset.check.take_findings(KEPT);
        if let Some(filtered) = &mut filtered {
            filtered.take(&mut findings);
        }
        match &mut show {
            Some(show) if !findings.is_empty() => {
                dataset.input.progress.before_output();
                show(&findings, &mut dataset)?;
            }
            Some(_) => {}
            None => kept.append(&mut findings),
        }
    }
    let mut report = dataset.check.report();
    let mut counts = report.counts.clone();
    if let Some(mut filtered) = filtered {
        filtered.take(&mut report.findings);
        report.findings.splice(0..0, kept);
        let records = dataset.check.observer::<Search>().map_or(0, |search| search.matches().len());
        counts = filtered.finish(&mut report, records);
    }
    let read_error = dataset.input.error().map(str::to_owned);
    Ok(Outcome {
        report,
        counts,
        retracted: dataset.check.dataset().collector.retracted(),
        dataset,
        read_error,
        remarks: Vec::new(),
    })
}

/// Checks the next bytes of an input, and shows the progress. Returns false at its end.
pub(crate) fn read_piece(check: &mut Check, input: &mut Input) -> bool {
    let is_read = input.check_piece(check, CHUNK);
    if is_read {
        let progress = check.progress();
        input.progress.note_findings(progress.errors + progress.warnings);
    } else {
        input.progress.end();
    }
    is_read
}

/// Checks an input to its end for a purpose, with up to `jobs` threads if that is faster.
///
/// # Errors
/// The input cannot be read to its end.
pub(crate) fn check_for(
    input: &mut Input,
    options: CheckOptions,
    purpose: &mut Purpose<SpooledTempFile>,
    jobs: usize,
) -> io::Result<Report> {
    let info = input.info.clone();
    let mut check = Check::open_in(&ENVIRONMENT, input, info, purpose.options(options));
    purpose.prepare(&mut check);
    if let Some(rules) = check.line_rules() {
        input.look_ahead(&rules, jobs);
    }
    while read_piece(&mut check, input) {
        purpose.take(&mut check);
    }
    purpose.finish(&mut check);
    match input.error() {
        Some(why) => Err(io::Error::other(why.to_owned())),
        None => Ok(check.report()),
    }
}
