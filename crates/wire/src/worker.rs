//! What the page and the worker say to each other.
//!
//! A message is one of these enums in the binary form of Borsh, with its name beside it. A `File` or a buffer travels with it: the page
//! posts `{ name, command, file? }`, the worker posts `{ name, event, buffer? }`. Both are of one build, so that the form has no
//! versions. It is read by a fifth of the code that reading JSON takes, and faster. Every check has a number given by the page; an
//! answer that bears an older number is stale and is dropped.

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

/// A number that the page gives to a check, or to a file that it asks for, growing.
pub type CheckId = u32;

/// A number that the page gives to a question about a check, growing.
pub type RequestId = u32;

/// The check that knows what was changed in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct History {
    /// The check.
    pub check: CheckId,
    /// The file is what it was before the last change, not what that check read.
    pub is_before: bool,
}

/// What the page asks of the worker.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Command {
    /// Check the file that travels beside this message. Answers: [`Event::Progress`] several times, then one
    /// [`Event::Report`] or [`Event::Cancelled`]. A new check ends those before.
    Check {
        /// The number of the check.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
        /// The check that is shown meanwhile: it answers questions until the first one about the new check. All others are ended.
        shown: Option<CheckId>,
        /// Where it is known what was changed in this file.
        history: Option<History>,
    },
    /// Change the file that travels beside this message, and check what it is then. A file that is added to it travels as `other`. Answers: [`Event::Progress`] several times, then one
    /// [`Event::Fixed`] with the new file beside it, and its [`Event::Report`]; else [`Event::NotFixed`]. The check that is shown goes on
    /// answering questions, until the first one about the new check.
    Fix {
        /// The number of the new check.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
        /// What is to be changed.
        change: Change,
        /// The check of this file that is shown meanwhile. Where its report lists all findings, they are not looked for again.
        shown: Option<CheckId>,
    },
    /// Check the file that travels beside this message for a file of the records with errors, each as a line of JSON with its findings.
    /// Leaves the checks as they are. Answer: [`Event::Exported`] or [`Event::NotExported`].
    InvalidRecords {
        /// The number of the request.
        id: CheckId,
        /// How to check.
        options: CheckOptions,
    },
    /// Compare the file that travels beside this message with what it was, which travels as `other`. Leaves the checks as they are.
    /// Answer: [`Event::Exported`] or [`Event::NotExported`].
    Diff {
        /// The number of the request.
        id: CheckId,
    },
    /// Pack the file that travels beside this message into a ZIP, with those of this number that came before. Leaves the checks as they
    /// are; [`Command::Cancel`] forgets them. Answer: [`Event::Packed`] or [`Event::NotExported`].
    Pack {
        /// The number of the ZIP.
        id: CheckId,
        /// The path of the file in the ZIP.
        path: String,
    },
    /// The ZIP has all its files. Answer: [`Event::Exported`] or [`Event::NotExported`].
    FinishPack {
        /// The number of the ZIP.
        id: CheckId,
    },
    /// Compare the records of the file that travels beside this message, the newer version, with those of the older one, which travels as
    /// `other`. Ends the comparison before. Answers: [`Event::Comparing`] several times, then [`Event::Compared`]; or
    /// [`Event::NotCompared`].
    Compare {
        /// The number of the comparison.
        id: CheckId,
        /// How both are read.
        options: CheckOptions,
    },
    /// Stop the comparison, and forget what it found. No answer.
    EndComparison {
        /// The number of the comparison.
        id: CheckId,
    },
    /// Records in which the versions differ; after the comparison has ended. Answer: [`Event::Differences`].
    ListDifferences {
        /// The number of the check that is shown.
        id: CheckId,
        /// The question's number.
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
    /// Find the records that match a query in the file that travels beside this message. Leaves the checks as they are, and ends the search
    /// before. Answers: [`Event::Hits`] several times, then [`Event::Searched`]; or [`Event::NotSearched`]. What was found is listed with
    /// [`Command::ListHits`], also while it runs.
    Search {
        /// The number of the search.
        id: CheckId,
        /// How the file was checked.
        options: CheckOptions,
        /// The query, see [`crate::query`].
        query: String,
    },
    /// Stop the search; what was found stays. No answer.
    StopSearch {
        /// The number of the search.
        id: CheckId,
    },
    /// Stop the check; what was checked so far stays to be looked at. Answer: [`Event::Cancelled`].
    Cancel {
        /// The number of the check.
        id: CheckId,
    },
    /// Lines for the list. Works while the check runs, as far as it has come. Answer: [`Event::Lines`].
    Lines {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// First line, from 1.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Records for the list. Works while the check runs, as far as it has come. Answer: [`Event::Rows`].
    Rows {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The number of the first record, from 0.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Findings for the list, in the order of the file; after the check has ended. Answer: [`Event::FindingList`].
    ListFindings {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// Which findings are listed.
        of: FindingQuery,
        /// The number of the first one, from 0.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// What all findings come to: groups and a map of the file; after the check has ended. Answer: [`Event::FindingSummary`].
    SummarizeFindings {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// Which findings are meant.
        of: FindingQuery,
    },
    /// Count the statistics of the file that travels with the command. Ends the counting before. Answers: [`Event::Counting`] several times,
    /// then [`Event::Overview`]; or [`Event::NotCounted`].
    CountOverview {
        /// The number of the counting.
        id: CheckId,
        /// How the file is read.
        options: CheckOptions,
    },
    /// Stop counting.
    StopCounting {
        /// The number of the counting.
        id: CheckId,
    },
    /// All kinds of fixes, some of them with examples; after the check has ended. Answer: [`Event::FixGroups`].
    ListFixes {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The first kind with examples, from 0.
        from: u32,
        /// How many kinds have examples.
        count: u32,
    },
    /// Places of the file that were changed since it was opened; after the check has ended. Answer: [`Event::ChangeList`].
    ListChanges {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The first place, from 0.
        from: u64,
        /// How many.
        count: u32,
    },
    /// What a fix changes. Answer: [`Event::FixDiff`].
    FixDiff {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The fix.
        fix: Box<Fix>,
    },
    /// The report as a page of HTML. Answer: [`Event::Exported`] or [`Event::NotExported`] with the number of the file.
    SaveReport {
        /// The number of the check.
        id: CheckId,
        /// The number of the file.
        file: CheckId,
        /// True for one with parts of the dataset.
        quotes_data: bool,
        /// The statistics that are to be in it.
        overview: Option<Box<Overview>>,
    },
    /// The number of the finding that is nearest to a line: of the line itself, else of the first one after it, else of the last one.
    /// Answer: [`Event::NearestFinding`].
    NearestFinding {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// Which findings are meant.
        of: FindingQuery,
        /// The line, from 1.
        line: u64,
        /// The nearest error on another line is meant, in this direction.
        direction: Option<Direction>,
    },
    /// Records that a search has found. Answer: [`Event::HitList`].
    ListHits {
        /// The number of the search.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The number of the first one, from 0.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Which lines belong to records that a search has found. Answer: [`Event::MatchingLines`].
    MatchingLines {
        /// The number of the search.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// First line, from 1.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// The nearest line or record that has an error, or that a search has found. Answer: [`Event::InvalidLine`].
    InvalidLine {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The line from which on it is looked for; that line itself is not meant.
        from: u64,
        /// The record from which on a record is looked for, from 0: several may be on one line.
        record: Option<u64>,
        /// Where it is looked for.
        direction: Direction,
        /// The search, if a line is meant on which a record begins that it has found.
        search: Option<CheckId>,
    },
    /// One record in full. Answer: [`Event::Record`].
    Record {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The line that it begins at.
        line: u64,
        /// A byte of the dataset that the text has to show, where not all of it is shown; by default that of the first finding.
        at: Option<u64>,
    },
    /// The record of a number in full, alone also where others are on its line. Answer: [`Event::Record`].
    RecordOfNumber {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
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
        /// The question's number.
        request: RequestId,
        /// The line that the record begins at.
        line: u64,
        /// A span of the dataset that is to be found in the text.
        span: Option<ByteRange>,
    },
    /// Checks a record with another text. Answer: [`Event::Rechecked`].
    Recheck {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The line that the record begins at.
        line: u64,
        /// The text in its place.
        text: String,
        /// Where the caret is, in UTF-16 code units, to be told what can be written there.
        caret: Option<u64>,
    },
    /// An attachment for showing. Answer: [`Event::Attachment`] with the bytes in a buffer beside it.
    Attachment {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The entry's name in the archive, as [`crate::view::AttachmentInfo::entry`] has it.
        entry: String,
    },
    /// Files of an archive, after the check has ended. Answer: [`Event::AttachmentList`].
    ListAttachments {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// Which files are listed.
        of: AttachmentQuery,
        /// The number of the first one, from 0.
        from: u64,
        /// How many, at most 500.
        count: u32,
    },
    /// Texts of a record, to be rendered as Markdown. Answer: [`Event::Markdown`].
    Markdown {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The texts.
        texts: Packed<Vec<SourceText>>,
    },
    /// Are you there? Answer: [`Event::Pong`].
    Ping,
}

/// How to check a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Deserialize)]
#[serde(default)]
pub struct CheckOptions {
    /// A format of the catalogue; `None` lets the content decide.
    pub format: Option<String>,
    /// A version of that format; `None` lets the content decide.
    pub version: Option<String>,
    /// The most findings that are kept for one code; `None` keeps all.
    pub max_findings_per_code: Option<u64>,
    /// Keeps every finding, those too whose cause another one says. There is no cap then.
    pub all: bool,
}

/// What the worker tells the page.
#[derive(Debug, Clone, PartialEq, BorshSerialize, BorshDeserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Event {
    /// The engine is loaded. Sent once, before anything else.
    Ready {
        /// All formats and rules.
        catalogue: Catalogue,
    },
    /// How far the check has come; several times a second.
    Progress {
        /// The number of the check.
        id: CheckId,
        /// How far.
        progress: Progress,
        /// Findings since the last message, while fewer than a screenful were sent: the first ones can be shown
        /// before the file is read to its end.
        first_findings: Vec<Finding>,
    },
    /// The report is about to come, and these are the first of its findings; several times where there are many. So
    /// that the page never takes thousands at once, which would block it.
    Findings {
        /// The number of the check.
        id: CheckId,
        /// What follows on those of the last message.
        findings: Vec<Finding>,
    },
    /// The file was checked before and has only grown since, as far as its first and last bytes say: so many bytes from its beginning are
    /// not read again, but for lines with findings. Comes before [`Event::Report`], if at all.
    Known {
        /// The number of the check.
        id: CheckId,
        /// The bytes.
        bytes: u64,
    },
    /// The check is done.
    Report {
        /// The number of the check.
        id: CheckId,
        /// The report, with those findings that no [`Event::Findings`] had.
        report: Report,
        /// The number of the first error among all findings, one about a line if there is one.
        first_error: Option<u64>,
        /// Milliseconds from the command to the report.
        elapsed_ms: f64,
    },
    /// The file is changed, and is checked another time: a fix can make another one possible.
    Pass {
        /// The number of the new check.
        id: CheckId,
        /// How often the file was changed.
        number: u32,
    },
    /// The changed file travels beside this message; its report comes next. Answer to [`Command::Fix`].
    Fixed {
        /// The number of the check.
        id: CheckId,
        /// How many fixes were applied, or records left out.
        fixes: u64,
    },
    /// The fixes could not be applied.
    NotFixed {
        /// The number of the check.
        id: CheckId,
        /// Why, for the user.
        why: String,
    },
    /// A file was packed. Answer to [`Command::Pack`].
    Packed {
        /// The number of the ZIP.
        id: CheckId,
    },
    /// The file that was asked for travels beside this message. Answer to [`Command::InvalidRecords`] and [`Command::Diff`].
    Exported {
        /// The number of the request.
        id: CheckId,
    },
    /// The file that was asked for could not be made.
    NotExported {
        /// The number of the request.
        id: CheckId,
        /// Why, for the user.
        why: String,
    },
    /// How far a search has come; several times a second.
    Hits {
        /// The number of the search.
        id: CheckId,
        /// How many records match so far.
        count: u64,
        /// How far the search has come.
        progress: Progress,
        /// The first matches, in the first message that has some; no more than a screen needs.
        first_hits: Vec<Hit>,
    },
    /// The file was searched to its end.
    Searched {
        /// The number of the search.
        id: CheckId,
        /// How many records match.
        count: u64,
    },
    /// The query is wrong, or the file could not be searched to its end.
    NotSearched {
        /// The number of the search.
        id: CheckId,
        /// Why, for the user.
        why: String,
    },
    /// The check was stopped by the user; the report is of what was read, with `checked: false`.
    Cancelled {
        /// The number of the check.
        id: CheckId,
        /// What was found until then; its findings as in [`Event::Report`].
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
        /// The question's number.
        request: RequestId,
        /// The lines.
        lines: Lines,
    },
    /// Answer to [`Command::Rows`].
    Rows {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The records.
        rows: Rows,
    },
    /// Answer to [`Command::ListFindings`].
    FindingList {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The findings.
        list: FindingList,
    },
    /// Answer to [`Command::SummarizeFindings`].
    FindingSummary {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The groups and the map.
        summary: FindingSummary,
    },
    /// How far the statistics are counted; several times a second.
    Counting {
        /// The number of the counting.
        id: CheckId,
        /// How far it has come.
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
        /// Why, for the user.
        why: String,
    },
    /// How far a comparison has come; several times a second.
    Comparing {
        /// The number of the comparison.
        id: CheckId,
        /// How often both versions were read before.
        part: u32,
        /// Bytes read of both.
        bytes: u64,
        /// Bytes that there are to read.
        total_bytes: u64,
    },
    /// The versions are compared.
    Compared {
        /// The number of the comparison.
        id: CheckId,
        /// What differs.
        sums: Box<ComparisonSums>,
    },
    /// The versions cannot be compared.
    NotCompared {
        /// The number of the comparison.
        id: CheckId,
        /// Why, for the user.
        why: String,
    },
    /// Answer to [`Command::ListDifferences`].
    Differences {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The records; fewer than asked for at the end, and where there are many.
        list: Vec<Difference>,
    },
    /// Answer to [`Command::ListFixes`].
    FixGroups {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The kinds: the safe ones before the others, and of these those with most findings first.
        groups: Vec<FixGroup>,
    },
    /// Answer to [`Command::ListChanges`].
    ChangeList {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The places.
        list: ChangeList,
        /// What is known of the changes; `None` where nothing is.
        facts: Option<ChangeFacts>,
    },
    /// Answer to [`Command::FixDiff`].
    FixDiff {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The pieces, in their order; none for a fix without edits.
        diff: Vec<Piece>,
    },
    /// Answer to [`Command::NearestFinding`].
    NearestFinding {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// Its number; `None` when there is no finding.
        number: Option<u64>,
    },
    /// Answer to [`Command::ListHits`].
    HitList {
        /// The number of the search.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The records; fewer than asked for at the end and where they are long.
        hits: Vec<Hit>,
    },
    /// Answer to [`Command::MatchingLines`].
    MatchingLines {
        /// The number of the search.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// Of each line, whether it belongs to a record that was found.
        matches: Vec<bool>,
    },
    /// Answer to [`Command::InvalidLine`].
    InvalidLine {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The line; `None` when there is no such line.
        line: Option<u64>,
        /// The record of its first finding, from 0, where that is about one.
        record: Option<u64>,
    },
    /// Answer to [`Command::Record`] and [`Command::RecordOfNumber`].
    Record {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The record; `None` when there is no such line or record.
        record: Option<Box<Record>>,
    },
    /// Answer to [`Command::TextToEdit`].
    TextToEdit {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The text; `None` for a record that cannot be edited.
        text: Option<TextToEdit>,
    },
    /// Answer to [`Command::Recheck`].
    Rechecked {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The record with that text; `None` when there is no such record.
        edited: Option<EditedRecord>,
    },
    /// Answer to [`Command::Attachment`].
    Attachment {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// What was read, or why it could not be, in words for the user.
        attachment: Result<Attachment, String>,
    },
    /// Answer to [`Command::ListAttachments`].
    AttachmentList {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The files.
        list: AttachmentList,
    },
    /// Answer to [`Command::Markdown`].
    Markdown {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// The texts, in the order in which they were asked for.
        rendered: Packed<Vec<Rendered>>,
    },
    /// The question could not be answered (the file changed or went away); in words for the user.
    Unavailable {
        /// The number of the check.
        id: CheckId,
        /// The question's number.
        request: RequestId,
        /// Why.
        message: String,
    },
    /// Answer to [`Command::Ping`].
    Pong,
    /// The engine panicked; this worker is of no more use. The page starts a new one. An engine that panicked sends nothing: `watch.js`
    /// posts `{ name: "died", id, message, bytes, line }`.
    Died {
        /// The check that was running.
        id: Option<CheckId>,
        /// What happened, for a bug report.
        message: String,
        /// The dataset was checked up to this byte.
        checked_bytes: u64,
        /// The line that was being read.
        line: u64,
    },
}

/// A message between the page and the worker.
pub trait Message: BorshSerialize + BorshDeserialize {
    /// The name of the command or event, `stop_search`, for those who look at messages without reading them.
    fn name(&self) -> &'static str;

    /// The bytes that are posted.
    fn write(&self) -> Vec<u8> {
        // Writing to memory does not fail, and there is no value that has no form: times are finite.
        borsh::to_vec(self).unwrap_or_default()
    }

    /// Reads what [`Message::write`] has written; `None` for anything else.
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

/// Puts a report together whose findings came in several messages.
#[derive(Debug, Default)]
pub struct Assembly {
    id: CheckId,
    findings: Vec<Finding>,
}

impl Assembly {
    /// Takes an event of the worker; gives it back when it is whole.
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

/// How far a check has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "types", derive(schemars::JsonSchema))]
pub struct Progress {
    /// Bytes read of the file.
    pub bytes: u64,
    /// Bytes that there are to read.
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
