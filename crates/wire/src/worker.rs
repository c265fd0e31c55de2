//! The messages between the page and the worker.
//!
//! A message is one of these enums in the binary form of Borsh, with its name beside it. A `File` or a buffer is transferred with it: the
//! page posts `{ name, command, file? }`, the worker posts `{ name, event, buffer? }`. Both are of one build, so the form needs no
//! versions. Reading it takes a fifth of the code of reading JSON, and is faster. The page gives every check a number; an answer with an
//! older number is stale and is dropped.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::{
    attachments::{AttachmentList, AttachmentQuery},
    catalogue::Catalogue,
    compare::{ComparisonSums, Difference, DifferenceKind},
    findings::{FindingList, FindingQuery, FindingSummary, FixGroup},
    fix::Change,
    markdown::{Packed, Rendered, SourceText},
    overview::Overview,
    report::{Finding, Fix, Report},
    view::{
        Attachment, ByteRange, ChangeFacts, ChangeList, Direction, EditedRecord, Hit, Lines, Piece, Record,
        Rows, TextToEdit,
    },
};

/// A number that the page gives to a check or to a file that it requests, growing.
pub type CheckId = u32;

/// A number that the page gives to a request about a check, growing.
pub type RequestId = u32;

/// The check that knows the changes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct History {
    /// The check.
    pub check: CheckId,
    /// Whether the file is the one before the last change, not the one that this check read.
    pub is_before: bool,
}

/// A command of the page to the worker.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Command {
    /// Checks the file transferred with this message. Answers: [`Event::Progress`] several times, then one [`Event::Report`] or
    /// [`Event::Cancelled`]. A new check ends earlier ones.
    Check {
        /// The number of the check.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
        /// The check that is shown meanwhile: it answers requests until the first request about the new check. All others are ended.
        shown: Option<CheckId>,
        /// The check that knows the changes of this file, if there is one.
        history: Option<History>,
    },
    /// Changes the file transferred with this message, and checks the result. A file that is added to it is transferred as `other`.
    /// Answers: [`Event::Progress`] several times, then one [`Event::Fixed`] with the new file, and its [`Event::Report`]; else
    /// [`Event::NotFixed`]. The check that is shown keeps answering requests, until the first one about the new check.
    Fix {
        /// The number of the new check.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
        /// The change.
        change: Change,
        /// The check of this file that is shown meanwhile. If its report lists all findings, they are not searched again.
        shown: Option<CheckId>,
    },
    /// Checks the file transferred with this message, and writes a file of its records with errors, each as a line of JSON with its
    /// findings. Does not affect the checks. Answer: [`Event::Exported`] or [`Event::NotExported`].
    InvalidRecords {
        /// The number of the request.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
    },
    /// Compares the file transferred with this message with its earlier version, which is transferred as `other`. Does not affect the
    /// checks. Answer: [`Event::Exported`] or [`Event::NotExported`].
    Diff {
        /// The number of the request.
        id: CheckId,
    },
    /// Packs the file transferred with this message into a ZIP, after earlier files for this number. Does not affect the checks;
    /// [`Command::Cancel`] discards the files. Answer: [`Event::Packed`] or [`Event::NotExported`].
    Pack {
        /// The number of the ZIP.
        id: CheckId,
        /// The path of the file in the ZIP.
        path: String,
    },
    /// Completes the ZIP, which has all its files. Answer: [`Event::Exported`] or [`Event::NotExported`].
    FinishPack {
        /// The number of the ZIP.
        id: CheckId,
    },
    /// Compares the records of the file transferred with this message, the newer version, with those of the older one, which is
    /// transferred as `other`. Ends the comparison before. Answers: [`Event::Comparing`] several times, then [`Event::Compared`]; or
    /// [`Event::NotCompared`].
    Compare {
        /// The number of the comparison.
        id: CheckId,
        /// How both are read.
        options: CheckOptions,
    },
    /// Stops the comparison, and discards its results. No answer.
    EndComparison {
        /// The number of the comparison.
        id: CheckId,
    },
    /// Lists records in which the versions differ, after the comparison has ended. Answer: [`Event::Differences`].
    ListDifferences {
        /// The number of the check that is shown.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The number of the comparison.
        comparison: CheckId,
        /// How the records differ; `None` for all.
        kind: Option<DifferenceKind>,
        /// The number of the first one, from 0.
        from: u64,
        /// How many.
        count: u32,
    },
    /// Finds the records that match a query in the file transferred with this message. Does not affect the checks, and ends the search
    /// before. Answers: [`Event::Hits`] several times, then [`Event::Searched`]; or [`Event::NotSearched`]. [`Command::ListHits`] lists
    /// the matches, also while the search runs.
    Search {
        /// The number of the search.
        id: CheckId,
        /// How the file was checked.
        options: CheckOptions,
        /// The query, see [`crate::query`].
        query: String,
    },
    /// Stops the search, and keeps its matches. No answer.
    StopSearch {
        /// The number of the search.
        id: CheckId,
    },
    /// Stops the check; the part that was checked can still be viewed. Answer: [`Event::Cancelled`].
    Cancel {
        /// The number of the check.
        id: CheckId,
    },
    /// Lists lines. Works while the check runs, as far as it has come. Answer: [`Event::Lines`].
    Lines {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// First line, from 1.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Lists records. Works while the check runs, as far as it has come. Answer: [`Event::Rows`].
    Rows {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The number of the first record, from 0.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Lists findings, in the order of the file, after the check has ended. Answer: [`Event::FindingList`].
    ListFindings {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// Which findings are listed.
        of: FindingQuery,
        /// The number of the first one, from 0.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Summarizes all findings as groups and a map of the file, after the check has ended. Answer: [`Event::FindingSummary`].
    SummarizeFindings {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// Which findings are summarized.
        of: FindingQuery,
    },
    /// Counts the statistics of the file transferred with this message. Ends an earlier counting. Answers: [`Event::Counting`] several
    /// times, then [`Event::Overview`]; or [`Event::NotCounted`].
    CountOverview {
        /// The number of the counting.
        id: CheckId,
        /// How the file is read.
        options: CheckOptions,
    },
    /// Stops counting.
    StopCounting {
        /// The number of the counting.
        id: CheckId,
    },
    /// Lists all kinds of fixes, some of them with examples, after the check has ended. Answer: [`Event::FixGroups`].
    ListFixes {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The first kind with examples, from 0.
        from: u32,
        /// How many kinds have examples.
        count: u32,
    },
    /// Lists places of the file that were changed since it was opened, after the check has ended. Answer: [`Event::ChangeList`].
    ListChanges {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The first place, from 0.
        from: u64,
        /// How many.
        count: u32,
    },
    /// Shows the changes of a fix. Answer: [`Event::FixDiff`].
    FixDiff {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The fix.
        fix: Box<Fix>,
    },
    /// Writes the report as an HTML page. Answer: [`Event::Exported`] or [`Event::NotExported`] with the number of the file.
    SaveReport {
        /// The number of the check.
        id: CheckId,
        /// The number of the file.
        file: CheckId,
        /// Whether the page contains parts of the dataset.
        quotes_data: bool,
        /// The statistics in the page.
        overview: Option<Box<Overview>>,
    },
    /// Finds the number of the finding that is nearest to a line: the first error on the line itself, else its first finding, else the
    /// first one after it, else the last one. Answer: [`Event::NearestFinding`].
    NearestFinding {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// Which findings are searched.
        of: FindingQuery,
        /// The line, from 1.
        line: u64,
        /// If present, the nearest error on another line is searched in this direction.
        direction: Option<Direction>,
    },
    /// Lists records that a search has found. Answer: [`Event::HitList`].
    ListHits {
        /// The number of the search.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The number of the first one, from 0.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Tells which lines belong to records that a search has found. Answer: [`Event::MatchingLines`].
    MatchingLines {
        /// The number of the search.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// First line, from 1.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Finds the nearest line or record that has an error, or that a search has found. Answer: [`Event::InvalidLine`].
    InvalidLine {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The line from which the search starts; this line itself is excluded.
        from: u64,
        /// The record from which the search for a record starts, from 0: several may be on one line.
        record: Option<u64>,
        /// The direction of the search.
        direction: Direction,
        /// The search, to find a line on which a record that it found begins.
        search: Option<CheckId>,
    },
    /// Shows one record in full. Answer: [`Event::Record`].
    Record {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The line that it begins at.
        line: u64,
        /// A byte of the dataset that the text has to show, if the text is clipped; by default that of the first finding.
        at: Option<u64>,
    },
    /// Shows the record with a number in full, alone even if others are on its line. Answer: [`Event::Record`].
    RecordOfNumber {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// Its number, from 0.
        record: u64,
        /// As in [`Command::Record`].
        at: Option<u64>,
    },
    /// A record as text to be edited. Answer: [`Event::TextToEdit`].
    TextToEdit {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The line that the record begins at.
        line: u64,
        /// A span of the dataset to be located in the text.
        span: Option<ByteRange>,
    },
    /// Checks a record with an edited text. Answer: [`Event::Rechecked`].
    Recheck {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The line that the record begins at.
        line: u64,
        /// The edited text.
        text: String,
        /// The caret, in UTF-16 code units, to request completions there.
        caret: Option<u64>,
    },
    /// Reads an attachment for showing. Answer: [`Event::Attachment`] with the bytes in a buffer.
    Attachment {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The entry's name in the archive, as in [`crate::view::AttachmentInfo::entry`].
        entry: String,
    },
    /// Lists files of an archive, after the check has ended. Answer: [`Event::AttachmentList`].
    ListAttachments {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// Which files are listed.
        of: AttachmentQuery,
        /// The number of the first one, from 0.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Renders texts of a record as Markdown. Answer: [`Event::Markdown`].
    Markdown {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The texts.
        texts: Packed<Vec<SourceText>>,
    },
    /// Asks whether the worker responds. Answer: [`Event::Pong`].
    Ping,
}

/// How to check a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Deserialize)]
#[serde(default)]
pub struct CheckOptions {
    /// A format of the catalogue; `None` detects it from the content.
    pub format: Option<String>,
    /// A version of that format; `None` detects it from the content.
    pub version: Option<String>,
    /// The most findings that are kept for one code; `None` keeps all.
    pub max_findings_per_code: Option<u64>,
    /// Whether all findings are kept, including those whose cause another one reports. There is no cap then.
    pub all: bool,
}

/// A message of the worker to the page.
#[derive(Debug, Clone, PartialEq, BorshSerialize, BorshDeserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Event {
    /// The engine is loaded. Sent once, before anything else.
    Ready {
        /// All formats and rules.
        catalogue: Catalogue,
    },
    /// The progress of the check, several times a second.
    Progress {
        /// The number of the check.
        id: CheckId,
        /// The progress.
        progress: Progress,
        /// Findings since the last message, while fewer than a screenful were sent: the first ones can be shown before the file is read
        /// to its end.
        first_findings: Vec<Finding>,
    },
    /// The first findings of a report that follows; several messages if there are many. Thousands of findings at once would block the
    /// page.
    Findings {
        /// The number of the check.
        id: CheckId,
        /// The findings after those of the last message.
        findings: Vec<Finding>,
    },
    /// The file was checked before and has only grown since, according to its first and last bytes. This many bytes from its beginning
    /// are not read again, except lines with findings. Comes before [`Event::Report`], if at all.
    Known {
        /// The number of the check.
        id: CheckId,
        /// The number of bytes.
        bytes: u64,
    },
    /// The check is done.
    Report {
        /// The number of the check.
        id: CheckId,
        /// The report, with those findings that no [`Event::Findings`] had.
        report: Report,
        /// The number of the first error among all findings; an error about a line if there is one.
        first_error: Option<u64>,
        /// Milliseconds from the command to the report.
        elapsed_ms: f64,
    },
    /// The file is changed, and is checked again: a fix can make another one possible.
    Pass {
        /// The number of the new check.
        id: CheckId,
        /// How often the file was changed.
        number: u32,
    },
    /// The changed file is transferred with this message; its report comes next. Answer to [`Command::Fix`].
    Fixed {
        /// The number of the check.
        id: CheckId,
        /// The number of fixes applied, or of records removed.
        fixes: u64,
    },
    /// The fixes could not be applied.
    NotFixed {
        /// The number of the check.
        id: CheckId,
        /// The reason, for the user.
        why: String,
    },
    /// A file was packed. Answer to [`Command::Pack`].
    Packed {
        /// The number of the ZIP.
        id: CheckId,
    },
    /// The requested file is transferred with this message. Answer to [`Command::InvalidRecords`], [`Command::Diff`],
    /// [`Command::FinishPack`] and [`Command::SaveReport`].
    Exported {
        /// The number of the request.
        id: CheckId,
    },
    /// The requested file could not be made.
    NotExported {
        /// The number of the request.
        id: CheckId,
        /// The reason, for the user.
        why: String,
    },
    /// The progress of a search, several times a second.
    Hits {
        /// The number of the search.
        id: CheckId,
        /// The number of matching records so far.
        count: u64,
        /// The progress.
        progress: Progress,
        /// The first matches, in the first message that has some; not more than a screen shows.
        first_hits: Vec<Hit>,
    },
    /// The file was searched to its end.
    Searched {
        /// The number of the search.
        id: CheckId,
        /// The number of matching records.
        count: u64,
    },
    /// The query is invalid, or the file could not be searched to its end.
    NotSearched {
        /// The number of the search.
        id: CheckId,
        /// The reason, for the user.
        why: String,
    },
    /// The user stopped the check; the report covers the part that was read, with `checked: false`.
    Cancelled {
        /// The number of the check.
        id: CheckId,
        /// The report up to that point; its findings as in [`Event::Report`].
        report: Report,
        /// As in [`Event::Report`].
        first_error: Option<u64>,
        /// Milliseconds from the command.
        elapsed_ms: f64,
    },
    /// Answer to [`Command::Lines`].
    Lines {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The lines.
        lines: Lines,
    },
    /// Answer to [`Command::Rows`].
    Rows {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The records.
        rows: Rows,
    },
    /// Answer to [`Command::ListFindings`].
    FindingList {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The findings.
        list: FindingList,
    },
    /// Answer to [`Command::SummarizeFindings`].
    FindingSummary {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The groups and the map.
        summary: FindingSummary,
    },
    /// The progress of counting the statistics, several times a second.
    Counting {
        /// The number of the counting.
        id: CheckId,
        /// The progress.
        progress: Progress,
    },
    /// The statistics of a file.
    Overview {
        /// The number of the counting.
        id: CheckId,
        /// The statistics.
        overview: Box<Overview>,
    },
    /// The statistics could not be counted to the end of the file.
    NotCounted {
        /// The number of the counting.
        id: CheckId,
        /// The reason, for the user.
        why: String,
    },
    /// The progress of a comparison, several times a second.
    Comparing {
        /// The number of the comparison.
        id: CheckId,
        /// How often both versions were read before.
        part: u32,
        /// Bytes read of both versions.
        bytes: u64,
        /// The number of bytes to read.
        total_bytes: u64,
    },
    /// The versions are compared.
    Compared {
        /// The number of the comparison.
        id: CheckId,
        /// The differences.
        sums: Box<ComparisonSums>,
    },
    /// The versions cannot be compared.
    NotCompared {
        /// The number of the comparison.
        id: CheckId,
        /// The reason, for the user.
        why: String,
    },
    /// Answer to [`Command::ListDifferences`].
    Differences {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The records; fewer than requested at the end, or if there are many.
        list: Vec<Difference>,
    },
    /// Answer to [`Command::ListFixes`].
    FixGroups {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The kinds: safe ones before unsafe ones, and of these those with most findings first.
        groups: Vec<FixGroup>,
    },
    /// Answer to [`Command::ListChanges`].
    ChangeList {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The places.
        list: ChangeList,
        /// Facts about the changes; `None` if nothing is known.
        facts: Option<ChangeFacts>,
    },
    /// Answer to [`Command::FixDiff`].
    FixDiff {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The pieces, in their order; none for a fix without edits.
        diff: Vec<Piece>,
    },
    /// Answer to [`Command::NearestFinding`].
    NearestFinding {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// Its number; `None` if there is no finding.
        number: Option<u64>,
    },
    /// Answer to [`Command::ListHits`].
    HitList {
        /// The number of the search.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The records; fewer than requested at the end, or if they are long.
        hits: Vec<Hit>,
    },
    /// Answer to [`Command::MatchingLines`].
    MatchingLines {
        /// The number of the search.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// For each line, whether it belongs to a record that was found.
        matches: Vec<bool>,
    },
    /// Answer to [`Command::InvalidLine`].
    InvalidLine {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The line; `None` if there is no such line.
        line: Option<u64>,
        /// The record of its first finding, from 0, if the finding is about one.
        record: Option<u64>,
    },
    /// Answer to [`Command::Record`] and [`Command::RecordOfNumber`].
    Record {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The record; `None` if there is no such line or record.
        record: Option<Box<Record>>,
    },
    /// Answer to [`Command::TextToEdit`].
    TextToEdit {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The text; `None` for a record that cannot be edited.
        text: Option<TextToEdit>,
    },
    /// Answer to [`Command::Recheck`].
    Rechecked {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The record with that text; `None` if there is no such record.
        edited: Option<EditedRecord>,
    },
    /// Answer to [`Command::Attachment`].
    Attachment {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The attachment, or the reason why it could not be read, in words for the user.
        attachment: Result<Attachment, String>,
    },
    /// Answer to [`Command::ListAttachments`].
    AttachmentList {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The files.
        list: AttachmentList,
    },
    /// Answer to [`Command::Markdown`].
    Markdown {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The texts, in the order of the request.
        rendered: Packed<Vec<Rendered>>,
    },
    /// The request could not be answered (the file changed or is gone).
    Unavailable {
        /// The number of the check.
        id: CheckId,
        /// The number of the request.
        request: RequestId,
        /// The reason, in words for the user.
        message: String,
    },
    /// Answer to [`Command::Ping`].
    Pong,
    /// The engine panicked, and this worker cannot be used any more. The page starts a new one. An engine that panicked sends nothing:
    /// `watch.js` posts `{ name: "died", id, message, bytes, line }`.
    Died {
        /// The check that was running.
        id: Option<CheckId>,
        /// A description of the panic, for a bug report.
        message: String,
        /// The dataset was checked up to this byte.
        checked_bytes: u64,
        /// The line that was being read.
        line: u64,
    },
}

/// A message between the page and the worker.
pub trait Message: BorshSerialize + BorshDeserialize {
    /// The name of the command or event, `stop_search`, for code that routes messages without reading them.
    fn name(&self) -> &'static str;

    /// The bytes that are posted.
    fn write(&self) -> Vec<u8> {
        // Writing to memory does not fail, and every value can be serialized: times are finite.
        borsh::to_vec(self).unwrap_or_default()
    }

    /// Reads the output of [`Message::write`]; `None` for anything else.
    fn read(bytes: &[u8]) -> Option<Self> {
        borsh::from_slice(bytes).ok()
    }
}

impl Message for Command {
    fn name(&self) -> &'static str {
        self.into()
    }
}

impl Message for Event {
    fn name(&self) -> &'static str {
        self.into()
    }
}

/// Joins the findings that arrive in several messages into one report.
#[derive(Debug, Default)]
pub struct Assembly {
    id: CheckId,
    findings: Vec<Finding>,
}

impl Assembly {
    /// Takes an event of the worker, and returns it when it is complete.
    #[must_use]
    pub fn take(&mut self, mut event: Event) -> Option<Event> {
        match &mut event {
            Event::Findings { id, findings } => {
                if *id != self.id {
                    self.findings.clear();
                }
                self.id = *id;
                self.findings.append(findings);
                return None;
            }
            Event::Report { id, report, .. } | Event::Cancelled { id, report, .. } => {
                let mut first = std::mem::take(&mut self.findings);
                if *id == self.id {
                    first.append(&mut report.findings);
                    report.findings = first;
                }
            }
            _ => {}
        }
        Some(event)
    }
}

/// The progress of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Progress {
    /// Bytes read of the file.
    pub bytes: u64,
    /// The number of bytes to read.
    pub total_bytes: u64,
    /// Records checked.
    pub records: u64,
    /// Lines read.
    pub lines: u64,
    /// Errors found.
    pub errors: u64,
    /// Warnings found.
    pub warnings: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
      "report": "evalcheck/1",
      "tool": { "name": "evalcheck", "version": "1" },
      "file": { "name": "a.jsonl", "size": 1 },
      "format": { "id": "x", "version": "", "detected": true, "confidence": 1, "reason": "", "others": [] },
      "valid": false,
      "checked": true,
      "counts": {
        "lines": 9, "records": 9, "valid": 0, "invalid": 9, "blank": 0, "header": 0,
        "errors": 9, "warnings": 0, "infos": 0, "by_code": {}
      },
      "truncated": false,
      "notes": [],
      "findings": []
    }"#;

    fn findings_of(line: u32) -> Vec<Finding> {
        serde_json::from_str(&format!(
            r#"[{{"code":"json/syntax","severity":"error","line":{line},"message":"no"}}]"#
        ))
        .unwrap()
    }

    fn findings(id: CheckId, line: u32) -> Event {
        Event::Findings { id, findings: findings_of(line) }
    }

    fn report(id: CheckId, line: u32) -> Event {
        let report = Report { findings: findings_of(line), ..serde_json::from_str(REPORT).unwrap() };
        Event::Report { id, report, first_error: Some(0), elapsed_ms: 1.5 }
    }

    fn lines(event: Option<Event>) -> Vec<Option<u64>> {
        match event {
            Some(Event::Report { report, .. }) => {
                report.findings.iter().map(|finding| finding.line).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let event = report(3, 7);
        assert_eq!(Event::read(&event.write()), Some(event.clone()));
        assert_eq!(event.name(), "report");
        let command = Command::Lines { id: 1, request: 2, from: u64::MAX, count: 4 };
        assert_eq!(Command::read(&command.write()), Some(command));
        assert_eq!(Command::StopSearch { id: 1 }.name(), "stop_search");
    }

    #[test]
    fn bytes_that_are_no_message_are_not_read() {
        let mut written = report(3, 7).write();
        assert_eq!(Event::read(&written[..written.len() - 1]), None);
        written.push(0);
        assert_eq!(Event::read(&written), None);
        assert_eq!(Command::read(b"{}"), None);
    }

    #[test]
    fn findings_that_came_before_their_report_are_put_in_front() {
        let mut assembly = Assembly::default();
        assert_eq!(assembly.take(findings(3, 1)), None);
        assert_eq!(assembly.take(findings(3, 2)), None);
        assert_eq!(assembly.take(Event::Pong), Some(Event::Pong));
        assert_eq!(lines(assembly.take(report(3, 5))), [Some(1), Some(2), Some(5)]);
        assert_eq!(lines(assembly.take(report(3, 7))), [Some(7)]);
    }

    #[test]
    fn findings_of_another_job_are_no_part_of_a_report() {
        let mut assembly = Assembly::default();
        assert_eq!(assembly.take(findings(3, 1)), None);
        assert_eq!(assembly.take(findings(4, 2)), None);
        assert_eq!(lines(assembly.take(report(4, 3))), [Some(2), Some(3)]);
        assert_eq!(assembly.take(findings(4, 4)), None);
        assert_eq!(lines(assembly.take(report(5, 6))), [Some(6)]);
    }
}
