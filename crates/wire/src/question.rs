//! Questions of the page about a check, and the answers of the worker.
//!
//! A list is asked for page by page. Five questions take long ([`Question::takes_long`]): the worker reports their progress, and they can
//! be stopped. What a search or a comparison has found is listed by the number of its request.

#![allow(missing_docs, reason = "`EnumTryAs` makes methods without documentation")]

use borsh::{BorshDeserialize, BorshSerialize};
use strum::{EnumTryAs, IntoStaticStr};

use crate::{
    attachments::{AttachmentList, AttachmentQuery},
    compare::{ComparisonSums, Difference, DifferenceKind},
    findings::{FindingList, FindingQuery, FindingSummary, FixGroup},
    ids::RequestId,
    markdown::{Packed, Rendered, SourceText},
};
use evalcheck_report::overview::Overview;
use evalcheck_report::view::{
    Attachment, ByteRange, ChangeFacts, ChangeList, Direction, EditedRecord, Lines, Piece, Record, Rows,
    TextToEdit,
};
use evalcheck_report::{Fix, Report};

/// A question about a check.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Question {
    /// Items of a list. The answer is that of the [`List`], and may have fewer items than requested if they are long.
    Page {
        /// The list.
        list: List,
        /// The number of the first item, from 0.
        from: u64,
        /// How many items, at most 500.
        count: u32,
    },
    /// The groups and the map of findings. Answer: [`Answer::FindingSummary`].
    FindingSummary(FindingQuery),
    /// The finding nearest to a line: on the line itself, else the first one after it, else the last one. Answer:
    /// [`Answer::NearestFinding`].
    NearestFinding {
        /// The findings to search.
        of: FindingQuery,
        /// The line, from 1.
        line: u64,
        /// The nearest error on another line in this direction is wanted.
        direction: Option<Direction>,
    },
    /// The nearest line or record that has an error, or that a search has found. Answer: [`Answer::InvalidLine`].
    InvalidLine {
        /// The line to start after.
        from: u64,
        /// The record to start after, from 0, to find a record: several may be on one line.
        record: Option<u64>,
        /// The direction.
        direction: Direction,
        /// The search, to find a line on which a record begins that it has found.
        search: Option<RequestId>,
    },
    /// All kinds of fixes, some of them with examples. Answer: [`Answer::FixGroups`].
    FixGroups {
        /// The first kind with examples, from 0.
        from: u32,
        /// How many kinds have examples.
        count: u32,
    },
    /// The changes of a fix. Answer: [`Answer::FixDiff`].
    FixDiff(Box<Fix>),
    /// A record in full. Answer: [`Answer::Record`].
    Record {
        /// The record.
        place: RecordPlace,
        /// A byte of the dataset that the text has to show, if the text is clipped; by default that of the first finding.
        at: Option<u64>,
        /// The search whose matches are marked in the conversation.
        search: Option<RequestId>,
    },
    /// A record as text to be edited. Answer: [`Answer::TextToEdit`].
    TextToEdit {
        /// The line that the record begins at.
        line: u64,
        /// A span of the dataset to be located in the text.
        span: Option<ByteRange>,
    },
    /// The findings of a record with an edited text. Answer: [`Answer::EditedRecord`].
    EditedRecord {
        /// The line that the record begins at.
        line: u64,
        /// The edited text.
        text: String,
        /// The caret, in UTF-16 code units, to request completions there.
        caret: Option<u64>,
    },
    /// An attachment, by the name of its entry in the archive. Answer: [`Answer::Attachment`] with the bytes in a buffer.
    Attachment(String),
    /// Texts of a record, rendered as Markdown. Answer: [`Answer::Markdown`].
    Markdown(Packed<Vec<SourceText>>),
    /// The records that match a query, see [`crate::query`]. Takes long. Answer: [`Answer::Found`].
    Search(String),
    /// The position of a record among those that a search has found so far. Answer:
    /// [`Answer::Position`].
    Position {
        /// The search.
        search: RequestId,
        /// The record, from 0.
        record: u64,
    },
    /// The statistics of the dataset. Takes long. Answer: [`Answer::Overview`].
    Overview,
    /// The JSON Schema that fits the dataset. Takes long, unless the statistics of this check were counted before. Answer:
    /// [`Answer::Schema`].
    Schema,
    /// The statistics of the first records. Answer: [`Answer::Overview`].
    Beginning,
    /// How the systems of these formats take the file. Takes long. Answer: [`Answer::Systems`].
    Systems(Vec<String>),
    /// The differences from another version of the file, which is transferred with the question. Takes long. Answer:
    /// [`Answer::Comparison`].
    Comparison {
        /// Whether the other version is the newer one.
        is_other_newer: bool,
    },
}

impl Question {
    /// Whether the worker reads whole files for the answer: it reports its progress, and can be stopped.
    pub const fn takes_long(&self) -> bool {
        matches!(
            self,
            Self::Search(_) | Self::Overview | Self::Schema | Self::Systems(_) | Self::Comparison { .. }
        )
    }

    /// Whether its answer is of no use without the worker: only the worker has the other version, from which each page of records is read.
    pub const fn needs_worker(&self) -> bool {
        matches!(self, Self::Comparison { .. })
    }
}

/// A list of a check.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum List {
    /// The lines, as far as the check has come. Answer: [`Answer::Lines`].
    Lines,
    /// The records, as far as the check has come. Answer: [`Answer::Records`].
    Records,
    /// The findings in the order of the file, after the check has ended. Answer: [`Answer::Findings`].
    Findings(FindingQuery),
    /// Records that a search has found, also while it runs, with what it has found in them. Answer: [`Answer::Records`].
    Hits(RequestId),
    /// Of each line, whether it belongs to a record that a search has found. Answer: [`Answer::Matches`].
    Matches(RequestId),
    /// Places that were changed since the file was opened, after the check has ended. Answer: [`Answer::Changes`].
    Changes,
    /// Records in which the versions differ, after the comparison has ended. Answer: [`Answer::Differences`].
    Differences {
        /// The comparison.
        comparison: RequestId,
        /// The kind of difference; `None` for all.
        kind: Option<DifferenceKind>,
    },
    /// Files of the archive, after the check has ended. Answer: [`Answer::Files`].
    Files(AttachmentQuery),
}

/// A record by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum RecordPlace {
    /// The record that begins at this line, from 1.
    Line(u64),
    /// The record with this number, from 0: alone, even if others are on its line.
    Number(u64),
}

/// The answer to a [`Question`].
#[derive(Debug, Clone, PartialEq, BorshSerialize, BorshDeserialize, EnumTryAs, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Answer {
    /// Lines.
    Lines(Lines),
    /// Records.
    Records(Rows),
    /// Findings.
    Findings(FindingList),
    /// Of each line, whether it belongs to a record that a search has found.
    Matches(Vec<bool>),
    /// Places with changes, and facts about the changes; without facts if the changes are not known.
    Changes(ChangeList, Option<ChangeFacts>),
    /// Records that differ; fewer than requested at the end.
    Differences(Vec<Difference>),
    /// Files of the archive.
    Files(AttachmentList),
    /// The groups and the map of findings.
    FindingSummary(FindingSummary),
    /// The number of the finding; `None` if there is none.
    NearestFinding(Option<u64>),
    /// The line; `None` if there is none. The record of its first finding, from 0, if that is about a record.
    InvalidLine(Option<u64>, Option<u64>),
    /// The kinds: the safe ones before the others, each sorted by descending number of findings.
    FixGroups(Vec<FixGroup>),
    /// The pieces in order; none for a fix without edits.
    FixDiff(Vec<Piece>),
    /// The record; `None` if there is no such line or record.
    Record(Option<Box<Record>>),
    /// The text; `None` for a record that cannot be edited.
    TextToEdit(Option<TextToEdit>),
    /// The record with the edited text; `None` if there is no such record.
    EditedRecord(Option<EditedRecord>),
    /// The facts about an attachment.
    Attachment(Attachment),
    /// The rendered texts, in the order of the request.
    Markdown(Packed<Vec<Rendered>>),
    /// The number of records that match, after the whole file was searched.
    Found(u64),
    /// The position, from 0; `None` for a record that the search has not found.
    Position(Option<u64>),
    /// The statistics.
    Overview(Box<Overview>),
    /// The text of the JSON Schema.
    Schema(String),
    /// The report for each format, with its first error alone.
    Systems(Vec<Report>),
    /// The differences.
    Comparison(Box<ComparisonSums>),
}

impl Answer {
    /// Of a page of a list: the number of its items, and how many the list has, if the answer says it.
    pub fn page(&self) -> Option<(usize, Option<u64>)> {
        match self {
            Self::Lines(Lines { lines, total }) => Some((lines.len(), Some(*total))),
            Self::Records(Rows { rows, total, .. }) => Some((rows.len(), Some(*total))),
            Self::Findings(FindingList { findings, total, .. }) => Some((findings.len(), Some(*total))),
            Self::Matches(matches) => Some((matches.len(), None)),
            Self::Changes(ChangeList { places, total }, _) => Some((places.len(), Some(*total))),
            Self::Differences(differences) => Some((differences.len(), None)),
            Self::Files(AttachmentList { rows, total, .. }) => Some((rows.len(), Some(*total))),
            _ => None,
        }
    }
}

/// The progress of a question that takes long.
#[derive(Debug, Clone, Default, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct Advance {
    /// Bytes read.
    pub bytes: u64,
    /// Bytes to read.
    pub total_bytes: u64,
    /// How often both versions of a comparison were read before.
    pub pass: u32,
    /// The number of records that a search has found so far.
    pub count: u64,
}
